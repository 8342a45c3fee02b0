/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/elf/kallsyms_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 256 << 20 };		/* bytes read, whatever the file */

struct reader {
	kallsyms_line_fn *fn;
	void *ctx;
};

static int take_line(const struct reader *r, char *text)
{
	struct kallsyms_line line;
	char *end, *module;

	line.addr = strtoull(text, &end, 16);
	if (end == text || end[0] != ' ' || !end[1] || end[2] != ' ')
		return 0;
	line.type = end[1];
	line.name = end + 3;
	module = end + 3 + strcspn(line.name, "\t ");
	if (*module)
		*module++ = '\0';
	line.module = module + strspn(module, "\t ");
	return r->fn(r->ctx, &line);
}

/*
 * The whole lines of the *@len bytes at @text; what is behind the last of them
 * moves to the front, and *@len becomes its length.
 */
static int take_lines(const struct reader *r, char *text, size_t *len)
{
	char *line = text, *end;
	int ret;

	while ((end = memchr(line, '\n', *len - (size_t)(line - text)))) {
		*end = '\0';
		ret = take_line(r, line);
		if (ret)
			return ret;
		line = end + 1;
	}
	*len -= (size_t)(line - text);
	memmove(text, line, *len);
	return 0;
}

int kallsyms_lines_each(int fd, kallsyms_line_fn *fn, void *ctx)
{
	const struct reader r = { fn, ctx };
	size_t used = 0, total = 0;
	char text[16384];
	ssize_t n;
	int ret;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return -errno;
	while (total < TEXT_MAX) {
		n = read(fd, text + used, sizeof(text) - 1 - used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		total += (size_t)n;
		used += (size_t)n;
		ret = take_lines(&r, text, &used);
		if (ret)
			return ret;
		/* a line longer than any there can be is none */
		used = used < sizeof(text) - 1 ? used : 0;
	}
	text[used] = '\0';
	return take_line(&r, text);
}

bool kallsyms_lines_is_function(const struct kallsyms_line *line)
{
	return line->type == 't' || line->type == 'T' || line->type == 'w' ||
	       line->type == 'W';
}
