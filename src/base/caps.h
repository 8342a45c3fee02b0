/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Giving up the privileges that are no longer needed. */
#ifndef RBTOP_BASE_CAPS_H
#define RBTOP_BASE_CAPS_H

#include <linux/capability.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

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

/* What a thread's later requests are about. */
enum caps_use {
	CAPS_EVENTS = 1,	/* opening rbtop's own events again */
	CAPS_HOST = 2,		/* the rings of other processes */
	CAPS_SYMBOLS = 4,	/* processes, and the files that they run */
	CAPS_FILES = 8,		/* writing files, see caps_own_begin() */
};

/*
 * Keep, of the capabilities that this thread holds, what @uses (bits of enum
 * caps_use; 0 keeps nothing) take, and drop the rest for good.
 *
 * CAPS_EVENTS: CAP_PERFMON (CAP_SYS_ADMIN too before Linux 5.8, which has none,
 * and where kernel.perf_event_paranoid is above 2, which asks for that one),
 * CAP_SYS_PTRACE (other users' tasks), CAP_IPC_LOCK (rings over the mlock
 * limit).
 *
 * CAPS_HOST: CAP_BPF and CAP_PERFMON (BPF iterators; CAP_SYS_ADMIN where one
 * of them is not held, as in containers set up for older kernels), CAP_SYS_PTRACE
 * (/proc/PID/maps where there is no BPF), CAP_DAC_READ_SEARCH (tracefs, for
 * names of events).
 *
 * CAPS_SYMBOLS: CAP_SYS_PTRACE (/proc/PID/maps and root of other users),
 * CAP_DAC_READ_SEARCH (programs and libraries that lie in other users' closed
 * directories, or that only their owner may read) and CAP_CHECKPOINT_RESTORE
 * (/proc/PID/map_files, through which a file is read that was deleted since;
 * Linux 5.9): programs start for as long as rbtop runs.
 *
 * CAPS_FILES: CAP_DAC_OVERRIDE and CAP_CHOWN, which take effect only between
 * caps_own_begin() and caps_own_end(); not where caps_are_lent().
 *
 * Nothing that the thread executes later can have more (PR_SET_NO_NEW_PRIVS, an
 * empty bounding set), so a command has to be forked before.  All this is a
 * thread's own, and what it starts inherits it.  0 or -errno with @err.
 */
int caps_limit(unsigned int uses, struct err *err);

/*
 * Whether this thread holds @capability where the kernel asks for it of perf
 * events, which is in the first user namespace: not in that of a container.
 */
bool caps_held(unsigned int capability);

/*
 * Whether the program was lent what its user has not got, by file capabilities
 * or a set-user-ID bit (AT_SECURE of getauxval(3)).
 */
bool caps_are_lent(void);

/* Whose the files are that are made between caps_own_begin() and _end(). */
uid_t caps_own_uid(void);

/*
 * Between these this thread has the rights to files that the user who started
 * rbtop has, and who names them: where they are lent, no capability and the
 * real user's id; otherwise root's to make files in a directory of somebody
 * else and leave them to that user, as under sudo, as far as caps_limit() kept
 * them.  errno is kept by the second.
 */
struct caps_own {
	void *before;		/* libcap-ng's */
	bool changed;
};

void caps_own_begin(struct caps_own *own);
void caps_own_end(struct caps_own *own);

/*
 * sys_open_plain() between the two: a file that the user names.  A fd, or
 * -errno, and -EINVAL for what is no regular file; *@st is set then too.
 */
int caps_open_own(const char *path, struct stat *st);

/*
 * For a child that is about to execute what the user asked for: nothing that
 * was lent is left.  0 or -errno.
 */
int caps_give_back(void);

#endif
