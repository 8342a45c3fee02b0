/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The front end without its terminal: what is open, what is frozen, which
 * frame is shown.  Keys and mouse events go in (app_input.c), requests to the
 * source (app_request.c) and a picture come out (app_draw.c), so tests need
 * neither curses nor a clock.  app.c joins it to a terminal and a loop.
 */
#ifndef RBTOP_UI_APP_APP_STATE_H
#define RBTOP_UI_APP_APP_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "cli/front_end.h"
#include "ui/kit/canvas.h"
#include "ui/kit/keys.h"
#include "ui/kit/prompt.h"
#include "ui/kit/view.h"

struct source;
struct term_event;

enum {
	APP_MIN_ROWS = 10,
	APP_MIN_COLS = 40,
	APP_VIEWS = VIEW_SETUP + 1,
	APP_SPANS = 24,
};

/* Columns of a row where a click does what a key does. */
struct app_span {
	int row, col, width;
	enum action action;
};

struct app {
	struct shell shell;	/* first: views know the app as this alone */
	struct view self;	/* the app where it opens a prompt itself */
	struct source *source;
	const struct front_end_opts *opts;
	struct config *config;
	struct keys keys;
	struct view *views[APP_VIEWS];	/* by enum view_id */
	/* the tab, and what was opened on top of it; Esc takes one off */
	enum view_id stack[APP_VIEWS];
	int depth;

	const struct frame *frame;	/* on screen */
	bool frozen;
	bool missed;		/* the source wanted to be read meanwhile */
	uint64_t awaited;	/* number of the last snapshot asked for after
				 * the target's end: until its end is told of,
				 * frames are read on */
	bool quit;
	size_t pictures;	/* that the timer made; opts->ticks end it */
	bool early;		/* waiting for rates and for the first symbol */
	bool recording;		/* by the frame, or by what was granted since */
	bool recorded;		/* in the frame before */
	uint64_t resized;	/* 1 + tick of the frame on screen when rings
				 * were last resized: it shows the old sizes */
	char record_error[160];	/* the same */
	uint64_t told;		/* number of the last snapshot whose end the
				 * bottom line told of */
	struct err failure;	/* why there is no further frame */
	bool redraw;		/* send the whole screen again */

	char message[300];	/* "": none */
	enum role message_role;
	bool message_bad;	/* not to be hidden by good news */
	double message_time;	/* when it came, in seconds of @now */

	bool prompting;
	struct prompt prompt;
	bool prompt_live;
	struct view *prompt_view;
	void (*prompt_done)(struct view *view, const char *text, bool final);

	/* of the last picture, for the mouse */
	struct area area;	/* the view's */
	struct app_span spans[APP_SPANS];
	int nr_spans;
	double (*now)(void);	/* seconds; tests have their own clock */
	double started;		/* when that was */
	double click_time;
	int click_row, click_col;
};

/*
 * Make the views and take the first frame of @source, which is started.  0 or
 * -errno with @err; app_free() is needed only after success.
 */
int app_init(struct app *app, struct source *source,
	     const struct front_end_opts *opts, struct err *err);
void app_free(struct app *app);

/* The source wants to be read: the next frame. */
void app_tick(struct app *app);

/*
 * The delay is over: the next frame too, or the end where as many as wanted
 * have had their time.
 */
void app_timer(struct app *app);
/* Seconds from one app_timer() to the next: the first ones come soon. */
double app_delay(const struct app *app);

/* A key or a mouse event. */
void app_event(struct app *app, const struct term_event *ev);

/* What views ask of the source: see shell.  (app_request.c) */
bool app_request(struct app *app, const struct request *rq);
/*
 * Take a snapshot of all rings: at a key, or at SIGUSR2.  --readonly is about
 * keys: who sends signals could start another rbtop as well.
 */
void app_snapshot(struct app *app);
void app_snapshot_signal(struct app *app);
/* Cancel the one being written; start or stop recording. */
void app_snapshot_cancel(struct app *app);
void app_record(struct app *app);
/* A frame was taken: tell of the snapshots that ended since. */
void app_snapshot_news(struct app *app);

/* The view on top. */
struct view *app_view(const struct app *app);
/* The tab below it. */
struct view *app_tab(const struct app *app);
/* The view of an id; NULL for VIEW_NONE. */
const struct view_ops *app_view_ops(enum view_id id);
/*
 * Whether a screen is about rbtop's own rings, and there are none: with --host
 * no event is opened.
 */
bool app_has_no_rings(const struct app *app, enum view_id id);
/* The action that opens a tab: its digit stands in the tab bar. */
enum action app_tab_action(enum view_id id);

/* Draw everything on @canvas. */
void app_draw(struct app *app, struct canvas *canvas);
/* The line of totals; of the machine's rings where there are no others. */
void app_draw_totals(const struct frame *frame, struct area a);

#endif
