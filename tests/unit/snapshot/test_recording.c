/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <limits.h>
#include <signal.h>
#include <sys/mount.h>

#include "trace/file/ring_view.h"
#include "trace/recording/recording.h"
#include "task/task_history.h"
#include "tests/unit/snapshot/snapshot_rig.h"

enum { HISTORY = 64 << 10 };

static struct rig *rig;
static struct event_ids ids;
static struct task_history *tasks;
static struct recording *recording;
static char path[PATH_MAX], beside[PATH_MAX];
static struct rig_file got;
static struct recording_stats stats;
static bool mounted;

static int end(void **state)
{
	(void)state;
	recording_cancel(recording);
	recording = NULL;
	rig_close(&got);
	got = (struct rig_file){ 0 };
	event_ids_free(&ids);
	task_history_free(tasks);
	if (mounted)
		umount2(rig->dir, MNT_DETACH);
	mounted = false;
	rig_free(rig);
	return 0;
}

static void make(enum rig_kind kind)
{
	rig = rig_new(kind, 1);
	tasks = task_history_new(1 << 20);
	assert_int_equal(collector_keep_history(rig->collector, HISTORY,
						&rig->err), 0);
}

static uint64_t max_bytes;	/* --max-size of the next recording */

static void start_with(bool everything)
{
	struct recording_opts opts = {
		.from = {
			.session = &rig->session, .session_opts = &rig->opts,
			.trace = rig->session.has_aux ? &rig->trace : NULL,
			.env = &rig_env, .tasks = tasks,
			.machine = &rig->machine, .ids = &ids,
		},
		.collector = rig->collector,
		.all = everything,
		.max_bytes = max_bytes,
	};

	snprintf(path, sizeof(path), "%s/rec.data", rig->dir);
	recording = recording_new(&opts, path, &rig->err);
	if (!recording)
		fail_msg("%s", rig->err.text);
}

static void start(void)
{
	start_with(false);
}

static void pass(void)
{
	collector_drain_all(rig->collector);
	collector_flush_trace(rig->collector);
	if (recording_pass(recording, &rig->err))
		fail_msg("%s", rig->err.text);
}

static void finish(void)
{
	struct recording *r = recording;

	recording = NULL;
	if (recording_finish(r, path, beside, sizeof(path), &stats,
			     &rig->err))
		fail_msg("%s", rig->err.text);
	rig_load(&got, path);
}

static void samples(size_t ring, uint64_t from, uint64_t to)
{
	for (uint64_t time = from; time < to; time++) {
		rig_sample(rig, ring, time);
		if (time % 100 == 0)
			collector_drain_all(rig->collector);
	}
}

/* Each sample written during the recording, once; none from before. */
TEST(test_samples)
{
	bool seen[2000] = { false };
	uint64_t time;

	make(RIG_PLAIN);
	samples(0, 1, 50);
	collector_drain_all(rig->collector);
	start();
	samples(0, 50, 600);
	pass();
	samples(1, 600, 900);
	pass();
	samples(2, 900, 1000);
	collector_drain_all(rig->collector);
	finish();
	while (rig_find(&got, PERF_RECORD_SAMPLE)) {
		time = rig_word(got.record + RECORD_SAMPLE_TIME);
		assert_in_range(time, 50, 999);
		assert_false(seen[time]);
		seen[time] = true;
	}
	for (time = 50; time < 1000; time++)
		assert_true(seen[time]);
	assert_false(stats.full);
	assert_string_equal(path + strlen(rig->dir), "/rec.data");
}

/* Recording from the start: records in the histories are included. */
TEST(test_all)
{
	make(RIG_PLAIN);
	samples(0, 1, 50);
	collector_drain_all(rig->collector);
	start_with(true);
	samples(0, 50, 60);
	collector_drain_all(rig->collector);
	finish();
	assert_int_equal(rig_count(&got, PERF_RECORD_SAMPLE), 59);
}

/* An older task, which task_history does not know yet. */
TEST(test_tasks_before)
{
	const uint64_t comm[2] = { 5 | 5ULL << 32, 'x' };

	make(RIG_PLAIN);
	rig_sample(rig, 0, 1);
	rig_record(rig, 0, PERF_RECORD_COMM, comm, 2, RIG_SIDE_BAND, 2);
	collector_drain_all(rig->collector);
	start();
	rig_record(rig, 0, PERF_RECORD_COMM, comm, 2, RIG_SIDE_BAND, 3);
	pass();
	finish();
	assert_int_equal(rig_count(&got, PERF_RECORD_SAMPLE), 0);
	assert_int_equal(rig_count(&got, PERF_RECORD_COMM), 2);
}

/* Nothing waits for the disk: data for which it was too slow is counted. */
TEST(test_missed)
{
	enum { RECORDS = 4 * HISTORY / 64 };

	make(RIG_PLAIN);
	start();
	pass();
	samples(0, 1, RECORDS + 1);
	pass();
	stats = recording_stats(recording);
	assert_int_equal(stats.missed, RECORDS * 64 - HISTORY);
	finish();
	assert_int_equal(rig_count(&got, PERF_RECORD_SAMPLE), HISTORY / 64);
	/* the newest */
	for (size_t i = 0; i < HISTORY / 64; i++) {
		assert_true(rig_find(&got, PERF_RECORD_SAMPLE));
		assert_int_equal(rig_word(got.record + RECORD_SAMPLE_TIME),
				 RECORDS - HISTORY / 64 + 1 + i);
	}
}

/* Overwritten records that are not wanted do not count as missed. */
TEST(test_nothing_missed)
{
	make(RIG_PLAIN);
	samples(0, 1, 3000);
	collector_drain_all(rig->collector);
	start();
	samples(0, 3000, 3101);
	pass();
	finish();
	assert_int_equal(rig_count(&got, PERF_RECORD_SAMPLE), 101);
	assert_int_equal(stats.missed, 0);
	assert_int_equal(rig_count(&got, PERF_RECORD_LOST), 0);
}

/*
 * The file has a LOST where data is missing: of which ring, and before which
 * record.
 */
TEST(test_missed_told)
{
	enum { KEPT = HISTORY / 64, GONE = 976 };

	make(RIG_PLAIN);
	samples(2, 1, 2000);
	collector_drain_all(rig->collector);
	start();
	samples(2, 2000, 2000 + GONE + KEPT);
	pass();
	finish();
	assert_int_equal(stats.missed, GONE * 64);
	assert_int_equal(rig_count(&got, PERF_RECORD_LOST), 1);
	assert_true(rig_find(&got, PERF_RECORD_LOST));
	assert_int_equal(rig_word(got.record + 8), RIG_IDS + 2);
	assert_int_equal(rig_word(got.record + RECORD_LOST_COUNT), GONE);
	assert_int_equal(rig_word(got.record + 32), 2000 + GONE);
	assert_int_equal(rig_half(got.record + 40), 2);
	assert_int_equal(rig_word(got.record + 48), RIG_IDS + 2);
	assert_true(rig_next(&got));
	assert_int_equal(got.header.type, PERF_RECORD_SAMPLE);
	assert_int_equal(rig_word(got.record + RECORD_SAMPLE_TIME),
			 2000 + GONE);
	assert_int_equal(rig_count(&got, PERF_RECORD_SAMPLE), KEPT - 1);
}

TEST(test_delay)
{
	double before;

	make(RIG_PLAIN);
	start();
	pass();
	before = recording_delay(recording);
	samples(0, 1, HISTORY / 64 / 2);
	pass();
	assert_true(recording_delay(recording) < before);
	for (int i = 0; i < 20; i++)
		pass();
	assert_true(recording_delay(recording) >= before);
}

/*
 * Every byte once, then the tail is advanced, whatever the readers do
 * meanwhile.
 */
TEST(test_trace)
{
	const struct aux_ring *aux;

	make(RIG_FULL);
	aux = &rig->session.rings[1].aux;
	rig_trace(rig, 1, 0, 100, false);
	collector_drain_all(rig->collector);
	assert_int_equal(aux_ring_tail(aux), 100);
	start();
	rig_trace(rig, 1, 100, 5000, false);
	collector_drain_all(rig->collector);
	assert_int_equal(aux_ring_tail(aux), 100);
	pass();
	assert_int_equal(aux_ring_tail(aux), 5000);
	rig_trace(rig, 1, 5000, RIG_AUX + 4000, false);
	pass();
	rig_trace(rig, 1, RIG_AUX + 4000, RIG_AUX + 4001, false);
	finish();
	assert_int_equal(rig_count(&got, PERFDATA_RECORD_AUXTRACE), 3);
	rig_expect_trace(&got, 1, 100, 5000);
	rig_expect_trace(&got, 1, 5000, RIG_AUX + 4000);
	rig_expect_trace(&got, 1, RIG_AUX + 4000, RIG_AUX + 4001);
	assert_false(rig->session.held);
	assert_int_equal(rig->session.holds, 0);
	/* the readers have the ring again */
	rig_trace(rig, 1, RIG_AUX + 4001, RIG_AUX + 5000, false);
	collector_drain_all(rig->collector);
	assert_int_equal(aux_ring_tail(aux), RIG_AUX + 5000);
}

/* The rest of the ring of a CPU that went offline. */
TEST(test_offline)
{
	make(RIG_FULL);
	start();
	rig_trace(rig, 1, 0, 5000, false);
	pass();
	collector_retire(rig->collector, 1);
	rig_trace(rig, 1, 5000, 6000, false);
	pass();
	assert_int_equal(aux_ring_tail(&rig->session.rings[1].aux), 6000);
	pass();
	finish();
	assert_int_equal(rig_count(&got, PERFDATA_RECORD_AUXTRACE), 2);
	rig_expect_trace(&got, 1, 0, 5000);
	rig_expect_trace(&got, 1, 5000, 6000);
}

/* As the watch thread does: first the session, then the collector. */
static void come_back(size_t i)
{
	struct session_ring *ring = &rig->session.rings[i];
	const uint64_t owner = 999;
	const struct collector_ring fresh = {
		.ring = ring->ring, .cpu = ring->cpu, .ids = &owner,
		.nr_ids = 1, .aux = ring->aux,
	};

	rig->session.events[i][0].id = owner;
	ring->aux.page->aux_head = ring->aux.page->aux_tail = 0;
	memset(ring->aux.data, 0, RIG_AUX);
	rig_trace(rig, i, 0, 300, false);
	pass();
	/* no thread uses it yet */
	assert_int_equal(aux_ring_tail(&ring->aux), 0);
	assert_int_equal(collector_replace(rig->collector, i, &fresh,
					   &rig->err), 0);
}

/* A new ring, with positions from 0; the rest of the old one comes first. */
TEST(test_back)
{
	make(RIG_FULL);
	start();
	rig_trace(rig, 1, 0, 5000, false);
	pass();
	collector_retire(rig->collector, 1);
	pass();
	rig_trace(rig, 1, 5000, 5100, false);
	collector_leave_trace(rig->collector, 1);
	come_back(1);
	rig_trace(rig, 1, 300, 700, false);
	pass();
	assert_int_equal(aux_ring_tail(&rig->session.rings[1].aux), 700);
	finish();
	assert_int_equal(rig_count(&got, PERFDATA_RECORD_AUXTRACE), 3);
	rig_expect_trace(&got, 1, 0, 5000);
	rig_expect_trace(&got, 1, 5000, 5100);
	rig_expect_trace(&got, 1, 0, 700);
}

/* Trace is written from the start on, before the first pass and any task. */
TEST(test_trace_before_a_pass)
{
	make(RIG_FULL);
	start();
	rig_trace(rig, 1, 0, RIG_AUX, false);
	collector_flush_trace(rig->collector);
	rig_trace(rig, 1, RIG_AUX, 2 * RIG_AUX, false);
	collector_flush_trace(rig->collector);
	assert_int_equal(aux_ring_tail(&rig->session.rings[1].aux),
			 2 * RIG_AUX);
	pass();
	finish();
	/* a decoder needs these first */
	assert_true(rig_next(&got));
	assert_int_equal(got.header.type, PERFDATA_RECORD_ID_INDEX);
	assert_true(rig_next(&got));
	assert_int_equal(got.header.type, PERFDATA_RECORD_AUXTRACE_INFO);
	rig_expect_trace(&got, 1, 0, RIG_AUX);
	rig_expect_trace(&got, 1, RIG_AUX, 2 * RIG_AUX);
	assert_int_equal(rig_count(&got, PERFDATA_RECORD_AUXTRACE), 0);
}

/* Mount a file system of @size on the rig's directory. */
static void mount_small(const char *size)
{
	mounted = mount("tmpfs", rig->dir, "tmpfs", 0, size) == 0;
	if (!mounted)
		skip();
}

/* Fill the rings: as much as a pass may write. */
static void fill_rings(uint64_t round)
{
	for (size_t i = 0; i < RIG_RINGS; i++) {
		samples(i, 1 + round * 1000, 1001 + round * 1000);
		rig_trace(rig, i, round * RIG_AUX, (round + 1) * RIG_AUX,
			  false);
	}
	collector_drain_all(rig->collector);
}

/*
 * It ends with what was written until then: here in the third pass, for which
 * there is no room (each writes 235 KiB).
 */
static void small_disk(bool heed)
{
	uint64_t round = 0;

	make(RIG_FULL);
	mount_small("size=640k");
	start();
	while (round < 5 && !(heed && recording_full(recording))) {
		fill_rings(round++);
		pass();
	}
	assert_true(recording_full(recording));
	fill_rings(round);
	finish();
	assert_int_equal(rig_files(rig, NULL, 0), 1);
	assert_true(rig_count(&got, PERF_RECORD_SAMPLE) >= 2000);
	for (size_t i = 0; i < RIG_RINGS; i++)
		rig_expect_trace(&got, i, 0, RIG_AUX);
}

TEST(test_small_disk)
{
	small_disk(true);
}

/* It may be full in the middle of a pass. */
TEST(test_small_disk_pass)
{
	small_disk(false);
}

/* Another program may take the room for the last pass. */
TEST(test_small_disk_end)
{
	static const char zeros[540 << 10];
	char other[PATH_MAX];
	FILE *out;

	make(RIG_PLAIN);
	mount_small("size=640k");
	start();
	samples(0, 1, 101);
	pass();
	assert_false(recording_full(recording));
	snprintf(other, sizeof(other), "%s/other", rig->dir);
	out = fopen(other, "w");
	assert_non_null(out);
	assert_int_equal(fwrite(zeros, sizeof(zeros), 1, out), 1);
	assert_int_equal(fclose(out), 0);
	samples(0, 101, 901);
	collector_drain_all(rig->collector);
	finish();
	assert_true(stats.full);
	assert_int_equal(rig_count(&got, PERF_RECORD_SAMPLE), 100);
}

/*
 * --max-size: the file has all data until then, and exceeds it by at most a
 * chunk.
 */
TEST(test_max_size)
{
	uint64_t last = 1;

	make(RIG_PLAIN);
	max_bytes = 20000;
	start();
	max_bytes = 0;
	while (!recording_full(recording) && last < 2000) {
		samples(0, last, last + 100);
		last += 100;
		pass();
	}
	assert_in_range(last, 200, 1000);
	stats = recording_stats(recording);
	assert_true(stats.limited);
	assert_false(stats.full);
	assert_in_range(stats.bytes, 20000, 30000);
	samples(0, last, last + 500);
	collector_drain_all(rig->collector);
	finish();
	assert_in_range(rig_count(&got, PERF_RECORD_SAMPLE), last - 101,
			last - 1);
}

/*
 * Trace that reached --max-size has its AUX records, and no more trace follows.
 */
TEST(test_max_size_trace)
{
	make(RIG_FULL);
	/* what is written before any record takes a part of it */
	max_bytes = 10000;
	start();
	max_bytes = 0;
	samples(1, 1, 51);
	rig_trace(rig, 1, 0, RIG_AUX, false);
	collector_drain_all(rig->collector);
	collector_flush_trace(rig->collector);
	rig_trace(rig, 1, RIG_AUX, 2 * RIG_AUX, false);
	pass();
	assert_true(recording_full(recording));
	finish();
	assert_true(stats.limited);
	assert_false(stats.full);
	assert_int_equal(rig_count(&got, PERFDATA_RECORD_AUXTRACE), 1);
	rig_expect_trace(&got, 1, 0, RIG_AUX);
	assert_int_equal(rig_count(&got, PERF_RECORD_SAMPLE), 50);
}

TEST(test_cancel)
{
	make(RIG_FULL);
	start();
	samples(0, 1, 100);
	pass();
	recording_cancel(recording);
	recording = NULL;
	assert_int_equal(rig_files(rig, NULL, 0), 0);
	rig_trace(rig, 0, 0, 100, false);
	collector_drain_all(rig->collector);
	assert_int_equal(aux_ring_tail(&rig->session.rings[0].aux), 100);
}

TEST(test_disk_full)
{
	const struct rlimit small = { 64 << 10, RLIM_INFINITY };
	struct rlimit before;
	struct recording *r;
	int ret = 0;

	getrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, SIG_IGN);
	make(RIG_PLAIN);
	start();
	setrlimit(RLIMIT_FSIZE, &small);
	for (int i = 0; !ret && i < 8; i++) {
		samples(0, 1, 512);
		collector_drain_all(rig->collector);
		ret = recording_pass(recording, &rig->err);
	}
	if (!ret) {
		r = recording;
		recording = NULL;
		ret = recording_finish(r, path, beside, sizeof(path), &stats,
				       &rig->err);
	}
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(ret, -EFBIG);
	assert_non_null(strstr(rig->err.text, "File too large"));
	if (recording)
		recording_leave(recording);
	recording = NULL;
	/* what was written before can be read */
	assert_int_equal(rig_files(rig, NULL, 0), 1);
	rig_load(&got, path);
	assert_true(rig_count(&got, PERF_RECORD_SAMPLE) > 0);
}

TEST_GROUP(recording, .each_teardown = end);
