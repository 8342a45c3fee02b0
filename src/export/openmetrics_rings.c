/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/openmetrics_rings.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ring/figures.h"

enum { NAME = 64, HELP = 192 };

/* One for each figure that is a metric. */
struct ring_families {
	size_t nr;
	struct openmetrics_family families[FIGURES];
	char names[FIGURES][NAME], helps[FIGURES][HELP];
};

/* Processes change their names, and events are redirected and closed. */
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
 * Of another program's ring that is gone the last counters are there, but it is
 * in no state any more; of one that /proc alone tells, what that does.
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

/* What a name ends with is its unit. */
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

/* From when another program's figure counts. */
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

/* A sentence; what is a bound is called one. */
static void set_help(char help[HELP], const struct figure_info *info,
		     bool foreign)
{
	const char *bound = "";

	if (foreign && info->bound == BOUND_SEEN)
		bound = " (lower bound: what happens between two polls is not "
			"seen)";
	else if (foreign && info->bound == BOUND_LAST)
		bound = " (lower bound once the ring is gone)";
	snprintf(help, HELP, "%s%s%s.", info->help,
		 foreign ? since(info->host) : "", bound);
	help[0] = (char)toupper((unsigned char)help[0]);
}

static void add_family(struct ring_families *all, enum figure figure,
		       bool foreign)
{
	const struct figure_info *info = figure_info(figure);
	size_t i = all->nr++;

	snprintf(all->names[i], NAME, "rbtop_%s%s%s", foreign ? "host_" : "",
		 info->aux ? "aux_" : "ring_", info->metric);
	set_help(all->helps[i], info, foreign);
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
	for (enum figure i = 0; i < FIGURES; i++) {
		const struct figure_info *info = figure_info(i);

		if (info->metric && !(foreign ? info->owned : info->foreign))
			add_family(all, i, foreign);
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
		.help = "Whose the ring is and what writes to it, to be joined "
			"by its other labels.",
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
