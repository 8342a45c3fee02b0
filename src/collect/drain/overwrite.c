/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/drain/overwrite.h"

#include <string.h>

static uint64_t sample_time(const struct ring *ring, uint64_t position,
			    struct perf_event_header header)
{
	if (header.type != PERF_RECORD_SAMPLE ||
	    header.size < RECORD_SAMPLE_FIXED)
		return 0;
	return ring_word(ring, position + RECORD_SAMPLE_TIME);
}

static double age(uint64_t now_ns, uint64_t time)
{
	return time && time < now_ns ? (double)(now_ns - time) / 1e9 : 0;
}

void overwrite_walk(const struct ring *ring, uint64_t now_ns,
		    struct ring_overwrite *out)
{
	/* The newest record is at data_head itself, which decreases from 0. */
	uint64_t start = -ring_head(ring);
	uint64_t newest = 0, oldest = 0, walked = 0;

	out->records = 0;
	memset(out->types, 0, sizeof(out->types));
	while (walked < ring->size) {
		struct perf_event_header header = ring_header(ring,
							      start + walked);
		uint64_t time;

		if (!record_sane(header, ring->size - walked))
			break;
		time = sample_time(ring, start + walked, header);
		newest = newest ? newest : time;
		oldest = time ? time : oldest;
		out->records++;
		out->types[record_index(header.type)]++;
		walked += header.size;
	}
	out->newest = age(now_ns, newest);
	out->oldest = age(now_ns, oldest);
	out->at = (double)now_ns / 1e9;
	out->valid = true;
}
