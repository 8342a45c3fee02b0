/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "batch.h"
#include "export/export.h"
#include "source/source.h"

enum { BIG_TICK = 100000 };

struct fake {
	struct source source;
	int reads;
	int fail_at;		/* the read that fails */
	int finished_at;	/* reads there had been; -1: not finished */
	int snapshots;		/* that were asked for */
	int refused;		/* what they are refused with */
};

static int fake_read(struct source *s, struct reading *r, struct err *err)
{
	struct fake *f = (struct fake *)s;

	if (++f->reads == f->fail_at)
		return err_set(err, -EIO, "fake: cannot read");
	r->mono = r->wall = f->reads;
	return 0;
}

static int fake_request(struct source *s, const struct request *rq,
			struct err *err)
{
	struct fake *f = (struct fake *)s;

	assert_int_equal(rq->kind, REQUEST_SNAPSHOT);
	assert_int_equal(rq->nr_rings, 0);
	assert_string_equal(rq->text, "SIGUSR2");
	f->snapshots++;
	return f->refused ? err_set(err, f->refused, "fake: refused") : 0;
}

static void fake_finish(struct source *s)
{
	((struct fake *)s)->finished_at = ((struct fake *)s)->reads;
}

static void fake_close(struct source *s)
{
	if (s->event_fd >= 0)
		close(s->event_fd);
}

static const struct source_ops ops = {
	.name = "fake",
	.read = fake_read,
	.request = fake_request,
	.finish = fake_finish,
	.close = fake_close,
};

static int format_line(const struct frame *frame,
		       const struct export_opts *opts,
		       struct export_state *state, FILE *out)
{
	(void)opts;
	(void)state;
	fprintf(out, "tick %d\n", (int)frame->tick);
	return 0;
}

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

static int format_failing(const struct frame *frame,
			  const struct export_opts *opts,
			  struct export_state *state, FILE *out)
{
	(void)frame;
	(void)opts;
	(void)state;
	(void)out;
	return -ENOMEM;
}

/* What it was asked for, and that it is asked on where it was. */
static int format_state(const struct frame *frame,
			const struct export_opts *opts,
			struct export_state *state, FILE *out)
{
	(void)frame;
	fprintf(out, "%zu rows, serial %d%s\n", opts->hot,
		(int)state->next++, opts->alone ? ", alone" : "");
	return 0;
}

static const struct export_format line = {
	.name = "line", .frame = format_line,
};
static const struct export_format big = { .name = "big", .frame = format_big };
static const struct export_format failing = {
	.name = "failing", .frame = format_failing,
};
static const struct export_format stateful = {
	.name = "state", .frame = format_state,
};

static void fake_open(struct fake *f)
{
	*f = (struct fake){ .finished_at = -1 };
	assert_int_equal(source_init(&f->source, &ops), 0);
}

/* Run, and return what batch_run did. */
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

/* A source, and a pipe to print to. */
struct rig {
	struct fake f;
	struct err err;
	int fd[2];
};

static int setup(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	assert_non_null(rig);
	assert_int_equal(pipe(rig->fd), 0);
	fake_open(&rig->f);
	*state = rig;
	return 0;
}

static int teardown(void **state)
{
	struct rig *rig = *state;

	source_close(&rig->f.source);
	close(rig->fd[0]);
	close(rig->fd[1]);
	free(rig);
	return 0;
}

static int run_piped(struct rig *rig, const struct export_format *format,
		     double delay, size_t ticks)
{
	return run(&rig->f, format, rig->fd[1], delay, ticks, &rig->err);
}

/* What is in a pipe or file now. */
static char *contents(int fd, char *buf, size_t size)
{
	ssize_t n = read(fd, buf, size - 1);

	buf[n > 0 ? n : 0] = '\0';
	return buf;
}

static void test_ticks(void **state)
{
	double start = sys_now();
	struct rig *rig = *state;
	char buf[256];

	assert_int_equal(run_piped(rig, &line, .02, 3), 0);
	/* the first comes after a delay, and its rates count from the start */
	assert_true(sys_now() - start >= .059);
	assert_string_equal(contents(rig->fd[0], buf, sizeof(buf)),
			    "tick 1\ntick 2\ntick 3\n");
	/* stopped before the last reading, so that this one is exact */
	assert_int_equal(rig->f.finished_at, 3);
	assert_int_equal(rig->f.reads, 4);
	assert_false(fcntl(rig->fd[1], F_GETFL) & O_NONBLOCK);
}

static void test_formats_go_on(void **state)
{
	struct rig *rig = *state;
	char buf[256];

	assert_int_equal(run_piped(rig, &stateful, .001, 2), 0);
	assert_string_equal(contents(rig->fd[0], buf, sizeof(buf)),
			    "5 rows, serial 0\n5 rows, serial 1\n");
}

static void test_target_ends(void **state)
{
	struct rig *rig = *state;
	char buf[256];

	rig->f.source.event_fd = eventfd(1, EFD_CLOEXEC);
	assert_int_equal(run_piped(rig, &line, 1000, 0), 0);
	assert_string_equal(contents(rig->fd[0], buf, sizeof(buf)), "tick 1\n");
	assert_int_equal(rig->f.finished_at, 1);
}

static void test_signal(void **state)
{
	struct rig *rig = *state;
	char byte;

	batch_prepare();
	raise(SIGINT);
	assert_int_equal(run_piped(rig, &line, 1000, 0), 128 + SIGINT);
	assert_int_equal(fcntl(rig->fd[0], F_SETFL, O_NONBLOCK), 0);
	assert_int_equal(read(rig->fd[0], &byte, 1), -1);
}

/* What goes to standard error while @rig runs a tick and gets SIGUSR2. */
static void run_with_usr2(struct rig *rig, char *said, size_t size)
{
	FILE *file = tmpfile();
	int old = dup(STDERR_FILENO);

	assert_non_null(file);
	batch_prepare();
	raise(SIGUSR2);
	dup2(fileno(file), STDERR_FILENO);
	assert_int_equal(run_piped(rig, &line, .05, 2), 0);
	dup2(old, STDERR_FILENO);
	close(old);
	lseek(fileno(file), 0, SEEK_SET);
	contents(fileno(file), said, size);
	fclose(file);
	assert_int_equal(rig->f.snapshots, 1);
	assert_int_equal(rig->f.reads, 3);
}

static void test_usr2_takes_a_snapshot(void **state)
{
	struct rig *rig = *state;
	char said[256];

	run_with_usr2(rig, said, sizeof(said));
	assert_string_equal(said, "");
}

static void test_usr2_is_refused(void **state)
{
	struct rig *rig = *state;
	char said[256];

	rig->f.refused = -EOPNOTSUPP;
	run_with_usr2(rig, said, sizeof(said));
	assert_string_equal(said, "rbtop: warning: no snapshot: "
				  "fake: refused\n");
}

static void test_usr2_while_one_is_taken(void **state)
{
	struct rig *rig = *state;
	char said[256];

	rig->f.refused = -EBUSY;
	run_with_usr2(rig, said, sizeof(said));
	assert_string_equal(said, "");
}

static void *terminate_soon(void *arg)
{
	(void)arg;
	usleep(100000);
	kill(getpid(), SIGTERM);
	return NULL;
}

static void test_signal_while_nobody_reads(void **state)
{
	double start = sys_now();
	pthread_t thread;
	struct rig *rig = *state;

	batch_prepare();
	pthread_create(&thread, NULL, terminate_soon, NULL);
	assert_int_equal(run_piped(rig, &big, .01, 0), 128 + SIGTERM);
	assert_true(sys_now() - start < 5);
	/* ticks that fell due meanwhile were left out */
	assert_int_equal(rig->f.reads, 2);
	pthread_join(thread, NULL);
}

/* Takes all that comes, slowly; returns how many bytes. */
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

static void test_slow_pipe(void **state)
{
	int fd[2];

	(void)state;
	assert_int_equal(pipe(fd), 0);
	check_slow_reader(fd[0], fd[1]);
}

static void test_slow_socket(void **state)
{
	int fd[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	check_slow_reader(fd[0], fd[1]);
}

static void test_reader_gone(void **state)
{
	struct rig *rig = *state;

	signal(SIGPIPE, SIG_IGN);
	close(rig->fd[0]);
	rig->fd[0] = -1;
	assert_int_equal(run_piped(rig, &line, .001, 0), 128 + SIGPIPE);
}

static void test_full_device(void **state)
{
	int fd = open("/dev/full", O_WRONLY);
	struct fake f;
	struct err err;

	(void)state;
	fake_open(&f);
	assert_int_equal(run(&f, &line, fd, .001, 0, &err), -ENOSPC);
	source_close(&f.source);
	close(fd);
}

static void test_closed_output(void **state)
{
	struct fake f;
	struct err err;

	(void)state;
	fake_open(&f);
	assert_int_equal(run(&f, &line, 999, .001, 0, &err), -EBADF);
	source_close(&f.source);
}

static void test_file_goes_on(void **state)
{
	FILE *file = tmpfile();
	struct fake f;
	struct err err;
	char buf[64];

	(void)state;
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

/* What @path holds; "" where it is not there. */
static char *file_contents(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY);

	buf[0] = '\0';
	if (fd >= 0)
		contents(fd, buf, size);
	close(fd);
	return buf;
}

static int run_textfile(struct rig *rig, const struct export_format *format,
			const char *path, size_t ticks)
{
	const struct batch_opts opts = {
		.fd = rig->fd[1],
		.textfile = path,
		.format = format,
		.delay = .001,
		.ticks = ticks,
	};

	rig->err = (struct err){ 0 };
	return batch_run(&rig->f.source, &opts, &rig->err);
}

/* Runs @test on the name of a file in a directory of its own. */
static void in_directory(void (*test)(struct rig *rig, const char *dir,
				      const char *path), struct rig *rig)
{
	char dir[] = "/tmp/rbtop-test-batch.XXXXXX", path[64];

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/rbtop.prom", dir);
	test(rig, dir, path);
	unlink(path);
	/* nothing else is left in it */
	assert_int_equal(rmdir(dir), 0);
}

static void check_textfile(struct rig *rig, const char *dir, const char *path)
{
	struct stat st;
	char buf[64];

	(void)dir;
	umask(022);
	assert_int_equal(run_textfile(rig, &line, path, 3), 0);
	assert_string_equal(file_contents(path, buf, sizeof(buf)), "tick 3\n");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
	/* standard output stays empty */
	assert_int_equal(fcntl(rig->fd[0], F_SETFL, O_NONBLOCK), 0);
	assert_int_equal(read(rig->fd[0], buf, 1), -1);
}

static void test_textfile(void **state)
{
	in_directory(check_textfile, *state);
}

/* Formats know that what they wrote before is gone. */
static void check_alone(struct rig *rig, const char *dir, const char *path)
{
	char buf[64];

	(void)dir;
	assert_int_equal(run_textfile(rig, &stateful, path, 2), 0);
	assert_string_equal(file_contents(path, buf, sizeof(buf)),
			    "0 rows, serial 1, alone\n");
}

static void test_textfile_is_alone(void **state)
{
	in_directory(check_alone, *state);
}

static void check_umask(struct rig *rig, const char *dir, const char *path)
{
	mode_t old = umask(077);
	struct stat st;

	(void)dir;
	assert_int_equal(run_textfile(rig, &line, path, 1), 0);
	umask(old);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static void test_textfile_umask(void **state)
{
	in_directory(check_umask, *state);
}

static void check_link(struct rig *rig, const char *dir, const char *path)
{
	char target[80], buf[64];
	struct stat st;

	snprintf(target, sizeof(target), "%s/target", dir);
	close(open(target, O_WRONLY | O_CREAT, 0600));
	assert_int_equal(symlink(target, path), 0);
	assert_int_equal(run_textfile(rig, &line, path, 2), 0);
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_string_equal(file_contents(target, buf, sizeof(buf)),
			    "tick 2\n");
	unlink(target);
}

static void test_textfile_link(void **state)
{
	in_directory(check_link, *state);
}

static void check_failed_tick(struct rig *rig, const char *dir,
			      const char *path)
{
	char buf[64];

	(void)dir;
	assert_int_equal(run_textfile(rig, &line, path, 1), 0);
	assert_int_equal(run_textfile(rig, &failing, path, 1), -ENOMEM);
	assert_string_equal(file_contents(path, buf, sizeof(buf)), "tick 1\n");
}

static void test_textfile_failed_tick(void **state)
{
	in_directory(check_failed_tick, *state);
}

/* At once, rather than after the first delay. */
static void test_textfile_refused(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(run_textfile(rig, &line, "/dev/null", 1), -EEXIST);
	assert_non_null(strstr(rig->err.text, "/dev/null: not a regular"));
	assert_int_equal(run_textfile(rig, &line, "/tmp", 1), -EEXIST);
	assert_int_equal(run_textfile(rig, &line, "/nonexistent/x", 1),
			 -ENOENT);
	assert_non_null(strstr(rig->err.text, "--textfile: writing "
					      "/nonexistent/x: "));
	assert_int_equal(rig->f.reads, 0);
}

static void test_failures(void **state)
{
	struct fake f;
	struct err err;
	int fd = open("/dev/null", O_WRONLY);

	(void)state;
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

#define PIPE_TEST(name) \
	cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PIPE_TEST(test_ticks),
		PIPE_TEST(test_formats_go_on),
		PIPE_TEST(test_target_ends),
		PIPE_TEST(test_signal),
		PIPE_TEST(test_usr2_takes_a_snapshot),
		PIPE_TEST(test_usr2_is_refused),
		PIPE_TEST(test_usr2_while_one_is_taken),
		PIPE_TEST(test_signal_while_nobody_reads),
		cmocka_unit_test(test_slow_pipe),
		cmocka_unit_test(test_slow_socket),
		PIPE_TEST(test_reader_gone),
		cmocka_unit_test(test_full_device),
		cmocka_unit_test(test_closed_output),
		cmocka_unit_test(test_file_goes_on),
		PIPE_TEST(test_textfile),
		PIPE_TEST(test_textfile_is_alone),
		PIPE_TEST(test_textfile_umask),
		PIPE_TEST(test_textfile_link),
		PIPE_TEST(test_textfile_failed_tick),
		PIPE_TEST(test_textfile_refused),
		cmocka_unit_test(test_failures),
	};

	return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}
