/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the table keeps of each ring from pass to pass, and who makes which
 * part of it.  For src/host/table/host_*.c only.
 */
#ifndef RBTOP_HOST_TABLE_HOST_TABLE_IMPL_H
#define RBTOP_HOST_TABLE_HOST_TABLE_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "ring/history.h"
#include "host/table/host.h"
#include "host/table/host_advice.h"
#include "host/table/host_gaps.h"
#include "host/table/host_map.h"
#include "host/table/host_table.h"

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

struct host_holder_entry {
	pid_t pid;
	char comm[16];
	uid_t uid;
	bool stopped;
	bool maps;
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

/* What the events of a ring did between two looks. */
struct host_came {
	uint64_t lost;		/* records */
	bool counted;		/* all of its events tell what they made: */
	uint64_t made;		/* records, those that were lost included */
};

/* How large records are: of those that can be counted. */
struct host_mean {
	uint64_t bytes, made, lost;
};

/* Of one ring, or summed up. */
struct host_counters {
	uint64_t bytes, wakeups, drains, lost;
};

/* Of all rings that were ever seen: they never fall. */
struct host_sums {
	struct host_counters counters;
	uint64_t pending;	/* of rows that are forgotten */
	bool perf;		/* some ring was a perf ring */
	bool told;		/* that told what it lost */
	bool at_least;		/* one of them has ended */
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

/* What the log was told of a row. */
struct host_told {
	bool came, gone;
	uint64_t remapped;
	uint64_t lost;
	double lost_at;
	unsigned int warnings;	/* those of the last picture */
	double warned_at[RING_WARNINGS];
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
	struct host_counters counted;	/* in the table's sums */
};

/* What advice on a row of the picture is made of. */
struct host_evidence {
	struct ring_row *row;
	struct host_advice_input in;
	struct host_span lately; /* looks: 0 where nothing is known */
};

/* A pass by ring: of each the events and holders, as indices into the pass. */
struct host_groups {
	struct host_map rings;	/* by key */
	uint32_t *events, *event_from;	/* those of ring i: event_from[i] .. */
	uint32_t *holders, *holder_from;
	size_t room_rings, room_events, room_holders;
};

/* Where an event was seen last. */
struct host_known {
	struct host_row_state *state;
	size_t at;
};

struct host_user_known {
	uid_t uid;
	bool told;		/* host_table_name_user() was; else it is the
				 * number */
	char name[32];
};

/* A user's rings added up. */
struct host_account {
	struct host_user user;
	uint64_t smallest;	/* of its rings, with all pages */
	double latest;		/* look that told what it has locked */
};

struct host_table {
	struct host_table_opts opts;
	struct host_row_state **rows;	/* by id */
	size_t nr_rows, room_rows;
	size_t gone;		/* rows that are */
	uint64_t next_id, passes;
	double first, last;	/* passes, CLOCK_MONOTONIC */
	struct host_sums sums;
	double frame_last;	/* what last was, a picture ago */
	bool framed;

	/* of one pass */
	struct host_groups groups;
	uint32_t *claims;	/* of each ring of a pass: its row */
	size_t room_claims;
	struct host_map by_key;	/* rows */
	struct host_map by_event; /* to known[] */
	struct host_known *known;
	size_t nr_known, room_known;

	/* of the last pass that told */
	struct host_pass_limit *limits;	/* by pid */
	size_t nr_limits;
	uint64_t user_limit;
	bool paranoid;
	uint64_t ringless, processes;
	struct host_user_known *names;
	size_t nr_names;
	struct host_account *accounts;
	size_t nr_accounts, room_accounts;

	/* the picture */
	struct host host;
	struct host_row_state **states;	/* of its rows */
	struct ring_event *events;
	struct host_evidence *evidence;	/* by owner and size */
	size_t room_host_rows, room_events, room_users, room_evidence;
};

/* At least @nr items of @size bytes in *@items.  0 or -ENOMEM. */
int host_table_room(void *items, size_t *room, size_t nr, size_t size);

/*
 * host_table.c: forget rows that are gone, as far as they lingered for long at
 * @mono, or are too many.
 */
void host_table_forget(struct host_table *table, double mono);

/* host_groups.c: sort @pass by ring.  0 or -ENOMEM. */
int host_groups_make(struct host_groups *groups, const struct host_pass *pass);
void host_groups_free(struct host_groups *groups);

/*
 * host_match.c: find the row of each ring of the pass, into table->claims; and
 * where each event was seen before.  0 or -ENOMEM.
 */
int host_match(struct host_table *table, const struct host_pass *pass);

/*
 * host_events.c: the events of ring @i of the pass are the row's.  Sets @came
 * to what they did since they were last seen.  0 or -ENOMEM.
 */
int host_events_take(struct host_table *table, struct host_row_state *state,
		     const struct host_pass *pass, size_t i,
		     struct host_came *came);
/* The events of the pass that have no ring. */
void host_events_ringless(struct host_table *table,
			  const struct host_pass *pass);
/* Forget those that are no more, and those that went to other rows. */
void host_events_drop(struct host_table *table, const struct host_pass *pass);
/* Whether all events of the row were seen by the pass of that number. */
bool host_events_complete(const struct host_row_state *state, uint64_t pass);
/* The CPU, thread and name that the row gets of its events. */
void host_events_name(struct host_row_state *state);

/* host_holders.c: who holds ring @i of the pass.  0 or -ENOMEM. */
int host_holders_take(const struct host_table *table,
		      struct host_row_state *state,
		      const struct host_pass *pass, size_t i);
/* The first named in @row, the owner before all. */
void host_holders_list(const struct host_row_state *state,
		       struct ring_row *row);

/* How a ring of a pass relates to the one that its row showed before. */
enum host_change {
	HOST_CHANGE_NEW,	/* the row is new */
	HOST_CHANGE_SAME,
	HOST_CHANGE_REMAPPED,	/* another ring in its place */
};

/*
 * host_figures.c: what a look says.  @came as host_events_take() sets it.
 * The pass was made at @mono.
 */
void host_figures_look(struct host_row_state *state,
		       const struct host_pass_ring *ring,
		       const struct host_came *came, enum host_change change,
		       double mono);
/* Whether it is another ring at the address of the one before. */
bool host_figures_differ(const struct host_row_state *state,
			 const struct host_pass_ring *ring);
/* Rates over the tick, which ends; histories. */
void host_figures_tick(struct host_row_state *state);
/* Peaks, gaps, histories begin anew. */
void host_figures_reset(struct host_row_state *state);

/* Rings drained in a second: who takes fewer may as well sleep in between. */
#define HOST_BUSY_RINGS 50.0

/* A ring with a larger share in it is nearly full. */
#define HOST_NEARLY_FULL 0.75

/*
 * host_evidence.c: what was seen that tells which size a ring needs.  The first
 * two belong to each look, the one before its positions are taken over as the
 * last, the other once it is known what came.
 */
void host_evidence_records(struct host_row_state *state,
			   const struct host_pass_ring *ring,
			   const struct host_came *came,
			   enum host_change change);
void host_evidence_look(struct host_row_state *state,
			const struct host_gap_look *look,
			enum host_change change);
/* Begin anew, at @mono. */
void host_evidence_reset(struct host_row_state *state, double mono);
/* Bytes of a record on average; 0: not known. */
uint64_t host_evidence_record(const struct host_row_state *state);
/* All of @evidence but the row. */
void host_evidence_sum(const struct host_table *table,
		       const struct host_row_state *state,
		       struct host_evidence *evidence);

/*
 * host_owners.c: the advice of the picture's rows.  Rings of one owner are
 * judged together: one reader may serve them all, and they share a setting.
 */
void host_owners_advise(struct host_table *table);

/* host_table_frame.c: whether the row is one of those asked for. */
bool host_table_shows(const struct host_table *table,
		      const struct ring_row *row);

/* host_totals.c: the picture's total, of its rows.  0 or -ENOMEM. */
int host_totals_make(struct host_table *table);
/* Add what the row's counters have grown by since that was done last. */
void host_totals_count(struct host_table *table,
		       struct host_row_state *state);
/* The same of a row that is about to be freed, if it is shown. */
void host_totals_forget(struct host_table *table,
			struct host_row_state *state);

/* host_users.c: the picture's users, of all rows.  0 or -ENOMEM. */
int host_users_make(struct host_table *table);
/* Keep what the pass says of limits.  0 or -ENOMEM. */
int host_users_limits(struct host_table *table, const struct host_pass *pass);
/*
 * Whether the row's owner may not map another ring like the smallest of its
 * user's, once host_users_make() was called.
 */
bool host_users_refused(const struct host_table *table,
			const struct host_row_state *state);
/* The name of a user, into @buf. */
void host_users_name(struct host_table *table, uid_t uid, char *buf,
		     size_t size);

/* host_warnings.c: bits 1 << enum ring_warning of a row of the picture. */
unsigned int host_warnings(const struct host_table *table,
			   const struct host_row_state *state,
			   const struct ring_row *row);

/* host_notes.c: tell what is new in the picture. */
void host_notes_tell(struct host_table *table, host_note_fn *note, void *ctx);

/* The growth of a counter; 0 where it fell back. */
static inline uint64_t host_delta(uint64_t now, uint64_t last)
{
	return now > last ? now - last : 0;
}

#endif
