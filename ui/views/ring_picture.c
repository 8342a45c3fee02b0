/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ring drawn as what it is: bytes from 0 to its size, the part between
 * tail and head filled, which may go round the end.
 *
 *          tail 65536 ▼         ▼ head 131072
 *	▕·················██████████····│···················│▏
 *	0                               ▲ wakes at 262144  ↺ 524288
 */
#include "ui/views/ring_detail.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/widgets.h"

enum { LEAST_TICK_GAP = 4 };

/* Something to point at: a column, and what is there. */
struct mark {
	int col;
	uint32_t glyph;		/* 0: the text alone, starting there */
	char letter;		/* instead of the glyph where no text fits */
	char text[64];
};

/* The cell of an offset into the ring. */
static int cell_of(const struct frame_ring *r, uint64_t position, int cells)
{
	double offset = (double)(position % r->size);
	int cell = (int)(offset / (double)r->size * cells);

	return cell < cells ? cell : cells - 1;
}

/*
 * An overwrite ring is written from its end to its start, so its head, which
 * the frame counts upward, stands that far from the end.
 */
static uint64_t head_offset(const struct frame_ring *r)
{
	uint64_t offset = r->head % r->size;

	return r->overwrite ? (r->size - offset) % r->size : offset;
}

static uint64_t used_from(const struct frame_ring *r)
{
	return r->overwrite ? head_offset(r) : r->tail % r->size;
}

/*
 * Whether the middle of a cell lies in the part that holds records; the cell
 * where that begins counts as well, so that little is not nothing.
 */
static bool is_used(const struct frame_ring *r, int cell, int cells)
{
	double middle = (cell + .5) / cells * (double)r->size;
	double from = (double)used_from(r);
	double ahead = middle - from;

	if (r->used && cell == cell_of(r, used_from(r), cells))
		return true;
	if (ahead < 0)
		ahead += (double)r->size;
	return ahead < (double)r->used;
}

static void draw_cells(struct area a, int row, const struct frame_ring *r)
{
	int cells = a.cols - 2;
	enum role role = r->gone ? ROLE_DIM :
			 r->overwrite ? ROLE_SPARK : widget_level(r->fill);

	area_put(a, row, 0, ROLE_DIM, widget_glyph(a, GLYPH_CAP_LEFT));
	area_put(a, row, a.cols - 1, ROLE_DIM,
		 widget_glyph(a, GLYPH_CAP_RIGHT));
	for (int i = 0; i < cells; i++) {
		bool used = is_used(r, i, cells);

		area_put(a, row, 1 + i, used ? role : ROLE_DIM,
			 widget_glyph(a, used ? GLYPH_FULL : GLYPH_FREE));
	}
}

static bool has_watermark(const struct frame_ring *r)
{
	return !r->overwrite && r->watermark && r->watermark != FRAME_UNKNOWN &&
	       r->next_crossing;
}

static void draw_tick(struct area a, int row, int cell, bool used, bool next)
{
	area_put(a, row, 1 + cell, next ? ROLE_TICK : ROLE_DIM,
		 widget_glyph(a, GLYPH_TICK));
	if (used)
		area_reverse(a, row, 1 + cell, 1);
}

/* The next crossing, and dimmer the later ones before the ring is full. */
static void draw_ticks(struct area a, int row, const struct frame_ring *r)
{
	int cells = a.cols - 2, cell;
	uint64_t end = r->tail + r->size, at = r->next_crossing;
	double gap = (double)r->watermark / (double)r->size * cells;

	if (!has_watermark(r))
		return;
	if (gap >= LEAST_TICK_GAP) {
		for (at += r->watermark; at < end; at += r->watermark) {
			cell = cell_of(r, at, cells);
			if (!is_used(r, cell, cells))
				draw_tick(a, row, cell, false, false);
		}
	}
	if (r->next_crossing <= end) {
		cell = cell_of(r, r->next_crossing, cells);
		draw_tick(a, row, cell, is_used(r, cell, cells), true);
	}
}

static bool is_free(const bool *taken, int cols, int from, int len)
{
	if (from < 0 || from + len > cols)
		return false;
	for (int i = from; i < from + len; i++) {
		if (taken[i])
			return false;
	}
	return true;
}

/* The label goes right of its mark, or left of it; the place, or -1. */
static int place_text(const struct mark *m, const bool *taken, int cols,
		      int len)
{
	if (!m->glyph)
		return is_free(taken, cols, m->col, len) ? m->col : -1;
	if (is_free(taken, cols, m->col + 1, len + 2))
		return m->col + 2;
	if (m->col + 2 + len == cols &&
	    is_free(taken, cols, m->col + 1, len + 1))
		return m->col + 2;
	if (is_free(taken, cols, m->col - 1 - len, len + 1))
		return m->col - 1 - len;
	return -1;
}

/* Marks first, then as many labels as there is room for, in their order. */
static void draw_marks(struct area a, int row, const struct mark *marks,
		       size_t nr)
{
	bool taken[CANVAS_MAX_COLS] = { false };
	int at, len;

	for (size_t i = 0; i < nr; i++) {
		if (marks[i].glyph)
			taken[marks[i].col] = true;
	}
	for (size_t i = 0; i < nr; i++) {
		const struct mark *m = &marks[i];

		len = text_width(m->text);
		at = place_text(m, taken, a.cols, len);
		if (m->glyph)
			area_put(a, row, m->col, ROLE_TICK,
				 at < 0 ? (uint32_t)m->letter : m->glyph);
		if (at < 0)
			continue;
		area_text(a, row, at, 0, m->glyph ? ROLE_DEFAULT : ROLE_DIM,
			  m->text);
		memset(&taken[at], true, (size_t)len);
	}
}

static unsigned long long shown(uint64_t position, const struct frame_ring *r)
{
	return (unsigned long long)(position % r->size);
}

/* Head and tail, above the ring. */
static void draw_above(struct area a, int row, const struct frame_ring *r)
{
	int cells = a.cols - 2;
	uint32_t down = widget_glyph(a, GLYPH_DOWN);
	struct mark marks[2] = {
		{ .col = 1 + cell_of(r, head_offset(r), cells),
		  .glyph = down, .letter = 'H' },
		{ .col = 1 + cell_of(r, r->tail, cells),
		  .glyph = down, .letter = 'T' },
	};
	size_t nr = 2;

	snprintf(marks[0].text, sizeof(marks[0].text), "head %llu",
		 (unsigned long long)head_offset(r));
	snprintf(marks[1].text, sizeof(marks[1].text), "tail %llu",
		 shown(r->tail, r));
	if (r->overwrite) {
		nr = 1;
		snprintf(marks[0].text, sizeof(marks[0].text),
			 "head %llu, going %s",
			 (unsigned long long)head_offset(r),
			 a.canvas->ascii ? "<-" : "←");
	} else if (r->head == r->tail) {
		nr = 1;
		snprintf(marks[0].text, sizeof(marks[0].text),
			 "head = tail %llu", shown(r->tail, r));
	} else if (marks[0].col == marks[1].col) {
		nr = 1;
		snprintf(marks[0].text, sizeof(marks[0].text),
			 "tail %llu, head %llu", shown(r->tail, r),
			 (unsigned long long)head_offset(r));
	}
	draw_marks(a, row, marks, nr);
}

/* Where the ring begins, wakes next and goes round, below it. */
static void draw_below(struct area a, int row, const struct frame_ring *r)
{
	struct mark marks[3] = { { .text = "0" } };
	size_t nr = 1;
	int len;

	snprintf(marks[nr].text, sizeof(marks[nr].text), "%s %llu",
		 a.canvas->ascii ? "wraps at" : "↺",
		 (unsigned long long)r->size);
	len = text_width(marks[nr].text);
	marks[nr++].col = a.cols > len ? a.cols - len : 0;
	if (has_watermark(r) && r->next_crossing <= r->tail + r->size) {
		marks[nr].col = 1 + cell_of(r, r->next_crossing, a.cols - 2);
		marks[nr].glyph = widget_glyph(a, GLYPH_UP);
		marks[nr].letter = 'W';
		snprintf(marks[nr].text, sizeof(marks[nr].text),
			 "wakes at %llu", shown(r->next_crossing, r));
		nr++;
	}
	draw_marks(a, row, marks, nr);
}

int ring_picture_draw(struct area a, int row, const struct frame_ring *r)
{
	if (!r->size || r->size == FRAME_UNKNOWN || a.cols < 4) {
		area_text(a, row, 0, 0, ROLE_DIM, "the ring has no size yet");
		return row + 1;
	}
	draw_above(a, row, r);
	draw_cells(a, row + 1, r);
	draw_ticks(a, row + 1, r);
	draw_below(a, row + 2, r);
	return row + 3;
}
