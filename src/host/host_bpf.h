/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's own truth of every process's rings, by BPF iterators: nothing
 * is mapped, duplicated or polled, so no owner can tell that it is watched.
 *
 * Why not otherwise: mapping somebody's event charges the pages to the user
 * for good, may create the ring in the wrong mode, keeps the event alive and
 * refuses its owner another size; polling takes the owner's wakeups
 * (kernel/events/core.c: perf_mmap, perf_poll).
 *
 * Takes CAP_BPF, CAP_PERFMON and Linux 5.8; from 5.12 on mappings are seen,
 * with them rings whose descriptors were closed, and who maps what.  An event
 * of which only the user page is mapped, to read a counter, has no ring.
 * Costs some 50 ns for each file descriptor on the machine, and 1 us for each
 * ring.  Used from one thread.
 */
#ifndef RBTOP_HOST_HOST_BPF_H
#define RBTOP_HOST_HOST_BPF_H

#include <stdbool.h>
#include <sys/types.h>

#include "host/table/host_pass.h"

struct err;
struct event_labels;
struct host_bpf;

/* Whether this rbtop was built with it; else host_bpf_open says why not. */
bool host_bpf_built_in(void);

/*
 * Load the programs (20-60 ms).  @labels names events and has to outlive it.
 * NULL with @err, which says in one line what is missing (libbpf in the
 * build, BTF, a capability, a 64-bit kernel of 5.8 or later) and what mends it.
 */
struct host_bpf *host_bpf_open(struct event_labels *labels, struct err *err);
void host_bpf_free(struct host_bpf *bpf);

/* Whether one process can be looked at alone (Linux 6.1). */
bool host_bpf_can_pick(const struct host_bpf *bpf);

/*
 * What is not seen on this kernel, in words for a person; NULL: nothing.
 * Mappings, before Linux 5.12.
 */
const char *host_bpf_misses(const struct host_bpf *bpf);

/*
 * Look at @parts (enum host_part) of process @pid, 0: of all (HOST_MAPS knows
 * no process), and append to @pass, which may hold those of other processes
 * already: each event, ring and holder is in it once.  pass->mono, parts,
 * whole and the limits are the caller's.  0 or -errno with @err; -ESRCH where
 * @pid has ended is no error: 0.
 */
int host_bpf_read(struct host_bpf *bpf, unsigned int parts, pid_t pid,
		  struct host_pass *pass, struct err *err);

#endif
