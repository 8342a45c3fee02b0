/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command that a source runs: its output and its end, as log lines. */
#ifndef RBTOP_SOURCE_SOURCE_COMMAND_H
#define RBTOP_SOURCE_SOURCE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

struct source_notes;
struct workload;

struct source_command {
	struct workload *workload;	/* NULL: none */
	struct source_notes *notes;
	bool ended;
	int status;		/* exit status, or 128 + signal */
	int signal;		/* that ended it; 0: none */
	char line[200];		/* incomplete line of its output */
	size_t line_len;
};

/*
 * Log the command's output so far, at most a pipe's capacity per call: a
 * command that prints continuously must not block the caller.  False at the end
 * of its output, once an incomplete last line is logged, too.
 */
bool source_command_read(struct source_command *c);

/*
 * Reap it if it has ended, and log how.  True once: when it has just ended.
 */
bool source_command_check(struct source_command *c);

#endif
