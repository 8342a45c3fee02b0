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
 * source.c.
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

void times_begin(struct times *t, uint64_t start)
{
	*t = (struct times){ .nr = 1, .last = start, .elapsed = true };
	t->spans[0].ahead = (int64_t)(0 - start);
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

static char *elapsed_text(uint64_t ns, unsigned int decimals, char *buf,
			  size_t size)
{
	uint64_t seconds = ns / NSEC_PER_SEC;

	snprintf(buf, size, "%02" PRIu64 ":%02u:%02u", seconds / 3600,
		 (unsigned int)(seconds / 60 % 60),
		 (unsigned int)(seconds % 60));
	add_decimals(buf, size, ns, decimals);
	return buf;
}

/* Unlike times_ns(), of times below a second, too. */
static uint64_t elapsed_ns(double seconds)
{
	return seconds > 0 && seconds < 1e10 ?
		       (uint64_t)(seconds * (double)NSEC_PER_SEC + 0.5) : 0;
}

static char *wall_text(const struct times *t, uint64_t ns,
		       unsigned int decimals, char *buf, size_t size)
{
	if (t->elapsed)
		return elapsed_text(ns, decimals, buf, size);
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
	return wall_text(t, times_wall(t, kernel), decimals, buf, size);
}

char *times_unix_text(const struct times *t, enum times_clock clock,
		      double seconds, unsigned int decimals, char *buf,
		      size_t size)
{
	uint64_t wall = t->elapsed ? elapsed_ns(seconds) : times_ns(seconds);

	if (clock == TIMES_KERNEL)
		return kernel_text(times_kernel(t, wall), decimals, buf, size);
	return wall_text(t, wall, decimals, buf, size);
}
