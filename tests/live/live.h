/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the live tests in C. */
#ifndef RBTOP_TESTS_LIVE_H
#define RBTOP_TESTS_LIVE_H

#include <errno.h>

#include "base/err.h"
#include "source/session/session_source.h"
#include "source/source.h"

/* Open and start a source; the test is skipped if the kernel forbids it. */
static inline struct source *
live_start(const struct session_source_opts *opts)
{
	struct err err = { 0 };
	struct source *source = session_source_open(opts, &err);

	if (!source && (err.code == -EACCES || err.code == -EPERM)) {
		print_message("%s\n", err.text);
		skip();
	}
	if (!source || source_start(source, &err))
		fail_msg("%s", err.text);
	return source;
}

#endif
