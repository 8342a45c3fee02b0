/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/env.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/caps.h"

static char **original;		/* NULL: it is the one in use */

/* None of these names a file, or has one found. */
static bool is_harmless(const char *entry)
{
	static const char *const names[] = {
		"TERM", "COLORTERM", "NO_COLOR", "LANG", "LANGUAGE", "TZ",
		"LINES", "COLUMNS", "ESCDELAY",
	};
	size_t len = strcspn(entry, "=");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == len && !memcmp(entry, names[i], len))
			return true;
	return strncmp(entry, "LC_", 3) == 0;
}

int env_restrict(void)
{
	size_t nr = 0, kept = 0;
	char **fresh;

	if (!caps_are_lent() || original || !environ)
		return 0;
	while (environ[nr])
		nr++;
	fresh = calloc(nr + 1, sizeof(*fresh));
	if (!fresh)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		if (is_harmless(environ[i]))
			fresh[kept++] = environ[i];
	original = environ;
	environ = fresh;
	return 0;
}

const char *env_home(void)
{
	for (char **entry = original; entry && *entry; entry++)
		if (strncmp(*entry, "HOME=", 5) == 0)
			return *entry + 5;
	return original ? NULL : getenv("HOME");
}

void env_restore(void)
{
	if (original)
		environ = original;
}
