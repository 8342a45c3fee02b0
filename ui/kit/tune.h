/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keys that ask something of rings: size, rate, pause, enable, read,
 * snapshot.  Rings, the ring's detail and AUX share them.
 */
#ifndef RBTOP_UI_KIT_TUNE_H
#define RBTOP_UI_KIT_TUNE_H

#include "ui/kit/view.h"

/*
 * Send what @action asks for to the @nr rings whose indices are in @rings.
 * A toggle takes its direction from the first one, so that all end up alike.
 * False if @action is none of these keys.
 */
bool tune_action(struct view *view, const struct frame *frame,
		 enum action action, const size_t *rings, size_t nr);

/* Whether a key can do what it says here, so that it is worth naming. */
bool tune_offers(const struct shell *shell, const struct frame *frame,
		 enum action action);
/* Whether some ring keeps what a snapshot could save. */
bool tune_can_snapshot(const struct frame *frame);

#endif
