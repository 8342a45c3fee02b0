/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/ring_warning.h"

#include <stdio.h>

#include "base/text.h"
#include "base/units.h"

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
