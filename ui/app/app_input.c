/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What goes in: frames, keys, the mouse, and what views ask for. */
#include "ui/app/app_state.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/units.h"
#include "host/table/host.h"
#include "samples/hot_table.h"
#include "samples/samples.h"
#include "source/source.h"
#include "ui/term/term_curses.h"

#define DOUBLE_CLICK_SECONDS 0.4

/*
 * Rates need two frames, and a symbol needs its file read: pictures come this
 * often until there is one, but not for longer than that.
 */
#define EARLY_DELAY 0.25
#define EARLY_SECONDS 2

/* How long news stands at the bottom, at least. */
#define MESSAGE_SECONDS 5

static const struct view_ops *const all_views[APP_VIEWS] = {
	[VIEW_RINGS] = &view_rings,
	[VIEW_RING_DETAIL] = &view_ring_detail,
	[VIEW_SAMPLES] = &view_samples,
	[VIEW_SAMPLE_DETAIL] = &view_sample_detail,
	[VIEW_HOT] = &view_hot,
	[VIEW_FLAME] = &view_flame,
	[VIEW_AUX] = &view_aux,
	[VIEW_LOG] = &view_log,
	[VIEW_HOST] = &view_host_rings,
	[VIEW_HOST_DETAIL] = &view_host_detail,
	[VIEW_HELP] = &view_help,
	[VIEW_SETUP] = &view_setup,
};

static const struct {
	enum action action;
	enum view_id view;
} tabs[] = {
	{ ACTION_SCREEN_RINGS, VIEW_RINGS },
	{ ACTION_SCREEN_SAMPLES, VIEW_SAMPLES },
	{ ACTION_SCREEN_HOT, VIEW_HOT },
	{ ACTION_SCREEN_AUX, VIEW_AUX },
	{ ACTION_SCREEN_LOG, VIEW_LOG },
	{ ACTION_SCREEN_HOST, VIEW_HOST },
};

enum { NR_TABS = sizeof(tabs) / sizeof(tabs[0]) };

const struct view_ops *app_view_ops(enum view_id id)
{
	return all_views[id];
}

bool app_has_no_rings(const struct app *app, enum view_id id)
{
	return app->opts->host && all_views[id]->own_rings;
}

enum action app_tab_action(enum view_id id)
{
	for (int i = 0; i < NR_TABS; i++) {
		if (tabs[i].view == id)
			return tabs[i].action;
	}
	return ACTION_NONE;
}

struct view *app_view(const struct app *app)
{
	return app->views[app->stack[app->depth]];
}

struct view *app_tab(const struct app *app)
{
	return app->views[app->stack[0]];
}

/* The shell that views see. */

static struct app *app_of(struct shell *shell)
{
	return (struct app *)shell;
}

static void shell_message(struct shell *shell, enum role role,
			 const char *text)
{
	struct app *app = app_of(shell);

	if (app->message_bad && role != ROLE_BAD)
		return;
	text_copy(app->message, sizeof(app->message), text);
	app->message_role = role;
	app->message_time = app->now();
	app->message_bad = role == ROLE_BAD;
}

static void show_popup(struct app *app, enum view_id view)
{
	for (int i = 0; i <= app->depth; i++) {
		if (app->stack[i] == view) {
			app->depth = i; /* it is open: back to it */
			return;
		}
	}
	app->stack[++app->depth] = view;
}

static void shell_show(struct shell *shell, enum view_id view, size_t ring)
{
	struct app *app = app_of(shell);

	if (view == VIEW_NONE) {
		if (app->depth > 0)
			app->depth--;
		return;
	}
	if (all_views[view]->tab) {
		app->depth = 0;
		app->stack[0] = shell->tab = view;
	} else {
		show_popup(app, view);
	}
	if (all_views[view]->focus)
		all_views[view]->focus(app->views[view], ring);
}

static void shell_prompt(struct shell *shell, const char *label,
			 const char *initial, bool live,
			 void (*done)(struct view *view, const char *text,
				      bool final),
			 struct view *view)
{
	struct app *app = app_of(shell);

	prompt_start(&app->prompt, label, initial);
	app->prompting = true;
	app->prompt_live = live;
	app->prompt_done = done;
	app->prompt_view = view;
}

static void shell_save(struct shell *shell)
{
	struct app *app = app_of(shell);
	struct err err = { .kind = ERR_NONE };
	char text[300];

	if (!app->opts->config_path || !app->opts->save) {
		shell_message(shell, ROLE_BAD, "not saved: there is no place for "
			     "a configuration file (HOME is not set)");
		return;
	}
	if (app->opts->save(app->config, app->opts->config_path, &err) < 0) {
		shell_message(shell, ROLE_BAD, err.text);
		return;
	}
	snprintf(text, sizeof(text), "saved in %s", app->opts->config_path);
	shell_message(shell, ROLE_GOOD, text);
}

static void shell_write_flame(struct shell *shell, const struct flame *flame,
			      const char *title)
{
	struct app *app = app_of(shell);
	struct err err = { .kind = ERR_NONE };
	char path[200], text[300];

	if (!app->opts->write_flame) {
		shell_message(shell, ROLE_BAD, "files cannot be written here");
		return;
	}
	if (app->opts->write_flame(flame, title, app->opts->flame_dir,
				   app->frame->time, path, sizeof(path),
				   &err) < 0) {
		shell_message(shell, ROLE_BAD, err.text);
		return;
	}
	snprintf(text, sizeof(text), "written: %s, and .folded beside it",
		 path);
	shell_message(shell, ROLE_GOOD, text);
}

static bool shell_request(struct shell *shell, const struct request *rq)
{
	return app_request(app_of(shell), rq);
}

/* Life. */

static int make_views(struct app *app)
{
	for (int i = 0; i < APP_VIEWS; i++) {
		if (!all_views[i])
			continue;
		app->views[i] = all_views[i]->create(&app->shell);
		if (!app->views[i])
			return -ENOMEM;
	}
	return 0;
}

/* Events of several kinds are taken, so that they have to be told apart. */
static bool has_several_events(const struct frame *frame)
{
	const char *first = NULL;

	for (size_t i = 0; i < frame->nr_rings; i++) {
		const struct ring_row *r = &frame->rings[i];

		for (size_t e = 0; e < r->nr_events; e++) {
			if (r->events[e].side_band)
				continue;
			if (first && strcmp(first, r->events[e].name) != 0)
				return true;
			first = r->events[e].name;
		}
	}
	return false;
}

int app_init(struct app *app, struct source *source,
	     const struct front_end_opts *opts, struct err *err)
{
	enum view_id first = opts->host ? VIEW_HOST : VIEW_RINGS;
	int ret;

	*app = (struct app){
		.shell = {
			.request = shell_request,
			.message = shell_message,
			.show = shell_show,
			.prompt = shell_prompt,
			.save = shell_save,
			.write_flame = shell_write_flame,
			.config = opts->config,
			.tab = first,
			.query = {
				.keys = 1u << HOT_SYMBOL | 1u << HOT_DSO,
				.recent = true,
			},
		},
		.source = source,
		.opts = opts,
		.config = opts->config,
		.stack = { first },
		.early = true,
		.now = sys_now,
	};
	app->self.shell = &app->shell;
	ret = keys_bind(&app->keys, app->config, err);
	if (ret < 0)
		return ret;
	app->frame = source_frame(source, err);
	if (!app->frame)
		return err && err->code ? err->code : -EIO;
	if (has_several_events(app->frame))
		app->shell.query.keys |= 1u << HOT_EVENT;
	app->started = app->now();
	app_snapshot_news(app);
	ret = make_views(app);
	if (ret < 0) {
		app_free(app);
		return err_set(err, ret, "screens: out of memory");
	}
	return 0;
}

void app_free(struct app *app)
{
	for (int i = 0; i < APP_VIEWS; i++) {
		if (app->views[i])
			all_views[i]->destroy(app->views[i]);
	}
}

/*
 * While frozen nothing is taken from the source: it counts on, and the first
 * frame afterwards covers the whole time.
 */
void app_tick(struct app *app)
{
	const struct frame *frame;

	if (app->frame->ended && app->told >= app->awaited)
		return; /* final figures, last rates included */
	if (app->frozen) {
		app->missed = true;
		return;
	}
	app->missed = false;
	frame = source_frame(app->source, &app->failure);
	if (!frame) {
		app->quit = true; /* the old one may be half overwritten */
		return;
	}
	app->frame = frame;
	app_snapshot_news(app);
}

/* Samples are looked at, but none has its symbol yet; or the machine's rings,
 * but only once. */
static bool is_early(const struct app *app)
{
	const struct samples *samples = app->frame->samples;
	const struct host *host = app->frame->host;
	bool awaited = samples && (!samples->hot || !samples->hot->nr_symbols);

	awaited |= host && (!host->status.ready || !(host->interval > 0));
	return awaited && !app->frozen && !app->frame->ended &&
	       app->now() - app->started < EARLY_SECONDS;
}

/* News is not to hide the keys for good; what went wrong may. */
static void expire_message(struct app *app)
{
	if (!app->message_bad &&
	    app->now() - app->message_time >= MESSAGE_SECONDS)
		app->message[0] = '\0';
}

void app_timer(struct app *app)
{
	size_t last = app->opts->ticks;

	if (last && app->pictures == last && !app->frozen) {
		app->quit = true;
		return;
	}
	expire_message(app);
	app_tick(app);
	if (app->early)
		app->early = is_early(app);
	/* one that does not stand for the delay does not count */
	if (!app->frozen && app_delay(app) == app->config->delay)
		app->pictures++;
}

double app_delay(const struct app *app)
{
	double delay = app->config->delay;

	return app->early && delay > EARLY_DELAY ? EARLY_DELAY : delay;
}

/* Keys. */

static void delay_done(struct view *view, const char *text, bool final)
{
	struct err err = { .kind = ERR_NONE };
	struct app *app = app_of(view->shell);
	double seconds;

	if (!final || !text || !*text)
		return;
	if (units_parse_seconds(text, "delay", &seconds, &err) < 0)
		shell_message(view->shell, ROLE_BAD, err.text);
	else
		app->config->delay = seconds;
}

static void ask_delay(struct app *app)
{
	char label[PROMPT_LABEL];

	snprintf(label, sizeof(label), "delay in seconds (now %g): ",
		 app->config->delay);
	shell_prompt(&app->shell, label, "", false, delay_done, &app->self);
}

static void toggle_freeze(struct app *app)
{
	app->frozen = !app->frozen;
	if (!app->frozen)
		app_tick(app);
}

static void reset(struct app *app)
{
	source_reset(app->source);
	shell_message(&app->shell, ROLE_GOOD,
		      "peaks, histories, latencies and hot counts start "
		      "afresh");
}

/* The tab @step further, from the one that is open or lies below. */
static void next_tab(struct app *app, int step)
{
	int now = 0;

	while (tabs[now].view != app->stack[0])
		now++;
	shell_show(&app->shell, tabs[(now + step + NR_TABS) % NR_TABS].view, 0);
}

static void show_or_close(struct app *app, enum view_id view)
{
	bool open = app->stack[app->depth] == view;

	shell_show(&app->shell, open ? VIEW_NONE : view, 0);
}

/* "Hot (3)"; "Flame (v)" lies on top of a tab. */
static int screen_text(const struct app *app, enum view_id id, char *buf,
		       size_t size)
{
	enum action action = id == VIEW_FLAME ? ACTION_FLAME :
						app_tab_action(id);
	char key[16];

	keys_text(&app->keys, action, true, key, sizeof(key));
	if (!*key)
		return snprintf(buf, size, "%s", all_views[id]->name);
	return snprintf(buf, size, "%s (%s)", all_views[id]->name, key);
}

/* A key that does nothing here: where it does something. */
static void say_elsewhere(struct app *app, enum action action)
{
	const enum view_id *screen = keys_screens(action);
	char text[128] = "only in ";
	size_t start = strlen(text), len = start;

	for (size_t i = 0; screen && screen[i] != VIEW_NONE; i++) {
		if (screen[i] == app_view(app)->ops->id)
			return;	/* which says itself why not now */
		if (app_has_no_rings(app, screen[i]))
			continue;
		if (len >= sizeof(text))
			break;
		if (len > start)
			len += (size_t)snprintf(text + len, sizeof(text) - len,
						", ");
		if (len < sizeof(text))
			len += (size_t)screen_text(app, screen[i], text + len,
						   sizeof(text) - len);
	}
	if (screen)
		shell_message(&app->shell, ROLE_NOTICE, len > start ? text :
			     "--host only watches: that key is about rings of "
			     "rbtop's own");
}

/* What the app does itself, where the view had no use for it. */
static void app_action(struct app *app, enum action action)
{
	switch ((int)action) {
	case ACTION_HELP:
		show_or_close(app, VIEW_HELP);
		break;
	case ACTION_SETUP:
		show_or_close(app, VIEW_SETUP);
		break;
	case ACTION_QUIT:
		app->quit = true;
		break;
	case ACTION_FREEZE:
		toggle_freeze(app);
		break;
	case ACTION_DELAY:
		ask_delay(app);
		break;
	case ACTION_RESET:
		reset(app);
		break;
	case ACTION_REDRAW:
		app->redraw = true;
		break;
	case ACTION_CANCEL:
		shell_show(&app->shell, VIEW_NONE, 0);
		break;
	case ACTION_SNAPSHOT:
		app_snapshot(app);
		break;
	case ACTION_SNAPSHOT_CANCEL:
		app_snapshot_cancel(app);
		break;
	case ACTION_RECORD:
		app_record(app);
		break;
	case ACTION_NEXT_SCREEN:
		next_tab(app, 1);
		break;
	case ACTION_PREV_SCREEN:
		next_tab(app, -1);
		break;
	default:
		say_elsewhere(app, action);
		for (int i = 0; i < NR_TABS; i++) {
			if (tabs[i].action == action)
				shell_show(&app->shell, tabs[i].view, 0);
		}
	}
}

static void do_action(struct app *app, enum action action)
{
	struct view *view = app_view(app);

	if (app_has_no_rings(app, view->ops->id) ||
	    !view->ops->action(view, app->frame, action))
		app_action(app, action);
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
	case PROMPT_MOVED:
	case PROMPT_IGNORED:
		break;
	}
}

/* A key that nobody had a use for: a digit looks like a screen's. */
static void say_unused(struct app *app, int code)
{
	char text[128] = "no such screen here:", key[16];
	size_t len = strlen(text);

	if (code < '0' || code > '9')
		return;
	for (int i = 0; i < NR_TABS && len < sizeof(text); i++) {
		keys_text(&app->keys, tabs[i].action, true, key, sizeof(key));
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"%s %s %s", i ? "," : "", key,
					all_views[tabs[i].view]->name);
	}
	shell_message(&app->shell, ROLE_NOTICE, text);
}

static void app_key(struct app *app, int code)
{
	struct view *view = app_view(app);
	enum action action;

	if (app->prompting) {
		key_in_prompt(app, code);
		return;
	}
	/* setup may have changed them; what cannot be bound changes nothing */
	keys_bind(&app->keys, app->config, NULL);
	action = keys_action(&app->keys, code);
	if (action != ACTION_NONE)
		do_action(app, action);
	else if (!view->ops->key || !view->ops->key(view, app->frame, code))
		say_unused(app, code);
}

/* The mouse. */

static bool is_double_click(struct app *app, int row, int col)
{
	double now = app->now();
	bool twice = row == app->click_row && col == app->click_col &&
		     now - app->click_time < DOUBLE_CLICK_SECONDS;

	app->click_row = row;
	app->click_col = col;
	/* a third click begins anew */
	app->click_time = twice ? now - DOUBLE_CLICK_SECONDS : now;
	return twice;
}

static bool in_view(const struct app *app, int row, int col)
{
	const struct area *a = &app->area;

	return row >= a->row && row < a->row + a->rows && col >= a->col &&
	       col < a->col + a->cols;
}

static void click(struct app *app, int row, int col)
{
	struct view *view = app_view(app);
	bool twice = is_double_click(app, row, col);

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
		if (!app->prompting && view->ops->wheel)
			view->ops->wheel(view, app->frame, ev->by);
		break;
	}
}
