/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes and threads that exist at one moment, with names and mappings,
 * and the changes that records make to them: the only model of tasks.  Use from
 * one thread at a time.
 *
 * There are two instances, for two moments, since a record cannot be undone (an
 * exec or exit drops mappings):
 *
 * - process_table.h: as of the record that the resolver processes now.
 *   Resolves samples: mappings by address, names by tid.  Unknown tasks are
 *   read from /proc, and tasks that exited are kept for late samples.
 * - task_history.h: as of the oldest record kept, minutes ago.  Snapshots and
 *   recordings begin with it.  It is never queried for one task, is limited in
 *   bytes, and starts with what /proc has.
 *
 * Frames need present names, also of processes without samples or records:
 * comm_cache.h.  Drains must not wait, and see the records of a ring before
 * they are ordered: sample_trigger.h.
 */
#ifndef RBTOP_TASK_TASKS_H
#define RBTOP_TASK_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "base/proc.h"
#include "base/table.h"
#include "perf/abi/side_band.h"
#include "task/process_maps.h"

struct jit_map;
struct names;

/* A thread.  Only src/task/ changes its members. */
struct thread {
	pid_t tid;
	LIST_ENTRY(thread) link;
	struct process *process;
	char comm[PROC_COMM];		/* unsanitized */
	const char *kept;		/* @comm among the names; NULL: not
					 * there */
	bool known;			/* @comm is known */
	bool exited;
	uint64_t as_of;			/* tick at which @comm was read */
	uint64_t exit_time;		/* ns, or time of the last use */
};

/* A process.  The resolver sets @jit, @jit_* and @heals; else the same. */
struct process {
	pid_t pid;
	LIST_HEAD(, thread) threads;	/* known threads, including the
					 * leader */
	bool had_threads;		/* there ever were known threads */
	struct process_maps *maps;
	size_t bytes;			/* bytes of these, when last counted */
	/*
	 * Changes with @maps and @jit, and is unique: what was found for an
	 * address is valid while this is unchanged.
	 */
	uint64_t generation;
	/*
	 * Mappings of the previous program, while execve(2) may not have
	 * returned: until then samples are of its caller; NULL: none
	 */
	struct process_maps *former;
	uint64_t exec_time;	/* ns; of the exec that set @former */
	bool has_vdso;		/* the new ones include it; it is mapped last */
	bool maps_read;		/* mappings are complete: read from /proc, or
				 * followed since its fork or exec */
	uint64_t read_ns;	/* when read from /proc, which includes older
				 * records; 0: not read */
	uint64_t comms_since;	/* tick; names read before are stale */
	uint64_t heal_at;	/* ns; next time that healing is allowed */
	unsigned int heals;	/* without success so far; reset by a success */
	bool exited;		/* its leader has exited */
	uint64_t exit_time;	/* ns; of the EXIT record, or of the last use */
	struct jit_map *jit;	/* freed with the process */
	bool jit_tried;
	uint64_t jit_checked;	/* ns */
	const char *jit_path;	/* in names; NULL: not searched yet */
};

struct tasks_opts {
	/*
	 * borrowed; NULL: private names, from which unused ones are removed, so
	 * none may be handed out
	 */
	struct names *names;
	size_t limit;		/* bytes, approximately; 0: no limit */
	/*
	 * Keep tasks that exited until they are dropped, and for a while the
	 * previous program's mappings after execve(2): late samples need them.
	 */
	bool linger;
};

/* Only src/task/ uses its members. */
struct tasks {
	struct names *names;
	bool own_names, linger;		/* see struct tasks_opts */
	struct table processes, threads;	/* by pid, by tid */
	uint64_t time;			/* ns, of the latest record */
	uint64_t generation;		/* the last one assigned */
	uint64_t ticks;			/* incremented when the names read so
					 * far may be stale */
	size_t limit, bytes;		/* of everything except names */
	size_t mapped;			/* mappings since the names were
					 * renewed */
	uint64_t dropped;		/* tasks and mappings, at the limit */
};

/* NULL: out of memory. */
struct tasks *tasks_new(const struct tasks_opts *opts);
void tasks_free(struct tasks *t);

/* Process COMM, MMAP, MMAP2, FORK, EXIT, NAMESPACES, and the time of others. */
void tasks_record(struct tasks *t, const struct side_band *record);

/* The process or thread, if known; else NULL. */
struct process *tasks_process(const struct tasks *t, pid_t pid);
struct thread *tasks_thread(const struct tasks *t, pid_t tid);
/* The same, added if unknown; NULL if at the limit, or if the id is invalid. */
struct process *tasks_add_process(struct tasks *t, pid_t pid);
struct thread *tasks_add_thread(struct tasks *t, struct process *p, pid_t tid);
/*
 * The @i-th of processes.len or threads.len, mostly in the order in which they
 * became known.  In a loop downwards, the present one may be dropped.
 */
struct process *tasks_at(const struct tasks *t, size_t i);
struct thread *tasks_thread_at(const struct tasks *t, size_t i);

/*
 * Whether @record is older than the reading of its process from /proc: applying
 * it would undo later changes.
 */
bool tasks_know(const struct tasks *t, const struct side_band *record);

/* Set the name as of this tick; @comm is unsanitized, cut to 16 bytes. */
void tasks_set_comm(struct tasks *t, struct thread *thread, const char *comm);

/* Mark as exited, now. */
void tasks_end_process(struct tasks *t, struct process *p);
void tasks_end_thread(struct tasks *t, struct thread *thread);
/* Invalidate what was found for addresses of @p. */
void tasks_changed(struct tasks *t, struct process *p);
/* The previous program's execve(2) has returned; @p may be NULL. */
void tasks_drop_former(struct tasks *t, struct process *p);
void tasks_drop_jit(struct process *p);
/* Forget and free it, with its threads. */
void tasks_drop_process(struct tasks *t, struct process *p);
void tasks_drop_thread(struct tasks *t, struct thread *thread);
/*
 * Bytes, without shared names.  Mappings shared by processes count as they were
 * shared when they last changed or were counted.
 */
size_t tasks_bytes(const struct tasks *t);
void tasks_count(struct tasks *t, struct process *p);

/* tasks_read.c: what /proc has. */

/* Read a thread's name.  False if there is no such thread (any more). */
bool tasks_read_comm(struct tasks *t, const char *proc, struct thread *thread);
/* Read the names of all threads of @pid, except those as of tick @since. */
void tasks_read_comms(struct tasks *t, const char *proc, pid_t pid,
		      uint64_t since);
/*
 * Read the mappings of a process.  0; -ENOENT if it has none (a kernel thread,
 * or ended); or -ENOMEM.  On error the known ones are kept.
 */
int tasks_read_maps(struct tasks *t, const char *proc, struct process *p);
/*
 * Read all of a process, replacing what was known, as of @now (ns of the
 * records' clock; 0: unknown).  A process that has ended is left out.  0 or
 * -ENOMEM.
 */
int tasks_read_process(struct tasks *t, const char *proc, pid_t pid,
		       uint64_t now);

#endif
