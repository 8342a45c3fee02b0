/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why the BPF programs cannot be had on this machine, and what mends it. */
#ifndef RBTOP_HOST_HOST_BPF_REASON_H
#define RBTOP_HOST_HOST_BPF_REASON_H

#include <errno.h>

struct err;

/* In place of an errno: the kernel is one of 32 bits. */
#define HOST_BPF_NARROW (-ENOEXEC)

/*
 * Loading failed with @code (negative errno); @said is what libbpf said first,
 * "" nothing.  Fills @err with one line.
 */
void host_bpf_reason(int code, const char *said, struct err *err);

#endif
