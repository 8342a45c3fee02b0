/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests that wait for their key to be pressed again. */
#include "ui/app/app_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ring/reading.h"

/* The key of a request that has to be confirmed; ACTION_NONE if it needs no
 * confirmation.  Resuming, enabling and stopping do no harm. */
static enum action key_of(const struct app *app, const struct request *rq)
{
	const struct snapshots *s = app->frame->snapshots;

	switch ((int)rq->kind) {
	case REQUEST_PAUSE:
		return rq->on && rq->nr_rings ? ACTION_PAUSE : ACTION_NONE;
	case REQUEST_ENABLE:
		return rq->on ? ACTION_NONE : ACTION_ENABLE;
	case REQUEST_RECORD:	/* else the source refuses it with the reason */
		return rq->on && s && *s->record_place ? ACTION_RECORD :
							 ACTION_NONE;
	case REQUEST_DROPS:
		return rq->on ? ACTION_DROPS : ACTION_NONE;
	default:
		return ACTION_NONE;
	}
}

/* Overwrite rings are not recorded: they are not drained. */
static size_t recorded_rings(const struct frame *frame)
{
	size_t nr = 0;

	for (size_t i = 0; i < frame->nr_rings; i++)
		nr += !frame->rings[i].overwrite && !frame->rings[i].gone;
	return nr;
}

/* "CPU 3", "4 rings" */
static void rings_text(const struct frame *frame, const size_t *rings,
		       size_t nr, char *buf, size_t size)
{
	if (nr == 1 && rings && *rings < frame->nr_rings)
		snprintf(buf, size, "%s", frame->rings[*rings].label);
	else
		snprintf(buf, size, "%zu ring%s", nr, nr == 1 ? "" : "s");
}

static void say(struct app *app, enum action action, const struct request *rq)
{
	const struct frame *frame = app->frame;
	char key[16], rings[32], text[sizeof(app->message)];
	size_t nr = rq->nr_rings;

	keys_text(&app->keys, action, true, key, sizeof(key));
	if (action == ACTION_RECORD) {
		rings_text(frame, NULL, recorded_rings(frame), rings,
			   sizeof(rings));
		snprintf(text, sizeof(text), "press %s again to record %s into "
			 "%.200s", key, rings, frame->snapshots->record_place);
	} else if (action == ACTION_PAUSE) {
		rings_text(frame, rq->rings, nr, rings, sizeof(rings));
		snprintf(text, sizeof(text), "press %s again to pause the "
			 "output of %s: records are lost until it is resumed",
			 key, rings);
	} else if (action == ACTION_DROPS) {
		snprintf(text, sizeof(text), "press %s again to count what BPF "
			 "ring buffers drop: each record written to them then "
			 "costs about 150 more instructions", key);
	} else {
		snprintf(text, sizeof(text), "press %s again to disable the "
			 "events of all rings: nothing is sampled until they "
			 "are enabled", key);
	}
	app_say(app, ROLE_WARN, text);
}

void app_confirm_drop(struct app *app)
{
	free(app->waiting.rings);
	app->waiting = (struct app_waiting){ .action = ACTION_NONE };
}

/* Keep a copy: the rings are the view's, whose order may change until then. */
static bool keep(struct app *app, enum action action, const struct request *rq)
{
	struct app_waiting *w = &app->waiting;

	if (rq->nr_rings) {
		w->rings = calloc(rq->nr_rings, sizeof(*w->rings));
		if (!w->rings)
			return false;
		memcpy(w->rings, rq->rings, rq->nr_rings * sizeof(*w->rings));
	}
	w->request = *rq;
	w->request.rings = w->rings;
	w->action = action;
	return true;
}

bool app_confirm_first(struct app *app, const struct request *rq)
{
	enum action action = key_of(app, rq);

	if (action == ACTION_NONE)
		return false;
	say(app, action, rq);	/* drops the one that was waiting */
	if (!keep(app, action, rq))
		app_say(app, ROLE_BAD, "out of memory");
	return true;
}

bool app_confirm_waits(const struct app *app)
{
	return app->waiting.action != ACTION_NONE;
}

void app_confirm_begin(struct app *app)
{
	app->waiting.now = app_confirm_waits(app);
}

bool app_confirm_take(struct app *app, enum action action,
		      struct app_waiting *confirmed)
{
	if (!app->waiting.now || action != app->waiting.action)
		return false;
	*confirmed = app->waiting;
	app->waiting = (struct app_waiting){ .action = ACTION_NONE };
	return true;
}

bool app_confirm_cancel(struct app *app, enum action action)
{
	if (!app->waiting.now || action != ACTION_CANCEL)
		return false;
	app_say(app, ROLE_NOTICE, "cancelled");
	return true;
}

void app_confirm_end(struct app *app)
{
	if (app->waiting.now)
		app_confirm_drop(app);
}
