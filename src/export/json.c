/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/export.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "export/json_host.h"
#include "export/json_put.h"
#include "export/row.h"
#include "model/samples.h"
#include "model/snapshots.h"

enum { SCHEMA_VERSION = 1 };

static json_t *owner_json(const struct frame_ring *ring)
{
	struct json_put o;

	if (ring->owner < 0)
		return json_null();
	o = json_put_new();
	json_put_id(&o, "pid", ring->owner);
	json_put_text(&o, "comm", ring->comm);
	return o.json;
}

static json_t *event_json(const struct frame_event *event)
{
	struct json_put o = json_put_new();

	json_put_text(&o, "name", event->name);
	json_put_count(&o, "count", event->count);
	json_put_count(&o, "samples", event->samples);
	json_put_count(&o, "lost", event->lost);
	return o.json;
}

/* What was asked for first, then the ring's own side-band. */
static json_t *events_json(const struct frame_ring *ring)
{
	json_t *events = json_array();

	for (int side_band = 0; side_band < 2; side_band++) {
		for (size_t i = 0; i < ring->nr_events; i++) {
			const struct frame_event *event = &ring->events[i];

			if (event->side_band != side_band)
				continue;
			if (json_array_append_new(events, event_json(event))) {
				json_decref(events);
				return NULL;
			}
		}
	}
	return events;
}

/* RECORD_OTHER included; only those that came. */
static json_t *types_json(const uint64_t types[RECORD_TYPES])
{
	struct json_put o = json_put_new();

	for (unsigned int type = 0; type < RECORD_TYPES; type++)
		if (types[type])
			json_put_count(&o, record_name(type), types[type]);
	return o.json;
}

/* What an AUX ring and the total of them have in common. */
static void put_aux_stats(struct json_put *o, const struct aux_stats *stats)
{
	json_put_count(o, "records", stats->records);
	json_put_count(o, "truncated", stats->truncated);
	json_put_count(o, "overwritten", stats->overwrite);
	json_put_count(o, "partial", stats->partial);
	json_put_count(o, "collision", stats->collision);
	json_put_count(o, "itrace_starts", stats->itrace_starts);
	json_put_count(o, "hw_ids", stats->hw_ids);
	json_put_count(o, "reenabled", stats->reenabled);
}

/*
 * In snapshot mode nothing waits, the sizes in AUX records tell nothing, what is
 * known of the wraps is a lower bound, and there is no head before tracing first
 * stopped.
 */
static json_t *aux_json(const struct frame_aux *aux)
{
	bool full = !aux->overwrite, head = full || !isnan(aux->head_age);
	struct json_put o;

	if (!aux->size)
		return json_null();
	o = json_put_new();
	json_put_count(&o, "size", aux->size);
	json_put_set(&o, "watermark", aux->watermark);
	json_put_bool(&o, "overwrite", aux->overwrite);
	json_put_bool(&o, "stopped", aux->stopped);
	json_put_count(&o, "head", head ? aux->head : FRAME_UNKNOWN);
	json_put_count(&o, "position", head ? aux->position : FRAME_UNKNOWN);
	json_put_number(&o, "head_age", full ? NAN : aux->head_age);
	json_put_number(&o, "read_cost", full ? NAN : aux->read_cost);
	json_put_count(&o, "tail", full ? aux->tail : FRAME_UNKNOWN);
	json_put_count(&o, "used", full ? aux->used : FRAME_UNKNOWN);
	json_put_number(&o, "fill", aux->fill);
	json_put_number(&o, "peak", aux->peak);
	json_put_count(&o, "bytes", full ? aux->stats.bytes : FRAME_UNKNOWN);
	json_put_number(&o, "bytes_per_s", aux->bytes_per_s);
	json_put_count(&o, "wraps", full ? aux->wraps : FRAME_UNKNOWN);
	put_aux_stats(&o, &aux->stats);
	return o.json;
}

static json_t *aux_total_json(const struct frame_total *total)
{
	struct json_put o;

	if (!total->aux_rings)
		return json_null();
	o = json_put_new();
	json_put_count(&o, "rings", total->aux_rings);
	json_put_count(&o, "size", total->aux_size);
	json_put_number(&o, "bytes_per_s", total->aux_bytes_per_s);
	json_put_count(&o, "wraps", total->aux.wraps);
	put_aux_stats(&o, &total->aux);
	return o.json;
}

/* What a ring and the total have in common. */
static void put_counters(struct json_put *o, const struct frame_ring *ring)
{
	/* Nobody counts an overwrite ring's records as they come. */
	bool counted = !ring->overwrite;

	json_put_count(o, "used", ring->used);
	json_put_number(o, "fill", ring->fill);
	json_put_number(o, "peak", ring->peak);
	json_put_count(o, "bytes", ring->bytes);
	json_put_number(o, "bytes_per_s", ring->bytes_per_s);
	json_put_count(o, "records", counted ? ring->records : FRAME_UNKNOWN);
	json_put_number(o, "records_per_s", ring->records_per_s);
	json_put_count(o, "samples", counted ? ring->samples : FRAME_UNKNOWN);
	json_put_count(o, "crossings", ring->crossings);
	json_put_count(o, "wakeups", ring->wakeups);
	json_put_number(o, "wakeups_per_s", ring->wakeups_per_s);
	json_put_count(o, "drains", ring->drains);
	json_put_count(o, "timer_drains", ring->timer_drains);
	json_put_number(o, "wakeup_latency_p50", ring->latency_p50);
	json_put_number(o, "wakeup_latency_p99", ring->latency_p99);
	json_put_count(o, "lost", ring->lost);
	json_put_count(o, "lost_pending", ring->lost_pending);
	json_put_number(o, "lost_per_s", ring->lost_per_s);
	json_put_count(o, "throttled", ring->throttled);
	json_put(o, "types", types_json(ring->stats.types));
}

static json_t *ring_json(const void *rings, size_t i)
{
	const struct frame_ring *ring = (const struct frame_ring *)rings + i;
	struct json_put o = json_put_new();

	json_put_count(&o, "ring", ring->ring);
	json_put_id(&o, "cpu", ring->cpu);
	json_put_id(&o, "tid", ring->tid);
	json_put(&o, "owner", owner_json(ring));
	json_put(&o, "events", events_json(ring));
	json_put_count(&o, "size", ring->size);
	json_put_set(&o, "watermark", ring->watermark);
	json_put_set(&o, "wakeup_events", ring->wakeup_events);
	json_put_bool(&o, "overwrite", ring->overwrite);
	json_put_bool(&o, "paused", ring->paused);
	json_put_bool(&o, "gone", ring->gone);
	json_put_count(&o, "head", ring->head);
	json_put_count(&o, "tail", ring->tail);
	put_counters(&o, ring);
	json_put(&o, "aux", aux_json(&ring->aux));
	json_put_advice(&o, "advice", &ring->advice);
	return o.json;
}

static json_t *total_json(const struct frame_total *total)
{
	struct json_put o = json_put_new();
	struct frame_ring row;

	row_total(total, &row);
	json_put_count(&o, "size", row.size);
	put_counters(&o, &row);
	json_put(&o, "aux", aux_total_json(total));
	return o.json;
}

/*
 * "error" is half the 95 % interval of the share: 0 while every sample is
 * looked at.
 */
static json_t *hot_row_json(const struct hot *hot, const struct hot_row *row)
{
	const struct hot_symbol *symbol = &hot->symbols[row->value.symbol];
	struct json_put o = json_put_new();

	json_put_text(&o, "symbol", symbol->name);
	json_put_text(&o, "dso", row->value.dso);
	json_put_text(&o, "comm", row->value.comm);
	json_put_number(&o, "share", row->self);
	json_put_number(&o, "error", row->error);
	json_put_count(&o, "samples", (uint64_t)(row->samples + 0.5));
	return o.json;
}

static json_t *hot_rows_json(const struct hot *hot,
			     const struct hot_rows *rows, size_t nr)
{
	json_t *array = json_array();

	for (size_t i = 0; i < rows->nr && i < nr; i++) {
		if (json_array_append_new(array,
					  hot_row_json(hot, &rows->rows[i]))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

/* NULL without memory, as all of these. */
static json_t *hot_json(const struct frame *frame, size_t nr)
{
	struct hot_rows rows;
	json_t *json;
	int ret = row_hot(frame, &rows);

	if (ret)
		return ret == -ENOENT ? json_null() : NULL;
	json = hot_rows_json(frame->samples->hot, &rows, nr);
	hot_rows_free(&rows);
	return json;
}

static json_t *snapshot_json(const struct snapshot_info *info)
{
	struct json_put o = json_put_new();

	json_put_count(&o, "number", info->number);
	json_put_number(&o, "time", info->time);
	json_put_text(&o, "trigger", info->trigger);
	json_put_text(&o, "state", snapshot_state_name(info->state));
	json_put_count(&o, "rings", info->rings);
	json_put_count(&o, "aux_rings", info->aux_rings);
	json_put_text(&o, "which", info->which);
	json_put_count(&o, "bytes", info->bytes);
	json_put_text(&o, "file", info->file);
	json_put_count(&o, "file_bytes", info->file_bytes);
	json_put_number(&o, "stopped", info->stopped);
	json_put_number(&o, "spread", info->spread);
	json_put_text_set(&o, "error", info->error);
	return o.json;
}

static json_t *history_json(const struct snapshots *s)
{
	struct json_put o = json_put_new();

	json_put_count(&o, "used", s->history_used);
	json_put_count(&o, "limit", s->history_limit);
	json_put_number(&o, "seconds", s->history_seconds);
	json_put_count(&o, "processes", s->history_processes);
	json_put_count(&o, "tasks_used", s->tasks_used);
	json_put_count(&o, "tasks_limit", s->tasks_limit);
	return o.json;
}

static json_t *recording_json(const struct snapshots *s)
{
	struct json_put o;

	if (!s->recording && !s->record_file[0])
		return json_null();
	o = json_put_new();
	json_put_bool(&o, "running", s->recording);
	json_put_text(&o, "file", s->record_file);
	json_put_number(&o, "since", s->record_since);
	json_put_count(&o, "bytes", s->record_bytes);
	json_put_count(&o, "missed", s->record_missed);
	json_put_text_set(&o, "error", s->record_error);
	return o.json;
}

static json_t *snapshots_json(const struct snapshots *s)
{
	struct json_put o;

	if (!s)
		return json_null();
	o = json_put_new();
	json_put_count(&o, "taken", s->taken);
	json_put_count(&o, "failed", s->failed);
	json_put_count(&o, "removed", s->removed);
	json_put_text(&o, "dir", s->dir);
	json_put_set(&o, "keep", s->keep);
	json_put_number(&o, "every", s->every > 0 ? s->every : NAN);
	json_put_text_set(&o, "armed", s->armed);
	json_put_count(&o, "fired", s->fired);
	json_put_number(&o, "cooldown_left", s->cooldown_left);
	json_put(&o, "history", history_json(s));
	json_put(&o, "recording", recording_json(s));
	json_put(&o, "last", s->nr ? snapshot_json(&s->list[s->nr - 1]) :
				json_null());
	return o.json;
}

/* How many samples are behind what is said of them, and what is not. */
static json_t *samples_json(const struct samples *samples)
{
	const struct samples_status *status;
	struct json_put o;

	if (!samples)
		return json_null();
	status = &samples->status;
	o = json_put_new();
	json_put_count(&o, "seen", status->seen);
	json_put_count(&o, "decoded", status->decoded);
	json_put_count(&o, "dropped", status->dropped);
	json_put_count(&o, "undecodable", status->undecodable);
	json_put_count(&o, "side_band_lost", status->side_band_lost);
	json_put_number(&o, "lag", status->lag);
	return o.json;
}

static json_t *self_json(const struct frame *frame)
{
	const struct frame_self *self = &frame->self;
	struct json_put o = json_put_new();

	json_put_number(&o, "cpu", self->cpu);
	json_put_count(&o, "rss", self->rss);
	json_put_set(&o, "decode_every", frame->samples ?
				    frame->samples->status.decode_every : 0);
	json_put_count(&o, "own_records", self->own_records);
	json_put(&o, "samples", samples_json(frame->samples));
	return o.json;
}

/* What stands before the rings. */
static json_t *head_json(const struct frame *frame)
{
	struct json_put o = json_put_new();

	json_put_count(&o, "version", SCHEMA_VERSION);
	json_put_text(&o, "source", frame->source);
	json_put_number(&o, "time", frame->time);
	json_put_number(&o, "interval", frame->interval);
	return o.json;
}

/* And behind them. */
static json_t *rest_json(const struct frame *frame, size_t hot)
{
	const struct host *host = row_host(frame);
	struct json_put o = json_put_new();

	json_put(&o, "hot", hot_json(frame, hot));
	json_put(&o, "total", host ? json_host_total(host) :
				     total_json(&frame->total));
	json_put(&o, "snapshots", snapshots_json(frame->snapshots));
	json_put(&o, "users", host ? json_host_users(host) : json_null());
	json_put(&o, "host", host ? json_host_status(host) : json_null());
	json_put(&o, "self", self_json(frame));
	return o.json;
}

/*
 * A line that grows.  A stream would be slow to take it token by token, and a
 * value of thousands of rings, freed as a whole, twice as dear as one for each.
 */
struct line {
	char *text;
	size_t len, room;
	bool failed;		/* out of memory */
};

static bool make_room(struct line *line, size_t size)
{
	size_t room = 2 * (line->len + size);
	char *grown;

	if (line->failed || size <= line->room - line->len)
		return !line->failed;
	grown = realloc(line->text, room);
	line->failed = !grown;
	if (!grown)
		return false;
	line->text = grown;
	line->room = room;
	return true;
}

static void add_text(struct line *line, const char *text)
{
	size_t size = strlen(text);

	if (!make_room(line, size))
		return;
	memcpy(line->text + line->len, text, size);
	line->len += size;
}

/* Takes @json over; NULL: it could not be made. */
static void add_json(struct line *line, json_t *json, size_t flags)
{
	size_t size = 0, room = 4096;

	/* 16 digits give unix time its microseconds */
	flags |= JSON_COMPACT | JSON_REAL_PRECISION(16);
	while (json && make_room(line, room)) {
		room = line->room - line->len;
		size = json_dumpb(json, line->text + line->len, room, flags);
		if (size <= room)
			break;
		room = size;
	}
	line->failed |= !size;
	if (!line->failed)
		line->len += size;
	json_decref(json);
}

static void add_rings(struct line *line, const struct frame *frame)
{
	const struct host *host = row_host(frame);
	size_t nr = host ? host->nr_rows : frame->nr_rings;

	for (size_t i = 0; i < nr && !line->failed; i++) {
		if (i)
			add_text(line, ",");
		add_json(line, host ? json_host_ring(host, i) :
				      ring_json(frame->rings, i), 0);
	}
}

static int put_frame(const struct frame *frame, const struct export_opts *opts,
		     struct export_state *state, FILE *out)
{
	struct line line = { 0 };

	(void)state;
	add_text(&line, "{");
	add_json(&line, head_json(frame), JSON_EMBED);
	add_text(&line, ",\"rings\":[");
	add_rings(&line, frame);
	add_text(&line, "],");
	add_json(&line, rest_json(frame, opts->hot), JSON_EMBED);
	add_text(&line, "}\n");
	if (!line.failed)
		fwrite(line.text, 1, line.len, out);
	free(line.text);
	return line.failed ? -ENOMEM : row_flush(out);
}

const struct export_format export_json = {
	.name = "json",
	.hot = 20,
	.frame = put_frame,
};
