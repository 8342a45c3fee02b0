/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A reader of perf.data files that snapshots and recordings write. */
#ifndef RBTOP_TESTS_RIG_FILE_H
#define RBTOP_TESTS_RIG_FILE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/perfdata/perfdata_format.h"

/* A file that was written, and a position in it. */
struct rig_file {
	unsigned char *bytes;
	size_t size, at, end;	/* of the records */
	struct perf_event_header header;
	const unsigned char *record;	/* as found by rig_next() */
};

static inline uint64_t rig_word(const unsigned char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

static inline uint32_t rig_half(const unsigned char *at)
{
	uint32_t half;

	memcpy(&half, at, sizeof(half));
	return half;
}

static inline void rig_load(struct rig_file *f, const char *path)
{
	FILE *in = fopen(path, "r");
	struct perfdata_header header;

	assert_non_null(in);
	fseek(in, 0, SEEK_END);
	f->size = (size_t)ftell(in);
	rewind(in);
	f->bytes = malloc(f->size + 8);
	assert_int_equal(fread(f->bytes, 1, f->size, in), f->size);
	fclose(in);
	memcpy(&header, f->bytes, sizeof(header));
	assert_memory_equal(f->bytes, "PERFILE2", 8);
	f->at = (size_t)header.data.offset;
	f->end = f->at + (size_t)header.data.size;
	assert_true(f->end <= f->size);
}

static inline bool rig_next(struct rig_file *f)
{
	if (f->at == f->end)
		return false;
	f->record = f->bytes + f->at;
	memcpy(&f->header, f->record, sizeof(f->header));
	assert_true(f->header.size >= 8);
	f->at += f->header.size;
	if (f->header.type == PERFDATA_RECORD_AUXTRACE)
		f->at += (size_t)rig_word(f->record + 8);
	assert_true(f->at <= f->end);
	return true;
}

/* Go to the next record of @type; false at the end. */
static inline bool rig_find(struct rig_file *f, uint32_t type)
{
	while (rig_next(f))
		if (f->header.type == type)
			return true;
	return false;
}

static inline size_t rig_count(const struct rig_file *from, uint32_t type)
{
	struct rig_file f = *from;
	size_t nr = 0;

	while (rig_find(&f, type))
		nr++;
	return nr;
}

static inline void rig_close(struct rig_file *f)
{
	free(f->bytes);
}

#endif
