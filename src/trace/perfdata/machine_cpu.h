/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RBTOP_TRACE_PERFDATA_MACHINE_CPU_H
#define RBTOP_TRACE_PERFDATA_MACHINE_CPU_H

struct perfdata_machine;

/*
 * What kind of CPU it is.  Files are looked for below @root, "" for this
 * machine; what cannot be read is left as it is.
 */
void machine_cpu_read(struct perfdata_machine *machine, const char *root);

#endif
