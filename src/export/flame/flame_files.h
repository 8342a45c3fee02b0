/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A flame graph as files: folded stacks, for flamegraph.pl, speedscope and
 * similar tools; and an SVG for browsers, with zoom, search and tooltips, which
 * downloads nothing and whose names are escaped.
 */
#ifndef RBTOP_EXPORT_FLAME_FLAME_FILES_H
#define RBTOP_EXPORT_FLAME_FLAME_FILES_H

#include <stddef.h>
#include <stdio.h>

#include "samples/flame.h"

struct err;

/*
 * Write "comm;outer;inner 12" per stack; counts have the unit of the weights,
 * and add up.  0 or -errno.
 */
int flame_files_folded(const struct flame *flame, FILE *out);
/* Write the SVG.  0 or -errno. */
int flame_svg_write(const struct flame *flame, const char *title, FILE *out);

/*
 * Check that @path can be written by flame_file_write(), or replaced.  0 or
 * -errno with @err.
 */
int flame_file_check(const char *path, struct err *err);
/*
 * Write the SVG if @path ends in ".svg", else folded stacks; "-": these, to
 * standard output.  A file is replaced, complete or not at all.  0 or -errno
 * with @err; -EPIPE if standard output has no reader.
 */
int flame_file_write(const struct flame *flame, const char *title,
		     const char *path, struct err *err);

/*
 * Write both to @dir as rbtop-YYYYmmdd-HHMMSS[-N].folded and .svg (@time: unix
 * seconds), complete or not at all.  @path is set to the SVG's.  0 or -errno
 * with @err.
 */
int flame_files_write(const struct flame *flame, const char *title,
		      const char *dir, double time, char *path, size_t size,
		      struct err *err);

#endif
