/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/thread/cpu_budget.h"

#define STEP_NS (CPU_BUDGET_WINDOW_NS / (CPU_BUDGET_MARKS / 2))

bool cpu_budget_due(const struct cpu_budget *b, uint64_t now_ns)
{
	unsigned int last = (b->nr - 1) % CPU_BUDGET_MARKS;

	return !b->nr || now_ns - b->marks[last].now_ns >= STEP_NS;
}

bool cpu_budget_note(struct cpu_budget *b, uint64_t now_ns, uint64_t ran_ns)
{
	unsigned int kept = b->nr < CPU_BUDGET_MARKS ? b->nr : CPU_BUDGET_MARKS;
	bool over = false;

	for (unsigned int i = 1; i <= kept; i++) {
		unsigned int at = (b->nr - i) % CPU_BUDGET_MARKS;
		uint64_t passed = now_ns - b->marks[at].now_ns;

		if (passed < CPU_BUDGET_WINDOW_NS)
			continue;
		over = (double)(ran_ns - b->marks[at].ran_ns) >
		       (double)passed * CPU_BUDGET_SHARE;
		break;
	}
	b->marks[b->nr % CPU_BUDGET_MARKS].now_ns = now_ns;
	b->marks[b->nr % CPU_BUDGET_MARKS].ran_ns = ran_ns;
	b->nr++;
	return over;
}
