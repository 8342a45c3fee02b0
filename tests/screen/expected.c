/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/screen/expected.h"

#include "tests/group.h"
#include "tests/screen/canvas_dump.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char marks[] = { '|', ':' };

/* The line after @s; the end of the text after the last line. */
static const char *next_line(const char *s)
{
	return s + strcspn(s, "\n") + (strchr(s, '\n') != NULL);
}

/*
 * Lines @first to @end of the output of canvas_dump(), with marks; to be freed.
 */
static char *mark(const char *dump, int first, int end, int looks)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	for (int i = 0; *dump && i < end; i++, dump = next_line(dump))
		if (i >= first)
			fprintf(out, "%c%.*s\n", marks[looks ? i % 2 : 0],
				(int)strcspn(dump, "\n"), dump);
	fclose(out);
	return text;
}

/* @rows rows of the canvas from @row on, with marks; to be freed. */
static char *rows_of(const struct canvas *c, int row, int rows, int looks)
{
	char *dump = NULL, *text;
	size_t size;
	FILE *out = open_memstream(&dump, &size);
	int lines = looks ? 2 : 1;

	assert_non_null(out);
	canvas_dump(c, looks, out);
	fclose(out);
	text = mark(dump, row * lines, (row + rows) * lines, looks);
	free(dump);
	return text;
}

/* The number of rows in a text with marks. */
static int count_rows(const char *text)
{
	int rows = 0;

	for (; *text; text = next_line(text))
		rows += *text == marks[0];
	return rows;
}

/* Cut off the last rows where they are blank. */
static void drop_blank_rows(char *text)
{
	const char *end = text, *line = text;

	for (; *line; line = next_line(line)) {
		if (line[1] != '\n')
			end = next_line(line);
	}
	text[end - text] = '\0';
}

/* A diff line by line: a row that moved is shown as different. */
static void print_diff(const char *name, const char *expected, const char *text)
{
	fprintf(stderr, "--- %s\n+++ the canvas\n", name);
	while (*expected || *text) {
		int was = (int)strcspn(expected, "\n");
		int is = (int)strcspn(text, "\n");

		if (*expected && *text && was == is &&
		    !memcmp(expected, text, (size_t)is)) {
			fprintf(stderr, " %.*s\n", is, text);
		} else {
			if (*expected)
				fprintf(stderr, "-%.*s\n", was, expected);
			if (*text)
				fprintf(stderr, "+%.*s\n", is, text);
		}
		expected = next_line(expected);
		text = next_line(text);
	}
}

/* Whether they are the same; a diff if not. */
static bool compare(const char *name, const char *expected, const char *text)
{
	if (!strcmp(expected, text))
		return true;
	print_diff(name, expected, text);
	return false;
}

/* The contents of a file, to be freed; NULL if there is none. */
static char *read_all(const char *path)
{
	FILE *in = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!in)
		return NULL;
	if (getdelim(&text, &size, '\0', in) < 0) {
		free(text);
		text = calloc(1, 1);
	}
	fclose(in);
	return text;
}

/* Write @text to @path, making its directory, unless @old is the same. */
static void write_all(const char *path, const char *old, const char *text)
{
	char *dir = strdup(path);
	FILE *out;

	assert_non_null(dir);
	*strrchr(dir, '/') = '\0';
	if (mkdir(dir, 0777) && errno != EEXIST)
		fail_msg("%s: %s", dir, strerror(errno));
	free(dir);
	if (old && !strcmp(old, text))
		return;
	out = fopen(path, "w");
	if (!out || fputs(text, out) < 0 || fclose(out))
		fail_msg("%s: %s", path, strerror(errno));
	fprintf(stderr, "written: %s\n", path);
}

void assert_screen_rows(const struct canvas *c, int row, int rows, int looks,
			const char *name)
{
	const char *mode = getenv("RBTOP_SCREENS");
	int there = c->rows - row;
	char path[PATH_MAX], *expected, *text;

	assert_in_range(row, 0, c->rows - 1);
	snprintf(path, sizeof(path), "%s/%s.txt", EXPECTED_DIR, name);
	expected = read_all(path);
	text = rows_of(c, row, rows < there ? rows : there, looks);
	drop_blank_rows(text);
	if (mode && !strcmp(mode, "write"))
		write_all(path, expected, text);
	else if (!expected)
		fail_msg("no %s: make screens, in the build directory, writes "
			 "it", path);
	else if (!compare(path, expected, text))
		fail_msg("%s.txt (-) is not what was drawn (+): if that is as "
			 "it should be, make screens, in the build directory, "
			 "writes it again", name);
	free(expected);
	free(text);
}

void assert_screen(const struct canvas *c, int looks, const char *name)
{
	assert_screen_rows(c, 0, c->rows, looks, name);
}

void assert_rows(const struct canvas *c, int looks, const char *expected)
{
	char *marked = mark(expected, 0, INT_MAX, looks);
	char *text = rows_of(c, 0, count_rows(marked), looks);

	if (!compare("the test", marked, text))
		fail_msg("the rows in the test (-) are not what was drawn (+)");
	free(marked);
	free(text);
}
