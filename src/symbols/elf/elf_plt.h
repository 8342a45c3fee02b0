/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The procedure linkage table: its entries are named "read@plt". */
#ifndef RBTOP_SYMBOLS_ELF_ELF_PLT_H
#define RBTOP_SYMBOLS_ELF_ELF_PLT_H

#include <stddef.h>

struct elf_file;
struct symbol_table;

/*
 * Add the entries of @f to @table, by virtual address, up to @max_bytes.
 * Damaged ones are skipped.  0 or -ENOMEM.
 */
int elf_plt_add(struct elf_file *f, struct symbol_table *table,
		size_t max_bytes);

#endif
