/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AUX rings, and snapshots taken of them. */
#include "tests/screen/frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIB = 1024, MIB = 1024 * KIB, TICKS = 40 };

static struct aux_stats aux_stats(void)
{
	return (struct aux_stats){
		.records = 40, .bytes = 51380224, .overwrite = 12,
		.itrace_starts = 3, .hw_ids = 1, .last_time = 1000,
	};
}

/* An AUX ring that was stopped 3.2 s ago, with a free-running head. */
static void set_snapshot(struct ring_row *r)
{
	r->aux = (struct ring_aux){
		.size = 4 * MIB, .overwrite = true,
		.head = 12ull * 4 * MIB + 1572864, .position = 1572864,
		.used = UNKNOWN, .fill = (double)NAN,
		.bytes_per_s = (double)NAN, .wraps = 12,
	};
	frames_reads(r)->aux = (struct ring_aux_reads){
		.peak = (double)NAN,
		.head_age = 3.2, .read_cost = (double)NAN,
	};
}

static void set_full_trace(struct ring_row *r)
{
	struct history *h = calloc(1, sizeof(*h));

	for (int i = 0; h && i < TICKS; i++)
		history_push(h, .125 * (i % 4 + 1));
	r->aux = (struct ring_aux){
		.size = 4 * MIB, .watermark = 2 * MIB,
		.head = 12ull * 4 * MIB + 3 * MIB,
		.tail = 12ull * 4 * MIB + 1 * MIB,
		.position = 3 * MIB, .used = 2 * MIB, .fill = .5,
		.bytes_per_s = 12.5 * MIB, .wraps = 12,
	};
	frames_reads(r)->aux = (struct ring_aux_reads){
		.peak = .75,
		.head_age = (double)NAN, .read_cost = (double)NAN,
		.fill_history = h,
	};
}

void frames_aux(struct ring_row *r, bool full_trace)
{
	struct ring_reads *reads = frames_reads(r);

	free((void *)(uintptr_t)reads->aux.fill_history);
	if (full_trace)
		set_full_trace(r);
	else
		set_snapshot(r);
	reads->stats.aux = aux_stats();
	reads->stats.types[RECORD_AUX] = reads->stats.aux.records;
}

void frames_aux_flags(struct ring_row *r)
{
	struct aux_stats *s = &frames_reads(r)->stats.aux;

	s->truncated = 1234;
	s->partial = 7;
	s->collision = 1;
	s->reenabled = 1230;
	frames_reads(r)->aux.stopped = true;
}

static const struct snapshot_info *list_of(size_t *nr)
{
	static const struct snapshot_info list[] = {
		{ .number = 1, .time = 1700000001, .trigger = "key",
		  .rings = 4, .aux_rings = 4, .which = "CPU 0-3",
		  .bytes = 16 * MIB,
		  .file_bytes = 17 * MIB, .file_total = 17 * MIB,
		  .file = "rbtop-20231114-221321-001.data",
		  .stopped = 340e-6, .spread = 45e-6, .state = SNAPSHOT_DONE },
		{ .number = 2, .time = 1700000020,
		  .trigger = "lost: 12 records on ring 3",
		  .rings = 4, .aux_rings = 4, .which = "CPU 0-3",
		  .bytes = 16 * MIB,
		  .file_bytes = 9 * MIB, .file_total = 17 * MIB,
		  .file = "rbtop-20231114-221340-002.data",
		  .stopped = 355e-6, .spread = 46e-6,
		  .state = SNAPSHOT_FAILED,
		  .error = "no space left on device; make room or use "
			   "--output DIR (writing "
			   "/var/tmp/rbtop-20231114-221340-002.data)" },
		{ .number = 3, .time = 1700000040, .trigger = "SIGUSR2",
		  .rings = 4, .aux_rings = 4, .which = "CPU 0-3",
		  .bytes = 16 * MIB,
		  .file_bytes = 3 * MIB, .file_total = 17 * MIB,
		  .file = "rbtop-20231114-221400-003.data",
		  .stopped = 338e-6, .spread = 45e-6,
		  .state = SNAPSHOT_CANCELLED },
		{ .number = 4, .time = 1700000060, .trigger = "every 20s",
		  .rings = 4, .aux_rings = 4, .which = "CPU 0-3",
		  .bytes = 16 * MIB,
		  .file_bytes = 7864320, .file_total = 17 * MIB,
		  .file = "rbtop-20231114-221420-004.data",
		  .stopped = 341e-6, .spread = 44e-6,
		  .state = SNAPSHOT_WRITING },
	};

	*nr = sizeof(list) / sizeof(list[0]);
	return list;
}

void frames_snapshots(struct snapshots *s)
{
	const struct snapshot_info *list;

	*s = (struct snapshots){
		.taken = 1, .failed = 1, .keep = 5, .every = 20,
		.armed = "lost", .fired = 1,
		.history_used = 12 * MIB, .history_limit = 16 * MIB,
		.history_seconds = 34, .history_processes = 431,
	};
	snprintf(s->dir, sizeof(s->dir), "/var/tmp");
	snprintf(s->record_place, sizeof(s->record_place),
		 "/data/rbtop-*.data");
	list = list_of(&s->nr);
	memcpy(s->list, list, s->nr * sizeof(*list));
}

void frames_recording(struct snapshots *s)
{
	s->recording = true;
	snprintf(s->record_file, sizeof(s->record_file),
		 "rbtop-20231114-221400.data");
	s->record_since = 1700000040;
	s->record_bytes = 120ull * MIB;
}
