/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/abi/record.h"

static const char *const names[RECORD_TYPES] = {
	[RECORD_OTHER] = "OTHER",
#define RECORD(nr, name, help) [nr] = #name,
#include "perf/abi/record.def"
#undef RECORD
};

const char *record_name(unsigned int type)
{
	const char *name = names[record_index(type)];

	return name ? name : names[RECORD_OTHER];
}

uint64_t record_time(const void *record, size_t size)
{
	struct perf_event_header header;
	size_t offset;

	if (size < sizeof(header))
		return 0;
	memcpy(&header, record, sizeof(header));
	offset = record_time_offset(header);
	if (!offset || offset + sizeof(uint64_t) > size)
		return 0;
	return record_word(record, offset);
}
