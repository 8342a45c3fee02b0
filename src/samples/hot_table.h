/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where samples fall: a bounded store of what they have in common, from which
 * every hot table and flame view is asked (see hot_query.h, flame.h).
 *
 * A cell counts the samples that agree in event, CPU, process, comm, field and
 * callchain.  Callchains share their outer frames: a node is a frame, its
 * parent the caller's.  A sample that was picked from a block of k stands for
 * k samples, and each of these for the events of its period.
 */
#ifndef RBTOP_SAMPLES_HOT_TABLE_H
#define RBTOP_SAMPLES_HOT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "samples/symbol.h"

struct hot_table;

#define HOT_NONE UINT32_MAX

/*
 * What stands in the place of a detail that was given up: for a comm, an event
 * or a symbol; and for a CPU or a pid.
 */
#define HOT_MERGED "[merged]"
#define HOT_MERGED_ID INT32_MIN

/* For all values of the field that came when there was no room for more. */
#define HOT_OTHER "[other]"
enum { HOT_FIELD_MAX = 128 };	/* bytes that are kept of a value */

/* A function, be it at the end of a callchain or within. */
struct hot_symbol {
	const char *name, *dso;		/* of a struct names */
	enum symbol_kind kind;
};

/* A frame.  Parents come before their children. */
struct hot_node {
	uint32_t parent;		/* HOT_NONE: outermost */
	uint32_t symbol;		/* index into symbols */
	bool recursive;			/* an outer frame is the same symbol */
};

/* The squares are of what each sample added to the sum before them. */
struct hot_weight {
	double sum, squares;		/* samples */
	double events, event_squares;	/* samples times their periods */
};

static inline void hot_weight_add(struct hot_weight *to,
				  const struct hot_weight *from)
{
	to->sum += from->sum;
	to->squares += from->squares;
	to->events += from->events;
	to->event_squares += from->event_squares;
}

struct hot_cell {
	uint32_t node;			/* the innermost frame */
	uint32_t event;			/* index into events */
	int32_t cpu;
	pid_t pid;
	const char *comm;
	const char *field;		/* value of the field chosen; "";
					 * equal ones are the same pointer */
	struct hot_weight total;	/* since the start or a reset */
	struct hot_weight recent;	/* decaying */
};

struct hot_field {
	char text[HOT_FIELD_MAX];
};

/*
 * Everything counted, as plain data: what a frame has.  Names belong to the
 * source and outlive it.  Arrays belong to it: hot_free().
 */
struct hot {
	struct hot_symbol *symbols;
	uint32_t nr_symbols;
	struct hot_node *nodes;
	uint32_t nr_nodes;
	struct hot_cell *cells;
	uint32_t nr_cells;
	const char **events;		/* names */
	uint32_t nr_events;
	char field[64];			/* the tracepoint field chosen; "" */
	struct hot_field *fields;	/* its values, which cells point to */
	uint32_t nr_fields;
	bool chains;			/* samples have callchains */
	bool thinned;			/* some stood for more than themselves:
					 * shares have a confidence */
	struct hot_weight total, recent;	/* of all samples */
	struct hot_weight merged;	/* part of total whose detail was
					 * given up for want of room */
	uint64_t generation;		/* of the last reset */
	uint64_t layout;		/* another one: indices of symbols,
					 * nodes and fields changed (never of
					 * events) */
	uint64_t changes;		/* of the table, so far */
	uint32_t max_cells, max_nodes;	/* the bound */
	size_t bytes;			/* in use by table and copy */
};

enum { HOT_MAX_DEPTH = 1024 };	/* max_nodes / 8, if that is less */

struct hot_table_opts {
	uint32_t max_cells;		/* 0: 32768 */
	uint32_t max_nodes;		/* 0: 65536; symbols have the same */
	double half_life;		/* seconds, of the recent weights;
					 * 0: 10 */
};

struct hot_table *hot_table_new(const struct hot_table_opts *opts);
void hot_table_free(struct hot_table *t);

/*
 * A sample.  Event, comm and the frames' names are those of a struct names;
 * the field's value is any text, which is copied.
 */
struct hot_sample {
	const char *event;
	int cpu;
	pid_t pid;
	const char *comm;
	const char *field;		/* "" */
	const struct symbol *frames;	/* innermost first */
	size_t nr_frames;		/* at least 1 */
	double weight;			/* samples that it stands for */
	double period;			/* events of each; 0 counts as 1 */
};

/*
 * Count a sample; of a very deep callchain (see HOT_MAX_DEPTH) the innermost
 * frames.  Never allocates.  Where there is no room for a new cell or node,
 * the detail of those that weigh least is given up first, never a sample:
 * sums stay exact, and what was merged is told.
 */
void hot_table_add(struct hot_table *t, const struct hot_sample *sample);

/* @seconds passed: the recent weights fade. */
void hot_table_decay(struct hot_table *t, double seconds);

/* All counts begin at 0 again. */
void hot_table_reset(struct hot_table *t);

/*
 * From now on samples bring the value of this field; "": of none.  Those of
 * another field, until now, are forgotten.
 */
void hot_table_set_field(struct hot_table *t, const char *field);
/* Whether samples have callchains. */
void hot_table_set_chains(struct hot_table *t, bool chains);

/*
 * Bring @copy, zeroed or of an earlier call for the same table, up to date.
 * Symbols and nodes cost what is new of them, cells a memcpy at most.  0, or
 * -ENOMEM with @copy as it was.
 */
int hot_table_copy(const struct hot_table *t, struct hot *copy);
void hot_free(struct hot *copy);

#endif
