/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/session/session_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session *session_new(const struct session_opts *opts)
{
	struct session *s = calloc(1, sizeof(*s));
	pthread_mutexattr_t attr;

	if (!s)
		return NULL;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&s->lock, &attr);
	pthread_mutexattr_destroy(&attr);
	s->opts = *opts;
	return s;
}

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
