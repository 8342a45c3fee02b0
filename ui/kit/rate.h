/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The prompt for the rate of samples: units, what is in force, the limits. */
#ifndef RBTOP_UI_KIT_RATE_H
#define RBTOP_UI_KIT_RATE_H

#include "perf/event/event_rates.h"
#include "ui/kit/view.h"

/*
 * Ask for a frequency, or with a leading c for a period, and request it.  While
 * one that exceeds @rates is typed a message says so; it needs a second Enter.
 */
void rate_ask(struct view *view, const struct event_rates *rates);

#endif
