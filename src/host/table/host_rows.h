/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State kept of each ring between passes: its row, and what is derived from
 * readings.  Each part names the module that maintains it.
 *
 * Also the list of rows, with the sums of rows that were forgotten.
 */
#ifndef RBTOP_HOST_TABLE_HOST_ROWS_H
#define RBTOP_HOST_TABLE_HOST_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/table.h"
#include "host/table/host.h"
#include "host/table/host_gaps.h"
#include "ring/history.h"

/* Maintained by host_events: */

struct host_event_entry {
	struct ring_event seen;	/* as last read */
	bool inside;		/* writes to this ring; else at present to
				 * none */
	bool left;		/* writes to another ring: to be dropped */
	uint64_t wakeup_events;
	uint64_t largest;	/* most bytes of a sample */
	uint64_t usual;		/* bytes of each sample; 0: they vary */
	uint64_t pass;		/* number of the last pass that saw it */
	uint64_t lost_mark;	/* seen.lost at the start of the tick */
	uint64_t hits;		/* hits since its last record */
};

/* Increments of a ring's events between two readings. */
struct host_came {
	uint64_t lost;		/* records */
	bool counted;		/* made is known, for all events */
	uint64_t made;		/* records, including lost ones */
};

/* Maintained by host_holders: */

struct host_holder_entry {
	pid_t pid;
	char comm[16];
	uid_t uid;
	bool stopped;
	bool maps;
	uint64_t run_delay;	/* ns; UNKNOWN */
	double read_at;		/* time of the pass */
};

/* The owner's run delay at the start of the present span. */
struct host_wait {
	pid_t pid;		/* 0: none */
	uint64_t run_delay;
	double from;
};

/* Maintained by host_figures: */

/* Relation of a ring of a pass to the previous ring of its row. */
enum host_change {
	HOST_CHANGE_NEW,	/* the row is new */
	HOST_CHANGE_SAME,
	HOST_CHANGE_REMAPPED,	/* another ring has replaced it */
};

/* Sums of a tick, from the last reading before it. */
struct host_tick {
	double from;		/* time of that reading */
	uint64_t bytes, wakeups, drains, lost, aux_bytes;
	uint64_t peak;		/* most bytes waiting */
	bool bad_tail, aux_bad_tail;
};

/* The ring at the last reading. */
struct host_look_state {
	uint64_t head, tail, wakeup, pending, aux_head, used;
	bool paused, stopped, bad_tail;
	double mono;
};

/* Maintained by host_evidence: */

/* For the mean record size, from intervals in which records can be counted. */
struct host_mean {
	uint64_t bytes, made, lost;
};

/* Sizes of samples that were inspected. */
struct host_sizes {
	uint64_t nr, bytes, most;
};

/* Records lost while the ring had room: they were larger than it. */
struct host_oversized {
	unsigned int looks;	/* readings with such losses */
	uint64_t records;
	uint64_t least;		/* lower bound of the size of the largest */
	double per_s;		/* highest rate between two readings */
};

/* Since the last reset: shows whether the observed load is usual. */
struct host_seen {
	double from;		/* time of the start */
	uint64_t bytes, drains;
	uint64_t most;		/* most bytes between readings; highest rate */
	double most_per_s;
	double burst;		/* the same, including lost records */
	uint64_t gap_lost;	/* most bytes lost in one gap, ... */
	double gap_lost_at;	/* ... and when */
};

/* Maintained by host_notes: what was already logged of a row. */
struct host_told {
	bool came, gone;
	uint64_t remapped;
	uint64_t lost;
	double lost_at;
	unsigned int warnings;	/* of the last picture */
	double warned_at[RING_WARNINGS];
};

/* Of one ring, or a sum. */
struct host_counters {
	uint64_t bytes, wakeups, drains, lost;
};

struct host_row_state {
	/*
	 * Figures of the last reading, rates of the last tick.  Events, lists
	 * and advice are set when a picture is made.
	 */
	struct ring_row row;
	uint64_t key;
	uint64_t pass;		/* number of the last pass that found it */
	bool missed;		/* the ring or one of its events was not found
				 * again, and mappings were not read */
	bool by_mapping;	/* only its mapping leads to it */
	bool unsettled;		/* processes that map it are not known yet */
	bool changed;		/* new or replaced in the last such pass */
	bool aux_still;		/* the AUX head did not move between two
				 * passes */
	bool shown;		/* its histories are used by the last picture */
	bool replaced;		/* gone, and opened and closed again since */
	uid_t payer;		/* user charged; (uid_t)-1: unknown */
	uint64_t user_locked;	/* of all rings of the payer; UNKNOWN */
	uint64_t lost_sum;	/* by its events while they were in this ring,
				 * and before they were first seen */
	bool lost_known;
	uint64_t lost_seen;	/* since first seen */
	uint64_t lost_excused;	/* part of lost_seen that advice_lost
				 * excludes */
	struct host_event_entry *events;
	size_t nr_events, room_events;
	struct host_holder_entry *holders;	/* by pid */
	size_t nr_holders;
	struct host_wait wait;
	struct host_look_state last;
	struct host_tick tick;
	struct host_gaps gaps;
	uint64_t peak;		/* most bytes waiting since the last reset */
	struct host_mean mean;
	struct host_sizes sizes;
	/* Since the last reset, without stops of the owner and bad tails: */
	uint64_t advice_lost;	/* records, without those lost in a pause */
	uint64_t advice_peak;	/* most bytes waiting */
	struct host_oversized oversized;
	struct host_seen seen;
	struct history fill_history, level_history, rate_history;
	struct history wakeup_history, lost_history, time_history;
	struct host_told told;
	struct host_counters counted;	/* what the rows' sums already
					 * include */
};

/* Sums over all rings ever seen: they never decrease. */
struct host_sums {
	struct host_counters counters;
	uint64_t lost_before;	/* counters.lost at the last reset */
	uint64_t pending;	/* of rows that were forgotten */
	bool perf;		/* includes a perf ring */
	bool told;		/* includes a perf ring with known losses */
	bool at_least;		/* a ring has ended */
};

/* Zeroed, except for the first two: empty. */
struct host_rows {
	const struct host_filter *filter;
	double linger;		/* seconds that the row of a gone ring is
				 * kept */
	struct host_row_state **list;	/* by id */
	size_t nr, room;
	size_t gone;		/* number of gone rows in list */
	uint64_t last_id;
	struct host_sums sums;	/* of rows that are shown */
	struct table by_name;	/* of gone rows: see host_rows_forget() */
};

/* Append a new row; its address does not change.  NULL when out of memory. */
struct host_row_state *host_rows_add(struct host_rows *rows,
				     enum ring_kind kind);
void host_rows_free(struct host_rows *rows);

/* Set whether the row's ring is gone. */
void host_rows_set_gone(struct host_rows *rows, struct host_row_state *state,
			bool gone);

/* Add to the sums what the row's counters have grown since the last call. */
void host_rows_count(struct host_rows *rows, struct host_row_state *state);

/*
 * Forget gone rows: those kept for rows->linger seconds at @mono, those whose
 * owner opened and closed the same ring again since, or all, if there are too
 * many.
 */
void host_rows_forget(struct host_rows *rows, double mono);
/* If there are too many, forget those not shown in the last picture. */
void host_rows_forget_unshown(struct host_rows *rows);

#endif
