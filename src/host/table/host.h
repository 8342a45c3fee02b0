/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All perf rings and BPF ring buffers of the machine, of any owner: as screens
 * and exports see them, with figures computed from two readings, and before
 * that, as a pass over the machine finds them.
 *
 * Only the owner of a ring sees each of its drains.  Figures from readings at
 * intervals are bounds, and marked as such: "at least", "at most".
 *
 * Units: as in ring_row.h.
 */
#ifndef RBTOP_HOST_TABLE_HOST_H
#define RBTOP_HOST_TABLE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "ring/ring_row.h"

struct cpulist;

/* Selects the rings to show. */
struct host_filter {
	const pid_t *pids;	/* only those of these owners; NULL: all */
	size_t nr_pids;
	const struct cpulist *cpus; /* only those of these CPUs; NULL: all */
	unsigned int kinds;	/* only of these, bits 1 << enum ring_kind; 0:
				 * all but those of io_uring, which every
				 * database and runtime may have */
};

bool host_filter_has(const struct host_filter *filter, enum ring_kind kind);
bool host_filter_shows(const struct host_filter *filter,
		       const struct ring_row *row);

/* Pinned memory and limits of a user. */
struct host_user {
	uid_t uid;
	char name[32];
	uint64_t locked;	/* user->locked_vm in bytes; UNKNOWN */
	uint64_t limit;		/* perf_event_mlock_kb for all online CPUs */
	uint64_t pinned;	/* beyond that limit, of the owner that pins
				 * most (VmPin) */
	uint64_t memlock;	/* RLIMIT_MEMLOCK of that owner; UNKNOWN:
				 * none */
	bool exempt;		/* CAP_IPC_LOCK, or perf_event_paranoid < 0 */
	bool at_limit;
	unsigned int rings;
	uint64_t smallest;	/* smallest of its rings, all pages, bytes */
	double read_at;		/* time of the reading of locked */
};

struct host_status {
	bool ready;		/* at least one pass was made */
	bool bpf;		/* read with BPF; else from /proc */
	char reason[240];	/* why not BPF, and the remedy; "" */
	char error[160];	/* problem of the last pass; "" */
	bool drops;		/* those of BPF ring buffers are counted */
	char uncounted[240];	/* why they are not all counted, though asked
				 * for; "" */
	uint64_t passes;
	double interval;	/* present seconds between passes */
	double cost;		/* CPU seconds that a pass takes */
	double whole_age;	/* seconds since all processes were read */
	uint64_t files;		/* file descriptors that are perf events */
	uint64_t ringless;	/* events without a ring: counters */
	uint64_t processes;	/* that hold events or rings */
	unsigned int hidden;	/* processes that rbtop may not read: their
				 * rings are not listed */
};

struct host {
	struct ring_row *rows;	/* in order of appearance */
	size_t nr_rows;
	struct host_user *users;	/* by uid */
	size_t nr_users;
	struct host_status status;
	/*
	 * Sizes, warnings and rates are sums over present rings, peaks those of
	 * the worst of them.  Bytes, drains, wakeups and losses include all
	 * rings ever seen, so they never decrease; unknown if no ring has them.
	 * Losses that were pending when an owner exited stay pending.
	 */
	struct ring_total total;
	char verdicts[320];	/* verdicts_text() of its rings */
	bool concern;		/* it says what to change */
	pid_t self;		/* rbtop's pid */
	double time;		/* unix seconds */
	double interval;	/* seconds that rates are over; 0 at first */
};

/* The row with @id; NULL if there is none. */
const struct ring_row *host_find(const struct host *host, uint64_t id);

/*
 * Whether the number of rings is known.  If none was found, it is unknown
 * before the first pass, and if some processes could not be read.
 */
bool host_is_counted(const struct host *host);

/*
 * Set the total's unknown figures to UNKNOWN, according to the status: without
 * BPF all but sizes; sizes as well if the number of rings is unknown.
 */
void host_limit_total(struct host *host);

/*
 * The result of one pass: events, rings and their holders.  Filled by
 * src/host/, consumed by host_table_add().  Plain data; UNKNOWN: not available.
 */

/* A perf event, once for all processes that hold it. */
struct host_pass_event {
	uint64_t ring;		/* key of the ring it writes to; 0: none */
	struct ring_event event;	/* lost_per_s is left 0 */
	uint64_t wakeup_events;	/* attr.wakeup_events; 0: watermark is set */
	uint64_t largest;	/* most bytes of a sample; 0: it does not
				 * sample */
	uint64_t usual;		/* bytes of each sample; 0: they vary, or
				 * none */
};

/* Samples of a ring that were inspected. */
struct host_sizes {
	uint64_t nr, bytes, max;	/* max: of the largest */
};

struct host_pass_ring {
	/*
	 * Perf ring: the address of its struct perf_buffer; BPF ring buffer:
	 * the map's id; ftrace: a hash of instance and CPU; io_uring: the
	 * address of its struct io_ring_ctx, of completions plus 1; AF_PACKET:
	 * of its struct packet_sock.  Unique in a pass; a later ring may get
	 * the address of one that was freed.
	 */
	uint64_t key;
	enum ring_kind kind;
	bool known;		/* all members are set; else only owner, size
				 * and pinned memory, see struct ring_row */
	uint64_t size;		/* of data, bytes */
	uint64_t locked;	/* bytes pinned, user page and AUX included */
	uint64_t watermark;
	bool overwrite, backward, paused, woken;
	uint64_t head;		/* the kernel's; of a backward ring as it is,
				 * decreasing from 0 */
	uint64_t tail;		/* as stored by the owner: may be any value */
	/*
	 * rb->wakeup (kernel/events/ring_buffer.c): advances by the watermark
	 * at each crossing, and by 1 at each wakeup of wakeup_events.
	 */
	uint64_t wakeup;
	bool by_watermark;	/* attr.watermark of the event that maps it */
	uint64_t lost;		/* not reported yet */
	uint64_t lost_in_all;	/* of ftrace and io_uring, which count since the
				 * ring was made; of AF_PACKET, since its owner
				 * last read the count */
	struct host_sizes sizes;
	uint64_t lost_in_record; /* records lost in one gap between drains, from
				 * a LOST record among these; 0: none */
	struct {
		uint64_t size, watermark, head, tail;
		bool overwrite;
	} aux;
	uid_t uid;		/* user charged for it; (uid_t)-1: unknown */
	uint64_t user_locked;	/* user->locked_vm, bytes */
	uint32_t map_id;	/* id of its BPF map; 0: none */
	char map[32];
	struct ring_program programs[RING_PROGRAMS];
	unsigned int nr_programs;	/* may exceed RING_PROGRAMS */
	bool to_kernel;		/* see struct ring_row */
	uint32_t entry;		/* bytes of an entry of io_uring, or of a frame
				 * of AF_PACKET, of which the head is known
				 * modulo the size; 0: TPACKET_V3 */
	/* Of a BPF ring buffer. */
	uint64_t rb;		/* address of its struct bpf_ringbuf */
	struct {
		double from;	/* counted since then, CLOCK_MONOTONIC seconds,
				 * or since it was made; 0: not counted */
		uint64_t records;	/* refused since then */
		uint64_t bytes;	/* that they would have taken */
	} drops;
	/* Of an AF_PACKET ring. */
	struct {
		char dev[64];	/* interface, sanitized; "any"; "": removed */
		uint64_t inode;
		uint64_t blocks;	/* passed to the reader so far; 0: it
					 * has frames */
		uint64_t packets;	/* received since its owner last read
					 * the count, those lost not included */
		uint32_t frame;	/* bytes per frame, as the owner counts them */
	} packet;
	/* Of an ftrace buffer. */
	struct {
		char instance[88];	/* sanitized; "": the top one */
		int cpu;
		uint64_t reads;	/* grows when events are read */
	} ftrace;
};

/* What the main thread of a process does. */
enum host_output {
	HOST_OUTPUT_UNKNOWN,
	HOST_OUTPUT_OTHER,
	HOST_OUTPUT_WAITS,	/* sleeps in a system call that writes */
};

/* Process @pid holds the ring with that key. */
struct host_pass_holder {
	uint64_t ring;
	pid_t pid;
	char comm[16];
	uid_t uid;		/* (uid_t)-1: unknown */
	bool stopped;		/* by SIGSTOP or a debugger */
	int priority;		/* of its main thread, as the kernel counts:
				 * 100 to 139 are nice -20 to 19, less is
				 * realtime; 0: unknown */
	uint64_t run_delay;	/* ns that its main thread has waited for a CPU
				 * so far; UNKNOWN */
	uint64_t run_time;	/* ns that it ran so far; UNKNOWN, also if it is
				 * not the only thread */
	enum host_output output;
	bool maps;		/* has a mapping of it; else a descriptor of one
				 * of its events, or of the map */
	double read_at;		/* time of the pass; set by the table */
};

/* A perf event that has ended since it was read in a pass. */
struct host_pass_end {
	uint64_t id;
	uint64_t lost;		/* in all its life */
};

/* Limits of a process that maps rings. */
struct host_pass_limit {
	pid_t pid;
	uint64_t pinned;	/* VmPin, bytes */
	uint64_t memlock;	/* RLIMIT_MEMLOCK; UNKNOWN: unlimited */
	bool ipc_lock;		/* has CAP_IPC_LOCK */
};

/* Parts of a pass. */
enum host_part {
	HOST_FILES = 1,		/* file descriptors */
	HOST_MAPPINGS = 2,	/* mapped rings: those whose descriptors were
				 * closed, and which process maps which */
	HOST_MAPS = 4,		/* BPF ring buffers, and maps that hold
				 * events */
	HOST_ALL = 7,
	HOST_PROGRAMS = 8,	/* BPF programs that use those maps; with
				 * HOST_MAPS */
	HOST_FTRACE = 16,	/* ftrace buffers, and who reads them */
};

struct host_pass {
	double mono;		/* CLOCK_MONOTONIC seconds, when it began */
	unsigned int parts;	/* bits of enum host_part that were read */
	bool whole;		/* of all processes; else only of those known to
				 * hold rings */
	uint64_t files;		/* file descriptors of perf events */
	uint64_t max_rate;	/* kernel.perf_event_max_sample_rate; 0:
				 * unknown */
	uint64_t user_limit;	/* bytes a user may pin for rings */
	bool paranoid;		/* perf_event_paranoid >= 0: limits apply */
	struct host_pass_event *events;
	size_t nr_events, events_cap;
	struct host_pass_ring *rings;
	size_t nr_rings, rings_cap;
	struct host_pass_holder *holders;
	size_t nr_holders, holders_cap;
	struct host_pass_limit *limits;
	size_t nr_limits, limits_cap;
	struct host_pass_end *ends;
	size_t nr_ends, ends_cap;
};

/* Empty the pass; memory is kept. */
void host_pass_clear(struct host_pass *pass);
void host_pass_free(struct host_pass *pass);

/*
 * Append a zeroed item, valid until the next of its kind is appended.  NULL
 * when out of memory.
 */
struct host_pass_event *host_pass_add_event(struct host_pass *pass);
struct host_pass_ring *host_pass_add_ring(struct host_pass *pass);
struct host_pass_holder *host_pass_add_holder(struct host_pass *pass);
struct host_pass_limit *host_pass_add_limit(struct host_pass *pass);
struct host_pass_end *host_pass_add_end(struct host_pass *pass);

#endif
