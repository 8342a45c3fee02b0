/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A flame graph as an SVG for browsers, with zoom, search and tooltips; nothing
 * is downloaded.  Names are escaped.
 */
#ifndef RBTOP_EXPORT_FLAME_FLAME_SVG_H
#define RBTOP_EXPORT_FLAME_FLAME_SVG_H

#include <stdio.h>

#include "samples/flame.h"

/* Boxes with a smaller share of the total are left out. */
#define FLAME_SVG_LEAST 5e-5

/* 0 or -errno. */
int flame_svg_write(const struct flame *flame, const char *title, FILE *out);

#endif
