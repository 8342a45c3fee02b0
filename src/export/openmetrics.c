/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/export.h"

#include <stddef.h>
#include <string.h>

#include "export/openmetrics_host.h"
#include "export/openmetrics_put.h"
#include "export/row.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

#define RING(type, field, name, unit, member, help)                          \
	{ "rbtop_ring_" name, unit, OPENMETRICS_##type,                      \
	  OPENMETRICS_##field, offsetof(struct frame_ring, member), help },
static const struct openmetrics_family ring_families[] = {
RING(GAUGE, FLAG, "gone", "", gone, "Whether its target has ended.")
RING(GAUGE, FLAG, "paused", "", paused, "Whether its output is paused.")
RING(GAUGE, COUNT, "size_bytes", "bytes", size, "Size of the ring.")
RING(GAUGE, COUNT, "watermark_bytes", "bytes", watermark,
     "Bytes between two wakeups of the reader; 0: none.")
RING(GAUGE, COUNT, "used_bytes", "bytes", used,
     "Bytes that wait for the reader.")
RING(GAUGE, NUMBER, "fill_ratio", "ratio", fill,
     "Bytes that wait, as a share of the size.")
RING(GAUGE, NUMBER, "peak_ratio", "ratio", peak,
     "Highest fill at any drain.")
RING(COUNTER, COUNT, "written_bytes", "bytes", bytes,
     "Bytes that the kernel has written into it.")
RING(COUNTER, COUNT, "read_records", "records", records, "Records read.")
RING(COUNTER, COUNT, "read_samples", "samples", samples,
     "Of those, samples.")
RING(COUNTER, COUNT, "crossings", "", crossings,
     "Watermarks that the head has crossed.")
RING(COUNTER, COUNT, "wakeups", "", wakeups, "Wakeups of the reader.")
RING(COUNTER, COUNT, "drains", "", drains, "Drains by the reader.")
RING(COUNTER, COUNT, "timer_drains", "", timer_drains,
     "Of those, drains that a timer made.")
RING(GAUGE, NUMBER, "wakeup_latency_p50_seconds", "seconds", latency_p50,
     "Median time from a crossing to the drain after it.")
RING(GAUGE, NUMBER, "wakeup_latency_p99_seconds", "seconds", latency_p99,
     "99th percentile of the same.")
RING(COUNTER, COUNT, "lost_reported_records", "records", lost,
     "Records lost that LOST records have told of.")
RING(GAUGE, COUNT, "lost_pending_records", "records", lost_pending,
     "Records lost that no LOST record has told of yet.")
RING(COUNTER, COUNT, "throttled", "", throttled,
     "Times that the kernel has throttled an event.")
};
#undef RING

#define AUX(type, field, name, unit, member, help)                           \
	{ "rbtop_aux_" name, unit, OPENMETRICS_##type,                       \
	  OPENMETRICS_##field, offsetof(struct frame_ring, aux.member), help },
static const struct openmetrics_family aux_families[] = {
AUX(GAUGE, COUNT, "size_bytes", "bytes", size, "Size of the AUX ring.")
AUX(GAUGE, FLAG, "overwrite", "", overwrite, "Whether it is in snapshot mode.")
AUX(GAUGE, FLAG, "stopped", "", stopped, "Whether tracing is stopped.")
AUX(GAUGE, NUMBER, "fill_ratio", "ratio", fill,
    "Bytes of trace that wait, as a share of the size.")
AUX(GAUGE, NUMBER, "peak_ratio", "ratio", peak, "Highest fill at any drain.")
AUX(COUNTER, COUNT, "records", "records", stats.records, "AUX records.")
AUX(COUNTER, COUNT, "truncated", "", stats.truncated,
    "AUX records that say that trace was cut.")
AUX(COUNTER, COUNT, "partial", "", stats.partial,
    "AUX records that say that trace has gaps.")
AUX(COUNTER, COUNT, "collision", "", stats.collision,
    "AUX records that say that a sample collided with another.")
};
#undef AUX

#define SELF(field, name, unit, member, help)                                \
	{ "rbtop_self_" name, unit, OPENMETRICS_GAUGE,                       \
	  OPENMETRICS_##field, offsetof(struct frame_self, member), help },
static const struct openmetrics_family self_families[] = {
SELF(NUMBER, "cpu_ratio", "ratio", cpu,
     "What rbtop itself uses of one CPU.")
SELF(COUNT, "resident_bytes", "bytes", rss, "Memory of rbtop itself.")
};
#undef SELF

static const struct openmetrics_family info_family = {
	.name = "rbtop_ring", .unit = "",
	.type = OPENMETRICS_INFO, .field = OPENMETRICS_ONE,
	.help = "Whose the ring is, to be joined by its other labels.",
};

static const struct openmetrics_family time_family = {
	.name = "rbtop_tick_time_seconds", .unit = "seconds",
	.field = OPENMETRICS_TIME, .offset = offsetof(struct frame, time),
	.help = "When this was written, as unix time: what is older than a "
		"few ticks is no longer kept.",
};

/* What tells rings apart, and stays: another label is another series. */
static void ring_labels(struct openmetrics_labels *labels, const void *item)
{
	const struct frame_ring *ring = item;

	openmetrics_label_number(labels, "ring", ring->ring);
	openmetrics_label_number(labels, "cpu", ring->cpu);
	openmetrics_label_number(labels, "tid", ring->tid);
}

/* Tasks come, end, and change their names. */
static void info_labels(struct openmetrics_labels *labels, const void *item)
{
	const struct frame_ring *ring = item;

	ring_labels(labels, item);
	openmetrics_label_number(labels, "pid", ring->owner);
	openmetrics_label(labels, "comm", ring->comm);
}

/* Nobody counts an overwrite ring's records as they come. */
static bool ring_has(const struct openmetrics_family *family, const void *item)
{
	const struct frame_ring *ring = item;

	return !ring->overwrite ||
	       (family->offset != offsetof(struct frame_ring, records) &&
		family->offset != offsetof(struct frame_ring, samples));
}

static bool aux_has(const struct openmetrics_family *family, const void *item)
{
	(void)family;
	return ((const struct frame_ring *)item)->aux.size;
}

static int put_rings(const struct frame *frame,
		     const struct openmetrics_out *out)
{
	const struct openmetrics_items infos = {
		frame->rings, frame->nr_rings, sizeof(frame->rings[0]),
		info_labels, NULL,
	}, rings = {
		frame->rings, frame->nr_rings, sizeof(frame->rings[0]),
		ring_labels, ring_has,
	}, aux = {
		frame->rings, frame->nr_rings, sizeof(frame->rings[0]),
		ring_labels, aux_has,
	};
	int ret = openmetrics_put(&info_family, 1, &infos, out);

	if (ret == 0)
		ret = openmetrics_put(ring_families, NR(ring_families), &rings,
				      out);
	if (ret == 0)
		ret = openmetrics_put(aux_families, NR(aux_families), &aux,
				      out);
	return ret;
}

/*
 * What the events of a name have lost, from the @i-th on; UNKNOWN where
 * that is not known, or there is one before it: a name stands but once.
 */
static uint64_t lost_by_name(const struct frame_ring *ring, size_t i)
{
	const char *name = ring->events[i].name;
	uint64_t lost = 0;

	for (size_t j = 0; j < ring->nr_events; j++) {
		if (strcmp(ring->events[j].name, name) != 0)
			continue;
		if (j < i || ring->events[j].lost == UNKNOWN)
			return UNKNOWN;
		lost += ring->events[j].lost;
	}
	return lost;
}

static void put_event(const struct openmetrics_family *family,
		      const struct frame_ring *ring, const char *event,
		      uint64_t lost, const struct openmetrics_out *out)
{
	struct openmetrics_labels labels = openmetrics_begin(family, out);

	ring_labels(&labels, ring);
	openmetrics_label(&labels, "event", event);
	openmetrics_end(&labels, lost);
}

static void put_events(const struct frame *frame,
		       const struct openmetrics_out *out)
{
	static const struct openmetrics_family family = {
		.name = "rbtop_ring_event_lost_records", .unit = "records",
		.type = OPENMETRICS_COUNTER,
		.help = "Records that the event has lost.",
	};
	bool first = true;

	for (size_t i = 0; i < frame->nr_rings; i++) {
		const struct frame_ring *ring = &frame->rings[i];

		for (size_t j = 0; j < ring->nr_events; j++) {
			uint64_t lost = lost_by_name(ring, j);

			if (lost == UNKNOWN)
				continue;
			if (first)
				openmetrics_head(&family, out);
			first = false;
			put_event(&family, ring, ring->events[j].name, lost,
				  out);
		}
	}
}

static int put_frame(const struct frame *frame,
		     const struct openmetrics_out *out)
{
	const struct openmetrics_items tick = {
		frame, 1, sizeof(*frame), NULL, NULL,
	}, self = {
		&frame->self, 1, sizeof(frame->self), NULL, NULL,
	};
	const struct host *host = row_host(frame);
	int ret = openmetrics_put(&time_family, 1, &tick, out);

	if (ret == 0)
		ret = host ? openmetrics_host_put(host, out) :
			     put_rings(frame, out);
	if (!host)
		put_events(frame, out);
	if (ret == 0)
		ret = openmetrics_put(self_families, NR(self_families), &self,
				      out);
	if (!out->prometheus)
		fputs("# EOF\n", out->file);
	return ret ? ret : row_flush(out->file);
}

static int put_openmetrics(const struct frame *frame,
			   const struct export_opts *opts,
			   struct export_state *state, FILE *file)
{
	const struct openmetrics_out out = { .file = file };

	(void)opts;
	(void)state;
	return put_frame(frame, &out);
}

static int put_prometheus(const struct frame *frame,
			  const struct export_opts *opts,
			  struct export_state *state, FILE *file)
{
	const struct openmetrics_out out = { .file = file, .prometheus = true };

	(void)opts;
	(void)state;
	return put_frame(frame, &out);
}

const struct export_format export_openmetrics = {
	.name = "openmetrics",
	.frame = put_openmetrics,
};

const struct export_format export_prometheus = {
	.name = "prometheus",
	.frame = put_prometheus,
};
