/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <linux/perf_event.h>

#include "auxtrace_rig.h"
#include "base/sys.h"
#include "perf/event/pmu.h"

enum { RING = 16384 };

/* An AUX ring in plain memory. */
static struct perf_event_mmap_page page;
static unsigned char data[RING];
static struct aux_ring ring;

static int make(void **state)
{
	rig_set_up(state);
	fake_tree_write(&tree, "intel_pt/type", "8\n");
	fake_tree_write(&tree, "intel_pt/nr_addr_filters", "2\n");
	fake_tree_write(&tree, "intel_pt/format/tsc", "config:10\n");
	fake_tree_write(&tree, "intel_pt/format/wide", "config:4-7,60-61\n");
	fake_tree_write(&tree, "intel_pt/format/other", "config1:0-3\n");
	fake_tree_write(&tree, "intel_pt/caps/hex", "3f\n");
	fake_tree_write(&tree, "intel_pt/caps/text", "many\n");
	fake_tree_write(&tree, "intel_pt/caps/none", "\n");
	fake_tree_write(&tree, "intel_bts/type", "7\n");
	fake_tree_write(&tree, "arm_spe_0/type", "9\n");
	fake_tree_write(&tree, "arm_spe_1/type", "10\n");
	fake_tree_write(&tree, "uncore/type", "12\n");
	return 0;
}

static int empty_ring(void **state)
{
	(void)state;
	memset(&page, 0, sizeof(page));
	memset(data, 0, sizeof(data));
	aux_ring_attach(&ring, &page, data, RING, true);
	sys_fail_at(SYS_OPEN_EVENT, 0, 0);
	return 0;
}

static void write_until(uint64_t head)
{
	memset(data, 0x55, head);
	page.aux_head = head;
}

static struct auxtrace snapshots(const struct auxtrace_ops *ops, uint64_t max)
{
	return (struct auxtrace){
		.ops = ops,
		.overwrite = true,
		.snapshot_bytes = max,
	};
}

static void is_span(struct auxtrace_span span, uint64_t from, uint64_t to)
{
	assert_int_equal(span.from, from);
	assert_int_equal(span.to, to);
}

TEST(numbers_of_files)
{
	uint64_t n = 77;

	assert_int_equal(pmu_number(env.pmus, "intel_pt", "type", false, &n),
			 0);
	assert_int_equal(n, 8);
	assert_int_equal(pmu_number(env.pmus, "intel_pt", "caps/hex", true,
					 &n),
			 0);
	assert_int_equal(n, 0x3f);
	assert_int_equal(pmu_number(env.pmus, "intel_pt", "caps/hex", false,
					 &n),
			 -EINVAL);
	assert_int_equal(pmu_number(env.pmus, "intel_pt", "caps/text", true,
					 &n),
			 -EINVAL);
	assert_int_equal(pmu_number(env.pmus, "intel_pt", "caps/none", true,
					 &n),
			 -EINVAL);
	assert_int_equal(pmu_number(env.pmus, "intel_pt", "caps/gone", true,
					 &n),
			 -ENOENT);
	assert_int_equal(pmu_number(env.pmus, "../intel_pt", "type", false,
					 &n),
			 -ENOENT);
	assert_int_equal(n, 0x3f);
}

TEST(masks_of_terms)
{
	assert_int_equal(auxtrace_term_mask(&env, "intel_pt", "tsc"), 0x400);
	assert_int_equal(auxtrace_term_mask(&env, "intel_pt", "wide"),
			 0x30000000000000f0);
	/* of another word, and without one */
	assert_int_equal(auxtrace_term_mask(&env, "intel_pt", "other"), 0);
	assert_int_equal(auxtrace_term_mask(&env, "intel_pt", "mtc"), 0);
	assert_int_equal(auxtrace_term_mask(&env, "gone", "tsc"), 0);
	assert_int_equal(pmu_scatter(0x2f, 0x30000000000000f0),
			 0x20000000000000f0);
	assert_int_equal(pmu_gather(0x20000000000000f5,
					 0x30000000000000f0),
			 0x2f);
}

TEST(what_terms_gave)
{
	struct event_spec spec = rig_event("intel_pt", "", 8, 0);

	assert_int_equal(auxtrace_given(&env, &spec), 0);
	spec = rig_event("intel_pt", "tsc=0", 8, 0);
	assert_int_equal(auxtrace_given(&env, &spec), 0x400);
	spec = rig_event("intel_pt", "wide=1,period=3,@sink,nonsense", 8, 0x10);
	assert_int_equal(auxtrace_given(&env, &spec), 0x30000000000000f0);
	spec = rig_event("intel_pt", "config=0x0", 8, 0);
	assert_int_equal(auxtrace_given(&env, &spec), UINT64_MAX);
	/* with a name= term: the fields that are not 0 */
	snprintf(spec.name, sizeof(spec.name), "mine");
	spec.attr.config = 0x20;
	assert_int_equal(auxtrace_given(&env, &spec), 0x30000000000000f0);
}

TEST_WITH(ring_that_was_never_full, empty_ring, NULL)
{
	struct auxtrace trace = snapshots(&auxtrace_intel_pt, 0);
	struct auxtrace_track track = { 0 };

	is_span(auxtrace_find(&trace, &track, &ring), 0, 0);
	write_until(1000);
	is_span(auxtrace_find(&trace, &track, &ring), 0, 1000);
	/* the whole of it again, not what came since */
	write_until(5000);
	is_span(auxtrace_find(&trace, &track, &ring), 0, 5000);
	/* near the end: the bytes before the head prove nothing */
	write_until(RING - 8);
	is_span(auxtrace_find(&trace, &track, &ring), 0, RING - 8);
	assert_false(track.full);
}

/* Wraps on the screen and the span of a snapshot depend on it. */
TEST_WITH(was_full, empty_ring, NULL)
{
	struct auxtrace_track track = { 0 };

	assert_false(auxtrace_was_full(&track, &ring, 0));
	/* the end of the first round: all trace is before the head */
	memset(data, 0x55, RING - 8);
	assert_false(auxtrace_was_full(&track, &ring, RING - 8));
	/* wrapped once, though the newest round ends in padding */
	memset(data + RING - 64, 0, 64);
	assert_true(auxtrace_was_full(&track, &ring, 300));
	memset(data, 0, RING);
	assert_true(auxtrace_was_full(&track, &ring, 400));
	track = (struct auxtrace_track){ 0 };
	assert_false(auxtrace_was_full(&track, &ring, 400));
	assert_true(auxtrace_was_full(&track, &ring, RING));
}

TEST_WITH(ring_that_wrapped, empty_ring, NULL)
{
	struct auxtrace trace = snapshots(&auxtrace_intel_pt, 0);
	struct auxtrace_track track = { 0 };

	memset(data, 0x55, RING);
	page.aux_head = 100;
	is_span(auxtrace_find(&trace, &track, &ring), 100, RING + 100);
	assert_true(track.full);
	/* it stays so, whatever the ring contains */
	memset(data, 0, RING);
	page.aux_head = 300;
	is_span(auxtrace_find(&trace, &track, &ring), 300, RING + 300);
	page.aux_head = 0;
	is_span(auxtrace_find(&trace, &track, &ring), 0, RING);
}

/* One byte at the very end is enough to show it. */
TEST_WITH(ring_with_a_last_byte, empty_ring, NULL)
{
	struct auxtrace trace = snapshots(&auxtrace_intel_pt, 0);
	struct auxtrace_track track = { 0 };

	data[RING - 1] = 1;
	page.aux_head = 4096;
	is_span(auxtrace_find(&trace, &track, &ring), 4096, RING + 4096);
}

TEST_WITH(head_that_runs_freely, empty_ring, NULL)
{
	struct auxtrace trace = snapshots(&auxtrace_cs_etm, 0);
	struct auxtrace_track track = { 0 };

	write_until(700);
	is_span(auxtrace_find(&trace, &track, &ring), 0, 700);
	page.aux_head = RING;
	is_span(auxtrace_find(&trace, &track, &ring), 0, RING);
	page.aux_head = 5 * RING + 12;
	/* the frame that is being written over there is incomplete */
	is_span(auxtrace_find(&trace, &track, &ring), 4 * RING + 16,
		5 * RING + 12);
}

TEST_WITH(newest_of_it, empty_ring, NULL)
{
	struct auxtrace trace = snapshots(&auxtrace_intel_pt, 4096);
	struct auxtrace_track track = { 0 };
	struct aux_pieces pieces;

	write_until(1000);
	is_span(auxtrace_find(&trace, &track, &ring), 0, 1000);
	memset(data, 0x55, RING);
	is_span(auxtrace_find(&trace, &track, &ring), RING + 1000 - 4096,
		RING + 1000);
	pieces = auxtrace_pieces(&trace, &ring,
				 auxtrace_find(&trace, &track, &ring));
	assert_ptr_equal(pieces.data[0], data + RING + 1000 - 4096);
	assert_int_equal(pieces.len[0], 3096);
	assert_ptr_equal(pieces.data[1], data);
	assert_int_equal(pieces.len[1], 1000);
}

/* Full trace: the trace that was not consumed yet. */
TEST_WITH(ring_of_full_trace, empty_ring, NULL)
{
	struct auxtrace trace = { .ops = &auxtrace_intel_pt };
	struct auxtrace_track track = { 0 };

	page.aux_tail = 9000;
	page.aux_head = 12345;
	is_span(auxtrace_find(&trace, &track, &ring), 9000, 12345);
	page.aux_tail = page.aux_head = 12400;
	is_span(auxtrace_find(&trace, &track, &ring), 12400, 12400);
}

/* Both pieces; for BTS without the bytes that no record uses. */
TEST_WITH(copied, empty_ring, NULL)
{
	const struct auxtrace_span around = { RING - 24, RING + 24 };
	struct auxtrace pt = { .ops = &auxtrace_intel_pt };
	struct auxtrace bts = { .ops = &auxtrace_intel_bts };
	unsigned char out[48];

	memset(data, 1, 24);
	memset(data + RING - 24, 2, 24);
	assert_int_equal(auxtrace_copy(&pt, &ring, around, out), 48);
	assert_int_equal(out[0], 2);
	assert_int_equal(out[23], 2);
	assert_int_equal(out[24], 1);
	assert_int_equal(out[47], 1);
	memset(out, 0, sizeof(out));
	assert_int_equal(auxtrace_copy(&bts, &ring,
				       (struct auxtrace_span){ RING - 20,
							       RING + 24 },
				       out), 24);
	assert_int_equal(out[0], 1);
	assert_int_equal(out[24], 0);
}

/* Frames of 16 bytes; the last one may still be filling. */
TEST_WITH(whole_frames, empty_ring, NULL)
{
	struct auxtrace trace = snapshots(&auxtrace_cs_etm, 1000);
	struct auxtrace_track track = { 0 };
	struct auxtrace_span span;
	unsigned char out[1000];

	write_until(2004);
	span = auxtrace_find(&trace, &track, &ring);
	is_span(span, 1008, 2004);
	assert_int_equal(auxtrace_copy(&trace, &ring, span, out), 996);
	/* across the end */
	page.aux_head = RING + 96;
	span = auxtrace_find(&trace, &track, &ring);
	is_span(span, RING + 96 - 992, RING + 96);
	assert_int_equal(auxtrace_copy(&trace, &ring, span, out), 992);
}

/* 16384 = 682 * 24 + 16: the last 16 bytes of the ring are never written. */
TEST_WITH(whole_records, empty_ring, NULL)
{
	struct auxtrace trace = snapshots(&auxtrace_intel_bts, 0);
	struct auxtrace_track track = { 0 };
	struct auxtrace_span span;
	struct aux_pieces pieces;

	write_until(48);
	is_span(auxtrace_find(&trace, &track, &ring), 0, 48);
	memset(data, 0x55, RING - 16);
	span = auxtrace_find(&trace, &track, &ring);
	is_span(span, 48, RING + 48);
	pieces = auxtrace_pieces(&trace, &ring, span);
	assert_ptr_equal(pieces.data[0], data + 48);
	assert_int_equal(pieces.len[0], RING - 16 - 48);
	assert_int_equal(pieces.len[1], 48);
}

TEST_WITH(newest_whole_records, empty_ring, NULL)
{
	struct auxtrace trace = snapshots(&auxtrace_intel_bts, 1000);
	struct auxtrace_track track = { .full = true };
	struct aux_pieces pieces;
	struct auxtrace_span span;

	page.aux_head = 4800;
	/* 3800 is in the middle of the 159th, 3816 begins the next */
	is_span(auxtrace_find(&trace, &track, &ring), RING + 3816, RING + 4800);
	/* the newest 1000 begin in the 16 bytes that no record uses */
	page.aux_head = 984;
	trace.snapshot_bytes = 990;
	span = auxtrace_find(&trace, &track, &ring);
	is_span(span, RING, RING + 984);
	pieces = auxtrace_pieces(&trace, &ring, span);
	assert_ptr_equal(pieces.data[0], data);
	assert_int_equal(pieces.len[0], 984);
	/* less than a record counts as nothing */
	page.aux_head = 24;
	trace.snapshot_bytes = 10;
	is_span(auxtrace_find(&trace, &track, &ring), RING + 24, RING + 24);
}

TEST(sizes_by_default)
{
	struct event_spec spec = rig_event("intel_pt", "", 8, 0);
	struct session_opts session = rig_session(TARGET_SYSTEM, &spec, 1);
	struct auxtrace_opts opts = { 0 };
	struct auxtrace trace = rig_open(&opts, &session);

	assert_ptr_equal(trace.ops, &auxtrace_intel_pt);
	assert_string_equal(trace.pmu, "intel_pt");
	assert_int_equal(trace.spec, 0);
	assert_true(trace.overwrite);
	assert_true(trace.per_cpu);
	assert_false(trace.by_task);
	assert_true(spec.aux);
	assert_true(session.aux_overwrite);
	assert_int_equal(session.aux_bytes, 4 << 20);
	assert_int_equal(session.ring_bytes, 0);
	assert_int_equal(trace.snapshot_bytes, 0);
}

TEST(sizes_without_privilege)
{
	struct event_spec spec = rig_event("intel_pt", "", 8, 0);
	struct session_opts session = rig_session(TARGET_TASKS, &spec, 1);
	struct auxtrace_opts opts = { .full_trace = true };
	struct auxtrace trace;

	env.privileged = false;
	trace = rig_open(&opts, &session);
	assert_false(trace.overwrite);
	assert_false(session.aux_overwrite);
	assert_true(trace.by_task);
	assert_int_equal(session.aux_bytes, 128 << 10);
	assert_int_equal(session.ring_bytes, 256 << 10);
	/* -m 64K, for the data rings, is kept */
	session.ring_bytes = 64 << 10;
	rig_open(&opts, &session);
	assert_int_equal(session.ring_bytes, 64 << 10);
	env.privileged = true;
}

TEST(sizes_that_were_given)
{
	struct event_spec spec = rig_event("intel_pt", "", 8, 0);
	struct session_opts session = rig_session(TARGET_THREADS, &spec, 1);
	struct auxtrace_opts opts = { .aux_bytes = 1 << 20,
				      .snapshot_bytes = 100000 };
	struct auxtrace trace = rig_open(&opts, &session);

	assert_int_equal(session.aux_bytes, 1 << 20);
	assert_int_equal(trace.snapshot_bytes, 100000);
	assert_false(trace.per_cpu);
	/* -S without a size: as large a ring as is possible */
	opts.aux_bytes = 0;
	trace = rig_open(&opts, &session);
	assert_int_equal(session.aux_bytes, 128 << 10);
	assert_int_equal(trace.snapshot_bytes, 100000);
	/* rounded up, as perf does */
	opts = (struct auxtrace_opts){ .aux_bytes = 3 << 20 };
	rig_open(&opts, &session);
	assert_int_equal(session.aux_bytes, 4 << 20);
}

TEST(sizes_that_do_not_do)
{
	struct event_spec spec = rig_event("intel_pt", "", 8, 0);
	struct session_opts session = rig_session(TARGET_SYSTEM, &spec, 1);
	struct auxtrace_opts opts = { .aux_bytes = 4096, .full_trace = true };

	rig_refused(&opts, &session, "at least 8K");
	opts.full_trace = false;
	rig_open(&opts, &session);
	spec = rig_event("arm_spe_0", "", 9, 0);
	rig_refused(&opts, &session, "at least 8K");
	spec = rig_event("intel_pt", "", 8, 0);
	opts = (struct auxtrace_opts){ .aux_bytes = 65536,
				       .snapshot_bytes = 65537 };
	rig_refused(&opts, &session, "more than an AUX ring of 64K holds");
	opts = (struct auxtrace_opts){ .aux_bytes = UINT64_MAX };
	rig_refused(&opts, &session, "no machine has that much memory");
}

TEST(kinds_that_do_not_go_together)
{
	struct event_spec specs[3] = {
		rig_event("intel_pt", "", 8, 0),
		{ .name = "cpu-clock", .attr = { .type = 1 } },
		rig_event("intel_bts", "", 7, 0),
	};
	struct session_opts session = rig_session(TARGET_THREADS, specs, 3);
	struct auxtrace_opts opts = { 0 };

	rig_refused(&opts, &session,
		    "intel_pt and intel_bts: only one");
	specs[2] = specs[0];
	rig_refused(&opts, &session, "intel_pt twice");
}

/* One PMU per kind of core: an event of each is one kind of trace. */
TEST(several_spes)
{
	struct event_spec specs[3] = {
		{ .name = "cpu-clock", .attr = { .type = 1 } },
		rig_event("arm_spe_0", "", 9, 0),
		rig_event("arm_spe_1", "", 10, 0),
	};
	struct session_opts session = rig_session(TARGET_SYSTEM, specs, 3);
	struct auxtrace_opts opts = { 0 };
	struct auxtrace trace = rig_open(&opts, &session);

	assert_int_equal(trace.spec, 1);
	assert_string_equal(trace.pmu, "arm_spe_0");
	assert_false(specs[0].aux);
	assert_true(specs[1].aux);
	assert_true(specs[2].aux);
	specs[2] = specs[1];
	rig_refused(&opts, &session, "arm_spe_0 twice");
}

TEST(nothing_that_traces)
{
	struct event_spec spec = { .name = "cpu-clock", .attr = { .type = 1 } };
	struct session_opts session = rig_session(TARGET_SYSTEM, &spec, 1);
	struct auxtrace_env bare = { .pmus = "/nowhere", .cpus = "/nowhere" };
	struct auxtrace_opts opts = { 0 };
	struct auxtrace trace;
	struct err err = { 0 };

	assert_int_equal(auxtrace_open(&env, &opts, &session, &trace, &err), 0);
	assert_int_equal(err.kind, ERR_NONE);
	assert_null(trace.ops);
	assert_false(spec.aux);
	opts.asked = true;
	rig_refused(&opts, &session,
		    "arm_spe_0//, arm_spe_1//, intel_bts//, intel_pt//");
	assert_true(auxtrace_open(&bare, &opts, &session, &trace, &err) < 0);
	assert_int_equal(err.kind, ERR_MACHINE);
	assert_non_null(strstr(err.text, "this machine has no PMU that does"));
}

/* Another PMU is tried; this one does not exist. */
TEST(pmu_that_takes_no_mapping)
{
	struct event_spec spec = rig_event("uncore", "", 4000000000u, 0);
	struct session_opts session = rig_session(TARGET_SYSTEM, &spec, 1);
	struct auxtrace_opts opts = { 0 };
	struct auxtrace trace;
	struct err err = { 0 };

	assert_int_equal(auxtrace_open(&env, &opts, &session, &trace, &err), 0);
	assert_false(spec.aux);
	/* a software event can be opened, but not mapped either */
	spec = rig_event("software", "", PERF_TYPE_SOFTWARE,
			 PERF_COUNT_SW_DUMMY);
	assert_false(auxtrace_generic_maps(&spec));
	/* none of the kernel's own types is tried */
	sys_fail_at(SYS_OPEN_EVENT, 1, EIO);
	assert_int_equal(auxtrace_open(&env, &opts, &session, &trace, &err), 0);
	assert_int_equal(sys_perf_event_open(&spec.attr, 0, -1, -1, 0), -EIO);
}

static void with_filter(struct event_spec *spec, const char *filter)
{
	free(spec->aux_filter);
	spec->aux_filter = strdup(filter);
}

TEST(filters)
{
	struct event_spec spec = rig_event("intel_pt", "", 8, 0);
	struct session_opts session = rig_session(TARGET_TASKS, &spec, 1);
	struct auxtrace_opts opts = { 0 };

	with_filter(&spec, "filter 0x10/0x20 @ /dev/../etc/passwd");
	rig_open(&opts, &session);
	assert_string_equal(spec.address_filter,
			    "filter 0x10/0x20@/etc/passwd");
	/* each process of a CPU has the file at another address */
	session.target.mode = TARGET_SYSTEM;
	rig_refused(&opts, &session, "a filter on a file needs tasks");
	with_filter(&spec, "start 0x10,stop 0x20");
	rig_open(&opts, &session);
	assert_string_equal(spec.address_filter, "start 0x10,stop 0x20");
	with_filter(&spec, "start 1,start 2,start 3");
	rig_refused(&opts, &session,
		    "3 address filters, and intel_pt takes at most 2");
	with_filter(&spec, "nonsense");
	rig_refused(&opts, &session, "no such filter");
	snprintf(spec.pmu, sizeof(spec.pmu), "arm_spe_0");
	with_filter(&spec, "start 1");
	rig_refused(&opts, &session, "arm_spe_0 takes no address filters");
	free(spec.aux_filter);
	free(spec.address_filter);
}

TEST(filter_of_what_does_not_trace)
{
	struct event_spec spec = { .name = "cpu-clock", .attr = { .type = 1 } };
	struct session_opts session = rig_session(TARGET_TASKS, &spec, 1);
	struct auxtrace_opts opts = { 0 };

	with_filter(&spec, "start 1");
	rig_refused(&opts, &session, "'cpu-clock' does not trace");
	free(spec.aux_filter);
}

TEST(references_go_up)
{
	uint64_t before = auxtrace_reference();

	assert_true(auxtrace_reference() >= before);
	assert_int_equal(auxtrace_read_finish(-1), -EBADF);
}

TEST(this_machine)
{
	struct auxtrace_env here;

	auxtrace_env_here(&here);
	assert_string_equal(here.pmus, "/sys/bus/event_source/devices");
	assert_string_equal(here.cpus, "/sys/devices/system/cpu");
}

TEST_GROUP(auxtrace, .setup = make, .teardown = rig_tear_down);
