/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns that the user chooses, and their order.  A list is a row of
 * config_lists.def; its columns are numbers: of an enum figure, an enum
 * sample_column, or one of the enums below.
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

/* Hot's; NAME stands for what it groups by, which may be several columns. */
enum config_hot_column {
	CONFIG_HOT_BAR, CONFIG_HOT_SELF, CONFIG_HOT_CHILDREN, CONFIG_HOT_ERROR,
	CONFIG_HOT_KIND, CONFIG_HOT_NAME, CONFIG_HOT_COLUMNS
};

enum config_log_column {
	CONFIG_LOG_TIME, CONFIG_LOG_KIND, CONFIG_LOG_WHAT, CONFIG_LOG_COLUMNS
};

struct config_column_info {
	const char *id, *header, *help;
	bool shown;		/* by default */
};

struct config_list_info {
	const char *section;	/* of the rc file */
	const struct config_column_info *columns; /* NULL: @figures */
	unsigned int nr;	/* of @columns */
	enum figure_list figures; /* FIGURE_LISTS: columns of samples */
	unsigned int stands;	/* the column that says which row is which,
				 * which Setup does not hide; CONFIG_COLUMNS:
				 * none */
	bool adapts;		/* all of its columns are shown by default, as
				 * far as they apply, and not saved */
	const char *note;	/* after the heading in Setup */
};

/* The columns shown, from left to right. */
struct config_columns {
	unsigned int shown[CONFIG_COLUMNS];
	size_t nr;		/* 0: all, in a list that adapts */
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
