/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/record.h"

static const struct {
	const char *name;
	const char *help;
} records[RECORD_TYPES] = {
	[RECORD_OTHER] = { "OTHER", "a type this rbtop does not know" },
#define RECORD(nr, name, help) [nr] = { #name, help },
#include "perf/record.def"
#undef RECORD
};

const char *record_name(unsigned int type)
{
	if (type >= RECORD_TYPES || !records[type].name)
		type = RECORD_OTHER;
	return records[type].name;
}

const char *record_help(unsigned int type)
{
	if (type >= RECORD_TYPES || !records[type].help)
		return "";
	return records[type].help;
}
