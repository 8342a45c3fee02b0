/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much more a recording may write: as long as the disk has room for that
 * and for the end of the file, and up to --max-size.  Several threads write;
 * what one of them was granted no other one is.
 */
#ifndef RBTOP_AUXTRACE_RECORDING_ROOM_H
#define RBTOP_AUXTRACE_RECORDING_ROOM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct trace_file;

struct recording_room {
	const struct trace_file *file;
	uint64_t max_bytes;	/* of the file; 0: no limit */
	uint64_t disk;		/* bytes that there was room for at first */
	_Atomic uint64_t granted;	/* bytes, not written yet */
	_Atomic int64_t known;	/* that can be granted unasked; below 0: the
				 * file system is asked */
	_Atomic uint64_t pieces;	/* of trace */
	_Atomic bool full;	/* the disk is: nothing more is written */
	_Atomic bool limited;	/* it has max_bytes: neither */
};

void recording_room_init(struct recording_room *room,
			 const struct trace_file *file, uint64_t max_bytes);
/*
 * Whether @len bytes can be written, and the file be ended after that.  Once
 * it says no it always does.  Followed by recording_room_written(), whatever
 * it says.
 */
bool recording_room_grant(struct recording_room *room, uint64_t len);
void recording_room_written(struct recording_room *room, uint64_t len);
/*
 * Ask the file system at the next grant, for others may have written to it.
 * Else it is asked when a part of the room was used up: it may take its time.
 */
void recording_room_look(struct recording_room *room);
/* Nothing more will be granted; or not @len bytes, as things are. */
bool recording_room_is_short(const struct recording_room *room, uint64_t len);
bool recording_room_is_out(const struct recording_room *room);

#endif
