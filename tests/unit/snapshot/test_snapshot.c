/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "trace/snapshot/snapshot.h"
#include "tests/unit/snapshot/snapshot_rig.h"

static struct rig *rig;
static struct snapshot_from origin;
static struct snapshot snapshot;

static int end(void **state)
{
	(void)state;
	snapshot_free(&origin, &snapshot);
	snapshot_from_free(&origin);
	rig_free(rig);
	return 0;
}

static int take(const size_t *rings, size_t nr)
{
	origin.session = &rig->session;
	origin.trace = rig->session.has_aux ? &rig->trace : NULL;
	snapshot_free(&origin, &snapshot);
	return snapshot_take(&origin, rings, nr, &snapshot, &rig->err);
}

static void expect(size_t at, size_t ring, uint64_t from, uint64_t to)
{
	const struct snapshot_ring *r = &snapshot.rings[at];

	assert_int_equal(r->ring, ring);
	assert_int_equal(r->cpu, ring);
	assert_int_equal(r->tid, -1);
	assert_int_equal(r->trace_len, to - from);
	for (uint64_t i = from; i < to; i++)
		assert_int_equal(r->trace[i - from], rig_byte(ring, i));
}

/* Everything since the beginning, as long as the ring was never full. */
TEST(test_filling)
{
	rig = rig_new(RIG_SNAPSHOT, 1);
	rig_trace(rig, 0, 0, 5000, true);
	rig_trace(rig, 1, 0, 8, true);
	assert_int_equal(take(NULL, 0), 0);
	assert_int_equal(snapshot.nr, RIG_RINGS);
	expect(0, 0, 0, 5000);
	expect(1, 1, 0, 8);
	expect(2, 2, 0, 0);
	assert_int_equal(snapshot.bytes, 5008);
	assert_true(snapshot.spread == 0.25);
	assert_int_equal(rig->session.holds, 1);
	assert_false(rig->session.held);
	rig_trace(rig, 0, 5000, 6000, true);
	assert_int_equal(take(NULL, 0), 0);
	expect(0, 0, 0, 6000);
}

/* From then on the whole ring, ending at the head, offset or not. */
TEST(test_full)
{
	rig = rig_new(RIG_SNAPSHOT, 1);
	rig_trace(rig, 0, 0, RIG_AUX + 100, true);
	rig_trace(rig, 1, 0, 5 * RIG_AUX + 200, false);
	assert_int_equal(take(NULL, 0), 0);
	expect(0, 0, 100, RIG_AUX + 100);
	expect(1, 1, 4 * RIG_AUX + 200, 5 * RIG_AUX + 200);
	/* the position of the head does not matter for that any more */
	rig_trace(rig, 0, RIG_AUX + 100, 2 * RIG_AUX, true);
	assert_int_equal(take(NULL, 0), 0);
	expect(0, 0, RIG_AUX, 2 * RIG_AUX);
}

TEST(test_most)
{
	rig = rig_new(RIG_SNAPSHOT, 1);
	rig->trace.snapshot_bytes = 4096;
	rig_trace(rig, 0, 0, RIG_AUX + 100, true);
	rig_trace(rig, 1, 0, 4000, true);
	assert_int_equal(take(NULL, 0), 0);
	expect(0, 0, RIG_AUX + 100 - 4096, RIG_AUX + 100);
	expect(1, 1, 0, 4000);
	assert_int_equal(snapshot.rings[0].trace_cap, 4096);
}

/* The others are not stopped. */
TEST(test_some)
{
	const size_t rings[] = { 2, 0 };

	rig = rig_new(RIG_SNAPSHOT, 1);
	rig_trace(rig, 2, 0, 300, true);
	assert_int_equal(take(rings, 2), 0);
	assert_int_equal(snapshot.nr, 2);
	expect(0, 0, 0, 0);
	expect(1, 2, 0, 300);
	assert_false(rig->session.skipped[0]);
	assert_true(rig->session.skipped[1]);
	assert_false(rig->session.skipped[2]);
}

static void scribble(struct session *s)
{
	memset(s->rings[0].aux.data, 0xee, RIG_AUX);
}

static void settle(struct session *s)
{
	(void)s;
	rig_trace(rig, 0, 0, 1000, true);
}

/* The content while tracing is stopped, and nothing else. */
TEST(test_stopped)
{
	rig = rig_new(RIG_SNAPSHOT, 1);
	rig_trace(rig, 0, 0, 500, true);
	rig->session.on_hold = settle;
	rig->session.on_release = scribble;
	assert_int_equal(take(NULL, 0), 0);
	expect(0, 0, 0, 1000);
	assert_true(snapshot.stopped >= 0);
}

TEST(test_refused)
{
	rig = rig_new(RIG_SNAPSHOT, 1);
	rig->session.refuse = -ENODEV;
	assert_int_equal(take(NULL, 0), -ENODEV);
	assert_string_equal(rig->err.text, "stopping the trace: refused");
	assert_false(rig->session.held);
	assert_int_equal(snapshot.nr, 0);
}

TEST(test_nothing)
{
	const size_t missing[] = { 7 };

	rig = rig_new(RIG_PLAIN, 0);
	assert_int_equal(take(NULL, 0), -ENODATA);
	assert_non_null(strstr(rig->err.text, "overwrite ring"));
	assert_int_equal(rig->session.holds, 0);
	assert_int_equal(take(missing, 1), -ENODATA);
}

/* A CPU is online again: another ring, which was never full. */
TEST(test_new_ring)
{
	rig = rig_new(RIG_SNAPSHOT, 1);
	rig_trace(rig, 0, 0, RIG_AUX + 100, true);
	assert_int_equal(take(NULL, 0), 0);
	memset(rig->session.rings[0].aux.data, 0, RIG_AUX);
	rig->session.events[0][0].id = 999;
	rig_trace(rig, 0, 0, 50, true);
	assert_int_equal(take(NULL, 0), 0);
	expect(0, 0, 0, 50);
}

/* The size changes between planning and stop: it is planned again. */
static void shrink(struct session *s)
{
	s->rings[0].aux.size = RIG_AUX / 2;
	rig_trace(rig, 0, 0, 3 * RIG_AUX, false);
	s->on_hold = NULL;
}

TEST(test_replaced)
{
	rig = rig_new(RIG_SNAPSHOT, 1);
	rig->session.on_hold = shrink;
	assert_int_equal(take(NULL, 0), 0);
	assert_int_equal(rig->session.holds, 2);
	expect(0, 0, 5 * RIG_AUX / 2, 3 * RIG_AUX);
}

/* A task's ring on a CPU has the task's name. */
TEST(test_place)
{
	pid_t tid = 4711;

	rig = rig_new(RIG_SNAPSHOT, 1);
	rig->session.map = (struct target_map){ .tids = &tid, .nr_tids = 1 };
	rig->session.rings[1].cpu = -1;
	rig->session.rings[1].tid = 4712;
	assert_int_equal(take(NULL, 0), 0);
	assert_int_equal(snapshot.rings[0].cpu, 0);
	assert_int_equal(snapshot.rings[0].tid, 4711);
	assert_int_equal(snapshot.rings[1].cpu, -1);
	assert_int_equal(snapshot.rings[1].tid, 4712);
}

/*
 * An overwrite ring: its data, its head, and records written during the
 * copying.
 */
TEST(test_overwrite)
{
	struct perf_event_mmap_page *page;

	rig = rig_new(RIG_OVERWRITE, 0);
	page = rig->session.rings[1].ring.page;
	fake_ring_word(&rig->fakes[1], (uint64_t)-64, 0x1122334455667788);
	page->data_head = (uint64_t)-64;
	assert_int_equal(take(NULL, 0), 0);
	assert_int_equal(snapshot.nr, RIG_RINGS);
	assert_int_equal(ring_head(&snapshot.rings[1].data), 64);
	assert_int_equal(snapshot.rings[1].newer, 64);
	assert_int_equal(ring_word(&snapshot.rings[1].data, (uint64_t)-64),
			 0x1122334455667788);
	assert_int_equal(snapshot.bytes, RIG_RINGS * RIG_DATA);
	/* nothing that traces is stopped for it */
	assert_int_equal(rig->session.holds, 0);
}

static int prepare(uint64_t limit)
{
	origin.session = &rig->session;
	origin.trace = &rig->trace;
	origin.memory.limit = limit;
	return snapshot_prepare(&origin, &rig->err);
}

/* Memory is allocated for what is copied, and not for other rings. */
TEST(test_prepare)
{
	rig = rig_new(RIG_SNAPSHOT, 1);
	assert_int_equal(prepare(RIG_RINGS * RIG_AUX - 1), 0);
	assert_int_equal(origin.memory.nr, RIG_RINGS - 1);
	assert_int_equal(origin.memory.bytes, (RIG_RINGS - 1) * RIG_AUX);
	assert_int_equal(prepare(RIG_RINGS * RIG_AUX), 0);
	assert_int_equal(origin.memory.nr, RIG_RINGS);
	/* more memory than any machine has */
	rig->session.rings[0].ring.size = 1ULL << 60;
	rig->session.rings[0].ring.overwrite = true;
	assert_int_equal(prepare(64 << 20), 0);
	assert_int_equal(origin.memory.nr, RIG_RINGS);
	rig->session.rings[0].ring.size = RIG_DATA;
}

TEST_GROUP(snapshot, .each_teardown = end);
