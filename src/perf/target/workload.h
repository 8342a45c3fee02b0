/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command after "--": started, held until the events are open, then
 * executed.  Its output and exit status are available to the caller.
 */
#ifndef RBTOP_PERF_TARGET_WORKLOAD_H
#define RBTOP_PERF_TARGET_WORKLOAD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct err;
struct workload;

enum workload_output {
	WORKLOAD_CAPTURE,	/* stdin /dev/null; stdout, stderr to a pipe */
	WORKLOAD_TO_STDERR,	/* stdout moved to stderr, stdin kept */
};

/*
 * Fork a process for @argv and hold it before its execvp.  Returns NULL with
 * @err on failure.  Call it before capabilities are dropped and threads are
 * started, since the command inherits all that, except privileges that are only
 * lent to rbtop (caps_give_back()).  It gets its user's environment, the signal
 * mask @mask (NULL: ours), and the default action for SIGPIPE.
 */
struct workload *workload_prepare(char *const argv[],
				  enum workload_output output,
				  const sigset_t *mask, struct err *err);
pid_t workload_pid(const struct workload *w);
const char *workload_name(const struct workload *w);	/* argv[0], sanitized */

/* Let it exec.  0, or -errno with @err if the exec failed. */
int workload_start(struct workload *w, struct err *err);

/*
 * The read end of its output (O_NONBLOCK), or -1; and its pidfd, or -1 before
 * Linux 5.3: then poll workload_ended().
 */
int workload_output_fd(const struct workload *w);
int workload_pidfd(const struct workload *w);

/* Reap it if it has ended.  True once it has; *@status: exit or 128+signal. */
bool workload_ended(struct workload *w, int *status);
/* The signal that ended it; 0 if it exited or still runs. */
int workload_signal(const struct workload *w);

/*
 * Kill it (SIGTERM, SIGKILL after ten seconds) if it still runs, reap it, and free
 * @w.  NULL is allowed.
 */
void workload_free(struct workload *w);

#endif
