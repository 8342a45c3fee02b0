/* SPDX-License-Identifier: GPL-2.0-or-later */
/* struct shell, the interface of the app to views. */
#include "ui/app/app_state.h"

#include <stdio.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"

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
		shell_message(shell, ROLE_BAD, "not saved: there is no place for "
			     "a configuration file (HOME is not set)");
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

void app_shell_init(struct app *app)
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
