/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys and what they do.  A key's code is its Unicode character (control
 * characters included: Ctrl-L is 0x0c) or, beyond Unicode, one of enum
 * keys_code; term_curses.c translates the codes of curses.
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
	KEYS_PLAY,
	KEYS_GENERAL,
	KEYS_SECTIONS
};

/* A row of keys.def. */
struct keys_info {
	const char *id;		/* "PAGE_UP": in the rc file, any case */
	enum keys_section section;
	const char *keys;	/* defaults: "PgUp C-b" */
	const char *label;	/* for the bottom line; "": none */
	int priority;		/* there, lowest first; 0: not shown */
	unsigned int screens;	/* bits 1 << enum view_id, or KEYS_ANY */
	const char *help;
};

/* The action works on all screens. */
#define KEYS_ANY	(~0U)

enum { KEYS_PER_ACTION = 8 };

/* Key bindings.  Plain data. */
struct keys {
	struct {
		int codes[KEYS_PER_ACTION];
		int nr;
	} bound[ACTIONS];	/* by action; [ACTION_NONE] is unused */
};

const struct keys_info *keys_info(enum action action);
/* Whether @action works on @screen. */
bool keys_work_on(enum action action, enum view_id screen);
/*
 * Iterates over the screens that @action works on and that another key opens:
 * the one after @screen, VIEW_NONE at the start and at the end.  There are none
 * if @action works on all screens.
 */
enum view_id keys_next_screen(enum action action, enum view_id screen);
/*
 * Iterates over the actions in the order of the bottom line: the one after
 * @action, ACTION_NONE at the start and at the end.
 */
enum action keys_next(enum action action);
/* "Screens", "Navigation", ... */
const char *keys_section_name(enum keys_section section);
/* The action with that id, case ignored; ACTION_NONE if there is none. */
enum action keys_find(const char *id);

/*
 * The code of a key's name: one character of UTF-8, "C-l", "Enter", "Space",
 * "Tab", "S-Tab", "Esc", "BS", "Up", "PgUp", "F1", ...  -1 if it is no key.
 */
int keys_parse(const char *name);
/* The reverse.  Returns @buf (12 bytes hold any name). */
char *keys_name(int code, char *buf, size_t size);

/*
 * Bind the default keys, overridden by @config (may be NULL): an action named
 * there has only those keys, and a key named there is removed from the action
 * that has it by default.  Errors name the line of @path, the file that @config
 * is from; it may be NULL if it is from none.  0, or -EINVAL with @err
 * (ERR_USAGE) and @keys unchanged: an unknown action or key, a key given to two
 * actions, or more than KEYS_PER_ACTION keys.
 */
int keys_bind(struct keys *keys, const struct config *config,
	      const char *path, struct err *err);

/* Space plays and pauses a recording, unless it is the key of anything but
 * tagging: make it the first key of FREEZE. */
void keys_of_recording(struct keys *keys);

/* "snapshot_some": the action's id as it is written in the rc file.  Returns
 * @buf. */
char *keys_id(enum action action, char *buf, size_t size);

/* Make @code the only key of @action in @config, which keys_bind() puts into
 * effect; KEYS_NONE: its default keys again. */
void keys_set(struct config *config, enum action action, int code);

/* The first default key of @action that another action has now, so that it
 * cannot be restored; KEYS_NONE if there is none. */
int keys_default_taken(const struct keys *keys, enum action action);

/* What a key does; ACTION_NONE if nothing. */
enum action keys_action(const struct keys *keys, int code);

/*
 * Names of all keys of an action, "h ? F1"; "" if it has none.  With @first
 * only the first one.  Returns @buf.
 */
char *keys_text(const struct keys *keys, enum action action, bool first,
		char *buf, size_t size);

#endif
