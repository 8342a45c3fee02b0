/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A flame view as an SVG that a browser opens by itself, with zoom, search and
 * hover inside: nothing is fetched.  Names are text to it, whatever they hold.
 */
#ifndef RBTOP_EXPORT_FLAME_FLAME_SVG_H
#define RBTOP_EXPORT_FLAME_FLAME_SVG_H

#include <stdio.h>

#include "samples/flame.h"

/* Boxes that take less than this share of all are left out. */
#define FLAME_SVG_LEAST 5e-5

/* 0 or -errno. */
int flame_svg_write(const struct flame *flame, const char *title, FILE *out);

#endif
