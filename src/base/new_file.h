/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is there as a whole or not at all: written under a temporary
 * name beside its own (0600, O_EXCL|O_NOFOLLOW), synced, then renamed.  Names
 * are given and taken between caps_own_begin() and _end(), in the directory that was found
 * when it was opened; see file_place.h for which links lead to it.
 */
#ifndef RBTOP_BASE_NEW_FILE_H
#define RBTOP_BASE_NEW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct err;
struct new_file;

enum new_file_flags {
	/*
	 * To replace what bears the name: where that is a link, what it leads
	 * to, be it there or not.  -EEXIST where it is no regular file.
	 */
	NEW_FILE_FOLLOW = 1,
	/*
	 * It has the owner of the file that it replaces, or of the directory
	 * of another user that it is made in (unless anybody may make files
	 * there), and so have directories, which are made where they are
	 * missing.
	 */
	NEW_FILE_KEEP_OWNER = 2,
};

/*
 * NULL with @err.  @flags of enum new_file_flags; 0: a new one.  Write to
 * new_file_stream(), which can seek.
 */
struct new_file *new_file_open(const char *path, unsigned int flags,
			       struct err *err);
FILE *new_file_stream(struct new_file *file);
/*
 * Have @between called before each piece of at most 1 MiB that goes to the
 * disk, and when all is there but the name: what it returns, if not 0, is what
 * the write or the commit fails with (-ECANCELED).
 */
typedef int new_file_between_fn(void *ctx);
void new_file_between(struct new_file *file, new_file_between_fn *between,
		      void *ctx);
/* Bytes that its file system has room for; UINT64_MAX where it does not say. */
uint64_t new_file_room(const struct new_file *file);
/* What the first write that failed said, -errno; 0: none did so far. */
int new_file_error(const struct new_file *file);
/*
 * Flush, sync and give it its name; with @replace in the place of what bears
 * that now, else -EEXIST.  Frees @file.  0 or -errno with @err; then nothing
 * of it is left.
 */
int new_file_commit(struct new_file *file, bool replace, struct err *err);
/*
 * In the place of what bears its name, for others to read (0644 less the
 * umask, and less what the mode of the file that is replaced does not give,
 * where that is the caller's or the directory's owner's), and without waiting for the disk: for what is written anew every few
 * seconds.  Whoever opens it finds it whole, but it may be lacking or empty
 * after the machine has crashed.
 */
int new_file_publish(struct new_file *file, struct err *err);
/*
 * The same as new_file_commit() without @replace, but for what is too dear to
 * be dropped: where its name is taken by now, under the first free one of
 * NAME-1.EXT, NAME-2.EXT, ...; @path (of @size bytes) says which it was.
 */
int new_file_commit_beside(struct new_file *file, char *path, size_t size,
			   struct err *err);
/* Leave nothing.  NULL is fine. */
void new_file_cancel(struct new_file *file);

/* Remove a file by the rights that it was made with.  0 or -errno. */
int new_file_remove(const char *path);

#endif
