/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The perf events of a session and the rings they write to.
 *
 * There is one ring per CPU (or per thread), owned by a dummy event; every
 * other event of that CPU or thread is redirected to it with
 * PERF_EVENT_IOC_SET_OUTPUT.  The side-band (mmap2, comm, task) also comes from
 * dummies: from the owner if every task is watched, else from one dummy for
 * each watched task.  A task's event must not own a ring that outlives the
 * task; so, if the caller may open CPU-wide events, a bare CPU-wide dummy owns
 * it, which reports only kernel text (the side-band of a CPU-wide event is that
 * of all processes).  Otherwise, and with a ring per thread, the first task's
 * dummy owns it.
 *
 * A task that is sampled on the CPUs of a list may have started, and mapped its
 * files, on another CPU: the other CPUs have a small ring each, with only the
 * side-band.  Reading /proc when a task is first seen is too late for one that
 * has ended by then, or has called exec(2).
 *
 * An event that traces (event_spec.aux) owns its ring itself, since the kernel
 * pairs its AUX ring with that.  It is opened first; the side-band and the
 * other events are redirected to it.  All of them use perf's own clock, since
 * PMUs that trace do not allow another.  Of the tasks of a CPU's ring, the
 * first one's event owns it, and those of the others share its AUX ring.  Such
 * rings cannot be replaced.
 *
 * Functions may be called from any thread: a session locks itself.  The
 * contents of the rings are handled in collect/.
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
	bool enable_on_exec;	/* the workload's exec enables them */
	bool start_disabled;	/* the first session_enable() enables only the
				 * side-band */
	uint64_t freq;		/* -F, Hz; 0: the default of 4000; lowered by
				 * session_limit_freq() */
	uint64_t period;	/* -c; 0: use freq */
	bool all_user;		/* --all-user: exclude the kernel */
	bool all_kernel;	/* --all-kernel: exclude user space */
	uint64_t ring_bytes;	/* -m; 0: default, halved until it fits */
	uint64_t watermark;	/* --watermark, bytes; 0: kernel's half ring */
	double watermark_ratio;	/* --watermark PCT%, 0..1; 0: not given */
	uint32_t wakeup_events;	/* --wakeup-events; 0: none */
	bool overwrite;
	bool callchain;		/* -g: with every sample */
	uint16_t max_stack;	/* frames of a callchain; 0:
				 * kernel.perf_event_max_stack */
	uint64_t sample_type;	/* PERF_SAMPLE_* added to RECORD_SAMPLE_TYPE, as
				 * requested by --data and the like */
	uint64_t branch_sample_type;	/* with PERF_SAMPLE_BRANCH_STACK */
	bool switch_events;	/* --switch-events: SWITCH in the side-band */
	bool namespaces;	/* --namespaces: NAMESPACES, CGROUP too */
	uint64_t aux_bytes;	/* size of an AUX ring, a power of two of pages;
				 * ignored without an event that traces */
	bool aux_overwrite;	/* snapshot mode: mapped PROT_READ */
	bool side_band_all_cpus;	/* with TARGET_CPUS: also the side-band
					 * of all other CPUs, see struct
					 * session_ring */
};

/* An event in one ring. */
struct session_event {
	size_t spec;		/* index into opts.events; SESSION_SIDE_BAND: a
				 * dummy, also a bare one */
	pid_t tid;		/* the task it follows, -1: every task */
	uint64_t id;		/* PERF_SAMPLE_IDENTIFIER of its samples */
	int fd;
};
#define SESSION_SIDE_BAND SIZE_MAX

struct session_ring {
	int cpu;		/* -1: follows a thread */
	pid_t tid;		/* -1: every task of the CPU */
	bool gone;		/* its CPU is offline or its thread ended */
	bool side_band_only;	/* of a CPU outside the selection, for tasks
				 * that migrate from it */
	struct ring ring;	/* events[0] owns it */
	struct aux_ring aux;	/* zeroed: none */
	struct session_event *events;
	size_t nr_events, events_cap;
};

/*
 * Open all events, disabled, and map all rings.  Returns 0 with *@out, or
 * -errno with @err: a sentence for every errno of perf_event_open and mmap.
 * RLIMIT_NOFILE is raised first, as far as allowed.
 */
int session_open(const struct session_opts *opts, struct session **out,
		 struct err *err);
void session_close(struct session *s);

/*
 * Notices about the opening for the user: "rings of 64K instead of 512K: over
 * perf_event_mlock_kb", "-F 200000 lowered to ...".  "" if there are none.
 */
const char *session_notice(const struct session *s);

/* @freq, but at most kernel.perf_event_max_sample_rate, as in perf record. */
uint64_t session_limit_freq(uint64_t freq);
/* The message if it is lower: with the one requested, and the one used. */
#define SESSION_FREQ_LOWERED \
	"-F %llu lowered to %llu: kernel.perf_event_max_sample_rate"
/*
 * kernel.perf_event_max_sample_rate in samples per second, which the kernel
 * does not apply to periods; 0 if the session has no clock event, or if it
 * cannot be read.
 */
uint64_t session_max_samples(const struct session *s);
/* The rates in force, and the kernel's limits at this moment. */
void session_rates(const struct session *s, struct event_rates *rates);
/*
 * Whether clock events with @period (ns) take more samples than that; if so,
 * @text is a notice, which contains SESSION_PERIOD_OVER.
 */
#define SESSION_PERIOD_OVER "a sample every"
bool session_period_notice(const struct session *s, uint64_t period, char *text,
			   size_t size);

/*
 * The name of an event as it was opened (with ":u" if the kernel had to be
 * excluded), "side-band" for SESSION_SIDE_BAND; and its attributes, NULL for
 * the side-band.
 */
const char *session_event_name(const struct session *s, size_t spec);
const struct perf_event_attr *session_event_attr(const struct session *s,
						 size_t spec);

/* Whether it is one of a glob, and was left out since the kernel refuses it. */
bool session_event_left_out(const struct session *s, size_t spec);

/*
 * The attributes of the side-band; those of all dummies together if some report
 * tasks and others the kernel.
 */
void session_side_band_attr(const struct session *s,
			    struct perf_event_attr *attr);

/*
 * Bytes of the longest sample, without dynamic fields of tracepoints (strings).
 */
uint64_t session_longest_record(const struct session *s);

/* The threads and CPUs that were found when it was opened. */
const struct target_map *session_target(const struct session *s);

/* Whether one of its events traces: its rings then have AUX rings. */
bool session_has_aux(const struct session *s);
/* The clock of the times in its records; valid as long as the session. */
struct perf_clock session_clock(const struct session *s);

/* True if a task's event owns the ring, false if a CPU-wide one does. */
bool session_owner_on_task(const struct session *s);

/*
 * Rings are only added (but see session_drop_last()): an index and the pointer
 * stay valid.  Swaps and reopening change all fields but cpu and tid, so either
 * the same thread does these and reads them, or the caller has a lock of its
 * own.
 */
size_t session_nr_rings(struct session *s);
/* The number of rings of the target, which are the first ones. */
size_t session_nr_watched(struct session *s);
const struct session_ring *session_ring(struct session *s, size_t i);
size_t session_nr_events(struct session *s, size_t ring);

/*
 * Set the filters of tracepoints, with rbtop's own threads @tids (may be none)
 * excluded, and the address filters of events that trace.  Call it once, before
 * session_enable.  0 or -errno with @err.
 */
int session_filter(struct session *s, const pid_t *tids, size_t nr,
		   struct err *err);

/*
 * Enable or disable all events but the side-band, which the first call enables
 * permanently.  With enable_on_exec the first call leaves the events to the
 * exec.  0 or -errno with @err.
 */
int session_enable(struct session *s, bool on, struct err *err);
/*
 * Enable only the side-band, before session_enable(), so that /proc can be read
 * before any other event writes records.  0 or -errno with @err.
 */
int session_enable_side_band(struct session *s, struct err *err);
/*
 * Stop all events, also the side-band: after a grace period nothing is written
 * to the rings any more.
 */
void session_end(struct session *s);
/*
 * Disable the events that trace, in all rings but those set in @skip (may be
 * NULL; an entry per ring), and make every other call into the session wait
 * until session_aux_release(), so that no read(2) delays what is done in
 * between.  Calls of the thread that holds it do not wait; it must also release
 * it.  On return the heads are published and the hardware of the CPUs is
 * flushed.  *@spread is the time from the first to the last ring, in seconds.
 * 0, or -errno with @err; then nothing is held.
 */
int session_aux_hold(struct session *s, const bool *skip, double *spread,
		     struct err *err);
/* Enable tracing again in one ring, if the session is enabled. */
void session_aux_resume(struct session *s, size_t ring);
/* The same for all rings that are still stopped, and release the session. */
void session_aux_release(struct session *s);

/* PERF_EVENT_IOC_PAUSE_OUTPUT on one ring. */
int session_pause(struct session *s, size_t ring, bool on, struct err *err);
bool session_paused(struct session *s, size_t ring);
/*
 * The same between session_aux_hold() and session_aux_release(), by the thread
 * that holds it, for a short time: session_paused() does not report it.
 */
void session_held_pause(struct session *s, size_t ring, bool on);
/*
 * Set the frequency (lowered by session_limit_freq()) or the period of all
 * events that sample; exactly one of the two is non-zero.  An event keeps the
 * kind of rate that it was opened with (clocks take either).  0, or -errno with
 * @err: -EOPNOTSUPP if no event can be changed.  Inherited events of children
 * that are running keep their rate: PERF_EVENT_IOC_PERIOD does not reach them.
 */
int session_set_rate(struct session *s, uint64_t freq, uint64_t period,
		     struct err *err);

/* Values that read(2) returns for one event; UNKNOWN if not available. */
struct session_count {
	uint64_t count;
	uint64_t lost;		/* PERF_FORMAT_LOST; unknown before Linux 6.0 */
};
/*
 * Read the events of @ring, at most @max, into @counts; returns their number.
 * They include the counts of closed events: losses of owners that a swap
 * replaced are in counts[0].
 */
size_t session_read(struct session *s, size_t ring,
		    struct session_count *counts, size_t max);
/* The sum of their losses; UNKNOWN if one is. */
uint64_t session_lost(struct session *s, size_t ring);

/*
 * Replace a ring by one of @bytes, without losing or reopening an event
 * (-EOPNOTSUPP for one with an AUX ring):
 *  prepare  a new dummy with its own ring;
 *  (the caller starts to drain w->ring as well as the old one)
 *  redirect every event to it, stop the old dummy;
 *  (the caller drains the old ring to its end)
 *  finish   unmap the old ring and close its dummy.
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
/* Undo a prepare, if the redirect failed or is not done. */
void session_swap_cancel(struct session *s, struct session_swap *w);

/*
 * A CPU came online: open its events and ring again, in its old slot or a new
 * one.  The caller has stopped draining the old ring.  Counts continue.
 * Returns 0 with *@ring, or -errno with @err; the slot is then unchanged.
 *
 * Not for an existing ring of TARGET_TASKS: its events belong to the tasks and
 * work again by themselves, and reopening them would lose the children that
 * inherited them.  Only a CPU-wide owner must be swapped for a new one.
 */
int session_reopen_cpu(struct session *s, int cpu, size_t *ring,
		       struct err *err);
/*
 * Remove the ring that session_reopen_cpu() has just added, if the caller has
 * no room for it.
 */
void session_drop_last(struct session *s);
/* A CPU or thread is gone: mark @ring gone.  Its last counts stay readable. */
void session_ring_gone(struct session *s, size_t ring);
/* It is back: its events are enabled like the others. */
void session_ring_back(struct session *s, size_t ring);

/*
 * kernel.perf_event_paranoid; 2 if it cannot be read.  Levels above 2 mean the
 * same as 2, except in patched kernels: Debian's refuses all events of users
 * then.
 */
struct session_paranoid {
	int level;
	bool refuses_all;	/* tested by opening an event */
};
struct session_paranoid session_paranoid(void);
/* Whether that does not apply: CAP_PERFMON or CAP_SYS_ADMIN is held. */
bool session_privileged(void);
/*
 * Open a disabled dummy for user space on this thread, which needs the least
 * privilege of all events.  A fd or -errno.
 */
int session_open_trial(void);
/*
 * The default size of a ring if kernel.perf_event_mlock_kb is @mlock_kb (0 or
 * less, or absurd: the kernel's default), in bytes.
 */
uint64_t session_default_bytes(long long mlock_kb);

/*
 * A session whose rings this process writes itself: those of a simulated
 * kernel.  It has no file descriptors, and calls operations in place of the
 * ioctls that stop tracing or pause a ring's output.
 */
struct session_memory_ops {
	/*
	 * Called with the session locked: they must not call into it.  Enable
	 * or disable the events that trace into @ring; when disabled, the head
	 * is published on return.
	 */
	void (*trace)(void *ctx, size_t ring, bool on);
	/* PERF_EVENT_IOC_PAUSE_OUTPUT. */
	void (*pause)(void *ctx, size_t ring, bool on);
};

/*
 * A session of @opts without rings.  Its events are opts->events, with attr and
 * name unchanged.  Returns 0 with *@out, which session_close() frees, or
 * -ENOMEM with @err.
 */
int session_memory_open(const struct session_opts *opts,
			const struct session_memory_ops *ops, void *ctx,
			struct session **out, struct err *err);
/*
 * Add a copy of @ring.  The caller keeps its memory until the session is closed
 * or the ring replaced; the list of events is copied.  0 or -ENOMEM.
 */
int session_memory_add(struct session *s, const struct session_ring *ring);
/*
 * Replace the data ring of @ring by @memory.  Waits for a thread that copies
 * the old one, which is not used any more on return.
 */
void session_memory_replace(struct session *s, size_t ring,
			    const struct ring *memory);

#endif
