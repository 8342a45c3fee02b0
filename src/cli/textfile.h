/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that always contains the latest tick, complete, for a collector that
 * may read it at any time.
 */
#ifndef RBTOP_CLI_TEXTFILE_H
#define RBTOP_CLI_TEXTFILE_H

#include <stddef.h>

struct err;

/*
 * Check, before the first tick, that @path can be written: files can be made in
 * its directory, and it does not exist, is a regular file, or is a link to one
 * (which need not exist) that file_place.h allows.  0 or -errno with @err.
 */
int textfile_check(const char *path, struct err *err);

/*
 * Replace the contents of @path by the @len bytes of @text atomically; see
 * new_file_publish().  If it is a link, its target is replaced, or made.  0, or
 * -errno with @err and the old file intact.
 */
int textfile_write(const char *path, const char *text, size_t len,
		   struct err *err);

#endif
