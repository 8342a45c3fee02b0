/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event of --snapshot-on call:FUNC.  Opened after the trace, since it adds
 * an event to the list, and before the session; closed after the session.
 */
#ifndef RBTOP_SOURCE_SESSION_SOURCE_CALL_H
#define RBTOP_SOURCE_SESSION_SOURCE_CALL_H

#include "source/session_source_state.h"

struct err;

int session_source_open_call(struct session_source *ss, struct err *err);
void session_source_close_call(struct session_source *ss);
/* The index of the event of call:FUNC; SESSION_SIDE_BAND: there is none. */
size_t session_source_call(const struct session_source *ss);

#endif
