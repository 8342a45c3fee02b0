/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/text.h"
#include "host/table/host_notes.h"
#include "host/table/host_remedy.h"
#include "host/table/host_state.h"
#include "ring/frame/frame.h"

/* A fill below this is never undrained. */
static const double min_fill = 0.01;

/*
 * The same for BPF ring buffers and those of ftrace: their wakeups are not
 * visible, and may be delayed until much data waits (BPF_RB_NO_WAKEUP,
 * buffer_percent).
 */
static const double min_unseen = 0.5;

/* Above this fill a BPF ring buffer may have had no room for a record. */
static const double min_full = 0.95;

/* Seconds after which a ring that is gone and lost nothing is over. */
static const double over_after = 10;

struct host_table {
	struct host_table_opts opts;
	struct host_rows rows;
	struct host_users users;
	struct host_match match; /* of the pass being added */
	struct host_notes notes;
	struct host_remedies remedies;
	uint64_t passes;
	double first, last;	/* times of passes, CLOCK_MONOTONIC seconds */
	double whole;		/* of the last that found all perf rings; 0 */
	uint64_t ringless, processes;	/* of the last pass that counted them */

	/* The frame: copies of the rows shown, and their sums. */
	struct host host;
	struct host_row_state **states;	/* of the rows */
	struct ring_event *events;
	struct host_evidence *evidence;
	size_t rows_cap, events_cap, evidence_cap;
	struct table owners;	/* by pid */
	double frame_last;	/* value of last at the previous frame */
	bool framed;
};

struct host_table *host_table_new(const struct host_table_opts *opts)
{
	struct host_table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->opts = *opts;
	table->rows.filter = &table->opts.filter;
	table->rows.linger = opts->linger;
	table->rows.keeps_lost = opts->keeps_lost;
	table->users.limit = UNKNOWN;
	table->host.self = opts->self;
	table->remedies.uid = opts->uid;
	return table;
}

void host_table_free(struct host_table *table)
{
	if (!table)
		return;
	host_match_free(&table->match);
	host_users_free(&table->users);
	host_rows_free(&table->rows);
	free(table->host.rows);
	free(table->states);
	free(table->events);
	free(table->evidence);
	table_free(&table->owners);
	free(table);
}

bool host_table_unnamed(const struct host_table *table, uid_t *uid)
{
	return host_users_unnamed(&table->users, uid);
}

void host_table_name_user(struct host_table *table, uid_t uid,
			  const char *name)
{
	const char *called = host_users_set_name(&table->users, uid, name);

	for (size_t i = 0; called && i < table->rows.nr; i++) {
		struct ring_row *row = &table->rows.list[i]->row;

		if (row->uid == uid)
			text_copy(row->user, sizeof(row->user), called);
	}
}

bool host_table_uncommanded(const struct host_table *table, pid_t *pid)
{
	return host_remedies_wants(&table->remedies, pid);
}

void host_table_command(struct host_table *table, pid_t pid, const char *argv,
			size_t len)
{
	host_remedies_set_cmdline(&table->remedies, pid, argv, len);
}

/* Update the row with ring @i of the pass. */
static int take_ring(struct host_table *table, struct host_row_state *state,
		     const struct host_pass *pass, size_t i,
		     enum host_change change)
{
	const struct host_pass_ring *ring = &pass->rings[i];
	struct host_increments more;
	int ret;

	state->key = ring->key;
	/* its owner has drained it, so that how long it waited is no question */
	state->made_after = change == HOST_CHANGE_NEW && ring->tail &&
			    ring->kind == RING_PERF ? table->whole : 0;
	host_rows_set_gone(&table->rows, state, false);
	state->payer = ring->uid;
	state->user_locked = ring->user_locked;
	ret = host_match_take(&table->match, state, i, table->opts.self, &more);
	host_figures_read(state, ring, &more, change, pass->mono);
	host_match_name(state);
	host_users_name(&table->users, state->row.uid, state->row.user,
			sizeof(state->row.user));
	if (pass->parts & HOST_PROGRAMS &&
	    (ring->kind == RING_PERF || ring->kind == RING_BPF)) {
		memcpy(state->row.programs, ring->programs,
		       sizeof(ring->programs));
		state->row.nr_programs = ring->nr_programs;
		state->row.programs_known = true;
	}
	state->changed = change != HOST_CHANGE_SAME;
	return ret;
}

static int take_rings(struct host_table *table, const struct host_pass *pass)
{
	int ret = 0;

	for (size_t i = 0; i < pass->nr_rings; i++) {
		const struct host_pass_ring *ring = &pass->rings[i];
		enum host_change change = HOST_CHANGE_NEW;
		struct host_row_state *state = table->match.rows[i];
		int failed = -ENOMEM;

		if (!state)
			state = host_rows_add(&table->rows, ring->kind);
		else if (state->key != ring->key ||
			 host_figures_differ(state, ring))
			change = HOST_CHANGE_REMAPPED;
		else
			change = HOST_CHANGE_SAME;
		if (state)
			failed = take_ring(table, state, pass, i, change);
		ret = failed ? failed : ret;
	}
	return ret;
}

static int count_files(struct host_table *table, const struct host_pass *pass)
{
	pid_t *pids;

	if (!pass->whole || !(pass->parts & HOST_FILES))
		return 0;
	pids = calloc(pass->nr_holders + 1, sizeof(*pids));
	if (!pids)
		return -ENOMEM;
	for (size_t i = 0; i < pass->nr_holders; i++)
		pids[i] = pass->holders[i].pid;
	table->processes = array_unique(pids, pass->nr_holders);
	free(pids);
	table->ringless = 0;
	for (size_t i = 0; i < pass->nr_events; i++)
		table->ringless += !pass->events[i].ring;
	return 0;
}

int host_table_add(struct host_table *table, const struct host_pass *pass)
{
	int ret;

	table->passes++;
	ret = host_match_make(&table->match, &table->rows, pass,
			      table->passes);
	if (ret != 0)
		return ret;
	if (table->passes == 1 || !(table->first > 0))
		table->first = pass->mono;
	table->last = pass->mono;
	ret = take_rings(table, pass);
	if (host_match_is_all(pass))
		table->whole = pass->mono;
	host_match_end(&table->match, &table->rows);
	host_rows_forget_unshown(&table->rows);
	if (host_users_limits(&table->users, pass) != 0 ||
	    count_files(table, pass) != 0)
		ret = -ENOMEM;
	return ret;
}

unsigned int host_table_wants(const struct host_table *table)
{
	if (!table->passes)
		return HOST_MAPPINGS;
	for (size_t i = 0; i < table->rows.nr; i++) {
		const struct host_row_state *state = table->rows.list[i];

		if (!state->row.gone && (state->missed || state->by_mapping ||
					 state->unsettled))
			return HOST_MAPPINGS;
	}
	return 0;
}

void host_table_show_only(struct host_table *table, const pid_t *pids,
			  size_t nr)
{
	table->opts.filter.pids = pids;
	table->opts.filter.nr_pids = nr;
}

size_t host_table_pids(const struct host_table *table, pid_t *pids, size_t max)
{
	const struct host_rows *rows = &table->rows;
	size_t nr = 0, n;
	pid_t *all;

	for (size_t i = 0; i < rows->nr; i++)
		nr += rows->list[i]->nr_holders;
	all = calloc(nr + 1, sizeof(*all));
	if (!all)
		return 0;
	nr = 0;
	for (size_t i = 0; i < rows->nr; i++)
		for (size_t h = 0; !rows->list[i]->row.gone &&
				   h < rows->list[i]->nr_holders; h++)
			all[nr++] = rows->list[i]->holders[h].pid;
	n = array_unique(all, nr);
	for (size_t i = 0; i < n && i < max; i++)
		pids[i] = all[i];
	free(all);
	return n;
}

void host_table_reset(struct host_table *table)
{
	for (size_t i = 0; i < table->rows.nr; i++)
		host_figures_reset(table->rows.list[i]);
	table->rows.sums.lost_before = table->rows.sums.counters.lost;
}

/* Warnings of a row of the frame. */

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
	bool unseen = row->kind != RING_PERF && !row->stopped;

	return !row->to_kernel && row->fill >= (unseen ? min_unseen : min_fill) &&
	       state->gaps.due &&
	       row->last_seen - state->gaps.due_since >= RING_UNDRAINED;
}

/* Where losses are counted, the warning is about losses instead. */
static bool is_full(const struct ring_row *row)
{
	return row->kind == RING_BPF && !row->overwrite && !row->to_kernel &&
	       row->lost == UNKNOWN && row->peak_tick >= min_full;
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

/* Frames. */

/* Allocate all rows and events first, so that pointers to them stay valid. */
static int make_room(struct host_table *table)
{
	const struct host_rows *rows = &table->rows;
	size_t events = 0, room = table->rows_cap;

	for (size_t i = 0; i < rows->nr; i++)
		events += rows->list[i]->nr_events;
	if (array_fit(table->host.rows, room, rows->nr) != 0 ||
	    array_fit(table->states, table->rows_cap, rows->nr) != 0 ||
	    array_fit(table->evidence, table->evidence_cap, rows->nr) != 0)
		return -ENOMEM;
	return array_fit(table->events, table->events_cap, events);
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
	row->lost_per_s = row->undrained = row->run_wait = row->run_share = NAN;
	row->output_wait = NAN;
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
	host_match_list_holders(state, row);
	row->histories = &state->histories;
}

static void set_rows(struct host_table *table)
{
	struct host *host = &table->host;
	struct ring_event *events = table->events;

	host->nr_rows = 0;
	for (size_t i = 0; i < table->rows.nr; i++) {
		struct host_row_state *state = table->rows.list[i];
		struct ring_row *row = &host->rows[host->nr_rows];

		state->shown = host_filter_shows(&table->opts.filter,
						 &state->row);
		host_figures_tick(state);
		if (!state->shown)
			continue;
		set_row(state, row, &events);
		row->warnings = warnings(state, row,
					 host_users_refused(&table->users,
							    state),
					 table->opts.page_size);
		if (row->gone)
			still(row);
		row->over = row->gone && table->last - state->gone_at > over_after &&
			    !unknown_as_zero(ring_row_lost_since(row));
		table->states[host->nr_rows++] = state;
	}
}

static void set_advice(struct host_table *table)
{
	struct host *host = &table->host;

	for (size_t i = 0; i < host->nr_rows; i++) {
		table->evidence[i].row = &host->rows[i];
		host_evidence_sum(table->states[i], table->opts.page_size,
				  &table->evidence[i]);
		/* its reader may be busy with rings that are not shown */
		if (table->opts.filter.cpus)
			table->evidence[i].busy = (struct host_span){ 0 };
	}
	host_owner_advise(table->evidence, host->nr_rows);
	host_remedies_set(&table->remedies, host->rows, host->nr_rows,
			  table->opts.page_size);
}

static void begin_total(struct ring_total *total)
{
	ring_total_begin(total);
	total->row.crossings = UNKNOWN;
	total->row.fill = total->row.peak = NAN;
	total->row.locked = total->row.remapped = 0;
}

/*
 * A figure is unknown if there are rings but none has it; without any ring it
 * is 0.  Pending and lost are not read atomically.
 */
static void set_sums(struct ring_total *total, const struct host_sums *sums)
{
	struct ring_row *sum = &total->row;
	bool any = ring_total_any(total);
	bool counts = sums->perf ? sums->counts_lost : sums->counts_drops;
	uint64_t perf = sums->counters.lost - sums->drops;

	if (sum->size)
		sum->fill = (double)sum->used / (double)sum->size;
	sum->bytes = sums->counters.bytes;
	sum->wakeups = sums->counters.wakeups;
	sum->drains = sums->counters.drains;
	sum->lost = sums->counters.lost;
	sum->lost_before = sums->lost_before;
	sum->lost_pending += sums->pending;
	sum->lost_reported = sum->lost_pending > perf ? UNKNOWN :
			     perf - sum->lost_pending;
	if (!counts && any) {
		sum->lost = sum->lost_reported = UNKNOWN;
		sum->lost_before = 0;
		sum->lost_per_s = NAN;
	}
	if (!sums->perf && any) {
		sum->lost_pending = sum->lost_reported = UNKNOWN;
		sum->wakeups = UNKNOWN;
		sum->wakeups_per_s = NAN;
	}
	total->at_least |= sums->at_least;
}

static void set_verdict(struct host *host)
{
	struct verdicts verdicts = { 0 };

	for (size_t i = 0; i < host->nr_rows; i++)
		verdicts_add(&verdicts, &host->rows[i]);
	host->total.row.advice.verdict = verdicts_worst(&verdicts);
	verdicts_text(&verdicts, host->verdicts, sizeof(host->verdicts));
	host->concern = verdicts.gone ||
			verdicts_worst(&verdicts) >= VERDICT_CONCERN;
}

static int set_total(struct host_table *table)
{
	struct host *host = &table->host;
	struct ring_total *total = &host->total;

	table_clear(&table->owners);
	if (table_reserve(&table->owners, host->nr_rows) != 0)
		return -ENOMEM;
	begin_total(total);
	for (size_t i = 0; i < host->nr_rows; i++) {
		const struct ring_row *row = &host->rows[i];

		host_rows_count(&table->rows, table->states[i]);
		total->row.lost_pending += unknown_as_zero(row->lost_pending);
		total->at_least |= row->gone && row->known && !row->lost_final;
		if (row->gone) {
			total->gone += !row->dummies;
			continue;
		}
		ring_total_add(total, row);
		if (row->pid >= 0 &&
		    !table_find(&table->owners, (uint64_t)row->pid))
			table_add_index(&table->owners, (uint64_t)row->pid,
					i);
	}
	total->owners = (unsigned int)table->owners.len;
	set_verdict(host);
	set_sums(total, &table->rows.sums);
	host_limit_total(host);
	return 0;
}

/* Make rows, users and total.  Ends the tick of all rows.  0 or -ENOMEM. */
static int make_picture(struct host_table *table)
{
	struct host_users *users = &table->users;

	if (make_room(table) != 0 || host_users_make(users, &table->rows) != 0)
		return -ENOMEM;
	table->host.users = users->list;
	table->host.nr_users = users->nr;
	set_rows(table);
	set_advice(table);
	return set_total(table);
}

/* The interval is the time between passes. */
static void set_times(struct host_table *table, double wall)
{
	double from = table->framed ? table->frame_last : table->first;

	table->host.time = wall;
	if (table->last > from)
		table->host.interval = table->last - from;
	table->frame_last = table->last;
	table->framed = table->passes > 0;
}

const struct host *host_table_frame(struct host_table *table, double mono,
				    double wall,
				    const struct host_status *status,
				    host_note_fn *note, void *ctx)
{
	struct host *host = &table->host;
	const struct host_notes_to to = {
		.note = note, .ctx = ctx, .mono = table->last,
		.first = !table->framed,
	};

	host_rows_forget(&table->rows, mono);
	host->status = *status;
	host->status.ringless = table->ringless;
	host->status.processes = table->processes;
	if (make_picture(table) != 0)
		return NULL;
	host_notes_log(&table->notes, host, table->states, &to);
	set_times(table, wall);
	return host;
}
