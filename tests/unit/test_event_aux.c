/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -e and --aux-filter for events that trace. */
#include "tests/group.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "fake_tree.h"
#include "perf/event/event_spec.h"

static struct fake_tree pmus;
static struct event_env env;

static int make_tree(void **state)
{
	(void)state;
	fake_tree_init(&pmus);
	fake_tree_write(&pmus, "intel_pt/type", "8\n");
	fake_tree_write(&pmus, "intel_pt/format/tsc", "config:10\n");
	fake_tree_write(&pmus, "intel_pt/format/noretcomp", "config:11\n");
	fake_tree_write(&pmus, "cs_etm/type", "9\n");
	fake_tree_write(&pmus, "cs_etm/format/sinkid", "config2:0-31\n");
	fake_tree_write(&pmus, "cs_etm/sinks/tmc_etr0", "0x73cb4b0d\n");
	fake_tree_write(&pmus, "arm_spe_0/type", "10\n");
	fake_tree_write(&pmus, "arm_spe_0/cpumask", "0-3\n");
	fake_tree_write(&pmus, "arm_spe_1/type", "11\n");
	fake_tree_write(&pmus, "arm_spe_1/cpumask", "4-7\n");
	fake_tree_write(&pmus, "cpu/type", "4\n");
	fake_tree_write(&pmus, "cpu/format/event", "config:0-7\n");
	fake_tree_write(&pmus, "cpu/events/cpu-cycles", "event=0x3c\n");
	env = (struct event_env){ .pmus = pmus.root };
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	fake_tree_free(&pmus);
	return 0;
}

static void parse(struct event_list *list, const char *text)
{
	struct err err = { 0 };

	if (event_list_parse(list, text, &env, &err))
		fail_msg("'%s': %s", text, err.text);
}

static void check_refused(const char *text, enum err_kind kind,
			  const char *what)
{
	struct event_list list = { 0 };
	struct err err = { 0 };

	assert_true(event_list_parse(&list, text, &env, &err) < 0);
	if (err.kind != kind || !strstr(err.text, what))
		fail_msg("'%s': kind %d: %s", text, (int)err.kind, err.text);
	assert_int_equal(list.nr, 0);
	event_list_free(&list);
}

TEST(terms)
{
	struct event_list list = { 0 };

	parse(&list, "intel_pt/tsc=1,noretcomp=0/u,cs_etm/@tmc_etr0/u");
	assert_int_equal(list.nr, 2);
	assert_string_equal(list.specs[0].name, "intel_pt/tsc=1,noretcomp=0/u");
	assert_string_equal(list.specs[0].pmu, "intel_pt");
	assert_int_equal(list.specs[0].attr.type, 8);
	assert_int_equal(list.specs[0].attr.config, 1 << 10);
	assert_int_equal(list.specs[0].attr.exclude_kernel, 1);
	/* as perf sets it for :u of any PMU */
	assert_int_equal(list.specs[0].attr.exclude_guest, 1);
	assert_string_equal(list.specs[1].pmu, "cs_etm");
	assert_int_equal(list.specs[1].attr.config, 0);
	assert_int_equal(list.specs[1].attr.config2, 0x73cb4b0d);
	/* known only when it is opened */
	assert_false(list.specs[0].aux);
	assert_false(list.specs[1].aux);
	event_list_free(&list);
}

TEST(bad_sinks)
{
	check_refused("cs_etm/@tmc/", ERR_USAGE,
		      "no sink 'tmc'; it has: tmc_etr0");
	check_refused("cs_etm/@/", ERR_USAGE, "no sink ''");
	check_refused("cs_etm/@tmc_etr0=1/", ERR_USAGE, "no term '@tmc_etr0'");
	check_refused("cpu-clock/@tmc_etr0/", ERR_USAGE,
		      "'cpu-clock/@tmc_etr0/' takes no sink 'tmc_etr0'");
}

/* One name stands for the PMUs of all kinds of core. */
TEST(parts)
{
	struct event_list list = { 0 };

	parse(&list, "arm_spe//");
	assert_int_equal(list.nr, 2);
	assert_string_equal(list.specs[0].pmu, "arm_spe_0");
	assert_string_equal(list.specs[1].pmu, "arm_spe_1");
	assert_true(cpulist_has(&list.specs[0].cpus, 3));
	assert_true(cpulist_has(&list.specs[1].cpus, 4));
	event_list_free(&list);
}

TEST(names_have_no_pmu)
{
	struct event_list list = { 0 };

	parse(&list, "cpu-clock,cycles,r1a8,cpu/cpu-cycles/");
	assert_string_equal(list.specs[0].pmu, "");
	assert_string_equal(list.specs[1].pmu, "");
	assert_string_equal(list.specs[2].pmu, "");
	assert_string_equal(list.specs[3].pmu, "cpu");
	event_list_free(&list);
}

/* The attr field that the kernel reads; 0 if not set. */
static uint32_t action_of(const struct event_spec *spec)
{
	uint32_t action;

	memcpy(&action, (const char *)&spec->attr + 116, sizeof(action));
	return action;
}

TEST(aux_action)
{
	struct event_list list = { 0 };

	parse(&list,
	      "{intel_pt/aux-action=start-paused,tsc/u,"
	      "cpu-clock/aux-action=resume/,cpu/cpu-cycles,aux-action=pause/,"
	      "cpu/cpu-cycles,aux-output/,cpu/aux-output=0/}");
	assert_int_equal(action_of(&list.specs[0]), 1);
	assert_int_equal(list.specs[0].attr.config, 1 << 10);
	assert_int_equal(action_of(&list.specs[1]), 4);
	assert_int_equal(action_of(&list.specs[2]), 2);
	assert_int_equal(action_of(&list.specs[3]), 0);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(list.specs[i].leader, 0);
		assert_int_equal(list.specs[i].attr.aux_output, i == 3);
	}
	event_list_free(&list);
	check_refused("intel_pt/aux-action=stop/", ERR_USAGE,
		      "'aux-action=stop': it is start-paused, pause or resume");
	check_refused("intel_pt/aux-action/", ERR_USAGE, "'aux-action='");
	check_refused("intel_pt/aux-output=2/", ERR_USAGE, "not 0 or 1");
	check_refused("intel_pt/aux-sample-size=8/", ERR_USAGE,
		      "does not support the term 'aux-sample-size'");
}

TEST(missing_pmu)
{
	check_refused("intel_bts//", ERR_MACHINE,
		      "no PMU 'intel_bts' on this machine; it has: arm_spe_0, "
		      "arm_spe_1, cpu, cs_etm, intel_pt");
}

/* A PMU without slashes: the message shows the form with them. */
TEST(bare_pmu)
{
	check_refused("intel_pt", ERR_USAGE, "intel_pt//");
}

TEST(aux_filters)
{
	struct event_list list = { 0 };
	struct err err = { 0 };

	assert_int_equal(event_list_aux_filter(&list, 0, "filter x", &err),
			 -EINVAL);
	assert_int_equal(err.kind, ERR_USAGE);
	parse(&list, "cpu-clock,cpu/cpu-cycles/");
	assert_int_equal(event_list_aux_filter(&list, 0, "filter x", &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, "no event that traces before it"));
	parse(&list, "intel_pt//u,cpu-clock");
	assert_int_equal(event_list_aux_filter(&list, 2, "filter main @ /a",
					       &err),
			 0);
	assert_null(list.specs[0].aux_filter);
	assert_null(list.specs[1].aux_filter);
	assert_string_equal(list.specs[2].aux_filter, "filter main @ /a");
	assert_null(list.specs[3].aux_filter);
	assert_int_equal(event_list_aux_filter(&list, 2, "stop f @ /a", &err),
			 0);
	assert_string_equal(list.specs[2].aux_filter,
			    "filter main @ /a,stop f @ /a");
	/* filters of tracepoints are separate */
	assert_null(list.specs[2].filter);
	/* freed with the rest, the address filter too */
	list.specs[2].address_filter = strdup("filter 0/4@/a");
	event_list_free(&list);
}

TEST_GROUP(event_aux, .setup = make_tree, .teardown = remove_tree);
