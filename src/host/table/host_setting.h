/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring's size in the words of its owner: the option, variable or configuration
 * key that sets it.  Programs count in pages for each CPU, pages in all, bytes,
 * or numbered presets.
 */
#ifndef RBTOP_HOST_TABLE_HOST_SETTING_H
#define RBTOP_HOST_TABLE_HOST_SETTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Write what gives a ring @pages pages of @page_size bytes if its owner is the
 * program @comm ("BPFTRACE_PERF_RB_PAGES=512"); "" if that is not known.
 * @ringbuf: it is a BPF ring buffer, all of it; else a perf ring, one of several.
 */
void host_setting(const char *comm, bool ringbuf, uint64_t pages,
		  uint64_t page_size, char *buf, size_t size);

#endif
