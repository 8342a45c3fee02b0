/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/recording/recording.h"

/* Tolerance between the clock and the scheduler's counts. */
#define MIN_NS UINT64_C(1000000)

enum record_cause writer_times_cause(const struct writer_spent *spent)
{
	uint64_t min = spent->ran + MIN_NS;

	if (spent->waited > min && spent->waited >= spent->blocked)
		return RECORD_NO_CPU;
	if (spent->blocked > min)
		return RECORD_SLOW_DISK;
	return RECORD_FAST;
}

/* Times since the last mark; blocked includes sleep. */
static struct writer_spent mark(struct writer_times *w)
{
	struct sys_thread_times now, last = w->mark;
	struct writer_spent spent = { 0 };
	uint64_t passed;

	if (w->fd < 0 || sys_thread_times(w->fd, &now))
		return spent;
	w->mark = now;
	passed = now.now_ns - last.now_ns;
	spent.ran = now.ran_ns - last.ran_ns;
	spent.waited = now.waited_ns - last.waited_ns;
	if (passed > spent.ran + spent.waited)
		spent.blocked = passed - spent.ran - spent.waited;
	return spent;
}

void writer_times_open(struct writer_times *w)
{
	*w = (struct writer_times){ .fd = sys_open_thread_times() };
	mark(w);
}

void writer_times_close(struct writer_times *w)
{
	sys_close(w->fd);
	w->fd = -1;
}

void writer_times_begin(struct writer_times *w)
{
	w->between = mark(w);
	w->between.blocked = 0;		/* it slept until the pass was due */
}

enum record_cause writer_times_end(struct writer_times *w)
{
	const struct writer_spent pass = mark(w), all = {
		.ran = w->before.ran + w->between.ran + pass.ran,
		.waited = w->before.waited + w->between.waited + pass.waited,
		.blocked = w->before.blocked + pass.blocked,
	};

	w->before = pass;
	return writer_times_cause(&all);
}
