/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slots of a collector: they are added, and never move. */
#ifndef RBTOP_COLLECT_SLOT_LIST_H
#define RBTOP_COLLECT_SLOT_LIST_H

#include <pthread.h>
#include <stddef.h>

#include "collect/slot.h"

struct slot_list {
	pthread_mutex_t lock;	/* of what follows, and of slot->history */
	struct slot **slots;
	size_t nr;
	double *arrivals;	/* a place for each, see collector_threads.c */
};

void slot_list_init(struct slot_list *list);
void slot_list_free(struct slot_list *list);	/* and the slots */

/* Take over @slot, as the last one.  0 or -ENOMEM. */
int slot_list_add(struct slot_list *list, struct slot *slot);
/* Free the last one, which no reader serves. */
void slot_list_drop_last(struct slot_list *list);
/* NULL where there is none. */
struct slot *slot_list_get(struct slot_list *list, size_t index);

#endif
