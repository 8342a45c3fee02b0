/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "fake_tree.h"
#include "perf/event/event_names.h"
#include "perf/event/event_spec.h"
#include "perf/event/event_kinds.h"

static struct fake_tree pmus, tracefs, hybrid;
static struct event_env env;

static void make_tracepoint(const char *name, const char *id)
{
	char path[128], format[512];

	snprintf(path, sizeof(path), "events/%s/id", name);
	fake_tree_write(&tracefs, path, id);
	snprintf(path, sizeof(path), "events/%s/format", name);
	snprintf(format, sizeof(format),
		 "name: %s\nID: %s\nformat:\n"
		 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;"
		 "\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;"
		 "\tsigned:1;\n\n\tfield:int cpu;\toffset:8;\tsize:4;"
		 "\tsigned:1;\n\nprint fmt: \"%%d\", REC->cpu\n",
		 strchr(name, '/') + 1, id);
	fake_tree_write(&tracefs, path, format);
}

static int make_trees(void **state)
{
	(void)state;
	fake_tree_init(&pmus);
	fake_tree_init(&tracefs);
	fake_tree_init(&hybrid);
	fake_tree_write(&pmus, "cpu/type", "4\n");
	fake_tree_write(&pmus, "cpu/format/event", "config:0-7,32-35\n");
	fake_tree_write(&pmus, "cpu/format/umask", "config:8-15\n");
	fake_tree_write(&pmus, "cpu/events/cpu-cycles", "event=0x3c\n");
	fake_tree_write(&pmus, "cpu/events/topdown", "event=1,umask=2\n");
	fake_tree_write(&pmus, "cpu/events/twice", "event=9\n");
	fake_tree_write(&pmus, "cpu/caps/max_precise", "3\n");
	for (int i = 0; i < 2; i++) {
		char path[64];

		snprintf(path, sizeof(path), "uncore_imc_%d/type", i);
		fake_tree_write(&pmus, path, i ? "21\n" : "20\n");
		snprintf(path, sizeof(path), "uncore_imc_%d/cpumask", i);
		fake_tree_write(&pmus, path, i ? "8\n" : "0\n");
		snprintf(path, sizeof(path), "uncore_imc_%d/events/twice", i);
		fake_tree_write(&pmus, path, "config=7\n");
	}
	fake_tree_write(&hybrid, "cpu_core/type", "4\n");
	fake_tree_write(&hybrid, "cpu_core/cpus", "0-3\n");
	fake_tree_write(&hybrid, "cpu_atom/type", "10\n");
	fake_tree_write(&hybrid, "cpu_atom/cpus", "4-7\n");
	make_tracepoint("sched/sched_switch", "316\n");
	make_tracepoint("sched/sched_wakeup", "318\n");
	make_tracepoint("irq/irq_handler_entry", "149\n");
	fake_tree_write(&tracefs, "events/ftrace/wakeup/format", "x\n");
	env = (struct event_env){ .pmus = pmus.root, .tracefs = tracefs.root };
	return 0;
}

static int remove_trees(void **state)
{
	(void)state;
	fake_tree_free(&pmus);
	fake_tree_free(&tracefs);
	fake_tree_free(&hybrid);
	return 0;
}

static struct event_list parse_in(const char *text, const struct event_env *in)
{
	struct event_list list = { 0 };
	struct err err = { 0 };

	if (event_list_parse(&list, text, in, &err))
		fail_msg("'%s': %s", text, err.text);
	return list;
}

static struct event_list parse(const char *text)
{
	return parse_in(text, &env);
}

/* Parse @text, which names one event. */
static struct event_spec parse_one(const char *text)
{
	struct event_list list = parse(text);
	struct event_spec spec = list.specs[0];

	assert_int_equal(list.nr, 1);
	spec.cpus = (struct cpulist){ 0 };
	event_list_free(&list);
	return spec;
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

/* The numbers are those of perf record -vv for the same names. */
TEST(names_have_perfs_numbers)
{
	static const struct {
		const char *name;
		uint32_t type;
		uint64_t config;
	} names[] = {
		{ "cycles", 0, 0 },
		{ "cpu-cycles", 0, 0 },
		{ "instructions", 0, 1 },
		{ "branches", 0, 4 },
		{ "branch-misses", 0, 5 },
		{ "idle-cycles-frontend", 0, 7 },
		{ "ref-cycles", 0, 9 },
		{ "cpu-clock", 1, 0 },
		{ "faults", 1, 2 },
		{ "cs", 1, 3 },
		{ "dummy", 1, 9 },
		{ "cgroup-switches", 1, 11 },
		{ "L1-dcache-loads", 3, 0 },
		{ "L1-dcache-load-misses", 3, 0x10000 },
		{ "l1d-speculative-read-misses", 3, 0x10200 },
		{ "L1-icache-misses", 3, 0x10001 },
		{ "LLC", 3, 2 },
		{ "LLC-misses-loads", 3, 0x10002 },
		{ "dTLB-store-misses", 3, 0x10103 },
		{ "d-tlb-write-Reference", 3, 0x103 },
		{ "branch", 3, 5 },
		{ "bpc-read-access", 3, 5 },
		{ "node-prefetch-misses", 3, 0x10206 },
		{ "r1a8", 4, 0x1a8 },
		{ "r0xFF", 4, 0xff },
		{ "1:2", 1, 2 },
		{ "4:0x99", 4, 0x99 },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct event_spec spec = parse_one(names[i].name);

		assert_string_equal(spec.name, names[i].name);
		assert_int_equal(spec.attr.type, names[i].type);
		assert_int_equal(spec.attr.config, names[i].config);
		assert_int_equal(spec.attr.exclude_guest, 1);
		assert_int_equal(spec.attr.size, sizeof(spec.attr));
	}
}

static int parses(void *ctx, const char *name)
{
	size_t *nr = ctx;

	parse_one(name);
	++*nr;
	return 0;
}

TEST(every_name_parses)
{
	size_t nr = 0;

	event_names_each(parses, &nr);
	assert_true(nr > 50);
}

/* exclude_: u k h H G I in that order, then precise_ip, pinned, exclusive. */
static void check_mods(const char *text, const char *want)
{
	struct perf_event_attr a = parse_one(text).attr;
	char got[16];

	snprintf(got, sizeof(got), "%d%d%d%d%d%d%d%d%d", a.exclude_user,
		 a.exclude_kernel, a.exclude_hv, a.exclude_host,
		 a.exclude_guest, a.exclude_idle, a.precise_ip, a.pinned,
		 a.exclusive);
	if (strcmp(got, want))
		fail_msg("%s: %s, not %s", text, got, want);
}

TEST(modifiers_are_perfs)
{
	check_mods("cycles", "000010000");
	check_mods("cycles:", "000010000");
	check_mods("cycles:u", "011010000");
	check_mods("cycles:k", "101000000");
	check_mods("cycles:h", "110000000");
	check_mods("cycles:uk", "001010000");
	check_mods("cycles:ukh", "000010000");
	check_mods("cycles:G", "000100000");
	check_mods("cycles:H", "000010000");
	check_mods("cycles:HG", "000000000");
	check_mods("cycles:Gu", "011100000");
	check_mods("cycles:I", "000001000");
	check_mods("cycles:p", "000010100");
	check_mods("cycles:ppp", "000010300");
	check_mods("cycles:P", "000010300");
	check_mods("cpu-clock:P", "000010000");
	check_mods("cycles:De", "000000011");
	check_mods("cpu/cycles/u", "011010000");
	check_mods("cpu/cycles/:kpp", "101010200");
	check_mods("uncore_imc_0//", "000000000");
	check_mods("topdown:u", "011010000");
	check_mods("sched:sched_switch:u", "011010000");
	check_mods("mem:0x10:rw:k", "101000000");
	check_mods("{cycles}:k", "101010000");
	check_mods("{cycles:k}:u", "001010000");
	check_mods("{cycles:p}:pp", "000010300");
}

TEST(bad_modifiers)
{
	check_refused("cycles:z", ERR_USAGE, "no modifier 'z'");
	check_refused("cycles:uu", ERR_USAGE, "'u' twice");
	check_refused("cycles:pppp", ERR_USAGE, "more than three");
	check_refused("{cycles:pp}:pp", ERR_USAGE, "more than three");
	check_refused("cycles:S", ERR_USAGE, "modifier 'S': ");
	check_refused("{cs,cycles}:W", ERR_USAGE, "event 'cs': modifier 'W'");
	check_refused("cycles:b", ERR_USAGE, "modifier 'b': ");
	check_refused("cpu/cycles/q", ERR_USAGE, "no modifier 'q'");
	check_refused("cpu/cycles/u/", ERR_USAGE, "no modifier '/'");
}

TEST(lists_and_groups)
{
	static const size_t leaders[] = { 0, 1, 1, 1, 4, 5 };
	struct event_list list =
		parse("cs, {cycles:k , instructions,faults}:u,dummy,g{cs}");

	assert_int_equal(list.nr, 6);
	for (size_t i = 0; i < list.nr; i++)
		assert_int_equal(list.specs[i].leader, leaders[i]);
	assert_string_equal(list.specs[1].name, "cycles:k");
	assert_string_equal(list.specs[2].name, "instructions");
	assert_int_equal(list.specs[2].attr.exclude_kernel, 1);
	assert_int_equal(list.specs[4].attr.exclude_kernel, 0);
	event_list_free(&list);
}

TEST(appending_keeps_what_was_there)
{
	struct event_list list = parse("cs");
	struct err err = { 0 };

	assert_int_equal(
		event_list_parse(&list, "{faults,sched:*}", &env, &err), 0);
	assert_int_equal(list.nr, 4);
	assert_int_equal(list.specs[3].leader, 1);
	assert_true(event_list_parse(&list, "cycles,sched:*,zork", &env, &err) <
		    0);
	assert_int_equal(list.nr, 4);
	assert_string_equal(list.specs[3].name, "sched:sched_wakeup");
	event_list_free(&list);
}

TEST(bad_syntax)
{
	check_refused("", ERR_USAGE, "no event named");
	check_refused(" \n", ERR_USAGE, "no event named");
	check_refused(",", ERR_USAGE, "missing at column 1");
	check_refused("cycles,", ERR_USAGE, "missing at column 8");
	check_refused("cs,,cycles", ERR_USAGE, "missing at column 4");
	check_refused("{}", ERR_USAGE, "missing at column 2");
	check_refused("{cs,}", ERR_USAGE, "missing at column 5");
	check_refused("{cs", ERR_USAGE, "no '}' for the '{' at column 1");
	check_refused("cs}", ERR_USAGE, "'}' is not expected at column 3");
	check_refused("{cs}}", ERR_USAGE, "'}' is not expected at column 5");
	check_refused("{cs,{cs}}", ERR_USAGE, "within a group at column 5");
	check_refused("cpu/cycles", ERR_USAGE, "no '/' after its terms");
	check_refused("{cpu/cycles,cs}", ERR_USAGE, "no '}'");
	check_refused("/", ERR_USAGE, "no '/' after its terms");
	check_refused("//", ERR_MACHINE, "no PMU ''");
	check_refused(":", ERR_USAGE, "unknown event ':'");
	check_refused("mem:", ERR_USAGE, "bad address");
	check_refused("mem:0x10/0", ERR_USAGE, "bad length");
	check_refused("mem:0x10:rr", ERR_USAGE, "no modifier 'r'");
	check_refused("9999999999:1", ERR_USAGE, "not the numbers");
}

TEST(unknown_names_get_the_nearest)
{
	check_refused("cpu-clok", ERR_USAGE,
		      "unknown event 'cpu-clok'; did you mean cpu-clock?");
	check_refused("CYCLES", ERR_USAGE, "did you mean cycles?");
	check_refused("L1-dcache-laod-misses", ERR_USAGE,
		      "did you mean L1-dcache-load-misses?");
	check_refused("topdwon", ERR_USAGE, "did you mean cpu/topdown/?");
	check_refused("sched:sched_swich", ERR_USAGE,
		      "did you mean sched:sched_switch?");
	check_refused("irq_handler_entry", ERR_USAGE,
		      "did you mean irq:irq_handler_entry?");
	check_refused("iTLB-stores", ERR_USAGE, "did you mean ");
}

TEST(far_names_get_none)
{
	/* names that differ in up to a third of the letters are suggested */
	check_refused("cpu-clxxx", ERR_USAGE, "did you mean cpu-clock?");
	check_refused("cpu-cxxxx", ERR_USAGE,
		      "unknown event 'cpu-cxxxx'; see perf list");
	check_refused("nosuch", ERR_USAGE,
		      "unknown event 'nosuch'; see perf list");
	check_refused("sched:nosuch", ERR_USAGE,
		      "unknown event 'sched:nosuch'; see perf list");
	check_refused("x", ERR_USAGE, "unknown event 'x'; see perf list");
}

TEST(long_names)
{
	char *text = malloc(10001);

	memset(text, 'a', 10000);
	text[10000] = '\0';
	check_refused(text, ERR_USAGE, "aa..'; see perf list");
	text[5] = ':';
	check_refused(text, ERR_USAGE, "see perf list");
	text[5] = '/';
	check_refused(text, ERR_USAGE, "no '/' after its terms");
	text[9999] = '/';
	check_refused(text, ERR_MACHINE, "no PMU 'aaaaa'");
	memcpy(text, "cpu/", 4);
	text[5] = 'a';
	check_refused(text, ERR_USAGE, "has no term 'aaaa");
	memset(text, 'e', 10000);
	memcpy(text, "cpu-clock/name=", 15);
	text[9999] = '/';
	assert_int_equal(strlen(parse_one(text).name), 127);
	free(text);
}

TEST(distance_counts_edits)
{
	char longer[200];

	memset(longer, 'x', sizeof(longer));
	longer[199] = '\0';
	assert_int_equal(event_suggest_distance("", "abc"), 3);
	assert_int_equal(event_suggest_distance("abc", ""), 3);
	assert_int_equal(event_suggest_distance("abc", "ABC"), 0);
	assert_int_equal(event_suggest_distance("abc", "acb"), 1);
	assert_int_equal(event_suggest_distance("kitten", "sitting"), 3);
	assert_int_equal(event_suggest_distance("a", longer), -1);
}

TEST(tracepoints)
{
	struct event_spec spec = parse_one("irq:irq_handler_entry");
	struct event_list list = parse("s*:sched_*:k,*:irq_handler_entry");

	assert_true(spec.tracepoint);
	assert_int_equal(spec.attr.type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(spec.attr.config, 149);
	assert_int_equal(spec.raw_bytes, 12);
	assert_string_equal(spec.name, "irq:irq_handler_entry");
	assert_int_equal(list.nr, 3);
	assert_string_equal(list.specs[0].name, "sched:sched_switch");
	assert_string_equal(list.specs[1].name, "sched:sched_wakeup");
	assert_int_equal(list.specs[1].attr.config, 318);
	assert_int_equal(list.specs[1].attr.exclude_user, 1);
	assert_int_equal(list.specs[2].attr.exclude_user, 0);
	event_list_free(&list);
}

TEST(tracepoints_that_are_not_there)
{
	check_refused("sched:qqqqqqqqqqqqqqqqqqqq", ERR_USAGE, "unknown event");
	check_refused("qqqqqqqqqqqqqq*:*", ERR_USAGE, "unknown event");
	/* formats of ftrace without an id are no tracepoints */
	check_refused("ftrace:*", ERR_USAGE, "unknown event 'ftrace:*'");
	check_refused("..:sched", ERR_USAGE, "unknown event");
	check_refused("sched:../sched/sched_switch", ERR_USAGE,
		      "unknown event");
}

static const char *no_tracefs(struct err *err)
{
	err_set(err, -EPERM, "mount it");
	return NULL;
}

static const char *late_tracefs(struct err *err)
{
	(void)err;
	return tracefs.root;
}

TEST(tracefs_is_found_when_needed)
{
	struct event_env late = { pmus.root, NULL, late_tracefs };
	struct event_list list = parse_in("cs,sched:*", &late);
	struct err err = { 0 };

	assert_int_equal(list.nr, 3);
	event_list_free(&list);
	late.find_tracefs = no_tracefs;
	list = parse_in("cs,cycles", &late);
	assert_int_equal(list.nr, 2);
	event_list_free(&list);
	assert_true(event_list_parse(&list, "cs,sched:sched_switch", &late,
				     &err) < 0);
	assert_int_equal(err.kind, ERR_MACHINE);
	assert_string_equal(err.text,
			    "tracepoint 'sched:sched_switch': mount it");
	late.find_tracefs = NULL;
	assert_true(event_list_parse(&list, "sched:*", &late, &err) < 0);
	assert_int_equal(err.kind, ERR_MACHINE);
	assert_non_null(strstr(err.text, "mount -t tracefs nodev "
					 "/sys/kernel/tracing"));
	assert_int_equal(list.nr, 0);
	event_list_free(&list);
}

TEST(unreadable_tracefs)
{
	sys_fail_at(SYS_OPEN_FILE, 1, EACCES);
	check_refused("irq:irq_handler_entry", ERR_MACHINE, "remount");
}

TEST(terms_of_a_pmu)
{
	struct event_spec spec;

	spec = parse_one("cpu/event=0x3c,umask=1,period=1000,name=x/k");
	assert_string_equal(spec.name, "x");
	assert_int_equal(spec.attr.type, 4);
	assert_int_equal(spec.attr.config, 0x13c);
	assert_int_equal(spec.period, 1000);
	assert_int_equal(parse_one("cpu/event=0x13c/").attr.config,
			 0x10000003c);
	assert_int_equal(parse_one("cpu/cycles/").attr.config, 0x3c);
	assert_int_equal(parse_one("cpu/r1a8/").attr.config, 0x1a8);
	assert_int_equal(parse_one("cpu/topdown,freq=0x10/").freq, 16);
	assert_int_equal(parse_one("cpu/config=1,config1=2/").attr.config1, 2);
	assert_string_equal(parse_one("cpu/name='a,b',event=1/").name, "a,b");
	assert_string_equal(parse_one("cpu/topdown/u").name, "cpu/topdown/u");
	assert_int_equal(parse_one("cpu//").attr.config, 0);
}

TEST(terms_of_a_name)
{
	struct event_spec spec;

	spec = parse_one("cpu-clock/period=9,name=tick/u");
	assert_string_equal(spec.name, "tick");
	assert_int_equal(spec.attr.exclude_kernel, 1);
	assert_int_equal(spec.period, 9);
	assert_int_equal(parse_one("irq:irq_handler_entry/period=3/").period,
			 3);
	assert_int_equal(parse_one("cycles/period=3,freq=4/").period, 0);
	assert_int_equal(parse_one("cycles/freq=4,period=3/").freq, 0);
	check_refused("cpu-clock/event=1/", ERR_USAGE, "not 'event'");
}

TEST(bad_terms)
{
	check_refused("intel_pt//", ERR_MACHINE,
		      "no PMU 'intel_pt' on this "
		      "machine; it has: cpu, uncore_imc_0, uncore_imc_1");
	check_refused("../cpu//", ERR_MACHINE, "no PMU '..'");
	check_refused("cpu/zork/", ERR_USAGE,
		      "no term 'zork'; it has: event,"
		      " umask, cpu-cycles, topdown, twice");
	check_refused("cpu/umask=256/", ERR_USAGE, "at most 0xff");
	check_refused("cpu/,/", ERR_USAGE, "a term without a name");
	check_refused("cpu/=1/", ERR_USAGE, "a term without a name");
	check_refused("cpu/period=0/", ERR_USAGE, "not a number above 0");
	check_refused("cpu/freq/", ERR_USAGE, "not a number above 0");
	check_refused("cpu/name=/", ERR_USAGE, "needs a name");
	check_refused("cpu/percore/", ERR_USAGE, "the term 'percore'");
}

TEST(events_of_pmus_by_bare_name)
{
	struct event_spec spec = parse_one("topdown");

	assert_int_equal(spec.attr.type, 4);
	assert_int_equal(spec.attr.config, 0x201);
	assert_string_equal(spec.name, "topdown");
	check_refused("twice", ERR_USAGE,
		      "event 'twice' is in 3 PMUs, say "
		      "which: cpu/twice/, uncore_imc_0/twice/, "
		      "uncore_imc_1/twice/");
}

TEST(pmus_in_parts)
{
	static const char *const texts[] = {
		"uncore_imc/twice/",
		"imc/twice/",
		"uncore_*/twice/",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct event_list list = parse(texts[i]);

		assert_int_equal(list.nr, 2);
		assert_int_equal(list.specs[0].attr.type, 20);
		assert_int_equal(list.specs[1].attr.type, 21);
		assert_int_equal(list.specs[1].attr.config, 7);
		assert_int_equal(list.specs[1].cpus.nr, 1);
		assert_int_equal(list.specs[1].cpus.cpus[0], 8);
		event_list_free(&list);
	}
}

/*
 * As perf does: an event for each kind of core, with the PMU in the high half
 * of config.
 */
TEST(hybrid_cores)
{
	struct event_env two = { .pmus = hybrid.root };
	struct event_list list = parse_in("instructions:u,r1a8,cs", &two);

	assert_int_equal(list.nr, 5);
	assert_string_equal(list.specs[0].name, "cpu_core/instructions/u");
	assert_string_equal(list.specs[1].name, "cpu_atom/instructions/u");
	assert_int_equal(list.specs[0].attr.config, 0x400000001);
	assert_int_equal(list.specs[1].attr.config, 0xa00000001);
	assert_int_equal(list.specs[1].attr.exclude_kernel, 1);
	assert_int_equal(list.specs[1].cpus.nr, 4);
	assert_int_equal(list.specs[1].cpus.cpus[0], 4);
	assert_int_equal(list.specs[3].attr.type, 10);
	assert_int_equal(list.specs[3].attr.config, 0x1a8);
	assert_string_equal(list.specs[4].name, "cs");
	event_list_free(&list);
	/* a number that names another PMU's type is only that one's */
	list = parse_in("11:0x22", &two);
	assert_int_equal(list.nr, 1);
	assert_int_equal(list.specs[0].attr.type, 11);
	assert_int_equal(list.specs[0].attr.config, 0x22);
	event_list_free(&list);
}

TEST(breakpoints)
{
	struct event_spec spec = parse_one("mem:0x1000/8:w:u");

	assert_int_equal(spec.attr.type, PERF_TYPE_BREAKPOINT);
	assert_int_equal(spec.attr.bp_addr, 0x1000);
	assert_int_equal(spec.attr.bp_len, 8);
	assert_int_equal(spec.attr.bp_type, 2);
	assert_int_equal(spec.period, 1);
	assert_string_equal(spec.name, "mem:0x1000/8:w:u");
	spec = parse_one("mem:4096");
	assert_int_equal(spec.attr.bp_len, 4);
	assert_int_equal(spec.attr.bp_type, 3);
	assert_int_equal(parse_one("mem:1:x").attr.bp_len, sizeof(long));
}

TEST(names_are_sanitized)
{
	assert_string_equal(parse_one("cs/name=a\033[2Jb/").name, "a?[2Jb");
	check_refused("a\033[2Jb", ERR_USAGE, "'a?[2Jb'");
}

TEST(default_event)
{
	struct event_env none = { .pmus = tracefs.root };
	struct event_list list = { 0 };
	struct err err = { 0 };

	assert_int_equal(event_list_default(&list, &env, &err), 0);
	assert_int_equal(event_list_default(&list, &none, &err), 0);
	assert_int_equal(list.nr, 2);
	assert_string_equal(list.specs[0].name, "cycles");
	assert_string_equal(list.specs[1].name, "cpu-clock");
	assert_int_equal(list.specs[1].attr.type, PERF_TYPE_SOFTWARE);
	event_list_free(&list);
}

TEST(filters)
{
	struct event_list list = parse("irq:irq_handler_entry,cs,sched:*");
	struct err err = { 0 };

	assert_int_equal(event_list_filter(&list, 1, "cpu==1", &err), 0);
	assert_null(list.specs[0].filter);
	assert_null(list.specs[1].filter);
	assert_string_equal(list.specs[2].filter, "cpu==1");
	assert_int_equal(event_list_filter(&list, 3, "cpu<3||cpu>5", &err), 0);
	assert_string_equal(list.specs[2].filter, "cpu==1");
	assert_string_equal(list.specs[3].filter, "(cpu==1) && (cpu<3||cpu>5)");
	assert_int_equal(event_list_filter(&list, 4, "cpu==1", &err), -EINVAL);
	assert_int_equal(err.kind, ERR_USAGE);
	assert_non_null(strstr(err.text, "no tracepoint before it"));
	assert_int_equal(event_list_filter(&list, 0, "cpu=1", &err), -EINVAL);
	assert_non_null(strstr(err.text, "column 4"));
	event_list_free(&list);
}

TEST(cgroups)
{
	struct event_list list = parse("cs,faults,cycles");
	struct err err = { 0 };

	assert_int_equal(event_list_cgroups(&list, "a", &err), 0);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(list.specs[i].cgroup, "a");
	assert_int_equal(event_list_cgroups(&list, "x,,y/z", &err), 0);
	assert_string_equal(list.specs[0].cgroup, "x");
	assert_null(list.specs[1].cgroup);
	assert_string_equal(list.specs[2].cgroup, "y/z");
	assert_int_equal(event_list_cgroups(&list, "p,q", &err), 0);
	assert_string_equal(list.specs[1].cgroup, "q");
	assert_int_equal(event_list_cgroups(&list, "a,b,c,d", &err), -EINVAL);
	assert_non_null(strstr(err.text, "more cgroups than the 3 events "
					 "before it, from 'd' on"));
	event_list_free(&list);
	assert_int_equal(event_list_cgroups(&list, "a", &err), -EINVAL);
}

TEST_GROUP(event_spec, .setup = make_trees, .teardown = remove_trees);
