/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/host_limits.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cpulist.h"
#include "base/sys.h"
#include "host/proc_status.h"

/* The kernel counts in whole pages: perf_mmap(), kernel/events/core.c. */
static uint64_t whole_pages(uint64_t kb)
{
	uint64_t page_kb = sys_page_size() / 1024;

	return kb / page_kb * page_kb;
}

static uint64_t user_limit(const char *proc)
{
	struct cpulist online = { 0 };
	char path[PATH_MAX];
	uint64_t limit = UNKNOWN;
	long long kb;

	snprintf(path, sizeof(path), "%s/sys/kernel/perf_event_mlock_kb", proc);
	if (!sys_read_number(path, &kb) && kb >= 0 && kb <= INT_MAX &&
	    !cpulist_online(&online, NULL))
		limit = whole_pages((uint64_t)kb) * 1024 * online.nr;
	cpulist_free(&online);
	return limit;
}

static bool limits_count(const char *proc)
{
	char path[PATH_MAX];
	long long paranoid;

	snprintf(path, sizeof(path), "%s/sys/kernel/perf_event_paranoid", proc);
	return sys_read_number(path, &paranoid) || paranoid >= 0;
}

/* The soft limit of "Max locked memory  8388608  8388608  bytes". */
static uint64_t memlock_limit(const char *proc, pid_t pid)
{
	static const char name[] = "Max locked memory";
	uint64_t limit = UNKNOWN;
	char path[PATH_MAX], text[4096], *line;

	snprintf(path, sizeof(path), "%s/%d/limits", proc, pid);
	if (sys_read_file(path, text, sizeof(text)) <= 0)
		return UNKNOWN;
	line = strstr(text, name);
	if (!line || sscanf(line + strlen(name), " %" SCNu64, &limit) != 1)
		return UNKNOWN;
	return limit;
}

static int add_limit(const char *proc, pid_t pid, struct host_pass *pass)
{
	struct host_pass_limit *limit;
	struct proc_status status;
	char path[PATH_MAX];

	if (proc_status_read(proc, pid, &status))
		return 0; /* it has ended */
	limit = host_pass_add_limit(pass);
	if (!limit)
		return -ENOMEM;
	limit->pid = pid;
	limit->pinned = status.pinned;
	limit->memlock = memlock_limit(proc, pid);
	snprintf(path, sizeof(path), "%s/%d/ns/user", proc, pid);
	limit->ipc_lock = status.caps >> CAP_IPC_LOCK & 1 &&
			  sys_initial_user_ns(path);
	return 0;
}

/* The pids of those who map a ring, each once, to be freed. */
static pid_t *mappers(const struct host_pass *pass, size_t *nr)
{
	pid_t *pids = calloc(pass->nr_holders + 1, sizeof(*pids));

	*nr = 0;
	if (!pids)
		return NULL;
	for (size_t i = 0; i < pass->nr_holders; i++) {
		if (pass->holders[i].maps)
			pids[(*nr)++] = pass->holders[i].pid;
	}
	*nr = array_unique(pids, *nr);
	return pids;
}

int host_limits_read(const char *proc, struct host_pass *pass)
{
	pid_t *pids;
	size_t nr;
	int ret = 0;

	if (!proc)
		proc = "/proc";
	pass->user_limit = user_limit(proc);
	pass->paranoid = limits_count(proc);
	pids = mappers(pass, &nr);
	if (!pids)
		return -ENOMEM;
	for (size_t i = 0; i < nr && !ret; i++)
		ret = add_limit(proc, pids[i], pass);
	free(pids);
	return ret;
}
