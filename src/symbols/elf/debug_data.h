/* SPDX-License-Identifier: GPL-2.0-or-later */
/* .gnu_debugdata: a compressed ELF file of symbols within another. */
#ifndef RBTOP_SYMBOLS_ELF_DEBUG_DATA_H
#define RBTOP_SYMBOLS_ELF_DEBUG_DATA_H

#include <stddef.h>

struct elf_file;

/*
 * Decompress that file of @f to an allocation that the caller frees; *@size is
 * its size.  NULL if there is none, or if it is damaged or implausibly large.
 */
void *debug_data_read(struct elf_file *f, size_t *size);

#endif
