/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/kit/view.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/units.h"
#include "ui/kit/prompt.h"

#define SCREEN(id, name, key, tab, view) \
	[VIEW_##id] = { name, ACTION_##key, tab },
static const struct view_info infos[VIEWS] = {
	[VIEW_NONE] = { "", ACTION_NONE, false },
#include "ui/kit/screens.def"
};
#undef SCREEN

const struct view_info *view_info(enum view_id id)
{
	return &infos[id];
}

struct view *view_new(const struct view_ops *ops, struct shell *shell)
{
	struct view *view = calloc(1, ops->size);

	if (!view)
		return NULL;
	*view = (struct view){ .ops = ops, .shell = shell };
	if (ops->init)
		ops->init(view);
	return view;
}

void view_free(struct view *view)
{
	if (view && view->ops->release)
		view->ops->release(view);
	free(view);
}

char *view_time(const struct shell *shell, const struct frame *frame,
		double seconds, unsigned int decimals, char *buf, size_t size)
{
	return times_unix_text(&frame->times, shell->config->clock, seconds,
			       decimals, buf, size);
}

static void delay_done(struct view *view, const char *text, bool final)
{
	struct err err = { .kind = ERR_NONE };
	struct shell *shell = view->shell;
	double seconds;

	if (!final || !text || !*text)
		return;
	if (units_parse_seconds(text, "delay", &seconds, &err) < 0)
		shell->message(shell, ROLE_BAD, err.text);
	else
		shell->config->delay = seconds;
}

void view_ask_delay(struct view *view)
{
	char label[PROMPT_LABEL];

	snprintf(label, sizeof(label), "delay in seconds (now %g): ",
		 view->shell->config->delay);
	view->shell->prompt(view->shell, label, "", false, delay_done, view);
}
