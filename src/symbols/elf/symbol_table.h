/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses and names, sorted: of one ELF file, of the kernel, of a JIT's
 * code.  Built by adding, then searched.  Names are kept raw and packed; they
 * are demangled and put among the kept names when first asked for.
 */
#ifndef RBTOP_SYMBOLS_ELF_SYMBOL_TABLE_H
#define RBTOP_SYMBOLS_ELF_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct names;
struct symbol_table;

/* Which of several names of one address is the better one. */
enum symbol_rank {
	SYMBOL_RANK_WEAK,	/* or of no type */
	SYMBOL_RANK_LOCAL,
	SYMBOL_RANK_GLOBAL,
};

/* NULL when out of memory. */
struct symbol_table *symbol_table_new(void);
void symbol_table_free(struct symbol_table *t);

/*
 * Add a symbol that begins at @start; @size 0: it goes on to the next one.
 * 0, or -ENOMEM.
 */
int symbol_table_add(struct symbol_table *t, uint64_t start, uint64_t size,
		     const char *name, enum symbol_rank rank);
/*
 * The same, of something that comes while the table is in use: what overlaps
 * it gives way (a JIT's new code, a BPF program).
 */
int symbol_table_replace(struct symbol_table *t, uint64_t start,
			 uint64_t size, const char *name);
/* Forget what begins at @start. */
void symbol_table_remove(struct symbol_table *t, uint64_t start);

/*
 * Sort, and choose among the names of one address as perf does: one with a
 * size, not weak, global, with fewer leading underscores, longer.  To be
 * called after adding, before the first search.  0 or -ENOMEM.
 */
int symbol_table_sort(struct symbol_table *t);

/*
 * The symbol that @addr lies in: its name, kept in @names (the same ones in
 * every call), and its start; the inmost where they are nested.  NULL where
 * there is none.
 */
const char *symbol_table_find(struct symbol_table *t, uint64_t addr,
			      struct names *names, uint64_t *start);

/*
 * Write a sorted table, of which nothing was searched or replaced yet; read
 * one, of @size bytes at the most, without believing it.  0 or -errno.
 */
int symbol_table_save(const struct symbol_table *t, FILE *out);
int symbol_table_restore(FILE *in, size_t size, struct symbol_table **table);

size_t symbol_table_len(const struct symbol_table *t);
/* Memory, and what of it is in use: the rest goes when it is sorted. */
size_t symbol_table_bytes(const struct symbol_table *t);
size_t symbol_table_used(const struct symbol_table *t);

#endif
