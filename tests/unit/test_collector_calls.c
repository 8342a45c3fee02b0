/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls as a trigger with overwrite rings, whose reader learns of them only by
 * event counts.
 */
#include "tests/group.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "collect/collector.h"
#include "collect/triggers/trigger.h"
#include "fake_ring.h"

enum { ID = 500, NEVER = 3600, EVENTS = 2 };

struct fixture {
	struct collector *collector;
	struct trigger *trigger;
	struct fake_ring fake, fresh;
	int wake;			/* the fd that is polled */
	int counts[EVENTS][2];		/* pipes: a read takes one count */
	struct err err;
};

/* The next read(2) of the event returns @calls; without this it fails. */
static void count(struct fixture *f, size_t event, uint64_t calls)
{
	assert_int_equal(write(f->counts[event][1], &calls, sizeof(calls)),
			 sizeof(calls));
}

static void put_ring(struct fixture *f, struct fake_ring *fake, bool replace)
{
	static const uint64_t ids[] = { ID };
	const int fds[EVENTS] = { f->counts[0][0], f->counts[1][0] };
	const struct collector_ring ring = {
		.ring = fake->ring, .cpu = 0, .ids = ids, .nr_ids = 1,
		.fds = &f->wake, .nr_fds = 1,
		.call_fds = fds, .nr_call_fds = EVENTS,
	};
	size_t slot = 0;

	if (replace)
		assert_int_equal(collector_replace(f->collector, 0, &ring,
						   &f->err), 0);
	else
		assert_int_equal(collector_add(f->collector, &ring, &slot,
					       &f->err), 0);
	assert_int_equal(slot, 0);
}

/* Start with events that have counted @first and @second calls before. */
static void start(struct fixture *f, double interval, uint64_t first,
		  uint64_t second)
{
	const struct collector_opts opts = {
		.rings = 1, .interval = interval, .trigger = f->trigger,
	};

	count(f, 0, first);
	count(f, 1, second);
	f->collector = collector_new(&opts, &f->err);
	assert_non_null(f->collector);
	put_ring(f, &f->fake, false);
	assert_int_equal(collector_start(f->collector, &f->err), 0);
}

static int setup(void **state)
{
	static const struct trigger_events events = { .call = 1 };
	struct fixture *f = calloc(1, sizeof(*f));

	fake_ring_init(&f->fake, 8192);
	fake_ring_init(&f->fresh, 8192);
	f->fake.ring.overwrite = true;
	f->fresh.ring.overwrite = true;
	f->wake = eventfd(0, EFD_CLOEXEC);
	for (size_t i = 0; i < EVENTS; i++)
		assert_int_equal(pipe2(f->counts[i], O_CLOEXEC | O_DIRECT |
				       O_NONBLOCK), 0);
	f->trigger = trigger_new("call:wanted", &events, &f->err);
	assert_non_null(f->trigger);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	collector_free(f->collector);
	trigger_free(f->trigger);
	fake_ring_free(&f->fake);
	fake_ring_free(&f->fresh);
	for (size_t i = 0; i < EVENTS; i++) {
		close(f->counts[i][0]);
		close(f->counts[i][1]);
	}
	close(f->wake);
	free(f);
	return 0;
}

static bool fired(struct fixture *f)
{
	struct trigger_hit hit;

	return trigger_take(f->trigger, &hit);
}

/* Whether the trigger fires, waiting for minutes if necessary. */
static bool fires(struct fixture *f)
{
	const struct timespec ms = { .tv_nsec = 1000000 };

	for (int i = 0; i < 100000; i++) {
		if (fired(f))
			return true;
		nanosleep(&ms, NULL);
	}
	return false;
}

/* Read the counts now; returns whether the trigger fired. */
static bool fired_at(struct fixture *f, uint64_t first, uint64_t second)
{
	count(f, 0, first);
	count(f, 1, second);
	collector_drain(f->collector, 0);
	return fired(f);
}

TEST(each_call_fires)
{
	struct fixture *f = *state;

	start(f, NEVER, 0, 0);
	trigger_arm(f->trigger);
	assert_false(fired_at(f, 0, 0));
	assert_true(fired_at(f, 1, 0));
	trigger_arm(f->trigger);
	assert_false(fired_at(f, 1, 0));
	assert_true(fired_at(f, 1, 1));
	trigger_arm(f->trigger);
	assert_true(fired_at(f, 3, 1));
}

TEST(calls_before_it_was_added_do_not)
{
	struct fixture *f = *state;

	trigger_arm(f->trigger);
	start(f, NEVER, 5, 7);
	assert_false(fired_at(f, 5, 7));
	assert_true(fired_at(f, 5, 8));
}

/* As for all triggers: calls during the cooldown are ignored. */
TEST(calls_while_it_is_disarmed_do_not)
{
	struct fixture *f = *state;

	start(f, NEVER, 0, 0);
	trigger_arm(f->trigger);
	assert_true(fired_at(f, 1, 0));
	assert_false(fired_at(f, 2, 0));
	trigger_arm(f->trigger);
	assert_false(fired_at(f, 2, 0));
	assert_true(fired_at(f, 3, 0));
}

TEST(what_cannot_be_read_is_no_call)
{
	struct fixture *f = *state;

	start(f, NEVER, 5, 5);
	trigger_arm(f->trigger);
	collector_drain(f->collector, 0);
	assert_false(fired(f));
	/* nor is it a call that the event can be read again */
	assert_false(fired_at(f, 5, 5));
	/* one cannot be read; this does not cancel the other's call */
	count(f, 1, 6);
	collector_drain(f->collector, 0);
	assert_true(fired(f));
	trigger_arm(f->trigger);
	assert_true(fired_at(f, 6, 6));
}

TEST(a_wakeup_is_enough)
{
	struct fixture *f = *state;

	start(f, NEVER, 0, 0);
	trigger_arm(f->trigger);
	for (uint64_t calls = 1; calls < 4; calls++) {
		count(f, 0, calls);
		eventfd_write(f->wake, 1);
		assert_true(fires(f));
		trigger_arm(f->trigger);
	}
}

/* A call while the ring was paused causes no wakeup. */
TEST(so_is_the_timer)
{
	struct fixture *f = *state;

	start(f, 0.01, 0, 0);
	trigger_arm(f->trigger);
	count(f, 0, 1);
	assert_true(fires(f));
}

/*
 * The new ring has the same events as the one that it replaces: their counts
 * continue.
 */
TEST(a_replaced_ring_begins_with_their_counts)
{
	struct fixture *f = *state;

	start(f, NEVER, 0, 0);
	trigger_arm(f->trigger);
	assert_true(fired_at(f, 4, 4));
	count(f, 0, 4);
	count(f, 1, 4);
	put_ring(f, &f->fresh, true);
	collector_retire(f->collector, 0);
	trigger_arm(f->trigger);
	assert_false(fired_at(f, 4, 4));
	assert_true(fired_at(f, 4, 5));
}

TEST_GROUP(collector_calls, .each_setup = setup, .each_teardown = teardown);
