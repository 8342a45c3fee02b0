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
#include "cli/config_columns.h"

struct err;

#define SCHEME(id, name, help) CONFIG_SCHEME_##id,
enum config_scheme {
#include "cli/schemes.def"
	CONFIG_SCHEMES
};
#undef SCHEME

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

#endif
