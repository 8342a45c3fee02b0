/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A rig for batch_run(): a source whose ticks are numbers, formats for them, a
 * pipe to print to, and standard error.  Include after cmocka.h.
 */
#ifndef RBTOP_TESTS_BATCH_RIG_H
#define RBTOP_TESTS_BATCH_RIG_H

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/batch.h"
#include "export/export.h"
#include "source/source.h"

struct fake {
	struct source source;
	int reads;
	int fail_at;		/* the read that fails */
	int finished_at;	/* reads before the finish; -1: not finished */
	int snapshots;		/* requested */
	int refused;		/* error that refuses them */
	int signals;		/* sent while it is finished */
};

static inline int fake_read(struct source *s, struct reading *r,
			    struct err *err)
{
	struct fake *f = (struct fake *)s;

	if (++f->reads == f->fail_at)
		return err_set(err, -EIO, "fake: cannot read");
	r->mono = r->wall = f->reads;
	return 0;
}

static inline int fake_request(struct source *s, const struct request *rq,
			       struct err *err)
{
	struct fake *f = (struct fake *)s;

	assert_int_equal(rq->kind, REQUEST_SNAPSHOT);
	assert_int_equal(rq->nr_rings, 0);
	assert_string_equal(rq->text, "SIGUSR2");
	f->snapshots++;
	return f->refused ? err_set(err, f->refused, "fake: refused") : 0;
}

static inline void fake_finish(struct source *s)
{
	struct fake *f = (struct fake *)s;

	f->finished_at = f->reads;
	for (int i = 0; i < f->signals; i++)
		kill(getpid(), SIGTERM);
}

static inline void fake_close(struct source *s)
{
	if (s->event_fd >= 0)
		close(s->event_fd);
}

static const struct source_ops ops = {
	.name = "fake",
	.read = fake_read,
	.request = fake_request,
	.finish = fake_finish,
	.close = fake_close,
};

static inline int format_line(const struct frame *frame,
			      const struct export_opts *opts,
			      struct export_state *state, FILE *out)
{
	(void)opts;
	(void)state;
	fprintf(out, "tick %d\n", (int)frame->tick);
	return 0;
}

static inline int format_failing(const struct frame *frame,
				 const struct export_opts *opts,
				 struct export_state *state, FILE *out)
{
	(void)frame;
	(void)opts;
	(void)state;
	(void)out;
	return -ENOMEM;
}

/*
 * Print the options, and count in the state, which has to be kept from tick to
 * tick.
 */
static inline int format_state(const struct frame *frame,
			       const struct export_opts *opts,
			       struct export_state *state, FILE *out)
{
	(void)frame;
	fprintf(out, "%zu rows, serial %d%s\n", opts->hot,
		(int)state->next++, opts->alone ? ", alone" : "");
	return 0;
}

static const struct export_format line = {
	.name = "line", .frame = format_line,
};

static const struct export_format failing = {
	.name = "failing", .frame = format_failing,
};

static const struct export_format stateful = {
	.name = "state", .frame = format_state,
};

static inline void fake_open(struct fake *f)
{
	*f = (struct fake){ .finished_at = -1 };
	assert_int_equal(source_init(&f->source, &ops), 0);
}

/* A source, and a pipe to print to. */
struct rig {
	struct fake f;
	struct err err;
	int fd[2];
};

static inline int setup(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	assert_non_null(rig);
	assert_int_equal(pipe(rig->fd), 0);
	fake_open(&rig->f);
	*state = rig;
	return 0;
}

static inline int teardown(void **state)
{
	struct rig *rig = *state;

	source_close(&rig->f.source);
	close(rig->fd[0]);
	close(rig->fd[1]);
	free(rig);
	return 0;
}

/* Read what is in a pipe or file now. */
static inline char *contents(int fd, char *buf, size_t size)
{
	ssize_t n = read(fd, buf, size - 1);

	buf[n > 0 ? n : 0] = '\0';
	return buf;
}

/* Standard error between listen_in() and hear(). */
struct ear {
	FILE *file;
	int old;
};

static inline struct ear listen_in(void)
{
	struct ear ear = { tmpfile(), dup(STDERR_FILENO) };

	assert_non_null(ear.file);
	dup2(fileno(ear.file), STDERR_FILENO);
	return ear;
}

static inline char *hear(struct ear *ear, char *said, size_t size)
{
	dup2(ear->old, STDERR_FILENO);
	close(ear->old);
	lseek(fileno(ear->file), 0, SEEK_SET);
	contents(fileno(ear->file), said, size);
	fclose(ear->file);
	return said;
}

#endif
