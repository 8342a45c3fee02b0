/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/json_rings.h"

#include <stdbool.h>
#include <stddef.h>

#include "export/row.h"
#include "ring/figures.h"
#include "ring/ring_warning.h"

/* Whether it is another program's ring, which rbtop does not read. */
static bool is_foreign(const struct ring_row *row)
{
	return !row->reads;
}

static void put_flag(struct json_put *o, const char *key, uint64_t value)
{
	if (value == UNKNOWN)
		json_put_null(o, key);
	else
		json_put_bool(o, key, value);
}

static void put_figure(struct json_put *o, enum figure figure,
		       const struct ring_row *row)
{
	const struct figure_info *info = figure_info(figure);

	if (!row_tells(figure, row)) {
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
		put_flag(o, info->key, figure_count(figure, row));
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

static void put_aux(struct json_put *in, const struct ring_row *row)
{
	struct json_put o;

	if (!row->aux.size) {
		json_put_null(in, "aux");
		return;
	}
	o = json_put_object(in, "aux");
	put_figures(&o, row, true, false);
	json_put_end(&o);
}

static void put_aux_total(struct json_put *in, const struct ring_total *total)
{
	struct json_put o;

	if (!total->aux_rings) {
		json_put_null(in, "aux");
		return;
	}
	o = json_put_object(in, "aux");
	json_put_count(&o, "rings", total->aux_rings);
	put_figures(&o, &total->row, true, true);
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

static void put_holder(struct json_put *in, const struct ring_holder *holder)
{
	struct json_put o = json_put_object(in, NULL);

	json_put_id(&o, "pid", holder->pid);
	json_put_text(&o, "comm", holder->comm);
	json_put_bool(&o, "maps", holder->maps);
	json_put_end(&o);
}

static void put_holders(struct json_put *o, const struct ring_row *row)
{
	struct json_put holders;

	if (!is_foreign(row)) {
		json_put_null(o, "holders");
		return;
	}
	holders = json_put_array(o, "holders");
	for (size_t i = 0; i < row->nr_holders && i < RING_HOLDERS; i++)
		put_holder(&holders, &row->holders[i]);
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
	json_put_count(&o, "id", is_foreign(row) ? event->id : UNKNOWN);
	json_put_id(&o, "cpu", event->cpu);
	json_put_id(&o, "tid", event->tid);
	if (is_foreign(row))
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

/* Write the names of the warnings. */
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

void json_rings_put(struct json_put *in, const struct ring_row *row)
{
	struct json_put o = json_put_object(in, NULL);

	json_put_count(&o, "ring", row->id);
	put_owner(&o, row);
	put_holders(&o, row);
	put_programs(&o, row);
	put_events(&o, row);
	put_warnings(&o, row, is_foreign(row));
	put_figures(&o, row, false, false);
	put_types(&o, row);
	put_aux(&o, row);
	json_put_advice(&o, "advice", &row->advice);
	json_put_end(&o);
}

/* Counts, some of which only other programs' rings have; null if unknown. */
static void put_numbers(struct json_put *o, const struct ring_total *total,
			bool counted, bool foreign)
{
	json_put_count(o, "rings", counted ? total->rings : UNKNOWN);
	json_put_count(o, "ringbufs", counted ? total->ringbufs : UNKNOWN);
	json_put_count(o, "ftrace_buffers",
		       counted ? total->ftrace_buffers : UNKNOWN);
	json_put_count(o, "io_urings", counted ? total->urings : UNKNOWN);
	json_put_count(o, "uncounted", counted ? total->uncounted : UNKNOWN);
	counted &= foreign;
	json_put_count(o, "owners", counted ? total->owners : UNKNOWN);
	json_put_count(o, "warned", counted ? total->warned : UNKNOWN);
	json_put_bool(o, "at_least", total->at_least);
}

void json_rings_total(struct json_put *in, const struct ring_total *total,
		      bool counted, bool foreign)
{
	struct json_put o = json_put_object(in, "total");

	put_numbers(&o, total, counted, foreign);
	put_warnings(&o, &total->row, foreign);
	put_figures(&o, &total->row, false, true);
	put_types(&o, &total->row);
	put_aux_total(&o, total);
	json_put_advice(&o, "advice", &total->row.advice);
	json_put_end(&o);
}
