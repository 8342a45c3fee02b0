/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/units.h"
#include "ring/ring_row.h"

/*
 * Known only to the reader of the ring's records.  Records of an overwrite ring
 * are not counted as they arrive.
 */
#define READ_COUNT(member) (r->reads ? r->reads->member : UNKNOWN)
#define READ_NUMBER(member) (r->reads ? r->reads->member : (double)NAN)
#define READ_RECORDS(member) (r->overwrite ? UNKNOWN : READ_COUNT(member))

/* Not available from /proc. */
#define ASKED(value) (r->known ? (uint64_t)(value) : UNKNOWN)

/*
 * AUX rings: any; known to BPF; with a head; in full trace mode; read by rbtop;
 * in snapshot mode.
 */
#define AUX_SIZE (r->aux.size ? r->aux.size : UNKNOWN)
#define AUX_COUNT(value) (r->aux.size ? ASKED(value) : UNKNOWN)
#define AUX_NUMBER(value) (r->aux.size && r->known ? (value) : (double)NAN)
#define AUX_HEAD(value) (ring_row_has_aux_head(r) ? AUX_COUNT(value) : UNKNOWN)
#define AUX_FULL(value) (r->aux.overwrite ? UNKNOWN : AUX_COUNT(value))
#define AUX_READ_COUNT(member) (r->aux.size ? READ_COUNT(member) : UNKNOWN)
#define AUX_READ_NUMBER(member) AUX_NUMBER(READ_NUMBER(member))
#define AUX_SNAPSHOT(member) \
	(r->aux.overwrite ? AUX_READ_NUMBER(member) : (double)NAN)

/* CPU or task id; negative: none. */
static uint64_t id_of(int id)
{
	return id < 0 ? UNKNOWN : (uint64_t)id;
}

/* 0: not set. */
static uint64_t set_of(uint64_t value)
{
	return value ? value : UNKNOWN;
}

/* A number for which 0 means unknown. */
static double positive(double value)
{
	return value > 0 ? value : (double)NAN;
}

static double longest_latency(const struct ring_row *r)
{
	if (!r->reads || !r->reads->stats.latency.count)
		return NAN;
	return (double)r->reads->stats.latency.max_ns / 1e9;
}

static const char *aux_state(const struct ring_row *r)
{
	if (!r->aux.size || r->aux.head == UNKNOWN || !r->reads)
		return "";
	return r->gone ? "gone" : r->reads->aux.stopped ? "stopped" : "running";
}

#define GET_COUNT(id, value)                               \
	static uint64_t count_##id(const struct ring_row *r) \
	{                                                  \
		return value;                              \
	}
#define GET_FLAG GET_COUNT
#define GET_NUMBER(id, value)                              \
	static double number_##id(const struct ring_row *r) \
	{                                                  \
		return value;                              \
	}
#define GET_TEXT(id, value)                                   \
	static const char *text_##id(const struct ring_row *r) \
	{                                                     \
		return value;                                 \
	}
#define FIGURE(id, kind, value, ...) GET_##kind(id, value)
#include "ring/figures.def"
#undef FIGURE

#define FIGURE(id, kind_, value, ...) \
	[FIGURE_##id] = { .kind = FIGURE_IS_##kind_, __VA_ARGS__ },
static const struct figure_info infos[FIGURES] = {
#include "ring/figures.def"
};
#undef FIGURE

/* The getters of a figure, one of which is set, by kind. */
#define TAKE_COUNT(id) .count = count_##id
#define TAKE_FLAG TAKE_COUNT
#define TAKE_NUMBER(id) .number = number_##id
#define TAKE_TEXT(id) .text = text_##id
#define FIGURE(id, kind, ...) [FIGURE_##id] = { TAKE_##kind(id) },
static const struct {
	uint64_t (*count)(const struct ring_row *r);
	double (*number)(const struct ring_row *r);
	const char *(*text)(const struct ring_row *r);
} getters[FIGURES] = {
#include "ring/figures.def"
};
#undef FIGURE

const struct figure_info *figure_info(enum figure figure)
{
	return &infos[figure];
}

enum figure figure_find(const char *id, enum figure_list list)
{
	for (int i = 0; i < FIGURES; i++)
		if (infos[i].in[list].rank && infos[i].id &&
		    !strcasecmp(infos[i].id, id))
			return (enum figure)i;
	return FIGURES;
}

size_t figure_columns(enum figure_list list, enum figure out[FIGURES])
{
	size_t nr = 0;

	for (enum figure i = 0; i < FIGURES; i++)
		if (infos[i].in[list].rank)
			out[nr++] = i;
	return nr;
}

const char *figure_header(enum figure figure, enum figure_list list)
{
	const char *header = infos[figure].in[list].header;

	return header ? header : infos[figure].header;
}

int figure_width(enum figure figure, enum figure_list list)
{
	int width = infos[figure].in[list].width;

	return width ? width : infos[figure].width;
}

uint64_t figure_count(enum figure figure, const struct ring_row *row)
{
	return getters[figure].count ? getters[figure].count(row) : UNKNOWN;
}

const char *figure_word(enum figure figure, const struct ring_row *row)
{
	return getters[figure].text ? getters[figure].text(row) : "";
}

/* The first six bytes as a number: a double holds 53 bits exactly. */
static double text_order(const char *text)
{
	double order = 0;

	if (!*text)
		return NAN;
	for (int i = 0; i < 6; i++) {
		order = order * 256 + (unsigned char)*text;
		text += *text != 0;
	}
	return order;
}

/* Other programs' rings: those of CPUs before those of threads. */
static double ring_order(const struct ring_row *row)
{
	if (row->reads)
		return (double)row->id;
	return row->cpu >= 0 ? row->cpu :
			       0x10000 + unknown_as_nan(id_of(row->tid));
}

double figure_number(enum figure figure, const struct ring_row *row)
{
	if (figure == FIGURE_RING)
		return ring_order(row);
	if (figure == FIGURE_WARN)
		return ring_warning_badness(row);
	if (getters[figure].number)
		return getters[figure].number(row);
	if (getters[figure].text)
		return text_order(getters[figure].text(row));
	return unknown_as_nan(getters[figure].count(row));
}

bool figure_is_known(enum figure figure, const struct ring_row *row)
{
	if (getters[figure].number)
		return !isnan(getters[figure].number(row));
	if (getters[figure].text)
		return *getters[figure].text(row);
	return getters[figure].count(row) != UNKNOWN;
}

bool figure_is_bound(enum figure figure, const struct ring_row *row)
{
	const struct figure_info *info = &infos[figure];
	double value;

	if (info->bound == BOUND_NONE)
		return false;
	value = figure_number(figure, row);
	if (info->bound == BOUND_ROUNDS)
		return row->aux.overwrite && !isnan(value);
	if (row->reads || !(value > 0))
		return false;
	/* A share of 1 cannot be exceeded. */
	if (info->bound == BOUND_LAST)
		return row->gone && !(info->loss && row->lost_final);
	return info->unit != UNIT_SHARE || value < 1;
}

/* Whether a share is too high; an overwrite ring is normally full. */
static bool is_high(const struct figure_info *info, const struct ring_row *row,
		    double value)
{
	double mark = info->aux ? ring_row_aux_mark(row) : ring_row_mark(row);

	return info->alarms && (info->aux || !row->overwrite) &&
	       ring_row_level(value, mark) == RING_LEVEL_HIGH;
}

/* Records, or records that say so of AUX data, lost per second. */
static double loss_rate(const struct figure_info *info,
			const struct ring_row *row)
{
	if (!info->aux)
		return row->lost_per_s;
	return row->reads ? row->reads->aux.truncated_per_s : (double)NAN;
}

enum figure_alarm figure_alarm(enum figure figure, const struct ring_row *row)
{
	const struct figure_info *info = &infos[figure];
	double value = info->kind == FIGURE_IS_TEXT ?
			       (double)NAN : figure_number(figure, row);

	if (!(value > 0))
		return FIGURE_CALM;
	if (info->loss)
		return loss_rate(info, row) > 0 ? FIGURE_LOSING : FIGURE_PAST;
	if (info->warns)
		return FIGURE_WARNS;
	return is_high(info, row, value) ? FIGURE_HIGH : FIGURE_CALM;
}

static void format_value(char *buf, size_t size, enum figure_unit unit,
			 double value)
{
	switch (unit) {
	case UNIT_COUNT:
		units_count(buf, size, value);
		break;
	case UNIT_BYTES:
		units_bytes(buf, size, value);
		break;
	case UNIT_RING:
		units_ring_size(buf, size, value);
		break;
	case UNIT_SHARE:
		units_share(buf, size, value);
		break;
	case UNIT_SECONDS:
		units_duration(buf, size, value);
		break;
	case UNIT_PLAIN:
		snprintf(buf, size, "%.0f", value);
		break;
	}
}

/*
 * With the mark of a bound.  A share below 0.1 % is written as 0, as ">" and
 * "<" together would mean nothing.
 */
static void format_bound(char *buf, size_t size, const struct figure_info *info,
			 double value)
{
	bool after = info->bound == BOUND_ROUNDS;
	char text[32];

	if (info->unit == UNIT_SHARE && value < 0.001)
		value = 0;
	format_value(text, sizeof(text), info->unit, value);
	snprintf(buf, size, "%s%s%s", after ? "" : ">", text,
		 after ? "+" : "");
}

char *figure_text(enum figure figure, const struct ring_row *row, char *buf,
		  size_t size)
{
	const struct figure_info *info = &infos[figure];

	if (!figure_is_known(figure, row))
		text_copy(buf, size, "-");
	else if (info->kind == FIGURE_IS_TEXT)
		text_copy(buf, size, figure_word(figure, row));
	else if (info->kind == FIGURE_IS_FLAG)
		text_copy(buf, size, figure_count(figure, row) ? "yes" : "no");
	else if (figure_is_bound(figure, row))
		format_bound(buf, size, info, figure_number(figure, row));
	else
		format_value(buf, size, info->unit,
			     figure_number(figure, row));
	return buf;
}

char *figure_exact(enum figure figure, const struct ring_row *row, char *buf,
		   size_t size)
{
	const struct figure_info *info = &infos[figure];
	bool bound = figure_is_bound(figure, row);
	bool after = info->bound == BOUND_ROUNDS;

	if (info->kind != FIGURE_IS_COUNT || !figure_is_known(figure, row))
		return figure_text(figure, row, buf, size);
	snprintf(buf, size, "%s%" PRIu64 "%s", bound && !after ? ">" : "",
		 figure_count(figure, row), bound && after ? "+" : "");
	return buf;
}

/* Empty texts sort last. */
static int compare_texts(const char *a, const char *b)
{
	if (!*a || !*b)
		return !*a - !*b;
	return strcmp(a, b);
}

/* Unknown values sort last. */
static int compare_numbers(double a, double b)
{
	if (isnan(a) || isnan(b))
		return !!isnan(a) - !!isnan(b);
	return (a > b) - (a < b);
}

int figure_compare(enum figure figure, const struct ring_row *a,
		   const struct ring_row *b)
{
	bool text = infos[figure].kind == FIGURE_IS_TEXT &&
		    figure != FIGURE_RING && figure != FIGURE_WARN;

	return text ? compare_texts(figure_word(figure, a),
				    figure_word(figure, b)) :
		      compare_numbers(figure_number(figure, a),
				      figure_number(figure, b));
}
