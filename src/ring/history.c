/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/history.h"

#include <math.h>

/* The number of the first tick that is kept one by one. */
static uint64_t first_alone(const struct history *h)
{
	return h->nr > HISTORY_LEN ? h->nr - HISTORY_LEN : 0;
}

/* The number of the first tick that is held, as the first of a bucket. */
static uint64_t first_held(const struct history *h)
{
	uint64_t buckets = (first_alone(h) + HISTORY_MERGED - 1) /
			   HISTORY_MERGED;

	return buckets > HISTORY_BUCKETS ?
		       (buckets - HISTORY_BUCKETS) * HISTORY_MERGED : 0;
}

/* Tick number @tick moves from the values to its bucket. */
static void merge_tick(struct history *h, uint64_t tick)
{
	float *to = &h->buckets[tick / HISTORY_MERGED % HISTORY_BUCKETS];
	float value = h->values[tick % HISTORY_LEN];

	if (tick % HISTORY_MERGED == 0) {
		*to = NAN;
		h->known = 0;
	}
	if (isnan(value))
		return;
	h->known++;
	if (h->known == 1)
		*to = value;
	else if (h->merge == HISTORY_MEAN)
		*to += (value - *to) / (float)h->known;
	else
		*to = fmaxf(*to, value);
}

void history_push(struct history *h, double value)
{
	if (h->nr >= HISTORY_LEN)
		merge_tick(h, h->nr - HISTORY_LEN);
	h->values[h->nr % HISTORY_LEN] = (float)value;
	h->nr++;
}

/* Of tick number @tick. */
static double value_of(const struct history *h, uint64_t tick)
{
	if (tick >= h->nr || tick < first_held(h))
		return NAN;
	if (tick >= first_alone(h))
		return (double)h->values[tick % HISTORY_LEN];
	return (double)h->buckets[tick / HISTORY_MERGED % HISTORY_BUCKETS];
}

double history_at(const struct history *h, size_t age)
{
	return age < h->nr ? value_of(h, h->nr - 1 - age) : (double)NAN;
}

double history_max(const struct history *h, size_t nr)
{
	double max = 0;

	for (size_t age = 0; age < nr && age < h->nr; age++)
		max = fmax(max, history_at(h, age));
	return max;
}

/* The @step ticks from @from on. */
static double column_of(const struct history *h, uint64_t from,
			unsigned int step)
{
	double most = NAN, sum = 0;
	unsigned int known = 0;

	for (uint64_t tick = from; tick < from + step; tick++) {
		double value = value_of(h, tick);

		if (isnan(value))
			continue;
		most = fmax(most, value);
		sum += value;
		known++;
	}
	return h->merge == HISTORY_MEAN && known ? sum / known : most;
}

void history_columns(const struct history *h, unsigned int step, size_t nr,
		     double *values)
{
	uint64_t newest = h->nr ? (h->nr - 1) / step : 0;

	for (size_t age = 0; age < nr; age++)
		values[nr - 1 - age] = age > newest ? (double)NAN :
			column_of(h, (newest - age) * step, step);
}

/* Rounded, so that a time does not change with each tick of a busy machine. */
static double two_digits(double value)
{
	double unit = pow(10, floor(log10(value)) - 1);

	return round(value / unit) * unit;
}

double history_span(const struct history *h, unsigned int step, size_t nr)
{
	size_t ticks, timed = 0;
	double sum = 0;

	if (!h->nr || !nr)
		return 0;
	ticks = nr * step;
	for (size_t age = 0; age < ticks && age < h->nr; age++) {
		double seconds = history_at(h, age);

		if (seconds > 0) {	/* the first tick of all took none */
			sum += seconds;
			timed++;
		}
	}
	return timed ? (double)ticks * two_digits(sum / (double)timed) : 0;
}
