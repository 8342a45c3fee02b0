/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the records that BPF ring buffers lose, which the kernel does not: a
 * BPF program runs whenever a record is reserved in any of them, which costs
 * their writers about 150 instructions each time.  It is detached by
 * host_drops_free(), and by the kernel when rbtop ends, however it ends.
 *
 * Lost means that no space was reserved: the ring buffer had no room, or its
 * lock could not be taken.  What an NMI loses while it interrupts the program
 * is missed: the kernel does not run it twice on a CPU.  Use from one thread
 * only.
 */
#ifndef RBTOP_HOST_HOST_DROPS_H
#define RBTOP_HOST_HOST_DROPS_H

#include <stdint.h>

struct err;
struct host_drops;
struct host_pass;

/* Begin to count.  NULL with @err, one line that says why that cannot be. */
struct host_drops *host_drops_open(struct err *err);
void host_drops_free(struct host_drops *drops);

/*
 * Load the program without attaching it, and free it.  0, or -errno with @err as
 * above; the kernel may still refuse to attach it.
 */
int host_drops_try(struct err *err);

/*
 * Set the drops of the BPF ring buffers in @pass, which must have read
 * HOST_MAPS, and forget those of ring buffers that are gone.  0 or -errno with
 * @err.
 */
int host_drops_read(struct host_drops *drops, struct host_pass *pass,
		    struct err *err);

/*
 * Records that no ring buffer's count includes: there were too many ring
 * buffers, or one was replaced by another between two passes.
 */
uint64_t host_drops_unplaced(const struct host_drops *drops);

#endif
