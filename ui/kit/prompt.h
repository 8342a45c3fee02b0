/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line of input at the bottom of the screen. */
#ifndef RBTOP_UI_KIT_PROMPT_H
#define RBTOP_UI_KIT_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "ring/request.h"
#include "ui/draw/canvas.h"

enum { PROMPT_MAX = REQUEST_TEXT, PROMPT_LABEL = 48 };

/* Plain data.  The text is UTF-8 without control characters. */
struct prompt {
	char label[PROMPT_LABEL];
	char text[PROMPT_MAX];
	size_t len, cursor;	/* bytes; the cursor stands before one */
};

enum prompt_result {
	PROMPT_IGNORED,		/* the key did nothing */
	PROMPT_MOVED,		/* the cursor moved */
	PROMPT_CHANGED,		/* the text changed */
	PROMPT_ENTERED,
	PROMPT_CANCELLED,
};

/* @initial, the text to start with, may be NULL. */
void prompt_start(struct prompt *p, const char *label, const char *initial);

/*
 * Edit: characters, arrows, Home, End (C-a, C-e), Backspace, Del, C-w (a word
 * back), C-u (all), C-k (the rest), Enter, Esc.
 */
enum prompt_result prompt_key(struct prompt *p, int code);

/* Draw it on a row, with the canvas' cursor; a long text scrolls. */
void prompt_draw(const struct prompt *p, struct area a, int row);

#endif
