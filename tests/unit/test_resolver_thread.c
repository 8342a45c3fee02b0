/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rings in plain memory, a collector that drains on demand, and invented names.
 */
#include "tests/group.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "collect/collector.h"
#include "resolve/resolver_thread.h"
#include "fake_ring.h"
#include "samples/feed.h"
#include "samples/hot_table.h"
#include "samples/names.h"
#include "symbols/resolver.h"

enum {
	ID = 500,
	RINGS = 2,
	RING_BYTES = 64 << 10,
	NEVER = 3600,
	LONG_COMM = 32 << 10,	/* bytes of a record that fills queues */
	MAX_WAITS = 100000,
};

#define MS_NS UINT64_C(1000000)

/* The symbolizer: knows a comm after the COMM record of it. */
struct naming {
	struct names *names;
	const char *comm;
	long pause_ns;		/* of each record */
	atomic_int records;	/* side-band records passed to it */
	int resyncs;
	_Atomic uint64_t seen_ns;	/* last passed to it */
	int expected;		/* records; and @seen_ns before all of */
	_Atomic uint64_t seen_early;	/* them had come */
	bool freed;
	bool hangs;		/* until @gate is posted */
	sem_t gate;
};

struct fixture {
	struct fake_ring rings[RINGS];
	struct collector *collector;
	struct resolver_thread *thread;
	struct naming naming;
	struct err err;
};

/*
 * A sleeping thread may not get a CPU at once, so short pauses are busy loops.
 */
static void pause_for(long ns)
{
	const struct timespec pause = { .tv_nsec = ns };
	uint64_t until = sys_now_ns() + (uint64_t)ns;

	if (ns >= (long)MS_NS)
		nanosleep(&pause, NULL);
	while (sys_now_ns() < until)
		;
}

static void take_record(void *ctx, const struct side_band *record)
{
	struct naming *n = ctx;

	if (n->pause_ns)
		pause_for(n->pause_ns);
	if (record->type == PERF_RECORD_COMM)
		n->comm = names_add(n->names, record->comm.comm);
	n->records++;
}

static void take_resync(void *ctx)
{
	struct naming *n = ctx;

	n->resyncs++;
}

static void name_symbol(void *ctx, pid_t pid, uint16_t cpumode, uint64_t ip,
			struct symbol *out)
{
	struct naming *n = ctx;
	char name[32];

	(void)pid;
	(void)cpumode;
	if (n->hangs)
		sem_wait(&n->gate);
	snprintf(name, sizeof(name), "f%llx", (unsigned long long)ip);
	*out = (struct symbol){
		.name = names_add(n->names, name),
		.dso = names_add(n->names, "file"),
		.kind = SYMBOL_USER,
	};
}

static const char *name_comm(void *ctx, pid_t pid, pid_t tid)
{
	struct naming *n = ctx;

	(void)pid;
	(void)tid;
	return n->comm;
}

static bool be_idle(void *ctx, uint64_t now_ns)
{
	struct naming *n = ctx;

	n->seen_ns = now_ns;
	if (n->records < n->expected)
		n->seen_early = now_ns;
	return false;
}

static void fill_stats(const void *ctx, struct resolver_stats *stats)
{
	(void)ctx;
	*stats = (struct resolver_stats){ .kernel_symbols = 7 };
}

static void be_freed(void *ctx)
{
	struct naming *n = ctx;

	n->freed = true;
}

static const struct symbolizer_ops naming_ops = {
	.record = take_record, .resync = take_resync, .symbol = name_symbol,
	.comm = name_comm, .idle = be_idle, .stats = fill_stats,
	.free = be_freed,
};

static void open_collector(struct fixture *f, double interval)
{
	static const uint64_t ids[] = { 0, ID };
	static const uint32_t tags[] = { UINT32_MAX, 0 };
	struct collector_opts opts = {
		.readers = 1, .rings = RINGS, .interval = interval,
		.decode_rate = 20000,
	};
	size_t slot;

	f->collector = collector_new(&opts, &f->err);
	assert_non_null(f->collector);
	for (int i = 0; i < RINGS; i++) {
		struct collector_ring ring = {
			.cpu = i, .ids = ids, .tags = tags, .nr_ids = 2,
		};

		fake_ring_init(&f->rings[i], RING_BYTES);
		ring.ring = f->rings[i].ring;
		assert_int_equal(collector_add(f->collector, &ring, &slot,
					       &f->err), 0);
	}
}

static struct fixture *start(double interval)
{
	static const char *const fields[] = { "sys:one.a", "sys:two.b" };
	struct fixture *f = calloc(1, sizeof(*f));
	const struct resolver_event event = {
		.name = "clock", .layout.sample_type = RECORD_SAMPLE_TYPE,
	};
	struct resolver_thread_opts opts = {
		.symbolizer = &naming_ops, .symbolizer_ctx = &f->naming,
		.events = &event, .nr_events = 1,
		.side_band.sample_type = RECORD_SAMPLE_TYPE,
		.trace_fields = fields, .nr_trace_fields = 2,
	};

	open_collector(f, interval);
	opts.collector = f->collector;
	opts.names = f->naming.names = names_new(1 << 20);
	f->naming.comm = names_add(f->naming.names, "?");
	f->thread = resolver_thread_new(&opts, &f->err);
	assert_non_null(f->thread);
	return f;
}

static void stop(struct fixture *f)
{
	resolver_thread_free(f->thread);
	assert_true(f->naming.freed);
	collector_free(f->collector);
	for (int i = 0; i < RINGS; i++)
		fake_ring_free(&f->rings[i]);
	free(f);
}

static void put_sample(struct fixture *f, int ring, uint64_t time, uint64_t ip)
{
	uint64_t at = f->rings[ring].head;

	fake_ring_sample(&f->rings[ring], ID, 1, time, RECORD_SAMPLE_FIXED);
	fake_ring_word(&f->rings[ring], at + 16, ip);
}

/* Write a COMM: pid, tid, "dd" and the trailer; @size bytes in total. */
static void put_comm_of(struct fixture *f, int ring, uint64_t time,
			uint16_t size)
{
	uint64_t at = fake_ring_put(&f->rings[ring], PERF_RECORD_COMM, size);

	fake_ring_word(&f->rings[ring], at + 8, 1 | UINT64_C(1) << 32);
	fake_ring_word(&f->rings[ring], at + 16, 'd' | 'd' << 8);
	fake_ring_word(&f->rings[ring], at + size - RECORD_TRAILER_TIME, time);
}

static void put_comm(struct fixture *f, int ring, uint64_t time)
{
	put_comm_of(f, ring, time, 8 + 8 + 8 + RECORD_TRAILER);
}

static void sleep_ms(long ms)
{
	const struct timespec ts = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&ts, NULL);
}

static uint64_t ms_since(uint64_t began)
{
	return (sys_now_ns() - began) / MS_NS;
}

/*
 * A test of something that has to happen within a time is void if the threads
 * waited longer than that for a CPU: then @attempt returns false and is
 * repeated.
 */
static void one_in_time(bool (*attempt)(void))
{
	for (int i = 0; i < 60; i++)
		if (attempt())
			return;
	fail_msg("all took too long");
}

static const struct samples *finished(struct fixture *f)
{
	collector_drain_all(f->collector);
	resolver_thread_finish(f->thread);
	return resolver_thread_read(f->thread, 0, 1);
}

static const struct feed_sample *listed(const struct samples *samples,
					size_t i)
{
	return feed_entry_sample(feed_at(samples->feed, i));
}

TEST(a_sample_is_named_listed_and_counted)
{
	struct fixture *f = start(NEVER);
	const struct samples *samples;

	put_sample(f, 0, 100, 0xab);
	samples = finished(f);
	assert_int_equal(feed_len(samples->feed), 1);
	assert_string_equal(listed(samples, 0)->frames[0].symbol.name, "fab");
	assert_string_equal(listed(samples, 0)->event, "clock");
	assert_int_equal(listed(samples, 0)->time, 100);
	assert_int_equal(samples->hot->nr_cells, 1);
	assert_true(samples->hot->total.sum == 1);
	assert_int_equal(samples->status.decoded, 1);
	assert_int_equal(samples->status.kernel_symbols, 7);
	stop(f);
}

/* The COMM is in the other ring, and is read after the sample. */
TEST(records_of_two_rings_are_taken_by_time)
{
	struct fixture *f = start(NEVER);
	const struct samples *samples;

	put_sample(f, 0, 50, 1);
	put_sample(f, 0, 150, 2);
	put_comm(f, 1, 100);
	samples = finished(f);
	assert_int_equal(feed_len(samples->feed), 2);
	assert_string_equal(listed(samples, 0)->comm, "?");
	assert_string_equal(listed(samples, 1)->comm, "dd");
	stop(f);
}

static size_t nr_listed(struct fixture *f)
{
	return feed_len(resolver_thread_read(f->thread, 0, 1)->feed);
}

static void await(struct fixture *f, size_t entries)
{
	for (int i = 0; i < MAX_WAITS && nr_listed(f) < entries; i++)
		sleep_ms(1);
	assert_int_equal(nr_listed(f), entries);
}

TEST(the_thread_takes_what_the_readers_drain)
{
	struct fixture *f = start(0.01);

	assert_int_equal(collector_start(f->collector, &f->err), 0);
	assert_int_equal(resolver_thread_start(f->thread, &f->err), 0);
	put_sample(f, 1, sys_now_ns(), 1);
	await(f, 1);
	put_sample(f, 0, sys_now_ns(), 2);
	resolver_thread_finish(f->thread);
	await(f, 2);
	stop(f);
}

TEST(the_filter_narrows_the_feed_alone)
{
	struct fixture *f = start(NEVER);
	const struct samples *samples;

	assert_int_equal(resolver_thread_filter(f->thread, "sym==f2",
						&f->err), 0);
	finished(f); /* a pending finish is noticed between records */
	for (uint64_t ip = 1; ip <= 3; ip++)
		put_sample(f, 0, ip, ip);
	samples = finished(f);
	assert_int_equal(feed_len(samples->feed), 1);
	assert_string_equal(listed(samples, 0)->frames[0].symbol.name, "f2");
	assert_int_equal(feed_skipped(samples->feed), 0);
	assert_true(samples->hot->total.sum == 3);
	assert_string_equal(samples->filter, "sym==f2");
	stop(f);
}

TEST(what_makes_no_sense_is_refused)
{
	struct fixture *f = start(NEVER);

	assert_true(resolver_thread_filter(f->thread, "comm==", &f->err) < 0);
	assert_int_equal(err_exit_status(&f->err), 2);
	assert_true(resolver_thread_field(f->thread, "nosuch", &f->err) < 0);
	assert_int_equal(resolver_thread_field(f->thread, "sys:two.b",
					       &f->err), 0);
	assert_int_equal(resolver_thread_field(f->thread, "a", &f->err), 0);
	assert_int_equal(resolver_thread_field(f->thread, "", &f->err), 0);
	stop(f);
}

TEST(a_sample_that_does_not_fit_its_event_is_counted)
{
	struct fixture *f = start(NEVER);
	const struct samples *samples;

	fake_ring_sample(&f->rings[0], ID, 1, 1, RECORD_SAMPLE_FIXED + 8);
	samples = finished(f);
	assert_int_equal(samples->status.undecodable, 1);
	assert_int_equal(samples->status.decoded, 0);
	stop(f);
}

TEST(a_reset_begins_anew)
{
	struct fixture *f = start(NEVER);
	const struct samples *samples;

	put_sample(f, 0, 1, 1);
	finished(f);
	resolver_thread_reset(f->thread);
	put_sample(f, 0, 2, 2);
	samples = finished(f);
	assert_true(samples->hot->total.sum == 1);
	stop(f);
}

/*
 * The other ring may have an earlier record: this is unknown until its drain.
 */
static bool waits_for_the_other_ring(void)
{
	struct fixture *f = start(NEVER);
	uint64_t began = sys_now_ns();
	bool in_time;
	size_t early;

	assert_int_equal(resolver_thread_start(f->thread, &f->err), 0);
	put_sample(f, 0, began, 1);
	sleep_ms(2);
	collector_drain(f->collector, 0);
	sleep_ms(300);
	early = nr_listed(f);
	assert_true(!early || ms_since(began) >= 1900);
	collector_drain(f->collector, 1);
	await(f, 1);
	/* it takes longer without that drain */
	in_time = ms_since(began) < 1500;
	stop(f);
	return in_time;
}

TEST(a_sample_waits_for_the_other_rings)
{
	one_in_time(waits_for_the_other_ring);
}

static bool waits_two_seconds(void)
{
	struct fixture *f = start(NEVER);
	uint64_t began = sys_now_ns();
	bool in_time;

	assert_int_equal(resolver_thread_start(f->thread, &f->err), 0);
	put_sample(f, 0, began, 1);
	sleep_ms(2);
	collector_drain(f->collector, 0);
	await(f, 1);
	assert_true(ms_since(began) >= 1900);
	in_time = ms_since(began) < 5000;
	stop(f);
	return in_time;
}

TEST(its_patience_has_an_end)
{
	one_in_time(waits_two_seconds);
}

/*
 * Drained less than a millisecond ago: an earlier record may still become
 * visible.
 */
static bool waits_a_millisecond(void)
{
	struct fixture *f = start(NEVER);
	bool in_time;
	uint64_t time;
	size_t early;

	do {
		time = sys_now_ns();
		collector_drain_all(f->collector);
	} while (collector_drained_to(f->collector) - time > MS_NS / 2);
	put_sample(f, 0, time, 1);
	assert_int_equal(resolver_thread_start(f->thread, &f->err), 0);
	collector_drain(f->collector, 0);
	sleep_ms(300);
	early = nr_listed(f);
	in_time = ms_since(time) < 1900;
	assert_true(!early || !in_time);
	collector_drain_all(f->collector);
	await(f, 1);
	stop(f);
	return in_time;
}

TEST(a_millisecond_is_left_to_the_kernel)
{
	one_in_time(waits_a_millisecond);
}

/*
 * The bytes of waiting records are limited: if their times are wrong, the
 * earliest are taken some time later.
 */
TEST(what_waits_is_bounded)
{
	enum { MANY = 700 };	/* 22 MiB */
	struct fixture *f = start(NEVER);
	uint64_t later = sys_now_ns() + 3600 * 1000 * MS_NS;

	assert_int_equal(resolver_thread_start(f->thread, &f->err), 0);
	for (uint64_t i = 0; i < MANY; i++) {
		put_comm_of(f, 0, later, LONG_COMM);
		collector_drain(f->collector, 0);
		if (i % 100 == 99)
			sleep_ms(150);	/* for the queue to be emptied */
	}
	for (int i = 0; i < MAX_WAITS && !f->naming.records; i++)
		sleep_ms(1);
	/* the rest, at most 16 MiB, waits */
	assert_in_range(f->naming.records, 1, MANY - 400);
	stop(f);
}

/*
 * Memory is full of one ring's records, and more wait in its reader's queue: an
 * earlier one of another ring still comes first.
 */
TEST(order_is_kept_when_memory_is_full)
{
	enum { MANY = 600, SMALL = 3000 };	/* 19 MiB; more than a turn */
	struct fixture *f = start(NEVER);
	uint64_t began = sys_now_ns();
	const struct samples *samples;

	put_sample(f, 0, began + 1, 1);
	collector_drain(f->collector, 0);
	assert_int_equal(resolver_thread_start(f->thread, &f->err), 0);
	for (uint64_t i = 0; i < MANY; i++) {
		put_comm_of(f, 0, began + 2 + i, LONG_COMM);
		collector_drain(f->collector, 0);
		if (i % 100 == 99)
			sleep_ms(60);
	}
	for (uint64_t i = 0; i < SMALL; i++) {
		put_comm(f, 0, began + 2 + MANY + i);
		collector_drain(f->collector, 0);
	}
	put_sample(f, 1, began, 2);
	collector_drain_all(f->collector);
	samples = finished(f);
	/* the end takes what waits in every queue; a busy machine may have let
	 * one overflow before */
	assert_int_equal(f->naming.records +
				 (int)samples->status.side_band_lost,
			 MANY + SMALL);
	assert_int_equal(feed_len(samples->feed), 2);
	if (ms_since(began) < 1900)	/* else it was not waited for */
		assert_int_equal(listed(samples, 0)->time, began);
	stop(f);
}

static void overflow_side_band(struct fixture *f)
{
	for (int i = 0; i < 150; i++) {	/* 4.7 MiB; the queue has 4 */
		put_comm_of(f, 0, 100, LONG_COMM);
		collector_drain(f->collector, 0);
	}
}

/* Reading /proc again takes long: not for each lost record. */
static bool makes_up_once_a_second(struct fixture *f)
{
	uint64_t lost, began;

	finished(f);
	assert_int_equal(f->naming.resyncs, 0);
	began = sys_now_ns();
	overflow_side_band(f);
	lost = finished(f)->status.side_band_lost;
	assert_in_range(lost, 20, 30);
	assert_int_equal(f->naming.resyncs, 1);
	overflow_side_band(f);
	assert_true(finished(f)->status.side_band_lost > lost);
	if (ms_since(began) >= 1000)
		return false;
	assert_int_equal(f->naming.resyncs, 1);
	sleep_ms(1000);
	finished(f);
	assert_int_equal(f->naming.resyncs, 2);
	sleep_ms(1000);
	finished(f);
	assert_int_equal(f->naming.resyncs, 2);
	return true;
}

static bool try_losses(void)
{
	struct fixture *f = start(NEVER);
	bool in_time = makes_up_once_a_second(f);

	stop(f);
	return in_time;
}

TEST(lost_side_band_is_made_up_for_once_a_second)
{
	one_in_time(try_losses);
}

static void put_lost(struct fixture *f, int ring)
{
	fake_ring_lost(&f->rings[ring], 3);
}

/* Records lost in a ring may have been of the side-band, or not. */
TEST(what_rings_lost_is_made_up_for)
{
	struct fixture *f = start(NEVER);

	put_lost(f, 1);
	/* it is not known to be of the side-band */
	assert_int_equal(finished(f)->status.side_band_lost, 0);
	assert_int_equal(f->naming.resyncs, 1);
	/* the LOST record itself is not passed as side-band */
	assert_int_equal(f->naming.records, 0);
	assert_int_equal(finished(f)->status.undecodable, 0);
	stop(f);
}

/* A storm may lose samples all the time: /proc is read less and less often. */
static bool waits_longer(struct fixture *f)
{
	uint64_t began = sys_now_ns();

	put_lost(f, 0);
	finished(f);
	put_lost(f, 0);
	finished(f);
	if (ms_since(began) >= 1000)
		return false;
	assert_int_equal(f->naming.resyncs, 1);
	sleep_ms(1050);
	began = sys_now_ns();
	finished(f);
	assert_int_equal(f->naming.resyncs, 2);
	put_lost(f, 0);
	sleep_ms(1050);
	finished(f);
	if (ms_since(began) >= 2000)
		return false;
	assert_int_equal(f->naming.resyncs, 2);
	sleep_ms(1000);
	finished(f);
	assert_int_equal(f->naming.resyncs, 3);
	return true;
}

static bool try_longer(void)
{
	struct fixture *f = start(NEVER);
	bool in_time = waits_longer(f);

	stop(f);
	return in_time;
}

TEST(who_goes_on_losing_waits_longer)
{
	one_in_time(try_longer);
}

TEST(it_says_how_far_behind_it_is)
{
	struct fixture *f = start(NEVER);
	double began = sys_now(), lag;

	lag = finished(f)->status.lag;
	assert_true(lag <= sys_now() - began + 0.01);
	sleep_ms(200);
	lag = resolver_thread_read(f->thread, 0, 1)->status.lag;
	assert_true(lag >= 0.2);
	assert_true(lag <= sys_now() - began + 0.01);
	stop(f);
}

/*
 * The symbolizer removes tasks that exited before the time passed to it: so the
 * time must not be that of later records while earlier ones are held, of which
 * one turn takes only some.
 */
TEST(the_time_taken_in_is_told)
{
	enum { MANY = 4000, AT_ONCE = 1000 };
	struct fixture *f = start(NEVER);
	uint64_t time = sys_now_ns();
	bool in_time;

	f->naming.pause_ns = 1000;
	f->naming.expected = MANY;
	assert_int_equal(resolver_thread_start(f->thread, &f->err), 0);
	sleep_ms(2);
	for (int i = 0; i < MANY; i++) {
		put_comm(f, 0, time);
		if (i % AT_ONCE == AT_ONCE - 1)
			collector_drain(f->collector, 0);
	}
	collector_drain(f->collector, 1);
	/* it does not wait longer for the other ring */
	in_time = ms_since(time) < 1900;
	for (int i = 0; i < MAX_WAITS && f->naming.seen_ns <= time; i++)
		sleep_ms(1);
	assert_true(f->naming.seen_ns > time);
	assert_int_equal(f->naming.records, MANY);
	assert_true(f->naming.seen_early <= time || !in_time);
	stop(f);
}

/* Records that arrive faster than they are taken in. */
struct flood {
	struct fixture *f;
	atomic_bool stop;
	atomic_int rounds;
};

static void *flood(void *arg)
{
	struct flood *flood = arg;

	while (!flood->stop) {
		for (int i = 0; i < 100; i++)
			put_comm(flood->f, 0, sys_now_ns());
		collector_drain(flood->f->collector, 0);
		flood->rounds++;
		sleep_ms(1);
	}
	return NULL;
}

TEST(finishing_has_an_end)
{
	struct fixture *f = start(NEVER);
	struct flood writer = { .f = f };
	pthread_t thread;

	f->naming.pause_ns = 20000;
	assert_int_equal(resolver_thread_start(f->thread, &f->err), 0);
	assert_int_equal(pthread_create(&thread, NULL, flood, &writer), 0);
	while (writer.rounds < 20)
		sleep_ms(1);
	alarm(200);
	resolver_thread_finish(f->thread);
	alarm(0);
	writer.stop = true;
	pthread_join(thread, NULL);
	/* records that were there by then are included */
	assert_true(f->naming.records > 0);
	stop(f);
}

/*
 * A lookup that hangs in the kernel: neither the last reading nor the end waits
 * for it, and earlier results are kept.
 */
TEST(the_end_waits_for_nothing_that_hangs)
{
	struct fixture *f = start(NEVER);

	sem_init(&f->naming.gate, 0, 0);
	f->naming.hangs = true;
	assert_int_equal(resolver_thread_start(f->thread, &f->err), 0);
	put_sample(f, 0, 10, 0x1);
	collector_drain_all(f->collector);
	alarm(200);
	resolver_thread_finish(f->thread);
	assert_true(resolver_thread_read(f->thread, 1, 1)->status.stuck);
	assert_int_equal(resolver_thread_read(f->thread, 1, 1)->status.decoded,
			 0);
	assert_false(resolver_thread_free(f->thread));
	alarm(0);
	assert_false(f->naming.freed);
	f->naming.hangs = false;
	sem_post(&f->naming.gate);
	/* it returns, and all that it uses is still there */
	while (!resolver_thread_free(f->thread))
		;
	f->thread = NULL;
	sem_destroy(&f->naming.gate);
	stop(f);
}

/* A lookup that is only slow is waited for. */
TEST(what_is_slow_is_waited_for)
{
	struct fixture *f = start(NEVER);

	f->naming.pause_ns = 20 * 1000 * 1000;
	assert_int_equal(resolver_thread_start(f->thread, &f->err), 0);
	for (uint64_t i = 0; i < 80; i++)
		put_comm(f, 0, 10 + i);
	put_sample(f, 0, 100, 0x1);
	collector_drain_all(f->collector);
	resolver_thread_finish(f->thread);
	assert_false(resolver_thread_read(f->thread, 1, 1)->status.stuck);
	assert_int_equal(resolver_thread_read(f->thread, 1, 1)->status.decoded,
			 1);
	stop(f);
}

TEST_GROUP(resolver_thread);
