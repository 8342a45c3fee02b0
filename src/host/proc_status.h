/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process's name, user, pinned memory and capabilities, from /proc. */
#ifndef RBTOP_HOST_PROC_STATUS_H
#define RBTOP_HOST_PROC_STATUS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct proc_status {
	char comm[16];		/* sanitized */
	uid_t uid;		/* the real uid, which is charged for rings */
	uint64_t pinned;	/* VmPin, bytes; UNKNOWN before Linux 3.2 and
				 * for a process that is ending */
	uint64_t caps;		/* CapEff, bits 1 << CAP_... */
	bool stopped;		/* by SIGSTOP or a debugger */
};

/* Read the status of process @pid below @proc.  0 or -errno. */
int proc_status_read(const char *proc, pid_t pid, struct proc_status *status);

#endif
