/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directory and the name that a path stands for, found component by
 * component from descriptors: what a path leads to cannot be changed between
 * the look and the use.  Links are followed by rules of their own, for a file
 * that is made beside its name and renamed never meets those of the kernel
 * (fs.protected_symlinks).
 *
 * A link in a sticky or world-writable directory is followed only where it is
 * the caller's own or the directory owner's.  Any other link of somebody else
 * but root leads no further than into directories of that user's.  The caller
 * is caps_own_uid(), and calls this between caps_own_begin() and _end().
 */
#ifndef RBTOP_BASE_FILE_PLACE_H
#define RBTOP_BASE_FILE_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

struct err;

enum file_place_flags {
	FILE_PLACE_FOLLOW = 1,	/* the last component too, if it is a link */
	FILE_PLACE_MAKE = 2,	/* directories that are missing: 0700, and of
				 * the owner of the one that each is made in */
};

struct file_place {
	int dir;		/* O_PATH */
	struct stat dir_st;
	char name[NAME_MAX + 1];	/* neither ".", ".." nor a link with
					 * FILE_PLACE_FOLLOW */
};

/*
 * Find where @path, which need not be there, is to be made.  0 with @place, to
 * be closed; or -errno with @err ("writing PATH: reason"): -EACCES for a link that is
 * not followed, -EISDIR for a path that can only be a directory's, -EEXIST for
 * one that stands for an open file (/dev/stdout).
 */
int file_place_open(const char *path, unsigned int flags,
		    struct file_place *place, struct err *err);
void file_place_close(struct file_place *place);

/* Whether entries in a directory may be of people whom its owner gave none. */
bool file_place_is_shared(const struct stat *dir);

#endif
