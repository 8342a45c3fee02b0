/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/export.h"

#include <stddef.h>
#include <string.h>

static const struct export_format *const formats[] = {
#define ADDRESS(name) &export_##name,
	EXPORT_FORMATS(ADDRESS)
#undef ADDRESS
};

const struct export_format *export_find(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

const char *export_names(void)
{
#define AFTER_COMMA(name) ", " #name
	static const char names[] = EXPORT_FORMATS(AFTER_COMMA);
#undef AFTER_COMMA

	return &names[2];
}
