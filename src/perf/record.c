/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/record.h"

static const char *const names[RECORD_TYPES] = {
	[RECORD_OTHER] = "OTHER",
#define RECORD(nr, name, help) [nr] = #name,
#include "perf/record.def"
#undef RECORD
};

const char *record_name(unsigned int type)
{
	const char *name = names[record_index(type)];

	return name ? name : names[RECORD_OTHER];
}
