/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "host_rig.h"

static unsigned int bit(enum ring_warning warning)
{
	return 1U << warning;
}

/* Add the pass; the warnings of the only row. */
static unsigned int warnings(struct rig *rig)
{
	return seen(rig)->warnings;
}

static void check_text(struct rig *rig, enum ring_warning warning,
		       const char *expected)
{
	char buf[160];

	assert_string_equal(ring_warning_text(warning, only(rig), buf,
					      sizeof(buf)), expected);
}

TEST(test_names)
{
	assert_string_equal(ring_warning_name(RING_WARN_UNDRAINED),
			    "undrained");
	assert_string_equal(ring_warning_name(RING_WARN_MLOCK), "mlock");
	for (int i = 0; i < RING_WARNINGS; i++)
		assert_non_null(ring_warning_name((enum ring_warning)i));
	assert_string_equal(ring_kind_info(RING_PERF)->name, "perf");
	assert_string_equal(ring_kind_info(RING_BPF)->name, "bpf");
	assert_string_equal(ring_row_event_state_name(RING_EVENT_OFF), "off");
	assert_string_equal(ring_row_event_state_name(RING_EVENT_GONE), "gone");
}

TEST(test_none)
{
	struct rig *rig = *state;

	look(rig);
	assert_int_equal(warnings(rig), 0);
	assert_int_equal(frame(rig)->total.warned, 0);
}

/* Woken, according to the kernel's wakeup field, five seconds ago. */
TEST(test_undrained)
{
	struct rig *rig = *state;
	struct host_pass_ring *r;

	for (int i = 0; i < 6; i++) {
		r = look(rig);
		r->head = 3000;
		r->woken = true;
		assert_int_equal(warnings(rig),
				 i < 5 ? 0 : bit(RING_WARN_UNDRAINED));
	}
	check_text(rig, RING_WARN_UNDRAINED, "its owner was woken and has not "
		   "drained it for 5s or more: 2.9K waiting");
	/* This is the reason. */
	r = look(rig);
	r->head = 3000;
	r->woken = true;
	rig->pass.holders[0].stopped = true;
	assert_int_equal(warnings(rig), bit(RING_WARN_STOPPED) |
					bit(RING_WARN_UNDRAINED));
	check_text(rig, RING_WARN_UNDRAINED, "its owner has not drained it for "
		   "6s or more: 2.9K waiting");
	assert_string_equal(only(rig)->advice.text,
			    "no size is enough: its owner is stopped");
	r = look(rig);
	r->head = 3000;
	r->tail = 2000;
	assert_int_equal(warnings(rig), 0);
}

/* A few side-band records, in a ring that is nearly empty. */
TEST(test_undrained_by_little)
{
	struct rig *rig = *state;
	struct host_pass_ring *r;

	for (int i = 0; i < 12; i++) {
		r = look(rig);
		r->head = i < 10 ? 655 : 656;
		r->woken = true;
		assert_int_equal(warnings(rig),
				 i < 10 ? 0 : bit(RING_WARN_UNDRAINED));
	}
}

/* The owner is the process that maps it. */
TEST(test_stopped)
{
	struct rig *rig = *state;

	look(rig)->head = 3000;
	holder(rig, KEY, OWNER + 1, false)->stopped = true;
	assert_false(seen(rig)->stopped);
	look(rig)->head = 3000;
	rig->pass.holders[0].stopped = true;
	assert_true(seen(rig)->stopped);
	look(rig)->head = 3000;
	assert_false(seen(rig)->stopped);
}

/* It is a warning from the first moment on, also without BPF. */
TEST(test_stopped_warns)
{
	struct rig *rig = *state;

	for (int known = 0; known < 2; known++) {
		look(rig)->known = known;
		rig->pass.holders[0].stopped = true;
		assert_int_equal(warnings(rig), bit(RING_WARN_STOPPED));
		assert_int_equal(frame(rig)->total.warned, 1);
	}
	assert_string_equal(ring_warning_cell(only(rig)), "stopped");
	check_text(rig, RING_WARN_STOPPED, "its owner is stopped (SIGSTOP or a "
		   "debugger): it drains nothing until it resumes");
	begin(rig, 1, HOST_ALL);
	assert_int_equal(warnings(rig), 0);
	assert_string_equal(ring_warning_cell(only(rig)), "gone");
}

/* It polled, which cleared the field, and then slept without draining. */
TEST(test_undrained_after_poll)
{
	struct rig *rig = *state;
	struct host_pass_ring *r;

	for (int i = 0; i < 6; i++) {
		r = look(rig);
		r->head = WATERMARK + 8;
		r->wakeup = WATERMARK;
		assert_int_equal(warnings(rig),
				 i < 5 ? 0 : bit(RING_WARN_UNDRAINED));
	}
}

/* Below the watermark the owner need not drain, however long. */
TEST(test_not_woken)
{
	struct rig *rig = *state;

	for (int i = 0; i < 60; i++) {
		look(rig)->head = 300;
		assert_int_equal(warnings(rig), 0);
	}
	assert_near(only(rig)->undrained, 59);
}

/* Data waited for long, but the owner was woken only now. */
TEST(test_woken_just_now)
{
	struct rig *rig = *state;
	struct host_pass_ring *r;

	test_not_woken(state);
	for (int i = 0; i < 6; i++) {
		r = look(rig);
		r->head = 40000;
		r->wakeup = WATERMARK;
		r->woken = true;
		assert_int_equal(warnings(rig),
				 i < 5 ? 0 : bit(RING_WARN_UNDRAINED));
	}
}

/* Woken by a number of events, and the field is cleared. */
TEST(test_undrained_by_events)
{
	struct rig *rig = *state;
	struct host_pass_ring *r;

	for (int i = 0; i < 7; i++) {
		r = look(rig);
		r->by_watermark = false;
		r->head = i ? 3000 : 0;
		r->wakeup = i ? 1 : 0;
		assert_int_equal(warnings(rig),
				 i < 6 ? 0 : bit(RING_WARN_UNDRAINED));
	}
}

/* A ring that is drained continuously, though never seen empty. */
TEST(test_busy)
{
	struct rig *rig = *state;
	struct host_pass_ring *r;

	for (unsigned int i = 0; i < 20; i++) {
		r = look(rig);
		r->head = i * 50000 + 40000;
		r->tail = i * 50000;
		r->wakeup = r->head / WATERMARK * WATERMARK;
		r->woken = true;
		assert_int_equal(warnings(rig), 0);
	}
}

/*
 * The kernel wakes the reader of a BPF ring buffer at the first record, unless
 * the program defers it.
 */
TEST(test_undrained_ringbuf)
{
	struct rig *rig = *state;
	struct host_pass_ring *r;

	for (int i = 0; i < 8; i++) {
		begin(rig, 1, HOST_ALL);
		r = ring(rig, 7);
		r->kind = RING_BPF;
		r->watermark = 0;
		r->head = i < 7 ? 32767 : 32768;
		holder(rig, 7, OWNER, true)->stopped = i == 5;
		assert_int_equal(warnings(rig), i == 5 ?
				 bit(RING_WARN_STOPPED) |
				 bit(RING_WARN_UNDRAINED) : i == 7 ?
				 bit(RING_WARN_UNDRAINED) : 0);
	}
	check_text(rig, RING_WARN_UNDRAINED, "its owner has not drained it "
		   "for 7s or more: 32K waiting");
}

/* Only a BPF ring buffer gets it, which counts no losses; a perf ring does. */
TEST(test_full_ringbuf)
{
	struct rig *rig = *state;
	struct host_pass_ring *r;

	for (int i = 0; i < 4; i++) {
		r = look(rig);
		r->kind = i < 3 ? RING_BPF : RING_PERF;
		r->watermark = 0;
		r->head = 1000000;
		r->tail = r->head - (i == 1 ? 62400 : i == 3 ? 65000 : 62200);
		assert_int_equal(warnings(rig),
				 i == 1 ? bit(RING_WARN_FULL) : 0);
		if (i == 1)
			check_text(rig, RING_WARN_FULL, "nearly full: at least "
				   "95% of 64K; records that do not fit are "
				   "lost, and BPF ring buffers do not count "
				   "losses");
		renew(rig);
	}
}

TEST(test_pending)
{
	struct rig *rig = *state;

	look(rig)->lost = 1200;
	rig->pass.events[0].event.lost = 5000;
	assert_int_equal(warnings(rig), bit(RING_WARN_PENDING));
	check_text(rig, RING_WARN_PENDING, "1,200 records lost, not yet "
		   "reported to the owner");
	look(rig);
	rig->pass.events[0].event.lost = 5000;
	assert_int_equal(warnings(rig), 0);
}

TEST(test_losing)
{
	struct rig *rig = *state;

	look(rig);
	rig->pass.events[0].event.lost = 50;
	assert_int_equal(warnings(rig), 0);
	look(rig);
	rig->pass.events[0].event.lost = 54;
	assert_int_equal(warnings(rig), bit(RING_WARN_LOSING));
	check_text(rig, RING_WARN_LOSING,
		   "records are being lost: 4/s");
	look(rig);
	rig->pass.events[0].event.lost = 54;
	assert_int_equal(warnings(rig), 0);
}

TEST(test_paused)
{
	struct rig *rig = *state;

	look(rig)->paused = true;
	assert_int_equal(warnings(rig), bit(RING_WARN_PAUSED));
	check_text(rig, RING_WARN_PAUSED, "output is paused "
		   "(PERF_EVENT_IOC_PAUSE_OUTPUT): new records are lost");
}

TEST(test_throttled)
{
	struct rig *rig = *state;

	look(rig);
	event(rig, ID + 1, KEY, false)->event.throttled = true;
	rig->pass.events[1].event.name = "cycles:u";
	assert_int_equal(warnings(rig), bit(RING_WARN_THROTTLED));
	check_text(rig, RING_WARN_THROTTLED, "cycles:u is throttled: its rate "
		   "exceeded kernel.perf_event_max_sample_rate");
}

TEST(test_error)
{
	struct rig *rig = *state;

	look(rig);
	rig->pass.events[0].event.state = RING_EVENT_ERROR;
	assert_int_equal(warnings(rig), bit(RING_WARN_ERROR));
	check_text(rig, RING_WARN_ERROR, "cpu-clock is pinned and got no "
		   "counter: it counts nothing");
}

/*
 * An AUX ring whose head is at @mb MiB, with @left bytes of room, and whose
 * event is disabled.
 */
static struct host_pass_ring *aux(struct rig *rig, uint64_t mb, uint64_t left)
{
	struct host_pass_ring *r = look(rig);

	rig->pass.events[0].event.state = RING_EVENT_OFF;
	r->aux.size = 1 << 20;
	r->aux.head = mb << 20;
	r->aux.tail = ((mb - 1) << 20) + left;
	return r;
}

TEST(test_truncated)
{
	struct rig *rig = *state;

	aux(rig, 5, 1);
	assert_int_equal(warnings(rig), bit(RING_WARN_TRUNCATED));
	check_text(rig, RING_WARN_TRUNCATED, "the AUX ring is full: no trace "
		   "until its owner reads it and enables the event again");
	aux(rig, 6, 2 * PAGE - 1);
	assert_int_equal(warnings(rig), bit(RING_WARN_TRUNCATED));
	/* Its owner disabled it. */
	aux(rig, 7, 2 * PAGE);
	assert_int_equal(warnings(rig), 0);
	/* It is full, but tracing continues as soon as it is read. */
	aux(rig, 8, 1);
	rig->pass.events[0].event.state = RING_EVENT_ACTIVE;
	assert_int_equal(warnings(rig), 0);
	/* It looks active, but nothing is written. */
	aux(rig, 8, 1);
	rig->pass.events[0].event.state = RING_EVENT_ACTIVE;
	assert_int_equal(warnings(rig), bit(RING_WARN_TRUNCATED));
	aux(rig, 8, 1)->aux.overwrite = true;
	assert_int_equal(warnings(rig), 0);
}

/* The user is at its limit, and the process at its RLIMIT_MEMLOCK. */
static void mlock(struct rig *rig)
{
	look(rig)->user_locked = (1 << 20) - PAGE;
	limit(rig, OWNER)->pinned = 16384;
}

TEST(test_mlock)
{
	struct rig *rig = *state;
	const struct host_user *user;

	mlock(rig);
	assert_int_equal(warnings(rig), bit(RING_WARN_MLOCK));
	check_text(rig, RING_WARN_MLOCK, "user 1000 is at the mlock limit: "
		   "one more such ring is refused; see "
		   "kernel.perf_event_mlock_kb, ulimit -l");
	assert_int_equal(frame(rig)->nr_users, 1);
	user = &frame(rig)->users[0];
	assert_int_equal(user->uid, UID);
	assert_string_equal(user->name, "1000");
	assert_int_equal(user->locked, (1 << 20) - PAGE);
	assert_int_equal(user->limit, 1 << 20);
	assert_int_equal(user->pinned, 16384);
	assert_int_equal(user->memlock, 65536);
	assert_int_equal(user->rings, 1);
	assert_false(user->exempt);
	assert_true(user->at_limit);
}

/* Limits are not read in each pass; the warning stays. */
TEST(test_mlock_goes_on)
{
	struct rig *rig = *state;

	mlock(rig);
	add(rig);
	look(rig)->user_locked = (1 << 20) - PAGE;
	assert_int_equal(warnings(rig), bit(RING_WARN_MLOCK));
	look(rig)->user_locked = 1 << 19;
	assert_int_equal(warnings(rig), 0);
	assert_false(frame(rig)->users[0].at_limit);
}

/* Exactly one more ring fits: 68 K, of which 4 K are charged to the user. */
TEST(test_mlock_room)
{
	struct rig *rig = *state;

	mlock(rig);
	rig->pass.limits[0].pinned = 0;
	rig->pass.limits[0].memlock = SIZE;
	assert_int_equal(warnings(rig), 0);
	mlock(rig);
	rig->pass.limits[0].pinned = PAGE;
	rig->pass.limits[0].memlock = SIZE;
	assert_int_equal(warnings(rig), bit(RING_WARN_MLOCK));
	mlock(rig);
	rig->pass.limits[0].memlock = UNKNOWN;
	assert_int_equal(warnings(rig), 0);
	mlock(rig);
	rig->pass.rings[0].user_locked = UNKNOWN;
	assert_int_equal(warnings(rig), 0);
}

TEST(test_mlock_exempt)
{
	struct rig *rig = *state;

	mlock(rig);
	rig->pass.limits[0].ipc_lock = true;
	assert_int_equal(warnings(rig), 0);
	assert_true(frame(rig)->users[0].exempt);
	mlock(rig);
	rig->pass.paranoid = false;
	assert_int_equal(warnings(rig), 0);
	assert_true(frame(rig)->users[0].exempt);
}

/* The limited process represents the user, and only its rings are warned of. */
TEST(test_mlock_of_two)
{
	struct rig *rig = *state;
	const struct host *host;

	mlock(rig);
	event(rig, ID + 1, KEY + 8, true);
	holder(rig, KEY + 8, OWNER + 1, true);
	ring(rig, KEY + 8)->user_locked = (1 << 20) - PAGE;
	limit(rig, OWNER + 1)->ipc_lock = true;
	rig->pass.limits[1].pinned = 1 << 22;
	add(rig);
	host = frame(rig);
	assert_int_equal(host->rows[0].warnings, bit(RING_WARN_MLOCK));
	assert_int_equal(host->rows[1].warnings, 0);
	assert_int_equal(host->nr_users, 1);
	assert_int_equal(host->users[0].rings, 2);
	assert_int_equal(host->users[0].pinned, 16384);
	assert_true(host->users[0].at_limit);
}

/* The same if the other one comes first. */
TEST(test_mlock_of_the_second)
{
	struct rig *rig = *state;

	mlock(rig);
	rig->pass.limits[0].ipc_lock = true;
	rig->pass.limits[0].pinned = 1 << 22;
	event(rig, ID + 1, KEY + 8, true);
	holder(rig, KEY + 8, OWNER + 1, true);
	ring(rig, KEY + 8)->user_locked = (1 << 20) - PAGE;
	limit(rig, OWNER + 1)->pinned = 16384;
	add(rig);
	assert_int_equal(frame(rig)->users[0].pinned, 16384);
	assert_false(frame(rig)->users[0].exempt);
}

TEST(test_users)
{
	struct rig *rig = *state;
	const struct host *host;

	look(rig);
	event(rig, ID + 1, KEY + 8, true);
	ring(rig, KEY + 8)->uid = 5;
	/* The memory of a BPF ring buffer is charged to a cgroup. */
	ring(rig, 7)->kind = RING_BPF;
	rig->pass.rings[2].uid = 9;
	add(rig);
	host = frame(rig);
	assert_int_equal(host->nr_users, 2);
	assert_int_equal(host->users[0].uid, 5);
	assert_int_equal(host->users[1].uid, UID);
	assert_int_equal(host->users[1].rings, 1);
}

/* A ring that is gone has no warnings. */
TEST(test_gone)
{
	struct rig *rig = *state;

	look(rig)->paused = true;
	add(rig);
	begin(rig, 1, HOST_ALL);
	assert_int_equal(warnings(rig), 0);
	assert_int_equal(frame(rig)->nr_users, 0);
}

TEST_GROUP(host_warnings, .each_setup = set_up, .each_teardown = tear_down);
