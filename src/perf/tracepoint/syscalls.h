/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of system calls, by their numbers in the ABI that rbtop is built for:
 * the build takes them from the C library's <asm/unistd.h>.  Other ABIs of the
 * machine, as of 32-bit programs on a 64-bit kernel, have other numbers.
 */
#ifndef RBTOP_PERF_TRACEPOINT_SYSCALLS_H
#define RBTOP_PERF_TRACEPOINT_SYSCALLS_H

#include <stddef.h>
#include <stdint.h>

/* The field of raw_syscalls that rbtop adds: the call's name. */
#define SYSCALLS_FIELD "syscall"

/* "read"; NULL for a number that this ABI does not have, or that is newer. */
const char *syscalls_name(int64_t nr);

/*
 * Replace the number in a text of raw_syscalls:sys_enter or sys_exit:
 * "NR 0 (3, 7f00, 1)" by "read(3, 7f00, 1)", "NR 0 = 1" by "read = 1".  Other
 * texts stay.
 */
void syscalls_name_text(char *text, size_t size, const char *name);

#endif
