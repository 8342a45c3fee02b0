/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "auxtrace_rig.h"
#include "fixture_info.h"

/* A Skylake, as recorded by perf 4.14. */
static const char *const skylake[] = {
	"type", "6\n",
	"format/pt", "config:0\n",
	"format/cyc", "config:1\n",
	"format/mtc", "config:9\n",
	"format/tsc", "config:10\n",
	"format/noretcomp", "config:11\n",
	"format/branch", "config:13\n",
	"format/mtc_period", "config:14-17\n",
	"format/cyc_thresh", "config:19-22\n",
	"format/psb_period", "config:24-27\n",
	"caps/mtc", "1\n",
	"caps/psb_cyc", "1\n",
	"caps/mtc_periods", "249\n",
	"caps/cycle_thresholds", "3fff\n",
	"caps/psb_periods", "3f\n",
	"caps/topa_multiple_entries", "1\n",
	"max_nonturbo_ratio", "12\n",
	NULL
};

enum {
	PT = 1 << 0,
	MTC = 1 << 9,
	TSC = 1 << 10,
	BRANCH = 1 << 13,
	MTC_3 = 3 << 14,
	PSB_3 = 3 << 24,
};

/* tsc, mtc, mtc_period=3, psb_period=3, pt, branch */
#define DEFAULT_CONFIG (PT | MTC | TSC | BRANCH | MTC_3 | PSB_3)

static int make(void **state)
{
	rig_set_up(state);
	rig_files("intel_pt", skylake);
	return 0;
}

/* Open an event with these terms, in a session of that mode. */
static struct event_spec opened(const char *terms, uint64_t config,
				enum target_mode mode, bool full_trace,
				bool *switch_events)
{
	struct event_spec spec = rig_event("intel_pt", terms, 6, config);
	struct session_opts session = rig_session(mode, &spec, 1);
	struct auxtrace_opts opts = { .full_trace = full_trace };

	rig_open(&opts, &session);
	if (switch_events)
		*switch_events = session.switch_events;
	return spec;
}

static uint64_t config_of(const char *terms, uint64_t config)
{
	return opened(terms, config, TARGET_SYSTEM, false, NULL).attr.config;
}

TEST(defaults)
{
	struct event_spec spec = opened("", 0, TARGET_SYSTEM, false, NULL);

	assert_int_equal(spec.attr.config, DEFAULT_CONFIG);
	assert_int_equal(spec.period, 1);
	assert_int_equal(spec.freq, 0);
	assert_int_equal(spec.attr.aux_watermark, 0);
	assert_int_equal(spec.attr.exclude_guest, 0);
}

TEST(terms_go_before_defaults)
{
	assert_int_equal(config_of("tsc=0", 0), DEFAULT_CONFIG & ~TSC);
	assert_int_equal(config_of("mtc=0,noretcomp=1", 1 << 11),
			 (DEFAULT_CONFIG & ~MTC) | 1 << 11);
	assert_int_equal(config_of("mtc_period=6", 6 << 14),
			 (DEFAULT_CONFIG & ~MTC_3) | 6 << 14);
	assert_int_equal(config_of("psb_period=0", 0),
			 DEFAULT_CONFIG & ~PSB_3);
	assert_int_equal(config_of("branch=0", 0), DEFAULT_CONFIG & ~BRANCH);
	/* pt=1 is required, so it stays set */
	assert_int_equal(config_of("pt=0", 0), DEFAULT_CONFIG);
	assert_int_equal(config_of("config=0x400", TSC), TSC | PT);
}

/* The same for typed terms: the event's name has to contain its terms. */
TEST(terms_of_the_command_line)
{
	struct event_env places = { .pmus = tree.root, .tracefs = tree.root };
	struct session_opts session = { 0 };
	struct auxtrace_opts opts = { 0 };
	struct err err = { 0 };

	assert_int_equal(event_list_parse(&session.events,
					  "intel_pt/tsc=0,mtc_period=6/u",
					  &places, &err),
			 0);
	assert_string_equal(session.events.specs[0].pmu, "intel_pt");
	rig_open(&opts, &session);
	assert_int_equal(session.events.specs[0].attr.config,
			 (DEFAULT_CONFIG & ~(TSC | MTC_3)) | 6 << 14);
	assert_true(session.events.specs[0].attr.exclude_kernel);
	event_list_free(&session.events);
}

TEST(values_that_it_has_not)
{
	struct event_spec spec = rig_event("intel_pt", "mtc_period=4", 6,
					   4 << 14);
	struct session_opts session = rig_session(TARGET_SYSTEM, &spec, 1);
	struct auxtrace_opts opts = { 0 };

	/* 0x249 */
	rig_refused(&opts, &session,
		    "mtc_period=4: this CPU's intel_pt has 0,3,6,9");
	spec = rig_event("intel_pt", "psb_period=6", 6, 6 << 24);
	rig_refused(&opts, &session, "psb_period=6: this CPU's intel_pt has 0-5");
	spec = rig_event("intel_pt", "cyc_thresh=14", 6, 14 << 19);
	rig_refused(&opts, &session, "cyc_thresh=14");
	spec = rig_event("intel_pt", "cyc_thresh=13", 6, 13 << 19);
	rig_open(&opts, &session);
}

/* A Broadwell: neither MTC nor CYC nor a choice of PSB. */
TEST(less_hardware)
{
	struct event_spec spec;
	struct session_opts session = rig_session(TARGET_SYSTEM, &spec, 1);
	struct auxtrace_opts opts = { 0 };

	fake_tree_write(&tree, "intel_pt/caps/mtc", "0\n");
	fake_tree_write(&tree, "intel_pt/caps/psb_cyc", "0\n");
	assert_int_equal(config_of("", 0), PT | TSC | BRANCH);
	spec = rig_event("intel_pt", "cyc_thresh=2", 6, 2 << 19);
	rig_refused(&opts, &session, "has 0");
	fake_tree_write(&tree, "intel_pt/caps/mtc", "1\n");
	/* the supported value nearest to 3, below or above */
	fake_tree_write(&tree, "intel_pt/caps/mtc_periods", "41\n");
	assert_int_equal(config_of("", 0), PT | TSC | BRANCH | MTC);
	fake_tree_write(&tree, "intel_pt/caps/mtc_periods", "60\n");
	assert_int_equal(config_of("", 0), PT | TSC | BRANCH | MTC | 5 << 14);
	rig_files("intel_pt", skylake);
}

/* Expect the warning @text; "": none. */
static void warned(const char *terms, uint64_t config,
		   const struct auxtrace_opts *opts, const char *part)
{
	struct event_spec spec = rig_event("intel_pt", terms, 6, config);
	struct session_opts session = rig_session(TARGET_SYSTEM, &spec, 1);
	struct auxtrace trace = rig_open(opts, &session);

	if (!strstr(trace.warning, part))
		print_message("'%s'\n", trace.warning);
	assert_non_null(strstr(trace.warning, part));
	assert_int_equal(!*part, !trace.warning[0]);
}

/* A PSB every 16K by default. */
TEST(snapshots_without_a_psb)
{
	struct auxtrace_opts opts = { .snapshot_bytes = 16384 };

	warned("", 0, &opts, "snapshots of 16K may not be decodable: "
	       "decoders of intel_pt can start only every 16K: "
	       "use -S64K");
	opts.snapshot_bytes = 16385;
	warned("", 0, &opts, "");
	warned("psb_period=5", 5 << 24, &opts, "every 64K: use -S256K");
	opts.snapshot_bytes = 4096;
	warned("psb_period=1", 1 << 24, &opts, "every 4K: use -S16K");
	warned("psb_period=0", 0, &opts, "");
	opts.aux_bytes = 16 << 10;
	warned("", 0, &opts, "snapshots of 4K may not be decodable");
	opts.snapshot_bytes = 0;
	warned("", 0, &opts, "snapshots of 16K may not be decodable: "
	       "decoders of intel_pt can start only every 16K: "
	       "use -m ,64K");
	/* nothing is cut */
	opts.full_trace = true;
	warned("", 0, &opts, "");
}

TEST(watermark_of_full_trace)
{
	struct event_spec spec = opened("", 0, TARGET_SYSTEM, true, NULL);

	assert_int_equal(spec.attr.aux_watermark, 1 << 20);
}

TEST(guests)
{
	fake_tree_write(&tree, "module/kvm_intel/parameters/pt_mode", "1\n");
	assert_int_equal(opened("", 0, TARGET_SYSTEM, false, NULL)
				 .attr.exclude_guest,
			 1);
	fake_tree_write(&tree, "module/kvm_intel/parameters/pt_mode", "0\n");
	assert_int_equal(opened("", 0, TARGET_SYSTEM, false, NULL)
				 .attr.exclude_guest,
			 0);
}

/* Packets of a CPU have times, so it has to be known which task ran when. */
TEST(context_switches)
{
	bool asked = false;

	opened("", 0, TARGET_SYSTEM, false, &asked);
	assert_true(asked);
	opened("", 0, TARGET_TASKS, true, &asked);
	assert_true(asked);
	opened("tsc=0", 0, TARGET_SYSTEM, false, &asked);
	assert_false(asked);
	opened("", 0, TARGET_THREADS, false, &asked);
	assert_false(asked);
}

static struct auxtrace_info info_from(const struct auxtrace *trace,
				      const struct event_spec *spec)
{
	return (struct auxtrace_info){
		.env = &env,
		.trace = trace,
		.spec = spec,
		.attr = &spec->attr,
		.conv = { .time_shift = 31,
			  .time_mult = 1789569706,
			  .time_zero = 18446744041015200657u,
			  .cap_user_time_zero = true },
		.switch_events = true,
	};
}

/* CPUID leaf 15h of this machine. */
static void ratio(uint64_t *n, uint64_t *d)
{
	*n = *d = 0;
#ifdef __x86_64__
	unsigned int eax, ebx, ecx, edx;

	if (__get_cpuid(0x15, &eax, &ebx, &ecx, &edx)) {
		*n = ebx;
		*d = eax;
	}
#endif
}

TEST(words_of_info)
{
	struct event_spec spec = rig_event("intel_pt", "", 6, 0);
	struct auxtrace trace = { .ops = &auxtrace_intel_pt,
				  .per_cpu = true };
	struct auxtrace_info from = info_from(&trace, &spec);
	uint64_t expected[] = {
		6, 31, 1789569706, 18446744041015200657u, 1, 0x400, 0x800, 3,
		0, 1, 0x200, 0x3c000, 0, 0, 2, 12, 0, 0,
	};
	uint64_t *words;
	size_t nr;

	ratio(&expected[12], &expected[13]);
	assert_int_equal(auxtrace_intel_pt.type, 1);
	words = rig_info(&from, &nr);
	assert_int_equal(nr, 18);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(words[i], expected[i]);
	free(words);
}

TEST(info_of_other_sessions)
{
	struct event_spec spec = rig_event("intel_pt", "", 6, 0);
	struct auxtrace trace = { .ops = &auxtrace_intel_pt,
				  .per_cpu = true,
				  .by_task = true,
				  .overwrite = true };
	struct auxtrace_info from = info_from(&trace, &spec);
	uint64_t *words;
	size_t nr;

	words = rig_info(&from, &nr);
	assert_int_equal(words[7], 2);	/* SWITCH, of the task */
	assert_int_equal(words[8], 1);	/* snapshots */
	free(words);
	trace.per_cpu = false;
	from.switch_events = false;
	words = rig_info(&from, &nr);
	assert_int_equal(words[7], 0);
	assert_int_equal(words[9], 0);
	free(words);
}

TEST(info_with_a_filter)
{
	static char filter[] = "filter 0x10/0x20@/bin/true";	/* of 26 */
	struct event_spec spec = rig_event("intel_pt", "", 6, 0);
	struct auxtrace trace = { .ops = &auxtrace_intel_pt };
	struct auxtrace_info from = info_from(&trace, &spec);
	uint64_t *words;
	size_t nr;

	fake_tree_write(&tree, "intel_pt/caps/event_trace", "1\n");
	spec.address_filter = filter;
	words = rig_info(&from, &nr);
	assert_int_equal(nr, 17 + 4 + 1);
	assert_int_equal(words[16], 26);
	assert_string_equal((const char *)&words[17], filter);
	/* padded with zeros, which end it for perf */
	assert_int_equal(words[20] >> 16, 0);
	assert_int_equal(words[21], 1);
	free(words);
	/* one whose NUL is in a word of its own */
	filter[24] = '\0';
	assert_int_equal(auxtrace_intel_pt.info_size(&from), 17 + 4 + 1);
	filter[23] = '\0';
	assert_int_equal(auxtrace_intel_pt.info_size(&from), 17 + 3 + 1);
}

static uint32_t type_of(const uint64_t *words)
{
	return (uint32_t)words[0];
}

/*
 * Except for CPUID's, the words are those of the recording; event_trace was
 * added later.
 */
TEST(as_recorded)
{
	struct event_spec spec = rig_event("intel_pt", "", 6, 0);
	struct auxtrace trace = { .ops = &auxtrace_intel_pt,
				  .per_cpu = true };
	struct auxtrace_info from = info_from(&trace, &spec);
	struct fixture_info fixture;
	uint64_t *words;
	size_t nr;

	if (!fixture_info_read("google+perf_data_converter/perf.data.intel_pt-4.14",
			       type_of, &fixture)) {
		print_message("no recordings beside the checkout\n");
		skip();
	}
	from.attr = &fixture.attr;
	words = rig_info(&from, &nr);
	assert_int_equal(fixture.nr, 17);
	for (size_t i = 0; i < fixture.nr; i++) {
		if (i != 12 && i != 13)
			assert_int_equal(words[i], fixture.words[i]);
	}
	free(words);
	/* and so is the config that perf used */
	assert_int_equal(opened("", 0, TARGET_CPUS, true, NULL).attr.config,
			 fixture.attr.config);
}

TEST_GROUP(intel_pt, .setup = make, .teardown = rig_tear_down);
