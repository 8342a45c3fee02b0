/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A screen: an ops table.  It sees a frame and an area, and answers keys with
 * requests; it opens nothing, reads nothing, and never touches a terminal.
 */
#ifndef RBTOP_UI_KIT_VIEW_H
#define RBTOP_UI_KIT_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/config.h"
#include "ring/frame/frame.h"
#include "samples/hot_query.h"
#include "ring/request.h"
#include "ui/kit/canvas.h"

#define ACTION(id, ...) ACTION_##id,
enum action {
	ACTION_NONE,		/* a key that is bound to nothing */
#include "ui/kit/keys.def"
	ACTIONS
};
#undef ACTION

enum view_id {
	VIEW_NONE,
	VIEW_RINGS,
	VIEW_RING_DETAIL,
	VIEW_SAMPLES,
	VIEW_SAMPLE_DETAIL,
	VIEW_HOT,
	VIEW_FLAME,
	VIEW_AUX,
	VIEW_LOG,
	VIEW_HOST,
	VIEW_HOST_DETAIL,
	VIEW_HELP,
	VIEW_SETUP,
};

struct feed;
struct flame;
struct sample_filter;
struct view;

/* What keys say that would change something, under --readonly. */
#define VIEW_READONLY "read-only: rbtop was started with --readonly"

/*
 * What a view may use of the program around it.  The app fills it; tests use
 * one of their own.
 */
struct shell {
	/* Ask the source; a refusal is shown on the message line.  Whether it
	 * was granted. */
	bool (*request)(struct shell *shell, const struct request *rq);
	/* Show a line at the bottom until the next key, or for some seconds
	 * unless @role is ROLE_BAD. */
	void (*message)(struct shell *shell, enum role role,
			const char *text);
	/* Change the screen.  @ring is for VIEW_RING_DETAIL; for
	 * VIEW_HOST_DETAIL it is the id of a row. */
	void (*show)(struct shell *shell, enum view_id view, size_t ring);
	/*
	 * Ask for a line of text; @done gets it on Enter, and at each
	 * keystroke where @live (searching while typing); Esc: NULL.
	 */
	void (*prompt)(struct shell *shell, const char *label,
		       const char *initial, bool live,
		       void (*done)(struct view *view, const char *text,
				    bool final),
		       struct view *view);
	/* Keep @config for the next time; the outcome becomes a message. */
	void (*save)(struct shell *shell);
	/* Write the flame view as files; the outcome becomes a message. */
	void (*write_flame)(struct shell *shell, const struct flame *flame,
			    const char *title);
	/* Of the frame when a rate was asked for, see struct reading; and the
	 * period, too short for that, that was typed. */
	uint64_t most_samples, short_period;
	struct config *config;	/* columns, sort, colours; shared */
	/* What Hot and Flame are narrowed to; both show the same. */
	struct hot_query query;
	/* The entry that a sample's detail is of. */
	uint64_t sample;
	/* What Samples lists while its cursor is off the newest: the feed as
	 * of then; NULL: that of the frame. */
	const struct feed *feed;
	/* What Samples lists: what this matches; NULL: everything. */
	const struct sample_filter *filter;
	/* The tab that is open or lies below. */
	enum view_id tab;
	/* The ring that a detail went on to, until Rings has put its cursor
	 * there; LIST_NONE: none. */
	size_t visited;
	/* The same of Host's rows, by id; 0: none. */
	uint64_t visited_row;
	/* Ids of the rows that Host listed when a detail was opened, in that
	 * order; they are Host's. */
	const uint64_t *listed;
	size_t nr_listed;
};

struct view_ops {
	enum view_id id;
	const char *name;	/* in the tab bar: "Rings" */
	bool tab;		/* stands in the tab bar */
	bool own_rings;		/* it is about rings of rbtop's own */
	struct view *(*create)(struct shell *shell); /* NULL: no memory */
	void (*destroy)(struct view *view);
	/* The whole of @area is blank.  @frame is never NULL. */
	void (*draw)(struct view *view, const struct frame *frame,
		     struct area area);
	/* True if the action was this view's. */
	bool (*action)(struct view *view, const struct frame *frame,
		       enum action action);
	/* A key that is bound to no action (setup's fields); may be NULL. */
	bool (*key)(struct view *view, const struct frame *frame, int key);
	/* Mouse: click at a cell of the last area; wheel; may be NULL. */
	bool (*click)(struct view *view, const struct frame *frame, int row,
		      int col, bool twice);
	bool (*wheel)(struct view *view, const struct frame *frame, int lines);
	/* It is shown from now on, of this ring (VIEW_RING_DETAIL) or row
	 * (VIEW_HOST_DETAIL); may be NULL. */
	void (*focus)(struct view *view, size_t ring);
	/* Keys worth naming in the bottom bar, ACTION_NONE-terminated. */
	const enum action *footer;
	/* What one of them is called here; NULL: as in keys.def.  May be
	 * NULL. */
	const char *(*label)(enum action action);
};

/* The head of every view's own struct. */
struct view {
	const struct view_ops *ops;
	struct shell *shell;
};

extern const struct view_ops view_rings, view_ring_detail, view_samples,
	view_sample_detail, view_hot, view_flame, view_aux, view_log,
	view_host_rings, view_host_detail, view_help, view_setup;

#endif
