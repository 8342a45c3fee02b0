/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

__attribute__((format(printf, 4, 0)))
static int err_fill(struct err *err, enum err_kind kind, int code,
		    const char *fmt, va_list ap)
{
	if (code == 0)
		code = -EIO;
	if (!err)
		return code;
	err->kind = kind;
	err->code = code;
	err->doctor = NULL;
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	text_sanitize(err->text);
	return code;
}

int err_set(struct err *err, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	code = err_fill(err, ERR_MACHINE, code, fmt, ap);
	va_end(ap);
	return code;
}

int err_errno(struct err *err, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	code = err_fill(err, ERR_MACHINE, code, fmt, ap);
	va_end(ap);
	if (err)
		text_append(err->text, sizeof(err->text), ": %s",
			    strerror(-code));
	return code;
}

int err_usage(struct err *err, const char *fmt, ...)
{
	va_list ap;
	int code;

	va_start(ap, fmt);
	code = err_fill(err, ERR_USAGE, -EINVAL, fmt, ap);
	va_end(ap);
	return code;
}

int err_prefix(struct err *err, const char *fmt, ...)
{
	char rest[sizeof(err->text)];
	va_list ap;

	if (!err)
		return -EIO;
	memcpy(rest, err->text, sizeof(rest));
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	text_append(err->text, sizeof(err->text), ": %s", rest);
	text_sanitize(err->text);
	return err->code;
}

int err_doctor(struct err *err, int code, const char *line)
{
	if (err)
		err->doctor = line;
	return code;
}

int err_exit_status(const struct err *err)
{
	switch (err->kind) {
	case ERR_NONE:
		return 0;
	case ERR_MACHINE:
		return 1;
	case ERR_USAGE:
		return 2;
	}
	return 1;
}
