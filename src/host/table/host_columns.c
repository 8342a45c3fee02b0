/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/units.h"
#include "base/unknown.h"

enum format {
	FORMAT_TEXT,
	FORMAT_LABEL,		/* of the ring: a text that has an order */
	FORMAT_NUMBER,
	FORMAT_COUNT,
	FORMAT_BYTES,
	FORMAT_SHARE,
	FORMAT_SECONDS,
	FORMAT_WARNING,
};

static double number(int value)
{
	return value < 0 ? NAN : (double)value;
}

/* Rings of CPUs before those of threads. */
static double ring_order(const struct ring_row *row)
{
	return row->cpu >= 0 ? row->cpu : 0x10000 + number(row->tid);
}

static double watermark(const struct ring_row *row)
{
	return row->watermark ? unknown_as_nan(row->watermark) : NAN;
}

static double aux_head(const struct ring_row *row)
{
	const struct ring_aux *aux = &row->aux;

	if (!aux->size || aux->head == UNKNOWN)
		return NAN;
	return (double)(aux->head % aux->size);
}

/* A getter for every row of host_columns.def: GETTER(id, format, value). */
#define GETTER(id, format, value)                        \
	enum { FORMAT_OF_##id = FORMAT_##format };       \
	static double get_##id(const struct ring_row *r) \
	{                                                \
		return value;                            \
	}

/* Texts are shown and compared as such. */
#define TEXT(id)                                         \
	enum { FORMAT_OF_##id = FORMAT_TEXT };           \
	static double get_##id(const struct ring_row *r) \
	{                                                \
		(void)r;                                 \
		return NAN;                              \
	}

GETTER(PID, NUMBER, number(r->pid))
TEXT(OWNER)
GETTER(RING, LABEL, ring_order(r))
TEXT(EVENT)
GETTER(SIZE, BYTES, unknown_as_nan(r->size))
GETTER(FILL, SHARE, r->fill)
GETTER(FILLPCT, SHARE, r->fill)
GETTER(PEAK, SHARE, r->peak)
GETTER(RATE, BYTES, r->bytes_per_s)
GETTER(WAKE, COUNT, r->wakeups_per_s)
GETTER(DRAINS, COUNT, r->drains_per_s)
GETTER(UNDRAINED, SECONDS, r->undrained)
GETTER(GAP, SECONDS, r->worst_gap)
GETTER(LOST, COUNT, unknown_as_nan(r->lost))
GETTER(PENDING, COUNT, unknown_as_nan(r->lost_pending))
GETTER(LOSTRATE, COUNT, r->lost_per_s)
GETTER(AUX, BYTES, aux_head(r))
GETTER(AUXSIZE, BYTES, r->aux.size ? unknown_as_nan(r->aux.size) : NAN)
GETTER(WATERMARK, BYTES, watermark(r))
GETTER(LOCKED, BYTES, unknown_as_nan(r->locked))
TEXT(USER)
GETTER(WARN, WARNING, ring_warning_badness(r))

#define HOST_COLUMN(id, name, header, width, rank, descending, help) \
	{ name, header, width, rank, descending, help },
static const struct host_column_info infos[HOST_COLUMNS] = {
#include "host/table/host_columns.def"
};
#undef HOST_COLUMN

#define HOST_COLUMN(id, ...) { get_##id, (enum format)FORMAT_OF_##id },
static const struct {
	double (*get)(const struct ring_row *r);
	enum format format;
} getters[HOST_COLUMNS] = {
#include "host/table/host_columns.def"
};
#undef HOST_COLUMN

const struct host_column_info *host_column_info(enum host_column column)
{
	return &infos[column];
}

enum host_column host_column_find(const char *id)
{
	for (int i = 0; i < HOST_COLUMNS; i++)
		if (!strcasecmp(infos[i].id, id))
			return (enum host_column)i;
	return HOST_COLUMNS;
}

static const char *text_of(enum host_column column, const struct ring_row *row)
{
	switch ((int)column) {
	case HOST_COLUMN_OWNER:
		return row->comm;
	case HOST_COLUMN_RING:
		return row->label;
	case HOST_COLUMN_EVENT:
		return row->event;
	default:
		return row->user;
	}
}

/*
 * What was seen from time to time, and may have been more in between, or after
 * the last look at a ring that is gone; but there is no more than full.
 */
static bool is_at_least(enum host_column column, const struct ring_row *row,
			double value)
{
	switch ((int)column) {
	case HOST_COLUMN_LOST:
		return row->gone && value > 0;
	case HOST_COLUMN_PEAK:
		return value > 0 && value < 1;
	case HOST_COLUMN_DRAINS:
	case HOST_COLUMN_UNDRAINED:
	case HOST_COLUMN_GAP:
		return value > 0;
	default:
		return false;
	}
}

static void format_value(char *buf, size_t size, enum format format,
			 double value)
{
	switch (format) {
	case FORMAT_COUNT:
		units_count(buf, size, value);
		break;
	case FORMAT_BYTES:
		units_bytes(buf, size, value);
		break;
	case FORMAT_SHARE:
		units_share(buf, size, value);
		break;
	case FORMAT_SECONDS:
		units_duration(buf, size, value);
		break;
	default:
		snprintf(buf, size, "%.0f", value);
	}
}

/* "At least less than" would say nothing. */
static void format_bound(char *buf, size_t size, enum format format,
			 double value)
{
	if (format == FORMAT_SHARE && value < 0.001)
		value = 0;
	format_value(buf, size, format, value);
}

char *host_column_text(enum host_column column, const struct ring_row *row,
		       char *buf, size_t size)
{
	enum format format = getters[column].format;
	double value = getters[column].get(row);
	const char *text;
	bool mark;

	if (format == FORMAT_WARNING) {
		text_copy(buf, size, ring_warning_cell(row));
	} else if (format == FORMAT_TEXT || format == FORMAT_LABEL) {
		text = text_of(column, row);
		text_copy(buf, size, *text ? text : "-");
	} else if (isnan(value)) {
		text_copy(buf, size, "-");
	} else {
		mark = is_at_least(column, row, value) && size > 1;
		buf[0] = '>';
		if (mark)
			format_bound(buf + 1, size - 1, format, value);
		else
			format_value(buf, size, format, value);
	}
	return buf;
}

double host_column_value(enum host_column column, const struct ring_row *row)
{
	return getters[column].get(row);
}

/* Those that are empty last. */
static int compare_texts(const char *a, const char *b)
{
	if (!*a || !*b)
		return !*a - !*b;
	return strcmp(a, b);
}

/* Those that are unknown last. */
static int compare_values(double a, double b)
{
	if (isnan(a) || isnan(b))
		return !!isnan(a) - !!isnan(b);
	return (a > b) - (a < b);
}

int host_column_compare(enum host_column column, const struct ring_row *a,
			const struct ring_row *b)
{
	int order;

	if (getters[column].format == FORMAT_TEXT)
		order = compare_texts(text_of(column, a), text_of(column, b));
	else
		order = compare_values(host_column_value(column, a),
				       host_column_value(column, b));
	return order ? order : (a->id > b->id) - (a->id < b->id);
}
