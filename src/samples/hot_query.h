/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables made of what the hot table counted: grouped, narrowed, sorted.
 *
 * Shares are of events where the samples are all of one event: a sample then
 * weighs as much as its period, as in perf-report(1).  Events of several kinds
 * cannot be added up, so shares are of samples then.
 */
#ifndef RBTOP_SAMPLES_HOT_QUERY_H
#define RBTOP_SAMPLES_HOT_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "samples/hot_table.h"

#define HOT_KEY(id, name, header, width, help) HOT_##id,
enum hot_key {
#include "samples/hot_keys.def"
	HOT_KEYS
};
#undef HOT_KEY

struct hot_key_info {
	const char *name;	/* "symbol": in titles and the manual */
	const char *header;
	int width;		/* columns on screen */
	const char *help;
};
const struct hot_key_info *hot_key_info(enum hot_key key);

/*
 * The values of a row or a narrowing; only those of its keys are set.  A
 * symbol is name, dso and kind, so that a narrowing outlives its index.
 */
struct hot_value {
	uint32_t symbol;	/* index, in the hot that was asked */
	const char *name;	/* of the symbol */
	const char *dso;	/* of the symbol, or the one grouped by */
	enum symbol_kind kind;
	const char *comm;
	const char *field;	/* of the hot that was asked, for as long as
				 * that does not change */
	uint32_t event;		/* index, which never changes */
	pid_t pid;
	int cpu;
};

/* Only samples of which this holds. */
struct hot_where {
	enum hot_key key;
	struct hot_value value;
	bool anywhere;		/* symbol, dso: of any frame, not of the
				 * innermost alone */
	char field[HOT_FIELD_MAX];	/* instead of that of the value */
	char of[64];		/* what that is a value of; for texts alone */
};

enum { HOT_WHERES = 8, HOT_MAX_ROWS = 32768 };

struct hot_query {
	unsigned int keys;	/* to group by: bits 1 << enum hot_key */
	bool recent;		/* the decaying weights, not the totals */
	bool by_children;	/* sort by that instead of self */
	bool by_name;		/* sort by the keys instead of either */
	struct hot_where where[HOT_WHERES];
	unsigned int nr_where;
};

struct hot_row {
	struct hot_value value;
	enum symbol_kind kind;	/* of a symbol */
	double self;		/* share of what is narrowed to, 0..1 */
	double children;	/* the same with what it calls */
	double error;		/* half the 95 % interval of the share it is
				 * sorted by; 0 unless thinned */
	double samples;		/* self, in samples */
	double samples_children;
};

struct hot_rows {
	struct hot_row *rows;	/* the heaviest first, or by name */
	size_t nr;
	size_t left_out;	/* lighter ones, beyond HOT_MAX_ROWS */
	bool by_events;		/* shares are of events, else of samples */
	double samples;		/* narrowed to */
	double decoded;		/* how many of them count for the confidence:
				 * those looked at, if all weigh the same */
};

/* 0 or -ENOMEM.  Free with hot_rows_free. */
int hot_query(const struct hot *hot, const struct hot_query *query,
	      struct hot_rows *out);
void hot_rows_free(struct hot_rows *rows);

/* The text of a row's cell, "-" for none.  Returns @buf. */
char *hot_value_text(const struct hot *hot, enum hot_key key,
		     const struct hot_value *value, char *buf, size_t size);

/*
 * Which samples @query narrows to: @match, of nr_cells entries, is set for
 * the cells that have a weight and are among them.  Grouped by a field, those
 * that have it: of its event, and taken since it was chosen.  0 or -ENOMEM.
 */
int hot_query_match(const struct hot *hot, const struct hot_query *query,
		    bool *match);

/* Whether shares of those that @match are of events. */
bool hot_query_by_events(const struct hot *hot, const struct hot_query *query,
			 const bool *match);

/* The weight of a cell that @query looks at. */
static inline const struct hot_weight *
hot_query_weight(const struct hot_query *query, const struct hot_cell *cell)
{
	return query->recent ? &cell->recent : &cell->total;
}

#endif
