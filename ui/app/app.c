/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interactive front end, which main() calls through front_end_screen: a
 * loop over the terminal, the clock, signals and the source.
 */
#include "ui/app/app_state.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>

#include "base/err.h"
#include "base/loop.h"
#include "cli/front_end.h"
#include "source/source.h"
#include "ui/term/term_curses.h"
#include "ui/term/watchdog.h"

struct running {
	struct app app;
	struct terminal *term;
	struct canvas *canvas;
	struct loop *loop;
	struct loop_source *timer;
	struct loop_source *event;	/* NULL: the source is not watched */
	double delay;			/* set in the timer */
	enum config_scheme scheme;	/* set on the terminal */
	bool mouse;			/* the same */
	bool hung_up;
};

static int check_keys(const struct config *config, const char *path,
		      struct err *err)
{
	struct keys keys;

	return keys_bind(&keys, config, path, err);
}

static int app_prepare(const struct front_end_opts *opts, struct err *err)
{
	int ret = check_keys(opts->config, opts->config_path, err);

	return ret < 0 ? ret : watchdog_start(err);
}

static void draw(struct running *r)
{
	struct app *app = &r->app;
	bool mouse = app->config->mouse && !app->config->no_mouse;

	if (app->config->scheme != r->scheme) {
		r->scheme = app->config->scheme;
		term_set_scheme(r->term, r->scheme);
	}
	if (mouse != r->mouse) {
		r->mouse = mouse;
		term_set_mouse(r->term, r->mouse);
	}
	if (app->redraw)
		term_redraw(r->term);
	app->redraw = false;
	if (app->copied[0])
		term_copy(app->copied);
	app->copied[0] = '\0';
	app_draw(app, r->canvas);
	term_draw(r->term, r->canvas);
}

/* Make a canvas of the terminal's size; if out of memory keep the old one. */
static int resize(struct running *r)
{
	struct canvas *canvas;
	int rows, cols;

	term_resize(r->term, &rows, &cols);
	canvas = canvas_new(rows, cols, term_ascii(r->term));
	if (!canvas)
		return -ENOMEM;
	canvas_free(r->canvas);
	r->canvas = canvas;
	return 0;
}

static void on_source(void *ctx, uint32_t events);

/* After each event: apply a changed delay, freeze or end, and draw. */
static void settle(struct running *r)
{
	struct app *app = &r->app;
	bool watch = app->source->event_fd >= 0 && !app->frozen &&
		     !app->frame->ended;

	if (app->quit) {
		loop_quit(r->loop);
		return;
	}
	if (r->delay != app_delay(app)) {
		r->delay = app_delay(app);
		loop_set_timer(r->timer, r->delay);
	}
	if (watch && !r->event) {
		r->event = loop_add_fd(r->loop, app->source->event_fd, EPOLLIN,
				       on_source, r);
	} else if (!watch && r->event) {
		loop_remove(r->event);
		r->event = NULL;
	}
	draw(r);
}

static void on_source(void *ctx, uint32_t events)
{
	struct running *r = ctx;

	(void)events;
	app_tick(&r->app);
	settle(r);
}

static void on_timer(void *ctx, uint64_t expirations)
{
	struct running *r = ctx;

	(void)expirations;
	app_timer(&r->app);
	settle(r);
}

static void on_input(void *ctx, uint32_t events)
{
	struct running *r = ctx;
	struct term_event ev;

	while (!r->app.quit && term_next(r->term, &ev))
		app_event(&r->app, &ev);
	if (events & (EPOLLHUP | EPOLLERR)) {
		r->hung_up = true;
		r->app.quit = true;
	}
	settle(r);
}

static void on_signal(void *ctx, int signo)
{
	struct running *r = ctx;

	if (signo == SIGUSR2) {
		app_snapshot_signal(&r->app);
		settle(r);
		return;
	}
	if (signo == SIGTSTP)
		term_suspend(r->term);
	else if (signo == SIGCONT)
		term_resume(r->term);
	if (resize(r) < 0)
		return;
	settle(r);
}

static void on_quit(void *ctx, uint32_t events)
{
	struct running *r = ctx;

	(void)events;
	loop_quit(r->loop);
}

/* Make the loop and add all that it waits for.  0 or -errno. */
static int watch(struct running *r)
{
	sigset_t signals;

	errno = 0;
	watchdog_loop_signals(&signals);
	r->loop = loop_new();
	if (!r->loop)
		return -errno;
	r->delay = app_delay(&r->app);
	r->timer = loop_add_timer(r->loop, r->delay, on_timer, r);
	if (!r->timer ||
	    !loop_add_fd(r->loop, watchdog_fd(), EPOLLIN, on_quit, r) ||
	    !loop_add_fd(r->loop, term_fd(r->term), EPOLLIN, on_input, r) ||
	    !loop_add_signals(r->loop, &signals, on_signal, r))
		return errno ? -errno : -ENOMEM;
	return 0;
}

static int run(struct running *r, struct err *err)
{
	int ret = resize(r);

	if (ret == 0) {
		draw(r);
		ret = watch(r);
	}
	if (ret == 0)
		ret = loop_run(r->loop);
	if (ret < 0)
		return err_errno(err, ret, "the screen's event loop");
	if (r->app.failure.kind != ERR_NONE) {
		*err = r->app.failure;
		return err->code;
	}
	if (watchdog_signal())
		return 128 + watchdog_signal();
	return r->hung_up ? 128 + SIGHUP : 0;
}

static int app_run(struct source *source, const struct front_end_opts *opts,
		   struct err *err)
{
	const struct config *config = opts->config;
	struct running r = { .scheme = config->scheme };
	int ret = app_init(&r.app, source, opts, err);

	if (ret < 0)
		return ret;
	r.app.shell.in_tmux = term_is_multiplexed();
	r.term = term_open(config->ascii, config->scheme, err);
	ret = r.term ? run(&r, err) : err->code;
	loop_free(r.loop);
	term_close(r.term);
	canvas_free(r.canvas);
	app_free(&r.app);
	return ret;
}

const struct front_end front_end_screen = {
	.check_keys = check_keys,
	.check_terminal = term_check,
	.describe_terminal = term_describe,
	.prepare = app_prepare,
	.run = app_run,
	.report = app_report,
};
