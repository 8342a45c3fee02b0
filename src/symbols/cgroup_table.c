/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/cgroup_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "samples/names.h"

enum { GROUPS_MAX = 1024 };

/* Most cgroups are never looked up: only those that are get into names. */
struct group {
	uint64_t id;
	const char *kept;		/* in names; NULL: not looked up yet */
	size_t len;
	char path[];
};

struct cgroup_table {
	struct names *names;
	struct table groups;		/* by id */
	struct group *order[GROUPS_MAX];	/* in order of arrival,
						 * circular */
	size_t next;				/* index of the oldest, if
						 * full */
	size_t bytes;
};

struct cgroup_table *cgroup_table_new(struct names *names)
{
	struct cgroup_table *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->names = names;
	if (table_reserve(&t->groups, GROUPS_MAX)) {
		free(t);
		return NULL;
	}
	return t;
}

void cgroup_table_free(struct cgroup_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < GROUPS_MAX; i++)
		free(t->order[i]);
	table_free(&t->groups);
	free(t);
}

static struct group *find(const struct cgroup_table *t, uint64_t id)
{
	return table_get(&t->groups, id);
}

static void forget(struct cgroup_table *t, struct group *group)
{
	table_remove(&t->groups, group->id, group);
	t->bytes -= sizeof(*group) + group->len;
	free(group);
}

void cgroup_table_record(struct cgroup_table *t, uint64_t id,
			 const char *path)
{
	struct group *old = find(t, id), *group;
	size_t len = strlen(path) + 1;

	if (old && !strcmp(old->path, path))
		return;
	group = malloc(sizeof(*group) + len);
	if (!group)
		return;
	group->id = id;
	group->kept = NULL;
	group->len = len;
	memcpy(group->path, path, len);
	for (size_t i = 0; old && i < GROUPS_MAX; i++) {
		if (t->order[i] == old)
			t->order[i] = NULL;
	}
	if (old)
		forget(t, old);
	if (t->order[t->next])
		forget(t, t->order[t->next]);
	t->order[t->next] = group;
	t->next = (t->next + 1) % GROUPS_MAX;
	t->bytes += sizeof(*group) + len;
	table_add(&t->groups, id, group);	/* the table has room */
}

const char *cgroup_table_find(struct cgroup_table *t, uint64_t id)
{
	struct group *group = find(t, id);

	if (!group)
		return NULL;
	if (!group->kept)
		group->kept = names_add(t->names, group->path);
	return group->kept;
}

size_t cgroup_table_bytes(const struct cgroup_table *t)
{
	return sizeof(*t) + table_bytes(&t->groups) + t->bytes;
}
