/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests of a front end for live events, on the running kernel. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "perf/event/event_spec.h"
#include "tests/live/live.h"

/* Seconds to wait for events whose speed depends on the machine. */
static const double patience = 120;

static struct event_list events;
static pid_t self;

static int open_events(void **state)
{
	struct event_env env = { .pmus = "/sys/bus/event_source/devices" };

	(void)state;
	return event_list_parse(&events, "cpu-clock:u", &env, NULL);
}

static int close_events(void **state)
{
	(void)state;
	event_list_free(&events);
	return 0;
}

static struct source *open_source(bool overwrite)
{
	struct session_source_opts opts = {
		.session = {
			.events = events,
			.target.mode = TARGET_THREADS,
			.freq = 1000,
			.ring_bytes = sys_page_size(),
			.overwrite = overwrite,
		},
		.interval = 0.05,
	};

	self = sys_gettid();
	opts.session.target.tids = &self;
	opts.session.target.nr_tids = 1;
	return live_start(&opts);
}

static void spin(double seconds)
{
	double end = sys_now() + seconds;

	while (sys_now() < end)
		for (volatile int i = 0; i < 10000; i++)
			;
}

static int ask(struct source *source, enum request_kind kind, uint64_t value,
	       bool on, struct err *err)
{
	const struct request rq = { .kind = kind, .value = value, .on = on };

	return source_request(source, &rq, err);
}

static void expect(struct source *source, enum request_kind kind,
		   uint64_t value, bool on)
{
	struct err err = { 0 };

	if (ask(source, kind, value, on, &err))
		fail_msg("%s", err.text);
}

/* Check that a line of the log contains @text. */
static void expect_log(struct source *source, const char *text)
{
	const struct log *log = source_frame(source, NULL)->log;
	size_t nr = log_len(log);

	for (size_t i = 0; i < nr; i++)
		if (strstr(log_at(log, i)->text, text))
			return;
	fail_msg("no line of the log has '%s'", text);
}

static const struct ring_row *ring_now(struct source *source)
{
	return &source_frame(source, NULL)->rings[0];
}

/*
 * The number of samples, once all that was written is read and counted: the
 * timer drains the rest, and little is added while this thread sleeps.
 */
static uint64_t settled(struct source *source)
{
	double end = sys_now() + patience;
	const struct ring_row *ring = ring_now(source);

	while (ring->reads->stats.bytes != ring->head) {
		assert_true(sys_now() < end);
		usleep(20000);
		ring = ring_now(source);
	}
	return ring->reads->stats.types[RECORD_SAMPLE];
}

/* The samples taken while this thread spins for @seconds. */
static uint64_t samples_in(struct source *source, double seconds)
{
	uint64_t before = settled(source);

	spin(seconds);
	return settled(source) - before;
}

/*
 * Wait for @nr samples: how much of the time this thread runs depends on the
 * machine.
 */
static void await_samples(struct source *source, uint64_t nr)
{
	double end = sys_now() + patience;
	uint64_t got = 0;

	while ((got += samples_in(source, 0.05)) < nr)
		assert_true(sys_now() < end);
}

/*
 * Wait until counts and losses were read after this call.  The time of a
 * reading is that of its end.
 */
static void await_counts(struct source *source)
{
	double end = sys_now() + patience, since, before;
	const struct ring_row *ring;

	for (int i = 0; i < 2; i++) {
		since = sys_now();
		do {
			usleep(10000);
			before = sys_now();
			assert_true(before < end);
			ring = ring_now(source);
		} while (ring->events[0].count == UNKNOWN ||
			 before - ring->reads->counts_age <= since);
	}
}

/*
 * Wait until @nr samples are lost and not reported by a record, if that is
 * known.
 */
static void await_pending(struct source *source, uint64_t nr)
{
	double end = sys_now() + patience;

	await_counts(source);
	while (ring_now(source)->lost_pending < nr) {
		assert_true(sys_now() < end);
		spin(0.05);
	}
}

static void test_enable(void **state)
{
	struct source *source = open_source(false);

	(void)state;
	await_samples(source, 20);
	expect(source, REQUEST_ENABLE, 0, false);
	assert_int_equal(samples_in(source, 0.1), 0);
	assert_false(ring_now(source)->enabled);
	expect(source, REQUEST_ENABLE, 0, true);
	await_samples(source, 20);
	source_close(source);
}

/* Samples during a pause are lost, and counted as lost. */
static void test_pause(void **state)
{
	struct source *source = open_source(false);
	const struct ring_row *ring;

	(void)state;
	expect(source, REQUEST_PAUSE, 0, true);
	assert_int_equal(samples_in(source, 0.1), 0);
	await_pending(source, 20);
	assert_true(ring_now(source)->paused);
	expect(source, REQUEST_PAUSE, 0, false);
	await_samples(source, 20);
	source_finish(source);
	ring = &source_frame(source, NULL)->rings[0];
	assert_false(ring->paused);
	if (ring->lost_pending != UNKNOWN)
		assert_true(ring->lost >= 20);
	source_close(source);
}

/*
 * Whether there are no more samples than @hz makes, in a time that begins
 * before the first and ends after the last.
 */
static bool is_slower(struct source *source, double hz)
{
	double begin = sys_now();
	uint64_t before = settled(source), came;

	spin(0.3);
	came = settled(source) - before;
	return (double)came <= (sys_now() - begin) * hz + 2;
}

/* The hrtimer of cpu-clock is never early, but may be late or missed. */
static void test_rate(void **state)
{
	struct source *source = open_source(false);
	double end = sys_now() + patience;

	(void)state;
	assert_non_null(strstr(source->title, "cpu-clock:u 1000 Hz"));
	expect(source, REQUEST_FREQ, 100, false);
	assert_non_null(strstr(source->title, "cpu-clock:u 100 Hz"));
	settled(source);
	assert_true(is_slower(source, 100));
	await_samples(source, 5);
	expect(source, REQUEST_PERIOD, 500000, false);
	assert_non_null(strstr(source->title, "cpu-clock:u period 500000"));
	while (is_slower(source, 200))
		assert_true(sys_now() < end);
	source_close(source);
}

/* A rate that the kernel would refuse is lowered, with a message. */
static void test_rate_lowered(void **state)
{
	struct source *source = open_source(false);
	uint64_t max = session_limit_freq(UINT64_MAX);
	char want[80];

	(void)state;
	if (max == UINT64_MAX)
		skip();
	expect(source, REQUEST_FREQ, max, false);
	snprintf(want, sizeof(want), "cpu-clock:u %llu Hz",
		 (unsigned long long)max);
	assert_non_null(strstr(source->title, want));
	expect(source, REQUEST_FREQ, 100, false);
	expect(source, REQUEST_FREQ, max + 1, false);
	assert_non_null(strstr(source->title, want));
	snprintf(want, sizeof(want), "-F %llu lowered to %llu:",
		 (unsigned long long)max + 1, (unsigned long long)max);
	expect_log(source, want);
	source_close(source);
}

/* Twice without a reading in between, and back to the old size. */
static void test_resize(void **state)
{
	struct source *source = open_source(false);
	uint64_t page = sys_page_size();
	struct err err = { 0 };

	(void)state;
	expect(source, REQUEST_RESIZE, 0, true);
	expect(source, REQUEST_RESIZE, 0, true);
	assert_int_equal(source_frame(source, NULL)->rings[0].size, 4 * page);
	expect(source, REQUEST_RESIZE, 0, false);
	expect(source, REQUEST_RESIZE, 0, false);
	assert_int_equal(source_frame(source, NULL)->rings[0].size, page);
	assert_int_equal(ask(source, REQUEST_RESIZE, 0, false, &err), -EINVAL);
	assert_non_null(strstr(err.text, "at least one page"));
	assert_int_equal(source_frame(source, NULL)->rings[0].size, page);
	source_close(source);
}

/*
 * A removed ring takes its unreported losses with it; they still count, and are
 * not pending any more.
 */
static void test_lost_unreported(void **state)
{
	struct source *source = open_source(false);
	const struct ring_row *ring;
	uint64_t pending;

	(void)state;
	expect(source, REQUEST_PAUSE, 0, true);
	await_pending(source, 20);
	expect(source, REQUEST_ENABLE, 0, false);
	expect(source, REQUEST_PAUSE, 0, false);
	await_counts(source);
	ring = ring_now(source);
	pending = ring->lost_pending;
	assert_true(pending >= 20);
	if (pending != UNKNOWN) {
		assert_int_equal(ring->lost_reported, 0);
		expect(source, REQUEST_RESIZE, 0, true);
		expect(source, REQUEST_RESIZE, 0, true);
		ring = &source_frame(source, NULL)->rings[0];
		assert_int_equal(ring->lost_reported, pending);
		assert_int_equal(ring->lost_pending, 0);
	}
	source_close(source);
}

/* The log has the changes made to rings. */
static void test_log(void **state)
{
	struct source *source = open_source(false);

	(void)state;
	expect(source, REQUEST_PAUSE, 0, true);
	expect_log(source, ": output paused");
	expect(source, REQUEST_PAUSE, 0, false);
	expect_log(source, ": output resumed");
	expect(source, REQUEST_ENABLE, 0, false);
	expect_log(source, "events disabled");
	expect(source, REQUEST_ENABLE, 0, true);
	expect_log(source, "events enabled");
	expect(source, REQUEST_FREQ, 500, false);
	expect_log(source, "500 Hz");
	expect(source, REQUEST_PERIOD, 700000, false);
	expect_log(source, "period 700000");
	expect(source, REQUEST_RESIZE, 0, true);
	expect_log(source, "replaced by one of");
	source_close(source);
}

static void test_read_overwrite(void **state)
{
	struct source *source = open_source(true);
	double before, end = sys_now() + patience;
	/* A sample has 56 bytes, and the ring has to wrap. */
	uint64_t most = sys_page_size() / 56;
	const struct ring_row *ring;

	(void)state;
	do {
		assert_true(sys_now() < end);
		spin(0.1);
		before = sys_now();
		expect(source, REQUEST_READ, 0, false);
		ring = ring_now(source);
		assert_true(ring->overwrite);
		assert_true(ring->reads->overwrite.valid);
		assert_true(ring->reads->overwrite.paused <=
			    sys_now() - before);
	} while (ring->reads->overwrite.types[RECORD_SAMPLE] < most - 13);
	assert_in_range(ring->reads->overwrite.types[RECORD_SAMPLE], most - 13,
			most);
	assert_true(ring->reads->overwrite.oldest >
		    ring->reads->overwrite.newest);
	assert_false(ring->paused);
	expect_log(source, ": read ");
	expect_log(source, "; paused for ");
	source_close(source);
}

static void expect_refusal(struct source *source, enum request_kind kind,
			   uint64_t value, const char *why)
{
	struct err err = { 0 };

	assert_true(ask(source, kind, value, true, &err) < 0);
	if (!strstr(err.text, why))
		fail_msg("'%s' lacks '%s'", err.text, why);
}

static void test_refusals(void **state)
{
	struct source *source = open_source(false);
	const struct request beyond = { .kind = REQUEST_PAUSE, .ring = 7 };
	struct err err = { 0 };

	(void)state;
	expect_refusal(source, REQUEST_READ, 0, "--overwrite");
	expect_refusal(source, REQUEST_FREQ, 0, "must not be 0");
	assert_int_equal(source_request(source, &beyond, &err), -EINVAL);
	source_finish(source);
	expect_refusal(source, REQUEST_PAUSE, 0, "final figures");
	source_close(source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_enable),
		cmocka_unit_test(test_pause),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_rate_lowered),
		cmocka_unit_test(test_resize),
		cmocka_unit_test(test_lost_unreported),
		cmocka_unit_test(test_log),
		cmocka_unit_test(test_read_overwrite),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests_name("requests", tests, open_events,
					   close_events);
}
