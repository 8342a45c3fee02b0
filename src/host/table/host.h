/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every perf ring and BPF ring buffer on the machine, whoever owns it, as
 * screens and exports see them: what was read of the kernel from time to time,
 * and what follows from two readings.
 *
 * Nobody but the owner of a ring sees each drain of it.  What is made of looks
 * at intervals can only bound the truth, and is marked so: "at least", "at
 * most".
 *
 * Units: bytes, records, seconds, ratios 0..1.  UNKNOWN and NAN are
 * "cannot be known".
 */
#ifndef RBTOP_HOST_TABLE_HOST_H
#define RBTOP_HOST_TABLE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/unknown.h"
#include "ring/advice.h"
#include "ring/history.h"


enum host_kind {
	HOST_PERF_RING,		/* of perf events: mmap(2) of one of them */
	HOST_BPF_RINGBUF,	/* BPF_MAP_TYPE_RINGBUF */
};

/* enum perf_event_state, include/linux/perf_event.h */
enum host_event_state {
	HOST_EVENT_UNKNOWN,
	HOST_EVENT_ACTIVE,	/* counting now */
	HOST_EVENT_INACTIVE,	/* enabled; its task does not run, or others
				 * have the counter */
	HOST_EVENT_OFF,		/* disabled: by its owner, or by the kernel */
	HOST_EVENT_ERROR,	/* pinned, and found no counter */
	HOST_EVENT_GONE,	/* its task has ended */
};

/* What goes wrong in the field; bits 1 << HOST_WARN_... */
enum host_warning {
	HOST_WARN_UNDRAINED,	/* the owner was woken and has not drained for
				 * HOST_UNDRAINED seconds; a ring that is all
				 * but empty harms nobody */
	HOST_WARN_PENDING,	/* records lost of which its owner was not
				 * told */
	HOST_WARN_LOSING,	/* records were lost in the tick */
	HOST_WARN_PAUSED,	/* output is paused: what comes is lost */
	HOST_WARN_THROTTLED,	/* the kernel holds an event back until the
				 * next clock tick */
	HOST_WARN_TRUNCATED,	/* an AUX ring is full, and its event off or its
				 * head still */
	HOST_WARN_ERROR,	/* a pinned event found no counter */
	HOST_WARN_MLOCK,	/* the owner's uid is at its mlock limit */
	HOST_WARN_BAD_TAIL,	/* its owner stored an invalid tail */
	HOST_WARN_FULL,		/* a BPF ring buffer was nearly full in the
				 * tick: records that do not fit are lost, and
				 * not counted */
	HOST_WARNINGS
};
#define HOST_UNDRAINED 5.0

/* An event that writes into a ring. */
struct host_event {
	uint64_t id;		/* as PERF_EVENT_IOC_ID gives it */
	const char *name;	/* lives as long as what watches */
	int cpu;		/* -1: any */
	pid_t tid;		/* that it follows, -1: none */
	enum host_event_state state;
	bool throttled;
	bool maps;		/* its own mapping is the ring's; else it was
				 * redirected (PERF_EVENT_IOC_SET_OUTPUT) */
	bool freq;		/* period is in Hz */
	uint64_t period;	/* 0: does not sample */
	uint64_t count;		/* of the event itself, without children */
	uint64_t lost;		/* since it was opened; UNKNOWN before
				 * Linux 6.0 */
	double lost_per_s;
};

/* The AUX ring beside a perf ring; size 0: there is none. */
struct host_aux {
	uint64_t size, watermark;
	bool overwrite;		/* snapshot mode: the head is as of the last
				 * stop */
	uint64_t head, tail;	/* the tail is as the owner wrote it */
	bool bad_tail;		/* see struct host_row */
	uint64_t used;		/* UNKNOWN in snapshot mode */
	double fill;		/* NAN in snapshot mode */
	double bytes_per_s;	/* by the head; NAN in snapshot mode */
};

/* A process that holds a ring, by a mapping or by a file descriptor. */
struct host_holder {
	pid_t pid;
	char comm[16];
	bool maps;
};
enum { HOST_HOLDERS = 4 };	/* named; more are only counted */

struct host_row {
	uint64_t id;		/* counts from 1, never used again: a ring that
				 * is remapped or redirected keeps it */
	enum host_kind kind;
	char label[24];		/* "CPU 3", "tid 1234", "all CPUs" */
	int cpu;		/* -1: none */
	pid_t tid;		/* -1: none */
	pid_t pid;		/* of the owner: who maps it, else who holds a
				 * file descriptor; -1: not known */
	char comm[16];
	uid_t uid;		/* (uid_t)-1: not known */
	char user[32];		/* its name, else the number */
	bool self;		/* the ring is rbtop's own */
	bool stopped;		/* its owner is: SIGSTOP, a debugger */
	struct host_holder holders[HOST_HOLDERS];	/* the owner first */
	unsigned int nr_holders;	/* may be more than are named */
	char event[96];		/* "cpu-clock", "sched:sched_switch +3"; the
				 * name of the map of a BPF ring buffer */
	struct host_event *events;
	size_t nr_events;
	uint32_t map_id;	/* BPF map that is the ring, or in whose slots
				 * its events stand; 0: none */
	char map[32];		/* the map's name; "" */

	bool mapped;		/* a mapping of it was seen; else only file
				 * descriptors */
	bool known;		/* the kernel was asked; else (no BPF) only
				 * owner, size and what is pinned are known, and
				 * all below that can be is UNKNOWN, NAN */
	uint64_t size;
	uint64_t watermark;	/* 0: none (a BPF ring buffer) */
	uint64_t wakeup_events;	/* 0: woken by the watermark */
	bool overwrite;		/* nobody drains it: head runs on */
	bool paused;
	bool woken;		/* and has not polled since */
	uint64_t head, tail;	/* free running; of backward rings the bytes
				 * written */
	bool bad_tail;		/* in the tick the tail was beyond the head, or
				 * a ring or more behind it */
	uint64_t used;		/* waiting, <= size, as the kernel computes it,
				 * also with a bad tail */
	double fill;		/* used / size; of an overwrite ring the part
				 * that holds records */
	double peak;		/* highest fill that was seen: at least; 1 too
				 * where a record found no room */
	double peak_tick;
	uint64_t next_crossing;	/* position that the head must pass to wake the
				 * owner next: its own where each record wakes;
				 * 0: none */
	uint64_t bytes;		/* written since it is watched */
	double bytes_per_s;
	uint64_t crossings;	/* multiples of the watermark that the head has
				 * passed, of the ring mapped now; see
				 * ring_crossings() in perf/abi/ring.h;
				 * UNKNOWN of a BPF ring buffer */
	uint64_t wakeups;	/* since it is watched; UNKNOWN of a BPF
				 * ring buffer */
	double wakeups_per_s;
	uint64_t drains;	/* steps of the tail seen: at least so many */
	double drains_per_s;
	double undrained;	/* seconds since the tail last moved, at least,
				 * while data waits; 0: none waits */
	double worst_gap;	/* longest of that so far: at least */
	uint64_t lost;		/* by its events since they were opened,
				 * reported and pending; a BPF ring buffer does
				 * not count: UNKNOWN */
	uint64_t lost_reported;	/* in LOST records; never falls */
	uint64_t lost_pending;	/* that no LOST record has told of yet: the
				 * rest */
	double lost_per_s;
	uint64_t remapped;	/* times that another ring took its place */
	struct host_aux aux;
	uint64_t locked;	/* memory that it pins, AUX included */
	unsigned int warnings;	/* bits 1 << enum host_warning */
	struct advice advice;	/* from the bursts and gaps seen */

	bool gone;		/* last figures: totals are lower bounds, rates
				 * and undrained are NAN */
	double first_seen, last_seen;	/* CLOCK_MONOTONIC */
	const struct history *fill_history;	/* peak_tick of past ticks */
	const struct history *rate_history;	/* bytes_per_s */
	const struct history *lost_history;	/* lost_per_s */
};

/* What a user has pinned, and may. */
struct host_user {
	uid_t uid;
	char name[32];
	uint64_t locked;	/* user->locked_vm in bytes; UNKNOWN */
	uint64_t limit;		/* perf_event_mlock_kb for each CPU online */
	uint64_t pinned;	/* beyond that, of the owner that pins most
				 * (VmPin) */
	uint64_t memlock;	/* its RLIMIT_MEMLOCK; UNKNOWN: none */
	bool exempt;		/* CAP_IPC_LOCK, or perf_event_paranoid < 0 */
	bool at_limit;
	unsigned int rings;
};

struct host_status {
	bool ready;		/* at least one pass was made */
	bool bpf;		/* the kernel is asked; else /proc alone */
	char reason[240];	/* why not, and what mends it; "" */
	char error[160];	/* what the last pass failed with; "" */
	uint64_t passes;
	double interval;	/* seconds between passes, as they are now */
	double cost;		/* CPU seconds that a pass takes */
	double whole_age;	/* seconds since all processes were looked at */
	uint64_t files;		/* file descriptors that are perf events */
	uint64_t ringless;	/* events that have no ring: counters */
	uint64_t processes;	/* that hold one */
	unsigned int hidden;	/* processes that may not be looked into: what
				 * they hold is not listed */
};

struct host_total {
	unsigned int rings, ringbufs;	/* not gone */
	unsigned int owners;
	uint64_t size, used, locked;
	double bytes_per_s, wakeups_per_s, lost_per_s;
	/* Of all rings ever seen, so these never fall: */
	uint64_t bytes, drains;	/* since first seen */
	uint64_t wakeups;	/* the same; UNKNOWN where there was no
				 * perf ring, as is lost_pending */
	uint64_t lost;		/* since their events were opened; UNKNOWN
				 * if it is known of no perf ring */
	uint64_t lost_pending;	/* part of lost; if that is unknown, of present
				 * rings.  Never reported if the owner exited */
	bool at_least;		/* a ring is gone, and what came after the last
				 * look at it is missing */
	unsigned int uncounted;	/* BPF ring buffers that can fill up: their
				 * losses are not counted */
	unsigned int warned;	/* rows with a warning */
	unsigned int warnings;	/* all their bits */
	double peak_tick;	/* of the worst */
};

struct host {
	struct host_row *rows;	/* in the order in which they came */
	size_t nr_rows;
	struct host_user *users;	/* by uid */
	size_t nr_users;
	struct host_status status;
	struct host_total total;
	pid_t self;		/* rbtop's pid */
	double time;		/* unix seconds */
	double interval;	/* that rates are over; 0 at first */
};

/* "undrained", "pending", ...: for exports, the screen and the man page. */
const char *host_warning_name(enum host_warning warning);
/* "its owner has not drained it for 12s: ..." into @buf; which is returned. */
char *host_warning_text(enum host_warning warning, const struct host_row *row,
			char *buf, size_t size);
/* "perf", "bpf". */
const char *host_kind_name(enum host_kind kind);
/* "active", "inactive", "off", ... */
const char *host_event_state_name(enum host_event_state state);
/* The row of an id; NULL where there is none. */
const struct host_row *host_find(const struct host *host, uint64_t id);

#endif
