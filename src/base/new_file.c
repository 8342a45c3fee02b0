/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"

struct new_file {
	char *path;
	char *temporary;	/* "@path.XXXXXX" */
	FILE *stream;
	int fd;			/* that the stream writes to */
	int error;		/* of the first write that failed; -errno */
};

static void file_free(struct new_file *file)
{
	free(file->path);
	free(file->temporary);
	free(file);
}

static struct new_file *file_new(const char *path)
{
	struct new_file *file = calloc(1, sizeof(*file));

	if (!file)
		return NULL;
	file->path = strdup(path);
	if (file->path &&
	    asprintf(&file->temporary, "%s.XXXXXX", path) >= 0)
		return file;
	file->temporary = NULL;
	file_free(file);
	return NULL;
}

/*
 * The stream's own: what a failed write said is not to be had from a FILE
 * later, and that the disk is full is what a person has to be told.
 */
static ssize_t write_all(void *cookie, const char *buf, size_t size)
{
	struct new_file *file = cookie;
	size_t done = 0;
	ssize_t ret;

	while (done < size) {
		ret = write(file->fd, buf + done, size - done);
		if (ret < 0 && errno == EINTR)
			continue;
		if (ret < 0 && !file->error)
			file->error = -errno;
		if (ret < 0)
			return 0;
		done += (size_t)ret;
	}
	return (ssize_t)size;
}

static int open_stream(struct new_file *file)
{
	const cookie_io_functions_t io = { .write = write_all };
	int ret;

	/* mkostemp adds O_EXCL and mode 0600. */
	file->fd = mkostemp(file->temporary, O_CLOEXEC | O_NOFOLLOW);
	if (file->fd < 0)
		return -errno;
	file->stream = fopencookie(file, "w", io);
	if (file->stream)
		return 0;
	ret = -errno;
	close(file->fd);
	unlink(file->temporary);
	return ret;
}

struct new_file *new_file_open(const char *path, struct err *err)
{
	struct new_file *file = file_new(path);
	int ret = file ? open_stream(file) : -ENOMEM;

	if (ret == 0)
		return file;
	if (file)
		file_free(file);
	err_set(err, ret, "writing %s: %s", path, strerror(-ret));
	return NULL;
}

FILE *new_file_stream(struct new_file *file)
{
	return file->stream;
}

/* See everything on the disk, and close. */
static int finish(struct new_file *file)
{
	int ret = 0;

	errno = 0;
	if (fflush(file->stream) != 0 || ferror(file->stream) ||
	    fsync(file->fd) < 0)
		ret = errno ? -errno : -EIO;
	if (file->error)
		ret = file->error;
	fclose(file->stream);
	if (close(file->fd) < 0 && ret == 0)
		ret = -errno;
	return ret;
}

int new_file_error(const struct new_file *file)
{
	return file->error;
}

/* Some file systems know no RENAME_NOREPLACE, and some no links. */
static int rename_new(const char *from, const char *to)
{
	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	if (link(from, to) < 0)
		return -errno;
	unlink(from);
	return 0;
}

static int give_name(const struct new_file *file, bool replace)
{
	if (!replace)
		return rename_new(file->temporary, file->path);
	return rename(file->temporary, file->path) < 0 ? -errno : 0;
}

int new_file_commit(struct new_file *file, bool replace, struct err *err)
{
	int ret = finish(file);

	if (ret == 0)
		ret = give_name(file, replace);
	if (ret < 0) {
		unlink(file->temporary);
		err_set(err, ret, "writing %s: %s", file->path,
			strerror(-ret));
	}
	file_free(file);
	return ret;
}

void new_file_cancel(struct new_file *file)
{
	if (!file)
		return;
	fclose(file->stream);
	close(file->fd);
	unlink(file->temporary);
	file_free(file);
}
