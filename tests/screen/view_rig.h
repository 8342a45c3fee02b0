/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A screen about samples, with a copy of the frames' samples that tests may
 * change.
 */
#ifndef RBTOP_TESTS_VIEW_RIG_H
#define RBTOP_TESTS_VIEW_RIG_H

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "samples/feed.h"
#include "samples/hot_table.h"
#include "samples/samples.h"
#include "tests/screen/frames.h"

enum { CELLS = 9, SYMBOLS = 12 };

struct view_rig {
	struct screen *s;
	struct samples samples;
	struct hot hot;
	struct hot_cell cells[CELLS];
	struct hot_symbol symbols[SYMBOLS];
	struct feed *feed;	/* of the test; NULL: none */
};

static inline struct view_rig *view_rig_new(const struct view_ops *ops)
{
	struct view_rig *r = calloc(1, sizeof(*r));

	if (!r)
		abort();
	setenv("TZ", "UTC0", 1);
	tzset();
	r->s = screen_new(ops);
	r->samples = *frames_samples();
	r->hot = *r->samples.hot;
	if (r->hot.nr_cells != CELLS || r->hot.nr_symbols != SYMBOLS)
		abort();
	memcpy(r->cells, r->hot.cells, sizeof(r->cells));
	memcpy(r->symbols, r->hot.symbols, sizeof(r->symbols));
	r->hot.cells = r->cells;
	r->hot.symbols = r->symbols;
	r->samples.hot = &r->hot;
	return r;
}

static inline int view_rig_teardown(void **state)
{
	struct view_rig *r = *state;

	screen_free(r->s);
	feed_free(r->feed);
	free(r);
	return 0;
}

/*
 * Make a frame with the samples, for a screen of that size; nothing is drawn
 * yet.
 */
static inline void prepare_at(struct view_rig *r, int rows, int cols)
{
	screen_open(r->s, rows, cols, 2);
	r->s->frame->samples = &r->samples;
}

static inline void open_at(struct view_rig *r, int rows, int cols)
{
	prepare_at(r, rows, cols);
	screen_draw(r->s);
}

/* Draw the same frame at another size. */
static inline void resize(struct view_rig *r, int rows, int cols)
{
	canvas_free(r->s->canvas);
	r->s->canvas = canvas_new(rows, cols, false);
	screen_draw(r->s);
}

/* Mark the counts as changed, and draw. */
static inline void tick(struct view_rig *r)
{
	r->hot.changes++;
	screen_draw(r->s);
}

static inline void act(struct view_rig *r, enum action action)
{
	screen_act(r->s, action);
}

static inline bool has(const struct view_rig *r, int row, const char *text)
{
	return strstr(screen_row(r->s->canvas, row), text) != NULL;
}

#endif
