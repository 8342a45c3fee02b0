/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <math.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "fake_tree.h"
#include "rig_file.h"
#include "ring/reading.h"
#include "sim/sim.h"
#include "sim/sim_ring.h"
#include "source/source.h"
#include "source/source_snapshots.h"

#define AUX_SPEC "cpus=2,rate=2000,aux=64K,auxrate=16M,snapshot=1"

enum { AUX = 64 << 10, MAX_WAITS = 12000 };

static struct fake_tree tree;
static struct source_snapshots asked;

static int setup(void **state)
{
	(void)state;
	fake_tree_init(&tree);
	asked = (struct source_snapshots){ .dir = tree.root };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fake_tree_free(&tree);
	return 0;
}

static struct source *open_sim(const char *spec, struct err *err)
{
	const struct sim_opts opts = {
		.spec = spec, .interval = 0.05, .decode_rate = 20000,
		.snapshots = &asked,
	};

	return sim_open(&opts, err);
}

static struct source *start_sim(const char *spec)
{
	struct err err = { 0 };
	struct source *s = open_sim(spec, &err);

	assert_string_equal(err.text, "");
	assert_non_null(s);
	assert_int_equal(source_start(s, &err), 0);
	return s;
}

static const struct reading *read_source(struct source *s)
{
	struct err err = { 0 };

	assert_non_null(source_frame(s, &err));
	return &s->reading;
}

static int ask(struct source *s, enum request_kind kind, const size_t *rings,
	       size_t nr, struct request_snapshot *got, struct err *err)
{
	struct request rq = {
		.kind = kind, .rings = rings, .nr_rings = nr, .on = true,
		.snapshot = got,
	};

	if (kind == REQUEST_SNAPSHOT)
		strcpy(rq.text, "key");
	return source_request(s, &rq, err);
}

/* Wait until snapshot @n is done; returns its entry of the list. */
static struct snapshot_info wait_for(struct source *s, size_t n)
{
	const struct timespec ms = { .tv_nsec = 10000000 };

	for (int i = 0; i < MAX_WAITS; i++) {
		const struct snapshots *list = read_source(s)->snapshots;

		if (list->nr >= n &&
		    list->list[n - 1].state >= SNAPSHOT_DONE) {
			assert_string_equal(list->list[n - 1].error, "");
			return list->list[n - 1];
		}
		nanosleep(&ms, NULL);
	}
	fail_msg("snapshot %zu was not taken", n);
	return (struct snapshot_info){ 0 };
}

/* Wait until CPU @cpu has written a full area of trace. */
static void wait_until_full(struct source *s, size_t cpu)
{
	for (int i = 0; i < MAX_WAITS; i++) {
		const struct request rq = { .kind = REQUEST_READ, .ring = cpu };
		struct err err = { 0 };

		assert_int_equal(source_request(s, &rq, &err), 0);
		if (read_source(s)->rings[cpu].row.aux.head >= AUX)
			return;
		usleep(10000);
	}
	fail_msg("its AUX area was not filled");
}

static void load(struct rig_file *f, const struct snapshot_info *info)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", tree.root, info->file);
	rig_load(f, path);
}

/* Check that PTWRITE packets contain their position in the trace of @cpu. */
static void check_trace(const unsigned char *trace, uint64_t cpu)
{
	static const unsigned char psb[16] = {
		0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82,
		0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82,
	};
	const uint64_t base = 1 ^ cpu << 48;	/* of seed 1 */
	size_t found = 0;

	for (size_t at = 0; at + SIM_TRACE_BLOCK <= AUX; at++) {
		uint64_t first, last;

		if (memcmp(trace + at, psb, sizeof(psb)))
			continue;
		memcpy(&first, trace + at + 28, sizeof(first));
		memcpy(&last, trace + at + SIM_TRACE_BLOCK - 10, sizeof(last));
		assert_int_equal((first - base) % SIM_TRACE_BLOCK, 26);
		assert_int_equal(last - first, 10 * (SIM_TRACE_PTWRITES - 1));
		found++;
	}
	assert_int_equal(found, AUX / SIM_TRACE_BLOCK);
}

TEST(a_snapshot_holds_the_trace)
{
	struct source *s = start_sim(AUX_SPEC);
	struct request_snapshot got = { 0 };
	struct snapshot_info info;
	struct err err = { 0 };
	struct rig_file f;

	wait_until_full(s, 0);
	wait_until_full(s, 1);
	assert_int_equal(ask(s, REQUEST_SNAPSHOT, NULL, 0, &got, &err), 0);
	assert_int_equal(got.number, 1);
	info = wait_for(s, 1);
	assert_int_equal(info.aux_rings, 2);
	assert_int_equal(info.bytes, 2 * AUX);
	assert_string_equal(info.which, "CPU 0-1");
	assert_string_equal(info.trigger, "key");
	assert_true(info.reach > 0 && info.reach < 1e6);
	load(&f, &info);
	assert_int_equal(rig_count(&f, PERFDATA_RECORD_AUXTRACE_INFO), 1);
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		assert_true(rig_find(&f, PERFDATA_RECORD_AUXTRACE));
		assert_int_equal(rig_word(f.record + 8), AUX);
		assert_int_equal(rig_half(f.record + 40), cpu);
		check_trace(f.record + 48, cpu);
	}
	rig_close(&f);
	source_close(s);
}

TEST(one_ring_alone)
{
	struct source *s = start_sim(AUX_SPEC);
	const size_t ring = 1;
	struct snapshot_info info;
	struct err err = { 0 };
	struct rig_file f;

	wait_until_full(s, 1);
	assert_int_equal(ask(s, REQUEST_SNAPSHOT, &ring, 1, NULL, &err), 0);
	info = wait_for(s, 1);
	assert_string_equal(info.which, "CPU 1");
	load(&f, &info);
	assert_int_equal(rig_count(&f, PERFDATA_RECORD_AUXTRACE), 1);
	rig_close(&f);
	source_close(s);
}

/* The file written last has exactly as many records as were counted. */
TEST(the_last_one_has_all_records)
{
	const struct reading *r;
	struct snapshot_info info;
	uint64_t samples = 0, comms = 0;
	struct source *s;
	struct rig_file f;

	asked.at_exit = true;
	s = start_sim(AUX_SPEC);
	wait_until_full(s, 0);
	source_finish(s);
	info = wait_for(s, 1);
	assert_string_equal(info.trigger, "exit");
	r = read_source(s);
	for (size_t i = 0; i < r->nr_rings; i++) {
		samples += r->rings[i].stats.types[RECORD_SAMPLE];
		comms += r->rings[i].stats.types[RECORD_COMM];
	}
	load(&f, &info);
	assert_true(samples > 0);
	assert_int_equal(rig_count(&f, PERF_RECORD_SAMPLE), samples);
	/* and the earlier names of 8 tasks with 4 threads */
	assert_int_equal(rig_count(&f, PERF_RECORD_COMM), comms + 32);
	rig_close(&f);
	/* once */
	source_finish(s);
	assert_int_equal(read_source(s)->snapshots->nr, 1);
	source_close(s);
}

TEST(overwrite_rings_too)
{
	struct source *s = start_sim("cpus=2,rate=50000,size=16K,overwrite=1,"
				     "mix=samples");
	struct snapshot_info info;
	struct err err = { 0 };
	struct rig_file f;

	while (read_source(s)->rings[0].row.head < 16384 ||
	       read_source(s)->rings[1].row.head < 16384)
		usleep(10000);
	assert_int_equal(ask(s, REQUEST_SNAPSHOT, NULL, 0, NULL, &err), 0);
	info = wait_for(s, 1);
	assert_int_equal(info.aux_rings, 0);
	assert_int_equal(info.bytes, 2 * 16384);
	load(&f, &info);
	/* of 64 bytes; one may be cut */
	assert_in_range(rig_count(&f, PERF_RECORD_SAMPLE), 2 * 255, 2 * 256);
	rig_close(&f);
	source_close(s);
}

/*
 * A pause by the user is kept, and the new memory of a resized ring is copied.
 */
TEST(a_paused_and_resized_ring)
{
	struct request rq = { .kind = REQUEST_RESIZE, .on = true };
	struct source *s = start_sim("cpus=1,rate=50000,size=8K,overwrite=1");
	struct err err = { 0 };

	assert_int_equal(source_request(s, &rq, &err), 0);
	rq.kind = REQUEST_PAUSE;
	assert_int_equal(source_request(s, &rq, &err), 0);
	assert_int_equal(ask(s, REQUEST_SNAPSHOT, NULL, 0, NULL, &err), 0);
	wait_for(s, 1);
	assert_true(read_source(s)->rings[0].row.paused);
	rq.on = false;
	assert_int_equal(source_request(s, &rq, &err), 0);
	while (read_source(s)->rings[0].row.head < 16384)
		usleep(10000);
	assert_int_equal(ask(s, REQUEST_SNAPSHOT, NULL, 0, NULL, &err), 0);
	assert_int_equal(wait_for(s, 2).bytes, 16384);
	assert_false(read_source(s)->rings[0].row.paused);
	source_close(s);
}

TEST(conditions_and_time_take_some)
{
	static const struct { const char *spec, *on, *says; } cases[] = {
		{ AUX_SPEC ",mix=throttled", "throttle",
		  "throttle: an event of ring " },
		{ AUX_SPEC ",size=4K,reader=slow,late=500", "lost", "lost: " },
		{ AUX_SPEC ",size=8K", "fill>10%", "fill>10%: " },
		{ AUX_SPEC, "event==sim:event2 && cpu==1",
		  "event==sim:event2 && cpu==1: sim:event2 of tid " },
		{ AUX_SPEC ",mix=samples", "comm==nginx", "comm==nginx: " },
		{ AUX_SPEC, NULL, "every 0.1s" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct snapshot_info info;
		struct source *s;

		asked.on = cases[i].on;
		asked.every = asked.on ? 0 : 0.1;
		s = start_sim(cases[i].spec);
		info = wait_for(s, 1);
		assert_ptr_equal(strstr(info.trigger, cases[i].says),
				 info.trigger);
		assert_int_equal(info.aux_rings, 2);
		source_close(s);
	}
}

TEST(who_writes_no_file_says_why)
{
	static const char *const specs[] = { "cpus=1", "cpus=1,aux=64K" };

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct source *s = start_sim(specs[i]);
		struct err err = { 0 };

		assert_null(read_source(s)->snapshots);
		assert_int_equal(ask(s, REQUEST_SNAPSHOT, NULL, 0, NULL, &err),
				 -EOPNOTSUPP);
		assert_non_null(strstr(err.text, "snapshot=1"));
		assert_int_equal(ask(s, REQUEST_SNAPSHOT_CANCEL, NULL, 0, NULL,
				     &err), -EOPNOTSUPP);
		assert_int_equal(ask(s, REQUEST_RECORD, NULL, 0, NULL, &err),
				 -EOPNOTSUPP);
		source_close(s);
	}
}

static void refuse(const char *spec, const char *says)
{
	struct err err = { 0 };

	assert_null(open_sim(spec, &err));
	if (!strstr(err.text, says))
		fail_msg("'%s' lacks '%s'", err.text, says);
}

TEST(what_cannot_be_is_refused)
{
	asked.every = 1;
	refuse("cpus=1", "--snapshot-every: no simulated ring keeps");
	asked.every = 0;
	asked.at_exit = true;
	refuse("cpus=1,aux=64K", "--snapshot-on: no simulated ring keeps");
	asked.on = "lost";
	refuse("cpus=1,overwrite=1", "--snapshot-on checks records");
	asked.on = "call:/bin/true:main";
	refuse(AUX_SPEC, "no functions to probe");
	asked.on = "event==cycles";
	refuse(AUX_SPEC, "none of the events is called 'cycles'");
	asked.on = "lost";
	asked.dir = "/nowhere/at/all";
	refuse(AUX_SPEC, "--output /nowhere/at/all");
}

TEST_GROUP(sim_snapshots, .each_setup = setup, .each_teardown = teardown);
