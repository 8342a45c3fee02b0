/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/session/session_aux.h"

#include "base/sys.h"
#include "perf/session/session_error.h"
#include "perf/session/session_specs.h"

bool session_has_aux(const struct session *s)
{
	return s->has_aux;
}

struct perf_clock session_clock(const struct session *s)
{
	return s->clock;
}

size_t session_aux_spec(const struct session *s, int cpu)
{
	for (size_t i = 0; i < s->opts.events.nr; i++) {
		const struct event_spec *spec = &s->opts.events.specs[i];

		if (spec->aux && session_counts_on(spec, cpu))
			return i;
	}
	return SESSION_SIDE_BAND;
}

int session_aux_map(const struct session *s, struct session_slot *slot,
		    struct err *err)
{
	const struct session_event *owner = &slot->pub.events[0];
	struct session_place place = { owner->tid, slot->pub.cpu };
	struct aux_ring *aux = &slot->pub.aux;
	uint64_t mark;
	int ret;

	if (owner->spec == SESSION_SIDE_BAND)
		return 0;
	ret = aux_ring_map(aux, &slot->pub.ring, s->opts.aux_bytes,
			   s->opts.aux_overwrite);
	if (ret)
		return session_error_map_aux(s, ret, place, err);
	mark = s->specs[owner->spec].attr.aux_watermark;
	if (mark && !aux->overwrite)
		aux->watermark = mark;
	return 0;
}

/*
 * A page of its own, since those of the rings come and go with their CPUs.
 * Any event without a clockid has one that tells of that clock, if the kernel
 * does at all (arch_perf_update_userpage).
 */
void session_aux_open_clock(struct session *s)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = sys_perf_event_open(&attr, 0, -1, -1, 0);

	s->clock.unknown = true;
	if (fd < 0)
		return;
	if (ring_map(&s->clock_page, fd, 0, true) == 0)
		s->clock = perf_clock_of(s->clock_page.page);
	sys_close(fd); /* the mapping keeps it */
}
