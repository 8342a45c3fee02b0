/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns that the user chooses, and their order.  A list is a row of
 * config_lists.def; its columns are numbers: of an enum figure, or of an enum
 * sample_column.
 */
#ifndef RBTOP_CLI_CONFIG_COLUMNS_H
#define RBTOP_CLI_CONFIG_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "ring/figures.h"
#include "samples/sample_columns.h"

#define CONFIG_LIST(id, section, ...) CONFIG_##id,
enum config_list {
#include "cli/config_lists.def"
	CONFIG_LISTS
};
#undef CONFIG_LIST

/* The most columns of a list; no column has this number. */
enum {
	CONFIG_COLUMNS = (int)FIGURES > (int)SAMPLE_COLUMNS ?
				 (int)FIGURES : (int)SAMPLE_COLUMNS
};

struct config_list_info {
	const char *section;	/* of the rc file */
	enum figure_list figures; /* FIGURE_LISTS: columns of samples */
	bool adapts;		/* all of its columns are shown by default, as
				 * far as they apply, and not saved */
	const char *note;	/* after the heading in Setup */
};

/* The columns shown, from left to right. */
struct config_columns {
	unsigned int shown[CONFIG_COLUMNS];
	size_t nr;		/* 0: all, in a list that adapts */
};

struct config_column_info {
	const char *id, *header, *help;
	bool shown;		/* by default */
};

const struct config_list_info *config_columns_list(enum config_list list);
struct config_column_info config_columns_info(enum config_list list,
					      unsigned int column);
/* By id, ignoring case; CONFIG_COLUMNS if there is none. */
unsigned int config_columns_find(enum config_list list, const char *id);

/* What is shown without an rc file. */
void config_columns_default(enum config_list list,
			    struct config_columns *columns);
/*
 * Store all columns of @list in @order: those shown, then the others in their
 * own order.  Returns their number.
 */
size_t config_columns_order(enum config_list list,
			    const struct config_columns *columns,
			    unsigned int order[CONFIG_COLUMNS]);

#endif
