/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_picture.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "host/table/host_evidence.h"
#include "host/table/host_figures.h"
#include "host/table/host_holders.h"
#include "ring/frame/ring_total.h"

/* A fill below this is never undrained. */
static const double least_fill = 0.01;

/*
 * The same for BPF ring buffers: their wakeups are not visible, and programs
 * may delay them until much data waits (BPF_RB_NO_WAKEUP).
 */
static const double least_unseen = 0.5;

/* Above this fill a BPF ring buffer may have had no room for a record. */
static const double least_full = 0.95;

static unsigned int bit(bool on, enum ring_warning warning)
{
	return on ? 1U << warning : 0;
}

static bool any_in(const struct ring_row *row, enum ring_event_state state)
{
	for (size_t i = 0; i < row->nr_events; i++)
		if (row->events[i].state == state)
			return true;
	return false;
}

static bool any_throttled(const struct ring_row *row)
{
	for (size_t i = 0; i < row->nr_events; i++)
		if (row->events[i].throttled)
			return true;
	return false;
}

/*
 * Drivers use complete pages, so up to two may stay free.  In snapshot mode a
 * ring is never full.
 */
static bool aux_is_full(const struct ring_aux *aux, uint64_t page_size)
{
	return aux->size && aux->used != UNKNOWN &&
	       aux->size - aux->used < 2 * page_size;
}

/*
 * The kernel disables the event when no trace fits any more.  Between Linux 6.9
 * and 6.15, and on CPU 0 before, it fails to do so (perf_aux_output_end() in
 * kernel/events/ring_buffer.c): the event is active, and writes no trace.
 */
static bool is_truncated(const struct host_row_state *state,
			 const struct ring_row *row, uint64_t page_size)
{
	return aux_is_full(&row->aux, page_size) &&
	       (any_in(row, RING_EVENT_OFF) || state->aux_still);
}

static unsigned int event_warnings(const struct host_row_state *state,
				   const struct ring_row *row,
				   uint64_t page_size)
{
	return bit(any_throttled(row), RING_WARN_THROTTLED) |
	       bit(is_truncated(state, row, page_size), RING_WARN_TRUNCATED) |
	       bit(any_in(row, RING_EVENT_ERROR), RING_WARN_ERROR);
}

static bool is_undrained(const struct host_row_state *state,
			 const struct ring_row *row)
{
	bool unseen = row->kind == RING_BPF && !row->stopped;

	return row->fill >= (unseen ? least_unseen : least_fill) &&
	       host_gaps_overdue(&state->gaps, row->last_seen) >=
		       RING_UNDRAINED;
}

/* Perf rings count their losses instead. */
static bool is_full(const struct ring_row *row)
{
	return row->kind == RING_BPF && !row->overwrite &&
	       row->peak_tick >= least_full;
}

/* Bits 1 << enum ring_warning; @refused: see host_users_refused(). */
static unsigned int warnings(const struct host_row_state *state,
			     const struct ring_row *row, bool refused,
			     uint64_t page_size)
{
	unsigned int any = bit(refused, RING_WARN_MLOCK) |
			   bit(row->stopped, RING_WARN_STOPPED);
	bool pending = row->lost_pending != UNKNOWN && row->lost_pending;

	/* Nothing can be done about a ring that is gone. */
	if (row->gone)
		return 0;
	if (!row->known)
		return any;
	return bit(is_undrained(state, row), RING_WARN_UNDRAINED) |
	       bit(pending, RING_WARN_PENDING) |
	       bit(row->lost_per_s > 0, RING_WARN_LOSING) |
	       bit(row->paused, RING_WARN_PAUSED) |
	       bit(row->bad_tail || row->aux.bad_tail, RING_WARN_BAD_TAIL) |
	       bit(is_full(row), RING_WARN_FULL) |
	       event_warnings(state, row, page_size) | any;
}

/* Allocate all rows and events first, so that pointers to them stay valid. */
static int make_room(struct host_picture *picture,
		     const struct host_rows *rows)
{
	struct host *host = &picture->host;
	size_t events = 0, room = picture->room_rows;

	for (size_t i = 0; i < rows->nr; i++)
		events += rows->list[i]->nr_events;
	if (array_fit(host->rows, room, rows->nr) != 0 ||
	    array_fit(picture->states, picture->room_rows, rows->nr) != 0 ||
	    array_fit(picture->evidence, picture->room_evidence,
		      rows->nr) != 0)
		return -ENOMEM;
	return array_fit(picture->events, picture->room_events, events);
}

/* Copy the present events to *@to, and advance it. */
static void set_events(const struct host_row_state *state,
		       struct ring_row *row, struct ring_event **to)
{
	row->events = *to;
	for (size_t i = 0; i < state->nr_events; i++)
		if (state->events[i].inside)
			*(*to)++ = state->events[i].seen;
	row->nr_events = (size_t)(*to - row->events);
}

/* A ring that is gone has no rates; totals remain. */
static void still(struct ring_row *row)
{
	row->bytes_per_s = row->wakeups_per_s = row->drains_per_s = NAN;
	row->lost_per_s = row->undrained = row->run_wait = NAN;
	row->aux.bytes_per_s = NAN;
	row->woken = row->stopped = false;
	for (size_t i = 0; i < row->nr_events; i++)
		row->events[i].lost_per_s = NAN;
}

static void set_row(struct host_row_state *state, struct ring_row *row,
		    struct ring_event **events)
{
	*row = state->row;
	set_events(state, row, events);
	host_holders_list(state, row);
	row->fill_history = &state->fill_history;
	row->level_history = &state->level_history;
	row->wakeup_history = &state->wakeup_history;
	row->time_history = &state->time_history;
	row->rate_history = &state->rate_history;
	row->lost_history = &state->lost_history;
}

static void set_rows(struct host_picture *picture,
		     const struct host_rows *rows,
		     const struct host_users *users, uint64_t page_size)
{
	struct host *host = &picture->host;
	struct ring_event *events = picture->events;

	host->nr_rows = 0;
	for (size_t i = 0; i < rows->nr; i++) {
		struct host_row_state *state = rows->list[i];
		struct ring_row *row = &host->rows[host->nr_rows];

		state->shown = host_filter_shows(rows->filter, &state->row);
		host_figures_tick(state);
		if (!state->shown)
			continue;
		set_row(state, row, &events);
		row->warnings = warnings(state, row,
					 host_users_refused(users, state),
					 page_size);
		if (row->gone)
			still(row);
		picture->states[host->nr_rows++] = state;
	}
}

static void advise(struct host_picture *picture, uint64_t page_size)
{
	struct host *host = &picture->host;

	for (size_t i = 0; i < host->nr_rows; i++) {
		picture->evidence[i].row = &host->rows[i];
		host_evidence_sum(picture->states[i], page_size,
				  &picture->evidence[i]);
	}
	host_evidence_advise(picture->evidence, host->nr_rows);
}

static void begin_total(struct ring_total *total)
{
	ring_total_begin(total);
	total->row.crossings = UNKNOWN;
	total->row.fill = total->row.peak = NAN;
	total->row.locked = total->row.remapped = 0;
}

static void add_to_total(struct ring_total *total, const struct ring_row *row)
{
	struct ring_row *sum = &total->row;

	total->rings += row->kind == RING_PERF;
	total->ringbufs += row->kind == RING_BPF;
	total->uncounted += row->kind == RING_BPF && !row->overwrite;
	total->warned += row->warnings != 0;
	sum->warnings |= row->warnings;
	sum->size += row->size;
	sum->used += unknown_as_zero(row->used);
	sum->locked += unknown_as_zero(row->locked);
	sum->remapped += unknown_as_zero(row->remapped);
	ring_total_add(&sum->bytes_per_s, row->bytes_per_s);
	ring_total_add(&sum->wakeups_per_s, row->wakeups_per_s);
	ring_total_add(&sum->drains_per_s, row->drains_per_s);
	ring_total_add(&sum->lost_per_s, row->lost_per_s);
	sum->peak = fmax(sum->peak, row->peak);
	sum->peak_tick = fmax(sum->peak_tick, row->peak_tick);
}

/*
 * A figure is unknown if there are rings but none has it; without any ring it
 * is 0.  Pending and lost are not read atomically.
 */
static void set_sums(struct ring_total *total, const struct host_sums *sums)
{
	struct ring_row *sum = &total->row;
	bool any = total->rings || total->ringbufs;

	if (sum->size)
		sum->fill = (double)sum->used / (double)sum->size;
	sum->bytes = sums->counters.bytes;
	sum->wakeups = sums->counters.wakeups;
	sum->drains = sums->counters.drains;
	sum->lost = sums->counters.lost;
	sum->lost_before = sums->lost_before;
	sum->lost_pending += sums->pending;
	sum->lost_reported = sum->lost_pending > sum->lost ? UNKNOWN :
			     sum->lost - sum->lost_pending;
	if (!sums->told && any) {
		sum->lost = sum->lost_reported = UNKNOWN;
		sum->lost_before = 0;
		sum->lost_per_s = NAN;
	}
	if (!sums->perf && any) {
		sum->lost_pending = sum->wakeups = UNKNOWN;
		sum->wakeups_per_s = NAN;
	}
	total->at_least = sums->at_least;
}

static void set_verdict(struct host *host)
{
	struct verdicts verdicts = { 0 };

	for (size_t i = 0; i < host->nr_rows; i++)
		verdicts_add(&verdicts, &host->rows[i]);
	host->total.row.advice.verdict = verdicts_worst(&verdicts);
	verdicts_text(&verdicts, host->verdicts, sizeof(host->verdicts));
}

static int set_total(struct host_picture *picture, struct host_rows *rows)
{
	struct host *host = &picture->host;
	struct ring_total *total = &host->total;

	table_clear(&picture->owners);
	if (table_reserve(&picture->owners, host->nr_rows) != 0)
		return -ENOMEM;
	begin_total(total);
	for (size_t i = 0; i < host->nr_rows; i++) {
		const struct ring_row *row = &host->rows[i];

		host_rows_count(rows, picture->states[i]);
		total->row.lost_pending += unknown_as_zero(row->lost_pending);
		if (row->gone)
			continue;
		add_to_total(total, row);
		if (row->pid >= 0 &&
		    !table_find(&picture->owners, (uint64_t)row->pid))
			table_add_index(&picture->owners, (uint64_t)row->pid,
					i);
	}
	total->owners = (unsigned int)picture->owners.len;
	set_verdict(host);
	set_sums(total, &rows->sums);
	host_limit_total(host);
	return 0;
}

int host_picture_make(struct host_picture *picture, struct host_rows *rows,
		      struct host_users *users, uint64_t page_size)
{
	if (make_room(picture, rows) != 0 || host_users_make(users, rows) != 0)
		return -ENOMEM;
	picture->host.users = users->list;
	picture->host.nr_users = users->nr_accounts;
	set_rows(picture, rows, users, page_size);
	advise(picture, page_size);
	return set_total(picture, rows);
}

void host_picture_free(struct host_picture *picture)
{
	free(picture->host.rows);
	free(picture->states);
	free(picture->events);
	free(picture->evidence);
	table_free(&picture->owners);
}
