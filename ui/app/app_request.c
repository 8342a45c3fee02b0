/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests to the source: sent at once, or when their key is pressed again; and
 * messages about their outcome and snapshots.
 */
#include "ui/app/app_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "ring/reading.h"
#include "source/source.h"

/* The trigger of snapshots at intervals, which get no message each. */
#define PERIODIC "every "

/* What a request for @nr rings does; @r, one of them, may be NULL. */
static void ring_text(const struct request *rq, const struct ring_row *r,
		      size_t nr, char *text, size_t size)
{
	const char *ring = nr > 1 ? "" : "ring ";

	switch ((int)rq->kind) {
	case REQUEST_RESIZE:
		snprintf(text, size, "%s%s", ring,
			 rq->on ? "doubled" : "halved");
		break;
	case REQUEST_PAUSE:
		snprintf(text, size, rq->on ? "%spaused; records are lost" :
					      "%sresumed", ring);
		break;
	case REQUEST_READ:
		snprintf(text, size, "%sread%s", nr > 1 ? "" : ring,
			 r && r->aux.size && r->aux.overwrite ?
				 "; AUX shows how long tracing stopped" : "");
		break;
	}
}

static const struct ring_row *ring_at(const struct app *app, size_t ring)
{
	return ring < app->frame->nr_rings ? &app->frame->rings[ring] : NULL;
}

/*
 * " to 128K"; "" if the sizes differ, or if this frame does not show the
 * outcome of an earlier request yet.
 */
static void size_text(const struct app *app, const struct request *rq,
		      char *text, size_t size)
{
	const struct ring_row *first = ring_at(app, rq->rings[0]);
	char bytes[16];

	*text = '\0';
	if (rq->kind != REQUEST_RESIZE || !first ||
	    app->resized == app->frame->tick + 1)
		return;
	for (size_t i = 1; i < rq->nr_rings; i++) {
		const struct ring_row *r = ring_at(app, rq->rings[i]);

		if (!r || r->size != first->size)
			return;
	}
	units_ring_size(bytes, sizeof(bytes),
			(double)first->size * (rq->on ? 2 : 0.5));
	snprintf(text, size, " to %s", bytes);
}

/* "CPU 0: ring doubled to 128K", "3 of 4 rings doubled; CPU 2: over ..." */
static void say_rings(struct app *app, const struct request *rq, size_t done,
		      size_t failed, const struct err *err)
{
	const struct ring_row *first = ring_at(app, rq->rings[0]);
	const struct ring_row *bad = ring_at(app, rq->rings[failed]);
	size_t nr = rq->nr_rings;
	char what[64], to[32], text[sizeof(err->text) + 160];

	ring_text(rq, first, nr, what, sizeof(what));
	size_text(app, rq, to, sizeof(to));
	if (nr == 1 && done)
		snprintf(text, sizeof(text), "%s: %s%s",
			 first ? first->label : "ring", what, to);
	else if (nr == 1)
		snprintf(text, sizeof(text), "%s", err->text);
	else if (done == nr)
		snprintf(text, sizeof(text), "%zu rings %s%s", nr, what, to);
	else
		snprintf(text, sizeof(text), "%zu of %zu rings %s%s; %s: %s",
			 done, nr, what, to, bad ? bad->label : "ring",
			 err->text);
	app_say(app, done == nr ? ROLE_GOOD : ROLE_BAD, text);
}

/* Send the request for each ring; the message has the first refusal.  Returns
 * whether all were granted. */
static bool ask_rings(struct app *app, const struct request *rq)
{
	struct request one = *rq;
	struct err first = { .kind = ERR_NONE };
	size_t done = 0, failed = 0;

	for (size_t i = 0; i < rq->nr_rings; i++) {
		struct err err = { .kind = ERR_NONE };

		one.ring = rq->rings[i];
		if (source_request(app->source, &one, &err) >= 0) {
			done++;
		} else if (first.kind == ERR_NONE) {
			failed = i;
			first = err;
		}
	}
	say_rings(app, rq, done, failed, &first);
	if (rq->kind == REQUEST_RESIZE && done)
		app->resized = app->frame->tick + 1;
	if (rq->kind == REQUEST_PAUSE && done)
		app->paused = (struct app_toggled){ app->frame->tick + 1,
						    rq->rings[0], rq->on };
	return done == rq->nr_rings;
}

static void snapshot_text(const struct request *rq, char *text, size_t size)
{
	const struct request_snapshot *got = rq->snapshot;

	if (got->requests > 1)
		snprintf(text, size,
			 "%.40s: merged into snapshot %" PRIu64 ", which is %s: %" PRIu64 " requests",
			 rq->text, got->number,
			 got->queued ? "queued" : "taken next", got->requests);
	else if (got->queued)
		snprintf(text, size,
			 "%.40s: snapshot %" PRIu64 " is queued until the current one is written",
			 rq->text, got->number);
	else if (rq->nr_rings)
		snprintf(text, size,
			 "%s: a snapshot of %zu ring%s is being taken",
			 rq->text, rq->nr_rings, rq->nr_rings > 1 ? "s" : "");
	else
		snprintf(text, size,
			 "%s: a snapshot of all rings is being taken",
			 rq->text);
}

/* Cancelling a snapshot does not cancel the queued one. */
static void cancel_text(const struct request *rq, char *text, size_t size)
{
	if (rq->snapshot->number)
		snprintf(text, size,
			 "snapshot cancelled; the queued snapshot %" PRIu64 " is taken next",
			 rq->snapshot->number);
	else
		snprintf(text, size, "snapshot cancelled");
}

/* Show what a granted request did. */
static void say_done(struct app *app, const struct request *rq)
{
	char text[REQUEST_TEXT + 64] = "";

	switch (rq->kind) {
	case REQUEST_RESIZE:
	case REQUEST_PAUSE:
	case REQUEST_READ:
		return;	/* ask_rings() */
	case REQUEST_ENABLE:
		snprintf(text, sizeof(text), "events %s",
			 rq->on ? "enabled" : "disabled");
		break;
	case REQUEST_FREQ:
		/* the title shows the rate that the kernel chose */
		snprintf(text, sizeof(text), "frequency set to %" PRIu64
			 " Hz", rq->value);
		break;
	case REQUEST_PERIOD:
		/* in events, or in ns for a clock */
		snprintf(text, sizeof(text), "period set to %" PRIu64,
			 rq->value);
		break;
	case REQUEST_FILTER:
		snprintf(text, sizeof(text), app->frame->playback ?
			 "filter changed: samples are read again" : *rq->text ?
			 "filter on: new samples are listed only if they match" :
			 "filter off: all new samples are listed");
		break;
	case REQUEST_MARK:
		snprintf(text, sizeof(text), rq->on ?
			 "marked: Samples, Hot and Flame now show what comes "
			 "after here" : "mark removed");
		break;
	case REQUEST_DROPS:
		snprintf(text, sizeof(text), rq->on ?
			 "drops are counted from the next poll on, if the "
			 "kernel can do that" :
			 "drops are no longer counted");
		break;
	case REQUEST_FIELD:
	case REQUEST_HOST:
	case REQUEST_PLAY:
	case REQUEST_SPEED:
	case REQUEST_SEEK:
		return;	/* the screen shows the outcome itself */
	case REQUEST_SNAPSHOT:
		snapshot_text(rq, text, sizeof(text));
		break;
	case REQUEST_SNAPSHOT_CANCEL:
		cancel_text(rq, text, sizeof(text));
		break;
	case REQUEST_RECORD:
		snprintf(text, sizeof(text), rq->on ?
			 "recording started" : "recording stopped");
		break;
	}
	app_say(app, ROLE_GOOD, text);
}

/* Changes only what is listed, counted or played: allowed with --readonly. */
static bool harmless(enum request_kind kind)
{
	return kind == REQUEST_FILTER || kind == REQUEST_FIELD ||
	       kind >= REQUEST_HOST;
}

/* Whether the request is for rings, at least one. */
static bool is_of_rings(const struct request *rq)
{
	return rq->nr_rings && (rq->kind == REQUEST_RESIZE ||
				rq->kind == REQUEST_PAUSE ||
				rq->kind == REQUEST_READ);
}

bool app_request_now(struct app *app, const struct request *asked)
{
	struct err err = { .kind = ERR_NONE };
	struct request_snapshot got = { 0 };
	struct request with = *asked;
	const struct request *rq = &with;

	if (is_of_rings(asked))
		return ask_rings(app, asked);
	with.snapshot = &got;
	if (source_request(app->source, rq, &err) < 0) {
		app_say(app, ROLE_BAD, err.text);
		return false;
	}
	if (rq->kind == REQUEST_RECORD)
		app->recording = rq->on;
	if (rq->kind == REQUEST_ENABLE)
		app->enabled = (struct app_toggled){ app->frame->tick + 1, 0,
						     rq->on };
	if (rq->kind == REQUEST_DROPS)
		app->drops = (struct app_toggled){ app->frame->tick + 1, 0,
						   rq->on };
	/* after the target's end, frames are read until it has ended */
	if (rq->kind == REQUEST_SNAPSHOT && app->frame->ended &&
	    got.number > app->awaited)
		app->awaited = got.number;
	if (rq->kind == REQUEST_HOST) { /* draw its first rows soon */
		app->early = true;
		app->started = app->now();
	}
	say_done(app, rq);
	return true;
}

/* Views toggle what the frame shows, which a frozen screen may show for long
 * after it was changed. */
static bool switches_on(const struct app *app, const struct request *rq)
{
	const struct app_toggled *last = &app->enabled;
	size_t ring = 0;

	if (rq->kind == REQUEST_PAUSE && rq->nr_rings) {
		last = &app->paused;
		ring = rq->rings[0];
	} else if (rq->kind == REQUEST_DROPS) {
		last = &app->drops;
	} else if (rq->kind != REQUEST_ENABLE) {
		return rq->on;
	}
	return last->frame == app->frame->tick + 1 && last->ring == ring ?
		       !last->on : rq->on;
}

/* Requests that wait for their key to be pressed again. */

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

/* Whether @rq has to be confirmed: then it waits, and what it would do is shown
 * as a message. */
static bool wait_for_key(struct app *app, const struct request *rq)
{
	enum action action = key_of(app, rq);

	if (action == ACTION_NONE)
		return false;
	say(app, action, rq);	/* drops the one that was waiting */
	if (!keep(app, action, rq))
		app_say(app, ROLE_BAD, "out of memory");
	return true;
}

bool app_confirm(struct app *app, enum action action)
{
	struct app_waiting waiting = app->waiting;

	if (!waiting.now)
		return false;
	if (action == waiting.action) {
		app->waiting = (struct app_waiting){ .action = ACTION_NONE };
		app_request_now(app, &waiting.request);
		free(waiting.rings);
		return true;
	}
	if (action == ACTION_CANCEL)
		app_say(app, ROLE_NOTICE, "cancelled");
	return action == ACTION_CANCEL;
}

bool app_request(struct app *app, const struct request *asked)
{
	struct request with = *asked;
	const struct request *rq = &with;

	with.on = switches_on(app, asked);
	if (app->config->readonly && !harmless(rq->kind)) {
		app_say(app, ROLE_BAD, VIEW_READONLY);
		return false;
	}
	/* of a recording, nothing can be lost */
	return (app->frame->playback || !wait_for_key(app, rq)) &&
	       app_request_now(app, rq);
}

void app_request_playback(struct app *app, const struct request *rq)
{
	if (app_request(app, rq))
		app_tick(app);
}

void app_snapshot_signal(struct app *app)
{
	app_request_now(app, &(struct request){ .kind = REQUEST_SNAPSHOT,
						.text = "SIGUSR2" });
}

static void say_taken(struct app *app, const struct snapshot_info *info)
{
	char text[sizeof(app->message) + 64], bytes[8], stopped[8];

	if (text_begins(info->trigger, PERIODIC) &&
	    !strchr(info->trigger, ','))
		return;
	snprintf(text, sizeof(text),
		 "snapshot %" PRIu64 ": %s, %s for %s: %s", info->number,
		 units_bytes(bytes, sizeof(bytes), (double)info->bytes),
		 info->aux_rings ? "tracing stopped" : "rings were paused",
		 units_duration(stopped, sizeof(stopped), info->stopped),
		 info->file);
	app_say(app, ROLE_GOOD, text);
}

/* Messages about the recording: it began, ended, or failed. */
static void record_news(struct app *app, const struct snapshots *s)
{
	char text[sizeof(s->record_error) + 64], bytes[8];
	bool was = app->recorded;

	app->recording = app->recorded = s->recording;
	if (*s->record_error && strcmp(s->record_error, app->record_error)) {
		snprintf(text, sizeof(text), "recording ended: %s",
			 s->record_error);
		app_say(app, ROLE_BAD, text);
	} else if (s->recording && !was) {
		snprintf(text, sizeof(text), "recording into %s",
			 s->record_file);
		app_say(app, ROLE_GOOD, text);
	} else if (was && !s->recording && !*s->record_error) {
		snprintf(text, sizeof(text), "recorded %s into %s",
			 units_bytes(bytes, sizeof(bytes),
				     (double)s->record_bytes),
			 s->record_file);
		app_say(app, ROLE_GOOD, text);
	}
	text_copy(app->record_error, sizeof(app->record_error),
		  s->record_error);
}

void app_report(const struct frame *frame, FILE *out)
{
	static const char recorded[] = "recorded ";
	const struct snapshots *s = frame->snapshots;

	for (size_t i = 0; i < log_len(frame->log); i++) {
		const struct log_entry *entry = log_at(frame->log, i);

		if (text_begins(entry->text, recorded) &&
		    entry->kind == LOG_RECORD)
			fprintf(out, "%s\n", entry->text);
	}
	if (s && s->taken)
		fprintf(out, "%" PRIu64 " snapshot%s in %s\n", s->taken,
			s->taken == 1 ? "" : "s", s->dir);
}

void app_snapshot_news(struct app *app)
{
	const struct snapshots *s = app->frame->snapshots;

	if (!s)
		return;
	record_news(app, s);
	for (size_t i = 0; i < s->nr; i++) {
		const struct snapshot_info *info = &s->list[i];

		if (info->number <= app->reported ||
		    info->state < SNAPSHOT_DONE)
			continue;
		app->reported = info->number;
		if (info->state == SNAPSHOT_DONE)
			say_taken(app, info);
		else if (info->state == SNAPSHOT_FAILED)
			app_say(app, ROLE_BAD, info->error);
	}
}
