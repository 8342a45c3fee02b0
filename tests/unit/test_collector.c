/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "collect/collector.h"
#include "collect/drain/sample_queue.h"
#include "fake_ring.h"

enum { ID = 500, NEVER = 3600, MAX_WAITS = 100000 };

struct fixture {
	struct collector *collector;
	struct fake_ring fake;
	int fd;
	size_t slot;
	atomic_int hangups;
	struct ring_stats stats;
	uint64_t samples[2];
	uint64_t peak;
	struct err err;
};

static void hung_up(void *ctx, size_t slot)
{
	struct fixture *f = ctx;

	(void)slot;
	atomic_fetch_add(&f->hangups, 1);
}

static void add_ring(struct fixture *f, struct fake_ring *fake, int *fds,
		     size_t nr_fds, bool replace)
{
	static const uint64_t ids[] = { 0, ID };
	struct collector_ring ring = {
		.ring = fake->ring, .cpu = 0, .fds = fds, .nr_fds = nr_fds,
		.ids = ids, .nr_ids = 2,
	};

	if (replace)
		assert_int_equal(collector_replace(f->collector, f->slot,
						   &ring, &f->err), 0);
	else
		assert_int_equal(collector_add(f->collector, &ring, &f->slot,
					       &f->err), 0);
}

static struct fixture *start(double interval, int *fds, size_t nr_fds)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct collector_opts opts = {
		.rings = 1, .interval = interval, .hangup = hung_up, .ctx = f,
	};

	fake_ring_init(&f->fake, 8192);
	f->fake.ring.watermark = 4096;
	f->fd = eventfd(0, EFD_CLOEXEC);
	f->collector = collector_new(&opts, &f->err);
	assert_non_null(f->collector);
	add_ring(f, &f->fake, fds ? fds : &f->fd, fds ? nr_fds : 1, false);
	assert_int_equal(collector_start(f->collector, &f->err), 0);
	return f;
}

static void stop(struct fixture *f)
{
	collector_free(f->collector);
	fake_ring_free(&f->fake);
	close(f->fd);
	free(f);
}

static const struct ring_stats *stats(struct fixture *f)
{
	collector_read(f->collector, f->slot, &f->stats, f->samples, 2,
		       &f->peak);
	return &f->stats;
}

/* Wait, for minutes if necessary, until the slot has seen @records records. */
static bool await_records(struct fixture *f, uint64_t records)
{
	const struct timespec ms = { .tv_nsec = 1000000 };

	for (int i = 0; i < MAX_WAITS; i++) {
		if (stats(f)->records >= records)
			return true;
		nanosleep(&ms, NULL);
	}
	return false;
}

TEST(a_wakeup_drains)
{
	struct fixture *f = start(NEVER, NULL, 0);

	fake_ring_sample(&f->fake, ID, 1, 1, 56);
	eventfd_write(f->fd, 1);
	assert_true(await_records(f, 1));
	assert_int_equal(f->stats.wakeups, 1);
	assert_int_equal(f->stats.drains, 1);
	assert_int_equal(f->stats.timer_drains, 0);
	assert_int_equal(f->samples[1], 1);
	assert_int_equal(f->stats.peak, 56);
	/* the eventfd is never read, but each write of it is a wakeup */
	fake_ring_sample(&f->fake, ID, 1, 1, 56);
	eventfd_write(f->fd, 1);
	assert_true(await_records(f, 2));
	assert_int_equal(f->stats.wakeups, 2);
	stop(f);
}

TEST(the_timer_drains_what_wakes_nobody)
{
	struct fixture *f = start(0.01, NULL, 0);

	fake_ring_sample(&f->fake, ID, 1, 1, 56);
	assert_true(await_records(f, 1));
	assert_int_equal(f->stats.wakeups, 0);
	assert_int_equal(f->stats.timer_drains, 1);
	stop(f);
}

TEST(recent_peak_is_taken_once)
{
	struct fixture *f = start(NEVER, NULL, 0);

	fake_ring_sample(&f->fake, ID, 1, 1, 104);
	collector_drain(f->collector, f->slot);
	assert_int_equal(stats(f)->records, 1);
	assert_int_equal(f->peak, 104);
	stats(f);
	assert_int_equal(f->peak, 0);
	assert_int_equal(f->stats.peak, 104);
	stop(f);
}

TEST(worst_interval_is_since_the_last_reading)
{
	struct fixture *f = start(NEVER, NULL, 0);

	collector_drain(f->collector, f->slot);
	fake_ring_sample(&f->fake, ID, 1, 1, 104);
	collector_drain(f->collector, f->slot);
	assert_int_equal(stats(f)->worst.bytes, 104);
	assert_int_equal(stats(f)->worst.bytes, 0);
	fake_ring_sample(&f->fake, ID, 1, 1, 56);
	collector_drain(f->collector, f->slot);
	assert_int_equal(stats(f)->worst.bytes, 56);
	stop(f);
}

TEST(a_replaced_ring_loses_nothing)
{
	struct fixture *f = start(NEVER, NULL, 0);
	int fd = eventfd(0, EFD_CLOEXEC);
	struct fake_ring fresh;

	fake_ring_init(&fresh, 16384);
	fake_ring_sample(&f->fake, ID, 1, 1, 56);
	add_ring(f, &fresh, &fd, 1, true);
	fake_ring_sample(&fresh, ID, 1, 1, 56);
	/* a writer that still uses the old ring */
	fake_ring_sample(&f->fake, ID, 1, 1, 56);
	collector_retire(f->collector, f->slot);
	assert_int_equal(f->fake.ring.page->data_tail, 112);
	/* from here on the old ring is not read any more */
	fake_ring_sample(&f->fake, ID, 1, 1, 56);
	eventfd_write(f->fd, 1);
	eventfd_write(fd, 1);
	assert_true(await_records(f, 3));
	collector_drain_all(f->collector);
	assert_int_equal(stats(f)->records, 3);
	assert_int_equal(f->samples[1], 3);
	assert_int_equal(f->fake.ring.page->data_tail, 112);
	stop(f);
	fake_ring_free(&fresh);
	close(fd);
}

/*
 * collector_retire() returns the losses that former rings reported, without
 * those of the present ring.
 */
TEST(a_retired_ring_says_what_it_told)
{
	struct fixture *f = start(NEVER, NULL, 0);
	int fd = eventfd(0, EFD_CLOEXEC);
	struct fake_ring fresh;

	fake_ring_init(&fresh, 8192);
	fake_ring_lost(&f->fake, 5);
	collector_drain(f->collector, f->slot);
	add_ring(f, &fresh, &fd, 1, true);
	fake_ring_lost(&f->fake, 2);
	fake_ring_lost(&fresh, 100);
	collector_drain(f->collector, f->slot);
	fake_ring_lost(&f->fake, 10);
	assert_int_equal(collector_retire(f->collector, f->slot), 17);
	assert_int_equal(stats(f)->lost, 117);
	assert_int_equal(collector_retire(f->collector, f->slot), 117);
	assert_int_equal(collector_retire(f->collector, f->slot), 117);
	stop(f);
	fake_ring_free(&fresh);
	close(fd);
}

/* A ring that cannot be polled changes neither ids nor counts. */
TEST(what_cannot_be_polled_replaces_nothing)
{
	static const uint64_t others[] = { 0, ID + 1, ID };
	struct fixture *f = start(NEVER, NULL, 0);
	int fd = -1;
	struct fake_ring fresh;
	struct collector_ring ring = {
		.fds = &fd, .nr_fds = 1, .ids = others, .nr_ids = 3,
	};

	fake_ring_init(&fresh, 8192);
	ring.ring = fresh.ring;
	assert_int_equal(collector_replace(f->collector, f->slot, &ring,
					   &f->err), -EBADF);
	assert_string_equal(f->err.text,
			    "replacing ring 0: Bad file descriptor");
	/* no thread reads its memory, which the caller now unmaps */
	fake_ring_free(&fresh);
	fake_ring_sample(&f->fake, ID, 1, 1, 56);
	fake_ring_sample(&f->fake, ID + 1, 1, 1, 56);
	eventfd_write(f->fd, 1);
	assert_true(await_records(f, 2));
	assert_int_equal(f->samples[1], 1);
	assert_int_equal(f->stats.unknown_ids, 1);
	stop(f);
}

TEST(a_retired_slot_keeps_its_counts)
{
	struct fixture *f = start(NEVER, NULL, 0);

	fake_ring_sample(&f->fake, ID, 1, 1, 56);
	collector_retire(f->collector, f->slot);
	assert_int_equal(stats(f)->records, 1);
	fake_ring_sample(&f->fake, ID, 1, 1, 56);
	collector_drain_all(f->collector);
	assert_int_equal(stats(f)->records, 1);
	/* the CPU came back: the same slot, the counts go on */
	add_ring(f, &f->fake, &f->fd, 1, true);
	collector_drain_all(f->collector);
	assert_int_equal(stats(f)->records, 2);
	stop(f);
}

TEST(a_sibling_is_polled_when_the_owner_hangs_up)
{
	int owner[2], sibling[2], fds[2];
	struct fixture *f;

	assert_int_equal(pipe(owner) + pipe(sibling), 0);
	fds[0] = owner[0];
	fds[1] = sibling[0];
	f = start(NEVER, fds, 2);
	close(owner[1]);
	fake_ring_sample(&f->fake, ID, 1, 1, 56);
	assert_int_equal(write(sibling[1], "x", 1), 1);
	assert_true(await_records(f, 1));
	assert_int_equal(atomic_load(&f->hangups), 0);
	/*
	 * the last ring goes: it is drained to the end, then its end is
	 * reported once
	 */
	fake_ring_sample(&f->fake, ID, 1, 1, 56);
	close(sibling[1]);
	assert_true(await_records(f, 2));
	for (int i = 0; i < MAX_WAITS && !atomic_load(&f->hangups); i++)
		usleep(1000);
	assert_int_equal(atomic_load(&f->hangups), 1);
	stop(f);
	close(owner[0]);
	close(sibling[0]);
}

/* The file descriptors of both rings hang up, the new one's first. */
TEST(a_former_ring_takes_no_sibling)
{
	int old[2], new[2], sibling[2], fds[2];
	struct fake_ring fresh;
	struct fixture *f;

	assert_int_equal(pipe(old) + pipe(new) + pipe(sibling), 0);
	fds[0] = old[0];
	fds[1] = sibling[0];
	f = start(NEVER, fds, 2);
	fake_ring_init(&fresh, 8192);
	fds[0] = new[0];
	add_ring(f, &fresh, fds, 2, true);
	close(new[1]);
	collector_drain(f->collector, f->slot);	/* on the reader, so after it */
	close(old[1]);
	collector_drain(f->collector, f->slot);
	fake_ring_sample(&fresh, ID, 1, 1, 56);
	assert_int_equal(write(sibling[1], "x", 1), 1);
	assert_true(await_records(f, 1));
	collector_retire(f->collector, f->slot);
	fake_ring_sample(&fresh, ID, 1, 1, 56);
	assert_int_equal(write(sibling[1], "x", 1), 1);
	assert_true(await_records(f, 2));
	assert_int_equal(f->stats.wakeups, 2);
	assert_int_equal(atomic_load(&f->hangups), 0);
	stop(f);
	fake_ring_free(&fresh);
	close(old[0]);
	close(new[0]);
	close(sibling[0]);
	close(sibling[1]);
}

TEST(what_cannot_be_polled_is_not_added)
{
	struct fixture *f = start(NEVER, NULL, 0);
	struct fake_ring other;
	struct collector_ring ring;
	size_t slot = 77;
	int fd = -1;

	fake_ring_init(&other, 8192);
	ring = (struct collector_ring){
		.ring = other.ring, .fds = &fd, .nr_fds = 1,
	};
	assert_int_equal(collector_add(f->collector, &ring, &slot, &f->err),
			 -EBADF);
	assert_int_equal(slot, 77);
	assert_string_equal(f->err.text, "polling ring 1: Bad file descriptor");
	/* no thread reads its memory, which the caller now unmaps */
	fake_ring_free(&other);
	collector_drain_all(f->collector);
	/* its slot is given to the next ring */
	fake_ring_init(&other, 8192);
	add_ring(f, &other, &f->fd, 0, false);
	assert_int_equal(f->slot, 1);
	fake_ring_sample(&other, ID, 1, 1, 56);
	collector_drain_all(f->collector);
	assert_int_equal(stats(f)->records, 1);
	stop(f);
	fake_ring_free(&other);
}

struct writer {
	struct fixture *f;
	atomic_bool stop;
};

static void *write_on(void *arg)
{
	struct writer *w = arg;
	struct fake_ring *fake = &w->f->fake;

	while (!atomic_load(&w->stop)) {
		uint64_t tail = __atomic_load_n(&fake->ring.page->data_tail,
						__ATOMIC_ACQUIRE);
		uint64_t at = fake->head;

		if (at - tail > 8192 - 56)
			continue;
		fake_ring_word(fake, at, PERF_RECORD_SAMPLE | 56ull << 48);
		fake_ring_word(fake, at + 8, ID);
		fake->head += 56;
		__atomic_store_n(&fake->ring.page->data_head, fake->head,
				 __ATOMIC_RELEASE);
		if (at / 1024 != fake->head / 1024)
			eventfd_write(w->f->fd, 1);
	}
	return NULL;
}

TEST(a_reading_is_always_consistent)
{
	struct writer w = { .f = start(NEVER, NULL, 0) };
	struct fixture *f = w.f;
	pthread_t thread;

	pthread_create(&thread, NULL, write_on, &w);
	for (int i = 0; i < 20000; i++) {
		stats(f);
		assert_int_equal(f->stats.types[RECORD_SAMPLE],
				 f->stats.records);
		assert_int_equal(f->samples[1], f->stats.records);
		assert_int_equal(f->stats.bytes, f->stats.records * 56);
		assert_true(f->peak <= 8192);
	}
	assert_true(await_records(f, 1000));
	atomic_store(&w.stop, true);
	pthread_join(thread, NULL);
	collector_drain_all(f->collector);
	assert_int_equal(stats(f)->bytes, f->fake.head);
	stop(f);
}

/* Queued records */

enum { READERS = 3, RINGS = 6, FED = 1 << 20 };

struct feed_rig {
	struct collector *collector;
	struct fake_ring fakes[RINGS];
	int fd;
};

static void add_fed_ring(struct feed_rig *rig, size_t i)
{
	const uint64_t ids[] = { 0, ID };
	const uint32_t tags[] = { 0, 40 };
	struct collector_ring ring = {
		.ring = rig->fakes[i].ring, .cpu = -1, .fds = &rig->fd,
		.ids = ids, .tags = tags, .nr_ids = 2,
	};
	size_t slot;

	assert_int_equal(collector_add(rig->collector, &ring, &slot, NULL), 0);
	assert_int_equal(slot, i);
}

static struct feed_rig *feed_start_at(double decode_rate, double interval)
{
	struct feed_rig *rig = calloc(1, sizeof(*rig));
	struct collector_opts opts = {
		.rings = RINGS, .readers = READERS, .interval = interval,
		.decode_rate = decode_rate,
	};

	rig->collector = collector_new(&opts, NULL);
	assert_non_null(rig->collector);
	for (size_t i = 0; i < RINGS; i++) {
		fake_ring_init(&rig->fakes[i], FED);
		add_fed_ring(rig, i);
	}
	assert_int_equal(collector_start(rig->collector, NULL), 0);
	return rig;
}

static struct feed_rig *feed_start(double decode_rate)
{
	return feed_start_at(decode_rate, NEVER);
}

static void feed_stop(struct feed_rig *rig)
{
	collector_free(rig->collector);
	for (size_t i = 0; i < RINGS; i++)
		fake_ring_free(&rig->fakes[i]);
	free(rig);
}

TEST(records_of_all_readers_are_popped)
{
	struct feed_rig *rig = feed_start(1e6);
	uint64_t next[RINGS] = { 0 };
	struct collector_queue_stats stats;
	struct queued head;
	const uint64_t *words;

	for (size_t i = 0; i < RINGS; i++)
		for (uint64_t j = 0; j < 100; j++)
			fake_ring_sample(&rig->fakes[i], ID, (uint32_t)i, j,
					 56);
	collector_drain_all(rig->collector);
	while ((words = collector_pop(rig->collector, &head))) {
		assert_in_range(head.slot, 0, RINGS - 1);
		assert_int_equal(head.tag, 40);
		assert_int_equal(head.weight, 1);
		/* in the order they were written in */
		assert_int_equal(words[RECORD_SAMPLE_TIME / 8],
				 next[head.slot]++);
		assert_int_equal(words[RECORD_SAMPLE_TID / 8] & UINT32_MAX,
				 head.slot);
	}
	for (size_t i = 0; i < RINGS; i++)
		assert_int_equal(next[i], 100);
	assert_null(collector_pop(rig->collector, &head));
	collector_queue_stats(rig->collector, &stats);
	assert_int_equal(stats.dropped, 0);
	assert_int_equal(stats.side_band_lost, 0);
	assert_int_equal(stats.decode_every, 1);
	feed_stop(rig);
}

/* A busy reader does not keep the others' records waiting. */
TEST(readers_are_popped_in_turn)
{
	struct feed_rig *rig = feed_start(1e6);
	struct queued head;
	int others = 0;

	for (int i = 0; i < 140; i++)
		fake_ring_sample(&rig->fakes[0], ID, 1, 1, 56);
	fake_ring_sample(&rig->fakes[RINGS - 1], ID, 1, 1, 56);
	collector_drain_all(rig->collector);
	for (int i = 0; i < 100; i++) {
		assert_non_null(collector_pop(rig->collector, &head));
		others += head.slot == RINGS - 1;
	}
	assert_int_equal(others, 1);
	feed_stop(rig);
}

/* The earliest records are popped first, whichever reader is late. */
TEST(the_reader_that_is_behind_is_popped)
{
	struct feed_rig *rig = feed_start(1e6);
	struct queued head;
	int early = 0;

	for (uint64_t i = 0; i < 140; i++) {
		fake_ring_sample(&rig->fakes[0], ID, 1, 2000 + i, 56);
		fake_ring_sample(&rig->fakes[RINGS - 1], ID, 1, 1000 + i, 56);
	}
	collector_drain_all(rig->collector);
	/* which reader is first is random */
	for (int i = 0; i < 64 + 140; i++) {
		assert_non_null(collector_pop(rig->collector, &head));
		early += head.slot == RINGS - 1;
	}
	assert_int_equal(early, 140);
	while (collector_pop(rig->collector, &head))
		early++;
	assert_int_equal(early, 140 + 140 - 64);
	feed_stop(rig);
}

TEST(drained_to_is_that_of_the_ring_that_is_behind)
{
	struct feed_rig *rig = feed_start(1e6);
	uint64_t before = sys_now_ns(), middle;

	assert_int_equal(collector_drained_to(rig->collector), 0);
	for (size_t i = 0; i < RINGS - 1; i++)
		collector_drain(rig->collector, i);
	assert_int_equal(collector_drained_to(rig->collector), 0);
	collector_drain(rig->collector, RINGS - 1);
	middle = sys_now_ns();
	assert_in_range(collector_drained_to(rig->collector), before, middle);
	for (size_t i = 1; i < RINGS; i++)
		collector_drain(rig->collector, i);
	assert_in_range(collector_drained_to(rig->collector), before, middle);
	/* a retired ring is not waited for */
	collector_retire(rig->collector, 0);
	assert_in_range(collector_drained_to(rig->collector), middle,
			sys_now_ns());
	feed_stop(rig);
}

/* What is queued behind a drain does not count before it is popped. */
TEST(popped_to_is_that_of_the_drains_popped)
{
	struct feed_rig *rig = feed_start(1e6);
	uint64_t before = sys_now_ns(), middle;
	struct queued head;

	collector_drain_all(rig->collector);
	middle = sys_now_ns();
	assert_int_equal(collector_popped_to(rig->collector, 0), 0);
	for (int i = 0; i < 140; i++)
		fake_ring_sample(&rig->fakes[0], ID, 1, 1, 56);
	collector_drain_all(rig->collector);
	/* more than a turn, so that each reader had one */
	for (int i = 0; i < 100; i++)
		assert_non_null(collector_pop(rig->collector, &head));
	assert_in_range(collector_popped_to(rig->collector, 0), before,
			middle);
	/* a ring is not late while its records are queued */
	assert_in_range(collector_popped_to(rig->collector, UINT64_MAX),
			before, middle);
	assert_non_null(collector_pop_behind(rig->collector, &head));
	assert_int_equal(head.slot, 0);
	while (collector_pop(rig->collector, &head))
		;
	assert_in_range(collector_popped_to(rig->collector, 0), middle,
			sys_now_ns());
	middle = sys_now_ns();
	assert_in_range(collector_popped_to(rig->collector, middle), middle,
			sys_now_ns());
	feed_stop(rig);
}

TEST(a_replaced_ring_is_waited_for)
{
	const uint64_t ids[] = { 0, ID };
	struct feed_rig *rig = feed_start(1e6);
	struct collector_ring ring = { .cpu = -1, .ids = ids, .nr_ids = 2 };
	struct fake_ring fresh;
	struct queued head;
	uint64_t before;

	collector_drain_all(rig->collector);
	before = sys_now_ns();
	fake_ring_init(&fresh, 8192);
	ring.ring = fresh.ring;
	assert_int_equal(collector_replace(rig->collector, 3, &ring, NULL), 0);
	for (size_t i = 0; i < RINGS; i++)
		if (i != 3)
			collector_drain(rig->collector, i);
	/* the former memory was last drained before this */
	assert_true(collector_drained_to(rig->collector) < before);
	fake_ring_sample(&rig->fakes[3], ID, 1, 1, 56);
	fake_ring_sample(&fresh, ID, 1, 2, 56);
	collector_retire(rig->collector, 3);
	assert_true(collector_drained_to(rig->collector) > before);
	collector_drain_all(rig->collector);
	for (int i = 0; i < 2; i++) {
		assert_non_null(collector_pop(rig->collector, &head));
		assert_int_equal(head.slot, 3);
		assert_int_equal(head.tag, 1);	/* without tags: the index */
	}
	assert_null(collector_pop(rig->collector, &head));
	feed_stop(rig);
	fake_ring_free(&fresh);
}

TEST(nothing_is_queued_at_a_rate_of_0)
{
	struct feed_rig *rig = feed_start(0);
	struct queued head;

	fake_ring_sample(&rig->fakes[0], ID, 1, 1, 56);
	fake_ring_put(&rig->fakes[0], PERF_RECORD_COMM, 48);
	collector_drain_all(rig->collector);
	assert_null(collector_pop(rig->collector, &head));
	feed_stop(rig);
}

TEST(k_is_told_and_side_band_is_not_thinned)
{
	struct feed_rig *rig = feed_start(60);
	struct collector_queue_stats stats;
	unsigned int samples = 0, side_band = 0;
	struct queued head;

	for (int pass = 0; pass < 100; pass++) {
		for (int i = 0; i < 1000; i++)
			fake_ring_sample(&rig->fakes[2], ID, 1, 1, 56);
		fake_ring_put(&rig->fakes[2], PERF_RECORD_COMM, 48);
		collector_drain(rig->collector, 2);
	}
	while (collector_pop(rig->collector, &head)) {
		samples += head.weight > 0;
		side_band += !head.weight;
	}
	assert_int_equal(side_band, 100);
	assert_true(samples < 5000);
	collector_queue_stats(rig->collector, &stats);
	assert_true(stats.decode_every > 100);
	assert_int_equal(stats.dropped, 0);
	feed_stop(rig);
}

/*
 * The rates at which samples are written, and how many copies were popped, over
 * some seconds.
 */
struct storm {
	double per_ms[RINGS];
	unsigned int copies[RINGS];	/* popped */
	double seconds;
};

/* Publish all at once, since the timer may drain the ring at any moment. */
static void write_samples(struct fake_ring *fake, uint64_t nr)
{
	for (uint64_t i = 0; i < nr; i++) {
		fake_ring_word(fake, fake->head,
			       PERF_RECORD_SAMPLE | 56ull << 48);
		fake_ring_word(fake, fake->head + 8, ID);
		fake->head += 56;
	}
	__atomic_store_n(&fake->ring.page->data_head, fake->head,
			 __ATOMIC_RELEASE);
}

/* Write the samples that are due, at most what fits in an empty ring. */
static void write_due(struct feed_rig *rig, size_t i, double due)
{
	uint64_t nr = (uint64_t)due - rig->fakes[i].head / 56;

	write_samples(&rig->fakes[i], nr < FED / 56 ? nr : FED / 56);
	collector_drain(rig->collector, i);
}

/* Write samples as @storm says, for @seconds of real time. */
static void storm_on(struct feed_rig *rig, struct storm *storm, double seconds)
{
	uint64_t start = sys_now_ns(), now = start;
	uint64_t before[RINGS];
	struct queued head;

	for (size_t i = 0; i < RINGS; i++)
		before[i] = rig->fakes[i].head / 56;
	memset(storm->copies, 0, sizeof(storm->copies));
	while ((double)(now - start) < seconds * 1e9) {
		usleep(1000);
		now = sys_now_ns();
		for (size_t i = 0; i < RINGS; i++)
			if (storm->per_ms[i] > 0)
				write_due(rig, i, (double)before[i] +
					  storm->per_ms[i] *
					  (double)(now - start) / 1e6);
		while (collector_pop(rig->collector, &head))
			storm->copies[head.slot]++;
	}
	storm->seconds = (double)(now - start) / 1e9;
}

/* Whether ring @i has about @rate copies per second. */
static bool is_rate(const struct storm *storm, size_t i, double rate)
{
	double copies = storm->copies[i] / storm->seconds;

	return copies >= rate * 0.7 && copies <= rate * 1.3;
}

/*
 * Repeat storms until rings @i and @j have @one and @two copies per second.  If
 * a thread waits long for a CPU, one storm may have other rates.
 */
static void await_rates(struct feed_rig *rig, struct storm *storm, size_t i,
			double one, size_t j, double two)
{
	for (int tries = 0; tries < 60; tries++) {
		storm_on(rig, storm, 0.7);
		if (is_rate(storm, i, one) && is_rate(storm, j, two))
			return;
	}
	fail_msg("%.0f and %.0f copies/s, not %.0f and %.0f",
		 storm->copies[i] / storm->seconds,
		 storm->copies[j] / storm->seconds, one, two);
}

static unsigned int largest_k(struct feed_rig *rig)
{
	struct collector_queue_stats stats;

	collector_queue_stats(rig->collector, &stats);
	return stats.decode_every;
}

TEST(rings_share_the_budget)
{
	struct feed_rig *rig = feed_start_at(2000, 0.01);
	struct storm storm = { .per_ms = { [1] = 40, [4] = 80 } };

	storm_on(rig, &storm, 0.5);
	await_rates(rig, &storm, 1, 1000, 4, 1000);
	/*
	 * one ring has too few samples to be thinned: the other gets the rest
	 */
	storm.per_ms[1] = 0;
	storm.per_ms[0] = 0.2;
	storm_on(rig, &storm, 1);
	await_rates(rig, &storm, 0, 200, 4, 1800);
	assert_int_equal(storm.copies[1], 0);
	feed_stop(rig);
}

/* Also if it had many samples when it was retired. */
TEST(a_retired_slot_has_no_share)
{
	struct feed_rig *rig = feed_start_at(2000, 0.01);
	struct storm storm = { .per_ms = { [1] = 80, [4] = 40 } };

	storm_on(rig, &storm, 0.5);
	for (int i = 0; i < 600 && largest_k(rig) <= 50; i++)
		storm_on(rig, &storm, 0.1);
	assert_true(largest_k(rig) > 50);
	collector_retire(rig->collector, 1);
	/*
	 * the other ring's k may be large, after a burst that a late thread saw
	 */
	storm.per_ms[1] = 0;
	for (int i = 0; i < 600 && largest_k(rig) >= 50; i++)
		storm_on(rig, &storm, 0.1);
	assert_true(largest_k(rig) < 50);
	storm_on(rig, &storm, 0.3);
	await_rates(rig, &storm, 4, 2000, 4, 2000);
	collector_retire(rig->collector, 4);
	assert_int_equal(largest_k(rig), 1);
	feed_stop(rig);
}

TEST_GROUP(collector);
