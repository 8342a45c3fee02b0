/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <string.h>

#include "fake_tree.h"
#include "perf/event/event_label.h"
#include "perf/event/event_names.h"
#include "perf/event/event_spec.h"
#include "perf/event/pmu.h"

static struct fake_tree pmus, tracefs;
static struct event_labels *labels;

static int make_trees(void **state)
{
	(void)state;
	fake_tree_init(&pmus);
	fake_tree_write(&pmus, "cpu/type", "4\n");
	fake_tree_write(&pmus, "cpu/format/event", "config:0-7\n");
	fake_tree_write(&pmus, "cpu/format/umask", "config:8-15\n");
	fake_tree_write(&pmus, "cpu/format/ldlat", "config1:0-15\n");
	fake_tree_write(&pmus, "cpu/format/offcore_rsp", "config1:0-63\n");
	fake_tree_write(&pmus, "cpu/events/mem-loads",
			"event=0xcd,umask=0x1,ldlat=3\n");
	fake_tree_write(&pmus, "intel_pt/type", "9\n");
	fake_tree_write(&pmus, "intel_pt/format/pt", "config:0\n");
	fake_tree_write(&pmus, "intel_pt/format/mtc", "config:9\n");
	fake_tree_write(&pmus, "intel_pt/format/tsc", "config:10\n");
	fake_tree_write(&pmus, "intel_pt/format/branch", "config:13\n");
	fake_tree_write(&pmus, "intel_pt/format/mtc_period", "config:14-17\n");
	fake_tree_write(&pmus, "uncore/type", "17\n");
	fake_tree_write(&pmus, "uncore/format/event", "config:0-7,32-35\n");
	fake_tree_write(&pmus, "uncore/format/filter", "config1:0-31\n");
	fake_tree_write(&pmus, "uncore/format/odd", "config9:0-3\n");
	fake_tree_write(&pmus, "cpu_core/type", "18\n");
	fake_tree_write(&pmus, "uprobe/type", "8\n");
	fake_tree_write(&pmus, "uprobe/format/retprobe", "config:0\n");
	fake_tree_write(&pmus, "evil\033]0;x\a/type", "30\n");
	fake_tree_init(&tracefs);
	fake_tree_write(&tracefs, "events/sched/sched_switch/id", "316\n");
	fake_tree_write(&tracefs, "events/sched/sched_wakeup/id", "318\n");
	fake_tree_write(&tracefs, "events/sched/broken/id", "many\n");
	fake_tree_write(&tracefs, "events/irq/enable", "0\n");
	fake_tree_write(&tracefs, "events/irq/softirq_entry/id", "140\n");
	return 0;
}

static int remove_trees(void **state)
{
	(void)state;
	fake_tree_free(&pmus);
	fake_tree_free(&tracefs);
	return 0;
}

static int make_labels(void **state)
{
	(void)state;
	labels = event_labels_new(pmus.root, tracefs.root);
	return labels ? 0 : -1;
}

static int free_labels(void **state)
{
	(void)state;
	event_labels_free(labels);
	return 0;
}

static const char *name_of(struct perf_event_attr attr)
{
	return event_labels_name(labels, &attr, NULL, 1.0);
}

#define NAME(...) name_of((struct perf_event_attr){ __VA_ARGS__ })

TEST(generic_events_as_perf_prints_them)
{
	assert_string_equal(NAME(.type = 0, .config = 0), "cycles");
	assert_string_equal(NAME(.type = 0, .config = 1), "instructions");
	assert_string_equal(NAME(.type = 0, .config = 4), "branches");
	assert_string_equal(NAME(.type = 0, .config = 7),
			    "stalled-cycles-frontend");
	assert_string_equal(NAME(.type = 1, .config = 0), "cpu-clock");
	assert_string_equal(NAME(.type = 1, .config = 2), "page-faults");
	assert_string_equal(NAME(.type = 1, .config = 3), "context-switches");
	assert_string_equal(NAME(.type = 1, .config = 9), "dummy");
	assert_string_equal(NAME(.type = 1, .config = 10), "bpf-output");
	assert_string_equal(NAME(.type = 3, .config = 0), "L1-dcache-loads");
	assert_string_equal(NAME(.type = 3, .config = 0x10000),
			    "L1-dcache-load-misses");
	assert_string_equal(NAME(.type = 3, .config = 0x10103),
			    "dTLB-store-misses");
}

TEST(numbers_without_a_name)
{
	assert_string_equal(NAME(.type = 0, .config = 99), "hardware:0x63");
	assert_string_equal(NAME(.type = 1, .config = UINT64_MAX),
			    "software:0xffffffffffffffff");
	assert_string_equal(NAME(.type = 3, .config = 0x7), "cache:0x7");
	assert_string_equal(NAME(.type = 3, .config = 0x300), "cache:0x300");
	assert_string_equal(NAME(.type = 3, .config = 0x20000),
			    "cache:0x20000");
	assert_string_equal(NAME(.type = 2, .config = 7), "tracepoint:7");
	assert_string_equal(NAME(.type = 23, .config = 1),
			    "pmu 23/config=0x1/");
	assert_string_equal(NAME(.type = 23), "pmu 23//");
}

/* A label, passed to -e, gives the same event. */
static int back_and_forth(void *ctx, const char *name)
{
	struct perf_event_attr attr = { 0 }, again = { 0 };
	const char *label;

	(void)ctx;
	assert_int_equal(event_names_find(name, &attr), 0);
	label = name_of(attr);
	if (event_names_find(label, &again))
		fail_msg("%s became %s, which is none", name, label);
	assert_int_equal(again.type, attr.type);
	assert_int_equal(again.config, attr.config);
	return 0;
}

TEST(names_can_be_typed_again)
{
	assert_int_equal(event_names_each(back_and_forth, NULL), 0);
}

TEST(modifiers_are_those_that_perf_prints)
{
	assert_string_equal(NAME(.exclude_kernel = 1, .exclude_hv = 1),
			    "cycles:u");
	assert_string_equal(NAME(.exclude_user = 1, .exclude_hv = 1,
				 .exclude_guest = 1),
			    "cycles:k");
	assert_string_equal(NAME(.exclude_hv = 1), "cycles:ku");
	assert_string_equal(NAME(.exclude_user = 1, .exclude_kernel = 1),
			    "cycles:h");
	assert_string_equal(NAME(.precise_ip = 2, .exclude_guest = 1),
			    "cycles:pp");
	assert_string_equal(NAME(.exclude_kernel = 1, .exclude_hv = 1,
				 .precise_ip = 3),
			    "cycles:uppp");
	assert_string_equal(NAME(.exclude_guest = 1), "cycles");
	assert_string_equal(NAME(.exclude_host = 1), "cycles:G");
	assert_string_equal(NAME(.exclude_user = 1, .exclude_kernel = 1,
				 .exclude_hv = 1),
			    "cycles");
	assert_string_equal(NAME(.type = 9, .exclude_user = 1, .exclude_hv = 1),
			    "intel_pt//k");
}

TEST(breakpoints)
{
	assert_string_equal(NAME(.type = 5, .bp_addr = 0x4010,
				 .bp_type = HW_BREAKPOINT_RW,
				 .bp_len = HW_BREAKPOINT_LEN_4,
				 .exclude_user = 1, .exclude_hv = 1),
			    "mem:0x4010:rw:k");
	assert_string_equal(NAME(.type = 5, .bp_addr = 0x4010,
				 .bp_type = HW_BREAKPOINT_W,
				 .bp_len = HW_BREAKPOINT_LEN_8),
			    "mem:0x4010/8:w");
	assert_string_equal(NAME(.type = 5, .bp_addr = 0x4010,
				 .bp_type = HW_BREAKPOINT_X,
				 .bp_len = sizeof(long)),
			    "mem:0x4010:x");
}

TEST(raw_events)
{
	assert_string_equal(NAME(.type = 4, .config = 0x1a8), "r1a8");
	assert_string_equal(NAME(.type = 4, .config = 0x1cd, .config1 = 3),
			    "cpu/mem-loads/");
	assert_string_equal(NAME(.type = 4, .config = 0x1cd, .config1 = 3,
				 .precise_ip = 2),
			    "cpu/mem-loads/pp");
	assert_string_equal(NAME(.type = 4, .config = 0x1b7, .config1 = 0x10),
			    "cpu/event=0xb7,umask=1,config1=0x10/");
}

TEST(pmu_terms_are_read_back)
{
	assert_string_equal(NAME(.type = 9), "intel_pt//");
	assert_string_equal(NAME(.type = 9, .config = 0x600),
			    "intel_pt/mtc,tsc/");
	assert_string_equal(NAME(.type = 9, .config = 0x300e601),
			    "intel_pt/config=0x300e601/");
	assert_string_equal(NAME(.type = 9, .config = 0xe601),
			    "intel_pt/pt,mtc,tsc,branch,mtc_period=3/");
	assert_string_equal(NAME(.type = 17, .config = 0xa000000bcULL),
			    "uncore/event=0xabc/");
	assert_string_equal(NAME(.type = 17, .config = 5, .config1 = 0x77,
				 .config2 = 1),
			    "uncore/event=5,filter=0x77,config2=0x1/");
}

/* -e accepts the names, if the PMU exists. */
TEST(pmu_names_can_be_typed_again)
{
	static const struct perf_event_attr attrs[] = {
		{ .type = 9, .config = 0xe601 },
		{ .type = 17, .config = 0xa000000bcULL, .config1 = 0x77 },
		{ .type = 4, .config = 0x1cd, .config1 = 3 },
		{ .type = 4, .config = 0x1b7, .config1 = 0x10 },
	};
	const struct event_env env = { .pmus = pmus.root,
				       .tracefs = tracefs.root };

	for (size_t i = 0; i < sizeof(attrs) / sizeof(attrs[0]); i++) {
		struct event_list list = { 0 };
		const struct perf_event_attr *got;

		assert_int_equal(event_list_parse(&list, name_of(attrs[i]),
						  &env, NULL),
				 0);
		got = &list.specs[0].attr;
		assert_int_equal(got->type, attrs[i].type);
		assert_int_equal(got->config, attrs[i].config);
		assert_int_equal(got->config1, attrs[i].config1);
		event_list_free(&list);
	}
}

TEST(core_kinds_have_their_own_cycles)
{
	assert_string_equal(NAME(.type = 0, .config = 18ULL << 32),
			    "cpu_core/cycles/");
	assert_string_equal(NAME(.type = 3, .config = 18ULL << 32 | 0x10000,
				 .exclude_kernel = 1, .exclude_hv = 1),
			    "cpu_core/L1-dcache-load-misses/u");
	assert_string_equal(NAME(.type = 0, .config = 77ULL << 32 | 1),
			    "pmu 77/instructions/");
}

TEST(pointers_are_no_terms)
{
	const char *name = NAME(.type = 8, .config = 1, .config1 = 0x7ffd1234,
				.config2 = 0x1139);

	assert_string_equal(name, "uprobe/retprobe/");
	assert_ptr_equal(NAME(.type = 8, .config = 1, .config1 = 0x7ffd5678),
			 name);
}

TEST(tracepoints_by_their_ids)
{
	assert_string_equal(NAME(.type = 2, .config = 316),
			    "sched:sched_switch");
	assert_string_equal(NAME(.type = 2, .config = 140),
			    "irq:softirq_entry");
	assert_string_equal(NAME(.type = 2, .config = 318, .exclude_user = 1),
			    "sched:sched_wakeup:kh");
}

TEST(equal_names_are_one_string)
{
	assert_ptr_equal(NAME(.type = 2, .config = 316),
			 NAME(.type = 2, .config = 316, .config1 = 99));
	assert_ptr_equal(NAME(.type = 0), NAME(.type = 0, .exclude_guest = 1));
	assert_ptr_not_equal(NAME(.type = 0), NAME(.type = 0, .config = 1));
}

TEST(names_are_made_harmless)
{
	assert_string_equal(NAME(.type = 30), "evil?]0;x?//");
}

static const char *called(const struct perf_event_attr *attr,
			  const char *tracepoint)
{
	return event_labels_name(labels, attr, tracepoint, 1.0);
}

/* If the kernel told the name, tracefs is not read. */
TEST(tracepoints_that_bring_their_names)
{
	const struct perf_event_attr known = { .type = 2, .config = 316 };
	const struct perf_event_attr unknown = { .type = 2, .config = 4000,
						 .exclude_kernel = 1,
						 .exclude_hv = 1 };
	const char *name;

	name = called(&unknown, "probe:first");
	assert_string_equal(name, "probe:first:u");
	assert_ptr_equal(called(&unknown, "probe:first"), name);
	assert_string_equal(called(&known, "sched:other"), "sched:other");
	assert_string_equal(called(&known, NULL), "sched:sched_switch");
	assert_string_equal(called(&unknown, NULL), "tracepoint:4000:u");
	/* The id of a removed tracepoint is given to another. */
	assert_string_equal(called(&unknown, "probe:second"),
			    "probe:second:u");
	assert_ptr_equal(called(&unknown, "probe:first"), name);
	/* The name may be any bytes. */
	assert_string_equal(called(&known, "a\033]0;x\a:\nb"),
			    "a?]0;x?:?b");
}

/* An event added later (perf probe) gets its name, though not at once. */
TEST(tables_are_read_again)
{
	const struct perf_event_attr probe = { .type = 2, .config = 2000 };
	const struct perf_event_attr dev = { .type = 40, .config = 0 };
	const char *before;

	before = event_labels_name(labels, &probe, NULL, 10.0);
	assert_string_equal(before, "tracepoint:2000");
	assert_string_equal(event_labels_name(labels, &dev, NULL, 10.0),
			    "pmu 40//");
	fake_tree_write(&tracefs, "events/probe/foo/id", "2000\n");
	fake_tree_write(&pmus, "late/type", "40\n");
	assert_ptr_equal(event_labels_name(labels, &probe, NULL, 10.5), before);
	assert_string_equal(event_labels_name(labels, &probe, NULL, 12.5),
			    "probe:foo");
	assert_string_equal(event_labels_name(labels, &dev, NULL, 12.5),
			    "late//");
	assert_string_equal(before, "tracepoint:2000");
}

/* An unknown number costs little: it is looked up less and less often. */
TEST(unknown_numbers_are_left_alone)
{
	const struct perf_event_attr gone = { .type = 2, .config = 3000 };
	const struct perf_event_attr other = { .type = 2, .config = 3001 };

	event_labels_name(labels, &gone, NULL, 20.0);
	event_labels_name(labels, &gone, NULL, 22.0);
	event_labels_name(labels, &gone, NULL, 26.0);
	fake_tree_write(&tracefs, "events/late/gone/id", "3000\n");
	fake_tree_write(&tracefs, "events/late/other/id", "3001\n");
	assert_string_equal(event_labels_name(labels, &other, NULL, 27.0),
			    "tracepoint:3001");
	assert_string_equal(event_labels_name(labels, &gone, NULL, 33.9),
			    "tracepoint:3000");
	assert_string_equal(event_labels_name(labels, &gone, NULL, 34.0),
			    "late:gone");
}

TEST(nothing_to_read_is_no_error)
{
	struct event_labels *none =
		event_labels_new("/nonexistent", "/nonexistent");
	const struct perf_event_attr raw = { .type = 4, .config = 0x3c };
	const struct perf_event_attr trace = { .type = 2, .config = 316 };

	assert_non_null(none);
	assert_string_equal(event_labels_name(none, &raw, NULL, 1), "r3c");
	assert_string_equal(event_labels_name(none, &trace, NULL, 1),
			    "tracepoint:316");
	event_labels_free(none);
	event_labels_free(NULL);
}

/* Opening ever more events does not use ever more memory. */
TEST(memory_is_bounded)
{
	struct perf_event_attr attr = { .type = 4 };
	const char *first, *coarse = NULL;

	first = name_of(attr);
	for (attr.config = 1; attr.config < 20000; attr.config++)
		coarse = name_of(attr);
	assert_string_equal(coarse, "raw");
	attr.config = 19998;
	assert_ptr_equal(name_of(attr), coarse);
	assert_string_equal(first, "r0");
	attr.config = 0;
	assert_ptr_equal(name_of(attr), first);
	assert_string_equal(NAME(.type = 5), "mem");
}

TEST(fields_gather_their_bits)
{
	struct pmu_bits bits;

	assert_int_equal(pmu_field_bits(pmus.root, "uncore", "event", &bits),
			 0);
	assert_int_equal(bits.words[0], 0xf000000ffULL);
	assert_int_equal(bits.words[1], 0);
	assert_int_equal(pmu_gather(0xa000100bcULL, bits.words[0]), 0xabc);
	assert_int_equal(pmu_gather(UINT64_MAX, UINT64_MAX), UINT64_MAX);
	assert_int_not_equal(pmu_field_bits(pmus.root, "uncore", "odd", &bits),
			     0);
	assert_int_not_equal(pmu_field_bits(pmus.root, "uncore", "../type",
					    &bits),
			     0);
}

TEST_GROUP(event_label, .setup = make_trees, .teardown = remove_trees,
	   .each_setup = make_labels, .each_teardown = free_labels);
