/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The OpenMetrics 1.0 text format: families of metrics, read out of arrays of
 * structs by tables.  What is unknown is left out, and so is a family of which
 * nothing is known.
 *
 * Only gauges and counters, without timestamps: all else would make
 * collectors that know nothing but Prometheus' older format refuse the file.
 */
#ifndef RBTOP_EXPORT_OPENMETRICS_PUT_H
#define RBTOP_EXPORT_OPENMETRICS_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum openmetrics_type {
	OPENMETRICS_GAUGE,
	OPENMETRICS_COUNTER,
};

/* What stands in the struct. */
enum openmetrics_field {
	OPENMETRICS_COUNT,	/* uint64_t; READING_UNKNOWN is unknown */
	OPENMETRICS_NUMBER,	/* double; NAN is unknown */
	OPENMETRICS_FLAG,	/* bool: 0 or 1 */
	OPENMETRICS_UNSIGNED,	/* unsigned int */
};

struct openmetrics_family {
	const char *name;	/* of a counter without its "_total" */
	const char *unit;	/* what the name ends with; "": none */
	enum openmetrics_type type;
	enum openmetrics_field field;
	size_t offset;
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
		    const struct openmetrics_items *items, FILE *out);

/*
 * Those that no table can read: the lines before the first sample; then of
 * each sample its name, between openmetrics_begin and openmetrics_end its
 * labels.
 */
void openmetrics_head(const struct openmetrics_family *family, FILE *out);
struct openmetrics_labels
openmetrics_begin(const struct openmetrics_family *family, FILE *out);
void openmetrics_end(struct openmetrics_labels *labels, uint64_t value);

/* @value comes from outside; "" and below 0: left out. */
void openmetrics_label(struct openmetrics_labels *labels, const char *name,
		       const char *value);
void openmetrics_label_number(struct openmetrics_labels *labels,
			      const char *name, int64_t value);

#endif
