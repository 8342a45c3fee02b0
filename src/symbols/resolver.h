/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an address was called at the time its sample was taken.  Fed with the
 * side-band in the order of time, and asked in that order too.
 *
 * Used from one thread, which may take its time: files are loaded when the
 * first address of theirs comes, by processes of their own, so that one which
 * hangs holds up nothing else: its addresses are called "[loading]" until it
 * has come.  Each file is parsed once, whoever maps it; those not asked for
 * longest make room where memory is over the limit.
 */
#ifndef RBTOP_SYMBOLS_RESOLVER_H
#define RBTOP_SYMBOLS_RESOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "samples/symbol.h"
#include "perf/abi/side_band.h"

struct err;
struct names;
struct resolver;

struct resolver_opts {
	const char *proc;	/* NULL: "/proc" */
	const char *kallsyms;	/* NULL: "/proc/kallsyms" */
	const char *debug_root;	/* NULL: "/usr/lib/debug" */
	size_t limit;		/* bytes of symbols; 0: 48 MiB */
	const pid_t *pids;	/* whose maps to read at the start; none: all */
	size_t nr_pids;
	unsigned int loaders;	/* processes that load files; 0: loaded here,
				 * however long it takes */
	struct names *names;	/* borrowed */
};

/*
 * Opens /proc/kallsyms, which takes a privilege that is dropped later, and
 * reads nothing yet.  NULL with @err.
 */
struct resolver *resolver_new(const struct resolver_opts *opts,
			      struct err *err);
void resolver_free(struct resolver *r);

/* The processes that load files: up to @max pids.  Their number. */
size_t resolver_loaders(const struct resolver *r, pid_t *pids, size_t max);

/* A record of the side-band, in the order of time. */
void resolver_record(struct resolver *r, const struct side_band *record);
/* Records were lost: /proc is read again. */
void resolver_resync(struct resolver *r);

/*
 * What @ip is called in process @pid; @cpumode as PERF_RECORD_MISC_*.  Always
 * fills @out.
 */
void resolver_symbol(struct resolver *r, pid_t pid, uint16_t cpumode,
		     uint64_t ip, struct symbol *out);
/* A task's comm, kept among the names. */
const char *resolver_comm(struct resolver *r, pid_t pid, pid_t tid);
/* A control group's path, kept among the names; NULL: no record told. */
const char *resolver_cgroup(struct resolver *r, uint64_t id);
/* The kernel function at or before @addr; NULL.  For print formats. */
const char *resolver_function(struct resolver *r, uint64_t addr,
			      uint64_t *start);

/*
 * Work that nobody waits for, some ms of it: reading /proc of what already
 * ran, JIT maps again, forgetting who exited.  @now_ns: CLOCK_MONOTONIC, up to
 * which records were taken in.  True while there is more to do.
 */
bool resolver_idle(struct resolver *r, uint64_t now_ns);

struct resolver_stats {
	uint64_t kernel_symbols;
	const char *kernel_hidden;	/* why, and the remedy; NULL */
	size_t files, processes;
	size_t cut;			/* files, JIT maps too, with more than
					 * found room */
	size_t bytes, limit;
	uint64_t evicted;		/* files that made room */
	size_t loading;			/* files yet to come */
	const char *stuck;		/* one that takes over a second; NULL */
	double loader_cpu;		/* seconds that its processes took */
};
void resolver_read_stats(const struct resolver *r,
			 struct resolver_stats *stats);

#endif
