/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user's settings: columns and their order, sorting, colours, keys, delay;
 * and the rc file that stores them ($XDG_CONFIG_HOME/rbtop/rbtoprc, see
 * rbtoprc(5)).
 */
#ifndef RBTOP_CLI_CONFIG_H
#define RBTOP_CLI_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/times.h"
#include "ring/figures.h"
#include "samples/sample_columns.h"

struct err;

#define SCHEME(id, name, help) CONFIG_SCHEME_##id,
enum config_scheme {
#include "cli/schemes.def"
	CONFIG_SCHEMES
};
#undef SCHEME

/*
 * Columns that the user chooses, and their order.  A list is a row of
 * config_lists.def; its columns are numbers: of an enum figure, an enum
 * sample_column, or one of the enums below.
 */
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
	unsigned int stands;	/* the column that identifies rows,
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

enum { CONFIG_MAX_KEYS = 96 };	/* more than there are actions */

/* Keys bound to an action by the rc file; they replace its default keys. */
struct config_key {
	char action[24];	/* as in keys.def, in any case */
	char keys[48];
	int line;		/* of the file, for messages; 0: of none */
};

struct config {
	struct config_columns columns[CONFIG_LISTS];
	enum figure sort;	/* FIGURES: by CPU or thread, as opened */
	bool invert;
	enum config_scheme scheme;
	double delay;		/* seconds; 1 */
	enum times_clock clock;	/* that times are shown by */
	bool binary;		/* sizes on the screens: "64Ki", not "64K" */
	bool pages;		/* sizes of rings there, as perf's -m has them */
	bool mouse;		/* rbtop handles clicks and the wheel; true */
	bool no_mouse;		/* --no-mouse: not now, and not saved */
	bool charts;		/* below the rings, where there is room */
	double history;		/* seconds that charts look back; 300 */
	bool dummies;		/* Host lists rings of dummy events that lost
				 * nothing */
	bool keybar;		/* the bottom line lists keys; true */
	bool ascii;		/* as given on the command line or in the rc */
	bool ascii_kept;	/* set by the rc file; config_save writes it */
	bool readonly;		/* --readonly: no request reaches the source */
	struct config_key keys[CONFIG_MAX_KEYS];
	size_t nr_keys;
};

/* The settings without an rc file. */
void config_default(struct config *config);

/*
 * The rc file's path: in $XDG_CONFIG_HOME, else in $HOME/.config; if
 * caps_are_lent(), only in the latter.  0; -ENOENT if neither is set to an
 * absolute path, or -ENAMETOOLONG, with "" in @buf.
 */
int config_path(char *buf, size_t size);

/*
 * Read @path (by inih) over @config, with the file access rights of the user
 * who started rbtop.  A missing file is no error.  Unknown keys and invalid
 * values: -EINVAL with @err (ERR_USAGE), which names the line; else -errno with
 * @err.  On failure @config is as it was.
 */
int config_load(struct config *config, const char *path, struct err *err);

/*
 * Write @config to @path atomically (see base/file/new_file.h); a missing
 * directory is made.  0, or -errno with @err and the old file intact.  If @path
 * is a symbolic link, its target is replaced.  Root keeps the owner of the file
 * or, if it is new, gives it the owner of the directory.  readonly is not
 * saved.
 */
int config_save(const struct config *config, const char *path,
		struct err *err);

/* Whether config_save() would write the same of both.  False also if out of
 * memory. */
bool config_same(const struct config *a, const struct config *b);

/* The history as it is written in the rc file: "5m", "2h".  Returns @buf. */
char *config_history_text(char *buf, size_t size, double seconds);

const char *config_scheme_name(enum config_scheme scheme);
/* Its purpose in some words: "for a dark background". */
const char *config_scheme_help(enum config_scheme scheme);
/* 0 with @scheme set to the one called @name, in any case; -EINVAL with @err
 * (ERR_USAGE), which names all, if there is none. */
int config_scheme_find(const char *name, enum config_scheme *scheme,
		       struct err *err);

/* Columns (config_columns.c) */

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
