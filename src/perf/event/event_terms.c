/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "perf/event/event_kinds.h"
#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "perf/event/event_names.h"
#include "perf/event/event_spec.h"
#include "perf/event/pmu.h"

/* Terms of perf record(1) that are only options of the command line here. */
static const char *const refused[] = {
	"aux-sample-size", "branch_type", "call-graph", "driver-config",
	"inherit",	   "max-events",  "max-stack",	"metric-id",
	"no-inherit",	   "no-overwrite", "overwrite", "percore",
	"stack-size",	   "time",
};

static bool is_refused(const char *term)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		if (!strcmp(term, refused[i]))
			return true;
	}
	return false;
}

/* period= and freq=: the last one is used, as in perf. */
static int apply_rate(struct event_spec *spec, const char *term,
		      const char *value, struct err *err)
{
	uint64_t n;

	if (!value || !units_scan_number(value, &n) || n == 0)
		return err_usage(err, "term '%s=%.60s': not a number above 0",
				 term, value ? value : "");
	spec->period = !strcmp(term, "period") ? n : 0;
	spec->freq = !strcmp(term, "freq") ? n : 0;
	return 0;
}

static int apply_name(struct event_spec *spec, char *value, struct err *err)
{
	size_t len = value ? strlen(value) : 0;

	if (len >= 2 && value[0] == '\'' && value[len - 1] == '\'') {
		value[len - 1] = '\0';
		value++;
		len -= 2;
	}
	if (len == 0)
		return err_usage(err, "term 'name=' needs a name");
	text_copy(spec->name, sizeof(spec->name), value);
	return 0;
}

/* aux-action=: what an event does to the trace of its group's leader. */
static int apply_aux_action(struct event_spec *spec, const char *value,
			    struct err *err)
{
	static const struct {
		const char *name;
		uint32_t action;
	} actions[] = {
		{ "start-paused", EVENT_AUX_START_PAUSED },
		{ "pause", EVENT_AUX_PAUSE },
		{ "resume", EVENT_AUX_RESUME },
	};

	for (size_t i = 0; value && i < sizeof(actions) / sizeof(actions[0]);
	     i++) {
		if (strcmp(value, actions[i].name))
			continue;
		memcpy((char *)&spec->attr + EVENT_AUX_ACTION_OFFSET,
		       &actions[i].action, sizeof(actions[i].action));
		return 0;
	}
	return err_usage(err,
			 "term 'aux-action=%.60s': it is start-paused, pause "
			 "or resume",
			 value ? value : "");
}

/* Without a value it is 1, as in perf. */
static int apply_aux_output(struct event_spec *spec, const char *value,
			    struct err *err)
{
	uint64_t n = 1;

	if (value && (!units_scan_number(value, &n) || n > 1))
		return err_usage(err, "term 'aux-output=%.60s': not 0 or 1",
				 value);
	spec->attr.aux_output = n & 1;
	return 0;
}

static int apply_sink(const char *pmus, const char *pmu, const char *sink,
		      struct event_spec *spec, struct err *err)
{
	if (!pmu)
		return err_usage(err,
				 "'%.60s' takes no sink '%.60s': only a PMU "
				 "that traces does, as in cs_etm/@tmc_etr0/",
				 spec->name, sink);
	return pmu_apply_sink(pmus, pmu, sink, &spec->attr, err);
}

/*
 * A term of the PMU.  cpu/cycles/ is an event of the PMU under perf's other
 * name for it (cpu-cycles), and cpu/r1a8/ sets its config.
 */
static int apply_of_pmu(const char *pmus, const char *pmu, const char *term,
			const char *value, struct perf_event_attr *attr,
			struct err *err)
{
	const char *alias = event_names_alias(term);
	char config[32];
	uint64_t raw;

	if (!value && alias && !pmu_has_event(pmus, pmu, term) &&
	    pmu_has_event(pmus, pmu, alias))
		term = alias;
	if (!value && term[0] == 'r' && units_scan_hex(term + 1, &raw) &&
	    !pmu_has_event(pmus, pmu, term)) {
		snprintf(config, sizeof(config), "%#" PRIx64, raw);
		return pmu_apply_term(pmus, pmu, "config", config, attr, err);
	}
	return pmu_apply_term(pmus, pmu, term, value, attr, err);
}

static int apply_term(const char *pmus, const char *pmu, char *term,
		      struct event_spec *spec, struct err *err)
{
	char *value = strchr(term, '=');

	if (value)
		*value++ = '\0';
	if (!*term)
		return err_usage(err,
				 "a term without a name between the "
				 "slashes of '%.60s'",
				 spec->name);
	if (!strcmp(term, "period") || !strcmp(term, "freq"))
		return apply_rate(spec, term, value, err);
	if (!strcmp(term, "name"))
		return apply_name(spec, value, err);
	if (!strcmp(term, "aux-action"))
		return apply_aux_action(spec, value, err);
	if (!strcmp(term, "aux-output"))
		return apply_aux_output(spec, value, err);
	if (*term == '@' && !value)
		return apply_sink(pmus, pmu, term + 1, spec, err);
	if (is_refused(term))
		return err_usage(err,
				 "rbtop does not support the term '%s'; it "
				 "takes period=, freq= and name=",
				 term);
	if (pmu)
		return apply_of_pmu(pmus, pmu, term, value, &spec->attr, err);
	return err_usage(err,
			 "'%.60s' takes the terms period=, freq=, name=, "
			 "aux-action= and aux-output, not '%.60s'",
			 spec->name, term);
}

/* Cut the first term off *@rest, at a comma outside of quotes. */
static char *next_term(char **rest)
{
	char *start = *rest, *s = start;
	bool quoted = false;

	for (; *s && (quoted || *s != ','); s++) {
		if (*s == '\'')
			quoted = !quoted;
	}
	*rest = *s ? s + 1 : NULL;
	*s = '\0';
	return start;
}

int event_terms_apply(const char *terms, const char *pmus, const char *pmu,
		      struct event_spec *spec, struct err *err)
{
	char *copy, *rest;
	int ret = 0;

	if (!*terms)
		return 0;
	copy = rest = strdup(terms);
	if (!copy)
		return err_set(err, -ENOMEM, "no memory for an event's terms");
	while (!ret && rest)
		ret = apply_term(pmus, pmu, next_term(&rest), spec, err);
	free(copy);
	return ret;
}

/* perf's letters; rbtop refuses those of the second line. */
#define MODS_TAKEN "ukhGHIpPDe"
#define MODS_REFUSED "SWb"

enum { MAX_PRECISE = 3 };

bool event_mods_are(const char *s, size_t len)
{
	return strspn(s, MODS_TAKEN MODS_REFUSED) >= len;
}

static const char *why_refused(char letter)
{
	switch (letter) {
	case 'S':
		return "rbtop does not read a group's counts with its samples";
	case 'W':
		return "rbtop opens a group whole or not at all";
	default:
		return "rbtop does not count with BPF programs";
	}
}

/* Each letter at most once, except p, as in perf's check_modifier(). */
static int check(const char *mods, struct err *err)
{
	for (const char *m = mods; *m; m++) {
		if (strchr(MODS_REFUSED, *m))
			return err_usage(err, "modifier '%c': %s", *m,
					 why_refused(*m));
		if (!strchr(MODS_TAKEN, *m))
			return err_usage(err,
					 "no modifier '%c'; there are u k "
					 "h G H I p pp ppp P D e",
					 *m);
		if (*m != 'p' && strchr(m + 1, *m))
			return err_usage(err, "modifier '%c' twice", *m);
	}
	return 0;
}

/*
 * The state of perf's get_event_modifier() (tools/perf/util/parse-events.c):
 * the first of u, k, h excludes all three levels, and each then includes its
 * own; likewise G and H.  A p, P or u without G or H excludes guests.
 */
struct mods {
	bool levels; /* one of u, k, h was there */
	bool machines; /* one of G, H was there */
	unsigned int precise;
};

static void level(struct mods *m, struct perf_event_attr *attr)
{
	if (m->levels)
		return;
	m->levels = true;
	attr->exclude_user = attr->exclude_kernel = attr->exclude_hv = 1;
}

static void machine(struct mods *m, struct perf_event_attr *attr)
{
	if (m->machines)
		return;
	m->machines = true;
	attr->exclude_guest = attr->exclude_host = 1;
}

static void no_guests(const struct mods *m, struct perf_event_attr *attr)
{
	if (!m->machines)
		attr->exclude_guest = 1;
}

static void apply_letter(struct mods *m, char letter,
			 struct perf_event_attr *attr, bool *most_precise)
{
	switch (letter) {
	case 'u':
		level(m, attr);
		no_guests(m, attr);
		attr->exclude_user = 0;
		break;
	case 'k':
		level(m, attr);
		attr->exclude_kernel = 0;
		break;
	case 'h':
		level(m, attr);
		attr->exclude_hv = 0;
		break;
	case 'G':
		machine(m, attr);
		attr->exclude_guest = 0;
		break;
	case 'H':
		machine(m, attr);
		attr->exclude_host = 0;
		break;
	case 'I':
		attr->exclude_idle = 1;
		break;
	case 'p':
		m->precise++;
		no_guests(m, attr);
		break;
	case 'P':
		*most_precise = true;
		no_guests(m, attr);
		break;
	case 'D':
		attr->pinned = 1;
		break;
	case 'e':
		attr->exclusive = 1;
		break;
	}
}

int event_mods_apply(const char *own, const char *group,
		     struct perf_event_attr *attr, bool *most_precise,
		     struct err *err)
{
	struct mods m = { 0 };
	int ret;

	*most_precise = false;
	ret = check(own, err);
	if (!ret)
		ret = check(group, err);
	if (ret)
		return ret;
	if (*own) /* perf: modifiers of its own replace the default */
		attr->exclude_guest = 0;
	for (const char *s = own; *s; s++)
		apply_letter(&m, *s, attr, most_precise);
	for (const char *s = group; *s; s++)
		apply_letter(&m, *s, attr, most_precise);
	if (m.precise > MAX_PRECISE)
		return err_usage(err, "modifier 'p' more than three times");
	attr->precise_ip = m.precise & MAX_PRECISE;
	return 0;
}

/* Filters of tracepoints. */

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
