/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Make a page of the manual from its .in file: a line @KEYS@, @COLUMNS@,
 * @SAMPLE_COLUMNS@, @HOT_KEYS@, @AUX_COLUMNS@, @HOST_COLUMNS@, @RECORDS@,
 * @FIGURES@, @AUX_FIGURES@ or @SIM@ becomes the table that the program itself
 * is built from, so that the two cannot differ.  Reads standard input, writes
 * standard output.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ring/figures.h"

/* Text as mdoc(7) takes it: no character of it is a macro's or an escape. */
static void put_text(const char *text, size_t len)
{
	fputs("\\&", stdout);
	for (size_t i = 0; i < len; i++) {
		switch (text[i]) {
		case '\\':
			fputs("\\e", stdout);
			break;
		case '-':
			fputs("\\-", stdout);
			break;
		case '^':
			fputs("\\(ha", stdout);
			break;
		case '~':
			fputs("\\(ti", stdout);
			break;
		case '"':
			fputs("\\(dq", stdout);
			break;
		case '\'':
			fputs("\\(aq", stdout);
			break;
		default:
			putchar(text[i]);
		}
	}
}

static void put_item(const char *macro, const char *name, const char *help)
{
	printf(".It %s ", macro);
	put_text(name, strlen(name));
	putchar('\n');
	put_text(help, strlen(help));
	putchar('\n');
}

enum {
#define SCREEN(id, ...) SCREEN_##id,
#include "ui/kit/screens.def"
#undef SCREEN
	SCREENS_ALL
};

/* All that have a tab. */
static unsigned int screen_tabs(void)
{
	return 0
#define SCREEN(id, name, key, tab, view) | ((tab) ? 1U << SCREEN_##id : 0)
#include "ui/kit/screens.def"
#undef SCREEN
		;
}

/* " (Rings, AUX)", but for screens that a row or the key itself opens. */
static void put_screens(const char *action, unsigned int screens)
{
	static const struct {
		const char *name, *key;
	} all[SCREENS_ALL] = {
#define SCREEN(id, name, key, ...) { name, #key },
#include "ui/kit/screens.def"
#undef SCREEN
	};
	const char *separator = " (";

	for (int i = 0; i < SCREENS_ALL; i++) {
		if (!(screens & 1U << i) || !strcmp(all[i].key, "NONE") ||
		    !strcmp(all[i].key, action))
			continue;
		printf("%s%s", separator, all[i].name);
		separator = ", ";
	}
	puts(*separator == ',' ? ")" : "");
}

/* "h ? F1" as "h, ?, F1". */
static void put_key(const char *action, const char *keys, unsigned int screens,
		    const char *help)
{
	const char *separator = "";

	printf(".It ");
	while (*keys) {
		size_t len = strcspn(keys, " ");

		printf("%sIc ", separator);
		put_text(keys, len);
		keys += len + strspn(keys + len, " ");
		separator = " , ";
	}
	printf(" Pq Cm ");
	for (const char *c = action; *c; c++)
		putchar(tolower((unsigned char)*c));
	putchar('\n');
	put_text(help, strlen(help));
	put_screens(action, screens);
}

enum section { GENERAL, SCREENS, MOVE, LIST, TUNE, PLAY, SECTIONS };

static void put_keys(void)
{
	static const char *const titles[SECTIONS] = {
		"General", "Screens", "Moving", "Lists",
		"Tuning (not with \\-\\-readonly)",
		"Recordings (\\-i)",
	};

	for (enum section s = 0; s < SECTIONS; s++) {
		printf(".Ss Keys: %s\n.Bl -tag -width 14n -compact\n",
		       titles[s]);
#define ANY 0
#define TABS screen_tabs()
#define ON(screen) (1U << SCREEN_##screen)
#define ACTION(id, section, keys, label, priority, screens, help) \
	if (section == s)                                         \
		put_key(#id, keys, screens, help);
#include "ui/kit/keys.def"
#undef ACTION
#undef ON
#undef TABS
#undef ANY
		puts(".El");
	}
}

static const struct figure_info figures[FIGURES] = {
#define FIGURE(id, kind, value, ...) [FIGURE_##id] = { __VA_ARGS__ },
#include "ring/figures.def"
#undef FIGURE
};

static const char *header(int figure, enum figure_list list)
{
	const char *own = figures[figure].in[list].header;

	return own ? own : figures[figure].header;
}

/*
 * The columns of a list that are shown by default, or are not: by their names
 * in the rc file; those of AUX by their headings, for several have a name that
 * is quite another.
 */
static void put_figures(enum figure_list list, bool hidden)
{
	puts(".Bl -tag -width 11n -compact");
	for (int i = 0; i < FIGURES; i++) {
		const struct figure_column *column = &figures[i].in[list];

		const char *name = list == IN_AUX ? header(i, list) :
						    figures[i].id;
		char help[256];

		if (!column->rank || column->hidden != hidden)
			continue;
		snprintf(help, sizeof(help),
			 strcasecmp(name, figures[i].id) ? "%s (%s)" : "%s",
			 figures[i].help, figures[i].id);
		put_item("Cm", name, help);
	}
	puts(".El");
}

static void put_columns(void)
{
	puts("Shown by default, as many as fit:\n.Pp");
	put_figures(IN_RINGS, false);
	puts(".Pp\nHidden by default; choose them with\n.Ic F2 :\n.Pp");
	put_figures(IN_RINGS, true);
}

/* Items of a list that is open: the fields of a ring, or of its AUX ring. */
static void put_fields(bool aux)
{
	for (int i = 0; i < FIGURES; i++) {
		const struct figure_info *info = &figures[i];
		char help[256];

		if (!info->key || info->aux != aux)
			continue;
		snprintf(help, sizeof(help), "%s%s", info->help,
			 info->foreign ? " (host)" :
			 info->owned ? " (own)" : "");
		put_item("Cm", info->key, help);
	}
}

static void put_ring_fields(void)
{
	put_fields(false);
}

static void put_aux_fields(void)
{
	put_fields(true);
}

static void put_sample_columns_shown(bool by_default)
{
	puts(".Bl -tag -width 11n -compact");
#define SAMPLE_COLUMN(id, name, header, width, shown, help) \
	if (by_default == !!(shown))                        \
		put_item("Cm", name, help);
#include "samples/sample_columns.def"
#undef SAMPLE_COLUMN
	puts(".El");
}

static void put_sample_columns(void)
{
	puts("Shown by default:\n.Pp");
	put_sample_columns_shown(true);
	puts(".Pp\nHidden by default; choose them with\n.Ic F2 :\n.Pp");
	put_sample_columns_shown(false);
}

static void put_hot_keys(void)
{
	puts(".Bl -tag -width 11n -compact");
#define HOT_KEY(id, name, header, width, help) put_item("Cm", name, help);
#include "samples/hot_keys.def"
#undef HOT_KEY
	puts(".El");
}

static void put_aux_columns(void)
{
	put_figures(IN_AUX, false);
}

static void put_host_columns(void)
{
	put_figures(IN_HOST, false);
}

static void put_records(void)
{
	puts(".Bl -tag -width 18n -compact");
#define RECORD(nr, name, help, ...) put_item("Dv", #name, help);
#include "perf/abi/record.def"
#undef RECORD
	puts(".El");
}

static void put_sim(void)
{
	puts(".Bl -tag -width 12n -compact");
#define SIM_KEY(name, kind, least, most, normal, help) \
	put_item("Cm", #name "=", help);
#include "sim/sim_keys.def"
#undef SIM_KEY
	puts(".El");
}

static const struct {
	const char *line;
	void (*put)(void);
} tables[] = {
	{ "@KEYS@\n", put_keys },
	{ "@COLUMNS@\n", put_columns },
	{ "@SAMPLE_COLUMNS@\n", put_sample_columns },
	{ "@HOT_KEYS@\n", put_hot_keys },
	{ "@AUX_COLUMNS@\n", put_aux_columns },
	{ "@HOST_COLUMNS@\n", put_host_columns },
	{ "@RECORDS@\n", put_records },
	{ "@FIGURES@\n", put_ring_fields },
	{ "@AUX_FIGURES@\n", put_aux_fields },
	{ "@SIM@\n", put_sim },
};

static void put_line(const char *line)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		if (!strcmp(line, tables[i].line)) {
			tables[i].put();
			return;
		}
	}
	fputs(line, stdout);
}

int main(void)
{
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, stdin) > 0)
		put_line(line);
	free(line);
	if (ferror(stdin) || fflush(stdout)) {
		perror("make_man");
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
