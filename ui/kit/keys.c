/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/kit/keys.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/text.h"

#define ANY		KEYS_ANY
#define ON(screen)	(1U << VIEW_##screen)
enum {
	TABS = 0
#define SCREEN(id, name, key, tab, view) | ((tab) ? ON(id) : 0)
#include "ui/kit/screens.def"
#undef SCREEN
};
#define ACTION(id, section, keys, label, priority, screens, help) \
	[ACTION_##id] = { #id, KEYS_##section, keys, label, priority, \
			  screens, help },
static const struct keys_info infos[ACTIONS] = {
	[ACTION_NONE] = { "", KEYS_GENERAL, "", "", 0, 0, "" },
#include "ui/kit/keys.def"
};
#undef ACTION
#undef ON
#undef ANY
_Static_assert((int)CONFIG_MAX_KEYS >= (int)ACTIONS, "each may have keys");

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

bool keys_work_on(enum action action, enum view_id screen)
{
	return infos[action].screens & 1U << screen;
}

enum view_id keys_next_screen(enum action action, enum view_id screen)
{
	for (int i = (int)screen + 1; i < VIEWS; i++) {
		enum view_id next = (enum view_id)i;
		enum action opener = view_info(next)->key;

		if (infos[action].screens != KEYS_ANY &&
		    keys_work_on(action, next) && opener != ACTION_NONE &&
		    opener != action)
			return next;
	}
	return VIEW_NONE;
}

enum action keys_next(enum action action)
{
	int min = infos[action].priority;
	enum action next = ACTION_NONE;

	for (int i = ACTION_NONE + 1; i < ACTIONS; i++) {
		int priority = infos[i].priority;

		if (priority > min && (next == ACTION_NONE ||
					 priority < infos[next].priority))
			next = (enum action)i;
	}
	return next;
}

const char *keys_section_name(enum keys_section section)
{
	static const char *const sections[KEYS_SECTIONS] = {
		[KEYS_SCREENS] = "Screens",
		[KEYS_MOVE] = "Navigation",
		[KEYS_LIST] = "Lists",
		[KEYS_TUNE] = "Live tuning",
		[KEYS_PLAY] = "Recordings",
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

/* The code of "F1" to "F12"; -1 for other names. */
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
	} else if (code > 0x20 && code < KEYS_UP &&
		   (code < 0x7f || code > 0x9f)) {
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
 * Bind @action to the blank-separated keys of @text, except those that @taken
 * (may be NULL) binds.
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

/* Bind the keys of @config, and mark the actions named there in @named. */
static int bind_config(struct keys *keys, const struct config *config,
		       const char *path, bool named[ACTIONS], struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < config->nr_keys && ret == 0; i++) {
		const struct config_key *key = &config->keys[i];
		enum action action = keys_find(key->action);

		named[action] = true;
		ret = action == ACTION_NONE ?
			err_usage(err, "keys for '%s': no such action; see "
				  "rbtoprc(5)", key->action) :
			bind_text(keys, action, key->keys, NULL, err);
		if (ret < 0 && key->line)
			err_prefix(err, "%s:%d", path, key->line);
	}
	return ret;
}

int keys_bind(struct keys *keys, const struct config *config,
	      const char *path, struct err *err)
{
	struct keys own = { 0 }, all;
	bool named[ACTIONS] = { false };
	int ret = 0;

	if (config)
		ret = bind_config(&own, config, path, named, err);
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

void keys_of_recording(struct keys *keys)
{
	enum action owner = keys_action(keys, KEYS_SPACE);
	int *play = keys->bound[ACTION_FREEZE].codes;
	int *tag = keys->bound[ACTION_TAG].codes, kept = 0;

	if ((owner != ACTION_TAG && owner != ACTION_NONE) ||
	    keys->bound[ACTION_FREEZE].nr == KEYS_PER_ACTION)
		return;
	for (int i = 0; i < keys->bound[ACTION_TAG].nr; i++)
		if (tag[i] != KEYS_SPACE)
			tag[kept++] = tag[i];
	keys->bound[ACTION_TAG].nr = kept;
	memmove(play + 1, play, (size_t)keys->bound[ACTION_FREEZE].nr++ *
				sizeof(*play));
	play[0] = KEYS_SPACE;
}

/* "snapshot_some", as it is written in the rc file. */
char *keys_id(enum action action, char *buf, size_t size)
{
	text_copy(buf, size, infos[action].id);
	for (char *p = buf; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return buf;
}

int keys_default_taken(const struct keys *keys, enum action action)
{
	char copy[sizeof(((struct config_key *)0)->keys)], *rest = copy, *name;

	text_copy(copy, sizeof(copy), infos[action].keys);
	while ((name = strsep(&rest, " ")) != NULL) {
		int code = keys_parse(name);
		enum action owner = keys_action(keys, code);

		if (owner != ACTION_NONE && owner != action)
			return code;
	}
	return KEYS_NONE;
}

void keys_set(struct config *config, enum action action, int code)
{
	struct config_key *key = config->keys;
	struct config_key *end = key + config->nr_keys;
	char name[12] = "";

	while (key < end && keys_find(key->action) != action)
		key++;
	if (code != KEYS_NONE)
		keys_name(code, name, sizeof(name));
	if (!*name || strcmp(name, infos[action].keys) == 0) {
		if (key == end)
			return;
		memmove(key, key + 1, (size_t)(end - key - 1) * sizeof(*key));
		config->nr_keys--;
		return;
	}
	if (key == end) {
		keys_id(action, key->action, sizeof(key->action));
		config->nr_keys++;
	}
	text_copy(key->keys, sizeof(key->keys), name);
	key->line = 0;
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
