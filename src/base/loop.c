/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/loop.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/sys.h"

enum { EVENTS_AT_ONCE = 16 };

enum source_kind {
	SOURCE_FD,
	SOURCE_TIMER,
	SOURCE_SIGNALS,
};

struct loop_source {
	struct loop *loop;
	struct loop_source *next;
	enum source_kind kind;
	int fd;
	bool removed;		/* freed when the batch of events is done */
	union {
		loop_fd_fn *fd;
		loop_timer_fn *timer;
		loop_signal_fn *signal;
	} fn;
	void *ctx;
};

struct loop {
	int epoll;
	bool quit;
	bool dispatching;
	struct loop_source *sources;
};

struct loop *loop_new(void)
{
	struct loop *loop = calloc(1, sizeof(*loop));

	if (!loop)
		return NULL;
	loop->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (loop->epoll < 0) {
		free(loop);
		return NULL;
	}
	return loop;
}

/* Free removed sources. */
static void sweep(struct loop *loop)
{
	struct loop_source **at = &loop->sources;

	while (*at) {
		struct loop_source *source = *at;

		if (source->removed) {
			*at = source->next;
			free(source);
		} else {
			at = &source->next;
		}
	}
}

void loop_free(struct loop *loop)
{
	if (!loop)
		return;
	while (loop->sources)
		loop_remove(loop->sources);
	close(loop->epoll);
	free(loop);
}

/* NULL with errno set; @fd is then closed unless the caller owns it. */
static struct loop_source *add(struct loop *loop, enum source_kind kind, int fd,
			       uint32_t events, void *ctx)
{
	struct loop_source *source;
	struct epoll_event ev;
	int saved;

	if (fd < 0)
		return NULL;	/* errno is set by the failed call */
	source = calloc(1, sizeof(*source));
	if (!source)
		goto fail;
	source->loop = loop;
	source->kind = kind;
	source->fd = fd;
	source->ctx = ctx;
	ev = (struct epoll_event){ .events = events, .data.ptr = source };
	if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &ev) < 0)
		goto fail;
	source->next = loop->sources;
	loop->sources = source;
	return source;
fail:
	saved = errno;
	if (kind != SOURCE_FD)
		close(fd);
	free(source);
	errno = saved;
	return NULL;
}

struct loop_source *loop_add_fd(struct loop *loop, int fd, uint32_t events,
				loop_fd_fn *fn, void *ctx)
{
	struct loop_source *source = add(loop, SOURCE_FD, fd, events, ctx);

	if (source)
		source->fn.fd = fn;
	return source;
}

struct loop_source *loop_add_timer(struct loop *loop, double seconds,
				   loop_timer_fn *fn, void *ctx)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	struct loop_source *source = add(loop, SOURCE_TIMER, fd, EPOLLIN, ctx);

	if (source) {
		source->fn.timer = fn;
		loop_set_timer(source, seconds);
	}
	return source;
}

void loop_set_timer(struct loop_source *timer, double seconds)
{
	sys_timer_set(timer->fd, seconds);
}

struct loop_source *loop_add_signals(struct loop *loop, const sigset_t *set,
				     loop_signal_fn *fn, void *ctx)
{
	int fd = signalfd(-1, set, SFD_NONBLOCK | SFD_CLOEXEC);
	struct loop_source *source = add(loop, SOURCE_SIGNALS, fd, EPOLLIN,
					 ctx);

	if (source)
		source->fn.signal = fn;
	return source;
}

void loop_remove(struct loop_source *source)
{
	struct loop *loop = source->loop;

	if (source->removed)
		return;
	epoll_ctl(loop->epoll, EPOLL_CTL_DEL, source->fd, NULL);
	if (source->kind != SOURCE_FD)
		close(source->fd);
	source->removed = true;
	if (!loop->dispatching)
		sweep(loop);
}

static void dispatch_timer(struct loop_source *source)
{
	uint64_t expirations;

	/* EAGAIN if an earlier callback has just set it again */
	if (read(source->fd, &expirations, sizeof(expirations)) ==
	    sizeof(expirations))
		source->fn.timer(source->ctx, expirations);
}

static void dispatch_signals(struct loop_source *source)
{
	struct signalfd_siginfo info;

	while (!source->removed &&
	       read(source->fd, &info, sizeof(info)) == sizeof(info))
		source->fn.signal(source->ctx, (int)info.ssi_signo);
}

static void dispatch(struct loop_source *source, uint32_t events)
{
	/* removed by an earlier callback of the same batch */
	if (source->removed)
		return;
	switch (source->kind) {
	case SOURCE_FD:
		source->fn.fd(source->ctx, events);
		break;
	case SOURCE_TIMER:
		dispatch_timer(source);
		break;
	case SOURCE_SIGNALS:
		dispatch_signals(source);
		break;
	}
}

int loop_run(struct loop *loop)
{
	struct epoll_event events[EVENTS_AT_ONCE];

	loop->quit = false;
	while (!loop->quit) {
		int n = epoll_wait(loop->epoll, events, EVENTS_AT_ONCE, -1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		loop->dispatching = true;
		for (int i = 0; i < n && !loop->quit; i++)
			dispatch(events[i].data.ptr, events[i].events);
		loop->dispatching = false;
		sweep(loop);
	}
	return 0;
}

void loop_quit(struct loop *loop)
{
	loop->quit = true;
}
