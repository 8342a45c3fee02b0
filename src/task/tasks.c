/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/tasks.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/sysmacros.h>

#include "samples/names.h"
#include "symbols/elf/jit_map.h"

enum {
	MIN_NAMES = 256 << 10,
	RENEW_AFTER = 1024,	/* minimum of new mappings */
};

struct tasks *tasks_new(const struct tasks_opts *opts)
{
	struct tasks *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->limit = opts->limit;
	t->linger = opts->linger;
	t->own_names = !opts->names;
	t->names = opts->names ? opts->names :
				 names_new(MAX(t->limit / 4, MIN_NAMES));
	if (!t->names) {
		tasks_free(t);
		return NULL;
	}
	return t;
}

struct process *tasks_process(const struct tasks *t, pid_t pid)
{
	return table_get(&t->processes, (uint64_t)pid);
}

struct thread *tasks_thread(const struct tasks *t, pid_t tid)
{
	return table_get(&t->threads, (uint64_t)tid);
}

struct process *tasks_at(const struct tasks *t, size_t i)
{
	return t->processes.entries[i].item;
}

struct thread *tasks_thread_at(const struct tasks *t, size_t i)
{
	return t->threads.entries[i].item;
}

void tasks_drop_thread(struct tasks *t, struct thread *thread)
{
	table_remove(&t->threads, (uint64_t)thread->tid, thread);
	LIST_REMOVE(thread, link);
	t->bytes -= sizeof(*thread);
	free(thread);
}

static void drop_threads(struct tasks *t, struct process *p)
{
	while (!LIST_EMPTY(&p->threads))
		tasks_drop_thread(t, LIST_FIRST(&p->threads));
}

void tasks_drop_jit(struct process *p)
{
	jit_map_free(p->jit);
	p->jit = NULL;
	p->jit_tried = false;
	p->jit_checked = 0;
}

void tasks_drop_process(struct tasks *t, struct process *p)
{
	drop_threads(t, p);
	table_remove(&t->processes, (uint64_t)p->pid, p);
	tasks_drop_jit(p);
	process_maps_free(p->maps);
	process_maps_free(p->former);
	t->bytes -= sizeof(*p) + p->bytes;
	free(p);
}

void tasks_free(struct tasks *t)
{
	if (!t)
		return;
	for (size_t i = t->processes.len; i-- > 0;)
		tasks_drop_process(t, tasks_at(t, i));
	table_free(&t->processes);
	table_free(&t->threads);
	if (t->own_names)
		names_free(t->names);
	free(t);
}

/* Mappings are shared in part, so this is an estimate. */
void tasks_count(struct tasks *t, struct process *p)
{
	size_t bytes = process_maps_bytes(p->maps);

	if (p->former)
		bytes += process_maps_bytes(p->former);
	t->bytes += bytes - p->bytes;
	p->bytes = bytes;
}

void tasks_changed(struct tasks *t, struct process *p)
{
	p->generation = ++t->generation;
	tasks_count(t, p);
}

void tasks_drop_former(struct tasks *t, struct process *p)
{
	if (!p || !p->former)
		return;
	process_maps_free(p->former);
	p->former = NULL;
	tasks_changed(t, p);
}

static bool is_full(struct tasks *t)
{
	if (!t->limit || t->bytes < t->limit)
		return false;
	t->dropped++;
	return true;
}

struct process *tasks_add_process(struct tasks *t, pid_t pid)
{
	struct process *p = tasks_process(t, pid);

	if (p || pid <= 0 || is_full(t))
		return p;
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->maps = process_maps_new();
	if (!p->maps || table_add(&t->processes, (uint64_t)pid, p)) {
		process_maps_free(p->maps);
		free(p);
		return NULL;
	}
	p->pid = pid;
	LIST_INIT(&p->threads);
	t->bytes += sizeof(*p);
	tasks_changed(t, p);
	return p;
}

/* A thread of that tid in another process no longer exists. */
struct thread *tasks_add_thread(struct tasks *t, struct process *p, pid_t tid)
{
	struct thread *thread = tasks_thread(t, tid);

	if (thread && thread->process == p)
		return thread;
	if (thread)
		tasks_drop_thread(t, thread);
	if (tid <= 0 || is_full(t))
		return NULL;
	thread = calloc(1, sizeof(*thread));
	if (!thread || table_add(&t->threads, (uint64_t)tid, thread)) {
		free(thread);
		return NULL;
	}
	thread->tid = tid;
	thread->process = p;
	t->bytes += sizeof(*thread);
	LIST_INSERT_HEAD(&p->threads, thread, link);
	p->had_threads = true;
	return thread;
}

void tasks_set_comm(struct tasks *t, struct thread *thread, const char *comm)
{
	size_t len = strnlen(comm, PROC_COMM - 1);

	memcpy(thread->comm, comm, len);
	thread->comm[len] = '\0';
	thread->kept = NULL;
	thread->known = true;
	thread->as_of = t->ticks;
}

void tasks_end_process(struct tasks *t, struct process *p)
{
	p->exited = true;
	p->exit_time = t->time;
}

void tasks_end_thread(struct tasks *t, struct thread *thread)
{
	thread->exited = true;
	thread->exit_time = t->time;
}

static bool is_leader(const struct thread *thread)
{
	return thread->tid == thread->process->pid;
}

/* A leader keeps its name as long as its process exists. */
static void exit_thread(struct tasks *t, struct thread *thread)
{
	if (t->linger || is_leader(thread))
		tasks_end_thread(t, thread);
	else
		tasks_drop_thread(t, thread);
}

/* The caller of execve(2) gets the leader's id; the others have exited. */
static void exit_others(struct tasks *t, struct process *p)
{
	struct thread *thread = LIST_FIRST(&p->threads), *next;

	for (; thread; thread = next) {
		next = LIST_NEXT(thread, link);
		if (is_leader(thread))
			thread->exited = false;
		else
			exit_thread(t, thread);
	}
}

/*
 * An exec(2) replaces the mappings.  But the task runs in the kernel for a
 * while, called from an address in the old ones.
 */
static void handle_exec(struct tasks *t, struct process *p)
{
	tasks_drop_former(t, p);
	if (t->linger && p->maps_read && process_maps_len(p->maps))
		p->former = process_maps_copy(p->maps);
	p->exec_time = t->time;
	p->has_vdso = false;
	process_maps_clear(p->maps);
	tasks_drop_jit(p);
	p->maps_read = true;
	p->exited = false;
	exit_others(t, p);
	tasks_changed(t, p);
}

static void handle_comm(struct tasks *t, const struct side_band_comm *comm)
{
	struct process *p = tasks_add_process(t, comm->pid);
	struct thread *thread;

	if (!p)
		return;
	if (comm->exec)
		handle_exec(t, p);
	thread = tasks_add_thread(t, p, comm->tid);
	if (thread)
		tasks_set_comm(t, thread, comm->comm);
}

/*
 * Names are never removed, so those of old files use up the space: from time to
 * time, only the names of present mappings are kept.
 */
static void renew_names(struct tasks *t)
{
	struct names *names = names_new(names_limit(t->names));

	if (!names)
		return;
	for (size_t i = 0; i < t->processes.len; i++) {
		struct process_maps *maps = tasks_at(t, i)->maps;

		for (size_t k = 0; k < process_maps_len(maps); k++) {
			struct process_map *map = process_maps_at(maps, k);

			map->path = names_add(names, map->path);
		}
	}
	names_free(t->names);
	t->names = names;
	t->mapped = 0;
}

static bool try_name(struct tasks *t, struct process_map *map,
		     const char *name)
{
	return !process_maps_name(map, name, t->names) &&
	       process_maps_is_named(map);
}

/* False if the names are full. */
static bool name_map(struct tasks *t, struct process_map *map,
		     const char *name)
{
	if (!t->own_names)
		return !process_maps_name(map, name, t->names);
	t->mapped++;
	if (try_name(t, map, name))
		return true;
	if (t->mapped < RENEW_AFTER)
		return false;
	renew_names(t);
	return try_name(t, map, name);
}

static void handle_map(struct tasks *t, const struct side_band_map *m)
{
	struct process_map map = {
		.start = m->start,
		.end = m->start + m->len,
		.pgoff = m->pgoff,
		.mapper = m->pid,
	};
	struct process *p;

	if (m->kernel || !m->executable || map.end < m->start)
		return;
	p = tasks_add_process(t, m->pid);
	if (!p || is_full(t))
		return;
	if (!name_map(t, &map, m->name)) {
		t->dropped++;
		return;
	}
	/* see load_elf_binary(): after the vdso come the program's mappings */
	if (p->has_vdso)
		tasks_drop_former(t, p);
	p->has_vdso = map.kind == MAP_KIND_VDSO;
	if (m->has_inode) {
		map.dev = makedev(m->major, m->minor);
		map.inode = m->inode;
	}
	if (m->build_id_len <= sizeof(map.build_id.bytes)) {
		memcpy(map.build_id.bytes, m->build_id, m->build_id_len);
		map.build_id.len = m->build_id_len;
	}
	/*
	 * At the limit most of them must be stale, since no record reports
	 * munmap(2): start again, /proc has the others.
	 */
	if (process_maps_add(p->maps, &map) == -ENOSPC) {
		process_maps_clear(p->maps);
		process_maps_add(p->maps, &map);
	}
	tasks_changed(t, p);
}

/* A known process with this pid is a different one. */
static void reset_process(struct tasks *t, struct process *p)
{
	drop_threads(t, p);
	tasks_drop_former(t, p);
	tasks_drop_jit(p);
	process_maps_clear(p->maps);
	p->has_vdso = p->maps_read = p->exited = false;
	p->read_ns = p->heal_at = 0;
	p->heals = 0;
	tasks_changed(t, p);
}

static struct process *fork_process(struct tasks *t, pid_t pid, pid_t ppid)
{
	struct process *child = tasks_add_process(t, pid), *parent;
	struct process_maps *maps;

	if (!child)
		return NULL;
	reset_process(t, child);
	parent = tasks_process(t, ppid);
	maps = parent ? process_maps_copy(parent->maps) : NULL;
	if (!maps)
		return child;
	process_maps_free(child->maps);
	child->maps = maps;
	/* nothing is inherited from an unknown parent: read /proc */
	child->maps_read = process_maps_len(maps) > 0;
	child->comms_since = parent->comms_since;
	tasks_changed(t, child);
	tasks_count(t, parent);
	return child;
}

/* A new thread has its parent's name. */
static void fork_thread(struct tasks *t, struct process *p,
			const struct side_band_task *f)
{
	struct thread *child = tasks_add_thread(t, p, f->tid);
	const struct thread *parent = tasks_thread(t, f->ptid);

	if (!parent)
		parent = tasks_thread(t, f->ppid);
	if (!child || child == parent)
		return;
	child->exited = child->known = false;
	if (!parent)
		return;
	memcpy(child->comm, parent->comm, PROC_COMM);
	child->kept = parent->kept;
	child->known = parent->known;
	child->as_of = parent->as_of;
}

static void handle_fork(struct tasks *t, const struct side_band_task *f)
{
	struct process *p;

	if (f->pid == f->ppid && f->tid == f->ptid)
		return;
	tasks_drop_former(t, tasks_process(t, f->ppid));
	p = f->pid == f->ppid ? tasks_add_process(t, f->pid) :
				fork_process(t, f->pid, f->ppid);
	if (p)
		fork_thread(t, p, f);
}

/* Mappings exist until the last thread has exited. */
static void handle_exit(struct tasks *t, const struct side_band_task *e)
{
	struct process *p = tasks_process(t, e->pid);
	struct thread *thread = tasks_thread(t, e->tid);
	bool all;

	/* it may be known from a sample without its process */
	if (thread && (t->linger || thread->process == p))
		exit_thread(t, thread);
	if (!p)
		return;
	if (e->tid == e->pid)
		tasks_end_process(t, p);
	all = p->exited;
	LIST_FOREACH(thread, &p->threads, link)
		all &= thread->exited;
	if (!t->linger && all)
		tasks_drop_process(t, p);
}

void tasks_record(struct tasks *t, const struct side_band *r)
{
	struct process *p;

	if (r->time > t->time)
		t->time = r->time;
	switch (r->type) {
	case PERF_RECORD_COMM:
		handle_comm(t, &r->comm);
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		handle_map(t, &r->map);
		break;
	case PERF_RECORD_FORK:
		handle_fork(t, &r->task);
		break;
	case PERF_RECORD_EXIT:
		handle_exit(t, &r->task);
		break;
	case PERF_RECORD_NAMESPACES:
		/* in another root or pid namespace a JIT's file may move */
		p = tasks_process(t, r->namespaces.pid);
		if (p) {
			tasks_drop_jit(p);
			tasks_changed(t, p);
		}
		break;
	default:
		break;
	}
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

bool tasks_know(const struct tasks *t, const struct side_band *r)
{
	const struct process *p;

	if (!r->time)
		return false;
	p = tasks_process(t, process_of(r));
	return p && r->time <= p->read_ns;
}

size_t tasks_bytes(const struct tasks *t)
{
	return sizeof(*t) + t->bytes + table_bytes(&t->processes) +
	       table_bytes(&t->threads) +
	       (t->own_names ? names_bytes(t->names) : 0);
}
