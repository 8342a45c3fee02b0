/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -i FILE --summary: read a recording, and print a summary of its rings. */
#ifndef RBTOP_CLI_SUMMARY_H
#define RBTOP_CLI_SUMMARY_H

#include <stdbool.h>

struct err;
struct gate;
struct recorded_span;

/*
 * Bounds of @span that are since the start of the recording at @path become
 * times of its clock; it is read for that.  0, or -errno with @err.
 */
int summary_place_span(const char *path, struct recorded_span *span,
		       struct err *err);

/*
 * Print the summary of @span of the recording @path to standard output, and evaluate
 * @gate on it.  0, or -errno with @err: if the file is damaged, the part before
 * the damage is printed first.
 */
int summary_print(const char *path, const struct recorded_span *span, bool json,
		  struct gate *gate, struct err *err);

#endif
