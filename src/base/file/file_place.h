/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directory and the last name of a path, resolved component by component
 * with descriptors, so that the result cannot change between check and use.
 * The kernel's checks of links (fs.protected_symlinks) do not apply to a file
 * that is made under another name and renamed, so they are made here.
 *
 * A link in a sticky or world-writable directory is followed only if it belongs
 * to the caller or to the owner of the directory.  Anywhere else, a link that
 * belongs to neither the caller nor root must lead to a directory of its owner.
 * The caller is caps_own_uid(), and calls this between caps_own_begin() and
 * caps_own_end().
 */
#ifndef RBTOP_BASE_FILE_FILE_PLACE_H
#define RBTOP_BASE_FILE_FILE_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

struct err;

enum file_place_flags {
	FILE_PLACE_FOLLOW = 1,	/* the last component too, if it is a link */
	FILE_PLACE_MAKE = 2,	/* make missing directories: 0700, owned by the
				 * owner of the one that each is in */
};

struct file_place {
	int dir;		/* O_PATH */
	struct stat dir_st;
	char name[NAME_MAX + 1];	/* neither ".", ".." nor a link with
					 * FILE_PLACE_FOLLOW */
};

/*
 * Find the place of a file @path, which need not exist.  Returns 0 with @place,
 * which the caller closes; or -errno with @err ("writing PATH: reason"):
 * -EACCES for a link that is not followed, -EISDIR for a path that can only be
 * a directory, -EEXIST for one that leads to an open file (/dev/stdout).
 */
int file_place_open(const char *path, unsigned int flags,
		    struct file_place *place, struct err *err);
void file_place_close(struct file_place *place);

/* Whether users other than its owner can make entries in a directory. */
bool file_place_is_shared(const struct stat *dir);

#endif
