/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RBTOP_SOURCE_SESSION_SESSION_SOURCE_REQUEST_H
#define RBTOP_SOURCE_SESSION_SESSION_SOURCE_REQUEST_H

#include "source/session/session_source_state.h"

struct err;

/* See struct source_ops. */
int session_source_request(struct source *source, const struct request *rq,
			   struct err *err);

#endif
