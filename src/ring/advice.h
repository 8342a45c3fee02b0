/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ring size that would have held the bursts seen so far:
 *
 *	burst rate x gap between drains = bytes; next power of two
 *
 * A larger ring also wakes its reader later, so if it lost records, what came in
 * the gap must fit above the watermark: by default, it counts twice.
 *
 * Rate and gap belong to the same gap, the one in which the most bytes came.
 * The highest rate times the longest gap, of different moments, would be a
 * burst that never happened.
 */
#ifndef RBTOP_RING_ADVICE_H
#define RBTOP_RING_ADVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ring/ring_stats.h"

/* What is wrong with a ring, if anything, in a word. */

struct ring_row;

/* Of increasing severity. */
enum verdict {
	VERDICT_UNKNOWN,
	VERDICT_OVERWRITE,	/* not drained by design */
	VERDICT_OK,
	VERDICT_PARKED,		/* data has waited for RING_UNDRAINED seconds,
				 * too little to wake the owner */
	VERDICT_OFTEN,		/* its reader is woken often, for little */
	VERDICT_THROTTLED,	/* the kernel throttles one of its events */
	VERDICT_TIGHT,		/* nothing lost, but it was nearly full */
	VERDICT_LATE,		/* its reader was woken and has drained nothing
				 * for RING_UNDRAINED seconds */
	VERDICT_PAUSED,		/* output paused: new records are lost */
	VERDICT_TRUNCATED,	/* AUX trace truncated: the AUX ring was
				 * full */
	VERDICT_TOO_SMALL,
	VERDICT_CANNOT_FIT,	/* a record is larger than the ring */
	VERDICT_UNSCHEDULED,	/* the reader waits for a CPU most of the
				 * time */
	VERDICT_TOO_SLOW,	/* the reader cannot keep up, whatever
				 * the size */
	VERDICT_STUCK,		/* its reader is stopped, or reads nothing */
	VERDICTS,
	/* from here on: needs attention; has losses */
	VERDICT_CONCERN = VERDICT_TIGHT,
	VERDICT_LOSS = VERDICT_PAUSED,
};

/* "too small": used in exports, screens and the man page; "": unknown. */
const char *verdict_name(enum verdict verdict);
/* The verdict on a ring: on its size, from the advice; else on its state. */
enum verdict verdict_of(const struct ring_row *row);

/*
 * The figures that prove a verdict on its wakeups, and what to change:
 * "48B has been waiting for 12s: the ring's reader is woken only at 2K, and has
 * not polled in that time"; "": another verdict.  Returns @buf.
 */
char *verdict_note(const struct ring_row *row, char *buf, size_t size);

/*
 * Number of rings per verdict, the ring with the largest loss of each, and that
 * of another owner.
 */
struct verdicts {
	unsigned int nr[VERDICTS];
	const struct ring_row *most[VERDICTS], *other[VERDICTS];
	/* of each of the last two owners that ended with advice: the ring that
	 * lost most */
	const struct ring_row *gone, *other_gone;
};

/*
 * Whether, in this tick, the ring's reader is woken often and for few bytes.
 * @was: the result of the previous tick, for hysteresis near the limit.
 */
bool verdict_is_often(const struct ring_row *row, bool was);

/*
 * Count @row, which must live as long as @all is used.  Rings that are gone,
 * rbtop's own and those of dummy events only are not counted.
 */
void verdicts_add(struct verdicts *all, const struct ring_row *row);
/* The most severe. */
enum verdict verdicts_worst(const struct verdicts *all);
/*
 * Write all, the most severe first, each that is a concern with an owner, the
 * first one with two: "too small 2, perf (4242) needs -m 256; ok 6"; "" without a
 * ring whose verdict is known.  If none is a concern, what the latest two that
 * are gone would have needed comes first:
 * "perf (4242, gone) needed -m 256; ok 6".
 * Returns @buf.
 */
char *verdicts_text(const struct verdicts *all, char *buf, size_t size);

/*
 * What is known of a ring.  rbtop's reader sees each drain of its own rings; a
 * ring of another program is read at intervals, so its figures are bounds.
 */
struct advice_input {
	uint64_t size;		/* bytes */
	uint64_t page_size;
	uint64_t peak;		/* most bytes waiting: at a drain; others': that
				 * were seen */
	double worst_gap;	/* seconds between the two drains between which
				 * the most bytes came, lost records included;
				 * others': longest time that data waited
				 * without a move of the tail, including the
				 * intervals to the readings before and after;
				 * 0: the tail moved between all readings */
	double burst_bytes_per_s; /* rate in that gap; others': highest rate
				   * between two readings, a lower bound */
	uint64_t lost;		/* records lost, reported and pending; others':
				 * since first seen */
	uint64_t lost_stopped;	/* records lost in pauses and stops of rbtop, or
				 * while the owner was stopped; not included in
				 * lost.  peak and worst_gap exclude that time
				 * too */
	uint64_t watermark;
	bool overwrite;
	double watched;		/* seconds at this size; others': since first
				 * seen */

	/* Of rbtop's own rings only: */
	double bytes_per_s;	/* highest rate of a tick */
	bool ordinary;		/* its reader has no realtime priority: it may
				 * wait for a CPU */
	double ordinary_wait;	/* seconds: the longest that such a thread was
				 * seen to wait for one; 0: unknown */
	uint64_t burst;		/* most bytes that came within ADVICE_GAP; 0:
				 * unknown */
	uint64_t drains;	/* that found data */

	/* Of another program's ring only: see host_advice_make(). */
	const char *comm;	/* of the owner, for its setting's name; NULL */
	pid_t pid;		/* of the owner; 0: unknown */
	bool unsized;		/* lost records are not included in
				 * burst_bytes_per_s, nor in came_per_s, as
				 * their size is unknown */
	uint64_t lost_in_gap;	/* most bytes lost in one gap between drains */
	double gap_age, lost_age; /* seconds since then, and since records were
				   * last lost */
	double max_per_s;	/* highest rate between any two readings, lost
				 * records of known size included */
	double poll_interval;	/* seconds between readings: upper bound of a
				 * gap if worst_gap is 0 */
	bool excused;		/* other records were lost, which no size would
				 * have held, or before the ring was first
				 * seen */
	uint64_t lost_before;	/* records lost before it was first seen, if
				 * none was lost since */
	uint64_t record;	/* mean bytes of a record; 0: unknown */
	uint64_t largest;	/* upper bound of bytes of a record; 0:
				 * unknown */
	uint64_t largest_seen;	/* 0: none was inspected */
	uint64_t oversized;	/* records of at least this many bytes are lost
				 * while the ring has room; 0: none */
	double oversized_per_s;	/* records, highest rate between two readings */
	bool early;		/* watched for less than 10 seconds */
	bool usual;		/* seen long enough, including a burst, to
				 * advise a smaller size */
	uint64_t wakeup_events;	/* 0: woken by the watermark */
	double waited;		/* the most of run_wait while records were
				 * lost */
	double run_wait;	/* part of the last seconds that the owner's
				 * main thread waited for a CPU; NAN: unknown */
	bool starved;		/* that is most of the time */
	int priority;		/* of that thread: struct host_pass_holder */
	double output_wait;	/* part that it waits for its output, if that is
				 * why records are lost; 0: it is not */
	bool busy;		/* it is the only thread, never sleeps, and was
				 * not measured for long enough to know what it
				 * can read */
	double limit_per_s;	/* bytes that the reader can read at most, with
				 * a CPU of its own; more comes; 0: unknown */
	bool ringbuf;		/* advise bytes instead of pages of -m */
	uint32_t frame;		/* the same of an AF_PACKET ring: bytes of its
				 * frames; 0: it is of another kind */
	bool entries;		/* or entries of an io_uring, which page_size is
				 * the size of */
	bool to_kernel;		/* see struct ring_row */
	const char *ftrace;	/* the name of an ftrace buffer, as struct
				 * ring_row has it; NULL: of another kind */
	bool uncounted;		/* its losses are not counted */

	/* In the last seconds: */
	bool stopped;		/* the owner is stopped, and data waits */
	double undrained;	/* seconds without a drain, if the ring is
				 * nearly full */
	bool behind;		/* it is drained, but stays nearly full and
				 * keeps losing records */
	bool may_lag;		/* possibly behind; but a larger ring may
				 * help */
	bool always_full;	/* nearly full at most readings, and less than
				 * half of it is taken between two */
	double taken_per_s;	/* bytes drained, of all rings of the owner, as
				 * the next two */
	double came_per_s;	/* bytes written or lost, a lower bound */
	double lost_per_s;	/* records lost */
};

struct advice {
	enum verdict verdict;	/* on the size alone; see verdict_of() */
	bool valid;		/* enough data was seen for advice */
	uint64_t pages;		/* recommended value of -m; 0: not valid */
	uint64_t perf_pages;	/* of rbtop's rings: the -m that perf record
				 * needs for the same events, as its reader is
				 * an ordinary thread; 0: unknown */
	uint64_t need;		/* bytes: burst rate x gap */
	double burst_bytes_per_s;
	double worst_gap;
	bool shared;		/* of another program's ring: it is that of
				 * another ring of its owner */
	char text[320];		/* "grow to -m 512: burst 8.1M/s x gap 210ms =
				 * 1.7M" */
	char reason[224];	/* the reason, one sentence */
	char setting[96];	/* of another program's ring: what gives it that
				 * size, in its words.  Of rbtop's: "perf record
				 * -m 128".  "": unknown, or it has that size */
	char perf_reason[96];	/* of rbtop's rings: what perf_pages hold, or
				 * "" */
	bool early;		/* of another program's ring: more may be
				 * needed: it was not watched for long, its
				 * records vary, or the size is far from the
				 * present one */
	uint64_t bytes;		/* the same as pages, of another program's ring */
	bool undecided;		/* of another program's ring: perhaps no size
				 * helps; watched longer, it will be known */
	char label[24];		/* of all: the ring that needs most */
	const char *command;	/* of another program's ring: starts its owner
				 * with that size; NULL: unknown */
};

/*
 * Seconds that an ordinary thread may wait for a CPU, unless one was seen to wait
 * longer: the gap that is assumed for readers whose gaps cannot be seen.
 */
#define ADVICE_GAP (RING_BURST_NS / 1e9)

/*
 * A ring is nearly full above this share of its size: less than a quarter is
 * free.  A peak above it makes the advice to grow.
 */
#define ADVICE_TIGHT 0.75
/*
 * Bytes: the most that is advised where it is only supposed that a size will
 * do: for a wait that was not seen, or for a reader that may be too slow.
 */
#define ADVICE_SUPPOSED (UINT64_C(16) << 20)
/* No smaller ring is advised, pages. */
#define ADVICE_MIN 8

/* Rules for all rings, whoever owns them. */

/* The inputs and the figures made of them, as text. */
struct advice_words {
	char size[16], peak[16], watermark[16];
	char fill[16];		/* peak in percent of the size */
	char product[80];	/* "burst 8.1M/s x gap 210ms = 1.7M"; of bounds
				 * "burst >= 8.1M/s x gap <= 210ms = 1.7M" */
};
void advice_words_make(const struct advice_input *in, uint64_t need,
		       bool bounds, struct advice_words *words);

/* Seconds between two drains. */
double advice_gap(const struct advice_input *in);
/* Bytes that a burst brings in that gap. */
uint64_t advice_need(const struct advice_input *in);
/* The smallest number of pages, a power of two, that holds @bytes. */
uint64_t advice_pages(const struct advice_input *in, uint64_t bytes);
/* Those of the next larger ring. */
uint64_t advice_grown(const struct advice_input *in);
/*
 * Those of a ring that holds @need, twice the peak, and some of the largest
 * records; 0 if it has more than a quarter of the present size.
 */
uint64_t advice_shrunk(const struct advice_input *in, uint64_t need);
/* Whether a ring was watched long enough to advise a smaller one. */
bool advice_is_seen(double seconds, uint64_t drains);
/* Whether its peak was above ADVICE_TIGHT. */
bool advice_is_tight(const struct advice_input *in);
/* The reason why advice on such a ring is never possible, or NULL. */
const char *advice_refusal(const struct advice_input *in);
/* "nothing lost"; not in the losses that a size can help. */
const char *advice_nothing_lost(const struct advice_input *in);
/* Set all but the text of the advice on a tight ring. */
void advice_tight(const struct advice_input *in, struct advice *out);

/* If valid is false, reason says what is missing and text is empty. */
void advice_make(const struct advice_input *in, struct advice *out);

/*
 * -m is one number for all rings.  Start with @all zeroed and add the advice on
 * each of rbtop's rings, in @pages pages now, then end: the text names the ring
 * that needs most.
 */
void advice_all_add(struct advice *all, const struct advice *one,
		    uint64_t pages, const char *label);
void advice_all_end(struct advice *all);
/* Then add the setting, and the -m of all, to the advice on a ring. */
void advice_all_apply(const struct advice *all, struct advice *one);

/* Of a recording: the -m of perf record that would have held all of it. */
void advice_of_recording(struct advice *all, uint64_t pages);
/* Of one that lost nothing: at most @most bytes of @size waited at a drain. */
void advice_of_lossless(struct advice *all, uint64_t size, uint64_t most);

/* An AUX ring in full trace mode, which a reader drains. */
struct advice_aux_input {
	uint64_t size;		/* bytes */
	uint64_t page_size;
	uint64_t truncated;	/* number of times it was full */
	double bytes_per_s;	/* highest rate of trace in a tick; 0:
				 * unknown */
};

/*
 * "grow to -m ,512: full 12 times; 1M is 250ms at 4M/s"; "" if it was never
 * full.  The advice is twice the size: tracing stops while the ring is full, so
 * the observed rate does not say how much trace would have been written.
 */
void advice_make_aux(const struct advice_aux_input *in, char *buf,
		     size_t size);

#endif
