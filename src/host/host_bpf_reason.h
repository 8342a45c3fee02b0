/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explains why the BPF programs cannot be loaded, with the remedy. */
#ifndef RBTOP_HOST_HOST_BPF_REASON_H
#define RBTOP_HOST_HOST_BPF_REASON_H

#include <errno.h>

struct err;

/* Used instead of an errno: a 32-bit kernel. */
#define HOST_BPF_NARROW (-ENOEXEC)

/*
 * Loading failed with @code (negative errno); @said is libbpf's first message
 * or "".  Sets @err to one line.
 */
void host_bpf_reason(int code, const char *said, struct err *err);

#endif
