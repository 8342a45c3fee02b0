/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/proc.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/sys.h"

static int is_number(const struct dirent *entry)
{
	return entry->d_name[0] &&
	       !entry->d_name[strspn(entry->d_name, "0123456789")];
}

static int list(const char *path, pid_t **ids, size_t *nr)
{
	struct dirent **entries;
	int n = sys_scandir(path, is_number, &entries);

	*ids = NULL;
	*nr = 0;
	if (n < 0)
		return n;
	*ids = calloc((size_t)n + 1, sizeof(**ids));
	for (int i = 0; *ids && i < n; i++) {
		long id = strtol(entries[i]->d_name, NULL, 10);

		if (id > 0 && id <= INT_MAX)
			(*ids)[(*nr)++] = (pid_t)id;
	}
	sys_free_entries(entries, n);
	if (!*ids)
		return -ENOMEM;
	*nr = array_unique(*ids, *nr);
	return 0;
}

int proc_processes(const char *proc, pid_t **pids, size_t *nr)
{
	return list(proc, pids, nr);
}

int proc_threads(const char *proc, pid_t pid, pid_t **tids, size_t *nr)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%d/task", proc, pid);
	return list(path, tids, nr);
}

pid_t proc_self(const char *proc)
{
	char path[PATH_MAX], name[16];
	ssize_t len;

	snprintf(path, sizeof(path), "%s/self", proc);
	len = readlink(path, name, sizeof(name) - 1);
	if (len <= 0)
		return 0;
	name[len] = '\0';
	return (pid_t)strtol(name, NULL, 10);
}

pid_t proc_process_of(const char *proc, pid_t tid)
{
	char path[PATH_MAX], status[1024], *line;

	snprintf(path, sizeof(path), "%s/%d/status", proc, tid);
	if (sys_read_file(path, status, sizeof(status)) <= 0)
		return tid;
	line = strstr(status, "\nTgid:");
	return line ? (pid_t)strtol(line + 6, NULL, 10) : tid;
}

static pid_t parent_of(const char *proc, pid_t pid)
{
	char path[PATH_MAX], status[1024], *line;

	snprintf(path, sizeof(path), "%s/%d/status", proc, pid);
	if (sys_read_file(path, status, sizeof(status)) <= 0)
		return 0;
	line = strstr(status, "\nPPid:");
	return line ? (pid_t)strtol(line + 6, NULL, 10) : 0;
}

bool proc_descends(const char *proc, pid_t pid, pid_t ancestor)
{
	enum { MAX_DEPTH = 256 };

	for (int i = 0; pid > 0 && pid != ancestor && i < MAX_DEPTH; i++)
		pid = parent_of(proc, pid);
	return pid == ancestor;
}

int proc_uids(const char *proc, pid_t pid, uid_t *real, uid_t *effective)
{
	char path[PATH_MAX], status[1024], *line;
	ssize_t len;

	snprintf(path, sizeof(path), "%s/%d/status", proc, pid);
	len = sys_read_file(path, status, sizeof(status));
	if (len < 0)
		return (int)len;
	line = strstr(status, "\nUid:");
	return line && sscanf(line, "\nUid: %u %u", real, effective) == 2 ?
		       0 : -EINVAL;
}

bool proc_has_process(const char *proc, pid_t pid)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%d", proc, pid);
	return !sys_access(path, F_OK);
}

bool proc_has_thread(const char *proc, pid_t pid, pid_t tid)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%d/task/%d", proc, pid, tid);
	return !sys_access(path, F_OK);
}

int proc_fds(const char *proc, pid_t pid,
	     int (*visit)(void *ctx, pid_t pid, const char *fd,
			  const char *target),
	     void *ctx)
{
	char path[PATH_MAX], target[PATH_MAX];
	struct dirent *entry;
	int ret = 0;
	ssize_t n;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%d/fd", proc, pid);
	dir = opendir(path);
	if (!dir)
		return 0;
	while (!ret && (entry = readdir(dir))) {
		n = readlinkat(dirfd(dir), entry->d_name, target,
			       sizeof(target) - 1);
		if (n < 0)
			continue;	/* closed in the meantime */
		target[n] = '\0';
		ret = visit(ctx, pid, entry->d_name, target);
	}
	closedir(dir);
	return ret;
}

bool proc_comm(const char *proc, pid_t pid, pid_t tid, char comm[PROC_COMM])
{
	char path[PATH_MAX], text[64];
	ssize_t len;

	snprintf(path, sizeof(path), "%s/%d/task/%d/comm", proc, pid, tid);
	len = sys_read_file(path, text, sizeof(text));
	if (len <= 0)
		return false;
	if (text[len - 1] == '\n')
		text[len - 1] = '\0';
	memset(comm, 0, PROC_COMM);
	memcpy(comm, text, strnlen(text, PROC_COMM - 1));
	return true;
}

ssize_t proc_maps(const char *proc, pid_t pid, size_t max, char **text)
{
	char path[PATH_MAX];

	*text = NULL;
	snprintf(path, sizeof(path), "%s/%d/maps", proc, pid);
	return sys_read_file_alloc(path, max, text);
}

ssize_t proc_cmdline(const char *proc, pid_t pid, char *buf, size_t size)
{
	char path[PATH_MAX];
	ssize_t len;

	snprintf(path, sizeof(path), "%s/%d/cmdline", proc, pid);
	len = sys_read_file(path, buf, size);
	return len == (ssize_t)size - 1 ? -EFBIG : len;
}

/* The result goes into @memory, the only file that stays open. */
static _Noreturn void run_aside(void (*fn)(void *ctx, void *result),
				void *ctx, void *result, size_t size,
				int memory, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || dup2(memory, 0) < 0)
		_exit(1);
	sys_close_from(1);
	fn(ctx, result);
	_exit(pwrite(0, result, size, 0) != (ssize_t)size);
}

bool proc_is_ended(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action;
	sigset_t set;

	if (sigpending(&set))
		return false;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (sigismember(&set, signals[i]) == 1 &&
		    !sigaction(signals[i], NULL, &action) &&
		    action.sa_handler != SIG_IGN)	/* nohup(1) */
			return true;
	return false;
}

/* 0 once the process has ended, or -errno, and it is killed. */
static int wait_aside(pid_t pid, double seconds)
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	double until = sys_now() + seconds;
	int ret = 0;

	while (!ret && !waitpid(pid, NULL, WNOHANG)) {
		if (proc_is_ended())
			ret = -EINTR;
		else if (sys_now() > until)
			ret = -ETIMEDOUT;
		nanosleep(&ms, NULL);
	}
	if (ret)
		kill(pid, SIGKILL);
	return ret;
}

int proc_aside(void (*fn)(void *ctx, void *result), void *ctx, void *result,
	       size_t size, double seconds)
{
	int memory = memfd_create("rbtop-aside", MFD_CLOEXEC), ret;
	pid_t parent = getpid(), pid;

	if (memory < 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		run_aside(fn, ctx, result, size, memory, parent);
	ret = pid < 0 ? -errno : wait_aside(pid, seconds);
	/* nothing is there if the process has died */
	if (!ret && pread(memory, result, size, 0) != (ssize_t)size)
		ret = -EIO;
	close(memory);
	return ret;
}
