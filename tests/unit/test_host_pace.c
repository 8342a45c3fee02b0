/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often passes are made. */
#include "tests/group.h"

#include "host/host_pace.h"
#include "host/table/host.h"

#define US 1e-6

/* Passes from @*now on for @seconds, each of that cost; counts of them. */
struct seen {
	unsigned int passes, whole, mappings, limits;
	double longest;		/* between two whole passes */
};

static struct seen run(struct host_pace *pace, double *now, double seconds,
		       double whole_cost, double known_cost)
{
	double end = *now + seconds, last = *now;
	struct seen seen = { 0 };

	while (*now < end) {
		struct host_due due;

		host_pace_due(pace, *now, 0, &due);
		seen.passes++;
		seen.mappings += (due.parts & HOST_MAPPINGS) != 0;
		seen.limits += due.limits;
		if (due.whole) {
			seen.whole++;
			if (*now - last > seen.longest)
				seen.longest = *now - last;
			last = *now;
		}
		*now += host_pace_done(pace, &due, 10,
				       due.whole ? whole_cost : known_cost);
	}
	return seen;
}

TEST(test_cheap)
{
	struct host_pace pace;
	struct seen seen;
	double now = 100;

	host_pace_init(&pace, 1, true, true);
	seen = run(&pace, &now, 20, 40 * US, 40 * US);
	/* ten per second, all of them whole */
	assert_in_range(seen.passes, 195, 205);
	assert_int_equal(seen.whole, seen.passes);
	/* the first, the one after new rings, and one every five seconds */
	assert_in_range(seen.mappings, 5, 6);
	assert_int_equal(seen.limits, seen.mappings);
}

TEST(test_many_descriptors)
{
	struct host_pace pace;
	struct seen seen;
	double now = 100;

	host_pace_init(&pace, 1, true, true);
	run(&pace, &now, 60, 6000 * US, 100 * US);
	seen = run(&pace, &now, 60, 6000 * US, 100 * US);
	assert_in_range((int)(seen.longest * 10), 45, 65);
	assert_true(seen.passes > 4 * seen.whole);
	/* the budget: 0.1 % for all, and the whole ones once in 5 s */
	assert_true(seen.whole * 6000 * US +
		    (seen.passes - seen.whole) * 100 * US < 60 * 0.003);
}

TEST(test_cannot_pick)
{
	struct host_pace pace;
	struct seen seen;
	double now = 100;

	host_pace_init(&pace, 1, true, false);
	seen = run(&pace, &now, 60, 6000 * US, 100 * US);
	assert_int_equal(seen.whole, seen.passes);
	/* as often as pictures are made, not more often */
	assert_in_range(seen.passes, 58, 70);
}

TEST(test_proc)
{
	struct host_pace pace;
	struct host_due due;
	double now = 100;
	struct seen seen;

	host_pace_init(&pace, 0.1, false, false);
	host_pace_due(&pace, now, 0, &due);
	assert_int_equal(due.parts, HOST_ALL);
	assert_true(due.whole);
	seen = run(&pace, &now, 30, 3000 * US, 0);
	assert_in_range(seen.passes, 9, 11);
	seen = run(&pace, &now, 30, 200000 * US, 0);
	assert_in_range(seen.passes, 5, 7);
}

TEST(test_wanted_and_changed)
{
	struct host_pace pace;
	struct host_due due;

	host_pace_init(&pace, 1, true, true);
	host_pace_due(&pace, 1, 0, &due);
	assert_true(due.parts & HOST_MAPPINGS && due.limits && due.whole);
	host_pace_done(&pace, &due, 4, 40 * US);
	host_pace_due(&pace, 1.1, 0, &due);
	assert_true(due.parts & HOST_MAPPINGS);
	host_pace_done(&pace, &due, 4, 40 * US);
	host_pace_due(&pace, 1.2, 0, &due);
	assert_false(due.parts & HOST_MAPPINGS);
	host_pace_done(&pace, &due, 4, 40 * US);
	host_pace_due(&pace, 1.3, HOST_MAPPINGS, &due);
	assert_true(due.parts & HOST_MAPPINGS);
	host_pace_done(&pace, &due, 5, 40 * US);
	/* a new ring: its owner has to be found */
	host_pace_due(&pace, 1.4, 0, &due);
	assert_true(due.parts & HOST_MAPPINGS);
}

/* Limits need mappings, which show the owners, also of new rings. */
TEST(test_limits_with_mappings)
{
	unsigned int with = 0, limits = 0;
	struct host_pace pace;
	double now = 0;

	host_pace_init(&pace, 1, true, true);
	while (now < 600) {
		struct host_due due;

		host_pace_due(&pace, now, 0, &due);
		limits += due.limits;
		with += due.limits && due.parts & HOST_MAPPINGS && due.whole;
		now += host_pace_done(&pace, &due, now < 2.3 ? 0 : 1,
				      300 * US);
	}
	assert_true(limits >= 100);
	assert_int_equal(with, limits);
}

/* Reading a hundred owners one by one costs more than a whole pass. */
TEST(test_known_is_dearer)
{
	struct host_pace pace;
	struct seen seen;
	double now = 100;

	host_pace_init(&pace, 1, true, true);
	run(&pace, &now, 10, 400 * US, 700 * US);
	seen = run(&pace, &now, 30, 400 * US, 700 * US);
	assert_int_equal(seen.whole, seen.passes);
}

/* Mappings and limits count in the budget, too. */
TEST(test_unusual_is_paid)
{
	double now = 0, cpu = 0, longest = 0;
	struct host_pace pace;

	host_pace_init(&pace, 1, true, true);
	while (now < 300) {
		struct host_due due;
		double cost, wait;

		host_pace_due(&pace, now, 0, &due);
		cost = due.usual ? 100 * US : 2000 * US;
		cpu += cost;
		wait = host_pace_done(&pace, &due, 3, cost);
		if (wait > longest)
			longest = wait;
		now += wait;
	}
	assert_true(cpu / now < 0.0011);
	assert_true(longest <= 0.3);
}

/* With hundreds of owners /proc is read only as often as the budget allows. */
TEST(test_dear_limits)
{
	double now = 0, cpu = 0, limits = 0;
	struct host_pace pace;
	unsigned int nr = 0;

	host_pace_init(&pace, 1, true, true);
	while (now < 600) {
		struct host_due due;
		double cost = 800 * US;

		host_pace_due(&pace, now, 0, &due);
		if (due.parts & HOST_MAPPINGS)
			cost += 3000 * US;
		if (due.limits) {
			nr++;
			due.limits_cpu = 25000 * US;
			limits += due.limits_cpu;
			cost += due.limits_cpu;
		}
		cpu += cost;
		now += host_pace_done(&pace, &due, 500, cost);
	}
	assert_true(nr >= 10);
	assert_true(limits / now < 0.0006);
	assert_true(cpu / now < 0.0025);
}

TEST_GROUP(host_pace);
