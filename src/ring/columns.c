/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/units.h"
#include "base/unknown.h"

enum format {
	FORMAT_LABEL,		/* of the ring */
	FORMAT_COMM,
	FORMAT_NUMBER,
	FORMAT_COUNT,
	FORMAT_BYTES,
	FORMAT_SHARE,
	FORMAT_SECONDS,
};

static double number(int value)
{
	return value < 0 ? NAN : (double)value;
}

/* The first six bytes as a number: a double holds 53 bits exactly. */
static double comm_order(const char *comm)
{
	double order = 0;

	if (!*comm)
		return NAN;
	for (int i = 0; i < 6; i++) {
		order = order * 256 + (unsigned char)*comm;
		comm += *comm != 0;
	}
	return order;
}

/* What only the reader of the ring's records knows. */
#define READS(what) (r->reads ? (double)r->reads->what : (double)NAN)

static double of_aux(const struct ring_row *r, uint64_t value)
{
	return r->aux.size ? unknown_as_nan(value) : NAN;
}

static double aux_head(const struct ring_row *r)
{
	return ring_row_has_aux_head(r) ? (double)r->aux.position : NAN;
}

/* A getter for every row of columns.def: GETTER(id, format, value). */
#define GETTER(id, format, value)                          \
	enum { FORMAT_OF_##id = FORMAT_##format };         \
	static double get_##id(const struct ring_row *r) \
	{                                                  \
		return value;                              \
	}

GETTER(RING, LABEL, (double)r->id)
GETTER(CPU, NUMBER, number(r->cpu))
GETTER(TID, NUMBER, number(r->tid))
GETTER(COMM, COMM, comm_order(r->comm))
GETTER(SIZE, BYTES, unknown_as_nan(r->size))
GETTER(FILL, SHARE, r->fill)
GETTER(FILLPCT, SHARE, r->fill)
GETTER(PEAK, SHARE, r->peak)
GETTER(USED, BYTES, unknown_as_nan(r->used))
GETTER(RATE, BYTES, r->bytes_per_s)
GETTER(RECORDS, COUNT, READS(records_per_s))
GETTER(WAKE, COUNT, r->wakeups_per_s)
GETTER(CROSSINGS, COUNT, unknown_as_nan(r->crossings))
GETTER(WAKEUPS, COUNT, unknown_as_nan(r->wakeups))
GETTER(DRAINS, COUNT, unknown_as_nan(r->drains))
GETTER(TIMER, COUNT, READS(stats.timer_drains))
GETTER(P50, SECONDS, READS(latency_p50))
GETTER(P99, SECONDS, READS(latency_p99))
GETTER(LOST, COUNT, unknown_as_nan(r->lost))
GETTER(LOSTRATE, COUNT, r->lost_per_s)
GETTER(PENDING, COUNT, unknown_as_nan(r->lost_pending))
GETTER(THROTTLED, COUNT, READS(stats.types[RECORD_THROTTLE]))
GETTER(SAMPLES, COUNT, READS(stats.types[RECORD_SAMPLE]))
GETTER(WATERMARK, BYTES, unknown_as_nan(r->watermark))
GETTER(OWN, COUNT, READS(stats.own))
GETTER(AUX, BYTES, of_aux(r, r->aux.size))
GETTER(AUXHEAD, BYTES, aux_head(r))
GETTER(AUXAGE, SECONDS, r->aux.overwrite ? READS(aux.head_age) : NAN)
GETTER(AUXFILL, SHARE, r->aux.size ? r->aux.fill : NAN)
GETTER(AUXPEAK, SHARE, r->aux.size ? READS(aux.peak) : NAN)
GETTER(AUXRATE, BYTES, r->aux.size ? r->aux.bytes_per_s : NAN)
GETTER(AUXWRAPS, COUNT, of_aux(r, r->aux.wraps))
GETTER(TRUNCATED, COUNT, r->aux.size ? READS(stats.aux.truncated) : NAN)
GETTER(PARTIAL, COUNT, r->aux.size ? READS(stats.aux.partial) : NAN)
GETTER(COLLISION, COUNT, r->aux.size ? READS(stats.aux.collision) : NAN)
GETTER(HIST, SHARE, r->peak_tick)

#define COLUMN(id, name, header, width, shown, descending, help) \
	{ name, header, width, shown, descending, help },
static const struct column_info infos[COLUMNS] = {
#include "ring/columns.def"
};
#undef COLUMN

#define COLUMN(id, ...) { get_##id, (enum format)FORMAT_OF_##id },
static const struct {
	double (*get)(const struct ring_row *r);
	enum format format;
} getters[COLUMNS] = {
#include "ring/columns.def"
};
#undef COLUMN

const struct column_info *column_info(enum column column)
{
	return &infos[column];
}

enum column column_find(const char *id)
{
	for (int i = 0; i < COLUMNS; i++)
		if (!strcasecmp(infos[i].id, id))
			return (enum column)i;
	return COLUMNS;
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

/* Of rounds that went by between two stops of tracing, nothing is known. */
static bool is_bound(enum column column, const struct ring_row *ring)
{
	return column == COLUMN_AUXWRAPS && ring->aux.overwrite;
}

char *column_text(enum column column, const struct ring_row *ring, char *buf,
		  size_t size)
{
	enum format format = getters[column].format;
	double value = getters[column].get(ring);

	if (format == FORMAT_LABEL)
		text_copy(buf, size, ring->label);
	else if (format == FORMAT_COMM && ring->comm[0])
		text_copy(buf, size, ring->comm);
	else if (isnan(value))
		text_copy(buf, size, "-");
	else
		format_value(buf, size, format, value);
	if (is_bound(column, ring) && !isnan(value))
		snprintf(buf + strlen(buf), size - strlen(buf), "+");
	return buf;
}

double column_value(enum column column, const struct ring_row *ring)
{
	return getters[column].get(ring);
}
