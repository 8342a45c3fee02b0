/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "collect/thread/ring_thread.h"

#define MS UINT64_C(1000000)

/*
 * Simulate a thread that runs @ran of every @step ms; returns the ms until it
 * is over the budget.
 */
static unsigned int over_after(struct cpu_budget *b, uint64_t *now,
			       uint64_t *cpu, unsigned int step,
			       unsigned int ran, unsigned int max)
{
	for (unsigned int ms = 0; ms < max; ms += step) {
		if (cpu_budget_note(b, *now, *cpu))
			return ms;
		*now += step * MS;
		*cpu += ran * MS;
	}
	return max;
}

TEST(test_a_second_over_the_share)
{
	struct cpu_budget b = { 0 };
	uint64_t now = 7000 * MS, cpu = 100 * MS;

	/* 30 % is always allowed */
	assert_int_equal(over_after(&b, &now, &cpu, 250, 75, 60000), 60000);
	/* then 100 %: over after 300 ms within the last second */
	assert_int_equal(over_after(&b, &now, &cpu, 250, 250, 60000), 250);
	b = (struct cpu_budget){ 0 };
	/* nothing is reported before a second is over */
	assert_int_equal(over_after(&b, &now, &cpu, 125, 125, 60000), 1000);
}

/* A burst of less than a second is allowed. */
TEST(test_bursts)
{
	struct cpu_budget b = { 0 };
	uint64_t now = 0, cpu = 0;

	for (int i = 0; i < 50; i++) {
		assert_int_equal(over_after(&b, &now, &cpu, 125, 125, 250),
				 250);
		assert_int_equal(over_after(&b, &now, &cpu, 125, 0, 1000),
				 1000);
	}
}

/* After a long sleep, a thread is measured from its last check. */
TEST(test_after_a_sleep)
{
	struct cpu_budget b = { 0 };

	assert_false(cpu_budget_note(&b, 1000 * MS, 0));
	assert_false(cpu_budget_note(&b, 11000 * MS, 100 * MS));
	assert_false(cpu_budget_note(&b, 11500 * MS, 600 * MS));
	assert_true(cpu_budget_note(&b, 12000 * MS, 1100 * MS));
	/* a CPU's clock may be ahead of another's */
	assert_true(cpu_budget_note(&b, 13000 * MS, 2200 * MS));
}

TEST(test_due)
{
	struct cpu_budget b = { 0 };

	assert_true(cpu_budget_due(&b, 0));
	cpu_budget_note(&b, 1000 * MS, 0);
	assert_false(cpu_budget_due(&b, 1124 * MS));
	assert_true(cpu_budget_due(&b, 1125 * MS));
	for (unsigned int i = 0; i < 40; i++)
		cpu_budget_note(&b, (2000 + i) * MS, 0);
	assert_false(cpu_budget_due(&b, 2163 * MS));
	assert_true(cpu_budget_due(&b, 2164 * MS));
}

TEST_GROUP(cpu_budget);
