/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of the list of samples, and the texts of their cells. */
#ifndef RBTOP_SAMPLES_SAMPLE_COLUMNS_H
#define RBTOP_SAMPLES_SAMPLE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/times.h"
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
/* By id, ignoring case; SAMPLE_COLUMNS if there is none. */
enum sample_column sample_column_find(const char *id);

/* How the cells of samples are shown. */
struct sample_style {
	const struct times *times;
	enum times_clock clock;	/* of TIME */
	bool values;		/* WHAT is a tracepoint's fields instead of its
				 * text */
};

/*
 * Write the cell's text: "-" if the sample does not have the value; files
 * without their directories.  Returns @buf.
 */
char *sample_column_text(enum sample_column column,
			 const struct feed_sample *sample,
			 const struct sample_style *style, char *buf,
			 size_t size);

/*
 * "read", "read+0x1c", "[unknown]"; with @dso followed by " (/path/of/file)".
 * Returns @buf.
 */
char *sample_column_symbol(const struct symbol *symbol, bool dso, char *buf,
			   size_t size);
/*
 * A data source in words: "L3 hit", "RAM", "-" if unknown; see
 * perf_event_open(2).  Returns @buf.
 */
char *sample_column_data_src(uint64_t data_src, char *buf, size_t size);
/*
 * The same with the operation and the results of the snoop and of the TLB
 * lookup: "load, L3 hit, snoop none, TLB L1 hit".  Returns @buf.
 */
char *sample_column_access(uint64_t data_src, char *buf, size_t size);

#endif
