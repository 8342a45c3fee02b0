/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Callchains as an icicle: a box per frame, as wide as the share of what went
 * through it, below the box of its caller; comms outermost.
 */
#ifndef RBTOP_SAMPLES_FLAME_H
#define RBTOP_SAMPLES_FLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "samples/hot_query.h"

#define FLAME_NONE UINT32_MAX

struct flame_box {
	uint32_t parent;	/* index; FLAME_NONE: the root, "all" */
	uint32_t first, next;	/* child, sibling; FLAME_NONE */
	const char *name;	/* symbol or comm */
	const char *dso;	/* NULL: the root or a comm */
	enum symbol_kind kind;
	unsigned int depth;	/* 0: the root */
	double weight;		/* what shares are made of, that of its
				 * children included */
	double self;
	double samples;		/* those of its children included */
	double start;		/* of all, 0..1: where it begins */
};

/* boxes[0] is the root; parents come before children. */
struct flame {
	struct flame_box *boxes;
	uint32_t nr;
	unsigned int depth;	/* of the deepest box */
	bool by_events;		/* weights are events, else samples: see
				 * hot_rows.h */
};

/*
 * Make it of the samples that @query narrows to (its keys do not matter).
 * Siblings are in the order of their names.  Beyond a quarter of a million
 * boxes the comms that are left share one, HOT_MERGED.  0 or -ENOMEM.
 */
int flame_build(const struct hot *hot, const struct hot_query *query,
		struct flame *out);
void flame_free(struct flame *flame);

/*
 * The box that the same frames lead to as those of @box in @from (zoom kept
 * over ticks); the nearest outer one where it is gone.
 */
uint32_t flame_same(const struct flame *flame, const struct flame *from,
		    uint32_t box);

/*
 * Write the name as the folded format has it: sanitized, ';' replaced, "_[k]"
 * behind kernel functions and "_[j]" behind JIT ones, which flamegraph.pl
 * colours by.  Returns @buf.
 */
char *flame_folded_name(const struct flame_box *box, char *buf, size_t size);

#endif
