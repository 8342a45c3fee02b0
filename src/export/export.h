/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames for programs and pipes: one formatter each. */
#ifndef RBTOP_EXPORT_EXPORT_H
#define RBTOP_EXPORT_EXPORT_H

#include <stdio.h>

#include "model/frame.h"

struct export_format {
	const char *name;	/* --format NAME */
	/* One tick.  0, or -errno where writing or memory failed. */
	int (*frame)(const struct frame *frame, FILE *out);
};

extern const struct export_format export_text, export_json;

/* By name; NULL where there is none. */
const struct export_format *export_find(const char *name);
/* "text, json" */
const char *export_names(void);

#endif
