/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/host/host_detail.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "base/units.h"
#include "ui/kit/widgets.h"
#include "ui/views/aux/aux.h"
#include "ui/views/host/host.h"

enum {
	MAX_EVENTS = 120,	/* lines; more are only counted */
	TEXT = 96,
};

/* What the table of events tells. */
enum {
	EVENT, STATE, WHERE, PERIOD, LOST, LOST_RATE, COUNT, WRITES, ID,
	EVENT_COLUMNS
};

static const struct list_column event_columns[EVENT_COLUMNS] = {
	[EVENT] = { "EVENT", 18, 60, 0, true, LIST_UNSORTED },
	[STATE] = { "STATE", 9, 0, 1, true, LIST_UNSORTED },
	[WHERE] = { "ON", 10, 0, 3, true, LIST_UNSORTED },
	[PERIOD] = { "PERIOD", 8, 0, 4, false, LIST_UNSORTED },
	[LOST] = { "LOST", 6, 12, 2, false, LIST_UNSORTED },
	[LOST_RATE] = { "LOST/S", 6, 0, 6, false, LIST_UNSORTED },
	[COUNT] = { "COUNT", 6, 14, 7, false, LIST_UNSORTED },
	[WRITES] = { "ITS RING", 10, 0, 5, true, LIST_UNSORTED },
	[ID] = { "ID", 6, 10, 8, false, LIST_UNSORTED },
};

static void count_text(char *buf, size_t size, uint64_t count, bool full)
{
	if (count == UNKNOWN)
		snprintf(buf, size, "-");
	else if (full)
		snprintf(buf, size, "%" PRIu64, count);
	else
		units_count(buf, size, (double)count);
}

/* "4kHz", "c1000": as -F and -c are given. */
static void period_text(char *buf, size_t size, const struct ring_event *e)
{
	char count[8];

	units_count(count, sizeof(count), (double)e->period);
	if (!e->period)
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, e->freq ? "%sHz" : "c%s", count);
}

static void where_text(char *buf, size_t size, const struct ring_event *e)
{
	if (e->cpu >= 0 && e->tid >= 0)
		snprintf(buf, size, "%d, CPU %d", (int)e->tid, e->cpu);
	else if (e->cpu >= 0)
		snprintf(buf, size, "CPU %d", e->cpu);
	else if (e->tid >= 0)
		snprintf(buf, size, "tid %d", (int)e->tid);
	else
		snprintf(buf, size, "-");
}

static void event_text(int column, const struct ring_event *e, int width,
		       char *buf, size_t size)
{
	switch (column) {
	case EVENT:
		text_copy(buf, size, e->name);
		break;
	case STATE:
		snprintf(buf, size, "%s", e->throttled ? "throttled" :
			 ring_row_event_state_name(e->state));
		break;
	case WHERE:
		where_text(buf, size, e);
		break;
	case PERIOD:
		period_text(buf, size, e);
		break;
	case LOST:
		count_text(buf, size, e->lost, width >= 12);
		break;
	case LOST_RATE:
		units_count(buf, size, e->lost_per_s);
		break;
	case COUNT:
		count_text(buf, size, e->count, width >= 14);
		break;
	case WRITES:
		snprintf(buf, size, "%s", e->maps ? "mapped" : "redirected");
		break;
	case ID:
		count_text(buf, size, e->id, true);
		break;
	}
}

static enum role event_role(int column, const struct ring_event *e)
{
	if (column == EVENT)
		return ROLE_LABEL;
	if (column == STATE && e->throttled)
		return ROLE_WARN;
	if (column == STATE)
		return e->state == RING_EVENT_ERROR ? ROLE_BAD : ROLE_DEFAULT;
	if (column == LOST && e->lost != UNKNOWN && e->lost)
		return ROLE_BAD;
	if (column == LOST_RATE && e->lost_per_s > 0)
		return ROLE_BAD;
	return column == PERIOD || column == COUNT ? ROLE_DEFAULT : ROLE_DIM;
}

static void draw_event(struct area a, int row, const struct list_place *places,
		       const struct ring_event *e)
{
	char text[TEXT];

	for (int i = 0; i < EVENT_COLUMNS; i++) {
		event_text(i, e, places[i].width, text, sizeof(text));
		list_columns_cell(a, row, &event_columns[i], &places[i],
				  event_role(i, e), text);
	}
}

int host_parts_events(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	size_t shown = r->nr_events < MAX_EVENTS ? r->nr_events : MAX_EVENTS;
	struct list_place places[EVENT_COLUMNS];

	if (!r->nr_events)
		return row;
	widget_heading(a, row++, r->nr_events > 1 ?
		       "Events that share it" : "The event that writes into it");
	list_columns_fit(event_columns, EVENT_COLUMNS, NULL, 0, a.cols, places);
	list_columns_header(a, row++, event_columns, EVENT_COLUMNS, places);
	for (size_t i = 0; i < shown; i++)
		draw_event(a, row++, places, &r->events[i]);
	if (shown < r->nr_events)
		area_printf(a, row++, 0, ROLE_DIM, "and %zu more",
			    r->nr_events - shown);
	return row;
}

static int draw_holder(struct area a, int row, const struct ring_holder *h)
{
	int col;

	area_printf(a, row, 0, ROLE_DEFAULT, "%7d", (int)h->pid);
	col = 9 + area_text(a, row, 9, 15, ROLE_LABEL, h->comm);
	area_text(a, row, col + 2, 0, ROLE_DIM,
		  h->maps ? "has it mapped" : "holds a file descriptor");
	return row + 1;
}

int host_parts_holders(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	unsigned int named = r->nr_holders < RING_HOLDERS ? r->nr_holders :
							    RING_HOLDERS;

	widget_heading(a, row++, "Held by");
	for (unsigned int i = 0; i < named; i++)
		row = draw_holder(a, row, &r->holders[i]);
	if (named < r->nr_holders)
		area_printf(a, row++, 0, ROLE_DIM, "and %u more",
			    r->nr_holders - named);
	if (!r->nr_holders)
		area_text(a, row++, 0, 0, ROLE_DIM, "nobody that was seen");
	if (!r->mapped && !r->gone)
		row = area_wrapped(a, row, ROLE_DIM, r->kind == RING_PERF ?
				   "no process is seen to have it mapped: it is "
				   "not drained" :
				   "its mapping was not seen");
	return row;
}

static const struct host_user *user_of(const struct host_detail_page *page)
{
	for (size_t i = 0; i < page->host->nr_users; i++) {
		if (page->host->users[i].uid == page->row->uid)
			return &page->host->users[i];
	}
	return NULL;
}

static const char *known_bytes(uint64_t bytes, char *buf, size_t size)
{
	if (bytes == UNKNOWN)
		return "an unknown part";
	return units_bytes(buf, size, (double)bytes);
}

/* How the kernel reckons: perf_mmap() in kernel/events/core.c. */
static int draw_limits(struct area a, int row, const struct host_user *u)
{
	char locked[8], limit[8], pinned[8], memlock[8], text[256];
	enum role role = u->at_limit ? ROLE_WARN : ROLE_DEFAULT;

	snprintf(text, sizeof(text), "rings of %s pin %s of the %s that "
		 "perf_event_mlock_kb allows on these CPUs", u->name,
		 known_bytes(u->locked, locked, sizeof(locked)),
		 known_bytes(u->limit, limit, sizeof(limit)));
	row = area_wrapped(a, row, role, text);
	if (u->exempt)
		return area_wrapped(a, row, ROLE_DIM, "no limit: the owner has "
				    "CAP_IPC_LOCK, or perf_event_paranoid is "
				    "below 0");
	if (u->memlock == UNKNOWN)
		return area_wrapped(a, row, ROLE_DIM, "beyond that there is no "
				    "limit: RLIMIT_MEMLOCK is unlimited");
	snprintf(text, sizeof(text), "beyond that one process pins %s of its "
		 "RLIMIT_MEMLOCK of %s%s",
		 known_bytes(u->pinned, pinned, sizeof(pinned)),
		 known_bytes(u->memlock, memlock, sizeof(memlock)),
		 u->at_limit ? "; raise one of the two" : "");
	return area_wrapped(a, row, role, text);
}

int host_parts_user(struct area a, int row, const void *detail)
{
	const struct host_detail_page *page = detail;
	const struct host_user *u = user_of(page);
	char pins[8], text[128];

	if (page->row->locked == UNKNOWN)
		return row;
	widget_heading(a, row++, "Pinned memory");
	snprintf(text, sizeof(text), "this ring pins %s%s%s",
		 known_bytes(page->row->locked, pins, sizeof(pins)),
		 *page->row->user ? ", paid for by " : "", page->row->user);
	row = area_wrapped(a, row, ROLE_DEFAULT, text);
	return u ? draw_limits(a, row, u) : row;
}

/* Said first: the cause of what else may be wrong. */
#define STOPPED "its owner is stopped, by SIGSTOP or a debugger: until it " \
		"goes on it drains nothing"

int host_parts_warnings(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	struct area text = area_sub(a, 0, 2, a.rows, a.cols - 2);
	char buf[256];

	/* which RING_WARN_UNDRAINED would say itself */
	if (r->stopped && !r->gone &&
	    !(r->warnings & 1u << RING_WARN_UNDRAINED)) {
		area_put(a, row, 0, ROLE_WARN, '!');
		row = area_wrapped(text, row, ROLE_WARN, STOPPED);
	}
	for (int i = 0; i < RING_WARNINGS; i++) {
		unsigned int bit = 1u << i;
		enum role role = host_alarm_role(bit);

		if (!(r->warnings & bit))
			continue;
		area_put(a, row, 0, role, '!');
		row = area_wrapped(text, row, role,
				   ring_warning_text((enum ring_warning)i,
						     r, buf,
						     sizeof(buf)));
	}
	return row;
}
