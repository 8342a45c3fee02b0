/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a process that parses other programs' files may ask of the kernel
 * (seccomp(2)).  A file that takes over its parser, through a bug in libelf
 * or liblzma, gets little of rbtop's privileges: it can start, trace and signal
 * nothing, connect to nothing, and write only to what is open already.  It can
 * still read: with root's rights or CAP_SYS_PTRACE also the memory of other
 * processes.
 */
#ifndef RBTOP_SYMBOLS_LOAD_FILTER_H
#define RBTOP_SYMBOLS_LOAD_FILTER_H

/*
 * For the rest of this process, which has one thread and cannot gain privileges
 * (PR_SET_NO_NEW_PRIVS): allow the calls that reading files and answering take,
 * and let all others fail with EPERM.  It should have no other files open than
 * those that it answers to.  Safe after fork() in a process with threads.
 *
 * 0 or -errno: -EINVAL on a kernel without CONFIG_SECCOMP_FILTER, -ENOSYS in a
 * build without a filter (architectures and sanitizers, see the .c file).
 */
int load_filter_install(void);

#endif
