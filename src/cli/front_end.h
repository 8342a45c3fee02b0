/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interactive front end as main() sees it: whoever has a screen fills in
 * the table, so that nothing in src/ knows one.
 *
 * The order in which main calls things:
 *
 *	config_load()		and ->check_keys
 *	->check_terminal	before anything is opened
 *	..._open()		the source; a workload is forked here, with
 *				the signal mask that rbtop was given
 *	->prepare		before any other thread is started, so that
 *				all of them inherit the blocked signals, and
 *				before source_start(), so that its filter
 *				knows the watchdog's thread id
 *	source_start()
 *	->run			at once: the first frame should stand 150 ms
 *				after exec
 *	source_finish()
 *	->report		of the last frame
 *	source_close(), and the exit status
 *
 * In batch mode none of the table is called but check_keys.
 */
#ifndef RBTOP_CLI_FRONT_END_H
#define RBTOP_CLI_FRONT_END_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/config.h"

struct err;
struct flame;
struct frame;
struct source;

struct front_end_opts {
	struct config *config;
	size_t ticks;		/* pictures until it ends; 0: until quit */
	bool host;		/* open on the screen of all rings */
	const char *config_path; /* where F2 saves; NULL: nowhere */
	/* Saves the config; main connects it to config_save. */
	int (*save)(const struct config *config, const char *path,
		    struct err *err);
	/* Writes a flame view; main connects it to flame_files_write. */
	int (*write_flame)(const struct flame *flame, const char *title,
			   const char *dir, double time, char *path,
			   size_t size, struct err *err);
	const char *flame_dir;	/* where it does */
};

struct front_end {
	/* Whether the actions that the config binds exist, which src/ cannot
	 * tell.  0 or -errno with @err. */
	int (*check_keys)(const struct config *config, struct err *err);
	/*
	 * Whether a screen can be had here: TERM known, standard input and
	 * output a terminal.  0 or -errno with @err.
	 */
	int (*check_terminal)(struct err *err);
	/*
	 * Check the configured keys, take the locale's character set
	 * (LC_CTYPE), block the signals that the front end handles and start
	 * the watchdog that waits for the terminating ones.  0 or -errno with
	 * @err.
	 */
	int (*prepare)(const struct front_end_opts *opts, struct err *err);
	/*
	 * Run until quit, the last picture or a terminating signal, on a
	 * source that is started.  The first picture stands at once and has no
	 * rates yet, so it does not count; every other one stands for the
	 * delay, the last one too.  The terminal is restored on return.
	 * Returns 0, 128 + signal where a signal ended it, or -errno with
	 * @err.
	 */
	int (*run)(struct source *source, const struct front_end_opts *opts,
		   struct err *err);
	/*
	 * What is left of the run: a line per recording made and one of the
	 * snapshots, none where there are none.
	 */
	void (*report)(const struct frame *frame, FILE *out);
};

/* ui/app/app.c */
extern const struct front_end front_end_screen;

#endif
