/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/export.h"

#include <stddef.h>
#include <string.h>

#include "export/openmetrics_host.h"
#include "export/openmetrics_put.h"
#include "export/openmetrics_rings.h"
#include "export/row.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

#define SELF(field, name, unit, member, help)                                \
	{ "rbtop_self_" name, unit, OPENMETRICS_GAUGE,                       \
	  OPENMETRICS_##field, offsetof(struct frame_self, member), help },
static const struct openmetrics_family self_families[] = {
SELF(NUMBER, "cpu_ratio", "ratio", cpu,
     "What rbtop itself uses of one CPU.")
SELF(COUNT, "resident_bytes", "bytes", rss, "Memory of rbtop itself.")
};
#undef SELF

static const struct openmetrics_family time_family = {
	.name = "rbtop_tick_time_seconds", .unit = "seconds",
	.field = OPENMETRICS_TIME, .offset = offsetof(struct frame, time),
	.help = "When this was written, as unix time: what is older than a "
		"few ticks is no longer kept.",
};

/*
 * What the events of a name have lost, from the @i-th on; UNKNOWN where
 * that is not known, or there is one before it: a name stands but once.
 */
static uint64_t lost_by_name(const struct ring_row *ring, size_t i)
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
		      const struct ring_row *ring, const char *event,
		      uint64_t lost, const struct openmetrics_out *out)
{
	struct openmetrics_labels labels = openmetrics_begin(family, out);

	openmetrics_rings_labels(&labels, ring);
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
		const struct ring_row *ring = &frame->rings[i];

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
			     openmetrics_rings_put(frame->rings,
						   frame->nr_rings, false, out);
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
