/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/history.h"

#include <math.h>

/* Add a value to bucket number @index / HISTORY_MERGED of @level, of which it
 * is number @index % HISTORY_MERGED. */
static void merge(struct history *h, unsigned int level, uint64_t index,
		  float value)
{
	uint64_t bucket = index / HISTORY_MERGED;
	float *to = &h->values[level][bucket % HISTORY_LEN];

	if (index % HISTORY_MERGED == 0) {
		if (bucket >= HISTORY_LEN && level + 1 < HISTORY_LEVELS)
			merge(h, level + 1, bucket - HISTORY_LEN, *to);
		*to = NAN;
		h->known[level] = 0;
	}
	if (isnan(value))
		return;
	h->known[level]++;
	if (h->known[level] == 1)
		*to = value;
	else if (h->merge == HISTORY_MEAN)
		*to += (value - *to) / (float)h->known[level];
	else
		*to = fmaxf(*to, value);
}

void history_push(struct history *h, double value)
{
	float *to = &h->values[0][h->nr % HISTORY_LEN];

	if (h->nr >= HISTORY_LEN)
		merge(h, 1, h->nr - HISTORY_LEN, *to);
	*to = (float)value;
	h->nr++;
}

/* Of tick number @tick; *@end: the first tick that the value is not for. */
static double value_of(const struct history *h, uint64_t tick, uint64_t *end)
{
	uint64_t width = 1, items = h->nr, first;

	*end = tick < h->nr ? h->nr : UINT64_MAX;
	for (unsigned int level = 0; tick < h->nr && level < HISTORY_LEVELS;
	     level++) {
		first = items > HISTORY_LEN ? items - HISTORY_LEN : 0;
		if (tick >= first * width) {
			if ((tick / width + 1) * width < *end)
				*end = (tick / width + 1) * width;
			return (double)h->values[level][tick / width %
							HISTORY_LEN];
		}
		/* those before are in the next level, the last bucket of which
		 * may have room for more */
		*end = first * width;
		items = (first + HISTORY_MERGED - 1) / HISTORY_MERGED;
		width *= HISTORY_MERGED;
	}
	return NAN;
}

double history_at(const struct history *h, size_t age)
{
	uint64_t end;

	return age < h->nr ? value_of(h, h->nr - 1 - age, &end) : (double)NAN;
}

double history_max(const struct history *h, size_t nr)
{
	double max = 0;

	for (size_t age = 0; age < nr && age < h->nr; age++)
		max = fmax(max, history_at(h, age));
	return max;
}

/* The ticks from @from up to @to. */
static double column_of(const struct history *h, uint64_t from, uint64_t to)
{
	double most = NAN, sum = 0, ticks = 0;
	uint64_t end;

	for (uint64_t tick = from; tick < to; tick = end) {
		double value = value_of(h, tick, &end);

		end = end < to ? end : to;
		if (isnan(value))
			continue;
		most = fmax(most, value);
		sum += value * (double)(end - tick);
		ticks += (double)(end - tick);
	}
	return h->merge == HISTORY_MEAN && ticks > 0 ? sum / ticks : most;
}

void history_columns(const struct history *h, unsigned int step, size_t nr,
		     double *values)
{
	uint64_t newest = h->nr ? (h->nr - 1) / step : 0;

	for (size_t age = 0; age < nr; age++)
		values[nr - 1 - age] = age > newest ? (double)NAN :
			column_of(h, (newest - age) * step,
				  (newest - age + 1) * step);
}

/* Rounded, so that a time does not change with each tick of a busy machine. */
static double two_digits(double value)
{
	double unit = pow(10, floor(log10(value)) - 1);

	return round(value / unit) * unit;
}

double history_span(const struct history *h, unsigned int step, size_t nr)
{
	uint64_t ticks = (uint64_t)nr * step, end;
	double sum = 0, timed = 0;

	if (!h->nr || !nr)
		return 0;
	for (uint64_t tick = h->nr > ticks ? h->nr - ticks : 0; tick < h->nr;
	     tick = end) {
		double seconds = value_of(h, tick, &end);

		if (seconds > 0) {	/* the first tick of all took none */
			sum += seconds * (double)(end - tick);
			timed += (double)(end - tick);
		}
	}
	return timed > 0 ? (double)ticks * two_digits(sum / timed) : 0;
}
