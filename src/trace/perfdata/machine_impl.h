/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of perfdata_machine_read().  Files are looked for below @root, ""
 * for this machine.  What cannot be read is left as it is; 0 or -ENOMEM.
 */
#ifndef RBTOP_TRACE_PERFDATA_MACHINE_IMPL_H
#define RBTOP_TRACE_PERFDATA_MACHINE_IMPL_H

#include "trace/perfdata/machine.h"

/* machine_cpu.c: what kind of CPU it is. */
void machine_read_cpu(struct perfdata_machine *machine, const char *root);

/* machine_kernel.c: addresses and build-ids of the kernel, its modules;
 * after the release is known. */
int machine_read_kernel(struct perfdata_machine *machine, const char *root);

#endif
