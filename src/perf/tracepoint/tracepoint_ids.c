/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/tracepoint/tracepoint_ids.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "perf/tracepoint/tracefs.h"

/* Kernels have some 3000; ids are an unsigned short (trace_output.c). */
enum { IDS_MAX = 1 << 16, NAME_LEN = 96 };

struct named {
	uint64_t id;
	char *name;
};

struct tracepoint_ids {
	struct named *all; /* by id */
	size_t nr, room;
	const char *tracefs; /* while they are read */
};

struct tracepoint_ids *tracepoint_ids_new(void)
{
	return calloc(1, sizeof(struct tracepoint_ids));
}

static void drop_all(struct tracepoint_ids *ids)
{
	for (size_t i = 0; i < ids->nr; i++)
		free(ids->all[i].name);
	free(ids->all);
	*ids = (struct tracepoint_ids){ 0 };
}

void tracepoint_ids_free(struct tracepoint_ids *ids)
{
	if (!ids)
		return;
	drop_all(ids);
	free(ids);
}

static int fit(struct tracepoint_ids *ids)
{
	size_t room = ids->room ? ids->room * 2 : 1024;
	struct named *all;

	if (ids->nr == IDS_MAX)
		return -EFBIG;
	if (ids->nr < ids->room)
		return 0;
	all = reallocarray(ids->all, room, sizeof(*all));
	if (!all)
		return -ENOMEM;
	ids->all = all;
	ids->room = room;
	return 0;
}

/* One that cannot be read has gone meanwhile. */
static int add(void *ctx, const char *sys, const char *name)
{
	struct tracepoint_ids *ids = ctx;
	char full[2 * NAME_LEN], shown[NAME_LEN];
	struct named *named;
	int ret = fit(ids);

	if (ret)
		return ret;
	named = &ids->all[ids->nr];
	if (tracefs_event_id(ids->tracefs, sys, name, &named->id, NULL))
		return 0;
	snprintf(full, sizeof(full), "%s:%s", sys, name);
	text_copy(shown, sizeof(shown), full);
	named->name = strdup(shown);
	if (!named->name)
		return -ENOMEM;
	ids->nr++;
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

int tracepoint_ids_read(struct tracepoint_ids *ids, const char *tracefs)
{
	struct tracepoint_ids fresh = { .tracefs = tracefs };
	int ret = tracefs_each_event(tracefs, "*", "*", add, &fresh, NULL);

	if (ret) {
		drop_all(&fresh);
		return ret;
	}
	qsort(fresh.all, fresh.nr, sizeof(*fresh.all), by_id);
	drop_all(ids);
	*ids = fresh;
	return 0;
}

const char *tracepoint_ids_name(const struct tracepoint_ids *ids, uint64_t id)
{
	const struct named key = { .id = id }, *found = NULL;

	if (ids->nr)
		found = bsearch(&key, ids->all, ids->nr, sizeof(key), by_id);
	return found ? found->name : NULL;
}
