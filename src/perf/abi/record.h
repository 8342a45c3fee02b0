/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be read from a ring's records without decoding their bodies.  Pure:
 * no I/O, no clock, no globals.
 */
#ifndef RBTOP_PERF_ABI_RECORD_H
#define RBTOP_PERF_ABI_RECORD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Types from RECORD_TYPES on are counted under index 0, "OTHER". */
enum { RECORD_TYPES = 32 };

#define RECORD(nr, name, help) RECORD_##name = nr,
enum record_type {
	RECORD_OTHER = 0,
#include "perf/abi/record.def"
};
#undef RECORD

/* "SAMPLE", "LOST", ...; "OTHER" for unknown types. */
const char *record_name(unsigned int type);

/* The index under which records of @type are counted. */
static inline unsigned int record_index(unsigned int type)
{
	return type < RECORD_TYPES ? type : RECORD_OTHER;
}

/*
 * Whether a header is valid, with @left bytes from its start: the kernel pads
 * every record to 8 bytes.
 */
static inline bool record_sane(struct perf_event_header header, uint64_t left)
{
	return header.size >= sizeof(header) &&
	       header.size % sizeof(uint64_t) == 0 && header.size <= left;
}

/*
 * Read the header of the record at offset @at (at most @size) of the @size
 * bytes @records.  False at the end, or if the header is invalid.
 */
static inline bool record_at(const unsigned char *records, size_t size,
			     size_t at, struct perf_event_header *header)
{
	if (size - at < sizeof(*header))
		return false;
	memcpy(header, records + at, sizeof(*header));
	return record_sane(*header, size - at);
}

/*
 * The fields every event of rbtop asks for, beside PERF_SAMPLE_RAW on
 * tracepoints.  One layout for all events of a ring: so a sample's id, tid
 * and time stand at fixed offsets, and so does the sample_id trailer of the
 * other records (perf_event_open(2), sample_id_all).
 */
#define RECORD_SAMPLE_TYPE                                           \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
	 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

enum {
	/* from the record's start, in a SAMPLE */
	RECORD_SAMPLE_ID = 8,
	RECORD_SAMPLE_TID = 24,		/* u32 pid, u32 tid */
	RECORD_SAMPLE_TIME = 32,
	RECORD_SAMPLE_FIXED = 56,	/* size of a sample without RAW */
	/* back from the record's end, in all others: TID TIME CPU IDENTIFIER */
	RECORD_TRAILER_ID = 8,
	RECORD_TRAILER_CPU = 16,
	RECORD_TRAILER_TIME = 24,
	RECORD_TRAILER = 32,		/* size of the trailer */
	RECORD_BPF_FIXED = 24,		/* size of a BPF_EVENT without it */
	RECORD_KSYMBOL_NAME = 24,	/* from the start of a KSYMBOL */
	RECORD_POKE_LENGTHS = 16,	/* of a TEXT_POKE: u16 old, u16 new */
	/* in a LOST: u64 id at 8, then the count */
	RECORD_LOST_COUNT = 16,
	/* in an AUX, u64 each */
	RECORD_AUX_OFFSET = 8,
	RECORD_AUX_SIZE = 16,
	RECORD_AUX_FLAGS = 24,		/* PERF_AUX_FLAG_* */
	RECORD_AUX_FIXED = 32,		/* size with these */
	/* in an ITRACE_START, after the u32 pid */
	RECORD_ITRACE_TID = 12,
};

/* The 8 bytes at @offset; the record must be long enough. */
static inline uint64_t record_word(const void *record, size_t offset)
{
	uint64_t word;

	memcpy(&word, (const unsigned char *)record + offset, sizeof(word));
	return word;
}

/* The same for 4 bytes. */
static inline uint32_t record_half(const void *record, size_t offset)
{
	uint32_t half;

	memcpy(&half, (const unsigned char *)record + offset, sizeof(half));
	return half;
}

/*
 * The offset at which the trailer, of @trailer bytes, of a record ends; at most
 * its @size.  The record is at position @at of @data, a ring of @mask + 1 bytes
 * (UINT64_MAX: plain bytes).  The kernel adds the trailer to the size of a
 * KSYMBOL, BPF_EVENT or TEXT_POKE once for each event that it writes the same
 * one to (perf_event_ksymbol_output() and the like): from the second on, what
 * the ring had there before follows.
 */
size_t record_end_in(uint32_t type, size_t size, const unsigned char *data,
		     uint64_t mask, uint64_t at, size_t trailer);

/* The same for a record of rbtop's own events. */
static inline size_t record_end(const void *record,
				struct perf_event_header header)
{
	return record_end_in(header.type, header.size, record, UINT64_MAX, 0,
			     RECORD_TRAILER);
}

/*
 * The offset in bytes of the time (ns of the session's clock) of a record that
 * ends at @end; 0 if it is too short to have one.
 */
static inline size_t record_time_offset(struct perf_event_header header,
					size_t end)
{
	if (header.type == PERF_RECORD_SAMPLE)
		return header.size < RECORD_SAMPLE_FIXED ? 0 :
							   RECORD_SAMPLE_TIME;
	if (end < sizeof(header) + RECORD_TRAILER)
		return 0;
	return end - RECORD_TRAILER_TIME;
}

/* The time of the record @record, of @size bytes, in ns; 0 if it has none. */
uint64_t record_time(const void *record, size_t size);

#endif
