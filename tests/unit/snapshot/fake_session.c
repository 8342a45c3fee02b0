/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <string.h>

#include "base/err.h"
#include "tests/unit/snapshot/fake_session.h"

static void rig_not_held(const struct session *s)
{
	if (s->held)
		fail_msg("called while the session is held");
}

size_t session_nr_rings(struct session *s)
{
	rig_not_held(s);
	return s->nr;
}

size_t session_nr_watched(struct session *s)
{
	return session_nr_rings(s);
}

const struct session_ring *session_ring(struct session *s, size_t i)
{
	rig_not_held(s);
	return i < s->nr ? &s->rings[i] : NULL;
}

const char *session_event_name(const struct session *s, size_t spec)
{
	(void)s;
	return spec ? "side-band" : "fake//";
}

const struct perf_event_attr *session_event_attr(const struct session *s,
						 size_t spec)
{
	return spec ? NULL : &s->attr;
}

void session_side_band_attr(const struct session *s,
			    struct perf_event_attr *attr)
{
	*attr = s->attr;
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
}

const struct target_map *session_target(const struct session *s)
{
	return &s->map;
}

bool session_has_aux(const struct session *s)
{
	return s->has_aux;
}

struct perf_clock session_clock(const struct session *s)
{
	(void)s;
	return (struct perf_clock){ 0 };
}

int session_aux_hold(struct session *s, const bool *skip, double *spread,
		     struct err *err)
{
	bool stops = false;

	rig_not_held(s);
	for (size_t i = 0; i < s->nr; i++)
		stops |= !skip[i];
	if (stops && s->refuse)
		return err_set(err, s->refuse, "stopping the trace: refused");
	s->held = true;
	s->stopped = stops;
	*spread = 0.25;
	if (!stops)
		return 0;
	memcpy(s->skipped, skip, s->nr * sizeof(*skip));
	s->holds++;
	if (s->on_hold)
		s->on_hold(s);
	return 0;
}

void session_aux_resume(struct session *s, size_t ring)
{
	assert_true(s->held);
	assert_true(ring < s->nr);
	assert_false(s->skipped[ring]);
	/*
	 * the hardware writes again: the old content must not be needed any
	 * more
	 */
	if (s->on_release && s->rings[ring].aux.data)
		memset(s->rings[ring].aux.data, 0xee, s->rings[ring].aux.size);
}

bool session_paused(struct session *s, size_t ring)
{
	rig_not_held(s);
	return ring < s->nr && s->paused;
}

void session_held_pause(struct session *s, size_t ring, bool on)
{
	assert_true(s->held);
	assert_true(ring < s->nr);
	s->output_off += on ? 1 : -1;
}

void session_aux_release(struct session *s)
{
	assert_true(s->held);
	/* rings that were paused for the copying were resumed */
	assert_int_equal(s->output_off, 0);
	if (s->stopped && s->on_release)
		s->on_release(s);
	s->held = false;
}
