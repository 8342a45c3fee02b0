/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Giving up the privileges that are no longer needed, and the environment. */
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

/* What a thread needs capabilities for. */
enum caps_use {
	CAPS_EVENTS = 1,	/* opening rbtop's own events again */
	CAPS_HOST = 2,		/* the rings of other processes */
	CAPS_SYMBOLS = 4,	/* processes, and the files that they run */
	CAPS_FILES = 8,		/* writing files, see caps_own_begin() */
};

/*
 * If this process holds capabilities, no other process may attach to it, not
 * even one of its own user: PR_SET_DUMPABLE of prctl(2).  For each attempt, the
 * kernel compares the capabilities of only that one thread with the attacker's,
 * and a thread that has dropped its own still shares the memory of those that
 * have not.  Executing a program with file capabilities does the same unless
 * fs.suid_dumpable is 1; with ambient ones it never does.
 *
 * Inherited by forked processes.  Call it before any thread is started.
 */
void caps_refuse_tracers(void);
/*
 * Undo this in a forked process: with a single thread, there is none with fewer
 * capabilities to attach to.  Without CAP_PERFMON, an event can be opened only
 * on a process that could be traced.  Nothing is done if caps_are_lent().
 */
void caps_permit_tracers(void);

/*
 * Keep those capabilities of this thread that @uses (bits of enum caps_use; 0:
 * none) need, and drop the rest for good.
 *
 * CAPS_EVENTS: CAP_PERFMON (also CAP_SYS_ADMIN before Linux 5.8, which has no
 * CAP_PERFMON, and if kernel.perf_event_paranoid is above 2, which requires
 * it), CAP_SYS_PTRACE (other users' tasks), CAP_IPC_LOCK (rings over the mlock
 * limit).
 *
 * CAPS_HOST: CAP_BPF and CAP_PERFMON (BPF iterators; CAP_SYS_ADMIN if one of
 * them is not held, as in containers set up for older kernels), CAP_SYS_PTRACE
 * (/proc/PID/maps without BPF), CAP_DAC_READ_SEARCH (tracefs, for names of
 * events).
 *
 * CAPS_SYMBOLS: CAP_SYS_PTRACE (/proc/PID/maps and root of other users),
 * CAP_DAC_READ_SEARCH (programs and libraries in other users' private
 * directories, or readable only by their owner) and CAP_CHECKPOINT_RESTORE
 * (/proc/PID/map_files, to read deleted files; Linux 5.9).  They are kept since
 * programs start for as long as rbtop runs.
 *
 * CAPS_FILES: CAP_DAC_OVERRIDE and CAP_CHOWN, which take effect only between
 * caps_own_begin() and caps_own_end(); not if caps_are_lent().
 *
 * Programs that the thread executes later cannot gain more
 * (PR_SET_NO_NEW_PRIVS, an empty bounding set), so a command has to be forked
 * before.  The limit is per thread and inherited by threads that it starts.
 * 0 or -errno with @err.
 */
int caps_limit(unsigned int uses, struct err *err);

/*
 * Whether this thread holds @capability in the initial user namespace, where
 * the kernel checks it for perf events; not in that of a container.
 */
bool caps_held(unsigned int capability);

/*
 * Whether the program has privileges that its user does not have, from file
 * capabilities or a set-user-ID bit (AT_SECURE of getauxval(3)): they are lent.
 */
bool caps_are_lent(void);

/* The owner of files made between caps_own_begin() and caps_own_end(). */
uid_t caps_own_uid(void);

/*
 * Between these two calls, this thread has the file access rights of the user
 * who started rbtop.  If privileges are lent: no capabilities, and the real
 * user's id.  Otherwise: root's rights to make files in other users'
 * directories and to give them to these users, as under sudo, if caps_limit()
 * kept them.
 * caps_own_end() preserves errno.
 */
struct caps_own {
	void *before;		/* libcap-ng's */
	bool changed;
};

void caps_own_begin(struct caps_own *own);
void caps_own_end(struct caps_own *own);

/*
 * sys_open_plain() between the two, for a file that the user names.  Returns a
 * fd or -errno; -EINVAL if it is not a regular file, with *@st set as well.
 */
int caps_open_own(const char *path, struct stat *st);

/*
 * For a child about to execute the user's command: drop all lent privileges.  0
 * or -errno.
 */
int caps_give_back(void);

/*
 * The environment, if privileges are lent: libraries take paths from it
 * (terminfo: TERMINFO and HOME), and these files must not be read with the
 * program's rights, nor be trusted.
 */

/*
 * Remove all variables except those for the terminal and the locale; does
 * nothing without lent privileges.  Call once, before threads are started and
 * before setlocale(3).  0 or -ENOMEM.
 */
int env_restrict(void);

/* HOME as the user set it, or NULL. */
const char *env_home(void);

/* For a child that executes the user's command: the original environment. */
void env_restore(void);

#endif
