/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hold_override.h"
#include "new_file_rig.h"

ON_BOTH(test_whole)
{
	struct err err = { 0 };
	struct new_file *file = open_file(path, 0, &err);
	struct stat st;

	assert_non_null(file);
	fputs("all of it\n", new_file_stream(file));
	fflush(new_file_stream(file));
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(new_file_commit(file, false, &err), 0);
	assert_content(path, "all of it\n");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(entries(), 1);
}

ON_BOTH(test_replace)
{
	struct err err = { 0 };

	assert_int_equal(write_file("one", false, &err), 0);
	assert_int_equal(write_file("two", false, &err), -EEXIST);
	assert_non_null(strstr(err.text, path));
	assert_content(path, "one");
	assert_int_equal(write_file("three", true, &err), 0);
	assert_content(path, "three");
	assert_int_equal(entries(), 1);
}

/* A link of that name is replaced, not followed. */
ON_BOTH(test_link)
{
	struct err err = { 0 };
	FILE *out = fopen(other, "w");
	struct stat st;

	assert_non_null(out);
	fputs("precious", out);
	fclose(out);
	assert_int_equal(symlink(other, path), 0);
	assert_int_equal(write_file("new", false, &err), -EEXIST);
	assert_int_equal(write_file("new", true, &err), 0);
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_content(other, "precious");
}

ON_BOTH(test_cancel)
{
	struct new_file *file = open_file(path, 0, NULL);

	assert_non_null(file);
	fputs("nothing", new_file_stream(file));
	assert_int_equal(entries(), no_unnamed);
	new_file_cancel(file);
	new_file_cancel(NULL);
	assert_int_equal(entries(), 0);
}

ON_BOTH(test_no_directory)
{
	struct err err = { 0 };

	assert_null(open_file("/nowhere/at/all", 0, &err));
	assert_int_equal(err.code, -ENOENT);
	assert_string_equal(err.text, "writing /nowhere/at/all: "
			    "No such file or directory");
}

/* A disk that fills up, made by the limit of a file's size. */
ON_BOTH(test_half_written)
{
	const struct rlimit small = { 4096, RLIM_INFINITY };
	struct rlimit before;
	struct err err = { 0 };
	struct new_file *file;

	getrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(write_file("old", false, &err), 0);
	file = open_file(path, 0, &err);
	assert_non_null(file);
	setrlimit(RLIMIT_FSIZE, &small);
	for (int i = 0; i < 10000; i++)
		fputs("0123456789", new_file_stream(file));
	assert_int_equal(new_file_error(file), -EFBIG);
	assert_int_equal(new_file_commit(file, true, &err), -EFBIG);
	assert_non_null(strstr(err.text, "File too large"));
	setrlimit(RLIMIT_FSIZE, &before);
	assert_content(path, "old");
	assert_int_equal(entries(), 1);
}

/* The beginning of a file may be written last. */
ON_BOTH(test_seek)
{
	struct err err = { 0 };
	struct new_file *file = open_file(path, 0, &err);
	FILE *out = new_file_stream(file);

	fputs("????, the end", out);
	assert_int_equal(fseek(out, 0, SEEK_SET), 0);
	fputs("head", out);
	assert_int_equal(fseek(out, 0, SEEK_END), 0);
	assert_int_equal(ftell(out), 13);
	fputs(".", out);
	assert_int_equal(new_file_commit(file, false, &err), 0);
	assert_content(path, "head, the end.");
}

static int count_pieces(void *ctx)
{
	int *left = ctx;

	return (*left)-- > 0 ? 0 : -ECANCELED;
}

/* Cancelled in the middle of a long write. */
ON_BOTH(test_between)
{
	static const char zeros[4 << 20];
	struct err err = { 0 };
	struct new_file *file = open_file(path, 0, &err);
	int left = 2;

	new_file_between(file, count_pieces, &left);
	fwrite(zeros, 1, sizeof(zeros), new_file_stream(file));
	assert_int_equal(new_file_error(file), -ECANCELED);
	assert_true(left < 0);
	assert_true(new_file_room(file) > 0);
	assert_int_equal(new_file_commit(file, false, &err), -ECANCELED);
	assert_int_equal(entries(), 0);
}

/* Cancelled when all is written but the name. */
ON_BOTH(test_between_commit)
{
	struct err err = { 0 };
	struct new_file *file = open_file(path, 0, &err);
	int left = 1;

	new_file_between(file, count_pieces, &left);
	fputs("all of it", new_file_stream(file));
	fflush(new_file_stream(file));
	assert_int_equal(left, 0);
	assert_int_equal(new_file_error(file), 0);
	assert_int_equal(new_file_commit(file, false, &err), -ECANCELED);
	assert_int_equal(entries(), 0);
}

/* As root in another user's directory: files made there can be removed. */
ON_BOTH(test_remove)
{
	struct err err = { 0 };
	int made, refused, removed;

	assert_int_equal(new_file_remove(path), -ENOENT);
	if (chown(dir, 65534, (gid_t)-1) < 0)
		skip();
	hold_override(false);
	made = write_file("one", false, &err);
	refused = unlink(path);
	removed = new_file_remove(path);
	hold_override(true);
	assert_int_equal(chown(dir, 0, (gid_t)-1), 0);
	assert_int_equal(made, 0);
	assert_int_equal(refused, -1);
	assert_int_equal(removed, 0);
	assert_int_equal(entries(), 0);
}

static void commit_unique(const char *want)
{
	struct err err = { 0 };
	struct new_file *file = open_file(path, 0, &err);
	char name[300];

	fputs(want, new_file_stream(file));
	assert_int_equal(new_file_commit_unique(file, name, sizeof(name),
						&err), 0);
	assert_string_equal(name + strlen(dir) + 1, want);
	assert_content(name, want);
}

/* If the name was taken meanwhile, the file gets another one. */
ON_BOTH(test_unique_name)
{
	char name[300];

	snprintf(path, sizeof(path), "%s/a.b.data", dir);
	commit_unique("a.b.data");
	commit_unique("a.b-1.data");
	commit_unique("a.b-2.data");
	for (int i = 1; i < 3; i++) {
		snprintf(name, sizeof(name), "%s/a.b-%d.data", dir, i);
		assert_int_equal(unlink(name), 0);
	}
	unlink(path);
	snprintf(path, sizeof(path), "%s/file", dir);
	commit_unique("file");
	commit_unique("file-1");
	snprintf(name, sizeof(name), "%s/file-1", dir);
	assert_int_equal(unlink(name), 0);
	assert_int_equal(entries(), 1);
}

static struct new_file *write_named(const char *text)
{
	struct err err = { 0 };
	struct new_file *file = open_file(path, 0, &err);

	assert_null(new_file_named(file));
	fputs(text, new_file_stream(file));
	assert_int_equal(new_file_name_unique(file, &err), 0);
	return file;
}

/* A file that has its name before it is complete. */
ON_BOTH(test_name_early)
{
	char name[300], second[320];
	struct new_file *file, *also;
	struct err err = { 0 };

	file = write_named("one");
	assert_string_equal(new_file_named(file), path);
	assert_content(path, "one");
	also = write_named("two");
	snprintf(second, sizeof(second), "%s-1", path);
	assert_string_equal(new_file_named(also), second);
	assert_int_equal(entries(), 2);
	fputs(" more", new_file_stream(file));
	assert_int_equal(new_file_name_unique(file, &err), 0);
	assert_content(path, "one more");
	fputs(" and more", new_file_stream(file));
	assert_int_equal(new_file_commit_unique(file, name, sizeof(name),
						&err), 0);
	assert_string_equal(name, path);
	assert_content(path, "one more and more");
	new_file_cancel(also);
	assert_int_equal(entries(), 1);
	unlink(path);
}

/* What is left if it is not completed. */
ON_BOTH(test_leave)
{
	char name[300];
	struct err err = { 0 };
	struct new_file *file;

	new_file_leave(open_file(path, 0, &err));
	assert_int_equal(entries(), 0);
	new_file_leave(write_named("left"));
	assert_content(path, "left");
	assert_int_equal(entries(), 1);
	unlink(path);
	/* what was removed cannot be completed */
	file = write_named("gone");
	unlink(path);
	assert_int_equal(new_file_commit_unique(file, name, sizeof(name),
						&err), -ENOENT);
	/* someone else's file that has its name by now */
	file = write_named("mine");
	unlink(path);
	assert_int_equal(write_file("theirs", false, &err), 0);
	new_file_cancel(file);
	assert_content(path, "theirs");
	unlink(path);
}

static mode_t read_umask(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return mask;
}

static void publish(mode_t mask, mode_t mode)
{
	struct err err = { 0 };
	struct new_file *file;
	mode_t old = umask(mask);
	struct stat st;

	file = open_file(path, 0, &err);
	assert_non_null(file);
	fprintf(new_file_stream(file), "mask %03o", (unsigned int)mask);
	assert_int_equal(new_file_publish(file, &err), 0);
	assert_int_equal(umask(old), mask);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, mode);
	assert_int_equal(entries(), 1);
}

ON_BOTH(test_publish)
{
	publish(022, 0644);
	assert_content(path, "mask 022");
	publish(027, 0640);
	assert_content(path, "mask 027");
	publish(077, 0600);
	publish(0, 0644);
	assert_content(path, "mask 000");
}

static int publish_over(const char *name, struct err *err)
{
	struct new_file *file = open_file(name, NEW_FILE_FOLLOW, err);

	if (!file)
		return err->code;
	fputs("new", new_file_stream(file));
	return new_file_publish(file, err);
}

static mode_t mode_of(const char *name)
{
	struct stat st;

	assert_int_equal(lstat(name, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	return st.st_mode & 07777;
}

/* A mode that is more restrictive than the default is kept. */
ON_BOTH(test_publish_keeps_mode)
{
	struct err err = { 0 };

	assert_int_equal(write_file("secret", false, &err), 0);
	assert_int_equal(publish_over(path, &err), 0);
	assert_content(path, "new");
	assert_int_equal(mode_of(path), 0600);
	assert_int_equal(chmod(path, 0666), 0);
	assert_int_equal(publish_over(path, &err), 0);
	assert_int_equal(mode_of(path), 0644 & ~read_umask());
	/* nor is a file written to through a hard link */
	assert_int_equal(write_file("secret", true, &err), 0);
	assert_int_equal(link(path, other), 0);
	assert_int_equal(publish_over(other, &err), 0);
	assert_content(path, "secret");
	assert_int_equal(mode_of(other), 0600);
	assert_int_equal(entries(), 2);
}

ON_BOTH(test_publish_through_link)
{
	struct err err = { 0 };
	struct stat st;

	assert_int_equal(symlink(path, other), 0);
	assert_int_equal(publish_over(other, &err), 0);
	assert_content(path, "new");
	assert_int_equal(lstat(other, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(publish_over(path, &err), -EEXIST);
	assert_int_equal(publish_over(other, &err), -EEXIST);
	assert_non_null(strstr(err.text, "not a regular file"));
	assert_int_equal(entries(), 2);
}

/*
 * A file of root, through a link of another user in a directory that all can
 * write.
 */
ON_BOTH(test_publish_foreign_link)
{
	struct err err = { 0 };

	if (getuid() != 0)
		skip();
	assert_int_equal(write_file("secret", false, &err), 0);
	assert_int_equal(symlink(path, other), 0);
	assert_int_equal(lchown(other, 65534, 65534), 0);
	assert_int_equal(chmod(dir, 01777), 0);
	assert_int_equal(publish_over(other, &err), -EACCES);
	assert_non_null(strstr(err.text, "link of user 65534"));
	assert_int_equal(chmod(dir, 0700), 0);
	assert_content(path, "secret");
	assert_int_equal(mode_of(path), 0600);
	assert_int_equal(entries(), 2);
}

static int save(const char *name, struct err *err)
{
	struct new_file *file = open_file(name, NEW_FILE_FOLLOW |
					      NEW_FILE_KEEP_OWNER, err);

	return file ? new_file_commit(file, true, err) : err->code;
}

static void assert_owner(const char *name, uid_t uid, gid_t gid)
{
	struct stat st;

	assert_int_equal(lstat(name, &st), 0);
	assert_int_equal(st.st_uid, uid);
	assert_int_equal(st.st_gid, gid);
	assert_int_equal(st.st_mode & 07777, 0600);
}

/*
 * As root: a replaced file keeps its owner, a new one gets the directory's
 * owner.
 */
ON_BOTH(test_keep_owner)
{
	struct err err = { 0 };

	assert_int_equal(save(path, &err), 0);
	assert_owner(path, geteuid(), getegid());
	if (getuid() != 0)
		return;
	assert_int_equal(chown(path, 65534, 65533), 0);
	assert_int_equal(save(path, &err), 0);
	assert_owner(path, 65534, 65533);
	assert_int_equal(chown(dir, 65533, 65532), 0);
	assert_int_equal(save(path, &err), 0);
	assert_owner(path, 65534, 65533);
	assert_int_equal(save(other, &err), 0);
	assert_owner(other, 65533, 65532);
	unlink(other);
	assert_int_equal(chmod(dir, 01777), 0);
	assert_int_equal(save(other, &err), 0);
	assert_owner(other, 0, 0);
	assert_int_equal(chown(dir, 0, 0), 0);
	assert_int_equal(chmod(dir, 0700), 0);
	assert_int_equal(entries(), 2);
}

ON_BOTH(test_publish_half_written)
{
	const struct rlimit small = { 16, RLIM_INFINITY };
	struct err err = { 0 };
	struct new_file *file;
	struct rlimit old;

	assert_int_equal(write_file("old", true, &err), 0);
	getrlimit(RLIMIT_FSIZE, &old);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	file = open_file(path, 0, &err);
	assert_non_null(file);
	fprintf(new_file_stream(file), "%64s", "");
	assert_int_equal(new_file_publish(file, &err), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &old);
	assert_content(path, "old");
	assert_int_equal(entries(), 1);
}

/* A complete file is kept even without a free descriptor. */
ON_BOTH(test_no_descriptor)
{
	struct err err = { 0 };
	struct rlimit old, none;
	struct new_file *file;
	int ret;

	file = open_file(path, 0, &err);
	assert_non_null(file);
	fputs("all", new_file_stream(file));
	getrlimit(RLIMIT_NOFILE, &old);
	none = old;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	ret = new_file_commit(file, false, &err);
	setrlimit(RLIMIT_NOFILE, &old);
	if (ret)
		fail_msg("%s", err.text);
	assert_content(path, "all");
	assert_int_equal(entries(), 1);
}

TEST_GROUP(new_file, .setup = setup, .teardown = teardown);
