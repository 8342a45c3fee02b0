/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/slot_list.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

void slot_list_init(struct slot_list *list)
{
	pthread_mutex_init(&list->lock, NULL);
}

void slot_list_free(struct slot_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		slot_free(list->slots[i]);
	free(list->slots);
	free(list->arrivals);
	pthread_mutex_destroy(&list->lock);
}

int slot_list_add(struct slot_list *list, struct slot *slot)
{
	int ret = -ENOMEM;

	pthread_mutex_lock(&list->lock);
	if (array_fit(list->slots, list->room, list->nr + 1) == 0 &&
	    array_fit(list->arrivals, list->room_arrivals, list->nr + 1) == 0) {
		list->slots[list->nr++] = slot;
		ret = 0;
	}
	pthread_mutex_unlock(&list->lock);
	return ret;
}

void slot_list_drop_last(struct slot_list *list)
{
	struct slot *slot;

	pthread_mutex_lock(&list->lock);
	slot = list->slots[--list->nr];
	pthread_mutex_unlock(&list->lock);
	slot_free(slot);
}

struct slot *slot_list_get(struct slot_list *list, size_t index)
{
	struct slot *slot;

	pthread_mutex_lock(&list->lock);
	slot = index < list->nr ? list->slots[index] : NULL;
	pthread_mutex_unlock(&list->lock);
	return slot;
}
