/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/export.h"

#include <stddef.h>

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
     "CPU time that rbtop itself uses, share of one CPU.")
SELF(COUNT, "resident_bytes", "bytes", rss, "Memory of rbtop itself.")
};
#undef SELF

static const struct openmetrics_family time_family = {
	.name = "rbtop_tick_time_seconds", .unit = "seconds",
	.field = OPENMETRICS_TIME, .offset = offsetof(struct frame, time),
	.help = "Unix time of this tick: if it is old, rbtop no longer runs "
		"or cannot write.",
};

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
		openmetrics_rings_events(frame->rings, frame->nr_rings, false,
					 out);
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
	.metrics = true,
	.frame = put_openmetrics,
};

const struct export_format export_prometheus = {
	.name = "prometheus",
	.metrics = true,
	.frame = put_prometheus,
};
