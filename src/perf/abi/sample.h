/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A PERF_RECORD_SAMPLE, decoded: the fields that its event asked for, in the
 * order of perf_event_open(2) and perf_output_sample() (kernel/events/core.c).
 * Pure, and trusts nothing of the record: neither sizes nor counts.
 */
#ifndef RBTOP_PERF_ABI_SAMPLE_H
#define RBTOP_PERF_ABI_SAMPLE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What an event's attr says about the samples it writes.  Plain data. */
struct sample_layout {
	uint64_t sample_type;		/* PERF_SAMPLE_* */
	uint64_t read_format;		/* PERF_FORMAT_* */
	uint64_t branch_sample_type;	/* PERF_SAMPLE_BRANCH_* */
	uint64_t regs_user, regs_intr;	/* masks */
};

struct sample_layout sample_layout_of(const struct perf_event_attr *attr);

/*
 * Bytes that a sample of such an event may take: at most, and SAMPLE_MOST
 * where it may be as large as records can be.
 */
enum { SAMPLE_MOST = 65528 };
size_t sample_largest(const struct perf_event_attr *attr);

/*
 * Bytes that each takes, where most of it is fixed: no more than half of the
 * largest varies.  0: it varies.  In a kernel thread there is no user's stack.
 */
size_t sample_usual(const struct perf_event_attr *attr);

struct sample_regs {
	uint64_t abi;			/* PERF_SAMPLE_REGS_ABI_*; 0: none */
	const uint64_t *regs;		/* one per bit of the layout's mask */
};

/*
 * A decoded sample, but for the values of PERF_SAMPLE_READ, which nobody looks
 * at.  Pointers lead into the record and live as long as it.  Fields that
 * @fields does not name are 0.
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
	uint32_t raw_size;		/* padding included, as the kernel says */
	const struct perf_branch_entry *branches;
	uint64_t nr_branches;
	uint64_t branch_hw_idx;
	struct sample_regs regs_user, regs_intr;
	const void *stack;
	uint64_t stack_size;		/* that are valid (dyn_size) */
	union perf_sample_weight weight;
	uint64_t data_src, transaction, phys_addr, cgroup;
	uint64_t data_page_size, code_page_size;
	const void *aux;
	uint64_t aux_size;
};

/*
 * Decode the sample at @record, of @size bytes and aligned to 8.  Returns 0;
 * -EBADMSG where it is cut short, its counts do not fit, or bytes are left
 * over that no field explains.  @out is then unspecified.
 */
int sample_parse(const struct sample_layout *layout, const void *record,
		 size_t size, struct sample *out);

/* An address and the space it belongs to (PERF_RECORD_MISC_KERNEL, ...). */
struct sample_frame {
	uint64_t ip;
	uint16_t cpumode;
};

/*
 * The frames of the callchain, innermost first, at most @max of them into
 * @frames; without a callchain, the sampled ip alone.  Context markers
 * (PERF_CONTEXT_KERNEL, _USER, _HV, _GUEST...) change the space and are never
 * frames.  Returns how many.
 */
size_t sample_frames(const struct sample *sample, struct sample_frame *frames,
		     size_t max);

/* The kind of space: PERF_RECORD_MISC_CPUMODE_MASK of misc. */
static inline uint16_t sample_cpumode(const struct sample *sample)
{
	return sample->misc & PERF_RECORD_MISC_CPUMODE_MASK;
}

#endif
