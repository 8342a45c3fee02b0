/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a person may choose and keep: columns and their order, sorting,
 * colours, keys, delay; and the rc file that holds it
 * ($XDG_CONFIG_HOME/rbtop/rbtoprc, see rbtoprc(5)).
 */
#ifndef RBTOP_CLI_CONFIG_H
#define RBTOP_CLI_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "ring/figures.h"
#include "samples/sample_columns.h"

struct err;

enum config_scheme {
	CONFIG_SCHEME_DEFAULT,
	CONFIG_SCHEME_COLOUR_BLIND,
	CONFIG_SCHEME_MONO,
	CONFIG_SCHEMES
};

enum { CONFIG_MAX_KEYS = 64 };

/* Keys bound to an action by the rc file; replaces the default ones. */
struct config_key {
	char action[24];	/* as in keys.def, any case */
	char keys[48];
};

struct config {
	enum figure columns[FIGURES];
	size_t nr_columns;
	enum figure sort;	/* FIGURES: by CPU or thread, as opened */
	bool invert;
	enum sample_column sample_columns[SAMPLE_COLUMNS];
	size_t nr_sample_columns;
	enum config_scheme scheme;
	double delay;		/* seconds; 1 */
	bool ascii;		/* as given on the command line or in the rc */
	bool ascii_kept;	/* the rc file says so: config_save writes it */
	bool readonly;		/* --readonly: no request reaches the source */
	struct config_key keys[CONFIG_MAX_KEYS];
	size_t nr_keys;
};

void config_default(struct config *config);

/*
 * The rc file's path: $XDG_CONFIG_HOME, else $HOME/.config, where
 * caps_are_lent() the latter alone.  0 or -ENOENT
 * where neither is set, -ENAMETOOLONG; @buf is then "".
 */
int config_path(char *buf, size_t size);

/*
 * Read @path over @config (inih), with the rights to files of the user who
 * started rbtop.  A file that is not there is no error.
 * Unknown keys and bad values: -EINVAL with @err (ERR_USAGE) naming the line.
 */
int config_load(struct config *config, const char *path, struct err *err);

/*
 * Write it, as a whole or not at all (see base/file/new_file.h), into a
 * directory that is made if need be.  0 or -errno with @err; the old file is
 * then intact.  A link stays a link: the file it leads to is replaced.  Root
 * leaves another user's file, or one in another user's directory, to that user.
 * readonly is not kept.
 */
int config_save(const struct config *config, const char *path,
		struct err *err);

const char *config_scheme_name(enum config_scheme scheme);

#endif
