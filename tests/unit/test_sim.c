/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "ring/ring_stats.h"
#include "samples/feed.h"
#include "samples/hot_table.h"
#include "samples/samples.h"
#include "sim/sim.h"
#include "source/source.h"

enum { DECODE_RATE = 20000 };

static struct source *open_at_rate(const char *spec, double decode_rate)
{
	struct err err = { 0 };
	const struct sim_opts opts = {
		.spec = spec, .interval = 0.05, .decode_rate = decode_rate,
	};
	struct source *s = sim_open(&opts, &err);

	assert_string_equal(err.text, "");
	assert_non_null(s);
	assert_int_equal(source_start(s, &err), 0);
	return s;
}

static struct source *open_and_start(const char *spec)
{
	return open_at_rate(spec, DECODE_RATE);
}

static const struct reading *read_source(struct source *s)
{
	struct err err = { 0 };

	assert_non_null(source_frame(s, &err));
	return &s->reading;
}

static void check_ring(const struct reading_ring *r)
{
	uint64_t lost = 0;

	assert_int_equal(r->row.head, r->row.tail);
	for (size_t i = 0; i < r->row.nr_events; i++) {
		lost += r->row.events[i].lost;
		assert_int_equal(r->row.events[i].count,
				 r->row.events[i].samples +
				 (r->row.events[i].side_band ? 0 :
				  r->row.events[i].lost));
	}
	assert_true(r->stats.lost <= lost);
}

/* Finish; then all records are accounted for. */
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

/* Read until the first ring has had more than @records and a wakeup. */
static const struct reading *read_after(struct source *s, uint64_t records)
{
	const struct ring_stats *stats;
	const struct reading *r;
	int tries = 0;

	do {
		assert_true(tries++ < 1000);
		usleep(100000);
		r = read_source(s);
		stats = &r->rings[0].stats;
	} while (stats->records <= records || !stats->wakeups);
	return r;
}

/*
 * Read until @holds is true, for minutes if necessary: on a busy machine the
 * writer may get little CPU time.
 */
static const struct reading *
read_until(struct source *s, bool (*holds)(const struct reading *r))
{
	const struct reading *r = read_source(s);

	for (int i = 0; i < 12000 && !holds(r); i++) {
		usleep(10000);
		r = read_source(s);
	}
	assert_true(holds(r));
	return r;
}

static uint64_t lost_events(const struct reading *r)
{
	const struct ring_event *events = r->rings[0].row.events;

	return events[1].lost + events[2].lost;
}

TEST(test_source)
{
	struct source *s = open_and_start("cpus=3,rate=20000,size=64K");
	const struct reading *r = read_after(s, 1000);

	assert_int_equal(r->nr_rings, 3);
	assert_true(r->rings[0].counts_age == 0);
	assert_int_equal(r->rings[0].row.wakeup_events, UNKNOWN);
	assert_int_equal(r->rings[2].row.cpu, 2);
	assert_int_equal(r->rings[0].row.tid, -1);
	assert_int_equal(r->rings[0].row.size, 65536);
	assert_int_equal(r->rings[0].row.watermark, 32768);
	assert_int_equal(r->rings[0].row.nr_events, 3);
	assert_true(r->rings[0].row.events[0].side_band);
	assert_string_equal(r->rings[0].row.events[1].name, "sim:event1");
	assert_true(r->rings[0].nr_comms > 2);
	assert_true(r->rings[0].row.head - r->rings[0].row.tail <= 65536);
	assert_true(r->cpu >= 0 && r->cpu < sys_process_cpu());
	finish_and_check(s);
	source_close(s);
}

static bool told_of_losses(const struct reading *r)
{
	return r->rings[0].stats.lost > 100;
}

TEST(test_source_loses)
{
	struct source *s = open_and_start("cpus=2,rate=200000,size=8K,"
					  "reader=slow,late=50,mix=tasks");
	const struct reading *r;

	read_until(s, told_of_losses);
	finish_and_check(s);
	r = read_source(s);
	assert_true(latency_percentile(&r->rings[0].stats.latency, 0.5) >
		    0.04);
	source_close(s);
}

static bool loses(const struct reading *r)
{
	return lost_events(r) > 1000;
}

TEST(test_source_stuck)
{
	struct source *s = open_and_start("cpus=1,rate=100000,size=8K,"
					  "reader=stuck,mix=samples");
	const struct reading_ring *ring;

	ring = &read_until(s, loses)->rings[0];
	assert_int_equal(ring->stats.drains, 0);
	assert_in_range(ring->row.head - ring->row.tail, 8192 - 128, 8192);
	finish_and_check(s);
	source_close(s);
}

TEST(test_source_resize)
{
	struct source *s = open_and_start("cpus=2,rate=100000,size=64K,"
					  "watermark=2K");

	for (int i = 0; i < 8; i++) {
		usleep(20000);
		/* two in a row, without a reading in between */
		assert_int_equal(ask(s, REQUEST_RESIZE, 1, 0, i % 2), 0);
		assert_int_equal(ask(s, REQUEST_RESIZE, 1, 0, i % 2), 0);
		assert_int_equal(read_source(s)->rings[1].row.size,
				 i % 2 ? 65536 : 16384);
	}
	assert_int_equal(read_source(s)->rings[0].row.size, 65536);
	assert_int_equal(ask(s, REQUEST_RESIZE, 2, 0, true), -EINVAL);
	sys_fail_at(SYS_MMAP, 1, EPERM);
	assert_int_equal(ask(s, REQUEST_RESIZE, 1, 0, true), -EPERM);
	assert_int_equal(read_source(s)->rings[1].row.size, 65536);
	finish_and_check(s);
	source_close(s);
}

TEST(test_source_resize_ends)
{
	struct source *s = open_and_start("cpus=1,size=4K");

	if (sys_page_size() != 4096)
		skip();
	assert_int_equal(ask(s, REQUEST_RESIZE, 0, 0, false), -EINVAL);
	assert_int_equal(read_source(s)->rings[0].row.size, 4096);
	assert_int_equal(ask(s, REQUEST_RESIZE, 0, 0, true), 0);
	assert_int_equal(ask(s, REQUEST_RESIZE, 0, 0, false), 0);
	assert_int_equal(read_source(s)->rings[0].row.size, 4096);
	source_close(s);
}

static bool loses_some(const struct reading *r)
{
	return lost_events(r) > 100;
}

/* Until the head of ring 0 is beyond @head. */
static void read_past(struct source *s, uint64_t head)
{
	for (int i = 0;
	     i < 12000 && read_source(s)->rings[0].row.head <= head; i++)
		usleep(10000);
	assert_true(read_source(s)->rings[0].row.head > head);
}

TEST(test_source_pause_and_enable)
{
	struct source *s = open_and_start("cpus=2,rate=50000,mix=samples");
	const struct reading *r;
	uint64_t head;

	read_past(s, 0);
	assert_int_equal(ask(s, REQUEST_PAUSE, 0, 0, true), 0);
	r = read_source(s);
	assert_true(r->rings[0].row.paused);
	assert_false(r->rings[1].row.paused);
	head = r->rings[0].row.head;
	r = read_until(s, loses_some);
	assert_int_equal(r->rings[0].row.head, head);
	assert_int_equal(ask(s, REQUEST_PAUSE, 0, 0, false), 0);
	read_past(s, head);

	assert_int_equal(ask(s, REQUEST_ENABLE, 0, 0, false), 0);
	r = read_source(s);
	assert_false(r->rings[1].row.enabled);
	head = r->rings[1].row.head;
	usleep(30000);
	assert_int_equal(read_source(s)->rings[1].row.head, head);
	finish_and_check(s);
	r = read_source(s);
	assert_true(r->rings[0].stats.lost > 100);
	source_close(s);
}

static uint64_t counted(const struct reading *r)
{
	return r->rings[0].row.events[1].count;
}

static bool counted_many(const struct reading *r)
{
	return counted(r) > 2000;
}

TEST(test_source_rate)
{
	struct source *s = open_and_start("cpus=1,rate=1000,mix=samples,"
					  "events=1");
	uint64_t before, after;
	double began;

	assert_int_equal(ask(s, REQUEST_FREQ, 0, 0, false), -EINVAL);
	assert_int_equal(ask(s, REQUEST_FREQ, 0, 100000, false), 0);
	read_until(s, counted_many);
	/* a tenth of the 1000 samples per second, each for ten events */
	assert_int_equal(ask(s, REQUEST_PERIOD, 0, 10, false), 0);
	began = sys_now();
	before = counted(read_source(s));
	do {
		usleep(100000);
		after = counted(read_source(s));
	} while (after - before < 20 && sys_now() - began < 120);
	/* twice as many at most, and what was due before */
	assert_in_range(after - before, 20,
			(uint64_t)(2000 * (sys_now() - began)) + 200);
	assert_int_equal((after - before) % 10, 0);
	source_close(s);
}

static bool wrapped(const struct reading *r)
{
	return r->rings[0].row.head > 65536;
}

TEST(test_source_overwrite)
{
	struct source *s = open_and_start("cpus=1,rate=100000,size=64K,"
					  "overwrite=1,mix=samples");
	const struct reading_ring *ring;

	read_until(s, wrapped);
	assert_int_equal(ask(s, REQUEST_READ, 0, 0, false), 0);
	ring = &read_source(s)->rings[0];
	assert_true(ring->row.overwrite);
	assert_false(ring->row.paused);
	assert_true(ring->row.head > 65536);
	assert_int_equal(ring->row.tail, 0);
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

static bool traced_much(const struct reading *r)
{
	const struct ring_aux *aux = &r->rings[1].row.aux;

	return aux->head > 500000 && aux->tail > 400000;
}

TEST(test_source_traces)
{
	struct source *s = open_and_start("cpus=2,rate=1000,aux=64K,"
					  "auxrate=4M");
	const struct reading_ring *ring;

	ring = &read_until(s, traced_much)->rings[1];
	assert_int_equal(ring->row.aux.size, 65536);
	assert_int_equal(ring->row.aux.watermark, 32768);
	assert_false(ring->row.aux.overwrite);
	assert_true(ring->row.aux.head - ring->row.aux.tail <= 65536);
	assert_true(isnan(ring->aux.head_age));
	assert_int_equal(ask(s, REQUEST_RESIZE, 1, 0, true), -EOPNOTSUPP);
	assert_int_equal(ask(s, REQUEST_READ, 1, 0, false), -EINVAL);
	finish_and_check(s);
	/* the records contain the position of the head */
	ring = &read_source(s)->rings[1];
	assert_int_equal(ring->stats.aux.bytes, ring->row.aux.head);
	assert_int_equal(ring->stats.aux.records,
			 ring->stats.types[RECORD_AUX]);
	source_close(s);
}

static bool truncated_twice(const struct reading *r)
{
	return r->rings[0].stats.aux.truncated > 1 &&
	       r->rings[0].stats.aux.reenabled > 1;
}

/* It runs full before it is read, and continues after that. */
TEST(test_source_trace_runs_full)
{
	struct source *s = open_and_start("cpus=1,rate=1000,aux=64K,"
					  "auxrate=16M,reader=slow,late=30");
	const struct reading_ring *ring;

	read_until(s, truncated_twice);
	finish_and_check(s);
	ring = &read_source(s)->rings[0];
	assert_int_equal(ring->stats.aux.bytes, ring->row.aux.head);
	assert_true(ring->row.aux.head > 65536);
	assert_int_equal(ring->stats.aux_peak, 65535);
	source_close(s);
}

TEST(test_source_in_snapshot_mode)
{
	struct source *s = open_and_start("cpus=2,rate=1000,aux=64K,"
					  "auxrate=4M,snapshot=1");
	const struct reading_ring *ring;
	double began;

	ring = &read_source(s)->rings[1];
	assert_true(ring->row.aux.overwrite);
	assert_int_equal(ring->row.aux.head, 0);
	assert_true(isnan(ring->aux.head_age));
	assert_true(isnan(ring->aux.read_cost));
	for (int i = 0; i < 12000; i++) {
		usleep(10000);
		began = sys_now();
		assert_int_equal(ask(s, REQUEST_READ, 1, 0, false), 0);
		ring = read_source(s)->rings;
		if (ring[1].row.aux.head > 100000)
			break;
	}
	assert_true(ring[1].row.aux.head > 100000);
	assert_int_equal(ring[0].row.aux.head, 0);
	assert_true(ring[1].aux.head_age >= 0);
	assert_true(ring[1].aux.head_age <= sys_now() - began);
	assert_true(ring[1].aux.read_cost > 0);
	finish_and_check(s);
	assert_true(read_source(s)->rings[1].stats.aux.overwrite > 0);
	source_close(s);
}

TEST(test_source_refused)
{
	static const struct { unsigned int nth; int error; } fails[] = {
		{ 1, EPERM }, { 2, ENOMEM }, { 4, EAGAIN },
	};
	const struct sim_opts opts = { .spec = "cpus=4" };

	for (size_t i = 0; i < sizeof(fails) / sizeof(fails[0]); i++) {
		struct err err = { 0 };

		sys_fail_at(SYS_MMAP, fails[i].nth, fails[i].error);
		assert_null(sim_open(&opts, &err));
		assert_int_equal(err_exit_status(&err), 1);
		assert_int_equal(err.code, -fails[i].error);
	}
}

TEST(test_source_of_absurd_size)
{
	const struct sim_opts opts = { .spec = "cpus=8192,size=1G" };
	struct err err = { 0 };

	assert_null(sim_open(&opts, &err));
	assert_int_equal(err_exit_status(&err), 1);
	assert_non_null(strstr(err.text, "memory"));
}

/* Samples, through queue, resolver thread and hot table */

/* The weight of samples in @function itself. */
static double weight_of(const struct hot *hot, const char *function)
{
	double sum = 0;

	for (uint32_t i = 0; i < hot->nr_cells; i++) {
		const struct hot_node *node = &hot->nodes[hot->cells[i].node];

		if (!strcmp(hot->symbols[node->symbol].name, function))
			sum += hot->cells[i].total.sum;
	}
	return sum;
}

static const struct samples *finished_samples(struct source *s)
{
	const struct reading *r;

	source_finish(s);
	r = read_source(s);
	assert_non_null(r->samples);
	return r->samples;
}

/* The samples in the feed, which also lists context switches. */
static size_t listed_samples(const struct samples *samples)
{
	size_t nr = 0;

	for (size_t i = 0; i < feed_len(samples->feed); i++) {
		const struct feed_sample *s =
			feed_entry_sample(feed_at(samples->feed, i));

		if (!strcmp(s->event, "switch"))
			continue;
		assert_true(s->chain && s->nr_frames > 3);
		nr++;
	}
	return nr;
}

static bool seen_many(const struct reading *r)
{
	return r->samples->status.seen > 1000;
}

/* At a low rate, which bursts of a late writer do not exceed. */
TEST(test_samples_are_named)
{
	struct source *s = open_at_rate("cpus=2,rate=5000,chain=32", 1e6);
	const struct samples *samples;

	read_until(s, seen_many);
	samples = finished_samples(s);
	/* none is left out, so all samples are listed */
	assert_int_equal(samples->status.decode_every, 1);
	assert_int_equal(samples->status.decoded, samples->status.seen);
	assert_true(samples->hot->total.sum >= (double)samples->status.seen &&
		    samples->hot->total.sum <= (double)samples->status.seen);
	assert_int_equal(samples->status.undecodable, 0);
	assert_int_equal(samples->status.unresolved, 0);
	assert_int_equal(samples->status.dropped, 0);
	assert_true(samples->status.kernel_symbols > 10);
	assert_true(samples->hot->chains);
	assert_false(samples->hot->thinned);
	assert_int_equal(listed_samples(samples), samples->status.seen);
	source_close(s);
}

/*
 * Within a percentage point; or what chance allows if a slow machine made few
 * samples.
 */
static double tolerance(uint64_t decoded)
{
	return fmax(0.01, 2 / sqrt((double)decoded));
}

static void check_share(const char *spec, const char *function,
			const char *other, double truth)
{
	struct source *s = open_at_rate(spec, 30000);
	const struct samples *samples;
	double one, two, all;

	usleep(1500000);
	samples = finished_samples(s);
	assert_true(samples->hot->thinned);
	one = weight_of(samples->hot, function);
	two = weight_of(samples->hot, other);
	/*
	 * the weights add up to all samples, except for those dropped if the
	 * thread that decodes gets no CPU
	 */
	all = one + two + (double)samples->status.dropped;
	assert_true(fabs(all / (double)samples->status.seen - 1) < 0.02);
	assert_true(fabs(one / (one + two) - truth) <
		    tolerance(samples->status.decoded));
	source_close(s);
}

TEST(test_thinned_shares_are_true)
{
	check_share("cpus=2,rate=150000,code=turns,size=1M", "odd", "even",
		    0.5);
	check_share("cpus=2,rate=150000,code=two,size=1M,skew=10", "often",
		    "seldom", 0.7);
}

TEST(test_no_samples_are_decoded)
{
	struct source *s = open_at_rate("cpus=1", 0);
	struct request rq = { .kind = REQUEST_FILTER };
	struct err err = { 0 };

	assert_null(read_source(s)->samples);
	assert_int_equal(source_request(s, &rq, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "--decode"));
	source_reset(s);
	source_close(s);
}

TEST(test_no_samples_of_overwrite_rings)
{
	struct source *s = open_and_start("cpus=1,overwrite=1");
	struct request rq = { .kind = REQUEST_FILTER };
	struct err err = { 0 };

	assert_null(read_source(s)->samples);
	assert_int_equal(source_request(s, &rq, &err), -EOPNOTSUPP);
	assert_string_equal(err.text, "no samples are decoded (overwrite "
				      "rings are read on demand)");
	source_close(s);
}

/* Does the thread @tid block SIGINT, SIGTERM and SIGWINCH? */
static bool blocks_signals(const char *tid)
{
	const unsigned long long wanted = 1ull << (SIGINT - 1) |
					  1ull << (SIGTERM - 1) |
					  1ull << (SIGWINCH - 1);
	unsigned long long blocked = 0;
	char path[300], line[200];
	FILE *status;

	snprintf(path, sizeof(path), "/proc/self/task/%s/status", tid);
	status = fopen(path, "r");
	assert_non_null(status);
	while (fgets(line, sizeof(line), status))
		if (sscanf(line, "SigBlk: %llx", &blocked) == 1)
			break;
	fclose(status);
	return (blocked & wanted) == wanted;
}

/* Signals must interrupt the front end, not a sleeping thread. */
TEST(test_threads_take_no_signals)
{
	struct source *s = open_and_start("cpus=1");
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *task;
	int threads = 0;
	char self[16];

	snprintf(self, sizeof(self), "%d", (int)getpid());
	assert_non_null(tasks);
	while ((task = readdir(tasks))) {
		if (task->d_name[0] == '.' || !strcmp(task->d_name, self))
			continue;
		assert_true(blocks_signals(task->d_name));
		threads++;
	}
	assert_int_equal(threads, 3);
	assert_false(blocks_signals(self));
	closedir(tasks);
	source_close(s);
}

static bool has_samples(const struct reading *r)
{
	return r->samples->hot->total.sum > 0;
}

TEST(test_samples_follow_requests)
{
	struct source *s = open_and_start("cpus=1,rate=2000,mix=samples");
	struct request rq = { .kind = REQUEST_FILTER, .text = "comm==" };
	const struct samples *samples;
	struct err err = { 0 };

	assert_int_equal(source_request(s, &rq, &err), -EINVAL);
	strcpy(rq.text, "comm==nobody");
	assert_int_equal(source_request(s, &rq, &err), 0);
	samples = read_until(s, has_samples)->samples;
	assert_string_equal(samples->filter, "comm==nobody");
	source_reset(s);
	assert_int_equal(ask(s, REQUEST_ENABLE, 0, 0, false), 0);
	samples = finished_samples(s);
	assert_true(samples->hot->total.sum < (double)samples->status.seen);
	source_close(s);
}

TEST_GROUP(sim);
