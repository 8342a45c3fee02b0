/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: parsed into plain data, nothing opened. */
#ifndef RBTOP_CLI_CLI_H
#define RBTOP_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/config.h"
#include "export/export.h"
#include "host/table/host_table.h"
#include "source/session/session_source.h"

struct err;

enum cli_command {
	CLI_RUN,
	CLI_HELP,		/* -h: usage to standard output */
	CLI_VERSION,		/* -V */
};

struct cli {
	enum cli_command command;
	bool batch;		/* -b */
	size_t ticks;		/* -n; 0: no end */
	bool delay_given;
	double delay;		/* -d */
	const struct export_format *format;
	size_t hot;		/* --hot: rows of the hot table under -b; the
				 * format's own number unless given */
	bool hot_given;
	const char *sim;	/* --sim SPEC, or NULL */
	char *const *workload;	/* after the options; NULL: none */
	const char *textfile;	/* --textfile PATH: in place of standard
				 * output; NULL: there */
	bool host;		/* --host: every ring of the machine, and no
				 * event of rbtop's own; see cli_host_filter */
	bool ascii, readonly;
	const char *config_path; /* --config FILE; NULL: the usual place */
	struct session_source_opts session;
	/* --per-thread with -a or -C, and the like: said, then ignored; sizes
	 * that were rounded */
	char warning[240];
};

/*
 * Parse.  0, or -errno with @err (ERR_USAGE).  Events and the target are
 * owned by @cli: free with cli_free.  @cli points into @argv.
 */
int cli_parse(struct cli *cli, int argc, char **argv, struct err *err);
void cli_free(struct cli *cli);

/* Whether the front end can do as @config says.  0, or -errno with @err. */
typedef int cli_check_fn(const struct config *config, struct err *err);

/*
 * The rc file, which @check (NULL: nobody) has to like, too, and the command
 * line over it.  @path (PATH_MAX bytes): where the setup screen saves, "" for
 * nowhere.  Returns 0; 1 with @err where the usual file is at fault and was
 * left out; -errno where the one of --config is.
 */
int cli_load_config(const struct cli *cli, cli_check_fn *check,
		    struct config *config, char *path, struct err *err);

/* Whose rings --host shows: of -p and -C.  It points into @cli. */
struct host_filter cli_host_filter(const struct cli *cli);

/* The text of -h and of -V. */
void cli_print_help(FILE *out);
void cli_print_version(FILE *out);

#endif
