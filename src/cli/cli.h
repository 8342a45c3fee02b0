/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse the command line into plain data; nothing is opened. */
#ifndef RBTOP_CLI_CLI_H
#define RBTOP_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/config.h"
#include "cli/gate.h"
#include "export/export.h"
#include "host/table/host_table.h"
#include "source/session/session_source.h"
#include "trace/recorded/recorded.h"

struct err;

enum cli_command {
	CLI_RUN,
	CLI_HELP,		/* -h: usage to standard output */
	CLI_VERSION,		/* -V */
	CLI_DOCTOR,		/* --doctor; in the format cli.format */
	CLI_SUMMARY,		/* -i FILE --summary; the same */
};

struct cli {
	enum cli_command command;
	bool batch;		/* -b */
	size_t ticks;		/* -n; 0: no end */
	bool delay_given;
	double delay;		/* -d */
	bool scheme_given;
	enum config_scheme scheme;	/* --scheme */
	const struct export_format *format;
	size_t hot;		/* --hot: rows of the hot table with -b; by
				 * default the format's own number */
	bool hot_given;
	const char *sim;	/* --sim SPEC, or NULL */
	const char *input;	/* -i FILE, or NULL; "-": standard input.  It is
				 * watched, or with CLI_SUMMARY summarized */
	struct recorded_span span;	/* --time, with -i only */
	char *const *workload;	/* after the options; NULL: none */
	const char *textfile;	/* --textfile PATH, instead of standard output;
				 * NULL: not given */
	const char *flame;	/* --flame FILE, "-" for standard output; NULL:
				 * not given */
	bool quiet;		/* without a screen only for --flame: no ticks
				 * are printed */
	bool host;		/* --host: all rings of the machine, and no
				 * events of rbtop's own; cli_host_filter() */
	bool host_of_command;	/* only those of the command's processes */
	unsigned int kinds;	/* --kind, with --host only: as struct
				 * host_filter has them */
	bool ringbuf_drops;	/* --ringbuf-drops, with --host only */
	struct gate gate;	/* --fail-on */
	bool ascii, no_mouse, readonly;
	const char *config_path; /* --config FILE; NULL: the usual place */
	struct session_source_opts session;
	/* options that are ignored, such as --per-thread with -a or -C; sizes
	 * that were rounded; "": nothing */
	char warning[240];
};

/*
 * Parse the command line.  @cli owns events and the target: free them with
 * cli_free().  It points into @argv.  0; or -errno with @err (ERR_USAGE if the
 * command line is invalid) and nothing to free.
 */
int cli_parse(struct cli *cli, int argc, char **argv, struct err *err);
void cli_free(struct cli *cli);

/* Check @config, of the file @path, for the front end.  0, or -errno with @err,
 * which names the file. */
typedef int cli_check_fn(const struct config *config, const char *path,
			 struct err *err);

/*
 * Load the rc file, check it with @check (NULL: do not), and apply the command
 * line over it.  @path (PATH_MAX bytes): where the setup screen saves, "" for
 * nowhere.  Returns 0; 1 with @err if the default file has an error and is
 * ignored; -errno with @err if the file of --config has.
 */
int cli_load_config(const struct cli *cli, cli_check_fn *check,
		    struct config *config, char *path, struct err *err);

/* The rings that --host shows, by -p, -C and --kind.  Points into @cli. */
struct host_filter cli_host_filter(const struct cli *cli);

/* Print the text of -h, and of -V. */
void cli_print_help(FILE *out);
void cli_print_version(FILE *out);

#endif
