/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The collector, its slots, and its threads. */
#ifndef RBTOP_SOURCE_SESSION_SOURCE_READERS_H
#define RBTOP_SOURCE_SESSION_SOURCE_READERS_H

#include "source/session_source_state.h"

struct err;

int session_source_open_readers(struct session_source *ss, struct err *err);
/* Drops the capabilities that are not needed any more, too. */
int session_source_start_readers(struct session_source *ss, struct err *err);

#endif
