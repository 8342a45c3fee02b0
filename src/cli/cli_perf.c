/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/cli_perf.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli_take.h"
#include "perf/event/event_kinds.h"

enum { MOST_WRONG = 3 };	/* one letter in three may differ */

static const struct perf_option {
	int letter;
	const char *name, *advice;
} perf_options[] = {
#define PERF(letter, name, advice) { letter, name, advice },
#include "cli/cli_perf.def"
#undef PERF
};

const char *cli_perf_advice(int letter, const char *name)
{
	for (size_t i = 0; i < sizeof(perf_options) / sizeof(*perf_options);
	     i++) {
		const struct perf_option *o = &perf_options[i];

		if (name ? o->name && !strcmp(o->name, name) :
			   o->letter == letter)
			return o->advice;
	}
	return NULL;
}

const char *cli_perf_nearest(const char *name)
{
	int least = (int)(strlen(name) / MOST_WRONG) + 1;
	const char *nearest = NULL;

	for (size_t i = 0; i < CLI_NR_OPTIONS; i++) {
		const char *known = cli_options[i].name;
		int distance = known ? event_suggest_distance(name, known) : -1;

		if (distance < 0 || distance >= least)
			continue;
		least = distance;
		nearest = known;
	}
	return nearest;
}

const char *cli_perf_begun(const char *name, char *buf, size_t size)
{
	size_t used = 0, len = strlen(name);

	for (size_t i = 0; i < CLI_NR_OPTIONS; i++) {
		const char *known = cli_options[i].name;

		if (!len || !known || strncmp(known, name, len) != 0 ||
		    used + strlen(known) + 5 > size)
			continue;
		used += (size_t)snprintf(buf + used, size - used, "%s--%s",
					 used ? ", " : "", known);
	}
	return used ? buf : NULL;
}
