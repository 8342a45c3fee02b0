/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the Hot and Flame views are narrowed to: the shell's query. */
#ifndef RBTOP_UI_VIEWS_NARROW_H
#define RBTOP_UI_VIEWS_NARROW_H

#include "samples/hot_query.h"
#include "samples/samples.h"
#include "ui/kit/view.h"

/*
 * Narrow to what @value has of @keys (bits 1 << enum hot_key); with @anywhere
 * functions count wherever they stand in the callchain.  False where there is
 * no room.
 */
bool narrow_add(struct hot_query *query, const struct hot *hot,
		unsigned int keys, const struct hot_value *value,
		bool anywhere);

/*
 * "vfs_read > comm dd > CPU 2", with @separator between; "" where nothing is
 * narrowed.  Returns @buf.
 */
char *narrow_text(const struct hot *hot, const struct hot_query *query,
		  const char *separator, char *buf, size_t size);

/* "bytes_req" of the field chosen, "kmem:kmalloc.bytes_req". */
const char *narrow_field_name(const char *field);

/* Why samples are not looked into. */
const char *narrow_none(const struct frame *frame);

/*
 * Why the kernel's functions have no names, in the last rows of @a; how many
 * that took.
 */
int narrow_hidden(const struct samples *samples, struct area a);

/* Why there are no callchains, and how to have them. */
const char *narrow_no_chains(const struct frame *frame);

#endif
