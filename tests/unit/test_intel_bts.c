/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "auxtrace_rig.h"

static int make(void **state)
{
	rig_set_up(state);
	fake_tree_write(&tree, "intel_bts/type", "7\n");
	return 0;
}

/* A record does not contain its task, so perf traces only threads. */
TEST(threads_alone)
{
	static const enum target_mode modes[] = { TARGET_SYSTEM, TARGET_CPUS,
						  TARGET_TASKS };
	struct event_spec spec = rig_event("intel_bts", "freq=99", 7, 0);
	struct session_opts session = rig_session(TARGET_THREADS, &spec, 1);
	struct auxtrace_opts opts = { 0 };

	spec.freq = 99;
	rig_open(&opts, &session);
	assert_int_equal(spec.period, 1);
	assert_int_equal(spec.freq, 0);
	assert_int_equal(spec.attr.aux_watermark, 0);
	assert_false(session.switch_events);
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		session.target.mode = modes[i];
		rig_refused(&opts, &session, "use --per-thread");
	}
}

TEST(words_of_info)
{
	struct event_spec spec = rig_event("intel_bts", "", 7, 0);
	struct auxtrace trace = { .ops = &auxtrace_intel_bts,
				  .overwrite = true };
	struct auxtrace_info from = {
		.env = &env,
		.trace = &trace,
		.spec = &spec,
		.attr = &spec.attr,
		.conv = { .time_shift = 31,
			  .time_mult = 1789569706,
			  .time_zero = 18446744041015200657u,
			  .cap_user_time_zero = true },
	};
	const uint64_t expected[] = {
		7, 31, 1789569706, 18446744041015200657u, 1, 1,
	};
	uint64_t *words;
	size_t nr;

	assert_int_equal(auxtrace_intel_bts.type, 2);
	words = rig_info(&from, &nr);
	assert_int_equal(nr, 6);
	assert_memory_equal(words, expected, sizeof(expected));
	free(words);
	/* full trace, and a clock without a conversion */
	trace.overwrite = false;
	from.conv.time_mult = 0;
	words = rig_info(&from, &nr);
	assert_int_equal(words[4], 0);
	assert_int_equal(words[5], 0);
	free(words);
}

TEST_GROUP(intel_bts, .setup = make, .teardown = rig_tear_down);
