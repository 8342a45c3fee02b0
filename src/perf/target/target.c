/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/target/target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/err.h"
#include "base/proc.h"
#include "base/sys.h"

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "looking up the target: out of memory");
}

static int add_tid(struct target_map *map, pid_t tid)
{
	pid_t *place;

	for (size_t i = 0; i < map->nr_tids; i++)
		if (map->tids[i] == tid)
			return 0;
	place = array_add(map->tids, map->nr_tids, map->tids_cap);
	if (!place)
		return -ENOMEM;
	*place = tid;
	return 0;
}

static int no_such(struct err *err, const char *what, pid_t id)
{
	return err_set(err, -ESRCH,
		       "%s %d: no such %s: it has ended, or lives in another pid namespace",
		       what, id, what);
}

/* All threads of a process, from /proc/PID/task. */
static int add_threads(struct target_map *map, pid_t pid, struct err *err)
{
	size_t before = map->nr_tids, nr;
	pid_t *tids;
	int ret = proc_threads("/proc", pid, &tids, &nr);

	if (ret && ret != -ENOENT)
		return err_errno(err, ret, "reading the threads of pid %d",
				 pid);
	ret = 0;
	for (size_t i = 0; i < nr && !ret; i++)
		ret = add_tid(map, tids[i]);
	free(tids);
	if (ret)
		return no_memory(err);
	return map->nr_tids > before ? 0 : no_such(err, "process", pid);
}

static int add_thread(struct target_map *map, pid_t tid, struct err *err)
{
	if (!proc_has_process("/proc", tid))
		return no_such(err, "thread", tid);
	return add_tid(map, tid) ? no_memory(err) : 0;
}

static bool is_of_user(pid_t pid, uid_t uid)
{
	struct stat st;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d", pid);
	return !stat(path, &st) && st.st_uid == uid;
}

/*
 * As in perf: the processes whose /proc/PID belongs to the user.  One may end
 * meanwhile.
 */
static int add_user(struct target_map *map, uid_t uid, struct err *err)
{
	pid_t *pids;
	size_t nr;
	int ret = proc_processes("/proc", &pids, &nr);

	if (ret)
		return err_errno(err, ret, "reading /proc");
	for (size_t i = 0; i < nr && !ret; i++) {
		if (pids[i] == getpid() || !is_of_user(pids[i], uid))
			continue;
		ret = add_threads(map, pids[i], err);
		if (ret == -ESRCH)
			ret = 0;
	}
	free(pids);
	if (!ret && map->nr_tids == 0)
		ret = err_set(err, -ESRCH, "-u %u: this user has no processes",
			      uid);
	return ret;
}

static int resolve_tids(const struct target *target, struct target_map *map,
			struct err *err)
{
	int ret = target->by_uid ? add_user(map, target->uid, err) : 0;

	for (size_t i = 0; !ret && i < target->nr_pids; i++)
		ret = add_threads(map, target->pids[i], err);
	for (size_t i = 0; !ret && i < target->nr_tids; i++)
		ret = add_thread(map, target->tids[i], err);
	if (!ret && map->nr_tids == 0)
		ret = err_usage(err,
				"nothing to watch: give -p PID, -t TID, or a command after --");
	return ret;
}

static int check_cpus(const struct cpulist *wanted,
		      const struct cpulist *online, struct err *err)
{
	char list[128];

	for (size_t i = 0; i < wanted->nr; i++)
		if (!cpulist_has(online, wanted->cpus[i]))
			return err_set(err, -ENODEV,
				       "CPU %d is offline or does not exist; online: %s",
				       wanted->cpus[i],
				       cpulist_format(online, list,
						      sizeof(list)));
	return 0;
}

static int resolve_cpus(const struct target *target, struct target_map *map,
			struct err *err)
{
	struct cpulist online = { 0 };
	int ret = cpulist_online(&online, err);

	if (ret)
		return ret;
	if (target->mode == TARGET_SYSTEM || target->cpus.nr == 0) {
		map->cpus = online;
		return 0;
	}
	ret = check_cpus(&target->cpus, &online, err);
	for (size_t i = 0; !ret && i < target->cpus.nr; i++)
		if (cpulist_add(&map->cpus, target->cpus.cpus[i]))
			ret = no_memory(err);
	cpulist_free(&online);
	return ret;
}

int target_resolve(const struct target *target, struct target_map *map,
		   struct err *err)
{
	int ret = 0;

	memset(map, 0, sizeof(*map));
	if (target->mode != TARGET_THREADS)
		ret = resolve_cpus(target, map, err);
	if (!ret && target_by_task(target))
		ret = resolve_tids(target, map, err);
	if (ret)
		target_free_map(map);
	return ret;
}

void target_free_map(struct target_map *map)
{
	cpulist_free(&map->cpus);
	free(map->tids);
	memset(map, 0, sizeof(*map));
}

void target_free(struct target *target)
{
	cpulist_free(&target->cpus);
	free(target->pids);
	free(target->tids);
	memset(target, 0, sizeof(*target));
}

static void describe_tasks(const struct target *target, char *buf, size_t size)
{
	const char *more = "";

	if (target->mode == TARGET_THREADS)
		more = ", a ring per thread";
	else if (target->inherit)
		more = " and what it starts";

	if (target->by_uid)
		snprintf(buf, size, "tasks of uid %u%s", target->uid,
			 target->mode == TARGET_TASKS && target->inherit ?
				 " and what they start" :
				 more);
	else if (target->nr_pids + target->nr_tids > 1)
		snprintf(buf, size, "%zu tasks%s",
			 target->nr_pids + target->nr_tids,
			 target->mode == TARGET_TASKS && target->inherit ?
				 " and what they start" :
				 more);
	else if (target->nr_pids)
		snprintf(buf, size, "pid %d%s", target->pids[0], more);
	else if (target->nr_tids)
		snprintf(buf, size, "thread %d%s", target->tids[0], more);
	else
		snprintf(buf, size, "no task");
}

char *target_describe(const struct target *target, char *buf, size_t size)
{
	char list[128];

	switch (target->mode) {
	case TARGET_SYSTEM:
		snprintf(buf, size, "system-wide");
		break;
	case TARGET_CPUS:
		snprintf(buf, size, "CPU%s %s", target->cpus.nr == 1 ? "" : "s",
			 cpulist_format(&target->cpus, list, sizeof(list)));
		break;
	case TARGET_TASKS:
	case TARGET_THREADS:
		describe_tasks(target, buf, size);
		break;
	}
	return buf;
}

int target_cgroup_mount(char *path, size_t size)
{
	char *mounts, *line, *next;
	bool found = false, v1 = false;
	ssize_t len = sys_read_file_alloc("/proc/mounts", 1 << 20, &mounts);

	if (len < 0)
		return (int)len;
	for (line = mounts; line && !v1; line = next) {
		char where[PATH_MAX], type[32], options[512];

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (sscanf(line, "%*s %4095s %31s %511s", where, type,
			   options) != 3)
			continue;
		v1 = !strcmp(type, "cgroup") && strstr(options, "perf_event");
		if (!v1 && (found || strcmp(type, "cgroup2") != 0))
			continue;
		found = true;
		snprintf(path, size, "%s", where);
	}
	free(mounts);
	return found ? 0 : -ENOENT;
}

int target_open_cgroup(const char *name, struct err *err)
{
	char mount[PATH_MAX], path[2 * PATH_MAX];
	bool mounted = target_cgroup_mount(mount, sizeof(mount)) == 0;
	int fd = -1;

	if (!mounted && name[0] != '/')
		return err_set(err, -ENOENT,
			       "cgroup %s: no cgroup2 or perf_event hierarchy is mounted: mount -t cgroup2 none /sys/fs/cgroup",
			       name);
	snprintf(path, sizeof(path), "%s/%s", mounted ? mount : "", name);
	if (mounted)
		fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 && name[0] == '/')
		fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, -errno,
			       "cgroup %s: %s: give its path below the mount%s%s, or an absolute one",
			       name, strerror(errno), mounted ? " at " : "",
			       mounted ? mount : "");
	return fd;
}
