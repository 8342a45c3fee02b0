/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What /proc says of a process: its name, user, pinned memory and capabilities
 * in /proc/PID/status, its rings in /proc/PID/maps.
 */
#ifndef RBTOP_HOST_PROC_STATUS_H
#define RBTOP_HOST_PROC_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct proc_status {
	char comm[16];		/* sanitized */
	uid_t uid;		/* the real uid, which is charged for rings */
	uint64_t pinned;	/* VmPin, bytes; UNKNOWN before Linux 3.2 and
				 * for a process that is ending */
	uint64_t caps;		/* CapEff, bits 1 << CAP_... */
	bool stopped;		/* by SIGSTOP or a debugger */
	bool alone;		/* it has one thread */
};

/* Read the status of process @pid below @proc.  0 or -errno. */
int proc_status_read(const char *proc, pid_t pid, struct proc_status *status);

/*
 * The nanoseconds that the main thread of @pid has run, and waited for a CPU,
 * so far; UNKNOWN if it ends or the kernel does not tell.
 */
void proc_status_times(const char *proc, pid_t pid, uint64_t *run,
		       uint64_t *wait);

/* One mapping. */
struct proc_mapping {
	uint64_t start, size, offset;	/* bytes */
	bool bpf;			/* of a BPF map; else of a perf event */
};

/*
 * Of perf events and BPF maps, sorted by address.  Plain data; zeroed: empty.
 */
struct proc_mappings {
	struct proc_mapping *all;
	size_t nr, room;
};

/* A perf ring: its user page and data, and its AUX ring. */
struct proc_ring {
	uint64_t start;		/* address of the mapping */
	uint64_t size;		/* of the data, bytes */
	uint64_t aux_size;	/* 0: none */
};

/* Replace the contents of @maps by the mappings in @text.  0 or -ENOMEM. */
int proc_mappings_parse(struct proc_mappings *maps, const char *text);
void proc_mappings_free(struct proc_mappings *maps);

/*
 * Store the perf rings in @rings, which has room for @maps->nr.  Returns their
 * number.  Mappings of a user page alone, as counters have, do not count.  If
 * there are several AUX rings, each is assigned by its file offset, which
 * leaves room for the data, and by its address.
 */
size_t proc_mappings_rings(const struct proc_mappings *maps,
			   uint64_t page_size, struct proc_ring *rings);

/* Whether a BPF ring buffer of @size is mapped for reading. */
bool proc_mappings_have_ringbuf(const struct proc_mappings *maps,
				uint64_t page_size, uint64_t size);

#endif
