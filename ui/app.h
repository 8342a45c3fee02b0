/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interactive front end: a loop over the terminal, the clock, signals and
 * the source.  Draws frames, turns keys into actions and requests.
 *
 * The order in which main calls things:
 *
 *	config_load()
 *	app_check_terminal()	before anything is opened
 *	..._open()		the source; a workload is forked here, with
 *				the signal mask that rbtop was given
 *	app_prepare()		before any other thread is started, so that
 *				all of them inherit the blocked signals, and
 *				before source_start(), so that its filter
 *				knows the watchdog's thread id
 *	source_start()
 *	app_run()		at once: the first frame should stand 150 ms
 *				after exec
 *	source_finish(), app_report() of the last frame
 *	source_close(), and the exit status
 *
 * In batch mode none of these is called.
 */
#ifndef RBTOP_UI_APP_H
#define RBTOP_UI_APP_H

#include <stddef.h>
#include <stdio.h>

#include "config.h"

struct err;
struct flame;
struct frame;
struct source;

struct app_opts {
	struct config *config;
	size_t ticks;		/* pictures until it ends; 0: until quit */
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

/*
 * Whether a screen can be had here, before anything is opened: TERM known,
 * standard input and output a terminal.  0 or -errno with @err.
 */
int app_check_terminal(struct err *err);

/*
 * Check the configured keys, take the locale's character set (LC_CTYPE), block
 * the signals that the front end handles and start the watchdog that waits
 * for the terminating ones (see watchdog.h).  0 or -errno with @err.
 */
int app_prepare(const struct app_opts *opts, struct err *err);

/*
 * Run until quit, the last picture or a terminating signal, on a source that
 * is started.  The first picture stands at once and has no rates yet, so it
 * does not count; every other one stands for the delay, the last one too.  The
 * terminal is restored on return.  Returns 0, 128 + signal where a signal
 * ended it, or -errno with @err.
 */
int app_run(struct source *source, const struct app_opts *opts,
	    struct err *err);

/*
 * What is left of the run, after app_run() and source_finish(): a line per
 * recording made and one of the snapshots, none where there are none.
 */
void app_report(const struct frame *frame, FILE *out);

#endif
