/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/task_table.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/sys.h"
#include "model/names.h"
#include "symbols/key_table.h"
#include "symbols/proc_dir.h"

struct task {
	struct key_node node;		/* first: nodes are cast to these */
	pid_t pid;
	const char *comm;		/* kept; NULL: not known yet */
	bool stale;			/* records were lost since */
	bool exited;
	uint64_t exit_time;		/* ns, or when last asked for */
};

struct task_table {
	char proc[PATH_MAX / 2];
	struct names *names;
	struct key_table tasks;		/* by tid */
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

static void set_comm(struct task_table *t, struct task *task,
		     const char *comm)
{
	task->comm = names_add(t->names, comm);
	task->stale = false;
}

void task_table_comm_record(struct task_table *t,
			    const struct side_band_comm *comm)
{
	struct task *task = get(t, comm->pid, comm->tid);

	if (task)
		set_comm(t, task, comm->comm);
}

/* False where /proc knows no such task (any more). */
static bool read_comm(struct task_table *t, struct task *task, pid_t pid)
{
	char path[PATH_MAX], comm[64];
	ssize_t len;

	task->stale = false;
	snprintf(path, sizeof(path), "%s/%d/task/%d/comm", t->proc, pid,
		 (pid_t)task->node.key);
	len = sys_read_file(path, comm, sizeof(comm));
	if (len <= 0)
		return false;
	if (comm[len - 1] == '\n')
		comm[len - 1] = '\0';
	set_comm(t, task, comm);
	return true;
}

const char *task_table_comm(struct task_table *t, pid_t pid, pid_t tid,
			    uint64_t time)
{
	struct task *task;
	char number[16];

	if (tid == 0)
		return names_add(t->names, "swapper");
	task = get(t, pid, tid);
	if (!task)
		return names_add(t->names, "?");
	if (task->exited)
		task->exit_time = time;
	if (task->comm && !task->stale)
		return task->comm;
	if (!read_comm(t, task, pid > 0 ? pid : tid) && !task->comm) {
		snprintf(number, sizeof(number), ":%d", tid);
		task->comm = names_add(t->names, number);
		mark_exited(task, time);
	}
	return task->comm;
}

void task_table_fork(struct task_table *t, const struct side_band_task *fork)
{
	struct task *child = get(t, fork->pid, fork->tid);
	struct task *parent = get(t, fork->ppid, fork->ptid);

	if (!child || child == parent)
		return;
	child->pid = fork->pid;
	child->exited = false;
	child->comm = NULL;
	if (!parent)
		return;
	/* for the name that the child has until it gets another */
	if (!parent->comm && fork->ptid > 0)
		read_comm(t, parent, fork->ppid);
	child->comm = parent->comm;
	child->stale = parent->stale;
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
	size_t nr;
	pid_t *tids = proc_dir_threads(t->proc, pid, &nr);

	for (size_t i = 0; i < nr; i++) {
		struct task *task = get(t, pid, tids[i]);

		if (task && (!task->comm || task->stale))
			read_comm(t, task, pid);
	}
	free(tids);
}

void task_table_resync(struct task_table *t)
{
	struct key_walk walk = { 0 };
	struct key_node *node;

	while ((node = key_table_walk(&t->tasks, &walk)))
		((struct task *)node)->stale = true;
}

void task_table_find_exited(struct task_table *t, uint64_t time)
{
	struct key_walk walk = { 0 };
	struct key_node *node;

	while ((node = key_table_walk(&t->tasks, &walk))) {
		struct task *task = (struct task *)node;

		if (!task->exited && node->key &&
		    !proc_dir_has_thread(t->proc, task->pid,
					 (pid_t)node->key))
			mark_exited(task, time);
	}
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
