/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads every process's rings from the kernel with BPF iterators.  Nothing is
 * mapped, duplicated or polled, so owners are not affected.
 *
 * Other ways do affect them: mapping another process' event charges its pages
 * permanently to the user, may create the ring in the wrong mode, keeps the
 * event alive and prevents its owner from choosing another size; polling takes
 * the owner's wakeups (kernel/events/core.c: perf_mmap, perf_poll).
 *
 * Requires CAP_BPF, CAP_PERFMON and Linux 5.8.  From Linux 5.12 on mappings are
 * read too, and with them rings whose file descriptors were closed, and which
 * process maps which ring.  An event of which only the user page is mapped, to
 * read a counter, has no ring.  A pass costs about 50 ns per file descriptor on
 * the machine, 150 ns more if it is a socket, and 1 us per ring.  Use from one
 * thread only.
 */
#ifndef RBTOP_HOST_HOST_BPF_H
#define RBTOP_HOST_HOST_BPF_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "host/table/host.h"

struct err;
struct event_labels;
struct host_bpf;

/* Whether rbtop was built with libbpf; else host_bpf_open() says it was not. */
bool host_bpf_built_in(void);

/*
 * Load the programs (20-60 ms).  @labels names events and must outlive the
 * result.  NULL with @err, one line that says what is missing (libbpf in the
 * build, BTF, a capability, a 64-bit kernel of 5.8 or later) and the remedy.
 */
struct host_bpf *host_bpf_open(struct event_labels *labels, struct err *err);
void host_bpf_free(struct host_bpf *bpf);

/* From now on, also read the rings of io_uring (with HOST_FILES). */
void host_bpf_read_urings(struct host_bpf *bpf);
/* The same of the receive rings of AF_PACKET sockets. */
void host_bpf_read_packets(struct host_bpf *bpf);

/* Whether iterators can be limited to one process (Linux 6.1). */
bool host_bpf_can_pick(const struct host_bpf *bpf);

/*
 * Whether it sees what events lose until they end: a BPF program runs when one
 * is released, from host_bpf_open() on (Linux 6.0, fentry).
 */
bool host_bpf_sees_ends(const struct host_bpf *bpf);

/*
 * A sentence on what this kernel cannot show; NULL: nothing.  Mappings, before
 * Linux 5.12; AF_PACKET rings, if a pass found one and its type is
 * not in the BTF that could be read.
 */
const char *host_bpf_misses(const struct host_bpf *bpf);

/*
 * Read @parts (enum host_part) of process @pid, 0: of all (HOST_MAPS and
 * HOST_PROGRAMS have no process), and append to @pass, which may already hold
 * other processes: each event, ring and holder is added once.  Before Linux 5.9, HOST_PROGRAMS is not
 * read, and no longer in pass->parts.  The caller sets pass->mono, parts,
 * whole and the limits.  0 or -errno with @err; if @pid has ended: 0.
 */
int host_bpf_read(struct host_bpf *bpf, unsigned int parts, pid_t pid,
		  struct host_pass *pass, struct err *err);

/*
 * Append the final counts of events that an earlier pass, or the present one,
 * read and that have ended since, each once.  After all parts, so that what
 * these did not find has its final count.  0 or -errno with @err.
 */
int host_bpf_read_ends(struct host_bpf *bpf, struct host_pass *pass,
		       struct err *err);

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
