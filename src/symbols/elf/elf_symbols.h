/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of an ELF file, by libelf: of .symtab, else of .dynsym and
 * .gnu_debugdata, and of a separate debug file where there is one; and its
 * procedure linkage table ("read@plt").  Nothing in the file is believed.
 */
#ifndef RBTOP_SYMBOLS_ELF_ELF_SYMBOLS_H
#define RBTOP_SYMBOLS_ELF_ELF_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ELF_BUILD_ID_MAX = 20 };

struct names;
struct elf_symbols;

struct elf_build_id {
	uint8_t bytes[ELF_BUILD_ID_MAX];
	uint8_t len;		/* 0: there is none */
};

struct elf_symbols_opts {
	/*
	 * Where separate debug files are looked for: ROOT/.build-id/xx/y.debug
	 * and ROOT/PATH.debug.  NULL: /usr/lib/debug.
	 */
	const char *debug_root;
	/* What the process' root is, for its debug files: "" or
	 * "/proc/PID/root". */
	const char *prefix;
	size_t max_bytes;	/* of symbols; what is beyond is left out */
	/* That the search for a debug file may take; 0: as long as it does. */
	double debug_seconds;
};

/*
 * Read the file open at @fd (not taken over), which @path names.  0 with
 * *@out, or -errno: -ENOEXEC where it is no ELF file or too damaged to use.
 */
int elf_symbols_read(int fd, const char *path,
		     const struct elf_symbols_opts *opts,
		     struct elf_symbols **out);
/* The same from memory (the vdso), which is only read during the call. */
int elf_symbols_image(const void *image, size_t size,
		      struct elf_symbols **out);
void elf_symbols_free(struct elf_symbols *elf);

/*
 * Write what was read to the file @fd, and read it again, in the same build of
 * rbtop.  What is read is not believed either: neither what it says nor how
 * long it is, where that is more than symbols of @max_bytes take (struct
 * elf_symbols_opts).  0 or -errno, -EFBIG.
 */
int elf_symbols_save(const struct elf_symbols *elf, int fd);
int elf_symbols_restore(int fd, size_t max_bytes, struct elf_symbols **out);

/* The build-id of the file at @fd alone.  0, -ENOENT where it has none. */
int elf_symbols_build_id(int fd, struct elf_build_id *id);

/*
 * The function at @offset of the file: by the PT_LOAD that holds it, so it
 * serves PIEs, shared objects and fixed executables alike.  Name and start as
 * a file offset; NULL where there is none.
 */
const char *elf_symbols_find(struct elf_symbols *elf, uint64_t offset,
			     struct names *names, uint64_t *start);

/* "symtab", "dynsym", "debug file /usr/lib/debug/...", "no symbols" */
const char *elf_symbols_origin(const struct elf_symbols *elf);
/* Whether it has more than found room. */
bool elf_symbols_cut(const struct elf_symbols *elf);
size_t elf_symbols_bytes(const struct elf_symbols *elf);

#endif
