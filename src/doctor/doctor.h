/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rbtop --doctor: what this machine allows this user, what is missing, and the
 * commands that fix it.
 *
 * The facts are read (doctor_read) and tried (doctor_try), then judged from
 * these alone (doctor_judge), and printed.  Trials change nothing: events stay
 * disabled, and all is closed again.
 */
#ifndef RBTOP_DOCTOR_DOCTOR_H
#define RBTOP_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* The terminal; filled by the front end. */
struct doctor_terminal {
	bool is_terminal;	/* standard output is one */
	char type[64];		/* TERM, sanitized; "": not set */
	bool known;		/* terminfo has it, and can place its cursor */
	int colours;		/* 0: none */
	bool no_color;		/* NO_COLOR is set, and not empty */
	bool mouse;
	bool utf8;		/* the locale's character set */
	int rows, cols;		/* 0: unknown */
};

/* The options of the kernel's configuration that rbtop needs, and what is
 * missing without each. */
#define DOCTOR_CONFIGS(config)                                          \
	config(PERF_EVENTS, "perf events")                              \
	config(EVENT_TRACING, "tracepoints")                            \
	config(KALLSYMS, "names of kernel functions")                   \
	config(BPF_SYSCALL, "the host view by BPF")                     \
	config(DEBUG_INFO_BTF, "the host view by BPF")                  \
	config(UPROBE_EVENTS, "snapshots on calls of functions")        \
	config(CGROUP_PERF, "events of a cgroup (-G)")

enum doctor_config_option {
#define CONFIG(id, use) DOCTOR_CONFIG_##id,
	DOCTOR_CONFIGS(CONFIG)
#undef CONFIG
	DOCTOR_CONFIG_OPTIONS
};

struct doctor_config {
	char from[96];		/* the file; "": none could be read */
	char why[96];		/* why none could be read; else "" */
	bool set[DOCTOR_CONFIG_OPTIONS];	/* =y or =m */
};

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

/* PMUs listed: all; those that do not trace. */
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

/* What is known of the machine and the user, before it is judged.  Plain data,
 * so that a test can state any machine. */
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
	bool used_by_bpf;	/* as the kernel counts it; else a sum of
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
	bool no_ends;		/* it cannot count what events lose between the
				 * last poll and their end */
	struct doctor_trial drops;	/* loading the program that counts
					 * drops */
	bool bpf_built_in, zlib_built_in;
	struct doctor_number kallsyms;	/* symbols with addresses; -EACCES:
					 * hidden */
	size_t processes, readable;	/* in /proc; those whose maps can be
					 * read */
};

enum doctor_id {
#define DOCTOR(id, name) DOCTOR_##id,
#include "doctor/doctor.def"
#undef DOCTOR
	DOCTOR_ITEMS
};

enum doctor_state {
	DOCTOR_OK,
	DOCTOR_LIMITED,		/* rbtop works, and something does not */
	DOCTOR_MISSING,
	DOCTOR_UNKNOWN,		/* it cannot be found out; the fact says why */
	DOCTOR_STATES
};

struct doctor_item {
	enum doctor_state state;
	char fact[480];		/* a sentence with the figure */
	char remedy[320];	/* a command for a shell; "": ok, or none
				 * helps */
};

/* "mlock"; "limited". */
const char *doctor_name(enum doctor_id id);
const char *doctor_state_name(enum doctor_state state);

/*
 * Read the facts from files below @root ("": those of this machine), except
 * facts->terminal, which is left as it is.
 */
void doctor_read(const char *root, struct doctor_facts *facts);
/*
 * Add what can only be found out by trying, on this machine: opens the events
 * and rings that rbtop opens by default, a moment of SCHED_FIFO, the BPF
 * programs, and the files of other processes.
 */
void doctor_try(struct doctor_facts *facts);

/* Write all items. */
void doctor_judge(const struct doctor_facts *facts,
		  struct doctor_item items[DOCTOR_ITEMS]);
/* Whether rbtop without options would start, by these items. */
bool doctor_starts(const struct doctor_item items[DOCTOR_ITEMS]);

/*
 * Print a line per item, and one for its remedy; facts are folded to @columns,
 * 0: not at all.
 */
void doctor_print_text(const struct doctor_item items[DOCTOR_ITEMS],
		       int columns, FILE *out);
/* The same as a JSON object.  0 or -ENOMEM. */
int doctor_print_json(const struct doctor_item items[DOCTOR_ITEMS], FILE *out);

/* Set @config->set from the lines of @text. */
void doctor_config_parse(const char *text, struct doctor_config *config);

/*
 * The judgement of each item, from facts alone, and what the judges share.
 * Files of doctor_judge_NAME(): doctor_access.c and doctor_system.c.
 */
typedef void doctor_judge_fn(const struct doctor_facts *f,
			     struct doctor_item *item);
#define DOCTOR(id, name) doctor_judge_fn doctor_judge_##name;
#include "doctor/doctor.def"
#undef DOCTOR

/* Set the state and the fact; or add to the fact. */
void doctor_say(struct doctor_item *item, enum doctor_state state,
		const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void doctor_add(struct doctor_item *item, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Add a command to the remedy: all of them are needed. */
void doctor_fix(struct doctor_item *item, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/*
 * Add the command that gives rbtop the capabilities for all that it can
 * do; none if file capabilities would not help this user.
 */
void doctor_fix_by_setcap(const struct doctor_facts *f,
			  struct doctor_item *item);

/* Whether the user has the capability, where the kernel asks for it. */
bool doctor_has_cap(const struct doctor_facts *f, unsigned int capability);
/* Whether perf_event_paranoid does not apply: CAP_PERFMON, CAP_SYS_ADMIN. */
bool doctor_is_privileged(const struct doctor_facts *f);
/* kernel.perf_event_paranoid; 2, the kernel's default, if unknown. */
long long doctor_paranoid(const struct doctor_facts *f);

#endif
