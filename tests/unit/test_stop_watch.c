/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/thread/ring_thread.h"

#define MS UINT64_C(1000000)

static uint64_t between(uint64_t passed, uint64_t ran, uint64_t waited)
{
	const struct sys_thread_times from = { 500 * MS, 70 * MS, 30 * MS, 1 };
	const struct sys_thread_times to = {
		from.now_ns + passed, from.ran_ns + ran,
		from.waited_ns + waited, 2,
	};

	return stop_watch_between(&from, &to, 100 * MS);
}

TEST(test_rule)
{
	assert_int_equal(between(4000 * MS, 10 * MS, 5 * MS), 3885 * MS);
	/* asleep until its timer; busy; without CPU: none is a stop */
	assert_int_equal(between(100 * MS, 0, 0), 0);
	assert_int_equal(between(4000 * MS, 4000 * MS, 0), 0);
	assert_int_equal(between(4000 * MS, 1 * MS, 3950 * MS), 0);
	/* a long page fault */
	assert_int_equal(between(340 * MS, 0, 0), 0);
	assert_int_equal(between(350 * MS, 0, 0), 250 * MS);
	/* a clock of the scheduler that is ahead */
	assert_int_equal(between(100 * MS, 300 * MS, 0), 0);
}

/* Without the scheduler's figures nothing is known. */
TEST(test_unknown)
{
	struct stop_watch watch;

	sys_fail_at(SYS_OPEN_FILE, 1, ENOENT);
	stop_watch_begin(&watch, 0.1);
	assert_int_equal(watch.fd, -1);
	stop_watch_tick(&watch);
	stop_watch_check(&watch);
	assert_int_equal(watch.total_ns, 0);
	stop_watch_end(&watch);
	/* nor if no timer wakes the thread */
	stop_watch_begin(&watch, 0);
	assert_int_equal(watch.fd, -1);
}

/*
 * A process that is stopped for 0.6 s; its exit status has the stop that it
 * saw.  A hypervisor that takes the CPU away may add to that.
 */
static int child(int ready)
{
	struct stop_watch watch;

	stop_watch_begin(&watch, 0.05);
	if (watch.fd < 0 || write(ready, "", 1) != 1)
		return 1;
	for (int i = 0; i < 12000 && watch.total_ns < 400 * MS; i++) {
		usleep(10000);
		stop_watch_check(&watch);
		if (i % 5 == 4)
			stop_watch_tick(&watch);
	}
	if (watch.total_ns < 400 * MS || watch.total_ns > 60000 * MS)
		return 2;
	return 0;
}

TEST(test_a_stopped_process)
{
	int ready[2], status;
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0)
		_exit(child(ready[1]));
	assert_int_equal(read(ready[0], &byte, 1), 1);
	kill(pid, SIGSTOP);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
	usleep(600000);
	kill(pid, SIGCONT);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	close(ready[0]);
	close(ready[1]);
}

TEST_GROUP(stop_watch);
