/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write to the stream of a perf.data file.  Errors are stored in .error. */
#ifndef RBTOP_TRACE_PERFDATA_PERFDATA_PUT_H
#define RBTOP_TRACE_PERFDATA_PERFDATA_PUT_H

#include "trace/perfdata/perfdata_state.h"

void perfdata_put(struct perfdata_writer *w, const void *bytes, size_t size);
void perfdata_put_u32(struct perfdata_writer *w, uint32_t value);
void perfdata_put_u64(struct perfdata_writer *w, uint64_t value);
/* Write @size zeros, fewer than PERFDATA_STRING_ALIGN. */
void perfdata_put_pad(struct perfdata_writer *w, size_t size);
/* Write the padded length, then the text, padded. */
void perfdata_put_string(struct perfdata_writer *w, const char *text);
/* Move the stream, but not the writer's position. */
void perfdata_go_to(struct perfdata_writer *w, uint64_t offset);
/* The same, and write there. */
void perfdata_put_at(struct perfdata_writer *w, uint64_t offset,
		     const void *bytes, size_t size);
/* Set the position of the next write. */
void perfdata_seek(struct perfdata_writer *w, uint64_t offset);
/* Convert an attribute to the form used in files. */
void perfdata_fill_attr(uint8_t bytes[PERFDATA_ATTR_SIZE],
			const struct perf_event_attr *attr);

#endif
