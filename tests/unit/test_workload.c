/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "perf/target/workload.h"

enum { PATIENCE_MS = 120000 };

static struct workload *prepare(const char *script)
{
	char *const argv[] = { "sh", "-c", (char *)script, NULL };
	struct err err = { 0 };
	struct workload *w = workload_prepare(argv, WORKLOAD_CAPTURE, NULL, &err);

	assert_non_null(w);
	return w;
}

static struct workload *start(const char *script)
{
	struct workload *w = prepare(script);
	struct err err = { 0 };

	assert_int_equal(workload_start(w, &err), 0);
	return w;
}

/* Wait for its end; returns the exit status. */
static int wait_end(struct workload *w)
{
	struct pollfd poll_fd = { .fd = workload_pidfd(w), .events = POLLIN };
	int status = -1;

	poll(&poll_fd, 1, PATIENCE_MS);
	assert_true(workload_ended(w, &status));
	return status;
}

static void read_all(struct workload *w, char *buf, size_t size)
{
	struct pollfd poll_fd = { .fd = workload_output_fd(w),
				  .events = POLLIN };
	size_t used = 0;
	ssize_t n;

	while (poll(&poll_fd, 1, PATIENCE_MS) == 1 &&
	       (n = read(poll_fd.fd, buf + used, size - 1 - used)) > 0)
		used += (size_t)n;
	buf[used] = '\0';
}

TEST(test_held)
{
	struct workload *w = prepare("echo ran");
	struct pollfd poll_fd = { .fd = workload_output_fd(w),
				  .events = POLLIN };
	int status;

	assert_int_equal(kill(workload_pid(w), 0), 0);
	assert_int_equal(poll(&poll_fd, 1, 100), 0);
	assert_false(workload_ended(w, &status));
	workload_free(w);
}

TEST(test_freed_while_held)
{
	struct workload *w = prepare("exit 0");
	pid_t pid = workload_pid(w);

	workload_free(w);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
}

TEST(test_output_and_status)
{
	struct workload *w = start("echo out; echo err >&2; exit 7");
	char buf[64];

	assert_true(fcntl(workload_output_fd(w), F_GETFL) & O_NONBLOCK);
	read_all(w, buf, sizeof(buf));
	assert_string_equal(buf, "out\nerr\n");
	assert_int_equal(wait_end(w), 7);
	workload_free(w);
}

TEST(test_stdin_is_null)
{
	struct workload *w = start("readlink /proc/self/fd/0");
	char buf[64];

	read_all(w, buf, sizeof(buf));
	assert_string_equal(buf, "/dev/null\n");
	workload_free(w);
}

TEST(test_signalled)
{
	struct workload *w = start("kill -9 $$");

	assert_int_equal(wait_end(w), 128 + SIGKILL);
	assert_int_equal(workload_signal(w), SIGKILL);
	workload_free(w);
}

/* An exit status above 128 is not a signal. */
TEST(test_large_status)
{
	struct workload *w = start("exit 130");

	assert_int_equal(wait_end(w), 130);
	assert_int_equal(workload_signal(w), 0);
	workload_free(w);
}

/*
 * The parent of rbtop may ignore SIGCHLD, with which there would be no status.
 */
TEST(test_status_without_sigchld)
{
	struct workload *w;

	signal(SIGCHLD, SIG_IGN);
	w = start("exit 7");
	assert_int_equal(wait_end(w), 7);
	workload_free(w);
}

TEST(test_cannot_run)
{
	char *const argv[] = { "/nonexistent/program", NULL };
	struct err err = { 0 };
	struct workload *w = workload_prepare(argv, WORKLOAD_TO_STDERR, NULL, &err);
	int status = 0;

	assert_non_null(w);
	assert_int_equal(workload_output_fd(w), -1);
	assert_int_equal(workload_start(w, &err), -ENOENT);
	assert_string_equal(err.text, "cannot run '/nonexistent/program': "
				      "No such file or directory");
	assert_int_equal(err_exit_status(&err), 1);
	assert_true(workload_ended(w, &status));
	assert_int_equal(status, 127);
	workload_free(w);
}

TEST(test_name_is_sanitized)
{
	char *const argv[] = { "a\033[2Jb", NULL };
	struct workload *w = workload_prepare(argv, WORKLOAD_CAPTURE, NULL, NULL);

	assert_string_equal(workload_name(w), "a?[2Jb");
	workload_free(w);
}

/*
 * Signals that rbtop ignores are not inherited as ignored; those ignored at its
 * start are.
 */
TEST(test_signals)
{
	unsigned long blocked, ignored;
	struct workload *w;
	char buf[128];

	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	w = start("grep -E '^Sig(Blk|Ign)' /proc/self/status");
	signal(SIGPIPE, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	read_all(w, buf, sizeof(buf));
	assert_int_equal(sscanf(buf, "SigBlk: %lx SigIgn: %lx", &blocked,
				&ignored), 2);
	assert_int_equal(blocked, 0);
	assert_false(ignored & 1ul << (SIGPIPE - 1));
	assert_true(ignored & 1ul << (SIGHUP - 1));
	workload_free(w);
}

/* A workload that ignores SIGTERM does not block rbtop. */
TEST(test_free_kills)
{
	struct workload *w = start("trap '' TERM; echo up; sleep 100");
	pid_t pid = workload_pid(w);
	char buf[8];
	struct pollfd poll_fd = { .fd = workload_output_fd(w),
				  .events = POLLIN };

	assert_int_equal(poll(&poll_fd, 1, PATIENCE_MS), 1);
	assert_true(read(poll_fd.fd, buf, sizeof(buf)) > 0);
	workload_free(w);
	assert_int_equal(kill(pid, 0), -1);
	workload_free(NULL);
}

TEST_GROUP(workload);
