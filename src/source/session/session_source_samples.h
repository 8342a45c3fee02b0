/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The resolver thread and what it has to know. */
#ifndef RBTOP_SOURCE_SESSION_SESSION_SOURCE_SAMPLES_H
#define RBTOP_SOURCE_SESSION_SESSION_SOURCE_SAMPLES_H

#include "source/session/session_source_state.h"

struct err;

int session_source_open_samples(struct session_source *ss, struct err *err);
/* False as of resolver_thread_free(): what it may use has to stay. */
bool session_source_close_samples(struct session_source *ss);

#endif
