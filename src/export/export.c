/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/export.h"

#include <stddef.h>
#include <string.h>

static const struct export_format *const formats[] = {
	&export_text, &export_json, &export_csv, &export_script,
	&export_openmetrics, &export_prometheus,
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
	return "text, json, csv, script, openmetrics, prometheus";
}
