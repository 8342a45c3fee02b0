/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "perf/abi/record.h"
#include "perf/abi/sample.h"
#include "sim/sim_ring.h"
#include "sim/sim_traffic.h"

enum { SIZE = 4096, TYPICAL = 0, TWO = 1, TURNS = 2 };

static const struct sim_function *leaf(const struct sim_code *code,
				       const struct sim_stack *stack)
{
	const struct sim_function *f = sim_code_find(code, stack->ips[0]);

	assert_non_null(f);
	return f;
}

TEST(functions_do_not_overlap)
{
	for (unsigned int kind = 0; sim_code_kinds()[kind]; kind++) {
		struct sim_code *code = sim_code_new(kind);
		const struct sim_function *f;
		size_t nr;

		f = sim_code_functions(code, &nr);
		assert_true(nr >= 4 && nr < 256);
		for (size_t i = 0; i < nr; i++) {
			uint64_t end = f[i].addr + SIM_CODE_FUNCTION;

			assert_true(i == 0 || f[i].addr >=
				    f[i - 1].addr + SIM_CODE_FUNCTION);
			assert_ptr_equal(sim_code_find(code, f[i].addr), &f[i]);
			assert_ptr_equal(sim_code_find(code, end - 1), &f[i]);
			assert_ptr_not_equal(sim_code_find(code, end), &f[i]);
		}
		assert_null(sim_code_find(code, 0));
		assert_null(sim_code_find(code, f[0].addr - 1));
		assert_null(sim_code_find(code, UINT64_MAX));
		sim_code_free(code);
	}
}

/* Each stack is complete: all have names, and the kernel's part is first. */
TEST(stacks_are_of_known_functions)
{
	struct sim_code *code = sim_code_new(TYPICAL);
	unsigned int program = sim_code_program(code, "postgres");
	bool kernel = false, user = false;

	for (uint64_t percent = 0; percent < 100; percent++) {
		const struct sim_stack *stack =
			sim_code_pick(code, program,
				      (uint32_t)((percent << 32) / 100), 0);
		const struct sim_function *f;

		assert_true(stack->nr > 3);
		for (unsigned int i = 0; i < stack->nr; i++) {
			f = sim_code_find(code, stack->ips[i]);
			assert_non_null(f);
			assert_int_equal(f->kind == SYMBOL_KERNEL,
					 i < stack->nr_kernel);
		}
		f = sim_code_find(code, stack->ips[stack->nr - 1]);
		assert_string_equal(f->name, "_start");
		assert_string_equal(f->dso, "/usr/bin/postgres");
		kernel |= stack->nr_kernel > 0;
		user |= stack->nr_kernel == 0;
	}
	assert_true(kernel && user);
	sim_code_free(code);
}

TEST(each_program_has_its_own_code)
{
	static const struct { const char *program, *leaf; } first[] = {
		{ "postgres", "heapgettup_pagemode" },
		{ "nginx", "ip_queue_xmit" },
		{ "redis-server", "dictFind" },
		{ "java", "Ljava/util/HashMap;::getNode" },
		{ "systemd-journal", "siphash24" },
		{ "cc1", "cpp_get_token" },
		{ "rsync", "md5_process" },
		{ "sshd", "chacha_encrypt_bytes" },
	};
	struct sim_code *code = sim_code_new(TYPICAL);

	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		unsigned int program = sim_code_program(code,
							first[i].program);
		const struct sim_stack *stack = sim_code_pick(code, program, 0,
							      0);

		assert_string_equal(leaf(code, stack)->name, first[i].leaf);
		/* the shares add up to 100 %: the last stack is its own */
		stack = sim_code_pick(code, program, UINT32_MAX, 0);
		assert_true(stack->nr > 3);
		for (size_t j = 0; j < sizeof(first) / sizeof(first[0]); j++)
			assert_true(j == i || stack !=
				    sim_code_pick(code, sim_code_program(code,
							first[j].program),
						  0, 0));
	}
	sim_code_free(code);
}

TEST(two_have_the_shares_they_say)
{
	struct sim_code *code = sim_code_new(TWO);
	unsigned int often = 0;

	for (uint64_t i = 0; i < 1000; i++) {
		const struct sim_stack *stack =
			sim_code_pick(code, sim_code_program(code, "any"),
				      (uint32_t)((i << 32) / 1000), i);

		often += !strcmp(leaf(code, stack)->name, "often");
	}
	assert_in_range(often, 699, 701);
	sim_code_free(code);
}

TEST(turns_alternate)
{
	struct sim_code *code = sim_code_new(TURNS);

	for (uint64_t i = 0; i < 10; i++) {
		const struct sim_stack *stack = sim_code_pick(code, 0,
							      (uint32_t)i, i);

		assert_string_equal(leaf(code, stack)->name,
				    i % 2 ? "odd" : "even");
	}
	sim_code_free(code);
}

struct rig {
	struct sim_code *code;
	void *base;
	struct sim_ring ring;
	struct sim_event events[2];
	struct sim_traffic traffic;
};

static void rig_init(struct rig *rig, unsigned int chain, size_t record)
{
	struct sim_traffic_opts opts = {
		.seed = 3, .record = record, .chain = chain,
	};

	*rig = (struct rig){ .code = sim_code_new(TYPICAL) };
	opts.code = rig->code;
	rig->base = calloc(1, sys_page_size() + SIZE);
	sim_ring_init(&rig->ring, rig->base, SIZE, 0, false);
	rig->events[1].id = 77;
	sim_traffic_init(&rig->traffic, 0, &opts);
}

static void rig_free(struct rig *rig)
{
	sim_code_free(rig->code);
	free(rig->base);
}

/* Write a sample at the ring's beginning and decode it. */
static void next_sample(struct rig *rig, uint64_t type, struct sample *sample)
{
	const struct sample_layout layout = { .sample_type = type };
	const struct perf_event_header *header = (void *)rig->ring.data;

	rig->ring.head = 0;
	rig->ring.lost = 0;
	sim_traffic_next(&rig->traffic, &rig->ring, rig->events, 2, 1, 5);
	assert_int_equal(header->type, PERF_RECORD_SAMPLE);
	assert_int_equal(header->size, rig->ring.head);
	assert_int_equal(sample_parse(&layout, header, header->size, sample),
			 0);
}

TEST(samples_decode_to_what_was_written)
{
	const uint64_t type = RECORD_SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN |
			      PERF_SAMPLE_RAW;
	struct sample_frame frames[64];
	unsigned int kernel = 0;
	struct sample sample;
	struct rig rig;

	rig_init(&rig, 32, 72);
	for (int i = 0; i < 1000; i++) {
		const struct sim_function *f;
		size_t nr;

		next_sample(&rig, type, &sample);
		assert_int_equal(sample.id, 77);
		assert_int_equal(sample.raw_size, 12);
		nr = sample_frames(&sample, frames, 64);
		assert_true(nr > 3);
		assert_int_equal(frames[0].ip, sample.ip);
		for (size_t j = 0; j < nr; j++) {
			f = sim_code_find(rig.code, frames[j].ip);
			assert_non_null(f);
			assert_int_equal(f->kind == SYMBOL_KERNEL,
					 frames[j].cpumode ==
					 PERF_RECORD_MISC_KERNEL);
		}
		assert_int_equal(frames[0].cpumode, sample_cpumode(&sample));
		kernel += sample_cpumode(&sample) == PERF_RECORD_MISC_KERNEL;
	}
	assert_in_range(kernel, 100, 600);
	rig_free(&rig);
}

TEST(callchains_keep_to_their_depth)
{
	const uint64_t type = RECORD_SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN;
	struct sample_frame frames[64];
	struct sample sample;
	struct rig rig;

	rig_init(&rig, 3, 56);
	for (int i = 0; i < 100; i++) {
		next_sample(&rig, type, &sample);
		assert_int_equal(sample_frames(&sample, frames, 64), 3);
		assert_in_range(sample.nr_chain, 4, 5);
	}
	rig_free(&rig);
}

TEST(without_a_callchain_there_is_none)
{
	struct sample sample;
	struct rig rig;

	rig_init(&rig, 0, 56);
	next_sample(&rig, RECORD_SAMPLE_TYPE, &sample);
	assert_int_equal(sample.nr_chain, 0);
	assert_int_equal(rig.ring.head, 56);
	rig_free(&rig);
}

TEST_GROUP(sim_code);
