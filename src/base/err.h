/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What went wrong, in words a person can act on.
 *
 * A fallible function returns 0 or a negative errno and, on failure, fills a
 * struct err with one line: what was tried, on what, and the remedy.
 */
#ifndef RBTOP_BASE_ERR_H
#define RBTOP_BASE_ERR_H

#include <stdbool.h>

enum err_kind {
	ERR_NONE,
	ERR_MACHINE,	/* the machine refuses: exit status 1 */
	ERR_USAGE,	/* what was asked for cannot be parsed: exit status 2 */
};

struct err {
	enum err_kind kind;
	int code;		/* negative errno, never 0 once set */
	char text[512];		/* one line, no newline, no control bytes */
};

/*
 * Record that the machine refused.  @code is a negative errno; a code of 0 is
 * taken for -EIO.  Returns @code, so that a caller can `return err_set(...)`.
 * @err may be NULL: then only the code is returned.
 */
int err_set(struct err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same for input that cannot be parsed.  Returns -EINVAL. */
int err_usage(struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Put "context: " before the line that @err holds already; keeps its kind and
 * code, which is returned.  The tail is cut where the line grows too long.
 */
int err_prefix(struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The exit status that @err asks for: 0, 1 or 2. */
int err_exit_status(const struct err *err);

#endif
