/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/export.h"

#include <stddef.h>

#include "export/openmetrics_put.h"
#include "export/openmetrics_rings.h"
#include "export/row.h"
#include "host/table/host.h"

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

#define USER(field, name, unit, member, help)                                \
	{ "rbtop_host_user_" name, unit, OPENMETRICS_GAUGE,                  \
	  OPENMETRICS_##field, offsetof(struct host_user, member), help },
static const struct openmetrics_family user_families[] = {
USER(UNSIGNED, "rings", "", rings, "Rings of the user.")
USER(COUNT, "locked_bytes", "bytes", locked,
     "Memory that the user has pinned for rings.")
USER(COUNT, "limit_bytes", "bytes", limit,
     "Memory that kernel.perf_event_mlock_kb lets the user pin.")
USER(COUNT, "pinned_bytes", "bytes", pinned,
     "Memory pinned beyond that by the owner that pins most.")
USER(COUNT, "memlock_bytes", "bytes", memlock,
     "RLIMIT_MEMLOCK of that owner.")
USER(FLAG, "exempt", "", exempt, "Whether the limits do not apply.")
USER(FLAG, "at_limit", "", at_limit,
     "Whether another ring of the user would be refused.")
};
#undef USER

#define HOST(type, field, name, unit, member, help)                          \
	{ "rbtop_host_" name, unit, OPENMETRICS_##type,                      \
	  OPENMETRICS_##field, offsetof(struct host, member), help },
static const struct openmetrics_family host_families[] = {
HOST(GAUGE, FLAG, "bpf", "", status.bpf,
     "Whether rings are read by BPF; if not, only sizes and owners are known, "
     "from /proc.")
HOST(COUNTER, COUNT, "passes", "", status.passes,
     "Times that the rings were polled.")
HOST(GAUGE, NUMBER, "pass_interval_seconds", "seconds", status.interval,
     "Time between two polls: rings that are opened and closed in between are "
     "missed.")
HOST(GAUGE, NUMBER, "pass_cpu_seconds", "seconds", status.cost,
     "CPU time of a poll.")
HOST(GAUGE, NUMBER, "whole_age_seconds", "seconds", status.whole_age,
     "Time since all processes were polled.")
HOST(GAUGE, UNSIGNED, "hidden_processes", "", status.hidden,
     "Processes that rbtop may not inspect; their rings are not counted.")
HOST(GAUGE, UNSIGNED, "perf_rings", "", total.rings,
     "Perf rings chosen by -p, -C and --kind, of the processes that rbtop "
     "may inspect.")
HOST(GAUGE, UNSIGNED, "bpf_ringbufs", "", total.ringbufs,
     "BPF ring buffers of the same processes.")
HOST(GAUGE, UNSIGNED, "ftrace_buffers", "", total.ftrace_buffers,
     "Ring buffers of ftrace that are in use, one per CPU and instance.")
HOST(GAUGE, UNSIGNED, "io_urings", "", total.urings,
     "Rings of io_uring, with --kind io_uring: two per instance.")
HOST(GAUGE, UNSIGNED, "uncounted_rings", "", total.uncounted,
     "BPF ring buffers whose losses the kernel does not count; no total "
     "includes them.")
HOST(GAUGE, UNSIGNED, "owners", "", total.owners,
     "Processes that own a ring.")
HOST(GAUGE, COUNT, "files", "", status.files,
     "Perf event file descriptors of all processes that rbtop may inspect.")
HOST(GAUGE, COUNT, "ringless_events", "", status.ringless,
     "Perf events without a ring.")
HOST(GAUGE, UNSIGNED, "warned_rings", "", total.warned,
     "Rings with a warning.")
};
#undef HOST

/* See host_is_counted(); without BPF the number of events is unknown. */
static bool host_has(const struct openmetrics_family *family, const void *item)
{
	const struct host *host = item;

	switch (family->offset) {
	case offsetof(struct host, total.rings):
	case offsetof(struct host, total.ringbufs):
	case offsetof(struct host, total.ftrace_buffers):
	case offsetof(struct host, total.urings):
	case offsetof(struct host, total.uncounted):
	case offsetof(struct host, total.owners):
	case offsetof(struct host, total.warned):
	case offsetof(struct host, status.files):
		return host_is_counted(host);
	case offsetof(struct host, status.ringless):
		return host->status.bpf;
	}
	return true;
}

static void user_labels(struct openmetrics_labels *labels, const void *item)
{
	const struct host_user *user = item;

	openmetrics_label_number(labels, "uid", user->uid);
	openmetrics_label(labels, "user", user->name);
}

static void put_warning(const struct openmetrics_family *family,
			const struct ring_row *row, enum ring_warning warning,
			const struct openmetrics_out *out)
{
	struct openmetrics_labels labels = openmetrics_begin(family, out);

	openmetrics_rings_labels(&labels, row);
	openmetrics_label(&labels, "warning", ring_warning_name(warning));
	openmetrics_end(&labels, 1);
}

/* Only warnings that are set. */
static void put_warnings(const struct host *host,
			 const struct openmetrics_out *out)
{
	static const struct openmetrics_family family = {
		.name = "rbtop_host_ring_warning", .unit = "",
		.help = "1 for each warning on the ring.",
	};

	if (host->total.warned)
		openmetrics_head(&family, out);
	for (size_t i = 0; i < host->nr_rows; i++) {
		const struct ring_row *row = &host->rows[i];

		for (enum ring_warning w = 0; w < RING_WARNINGS; w++)
			if (!row->gone && (row->warnings & 1u << w))
				put_warning(&family, row, w, out);
	}
}

static void put_reason(const struct host_status *status,
		       const struct openmetrics_out *out)
{
	static const struct openmetrics_family family = {
		.name = "rbtop_host_fallback", .unit = "",
		.help = "Why BPF is not available.",
	};
	struct openmetrics_labels labels;

	if (!status->reason[0])
		return;
	openmetrics_head(&family, out);
	labels = openmetrics_begin(&family, out);
	openmetrics_label(&labels, "reason", status->reason);
	openmetrics_end(&labels, 1);
}

/* Write what --host knows.  0, or -ENOMEM with part of it written. */
static int put_host(const struct host *host, const struct openmetrics_out *out)
{
	const struct openmetrics_items users = {
		host->users, host->nr_users, sizeof(host->users[0]),
		user_labels, NULL,
	}, all = { host, 1, sizeof(*host), NULL, host_has };
	int ret;

	if (!host->status.ready)
		return 0;
	put_reason(&host->status, out);
	put_warnings(host, out);
	openmetrics_rings_events(host->rows, host->nr_rows, true, out);
	ret = openmetrics_put(host_families, NR(host_families), &all, out);
	if (ret == 0)
		ret = openmetrics_rings_total(&host->total.row, out);
	if (ret == 0)
		ret = openmetrics_rings_put(host->rows, host->nr_rows, true,
					    out);
	if (ret == 0)
		ret = openmetrics_put(user_families, NR(user_families), &users,
				      out);
	return ret;
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
		ret = host ? put_host(host, out) :
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
