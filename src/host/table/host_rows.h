/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is kept of each ring from pass to pass: its row, and what follows from
 * looks at it.  Which module makes which part of it stands with the part.
 *
 * And all rows together, with what the rings of those that are forgotten did.
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

/* host_events: */

struct host_event_entry {
	struct ring_event seen;	/* as it was last seen */
	bool inside;		/* writes to this ring; else to none now */
	bool left;		/* for another ring: to be forgotten */
	uint64_t wakeup_events;
	uint64_t largest;	/* bytes that a sample of it may take */
	uint64_t usual;		/* that each takes; 0: it varies */
	uint64_t pass;		/* number of the latest that saw it */
	uint64_t lost_mark;	/* seen.lost as the tick began */
	uint64_t hits;		/* counted since its last record */
};

/* What the events of a ring did between two looks. */
struct host_came {
	uint64_t lost;		/* records */
	bool counted;		/* all of its events tell what they made: */
	uint64_t made;		/* records, those that were lost included */
};

/* host_holders: */

struct host_holder_entry {
	pid_t pid;
	char comm[16];
	uid_t uid;
	bool stopped;
	bool maps;
};

/* host_figures: */

/* How a ring of a pass relates to the one that its row showed before. */
enum host_change {
	HOST_CHANGE_NEW,	/* the row is new */
	HOST_CHANGE_SAME,
	HOST_CHANGE_REMAPPED,	/* another ring in its place */
};

/* What a tick adds up; it begins with the latest look before it. */
struct host_tick {
	double from;		/* when that was */
	uint64_t bytes, wakeups, drains, lost, aux_bytes;
	uint64_t peak;		/* bytes waiting, the most */
	bool bad_tail, aux_bad_tail;
};

/* The ring as it was when last looked at. */
struct host_look_state {
	uint64_t head, tail, wakeup, pending, aux_head, used;
	bool paused, stopped, bad_tail;
	double mono;
};

/* host_evidence: */

/* How large records are: of those that can be counted. */
struct host_mean {
	uint64_t bytes, made, lost;
};

/* How large samples are, by those that waited at a look. */
struct host_sizes {
	uint64_t nr, bytes, most;
};

/* Records that were lost while the ring had room: they were larger. */
struct host_oversized {
	unsigned int looks;	/* that told */
	uint64_t records;
	uint64_t least;		/* bytes of the largest, at least */
	double per_s;		/* records between two looks, the most */
};

/* What was seen since the last reset: whether it may be called usual. */
struct host_seen {
	double from;		/* when it began */
	uint64_t bytes, drains;
	uint64_t most;		/* bytes between two looks, and the rate then */
	double most_per_s;
};

/* host_notes: what the log was told of a row. */
struct host_told {
	bool came, gone;
	uint64_t remapped;
	uint64_t lost;
	double lost_at;
	unsigned int warnings;	/* those of the last picture */
	double warned_at[RING_WARNINGS];
};

/* Of one ring, or summed up. */
struct host_counters {
	uint64_t bytes, wakeups, drains, lost;
};

struct host_row_state {
	/*
	 * Figures of the latest look, rates of the latest tick.  Events, lists
	 * and advice are filled in when a picture is made.
	 */
	struct ring_row row;
	uint64_t key;
	uint64_t pass;		/* number of the latest that found it */
	bool missed;		/* it or one of its events: not found again,
				 * and mappings were not looked at */
	bool by_mapping;	/* that is all that finds it */
	bool unsettled;		/* who maps it was not looked at */
	bool changed;		/* by the latest pass that found it */
	bool aux_still;		/* its head did not move between two passes */
	bool shown;		/* the last picture has its histories */
	bool replaced;		/* gone, and one like it came and went since */
	uid_t payer;		/* (uid_t)-1: not known */
	uint64_t user_locked;	/* by all rings of the payer; UNKNOWN */
	uint64_t lost_sum;	/* by its events while they were its own, and
				 * before they were seen */
	bool lost_known;
	uint64_t lost_seen;	/* since it is watched */
	uint64_t lost_excused;	/* of them: see advice_lost */
	struct host_event_entry *events;
	size_t nr_events, room_events;
	struct host_holder_entry *holders;	/* by pid */
	size_t nr_holders;
	struct host_look_state last;
	struct host_tick tick;
	struct host_gaps gaps;
	uint64_t peak;		/* bytes, since the last reset */
	struct host_mean mean;
	struct host_sizes sizes;
	/* Since the last reset too, but in no pause, nor while the owner was
	 * stopped: */
	uint64_t advice_lost;	/* records */
	uint64_t advice_peak;	/* bytes */
	struct host_oversized oversized;
	struct host_seen seen;
	struct history fill_history, rate_history, lost_history;
	struct host_told told;
	struct host_counters counted;	/* in the rows' sums */
};

/* Of all rings that were ever seen: they never fall. */
struct host_sums {
	struct host_counters counters;
	uint64_t pending;	/* of rows that are forgotten */
	bool perf;		/* some ring was a perf ring */
	bool told;		/* that told what it lost */
	bool at_least;		/* one of them has ended */
};

/* Zeroed, but for the first two: there is none. */
struct host_rows {
	const struct host_filter *filter;
	double linger;		/* seconds that a row stays when it is gone */
	struct host_row_state **list;	/* by id */
	size_t nr, room;
	size_t gone;		/* of them */
	uint64_t last_id;
	struct host_sums sums;	/* of those that are shown */
	struct table by_name;	/* those that are gone: see host_rows_forget() */
};

/* A new row at the end; it stays where it is.  NULL when out of memory. */
struct host_row_state *host_rows_add(struct host_rows *rows,
				     enum ring_kind kind);
void host_rows_free(struct host_rows *rows);

/* The row's ring is there, or is not. */
void host_rows_set_gone(struct host_rows *rows, struct host_row_state *state,
			bool gone);

/* Add what the row's counters have grown by since that was done last. */
void host_rows_count(struct host_rows *rows, struct host_row_state *state);

/*
 * Forget rows that are gone: those that lingered for long at @mono, that the
 * same owner opened and closed again since, or all, where there are too many.
 */
void host_rows_forget(struct host_rows *rows, double mono);
/* Where there are too many, those that the last picture does not show. */
void host_rows_forget_unshown(struct host_rows *rows);

#endif
