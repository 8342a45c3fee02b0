/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that appears complete or not at all.  It is written without a name
 * (O_TMPFILE, mode 0600), synced, and then linked, so that nothing is left of
 * it if the program is killed.  linkat(2) cannot replace a file: to do so, the
 * new one is linked as NAME.XXXXXX in the same directory, and renamed.  On file
 * systems without O_TMPFILE it has such a name while it is written
 * (O_EXCL|O_NOFOLLOW), and keeps it if the program is killed.
 *
 * The file is created, linked, renamed and removed between caps_own_begin() and
 * caps_own_end(), in the directory that was found when it was opened;
 * file_place.h says which symbolic links are followed.
 */
#ifndef RBTOP_BASE_FILE_NEW_FILE_H
#define RBTOP_BASE_FILE_NEW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct err;
struct new_file;

enum new_file_flags {
	/*
	 * Replace an existing file; if it is a link, its target, which need
	 * not exist.  -EEXIST if that is not a regular file.
	 */
	NEW_FILE_FOLLOW = 1,
	/*
	 * Give it the owner of the file that it replaces, or of the directory
	 * that it is made in (unless other users can make files there).
	 * Missing directories are made, and get their owner in the same way.
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
 * Replace an existing file of that name, readable to others (0644, restricted
 * by the umask and by the mode of the replaced file if that belongs to the
 * caller or the owner of the directory), without waiting for the disk: for
 * files that are rewritten every few seconds.  Readers always find a complete
 * file, but after a crash of the machine it may be missing or empty.
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
