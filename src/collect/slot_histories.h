/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The record histories of slots (record_history.h). */
#ifndef RBTOP_COLLECT_SLOT_HISTORIES_H
#define RBTOP_COLLECT_SLOT_HISTORIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/slot_list.h"

struct err;

struct slot_histories {
	struct slot_list *slots;	/* borrowed */
	bool apart_alone;	/* see struct collector_opts */
	size_t bytes;		/* of each; 0: none is kept.  Under the lock
				 * of the list */
	int fd;			/* eventfd, see record_history_watch(); -1: it
				 * could not be created */
};

void slot_histories_init(struct slot_histories *h, struct slot_list *slots,
			 bool apart_alone);
/* Close the eventfd.  Histories are freed with their slots. */
void slot_histories_destroy(struct slot_histories *h);

/* Keep histories of all slots; see collector_keep_history(). */
int slot_histories_keep(struct slot_histories *h, size_t bytes,
			struct err *err);
/*
 * Give a slot that no reader serves yet its history, if any are kept.  0 or
 * -ENOMEM.
 */
int slot_histories_give(struct slot_histories *h, struct slot *slot);

/* NULL: that slot has none. */
struct record_history *slot_histories_get(struct slot_histories *h,
					  size_t index);
/* See collector_history_fd(); does nothing if the slot has no history. */
void slot_histories_watch(struct slot_histories *h, size_t index, uint64_t at);

#endif
