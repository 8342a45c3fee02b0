/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one look at the machine's rings found: events, rings, and who holds
 * them, before anything is made of it.  Filled by src/host/, used up by
 * host_table_add().  Plain data; UNKNOWN for what was not to be known.
 */
#ifndef RBTOP_HOST_TABLE_HOST_PASS_H
#define RBTOP_HOST_TABLE_HOST_PASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "host/table/host.h"

/* A perf event that a process holds, once for all who do. */
struct host_pass_event {
	uint64_t ring;		/* key of the ring it writes to; 0: none */
	struct ring_event event;	/* lost_per_s is left 0 */
	uint64_t wakeup_events;	/* attr.wakeup_events; 0: watermark is set */
	uint64_t largest;	/* bytes that a sample of it may take; 0: it
				 * writes none */
	uint64_t usual;		/* that each takes; 0: it varies, or none */
};

struct host_pass_ring {
	/*
	 * Of a perf ring the address of its struct perf_buffer, of a BPF ring
	 * buffer the map's id.  It tells rings of one pass apart; a later
	 * ring may get the address of one that was freed.
	 */
	uint64_t key;
	enum ring_kind kind;
	bool known;		/* all but size is; see struct ring_row */
	uint64_t size;		/* of data, bytes */
	uint64_t locked;	/* bytes pinned, user page and AUX included */
	uint64_t watermark;
	bool overwrite, backward, paused, woken;
	uint64_t head;		/* the kernel's own; of a backward ring, which
				 * runs down from 0, as it is */
	uint64_t tail;		/* what the owner wrote: may be anything */
	/*
	 * rb->wakeup (kernel/events/ring_buffer.c): goes on by the watermark
	 * at each crossing, and by 1 at each wakeup of wakeup_events.
	 */
	uint64_t wakeup;
	bool by_watermark;	/* attr.watermark of the event that maps it */
	uint64_t lost;		/* not reported yet */
	struct {		/* samples that wait, of which so many were
				 * looked at, and their bytes */
		uint64_t nr, bytes, most;
	} sizes;
	uint64_t lost_told;	/* by a LOST record among those: that were lost
				 * in one gap between drains; 0: there is none */
	struct {
		uint64_t size, watermark, head, tail;
		bool overwrite;
	} aux;
	uid_t uid;		/* who pays for the pages; (uid_t)-1: ? */
	uint64_t user_locked;	/* user->locked_vm, bytes */
	uint32_t map_id;	/* a BPF map's; 0: none */
	char map[32];
};

/* Process @pid holds the ring of that key. */
struct host_pass_holder {
	uint64_t ring;
	pid_t pid;
	char comm[16];
	uid_t uid;		/* (uid_t)-1: not known */
	bool stopped;		/* by SIGSTOP or a debugger */
	bool maps;		/* has it mapped; else holds an fd of an event
				 * that writes to it, or of the map */
};

/* What limits a process that maps rings. */
struct host_pass_limit {
	pid_t pid;
	uint64_t pinned;	/* VmPin, bytes */
	uint64_t memlock;	/* RLIMIT_MEMLOCK; UNKNOWN: unlimited */
	bool ipc_lock;		/* has CAP_IPC_LOCK */
};

/* What a pass is to look at, or looked at. */
enum host_part {
	HOST_FILES = 1,		/* file descriptors */
	HOST_MAPPINGS = 2,	/* mapped rings: those whose fd was closed, and
				 * which process maps what */
	HOST_MAPS = 4,		/* BPF ring buffers, and the maps in whose
				 * slots events stand */
	HOST_ALL = 7,
};

struct host_pass {
	double mono;		/* CLOCK_MONOTONIC seconds, when it began */
	unsigned int parts;	/* bits of enum host_part that were looked at */
	bool whole;		/* in all processes, rather than in those that
				 * are known to hold rings */
	uint64_t files;		/* file descriptors of perf events */
	uint64_t user_limit;	/* bytes a user may pin for rings */
	bool paranoid;		/* perf_event_paranoid >= 0: limits count */
	struct host_pass_event *events;
	size_t nr_events, room_events;
	struct host_pass_ring *rings;
	size_t nr_rings, room_rings;
	struct host_pass_holder *holders;
	size_t nr_holders, room_holders;
	struct host_pass_limit *limits;
	size_t nr_limits, room_limits;
};

/* Empty it, keeping the memory. */
void host_pass_clear(struct host_pass *pass);
void host_pass_free(struct host_pass *pass);

/*
 * Append one, zeroed.  It is valid until the next of its kind is appended.
 * NULL when out of memory.
 */
struct host_pass_event *host_pass_add_event(struct host_pass *pass);
struct host_pass_ring *host_pass_add_ring(struct host_pass *pass);
struct host_pass_holder *host_pass_add_holder(struct host_pass *pass);
struct host_pass_limit *host_pass_add_limit(struct host_pass *pass);

#endif
