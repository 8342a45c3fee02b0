/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/session/session_source_state.h"

#include <stdio.h>
#include <sys/eventfd.h>

#include "base/array.h"
#include "base/text.h"
#include "perf/target/workload.h"

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

static void append_rate(char *buf, size_t size,
			const struct perf_event_attr *attr)
{
	if (attr->freq)
		text_append(buf, size, " %llu Hz",
			    (unsigned long long)attr->sample_freq);
	else
		text_append(buf, size, " period %llu",
			    (unsigned long long)attr->sample_period);
}

/* "system-wide: cpu-clock 4000 Hz, page-faults 4000 Hz" */
void session_source_title(struct session_source *ss)
{
	enum { NAMED = 3 };
	char *title = ss->source.title;
	size_t size = sizeof(ss->source.title);
	size_t nr = 0;

	if (ss->opts.workload && !ss->opts.workload_is_duration)
		snprintf(title, size, "%s", workload_name(ss->opts.workload));
	else
		target_describe(&ss->opts.session.target, title, size);
	for (size_t i = 0; i < ss->opts.session.events.nr; i++) {
		if (session_event_left_out(ss->session, i) || nr++ >= NAMED)
			continue;
		text_append(title, size, "%s%s", nr > 1 ? ", " : ": ",
			    session_event_name(ss->session, i));
		append_rate(title, size, session_event_attr(ss->session, i));
	}
	if (nr > NAMED)
		text_append(title, size, " and %zu more", nr - NAMED);
	if (ss->opts.session.all_user)
		text_append(title, size, ", user space only");
	if (ss->opts.session.all_kernel)
		text_append(title, size, ", kernel only");
}
