/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The views, which of them is open, and the current frame. */
#include "ui/app/app_state.h"

#include <errno.h>
#include <string.h>

#include "base/sys.h"
#include "base/units.h"
#include "host/table/host.h"
#include "samples/hot_table.h"
#include "samples/samples.h"
#include "source/source.h"

/*
 * Rates need two frames, and a symbol needs its file read: until they are there
 * the delay is at most EARLY_DELAY, for at most EARLY_SECONDS.  Seconds.
 */
#define EARLY_DELAY 0.25
#define EARLY_SECONDS 2

/* Least time that a message is shown, unless a key or another replaces it. */
#define MESSAGE_SECONDS 5

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
	units_set_sizes(app->config->binary,
			app->config->pages ? sys_page_size() : 0);
	return keys_bind(&app->keys, app->config, app->opts->config_path, err);
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
	app_shell_init(app);
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

	if (app->frame->ended && app->told >= app->awaited)
		return; /* keep the final figures with the last rates */
	if (app->frozen)
		return;
	frame = source_frame(app->source, &app->failure);
	if (!frame) {
		app->quit = true; /* the old one may be partly overwritten */
		return;
	}
	app->frame = frame;
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
	if (!app->message_bad && !app->prompting && !app_confirm_waits(app) &&
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
	/* early pictures do not count */
	if (!app->frozen && app_delay(app) == app->config->delay)
		app->pictures++;
}

double app_delay(const struct app *app)
{
	double delay = app->config->delay;

	return app->early && delay > EARLY_DELAY ? EARLY_DELAY : delay;
}
