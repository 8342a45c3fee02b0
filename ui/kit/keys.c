/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/kit/keys.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/text.h"

#define ACTION(id, section, keys, help, label) \
	[ACTION_##id] = { #id, KEYS_##section, keys, help, label },
static const struct keys_info infos[ACTIONS] = {
	[ACTION_NONE] = { "", KEYS_GENERAL, "", "", "" },
#include "ui/kit/keys.def"
};
#undef ACTION

static const struct {
	const char *name;
	int code;
} names[] = {
	{ "Tab", KEYS_TAB },	     { "Enter", KEYS_ENTER },
	{ "Esc", KEYS_ESC },	     { "Space", KEYS_SPACE },
	{ "BS", KEYS_BACKSPACE },    { "Up", KEYS_UP },
	{ "Down", KEYS_DOWN },	     { "Left", KEYS_LEFT },
	{ "Right", KEYS_RIGHT },     { "Home", KEYS_HOME },
	{ "End", KEYS_END },	     { "PgUp", KEYS_PAGE_UP },
	{ "PgDn", KEYS_PAGE_DOWN },  { "Ins", KEYS_INSERT },
	{ "Del", KEYS_DELETE },	     { "S-Tab", KEYS_BACK_TAB },
};

enum { NR_NAMES = sizeof(names) / sizeof(names[0]) };

const struct keys_info *keys_info(enum action action)
{
	return &infos[action];
}

#define SCREENS(...) (const enum view_id[]){ __VA_ARGS__, VIEW_NONE }
#define TUNED SCREENS(VIEW_RINGS, VIEW_AUX)
#define LISTS \
	SCREENS(VIEW_RINGS, VIEW_SAMPLES, VIEW_HOT, VIEW_LOG, VIEW_HOST)
#define SEARCHED \
	SCREENS(VIEW_RINGS, VIEW_SAMPLES, VIEW_HOT, VIEW_FLAME, VIEW_LOG, \
		VIEW_HOST)

static const enum view_id *const screens[ACTIONS] = {
	[ACTION_SORT] = SCREENS(VIEW_RINGS, VIEW_HOT, VIEW_HOST),
	[ACTION_INVERT] = SCREENS(VIEW_RINGS, VIEW_HOST),
	[ACTION_WORST] = SCREENS(VIEW_RINGS, VIEW_HOST),
	[ACTION_TAG] = TUNED,
	[ACTION_UNTAG] = TUNED,
	[ACTION_MAP] = SCREENS(VIEW_RINGS),
	[ACTION_SEARCH] = SEARCHED,
	[ACTION_SEARCH_NEXT] = SEARCHED,
	[ACTION_FILTER] = LISTS,
	[ACTION_FLAME] = SCREENS(VIEW_HOT),
	[ACTION_GROUP] = SCREENS(VIEW_HOT),
	[ACTION_CHILDREN] = SCREENS(VIEW_HOT),
	[ACTION_TOTAL] = SCREENS(VIEW_HOT, VIEW_FLAME),
	[ACTION_WRITE_FLAME] = SCREENS(VIEW_HOT, VIEW_FLAME),
	[ACTION_VALUES] = SCREENS(VIEW_SAMPLES),
	[ACTION_GROW] = TUNED,
	[ACTION_SHRINK] = TUNED,
	[ACTION_PAUSE] = TUNED,
	[ACTION_ENABLE] = TUNED,
	[ACTION_READ] = TUNED,
	[ACTION_SNAPSHOT_SOME] = TUNED,
	[ACTION_RATE] = SCREENS(VIEW_RINGS, VIEW_HOT, VIEW_AUX),
};

const enum view_id *keys_screens(enum action action)
{
	return screens[action];
}

const char *keys_section_name(enum keys_section section)
{
	static const char *const sections[KEYS_SECTIONS] = {
		[KEYS_SCREENS] = "Screens",
		[KEYS_MOVE] = "Moving about",
		[KEYS_LIST] = "Lists",
		[KEYS_TUNE] = "Tuning, live",
		[KEYS_GENERAL] = "General",
	};

	return sections[section];
}

enum action keys_find(const char *id)
{
	for (int i = ACTION_NONE + 1; i < ACTIONS; i++) {
		if (strcasecmp(infos[i].id, id) == 0)
			return (enum action)i;
	}
	return ACTION_NONE;
}

/* "F1" to "F12", or -1. */
static int parse_function_key(const char *name)
{
	int n = 0;

	if (toupper((unsigned char)name[0]) != 'F' || name[1] == '0')
		return -1;
	for (name++; *name; name++) {
		if (!isdigit((unsigned char)*name) || n > 12)
			return -1;
		n = n * 10 + (*name - '0');
	}
	return n >= 1 && n <= 12 ? KEYS_F1 + n - 1 : -1;
}

int keys_parse(const char *name)
{
	unsigned int ch;
	size_t len = text_decode(name, &ch);

	if (len && !name[len])
		return ch > 0x20 && ch != 0x7f && ch != 0xfffd ? (int)ch : -1;
	for (size_t i = 0; i < NR_NAMES; i++) {
		if (strcasecmp(names[i].name, name) == 0)
			return names[i].code;
	}
	if (strncasecmp(name, "C-", 2) == 0 && name[2] && !name[3] &&
	    isalpha((unsigned char)name[2]))
		return name[2] & 0x1f;
	return parse_function_key(name);
}

char *keys_name(int code, char *buf, size_t size)
{
	char utf8[5];

	for (size_t i = 0; i < NR_NAMES; i++) {
		if (names[i].code == code) {
			snprintf(buf, size, "%s", names[i].name);
			return buf;
		}
	}
	if (code >= KEYS_F1 && code <= KEYS_F12) {
		snprintf(buf, size, "F%d", code - KEYS_F1 + 1);
	} else if (code > 0 && code < 0x20) {
		snprintf(buf, size, "C-%c", code | 0x60);
	} else if (code > 0x20 && code < KEYS_UP) {
		canvas_utf8((uint32_t)code, utf8);
		snprintf(buf, size, "%s", utf8);
	} else {
		snprintf(buf, size, "?");
	}
	return buf;
}

enum action keys_action(const struct keys *keys, int code)
{
	for (int i = ACTION_NONE + 1; i < ACTIONS; i++) {
		for (int k = 0; k < keys->bound[i].nr; k++) {
			if (keys->bound[i].codes[k] == code)
				return (enum action)i;
		}
	}
	return ACTION_NONE;
}

/*
 * Bind the blank-separated keys of @text, leaving out those that @taken
 * (NULL: nothing) binds.
 */
static int bind_text(struct keys *keys, enum action action, const char *text,
		     const struct keys *taken, struct err *err)
{
	char copy[128], *rest = copy, *name;
	const char *id = infos[action].id;
	enum action other;
	int code;

	snprintf(copy, sizeof(copy), "%s", text);
	while ((name = strsep(&rest, " \t")) != NULL) {
		if (!*name)
			continue;
		code = keys_parse(name);
		if (code < 0)
			return err_usage(err, "key '%s' for %s: no such key; "
					 "see rbtoprc(5)", name, id);
		if (taken && keys_action(taken, code) != ACTION_NONE)
			continue;
		other = keys_action(keys, code);
		if (other == action)
			continue;
		if (other != ACTION_NONE)
			return err_usage(err, "key '%s' is given to both %s "
					 "and %s; give it to one", name,
					 infos[other].id, id);
		if (keys->bound[action].nr == KEYS_PER_ACTION)
			return err_usage(err, "more than %d keys for %s",
					 KEYS_PER_ACTION, id);
		keys->bound[action].codes[keys->bound[action].nr++] = code;
	}
	return 0;
}

/* Bind what the configuration names, and mark its actions in @named. */
static int bind_config(struct keys *keys, const struct config *config,
		       bool named[ACTIONS], struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < config->nr_keys && ret == 0; i++) {
		enum action action = keys_find(config->keys[i].action);

		if (action == ACTION_NONE)
			return err_usage(err, "keys for '%s': no such action; "
					 "see rbtoprc(5)",
					 config->keys[i].action);
		named[action] = true;
		ret = bind_text(keys, action, config->keys[i].keys, NULL, err);
	}
	return ret;
}

int keys_bind(struct keys *keys, const struct config *config,
	      struct err *err)
{
	struct keys own = { 0 }, all;
	bool named[ACTIONS] = { false };
	int ret = 0;

	if (config)
		ret = bind_config(&own, config, named, err);
	all = own;
	for (int i = ACTION_NONE + 1; i < ACTIONS && ret == 0; i++) {
		if (!named[i])
			ret = bind_text(&all, (enum action)i, infos[i].keys,
					&own, err);
	}
	if (ret == 0)
		*keys = all;
	return ret;
}

char *keys_text(const struct keys *keys, enum action action, bool first,
		char *buf, size_t size)
{
	int nr = keys->bound[action].nr;
	size_t len = 0;
	char name[12];

	if (first && nr > 1)
		nr = 1;
	buf[0] = '\0';
	for (int i = 0; i < nr && len < size; i++) {
		keys_name(keys->bound[action].codes[i], name, sizeof(name));
		len += (size_t)snprintf(buf + len, size - len, "%s%s",
					i ? " " : "", name);
	}
	return buf;
}
