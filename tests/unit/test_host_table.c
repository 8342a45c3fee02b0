/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <stdlib.h>

#include "base/cpulist.h"
#include "base/text.h"
#include "host_rig.h"
#include "ring/advice.h"

TEST(test_empty)
{
	struct rig *rig = *state;
	const struct host *host = frame(rig);

	assert_int_equal(host->nr_rows, 0);
	assert_int_equal(host->nr_users, 0);
	assert_int_equal(host->self, SELF);
	assert_near(host->interval, 0);
	/* The mappings are not known yet. */
	assert_int_equal(host_table_wants(rig->table), HOST_MAPPINGS);
	begin(rig, 1, HOST_ALL);
	add(rig);
	assert_int_equal(frame(rig)->nr_rows, 0);
	assert_int_equal(host_table_wants(rig->table), 0);
}

TEST(test_row)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	look(rig);
	row = seen(rig);
	assert_int_equal(row->id, 1);
	assert_int_equal(row->kind, RING_PERF);
	assert_string_equal(row->label, "CPU 3");
	assert_int_equal(row->cpu, 3);
	assert_int_equal(row->tid, -1);
	assert_int_equal(row->pid, OWNER);
	assert_string_equal(row->comm, "perf");
	assert_int_equal(row->uid, UID);
	assert_string_equal(row->user, "1000");
	assert_false(row->self);
	assert_true(row->mapped);
	assert_true(row->known);
	assert_false(row->gone);
	assert_string_equal(row->event, "cpu-clock");
	assert_int_equal(row->nr_events, 1);
	assert_int_equal(row->events[0].id, ID);
	assert_int_equal(row->nr_holders, 1);
	assert_int_equal(row->holders[0].pid, OWNER);
	assert_true(row->holders[0].maps);
	assert_int_equal(row->size, SIZE);
	assert_int_equal(row->locked, SIZE + PAGE);
	assert_near(row->first_seen, 1001);
	assert_near(row->last_seen, 1001);
}

TEST(test_self)
{
	struct rig *rig = *state;

	begin(rig, 1, HOST_ALL);
	event(rig, ID, KEY, true);
	holder(rig, KEY, SELF, true);
	ring(rig, KEY);
	assert_true(seen(rig)->self);
}

/* Another ring, of another size, for the same event: the same row. */
TEST(test_remap)
{
	struct rig *rig = *state;
	struct host_pass_ring *r;
	const struct ring_row *row;

	r = look(rig);
	r->head = r->tail = 1000000;
	r->wakeup = 30 * WATERMARK;
	assert_int_equal(seen(rig)->remapped, 0);

	begin(rig, 1, HOST_ALL);
	event(rig, ID, KEY + 8, true);
	holder(rig, KEY + 8, OWNER, true);
	r = ring(rig, KEY + 8);
	r->size = 4 * SIZE;
	r->head = 40000;
	r->tail = 10000;
	r->wakeup = WATERMARK;
	row = seen(rig);
	assert_int_equal(row->id, 1);
	assert_int_equal(row->remapped, 1);
	assert_int_equal(row->size, 4 * SIZE);
	/* All bytes in the new ring were written since. */
	assert_int_equal(row->bytes, 40000);
	assert_near(row->bytes_per_s, 40000);
	assert_int_equal(row->wakeups, 1);
	assert_int_equal(row->crossings, 1);
	assert_int_equal(row->drains, 1);
	assert_near(row->peak, 30000.0 / (4 * SIZE));
}

/* Freed memory is allocated again. */
TEST(test_remap_at_the_same_address)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	look(rig)->head = 5000;
	add(rig);
	look(rig)->head = 700;
	row = seen(rig);
	assert_int_equal(row->id, 1);
	assert_int_equal(row->remapped, 1);
	assert_int_equal(row->bytes, 700);

	look(rig)->head = 900;
	assert_int_equal(seen(rig)->remapped, 1);
	/* Its head is beyond the old one's. */
	look(rig)->head = 2000;
	rig->pass.rings[0].size = 2 * SIZE;
	row = seen(rig);
	assert_int_equal(row->remapped, 2);
	assert_int_equal(row->bytes, 900 + 2000);
}

/* Another event's ring at that address is another ring. */
TEST(test_address_of_another)
{
	struct rig *rig = *state;
	const struct host *host;

	look(rig)->head = 5000;
	add(rig);
	begin(rig, 1, HOST_ALL);
	event(rig, ID + 1, KEY, true);
	holder(rig, KEY, OWNER, true);
	ring(rig, KEY)->head = 9000;
	add(rig);
	host = frame(rig);
	assert_int_equal(host->nr_rows, 2);
	assert_true(host->rows[0].gone);
	assert_int_equal(host->rows[0].head, 5000);
	assert_int_equal(host->rows[0].events[0].id, ID);
	assert_false(host->rows[1].gone);
	assert_int_equal(host->rows[1].id, 2);
	assert_int_equal(host->rows[1].remapped, 0);
	assert_int_equal(host->rows[1].bytes, 0);
}

/* Two rings that swapped addresses keep their rows. */
TEST(test_addresses_swapped)
{
	struct rig *rig = *state;
	const struct host *host;

	begin(rig, 1, HOST_ALL);
	for (uint64_t i = 0; i < 2; i++) {
		event(rig, ID + i, KEY + i, true)->event.cpu = (int)i;
		ring(rig, KEY + i);
	}
	add(rig);
	begin(rig, 1, HOST_ALL);
	for (uint64_t i = 0; i < 2; i++) {
		event(rig, ID + i, KEY + 1 - i, true)->event.cpu = (int)i;
		ring(rig, KEY + 1 - i);
	}
	add(rig);
	host = frame(rig);
	assert_int_equal(host->nr_rows, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(host->rows[i].cpu, i);
		assert_int_equal(host->rows[i].events[0].id, ID + i);
		assert_int_equal(host->rows[i].remapped, 1);
	}
}

/* An event redirected into another's ring joins that row. */
TEST(test_redirect)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	look(rig);
	event(rig, ID + 1, 0, false);
	row = seen(rig);
	assert_int_equal(row->nr_events, 1);
	assert_int_equal(frame(rig)->status.ringless, 1);

	look(rig);
	event(rig, ID + 1, KEY, false)->event.name = "context-switches";
	row = seen(rig);
	assert_int_equal(row->id, 1);
	assert_int_equal(row->nr_events, 2);
	assert_string_equal(row->event, "cpu-clock +1");
	assert_false(row->events[1].maps);
	assert_int_equal(row->remapped, 0);
	assert_int_equal(frame(rig)->status.ringless, 0);
}

/*
 * The ring that an event is redirected into does not continue the row of the
 * event's own ring, which is gone.
 */
TEST(test_redirect_into_a_new_ring)
{
	struct rig *rig = *state;
	const struct host *host;

	look(rig);
	add(rig);
	begin(rig, 1, HOST_ALL);
	event(rig, ID, KEY + 8, false);
	event(rig, ID + 1, KEY + 8, true);
	ring(rig, KEY + 8);
	add(rig);
	host = frame(rig);
	assert_int_equal(host->nr_rows, 2);
	assert_true(host->rows[0].gone);
	assert_int_equal(host->rows[1].nr_events, 2);
}

/* A redirected event of the row's ring maps its own ring. */
TEST(test_guest_leaves)
{
	struct rig *rig = *state;
	const struct host *host;

	look(rig);
	event(rig, ID + 1, KEY, false);
	add(rig);
	begin(rig, 1, HOST_ALL);
	event(rig, ID + 1, KEY + 8, true);
	ring(rig, KEY + 8);
	add(rig);
	host = frame(rig);
	assert_int_equal(host->nr_rows, 2);
	assert_true(host->rows[0].gone);
	assert_int_equal(host->rows[0].nr_events, 1);
	assert_false(host->rows[1].gone);
	assert_int_equal(host->rows[1].remapped, 0);
}

/*
 * An event's losses in one ring are not counted again in the next, whether or
 * not it was seen without a ring in between.
 */
static void moves(struct rig *rig, bool between)
{
	const struct host *host;

	begin(rig, 1, HOST_ALL);
	event(rig, ID, KEY, true);
	event(rig, ID + 1, KEY, false)->event.lost = 70;
	event(rig, ID + 2, KEY + 8, true);
	ring(rig, KEY);
	ring(rig, KEY + 8);
	add(rig);
	assert_int_equal(frame(rig)->rows[0].lost, 70);
	if (between) {
		begin(rig, 1, HOST_ALL);
		event(rig, ID, KEY, true);
		event(rig, ID + 1, 0, false)->event.lost = UNKNOWN;
		event(rig, ID + 2, KEY + 8, true);
		ring(rig, KEY);
		ring(rig, KEY + 8);
		add(rig);
		host = frame(rig);
		assert_int_equal(host->rows[0].nr_events, 1);
		assert_int_equal(host->rows[0].lost, 70);
	}
	begin(rig, 1, HOST_FILES | HOST_MAPS);
	event(rig, ID, KEY, true);
	event(rig, ID + 1, KEY + 8, false)->event.lost = 75;
	event(rig, ID + 2, KEY + 8, true);
	ring(rig, KEY);
	ring(rig, KEY + 8);
	add(rig);
	host = frame(rig);
	assert_int_equal(host->rows[0].nr_events, 1);
	assert_int_equal(host->rows[0].lost, 70);
	assert_near(host->rows[0].lost_per_s, 0);
	assert_int_equal(host->rows[1].nr_events, 2);
	assert_int_equal(host->rows[1].lost, 5);
	assert_near(host->rows[1].lost_per_s, 5);
	assert_near(host->rows[1].events[1].lost_per_s, 5);
}

TEST(test_lost_stays_behind)
{
	moves(*state, false);
}

TEST(test_lost_stays_behind_between_rings)
{
	moves(*state, true);
}

/* Between munmap and mmap the event has no ring; the row stays one. */
TEST(test_unmapped_for_a_while)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	look(rig)->head = 5000;
	rig->pass.events[0].event.lost = 7;
	add(rig);
	begin(rig, 1, HOST_ALL);
	event(rig, ID, 0, false)->event.lost = UNKNOWN;
	row = seen(rig);
	assert_true(row->gone);
	assert_int_equal(row->nr_events, 1);
	assert_int_equal(row->head, 5000);

	begin(rig, 1, HOST_ALL);
	event(rig, ID, KEY + 8, true)->event.lost = 9;
	ring(rig, KEY + 8)->head = 300;
	row = seen(rig);
	assert_int_equal(row->id, 1);
	assert_false(row->gone);
	assert_int_equal(row->remapped, 1);
	assert_int_equal(row->bytes, 300);
	assert_int_equal(row->lost, 9);
}

/* After close(2) the mapping remains, and only it finds the ring. */
TEST(test_fd_closed)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	look(rig);
	add(rig);
	assert_int_equal(host_table_wants(rig->table), 0);
	begin(rig, 0.1, HOST_FILES | HOST_MAPS);
	row = seen(rig);
	assert_false(row->gone);
	assert_near(row->last_seen, 1001);
	assert_int_equal(host_table_wants(rig->table), HOST_MAPPINGS);
	look(rig);
	row = seen(rig);
	assert_false(row->gone);
	assert_int_equal(row->id, 1);
	/*
	 * Mappings remain wanted: without them the ring would be missed again.
	 */
	assert_int_equal(host_table_wants(rig->table), HOST_MAPPINGS);
	/* Found by its descriptor, it does not need mappings. */
	begin(rig, 0.1, HOST_FILES | HOST_MAPS);
	usual(rig);
	add(rig);
	assert_int_equal(host_table_wants(rig->table), 0);
}

/* The event that maps it is missed, though others find the ring. */
TEST(test_fd_closed_beside_others)
{
	struct rig *rig = *state;

	look(rig);
	event(rig, ID + 1, KEY, false);
	add(rig);
	begin(rig, 0.1, HOST_FILES | HOST_MAPS);
	event(rig, ID + 1, KEY, false);
	holder(rig, KEY, OWNER, false);
	ring(rig, KEY);
	assert_int_equal(seen(rig)->nr_events, 2);
	assert_int_equal(host_table_wants(rig->table), HOST_MAPPINGS);
	look(rig);
	event(rig, ID + 1, KEY, false);
	add(rig);
	assert_int_equal(host_table_wants(rig->table), HOST_MAPPINGS);
}

/* A closed event leaves the row; its losses stay. */
TEST(test_event_closed)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	look(rig);
	event(rig, ID + 1, KEY, false)->event.lost = 40;
	add(rig);
	look(rig);
	row = seen(rig);
	assert_int_equal(row->nr_events, 1);
	assert_int_equal(row->lost, 40);
	assert_int_equal(host_table_wants(rig->table), 0);
	assert_string_equal(row->event, "cpu-clock");
}

TEST(test_new_ring_wants_its_mapping)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	begin(rig, 1, HOST_FILES | HOST_MAPS);
	event(rig, ID, KEY, true);
	holder(rig, KEY, OWNER, false);
	holder(rig, KEY, OWNER - 1, false);
	ring(rig, KEY);
	row = seen(rig);
	assert_false(row->mapped);
	assert_int_equal(row->pid, OWNER - 1);
	assert_int_equal(host_table_wants(rig->table), HOST_MAPPINGS);
	look(rig);
	holder(rig, KEY, OWNER - 1, false);
	row = seen(rig);
	assert_true(row->mapped);
	assert_int_equal(row->pid, OWNER);
	assert_int_equal(row->nr_holders, 2);
	assert_int_equal(row->holders[0].pid, OWNER);
	assert_int_equal(row->holders[1].pid, OWNER - 1);
	assert_int_equal(host_table_wants(rig->table), 0);
}

/* In passes without mappings the owner stays the same. */
TEST(test_owner_moves)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	look(rig);
	holder(rig, KEY, OWNER + 1, false);
	add(rig);
	begin(rig, 1, HOST_FILES);
	event(rig, ID, KEY, true);
	holder(rig, KEY, OWNER + 1, false);
	ring(rig, KEY);
	row = seen(rig);
	assert_true(row->mapped);
	assert_int_equal(row->pid, OWNER);
	assert_int_equal(row->nr_holders, 2);
	begin(rig, 1, HOST_FILES);
	event(rig, ID, KEY, true);
	holder(rig, KEY, OWNER, false);
	holder(rig, KEY, OWNER + 1, false);
	ring(rig, KEY);
	assert_true(seen(rig)->mapped);
	assert_int_equal(only(rig)->pid, OWNER);
	/* Other processes were not read. */
	begin(rig, 1, HOST_ALL);
	rig->pass.whole = false;
	event(rig, ID, KEY, true);
	holder(rig, KEY, OWNER + 1, false);
	ring(rig, KEY);
	assert_int_equal(seen(rig)->pid, OWNER);
	assert_int_equal(only(rig)->nr_holders, 2);
	/* The owner has ended, and another process holds the ring. */
	begin(rig, 1, HOST_ALL);
	event(rig, ID, KEY, true);
	snprintf(holder(rig, KEY, OWNER + 1, true)->comm, 16, "heir");
	ring(rig, KEY);
	row = seen(rig);
	assert_int_equal(row->pid, OWNER + 1);
	assert_string_equal(row->comm, "heir");
	assert_int_equal(row->nr_holders, 1);
}

/*
 * A process with only a descriptor stays the owner, before others of its kind.
 */
TEST(test_owner_stays)
{
	struct rig *rig = *state;

	begin(rig, 1, HOST_ALL);
	event(rig, ID, KEY, true);
	holder(rig, KEY, OWNER, false);
	ring(rig, KEY);
	add(rig);
	begin(rig, 1, HOST_ALL);
	event(rig, ID, KEY, true);
	holder(rig, KEY, OWNER, false);
	holder(rig, KEY, OWNER - 5, false);
	ring(rig, KEY);
	assert_int_equal(seen(rig)->pid, OWNER);
}

TEST(test_many_holders)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	look(rig);
	for (pid_t i = 1; i < 100; i++)
		holder(rig, KEY, OWNER + i, false);
	row = seen(rig);
	assert_int_equal(row->nr_holders, 100);
	assert_int_equal(row->holders[0].pid, OWNER);
	assert_int_equal(row->holders[3].pid, OWNER + 3);
	look(rig);
	assert_int_equal(seen(rig)->nr_holders, 1);
}

/* A pass over some processes says nothing about the others. */
TEST(test_gone_after_a_whole_pass)
{
	struct rig *rig = *state;

	look(rig)->head = 5000;
	add(rig);
	look(rig)->head = 9000;
	rig->pass.rings[0].woken = true;
	rig->pass.holders[0].stopped = true;
	add(rig);
	assert_near(only(rig)->bytes_per_s, 4000);
	assert_near(only(rig)->undrained, 1);
	assert_true(only(rig)->woken);
	assert_true(only(rig)->stopped);
	begin(rig, 1, HOST_ALL);
	rig->pass.whole = false;
	assert_false(seen(rig)->gone);
	begin(rig, 1, HOST_FILES | HOST_MAPS);
	assert_false(seen(rig)->gone);
	begin(rig, 1, HOST_ALL);
	assert_true(seen(rig)->gone);
	/* Its last figures, without rates. */
	assert_int_equal(only(rig)->head, 9000);
	assert_int_equal(only(rig)->bytes, 4000);
	assert_true(isnan(only(rig)->bytes_per_s));
	assert_true(isnan(only(rig)->wakeups_per_s));
	assert_true(isnan(only(rig)->drains_per_s));
	assert_true(isnan(only(rig)->lost_per_s));
	assert_true(isnan(only(rig)->undrained));
	assert_true(isnan(only(rig)->events[0].lost_per_s));
	assert_false(only(rig)->woken);
	assert_false(only(rig)->stopped);
	assert_int_equal(only(rig)->pid, OWNER);
	assert_int_equal(frame(rig)->total.nr[RING_PERF], 0);
	assert_int_equal(frame(rig)->total.owners, 0);
}

TEST(test_linger)
{
	struct rig *rig = *state;

	look(rig);
	add(rig);
	begin(rig, 59, HOST_ALL);
	assert_true(seen(rig)->gone);
	begin(rig, 2, HOST_ALL);
	add(rig);
	assert_int_equal(frame(rig)->nr_rows, 0);
	/* No id is used again. */
	look(rig);
	assert_int_equal(seen(rig)->id, 2);
}

/* On the screen a ring that lost records stays; others are over soon. */
TEST(test_over)
{
	struct rig *rig = *state;

	rig->opts.keeps_lost = true;
	renew(rig);
	look(rig);
	add(rig);
	begin(rig, 5, HOST_ALL);
	assert_true(seen(rig)->gone);
	assert_false(only(rig)->over);
	begin(rig, 9, HOST_ALL);
	assert_false(seen(rig)->over);
	begin(rig, 2, HOST_ALL);
	assert_true(seen(rig)->over);
	begin(rig, 60, HOST_ALL);
	add(rig);
	assert_int_equal(frame(rig)->nr_rows, 0);
	look(rig);
	rig->pass.events[0].event.lost = 3;
	add(rig);
	begin(rig, 5, HOST_ALL);
	add(rig);
	begin(rig, 3600, HOST_ALL);
	assert_true(seen(rig)->gone);
	assert_false(only(rig)->over);
	host_table_reset(rig->table);
	begin(rig, 1, HOST_ALL);
	add(rig);
	assert_int_equal(frame(rig)->nr_rows, 0);
}

/* Missed in a pass, then found: it is the same row. */
TEST(test_back)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	look(rig)->head = 100;
	add(rig);
	begin(rig, 1, HOST_ALL);
	assert_true(seen(rig)->gone);
	look(rig)->head = 700;
	row = seen(rig);
	assert_false(row->gone);
	assert_int_equal(row->id, 1);
	assert_int_equal(row->remapped, 0);
	assert_int_equal(row->bytes, 600);
}

/* A process with the same name and pid has other events. */
TEST(test_another_run)
{
	struct rig *rig = *state;
	const struct host *host;

	look(rig);
	add(rig);
	begin(rig, 1, HOST_ALL);
	event(rig, ID + 50, KEY + 8, true);
	holder(rig, KEY + 8, OWNER, true);
	ring(rig, KEY + 8);
	add(rig);
	host = frame(rig);
	assert_int_equal(host->nr_rows, 2);
	assert_true(host->rows[0].gone);
	assert_int_equal(host->rows[1].id, 2);
	assert_ptr_equal(host_find(host, 2), &host->rows[1]);
	assert_null(host_find(host, 3));
}

/*
 * A process that opens and closes its ring all the time leaves only the last
 * row.
 */
TEST(test_again_and_again)
{
	struct rig *rig = *state;
	const struct host *host;

	for (uint64_t i = 0; i < 10; i++) {
		begin(rig, 1, HOST_ALL);
		event(rig, ID + 2 * i, KEY, true);
		event(rig, ID + 2 * i + 1, KEY + 8, true);
		holder(rig, KEY, OWNER, true);
		holder(rig, KEY + 8, OWNER, true);
		ring(rig, KEY);
		ring(rig, KEY + 8);
		add(rig);
	}
	host = frame(rig);
	assert_int_equal(host->nr_rows, 4);
	assert_int_equal(host->rows[0].id, 17);
	assert_true(host->rows[1].gone);
	assert_false(host->rows[2].gone);
	/* On another CPU it is another ring. */
	begin(rig, 1, HOST_ALL);
	event(rig, ID + 99, KEY, true)->event.cpu = 7;
	holder(rig, KEY, OWNER, true);
	ring(rig, KEY);
	add(rig);
	begin(rig, 1, HOST_ALL);
	add(rig);
	assert_int_equal(frame(rig)->nr_rows, 3);
}

static struct host_pass_ring *ringbuf(struct rig *rig, uint32_t id)
{
	struct host_pass_ring *r = ring(rig, id);

	r->kind = RING_BPF;
	r->map_id = id;
	r->watermark = 0;
	r->uid = (uid_t)-1;
	r->user_locked = UNKNOWN;
	snprintf(r->map, sizeof(r->map), "events");
	return r;
}

TEST(test_ringbuf)
{
	struct rig *rig = *state;
	const struct ring_row *row;
	struct host_pass_ring *r;

	begin(rig, 1, HOST_ALL);
	r = ringbuf(rig, 7);
	r->head = 500;
	r->tail = 100;
	holder(rig, 7, OWNER, true);
	row = seen(rig);
	assert_int_equal(row->kind, RING_BPF);
	assert_string_equal(row->label, "all CPUs");
	assert_string_equal(row->event, "events");
	assert_string_equal(row->map, "events");
	assert_int_equal(row->map_id, 7);
	assert_int_equal(row->uid, UID);
	assert_int_equal(row->used, 400);
	assert_true(row->lost == UNKNOWN);
	assert_true(row->lost_pending == UNKNOWN);
	assert_int_equal(row->next_crossing, 0);
	/* They are not counted. */
	assert_true(row->wakeups == UNKNOWN);
	assert_true(row->crossings == UNKNOWN);
	assert_true(frame(rig)->total.row.lost == UNKNOWN);
	assert_int_equal(frame(rig)->total.uncounted, 1);

	begin(rig, 1, HOST_ALL);
	ringbuf(rig, 7)->head = 800;
	row = seen(rig);
	assert_near(row->bytes_per_s, 300);
	assert_true(isnan(row->lost_per_s));
	assert_true(isnan(row->wakeups_per_s));
	/* No process holds it, only a BPF program or a pin. */
	assert_int_equal(row->nr_holders, 0);
	assert_false(row->mapped);
	assert_int_equal(frame(rig)->total.nr[RING_BPF], 1);
	assert_int_equal(frame(rig)->total.nr[RING_PERF], 0);
}

/* A look at an ftrace buffer of CPU 3, which has a reader with @reads. */
static const struct ring_row *ftrace_of(struct rig *rig, uint64_t size,
					uint64_t head, uint64_t used,
					uint64_t lost, uint64_t reads,
					bool overwrite)
{
	struct host_pass_ring *r;

	begin(rig, 1, HOST_FTRACE);
	r = ring(rig, 9);
	r->size = size;
	r->kind = RING_FTRACE;
	r->watermark = 0;
	r->uid = (uid_t)-1;
	r->user_locked = UNKNOWN;
	r->lost = UNKNOWN;
	r->overwrite = overwrite;
	r->head = head;
	r->tail = head - used;
	r->sizes = (struct host_sizes){ .nr = 10, .bytes = 480 };
	r->lost_in_all = lost;
	r->ftrace.reads = reads;
	r->ftrace.cpu = 3;
	snprintf(r->ftrace.instance, sizeof(r->ftrace.instance), "x");
	if (reads)
		holder(rig, 9, OWNER, true);
	return seen(rig);
}

static const struct ring_row *ftrace(struct rig *rig, uint64_t head,
				     uint64_t used, uint64_t lost,
				     uint64_t reads, bool overwrite)
{
	return ftrace_of(rig, SIZE, head, used, lost, reads, overwrite);
}

TEST(test_ftrace_that_nobody_reads)
{
	struct rig *rig = *state;
	const struct ring_row *row = ftrace(rig, SIZE, SIZE, 0, 0, true);

	assert_int_equal(row->kind, RING_FTRACE);
	assert_string_equal(row->label, "CPU 3");
	assert_string_equal(row->event, "ftrace:x");
	assert_int_equal(row->pid, -1);
	assert_int_equal(row->lost, 0);
	assert_true(row->wakeups == UNKNOWN);
	row = ftrace(rig, 3 * SIZE, SIZE, 0, 0, true);
	assert_near(row->bytes_per_s, 2 * SIZE);
	assert_int_equal(verdict_of(row), VERDICT_OVERWRITE);
	assert_int_equal(row->warnings, 0);
	assert_int_equal(frame(rig)->total.nr[RING_FTRACE], 1);
	assert_int_equal(frame(rig)->total.nr[RING_PERF], 0);

	/* passes without them do not make them go */
	begin(rig, 1, HOST_ALL);
	assert_false(seen(rig)->gone);
	begin(rig, 1, HOST_FTRACE);
	assert_true(seen(rig)->gone);
}

static const struct ring_row *uring_row(struct rig *rig, bool cq)
{
	const struct host *host = frame(rig);

	for (size_t i = 0; i < host->nr_rows; i++)
		if (strstr(host->rows[i].event, cq ? "CQ" : "SQ"))
			return &host->rows[i];
	return NULL;
}

/* A pass with both rings, of the completions with these positions. */
static void pass_urings(struct rig *rig, pid_t pid, uint64_t head,
			uint64_t tail, uint64_t lost)
{
	begin(rig, 1, HOST_ALL);
	for (unsigned int cq = 0; cq < 2; cq++) {
		struct host_pass_ring *r = ring(rig, 0x4000 + cq);

		r->size = 1024;
		r->kind = RING_URING;
		r->entry = 16;
		r->to_kernel = !cq;
		r->lost = UNKNOWN;
		r->lost_in_all = cq * lost;
		r->head = cq ? head : 1024;
		r->tail = cq ? tail : 0;
		holder(rig, r->key, pid, true);
	}
	add(rig);
	frame(rig);
}

static void show_urings(struct rig *rig)
{
	rig->opts.filter.kinds = 1 << RING_URING;
	renew(rig);
}

/* Completions that wait, and two that could not be kept. */
TEST(test_uring)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	show_urings(rig);
	for (unsigned int pass = 0; pass < 14; pass++)
		pass_urings(rig, OWNER, 1024, 0, 2);
	assert_int_equal(frame(rig)->total.nr[RING_URING], 2);
	assert_int_equal(frame(rig)->total.row.lost, 2);
	row = uring_row(rig, true);
	assert_string_equal(row->event, "io_uring CQ");
	assert_near(row->fill, 1);
	assert_int_equal(row->pid, OWNER);
	assert_int_equal(verdict_of(row), VERDICT_STUCK);
	/* the kernel drains submissions: its owner is not to blame */
	row = uring_row(rig, false);
	assert_near(row->fill, 1);
	assert_int_equal(row->warnings, 0);
	assert_false(row->advice.valid);
	/* by default they are not shown */
	assert_true(host_filter_has(&(struct host_filter){ 0 }, RING_FTRACE));
	assert_false(host_filter_has(&(struct host_filter){ 0 }, RING_URING));
}

/* Its positions have 32 bits of entries. */
TEST(test_uring_that_wraps)
{
	const uint64_t end = 16ULL << 32;
	struct rig *rig = *state;
	const struct ring_row *row;

	show_urings(rig);
	pass_urings(rig, OWNER, end - 160, end - 320, 0);
	pass_urings(rig, OWNER, 480, 160, 0);
	row = uring_row(rig, true);
	assert_int_equal(row->bytes, 640);
	assert_near(row->bytes_per_s, 640);
	assert_int_equal(row->used, 320);
	assert_int_equal(row->remapped, 0);
	assert_int_equal(row->head, end + 480);
}

/* One that was made anew between two polls, and one that was resized. */
TEST(test_uring_that_is_replaced)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	show_urings(rig);
	pass_urings(rig, OWNER, 160000, 159840, 0);
	pass_urings(rig, OWNER, 160, 0, 0);
	row = uring_row(rig, true);
	assert_int_equal(row->bytes, 160);
	assert_int_equal(row->remapped, 1);
	pass_urings(rig, OWNER, 320, 160, 0);
	rig->mono += 1;
	begin(rig, 0, HOST_ALL);
	for (unsigned int cq = 0; cq < 2; cq++) {
		struct host_pass_ring *r = ring(rig, 0x4000 + cq);

		r->kind = RING_URING;
		r->size = 2048;
		r->entry = 16;
		r->lost = UNKNOWN;
		r->head = cq ? 480 : 1024;
		r->tail = cq ? 320 : 0;
		holder(rig, r->key, OWNER, true);
	}
	add(rig);
	frame(rig);
	row = uring_row(rig, true);
	assert_int_equal(row->bytes, 480);
	assert_int_equal(row->remapped, 2);
}

/* Another instance at the same address begins with nothing. */
TEST(test_uring_at_an_address_of_another)
{
	struct rig *rig = *state;
	const struct ring_row *row;
	const struct host *host;

	show_urings(rig);
	pass_urings(rig, OWNER, 1600, 1600, 9);
	begin(rig, 1, HOST_ALL);
	add(rig);
	frame(rig);
	pass_urings(rig, OWNER + 1, 160, 0, 1);
	host = frame(rig);
	row = NULL;
	for (size_t i = 0; i < host->nr_rows; i++)
		if (!host->rows[i].gone && strstr(host->rows[i].event, "CQ"))
			row = &host->rows[i];
	assert_non_null(row);
	assert_int_equal(row->pid, OWNER + 1);
	assert_int_equal(row->lost, 1);
	assert_int_equal(row->remapped, 0);
}

/* A CQ of a few entries is not told to grow by pages. */
TEST(test_uring_of_a_few_entries)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	show_urings(rig);
	for (unsigned int i = 0; i < 14; i++)
		pass_urings(rig, OWNER, 1024 * i + (i & 1 ? 900 : 0), 1024 * i,
			    0);
	row = uring_row(rig, true);
	assert_int_equal(verdict_of(row), VERDICT_TIGHT);
	assert_int_equal(row->advice.pages, 128);
	assert_non_null(strstr(row->advice.text, "grow to 128 entries (2K)"));
	assert_string_equal(row->advice.setting, "");
}

static const struct ring_row *packet_row(struct rig *rig)
{
	const struct host *host = frame(rig);

	assert_int_equal(host->nr_rows, 1);
	return &host->rows[0];
}

/* A pass with a ring of frames, or blocks, of 2 KiB, of which @used wait. */
static struct host_pass_ring *add_packets(struct rig *rig, uint64_t head,
					  uint64_t used, bool blocks,
					  uint64_t packets, uint64_t drops)
{
	struct host_pass_ring *r;

	begin(rig, 1, HOST_ALL);
	r = ring(rig, 0x4000);
	r->kind = RING_PACKET;
	r->size = 65536;
	r->entry = blocks ? 0 : 2048;
	r->lost = UNKNOWN;
	r->lost_in_all = drops;
	r->head = head * 2048;
	r->tail = (head - used) * 2048;
	r->packet.packets = packets;
	r->packet.frame = 2048;
	r->packet.blocks = blocks ? head : 0;
	strcpy(r->packet.dev, "eth0");
	return r;
}

static void pass_packets(struct rig *rig, uint64_t head, uint64_t used,
			 bool blocks, uint64_t packets, uint64_t drops)
{
	struct host_pass_ring *r = add_packets(rig, head, used, blocks,
					       packets, drops);

	strcpy(holder(rig, r->key, OWNER, true)->comm, "tcpdump");
	add(rig);
	frame(rig);
}

/* Blocks that nobody takes; counts that the owner clears by reading them. */
TEST(test_packets)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	pass_packets(rig, 100, 0, true, 1000, 5);
	row = packet_row(rig);
	assert_string_equal(row->event, "packet eth0");
	assert_int_equal(row->lost, 5);	/* before it was watched */
	assert_int_equal(frame(rig)->total.nr[RING_PACKET], 1);
	pass_packets(rig, 110, 10, true, 1100, 9);
	row = packet_row(rig);
	assert_int_equal(row->bytes, 10 * 2048);
	assert_int_equal(row->used, 10 * 2048);
	assert_int_equal(row->lost, 9);
	/* fewer, and then more than before, but of fewer packets */
	pass_packets(rig, 110, 10, true, 20, 3);
	assert_int_equal(packet_row(rig)->lost, 12);
	pass_packets(rig, 110, 10, true, 10, 4);
	assert_int_equal(packet_row(rig)->lost, 16);
	for (unsigned int pass = 0; pass < 14; pass++)
		pass_packets(rig, 132, 32, true, 10, 5 + pass);
	row = packet_row(rig);
	assert_near(row->fill, 1);
	assert_int_equal(row->lost, 16 + 14);
	assert_int_equal(verdict_of(row), VERDICT_STUCK);
	assert_int_equal(row->remapped, 0);
	/* made anew: what was lost is not counted twice */
	pass_packets(rig, 3, 0, true, 10, 20);
	row = packet_row(rig);
	assert_int_equal(row->remapped, 1);
	assert_int_equal(row->lost, 16 + 16);
}

/* Frames: how often the position went round is told by the packets. */
TEST(test_packets_in_frames)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	pass_packets(rig, 32 + 4, 0, false, 4, 0);
	pass_packets(rig, 32 + 6, 1, false, 6, 0);
	row = packet_row(rig);
	assert_int_equal(row->bytes, 2 * 2048);
	assert_int_equal(row->used, 2048);
	/* three times and two back; the count was read a bit earlier */
	pass_packets(rig, 32 + 4, 8, false, 99, 2);
	row = packet_row(rig);
	assert_int_equal(row->bytes, (2 + 94) * 2048);
	assert_int_equal(row->used, 8 * 2048);
	/* read by its owner: it was at least once round */
	pass_packets(rig, 32 + 5, 9, false, 33, 0);
	row = packet_row(rig);
	assert_int_equal(row->bytes, (2 + 94 + 33) * 2048);
	assert_int_equal(row->lost, 2);
	assert_int_equal(row->remapped, 0);
}

/* A socket that is passed on stays one ring, also while it is on its way. */
TEST(test_packets_passed_on)
{
	struct rig *rig = *state;
	const struct ring_row *row;
	struct host_pass_ring *r;

	pass_packets(rig, 100, 0, true, 1000, 5);
	r = add_packets(rig, 110, 0, true, 1100, 6);
	holder(rig, r->key, OWNER + 1, true);
	add(rig);
	row = packet_row(rig);
	assert_int_equal(row->pid, OWNER + 1);
	assert_int_equal(row->lost, 6);
	begin(rig, 1, HOST_ALL);
	add(rig);
	assert_true(packet_row(rig)->gone);
	pass_packets(rig, 120, 0, true, 1200, 7);
	row = packet_row(rig);
	assert_false(row->gone);
	assert_int_equal(row->lost, 7);
}

/* The count of packets has 32 bits. */
TEST(test_packets_wrap)
{
	struct rig *rig = *state;

	pass_packets(rig, 100, 0, true, UINT32_MAX - 1000, 500000);
	pass_packets(rig, 110, 0, true, 4000, 500010);
	assert_int_equal(packet_row(rig)->lost, 500010);
}

/* Another socket at the address of one that was closed. */
TEST(test_packets_of_another_socket)
{
	struct rig *rig = *state;
	struct host_pass_ring *r;
	const struct host *host;

	pass_packets(rig, 100, 0, true, 1000, 5);
	begin(rig, 1, HOST_ALL);
	add(rig);
	frame(rig);
	r = add_packets(rig, 1, 0, true, 1, 1);
	r->packet.inode = 1234;
	holder(rig, r->key, OWNER, true);
	add(rig);
	host = frame(rig);
	assert_int_equal(host->nr_rows, 2);
	assert_true(host->rows[0].gone);
	assert_int_equal(host->rows[1].lost, 1);
}

/* The size that tcpdump should have. */
TEST(test_packets_of_tcpdump)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	for (unsigned int pass = 0; pass < 14; pass++)
		pass_packets(rig, 32 + pass * 16, pass & 1 ? 16 : 0, false,
			     pass * 16, pass / 2 * 8);
	row = packet_row(rig);
	assert_int_equal(row->lost, 48);
	assert_int_equal(verdict_of(row), VERDICT_TOO_SMALL);
	assert_string_equal(row->advice.setting, "-B 256");
}

/* What was lost before somebody began to read says nothing of the size. */
TEST(test_ftrace_that_begins_to_be_read)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	ftrace(rig, SIZE, SIZE, 0, 0, true);
	row = ftrace(rig, SIZE + 100, SIZE / 8, 5000, 9, false);
	assert_int_equal(row->pid, OWNER);
	assert_int_equal(row->lost, 5000);
	assert_int_not_equal(verdict_of(row), VERDICT_TOO_SMALL);
	for (unsigned int i = 0; i < 12; i++)
		row = ftrace(rig, SIZE + 200, SIZE / 8, 5000, 10u + i, false);
	assert_int_not_equal(verdict_of(row), VERDICT_TOO_SMALL);
	/* and it ends */
	row = ftrace(rig, SIZE + 200, SIZE / 8, 5000, 0, true);
	assert_int_equal(row->pid, -1);
	assert_string_equal(row->comm, "");
	assert_int_equal(row->lost, 5000);
}

/* What one reader did not keep up with says nothing of the next one. */
TEST(test_ftrace_with_another_reader)
{
	struct rig *rig = *state;
	const struct ring_row *row = ftrace(rig, 0, 0, 0, 1, false);

	for (unsigned int i = 1; i < 14; i++)
		row = ftrace(rig, i * SIZE, i & 1 ? SIZE : 64, 100 * i, i + 1,
			     false);
	assert_int_equal(verdict_of(row), VERDICT_TOO_SMALL);
	for (unsigned int i = 14; i < 18; i++) {
		ftrace(rig, 14 * SIZE + 8 * i, 64, 1400, i + 1, false);
		rig->pass.holders[0].pid = OWNER + 1;
		row = seen(rig);
	}
	assert_int_equal(row->pid, OWNER + 1);
	assert_int_not_equal(verdict_of(row), VERDICT_TOO_SMALL);
	assert_int_equal(row->lost, 1400);
}

TEST(test_ftrace_that_loses)
{
	struct rig *rig = *state;
	const struct ring_row *row = ftrace(rig, 0, 0, 0, 1, false);

	for (unsigned int i = 1; i < 14; i++)
		row = ftrace(rig, i * SIZE, i & 1 ? SIZE : 64,
			     i > 5 ? 100 : 0, 1 + i, false);
	assert_int_equal(row->lost, 100);
	assert_int_equal(verdict_of(row), VERDICT_TOO_SMALL);
	assert_true(text_begins(row->advice.text, "grow to "));
	assert_true(text_begins(row->advice.setting, "echo "));
	assert_non_null(strstr(row->advice.setting, " > /sys/kernel/tracing/"
			       "instances/x/buffer_size_kb"));
	assert_null(row->advice.command);
}

/* Of another size, it goes on: what came and was lost counts once. */
TEST(test_ftrace_that_is_resized)
{
	struct rig *rig = *state;
	const struct ring_row *row = ftrace(rig, 0, 0, 0, 1, false);
	uint64_t bytes;

	for (unsigned int i = 1; i < 14; i++)
		row = ftrace(rig, i * SIZE, i & 1 ? SIZE : 64, 100 * i, 1 + i,
			     false);
	assert_int_equal(row->lost, 1300);
	bytes = row->bytes;
	for (unsigned int i = 0; i < 4; i++)
		row = ftrace_of(rig, 4 * SIZE, 64 + i, 64, 1350, 20 + i,
				false);
	assert_int_equal(row->lost, 1350);
	assert_int_equal(row->bytes, bytes + 64 + 3);
	assert_int_equal(row->remapped, 1);
	assert_int_not_equal(verdict_of(row), VERDICT_TOO_SMALL);
}

/* options/overwrite is off, and it is full. */
TEST(test_ftrace_that_drops)
{
	struct rig *rig = *state;
	const struct ring_row *row = NULL;

	for (unsigned int i = 0; i < 9; i++)
		row = ftrace(rig, SIZE, SIZE, 100 * i, 0, false);
	assert_int_equal(verdict_of(row), VERDICT_STUCK);
	assert_string_equal(row->advice.text,
			    "no size is enough: no process reads it");
}

/* A full ring buffer in which @bytes have been written, and @lost counted. */
static const struct ring_row *drops_since(struct rig *rig, double from,
					  uint64_t bytes, uint64_t lost)
{
	struct host_pass_ring *r;

	begin(rig, 1, HOST_ALL);
	r = ringbuf(rig, 7);
	r->head = bytes;
	r->tail = bytes - SIZE / 2;
	r->drops.from = from;
	r->drops.records = lost;
	r->drops.bytes = 48 * lost;
	return seen(rig);
}

static const struct ring_row *drops(struct rig *rig, uint64_t bytes,
				    uint64_t lost)
{
	return drops_since(rig, 990, bytes, lost);
}

/* --ringbuf-drops: its losses are those of any ring. */
TEST(test_ringbuf_drops)
{
	struct rig *rig = *state;
	const struct ring_row *row = drops(rig, SIZE, 5);

	/* Since it was made, if that was later than counting began. */
	assert_int_equal(row->lost, 5);
	assert_int_equal(row->lost_bytes, 5 * 48);
	assert_near(row->last_seen - row->lost_from, 0);
	assert_true(row->lost_pending == UNKNOWN);
	assert_true(row->lost_reported == UNKNOWN);
	assert_int_not_equal(verdict_of(row), VERDICT_TOO_SMALL);
	for (unsigned int i = 1; i < 12; i++)
		row = drops(rig, (1 + i) * SIZE, 5 + 1000 * i);
	assert_int_equal(row->lost, 11005);
	assert_int_equal(row->lost_bytes, 11005 * 48);
	assert_near(row->lost_per_s, 1000);
	assert_near(row->peak, 1);
	assert_int_equal(row->warnings, 1U << RING_WARN_LOSING);
	assert_int_equal(verdict_of(row), VERDICT_TOO_SMALL);
	/* 2 x (64K + 48000 bytes) */
	assert_int_equal(row->advice.pages, 64);
	assert_non_null(strstr(row->advice.text, "grow to max_entries="
						 "262144 (256K): 2 x (64K ring + 46.9K"
						 " lost in one gap)"));
	assert_int_equal(frame(rig)->total.row.lost, 11005);
	assert_true(frame(rig)->total.row.lost_reported == UNKNOWN);
	assert_int_equal(frame(rig)->total.uncounted, 0);
	/* After a reset, only what is lost since then. */
	host_table_reset(rig->table);
	row = drops(rig, 30 * SIZE, 11006);
	assert_int_equal(ring_row_lost_since(row), 1);
}

/* Counting begins, ends and begins again while it is watched. */
TEST(test_ringbuf_drops_again)
{
	struct rig *rig = *state;
	const struct ring_row *row = drops_since(rig, 0, SIZE, 0);
	double second;

	assert_true(row->lost == UNKNOWN);
	drops_since(rig, row->last_seen + 0.5, SIZE, 7);
	row = drops_since(rig, row->last_seen - 0.5, SIZE, 9);
	assert_int_equal(row->lost, 9);
	assert_near(row->last_seen - row->lost_from, 1.5);
	host_table_reset(rig->table);
	row = drops_since(rig, 0, SIZE, 0);
	assert_true(row->lost == UNKNOWN && row->lost_bytes == UNKNOWN);
	second = row->last_seen + 0.5;
	row = drops_since(rig, second, SIZE, 2);
	assert_int_equal(row->lost, 2);
	assert_int_equal(ring_row_lost_since(row), 2);
	assert_int_equal(row->lost_bytes, 2 * 48);
	assert_near(row->lost_from, second);
	/* the total never falls */
	assert_int_equal(frame(rig)->total.row.lost, 11);
}

/* It has room, and its records are small: its lock was taken. */
TEST(test_ringbuf_lock)
{
	struct rig *rig = *state;
	const struct ring_row *row = NULL;

	for (unsigned int i = 0; i < 12; i++)
		row = drops(rig, SIZE + 8 * i, 10 * i);
	assert_int_equal(row->lost, 110);
	assert_int_equal(verdict_of(row), VERDICT_OK);
	assert_near(row->peak, 0.5);
}

/* Beside a perf ring, what is reported is what perf rings lost. */
TEST(test_ringbuf_drops_are_not_reported)
{
	struct rig *rig = *state;
	const struct host *host;

	begin(rig, 1, HOST_ALL);
	ringbuf(rig, 7)->drops.from = 990;
	rig->pass.rings[0].drops.records = 30;
	event(rig, ID, KEY, true)->event.lost = 4;
	ring(rig, KEY)->lost = 1;
	holder(rig, KEY, OWNER, true);
	add(rig);
	host = frame(rig);
	assert_int_equal(host->total.row.lost, 34);
	assert_int_equal(host->total.row.lost_reported, 3);
	assert_int_equal(host->total.row.lost_pending, 1);
}

/* Linux 6.19: it holds the data that was not overwritten or read. */
TEST(test_ringbuf_overwrite)
{
	struct rig *rig = *state;
	const struct ring_row *row;
	struct host_pass_ring *r;

	for (unsigned int i = 0; i < 3; i++) {
		begin(rig, 1, HOST_ALL);
		r = ringbuf(rig, 7);
		r->overwrite = true;
		r->head = 1000000 * (i + 1);
		/*
		 * If the kernel does not show overwrite_pos, it seems too much.
		 */
		r->tail = i == 1 ? 0 : r->head - SIZE / 4;
		row = seen(rig);
		assert_int_equal(row->used, i == 1 ? SIZE : SIZE / 4);
		assert_true(row->overwrite);
		assert_int_equal(row->warnings, 0);
		assert_int_equal(frame(rig)->total.uncounted, 0);
	}
	assert_false(row->advice.valid);
	assert_non_null(strstr(row->advice.reason, "overwrite"));
}

/* Each pass reads all maps, whatever else it reads. */
TEST(test_ringbuf_gone)
{
	struct rig *rig = *state;

	begin(rig, 1, HOST_ALL);
	ringbuf(rig, 7);
	add(rig);
	begin(rig, 1, HOST_FILES | HOST_MAPPINGS);
	assert_false(seen(rig)->gone);
	assert_int_equal(host_table_wants(rig->table), 0);
	begin(rig, 1, HOST_MAPS);
	rig->pass.whole = false;
	assert_true(seen(rig)->gone);
}

/* The map that has the events in its slots. */
TEST(test_map_of_events)
{
	struct rig *rig = *state;
	struct host_pass_ring *r = look(rig);

	r->map_id = 9;
	snprintf(r->map, sizeof(r->map), "perf_map");
	add(rig);
	begin(rig, 1, HOST_FILES | HOST_MAPPINGS);
	usual(rig);
	assert_int_equal(seen(rig)->map_id, 9);
	assert_string_equal(only(rig)->map, "perf_map");
	assert_string_equal(only(rig)->event, "cpu-clock");
}

/* The row is named after the most important event. */
TEST(test_event_names)
{
	struct rig *rig = *state;
	static const char *const names[] = {
		"dummy:HG", "sched:sched_switch", "cycles", "cycles",
	};
	const struct ring_row *row;

	begin(rig, 1, HOST_ALL);
	for (size_t i = 0; i < 4; i++) {
		struct host_pass_event *e = event(rig, ID + i, KEY, i == 0);

		e->event.name = names[i];
		e->event.cpu = -1;
		e->event.tid = i < 2 ? 55 : 66;
	}
	ring(rig, KEY);
	row = seen(rig);
	assert_string_equal(row->event, "sched:sched_switch +1");
	assert_int_equal(row->tid, -1);
	assert_string_equal(row->label, "");
}

TEST(test_thread)
{
	struct rig *rig = *state;
	struct host_pass_event *e;

	look(rig);
	rig->pass.events[0].event.cpu = -1;
	rig->pass.events[0].event.tid = 1234;
	assert_string_equal(seen(rig)->label, "tid 1234");
	/* The process has ended: its name is known from before. */
	begin(rig, 1, HOST_ALL);
	e = event(rig, ID, KEY, true);
	e->event.cpu = -1;
	e->event.state = RING_EVENT_GONE;
	ring(rig, KEY);
	assert_string_equal(seen(rig)->label, "tid 1234");
	assert_int_equal(only(rig)->events[0].tid, 1234);
}

TEST(test_names_are_made_harmless)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	look(rig);
	memcpy(rig->pass.holders[0].comm, "\33[2Jsixteen byte", 16);
	rig->pass.events[0].event.name = "a\nb";
	row = seen(rig);
	assert_string_equal(row->comm, "?[2Jsixteen byt");
	assert_string_equal(row->event, "a?b");
}

TEST(test_filter_by_owner)
{
	struct rig *rig = *state;
	const pid_t pids[] = { OWNER + 1, 7 };
	const struct host *host;

	rig->opts.filter.pids = pids;
	rig->opts.filter.nr_pids = 2;
	renew(rig);
	look(rig);
	event(rig, ID + 1, KEY + 8, true);
	holder(rig, KEY + 8, OWNER + 1, true);
	ring(rig, KEY + 8);
	add(rig);
	host = frame(rig);
	assert_int_equal(host->nr_rows, 1);
	assert_int_equal(host->rows[0].pid, OWNER + 1);
	assert_int_equal(host->total.nr[RING_PERF], 1);
	assert_int_equal(host->total.owners, 1);
}

TEST(test_filter_by_cpu)
{
	struct rig *rig = *state;
	int cpus[] = { 1, 3 };
	const struct cpulist list = { .cpus = cpus, .nr = 2 };
	const struct host *host;

	rig->opts.filter.cpus = &list;
	renew(rig);
	look(rig);
	event(rig, ID + 1, KEY + 8, true)->event.cpu = 2;
	ring(rig, KEY + 8);
	event(rig, ID + 2, KEY + 16, true)->event.cpu = -1;
	ring(rig, KEY + 16);
	add(rig);
	host = frame(rig);
	assert_int_equal(host->nr_rows, 1);
	assert_int_equal(host->rows[0].cpu, 3);
}

TEST(test_pids)
{
	struct rig *rig = *state;
	pid_t pids[8] = { 0 };

	look(rig);
	holder(rig, KEY, 300, false);
	holder(rig, KEY + 8, 300, true);
	holder(rig, KEY + 8, 50, false);
	event(rig, ID + 1, KEY + 8, true);
	ring(rig, KEY + 8);
	add(rig);
	assert_int_equal(host_table_pids(rig->table, NULL, 0), 3);
	assert_int_equal(host_table_pids(rig->table, pids, 8), 3);
	assert_int_equal(pids[0], 50);
	assert_int_equal(pids[1], OWNER);
	assert_int_equal(pids[2], 300);
	assert_int_equal(frame(rig)->status.processes, 3);
	/* Rings of rows that are gone hold nothing. */
	look(rig);
	add(rig);
	assert_int_equal(host_table_pids(rig->table, pids, 8), 1);
	assert_int_equal(pids[0], OWNER);
}

TEST(test_total)
{
	struct rig *rig = *state;
	const struct ring_total *total;
	struct host_pass_ring *r;

	for (unsigned int i = 0; i < 2; i++) {
		r = look(rig);
		r->head = 1000 + 1000 * i;
		r->wakeup = i * WATERMARK;
		r->lost = 3;
		rig->pass.events[0].event.lost = 10 + 5 * i;
		event(rig, ID + 1, KEY + 8, true);
		holder(rig, KEY + 8, OWNER, true);
		ring(rig, KEY + 8)->head = 50000;
		r = ringbuf(rig, 7);
		r->head = 600 + 500 * i;
		holder(rig, 7, OWNER + 1, true);
		add(rig);
	}
	total = &frame(rig)->total;
	assert_int_equal(total->nr[RING_PERF], 2);
	assert_int_equal(total->nr[RING_BPF], 1);
	assert_int_equal(total->owners, 2);
	assert_int_equal(total->row.size, 3 * SIZE);
	assert_int_equal(total->row.used, 2000 + 50000 + 1100);
	assert_int_equal(total->row.locked, 3 * (SIZE + PAGE));
	assert_near(total->row.bytes_per_s, 1500);
	assert_near(total->row.wakeups_per_s, 1);
	assert_near(total->row.lost_per_s, 5);
	assert_int_equal(total->row.lost, 15);
	assert_int_equal(total->row.lost_pending, 3);
	/* A lost record means that the ring was full. */
	assert_near(total->row.peak_tick, 1);
	assert_int_equal(total->warned, 1);
	assert_int_equal(total->row.warnings,
			 1 << RING_WARN_LOSING | 1 << RING_WARN_PENDING);
}

/*
 * A total that no ring knows is unknown, not 0: before Linux 6.0 only pending
 * losses are known.
 */
/* perf opens a large ring for side-band records, which never fills. */
TEST(test_total_without_dummies)
{
	struct rig *rig = *state;
	const struct ring_total *total;

	look(rig)->head = 1000;
	event(rig, ID + 1, KEY + 8, true)->event.name = "dummy:HG";
	ring(rig, KEY + 8)->head = 8;
	add(rig);
	total = &frame(rig)->total;
	assert_int_equal(total->nr[RING_PERF], 1);
	assert_int_equal(total->row.size, SIZE);
	assert_int_equal(total->row.used, 1000);
}

TEST(test_total_of_losses)
{
	struct rig *rig = *state;

	begin(rig, 1, HOST_ALL);
	add(rig);
	assert_int_equal(frame(rig)->total.row.lost, 0);
	look(rig)->lost = 10;
	rig->pass.events[0].event.lost = UNKNOWN;
	add(rig);
	assert_true(frame(rig)->total.row.lost == UNKNOWN);
	assert_int_equal(frame(rig)->total.row.lost_pending, 10);
	/* A ring that counts losses. */
	look(rig)->lost = 10;
	rig->pass.events[0].event.lost = UNKNOWN;
	event(rig, ID + 1, KEY + 8, true)->event.lost = 7;
	ring(rig, KEY + 8);
	add(rig);
	assert_int_equal(frame(rig)->total.row.lost, 7);
	/* A BPF ring buffer never counts them. */
	renew(rig);
	look(rig)->lost = 10;
	rig->pass.events[0].event.lost = 10;
	ringbuf(rig, 7);
	add(rig);
	assert_int_equal(frame(rig)->total.row.lost, 10);
	assert_int_equal(frame(rig)->total.uncounted, 1);
	begin(rig, 1, HOST_ALL);
	ringbuf(rig, 7);
	add(rig);
	assert_int_equal(frame(rig)->total.row.lost, 10);
	assert_true(frame(rig)->total.at_least);
	assert_int_equal(frame(rig)->total.row.wakeups, 0);
	/* Only BPF ring buffers from the start. */
	renew(rig);
	begin(rig, 1, HOST_ALL);
	ringbuf(rig, 7);
	add(rig);
	assert_true(frame(rig)->total.row.lost == UNKNOWN);
	assert_true(frame(rig)->total.row.lost_pending == UNKNOWN);
	assert_true(frame(rig)->total.row.wakeups == UNKNOWN);
}

/* A pass with or without the first ring, which has losses and bytes. */
static const struct ring_total *total_after(struct rig *rig, bool there,
					    uint64_t lost, uint64_t head)
{
	struct host_pass_ring *r;

	begin(rig, 1, HOST_ALL);
	if (there) {
		r = usual(rig);
		r->head = r->tail = head;
		r->lost = 3;
		rig->pass.events[0].event.lost = lost;
	}
	add(rig);
	return &frame(rig)->total;
}

/* Totals of all rings seen, also of those gone since. */
TEST(test_totals_never_fall)
{
	struct rig *rig = *state;
	const struct ring_total *total;

	total_after(rig, true, 10, 1000);
	total = total_after(rig, true, 25, 5000);
	assert_int_equal(total->row.lost, 25);
	assert_int_equal(total->row.bytes, 4000);
	assert_int_equal(total->row.drains, 1);
	assert_false(total->at_least);
	total = total_after(rig, false, 0, 0);
	assert_int_equal(total->nr[RING_PERF], 0);
	assert_int_equal(total->row.lost, 25);
	assert_int_equal(total->row.lost_pending, 3);
	assert_int_equal(total->row.bytes, 4000);
	assert_true(total->at_least);
	/* Its row is forgotten. */
	rig->mono += 2 * HOST_TABLE_LINGER;
	assert_int_equal(frame(rig)->nr_rows, 0);
	assert_int_equal(frame(rig)->total.row.lost, 25);
	assert_int_equal(frame(rig)->total.row.lost_pending, 3);
	assert_int_equal(frame(rig)->total.row.bytes, 4000);
}

/* Begin a pass without the ring, whose event ended with @lost records lost. */
static void end_of(struct rig *rig, uint64_t id, uint64_t lost)
{
	struct host_pass_end *end;

	begin(rig, 1, HOST_ALL);
	end = host_pass_add_end(&rig->pass);
	assert_non_null(end);
	*end = (struct host_pass_end){ .id = id, .lost = lost };
}

/* What events lost between the last poll and their end. */
TEST(test_lost_to_the_end)
{
	struct rig *rig = *state;
	const struct ring_total *total;
	const struct ring_row *row;

	total_after(rig, true, 10, 1000);
	total_after(rig, true, 25, 5000);
	end_of(rig, ID, 125);
	row = seen(rig);
	assert_true(row->gone && row->lost_final);
	assert_int_equal(row->lost, 125);
	assert_int_equal(row->lost_pending, 103);
	assert_int_equal(row->lost_reported, 22);
	assert_int_equal(row->events[0].lost, 125);
	assert_int_equal(rig->nr_notes, 2);
	assert_string_equal(rig->notes[0],
			    "perf (100): CPU 3 cpu-clock lost 100 records");
	total = &frame(rig)->total;
	assert_int_equal(total->row.lost, 125);
	assert_int_equal(total->row.lost_pending, 103);
	assert_false(total->at_least);
	/* Its row is forgotten. */
	rig->mono += 2 * HOST_TABLE_LINGER;
	assert_int_equal(frame(rig)->nr_rows, 0);
	assert_int_equal(frame(rig)->total.row.lost, 125);
	assert_false(frame(rig)->total.at_least);
}

/* Nothing was lost in the end. */
TEST(test_end_without_losses)
{
	struct rig *rig = *state;

	total_after(rig, true, 10, 1000);
	end_of(rig, ID, 10);
	assert_true(seen(rig)->lost_final);
	assert_int_equal(only(rig)->lost, 10);
	assert_false(frame(rig)->total.at_least);
}

/* No count of the ring's event, or one that cannot be: a lower bound. */
TEST(test_end_unknown)
{
	static const struct {
		uint64_t id, lost;
	} ends[] = { { ID + 1, 500 }, { ID, 9 }, { 0, 0 } };
	struct rig *rig = *state;

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		renew(rig);
		total_after(rig, true, 10, 1000);
		if (ends[i].id)
			end_of(rig, ends[i].id, ends[i].lost);
		else
			begin(rig, 1, HOST_ALL);
		assert_false(seen(rig)->lost_final);
		assert_true(only(rig)->gone);
		assert_int_equal(only(rig)->lost, 10);
		assert_true(frame(rig)->total.at_least);
	}
}

/*
 * One of two events ends before the ring, the other after it: its descriptor
 * outlives the mapping.
 */
TEST(test_end_of_each_event)
{
	struct rig *rig = *state;

	look(rig);
	event(rig, ID + 1, KEY, false)->event.lost = 5;
	add(rig);
	end_of(rig, ID + 1, 7);
	usual(rig);
	assert_int_equal(seen(rig)->lost, 7);
	assert_int_equal(only(rig)->nr_events, 1);
	begin(rig, 1, HOST_ALL);
	event(rig, ID, 0, true);
	assert_true(seen(rig)->gone);
	assert_false(only(rig)->lost_final);
	assert_true(frame(rig)->total.at_least);
	end_of(rig, ID, 30);
	assert_true(seen(rig)->lost_final);
	assert_int_equal(only(rig)->lost, 37);
	assert_false(frame(rig)->total.at_least);
	/* The ring is there when its event ends, just after the poll. */
	renew(rig);
	total_after(rig, true, 10, 1000);
	end_of(rig, ID, 20);
	usual(rig);
	rig->pass.events[0].event.lost = 12;
	assert_int_equal(seen(rig)->lost, 20);
	assert_false(only(rig)->lost_final);
	begin(rig, 1, HOST_ALL);
	assert_true(seen(rig)->lost_final);
	assert_int_equal(only(rig)->lost, 20);
}

/* A row that no picture showed counts as well. */
TEST(test_totals_between_pictures)
{
	struct rig *rig = *state;

	for (unsigned int i = 0; i < 3; i++) {
		look(rig);
		rig->pass.rings[0].key = rig->pass.events[0].ring =
			rig->pass.holders[0].ring = KEY + 64 * i;
		rig->pass.events[0].event.id = ID + i;
		rig->pass.events[0].event.lost = 5;
		add(rig);
		begin(rig, 1, HOST_ALL);
		add(rig);
	}
	assert_int_equal(frame(rig)->nr_rows, 1);
	assert_int_equal(frame(rig)->total.row.lost, 15);
}

/* If only /proc can be read. */
TEST(test_unknown)
{
	struct rig *rig = *state;
	const struct ring_row *row;

	for (int i = 0; i < 2; i++) {
		struct host_pass_ring *r;

		begin(rig, 1, HOST_ALL);
		holder(rig, KEY, OWNER, true);
		r = ring(rig, KEY);
		r->known = false;
		r->user_locked = UNKNOWN;
		r->uid = (uid_t)-1;
		r->aux.size = 8192;
		add(rig);
	}
	row = only(rig);
	assert_int_equal(row->id, 1);
	assert_false(row->known);
	assert_int_equal(row->pid, OWNER);
	assert_int_equal(row->uid, UID);
	assert_int_equal(row->size, SIZE);
	assert_int_equal(row->locked, SIZE + PAGE);
	assert_string_equal(row->event, "");
	assert_true(row->used == UNKNOWN);
	assert_true(row->head == UNKNOWN);
	assert_true(row->lost == UNKNOWN);
	assert_true(row->lost_pending == UNKNOWN);
	assert_true(row->watermark == UNKNOWN);
	assert_true(row->bytes == UNKNOWN);
	assert_true(isnan(row->fill));
	assert_true(isnan(row->peak));
	assert_true(isnan(row->bytes_per_s));
	assert_true(isnan(row->undrained));
	assert_int_equal(row->aux.size, 8192);
	assert_true(row->aux.head == UNKNOWN);
	assert_int_equal(row->warnings, 0);
	assert_false(row->advice.valid);
	assert_non_null(strstr(row->advice.reason, "unknown"));
	assert_int_equal(frame(rig)->total.row.used, 0);
	assert_true(frame(rig)->total.row.lost == UNKNOWN);
	/*
	 * The ring of another process with the same made-up key is another
	 * ring.
	 */
	begin(rig, 1, HOST_ALL);
	holder(rig, KEY, OWNER + 1, true);
	ring(rig, KEY)->known = false;
	add(rig);
	assert_int_equal(frame(rig)->nr_rows, 2);
}

TEST(test_user_names)
{
	struct rig *rig = *state;
	uid_t uid = 0;

	assert_false(host_table_unnamed(rig->table, &uid));
	look(rig);
	add(rig);
	assert_int_equal(atoi(only(rig)->user), UID);
	assert_true(host_table_unnamed(rig->table, &uid));
	assert_int_equal(uid, UID);
	host_table_name_user(rig->table, UID, "alice");
	assert_false(host_table_unnamed(rig->table, &uid));
	assert_string_equal(only(rig)->user, "alice");
	assert_string_equal(frame(rig)->users[0].name, "alice");
	/* A user without a name is not looked up again. */
	look(rig)->uid = 77;
	assert_string_equal(seen(rig)->user, "77");
	assert_true(host_table_unnamed(rig->table, &uid));
	assert_int_equal(uid, 77);
	host_table_name_user(rig->table, 77, "");
	assert_false(host_table_unnamed(rig->table, &uid));
	assert_string_equal(seen(rig)->user, "77");
	/* The name of this one was not requested. */
	host_table_name_user(rig->table, 78, "bob");
	assert_false(host_table_unnamed(rig->table, &uid));
}

/* Rings that come and go without a picture do not use memory forever. */
TEST(test_bounded)
{
	struct rig *rig = *state;
	const struct host *host;

	for (uint64_t i = 0; i < 3000; i++) {
		begin(rig, 0.001, HOST_ALL);
		event(rig, ID + i, KEY + i, true)->event.cpu = (int)i;
		ring(rig, KEY + i);
		add(rig);
	}
	host = frame(rig);
	assert_in_range(host->nr_rows, 1000, 1100);
	assert_int_equal(host->rows[host->nr_rows - 1].id, 3000);
	/* Rows shown in a picture stay until the next. */
	for (uint64_t i = 0; i < 2000; i++) {
		begin(rig, 0.001, HOST_ALL);
		event(rig, ID + 9000 + i, KEY + i, true)->event.cpu = (int)i;
		ring(rig, KEY + i);
		add(rig);
	}
	assert_int_equal(host->rows[0].histories->fill.nr, 0);
	assert_in_range(frame(rig)->nr_rows, 1000, 1100);
}

TEST_GROUP(host_table, .each_setup = set_up, .each_teardown = tear_down);
