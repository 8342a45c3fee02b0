/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the views of samples: narrowing the query of Hot and Flame
 * (shell.query), and texts that say why something is missing.
 */
#ifndef RBTOP_UI_VIEWS_NARROW_H
#define RBTOP_UI_VIEWS_NARROW_H

#include <string.h>

#include "samples/hot_query.h"
#include "samples/samples.h"
#include "ui/kit/view.h"

/* What a view was last made of, and for. */
struct hot_shown {
	const struct hot *hot;		/* NULL: none */
	uint64_t changes;		/* hot->changes at that time */
	struct hot_query query;
};

static inline bool hot_shown_is(const struct hot_shown *shown,
				const struct hot *hot,
				const struct hot_query *query)
{
	return shown->hot == hot && shown->changes == hot->changes &&
	       !memcmp(&shown->query, query, sizeof(*query));
}

/*
 * Narrow @query to samples that have the @keys (bits 1 << enum hot_key) of
 * @value; with @anywhere a symbol or dso matches in any frame of the callchain.
 * False if the query has no room for them (HOT_WHERES).
 */
bool narrow_add(struct hot_query *query, const struct hot *hot,
		unsigned int keys, const struct hot_value *value,
		bool anywhere);

/*
 * What @query is narrowed to, joined by @separator: "vfs_read > comm dd > CPU
 * 2"; "" if it is not narrowed.  Returns @buf.
 */
char *narrow_text(const struct hot *hot, const struct hot_query *query,
		  const char *separator, char *buf, size_t size);

/* Draw the same on a line; false if @query is not narrowed. */
bool narrow_draw(const struct hot *hot, const struct hot_query *query,
		 struct area line);

/* Whether the samples are those of a recording from a mark on. */
bool narrow_marked(const struct frame *frame);

/* Whether totals are of a whole run, which has ended. */
bool narrow_whole(const struct frame *frame);

/* What is noted while narrow_stale(): of a recording that stands still, samples
 * are not read up to there yet. */
#define NARROW_STALE "catching up"
bool narrow_stale(const struct frame *frame);

/* Note at @col which samples are shown, of which there are @samples, and whether
 * they are stale; returns as widget_note(). */
int narrow_which(struct area a, int col, const struct frame *frame,
		 const struct hot_query *query, double samples);

/* The name after the dot: "bytes_req" of "kmem:kmalloc.bytes_req". */
const char *narrow_field_name(const char *field);

/* Why samples are not decoded. */
const char *narrow_none(const struct frame *frame);

/*
 * If kernel functions have no names, draw why in the last rows of @a.  Returns
 * how many rows that took.
 */
int narrow_hidden(const struct samples *samples, struct area a);

/* Why there are no callchains, and how to get them. */
const char *narrow_no_chains(const struct frame *frame);

#endif
