/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/process_table.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/sys.h"
#include "model/names.h"
#include "symbols/jit_map.h"
#include "symbols/proc_dir.h"
#include "symbols/task_table.h"

enum {
	MAPS_TEXT_MAX = 32 << 20,	/* bytes of a /proc/PID/maps */
	CPUS_MAX = 1 << 16,
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
	pid_t *running;			/* by CPU; -1: not known */
	size_t nr_running;
	pid_t *only;			/* whom a scan is about; NULL: all */
	size_t nr_only;
	pid_t *todo;			/* of the scan that is under way */
	size_t nr_todo, done;
	bool scanning;
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
	free(t->running);
	free(t->only);
	free(t->todo);
	free(t);
}

void process_table_changed(struct process_table *t, struct process *p)
{
	p->generation = ++t->generation;
}

static struct process *find_process(const struct process_table *t, pid_t pid)
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
	struct process *p = find_process(t, pid);

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

/*
 * Take the mappings from /proc.  Where that has none, be it of a kernel thread
 * or of a process that is gone, what records told is all there is to know.
 */
static void read_maps(struct process_table *t, struct process *p)
{
	struct process_maps *maps = NULL;
	char path[PATH_MAX], *text = NULL;

	p->maps_read = true;
	if (p->pid <= 0)
		return;
	snprintf(path, sizeof(path), "%s/%d/maps", t->proc, p->pid);
	if (sys_read_file_alloc(path, MAPS_TEXT_MAX, &text) > 0)
		maps = process_maps_new();
	if (maps && !process_maps_parse(maps, text, t->names) &&
	    process_maps_len(maps))
		set_maps(t, p, maps);
	else
		process_maps_free(maps);
	free(text);
}

struct process *process_table_get(struct process_table *t, pid_t pid)
{
	struct process *p = get_process(t, pid);

	if (!p)
		return NULL;
	if (!p->maps_read) {
		read_maps(t, p);
		if (pid > 0 && !p->exited &&
		    !proc_dir_has_process(t->proc, pid))
			mark_exited(t, p);
	}
	if (p->exited)
		p->exit_time = t->time;
	return p;
}

const char *process_table_comm(struct process_table *t, pid_t pid, pid_t tid)
{
	return task_table_comm(t->tasks, pid, tid, t->time);
}

/* After exec(2) there are other mappings. */
static void take_comm(struct process_table *t,
		      const struct side_band_comm *comm)
{
	struct process *p;

	task_table_comm_record(t->tasks, comm);
	if (!comm->exec)
		return;
	p = get_process(t, comm->pid);
	if (!p)
		return;
	process_maps_clear(p->maps);
	process_table_changed(t, p);
	drop_jit(p);
	p->maps_read = true;
}

static void take_map(struct process_table *t, const struct side_band_map *m)
{
	struct process_map map = {
		.start = m->start,
		.end = m->start + m->len,
		.pgoff = m->pgoff,
	};
	struct process *p;

	if (m->kernel || !m->executable || m->pid < 0 || map.end < m->start)
		return;
	p = get_process(t, m->pid);
	if (!p || process_maps_name(&map, m->name, t->names))
		return;
	if (m->has_inode) {
		map.dev = makedev(m->major, m->minor);
		map.inode = m->inode;
	}
	if (m->build_id_len <= sizeof(map.build_id.bytes)) {
		memcpy(map.build_id.bytes, m->build_id, m->build_id_len);
		map.build_id.len = m->build_id_len;
	}
	/* too many of them: most are gone, so ask /proc which are not */
	if (process_maps_add(p->maps, &map)) {
		process_maps_clear(p->maps);
		p->maps_read = false;
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
	drop_jit(child);
	/* of a parent that nobody knows, none are inherited: ask /proc */
	child->maps_read = process_maps_len(maps) > 0;
	child->exited = false;
}

static void take_fork(struct process_table *t, const struct side_band_task *f)
{
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
	p = find_process(t, e->pid);
	if (p)
		mark_exited(t, p);
}

static int reach_cpu(struct process_table *t, uint32_t cpu)
{
	size_t size = cpu + 1;
	pid_t *grown;

	if (cpu < t->nr_running)
		return 0;
	if (cpu >= CPUS_MAX)
		return -EINVAL;
	grown = reallocarray(t->running, size, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	t->running = grown;
	while (t->nr_running < size)
		grown[t->nr_running++] = -1;
	return 0;
}

/* Out of the CPU-wide kind names who is next; the other kind does not know. */
static void take_switch(struct process_table *t, const struct side_band *r)
{
	if (reach_cpu(t, r->cpu))
		return;
	t->running[r->cpu] = r->sched.out ? r->sched.other_tid : r->tid;
}

pid_t process_table_running(const struct process_table *t, unsigned int cpu)
{
	return cpu < t->nr_running ? t->running[cpu] : -1;
}

/* Another root or pid namespace: a JIT's file may be found elsewhere. */
static void take_namespaces(struct process_table *t,
			    const struct side_band_namespaces *n)
{
	struct process *p = find_process(t, n->pid);

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
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		take_switch(t, r);
		break;
	case PERF_RECORD_NAMESPACES:
		take_namespaces(t, &r->namespaces);
		break;
	default:
		break;
	}
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
	free(t->todo);
	t->todo = NULL;
	t->scanning = true;
}

/* Which processes it is about is known when its first slice begins. */
static void list_todo(struct process_table *t)
{
	t->done = 0;
	t->nr_todo = 0;
	if (!t->nr_only) {
		t->todo = proc_dir_processes(t->proc, &t->nr_todo);
		return;
	}
	t->todo = reallocarray(NULL, t->nr_only, sizeof(*t->todo));
	if (!t->todo)
		return;
	memcpy(t->todo, t->only, t->nr_only * sizeof(*t->todo));
	t->nr_todo = t->nr_only;
}

/* Who is not there any more, without a record that said so. */
static void find_exited(struct process_table *t)
{
	struct key_walk walk = { 0 };
	struct process *p;

	while ((p = process_table_walk(t, &walk))) {
		if (p->pid > 0 && !p->exited &&
		    !proc_dir_has_process(t->proc, p->pid))
			mark_exited(t, p);
	}
	task_table_find_exited(t->tasks, t->time);
}

bool process_table_scan(struct process_table *t, double budget)
{
	double until = sys_now() + budget;

	if (!t->scanning)
		return false;
	if (!t->todo)
		list_todo(t);
	while (t->done < t->nr_todo) {
		pid_t pid = t->todo[t->done++];

		if (process_table_get(t, pid))
			task_table_scan(t->tasks, pid);
		if (sys_now() >= until)
			return true;
	}
	find_exited(t);
	free(t->todo);
	t->todo = NULL;
	t->scanning = false;
	return false;
}

void process_table_resync(struct process_table *t)
{
	struct key_walk walk = { 0 };
	struct process *p;

	task_table_resync(t->tasks);
	while ((p = process_table_walk(t, &walk)))
		p->maps_read = false;
	for (size_t i = 0; i < t->nr_running; i++)
		t->running[i] = -1;
	free(t->todo);
	t->todo = NULL;
	t->scanning = true;
}

struct process *process_table_walk(const struct process_table *t,
				   struct key_walk *walk)
{
	struct key_node *node = key_table_walk(&t->processes, walk);

	return node ? &((struct entry *)node)->process : NULL;
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
		const struct process *p = &entry->process;

		if (!p->exited || p->exit_time >= time ||
		    proc_dir_has_process(t->proc, p->pid)) {
			t->maps_bytes += process_maps_bytes(p->maps);
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
	       t->processes.len * sizeof(struct entry) +
	       t->nr_running * sizeof(*t->running);
}

size_t process_table_len(const struct process_table *t)
{
	return t->processes.len;
}
