/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines as text, for the tests of cli_parse().  After cmocka.h. */
#ifndef RBTOP_TESTS_CLI_LINE_H
#define RBTOP_TESTS_CLI_LINE_H

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "cli/cli.h"

enum { MAX_WORDS = 16 };

/* A command line; the result of cli_parse() points into its words. */
struct line {
	char text[256];
	char *argv[MAX_WORDS + 1];
	struct cli cli;
	struct err err;
};

/* Parse @text, whose words are split at blanks. */
static inline int parse(struct line *l, const char *text)
{
	char *rest = l->text, *word;
	int argc = 0;

	memset(l, 0, sizeof(*l));
	snprintf(l->text, sizeof(l->text), "%s", text);
	l->argv[argc++] = (char *)"rbtop";
	while ((word = strsep(&rest, " ")) && argc < MAX_WORDS)
		if (*word)
			l->argv[argc++] = word;
	return cli_parse(&l->cli, argc, l->argv, &l->err);
}

/* Parse @text, which must succeed; to be freed by cli_free(). */
static inline struct cli *parsed(struct line *l, const char *text)
{
	int ret = parse(l, text);

	if (ret != 0)
		fail_msg("'%s': %s", text, l->err.text);
	return &l->cli;
}

/* Parse @text, which must fail with a message that contains @names. */
static inline void expect_refused(const char *text, const char *names)
{
	struct line l;

	if (parse(&l, text) == 0)
		fail_msg("'%s' was taken", text);
	if (err_exit_status(&l.err) != 2 || !strstr(l.err.text, names))
		fail_msg("'%s': exit %d, %s", text, err_exit_status(&l.err),
			 l.err.text);
}

#endif
