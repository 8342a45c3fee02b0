/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/event/event_kinds.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "perf/event/event_names.h"
#include "perf/event/pmu.h"
#include "perf/tracepoint/tracefs.h"

/* One event between commas, split into parts. */
struct item {
	const char *text; /* as written */
	char *head; /* up to the first slash */
	char *terms; /* between the slashes; NULL: no slashes */
	char *mods; /* after the second slash, else "" */
};

static struct event_spec *add_spec(struct event_context *p, const char *name)
{
	struct event_list *list = p->list;
	struct event_spec *spec = array_add(list->specs, list->nr, list->room);

	if (!spec) {
		err_set(p->err, -ENOMEM, "no memory for another event");
		return NULL;
	}
	spec->leader = p->leader == EVENT_NO_GROUP ? list->nr - 1 : p->leader;
	spec->attr.size = sizeof(spec->attr);
	text_copy(spec->name, sizeof(spec->name), name);
	return spec;
}

/* Whether the CPU cores' PMU counts the event, without being named. */
static bool is_of_cores(uint32_t type)
{
	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE ||
	       type == PERF_TYPE_RAW;
}

/*
 * The precise_ip that P stands for: the highest that the event's PMU supports.
 */
static unsigned int most_precise(const struct event_context *p, const char *pmu,
				 uint32_t type)
{
	char core[256];

	if (pmu)
		return pmu_max_precise(p->env->pmus, pmu);
	if (!is_of_cores(type))
		return 0;
	if (pmu_find_core(p->env->pmus, core, sizeof(core)))
		return 0;
	return pmu_max_precise(p->env->pmus, core);
}

/*
 * Apply terms and modifiers.  Guests are excluded by default, as in perf,
 * except on PMUs other than those of the CPU cores: these refuse any exclude_
 * bit (PERF_PMU_CAP_NO_EXCLUDE in kernel/events/core.c).
 */
static int finish(struct event_context *p, struct event_spec *spec,
		  const char *terms, const char *mods, const char *pmu)
{
	bool precise;
	int ret;

	if (terms) {
		ret = event_terms_apply(terms, p->env->pmus, pmu, spec, p->err);
		if (ret)
			return ret;
	}
	spec->attr.exclude_guest = !pmu || pmu_is_core(p->env->pmus, pmu);
	ret = event_mods_apply(mods, p->group_mods, &spec->attr, &precise,
			       p->err);
	if (ret)
		return err_prefix(p->err, "event '%.60s'", spec->name);
	if (precise)
		spec->attr.precise_ip = most_precise(p, pmu, spec->attr.type) &
					3;
	return 0;
}

/* With two kinds of cores, perf opens one event for each kind. */
static const char *const hybrid[] = { "cpu_core", "cpu_atom" };

static bool is_hybrid(const struct event_context *p)
{
	return pmu_exists(p->env->pmus, hybrid[0]) &&
	       pmu_exists(p->env->pmus, hybrid[1]);
}

static int add_on_core(struct event_context *p, const struct item *it,
		       const struct perf_event_attr *attr, const char *mods,
		       const char *pmu)
{
	struct event_spec *spec;
	char name[128];
	uint32_t type;
	int ret;

	ret = pmu_type(p->env->pmus, pmu, &type, p->err);
	if (ret)
		return ret;
	snprintf(name, sizeof(name), "%s/%.60s/%.20s", pmu, it->head, mods);
	spec = add_spec(p, name);
	if (!spec)
		return -ENOMEM;
	spec->attr.type = attr->type;
	spec->attr.config = attr->config;
	if (attr->type == PERF_TYPE_RAW)
		spec->attr.type = type;
	else /* PERF_PMU_TYPE_SHIFT in linux/perf_event.h */
		spec->attr.config |= (uint64_t)type << 32;
	ret = pmu_cpus(p->env->pmus, pmu, &spec->cpus, p->err);
	if (ret)
		return ret;
	return finish(p, spec, it->terms, mods, NULL);
}

/* An event of fixed type and config, with @mods. */
static int add_named(struct event_context *p, const struct item *it,
		     const struct perf_event_attr *attr, const char *mods)
{
	struct event_spec *spec;
	int ret = 0;

	if (is_of_cores(attr->type) && is_hybrid(p)) {
		for (size_t i = 0; i < 2 && !ret; i++)
			ret = add_on_core(p, it, attr, mods, hybrid[i]);
		return ret;
	}
	spec = add_spec(p, it->text);
	if (!spec)
		return -ENOMEM;
	spec->attr.type = attr->type;
	spec->attr.config = attr->config;
	return finish(p, spec, it->terms, mods, NULL);
}

static int add_breakpoint(struct event_context *p, const char *text)
{
	struct perf_event_attr attr = { 0 };
	struct event_spec *spec;
	const char *rest;
	int ret;

	ret = event_names_breakpoint(text + strlen("mem:"), &attr, &rest,
				     p->err);
	if (ret)
		return ret;
	spec = add_spec(p, text);
	if (!spec)
		return -ENOMEM;
	attr.size = spec->attr.size;
	spec->attr = attr;
	spec->period = 1; /* every access, as in perf */
	return finish(p, spec, NULL, *rest ? rest + 1 : "", NULL);
}

/* TYPE:CONFIG[:MODS], both numbers. */
static int add_numeric(struct event_context *p, const struct item *it)
{
	struct perf_event_attr attr = { 0 };
	char *config = strchr(it->head, ':');
	uint64_t type, value;
	char *mods;

	*config++ = '\0';
	mods = strchr(config, ':');
	if (mods)
		*mods++ = '\0';
	if (!units_scan_number(it->head, &type) || type > UINT32_MAX ||
	    !units_scan_number(config, &value))
		return err_usage(p->err,
				 "event '%.60s': not the numbers "
				 "TYPE:CONFIG",
				 it->text);
	attr.type = (uint32_t)type;
	attr.config = value;
	return add_named(p, it, &attr, mods ? mods : it->mods);
}

/* The state while the tracepoints of a name or glob are added. */
struct tracepoints {
	struct event_context *p;
	const struct item *it;
	const char *mods;
	bool glob;
	size_t added;
};

static int add_tracepoint(void *ctx, const char *sys, const char *name)
{
	struct tracepoints *t = ctx;
	struct event_context *p = t->p;
	struct event_spec *spec;
	char text[256];
	uint64_t id;
	int ret;

	ret = tracefs_event_id(p->tracefs, sys, name, &id, p->err);
	if (ret == -ENOENT && t->glob)
		return 0; /* ftrace's own formats have no id */
	if (ret)
		return ret;
	snprintf(text, sizeof(text), "%.120s:%.120s", sys, name);
	spec = add_spec(p, text);
	if (!spec)
		return -ENOMEM;
	t->added++;
	spec->tracepoint = true;
	spec->wild = t->glob;
	spec->attr.type = PERF_TYPE_TRACEPOINT;
	spec->attr.config = id;
	/* if the format is not readable, only their size is missing */
	tracefs_event_fields(p->tracefs, sys, name, &spec->raw_bytes, NULL, 0);
	return finish(p, spec, t->it->terms, t->mods, NULL);
}

static int find_tracefs(struct event_context *p)
{
	if (p->tracefs)
		return 0;
	if (!p->env->find_tracefs)
		return err_set(p->err, -ENOENT,
			       "no readable tracefs; as root: "
			       "mount -t tracefs nodev /sys/kernel/tracing");
	p->tracefs = p->env->find_tracefs(p->err);
	return p->tracefs ? 0 : -ENOENT;
}

/* SYS:NAME[:MODS], globs in SYS and NAME. */
static int add_tracepoints(struct event_context *p, const struct item *it)
{
	struct tracepoints t = { p, it, it->mods, false, 0 };
	char *sys = it->head, *name = strchr(sys, ':'), *mods;
	int ret;

	ret = find_tracefs(p);
	if (ret)
		return err_prefix(p->err, "tracepoint '%.60s'", it->text);
	*name++ = '\0';
	mods = strchr(name, ':');
	if (mods) {
		*mods++ = '\0';
		t.mods = mods;
	}
	t.glob = strpbrk(sys, "*?[") || strpbrk(name, "*?[");
	if (t.glob)
		ret = tracefs_each_event(p->tracefs, sys, name, add_tracepoint,
					 &t, p->err);
	else
		ret = add_tracepoint(&t, sys, name);
	if (ret == -ENOENT && p->err && p->err->kind == ERR_MACHINE)
		return ret;
	if (ret == -ENOENT || (!ret && !t.added))
		return event_suggest_unknown(it->text, p->env, p->err);
	return ret;
}

static int add_of_pmu(struct event_context *p, const struct item *it,
		      const char *terms, const char *mods, const char *pmu)
{
	struct event_spec *spec;
	int ret;

	spec = add_spec(p, it->text);
	if (!spec)
		return -ENOMEM;
	/* a truncated name would be that of another PMU */
	if (strlen(pmu) < sizeof(spec->pmu))
		strcpy(spec->pmu, pmu);
	ret = pmu_type(p->env->pmus, pmu, &spec->attr.type, p->err);
	if (!ret)
		ret = pmu_cpus(p->env->pmus, pmu, &spec->cpus, p->err);
	if (!ret)
		ret = finish(p, spec, terms, mods, pmu);
	return ret;
}

/* The PMUs that a name stands for, or that have an event. */
struct pmu_search {
	struct event_context *p;
	const struct item *it;
	const char *wanted; /* a PMU's name, or an event's */
	char found[128]; /* "pmu/event/, pmu/event/" */
	char first[256];
	size_t nr;
	int error;
};

/*
 * Whether the PMU @name is a part of @wanted: uncore_imc_0 and uncore_imc_1 are
 * parts of "imc" and "uncore_imc".
 */
static bool is_part_of(const char *wanted, const char *name)
{
	static const char uncore[] = "uncore_";

	if (!fnmatch(wanted, name, 0))
		return true;
	if (!text_begins(wanted, uncore) && text_begins(name, uncore))
		name += strlen(uncore);
	if (!text_skip(&name, wanted))
		return false;
	name += *name == '_';
	return strspn(name, "0123456789") == strlen(name);
}

static int add_part(void *ctx, const char *name)
{
	struct pmu_search *s = ctx;

	if (!is_part_of(s->wanted, name))
		return 0;
	s->nr++;
	s->error = add_of_pmu(s->p, s->it, s->it->terms, s->it->mods, name);
	return s->error;
}

/* PMU/TERMS/MODS */
static int add_pmu(struct event_context *p, const struct item *it)
{
	struct pmu_search s = { .p = p, .it = it, .wanted = it->head };

	if (*it->head && !pmu_exists(p->env->pmus, it->head))
		pmu_each(p->env->pmus, add_part, &s);
	if (s.nr)
		return s.error;
	return add_of_pmu(p, it, it->terms, it->mods, it->head);
}

static int search_event(void *ctx, const char *pmu)
{
	struct pmu_search *s = ctx;
	char item[104];

	if (!pmu_has_event(s->p->env->pmus, pmu, s->wanted))
		return 0;
	if (s->nr++ == 0)
		snprintf(s->first, sizeof(s->first), "%s", pmu);
	snprintf(item, sizeof(item), "%.40s/%.60s/", pmu, s->wanted);
	text_list(s->found, sizeof(s->found), item);
	return 0;
}

/*
 * A bare name that may be an event of a PMU.  -ENOENT without an error message
 * if no PMU has it.
 */
static int add_pmu_event(struct event_context *p, const struct item *it,
			 const char *mods)
{
	struct pmu_search s = { .p = p, .it = it, .wanted = it->head };
	char *terms;
	int ret;

	pmu_each(p->env->pmus, search_event, &s);
	if (!s.nr)
		return -ENOENT;
	if (s.nr > 1)
		return err_usage(p->err,
				 "event '%.60s' is in %zu PMUs, say "
				 "which: %s",
				 it->head, s.nr, s.found);
	if (asprintf(&terms, "%s%s%s", it->head, it->terms ? "," : "",
		     it->terms ? it->terms : "") < 0)
		return err_set(p->err, -ENOMEM, "no memory for an event");
	ret = add_of_pmu(p, it, terms, mods, s.first);
	free(terms);
	return ret;
}

static bool is_numeric(const char *head)
{
	size_t len = strcspn(head, ":");

	return isdigit((unsigned char)head[0]) && head[len] == ':' &&
	       isdigit((unsigned char)head[len + 1]);
}

/*
 * NAME[:MODS] or SYS:NAME[:MODS].  No tracepoint's system has the name of one
 * of perf's events.  Raw events and those of PMUs are only taken if modifiers
 * follow the first colon.
 */
static int add_symbol(struct event_context *p, const struct item *it)
{
	char *colon = strchr(it->head, ':');
	struct perf_event_attr attr = { 0 };
	const char *mods = it->mods;
	int ret;

	if (is_numeric(it->head))
		return add_numeric(p, it);
	if (colon) {
		*colon = '\0';
		mods = colon + 1;
	}
	ret = event_names_find(it->head, &attr);
	if (!ret &&
	    (attr.type != PERF_TYPE_RAW || event_mods_are(mods, strlen(mods))))
		return add_named(p, it, &attr, mods);
	if (event_mods_are(mods, strlen(mods))) {
		ret = add_pmu_event(p, it, mods);
		if (ret != -ENOENT)
			return ret;
	}
	if (!colon)
		return event_suggest_unknown(it->text, p->env, p->err);
	*colon = ':';
	return add_tracepoints(p, it);
}

static bool is_symbol(const char *head)
{
	struct perf_event_attr attr;

	return strchr(head, ':') || !event_names_find(head, &attr);
}

static int add_item(struct event_context *p, const char *text, char *copy)
{
	struct item it = { .text = text, .head = copy };
	char *slash;

	if (text_begins(copy, "mem:"))
		return add_breakpoint(p, copy);
	slash = strchr(copy, '/');
	it.mods = copy + strlen(copy);
	if (!slash)
		return add_symbol(p, &it);
	*slash++ = '\0';
	it.terms = slash;
	slash = strchr(slash, '/');
	if (!slash)
		return err_usage(p->err,
				 "event '%.60s': no '/' after its "
				 "terms",
				 text);
	*slash++ = '\0';
	it.mods = slash + (*slash == ':');
	if (is_symbol(it.head))
		return add_symbol(p, &it);
	return add_pmu(p, &it);
}

int event_kinds_add(struct event_context *p, const char *text)
{
	char *copy = strdup(text);
	int ret;

	if (!copy)
		return err_set(p->err, -ENOMEM, "no memory for an event");
	ret = add_item(p, text, copy);
	free(copy);
	return ret;
}
