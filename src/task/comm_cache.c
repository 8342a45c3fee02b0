/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/comm_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { ENTRIES = 4096 };	/* indexed by the low bits of the pid */

#define MAX_AGE 2.0		/* seconds until /proc is read again */

struct entry {
	pid_t pid;		/* 0: free */
	bool read;		/* read from /proc, or tried */
	double at;		/* time of that; CLOCK_MONOTONIC seconds */
	bool leads;		/* @comm is the leader's, not another
				 * thread's */
	char comm[PROC_COMM];	/* "": unknown */
};

struct comm_cache {
	const char *proc;
	pthread_mutex_t lock;
	struct entry entries[ENTRIES];
};

struct comm_cache *comm_cache_new(const char *proc)
{
	struct comm_cache *cache = calloc(1, sizeof(*cache));

	if (!cache)
		return NULL;
	cache->proc = proc;
	pthread_mutex_init(&cache->lock, NULL);
	return cache;
}

void comm_cache_free(struct comm_cache *cache)
{
	if (!cache)
		return;
	pthread_mutex_destroy(&cache->lock);
	free(cache);
}

/* Called under the lock: the entry of @pid, which replaces another pid's. */
static struct entry *entry_of(struct comm_cache *cache, pid_t pid)
{
	struct entry *entry = &cache->entries[(unsigned int)pid % ENTRIES];

	if (entry->pid != pid)
		*entry = (struct entry){ .pid = pid };
	return entry;
}

/* Called under the lock: whether this thread must read /proc now. */
static bool is_due(struct entry *entry, double now)
{
	if (entry->read && now - entry->at < MAX_AGE)
		return false;
	entry->read = true;
	entry->at = now;
	return true;
}

bool comm_cache_get(struct comm_cache *cache, pid_t pid, double now,
		    char comm[PROC_COMM])
{
	char fresh[PROC_COMM];
	struct entry *entry;
	bool due, found;

	if (pid == 0) {
		strcpy(comm, "swapper");
		return true;
	}
	pthread_mutex_lock(&cache->lock);
	due = is_due(entry_of(cache, pid), now);
	pthread_mutex_unlock(&cache->lock);
	/* without the lock, as it may be slow: samples must not wait for it */
	found = due && proc_comm(cache->proc, pid, pid, fresh);
	pthread_mutex_lock(&cache->lock);
	entry = entry_of(cache, pid);
	if (found) {
		text_copy(entry->comm, sizeof(entry->comm), fresh);
		entry->leads = true;
	}
	memcpy(comm, entry->comm, PROC_COMM);
	pthread_mutex_unlock(&cache->lock);
	return comm[0];
}

/* ":TID" stands for an unknown name. */
static bool is_news(const struct entry *entry, pid_t tid, const char *comm)
{
	if (entry->leads && tid != entry->pid)
		return false;
	return !entry->comm[0] || comm[0] != ':';
}

void comm_cache_note(struct comm_cache *cache, pid_t pid, pid_t tid,
		     const char *comm)
{
	struct entry *entry;

	if (pid <= 0)
		return;
	pthread_mutex_lock(&cache->lock);
	entry = entry_of(cache, pid);
	if (is_news(entry, tid, comm) &&
	    (strcmp(entry->comm, comm) || entry->leads != (tid == pid))) {
		text_copy(entry->comm, sizeof(entry->comm), comm);
		entry->leads = tid == pid;
	}
	pthread_mutex_unlock(&cache->lock);
}
