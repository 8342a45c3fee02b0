/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/openmetrics_rings.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ring/figures.h"

enum { NAME = 64, HELP = 192 };

/* A family for each figure with a metric. */
struct ring_families {
	size_t nr;
	struct openmetrics_family families[FIGURES];
	char names[FIGURES][NAME], helps[FIGURES][HELP];
};

/* Labels that may change: names of processes, events of the ring. */
static void info_labels(struct openmetrics_labels *labels, const void *item)
{
	const struct ring_row *row = item;

	openmetrics_rings_labels(labels, item);
	if (row->reads)
		openmetrics_label_number(labels, "pid", row->pid);
	openmetrics_label(labels, "comm", row->comm);
	openmetrics_label(labels, "user", row->user);
	openmetrics_label(labels, "event", row->event);
	openmetrics_label(labels, "map", row->map);
}

void openmetrics_rings_labels(struct openmetrics_labels *labels,
			      const void *item)
{
	const struct ring_row *row = item;

	openmetrics_label_number(labels, "ring", (int64_t)row->id);
	if (!row->reads) {
		openmetrics_label(labels, "kind",
				  ring_row_kind_name(row->kind));
		openmetrics_label_number(labels, "pid", row->pid);
	}
	openmetrics_label_number(labels, "cpu", row->cpu);
	openmetrics_label_number(labels, "tid", row->tid);
}

/*
 * A gone ring of another program only has its last counters; one known from
 * /proc only has what /proc tells.
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

/* What is a bound is called one. */
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

int openmetrics_rings_put(const struct ring_row *rows, size_t nr, bool foreign,
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
		rows, nr, sizeof(*rows), openmetrics_rings_labels, has,
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
		openmetrics_rings_labels(&labels, row);
	}
	openmetrics_label(&labels, "event", event->name);
	openmetrics_end(&labels, lost);
}

void openmetrics_rings_events(const struct ring_row *rows, size_t nr,
			      bool foreign, const struct openmetrics_out *out)
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

int openmetrics_rings_total(const struct ring_row *total,
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
