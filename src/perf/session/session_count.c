/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/session/session_count.h"

#include "base/sys.h"

struct session_count session_count_read(const struct session *s, int fd)
{
	/* value, enabled, running, id, lost: see set_common() */
	uint64_t values[5];
	ssize_t n = sys_read_count(fd, values, sizeof(values));
	struct session_count count = { UNKNOWN, UNKNOWN };

	if (n >= (ssize_t)sizeof(values[0]))
		count.count = values[0];
	if (!(s->missing & SESSION_NEWER_LOST) && n == (ssize_t)sizeof(values))
		count.lost = values[4];
	return count;
}

void session_count_add(struct session_count *sum, struct session_count more)
{
	if (more.count != UNKNOWN)
		sum->count += more.count;
	if (more.lost != UNKNOWN)
		sum->lost += more.lost;
}

/* With what those that had its place before had counted. */
static struct session_count total_of(const struct session *s,
				     const struct session_slot *slot, size_t i)
{
	struct session_count total = slot->base[i], now;

	now = session_count_read(s, slot->pub.events[i].fd);
	session_count_add(&total, now);
	if (now.count == UNKNOWN)
		total.count = UNKNOWN;
	if (now.lost == UNKNOWN)
		total.lost = UNKNOWN;
	return total;
}

size_t session_read(struct session *s, size_t ring,
		    struct session_count *counts, size_t max)
{
	const struct session_slot *slot;
	size_t nr = 0;

	pthread_mutex_lock(&s->lock);
	slot = ring < s->nr_slots ? s->slots[ring] : NULL;
	if (slot)
		nr = slot->pub.nr_events < max ? slot->pub.nr_events : max;
	for (size_t i = 0; i < nr; i++)
		counts[i] = total_of(s, slot, i);
	pthread_mutex_unlock(&s->lock);
	return nr;
}

uint64_t session_lost(struct session *s, size_t ring)
{
	const struct session_slot *slot;
	uint64_t sum = 0;

	pthread_mutex_lock(&s->lock);
	slot = s->slots[ring];
	for (size_t i = 0; sum != UNKNOWN && i < slot->pub.nr_events;
	     i++) {
		uint64_t lost = total_of(s, slot, i).lost;

		sum = lost == UNKNOWN ? lost : sum + lost;
	}
	pthread_mutex_unlock(&s->lock);
	return sum;
}
