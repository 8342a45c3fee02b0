/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The paths of control groups by their ids, as CGROUP records tell them. */
#ifndef RBTOP_SYMBOLS_CGROUP_TABLE_H
#define RBTOP_SYMBOLS_CGROUP_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct cgroup_table;
struct names;

/* NULL when out of memory. */
struct cgroup_table *cgroup_table_new(struct names *names);
void cgroup_table_free(struct cgroup_table *t);

/* A record.  Where there are too many, the oldest is forgotten. */
void cgroup_table_record(struct cgroup_table *t, uint64_t id,
			 const char *path);
/* Kept among the names from here on; NULL where nobody told. */
const char *cgroup_table_find(struct cgroup_table *t, uint64_t id);
size_t cgroup_table_bytes(const struct cgroup_table *t);

#endif
