/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records about tasks, mappings and kernel text, decoded.  Pure; the record is
 * not trusted; layouts in linux/perf_event.h.
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
	uint8_t build_id_len;		/* 0: none */
	const char *name;		/* raw */
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
 * A decoded record.  Strings point into the record, NUL-terminated, and are
 * raw: text_sanitize() before they are shown.
 */
struct side_band {
	uint32_t type;			/* PERF_RECORD_* */
	uint16_t misc;
	/* from the sample_id trailer; 0 without one */
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

/* The attributes of the event that wrote a record. */
struct side_band_layout {
	uint64_t sample_type;	/* the trailer's fields; 0: there is none */
	/*
	 * attr.build_id.  If it is not set, PERF_RECORD_MISC_MMAP_BUILD_ID is
	 * ignored: perf_event_mmap_output() (kernel/events/core.c) sets the bit
	 * for one event and leaves it set for all events after it, whether or
	 * not they asked for build-ids.
	 */
	bool build_ids;
};

/* The layout of all of rbtop's events, see perf/abi/record.h. */
extern const struct side_band_layout side_band_own;

/*
 * Decode the record at @record, of @size bytes and aligned to 8.  Returns 0;
 * -ENOENT for a type that is not decoded here; -EBADMSG if the record is
 * truncated or a string is not terminated.
 */
int side_band_parse(const void *record, size_t size,
		    const struct side_band_layout *layout,
		    struct side_band *out);

/*
 * The reverse: records of tasks and mappings as the kernel would have written
 * them, for what existed before recording started.  All have the sample_id
 * trailer of RECORD_SAMPLE_TYPE, with time 0, so that they sort first.
 */

/* The size of the longest of them, in bytes. */
enum { SIDE_BAND_MADE = 4096 + 256 };

/*
 * Each writes to @record, which is aligned to 8 and has SIDE_BAND_MADE bytes,
 * and returns the record's size.  Names are cut to 4095 bytes.
 */
size_t side_band_make_comm(void *record, pid_t pid, pid_t tid,
			   const char *comm);
/* FORK, for a further thread of a process. */
size_t side_band_make_fork(void *record, pid_t pid, pid_t ppid, pid_t tid,
			   pid_t ptid);
/* MMAP2 with an inode (if has_inode) and @prot, @flags as in mmap(2). */
size_t side_band_make_mmap2(void *record, const struct side_band_map *map,
			    uint32_t prot, uint32_t flags);
/* MMAP of the kernel's text, which belongs to no task: pid -1, tid 0. */
size_t side_band_make_kernel(void *record, uint64_t start, uint64_t len,
			     uint64_t pgoff, const char *name);

#endif
