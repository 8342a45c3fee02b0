/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/event/event_kinds.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "perf/event/event_names.h"
#include "perf/event/pmu.h"
#include "perf/tracepoint/tracefs.h"

enum { NAME_LONG = 96 };

static int min_int(int a, int b)
{
	return a < b ? a : b;
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Optimal string alignment: three rows of the usual table. */
int event_suggest_distance(const char *a, const char *b)
{
	int rows[3][NAME_LONG + 1];
	int *before = rows[0], *last = rows[1], *row = rows[2];
	int la = (int)strnlen(a, NAME_LONG + 1);
	int lb = (int)strnlen(b, NAME_LONG + 1);

	if (la > NAME_LONG || lb > NAME_LONG)
		return -1;
	for (int j = 0; j <= lb; j++)
		row[j] = j;
	for (int i = 1; i <= la; i++) {
		int *spare = before;

		before = last;
		last = row;
		row = spare;
		row[0] = i;
		for (int j = 1; j <= lb; j++) {
			int change = last[j - 1] + !same(a[i - 1], b[j - 1]);

			row[j] = min_int(change,
					 min_int(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
			    same(a[i - 2], b[j - 1]))
				row[j] = min_int(row[j], before[j - 2] + 1);
		}
	}
	return row[lb];
}

struct suggest {
	const char *wanted;
	const struct event_env *env;
	const char *pmu; /* whose events are offered */
	int distance; /* of the best so far; at first, one too large to offer */
	char best[2 * NAME_LONG];
};

/* Offer the name @key, to be shown as @shown. */
static void offer(struct suggest *s, const char *key, const char *shown)
{
	int d = event_suggest_distance(s->wanted, key);

	if (d < 0 || d >= s->distance)
		return;
	s->distance = d;
	snprintf(s->best, sizeof(s->best), "%s", shown);
}

static int offer_name(void *ctx, const char *name)
{
	offer(ctx, name, name);
	return 0;
}

static int offer_pmu_event(void *ctx, const char *name)
{
	struct suggest *s = ctx;
	char shown[2 * NAME_LONG];

	snprintf(shown, sizeof(shown), "%.60s/%.60s/", s->pmu, name);
	offer(s, name, shown);
	return 0;
}

static int offer_pmu(void *ctx, const char *name)
{
	struct suggest *s = ctx;
	char shown[NAME_LONG];
	uint32_t type;

	s->pmu = name;
	/* a PMU that traces may need no terms, as in intel_pt// */
	if (!pmu_type(s->env->pmus, name, &type, NULL) &&
	    type >= PERF_TYPE_MAX) {
		snprintf(shown, sizeof(shown), "%.60s//", name);
		offer(s, name, shown);
	}
	return pmu_each_event(s->env->pmus, name, offer_pmu_event, s);
}

/* A tracepoint may also be named without its system. */
static int offer_tracepoint(void *ctx, const char *sys, const char *name)
{
	struct suggest *s = ctx;
	char shown[2 * NAME_LONG];

	snprintf(shown, sizeof(shown), "%.60s:%.90s", sys, name);
	offer(s, strchr(s->wanted, ':') ? shown : name, shown);
	return 0;
}

int event_suggest_unknown(const char *text, const struct event_env *env,
			  struct err *err)
{
	const char *tracefs = env->tracefs ? env->tracefs : tracefs_mounted();
	int length = (int)strnlen(text, NAME_LONG + 1);
	struct suggest s = { .wanted = text, .env = env };

	/*
	 * a name that differs in more than a third of its letters is not
	 * offered
	 */
	s.distance = (length < 3 ? 1 : length / 3) + 1;
	if (length <= NAME_LONG) {
		event_names_each(offer_name, &s);
		pmu_each(env->pmus, offer_pmu, &s);
		if (tracefs)
			tracefs_each_event(tracefs, "*", "*", offer_tracepoint,
					   &s, NULL);
	}
	if (s.best[0])
		return err_usage(err, "unknown event '%s'; did you mean %s?",
				 text, s.best);
	return err_usage(err, "unknown event '%.80s%s'; see perf list", text,
			 strlen(text) > 80 ? ".." : "");
}
