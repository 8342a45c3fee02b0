/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "model/latency.h"
#include "source/sim.h"
#include "source/source.h"

static struct source *open_and_start(const char *spec)
{
	struct err err = { 0 };
	struct source *s = sim_open(spec, 0.05, &err);

	assert_string_equal(err.text, "");
	assert_non_null(s);
	assert_int_equal(source_start(s, &err), 0);
	return s;
}

static const struct reading *read_source(struct source *s)
{
	struct err err = { 0 };

	assert_int_equal(s->ops->read(s, &s->reading, &err), 0);
	return &s->reading;
}

static void check_ring(const struct reading_ring *r)
{
	uint64_t lost = 0;

	assert_int_equal(r->head, r->tail);
	for (size_t i = 0; i < r->nr_events; i++) {
		lost += r->events[i].lost;
		assert_int_equal(r->events[i].count,
				 r->events[i].samples +
				 (r->events[i].side_band ? 0 :
				  r->events[i].lost));
	}
	assert_true(r->stats.lost <= lost);
}

/* After finish all is accounted for, to the record. */
static void finish_and_check(struct source *s)
{
	const struct reading *r;

	source_finish(s);
	r = read_source(s);
	for (size_t i = 0; i < r->nr_rings; i++)
		check_ring(&r->rings[i]);
}

static int ask(struct source *s, enum request_kind kind, size_t ring,
	       uint64_t value, bool on)
{
	struct request rq = { .kind = kind, .ring = ring, .value = value,
			      .on = on };
	struct err err = { 0 };
	int ret = source_request(s, &rq, &err);

	assert_int_equal(ret != 0, err.text[0] != '\0');
	return ret;
}

static void test_source(void **state)
{
	struct source *s = open_and_start("cpus=3,rate=20000,size=64K");
	const struct reading *r;

	(void)state;
	usleep(300000);
	r = read_source(s);
	assert_int_equal(r->nr_rings, 3);
	assert_int_equal(r->page_size, sys_page_size());
	assert_true(r->rings[0].counts_age == 0);
	assert_int_equal(r->rings[0].wakeup_events, READING_UNKNOWN);
	assert_int_equal(r->rings[2].cpu, 2);
	assert_int_equal(r->rings[0].tid, -1);
	assert_int_equal(r->rings[0].size, 65536);
	assert_int_equal(r->rings[0].watermark, 32768);
	assert_int_equal(r->rings[0].nr_events, 3);
	assert_true(r->rings[0].events[0].side_band);
	assert_string_equal(r->rings[0].events[1].name, "sim:event1");
	assert_true(r->rings[0].stats.records > 1000);
	assert_true(r->rings[0].stats.wakeups > 0);
	assert_true(r->rings[0].nr_comms > 2);
	assert_true(r->rings[0].head - r->rings[0].tail <= 65536);
	assert_true(r->cpu >= 0 && r->cpu < sys_process_cpu());
	finish_and_check(s);
	source_close(s);
}

static void test_source_loses(void **state)
{
	struct source *s = open_and_start("cpus=2,rate=200000,size=8K,"
					  "reader=slow,late=50,mix=tasks");
	const struct reading *r;

	(void)state;
	usleep(300000);
	finish_and_check(s);
	r = read_source(s);
	assert_true(r->rings[0].stats.lost > 100);
	assert_true(latency_percentile(&r->rings[0].stats.latency, 0.5) >
		    0.04);
	source_close(s);
}

static void test_source_stuck(void **state)
{
	struct source *s = open_and_start("cpus=1,rate=100000,size=8K,"
					  "reader=stuck,mix=samples");
	const struct reading_ring *ring;

	(void)state;
	usleep(200000);
	ring = &read_source(s)->rings[0];
	assert_int_equal(ring->stats.drains, 0);
	assert_in_range(ring->head - ring->tail, 8192 - 128, 8192);
	assert_true(ring->events[1].lost + ring->events[2].lost > 1000);
	finish_and_check(s);
	source_close(s);
}

static void test_source_resize(void **state)
{
	struct source *s = open_and_start("cpus=2,rate=100000,size=64K,"
					  "watermark=2K");

	(void)state;
	for (int i = 0; i < 8; i++) {
		usleep(20000);
		/* two in a row, without a reading in between */
		assert_int_equal(ask(s, REQUEST_RESIZE, 1, 0, i % 2), 0);
		assert_int_equal(ask(s, REQUEST_RESIZE, 1, 0, i % 2), 0);
		assert_int_equal(read_source(s)->rings[1].size,
				 i % 2 ? 65536 : 16384);
	}
	assert_int_equal(read_source(s)->rings[0].size, 65536);
	assert_int_equal(ask(s, REQUEST_RESIZE, 2, 0, true), -EINVAL);
	sys_fail_at(SYS_MMAP, 1, EPERM);
	assert_int_equal(ask(s, REQUEST_RESIZE, 1, 0, true), -EPERM);
	assert_int_equal(read_source(s)->rings[1].size, 65536);
	finish_and_check(s);
	source_close(s);
}

static void test_source_resize_ends(void **state)
{
	struct source *s = open_and_start("cpus=1,size=4K");

	(void)state;
	if (sys_page_size() != 4096)
		skip();
	assert_int_equal(ask(s, REQUEST_RESIZE, 0, 0, false), -EINVAL);
	assert_int_equal(read_source(s)->rings[0].size, 4096);
	assert_int_equal(ask(s, REQUEST_RESIZE, 0, 0, true), 0);
	assert_int_equal(ask(s, REQUEST_RESIZE, 0, 0, false), 0);
	assert_int_equal(read_source(s)->rings[0].size, 4096);
	source_close(s);
}

static void test_source_pause_and_enable(void **state)
{
	struct source *s = open_and_start("cpus=2,rate=50000,mix=samples");
	const struct reading *r;
	uint64_t head;

	(void)state;
	usleep(50000);
	assert_int_equal(ask(s, REQUEST_PAUSE, 0, 0, true), 0);
	r = read_source(s);
	assert_true(r->rings[0].paused);
	assert_false(r->rings[1].paused);
	head = r->rings[0].head;
	usleep(50000);
	assert_int_equal(read_source(s)->rings[0].head, head);
	assert_int_equal(ask(s, REQUEST_PAUSE, 0, 0, false), 0);
	usleep(50000);
	assert_true(read_source(s)->rings[0].head > head);

	assert_int_equal(ask(s, REQUEST_ENABLE, 0, 0, false), 0);
	r = read_source(s);
	assert_false(r->rings[1].enabled);
	head = r->rings[1].head;
	usleep(30000);
	assert_int_equal(read_source(s)->rings[1].head, head);
	finish_and_check(s);
	r = read_source(s);
	assert_true(r->rings[0].stats.lost > 100);
	source_close(s);
}

static void test_source_rate(void **state)
{
	struct source *s = open_and_start("cpus=1,rate=1000,mix=samples,"
					  "events=1");
	uint64_t before, after;

	(void)state;
	assert_int_equal(ask(s, REQUEST_FREQ, 0, 0, false), -EINVAL);
	assert_int_equal(ask(s, REQUEST_FREQ, 0, 100000, false), 0);
	usleep(100000);
	before = read_source(s)->rings[0].events[1].count;
	assert_true(before > 2000);
	/* a tenth of the 1000 events a second, each for ten of them */
	assert_int_equal(ask(s, REQUEST_PERIOD, 0, 10, false), 0);
	before = read_source(s)->rings[0].events[1].count;
	usleep(100000);
	after = read_source(s)->rings[0].events[1].count;
	assert_in_range(after - before, 20, 900);
	assert_int_equal((after - before) % 10, 0);
	source_close(s);
}

static void test_source_overwrite(void **state)
{
	struct source *s = open_and_start("cpus=1,rate=100000,size=64K,"
					  "overwrite=1,mix=samples");
	const struct reading_ring *ring;

	(void)state;
	usleep(100000);
	assert_int_equal(ask(s, REQUEST_READ, 0, 0, false), 0);
	ring = &read_source(s)->rings[0];
	assert_true(ring->overwrite);
	assert_false(ring->paused);
	assert_true(ring->head > 65536);
	assert_int_equal(ring->tail, 0);
	assert_int_equal(ring->stats.records, 0);
	assert_true(ring->read.valid);
	assert_in_range(ring->read.records, 1000, 1024);
	assert_true(ring->read.oldest > ring->read.newest);
	assert_true(ring->read.paused > 0);
	source_close(s);

	s = open_and_start("cpus=1");
	assert_int_equal(ask(s, REQUEST_READ, 0, 0, false), -EINVAL);
	source_close(s);
}

static void test_source_refused(void **state)
{
	static const struct { unsigned int nth; int error; } fails[] = {
		{ 1, EPERM }, { 2, ENOMEM }, { 4, EAGAIN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(fails) / sizeof(fails[0]); i++) {
		struct err err = { 0 };

		sys_fail_at(SYS_MMAP, fails[i].nth, fails[i].error);
		assert_null(sim_open("cpus=4", 1, &err));
		assert_int_equal(err_exit_status(&err), 1);
		assert_int_equal(err.code, -fails[i].error);
	}
}

static void test_source_of_absurd_size(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_null(sim_open("cpus=8192,size=1G", 1, &err));
	assert_int_equal(err_exit_status(&err), 1);
	assert_non_null(strstr(err.text, "memory"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_source),
		cmocka_unit_test(test_source_loses),
		cmocka_unit_test(test_source_stuck),
		cmocka_unit_test(test_source_resize),
		cmocka_unit_test(test_source_resize_ends),
		cmocka_unit_test(test_source_pause_and_enable),
		cmocka_unit_test(test_source_rate),
		cmocka_unit_test(test_source_overwrite),
		cmocka_unit_test(test_source_refused),
		cmocka_unit_test(test_source_of_absurd_size),
	};

	return cmocka_run_group_tests_name("sim", tests, NULL, NULL);
}
