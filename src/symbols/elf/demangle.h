/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols as they stand in the source: C++, Rust, D, by libiberty. */
#ifndef RBTOP_SYMBOLS_ELF_DEMANGLE_H
#define RBTOP_SYMBOLS_ELF_DEMANGLE_H

/*
 * @name as a person wrote it, in a new string that the caller frees; NULL
 * where it is not mangled, too long to be honest, or memory is short.
 */
char *demangle(const char *name);

#endif
