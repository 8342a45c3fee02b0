/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passing trace from AUX rings to a sink: which bytes, and which threads wait.
 */
#include "tests/group.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "trace/pmu/auxtrace.h"
#include "base/err.h"
#include "collect/aux_lane.h"
#include "collect/collector.h"
#include "fake_ring.h"

enum {
	RINGS = 2,
	SIZE = 8192,
	AUX_SIZE = 64 << 10,
	WATERMARK = AUX_SIZE / 4,
	LARGE = 4 << 20,
	ID = 500,
};

struct fixture {
	struct collector *collector;
	struct collector_opts opts;
	struct fake_ring fakes[RINGS];
	unsigned char *trace[RINGS];
	uint64_t size;			/* of an AUX ring */
	struct aux_sink sink;
	/* what it received, by slot */
	uint64_t at[RINGS];		/* next position */
	uint64_t pieces[RINGS];
	_Atomic uint64_t longest;
	atomic_bool wrong, bound_cut;
	/* in slot 0 it waits for the test */
	atomic_bool blocks;
	sem_t in, go_on;
	atomic_bool left;
	atomic_int answered;
	struct err err;
};

static struct fixture *now;	/* for read_finish(), which gets no context */

static unsigned char byte(uint64_t position, size_t slot)
{
	return (unsigned char)(position * 7 + position / 251 + slot);
}

/* The sink: checks that it gets each byte once, in order, as written. */
static void take(void *ctx, size_t slot, const struct aux_ring *aux,
		 uint64_t from, uint64_t to)
{
	struct fixture *f = ctx;
	bool wrong = from != f->at[slot] || to <= from ||
		     to - from > aux->size;

	for (uint64_t at = from; at < to; at++)
		wrong |= aux->data[at & (aux->size - 1)] != byte(at, slot);
	if (wrong)
		f->wrong = true;
	f->at[slot] = to;
	f->pieces[slot]++;
	if (to - from > f->longest)
		f->longest = to - from;
	if (f->sink.alignment &&
	    (to & (aux->size - 1)) % f->sink.alignment)
		f->bound_cut = true;
	if (!f->blocks || slot)
		return;
	sem_post(&f->in);
	sem_wait(&f->go_on);
	atomic_store(&f->left, true);
}

static int read_finish(int fd)
{
	(void)fd;
	atomic_fetch_add(&now->answered, 1);
	return 0;
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	now = f;
	f->size = AUX_SIZE;
	f->sink = (struct aux_sink){ take, f, 1 };
	/* below the watermark, trace waits until the test drains */
	f->opts = (struct collector_opts){
		.rings = RINGS, .readers = RINGS, .interval = 3600,
		.lanes = true,
	};
	sem_init(&f->in, 0, 0);
	sem_init(&f->go_on, 0, 0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	collector_free(f->collector);
	for (size_t i = 0; i < RINGS; i++) {
		if (f->fakes[i].ring.page)
			fake_ring_free(&f->fakes[i]);
		free(f->trace[i]);
	}
	free(f);
	return 0;
}

static void add(struct fixture *f, size_t i)
{
	static const int fds[] = { -1 };
	const uint64_t id = ID + i;
	struct collector_ring ring = {
		.cpu = 0, .ids = &id, .nr_ids = 1,
		.aux_fds = fds, .nr_aux_fds = 1, .read_finish = read_finish,
	};
	size_t slot;

	fake_ring_init(&f->fakes[i], SIZE);
	f->trace[i] = calloc(1, f->size);
	ring.ring = f->fakes[i].ring;
	aux_ring_attach(&ring.aux, ring.ring.page, f->trace[i], f->size,
			false);
	ring.aux.watermark = WATERMARK;
	assert_int_equal(collector_add(f->collector, &ring, &slot, &f->err),
			 0);
	assert_int_equal(slot, i);
}

static void start(struct fixture *f)
{
	f->collector = collector_new(&f->opts, &f->err);
	assert_non_null(f->collector);
	for (size_t i = 0; i < RINGS; i++)
		add(f, i);
	assert_int_equal(collector_start(f->collector, &f->err), 0);
}

static uint64_t tail_of(const struct fixture *f, size_t i)
{
	return __atomic_load_n(&f->fakes[i].ring.page->aux_tail,
			       __ATOMIC_ACQUIRE);
}

static uint64_t head_of(const struct fixture *f, size_t i)
{
	return __atomic_load_n(&f->fakes[i].ring.page->aux_head,
			       __ATOMIC_ACQUIRE);
}

/* Write trace up to @to as the kernel does; there must be room for it. */
static void trace_to(struct fixture *f, size_t i, uint64_t to)
{
	uint64_t from = head_of(f, i);

	assert_true(to - tail_of(f, i) <= f->size);
	for (; from < to; from++)
		f->trace[i][from & (f->size - 1)] = byte(from, i);
	__atomic_store_n(&f->fakes[i].ring.page->aux_head, to,
			 __ATOMIC_RELEASE);
}

static void wait_for_tail(const struct fixture *f, size_t i, uint64_t tail)
{
	const struct timespec ms = { .tv_nsec = 1000000 };

	while (tail_of(f, i) < tail)
		nanosleep(&ms, NULL);
}

static void put_truncated(struct fixture *f)
{
	uint64_t at = fake_ring_put(&f->fakes[0], PERF_RECORD_AUX, 64);

	fake_ring_word(&f->fakes[0], at + 24, PERF_AUX_FLAG_TRUNCATED);
}

/* Fill both rings for many laps. */
TEST(test_laps)
{
	const uint64_t all = 40 * AUX_SIZE + 123;
	struct fixture *f = *state;
	uint64_t step = 1;

	start(f);
	collector_begin_trace(f->collector, &f->sink);
	while (head_of(f, 0) < all || head_of(f, 1) < all) {
		for (size_t i = 0; i < RINGS; i++) {
			uint64_t to = head_of(f, i) + step * 977 % AUX_SIZE;

			if (to > all)
				to = all;
			if (to - tail_of(f, i) <= AUX_SIZE)
				trace_to(f, i, to);
			step++;
		}
		collector_drain_all(f->collector);
	}
	for (size_t i = 0; i < RINGS; i++)
		wait_for_tail(f, i, all);
	collector_end_trace(f->collector);
	assert_int_equal(f->at[0], all);
	assert_int_equal(f->at[1], all);
	assert_false(f->wrong);
}

/* Trace below the watermark is passed to the sink, too. */
TEST(test_little)
{
	struct fixture *f = *state;

	start(f);
	collector_begin_trace(f->collector, &f->sink);
	trace_to(f, 0, 100);
	wait_for_tail(f, 0, 100);
	collector_end_trace(f->collector);
	assert_int_equal(f->at[0], 100);
	assert_false(f->wrong);
}

/* Before the sink is set, and after it is removed, readers discard trace. */
TEST(test_discarded)
{
	struct fixture *f = *state;

	start(f);
	trace_to(f, 0, 5000);
	collector_drain_all(f->collector);
	assert_int_equal(tail_of(f, 0), 5000);
	f->at[0] = 5000;
	collector_begin_trace(f->collector, &f->sink);
	trace_to(f, 0, 6000);
	collector_flush_trace(f->collector);
	assert_int_equal(f->at[0], 6000);
	collector_end_trace(f->collector);
	trace_to(f, 0, 7000);
	collector_drain_all(f->collector);
	assert_int_equal(tail_of(f, 0), 7000);
	assert_int_equal(f->at[0], 6000);
	assert_false(f->wrong);
}

/* A disk for which one lane waits delays no drain and no other lane. */
TEST(test_nobody_waits)
{
	struct fixture *f = *state;

	/* so many readers have two lanes */
	f->opts.readers = 32;
	f->blocks = true;
	start(f);
	collector_begin_trace(f->collector, &f->sink);
	trace_to(f, 0, WATERMARK);
	collector_drain_all(f->collector);
	sem_wait(&f->in);
	/* the tail is advanced once the trace is written */
	assert_int_equal(tail_of(f, 0), 0);
	trace_to(f, 1, 3 * WATERMARK);
	collector_drain_all(f->collector);
	wait_for_tail(f, 1, 3 * WATERMARK);
	assert_int_equal(tail_of(f, 0), 0);
	f->blocks = false;
	sem_post(&f->go_on);
	wait_for_tail(f, 0, WATERMARK);
	collector_end_trace(f->collector);
	assert_false(f->wrong);
}

static void *let_go_on_soon(void *arg)
{
	const struct timespec soon = { .tv_nsec = 20000000 };
	struct fixture *f = arg;

	nanosleep(&soon, NULL);
	sem_post(&f->go_on);
	return NULL;
}

/* Check that @leave returns only when no thread reads the memory any more. */
static void check_leaving(struct fixture *f, void (*leave)(struct fixture *f))
{
	pthread_t thread;

	f->blocks = true;
	start(f);
	collector_begin_trace(f->collector, &f->sink);
	trace_to(f, 0, WATERMARK);
	collector_drain_all(f->collector);
	sem_wait(&f->in);
	f->blocks = false;
	assert_int_equal(pthread_create(&thread, NULL, let_go_on_soon, f), 0);
	leave(f);
	assert_true(atomic_load(&f->left));
	pthread_join(thread, NULL);
	assert_false(f->wrong);
}

static void end_trace(struct fixture *f)
{
	collector_end_trace(f->collector);
}

static void leave_ring(struct fixture *f)
{
	collector_retire(f->collector, 0);
	collector_leave_trace(f->collector, 0);
}

TEST(test_end_waits)
{
	check_leaving(*state, end_trace);
}

/* What is left in the ring is passed to the sink first. */
TEST(test_leave)
{
	struct fixture *f = *state;

	check_leaving(f, leave_ring);
	assert_int_equal(f->at[0], WATERMARK);
	trace_to(f, 0, WATERMARK + 100);
	collector_flush_trace(f->collector);
	assert_int_equal(tail_of(f, 0), WATERMARK);
	collector_end_trace(f->collector);
}

TEST(test_leave_takes_the_rest)
{
	struct fixture *f = *state;

	f->opts.lanes = false;
	start(f);
	collector_begin_trace(f->collector, &f->sink);
	trace_to(f, 0, 700);
	collector_retire(f->collector, 0);
	trace_to(f, 0, 800);
	collector_leave_trace(f->collector, 0);
	assert_int_equal(f->at[0], 800);
	collector_leave_trace(f->collector, 99);
	assert_false(f->wrong);
}

/*
 * The kernel disabled the event for lack of room: it is reenabled when there is
 * room, not before.
 */
TEST(test_truncated)
{
	uint64_t samples, peak;
	struct fixture *f = *state;
	struct ring_stats stats;

	f->opts.lanes = false;
	start(f);
	collector_begin_trace(f->collector, &f->sink);
	trace_to(f, 0, AUX_SIZE);
	put_truncated(f);
	collector_drain(f->collector, 0);
	assert_int_equal(atomic_load(&f->answered), 0);
	collector_flush_trace(f->collector);
	assert_int_equal(tail_of(f, 0), AUX_SIZE);
	assert_int_equal(atomic_load(&f->answered), 1);
	collector_read(f->collector, 0, &stats, &samples, 1, &peak);
	assert_int_equal(stats.aux.truncated, 1);
	assert_int_equal(stats.aux.reenabled, 1);
	assert_int_equal(stats.aux_peak, AUX_SIZE);
	/* once */
	collector_drain(f->collector, 0);
	collector_flush_trace(f->collector);
	assert_int_equal(atomic_load(&f->answered), 1);
}

/* The record of it may come after the ring was emptied. */
TEST(test_truncated_late)
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	struct fixture *f = *state;

	start(f);
	collector_begin_trace(f->collector, &f->sink);
	trace_to(f, 0, AUX_SIZE);
	wait_for_tail(f, 0, AUX_SIZE);
	put_truncated(f);
	collector_drain(f->collector, 0);
	while (!atomic_load(&f->answered))
		nanosleep(&ms, NULL);
	collector_end_trace(f->collector);
	assert_int_equal(atomic_load(&f->answered), 1);
}

/* Trace that a lane consumed between two drains counts for the peak, too. */
TEST(test_peak)
{
	uint64_t samples, peak;
	struct fixture *f = *state;
	struct ring_stats stats;

	start(f);
	collector_begin_trace(f->collector, &f->sink);
	trace_to(f, 0, AUX_SIZE - 5);
	wait_for_tail(f, 0, AUX_SIZE - 5);
	collector_drain(f->collector, 0);
	collector_read(f->collector, 0, &stats, &samples, 1, &peak);
	assert_int_equal(stats.aux_peak, AUX_SIZE - 5);
	collector_end_trace(f->collector);
}

/* Much trace at once is consumed in parts, and no record is split. */
TEST(test_pieces)
{
	struct fixture *f = *state;

	f->size = LARGE;
	f->sink.alignment = 24;
	f->opts.lanes = false;
	start(f);
	collector_begin_trace(f->collector, &f->sink);
	trace_to(f, 0, LARGE / 24 * 24);
	collector_flush_trace(f->collector);
	assert_int_equal(f->at[0], LARGE / 24 * 24);
	assert_true(f->pieces[0] >= 4);
	assert_in_range(f->longest, 1 << 19, 1 << 20);
	assert_false(f->bound_cut);
	assert_false(f->wrong);
}

TEST(test_whole)
{
	struct fixture *f = *state;

	f->size = LARGE;
	f->sink.alignment = 0;
	f->opts.lanes = false;
	start(f);
	collector_begin_trace(f->collector, &f->sink);
	trace_to(f, 0, LARGE);
	collector_flush_trace(f->collector);
	assert_int_equal(f->pieces[0], 1);
	assert_int_equal(f->longest, LARGE);
	assert_false(f->wrong);
}

TEST_GROUP(aux_lane, .each_setup = setup, .each_teardown = teardown);
