/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/snapshot/snapshot_records.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/sys.h"
#include "collect/collector.h"
#include "perf/abi/record.h"
#include "perf/session/session.h"
#include "collect/drain/record_history.h"

enum { LEAST_CHUNK = 64 << 10 };	/* see record_history_read() */

static int hold_one(struct snapshot_history *out,
		    const struct record_history *h)
{
	uint64_t at = record_history_begin(h), missed = 0;
	uint64_t end = record_history_end(h);
	size_t room = (size_t)(end - at) + LEAST_CHUNK, len;

	out->bytes = malloc(room);
	if (!out->bytes)
		return -ENOMEM;
	out->overwritten = at > 0;
	while (at < end && room - out->size >= LEAST_CHUNK) {
		len = record_history_read(h, &at, out->bytes + out->size,
					  room - out->size, &missed);
		if (!len)
			break;
		out->size += len;
	}
	return 0;
}

int snapshot_records_hold(struct snapshot_records *records,
			  struct collector *collector, size_t nr_rings,
			  struct err *err)
{
	int ret = 0;

	*records = (struct snapshot_records){ 0 };
	records->rings = calloc(nr_rings + 1, sizeof(*records->rings));
	if (!records->rings)
		return err_set(err, -ENOMEM,
			       "a copy of the histories: out of memory");
	records->nr = nr_rings;
	for (size_t i = 0; !ret && i < nr_rings; i++) {
		const struct record_history *h =
			collector_history(collector, i);

		if (h)
			ret = hold_one(&records->rings[i], h);
		records->bytes += records->rings[i].size;
	}
	if (!ret)
		return 0;
	snapshot_records_free(records);
	return err_set(err, ret,
		       "a copy of the histories: out of memory: use a smaller --history");
}

void snapshot_records_free(struct snapshot_records *records)
{
	for (size_t i = 0; i < records->nr; i++)
		free(records->rings[i].bytes);
	free(records->rings);
	*records = (struct snapshot_records){ 0 };
}

uint64_t snapshot_records_oldest(const unsigned char *records, size_t size)
{
	struct perf_event_header header;
	uint64_t time = 0;

	for (size_t at = 0; !time && record_at(records, size, at, &header);
	     at += header.size)
		time = record_time(records + at, header.size);
	return time;
}

/* The time of the first record of the history that has one. */
static uint64_t oldest_time(const struct record_history *h, unsigned char *buf)
{
	uint64_t at = record_history_begin(h), missed = 0;
	size_t size = record_history_read(h, &at, buf, LEAST_CHUNK, &missed);

	return snapshot_records_oldest(buf, size);
}

/* Seconds that the history covers; all of them if it was never full. */
static double reaches_back(struct session *session, double since,
			   const struct record_history *h, unsigned char *buf)
{
	struct perf_clock clock = session_clock(session);
	uint64_t now = perf_clock_now(&clock), oldest;

	if (record_history_begin(h) == 0)
		return sys_now() - since;
	oldest = clock.unknown ? now : oldest_time(h, buf);
	return oldest && oldest < now ? (double)(now - oldest) / 1e9 : 0;
}

int snapshot_records_kept(struct collector *collector, struct session *session,
			  double since, struct snapshot_kept *out)
{
	size_t nr = session_nr_watched(session);
	unsigned char *buf = malloc(LEAST_CHUNK);
	bool any = false;

	*out = (struct snapshot_kept){ 0 };
	if (!buf)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++) {
		const struct record_history *h =
			collector_history(collector, i);
		uint64_t begin;
		double seconds;

		if (!h)
			continue;
		begin = record_history_begin(h);
		out->used += record_history_end(h) - begin;
		out->limit += record_history_size(h);
		seconds = reaches_back(session, since, h, buf);
		out->seconds = any ? fmin(out->seconds, seconds) : seconds;
		any = true;
	}
	free(buf);
	return 0;
}
