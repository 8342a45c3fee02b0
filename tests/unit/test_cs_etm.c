/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "auxtrace_rig.h"
#include "fixture_info.h"
#include "task/task_history.h"

#define ETMV3 0x3030303030303030ULL
#define ETMV4 0x4040404040404040ULL
#define ETE 0x5050505050505050ULL

/* attr.config: CONTEXTIDR of EL1, of EL2, timestamps */
enum { CTXTID = 1 << 14, CTXTID2 = 1 << 15, TS = 1 << 28 };

static const char *const pmu_files[] = {
	"type", "8\n",
	"format/branch_broadcast", "config:8\n",
	"format/cycacc", "config:12\n",
	"format/contextid", "config:14\n",
	"format/contextid1", "config:14\n",
	"format/contextid2", "config:15\n",
	"format/timestamp", "config:28\n",
	"format/retstack", "config:29\n",
	"format/sinkid", "config2:0-31\n",
	NULL
};

/* A register of a CPU's trace macrocell, in hex as the kernel shows it. */
static void register_is(unsigned int cpu, const char *file, uint64_t value)
{
	char path[128], text[32];

	snprintf(path, sizeof(path), "cs_etm/cpu%u/%s", cpu, file);
	snprintf(text, sizeof(text), "0x%llx\n", (unsigned long long)value);
	fake_tree_write(&tree, path, text);
}

/* In the order of a CPU's words, after TRCTRACEIDR. */
static const char *const etmv4_files[] = {
	"trcidr/trcidr0", "trcidr/trcidr1",	"trcidr/trcidr2",
	"trcidr/trcidr8", "mgmt/trcauthstatus", "mgmt/trcdevarch",
};

static void registers_are(unsigned int cpu, const uint64_t *values, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		register_is(cpu, etmv4_files[i], values[i]);
}

static int make(void **state)
{
	rig_set_up(state);
	rig_files("cs_etm", pmu_files);
	return 0;
}

static struct auxtrace trace;
static struct event_spec spec;
static struct cpulist cpus;
static struct auxtrace_info from;

static int prepare(void **state)
{
	(void)state;
	trace = (struct auxtrace){
		.ops = &auxtrace_cs_etm,
		.per_cpu = true,
		.perf = AUXTRACE_PERF_MIN,
	};
	spec = rig_event("cs_etm", "", 8, 0);
	from = (struct auxtrace_info){
		.env = &env,
		.trace = &trace,
		.spec = &spec,
		.attr = &spec.attr,
		.cpus = &cpus,
	};
	return cpulist_parse("0-1", &cpus, NULL);
}

static int clear(void **state)
{
	char path[300];

	(void)state;
	cpulist_free(&cpus);
	snprintf(path, sizeof(path), "%s/cs_etm", tree.root);
	nftw(path, fake_tree_remove, 8, FTW_DEPTH | FTW_PHYS);
	rig_files("cs_etm", pmu_files);
	return 0;
}

static void is_info(const uint64_t *expected, size_t nr_expected)
{
	size_t nr;
	uint64_t *words = rig_info(&from, &nr);

	assert_int_equal(nr, nr_expected);
	for (size_t i = 0; i < nr; i++) {
		if (words[i] != expected[i])
			print_message("word %zu\n", i);
		assert_int_equal(words[i], expected[i]);
	}
	free(words);
}

static const uint64_t v4_values[] = { 0x28000ea1, 0x4100f422, 0x20001088, 0,
				      0x8c };
static const uint64_t ete_values[] = { 0x288006a1, 0x4100fff0, 0xc0001088, 0,
				       0xcc,	   0x47715a13 };

TEST(macrocells_of_version_4)
{
	const uint64_t expected[] = {
		1, 0x800000002, 0,
		ETMV4, 0, 7, 0x40, 0x10, 0x28000ea1, 0x4100f422, 0x20001088, 0,
		0x8c,
		ETMV4, 1, 7, 0x40, 0x12, 0x28000ea1, 0x4100f422, 0x20001088, 0,
		0x8c,
	};

	assert_int_equal(auxtrace_cs_etm.type, 3);
	registers_are(0, v4_values, 5);
	registers_are(1, v4_values, 5);
	spec.attr.config = CTXTID;
	is_info(expected, sizeof(expected) / 8);
}

/* ARCHVER 5 in TRCDEVARCH is an ETE; an ETMv4 may have the register too. */
TEST(one_of_each)
{
	const uint64_t expected[] = {
		1, 0x800000003, 1,
		ETE, 0, 8, 0x8080, 0x10, 0x288006a1, 0x4100fff0, 0xc0001088, 0,
		0xcc, 0x47715a13,
		ETMV4, 1, 7, 0x8080, 0x12, 0x28000ea1, 0x4100f422, 0x20001088,
		0, 0x8c,
		ETMV3, 9, 4, 0x8000, 0x22, 0x34004001, 0x411cf300,
	};

	registers_are(0, ete_values, 6);
	registers_are(1, v4_values, 5);
	register_is(1, "mgmt/trcdevarch", 0x47724a13);
	register_is(9, "mgmt/etmccer", 0x34004001);
	register_is(9, "mgmt/etmidr", 0x411cf300);
	cpulist_add(&cpus, 9);
	spec.attr.config = CTXTID2;
	trace.overwrite = true;
	is_info(expected, sizeof(expected) / 8);
}

/* perf 6.4 and newer: ids come from records, and timestamps have a source. */
TEST(newer_layout)
{
	uint64_t expected[] = {
		2, 0x800000002, 0,
		ETE, 0, 9, 0x808, 0x80000010, 0x288006a1, 0x4100fff0,
		0xc0001088, 0, 0xcc, 0x47715a13, 1,
		ETMV4, 1, 8, 0x808, 0x80000012, 0x28000ea1, 0x4100f422,
		0x20001088, 0, 0x8c, UINT64_MAX,
	};

	registers_are(0, ete_values, 6);
	fake_tree_write(&tree, "cs_etm/cpu0/ts_source", "1\n");
	registers_are(1, v4_values, 5);
	fake_tree_write(&tree, "cs_etm/cpu1/ts_source", "-1\n");
	spec.attr.config = 1 << 8 | TS;
	trace.perf = AUXTRACE_PERF(6, 4);
	is_info(expected, sizeof(expected) / 8);
	trace.perf = AUXTRACE_PERF(6, 11);
	is_info(expected, sizeof(expected) / 8);
	/* guessed IDs are no longer marked */
	expected[7] = 0x10;
	expected[19] = 0x12;
	trace.perf = AUXTRACE_PERF(6, 12);
	is_info(expected, sizeof(expected) / 8);
	trace.perf = AUXTRACE_PERF(7, 0);
	is_info(expected, sizeof(expected) / 8);
	/* before 6.4 they are not marked, and unknown words are skipped */
	expected[0] = 1;
	trace.perf = AUXTRACE_PERF(6, 3);
	is_info(expected, sizeof(expected) / 8);
}

/* Check the trace IDs of CPUs in AUXTRACE_INFO, in order. */
static void ids_are(const char *list, const uint64_t *expected)
{
	size_t nr, at = 3;
	uint64_t *words;

	cpulist_free(&cpus);
	assert_int_equal(cpulist_parse(list, &cpus, NULL), 0);
	words = rig_info(&from, &nr);
	for (size_t i = 0; i < cpus.nr; i++) {
		if (words[at + 4] != expected[i])
			print_message("CPU %d\n", cpus.cpus[i]);
		assert_int_equal(words[at + 4], expected[i]);
		at += 3 + words[at + 2];
	}
	assert_int_equal(at, nr);
	free(words);
}

TEST(ids_of_records)
{
	const struct hw_id told[] = {
		{ .id = 1, .cpu = 0, .hw_id = 0x12, .time = 10 },
		{ .id = 1, .cpu = 50, .hw_id = 0x15, .time = 10 },
		{ .id = 2, .cpu = 50, .hw_id = 0x14, .time = 20 },
		/* with the ID of its sink: Linux 6.12 */
		{ .id = 2, .cpu = 51,
		  .hw_id = 0x0100000000001016 | 0x99UL << 8, .time = 20 },
		/* an unknown version, and a record without a trace ID */
		{ .id = 2, .cpu = 3, .hw_id = 0x1000000000000017, .time = 20 },
		{ .id = 2, .cpu = 4, .hw_id = 0x7f, .time = 20 },
	};
	/* 0x12, 0x14, 0x16 are already used, so not for CPUs 1, 2, 3 */
	const uint64_t unique[] = { 0x12, 0x6f, 0x6e, 0x6d, 0x18, 0x6c, 0x14,
				    0x16 };
	const uint64_t hinted[] = {
		0x12, 0x80000012, 0x80000014, 0x80000016, 0x80000018,
		0x80000012, 0x14, 0x16,
	};

	from.hw_ids = told;
	from.nr_hw_ids = sizeof(told) / sizeof(told[0]);
	ids_are("0-4,49-51", unique);
	trace.perf = AUXTRACE_PERF(6, 4);
	ids_are("0-4,49-51", hinted);
}

/* Two CPUs with separate sinks may have the same ID; perf 6.1 refuses that. */
TEST(ids_told_twice)
{
	const struct hw_id told[] = {
		{ .id = 1, .cpu = 0, .hw_id = 0x10, .time = 10 },
		{ .id = 1, .cpu = 1, .hw_id = 0x10, .time = 10 },
	};
	const uint64_t unique[] = { 0x10, 0x6f, 0x14 };

	from.hw_ids = told;
	from.nr_hw_ids = 2;
	ids_are("0-2", unique);
}

/* As long as there are free IDs, no two CPUs have the same one. */
TEST(ids_of_many_cpus)
{
	bool seen[0x70] = { false };
	size_t nr, at = 3;
	uint64_t *words;

	cpulist_free(&cpus);
	assert_int_equal(cpulist_parse("0-110", &cpus, NULL), 0);
	words = rig_info(&from, &nr);
	for (size_t i = 0; i < cpus.nr; i++) {
		uint64_t id = words[at + 4];

		assert_in_range(id, 1, 0x6f);
		assert_false(seen[id]);
		seen[id] = true;
		if (i < 48)
			assert_int_equal(id, 0x10 + 2 * i);
		at += 3 + words[at + 2];
	}
	free(words);
	/* beyond that, IDs are used again */
	cpulist_free(&cpus);
	assert_int_equal(cpulist_parse("0-511", &cpus, NULL), 0);
	words = rig_info(&from, &nr);
	assert_in_range(words[nr - 3], 1, 0x6f);
	free(words);
}

TEST(every_bit_of_the_config)
{
	uint64_t *words;
	size_t nr;

	registers_are(0, v4_values, 5);
	spec.attr.config = 1 << 8 | 1 << 12 | CTXTID | CTXTID2 | TS | 1 << 29;
	words = rig_info(&from, &nr);
	assert_int_equal(words[6], 1 << 3 | 1 << 4 | 1 << 6 | 1 << 7 |
					   1 << 15 | 1 << 11 | 1 << 12);
	free(words);
}

static void configured(const char *terms, uint64_t config,
		       enum target_mode mode, uint64_t expected)
{
	struct session_opts session = rig_session(mode, &spec, 1);
	struct auxtrace_opts opts = { 0 };

	spec = rig_event("cs_etm", terms, 8, config);
	rig_open(&opts, &session);
	assert_int_equal(spec.attr.config, expected);
	assert_int_equal(spec.period, 1);
	assert_true(session.switch_events);
}

TEST(defaults)
{
	for (unsigned int cpu = 0; cpu < 4; cpu++)
		registers_are(cpu, v4_values, 5);
	configured("", 0, TARGET_SYSTEM, CTXTID | TS);
	configured("", 0, TARGET_TASKS, CTXTID | TS);
	configured("", 0, TARGET_THREADS, 0);
	configured("timestamp=0", 0, TARGET_SYSTEM, CTXTID);
	configured("contextid=0", 0, TARGET_SYSTEM, TS);
	configured("contextid1=1,timestamp=0", CTXTID, TARGET_SYSTEM, CTXTID);
	configured("cycacc,@tmc_etr0", 1 << 12, TARGET_SYSTEM,
		   CTXTID | TS | 1 << 12);
}

static void refused(const char *terms, uint64_t config, const char *part)
{
	struct session_opts session = rig_session(TARGET_SYSTEM, &spec, 1);
	struct auxtrace_opts opts = { 0 };

	spec = rig_event("cs_etm", terms, 8, config);
	rig_refused(&opts, &session, part);
}

TEST(what_it_has_not)
{
	struct session_opts session = rig_session(TARGET_CPUS, &spec, 1);
	struct auxtrace_opts opts = { 0 };

	for (unsigned int cpu = 0; cpu < 3; cpu++)
		registers_are(cpu, v4_values, 5);
	refused("", 0, "the ETMv3 of CPU 3");
	/* CPUs that are not traced are not asked */
	cpulist_parse("0-2", &session.target.cpus, NULL);
	spec = rig_event("cs_etm", "", 8, 0);
	rig_open(&opts, &session);
	cpulist_free(&session.target.cpus);
	registers_are(3, v4_values, 5);
	register_is(3, "trcidr/trcidr0", 0x00000ea1);
	refused("", 0, "CPU 3 has no timestamps for its trace");
	configured("timestamp=0", 0, TARGET_SYSTEM, CTXTID);
	registers_are(3, v4_values, 5);
	register_is(3, "trcidr/trcidr2", 0x20001008);
	refused("", 0, "CPU 3 cannot trace CONTEXTIDR_EL1");
	register_is(3, "trcidr/trcidr2", 0x00001088);
	refused("contextid2", CTXTID2, "CPU 3 cannot trace CONTEXTIDR_EL2");
}

static uint32_t type_of(const uint64_t *words)
{
	return (uint32_t)(words[1] >> 32);
}

/*
 * Convert the words of a recording to the layout of perf 6.1: version 0 has no
 * count of parameters. simpleperf takes any CPU with TRCDEVARCH for an ETE,
 * perf goes by the register's version.
 */
static size_t as_version_1(const struct fixture_info *fixture, uint64_t *words)
{
	const uint64_t *in = fixture->words;
	bool counted = in[0] > 0;
	size_t n = 0, i;

	words[n++] = 1;
	words[n++] = in[1];
	words[n++] = in[2];
	for (i = 3; i < fixture->nr;) {
		bool is_ete = in[i] == ETE;
		size_t params = counted ? in[i + 2] : 7;
		const uint64_t *param = in + i + 2 + counted;

		if (is_ete && (param[7] >> 12 & 0xf) != 5)
			is_ete = false;
		words[n++] = is_ete ? ETE : ETMV4;
		words[n++] = in[i + 1];
		words[n++] = is_ete ? 8 : 7;
		memcpy(words + n, param, (is_ete ? 8 : 7) * sizeof(*words));
		n += is_ete ? 8 : 7;
		i += 2 + counted + params;
	}
	assert_int_equal(i, fixture->nr);
	return n;
}

/* Make the sysfs of the machine that was recorded. */
static void tree_of(const struct fixture_info *fixture)
{
	const uint64_t *in = fixture->words;
	bool counted = in[0] > 0;

	cpulist_free(&cpus);
	for (size_t i = 3; i < fixture->nr;) {
		size_t params = counted ? in[i + 2] : 7;

		cpulist_add(&cpus, (int)in[i + 1]);
		registers_are((unsigned int)in[i + 1],
			      in + i + 4 + counted, params - 2);
		i += 2 + counted + params;
	}
}

static void is_as_recorded(const char *name)
{
	struct fixture_info fixture;
	uint64_t expected[512];
	char path[256];
	size_t nr;

	snprintf(path, sizeof(path), "GrapheneOS+platform_system_extras/%s",
		 name);
	if (!fixture_info_read(path, type_of, &fixture)) {
		print_message("no recordings beside the checkout\n");
		skip();
	}
	tree_of(&fixture);
	from.attr = &fixture.attr;
	trace.overwrite = fixture.words[2];
	nr = as_version_1(&fixture, expected);
	assert_int_equal(cpus.nr, fixture.words[1] & UINT32_MAX);
	assert_true(nr > 3 + 7 * cpus.nr);
	is_info(expected, nr);
}

TEST(version_0_as_recorded)
{
	is_as_recorded("perf.data");
}

TEST(version_1_as_recorded)
{
	is_as_recorded("perf_etm.data");
}

TEST(kernel_as_recorded)
{
	is_as_recorded("perf_kernel.data");
}

TEST(etmv4_of_devarch_as_recorded)
{
	is_as_recorded("perf_with_missing_aux_data.data");
}

TEST(ete_as_recorded)
{
	is_as_recorded("perf_with_unformatted_trace.data");
}

TEST_GROUP(cs_etm, .setup = make, .teardown = rig_tear_down,
	   .each_setup = prepare, .each_teardown = clear);
