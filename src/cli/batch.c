/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tick is formatted into memory and written as far as the pipe has room, so
 * that a full pipe blocks neither the loop nor the signals.  Ticks that are due
 * while the previous one is being written are left out: the next one covers
 * their time.
 */
#include "cli/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/caps.h"
#include "base/err.h"
#include "base/file/new_file.h"
#include "base/loop.h"
#include "source/source.h"

enum { MIN_TEXT = 64 << 10 };	/* bytes allocated for a tick at first */

/* Seconds between ticks that are not paced: as soon as the loop is back. */
#define AT_ONCE 1e-6

struct batch {
	struct source *source;
	const struct batch_opts *opts;
	struct err *err;
	struct loop *loop;
	struct loop_source *writable; /* while a tick is partly written */
	struct loop_source *ended; /* the source's event_fd */
	struct loop_source *timer;
	int fd;			/* does not block, see open_output() */
	struct export_state state;
	char *text;		/* the tick being written */
	size_t len, room, written;
	size_t ticks;		/* made so far */
	bool failing;		/* the text file was not written, and a warning
				 * was printed */
	bool last_due;		/* the target ended */
	bool last;		/* the last tick was taken */
	int result;
};

/* The terminating signal received; 0: none yet. */
static volatile sig_atomic_t terminated_by;

static const int ending[] = { SIGINT, SIGTERM, SIGHUP };

static void signal_set(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		sigaddset(set, ending[i]);
}

static void set_handlers(void (*handler)(int))
{
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		signal(ending[i], handler);
}

static void note_signal(int signo)
{
	terminated_by = signo;
	set_handlers(SIG_DFL);
}

/*
 * While the loop does not read signals, and finishing the source may wait for a
 * slow disk: the first terminating signal lets it complete, a second one kills,
 * although a temporary file is left.
 */
static void handle_signals(void)
{
	const struct timespec none = { 0 };
	sigset_t set;

	signal_set(&set);
	/* signals that arrived together with the first one do not kill */
	while (terminated_by && sigtimedwait(&set, NULL, &none) > 0)
		;
	set_handlers(terminated_by ? SIG_DFL : note_signal);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void end(struct batch *b, int result)
{
	b->result = result;
	loop_quit(b->loop);
}

/*
 * Open standard output again, so that O_NONBLOCK does not affect others that
 * share the open file (the shell's terminal, or standard error on the same
 * pipe).  Sockets cannot be opened again, see write_some(); regular files never
 * block.
 */
static int open_output(int fd)
{
	char path[40];
	struct stat st;
	struct caps_own rights;
	int own = -1;

	caps_own_begin(&rights);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) ||
				    S_ISCHR(st.st_mode)))
		own = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	caps_own_end(&rights);
	return own >= 0 ? own : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

static ssize_t write_some(int fd, const char *text, size_t len)
{
	ssize_t n = send(fd, text, len, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (n < 0 && errno == ENOTSOCK)
		n = write(fd, text, len);
	return n;
}

/*
 * Check, before the first tick, that @path can be written: files can be made in
 * its directory, and it does not exist, is a regular file, or is a link to one
 * (which need not exist) that file_place.h allows.  0 or -errno with @err.
 */
static int check_textfile(const char *path, struct err *err)
{
	struct new_file *file = new_file_open(path, NEW_FILE_FOLLOW, err);

	if (!file && err->code == -EEXIST)
		return err_set(err, -EEXIST, "--textfile %s: not a regular "
			       "file; leave out --textfile to write to "
			       "standard output", path);
	if (!file)
		return err_prefix(err, "--textfile");
	new_file_cancel(file);
	return 0;
}

/*
 * Replace the contents of @path by the @len bytes of @text atomically; see
 * new_file_publish().  If it is a link, its target is replaced, or made.  0, or
 * -errno with @err and the old file intact.
 */
static int write_textfile(const char *path, const char *text, size_t len,
			  struct err *err)
{
	struct new_file *file = new_file_open(path, NEW_FILE_FOLLOW, err);

	if (!file)
		return err_prefix(err, "--textfile");
	/* an error is remembered by the stream, and reported below */
	fwrite(text, 1, len, new_file_stream(file));
	if (new_file_publish(file, err) < 0)
		return err_prefix(err, "--textfile");
	return 0;
}

/* Write the tick to the text file, which may wait for a disk.  1 or -errno. */
static int replace_file(struct batch *b)
{
	int ret = write_textfile(b->opts->textfile, b->text, b->len, b->err);

	free(b->text);
	b->text = NULL;
	if (ret < 0)
		return ret;
	b->failing = false;
	return 1;
}

/* Write what the pipe has room for.  1: all of the tick; 0: a part; -errno. */
static int flush(struct batch *b)
{
	ssize_t n;

	if (b->opts->textfile)
		return replace_file(b);

	while (b->written < b->len) {
		n = write_some(b->fd, b->text + b->written,
			       b->len - b->written);
		if (n < 0 && errno == EAGAIN)
			return 0;
		if (n < 0 && errno != EINTR)
			return err_errno(b->err, -errno, "standard output");
		if (n > 0)
			b->written += (size_t)n;
	}
	free(b->text);
	b->text = NULL;
	return 1;
}

/* cookie_write_function_t; 0: out of memory. */
static ssize_t add_text(void *cookie, const char *text, size_t len)
{
	struct batch *b = cookie;

	if (array_fit(b->text, b->room, b->len + len)) {
		errno = ENOMEM;
		return 0;
	}
	memcpy(b->text + b->len, text, len);
	b->len += len;
	return (ssize_t)len;
}

/*
 * A stream into b->text.  Not open_memstream(3): a tick may have 100 MB, which
 * that would copy and clear repeatedly.
 */
static FILE *open_text(struct batch *b)
{
	const cookie_io_functions_t io = { .write = add_text };

	b->len = b->written = 0;
	b->room = 0;
	return array_fit(b->text, b->room, MIN_TEXT) ?
		       NULL : fopencookie(b, "w", io);
}

static int format_tick(struct batch *b, const struct frame *frame)
{
	struct export_opts export = b->opts->export;
	FILE *out = open_text(b);
	int ret;

	export.alone = b->opts->textfile;
	if (!out)
		return err_errno(b->err, -errno, "preparing a tick");
	/* only this thread uses it: no lock for each character */
	__fsetlocking(out, FSETLOCKING_BYCALLER);
	ret = b->opts->format->frame(frame, &export, &b->state, out);
	if (fclose(out) != 0 && ret == 0)
		ret = -errno;
	if (ret < 0)
		return err_errno(b->err, ret, "writing a tick as %s",
				 b->opts->format->name);
	return 0;
}

/* Whether the next tick may succeed: a full disk may have room by then. */
static bool may_pass(int error)
{
	return error == -ENOSPC || error == -EDQUOT || error == -EIO ||
	       error == -ENOMEM;
}

/*
 * A tick failed with @ret: if the text file may be written again later, warn,
 * once until a tick is written, and continue: a monitor should not have to be
 * restarted.  Returns the result of the tick: 1 or @ret.
 */
static int get_over(struct batch *b, int ret)
{
	if (!b->opts->textfile || b->last || !may_pass(ret))
		return ret;
	if (!b->failing)
		fprintf(stderr, "rbtop: warning: %s; the next tick tries "
			"again\n", b->err->text);
	b->failing = true;
	free(b->text);
	b->text = NULL;
	return 1;
}

static void make_tick(struct batch *b);

/* The timer must not spin while a tick that is not paced is being written. */
static void set_pace(struct batch *b, double delay)
{
	if (b->opts->unpaced)
		loop_set_timer(b->timer, delay);
}

/* Continue after flush() or get_over() returned @flushed. */
static void go_on(struct batch *b, int flushed);

static void on_writable(void *ctx, uint32_t events)
{
	struct batch *b = ctx;

	(void)events;
	go_on(b, flush(b));
}

static void wait_writable(struct batch *b)
{
	if (b->writable)
		return;
	set_pace(b, 0);
	b->writable = loop_add_fd(b->loop, b->fd, EPOLLOUT, on_writable, b);
	if (!b->writable)
		end(b, err_errno(b->err, -errno, "standard output"));
}

static void go_on(struct batch *b, int flushed)
{
	/* a signal during the last tick ends it, even partly written */
	if (flushed == 0 && !terminated_by) {
		wait_writable(b);
		return;
	}
	if (b->writable) {
		loop_remove(b->writable);
		set_pace(b, AT_ONCE);
	}
	b->writable = NULL;
	/* no more readers: end as by SIGPIPE */
	if (flushed == -EPIPE)
		end(b, 128 + SIGPIPE);
	else if (flushed < 0)
		end(b, flushed);
	else if (b->last)
		end(b, terminated_by ? 128 + terminated_by : 0);
	else if (b->last_due)
		make_tick(b);
}

/* Format a tick, and begin to write it.  Returns as flush() does. */
static int put_tick(struct batch *b, const struct frame *frame)
{
	int ret = b->opts->quiet ? 1 : format_tick(b, frame);

	if (ret == 0)
		ret = flush(b);
	return ret < 0 ? get_over(b, ret) : ret;
}

/* Take a tick and write it; the last one after the source is finished. */
/* Whether an alarm has been raised. */
static bool is_over(const struct batch *b)
{
	struct err why = { 0 };

	return b->opts->until_failed && gate_judge(b->opts->gate, &why) > 0;
}

static void make_tick(struct batch *b)
{
	const struct frame *frame;

	b->ticks++;
	b->last = b->last_due || b->ticks == b->opts->ticks;
	if (b->last) {
		handle_signals();
		source_finish(b->source);
		batch_prepare();
	}
	frame = source_frame(b->source, b->err);
	if (frame && b->opts->gate)
		gate_see(b->opts->gate, frame);
	b->last |= frame && is_over(b);
	/* without an event_fd, only the frame says that it has ended */
	b->last |= frame && frame->ended &&
		   (b->opts->unpaced || b->source->event_fd < 0);
	if (frame)
		go_on(b, put_tick(b, frame));
	else
		end(b, b->err->code);
}

static void on_timer(void *ctx, uint64_t expirations)
{
	struct batch *b = ctx;

	(void)expirations;
	if (!b->text)
		make_tick(b);
}

static void on_ended(void *ctx, uint32_t events)
{
	struct batch *b = ctx;

	(void)events;
	loop_remove(b->ended);
	b->last_due = true;
	if (!b->text)
		make_tick(b);
}

/* As perf-record(1) does on SIGUSR2. */
static void take_snapshot(struct batch *b)
{
	const struct request rq = {
		.kind = REQUEST_SNAPSHOT,
		.text = "SIGUSR2",
	};
	struct err err = { 0 };
	int ret = source_request(b->source, &rq, &err);

	if (ret < 0)
		fprintf(stderr, "rbtop: warning: no snapshot: %s\n", err.text);
}

static void on_signal(void *ctx, int signo)
{
	if (signo == SIGUSR2)
		take_snapshot(ctx);
	else
		end(ctx, 128 + (terminated_by = signo));
}

void batch_prepare(void)
{
	sigset_t set;

	signal_set(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static int watch(struct batch *b)
{
	sigset_t signals;

	signal_set(&signals);
	sigaddset(&signals, SIGUSR2);
	b->loop = loop_new();
	if (b->loop)
		b->timer = loop_add_timer(b->loop, b->opts->unpaced ?
					  AT_ONCE : b->opts->delay,
					  on_timer, b);
	if (!b->timer ||
	    !loop_add_signals(b->loop, &signals, on_signal, b))
		return err_errno(b->err, -errno, "event loop");
	if (b->source->event_fd < 0)
		return 0;
	b->ended = loop_add_fd(b->loop, b->source->event_fd, EPOLLIN, on_ended,
			       b);
	return b->ended ? 0 : err_errno(b->err, -errno, "event loop");
}

static int run(struct batch *b)
{
	const struct frame *frame;
	int ret = watch(b);

	/* not printed: the base of the rates of the first tick */
	if (ret == 0) {
		frame = source_frame(b->source, b->err);
		if (!frame)
			ret = b->err->code;
		else if (b->opts->gate)
			gate_see(b->opts->gate, frame);
		if (frame && is_over(b)) {
			b->last_due = true;
			loop_set_timer(b->timer, AT_ONCE);
		}
	}
	if (ret < 0)
		return ret;
	ret = loop_run(b->loop);
	handle_signals();
	if (ret < 0)
		return err_errno(b->err, ret, "event loop");
	return b->result;
}

/* On standard error, too: comments in the listing are easily missed. */
static void warn_lacking(const struct batch *b)
{
	static const char *const why[LACKS] = {
		[LACK_THINNED] = "raise --decode (samples per second)",
		[LACK_SLOW] =
			"they arrived faster than they could be decoded: "
			"select fewer events or CPUs, or use --filter or a "
			"larger -c",
		[LACK_LAPPED] =
			"more arrived between two ticks than rbtop buffers: "
			"use a shorter -d, and read the output faster",
		[LACK_LATE] =
			"they arrived after later samples had been printed, "
			"because a reader thread got no CPU or the sort "
			"buffer was full: use -r, or leave a CPU free",
	};

	for (int i = 0; i < LACKS; i++)
		if (b->state.lacking[i])
			fprintf(stderr, "rbtop: warning: %" PRIu64 " samples "
				"were not printed: %s\n", b->state.lacking[i],
				why[i]);
}

int batch_run(struct source *source, const struct batch_opts *opts,
	      struct err *err)
{
	struct batch b = { .source = source, .opts = opts, .err = err };
	int ret = opts->textfile ? check_textfile(opts->textfile, err) : 0;

	if (ret < 0)
		return ret;
	b.fd = open_output(opts->fd);
	if (b.fd < 0)
		return err_errno(err, -errno, "standard output");
	batch_prepare();
	terminated_by = 0;
	ret = run(&b);
	warn_lacking(&b);
	loop_free(b.loop);
	free(b.text);
	close(b.fd);
	return ret;
}
