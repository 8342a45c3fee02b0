/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The paths of cgroups by id, from CGROUP records. */
#ifndef RBTOP_SYMBOLS_CGROUP_TABLE_H
#define RBTOP_SYMBOLS_CGROUP_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct cgroup_table;
struct names;

/* NULL when out of memory. */
struct cgroup_table *cgroup_table_new(struct names *names);
void cgroup_table_free(struct cgroup_table *t);

/* Add a record.  At the limit the oldest is dropped. */
void cgroup_table_record(struct cgroup_table *t, uint64_t id,
			 const char *path);
/* The path, stored in names by this call; NULL if unknown. */
const char *cgroup_table_find(struct cgroup_table *t, uint64_t id);
size_t cgroup_table_bytes(const struct cgroup_table *t);

#endif
