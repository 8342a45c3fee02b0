/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/process_table.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/proc.h"
#include "base/sys.h"
#include "samples/names.h"
#include "symbols/elf/jit_map.h"
#include "task/task_table.h"

#define HEAL_NS 1000000000ull	/* doubled while it does not help */
#define HEALS_MOST 4
/* How long execve(2) may take to return, once there is the new program. */
#define EXEC_NS 1000000000ull

/* What a scan is doing. */
enum scan {
	SCAN_NOTHING,
	SCAN_NAMES,			/* soon done, and gone with the task */
	SCAN_READ,			/* /proc of processes */
	SCAN_PROCESSES,			/* who has exited without a record */
	SCAN_TASKS,
};

struct entry {
	struct key_node node;		/* first: nodes are cast to these */
	struct process process;
};

struct process_table {
	char proc[PATH_MAX / 2];
	struct names *names;
	struct task_table *tasks;
	struct key_table processes;
	uint64_t generation;
	uint64_t time;			/* of the latest record */
	size_t maps_bytes;		/* when last expired */
	pid_t *only;			/* whom a scan is about; NULL: all */
	size_t nr_only;
	enum scan scan;
	pid_t *pending;			/* of that; NULL: not listed yet */
	size_t nr_pending, done;
};

struct process_table *process_table_new(const char *proc, struct names *names)
{
	struct process_table *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	snprintf(t->proc, sizeof(t->proc), "%s", proc);
	t->names = names;
	t->tasks = task_table_new(proc, names);
	if (!t->tasks || key_table_init(&t->processes)) {
		process_table_free(t);
		return NULL;
	}
	return t;
}

static void free_entry(struct entry *entry)
{
	process_maps_free(entry->process.maps);
	process_maps_free(entry->process.former);
	jit_map_free(entry->process.jit);
	free(entry);
}

void process_table_free(struct process_table *t)
{
	struct key_walk walk = { 0 };
	struct key_node *node;

	if (!t)
		return;
	while ((node = key_table_walk(&t->processes, &walk)))
		free_entry((struct entry *)node);
	task_table_free(t->tasks);
	key_table_free(&t->processes);
	free(t->only);
	free(t->pending);
	free(t);
}

void process_table_changed(struct process_table *t, struct process *p)
{
	p->generation = ++t->generation;
}

struct process *process_table_find(const struct process_table *t, pid_t pid)
{
	struct key_node *node = key_table_find(&t->processes, (uint64_t)pid);

	return node ? &((struct entry *)node)->process : NULL;
}

static struct process *add_process(struct process_table *t, pid_t pid)
{
	struct entry *entry = calloc(1, sizeof(*entry));

	if (!entry)
		return NULL;
	entry->process.maps = process_maps_new();
	if (!entry->process.maps) {
		free(entry);
		return NULL;
	}
	entry->node.key = (uint64_t)pid;
	entry->process.pid = pid;
	process_table_changed(t, &entry->process);
	key_table_add(&t->processes, &entry->node);
	return &entry->process;
}

static struct process *get_process(struct process_table *t, pid_t pid)
{
	struct process *p = process_table_find(t, pid);

	return p ? p : add_process(t, pid);
}

static void drop_jit(struct process *p)
{
	jit_map_free(p->jit);
	p->jit = NULL;
	p->jit_tried = false;
	p->jit_checked = 0;
}

static void set_maps(struct process_table *t, struct process *p,
		     struct process_maps *maps)
{
	process_maps_free(p->maps);
	p->maps = maps;
	process_table_changed(t, p);
}

static void mark_exited(const struct process_table *t, struct process *p)
{
	p->exited = true;
	p->exit_time = t->time;
}

/* /proc does not tell who mapped: what was known of the same one holds. */
static void set_mappers(struct process_maps *maps, const struct process *p)
{
	for (size_t i = 0; i < process_maps_len(maps); i++) {
		struct process_map *map = process_maps_at(maps, i);
		struct process_map *old = process_maps_find(p->maps,
							    map->start);

		map->mapper = p->pid;
		if (old && old->start == map->start && old->end == map->end &&
		    old->kind == map->kind)
			map->mapper = old->mapper;
	}
}

/*
 * Take the mappings from /proc.  Where that has none, be it of a kernel thread
 * or of a process that is gone, what records told is all there is to know.
 */
static bool read_maps(struct process_table *t, struct process *p)
{
	struct process_maps *maps;
	bool found;

	p->maps_read = true;
	if (p->pid <= 0)
		return false;
	maps = process_maps_new();
	found = maps && !process_maps_read(maps, t->proc, p->pid, t->names) &&
		process_maps_len(maps);
	if (found) {
		set_mappers(maps, p);
		set_maps(t, p, maps);
	} else {
		process_maps_free(maps);
	}
	return found;
}

struct process *process_table_get(struct process_table *t, pid_t pid)
{
	struct process *p = get_process(t, pid);

	if (!p)
		return NULL;
	if (!p->maps_read) {
		read_maps(t, p);
		if (pid > 0 && !p->exited &&
		    !proc_has_process(t->proc, pid))
			mark_exited(t, p);
	}
	if (p->exited)
		p->exit_time = t->time;
	return p;
}

bool process_table_heal(struct process_table *t, struct process *p,
			uint64_t now)
{
	if (now < p->heal_at)
		return false;
	p->heal_at = now + (HEAL_NS << p->heals);
	if (p->heals < HEALS_MOST)
		p->heals++;
	if (!read_maps(t, p))
		return false;
	/* so it is there, though its leader may have exited */
	p->exit_time = t->time;
	p->comms_since = task_table_tick(t->tasks);
	return true;
}

const char *process_table_comm(struct process_table *t, pid_t pid, pid_t tid)
{
	const struct process *p = process_table_find(t, pid);

	return task_table_comm(t->tasks, pid, tid, p ? p->comms_since : 0,
			       t->time);
}

/* What was found in them for addresses holds no longer. */
static void drop_former(struct process_table *t, struct process *p)
{
	if (!p || !p->former)
		return;
	process_maps_free(p->former);
	p->former = NULL;
	process_table_changed(t, p);
}

/*
 * After exec(2) there are other mappings.  But the task goes on in the kernel
 * for a while, called from an address in the old ones.
 */
static void take_exec(struct process_table *t, struct process *p)
{
	drop_former(t, p);
	if (p->maps_read && process_maps_len(p->maps))
		p->former = process_maps_copy(p->maps);
	p->exec_time = t->time;
	p->has_vdso = false;
	process_maps_clear(p->maps);
	process_table_changed(t, p);
	drop_jit(p);
	p->maps_read = true;
}

static void take_comm(struct process_table *t,
		      const struct side_band_comm *comm)
{
	struct process *p;

	task_table_comm_record(t->tasks, comm);
	if (!comm->exec)
		return;
	p = get_process(t, comm->pid);
	if (p)
		take_exec(t, p);
}

struct process_map *process_table_map(struct process_table *t,
				      struct process *p, uint64_t addr)
{
	struct process_map *map = process_maps_find(p->maps, addr);

	if (!p->former)
		return map;
	if (map || t->time > p->exec_time + EXEC_NS)
		drop_former(t, p);
	return map || !p->former ? map : process_maps_find(p->former, addr);
}

static void take_map(struct process_table *t, const struct side_band_map *m)
{
	struct process_map map = {
		.start = m->start,
		.end = m->start + m->len,
		.pgoff = m->pgoff,
		.mapper = m->pid,
	};
	struct process *p;

	if (m->kernel || !m->executable || m->pid < 0 || map.end < m->start)
		return;
	p = get_process(t, m->pid);
	if (!p || process_maps_name(&map, m->name, t->names))
		return;
	/* see load_elf_binary(): what comes behind the vdso the program maps */
	if (p->has_vdso)
		drop_former(t, p);
	p->has_vdso = map.kind == MAP_KIND_VDSO;
	if (m->has_inode) {
		map.dev = makedev(m->major, m->minor);
		map.inode = m->inode;
	}
	if (m->build_id_len <= sizeof(map.build_id.bytes)) {
		memcpy(map.build_id.bytes, m->build_id, m->build_id_len);
		map.build_id.len = m->build_id_len;
	}
	/* too many of them: most are gone; /proc knows which are not, and is
	 * asked for the first address that is in none of those to come */
	if (process_maps_add(p->maps, &map)) {
		process_maps_clear(p->maps);
		process_maps_add(p->maps, &map);
	}
	process_table_changed(t, p);
}

/* A process of that pid that was known before is another one. */
static void fork_process(struct process_table *t,
			 const struct side_band_task *task)
{
	struct process *child = get_process(t, task->pid);
	struct process *parent = process_table_get(t, task->ppid);
	struct process_maps *maps;

	if (!child || !parent || child == parent)
		return;
	maps = process_maps_copy(parent->maps);
	if (!maps)
		return;
	set_maps(t, child, maps);
	drop_former(t, child);
	drop_jit(child);
	/* of a parent that nobody knows, none are inherited: ask /proc */
	child->maps_read = process_maps_len(maps) > 0;
	child->exited = false;
	child->comms_since = parent->comms_since;
	child->heal_at = 0;
}

static void take_fork(struct process_table *t, const struct side_band_task *f)
{
	drop_former(t, process_table_find(t, f->ppid));
	if (f->pid != f->ppid)
		fork_process(t, f);
	task_table_fork(t->tasks, f);
}

static void take_exit(struct process_table *t, const struct side_band_task *e)
{
	struct process *p;

	task_table_exit(t->tasks, e, t->time);
	if (e->tid != e->pid)
		return;
	p = process_table_find(t, e->pid);
	if (p)
		mark_exited(t, p);
}

/* Another root or pid namespace: a JIT's file may be found elsewhere. */
static void take_namespaces(struct process_table *t,
			    const struct side_band_namespaces *n)
{
	struct process *p = process_table_find(t, n->pid);

	if (!p)
		return;
	drop_jit(p);
	process_table_changed(t, p);
}

void process_table_record(struct process_table *t, const struct side_band *r)
{
	if (r->time > t->time)
		t->time = r->time;
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
	case PERF_RECORD_NAMESPACES:
		take_namespaces(t, &r->namespaces);
		break;
	default:
		break;
	}
}

static void start_scan(struct process_table *t, enum scan scan)
{
	free(t->pending);
	t->pending = NULL;
	t->nr_pending = 0;
	t->scan = scan;
}

void process_table_scan_begin(struct process_table *t, const pid_t *pids,
			      size_t nr)
{
	free(t->only);
	t->only = NULL;
	t->nr_only = 0;
	if (nr)
		t->only = reallocarray(NULL, nr, sizeof(*pids));
	if (t->only) {
		memcpy(t->only, pids, nr * sizeof(*pids));
		t->nr_only = nr;
	}
	start_scan(t, SCAN_NAMES);
}

/* Who has not exited, as far as is known. */
static pid_t *list_running(const struct process_table *t, size_t *nr)
{
	struct key_walk walk = { 0 };
	const struct process *p;
	pid_t *pids = calloc(t->processes.len + 1, sizeof(*pids));

	*nr = 0;
	while (pids && (p = process_table_walk(t, &walk))) {
		if (p->pid > 0 && !p->exited)
			pids[(*nr)++] = p->pid;
	}
	return pids;
}

static pid_t *list_only(const struct process_table *t, size_t *nr)
{
	pid_t *pids = reallocarray(NULL, t->nr_only, sizeof(*pids));

	*nr = pids ? t->nr_only : 0;
	if (pids)
		memcpy(pids, t->only, t->nr_only * sizeof(*pids));
	return pids;
}

/* What it is about is known when its first slice begins. */
static void list_pending(struct process_table *t)
{
	t->done = 0;
	if (t->scan == SCAN_TASKS)
		t->pending = task_table_running(t->tasks, &t->nr_pending);
	else if (t->scan == SCAN_PROCESSES)
		t->pending = list_running(t, &t->nr_pending);
	else if (t->nr_only)
		t->pending = list_only(t, &t->nr_pending);
	else
		proc_processes(t->proc, &t->pending, &t->nr_pending);
}

static void scan_one(struct process_table *t, pid_t id)
{
	struct process *p;

	if (t->scan == SCAN_TASKS) {
		task_table_check(t->tasks, id, t->time);
	} else if (t->scan == SCAN_NAMES) {
		task_table_scan(t->tasks, id);
	} else if (t->scan == SCAN_READ) {
		if (process_table_get(t, id))
			task_table_scan(t->tasks, id);
	} else {
		p = process_table_find(t, id);
		if (p && !p->exited && !proc_has_process(t->proc, id))
			mark_exited(t, p);
	}
}

bool process_table_scan(struct process_table *t, double budget)
{
	double until = sys_now() + budget;

	while (t->scan != SCAN_NOTHING) {
		if (!t->pending)
			list_pending(t);
		while (t->done < t->nr_pending) {
			scan_one(t, t->pending[t->done++]);
			if (sys_now() >= until)
				return true;
		}
		start_scan(t, t->scan == SCAN_TASKS ? SCAN_NOTHING :
						      t->scan + 1);
	}
	return false;
}

/* JIT maps go too: what they are followed by may be another process'. */
void process_table_resync(struct process_table *t)
{
	struct key_walk walk = { 0 };
	struct process *p;

	task_table_resync(t->tasks);
	while ((p = process_table_walk(t, &walk))) {
		p->maps_read = false;
		drop_former(t, p);
		drop_jit(p);
		process_table_changed(t, p);
	}
	start_scan(t, SCAN_NAMES);
}

struct process *process_table_walk(const struct process_table *t,
				   struct key_walk *walk)
{
	struct key_node *node = key_table_walk(&t->processes, walk);

	return node ? &((struct entry *)node)->process : NULL;
}

static size_t maps_bytes(const struct process *p)
{
	return process_maps_bytes(p->maps) +
	       (p->former ? process_maps_bytes(p->former) : 0);
}

/*
 * A process whose leader has exited may have threads that go on: it is in
 * /proc as long as they do.
 */
size_t process_table_expire(struct process_table *t, uint64_t time)
{
	struct key_walk walk = { 0 };
	struct key_node *node;

	task_table_expire(t->tasks, time);
	t->maps_bytes = 0;
	while ((node = key_table_walk(&t->processes, &walk))) {
		struct entry *entry = (struct entry *)node;
		struct process *p = &entry->process;

		if (p->exec_time < time)
			drop_former(t, p);
		if (!p->exited || p->exit_time >= time ||
		    proc_has_process(t->proc, p->pid)) {
			t->maps_bytes += maps_bytes(p);
			continue;
		}
		key_table_remove(&t->processes, node);
		free_entry(entry);
	}
	return t->processes.len;
}

size_t process_table_bytes(const struct process_table *t)
{
	return sizeof(*t) + t->maps_bytes + task_table_bytes(t->tasks) +
	       t->processes.len * sizeof(struct entry);
}

size_t process_table_len(const struct process_table *t)
{
	return t->processes.len;
}
