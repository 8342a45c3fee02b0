/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RBTOP_SOURCE_SESSION_SESSION_SOURCE_READ_H
#define RBTOP_SOURCE_SESSION_SESSION_SOURCE_READ_H

#include "source/session/session_source_state.h"

struct err;

/* See struct source_ops. */
int session_source_read(struct source *source, struct reading *r,
			struct err *err);

#endif
