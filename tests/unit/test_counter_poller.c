/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "collect/counter_poller.h"

static pid_t self;

/* A session on this thread; skips if the kernel allows no events. */
static struct session *open_session(void)
{
	static struct event_spec spec = {
		.name = "cpu-clock:u",
		.attr = {
			.type = PERF_TYPE_SOFTWARE,
			.config = PERF_COUNT_SW_CPU_CLOCK,
			.exclude_kernel = 1,
		},
	};
	struct session_opts opts = {
		.events = { .specs = &spec, .nr = 1 },
		.target = { .mode = TARGET_THREADS, .tids = &self,
			    .nr_tids = 1 },
		.ring_bytes = sys_page_size(),
	};
	struct session *s = NULL;
	struct err err = { 0 };
	int ret;

	self = sys_gettid();
	ret = session_open(&opts, &s, &err);
	if (ret == -EACCES || ret == -EPERM || ret == -ENOSYS)
		skip();
	if (ret || session_enable(s, true, &err))
		fail_msg("%s", err.text);
	return s;
}

TEST(test_unknown_before_the_first_pass)
{
	struct session *s = open_session();
	struct counter_poller *poller = counter_poller_new(s, 1, NULL);
	struct session_count counts[2] = { 0 };
	double age = -1;

	counter_poller_read(poller, 0, counts, 2, &age);
	assert_true(counts[0].count == UNKNOWN);
	assert_true(counts[1].lost == UNKNOWN);
	assert_true(age == 0);
	counter_poller_free(poller);
	session_close(s);
}

TEST(test_refresh)
{
	struct session *s = open_session();
	struct counter_poller *poller = counter_poller_new(s, 1, NULL);
	struct session_count first[3], later[3];
	double age, began;

	counter_poller_refresh(poller);
	counter_poller_read(poller, 0, first, 3, &age);
	assert_true(first[1].count != UNKNOWN);
	assert_true(first[2].count == UNKNOWN);
	usleep(20000);
	counter_poller_read(poller, 0, later, 3, &age);
	assert_int_equal(later[1].count, first[1].count);
	assert_true(age >= 0.02);
	for (volatile int i = 0; i < 10000000; i++)
		;
	began = sys_now();
	counter_poller_refresh(poller);
	counter_poller_read(poller, 0, later, 3, &age);
	assert_true(later[1].count > first[1].count);
	assert_true(age <= sys_now() - began);
	/* An unknown ring. */
	counter_poller_read(poller, 7, later, 1, &age);
	assert_true(later[0].count == UNKNOWN);
	counter_poller_free(poller);
	session_close(s);
}

/* The thread reads new values, about every interval. */
TEST(test_thread)
{
	struct session *s = open_session();
	struct counter_poller *poller = counter_poller_new(s, 0.01, NULL);
	struct session_count counts[2] = { 0 };
	double age, end = sys_now() + 120, worst = 0;
	uint64_t last = 0;
	int news = 0;

	assert_int_equal(counter_poller_start(poller, NULL), 0);
	while (news < 5 && sys_now() < end) {
		counter_poller_read(poller, 0, counts, 2, &age);
		if (counts[1].count == UNKNOWN)
			continue;
		worst = age > worst ? age : worst;
		news += counts[1].count != last;
		last = counts[1].count;
	}
	assert_int_equal(news, 5);
	assert_true(worst < 60);
	counter_poller_free(poller);
	session_close(s);
}

/* Stopping does not wait for the interval. */
TEST(test_stops_at_once)
{
	struct session *s = open_session();
	struct counter_poller *poller = counter_poller_new(s, 3600, NULL);
	double before;

	assert_int_equal(counter_poller_start(poller, NULL), 0);
	usleep(10000);
	before = sys_now();
	counter_poller_free(poller);
	assert_true(sys_now() - before < 60);
	counter_poller_free(NULL);
	session_close(s);
}

TEST_GROUP(counter_poller);
