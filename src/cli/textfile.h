/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that always holds the latest tick as a whole, for a collector that
 * looks at it when it pleases.
 */
#ifndef RBTOP_CLI_TEXTFILE_H
#define RBTOP_CLI_TEXTFILE_H

#include <stddef.h>

struct err;

/*
 * Whether @path can be written so, before the first tick is due: it lies in a
 * directory where files can be made, and what is there already is a regular
 * file or a link, to one that may not be there yet, that file_place.h lets it
 * follow.  0 or -errno with @err.
 */
int textfile_check(const char *path, struct err *err);

/*
 * Put @text in the place of what @path holds; see new_file_publish().  A link
 * stays a link: the file it leads to is replaced, or made.  0 or -errno with
 * @err; the old file is then intact.
 */
int textfile_write(const char *path, const char *text, size_t len,
		   struct err *err);

#endif
