/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/narrow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "samples/hot_table.h"
#include "samples/samples.h"
#include "ui/draw/widgets.h"

bool narrow_stale(const struct frame *frame)
{
	return frame->playback && !frame->playback->playing && frame->samples &&
	       frame->samples->status.stale;
}

bool narrow_marked(const struct frame *frame)
{
	return frame->playback && !isnan(frame->playback->mark);
}

bool narrow_whole(const struct frame *frame)
{
	return frame->ended && !(frame->reset > 0);
}

int narrow_which(struct area a, int col, const struct frame *frame,
		 const struct hot_query *query, double samples)
{
	char count[8];

	units_count(count, sizeof(count), samples);
	if (query->recent)	/* weights decay: they are no sample count */
		col = widget_note(a, col, ROLE_DEFAULT,
				  "recent, half-life %d s", HOT_HALF_LIFE);
	else if (narrow_marked(frame))
		col = widget_note(a, col, ROLE_DEFAULT,
				  "%s samples from mark to cursor", count);
	else if (narrow_whole(frame))
		col = widget_note(a, col, ROLE_DEFAULT,
				  "all %s samples of the run", count);
	else
		col = widget_note(a, col, ROLE_DEFAULT, "total of %s samples",
				  count);
	return narrow_stale(frame) ?
		       widget_note(a, col, ROLE_WARN, NARROW_STALE) : col;
}

const char *narrow_field_name(const char *field)
{
	const char *dot = strrchr(field, '.');

	if (!strcmp(field, SAMPLES_OWN_FIELD))
		return "";
	return dot && dot[1] ? dot + 1 : field;
}

static void add(struct hot_query *query, const struct hot *hot,
		enum hot_key key, const struct hot_value *value, bool anywhere)
{
	struct hot_where *where = &query->where[query->nr_where++];

	/* including padding: queries are compared as bytes */
	memset(where, 0, sizeof(*where));
	where->key = key;
	where->value = *value;
	where->anywhere = anywhere && (key == HOT_SYMBOL || key == HOT_DSO);
	if (key != HOT_FIELD)
		return;
	text_copy(where->field, sizeof(where->field), value->field);
	text_copy(where->of, sizeof(where->of), narrow_field_name(hot->field));
}

bool narrow_add(struct hot_query *query, const struct hot *hot,
		unsigned int keys, const struct hot_value *value,
		bool anywhere)
{
	/* a symbol implies its file */
	if (keys & 1u << HOT_SYMBOL)
		keys &= ~(1u << HOT_DSO);
	if (query->nr_where + (unsigned int)__builtin_popcount(keys) >
	    HOT_WHERES)
		return false;
	for (unsigned int key = 0; key < HOT_KEYS; key++) {
		if (!(keys & 1u << key))
			continue;
		add(query, hot, (enum hot_key)key, value, anywhere);
	}
	return true;
}

/* The kind of a value, written before it; "": not needed. */
static const char *word_of(const struct hot_where *where)
{
	switch ((int)where->key) {
	case HOT_COMM:
		return "comm";
	case HOT_PID:
		return "pid";
	case HOT_CPU:
		return "CPU";
	case HOT_FIELD:
		return *where->of ? where->of : "field";
	default:
		return where->anywhere ? "through" : "";
	}
}

char *narrow_text(const struct hot *hot, const struct hot_query *query,
		  const char *separator, char *buf, size_t size)
{
	char one[160];
	size_t len = 0;

	buf[0] = '\0';
	for (unsigned int i = 0; i < query->nr_where && len < size; i++) {
		const struct hot_where *w = &query->where[i];

		if (w->key == HOT_FIELD)
			text_copy(one, sizeof(one), *w->field ? w->field : "-");
		else
			hot_key_text(hot, w->key, &w->value, one,
				       sizeof(one));
		len += (size_t)snprintf(buf + len, size - len, "%s%s%s%s",
					i ? separator : "", word_of(w),
					*word_of(w) ? " " : "", one);
	}
	return buf;
}

static bool all_overwritten(const struct frame *frame)
{
	for (size_t i = 0; i < frame->nr_rings; i++) {
		if (!frame->rings[i].overwrite)
			return false;
	}
	return frame->nr_rings > 0;
}

const char *narrow_none(const struct frame *frame)
{
	if (all_overwritten(frame))
		return "Overwrite rings are read on demand: their samples are "
		       "not decoded.";
	if (frame->playback)
		return "No samples: the recording cannot be read again.";
	return "rbtop was started with --decode 0: samples are counted, but "
	       "not decoded.";
}

int narrow_hidden(const struct samples *samples, struct area a)
{
	const char *why = samples->status.kernel_hidden;
	struct area none = { .canvas = a.canvas, .cols = a.cols - 2 };
	int max = a.rows / 4 > 1 ? a.rows / 4 : 1, rows;
	char text[320];

	if (!why)
		return 0;
	snprintf(text, sizeof(text), "no kernel symbols: %s", why);
	rows = widget_text(none, 0, max, ROLE_WARN, text);
	widget_text(area_sub(a, a.rows - rows, 1, rows, a.cols - 2), 0, rows,
		    ROLE_WARN, text);
	return rows;
}

bool narrow_draw(const struct hot *hot, const struct hot_query *query,
		 struct area line)
{
	char text[320], separator[12];

	if (!query->nr_where)
		return false;
	snprintf(separator, sizeof(separator), " %s ",
		 widget_glyph_text(line, GLYPH_RIGHT));
	narrow_text(hot, query, separator, text, sizeof(text));
	area_printf(line, 0, 1, ROLE_NOTICE, "only %s", text);
	return true;
}

const char *narrow_no_chains(const struct frame *frame)
{
	if (frame->playback)
		return "no callchains: recorded without them (perf record -g)";
	return !strcmp(frame->source, "sim") ?
		"no callchains: simulate them with chain=DEPTH" :
		"no callchains: start rbtop with -g";
}
