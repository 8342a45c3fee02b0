/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A perf.data file that a test writes and reads back, by the offsets in its
 * header, each of which is checked to be within the file.
 */
#ifndef RBTOP_TESTS_PERFDATA_RIG_H
#define RBTOP_TESTS_PERFDATA_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "trace/perfdata/perfdata_format.h"
#include "trace/perfdata/perfdata_writer.h"

struct perfdata_rig {
	FILE *out;
	struct perfdata_writer *w;
	uint8_t *bytes;		/* of the whole file, once it is finished */
	size_t size;
	struct perfdata_header header;
};

static inline void rig_begin(struct perfdata_rig *rig,
			     const struct perfdata_event *events, size_t nr)
{
	memset(rig, 0, sizeof(*rig));
	rig->out = tmpfile();
	assert_non_null(rig->out);
	rig->w = perfdata_writer_new(rig->out, events, nr, NULL);
	assert_non_null(rig->w);
}

static inline const void *rig_at(const struct perfdata_rig *rig,
				 uint64_t offset, uint64_t size)
{
	assert_in_range(offset, 0, rig->size);
	assert_in_range(size, 0, rig->size - offset);
	return rig->bytes + offset;
}

/* Finish the file and read it back. */
static inline void rig_finish(struct perfdata_rig *rig,
			      const struct perfdata_machine *machine)
{
	struct err err = { 0 };

	if (perfdata_writer_finish(rig->w, machine, &err))
		fail_msg("%s", err.text);
	rig->size = (size_t)ftello(rig->out);
	assert_int_equal(rig->size, perfdata_writer_bytes(rig->w));
	rig->bytes = malloc(rig->size);
	rewind(rig->out);
	assert_int_equal(fread(rig->bytes, 1, rig->size, rig->out), rig->size);
	assert_int_equal(fgetc(rig->out), EOF);
	memcpy(&rig->header, rig_at(rig, 0, sizeof(rig->header)),
	       sizeof(rig->header));
}

static inline const uint8_t *rig_data(const struct perfdata_rig *rig)
{
	return rig_at(rig, rig->header.data.offset, rig->header.data.size);
}

/* The bytes of a feature; NULL if the file does not have it. */
static inline const uint8_t *rig_feature(const struct perfdata_rig *rig,
					 unsigned int bit, size_t *size)
{
	uint64_t at = rig->header.data.offset + rig->header.data.size;
	struct perfdata_section section;

	*size = 0;
	if (!(rig->header.features[0] >> bit & 1))
		return NULL;
	for (unsigned int i = 0; i < bit; i++)
		at += (rig->header.features[0] >> i & 1) * sizeof(section);
	memcpy(&section, rig_at(rig, at, sizeof(section)), sizeof(section));
	*size = section.size;
	return rig_at(rig, section.offset, section.size);
}

static inline void rig_free(struct perfdata_rig *rig)
{
	perfdata_writer_free(rig->w);
	fclose(rig->out);
	free(rig->bytes);
}

/* Read a u64, maybe unaligned. */
static inline uint64_t rig_u64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static inline uint32_t rig_u32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

#endif
