/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/process_table.h"

#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/proc.h"
#include "base/sys.h"
#include "samples/names.h"

#define HEAL_NS 1000000000ull	/* doubled each time it does not help */
#define MAX_HEALS 4
/* Longest time from the start of a new program until its execve(2) returns. */
#define EXEC_NS 1000000000ull

/* The step of a scan. */
enum scan {
	SCAN_NOTHING,
	SCAN_NAMES,			/* first, since it is fast, and names
					 * vanish with their tasks */
	SCAN_READ,			/* read /proc of processes */
	SCAN_PROCESSES,			/* those that exited without a record */
	SCAN_THREADS,
};

/*
 * Bytes of all tasks and mappings without /proc: the kernel limits how many there
 * are, a recording does not.
 */
enum { MAX_RECORDED = 64 << 20 };

struct process_table {
	char proc[PATH_MAX / 2];
	struct names *names;
	struct tasks *tasks;
	uint64_t trusted;		/* names read since this tick are
					 * valid */
	pid_t *only;			/* the processes to scan; NULL: all */
	size_t nr_only;
	enum scan scan;
	pid_t *pending;			/* of the step; NULL: not listed yet */
	size_t nr_pending, done;
};

struct process_table *process_table_new(const char *proc, struct names *names)
{
	const struct tasks_opts opts = {
		.names = names,
		.linger = true,
		.limit = *proc ? 0 : MAX_RECORDED,
	};
	struct process_table *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	snprintf(t->proc, sizeof(t->proc), "%s", proc);
	t->names = names;
	t->tasks = tasks_new(&opts);
	if (!t->tasks) {
		free(t);
		return NULL;
	}
	return t;
}

void process_table_free(struct process_table *t)
{
	if (!t)
		return;
	tasks_free(t->tasks);
	free(t->only);
	free(t->pending);
	free(t);
}

void process_table_changed(struct process_table *t, struct process *p)
{
	tasks_changed(t->tasks, p);
}

struct process *process_table_find(const struct process_table *t, pid_t pid)
{
	return tasks_process(t->tasks, pid);
}

struct process *process_table_get(struct process_table *t, pid_t pid)
{
	struct process *p = tasks_add_process(t->tasks, pid);

	if (!p)
		return NULL;
	if (!p->maps_read && *t->proc) {
		tasks_read_maps(t->tasks, t->proc, p);
		if (!p->exited && !proc_has_process(t->proc, pid))
			tasks_end_process(t->tasks, p);
	}
	if (p->exited)
		p->exit_time = t->tasks->time;
	return p;
}

bool process_table_heal(struct process_table *t, struct process *p,
			uint64_t now)
{
	if (now < p->heal_at || !*t->proc)
		return false;
	p->heal_at = now + (HEAL_NS << p->heals);
	if (p->heals < MAX_HEALS)
		p->heals++;
	if (tasks_read_maps(t->tasks, t->proc, p))
		return false;
	/* the process exists, though its leader may have exited */
	p->exit_time = t->tasks->time;
	p->comms_since = ++t->tasks->ticks;
	return true;
}

/* NULL if it is not a valid id, or when out of memory. */
static struct thread *get_thread(struct process_table *t, pid_t pid, pid_t tid)
{
	struct thread *thread = tasks_thread(t->tasks, tid);
	struct process *p;

	if (thread)
		return thread;
	p = tasks_add_process(t->tasks, pid > 0 ? pid : tid);
	return p ? tasks_add_thread(t->tasks, p, tid) : NULL;
}

const char *process_table_comm(struct process_table *t, pid_t pid, pid_t tid)
{
	char number[PROC_COMM];
	struct thread *thread;
	uint64_t since;
	bool stale;

	if (tid == 0)
		return names_add(t->names, "swapper");
	thread = get_thread(t, pid, tid);
	if (!thread)
		return names_add(t->names, "?");
	if (thread->exited)
		thread->exit_time = t->tasks->time;
	since = MAX(thread->process->comms_since, t->trusted);
	stale = !thread->known || thread->as_of < since;
	if (stale &&
	    !(*t->proc && tasks_read_comm(t->tasks, t->proc, thread)) &&
	    !thread->known) {
		/* use the number until a record has the name */
		snprintf(number, sizeof(number), ":%d", thread->tid);
		tasks_set_comm(t->tasks, thread, number);
		tasks_end_thread(t->tasks, thread);
	}
	if (!thread->kept)
		thread->kept = names_add(t->names, thread->comm);
	return thread->kept;
}

struct process_map *process_table_map(struct process_table *t,
				      struct process *p, uint64_t addr)
{
	struct process_map *map = process_maps_find(p->maps, addr);

	if (!p->former)
		return map;
	if (map || t->tasks->time > p->exec_time + EXEC_NS)
		tasks_drop_former(t->tasks, p);
	return map || !p->former ? map : process_maps_find(p->former, addr);
}

void process_table_record(struct process_table *t, const struct side_band *r)
{
	struct thread *parent;

	/* read what the child inherits, mappings and name, if unknown */
	if (r->type == PERF_RECORD_FORK && r->task.ppid > 0) {
		parent = get_thread(t, r->task.ppid, r->task.ptid);
		if (r->task.pid != r->task.ppid)
			process_table_get(t, r->task.ppid);
		if (parent && !parent->known && *t->proc)
			tasks_read_comm(t->tasks, t->proc, parent);
	}
	tasks_record(t->tasks, r);
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
		t->only = calloc(nr, sizeof(*pids));
	if (t->only) {
		memcpy(t->only, pids, nr * sizeof(*pids));
		t->nr_only = nr;
	}
	start_scan(t, *t->proc ? SCAN_NAMES : SCAN_NOTHING);
}

/* The processes not known to have exited. */
static pid_t *list_running(const struct process_table *t, size_t *nr)
{
	size_t len = t->tasks->processes.len;
	pid_t *pids = calloc(len + 1, sizeof(*pids));

	*nr = 0;
	for (size_t i = 0; pids && i < len; i++) {
		const struct process *p = tasks_at(t->tasks, i);

		if (!p->exited)
			pids[(*nr)++] = p->pid;
	}
	return pids;
}

static pid_t *list_threads(const struct process_table *t, size_t *nr)
{
	size_t len = t->tasks->threads.len;
	pid_t *tids = calloc(len + 1, sizeof(*tids));

	*nr = 0;
	for (size_t i = 0; tids && i < len; i++) {
		const struct thread *thread = tasks_thread_at(t->tasks, i);

		if (!thread->exited)
			tids[(*nr)++] = thread->tid;
	}
	return tids;
}

/* The list is made when the first slice of the step begins. */
static void list_pending(struct process_table *t)
{
	t->done = 0;
	if (t->scan == SCAN_THREADS) {
		t->pending = list_threads(t, &t->nr_pending);
	} else if (t->scan == SCAN_PROCESSES) {
		t->pending = list_running(t, &t->nr_pending);
	} else if (t->nr_only) {
		t->pending = calloc(t->nr_only, sizeof(*t->pending));
		t->nr_pending = t->pending ? t->nr_only : 0;
		if (t->pending)
			memcpy(t->pending, t->only,
			       t->nr_only * sizeof(*t->only));
	} else {
		proc_processes(t->proc, &t->pending, &t->nr_pending);
	}
}

static void scan_one(struct process_table *t, pid_t id)
{
	struct thread *thread;
	struct process *p;

	switch (t->scan) {
	case SCAN_READ:
		process_table_get(t, id);
		/* fall through */
	case SCAN_NAMES:
		tasks_read_comms(t->tasks, t->proc, id, t->trusted);
		break;
	case SCAN_PROCESSES:
		p = process_table_find(t, id);
		if (p && !p->exited && !proc_has_process(t->proc, id))
			tasks_end_process(t->tasks, p);
		break;
	case SCAN_THREADS:
		thread = tasks_thread(t->tasks, id);
		if (thread && !thread->exited &&
		    !proc_has_thread(t->proc, thread->process->pid, id))
			tasks_end_thread(t->tasks, thread);
		break;
	case SCAN_NOTHING:
		break;
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
		start_scan(t, t->scan == SCAN_THREADS ? SCAN_NOTHING :
						      t->scan + 1);
	}
	return false;
}

/* JIT maps too: the file may by now be another process'. */
void process_table_resync(struct process_table *t)
{
	t->trusted = ++t->tasks->ticks;
	for (size_t i = 0; i < t->tasks->processes.len; i++) {
		struct process *p = tasks_at(t->tasks, i);

		p->maps_read = false;
		tasks_drop_former(t->tasks, p);
		tasks_drop_jit(p);
		tasks_changed(t->tasks, p);
	}
	start_scan(t, SCAN_NAMES);
}

struct process *process_table_at(const struct process_table *t, size_t i)
{
	return tasks_at(t->tasks, i);
}

/* Whether its leader exited, or all of its known threads. */
static bool seems_gone(const struct process_table *t, const struct process *p,
		       uint64_t time)
{
	bool alone = LIST_EMPTY(&p->threads);

	if (p->exit_time >= time)
		return false;
	if (!*t->proc)
		return p->exited && alone;
	return (p->exited || (p->had_threads && alone)) &&
	       !proc_has_process(t->proc, p->pid);
}

/*
 * A process whose leader has exited may have other threads: it is in /proc as
 * long as they run.
 */
size_t process_table_expire(struct process_table *t, uint64_t time)
{
	for (size_t i = t->tasks->threads.len; i-- > 0;) {
		struct thread *thread = tasks_thread_at(t->tasks, i);

		if (thread->exited && thread->exit_time < time)
			tasks_drop_thread(t->tasks, thread);
	}
	for (size_t i = t->tasks->processes.len; i-- > 0;) {
		struct process *p = tasks_at(t->tasks, i);

		if (p->exec_time < time)
			tasks_drop_former(t->tasks, p);
		if (seems_gone(t, p, time))
			tasks_drop_process(t->tasks, p);
		else
			tasks_count(t->tasks, p);
	}
	return t->tasks->processes.len;
}

size_t process_table_bytes(const struct process_table *t)
{
	return sizeof(*t) + tasks_bytes(t->tasks);
}

size_t process_table_len(const struct process_table *t)
{
	return t->tasks->processes.len;
}
