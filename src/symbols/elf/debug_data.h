/* SPDX-License-Identifier: GPL-2.0-or-later */
/* .gnu_debugdata: a small ELF file of symbols, compressed, inside another. */
#ifndef RBTOP_SYMBOLS_ELF_DEBUG_DATA_H
#define RBTOP_SYMBOLS_ELF_DEBUG_DATA_H

#include <stddef.h>

struct elf_file;

/*
 * That file of @f, in an allocation that the caller frees, and its *@size.
 * NULL where there is none, it is damaged, or too large to be true.
 */
void *debug_data_read(struct elf_file *f, size_t *size);

#endif
