/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/tracepoint/tracepoint_ids.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "perf/tracepoint/tracefs.h"

/* Kernels have some 3000; ids are an unsigned short (trace_output.c). */
enum { IDS_MAX = 1 << 16, NAME_LEN = 96 };

struct tracepoint_ids {
	struct table names;	/* by id */
	const char *tracefs;	/* while tracefs is read */
};

struct tracepoint_ids *tracepoint_ids_new(void)
{
	return calloc(1, sizeof(struct tracepoint_ids));
}

static void drop_all(struct tracepoint_ids *ids)
{
	for (size_t i = 0; i < ids->names.len; i++)
		free(ids->names.entries[i].item);
	table_free(&ids->names);
}

void tracepoint_ids_free(struct tracepoint_ids *ids)
{
	if (!ids)
		return;
	drop_all(ids);
	free(ids);
}

/* An event that cannot be read was removed meanwhile. */
static int add(void *ctx, const char *sys, const char *name)
{
	struct tracepoint_ids *ids = ctx;
	char full[2 * NAME_LEN], shown[NAME_LEN], *kept;
	uint64_t id;

	if (ids->names.len == IDS_MAX)
		return -EFBIG;
	if (tracefs_event_id(ids->tracefs, sys, name, &id, NULL))
		return 0;
	snprintf(full, sizeof(full), "%s:%s", sys, name);
	text_copy(shown, sizeof(shown), full);
	kept = strdup(shown);
	if (kept && !table_add(&ids->names, id, kept))
		return 0;
	free(kept);
	return -ENOMEM;
}

int tracepoint_ids_read(struct tracepoint_ids *ids, const char *tracefs)
{
	struct tracepoint_ids fresh = { .tracefs = tracefs };
	int ret = tracefs_each_event(tracefs, "*", "*", add, &fresh, NULL);

	if (ret) {
		drop_all(&fresh);
		return ret;
	}
	drop_all(ids);
	*ids = fresh;
	return 0;
}

const char *tracepoint_ids_name(const struct tracepoint_ids *ids, uint64_t id)
{
	return table_get(&ids->names, id);
}
