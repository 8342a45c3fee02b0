/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a collector keeps up: histories, tracing after truncation, the session's
 * clock.
 */
#include "tests/group.h"

#include <errno.h>
#include <time.h>

#include "trace/pmu/auxtrace.h"
#include "base/err.h"
#include "base/sys.h"
#include "collect/collector.h"
#include "collect/drain/record_history.h"
#include "collect/drain/sample_queue.h"
#include "fake_ring.h"

enum { ID = 500, NEVER = 3600, SIZE = 8192, AUX_SIZE = 65536 };

struct fixture {
	struct collector *collector;
	struct collector_opts opts;
	struct fake_ring fake;
	struct perf_event_mmap_page *page;
	unsigned char *trace;
	struct ring_stats stats;
	struct err err;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	fake_ring_init(&f->fake, SIZE);
	f->page = f->fake.ring.page;
	f->trace = calloc(1, AUX_SIZE);
	f->opts = (struct collector_opts){ .rings = 1, .interval = NEVER };
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	collector_free(f->collector);
	fake_ring_free(&f->fake);
	free(f->trace);
	free(f);
	return 0;
}

static void add(struct fixture *f, struct fake_ring *fake, bool overwrite)
{
	static const uint64_t ids[] = { ID };
	/* no perf event: ioctls on it fail */
	static const int fds[] = { -1 };
	struct collector_ring ring = {
		.ring = fake->ring, .cpu = 0, .ids = ids, .nr_ids = 1,
		.aux_fds = fds, .nr_aux_fds = 1,
		.read_finish = auxtrace_read_finish,
	};
	size_t slot;

	aux_ring_attach(&ring.aux, fake->ring.page, f->trace, AUX_SIZE,
			overwrite);
	assert_int_equal(collector_add(f->collector, &ring, &slot, &f->err),
			 0);
}

static void start(struct fixture *f, bool overwrite)
{
	f->collector = collector_new(&f->opts, &f->err);
	assert_non_null(f->collector);
	add(f, &f->fake, overwrite);
	assert_int_equal(collector_start(f->collector, &f->err), 0);
}

static const struct ring_stats *drain(struct fixture *f)
{
	uint64_t samples, peak;

	collector_drain(f->collector, 0);
	collector_read(f->collector, 0, &f->stats, &samples, 1, &peak);
	return &f->stats;
}

static void put_aux(struct fixture *f, uint64_t flags)
{
	uint64_t at = fake_ring_put(&f->fake, PERF_RECORD_AUX, 64);

	fake_ring_word(&f->fake, at + 24, flags);
}

/* Make the next ioctl fail; see tried_ioctl(). */
static void expect_ioctl(void)
{
	sys_fail_at(SYS_IOCTL, 1, EXDEV);
}

static bool tried_ioctl(void)
{
	bool tried = sys_perf_ioctl(-1, PERF_EVENT_IOC_ENABLE, 0) != -EXDEV;

	sys_fail_at(SYS_IOCTL, 0, 0);
	return tried;
}

TEST(trace_is_discarded_in_full_trace)
{
	struct fixture *f = *state;

	start(f, false);
	f->page->aux_head = 5000;
	assert_int_equal(drain(f)->aux_peak, 5000);
	assert_int_equal(f->page->aux_tail, 5000);
	f->page->aux_head = 6000;
	assert_int_equal(drain(f)->aux_peak, 5000);
	assert_int_equal(f->page->aux_tail, 6000);
}

TEST(in_snapshot_mode_it_is_left_alone)
{
	struct fixture *f = *state;

	start(f, true);
	f->page->aux_head = 5000;
	expect_ioctl();
	put_aux(f, PERF_AUX_FLAG_OVERWRITE | PERF_AUX_FLAG_TRUNCATED);
	assert_int_equal(drain(f)->aux_peak, 0);
	assert_int_equal(f->page->aux_tail, 0);
	assert_int_equal(f->stats.aux.truncated, 1);
	assert_int_equal(f->stats.aux.reenabled, 0);
	assert_false(tried_ioctl());
}

TEST(what_ran_full_is_let_go_on)
{
	struct fixture *f = *state;

	start(f, false);
	f->page->aux_head = AUX_SIZE;
	expect_ioctl();
	drain(f);
	assert_false(tried_ioctl());
	put_aux(f, PERF_AUX_FLAG_TRUNCATED);
	put_aux(f, PERF_AUX_FLAG_TRUNCATED);
	expect_ioctl();
	drain(f);
	assert_true(tried_ioctl());
	assert_int_equal(f->page->aux_tail, AUX_SIZE);
	assert_int_equal(f->stats.aux.truncated, 2);
	assert_int_equal(f->stats.aux.reenabled, 1);
	assert_int_equal(f->stats.aux_peak, AUX_SIZE);
	/* once */
	expect_ioctl();
	drain(f);
	assert_false(tried_ioctl());
	assert_int_equal(f->stats.aux.reenabled, 1);
}

/* The user disabled the events. */
TEST(what_is_disabled_stays_so)
{
	struct fixture *f = *state;

	start(f, false);
	collector_trace(f->collector, false);
	f->page->aux_head = 5000;
	put_aux(f, PERF_AUX_FLAG_TRUNCATED);
	expect_ioctl();
	drain(f);
	assert_false(tried_ioctl());
	assert_int_equal(f->stats.aux.reenabled, 0);
	collector_trace(f->collector, true);
	put_aux(f, PERF_AUX_FLAG_TRUNCATED);
	assert_int_equal(drain(f)->aux.reenabled, 1);
}

/*
 * The head moves and is checked again at once.  Returns whether an ioctl was
 * tried within a second; attempts that took longer say nothing.
 */
static bool asked_at_once(struct fixture *f)
{
	for (int tries = 0; tries < 60; tries++) {
		double began = sys_now();
		bool tried;

		f->page->aux_head += 5000;
		drain(f);
		expect_ioctl();
		drain(f);
		tried = tried_ioctl();
		if (!tried || sys_now() - began < 1)
			return tried;
	}
	return true;
}

/* The record of the truncation may be among those lost. */
TEST(a_head_that_stands_still_is_asked_why)
{
	const struct timespec second = { .tv_sec = 1, .tv_nsec = 50000000 };
	struct fixture *f = *state;

	start(f, false);
	/* not begun yet: it may wait for an exec(2) */
	drain(f);
	nanosleep(&second, NULL);
	expect_ioctl();
	drain(f);
	assert_false(tried_ioctl());
	assert_false(asked_at_once(f));
	nanosleep(&second, NULL);
	expect_ioctl();
	drain(f);
	assert_true(tried_ioctl());
	/* it is not known that it was stopped */
	assert_int_equal(f->stats.aux.reenabled, 0);
}

static size_t held(struct fixture *f, size_t slot)
{
	const struct record_history *h = collector_history(f->collector, slot);

	return h ? record_history_end(h) - record_history_begin(h) : 0;
}

TEST(histories_begin_when_they_are_asked_for)
{
	struct fixture *f = *state;
	struct fake_ring other, written_backward;
	const struct record_history *h;

	start(f, true);
	assert_null(collector_history(f->collector, 0));
	fake_ring_sample(&f->fake, ID, 1, 1, 56);
	drain(f);
	assert_int_equal(collector_keep_history(f->collector, 65536, &f->err),
			 0);
	h = collector_history(f->collector, 0);
	assert_int_equal(record_history_size(h), 65536);
	fake_ring_sample(&f->fake, ID, 1, 1, 104);
	drain(f);
	assert_int_equal(held(f, 0), 104);
	/* the same from now on, also for new rings */
	assert_int_equal(collector_keep_history(f->collector, 65536, &f->err),
			 0);
	assert_ptr_equal(collector_history(f->collector, 0), h);
	fake_ring_init(&other, SIZE);
	add(f, &other, true);
	fake_ring_sample(&other, ID, 1, 1, 56);
	collector_drain_all(f->collector);
	assert_int_equal(held(f, 1), 56);
	/* a ring that is not drained has none */
	fake_ring_init(&written_backward, SIZE);
	written_backward.ring.overwrite = true;
	add(f, &written_backward, true);
	assert_null(collector_history(f->collector, 2));
	assert_null(collector_history(f->collector, 3));
	collector_free(f->collector);
	f->collector = NULL;
	fake_ring_free(&other);
	fake_ring_free(&written_backward);
}

/* A late drain may read a whole ring at once. */
TEST(no_history_is_smaller_than_its_ring)
{
	struct fixture *f = *state;
	struct fake_ring large, larger;

	start(f, true);
	fake_ring_init(&large, 128 << 10);
	fake_ring_init(&larger, 256 << 10);
	add(f, &large, true);
	assert_int_equal(collector_keep_history(f->collector, 65536, &f->err),
			 0);
	add(f, &larger, true);
	assert_int_equal(record_history_size(
				 collector_history(f->collector, 0)),
			 65536);
	assert_int_equal(record_history_size(
				 collector_history(f->collector, 1)),
			 128 << 10);
	assert_int_equal(record_history_size(
				 collector_history(f->collector, 2)),
			 256 << 10);
	collector_free(f->collector);
	f->collector = NULL;
	fake_ring_free(&large);
	fake_ring_free(&larger);
}

TEST(a_replaced_ring_goes_on_in_the_history)
{
	struct fixture *f = *state;
	static const uint64_t ids[] = { ID };
	struct fake_ring fresh;
	struct collector_ring ring = { .cpu = 0, .ids = ids, .nr_ids = 1 };

	start(f, true);
	collector_keep_history(f->collector, 65536, &f->err);
	fake_ring_sample(&f->fake, ID, 1, 1, 56);
	fake_ring_init(&fresh, SIZE);
	ring.ring = fresh.ring;
	assert_int_equal(collector_replace(f->collector, 0, &ring, &f->err),
			 0);
	fake_ring_sample(&fresh, ID, 1, 1, 104);
	collector_retire(f->collector, 0);
	drain(f);
	assert_int_equal(held(f, 0), 160);
	collector_retire(f->collector, 0);
	assert_int_equal(held(f, 0), 160);
	collector_free(f->collector);
	f->collector = NULL;
	fake_ring_free(&fresh);
}

/* Task history needs the side-band, though no sample is decoded. */
TEST(side_band_is_queued_at_a_rate_of_0)
{
	struct fixture *f = *state;
	struct queued head;

	f->opts.side_band = true;
	start(f, true);
	fake_ring_sample(&f->fake, ID, 1, 1, 56);
	fake_ring_put(&f->fake, PERF_RECORD_COMM, 64);
	fake_ring_put(&f->fake, PERF_RECORD_SWITCH, 40);
	drain(f);
	assert_non_null(collector_pop(f->collector, &head));
	assert_int_equal(head.size, 64);
	assert_int_equal(head.weight, 0);
	assert_null(collector_pop(f->collector, &head));
	assert_true(collector_drained_to(f->collector) > 0);
}

#define DAY_NS UINT64_C(86400000000000)

/* A clock that cannot be read is estimated from the records. */
TEST(an_unknown_clock_is_that_of_the_records)
{
	struct fixture *f = *state;
	uint64_t written = sys_now_ns() + DAY_NS;

	f->opts.side_band = true;
	f->opts.clock.unknown = true;
	f->fake.ring.watermark = 8;
	start(f, true);
	fake_ring_sample(&f->fake, ID, 1, written, 56);
	drain(f);
	fake_ring_sample(&f->fake, ID, 1, written + 1, 56);
	drain(f);
	assert_true(collector_now(f->collector) > written);
	assert_true(collector_now(f->collector) < written + DAY_NS / 2);
	assert_true(collector_drained_to(f->collector) >= written);
}

TEST_GROUP(collector_keep, .each_setup = setup, .each_teardown = teardown);
