/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records that tell of tasks, mappings and kernel text, decoded.  Pure,
 * and trusts nothing of the record; layouts in linux/perf_event.h.
 */
#ifndef RBTOP_PERF_ABI_SIDE_BAND_H
#define RBTOP_PERF_ABI_SIDE_BAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { SIDE_BAND_BUILD_ID = 20, SIDE_BAND_NAMESPACES = 16 };

/* MMAP, MMAP2. */
struct side_band_map {
	pid_t pid, tid;
	uint64_t start, len, pgoff;
	bool executable;
	bool kernel;			/* PERF_RECORD_MISC_KERNEL */
	bool has_inode;			/* MMAP2 without a build-id */
	uint32_t major, minor;
	uint64_t inode, generation;
	uint8_t build_id[SIDE_BAND_BUILD_ID];
	uint8_t build_id_len;		/* 0: none given */
	const char *name;		/* raw bytes of the kernel's */
};

struct side_band_comm {
	pid_t pid, tid;
	bool exec;			/* the mappings are gone too */
	const char *comm;		/* raw */
};

/* FORK, EXIT. */
struct side_band_task {
	pid_t pid, ppid, tid, ptid;
};

/* SWITCH, SWITCH_CPU_WIDE. */
struct side_band_switch {
	bool out;			/* else in */
	bool preempted;
	pid_t other_pid, other_tid;	/* of the CPU-wide kind; else -1 */
};

struct side_band_namespaces {
	pid_t pid, tid;
	uint64_t nr;
	struct {
		uint64_t dev, inode;
	} links[SIDE_BAND_NAMESPACES];	/* by NET_NS_INDEX, ... */
};

struct side_band_ksymbol {
	uint64_t addr;
	uint32_t len;
	uint16_t type;			/* PERF_RECORD_KSYMBOL_TYPE_* */
	bool unregister;
	const char *name;		/* raw */
};

struct side_band_text_poke {
	uint64_t addr;
	uint16_t old_len, new_len;
	const uint8_t *bytes;		/* old ones, then new ones */
};

struct side_band_bpf {
	uint16_t type, flags;		/* PERF_BPF_EVENT_* */
	uint32_t id;
	uint8_t tag[8];
};

struct side_band_cgroup {
	uint64_t id;
	const char *path;		/* raw */
};

struct side_band_hw_id {
	uint64_t hw_id;			/* as the driver wrote it */
};

/*
 * A decoded record; strings are NUL terminated within the record, which they
 * live as long as, and come raw: text_sanitize() before anybody sees them.
 */
struct side_band {
	uint32_t type;			/* PERF_RECORD_* */
	uint16_t misc;
	/* the sample_id trailer's, 0 where it is not there */
	pid_t pid, tid;
	uint64_t time;			/* ns */
	uint32_t cpu;
	uint64_t id;
	union {
		struct side_band_map map;
		struct side_band_comm comm;
		struct side_band_task task;
		struct side_band_switch sched;
		struct side_band_namespaces namespaces;
		struct side_band_ksymbol ksymbol;
		struct side_band_text_poke text_poke;
		struct side_band_bpf bpf;
		struct side_band_cgroup cgroup;
		struct side_band_hw_id hw_id;	/* AUX_OUTPUT_HW_ID */
	};
};

/* Whether records of @type are decoded here. */
bool side_band_known(unsigned int type);

/* What the event that a record is of asked for. */
struct side_band_layout {
	uint64_t sample_type;	/* the trailer's fields; 0: there is none */
	/*
	 * attr.build_id.  Where it is not set, PERF_RECORD_MISC_MMAP_BUILD_ID
	 * is not believed: perf_event_mmap_output() (kernel/events/core.c)
	 * hands the bit that it sets for one event on to all that follow,
	 * whatever these asked for and get.
	 */
	bool build_ids;
};

/* That of every event of rbtop, see perf/abi/record.h. */
extern const struct side_band_layout side_band_own;

/*
 * Decode the record at @record, of @size bytes and aligned to 8.  Returns 0;
 * -ENOENT for a type that is not known here; -EBADMSG where the record is cut
 * short or a string has no end.
 */
int side_band_parse(const void *record, size_t size,
		    const struct side_band_layout *layout,
		    struct side_band *out);

#endif
