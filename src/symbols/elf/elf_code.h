/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of an ELF file that are in none of its symbol tables. */
#ifndef RBTOP_SYMBOLS_ELF_ELF_CODE_H
#define RBTOP_SYMBOLS_ELF_ELF_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct elf_extent;
struct elf_file;
struct symbol_table;

/*
 * The procedure linkage table: add its entries, "read@plt", to @table, by
 * virtual address, up to @max_bytes.  Damaged ones are skipped.  0 or -ENOMEM.
 */
int elf_plt_add(struct elf_file *f, struct symbol_table *table,
		size_t max_bytes);

/*
 * Where the functions of an ELF file begin and end, also those without a
 * symbol: from the sorted table that the dynamic linker uses to unwind
 * (.eh_frame_hdr), which no strip(1) removes.  All 0: none.
 */
struct elf_extents {
	uint64_t base;		/* virtual address that starts are from */
	struct elf_extent *list;
	size_t nr, room;
	bool cut;		/* some were dropped at the limit */
};

/*
 * Add the functions of @f that are not inside a symbol of @known, which is
 * sorted; up to @max_bytes.  None if the table is damaged or of an unusual
 * form.  0 or -ENOMEM.
 */
int elf_extents_read(struct elf_extents *to, struct elf_file *f,
		     const struct symbol_table *known, size_t max_bytes);
void elf_extents_free(struct elf_extents *e);

/* Whether @vaddr is in one, and its start. */
bool elf_extents_find(const struct elf_extents *e, uint64_t vaddr,
		      uint64_t *start);

/*
 * Write them, and read them from a file of @size bytes, whose contents are not
 * trusted.  0 or -errno.
 */
int elf_extents_save(const struct elf_extents *e, FILE *out);
int elf_extents_restore(struct elf_extents *e, FILE *in, size_t size);

/* Bytes allocated. */
size_t elf_extents_bytes(const struct elf_extents *e);

#endif
