/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The front end without its terminal: which screen is open, which frame is
 * shown, whether it is frozen, and calls of views (app_state.c).  It takes keys
 * and mouse events (app_input.c), sends requests to the source (app_request.c)
 * and draws on a canvas (app_draw.c), so that tests need neither curses nor a
 * clock.  app.c connects it to a terminal and a loop.
 */
#ifndef RBTOP_UI_APP_APP_STATE_H
#define RBTOP_UI_APP_APP_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "cli/front_end.h"
#include "ui/draw/canvas.h"
#include "ui/kit/keys.h"
#include "ui/kit/prompt.h"
#include "ui/kit/view.h"

struct source;
struct term_event;

enum {
	APP_MIN_ROWS = 10,
	APP_MIN_COLS = 40,
	APP_SPANS = 48,
};

/* Columns of a row where a click acts as a key. */
struct app_span {
	int row, col, width;
	enum action action;
};

/* A request that waits for its key to be pressed again. */
struct app_waiting {
	enum action action;	/* of that key; ACTION_NONE: none waits */
	struct request request;
	size_t *rings;		/* of the request; owned */
	bool now;		/* this event confirms or cancels it */
};

struct app {
	struct shell shell;	/* first; all that views know of the app */
	struct source *source;
	const struct front_end_opts *opts;
	struct config *config;
	struct keys keys;
	struct view *views[VIEWS];	/* by enum view_id */
	/* the tab and the screens open on top of it; Esc closes the top one */
	enum view_id stack[VIEWS];
	int depth;

	const struct frame *frame;	/* on screen */
	bool frozen;
	uint64_t awaited;	/* number of the last snapshot requested after
				 * the target's end: frames are read until
				 * @reported reaches it */
	bool quit;
	size_t frames;	/* drawn by the timer; quits at opts->ticks */
	bool total;		/* Hot was made to show totals, */
	bool was_recent;	/* and showed recent samples before */
	bool early;		/* waiting for rates and for the first symbol */
	bool recording;		/* in the frame, or by a request since then */
	bool recorded;		/* in the previous frame */
	/* The last granted pause, change of events, and of counting drops, with
	 * 1 + tick of the frame on screen then, which shows the state before. */
	struct app_toggled {
		uint64_t frame;
		size_t ring;	/* the first of them */
		bool on;
	} paused, enabled, drops;
	uint64_t resized;	/* 1 + tick of the frame on screen when rings
				 * were last resized: it shows the old sizes */
	char record_error[512];	/* in the previous frame */
	uint64_t reported;	/* number of the last snapshot whose end was
				 * shown as a message */
	struct err failure;	/* why there is no further frame */
	bool redraw;		/* send the whole screen again */
	char copied[1024];	/* for the terminal's clipboard; "": nothing */

	char message[300];	/* "": none */
	enum role message_role;
	bool message_bad;	/* ROLE_BAD: only replaced by another */
	double message_time;	/* when it was shown, by @now */

	struct app_waiting waiting;

	bool prompting;
	struct prompt prompt;
	bool prompt_live;
	struct view *prompt_view;
	void (*prompt_done)(struct view *view, const char *text, bool final);

	/* of the last draw, for the mouse */
	struct area area;	/* the view's */
	struct area time_line;	/* of a recording; no rows: not shown */
	struct app_span spans[APP_SPANS];
	int nr_spans;
	double (*now)(void);	/* seconds; tests have their own clock */
	double started;		/* when @early was set, by @now */
	double click_time;
	int click_row, click_col;
};

/*
 * Make the views and take the first frame of @source, which must be started.
 * 0 or -errno with @err; app_free() is needed only after success.
 */
int app_init(struct app *app, struct source *source,
	     const struct front_end_opts *opts, struct err *err);
void app_free(struct app *app);
/* Put into effect the settings not read where they are used: how sizes
 * are written, and keys.  0, or -EINVAL with @err (may be NULL), if the keys stay
 * as they were; see keys_bind(). */
int app_take_config(struct app *app, struct err *err);

/* Take the next frame of the source, unless frozen or ended. */
void app_tick(struct app *app);

/*
 * To be called after each delay: take the next frame, or quit if opts->ticks
 * frames were shown for the delay.
 */
void app_timer(struct app *app);
/* Seconds from one app_timer() to the next; shorter while early. */
double app_delay(const struct app *app);

/* A key or a mouse event. */
void app_event(struct app *app, const struct term_event *ev);

static inline void app_say(struct app *app, enum role role, const char *text)
{
	app->shell.message(&app->shell, role, text);
}

static inline void app_show(struct app *app, enum view_id view)
{
	app->shell.show(&app->shell, view, 0);
}

/* See shell.request.  (app_request.c) */
bool app_request(struct app *app, const struct request *rq);
/* The same for a request of a recording.  The outcome is drawn at once, since
 * there are no ticks while it is paused. */
void app_request_playback(struct app *app, const struct request *rq);
/*
 * Send a request that was confirmed, or that is not made by a key: --readonly
 * does not disable it.  False if it failed, which is shown.
 */
bool app_request_now(struct app *app, const struct request *rq);

/*
 * Requests that lose or write data take effect when their key is pressed a
 * second time; any other key cancels them.  (app_request.c)
 *
 * app_confirm(): whether @action confirms what waits, which is then sent, or
 * does no more than cancel it.  app_confirm_drop(): nothing waits any more.
 */
bool app_confirm(struct app *app, enum action action);
void app_confirm_drop(struct app *app);
/*
 * Take a snapshot of all rings on SIGUSR2.  --readonly allows it: a sender of
 * the signal may as well start another rbtop.
 */
void app_snapshot_signal(struct app *app);
/* After a new frame: show messages about ended snapshots and the recording. */
void app_snapshot_news(struct app *app);
/* front_end_screen.report, which needs no terminal. */
void app_report(const struct frame *frame, FILE *out);

/* The view on top. */
static inline struct view *app_view(const struct app *app)
{
	return app->views[app->stack[app->depth]];
}

/* The tab below it. */
static inline struct view *app_tab(const struct app *app)
{
	return app->views[app->stack[0]];
}

/*
 * Whether a screen cannot have contents: it shows rbtop's own rings, of which
 * there are none with --host; or of a recording, what is not read from it.
 */
bool app_is_empty(const struct app *app, enum view_id id);

/* Draw everything on @canvas. */
void app_draw(struct app *app, struct canvas *canvas);
/* Draw the line of totals: of rbtop's own rings; on Host of the host's rings. */
void app_draw_totals(const struct app *app, struct area a);

/*
 * The time line of a recording, over all of it.  (app_lines.c)
 *
 * app_draw_time_line(): draw it from @row on; returns the rows that it takes, 0
 * where it would leave the list too few.  app_click_time_line(): whether a
 * click was on it; then go there.  app_ask_time(): prompt for a time, and go
 * there.
 */
int app_draw_time_line(struct app *app, struct area a, int row);
bool app_click_time_line(struct app *app, int row, int col);
void app_ask_time(struct app *app);

#endif
