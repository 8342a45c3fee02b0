/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A flame graph with names that are hostile to its output formats. */
#ifndef RBTOP_TESTS_FLAME_RIG_H
#define RBTOP_TESTS_FLAME_RIG_H

#include <stdio.h>

#include "export/flame/flame_files.h"

#define BOX(p, f, n, nm, d, k, dep, w, s, st)                              \
	{ .parent = p, .first = f, .next = n, .name = nm, .dso = d,        \
	  .kind = k, .depth = dep, .weight = w, .self = s, .samples = w,   \
	  .start = st }
#define NO FLAME_NONE
#define KERNEL "[kernel.kallsyms]"

/*
 * all 100
 *   dd 80: main 80 (10 itself): read 40: vfs_read 40, write 30
 *   evil 20: names that are markup, script and worse
 */
static const char markup[] = "</title><script>alert(1)</script>&amp;\"'";
static const char cdata[] = "]]><b onclick='x()'>operator<< <int></b>";
static const char controls[] = "a\x1b[31mb\xff;c\nd\xef\xbf\xbe";

static struct flame_box boxes[] = {
	BOX(NO, 1, NO, "all", NULL, SYMBOL_UNKNOWN, 0, 100, 0, 0),
	BOX(0, 3, 2, "dd", NULL, SYMBOL_UNKNOWN, 1, 80, 0, 0),
	BOX(0, 7, NO, "evil", NULL, SYMBOL_UNKNOWN, 1, 20, 0, 0.8),
	BOX(1, 4, NO, "main", "/usr/bin/dd", SYMBOL_USER, 2, 80, 10, 0),
	BOX(3, 6, 5, "read", "/lib/libc.so.6", SYMBOL_USER, 3, 40, 0, 0),
	BOX(3, NO, NO, "write", "/lib/libc.so.6", SYMBOL_USER, 3, 30, 30, 0.4),
	BOX(4, NO, NO, "vfs_read", KERNEL, SYMBOL_KERNEL, 4, 40, 40, 0),
	BOX(2, NO, 8, markup, "/tmp/<b>&", SYMBOL_USER, 2, 10, 10, 0.8),
	BOX(2, NO, 9, cdata, "/tmp/x", SYMBOL_JIT, 2, 6, 6, 0.9),
	BOX(2, NO, NO, controls, "/tmp/x", SYMBOL_USER, 2, 4, 4, 0.96),
};
static const struct flame flame = { boxes, sizeof(boxes) / sizeof(*boxes), 4,
				    false };

static inline int write_svg(const struct flame *f, FILE *out)
{
	return flame_svg_write(f, "dd & <evil>", out);
}

#endif
