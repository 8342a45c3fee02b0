/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Input: keys and the mouse. */
#include "ui/app/app_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "source/source.h"
#include "ui/term/term_curses.h"

#define DOUBLE_CLICK_SECONDS 0.4

/* Keys */

static void toggle_freeze(struct app *app)
{
	const struct playback *playback = app->frame->playback;

	if (playback) {
		app_request_playback(app, &(struct request){
						  .kind = REQUEST_PLAY,
						  .on = !playback->playing,
					  });
		return;
	}
	app->frozen = !app->frozen;
	if (!app->frozen)
		app_tick(app);
}

/* The request of a key for recordings; false: it is not one. */
static bool play(struct app *app, enum action action)
{
	const struct playback *playback = app->frame->playback;
	struct request rq = { .kind = REQUEST_SEEK };

	switch ((int)action) {
	case ACTION_STEP_BACK:
	case ACTION_STEP:
		rq.value = REQUEST_TO_TICK;
		break;
	case ACTION_LOSS_BEFORE:
	case ACTION_LOSS_NEXT:
		rq.value = REQUEST_TO_LOSS;
		break;
	case ACTION_LOSS_WORST:
		rq.value = REQUEST_TO_WORST;
		break;
	case ACTION_TO_START:
	case ACTION_TO_END:
		rq.value = REQUEST_TO_END;
		break;
	case ACTION_TO_TIME:
		if (playback) {
			app_ask_time(app);
			return true;
		}
		rq.value = REQUEST_TO_TIME;	/* is refused */
		break;
	case ACTION_MARK:
		rq.kind = REQUEST_MARK;
		break;
	case ACTION_SLOWER:
	case ACTION_FASTER:
		rq.kind = REQUEST_SPEED;
		break;
	default:
		return false;
	}
	rq.on = action == ACTION_STEP || action == ACTION_LOSS_NEXT ||
		action == ACTION_TO_END || action == ACTION_FASTER ||
		(action == ACTION_MARK && playback &&
		 playback->mark != playback->position);
	app_request_playback(app, &rq);
	return true;
}

static void switch_clock(struct app *app)
{
	bool kernel = app->config->clock == TIMES_WALL;

	app->config->clock = kernel ? TIMES_KERNEL : TIMES_WALL;
	app_say(app, ROLE_GOOD, kernel ?
		"times are the kernel's clock: seconds, as in perf script" :
		"times are local time");
}

/* Counting starts here: a mark before this time is removed. */
static void reset(struct app *app)
{
	const struct playback *playback = app->frame->playback;
	bool marked = playback && !isnan(playback->mark);

	if (marked && !app_request(app, &(struct request){
						.kind = REQUEST_MARK }))
		return;
	source_reset(app->source);
	app_say(app, ROLE_GOOD, marked ?
		"all counts and histories were reset, and the mark was "
		"removed" :
		"losses, peaks, histories, latencies and hot counts were reset");
}

/* Open the tab after (@step 1) or before (-1) the current one. */
static void next_tab(struct app *app, int step)
{
	int now = (int)app->stack[0];

	do
		now = (now + step + VIEWS) % VIEWS;
	while (!view_info((enum view_id)now)->tab);
	app_show(app, (enum view_id)now);
}

static void show_or_close(struct app *app, enum view_id view)
{
	bool open = app->stack[app->depth] == view;

	app_show(app, open ? VIEW_NONE : view);
}

/* Help and Setup, as in htop. */
static bool closes_on_quit(const struct app *app)
{
	enum view_id id = app->stack[app->depth];

	return id == VIEW_HELP || id == VIEW_SETUP;
}

/* A screen and the key that opens it: "Hot (3)".  Returns as snprintf(). */
static int screen_text(const struct app *app, enum view_id id, char *buf,
		       size_t size)
{
	const struct view_info *info = view_info(id);
	char key[16];

	keys_text(&app->keys, info->key, true, key, sizeof(key));
	if (!*key)
		return snprintf(buf, size, "%s", info->name);
	return snprintf(buf, size, "%s (%s)", info->name, key);
}

/* The screens that @action works on, "Hot (3) and Flame (v)"; "" if none. */
static void screens_text(const struct app *app, enum action action, char *buf,
			 size_t size)
{
	enum view_id next, screen = keys_next_screen(action, VIEW_NONE);
	size_t len = 0;

	*buf = '\0';
	for (; screen != VIEW_NONE && len < size; screen = next) {
		next = keys_next_screen(action, screen);
		while (next != VIEW_NONE && app_is_empty(app, next))
			next = keys_next_screen(action, next);
		if (app_is_empty(app, screen))
			continue;
		if (len)
			len += (size_t)snprintf(buf + len, size - len, "%s",
						next == VIEW_NONE ? " and " :
								    ", ");
		if (len < size)
			len += (size_t)screen_text(app, screen, buf + len,
						   size - len);
	}
}

/* Name the screens that a key works on, if it does not work on this one. */
static void say_elsewhere(struct app *app, enum action action)
{
	char key[16], screens[96], text[128];

	/* it works here: the view has shown why not now */
	if (keys_next_screen(action, VIEW_NONE) == VIEW_NONE ||
	    keys_work_on(action, app_view(app)->ops->id))
		return;
	keys_text(&app->keys, action, true, key, sizeof(key));
	screens_text(app, action, screens, sizeof(screens));
	if (*screens)
		snprintf(text, sizeof(text), "%s works in %s", key, screens);
	else
		snprintf(text, sizeof(text), app->frame->playback ?
			 "%s does not work with a recording" :
			 "%s does not work with --host: it is for rbtop's own "
			 "rings", key);
	app_say(app, ROLE_NOTICE, text);
}

/* Open the tab of a key; false if it is not the key of a tab. */
static bool show_tab(struct app *app, enum action action)
{
	for (int i = VIEW_NONE + 1; i < VIEWS; i++) {
		const struct view_info *info = view_info((enum view_id)i);

		if (info->tab && info->key == action) {
			app_show(app, (enum view_id)i);
			return true;
		}
	}
	return false;
}

/* Actions of the app, after the view did not handle them. */
static void app_action(struct app *app, enum action action)
{
	switch ((int)action) {
	case ACTION_HELP:
		app->shell.help_screen = app_view(app)->ops->id;
		show_or_close(app, VIEW_HELP);
		break;
	case ACTION_SETUP:
		show_or_close(app, VIEW_SETUP);
		break;
	case ACTION_QUIT:
	case ACTION_DONE:
		if (closes_on_quit(app))
			app_show(app, VIEW_NONE);
		else
			app->quit = true;
		break;
	case ACTION_FREEZE:
		toggle_freeze(app);
		break;
	case ACTION_DELAY:
		view_ask_delay(app_view(app));
		break;
	case ACTION_CLOCK:
		switch_clock(app);
		break;
	case ACTION_RESET:
		reset(app);
		break;
	case ACTION_REDRAW:
		app->redraw = true;
		break;
	case ACTION_CANCEL:
		app_show(app, VIEW_NONE);
		break;
	case ACTION_SNAPSHOT:
		app_request(app, &(struct request){ .kind = REQUEST_SNAPSHOT,
						    .text = "key" });
		break;
	case ACTION_SNAPSHOT_CANCEL:
		app_request(app, &(struct request){
					 .kind = REQUEST_SNAPSHOT_CANCEL });
		break;
	case ACTION_RECORD:
		app_request(app, &(struct request){ .kind = REQUEST_RECORD,
						    .on = !app->recording });
		break;
	case ACTION_NEXT_SCREEN:
		next_tab(app, 1);
		break;
	case ACTION_PREV_SCREEN:
		next_tab(app, -1);
		break;
	default:
		if (!play(app, action) && !show_tab(app, action))
			say_elsewhere(app, action);
	}
}

static void do_action(struct app *app, enum action action)
{
	struct view *view = app_view(app);

	if (app_confirm(app, action))
		return;
	if (app_is_empty(app, view->ops->id) ||
	    !view->ops->action(view, app->frame, action))
		app_action(app, action);
}

/*
 * A key that a live prompt ignored: movement keys move in the list, and the key
 * that opens a search goes to the next match.
 */
static void ignored_by_prompt(struct app *app, int code)
{
	enum action action = keys_action(&app->keys, code);

	if (!app->prompt_live || code < KEYS_UP)
		return;
	if (action == ACTION_SEARCH)
		do_action(app, ACTION_SEARCH_NEXT);
	else if (keys_info(action)->section == KEYS_MOVE)
		do_action(app, action);
}

static void key_in_prompt(struct app *app, int code)
{
	enum prompt_result result = prompt_key(&app->prompt, code);
	struct view *view = app->prompt_view;

	switch (result) {
	case PROMPT_ENTERED:
		app->prompting = false;
		app->prompt_done(view, app->prompt.text, true);
		break;
	case PROMPT_CANCELLED:
		app->prompting = false;
		app->prompt_done(view, NULL, true);
		break;
	case PROMPT_CHANGED:
		if (app->prompt_live)
			app->prompt_done(view, app->prompt.text, false);
		break;
	case PROMPT_IGNORED:
		ignored_by_prompt(app, code);
		break;
	case PROMPT_MOVED:
		break;
	}
}

/* A digit that is no screen: name the keys of the tabs. */
static void say_no_screen(struct app *app)
{
	char text[128] = "no such screen", key[16];
	const char *separator = ":";
	size_t len = strlen(text);

	for (int i = VIEW_NONE + 1; i < VIEWS && len < sizeof(text); i++) {
		const struct view_info *info = view_info((enum view_id)i);

		if (!info->tab)
			continue;
		keys_text(&app->keys, info->key, true, key, sizeof(key));
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"%s %s %s", separator, key,
					info->name);
		separator = ",";
	}
	app_say(app, ROLE_NOTICE, text);
}

/* A key without a use. */
static void say_unused(struct app *app, int code)
{
	char text[64], name[12], key[16];

	if (code >= '0' && code <= '9') {
		say_no_screen(app);
		return;
	}
	keys_text(&app->keys, ACTION_HELP, true, key, sizeof(key));
	snprintf(text, sizeof(text), "no key %s here%s%s%s",
		 keys_name(code, name, sizeof(name)), *key ? "; " : "", key,
		 *key ? " shows the keys" : "");
	app_say(app, ROLE_NOTICE, text);
}

/* Of a recording: where Hot asks what to group by. */
static bool space_chooses(struct app *app)
{
	struct view *view = app_view(app);

	return view->ops->id == VIEW_HOT &&
	       view->ops->action(view, app->frame, ACTION_TAG);
}

static void app_key(struct app *app, int code)
{
	struct view *view = app_view(app);
	enum action action;

	if (app->prompting) {
		key_in_prompt(app, code);
		return;
	}
	if (view->ops->grab && view->ops->grab(view, code))
		return;
	app_take_config(app, NULL);
	action = keys_action(&app->keys, code);
	if (code == KEYS_SPACE && action == ACTION_FREEZE && space_chooses(app))
		return;
	if (action != ACTION_NONE)
		do_action(app, action);
	else if (!view->ops->key || !view->ops->key(view, app->frame, code))
		say_unused(app, code);
}

/* The mouse */

static bool is_double_click(struct app *app, int row, int col)
{
	double now = app->now();
	bool twice = row == app->click_row && col == app->click_col &&
		     now - app->click_time < DOUBLE_CLICK_SECONDS;

	app->click_row = row;
	app->click_col = col;
	/* a third click starts a new double click */
	app->click_time = twice ? now - DOUBLE_CLICK_SECONDS : now;
	return twice;
}

/* False also if the view is not drawn, see app_is_empty(). */
static bool in_view(const struct app *app, int row, int col)
{
	const struct area *a = &app->area;

	return !app_is_empty(app, app_view(app)->ops->id) &&
	       row >= a->row && row < a->row + a->rows &&
	       col >= a->col && col < a->col + a->cols;
}

static void click(struct app *app, int row, int col)
{
	struct view *view = app_view(app);
	bool twice = is_double_click(app, row, col);

	if (app_click_time_line(app, row, col))
		return;
	for (int i = 0; i < app->nr_spans; i++) {
		const struct app_span *s = &app->spans[i];

		if (row == s->row && col >= s->col && col < s->col + s->width) {
			do_action(app, s->action);
			return;
		}
	}
	if (in_view(app, row, col) && view->ops->click)
		view->ops->click(view, app->frame, row - app->area.row,
				 col - app->area.col, twice);
}

void app_event(struct app *app, const struct term_event *ev)
{
	struct view *view = app_view(app);

	app->waiting.now = app->waiting.action != ACTION_NONE;
	app->message[0] = '\0';
	app->message_bad = false;
	switch (ev->kind) {
	case TERM_KEY:
		app_key(app, ev->code);
		break;
	case TERM_CLICK:
		if (!app->prompting)
			click(app, ev->row, ev->col);
		break;
	case TERM_WHEEL:
		if (!app->prompting && view->ops->wheel &&
		    !app_is_empty(app, view->ops->id))
			view->ops->wheel(view, app->frame, ev->by);
		break;
	}
	if (app->waiting.now)	/* and this event did not confirm it */
		app_confirm_drop(app);
}
