/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PMUs that trace into AUX rings, behind one set of operations.
 *
 * A PMU is a file of its own with an ops table, and a row in auxtrace_open.c.
 * What a table does is what perf does for that PMU (tools/perf/arch, and
 * tools/perf/util of the same names), for perf is what reads the files.
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

/* Where PMUs and CPUs are looked up; tests point it at trees of their own. */
struct auxtrace_env {
	const char *pmus;	/* "/sys/bus/event_source/devices" */
	const char *cpus;	/* "/sys/devices/system/cpu" */
	const char *modules;	/* "/sys/module"; NULL: not looked at */
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
#define AUXTRACE_PERF_LEAST AUXTRACE_PERF(6, 1)

/* What the command line says of tracing. */
struct auxtrace_opts {
	uint64_t aux_bytes;	/* -m ,SIZE; 0: perf's default */
	uint64_t snapshot_bytes; /* -S SIZE: the newest of each ring; 0: all */
	bool full_trace;	/* --full-trace */
	unsigned int perf;	/* --perf-version; 0: AUXTRACE_PERF_LEAST */
	bool asked;		/* by -S, --full-trace or -m ,SIZE: that no
				 * event traces is an error then */
};

/* A session's tracing, as auxtrace_open() settled it. */
struct auxtrace {
	const struct auxtrace_ops *ops;
	char pmu[64];		/* of the first event that traces */
	size_t spec;		/* its index in the event list */
	uint64_t snapshot_bytes; /* most of a ring that is copied in snapshot
				  * mode; 0: all of it */
	bool overwrite;		/* snapshot mode */
	bool per_cpu;		/* rings of CPUs, not of threads */
	bool by_task;		/* its events follow tasks */
	unsigned int perf;	/* the oldest that must read the files */
	char warning[240];	/* "": none */
};

/*
 * What AUXTRACE_INFO is made of.  @conv is from the user page of the first
 * ring; @cpus are those of the rings, or all that are online where rings
 * follow threads.
 */
struct auxtrace_info {
	const struct auxtrace_env *env;
	const struct auxtrace *trace;
	const struct event_spec *spec;
	const struct perf_event_attr *attr;	/* as it was opened */
	struct perf_time_conv conv;
	const struct cpulist *cpus;
	bool switch_events;	/* SWITCH records are in the file */
	const struct hw_id *hw_ids;	/* those known so far */
	size_t nr_hw_ids;
};

/*
 * What is remembered of a ring between snapshots.  Zeroed: nothing yet.  A
 * head that is an offset does not tell whether the ring was ever full; what
 * stands behind it does, and it stays full then.
 */
struct auxtrace_track {
	bool full;
};

/* What to copy of a ring, positions of its head: see auxtrace_pieces(). */
struct auxtrace_span {
	uint64_t from, to;
};

struct auxtrace_ops {
	const char *name;	/* of the kind: "Intel PT" */
	uint32_t type;		/* in AUXTRACE_INFO; 0: perf knows no decoder,
				 * and info_size is NULL */
	uint64_t min_bytes;	/* of a ring in full trace, and ... */
	uint64_t min_snapshot_bytes; /* ... in snapshot mode; 0: a page */
	unsigned int alignment;	/* of a record: a snapshot is cut to whole
				 * ones; 1: a stream */
	bool cuts_by_aux;	/* its decoder cuts the trace by AUX records,
				 * and fails at those whose trace is not
				 * there; their positions run freely */
	bool several;		/* one PMU for each kind of core: events of
				 * more than one of them go together */

	/*
	 * Whether @pmu of env->pmus is of this kind.  NULL: one that no other
	 * kind claims, none of the kernel's own types and no core's, that takes
	 * an AUX mapping; see auxtrace_generic_maps().
	 */
	bool (*probe)(const struct auxtrace_env *env, const char *pmu);
	/*
	 * Give @spec (an event of trace->pmu) what perf gives it by default,
	 * and @session what its kind takes: aux_watermark, switch_events, ...
	 * 0 or -errno with @err.
	 */
	int (*configure)(const struct auxtrace_env *env,
			 const struct auxtrace *trace,
			 struct session_opts *session, struct event_spec *spec,
			 struct err *err);
	/*
	 * Bytes of trace between two places at which a decoder can start, with
	 * @spec as configured.  NULL: it can start at any record, or this is
	 * not known.
	 */
	uint64_t (*sync_bytes)(const struct auxtrace_env *env,
			       const struct event_spec *spec);
	/* The u64 words of AUXTRACE_INFO after its type. */
	size_t (*info_size)(const struct auxtrace_info *from);
	/* Fill @priv with them.  0 or -errno with @err. */
	int (*info_fill)(const struct auxtrace_info *from, uint64_t *priv,
			 size_t words, struct err *err);
	/*
	 * Around the copying of a snapshot: stop tracing in all rings of it
	 * (session_aux_hold(), whose arguments these are), and let each go on
	 * as soon as it was copied.  The caller ends it by
	 * session_aux_release().
	 */
	int (*snapshot_start)(struct session *s, const bool *skip,
			      double *spread, struct err *err);
	void (*snapshot_finish)(struct session *s, size_t ring);
	/* What a stopped ring in snapshot mode holds; @head as read from it. */
	struct auxtrace_span (*find_snapshot)(struct auxtrace_track *track,
					      const struct aux_ring *aux,
					      uint64_t head);
	/* For PERF_RECORD_AUXTRACE.reference. */
	uint64_t (*reference)(void);
	/*
	 * The time of the oldest decodable part of @trace, from its own
	 * timestamps, in ns of the clock of @conv; @now: the current value of
	 * the counter.  0: not known.  NULL: never known for this kind of
	 * trace.
	 */
	uint64_t (*oldest)(const struct perf_time_conv *conv, uint64_t now,
			   const unsigned char *trace, size_t len);
	/*
	 * Full trace, after aux_tail was moved: let the event @fd go on that
	 * stopped for lack of room.  0 or -errno.
	 */
	int (*read_finish)(int fd);
};

/*
 * Find the events of @session that trace, give them and the session what their
 * kind needs (event_spec.aux, session_opts.aux_bytes, ring_bytes, ...), resolve
 * their address filters.  Before session_open().  Returns 1 with @trace; 0
 * where no event traces; or -errno with @err: kinds that do not go together, a
 * ring too small, no such symbol.
 */
int auxtrace_open(const struct auxtrace_env *env,
		  const struct auxtrace_opts *opts,
		  struct session_opts *session, struct auxtrace *trace,
		  struct err *err);

/* The env of this machine. */
void auxtrace_env_here(struct auxtrace_env *env);

/*
 * What to copy of a ring, beginning with a whole record.  In snapshot mode, of
 * a stopped one, what it holds (ops->find_snapshot()), the newest
 * trace->snapshot_bytes of it; in full trace, be it stopped or not, what was
 * not consumed yet.  from == to: no trace.
 */
struct auxtrace_span auxtrace_find(const struct auxtrace *trace,
				   struct auxtrace_track *track,
				   const struct aux_ring *aux);
/*
 * The bytes of a span, in two pieces: aux_ring_pieces() without what stands
 * between the last whole record and the ring's end.  Records of BTS never go
 * on at the ring's beginning, and no power of two is a multiple of 24.
 */
struct aux_pieces auxtrace_pieces(const struct auxtrace *trace,
				  const struct aux_ring *aux,
				  struct auxtrace_span span);
/*
 * Copy them to @to, which has room for the span.  Returns how many bytes that
 * gave.
 */
size_t auxtrace_copy(const struct auxtrace *trace, const struct aux_ring *aux,
		     struct auxtrace_span span, unsigned char *to);

/* What the tables share: see the ops of these names. */
int auxtrace_snapshot_start(struct session *s, const bool *skip,
			    double *spread, struct err *err);
void auxtrace_snapshot_finish(struct session *s, size_t ring);
struct auxtrace_span auxtrace_find_snapshot(struct auxtrace_track *track,
					    const struct aux_ring *aux,
					    uint64_t head);
/*
 * Whether all of a ring in snapshot mode holds trace, by a head read from it
 * and by what stands behind that; once it is so, @track knows.  The rule of
 * what is copied and of what is shown.  While tracing runs, a ring whose last
 * page is being written for the first time counts as full already.
 */
bool auxtrace_was_full(struct auxtrace_track *track,
		       const struct aux_ring *aux, uint64_t head);
int auxtrace_read_finish(int fd);
/* The CPU's counter where it has one that user space reads, else ns. */
uint64_t auxtrace_reference(void);
/* They are so in all tables. */
#define AUXTRACE_COMMON_OPS                            \
	.snapshot_start = auxtrace_snapshot_start,     \
	.snapshot_finish = auxtrace_snapshot_finish,   \
	.find_snapshot = auxtrace_find_snapshot,       \
	.reference = auxtrace_reference,               \
	.read_finish = auxtrace_read_finish

/*
 * The CPUs that env->cpus says are online, to be freed with cpulist_free().
 * 0 or -errno with @err.
 */
int auxtrace_online(const struct auxtrace_env *env, struct cpulist *cpus,
		    struct err *err);
/* A number in a file of the PMU ("caps/min_interval"), decimal or 0x hex; of
 * @hex files always hex.  -errno where it cannot be read. */
int auxtrace_number(const struct auxtrace_env *env, const char *pmu,
		    const char *file, bool hex, uint64_t *value);
/* The mask in attr.config of a term of format/, 0 where it is not there. */
uint64_t auxtrace_term_mask(const struct auxtrace_env *env, const char *pmu,
			    const char *term);

/*
 * The bits of attr.config that the terms of @spec gave a value, 0 too: what
 * they did not is the kind's to choose.  They are read from the event's name,
 * which is its text; of one that was named (name=) a zero cannot be told from
 * nothing.
 */
uint64_t auxtrace_given(const struct auxtrace_env *env,
			const struct event_spec *spec);
/* Put @value into the whole of a mask, its lowest bits first; and back. */
uint64_t auxtrace_scatter(uint64_t value, uint64_t mask);
uint64_t auxtrace_gather(uint64_t bits, uint64_t mask);
/* Four words of AUXTRACE_INFO of Intel's: time_shift, time_mult, time_zero and
 * whether they are good for anything. */
void auxtrace_info_conv(const struct perf_time_conv *conv, uint64_t words[4]);
/* Period 1 and no frequency, which most kinds take no other than. */
void auxtrace_period_one(struct event_spec *spec);

/*
 * Whether the PMU of an event takes an AUX mapping: by opening one, disabled,
 * and mapping the least there is.  Nothing of it remains.
 */
bool auxtrace_generic_maps(const struct event_spec *spec);

extern const struct auxtrace_ops auxtrace_intel_pt, auxtrace_intel_bts,
	auxtrace_cs_etm, auxtrace_arm_spe, auxtrace_generic;

#endif
