/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/task_history.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/sysmacros.h>

#include "base/array.h"
#include "base/proc.h"
#include "base/units.h"
#include "perf/abi/ring.h"
#include "task/tasks.h"
#include "perf/abi/record.h"
#include "perf/abi/side_band.h"

enum { MAX_IDS = 1 << 16 };

/* The index of (@id, @cpu), or the index at which to insert it. */
static size_t index_of(const struct hw_ids *ids, uint64_t id, uint32_t cpu)
{
	size_t low = 0, high = ids->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct hw_id *at = &ids->ids[mid];

		if (at->id < id || (at->id == id && at->cpu < cpu))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int hw_ids_put(struct hw_ids *ids, const struct side_band *r,
	       const void *record)
{
	struct perf_event_header header;
	struct hw_id fresh = {
		.id = r->id,
		.cpu = r->cpu,
		.hw_id = r->hw_id.hw_id,
		.time = r->time,
	};
	struct hw_id *entry;
	size_t at;

	memcpy(&header, record, sizeof(header));
	if (header.size != HW_ID_RECORD)
		return -EINVAL;
	memcpy(fresh.record, record, HW_ID_RECORD);
	at = index_of(ids, fresh.id, fresh.cpu);
	if (at < ids->nr && ids->ids[at].id == fresh.id &&
	    ids->ids[at].cpu == fresh.cpu) {
		if (ids->ids[at].time <= fresh.time)
			ids->ids[at] = fresh;
		return 0;
	}
	entry = array_insert_max(ids->ids, ids->nr, ids->cap, at, MAX_IDS);
	if (!entry)
		return -ENOMEM;
	*entry = fresh;
	return 0;
}

void hw_ids_free(struct hw_ids *ids)
{
	free(ids->ids);
	*ids = (struct hw_ids){ 0 };
}

enum {
	MAX_RECORD = 1 << 16,
	MIN_BYTES = 2 * MAX_RECORD,
	/*
	 * Room for the state of each process, twice what one with many
	 * libraries needs; allocated on demand.
	 */
	PROCESS_BYTES = 32 << 10,
	MAX_PROCESSES = 8192,
	MAX_TRIES = 3,	/* to read /proc during many changes */
};

/* A queue of records; positions are free running. */
struct record_fifo {
	unsigned char *data;
	uint64_t size;			/* a power of two */
	uint64_t begin, end;
};

struct task_history {
	pthread_mutex_t lock;		/* of all members */
	struct tasks *state;	/* before the first record */
	size_t limit;			/* of the state, bytes; may be raised */
	uint64_t read_ns;		/* see task_history_stats */
	struct record_fifo records;
	struct hw_ids hw_ids;
	pid_t *pids;			/* the target's processes; NULL: all */
	size_t nr_pids;
	uint64_t dropped;		/* in earlier states */
	struct perf_clock clock;
	pthread_mutex_t reading;	/* held while /proc is read */
	alignas(uint64_t) unsigned char record[MAX_RECORD];	/* scratch */
};

static struct tasks *new_state(size_t limit)
{
	return tasks_new(&(struct tasks_opts){ .limit = limit });
}

struct task_history *task_history_new(size_t bytes)
{
	struct task_history *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	pthread_mutex_init(&h->lock, NULL);
	pthread_mutex_init(&h->reading, NULL);
	h->limit = MAX(bytes, MIN_BYTES);
	h->records.size = units_round_pow2(h->limit);
	if (h->records.size > h->limit)
		h->records.size /= 2;
	h->records.data = malloc(h->records.size);
	h->state = new_state(h->limit);
	if (!h->records.data || !h->state) {
		task_history_free(h);
		return NULL;
	}
	return h;
}

void task_history_free(struct task_history *h)
{
	if (!h)
		return;
	tasks_free(h->state);
	hw_ids_free(&h->hw_ids);
	free(h->records.data);
	free(h->pids);
	pthread_mutex_destroy(&h->reading);
	pthread_mutex_destroy(&h->lock);
	free(h);
}

void task_history_clock(struct task_history *h, struct perf_clock clock)
{
	pthread_mutex_lock(&h->lock);
	h->clock = clock;
	pthread_mutex_unlock(&h->lock);
}

bool task_history_keeps(unsigned int type)
{
	switch (type) {
	case PERF_RECORD_COMM:
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_NAMESPACES:
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_CGROUP:
		return true;
	}
	return false;
}

static void fifo_copy_in(struct record_fifo *f, const void *from, size_t len)
{
	wrap_write(f->data, f->size, f->end, from, len);
	f->end += len;
}

/* Copy the record at @at to @to; returns its size. */
static size_t fifo_copy_out(const struct record_fifo *f, uint64_t at, void *to)
{
	struct perf_event_header header;

	wrap_read(&header, f->data, f->size, at, sizeof(header));
	wrap_read(to, f->data, f->size, at, header.size);
	return header.size;
}

/* Apply the oldest record to the state. */
static void fold_one(struct task_history *h)
{
	size_t size = fifo_copy_out(&h->records, h->records.begin, h->record);
	struct side_band record;

	h->records.begin += size;
	if (side_band_parse(h->record, size, &side_band_own, &record) == 0)
		tasks_record(h->state, &record);
}

static void keep(struct task_history *h, struct perf_event_header header,
		 const void *record)
{
	struct record_fifo *f = &h->records;

	/*
	 * The kernel may set this flag without a build-id, see struct
	 * side_band_layout; readers of a file rely on it.
	 */
	if (header.type == PERF_RECORD_MMAP2)
		header.misc &= (uint16_t)~PERF_RECORD_MISC_MMAP_BUILD_ID;
	while (f->end - f->begin + header.size > f->size)
		fold_one(h);
	fifo_copy_in(f, &header, sizeof(header));
	fifo_copy_in(f, (const unsigned char *)record + sizeof(header),
		     header.size - sizeof(header));
}

void task_history_record(struct task_history *h, const struct side_band *r,
			 const void *record)
{
	struct perf_event_header header;

	memcpy(&header, record, sizeof(header));
	if (!record_sane(header, header.size))
		return;
	pthread_mutex_lock(&h->lock);
	if (header.type == PERF_RECORD_AUX_OUTPUT_HW_ID)
		h->dropped += hw_ids_put(&h->hw_ids, r, record) != 0;
	else if (task_history_keeps(header.type) && !tasks_know(h->state, r))
		keep(h, header, record);
	pthread_mutex_unlock(&h->lock);
}

/* Keep a copy of the target's processes; NULL for all. */
static int set_pids(struct task_history *h, const pid_t *pids, size_t nr)
{
	pid_t *copy = NULL;

	if (nr) {
		copy = calloc(nr, sizeof(*copy));
		if (!copy)
			return -ENOMEM;
		memcpy(copy, pids, nr * sizeof(*copy));
	}
	free(h->pids);
	h->pids = copy;
	h->nr_pids = nr;
	return 0;
}

/* Keep only records from position @from on that the state does not include. */
static void forget_known(struct task_history *h, uint64_t from)
{
	struct record_fifo *f = &h->records;
	uint64_t end = f->end;
	struct side_band parsed;

	f->begin = f->end = from;
	while (from != end) {
		size_t size = fifo_copy_out(f, from, h->record);

		from += size;
		if (side_band_parse(h->record, size, &side_band_own, &parsed) ||
		    !tasks_know(h->state, &parsed))
			fifo_copy_in(f, h->record, size);
	}
}

/* The target's processes and their descendants; under the lock. */
static pid_t *list_pids(struct task_history *h, size_t *nr)
{
	size_t len;
	pid_t *pids;

	while (h->records.begin != h->records.end)
		fold_one(h);
	len = h->state->processes.len;
	*nr = len + h->nr_pids;
	pids = calloc(*nr, sizeof(*pids));
	if (!pids)
		return NULL;
	for (size_t i = 0; i < len; i++)
		pids[i] = tasks_at(h->state, i)->pid;
	memcpy(pids + len, h->pids, h->nr_pids * sizeof(*pids));
	return pids;
}

/* What to read; set under the lock, so that no record comes between. */
struct reading {
	pid_t *pids;
	size_t nr;
	uint64_t from, ns;	/* position of the first record after the start;
				 * time of the start */
	struct perf_clock clock;
};

/* 0: not comparable to the records' times. */
static uint64_t now_of(const struct perf_clock *clock)
{
	return clock->unknown ? 0 : perf_clock_now(clock);
}

static int begin_reading(struct task_history *h, struct reading *r)
{
	bool all;

	*r = (struct reading){ 0 };
	pthread_mutex_lock(&h->lock);
	all = !h->pids;
	if (!all)
		r->pids = list_pids(h, &r->nr);
	r->from = h->records.end;
	r->clock = h->clock;
	pthread_mutex_unlock(&h->lock);
	r->ns = now_of(&r->clock);
	if (all)
		proc_processes("/proc", &r->pids, &r->nr);
	return all || r->pids ? 0 : -ENOMEM;
}

static int read_fresh(struct task_history *h, const struct reading *r,
		      struct tasks **fresh)
{
	size_t limit = MIN(r->nr, MAX_PROCESSES) * PROCESS_BYTES;
	int ret = 0;

	*fresh = new_state(MAX(limit, h->limit));
	if (!*fresh)
		return -ENOMEM;
	/* listed twice: the later reading replaces the first */
	for (size_t i = 0; i < r->nr && !ret; i++)
		ret = tasks_read_process(*fresh, "/proc", r->pids[i],
					 now_of(&r->clock));
	return ret || (*fresh)->processes.len ? ret : -ENOENT;
}

/*
 * Records that arrive meanwhile may be about a process that was already read,
 * so they must be kept.  -EAGAIN if so many arrived that the first were
 * dropped, unless it is the @last try.
 */
static int try_state(struct task_history *h, bool last)
{
	struct tasks *fresh = NULL;
	struct reading r;
	int ret = begin_reading(h, &r);

	if (!ret)
		ret = read_fresh(h, &r, &fresh);
	free(r.pids);
	pthread_mutex_lock(&h->lock);
	if (!ret && !last && h->records.begin > r.from)
		ret = -EAGAIN;
	if (!ret) {
		h->dropped += h->state->dropped;
		tasks_free(h->state);
		h->state = fresh;
		h->read_ns = r.ns;
		forget_known(h, MAX(r.from, h->records.begin));
	}
	pthread_mutex_unlock(&h->lock);
	if (ret)
		tasks_free(fresh);
	return ret;
}

int task_history_reread(struct task_history *h)
{
	int ret = -EAGAIN;

	pthread_mutex_lock(&h->reading);
	for (int i = 1; ret == -EAGAIN && i <= MAX_TRIES; i++)
		ret = try_state(h, i == MAX_TRIES);
	pthread_mutex_unlock(&h->reading);
	return ret;
}

int task_history_read_proc(struct task_history *h, const pid_t *pids,
			   size_t nr)
{
	int ret;

	pthread_mutex_lock(&h->lock);
	ret = set_pids(h, pids, nr);
	pthread_mutex_unlock(&h->lock);
	return ret ? ret : task_history_reread(h);
}

/* COMM, MMAP2 and FORK records of time 0 that create the tasks of a state. */

static int make_map(const struct process *p, const struct process_map *map,
		    task_history_fn *fn, void *ctx)
{
	alignas(uint64_t) char record[SIDE_BAND_MADE];
	char name[PATH_MAX];
	struct side_band_map m = {
		.pid = p->pid,
		.tid = p->pid,
		.start = map->start,
		.len = map->end - map->start,
		.pgoff = map->pgoff,
		.executable = true,
		.has_inode = true,
		.major = major(map->dev),
		.minor = minor(map->dev),
		.inode = map->inode,
		.name = name,
	};
	size_t size;

	if (!process_maps_is_named(map))
		return 0;
	snprintf(name, sizeof(name), "%.*s%s", PATH_MAX - 16, map->path,
		 map->deleted ? " (deleted)" : "");
	size = side_band_make_mmap2(record, &m, PROT_READ | PROT_EXEC,
				    MAP_PRIVATE);
	return fn(ctx, record, size);
}

static int make_comm(const struct thread *thread, task_history_fn *fn,
		     void *ctx)
{
	alignas(uint64_t) char record[SIDE_BAND_MADE];

	/* some are only known from other records */
	if (!thread->known)
		return 0;
	return fn(ctx, record,
		  side_band_make_comm(record, thread->process->pid, thread->tid,
				      thread->comm));
}

static int make_thread(const struct thread *thread, task_history_fn *fn,
		       void *ctx)
{
	alignas(uint64_t) char record[SIDE_BAND_MADE];
	pid_t pid = thread->process->pid, tid = thread->tid;
	int ret = fn(ctx, record,
		     side_band_make_fork(record, pid, pid, tid, pid));

	return ret ? ret : make_comm(thread, fn, ctx);
}

/* Threads last: a reader's threads then share the mappings. */
static int make_process(const struct tasks *t, const struct process *p,
			task_history_fn *fn, void *ctx)
{
	const struct thread *leader = tasks_thread(t, p->pid), *thread;
	int ret = 0;

	if (leader && leader->process == p)
		ret = make_comm(leader, fn, ctx);
	for (size_t i = 0; !ret && i < process_maps_len(p->maps); i++)
		ret = make_map(p, process_maps_at(p->maps, i), fn, ctx);
	LIST_FOREACH(thread, &p->threads, link) {
		if (ret)
			break;
		if (thread != leader)
			ret = make_thread(thread, fn, ctx);
	}
	return ret;
}

static int records_of(const struct tasks *t, task_history_fn *fn, void *ctx)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < t->processes.len; i++)
		ret = make_process(t, tasks_at(t, i), fn, ctx);
	return ret;
}

/* A copy of everything, so that its user does not block others. */
struct copy {
	unsigned char *data;
	size_t len, cap;
};

static int copy_record(void *ctx, void *record, size_t size)
{
	struct copy *copy = ctx;

	if (array_fit(copy->data, copy->cap, copy->len + size))
		return -ENOMEM;
	memcpy(copy->data + copy->len, record, size);
	copy->len += size;
	return 0;
}

static int copy_all(struct task_history *h, struct copy *copy)
{
	const struct record_fifo *f = &h->records;
	int ret = records_of(h->state, copy_record, copy);

	for (uint64_t at = f->begin; !ret && at != f->end;) {
		size_t size = fifo_copy_out(f, at, h->record);

		ret = copy_record(copy, h->record, size);
		at += size;
	}
	for (size_t i = 0; !ret && i < h->hw_ids.nr; i++)
		ret = copy_record(copy, h->hw_ids.ids[i].record, HW_ID_RECORD);
	return ret;
}

int task_history_hw_ids(struct task_history *h, struct hw_id **ids, size_t *nr)
{
	pthread_mutex_lock(&h->lock);
	*nr = h->hw_ids.nr;
	*ids = calloc(*nr + 1, sizeof(**ids));
	if (*ids && *nr)
		memcpy(*ids, h->hw_ids.ids, *nr * sizeof(**ids));
	pthread_mutex_unlock(&h->lock);
	return *ids ? 0 : -ENOMEM;
}

int task_history_each(struct task_history *h, task_history_fn *fn, void *ctx)
{
	struct copy copy = { 0 };
	int ret;

	pthread_mutex_lock(&h->lock);
	ret = copy_all(h, &copy);
	pthread_mutex_unlock(&h->lock);
	for (size_t at = 0; !ret && at < copy.len;) {
		struct perf_event_header header;

		memcpy(&header, copy.data + at, sizeof(header));
		ret = fn(ctx, copy.data + at, header.size);
		at += header.size;
	}
	free(copy.data);
	return ret;
}

void task_history_stats(struct task_history *h,
			struct task_history_stats *stats)
{
	pthread_mutex_lock(&h->lock);
	*stats = (struct task_history_stats){
		.processes = h->state->processes.len,
		.bytes = tasks_bytes(h->state) +
			 (h->records.end - h->records.begin),
		.limit = h->records.size + h->state->limit,
		.dropped = h->dropped + h->state->dropped,
		.read_ns = h->read_ns,
	};
	pthread_mutex_unlock(&h->lock);
}
