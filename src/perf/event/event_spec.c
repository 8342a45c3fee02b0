/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/event/event_spec.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "perf/event/event_kinds.h"
#include "perf/event/pmu.h"

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

/* {EVENT,EVENT}[:MODS]; *@s is after the brace. */
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

/*
 * Append the events in @text to @list.  0 or -errno with @err, which must not
 * be NULL; then some may have been appended, which the caller drops.
 */
static int parse_events(struct event_list *list, const char *text,
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

/* Drop the specs from @nr on. */
static void truncate_list(struct event_list *list, size_t nr)
{
	while (list->nr > nr) {
		struct event_spec *spec = &list->specs[--list->nr];

		free(spec->filter);
		free(spec->aux_filter);
		free(spec->address_filter);
		free(spec->cgroup);
		cpulist_free(&spec->cpus);
	}
}

int event_list_parse(struct event_list *list, const char *text,
		     const struct event_env *env, struct err *err)
{
	struct err own = { 0 };
	size_t nr = list->nr;
	int ret;

	/* the parser checks the kind of the error */
	ret = parse_events(list, text, env, err ? err : &own);
	if (ret)
		truncate_list(list, nr);
	return ret;
}

int event_list_default(struct event_list *list, const struct event_env *env,
		       struct err *err)
{
	char core[256];
	const char *name = "cpu-clock";

	if (!pmu_find_core(env->pmus, core, sizeof(core)))
		name = "cycles";
	return event_list_parse(list, name, env, err);
}

static int and_filter(struct event_spec *spec, const char *text)
{
	char *both;

	if (spec->filter) {
		if (asprintf(&both, "(%s) && (%s)", spec->filter, text) < 0)
			return -ENOMEM;
	} else {
		both = strdup(text);
		if (!both)
			return -ENOMEM;
	}
	free(spec->filter);
	spec->filter = both;
	return 0;
}

int event_list_filter(struct event_list *list, size_t from, const char *text,
		      struct err *err)
{
	bool carried = false;
	int ret;

	ret = filter_check(text, err);
	if (ret)
		return ret;
	for (size_t i = from; i < list->nr; i++) {
		if (!list->specs[i].tracepoint)
			continue;
		if (and_filter(&list->specs[i], text))
			return err_set(err, -ENOMEM, "no memory for a filter");
		carried = true;
	}
	if (!carried)
		return err_usage(err,
				 "--filter '%.60s': no tracepoint before it; "
				 "give it after its -e SYS:NAME",
				 text);
	return 0;
}

static int join_filter(char **filter, const char *text)
{
	char *both;

	if (asprintf(&both, "%s%s%s", *filter ? *filter : "",
		     *filter ? "," : "", text) < 0)
		return -ENOMEM;
	free(*filter);
	*filter = both;
	return 0;
}

int event_list_aux_filter(struct event_list *list, size_t from,
			  const char *text, struct err *err)
{
	bool carried = false;

	for (size_t i = from; i < list->nr; i++) {
		/* Events that trace have a PMU with a dynamic type. */
		if (list->specs[i].attr.type < PERF_TYPE_MAX)
			continue;
		if (join_filter(&list->specs[i].aux_filter, text))
			return err_set(err, -ENOMEM, "no memory for a filter");
		carried = true;
	}
	if (!carried)
		return err_usage(err,
				 "--aux-filter '%.60s': no event that traces "
				 "before it; give it after its -e intel_pt//",
				 text);
	return 0;
}

static int set_cgroup(struct event_spec *spec, const char *name, size_t len)
{
	char *copy = len ? strndup(name, len) : NULL;

	if (len && !copy)
		return -ENOMEM;
	free(spec->cgroup);
	spec->cgroup = copy;
	return 0;
}

int event_list_cgroups(struct event_list *list, const char *names,
		       struct err *err)
{
	bool one = !strchr(names, ',');
	int ret = 0;

	if (list->nr == 0)
		return err_usage(err,
				 "-G %.60s: no event before it; give it after "
				 "its -e EVENT",
				 names);
	for (size_t i = 0; i < list->nr && !ret; i++) {
		size_t len = strcspn(names, ",");

		ret = set_cgroup(&list->specs[i], names, len);
		if (one)
			continue;
		names += len;
		if (*names == '\0')
			break;
		if (i + 1 == list->nr)
			return err_usage(err,
					 "-G: more cgroups than the %zu "
					 "event%s before it, from '%.60s' on",
					 list->nr, list->nr == 1 ? "" : "s",
					 names + 1);
		names++;
	}
	return ret ? err_set(err, ret, "no memory for a cgroup's name") : 0;
}

bool event_list_has_samples(const struct event_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		if (!list->specs[i].aux)
			return true;
	return false;
}

void event_list_free(struct event_list *list)
{
	truncate_list(list, 0);
	free(list->specs);
	*list = (struct event_list){ 0 };
}

#define CALL "call:"

bool call_spec_is(const char *text)
{
	return text_begins(text, CALL);
}

static int syntax(const char *text, struct err *err)
{
	return err_usage(err,
			 "'%.60s': use call:FUNC, call:PATH:FUNC or call:PATH:0xOFFSET; PATH must contain a '/'",
			 text);
}

/* Cut "#2" or "#g" off the end of @name.  False if another '#...' is there. */
static bool take_which(char *name, int *which)
{
	char *mark = strrchr(name, '#');
	uint64_t n;

	*which = -1;
	if (!mark)
		return true;
	*mark = '\0';
	name[strcspn(name, " ")] = '\0'; /* "name #2" */
	if (!strcmp(mark + 1, "g")) {
		*which = 0;
		return true;
	}
	if (!units_scan_number(mark + 1, &n) || n == 0 || n > INT_MAX)
		return false;
	*which = (int)n;
	return true;
}

/* Copy @len bytes of @from; false if there are none, or too many for @size. */
static bool take_part(char *to, size_t size, const char *from, size_t len)
{
	if (len == 0 || len >= size)
		return false;
	memcpy(to, from, len);
	to[len] = '\0';
	return true;
}

static bool is_word(const char *text)
{
	return *text && !text[strcspn(text, " \t\n")];
}

int call_spec_read(const char *text, struct call_spec *spec, struct err *err)
{
	const char *what = text + strlen(CALL);
	const char *slash = strchr(what, '/');
	const char *colon = slash ? strchr(slash, ':') : NULL;
	char *name = spec->function;

	*spec = (struct call_spec){ .which = -1 };
	if (slash && !colon)
		return syntax(text, err);
	if (colon && !take_part(spec->path, sizeof(spec->path), what,
				(size_t)(colon - what)))
		return syntax(text, err);
	if (colon)
		what = colon + 1;
	if (!take_part(name, sizeof(spec->function), what, strlen(what)))
		return syntax(text, err);
	if (!isdigit((unsigned char)*name))
		return take_which(name, &spec->which) && is_word(name) ?
			       0 : syntax(text, err);
	if (!colon || !units_scan_number(name, &spec->offset))
		return syntax(text, err);
	*name = '\0';
	return 0;
}
