/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys that send requests about rings: size, rate, pause, enable, read,
 * snapshot.  Rings, the ring detail and AUX share them.
 */
#ifndef RBTOP_UI_KIT_TUNE_H
#define RBTOP_UI_KIT_TUNE_H

#include "ui/kit/view.h"

/*
 * Send the request of @action for the @nr rings whose indices are in @rings.
 * A toggle inverts the state of the first ring, and all rings get that state.
 * False if @action is not one of these keys.
 */
bool tune_action(struct view *view, const struct frame *frame,
		 enum action action, const size_t *rings, size_t nr);

/* Whether a key has an effect here, so that the bottom line shows it. */
bool tune_offers(const struct shell *shell, const struct frame *frame,
		 enum action action);
/* Whether the events are enabled, all of them or none. */
bool tune_are_enabled(const struct frame *frame);
/* Whether a snapshot can save any ring: overwrite, or AUX in snapshot mode. */
bool tune_can_snapshot(const struct frame *frame);

#endif
