/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A filter of samples as a tree: sample_filter_read.c parses a text into it,
 * sample_filter.c evaluates it for samples.
 */
#ifndef RBTOP_SAMPLES_SAMPLE_FILTER_NODE_H
#define RBTOP_SAMPLES_SAMPLE_FILTER_NODE_H

#include <stdbool.h>
#include <stdint.h>

struct err;

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
