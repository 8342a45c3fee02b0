/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/comm_cache.h"

#include <stdio.h>
#include <string.h>

#include "base/sys.h"
#include "base/text.h"

#define COMM_MAX_AGE 2.0 /* seconds */

static void read_comm(struct comm_cache_entry *entry)
{
	char path[64], comm[64];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/comm", entry->pid);
	len = sys_read_file(path, comm, sizeof(comm));
	if (len <= 0)
		return;
	comm[strcspn(comm, "\n")] = '\0';
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
