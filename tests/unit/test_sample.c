/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples written word by word, as perf_output_sample() does.  Each is parsed
 * in an allocation of exactly its size, so that the address sanitizer detects
 * reads beyond it.
 */
#include "tests/group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perf/abi/sample.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* Two u32 in a word, in memory order. */
static uint64_t pair(uint32_t first, uint32_t second)
{
	uint32_t both[2] = { first, second };
	uint64_t word;

	memcpy(&word, both, sizeof(word));
	return word;
}

/* A record with a body of @nr words, in an allocation of its size. */
static void *new_record(const uint64_t *words, size_t nr, size_t *size)
{
	struct perf_event_header header = {
		.type = PERF_RECORD_SAMPLE,
		.misc = PERF_RECORD_MISC_USER,
	};
	char *record;

	*size = sizeof(header) + nr * sizeof(*words);
	header.size = (uint16_t)*size;
	record = malloc(*size);
	assert_non_null(record);
	memcpy(record, &header, sizeof(header));
	if (nr)
		memcpy(record + sizeof(header), words, nr * sizeof(*words));
	return record;
}

static int parse_words(const struct sample_layout *layout,
		       const uint64_t *words, size_t nr, struct sample *out,
		       void **record)
{
	size_t size;

	*record = new_record(words, nr, &size);
	return sample_parse(layout, *record, size, out);
}

static int parse_code(const struct sample_layout *layout,
		      const uint64_t *words, size_t nr)
{
	struct sample sample;
	void *record;
	int ret = parse_words(layout, words, nr, &sample, &record);

	free(record);
	return ret;
}

/* All fields, in the order of the ABI. */
static const struct sample_layout everything = {
	.sample_type = PERF_SAMPLE_MAX - 1 - PERF_SAMPLE_WEIGHT_STRUCT,
	.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
		       PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID |
		       PERF_FORMAT_LOST | PERF_FORMAT_GROUP,
	.branch_sample_type = PERF_SAMPLE_BRANCH_ANY |
			      PERF_SAMPLE_BRANCH_HW_INDEX,
	.regs_user = 0x5,
	.regs_intr = 0x700,
};

static size_t everything_words(uint64_t *w)
{
	const uint64_t words[] = {
		77,			/* IDENTIFIER */
		0x401000,		/* IP */
		pair(10, 11),		/* TID */
		123456789,		/* TIME */
		0x7fff0000,		/* ADDR */
		77,			/* ID */
		88,			/* STREAM_ID */
		pair(3, 0),		/* CPU */
		4000,			/* PERIOD */
		2, 500, 400,		/* READ: nr, enabled, running */
		1000, 77, 5,		/* value, id, lost */
		2000, 78, 6,
		3, (uint64_t)PERF_CONTEXT_USER, 0x401000, 0x402000,
		pair(12, 0x64636261), 0x6867666564636261, /* RAW */
		2, 9,			/* BRANCH_STACK: nr, hw_idx */
		0x10, 0x20, 0,
		0x30, 0x40, 1,
		PERF_SAMPLE_REGS_ABI_64, 0xa0, 0xa2, /* REGS_USER */
		16, 0x1111, 0x2222, 8,	/* STACK_USER: size, data, dyn_size */
		300,			/* WEIGHT */
		0x42,			/* DATA_SRC */
		0x7,			/* TRANSACTION */
		PERF_SAMPLE_REGS_ABI_32, 0xb0, 0xb1, 0xb2, /* REGS_INTR */
		0xfeed000,		/* PHYS_ADDR */
		555,			/* CGROUP */
		4096,			/* DATA_PAGE_SIZE */
		2 << 20,		/* CODE_PAGE_SIZE */
		8, 0x3333,		/* AUX */
	};

	memcpy(w, words, sizeof(words));
	return NR(words);
}

enum { EVERYTHING_MAX = 80 };

static void check_fixed(const struct sample *s)
{
	assert_int_equal(s->fields, everything.sample_type);
	assert_int_equal(sample_cpumode(s), PERF_RECORD_MISC_USER);
	assert_int_equal(s->id, 77);
	assert_int_equal(s->ip, 0x401000);
	assert_int_equal(s->pid, 10);
	assert_int_equal(s->tid, 11);
	assert_int_equal(s->time, 123456789);
	assert_int_equal(s->addr, 0x7fff0000);
	assert_int_equal(s->stream_id, 88);
	assert_int_equal(s->cpu, 3);
	assert_int_equal(s->period, 4000);
}

static void check_long(const struct sample *s)
{
	assert_int_equal(s->nr_chain, 3);
	assert_int_equal(s->chain[2], 0x402000);
	assert_int_equal(s->raw_size, 12);
	assert_memory_equal(s->raw, "abcdabcdefgh", 12);
	assert_int_equal(s->nr_branches, 2);
	assert_int_equal(s->branch_hw_idx, 9);
	assert_int_equal(s->branches[1].from, 0x30);
	assert_int_equal(s->branches[1].to, 0x40);
	assert_int_equal(s->regs_user.abi, PERF_SAMPLE_REGS_ABI_64);
	assert_int_equal(s->regs_user.regs[1], 0xa2);
	assert_int_equal(s->stack_size, 8);
	assert_int_equal(*(const uint64_t *)s->stack, 0x1111);
}

static void check_rest(const struct sample *s)
{
	assert_int_equal(s->weight.full, 300);
	assert_int_equal(s->data_src, 0x42);
	assert_int_equal(s->transaction, 7);
	assert_int_equal(s->regs_intr.regs[2], 0xb2);
	assert_int_equal(s->phys_addr, 0xfeed000);
	assert_int_equal(s->cgroup, 555);
	assert_int_equal(s->data_page_size, 4096);
	assert_int_equal(s->code_page_size, 2 << 20);
	assert_int_equal(s->aux_size, 8);
	assert_int_equal(*(const uint64_t *)s->aux, 0x3333);
}

TEST(test_everything)
{
	uint64_t words[EVERYTHING_MAX];
	size_t nr = everything_words(words);
	struct sample sample;
	void *record;

	assert_int_equal(parse_words(&everything, words, nr, &sample, &record),
			 0);
	check_fixed(&sample);
	check_long(&sample);
	check_rest(&sample);
	free(record);
}

/* Each field by itself is found, and the others are 0. */
TEST(test_one_by_one)
{
	for (unsigned int bit = 0; 1U << bit < PERF_SAMPLE_MAX; bit++) {
		const uint64_t long_ones =
			PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN |
			PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK |
			PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
			PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_AUX;
		struct sample_layout layout = { .sample_type = 1U << bit };
		uint64_t word = layout.sample_type & long_ones ? 0 : 5;
		struct sample got, want = {
			.fields = layout.sample_type,
			.misc = PERF_RECORD_MISC_USER,
		};
		void *record;

		if (layout.sample_type == PERF_SAMPLE_READ)
			continue;	/* a value, not a count */
		if (layout.sample_type == PERF_SAMPLE_RAW)
			word = pair(4, 0);
		assert_int_equal(parse_words(&layout, &word, 1, &got, &record),
				 0);
		if (layout.sample_type == PERF_SAMPLE_CPU)
			assert_int_equal(got.cpu, 5);
		assert_int_equal(got.fields, want.fields);
		assert_int_equal(got.ip,
				 layout.sample_type == PERF_SAMPLE_IP ? 5 : 0);
		assert_int_equal(got.cgroup,
				 layout.sample_type == PERF_SAMPLE_CGROUP ?
				 5 : 0);
		assert_int_equal(got.nr_chain, 0);
		assert_int_equal(got.nr_branches, 0);
		assert_int_equal(parse_code(&layout, &word, 0), -EBADMSG);
		free(record);
	}
}

/* The field has @nr words; the next word is of another field. */
static void expect_read(uint64_t format, const uint64_t *words, size_t nr)
{
	struct sample_layout layout = {
		.sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_CGROUP,
		.read_format = format,
	};
	struct sample sample;
	void *record;

	assert_int_equal(parse_words(&layout, words, nr + 1, &sample, &record),
			 0);
	assert_int_equal(sample.cgroup, words[nr]);
	free(record);
	assert_int_equal(parse_code(&layout, words, nr), -EBADMSG);
	assert_int_equal(parse_code(&layout, words, nr + 2), -EBADMSG);
}

TEST(test_read_formats)
{
	const uint64_t one[] = { 1, 2, 3, 4, 5, 6, 7 };
	const uint64_t group[] = { 2, 8, 9, 10, 11, 12, 20, 21, 22, 23, 24 };
	const uint64_t both = PERF_FORMAT_TOTAL_TIME_ENABLED |
			      PERF_FORMAT_TOTAL_TIME_RUNNING;

	expect_read(0, one, 1);
	expect_read(both, one, 3);
	expect_read(PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_LOST, one, 3);
	expect_read(both | PERF_FORMAT_ID | PERF_FORMAT_LOST, one, 5);
	expect_read(PERF_FORMAT_GROUP, group, 3);
	expect_read(PERF_FORMAT_GROUP | both | PERF_FORMAT_ID |
		    PERF_FORMAT_LOST, group, 9);
}

/* The count without hw_idx: the event had no branches. */
TEST(test_no_branches)
{
	struct sample_layout layout = {
		.sample_type = PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_CGROUP,
		.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX,
	};
	const uint64_t without[] = { 0, 55 }, with[] = { 0, 9, 55 };
	struct sample sample;
	void *record;

	assert_int_equal(parse_words(&layout, without, 2, &sample, &record), 0);
	assert_int_equal(sample.cgroup, 55);
	assert_int_equal(sample.branch_hw_idx, 0);
	free(record);
	assert_int_equal(parse_words(&layout, with, 3, &sample, &record), 0);
	assert_int_equal(sample.cgroup, 55);
	assert_int_equal(sample.branch_hw_idx, 9);
	free(record);
}

/* A word of counters follows each branch, Linux 6.8. */
TEST(test_branch_counters)
{
	struct sample_layout layout = {
		.sample_type = PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_CGROUP,
		.branch_sample_type = 1U << 19,
	};
	const uint64_t words[] = { 1, 0x10, 0x20, 0, 0xc0, 55 };
	struct sample sample;
	void *record;

	assert_int_equal(parse_words(&layout, words, NR(words), &sample,
				     &record), 0);
	assert_int_equal(sample.branches[0].to, 0x20);
	assert_int_equal(sample.cgroup, 55);
	free(record);
}

/* A kernel thread has neither user registers nor a user stack. */
TEST(test_no_user_space)
{
	struct sample_layout layout = {
		.sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
			       PERF_SAMPLE_CGROUP,
		.regs_user = UINT64_MAX,
	};
	const uint64_t words[] = { PERF_SAMPLE_REGS_ABI_NONE, 0, 55 };
	struct sample sample;
	void *record;

	assert_int_equal(parse_words(&layout, words, NR(words), &sample,
				     &record), 0);
	assert_null(sample.regs_user.regs);
	assert_null(sample.stack);
	assert_int_equal(sample.cgroup, 55);
	free(record);
}

/* Invalid counts and sizes, some of which overflow when multiplied. */
TEST(test_lies)
{
	static const uint64_t counts[] = {
		2, 3, UINT16_MAX, UINT32_MAX, UINT64_MAX, UINT64_MAX / 8 + 1,
		UINT64_MAX / 24 + 1, UINT64_C(1) << 63, UINT64_C(1) << 61,
	};
	static const struct sample_layout layouts[] = {
		{ .sample_type = PERF_SAMPLE_CALLCHAIN },
		{ .sample_type = PERF_SAMPLE_BRANCH_STACK },
		{ .sample_type = PERF_SAMPLE_STACK_USER },
		{ .sample_type = PERF_SAMPLE_AUX },
		{ .sample_type = PERF_SAMPLE_READ,
		  .read_format = PERF_FORMAT_GROUP },
		{ .sample_type = PERF_SAMPLE_REGS_USER,
		  .regs_user = UINT64_MAX },
		{ .sample_type = PERF_SAMPLE_REGS_INTR,
		  .regs_intr = UINT64_MAX },
		{ .sample_type = PERF_SAMPLE_RAW },
	};

	for (size_t i = 0; i < NR(layouts); i++)
		for (size_t k = 0; k < NR(counts); k++) {
			const uint64_t words[] = { counts[k], 0 };

			assert_int_equal(parse_code(&layouts[i], words, 2),
					 -EBADMSG);
		}
}

/* Three times this is 1 more than a multiple of 2^64. */
#define THIRD UINT64_C(0xaaaaaaaaaaaaaaab)

TEST(test_products_that_wrap)
{
	const uint64_t words[] = { THIRD, 0 };
	struct sample_layout read = {
		.sample_type = PERF_SAMPLE_READ,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID |
			       PERF_FORMAT_LOST,
	};
	struct sample_layout branches = {
		.sample_type = PERF_SAMPLE_BRANCH_STACK,
	};

	assert_int_equal(parse_code(&read, words, 2), -EBADMSG);
	assert_int_equal(parse_code(&branches, words, 2), -EBADMSG);
}

TEST(test_stack_longer_than_dump)
{
	struct sample_layout layout = { .sample_type = PERF_SAMPLE_STACK_USER };
	const uint64_t good[] = { 8, 0, 8 }, bad[] = { 8, 0, 9 };

	assert_int_equal(parse_code(&layout, good, 3), 0);
	assert_int_equal(parse_code(&layout, bad, 3), -EBADMSG);
}

/* A field of a newer kernel: its size is not known. */
TEST(test_unknown_field)
{
	struct sample_layout layout = {
		.sample_type = PERF_SAMPLE_IP | (UINT64_C(1) << 40),
	};
	const uint64_t words[] = { 1, 2 };

	assert_int_equal(parse_code(&layout, words, 2), -EBADMSG);
}

/* Parse the first @size bytes of @record, in an allocation of that size. */
static int parse_cut(const struct sample_layout *layout, const void *record,
		     size_t size, bool honest)
{
	char *cut = malloc(size ? size : 1);
	uint16_t told = (uint16_t)size;
	struct sample sample;
	int ret;

	assert_non_null(cut);
	memcpy(cut, record, size);
	if (honest && size >= sizeof(struct perf_event_header))
		memcpy(cut + offsetof(struct perf_event_header, size), &told,
		       sizeof(told));
	ret = sample_parse(layout, cut, size, &sample);
	free(cut);
	return ret;
}

/* With the old size in the header, and with the new one. */
TEST(test_cut_at_every_byte)
{
	uint64_t words[EVERYTHING_MAX];
	size_t nr = everything_words(words), size;
	char *record = new_record(words, nr, &size);

	assert_int_equal(parse_cut(&everything, record, size, false), 0);
	for (size_t cut = 0; cut < size; cut++) {
		assert_int_equal(parse_cut(&everything, record, cut, false),
				 -EBADMSG);
		assert_int_equal(parse_cut(&everything, record, cut, true),
				 -EBADMSG);
	}
	free(record);
}

static volatile uint64_t read_sum; /* so that the reads are made */

/*
 * Check that all that was decoded is within the record; reads every byte of it.
 */
static void touch(const struct sample *s, const char *record, size_t size)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < s->nr_chain; i++)
		sum += s->chain[i];
	for (uint64_t i = 0; i < s->nr_branches; i++)
		sum += s->branches[i].to;
	for (uint64_t i = 0; i < s->raw_size; i++)
		sum += ((const unsigned char *)s->raw)[i];
	for (uint64_t i = 0; i < s->stack_size; i++)
		sum += ((const unsigned char *)s->stack)[i];
	assert_true((const char *)s->raw + s->raw_size <= record + size);
	read_sum = sum;
}

TEST(test_every_byte_changed)
{
	static const unsigned char values[] = { 0, 1, 8, 0x7f, 0x80, 0xff };
	uint64_t words[EVERYTHING_MAX];
	size_t nr = everything_words(words), size, taken = 0;
	char *record = new_record(words, nr, &size);
	struct sample sample;

	for (size_t at = 0; at < size * NR(values); at++) {
		char *byte = record + at / NR(values), was = *byte;

		*byte = (char)values[at % NR(values)];
		if (sample_parse(&everything, record, size, &sample) == 0) {
			touch(&sample, record, size);
			taken++;
		}
		*byte = was;
	}
	assert_true(taken > size);
	free(record);
}

TEST(test_not_a_sample)
{
	struct sample_layout layout = { .sample_type = PERF_SAMPLE_IP };
	struct perf_event_header header;
	const uint64_t word = 5;
	struct sample sample;
	size_t size;
	char *record = new_record(&word, 1, &size);

	assert_int_equal(sample_parse(&layout, record, size, &sample), 0);
	memcpy(&header, record, sizeof(header));
	header.size += 8;
	memcpy(record, &header, sizeof(header));
	assert_int_equal(sample_parse(&layout, record, size, &sample),
			 -EBADMSG);
	header.size -= 8;
	header.type = PERF_RECORD_LOST;
	memcpy(record, &header, sizeof(header));
	assert_int_equal(sample_parse(&layout, record, size, &sample),
			 -EBADMSG);
	free(record);
}

/* The frames of a sample with @nr words of callchain, taken in @misc. */
static size_t frames_of(const uint64_t *chain, size_t nr, uint16_t misc,
			struct sample_frame *frames, size_t max)
{
	struct sample sample = {
		.fields = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN,
		.misc = misc,
		.ip = 0x999,
		.chain = chain,
		.nr_chain = nr,
	};

	return sample_frames(&sample, frames, max);
}

TEST(test_markers)
{
	const uint64_t chain[] = {
		0x1,
		(uint64_t)PERF_CONTEXT_KERNEL, 0xffffffff81000000,
		(uint64_t)PERF_CONTEXT_USER, 0x2, 0x3,
		(uint64_t)PERF_CONTEXT_HV, 0x4,
		(uint64_t)PERF_CONTEXT_GUEST, 0x5,
		(uint64_t)PERF_CONTEXT_GUEST_KERNEL, 0x6,
		(uint64_t)PERF_CONTEXT_GUEST_USER, 0x7,
		(uint64_t)-4000, 0x8,	/* of a future kernel */
		(uint64_t)PERF_CONTEXT_MAX,
		(uint64_t)-4096,	/* the highest address */
	};
	const struct sample_frame want[] = {
		{ 0x1, PERF_RECORD_MISC_HYPERVISOR },
		{ 0xffffffff81000000, PERF_RECORD_MISC_KERNEL },
		{ 0x2, PERF_RECORD_MISC_USER },
		{ 0x3, PERF_RECORD_MISC_USER },
		{ 0x4, PERF_RECORD_MISC_HYPERVISOR },
		{ 0x5, PERF_RECORD_MISC_GUEST_KERNEL },
		{ 0x6, PERF_RECORD_MISC_GUEST_KERNEL },
		{ 0x7, PERF_RECORD_MISC_GUEST_USER },
		{ 0x8, PERF_RECORD_MISC_CPUMODE_UNKNOWN },
		{ (uint64_t)-4096, PERF_RECORD_MISC_CPUMODE_UNKNOWN },
	};
	struct sample_frame frames[NR(chain)];
	size_t nr = frames_of(chain, NR(chain), PERF_RECORD_MISC_HYPERVISOR,
			      frames, NR(frames));

	assert_int_equal(nr, NR(want));
	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(frames[i].ip, want[i].ip);
		assert_int_equal(frames[i].cpumode, want[i].cpumode);
	}
}

/* The marker of deferred user frames, and its cookie. */
TEST(test_deferred)
{
	const uint64_t chain[] = {
		(uint64_t)PERF_CONTEXT_KERNEL, 0x1, (uint64_t)-640, 0x1234,
	};
	struct sample_frame frames[4];

	assert_int_equal(frames_of(chain, 4, PERF_RECORD_MISC_KERNEL, frames,
				   4), 1);
	assert_int_equal(frames[0].ip, 0x1);
	/* cut off before the cookie */
	assert_int_equal(frames_of(chain, 3, PERF_RECORD_MISC_KERNEL, frames,
				   4), 1);
}

TEST(test_no_more_than_asked)
{
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_USER, 1, 2, 3, 4 };
	struct sample_frame frames[3] = { 0 };

	assert_int_equal(frames_of(chain, NR(chain), PERF_RECORD_MISC_USER,
				   frames, 2), 2);
	assert_int_equal(frames[1].ip, 2);
	assert_int_equal(frames[2].ip, 0);
	assert_int_equal(frames_of(chain, NR(chain), PERF_RECORD_MISC_USER,
				   frames, 0), 0);
	assert_int_equal(frames_of(NULL, 0, PERF_RECORD_MISC_USER, frames, 0),
			 0);
}

/* The sampled address replaces a callchain without addresses. */
TEST(test_without_chain)
{
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_KERNEL };
	struct sample sample = { .misc = PERF_RECORD_MISC_USER };
	struct sample_frame frames[2];

	assert_int_equal(frames_of(NULL, 0, PERF_RECORD_MISC_USER, frames, 2),
			 1);
	assert_int_equal(frames[0].ip, 0x999);
	assert_int_equal(frames[0].cpumode, PERF_RECORD_MISC_USER);
	assert_int_equal(frames_of(chain, 1, PERF_RECORD_MISC_USER, frames, 2),
			 1);
	assert_int_equal(frames[0].cpumode, PERF_RECORD_MISC_USER);
	assert_int_equal(sample_frames(&sample, frames, 2), 0);
}

TEST(test_layout_of_attr)
{
	struct perf_event_attr attr = {
		.sample_type = PERF_SAMPLE_IP,
		.read_format = PERF_FORMAT_ID,
		.branch_sample_type = PERF_SAMPLE_BRANCH_ANY,
		.sample_regs_user = 1,
		.sample_regs_intr = 2,
	};
	struct sample_layout layout = sample_layout_of(&attr);

	assert_int_equal(layout.sample_type, PERF_SAMPLE_IP);
	assert_int_equal(layout.read_format, PERF_FORMAT_ID);
	assert_int_equal(layout.branch_sample_type, PERF_SAMPLE_BRANCH_ANY);
	assert_int_equal(layout.regs_user, 1);
	assert_int_equal(layout.regs_intr, 2);
}

/* The largest sample, which a ring has to hold. */
TEST(test_largest)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
	};

	assert_int_equal(sample_largest(&attr), 8 + 2 * 8);
	assert_int_equal(sample_usual(&attr), 8 + 2 * 8);
	attr.sample_type |= PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_USER;
	attr.sample_stack_user = 8192;
	attr.sample_regs_user = 0xff0fff;
	assert_int_equal(sample_largest(&attr),
			 8 + 2 * 8 + 16 + 8192 + 8 + 20 * 8);
	assert_int_equal(sample_usual(&attr), sample_largest(&attr));
	attr.sample_type = PERF_SAMPLE_CALLCHAIN;
	attr.sample_max_stack = 20;
	assert_int_equal(sample_largest(&attr), 8 + 8 + 28 * 8);
	attr.sample_type = PERF_SAMPLE_RAW;
	assert_int_equal(sample_largest(&attr), SAMPLE_MAX);
	attr.type = PERF_TYPE_TRACEPOINT;
	assert_true(sample_largest(&attr) < 16384);
	assert_int_equal(sample_usual(&attr), 0);
	attr.sample_type = PERF_SAMPLE_STACK_USER;
	attr.sample_stack_user = UINT32_MAX;
	assert_int_equal(sample_largest(&attr), SAMPLE_MAX);
}

TEST_GROUP(sample);
