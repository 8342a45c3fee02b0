/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/screen/canvas_dump.h"

#include <ctype.h>

#define ROLE(id, letter, ...) [ROLE_##id] = letter,
static const char role_letters[ROLES] = {
#include "ui/draw/theme.def"
};

/* The letter of a look; of the default role: 'R' reversed, '_' selected. */
static int look(const struct cell *cell)
{
	int letter = role_letters[cell->role];

	if (cell->selected && !cell->reverse && cell->role == ROLE_DEFAULT)
		return role_letters[ROLE_SELECTED];
	if (!cell->reverse)
		return letter;
	return cell->role == ROLE_DEFAULT ? 'R' : toupper(letter);
}

static void dump_text(const struct cell *row, int cols, FILE *out)
{
	char buf[5];

	while (cols > 0 && row[cols - 1].ch == ' ')
		cols--;
	for (int i = 0; i < cols; i++) {
		if (row[i].ch && canvas_utf8(row[i].ch, buf))
			fputs(buf, out);
	}
	putc('\n', out);
}

static void dump_look(const struct cell *row, int cols, FILE *out)
{
	while (cols > 0 && look(&row[cols - 1]) == '.')
		cols--;
	for (int i = 0; i < cols; i++)
		putc(look(&row[i]), out);
	putc('\n', out);
}

void canvas_dump(const struct canvas *c, bool attributes, FILE *out)
{
	for (int i = 0; i < c->rows; i++) {
		const struct cell *row = &c->cells[(size_t)i *
						   (size_t)c->cols];

		dump_text(row, c->cols, out);
		if (attributes)
			dump_look(row, c->cols, out);
	}
}
