/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <string.h>

#include "host/table/host_advice.h"
#include "host/table/host_remedy.h"

/*
 * A ring of 512K, woken at a quarter, seen to be drained between any two
 * passes.
 */
static struct advice_input usual(void)
{
	return (struct advice_input){
		.size = 512 << 10,
		.page_size = 4096,
		.peak = 300 << 10,
		.burst_bytes_per_s = 4 << 20,
		.poll_interval = 0.1,
		.watermark = 128 << 10,
	};
}

static void check(const struct advice_input *in, const char *text,
		  const char *reason)
{
	struct advice out;

	host_advice_make(in, &out);
	assert_true(out.valid);
	assert_string_equal(out.text, text);
	assert_string_equal(out.reason, reason);
}

/* In a gap the ring was filled and records were lost: grow to twice the sum. */
TEST(test_grow)
{
	struct advice_input in = usual();
	struct advice out;

	in.size = 16 << 10;
	in.watermark = 4 << 10;
	in.lost = 1234;
	in.lost_in_gap = 40 << 10;
	in.poll_interval = 0.073;
	host_advice_make(&in, &out);
	assert_int_equal(out.need, 2 * (56 << 10));
	assert_int_equal(out.pages, 32);
	/* A ring so much larger may wake its owner later than any gap seen. */
	check(&in, "grow to 32 pages (128K): 2 x (16K ring + 40K lost in one "
	      "gap); then check again: it may need more",
	      "1,234 records lost: more than the ring's 16K arrived before its "
	      "owner drained it");
	/* the total of the ring is higher */
	in.excused = true;
	host_advice_make(&in, &out);
	assert_string_equal(out.reason, "1,234 records lost while watched: "
			    "more than the ring's 16K arrived before its owner "
			    "drained it");
	in.lost_stopped = 7;
	in.lost_age = 59;
	host_advice_make(&in, &out);
	assert_memory_equal(out.reason, "1,234 records lost while its owner "
			    "ran: more", 44);
	in.lost_age = 725;
	host_advice_make(&in, &out);
	assert_memory_equal(out.reason, "1,234 records lost while its owner "
			    "ran, none for 12m05: more", 59);
	in.lost_age = 0;
	in.lost_stopped = in.excused = 0;
	in.lost_in_gap = 10 << 10;
	host_advice_make(&in, &out);
	assert_string_equal(out.text, "grow to 16 pages (64K): 2 x (16K ring + "
			    "10K lost in one gap)");
	in.lost_in_gap = 40 << 10;
	/* A larger ring wakes its owner when half full. */
	in.watermark = 8 << 10;
	host_advice_make(&in, &out);
	assert_int_equal(out.need, 144 << 10);
	assert_int_equal(out.pages, 64);
	assert_true(out.early);
	assert_non_null(strstr(out.text, "grow to 64 pages (256K): 1.5 x (16K "
			       "ring + 2 x 40K lost in one gap)"));
	in.wakeup_events = 1;
	host_advice_make(&in, &out);
	assert_int_equal(out.need, 70 << 10);
	assert_int_equal(out.pages, 32);
}

/*
 * At most the bytes of the time between two passes: the bound is what was lost.
 */
TEST(test_bound)
{
	struct advice_input in = usual();
	struct advice out;

	in.lost = 1;
	in.lost_in_gap = 48;
	in.burst_bytes_per_s = 4e9;
	in.worst_gap = 1.4;
	host_advice_make(&in, &out);
	assert_int_equal(out.pages, 512);
	check(&in, "grow to 512 pages (2M): 2 x (512K ring + 48B lost in one "
	      "gap)", "1 record lost: more than the ring's 512K arrived before "
	      "its owner drained it");
}

/* Short gaps were not seen one by one: the loss in one is a mean. */
TEST(test_short_gaps)
{
	static const char why[] = "1,234 records lost: more than the ring's 4K "
		"arrived before its owner drained it";
	struct advice_input in = usual();

	in.size = 4 << 10;
	in.watermark = 1;
	in.lost = 1234;
	in.lost_in_gap = 155;
	in.max_per_s = 50 << 20;
	check(&in, "grow to 128 pages (512K): what a burst of >= 50M/s brings in "
	      "the 10ms that its reader may wait for a CPU; then check again: "
	      "it may need more", why);
	/* twice if a larger ring wakes its reader later, */
	in.watermark = 2048;
	in.comm = "perf";
	check(&in, "grow to -m 256 (1M): twice what a burst of >= 50M/s "
	      "brings in the 10ms that its reader may wait for a CPU; then "
	      "check again: it may need more", why);
	in.watermark = 1;
	in.comm = NULL;
	/* for longer if it waited for a CPU for much of the time, */
	in.waited = 0.29;
	check(&in, "grow to 128 pages (512K): what a burst of >= 50M/s brings in "
	      "the 10ms that its reader may wait for a CPU; then check again: "
	      "it may need more", why);
	in.waited = 0.5;
	check(&in, "grow to 256 pages (1M): what a burst of >= 50M/s brings in "
	      "the 20ms that its reader may wait for a CPU; then check again: "
	      "it may need more", why);
	in.waited = 1;
	check(&in, "grow to 512 pages (2M): what a burst of >= 50M/s brings in "
	      "the 40ms that its reader may wait for a CPU; then check again: "
	      "it may need more", why);
	in.waited = 0;
	/* also where a longer gap was seen, or the size would waver, */
	in.worst_gap = 0.1;
	check(&in, "grow to 128 pages (512K): what a burst of >= 50M/s brings in "
	      "the 10ms that its reader may wait for a CPU; then check again: "
	      "it may need more", why);
	/* but not where the loss says more, a while ago if it is so */
	in.lost_in_gap = 1 << 20;
	in.gap_age = 59;
	check(&in, "grow to 1024 pages (4M): 2 x (4K ring + 1M lost in one "
	      "gap); then check again: it may need more", why);
	in.gap_age = 300;
	check(&in, "grow to 1024 pages (4M): 2 x (4K ring + 1M lost in one "
	      "gap 5m00 ago); then check again: it may need more", why);
	/* 64M on each CPU is not spared on a guess */
	in.lost_in_gap = 20 << 20;
	check(&in, "try 4096 pages (16M), but its reader may be too slow: 20M "
	      "was lost in one gap; if records are still lost, it is too slow", why);
}

#define HELPS \
	"What helps: fewer or smaller records, or more CPU time for the reader"

TEST(test_doubts)
{
	static const char why[] = "9 records lost: more than the ring's 512K "
		"arrived before its owner drained it";
	struct advice_input in = usual();

	in.lost = 9;
	in.lost_in_gap = 9 * 100;
	in.record = 100;
	in.largest_seen = 401;
	check(&in, "grow to 512 pages (2M): 2 x (512K ring + 900B lost in one "
	      "gap); may be too small: the size of records varies", why);
	in.may_lag = true;
	in.largest_seen = 400;
	check(&in, "grow to 512 pages (2M): 2 x (512K ring + 900B lost in one "
	      "gap); then check again: it may need more",
	      "9 records lost: more than the ring's 512K arrived before its "
	      "owner drained it. If a larger ring is not enough, send fewer "
	      "or smaller records, or give the reader more CPU time");
	/* no more than is worth a try */
	in.taken_per_s = 1 << 20;
	in.came_per_s = 9 << 20;
	in.lost_in_gap = 100 << 20;
	check(&in, "try 4096 pages (16M), but its reader may be too slow: it "
	      "reads 1M/s, and at least 9M/s arrives; if records are "
	      "still lost, it is too slow",
	      "9 records lost: more than the ring's 512K arrived before its "
	      "owner drained it. If a larger ring is not enough, send fewer "
	      "or smaller records, or give the reader more CPU time");
}

/* A ring that was watched only briefly. */
TEST(test_early)
{
	struct advice_input in = usual();

	in.lost = 9;
	in.lost_in_gap = 9 * 100;
	in.early = true;
	check(&in, "grow to 512 pages (2M): 2 x (512K ring + 900B lost in one "
	      "gap); may be too small: watched for less than 10s", "9 records lost: "
	      "more than the ring's 512K arrived before its owner drained "
	      "it");
}

/* "fits" alone would contradict the total of losses. */
TEST(test_lost_before)
{
	static const char why[] = "nothing else lost in 8s; at most between "
		"two drains: burst >= 4M/s x gap <= 100ms = 410K";
	struct advice_input in = usual();

	struct advice out;

	in.watched = 8;
	in.excused = true;
	in.lost_before = 1673920;
	check(&in, "1.67M lost before rbtop watched it, none since: fits "
	      "so far, peak seen 58% of 512K", why);
	host_advice_make(&in, &out);
	assert_int_equal(out.verdict, VERDICT_OK);
	/* for the first seconds it is open */
	in.early = true;
	host_advice_make(&in, &out);
	assert_int_equal(out.verdict, VERDICT_UNKNOWN);
	in.early = false;
	in.usual = true;
	check(&in, "1.67M lost before rbtop watched it, none since: "
	      "fits, peak seen 58% of 512K", why);
}

/* What to set stands in place of the size, if it changes. */
TEST(test_names_the_setting)
{
	struct advice_input in = usual();
	struct advice out;

	in.comm = "perf";
	in.lost = 1;
	in.lost_in_gap = 4096;
	host_advice_make(&in, &out);
	assert_string_equal(out.text, "grow to -m 512 (2M): 2 x (512K ring + "
			    "4K lost in one gap)");
	host_advice_share(&in, in.size / in.page_size, "CPU 1", &out);
	assert_null(strstr(out.text, "-m"));
	assert_true(out.shared);
}

/* One setting for all of an owner's rings: the ring that needs most decides. */
TEST(test_share)
{
	static const struct {
		uint64_t max;
		const char *text;
	} cases[] = {
		{ 512, "grow to 512 pages (2M), which CPU 1 of its owner "
		  "needs; 32 for this one alone" },
		{ 128, "keep 128 pages (512K), which CPU 1 of its owner "
		  "needs; 32 for this one alone" },
		{ 64, "could shrink to 64 pages (256K), which CPU 1 of its "
		  "owner needs; 32 for this one alone" },
	};
	struct advice_input in = usual();

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct advice out = { .valid = true, .pages = 32 };

		host_advice_share(&in, cases[i].max, "CPU 1", &out);
		assert_string_equal(out.text, cases[i].text);
		assert_int_equal(out.pages, cases[i].max);
		assert_int_equal(out.need, cases[i].max * 4096);
	}
}

TEST(test_unsized)
{
	struct advice_input in = usual();
	struct advice out;

	in.lost = 7;
	in.unsized = true;
	host_advice_make(&in, &out);
	assert_int_equal(out.pages, 0);
	check(&in, "grow to at least 256 pages (1M), which may be too small: "
	      "the size of the lost records is unknown", "7 records lost: more "
	      "than the ring's 512K arrived before its owner drained it");
}

TEST(test_pages_of_64k)
{
	struct advice_input in = usual();
	struct advice out;

	in.lost = 1;
	in.page_size = 64 << 10;
	in.lost_in_gap = 200 << 10;
	host_advice_make(&in, &out);
	assert_int_equal(out.pages, 32);
	assert_non_null(strstr(out.text, "grow to 32 pages (2M): "));
}

/* The losses of a BPF ring buffer are not counted. */
TEST(test_ringbuf)
{
	static const char why[] = "a BPF ring buffer does not count losses, so "
		"the size it needs is unknown; --ringbuf-drops counts its "
		"losses";
	struct advice_input in = usual();
	struct advice out;

	in.ringbuf = in.uncounted = in.usual = true;
	in.watermark = 0;
	check(&in, "not seen near full: peak seen 58% of 512K", why);
	in.peak = 1 << 10;
	in.burst_bytes_per_s = 100;
	check(&in, "not seen near full: peak seen 0.1% of 512K", why);
	in.peak = 450 << 10;
	check(&in, "may be too small: peak seen 87% of 512K; try 1M", why);
	in.peak = 511 << 10;
	check(&in, "may lose records: peak seen 99% of 512K; try 1M", why);
	host_advice_make(&in, &out);
	assert_int_equal(out.pages, 256);
}

/* Before Linux 6.0, only losses pending at a pass are known. */
TEST(test_uncounted)
{
	struct advice_input in = usual();
	struct advice out;

	in.uncounted = in.usual = true;
	check(&in, "not seen near full: peak seen 58% of 512K", "this kernel "
	      "does not count all losses, so the size it needs is unknown");
	host_advice_make(&in, &out);
	assert_int_equal(out.pages, 0);
	in.lost = 2;
	in.lost_in_gap = 100;
	host_advice_make(&in, &out);
	assert_int_equal(out.pages, 512);
}

/* More than the half may be lost before the owner is awake. */
TEST(test_wake_earlier)
{
	static const char plain[] = "grow to 512 pages (2M): 2 x (512K ring + "
		"80K lost in one gap)";
	static const char why[] = "5 records lost: more than the ring's 512K "
		"arrived before its owner drained it";
	struct advice_input in = usual();

	in.lost = 5;
	in.lost_in_gap = 80 << 10;
	check(&in, plain, why);
	in.watermark = 250 << 10;
	check(&in, "grow to 512 pages (2M): 2 x (512K ring + "
	      "80K lost in one gap)", "5 records lost: woken at 250K of 512K, "
	      "the owner drained too late; a lower watermark would help, too, "
	      "if it has such a setting");
	/* It is woken by the number of records. */
	in.wakeup_events = 1;
	check(&in, "grow to 256 pages (1M): 1.25 x (512K ring + 80K lost in "
	      "one gap)", why);
	/* Or by each record, as large as it is. */
	in.wakeup_events = 0;
	in.record = in.watermark;
	check(&in, plain, why);
	in.record = 8192;
	/* It was woken, and was seen not to drain. */
	in.worst_gap = 0.1;
	check(&in, plain, why);
}

static void check_no_size(const struct advice_input *in, const char *text,
			  const char *reason)
{
	struct advice out;

	check(in, text, reason);
	host_advice_make(in, &out);
	assert_int_equal(out.pages, 0);
	assert_int_equal(out.need, 0);
}

/* At most what a machine can spare per CPU. */
TEST(test_cap)
{
	struct advice_input in = usual();
	struct advice out;

	in.lost = 5;
	in.lost_in_gap = 20ULL << 30;
	host_advice_make(&in, &out);
	assert_int_equal(out.pages, 0);
	check_no_size(&in, "its reader is too slow, or pauses for too long: "
		      "with 512K it loses, and it would need more than 256M", "5 records lost: more than the ring's 512K arrived "
		      "before its owner drained it. " HELPS);
}

/* Whatever was lost before: the advice is about the stopped owner. */
TEST(test_stopped)
{
	struct advice_input in = usual();

	in.lost = 5;
	in.stopped = true;
	in.undrained = 12;
	check_no_size(&in, "no size is enough: its owner is stopped", "stopped "
		      "by SIGSTOP or a debugger: nothing is drained until it "
		      "resumes");
	/* It was stopped when watching began. */
	in.burst_bytes_per_s = 0;
	in.poll_interval = 0;
	check_no_size(&in, "no size is enough: its owner is stopped", "stopped "
		      "by SIGSTOP or a debugger: nothing is drained until it "
		      "resumes");
}

TEST(test_undrained)
{
	struct advice_input in = usual();

	in.lost = 5;
	in.burst_bytes_per_s = 0;
	in.undrained = 6;
	check_no_size(&in, "no size is enough: its owner has not drained it "
		      "for 6s or more", "the ring is full: new records are "
		      "lost until its owner reads it");
}

TEST(test_behind)
{
	struct advice_input in = usual();

	in.lost = 12198;
	in.behind = true;
	in.taken_per_s = 28 << 20;
	in.came_per_s = 40 << 20;
	in.lost_per_s = 1.2e6;
	check_no_size(&in, "no size helps: send fewer or smaller records; its "
		      "reader reads 28M/s, but at least 40M/s arrives",
		      "12,198 records lost; the ring is nearly full at most "
		      "polls, although it is drained. " HELPS);
	in.unsized = true;
	check_no_size(&in, "no size helps: send fewer or smaller records; its "
		      "reader reads 28M/s, and 1.20M records/s are lost", "12,198 records lost; the ring is nearly full "
		      "at most polls, although it is drained. " HELPS);
}

/* A reader that never sleeps, whether or not it gets a CPU. */
TEST(test_limit)
{
	struct advice_input in = usual();
	struct advice out;

	in.comm = "bpftrace";
	in.lost = 9;
	in.behind = in.starved = in.unsized = true;
	in.run_wait = 0.7;
	in.limit_per_s = 5 << 20;
	in.came_per_s = 11 << 20;
	check_no_size(&in, "no size helps: filter, or count in maps instead of "
		      "printing each event; its reader can read 5M/s, and at "
		      "least 11M/s arrived",
		      "9 records lost; its reader never slept, and a CPU of "
		      "its own would not be enough");
	in = usual();
	in.lost = 9;
	in.lost_in_gap = 512 << 10;
	in.busy = true;
	host_advice_make(&in, &out);
	assert_string_equal(out.text, "keep watching: its reader never sleeps, "
			    "so a larger ring may not help; if one does, it "
			    "must be at least 512 pages (2M)");
	assert_true(out.undecided && out.early);
	host_advice_share(&in, 1024, "CPU 3", &out);
	assert_non_null(strstr(out.text, "if one does, it must be at least 1024 pages"));
	in.busy = false;
	host_advice_make(&in, &out);
	assert_false(out.undecided);
	assert_non_null(strstr(out.text, "grow to 512 pages (2M): "));
}

/* Records that the ring cannot hold, however soon it is drained. */
TEST(test_oversized)
{
	struct advice_input in = usual();
	struct advice out;

	in.size = 8 << 10;
	in.watermark = 4 << 10;
	in.peak = 8 << 10;
	in.lost = 4000;
	in.oversized = 8 << 10;
	in.largest = 8600;
	in.oversized_per_s = 999;
	in.unsized = true;
	in.burst_bytes_per_s = in.poll_interval = 0;
	host_advice_make(&in, &out);
	assert_int_equal(out.need, 2 * 8600 * (1 + 9.99));
	assert_int_equal(out.pages, 64);
	check(&in, "grow to 64 pages (256K): records of 8K or more (up to "
	      "8.4K) do not fit into 8K", "4,000 records lost while the "
	      "ring had room; sized for twice the largest record and those of "
	      "10ms");
	/* Their size is not known. */
	in.largest = 65528;
	host_advice_make(&in, &out);
	assert_int_equal(out.pages, 32);
	check(&in, "may need to grow to 32 pages (128K): records of 8K or more "
	      "(up to 64K) do not fit into 8K", "4,000 records "
	      "lost while the ring had room; no record is larger than 64K");
}

TEST(test_tight)
{
	struct advice_input in = usual();

	in.peak = 480 << 10;
	check(&in, "grow to 256 pages (1M): peak seen 93% of 512K",
	      "nothing lost, but at its peak less than a quarter of the ring "
	      "was free");
}

/* A ring that was only watched when idle may need all its size. */
TEST(test_fits)
{
	struct advice_input in = usual();
	struct advice out;

	in.watched = 8;
	check(&in, "fits so far: peak seen 58% of 512K", "nothing lost in 8s; at "
	      "most between two drains: burst >= 4M/s x gap <= 100ms = 410K");
	in.peak = 30 << 10;
	in.burst_bytes_per_s = 100 << 10;
	host_advice_make(&in, &out);
	assert_int_equal(out.pages, 0);
	assert_null(strstr(out.text, "shrink"));
	/* Not smaller, though the peak seen would allow it. */
	in = usual();
	in.usual = true;
	in.watched = 61;
	in.peak = 1 << 10;
	host_advice_make(&in, &out);
	assert_int_equal(out.pages, 128);
	check(&in, "fits: peak seen 0.1% of 512K", "nothing lost in 1m01; at most "
	      "between two drains: burst >= 4M/s x gap <= 100ms = 410K");
}

TEST(test_shrink)
{
	struct advice_input in = usual();
	struct advice out;

	in.usual = true;
	in.watched = 70;
	in.peak = 30 << 10;
	in.burst_bytes_per_s = 100 << 10;
	host_advice_make(&in, &out);
	assert_int_equal(out.pages, 16);	/* twice the peak: 60K */
	check(&in, "could shrink to 16 pages (64K): peak seen 30K, burst >= "
	      "100K/s x gap <= 100ms = 10K", "holds twice the peak seen in "
	      "1m10, and the most that can have waited between two drains");
	/* Not below 8 pages, nor four of the largest records. */
	in.peak = 100;
	in.burst_bytes_per_s = 1000;
	host_advice_make(&in, &out);
	assert_int_equal(out.pages, 8);
	in.largest = 20000;
	host_advice_make(&in, &out);
	assert_int_equal(out.pages, 32);
	in.largest_seen = 9000;
	host_advice_make(&in, &out);
	assert_int_equal(out.pages, 16);
}

/* Not if records were lost, even if the size was not the cause. */
TEST(test_excused)
{
	struct advice_input in = usual();

	in.usual = in.excused = true;
	in.watched = 60;
	in.peak = 30 << 10;
	in.burst_bytes_per_s = 100 << 10;
	check(&in, "fits: peak seen 5.8% of 512K", "nothing else lost in 1m00; "
	      "at most between two drains: burst >= 100K/s x gap <= 100ms = "
	      "10K");
	in.peak = 480 << 10;
	check(&in, "grow to 256 pages (1M): peak seen 93% of 512K", "nothing "
	      "else lost, but at its peak less than a quarter of the ring was "
	      "free");
}

static void check_none(const struct advice_input *in, const char *why)
{
	struct advice out;

	host_advice_make(in, &out);
	assert_false(out.valid);
	assert_string_equal(out.text, "");
	assert_non_null(strstr(out.reason, why));
}

TEST(test_none)
{
	struct advice_input in = usual();

	in.overwrite = true;
	check_none(&in, "overwrite");
	in = usual();
	in.poll_interval = 0;
	check_none(&in, "nothing has been written to it");
	in = usual();
	in.burst_bytes_per_s = 0;
	check_none(&in, "nothing has been written to it");
	in.early = true;
	check_none(&in, "too early: nothing was written");
	in.undrained = 4.9;
	in.peak = 500 << 10;
	check_none(&in, "too early: nearly full, and not drained");
	in = usual();
	in.size = 0;
	check_none(&in, "size of the ring is unknown");
}

static void check_verdict(const struct advice_input *in,
			  const char *verdict)
{
	struct advice out;

	host_advice_make(in, &out);
	assert_string_equal(verdict_name(out.verdict), verdict);
}

TEST(test_verdicts)
{
	struct advice_input in = usual();

	check_verdict(&in, "ok");
	in.peak = in.size - 100;
	check_verdict(&in, "tight");
	in.uncounted = true;
	check_verdict(&in, "tight");
	in.always_full = true;
	check_verdict(&in, "reader too slow");
	in = usual();
	in.lost = 3;
	in.lost_in_gap = 3 * 100;
	check_verdict(&in, "too small");
	in.unsized = true;
	check_verdict(&in, "too small");
	in.oversized = 600 << 10;
	check_verdict(&in, "cannot fit");
	in.behind = true;
	check_verdict(&in, "reader too slow");
	in.starved = true;
	check_verdict(&in, "reader not scheduled");
	in.stopped = true;
	check_verdict(&in, "reader stuck");
	in.stopped = false;
	in.undrained = 60;
	check_verdict(&in, "reader stuck");
	in.overwrite = true;
	check_verdict(&in, "overwrite");
	in = usual();
	in.lost = 3;
	in.lost_in_gap = UINT64_C(1) << 40;
	check_verdict(&in, "reader too slow");
	in = usual();
	in.burst_bytes_per_s = 0;
	check_verdict(&in, "");
}

/* It is full whenever it is looked at, and what it loses is not counted. */
TEST(test_slow_reader)
{
	struct advice_input in = usual();

	in.uncounted = in.ringbuf = in.always_full = true;
	in.peak = in.size - 4096;
	in.taken_per_s = 1 << 20;
	in.came_per_s = 2 << 20;
	check_no_size(&in, "no size helps: send fewer or smaller records; "
		      "nearly full at most polls, although its reader reads "
		      "1M/s", "a BPF ring buffer does not count losses. "
		      HELPS);
}

/* Whatever the size, its reader needs a CPU. */
TEST(test_unscheduled)
{
	struct advice_input in = usual();
	struct advice out;

	in.lost = 9;
	in.lost_in_gap = 512 << 10;
	/* the size is no option, and may be more trouble to change */
	in.run_wait = 0.1;
	host_advice_make(&in, &out);
	assert_int_equal(out.verdict, VERDICT_TOO_SMALL);
	assert_string_equal(out.text, "grow to 512 pages (2M): 2 x (512K ring + "
			    "512K lost in one gap); or renice -n -10 -p PID: "
			    "its main thread waits for a CPU 10% of the time");
	in.run_wait = 0.09;
	host_advice_make(&in, &out);
	assert_null(strstr(out.text, "renice"));
	in.run_wait = 0.73;
	in.starved = true;
	host_advice_make(&in, &out);
	assert_int_equal(out.verdict, VERDICT_UNSCHEDULED);
	assert_int_equal(out.pages, 512);
	assert_string_equal(out.text, "renice -n -10 -p PID: its main thread "
			    "waits for a CPU 73% of the time; or grow to 512 "
			    "pages (2M): 2 x (512K ring + 512K lost in one "
			    "gap)");
	in.comm = "perf";
	host_advice_make(&in, &out);
	assert_string_equal(out.text, "grow to -m 512 (2M): 2 x (512K ring "
			    "+ 512K lost in one gap); renice -n -10 -p PID may "
			    "help, too: its main thread waits for a CPU 73% of "
			    "the time");
	/* what it was given did not help */
	in.priority = 110;
	host_advice_make(&in, &out);
	assert_non_null(strstr(out.text, "; chrt -f -p 1 PID may help, too"));
	in.priority = 98;
	host_advice_make(&in, &out);
	assert_non_null(strstr(out.text, "; more CPU time may help, too"));
	in.priority = 111;
	/* it does not sleep, but may do with a CPU */
	in.busy = true;
	host_advice_make(&in, &out);
	assert_false(out.undecided);
	in.busy = false;
	in.comm = NULL;
	in.behind = true;
	in.pid = 4711;
	check_no_size(&in, "renice -n -10 -p 4711: its main thread waits for a "
		      "CPU 73% of the time; a larger ring only delays losses",
		       "9 records lost; the ring is nearly "
		      "full at most polls, although it is drained. " HELPS);
	in.lost = 0;
	in.behind = false;
	check_verdict(&in, "ok");
}

static void set_by(const char *comm, bool ringbuf, uint64_t pages,
		   const char *want)
{
	char got[96];

	host_remedy_setting(comm, ringbuf, pages, 4096, 0, got, sizeof(got));
	assert_string_equal(got, want);
}

/* 1M; frames have 1600 bytes. */
static void set_packet_by(const char *comm, const char *want)
{
	char got[96];

	host_remedy_setting(comm, RING_PACKET, 256, 4096, 1600, got,
			    sizeof(got));
	assert_string_equal(got, want);
}

/* What an owner calls it, in the unit that it counts in. */
TEST(test_setting)
{
	char got[96];

	set_by("perf", false, 512, "-m 512");
	set_by("bpftrace", false, 512, "BPFTRACE_PERF_RB_PAGES=512");
	set_by("bpftrace", true, 512, "BPFTRACE_PERF_RB_PAGES=512");
	/* on 64K pages its own are smaller */
	host_remedy_setting("bpftrace", true, 32, 65536, 0, got, sizeof(got));
	assert_string_equal(got, "BPFTRACE_PERF_RB_PAGES=512");
	set_by("opensnoop-bpfcc", false, 64, "-b 64");
	set_by("biosnoop-bpfcc", false, 64,
	       "page_cnt=64 of open_perf_buffer() in the tool");
	set_by("tetragon", true, 512, "tetragon's --rb-size-total 2M");
	set_by("falco", true, 2048,
	       "engine.modern_ebpf.buf_size_preset: 4 in falco.yaml");
	set_by("falco", true, 2049,
	       "engine.modern_ebpf.buf_size_preset: 5 in falco.yaml");
	set_by("falco", true, 1 << 20,
	       "engine.modern_ebpf.buf_size_preset: 10 in falco.yaml");
	set_by("pwru", false, 4, "pwru's --per-cpu-buffer 16384");
	set_by("agent", true, 64, "max_entries=262144");
	set_by("agent", false, 64, "");
	set_packet_by("tcpdump", "-B 1024");
	set_packet_by("dumpcap", "-B 1");
	set_packet_by("Suricata-Main",
		      "ring-size: 656 in af-packet of suricata.yaml");
	set_packet_by("zeek", "redef AF_Packet::buffer_size = 1048576;");
	set_packet_by("perf", "");
}

TEST(test_absurd_rates)
{
	struct advice_input in = usual();
	struct advice out;

	in.lost = in.lost_in_gap = UINT64_MAX;
	in.burst_bytes_per_s = 1e300;
	in.worst_gap = 1e9;
	host_advice_make(&in, &out);
	assert_true(out.valid);
	assert_int_equal(out.pages, 0);
	assert_int_equal(strlen(out.text) < sizeof(out.text) - 1, 1);
}

TEST_GROUP(host_advice);
