/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/config.h"

#include <strings.h>

static const struct config_column_info hot_columns[CONFIG_HOT_COLUMNS] = {
	[CONFIG_HOT_BAR] = {
		"bar", "BAR", "bar: the row's share, relative to the largest", true,
	},
	[CONFIG_HOT_SELF] = {
		"self", "SELF", "share of the row itself, without callees",
		true,
	},
	[CONFIG_HOT_CHILDREN] = {
		"children", "CHILDREN",
		"share with all callees; needs callchains", true,
	},
	[CONFIG_HOT_ERROR] = {
		"error", "ERROR",
		"±: error of the shares (95%), if 1 in k is decoded", true,
	},
	[CONFIG_HOT_KIND] = {
		"kind", "KIND",
		"letter: kernel, user, JIT, ... (see Marks in Help)", true,
	},
	[CONFIG_HOT_NAME] = {
		"name", "NAME",
		"the keys that rows are grouped by, each with its heading", true,
	},
};

static const struct config_column_info log_columns[CONFIG_LOG_COLUMNS] = {
	[CONFIG_LOG_TIME] = {
		"time", "TIME", "when, by the clock chosen with C", true,
	},
	[CONFIG_LOG_KIND] = {
		"kind", "KIND", "kind of entry; its letter alone where there "
		"is no room", true,
	},
	[CONFIG_LOG_WHAT] = {
		"what", "WHAT", "what happened, or the line that the command "
		"printed", true,
	},
};

#define CONFIG_LIST(id, section_, ...) { .section = section_, __VA_ARGS__ },
static const struct config_list_info lists[CONFIG_LISTS] = {
#include "cli/config_lists.def"
};
#undef CONFIG_LIST

const struct config_list_info *config_columns_list(enum config_list list)
{
	return &lists[list];
}

static bool is_of_samples(enum config_list list)
{
	return lists[list].figures == FIGURE_LISTS && !lists[list].columns;
}

/* All columns in their own order. */
static size_t all_columns(enum config_list list,
			  unsigned int all[CONFIG_COLUMNS])
{
	enum figure figures[FIGURES];
	size_t nr = is_of_samples(list) ? SAMPLE_COLUMNS : lists[list].nr;

	for (size_t i = 0; i < nr; i++)
		all[i] = (unsigned int)i;
	if (nr)
		return nr;
	nr = figure_columns(lists[list].figures, figures);
	for (size_t i = 0; i < nr; i++)
		all[i] = figures[i];
	return nr;
}

struct config_column_info config_columns_info(enum config_list list,
					      unsigned int column)
{
	const struct sample_column_info *of_samples;
	const struct figure_info *figure;

	if (lists[list].columns)
		return lists[list].columns[column];
	if (is_of_samples(list)) {
		of_samples = sample_column_info((enum sample_column)column);
		return (struct config_column_info){
			of_samples->id, of_samples->header, of_samples->help,
			of_samples->shown,
		};
	}
	figure = figure_info((enum figure)column);
	return (struct config_column_info){
		figure->id,
		figure_header((enum figure)column, lists[list].figures),
		figure->help, !figure->in[lists[list].figures].hidden,
	};
}

unsigned int config_columns_find(enum config_list list, const char *id)
{
	unsigned int column, none;

	if (lists[list].columns) {
		none = lists[list].nr;
		for (column = 0; column < none; column++) {
			if (!strcasecmp(lists[list].columns[column].id, id))
				break;
		}
	} else if (is_of_samples(list)) {
		column = sample_column_find(id);
		none = SAMPLE_COLUMNS;
	} else {
		column = figure_find(id, lists[list].figures);
		none = FIGURES;
	}
	return column == none ? CONFIG_COLUMNS : column;
}

void config_columns_default(enum config_list list,
			    struct config_columns *columns)
{
	unsigned int all[CONFIG_COLUMNS];
	size_t nr = all_columns(list, all);

	columns->nr = 0;
	if (lists[list].adapts)
		return;
	for (size_t i = 0; i < nr; i++) {
		if (config_columns_info(list, all[i]).shown)
			columns->shown[columns->nr++] = all[i];
	}
}

size_t config_columns_order(enum config_list list,
			    const struct config_columns *columns,
			    unsigned int order[CONFIG_COLUMNS])
{
	bool shown[CONFIG_COLUMNS] = { false };
	unsigned int all[CONFIG_COLUMNS];
	size_t nr_all = all_columns(list, all), nr = 0;

	for (; nr < columns->nr; nr++) {
		order[nr] = columns->shown[nr];
		shown[order[nr]] = true;
	}
	for (size_t i = 0; i < nr_all; i++) {
		if (!shown[all[i]])
			order[nr++] = all[i];
	}
	return nr;
}
