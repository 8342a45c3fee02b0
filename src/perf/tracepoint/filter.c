/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/tracepoint/filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"

char *filter_without(const char *filter, const pid_t *tids, size_t nr)
{
	char *text = NULL;
	size_t size;
	bool failed;
	FILE *out;

	errno = 0;
	if (!filter && nr == 0)
		return NULL;
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	if (filter)
		fprintf(out, nr ? "(%s)" : "%s", filter);
	for (size_t i = 0; i < nr; i++)
		fprintf(out, "%scommon_pid!=%d", filter || i ? " && " : "",
			(int)tids[i]);
	failed = ferror(out);
	if (fclose(out) || failed) {
		free(text);
		errno = ENOMEM;
		return NULL;
	}
	return text;
}

/*
 * The kernel's grammar (kernel/trace/trace_events_filter.c): comparisons
 * FIELD OP VALUE, joined by && and ||, with ! and parentheses.
 */
struct check {
	const char *filter;
	const char *s;
	int depth;
	struct err *err;
};

static int bad(const struct check *c, const char *what)
{
	return err_usage(c->err, "filter '%.80s': %s at column %zu", c->filter,
			 what, (size_t)(c->s - c->filter) + 1);
}

static void skip_space(struct check *c)
{
	while (isspace((unsigned char)*c->s))
		c->s++;
}

static int check_field(struct check *c)
{
	size_t len = 0;

	while (isalnum((unsigned char)c->s[len]) || c->s[len] == '_' ||
	       c->s[len] == '.')
		len++;
	if (len == 0)
		return bad(c, "a field's name is expected");
	c->s += len;
	return 0;
}

static int check_operator(struct check *c)
{
	/* longer ones first: "<=" before "<" */
	static const char *const ops[] = {
		"==", "!=", "<=", ">=", "<", ">", "&", "~",
	};

	bool joins = text_begins(c->s, "&&");

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]) && !joins; i++) {
		if (text_skip(&c->s, ops[i]))
			return 0;
	}
	return bad(c, "one of == != < <= > >= & ~ is expected");
}

static int check_quoted(struct check *c)
{
	const char *end = strchr(c->s + 1, *c->s);

	if (!end)
		return bad(c, "no closing quote for the one");
	c->s = end + 1;
	return 0;
}

/* A number, a quoted string, a symbol, or CPUS{0-3,7}. */
static int check_value(struct check *c)
{
	if (*c->s == '"' || *c->s == '\'')
		return check_quoted(c);
	if (text_skip(&c->s, "CPUS{")) {
		c->s += strcspn(c->s, "}");
		return text_skip(&c->s, "}") ? 0 : bad(c, "'}' is expected");
	}
	if (strcspn(c->s, " \t\n()&|!=<>~\"'") == 0)
		return bad(c, "a value is expected");
	c->s += strcspn(c->s, " \t\n()&|!=<>~\"'");
	return 0;
}

/* Any number of '!' and '(', then FIELD OP VALUE, then any number of ')'. */
static int check_comparison(struct check *c)
{
	int ret;

	for (skip_space(c); *c->s == '!' || *c->s == '('; skip_space(c)) {
		c->depth += *c->s == '(';
		c->s++;
	}
	ret = check_field(c);
	skip_space(c);
	if (!ret)
		ret = check_operator(c);
	skip_space(c);
	if (!ret)
		ret = check_value(c);
	if (ret)
		return ret;
	for (skip_space(c); *c->s == ')'; skip_space(c)) {
		if (c->depth-- == 0)
			return bad(c, "')' without its '('");
		c->s++;
	}
	return 0;
}

static int check_bytes(struct check *c)
{
	for (c->s = c->filter; *c->s; c->s++) {
		unsigned char b = (unsigned char)*c->s;

		if (b == 0x7f || (b < ' ' && !isspace(b)))
			return bad(c, "a control byte");
	}
	/* the limit of strndup_user() in perf_event_set_filter() */
	if ((size_t)(c->s - c->filter) >= sys_page_size())
		return err_usage(c->err,
				 "filter '%.40s..': the kernel takes "
				 "at most %zu bytes",
				 c->filter, sys_page_size() - 1);
	c->s = c->filter;
	return 0;
}

int filter_check(const char *filter, struct err *err)
{
	struct check c = { filter, filter, 0, err };
	int ret;

	ret = check_bytes(&c);
	if (ret)
		return ret;
	do {
		ret = check_comparison(&c);
		if (ret)
			return ret;
	} while (text_skip(&c.s, "&&") || text_skip(&c.s, "||"));
	if (*c.s)
		return bad(&c, "&& or || is expected");
	if (c.depth)
		return bad(&c, "')' is missing");
	return 0;
}
