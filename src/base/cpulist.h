/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of CPU numbers in the kernel's list form: "0-3,7". */
#ifndef RBTOP_BASE_CPULIST_H
#define RBTOP_BASE_CPULIST_H

#include <stdbool.h>
#include <stddef.h>

struct err;

/* Sorted, without duplicates.  Plain data; empty when zeroed. */
struct cpulist {
	int *cpus;
	size_t nr, room;
};

enum { CPULIST_MAX_CPU = 65535 };

/*
 * Parse @s into @list (allocated; free with cpulist_free).  Accepts "0-3,7",
 * "5", and the empty string as the empty set.  Returns 0, -EINVAL (ERR_USAGE)
 * or -ENOMEM, both with @err.  @list is left empty on failure.
 */
int cpulist_parse(const char *s, struct cpulist *list, struct err *err);

/* Write the list form into @buf (always terminated, cut with ".."). */
char *cpulist_format(const struct cpulist *list, char *buf, size_t size);

/* Whether @cpu is in the set. */
bool cpulist_has(const struct cpulist *list, int cpu);

/* Insert @cpu in order, unless it is in the set.  Returns 0 or -ENOMEM. */
int cpulist_add(struct cpulist *list, int cpu);

/*
 * Read a CPU list of sysfs, such as /sys/devices/system/cpu/online.
 * Returns 0 or -errno with @err set.
 */
int cpulist_read(const char *path, struct cpulist *list, struct err *err);
int cpulist_online(struct cpulist *list, struct err *err);

/* Free the array; the set is empty afterwards. */
void cpulist_free(struct cpulist *list);

#endif
