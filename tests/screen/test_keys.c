/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "ui/kit/keys.h"
#include "ui/kit/prompt.h"

static const struct {
	const char *name;
	int code;
} names[] = {
	{ "a", 'a' },		{ "G", 'G' },
	{ "\\", '\\' },		{ "é", 0xe9 },
	{ "C-l", 0x0c },	{ "Tab", KEYS_TAB },
	{ "S-Tab", KEYS_BACK_TAB }, { "Enter", KEYS_ENTER },
	{ "Space", ' ' },	{ "Esc", KEYS_ESC },
	{ "F1", KEYS_F1 },	{ "F10", KEYS_F1 + 9 },
	{ "F12", KEYS_F12 },	{ "PgUp", KEYS_PAGE_UP },
	{ "Home", KEYS_HOME },	{ "BS", KEYS_BACKSPACE },
};

TEST(test_names)
{
	char buf[12];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(keys_parse(names[i].name), names[i].code);
		assert_string_equal(keys_name(names[i].code, buf, sizeof(buf)),
				    names[i].name);
	}
	assert_int_equal(keys_parse("pgup"), KEYS_PAGE_UP);
	assert_int_equal(keys_parse("c-L"), 0x0c);
}

TEST(test_no_names)
{
	static const char *const bad[] = {
		"", "F0", "F13", "F1x", "F01", "C-", "C-1", "C-ll", "aa",
		"\t", "\033", " ", "\xff", "PageUp", "F99999999999",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(keys_parse(bad[i]), -1);
	/* a single letter is a key */
	assert_int_equal(keys_parse("F"), 'F');
}

/* keys_bind() refuses a key that is bound twice, or that is no key. */
TEST(test_defaults_do_not_clash)
{
	struct err err = { .kind = ERR_NONE };
	struct keys keys;

	if (keys_bind(&keys, NULL, NULL, &err) < 0)
		fail_msg("keys.def: %s", err.text);
	for (int i = ACTION_NONE + 1; i < ACTIONS; i++) {
		assert_true(keys.bound[i].nr > 0);
		assert_true(*keys_info((enum action)i)->help);
	}
}

/* Space plays a recording, unless the user has given it to another action. */
TEST(test_space_of_recordings)
{
	struct config config = {
		.keys = { { .action = "down", .keys = "Space" } },
		.nr_keys = 1,
	};
	struct keys keys;
	char buf[40];

	assert_int_equal(keys_bind(&keys, NULL, NULL, NULL), 0);
	assert_int_equal(keys_action(&keys, ' '), ACTION_TAG);
	keys_of_recording(&keys);
	keys_text(&keys, ACTION_FREEZE, false, buf, sizeof(buf));
	assert_string_equal(buf, "Space p Z");
	keys_text(&keys, ACTION_TAG, false, buf, sizeof(buf));
	assert_string_equal(buf, "Ins");
	keys_bind(&keys, &config, NULL, NULL);
	keys_of_recording(&keys);
	assert_int_equal(keys_action(&keys, ' '), ACTION_DOWN);
	strcpy(config.keys[0].action, "tag");
	strcpy(config.keys[0].keys, "*");
	keys_bind(&keys, &config, NULL, NULL);
	keys_of_recording(&keys);
	assert_int_equal(keys_action(&keys, ' '), ACTION_FREEZE);
	assert_int_equal(keys_action(&keys, '*'), ACTION_TAG);
}

/* Of two keys with the same priority, only one would be named. */
TEST(test_priorities_do_not_clash)
{
	for (int i = ACTION_NONE + 1; i < ACTIONS; i++) {
		const struct keys_info *a = keys_info((enum action)i);

		for (int j = i + 1; j < ACTIONS && a->priority; j++) {
			const struct keys_info *b = keys_info((enum action)j);

			if (a->priority == b->priority)
				fail_msg("keys.def: %s and %s have the same "
					 "priority, %d", a->id, b->id,
					 a->priority);
		}
	}
}

/* Each priority once, in order; keys without one are not in it. */
TEST(test_priorities)
{
	enum action action = ACTION_NONE;
	int nr = 0, named = 0, priority = 0;

	for (int i = ACTION_NONE + 1; i < ACTIONS; i++)
		named += keys_info((enum action)i)->priority > 0;
	while ((action = keys_next(action)) != ACTION_NONE) {
		assert_true(keys_info(action)->priority > priority);
		priority = keys_info(action)->priority;
		nr++;
	}
	assert_int_equal(nr, named);
	/* + comes before - */
	assert_true(keys_info(ACTION_GROW)->priority <
		    keys_info(ACTION_SHRINK)->priority);
}

TEST(test_screens)
{
	assert_true(keys_work_on(ACTION_QUIT, VIEW_LOG));
	assert_true(keys_work_on(ACTION_GROW, VIEW_RING_DETAIL));
	assert_false(keys_work_on(ACTION_GROW, VIEW_LOG));
	/* screens that a key opens */
	assert_int_equal(keys_next_screen(ACTION_GROW, VIEW_NONE), VIEW_RINGS);
	assert_int_equal(keys_next_screen(ACTION_GROW, VIEW_RINGS), VIEW_AUX);
	assert_int_equal(keys_next_screen(ACTION_GROW, VIEW_AUX), VIEW_NONE);
	/* but not one that this key opens itself */
	assert_true(keys_work_on(ACTION_FLAME, VIEW_FLAME));
	assert_int_equal(keys_next_screen(ACTION_FLAME, VIEW_HOT), VIEW_NONE);
	assert_int_equal(keys_next_screen(ACTION_QUIT, VIEW_NONE), VIEW_NONE);
}

TEST(test_defaults)
{
	struct keys keys;
	char buf[40];

	assert_int_equal(keys_bind(&keys, NULL, NULL, NULL), 0);
	assert_int_equal(keys_action(&keys, 'q'), ACTION_QUIT);
	assert_int_equal(keys_action(&keys, KEYS_F1 + 9), ACTION_DONE);
	assert_int_equal(keys_action(&keys, KEYS_F1), ACTION_HELP);
	assert_int_equal(keys_action(&keys, KEYS_ESC), ACTION_CANCEL);
	assert_int_equal(keys_action(&keys, 'Y'), ACTION_NONE);
	assert_int_equal(keys_action(&keys, KEYS_NONE), ACTION_NONE);
	assert_string_equal(keys_text(&keys, ACTION_HELP, false, buf,
				      sizeof(buf)), "h ? F1");
	assert_string_equal(keys_text(&keys, ACTION_HELP, true, buf,
				      sizeof(buf)), "h");
	/* a short buffer is cut, not overrun */
	assert_string_equal(keys_text(&keys, ACTION_HELP, false, buf, 4),
			    "h ?");
	assert_int_equal(keys_find("page_up"), ACTION_PAGE_UP);
	assert_int_equal(keys_find("nonsense"), ACTION_NONE);
}

static struct config config_of(const char *action, const char *text)
{
	struct config config = { .nr_keys = 1 };

	snprintf(config.keys[0].action, sizeof(config.keys[0].action), "%s",
		 action);
	snprintf(config.keys[0].keys, sizeof(config.keys[0].keys), "%s", text);
	return config;
}

TEST(test_configured)
{
	struct config config = config_of("quit", "x  h");
	struct keys keys;

	assert_int_equal(keys_bind(&keys, &config, NULL, NULL), 0);
	assert_int_equal(keys_action(&keys, 'x'), ACTION_QUIT);
	/* its default keys are no longer bound, */
	assert_int_equal(keys_action(&keys, 'q'), ACTION_NONE);
	/* and a key is removed from the action that had it */
	assert_int_equal(keys_action(&keys, 'h'), ACTION_QUIT);
	assert_int_equal(keys_action(&keys, '?'), ACTION_HELP);
	config = config_of("reset", "");
	assert_int_equal(keys_bind(&keys, &config, NULL, NULL), 0);
	assert_int_equal(keys_action(&keys, 'z'), ACTION_NONE);
}

static void refuses(const struct config *config, const char *says)
{
	struct keys keys;
	struct err err = { .kind = ERR_NONE };

	keys_bind(&keys, NULL, NULL, NULL);
	assert_true(keys_bind(&keys, config, "rc", &err) < 0);
	assert_int_equal(err.kind, ERR_USAGE);
	assert_non_null(strstr(err.text, says));
	/* the old bindings are kept */
	assert_int_equal(keys_action(&keys, 'q'), ACTION_QUIT);
}

TEST(test_refused)
{
	struct config config = config_of("jump", "x");

	refuses(&config, "jump");
	config = config_of("quit", "x F13");
	refuses(&config, "F13");
	config = config_of("quit", "x");
	config.keys[1] = config.keys[0];
	snprintf(config.keys[1].action, sizeof(config.keys[1].action), "help");
	config.nr_keys = 2;
	refuses(&config, "key 'x' is given to both QUIT and HELP");
	config.keys[1].line = 7;
	refuses(&config, "rc:7: key 'x' is given to both QUIT and HELP");
	config = config_of("quit", "a b c d e f g h i");
	refuses(&config, "more than 8");
}

TEST(test_set)
{
	struct config config = config_of("Help", "h ?");
	struct keys keys;

	keys_set(&config, ACTION_SNAPSHOT_SOME, KEYS_F1 + 10);
	assert_int_equal(config.nr_keys, 2);
	assert_string_equal(config.keys[1].action, "snapshot_some");
	assert_string_equal(config.keys[1].keys, "F11");
	keys_set(&config, ACTION_HELP, 0xe9);
	assert_int_equal(config.nr_keys, 2);
	assert_string_equal(config.keys[0].keys, "\u00e9");
	assert_int_equal(keys_bind(&keys, &config, NULL, NULL), 0);
	assert_int_equal(keys_action(&keys, 0xe9), ACTION_HELP);
	assert_int_equal(keys_action(&keys, 'S'), ACTION_NONE);
	/* no line for the default */
	keys_set(&config, ACTION_HELP, KEYS_NONE);
	keys_set(&config, ACTION_SNAPSHOT_SOME, 'S');
	keys_set(&config, ACTION_QUIT, KEYS_NONE);
	assert_int_equal(config.nr_keys, 0);
}

static void type(struct prompt *p, const char *text)
{
	for (; *text; text++)
		prompt_key(p, *text);
}

TEST(test_prompt_edits)
{
	struct prompt p;

	prompt_start(&p, "delay: ", "one");
	type(&p, " two");
	assert_string_equal(p.text, "one two");
	assert_int_equal(prompt_key(&p, KEYS_BACKSPACE), PROMPT_CHANGED);
	assert_string_equal(p.text, "one tw");
	assert_int_equal(prompt_key(&p, 0x17), PROMPT_CHANGED); /* C-w */
	assert_string_equal(p.text, "one ");
	assert_int_equal(prompt_key(&p, KEYS_HOME), PROMPT_MOVED);
	assert_int_equal(prompt_key(&p, 0xe9), PROMPT_CHANGED);
	assert_string_equal(p.text, "éone ");
	/* over the whole character */
	assert_int_equal(prompt_key(&p, KEYS_LEFT), PROMPT_MOVED);
	assert_int_equal(p.cursor, 0);
	assert_int_equal(prompt_key(&p, KEYS_BACKSPACE), PROMPT_IGNORED);
	assert_int_equal(prompt_key(&p, KEYS_DELETE), PROMPT_CHANGED);
	assert_string_equal(p.text, "one ");
	prompt_key(&p, KEYS_RIGHT);
	assert_int_equal(prompt_key(&p, 0x0b), PROMPT_CHANGED); /* C-k */
	assert_string_equal(p.text, "o");
	assert_int_equal(prompt_key(&p, 0x15), PROMPT_CHANGED); /* C-u */
	assert_string_equal(p.text, "");
	assert_int_equal(prompt_key(&p, 0x07), PROMPT_IGNORED);
	assert_int_equal(prompt_key(&p, KEYS_F1), PROMPT_IGNORED);
	assert_int_equal(prompt_key(&p, KEYS_ENTER), PROMPT_ENTERED);
	assert_int_equal(prompt_key(&p, KEYS_ESC), PROMPT_CANCELLED);
}

TEST(test_prompt_is_bounded)
{
	struct prompt p;

	prompt_start(&p, "x", NULL);
	for (int i = 0; i < 2 * PROMPT_MAX; i++)
		prompt_key(&p, 0x6f22);
	assert_true(p.len < PROMPT_MAX);
	assert_int_equal(p.len % 3, 0);
	assert_int_equal(strlen(p.text), p.len);
}

TEST(test_prompt_scrolls)
{
	struct canvas *c = canvas_new(2, 20, false);
	struct prompt p;

	prompt_start(&p, "find: ", "");
	type(&p, "0123456789abcdefghijklmnop");
	prompt_draw(&p, canvas_area(c), 1);
	assert_int_equal(c->cursor_row, 1);
	assert_int_equal(c->cursor_col, 19);
	/* the end is visible, with the cursor after it */
	assert_int_equal(c->cells[20 + 18].ch, 'p');
	assert_int_equal(c->cells[20 + 6].ch, 'd');
	canvas_free(c);
}

TEST_GROUP(keys);
