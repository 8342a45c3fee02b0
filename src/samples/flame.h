/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Callchains as an icicle graph: a box per frame, below the box of its caller;
 * its width is the share of the samples with that frame.  Comms are outermost.
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
	double weight;		/* samples or events, see by_events; including
				 * its children */
	double self;		/* the same, without its children */
	double samples;		/* including its children */
	double start;		/* left edge, 0..1 */
};

/* boxes[0] is the root; parents come before children. */
struct flame {
	struct flame_box *boxes;
	uint32_t nr;
	unsigned int depth;	/* of the deepest box */
	bool by_events;		/* weights are events, else samples: see
				 * hot_query.h */
};

/*
 * Build @out from the samples that @query selects (its keys are not used); free
 * it with flame_free().  Siblings are sorted by name.  Beyond 256k boxes, the
 * remaining comms share one box, HOT_MERGED.  0 or -ENOMEM.
 */
int flame_build(const struct hot *hot, const struct hot_query *query,
		struct flame *out);
void flame_free(struct flame *flame);

/*
 * The box with the same frames as @box of @from has (to keep the zoom); if it
 * is gone, the nearest outer one.
 */
uint32_t flame_same(const struct flame *flame, const struct flame *from,
		    uint32_t box);

/*
 * Write the name for the folded format: sanitized, ';' replaced, with "_[k]"
 * after kernel functions and "_[j]" after JIT ones, by which flamegraph.pl
 * colours them.  Returns @buf.
 */
char *flame_folded_name(const struct flame_box *box, char *buf, size_t size);

#endif
