/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface to the interactive front end, which ui/ implements, so that
 * src/ does not depend on ui/.
 *
 * The order of the calls in main():
 *
 *	config_load()		and ->check_keys
 *	->check_terminal	before anything is opened
 *	..._open()		the source; a workload is forked here, with
 *				the signal mask that rbtop was started with
 *	->prepare		before any other thread is started, so that
 *				all of them inherit the blocked signals, and
 *				before source_start(), whose filter needs the
 *				watchdog's thread id
 *	source_start()
 *	->run			at once: the first frame should be shown 150 ms
 *				after exec
 *	source_finish()
 *	->report		of the last frame
 *	source_close(), and the exit status
 *
 * In batch mode only check_keys is called, for --doctor only
 * describe_terminal.
 */
#ifndef RBTOP_CLI_FRONT_END_H
#define RBTOP_CLI_FRONT_END_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/config.h"

struct doctor_terminal;
struct err;
struct flame;
struct frame;
struct source;

struct front_end_opts {
	struct config *config;
	size_t ticks;		/* updates until it ends; 0: until quit */
	bool host;		/* start with the screen of all rings */
	const char *config_path; /* where F2 saves; NULL: nowhere */
	/* Saves the config: config_save(), or a function that refuses. */
	int (*save)(const struct config *config, const char *path,
		    struct err *err);
	/* Writes a flame view: flame_files_write(). */
	int (*write_flame)(const struct flame *flame, const char *title,
			   const char *dir, double time, char *path,
			   size_t size, struct err *err);
	const char *flame_dir;	/* directory for write_flame */
};

struct front_end {
	/*
	 * Check that the actions that the config, from the file @path, binds
	 * exist; only ui/ knows them.  0 or -errno with @err, which names the
	 * file.
	 */
	int (*check_keys)(const struct config *config, const char *path,
			  struct err *err);
	/*
	 * Check that a screen can be opened: TERM is known, and standard input
	 * and output are a terminal.  0 or -errno with @err.
	 */
	int (*check_terminal)(struct err *err);
	/* Describe the terminal on standard output, for --doctor. */
	void (*describe_terminal)(struct doctor_terminal *terminal);
	/*
	 * Check the configured keys, use the locale's character set (LC_CTYPE),
	 * block the signals that the front end handles and start the watchdog
	 * that waits for the terminating ones.  0 or -errno with @err.
	 */
	int (*prepare)(const struct front_end_opts *opts, struct err *err);
	/*
	 * Run until quit, the last update or a terminating signal, on a source
	 * that is started.  The first frame is shown at once and has no rates
	 * yet, so it does not count; every other one is shown for the delay,
	 * the last one too.  The terminal is restored on return.  Returns 0,
	 * 128 + signal if a signal ended it, or -errno with @err.
	 */
	int (*run)(struct source *source, const struct front_end_opts *opts,
		   struct err *err);
	/*
	 * Print the files made: a line per recording, and one for all
	 * snapshots, if there are any.
	 */
	void (*report)(const struct frame *frame, FILE *out);
};

/* ui/app/app.c */
extern const struct front_end front_end_screen;

#endif
