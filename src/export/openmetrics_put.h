/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metric families, read from arrays of structs with tables, in the text format
 * of OpenMetrics 1.0 or Prometheus.  Unknown values are left out, and so are
 * families without values.
 */
#ifndef RBTOP_EXPORT_OPENMETRICS_PUT_H
#define RBTOP_EXPORT_OPENMETRICS_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The output, and its format. */
struct openmetrics_out {
	FILE *file;
	bool prometheus;	/* text format 0.0.4: a counter's family has the
				 * name of its samples; no units, infos or end
				 * mark */
};

enum openmetrics_type {
	OPENMETRICS_GAUGE,
	OPENMETRICS_COUNTER,
	OPENMETRICS_INFO,	/* the labels are its content */
};

/* Type of the member. */
enum openmetrics_field {
	OPENMETRICS_COUNT,	/* uint64_t; UNKNOWN is unknown */
	OPENMETRICS_NUMBER,	/* double; NAN is unknown */
	OPENMETRICS_TIME,	/* double, unix seconds */
	OPENMETRICS_FLAG,	/* bool: 0 or 1 */
	OPENMETRICS_UNSIGNED,	/* unsigned int */
	OPENMETRICS_ONE,	/* no member: 1 */
	OPENMETRICS_FIGURE,	/* enum figure @offset of a struct ring_row */
};

struct openmetrics_family {
	const char *name;	/* without "_total" of a counter and "_info" of
				 * an info */
	const char *unit;	/* end of the name; "": no unit */
	enum openmetrics_type type;
	enum openmetrics_field field;
	size_t offset;		/* of the member */
	const char *help;
};

/* Labels being written; see openmetrics_label. */
struct openmetrics_labels {
	FILE *out;
	bool any;
};

/* Array of structs to write. */
struct openmetrics_items {
	const void *first;
	size_t nr, stride;
	/* Write the labels of an item; NULL: no labels. */
	void (*labels)(struct openmetrics_labels *labels, const void *item);
	/* Whether an item has this metric; NULL: all have. */
	bool (*has)(const struct openmetrics_family *family, const void *item);
};

/*
 * Write @nr families, each with all items.  0, or -ENOMEM with part of it
 * written.
 */
int openmetrics_put(const struct openmetrics_family *families, size_t nr,
		    const struct openmetrics_items *items,
		    const struct openmetrics_out *out);

/*
 * For families that tables cannot describe: the lines before the first sample;
 * then for each sample its name, its labels between openmetrics_begin and
 * openmetrics_end, and its value.
 */
void openmetrics_head(const struct openmetrics_family *family,
		      const struct openmetrics_out *out);
struct openmetrics_labels
openmetrics_begin(const struct openmetrics_family *family,
		  const struct openmetrics_out *out);
void openmetrics_end(struct openmetrics_labels *labels, uint64_t value);

/* @value is escaped; "" or negative: no label. */
void openmetrics_label(struct openmetrics_labels *labels, const char *name,
		       const char *value);
void openmetrics_label_number(struct openmetrics_labels *labels,
			      const char *name, int64_t value);

#endif
