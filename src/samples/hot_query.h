/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows made from the hot table: samples selected, grouped and sorted.
 *
 * If all samples are of one event, shares are of events: the weight of a sample
 * is its period, as in perf-report(1).  Counts of different events cannot be
 * added, so otherwise shares are of samples.
 */
#ifndef RBTOP_SAMPLES_HOT_QUERY_H
#define RBTOP_SAMPLES_HOT_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "samples/hot_table.h"
#include "samples/symbol.h"

/* The keys that samples are grouped and selected by. */
#define HOT_KEY(id, name, header, width, help) HOT_##id,
enum hot_key {
#include "samples/hot_keys.def"
	HOT_KEYS
};
#undef HOT_KEY
_Static_assert((int)HOT_KEYS <= 32, "each is a bit of an unsigned int");

struct hot_key_info {
	const char *name;	/* "symbol": in titles and the manual */
	const char *header;
	int width;		/* columns on screen */
	const char *help;
};
const struct hot_key_info *hot_key_info(enum hot_key key);

/*
 * The values of a row or of a struct hot_where; only those of its keys are set.
 * A symbol is identified by name, dso and kind, since its index may change.
 */
struct hot_value {
	uint32_t symbol;	/* index, in the struct hot queried */
	const char *name;	/* of the symbol */
	const char *dso;	/* of the symbol, or the dso itself */
	enum symbol_kind kind;
	const char *comm;
	const char *field;	/* of the struct hot queried, valid until that
				 * changes */
	uint32_t event;		/* index, which never changes */
	pid_t pid;
	int cpu;
};

/* Write the text of a value, "-" if it has none.  Returns @buf. */
char *hot_key_text(const struct hot *hot, enum hot_key key,
		   const struct hot_value *value, char *buf, size_t size);
/* Whether the text of any of @keys contains @needle, ignoring case. */
bool hot_key_match(const struct hot *hot, unsigned int keys,
		   const struct hot_value *value, const char *needle);

/* A condition on samples: their @key is @value. */
struct hot_where {
	enum hot_key key;
	struct hot_value value;
	bool anywhere;		/* symbol, dso: of any frame, not only of the
				 * innermost */
	char field[HOT_FIELD_MAX];	/* used instead of value.field */
	char of[64];		/* name of that field; only for display */
};

enum { HOT_WHERES = 8, HOT_FILTER_MAX = 256 };

/* Which samples, by what their CPU did. */
enum hot_part {
	HOT_EVERYTHING,
	HOT_BUSY,	/* not of the idle task */
	HOT_USER,	/* in user space */
	HOT_KERNEL,	/* in the kernel, but not of the idle task */
	HOT_PARTS,
};

/* A selection of samples, and how to group and sort them. */
struct hot_query {
	enum hot_part part;
	unsigned int keys;	/* to group by: bits 1 << enum hot_key */
	bool recent;		/* use the decaying weights, not the totals */
	bool by_children;	/* sort by children instead of self */
	bool by_name;		/* sort by the keys instead */
	struct hot_where where[HOT_WHERES];
	unsigned int nr_where;
	char filter[HOT_FILTER_MAX];	/* show only rows with it in a text;
					 * "": all.  Shares do not change */
};

/* "without idle", ... for screens; NULL for everything. */
const char *hot_part_name(enum hot_part part);

/*
 * Write the indices of the cells that @query selects, and that have a weight,
 * to @cells, of nr_cells entries; *@nr: their number.  If grouped by field,
 * only cells with a value of it: of its event, and counted since it was chosen.
 * *@by_events: whether shares are of events.  0 or -ENOMEM.
 */
int hot_query_cells(const struct hot *hot, const struct hot_query *query,
		    uint32_t *cells, uint32_t *nr, bool *by_events);

/* The weight of a cell that @query uses. */
static inline const struct hot_weight *
hot_query_weight(const struct hot_query *query, const struct hot_cell *cell)
{
	return query->recent ? &cell->recent : &cell->total;
}

enum { HOT_MAX_ROWS = 32768 };

struct hot_row {
	struct hot_value value;
	enum symbol_kind kind;	/* of a symbol */
	double self;		/* share of the samples selected, 0..1 */
	double children;	/* the same, including its callees */
	double error;		/* half the 95 % confidence interval of the
				 * share it is sorted by; 0 unless thinned */
	double samples;		/* self, in samples */
};

struct hot_rows {
	struct hot_row *rows;	/* the heaviest first, or by name */
	size_t nr;
	size_t left_out;	/* lighter ones, beyond HOT_MAX_ROWS */
	bool by_events;		/* shares are of events, else of samples */
	double samples;		/* selected */
	double decoded;		/* effective number for the confidence: those
				 * decoded, if all have the same weight */
};

/* Fill @out; free it with hot_rows_free().  0 or -ENOMEM. */
int hot_rows_query(const struct hot *hot, const struct hot_query *query,
		   struct hot_rows *out);
void hot_rows_free(struct hot_rows *rows);

/* hot_group.c: the rows before they are sorted, with their sums. */

struct hot_sums {
	struct hot_weight self, children;
};

struct hot_groups {
	struct hot_row *rows;	/* only values and kinds are set */
	struct hot_sums *sums;	/* of each row */
	size_t nr;
	size_t left_out;	/* rows of less weight, beyond HOT_MAX_ROWS */
	struct hot_weight all;	/* of the samples selected */
	bool by_events;		/* shares are of events, else of samples */
};

/* The part of @weight that shares are computed from: events or samples. */
static inline double hot_group_part(const struct hot_groups *groups,
				    const struct hot_weight *weight)
{
	return groups->by_events ? weight->events : weight->sum;
}

/*
 * Group the samples that @query selects into rows, at most HOT_MAX_ROWS, the
 * heaviest.  0 or -ENOMEM; call hot_groups_free() in both cases.
 */
int hot_group(const struct hot *hot, const struct hot_query *query,
	      struct hot_groups *out);
void hot_groups_free(struct hot_groups *groups);

#endif
