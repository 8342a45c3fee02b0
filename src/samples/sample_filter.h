/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which samples to list: "comm==dd && event~sys", "(cpu<2 || pid==1) &&
 * !sym~poll", "prev_comm==bash".
 *
 * NAME OP VALUE, joined by && and ||, with ! and parentheses.  Names: comm,
 * event, sym, dso, text, cpu, pid, tid, time, ip, addr, period, weight, in any
 * case; any other is a field of a tracepoint.  Operators: == != < <= > >= and
 * ~ !~, which look for a part of the text, or match a glob where VALUE has *
 * or ?.  Case is ignored by ~ alone.  A word without an operator is looked for
 * in comm, event, symbol, file and text.  dso is a file with its directory or
 * without.  VALUE ends at a blank, && or ||; else it stands in "quotes".  What
 * a sample has not compares as false, by != and !~ too.
 */
#ifndef RBTOP_SAMPLES_SAMPLE_FILTER_H
#define RBTOP_SAMPLES_SAMPLE_FILTER_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct feed_sample;
struct sample_filter;

/* NULL with @err (ERR_USAGE), which names the column of the fault. */
struct sample_filter *sample_filter_new(const char *text, struct err *err);
/*
 * 0 where each field that it asks for is one of @fields, "sys:name.field";
 * else -EINVAL with @err (ERR_USAGE).
 */
int sample_filter_check(const struct sample_filter *filter,
			const char *const *fields, size_t nr,
			struct err *err);
void sample_filter_free(struct sample_filter *filter);

/* A NULL filter matches everything. */
bool sample_filter_match(const struct sample_filter *filter,
			 const struct feed_sample *sample);

/*
 * Whether @sample will not match whatever its text and values are to be; it
 * has neither yet.  So that no time goes into writing what nobody wants.
 */
bool sample_filter_rejects(const struct sample_filter *filter,
			   const struct feed_sample *sample);

#endif
