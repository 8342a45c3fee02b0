/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rings, attrs, groups and errors of sessions with events that trace. */
#include "tests/group.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "perf/abi/record.h"
#include "perf/session/session_state.h"
#include "tests/unit/aux/session_aux_rig.h"

/*
 * The tracing event owns the ring, though it is named last; the others follow.
 */
TEST(test_owner)
{
	struct event_spec specs[] = { clock_spec("clock", 0, false),
				      clock_spec("trace", 1, true) };
	struct session_opts opts = thread_opts(specs, 2);
	struct session *s = open_or_skip(&opts);
	const struct session_ring *ring = session_ring(s, 0);

	assert_true(session_has_aux(s));
	assert_true(session_owner_on_task(s));
	assert_int_equal(ring->nr_events, 3);
	expect_event(ring, 0, 1, self);
	expect_event(ring, 1, SESSION_SIDE_BAND, self);
	expect_event(ring, 2, 0, self);
	assert_int_equal(ring->ring.fd, ring->events[0].fd);
	assert_int_equal(aux_map.fd, ring->events[0].fd);
	assert_int_equal(aux_map.calls, 1);
	assert_int_equal(aux_map.size, 8 * PAGE);
	assert_true(aux_map.overwrite);
	assert_int_equal(ring->aux.size, 8 * PAGE);
	assert_int_equal(ring->aux.watermark, 0);
	session_close(s);
}

/* Without tracing events nothing changes. */
TEST(test_none)
{
	struct event_spec spec = clock_spec("clock", 0, false);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);

	assert_false(session_has_aux(s));
	assert_int_equal(aux_map.calls, 0);
	assert_null(session_ring(s, 0)->aux.data);
	expect_event(session_ring(s, 0), 0, SESSION_SIDE_BAND, self);
	assert_null(session_clock(s).page);
	assert_false(session_clock(s).unknown);
	assert_int_equal(session_event_attr(s, 0)->use_clockid, 1);
	session_close(s);
}

/* CPU-wide: the side-band of every task comes from the second event. */
TEST(test_on_a_cpu)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = cpu_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	const struct session_ring *ring = session_ring(s, 0);

	assert_false(session_owner_on_task(s));
	assert_int_equal(ring->nr_events, 2);
	expect_event(ring, 0, 0, -1);
	expect_event(ring, 1, SESSION_SIDE_BAND, -1);
	session_close(s);
}

/* Two tasks on a CPU have one AUX ring, that of the first. */
TEST(test_tasks_share)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	pid_t tids[] = { sys_gettid(), start_child() };
	struct session_opts opts = task_opts(&spec, 1, tids, 2);
	struct session *s = open_or_skip(&opts);
	const struct session_ring *ring = session_ring(s, 0);

	assert_int_equal(session_nr_rings(s), 1);
	assert_int_equal(ring->nr_events, 4);
	expect_event(ring, 0, 0, tids[0]);
	expect_event(ring, 1, SESSION_SIDE_BAND, tids[0]);
	expect_event(ring, 2, SESSION_SIDE_BAND, tids[1]);
	expect_event(ring, 3, 0, tids[1]);
	assert_int_equal(aux_map.calls, 1);
	assert_true(session_owner_on_task(s));
	assert_int_equal(session_event_attr(s, 0)->inherit, 1);
	session_close(s);
	end_child(tids[1]);
}

/* The first task has ended: the next one's event owns the ring. */
TEST(test_owner_has_ended)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	pid_t tids[] = { sys_gettid(), start_child() };
	struct session_opts opts = task_opts(&spec, 1, tids, 2);
	const struct session_ring *ring;
	struct session *s;

	sys_fail_at(SYS_OPEN_EVENT, 1, ESRCH);
	s = open_or_skip(&opts);
	ring = session_ring(s, 0);
	assert_int_equal(ring->nr_events, 2);
	expect_event(ring, 0, 0, tids[1]);
	expect_event(ring, 1, SESSION_SIDE_BAND, tids[1]);
	session_close(s);
	end_child(tids[1]);
}

/* PMUs of a few CPUs each: on the others a dummy owns the ring. */
TEST(test_pmu_of_other_cpus)
{
	static int elsewhere[] = { 4000 };
	struct event_spec specs[] = { clock_spec("trace_0", 0, true),
				      clock_spec("trace_1", 1, true) };
	struct session s = {
		.opts.events = { .specs = specs, .nr = 2 },
	};

	specs[0].cpus = (struct cpulist){ .cpus = elsewhere, .nr = 1 };
	specs[1].cpus = (struct cpulist){ .cpus = one_cpu, .nr = 1 };
	assert_int_equal(session_specs_tracing(&s, FIRST_CPU), 1);
	assert_int_equal(session_specs_tracing(&s, 4000), 0);
	assert_true(session_specs_tracing(&s, 7) == SESSION_SIDE_BAND);
	/* a thread may run on any of them */
	assert_int_equal(session_specs_tracing(&s, -1), 0);
}

/* perf's default clock for all that share a ring, also for dummies. */
TEST(test_clock_of_events)
{
	struct event_spec specs[] = { clock_spec("trace", 0, true),
				      clock_spec("clock", 1, false) };
	struct session_opts opts = thread_opts(specs, 2);
	struct session_scope scope = { .tid = 1 };
	struct session *s = open_or_skip(&opts);
	struct perf_event_attr attr;

	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(session_event_attr(s, i)->use_clockid, 0);
		assert_int_equal(session_event_attr(s, i)->clockid, 0);
	}
	session_specs_side_band(s, scope, PAGE, &attr);
	assert_int_equal(attr.use_clockid, 0);
	assert_int_equal(attr.clockid, 0);
	session_close(s);
}

/* If the kernel does not provide it, as in many guests, it is unknown. */
TEST(test_clock)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	struct perf_clock clock = session_clock(s);

	assert_non_null(clock.page);
	/* a page of its own: rings come and go */
	assert_ptr_not_equal(clock.page, session_ring(s, 0)->ring.page);
	assert_int_equal(clock.unknown,
			 !perf_clock_conv(clock.page).cap_user_time_zero);
	session_close(s);
	/* the owner, then the event of the clock */
	sys_fail_at(SYS_OPEN_EVENT, 2, EMFILE);
	s = open_or_skip(&opts);
	assert_true(session_clock(s).unknown);
	session_close(s);
	sys_fail_at(SYS_MMAP, 2, EPERM);
	s = open_or_skip(&opts);
	assert_true(session_clock(s).unknown);
	session_close(s);
}

/* The period belongs to the PMU, the sample fields do not. */
TEST(test_attr)
{
	struct event_spec specs[] = { clock_spec("trace", 0, true),
				      clock_spec("clock", 1, false) };
	struct session_opts opts = thread_opts(specs, 2);
	const struct perf_event_attr *attr;
	struct session *s;

	opts.freq = 100;
	opts.sample_type = PERF_SAMPLE_ADDR;
	s = open_or_skip(&opts);
	attr = session_event_attr(s, 0);
	assert_int_equal(attr->freq, 0);
	assert_int_equal(attr->sample_period, 1);
	assert_int_equal(attr->sample_type,
			 RECORD_SAMPLE_TYPE & ~(uint64_t)PERF_SAMPLE_PERIOD);
	assert_int_equal(session_event_attr(s, 1)->freq, 1);
	assert_int_equal(session_event_attr(s, 1)->sample_type,
			 RECORD_SAMPLE_TYPE | PERF_SAMPLE_ADDR);
	session_close(s);
	specs[0].period = 4096;
	s = open_or_skip(&opts);
	assert_int_equal(session_event_attr(s, 0)->sample_period, 4096);
	assert_int_equal(session_set_rate(s, 200, 0, NULL), 0);
	assert_int_equal(session_event_attr(s, 0)->sample_period, 4096);
	assert_int_equal(session_event_attr(s, 1)->sample_freq, 200);
	session_close(s);
}

static void expect_watermark(uint32_t attr, bool overwrite, uint64_t expected)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s;

	spec.attr.aux_watermark = attr;
	opts.aux_overwrite = overwrite;
	s = open_or_skip(&opts);
	assert_int_equal(session_ring(s, 0)->aux.watermark, expected);
	assert_int_equal(aux_map.overwrite, overwrite);
	/* that of the data ring is unchanged */
	assert_int_equal(session_ring(s, 0)->ring.watermark, 2 * PAGE);
	session_close(s);
}

TEST(test_aux_watermark)
{
	expect_watermark(0, false, 4 * PAGE);
	expect_watermark(2 * PAGE, false, 2 * PAGE);
	expect_watermark(2 * PAGE, true, 0);
}

/* --watermark is for the data ring, so its owner has to have it. */
TEST(test_data_watermark)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s;

	opts.watermark = 1000;
	s = open_or_skip(&opts);
	assert_int_equal(session_event_attr(s, 0)->watermark, 1);
	assert_int_equal(session_event_attr(s, 0)->wakeup_watermark, 1000);
	assert_int_equal(session_ring(s, 0)->ring.watermark, 1000);
	session_close(s);
}

TEST(test_size_is_rounded)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);

	opts.aux_bytes = 5 * PAGE + 1;
	session_close(open_or_skip(&opts));
	assert_int_equal(aux_map.size, 8 * PAGE);
	opts.aux_bytes = 1;
	session_close(open_or_skip(&opts));
	assert_int_equal(aux_map.size, sys_page_size());
	opts.aux_bytes = UINT64_MAX / 2 + 2;
	expect_refused(&opts, -ENOMEM, "-m ,9223372036854775809",
		       "smaller -m");
}

TEST(test_map_errors)
{
	static const struct {
		int error;
		const char *remedy;
	} rows[] = {
		{ EPERM, "use -m ,16K, raise" },
		{ ENOMEM, "-m ,16K" },
		{ EINVAL, "power of two" },
		{ EOPNOTSUPP, "does not trace" },
		{ EMFILE, "ulimit -n" },
		{ EIO, "perf_event_open(2)" },
	};
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	char what[80];

	session_close(open_or_skip(&opts));
	snprintf(what, sizeof(what), "mapping an AUX ring of 32K on thread %d",
		 self);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		aux_map.error = rows[i].error;
		expect_refused(&opts, -rows[i].error, what, rows[i].remedy);
	}
}

/* Smaller data rings would not help: it is not tried again. */
TEST(test_data_rings_stay)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);

	session_close(open_or_skip(&opts));
	opts.ring_bytes = 0;
	aux_map.calls = 0;
	aux_map.error = EPERM;
	expect_refused(&opts, -EPERM, "AUX ring", "mlock");
	assert_int_equal(aux_map.calls, 1);
}

TEST(test_open_errors)
{
	static const struct {
		int error;
		const char *remedy;
	} rows[] = {
		{ EBUSY, "one program at a time" },
		{ EINVAL, "drop terms" },
		{ EOPNOTSUPP, "the PMU does not support" },
		{ ENOENT, "cpumask" },
		{ ENOMEM, "watch fewer" },
	};
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		sys_fail_at(SYS_OPEN_EVENT, 1, rows[i].error);
		expect_refused(&opts, -rows[i].error, "opening trace",
			       rows[i].remedy);
	}
}

static void set_action(struct event_spec *spec, uint32_t action)
{
	memcpy((char *)&spec->attr + EVENT_AUX_ACTION_OFFSET, &action,
	       sizeof(action));
}

/*
 * Linux 6.13 supports it; before, and for a PMU that cannot pause, there is an
 * error message.
 */
TEST(test_aux_action_unknown)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	const int errors[] = { EINVAL, EOPNOTSUPP, E2BIG };

	set_action(&spec, EVENT_AUX_START_PAUSED);
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		sys_fail_at(SYS_OPEN_EVENT, 1, errors[i]);
		expect_refused(&opts, -errors[i], "aux-action", "6.13");
	}
}

TEST(test_groups)
{
	struct event_spec specs[] = { clock_spec("clock", 0, false),
				      clock_spec("trace", 0, true) };
	struct session_opts opts = thread_opts(specs, 2);

	expect_refused(&opts, -EINVAL, "trace", "first of its group");
	specs[1].leader = 1;
	set_action(&specs[0], EVENT_AUX_START_PAUSED);
	expect_refused(&opts, -EINVAL, "clock", "for an event that traces");
	set_action(&specs[0], EVENT_AUX_PAUSE);
	expect_refused(&opts, -EINVAL, "clock", "members of a group");
	set_action(&specs[0], EVENT_AUX_RESUME);
	expect_refused(&opts, -EINVAL, "clock", "members of a group");
	set_action(&specs[0], 0);
	specs[0].attr.aux_output = 1;
	expect_refused(&opts, -EINVAL, "clock", "members of a group");
}

/* The tracing leader owns the ring, and its members find it. */
TEST(test_group_of_tracer)
{
	struct event_spec specs[] = { clock_spec("trace", 0, true),
				      clock_spec("clock", 0, false) };
	struct session_opts opts = thread_opts(specs, 2);
	struct session_count counts[3];
	struct session *s = open_or_skip(&opts);

	expect_event(session_ring(s, 0), 2, 1, self);
	/* enabled by its leader only */
	assert_int_equal(session_enable(s, true, NULL), 0);
	for (volatile int i = 0; i < 10000000; i++)
		;
	assert_int_equal(session_read(s, 0, counts, 3), 3);
	assert_true(counts[0].count > 0);
	assert_true(counts[2].count > 0);
	session_close(s);
}

TEST(test_overwrite)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s;

	opts.overwrite = true;
	s = open_or_skip(&opts);
	assert_true(session_ring(s, 0)->ring.overwrite);
	assert_true(session_ring(s, 0)->aux.overwrite);
	session_close(s);
	opts.aux_overwrite = false;
	expect_refused(&opts, -EINVAL, "--full-trace", "--overwrite");
}

static void expect_filter_error(const struct session_opts *opts, int error,
				const char *remedy)
{
	struct session *s = open_or_skip(opts);
	struct err err = { 0 };

	sys_fail_at(SYS_IOCTL, 1, error);
	assert_int_equal(session_filter(s, NULL, 0, &err), -error);
	if (!strstr(err.text, "--aux-filter 'filter main' on trace") ||
	    !strstr(err.text, remedy))
		fail_msg("'%s' lacks '%s'", err.text, remedy);
	session_close(s);
}

TEST(test_address_filter)
{
	char asked[] = "filter main", given[] = "filter 0x1000/0x10";
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts threads = thread_opts(&spec, 1);
	struct session_opts cpus = cpu_opts(&spec, 1);
	struct err err = { 0 };
	struct session *s = open_or_skip(&threads);

	/* no filters: the kernel is not called */
	assert_int_equal(session_filter(s, NULL, 0, &err), 0);
	session_close(s);
	spec.aux_filter = asked;
	spec.address_filter = given;
	/* a clock has no address filters: an error of the kernel */
	s = open_or_skip(&threads);
	assert_int_equal(session_filter(s, NULL, 0, &err), -EINVAL);
	assert_non_null(strstr(err.text, "does not support this form"));
	session_close(s);
	expect_filter_error(&threads, EOPNOTSUPP, "fewer filters");
	expect_filter_error(&threads, ENOENT, "must exist");
	expect_filter_error(&cpus, EOPNOTSUPP, "watch tasks");
}

TEST_GROUP(session_aux, .each_setup = forget_maps, .each_teardown = check_maps);
