/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace_file.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	RECORD_ID_INDEX = 69,
	RECORD_AUXTRACE_INFO = 70,
	RECORD_AUXTRACE = 71,
	RECORD_COMPRESSED = 81,

	HEADER_SIZE = 104,
	/* offsets in struct perf_event_attr */
	ATTR_SIZE = 4,
	ATTR_SAMPLE_TYPE = 24,
	ATTR_FLAGS = 40,
};

#define SAMPLE_ID_ALL (1ULL << 18)

struct file {
	const uint8_t *start;
	uint64_t size;
	uint64_t data;
	uint64_t data_size;
	uint64_t attrs;
	uint64_t attrs_size;
	/* the ID_INDEX record's entries */
	const uint8_t *index;
	uint64_t nr_index;
};

static uint64_t u64_at(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static uint32_t u32_at(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static bool inside(const struct file *file, uint64_t offset, uint64_t size)
{
	return offset <= file->size && size <= file->size - offset;
}

static const char *read_header(struct file *file)
{
	const uint8_t *at = file->start;

	if (file->size < HEADER_SIZE || memcmp(at, "PERFILE2", 8) != 0 ||
	    u64_at(at + 8) != HEADER_SIZE)
		return "not a perf.data file of this machine";
	file->attrs = u64_at(at + 24);
	file->attrs_size = u64_at(at + 32);
	file->data = u64_at(at + 40);
	file->data_size = u64_at(at + 48);
	if (!inside(file, file->attrs, file->attrs_size))
		return "the attributes stand outside the file";
	if (!inside(file, file->data, file->data_size))
		return "the data stand outside the file";
	if (!file->data_size)
		return "no data: its writer did not finish it";
	return NULL;
}

/* Whether the attr's entry at @entry lists @id. */
static bool has_id(const struct file *file, uint64_t entry, uint64_t id)
{
	uint64_t attr_size = u32_at(file->start + entry + ATTR_SIZE);
	uint64_t offset = u64_at(file->start + entry + attr_size);
	uint64_t size = u64_at(file->start + entry + attr_size + 8);
	uint64_t i;

	if (!inside(file, offset, size))
		return false;
	for (i = 0; i < size / 8; i++)
		if (u64_at(file->start + offset + 8 * i) == id)
			return true;
	return false;
}

/*
 * The sample_type of the event with that id; of the first one if @id is 0;
 * 0 if its records have no trailer.
 */
static uint64_t sample_type(const struct file *file, uint64_t id)
{
	uint64_t entry = file->attrs;
	uint64_t end = file->attrs + file->attrs_size;

	while (entry + PERF_ATTR_SIZE_VER0 + 16 <= end) {
		const uint8_t *attr = file->start + entry;
		uint64_t size = u32_at(attr + ATTR_SIZE);

		if (size < PERF_ATTR_SIZE_VER0 || size + 16 > end - entry)
			break;
		if (!id || has_id(file, entry, id))
			return u64_at(attr + ATTR_FLAGS) & SAMPLE_ID_ALL ?
				       u64_at(attr + ATTR_SAMPLE_TYPE) :
				       0;
		entry += size + 16;
	}
	return 0;
}

/* The id in the trailer of a record that ends at @end. */
static uint64_t trailer_id(const struct file *file, const uint8_t *end)
{
	uint64_t type = sample_type(file, 0);

	if (type & PERF_SAMPLE_IDENTIFIER)
		return u64_at(end - 8);
	if (!(type & PERF_SAMPLE_ID))
		return 0;
	if (type & PERF_SAMPLE_CPU)
		end -= 8;
	if (type & PERF_SAMPLE_STREAM_ID)
		end -= 8;
	return u64_at(end - 8);
}

static void look_up_index(const struct file *file, struct trace_aux *aux)
{
	uint64_t i;

	aux->cpu = UINT64_MAX;
	aux->tid = UINT64_MAX;
	for (i = 0; i < file->nr_index; i++) {
		const uint8_t *entry = file->index + 32 * i;

		if (u64_at(entry) != aux->id)
			continue;
		aux->cpu = u64_at(entry + 16);
		aux->tid = u64_at(entry + 24);
		return;
	}
}

static const char *take_index(struct file *file, const uint8_t *record,
			      uint64_t size)
{
	uint64_t nr;

	if (size < 16)
		return "a short ID_INDEX";
	nr = u64_at(record + 8);
	if (nr > (size - 16) / 32)
		return "an ID_INDEX longer than its record";
	file->index = record + 16;
	file->nr_index = nr;
	return NULL;
}

static const char *take_aux(const struct file *file, const uint8_t *record,
			    uint64_t size, const struct trace_visitor *visitor)
{
	struct trace_aux aux;

	if (size < 32)
		return "a short AUX record";
	aux.offset = u64_at(record + 8);
	aux.size = u64_at(record + 16);
	aux.flags = u64_at(record + 24);
	aux.id = size > 32 ? trailer_id(file, record + size) : 0;
	look_up_index(file, &aux);
	visitor->aux(visitor->data, &aux);
	return NULL;
}

static const char *take_span(const uint8_t *record, uint64_t size,
			     uint64_t left, const struct trace_visitor *visitor,
			     uint64_t *beyond)
{
	struct trace_span span;

	if (size != 48)
		return "an AUXTRACE record of another size";
	span.size = u64_at(record + 8);
	span.offset = u64_at(record + 16);
	span.reference = u64_at(record + 24);
	span.idx = u32_at(record + 32);
	span.tid = u32_at(record + 36);
	span.cpu = u32_at(record + 40);
	span.payload = record + size;
	if (span.size > left - size)
		return "an AUXTRACE longer than the file";
	if (span.size % 8)
		return "an AUXTRACE that is not padded to 8 bytes";
	visitor->span(visitor->data, &span);
	*beyond = span.size;
	return NULL;
}

/* Read one record; the size of what follows outside of it goes to @beyond. */
static const char *take(struct file *file, const uint8_t *record, uint64_t left,
			const struct trace_visitor *visitor, uint64_t *beyond)
{
	uint16_t size;

	memcpy(&size, record + 6, sizeof(size));
	if (size < 8 || size > left)
		return "a record of an impossible size";
	switch (u32_at(record)) {
	case PERF_RECORD_AUX:
		return take_aux(file, record, size, visitor);
	case RECORD_ID_INDEX:
		return take_index(file, record, size);
	case RECORD_AUXTRACE_INFO:
		if (size < 16)
			return "a short AUXTRACE_INFO";
		visitor->info(visitor->data, u32_at(record + 8));
		return NULL;
	case RECORD_AUXTRACE:
		return take_span(record, size, left, visitor, beyond);
	case RECORD_COMPRESSED:
		return "compressed records";
	default:
		return NULL;
	}
}

static const char *walk(struct file *file, const struct trace_visitor *visitor)
{
	const char *wrong = read_header(file);
	uint64_t at = 0;

	while (!wrong && at < file->data_size) {
		const uint8_t *record = file->start + file->data + at;
		uint64_t left = file->data_size - at;
		uint64_t beyond = 0;
		uint16_t size;

		if (left < 8)
			return "bytes after the last record";
		wrong = take(file, record, left, visitor, &beyond);
		memcpy(&size, record + 6, sizeof(size));
		at += size + beyond;
	}
	return wrong;
}

const char *trace_file_walk(const char *path,
			    const struct trace_visitor *visitor)
{
	struct file file = { 0 };
	const char *wrong;
	struct stat st;
	void *map;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return "cannot be opened";
	if (fstat(fd, &st) < 0 || st.st_size == 0) {
		close(fd);
		return "is empty";
	}
	file.size = (uint64_t)st.st_size;
	map = mmap(NULL, file.size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return "cannot be mapped";
	file.start = map;
	wrong = walk(&file, visitor);
	munmap(map, file.size);
	return wrong;
}
