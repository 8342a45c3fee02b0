/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/ring/ring_detail.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "ring/figures.h"
#include "ui/draw/widgets.h"
#include "ui/kit/tune.h"
#include "ui/views/ring_cells.h"

/* Numbers, the overwrite ring's reading, the advice. */

enum {
	TEXT = 64,		/* bytes of an entry's text */
	BLOCKS = 3,		/* of a kind of rings */
	BLOCK = 25,		/* least columns of a block */
	BLOCK_GAP = 2,		/* between blocks */
	BLOCK_MAX = 44,		/* most columns: label and text stay close */
};

static char *seconds(double value, char *buf, size_t size)
{
	if (isnan(value)) {
		snprintf(buf, size, "-");
		return buf;
	}
	return units_duration(buf, size, value);
}

/* A text in place of a figure, if each record wakes the reader: then crossings
 * count bytes.  NULL: none. */
static const char *word_for(enum figure figure, const struct ring_row *r)
{
	if (!ring_row_wakes_always(r))
		return NULL;
	if (figure == FIGURE_WATERMARK)
		return "every record";
	return figure == FIGURE_CROSSINGS ? "-" : NULL;
}

/* Losses that grow, and warnings, have the mark '!'. */
static void entry_text(enum figure figure, const struct ring_row *r,
		       char text[TEXT])
{
	const struct figure_info *info = figure_info(figure);
	const char *word = word_for(figure, r);
	enum figure_alarm alarm = figure_alarm(figure, r);
	size_t mark = alarm == FIGURE_LOSING || alarm == FIGURE_WARNS;

	text[0] = '!';
	if (word)
		snprintf(text, TEXT, "%s", word);
	else if (info->rounded)
		figure_text(figure, r, text + mark, TEXT - mark);
	else
		figure_exact(figure, r, text + mark, TEXT - mark);
}

/* Figures of a block, below a heading if they have one. */
struct part {
	const char *heading;
	enum figure_block block;	/* BLOCK_NONE: end of the list */
};

static enum figure_block block_of(enum figure figure, const struct ring_row *r)
{
	const struct figure_info *info = figure_info(figure);

	if (figure == FIGURE_LOST && !r->lost_before)
		return BLOCK_NONE;	/* the same as since the start */
	if (isnan(r->lost_from) &&
	    (figure == FIGURE_LOST_BYTES || figure == FIGURE_COUNTED))
		return BLOCK_NONE;
	return r->reads ? info->own : info->host;
}

/*
 * The label of entry @i of the parts, counting headings, and its text: "" for a
 * heading.  NULL: no such entry.
 */
static const char *entry_at(const struct part *parts, size_t i,
			    const struct ring_row *r, char text[TEXT])
{
	for (const struct part *part = parts; part->block; part++) {
		if (part->heading && i-- == 0) {
			text[0] = '\0';
			return part->heading;
		}
		for (enum figure figure = 0; figure < FIGURES; figure++) {
			if (block_of(figure, r) != part->block || i-- > 0)
				continue;
			entry_text(figure, r, text);
			return figure_info(figure)->label;
		}
	}
	return NULL;
}

struct block {
	const char *title;
	const struct part *parts;
};

static enum role text_role(const char *text)
{
	if (text[0] == '!')
		return ROLE_BAD;
	return strcmp(text, "-") && strcmp(text, "0") ? ROLE_VALUE : ROLE_DIM;
}

static int draw_block(struct area a, int row, const struct block *block,
		      const struct ring_row *r)
{
	int end = a.cols < BLOCK_MAX ? a.cols : BLOCK_MAX;
	char text[TEXT];
	const char *label;

	widget_heading(a, row++, block->title);
	for (size_t i = 0; (label = entry_at(block->parts, i, r, text)); i++) {
		area_text(a, row, 0, 0, *text ? ROLE_LABEL : ROLE_DIM, label);
		area_text_right(a, row++, end, text_role(text), text);
	}
	return row;
}

/*
 * Draw the blocks from row @row on, as many side by side as fit.  Returns the
 * row below them.
 */
static int draw_blocks(struct area a, int row, const struct block *blocks,
		       const struct ring_row *r)
{
	int across = (a.cols + BLOCK_GAP) / (BLOCK + BLOCK_GAP), width;
	int top = row, end = row;

	across = across > BLOCKS ? BLOCKS : across < 1 ? 1 : across;
	width = (a.cols + BLOCK_GAP) / across - BLOCK_GAP;
	for (int i = 0; i < BLOCKS; i++) {
		int at = i % across, next;

		if (!at)
			top = end;
		next = draw_block(area_sub(a, 0, at * (width + BLOCK_GAP),
					   a.rows, width),
				  top, &blocks[i], r);
		end = next > end ? next : end;
	}
	return end;
}

#define PARTS(...) ((const struct part[]){ __VA_ARGS__, { NULL, BLOCK_NONE } })

int ring_figures_draw(struct area a, int row, const void *ring)
{
	const struct block own[BLOCKS] = {
		{ "Fill", PARTS({ NULL, BLOCK_FILL }) },
		{ "Wakeups", PARTS({ NULL, BLOCK_WAKEUPS }) },
		{ "Losses", PARTS({ NULL, BLOCK_LOSSES }) },
	}, host[BLOCKS] = {
		{ "Now", PARTS({ NULL, BLOCK_NOW }) },
		{ "Since first seen",
		  PARTS({ NULL, BLOCK_WATCHED },
			{ "memory", BLOCK_MEMORY }) },
		{ "Totals",
		  PARTS({ "since mapped", BLOCK_MAPPED },
			{ "since opened", BLOCK_OPENED }) },
	};
	const struct ring_row *r = ring;

	row = draw_blocks(a, row, r->reads ? own : host, r);
	if (r->kind == RING_BPF && isnan(r->lost_from) && !r->to_kernel)
		row = area_wrapped(a, row, ROLE_DIM, "BPF ring buffers do "
				   "not count losses: when one is full, "
				   "bpf_ringbuf_reserve() fails, which only "
				   "the BPF program sees; rbtop --host "
				   "--ringbuf-drops counts them");
	return row;
}

int ring_figures_aux(struct area a, int row, const void *ring)
{
	const struct block own[BLOCKS] = {
		{ "AUX ring", PARTS({ NULL, BLOCK_AUX }) },
		{ "AUX records", PARTS({ NULL, BLOCK_AUX_RECORDS }) },
		{ "Stops", PARTS({ NULL, BLOCK_AUX_STOPS }) },
	}, host[BLOCKS] = {
		{ "AUX ring", PARTS({ NULL, BLOCK_AUX }) },
		{ "Position", PARTS({ NULL, BLOCK_AUX_HEAD }) },
		{ "Fill", PARTS({ NULL, BLOCK_AUX_FILL }) },
	};
	const struct ring_row *r = ring;

	if (!r->aux.size || !r->known)
		return row;
	return draw_blocks(a, row, r->reads ? own : host, r);
}

static int draw_overwrite(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	const struct ring_overwrite *o;
	char oldest[8], newest[8], paused[8], text[256];

	if (!r->overwrite || !r->reads)
		return row;
	o = &r->reads->overwrite;
	widget_heading(a, row++, "Overwrite");
	snprintf(text, sizeof(text),
		 "wrapped %" PRIu64 " times; the newest records replace "
		 "the oldest", r->size ? r->head / r->size : 0);
	row = area_wrapped(a, row, ROLE_DEFAULT, text);
	if (!o->valid)
		return area_wrapped(a, row, ROLE_DIM,
				    "not read yet: r reads it, and pauses its "
				    "output meanwhile");
	snprintf(text, sizeof(text),
		 "last read: %" PRIu64 " records, the oldest %s old, the "
		 "newest %s", o->records,
		 seconds(o->oldest, oldest, sizeof(oldest)),
		 seconds(o->newest, newest, sizeof(newest)));
	row = area_wrapped(a, row, ROLE_VALUE, text);
	snprintf(text, sizeof(text),
		 "output paused for %s; lost in all reads so far: %" PRIu64,
		 seconds(o->paused, paused, sizeof(paused)), o->lost);
	return area_wrapped(a, row, o->lost ? ROLE_WARN : ROLE_DEFAULT, text);
}

int ring_figures_advice(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	const struct advice *advice = &r->advice;
	/* of a recording, both are the same */
	bool both = r->reads && *advice->setting && r->used != UNKNOWN;
	char text[sizeof(r->advice.text) + 32], note[160];

	if (!r->known)
		return row;
	widget_heading(a, row++, "Sizing");
	if (*verdict_note(r, note, sizeof(note)))
		row = area_wrapped(a, row, ROLE_NOTICE, note);
	if (r->reads && *r->reads->aux.advice) {
		snprintf(text, sizeof(text), "AUX ring: %s",
			 r->reads->aux.advice);
		row = area_wrapped(a, row, ROLE_BAD, text);
	}
	if (!advice->valid)
		return area_wrapped(a, row, ROLE_DIM,
				    *advice->reason ? advice->reason :
						      "no advice yet");
	snprintf(text, sizeof(text), "%s%s",
		 both ? "For rbtop's reader: " : "", advice->text);
	row = area_wrapped(a, row, ROLE_VALUE, text);
	if (both) {
		snprintf(text, sizeof(text), "For perf's reader: %s%s%s. Other "
			 "readers may need more: watch them in Host.",
			 advice->setting,
			 *advice->perf_reason ? ", " : "",
			 advice->perf_reason);
		row = area_wrapped(a, row, ROLE_VALUE, text);
	}
	row = area_wrapped(a, row, ROLE_DIM, advice->reason);
	if (!advice->command)
		return row;
	row = area_wrapped(a, row, ROLE_DIM, "Restart it with:");
	return area_wrapped(a, row, ROLE_VALUE, advice->command);
}

/* The page. */

static int draw_word(struct area a, int col, enum role role, const char *word)
{
	return *word ? col + area_text(a, 0, col, 0, role, word) + 2 : col;
}

/* For another program's ring the owner comes first. */
static int draw_names(struct area a, const struct ring_row *r)
{
	char owner[32] = "owner unknown";
	int col;

	if (r->reads) {
		col = draw_word(a, 0, ROLE_TITLE, r->label);
		return draw_word(a, col, ROLE_VALUE, r->comm);
	}
	if (r->pid >= 0)
		snprintf(owner, sizeof(owner), "%s[%d]", r->comm, (int)r->pid);
	col = draw_word(a, 0, ROLE_TITLE, owner);
	if (r->self)
		col = draw_word(a, col, ROLE_DIM, "rbtop's own");
	col = draw_word(a, col, ROLE_VALUE, r->label);
	if (r->kind == RING_BPF)
		col = draw_word(a, col, ROLE_DEFAULT, r->to_kernel ?
				"BPF user ring buffer" : "BPF ring buffer");
	if (r->kind == RING_FTRACE)
		col = draw_word(a, col, ROLE_DEFAULT, "ftrace buffer");
	return draw_word(a, col, ROLE_LABEL, r->event);
}

int ring_title_draw(struct area a, const struct ring_row *r,
		    struct detail *d)
{
	int col = draw_names(a, r);

	if (r->gone)
		col = draw_word(a, col, ROLE_WARN, "gone: last figures");
	if (r->overwrite)
		col = draw_word(a, col, ROLE_NOTICE, "overwrite");
	if (r->paused && !r->gone)
		col = draw_word(a, col, ROLE_WARN, "paused");
	if (r->reads && !r->enabled && !r->gone)
		col = draw_word(a, col, ROLE_WARN, "disabled");
	if (r->stopped && !r->gone)
		col = draw_word(a, col, ROLE_WARN, "stopped");
	detail_draw_place(d, a, col);
	return 1;
}

enum {
	THREE_COLUMNS = 179,	/* from this width on, less the scrollbar */
	TWO_COLUMNS = 119,
	PAIRS = 72,		/* from which histograms are side by side */
	GAP = 3,
};

/* The id is the index; rings stay in the frame when they are gone. */
static bool exists(const struct detail *d, const struct frame *frame,
		   uint64_t id)
{
	(void)d;
	return id < frame->nr_rings;
}

static void ring_init(struct view *view)
{
	detail_of(view)->exists = exists;
}

/* Overwrite, advice, history and histograms. */
static page_part *const outcome[] = { draw_overwrite,
				      ring_figures_advice, ring_charts_history,
				      ring_charts_fill, ring_charts_latency,
				      NULL };

/* The outcome also takes the rows of the figures, to fit one screen. */
static int draw_three_columns(struct area a, int row,
			      const struct ring_row *r)
{
	static page_part *const top[] = { ring_figures_draw, ring_figures_aux,
					  NULL };
	static page_part *const left[] = { ring_tables_types, ring_tables_pids,
					   NULL };
	static page_part *const middle[] = { ring_tables_events, NULL };
	int third = (a.cols - 2 * GAP) / 3, two = a.cols - third - GAP;
	struct area wide = area_sub(a, 0, 0, a.rows, two);
	int end_right = page_parts(area_sub(a, 0, two + GAP, a.rows, third),
				   row, r, outcome);

	row = page_parts(wide, row, r, top);
	row = page_columns(wide, row, r, left, middle);
	return row > end_right ? row : end_right;
}

static int draw_two_columns(struct area a, int row, const struct ring_row *r)
{
	static page_part *const top[] = { ring_figures_draw, ring_figures_aux,
					  NULL };
	static page_part *const left[] = { ring_tables_types,
					   ring_tables_events,
					   ring_tables_pids, NULL };

	row = page_parts(a, row, r, top);
	return page_columns(a, row, r, left, outcome);
}

static int draw_one_column(struct area a, int row, const struct ring_row *r)
{
	static page_part *const first[] = { ring_figures_draw, ring_figures_aux,
					    draw_overwrite,
					    ring_tables_types,
					    ring_tables_events, ring_tables_pids,
					    ring_charts_history, NULL };
	static page_part *const fill[] = { ring_charts_fill, NULL };
	static page_part *const latency[] = { ring_charts_latency, NULL };

	row = page_parts(a, row, r, first);
	if (a.cols >= PAIRS)
		return page_columns(a, row, r, fill, latency);
	row = page_parts(a, row, r, fill);
	return page_parts(a, row, r, latency);
}

static int draw_page(struct area a, const struct ring_row *r,
		     struct detail *d)
{
	static page_part *const advice[] = { ring_figures_advice, NULL };
	static page_part *const top[] = { ring_picture_draw, ring_picture_aux,
					  NULL };
	int row = ring_title_draw(a, r, d);

	/* first, so that it is visible without scrolling */
	if (a.cols < TWO_COLUMNS)
		row = page_parts(a, row, r, advice);
	row = page_parts(a, row, r, top);
	if (a.cols >= THREE_COLUMNS)
		row = draw_three_columns(a, row, r);
	else if (a.cols >= TWO_COLUMNS)
		row = draw_two_columns(a, row, r);
	else
		row = draw_one_column(a, row, r);
	return row - 1; /* no blank line at the end */
}

static void ring_draw(struct view *view, const struct frame *frame,
		      struct area area)
{
	struct detail *d = detail_of(view);
	struct area page;

	d->copies = exists(d, frame, d->id) &&
		    ring_cells_command(&frame->rings[d->id]);
	if (!exists(d, frame, d->id))
		area_text(area, 0, 0, 0, ROLE_DIM, "no such ring");
	else if (page_begin(&d->page, area, &page))
		page_end(&d->page, area,
			 draw_page(page, &frame->rings[d->id], d));
}

static bool ring_action(struct view *view, const struct frame *frame,
			enum action action)
{
	struct detail *d = detail_of(view);
	size_t ring = (size_t)d->id;

	if (action == ACTION_COPY) {
		ring_cells_copy(view, exists(d, frame, d->id) ?
				&frame->rings[ring] : NULL);
		return true;
	}
	return detail_action(view, frame, action) ||
	       tune_action(view, frame, action, &ring,
			   exists(d, frame, d->id));
}

/* The bottom line shows the snapshot of this ring, not of all rings. */
static const char *ring_label(const struct view *view, enum action action)
{
	if (action == ACTION_SNAPSHOT)
		return "";
	return action == ACTION_SNAPSHOT_SOME ? "Snapshot" :
						detail_label(view, action);
}

const struct view_ops view_ring_detail = {
	.id = VIEW_RING_DETAIL,
	.own_rings = true,
	.size = sizeof(struct detail),
	.init = ring_init,
	.release = detail_release,
	.draw = ring_draw,
	.action = ring_action,
	.click = detail_click,
	.wheel = detail_wheel,
	.focus = detail_focus,
	.label = ring_label,
};
