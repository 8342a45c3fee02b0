/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "host_rig.h"

/* A picture, of which just these notes come; NULL ends them. */
static void check(struct rig *rig, const char *first, ...)
{
	const char *expected = first;
	unsigned int i = 0;
	va_list args;

	frame(rig);
	va_start(args, first);
	for (; expected; expected = va_arg(args, const char *)) {
		assert_true(i < rig->nr_notes);
		assert_string_equal(rig->notes[i++], expected);
	}
	va_end(args);
	if (i < rig->nr_notes)
		fail_msg("more: %s", rig->notes[i]);
}

/* @nr rings, with @head more written and @lost more lost in each. */
static void rings(struct rig *rig, unsigned int nr, uint64_t lost)
{
	begin(rig, 1, HOST_ALL);
	for (unsigned int i = 0; i < nr; i++) {
		struct host_pass_event *e = event(rig, ID + i, KEY + i, true);

		e->event.cpu = (int)i;
		e->event.lost = lost * (i + 1);
		holder(rig, KEY + i, OWNER, true);
		ring(rig, KEY + i);
	}
}

/* What is there when one begins to look has not come. */
static void test_came(void **state)
{
	struct rig *rig = *state;

	check(rig, NULL);
	rings(rig, 1, 0);
	add(rig);
	check(rig, NULL);
	rings(rig, 2, 0);
	add(rig);
	check(rig, "perf (100): CPU 1 cpu-clock came, 64K", NULL);
	rings(rig, 4, 0);
	add(rig);
	check(rig, "perf (100): 2 rings came, 128K", NULL);
	check(rig, NULL);
}

/* Nor did what was gone when the first picture was made. */
static void test_between_pictures(void **state)
{
	struct rig *rig = *state;

	for (int i = 0; i < 2; i++) {
		rings(rig, 2, 0);
		add(rig);
		begin(rig, 1, HOST_ALL);
		add(rig);
		check(rig, NULL);
	}
}

/* One line for a process, however many rings it had. */
static void test_went(void **state)
{
	struct rig *rig = *state;

	rings(rig, 64, 0);
	add(rig);
	check(rig, NULL);
	begin(rig, 1, HOST_ALL);
	add(rig);
	check(rig, "perf (100): 64 rings went", NULL);
	begin(rig, 1, HOST_ALL);
	add(rig);
	check(rig, NULL);
	/* It was only missed. */
	rings(rig, 1, 0);
	add(rig);
	check(rig, NULL);
	begin(rig, 1, HOST_ALL);
	add(rig);
	check(rig, "perf (100): CPU 0 cpu-clock went", NULL);
}

static void test_ringbuf(void **state)
{
	struct rig *rig = *state;
	struct host_pass_ring *r;

	for (int i = 0; i < 3; i++) {
		begin(rig, 1, HOST_ALL);
		if (i == 1) {
			r = ring(rig, 7);
			r->kind = RING_BPF;
			r->map_id = 7;
			snprintf(r->map, sizeof(r->map), "events");
		}
		add(rig);
		if (i == 1)
			check(rig, "no process: ring buffer events came, 64K",
			      NULL);
		else if (i == 2)
			check(rig, "no process: ring buffer events went",
			      NULL);
		else
			check(rig, NULL);
	}
}

static void test_remapped(void **state)
{
	struct rig *rig = *state;

	look(rig);
	add(rig);
	check(rig, NULL);
	look(rig)->size = 1 << 20;
	add(rig);
	check(rig, "perf (100): CPU 3 cpu-clock mapped anew, now 1M", NULL);
	check(rig, NULL);
}

/* At once, then what has come together since. */
static void test_lost(void **state)
{
	struct rig *rig = *state;

	rings(rig, 1, 100);
	add(rig);
	check(rig, NULL);
	rings(rig, 1, 101);
	add(rig);
	check(rig, "perf (100): CPU 0 cpu-clock lost 1 record", NULL);
	for (unsigned int i = 1; i < 10; i++) {
		rings(rig, 1, 101 + i);
		add(rig);
		check(rig, NULL);
	}
	rings(rig, 1, 150);
	add(rig);
	check(rig, "perf (100): CPU 0 cpu-clock lost 49 records", NULL);
	/* The last of them are told as it goes. */
	rings(rig, 1, 160);
	add(rig);
	check(rig, NULL);
	begin(rig, 1, HOST_ALL);
	add(rig);
	check(rig, "perf (100): CPU 0 cpu-clock lost 10 records",
	      "perf (100): CPU 0 cpu-clock went", NULL);
}

static void test_lost_by_many(void **state)
{
	struct rig *rig = *state;

	rings(rig, 3, 0);
	add(rig);
	check(rig, NULL);
	rings(rig, 3, 10);
	add(rig);
	check(rig, "perf (100): 3 rings lost 60 records, CPU 2 cpu-clock the "
	      "most (30)", NULL);
}

/* Losses are not told twice, as numbers and as a warning. */
static void test_warning(void **state)
{
	struct rig *rig = *state;

	for (int i = 0; i < 3; i++) {
		look(rig)->paused = true;
		add(rig);
		if (i == 0)
			check(rig, "perf (100): CPU 3 cpu-clock: output is "
			      "paused (PERF_EVENT_IOC_PAUSE_OUTPUT): what "
			      "comes is lost", NULL);
		else
			check(rig, NULL);
	}
}

/* Why nobody drains it; and a ring that is of no one CPU or thread. */
static void test_stopped(void **state)
{
	struct rig *rig = *state;

	for (int i = 0; i < 6; i++) {
		look(rig)->head = 40000;
		rig->pass.rings[0].woken = true;
		rig->pass.holders[0].stopped = true;
		rig->pass.events[0].event.cpu = -1;
		add(rig);
		if (i < 5)
			check(rig, NULL);
	}
	check(rig, "perf (100): a ring of cpu-clock: its owner is stopped "
	      "(SIGSTOP) and has not drained it for 5s or more: 39.1K wait",
	      NULL);
}

/* What comes and goes is told again only after a while without it. */
static void test_warning_flaps(void **state)
{
	static const char text[] =
		"perf (100): CPU 3 cpu-clock: cpu-clock is throttled: it came "
		"more often than kernel.perf_event_max_sample_rate";
	struct rig *rig = *state;

	for (int i = 0; i < 40; i++) {
		look(rig);
		rig->pass.events[0].event.throttled = i % 4 == 0;
		add(rig);
		check(rig, i ? NULL : text, NULL);
	}
	for (int i = 0; i < 10; i++) {
		look(rig);
		add(rig);
		check(rig, NULL);
	}
	look(rig);
	rig->pass.events[0].event.throttled = true;
	add(rig);
	check(rig, text, NULL);
}

static void test_warning_of_many(void **state)
{
	struct rig *rig = *state;

	rings(rig, 3, 0);
	for (unsigned int i = 0; i < 3; i++)
		rig->pass.rings[i].paused = true;
	add(rig);
	check(rig, "perf (100): 3 rings: output is paused "
	      "(PERF_EVENT_IOC_PAUSE_OUTPUT): what comes is lost", NULL);
}

/* Eight lines, and one for all the rest. */
static void test_many_owners(void **state)
{
	struct rig *rig = *state;

	begin(rig, 1, HOST_ALL);
	add(rig);
	check(rig, NULL);
	begin(rig, 1, HOST_ALL);
	for (unsigned int i = 0; i < 12; i++) {
		event(rig, ID + i, KEY + i, true);
		holder(rig, KEY + i, (pid_t)(OWNER + i), true);
		ring(rig, KEY + i);
	}
	add(rig);
	frame(rig);
	assert_int_equal(rig->nr_notes, 9);
	assert_string_equal(rig->notes[7],
			    "perf (107): CPU 3 cpu-clock came, 64K");
	assert_string_equal(rig->notes[8], "other owners: 4 rings came, 256K");
}

/* The log has its own lines for rbtop's rings. */
static void test_self(void **state)
{
	struct rig *rig = *state;

	begin(rig, 1, HOST_ALL);
	add(rig);
	check(rig, NULL);
	begin(rig, 1, HOST_ALL);
	event(rig, ID, KEY, true);
	holder(rig, KEY, SELF, true);
	ring(rig, KEY)->paused = true;
	add(rig);
	check(rig, NULL);
}

/* Who does not listen misses nothing that he could hear of later. */
static void test_nobody_listens(void **state)
{
	struct rig *rig = *state;

	begin(rig, 1, HOST_ALL);
	add(rig);
	assert_non_null(host_table_frame(rig->table, rig->mono, 0,
					 &rig->status, NULL, NULL));
	rings(rig, 1, 0);
	add(rig);
	assert_non_null(host_table_frame(rig->table, rig->mono, 0,
					 &rig->status, NULL, NULL));
	check(rig, NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {
	TEST(test_came),
	TEST(test_between_pictures),
	TEST(test_went),
	TEST(test_ringbuf),
	TEST(test_remapped),
	TEST(test_lost),
	TEST(test_lost_by_many),
	TEST(test_warning),
	TEST(test_stopped),
	TEST(test_warning_flaps),
	TEST(test_warning_of_many),
	TEST(test_many_owners),
	TEST(test_self),
	TEST(test_nobody_listens),
};

TEST_GROUP(host_notes, tests, NULL, NULL);
