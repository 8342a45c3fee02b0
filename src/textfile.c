/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "textfile.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/err.h"
#include "base/new_file.h"

enum { MAX_LINKS = 40 };	/* as path_resolution(7) has it */

/* Where the link @path leads, not as far as it goes.  NULL with errno. */
static char *next_link(const char *path)
{
	const char *slash = strrchr(path, '/');
	int dir = slash ? (int)(slash + 1 - path) : 0;
	char target[PATH_MAX], *next;
	ssize_t len = readlink(path, target, sizeof(target) - 1);

	if (len < 0)
		return NULL;
	target[len] = '\0';
	if (asprintf(&next, "%.*s%s", target[0] == '/' ? 0 : dir, path,
		     target) >= 0)
		return next;
	errno = ENOMEM;
	return NULL;
}

/* The file that @path stands for, be it there or not.  NULL with errno. */
static char *follow_links(const char *path)
{
	char *at = strdup(path), *next;
	int error = ENOMEM;

	for (int i = 0; at && i <= MAX_LINKS; i++) {
		next = next_link(at);
		error = next ? ELOOP : errno;
		/* no link, or nothing yet: this is it */
		if (error == EINVAL || error == ENOENT)
			return at;
		free(at);
		at = next;
	}
	free(at);
	errno = error;
	return NULL;
}

/* Under a temporary name yet.  NULL with @err. */
static struct new_file *open_beside(const char *path, struct err *err)
{
	/* as root may write in a directory of somebody else, it may look */
	bool raised = caps_writing(true);
	char *real = follow_links(path);
	int ret = real ? 0 : -errno;
	struct new_file *file;

	if (raised)
		caps_writing(false);
	if (!real) {
		err_set(err, ret, "writing %s: %s", path, strerror(-ret));
		return NULL;
	}
	file = new_file_open(real, err);
	free(real);
	return file;
}

int textfile_check(const char *path, struct err *err)
{
	struct new_file *file;
	struct stat st;

	/* Else root would put a file in the place of /dev/null. */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_set(err, -EEXIST, "--textfile %s: not a regular "
			       "file; without --textfile ticks go to standard "
			       "output", path);
	file = open_beside(path, err);
	if (!file)
		return err_prefix(err, "--textfile");
	new_file_cancel(file);
	return 0;
}

int textfile_write(const char *path, const char *text, size_t len,
		   struct err *err)
{
	struct new_file *file = open_beside(path, err);

	if (!file)
		return err_prefix(err, "--textfile");
	/* what fails here the stream remembers */
	fwrite(text, 1, len, new_file_stream(file));
	if (new_file_publish(file, err) < 0)
		return err_prefix(err, "--textfile");
	return 0;
}
