/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of an ELF file, read with libelf: from .symtab, else from
 * .dynsym and .gnu_debugdata, and from a separate debug file if there is one;
 * and its procedure linkage table ("read@plt").  What has no symbol is named by
 * its place, in functions if .eh_frame_hdr says where these begin.  The
 * contents of files are not trusted.
 */
#ifndef RBTOP_SYMBOLS_ELF_ELF_SYMBOLS_H
#define RBTOP_SYMBOLS_ELF_ELF_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { ELF_BUILD_ID_MAX = 20 };

struct debug_budget;
struct names;
struct elf_symbols;

struct elf_build_id {
	uint8_t bytes[ELF_BUILD_ID_MAX];
	uint8_t len;		/* 0: none */
};

struct elf_symbols_opts {
	/*
	 * Where separate debug files are searched: ROOT/.build-id/xx/y.debug
	 * and ROOT/PATH.debug.  NULL: /usr/lib/debug.
	 */
	const char *debug_root;
	/*
	 * Root directory of the process, for its debug files: "" or
	 * "/proc/PID/root".
	 */
	const char *prefix;
	/*
	 * Who runs the file: see struct debug_file.  It may not be known, as
	 * the process has ended: then what must be the user's must be root's,
	 * but it does not count as root's.
	 */
#define ELF_OWNER_UNKNOWN ((uid_t)-1)
	uid_t owner;
	size_t max_bytes;	/* limit of the symbols; more are dropped */
	/* Limit of the search for a debug file, seconds; 0: none. */
	double debug_seconds;
	struct debug_budget *budget;	/* see debug_file.h; NULL: no limit */
};

/*
 * Read the file at @fd (not closed), named @path.  0 with *@out, or -errno:
 * -ENOEXEC if it is no ELF file or too damaged to use.
 */
int elf_symbols_read(int fd, const char *path,
		     const struct elf_symbols_opts *opts,
		     struct elf_symbols **out);
/* The same from memory (the vdso), which is only used during the call. */
int elf_symbols_image(const void *image, size_t size,
		      struct elf_symbols **out);
void elf_symbols_free(struct elf_symbols *elf);

/*
 * Write the symbols to the file @fd, and read them again, with the same build
 * of rbtop.  The contents are not trusted: neither values, nor a size beyond
 * that of symbols of @max_bytes (struct elf_symbols_opts).  0 or -errno,
 * -EFBIG.
 */
int elf_symbols_save(const struct elf_symbols *elf, int fd);
int elf_symbols_restore(int fd, size_t max_bytes, struct elf_symbols **out);

/* The build-id of the file at @fd.  0, or -ENOENT if it has none. */
int elf_symbols_build_id(int fd, struct elf_build_id *id);

/*
 * The function at @offset of the file: by its PT_LOAD, which works for PIEs,
 * shared objects and fixed executables.  Returns the name, with its start as a
 * file offset; NULL if there is none.
 */
const char *elf_symbols_find(struct elf_symbols *elf, uint64_t offset,
			     struct names *names, uint64_t *start);

/*
 * The same for what has no symbol: "fn@0x1a40" is the function that starts at
 * that offset of the file, "page@0x12000" the page, if no function is known
 * there.  NULL if @offset is not in code.
 */
const char *elf_symbols_place(const struct elf_symbols *elf, uint64_t offset,
			      struct names *names, uint64_t *start);

/* The tables that the names are from; 0: there are no names. */
enum {
	ELF_SYMTAB = 1,
	ELF_DEBUG_FILE = 2,
	ELF_DYNSYM = 4,
	ELF_DEBUGDATA = 8,
};
unsigned int elf_symbols_tables(const struct elf_symbols *elf);
/* Whether symbols were dropped at the limit. */
bool elf_symbols_cut(const struct elf_symbols *elf);
size_t elf_symbols_bytes(const struct elf_symbols *elf);

#endif
