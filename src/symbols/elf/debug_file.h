/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locations of the debug file of a stripped file: by its build-id, its path, or
 * its .gnu_debuglink, below the root of its process and of this machine; and by
 * build-id in the user's caches of perf and debuginfod, without network access.
 * Below the root of the process, links do not lead out of it.
 */
#ifndef RBTOP_SYMBOLS_ELF_DEBUG_FILE_H
#define RBTOP_SYMBOLS_ELF_DEBUG_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/elf/elf_symbols.h"

struct elf_file;

/*
 * What the reader of many files keeps between them: checksums of debug files,
 * and how many bytes of these each user's files may still cost.  Without it, a
 * user's small files could keep a CPU busy for ever, if their .gnu_debuglink
 * names a large one.  For one thread.
 */
struct debug_budget;

/*
 * Each user may have @max bytes read at once, and @minute bytes per minute.
 * NULL when out of memory.
 */
struct debug_budget *debug_file_budget_new(uint64_t max, uint64_t minute);
void debug_file_budget_free(struct debug_budget *budget);
/* Bytes that were read for checksums. */
uint64_t debug_file_budget_read(const struct debug_budget *budget);

/* What to search for.  Plain data. */
struct debug_file {
	const char *root;	/* "/usr/lib/debug" */
	const char *prefix;	/* "", "/proc/PID/root" */
	const char *path;	/* of the stripped file, in its process' root */
	/*
	 * Who runs it.  A file that neither a build-id nor a checksum confirms
	 * must be this user's, or root's.
	 */
	uid_t owner;
	struct elf_build_id id;
	const char *link;	/* file name from .gnu_debuglink; NULL: none */
	uint32_t crc;		/* of that file */
	double until;		/* sys_now() at which to give up; 0: never */
	struct debug_budget *budget;	/* of @owner; NULL: no limit */
};

/* Set @link and @crc.  @want->link is valid while @f is open. */
void debug_file_read_link(struct debug_file *want, struct elf_file *f);

/*
 * Open the @n-th location (0, 1, ...), and store its path in @path.  A
 * descriptor; -ENOENT if there is no file, it belongs to another one, or the
 * budget is used up; -ERANGE after the last location.
 */
int debug_file_open(const struct debug_file *want, unsigned int n, char *path,
		    size_t size);

/* Take @bytes that are read of that file from the budget. */
void debug_file_charge(const struct debug_file *want, uint64_t bytes);

#endif
