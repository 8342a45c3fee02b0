/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/comm_cache.h"

#include "base/proc.h"
#include "base/text.h"

#define COMM_MAX_AGE 2.0 /* seconds */

static void read_comm(struct comm_cache_entry *entry)
{
	char comm[PROC_COMM];

	if (proc_comm("/proc", entry->pid, entry->pid, comm))
		text_copy(entry->comm, sizeof(entry->comm), comm);
}

const char *comm_cache_get(struct comm_cache *cache, pid_t pid, double now)
{
	struct comm_cache_entry *entry =
		&cache->entries[(unsigned int)pid % COMM_CACHE_SIZE];

	if (pid == 0)
		return "swapper";
	if (entry->pid == pid && now - entry->at < COMM_MAX_AGE)
		return entry->comm;
	if (entry->pid != pid)
		*entry = (struct comm_cache_entry){ .pid = pid };
	entry->at = now;
	read_comm(entry);
	return entry->comm;
}
