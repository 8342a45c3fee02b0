/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/export.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "export/openmetrics_put.h"
#include "host/table/host.h"
#include "ring/figures.h"
#include "ring/ring_row.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

enum { NAME = 64, HELP = 192 };

/* A family for each figure with a metric. */
struct ring_families {
	size_t nr;
	struct openmetrics_family families[FIGURES];
	char names[FIGURES][NAME], helps[FIGURES][HELP];
};

/* Labels that identify a ring and never change: each is a new series. */
static void ring_labels(struct openmetrics_labels *labels, const void *item)
{
	const struct ring_row *row = item;

	openmetrics_label_number(labels, "ring", (int64_t)row->id);
	if (!row->reads) {
		openmetrics_label(labels, "kind",
				  ring_kind_info(row->kind)->name);
		openmetrics_label_number(labels, "pid", row->pid);
	}
	openmetrics_label_number(labels, "cpu", row->cpu);
	openmetrics_label_number(labels, "tid", row->tid);
}

/* Labels that may change: names of processes, events of the ring. */
static void info_labels(struct openmetrics_labels *labels, const void *item)
{
	const struct ring_row *row = item;

	ring_labels(labels, item);
	if (row->reads)
		openmetrics_label_number(labels, "pid", row->pid);
	openmetrics_label(labels, "comm", row->comm);
	openmetrics_label(labels, "user", row->user);
	openmetrics_label(labels, "event", row->event);
	openmetrics_label(labels, "map", row->map);
}

/*
 * A gone ring of another program only has its last counters; one known from
 * /proc only has the figures that /proc shows.
 */
static bool has(const struct openmetrics_family *family, const void *item)
{
	const struct figure_info *info =
		figure_info((enum figure)family->offset);
	const struct ring_row *row = item;

	if (info->aux && !row->aux.size)
		return false;
	if (row->reads || family->offset == FIGURE_GONE)
		return true;
	if (row->gone)
		return info->counter && row->known;
	return row->known || info->proc;
}

/* The end of a name is its unit. */
static const char *unit_of(const char *name)
{
	static const char *const units[] = { "bytes", "ratio", "seconds",
					     "records", "samples" };
	size_t len = strlen(name);

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t unit = strlen(units[i]);

		if (len >= unit && !strcmp(name + len - unit, units[i]))
			return units[i];
	}
	return "";
}

/* The start of the period that another program's figure covers. */
static const char *since(enum figure_block block)
{
	switch ((int)block) {
	case BLOCK_WATCHED:
		return ", since first seen";
	case BLOCK_MAPPED:
		return ", since the ring was mapped";
	case BLOCK_OPENED:
		return ", since the events were opened";
	default:
		return "";
	}
}

/* The end of the help of a figure that is a bound. */
static const char *bound(enum figure_bound bound)
{
	switch ((int)bound) {
	case BOUND_SEEN:
		return " (lower bound: what happens between two polls is not "
		       "seen)";
	case BOUND_LAST:
		return " (lower bound once the ring is gone)";
	default:
		return "";
	}
}

/* Named "rbtop_SUBJECT...".  The help is a sentence, which @detail ends. */
static void add_family(struct ring_families *all, enum figure figure,
		       const char *subject, const char *detail)
{
	const struct figure_info *info = figure_info(figure);
	size_t i = all->nr++;

	snprintf(all->names[i], NAME, "rbtop_%s%s", subject, info->metric);
	snprintf(all->helps[i], HELP, "%s%s.", info->help, detail);
	all->helps[i][0] = (char)toupper((unsigned char)all->helps[i][0]);
	all->families[i] = (struct openmetrics_family){
		.name = all->names[i],
		.unit = unit_of(info->metric),
		.type = info->counter ? OPENMETRICS_COUNTER :
					OPENMETRICS_GAUGE,
		.field = OPENMETRICS_FIGURE,
		.offset = figure,
		.help = all->helps[i],
	};
}

static void add_families(struct ring_families *all, bool foreign)
{
	char subject[16], detail[HELP];

	for (enum figure i = 0; i < FIGURES; i++) {
		const struct figure_info *info = figure_info(i);

		if (!info->metric || (foreign ? info->owned : info->foreign))
			continue;
		snprintf(subject, sizeof(subject), "%s%s",
			 foreign ? "host_" : "", info->aux ? "aux_" : "ring_");
		snprintf(detail, sizeof(detail), "%s%s",
			 foreign ? since(info->host) : "",
			 foreign ? bound(info->bound) : "");
		add_family(all, i, subject, detail);
	}
}

/*
 * Owners, figures, figures of AUX rings.  @foreign: they are other programs'
 * rings.  0, or -ENOMEM with part of it written.
 */
static int put_rings(const struct ring_row *rows, size_t nr, bool foreign,
		     const struct openmetrics_out *out)
{
	const struct openmetrics_family info = {
		.name = foreign ? "rbtop_host_ring" : "rbtop_ring",
		.unit = "",
		.type = OPENMETRICS_INFO,
		.field = OPENMETRICS_ONE,
		.help = "Owner and events of the ring, to be joined on its "
			"other labels.",
	};
	const struct openmetrics_items infos = {
		rows, nr, sizeof(*rows), info_labels, NULL,
	}, items = {
		rows, nr, sizeof(*rows), ring_labels, has,
	};
	struct ring_families *all = calloc(1, sizeof(*all));
	int ret;

	if (!all)
		return -ENOMEM;
	add_families(all, foreign);
	ret = openmetrics_put(&info, 1, &infos, out);
	if (ret == 0)
		ret = openmetrics_put(all->families, all->nr, &items, out);
	free(all);
	return ret;
}

/*
 * The losses of all events with the name of the @i-th; UNKNOWN if one of them is
 * unknown, or if an earlier event has that name: each name is written once.
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
		      const struct ring_row *row,
		      const struct ring_event *event, bool foreign,
		      uint64_t lost, const struct openmetrics_out *out)
{
	struct openmetrics_labels labels = openmetrics_begin(family, out);

	if (foreign) {
		openmetrics_label_number(&labels, "ring", (int64_t)row->id);
		openmetrics_label_number(&labels, "id", (int64_t)event->id);
		openmetrics_label_number(&labels, "pid", row->pid);
	} else {
		ring_labels(&labels, row);
	}
	openmetrics_label(&labels, "event", event->name);
	openmetrics_end(&labels, lost);
}

/* The losses of their events, if known. */
static void put_events(const struct ring_row *rows, size_t nr, bool foreign,
		       const struct openmetrics_out *out)
{
	const struct openmetrics_family family = {
		.name = foreign ? "rbtop_host_event_lost_records" :
				  "rbtop_ring_event_lost_records",
		.unit = "records",
		.type = OPENMETRICS_COUNTER,
		.help = foreign ? "Records lost by the event since it was "
				  "opened." :
				  "Records lost by the event.",
	};
	bool first = true;

	for (size_t i = 0; i < nr; i++)
		for (size_t j = 0; j < rows[i].nr_events; j++) {
			const struct ring_event *event = &rows[i].events[j];
			uint64_t lost = foreign ? event->lost :
						  lost_by_name(&rows[i], j);

			if (lost == UNKNOWN)
				continue;
			if (first)
				openmetrics_head(&family, out);
			first = false;
			put_event(&family, &rows[i], event, foreign, lost, out);
		}
}

/* Sums over other programs' rings, including those that are gone. */
static int put_total(const struct ring_row *total,
		     const struct openmetrics_out *out)
{
	static const char detail[] =
		", all rings ever seen together (lower bound: what comes "
		"between the last poll and the exit of an owner is not seen)";
	const struct openmetrics_items items = {
		total, 1, sizeof(*total), NULL, NULL,
	};
	struct ring_families *all = calloc(1, sizeof(*all));
	int ret;

	if (!all)
		return -ENOMEM;
	add_family(all, FIGURE_BYTES, "host_", detail);
	add_family(all, FIGURE_LOST_EVER, "host_", detail);
	ret = openmetrics_put(all->families, all->nr, &items, out);
	free(all);
	return ret;
}

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
#define RING_KIND(id, name, noun, label, in_json, metric, help) \
HOST(GAUGE, UNSIGNED, metric, "", total.nr[RING_##id], help)
#include "ring/ring_kinds.def"
#undef RING_KIND
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
#define RING_KIND(id, ...) case offsetof(struct host, total.nr[RING_##id]):
#include "ring/ring_kinds.def"
#undef RING_KIND
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

	ring_labels(&labels, row);
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
	put_events(host->rows, host->nr_rows, true, out);
	ret = openmetrics_put(host_families, NR(host_families), &all, out);
	if (ret == 0)
		ret = put_total(&host->total.row, out);
	if (ret == 0)
		ret = put_rings(host->rows, host->nr_rows, true, out);
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
			     put_rings(frame->rings, frame->nr_rings, false,
				       out);
	if (!host)
		put_events(frame->rings, frame->nr_rings, false, out);
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
