/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PMUs that trace into AUX rings, behind one set of operations.
 *
 * Each kind of PMU is a file with an ops table, and a row in auxtrace_open.c.
 * The operations do what perf does for that PMU (files of the same names in
 * tools/perf/arch and tools/perf/util), since perf reads the files.
 */
#ifndef RBTOP_TRACE_PMU_AUXTRACE_H
#define RBTOP_TRACE_PMU_AUXTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpulist.h"
#include "perf/abi/aux_ring.h"
#include "perf/event/event_spec.h"
#include "perf/abi/perf_clock.h"
#include "perf/session/session.h"

struct err;
struct hw_id;

/* Paths for looking up PMUs and CPUs; tests use trees of their own. */
struct auxtrace_env {
	const char *pmus;	/* PMU_DEVICES */
	const char *cpus;	/* "/sys/devices/system/cpu" */
	const char *modules;	/* "/sys/module"; NULL: not used */
	bool privileged;	/* CAP_PERFMON or CAP_SYS_ADMIN is held, or
				 * kernel.perf_event_paranoid is below 0 */
};

/*
 * A version of perf as a number that can be compared.  The layout of
 * AUXTRACE_INFO depends on the version: an older perf refuses or misreads newer
 * layouts, a newer perf reads the older ones.
 */
#define AUXTRACE_PERF(major, minor) ((major) << 8 | (minor))
/* The oldest perf that files can be written for; also the default. */
#define AUXTRACE_PERF_MIN AUXTRACE_PERF(6, 1)

/* Command line options for tracing. */
struct auxtrace_opts {
	uint64_t aux_bytes;	/* -m ,SIZE; 0: perf's default */
	uint64_t snapshot_bytes; /* -S SIZE: newest bytes of each ring; 0:
				  * all */
	bool full_trace;	/* --full-trace */
	unsigned int perf;	/* --perf-version; 0: AUXTRACE_PERF_MIN */
	bool asked;		/* -S, --full-trace or -m ,SIZE was given: it is
				 * an error if no event traces */
};

/* The tracing of a session, determined by auxtrace_open(). */
struct auxtrace {
	const struct auxtrace_ops *ops;
	char pmu[64];		/* of the first event that traces */
	size_t spec;		/* its index in the event list */
	uint64_t snapshot_bytes; /* most bytes of a ring copied by a snapshot;
				  * 0: all */
	bool overwrite;		/* snapshot mode */
	bool per_cpu;		/* rings of CPUs, not of threads */
	bool by_task;		/* events follow tasks */
	unsigned int perf;	/* oldest perf that can read the files */
	char warning[240];	/* "": none */
};

/*
 * Input for AUXTRACE_INFO.  @conv is from the user page of the first ring;
 * @cpus are those of the rings, or all online CPUs if rings follow threads.
 */
struct auxtrace_info {
	const struct auxtrace_env *env;
	const struct auxtrace *trace;
	const struct event_spec *spec;
	const struct perf_event_attr *attr;	/* as it was opened */
	struct perf_time_conv conv;
	const struct cpulist *cpus;
	bool switch_events;	/* the file contains SWITCH records */
	const struct hw_id *hw_ids;	/* known so far */
	size_t nr_hw_ids;
};

/*
 * State of a ring, kept between snapshots.  Zeroed: none yet.  If the head is
 * only an offset, it does not show whether the ring was ever full; the data
 * behind it do, and then the ring stays full.
 */
struct auxtrace_track {
	bool full;
};

/* The part of a ring to copy, as head positions: see auxtrace_pieces(). */
struct auxtrace_span {
	uint64_t from, to;
};

struct auxtrace_ops {
	const char *name;	/* of the kind: "Intel PT" */
	uint32_t type;		/* in AUXTRACE_INFO; 0: perf has no decoder, and
				 * info_size is NULL */
	uint64_t min_bytes;	/* smallest ring in full trace, ... */
	uint64_t min_snapshot_bytes; /* ... in snapshot mode; 0: a page */
	unsigned int alignment;	/* size of a record: snapshots contain complete
				 * records; 1: a byte stream */
	bool cuts_by_aux;	/* its decoder cuts the trace by AUX records,
				 * and fails if the trace of a record is
				 * missing; positions are free running */
	bool several;		/* there is a PMU for each type of core, and
				 * events of several of them can be combined */

	/*
	 * What its PMUs are called, as fnmatch(3) has it.  NULL: one that no
	 * other kind claims, none of the kernel's own types and no core's, that
	 * takes an AUX mapping; see auxtrace_generic_maps().
	 */
	const char *pmu;
	/*
	 * Give @spec (an event of trace->pmu) the defaults that perf gives it,
	 * and @session what this kind requires: aux_watermark, switch_events,
	 * ... 0 or -errno with @err.
	 */
	int (*configure)(const struct auxtrace_env *env,
			 const struct auxtrace *trace,
			 struct session_opts *session, struct event_spec *spec,
			 struct err *err);
	/*
	 * Bytes of trace between two points at which a decoder can start, for
	 * the configured @spec.  NULL: it can start at any record, or this is
	 * unknown.
	 */
	uint64_t (*sync_bytes)(const struct auxtrace_env *env,
			       const struct event_spec *spec);
	/* Number of u64 words of AUXTRACE_INFO after its type. */
	size_t (*info_size)(const struct auxtrace_info *from);
	/* Set these words in @priv.  0 or -errno with @err. */
	int (*info_fill)(const struct auxtrace_info *from, uint64_t *priv,
			 size_t words, struct err *err);
	/*
	 * Stop tracing in all rings of a snapshot (arguments are those of
	 * session_aux_hold()); and resume it in a ring, as soon as that was
	 * copied.  The caller ends the stop with session_aux_release().
	 */
	int (*snapshot_start)(struct session *s, const bool *skip,
			      double *spread, struct err *err);
	void (*snapshot_finish)(struct session *s, size_t ring);
	/* The trace in a stopped snapshot mode ring; @head was read from it. */
	struct auxtrace_span (*find_snapshot)(struct auxtrace_track *track,
					      const struct aux_ring *aux,
					      uint64_t head);
	/* Value for PERF_RECORD_AUXTRACE.reference. */
	uint64_t (*reference)(void);
	/*
	 * The time of the oldest decodable part of @trace, from its own
	 * timestamps, in ns of the clock of @conv; @now: the current value of
	 * the counter.  0: unknown.  NULL: unknown for this kind of trace.
	 */
	uint64_t (*oldest)(const struct perf_time_conv *conv, uint64_t now,
			   const unsigned char *trace, size_t len);
	/*
	 * Full trace, after aux_tail was advanced: enable the event @fd again
	 * that was disabled because the ring was full.  0 or -errno.
	 */
	int (*read_finish)(int fd);
};

/*
 * Find the events of @session that trace, set what their kind needs
 * (event_spec.aux, session_opts.aux_bytes, ring_bytes, ...), and resolve their
 * address filters.  Call before session_open().  Returns 1 with @trace; 0 if no
 * event traces; or -errno with @err: kinds that cannot be combined, a ring too
 * small, an unknown symbol.
 */
int auxtrace_open(const struct auxtrace_env *env,
		  const struct auxtrace_opts *opts,
		  struct session_opts *session, struct auxtrace *trace,
		  struct err *err);

/* The kind of a PMU that traces, by its name: "Intel PT"; NULL: none known. */
const char *auxtrace_kind_name(const char *pmu);

/* Set the paths and privileges of this machine. */
void auxtrace_env_here(struct auxtrace_env *env);

/*
 * The part of a ring to copy; it starts with a complete record.  In snapshot
 * mode the ring must be stopped: what it holds (ops->find_snapshot()), at most
 * the newest trace->snapshot_bytes.  In full trace, stopped or not: what was
 * not consumed yet. from == to: no trace.
 */
struct auxtrace_span auxtrace_find(const struct auxtrace *trace,
				   struct auxtrace_track *track,
				   const struct aux_ring *aux);
/*
 * The bytes of a span in two pieces: aux_ring_pieces() without the gap between
 * the last complete record and the end of the ring.  BTS records do not wrap,
 * and no power of two is a multiple of their 24 bytes.
 */
struct aux_pieces auxtrace_pieces(const struct auxtrace *trace,
				  const struct aux_ring *aux,
				  struct auxtrace_span span);
/*
 * Copy the span to @to, which must be large enough.  Returns the bytes copied.
 */
size_t auxtrace_copy(const struct auxtrace *trace, const struct aux_ring *aux,
		     struct auxtrace_span span, unsigned char *to);

/* Operations shared by the kinds: see the ops of the same names. */
int auxtrace_snapshot_start(struct session *s, const bool *skip,
			    double *spread, struct err *err);
void auxtrace_snapshot_finish(struct session *s, size_t ring);
struct auxtrace_span auxtrace_find_snapshot(struct auxtrace_track *track,
					    const struct aux_ring *aux,
					    uint64_t head);
/*
 * Whether all of a ring in snapshot mode holds trace, judged by its head and
 * the data behind it; the result is kept in @track.  Used for what is copied
 * and for what is shown.  While tracing runs, a ring whose last page is being
 * written for the first time already counts as full.
 */
bool auxtrace_was_full(struct auxtrace_track *track,
		       const struct aux_ring *aux, uint64_t head);
int auxtrace_read_finish(int fd);
/* The CPU's counter if user space can read it, else ns. */
uint64_t auxtrace_reference(void);
/* Operations that are the same in all tables. */
#define AUXTRACE_COMMON_OPS                            \
	.snapshot_start = auxtrace_snapshot_start,     \
	.snapshot_finish = auxtrace_snapshot_finish,   \
	.find_snapshot = auxtrace_find_snapshot,       \
	.reference = auxtrace_reference,               \
	.read_finish = auxtrace_read_finish

/* The bits of attr.config for a term of format/; 0 if there is no such term. */
uint64_t auxtrace_term_mask(const struct auxtrace_env *env, const char *pmu,
			    const char *term);

/*
 * The bits of attr.config that the terms of @spec set explicitly, also to 0;
 * the kind chooses the others.  They are taken from the event's name, which is
 * its text; if it was renamed (name=), terms set to 0 cannot be seen.
 */
uint64_t auxtrace_given(const struct auxtrace_env *env,
			const struct event_spec *spec);
/*
 * Four words of Intel's AUXTRACE_INFO: time_shift, time_mult, time_zero, and
 * whether they are valid.
 */
void auxtrace_info_conv(const struct perf_time_conv *conv, uint64_t words[4]);
/* Period 1 and no frequency: most kinds accept nothing else. */
void auxtrace_period_one(struct event_spec *spec);

/*
 * Whether the PMU of an event accepts an AUX mapping: opens the event,
 * disabled, maps the smallest possible ring, and closes both.
 */
bool auxtrace_generic_maps(const struct event_spec *spec);

extern const struct auxtrace_ops auxtrace_intel_pt, auxtrace_intel_bts,
	auxtrace_cs_etm, auxtrace_arm_spe, auxtrace_generic;

#endif
