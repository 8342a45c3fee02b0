/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/event/event_parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "perf/event/event_kinds.h"

struct parse {
	const char *text; /* all of it, for error messages */
	struct event_context event;
};

/* The end of the event at @s: a ',', '{' or '}' outside of its terms. */
static const char *item_end(const char *s)
{
	bool terms = false, has_terms = !text_begins(s, "mem:");

	for (; *s && (terms || !strchr(",{}", *s)); s++) {
		if (*s == '/' && has_terms)
			terms = !terms;
	}
	return s;
}

/* Parse the event at *@s; *@s moves past it. */
static int parse_item(struct parse *p, const char **s)
{
	const char *start = *s + strspn(*s, " \t\n");
	const char *end = item_end(start);
	char *text;
	int ret;

	*s = end;
	while (end > start && isspace((unsigned char)end[-1]))
		end--;
	if (end == start)
		return err_usage(p->event.err,
				 "events '%.60s': an event is missing "
				 "at column %zu",
				 p->text, (size_t)(start - p->text) + 1);
	text = strndup(start, (size_t)(end - start));
	if (!text)
		return err_set(p->event.err, -ENOMEM, "no memory for an event");
	ret = event_kinds_add(&p->event, text);
	free(text);
	return ret;
}

/* The end of the group that @s is in, which should be a '}'. */
static const char *group_end(const char *s)
{
	s = item_end(s + strspn(s, " \t\n"));
	while (*s == ',')
		s = item_end(s + 1 + strspn(s + 1, " \t\n"));
	return s;
}

/* A copy of the letters after a group's '}'.  *@s moves past them. */
static char *group_mods(struct parse *p, const char **s)
{
	size_t len;
	char *mods;

	if (**s == ':')
		++*s;
	len = strcspn(*s, ",{} \t\n");
	mods = strndup(*s, len);
	*s += len;
	if (!mods)
		err_set(p->event.err, -ENOMEM, "no memory for a group");
	return mods;
}

/* {EVENT,EVENT}[:MODS]; *@s is behind the brace. */
static int parse_group(struct parse *p, const char **s)
{
	const char *end = group_end(*s);
	struct parse member = *p;
	char *mods;
	int ret;

	if (*end == '{')
		return err_usage(p->event.err,
				 "events '%.60s': a group within a "
				 "group at column %zu",
				 p->text, (size_t)(end - p->text) + 1);
	if (*end != '}')
		return err_usage(p->event.err,
				 "events '%.60s': no '}' for the '{' "
				 "at column %zu",
				 p->text, (size_t)(*s - p->text));
	end++;
	mods = group_mods(p, &end);
	if (!mods)
		return -ENOMEM;
	member.event.group_mods = mods;
	member.event.leader = p->event.list->nr;
	do {
		ret = parse_item(&member, s);
	} while (!ret && *(*s)++ == ',');
	free(mods);
	*s = end;
	return ret;
}

/* Skip a group's name, which perf accepts and ignores: "name{a,b}". */
static const char *skip_group_name(const char *s)
{
	const char *brace = s;

	while (isalnum((unsigned char)*brace) || *brace == '_' || *brace == '-')
		brace++;
	return *brace == '{' ? brace : s;
}

int event_parse(struct event_list *list, const char *text,
		const struct event_env *env, struct err *err)
{
	struct parse p = {
		.text = text,
		.event = {
			.list = list, .env = env, .tracefs = env->tracefs,
			.err = err, .group_mods = "",
			.leader = EVENT_NO_GROUP,
		},
	};
	const char *s = text;
	int ret;

	if (!text[strspn(text, " \t\n")])
		return err_usage(err, "no event named");
	for (;;) {
		s = skip_group_name(s + strspn(s, " \t\n"));
		if (*s == '{') {
			s++;
			ret = parse_group(&p, &s);
		} else {
			ret = parse_item(&p, &s);
		}
		if (ret)
			return ret;
		s += strspn(s, " \t\n");
		if (*s == '\0')
			return 0;
		if (*s != ',')
			return err_usage(err,
					 "events '%.60s': '%c' is not "
					 "expected at column %zu",
					 text, *s, (size_t)(s - text) + 1);
		s++;
	}
}
