/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads recordings: the perf.data files of perf, simpleperf and rbtop, record
 * by record, in the order of the file.  Files of both byte orders and of
 * 32-bit writers, of the first version (PERFFILE), of pipe mode, compressed
 * ones, directories (perf record --threads), and files whose writer died.
 *
 * Memory does not depend on the size of the file: a buffer, what decompression
 * needs (128 MiB at most), and the ids of events.  Nothing in a file is
 * trusted.
 *
 * Records that configure the reader (ATTR, ID_INDEX, EVENT_UPDATE, FEATURE) are
 * taken over by it and returned as well.  A compressed record is returned, then
 * those in it.
 */
#ifndef RBTOP_TRACE_PERFDATA_PERFDATA_READER_H
#define RBTOP_TRACE_PERFDATA_PERFDATA_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elf/elf_symbols.h"
#include "trace/perfdata/perfdata_events.h"

struct err;
struct perfdata_reader;

/* Of a file that samples are of. */
struct perfdata_build_id {
	struct elf_build_id id;
	bool kernel;		/* of the kernel itself or a module */
	char *path;		/* as in the file */
};

enum perfdata_form {
	PERFDATA_FORM_FILE,
	PERFDATA_FORM_V1,	/* PERFFILE, before Linux 2.6.36 */
	PERFDATA_FORM_PIPE,	/* perf record -o - */
	PERFDATA_FORM_DIRECTORY,
};

/* What the file says of itself, sanitized; "": it does not. */
struct perfdata_info {
	enum perfdata_form form;
	bool big_endian;
	bool unfinished;	/* its writer did not finish it: no size */
	uint64_t compressed_unread; /* compressed records whose contents are
				 * missing: rbtop was built without libzstd */
	char hostname[72], os_release[72], version[72], arch[72];
	char cmdline[1024];
	uint64_t cpus;		/* online while it was recorded; UNKNOWN */
	uint64_t cpus_available;	/* CPUs are below it; UNKNOWN */
	uint64_t ring_size, aux_size;	/* by -m in @cmdline: bytes; UNKNOWN */
	int64_t written;	/* when: s of the wall clock; 0: from a pipe */
};

/*
 * Open the file or directory @path; "-" is standard input, which may be a pipe.
 * @copied: of a pipe, make a copy to read again, see perfdata_input_copy().  NULL
 * with @err, which names @path.
 */
struct perfdata_reader *perfdata_reader_open(const char *path, bool copied,
					     struct err *err);
/*
 * Read the regular file, the copy or the directory of @from once more, from its
 * start: the same one, even if another has its name by now.  The files of a
 * directory are then read side by side, by the times of their records, except
 * those later than @last, which are broken; UNKNOWN: none is.  NULL with @err.
 */
struct perfdata_reader *
perfdata_reader_again(const struct perfdata_reader *from, uint64_t last,
		      struct err *err);
/*
 * The time that a directory read again has reached: no earlier record follows,
 * except that within a file, the order is the ring's.  0: not known.
 */
uint64_t perfdata_reader_reached(const struct perfdata_reader *r);
void perfdata_reader_free(struct perfdata_reader *r);

/* Whether @path is a file, or such a directory, that begins as a recording. */
bool perfdata_reader_knows(const char *path);

/*
 * The next record.  1; 0 at the end; or -errno with @err if the file cannot be
 * read or is damaged here: it says where, and there are no further records.
 */
int perfdata_reader_next(struct perfdata_reader *r,
			 struct perfdata_record *record, struct err *err);

/* From a pipe, most of this is known only at the end. */
const struct perfdata_info *
perfdata_reader_info(const struct perfdata_reader *r);

/* Event @i; NULL if there are fewer.  Valid until the next record. */
const struct perfdata_event_info *
perfdata_reader_event(const struct perfdata_reader *r, size_t i);

/*
 * Copy a record of this file to @copy, see perfdata_events_copy(), before the
 * next one is read.
 */
size_t perfdata_reader_copy(const struct perfdata_reader *r,
			    const struct perfdata_record *record,
			    uint64_t *copy);

/* The build-ids that the file has.  From a pipe, all are known at the end. */
const struct perfdata_build_id *
perfdata_reader_build_ids(const struct perfdata_reader *r, size_t *nr);

/*
 * Call @fn with each format file of a tracepoint in the file, of @len bytes and
 * not NUL-terminated, until it returns non-zero, which is returned.  With
 * another byte order or size of a long there are none: the raw data could not
 * be read.  From a pipe, all are known at the end.
 */
typedef int perfdata_format_fn(void *ctx, const char *sys, const char *format,
			       size_t len);
int perfdata_reader_formats(const struct perfdata_reader *r,
			    perfdata_format_fn *fn, void *ctx);

/* Whether rbtop was built with libzstd. */
bool perfdata_reader_decompresses(void);

#endif
