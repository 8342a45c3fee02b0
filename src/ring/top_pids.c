/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/top_pids.h"

#include <stddef.h>

/* The slot of @pid, else the one with the fewest samples, which is replaced. */
static struct top_pid *slot_for(struct top_pids *top, pid_t pid)
{
	struct top_pid *min = &top->slots[0];

	for (size_t i = 0; i < TOP_PIDS; i++) {
		struct top_pid *slot = &top->slots[i];

		if (slot->pid == pid && slot->samples)
			return slot;
		if (slot->samples < min->samples)
			min = slot;
	}
	return min;
}

void top_pids_add(struct top_pids *top, pid_t pid, uint64_t samples)
{
	struct top_pid *first = &top->slots[0], *slot, hit;

	if (first->pid != pid || !first->samples) {
		if (!samples)
			return;
		/* It moves to the first slot: the next is often the same. */
		slot = slot_for(top, pid);
		hit = *slot;
		*slot = *first;
		if (hit.pid != pid)
			hit.error = hit.samples;
		hit.pid = pid;
		*first = hit;
	}
	first->samples += samples;
}

unsigned int top_pids_sorted(const struct top_pids *top,
			     struct top_pid out[TOP_PIDS])
{
	unsigned int nr = 0;

	for (size_t i = 0; i < TOP_PIDS; i++) {
		const struct top_pid *slot = &top->slots[i];
		unsigned int at = nr;

		if (!slot->samples)
			continue;
		for (; at && out[at - 1].samples < slot->samples; at--)
			out[at] = out[at - 1];
		out[at] = *slot;
		nr++;
	}
	return nr;
}
