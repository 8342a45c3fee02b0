/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of /proc/kallsyms: "address type name\t[module]". */
#ifndef RBTOP_SYMBOLS_ELF_KALLSYMS_LINES_H
#define RBTOP_SYMBOLS_ELF_KALLSYMS_LINES_H

#include <stdbool.h>
#include <stdint.h>

struct kallsyms_line {
	uint64_t addr;		/* 0 in all lines where they are hidden */
	char type;		/* as nm(1) has it */
	const char *name;	/* as long as the call */
	const char *module;	/* "[ext4]"; "": the kernel itself */
};

typedef int kallsyms_line_fn(void *ctx, const struct kallsyms_line *line);

/*
 * Call @fn with each line of the file open at @fd, from its start on, until it
 * returns other than 0, which is returned.  A line of any other form is left
 * out.  0 or -errno.
 */
int kallsyms_lines_each(int fd, kallsyms_line_fn *fn, void *ctx);

/* Whether it is a function's. */
bool kallsyms_lines_is_function(const struct kallsyms_line *line);

#endif
