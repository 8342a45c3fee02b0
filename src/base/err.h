/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Error messages with a remedy.
 *
 * A fallible function returns 0 or a negative errno and, on failure, fills a
 * struct err with one line: what was tried, on what, and the remedy.
 */
#ifndef RBTOP_BASE_ERR_H
#define RBTOP_BASE_ERR_H

#include <stdbool.h>

enum err_kind {
	ERR_NONE,
	ERR_MACHINE,	/* a failure of the system: exit status 1 */
	ERR_USAGE,	/* invalid input of the user: exit status 2 */
};

struct err {
	enum err_kind kind;
	int code;		/* negative errno, never 0 once set */
	const char *doctor;	/* line of rbtop --doctor about the cause; NULL */
	char text[512];		/* one line, no newline, no control bytes */
};

/*
 * Record a failure of the system.  @code is a negative errno; 0 is replaced by
 * -EIO.  Returns @code, so that a caller can `return err_set(...)`.  If @err is
 * NULL, only the code is returned.
 */
int err_set(struct err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same, with ": " and what errno(3) -@code means after it. */
int err_errno(struct err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same for invalid input of the user.  Returns -EINVAL. */
int err_usage(struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Put "context: " before the message in @err, cutting its end if it gets too
 * long.  The kind and the code are kept.  Returns the code; -EIO if @err is
 * NULL.
 */
int err_prefix(struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Set the line of rbtop --doctor, a static string, about the cause of @err (may
 * be NULL); the message of a failing start refers to it.  Returns @code.
 */
int err_doctor(struct err *err, int code, const char *line);

/* The exit status for @err: 0, 1 or 2. */
int err_exit_status(const struct err *err);

#endif
