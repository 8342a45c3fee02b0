/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A screen: an ops table.  It draws a frame into an area and turns keys into
 * requests; it does no I/O and does not use the terminal.
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
#include "ui/draw/canvas.h"

#define ACTION(id, ...) ACTION_##id,
enum action {
	ACTION_NONE,		/* the key is not bound */
#include "ui/kit/keys.def"
	ACTIONS
};
#undef ACTION

#define SCREEN(id, ...) VIEW_##id,
enum view_id {
	VIEW_NONE,
#include "ui/kit/screens.def"
	VIEWS
};
#undef SCREEN

/* A row of screens.def. */
struct view_info {
	const char *name;
	enum action key;	/* opens it; ACTION_NONE: no key of its own */
	bool tab;		/* in the tab bar */
};
const struct view_info *view_info(enum view_id id);

struct feed;
struct flame;
struct keys;
struct view;

#define VIEW_NO_ROW UINT64_MAX

/* The message of keys that --readonly disables. */
#define VIEW_READONLY "read-only: rbtop was started with --readonly"

/*
 * The interface of the app to views.  app_state.c fills it; tests have their
 * own.
 */
struct shell {
	/* Send a request to the source; a refusal is shown as a message.
	 * Returns whether it was granted. */
	bool (*request)(struct shell *shell, const struct request *rq);
	/* Show a line at the bottom until the next key.  Unless @role is
	 * ROLE_BAD, it is removed after a few seconds, and does not replace
	 * one of ROLE_BAD. */
	void (*message)(struct shell *shell, enum role role,
			const char *text);
	/* Open a screen; a detail is of the row @id.  VIEW_NONE: close the one
	 * on top. */
	void (*show)(struct shell *shell, enum view_id view, size_t id);
	/*
	 * Ask for a line of text.  @done gets it on Enter (@final), NULL on
	 * Esc (@final), and with @live also at each change.
	 */
	void (*prompt)(struct shell *shell, const char *label,
		       const char *initial, bool live,
		       void (*done)(struct view *view, const char *text,
				    bool final),
		       struct view *view);
	/* Save @config to the rc file and show the outcome as a message.
	 * Returns whether it was saved. */
	bool (*save)(struct shell *shell);
	/* Write @flame to files and show the outcome as a message. */
	void (*write_flame)(struct shell *shell, const struct flame *flame,
			    const char *title);
	/* Offer @text to the terminal for its clipboard. */
	void (*copy)(struct shell *shell, const char *text);
	bool in_tmux;		/* which takes that only if configured to */
	/* The frame's rates when the prompt for the rate was opened, and what
	 * was typed that exceeds them, to be confirmed. */
	struct event_rates rates;
	char risky_rate[REQUEST_TEXT];
	struct config *config;	/* columns, sort, colours; the app's */
	const struct keys *keys;	/* current bindings; the app's */
	/* The query of Hot and Flame, which show the same samples. */
	struct hot_query query;
	bool weights_chosen;	/* query.recent, by key */
	/* The feed that Samples holds while its cursor is not on the newest
	 * sample; owned by Samples.  NULL: it lists the frame's feed. */
	const struct feed *feed;
	/* The open tab, or the one below the open screen. */
	enum view_id tab;
	/* The screen that Help was opened from: its keys come first. */
	enum view_id help_screen;
	/* Where Help opens: at the column with this heading, of the list of
	 * that screen; NULL: at the top. */
	const char *help_column;
	enum view_id help_list;
	/* The list that last opened a detail, and the ids of its rows at that
	 * time, in order; owned by the list. */
	const struct view *lister;
	const uint64_t *listed;
	size_t nr_listed;
	/* Id of the row that the detail moved to, until the list has moved its
	 * cursor there; VIEW_NO_ROW: none. */
	uint64_t visited;
};

struct view_ops {
	enum view_id id;
	bool own_rings;		/* it shows rbtop's own rings */
	size_t size;		/* bytes of its struct, see view_new() */
	/* Set fields that do not start as 0; free what the view owns, but not
	 * @view.  Both may be NULL. */
	void (*init)(struct view *view);
	void (*release)(struct view *view);
	/* The whole of @area is blank.  @frame is never NULL. */
	void (*draw)(struct view *view, const struct frame *frame,
		     struct area area);
	/* True if the view handled the action. */
	bool (*action)(struct view *view, const struct frame *frame,
		       enum action action);
	/* Takes a key before its action does, whatever that is; true if it
	 * did.  May be NULL. */
	bool (*grab)(struct view *view, int key);
	/* A key that is bound to no action (setup's fields); may be NULL. */
	bool (*key)(struct view *view, const struct frame *frame, int key);
	/* Mouse: a click at a cell of the area last drawn, the wheel; may be
	 * NULL. */
	bool (*click)(struct view *view, const struct frame *frame, int row,
		      int col, bool twice);
	bool (*wheel)(struct view *view, const struct frame *frame, int lines);
	/* The view is opened; a detail is of the row @id.  May be NULL. */
	void (*focus)(struct view *view, size_t id);
	/* The view is left for the tab that another view has opened.  May be
	 * NULL. */
	void (*leave)(struct view *view);
	/* The label of a key in the bottom line; NULL: that of keys.def, "":
	 * it is not shown.  May be NULL. */
	const char *(*label)(const struct view *view, enum action action);
};

/* The head of every view's own struct. */
struct view {
	const struct view_ops *ops;
	struct shell *shell;
};

/* A new view of @ops->size bytes; NULL if out of memory. */
struct view *view_new(const struct view_ops *ops, struct shell *shell);
/* Free a view and what it owns; @view may be NULL. */
void view_free(struct view *view);

/*
 * Write the time of @seconds of Unix time with that many decimals, by the clock
 * that the user has chosen; see base/times.h.  Returns @buf.
 */
char *view_time(const struct shell *shell, const struct frame *frame,
		double seconds, unsigned int decimals, char *buf, size_t size);

/* Prompt for the delay between frames and set it in the configuration. */
void view_ask_delay(struct view *view);

#define SCREEN(id, name, key, tab, view) extern const struct view_ops view;
#include "ui/kit/screens.def"
#undef SCREEN

#endif
