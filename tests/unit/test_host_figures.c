/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "base/cpulist.h"
#include "host_rig.h"

/*
 * A pass a second later, with the first ring's head and tail at these
 * positions.
 */
static struct host_pass_ring *at(struct rig *rig, uint64_t head, uint64_t tail)
{
	struct host_pass_ring *r = look(rig);

	r->head = head;
	r->tail = tail;
	return r;
}

TEST(test_fill)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	at(rig, 200000, 200000 - 16384);
	row = seen(rig);
	assert_int_equal(row->head, 200000);
	assert_int_equal(row->tail, 183616);
	assert_int_equal(row->used, 16384);
	assert_near(row->fill, 0.25);
	assert_near(row->peak, 0.25);
	assert_near(row->peak_tick, 0.25);
}

static bool warns(const struct ring_row *row, enum ring_warning warning)
{
	return row->warnings >> warning & 1;
}

/*
 * The tail is written by the process that maps the ring, so any value is
 * possible: the kernel computes the free space modulo the size.
 */
TEST(test_tail_is_not_trusted)
{
	struct rig *rig = *state;

	at(rig, 1000, 5000);
	assert_int_equal(seen(rig)->used, SIZE - 4000);
	assert_true(warns(only(rig), RING_WARN_BAD_TAIL));
	at(rig, 1 << 20, 16);
	assert_int_equal(seen(rig)->used, SIZE - 16);
	assert_true(warns(only(rig), RING_WARN_BAD_TAIL));
	at(rig, 1 << 20, UINT64_MAX);
	assert_int_equal(seen(rig)->used, 1);
	at(rig, 1 << 20, (1 << 20) - 2 * SIZE);
	assert_int_equal(seen(rig)->used, 0);
	assert_true(only(rig)->bad_tail);
}

/*
 * Valid tails: a ring is never full to the last byte, and is empty if tail is
 * head.
 */
TEST(test_good_tails)
{
	struct rig *rig = *state;

	at(rig, 1 << 20, (1 << 20) - SIZE + 8);
	assert_int_equal(seen(rig)->used, SIZE - 8);
	assert_false(only(rig)->bad_tail);
	at(rig, 1 << 20, 1 << 20);
	assert_int_equal(seen(rig)->used, 0);
	assert_false(only(rig)->bad_tail);
}

/* A wrong tail is kept for the whole tick. */
TEST(test_bad_tail_of_a_tick)
{
	struct rig *rig = *state;

	at(rig, 1000, 5000);
	add(rig);
	at(rig, 1000, 1000);
	assert_true(warns(seen(rig), RING_WARN_BAD_TAIL));
	at(rig, 1000, 1000);
	assert_false(warns(seen(rig), RING_WARN_BAD_TAIL));
}

/* The kernel does not read the tail of an overwrite ring. */
TEST(test_overwrite_has_no_tail)
{
	struct rig *rig = *state;

	at(rig, 1000, UINT64_MAX / 2)->overwrite = true;
	assert_int_equal(seen(rig)->used, 1000);
	assert_false(only(rig)->bad_tail);
}

/* A larger ring would not have prevented what a wrong tail lost. */
TEST(test_bad_tail_makes_no_advice)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	for (unsigned int i = 0; i < 4; i++) {
		at(rig, 1000, 5000);
		rig->pass.events[0].event.lost = 100 * i;
		row = seen(rig);
	}
	assert_int_equal(row->lost, 300);
	assert_false(row->advice.valid);
}

/* The positions of a BPF ring buffer are compared as they are. */
TEST(test_consumer_is_not_trusted)
{
	struct rig *rig = *state;
	struct host_pass_ring *r = at(rig, 1000, 5000);

	r->kind = RING_BPF;
	r->watermark = 0;
	assert_int_equal(seen(rig)->used, SIZE);
	assert_true(warns(only(rig), RING_WARN_BAD_TAIL));
	r = at(rig, 5000, 1000);
	r->kind = RING_BPF;
	assert_int_equal(seen(rig)->used, 4000);
	assert_false(warns(only(rig), RING_WARN_BAD_TAIL));
}

/* The first picture has no interval for rates. */
TEST(test_rates)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	at(rig, 1000000, 1000000);
	row = seen(rig);
	assert_true(isnan(row->bytes_per_s));
	assert_true(isnan(row->lost_per_s));
	assert_int_equal(row->bytes, 0);
	assert_near(frame(rig)->interval, 0);

	/* Two passes, then a picture. */
	at(rig, 1002000, 1001000);
	add(rig);
	at(rig, 1003000, 1003000);
	row = seen(rig);
	assert_int_equal(row->bytes, 3000);
	assert_near(row->bytes_per_s, 1500);
	assert_int_equal(row->drains, 2);
	assert_near(row->drains_per_s, 1);
	assert_near(rig->mono, 1003);
	/* No pass since: the row stays the same. */
	row = only(rig);
	assert_near(row->bytes_per_s, 1500);
	assert_near(frame(rig)->interval, 2);
	assert_int_equal(row->histories->fill.nr, 1);
}

/* A picture before the first pass does not hide the time since that. */
TEST(test_interval)
{
	struct rig *rig = *state;

	frame(rig);
	at(rig, 0, 0);
	add(rig);
	assert_near(frame(rig)->interval, 0);
	at(rig, 0, 0);
	add(rig);
	assert_near(frame(rig)->interval, 1);
	at(rig, 0, 0);
	add(rig);
	at(rig, 0, 0);
	add(rig);
	assert_near(frame(rig)->interval, 2);
}

/* A ring that appeared later has rates over the time that it was seen. */
TEST(test_rate_of_a_late_one)
{
	struct rig *rig = *state;
	const struct host *host;

	begin(rig, 1, HOST_ALL);
	add(rig);
	frame(rig);
	begin(rig, 0.5, HOST_ALL);
	usual(rig)->head = 100;
	add(rig);
	begin(rig, 0.5, HOST_ALL);
	usual(rig)->head = 600;
	add(rig);
	host = frame(rig);
	assert_near(host->interval, 1);
	assert_near(host->rows[0].bytes_per_s, 1000);
}

/* A crossing is strictly beyond the watermark. */
TEST(test_crossings)
{
	struct rig *rig = *state;

	at(rig, 3 * WATERMARK, 3 * WATERMARK)->wakeup = 2 * WATERMARK;
	assert_int_equal(seen(rig)->crossings, 2);
	assert_int_equal(only(rig)->next_crossing, 3 * WATERMARK);
	at(rig, 3 * WATERMARK + 8, 3 * WATERMARK)->wakeup = 3 * WATERMARK;
	assert_int_equal(seen(rig)->crossings, 3);
	assert_int_equal(only(rig)->next_crossing, 4 * WATERMARK);
}

/*
 * The kernel advances its wakeup position by one watermark per record, so it
 * falls behind if records are larger: each of them wakes.
 */
TEST(test_next_crossing_of_large_records)
{
	struct rig *rig = *state;
	struct host_pass_ring *r = at(rig, 63352, 63352);

	r->watermark = 1;
	r->wakeup = 813;
	assert_int_equal(seen(rig)->next_crossing, 63352);
	r = at(rig, 63352, 63352);
	r->watermark = 1;
	r->wakeup = 63352;
	assert_int_equal(seen(rig)->next_crossing, 63353);
}

TEST(test_wakeups_by_watermark)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	at(rig, 0, 0)->wakeup = 7 * WATERMARK;
	assert_int_equal(seen(rig)->wakeups, 0);
	at(rig, 0, 0)->wakeup = 12 * WATERMARK;
	row = seen(rig);
	assert_int_equal(row->wakeups, 5);
	assert_near(row->wakeups_per_s, 5);
	assert_int_equal(row->wakeup_events, 0);
}

/* One figure counts crossings and wakeups by number of events. */
TEST(test_wakeups_by_events)
{
	struct rig *rig = *state;
	struct host_pass_ring *r;

	r = at(rig, 0, 0);
	r->by_watermark = false;
	r->wakeup = WATERMARK + 17;
	add(rig);
	r = at(rig, 0, 0);
	r->by_watermark = false;
	r->wakeup = 3 * WATERMARK + 17 + 40;
	rig->pass.events[0].wakeup_events = 4;
	assert_int_equal(seen(rig)->wakeups, 42);
	assert_int_equal(only(rig)->wakeup_events, 4);
}

/* The head runs down from 0, and the tail does not move. */
TEST(test_backward)
{
	struct rig *rig = *state;
	const struct ring_row *row;
	struct host_pass_ring *r;

	r = at(rig, 0 - (uint64_t)1000, 0);
	r->overwrite = r->backward = true;
	add(rig);
	r = at(rig, 0 - (uint64_t)(3 * SIZE), 0);
	r->overwrite = r->backward = true;
	r->wakeup = 5 * WATERMARK;
	row = seen(rig);
	assert_int_equal(row->head, 3 * SIZE);
	assert_int_equal(row->bytes, 3 * SIZE - 1000);
	assert_int_equal(row->crossings, 5);
	assert_int_equal(row->wakeups, 5);
	assert_int_equal(row->next_crossing, 0);
	assert_int_equal(row->used, SIZE);
	assert_near(row->fill, 1);
	assert_int_equal(row->remapped, 0);
	assert_near(row->undrained, 0);
	assert_true(isnan(row->drains_per_s));
	assert_int_equal(row->warnings, 0);
	assert_non_null(strstr(row->advice.reason, "overwrite"));
}

TEST(test_backward_half_full)
{
	struct rig *rig = *state;
	struct host_pass_ring *r = at(rig, 0 - (uint64_t)(SIZE / 2), 0);

	r->overwrite = r->backward = true;
	assert_near(seen(rig)->fill, 0.5);
}

/* The highest fill seen; that of a tick begins again. */
TEST(test_peaks)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	at(rig, 49152, 0);
	add(rig);
	at(rig, 49152, 32768);
	row = seen(rig);
	assert_near(row->fill, 0.25);
	assert_near(row->peak, 0.75);
	assert_near(row->peak_tick, 0.75);
	at(rig, 49152, 49152);
	row = seen(rig);
	assert_near(row->peak, 0.75);
	assert_near(row->peak_tick, 0);
}

/* A lost record shows that the ring was full, though no pass saw it. */
TEST(test_peak_of_a_loss)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	at(rig, 1000, 1000);
	assert_near(seen(rig)->peak, 0);
	at(rig, 300000, 299000);
	rig->pass.events[0].event.lost = 1;
	row = seen(rig);
	assert_near(row->fill, 1000.0 / SIZE);
	assert_near(row->peak, 1);
	assert_near(row->peak_tick, 1);
	at(rig, 300000, 300000);
	rig->pass.events[0].event.lost = 1;
	row = seen(rig);
	assert_near(row->peak, 1);
	assert_near(row->peak_tick, 0);
}

/* But a record lost in a pause does not. */
TEST(test_peak_of_a_pause)
{
	struct rig *rig = *state;

	at(rig, 1000, 1000)->paused = true;
	add(rig);
	at(rig, 1000, 1000)->paused = true;
	rig->pass.events[0].event.lost = 1;
	assert_near(seen(rig)->peak, 0);
}

/* From the first pass that finds data until the tail moves. */
TEST(test_undrained)
{
	struct rig *rig = *state;

	at(rig, 0, 0);
	assert_near(seen(rig)->undrained, 0);
	at(rig, 100, 0);
	assert_near(seen(rig)->undrained, 0);
	at(rig, 200, 0);
	assert_near(seen(rig)->undrained, 1);
	at(rig, 200, 0);
	assert_near(seen(rig)->undrained, 2);
	/* It drained, but not all: the remaining data came then. */
	at(rig, 200, 150);
	assert_near(seen(rig)->undrained, 0);
	at(rig, 200, 150);
	assert_near(seen(rig)->undrained, 1);
	at(rig, 200, 200);
	assert_near(seen(rig)->undrained, 0);
	assert_near(only(rig)->worst_gap, 2);
	/* An empty ring has nothing to drain. */
	at(rig, 200, 200);
	at(rig, 200, 200);
	assert_near(seen(rig)->undrained, 0);
	assert_int_equal(only(rig)->drains, 2);
}

TEST(test_lost)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	for (unsigned int i = 0; i < 2; i++) {
		look(rig)->lost = 4;
		rig->pass.events[0].event.lost = 10 + i;
		event(rig, ID + 1, KEY, false)->event.lost = 20 + 2 * i;
		row = seen(rig);
		assert_int_equal(row->lost, 30 + 3 * i);
		assert_int_equal(row->lost_pending, 4);
		assert_int_equal(row->lost_reported, 26 + 3 * i);
	}
	assert_near(row->lost_per_s, 3);
	assert_near(row->events[0].lost_per_s, 1);
	assert_near(row->events[1].lost_per_s, 2);
}

/*
 * The ring's pending count and the events' counts are not read at the same
 * time; reported losses never decrease, and the rest is pending.
 */
TEST(test_reported_never_falls)
{
	static const uint64_t lost[] = { 100, 150, 160 };
	static const uint64_t pending[] = { 40, 92, 10 };
	static const uint64_t reported[] = { 60, 60, 150 };
	struct rig *rig = *state;
	const struct ring_row *row;

	for (size_t i = 0; i < 3; i++) {
		look(rig)->lost = pending[i];
		rig->pass.events[0].event.lost = lost[i];
		row = seen(rig);
		assert_int_equal(row->lost, lost[i]);
		assert_int_equal(row->lost_reported, reported[i]);
		assert_int_equal(row->lost_pending, lost[i] - reported[i]);
	}
	/* Nor with the ring that replaces it. */
	look(rig)->lost = 10;
	rig->pass.rings[0].size = 2 * SIZE;
	rig->pass.events[0].event.lost = 165;
	row = seen(rig);
	assert_int_equal(row->lost_reported, 155);
	assert_int_equal(row->lost_pending, 10);
}

/* The past losses of an event that joins are not of this tick. */
TEST(test_lost_before_it_was_seen)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	look(rig);
	add(rig);
	look(rig);
	event(rig, ID + 1, KEY, false)->event.lost = 500;
	row = seen(rig);
	assert_int_equal(row->lost, 500);
	assert_near(row->lost_per_s, 0);
}

/*
 * A ring that was made, drained and overrun between two passes lost all that
 * while it was watched: an owner that soon ends is advised, too.
 */
TEST(test_made_between_two_passes)
{
	struct rig *rig = *state;
	const struct ring_row *row;
	struct host_pass_ring *r;

	begin(rig, 1, HOST_ALL);
	add(rig);
	r = look(rig);
	r->head = 3 * SIZE;
	r->tail = 2 * SIZE;
	r->sizes = (struct host_sizes){ .nr = 8, .bytes = 8 * 64, .max = 64 };
	rig->pass.events[0].event.lost = 500;
	row = seen(rig);
	assert_int_equal(row->lost, 500);
	assert_int_equal(row->lost_before, 0);
	assert_int_equal(row->bytes, 3 * SIZE);
	assert_near(row->bytes_per_s, 3 * SIZE);
	assert_int_equal(verdict_of(row), VERDICT_TOO_SMALL);
	assert_true(row->advice.pages > SIZE / PAGE);
	begin(rig, 1, HOST_ALL);
	row = seen(rig);
	assert_true(row->gone);
	assert_int_equal(verdict_of(row), VERDICT_TOO_SMALL);
}

/* It may have been made just now: without a loss, that is no long gap. */
TEST(test_made_long_after_a_pass)
{
	struct rig *rig = *state;
	const struct ring_row *row = NULL;
	struct host_pass_ring *r;

	begin(rig, 1, HOST_ALL);
	add(rig);
	rig->mono += 20;
	for (uint64_t i = 3; i < 20; i++) {
		r = look(rig);
		r->head = i * SIZE / 8;
		r->tail = i * SIZE / 8 - 64;
		row = seen(rig);
	}
	assert_true(row->advice.need <= SIZE / 2);
	assert_int_equal(verdict_of(row), VERDICT_OK);
}

/* The same of one that is there in the first pass says nothing of its size. */
TEST(test_older_than_the_first_pass)
{
	struct rig *rig = *state;
	const struct ring_row *row;
	struct host_pass_ring *r = look(rig);

	r->head = 3 * SIZE;
	r->tail = 2 * SIZE;
	rig->pass.events[0].event.lost = 500;
	row = seen(rig);
	assert_int_equal(row->lost, 500);
	assert_int_equal(row->bytes, 0);
	assert_int_not_equal(verdict_of(row), VERDICT_TOO_SMALL);
}

/* Before Linux 6.0 only pending losses are known. */
TEST(test_lost_of_old_kernels)
{
	static const uint64_t pending[] = { 5, 9, 2, 2 };
	static const double rates[] = { NAN, 4, 0, 0 };
	struct rig *rig = *state;
	const struct ring_row *row;

	for (size_t i = 0; i < 4; i++) {
		look(rig)->lost = pending[i];
		rig->pass.events[0].event.lost = UNKNOWN;
		row = seen(rig);
		assert_true(row->lost == UNKNOWN);
		assert_true(row->lost_reported == UNKNOWN);
		assert_int_equal(row->lost_pending, pending[i]);
		if (i)
			assert_near(row->lost_per_s, rates[i]);
		assert_int_equal(!!(row->warnings & 1 << RING_WARN_LOSING),
				 i == 1);
	}
	assert_true(isnan(row->events[0].lost_per_s));
}

static void aux_at(struct rig *rig, bool overwrite, uint64_t head,
		   uint64_t tail)
{
	struct host_pass_ring *r = look(rig);

	r->aux.size = 1 << 20;
	r->aux.watermark = 1 << 19;
	r->aux.head = head;
	r->aux.tail = tail;
	r->aux.overwrite = overwrite;
}

TEST(test_aux)
{
	struct rig *rig = *state;
	const struct ring_aux *aux;

	aux_at(rig, false, 5 << 20, 5 << 20);
	aux = &seen(rig)->aux;
	assert_true(isnan(aux->bytes_per_s));
	aux_at(rig, false, 11 << 19, 5 << 20);
	aux = &seen(rig)->aux;
	assert_int_equal(aux->size, 1 << 20);
	assert_int_equal(aux->watermark, 1 << 19);
	assert_int_equal(aux->head, 11 << 19);
	assert_int_equal(aux->tail, 5 << 20);
	assert_int_equal(aux->used, 1 << 19);
	assert_near(aux->fill, 0.5);
	assert_near(aux->bytes_per_s, 1 << 19);
}

/* With a wrong AUX tail the kernel finds no room. */
TEST(test_aux_tail_is_not_trusted)
{
	struct rig *rig = *state;

	aux_at(rig, false, 5 << 20, 6 << 20);
	assert_int_equal(seen(rig)->aux.used, 1 << 20);
	assert_true(warns(only(rig), RING_WARN_BAD_TAIL));
	aux_at(rig, false, 5 << 20, 1 << 20);
	assert_int_equal(seen(rig)->aux.used, 1 << 20);
	assert_true(only(rig)->aux.bad_tail);
	aux_at(rig, false, 5 << 20, 4 << 20);
	assert_int_equal(seen(rig)->aux.used, 1 << 20);
	assert_false(only(rig)->aux.bad_tail);
}

/*
 * In snapshot mode the head does not move between stops, and nothing is
 * drained.
 */
TEST(test_aux_snapshot)
{
	struct rig *rig = *state;
	const struct ring_aux *aux;

	aux_at(rig, true, 100, 0);
	add(rig);
	aux_at(rig, true, 70000, 0);
	aux = &seen(rig)->aux;
	assert_true(aux->overwrite);
	assert_int_equal(aux->head, 70000);
	assert_true(aux->used == UNKNOWN);
	assert_true(isnan(aux->fill));
	assert_true(isnan(aux->bytes_per_s));
}

TEST(test_reset)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	for (uint64_t i = 0; i < 4; i++) {
		at(rig, 60000, 0);
		add(rig);
	}
	row = only(rig);
	assert_near(row->worst_gap, 3);
	assert_int_equal(row->histories->fill.nr, 1);
	at(rig, 60000, 59000);
	add(rig);
	host_table_reset(rig->table);
	row = only(rig);
	assert_near(row->peak, 1000.0 / SIZE);
	assert_true(isnan(row->worst_gap));
	assert_int_equal(row->histories->fill.nr, 1);
	at(rig, 60000, 60000);
	row = seen(rig);
	assert_near(row->peak, 1000.0 / SIZE);
	assert_int_equal(row->histories->fill.nr, 2);
}

TEST(test_histories)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	at(rig, 0, 0);
	add(rig);
	at(rig, 16384, 0);
	rig->pass.events[0].event.lost = 3;
	row = seen(rig);
	assert_near(history_at(&row->histories->fill, 0), 1);
	assert_near(history_at(&row->histories->rate, 0), 16384);
	assert_near(history_at(&row->histories->lost, 0), 3);
}

/*
 * After losses before watching, the advice must not say that the size is fine.
 */
TEST(test_advice_after_a_loss)
{
	struct rig *rig = *state;

	for (unsigned int i = 0; i <= 4; i++) {
		at(rig, 40000 * i, 40000 * i - (i ? 30000 : 0));
		rig->pass.events[0].event.lost = 7;
		add(rig);
	}
	assert_non_null(strstr(only(rig)->advice.reason, "nothing else lost"));
}

/*
 * 64 K within a second, then 30 lost records; then no room for three seconds,
 * until it was drained.
 */
TEST(test_advice_of_a_loss)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	at(rig, 0, 0);
	add(rig);
	for (unsigned int i = 1; i <= 4; i++) {
		at(rig, 65536, 0)->wakeup = WATERMARK;
		rig->pass.events[0].event.lost = 10 * i;
		add(rig);
	}
	at(rig, 65536, 65536)->wakeup = WATERMARK;
	rig->pass.events[0].event.lost = 40;
	row = seen(rig);
	assert_true(row->advice.valid);
	assert_near(row->advice.burst_bytes_per_s, 65536);
	assert_near(row->advice.worst_gap, 5);
	assert_int_equal(row->advice.pages, 0);
	assert_string_equal(row->advice.text, "grow to at least -m 32 (128K), which may be too "
			    "small: the size of the "
			    "lost records is unknown");
}

/* The event's attr asks for that many bytes in each sample. */
TEST(test_advice_of_sizes_asked_for)
{
	struct rig *rig = *state;
	const struct ring_row *row = NULL;

	for (unsigned int i = 0; i < 3; i++) {
		at(rig, 65536, i == 2 ? 65536 : 0)->wakeup = WATERMARK;
		rig->pass.events[0].event.lost = i ? 10 : 0;
		rig->pass.events[0].largest = 9000;
		rig->pass.events[0].usual = 9000;
		row = seen(rig);
	}
	assert_int_equal(row->advice.need, 3 * (65536 + 2 * 90000) / 2);
}

/* Waiting records of 4000 bytes were seen. */
TEST(test_advice_of_sizes_seen)
{
	struct rig *rig = *state;
	const struct ring_row *row = NULL;
	struct host_pass_ring *r;

	at(rig, 0, 0);
	add(rig);
	for (unsigned int i = 1; i <= 5; i++) {
		r = at(rig, 65536, i == 5 ? 65536 : 0);
		r->wakeup = WATERMARK;
		r->sizes.nr = 2;
		r->sizes.bytes = 8000;
		r->sizes.max = 5000;
		rig->pass.events[0].event.lost = i == 5 ? 40 : 10 * i;
		row = seen(rig);
	}
	/* 64K and twice 40 x 4000 bytes, since it is woken at half. */
	assert_int_equal(row->advice.need, 3 * (65536 + 2 * 160000) / 2);
	assert_int_equal(row->advice.pages, 256);
	assert_string_equal(row->advice.text, "grow to -m 256 (1M): 1.5 x "
			    "(64K ring + 2 x 156K lost in one gap); then check "
			    "again: it may need more");
}

/*
 * A pass over a ring whose only event writes a record of 48 bytes every ten
 * hits: @made of them so far, of which @lost some.
 */
static struct host_pass_ring *counted(struct rig *rig, uint64_t made,
				      uint64_t lost)
{
	struct host_pass_ring *r = look(rig);
	struct ring_event *e = &rig->pass.events[0].event;

	e->period = 10;
	e->count = 10 * made + 7;
	e->lost = lost;
	r->head = r->tail = 48 * (made - lost);
	return r;
}

/* Lost records are as large as the others. */
TEST(test_burst_with_what_was_lost)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	counted(rig, 1000, 0);
	add(rig);
	counted(rig, 1200, 0);
	add(rig);
	counted(rig, 4000, 800);
	row = seen(rig);
	/* 2000 were written and 800 lost, in up to 96000 / 65536 gaps. */
	assert_near(row->advice.burst_bytes_per_s, 2800 * 48);
	assert_int_equal(row->advice.pages, 64);
	assert_string_equal(row->advice.text, "grow to "
			    "-m 64 (256K): 1.5 x (64K "
			    "ring + 2 x 25.6K lost in "
			    "one gap); may be too small: watched for less than 10s");
}

/*
 * A ring that is drained hundreds of times between passes: @pending records
 * were lost so far in the gap of this pass, @told in the one before.
 */
static const struct ring_row *storm(struct rig *rig, uint64_t pending,
				    uint64_t told)
{
	struct host_pass_ring *r;

	for (unsigned int i = 0; i < 4; i++) {
		r = counted(rig, 1000000 * (i + 1), 500000 * i);
		r->head = 48 * 500000 * i + 40000;
		r->tail = 48 * 500000 * i;
		r->lost = i ? pending : 0;
		r->lost_in_record = i ? told : 0;
		add(rig);
	}
	return only(rig);
}

/* The interval of passes does not matter: a gap is the time between drains. */
TEST(test_advice_of_a_storm)
{
	struct rig *rig = *state;
	const struct ring_row *row = storm(rig, 0, 0);

	/*
	 * As many are lost as drained: on average a ring's size per gap; but
	 * 48 MB/s may come for 10 ms after a wakeup at half of it.
	 */
	assert_int_equal(row->advice.need / 1000, 960);
	assert_int_equal(row->advice.pages, 256);
	/* But more than 4000 were lost in one gap. */
	renew(rig);
	row = storm(rig, 4000, 0);
	assert_int_equal(row->advice.pages, 256);
	renew(rig);
	row = storm(rig, 0, 10000);
	assert_int_equal(row->advice.need, 3 * (65536 + 2 * 10000 * 48) / 2);
	/* Absurd values: written by the owner, or from before watching. */
	renew(rig);
	row = storm(rig, UINT64_MAX - 1, UINT64_MAX);
	assert_true(row->advice.need <= 256 << 20);
}

/* The size of records cannot be derived from these. */
static void check_not_counted(struct rig *rig,
			      void (*spoil)(struct rig *rig, int i))
{
	static const uint64_t made[] = { 1000, 1200, 4000 };
	const struct ring_row *row;

	for (int i = 0; i < 3; i++) {
		counted(rig, made[i], i == 2 ? 800 : 0);
		spoil(rig, i);
		add(rig);
	}
	row = only(rig);
	assert_near(row->advice.burst_bytes_per_s, 2000 * 48);
	assert_non_null(strstr(row->advice.text, "may be too small: the size "
			       "of the lost records is unknown"));
}

static void spoil_by_frequency(struct rig *rig, int i)
{
	(void)i;
	rig->pass.events[0].event.freq = true;
}

/* It may have children that write here, whose hits are not in its count. */
static void spoil_by_thread(struct rig *rig, int i)
{
	(void)i;
	rig->pass.events[0].event.tid = 77;
}

static void spoil_by_period(struct rig *rig, int i)
{
	rig->pass.events[0].event.period = i == 2 ? 20 : 10;
}

static void spoil_by_a_new_one(struct rig *rig, int i)
{
	if (i == 2)
		event(rig, ID + 1, KEY, false);
}

/* It writes records that it does not count. */
static void spoil_by_output(struct rig *rig, int i)
{
	(void)i;
	rig->pass.events[0].event.count = 0;
}

TEST(test_burst_without_what_was_lost)
{
	static void (*const spoil[])(struct rig *rig, int i) = {
		spoil_by_frequency, spoil_by_thread, spoil_by_period,
		spoil_by_a_new_one, spoil_by_output,
	};
	struct rig *rig = *state;

	for (size_t i = 0; i < sizeof(spoil) / sizeof(*spoil); i++) {
		renew(rig);
		check_not_counted(rig, spoil[i]);
	}
}

/*
 * An event that does not sample writes no records that would have to be
 * counted.
 */
TEST(test_burst_beside_a_dummy)
{
	struct rig *rig = *state;

	for (unsigned int i = 0; i < 3; i++) {
		counted(rig, 1000 + 1500 * i, 800 * (i == 2));
		event(rig, ID + 1, KEY, false)->event.period = 0;
		add(rig);
	}
	assert_near(only(rig)->advice.burst_bytes_per_s, 1500 * 48);
}

/*
 * Passes over a ring that is nearly full in each, though @taken bytes are
 * drained in between; ten records are lost each time.
 */
static const struct ring_row *full(struct rig *rig, unsigned int looks,
				   uint64_t taken)
{
	const struct ring_row *row = NULL;

	for (unsigned int i = 0; i < looks; i++) {
		at(rig, 60000 + i * taken, i * taken);
		rig->pass.events[0].event.lost = 10 * i;
		row = seen(rig);
	}
	return row;
}

TEST(test_owner_does_not_keep_up)
{
	struct rig *rig = *state;
	const struct ring_row *row = full(rig, 6, 4 << 20);

	assert_true(row->advice.valid);
	assert_int_equal(row->advice.pages, 0);
	assert_string_equal(row->advice.text, "no size helps: choose fewer "
			    "events, a filter, a longer period or a lower "
			    "rate; its reader reads 4M/s, and 10 records/s are "
			    "lost");
	/* Three passes are too few. */
	renew(rig);
	assert_null(strstr(full(rig, 3, 4 << 20)->advice.text, "no size"));
	/* Drained in small parts. */
	renew(rig);
	assert_non_null(strstr(full(rig, 6, 1024)->advice.text, "no size"));
	/*
	 * An owner that sleeps for a second keeps up, if there is room for
	 * that.
	 */
	renew(rig);
	assert_non_null(strstr(full(rig, 6, 65536)->advice.text, "grow to"));
	/* So may one that drains it ten times, if it fills right afterwards. */
	renew(rig);
	assert_non_null(strstr(full(rig, 6, 655360)->advice.text, "grow to"));
}

/* A second passes; @delay: ns that the owner has waited for a CPU so far. */
static const struct ring_row *wait_for_cpu(struct rig *rig, uint64_t delay)
{
	look(rig);
	rig->pass.holders[0].run_delay = delay;
	return seen(rig);
}

/* The part of three seconds or so that it waited for a CPU. */
TEST(test_wait_for_a_cpu)
{
	const uint64_t second = 1000000000;
	struct rig *rig = *state;

	assert_true(isnan(wait_for_cpu(rig, 5 * second)->run_wait));
	assert_true(isnan(wait_for_cpu(rig, 5 * second)->run_wait));
	wait_for_cpu(rig, 6 * second);
	assert_near(wait_for_cpu(rig, 6 * second + second / 2)->run_wait, 0.5);
	/* until the next are over */
	assert_near(wait_for_cpu(rig, 9 * second)->run_wait, 0.5);
	wait_for_cpu(rig, 9 * second);
	assert_near(wait_for_cpu(rig, 10 * second)->run_wait, 1);
	/* another process, or an unknown value */
	wait_for_cpu(rig, UNKNOWN);
	assert_true(isnan(only(rig)->run_wait));
	look(rig);
	rig->pass.holders[0].pid++;
	rig->pass.holders[0].run_delay = second;
	assert_true(isnan(seen(rig)->run_wait));
}

/*
 * Its only thread ran a quarter of each second, and waited for a CPU in the
 * rest.  @taken bytes, records of 48, are drained between the readings, and
 * 20000 records are lost.
 */
static const struct ring_row *never_sleeps(struct rig *rig, unsigned int looks,
					   uint64_t taken)
{
	const uint64_t second = 1000000000;
	const struct ring_row *row = NULL;

	for (unsigned int i = 0; i < looks; i++) {
		struct host_pass_ring *r = counted(rig,
			(20000 + taken / 48) * i, 20000 * i);

		r->head = 60000 + i * taken;
		r->tail = i * taken;
		rig->pass.holders[0].run_time = i * second / 4;
		rig->pass.holders[0].run_delay = i * second * 3 / 4;
		row = seen(rig);
	}
	return row;
}

/* What it reads in a quarter of the time, it would read four times. */
TEST(test_limit_of_a_reader)
{
	struct rig *rig = *state;
	int cpus[] = { 3 };
	const struct cpulist list = { .cpus = cpus, .nr = 1 };
	const struct ring_row *row = never_sleeps(rig, 12, 48000);

	assert_near(row->run_share, 0.25);
	assert_non_null(strstr(row->advice.text, "its reader can read 2"));
	assert_non_null(strstr(row->advice.text, "and at least 984K/s arrived"));
	/* less than five seconds are too short */
	renew(rig);
	assert_null(strstr(never_sleeps(rig, 7, 48000)->advice.text,
			   "can read"));
	/* with a CPU it would keep up, while it lives */
	renew(rig);
	never_sleeps(rig, 12, 480000);
	strcpy(rig->pass.holders[0].comm, "opensnoop");
	assert_non_null(strstr(seen(rig)->advice.text, "renice -n -10 -p "));
	begin(rig, 1, HOST_ALL);
	row = seen(rig);
	assert_true(row->gone);
	assert_null(strstr(row->advice.text, "renice"));
	/* until it is given a priority */
	renew(rig);
	row = never_sleeps(rig, 12, 480000);
	assert_null(strstr(row->advice.text, "can read"));
	assert_non_null(strstr(row->advice.text, "renice -n -10 -p "));
	/* which may be the cure: what was lost before says nothing any more */
	rig->pass.holders[0].priority = 110;
	row = seen(rig);
	assert_null(strstr(row->advice.text, "renice"));
	assert_true(row->advice.verdict < VERDICT_LOSS);
	assert_true(row->lost > 0);
	/* kept when it sleeps again, until a reset */
	renew(rig);
	never_sleeps(rig, 12, 48000);
	for (unsigned int i = 0; i < 5; i++) {
		look(rig);
		row = seen(rig);
	}
	assert_near(row->run_share, 0);
	assert_non_null(strstr(row->advice.text, "its reader can read 2"));
	host_table_reset(rig->table);
	row = never_sleeps(rig, 2, 48000);
	assert_null(strstr(row->advice.text, "can read"));
	/* it may be busy with rings of other CPUs */
	rig->opts.filter.cpus = &list;
	renew(rig);
	row = never_sleeps(rig, 12, 48000);
	assert_null(strstr(row->advice.text, "can read"));
}

/* It reads @taken bytes a second for some seconds, without losses. */
static const struct ring_row *reads_on(struct rig *rig,
				       const struct host_pass_ring *from,
				       unsigned int looks, uint64_t taken)
{
	const uint64_t head = from->head, tail = from->tail;
	const uint64_t made = rig->pass.events[0].event.count / 10;
	const uint64_t lost = rig->pass.events[0].event.lost;
	const struct ring_row *row = NULL;

	for (unsigned int i = 1; i <= looks; i++) {
		struct host_pass_ring *r =
			counted(rig, made + taken / 48 * i, lost);

		r->head = head + i * taken;
		r->tail = tail + i * taken;
		row = seen(rig);
	}
	return row;
}

/* It reads more than was computed: that is its limit, unless it is enough. */
TEST(test_limit_that_is_exceeded)
{
	struct rig *rig = *state;
	const struct ring_row *row = never_sleeps(rig, 12, 48000);

	assert_non_null(strstr(row->advice.text, "its reader can read 2"));
	row = reads_on(rig, &rig->pass.rings[0], 8, 480000);
	assert_non_null(strstr(row->advice.text, "its reader can read 469K/s, "
			       "and at least 984K/s arrived"));
	row = reads_on(rig, &rig->pass.rings[0], 8, 4800000);
	assert_null(strstr(row->advice.text, "can read"));
	/* for good */
	row = reads_on(rig, &rig->pass.rings[0], 8, 480000);
	assert_null(strstr(row->advice.text, "can read"));
}

/* One of its two rings is full at each reading, in turns. */
TEST(test_limit_with_load_that_moves)
{
	struct rig *rig = *state;
	const uint64_t second = 1000000000, bytes = 60000, lost = 40000;
	const struct host *host = NULL;

	for (unsigned int i = 0; i < 14; i++) {
		begin(rig, 1, HOST_ALL);
		for (unsigned int j = 0; j < 2; j++) {
			unsigned int filled = (i + 2 - j) / 2;
			struct host_pass_event *e;
			struct host_pass_ring *r = ring(rig, KEY + j);
			struct host_pass_holder *h =
				holder(rig, KEY + j, OWNER, true);

			e = event(rig, ID + j, KEY + j, true);
			e->event.period = 10;
			e->event.lost = lost * filled;
			e->event.count = 10 * (lost + bytes / 48) * filled + 7;
			r->head = bytes * filled;
			r->tail = r->head - ((i + j) % 2 ? 0 : filled ? bytes : 0);
			h->run_time = i * second / 4;
			h->run_delay = i * second * 3 / 4;
		}
		add(rig);
		host = frame(rig);
	}
	for (unsigned int j = 0; j < 2; j++)
		assert_non_null(strstr(host->rows[j].advice.text,
				       "its reader can read 2"));
}

/*
 * Passes over a ring that loses, while its owner sleeps in write(2) at @waits of
 * them.
 */
static const struct ring_row *blocked(struct rig *rig, unsigned int looks,
				      unsigned int waits)
{
	const struct ring_row *row = NULL;

	for (unsigned int i = 0; i < looks; i++) {
		counted(rig, 21000 * i, 20000 * i);
		rig->pass.holders[0].output = i < waits ? HOST_OUTPUT_WAITS :
							  HOST_OUTPUT_OTHER;
		rig->pass.holders[0].run_delay = 1;
		row = seen(rig);
	}
	return row;
}

TEST(test_owner_waits_for_its_output)
{
	struct rig *rig = *state;
	const struct ring_row *row = blocked(rig, 8, 8);

	assert_near(row->output_wait, 1);
	assert_int_equal(row->advice.pages, 0);
	assert_int_equal(row->advice.verdict, VERDICT_TOO_SLOW);
	assert_string_equal(row->advice.text, "no size helps: its main thread "
			    "waits for its output 100% of the time: write to "
			    "something faster, or choose fewer events, a "
			    "filter, a longer period or a lower rate");
	/* also when the load has ended */
	counted(rig, 21000 * 7, 20000 * 7);
	assert_non_null(strstr(seen(rig)->advice.text, "for its output"));
	/* until it loses and does not wait */
	renew(rig);
	row = blocked(rig, 12, 4);
	assert_near(row->output_wait, 0);
	assert_null(strstr(row->advice.text, "for its output"));
	assert_int_equal(row->advice.verdict, VERDICT_TOO_SMALL);
	/* not told by the kernel */
	renew(rig);
	row = never_sleeps(rig, 8, 48000);
	assert_true(isnan(row->output_wait));
}

TEST(test_owner_does_not_keep_up_sized)
{
	struct rig *rig = *state;
	const struct ring_row *row = NULL;
	struct host_pass_ring *r;

	for (unsigned int i = 0; i < 6; i++) {
		r = counted(rig, 100000 + 100000 * i, 20000 * i);
		r->tail -= 60000;
		row = seen(rig);
	}
	/* 80000 records of 48 bytes, and 20000. */
	assert_non_null(strstr(row->advice.text, "; its reader reads "
			       "3.7M/s, but at least 4.6M/s arrives"));
}

/* In each gap it loses many times its size: it may just be too small. */
TEST(test_owner_may_keep_up)
{
	struct rig *rig = *state;
	const struct ring_row *row = NULL;
	struct host_pass_ring *r;

	for (unsigned int i = 0; i < 6; i++) {
		r = counted(rig, 100000 + 100000 * i, 90000 * i);
		r->tail -= 60000;
		r->lost_in_record = 12000;
		row = seen(rig);
	}
	assert_string_equal(row->advice.text, "grow to "
			    "-m 512 (2M): 1.5 x (64K "
			    "ring + 2 x 576K lost in "
			    "one gap); then check again: it may need more");
	assert_int_equal(row->advice.pages, 512);
}

/*
 * Two rings of one owner, which drains the first all the time and the second
 * now and then: @taken bytes are drained from the first in a second.
 */
static const struct host *two_rings(struct rig *rig, unsigned int looks,
				    uint64_t taken)
{
	const struct host *host = NULL;

	for (unsigned int i = 0; i < looks; i++) {
		struct host_pass_ring *r = counted(rig, 100000 * (i + 1),
						   100000 * i - 200 * i);
		struct host_pass_event *e;

		r->head = 60000 + i * taken;
		r->tail = i * taken;
		r = ring(rig, KEY + 1);
		r->head = 60000;
		e = event(rig, ID + 1, KEY + 1, true);
		e->event.period = 10;
		e->event.count = 1000 * i;
		e->event.lost = 100 * i;
		e->largest = e->usual = 48;
		holder(rig, KEY + 1, OWNER, true);
		add(rig);
		host = frame(rig);
	}
	assert_int_equal(host->nr_rows, 2);
	return host;
}

/* No size helps the second ring either: its reader is busy with the first. */
TEST(test_owner_is_busy_elsewhere)
{
	struct rig *rig = *state;
	const struct host *host = two_rings(rig, 5, 9600);

	for (size_t i = 0; i < 2; i++)
		if (!strstr(host->rows[i].advice.text, "its reader reads "
			    "9.4K/s, but at least 4.6M/s"))
			fail_msg("%zu: %s", i, host->rows[i].advice.text);
	/* Or it drains the first a hundred times, and never the second. */
	renew(rig);
	host = two_rings(rig, 5, 100 * SIZE);
	assert_non_null(strstr(host->rows[1].advice.text, "no size helps"));
	/* Two intervals: possible for both. */
	renew(rig);
	host = two_rings(rig, 3, 9600);
	for (size_t i = 0; i < 2; i++)
		if (!strstr(host->rows[i].advice.text, "; then check "
			    "again"))
			fail_msg("%zu: %s", i, host->rows[i].advice.text);
}

/* One that lost once has the same reader: its size is not another matter. */
TEST(test_owner_is_told_once)
{
	struct rig *rig = *state;
	const struct host *host = NULL;

	for (unsigned int i = 0; i < 8; i++) {
		struct host_pass_ring *r = counted(rig, 100000 * (i + 1),
						   100000 * i - 200 * i);
		struct host_pass_event *e;

		r->head = 60000 + i * 9600;
		r->tail = i * 9600;
		r = ring(rig, KEY + 1);
		r->head = r->tail = 60000 * i;
		e = event(rig, ID + 1, KEY + 1, true);
		e->event.period = 10;
		e->event.lost = i > 0 ? 5000 : 0;
		e->event.count = 10 * (1250 * i + e->event.lost);
		e->largest = e->usual = 48;
		holder(rig, KEY + 1, OWNER, true);
		add(rig);
		host = frame(rig);
	}
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(host->rows[i].advice.verdict,
				 VERDICT_TOO_SLOW);
		assert_int_equal(host->rows[i].advice.pages, 0);
		assert_non_null(strstr(host->rows[i].advice.text,
				       "no size helps"));
	}
	assert_non_null(strstr(host->verdicts, "reader too slow 2"));
}

/*
 * Ten rings are drained between readings, and 1000 records of 48 bytes lost in
 * each third, or in all.
 */
static const char *loses_in(struct rig *rig, unsigned int every)
{
	const struct ring_row *row = NULL;
	uint64_t lost = 0;

	for (unsigned int i = 0; i < 16; i++) {
		struct host_pass_ring *r;

		lost += i % every ? 0 : 1000;
		r = counted(rig, 13653 * i + lost, lost);
		r->head = r->tail = 10 * SIZE * i;
		row = seen(rig);
	}
	return row->advice.text;
}

/* Rare losses come from one gap, frequent ones from as many as there may be. */
TEST(test_rare_losses)
{
	struct rig *rig = *state;

	assert_non_null(strstr(loses_in(rig, 3), "+ 2 x 46.9K lost in one gap"));
	renew(rig);
	assert_non_null(strstr(loses_in(rig, 1), "+ 2 x 4.7K lost in one gap"));
}

/* Drained idle rings do not show that a reader is slow. */
TEST(test_idle_rings_say_nothing)
{
	struct rig *rig = *state;
	const struct host *host = NULL;
	struct host_pass_ring *r;

	for (unsigned int i = 0; i < 6; i++) {
		r = counted(rig, 2365 * (i + 1), 1000 * i);
		r->head = 60000 + SIZE * i;
		r->tail = SIZE * i;
		for (unsigned int other = 1; other < 8; other++) {
			r = ring(rig, KEY + other);
			r->head = r->tail = 4000 * i;
			event(rig, ID + other, KEY + other, true);
			holder(rig, KEY + other, OWNER, true);
		}
		add(rig);
		host = frame(rig);
	}
	assert_int_equal(host->nr_rows, 8);
	assert_string_equal(host->rows[0].advice.text, "grow "
			    "to -m 64 (256K): 1.5 x "
			    "(64K ring + 2 x 46.9K "
			    "lost in one gap); may be too small: watched for "
			    "less than 10s");
}

/* -m is for all rings: both need what the one with more losses needs. */
TEST(test_rings_share_a_size)
{
	struct rig *rig = *state;
	const struct host *host = two_rings(rig, 5, 65536);
	const struct advice *one = &host->rows[0].advice;
	const struct advice *other = &host->rows[1].advice;

	assert_true(one->pages > 32);
	assert_int_equal(one->pages, other->pages);
	assert_null(strstr(one->text, "alone"));
	assert_string_equal(other->text, "grow to -m 4096 (16M), which CPU 3 "
			    "of its owner needs; 64 for this one alone; then "
			    "check again: it may need more");
}

/* After a second of watching, the worst case may be much worse. */
TEST(test_advice_is_early)
{
	struct rig *rig = *state;
	const struct ring_row *row = NULL;

	for (unsigned int i = 0; i < 12; i++) {
		counted(rig, 100000 + 3000 * i, 1000 * i)->head = 96000 * i;
		rig->pass.rings[0].tail = i ? 96000 * i - 60000 : 0;
		row = seen(rig);
		if (i == 1 || i == 11)
			assert_int_equal(i == 1, !!strstr(row->advice.text,
							  "less than 10s"));
	}
	assert_non_null(strstr(row->advice.text, "in one gap)"));
}

/* The text does not contradict the total of losses. */
TEST(test_advice_of_old_losses)
{
	struct rig *rig = *state;
	const struct ring_row *row = NULL;

	for (unsigned int i = 0; i < 3; i++) {
		at(rig, 8192 * i, 8192 * i);
		rig->pass.events[0].event.lost = 1673920;
		row = seen(rig);
	}
	assert_int_equal(row->lost, 1673920);
	assert_string_equal(row->advice.text, "1.67M lost before rbtop "
			    "watched it, none since: fits so far, peak seen 0% "
			    "of 64K");
}

/* It keeps up again once the load is gone. */
TEST(test_owner_keeps_up_again)
{
	struct rig *rig = *state;
	const struct ring_row *row = full(rig, 6, 4 << 20);

	for (int i = 0; i < 8; i++) {
		at(rig, 32 << 20, 32 << 20);
		rig->pass.events[0].event.lost = 50;
		row = seen(rig);
	}
	assert_non_null(strstr(row->advice.text, "grow to"));
}

/* Full since before watching, and not drained. */
TEST(test_advice_on_a_dead_owner)
{
	struct rig *rig = *state;
	const struct ring_row *row = NULL;

	for (int i = 0; i < 6; i++) {
		at(rig, 65000, 0);
		rig->pass.events[0].event.lost = 1000 * (unsigned int)i;
		row = seen(rig);
		if (i < 5)
			assert_non_null(strstr(row->advice.reason, "not "
					       "drained yet"));
	}
	assert_string_equal(row->advice.text, "no size is enough: its owner "
			    "has not drained it for 5s or more");
}

/* The size cannot compensate for a stopped owner. */
TEST(test_advice_leaves_out_stops)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	at(rig, 0, 0);
	add(rig);
	at(rig, 8192, 0);
	add(rig);
	at(rig, 8192, 8192);
	add(rig);
	for (unsigned int i = 1; i <= 20; i++) {
		at(rig, 8192 + 65536, 8192);
		rig->pass.events[0].event.lost = 10 * i;
		rig->pass.holders[0].stopped = true;
		row = seen(rig);
		assert_string_equal(row->advice.text, "no size is enough: its "
				    "owner is stopped");
	}
	for (int i = 0; i < 2; i++) {
		at(rig, 8192 + 65536, 8192 + 65536);
		rig->pass.events[0].event.lost = 210;
		row = seen(rig);
	}
	assert_int_equal(row->lost, 210);
	assert_near(row->worst_gap, 19);
	assert_near(row->peak, 1);
	assert_string_equal(row->advice.text, "210 lost while its owner was "
			    "stopped, none otherwise: fits so far, peak seen 12% of "
			    "64K");
	assert_string_equal(row->advice.reason, "nothing else lost in 24s; "
			    "at most between two drains: burst >= 4K/s x gap "
			    "<= 2s = 8K");
}

/* Data waits below the watermark by design: this is not the owner's delay. */
TEST(test_advice_leaves_out_waiting)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	counted(rig, 1000, 0);
	add(rig);
	for (unsigned int i = 0; i < 60; i++) {
		counted(rig, 1200, 0)->tail -= 96;
		add(rig);
	}
	counted(rig, 2600, 40)->tail = 48 * 1198;
	add(rig);
	counted(rig, 2600, 40);
	row = seen(rig);
	/* 40 records of 48 bytes, however long it waited. */
	assert_int_equal(row->advice.need, 131072);
	assert_int_equal(row->advice.pages, 32);
}

/* No size would have prevented losses of a pause. */
TEST(test_advice_leaves_out_pauses)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	at(rig, 0, 0);
	add(rig);
	at(rig, 3000, 1000)->paused = true;
	rig->pass.events[0].event.lost = 500;
	add(rig);
	at(rig, 3000, 1000);
	rig->pass.events[0].event.lost = 900;
	add(rig);
	at(rig, 3000, 3000);
	rig->pass.events[0].event.lost = 900;
	row = seen(rig);
	assert_int_equal(row->lost, 900);
	assert_true(row->advice.valid);
	assert_null(strstr(row->advice.reason, "records lost"));
}

/* Losses while it drains all the time: the gap itself was not seen. */
TEST(test_advice_between_looks)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	for (unsigned int i = 0; i < 4; i++) {
		at(rig, 100000 * i, 100000 * i)->wakeup = 3 * i * WATERMARK;
		rig->pass.events[0].event.lost = i;
		row = seen(rig);
	}
	assert_true(row->advice.valid);
	assert_int_equal(row->advice.pages, 0);
	assert_string_equal(row->advice.text, "grow to at "
			    "least -m 32 (128K), which "
			    "may be too small: "
			    "the size of the lost records is unknown");
}

/* Time without waiting data is part of no gap. */
TEST(test_advice_leaves_out_idle_time)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	for (unsigned int i = 0; i < 60; i++) {
		at(rig, 0, 0);
		add(rig);
	}
	at(rig, 20000, 0);
	add(rig);
	at(rig, 20000, 20000);
	row = seen(rig);
	assert_near(row->advice.worst_gap, 2);
	assert_near(row->advice.burst_bytes_per_s, 10000);
}

/* A gap with losses counts more than one with more bytes. */
TEST(test_advice_is_of_the_loss)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	at(rig, 0, 0);
	add(rig);
	at(rig, 500000, 500000);
	add(rig);
	at(rig, 500000 + 65536, 500000);
	rig->pass.events[0].event.lost = 2;
	add(rig);
	at(rig, 500000 + 65536, 500000 + 65536);
	rig->pass.events[0].event.lost = 2;
	row = seen(rig);
	assert_near(row->advice.burst_bytes_per_s, 65536);
	assert_near(row->advice.worst_gap, 2);
	assert_non_null(strstr(row->advice.reason, "2 records lost"));
}

/* The ring has room, but loses records: these are larger than the room. */
TEST(test_advice_on_large_records)
{
	struct rig *rig = *state;
	const struct ring_row *row = NULL;

	for (unsigned int i = 0; i < 4; i++) {
		/* Between them only side-band records are written. */
		at(rig, 100 * i, 100 * i);
		rig->pass.events[0].event.lost = 1000 * i;
		rig->pass.events[0].largest = 65528;
		row = seen(rig);
	}
	assert_true(row->advice.valid);
	assert_int_equal(row->advice.pages, 32);
	assert_string_equal(row->advice.text, "may need to grow to -m 32 (128K): records of 63.9K or "
			    "more (up to 64K) do "
			    "not fit into 64K");
}

/* Records of that size were written too, so it was full when they were lost. */
TEST(test_large_records_that_fit)
{
	struct rig *rig = *state;
	const struct ring_row *row = NULL;
	struct host_pass_ring *r;

	for (unsigned int i = 0; i < 4; i++) {
		r = at(rig, 40000 * i, 40000 * i);
		r->sizes.nr = 8;
		r->sizes.bytes = 8 * 40000;
		r->sizes.max = 50000;
		rig->pass.events[0].event.lost = 10 * i;
		row = seen(rig);
	}
	assert_null(strstr(row->advice.text, "do not fit"));
}

/*
 * A ring may be reported as too large only after a minute, many drains, and a
 * burst.
 */
TEST(test_shrink_takes_evidence)
{
	struct rig *rig = *state;
	const struct ring_row *row = NULL;
	uint64_t head = 0;

	for (unsigned int i = 0; i < 130; i++) {
		/* 6000 bytes at once, after the first minute. */
		head += i == 65 ? 6000 : 40;
		at(rig, head, head)->size = 16 * SIZE;
		row = seen(rig);
		if (i == 0)
			continue;
		assert_int_equal(!!strstr(row->advice.text, "could shrink"),
				 i >= 65);
		assert_int_equal(row->advice.pages, i < 65 ? 0 : 8);
	}
	host_table_reset(rig->table);
	at(rig, head + 40, head + 40)->size = 16 * SIZE;
	assert_int_equal(seen(rig)->advice.pages, 0);
}

/* The evidence of one size does not count for another. */
TEST(test_advice_after_remap)
{
	struct rig *rig = *state;

	test_advice_of_a_loss(state);
	at(rig, 0, 0)->size = 8 * SIZE;
	assert_false(seen(rig)->advice.valid);
	assert_near(only(rig)->peak, 0);
}

TEST_GROUP(host_figures, .each_setup = set_up, .each_teardown = tear_down);
