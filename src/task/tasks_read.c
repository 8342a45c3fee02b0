/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/tasks.h"

#include <errno.h>
#include <stdlib.h>

#include "base/proc.h"

/*
 * Limit of a process' maps file, bytes: any user may have very many mappings,
 * and samples wait while they are read.
 */
enum { MAX_MAPS_FILE = 8 << 20 };

bool tasks_read_comm(struct tasks *t, const char *proc, struct thread *thread)
{
	char comm[PROC_COMM];

	thread->as_of = t->ticks;
	if (!proc_comm(proc, thread->process->pid, thread->tid, comm))
		return false;
	tasks_set_comm(t, thread, comm);
	return true;
}

void tasks_read_comms(struct tasks *t, const char *proc, pid_t pid,
		      uint64_t since)
{
	char comm[PROC_COMM];
	pid_t *tids;
	size_t nr;

	proc_threads(proc, pid, &tids, &nr);
	for (size_t i = 0; i < nr; i++) {
		struct thread *thread = tasks_thread(t, tids[i]);
		struct process *p;

		if ((thread && thread->process->pid == pid && thread->known &&
		     thread->as_of >= since) ||
		    !proc_comm(proc, pid, tids[i], comm))
			continue;
		p = tasks_add_process(t, pid);
		thread = p ? tasks_add_thread(t, p, tids[i]) : NULL;
		if (thread)
			tasks_set_comm(t, thread, comm);
	}
	free(tids);
}

/* /proc does not have the mapper: keep that of the same known mapping. */
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

int tasks_read_maps(struct tasks *t, const char *proc, struct process *p)
{
	struct process_maps *maps = process_maps_new();
	int ret;

	p->maps_read = true;
	if (!maps)
		return -ENOMEM;
	ret = process_maps_read(maps, proc, p->pid, MAX_MAPS_FILE, t->names);
	if (ret || !process_maps_len(maps)) {
		process_maps_free(maps);
		return ret == -ENOMEM ? ret : -ENOENT;
	}
	set_mappers(maps, p);
	process_maps_free(p->maps);
	p->maps = maps;
	tasks_changed(t, p);
	return 0;
}

/* Changes during the reading are in records after its start. */
int tasks_read_process(struct tasks *t, const char *proc, pid_t pid,
		       uint64_t now)
{
	struct process *p = tasks_process(t, pid);

	if (p)
		tasks_drop_process(t, p);
	tasks_read_comms(t, proc, pid, 0);
	p = tasks_process(t, pid);
	if (!p)
		return 0;
	p->read_ns = now;
	return tasks_read_maps(t, proc, p) == -ENOMEM ? -ENOMEM : 0;
}
