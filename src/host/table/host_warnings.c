/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_table_impl.h"

/* Less than this share waiting harms nobody, however long. */
static const double least_fill = 0.01;

/*
 * Of a BPF ring buffer, whose wakeups nobody can see: programs may put them off
 * until much waits (BPF_RB_NO_WAKEUP).
 */
static const double least_unseen = 0.5;

/* Beyond this a BPF ring buffer may have had no room for a record. */
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
 * Drivers keep to whole pages, so up to two may be left.  In snapshot mode
 * nothing fills.
 */
static bool aux_is_full(const struct host_table *table,
			const struct ring_aux *aux)
{
	return aux->size && aux->used != UNKNOWN &&
	       aux->size - aux->used < 2 * table->opts.page_size;
}

/*
 * The kernel turns the event off when no trace fits any more.  Between Linux
 * 6.9 and 6.15, and on CPU 0 before, it means to and does not
 * (perf_aux_output_end() in kernel/events/ring_buffer.c): the event looks
 * active and nothing comes.
 */
static bool is_truncated(const struct host_table *table,
			 const struct host_row_state *state,
			 const struct ring_row *row)
{
	return aux_is_full(table, &row->aux) &&
	       (any_in(row, RING_EVENT_OFF) || state->aux_still);
}

static unsigned int event_warnings(const struct host_table *table,
				   const struct host_row_state *state,
				   const struct ring_row *row)
{
	return bit(any_throttled(row), RING_WARN_THROTTLED) |
	       bit(is_truncated(table, state, row), RING_WARN_TRUNCATED) |
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

/* Of a perf ring losses tell. */
static bool is_full(const struct ring_row *row)
{
	return row->kind == RING_BPF && !row->overwrite &&
	       row->peak_tick >= least_full;
}

unsigned int host_warnings(const struct host_table *table,
			   const struct host_row_state *state,
			   const struct ring_row *row)
{
	unsigned int mlock = bit(host_users_refused(table, state),
				 RING_WARN_MLOCK);
	bool pending = row->lost_pending != UNKNOWN && row->lost_pending;

	/* What it had at its end: nobody can mend it any more. */
	if (row->gone)
		return 0;
	if (!row->known)
		return mlock;
	return bit(is_undrained(state, row), RING_WARN_UNDRAINED) |
	       bit(pending, RING_WARN_PENDING) |
	       bit(row->lost_per_s > 0, RING_WARN_LOSING) |
	       bit(row->paused, RING_WARN_PAUSED) |
	       bit(row->bad_tail || row->aux.bad_tail, RING_WARN_BAD_TAIL) |
	       bit(is_full(row), RING_WARN_FULL) |
	       event_warnings(table, state, row) | mlock;
}
