/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RBTOP_TRACE_PERFDATA_MACHINE_KERNEL_H
#define RBTOP_TRACE_PERFDATA_MACHINE_KERNEL_H

struct perfdata_machine;

/*
 * Addresses and build-ids of the kernel and its modules; after the release is
 * known.  Files are looked for below @root, "" for this machine; what cannot be
 * read is left as it is.  0 or -ENOMEM.
 */
int machine_kernel_read(struct perfdata_machine *machine, const char *root);

#endif
