/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Demangling of C++, Rust and D symbols, by libiberty. */
#ifndef RBTOP_SYMBOLS_ELF_DEMANGLE_H
#define RBTOP_SYMBOLS_ELF_DEMANGLE_H

/*
 * The demangled @name, in a new string that the caller frees; NULL if it is not
 * mangled, implausibly long, or out of memory.
 */
char *demangle(const char *name);

#endif
