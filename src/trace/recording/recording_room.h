/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The space a recording may still use: until it reaches --max-size, or the disk
 * has only the space needed to finish the file.  Several threads write; each
 * gets space granted before it writes.
 */
#ifndef RBTOP_TRACE_RECORDING_RECORDING_ROOM_H
#define RBTOP_TRACE_RECORDING_RECORDING_ROOM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct trace_file;

struct recording_room {
	const struct trace_file *file;
	uint64_t max_bytes;	/* limit of the file's size; 0: no limit */
	uint64_t disk;		/* bytes free at the start */
	_Atomic uint64_t granted;	/* bytes granted but not written yet */
	_Atomic int64_t known;	/* bytes that can be granted without querying
				 * the file system */
	_Atomic uint64_t pieces;	/* pieces of trace written so far */
	_Atomic bool full;	/* the disk is full: nothing more is granted */
	_Atomic bool limited;	/* max_bytes is reached: likewise */
};

void recording_room_init(struct recording_room *room,
			 const struct trace_file *file, uint64_t max_bytes);
/*
 * Whether @len bytes can be written with enough space left to finish the file.
 * After the first false, all further calls return false.  Every call must be
 * followed by recording_room_written(), whatever it returned.
 */
bool recording_room_grant(struct recording_room *room, uint64_t len);
void recording_room_written(struct recording_room *room, uint64_t len);
/*
 * Query the file system at the next grant, since other programs may have used
 * its space.  Otherwise it is queried only when part of the known space is used
 * up, since the query may be slow.
 */
void recording_room_look(struct recording_room *room);
/* Nothing more is granted, or there is no room for @len bytes at present. */
bool recording_room_is_short(const struct recording_room *room, uint64_t len);
bool recording_room_is_out(const struct recording_room *room);
/*
 * Remove the limit of max_bytes; @limited stays.  Call it when no other thread
 * writes.
 */
void recording_room_lift(struct recording_room *room);

#endif
