/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/file/file_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/err.h"

enum { MAX_LINKS = 40 };	/* as in path_resolution(7) */

struct walk {
	const char *path;	/* as given */
	unsigned int flags;
	struct file_place *place;
	unsigned int links;
	bool led;		/* a link of another user was followed */
	uid_t leader;
	char rest[PATH_MAX];	/* components still to be resolved */
	struct err *err;
};

bool file_place_is_shared(const struct stat *dir)
{
	return (dir->st_mode & (S_ISVTX | S_IWOTH)) != 0;
}

/* After a link, the path alone does not show which name is missing. */
static int fail(struct walk *w, int code)
{
	if (w->links)
		return err_errno(w->err, code,
				 "writing %s: '%s', the target of a link",
				 w->path, w->place->name);
	return err_errno(w->err, code, "writing %s", w->path);
}

/* Continue at the directory @fd, which @w owns then; negative: -errno. */
static int enter(struct walk *w, int fd)
{
	struct file_place *place = w->place;

	if (fd < 0)
		return fail(w, fd);
	if (place->dir >= 0)
		close(place->dir);
	place->dir = fd;
	return fstat(fd, &place->dir_st) < 0 ? fail(w, -errno) : 0;
}

static int enter_at(struct walk *w, int dir, const char *name, int flags)
{
	int fd = openat(dir, name, O_PATH | O_DIRECTORY | O_CLOEXEC | flags);

	return enter(w, fd < 0 ? -errno : fd);
}

static int refuse_link(struct walk *w, const char *name, uid_t owner)
{
	return err_set(w->err, -EACCES, "writing %s: '%s' is a link of user %u, "
		       "which is not followed: name its target instead",
		       w->path, name, (unsigned int)owner);
}

/*
 * The rules in file_place.h, except where another user's link may lead: see
 * walk().
 */
static int check_link(struct walk *w, const char *name, const struct stat *st)
{
	const struct stat *dir = &w->place->dir_st;

	if (st->st_uid == caps_own_uid())
		return 0;
	if (file_place_is_shared(dir) && st->st_uid != dir->st_uid)
		return refuse_link(w, name, st->st_uid);
	if (st->st_uid == 0)
		return 0;
	if (w->led && w->leader != st->st_uid)
		return refuse_link(w, name, st->st_uid);
	w->led = true;
	w->leader = st->st_uid;
	return 0;
}

/* Magic links such as /proc/PID/root lead to objects, not to paths. */
static bool is_magic(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

/* Put the target of the link @fd in front of the rest of the path. */
static int splice_link(struct walk *w, int fd)
{
	char target[PATH_MAX], rest[PATH_MAX];
	ssize_t len = readlinkat(fd, "", target, sizeof(target) - 1);

	if (len <= 0)
		return fail(w, len < 0 ? -errno : -ENOENT);
	target[len] = '\0';
	strcpy(rest, w->rest);
	len = snprintf(w->rest, sizeof(w->rest), "%s%s%s", target,
		       *rest ? "/" : "", rest);
	if ((size_t)len >= sizeof(w->rest))
		return fail(w, -ENAMETOOLONG);
	return target[0] == '/' ? enter_at(w, AT_FDCWD, "/", 0) : 0;
}

static int follow(struct walk *w, const char *name, int fd,
		  const struct stat *st)
{
	int ret = check_link(w, name, st);

	if (ret == 0 && ++w->links > MAX_LINKS)
		ret = fail(w, -ELOOP);
	if (ret)
		return ret;
	if (!is_magic(fd))
		return splice_link(w, fd);
	if (!*w->rest)
		return err_set(w->err, -EEXIST,
			       "writing %s: not a regular file", w->path);
	return enter_at(w, w->place->dir, name, 0);
}

/* Give a new directory to the owner of the one that it is in. */
static int give_away(struct walk *w, int fd)
{
	const struct stat *dir = &w->place->dir_st;
	struct stat st;

	if (dir->st_uid == caps_own_uid() || file_place_is_shared(dir))
		return 0;
	/* only the directory just made: ours, and at most 2 links */
	if (fstat(fd, &st) < 0)
		return -errno;
	if (st.st_uid != caps_own_uid() || st.st_nlink > 2)
		return -EEXIST;
	return fchownat(fd, "", dir->st_uid, dir->st_gid, AT_EMPTY_PATH) < 0 ?
		       -errno : 0;
}

static int make_directory(struct walk *w, const char *name)
{
	int dir = w->place->dir, fd, ret;

	if (mkdirat(dir, name, 0700) < 0)
		return errno == EEXIST ? enter_at(w, dir, name, O_NOFOLLOW) :
					 fail(w, -errno);
	fd = openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	ret = fd < 0 ? -errno : give_away(w, fd);
	if (ret == 0)
		return enter(w, fd);
	if (fd >= 0)
		close(fd);
	return fail(w, ret);
}

/* A component that is not a directory: only a link can be followed. */
static int step_other(struct walk *w, const char *name, bool last)
{
	int fd = openat(w->place->dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	int ret;

	if (fd < 0)
		return fail(w, -errno);
	if (fstat(fd, &st) < 0)
		ret = fail(w, -errno);
	else if (S_ISLNK(st.st_mode))
		ret = follow(w, name, fd, &st);
	else
		ret = last ? 1 : fail(w, -ENOTDIR);
	close(fd);
	return ret;
}

/* O_DIRECTORY triggers automounts, and refuses links. */
static int step(struct walk *w, const char *name)
{
	int fd = openat(w->place->dir, name,
			O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0)
		return enter(w, fd);
	if (errno == ENOTDIR)
		return step_other(w, name, false);
	if (errno == ENOENT && w->flags & FILE_PLACE_MAKE)
		return make_directory(w, name);
	return fail(w, -errno);
}

/* 1: this is the last name; 0: it was a link. */
static int step_last(struct walk *w, const char *name)
{
	struct stat st;

	if (!strcmp(name, ".") || !strcmp(name, ".."))
		return fail(w, -EISDIR);
	if (!(w->flags & FILE_PLACE_FOLLOW) ||
	    fstatat(w->place->dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return 1;
	return step_other(w, name, true);
}

/* Move the next component to @name.  Its length, 0 at the end, or -errno. */
static int next_name(struct walk *w, char *name, bool *last)
{
	size_t skip = strspn(w->rest, "/");
	size_t len = strcspn(w->rest + skip, "/");
	size_t more = strspn(w->rest + skip + len, "/");

	if (len > NAME_MAX)
		return fail(w, -ENAMETOOLONG);
	memcpy(name, w->rest + skip, len);
	name[len] = '\0';
	*last = !more;
	memmove(w->rest, w->rest + skip + len + more,
		strlen(w->rest + skip + len + more) + 1);
	return (int)len;
}

static int walk(struct walk *w)
{
	char *name = w->place->name;
	bool last = false;
	int ret = enter_at(w, AT_FDCWD, w->rest[0] == '/' ? "/" : ".", 0);

	while (ret == 0) {
		ret = next_name(w, name, &last);
		if (ret == 0)
			return fail(w, -EISDIR);
		if (ret > 0)
			ret = last ? step_last(w, name) : step(w, name);
	}
	if (ret == 1 && w->led && w->place->dir_st.st_uid != w->leader)
		ret = err_set(w->err, -EACCES, "writing %s: a link of user "
			      "%u leads outside that user's directories: name "
			      "its target instead", w->path,
			      (unsigned int)w->leader);
	return ret < 0 ? ret : 0;
}

int file_place_open(const char *path, unsigned int flags,
		    struct file_place *place, struct err *err)
{
	struct walk w = {
		.path = path, .flags = flags, .place = place, .err = err,
	};
	int ret;

	place->dir = -1;
	place->name[0] = '\0';
	if (!*path || strlen(path) >= sizeof(w.rest))
		return fail(&w, *path ? -ENAMETOOLONG : -ENOENT);
	strcpy(w.rest, path);
	ret = walk(&w);
	if (ret)
		file_place_close(place);
	return ret;
}

void file_place_close(struct file_place *place)
{
	if (place->dir >= 0)
		close(place->dir);
	place->dir = -1;
}
