/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "host/table/host_notes.h"
#include "host_rig.h"

/* Make a picture: it has to make these notes, in order; NULL ends them. */
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

/*
 * A pass with @nr rings, whose events have lost @lost, 2 * @lost, ... records.
 */
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

/* Make a picture: its only note, and the fold that this has. */
static uint64_t check_fold(struct rig *rig, const char *expected)
{
	check(rig, expected, NULL);
	return rig->folds[0];
}

/* A pass of a process @pid, in which it has @nr rings. */
static void run(struct rig *rig, pid_t pid, unsigned int nr)
{
	uint64_t at = 100 * (uint64_t)pid;

	begin(rig, 1, HOST_ALL);
	for (unsigned int i = 0; i < nr; i++) {
		event(rig, ID + at + i, KEY + at + i, true);
		holder(rig, KEY + at + i, pid, true);
		ring(rig, KEY + at + i);
	}
	add(rig);
}

/* Rings that exist at the first pass have not appeared. */
TEST(test_came)
{
	struct rig *rig = *state;

	check(rig, NULL);
	rings(rig, 1, 0);
	add(rig);
	check(rig, NULL);
	rings(rig, 2, 0);
	add(rig);
	check(rig, "perf (100): CPU 1 cpu-clock opened, 64K", NULL);
	rings(rig, 4, 0);
	add(rig);
	check(rig, "perf (100): 3 rings opened, 192K within 1s", NULL);
	check(rig, NULL);
}

/* A program that is started again and again has one line. */
TEST(test_again_and_again)
{
	struct rig *rig = *state;
	uint64_t fold;

	run(rig, 7, 0);
	check(rig, NULL);
	run(rig, 7, 2);
	fold = check_fold(rig, "perf (7): 2 rings opened, 128K");
	assert_true(fold > 0);
	run(rig, 7, 0);
	assert_int_equal(check_fold(rig, "perf (7): 2 rings opened, 128K, and "
				    "2 closed within 1s"), fold);
	for (pid_t pid = 8; pid < 20; pid++) {
		run(rig, pid, 2);
		frame(rig);
		assert_int_equal(rig->nr_notes, 1);
		assert_int_equal(rig->folds[0], fold);
		run(rig, pid, 0);
		frame(rig);
	}
	assert_int_equal(rig->nr_notes, 1);
	assert_string_equal(rig->notes[0], "perf (13 processes, last PID 19): "
			    "26 rings opened, 1.6M, and 26 closed within 25s");
	/* after a while it is news again */
	begin(rig, 100, HOST_ALL);
	add(rig);
	check(rig, NULL);
	run(rig, 20, 1);
	assert_int_not_equal(check_fold(rig, "perf (20): CPU 3 cpu-clock "
					"opened, 64K"), fold);
}

/* Of a lasting process the end is a line of its own. */
TEST(test_long_run)
{
	struct rig *rig = *state;
	uint64_t fold;

	run(rig, 7, 0);
	check(rig, NULL);
	run(rig, 7, 2);
	fold = check_fold(rig, "perf (7): 2 rings opened, 128K");
	for (int i = 0; i < 100; i++)
		run(rig, 7, 2);
	check(rig, NULL);
	run(rig, 7, 0);
	assert_int_not_equal(check_fold(rig, "perf (7): 2 rings closed"),
			     fold);
}

/* Losses are never folded. */
TEST(test_losses_stay)
{
	struct rig *rig = *state;

	rings(rig, 1, 0);
	add(rig);
	check(rig, NULL);
	rings(rig, 1, 5);
	add(rig);
	assert_int_equal(check_fold(rig, "perf (100): CPU 0 cpu-clock lost 5 "
				    "records"), 0);
}

/* Nor have rings that were gone before the first picture disappeared. */
TEST(test_between_pictures)
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

/* One line per process, however many rings it had. */
TEST(test_went)
{
	struct rig *rig = *state;

	rings(rig, 64, 0);
	add(rig);
	check(rig, NULL);
	begin(rig, 1, HOST_ALL);
	add(rig);
	check(rig, "perf (100): 64 rings closed", NULL);
	begin(rig, 1, HOST_ALL);
	add(rig);
	check(rig, NULL);
	/* It was missed in one pass only. */
	rings(rig, 1, 0);
	add(rig);
	check(rig, NULL);
	begin(rig, 1, HOST_ALL);
	add(rig);
	check(rig, "perf (100): 65 rings closed within 3s", NULL);
}

TEST(test_ringbuf)
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
			check(rig, "no process: ring buffer events opened, 64K",
			      NULL);
		else if (i == 2)
			check(rig, "no process: ring buffer events opened, "
			      "64K, and 1 closed within 1s", NULL);
		else
			check(rig, NULL);
	}
}

TEST(test_remapped)
{
	struct rig *rig = *state;

	look(rig);
	add(rig);
	check(rig, NULL);
	look(rig)->size = 1 << 20;
	add(rig);
	check(rig, "perf (100): CPU 3 cpu-clock mapped again, now 1M", NULL);
	check(rig, NULL);
}

/* At once, then the sum since. */
TEST(test_lost)
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
	/* The last losses are noted when it disappears. */
	rings(rig, 1, 160);
	add(rig);
	check(rig, NULL);
	begin(rig, 1, HOST_ALL);
	add(rig);
	check(rig, "perf (100): CPU 0 cpu-clock lost 10 records",
	      "perf (100): CPU 0 cpu-clock closed", NULL);
}

TEST(test_lost_by_many)
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

/* Losses are noted once, not as numbers and as a warning. */
TEST(test_warning)
{
	struct rig *rig = *state;

	for (int i = 0; i < 3; i++) {
		look(rig)->paused = true;
		add(rig);
		if (i == 0)
			check(rig, "perf (100): CPU 3 cpu-clock: output is "
			      "paused (PERF_EVENT_IOC_PAUSE_OUTPUT): new "
			      "records are lost", NULL);
		else
			check(rig, NULL);
	}
}

/* Why it is not drained; and a ring of no single CPU or thread. */
TEST(test_stopped)
{
	struct rig *rig = *state;

	for (int i = 0; i < 6; i++) {
		look(rig)->head = 40000;
		rig->pass.rings[0].woken = true;
		rig->pass.holders[0].stopped = true;
		rig->pass.events[0].event.cpu = -1;
		add(rig);
		if (i == 0)
			check(rig, "perf (100): a ring of cpu-clock: its owner "
			      "is stopped (SIGSTOP or a debugger): it drains "
			      "nothing until it resumes", NULL);
		else if (i < 5)
			check(rig, NULL);
	}
	check(rig, "perf (100): a ring of cpu-clock: its owner has not drained "
	      "it for 5s or more: 39.1K waiting", NULL);
}

/*
 * A warning that comes and goes is noted again only after a while without it.
 */
TEST(test_warning_flaps)
{
	static const char text[] =
		"perf (100): CPU 3 cpu-clock: cpu-clock is throttled: its "
		"rate exceeded kernel.perf_event_max_sample_rate";
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

TEST(test_warning_of_many)
{
	struct rig *rig = *state;

	rings(rig, 3, 0);
	for (unsigned int i = 0; i < 3; i++)
		rig->pass.rings[i].paused = true;
	add(rig);
	check(rig, "perf (100): 3 rings: output is paused "
	      "(PERF_EVENT_IOC_PAUSE_OUTPUT): new records are lost", NULL);
}

/* Eight lines, and one for all the rest: of warnings here. */
TEST(test_many_owners)
{
	struct rig *rig = *state;

	begin(rig, 1, HOST_ALL);
	add(rig);
	check(rig, NULL);
	for (int second = 0; second < 2; second++) {
		begin(rig, 1, HOST_ALL);
		for (unsigned int i = 0; i < 12; i++) {
			event(rig, ID + i, KEY + i, true);
			holder(rig, KEY + i, (pid_t)(OWNER + i), true);
			ring(rig, KEY + i)->paused = second;
		}
		add(rig);
		frame(rig);
		assert_int_equal(rig->nr_notes, second ? 9 : 1);
		if (!second)
			assert_string_equal(rig->notes[0], "perf (12 "
					    "processes, last PID 111): 12 "
					    "rings opened, 768K");
	}
	assert_non_null(strstr(rig->notes[7], "perf (107): CPU 3 cpu-clock: "));
	assert_non_null(strstr(rig->notes[8], "other owners: 4 rings: "));
}

/* More processes than are remembered: closing does not count them again. */
TEST(test_many_processes_close)
{
	struct rig *rig = *state;

	begin(rig, 1, HOST_ALL);
	add(rig);
	check(rig, NULL);
	begin(rig, 1, HOST_ALL);
	for (unsigned int i = 0; i < 2 * HOST_NOTES_PIDS; i++) {
		event(rig, ID + i, KEY + i, true);
		holder(rig, KEY + i, (pid_t)(OWNER + i), true);
		ring(rig, KEY + i);
	}
	add(rig);
	check(rig, "perf (16 processes, last PID 115): 16 rings opened, 1M",
	      NULL);
	begin(rig, 1, HOST_ALL);
	add(rig);
	check(rig, "perf (16 processes, last PID 115): 16 rings opened, 1M, "
	      "and 16 closed within 1s", NULL);
}

/* More programs than have a line of their own. */
TEST(test_many_programs)
{
	struct rig *rig = *state;
	struct host_pass_holder *h;

	begin(rig, 1, HOST_ALL);
	add(rig);
	check(rig, NULL);
	for (unsigned int i = 0; i < HOST_NOTES_TOOLS + 5; i++) {
		begin(rig, 1, HOST_ALL);
		event(rig, ID + i, KEY + i, true);
		h = holder(rig, KEY + i, (pid_t)(OWNER + i), true);
		snprintf(h->comm, sizeof(h->comm), "tool %u", i);
		ring(rig, KEY + i);
		rig->pass.whole = false;	/* none is gone */
		add(rig);
		frame(rig);
		assert_int_equal(rig->nr_notes, 1);
	}
	assert_string_equal(rig->notes[0], "other programs (5 processes): 5 "
			    "rings opened, 320K within 4s");
}

/* The log has its own lines for rbtop's rings. */
TEST(test_self)
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

/* Without a receiver of notes, later ones are still complete. */
TEST(test_nobody_listens)
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

TEST_GROUP(host_notes, .each_setup = set_up, .each_teardown = tear_down);
