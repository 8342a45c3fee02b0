/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "source/source.h"

/* A source with one ring that grows by 100 bytes per second. */
struct fake {
	struct source source;
	double now;
	int refuse_read;
	bool started, finished, closed;
	struct request last;
};

static int fake_start(struct source *s, struct err *err)
{
	(void)err;
	((struct fake *)s)->started = true;
	return 0;
}

static int fake_read(struct source *s, struct reading *r, struct err *err)
{
	struct fake *f = (struct fake *)s;

	if (f->refuse_read)
		return err_set(err, f->refuse_read, "fake: refused");
	assert_int_equal(reading_reserve(r, 1), 0);
	r->mono = r->wall = ++f->now;
	r->rings[0].row.size = 4096;
	r->rings[0].stats.bytes = (uint64_t)f->now * 100;
	reading_note(r, f->now, LOG_INFO, "a tick");
	return 0;
}

static int fake_request(struct source *s, const struct request *rq,
			struct err *err)
{
	((struct fake *)s)->last = *rq;
	return err_set(err, -EBUSY, "fake: not now");
}

static void fake_finish(struct source *s)
{
	((struct fake *)s)->finished = true;
}

static void fake_close(struct source *s)
{
	((struct fake *)s)->closed = true;
}

static const struct source_ops full = {
	.name = "fake",
	.start = fake_start,
	.read = fake_read,
	.request = fake_request,
	.finish = fake_finish,
	.close = fake_close,
};

static const struct source_ops bare = {
	.name = "bare",
	.read = fake_read,
	.close = fake_close,
};

TEST(test_life)
{
	struct fake f = { .now = 0 };
	struct err err = { 0 };

	assert_int_equal(source_init(&f.source, &full), 0);
	assert_int_equal(f.source.event_fd, -1);
	assert_int_equal(f.source.exit_status, 0);
	assert_int_equal(source_start(&f.source, &err), 0);
	assert_true(f.started);
	source_finish(&f.source);
	assert_true(f.finished);
	source_close(&f.source);
	assert_true(f.closed);
	source_close(NULL);
}

TEST(test_frames)
{
	struct fake f = { .now = 0 };
	struct err err = { 0 };
	const struct frame *frame;

	assert_int_equal(source_init(&f.source, &full), 0);
	strcpy(f.source.title, "a title");
	frame = source_frame(&f.source, &err);
	assert_non_null(frame);
	assert_string_equal(frame->source, "fake");
	assert_string_equal(frame->title, "a title");
	assert_int_equal(f.source.reading.page_size, sys_page_size());
	assert_true(f.source.reading.rss > 0);
	assert_int_equal(frame->tick, 0);
	assert_int_equal(log_len(frame->log), 1);
	frame = source_frame(&f.source, &err);
	assert_int_equal(frame->tick, 1);
	assert_true(frame->rings[0].bytes_per_s == 100);
	/* each note once, though the reading is used twice */
	assert_int_equal(log_len(frame->log), 2);
	source_close(&f.source);
}

TEST(test_read_fails)
{
	struct fake f = { .refuse_read = -EIO };
	struct err err = { 0 };

	assert_int_equal(source_init(&f.source, &full), 0);
	assert_null(source_frame(&f.source, &err));
	assert_int_equal(err.code, -EIO);
	assert_string_equal(err.text, "fake: refused");
	source_close(&f.source);
}

TEST(test_request)
{
	const struct request rq = { .kind = REQUEST_FREQ, .value = 8192 };
	struct fake f = { .now = 0 };
	struct err err = { 0 };

	assert_int_equal(source_init(&f.source, &full), 0);
	assert_int_equal(source_request(&f.source, &rq, &err), -EBUSY);
	assert_string_equal(err.text, "fake: not now");
	assert_int_equal(f.last.value, 8192);
	source_close(&f.source);
}

TEST(test_optional_ops)
{
	const struct request rq = { .kind = REQUEST_PAUSE };
	struct fake f = { .now = 0 };
	struct err err = { 0 };

	assert_int_equal(source_init(&f.source, &bare), 0);
	assert_int_equal(source_start(&f.source, &err), 0);
	assert_int_equal(source_request(&f.source, &rq, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "bare source"));
	source_finish(&f.source);
	source_close(&f.source);
}

TEST(test_reset)
{
	struct fake f = { .now = 0 };
	struct err err = { 0 };
	const struct frame *frame = NULL;
	int i;

	assert_int_equal(source_init(&f.source, &full), 0);
	for (i = 0; i < 5; i++)
		frame = source_frame(&f.source, &err);
	assert_true(frame->rings[0].histories->rate.nr >= 4);
	source_reset(&f.source);
	frame = source_frame(&f.source, &err);
	assert_true(frame->rings[0].histories->rate.nr <= 1);
	assert_int_equal(frame->rings[0].bytes, 600);
	source_close(&f.source);
}

TEST_GROUP(source);
