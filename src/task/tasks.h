/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes and threads there are at one moment, what they are called and
 * have mapped, and what each record changes of that: the one model of tasks.
 * tasks_read.h puts in what /proc says.  For one thread at a time.
 *
 * There are two of them, as of two moments, since a record cannot be undone (an
 * exec or exit drops mappings):
 *
 * - process_table.h: as of the record that the resolver takes in now.  It is
 *   asked for the tasks of samples: mappings by address, names by tid.  What it
 *   does not know is read from /proc, and who exits stays for late samples.
 * - task_history.h: as of the oldest record that is kept, from minutes ago.
 *   Snapshots and recordings begin with it.  It is never asked for one task,
 *   holds no more than some bytes, and has /proc from its beginning.
 *
 * Frames ask for names as of now, of processes without a sample or record too:
 * comm_cache.h.  Drains may not wait for anybody, and take the records of a
 * ring before they are ordered: comm_watch.h.
 */
#ifndef RBTOP_TASK_TASKS_H
#define RBTOP_TASK_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "base/proc.h"
#include "perf/abi/side_band.h"
#include "task/process_maps.h"

struct jit_map;
struct names;
struct tasks;

/* A thread.  Its fields are for src/task/ to change. */
struct thread {
	pid_t tid;
	LIST_ENTRY(thread) link;
	struct process *process;
	char comm[PROC_COMM];		/* raw */
	const char *kept;		/* @comm among the names; NULL */
	bool known;			/* @comm is */
	bool exited;
	uint64_t as_of;			/* of @comm: ticks */
	uint64_t exit_time;		/* ns, or when last asked for */
};

/* A process.  The same, but for @jit, @jit_* and @heals: the resolver's. */
struct process {
	pid_t pid;
	LIST_HEAD(, thread) threads;	/* those known, its leader too */
	bool had_threads;		/* such, some time */
	struct process_maps *maps;
	size_t bytes;			/* of these, when last counted */
	/* of @maps and @jit as they are: no other process' or time's, so what
	 * was found for an address holds as long as this does */
	uint64_t generation;
	/* those of the program before, while execve(2) may not have returned:
	 * until then samples are of its caller; NULL: none */
	struct process_maps *former;
	uint64_t exec_time;	/* ns; of @former */
	bool has_vdso;		/* of the new ones, the kernel maps it last */
	bool maps_read;		/* from /proc, or born under our eyes */
	uint64_t read_ns;	/* from /proc; what records from before tell of
				 * it is known; 0: was not */
	uint64_t comms_since;	/* tick; names learnt earlier are stale */
	uint64_t heal_at;	/* ns; not before */
	unsigned int heals;	/* in vain so far; 0 again once one helped */
	bool exited;		/* its leader has */
	uint64_t exit_time;	/* ns, of the EXIT record or last asked for */
	struct jit_map *jit;	/* freed with the process */
	bool jit_tried;
	uint64_t jit_checked;	/* ns */
	const char *jit_path;	/* kept; NULL: not asked for yet */
};

struct tasks_opts {
	/* borrowed; NULL: of its own, which forget what no mapping bears any
	 * more, so that none of them is to be handed out */
	struct names *names;
	size_t limit;		/* bytes, about; 0: none */
	/*
	 * Who exits stays until it is dropped, and the program before execve(2)
	 * for a while: late samples are of these.
	 */
	bool linger;
};

/* NULL: out of memory. */
struct tasks *tasks_new(const struct tasks_opts *opts);
void tasks_free(struct tasks *t);

/* Take in COMM, MMAP, MMAP2, FORK, EXIT, NAMESPACES, and the time of others. */
void tasks_record(struct tasks *t, const struct side_band *record);

/* What is known already; NULL. */
struct process *tasks_process(const struct tasks *t, pid_t pid);
struct thread *tasks_thread(const struct tasks *t, pid_t tid);
/* Added where it was not known; NULL where there is no room or it cannot be. */
struct process *tasks_add_process(struct tasks *t, pid_t pid);
struct thread *tasks_add_thread(struct tasks *t, struct process *p, pid_t tid);
/*
 * Each of the tasks_len() and tasks_nr_threads() that there are now, mostly in
 * the order in which they became known.  Going down, the one at hand may be
 * dropped.
 */
struct process *tasks_at(const struct tasks *t, size_t i);
struct thread *tasks_thread_at(const struct tasks *t, size_t i);

/*
 * Whether @record tells of a process as it was before that was read from /proc:
 * to take it in would undo what came since.
 */
bool tasks_know(const struct tasks *t, const struct side_band *record);

/* @comm (raw, cut to what the kernel keeps) is its name as of this tick. */
void tasks_set_comm(struct tasks *t, struct thread *thread, const char *comm);
/* From a new tick on is learnt what is not known to be stale; the present. */
uint64_t tasks_tick(struct tasks *t);
uint64_t tasks_ticks(const struct tasks *t);
struct names *tasks_names(const struct tasks *t);
/* ns, of the latest record. */
uint64_t tasks_time(const struct tasks *t);

/* They have exited, by now. */
void tasks_end_process(struct tasks *t, struct process *p);
void tasks_end_thread(struct tasks *t, struct thread *thread);
/* What was found for addresses of @p holds no longer. */
void tasks_changed(struct tasks *t, struct process *p);
/* The program before has returned from execve(2); @p may be NULL. */
void tasks_drop_former(struct tasks *t, struct process *p);
void tasks_drop_jit(struct process *p);
/* Forget it, with its threads.  Freed. */
void tasks_drop_process(struct tasks *t, struct process *p);
void tasks_drop_thread(struct tasks *t, struct thread *thread);
size_t tasks_len(const struct tasks *t);	/* processes */
size_t tasks_nr_threads(const struct tasks *t);
/*
 * All but names that are not its own.  Mappings that processes have in common
 * count as they were shared when they last changed or were counted.
 */
size_t tasks_bytes(const struct tasks *t);
void tasks_count(struct tasks *t, struct process *p);
size_t tasks_limit(const struct tasks *t);
/* Tasks and mappings that found no room. */
uint64_t tasks_dropped(const struct tasks *t);

#endif
