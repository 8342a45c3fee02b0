/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The views, which of them is open, the current frame, and struct shell, the
 * interface of the app to views. */
#include "ui/app/app_state.h"

#include <errno.h>
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
#include "ui/views/narrow.h"

/*
 * Rates need two frames, and a symbol needs its file read: until they are there
 * the delay is at most EARLY_DELAY, for at most EARLY_SECONDS.  Seconds.
 */
#define EARLY_DELAY 0.25
#define EARLY_SECONDS 2

/* Seconds until samples of where a recording stands are looked for again. */
#define STALE_DELAY 0.05

/* Least time that a message is shown, unless a key or another replaces it. */
#define MESSAGE_SECONDS 5

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
	app_confirm_drop(app);	/* its question is no longer on screen */
	text_copy(app->message, sizeof(app->message), text);
	app->message_role = role;
	app->message_time = app->now();
	app->message_bad = role == ROLE_BAD;
}

static void show_popup(struct app *app, enum view_id view)
{
	for (int i = 0; i <= app->depth; i++) {
		if (app->stack[i] == view) {
			app->depth = i; /* already open: go back to it */
			return;
		}
	}
	app->stack[++app->depth] = view;
}

static void shell_show(struct shell *shell, enum view_id view, size_t id)
{
	struct app *app = app_of(shell);

	if (view == VIEW_NONE) {
		if (app->depth > 0)
			app->depth--;
		return;
	}
	if (view_info(view)->tab) {
		for (int i = 1; i <= app->depth; i++) {
			struct view *left = app->views[app->stack[i]];

			if (left->ops->leave)
				left->ops->leave(left);
		}
		app->depth = 0;
		app->stack[0] = shell->tab = view;
	} else {
		show_popup(app, view);
	}
	if (app_view(app)->ops->focus)
		app_view(app)->ops->focus(app_view(app), id);
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

static bool shell_save(struct shell *shell)
{
	struct app *app = app_of(shell);
	struct err err = { .kind = ERR_NONE };
	char text[300];

	if (!app->opts->config_path || !app->opts->save) {
		shell_message(shell, ROLE_BAD, "not saved: HOME is not set, so "
			     "there is no place for a configuration file");
		return false;
	}
	if (app->opts->save(app->config, app->opts->config_path, &err) < 0) {
		shell_message(shell, ROLE_BAD, err.text);
		return false;
	}
	snprintf(text, sizeof(text), "saved in %s", app->opts->config_path);
	shell_message(shell, ROLE_GOOD, text);
	return true;
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
				   app->frame->playback ? sys_wall_clock() :
							  app->frame->time,
				   path, sizeof(path), &err) < 0) {
		shell_message(shell, ROLE_BAD, err.text);
		return;
	}
	snprintf(text, sizeof(text),
		 "%s written, with folded stacks in .folded", path);
	shell_message(shell, ROLE_GOOD, text);
}

static void shell_copy(struct shell *shell, const char *text)
{
	text_copy(app_of(shell)->copied, sizeof(app_of(shell)->copied), text);
}

static bool shell_request(struct shell *shell, const struct request *rq)
{
	return app_request(app_of(shell), rq);
}

/* Needs app->config and app->stack. */
static void init_shell(struct app *app)
{
	app->shell = (struct shell){
		.request = shell_request,
		.message = shell_message,
		.show = shell_show,
		.prompt = shell_prompt,
		.save = shell_save,
		.write_flame = shell_write_flame,
		.copy = shell_copy,
		.config = app->config,
		.keys = &app->keys,
		.tab = app->stack[0],
		.visited = VIEW_NO_ROW,
		.query = {
			.keys = 1u << HOT_SYMBOL | 1u << HOT_DSO,
			.recent = true,
		},
	};
}

static const struct view_ops *const all_views[VIEWS] = {
#define SCREEN(id, name, key, tab, view) [VIEW_##id] = &view,
#include "ui/kit/screens.def"
#undef SCREEN
};

bool app_is_empty(const struct app *app, enum view_id id)
{
	if (app->frame && app->frame->playback)
		return id == VIEW_HOST || id == VIEW_HOST_DETAIL;
	return app->opts->host && all_views[id]->own_rings;
}

static int make_views(struct app *app)
{
	for (int i = VIEW_NONE + 1; i < VIEWS; i++) {
		app->views[i] = view_new(all_views[i], &app->shell);
		if (!app->views[i])
			return -ENOMEM;
	}
	return 0;
}

/* Whether there are several events, not counting the side-band. */
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

int app_take_config(struct app *app, struct err *err)
{
	bool plays = app->frame && app->frame->playback;
	int ret;

	units_set_sizes(app->config->binary,
			app->config->pages ? sys_page_size() : 0);
	ret = keys_bind(&app->keys, app->config, app->opts->config_path, err);
	/* in Setup, and Help on top of it, Space chooses */
	for (int i = 0; i <= app->depth; i++)
		plays &= app->stack[i] != VIEW_SETUP;
	if (plays)
		keys_of_recording(&app->keys);
	return ret;
}

/* The target has ended, or the recording was played to its end. */
static bool is_final(const struct frame *frame)
{
	const struct playback *p = frame->playback;

	return frame->ended || (p && !p->playing && p->position >= p->length);
}

/*
 * From a mark on, all of the span counts, and at the end all of the run, unless
 * the user chose what does; before and after, what did otherwise.
 */
static void choose_total(struct app *app)
{
	struct shell *shell = &app->shell;
	bool marked = narrow_marked(app->frame);
	bool total = marked || (is_final(app->frame) && !shell->weights_chosen);

	if (total == app->total)
		return;
	app->total = total;
	if (!total) {
		shell->query.recent |= app->was_recent;
		app->was_recent = false;
	} else {
		app->was_recent = shell->query.recent;
		shell->query.recent = false;
	}
}

int app_init(struct app *app, struct source *source,
	     const struct front_end_opts *opts, struct err *err)
{
	enum view_id first = opts->host ? VIEW_HOST : VIEW_RINGS;
	int ret;

	*app = (struct app){
		.source = source,
		.opts = opts,
		.config = opts->config,
		.stack = { first },
		.early = true,
		.now = sys_now,
	};
	init_shell(app);
	ret = app_take_config(app, err);
	if (ret < 0)
		return ret;
	app->frame = source_frame(source, err);
	if (!app->frame)
		return err && err->code ? err->code : -EIO;
	if (has_several_events(app->frame))
		app->shell.query.keys |= 1u << HOT_EVENT;
	if (app->frame->samples && app->frame->samples->group)
		app->shell.query.keys = app->frame->samples->group;
	choose_total(app);
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
	app_confirm_drop(app);
	for (int i = 0; i < VIEWS; i++)
		view_free(app->views[i]);
}

/*
 * While frozen no frame is taken: the source keeps counting, and the next frame
 * covers the whole time.
 */
void app_tick(struct app *app)
{
	const struct frame *frame;

	if (app->frame->ended && app->reported >= app->awaited)
		return; /* keep the final figures with the last rates */
	if (app->frozen)
		return;
	frame = source_frame(app->source, &app->failure);
	if (!frame) {
		app->quit = true; /* the old one may be partly overwritten */
		return;
	}
	app->frame = frame;
	choose_total(app);
	app_snapshot_news(app);
}

/* Samples are decoded, but none has a symbol yet; or the rings of the host were
 * read only once. */
static bool is_early(const struct app *app)
{
	const struct samples *samples = app->frame->samples;
	const struct host *host = app->frame->host;
	bool awaited = samples && (!samples->hot || !samples->hot->nr_symbols);

	awaited |= host && (!host->status.ready || !(host->interval > 0));
	return awaited && !app->frozen && !app->frame->ended &&
	       app->now() - app->started < EARLY_SECONDS;
}

/* A message hides the keys of the bottom line: it is removed after a while, but
 * not an error, nor one that belongs to an open question. */
static void expire_message(struct app *app)
{
	if (!app->message_bad && !app->prompting &&
	    app->waiting.action == ACTION_NONE &&
	    app->now() - app->message_time >= MESSAGE_SECONDS)
		app->message[0] = '\0';
}

void app_timer(struct app *app)
{
	size_t last = app->opts->ticks;

	if (last && app->frames == last && !app->frozen) {
		app->quit = true;
		return;
	}
	expire_message(app);
	app_tick(app);
	if (app->early)
		app->early = is_early(app);
	/* early frames do not count */
	if (!app->frozen && app_delay(app) == app->config->delay)
		app->frames++;
}

double app_delay(const struct app *app)
{
	double delay = app->config->delay;

	if (narrow_stale(app->frame) && delay > STALE_DELAY)
		return STALE_DELAY;
	return app->early && delay > EARLY_DELAY ? EARLY_DELAY : delay;
}
