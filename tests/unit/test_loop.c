/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/loop.h"
#include "base/sys.h"

struct world {
	struct loop *loop;
	int fds[2], other[2];
	struct loop_source *source, *second, *timer;
	int calls, second_calls;
	uint64_t expirations;
	int signals[8];
	uint32_t events;
};

static int setup(void **state)
{
	static struct world world;

	world = (struct world){ .loop = loop_new() };
	*state = &world;
	return !world.loop || pipe(world.fds) || pipe(world.other);
}

static int teardown(void **state)
{
	struct world *w = *state;

	loop_free(w->loop);
	for (int i = 0; i < 2; i++) {
		close(w->fds[i]);
		close(w->other[i]);
	}
	return 0;
}

static void read_and_quit(void *ctx, uint32_t events)
{
	struct world *w = ctx;
	char c;

	w->events = events;
	w->calls++;
	assert_int_equal(read(w->fds[0], &c, 1), 1);
	loop_quit(w->loop);
}

TEST(test_fd)
{
	struct world *w = *state;

	assert_non_null(loop_add_fd(w->loop, w->fds[0], EPOLLIN, read_and_quit,
				    w));
	assert_int_equal(write(w->fds[1], "ab", 2), 2);
	assert_int_equal(loop_run(w->loop), 0);
	assert_int_equal(w->calls, 1);
	assert_int_equal(w->events, EPOLLIN);
	/* it can run again, and continues with what is left */
	assert_int_equal(loop_run(w->loop), 0);
	assert_int_equal(w->calls, 2);
}

TEST(test_bad_fd)
{
	struct world *w = *state;

	assert_null(loop_add_fd(w->loop, -1, EPOLLIN, read_and_quit, w));
	assert_null(loop_add_fd(w->loop, 9999, EPOLLIN, read_and_quit, w));
}

static void count_to_three(void *ctx, uint64_t expirations)
{
	struct world *w = ctx;

	w->expirations += expirations;
	if (++w->calls == 3)
		loop_quit(w->loop);
}

TEST(test_timer)
{
	struct world *w = *state;
	double start = sys_now();

	assert_non_null(loop_add_timer(w->loop, 0.01, count_to_three, w));
	assert_int_equal(loop_run(w->loop), 0);
	assert_true(w->expirations >= 3);
	assert_true(sys_now() - start >= 0.03);
	assert_true(sys_now() - start >= 0.01 * (double)w->expirations);
}

static void quit_now(void *ctx, uint64_t expirations)
{
	struct world *w = ctx;

	(void)expirations;
	w->second_calls++;
	loop_quit(w->loop);
}

/* A timer that is stopped does not fire; one set again does. */
TEST(test_set_timer)
{
	struct world *w = *state;

	w->timer = loop_add_timer(w->loop, 0.001, count_to_three, w);
	loop_set_timer(w->timer, 0);
	loop_add_timer(w->loop, 0.02, quit_now, w);
	assert_int_equal(loop_run(w->loop), 0);
	assert_int_equal(w->calls, 0);
	assert_int_equal(w->second_calls, 1);
	loop_set_timer(w->timer, 0.001);
	w->calls = 2;
	assert_int_equal(loop_run(w->loop), 0);
	assert_int_equal(w->calls, 3);
}

static void take_signal(void *ctx, int signo)
{
	struct world *w = ctx;

	w->signals[w->calls++] = signo;
	if (w->calls == 2)
		loop_quit(w->loop);
}

TEST(test_signals)
{
	struct world *w = *state;
	sigset_t set, old;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGWINCH);
	pthread_sigmask(SIG_BLOCK, &set, &old);
	assert_non_null(loop_add_signals(w->loop, &set, take_signal, w));
	raise(SIGUSR1);
	raise(SIGWINCH);
	assert_int_equal(loop_run(w->loop), 0);
	assert_int_equal(w->calls, 2);
	assert_int_equal(w->signals[0] + w->signals[1], SIGUSR1 + SIGWINCH);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* Each removes the other: only the first may be called. */
static void remove_second(void *ctx, uint32_t events)
{
	struct world *w = ctx;

	(void)events;
	w->calls++;
	loop_remove(w->second);
	loop_quit(w->loop);
}

static void remove_first(void *ctx, uint32_t events)
{
	struct world *w = ctx;

	(void)events;
	w->calls++;
	loop_remove(w->source);
	loop_quit(w->loop);
}

TEST(test_remove_other)
{
	struct world *w = *state;

	w->source = loop_add_fd(w->loop, w->fds[0], EPOLLIN, remove_second, w);
	w->second = loop_add_fd(w->loop, w->other[0], EPOLLIN, remove_first,
				w);
	assert_int_equal(write(w->fds[1], "a", 1), 1);
	assert_int_equal(write(w->other[1], "a", 1), 1);
	assert_int_equal(loop_run(w->loop), 0);
	assert_int_equal(w->calls, 1);
}

static void remove_itself(void *ctx, uint64_t expirations)
{
	struct world *w = ctx;

	(void)expirations;
	w->calls++;
	loop_remove(w->timer);
	loop_remove(w->timer);
}

TEST(test_remove_itself)
{
	struct world *w = *state;

	w->timer = loop_add_timer(w->loop, 0.001, remove_itself, w);
	loop_add_timer(w->loop, 0.03, quit_now, w);
	assert_int_equal(loop_run(w->loop), 0);
	assert_int_equal(w->calls, 1);
	assert_int_equal(w->second_calls, 1);
}

TEST(test_remove_outside)
{
	struct world *w = *state;
	struct loop_source *source;

	source = loop_add_fd(w->loop, w->fds[0], EPOLLIN, read_and_quit, w);
	assert_int_equal(write(w->fds[1], "a", 1), 1);
	loop_remove(source);
	loop_add_timer(w->loop, 0.01, quit_now, w);
	assert_int_equal(loop_run(w->loop), 0);
	assert_int_equal(w->calls, 0);
}

TEST_WITH(test_free_null, NULL, NULL)
{
	loop_free(NULL);
}

TEST_GROUP(loop, .each_setup = setup, .each_teardown = teardown);
