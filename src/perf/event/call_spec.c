/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/event/call_spec.h"

#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "base/units.h"

#define CALL "call:"

bool call_spec_is(const char *text)
{
	return text_begins(text, CALL);
}

static int syntax(const char *text, struct err *err)
{
	return err_usage(err,
			 "'%.60s': use call:FUNC, call:PATH:FUNC or call:PATH:0xOFFSET; PATH must contain a '/'",
			 text);
}

/* Cut "#2" or "#g" off the end of @name.  False if another '#...' is there. */
static bool take_which(char *name, int *which)
{
	char *mark = strrchr(name, '#');
	uint64_t n;

	*which = -1;
	if (!mark)
		return true;
	*mark = '\0';
	name[strcspn(name, " ")] = '\0'; /* "name #2" */
	if (!strcmp(mark + 1, "g")) {
		*which = 0;
		return true;
	}
	if (!units_scan_number(mark + 1, &n) || n == 0 || n > INT_MAX)
		return false;
	*which = (int)n;
	return true;
}

/* Copy @len bytes of @from; false if there are none, or too many for @size. */
static bool take_part(char *to, size_t size, const char *from, size_t len)
{
	if (len == 0 || len >= size)
		return false;
	memcpy(to, from, len);
	to[len] = '\0';
	return true;
}

static bool is_word(const char *text)
{
	return *text && !text[strcspn(text, " \t\n")];
}

int call_spec_read(const char *text, struct call_spec *spec, struct err *err)
{
	const char *what = text + strlen(CALL);
	const char *slash = strchr(what, '/');
	const char *colon = slash ? strchr(slash, ':') : NULL;
	char *name = spec->function;

	*spec = (struct call_spec){ .which = -1 };
	if (slash && !colon)
		return syntax(text, err);
	if (colon && !take_part(spec->path, sizeof(spec->path), what,
				(size_t)(colon - what)))
		return syntax(text, err);
	if (colon)
		what = colon + 1;
	if (!take_part(name, sizeof(spec->function), what, strlen(what)))
		return syntax(text, err);
	if (!isdigit((unsigned char)*name))
		return take_which(name, &spec->which) && is_word(name) ?
			       0 : syntax(text, err);
	if (!colon || !units_scan_number(name, &spec->offset))
		return syntax(text, err);
	*name = '\0';
	return 0;
}
