/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clocks of a reading, read at the same moment. */
#ifndef RBTOP_SOURCE_SOURCE_CLOCK_H
#define RBTOP_SOURCE_SOURCE_CLOCK_H

struct collector;
struct reading;

/*
 * Set @r's mono, wall and kernel.  The latter is the clock of the records of
 * @collector, or CLOCK_MONOTONIC for NULL.
 */
void source_clock_read(struct reading *r, const struct collector *collector);

#endif
