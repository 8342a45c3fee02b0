/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stopping tracing events for a while, and calls in between. */
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

static void burn(void)
{
	for (volatile int i = 0; i < 5000000; i++)
		;
}

/* The tracing event is stopped, the others are not. */
TEST(test_hold)
{
	struct event_spec specs[] = { clock_spec("trace", 0, true),
				      clock_spec("clock", 1, false) };
	struct session_opts opts = thread_opts(specs, 2);
	struct session *s = open_or_skip(&opts);
	struct session_count a[3], b[3], c[3];
	struct err err = { 0 };
	double spread = -1;

	assert_int_equal(session_enable(s, true, &err), 0);
	burn();
	assert_int_equal(session_aux_hold(s, NULL, &spread, &err), 0);
	assert_true(spread >= 0 && spread < 60);
	/* the holder may still use it */
	assert_int_equal(session_read(s, 0, a, 3), 3);
	burn();
	assert_int_equal(session_read(s, 0, b, 3), 3);
	session_aux_release(s);
	burn();
	assert_int_equal(session_read(s, 0, c, 3), 3);
	assert_true(a[0].count > 0);
	assert_int_equal(b[0].count, a[0].count);
	assert_true(b[2].count > a[2].count);
	assert_true(c[0].count > b[0].count);
	session_close(s);
}

TEST(test_hold_skips)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	struct session_count a[2], b[2];
	const bool skip_it = true;
	double spread;

	assert_int_equal(session_enable(s, true, NULL), 0);
	assert_int_equal(session_aux_hold(s, &skip_it, &spread, NULL), 0);
	session_read(s, 0, a, 2);
	burn();
	session_read(s, 0, b, 2);
	session_aux_release(s);
	assert_true(b[0].count > a[0].count);
	session_close(s);
}

/* Events that were not enabled are not enabled by it. */
TEST(test_hold_while_disabled)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	struct session_count count[2];
	double spread;

	assert_int_equal(session_aux_hold(s, NULL, &spread, NULL), 0);
	session_aux_release(s);
	burn();
	session_read(s, 0, count, 2);
	assert_int_equal(count[0].count, 0);
	session_close(s);
}

TEST(test_hold_fails)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	struct session_count a[2], b[2];
	struct err err = { 0 };
	double spread;

	assert_int_equal(session_enable(s, true, &err), 0);
	sys_fail_at(SYS_IOCTL, 1, EIO);
	assert_int_equal(session_aux_hold(s, NULL, &spread, &err), -EIO);
	assert_non_null(strstr(err.text, "ring 0"));
	/* nothing is held: it counts, and other threads get in */
	session_read(s, 0, a, 2);
	burn();
	session_read(s, 0, b, 2);
	assert_true(b[0].count > a[0].count);
	session_close(s);
}

/* Check how often an event is disabled: inherited ones once more. */
static void expect_disabled(const struct session_opts *opts, unsigned int times)
{
	struct session *s = open_or_skip(opts);
	double spread;

	sys_fail_at(SYS_IOCTL, times, EIO);
	assert_int_equal(session_aux_hold(s, NULL, &spread, NULL), -EIO);
	sys_fail_at(SYS_IOCTL, times + 1, EIO);
	assert_int_equal(session_aux_hold(s, NULL, &spread, NULL), 0);
	sys_fail_at(SYS_IOCTL, 0, 0);
	session_aux_release(s);
	session_close(s);
}

TEST(test_hold_of_inherited)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts threads = thread_opts(&spec, 1);
	struct session_opts tasks = task_opts(&spec, 1, &self, 1);

	expect_disabled(&threads, 1);
	expect_disabled(&tasks, 2);
}

struct waiter {
	struct session *s;
	int started, done;
};

static void *read_counts(void *arg)
{
	struct waiter *w = arg;
	struct session_count counts[2];

	__atomic_store_n(&w->started, 1, __ATOMIC_RELEASE);
	session_read(w->s, 0, counts, 2);
	__atomic_store_n(&w->done, 1, __ATOMIC_RELEASE);
	return NULL;
}

TEST(test_hold_keeps_others_waiting)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct waiter w = { .s = open_or_skip(&opts) };
	pthread_t thread;
	double spread;

	assert_int_equal(session_aux_hold(w.s, NULL, &spread, NULL), 0);
	/* calls of the holder in between do not let them in */
	assert_int_equal(session_nr_rings(w.s), 1);
	assert_int_equal(pthread_create(&thread, NULL, read_counts, &w), 0);
	while (!__atomic_load_n(&w.started, __ATOMIC_ACQUIRE))
		usleep(1000);
	usleep(50000);
	assert_int_equal(__atomic_load_n(&w.done, __ATOMIC_ACQUIRE), 0);
	session_aux_release(w.s);
	pthread_join(thread, NULL);
	assert_int_equal(w.done, 1);
	session_close(w.s);
}

/* Events of a task that has exited: nothing to stop, and no error. */
TEST(test_hold_after_exit)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	pid_t tids[] = { sys_gettid(), start_child() };
	struct session_opts opts = task_opts(&spec, 1, tids, 2);
	struct session *s = open_or_skip(&opts);
	struct err err = { 0 };
	double spread;

	assert_int_equal(session_enable(s, true, &err), 0);
	end_child(tids[1]);
	assert_int_equal(session_aux_hold(s, NULL, &spread, &err), 0);
	session_aux_release(s);
	session_close(s);
}

TEST(test_swap_refused)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	struct session_swap w;
	struct err err = { 0 };

	assert_int_equal(session_swap_prepare(s, 0, 8 * PAGE, &w, &err),
			 -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "restart with -m"));
	session_close(s);
}

/* A CPU is online again: new rings, and it is traced again. */
TEST(test_reopen)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = cpu_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	struct session_count counts[2];
	struct err err = { 0 };
	size_t ring = 7;

	assert_int_equal(session_enable(s, true, &err), 0);
	session_ring_gone(s, 0);
	assert_int_equal(session_reopen_cpu(s, FIRST_CPU, &ring, &err), 0);
	assert_int_equal(ring, 0);
	assert_int_equal(aux_map.calls, 2);
	assert_int_equal(aux_map.mapped, 1);
	assert_non_null(session_ring(s, 0)->aux.data);
	assert_int_equal(session_ring(s, 0)->aux.size, 8 * PAGE);
	assert_ptr_equal(session_ring(s, 0)->aux.page,
			 session_ring(s, 0)->ring.page);
	assert_int_equal(session_read(s, 0, counts, 2), 2);
	assert_true(counts[0].count > 0);
	/* on failure the slot is unchanged */
	aux_map.error = ENOMEM;
	assert_int_equal(session_reopen_cpu(s, FIRST_CPU, &ring, &err),
			 -ENOMEM);
	assert_non_null(session_ring(s, 0)->aux.data);
	assert_int_equal(aux_map.mapped, 1);
	session_close(s);
}

/* A ring that is gone is neither stopped nor started. */
TEST(test_hold_leaves_gone)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	struct session_count a[2], b[2];
	double spread;

	assert_int_equal(session_enable(s, true, NULL), 0);
	session_ring_gone(s, 0);
	session_read(s, 0, a, 2);
	assert_int_equal(session_aux_hold(s, NULL, &spread, NULL), 0);
	session_aux_release(s);
	burn();
	session_read(s, 0, b, 2);
	assert_int_equal(a[0].count, b[0].count);
	session_ring_back(s, 0);
	burn();
	session_read(s, 0, b, 2);
	assert_true(b[0].count > a[0].count);
	session_close(s);
}

TEST_GROUP(session_aux_hold, .each_setup = forget_maps,
	   .each_teardown = check_maps);
