/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the symbols of a stripped file are: by its build-id, its path, or its
 * .gnu_debuglink, below the root of its process and that of this machine; and
 * by its build-id in the user's caches of perf and of debuginfod's clients, as
 * they are, for nothing is asked for over the network.
 */
#ifndef RBTOP_SYMBOLS_ELF_DEBUG_FILE_H
#define RBTOP_SYMBOLS_ELF_DEBUG_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/elf/elf_symbols.h"

struct elf_file;

/* Plain data: whose debug file is looked for. */
struct debug_file {
	const char *root;	/* "/usr/lib/debug" */
	const char *prefix;	/* "", "/proc/PID/root" */
	const char *path;	/* of the stripped file, for its process */
	struct elf_build_id id;
	const char *link;	/* .gnu_debuglink's file; NULL: none */
	uint32_t crc;		/* of that file */
	double until;		/* sys_now(); when to give up; 0: never */
};

/* Fill in @link and @crc.  @want->link lasts as long as @f is open. */
void debug_file_read_link(struct debug_file *want, struct elf_file *f);

/*
 * Open the @n-th place (0, 1, ...) where it may be, whose path goes to @path.
 * A fd; -ENOENT where nothing is there or it belongs to another file; -ERANGE
 * after the last place.
 */
int debug_file_open(const struct debug_file *want, unsigned int n, char *path,
		    size_t size);

#endif
