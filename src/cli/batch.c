/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tick is formatted into memory and written as the reader takes it, so that
 * a full pipe stops neither the loop nor the signals.  Ticks that fall due
 * while the previous one is still being written are left out: the next one
 * covers their time.
 */
#include "cli/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/param.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/caps.h"
#include "base/err.h"
#include "base/loop.h"
#include "source/source.h"
#include "cli/textfile.h"

enum { LEAST_TEXT = 64 << 10 };	/* bytes for a tick, to begin with */

struct batch {
	struct source *source;
	const struct batch_opts *opts;
	struct err *err;
	struct loop *loop;
	struct loop_source *writable; /* while a tick waits */
	struct loop_source *ended; /* the source's event_fd */
	int fd;			/* never blocks, see open_output */
	struct export_state state;
	char *text;		/* the tick being written */
	size_t len, room, written;
	size_t ticks;		/* made so far */
	bool failing;		/* the text file was not written, and that is
				 * told */
	bool last_due;		/* the target ended */
	bool last;		/* the last tick is made */
	int result;
};

/* The signal that asked for the end; 0: none yet. */
static volatile sig_atomic_t came;

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
	came = signo;
	set_handlers(SIG_DFL);
}

/*
 * The loop reads no signals now, and what is to be written may take as long as
 * a disk wants.  Who asks for the end once wants that to be whole; who asks
 * again is obeyed, though a temporary file is left.
 */
static void heed_signals(void)
{
	const struct timespec none = { 0 };
	sigset_t set;

	signal_set(&set);
	/* what came together with the first is not another one */
	while (came && sigtimedwait(&set, NULL, &none) > 0)
		;
	set_handlers(came ? SIG_DFL : note_signal);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void end(struct batch *b, int result)
{
	b->result = result;
	loop_quit(b->loop);
}

/*
 * Standard output as an open file of its own, where O_NONBLOCK does not
 * disturb those who share the other one (a shell's terminal, the pipe that is
 * standard error as well).  Sockets cannot be opened again, see write_some;
 * files never block.
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

/* All of it at once: a file delays nobody for long.  1 or -errno. */
static int replace_file(struct batch *b)
{
	int ret = textfile_write(b->opts->textfile, b->text, b->len, b->err);

	free(b->text);
	b->text = NULL;
	if (ret < 0)
		return ret;
	b->failing = false;
	return 1;
}

/* Write what the reader takes.  1: all of it; 0: not yet; -errno. */
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
			return err_set(b->err, -errno, "standard output: %s",
				       strerror(errno));
		if (n > 0)
			b->written += (size_t)n;
	}
	free(b->text);
	b->text = NULL;
	return 1;
}

/* 0: out of memory. */
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
 * A stream into b->text.  It may be a hundred MB, which open_memstream(3) would
 * copy and clear again and again.
 */
static FILE *open_text(struct batch *b)
{
	const cookie_io_functions_t io = { .write = add_text };

	b->len = b->written = 0;
	b->room = 0;
	return array_fit(b->text, b->room, LEAST_TEXT) ?
		       NULL : fopencookie(b, "w", io);
}

static int format_tick(struct batch *b, const struct frame *frame)
{
	struct export_opts export = b->opts->export;
	FILE *out = open_text(b);
	int ret;

	export.alone = b->opts->textfile;
	if (!out)
		return err_set(b->err, -errno, "a tick: %s", strerror(errno));
	/* Nobody else has it: it need not be locked for each character. */
	__fsetlocking(out, FSETLOCKING_BYCALLER);
	ret = b->opts->format->frame(frame, &export, &b->state, out);
	if (fclose(out) != 0 && ret == 0)
		ret = -errno;
	if (ret < 0)
		return err_set(b->err, ret, "a tick as %s: %s",
			       b->opts->format->name, strerror(-ret));
	return 0;
}

/* A disk that is full now may have room by the next tick. */
static bool may_pass(int error)
{
	return error == -ENOSPC || error == -EDQUOT || error == -EIO ||
	       error == -ENOMEM;
}

/*
 * What to go on with when a tick failed with @ret.  A collector that finds an
 * old file is to find new ones again once there is room; nobody starts the
 * monitor anew for that.  Said once, until a tick is written.
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

/* After a flush: what comes next. */
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
	b->writable = loop_add_fd(b->loop, b->fd, EPOLLOUT, on_writable, b);
	if (!b->writable)
		end(b, err_set(b->err, -errno, "standard output: %s",
			       strerror(errno)));
}

static void go_on(struct batch *b, int flushed)
{
	/* with the last tick, the end may have been asked for */
	if (flushed == 0 && !came) {
		wait_writable(b);
		return;
	}
	if (b->writable)
		loop_remove(b->writable);
	b->writable = NULL;
	/* Whoever reads has had enough, as of any other command. */
	if (flushed == -EPIPE)
		end(b, 128 + SIGPIPE);
	else if (flushed < 0)
		end(b, flushed);
	else if (b->last)
		end(b, came ? 128 + came : 0);
	else if (b->last_due)
		make_tick(b);
}

/* Format, and write as much as goes.  See flush. */
static int put_tick(struct batch *b, const struct frame *frame)
{
	int ret = format_tick(b, frame);

	if (ret == 0)
		ret = flush(b);
	return ret < 0 ? get_over(b, ret) : ret;
}

static void finish(struct source *source)
{
	heed_signals();
	source_finish(source);
	batch_prepare();
}

/* The last one is exact. */
static void make_tick(struct batch *b)
{
	const struct frame *frame;

	b->ticks++;
	b->last = b->last_due || b->ticks == b->opts->ticks;
	if (b->last)
		finish(b->source);
	frame = source_frame(b->source, b->err);
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
		end(ctx, 128 + (came = signo));
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
	if (!b->loop ||
	    !loop_add_timer(b->loop, b->opts->delay, on_timer, b) ||
	    !loop_add_signals(b->loop, &signals, on_signal, b))
		return err_set(b->err, -errno, "event loop: %s",
			       strerror(errno));
	if (b->source->event_fd < 0)
		return 0;
	b->ended = loop_add_fd(b->loop, b->source->event_fd, EPOLLIN, on_ended,
			       b);
	return b->ended ? 0 : err_set(b->err, -errno, "event loop: %s",
				      strerror(errno));
}

static int run(struct batch *b)
{
	int ret = watch(b);

	/* Not printed: what the rates of the first tick count from. */
	if (ret == 0 && !source_frame(b->source, b->err))
		ret = b->err->code;
	if (ret < 0)
		return ret;
	ret = loop_run(b->loop);
	heed_signals();
	if (ret < 0)
		return err_set(b->err, ret, "event loop: %s", strerror(-ret));
	return b->result;
}

/* Also on standard error: comments in the listing are easily missed. */
static void tell_lacking(const struct batch *b)
{
	if (b->state.lacking)
		fprintf(stderr, "rbtop: warning: %" PRIu64 " samples were not "
			"printed: raise --decode (samples per second)\n",
			b->state.lacking);
}

int batch_run(struct source *source, const struct batch_opts *opts,
	      struct err *err)
{
	struct batch b = { .source = source, .opts = opts, .err = err };
	int ret = opts->textfile ? textfile_check(opts->textfile, err) : 0;

	if (ret < 0)
		return ret;
	b.fd = open_output(opts->fd);
	if (b.fd < 0)
		return err_set(err, -errno, "standard output: %s",
			       strerror(errno));
	batch_prepare();
	came = 0;
	ret = run(&b);
	tell_lacking(&b);
	loop_free(b.loop);
	free(b.text);
	close(b.fd);
	return ret;
}
