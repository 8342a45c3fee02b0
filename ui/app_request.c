/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is asked of the source, and what the bottom line says of it. */
#include "ui/app_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/units.h"
#include "model/snapshots.h"
#include "source/source.h"

/* Of the ones that are taken at intervals nobody wants to be told each time. */
#define PERIODIC "every "

static void say(struct app *app, enum role role, const char *text)
{
	app->host.message(&app->host, role, text);
}

/* What was asked of one ring. */
static void ring_text(struct app *app, const struct request *rq, char *text,
		      size_t size)
{
	const struct frame_ring *r = rq->ring < app->frame->nr_rings ?
				     &app->frame->rings[rq->ring] : NULL;
	const char *label = r ? r->label : "ring";

	switch ((int)rq->kind) {
	case REQUEST_RESIZE:
		snprintf(text, size, "%s: %s the size from now on", label,
			 rq->on ? "twice" : "half");
		break;
	case REQUEST_PAUSE:
		snprintf(text, size, "%s: output %s", label,
			 rq->on ? "paused; records are lost" : "resumed");
		break;
	case REQUEST_READ:
		snprintf(text, size, r && r->aux.size && r->aux.overwrite ?
			 "%s: stopped, read and let go on; AUX has what that "
			 "cost" : "%s: read", label);
		break;
	}
}

static void snapshot_text(const struct request *rq, char *text, size_t size)
{
	if (rq->nr_rings)
		snprintf(text, size, "%s: a snapshot of %zu ring%s is taken",
			 rq->text, rq->nr_rings, rq->nr_rings > 1 ? "s" : "");
	else
		snprintf(text, size, "%s: a snapshot of all rings is taken",
			 rq->text);
}

/* What a request that was granted did. */
static void say_done(struct app *app, const struct request *rq)
{
	char text[REQUEST_TEXT + 64] = "";

	switch (rq->kind) {
	case REQUEST_RESIZE:
	case REQUEST_PAUSE:
	case REQUEST_READ:
		ring_text(app, rq, text, sizeof(text));
		break;
	case REQUEST_ENABLE:
		snprintf(text, sizeof(text), "events %s",
			 rq->on ? "enabled" : "disabled");
		break;
	case REQUEST_FREQ:
		/* the source's title has what the kernel makes of it */
		snprintf(text, sizeof(text), "at most %" PRIu64
			 " samples a second", rq->value);
		break;
	case REQUEST_PERIOD:
		snprintf(text, sizeof(text), "a sample every %" PRIu64
			 " events", rq->value);
		break;
	case REQUEST_FILTER:
		snprintf(text, sizeof(text), *rq->text ?
			 "from now on only what matches is listed" :
			 "from now on everything is listed");
		break;
	case REQUEST_FIELD:
		return;	/* Hot itself says what it is grouped by */
	case REQUEST_SNAPSHOT:
		snapshot_text(rq, text, sizeof(text));
		break;
	case REQUEST_SNAPSHOT_CANCEL:
		snprintf(text, sizeof(text), "the snapshot is given up");
		break;
	case REQUEST_RECORD:
		snprintf(text, sizeof(text), rq->on ?
			 "recording from now on; AUX says into which file" :
			 "the recording is ended");
		break;
	}
	say(app, ROLE_GOOD, text);
}

/* What is listed and how it is counted changes nothing that is watched. */
static bool harmless(enum request_kind kind)
{
	return kind == REQUEST_FILTER || kind == REQUEST_FIELD;
}

bool app_request(struct app *app, const struct request *rq)
{
	struct err err = { .kind = ERR_NONE };

	if (app->config->readonly && !harmless(rq->kind)) {
		say(app, ROLE_BAD, VIEW_READONLY);
		return false;
	}
	if (source_request(app->source, rq, &err) < 0) {
		say(app, ROLE_BAD, err.text);
		return false;
	}
	if (rq->kind == REQUEST_RECORD)
		app->recording = rq->on;
	say_done(app, rq);
	return true;
}

void app_snapshot(struct app *app, const char *trigger)
{
	struct request rq = { .kind = REQUEST_SNAPSHOT };

	snprintf(rq.text, sizeof(rq.text), "%s", trigger);
	app_request(app, &rq);
}

void app_snapshot_cancel(struct app *app)
{
	app_request(app, &(struct request){ .kind = REQUEST_SNAPSHOT_CANCEL });
}

void app_record(struct app *app)
{
	app_request(app, &(struct request){ .kind = REQUEST_RECORD,
					    .on = !app->recording });
}

static void say_taken(struct app *app, const struct snapshot_info *info)
{
	char text[sizeof(app->message)], bytes[8], stopped[8];

	if (!strncmp(info->trigger, PERIODIC, strlen(PERIODIC)))
		return;
	snprintf(text, sizeof(text),
		 "snapshot %" PRIu64 ": %s, tracing stood still for %s: %s",
		 info->number,
		 units_bytes(bytes, sizeof(bytes), (double)info->bytes),
		 units_duration(stopped, sizeof(stopped), info->stopped),
		 info->file);
	say(app, ROLE_GOOD, text);
}

void app_snapshot_news(struct app *app)
{
	const struct snapshots *s = app->frame->snapshots;

	if (!s)
		return;
	app->recording = s->recording;
	for (size_t i = 0; i < s->nr; i++) {
		const struct snapshot_info *info = &s->list[i];

		if (info->number <= app->told || info->state < SNAPSHOT_DONE)
			continue;
		app->told = info->number;
		if (info->state == SNAPSHOT_DONE)
			say_taken(app, info);
		else if (info->state == SNAPSHOT_FAILED)
			say(app, ROLE_BAD, info->error);
	}
}
