/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses and names, sorted: of an ELF file, the kernel, or JIT code.  First
 * symbols are added, then searched.  Names are stored mangled and packed; they
 * are demangled and stored in names on first use.
 */
#ifndef RBTOP_SYMBOLS_ELF_SYMBOL_TABLE_H
#define RBTOP_SYMBOLS_ELF_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct names;
struct symbol_table;

/* Preference among several names of an address. */
enum symbol_rank {
	SYMBOL_RANK_WEAK,	/* also without a type */
	SYMBOL_RANK_LOCAL,
	SYMBOL_RANK_GLOBAL,
};

/* NULL when out of memory. */
struct symbol_table *symbol_table_new(void);
void symbol_table_free(struct symbol_table *t);

/*
 * Add a symbol at @start; @size 0: it extends to the next one.  0, or -ENOMEM.
 */
int symbol_table_add(struct symbol_table *t, uint64_t start, uint64_t size,
		     const char *name, enum symbol_rank rank);
/*
 * The same while the table is in use: symbols that overlap are removed (new
 * code of a JIT, a BPF program).
 */
int symbol_table_replace(struct symbol_table *t, uint64_t start,
			 uint64_t size, const char *name);
/* Remove the symbol that starts at @start. */
void symbol_table_remove(struct symbol_table *t, uint64_t start);

/*
 * Sort, and choose among the names of an address as perf does: with a size, not
 * weak, global, fewer leading underscores, longer.  Call after adding, before
 * the first search.  0 or -ENOMEM.
 */
int symbol_table_sort(struct symbol_table *t);

/*
 * The symbol that contains @addr, the innermost if they are nested: its name,
 * stored in @names (always the same), and its start.  NULL if there is none.
 */
const char *symbol_table_find(struct symbol_table *t, uint64_t addr,
			      struct names *names, uint64_t *start);

/* Whether a symbol contains all of @size bytes at @start.  Call when sorted. */
bool symbol_table_covers(const struct symbol_table *t, uint64_t start,
			 uint64_t size);

/*
 * Write a sorted table that was neither searched nor changed; read one of at
 * most @size bytes, whose contents are not trusted.  0 or -errno.
 */
int symbol_table_save(const struct symbol_table *t, FILE *out);
int symbol_table_restore(FILE *in, size_t size, struct symbol_table **table);

size_t symbol_table_len(const struct symbol_table *t);
/* Bytes allocated, and bytes used: sorting frees the rest. */
size_t symbol_table_bytes(const struct symbol_table *t);
size_t symbol_table_used(const struct symbol_table *t);

/*
 * The demangled @name of C++, Rust or D, by libiberty, in a new string that the
 * caller frees; NULL if it is not mangled, implausibly long, or out of memory.
 */
char *demangle(const char *name);

#endif
