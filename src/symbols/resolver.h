/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names addresses as of the time of their samples.  Side-band records and
 * queries must come in the order of time.
 *
 * Use from one thread; calls may be slow.  Files are loaded on first use, by
 * separate processes, so that a file that hangs delays nothing else: its
 * addresses are "[loading]" meanwhile.  Each file is parsed once, whichever
 * processes map it; over the memory limit, those not used for longest are
 * evicted.
 */
#ifndef RBTOP_SYMBOLS_RESOLVER_H
#define RBTOP_SYMBOLS_RESOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "samples/symbol.h"
#include "perf/abi/side_band.h"

struct elf_build_id;
struct err;
struct names;
struct resolver;

struct resolver_opts {
	const char *proc;	/* NULL: "/proc"; "": records of a recording are
				 * all that is known of tasks, and each file is
				 * waited for, up to 5 s, unless
				 * proc_is_ended() */
	int64_t written;	/* with "": when the recording was (s), to read
				 * maps of JIT compilers that are not newer; 0:
				 * none is read */
	const char *kallsyms;	/* NULL: "/proc/kallsyms"; "": of another
				 * kernel, so that its vdso is one, too */
	const char *debug_root;	/* NULL: "/usr/lib/debug" */
	size_t limit;		/* bytes of symbols; 0: 48 MiB */
	const pid_t *pids;	/* read these mappings at the start; none:
				 * all */
	size_t nr_pids;
	unsigned int loaders;	/* processes that load files; 0: the caller
				 * loads them and may block */
	struct names *names;	/* borrowed */
};

/*
 * Opens /proc/kallsyms, which needs a privilege that is dropped later, without
 * reading it.  NULL with @err.
 */
struct resolver *resolver_new(const struct resolver_opts *opts,
			      struct err *err);
void resolver_free(struct resolver *r);

/* The pids of the loading processes, up to @max.  Returns their number. */
size_t resolver_loaders(const struct resolver *r, pid_t *pids, size_t max);

/*
 * The file at @path, as far as records do not say otherwise, has that build-id.
 * 0 or -ENOMEM.
 */
int resolver_know_build_id(struct resolver *r, const char *path,
			   const struct elf_build_id *id);
/* Forget what records said: they start again. */
void resolver_restart(struct resolver *r);

/* Any thread: wait for no file any more. */
void resolver_stop(struct resolver *r);

/* Process a side-band record, in the order of time. */
void resolver_record(struct resolver *r, const struct side_band *record);
/* Side-band records were lost: read /proc again. */
void resolver_resync(struct resolver *r);

/*
 * Name @ip in process @pid; @cpumode as PERF_RECORD_MISC_*.  Always sets @out.
 */
void resolver_symbol(struct resolver *r, pid_t pid, uint16_t cpumode,
		     uint64_t ip, struct symbol *out);
/* A task's comm, stored in names. */
const char *resolver_comm(struct resolver *r, pid_t pid, pid_t tid);
/* A cgroup's path, stored in names; NULL: no record had it. */
const char *resolver_cgroup(struct resolver *r, uint64_t id);
/*
 * True if the program of @pid certainly has rbtop's own ABI: a file or the vdso
 * is mapped above 4 GiB, which no 32-bit program has, nor an x32 one of x86.
 */
bool resolver_is_native(struct resolver *r, pid_t pid);
/* The kernel function at or before @addr; NULL.  For print formats. */
const char *resolver_function(struct resolver *r, uint64_t addr,
			      uint64_t *start);

/*
 * Background work for some ms: read /proc of running tasks, check JIT maps,
 * forget tasks that exited.  @now_ns: CLOCK_MONOTONIC time up to which records
 * were processed.  True if there is more to do.
 */
bool resolver_idle(struct resolver *r, uint64_t now_ns);

struct resolver_stats {
	uint64_t kernel_symbols;
	const char *kernel_hidden;	/* reason and remedy; NULL: not
					 * hidden */
	size_t files, processes;
	size_t cut;			/* files and JIT maps cut at the
					 * limit */
	size_t bytes, limit;
	uint64_t evicted;		/* evictions of files */
	size_t loading;			/* files being loaded */
	const char *stuck;		/* path of a file loading for more than
					 * a second; NULL */
	double loader_cpu;		/* CPU seconds of the loading
					 * processes */
};
void resolver_read_stats(const struct resolver *r,
			 struct resolver_stats *stats);

#endif
