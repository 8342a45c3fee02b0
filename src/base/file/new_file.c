/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/file/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/err.h"
#include "base/file/file_place.h"
#include "base/sys.h"

enum {
	PIECE = 1 << 20,	/* bytes per write(2) */
	MAX_NUMBERED = 1000,	/* names tried if one is taken */
	MAX_RANDOM = 100,	/* temporary names tried */
};

struct new_file {
	char *path;		/* as given */
	char named[PATH_MAX];	/* by new_file_name_unique(); "": not yet */
	unsigned int flags;
	struct file_place place;
	struct stat old;	/* the existing file; st_mode 0: none */
	char temporary[NAME_MAX + 1];	/* "NAME.XXXXXX" in its directory; "":
					 * no name */
	FILE *stream;
	int fd;			/* of the stream */
	_Atomic int error;	/* -errno of the first write that failed; read
				 * by any thread */
	new_file_between_fn *between;
	void *ctx;
};

static void file_free(struct new_file *file)
{
	file_place_close(&file->place);
	free(file->path);
	free(file);
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
 * The stream's write function.  It keeps the error of a failed write, which a
 * FILE does not, so that the message says that the disk is full.
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

/* Create or link file->temporary: 0, -EEXIST or another -errno. */
typedef int make_fn(struct new_file *file);

/* Like mkostemp(3), which has no directory argument.  0 or -errno. */
static int make_temporary(struct new_file *file, make_fn *make)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ012345";
	const struct file_place *place = &file->place;
	unsigned char random[6];
	int ret = -EEXIST;
	char *end;

	if (sizeof(random) + 2 > sizeof(place->name) - strlen(place->name))
		return -ENAMETOOLONG;
	end = stpcpy(file->temporary, place->name);
	*end++ = '.';
	end[sizeof(random)] = '\0';
	for (int i = 0; ret == -EEXIST && i < MAX_RANDOM; i++) {
		if (getrandom(random, sizeof(random), 0) < 0) {
			ret = -errno;
			break;
		}
		for (size_t j = 0; j < sizeof(random); j++)
			end[j] = letters[random[j] % (sizeof(letters) - 1)];
		ret = make(file);
	}
	if (ret)
		file->temporary[0] = '\0';
	return ret;
}

static int open_temporary(struct new_file *file)
{
	file->fd = openat(file->place.dir, file->temporary,
			  O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			  0600);
	return file->fd < 0 ? -errno : 0;
}

static int link_temporary(struct new_file *file)
{
	return sys_link_unnamed(file->fd, file->place.dir, file->temporary);
}

/* If O_TMPFILE fails, whatever the reason, the error of O_CREAT is clearer. */
static int create(struct new_file *file)
{
	file->fd = sys_open_unnamed(file->place.dir);
	return file->fd < 0 ? make_temporary(file, open_temporary) : 0;
}

int new_file_remove(const char *path)
{
	struct file_place place;
	struct caps_own own;
	int ret;

	caps_own_begin(&own);
	ret = file_place_open(path, 0, &place, NULL);
	if (ret == 0) {
		ret = unlinkat(place.dir, place.name, 0) < 0 ? -errno : 0;
		file_place_close(&place);
	}
	caps_own_end(&own);
	return ret;
}

static void remove_temporary(const struct new_file *file)
{
	struct caps_own own;

	if (!file->temporary[0] || file->named[0])
		return;
	caps_own_begin(&own);
	unlinkat(file->place.dir, file->temporary, 0);
	caps_own_end(&own);
}

/*
 * Only a regular file may be replaced, so that root does not replace a device
 * by one.  Sets file->old.  0 or -errno with @err.
 */
static int check_old(struct new_file *file, struct err *err)
{
	if (!(file->flags & NEW_FILE_FOLLOW) ||
	    fstatat(file->place.dir, file->place.name, &file->old,
		    AT_SYMLINK_NOFOLLOW) < 0) {
		file->old.st_mode = 0;
		return 0;
	}
	if (S_ISREG(file->old.st_mode))
		return 0;
	return err_set(err, -EEXIST, "writing %s: not a regular file",
		       file->path);
}

/*
 * The file gets the owner of the file that it replaces, or else of a directory
 * in which only that user can make files.
 */
static int keep_owner(const struct new_file *file)
{
	const struct stat *dir = &file->place.dir_st, *old = &file->old;
	const struct stat *of = old->st_mode ? old : dir;

	if (!(file->flags & NEW_FILE_KEEP_OWNER) || of->st_uid == caps_own_uid() ||
	    (of == dir && file_place_is_shared(dir)))
		return 0;
	return fchown(file->fd, of->st_uid, of->st_gid) < 0 ? -errno : 0;
}

/*
 * The file gets the mode of the file that it replaces; without the rights of
 * the group if its group is another one.  A file system that refuses leaves it
 * at 0600.  Before keep_owner(), since only the owner can change a mode.
 */
static void keep_mode(const struct new_file *file)
{
	const struct stat *old = &file->old;
	mode_t mode = old->st_mode & 0777;
	struct stat st;

	if (!(file->flags & NEW_FILE_KEEP_OWNER) || !old->st_mode ||
	    fstat(file->fd, &st) < 0)
		return;
	if (st.st_uid == old->st_uid && st.st_gid != old->st_gid)
		mode &= (mode_t)~S_IRWXG;
	fchmod(file->fd, mode);
}

/* 0 or -errno with @err. */
static int open_named(struct new_file *file, struct err *err)
{
	unsigned int flags = file->flags;
	int ret = file_place_open(file->path,
				  (flags & NEW_FILE_FOLLOW ?
					   FILE_PLACE_FOLLOW : 0u) |
				  (flags & NEW_FILE_KEEP_OWNER ?
					   FILE_PLACE_MAKE : 0u),
				  &file->place, err);

	if (ret == 0)
		ret = check_old(file, err);
	if (ret)
		return ret;
	ret = create(file);
	if (ret)
		return err_errno(err, ret, "writing %s", file->path);
	keep_mode(file);
	ret = keep_owner(file);
	if (ret == 0)
		return 0;
	close(file->fd);
	remove_temporary(file);
	return err_errno(err, ret,
			 "writing %s: it belongs to another user, and "
			 "its owner cannot be kept", file->path);
}

static int open_stream(struct new_file *file, struct err *err)
{
	const cookie_io_functions_t io = {
		.write = write_all,
		.seek = seek_to,
	};
	struct caps_own own;
	int ret;

	caps_own_begin(&own);
	ret = open_named(file, err);
	caps_own_end(&own);
	if (ret < 0)
		return ret;
	file->stream = fopencookie(file, "w", io);
	if (file->stream)
		return 0;
	ret = err_errno(err, -errno, "writing %s", file->path);
	close(file->fd);
	remove_temporary(file);
	return ret;
}

struct new_file *new_file_open(const char *path, unsigned int flags,
			       struct err *err)
{
	struct new_file *file = calloc(1, sizeof(*file));

	if (file) {
		file->flags = flags;
		file->place.dir = -1;
		file->path = strdup(path);
	}
	if (file && file->path && open_stream(file, err) == 0)
		return file;
	if (!file || !file->path)
		err_set(err, -ENOMEM, "writing %s: out of memory", path);
	if (file)
		file_free(file);
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

/*
 * The error that close(2) would return: network file systems report write
 * errors there.  @fd stays open: it is needed to link a file without a name.
 * If there is no free descriptor, fsync(2) reports them.
 */
static int try_close(int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	return (copy < 0 ? fsync(fd) : close(copy)) < 0 ? -errno : 0;
}

/* Check that everything was written; with @sync, to the disk. */
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
	if (ret == 0)
		ret = try_close(file->fd);
	/* writing to the disk may have taken long */
	if (ret == 0 && file->between)
		ret = file->between(file->ctx);
	return ret;
}

int new_file_error(const struct new_file *file)
{
	return file->error;
}

/* Some file systems do not support RENAME_NOREPLACE, and some no links. */
static int rename_new(int dir, const char *from, const char *to)
{
	if (renameat2(dir, from, dir, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	if (linkat(dir, from, dir, to, 0) < 0)
		return -errno;
	unlinkat(dir, from, 0);
	return 0;
}

static int rename_over(const struct new_file *file, const char *name)
{
	int dir = file->place.dir;

	return renameat(dir, file->temporary, dir, name) < 0 ? -errno : 0;
}

/*
 * linkat(2) does not replace a file: to do so, the complete file is linked
 * under a temporary name and renamed.
 */
static int name_unnamed(struct new_file *file, const char *name, bool replace)
{
	int ret = sys_link_unnamed(file->fd, file->place.dir, name);

	if (ret != -EEXIST || !replace)
		return ret;
	ret = make_temporary(file, link_temporary);
	return ret ? ret : rename_over(file, name);
}

/* @name is a name in its directory. */
static int give_name(struct new_file *file, const char *name, bool replace)
{
	struct caps_own own;
	int ret;

	caps_own_begin(&own);
	if (!file->temporary[0])
		ret = name_unnamed(file, name, replace);
	else if (replace)
		ret = rename_over(file, name);
	else
		ret = rename_new(file->place.dir, file->temporary, name);
	caps_own_end(&own);
	return ret;
}

/* After give_name(), or instead of it. */
static int commit_end(struct new_file *file, int ret, struct err *err)
{
	close(file->fd);
	if (ret < 0) {
		remove_temporary(file);
		err_errno(err, ret, "writing %s", file->path);
	}
	file_free(file);
	return ret;
}

int new_file_commit(struct new_file *file, bool replace, struct err *err)
{
	int ret = finish(file, true);

	if (ret == 0)
		ret = give_name(file, file->place.name, replace);
	return commit_end(file, ret, err);
}

/*
 * The umask, from /proc (Linux 4.7): umask(2) can only read it by changing it,
 * also for other threads.  077 if it is not there.
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

/* 0644 restricted as new_file_publish() and new_file_share() say. */
static mode_t public_mode(const struct new_file *file)
{
	const struct stat *old = &file->old;
	mode_t mode = 0644 & ~read_umask();

	if (old->st_mode && (old->st_uid == caps_own_uid() ||
			     old->st_uid == file->place.dir_st.st_uid))
		mode &= old->st_mode;
	return mode;
}

int new_file_share(struct new_file *file)
{
	return fchmod(file->fd, public_mode(file)) < 0 ? -errno : 0;
}

int new_file_publish(struct new_file *file, struct err *err)
{
	int ret = new_file_share(file);
	int finished = finish(file, false);

	if (ret == 0)
		ret = finished;
	if (ret == 0)
		ret = give_name(file, file->place.name, true);
	return commit_end(file, ret, err);
}

/*
 * "NAME.EXT", its own name, for @n 0, else "NAME-@n.EXT".  0 or -ENAMETOOLONG.
 */
static int numbered_name(const struct new_file *file, int n, char *name,
			 size_t size)
{
	const char *base = file->place.name;
	const char *dot = strrchr(base, '.');
	size_t stem = dot && dot > base ? (size_t)(dot - base) : strlen(base);
	int len;

	if (n == 0)
		len = snprintf(name, size, "%s", base);
	else
		len = snprintf(name, size, "%.*s-%d%s", (int)stem, base, n,
			       base + stem);
	return len < 0 || (size_t)len >= size ? -ENAMETOOLONG : 0;
}

/* The path of @name in the same directory.  0 or -ENAMETOOLONG. */
static int path_of(const struct new_file *file, const char *name, char *path,
		   size_t size)
{
	const char *slash = strrchr(file->path, '/');
	int dir = slash ? (int)(slash + 1 - file->path) : 0;
	int len = snprintf(path, size, "%.*s%s", dir, file->path, name);

	return len < 0 || (size_t)len >= size ? -ENAMETOOLONG : 0;
}

/* Give it the first free name; @path is set to its path.  0 or -errno. */
static int give_free_name(struct new_file *file, char *path, size_t size)
{
	char name[NAME_MAX + 1];
	int ret = -EEXIST;

	for (int n = 0; ret == -EEXIST && n < MAX_NUMBERED; n++) {
		ret = numbered_name(file, n, name, sizeof(name));
		if (ret == 0)
			ret = path_of(file, name, path, size);
		if (ret == 0)
			ret = give_name(file, name, false);
	}
	if (ret)
		path[0] = '\0';
	return ret;
}

/* Someone removed it after it got its name. */
static bool is_removed(const struct new_file *file)
{
	struct stat st;

	return fstat(file->fd, &st) == 0 && st.st_nlink == 0;
}

int new_file_commit_unique(struct new_file *file, char *path, size_t size,
			   struct err *err)
{
	int ret = finish(file, true);

	if (ret == 0 && !file->named[0])
		ret = give_free_name(file, path, size);
	else if (ret == 0 && is_removed(file))
		ret = -ENOENT;
	else if (ret == 0 && strlen(file->named) >= size)
		ret = -ENAMETOOLONG;
	else if (ret == 0)
		strcpy(path, file->named);
	return commit_end(file, ret, err);
}

int new_file_name_unique(struct new_file *file, struct err *err)
{
	int ret = 0;

	errno = 0;
	if (fflush(file->stream))
		ret = file->error ? file->error : errno ? -errno : -EIO;
	else if (!file->named[0])
		ret = give_free_name(file, file->named, sizeof(file->named));
	else if (is_removed(file))
		return err_set(err, -ENOENT, "writing %s: it was removed",
			       file->path);
	return ret ? err_errno(err, ret, "writing %s", file->path) : 0;
}

const char *new_file_named(const struct new_file *file)
{
	return file->named[0] && !is_removed(file) ? file->named : NULL;
}

/* Remove the name that it was given early, if it is still its own. */
static void remove_named(const struct new_file *file)
{
	const char *slash = strrchr(file->named, '/');
	const char *name = slash ? slash + 1 : file->named;
	struct caps_own own;
	struct stat mine, st;

	caps_own_begin(&own);
	if (fstat(file->fd, &mine) == 0 &&
	    fstatat(file->place.dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    st.st_dev == mine.st_dev && st.st_ino == mine.st_ino)
		unlinkat(file->place.dir, name, 0);
	caps_own_end(&own);
}

void new_file_leave(struct new_file *file)
{
	if (!file)
		return;
	fclose(file->stream);
	close(file->fd);
	remove_temporary(file);
	file_free(file);
}

void new_file_cancel(struct new_file *file)
{
	if (file && file->named[0])
		remove_named(file);
	new_file_leave(file);
}
