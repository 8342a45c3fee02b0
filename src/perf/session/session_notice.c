/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/session/session_notice.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *session_notice(const struct session *s)
{
	return s->notice;
}

void session_notice_add(struct session *s, const char *fmt, ...)
{
	size_t len = strlen(s->notice);
	va_list ap;

	if (len && len + 2 < sizeof(s->notice)) {
		strcpy(s->notice + len, "; ");
		len += 2;
	}
	va_start(ap, fmt);
	vsnprintf(s->notice + len, sizeof(s->notice) - len, fmt, ap);
	va_end(ap);
}
