/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small event loop on epoll: file descriptors, timers (timerfd) and signals
 * (signalfd), each with a callback.  Not thread safe; one loop, one thread.
 */
#ifndef RBTOP_BASE_LOOP_H
#define RBTOP_BASE_LOOP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct loop;
struct loop_source;	/* a registered fd, timer or signal set */

typedef void loop_fd_fn(void *ctx, uint32_t epoll_events);
typedef void loop_timer_fn(void *ctx, uint64_t expirations);
typedef void loop_signal_fn(void *ctx, int signo);

/* Returns NULL when out of memory or file descriptors (errno is set). */
struct loop *loop_new(void);
void loop_free(struct loop *loop);	/* frees its sources; NULL is fine */

/* Watch @fd (not owned) for @events (EPOLLIN ...).  NULL on failure. */
struct loop_source *loop_add_fd(struct loop *loop, int fd, uint32_t events,
				loop_fd_fn *fn, void *ctx);

/* A periodic timer on CLOCK_MONOTONIC; first expiry after one period. */
struct loop_source *loop_add_timer(struct loop *loop, double seconds,
				   loop_timer_fn *fn, void *ctx);
/* Change the period; 0 stops the timer. */
void loop_set_timer(struct loop_source *timer, double seconds);

/* Handle the signals of @set, which the caller has blocked, by signalfd. */
struct loop_source *loop_add_signals(struct loop *loop, const sigset_t *set,
				     loop_signal_fn *fn, void *ctx);

/*
 * Remove and free a source; allowed in any callback, including its own.  Call
 * it before closing the fd: while a duplicate of the fd is open, epoll
 * continues to report it.
 */
void loop_remove(struct loop_source *source);

/* Run until loop_quit.  Returns 0, or -errno if epoll_wait fails. */
int loop_run(struct loop *loop);
void loop_quit(struct loop *loop);	/* from a callback of this loop */

#endif
