/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A PERF_RECORD_SAMPLE, decoded: the fields that its event asked for, in the
 * order of perf_event_open(2) and perf_output_sample() (kernel/events/core.c).
 * Pure.  Sizes and counts in the record are not trusted.
 */
#ifndef RBTOP_PERF_ABI_SAMPLE_H
#define RBTOP_PERF_ABI_SAMPLE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The layout of the samples that an event writes, by its attr.  Plain data. */
struct sample_layout {
	uint64_t sample_type;		/* PERF_SAMPLE_* */
	uint64_t read_format;		/* PERF_FORMAT_* */
	uint64_t branch_sample_type;	/* PERF_SAMPLE_BRANCH_* */
	uint64_t regs_user, regs_intr;	/* masks */
};

struct sample_layout sample_layout_of(const struct perf_event_attr *attr);

/*
 * The largest size of such an event's samples in bytes; SAMPLE_MAX, the
 * largest of any record, if there is no smaller limit.
 */
enum { SAMPLE_MAX = 65528 };
size_t sample_largest(const struct perf_event_attr *attr);

/*
 * The usual size of such samples in bytes, if at least half of the largest size
 * is fixed; else 0.  In a kernel thread they are smaller: it has no user stack.
 */
size_t sample_usual(const struct perf_event_attr *attr);

struct sample_regs {
	uint64_t abi;			/* PERF_SAMPLE_REGS_ABI_*; 0: none */
	const uint64_t *regs;		/* one per bit of the layout's mask */
};

/*
 * A decoded sample, without the values of PERF_SAMPLE_READ, which are not used.
 * Pointers point into the record and are valid as long as it.  Fields not in
 * @fields are 0.
 */
struct sample {
	uint64_t fields;		/* PERF_SAMPLE_* that are there */
	uint16_t misc;			/* of the header */
	uint64_t id;			/* IDENTIFIER or ID */
	uint64_t ip;
	pid_t pid, tid;
	uint64_t time;			/* ns, of the event's clock */
	uint64_t addr, stream_id;
	uint32_t cpu;
	uint64_t period;
	const uint64_t *chain;		/* context markers included */
	uint64_t nr_chain;
	const void *raw;
	uint32_t raw_size;		/* including the kernel's padding */
	const struct perf_branch_entry *branches;
	uint64_t nr_branches;
	uint64_t branch_hw_idx;
	struct sample_regs regs_user, regs_intr;
	const void *stack;
	uint64_t stack_size;		/* valid bytes (dyn_size) */
	union perf_sample_weight weight;
	uint64_t data_src, transaction, phys_addr, cgroup;
	uint64_t data_page_size, code_page_size;
	const void *aux;
	uint64_t aux_size;
};

/*
 * Decode the sample at @record, of @size bytes and aligned to 8.  Returns 0;
 * -EBADMSG if it is truncated, its counts do not fit, or bytes are left over.
 * @out is then unspecified.
 */
int sample_parse(const struct sample_layout *layout, const void *record,
		 size_t size, struct sample *out);

/* An address and the space it belongs to (PERF_RECORD_MISC_KERNEL, ...). */
struct sample_frame {
	uint64_t ip;
	uint16_t cpumode;
};

/*
 * Write the frames of the callchain, innermost first and at most @max, to
 * @frames; without a callchain, only the sampled ip.  Context markers
 * (PERF_CONTEXT_KERNEL, _USER, _HV, _GUEST...)  change the address space and
 * are never frames.  Returns the number of frames.
 */
size_t sample_frames(const struct sample *sample, struct sample_frame *frames,
		     size_t max);

/* The address space: PERF_RECORD_MISC_CPUMODE_MASK of misc. */
static inline uint16_t sample_cpumode(const struct sample *sample)
{
	return sample->misc & PERF_RECORD_MISC_CPUMODE_MASK;
}

#endif
