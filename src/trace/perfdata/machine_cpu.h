/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RBTOP_TRACE_PERFDATA_MACHINE_CPU_H
#define RBTOP_TRACE_PERFDATA_MACHINE_CPU_H

struct perfdata_machine;

/*
 * Read the type of CPU.  Files are read below @root, "" for this machine;
 * members that cannot be read are not changed.
 */
void machine_cpu_read(struct perfdata_machine *machine, const char *root);

#endif
