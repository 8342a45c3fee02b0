/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/proc_dir.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sys.h"

static int is_number(const struct dirent *entry)
{
	return entry->d_name[0] &&
	       !entry->d_name[strspn(entry->d_name, "0123456789")];
}

static pid_t *list(const char *path, size_t *nr)
{
	struct dirent **entries;
	int n = sys_scandir(path, is_number, &entries);
	pid_t *ids;

	*nr = 0;
	if (n < 0)
		return NULL;
	ids = calloc((size_t)n + 1, sizeof(*ids));
	for (int i = 0; ids && i < n; i++) {
		long id = strtol(entries[i]->d_name, NULL, 10);

		if (id > 0 && id <= INT_MAX)
			ids[(*nr)++] = (pid_t)id;
	}
	sys_free_entries(entries, n);
	return ids;
}

pid_t *proc_dir_processes(const char *proc, size_t *nr)
{
	return list(proc, nr);
}

pid_t *proc_dir_threads(const char *proc, pid_t pid, size_t *nr)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%d/task", proc, pid);
	return list(path, nr);
}

pid_t proc_dir_process_of(const char *proc, pid_t tid)
{
	char path[PATH_MAX], status[1024], *line;

	snprintf(path, sizeof(path), "%s/%d/status", proc, tid);
	if (sys_read_file(path, status, sizeof(status)) <= 0)
		return tid;
	line = strstr(status, "\nTgid:");
	return line ? (pid_t)strtol(line + 6, NULL, 10) : tid;
}

bool proc_dir_has_process(const char *proc, pid_t pid)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%d", proc, pid);
	return !sys_access(path, F_OK);
}

bool proc_dir_has_thread(const char *proc, pid_t pid, pid_t tid)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%d/task/%d", proc, pid, tid);
	return !sys_access(path, F_OK);
}
