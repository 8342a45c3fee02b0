/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/recording/recording_room.h"

#include <stddef.h>
#include <sys/param.h>

#include "trace/file/trace_file.h"

enum {
	ENDING = 64 << 20,	/* most bytes needed to finish a file, without
				 * the index of trace */
	INDEX = 16,		/* bytes of the index per piece of trace */
	UNASKED = 4,		/* 1/4 of the free space is granted before the
				 * file system is queried again */
};

void recording_room_init(struct recording_room *room,
			 const struct trace_file *file, uint64_t max_bytes)
{
	*room = (struct recording_room){
		.file = file,
		.max_bytes = max_bytes,
		.disk = trace_file_room(file),
	};
}

/* On a small disk 1/8 of the space that was free: files are small there. */
static uint64_t bytes_of_end(const struct recording_room *room)
{
	return MIN(ENDING, room->disk / 8) + room->pieces * INDEX;
}

bool recording_room_is_short(const struct recording_room *room, uint64_t len)
{
	return recording_room_is_out(room) ||
	       trace_file_room(room->file) < bytes_of_end(room) + len;
}

bool recording_room_is_out(const struct recording_room *room)
{
	return room->full || (room->limited && room->max_bytes);
}

void recording_room_lift(struct recording_room *room)
{
	room->max_bytes = 0;
}

static bool ask(struct recording_room *room, uint64_t granted)
{
	uint64_t left = trace_file_room(room->file);
	uint64_t need = bytes_of_end(room) + granted;

	if (left < need)
		return false;
	room->known = (int64_t)MIN((left - need) / UNASKED, INT64_MAX);
	return true;
}

bool recording_room_grant(struct recording_room *room, uint64_t len)
{
	uint64_t granted = atomic_fetch_add(&room->granted, len) + len;
	int64_t known = atomic_fetch_sub(&room->known, (int64_t)len);

	if (room->max_bytes &&
	    trace_file_bytes(room->file) >= room->max_bytes)
		room->limited = true;
	if (!recording_room_is_out(room) && known < (int64_t)len &&
	    !ask(room, granted))
		room->full = true;
	return !recording_room_is_out(room);
}

void recording_room_look(struct recording_room *room)
{
	room->known = 0;
}

void recording_room_written(struct recording_room *room, uint64_t len)
{
	atomic_fetch_sub(&room->granted, len);
}
