/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/file/trace_file.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/err.h"
#include "base/proc.h"
#include "perf/abi/record.h"
#include "perf/abi/ring.h"
#include "task/task_history.h"
#include "trace/file/ring_view.h"
#include "trace/file/trace_records.h"
#include "trace/perfdata/perfdata_format.h"
#include "trace/perfdata/perfdata_writer.h"

enum {
	LONGEST_RECORD = 1 << 16,
	/* for ids: 8 times those of the event with most, at least 64 */
	ROOM_TIMES = 8,
	ROOM_IDS = 64,
	PROC_TASKS = 64 << 20,	/* bytes; limit of the tasks read from /proc */
};

struct trace_file {
	struct trace_file_from from;
	char *path;
	struct new_file *file;
	struct new_file *aux_file;	/* NULL: not needed, or not created
					 * yet */
	_Atomic uint64_t aux_bytes;
	new_file_between_fn *between;
	bool checkpoints;		/* trace_file_checkpoint() is allowed */
	struct perfdata_event *events;	/* the session's, then the side-band */
	size_t nr_events;
	struct perf_event_attr side_band;
	struct perfdata_writer *writer;	/* NULL: not begun */
	struct build_ids *build_ids;
	struct trace_records records;
	uint64_t round;			/* records.newest at the previous
					 * round */
};

/* NAME.aux for NAME.data, or for any other NAME. */
static char *aux_file_path(const char *path)
{
	size_t len = strlen(path);
	char *out;

	if (len > 5 && !strcmp(path + len - 5, ".data"))
		len -= 5;
	return asprintf(&out, "%.*s.aux", (int)len, path) < 0 ? NULL : out;
}

static bool open_files(struct trace_file *f, struct err *err)
{
	const struct auxtrace *trace = f->from.trace;
	char *path;

	f->file = new_file_open(f->path, 0, err);
	if (!f->file)
		return false;
	if (!trace || trace->ops->type)
		return true;
	path = aux_file_path(f->path);
	if (path)
		f->aux_file = new_file_open(path, 0, err);
	else
		err_set(err, -ENOMEM, "writing %s: out of memory", f->path);
	free(path);
	return f->aux_file;
}

/* Free everything except the files. */
static void free_rest(struct trace_file *f)
{
	perfdata_writer_free(f->writer);
	build_ids_free(f->build_ids);
	free(f->events);
	free(f->path);
	free(f);
}

struct trace_file *trace_file_open(const struct trace_file_from *from,
				   const char *path, struct err *err)
{
	struct trace_file *f = calloc(1, sizeof(*f));

	if (f) {
		f->from = *from;
		f->path = strdup(path);
		f->build_ids = build_ids_new(from->loader);
	}
	if (!f || !f->path || !f->build_ids) {
		if (f)
			free_rest(f);
		err_set(err, -ENOMEM, "writing %s: out of memory", path);
		return NULL;
	}
	if (open_files(f, err))
		return f;
	trace_file_cancel(f);
	return NULL;
}

void trace_file_between(struct trace_file *f, new_file_between_fn *between,
			void *ctx)
{
	new_file_between(f->file, between, ctx);
	if (f->aux_file)
		new_file_between(f->aux_file, between, ctx);
}

/* Ids are added later: see trace_records_ids(). */
static int list_events(struct trace_file *f)
{
	const struct event_list *list = &f->from.session_opts->events;

	f->events = calloc(list->nr + 1, sizeof(*f->events));
	if (!f->events)
		return -ENOMEM;
	for (size_t i = 0; i < list->nr; i++)
		f->events[i] = (struct perfdata_event){
			.name = session_event_name(f->from.session, i),
			.attr = session_event_attr(f->from.session, i),
			.leader = list->specs[i].leader,
		};
	session_side_band_attr(f->from.session, &f->side_band);
	f->events[list->nr] = (struct perfdata_event){
		.name = "dummy:u",
		.attr = &f->side_band,
		.leader = list->nr,
	};
	f->nr_events = list->nr + 1;
	return 0;
}

static struct perf_time_conv conv_of(const struct trace_file *f)
{
	struct perf_clock clock = session_clock(f->from.session);

	if (!clock.page)
		return (struct perf_time_conv){ .time_mask = UINT64_MAX };
	return perf_clock_conv(clock.page);
}

/* Only useful if records use the clock of the CPU's counter. */
static int put_time_conv(struct trace_file *f)
{
	struct perf_time_conv conv = conv_of(f);

	if (!session_has_aux(f->from.session) || !conv.cap_user_time_zero)
		return 0;
	return synth_time_conv(f->writer, &conv);
}

static int put_ids(struct trace_file *f)
{
	const struct event_ids *ids = f->from.ids;
	struct synth_id *out = calloc(ids->nr + 1, sizeof(*out));
	int ret;

	if (!out)
		return -ENOMEM;
	for (size_t i = 0; i < ids->nr; i++)
		out[i] = (struct synth_id){
			.id = ids->ids[i].id,
			.idx = ids->ids[i].ring,
			.cpu = ids->ids[i].cpu,
			.tid = ids->ids[i].tid,
		};
	ret = synth_id_index(f->writer, out, ids->nr);
	free(out);
	return ret;
}

/* The CPUs of the rings; all, if rings follow threads. */
static int list_cpus(const struct trace_file *f, struct cpulist *cpus,
		     struct err *err)
{
	struct ring_view view;
	int ret = ring_view_open(&view, f->from.session, err);

	if (ret)
		return ret;
	for (size_t i = 0; !ret && i < view.nr; i++)
		if (view.rings[i]->cpu >= 0)
			ret = cpulist_add(cpus, view.rings[i]->cpu);
	ring_view_close(&view);
	if (ret)
		return err_set(err, ret, "listing CPUs: out of memory");
	return cpus->nr ? 0 : cpulist_online(cpus, err);
}

static int put_info_words(struct trace_file *f,
			  const struct auxtrace_info *info, struct err *err)
{
	const struct auxtrace_ops *ops = f->from.trace->ops;
	size_t words = ops->info_size(info);
	uint64_t *priv = calloc(words + 1, sizeof(*priv));
	int ret;

	if (!priv)
		return err_set(err, -ENOMEM, "describing %s: out of memory",
			       ops->name);
	ret = ops->info_fill(info, priv, words, err);
	if (!ret)
		ret = trace_file_error(f, synth_auxtrace_info(f->writer,
							      ops->type, priv,
							      words), err);
	free(priv);
	return ret;
}

static int put_info(struct trace_file *f, struct err *err)
{
	const struct trace_file_from *from = &f->from;
	struct cpulist cpus = { 0 };
	struct hw_id *hw_ids = NULL;
	struct auxtrace_info info = {
		.env = from->env,
		.trace = from->trace,
		.cpus = &cpus,
		.switch_events = from->session_opts->switch_events,
	};
	int ret;

	/* perf has no decoder for that */
	if (!from->trace || !from->trace->ops->type)
		return 0;
	info.spec = &from->session_opts->events.specs[from->trace->spec];
	info.attr = session_event_attr(from->session, from->trace->spec);
	info.conv = conv_of(f);
	ret = list_cpus(f, &cpus, err);
	if (!ret && from->tasks)
		ret = trace_file_error(f, task_history_hw_ids(from->tasks,
							      &hw_ids,
							      &info.nr_hw_ids),
				       err);
	info.hw_ids = hw_ids;
	if (!ret)
		ret = put_info_words(f, &info, err);
	free(hw_ids);
	cpulist_free(&cpus);
	return ret;
}

int trace_file_pids(struct session *session, pid_t **pids, size_t *nr)
{
	const struct target_map *map = session_target(session);
	pid_t last = 0;

	*nr = 0;
	*pids = NULL;
	if (!map->nr_tids)
		return 0;
	*pids = calloc(map->nr_tids, sizeof(**pids));
	if (!*pids)
		return -ENOMEM;
	for (size_t i = 0; i < map->nr_tids; i++) {
		pid_t pid = proc_process_of("/proc", map->tids[i]);

		/* threads of a process are adjacent */
		if (pid != last)
			(*pids)[(*nr)++] = pid;
		last = pid;
	}
	return 0;
}

static int put_task(void *ctx, void *record, size_t size)
{
	return trace_records_task(ctx, record, size);
}

/* Tasks are complete up to the time they were read, or to the newest record. */
static int put_tasks(struct trace_file *f, struct task_history *tasks)
{
	struct task_history_stats stats;

	task_history_stats(tasks, &stats);
	f->records.tasks_until = stats.read_ns;
	return task_history_each(tasks, put_task, &f->records);
}

/* No task history is kept: read the present tasks from /proc. */
static int put_proc_tasks(struct trace_file *f)
{
	struct task_history *tasks = task_history_new(PROC_TASKS);
	pid_t *pids = NULL;
	size_t nr = 0;
	int ret;

	if (!tasks)
		return -ENOMEM;
	ret = trace_file_pids(f->from.session, &pids, &nr);
	if (!ret)
		ret = task_history_read_proc(tasks, pids, nr);
	/* tasks may have ended: only records of the rings are left then */
	if (!ret || ret == -ENOENT)
		ret = put_tasks(f, tasks);
	free(pids);
	task_history_free(tasks);
	return ret;
}

static int put_before_trace(struct trace_file *f, struct err *err)
{
	int ret = trace_records_ids(&f->records);

	/* a ring that is replaced by one of another size has new ids */
	if (!ret && f->checkpoints)
		ret = perfdata_writer_begin_checkpoints(
			f->writer, f->from.machine,
			MAX(ROOM_IDS, ROOM_TIMES * perfdata_writer_max_ids(
						   f->writer)));
	if (!ret)
		ret = put_time_conv(f);
	if (!ret)
		ret = put_ids(f);
	return ret ? trace_file_error(f, ret, err) : put_info(f, err);
}

int trace_file_begin_records(struct trace_file *f, struct err *err)
{
	int ret = synth_kernel(f->writer, f->from.machine);

	if (!ret)
		ret = f->from.tasks ? put_tasks(f, f->from.tasks) :
				      put_proc_tasks(f);
	f->records.tracked = f->from.tasks;
	return trace_file_error(f, ret, err);
}

int trace_file_begin_trace(struct trace_file *f, struct err *err)
{
	const struct auxtrace *trace = f->from.trace;
	int ret = event_ids_refresh(f->from.ids, f->from.session, err);

	if (ret)
		return ret;
	ret = list_events(f);
	if (ret)
		return trace_file_error(f, ret, err);
	f->writer = perfdata_writer_new(new_file_stream(f->file), f->events,
					f->nr_events, err);
	if (!f->writer)
		return trace_file_error(f, err ? err->code : -EIO, err);
	f->records = (struct trace_records){
		.writer = f->writer,
		.session = f->from.session,
		.ids = f->from.ids,
		.side_band = f->nr_events - 1,
		.build_ids = f->from.loader ? f->build_ids : NULL,
		/*
		 * perf finds the trace of an AUX record by its CPU, which must
		 * be -1 if the trace is that of a thread
		 * (cs_etm__queue_aux_fragment(), util/cs-etm.c)
		 */
		.no_cpu = trace && trace->ops->cuts_by_aux && !trace->per_cpu,
	};
	return put_before_trace(f, err);
}

int trace_file_begin(struct trace_file *f, struct err *err)
{
	int ret = trace_file_begin_trace(f, err);

	return ret ? ret : trace_file_begin_records(f, err);
}

int trace_file_records(struct trace_file *f, unsigned char *buf, size_t size,
		       const struct trace_rule *rule)
{
	return trace_records_put(&f->records, buf, size, rule);
}

/* List the offsets of the records, newest first, as overwrite_walk() does. */
static int list_records(const struct ring *ring, uint64_t trusted,
			uint64_t **out, size_t *nr)
{
	uint64_t start = -ring_head(ring), walked = 0, *at;
	size_t room = 0;

	*out = NULL;
	*nr = 0;
	while (trusted - walked >= sizeof(struct perf_event_header)) {
		struct perf_event_header header = ring_header(ring,
							      start + walked);

		if (!record_sane(header, trusted - walked))
			break;
		at = array_add(*out, *nr, room);
		if (!at) {
			free(*out);
			*out = NULL;
			return -ENOMEM;
		}
		*at = start + walked;
		walked += header.size;
	}
	return 0;
}

int trace_file_overwrite(struct trace_file *f, const struct ring *ring,
			 uint64_t newer)
{
	static const struct trace_rule all;
	uint64_t gone = newer - ring_head(ring), *list;
	unsigned char *record;
	size_t nr;
	int ret;

	if (gone >= ring->size)
		return 0;
	record = malloc(LONGEST_RECORD);
	if (!record)
		return -ENOMEM;
	ret = list_records(ring, ring->size - gone, &list, &nr);
	if (ret) {
		free(record);
		return ret;
	}
	while (!ret && nr--) {
		size_t size = ring_header(ring, list[nr]).size;

		ring_copy(ring, list[nr], record, size);
		ret = trace_file_records(f, record, size, &all);
	}
	free(list);
	free(record);
	return ret;
}

static bool put(FILE *out, const void *data, size_t len)
{
	return !len || fwrite(data, 1, len, out) == len;
}

/* The format that perfdata_write_auxtrace() writes. */
static int put_aux_trace(struct trace_file *f,
			 const struct perfdata_auxtrace *head,
			 const void *const data[2], const size_t len[2])
{
	static const unsigned char zeros[8];
	size_t size = len[0] + len[1], pad = -size % sizeof(zeros);
	const struct perfdata_record_auxtrace record =
		perfdata_auxtrace_record(head, size + pad);
	FILE *out = new_file_stream(f->aux_file);
	bool good;

	flockfile(out);
	good = put(out, &record, sizeof(record)) &&
	       put(out, data[0], len[0]) && put(out, data[1], len[1]) &&
	       put(out, zeros, pad);
	funlockfile(out);
	f->aux_bytes += sizeof(record) + size + pad;
	return good ? 0 : -EIO;
}

int trace_file_pieces(struct trace_file *f, const struct trace_file_ring *of,
		      uint64_t offset, const struct aux_pieces *pieces)
{
	const struct perfdata_auxtrace head = {
		.offset = offset,
		.reference = f->from.trace->ops->reference(),
		.idx = (uint32_t)of->ring,
		.tid = of->tid,
		.cpu = of->cpu,
	};
	const void *const data[2] = { pieces->data[0], pieces->data[1] };

	if (f->aux_file)
		return put_aux_trace(f, &head, data, pieces->len);
	return perfdata_write_auxtrace(f->writer, &head, data, pieces->len);
}

int trace_file_trace(struct trace_file *f, const struct trace_file_ring *of,
		     uint64_t offset, const void *data, size_t len)
{
	const struct aux_pieces pieces = { { data, NULL }, { len, 0 } };

	return trace_file_pieces(f, of, offset, &pieces);
}

int trace_file_round(struct trace_file *f, uint64_t until)
{
	int ret;

	/*
	 * At this record perf sorts and processes all records that are not
	 * newer than the newest one before the previous round
	 * (tools/perf/util/ordered-events.c).
	 */
	if (until < f->round)
		return 0;
	ret = synth_finished_round(f->writer);
	f->round = f->records.newest;
	return ret;
}

void trace_file_allow_checkpoints(struct trace_file *f)
{
	f->checkpoints = true;
}

/* The trace gets its name first: if NAME.data exists, so does NAME.aux. */
int trace_file_checkpoint(struct trace_file *f, struct err *err)
{
	int ret = f->aux_file ? new_file_name_unique(f->aux_file, err) : 0;

	if (ret)
		return ret;
	ret = trace_file_error(f, perfdata_writer_checkpoint(f->writer), err);
	return ret ? ret : new_file_name_unique(f->file, err);
}

const char *trace_file_named(const struct trace_file *f)
{
	return new_file_named(f->file);
}

size_t trace_file_build_ids(struct trace_file *f, double seconds)
{
	return build_ids_read(f->build_ids, seconds);
}

uint64_t trace_file_bytes(const struct trace_file *f)
{
	uint64_t bytes = f->writer ? perfdata_writer_bytes(f->writer) : 0;

	return bytes + f->aux_bytes;
}

uint64_t trace_file_room(const struct trace_file *f)
{
	return new_file_room(f->file);
}

uint64_t trace_file_unknown(const struct trace_file *f)
{
	return f->records.unknown;
}

int trace_file_error(const struct trace_file *f, int ret, struct err *err)
{
	int why = new_file_error(f->file);

	if (!why && f->aux_file)
		why = new_file_error(f->aux_file);
	if (!ret)
		return 0;
	ret = why ? why : ret;
	return err_errno(err, ret, "writing %s", f->path);
}

static int finish(struct trace_file *f, struct err *err)
{
	int ret = build_ids_write(f->build_ids, f->writer);

	if (f->records.last)
		perfdata_writer_times(f->writer, f->records.first,
				      f->records.last);
	if (!ret)
		ret = perfdata_writer_finish(f->writer, f->from.machine, NULL);
	return trace_file_error(f, ret, err);
}

/* The trace first: if NAME.data exists, it is complete. */
static int commit_files(struct trace_file *f, char *path, char *aux_path,
			size_t size, struct err *err)
{
	bool named = new_file_named(f->file);
	int ret = 0;

	aux_path[0] = '\0';
	if (f->aux_file)
		ret = new_file_commit_unique(f->aux_file, aux_path, size, err);
	if (ret) {
		new_file_leave(f->file);
		return ret;
	}
	ret = new_file_commit_unique(f->file, path, size, err);
	if (ret && f->aux_file && !named)
		new_file_remove(aux_path);
	return ret;
}

int trace_file_commit(struct trace_file *f, char *path, char *aux_path,
		      size_t size, struct err *err)
{
	int ret = finish(f, err);

	if (ret) {
		trace_file_leave(f);
		return ret;
	}
	ret = commit_files(f, path, aux_path, size, err);
	free_rest(f);
	return ret;
}

void trace_file_cancel(struct trace_file *f)
{
	if (!f)
		return;
	new_file_cancel(f->file);
	new_file_cancel(f->aux_file);
	free_rest(f);
}

void trace_file_leave(struct trace_file *f)
{
	/* trace alone is of no use */
	if (new_file_named(f->file))
		new_file_leave(f->aux_file);
	else
		new_file_cancel(f->aux_file);
	new_file_leave(f->file);
	free_rest(f);
}
