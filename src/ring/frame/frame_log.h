/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Log lines derived from a frame.  For frame.c only. */
#ifndef RBTOP_RING_FRAME_FRAME_LOG_H
#define RBTOP_RING_FRAME_FRAME_LOG_H

#include "ring/frame/frame.h"
#include "ring/frame/ring_row_build.h"
#include "ring/log.h"

/*
 * Losses, throttles, gaps in traces and broken rings of @frame's tick, a line
 * for each ring, or one for all where many rings have the same to say; and why
 * the kernel has no symbols, once.
 */
void frame_log_tick(struct log *log, const struct frame *frame,
		    const struct ring_row_build *states);

#endif
