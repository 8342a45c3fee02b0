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

size_t record_end_in(uint32_t type, size_t size, const unsigned char *data,
		     uint64_t mask, uint64_t at, size_t trailer)
{
	size_t body = size;
	uint16_t lengths[2];

	if (type == PERF_RECORD_BPF_EVENT) {
		body = RECORD_BPF_FIXED;
	} else if (type == PERF_RECORD_KSYMBOL) {
		/* up to the word that has the name's NUL */
		body = RECORD_KSYMBOL_NAME;
		while (body + sizeof(uint64_t) <= size &&
		       !memchr(data + ((at + body) & mask), '\0',
			       sizeof(uint64_t)))
			body += sizeof(uint64_t);
		body += sizeof(uint64_t);
	} else if (type == PERF_RECORD_TEXT_POKE &&
		   size >= RECORD_POKE_LENGTHS + sizeof(uint64_t)) {
		memcpy(lengths, data + ((at + RECORD_POKE_LENGTHS) & mask),
		       sizeof(lengths));
		body = RECORD_POKE_LENGTHS + sizeof(lengths) + lengths[0] +
		       lengths[1];
		body = (body + 7) / 8 * 8;
	}
	return size < body + trailer ? size : body + trailer;
}

uint64_t record_time(const void *record, size_t size)
{
	struct perf_event_header header;
	size_t offset;

	if (size < sizeof(header))
		return 0;
	memcpy(&header, record, sizeof(header));
	if (header.type != PERF_RECORD_SAMPLE && header.size > size)
		return 0;
	offset = record_time_offset(header, record_end(record, header));
	if (!offset || offset + sizeof(uint64_t) > size)
		return 0;
	return record_word(record, offset);
}
