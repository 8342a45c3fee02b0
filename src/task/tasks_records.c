/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/tasks_records.h"

#include <limits.h>
#include <stdalign.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>

#include "perf/abi/side_band_make.h"
#include "task/process_maps.h"
#include "task/tasks.h"

static int give_map(const struct process *p, const struct process_map *map,
		    tasks_records_fn *fn, void *ctx)
{
	alignas(uint64_t) char record[SIDE_BAND_MADE];
	char name[PATH_MAX];
	struct side_band_map m = {
		.pid = p->pid,
		.tid = p->pid,
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

	if (!process_maps_is_named(map))
		return 0;
	snprintf(name, sizeof(name), "%.*s%s", PATH_MAX - 16, map->path,
		 map->deleted ? " (deleted)" : "");
	size = side_band_make_mmap2(record, &m, PROT_READ | PROT_EXEC,
				    MAP_PRIVATE);
	return fn(ctx, record, size);
}

static int give_comm(const struct thread *thread, tasks_records_fn *fn,
		     void *ctx)
{
	alignas(uint64_t) char record[SIDE_BAND_MADE];

	/* some are only known from other records */
	if (!thread->known)
		return 0;
	return fn(ctx, record,
		  side_band_make_comm(record, thread->process->pid,
				      thread->tid, thread->comm));
}

static int give_thread(const struct thread *thread, tasks_records_fn *fn,
		       void *ctx)
{
	alignas(uint64_t) char record[SIDE_BAND_MADE];
	pid_t pid = thread->process->pid, tid = thread->tid;
	int ret = fn(ctx, record,
		     side_band_make_fork(record, pid, pid, tid, pid));

	return ret ? ret : give_comm(thread, fn, ctx);
}

/* Threads last: a reader's threads then share the mappings. */
static int give_process(const struct tasks *t, const struct process *p,
			tasks_records_fn *fn, void *ctx)
{
	const struct thread *leader = tasks_thread(t, p->pid), *thread;
	int ret = 0;

	if (leader && leader->process == p)
		ret = give_comm(leader, fn, ctx);
	for (size_t i = 0; !ret && i < process_maps_len(p->maps); i++)
		ret = give_map(p, process_maps_at(p->maps, i), fn, ctx);
	LIST_FOREACH(thread, &p->threads, link) {
		if (ret)
			break;
		if (thread != leader)
			ret = give_thread(thread, fn, ctx);
	}
	return ret;
}

int tasks_records_each(const struct tasks *t, tasks_records_fn *fn, void *ctx)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < tasks_len(t); i++)
		ret = give_process(t, tasks_at(t, i), fn, ctx);
	return ret;
}
