/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that appears complete or not at all, unless it is given its name early
 * (new_file_name_unique()).  It is written without a name (O_TMPFILE, mode
 * 0600), synced, and then linked, so that nothing is left of it if the program
 * is killed.  linkat(2) cannot replace a file: to do so, the
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
	 * Give it the owner and the mode of the file that it replaces, or the
	 * owner of the directory that it is made in (unless other users can
	 * make files there).
	 * Missing directories are made, and get their owner in the same way.
	 */
	NEW_FILE_KEEP_OWNER = 2,
};

/*
 * Start a file, to be written to new_file_stream(), which can seek.  @flags of
 * enum new_file_flags; 0: do not replace a file.  NULL with @err.
 */
struct new_file *new_file_open(const char *path, unsigned int flags,
			       struct err *err);
FILE *new_file_stream(struct new_file *file);
/*
 * Call @between before each write of at most 1 MiB, and when only the name is
 * missing.  If it does not return 0, the write or the commit fails with what it
 * returns (-ECANCELED).
 */
typedef int new_file_between_fn(void *ctx);
void new_file_between(struct new_file *file, new_file_between_fn *between,
		      void *ctx);
/* Free space of its file system in bytes; UINT64_MAX if unknown. */
uint64_t new_file_room(const struct new_file *file);
/* The -errno of the first write that failed; 0 if none has.  For any thread. */
int new_file_error(const struct new_file *file);
/*
 * Flush, sync and name the file.  If the name exists, it is replaced with
 * @replace, else -EEXIST.  Frees @file.  0, or -errno with @err; then nothing
 * of it is left.
 */
int new_file_commit(struct new_file *file, bool replace, struct err *err);
/*
 * Before it is named: readable to others as the umask says (0644), instead of to
 * its owner only.  0 or -errno.
 */
int new_file_share(struct new_file *file);
/*
 * Replace an existing file of that name, readable to others (0644, restricted
 * by the umask and by the mode of the replaced file if that belongs to the
 * caller or the owner of the directory), without waiting for the disk: for
 * files that are rewritten every few seconds.  Readers always find a complete
 * file, but after a crash of the machine it may be missing or empty.
 */
int new_file_publish(struct new_file *file, struct err *err);
/*
 * The same as new_file_commit() without @replace, for data that must not be
 * lost: if its name is taken, the first free one of NAME-1.EXT, NAME-2.EXT, ...
 * is used.  @path (of @size bytes) is set to the path used.
 */
int new_file_commit_unique(struct new_file *file, char *path, size_t size,
			   struct err *err);
/*
 * Flush the file, and give it now the name that new_file_commit_unique() would
 * give it, so that what is written is not lost with the program.  The second
 * time it only flushes.  0 or -errno with @err; -ENOENT if someone has removed
 * it since.
 */
int new_file_name_unique(struct new_file *file, struct err *err);
/* The path that it was given early; NULL: none, or it was removed since. */
const char *new_file_named(const struct new_file *file);
/* Remove and free the file.  NULL is allowed. */
void new_file_cancel(struct new_file *file);
/* The same, but a file that has its name is left as it is. */
void new_file_leave(struct new_file *file);

/* Remove a file with the rights that files are made with.  0 or -errno. */
int new_file_remove(const char *path);

#endif
