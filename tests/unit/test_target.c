/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "perf/target/target.h"

static void expect_text(const struct target *target, const char *want)
{
	char buf[80];

	assert_string_equal(target_describe(target, buf, sizeof(buf)), want);
}

TEST(test_describe)
{
	struct target t = { .mode = TARGET_SYSTEM };
	pid_t two[] = { 42, 43 };
	struct err err;

	expect_text(&t, "system-wide");
	t.mode = TARGET_CPUS;
	assert_int_equal(cpulist_parse("0-3,7", &t.cpus, &err), 0);
	expect_text(&t, "CPUs 0-3,7");
	cpulist_free(&t.cpus);
	assert_int_equal(cpulist_parse("5", &t.cpus, &err), 0);
	expect_text(&t, "CPU 5");
	cpulist_free(&t.cpus);

	t = (struct target){ .mode = TARGET_TASKS, .pids = two, .nr_pids = 1 };
	expect_text(&t, "pid 42");
	t.inherit = true;
	expect_text(&t, "pid 42 and what it starts");
	t.nr_pids = 2;
	expect_text(&t, "2 tasks and what they start");
	t = (struct target){ .mode = TARGET_THREADS, .tids = two,
			     .nr_tids = 1 };
	expect_text(&t, "thread 42, a ring per thread");
}

/* Any user may name its own tasks, but rbtop itself is left out. */
TEST(test_user)
{
	struct target t = { .mode = TARGET_TASKS, .by_uid = true };
	struct target_map map;
	struct err err = { 0 };
	pid_t child = fork();
	bool found = false;

	if (child == 0)
		for (;;)
			pause();
	t.uid = getuid();
	assert_int_equal(target_resolve(&t, &map, &err), 0);
	for (size_t i = 0; i < map.nr_tids; i++) {
		assert_int_not_equal(map.tids[i], getpid());
		found |= map.tids[i] == child;
	}
	assert_true(found);
	target_free_map(&map);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	t.uid = 4000000000;
	expect_text(&t, "tasks of uid 4000000000");
	assert_int_equal(target_resolve(&t, &map, &err), -ESRCH);
	assert_string_equal(err.text,
			    "-u 4000000000: this user has no processes");
}

TEST(test_describe_is_cut)
{
	struct target t = { .mode = TARGET_SYSTEM };
	char buf[7];

	assert_string_equal(target_describe(&t, buf, sizeof(buf)), "system");
}

TEST(test_cpus_must_be_online)
{
	struct target t = { .mode = TARGET_CPUS };
	struct target_map map;
	struct err err = { 0 };

	assert_int_equal(cpulist_parse("0,60000", &t.cpus, &err), 0);
	assert_int_equal(target_resolve(&t, &map, &err), -ENODEV);
	assert_int_equal(err_exit_status(&err), 1);
	assert_non_null(strstr(err.text, "CPU 60000 is offline or does not exist"));
	assert_int_equal(map.cpus.nr, 0);
	target_free(&t);
}

TEST(test_cpus_kept)
{
	struct target t = { .mode = TARGET_CPUS };
	struct target_map map;
	struct err err = { 0 };

	assert_int_equal(cpulist_online(&t.cpus, &err), 0);
	t.cpus.nr = 1;
	assert_int_equal(target_resolve(&t, &map, &err), 0);
	assert_int_equal(map.cpus.nr, 1);
	assert_int_equal(map.cpus.cpus[0], t.cpus.cpus[0]);
	assert_int_equal(map.nr_tids, 0);
	target_free_map(&map);
	target_free(&t);
}

TEST(test_online_unreadable)
{
	struct target t = { .mode = TARGET_SYSTEM };
	struct target_map map;
	struct err err = { 0 };

	sys_fail_at(SYS_OPEN_FILE, 1, EACCES);
	assert_int_equal(target_resolve(&t, &map, &err), -EACCES);
	assert_true(err.text[0]);
}

static void *wait_for_gate(void *arg)
{
	pthread_mutex_lock(arg);
	pthread_mutex_unlock(arg);
	return NULL;
}

/* -p stands for all threads; naming one of them again adds none. */
TEST(test_pid_is_its_threads)
{
	pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
	struct target t = { .mode = TARGET_THREADS };
	pid_t self = getpid();
	struct target_map map;
	struct err err = { 0 };
	pthread_t thread;

	pthread_mutex_lock(&gate);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_gate, &gate),
			 0);
	t.pids = t.tids = &self;
	t.nr_pids = t.nr_tids = 1;
	assert_int_equal(target_resolve(&t, &map, &err), 0);
	assert_int_equal(map.nr_tids, 2);
	assert_int_equal(map.tids[0], self);
	assert_int_not_equal(map.tids[1], self);
	assert_int_equal(map.cpus.nr, 0);
	target_free_map(&map);
	pthread_mutex_unlock(&gate);
	pthread_join(thread, NULL);
}

static void expect_gone(struct target *t, const char *what)
{
	struct target_map map;
	struct err err = { 0 };

	assert_int_equal(target_resolve(t, &map, &err), -ESRCH);
	assert_int_equal(err_exit_status(&err), 1);
	assert_non_null(strstr(err.text, what));
	assert_null(map.tids);
}

TEST(test_dead_tasks)
{
	pid_t dead = 0x3fffffff;	/* above any pid_max */
	struct target t = { .mode = TARGET_THREADS, .pids = &dead,
			    .nr_pids = 1 };

	expect_gone(&t, "no such process");
	t = (struct target){ .mode = TARGET_THREADS, .tids = &dead,
			     .nr_tids = 1 };
	expect_gone(&t, "no such thread");
}

TEST(test_nothing_to_watch)
{
	struct target t = { .mode = TARGET_TASKS };
	struct target_map map;
	struct err err = { 0 };

	assert_int_equal(target_resolve(&t, &map, &err), -EINVAL);
	assert_int_equal(err_exit_status(&err), 2);
}

TEST(test_cgroup)
{
	struct err err = { 0 };
	int fd;

	fd = target_open_cgroup("/", &err);
	assert_true(fd >= 0);
	sys_close(fd);
	assert_int_equal(target_open_cgroup("/nonexistent/group", &err),
			 -ENOENT);
	assert_non_null(strstr(err.text, "cgroup /nonexistent/group"));
	assert_int_equal(target_open_cgroup("/proc/self/status", &err),
			 -ENOTDIR);
	sys_fail_at(SYS_OPEN_FILE, 1, EACCES);
	assert_int_equal(target_open_cgroup("a", &err), -ENOENT);
	assert_non_null(strstr(err.text, "mount -t cgroup2"));
}

TEST_GROUP(target);
