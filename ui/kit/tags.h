/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rings that a person tagged, and those that a key is therefore about.  Rings
 * are known by their index alone.
 */
#ifndef RBTOP_UI_KIT_TAGS_H
#define RBTOP_UI_KIT_TAGS_H

#include <stdbool.h>
#include <stddef.h>

/* Plain data; zeroed: none. */
struct tags {
	bool *on;		/* by ring */
	size_t *targets;	/* what tags_targets() last found */
	size_t capacity;	/* of both */
	size_t nr;		/* tagged */
};

/* Room for @nr rings.  False, and nothing is changed, when out of memory. */
bool tags_reserve(struct tags *t, size_t nr);
void tags_free(struct tags *t);

bool tags_has(const struct tags *t, size_t ring);
/* Tag @ring, or take its tag off.  False where there is no such ring. */
bool tags_toggle(struct tags *t, size_t ring);
void tags_clear(struct tags *t);

/*
 * The tagged ones of the first @nr rings that @wanted (NULL: all) is true for;
 * where there are none @current, unless that is no ring.  They stand in
 * t->targets; returns how many.
 */
size_t tags_targets(struct tags *t, size_t nr, size_t current,
		    bool (*wanted)(const void *ctx, size_t ring),
		    const void *ctx);

#endif
