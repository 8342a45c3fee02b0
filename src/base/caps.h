/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Giving up the privileges that are no longer needed. */
#ifndef RBTOP_BASE_CAPS_H
#define RBTOP_BASE_CAPS_H

#include <linux/capability.h>
#include <stdbool.h>

/* Headers older than Linux 5.9 do not have them all. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif
#ifndef CAP_BPF
#define CAP_BPF 39
#endif
#ifndef CAP_CHECKPOINT_RESTORE
#define CAP_CHECKPOINT_RESTORE 40
#endif

struct err;

/* What later requests are about. */
enum caps_use {
	CAPS_EVENTS = 1,	/* rbtop's own events and their samples */
	CAPS_HOST = 2,		/* the rings of other processes */
};

/*
 * Keep, of the capabilities held, what later requests take.
 *
 * CAPS_EVENTS: CAP_PERFMON (opening events again; CAP_SYS_ADMIN too before
 * Linux 5.8, which has none, and where kernel.perf_event_paranoid is above 2,
 * which asks for that one), CAP_SYS_PTRACE (other users' tasks, and
 * /proc/PID/maps and root of theirs), CAP_IPC_LOCK (rings over the mlock
 * limit), and for symbols CAP_DAC_READ_SEARCH (programs and libraries that lie
 * in other users' closed directories, or that only their owner may read) and
 * CAP_CHECKPOINT_RESTORE (/proc/PID/map_files, through which a file is read
 * that was deleted since; Linux 5.9): programs start for as long as rbtop runs.
 *
 * CAPS_HOST: CAP_BPF and CAP_PERFMON (BPF iterators), CAP_SYS_PTRACE
 * (/proc/PID/maps where there is no BPF), CAP_DAC_READ_SEARCH (tracefs, for
 * names of events).
 *
 * For either CAP_DAC_OVERRIDE is kept, but takes effect only within
 * caps_writing().  The rest is dropped for good.  Call it while there is one
 * thread: capabilities are per thread, and what is started later inherits
 * them.  @uses: bits of enum caps_use; 0 keeps nothing.  0 or -errno with @err.
 */
int caps_limit(unsigned int uses, struct err *err);

/*
 * Whether this thread holds @capability where the kernel asks for it of perf
 * events, which is in the first user namespace: not in that of a container.
 */
bool caps_held(unsigned int capability);

/*
 * Raise CAP_DAC_OVERRIDE in this thread where it was held, so that root's files
 * can be saved in a directory of somebody else, as under sudo; or lower it.
 * Returns whether that changed anything, and so has to be undone.
 */
bool caps_writing(bool on);

#endif
