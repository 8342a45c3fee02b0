/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/export.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "export/row.h"
#include "model/samples.h"
#include "model/snapshots.h"

enum { SCHEMA_VERSION = 1, TEXT_BUF = 4096 };

/* An object in the making.  A NULL json: there was no memory. */
struct object {
	json_t *json;
};

static struct object object_new(void)
{
	return (struct object){ json_object() };
}

static void put(struct object *o, const char *key, json_t *value)
{
	if (json_object_set_new(o->json, key, value) == 0)
		return;
	json_decref(o->json);
	o->json = NULL;
}

static void put_count(struct object *o, const char *key, uint64_t value)
{
	if (value == FRAME_UNKNOWN)
		put(o, key, json_null());
	else if (value > INT64_MAX)
		put(o, key, json_real((double)value));
	else
		put(o, key, json_integer((json_int_t)value));
}

/* Where 0 says that there is none. */
static void put_set(struct object *o, const char *key, uint64_t value)
{
	put_count(o, key, value ? value : FRAME_UNKNOWN);
}

static void put_number(struct object *o, const char *key, double value)
{
	put(o, key, isfinite(value) ? json_real(value) : json_null());
}

/* A CPU or a task; below 0: none. */
static void put_id(struct object *o, const char *key, int value)
{
	put(o, key, value < 0 ? json_null() : json_integer(value));
}

static void put_bool(struct object *o, const char *key, bool value)
{
	put(o, key, json_boolean(value));
}

/* Jansson takes nothing but valid UTF-8. */
static void put_text(struct object *o, const char *key, const char *text)
{
	char safe[TEXT_BUF];

	text_copy(safe, sizeof(safe), text);
	put(o, key, json_string(safe));
}

/* Where "" says that there is none. */
static void put_text_set(struct object *o, const char *key, const char *text)
{
	if (*text)
		put_text(o, key, text);
	else
		put(o, key, json_null());
}

static json_t *owner_json(const struct frame_ring *ring)
{
	struct object o;

	if (ring->owner < 0)
		return json_null();
	o = object_new();
	put_id(&o, "pid", ring->owner);
	put_text(&o, "comm", ring->comm);
	return o.json;
}

static json_t *event_json(const struct frame_event *event)
{
	struct object o = object_new();

	put_text(&o, "name", event->name);
	put_count(&o, "count", event->count);
	put_count(&o, "samples", event->samples);
	put_count(&o, "lost", event->lost);
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
	struct object o = object_new();

	for (unsigned int type = 0; type < RECORD_TYPES; type++)
		if (types[type])
			put_count(&o, record_name(type), types[type]);
	return o.json;
}

static json_t *advice_json(const struct advice *advice)
{
	struct object o;

	if (!advice->valid)
		return json_null();
	o = object_new();
	put_text(&o, "text", advice->text);
	put_count(&o, "pages", advice->pages);
	put_number(&o, "burst_bytes_per_s", advice->burst_bytes_per_s);
	put_number(&o, "worst_gap", advice->worst_gap);
	return o.json;
}

/* What an AUX ring and the total of them have in common. */
static void put_aux_stats(struct object *o, const struct aux_stats *stats)
{
	put_count(o, "records", stats->records);
	put_count(o, "truncated", stats->truncated);
	put_count(o, "overwritten", stats->overwrite);
	put_count(o, "partial", stats->partial);
	put_count(o, "collision", stats->collision);
	put_count(o, "itrace_starts", stats->itrace_starts);
	put_count(o, "hw_ids", stats->hw_ids);
	put_count(o, "reenabled", stats->reenabled);
}

/*
 * In snapshot mode nothing waits, the sizes in AUX records tell nothing, and
 * there is no head before tracing first stopped.
 */
static json_t *aux_json(const struct frame_aux *aux)
{
	bool full = !aux->overwrite, head = full || !isnan(aux->head_age);
	struct object o;

	if (!aux->size)
		return json_null();
	o = object_new();
	put_count(&o, "size", aux->size);
	put_set(&o, "watermark", aux->watermark);
	put_bool(&o, "overwrite", aux->overwrite);
	put_bool(&o, "stopped", aux->stopped);
	put_count(&o, "head", head ? aux->head : FRAME_UNKNOWN);
	put_count(&o, "position", head ? aux->position : FRAME_UNKNOWN);
	put_number(&o, "head_age", full ? NAN : aux->head_age);
	put_number(&o, "read_cost", full ? NAN : aux->read_cost);
	put_count(&o, "tail", full ? aux->tail : FRAME_UNKNOWN);
	put_count(&o, "used", full ? aux->used : FRAME_UNKNOWN);
	put_number(&o, "fill", aux->fill);
	put_number(&o, "peak", aux->peak);
	put_count(&o, "bytes", full ? aux->stats.bytes : FRAME_UNKNOWN);
	put_number(&o, "bytes_per_s", aux->bytes_per_s);
	put_count(&o, "wraps", aux->wraps);
	put_aux_stats(&o, &aux->stats);
	return o.json;
}

static json_t *aux_total_json(const struct frame_total *total)
{
	struct object o;

	if (!total->aux_rings)
		return json_null();
	o = object_new();
	put_count(&o, "rings", total->aux_rings);
	put_count(&o, "size", total->aux_size);
	put_number(&o, "bytes_per_s", total->aux_bytes_per_s);
	put_count(&o, "wraps", total->aux.wraps);
	put_aux_stats(&o, &total->aux);
	return o.json;
}

/* What a ring and the total have in common. */
static void put_counters(struct object *o, const struct frame_ring *ring)
{
	/* Nobody counts an overwrite ring's records as they come. */
	bool counted = !ring->overwrite;

	put_count(o, "used", ring->used);
	put_number(o, "fill", ring->fill);
	put_number(o, "peak", ring->peak);
	put_count(o, "bytes", ring->bytes);
	put_number(o, "bytes_per_s", ring->bytes_per_s);
	put_count(o, "records", counted ? ring->records : FRAME_UNKNOWN);
	put_number(o, "records_per_s", ring->records_per_s);
	put_count(o, "samples", counted ? ring->samples : FRAME_UNKNOWN);
	put_count(o, "crossings", ring->crossings);
	put_count(o, "wakeups", ring->wakeups);
	put_number(o, "wakeups_per_s", ring->wakeups_per_s);
	put_count(o, "drains", ring->drains);
	put_count(o, "timer_drains", ring->timer_drains);
	put_number(o, "wakeup_latency_p50", ring->latency_p50);
	put_number(o, "wakeup_latency_p99", ring->latency_p99);
	put_count(o, "lost", ring->lost);
	put_count(o, "lost_pending", ring->lost_pending);
	put_number(o, "lost_per_s", ring->lost_per_s);
	put_count(o, "throttled", ring->throttled);
	put(o, "types", types_json(ring->stats.types));
}

static json_t *ring_json(const struct frame_ring *ring)
{
	struct object o = object_new();

	put_count(&o, "ring", ring->ring);
	put_id(&o, "cpu", ring->cpu);
	put_id(&o, "tid", ring->tid);
	put(&o, "owner", owner_json(ring));
	put(&o, "events", events_json(ring));
	put_count(&o, "size", ring->size);
	put_set(&o, "watermark", ring->watermark);
	put_set(&o, "wakeup_events", ring->wakeup_events);
	put_bool(&o, "overwrite", ring->overwrite);
	put_bool(&o, "paused", ring->paused);
	put_bool(&o, "gone", ring->gone);
	put_count(&o, "head", ring->head);
	put_count(&o, "tail", ring->tail);
	put_counters(&o, ring);
	put(&o, "aux", aux_json(&ring->aux));
	put(&o, "advice", advice_json(&ring->advice));
	return o.json;
}

static json_t *rings_json(const struct frame *frame)
{
	json_t *rings = json_array();

	for (size_t i = 0; i < frame->nr_rings; i++) {
		if (json_array_append_new(rings, ring_json(&frame->rings[i]))) {
			json_decref(rings);
			return NULL;
		}
	}
	return rings;
}

static json_t *total_json(const struct frame_total *total)
{
	struct object o = object_new();
	struct frame_ring row;

	row_total(total, &row);
	put_count(&o, "size", row.size);
	put_counters(&o, &row);
	put(&o, "aux", aux_total_json(total));
	return o.json;
}

/*
 * "error" is half the 95 % interval of the share: 0 while every sample is
 * looked at.
 */
static json_t *hot_row_json(const struct hot *hot, const struct hot_row *row)
{
	const struct hot_symbol *symbol = &hot->symbols[row->value.symbol];
	struct object o = object_new();

	put_text(&o, "symbol", symbol->name);
	put_text(&o, "dso", row->value.dso);
	put_text(&o, "comm", row->value.comm);
	put_number(&o, "share", row->self);
	put_number(&o, "error", row->error);
	put_count(&o, "samples", (uint64_t)(row->samples + 0.5));
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
	struct object o = object_new();

	put_count(&o, "number", info->number);
	put_number(&o, "time", info->time);
	put_text(&o, "trigger", info->trigger);
	put_text(&o, "state", snapshot_state_name(info->state));
	put_count(&o, "rings", info->rings);
	put_count(&o, "aux_rings", info->aux_rings);
	put_text(&o, "which", info->which);
	put_count(&o, "bytes", info->bytes);
	put_text(&o, "file", info->file);
	put_count(&o, "file_bytes", info->file_bytes);
	put_number(&o, "stopped", info->stopped);
	put_number(&o, "spread", info->spread);
	put_text_set(&o, "error", info->error);
	return o.json;
}

static json_t *history_json(const struct snapshots *s)
{
	struct object o = object_new();

	put_count(&o, "used", s->history_used);
	put_count(&o, "limit", s->history_limit);
	put_number(&o, "seconds", s->history_seconds);
	put_count(&o, "processes", s->history_processes);
	put_count(&o, "tasks_used", s->tasks_used);
	put_count(&o, "tasks_limit", s->tasks_limit);
	return o.json;
}

static json_t *recording_json(const struct snapshots *s)
{
	struct object o;

	if (!s->recording && !s->record_file[0])
		return json_null();
	o = object_new();
	put_bool(&o, "running", s->recording);
	put_text(&o, "file", s->record_file);
	put_number(&o, "since", s->record_since);
	put_count(&o, "bytes", s->record_bytes);
	put_count(&o, "missed", s->record_missed);
	put_text_set(&o, "error", s->record_error);
	return o.json;
}

static json_t *snapshots_json(const struct snapshots *s)
{
	struct object o;

	if (!s)
		return json_null();
	o = object_new();
	put_count(&o, "taken", s->taken);
	put_count(&o, "failed", s->failed);
	put_count(&o, "removed", s->removed);
	put_text(&o, "dir", s->dir);
	put_set(&o, "keep", s->keep);
	put_number(&o, "every", s->every > 0 ? s->every : NAN);
	put_text_set(&o, "armed", s->armed);
	put_count(&o, "fired", s->fired);
	put_number(&o, "cooldown_left", s->cooldown_left);
	put(&o, "history", history_json(s));
	put(&o, "recording", recording_json(s));
	put(&o, "last", s->nr ? snapshot_json(&s->list[s->nr - 1]) :
				json_null());
	return o.json;
}

/* How many samples are behind what is said of them, and what is not. */
static json_t *samples_json(const struct samples *samples)
{
	const struct samples_status *status;
	struct object o;

	if (!samples)
		return json_null();
	status = &samples->status;
	o = object_new();
	put_count(&o, "seen", status->seen);
	put_count(&o, "decoded", status->decoded);
	put_count(&o, "dropped", status->dropped);
	put_count(&o, "undecodable", status->undecodable);
	put_count(&o, "side_band_lost", status->side_band_lost);
	put_number(&o, "lag", status->lag);
	return o.json;
}

static json_t *self_json(const struct frame *frame)
{
	const struct frame_self *self = &frame->self;
	struct object o = object_new();

	put_number(&o, "cpu", self->cpu);
	put_count(&o, "rss", self->rss);
	put_set(&o, "decode_every", frame->samples ?
				    frame->samples->status.decode_every : 0);
	put_count(&o, "own_records", self->own_records);
	put(&o, "samples", samples_json(frame->samples));
	return o.json;
}

static json_t *frame_json(const struct frame *frame, size_t hot)
{
	struct object o = object_new();

	put_count(&o, "version", SCHEMA_VERSION);
	put_text(&o, "source", frame->source);
	put_number(&o, "time", frame->time);
	put_number(&o, "interval", frame->interval);
	put(&o, "rings", rings_json(frame));
	put(&o, "hot", hot_json(frame, hot));
	put(&o, "total", total_json(&frame->total));
	put(&o, "snapshots", snapshots_json(frame->snapshots));
	put(&o, "self", self_json(frame));
	return o.json;
}

static int put_frame(const struct frame *frame, const struct export_opts *opts,
		     struct export_state *state, FILE *out)
{
	json_t *json = frame_json(frame, opts->hot);
	int dumped, flushed;

	(void)state;
	if (!json)
		return -ENOMEM;
	/* 16 digits give unix time its microseconds */
	dumped = json_dumpf(json, out, JSON_COMPACT | JSON_REAL_PRECISION(16));
	fputc('\n', out);
	json_decref(json);
	flushed = row_flush(out);
	/* what did not fail in writing failed for want of memory */
	return dumped && !flushed ? -ENOMEM : flushed;
}

const struct export_format export_json = {
	.name = "json",
	.hot = 20,
	.frame = put_frame,
};
