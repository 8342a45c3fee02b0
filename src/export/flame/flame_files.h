/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A flame view as files: folded stacks, which flamegraph.pl, speedscope and
 * their like read, and an SVG (see flame_svg.h).
 */
#ifndef RBTOP_EXPORT_FLAME_FLAME_FILES_H
#define RBTOP_EXPORT_FLAME_FLAME_FILES_H

#include <stddef.h>
#include <stdio.h>

#include "samples/flame.h"

struct err;

/*
 * "comm;outer;inner 12" per stack; counts, of what the flame's weights are, add
 * up.  0 or -errno.
 */
int flame_files_folded(const struct flame *flame, FILE *out);

/*
 * Write both into @dir as rbtop-YYYYmmdd-HHMMSS[-N].folded and .svg (@time:
 * unix seconds), each complete or not at all.  @path gets the SVG's.  0 or
 * -errno with @err.
 */
int flame_files_write(const struct flame *flame, const char *title,
		      const char *dir, double time, char *path, size_t size,
		      struct err *err);

#endif
