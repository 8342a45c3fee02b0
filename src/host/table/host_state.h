/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is kept between passes, and what the files of the table call of each
 * other.  A pass goes through them like this:
 *
 *	host_match.c	finds the row of each ring, its events and holders
 *	host_figures.c	counters, rates and peaks from two readings of a ring
 *	host_evidence.c	how long its owner leaves data waiting, what is lost
 *			then, and how large records are: input of the advice
 *	host_owner.c	the rings of one owner together, and advice
 *	host_rows.c	keeps the rows, and sums that never decrease; names,
 *			pinned memory and limits of the owners' users
 *	host_table.c	calls these, and makes the frame
 */
#ifndef RBTOP_HOST_TABLE_HOST_STATE_H
#define RBTOP_HOST_TABLE_HOST_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/table.h"
#include "host/table/host.h"
#include "host/table/host_advice.h"
#include "ring/history.h"

/* host_match.c: events and holders. */

struct host_event_entry {
	struct ring_event seen;	/* as last read */
	bool inside;		/* writes to this ring; else at present to
				 * none */
	bool left;		/* writes to another ring: to be dropped */
	bool ended;		/* seen.lost is final */
	uint64_t wakeup_events;
	uint64_t largest;	/* most bytes of a sample */
	uint64_t usual;		/* bytes of each sample; 0: they vary */
	uint64_t pass;		/* number of the last pass that saw it */
	uint64_t lost_mark;	/* seen.lost at the start of the tick */
	uint64_t hits;		/* hits since its last record */
};

/* Increments of the counts of a ring's events between two readings. */
struct host_increments {
	uint64_t lost;		/* records */
	bool counted;		/* made is known, for all events */
	uint64_t made;		/* records, including lost ones */
};

/* The owner's main thread, at the start of the present span. */
struct host_thread {
	pid_t pid;		/* 0: none */
	int priority;		/* see struct host_pass_holder */
	uint64_t run_delay, run_time;
	double from;
	bool starved;		/* it waits for a CPU most of the time */
	bool busy;		/* it is the only thread, and always runs or
				 * waits for a CPU */
	uint64_t ran;		/* ns since the last reading, if busy */
	uint64_t run_time_last;
	unsigned int readings, waits;	/* that know whether it waits for its
					 * output, and find that; ... */
	double readings_from;		/* ... since then */
};

/* host_figures.c: readings. */

/* Relation of a ring of a pass to the previous ring of its row. */
enum host_change {
	HOST_CHANGE_NEW,	/* the row is new */
	HOST_CHANGE_SAME,
	HOST_CHANGE_REMAPPED,	/* another ring has replaced it */
};

/* Lost records that another size might have held. */
struct host_loss {
	uint64_t records;
	uint64_t bytes;		/* of those with a known size */
	bool unsized;		/* the size of some is unknown */
};

/* A reading of a ring, and the increments since the previous one. */
struct host_reading {
	double prev, mono;	/* times; equal at the first reading */
	bool moved;		/* the tail has moved */
	uint64_t used;		/* bytes waiting now, and the time before */
	uint64_t used_before;
	bool due;		/* the owner was woken and has not drained
				 * since */
	bool full;		/* nearly full */
	bool stopped;		/* the owner was stopped, or its tail invalid,
				 * now or at the previous reading: the time that
				 * data waits does not depend on the size
				 * then */
	bool busy;		/* its reader never sleeps, ... */
	uint64_t ran;		/* ... and has run for this many ns since the
				 * previous reading */
	uint64_t bytes;
	uint64_t size;		/* of the ring */
	struct host_loss lost;
	uint64_t reported;	/* records lost in an earlier gap, from a LOST
				 * record; 0: unknown */
	uint64_t pending;	/* records of lost.records lost since the last
				 * move of the tail, if it moved */
};

/* What the next reading is compared with. */
struct host_last {
	uint64_t head, tail, wakeup, pending, aux_head, used;
	uint64_t reads;		/* of an ftrace buffer */
	uint64_t packets, drops, blocks; /* of AF_PACKET, as in the pass */
	bool paused, stopped, bad_tail;
	double mono;
};

/* Of one ring, or a sum. */
struct host_counters {
	uint64_t bytes, wakeups, drains, lost;
};

/* A tick, from the last reading before it. */
struct host_tick {
	double from;		/* time of that reading */
	struct host_counters start;	/* the row's then; lost: .lost_seen */
	uint64_t aux_bytes;
	uint64_t peak;		/* most bytes waiting */
	bool bad_tail, aux_bad_tail;
};

/* host_evidence.c: gaps between drains, and sizes of records. */

/* From one drain to the next, with the readings around: an upper bound. */
struct host_gap {
	double from, to;	/* times of these readings */
	unsigned int still;	/* readings that found the tail unmoved; 0: it
				 * moved between all of them */
	uint64_t bytes;		/* written in that time; lost ones excluded */
	double burst;		/* highest rate between two readings, bytes per
				 * second, including lost records of known
				 * size */
	struct host_loss lost;	/* between its readings: an upper bound */
	double in_one;		/* records of lost.records that were probably
				 * lost in one gap */
};

/* Sums over a few seconds of readings. */
struct host_span {
	double from, to;
	unsigned int readings;
	unsigned int losing;	/* readings with losses */
	unsigned int full;	/* readings with the ring nearly full */
	unsigned int moved;	/* readings with the tail moved */
	uint64_t written, taken; /* bytes; taken: drained */
	uint64_t room;		/* bytes that waited or were written, at most
				 * the ring's size, summed over readings with
				 * the tail moved */
	uint64_t ran;		/* ns, if the reader was busy */
	uint64_t backlogs;	/* of the last readings of a busy reader, a bit
				 * each, the latest lowest: whether the ring was
				 * nearly full and lost records */
	struct host_loss lost;
	double in_one;		/* records lost in one gap: the highest number
				 * observed, else the mean */
};

struct host_gaps {
	struct host_gap now;
	struct host_gap worst;	/* by records lost in one gap, then by bytes */
	bool waiting;
	double waiting_since;	/* first reading that found the waiting data */
	bool due;
	double due_since;	/* first reading that found it due */
	double longest;		/* seconds that data was seen to wait */
	bool lost_last;		/* records were lost before the last reading */
	unsigned int after_loss, lost_again; /* readings that follow on such a
					      * one, and losses at these */
	struct host_span before, lately;	/* consecutive spans */
	struct host_span busy;	/* while the reader never slept */
};

/* What a reader that never sleeps can read; proven once, it is kept. */
struct host_limit {
	double per_s;		/* bytes, with a CPU of its own; 0: unknown */
	double came_per_s;	/* while it was measured */
	double output_wait;	/* part of the time that it waits for its
				 * output, which is most; 0: unknown */
	double starved_at;	/* when it last waited for a CPU most of the
				 * time, and a ring lost records; 0: never */
	double run_wait;	/* that part of the time */
};

/* For the mean record size, from intervals in which records can be counted. */
struct host_mean {
	uint64_t bytes, made, lost;
};

/* Records lost while the ring had room: they were larger than it. */
struct host_oversized {
	unsigned int readings;	/* with such losses */
	uint64_t records;
	uint64_t min;		/* lower bound of the size of the largest */
	double per_s;		/* highest rate between two readings */
};

/* Since the last reset: shows whether the observed load is usual. */
struct host_observed {
	double from;		/* time of the start */
	uint64_t bytes, drains;
	uint64_t max;		/* most bytes between readings; highest rate */
	double max_per_s;
	double burst;		/* the same, including lost records */
	uint64_t gap_lost;	/* most bytes lost in one gap, ... */
	double gap_lost_at;	/* ... and when */
	double waited;		/* see struct advice_input */
};

/* host_notes.c: what was already logged of a row. */
struct host_logged {
	bool opened, gone;
	uint64_t remapped;
	uint64_t lost;
	double lost_at;
	unsigned int warnings;	/* of the last frame */
	double warned_at[RING_WARNINGS];
};

struct host_row_state {
	/*
	 * Figures of the last reading, rates of the last tick.  Events, lists
	 * and advice are set when a frame is made.  What was lost is by its
	 * events while they were in this ring, and before they were first seen;
	 * by a BPF ring buffer since drops_from.
	 */
	struct ring_row row;
	uint64_t key;
	uint64_t pass;		/* number of the last pass that found it */
	uint32_t entry, frame;	/* see struct host_pass_ring */
	uint64_t inode;		/* of an AF_PACKET socket */
	double made_after;	/* a new ring was made after this time; 0: it
				 * may be older than the first pass */
	bool missed;		/* the ring or one of its events was not found
				 * again, and mappings were not read */
	bool by_mapping;	/* only its mapping leads to it */
	bool unsettled;		/* processes that map it are not known yet */
	bool changed;		/* new or replaced in the last such pass */
	bool aux_still;		/* the AUX head did not move between two
				 * passes */
	bool shown;		/* its histories are used by the last frame */
	double gone_at;		/* time of the pass that did not find it */
	bool replaced;		/* gone, and opened and closed again since */
	uid_t payer;		/* user charged; (uid_t)-1: unknown */
	uint64_t user_locked;	/* of all rings of the payer; UNKNOWN */
	double drops_from;	/* as in struct host_pass_ring */
	uint64_t lost_seen;	/* since first seen */
	double lost_at;		/* when it last lost records that another size
				 * might have held */
	uint64_t lost_excused;	/* part of lost_seen that advice_lost
				 * excludes */
	struct host_event_entry *events;
	size_t nr_events, events_cap;
	struct host_pass_holder *holders;	/* by pid */
	size_t nr_holders;
	struct host_thread thread;
	struct host_last last;
	struct host_tick tick;
	struct host_gaps gaps;
	struct host_limit limit;
	uint64_t peak;		/* most bytes waiting since the last reset */
	struct host_mean mean;
	struct host_sizes sizes;
	/* Since the last reset, without stops of the owner and bad tails: */
	uint64_t advice_lost;	/* records, without those lost in a pause */
	uint64_t advice_peak;	/* most bytes waiting */
	struct host_oversized oversized;
	struct host_observed observed;
	struct ring_histories histories;
	struct host_logged logged;
	struct host_counters counted;	/* what the rows' sums already
					 * include */
};

/* host_rows.c */

/* Sums over all rings ever seen: they never decrease. */
struct host_sums {
	struct host_counters counters;
	uint64_t lost_before;	/* counters.lost at the last reset */
	uint64_t drops;		/* part of counters.lost: not by perf rings */
	uint64_t pending;	/* of rows that were forgotten */
	bool perf;		/* includes a perf ring */
	bool counts_lost;	/* includes a perf ring with known losses */
	bool counts_drops;	/* the same of other kinds */
	bool at_least;		/* of rows that were forgotten: what one lost
				 * is not known to its end */
};

/* Zeroed, except for the first two: empty. */
struct host_rows {
	const struct host_filter *filter;
	double linger;		/* seconds that the row of a gone ring is
				 * kept */
	bool keeps_lost;	/* or longer, if it lost records */
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
 * owner opened and closed the same ring again since, or the oldest, if there are
 * too many.
 */
void host_rows_forget(struct host_rows *rows, double mono);
/* If there are too many, forget those not shown in the last frame. */
void host_rows_forget_unshown(struct host_rows *rows);

/* host_match.c */

/*
 * Items of a pass by ring, as indices into the pass: first[ring], next[item],
 * up to HOST_MATCH_END.
 */
struct host_match_items {
	uint32_t *first, *next;
	size_t first_cap, next_cap;
};
#define HOST_MATCH_END UINT32_MAX

/* A pass, and the previous rows of its rings and events.  Zeroed: none. */
struct host_match {
	const struct host_pass *pass;	/* belongs to the caller */
	uint64_t number;	/* of the pass; copied to the rows that it
				 * found */
	struct host_match_items events, holders;
	struct table rings;	/* by key: indices into the pass */

	struct host_row_state **rows;	/* of ring i; NULL: no row yet */
	size_t rows_cap;
	struct table ends;	/* by event: indices into the pass */
	struct table by_key;	/* rows */
	struct table by_event;	/* indices into known */
	struct host_match_known *known;
	size_t nr_known, known_cap;
};

/*
 * Match @pass, which has @number, with @rows; rows that it found get the
 * number.  Valid until the pass changes.  0 or -ENOMEM.
 */
int host_match_make(struct host_match *match, const struct host_rows *rows,
		    const struct host_pass *pass, uint64_t number);
void host_match_free(struct host_match *match);

/*
 * Make the events and holders of ring @i those of the row; @self is rbtop's
 * pid.  Sets @more to the increments of the events since they were last seen.
 * 0 or -ENOMEM.
 */
int host_match_take(const struct host_match *match,
		    struct host_row_state *state, size_t i, pid_t self,
		    struct host_increments *more);
/* Whether a perf ring or an event that the pass did not find is gone. */
bool host_match_is_all(const struct host_pass *pass);
/* Set the row's CPU, thread and name from its events and its map. */
void host_match_name(struct host_row_state *state);
/*
 * After all rings were taken: note which rows the pass did not find, add what
 * events lost until they ended, and forget those that no longer exist or moved
 * to other rows.
 */
void host_match_end(const struct host_match *match, struct host_rows *rows);

/* Store the first holders in @row, starting with the owner. */
void host_match_list_holders(const struct host_row_state *state,
			     struct ring_row *row);

/* host_figures.c */

/* Add a reading made at @mono.  @more is set by host_match_take(). */
void host_figures_read(struct host_row_state *state,
		       const struct host_pass_ring *ring,
		       const struct host_increments *more,
		       enum host_change change, double mono);
/* What the ring's last reader left undone says nothing of the next one. */
void host_figures_new_reader(struct host_row_state *state);
/* Add @lost records that its events lost after the last reading. */
void host_figures_end(struct host_row_state *state, uint64_t lost);
/* Whether this is a different ring at the address of the previous one. */
bool host_figures_differ(const struct host_row_state *state,
			 const struct host_pass_ring *ring);
/* End the tick: compute rates and push histories. */
void host_figures_tick(struct host_row_state *state);
/* Reset peaks, gaps and histories. */
void host_figures_reset(struct host_row_state *state);

/* host_evidence.c */

/* Rings drained per second; an owner that drains fewer may sleep in between. */
#define HOST_EVIDENCE_BUSY 50.0
/* Readings needed to call an owner behind. */
enum { HOST_EVIDENCE_MIN = 3 };

/*
 * Call both for each reading: the first before its positions become the
 * previous ones, the second when the increments are known.
 */
void host_evidence_records(struct host_row_state *state,
			   const struct host_pass_ring *ring,
			   const struct host_increments *more,
			   enum host_change change);
void host_evidence_read(struct host_row_state *state,
			const struct host_reading *reading,
			enum host_change change);

/* Start again at @mono, except for the gaps. */
void host_evidence_reset(struct host_row_state *state, double mono);

/* Mean bytes of a record; 0: unknown. */
uint64_t host_evidence_record(const struct host_row_state *state);

/* Input for the advice on a row of the frame. */
struct host_evidence {
	struct ring_row *row;
	struct advice_input in;
	struct host_span lately; /* readings 0: nothing is known */
	struct host_span busy;	/* the same if its reader never sleeps */
	struct host_limit *limit;	/* of the row's state */
};

/* Fill @evidence, except for the row. */
void host_evidence_sum(struct host_row_state *state,
		       uint64_t page_size, struct host_evidence *evidence);

/* Whether @readings are most of those that @sum has. */
bool host_evidence_most(const struct host_span *sum, unsigned int readings);
/*
 * An owner that empties a ring of @size about once between readings may sleep
 * in between, and a larger ring would be enough.  One that takes a part of it,
 * or drains it many times, and leaves it full works continuously.
 */
bool host_evidence_busy(const struct host_span *sum, uint64_t size);

/* host_owner.c */

/*
 * Set the advice of the frame's rows; sorts @all by owner and size.  The
 * rings of an owner are judged together: one reader may serve them all, and
 * they share a setting.
 */
void host_owner_advise(struct host_evidence *all, size_t nr);

/* host_rows.c: their users */

struct host_user_name {
	uid_t uid;
	bool known;		/* host_users_set_name() was called; else it is
				 * the number */
	char name[32];
};

/* Zeroed, except for the limit, which starts as UNKNOWN. */
struct host_users {
	/* of the last pass with limits */
	struct host_pass_limit *limits;	/* by pid */
	size_t nr_limits, limits_cap;
	uint64_t limit;		/* bytes that a user may pin for rings */
	bool paranoid;

	struct host_user_name *names;
	size_t nr_names, names_cap;

	struct host_user *list;	/* of the frame, by uid */
	size_t nr, room;
};

void host_users_free(struct host_users *users);

/* Keep the limits of the pass, if it has any.  0 or -ENOMEM. */
int host_users_limits(struct host_users *users, const struct host_pass *pass);

/* Write the name of a user to @buf; "" for (uid_t)-1. */
void host_users_name(struct host_users *users, uid_t uid, char *buf,
		     size_t size);
/* See host_table_unnamed(). */
bool host_users_unnamed(const struct host_users *users, uid_t *uid);
/*
 * Set a user's name to @text; "": it has none.  Returns the name used from now
 * on; NULL if it was not requested.
 */
const char *host_users_set_name(struct host_users *users, uid_t uid,
				const char *text);

/* Compute the frame's users from all rows.  0 or -ENOMEM. */
int host_users_make(struct host_users *users, const struct host_rows *rows);
/*
 * Whether the row's owner may not map another ring of the size of its user's
 * smallest.  Call after host_users_make().
 */
bool host_users_refused(const struct host_users *users,
			const struct host_row_state *state);

#endif
