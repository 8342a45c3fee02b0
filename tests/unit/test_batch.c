/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sys.h"
#include "tests/unit/batch_rig.h"

enum { BIG_TICK = 100000 };

/* More than a pipe holds. */
static int format_big(const struct frame *frame,
		      const struct export_opts *opts,
		      struct export_state *state, FILE *out)
{
	(void)opts;
	(void)state;
	fprintf(out, "%*d\n", BIG_TICK - 1, (int)frame->tick);
	return 0;
}

static const struct export_format big = { .name = "big", .frame = format_big };

/* Run batch_run() and return its result. */
static int run(struct fake *f, const struct export_format *format, int fd,
	       double delay, size_t ticks, struct err *err)
{
	const struct batch_opts opts = {
		.fd = fd,
		.format = format,
		.export.hot = 5,
		.delay = delay,
		.ticks = ticks,
	};

	*err = (struct err){ 0 };
	return batch_run(&f->source, &opts, err);
}

static int run_piped(struct rig *rig, const struct export_format *format,
		     double delay, size_t ticks)
{
	return run(&rig->f, format, rig->fd[1], delay, ticks, &rig->err);
}

TEST(test_ticks)
{
	double start = sys_now();
	struct rig *rig = *state;
	char buf[256];

	assert_int_equal(run_piped(rig, &line, .02, 3), 0);
	/* the first tick comes after a delay; its rates are since the start */
	assert_true(sys_now() - start >= .059);
	assert_string_equal(contents(rig->fd[0], buf, sizeof(buf)),
			    "tick 1\ntick 2\ntick 3\n");
	/* finished before the last reading, which is exact then */
	assert_int_equal(rig->f.finished_at, 3);
	assert_int_equal(rig->f.reads, 4);
	assert_false(fcntl(rig->fd[1], F_GETFL) & O_NONBLOCK);
}

TEST(test_formats_go_on)
{
	struct rig *rig = *state;
	char buf[256];

	assert_int_equal(run_piped(rig, &stateful, .001, 2), 0);
	assert_string_equal(contents(rig->fd[0], buf, sizeof(buf)),
			    "5 rows, serial 0\n5 rows, serial 1\n");
}

TEST(test_target_ends)
{
	struct rig *rig = *state;
	char buf[256];

	rig->f.source.event_fd = eventfd(1, EFD_CLOEXEC);
	assert_int_equal(run_piped(rig, &line, 1000, 0), 0);
	assert_string_equal(contents(rig->fd[0], buf, sizeof(buf)), "tick 1\n");
	assert_int_equal(rig->f.finished_at, 1);
}

TEST(test_signal)
{
	struct rig *rig = *state;
	char byte;

	batch_prepare();
	raise(SIGINT);
	assert_int_equal(run_piped(rig, &line, 1000, 0), 128 + SIGINT);
	assert_int_equal(fcntl(rig->fd[0], F_SETFL, O_NONBLOCK), 0);
	assert_int_equal(read(rig->fd[0], &byte, 1), -1);
}

/*
 * Return in @said what is written to standard error while @rig runs a tick and
 * gets SIGUSR2.
 */
static void run_with_usr2(struct rig *rig, char *said, size_t size)
{
	struct ear ear;
	int ret;

	batch_prepare();
	raise(SIGUSR2);
	ear = listen_in();
	ret = run_piped(rig, &line, .05, 2);
	hear(&ear, said, size);
	assert_int_equal(ret, 0);
	assert_int_equal(rig->f.snapshots, 1);
	assert_int_equal(rig->f.reads, 3);
}

TEST(test_usr2_takes_a_snapshot)
{
	struct rig *rig = *state;
	char said[256];

	run_with_usr2(rig, said, sizeof(said));
	assert_string_equal(said, "");
}

TEST(test_usr2_is_refused)
{
	struct rig *rig = *state;
	char said[256];

	rig->f.refused = -EOPNOTSUPP;
	run_with_usr2(rig, said, sizeof(said));
	assert_string_equal(said, "rbtop: warning: no snapshot: "
				  "fake: refused\n");
}

/*
 * Send SIGTERM while the first tick is written, which is more than the pipe
 * holds.
 */
static void *terminate_soon(void *arg)
{
	struct rig *rig = arg;
	struct pollfd fd = { .fd = rig->fd[0], .events = POLLIN };

	poll(&fd, 1, -1);
	/* long enough for ticks to become due */
	usleep(100000);
	kill(getpid(), SIGTERM);
	return NULL;
}

TEST(test_signal_while_output_blocks)
{
	pthread_t thread;
	struct rig *rig = *state;

	batch_prepare();
	alarm(100);
	pthread_create(&thread, NULL, terminate_soon, rig);
	assert_int_equal(run_piped(rig, &big, .01, 0), 128 + SIGTERM);
	alarm(0);
	/* ticks that became due meanwhile were skipped */
	assert_int_equal(rig->f.reads, 2);
	pthread_join(thread, NULL);
}

/* Files written at the end have to be complete, so a signal does not end it. */
TEST(test_signal_at_the_end)
{
	struct rig *rig = *state;
	char buf[256];

	rig->f.signals = 1;
	assert_int_equal(run_piped(rig, &line, .001, 2), 128 + SIGTERM);
	assert_string_equal(contents(rig->fd[0], buf, sizeof(buf)),
			    "tick 1\ntick 2\n");
	/* no reader: it must not wait for that any more */
	alarm(100);
	assert_int_equal(run_piped(rig, &big, .001, 1), 128 + SIGTERM);
	alarm(0);
}

/*
 * Run in a child that gets @signals at the end; returns the signal that killed
 * it.
 */
static int killed_by(struct rig *rig, int signals, int later)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		rig->f.signals = signals;
		raise(SIGINT);
		run_piped(rig, &line, .001, 2);
		kill(getpid(), later);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* A second signal ends it at once. */
TEST(test_second_signal)
{
	struct rig *rig = *state;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	batch_prepare();
	/* the loop read the first one: the next comes after the loop */
	assert_int_equal(killed_by(rig, 0, SIGHUP), SIGHUP);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	signal(SIGINT, SIG_IGN);
	assert_int_equal(killed_by(rig, 0, SIGTERM), 0);
	assert_int_equal(killed_by(rig, 1, SIGHUP), SIGHUP);
	assert_int_equal(killed_by(rig, 2, 0), SIGTERM);
	signal(SIGINT, SIG_DFL);
}

/* Read everything slowly; returns how many bytes. */
static void *read_slowly(void *arg)
{
	int fd = *(int *)arg;
	static char buf[BIG_TICK / 5];
	size_t total = 0;
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		total += (size_t)n;
		usleep(5000);
	}
	return (void *)total;
}

static void check_slow_reader(int reading, int writing)
{
	pthread_t thread;
	struct fake f;
	struct err err;
	void *total;

	fake_open(&f);
	pthread_create(&thread, NULL, read_slowly, &reading);
	assert_int_equal(run(&f, &big, writing, .001, 3, &err), 0);
	close(writing);
	pthread_join(thread, &total);
	assert_int_equal((size_t)total, 3 * BIG_TICK);
	source_close(&f.source);
	close(reading);
}

TEST_WITH(test_slow_pipe, NULL, NULL)
{
	int fd[2];

	assert_int_equal(pipe(fd), 0);
	check_slow_reader(fd[0], fd[1]);
}

TEST_WITH(test_slow_socket, NULL, NULL)
{
	int fd[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	check_slow_reader(fd[0], fd[1]);
}

TEST(test_reader_gone)
{
	struct rig *rig = *state;

	signal(SIGPIPE, SIG_IGN);
	close(rig->fd[0]);
	rig->fd[0] = -1;
	assert_int_equal(run_piped(rig, &line, .001, 0), 128 + SIGPIPE);
}

TEST_WITH(test_full_device, NULL, NULL)
{
	int fd = open("/dev/full", O_WRONLY);
	struct fake f;
	struct err err;

	fake_open(&f);
	assert_int_equal(run(&f, &line, fd, .001, 0, &err), -ENOSPC);
	source_close(&f.source);
	close(fd);
}

TEST_WITH(test_closed_output, NULL, NULL)
{
	struct fake f;
	struct err err;

	fake_open(&f);
	assert_int_equal(run(&f, &line, 999, .001, 0, &err), -EBADF);
	source_close(&f.source);
}

TEST_WITH(test_file_goes_on, NULL, NULL)
{
	FILE *file = tmpfile();
	struct fake f;
	struct err err;
	char buf[64];

	assert_non_null(file);
	assert_int_equal(write(fileno(file), "head\n", 5), 5);
	fake_open(&f);
	assert_int_equal(run(&f, &line, fileno(file), .001, 1, &err), 0);
	lseek(fileno(file), 0, SEEK_SET);
	assert_string_equal(contents(fileno(file), buf, sizeof(buf)),
			    "head\ntick 1\n");
	source_close(&f.source);
	fclose(file);
}

TEST_WITH(test_failures, NULL, NULL)
{
	struct fake f;
	struct err err;
	int fd = open("/dev/null", O_WRONLY);

	fake_open(&f);
	f.fail_at = 1;
	assert_int_equal(run(&f, &line, fd, .001, 0, &err), -EIO);
	assert_string_equal(err.text, "fake: cannot read");
	source_close(&f.source);

	fake_open(&f);
	f.fail_at = 3;
	assert_int_equal(run(&f, &line, fd, .001, 0, &err), -EIO);
	source_close(&f.source);

	fake_open(&f);
	assert_int_equal(run(&f, &failing, fd, .001, 0, &err), -ENOMEM);
	assert_non_null(strstr(err.text, "failing"));
	source_close(&f.source);
	close(fd);
}

TEST_GROUP(batch, .each_setup = setup, .each_teardown = teardown);
