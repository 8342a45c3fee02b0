/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/target/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/err.h"
#include "base/text.h"

enum { EXEC_FAILED = 127 }; /* as in shells */

struct workload {
	pid_t pid;
	char name[64];
	int go; /* a byte makes it exec, EOF makes it end */
	int verdict; /* its errno if the exec fails, else EOF */
	int output;
	int pidfd;
	bool started, ended;
	int status;
	int signal; /* that ended it, 0: none */
};

/* Both ends of all pipes; -1 if there is none. */
struct pipes {
	int go[2], verdict[2], output[2];
};

static void close_pair(int fd[2])
{
	for (int i = 0; i < 2; i++)
		if (fd[i] >= 0)
			close(fd[i]);
}

static int open_pipes(struct pipes *p, enum workload_output output)
{
	*p = (struct pipes){ { -1, -1 }, { -1, -1 }, { -1, -1 } };
	if (pipe2(p->go, O_CLOEXEC) || pipe2(p->verdict, O_CLOEXEC) ||
	    (output == WORKLOAD_CAPTURE && pipe2(p->output, O_CLOEXEC))) {
		int ret = -errno;

		close_pair(p->go);
		close_pair(p->verdict);
		close_pair(p->output);
		return ret;
	}
	return 0;
}

static void redirect_output(const struct pipes *p)
{
	int null;

	if (p->output[1] < 0) {
		dup2(STDERR_FILENO, STDOUT_FILENO);
		return;
	}
	null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	dup2(p->output[1], STDOUT_FILENO);
	dup2(p->output[1], STDERR_FILENO);
}

static _Noreturn void run_child(const struct pipes *p, char *const argv[],
				const sigset_t *mask)
{
	char go;
	int error;
	ssize_t n;

	caps_permit_tracers();
	/* the parent waits for it: await_child() */
	error = 0;
	n = write(p->verdict[1], &error, sizeof(error));
	if (n != sizeof(error))
		_exit(EXEC_FAILED);
	/* rbtop's own ends: the child would never see EOF when rbtop dies */
	close(p->go[1]);
	close(p->verdict[0]);
	do
		n = read(p->go[0], &go, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(EXEC_FAILED);
	/* only rbtop ignores it; what nohup(1) ignores stays ignored */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if (mask)
		sigprocmask(SIG_SETMASK, mask, NULL);
	redirect_output(p);
	/* with the rights and the environment of its user */
	env_restore();
	error = -caps_give_back();
	if (!error) {
		execvp(argv[0], argv);
		error = errno;
	}
	n = write(p->verdict[1], &error, sizeof(error));
	_exit(n == sizeof(error) ? EXEC_FAILED : EXEC_FAILED - 1);
}

/* Keep the parent's ends, and close the child's. */
static void keep_ends(struct workload *w, const struct pipes *p)
{
	w->go = p->go[1];
	w->verdict = p->verdict[0];
	w->output = p->output[0];
	close(p->go[0]);
	close(p->verdict[1]);
	if (p->output[1] >= 0)
		close(p->output[1]);
	if (w->output >= 0)
		fcntl(w->output, F_SETFL, O_NONBLOCK);
}

/* Until events can be opened on it, see caps_permit_tracers(). */
static void await_child(const struct workload *w)
{
	int ready;
	ssize_t n;

	do
		n = read(w->verdict, &ready, sizeof(ready));
	while (n < 0 && errno == EINTR);
}

static struct workload *fail_prepare(struct workload *w, int code,
				     const char *name, struct err *err)
{
	free(w);
	err_errno(err, code, "cannot start '%s'", name);
	return NULL;
}

struct workload *workload_prepare(char *const argv[],
				  enum workload_output output,
				  const sigset_t *mask, struct err *err)
{
	struct workload *w = calloc(1, sizeof(*w));
	struct pipes pipes;
	int ret;

	if (!w)
		return fail_prepare(w, -ENOMEM, argv[0], err);
	ret = open_pipes(&pipes, output);
	if (ret)
		return fail_prepare(w, ret, argv[0], err);
	text_copy(w->name, sizeof(w->name), argv[0]);
	/* if it is inherited as ignored, waitpid(2) returns no status */
	signal(SIGCHLD, SIG_DFL);
	w->pid = fork();
	if (w->pid == 0)
		run_child(&pipes, argv, mask);
	if (w->pid < 0) {
		ret = -errno;
		close_pair(pipes.go);
		close_pair(pipes.verdict);
		close_pair(pipes.output);
		return fail_prepare(w, ret, argv[0], err);
	}
	keep_ends(w, &pipes);
	await_child(w);
	/* -1 before Linux 5.3: then workload_ended() must be polled */
	w->pidfd = (int)syscall(SYS_pidfd_open, w->pid, 0);
	if (w->pidfd >= 0)
		fcntl(w->pidfd, F_SETFD, FD_CLOEXEC);
	return w;
}

pid_t workload_pid(const struct workload *w)
{
	return w->pid;
}

const char *workload_name(const struct workload *w)
{
	return w->name;
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void reap(struct workload *w, int options)
{
	int status;

	if (w->ended || waitpid(w->pid, &status, options) != w->pid)
		return;
	w->ended = true;
	w->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	w->status = w->signal ? 128 + w->signal : WEXITSTATUS(status);
}

/* Typed out of habit. */
static bool is_perf_command(const char *name)
{
	return !strcmp(name, "record") || !strcmp(name, "top") ||
	       !strcmp(name, "trace") || !strcmp(name, "stat");
}

int workload_start(struct workload *w, struct err *err)
{
	int error = 0;
	ssize_t n;

	w->started = true;
	do
		n = write(w->go, "", 1);
	while (n < 0 && errno == EINTR);
	close_end(&w->go);
	do
		n = read(w->verdict, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	close_end(&w->verdict);
	if (n != sizeof(error))
		return 0;
	reap(w, 0);
	if (error == ENOENT && is_perf_command(w->name))
		return err_set(err, -error, "cannot run '%s': no such program; "
			       "rbtop has no subcommands, it takes perf "
			       "record's options: rbtop -a", w->name);
	return err_errno(err, -error, "cannot run '%s'", w->name);
}

int workload_output_fd(const struct workload *w)
{
	return w->output;
}

int workload_pidfd(const struct workload *w)
{
	return w->pidfd;
}

bool workload_ended(struct workload *w, int *status)
{
	reap(w, WNOHANG);
	if (w->ended)
		*status = w->status;
	return w->ended;
}

int workload_signal(const struct workload *w)
{
	return w->signal;
}

/* What it prints at its end must not block it, nor end it by SIGPIPE. */
static void discard_output(const struct workload *w)
{
	enum { READS = 16 };	/* a pipe's capacity */
	char buf[4096];

	for (int i = 0; w->output >= 0 && i < READS; i++)
		if (read(w->output, buf, sizeof(buf)) <= 0)
			break;
}

/*
 * SIGTERM, and SIGKILL if it still runs ten seconds later: perf may have to
 * write its file, and tcpdump notices it with the next packet.
 */
static void stop(struct workload *w)
{
	const struct timespec pause = { .tv_nsec = 10000000 };

	kill(w->pid, SIGTERM);
	for (int i = 0; !w->ended && i < 1000; i++) {
		if (i == 100)
			fprintf(stderr, "rbtop: waiting for %s (%d) to end; it "
				"will be killed after ten seconds\n",
				workload_name(w), (int)w->pid);
		discard_output(w);
		reap(w, WNOHANG);
		if (!w->ended)
			nanosleep(&pause, NULL);
	}
	if (!w->ended)
		kill(w->pid, SIGKILL);
	reap(w, 0);
}

void workload_free(struct workload *w)
{
	if (!w)
		return;
	close_end(&w->go);
	close_end(&w->verdict);
	reap(w, WNOHANG);
	if (!w->ended && w->started)
		stop(w);
	close_end(&w->output);
	reap(w, 0); /* a held child has seen its pipe close and ended */
	close_end(&w->pidfd);
	free(w);
}
