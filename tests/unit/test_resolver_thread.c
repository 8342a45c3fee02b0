/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rings in memory, a collector that drains them on demand, invented names. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <time.h>

#include "base/err.h"
#include "base/sys.h"
#include "collect/collector.h"
#include "collect/resolver_thread.h"
#include "fake_ring.h"
#include "model/feed.h"
#include "model/hot_table.h"
#include "model/names.h"
#include "symbols/resolver.h"

enum { ID = 500, RINGS = 2, NEVER = 3600 };

/* The symbolizer: tells a comm once it has seen the COMM record of it. */
struct naming {
	struct names *names;
	const char *comm;
	int resyncs;
	bool freed;
};

struct fixture {
	struct fake_ring rings[RINGS];
	struct collector *collector;
	struct resolver_thread *thread;
	struct naming naming;
	struct err err;
};

static void take_record(void *ctx, const struct side_band *record)
{
	struct naming *n = ctx;

	if (record->type == PERF_RECORD_COMM)
		n->comm = names_add(n->names, record->comm.comm);
}

static void take_resync(void *ctx)
{
	struct naming *n = ctx;

	n->resyncs++;
}

static void name_symbol(void *ctx, pid_t pid, uint16_t cpumode, uint64_t ip,
			struct symbol *out)
{
	struct naming *n = ctx;
	char name[32];

	(void)pid;
	(void)cpumode;
	snprintf(name, sizeof(name), "f%llx", (unsigned long long)ip);
	*out = (struct symbol){
		.name = names_add(n->names, name),
		.dso = names_add(n->names, "file"),
		.kind = SYMBOL_USER,
	};
}

static const char *name_comm(void *ctx, pid_t pid, pid_t tid)
{
	struct naming *n = ctx;

	(void)pid;
	(void)tid;
	return n->comm;
}

static bool be_idle(void *ctx, uint64_t now_ns)
{
	(void)ctx;
	(void)now_ns;
	return false;
}

static void fill_stats(const void *ctx, struct resolver_stats *stats)
{
	(void)ctx;
	*stats = (struct resolver_stats){ .kernel_symbols = 7 };
}

static void be_freed(void *ctx)
{
	struct naming *n = ctx;

	n->freed = true;
}

static const struct symbolizer_ops naming_ops = {
	.record = take_record, .resync = take_resync, .symbol = name_symbol,
	.comm = name_comm, .idle = be_idle, .stats = fill_stats,
	.free = be_freed,
};

static void open_collector(struct fixture *f, double interval)
{
	static const uint64_t ids[] = { 0, ID };
	static const uint32_t tags[] = { UINT32_MAX, 0 };
	struct collector_opts opts = {
		.readers = 1, .rings = RINGS, .interval = interval,
		.decode_rate = 1e6,
	};
	size_t slot;

	f->collector = collector_new(&opts, &f->err);
	assert_non_null(f->collector);
	for (int i = 0; i < RINGS; i++) {
		struct collector_ring ring = {
			.cpu = i, .ids = ids, .tags = tags, .nr_ids = 2,
		};

		fake_ring_init(&f->rings[i], 8192);
		ring.ring = f->rings[i].ring;
		assert_int_equal(collector_add(f->collector, &ring, &slot,
					       &f->err), 0);
	}
}

static struct fixture *start(double interval)
{
	static const char *const fields[] = { "sys:one.a", "sys:two.b" };
	struct fixture *f = calloc(1, sizeof(*f));
	const struct resolver_event event = {
		.name = "clock", .layout.sample_type = RECORD_SAMPLE_TYPE,
	};
	struct resolver_thread_opts opts = {
		.symbolizer = &naming_ops, .symbolizer_ctx = &f->naming,
		.events = &event, .nr_events = 1,
		.side_band.sample_type = RECORD_SAMPLE_TYPE,
		.trace_fields = fields, .nr_trace_fields = 2,
	};

	open_collector(f, interval);
	opts.collector = f->collector;
	opts.names = f->naming.names = names_new(1 << 20);
	f->naming.comm = names_add(f->naming.names, "?");
	f->thread = resolver_thread_new(&opts, &f->err);
	assert_non_null(f->thread);
	return f;
}

static void stop(struct fixture *f)
{
	resolver_thread_free(f->thread);
	assert_true(f->naming.freed);
	collector_free(f->collector);
	for (int i = 0; i < RINGS; i++)
		fake_ring_free(&f->rings[i]);
	free(f);
}

static void put_sample(struct fixture *f, int ring, uint64_t time, uint64_t ip)
{
	uint64_t at = f->rings[ring].head;

	fake_ring_sample(&f->rings[ring], ID, 1, time, RECORD_SAMPLE_FIXED);
	fake_ring_word(&f->rings[ring], at + 16, ip);
}

/* pid, tid, "dd", and the trailer. */
static void put_comm(struct fixture *f, int ring, uint64_t time)
{
	enum { SIZE = 8 + 8 + 8 + RECORD_TRAILER };
	uint64_t at = fake_ring_put(&f->rings[ring], PERF_RECORD_COMM, SIZE);

	fake_ring_word(&f->rings[ring], at + 8, 1 | UINT64_C(1) << 32);
	fake_ring_word(&f->rings[ring], at + 16, 'd' | 'd' << 8);
	fake_ring_word(&f->rings[ring], at + SIZE - RECORD_TRAILER_TIME, time);
}

static const struct samples *finished(struct fixture *f)
{
	collector_drain_all(f->collector);
	resolver_thread_finish(f->thread);
	return resolver_thread_read(f->thread, 0, 1);
}

static const struct feed_sample *listed(const struct samples *samples,
					size_t i)
{
	return feed_entry_sample(feed_at(samples->feed, i));
}

static void a_sample_is_named_listed_and_counted(void **state)
{
	struct fixture *f = start(NEVER);
	const struct samples *samples;

	(void)state;
	put_sample(f, 0, 100, 0xab);
	samples = finished(f);
	assert_int_equal(feed_len(samples->feed), 1);
	assert_string_equal(listed(samples, 0)->frames[0].symbol.name, "fab");
	assert_string_equal(listed(samples, 0)->event, "clock");
	assert_int_equal(listed(samples, 0)->time, 100);
	assert_int_equal(samples->hot->nr_cells, 1);
	assert_true(samples->hot->total.sum == 1);
	assert_int_equal(samples->status.decoded, 1);
	assert_int_equal(samples->status.kernel_symbols, 7);
	stop(f);
}

/* The COMM stands in the other ring, and is read after the sample. */
static void records_of_two_rings_are_taken_by_time(void **state)
{
	struct fixture *f = start(NEVER);
	const struct samples *samples;

	(void)state;
	put_sample(f, 0, 50, 1);
	put_sample(f, 0, 150, 2);
	put_comm(f, 1, 100);
	samples = finished(f);
	assert_int_equal(feed_len(samples->feed), 2);
	assert_string_equal(listed(samples, 0)->comm, "?");
	assert_string_equal(listed(samples, 1)->comm, "dd");
	stop(f);
}

static void await(struct fixture *f, size_t entries)
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	const struct samples *samples;

	for (int i = 0; i < 10000; i++) {
		samples = resolver_thread_read(f->thread, 0, 1);
		if (feed_len(samples->feed) >= entries)
			return;
		nanosleep(&ms, NULL);
	}
	fail_msg("%zu samples after 10 s", feed_len(samples->feed));
}

static void the_thread_takes_what_the_readers_drain(void **state)
{
	struct fixture *f = start(0.01);

	(void)state;
	assert_int_equal(collector_start(f->collector, &f->err), 0);
	assert_int_equal(resolver_thread_start(f->thread, &f->err), 0);
	put_sample(f, 1, sys_now_ns(), 1);
	await(f, 1);
	put_sample(f, 0, sys_now_ns(), 2);
	resolver_thread_finish(f->thread);
	await(f, 2);
	stop(f);
}

static void the_filter_narrows_the_feed_alone(void **state)
{
	struct fixture *f = start(NEVER);
	const struct samples *samples;

	(void)state;
	assert_int_equal(resolver_thread_filter(f->thread, "sym==f2",
						&f->err), 0);
	finished(f); /* it is taken up between records */
	for (uint64_t ip = 1; ip <= 3; ip++)
		put_sample(f, 0, ip, ip);
	samples = finished(f);
	assert_int_equal(feed_len(samples->feed), 1);
	assert_string_equal(listed(samples, 0)->frames[0].symbol.name, "f2");
	assert_int_equal(feed_skipped(samples->feed), 0);
	assert_true(samples->hot->total.sum == 3);
	assert_string_equal(samples->filter, "sym==f2");
	stop(f);
}

static void what_makes_no_sense_is_refused(void **state)
{
	struct fixture *f = start(NEVER);

	(void)state;
	assert_true(resolver_thread_filter(f->thread, "comm==", &f->err) < 0);
	assert_int_equal(err_exit_status(&f->err), 2);
	assert_true(resolver_thread_field(f->thread, "nosuch", &f->err) < 0);
	assert_int_equal(resolver_thread_field(f->thread, "sys:two.b",
					       &f->err), 0);
	assert_int_equal(resolver_thread_field(f->thread, "a", &f->err), 0);
	assert_int_equal(resolver_thread_field(f->thread, "", &f->err), 0);
	stop(f);
}

static void a_sample_that_does_not_fit_its_event_is_counted(void **state)
{
	struct fixture *f = start(NEVER);
	const struct samples *samples;

	(void)state;
	fake_ring_sample(&f->rings[0], ID, 1, 1, RECORD_SAMPLE_FIXED + 8);
	samples = finished(f);
	assert_int_equal(samples->status.undecodable, 1);
	assert_int_equal(samples->status.decoded, 0);
	stop(f);
}

static void a_reset_begins_anew(void **state)
{
	struct fixture *f = start(NEVER);
	const struct samples *samples;

	(void)state;
	put_sample(f, 0, 1, 1);
	finished(f);
	resolver_thread_reset(f->thread);
	put_sample(f, 0, 2, 2);
	samples = finished(f);
	assert_true(samples->hot->total.sum == 1);
	stop(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_is_named_listed_and_counted),
		cmocka_unit_test(records_of_two_rings_are_taken_by_time),
		cmocka_unit_test(the_thread_takes_what_the_readers_drain),
		cmocka_unit_test(the_filter_narrows_the_feed_alone),
		cmocka_unit_test(what_makes_no_sense_is_refused),
		cmocka_unit_test(a_sample_that_does_not_fit_its_event_is_counted),
		cmocka_unit_test(a_reset_begins_anew),
	};

	return cmocka_run_group_tests_name("resolver_thread", tests, NULL,
					   NULL);
}
