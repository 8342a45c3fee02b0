/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/times.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

#define NSEC_PER_SEC	UINT64_C(1000000000)

/*
 * A larger change between two readings is a step.  Clocks drift by less, and a
 * thread that is preempted between reading both is off by less: see
 * source_clock.c.
 */
#define STEP		INT64_C(10000000)

uint64_t times_ns(double seconds)
{
	uint64_t whole = seconds > 0 && seconds < 1e10 ? (uint64_t)seconds : 0;

	if (!whole)
		return 0;
	return whole * NSEC_PER_SEC + (uint64_t)((seconds - (double)whole) *
						 (double)NSEC_PER_SEC);
}

static void begin_span(struct times *t, uint64_t from, int64_t ahead)
{
	if (t->nr == TIMES_SPANS) {
		memmove(&t->spans[0], &t->spans[1],
			(TIMES_SPANS - 1) * sizeof(t->spans[0]));
		t->nr--;
	}
	t->spans[t->nr].from = from;
	t->spans[t->nr].ahead = ahead;
	t->nr++;
}

void times_read(struct times *t, uint64_t kernel, uint64_t wall)
{
	int64_t ahead = (int64_t)(wall - kernel), change;

	/* another clock: an estimate of perf's own one was corrected */
	if (t->nr && kernel < t->last)
		t->nr = 0;
	if (!t->nr) {
		begin_span(t, 0, ahead);
	} else {
		change = ahead - t->spans[t->nr - 1].ahead;
		if (change > STEP || change < -STEP)
			begin_span(t, t->last, ahead);
		else
			t->spans[t->nr - 1].ahead = ahead;
	}
	t->last = kernel;
}

uint64_t times_wall(const struct times *t, uint64_t kernel)
{
	unsigned int i = t->nr;

	while (i > 1 && kernel < t->spans[i - 1].from)
		i--;
	return i ? kernel + (uint64_t)t->spans[i - 1].ahead : kernel;
}

uint64_t times_kernel(const struct times *t, uint64_t wall)
{
	for (unsigned int i = t->nr; i-- > 0;) {
		uint64_t kernel = wall - (uint64_t)t->spans[i].ahead;

		if (i && (int64_t)(kernel - t->spans[i].from) < 0)
			continue;
		if (i + 1 < t->nr && kernel > t->spans[i + 1].from)
			return t->spans[i + 1].from;
		return (int64_t)kernel < 0 ? 0 : kernel;
	}
	return wall;
}

/* Append the decimals of seconds of @ns. */
static void add_decimals(char *buf, size_t size, uint64_t ns,
			 unsigned int decimals)
{
	char digits[16];
	size_t len = strlen(buf);

	if (!decimals || len >= size)
		return;
	snprintf(digits, sizeof(digits), "%09u",
		 (unsigned int)(ns % NSEC_PER_SEC));
	snprintf(buf + len, size - len, ".%.*s", (int)decimals, digits);
}

static char *wall_text(uint64_t ns, unsigned int decimals, char *buf,
		       size_t size)
{
	if (units_clock(buf, size, (double)(ns / NSEC_PER_SEC),
			UNITS_CLOCK_TIME))
		add_decimals(buf, size, ns, decimals);
	return buf;
}

static char *kernel_text(uint64_t ns, unsigned int decimals, char *buf,
			 size_t size)
{
	snprintf(buf, size, "%" PRIu64, ns / NSEC_PER_SEC);
	add_decimals(buf, size, ns, decimals);
	return buf;
}

char *times_text(const struct times *t, enum times_clock clock,
		 uint64_t kernel, unsigned int decimals, char *buf,
		 size_t size)
{
	if (clock == TIMES_KERNEL)
		return kernel_text(kernel, decimals, buf, size);
	return wall_text(times_wall(t, kernel), decimals, buf, size);
}

char *times_unix_text(const struct times *t, enum times_clock clock,
		      double seconds, unsigned int decimals, char *buf,
		      size_t size)
{
	uint64_t wall = times_ns(seconds);

	if (clock == TIMES_KERNEL)
		return kernel_text(times_kernel(t, wall), decimals, buf, size);
	return wall_text(wall, decimals, buf, size);
}
