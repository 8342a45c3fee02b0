/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "ring/reading.h"

TEST(test_reserve_keeps)
{
	struct reading r = { 0 };

	assert_int_equal(reading_reserve(&r, 2), 0);
	assert_int_equal(r.nr_rings, 2);
	assert_int_equal(r.rings[1].row.cpu, -1);
	assert_int_equal(r.rings[1].row.tid, -1);
	assert_int_equal(r.rings[1].row.pid, -1);
	r.rings[1].row.cpu = 7;
	assert_int_equal(reading_reserve(&r, 40), 0);
	assert_int_equal(r.nr_rings, 40);
	assert_int_equal(r.rings[1].row.cpu, 7);
	assert_int_equal(r.rings[39].row.cpu, -1);
	assert_int_equal(r.rings[39].row.size, 0);
	assert_int_equal(reading_reserve(&r, 3), 0);
	assert_int_equal(r.nr_rings, 40);
	reading_free(&r);
	assert_int_equal(r.nr_rings, 0);
}

TEST(test_reserve_events)
{
	struct reading r = { 0 };

	assert_int_equal(reading_reserve(&r, 1), 0);
	assert_int_equal(reading_reserve_events(&r.rings[0], 2), 0);
	r.rings[0].row.events[1].count = 5;
	assert_int_equal(reading_reserve_events(&r.rings[0], 9), 0);
	assert_int_equal(r.rings[0].row.nr_events, 9);
	assert_int_equal(r.rings[0].row.events[1].count, 5);
	assert_int_equal(r.rings[0].row.events[8].count, 0);
	reading_free(&r);
}

TEST(test_notes)
{
	struct reading r = { 0 };

	reading_note(&r, 1.5, LOG_EXIT, "tid 7\x1b gone");
	reading_note(&r, 2, LOG_INFO, "b");
	assert_int_equal(r.nr_notes, 2);
	assert_string_equal(r.notes[0].text, "tid 7? gone");
	assert_int_equal(r.notes[0].kind, LOG_EXIT);
	assert_true(r.notes[0].time == 1.5);
	assert_string_equal(r.notes[1].text, "b");
	reading_free(&r);
}

TEST_GROUP(reading);
