/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames for programs and pipes, one formatter per format. */
#ifndef RBTOP_EXPORT_EXPORT_H
#define RBTOP_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "host/table/host.h"
#include "ring/figures.h"
#include "ring/frame/frame.h"
#include "samples/hot_query.h"

struct samples;

struct export_opts {
	size_t hot;		/* rows of the hot table; 0: none */
	bool wrapped;		/* text: for a terminal, at most 80 columns;
				 * else each fact is one line */
	bool alone;		/* each tick is a separate file; set by the
				 * writer */
};

/* Why samples are missing in a list of all samples. */
enum export_lack {
	LACK_THINNED,	/* more came than are decoded per second */
	LACK_SLOW,	/* more came than could be decoded: a queue was full */
	LACK_LAPPED,	/* the list had no room for all samples of a tick */
	LACK_LATE,	/* they came when later ones were listed already */
	LACKS,
};

/* State of a formatter that lists samples only once.  Initially zeroed. */
struct export_state {
	uint64_t next;		/* serial of the first sample not listed yet */
	uint64_t skipped, dropped, crowded, late; /* at the last tick, see
						   * struct samples_status */
	uint64_t lacking[LACKS];	/* of a format that lists all samples:
					 * totals of those missing */
};

struct export_format {
	const char *name;	/* --format NAME */
	size_t hot;		/* default number of rows of the hot table */
	bool metrics;		/* of the present state, to be scraped */
	bool every_sample;	/* lists samples, so none should be dropped */
	/* Write one tick.  0, or -errno if writing or memory failed. */
	int (*frame)(const struct frame *frame, const struct export_opts *opts,
		     struct export_state *state, FILE *out);
};

/* All of them: export_text and so on, by the names of --format. */
#define EXPORT_FORMATS(format)                       \
	format(text) format(json) format(csv)        \
	format(script) format(openmetrics) format(prometheus)

#define EXPORT_DECLARE(name) extern const struct export_format export_##name;
EXPORT_FORMATS(EXPORT_DECLARE)
#undef EXPORT_DECLARE

/*
 * Of the last frame, for who saw the rest on the screen: the last lines that the
 * command printed, totals, and the advice on rings that lost records.  @wrapped
 * as in struct export_opts.  0 or -errno.
 */
int export_text_end(const struct frame *frame, bool wrapped, FILE *out);

/* The format @name; NULL if there is none. */
const struct export_format *export_find(const char *name);
/* "text, json, csv, ..." */
const char *export_names(void);

/* Functions shared by formatters. */

/* Why there are no samples, if frame->samples is NULL. */
const char *row_no_samples(const struct frame *frame);

/* Whether hot rows are also by the field that Hot groups by at first; then the
 * symbol of an event is always the same. */
bool row_hot_by_field(const struct samples *samples);
/*
 * The hot functions of @frame since the start, by symbol, file and comm, and
 * if Hot groups by a field at first, by that and by event.  0;
 * -ENOENT if samples are not collected; -ENOMEM.  Free with hot_rows_free.
 */
int row_hot(const struct frame *frame, struct hot_rows *rows);

/*
 * All rings of the machine, if they are shown instead of rbtop's own rings;
 * else NULL.
 */
const struct host *row_host(const struct frame *frame);

/* The rings that are shown: those, or rbtop's own; *@nr of them. */
const struct ring_row *row_rings(const struct frame *frame, size_t *nr);

/*
 * Whether a ring of this kind has the figure as a number; not if it is a bound
 * because wraps may have been missed.
 */
bool row_has(enum figure figure, const struct ring_row *row);

/* Flush.  0, or -errno if that or an earlier write failed. */
int row_flush(FILE *out);

/* Parts of text ticks, for all kinds of rings. */

enum { TEXT_PUT_WIDTH = 80 };

/* Time, duration and rbtop's own cost; then what is monitored. */
void text_put_title(const struct frame *frame, FILE *out);

/* The log entries since the last tick. */
void text_put_log(const struct frame *frame, FILE *out);

/* Write lines, those longer than TEXT_PUT_WIDTH in parts. */
void text_put_wrapped(const char *text, FILE *out);

/*
 * A line of a table: the figures of @row, or headers if it is NULL, separated
 * by blanks; texts left-aligned, numbers right-aligned.
 */
void text_put_figures(enum figure_list list, const struct ring_row *row,
		      FILE *out);

/*
 * Write "SUBJECT: " and the advice on ring @nr, counted from 1, of those that
 * lost records; 0: on all rings.  @how introduces its setting, which is left out
 * if @how is NULL.  Beyond a limit nothing is written; text_put_more_advice()
 * writes how many.
 */
void text_put_advice(const char *subject, const struct advice *advice,
		     const char *how, unsigned int nr, FILE *out);
void text_put_more_advice(unsigned int nr, FILE *out);

/*
 * Write @text with exactly @width columns, padded, or cut with a + at its end,
 * as in ps.
 */
void text_put_padded(const char *text, int width, FILE *out);

#endif
