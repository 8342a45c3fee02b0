/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cpulist.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/sys.h"

enum { WORDS = (CPULIST_MAX_CPU + 1) / 64 };

/*
 * Read the number at *@s and move *@s past it; -1 if there is none or it is too
 * large.
 */
static int scan_cpu(const char **s)
{
	const char *p = *s;
	int n = 0;

	if (*p < '0' || *p > '9')
		return -1;
	for (; *p >= '0' && *p <= '9'; p++) {
		n = n * 10 + (*p - '0');
		if (n > CPULIST_MAX_CPU)
			return -1;
	}
	*s = p;
	return n;
}

/* Add the CPUs of "N" or "N-M" at *@s to @set. */
static bool scan_range(const char **s, uint64_t set[WORDS])
{
	int first = scan_cpu(s);
	int last = first;

	if (first >= 0 && **s == '-') {
		++*s;
		last = scan_cpu(s);
	}
	if (first < 0 || last < first)
		return false;
	for (; first <= last; first++)
		set[first / 64] |= 1ULL << (first % 64);
	return true;
}

static bool scan_list(const char *s, uint64_t set[WORDS])
{
	if (!*s)
		return true;
	while (scan_range(&s, set)) {
		if (!*s)
			return true;
		if (*s++ != ',')
			return false;
	}
	return false;
}

static int take_set(struct cpulist *list, const uint64_t set[WORDS])
{
	size_t nr = 0;
	int cpu;

	for (size_t i = 0; i < WORDS; i++)
		nr += (size_t)__builtin_popcountll(set[i]);
	if (nr == 0)
		return 0;
	list->cpus = calloc(nr, sizeof(*list->cpus));
	if (!list->cpus)
		return -ENOMEM;
	for (cpu = 0; cpu <= CPULIST_MAX_CPU; cpu++)
		if (set[cpu / 64] & 1ULL << (cpu % 64))
			list->cpus[list->nr++] = cpu;
	return 0;
}

int cpulist_parse(const char *s, struct cpulist *list, struct err *err)
{
	uint64_t set[WORDS] = { 0 };

	*list = (struct cpulist){ 0 };
	if (!scan_list(s, set))
		return err_usage(err, "CPU list '%s': must be numbers and "
				 "ranges up to %d, such as 0-3,7", s,
				 CPULIST_MAX_CPU);
	if (take_set(list, set))
		return err_set(err, -ENOMEM, "CPU list: out of memory");
	return 0;
}

/* Index of the last CPU of the run of consecutive CPUs that starts at @i. */
static size_t run_end(const struct cpulist *list, size_t i)
{
	while (i + 1 < list->nr && list->cpus[i + 1] == list->cpus[i] + 1)
		i++;
	return i;
}

char *cpulist_format(const struct cpulist *list, char *buf, size_t size)
{
	size_t used = 0;
	size_t i, end;

	buf[0] = '\0';
	for (i = 0; i < list->nr; i = end + 1) {
		char run[32];
		size_t len;

		end = run_end(list, i);
		snprintf(run, sizeof(run), "%s%d", i ? "," : "", list->cpus[i]);
		len = strlen(run);
		if (end > i)
			snprintf(run + len, sizeof(run) - len, "-%d",
				 list->cpus[end]);
		len = strlen(run);
		/* unless it is the last, leave room for ".." */
		if (used + len + (end + 1 < list->nr ? 2 : 0) >= size) {
			snprintf(buf + used, size - used, "..");
			break;
		}
		memcpy(buf + used, run, len + 1);
		used += len;
	}
	return buf;
}

static size_t lower_bound(const struct cpulist *list, int cpu)
{
	size_t low = 0, high = list->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (list->cpus[mid] < cpu)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

bool cpulist_has(const struct cpulist *list, int cpu)
{
	size_t i = lower_bound(list, cpu);

	return i < list->nr && list->cpus[i] == cpu;
}

int cpulist_add(struct cpulist *list, int cpu)
{
	size_t i = lower_bound(list, cpu);
	int *place;

	if (i < list->nr && list->cpus[i] == cpu)
		return 0;
	place = array_insert(list->cpus, list->nr, list->room, i);
	if (!place)
		return -ENOMEM;
	*place = cpu;
	return 0;
}

int cpulist_read(const char *path, struct cpulist *list, struct err *err)
{
	char *text;
	ssize_t len;
	int ret;

	*list = (struct cpulist){ 0 };
	len = sys_read_file_alloc(path, 1 << 20, &text);
	if (len < 0)
		return err_set(err, (int)len, "%s: %s; is /sys mounted?", path,
			       strerror((int)-len));
	text[strcspn(text, "\n")] = '\0';
	ret = cpulist_parse(text, list, err);
	free(text);
	/* an invalid file of the kernel is not a usage error */
	if (ret == -EINVAL)
		return err_set(err, -EIO, "%s: not a CPU list", path);
	return ret;
}

int cpulist_online(struct cpulist *list, struct err *err)
{
	return cpulist_read("/sys/devices/system/cpu/online", list, err);
}

void cpulist_free(struct cpulist *list)
{
	free(list->cpus);
	*list = (struct cpulist){ 0 };
}
