/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A filter of samples: "comm==dd && event~sys", "(cpu<2 || pid==1) &&
 * !sym~poll", "prev_comm==bash".
 *
 * NAME OP VALUE, joined by && and ||, with ! and parentheses.  Names: comm,
 * event, sym, dso, text, cpu, pid, tid, time, ip, addr, period, weight, in any
 * case; any other is a field of a tracepoint.  Operators: == != < <= > >= and
 * ~ !~, which search for a part of the text, or match a glob if VALUE contains
 * * or ?.  Only these two and words ignore case: a word without an operator is
 * searched for in comm, event, symbol, file and text.  dso is a file with or
 * without its directory.  VALUE ends at a blank, &&, || or an unmatched ')',
 * unless it is in "quotes".  A value that a sample does not have compares
 * false, by != and !~, too.
 */
#ifndef RBTOP_SAMPLES_SAMPLE_FILTER_H
#define RBTOP_SAMPLES_SAMPLE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct feed_sample;
struct sample_filter;

/* NULL with @err (ERR_USAGE), which names the column of the error. */
struct sample_filter *sample_filter_new(const char *text, struct err *err);
/*
 * Check that each tracepoint field in it is one of the @nr @fields,
 * "sys:name.field".  0, or -EINVAL with @err (ERR_USAGE).
 */
int sample_filter_check(const struct sample_filter *filter,
			const char *const *fields, size_t nr,
			struct err *err);
void sample_filter_free(struct sample_filter *filter);

/* A NULL filter matches everything. */
bool sample_filter_match(const struct sample_filter *filter,
			 const struct feed_sample *sample);

/*
 * Whether @sample, which has no text and values yet, cannot match whatever
 * these are: then they need not be formatted.
 */
bool sample_filter_rejects(const struct sample_filter *filter,
			   const struct feed_sample *sample);

/* A filter as a tree, which sample_filter_read.c parses a text into. */

enum filter_what {
	WHAT_ANYTHING,		/* a word without an operator */
	WHAT_FIELD,		/* of a tracepoint */
	WHAT_COMM, WHAT_EVENT, WHAT_SYM, WHAT_DSO, WHAT_TEXT,
	WHAT_FIRST_NUMBER,
	WHAT_CPU = WHAT_FIRST_NUMBER, WHAT_PID, WHAT_TID, WHAT_TIME, WHAT_IP,
	WHAT_ADDR, WHAT_PERIOD, WHAT_WEIGHT,
};

enum filter_op {
	OP_AND, OP_OR, OP_NOT,
	OP_EQUAL, OP_DIFFERENT, OP_LESS, OP_LESS_EQUAL, OP_MORE,
	OP_MORE_EQUAL, OP_LIKE, OP_UNLIKE,
};

/* Signed, since fields of tracepoints may be negative. */
struct filter_number {
	bool negative;
	uint64_t magnitude;
};

struct filter_node {
	enum filter_op op;
	struct filter_node *left, *right; /* of AND, OR; NOT has only left */
	enum filter_what what;
	char *field;			/* WHAT_FIELD: its name */
	char *value;
	bool glob;
	bool numeric;			/* value is the number */
	struct filter_number number;
};

/*
 * Parse @text; free the tree with sample_filter_node_free().  NULL with @err
 * (ERR_USAGE).
 */
struct filter_node *sample_filter_read(const char *text, struct err *err);
/* Free a node and all below it.  NULL is fine. */
void sample_filter_node_free(struct filter_node *node);
/* Parse "12", "-11", "0x10".  False for anything else. */
bool sample_filter_number(const char *text, struct filter_number *out);
/* Whether the comparison @node holds for @text, or for @number. */
bool sample_filter_text(const struct filter_node *node, const char *text);
bool sample_filter_compare(const struct filter_node *node,
			   struct filter_number number);

#endif
