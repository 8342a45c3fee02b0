/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rings whose tasks are gone, until the watch thread looks at them. */
#ifndef RBTOP_SOURCE_SESSION_SOURCE_HANGUPS_H
#define RBTOP_SOURCE_SESSION_SOURCE_HANGUPS_H

#include "source/session_source_state.h"

/* The collector's callback, on a reader's thread: @ctx is the source. */
void session_source_hangups_add(void *ctx, size_t slot);
/* One of them; SIZE_MAX: there is none. */
size_t session_source_hangups_take(struct session_source *ss);

#endif
