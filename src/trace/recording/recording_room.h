/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much more a recording may write: until it has --max-size, or until the
 * disk has room for the end of the file only.  Several threads write; space is
 * granted to each of them before it writes, and never to two of them.
 */
#ifndef RBTOP_TRACE_RECORDING_RECORDING_ROOM_H
#define RBTOP_TRACE_RECORDING_RECORDING_ROOM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct trace_file;

struct recording_room {
	const struct trace_file *file;
	uint64_t max_bytes;	/* of the file; 0: no limit */
	uint64_t disk;		/* bytes that were free at the start */
	_Atomic uint64_t granted;	/* bytes that are not written yet */
	_Atomic int64_t known;	/* bytes that can be granted without asking
				 * the file system */
	_Atomic uint64_t pieces;	/* of trace, written so far */
	_Atomic bool full;	/* the disk is full: nothing more is granted */
	_Atomic bool limited;	/* max_bytes is reached: the same */
};

void recording_room_init(struct recording_room *room,
			 const struct trace_file *file, uint64_t max_bytes);
/*
 * Whether @len bytes can be written and the file can still be ended after that.
 * After the first false, all further calls return false.  Every call must be
 * followed by recording_room_written(), whatever it returned.
 */
bool recording_room_grant(struct recording_room *room, uint64_t len);
void recording_room_written(struct recording_room *room, uint64_t len);
/*
 * Ask the file system at the next grant, since other programs may have written
 * to it.  Otherwise it is asked only when a part of the room is used up, since
 * it may take long to answer.
 */
void recording_room_look(struct recording_room *room);
/* Nothing more will be granted, or there is no room for @len bytes now. */
bool recording_room_is_short(const struct recording_room *room, uint64_t len);
bool recording_room_is_out(const struct recording_room *room);
/*
 * max_bytes is no limit any more, though @limited stays; when nobody else
 * writes.
 */
void recording_room_lift(struct recording_room *room);

#endif
