/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RBTOP_TRACE_PERFDATA_MACHINE_KERNEL_H
#define RBTOP_TRACE_PERFDATA_MACHINE_KERNEL_H

struct perfdata_machine;

/*
 * Read addresses and build-ids of the kernel and its modules; machine->release
 * must be set.  Files are read below @root, "" for this machine; members that
 * cannot be read are not changed.  0 or -ENOMEM.
 */
int machine_kernel_read(struct perfdata_machine *machine, const char *root);

#endif
