/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/session/session_filter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "perf/session/session_error.h"
#include "perf/tracepoint/filter.h"
#include "perf/tracepoint/tracefs.h"

/* The field names of the tracepoint "sys:name", for an error message. */
static const char *fields_of(const char *event, char *buf, size_t size)
{
	char sys[128];
	size_t len = strcspn(event, ":");
	uint32_t bytes;

	snprintf(sys, sizeof(sys), "%.*s", (int)len, event);
	if (!event[len] ||
	    tracefs_event_fields(tracefs_path(NULL), sys, event + len + 1,
				 &bytes, buf, size))
		snprintf(buf, size, "listed in its format file in tracefs");
	return buf;
}

static int filter_error(const struct session *s, size_t spec, int code,
			struct err *err)
{
	const struct event_spec *from = &s->opts.events.specs[spec];
	char fields[300];

	if (code == -EINVAL && from->filter)
		return err_usage(err,
				 "filter '%s' on %s: the kernel cannot parse it: the event's fields are %s",
				 from->filter, from->name,
				 fields_of(from->name, fields, sizeof(fields)));
	return err_errno(err, code, "setting a filter on %s", from->name);
}

static int filter_tracepoint(const struct session *s,
			     const struct session_event *event,
			     struct err *err)
{
	const struct event_spec *from = &s->opts.events.specs[event->spec];
	char *filter;
	int ret;

	errno = 0;
	filter = filter_without(from->filter, s->filter_tids,
				s->nr_filter_tids);
	if (!filter && errno == ENOMEM)
		return err_set(err, -ENOMEM, "filters: out of memory");
	if (!filter)
		return 0;
	ret = sys_perf_ioctl(event->fd, PERF_EVENT_IOC_SET_FILTER,
			     (unsigned long)filter);
	free(filter);
	return ret ? filter_error(s, event->spec, ret, err) : 0;
}

static int filter_addresses(const struct session *s,
			    const struct session_event *event, struct err *err)
{
	const struct event_spec *from = &s->opts.events.specs[event->spec];
	int ret = sys_perf_ioctl(event->fd, PERF_EVENT_IOC_SET_FILTER,
				 (unsigned long)from->address_filter);

	return ret ? session_error_address_filter(s, ret, from, err) : 0;
}

int session_filter_slot(struct session *s, struct session_slot *slot,
			struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < slot->pub.nr_events; i++) {
		const struct session_event *event = &slot->pub.events[i];
		const struct event_spec *from;

		if (event->spec == SESSION_SIDE_BAND)
			continue;
		from = &s->opts.events.specs[event->spec];
		if (from->tracepoint)
			ret = filter_tracepoint(s, event, err);
		else if (from->address_filter)
			ret = filter_addresses(s, event, err);
	}
	return ret;
}

int session_filter(struct session *s, const pid_t *tids, size_t nr,
		   struct err *err)
{
	int ret = 0;

	pthread_mutex_lock(&s->lock);
	s->filter_tids = calloc(nr + 1, sizeof(*s->filter_tids));
	if (!s->filter_tids) {
		ret = err_set(err, -ENOMEM, "filters: out of memory");
	} else {
		if (nr)
			memcpy(s->filter_tids, tids, nr * sizeof(*tids));
		s->nr_filter_tids = nr;
		s->filtered = true;
	}
	for (size_t i = 0; !ret && i < s->nr_slots; i++)
		ret = session_filter_slot(s, s->slots[i], err);
	pthread_mutex_unlock(&s->lock);
	return ret;
}
