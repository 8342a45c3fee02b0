/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/source_clock.h"

#include "base/sys.h"
#include "collect/collector.h"
#include "ring/reading.h"

/*
 * The wall clock is read between two readings of the kernel's clock, again if
 * the thread was preempted meanwhile.
 */
enum { TRIES = 5, QUICK = 20000 /* ns */ };

static uint64_t kernel_now(const struct collector *collector)
{
	return collector ? collector_now(collector) : sys_now_ns();
}

void source_clock_read(struct reading *r, const struct collector *collector)
{
	uint64_t least = UINT64_MAX;

	r->mono = sys_now();
	r->wall = sys_wall_clock();
	r->kernel = 0;
	for (int i = 0; i < TRIES && least > QUICK; i++) {
		uint64_t before = kernel_now(collector);
		double wall = sys_wall_clock();
		uint64_t after = kernel_now(collector);

		/* perf's own clock, as estimated, may be corrected backwards */
		if (after < before || after - before >= least)
			continue;
		least = after - before;
		r->kernel = before + least / 2;
		r->wall = wall;
	}
}
