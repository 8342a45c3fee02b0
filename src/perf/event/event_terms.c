/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/event/event_terms.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "perf/event/event_names.h"
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
