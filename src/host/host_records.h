/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the BPF iterators (rings.bpf.c) write and host_parse.c reads: records
 * one behind the other, each with its size in front, in the machine's own byte
 * order.  Their sizes are multiples of 8.
 */
#ifndef RBTOP_HOST_HOST_RECORDS_H
#define RBTOP_HOST_HOST_RECORDS_H

#ifndef __bpf__
#include <linux/types.h>
#endif

enum host_record_type {
	HOST_RECORD_EVENT = 1,	/* struct host_record_event */
	HOST_RECORD_COUNTER,	/* struct host_record_counter */
	HOST_RECORD_MAP_HOLDER,	/* struct host_record_map_holder */
	HOST_RECORD_RINGBUF,	/* struct host_record_ringbuf */
	HOST_RECORD_SLOTS,	/* struct host_record_slots */
};

/* Of struct perf_event_attr; what the kernel's has beyond it is left out. */
enum { HOST_ATTR_SIZE = 136 };
/* Of a perf event array; what it has beyond them is left out. */
enum { HOST_SLOTS = 1024 };
/* MAX_EVENT_NAME_LEN, kernel/trace/trace_probe.h */
enum { HOST_TRACEPOINT_LEN = 64 };

struct host_record {
	__u32 type;		/* enum host_record_type */
	__u32 size;		/* of all of it */
};

/* The process whose file descriptor or mapping was looked at. */
struct host_record_owner {
	__s32 pid;		/* as our own pid namespace has it */
	__u32 uid;
	char comm[16];
	__u32 maps;		/* it was a mapping */
	__u32 stopped;		/* by SIGSTOP or a debugger */
};

/* Records at the tail whose sizes are read; words before it that are. */
enum { HOST_SIZES = 8, HOST_WORDS = 64 };

/*
 * struct perf_buffer and its user page.  Of a ring that has been told of in the
 * same pass only key and lost are its own: reading the rest again for each of
 * the events that write to it would be most of what a pass costs.
 */
struct host_record_ring {
	__u64 key;		/* its address */
	__u64 data_tail, aux_tail;	/* of the user page */
	__u64 data_head, aux_head;	/* the kernel's own */
	__u64 wakeup, lost;
	__s64 watermark, aux_watermark;
	__u64 user_locked;	/* pages */
	__s32 nr_pages;
	__s32 page_order;	/* of each of them */
	__s32 aux_nr_pages;
	__u32 overwrite, paused, poll, aux_overwrite;
	__u32 uid;		/* who pays for the pages; ~0: unknown */
	/* Of the samples among the oldest records that wait, else among the
	 * last that were drained: how many, the bytes of all, and of the
	 * largest. */
	__u32 sizes, size_sum, size_most;
	__u32 pad;
	__u64 lost_told;	/* in the first LOST record among them; 0 */
};

/* An event that writes to a ring. */
struct host_record_event {
	struct host_record head;
	struct host_record_owner owner;
	__u64 id, count;
	__u64 lost;		/* ~0: this kernel does not count it */
	__u64 interrupts;	/* ~0: throttled */
	__s32 state;		/* enum perf_event_state */
	__s32 cpu;
	__s32 tid;		/* that it follows; -1: none */
	__u32 maps;		/* the ring is its own, by a mapping */
	__u8 attr[HOST_ATTR_SIZE];
	char system[HOST_TRACEPOINT_LEN];	/* "sched" */
	char tracepoint[HOST_TRACEPOINT_LEN];	/* "sched_switch"; "": is none,
						 * or not told */
	struct host_record_ring ring;
};

/* An event without a ring. */
struct host_record_counter {
	struct host_record head;
	__u64 id;
};

/* A process that has a BPF ring buffer. */
struct host_record_map_holder {
	struct host_record head;
	struct host_record_owner owner;
	__u32 id;
	__u32 pad;
};

struct host_record_ringbuf {
	struct host_record head;
	__u32 id, flags;
	char name[16];
	__u64 mask, consumer, producer;
	__u64 overwrite;	/* position before which all was overwritten */
	__u64 nr_pages;
};

/* What rings the events in the slots of a perf event array write to. */
struct host_record_slots {
	struct host_record head;	/* its size is of those that there are */
	__u32 id;
	__u32 pad;
	char name[16];
	__u64 rings[HOST_SLOTS];	/* keys; 0: none */
};

#endif
