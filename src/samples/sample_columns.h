/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of the list of samples: text of each. */
#ifndef RBTOP_SAMPLES_SAMPLE_COLUMNS_H
#define RBTOP_SAMPLES_SAMPLE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "samples/feed.h"

#define SAMPLE_COLUMN(id, name, header, width, shown, help) SAMPLE_COLUMN_##id,
enum sample_column {
#include "samples/sample_columns.def"
	SAMPLE_COLUMNS
};
#undef SAMPLE_COLUMN

struct sample_column_info {
	const char *id, *header;
	int width;		/* columns on screen; 0: what is left */
	bool shown;		/* by default */
	const char *help;
};

const struct sample_column_info *sample_column_info(enum sample_column column);
/* By id, case ignored; SAMPLE_COLUMNS where there is none. */
enum sample_column sample_column_find(const char *id);

/*
 * The cell's text, "-" for what the sample has not; files without their
 * directories.  With @values, WHAT has a tracepoint's fields instead of its
 * text.  Returns @buf.
 */
char *sample_column_text(enum sample_column column,
			 const struct feed_sample *sample, bool values,
			 char *buf, size_t size);

/* "read", "read+0x1c", "[unknown]"; with @dso " (/path/of/file)" behind it. */
char *sample_column_symbol(const struct symbol *symbol, bool dso, char *buf,
			   size_t size);
/* A data source in words: "L3 hit", "RAM"; see perf_event_open(2). */
char *sample_column_data_src(uint64_t data_src, char *buf, size_t size);
/* With what was done, and how the snoop and the TLB lookup went: "load, L3 hit,
 * snoop none, TLB L1 hit". */
char *sample_column_access(uint64_t data_src, char *buf, size_t size);

#endif
