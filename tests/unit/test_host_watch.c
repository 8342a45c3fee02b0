/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that reads the host's rings, and its start by a request. */
#include "tests/group.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "host/host_watch.h"
#include "source/source.h"

/* /proc only: the permissions of this machine must not matter. */
static const struct host_watch_opts proc = { .interval = 1, .no_bpf = true };

TEST(test_first_pass)
{
	struct err err = { 0 };
	struct host_watch *watch = host_watch_start(&proc, &err);
	const struct host *host;

	assert_non_null(watch);
	host_watch_wait(watch, 30);
	host = host_watch_frame(watch, NULL, NULL);
	assert_non_null(host);
	assert_true(host->status.ready);
	assert_int_equal(host->status.passes, 1);
	assert_false(host->status.bpf);
	assert_string_equal(host->status.reason, "BPF was not asked for");
	assert_int_equal(host->self, getpid());
	assert_true(host->status.whole_age >= 0);
	assert_true(host->status.interval >= 1);
	for (size_t i = 0; i < host->nr_rows; i++)
		assert_true(host->rows[i].kind == RING_FTRACE ||
			    !host->rows[i].known);
	host_watch_reset(watch);
	assert_non_null(host_watch_frame(watch, NULL, NULL));
	host_watch_free(watch);
	host_watch_free(NULL);
}

/* It ends at once, also while it waits. */
TEST(test_ends)
{
	struct err err = { 0 };

	for (int i = 0; i < 20; i++) {
		struct host_watch *watch = host_watch_start(&proc, &err);

		assert_non_null(watch);
		assert_non_null(host_watch_frame(watch, NULL, NULL));
		host_watch_free(watch);
	}
}

/* A source without data. */
static int read_nothing(struct source *s, struct reading *r, struct err *err)
{
	(void)s;
	(void)err;
	r->mono += 1;
	return 0;
}

static void close_nothing(struct source *s)
{
	(void)s;
}

static const struct source_ops ops = {
	.name = "none",
	.read = read_nothing,
	.close = close_nothing,
};

TEST(test_any_source)
{
	const struct request rq = { .kind = REQUEST_HOST };
	struct err err = { 0 };
	const struct frame *frame;
	struct source source;
	struct host_watch *watch;

	assert_int_equal(source_init(&source, &ops), 0);
	frame = source_frame(&source, &err);
	assert_non_null(frame);
	assert_null(frame->host);
	assert_int_equal(source_watch_host(&source, &proc, &err), 0);
	watch = source.host;
	/* It is running already. */
	assert_int_equal(source_request(&source, &rq, &err), 0);
	assert_ptr_equal(source.host, watch);
	host_watch_wait(watch, 30);
	frame = source_frame(&source, &err);
	assert_non_null(frame);
	assert_non_null(frame->host);
	assert_true(frame->host->status.ready);
	source_reset(&source);
	source_close(&source);
}

TEST(test_anything_else)
{
	const struct request rq = { .kind = REQUEST_PAUSE };
	struct err err = { 0 };
	struct source source;

	assert_int_equal(source_init(&source, &ops), 0);
	assert_int_equal(source_request(&source, &rq, &err), -EOPNOTSUPP);
	assert_string_equal(err.text,
			    "nothing can be changed in a none source");
	assert_null(source.host);
	source_close(&source);
}

TEST_GROUP(host_watch);
