/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slots of a collector; a slot's address and index never change. */
#ifndef RBTOP_COLLECT_SLOT_LIST_H
#define RBTOP_COLLECT_SLOT_LIST_H

#include <pthread.h>
#include <stddef.h>

#include "collect/slot.h"

struct slot_list {
	pthread_mutex_t lock;	/* of what follows, and of slot->history */
	struct slot **slots;
	size_t nr, room;
	double *arrivals;	/* scratch, one per slot: collector_threads.c */
	size_t room_arrivals;
};

void slot_list_init(struct slot_list *list);
void slot_list_free(struct slot_list *list);	/* and the slots */

/* Take over @slot, as the last one.  0 or -ENOMEM. */
int slot_list_add(struct slot_list *list, struct slot *slot);
/* Remove and free the last one, which no reader serves. */
void slot_list_drop_last(struct slot_list *list);
/* NULL if @index is out of range. */
struct slot *slot_list_get(struct slot_list *list, size_t index);

#endif
