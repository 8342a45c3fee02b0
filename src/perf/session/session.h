/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The perf events of a session and the rings they write to.
 *
 * One ring per CPU (or per thread), owned by a dummy event; every other event
 * of that CPU or thread is redirected to it with PERF_EVENT_IOC_SET_OUTPUT.
 * The side-band (mmap2, comm, task) comes from dummies too: from the owner
 * where every task is watched, else from one of each task that is.  Those of
 * tasks may own no ring that is to outlive them; so, where the caller may open
 * CPU-wide events, a bare CPU-wide dummy does, which tells of kernel text
 * alone (the side-band of a CPU-wide event is that of all its processes).
 * Elsewhere, and with a ring per thread, the first task's dummy owns it.
 *
 * A task that is sampled on the CPUs of a list may have been born, and have
 * mapped its files, on another one: those have a small ring each, with the
 * side-band alone.  To ask /proc when a task is first seen would come too late
 * for one that has ended by then, or has called exec(2) since.
 *
 * An event that traces (event_spec.aux) owns its ring itself, for the kernel
 * pairs its AUX ring with that: it comes first, the side-band and the others
 * are redirected to it, and all of them have perf's own clock, for PMUs that
 * trace forbid another.  Of the tasks of a CPU's ring the first one's owns it,
 * and those of the others share its AUX ring.  Such rings cannot be replaced.
 *
 * Functions may be called from any thread: a session locks itself.  The rings'
 * contents are not its business; see collect/.
 */
#ifndef RBTOP_PERF_SESSION_SESSION_H
#define RBTOP_PERF_SESSION_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/abi/aux_ring.h"
#include "perf/event/event_spec.h"
#include "base/unknown.h"
#include "perf/abi/perf_clock.h"
#include "perf/abi/ring.h"
#include "perf/target/target.h"

struct err;
struct session;

struct session_opts {
	struct event_list events;	/* borrowed: must outlive the session */
	struct target target;		/* borrowed */
	bool enable_on_exec;	/* a workload starts them */
	bool start_disabled;	/* the first session_enable() is for the
				 * side-band alone */
	uint64_t freq;		/* -F, Hz; 0: the default of 4000; lowered as
				 * session_limit_freq() says */
	uint64_t period;	/* -c; 0: use freq */
	bool all_user;		/* --all-user: events in user space alone, */
	bool all_kernel;	/* --all-kernel: in the kernel alone */
	uint64_t ring_bytes;	/* -m; 0: default, halved until it fits */
	uint64_t watermark;	/* --watermark, bytes; 0: kernel's half ring */
	double watermark_ratio;	/* --watermark PCT%, 0..1; 0: not given */
	uint32_t wakeup_events;	/* --wakeup-events; 0: none */
	bool overwrite;
	bool callchain;		/* -g: with every sample */
	uint16_t max_stack;	/* frames of a callchain; 0: the kernel's
				 * kernel.perf_event_max_stack */
	uint64_t sample_type;	/* PERF_SAMPLE_* beside RECORD_SAMPLE_TYPE, of
				 * those that --data and the like ask for */
	uint64_t branch_sample_type;	/* with PERF_SAMPLE_BRANCH_STACK */
	bool switch_events;	/* --switch-events: SWITCH in the side-band */
	bool namespaces;	/* --namespaces: NAMESPACES, CGROUP too */
	uint64_t aux_bytes;	/* of an AUX ring, a power of two of pages; of
				 * no meaning without an event that traces */
	bool aux_overwrite;	/* snapshot mode: mapped PROT_READ */
	bool side_band_elsewhere;	/* with TARGET_CPUS: that of all other
				 * CPUs too, see struct session_ring */
};

/* An event as it stands in one ring. */
struct session_event {
	size_t spec;		/* index into opts.events; SESSION_SIDE_BAND:
				 * a dummy, be it bare */
	pid_t tid;		/* the task it follows, -1: every task */
	uint64_t id;		/* PERF_SAMPLE_IDENTIFIER of its samples */
	int fd;
};
#define SESSION_SIDE_BAND SIZE_MAX

struct session_ring {
	int cpu;		/* -1: follows a thread */
	pid_t tid;		/* -1: every task of the CPU */
	bool gone;		/* its CPU or thread is no more */
	bool elsewhere;		/* of a CPU that is not watched: side-band
				 * alone, for tasks that come from there */
	struct ring ring;	/* events[0] owns it */
	struct aux_ring aux;	/* zeroed: none */
	struct session_event *events;
	size_t nr_events, room_events;
};

/*
 * Open all events, disabled, and map all rings.  Returns 0 with *@out, or
 * -errno with @err: one sentence for every errno of perf_event_open and mmap.
 * RLIMIT_NOFILE is raised as far as allowed first.
 */
int session_open(const struct session_opts *opts, struct session **out,
		 struct err *err);
void session_close(struct session *s);

/*
 * What a person should know of the opening: "rings of 64K instead of 512K:
 * over perf_event_mlock_kb", "-F 200000 lowered to ...".  "" when nothing.
 */
const char *session_notice(const struct session *s);

/*
 * The frequency that the kernel takes for @freq: at most
 * kernel.perf_event_max_sample_rate, as perf record does it.
 */
uint64_t session_limit_freq(uint64_t freq);
/* What is said where that is lower: the one asked for, and it. */
#define SESSION_FREQ_LOWERED \
	"-F %llu lowered to %llu: kernel.perf_event_max_sample_rate"
/*
 * kernel.perf_event_max_sample_rate; 0 where no event of the session is a
 * clock, whose period it limits, or where that cannot be read.
 */
uint64_t session_most_samples(const struct session *s);
/*
 * Whether clock events at @period (ns) take more samples than that; if so, the
 * notice of it in @text, which contains SESSION_PERIOD_OVER.
 */
#define SESSION_PERIOD_OVER "a sample every"
bool session_period_notice(const struct session *s, uint64_t period, char *text,
			   size_t size);

/*
 * The name of an event as it was opened (with ":u" where the kernel had to be
 * left out), "side-band" for SESSION_SIDE_BAND; and what it asks of the
 * kernel, NULL for the side-band.
 */
const char *session_event_name(const struct session *s, size_t spec);
const struct perf_event_attr *session_event_attr(const struct session *s,
						 size_t spec);

/* Whether it was left out: one of a glob that the kernel refuses. */
bool session_event_left_out(const struct session *s, size_t spec);

/*
 * What the side-band asks of the kernel, all of it together where some of its
 * dummies tell of tasks and others of the kernel.
 */
void session_side_band_attr(const struct session *s,
			    struct perf_event_attr *attr);

/*
 * Bytes of the longest sample, dynamic fields of tracepoints (strings) left
 * out.
 */
uint64_t session_longest_record(const struct session *s);

/* The threads and CPUs as they were found at the opening. */
const struct target_map *session_target(const struct session *s);

/* Whether an event of it traces: its rings then have AUX rings. */
bool session_has_aux(const struct session *s);
/* What the times in its records are read on; lives as long as the session. */
struct perf_clock session_clock(const struct session *s);

/* True where a task's event owns the ring, false where a CPU-wide one does. */
bool session_owner_on_task(const struct session *s);

/*
 * Rings are only ever added (but see session_drop_last()): an index stays
 * valid, and so does the pointer.
 * What it points to, but for cpu and tid, is changed by swaps and reopening, so
 * one thread does these and reads it, or the caller has a lock of its own.
 */
size_t session_nr_rings(struct session *s);
/* The first of them that are of what is watched, rather than elsewhere. */
size_t session_nr_watched(struct session *s);
const struct session_ring *session_ring(struct session *s, size_t i);
size_t session_nr_events(struct session *s, size_t ring);

/*
 * Put the filters on the tracepoint events and the address filters on those
 * that trace; of the tracepoints', those of @tids (rbtop's own
 * threads, may be none) kept out.  Once, before session_enable.
 */
int session_filter(struct session *s, const pid_t *tids, size_t nr,
		   struct err *err);

/*
 * All events but the side-band, which the first call enables for good.  With
 * enable_on_exec the first call leaves the events to the exec.  0 or -errno
 * with @err.
 */
int session_enable(struct session *s, bool on, struct err *err);
/*
 * Enable only the side-band, before session_enable(): so that /proc can be read
 * before any other event writes records.  0 or -errno with @err.
 */
int session_enable_side_band(struct session *s, struct err *err);
/*
 * Stop all events, and the side-band too: after a grace period nothing is
 * written to the rings any more.
 */
void session_end(struct session *s);
/*
 * Disable the events that trace, in all rings but those that @skip (may be
 * NULL; an entry a ring) says, and keep every other call into the session
 * waiting until session_aux_release(): so that nobody's read(2) stands between
 * the two.  Those of the thread that holds go through; it is the one to let
 * go.  Their heads are published on return, the CPUs' hardware is flushed.
 * *@spread is the time from the first to the last of them, seconds.
 * 0 or -errno with @err; then nothing is held.
 */
int session_aux_hold(struct session *s, const bool *skip, double *spread,
		     struct err *err);
/* Let those of one ring go on, as far as the session is enabled. */
void session_aux_resume(struct session *s, size_t ring);
/* The same of all that do not yet, and let go. */
void session_aux_release(struct session *s);

/* PERF_EVENT_IOC_PAUSE_OUTPUT on one ring. */
int session_pause(struct session *s, size_t ring, bool on, struct err *err);
bool session_paused(struct session *s, size_t ring);
/*
 * The same between session_aux_hold() and session_aux_release(), by the thread
 * that holds, for a moment: session_paused() does not tell of it.
 */
void session_held_pause(struct session *s, size_t ring, bool on);
/*
 * -F (lowered as session_limit_freq() says) or -c for all events that sample;
 * exactly one of the two is non-zero.
 * An event keeps the kind of rate it was opened with (clocks take either);
 * refused where that leaves none to change.  Inherited children that run
 * already keep their rate: PERF_EVENT_IOC_PERIOD does not reach them.
 */
int session_set_rate(struct session *s, uint64_t freq, uint64_t period,
		     struct err *err);

/* What read(2) says of one event of a ring, 0.. UNKNOWN. */
struct session_count {
	uint64_t count;
	uint64_t lost;		/* PERF_FORMAT_LOST; unknown before Linux 6.0 */
};
/*
 * Read the events of @ring, at most @max, into @counts; returns how many.
 * What closed events had counted stays in: the losses of owners that a swap
 * replaced are in counts[0].
 */
size_t session_read(struct session *s, size_t ring,
		    struct session_count *counts, size_t max);
/* What all of them lost together; UNKNOWN if one does not say. */
uint64_t session_lost(struct session *s, size_t ring);

/*
 * Replace a ring by one of @bytes without losing or reopening an event
 * (-EOPNOTSUPP for one with an AUX ring):
 *   prepare  a new dummy with its own ring;
 *   (the caller starts to drain w->ring beside the old one)
 *   redirect every event to it, stop the old dummy;
 *   (the caller drains the old ring to its end)
 *   finish   unmap the old ring and close its dummy.
 */
struct session_swap {
	size_t index;
	struct ring ring;	/* the new one */
	struct ring old;
	struct session_event owner;
	struct session_event old_owner;
};
int session_swap_prepare(struct session *s, size_t ring, uint64_t bytes,
			 struct session_swap *w, struct err *err);
int session_swap_redirect(struct session *s, struct session_swap *w,
			  struct err *err);
void session_swap_finish(struct session *s, struct session_swap *w);
/* Undo a prepare whose redirect failed or never came. */
void session_swap_cancel(struct session *s, struct session_swap *w);

/*
 * A CPU came back (or for the first time): open its events and ring again, in
 * the slot it had, or a new slot.  The caller has stopped draining the old
 * ring.  Counts go on.  Returns 0 with *@ring, or -errno with @err; the slot
 * is then as it was.
 *
 * Not for a ring of TARGET_TASKS that exists: its events are the tasks', work
 * again by themselves, and reopening them would lose the children that
 * inherited them.  Only a CPU-wide owner must be swapped for a new one.
 */
int session_reopen_cpu(struct session *s, int cpu, size_t *ring,
		       struct err *err);
/*
 * Take away the ring that session_reopen_cpu() has just added, for which the
 * caller has no room.
 */
void session_drop_last(struct session *s);
/* A CPU or thread went: mark @ring gone.  Its last figures stay readable. */
void session_ring_gone(struct session *s, size_t ring);
/* It is served again, its events enabled like the others. */
void session_ring_back(struct session *s, size_t ring);

#endif
