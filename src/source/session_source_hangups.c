/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/session_source_hangups.h"

#include <sys/eventfd.h>

#include "base/array.h"

void session_source_hangups_add(void *ctx, size_t slot)
{
	struct session_source *ss = ctx;
	size_t *place;

	pthread_mutex_lock(&ss->hangups_lock);
	place = array_add(ss->hangups, ss->nr_hangups, ss->room_hangups);
	if (place)
		*place = slot;
	pthread_mutex_unlock(&ss->hangups_lock);
	eventfd_write(ss->wake, 1);
}

size_t session_source_hangups_take(struct session_source *ss)
{
	size_t ring = SIZE_MAX;

	pthread_mutex_lock(&ss->hangups_lock);
	if (ss->nr_hangups)
		ring = ss->hangups[--ss->nr_hangups];
	pthread_mutex_unlock(&ss->hangups_lock);
	return ring;
}
