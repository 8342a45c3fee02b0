/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/host_ftrace.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/err.h"
#include "base/proc.h"
#include "base/sys.h"
#include "base/table.h"
#include "base/text.h"
#include "host/proc_status.h"
#include "host/table/host.h"
#include "perf/tracepoint/tracefs.h"

/* Seconds between polls of the buffers, and walks for their readers. */
static const double poll_every = 1, poll_longest = 10;
static const double walk_every = 5, walk_longest = 60;
/* Shares of a CPU for each. */
static const double poll_budget = 0.001, walk_budget = 0.0005;
/* Seconds after which a buffer that no known process has read is not read. */
static const double read_lately = 10;

enum {
	READERS_MAX = 1024,
	INSTANCES_MAX = 1024,
	BUFFERS_MAX = 1 << 16,
	/* bytes of an event, as long as none was seen waiting */
	USUAL_EVENT = 64,
};

struct buffer {
	uint64_t key;
	uint64_t instance;	/* inode of its directory */
	char name[NAME_MAX + 1];	/* of the instance; "": the top one */
	int cpu;
	uint64_t size;		/* bytes */
	bool overwrite;		/* options/overwrite */
	bool armed;		/* a tracer or an event of the instance is on */
	bool listed, held;	/* and has a reader */
	bool found;		/* in this poll */
	struct host_ftrace_stats now, last;
	double mean;		/* bytes of an event */
	/* What the kernel does not count: see add_up(). */
	uint64_t head, lost, reported, reads;
	double read_at;		/* when it was last seen to be read; 0: never */
};

/* An open file from which a process reads events. */
struct reader {
	pid_t pid;
	int fd;
	char instance[NAME_MAX + 1];
	int cpu;		/* -1: all */
	struct proc_status status;
	uint64_t run_time, run_delay;	/* ns; UNKNOWN */
};

struct host_ftrace {
	const char *given;	/* tracefs; NULL: find it */
	const char *tracefs, *proc;
	struct buffer *buffers;
	size_t nr, room;
	struct table by_key;	/* indices into buffers */
	struct reader *readers;
	size_t nr_readers, readers_cap;
	double next_poll, last_walk, next_walk;
	bool reads_unseen;	/* a buffer is read by no process that is
				 * known */
};

/* The number of the line that begins with @name; false if there is none. */
static bool take_number(const char *text, const char *name, uint64_t *value)
{
	size_t len = strlen(name);
	long long number;
	char *end;

	while (strncmp(text, name, len)) {
		text = strchr(text, '\n');
		if (!text)
			return false;
		text++;
	}
	errno = 0;
	number = strtoll(text + len, &end, 10);
	if (errno || end == text + len || (*end != '\n' && *end))
		return false;
	*value = number > 0 ? (uint64_t)number : 0;
	return true;
}

bool host_ftrace_parse(const char *text, struct host_ftrace_stats *stats)
{
	return take_number(text, "entries:", &stats->entries) &&
	       take_number(text, "overrun:", &stats->overrun) &&
	       take_number(text, "commit overrun:", &stats->commit_overrun) &&
	       take_number(text, "bytes:", &stats->bytes) &&
	       take_number(text, "dropped events:", &stats->dropped) &&
	       take_number(text, "read events:", &stats->read);
}

/* Move *@path behind "DIR/NAME/", with NAME in @name of NAME_MAX + 1 bytes. */
static bool take_dir(const char **path, const char *dir, char *name)
{
	const char *at = *path, *end;

	if (!text_skip(&at, dir))
		return false;
	end = strchr(at, '/');
	if (!end || end == at || end - at > NAME_MAX)
		return false;
	memcpy(name, at, (size_t)(end - at));
	name[end - at] = '\0';
	*path = end + 1;
	return true;
}

bool host_ftrace_link(const char *link, const char *tracefs, char *instance,
		      int *cpu)
{
	char name[NAME_MAX + 1], rest;

	instance[0] = '\0';
	*cpu = -1;
	if (!text_skip(&link, tracefs) || !text_skip(&link, "/"))
		return false;
	take_dir(&link, "instances/", instance);
	if (take_dir(&link, "per_cpu/", name) &&
	    (sscanf(name, "cpu%d%c", cpu, &rest) != 1 || *cpu < 0))
		return false;
	return !strcmp(link, "trace_pipe") || !strcmp(link, "trace_pipe_raw");
}

struct host_ftrace *host_ftrace_new(const char *tracefs, const char *proc)
{
	struct host_ftrace *ft = calloc(1, sizeof(*ft));

	if (!ft)
		return NULL;
	ft->given = tracefs;
	ft->proc = proc ? proc : "/proc";
	return ft;
}

void host_ftrace_free(struct host_ftrace *ft)
{
	if (!ft)
		return;
	free(ft->buffers);
	free(ft->readers);
	table_free(&ft->by_key);
	free(ft);
}

/* The readers. */

/* Read which buffers a file is of; false if it takes no events. */
static bool is_reader(const struct host_ftrace *ft, const char *target,
		      struct reader *reader)
{
	static const char debug[] = "/sys/kernel/debug/tracing";

	return host_ftrace_link(target, ft->tracefs, reader->instance,
				&reader->cpu) ||
	       host_ftrace_link(target, debug, reader->instance, &reader->cpu);
}

static int add_reader(void *ctx, pid_t pid, const char *fd, const char *target)
{
	struct host_ftrace *ft = ctx;
	struct reader reader = { .pid = pid, .fd = atoi(fd) }, *to;

	if (ft->nr_readers >= READERS_MAX || !is_reader(ft, target, &reader))
		return 0;
	to = array_add(ft->readers, ft->nr_readers, ft->readers_cap);
	if (!to)
		return -ENOMEM;
	*to = reader;
	return 0;
}

/* Walk over all processes. */
static int find_readers(struct host_ftrace *ft, double now)
{
	double before = sys_thread_cpu(), wait;
	pid_t *pids;
	size_t nr;
	int ret = 0;

	ft->nr_readers = 0;
	proc_processes(ft->proc, &pids, &nr);
	for (size_t i = 0; i < nr && !ret; i++)
		ret = proc_fds(ft->proc, pids[i], add_reader, ft);
	free(pids);
	wait = (sys_thread_cpu() - before) / walk_budget;
	ft->last_walk = now + fmin(wait, walk_longest);
	ft->next_walk = now + fmin(fmax(wait, walk_every), walk_longest);
	return ret;
}

/* Keep those readers that still have their file open. */
static void check_readers(struct host_ftrace *ft)
{
	size_t nr = 0;

	for (size_t i = 0; i < ft->nr_readers; i++) {
		struct reader *reader = &ft->readers[i], now = *reader;
		char path[PATH_MAX], target[PATH_MAX];
		ssize_t n;

		snprintf(path, sizeof(path), "%s/%d/fd/%d", ft->proc,
			 reader->pid, reader->fd);
		n = readlink(path, target, sizeof(target) - 1);
		if (n < 0)
			continue;	/* closed in the meantime */
		target[n] = '\0';
		if (!is_reader(ft, target, &now) ||
		    now.cpu != reader->cpu ||
		    strcmp(now.instance, reader->instance) ||
		    proc_status_read(ft->proc, now.pid, &now.status))
			continue;
		proc_status_times(ft->proc, now.pid, &now.run_time,
				  &now.run_delay);
		if (!now.status.alone)
			now.run_time = UNKNOWN;
		ft->readers[nr++] = now;
	}
	ft->nr_readers = nr;
}

static bool reads(const struct reader *reader, const struct buffer *buffer)
{
	return (reader->cpu < 0 || reader->cpu == buffer->cpu) &&
	       !strcmp(reader->instance, buffer->name);
}

static bool has_reader(const struct host_ftrace *ft,
		       const struct buffer *buffer)
{
	for (size_t i = 0; i < ft->nr_readers; i++)
		if (reads(&ft->readers[i], buffer))
			return true;
	return false;
}

/* The buffers. */

static bool is_used(const struct host_ftrace_stats *s)
{
	return s->entries || s->overrun || s->commit_overrun || s->dropped ||
	       s->read;
}

static struct buffer *add_buffer(struct host_ftrace *ft, uint64_t key)
{
	struct buffer *buffer;

	if (ft->nr >= BUFFERS_MAX || table_reserve(&ft->by_key, ft->nr + 1))
		return NULL;
	buffer = array_add(ft->buffers, ft->nr, ft->room);
	if (!buffer)
		return NULL;
	*buffer = (struct buffer){ .key = key, .mean = USUAL_EVENT };
	table_add_index(&ft->by_key, key, ft->nr - 1);
	return buffer;
}

static int read_buffer(struct host_ftrace *ft, const char *dir,
		       const struct buffer *like)
{
	const uint64_t parts[] = { like->instance, (uint64_t)like->cpu };
	uint64_t key = table_hash(parts, sizeof(parts));
	const struct table_entry *at = table_find(&ft->by_key, key);
	struct buffer *buffer = at ? &ft->buffers[at->index] : NULL;
	struct host_ftrace_stats now;
	char path[PATH_MAX + 32], text[1024];
	long long kb;

	snprintf(path, sizeof(path), "%s/stats", dir);
	if (sys_read_file(path, text, sizeof(text)) <= 0 ||
	    !host_ftrace_parse(text, &now))
		return 0;	/* the instance is gone */
	if (!buffer && !is_used(&now) && !has_reader(ft, like))
		return 0;
	snprintf(path, sizeof(path), "%s/buffer_size_kb", dir);
	if (sys_read_number(path, &kb) || kb <= 0 || kb > 1LL << 32)
		return 0;
	if (!buffer)
		buffer = add_buffer(ft, key);
	if (!buffer)
		return -ENOMEM;
	memcpy(buffer->name, like->name, sizeof(buffer->name));
	buffer->instance = like->instance;
	buffer->cpu = like->cpu;
	buffer->overwrite = like->overwrite;
	buffer->armed = like->armed;
	if (buffer->size != (uint64_t)kb << 10)
		buffer->head = 0;	/* as in a ring that was replaced */
	buffer->size = (uint64_t)kb << 10;
	buffer->now = now;
	buffer->found = true;
	return 0;
}

static int is_dir(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int read_cpus(struct host_ftrace *ft, const char *dir,
		     struct buffer *like)
{
	char path[PATH_MAX], rest;
	struct dirent **cpus;
	int nr, ret = 0;

	if (snprintf(path, sizeof(path), "%s/per_cpu", dir) >=
	    (int)sizeof(path) - NAME_MAX)
		return 0;
	nr = sys_scandir(path, is_dir, &cpus);
	for (int i = 0; i < nr && !ret; i++) {
		char cpu[PATH_MAX];

		if (sscanf(cpus[i]->d_name, "cpu%d%c", &like->cpu, &rest) != 1)
			continue;
		if (snprintf(cpu, sizeof(cpu), "%s/%s", path,
			     cpus[i]->d_name) < (int)sizeof(cpu) - 32)
			ret = read_buffer(ft, cpu, like);
	}
	if (nr >= 0)
		sys_free_entries(cpus, nr);
	return ret;
}

static bool is_armed(const char *dir)
{
	char path[PATH_MAX + 32], text[64];

	snprintf(path, sizeof(path), "%s/events/enable", dir);
	if (sys_read_file(path, text, sizeof(text)) > 0 && text[0] != '0')
		return true;
	snprintf(path, sizeof(path), "%s/current_tracer", dir);
	return sys_read_file(path, text, sizeof(text)) > 0 &&
	       strcmp(text, "nop\n") != 0;
}

/*
 * Read an instance that is on.  One in which nothing was traced yet has buffers
 * of a page or two: "7 (expanded: 1408)".
 */
static int read_instance(struct host_ftrace *ft, const char *dir,
			 const char *name)
{
	struct buffer like = { .overwrite = true };
	char path[PATH_MAX + 32], text[64];
	long long on, overwrite;
	struct stat st;
	int ret;

	snprintf(path, sizeof(path), "%s/tracing_on", dir);
	ret = sys_read_number(path, &on);
	if (ret || !on)
		return ret;
	snprintf(path, sizeof(path), "%s/buffer_size_kb", dir);
	if (sys_read_file(path, text, sizeof(text)) <= 0 ||
	    strstr(text, "expanded") || stat(dir, &st))
		return 0;
	snprintf(path, sizeof(path), "%s/options/overwrite", dir);
	if (!sys_read_number(path, &overwrite))
		like.overwrite = overwrite;
	like.armed = is_armed(dir);
	like.instance = st.st_ino;
	snprintf(like.name, sizeof(like.name), "%s", name);
	return read_cpus(ft, dir, &like);
}

static int read_all(struct host_ftrace *ft, struct err *err)
{
	struct dirent **names;
	char path[PATH_MAX];
	int nr, ret;

	ret = read_instance(ft, ft->tracefs, "");
	if (ret && ret != -ENOMEM)
		return err_set(err, ret, "ftrace buffers need read access to %s: %s; try sudo rbtop",
			       ft->tracefs, strerror(-ret));
	snprintf(path, sizeof(path), "%s/instances", ft->tracefs);
	nr = sys_scandir(path, is_dir, &names);
	for (int i = 0; i < nr && i < INSTANCES_MAX && ret != -ENOMEM; i++) {
		snprintf(path, sizeof(path), "%s/instances/%s", ft->tracefs,
			 names[i]->d_name);
		ret = read_instance(ft, path, names[i]->d_name);
	}
	if (nr >= 0)
		sys_free_entries(names, nr);
	return ret == -ENOMEM ? err_errno(err, ret, "ftrace buffers") : 0;
}

/* Forget those that this poll did not find. */
static void drop_others(struct host_ftrace *ft)
{
	size_t nr = 0;

	table_clear(&ft->by_key);
	for (size_t i = 0; i < ft->nr; i++) {
		if (!ft->buffers[i].found)
			continue;
		ft->buffers[nr] = ft->buffers[i];
		table_add_index(&ft->by_key, ft->buffers[nr].key, nr);
		nr++;
	}
	ft->nr = nr;
}

/* Whether events were taken out, and the counts of one that was cleared. */
static void begin(struct buffer *b, double now)
{
	struct host_ftrace_stats *last = &b->last;

	if (b->now.read < last->read || b->now.overrun < last->overrun ||
	    b->now.dropped < last->dropped ||
	    b->now.commit_overrun < last->commit_overrun) {
		*last = (struct host_ftrace_stats){ 0 };
		b->reported = 0;
	} else if (b->reads && b->now.read > last->read) {
		b->read_at = now;
	}
	/* dropped before overwriting was switched on, for an earlier reader */
	if (!b->reads && b->overwrite)
		last->dropped = b->now.dropped;
	/* 0: not seen yet */
	b->reads += b->now.read - last->read + !b->reads;
}

/*
 * What came, in bytes, is a number of events of the mean size of those that
 * wait.  Those that were overwritten have not come, as in other rings, but are
 * lost, if somebody reads the buffer: the kernel reports that to its reader
 * ("LOST 42 EVENTS"), also of those before it began to read.
 */
static void add_up(struct buffer *b, bool drained)
{
	const struct host_ftrace_stats *now = &b->now, *last = &b->last;
	uint64_t before = last->entries + last->read, after;

	after = now->entries + now->read;
	if (b->overwrite && !drained) {
		before += last->overrun;
		after += now->overrun;
	}
	if (now->entries && now->bytes)
		b->mean = fmin((double)now->bytes / (double)now->entries,
			       (double)b->size);
	b->head += (uint64_t)fmin((double)ring_delta(after, before) * b->mean,
				  0x1p60);
	if (b->head < now->bytes)
		b->head = now->bytes;
	b->lost += now->dropped - last->dropped;
	b->lost += now->commit_overrun - last->commit_overrun;
	if (drained || !b->overwrite) {
		if (b->overwrite)
			b->lost += ring_delta(now->overrun, b->reported);
		b->reported = now->overrun;
	}
}

static int add_holders(const struct host_ftrace *ft, const struct buffer *b,
		       struct host_pass *pass)
{
	for (size_t i = 0; i < ft->nr_readers; i++) {
		const struct reader *reader = &ft->readers[i];
		struct host_pass_holder *to;

		if (!reads(reader, b))
			continue;
		to = host_pass_add_holder(pass);
		if (!to)
			return -ENOMEM;
		to->ring = b->key;
		to->pid = reader->pid;
		to->uid = reader->status.uid;
		to->stopped = reader->status.stopped;
		to->maps = true;	/* it drains the buffer */
		to->run_time = reader->run_time;
		to->run_delay = reader->run_delay;
		memcpy(to->comm, reader->status.comm, sizeof(to->comm));
	}
	return 0;
}

/*
 * A buffer is listed from when its instance traces, it is read, or anything
 * comes; not if it only holds what a trace of the past has left.
 */
static int add_ring(struct host_ftrace *ft, struct buffer *b,
		    struct host_pass *pass)
{
	bool changed = b->reads && memcmp(&b->now, &b->last, sizeof(b->now));
	bool held = has_reader(ft, b), drained;
	struct host_pass_ring *ring;
	uint64_t used;

	begin(b, pass->mono);
	/* its reader has ended, and was the one that read so far */
	if (b->held && !held)
		b->read_at = 0;
	b->held = held;
	drained = held || (b->read_at > 0 &&
			   pass->mono - b->read_at <= read_lately);
	ft->reads_unseen |= drained && !held;
	add_up(b, drained);
	b->last = b->now;
	b->listed |= b->armed || held || changed;
	b->listed &= is_used(&b->now) || held;
	if (!b->listed)
		return 0;
	ring = host_pass_add_ring(pass);
	if (!ring)
		return -ENOMEM;
	/* the page that is being read is not part of the size */
	used = b->now.bytes < b->size ? b->now.bytes : b->size;
	ring->key = b->key;
	ring->kind = RING_FTRACE;
	ring->known = true;
	ring->size = ring->locked = b->size;
	ring->overwrite = b->overwrite && !drained;
	ring->head = b->head;
	ring->tail = b->head - used;
	ring->lost = UNKNOWN;
	ring->sizes.nr = b->now.entries;
	ring->sizes.bytes = b->now.bytes;
	ring->uid = (uid_t)-1;
	ring->user_locked = UNKNOWN;
	ring->lost_in_all = b->lost;
	ring->ftrace.reads = b->reads;
	ring->ftrace.cpu = b->cpu;
	text_copy(ring->ftrace.instance, sizeof(ring->ftrace.instance),
		  b->name);
	return add_holders(ft, b, pass);
}

int host_ftrace_read(struct host_ftrace *ft, struct host_pass *pass,
		     struct err *err)
{
	double before = sys_thread_cpu(), now = pass->mono;
	int ret;

	if (now < ft->next_poll)
		return 0;
	ft->next_poll = now + poll_every;
	ft->tracefs = ft->given ? ft->given : tracefs_mounted();
	if (!ft->tracefs)
		return err_set(err, -ENOENT, "ftrace buffers need tracefs, which is not mounted; as root: mount -t tracefs nodev /sys/kernel/tracing");
	check_readers(ft);
	for (size_t i = 0; i < ft->nr; i++)
		ft->buffers[i].found = false;
	ret = read_all(ft, err);
	if (ret)
		return ret;
	drop_others(ft);
	ft->next_poll = now + fmin(fmax((sys_thread_cpu() - before) /
					poll_budget, poll_every),
				   poll_longest);
	if (ft->nr &&
	    now >= (ft->reads_unseen ? ft->last_walk : ft->next_walk)) {
		ret = find_readers(ft, now);
		check_readers(ft);
	}
	ft->reads_unseen = false;
	for (size_t i = 0; i < ft->nr && !ret; i++)
		ret = add_ring(ft, &ft->buffers[i], pass);
	pass->parts |= HOST_FTRACE;
	return ret ? err_errno(err, ret, "ftrace buffers") : 0;
}
