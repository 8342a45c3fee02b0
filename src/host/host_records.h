/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records written by the BPF iterators (rings.bpf.c) and read by host_parse.c,
 * back to back, in native byte order.  Each starts with its size, a multiple of
 * 8.  And the values of a map (drops.bpf.c), read by host_drops.c.
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
	HOST_RECORD_PROGRAM,	/* struct host_record_program */
	HOST_RECORD_URING,	/* struct host_record_uring */
	HOST_RECORD_PACKET,	/* struct host_record_packet */
};

/* Bytes of struct perf_event_attr; more members of the kernel's are ignored. */
enum { HOST_ATTR_SIZE = 136 };
/* Slots read of a perf event array; further ones are ignored. */
enum { HOST_SLOTS = 1024 };
/* MAX_EVENT_NAME_LEN, kernel/trace/trace_probe.h */
enum { HOST_TRACEPOINT_LEN = 64 };

struct host_record {
	__u32 type;		/* enum host_record_type */
	__u32 size;		/* including this header */
};

enum host_sleep {
	HOST_SLEEP_NONE = -1,
	HOST_SLEEP_UNKNOWN = -2,	/* the kernel, or its architecture, does
					 * not tell, or it has other threads */
};

/* The process that has the file descriptor or mapping. */
struct host_record_owner {
	__s32 pid;		/* in rbtop's pid namespace */
	__u32 uid;
	char comm[16];
	__u8 maps;		/* holds it by a mapping */
	__u8 stopped;		/* by SIGSTOP or a debugger */
	__u16 priority;		/* see struct host_pass_holder */
	__s32 sleeps_in;	/* number of the system call in which its main
				 * thread sleeps, or enum host_sleep */
	__u64 run_delay;	/* ns that its main thread has waited for a CPU
				 * (CONFIG_SCHED_INFO); ~0: unknown */
	__u64 run_time;		/* ns that it has run; ~0: it is not the only
				 * thread, any of which may read the ring */
};

/* Waiting records whose sizes are read; words read before the tail. */
enum { HOST_SIZES = 8, HOST_WORDS = 64 };

/*
 * struct perf_buffer and its user page.  If the ring already occurred in the
 * pass, only key and lost are set: reading the rest for each of its events
 * would be most of the cost of a pass.
 */
struct host_record_ring {
	__u64 key;		/* address of struct perf_buffer */
	__u64 data_tail, aux_tail;	/* in the user page */
	__u64 data_head, aux_head;	/* in struct perf_buffer */
	__u64 wakeup, lost;
	__s64 watermark, aux_watermark;
	__u64 user_locked;	/* pages */
	__s32 nr_pages;
	__s32 page_order;	/* order of a page's size */
	__s32 aux_nr_pages;
	__u32 overwrite, paused, poll, aux_overwrite;
	__u32 uid;		/* user charged for the pages; ~0: unknown */
	/*
	 * Samples among the oldest waiting records, else among the last drained
	 * ones: number, total bytes, bytes of the largest.
	 */
	__u32 sizes, size_sum, size_max;
	__u32 pad;
	__u64 lost_in_record;	/* in the first LOST record among them; 0:
				 * none */
};

/* An event that writes to a ring. */
struct host_record_event {
	struct host_record head;
	struct host_record_owner owner;
	__u64 id, count;
	__u64 lost;		/* ~0: not counted by this kernel */
	__u64 interrupts;	/* ~0: throttled */
	__s32 state;		/* enum perf_event_state */
	__s32 cpu;
	__s32 tid;		/* task it follows; -1: none */
	__u32 maps;		/* the ring is its own mapping */
	__u8 attr[HOST_ATTR_SIZE];
	char system[HOST_TRACEPOINT_LEN];	/* "sched" */
	char tracepoint[HOST_TRACEPOINT_LEN];	/* "sched_switch"; "": not a
						 * tracepoint, or unknown */
	struct host_record_ring ring;
};

/* An event without a ring. */
struct host_record_counter {
	struct host_record head;
	__u64 id;
};

/* A process that holds a BPF ring buffer. */
struct host_record_map_holder {
	struct host_record head;
	struct host_record_owner owner;
	__u32 id;
	__u32 pad;
};

struct host_record_ringbuf {
	struct host_record head;
	__u32 id, flags;
	__u32 by_user;		/* processes write it, BPF programs drain it */
	__u32 pad;
	char name[16];
	__u64 mask, consumer, producer;
	__u64 overwrite;	/* end of what was overwritten */
	__u64 nr_pages;
	__u64 rb;		/* address of struct bpf_ringbuf */
};

/* The rings to which the events in the slots of a perf event array write. */
struct host_record_slots {
	struct host_record head;	/* its size includes existing slots
					 * only */
	__u32 id;
	__u32 pad;
	char name[16];
	__u64 rings[HOST_SLOTS];	/* keys; 0: none */
};

/* A BPF program that uses a BPF ring buffer or a perf event array. */
struct host_record_program {
	struct host_record head;
	__u32 map_id;
	__u32 id;
	char name[16];
};

/* One of the two rings of an io_uring instance; in entries. */
struct host_uring {
	__u32 head, tail, entries;
	__u32 lost;		/* io_rings.sq_dropped, .cq_overflow */
};

/* A process that holds an io_uring instance. */
struct host_record_uring {
	struct host_record head;
	struct host_record_owner owner;
	__u64 key;		/* address of struct io_ring_ctx */
	__u32 setup;		/* IORING_SETUP_ flags */
	__u32 pad;
	struct host_uring sq, cq;
};

/*
 * A process that holds an AF_PACKET socket with a receive ring.  Slots are what
 * is passed to the reader at once: frames of one packet each, or in TPACKET_V3
 * blocks of many.
 */
struct host_record_packet {
	struct host_record head;
	struct host_record_owner owner;
	__u64 key;		/* address of struct packet_sock */
	__u64 inode;		/* of the socket */
	__u64 blocks;		/* passed to the reader so far; TPACKET_V3 */
	__u32 version;		/* enum tpacket_versions, linux/if_packet.h */
	__u32 slot;		/* bytes */
	__u32 slots;
	__u32 frames;		/* as the owner asked for */
	__u32 at;		/* slot that is written next */
	__u32 waiting;		/* slots that the reader has not returned */
	__u32 open;		/* bytes in the block that is being filled */
	__u32 pages;		/* of all its memory */
	__u32 packets, drops;	/* since the owner last read them: packets in
				 * the ring, and those that it had no room for;
				 * the reader is told the sum of both as
				 * tp_packets */
	__u32 block_packets, block_bytes;	/* in the block passed last; in
						 * memory that the owner can
						 * write to */
	__s32 ifindex;		/* 0: of all interfaces */
	char dev[16];		/* the interface's name */
	__u32 pad;
};

/* Records that a BPF ring buffer had to refuse (drops.bpf.c). */
struct host_drops_count {
	__u64 records;
	__u64 bytes;		/* that they would have taken, headers
				 * included */
};

/* Maximum number of ring buffers whose losses are counted. */
enum { HOST_DROPS_RINGS = 1024 };

/* Maximum number of events whose ends are awaited (rings.bpf.c); the value of
 * one that has not ended. */
enum { HOST_ENDS = 16384 };
#define HOST_NOT_ENDED (~0ULL)

#endif
