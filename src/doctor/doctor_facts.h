/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts about the machine and the user, before they are judged.
 * Plain data, so that a test can state any machine.
 */
#ifndef RBTOP_DOCTOR_DOCTOR_FACTS_H
#define RBTOP_DOCTOR_DOCTOR_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "doctor/doctor_config.h"
#include "doctor/doctor_terminal.h"

/* A number of the kernel; @error: 0, or -errno if it could not be read. */
struct doctor_number {
	int error;
	long long value;
};

/* The result of a trial. */
struct doctor_trial {
	int error;		/* 0, or -errno */
	char said[400];		/* the error, or a notice; "" */
};

/* The names of those that trace, and of a line of others. */
enum { DOCTOR_PMUS_MAX = 64, DOCTOR_PMUS_NAMED = 40 };

struct doctor_pmu {
	char name[48];
	char kind[24];		/* of one that traces: "Intel PT"; "" */
	char caps[200];		/* its caps/, as "name=value ..." */
};

/* The user and the process. */
struct doctor_user {
	uid_t uid;
	gid_t gid;
	uint64_t caps;		/* effective, bits 1 << CAP_...; only those that
				 * count: 0 in another user namespace */
	bool initial_user_ns, initial_pid_ns;
	bool no_new_privs;
	long long seccomp;	/* mode; 0: no filter */
	bool nosuid;		/* rbtop's file system ignores capabilities */
	char program[200];	/* path of rbtop, as a word for a shell; "":
				 * unknown */
};

struct doctor_facts {
	struct doctor_user user;
	struct doctor_terminal terminal;

	char release[64], machine[32];	/* uname(2) */
	struct doctor_config config;
	struct doctor_number paranoid, mlock_kb, max_rate, cpu_percent;
	struct doctor_number kptr_restrict, nmi_watchdog, last_cap;
	struct doctor_number btf;	/* bytes */
	long long lowered_to;	/* the kernel's log: it lowered the sample rate
				 * to that; 0: it did not, or is not readable */
	char lockdown[24];	/* "none", "integrity", ...; "": no such file */
	bool securityfs;	/* is mounted, where that file would be */
	char distribution[24];	/* ID of os-release */
	bool debug_files;	/* /usr/lib/debug has some */
	bool perf_cache;	/* ~/.debug/.build-id exists */
	char debug_cache[128];	/* directory of debuginfod's cache; "" */
	size_t jit_maps;	/* /tmp/perf-PID.map */
	char hidepid[16];	/* option of /proc: "invisible"; "": none */

	size_t cpus;		/* online; 0: unknown */
	size_t page_size;
	uint64_t memlock;	/* RLIMIT_MEMLOCK, bytes; UNKNOWN: unlimited */
	uint64_t used;		/* pinned by this user for rings; UNKNOWN */
	bool used_by_bpf;	/* by the kernel's account; else a sum of
				 * mappings */

	struct doctor_pmu pmus[DOCTOR_PMUS_MAX];
	size_t nr_pmus;
	size_t more_pmus;	/* that are not in @pmus */
	int pmus_error;		/* -errno: sysfs has no list */
	char core[48];		/* PMU of the CPU cores; "": none */

	/* results of trials */
	struct doctor_trial start;	/* session_open() as by default */
	size_t rings;
	uint64_t ring_bytes;
	char event[64];
	struct doctor_trial own;	/* a user-space event of this thread */
	struct doctor_trial realtime;	/* SCHED_FIFO */
	char tracefs[40];	/* where it is mounted; "": nowhere */
	bool tracefs_dir;	/* it can be mounted */
	int tracepoint_error;	/* reading a tracepoint's id: 0 or -errno */
	struct doctor_trial bpf;	/* loading, and a pass */
	size_t bpf_rings;	/* found by that pass */
	bool no_ends;		/* it cannot see what events lose in the end */
	struct doctor_trial drops;	/* loading the program that counts
					 * drops */
	bool bpf_built_in, zlib_built_in;
	struct doctor_number kallsyms;	/* symbols with addresses; -EACCES:
					 * hidden */
	size_t processes, readable;	/* in /proc; those whose maps can be
					 * read */
};

#endif
