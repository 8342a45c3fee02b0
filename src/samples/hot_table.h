/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hot table: a bounded store of sample counts, from which all rows of the
 * Hot screen and all flame views are made (see hot_query.h, flame.h).
 *
 * A cell counts the samples that agree in event, CPU, process, comm, field and
 * callchain.  Callchains share their outer frames: a node is a frame, and its
 * parent is its caller.  A sample picked from a block of k stands for k
 * samples, each of which stands for the events of its period.
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
 * The value of a detail that was merged away: of a comm, an event, a symbol or
 * a field; and of a CPU or a pid.
 */
#define HOT_MERGED "[merged]"
#define HOT_MERGED_ID INT32_MIN

/* Stands for all values of the field beyond the limit. */
#define HOT_OTHER "[other]"
enum { HOT_FIELD_MAX = 128 };	/* bytes of a value, with the NUL */

/* A function. */
struct hot_symbol {
	const char *name, *dso;		/* of a struct names */
	enum symbol_kind kind;
};

/* A frame.  Parents come before their children. */
struct hot_node {
	uint32_t parent;		/* HOT_NONE: outermost */
	uint32_t symbol;		/* index into symbols */
	bool recursive;			/* a caller has the same symbol */
};

/* Squares: the sum of the squares of what each sample added. */
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
	const char *field;		/* value of the chosen field, or "";
					 * equal values have equal pointers */
	struct hot_weight total;	/* since the start or a reset */
	struct hot_weight recent;	/* decays by half_life */
};

struct hot_field {
	char text[HOT_FIELD_MAX];
};

/*
 * A copy of the table as plain data, for a frame.  Names belong to the source
 * and outlive it.  Arrays belong to it: hot_free().
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
	bool thinned;			/* not all samples were decoded: shares
					 * have a confidence interval */
	struct hot_weight total, recent;	/* of all samples */
	struct hot_weight merged;	/* part of total whose detail was
					 * merged away for lack of room */
	uint64_t generation;		/* number of resets */
	uint64_t layout;		/* changes when indices of symbols,
					 * nodes and fields do (those of events
					 * never do) */
	uint64_t changes;		/* number of changes of the table */
	uint32_t max_cells, max_nodes;	/* the bounds */
	size_t bytes;			/* in use by table and copy */
};

enum {
	HOT_MAX_DEPTH = 1024,	/* max_nodes / 8, if that is less */
	HOT_HALF_LIFE = 5,	/* seconds */
};

struct hot_table_opts {
	uint32_t max_cells;		/* 0: 32768 */
	uint32_t max_nodes;		/* 0: 65536; bounds symbols, too */
	double half_life;		/* seconds, of the recent weights;
					 * 0: HOT_HALF_LIFE */
};

/* NULL when out of memory. */
struct hot_table *hot_table_new(const struct hot_table_opts *opts);
void hot_table_free(struct hot_table *t);

/*
 * A sample.  Event, comm and the frames' names belong to a struct names; the
 * field's value is any text, which is copied.
 */
struct hot_sample {
	const char *event;
	int cpu;
	pid_t pid;
	const char *comm;
	const char *field;		/* value of the chosen field, or "" */
	const struct symbol *frames;	/* innermost first */
	size_t nr_frames;		/* at least 1 */
	double weight;			/* samples that it stands for */
	double period;			/* events of each; 0 counts as 1 */
};

/*
 * Count a sample, with at most HOT_MAX_DEPTH innermost frames.  Never
 * allocates.  If there is no room for a new cell or node, cells are merged,
 * those of least weight into the least detail; no sample is dropped: sums stay
 * exact, and hot.merged is what was merged.
 */
void hot_table_add(struct hot_table *t, const struct hot_sample *sample);

/* Decay the recent weights by @seconds. */
void hot_table_decay(struct hot_table *t, double seconds);

/* Set all counts to 0. */
void hot_table_reset(struct hot_table *t);

/*
 * Set the field whose value samples have from now on; "": none.  The values of
 * another field, until now, are removed.
 */
void hot_table_set_field(struct hot_table *t, const char *field);
/* Set whether samples have callchains. */
void hot_table_set_chains(struct hot_table *t, bool chains);

/*
 * Update @copy, which is zeroed or from an earlier call for the same table.
 * Only new symbols and nodes are copied; cells are copied if anything changed.
 * 0, or -ENOMEM with @copy as it was.
 */
int hot_table_copy(const struct hot_table *t, struct hot *copy);
void hot_free(struct hot *copy);

#endif
