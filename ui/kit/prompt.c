/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/kit/prompt.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/kit/keys.h"

enum { CTRL = 0x1f };	/* 'a' & CTRL is what Ctrl-A sends */

void prompt_start(struct prompt *p, const char *label, const char *initial)
{
	snprintf(p->label, sizeof(p->label), "%s", label);
	text_copy(p->text, sizeof(p->text), initial ? initial : "");
	p->len = strlen(p->text);
	p->cursor = p->len;
}

/* Where the character before @at begins. */
static size_t before(const struct prompt *p, size_t at)
{
	while (at > 0 && ((unsigned char)p->text[--at] & 0xc0) == 0x80)
		;
	return at;
}

/* Where the character after the one at @at begins. */
static size_t after(const struct prompt *p, size_t at)
{
	unsigned int ch;

	return at + text_decode(p->text + at, &ch);
}

static size_t word_before(const struct prompt *p, size_t at)
{
	while (at > 0 && p->text[at - 1] == ' ')
		at--;
	while (at > 0 && p->text[at - 1] != ' ')
		at--;
	return at;
}

static enum prompt_result move(struct prompt *p, size_t to)
{
	p->cursor = to;
	return PROMPT_MOVED;
}

static enum prompt_result erase(struct prompt *p, size_t from, size_t to)
{
	if (from == to)
		return PROMPT_IGNORED;
	memmove(p->text + from, p->text + to, p->len - to + 1);
	p->len -= to - from;
	p->cursor = from;
	return PROMPT_CHANGED;
}

static enum prompt_result insert(struct prompt *p, int code)
{
	char utf8[5];
	size_t len;

	if (code < KEYS_SPACE || (code >= 0x7f && code < 0xa0) ||
	    code >= KEYS_UP)
		return PROMPT_IGNORED;
	len = canvas_utf8((uint32_t)code, utf8);
	if (p->len + len >= sizeof(p->text))
		return PROMPT_IGNORED;
	memmove(p->text + p->cursor + len, p->text + p->cursor,
		p->len - p->cursor + 1);
	memcpy(p->text + p->cursor, utf8, len);
	p->len += len;
	p->cursor += len;
	return PROMPT_CHANGED;
}

enum prompt_result prompt_key(struct prompt *p, int code)
{
	switch (code) {
	case KEYS_ENTER:
		return PROMPT_ENTERED;
	case KEYS_ESC:
		return PROMPT_CANCELLED;
	case KEYS_LEFT:
		return move(p, before(p, p->cursor));
	case KEYS_RIGHT:
		return move(p, after(p, p->cursor));
	case KEYS_HOME:
	case 'a' & CTRL:
		return move(p, 0);
	case KEYS_END:
	case 'e' & CTRL:
		return move(p, p->len);
	case KEYS_BACKSPACE:
		return erase(p, before(p, p->cursor), p->cursor);
	case KEYS_DELETE:
		return erase(p, p->cursor, after(p, p->cursor));
	case 'w' & CTRL:
		return erase(p, word_before(p, p->cursor), p->cursor);
	case 'u' & CTRL:
		return erase(p, 0, p->len);
	case 'k' & CTRL:
		return erase(p, p->cursor, p->len);
	default:
		return insert(p, code);
	}
}

/* Columns from byte @from up to the cursor. */
static int width_to_cursor(const struct prompt *p, size_t from)
{
	char part[PROMPT_MAX];

	snprintf(part, sizeof(part), "%.*s", (int)(p->cursor - from),
		 p->text + from);
	return text_width(part);
}

void prompt_draw(const struct prompt *p, struct area a, int row)
{
	int col = area_text(a, row, 0, 0, ROLE_PROMPT, p->label);
	int room = a.cols - col - 1;
	size_t from = 0;

	while (from < p->cursor && width_to_cursor(p, from) > room)
		from = after(p, from);
	area_text(a, row, col, 0, ROLE_DEFAULT, p->text + from);
	a.canvas->cursor_row = a.row + row;
	a.canvas->cursor_col = a.col + col + width_to_cursor(p, from);
}
