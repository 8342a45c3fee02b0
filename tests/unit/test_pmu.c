/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "fake_tree.h"
#include "perf/event/pmu.h"

static struct fake_tree tree;

static int make_tree(void **state)
{
	(void)state;
	fake_tree_init(&tree);
	fake_tree_write(&tree, "cpu/type", "4\n");
	fake_tree_write(&tree, "cpu/format/event", "config:0-7,32-35\n");
	fake_tree_write(&tree, "cpu/format/umask", "config:8-15\n");
	fake_tree_write(&tree, "cpu/format/pc", "config:19\n");
	fake_tree_write(&tree, "cpu/format/ldlat", "config1:0-15\n");
	fake_tree_write(&tree, "cpu/format/wide", "config2:0-63\n");
	fake_tree_write(&tree, "cpu/format/odd", "config9:0-3\n");
	fake_tree_write(&tree, "cpu/format/broken", "config:7-3\n");
	fake_tree_write(&tree, "cpu/format/beyond", "config:60-64\n");
	fake_tree_write(&tree, "cpu/events/cpu-cycles", "event=0x3c\n");
	fake_tree_write(&tree, "cpu/events/mem-loads",
			"event=0xcd,umask=0x1,ldlat=3\n");
	fake_tree_write(&tree, "cpu/events/mem-loads.unit", "loads\n");
	fake_tree_write(&tree, "cpu/events/chip", "event=1,ldlat=?\n");
	fake_tree_write(&tree, "cpu/events/bad", "zork=1\n");
	fake_tree_write(&tree, "cpu/caps/max_precise", "3\n");
	fake_tree_write(&tree, "uncore/type", "17\n");
	fake_tree_write(&tree, "uncore/cpumask", "0,4-5\n");
	fake_tree_write(&tree, "armv8/type", "8\n");
	fake_tree_write(&tree, "armv8/cpus", "0-3\n");
	fake_tree_write(&tree, "cs_etm/type", "12\n");
	fake_tree_write(&tree, "cs_etm/format/sinkid", "config2:0-31\n");
	fake_tree_write(&tree, "cs_etm/sinks/tmc_etr0", "0x1ea2b0b4\n");
	fake_tree_write(&tree, "cs_etm/sinks/tmc_etf0", "9f2a\n");
	fake_tree_write(&tree, "cs_etm/sinks/long", "0x100000000\n");
	fake_tree_write(&tree, "cs_etm/sinks/word", "none\n");
	fake_tree_write(&tree, "etm_old/type", "13\n");
	fake_tree_write(&tree, "etm_old/sinks/etb", "0x100000007\n");
	fake_tree_write(&tree, "odd/type", "many\n");
	fake_tree_write(&tree, "odd/cpumask", "3-1\n");
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	fake_tree_free(&tree);
	return 0;
}

TEST(type_is_read)
{
	struct err err = { 0 };
	uint32_t type = 0;

	assert_int_equal(pmu_type(tree.root, "uncore", &type, &err), 0);
	assert_int_equal(type, 17);
	assert_true(pmu_exists(tree.root, "cpu"));
	assert_false(pmu_exists(tree.root, "gpu"));
}

TEST(missing_pmu_names_the_others)
{
	struct err err = { 0 };
	uint32_t type;

	assert_int_equal(pmu_type(tree.root, "intel_pt", &type, &err), -ENOENT);
	assert_int_equal(err.kind, ERR_MACHINE);
	assert_string_equal(err.text, "no PMU 'intel_pt' on this machine; it "
				      "has: armv8, cpu, cs_etm, etm_old, "
				      "odd, uncore");
	assert_int_equal(pmu_type("/nonexistent", "x", &type, &err), -ENOENT);
	assert_non_null(strstr(err.text, "it has: none"));
}

TEST(bad_type_is_said)
{
	struct err err = { 0 };
	uint32_t type;

	assert_int_equal(pmu_type(tree.root, "odd", &type, &err), -EIO);
	sys_fail_at(SYS_OPEN_FILE, 1, EACCES);
	assert_int_equal(pmu_type(tree.root, "cpu", &type, &err), -EACCES);
	assert_string_equal(err.text, "type of PMU 'cpu': Permission denied");
}

TEST(names_stay_inside)
{
	struct perf_event_attr attr = { 0 };
	static const char *const names[] = {
		"", ".", "..", "../x", "cpu/../uncore", "/etc",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_false(pmu_exists(tree.root, names[i]));
	assert_int_equal(pmu_apply_term(tree.root, "cpu", "../events/bad", NULL,
					&attr, NULL),
			 -EINVAL);
	assert_false(pmu_has_event(tree.root, "cpu", "../format/pc"));
}

static struct perf_event_attr apply(const char *term, const char *value)
{
	struct perf_event_attr attr = { .config = 0x80000 };
	struct err err = { 0 };

	if (pmu_apply_term(tree.root, "cpu", term, value, &attr, &err))
		fail_msg("%s=%s: %s", term, value, err.text);
	return attr;
}

TEST(fields_go_to_their_bits)
{
	assert_int_equal(apply("event", "0x3c").config, 0x8003c);
	assert_int_equal(apply("event", "0xabc").config, 0xa000800bc);
	assert_int_equal(apply("umask", "255").config, 0x8ff00);
	assert_int_equal(apply("pc", "0").config, 0);
	assert_int_equal(apply("pc", NULL).config, 0x80000);
	assert_int_equal(apply("ldlat", "0xffff").config1, 0xffff);
	assert_int_equal(apply("wide", "0xffffffffffffffff").config2,
			 UINT64_MAX);
	assert_int_equal(apply("config", "5").config, 5);
	assert_int_equal(apply("config1", "0x1").config1, 1);
}

TEST(events_bring_their_terms)
{
	struct perf_event_attr attr = apply("mem-loads", NULL);

	assert_int_equal(attr.config, 0x801cd);
	assert_int_equal(attr.config1, 3);
	assert_int_equal(apply("cpu-cycles", NULL).config, 0x8003c);
}

TEST(bad_terms_are_refused)
{
	static const struct {
		const char *term, *value, *what;
	} bad[] = {
		{ "zork", NULL,
		  "has no term 'zork'; it has: beyond, broken, "
		  "event, ldlat, odd, pc, umask, wide, bad, chip" },
		{ "mem-loads.unit", NULL, "has no term 'mem-loads.unit'" },
		{ "bad", NULL, "has no term 'zork'" },
		{ "event", NULL, "'event' needs a value" },
		{ "event", "0x1000", "12 bits, at most 0xfff" },
		{ "pc", "2", "1 bit, at most 0x1" },
		{ "event", "0x", "not a number" },
		{ "event", "0x0x1", "not a number" },
		{ "event", "-1", "not a number" },
		{ "event", "0x1ffffffffffffffff", "not a number" },
		{ "cpu-cycles", "1", "takes no value" },
		{ "chip", NULL, "needs 'ldlat'" },
		{ "odd", "1", "does not know" },
		{ "broken", "1", "does not know" },
		{ "beyond", "1", "does not know" },
	};
	struct perf_event_attr attr;
	struct err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		memset(&attr, 0, sizeof(attr));
		memset(&err, 0, sizeof(err));
		assert_true(pmu_apply_term(tree.root, "cpu", bad[i].term,
					   bad[i].value, &attr, &err) < 0);
		if (!strstr(err.text, bad[i].what))
			fail_msg("%s: %s", bad[i].term, err.text);
	}
}

TEST(cpus_are_read)
{
	struct cpulist cpus = { 0 };
	struct err err = { 0 };
	char buf[32];

	assert_int_equal(pmu_cpus(tree.root, "uncore", &cpus, &err), 0);
	assert_string_equal(cpulist_format(&cpus, buf, sizeof(buf)), "0,4-5");
	cpulist_free(&cpus);
	assert_int_equal(pmu_cpus(tree.root, "armv8", &cpus, &err), 0);
	assert_int_equal(cpus.nr, 4);
	cpulist_free(&cpus);
	assert_int_equal(pmu_cpus(tree.root, "cpu", &cpus, &err), 0);
	assert_int_equal(cpus.nr, 0);
	/* an error of the kernel, not of the user's input */
	assert_int_equal(pmu_cpus(tree.root, "odd", &cpus, &err), -EIO);
	assert_int_equal(err.kind, ERR_MACHINE);
	assert_string_equal(err.text, "cpumask of PMU 'odd' is not a CPU list");
}

TEST(cores_are_told_apart)
{
	char name[64];

	assert_true(pmu_is_core(tree.root, "cpu"));
	assert_true(pmu_is_core(tree.root, "armv8"));
	assert_false(pmu_is_core(tree.root, "uncore"));
	assert_int_equal(pmu_find_core(tree.root, name, sizeof(name)), 0);
	assert_string_equal(name, "armv8");
	assert_int_equal(pmu_find_core("/nonexistent", name, sizeof(name)),
			 -ENOENT);
	assert_int_equal(pmu_max_precise(tree.root, "cpu"), 3);
	assert_int_equal(pmu_max_precise(tree.root, "uncore"), 0);
}

static void check_sink(const char *pmu, const char *sink, uint64_t want)
{
	struct perf_event_attr attr = { .config = 5 };
	struct err err = { 0 };

	if (pmu_apply_sink(tree.root, pmu, sink, &attr, &err))
		fail_msg("%s", err.text);
	assert_true(attr.config2 == want);
	assert_int_equal(attr.config, 5);
}

static void check_no_sink(const char *pmu, const char *sink,
			  enum err_kind kind, const char *what)
{
	struct perf_event_attr attr = { 0 };
	struct err err = { 0 };

	assert_true(pmu_apply_sink(tree.root, pmu, sink, &attr, &err) < 0);
	if (err.kind != kind || !strstr(err.text, what))
		fail_msg("'%s' lacks '%s'", err.text, what);
	assert_true(attr.config2 == 0);
}

/* Hex, with or without 0x. */
TEST(sinks)
{
	check_sink("cs_etm", "tmc_etr0", 0x1ea2b0b4);
	check_sink("cs_etm", "tmc_etf0", 0x9f2a);
	/* no format/sinkid: all of config2 */
	check_sink("etm_old", "etb", 0x100000007);
	check_no_sink("cs_etm", "tmc_etr9", ERR_USAGE,
		      "no sink 'tmc_etr9'; it has: long, tmc_etf0, tmc_etr0");
	check_no_sink("cs_etm", "../type", ERR_USAGE, "no sink '../type'");
	check_no_sink("cs_etm", "", ERR_USAGE, "no sink ''");
	check_no_sink("cpu", "tmc_etr0", ERR_USAGE, "it has: none");
	check_no_sink("cs_etm", "word", ERR_MACHINE, "is not a number");
	check_no_sink("cs_etm", "long", ERR_USAGE, "over the field's 32 bits");
}

TEST_GROUP(pmu, .setup = make_tree, .teardown = remove_tree);
