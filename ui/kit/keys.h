/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys and what they do.  A key's code is its Unicode character (control
 * characters included: Ctrl-L is 0x0c) or, beyond Unicode, one of enum
 * keys_code; nothing of a terminal's own codes gets here.
 */
#ifndef RBTOP_UI_KIT_KEYS_H
#define RBTOP_UI_KIT_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/config.h"
#include "ui/kit/view.h"

struct err;

enum keys_code {
	KEYS_NONE = 0,
	KEYS_TAB = 0x09,
	KEYS_ENTER = 0x0d,
	KEYS_ESC = 0x1b,
	KEYS_SPACE = 0x20,
	KEYS_BACKSPACE = 0x7f,
	KEYS_UP = 0x110000,	/* beyond Unicode from here on */
	KEYS_DOWN,
	KEYS_LEFT,
	KEYS_RIGHT,
	KEYS_HOME,
	KEYS_END,
	KEYS_PAGE_UP,
	KEYS_PAGE_DOWN,
	KEYS_INSERT,
	KEYS_DELETE,
	KEYS_BACK_TAB,
	KEYS_F1,
	KEYS_F12 = KEYS_F1 + 11,
};

enum keys_section {
	KEYS_SCREENS,
	KEYS_MOVE,
	KEYS_LIST,
	KEYS_TUNE,
	KEYS_GENERAL,
	KEYS_SECTIONS
};

/* A row of keys.def. */
struct keys_info {
	const char *id;		/* "PAGE_UP": in the rc file, any case */
	enum keys_section section;
	const char *keys;	/* the default ones: "PgUp C-b" */
	const char *help;
	const char *label;	/* a word or two for the bottom bar */
};

enum { KEYS_PER_ACTION = 8 };

/* Which key does what.  Plain data. */
struct keys {
	struct {
		int codes[KEYS_PER_ACTION];
		int nr;
	} bound[ACTIONS];	/* by action; [ACTION_NONE] is unused */
};

const struct keys_info *keys_info(enum action action);
/*
 * The tabs, and VIEW_FLAME, where an action does something, VIEW_NONE at the
 * end; NULL where it does not depend on the screen.
 */
const enum view_id *keys_screens(enum action action);
/* "Screens", "Moving about", ... */
const char *keys_section_name(enum keys_section section);
/* By id, case ignored; ACTION_NONE where there is none. */
enum action keys_find(const char *id);

/*
 * The code of a key's name: one character of UTF-8, "C-l", "Enter", "Space",
 * "Tab", "S-Tab", "Esc", "BS", "Up", "PgUp", "F1", ...  -1 for what is none.
 */
int keys_parse(const char *name);
/* The reverse.  Returns @buf (12 bytes hold any name). */
char *keys_name(int code, char *buf, size_t size);

/*
 * The default keys, overridden by @config's (NULL: none): an action named
 * there has those keys alone, and a key named there is taken from the action
 * that has it by default.  On an unknown action or key, or a key given to two
 * actions: -EINVAL with @err (ERR_USAGE), and @keys is left as it was.
 */
int keys_bind(struct keys *keys, const struct config *config,
	      struct err *err);

/* What a key does; ACTION_NONE if nothing. */
enum action keys_action(const struct keys *keys, int code);

/*
 * All keys of an action by name, "h ? F1"; "" where it has none.  With
 * @first only the first of them.  Returns @buf.
 */
char *keys_text(const struct keys *keys, enum action action, bool first,
		char *buf, size_t size);

#endif
