/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /proc/kallsyms: the functions of the kernel, its modules and BPF programs. */
#ifndef RBTOP_SYMBOLS_ELF_KALLSYMS_H
#define RBTOP_SYMBOLS_ELF_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perf/abi/side_band.h"

struct kallsyms;
struct kernel_symbols;
struct names;

/* A line: "address type name\t[module]". */
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

/*
 * Read the text of /proc/kallsyms from @fd, from its start.  Whether addresses
 * are visible is decided by the kernel when the file is opened (kptr_restrict,
 * CAP_SYSLOG), so @fd can be opened before privileges are dropped.  0 with
 * *@out; -EACCES if all addresses are hidden; -ENODATA if there are no symbols;
 * -errno.
 */
int kallsyms_read(int fd, struct kallsyms **out);
void kallsyms_free(struct kallsyms *k);

/* KSYMBOL: kernel text was added (a BPF program, ftrace) or removed. */
int kallsyms_add(struct kallsyms *k, uint64_t addr, uint64_t len,
		 const char *name);
void kallsyms_remove(struct kallsyms *k, uint64_t addr);

/*
 * The function at @addr, with its start and *@dso: "[kernel.kallsyms]",
 * "[ext4]".  NULL if @addr is in no function.
 */
const char *kallsyms_find(struct kallsyms *k, uint64_t addr,
			  struct names *names, uint64_t *start,
			  const char **dso);
size_t kallsyms_len(const struct kallsyms *k);
size_t kallsyms_bytes(const struct kallsyms *k);

/*
 * The running kernel's functions: read on first use, updated by KSYMBOL
 * records, and read again if unknown addresses occur (no record reports a
 * loaded module).  Those of a recording are older than its text, and replace
 * what has their addresses now.
 *
 * Opens @path ("/proc/kallsyms"; "": there are none, since the addresses are
 * those of another kernel), which needs a privilege that may be dropped
 * afterwards; a missing file is no error, see kernel_symbols_hidden().  @proc:
 * where sys/kernel is found; "": records are those of a recording.  NULL when
 * out of memory.
 */
struct kernel_symbols *kernel_symbols_new(const char *path, const char *proc);
void kernel_symbols_free(struct kernel_symbols *k);

/* Process a KSYMBOL record. */
void kernel_symbols_record(struct kernel_symbols *k,
			   const struct side_band_ksymbol *record);
/* Records start again: undo what they changed. */
void kernel_symbols_restart(struct kernel_symbols *k);

/* See kallsyms_find(). */
const char *kernel_symbols_find(struct kernel_symbols *k, uint64_t addr,
				struct names *names, uint64_t *start,
				const char **dso);

/* Read kallsyms again if due at @now_ns.  Rarely due: it takes up to 100 ms. */
void kernel_symbols_refresh(struct kernel_symbols *k, uint64_t now_ns);

/* Increases with every change; the top bit is set. */
uint64_t kernel_symbols_generation(const struct kernel_symbols *k);
/* Why there are no symbols, with the remedy; NULL: there are. */
const char *kernel_symbols_hidden(const struct kernel_symbols *k);
size_t kernel_symbols_len(const struct kernel_symbols *k);
size_t kernel_symbols_bytes(const struct kernel_symbols *k);

#endif
