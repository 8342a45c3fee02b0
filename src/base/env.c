/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/env.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/text.h"

static char **original;		/* NULL: environ is unchanged */

/* Variables that neither name files nor influence which files are found. */
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
	return text_begins(entry, "LC_");
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
		if (text_begins(*entry, "HOME="))
			return *entry + 5;
	return original ? NULL : getenv("HOME");
}

void env_restore(void)
{
	if (original)
		environ = original;
}
