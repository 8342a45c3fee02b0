/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/err.h"
#include "sim/sim.h"
#include "sim/sim_cpu.h"
#include "sim/sim_traffic.h"

/* The SPEC of --sim */

TEST(test_spec)
{
	struct err err = { 0 };
	struct sim_spec spec;

	assert_int_equal(sim_spec_parse(&spec, "", &err), 0);
	assert_int_equal(spec.cpus, 4);
	assert_int_equal(spec.size, 128 << 10);
	assert_int_equal(spec.reader, SIM_READER_NORMAL);
	assert_int_equal(sim_spec_parse(&spec, "cpus=512,rate=1000,size=65K,"
					"watermark=4K,reader=stuck,mix=tasks,"
					"seed=18446744073709551615,burst=9,"
					"overwrite=1,aux=1M", &err), 0);
	assert_int_equal(spec.cpus, 512);
	assert_int_equal(spec.rate, 1000);
	assert_int_equal(spec.size, 128 << 10);	/* the next power of two */
	assert_int_equal(spec.watermark, 4096);
	assert_int_equal(spec.reader, SIM_READER_STUCK);
	assert_int_equal(spec.mix, 2);
	assert_true(spec.seed == UINT64_MAX);
	assert_int_equal(spec.burst, 9);
	assert_int_equal(spec.overwrite, 1);
	assert_int_equal(spec.aux, 1 << 20);
	assert_int_equal(spec.chain, 0);
	assert_int_equal(sim_spec_parse(&spec, "chain=32,code=turns", &err), 0);
	assert_int_equal(spec.chain, 32);
	assert_string_equal(sim_code_kinds()[spec.code], "turns");
}

TEST(test_bad_spec)
{
	static const struct { const char *spec, *says; } bad[] = {
		{ "foo=1", "there are cpus, rate, size, watermark" },
		{ "cpus", "needs a value" },
		{ "cpus=", "cpus" },
		{ "cpus=0", "from 1 to 8192" },
		{ "cpus=8193", "at most 8192" },
		{ "cpus=-1", "not a number" },
		{ "cpus=4,", "no key ''" },
		{ ",", "no key ''" },
		{ "cpus=4,,rate=1", "no key ''" },
		{ "cpus=4 ,rate=1", "not a number" },
		{ "rate=fast", "not a number" },
		{ "rate=99999999999999999999", "at most" },
		{ "size=3T", "must be from" },
		{ "size=1", "must be from" },
		{ "size=4X", "unit" },
		{ "reader=dead", "normal, slow, stuck" },
		{ "mix=salad", "samples, normal" },
		{ "record=8", "from 56" },
		{ "chain=33", "at most 32" },
		{ "code=dull", "typical, two, turns" },
		/* the sample has 88 bytes more than record= */
		{ "size=4K,record=2048,chain=8,watermark=1905",
		  "at most 1904" },
		{ "size=64K,watermark=64K", "never reached" },
		{ "CPUS=4", "no key" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const struct sim_opts opts = { .spec = bad[i].spec };
		struct err err = { 0 };

		assert_null(sim_open(&opts, &err));
		assert_int_equal(err_exit_status(&err), 2);
		assert_non_null(strstr(err.text, bad[i].says));
	}
}

TEST(test_help_has_every_key)
{
	static const char *const keys[] = { "cpus=", "rate=", "size=",
					    "watermark=", "reader=", "mix=",
					    "seed=", "overwrite=", "aux=", "snapshot=",
					    "chain=", "code=" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_non_null(strstr(sim_help(), keys[i]));
}

/* A CPU as time passes */

#define MS 1000000ULL

static struct sim_code *code;

static int code_setup(void **state)
{
	(void)state;
	code = sim_code_new(0);
	return code ? 0 : -1;
}

static int code_teardown(void **state)
{
	(void)state;
	sim_code_free(code);
	return 0;
}

static void cpu_open(struct sim_cpu *cpu, struct sim_spec *spec,
		     const char *text)
{
	struct err err = { 0 };

	assert_int_equal(sim_spec_parse(spec, text, &err), 0);
	assert_int_equal(sim_cpu_init(cpu, 0, spec, code, &err), 0);
}

static uint64_t records_written(const struct sim_cpu *cpu)
{
	return cpu->memory.ring.head / 64;
}

TEST(test_rate)
{
	struct sim_pace pace = { .enabled = true, .rate = 1000, .period = 1 };
	struct sim_spec spec;
	struct sim_cpu cpu;
	uint64_t now = 5000 * MS;

	cpu_open(&cpu, &spec, "mix=samples,record=64");
	sim_cpu_write(&cpu, &spec, &pace, now);
	assert_int_equal(records_written(&cpu), 0);
	for (int i = 0; i < 100; i++)
		sim_cpu_write(&cpu, &spec, &pace, now += 2 * MS);
	assert_in_range(records_written(&cpu), 199, 200);
	/* at most 100 ms are caught up */
	sim_cpu_write(&cpu, &spec, &pace, now += 60000 * MS);
	assert_in_range(records_written(&cpu), 299, 300);
	pace.enabled = false;
	sim_cpu_write(&cpu, &spec, &pace, now += 50 * MS);
	assert_in_range(records_written(&cpu), 299, 300);
	/* nor later */
	pace.enabled = true;
	sim_cpu_write(&cpu, &spec, &pace, now += 10 * MS);
	assert_in_range(records_written(&cpu), 309, 310);
	sim_cpu_free(&cpu);
}

TEST(test_burst)
{
	struct sim_pace pace = { .enabled = true, .rate = 100, .period = 1 };
	struct sim_spec spec;
	struct sim_cpu cpu;
	uint64_t now = 5000 * MS;

	cpu_open(&cpu, &spec, "mix=samples,record=64,burst=21,size=1M");
	for (int i = 0; i <= 2000; i++)
		sim_cpu_write(&cpu, &spec, &pace, now += MS);
	/* 1.8 s at 100 and 0.2 s at 2100 */
	assert_in_range(records_written(&cpu), 590, 610);
	sim_cpu_free(&cpu);
}

TEST(test_skew)
{
	struct sim_spec spec;
	double worst = 0;

	assert_int_equal(sim_spec_parse(&spec, "skew=10", NULL), 0);
	for (int i = 0; i < 64; i++) {
		struct sim_cpu cpu;

		assert_int_equal(sim_cpu_init(&cpu, i, &spec, code, NULL), 0);
		assert_true(cpu.share >= 1 && cpu.share <= 10);
		worst = cpu.share > worst ? cpu.share : worst;
		sim_cpu_free(&cpu);
	}
	assert_true(worst > 5);
}

/* Write past the watermark at 5 s; whether the reader is woken by @now. */
static bool woken_at(const char *text, uint64_t ms)
{
	struct sim_pace pace = { .enabled = true, .rate = 1000, .period = 1 };
	struct sim_spec spec;
	struct sim_cpu cpu;
	eventfd_t wakes = 0;

	cpu_open(&cpu, &spec, text);
	sim_cpu_write(&cpu, &spec, &pace, 5000 * MS);
	sim_cpu_write(&cpu, &spec, &pace, 5100 * MS);
	pace.enabled = false;
	if (ms > 5100)
		sim_cpu_write(&cpu, &spec, &pace, ms * MS);
	if (eventfd_read(cpu.memory.wake, &wakes) < 0)
		wakes = 0;
	sim_cpu_free(&cpu);
	return wakes > 0;
}

TEST(test_reader_kinds)
{
	assert_true(woken_at("size=4K", 5100));
	assert_false(woken_at("size=64K", 6000));
	assert_false(woken_at("size=4K,reader=slow,late=300", 5100));
	assert_false(woken_at("size=4K,reader=slow,late=300", 5399));
	assert_true(woken_at("size=4K,reader=slow,late=300", 5400));
	assert_false(woken_at("size=4K,reader=stuck", 90000));
}

TEST(test_aux_of_a_cpu)
{
	struct sim_pace pace = { .enabled = true, .rate = 0, .period = 1 };
	struct sim_spec spec;
	struct sim_cpu cpu;
	uint64_t now = 5000 * MS;
	struct perf_event_mmap_page *page;

	cpu_open(&cpu, &spec, "aux=64K,auxrate=1M");
	page = cpu.memory.view.page;
	assert_ptr_equal(page, cpu.memory.ring.page); /* mapped once */
	assert_int_equal(cpu.memory.aux.watermark, 32768);
	for (int i = 0; i <= 1000; i++) {
		sim_cpu_write(&cpu, &spec, &pace, now += MS);
		aux_ring_consume(&cpu.memory.aux,
				 aux_ring_head(&cpu.memory.aux));
	}
	assert_in_range(page->aux_head, (1 << 20) - 8192, 1 << 20);
	assert_false(cpu.memory.ring.aux_stopped);
	/* not read: it stops, and continues once it was */
	for (int i = 0; i <= 1000; i++)
		sim_cpu_write(&cpu, &spec, &pace, now += MS);
	assert_int_equal(page->aux_head - page->aux_tail, 65535);
	assert_true(cpu.memory.ring.aux_stopped);
	aux_ring_consume(&cpu.memory.aux, aux_ring_head(&cpu.memory.aux));
	sim_cpu_write(&cpu, &spec, &pace, now += MS);
	assert_false(cpu.memory.ring.aux_stopped);
	sim_cpu_free(&cpu);
}

/* The head stays where it was until it is read. */
TEST(test_aux_of_a_cpu_in_snapshot_mode)
{
	struct sim_pace pace = { .enabled = true, .rate = 0, .period = 1 };
	struct sim_spec spec;
	struct sim_cpu cpu;
	uint64_t now = 5000 * MS;

	cpu_open(&cpu, &spec, "aux=64K,auxrate=1M,snapshot=1");
	for (int i = 0; i <= 1000; i++)
		sim_cpu_write(&cpu, &spec, &pace, now += MS);
	assert_true(cpu.memory.aux.overwrite);
	assert_int_equal(cpu.memory.aux.watermark, 0);
	assert_int_equal(aux_ring_head(&cpu.memory.aux), 0);
	assert_int_equal(cpu.aux_read_at, 0);
	sim_cpu_read_aux(&cpu, &spec);
	assert_in_range(aux_ring_head(&cpu.memory.aux), (1 << 20) - 8192,
			1 << 20);
	assert_true(cpu.aux_read_at > 0);
	assert_true(cpu.aux_read_cost > 0);
	sim_cpu_free(&cpu);
}

/* The largest accepted watermark is crossed even without drains. */
TEST(test_largest_watermark_fires)
{
	struct sim_spec spec;
	char text[64], largest[64] = "";

	for (int watermark = 3072; watermark <= 4096; watermark += 8) {
		snprintf(text, sizeof(text), "size=4K,watermark=%d",
			 watermark);
		if (sim_spec_parse(&spec, text, NULL) == 0)
			strcpy(largest, text);
	}
	assert_string_equal(largest, "size=4K,watermark=3912");
	assert_true(woken_at(largest, 5100));
}

TEST_GROUP(sim_cpu, .setup = code_setup, .teardown = code_teardown);
