/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RBTOP_SOURCE_SESSION_SOURCE_TITLE_H
#define RBTOP_SOURCE_SESSION_SOURCE_TITLE_H

#include "source/session_source_state.h"

/* Set .source.title: whom the source watches, and with which events. */
void session_source_title(struct session_source *ss);

#endif
