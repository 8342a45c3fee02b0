/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <string.h>

#include "ring/advice.h"
#include "ring/ring_row.h"

/* Another program's ring, large enough. */
static struct ring_row fitting(void)
{
	return (struct ring_row){
		.kind = RING_PERF, .known = true, .size = 4096, .pid = 42,
		.comm = "perf", .advice.verdict = VERDICT_OK,
	};
}

TEST(test_names)
{
	assert_string_equal(verdict_name(VERDICT_UNKNOWN), "");
	for (int i = VERDICT_UNKNOWN + 1; i < VERDICTS; i++)
		assert_true(verdict_name((enum verdict)i)[0]);
}

TEST(test_state)
{
	struct ring_row row = fitting();

	assert_int_equal(verdict_of(&row), VERDICT_OK);
	row.warnings = 1u << RING_WARN_THROTTLED;
	assert_int_equal(verdict_of(&row), VERDICT_THROTTLED);
	row.advice.verdict = VERDICT_TIGHT;
	assert_int_equal(verdict_of(&row), VERDICT_TIGHT);
	row.warnings = 1u << RING_WARN_TRUNCATED;
	assert_int_equal(verdict_of(&row), VERDICT_TRUNCATED);
	row.advice.verdict = VERDICT_TOO_SMALL;
	assert_int_equal(verdict_of(&row), VERDICT_TOO_SMALL);
	row.paused = true;
	assert_int_equal(verdict_of(&row), VERDICT_PAUSED);
}

/* Data waits although the owner was woken. */
TEST(test_late)
{
	struct ring_row row = fitting();
	const struct ring_reads reads = { 0 };
	char note[160];

	row.size = 4096;
	row.used = 1024;
	row.undrained = 6;
	row.woken = true;
	row.warnings = 1u << RING_WARN_UNDRAINED;
	assert_int_equal(verdict_of(&row), VERDICT_LATE);
	assert_string_equal(verdict_note(&row, note, sizeof(note)),
			    "its reader has drained nothing for 6s: 1K of 4K "
			    "used");
	row.bytes_per_s = 1024;
	row.wakeups_per_s = 6000;
	assert_int_equal(verdict_of(&row), VERDICT_LATE);
	assert_string_equal(verdict_note(&row, note, sizeof(note)),
			    "its reader has drained nothing for 6s: 1K of 4K "
			    "used; full in 3s at this rate");
	row.advice.verdict = VERDICT_TIGHT;
	assert_int_equal(verdict_of(&row), VERDICT_LATE);
	row.advice.verdict = VERDICT_TOO_SMALL;
	assert_int_equal(verdict_of(&row), VERDICT_TOO_SMALL);
	row.advice.verdict = VERDICT_OK;
	row.reads = &reads;
	assert_int_not_equal(verdict_of(&row), VERDICT_LATE);
}

/* Data waits, and the owner was not woken. */
TEST(test_parked)
{
	struct ring_row row = fitting();
	const struct ring_reads reads = { 0 };
	char note[160];

	row.used = 48;
	row.undrained = RING_UNDRAINED - 0.1;
	assert_int_equal(verdict_of(&row), VERDICT_OK);
	row.undrained = RING_UNDRAINED;
	assert_int_equal(verdict_of(&row), VERDICT_PARKED);
	row.watermark = 2048;
	assert_string_equal(verdict_note(&row, note, sizeof(note)),
			    "48B has been waiting for 5s: the ring's reader "
			    "is woken only at 2K, and has not polled in that "
			    "time");
	row.wakeup_events = 100;
	assert_non_null(strstr(verdict_note(&row, note, sizeof(note)),
			       "woken only at 100 records"));
	row.woken = true;
	assert_int_equal(verdict_of(&row), VERDICT_OK);
	row.woken = false;
	row.kind = RING_BPF;
	assert_int_equal(verdict_of(&row), VERDICT_OK);
	row.kind = RING_PERF;
	row.reads = &reads;
	assert_int_equal(verdict_of(&row), VERDICT_OK);
}

TEST(test_woken_often)
{
	const struct ring_reads reads = { 0 };
	struct ring_row row = fitting();
	char note[160];

	row.wakeups_per_s = 12300;
	row.bytes_per_s = 12300 * 40.0;
	row.often = 4.9;
	assert_int_equal(verdict_of(&row), VERDICT_OK);
	row.often = 5;
	assert_int_equal(verdict_of(&row), VERDICT_OFTEN);
	assert_string_equal(verdict_note(&row, note, sizeof(note)),
			    "reader woken 12.3k times/s, for 40B each time: a "
			    "higher wakeup_events or watermark would save CPU "
			    "time");
	/* of rbtop's own rings, at once */
	row.often = 0;
	row.reads = &reads;
	assert_int_equal(verdict_of(&row), VERDICT_OFTEN);
	row.bytes_per_s = 12300 * 64.0;
	assert_false(verdict_is_often(&row, false));
	assert_true(verdict_is_often(&row, true));
	assert_int_equal(verdict_of(&row), VERDICT_OK);
	assert_string_equal(verdict_note(&row, note, sizeof(note)), "");
	row.bytes_per_s = 40;
	row.wakeups_per_s = 4999;
	assert_false(verdict_is_often(&row, false));
	assert_true(verdict_is_often(&row, true));
	row.wakeups_per_s = row.bytes_per_s = NAN;
	assert_false(verdict_is_often(&row, true));
}

/* In snapshot mode the kernel overwrites trace, which is no loss. */
TEST(test_truncated_trace)
{
	const struct ring_reads reads = { .stats.aux.truncated = 1 };
	struct ring_row row = fitting();

	row.reads = &reads;
	assert_int_equal(verdict_of(&row), VERDICT_TRUNCATED);
	row.aux.overwrite = true;
	assert_int_equal(verdict_of(&row), VERDICT_OK);
}

static void check_text(const struct ring_row *rows, size_t nr,
		       const char *expected)
{
	struct verdicts all = { 0 };
	char buf[200];

	for (size_t i = 0; i < nr; i++)
		verdicts_add(&all, &rows[i]);
	assert_string_equal(verdicts_text(&all, buf, sizeof(buf)), expected);
}

TEST(test_all)
{
	struct ring_row rows[] = { fitting(), fitting(), fitting(), fitting() };

	check_text(rows, 0, "");
	check_text(rows, 4, "ok 4");
	/* as its owner means it, mostly */
	rows[0].wakeups_per_s = 12300;
	rows[0].bytes_per_s = rows[0].often = 6;
	check_text(rows, 4, "ok 4");
	rows[1].advice.verdict = rows[2].advice.verdict = VERDICT_TOO_SMALL;
	rows[1].lost = UNKNOWN;
	rows[2].lost = 7;
	rows[2].pid = 43;
	check_text(rows, 4, "too small 2, perf (43), perf (42); ok 2");
	rows[2].advice.bytes = 262144;
	check_text(rows, 4, "too small 2, perf (43) needs 256K, perf (42); "
		   "ok 2");
	strcpy(rows[2].advice.setting, "-m 64");
	check_text(rows, 4, "too small 2, perf (43) needs -m 64, perf (42); "
		   "ok 2");
	rows[2].advice.early = true;
	check_text(rows, 4, "too small 2, perf (43) needs at least -m 64 so "
		   "far, perf (42); ok 2");
	rows[2].advice.undecided = true;
	check_text(rows, 4, "too small 2, perf (43) needs at least -m 64, if "
		   "any size helps, perf (42); ok 2");
	rows[2].advice.undecided = false;
	strcpy(rows[2].advice.setting, "echo 16384 > buffer_size_kb");
	rows[2].advice.bytes = 16384 << 10;
	check_text(rows, 4, "too small 2, perf (43) needs at least 16384 KB so "
		   "far: echo 16384 > buffer_size_kb, perf (42); ok 2");
	strcpy(rows[2].advice.setting, "-m 64");
	rows[2].advice.early = false;
	rows[3].advice.verdict = VERDICT_STUCK;
	check_text(rows, 4, "reader stuck 1, perf (42); too small 2, perf (43) "
		   "needs -m 64; ok 1");
	rows[3].advice.verdict = VERDICT_UNSCHEDULED;
	check_text(rows, 4, "reader not scheduled 1, perf (42) needs more CPU "
		   "time; too small 2, perf (43) needs -m 64; ok 1");
	strcpy(rows[3].advice.setting, "-m 8");
	rows[3].advice.bytes = 32768;
	check_text(rows, 4, "reader not scheduled 1, perf (42) needs more CPU "
		   "time and -m 8; too small 2, perf (43) needs -m 64; ok "
		   "1");
	rows[3].advice.verdict = VERDICT_TOO_SLOW;
	check_text(rows, 4, "reader too slow 1, perf (42): no size helps; too "
		   "small 2, perf (43) needs -m 64; ok 1");
	rows[3].gone = true;
	rows[0].self = true;
	check_text(rows, 4, "too small 2, perf (43) needs -m 64, perf (42)");
	/* of those that are gone, the latest two that needed something else */
	rows[0].gone = rows[1].gone = rows[2].gone = true;
	rows[0].self = false;
	check_text(rows, 4, "perf (43, gone) needed -m 64; perf (42, gone): no "
		   "size helps");
	rows[1].lost = 8;
	check_text(rows, 4, "perf (43, gone) needed -m 64; perf (42, gone): no "
		   "size helps");
	rows[3].lost = 8;
	check_text(rows, 4, "perf (42, gone): no size helps; perf (43, gone) "
		   "needed -m 64");
	rows[1].lost = rows[3].lost = UNKNOWN;
	rows[3].advice.verdict = VERDICT_UNSCHEDULED;
	rows[3].last_seen = 2;
	check_text(rows, 4, "perf (42, gone) needed -m 8; perf (43, gone) "
		   "needed -m 64");
	rows[0].gone = false;
	check_text(rows, 4, "perf (42, gone) needed -m 8; perf (43, gone) "
		   "needed -m 64; ok 1");
	rows[1].gone = rows[2].gone = false;
	rows[0].self = true;
	check_text(rows, 4, "too small 2, perf (43) needs -m 64, perf (42)");
	rows[1].dummies = true;
	check_text(rows, 4, "too small 1, perf (43) needs -m 64");
	rows[1].dummies = false;
	rows[1].advice.verdict = VERDICT_UNKNOWN;
	check_text(rows, 4, "too small 1, perf (43) needs -m 64; unknown 1");
}

TEST(test_text_is_cut)
{
	struct ring_row row = fitting();
	struct verdicts all = { 0 };
	char buf[12];

	row.advice.verdict = VERDICT_TOO_SMALL;
	verdicts_add(&all, &row);
	assert_int_equal(verdicts_worst(&all), VERDICT_TOO_SMALL);
	assert_string_equal(verdicts_text(&all, buf, sizeof(buf)),
			    "too small 1");
}

TEST_GROUP(verdict);
