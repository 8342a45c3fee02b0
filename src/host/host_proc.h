/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What /proc tells of rings where BPF cannot be had: mappings of perf events
 * in /proc/PID/maps (owner and size), BPF ring buffers by /proc/PID/fdinfo,
 * and how many descriptors of events there are.  Events, heads, tails and
 * losses it does not know.
 */
#ifndef RBTOP_HOST_HOST_PROC_H
#define RBTOP_HOST_HOST_PROC_H

#include "host/table/host_pass.h"

struct err;

/*
 * Look at all processes below @proc (NULL: /proc) and fill @pass, which is
 * empty, but mono and limits.  A perf ring's key is made of its pid and the
 * address it is mapped at.  Processes whose maps may not be read
 * (CAP_SYS_PTRACE) are counted in *@hidden.  0 or -errno with @err.
 */
int host_proc_read(const char *proc, struct host_pass *pass,
		   unsigned int *hidden, struct err *err);

#endif
