/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AUXTRACE_INFO of recordings made by other programs, if these are beside the
 * checkout; the rest of the files is not read.
 */
#ifndef RBTOP_TESTS_FIXTURE_INFO_H
#define RBTOP_TESTS_FIXTURE_INFO_H

#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fixture_info {
	struct perf_event_attr attr;	/* of the event that traces */
	uint64_t words[512];
	size_t nr;
};

static inline FILE *fixture_open(const char *name)
{
	const char *top = getenv("srcdir");
	char path[512];

	snprintf(path, sizeof(path), "%s/../shared/fixtures/%s",
		 top ? top : ".", name);
	return fopen(path, "rb");
}

static inline void fixture_at(FILE *f, uint64_t offset, void *to, size_t size)
{
	if (fseek(f, (long)offset, SEEK_SET) || fread(to, size, 1, f) != 1)
		abort();
}

/* Read the attr with the PMU's type. */
static inline void fixture_attr(FILE *f, const uint64_t *header, uint32_t type,
				struct perf_event_attr *attr)
{
	uint64_t offset = header[3], end = offset + header[4];
	uint32_t sizes[2];

	for (; offset < end; offset += header[2]) {
		memset(attr, 0, sizeof(*attr));
		fixture_at(f, offset, sizes, sizeof(sizes));
		fixture_at(f, offset, attr,
			   sizes[1] && sizes[1] < sizeof(*attr) ?
				   sizes[1] :
				   PERF_ATTR_SIZE_VER0);
		if (attr->type == type)
			return;
	}
	abort();
}

/*
 * Read the AUXTRACE_INFO of the recording @name; @type returns the PMU's type
 * from its words.  False if there are no recordings.
 */
static inline bool fixture_info_read(const char *name,
				     uint32_t (*type)(const uint64_t *words),
				     struct fixture_info *info)
{
	struct perf_event_header record;
	FILE *f = fixture_open(name);
	uint64_t header[13], at;

	if (!f)
		return false;
	fixture_at(f, 0, header, sizeof(header));
	for (at = header[5];; at += record.size) {
		fixture_at(f, at, &record, sizeof(record));
		if (record.type == 70)
			break;
		if (record.size < sizeof(record))
			abort();
	}
	info->nr = (record.size - 16u) / sizeof(uint64_t);
	if (info->nr > sizeof(info->words) / sizeof(info->words[0]))
		abort();
	fixture_at(f, at + 16, info->words, info->nr * sizeof(uint64_t));
	fixture_attr(f, header, type(info->words), &info->attr);
	fclose(f);
	return true;
}

#endif
