/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/ring_row.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "base/units.h"

enum { SMALLEST_RECORD = 8 };	/* sizeof(struct perf_event_header) */

/* Of the room above the watermark. */
#define RAISED 0.5
#define HIGH 0.8
/* A watermark above that leaves too little room. */
#define MAX_MARK 0.8

void ring_row_push(const struct ring_row *row, double seconds,
		   struct ring_histories *to)
{
	to->level.merge = to->time.merge = HISTORY_MEAN;
	history_push(&to->fill, row->peak_tick);
	history_push(&to->level, row->fill);
	history_push(&to->rate, row->bytes_per_s);
	history_push(&to->wakeup, row->wakeups_per_s);
	history_push(&to->lost, row->lost_per_s);
	history_push(&to->time, seconds);
}

bool ring_row_label(struct ring_row *row)
{
	bool of_cpu = row->cpu >= 0;

	if (!of_cpu && row->tid < 0)
		return false;
	snprintf(row->label, sizeof(row->label), of_cpu ? "CPU %d" : "tid %d",
		 of_cpu ? row->cpu : row->tid);
	return true;
}

void ring_row_own(struct ring_row *row)
{
	row->known = row->mapped = true;
	row->uid = row->owner_uid = (uid_t)-1;
	row->undrained = row->worst_gap = row->run_wait = row->run_share = NAN;
	row->output_wait = NAN;
	row->first_seen = row->last_seen = row->lost_from = NAN;
	row->lost_bytes = UNKNOWN;
	row->remapped = row->locked = UNKNOWN;
}

void ring_row_of_records(struct ring_row *row, struct ring_reads *reads)
{
	struct ring_stats *stats = &reads->stats;

	row->size = row->used = row->head = row->tail = UNKNOWN;
	row->watermark = row->wakeup_events = row->next_crossing = 0;
	row->fill = row->peak = row->peak_tick = NAN;
	row->crossings = row->wakeups = row->drains = UNKNOWN;
	row->wakeups_per_s = row->drains_per_s = NAN;
	stats->own = stats->unknown_ids = stats->broken = UNKNOWN;
	stats->timer_drains = UNKNOWN;
	reads->counts_age = NAN;
}

bool ring_row_wakes_always(const struct ring_row *row)
{
	return row->known && row->watermark &&
	       (row->watermark <= SMALLEST_RECORD || row->wakeup_events == 1);
}

/* A watermark beyond the size is never reached. */
static double mark_of(uint64_t watermark, uint64_t size)
{
	if (!watermark || watermark == UNKNOWN || size == UNKNOWN ||
	    watermark > size)
		return NAN;
	return ring_share(watermark, size);
}

double ring_row_mark(const struct ring_row *row)
{
	if (!row->known || row->overwrite || ring_row_wakes_always(row))
		return NAN;
	return mark_of(row->watermark, row->size);
}

double ring_row_aux_mark(const struct ring_row *row)
{
	if (!row->known || row->aux.overwrite)
		return NAN;
	return mark_of(row->aux.watermark, row->aux.size);
}

enum ring_level ring_row_level(double fill, double mark)
{
	double from = isnan(mark) ? 0 : fmin(mark, MAX_MARK);
	double room = 1 - from;

	if (fill >= from + room * HIGH)
		return RING_LEVEL_HIGH;
	return fill >= from + room * RAISED ? RING_LEVEL_RAISED :
					      RING_LEVEL_LOW;
}

uint64_t ring_row_lost_since(const struct ring_row *row)
{
	return row->lost == UNKNOWN ? UNKNOWN :
				      ring_delta(row->lost, row->lost_before);
}

bool ring_row_has_aux_head(const struct ring_row *row)
{
	const struct ring_aux *aux = &row->aux;

	if (!aux->size || aux->head == UNKNOWN)
		return false;
	return !aux->overwrite || !row->reads ||
	       !isnan(row->reads->aux.head_age);
}

const struct ring_kind_info *ring_kind_info(enum ring_kind kind)
{
	static const struct ring_kind_info kinds[RING_KINDS] = {
#define RING_KIND(id, name, noun, label, total, metric, help) \
	[RING_##id] = { name, noun, label, total },
#include "ring/ring_kinds.def"
#undef RING_KIND
	};

	return &kinds[kind];
}

const char *ring_row_event_state_name(enum ring_event_state state)
{
	static const char *const names[] = {
		[RING_EVENT_UNKNOWN] = "unknown",
		[RING_EVENT_ACTIVE] = "active",
		[RING_EVENT_INACTIVE] = "inactive",
		[RING_EVENT_OFF] = "off",
		[RING_EVENT_ERROR] = "error",
		[RING_EVENT_GONE] = "gone",
	};

	return names[state];
}

enum { UNIT_BUF = 16 };

const char *ring_warning_name(enum ring_warning warning)
{
	static const char *const names[RING_WARNINGS] = {
		[RING_WARN_STOPPED] = "stopped",
		[RING_WARN_UNDRAINED] = "undrained",
		[RING_WARN_PENDING] = "pending",
		[RING_WARN_LOSING] = "losing",
		[RING_WARN_PAUSED] = "paused",
		[RING_WARN_THROTTLED] = "throttled",
		[RING_WARN_TRUNCATED] = "truncated",
		[RING_WARN_ERROR] = "error",
		[RING_WARN_MLOCK] = "mlock",
		[RING_WARN_BAD_TAIL] = "bad tail",
		[RING_WARN_FULL] = "full",
	};

	return names[warning];
}

/* The name of the first event that is throttled, or in @state. */
static const char *event_name(const struct ring_row *row, bool throttled,
			      enum ring_event_state state)
{
	for (size_t i = 0; i < row->nr_events; i++) {
		const struct ring_event *event = &row->events[i];

		if (throttled ? event->throttled : event->state == state)
			return event->name;
	}
	return "an event";
}

static void undrained_text(const struct ring_row *row, char *buf, size_t size)
{
	char gap[UNIT_BUF], used[UNIT_BUF];

	snprintf(buf, size, "its owner %shas not drained it for %s or more: "
		 "%s waiting",
		 row->stopped || row->kind != RING_PERF ? "" : "was woken and ",
		 units_duration(gap, sizeof(gap), row->undrained),
		 units_bytes(used, sizeof(used), (double)row->used));
}

static void lost_text(enum ring_warning warning, const struct ring_row *row,
		      char *buf, size_t size)
{
	char count[UNITS_RECORDS];

	if (warning == RING_WARN_PENDING)
		snprintf(buf, size, "%s lost, not yet reported to the "
			 "owner", units_records(count, row->lost_pending));
	else
		snprintf(buf, size, "records are being lost: %s/s",
			 units_count(count, sizeof(count), row->lost_per_s));
}

static void tail_text(const struct ring_row *row, char *buf, size_t size)
{
	const char *tail = row->kind == RING_BPF ? "consumer_pos" :
			   row->bad_tail ? "data_tail" : "aux_tail";

	snprintf(buf, size, "its owner wrote an invalid %s, beyond the head or "
		 "more than a ring behind it: the kernel miscalculates the "
		 "free space",
		 tail);
}

static void full_text(const struct ring_row *row, char *buf, size_t size)
{
	char peak[UNIT_BUF], all[UNIT_BUF];

	snprintf(buf, size, "nearly full: at least %s of %s; records that do "
		 "not fit are lost, and BPF ring buffers do not count losses",
		 units_share(peak, sizeof(peak), row->peak_tick),
		 units_bytes(all, sizeof(all), (double)row->size));
}

static void event_text(enum ring_warning warning, const struct ring_row *row,
		       char *buf, size_t size)
{
	if (warning == RING_WARN_THROTTLED)
		snprintf(buf, size, "%s is throttled: its rate exceeded "
			 "kernel.perf_event_max_sample_rate",
			 event_name(row, true, RING_EVENT_UNKNOWN));
	else if (warning == RING_WARN_TRUNCATED)
		snprintf(buf, size, "the AUX ring is full: no trace until its "
			 "owner reads it and enables the event again");
	else
		snprintf(buf, size, "%s is pinned and got no counter: it "
			 "counts nothing",
			 event_name(row, false, RING_EVENT_ERROR));
}

char *ring_warning_text(enum ring_warning warning, const struct ring_row *row,
			char *buf, size_t size)
{
	switch (warning) {
	case RING_WARN_STOPPED:
		snprintf(buf, size, "its owner is stopped (SIGSTOP or a "
			 "debugger): it drains nothing until it resumes");
		break;
	case RING_WARN_UNDRAINED:
		undrained_text(row, buf, size);
		break;
	case RING_WARN_PENDING:
	case RING_WARN_LOSING:
		lost_text(warning, row, buf, size);
		break;
	case RING_WARN_PAUSED:
		snprintf(buf, size, "output is paused "
			 "(PERF_EVENT_IOC_PAUSE_OUTPUT): new records are lost");
		break;
	case RING_WARN_BAD_TAIL:
		tail_text(row, buf, size);
		break;
	case RING_WARN_MLOCK:
		snprintf(buf, size, "user %s is at the mlock limit: one more "
			 "such ring is refused; see "
			 "kernel.perf_event_mlock_kb, ulimit -l", row->user);
		break;
	case RING_WARN_FULL:
		full_text(row, buf, size);
		break;
	default:
		event_text(warning, row, buf, size);
	}
	return text_sanitize(buf);
}

/*
 * Most severe first: an owner that is stopped, which causes the others, or does
 * not respond, then records lost, then what may lose records, then what the
 * owner chose itself.
 */
static const enum ring_warning severity[RING_WARNINGS] = {
	RING_WARN_STOPPED,   RING_WARN_UNDRAINED, RING_WARN_LOSING,
	RING_WARN_PENDING,   RING_WARN_TRUNCATED, RING_WARN_ERROR,
	RING_WARN_FULL,	     RING_WARN_PAUSED,	  RING_WARN_BAD_TAIL,
	RING_WARN_THROTTLED, RING_WARN_MLOCK,
};

/* The index in severity[] of the most severe warning; RING_WARNINGS: none. */
static int worst(const struct ring_row *row)
{
	int i = 0;

	while (i < RING_WARNINGS && !(row->warnings & 1U << severity[i]))
		i++;
	return i;
}

const char *ring_warning_cell(const struct ring_row *row)
{
	int at = worst(row);

	if (row->gone)
		return "gone";
	return at < RING_WARNINGS ? ring_warning_name(severity[at]) : "-";
}

double ring_warning_badness(const struct ring_row *row)
{
	return (RING_WARNINGS - worst(row)) * (RING_WARNINGS + 1) +
	       __builtin_popcount(row->warnings);
}
