/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Families of metrics, read out of arrays of structs by tables, in the text
 * format of OpenMetrics 1.0 or in the older one of Prometheus.  What is unknown
 * is left out, and so is a family of which nothing is known.
 */
#ifndef RBTOP_EXPORT_OPENMETRICS_PUT_H
#define RBTOP_EXPORT_OPENMETRICS_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Where it goes, and in which of the two. */
struct openmetrics_out {
	FILE *file;
	bool prometheus;	/* text format 0.0.4, which knows a counter by
				 * the whole name of its samples, and neither
				 * units, nor infos, nor an end */
};

enum openmetrics_type {
	OPENMETRICS_GAUGE,
	OPENMETRICS_COUNTER,
	OPENMETRICS_INFO,	/* its labels are what it has to say */
};

/* What stands in the struct. */
enum openmetrics_field {
	OPENMETRICS_COUNT,	/* uint64_t; UNKNOWN is unknown */
	OPENMETRICS_NUMBER,	/* double; NAN is unknown */
	OPENMETRICS_TIME,	/* double: unix seconds */
	OPENMETRICS_FLAG,	/* bool: 0 or 1 */
	OPENMETRICS_UNSIGNED,	/* unsigned int */
	OPENMETRICS_ONE,	/* nothing: 1 */
	OPENMETRICS_FIGURE,	/* a struct ring_row: the enum figure @offset */
};

struct openmetrics_family {
	const char *name;	/* without the "_total" of a counter, the
				 * "_info" of an info */
	const char *unit;	/* what the name ends with; "": none */
	enum openmetrics_type type;
	enum openmetrics_field field;
	size_t offset;		/* of the member in the struct */
	const char *help;
};

/* Labels being written; see openmetrics_label. */
struct openmetrics_labels {
	FILE *out;
	bool any;
};

/* Of what there are metrics. */
struct openmetrics_items {
	const void *first;
	size_t nr, stride;
	/* Write the labels of one; NULL: they have none. */
	void (*labels)(struct openmetrics_labels *labels, const void *item);
	/* Whether one has this; NULL: all have all. */
	bool (*has)(const struct openmetrics_family *family, const void *item);
};

/*
 * All of @nr families, one after the other, each of all items.  0, or -ENOMEM
 * with some of it written.
 */
int openmetrics_put(const struct openmetrics_family *families, size_t nr,
		    const struct openmetrics_items *items,
		    const struct openmetrics_out *out);

/*
 * Those that no table can read: the lines before the first sample; then of
 * each sample its name, between openmetrics_begin and openmetrics_end its
 * labels.
 */
void openmetrics_head(const struct openmetrics_family *family,
		      const struct openmetrics_out *out);
struct openmetrics_labels
openmetrics_begin(const struct openmetrics_family *family,
		  const struct openmetrics_out *out);
void openmetrics_end(struct openmetrics_labels *labels, uint64_t value);

/* @value comes from outside; "" and below 0: left out. */
void openmetrics_label(struct openmetrics_labels *labels, const char *name,
		       const char *value);
void openmetrics_label_number(struct openmetrics_labels *labels,
			      const char *name, int64_t value);

#endif
