/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What remains of a file if its writer is killed, or cannot link it. */
#include "tests/group.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/wait.h>

#include "new_file_rig.h"

/* No incomplete file has a name. */
ON_UNNAMED(test_no_link)
{
	struct err err = { 0 };
	struct new_file *file;

	file = open_file(path, 0, &err);
	fputs("new", new_file_stream(file));
	sys_fail_at(SYS_LINK, 1, EACCES);
	assert_int_equal(new_file_commit(file, false, &err), -EACCES);
	assert_non_null(strstr(err.text, path));
	assert_int_equal(entries(), 0);
	assert_int_equal(write_file("old", false, &err), 0);
	file = open_file(path, 0, &err);
	/* the first one finds the old file */
	sys_fail_at(SYS_LINK, 2, EACCES);
	assert_int_equal(new_file_commit(file, true, &err), -EACCES);
	assert_content(path, "old");
	assert_int_equal(entries(), 1);
}

/* A name that is too long for a temporary name. */
ON_BOTH(test_long_name)
{
	struct err err = { 0 };
	struct new_file *file;
	char name[512];

	snprintf(name, sizeof(name), "%s/%0*d", dir, NAME_MAX, 0);
	file = open_file(name, 0, &err);
	if (no_unnamed) {
		assert_null(file);
		assert_int_equal(err.code, -ENAMETOOLONG);
		return;
	}
	assert_int_equal(new_file_commit(file, true, &err), 0);
	file = open_file(name, 0, &err);
	assert_int_equal(new_file_commit(file, true, &err), -ENAMETOOLONG);
	assert_int_equal(entries(), 1);
	assert_int_equal(unlink(name), 0);
}

static void killed(pid_t child)
{
	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
}

ON_BOTH(test_killed)
{
	pid_t child = fork();

	if (child == 0) {
		struct new_file *file = open_file(path, 0, NULL);

		fputs("half of it", new_file_stream(file));
		fflush(new_file_stream(file));
		raise(SIGKILL);
	}
	killed(child);
	assert_int_equal(entries(), no_unnamed);
	if (no_unnamed)
		remove_entries();
}

enum { WHOLE = 200000 };

/* Replace the file forever, each time with equal bytes. */
static void replace_for_ever(int started)
{
	static char bytes[WHOLE];

	for (int i = 0;; i++) {
		struct new_file *file = open_file(path, 0, NULL);

		memset(bytes, 'a' + i % 26, sizeof(bytes));
		fwrite(bytes, 1, sizeof(bytes), new_file_stream(file));
		if (new_file_publish(file, NULL) < 0)
			_exit(1);
		if (i == 0 && write(started, "x", 1) != 1)
			_exit(1);
	}
}

static bool is_whole(const char *name)
{
	static char bytes[WHOLE + 1];
	FILE *in = fopen(name, "r");
	size_t len;

	assert_non_null(in);
	len = fread(bytes, 1, sizeof(bytes), in);
	fclose(in);
	return len == WHOLE && memcmp(bytes, bytes + 1, len - 1) == 0;
}

/* Check that all files with a name are complete. */
static void assert_whole(void)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	char name[600];
	int nr = 0;

	assert_non_null(d);
	while ((entry = readdir(d))) {
		snprintf(name, sizeof(name), "%s/%s", dir, entry->d_name);
		if (entry->d_name[0] == '.')
			continue;
		nr++;
		if (!no_unnamed || !strcmp(name, path))
			assert_true(is_whole(name));
	}
	closedir(d);
	assert_in_range(nr, 1, 2);
}

ON_BOTH(test_killed_any_time)
{
	int started[2];
	char byte;

	for (unsigned int i = 0; i < 40; i++) {
		pid_t child;

		assert_int_equal(pipe(started), 0);
		child = fork();
		if (child == 0)
			replace_for_ever(started[1]);
		close(started[1]);
		assert_int_equal(read(started[0], &byte, 1), 1);
		close(started[0]);
		usleep(i * 41);
		kill(child, SIGKILL);
		killed(child);
		assert_whole();
		remove_entries();
	}
}

TEST_GROUP(new_file_killed, .setup = setup, .teardown = teardown);
