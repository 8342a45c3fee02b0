/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/err.h"

enum {
	PIECE = 1 << 20,	/* written at once */
	MAX_BESIDE = 1000,	/* names tried where one is taken */
};

struct new_file {
	char *path;
	char *temporary;	/* "@path.XXXXXX" */
	FILE *stream;
	int fd;			/* that the stream writes to */
	int error;		/* of the first write that failed; -errno */
	new_file_between_fn *between;
	void *ctx;
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

/* Bytes written or -errno. */
static ssize_t write_piece(struct new_file *file, const char *buf, size_t size)
{
	int stop = file->between ? file->between(file->ctx) : 0;
	ssize_t ret;

	if (stop)
		return stop;
	do {
		ret = write(file->fd, buf, size < PIECE ? size : PIECE);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
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
		ret = write_piece(file, buf + done, size - done);
		if (ret < 0) {
			file->error = file->error ? file->error : (int)ret;
			return 0;
		}
		done += (size_t)ret;
	}
	return (ssize_t)size;
}

static int seek_to(void *cookie, off64_t *offset, int whence)
{
	struct new_file *file = cookie;
	off64_t at = lseek64(file->fd, *offset, whence);

	if (at < 0)
		return -1;
	*offset = at;
	return 0;
}

/* mkostemp adds O_EXCL and mode 0600. */
static int create(struct new_file *file)
{
	bool raised = caps_writing(true);
	int ret;

	file->fd = mkostemp(file->temporary, O_CLOEXEC | O_NOFOLLOW);
	ret = file->fd < 0 ? -errno : 0;
	if (raised)
		caps_writing(false);
	return ret;
}

int new_file_remove(const char *path)
{
	bool raised = caps_writing(true);
	int ret = unlink(path) < 0 ? -errno : 0;

	if (raised)
		caps_writing(false);
	return ret;
}

static void remove_temporary(const struct new_file *file)
{
	new_file_remove(file->temporary);
}

static int open_stream(struct new_file *file)
{
	const cookie_io_functions_t io = {
		.write = write_all,
		.seek = seek_to,
	};
	int ret;

	ret = create(file);
	if (ret < 0)
		return ret;
	file->stream = fopencookie(file, "w", io);
	if (file->stream)
		return 0;
	ret = -errno;
	close(file->fd);
	remove_temporary(file);
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

void new_file_between(struct new_file *file, new_file_between_fn *between,
		      void *ctx)
{
	file->between = between;
	file->ctx = ctx;
}

uint64_t new_file_room(const struct new_file *file)
{
	struct statvfs fs;

	if (fstatvfs(file->fd, &fs) < 0)
		return UINT64_MAX;
	return (uint64_t)fs.f_bavail * fs.f_frsize;
}

/* See that everything was written, with @sync to the disk, and close. */
static int finish(struct new_file *file, bool sync)
{
	int ret = 0;

	errno = 0;
	if (fflush(file->stream) != 0 || ferror(file->stream) ||
	    (sync && fsync(file->fd) < 0))
		ret = errno ? -errno : -EIO;
	if (file->error)
		ret = file->error;
	fclose(file->stream);
	if (close(file->fd) < 0 && ret == 0)
		ret = -errno;
	/* the disk may have taken its time */
	if (ret == 0 && file->between)
		ret = file->between(file->ctx);
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

static int give_name(const struct new_file *file, const char *path,
		     bool replace)
{
	bool raised = caps_writing(true);
	int ret;

	if (replace)
		ret = rename(file->temporary, path) < 0 ? -errno : 0;
	else
		ret = rename_new(file->temporary, path);
	if (raised)
		caps_writing(false);
	return ret;
}

/* After give_name(), or instead of it. */
static int commit_end(struct new_file *file, int ret, struct err *err)
{
	if (ret < 0) {
		remove_temporary(file);
		err_set(err, ret, "writing %s: %s", file->path,
			strerror(-ret));
	}
	file_free(file);
	return ret;
}

int new_file_commit(struct new_file *file, bool replace, struct err *err)
{
	int ret = finish(file, true);

	if (ret == 0)
		ret = give_name(file, file->path, replace);
	return commit_end(file, ret, err);
}

/*
 * The umask as the kernel tells it (Linux 4.7): umask(2) can only be asked by
 * changing it, under the feet of other threads.  077 where it does not.
 */
static mode_t read_umask(void)
{
	FILE *status = fopen("/proc/self/status", "re");
	unsigned int mask = 077;
	char line[256];

	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "Umask: %o", &mask) == 1)
			break;
	if (status)
		fclose(status);
	return (mode_t)mask;
}

int new_file_publish(struct new_file *file, struct err *err)
{
	int ret = fchmod(file->fd, 0644 & ~read_umask()) < 0 ? -errno : 0;
	int finished = finish(file, false);

	if (ret == 0)
		ret = finished;
	if (ret == 0)
		ret = give_name(file, file->path, true);
	return commit_end(file, ret, err);
}

/* NAME-@n.EXT of the file's path.  0, -ENAMETOOLONG. */
static int name_beside(const struct new_file *file, int n, char *path,
		       size_t size)
{
	const char *slash = strrchr(file->path, '/');
	const char *base = slash ? slash + 1 : file->path;
	const char *dot = strrchr(base, '.');
	size_t stem = dot && dot > base ? (size_t)(dot - file->path)
					: strlen(file->path);
	int len;

	if (n == 0)
		len = snprintf(path, size, "%s", file->path);
	else
		len = snprintf(path, size, "%.*s-%d%s", (int)stem, file->path,
			       n, file->path + stem);
	return len < 0 || (size_t)len >= size ? -ENAMETOOLONG : 0;
}

int new_file_commit_beside(struct new_file *file, char *path, size_t size,
			   struct err *err)
{
	int ret = finish(file, true);

	if (ret < 0)
		return commit_end(file, ret, err);
	ret = -EEXIST;
	for (int n = 0; ret == -EEXIST && n < MAX_BESIDE; n++) {
		ret = name_beside(file, n, path, size);
		if (ret == 0)
			ret = give_name(file, path, false);
	}
	return commit_end(file, ret, err);
}

void new_file_cancel(struct new_file *file)
{
	if (!file)
		return;
	fclose(file->stream);
	close(file->fd);
	remove_temporary(file);
	file_free(file);
}
