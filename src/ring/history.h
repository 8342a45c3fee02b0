/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last HISTORY_LEN values of a figure, one a tick, for sparklines. */
#ifndef RBTOP_RING_HISTORY_H
#define RBTOP_RING_HISTORY_H

enum { HISTORY_LEN = 120 };

struct history {
	float values[HISTORY_LEN];
	unsigned int nr;	/* of values held */
	unsigned int next;	/* where the next one goes */
};

/* Add the latest value; the oldest falls off. */
void history_push(struct history *h, double value);

/* The value @age ticks ago (0: the latest); NAN where there is none. */
double history_at(const struct history *h, unsigned int age);

/* The largest of the latest @nr values, 0 when there are none. */
double history_max(const struct history *h, unsigned int nr);

#endif
