/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host.h"

#include <stdio.h>

#include "base/text.h"
#include "base/units.h"

enum { UNIT_BUF = 16 };

const char *host_warning_name(enum host_warning warning)
{
	static const char *const names[HOST_WARNINGS] = {
		[HOST_WARN_UNDRAINED] = "undrained",
		[HOST_WARN_PENDING] = "pending",
		[HOST_WARN_LOSING] = "losing",
		[HOST_WARN_PAUSED] = "paused",
		[HOST_WARN_THROTTLED] = "throttled",
		[HOST_WARN_TRUNCATED] = "truncated",
		[HOST_WARN_ERROR] = "error",
		[HOST_WARN_MLOCK] = "mlock",
		[HOST_WARN_BAD_TAIL] = "bad tail",
		[HOST_WARN_FULL] = "full",
	};

	return names[warning];
}

const char *host_kind_name(enum host_kind kind)
{
	return kind == HOST_BPF_RINGBUF ? "bpf" : "perf";
}

const char *host_event_state_name(enum host_event_state state)
{
	static const char *const names[] = {
		[HOST_EVENT_UNKNOWN] = "unknown",
		[HOST_EVENT_ACTIVE] = "active",
		[HOST_EVENT_INACTIVE] = "inactive",
		[HOST_EVENT_OFF] = "off",
		[HOST_EVENT_ERROR] = "error",
		[HOST_EVENT_GONE] = "gone",
	};

	return names[state];
}

const struct host_row *host_find(const struct host *host, uint64_t id)
{
	for (size_t i = 0; i < host->nr_rows; i++)
		if (host->rows[i].id == id)
			return &host->rows[i];
	return NULL;
}

/* The first event that is throttled, or in @state, by name. */
static const char *event_name(const struct host_row *row, bool throttled,
			      enum host_event_state state)
{
	for (size_t i = 0; i < row->nr_events; i++) {
		const struct host_event *event = &row->events[i];

		if (throttled ? event->throttled : event->state == state)
			return event->name;
	}
	return "an event";
}

static void undrained_text(const struct host_row *row, char *buf, size_t size)
{
	char gap[UNIT_BUF], used[UNIT_BUF];

	snprintf(buf, size, "its owner %shas not drained it for %s or more: "
		 "%s wait",
		 row->stopped ? "is stopped (SIGSTOP) and " :
		 row->kind == HOST_BPF_RINGBUF ? "" : "was woken and ",
		 units_duration(gap, sizeof(gap), row->undrained),
		 units_bytes(used, sizeof(used), (double)row->used));
}

static void lost_text(enum host_warning warning, const struct host_row *row,
		      char *buf, size_t size)
{
	char count[UNIT_BUF];

	if (warning == HOST_WARN_PENDING)
		snprintf(buf, size, "lost records: %s that its owner was not "
			 "told of; the next LOST record will",
			 units_count(count, sizeof(count),
				     (double)row->lost_pending));
	else
		snprintf(buf, size, "records are being lost: %s a second",
			 units_count(count, sizeof(count), row->lost_per_s));
}

static void tail_text(const struct host_row *row, char *buf, size_t size)
{
	const char *tail = row->kind == HOST_BPF_RINGBUF ? "consumer_pos" :
			   row->bad_tail ? "data_tail" : "aux_tail";

	snprintf(buf, size, "its owner wrote an invalid %s, beyond the head or "
		 "more than a ring behind it: the kernel miscalculates the "
		 "free space",
		 tail);
}

static void full_text(const struct host_row *row, char *buf, size_t size)
{
	char peak[UNIT_BUF], all[UNIT_BUF];

	snprintf(buf, size, "nearly full: at least %s of %s; records that do "
		 "not fit are lost, and BPF ring buffers do not count losses",
		 units_share(peak, sizeof(peak), row->peak_tick),
		 units_bytes(all, sizeof(all), (double)row->size));
}

static void event_text(enum host_warning warning, const struct host_row *row,
		       char *buf, size_t size)
{
	if (warning == HOST_WARN_THROTTLED)
		snprintf(buf, size, "%s is throttled: it came more often than "
			 "kernel.perf_event_max_sample_rate",
			 event_name(row, true, HOST_EVENT_UNKNOWN));
	else if (warning == HOST_WARN_TRUNCATED)
		snprintf(buf, size, "the AUX ring is full: no trace until its "
			 "owner reads it and enables the event again");
	else
		snprintf(buf, size, "%s is pinned and found no counter: it "
			 "counts nothing",
			 event_name(row, false, HOST_EVENT_ERROR));
}

char *host_warning_text(enum host_warning warning, const struct host_row *row,
			char *buf, size_t size)
{
	switch (warning) {
	case HOST_WARN_UNDRAINED:
		undrained_text(row, buf, size);
		break;
	case HOST_WARN_PENDING:
	case HOST_WARN_LOSING:
		lost_text(warning, row, buf, size);
		break;
	case HOST_WARN_PAUSED:
		snprintf(buf, size, "output is paused "
			 "(PERF_EVENT_IOC_PAUSE_OUTPUT): what comes is lost");
		break;
	case HOST_WARN_BAD_TAIL:
		tail_text(row, buf, size);
		break;
	case HOST_WARN_MLOCK:
		snprintf(buf, size, "user %s is at the mlock limit: one more "
			 "such ring is refused; see "
			 "kernel.perf_event_mlock_kb, ulimit -l", row->user);
		break;
	case HOST_WARN_FULL:
		full_text(row, buf, size);
		break;
	default:
		event_text(warning, row, buf, size);
	}
	return text_sanitize(buf);
}
