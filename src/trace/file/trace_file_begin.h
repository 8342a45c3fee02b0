/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RBTOP_TRACE_FILE_TRACE_FILE_BEGIN_H
#define RBTOP_TRACE_FILE_TRACE_FILE_BEGIN_H

#include <stdbool.h>

struct trace_file;

/* Whether perf has a decoder for the trace. */
bool trace_file_begin_decodes(const struct trace_file *f);

#endif
