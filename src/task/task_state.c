/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/task_state.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/queue.h>
#include <sys/sysmacros.h>

#include "base/proc.h"
#include "samples/names.h"
#include "perf/abi/side_band_make.h"
#include "base/key_table.h"
#include "task/process_maps.h"

enum {
	COMM_LEN = 16,			/* TASK_COMM_LEN, with its NUL */
	NAMES_LEAST = 256 << 10,
	RENEW_AFTER = 1024,		/* mappings, at least */
};

/* A thread that is not the first of its process. */
struct thread {
	struct key_node node;		/* first: nodes are cast to these */
	struct process *process;
	LIST_ENTRY(thread) link;
	char comm[COMM_LEN];
};

struct process {
	struct key_node node;		/* first: nodes are cast to these */
	struct process_maps *maps;
	size_t bytes;			/* of these, when last counted */
	bool leader;			/* the first thread has not exited */
	uint64_t read_ns;		/* from /proc; what records from before
					 * tell of it is known; 0: was not */
	char comm[COMM_LEN];		/* its */
	LIST_HEAD(, thread) threads;
};

struct task_state {
	struct key_table processes;	/* by pid */
	struct key_table threads;	/* by tid */
	struct names *names;		/* of files */
	size_t limit, bytes;		/* of all but the names */
	size_t mapped;			/* since the names were renewed */
	uint64_t dropped;
	uint64_t read_ns;		/* the newest of the processes' */
};

struct task_state *task_state_new(size_t limit)
{
	struct task_state *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->limit = limit;
	t->names = names_new(MAX(limit / 4, NAMES_LEAST));
	if (!t->names || key_table_init(&t->processes) ||
	    key_table_init(&t->threads)) {
		task_state_free(t);
		return NULL;
	}
	return t;
}

static struct process *find_process(const struct task_state *t, pid_t pid)
{
	return (struct process *)key_table_find(&t->processes, (uint64_t)pid);
}

static struct thread *find_thread(const struct task_state *t, pid_t tid)
{
	return (struct thread *)key_table_find(&t->threads, (uint64_t)tid);
}

static void drop_thread(struct task_state *t, struct thread *thread)
{
	key_table_remove(&t->threads, &thread->node);
	LIST_REMOVE(thread, link);
	t->bytes -= sizeof(*thread);
	free(thread);
}

static void drop_threads(struct task_state *t, struct process *p)
{
	while (!LIST_EMPTY(&p->threads))
		drop_thread(t, LIST_FIRST(&p->threads));
}

static void drop_process(struct task_state *t, struct process *p)
{
	drop_threads(t, p);
	key_table_remove(&t->processes, &p->node);
	process_maps_free(p->maps);
	t->bytes -= sizeof(*p) + p->bytes;
	free(p);
}

void task_state_free(struct task_state *t)
{
	struct key_walk walk = { 0 };
	struct key_node *node;

	if (!t)
		return;
	while ((node = key_table_walk(&t->processes, &walk)))
		drop_process(t, (struct process *)node);
	key_table_free(&t->processes);
	key_table_free(&t->threads);
	names_free(t->names);
	free(t);
}

/* Parts of mappings are others', so this is about right, not more. */
static void count_maps(struct task_state *t, struct process *p)
{
	size_t bytes = process_maps_bytes(p->maps);

	t->bytes += bytes - p->bytes;
	p->bytes = bytes;
}

static bool is_full(struct task_state *t)
{
	if (t->bytes < t->limit)
		return false;
	t->dropped++;
	return true;
}

/* NULL where there is no room, or no such process can be. */
static struct process *get_process(struct task_state *t, pid_t pid)
{
	struct process *p = find_process(t, pid);

	if (p || pid <= 0 || is_full(t))
		return p;
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->maps = process_maps_new();
	if (!p->maps) {
		free(p);
		return NULL;
	}
	p->node.key = (uint64_t)pid;
	p->leader = true;
	LIST_INIT(&p->threads);
	t->bytes += sizeof(*p);
	count_maps(t, p);
	key_table_add(&t->processes, &p->node);
	return p;
}

/* A thread of @p; one of that tid that was another's is gone. */
static struct thread *get_thread(struct task_state *t, struct process *p,
				 pid_t tid)
{
	struct thread *thread = find_thread(t, tid);

	if (thread && thread->process == p)
		return thread;
	if (thread)
		drop_thread(t, thread);
	if (tid <= 0 || is_full(t))
		return NULL;
	thread = calloc(1, sizeof(*thread));
	if (!thread)
		return NULL;
	thread->node.key = (uint64_t)tid;
	thread->process = p;
	t->bytes += sizeof(*thread);
	key_table_add(&t->threads, &thread->node);
	LIST_INSERT_HEAD(&p->threads, thread, link);
	return thread;
}

/* Where the name of a task of @p stands; NULL where there is no room. */
static char *comm_place(struct task_state *t, struct process *p, pid_t tid)
{
	struct thread *thread;

	if ((uint64_t)tid == p->node.key)
		return p->comm;
	thread = get_thread(t, p, tid);
	return thread ? thread->comm : NULL;
}

static void set_comm(struct task_state *t, pid_t pid, pid_t tid,
		     const char *comm)
{
	struct process *p = get_process(t, pid);
	char *place = p ? comm_place(t, p, tid) : NULL;

	if (!place)
		return;
	memset(place, 0, COMM_LEN);
	memcpy(place, comm, strnlen(comm, COMM_LEN - 1));
}

/* After exec(2) there are other mappings, and one thread. */
static void take_comm(struct task_state *t, const struct side_band_comm *comm)
{
	struct process *p = find_process(t, comm->pid);

	if (p && comm->exec) {
		process_maps_clear(p->maps);
		count_maps(t, p);
		drop_threads(t, p);
		p->leader = true;
	}
	set_comm(t, comm->pid, comm->tid, comm->comm);
}

/*
 * Names are never forgotten, so that those of files long gone crowd out new
 * ones: now and then, only what mappings bear is kept.
 */
static void renew_names(struct task_state *t)
{
	struct names *names = names_new(names_limit(t->names));
	struct key_walk walk = { 0 };
	struct key_node *node;

	if (!names)
		return;
	while ((node = key_table_walk(&t->processes, &walk))) {
		struct process_maps *maps = ((struct process *)node)->maps;

		for (size_t i = 0; i < process_maps_len(maps); i++) {
			struct process_map *map = process_maps_at(maps, i);

			map->path = names_add(names, map->path);
		}
	}
	names_free(t->names);
	t->names = names;
	t->mapped = 0;
}

static bool is_named(const struct process_map *map)
{
	return strcmp(map->path, NAMES_FULL) != 0;
}

static bool try_name(struct task_state *t, struct process_map *map,
		     const char *name)
{
	return !process_maps_name(map, name, t->names) && is_named(map);
}

/* False where there was no room for the name. */
static bool name_map(struct task_state *t, struct process_map *map,
		     const char *name)
{
	t->mapped++;
	if (try_name(t, map, name))
		return true;
	if (t->mapped < RENEW_AFTER)
		return false;
	renew_names(t);
	return try_name(t, map, name);
}

static void add_map(struct task_state *t, struct process *p,
		    const struct side_band_map *m)
{
	struct process_map map = {
		.start = m->start,
		.end = m->start + m->len,
		.pgoff = m->pgoff,
	};

	if (m->has_inode) {
		map.dev = makedev(m->major, m->minor);
		map.inode = m->inode;
	}
	if (is_full(t))
		return;
	if (!name_map(t, &map, m->name)) {
		t->dropped++;
		return;
	}
	/* so many of them that most must be gone, which nobody tells of */
	if (process_maps_add(p->maps, &map) == -ENOSPC) {
		process_maps_clear(p->maps);
		process_maps_add(p->maps, &map);
	}
	count_maps(t, p);
}

static void take_map(struct task_state *t, const struct side_band_map *map)
{
	struct process *p;

	if (map->kernel || !map->executable ||
	    map->start + map->len < map->start)
		return;
	p = get_process(t, map->pid);
	if (p)
		add_map(t, p, map);
}

static const char *comm_of(const struct task_state *t, pid_t pid, pid_t tid)
{
	const struct process *p = find_process(t, pid);
	const struct thread *thread = find_thread(t, tid);

	if (thread)
		return thread->comm;
	return p ? p->comm : "";
}

/* A process of that pid that was known before is another one. */
static struct process *fork_process(struct task_state *t, pid_t pid,
				    pid_t ppid)
{
	struct process *child = find_process(t, pid), *parent;
	struct process_maps *maps;

	if (child)
		drop_process(t, child);
	child = get_process(t, pid);
	parent = find_process(t, ppid);
	if (!child || !parent)
		return child;
	maps = process_maps_copy(parent->maps);
	if (!maps)
		return child;
	process_maps_free(child->maps);
	child->maps = maps;
	count_maps(t, child);
	count_maps(t, parent);
	return child;
}

static void take_fork(struct task_state *t, const struct side_band_task *task)
{
	char comm[COMM_LEN];

	if (task->pid == task->ppid && task->tid == task->ptid)
		return;
	snprintf(comm, sizeof(comm), "%s",
		 comm_of(t, task->ppid, task->ptid));
	if (task->pid != task->ppid && !fork_process(t, task->pid, task->ppid))
		return;
	set_comm(t, task->pid, task->tid, comm);
}

/* The mappings are there until the last thread is not. */
static void take_exit(struct task_state *t, const struct side_band_task *task)
{
	struct process *p = find_process(t, task->pid);
	struct thread *thread = find_thread(t, task->tid);

	if (!p)
		return;
	if (task->tid == task->pid)
		p->leader = false;
	else if (thread && thread->process == p)
		drop_thread(t, thread);
	if (!p->leader && LIST_EMPTY(&p->threads))
		drop_process(t, p);
}

void task_state_record(struct task_state *t, const struct side_band *r)
{
	switch (r->type) {
	case PERF_RECORD_COMM:
		take_comm(t, &r->comm);
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		take_map(t, &r->map);
		break;
	case PERF_RECORD_FORK:
		take_fork(t, &r->task);
		break;
	case PERF_RECORD_EXIT:
		take_exit(t, &r->task);
		break;
	default:
		break;
	}
}

static void read_comms(struct task_state *t, pid_t pid)
{
	char comm[PROC_COMM];
	pid_t *tids;
	size_t nr;

	proc_threads("/proc", pid, &tids, &nr);
	for (size_t i = 0; i < nr; i++) {
		if (proc_comm("/proc", pid, tids[i], comm))
			set_comm(t, pid, tids[i], comm);
	}
	free(tids);
}

static int read_maps(struct task_state *t, struct process *p)
{
	int ret = process_maps_read(p->maps, "/proc", (pid_t)p->node.key,
				    t->names);

	count_maps(t, p);
	/* of one that is gone by now, its name is known */
	return ret == -ENOMEM ? ret : 0;
}

/* What changes meanwhile is told by records from after the beginning. */
static int read_process(struct task_state *t, const struct perf_clock *clock,
			pid_t pid)
{
	uint64_t now = clock->unknown ? 0 : perf_clock_now(clock);
	struct process *p = find_process(t, pid);

	/* named twice: the later reading counts, by itself */
	if (p)
		drop_process(t, p);
	read_comms(t, pid);
	p = find_process(t, pid);
	if (!p)
		return 0;
	p->read_ns = now;
	t->read_ns = now;
	return read_maps(t, p);
}

int task_state_read_proc(struct task_state *t, const struct perf_clock *clock,
			 const pid_t *pids, size_t nr)
{
	int ret = 0;

	for (size_t i = 0; i < nr && !ret; i++)
		ret = read_process(t, clock, pids[i]);
	if (!ret && !task_state_len(t))
		ret = -ENOENT;
	return ret;
}

static pid_t process_of(const struct side_band *r)
{
	switch (r->type) {
	case PERF_RECORD_COMM:
		return r->comm.pid;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return r->map.kernel ? 0 : r->map.pid;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return r->task.pid;
	default:
		return 0;
	}
}

bool task_state_knows(const struct task_state *t, const struct side_band *r)
{
	const struct process *p;

	if (!r->time || r->time > t->read_ns)
		return false;
	p = find_process(t, process_of(r));
	return p && r->time <= p->read_ns;
}

static int give_map(const struct process *p, const struct process_map *map,
		    task_history_fn *fn, void *ctx)
{
	alignas(uint64_t) char record[SIDE_BAND_MADE];
	char name[PATH_MAX];
	struct side_band_map m = {
		.pid = (pid_t)p->node.key,
		.tid = (pid_t)p->node.key,
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

	if (!is_named(map))
		return 0;
	snprintf(name, sizeof(name), "%.*s%s", PATH_MAX - 16, map->path,
		 map->deleted ? " (deleted)" : "");
	size = side_band_make_mmap2(record, &m, PROT_READ | PROT_EXEC, MAP_PRIVATE);
	return fn(ctx, record, size);
}

static int give_thread(const struct process *p, const struct thread *thread,
		       task_history_fn *fn, void *ctx)
{
	alignas(uint64_t) char record[SIDE_BAND_MADE];
	pid_t pid = (pid_t)p->node.key, tid = (pid_t)thread->node.key;
	int ret = fn(ctx, record, side_band_make_fork(record, pid, pid, tid, pid));

	if (ret)
		return ret;
	return fn(ctx, record, side_band_make_comm(record, pid, tid, thread->comm));
}

/* Threads come last: what a reader makes of them shares the mappings. */
static int give_process(const struct process *p, task_history_fn *fn,
			void *ctx)
{
	alignas(uint64_t) char record[SIDE_BAND_MADE];
	pid_t pid = (pid_t)p->node.key;
	const struct thread *thread;
	int ret = 0;

	/* "": of a process that only a thread of it told of */
	if (p->comm[0])
		ret = fn(ctx, record, side_band_make_comm(record, pid, pid, p->comm));
	for (size_t i = 0; !ret && i < process_maps_len(p->maps); i++)
		ret = give_map(p, process_maps_at(p->maps, i), fn, ctx);
	LIST_FOREACH(thread, &p->threads, link) {
		if (ret)
			break;
		ret = give_thread(p, thread, fn, ctx);
	}
	return ret;
}

int task_state_each(const struct task_state *t, task_history_fn *fn, void *ctx)
{
	struct key_walk walk = { 0 };
	struct key_node *node;
	int ret = 0;

	while (!ret && (node = key_table_walk(&t->processes, &walk)))
		ret = give_process((struct process *)node, fn, ctx);
	return ret;
}

pid_t *task_state_pids(const struct task_state *t, size_t *nr)
{
	struct key_walk walk = { 0 };
	struct key_node *node;
	pid_t *pids = calloc(t->processes.len + 1, sizeof(*pids));

	*nr = 0;
	while (pids && (node = key_table_walk(&t->processes, &walk)))
		pids[(*nr)++] = (pid_t)node->key;
	return pids;
}

size_t task_state_len(const struct task_state *t)
{
	return t->processes.len;
}

size_t task_state_limit(const struct task_state *t)
{
	return t->limit;
}

size_t task_state_bytes(const struct task_state *t)
{
	return t->bytes + names_bytes(t->names);
}

uint64_t task_state_dropped(const struct task_state *t)
{
	return t->dropped;
}
