/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/task_table.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/proc.h"
#include "samples/names.h"
#include "base/key_table.h"

enum { COMM_LEN = 16 };		/* TASK_COMM_LEN, with its NUL */

/* Most tasks come and go without a sample: only those asked for are named. */
struct task {
	struct key_node node;		/* first: nodes are cast to these */
	pid_t pid;
	char comm[COMM_LEN];
	const char *kept;		/* @comm among the names; NULL */
	bool known;			/* @comm is */
	bool exited;
	uint64_t as_of;			/* of @comm: ticks */
	uint64_t exit_time;		/* ns, or when last asked for */
};

struct task_table {
	char proc[PATH_MAX / 2];
	struct names *names;
	struct key_table tasks;		/* by tid */
	uint64_t ticks;			/* whenever something may be stale */
	uint64_t trusted;		/* since which of them */
};

struct task_table *task_table_new(const char *proc, struct names *names)
{
	struct task_table *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	snprintf(t->proc, sizeof(t->proc), "%s", proc);
	t->names = names;
	if (key_table_init(&t->tasks)) {
		free(t);
		return NULL;
	}
	return t;
}

void task_table_free(struct task_table *t)
{
	struct key_walk walk = { 0 };
	struct key_node *node;

	if (!t)
		return;
	while ((node = key_table_walk(&t->tasks, &walk)))
		free(node);
	key_table_free(&t->tasks);
	free(t);
}

static struct task *find(const struct task_table *t, pid_t tid)
{
	return (struct task *)key_table_find(&t->tasks, (uint64_t)tid);
}

/* NULL where it is not a task's id, or when out of memory. */
static struct task *get(struct task_table *t, pid_t pid, pid_t tid)
{
	struct task *task = find(t, tid);

	if (task || tid < 0)
		return task;
	task = calloc(1, sizeof(*task));
	if (!task)
		return NULL;
	task->node.key = (uint64_t)tid;
	task->pid = pid;
	key_table_add(&t->tasks, &task->node);
	return task;
}

static void mark_exited(struct task *task, uint64_t time)
{
	task->exited = true;
	task->exit_time = time;
}

static void set_comm(const struct task_table *t, struct task *task,
		     const char *comm)
{
	size_t len = strnlen(comm, COMM_LEN - 1);

	memcpy(task->comm, comm, len);
	task->comm[len] = '\0';
	task->kept = NULL;
	task->known = true;
	task->as_of = t->ticks;
}

void task_table_comm_record(struct task_table *t,
			    const struct side_band_comm *comm)
{
	struct task *task = get(t, comm->pid, comm->tid);

	if (task)
		set_comm(t, task, comm->comm);
}

/* False where /proc knows no such task (any more). */
static bool read_comm(const struct task_table *t, struct task *task,
		      pid_t pid)
{
	char comm[PROC_COMM];

	task->as_of = t->ticks;
	if (!proc_comm(t->proc, pid, (pid_t)task->node.key, comm))
		return false;
	set_comm(t, task, comm);
	return true;
}

/* Nobody knows it: by its number, until a record tells. */
static void set_number(struct task_table *t, struct task *task)
{
	char number[16];

	snprintf(number, sizeof(number), ":%d", (pid_t)task->node.key);
	set_comm(t, task, number);
}

const char *task_table_comm(struct task_table *t, pid_t pid, pid_t tid,
			    uint64_t since, uint64_t time)
{
	struct task *task;

	if (tid == 0)
		return names_add(t->names, "swapper");
	task = get(t, pid, tid);
	if (!task)
		return names_add(t->names, "?");
	if (task->exited)
		task->exit_time = time;
	if (since < t->trusted)
		since = t->trusted;
	if ((!task->known || task->as_of < since) &&
	    !read_comm(t, task, pid > 0 ? pid : tid) && !task->known) {
		set_number(t, task);
		mark_exited(task, time);
	}
	if (!task->kept)
		task->kept = names_add(t->names, task->comm);
	return task->kept;
}

void task_table_fork(struct task_table *t, const struct side_band_task *fork)
{
	struct task *child = get(t, fork->pid, fork->tid);
	struct task *parent = get(t, fork->ppid, fork->ptid);

	if (!child || child == parent)
		return;
	child->pid = fork->pid;
	child->exited = false;
	child->known = false;
	if (!parent)
		return;
	/* for the name that the child has until it gets another */
	if (!parent->known && fork->ptid > 0)
		read_comm(t, parent, fork->ppid);
	memcpy(child->comm, parent->comm, COMM_LEN);
	child->kept = parent->kept;
	child->known = parent->known;
	child->as_of = parent->as_of;
}

void task_table_exit(struct task_table *t, const struct side_band_task *exit,
		     uint64_t time)
{
	struct task *task = find(t, exit->tid);

	if (task)
		mark_exited(task, time);
}

void task_table_scan(struct task_table *t, pid_t pid)
{
	pid_t *tids;
	size_t nr;

	proc_threads(t->proc, pid, &tids, &nr);
	for (size_t i = 0; i < nr; i++) {
		struct task *task = get(t, pid, tids[i]);

		if (task && (!task->known || task->as_of < t->trusted))
			read_comm(t, task, pid);
	}
	free(tids);
}

uint64_t task_table_tick(struct task_table *t)
{
	return ++t->ticks;
}

void task_table_resync(struct task_table *t)
{
	t->trusted = task_table_tick(t);
}

pid_t *task_table_running(const struct task_table *t, size_t *nr)
{
	struct key_walk walk = { 0 };
	struct key_node *node;
	pid_t *tids = calloc(t->tasks.len + 1, sizeof(*tids));

	*nr = 0;
	while (tids && (node = key_table_walk(&t->tasks, &walk))) {
		if (node->key && !((struct task *)node)->exited)
			tids[(*nr)++] = (pid_t)node->key;
	}
	return tids;
}

void task_table_check(struct task_table *t, pid_t tid, uint64_t time)
{
	struct task *task = find(t, tid);

	if (task && !task->exited &&
	    !proc_has_thread(t->proc, task->pid, tid))
		mark_exited(task, time);
}

void task_table_expire(struct task_table *t, uint64_t time)
{
	struct key_walk walk = { 0 };
	struct key_node *node;

	while ((node = key_table_walk(&t->tasks, &walk))) {
		struct task *task = (struct task *)node;

		if (!task->exited || task->exit_time >= time)
			continue;
		key_table_remove(&t->tasks, node);
		free(task);
	}
}

size_t task_table_len(const struct task_table *t)
{
	return t->tasks.len;
}

size_t task_table_bytes(const struct task_table *t)
{
	return sizeof(*t) + t->tasks.len * sizeof(struct task) +
	       t->tasks.nr_buckets * sizeof(t->tasks.buckets[0]);
}
