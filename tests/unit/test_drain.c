/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "collect/drain/drain.h"
#include "collect/drain/record_history.h"
#include "collect/drain/sample_queue.h"
#include "collect/triggers/trigger.h"
#include "fake_ring.h"

enum { SIZE = 4096, ID_A = 700, ID_B = 701, SELF = 99 };

struct fixture {
	struct fake_ring fake;
	struct drain drain;
	struct drain_tally tally;
	struct ring_stats stats;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	uint64_t ids[] = { 0, ID_A, ID_B };

	fake_ring_init(&f->fake, SIZE);
	assert_int_equal(drain_init(&f->drain, ids, NULL, 3, SELF), 0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	drain_free(&f->drain);
	fake_ring_free(&f->fake);
	free(f);
	return 0;
}

/* Renew the drain with other events. */
static void renew(struct fixture *f, const uint64_t *ids,
		  const uint32_t *tags, uint32_t nr)
{
	struct drain fresh;

	assert_int_equal(drain_renew(&fresh, &f->drain, ids, tags, nr), 0);
	drain_free(&f->drain);
	f->drain = fresh;
}

static void walk(struct fixture *f)
{
	drain_walk(&f->fake.ring, &f->drain, 0, &f->tally);
}

TEST(samples_go_to_their_events)
{
	struct fixture *f = *state;

	fake_ring_sample(&f->fake, ID_A, 1, 10, 56);
	fake_ring_sample(&f->fake, ID_B, 1, 11, 104);
	fake_ring_sample(&f->fake, ID_A, SELF, 12, 56);
	fake_ring_sample(&f->fake, 12345, 1, 13, 56);
	walk(f);
	assert_int_equal(f->tally.records, 4);
	assert_int_equal(f->tally.types[RECORD_SAMPLE], 4);
	assert_int_equal(f->drain.samples[0], 0);
	assert_int_equal(f->drain.samples[1], 2);
	assert_int_equal(f->drain.samples[2], 1);
	assert_int_equal(f->tally.unknown_ids, 1);
	assert_int_equal(f->tally.own, 1);
	assert_int_equal(f->tally.end, 56 + 104 + 56 + 56);
	assert_int_equal(f->fake.ring.page->data_tail, f->tally.end);
}

TEST(bursts_are_measured_by_the_times_of_samples)
{
	const uint64_t ms = 1000000;
	struct fixture *f = *state;

	fake_ring_sample(&f->fake, ID_A, 1, 1000 * ms, 104);
	fake_ring_sample(&f->fake, ID_A, 1, 1004 * ms, 56);
	walk(f);
	assert_int_equal(f->drain.burst.max, 160);
	drain_apply(&f->fake.ring, &f->drain, &f->tally, DRAIN_TIMER, 0,
		    &f->stats);
	/* in the next 5 ms, and in another drain */
	fake_ring_sample(&f->fake, ID_B, 1, 1006 * ms, 56);
	walk(f);
	assert_int_equal(f->drain.burst.max, 216);
	drain_apply(&f->fake.ring, &f->drain, &f->tally, DRAIN_TIMER, 0,
		    &f->stats);
	assert_int_equal(f->stats.burst, 216);
	/* later: those of the first 5 ms no longer count */
	fake_ring_sample(&f->fake, ID_B, 1, 1012 * ms, 104);
	/* times that go back, and other records, are of the latest */
	fake_ring_sample(&f->fake, ID_B, 1, 1001 * ms, 56);
	fake_ring_lost(&f->fake, 1);
	walk(f);
	assert_int_equal(f->drain.burst.max, 56 + 104 + 56 +
			 (f->tally.end - f->tally.start - 104 - 56));
	for (uint64_t i = 0; i < 3; i++)
		fake_ring_sample(&f->fake, ID_B, 1, 1100 * ms + i, 104);
	walk(f);
	drain_apply(&f->fake.ring, &f->drain, &f->tally, DRAIN_TIMER, 0,
		    &f->stats);
	assert_int_equal(f->drain.burst.max, 3 * 104);
	assert_int_equal(f->stats.burst, 3 * 104);
	ring_stats_begin(&f->stats);
	assert_int_equal(f->stats.burst, 0);
}

TEST(a_second_pass_finds_nothing)
{
	struct fixture *f = *state;

	fake_ring_sample(&f->fake, ID_A, 1, 10, 56);
	walk(f);
	walk(f);
	assert_int_equal(f->tally.records, 0);
	assert_int_equal(f->tally.start, f->tally.end);
	assert_int_equal(f->drain.samples[1], 1);
}

TEST(records_may_wrap_at_any_word)
{
	struct fixture *f = *state;

	for (uint64_t skip = SIZE - 104; skip <= SIZE; skip += 8) {
		uint64_t before = f->drain.samples[2];

		fake_ring_skip(&f->fake, SIZE + skip - f->fake.head % SIZE);
		fake_ring_sample(&f->fake, ID_B, 1, 77, 104);
		fake_ring_lost(&f->fake, 5);
		walk(f);
		assert_int_equal(f->drain.samples[2], before + 1);
		assert_int_equal(f->tally.lost, 5);
		assert_false(f->tally.broken);
	}
}

TEST(lost_records_are_summed)
{
	struct fixture *f = *state;

	fake_ring_lost(&f->fake, 1000);
	fake_ring_lost(&f->fake, 1);
	walk(f);
	drain_apply(&f->fake.ring, &f->drain, &f->tally, DRAIN_WAKEUP, 1000,
		    &f->stats);
	assert_int_equal(f->stats.lost, 1001);
	assert_int_equal(f->stats.types[RECORD_LOST], 2);
	assert_int_equal(f->stats.records, 2);
}

TEST(unknown_types_are_counted_as_other)
{
	struct fixture *f = *state;

	fake_ring_put(&f->fake, 4711, 16);
	walk(f);
	assert_int_equal(f->tally.types[RECORD_OTHER], 1);
	assert_int_equal(f->tally.records, 1);
}

TEST(absurd_sizes_end_the_pass)
{
	static const uint16_t sizes[] = { 0, 4, 7, 12, 4000, 65535 };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		fake_ring_sample(&f->fake, ID_A, 1, 10, 56);
		fake_ring_word(&f->fake, f->fake.head,
			       PERF_RECORD_SAMPLE | (uint64_t)sizes[i] << 48);
		f->fake.head += 64;
		f->fake.ring.page->data_head = f->fake.head;
		walk(f);
		assert_true(f->tally.broken);
		assert_int_equal(f->tally.records, 1);
		/* ... and the reader continues after it */
		assert_int_equal(f->tally.end, f->fake.head);
	}
}

/* Otherwise the walk would read the same memory again and again. */
TEST(a_head_too_far_ends_the_pass)
{
	struct fixture *f = *state;

	fake_ring_sample(&f->fake, ID_A, 1, 10, 56);
	f->fake.head += f->fake.ring.size;
	f->fake.ring.page->data_head = f->fake.head;
	walk(f);
	assert_true(f->tally.broken);
	assert_int_equal(f->tally.records, 0);
	assert_int_equal(f->tally.used, f->fake.ring.size);
	assert_int_equal(ring_tail(&f->fake.ring), f->fake.head);
}

TEST(short_samples_are_not_read_past)
{
	struct fixture *f = *state;

	fake_ring_put(&f->fake, PERF_RECORD_SAMPLE, 16);
	fake_ring_put(&f->fake, PERF_RECORD_LOST, 16);
	walk(f);
	assert_int_equal(f->tally.records, 2);
	assert_int_equal(f->tally.unknown_ids, 1);
	assert_int_equal(f->tally.lost, 0);
}

TEST(crossing_time_is_of_the_first_record_beyond)
{
	struct fixture *f = *state;

	f->fake.ring.watermark = 112;
	fake_ring_sample(&f->fake, ID_A, 1, 10, 56);
	fake_ring_sample(&f->fake, ID_A, 1, 20, 56);	/* ends on 112 */
	fake_ring_sample(&f->fake, ID_A, 1, 30, 56);	/* beyond */
	fake_ring_sample(&f->fake, ID_A, 1, 40, 56);
	fake_ring_sample(&f->fake, ID_A, 1, 50, 56);	/* beyond 224 */
	walk(f);
	assert_int_equal(f->tally.crossing_time, 30);
	drain_apply(&f->fake.ring, &f->drain, &f->tally, DRAIN_WAKEUP, 1030,
		    &f->stats);
	assert_int_equal(f->stats.crossings, 2);
	assert_int_equal(f->stats.latency.count, 1);
	assert_int_equal(f->stats.latency.max_ns, 1000);
}

TEST(side_band_tells_its_time_in_the_trailer)
{
	struct fixture *f = *state;
	uint64_t at;

	f->fake.ring.watermark = 8;
	at = fake_ring_put(&f->fake, PERF_RECORD_EXIT, 8 + 24 + 32);
	fake_ring_word(&f->fake, at + 8 + 24 + 8, 4242);
	walk(f);
	assert_int_equal(f->tally.crossing_time, 4242);
}

TEST(timer_drains_tell_no_latency)
{
	struct fixture *f = *state;

	f->fake.ring.watermark = 8;
	fake_ring_sample(&f->fake, ID_A, 1, 10, 56);
	walk(f);
	drain_apply(&f->fake.ring, &f->drain, &f->tally, DRAIN_TIMER, 1000,
		    &f->stats);
	assert_int_equal(f->stats.latency.count, 0);
	assert_int_equal(f->stats.timer_drains, 1);
	assert_int_equal(f->stats.drains, 1);
	assert_int_equal(f->stats.wakeups, 0);
	assert_int_equal(f->stats.peak, 56);
}

TEST(top_pids_see_every_sample)
{
	struct top_pid top[TOP_PIDS];
	struct fixture *f = *state;

	for (int i = 0; i < 10; i++)
		fake_ring_sample(&f->fake, ID_A, i % 3 ? 7u : 8u, 10, 56);
	walk(f);
	assert_int_equal(top_pids_sorted(&f->drain.pids, top), 2);
	assert_int_equal(top[0].pid, 7);
	assert_int_equal(top[0].samples, 6);
	assert_int_equal(top[1].samples, 4);
}

TEST(new_ids_keep_the_counts)
{
	uint64_t ids[] = { 0, 9001, 9002, 9003 };
	struct fixture *f = *state;

	fake_ring_sample(&f->fake, ID_B, 1, 10, 56);
	walk(f);
	renew(f, ids, NULL, 4);
	fake_ring_sample(&f->fake, 9002, 1, 10, 56);
	fake_ring_sample(&f->fake, 9003, 1, 10, 56);
	fake_ring_sample(&f->fake, ID_B, 1, 10, 56);	/* no longer ours */
	walk(f);
	assert_int_equal(f->drain.samples[2], 2);
	assert_int_equal(f->drain.samples[3], 1);
	assert_int_equal(f->tally.unknown_ids, 1);
}

/* The two are independent: either one may be discarded. */
TEST(a_renewed_drain_leaves_the_other_as_it_was)
{
	uint64_t ids[] = { 0, 9001, 9002, 9003 };
	struct fixture *f = *state;
	struct drain fresh;

	fake_ring_sample(&f->fake, ID_B, 1, 10, 56);
	walk(f);
	assert_int_equal(drain_renew(&fresh, &f->drain, ids, NULL, 4), 0);
	assert_int_equal(fresh.samples[2], 1);
	assert_int_equal(fresh.self, SELF);
	fake_ring_sample(&f->fake, ID_B, 1, 10, 56);
	fake_ring_sample(&f->fake, 9002, 1, 10, 56);
	walk(f);
	assert_int_equal(f->drain.nr_events, 3);
	assert_int_equal(f->drain.samples[2], 2);
	assert_int_equal(f->tally.unknown_ids, 1);
	assert_int_equal(fresh.samples[2], 1);
	drain_free(&fresh);
}

TEST_WITH(ids_that_collide_are_told_apart, NULL, NULL)
{
	uint64_t ids[64];
	struct drain drain;
	struct fake_ring fake;
	struct drain_tally tally;

	for (uint64_t i = 0; i < 64; i++)
		ids[i] = 1 + i * 1024;
	assert_int_equal(drain_init(&drain, ids, NULL, 64, 0), 0);
	fake_ring_init(&fake, 8192);
	for (uint64_t i = 0; i < 64; i++)
		fake_ring_sample(&fake, ids[i], 1, 1, 56);
	drain_walk(&fake.ring, &drain, 0, &tally);
	for (int i = 0; i < 64; i++)
		assert_int_equal(drain.samples[i], 1);
	assert_int_equal(tally.unknown_ids, 0);
	fake_ring_free(&fake);
	drain_free(&drain);
}

/* Copies in the queue */

enum { QUEUE = 65536 };

/* Copy all records, as long as they come no faster than @rate. */
static void feed(struct fixture *f, double rate)
{
	static const uint64_t ids[] = { 0, ID_A, ID_B };
	static const uint32_t tags[] = { 30, 31, 32 };

	renew(f, ids, tags, 3);
	f->drain.feed = (struct drain_feed){
		.queue = sample_queue_new(QUEUE),
		.slot = 7,
		.switches = true,
	};
	sampler_init(&f->drain.feed.sampler, 1, rate);
}

static void end_feed(struct fixture *f)
{
	struct queued head;

	assert_null(sample_queue_pop(f->drain.feed.queue, &head));
	sample_queue_free(f->drain.feed.queue);
}

static const uint64_t *pop(struct fixture *f, uint32_t size, uint32_t weight,
			   uint32_t tag)
{
	struct queued head = { 0 };
	const void *record = sample_queue_pop(f->drain.feed.queue, &head);

	assert_non_null(record);
	assert_int_equal(head.size, size);
	assert_int_equal(head.weight, weight);
	assert_int_equal(head.tag, tag);
	assert_int_equal(head.slot, 7);
	return record;
}

TEST(samples_are_copied_with_their_tags)
{
	struct fixture *f = *state;
	const uint64_t *words;

	feed(f, 1000);
	fake_ring_skip(&f->fake, SIZE - 88);
	fake_ring_sample(&f->fake, ID_A, 5, 10, 56);
	fake_ring_sample(&f->fake, ID_B, 6, 11, 104);	/* it wraps */
	fake_ring_sample(&f->fake, 12345, 7, 12, 56);	/* unknown event */
	fake_ring_put(&f->fake, PERF_RECORD_SAMPLE, 16);	/* too short */
	walk(f);
	words = pop(f, 56, 1, 31);
	assert_int_equal(words[0], PERF_RECORD_SAMPLE | 56ull << 48);
	assert_int_equal(words[RECORD_SAMPLE_ID / 8], ID_A);
	words = pop(f, 104, 1, 32);
	assert_int_equal(words[RECORD_SAMPLE_ID / 8], ID_B);
	assert_int_equal(words[RECORD_SAMPLE_TIME / 8], 11);
	end_feed(f);
	assert_int_equal(f->tally.records, 4);
}

TEST(the_side_band_is_copied_and_the_rest_is_not)
{
	static const uint32_t copied[] = {
		PERF_RECORD_MMAP, PERF_RECORD_MMAP2, PERF_RECORD_COMM,
		PERF_RECORD_FORK, PERF_RECORD_EXIT, PERF_RECORD_SWITCH,
		PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_NAMESPACES,
		PERF_RECORD_KSYMBOL, PERF_RECORD_CGROUP,
		/* records may be among those lost */
		PERF_RECORD_LOST,
		/* needed in files regardless of age */
		PERF_RECORD_AUX_OUTPUT_HW_ID,
	};
	static const uint32_t not[] = {
		0, PERF_RECORD_THROTTLE,
		PERF_RECORD_UNTHROTTLE, PERF_RECORD_READ, PERF_RECORD_AUX,
		PERF_RECORD_ITRACE_START, PERF_RECORD_LOST_SAMPLES,
		/* nothing uses these */
		PERF_RECORD_BPF_EVENT, PERF_RECORD_TEXT_POKE,
		31, 32, 40, 64, 4711,
		UINT32_MAX,
	};
	struct fixture *f = *state;

	/* at this rate no sample would be copied */
	feed(f, 1e-9);
	for (size_t i = 0; i < sizeof(not) / sizeof(not[0]); i++)
		fake_ring_put(&f->fake, not[i], 40);
	for (size_t i = 0; i < sizeof(copied) / sizeof(copied[0]); i++)
		fake_ring_put(&f->fake, copied[i], (uint16_t)(40 + 8 * i));
	walk(f);
	for (size_t i = 0; i < sizeof(copied) / sizeof(copied[0]); i++) {
		const uint64_t *words = pop(f, (uint32_t)(40 + 8 * i), 0, 0);

		assert_int_equal(words[0] & UINT32_MAX, copied[i]);
	}
	end_feed(f);
}

/* Counting is exact even if few are copied; weights account for the others. */
TEST(a_storm_is_counted_whole_and_copied_in_part)
{
	struct fixture *f = *state;
	uint64_t weight = 0, copies = 0;
	struct queued head;

	feed(f, 1000);
	for (uint64_t pass = 0; pass < 5000; pass++) {
		/* 50 per ms */
		for (int i = 0; i < 50; i++)
			fake_ring_sample(&f->fake, ID_A, 1, pass, 56);
		drain_walk(&f->fake.ring, &f->drain, (pass + 1) * 1000000,
			   &f->tally);
		while (sample_queue_pop(f->drain.feed.queue, &head)) {
			weight += head.weight;
			copies++;
		}
	}
	assert_int_equal(f->drain.samples[1], 250000);
	assert_in_range(copies, 5 * 900, 6 * 1000 + 1000);
	assert_in_range(weight, 248000, 252000);
	end_feed(f);
}

TEST(a_full_queue_costs_detail_alone)
{
	struct fixture *f = *state;

	feed(f, 1e9);
	for (int pass = 1; pass <= 100; pass++) {
		for (int i = 0; i < 50; i++)
			fake_ring_sample(&f->fake, ID_A, 1, 1, 56);
		drain_walk(&f->fake.ring, &f->drain,
			   (uint64_t)pass * 1000000000, &f->tally);
		assert_int_equal(f->tally.types[RECORD_SAMPLE], 50);
	}
	assert_int_equal(f->drain.samples[1], 5000);
	assert_int_equal(sample_queue_dropped(f->drain.feed.queue),
			 5000 - QUEUE * 3 / 4 / 72);
	assert_true(f->drain.feed.sampler.share < 0.02);
	for (int i = 0; i < QUEUE * 3 / 4 / 72; i++)
		pop(f, 56, 1, 31);
	end_feed(f);
}

/*
 * A pass that begins at second @at, with @samples samples of 56 bytes waiting.
 */
static void pass_of(struct fixture *f, int samples, uint64_t at)
{
	for (int i = 0; i < samples; i++)
		fake_ring_sample(&f->fake, ID_A, 1, 1, 56);
	drain_walk(&f->fake.ring, &f->drain, at * 1000000000, &f->tally);
}

/* It slows down long before the queue is full. */
TEST(a_crowded_queue_slows_the_sampler)
{
	struct fixture *f = *state;
	const struct sampler *s = &f->drain.feed.sampler;
	const uint64_t half = QUEUE / 2 / 72 + 1;
	uint64_t at = 1, copies;
	struct queued head;

	feed(f, 1e9);
	for (copies = 0; copies < half; copies += 35)
		pass_of(f, 35, at++);
	assert_true(s->share >= 1);
	pass_of(f, 1, at++);
	assert_true(s->share <= 0.5);
	assert_int_equal(sample_queue_dropped(f->drain.feed.queue), 0);
	/* and it recovers when the queue is empty again */
	while (sample_queue_pop(f->drain.feed.queue, &head))
		;
	pass_of(f, 0, at++);
	assert_true(s->share >= 1);
	end_feed(f);
}

/* k is based on the rate of previous samples. */
TEST(k_is_chosen_before_the_burst_is_walked)
{
	struct fixture *f = *state;
	struct queued head;
	uint64_t copies = 0;

	feed(f, 10);
	fake_ring_put(&f->fake, PERF_RECORD_COMM, 40);
	drain_walk(&f->fake.ring, &f->drain, 1000000000, &f->tally);
	pop(f, 40, 0, 0);
	for (int i = 0; i < 60; i++)
		fake_ring_sample(&f->fake, ID_A, 1, 1, 56);
	drain_walk(&f->fake.ring, &f->drain, 2000000000, &f->tally);
	while (sample_queue_pop(f->drain.feed.queue, &head))
		copies++;
	/* no samples before: all are copied */
	assert_int_equal(copies, 60);
	/* reads in between that found nothing change nothing */
	for (int i = 0; i < 10000; i++)
		drain_walk(&f->fake.ring, &f->drain, 2000000000, &f->tally);
	for (int i = 0; i < 60; i++)
		fake_ring_sample(&f->fake, ID_A, 1, 1, 56);
	drain_walk(&f->fake.ring, &f->drain, 2001000000, &f->tally);
	for (copies = 0; sample_queue_pop(f->drain.feed.queue, &head);)
		copies++;
	assert_in_range(copies, 1, 5);
	end_feed(f);
}

TEST(switches_are_copied_where_they_are_listed)
{
	struct fixture *f = *state;

	feed(f, 1000);
	f->drain.feed.switches = false;
	fake_ring_put(&f->fake, PERF_RECORD_SWITCH, 40);
	fake_ring_put(&f->fake, PERF_RECORD_SWITCH_CPU_WIDE, 48);
	fake_ring_put(&f->fake, PERF_RECORD_COMM, 64);
	walk(f);
	pop(f, 64, 0, 0);
	end_feed(f);
}

/* AUX rings */

static void put_aux(struct fixture *f, uint64_t offset, uint64_t size,
		    uint64_t flags, uint64_t time)
{
	uint64_t at = fake_ring_put(&f->fake, PERF_RECORD_AUX, 64);

	fake_ring_word(&f->fake, at + 8, offset);
	fake_ring_word(&f->fake, at + 16, size);
	fake_ring_word(&f->fake, at + 24, flags);
	fake_ring_word(&f->fake, at + 40, time);
}

static const struct aux_stats *apply(struct fixture *f)
{
	drain_apply(&f->fake.ring, &f->drain, &f->tally, DRAIN_TIMER, 0,
		    &f->stats);
	return &f->stats.aux;
}

TEST(aux_records_are_counted)
{
	struct fixture *f = *state;
	const struct aux_stats *aux;

	put_aux(f, 0, 4096, 0, 11);
	put_aux(f, 4096, 100, PERF_AUX_FLAG_TRUNCATED, 12);
	walk(f);
	put_aux(f, 4196, 50, PERF_AUX_FLAG_PARTIAL |
		PERF_AUX_FLAG_COLLISION, 13);
	fake_ring_put(&f->fake, PERF_RECORD_ITRACE_START, 48);
	fake_ring_put(&f->fake, PERF_RECORD_ITRACE_START, 48);
	fake_ring_put(&f->fake, PERF_RECORD_AUX_OUTPUT_HW_ID, 48);
	/* too short to be valid */
	fake_ring_put(&f->fake, PERF_RECORD_AUX, 24);
	walk(f);
	aux = apply(f);
	assert_int_equal(aux->records, 3);
	assert_int_equal(aux->bytes, 4246);
	assert_int_equal(aux->truncated, 1);
	assert_int_equal(aux->partial, 1);
	assert_int_equal(aux->collision, 1);
	assert_int_equal(aux->overwrite, 0);
	assert_int_equal(aux->itrace_starts, 2);
	assert_int_equal(aux->hw_ids, 1);
	assert_int_equal(aux->wraps, 0);
	assert_int_equal(aux->last_end, 4196);
	assert_int_equal(aux->last_time, 13);
}

/* For heads that are offsets; free-running heads never fall. */
TEST(heads_that_fall_are_wraps)
{
	struct fixture *f = *state;
	static const uint64_t heads[] = { 100, 5000, 4000, 4000, 8000, 1 };

	for (int i = 0; i < 6; i++) {
		put_aux(f, heads[i], 8192, PERF_AUX_FLAG_OVERWRITE, 1);
		walk(f);
	}
	assert_int_equal(apply(f)->wraps, 2);
	assert_int_equal(f->stats.aux.overwrite, 6);
	/* one opened again in full trace begins at 0 */
	put_aux(f, 0, 10, 0, 1);
	walk(f);
	assert_int_equal(apply(f)->wraps, 2);
}

/* The history */

TEST(a_history_has_all_that_was_read)
{
	struct fixture *f = *state;
	_Alignas(8) unsigned char buf[65536];
	uint64_t at = 0, missed = 0;

	f->drain.history = record_history_new(65536);
	fake_ring_skip(&f->fake, SIZE - 64);
	fake_ring_sample(&f->fake, ID_A, 1, 10, 104);
	fake_ring_put(&f->fake, PERF_RECORD_SWITCH, 40);
	walk(f);
	/* an invalid record, and all after it, is not kept */
	fake_ring_sample(&f->fake, ID_A, 1, 10, 56);
	fake_ring_put(&f->fake, PERF_RECORD_SAMPLE, 60);
	walk(f);
	assert_true(f->tally.broken);
	assert_int_equal(record_history_read(f->drain.history, &at, buf,
					     sizeof(buf), &missed),
			 104 + 40 + 56);
	assert_memory_equal(buf + 8, &(uint64_t){ ID_A }, 8);
	walk(f);
	assert_int_equal(record_history_end(f->drain.history), 200);
	record_history_free(f->drain.history);
}

/* Watched CPUs and tasks */

static const char *const watched[] = { "first", "second", "third" };

static bool fires(struct fixture *f, const char *text)
{
	const struct trigger_events events = { .names = watched, .nr = 3 };
	struct trigger_hit hit;
	bool fired;

	f->drain.trigger = trigger_new(text, &events, NULL);
	f->drain.slot = 4;
	assert_non_null(f->drain.trigger);
	trigger_arm(f->drain.trigger);
	fake_ring_sample(&f->fake, ID_B, 21, 10, 56);
	fake_ring_word(&f->fake, f->fake.head - 16, 6);	/* its CPU */
	fake_ring_lost(&f->fake, 3);
	walk(f);
	fired = trigger_take(f->drain.trigger, &hit);
	if (fired)
		assert_int_equal(hit.slot, 4);
	trigger_free(f->drain.trigger);
	f->drain.trigger = NULL;
	return fired;
}

TEST(a_trigger_sees_every_record)
{
	struct fixture *f = *state;

	f->drain.cpu = -1;
	f->drain.cpu_at = 40;
	assert_true(fires(f, "lost"));
	assert_false(fires(f, "throttle"));
	assert_true(fires(f, "fill>2%"));
	assert_false(fires(f, "fill>3%"));
	assert_true(fires(f, "event==third && tid==21 && cpu==6"));
	assert_false(fires(f, "event==second"));
	/* a ring of a CPU has samples of no other */
	f->drain.cpu = 2;
	assert_true(fires(f, "cpu==2"));
	assert_false(fires(f, "cpu==6"));
	/* the ring of a CPU that is not watched: neither losses nor fill */
	f->drain.side_band_only = true;
	assert_false(fires(f, "lost"));
	assert_false(fires(f, "fill>2%"));
}

TEST_GROUP(drain, .each_setup = setup, .each_teardown = teardown);
