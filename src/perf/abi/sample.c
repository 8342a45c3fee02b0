/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/abi/sample.h"

#include <errno.h>
#include <string.h>

/* Newer than the oldest linux/perf_event.h that rbtop can be built with. */
#define BRANCH_COUNTERS (UINT64_C(1) << 19)	 /* Linux 6.8 */
#define CONTEXT_USER_DEFERRED ((uint64_t)-640) /* Linux 6.19 */

/* A position in a record.  Once @bad, everything read is 0. */
struct cursor {
	const uint64_t *at, *end;
	bool bad;
};

struct sample_layout sample_layout_of(const struct perf_event_attr *attr)
{
	return (struct sample_layout){
		.sample_type = attr->sample_type,
		.read_format = attr->read_format,
		.branch_sample_type = attr->branch_sample_type,
		.regs_user = attr->sample_regs_user,
		.regs_intr = attr->sample_regs_intr,
	};
}

/*
 * The default of perf_event_max_stack, with markers of contexts (an attr may
 * set another), and the most branches and bytes of a tracepoint.
 */
enum { MAX_FRAMES = 127 + 8, MAX_BRANCHES = 64, MAX_TRACEPOINT = 8192 };

/* Bytes of the fields that are words, or pairs of halves. */
static size_t fixed_size(uint64_t type)
{
	const uint64_t varied = PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN |
				PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK |
				PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR |
				PERF_SAMPLE_STACK_USER | PERF_SAMPLE_AUX;

	return 8 * (size_t)__builtin_popcountll(type & ~varied);
}

static size_t raw_size(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_TRACEPOINT ? 8 + MAX_TRACEPOINT :
						    SAMPLE_MAX;
}

static size_t registers_size(uint64_t mask)
{
	return 8 + 8 * (size_t)__builtin_popcountll(mask);
}

/* PERF_SAMPLE_READ of a group has as many values as the group has events. */
static size_t read_size(const struct perf_event_attr *attr)
{
	return attr->read_format & PERF_FORMAT_GROUP ? SAMPLE_MAX : 5 * 8;
}

size_t sample_largest(const struct perf_event_attr *attr)
{
	size_t frames = attr->sample_max_stack ? attr->sample_max_stack + 8u :
						 MAX_FRAMES;
	const struct {
		uint64_t field;
		size_t size;
	} varied[] = {
		{ PERF_SAMPLE_READ, read_size(attr) },
		{ PERF_SAMPLE_CALLCHAIN, 8 + 8 * frames },
		{ PERF_SAMPLE_RAW, raw_size(attr) },
		{ PERF_SAMPLE_BRANCH_STACK, 16 + MAX_BRANCHES * 32 },
		{ PERF_SAMPLE_REGS_USER,
		  registers_size(attr->sample_regs_user) },
		{ PERF_SAMPLE_REGS_INTR,
		  registers_size(attr->sample_regs_intr) },
		{ PERF_SAMPLE_STACK_USER, 16 + (size_t)attr->sample_stack_user },
		{ PERF_SAMPLE_AUX, 8 + (size_t)attr->aux_sample_size },
	};
	size_t size = sizeof(struct perf_event_header) +
		      fixed_size(attr->sample_type);

	for (size_t i = 0; i < sizeof(varied) / sizeof(*varied); i++)
		if (attr->sample_type & varied[i].field)
			size += varied[i].size;
	return size < SAMPLE_MAX ? size : SAMPLE_MAX;
}

size_t sample_usual(const struct perf_event_attr *attr)
{
	size_t largest = sample_largest(attr);
	size_t size = sizeof(struct perf_event_header) +
		      fixed_size(attr->sample_type);

	if (attr->sample_type & PERF_SAMPLE_STACK_USER)
		size += attr->sample_stack_user;
	return largest < SAMPLE_MAX && largest <= 2 * size ? largest : 0;
}

/* The next @nr words; NULL if there are fewer. */
static const uint64_t *take(struct cursor *c, uint64_t nr)
{
	const uint64_t *at = c->at;

	if (c->bad || nr > (uint64_t)(c->end - c->at)) {
		c->bad = true;
		return NULL;
	}
	c->at += nr;
	return at;
}

static uint64_t take_word(struct cursor *c)
{
	const uint64_t *word = take(c, 1);

	return word ? *word : 0;
}

/* Two u32 in a word, in memory order. */
static void take_pair(struct cursor *c, uint32_t *first, uint32_t *second)
{
	const uint64_t *word = take(c, 1);

	*first = *second = 0;
	if (!word)
		return;
	memcpy(first, word, sizeof(*first));
	memcpy(second, (const char *)word + sizeof(*first), sizeof(*second));
}

/* @size bytes, which the kernel keeps a multiple of 8. */
static const void *take_bytes(struct cursor *c, uint64_t size)
{
	if (size % sizeof(uint64_t))
		c->bad = true;
	return take(c, size / sizeof(uint64_t));
}

static unsigned int count_bits(uint64_t bits)
{
	return (unsigned int)__builtin_popcountll(bits);
}

/*
 * Values of the event, or of its group: { value, times, id, lost } or { nr,
 * times, { value, id, lost } x nr }.  They are skipped: not used.
 */
static void take_read(struct cursor *c, uint64_t format)
{
	uint64_t nr = format & PERF_FORMAT_GROUP ? take_word(c) : 1;
	unsigned int times = count_bits(format &
					(PERF_FORMAT_TOTAL_TIME_ENABLED |
					 PERF_FORMAT_TOTAL_TIME_RUNNING));
	unsigned int extra = count_bits(format & (PERF_FORMAT_ID |
						  PERF_FORMAT_LOST));

	/* The product must not wrap; no record has as many values. */
	if (nr > UINT16_MAX)
		c->bad = true;
	take(c, times + nr * (1 + extra));
}

/* A u32 size, then the bytes: together a multiple of 8. */
static void take_raw(struct cursor *c, struct sample *out)
{
	const uint64_t *start = c->at;
	uint32_t size, ignored;

	take_pair(c, &size, &ignored);
	c->at = start;
	if (!take_bytes(c, (uint64_t)size + sizeof(size)))
		return;
	out->raw = (const char *)start + sizeof(size);
	out->raw_size = size;
}

/*
 * With @index, a word of hw_idx follows the count; but an event without
 * branches may have written the count alone: see sample_parse().
 */
static void take_branches(struct cursor *c, const struct sample_layout *layout,
			  bool index, struct sample *out)
{
	enum { WORDS = sizeof(*out->branches) / sizeof(uint64_t) };

	out->nr_branches = take_word(c);
	if (layout->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX &&
	    (index || out->nr_branches))
		out->branch_hw_idx = take_word(c);
	if (out->nr_branches > UINT16_MAX)
		c->bad = true;
	out->branches = (const void *)take(c, out->nr_branches * WORDS);
	if (layout->branch_sample_type & BRANCH_COUNTERS)
		take(c, out->nr_branches);
}

static void take_regs(struct cursor *c, uint64_t mask, struct sample_regs *regs)
{
	regs->abi = take_word(c);
	if (regs->abi != PERF_SAMPLE_REGS_ABI_NONE)
		regs->regs = take(c, count_bits(mask));
}

/* { size, data, dyn_size }; for a task without a user stack, size 0 alone. */
static void take_stack(struct cursor *c, struct sample *out)
{
	uint64_t size = take_word(c);

	if (size == 0)
		return;
	out->stack = take_bytes(c, size);
	out->stack_size = take_word(c);
	if (out->stack_size > size)
		c->bad = true;
}

/* The fields before the first one of variable length. */
static void take_fixed(struct cursor *c, uint64_t type, struct sample *out)
{
	uint32_t pid, tid, reserved;

	if (type & PERF_SAMPLE_IDENTIFIER)
		out->id = take_word(c);
	if (type & PERF_SAMPLE_IP)
		out->ip = take_word(c);
	if (type & PERF_SAMPLE_TID) {
		take_pair(c, &pid, &tid);
		out->pid = (pid_t)pid;
		out->tid = (pid_t)tid;
	}
	if (type & PERF_SAMPLE_TIME)
		out->time = take_word(c);
	if (type & PERF_SAMPLE_ADDR)
		out->addr = take_word(c);
	if (type & PERF_SAMPLE_ID)
		out->id = take_word(c);
	if (type & PERF_SAMPLE_STREAM_ID)
		out->stream_id = take_word(c);
	if (type & PERF_SAMPLE_CPU)
		take_pair(c, &out->cpu, &reserved);
	if (type & PERF_SAMPLE_PERIOD)
		out->period = take_word(c);
}

static void take_long(struct cursor *c, const struct sample_layout *layout,
		      bool index, struct sample *out)
{
	uint64_t type = layout->sample_type;

	if (type & PERF_SAMPLE_READ)
		take_read(c, layout->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		out->nr_chain = take_word(c);
		out->chain = take(c, out->nr_chain);
	}
	if (type & PERF_SAMPLE_RAW)
		take_raw(c, out);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		take_branches(c, layout, index, out);
	if (type & PERF_SAMPLE_REGS_USER)
		take_regs(c, layout->regs_user, &out->regs_user);
	if (type & PERF_SAMPLE_STACK_USER)
		take_stack(c, out);
}

static void take_rest(struct cursor *c, const struct sample_layout *layout,
		      struct sample *out)
{
	uint64_t type = layout->sample_type;

	if (type & PERF_SAMPLE_WEIGHT_TYPE)
		out->weight.full = take_word(c);
	if (type & PERF_SAMPLE_DATA_SRC)
		out->data_src = take_word(c);
	if (type & PERF_SAMPLE_TRANSACTION)
		out->transaction = take_word(c);
	if (type & PERF_SAMPLE_REGS_INTR)
		take_regs(c, layout->regs_intr, &out->regs_intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		out->phys_addr = take_word(c);
	if (type & PERF_SAMPLE_CGROUP)
		out->cgroup = take_word(c);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		out->data_page_size = take_word(c);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		out->code_page_size = take_word(c);
	if (type & PERF_SAMPLE_AUX) {
		out->aux_size = take_word(c);
		out->aux = take_bytes(c, out->aux_size);
	}
}

/* In the order of perf_output_sample(). */
static int parse(const struct sample_layout *layout, const void *record,
		 size_t size, bool index, struct sample *out)
{
	const struct perf_event_header *header = record;
	struct cursor c = {
		.at = (const uint64_t *)record + 1,
		.end = (const uint64_t *)record + size / sizeof(uint64_t),
	};

	*out = (struct sample){
		.fields = layout->sample_type,
		.misc = header->misc,
	};
	take_fixed(&c, layout->sample_type, out);
	take_long(&c, layout, index, out);
	take_rest(&c, layout, out);
	return c.bad || c.at != c.end ? -EBADMSG : 0;
}

int sample_parse(const struct sample_layout *layout, const void *record,
		 size_t size, struct sample *out)
{
	const struct perf_event_header *header = record;
	int ret;

	if (size < sizeof(*header) || size % sizeof(uint64_t) ||
	    header->type != PERF_RECORD_SAMPLE || header->size != size)
		return -EBADMSG;
	ret = parse(layout, record, size, true, out);
	/*
	 * The record does not say whether hw_idx follows a branch count of 0:
	 * perf_output_sample() omits it if the PMU gave no branch stack.  The
	 * length of the record tells.
	 */
	if (ret && layout->sample_type & PERF_SAMPLE_BRANCH_STACK &&
	    layout->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		ret = parse(layout, record, size, false, out);
	return ret;
}

/* The address space after a context marker; unknown for unknown markers. */
static uint16_t marker_cpumode(uint64_t marker)
{
	switch (marker) {
	case (uint64_t)PERF_CONTEXT_HV:
		return PERF_RECORD_MISC_HYPERVISOR;
	case (uint64_t)PERF_CONTEXT_KERNEL:
		return PERF_RECORD_MISC_KERNEL;
	case (uint64_t)PERF_CONTEXT_USER:
		return PERF_RECORD_MISC_USER;
	case (uint64_t)PERF_CONTEXT_GUEST:
	case (uint64_t)PERF_CONTEXT_GUEST_KERNEL:
		return PERF_RECORD_MISC_GUEST_KERNEL;
	case (uint64_t)PERF_CONTEXT_GUEST_USER:
		return PERF_RECORD_MISC_GUEST_USER;
	}
	return PERF_RECORD_MISC_CPUMODE_UNKNOWN;
}

static size_t chain_frames(const struct sample *sample,
			   struct sample_frame *frames, size_t max)
{
	uint16_t cpumode = sample_cpumode(sample);
	size_t nr = 0;

	for (uint64_t i = 0; i < sample->nr_chain && nr < max; i++) {
		uint64_t ip = sample->chain[i];

		if (ip < (uint64_t)PERF_CONTEXT_MAX)
			frames[nr++] = (struct sample_frame){ ip, cpumode };
		else if (ip == CONTEXT_USER_DEFERRED)
			i++; /* a cookie follows; the frames come later */
		else
			cpumode = marker_cpumode(ip);
	}
	return nr;
}

size_t sample_frames(const struct sample *sample, struct sample_frame *frames,
		     size_t max)
{
	size_t nr = chain_frames(sample, frames, max);

	if (nr || max == 0 || !(sample->fields & PERF_SAMPLE_IP))
		return nr;
	frames[0] = (struct sample_frame){ sample->ip,
					   sample_cpumode(sample) };
	return 1;
}
