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

#endif
