/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/history.h"

#include <math.h>

void history_push(struct history *h, double value)
{
	h->values[h->next] = (float)value;
	h->next = (h->next + 1) % HISTORY_LEN;
	if (h->nr < HISTORY_LEN)
		h->nr++;
}

double history_at(const struct history *h, unsigned int age)
{
	if (age >= h->nr)
		return NAN;
	return (double)h->values[(h->next + HISTORY_LEN - 1 - age) %
				 HISTORY_LEN];
}

double history_max(const struct history *h, unsigned int nr)
{
	double max = 0;

	for (unsigned int age = 0; age < nr && age < h->nr; age++)
		max = fmax(max, history_at(h, age));
	return max;
}
