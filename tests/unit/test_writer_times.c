/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace/recording/recording.h"

#define MS UINT64_C(1000000)

static enum record_cause cause(uint64_t ran, uint64_t waited, uint64_t blocked)
{
	return writer_times_cause(&(struct writer_spent){
		ran * MS, waited * MS, blocked * MS });
}

TEST(test_rule)
{
	assert_int_equal(cause(0, 0, 0), RECORD_FAST);
	assert_int_equal(cause(900, 50, 50), RECORD_FAST);
	assert_int_equal(cause(100, 800, 100), RECORD_NO_CPU);
	assert_int_equal(cause(100, 100, 800), RECORD_SLOW_DISK);
	assert_int_equal(cause(100, 450, 450), RECORD_NO_CPU);
	/* too short to be measured */
	assert_int_equal(cause(0, 1, 1), RECORD_FAST);
}

/* Whether one of several short passes does not wait for a disk. */
static bool one_is_quick(struct writer_times *w)
{
	for (int i = 0; i < 20; i++) {
		writer_times_begin(w);
		if (writer_times_end(w) != RECORD_SLOW_DISK)
			return true;
	}
	return false;
}

/*
 * A thread may have to wait for a CPU at any time; waiting caused by a
 * hypervisor cannot be distinguished from waiting for a disk.
 */
TEST(test_a_slow_disk)
{
	struct writer_times w;

	writer_times_open(&w);
	usleep(50000);		/* between passes: not the disk */
	assert_true(one_is_quick(&w));
	writer_times_begin(&w);
	usleep(1000000);	/* as blocked as in a write */
	assert_int_equal(writer_times_end(&w), RECORD_SLOW_DISK);
	/* data written while that pass was blocked is missed in the next one */
	writer_times_begin(&w);
	assert_int_equal(writer_times_end(&w), RECORD_SLOW_DISK);
	assert_true(one_is_quick(&w));
	writer_times_close(&w);
}

static void spin(double seconds)
{
	double until = sys_now() + seconds;

	while (sys_now() < until)
		;
}

/* A pass of a thread that shares its CPU with others. */
static int share_a_cpu(void)
{
	struct writer_times w;
	cpu_set_t one;
	pid_t others[4];
	int ret = 1;

	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		return 77;
	for (int i = 0; i < 4; i++) {
		others[i] = fork();
		if (others[i] == 0) {
			spin(100);
			_exit(0);
		}
	}
	writer_times_open(&w);
	/* time taken by a hypervisor is in no account of this CPU */
	for (int i = 0; i < 20 && ret; i++) {
		writer_times_begin(&w);
		spin(0.5);
		ret = writer_times_end(&w) != RECORD_NO_CPU;
	}
	for (int i = 0; i < 4; i++) {
		kill(others[i], SIGKILL);
		waitpid(others[i], NULL, 0);
	}
	return ret;
}

TEST(test_no_cpu)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(share_a_cpu());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

TEST(test_unknown)
{
	struct writer_times w;

	sys_fail_at(SYS_OPEN_FILE, 1, ENOENT);
	writer_times_open(&w);
	writer_times_begin(&w);
	usleep(20000);
	assert_int_equal(writer_times_end(&w), RECORD_FAST);
	writer_times_close(&w);
}

TEST_GROUP(writer_times);
