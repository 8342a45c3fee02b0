/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/export.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "export/json_put.h"
#include "host/table/host.h"
#include "samples/samples.h"
#include "ring/figures.h"
#include "ring/reading.h"
#include "ring/ring_row.h"

enum { SCHEMA_VERSION = 2 };

/* Rings and their total, with the same keys for all owners. */

static void put_figure(struct json_put *o, enum figure figure,
		       const struct ring_row *row)
{
	const struct figure_info *info = figure_info(figure);

	if (!row_has(figure, row)) {
		json_put_null(o, info->key);
		return;
	}
	switch (info->kind) {
	case FIGURE_IS_COUNT:
		json_put_count(o, info->key, figure_count(figure, row));
		break;
	case FIGURE_IS_NUMBER:
		json_put_number(o, info->key, figure_number(figure, row));
		break;
	case FIGURE_IS_FLAG:
		if (figure_count(figure, row) == UNKNOWN)
			json_put_null(o, info->key);
		else
			json_put_bool(o, info->key, figure_count(figure, row));
		break;
	case FIGURE_IS_TEXT:
		json_put_text_set(o, info->key, figure_word(figure, row));
		break;
	}
}

/* Figures of the ring, or of its AUX ring; of a total those that are summed. */
static void put_figures(struct json_put *o, const struct ring_row *row,
			bool aux, bool total)
{
	for (enum figure i = 0; i < FIGURES; i++) {
		const struct figure_info *info = figure_info(i);

		if (info->key && info->aux == aux && (info->summed || !total))
			put_figure(o, i, row);
	}
}

/* @total: that of @row, or NULL. */
static void put_aux(struct json_put *in, const struct ring_row *row,
		    const struct ring_total *total)
{
	struct json_put o;

	if (total ? !total->aux_rings : !row->aux.size) {
		json_put_null(in, "aux");
		return;
	}
	o = json_put_object(in, "aux");
	if (total)
		json_put_count(&o, "rings", total->aux_rings);
	put_figures(&o, row, true, total);
	json_put_end(&o);
}

static void put_owner(struct json_put *in, const struct ring_row *row)
{
	struct json_put o;

	if (row->pid < 0) {
		json_put_null(in, "owner");
		return;
	}
	o = json_put_object(in, "owner");
	json_put_id(&o, "pid", row->pid);
	json_put_text(&o, "comm", row->comm);
	json_put_end(&o);
}

static void put_holders(struct json_put *o, const struct ring_row *row)
{
	struct json_put holders, holder;

	if (row->reads) {
		json_put_null(o, "holders");
		return;
	}
	holders = json_put_array(o, "holders");
	for (size_t i = 0; i < row->nr_holders && i < RING_HOLDERS; i++) {
		holder = json_put_object(&holders, NULL);
		json_put_id(&holder, "pid", row->holders[i].pid);
		json_put_text(&holder, "comm", row->holders[i].comm);
		json_put_bool(&holder, "maps", row->holders[i].maps);
		json_put_end(&holder);
	}
	json_put_end(&holders);
}

static void put_programs(struct json_put *o, const struct ring_row *row)
{
	struct json_put programs, program;

	if (!row->programs_known) {
		json_put_null(o, "programs");
		return;
	}
	programs = json_put_array(o, "programs");
	for (size_t i = 0; i < row->nr_programs && i < RING_PROGRAMS; i++) {
		program = json_put_object(&programs, NULL);
		json_put_count(&program, "id", row->programs[i].id);
		json_put_text(&program, "name", row->programs[i].name);
		json_put_count(&program, "runs", row->programs[i].runs ?
					 row->programs[i].runs : UNKNOWN);
		json_put_count(&program, "run_ns", row->programs[i].runs ?
					 row->programs[i].run_ns : UNKNOWN);
		json_put_end(&program);
	}
	json_put_end(&programs);
}

/* State read from the kernel, of another program's event. */
static void put_state(struct json_put *o, const struct ring_event *event)
{
	json_put_text(o, "state", ring_row_event_state_name(event->state));
	json_put_bool(o, "throttled", event->throttled);
	json_put_bool(o, "maps", event->maps);
	json_put_set(o, "freq", event->freq ? event->period : 0);
	json_put_set(o, "period", event->freq ? 0 : event->period);
}

static void put_no_state(struct json_put *o)
{
	static const char *const keys[] = {
		"state", "throttled", "maps", "freq", "period",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		json_put_null(o, keys[i]);
}

static void put_event(struct json_put *in, const struct ring_row *row,
		      const struct ring_event *event)
{
	struct json_put o = json_put_object(in, NULL);

	json_put_text(&o, "name", event->name);
	json_put_count(&o, "id", row->reads ? UNKNOWN : event->id);
	json_put_id(&o, "cpu", event->cpu);
	json_put_id(&o, "tid", event->tid);
	if (!row->reads)
		put_state(&o, event);
	else
		put_no_state(&o);
	json_put_count(&o, "count", event->count);
	json_put_count(&o, "samples", event->samples);
	json_put_count(&o, "lost", event->lost);
	json_put_number(&o, "lost_per_s", event->lost_per_s);
	json_put_end(&o);
}

/* Requested events first, then the ring's side-band event. */
static void put_events(struct json_put *in, const struct ring_row *row)
{
	struct json_put events = json_put_array(in, "events");

	for (int side_band = 0; side_band < 2; side_band++)
		for (size_t i = 0; i < row->nr_events; i++)
			if (row->events[i].side_band == side_band)
				put_event(&events, row, &row->events[i]);
	json_put_end(&events);
}

static void put_warnings(struct json_put *in, const struct ring_row *row,
			 bool foreign)
{
	struct json_put names;

	if (!foreign) {
		json_put_null(in, "warnings");
		return;
	}
	names = json_put_array(in, "warnings");
	for (enum ring_warning w = 0; w < RING_WARNINGS; w++)
		if (row->warnings & 1u << w)
			json_put_text(&names, NULL, ring_warning_name(w));
	json_put_end(&names);
}

/* With RECORD_OTHER; only types that occurred. */
static void put_types(struct json_put *in, const struct ring_row *row)
{
	const uint64_t *types;
	struct json_put o;

	if (!row->reads) {
		json_put_null(in, "types");
		return;
	}
	types = row->reads->stats.types;
	o = json_put_object(in, "types");
	for (unsigned int type = 0; type < RECORD_TYPES; type++)
		if (types[type])
			json_put_count(&o, record_name(type), types[type]);
	json_put_end(&o);
}

static void put_ring(struct json_put *in, const struct ring_row *row)
{
	struct json_put o = json_put_object(in, NULL);

	json_put_count(&o, "ring", row->id);
	put_owner(&o, row);
	put_holders(&o, row);
	put_programs(&o, row);
	put_events(&o, row);
	put_warnings(&o, row, !row->reads);
	put_figures(&o, row, false, false);
	put_types(&o, row);
	put_aux(&o, row, NULL);
	json_put_advice(&o, "advice", &row->advice);
	json_put_end(&o);
}

/*
 * The field "total" of @in.  @counted: the number of rings is known; @foreign:
 * they are other programs' rings, and only then are some counts known.
 */
static void put_total(struct json_put *in, const struct ring_total *total,
		      bool counted, bool foreign)
{
	struct json_put o = json_put_object(in, "total");

	for (enum ring_kind kind = 0; kind < RING_KINDS; kind++)
		json_put_count(&o, ring_kind_info(kind)->total,
			       counted ? total->nr[kind] : UNKNOWN);
	json_put_count(&o, "uncounted", counted ? total->uncounted : UNKNOWN);
	counted &= foreign;
	json_put_count(&o, "owners", counted ? total->owners : UNKNOWN);
	json_put_count(&o, "warned", counted ? total->warned : UNKNOWN);
	json_put_bool(&o, "at_least", total->at_least);
	put_warnings(&o, &total->row, foreign);
	put_figures(&o, &total->row, false, true);
	put_types(&o, &total->row);
	put_aux(&o, &total->row, total);
	json_put_advice(&o, "advice", &total->row.advice);
	json_put_end(&o);
}

/* The rest of a frame. */

/*
 * "error" is half the 95 % interval of the share: 0 while all samples are
 * decoded.
 */
static void put_hot_row(struct json_put *in, const struct hot *hot,
			const struct hot_row *row)
{
	const struct hot_symbol *symbol = &hot->symbols[row->value.symbol];
	struct json_put o = json_put_object(in, NULL);

	json_put_text(&o, "symbol", symbol->name);
	json_put_text(&o, "dso", row->value.dso);
	json_put_text(&o, "comm", row->value.comm);
	json_put_text_set(&o, "field",
			  row->value.field ? row->value.field : "");
	json_put_number(&o, "share", row->self);
	json_put_number(&o, "error", row->error);
	json_put_count(&o, "samples", (uint64_t)(row->samples + 0.5));
	json_put_end(&o);
}

static void put_hot(struct json_put *in, const struct frame *frame, size_t nr)
{
	struct json_put array;
	struct hot_rows rows;
	int ret = row_hot(frame, &rows);

	if (ret) {
		json_put_null(in, "hot");
		in->to->failed |= ret != -ENOENT;
		return;
	}
	array = json_put_array(in, "hot");
	for (size_t i = 0; i < rows.nr && i < nr; i++)
		put_hot_row(&array, frame->samples->hot, &rows.rows[i]);
	json_put_end(&array);
	hot_rows_free(&rows);
}

static void put_snapshot(struct json_put *in, const struct snapshot_info *info)
{
	struct json_put o = json_put_object(in, "last");

	json_put_count(&o, "number", info->number);
	json_put_count(&o, "requests", info->requests);
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
	json_put_number(&o, "wait", info->wait);
	json_put_number(&o, "took", info->took);
	json_put_number(&o, "reach", info->reach);
	json_put_count(&o, "short_rings", info->short_rings);
	json_put_text_set(&o, "error", info->error);
	json_put_end(&o);
}

static void put_history(struct json_put *in, const struct snapshots *s)
{
	struct json_put o = json_put_object(in, "history");

	json_put_count(&o, "used", s->history_used);
	json_put_count(&o, "limit", s->history_limit);
	json_put_number(&o, "seconds", s->history_seconds);
	json_put_count(&o, "processes", s->history_processes);
	json_put_count(&o, "tasks_used", s->tasks_used);
	json_put_count(&o, "tasks_limit", s->tasks_limit);
	json_put_end(&o);
}

static void put_recording(struct json_put *in, const struct snapshots *s)
{
	struct json_put o;

	if (!s->recording && !s->record_file[0]) {
		json_put_null(in, "recording");
		return;
	}
	o = json_put_object(in, "recording");
	json_put_bool(&o, "running", s->recording);
	json_put_text(&o, "file", s->record_file);
	json_put_number(&o, "since", s->record_since);
	json_put_count(&o, "bytes", s->record_bytes);
	json_put_count(&o, "missed", s->record_missed);
	json_put_text_set(&o, "error", s->record_error);
	json_put_end(&o);
}

static void put_snapshots(struct json_put *in, const struct snapshots *s)
{
	struct json_put o;

	if (!s) {
		json_put_null(in, "snapshots");
		return;
	}
	o = json_put_object(in, "snapshots");
	json_put_count(&o, "taken", s->taken);
	json_put_count(&o, "failed", s->failed);
	json_put_count(&o, "cancelled", s->cancelled);
	json_put_count(&o, "removed", s->removed);
	json_put_count(&o, "requests", s->requests);
	json_put_count(&o, "merged", s->merged);
	json_put_count(&o, "queued", s->queued);
	json_put_text(&o, "dir", s->dir);
	json_put_set(&o, "keep", s->keep);
	json_put_number(&o, "every", s->every > 0 ? s->every : NAN);
	json_put_text_set(&o, "armed", s->armed);
	json_put_count(&o, "fired", s->fired);
	json_put_number(&o, "cooldown_left", s->cooldown_left);
	put_history(&o, s);
	put_recording(&o, s);
	if (s->nr)
		put_snapshot(&o, &s->list[s->nr - 1]);
	else
		json_put_null(&o, "last");
	json_put_end(&o);
}

/* Numbers of samples: seen, decoded, and dropped by cause. */
static void put_samples(struct json_put *in, const struct samples *samples)
{
	const struct samples_status *status;
	struct json_put o;

	if (!samples) {
		json_put_null(in, "samples");
		return;
	}
	status = &samples->status;
	o = json_put_object(in, "samples");
	json_put_count(&o, "seen", status->seen);
	json_put_count(&o, "decoded", status->decoded);
	json_put_count(&o, "dropped", status->dropped);
	json_put_count(&o, "undecodable", status->undecodable);
	json_put_count(&o, "side_band_lost", status->side_band_lost);
	json_put_number(&o, "lag", status->lag);
	json_put_end(&o);
}

static void put_self(struct json_put *in, const struct frame *frame)
{
	const struct frame_self *self = &frame->self;
	struct json_put o = json_put_object(in, "self");

	json_put_number(&o, "cpu", self->cpu);
	json_put_count(&o, "rss", self->rss);
	json_put_set(&o, "decode_every", frame->samples ?
				    frame->samples->status.decode_every : 0);
	json_put_count(&o, "own_records", self->own_records);
	put_samples(&o, frame->samples);
	json_put_end(&o);
}

static void put_user(struct json_put *in, const struct host_user *user)
{
	struct json_put o = json_put_object(in, NULL);

	json_put_count(&o, "uid",
		       user->uid == (uid_t)-1 ? UNKNOWN : user->uid);
	json_put_text_set(&o, "name", user->name);
	json_put_count(&o, "rings", user->rings);
	json_put_count(&o, "locked", user->locked);
	json_put_count(&o, "limit", user->limit);
	json_put_count(&o, "pinned", user->pinned);
	json_put_count(&o, "memlock", user->memlock);
	json_put_bool(&o, "exempt", user->exempt);
	json_put_bool(&o, "at_limit", user->at_limit);
	json_put_end(&o);
}

static void put_users(struct json_put *in, const struct host *host)
{
	struct json_put users;

	if (!host) {
		json_put_null(in, "users");
		return;
	}
	users = json_put_array(in, "users");
	for (size_t i = 0; i < host->nr_users; i++)
		put_user(&users, &host->users[i]);
	json_put_end(&users);
}

static void put_host(struct json_put *in, const struct host *host)
{
	const struct host_status *status;
	struct json_put o;
	bool counted;

	if (!host) {
		json_put_null(in, "host");
		return;
	}
	status = &host->status;
	counted = host_is_counted(host);
	o = json_put_object(in, "host");
	json_put_bool(&o, "ready", status->ready);
	json_put_bool(&o, "bpf", status->bpf);
	json_put_text_set(&o, "reason", status->reason);
	json_put_text_set(&o, "error", status->error);
	json_put_text_set(&o, "uncounted", status->uncounted);
	json_put_count(&o, "passes", status->passes);
	json_put_number(&o, "interval", status->interval);
	json_put_number(&o, "cost", status->cost);
	json_put_number(&o, "whole_age", status->whole_age);
	json_put_count(&o, "files", counted ? status->files : UNKNOWN);
	json_put_count(&o, "ringless",
		       status->bpf ? status->ringless : UNKNOWN);
	json_put_count(&o, "processes",
		       counted ? status->processes : UNKNOWN);
	json_put_count(&o, "hidden", status->hidden);
	json_put_id(&o, "self", host->self);
	json_put_end(&o);
}

/* Sums, and what only one kind of rings has. */
static void put_totals(struct json_put *o, const struct frame *frame)
{
	const struct host *host = row_host(frame);

	if (host)
		put_total(o, &host->total, host_is_counted(host), true);
	else
		put_total(o, &frame->total, true, false);
	put_snapshots(o, frame->snapshots);
	put_users(o, host);
	put_host(o, host);
}

static int put_frame(const struct frame *frame, const struct export_opts *opts,
		     struct export_state *state, FILE *out)
{
	struct json_text text = { 0 };
	struct json_put o = json_put_begin(&text), rings;
	size_t nr;
	const struct ring_row *rows = row_rings(frame, &nr);

	(void)state;
	json_put_count(&o, "version", SCHEMA_VERSION);
	json_put_text(&o, "source", frame->source);
	json_put_number(&o, "time", frame->time);
	json_put_number(&o, "interval", frame->interval);
	rings = json_put_array(&o, "rings");
	for (size_t i = 0; i < nr; i++)
		put_ring(&rings, &rows[i]);
	json_put_end(&rings);
	put_hot(&o, frame, opts->hot);
	put_totals(&o, frame);
	put_self(&o, frame);
	json_put_end(&o);
	if (!text.failed) {
		fwrite(text.text, 1, text.len, out);
		fputc('\n', out);
	}
	free(text.text);
	return text.failed ? -ENOMEM : row_flush(out);
}

const struct export_format export_json = {
	.name = "json",
	.hot = 20,
	.frame = put_frame,
};
