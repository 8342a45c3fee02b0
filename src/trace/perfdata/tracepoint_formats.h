/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the tracing data that perf or perfdata_tracing_data() wrote. */
#ifndef RBTOP_TRACE_PERFDATA_TRACEPOINT_FORMATS_H
#define RBTOP_TRACE_PERFDATA_TRACEPOINT_FORMATS_H

#include <stddef.h>

#include "trace/perfdata/perfdata_reader.h"

/* See perfdata_reader_formats(); @data is not trusted. */
int perfdata_tracing_formats(const void *data, size_t size,
			     perfdata_format_fn *fn, void *ctx);

#endif
