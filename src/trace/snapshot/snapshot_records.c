/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/snapshot/snapshot_records.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/err.h"
#include "base/sys.h"
#include "collect/collector.h"
#include "collect/drain/record_history.h"
#include "perf/abi/record.h"

/*
 * Records up to 1 ms older than the trace are kept: a switch, its record and
 * the next packet with a timestamp are not simultaneous.
 */
#define MARGIN UINT64_C(1000000)

enum { MIN_CHUNK = 64 << 10 };	/* see record_history_read() */

static int hold_one(struct snapshot_history *out,
		    const struct record_history *h)
{
	uint64_t at = record_history_begin(h), missed = 0;
	uint64_t end = record_history_end(h);
	size_t room = (size_t)(end - at) + MIN_CHUNK, len;

	out->bytes = malloc(room);
	if (!out->bytes)
		return -ENOMEM;
	out->overwritten = at > 0;
	while (at < end && room - out->size >= MIN_CHUNK) {
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

/* Seconds that the history covers; all of them if it was never full. */
static double reaches_back(struct session *session, double since,
			   const struct record_history *h, unsigned char *buf)
{
	struct perf_clock clock = session_clock(session);
	uint64_t now = perf_clock_now(&clock), oldest = now, missed = 0;
	uint64_t at = record_history_begin(h);

	if (at == 0)
		return sys_now() - since;
	if (!clock.unknown)
		oldest = snapshot_records_oldest(
			buf, record_history_read(h, &at, buf, MIN_CHUNK,
						 &missed));
	return oldest && oldest < now ? (double)(now - oldest) / 1e9 : 0;
}

int snapshot_records_kept(struct collector *collector, struct session *session,
			  double since, struct snapshot_kept *out)
{
	size_t nr = session_nr_watched(session);
	unsigned char *buf = malloc(MIN_CHUNK);
	double seconds = NAN;

	*out = (struct snapshot_kept){ 0 };
	if (!buf)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++) {
		const struct record_history *h =
			collector_history(collector, i);

		if (!h)
			continue;
		out->used += record_history_end(h) - record_history_begin(h);
		out->limit += record_history_size(h);
		seconds = fmin(seconds, reaches_back(session, since, h, buf));
	}
	free(buf);
	if (!isnan(seconds))
		out->seconds = seconds;
	return 0;
}

/* Whether all trace from position @from on was written after this stop. */
static bool is_stop_before(const unsigned char *record,
			   struct perf_event_header header, uint64_t from)
{
	return header.type == PERF_RECORD_AUX &&
	       header.size >= RECORD_AUX_FIXED &&
	       record_word(record, RECORD_AUX_FLAGS) & PERF_AUX_FLAG_OVERWRITE &&
	       record_word(record, RECORD_AUX_OFFSET) <= from;
}

/*
 * The time of the last stop before position @from, for trace with free-running
 * positions; 0: none.  The trace may be much younger: at a stop the kernel
 * copies the buffer of the CoreSight unit to the ring, and advances the
 * position only by that much.
 */
static uint64_t last_stop(uint64_t from, const unsigned char *records,
			  size_t size)
{
	struct perf_event_header header;
	uint64_t last = 0;

	for (size_t at = 0; record_at(records, size, at, &header);
	     at += header.size) {
		uint64_t time = record_time(records + at, header.size);

		if (time && is_stop_before(records + at, header, from))
			last = time;
	}
	return last;
}

struct snapshot_reach
snapshot_records_reach(const struct snapshot_cut_from *from,
		       const struct snapshot_ring *ring,
		       const unsigned char *records, size_t size)
{
	const struct auxtrace_ops *ops = from->trace->ops;
	uint64_t oldest = 0;

	if (ops->oldest)
		oldest = ops->oldest(&from->conv, from->counter, ring->trace,
				     ring->trace_len);
	if (oldest)
		return (struct snapshot_reach){ oldest, true };
	if (!ring->span.from && ring->trace_len < ring->trace_cap)
		return (struct snapshot_reach){ 0, true };
	if (ops->cuts_by_aux)
		oldest = last_stop(ring->span.from, records, size);
	return (struct snapshot_reach){ oldest, false };
}

/* A record that may be omitted; the last one of each key is kept. */
struct old_record {
	uint64_t key;
	size_t at;
};

/* Type and CPU; for a switch the direction, for an ITRACE_START the thread. */
static uint64_t key_of(const unsigned char *record,
		       struct perf_event_header header)
{
	uint64_t cpu = record_half(record, header.size - RECORD_TRAILER_CPU);
	uint64_t key = (uint64_t)header.type << 56 | (cpu & 0xffffff) << 32;

	if (header.type == PERF_RECORD_ITRACE_START)
		return key | record_half(record, RECORD_ITRACE_TID);
	if (header.type != PERF_RECORD_AUX)
		key |= (header.misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;
	return key;
}

static bool may_go(const unsigned char *record,
		   struct perf_event_header header,
		   const struct snapshot_cut_rule *rule)
{
	uint64_t time;

	switch (header.type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (!rule->switches)
			return false;
		break;
	case PERF_RECORD_AUX:
		if (!rule->aux)
			return false;
		break;
	case PERF_RECORD_ITRACE_START:
		break;
	default:
		return false;
	}
	time = record_time(record, header.size);
	return time && time < rule->since;
}

static size_t list_old(const unsigned char *records, size_t size,
		       const struct snapshot_cut_rule *rule,
		       struct old_record *list)
{
	struct perf_event_header header;
	size_t nr = 0;

	for (size_t at = 0; record_at(records, size, at, &header);
	     at += header.size) {
		if (!may_go(records + at, header, rule))
			continue;
		if (list)
			list[nr] = (struct old_record){
				key_of(records + at, header), at,
			};
		nr++;
	}
	return nr;
}

static int by_key(const void *a, const void *b)
{
	const struct old_record *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Mark all records of the list except the last one of each key. */
static void mark_old(unsigned char *records, const struct old_record *list,
		     size_t nr)
{
	struct perf_event_header header;

	for (size_t i = 0; i + 1 < nr; i++) {
		if (list[i].key != list[i + 1].key)
			continue;
		memcpy(&header, records + list[i].at, sizeof(header));
		header.type = 0;	/* not a type of the kernel: mark */
		memcpy(records + list[i].at, &header, sizeof(header));
	}
}

/* Remove the marked records; returns the new size. */
static size_t close_gaps(unsigned char *records, size_t size)
{
	struct perf_event_header header;
	size_t to = 0, at;

	for (at = 0; record_at(records, size, at, &header);
	     at += header.size) {
		if (!header.type)
			continue;
		memmove(records + to, records + at, header.size);
		to += header.size;
	}
	memmove(records + to, records + at, size - at);
	return to + size - at;
}

size_t snapshot_records_cut_old(unsigned char *records, size_t size,
				const struct snapshot_cut_rule *rule)
{
	size_t nr = list_old(records, size, rule, NULL);
	struct old_record *list;

	if (nr < 2)
		return size;
	list = calloc(nr, sizeof(*list));
	if (!list)
		return size;
	list_old(records, size, rule, list);
	qsort(list, nr, sizeof(*list), by_key);
	mark_old(records, list, nr);
	free(list);
	return close_gaps(records, size);
}

static void note_reach(struct snapshot_cut_found *found,
		       struct snapshot_reach reach,
		       const struct snapshot_history *h)
{
	uint64_t records = snapshot_records_oldest(h->bytes, h->size);

	found->known &= reach.known;
	if (!reach.known)
		return;
	found->reach = MIN(found->reach, reach.time);
	if (!h->overwritten || records <= reach.time)
		return;
	if (!found->nr_short++ ||
	    records - reach.time > found->short_records - found->short_reach) {
		found->short_reach = reach.time;
		found->short_records = records;
	}
}

void snapshot_records_cut(struct snapshot_records *records,
			  const struct snapshot_cut_from *from,
			  const struct snapshot *s, bool switches,
			  struct snapshot_cut_found *found)
{
	struct snapshot_cut_rule rule = {
		.switches = switches, .aux = !from->trace->ops->cuts_by_aux,
	};

	*found = (struct snapshot_cut_found){
		.known = true, .reach = UINT64_MAX,
	};
	for (size_t i = 0; i < s->nr; i++) {
		const struct snapshot_ring *ring = &s->rings[i];
		struct snapshot_history *h;
		struct snapshot_reach reach;

		if (!ring->trace_len || ring->ring >= records->nr)
			continue;
		h = &records->rings[ring->ring];
		reach = snapshot_records_reach(from, ring, h->bytes, h->size);
		note_reach(found, reach, h);
		rule.since = reach.time - MIN(reach.time, MARGIN);
		records->bytes -= h->size;
		h->size = snapshot_records_cut_old(h->bytes, h->size, &rule);
		records->bytes += h->size;
	}
	found->known &= found->reach != UINT64_MAX;
}
