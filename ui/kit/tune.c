/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/kit/tune.h"

#include <stdlib.h>

#include "ring/snapshots.h"
#include "ui/kit/keys.h"
#include "ui/kit/rate.h"

/* One request for all of these rings, so that there is one message. */
static void send_rings(struct view *view, enum request_kind kind,
		       const size_t *rings, size_t nr, bool on)
{
	struct request rq = { .kind = kind, .rings = rings, .nr_rings = nr,
			      .on = on };

	if (nr)
		view->shell->request(view->shell, &rq);
}

static void send_request(struct view *view, enum request_kind kind,
			 uint64_t value, bool on)
{
	struct request rq = { .kind = kind, .value = value, .on = on };

	view->shell->request(view->shell, &rq);
}

static void say(struct view *view, enum role role, const char *text)
{
	view->shell->message(view->shell, role, text);
}

static bool can_resize(const struct ring_row *r)
{
	return !r->gone && r->size && r->size != UNKNOWN;
}

static bool is_read_on_demand(const struct ring_row *r)
{
	return r->overwrite || (r->aux.size && r->aux.overwrite);
}

/* Send a request for the rings that @wanted accepts.  Returns how many. */
static size_t send_wanted(struct view *view, const struct frame *frame,
			  const size_t *rings, size_t nr,
			  bool (*wanted)(const struct ring_row *r),
			  enum request_kind kind, bool on)
{
	size_t *some = calloc(nr + 1, sizeof(*some)), asked = 0;

	for (size_t i = 0; some && i < nr; i++) {
		if (wanted(&frame->rings[rings[i]]))
			some[asked++] = rings[i];
	}
	send_rings(view, kind, some, asked, on);
	free(some);
	return asked;
}

static void read_rings(struct view *view, const struct frame *frame,
		       const size_t *rings, size_t nr)
{
	if (!send_wanted(view, frame, rings, nr, is_read_on_demand,
			 REQUEST_READ, false))
		say(view, ROLE_NOTICE,
		    "r reads overwrite rings (--overwrite) and AUX heads in "
		    "snapshot mode; other rings are drained continuously");
}

static void snapshot_some(struct view *view, const size_t *rings, size_t nr)
{
	struct request rq = { .kind = REQUEST_SNAPSHOT, .rings = rings,
			      .nr_rings = nr, .text = "key" };

	if (nr)
		view->shell->request(view->shell, &rq);
	else
		say(view, ROLE_NOTICE, "no ring is tagged or under the "
		    "cursor; s takes a snapshot of all rings");
}

/* Whether any ring is read on demand only. */
static bool can_read(const struct frame *frame)
{
	for (size_t i = 0; i < frame->nr_rings; i++) {
		if (is_read_on_demand(&frame->rings[i]))
			return true;
	}
	return false;
}

bool tune_can_snapshot(const struct frame *frame)
{
	return frame->snapshots && can_read(frame);
}

/* Rings that are drained continuously can be recorded. */
static bool can_record(const struct frame *frame)
{
	for (size_t i = 0; frame->snapshots && i < frame->nr_rings; i++) {
		if (!frame->rings[i].overwrite)
			return true;
	}
	return false;
}

bool tune_offers(const struct shell *shell, const struct frame *frame,
		 enum action action)
{
	const struct snapshots *s = frame->snapshots;

	if (keys_info(action)->section != KEYS_TUNE)
		return true;
	if (shell->config->readonly || frame->playback)
		return false;
	switch ((int)action) {
	case ACTION_SNAPSHOT:
	case ACTION_SNAPSHOT_SOME:
		return tune_can_snapshot(frame);
	case ACTION_SNAPSHOT_CANCEL:
		return s && s->nr && s->list[s->nr - 1].state < SNAPSHOT_DONE;
	case ACTION_RECORD:
		return can_record(frame);
	case ACTION_READ:
		return can_read(frame);
	default:
		return true;
	}
}

/* Say why a key has no effect if it does not apply to any of these rings. */
static void say_none(struct view *view, size_t nr)
{
	say(view, ROLE_NOTICE, nr ? "the ring is gone" :
				    "no ring is tagged or under the cursor");
}

/* All events are enabled and disabled together; those of a ring that is gone
 * are not. */
static bool are_enabled(const struct frame *frame)
{
	for (size_t i = 0; i < frame->nr_rings; i++) {
		if (!frame->rings[i].gone)
			return frame->rings[i].enabled;
	}
	return false;
}

bool tune_action(struct view *view, const struct frame *frame,
		 enum action action, const size_t *rings, size_t nr)
{
	if (keys_info(action)->section != KEYS_TUNE)
		return false;
	if (view->shell->config->readonly) {
		say(view, ROLE_BAD, VIEW_READONLY);
		return true;
	}
	switch ((int)action) {
	case ACTION_GROW:
	case ACTION_SHRINK:
		if (!send_wanted(view, frame, rings, nr, can_resize,
				 REQUEST_RESIZE, action == ACTION_GROW))
			say_none(view, nr);
		return true;
	case ACTION_PAUSE:
		if (nr)
			send_rings(view, REQUEST_PAUSE, rings, nr,
				   !frame->rings[rings[0]].paused);
		else
			say_none(view, nr);
		return true;
	case ACTION_ENABLE:
		send_request(view, REQUEST_ENABLE, 0, !are_enabled(frame));
		return true;
	case ACTION_READ:
		read_rings(view, frame, rings, nr);
		return true;
	case ACTION_SNAPSHOT_SOME:
		snapshot_some(view, rings, nr);
		return true;
	case ACTION_RATE:
		rate_ask(view, &frame->rates);
		return true;
	default:
		return false;
	}
}
