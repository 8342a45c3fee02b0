/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "auxtrace_rig.h"

#define MAGIC 0x1010101010101010ULL

static const char *const files[] = {
	"type", "9\n",
	"cpumask", "0-1\n",
	"format/ts_enable", "config:0\n",
	"format/pa_enable", "config:1\n",
	"format/load_filter", "config:33\n",
	"format/min_latency", "config2:0-11\n",
	"caps/min_interval", "1024\n",
	"caps/event_filter", "00000000000000fe\n",
	NULL
};

/* The PMU of the other kind of core. */
static const char *const others[] = {
	"type", "10\n",
	"cpumask", "3\n",
	"format/ts_enable", "config:0\n",
	"caps/min_interval", "256\n",
	NULL
};

static int make(void **state)
{
	static const char *const midrs[] = {
		"cpu0", "0x00000000410fd0c0\n",
		"cpu1", "0x00000000410fd0c0\n",
		"cpu3", "0x00000000410fd440\n",
	};
	char path[128];

	rig_set_up(state);
	rig_files("arm_spe_0", files);
	rig_files("arm_spe_1", others);
	/* has CPU 2 in its cpumask, but no type */
	fake_tree_write(&tree, "arm_spe_x/cpumask", "2\n");
	for (size_t i = 0; i < 6; i += 2) {
		snprintf(path, sizeof(path),
			 "cpu/%s/regs/identification/midr_el1", midrs[i]);
		fake_tree_write(&tree, path, midrs[i + 1]);
	}
	return 0;
}

static struct event_spec opened(struct event_spec spec, enum target_mode mode,
				uint64_t period)
{
	struct session_opts session = rig_session(mode, &spec, 1);
	struct auxtrace_opts opts = { 0 };

	session.period = period;
	rig_open(&opts, &session);
	assert_int_equal(session.switch_events, mode != TARGET_THREADS);
	return spec;
}

static struct event_spec spe(const char *terms, uint64_t config)
{
	return rig_event("arm_spe_0", terms, 9, config);
}

TEST(periods)
{
	struct event_spec spec = spe("", 0);

	assert_int_equal(opened(spec, TARGET_SYSTEM, 0).period, 1024);
	/* -c, and period= before it */
	assert_int_equal(opened(spec, TARGET_SYSTEM, 5000).period, 5000);
	spec.period = 7000;
	assert_int_equal(opened(spec, TARGET_SYSTEM, 5000).period, 7000);
	/* if the driver shows no minimum */
	spec = rig_event("arm_spe_x", "", 11, 0);
	assert_int_equal(opened(spec, TARGET_SYSTEM, 0).period, 4096);
}

TEST(no_frequency)
{
	struct event_spec spec = spe("freq=99", 0);
	struct session_opts session = rig_session(TARGET_SYSTEM, &spec, 1);
	struct auxtrace_opts opts = { 0 };

	spec.freq = 99;
	rig_refused(&opts, &session, "arm_spe_0 takes no frequency");
}

/* With a ring per CPU, records need timestamps to be put in order. */
TEST(timestamps)
{
	assert_int_equal(opened(spe("", 0), TARGET_SYSTEM, 0).attr.config, 1);
	assert_int_equal(opened(spe("", 0), TARGET_TASKS, 0).attr.config, 1);
	assert_int_equal(opened(spe("", 0), TARGET_THREADS, 0).attr.config, 0);
	assert_int_equal(opened(spe("ts_enable=0", 0), TARGET_SYSTEM, 0)
				 .attr.config,
			 0);
	assert_int_equal(opened(spe("load_filter", 1ULL << 33), TARGET_SYSTEM,
				0)
				 .attr.config,
			 1 | 1ULL << 33);
}

TEST(what_samples_will_have)
{
	struct event_spec spec = opened(spe("", 0), TARGET_SYSTEM, 0);

	assert_int_equal(spec.attr.sample_type, PERF_SAMPLE_DATA_SRC);
	spec = opened(spe("pa_enable=1", 2), TARGET_SYSTEM, 0);
	assert_int_equal(spec.attr.sample_type,
			 PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_PHYS_ADDR);
}

static struct auxtrace trace = { .ops = &auxtrace_arm_spe, .per_cpu = true };

static void is_info(unsigned int minor, const char *list,
		    const uint64_t *expected, size_t nr_expected)
{
	struct event_spec spec = spe("", 0);
	struct cpulist cpus;
	struct auxtrace_info from = {
		.env = &env,
		.trace = &trace,
		.spec = &spec,
		.attr = &spec.attr,
		.cpus = &cpus,
	};
	uint64_t *words;
	size_t nr;

	trace.perf = AUXTRACE_PERF(6, minor);
	assert_int_equal(cpulist_parse(list, &cpus, NULL), 0);
	words = rig_info(&from, &nr);
	assert_int_equal(nr, nr_expected);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(words[i], expected[i]);
	free(words);
	cpulist_free(&cpus);
}

TEST(version_1)
{
	const uint64_t expected[] = { 9, 0 };

	assert_int_equal(auxtrace_arm_spe.type, 4);
	is_info(1, "0-3", expected, 2);
	is_info(12, "0-3", expected, 2);
}

/* CPU 2 has no SPE, CPU 3 another PMU. */
TEST(version_2)
{
	const uint64_t expected[] = {
		2, 4, 9, 3,
		MAGIC, 0, 3, 0x410fd0c0, 9, 1024,
		MAGIC, 2, 3, 0, UINT64_MAX, 0,
		MAGIC, 3, 3, 0x410fd440, 10, 256,
	};

	is_info(13, "0,2-3", expected, sizeof(expected) / 8);
}

TEST(version_2_with_filters)
{
	const uint64_t expected[] = {
		2, 4, 9, 2,
		MAGIC, 1, 4, 0x410fd0c0, 9, 1024, 0xfe,
		MAGIC, 3, 4, 0x410fd440, 10, 256, 0,
	};

	is_info(18, "1,3", expected, sizeof(expected) / 8);
}

TEST_GROUP(arm_spe, .setup = make, .teardown = rig_tear_down);
