/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "resolve/resolver_thread.h"
#include "samples/feed.h"
#include "samples/hot_table.h"
#include "source/recording_source.h"
#include "source/source.h"
#include "trace/perfdata/perfdata_format.h"
#include "trace/recorded/recorded.h"

#define MS UINT64_C(1000000)
#define START (UINT64_C(5000000) * MS)

enum {
	SAMPLE_TYPE = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME |
		      PERF_SAMPLE_CPU,
	ID = 11,
};

static char path[] = "/tmp/rbtop-recording.XXXXXX";
static FILE *file;
static struct recorded_span span;	/* of what opened() opens */
static uint64_t sample_type = SAMPLE_TYPE;	/* of what begins */

static void put(const void *bytes, size_t size)
{
	assert_int_equal(fwrite(bytes, 1, size, file), size);
}

static void put_header(uint32_t type, size_t size)
{
	const struct perf_event_header header = {
		.type = type, .size = (uint16_t)size,
	};

	put(&header, sizeof(header));
}

/* The head of a file of perf record -o -. */
static void put_begin(void)
{
	const uint64_t head[] = { 0x32454c4946524550, 16 }, ids[] = { ID };
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_type = sample_type,
		.sample_id_all = 1,
	};

	put(head, sizeof(head));
	put_header(PERFDATA_RECORD_ATTR,
		   8 + sizeof(attr) + sizeof(ids));
	put(&attr, sizeof(attr));
	put(ids, sizeof(ids));
}

static void put_sample(uint64_t cpu, uint64_t time)
{
	const uint64_t body[] = { ID, time, cpu };

	put_header(PERF_RECORD_SAMPLE, 8 + sizeof(body));
	put(body, sizeof(body));
}

static void put_lost(uint64_t cpu, uint64_t time, uint64_t lost)
{
	const uint64_t body[] = { ID, lost, time, cpu, ID };

	put_header(PERF_RECORD_LOST, 8 + sizeof(body));
	put(body, sizeof(body));
}

static int begin(void **state)
{
	int fd;

	(void)state;
	memcpy(path + sizeof(path) - 7, "XXXXXX", 6);
	fd = mkstemp(path);
	file = fd < 0 ? NULL : fdopen(fd, "w");
	span.given = false;
	if (file)
		put_begin();
	return file ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	if (file)
		fclose(file);
	file = NULL;
	unlink(path);
	return 0;
}

static struct source *opened(bool batch, double interval)
{
	const struct recording_source_opts opts = {
		.path = path, .interval = interval, .batch = batch,
		.span = span,
	};
	struct err err = { 0 };
	struct source *s;

	fflush(file);
	s = recording_source_open(&opts, &err);
	if (!s)
		fail_msg("%s", err.text);
	return s;
}

static const struct frame *next(struct source *s)
{
	struct err err = { 0 };
	const struct frame *frame = source_frame(s, &err);

	if (!frame)
		fail_msg("%s", err.text);
	return frame;
}

static int ask(struct source *s, enum request_kind kind, uint64_t value,
	       bool on)
{
	const struct request rq = { .kind = kind, .value = value, .on = on };
	struct err err = { 0 };
	int ret = source_request(s, &rq, &err);

	assert_true(ret == 0 || *err.text);
	return ret;
}

static int seek_to(struct source *s, double time)
{
	const struct request rq = {
		.kind = REQUEST_SEEK, .value = REQUEST_TO_TIME, .time = time,
	};

	return source_request(s, &rq, NULL);
}

/* 3 s: a sample each 10 ms on CPU 2, one a second on CPU 0, 7 lost at 1.5 s. */
static void put_three_seconds(void)
{
	for (uint64_t i = 0; i < 300; i++)
		put_sample(2, START + i * 10 * MS);
	put_lost(2, START + 1500 * MS, 7);
	for (uint64_t i = 0; i < 3; i++)
		put_sample(0, START + i * 1000 * MS);
}

TEST(ticks_of_recorded_time)
{
	struct source *s;
	const struct frame *f;

	put_three_seconds();
	s = opened(true, 1);
	f = next(s);
	assert_int_equal(f->nr_rings, 2);
	assert_string_equal(f->source, "recording");
	assert_string_equal(f->rings[0].label, "CPU 0");
	assert_string_equal(f->rings[1].label, "CPU 2");
	assert_int_equal(f->total.row.reads->stats.records, 0);
	f = next(s);
	assert_true(fabs(f->interval - 1) < 1e-9);
	assert_true(fabs(f->time - 1) < 1e-9);
	assert_int_equal(f->rings[1].reads->stats.records, 100);
	assert_true(fabs(f->rings[1].reads->records_per_s - 100) < 1e-6);
	assert_true(fabs(f->rings[1].bytes_per_s - 3200) < 1e-6);
	assert_int_equal(f->total.row.lost, 0);
	f = next(s);
	assert_int_equal(f->rings[1].lost, 7);
	assert_true(fabs(f->rings[1].lost_per_s - 7) < 1e-9);
	assert_int_equal(f->rings[0].lost, 0);
	assert_false(f->ended);
	f = next(s);
	assert_true(f->ended);
	assert_int_equal(f->total.row.reads->stats.records, 304);
	assert_int_equal(f->total.row.lost, 7);
	assert_int_equal(f->total.row.reads->stats.types[RECORD_SAMPLE], 303);
	assert_int_equal(log_len(f->log), 1);
	assert_string_equal(log_at(f->log, 0)->text, "CPU 2 lost 7 records");
	assert_true(fabs(log_at(f->log, 0)->time - 1.501) < 1e-9);
	assert_int_equal(recording_source_recorded(s)->records, 305);
	assert_int_equal(recording_source_damage(s, NULL), 0);
	source_close(s);
}

TEST(time_line)
{
	const struct playback *p;
	struct source *s;
	size_t lost = 0;

	put_three_seconds();
	s = opened(false, 1);
	p = next(s)->playback;
	/* 2991 slots of 1 ms, 6 a column */
	assert_int_equal(p->nr_columns, 499);
	assert_true(fabs(p->column - 0.006) < 1e-9);
	assert_true(p->columns[0].bytes == 64 && p->columns[1].bytes == 32);
	for (size_t i = 0; i < p->nr_columns; i++)
		lost += p->columns[i].lost;
	assert_int_equal(lost, 1);
	assert_true(p->columns[1500 / 6].lost);
	source_close(s);
}

TEST(unknown_figures)
{
	const struct ring_row *rows[2];
	struct source *s;
	const struct frame *f;

	put_three_seconds();
	s = opened(true, 10);
	next(s);
	f = next(s);
	rows[0] = &f->rings[1];
	rows[1] = &f->total.row;
	for (int i = 0; i < 2; i++) {
		assert_true(rows[i]->size == UNKNOWN);
		assert_true(rows[i]->used == UNKNOWN);
		assert_true(isnan(rows[i]->fill) && isnan(rows[i]->peak));
		assert_true(rows[i]->wakeups == UNKNOWN);
		assert_true(isnan(rows[i]->wakeups_per_s));
		assert_true(rows[i]->lost_pending == UNKNOWN);
		assert_true(rows[i]->reads->stats.own == UNKNOWN);
	}
	/* -m is for all rings */
	for (int i = 0; i < 2; i++) {
		assert_true(rows[i]->advice.valid);
		assert_string_equal(rows[i]->advice.text,
				    "next time: perf record -m 8");
		assert_string_equal(rows[i]->advice.setting,
				    "perf record -m 8");
	}
	assert_int_equal(rows[0]->advice.verdict, VERDICT_TOO_SMALL);
	assert_int_equal(f->total.aux_rings, 0);
	source_close(s);
}

/* In one update, each ring's line has the time of its first loss. */
TEST(losses_in_order)
{
	struct source *s;
	const struct frame *f;

	put_three_seconds();
	put_lost(2, START + 1200 * MS, 1);
	put_lost(0, START + 1400 * MS, 2);
	put_lost(1, START + 1100 * MS, 3);
	put_lost(1, START + 2200 * MS, 4);
	s = opened(true, 2);
	next(s);
	f = next(s);
	assert_int_equal(log_len(f->log), 3);
	assert_string_equal(log_at(f->log, 0)->text, "CPU 1 lost 3 records");
	assert_true(fabs(log_at(f->log, 0)->time - 1.101) < 1e-9);
	assert_string_equal(log_at(f->log, 1)->text,
			    "CPU 2 lost 8 records in 2 chunks");
	assert_true(fabs(log_at(f->log, 1)->time - 1.201) < 1e-9);
	assert_string_equal(log_at(f->log, 2)->text, "CPU 0 lost 2 records");
	f = next(s);
	assert_int_equal(log_len(f->log), 4);
	assert_true(fabs(log_at(f->log, 3)->time - 2.201) < 1e-9);
	source_close(s);
}

/* "1.501 CPU 2 lost 7 records; ..." */
static const char *log_text(const struct frame *f)
{
	static char text[4096];
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < log_len(f->log); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"%s%.3f %s", i ? "; " : "",
					log_at(f->log, i)->time,
					log_at(f->log, i)->text);
	assert_true(len < sizeof(text));
	return text;
}

static const struct frame *log_seek(struct source *s, double time,
				    const char *expected)
{
	const struct frame *f;

	assert_int_equal(seek_to(s, time), 0);
	f = next(s);
	assert_string_equal(log_text(f), expected);
	return f;
}

/* At a position, the log has the same lines, wherever the cursor came from. */
TEST(log_by_position)
{
	static const char one[] = "0.501 CPU 0 lost 2 records",
		two[] = "0.501 CPU 0 lost 2 records; "
			"0.751 CPU 0 lost 3 records",
		throttled[] = "0.501 CPU 0 lost 2 records; "
			"0.751 CPU 0 lost 3 records; "
			"1.301 CPU 2 throttled 2 times",
		all[] = "0.501 CPU 0 lost 2 records; "
			"0.751 CPU 0 lost 3 records; "
			"1.301 CPU 2 throttled 2 times; "
			"1.501 CPU 2 lost 8 records in 2 chunks";
	const struct frame *f;
	struct source *s;

	put_three_seconds();
	put_lost(0, START + 750 * MS, 3);
	put_lost(0, START + 500 * MS, 2);
	put_lost(2, START + 1500 * MS, 1);
	for (uint64_t i = 0; i < 3; i++) {
		const uint64_t body[] = {
			0, ID, 0, START + (1200 + i * 100) * MS, 2, ID,
		};

		put_header(PERF_RECORD_THROTTLE, 8 + sizeof(body));
		put(body, sizeof(body));
	}
	s = opened(false, 1);
	next(s);
	log_seek(s, 2.9, all);
	log_seek(s, 1.35, throttled);
	log_seek(s, 0.6, one);
	log_seek(s, 1.0, two);
	log_seek(s, 0.1, "");
	log_seek(s, 1.0, two);
	log_seek(s, 2.0, all);
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_TICK, false), 0);
	assert_string_equal(log_text(next(s)), two);
	/* played */
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_END, false), 0);
	assert_string_equal(log_text(next(s)), "");
	assert_int_equal(ask(s, REQUEST_PLAY, 0, true), 0);
	f = next(s);
	while (ask(s, REQUEST_SPEED, 0, true) == 0)
		;
	while (f->playback->playing)
		f = next(s);
	assert_string_equal(log_text(f), all);
	source_close(s);
}

/* So many losses that a line is about a longer time. */
TEST(log_of_many_losses)
{
	char expected[4096], whole[64];
	struct source *s;
	uint64_t sum = 0;
	const struct frame *f;

	for (uint64_t i = 0; i < 4000; i++)
		put_lost(3, START + i * MS, 1);
	s = opened(false, 1);
	next(s);
	assert_int_equal(seek_to(s, 3.999), 0);
	f = next(s);
	assert_int_equal(log_len(f->log), 2000);
	for (size_t i = 0; i < log_len(f->log); i++)
		sum += strstr(log_at(f->log, i)->text, "lost 2 records") ?
			       2 : 1;
	assert_int_equal(sum, f->total.row.lost);
	assert_true(fabs(log_at(f->log, 1)->time - 0.003) < 1e-9);
	/* a part of the last line's time */
	snprintf(whole, sizeof(whole), "0.001 CPU 3 lost 2 records in 2 chunks");
	snprintf(expected, sizeof(expected), "%s; 0.003 CPU 3 lost 1 record",
		 whole);
	f = log_seek(s, 0.003, expected);
	assert_int_equal(f->total.row.lost, 3);
	snprintf(expected, sizeof(expected),
		 "%s; 0.003 CPU 3 lost 2 records in 2 chunks", whole);
	log_seek(s, 0.004, expected);
	log_seek(s, 0.002, whole);
	source_close(s);
}

/* Many rings that lose at once have one line. */
TEST(log_of_many_rings)
{
	struct source *s;

	put_sample(0, START);
	for (uint64_t i = 0; i < 9; i++)
		put_lost(i, START + (100 + (9 - i) % 2) * MS, 1 + i);
	put_lost(3, START + 200 * MS, 1);
	s = opened(true, 1);
	next(s);
	assert_string_equal(log_text(next(s)),
			    "0.101 9 rings lost 46 records, CPU 8 the most (9)");
	source_close(s);
	s = opened(false, 1);
	next(s);
	log_seek(s, 0.3, "0.101 CPU 1 lost 2 records; "
		 "0.101 CPU 3 lost 4 records; 0.101 CPU 5 lost 6 records; "
		 "0.101 CPU 7 lost 8 records; 0.102 CPU 0 lost 1 record; "
		 "0.102 CPU 2 lost 3 records; 0.102 CPU 4 lost 5 records; "
		 "0.102 CPU 6 lost 7 records; 0.102 CPU 8 lost 9 records; "
		 "0.201 CPU 3 lost 1 record");
	source_close(s);
}

static void put_string(const char *text)
{
	const uint32_t len = (uint32_t)strlen(text) + 1;

	put(&len, sizeof(len));
	put(text, len);
}

/* FEATURE of a pipe, with a string or a list of words. */
static void put_feature(uint64_t bit, const char *const *words, uint32_t nr)
{
	size_t size = 16 + (nr > 1 ? sizeof(nr) : 0);

	for (uint32_t i = 0; i < nr; i++)
		size += sizeof(uint32_t) + strlen(words[i]) + 1;
	put_header(PERFDATA_RECORD_FEATURE, size);
	put(&bit, sizeof(bit));
	if (nr > 1)
		put(&nr, sizeof(nr));
	for (uint32_t i = 0; i < nr; i++)
		put_string(words[i]);
}

TEST(sizes_by_command_line)
{
	static const char *const arch[] = { "x86_64" };
	static const char *const line[] = { "perf", "record", "-m", "8" };
	const struct frame *f;
	struct source *s;

	put_feature(PERFDATA_ARCH, arch, 1);
	put_feature(PERFDATA_CMDLINE, line, 4);
	put_three_seconds();
	s = opened(true, 10);
	next(s);
	f = next(s);
	assert_int_equal(f->rings[0].size, 32768);
	assert_true(f->rings[0].used == UNKNOWN && isnan(f->rings[0].fill));
	assert_false(f->rings[0].advice.valid);
	assert_int_equal(f->total.row.size, 65536);
	source_close(s);

	/* more than a ring of that size can have */
	put_header(PERFDATA_RECORD_FINISHED_ROUND, 8);
	for (int i = 0; i < 3000; i++)
		put_sample(0, START + 2500 * MS);
	put_header(PERFDATA_RECORD_FINISHED_ROUND, 8);
	s = opened(true, 10);
	assert_true(next(s)->rings[0].size == UNKNOWN);
	source_close(s);
}

/* Seeking back shows no figure that is negative, or counted twice. */
TEST(seek_to_time)
{
	struct source *s;
	const struct frame *f;

	put_three_seconds();
	s = opened(false, 1);
	f = next(s);
	assert_true(f->playback->playing);
	assert_true(fabs(f->playback->speed - 1) < 1e-9);
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_END, true), 0);
	f = next(s);
	assert_false(f->playback->playing);
	assert_int_equal(f->rings[1].lost, 7);
	/* what was passed on the way has its own time */
	assert_int_equal(log_len(f->log), 1);
	assert_true(fabs(log_at(f->log, 0)->time - 1.501) < 1e-9);
	/* it stands still */
	assert_ptr_equal(next(s), f);
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_TICK, true), -ENOENT);

	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_LOSS, false), 0);
	f = next(s);
	assert_true(fabs(f->playback->position - 1.51) < 1e-9);
	assert_true(fabs(f->interval - 0.01) < 1e-9);
	assert_int_equal(f->rings[1].lost, 7);
	assert_true(fabs(f->rings[1].lost_per_s - 700) < 1e-6);
	assert_int_equal(f->rings[1].reads->stats.records, 152);
	assert_int_equal(log_len(f->log), 1);
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_LOSS, false),
			 -ENOENT);

	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_TICK, false), 0);
	f = next(s);
	assert_int_equal(f->rings[1].lost, 0);
	assert_true(f->rings[1].lost_per_s == 0);
	assert_int_equal(log_len(f->log), 0);
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_END, false), 0);
	f = next(s);
	assert_true(f->playback->position == 0);
	/* to a time, or as far as it goes */
	assert_int_equal(seek_to(s, 1.501), 0);
	f = next(s);
	assert_false(f->playback->playing);
	assert_true(fabs(f->playback->position - 1.501) < 1e-9);
	assert_int_equal(f->rings[1].lost, 7);
	assert_true(fabs(f->interval - 1) < 1e-9);
	assert_int_equal(seek_to(s, 1.5009), 0);
	f = next(s);
	assert_true(fabs(f->playback->position - 1.5) < 1e-9);
	assert_int_equal(f->rings[1].lost, 0);
	assert_int_equal(seek_to(s, 1e30), 0);
	f = next(s);
	assert_true(f->playback->position == f->playback->length);
	assert_int_equal(seek_to(s, NAN), 0);
	f = next(s);
	assert_true(f->playback->position == 0);
	/* as far at any speed */
	assert_int_equal(ask(s, REQUEST_SPEED, 0, true), 0);
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_LOSS, true), 0);
	f = next(s);
	assert_int_equal(f->rings[1].lost, 7);
	assert_true(fabs(f->playback->position - 1.51) < 1e-9);
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_LOSS, true), -ENOENT);
	source_close(s);
}

/* From wherever one is, and also if many are on the way. */
TEST(worst_loss)
{
	const struct frame *f;
	struct source *s;

	put_three_seconds();
	put_lost(0, START + 500 * MS, 6);
	put_lost(0, START + 2500 * MS, 3);
	put_lost(0, START + 2502 * MS, 3);
	s = opened(false, 1);
	next(s);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_END, i == 1),
				 0);
		next(s);
		assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_WORST, i),
				 0);
		f = next(s);
		assert_false(f->playback->playing);
		assert_true(fabs(f->playback->position - 1.51) < 1e-9);
		assert_true(fabs(f->rings[1].lost_per_s - 700) < 1e-6);
		assert_int_equal(f->total.row.lost, 13);
	}
	source_close(s);
}

/* No loss is as large as another one, but their sum is. */
TEST(worst_stretch)
{
	const struct frame *f;
	struct source *s;

	put_three_seconds();
	for (uint64_t i = 0; i < 3; i++)
		put_lost(i % 2, START + 2501 * MS, 3);
	s = opened(false, 1);
	next(s);
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_WORST, false), 0);
	f = next(s);
	assert_true(fabs(f->playback->position - 2.5) < 0.02);
	assert_true(fabs(f->total.row.lost_per_s - 900) < 1e-6);
	for (size_t i = 0; i < f->playback->nr_columns; i++)
		assert_int_equal(f->playback->columns[i].worst,
				 i == (size_t)(2.501 / f->playback->column));
	source_close(s);
}

TEST(worst_of_no_loss)
{
	const struct request rq = { .kind = REQUEST_SEEK,
				    .value = REQUEST_TO_WORST };
	struct err err = { 0 };
	struct source *s;

	put_sample(0, START);
	s = opened(false, 1);
	next(s);
	assert_int_equal(source_request(s, &rq, &err), -ENOENT);
	assert_string_equal(err.text, "nothing was lost in this recording");
	source_close(s);
}

TEST(other_requests)
{
	struct source *s;
	const struct frame *f;

	put_three_seconds();
	s = opened(false, 1);
	f = next(s);
	assert_int_equal(ask(s, REQUEST_SPEED, 0, true), 0);
	assert_true(fabs(f->playback->speed - 2) < 1e-9);
	while (ask(s, REQUEST_SPEED, 0, false) == 0)
		;
	assert_true(f->playback->speed > 0);
	assert_int_equal(ask(s, REQUEST_PLAY, 0, false), 0);
	assert_ptr_equal(next(s), f);
	assert_int_equal(ask(s, REQUEST_PAUSE, 0, true), -EOPNOTSUPP);
	assert_int_equal(ask(s, REQUEST_RECORD, 0, true), -EOPNOTSUPP);
	/* it plays a slot at least, so that there are rates */
	assert_int_equal(ask(s, REQUEST_PLAY, 0, true), 0);
	f = next(s);
	assert_true(f->interval >= 0.001);
	source_close(s);
}

TEST(speed_of_long_recordings)
{
	struct source *s;

	put_sample(0, START);
	put_sample(0, START + 400000 * MS);
	s = opened(false, 1);
	assert_true(next(s)->playback->speed >= 16);
	assert_true(next(s)->playback->speed <= 32);
	source_close(s);
}

/* The frame, once all that it shows is decoded. */
static const struct samples *decoded(struct source *s)
{
	next(s);
	resolver_thread_finish(s->resolver);
	return source_frame(s, NULL)->samples;
}

static uint64_t time_listed(const struct samples *samples, size_t i)
{
	return feed_entry_sample(feed_at(samples->feed, i))->time - START;
}

TEST(samples_played)
{
	const struct samples *samples;
	const struct feed_sample *first;
	struct source *s;

	put_three_seconds();
	s = opened(true, 1);
	assert_int_equal(feed_len(next(s)->samples->feed), 0);
	samples = next(s)->samples;
	assert_int_equal(feed_len(samples->feed), 101);
	assert_true(samples->hot->total.sum == 101);
	first = feed_entry_sample(feed_at(samples->feed, 0));
	assert_int_equal(first->time, START);
	assert_int_equal(first->pid, -1);
	assert_string_equal(first->event, "unnamed event");
	/* in the order of time, which is not that of the file */
	for (size_t i = 1; i < 101; i++)
		assert_true(time_listed(samples, i) >=
			    time_listed(samples, i - 1));
	samples = next(s)->samples;
	assert_int_equal(feed_len(samples->feed), 202);
	source_close(s);
}

TEST(samples_after_a_seek)
{
	struct request rq = { .kind = REQUEST_FILTER };
	struct err err = { 0 };
	const struct samples *samples;
	struct source *s;

	put_three_seconds();
	s = opened(false, 1);
	next(s);
	assert_int_equal(ask(s, REQUEST_PLAY, 0, false), 0);
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_TICK, true), 0);
	samples = decoded(s);
	assert_int_equal(feed_len(samples->feed), 101);
	/* a step goes on */
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_TICK, true), 0);
	samples = decoded(s);
	assert_int_equal(feed_len(samples->feed), 202);
	assert_true(samples->hot->total.sum == 202);
	/* a filter holds for what was listed before, too */
	strcpy(rq.text, "comm==missing");
	assert_int_equal(source_request(s, &rq, &err), 0);
	samples = decoded(s);
	assert_int_equal(feed_len(samples->feed), 0);
	*rq.text = '\0';
	assert_int_equal(source_request(s, &rq, &err), 0);
	samples = decoded(s);
	assert_int_equal(feed_len(samples->feed), 202);
	assert_true(samples->hot->total.sum == 202);
	/* a step back begins with the second before it */
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_TICK, false), 0);
	samples = decoded(s);
	assert_int_equal(feed_len(samples->feed), 101);
	assert_int_equal(time_listed(samples, 0), 0);
	assert_true(samples->hot->total.sum == 101);
	assert_int_equal(samples->status.decoded, 101);
	/* so does one that goes further */
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_LOSS, true), 0);
	samples = decoded(s);
	assert_int_equal(feed_len(samples->feed), 1);
	assert_int_equal(time_listed(samples, 0), 1500 * MS);
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_END, false), 0);
	samples = decoded(s);
	assert_int_equal(feed_len(samples->feed), 0);
	source_close(s);
}

/* With a thread, they are read after the frame that asks for them. */
TEST(samples_catch_up)
{
	const struct samples *samples;
	struct err err = { 0 };
	struct source *s;

	put_three_seconds();
	s = opened(false, 1);
	assert_int_equal(source_start(s, &err), 0);
	next(s);
	for (int forwards = 1; forwards >= 0; forwards--) {
		assert_int_equal(seek_to(s, forwards ? 2 : 1), 0);
		do
			samples = next(s)->samples;
		while (samples->status.stale);
		assert_int_equal(feed_len(samples->feed), 101);
	}
	source_close(s);
}

TEST(samples_since_mark)
{
	const struct samples *samples;
	const struct frame *f;
	struct source *s;

	put_three_seconds();
	s = opened(false, 1);
	next(s);
	assert_int_equal(ask(s, REQUEST_PLAY, 0, false), 0);
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_TICK, true), 0);
	f = next(s);
	assert_true(isnan(f->playback->mark));
	assert_int_equal(ask(s, REQUEST_MARK, 0, true), 0);
	samples = decoded(s);
	assert_true(f->playback->mark == f->playback->position);
	assert_int_equal(feed_len(samples->feed), 0);
	/* to the end, past two ticks */
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_END, true), 0);
	samples = decoded(s);
	assert_in_range(time_listed(samples, 0), 1000 * MS, 1020 * MS);
	assert_true(samples->hot->total.sum == (double)
		    feed_len(samples->feed));
	/* and back, still after the mark */
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_TICK, false), 0);
	samples = decoded(s);
	assert_int_equal(feed_len(samples->feed), 101);
	assert_in_range(time_listed(samples, 0), 1000 * MS, 1020 * MS);
	/* a step before it */
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_END, false), 0);
	decoded(s);
	assert_true(isnan(f->playback->mark));
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_TICK, true), 0);
	assert_int_equal(feed_len(decoded(s)->feed), 101);
	source_close(s);
}

/* In a batch, nothing else is there; times are since the recording's start. */
TEST(span_of_ticks)
{
	const struct frame *f;
	struct source *s;

	put_three_seconds();
	put_lost(0, START + 500 * MS, 6);
	span = (struct recorded_span){
		.given = true, .from = START + 1200 * MS,
		.to = START + 1900 * MS,
	};
	s = opened(true, 0.5);
	f = next(s);
	assert_true(fabs(f->time - 1.2) < 1e-9);
	assert_int_equal(feed_len(f->samples->feed), 0);
	f = next(s);
	assert_true(fabs(f->time - 1.7) < 1e-9);
	assert_int_equal(f->total.row.lost, 7);
	assert_true(fabs(log_at(f->log, 0)->time - 1.501) < 1e-9);
	f = next(s);
	assert_true(f->ended);
	assert_true(fabs(f->time - 1.901) < 1e-9);
	assert_int_equal(f->total.row.reads->stats.types[RECORD_SAMPLE], 71);
	assert_int_equal(feed_len(f->samples->feed), 71);
	assert_int_equal(time_listed(f->samples, 0), 1200 * MS);
	assert_int_equal(time_listed(f->samples, 70), 1900 * MS);
	assert_int_equal(recorded_total(recording_source_recorded(s)).lost, 7);
	source_close(s);
}

/* On the screen it is marked, and all of the recording can be played. */
TEST(span_on_screen)
{
	const struct samples *samples;
	const struct frame *f;
	struct source *s;

	put_three_seconds();
	span = (struct recorded_span){
		.given = true, .from = START + 1200 * MS, .to = UNKNOWN,
	};
	s = opened(false, 0.5);
	f = next(s);
	assert_true(fabs(f->playback->mark - 1.2) < 1e-9);
	samples = decoded(s);
	assert_true(f->playback->position == f->playback->length);
	assert_true(fabs(f->playback->mark - 1.2) < 1e-9);
	assert_false(f->playback->playing);
	assert_int_equal(time_listed(samples, 0), 1200 * MS);
	assert_int_equal(f->total.row.lost, 7);
	assert_int_equal(ask(s, REQUEST_SEEK, REQUEST_TO_END, false), 0);
	f = next(s);
	assert_true(f->playback->position == 0);
	assert_true(isnan(f->playback->mark));
	source_close(s);
}

TEST(span_of_nothing)
{
	struct recording_source_opts opts = {
		.path = path, .interval = 1,
		.span = {
			.given = true, .from = START + 3000 * MS,
			.to = UNKNOWN,
		},
	};
	struct err err = { 0 };

	put_three_seconds();
	fflush(file);
	for (int batch = 0; batch < 2; batch++) {
		opts.batch = batch;
		assert_null(recording_source_open(&opts, &err));
		assert_string_equal(err.text, "--time: the recording is from "
				    "5000.000000 to 5002.990000, in seconds "
				    "of its clock, or +0 to +2.990 since its "
				    "start");
	}
}

/* Samples are of the file that was opened, whatever has its name now. */
TEST(samples_file_replaced)
{
	struct source *s;

	put_three_seconds();
	s = opened(true, 1);
	unlink(path);
	next(s);
	assert_int_equal(feed_len(next(s)->samples->feed), 101);
	source_close(s);
}

TEST(samples_file_removed)
{
	struct err err = { 0 };
	struct source *s;

	put_three_seconds();
	s = opened(true, 1);
	assert_int_equal(truncate(path, 0), 0);
	next(s);
	assert_int_equal(feed_len(next(s)->samples->feed), 0);
	assert_true(recording_source_damage(s, &err) < 0);
	assert_non_null(strstr(err.text, path));
	source_close(s);
}

/* Rounds of 64 rings which the file does not distinguish. */
TEST(samples_unknown_rings)
{
	const struct samples *samples;
	uint64_t began;
	struct source *s;

	sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME;
	rewind(file);
	put_begin();
	for (uint64_t ring = 0; ring < 64; ring++)
		for (uint64_t i = 0; i < 2000; i++) {
			const uint64_t body[] = { ID, START + i * MS + ring };

			put_header(PERF_RECORD_SAMPLE, 8 + sizeof(body));
			put(body, sizeof(body));
		}
	sample_type = SAMPLE_TYPE;
	s = opened(true, 10);
	next(s);
	began = sys_now_ns();
	samples = next(s)->samples;
	assert_true(sys_now_ns() - began < 5000 * MS);
	assert_true(samples->hot->total.sum == 64 * 2000);
	for (size_t i = 1; i < feed_len(samples->feed); i++)
		assert_true(time_listed(samples, i) >=
			    time_listed(samples, i - 1));
	source_close(s);
}

/* Of 300 samples, these would make a line of 584 years, and three rings. */
TEST(impossible_records)
{
	const struct frame *f;
	struct source *s;

	put_sample(32639, START + MS);
	put_three_seconds();
	put_sample(2, UINT64_C(15048911500000000000));
	s = opened(false, 1);
	assert_string_equal(s->notice, "2 records with an impossible CPU or "
			    "time were not counted in rings and times");
	f = next(s);
	assert_int_equal(f->nr_rings, 2);
	assert_true(fabs(f->playback->length - 3) < 0.1);
	source_close(s);
}

/* What the kernel wrote behind their trailers is no CPU and no time. */
TEST(bpf_programs_in_two_events)
{
	const uint64_t ksymbol[] = {
		0xffffffffc0022134, UINT64_C(1) << 32 | 126,
		0x676f72705f667062 /* "bpf_prog" */, 0,
		START + 100 * MS, 2, ID, 0, 1000, 5,
	};
	const uint64_t bpf[] = {
		UINT64_C(7) << 32 | 1, 0x0123456789abcdef,
		START + 200 * MS, 2, ID, 0x200000005, 0, 0,
	};
	struct source *s;
	const struct frame *f;

	put_sample(2, START);
	put_header(PERF_RECORD_KSYMBOL, 8 + sizeof(ksymbol));
	put(ksymbol, sizeof(ksymbol));
	put_header(PERF_RECORD_BPF_EVENT, 8 + sizeof(bpf));
	put(bpf, sizeof(bpf));
	put_header(PERF_RECORD_BPF_EVENT, 8 + sizeof(bpf) - 24);
	put(bpf, sizeof(bpf) - 24);
	s = opened(true, 1);
	assert_int_equal(recording_source_recorded(s)->left_out, 0);
	assert_int_equal(recording_source_recorded(s)->last, START + 200 * MS);
	next(s);
	f = next(s);
	assert_int_equal(f->nr_rings, 1);
	assert_string_equal(f->rings[0].label, "CPU 2");
	assert_int_equal(f->total.row.reads->stats.records, 4);
	assert_true(f->ended);
	source_close(s);
}

/* Times that take 584 years make no more ticks than there are slots. */
TEST(hostile_times)
{
	const struct frame *f;
	struct source *s;
	int ticks = 0;

	put_sample(0, 1);
	put_sample(1, UINT64_MAX - 1);
	put_sample(0, UINT64_MAX);
	put_sample(1, 0);
	s = opened(true, 0.1);
	do {
		f = next(s);
		assert_true(f->interval >= 0 && f->time >= 0);
	} while (!f->ended && ticks++ < 10000);
	assert_true(ticks < 10000);
	assert_int_equal(f->total.row.reads->stats.records, 3);
	source_close(s);
}

TEST(no_timestamps)
{
	const struct frame *f;
	struct source *s;

	put_sample(3, 0);
	put_lost(3, 0, 5);
	s = opened(true, 1);
	next(s);
	f = next(s);
	assert_true(f->ended);
	assert_int_equal(f->total.row.lost, 5);
	source_close(s);
}

TEST(damaged)
{
	struct err err = { 0 };
	struct source *s;

	put_three_seconds();
	put_header(PERF_RECORD_SAMPLE, 4);
	s = opened(true, 10);
	next(s);
	assert_int_equal(next(s)->total.row.reads->stats.records, 304);
	assert_true(recording_source_damage(s, &err) < 0);
	assert_non_null(strstr(err.text, path));
	source_close(s);
	s = opened(false, 10);
	assert_string_equal(s->notice, err.text);
	source_close(s);
}

TEST(not_a_recording)
{
	const struct recording_source_opts opts = {
		.path = "/nonexistent/perf.data", .interval = 1,
	};
	struct err err = { 0 };

	assert_null(recording_source_open(&opts, &err));
	assert_non_null(strstr(err.text, opts.path));
}

TEST_GROUP(recording_source, .each_setup = begin, .each_teardown = end);
