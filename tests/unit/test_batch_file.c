/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/batch_rig.h"

/* Ticks 2, 3 and 5 fail after half a line; tick 8 fails for good. */
static int format_flaky(const struct frame *frame,
			const struct export_opts *opts,
			struct export_state *state, FILE *out)
{
	(void)opts;
	(void)state;
	fprintf(out, "tick");
	if (frame->tick == 2 || frame->tick == 3 || frame->tick == 5)
		return -ENOMEM;
	if (frame->tick == 8)
		return -EILSEQ;
	fprintf(out, " %d\n", (int)frame->tick);
	return 0;
}

static const struct export_format flaky = {
	.name = "flaky", .frame = format_flaky,
};

/* The content of @path; "" if it does not exist. */
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

/* Run @test with the name of a file in a directory of its own. */
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

TEST(test_textfile)
{
	in_directory(check_textfile, *state);
}

/* export_opts.alone: the previous output is gone. */
static void check_alone(struct rig *rig, const char *dir, const char *path)
{
	char buf[64];

	(void)dir;
	assert_int_equal(run_textfile(rig, &stateful, path, 2), 0);
	assert_string_equal(file_contents(path, buf, sizeof(buf)),
			    "0 rows, serial 1, alone\n");
}

TEST(test_textfile_is_alone)
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

TEST(test_textfile_umask)
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

TEST(test_textfile_link)
{
	in_directory(check_link, *state);
}

/* A link to a link to a file that does not exist yet: the file is made. */
static void check_dangling_link(struct rig *rig, const char *dir,
				const char *path)
{
	char between[80], target[80], buf[64];
	struct stat st;

	snprintf(between, sizeof(between), "%s/between", dir);
	snprintf(target, sizeof(target), "%s/target", dir);
	assert_int_equal(symlink("between", path), 0);
	assert_int_equal(symlink(target, between), 0);
	assert_int_equal(run_textfile(rig, &line, path, 2), 0);
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(lstat(between, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(lstat(target, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_string_equal(file_contents(path, buf, sizeof(buf)), "tick 2\n");
	unlink(between);
	unlink(target);
}

TEST(test_textfile_dangling_link)
{
	in_directory(check_dangling_link, *state);
}

/* A link that leads nowhere is an error and is left as it is. */
static void check_hopeless_link(struct rig *rig, const char *dir,
				const char *path)
{
	char text[96];
	struct stat st;

	(void)dir;
	assert_int_equal(symlink("none/target", path), 0);
	assert_int_equal(run_textfile(rig, &line, path, 2), -ENOENT);
	assert_non_null(strstr(rig->err.text, "'none'"));
	unlink(path);
	assert_int_equal(symlink("rbtop.prom", path), 0);
	assert_int_equal(run_textfile(rig, &line, path, 2), -ELOOP);
	snprintf(text, sizeof(text), "--textfile: writing %s: ", path);
	assert_non_null(strstr(rig->err.text, text));
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(rig->f.reads, 0);
}

TEST(test_textfile_hopeless_link)
{
	in_directory(check_hopeless_link, *state);
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

TEST(test_textfile_failed_tick)
{
	in_directory(check_failed_tick, *state);
}

/* Run @ticks of a format that sometimes is out of memory. */
static int run_flaky(struct rig *rig, const char *path, size_t ticks,
		     char *said, size_t size)
{
	struct ear ear = listen_in();
	int ret = run_textfile(rig, &flaky, path, ticks);

	hear(&ear, said, size);
	return ret;
}

#define FLAKY_WARNING "rbtop: warning: writing a tick as flaky: Cannot " \
	"allocate " \
	"memory; the next tick tries again\n"

/*
 * One warning per series of failures; the previous file stays until a tick
 * succeeds.
 */
static void check_get_over(struct rig *rig, const char *dir, const char *path)
{
	char buf[64], said[512];

	(void)dir;
	assert_int_equal(run_flaky(rig, path, 6, said, sizeof(said)), 0);
	assert_string_equal(said, FLAKY_WARNING FLAKY_WARNING);
	assert_string_equal(file_contents(path, buf, sizeof(buf)), "tick 6\n");
	assert_int_equal(rig->f.reads, 7);
}

TEST(test_textfile_gets_over_failures)
{
	in_directory(check_get_over, *state);
}

static void check_failed_last(struct rig *rig, const char *dir,
			      const char *path)
{
	char buf[64], said[512];

	(void)dir;
	assert_int_equal(run_flaky(rig, path, 3, said, sizeof(said)), -ENOMEM);
	assert_string_equal(said, FLAKY_WARNING);
	assert_string_equal(file_contents(path, buf, sizeof(buf)), "tick 1\n");
}

TEST(test_textfile_failed_last)
{
	in_directory(check_failed_last, *state);
}

/* An error that would persist in the next tick ends the run. */
static void check_hopeless_tick(struct rig *rig, const char *dir,
				const char *path)
{
	char buf[64], said[512];

	(void)dir;
	assert_int_equal(run_flaky(rig, path, 9, said, sizeof(said)), -EILSEQ);
	assert_string_equal(said, FLAKY_WARNING FLAKY_WARNING);
	assert_string_equal(file_contents(path, buf, sizeof(buf)), "tick 7\n");
	assert_int_equal(rig->f.reads, 9);
}

TEST(test_textfile_hopeless_tick)
{
	in_directory(check_hopeless_tick, *state);
}

/*
 * A file that cannot be written is refused at once, not after the first delay.
 */
TEST(test_textfile_refused)
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

TEST_GROUP(batch_file, .each_setup = setup, .each_teardown = teardown);
