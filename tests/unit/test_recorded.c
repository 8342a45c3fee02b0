/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/err.h"
#include "trace/perfdata/perfdata_format.h"
#include "trace/recorded/recorded.h"

static struct recorded r;

static void add(const struct perfdata_record *record)
{
	assert_int_equal(recorded_add(&r, record), 0);
}

/* A record of @type in the ring of @cpu. */
static struct perfdata_record in_ring(uint32_t type, uint32_t cpu,
				      uint64_t size)
{
	return (struct perfdata_record){
		.type = type,
		.size = size,
		.origin = PERFDATA_OF_CPU,
		.ring = cpu,
		.event = PERFDATA_NO_EVENT,
		.time = UNKNOWN,
	};
}

static void add_sample(uint32_t cpu, uint64_t size)
{
	struct perfdata_record record =
		in_ring(PERF_RECORD_SAMPLE, cpu, size);

	add(&record);
}

static void add_lost(uint32_t cpu, uint64_t lost)
{
	struct perfdata_record record = in_ring(PERF_RECORD_LOST, cpu, 24);

	record.lost = lost;
	add(&record);
}

static void end_round(void)
{
	struct perfdata_record record =
		in_ring(PERFDATA_RECORD_FINISHED_ROUND, 0, 8);

	record.origin = PERFDATA_OF_NO_RING;
	add(&record);
}

static const struct recorded_ring *ring(uint32_t cpu)
{
	for (size_t i = 0; i < r.nr_rings; i++)
		if (r.rings[i].origin == PERFDATA_OF_CPU &&
		    r.rings[i].nr == cpu)
			return &r.rings[i];
	fail_msg("no ring %u", cpu);
	return NULL;
}

TEST(largest_round)
{
	recorded_init(&r);
	add_sample(0, 100);
	add_sample(1, 40);
	end_round();
	add_sample(0, 60);
	add_sample(0, 60);
	end_round();
	end_round();
	add_sample(1, 39);
	recorded_finish(&r);
	assert_int_equal(r.rounds, 3);
	assert_int_equal(ring(0)->max_round, 120);
	assert_int_equal(ring(0)->bytes, 220);
	assert_int_equal(ring(1)->max_round, 40);
	assert_int_equal(recorded_total(&r).max_round, 120);
	recorded_free(&r);
}

static void add_at(struct perfdata_record record, uint64_t time)
{
	record.time = time;
	add(&record);
}

/* What comes in 10 ms, and what was lost then. */
TEST(largest_burst)
{
	struct perfdata_record lost = in_ring(PERF_RECORD_LOST, 0, 24);
	uint64_t at_once;

	recorded_init(&r);
	add_at(in_ring(PERF_RECORD_SAMPLE, 0, 100), 9999999);
	add_at(in_ring(PERF_RECORD_SAMPLE, 0, 100), 10000000);
	add_at(in_ring(PERF_RECORD_SAMPLE, 0, 100), 19999999);
	add_sample(1, 1 << 20);
	assert_int_equal(recorded_settle(&r), 0);
	assert_int_equal(ring(0)->burst, 200);
	assert_true(ring(1)->burst == UNKNOWN);
	assert_int_equal(recorded_pages(&r, &at_once), 0);
	lost.lost = 1;
	add_at(lost, 20000000);
	assert_int_equal(ring(0)->burst, 200);
	assert_int_equal(recorded_pages(&r, &at_once), 8);
	/* the mean of five is (3 x 100 + 2 x 24) / 5 */
	lost.lost = 1000;
	add_at(lost, 20000001);
	assert_int_equal(ring(0)->burst, 24 + 81 + 24 + 69600);
	assert_int_equal(recorded_total(&r).burst, ring(0)->burst);
	assert_int_equal(recorded_pages(&r, &at_once), 64);
	recorded_free(&r);

	/* the ring was full, and lost 60000 bytes within a second */
	recorded_init(&r);
	add_at(in_ring(PERF_RECORD_SAMPLE, 0, 40000), 10000000);
	end_round();
	lost.size = 40000;
	lost.lost = 1;
	add_at(lost, 1010000000);
	assert_int_equal(recorded_settle(&r), 0);
	assert_int_equal(ring(0)->burst, 40000 + 400);
	assert_int_equal(recorded_pages(&r, &at_once), 32);
	/* perf did not run; and what no kernel writes */
	lost.lost = 1000;
	add_at(lost, 1020000000);
	assert_int_equal(recorded_pages(&r, &at_once), 0);
	lost.lost = UINT64_MAX;
	add_at(lost, 1030000000);
	add_at(lost, 1040000000);
	assert_true(recorded_total(&r).lost == UNKNOWN - 1);
	recorded_free(&r);
}

#define SECOND UINT64_C(1000000000)
#define DAY (86400 * SECOND)

/* Types count them; no ring, and no time. */
/* Nothing else is counted, but the recording is as long as it is. */
TEST(span)
{
	static const uint64_t times[] = { 0, 99, 100, 150, 200, 201, UNKNOWN };
	struct perfdata_record record;
	struct err err = { 0 };

	recorded_init(&r);
	r.span = (struct recorded_span){ .given = true, .from = 100, .to = 200 };
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		record = in_ring(PERF_RECORD_SAMPLE, 0, 40);
		record.event = 0;
		record.time = times[i];
		add(&record);
		record = in_ring(PERF_RECORD_LOST, 0, 24);
		record.lost = 1 << i;
		record.time = times[i];
		add(&record);
		end_round();
	}
	assert_int_equal(recorded_finish(&r), 0);
	assert_int_equal(r.records, 6);
	assert_int_equal(r.samples[0], 3);
	assert_int_equal(ring(0)->records, 6);
	assert_int_equal(ring(0)->lost, 4 + 8 + 16);
	assert_int_equal(ring(0)->losses.first, 100);
	assert_int_equal(ring(0)->losses.worst, 200);
	assert_int_equal(ring(0)->max_round, 64);
	assert_int_equal(r.last, 201);
	assert_int_equal(recorded_check_span(&r, &err), 0);
	r.span = (struct recorded_span){
		.given = true, .from = 150, .to = 30, .to_since = true,
	};
	recorded_place_span(&r, &r.span);
	assert_int_equal(r.span.from, 150);
	assert_int_equal(r.span.to, 30 + r.first);
	assert_int_equal(recorded_check_span(&r, &err), -EINVAL);
	r.span = (struct recorded_span){ true, 1, UNKNOWN - 1, true, true,
					 false };
	recorded_place_span(&r, &r.span);
	assert_int_equal(r.span.from, r.first + 1);
	assert_true(r.span.to == UNKNOWN - 1);
	assert_int_equal(recorded_check_span(&r, &err), 0);
	/* samples are from 0 to 201 */
	r.span = (struct recorded_span){ true, RECORDED_WHOLE / 2,
					 RECORDED_WHOLE, .share = true };
	recorded_place_span(&r, &r.span);
	assert_int_equal(r.span.from, 101);
	assert_int_equal(r.span.to, 201);
	r.span = (struct recorded_span){ .to = RECORDED_WHOLE / 2,
					 .given = true, .share = true };
	recorded_place_span(&r, &r.span);
	assert_int_equal(r.span.from, 0);
	assert_int_equal(r.span.to, 100);
	assert_false(r.span.share);
	r.span.from = r.span.to = 202;
	assert_int_equal(recorded_check_span(&r, &err), -EINVAL);
	r.first = UNKNOWN;
	assert_int_equal(recorded_check_span(&r, &err), -EINVAL);
	assert_string_equal(err.text, "--time: the records have no times");
	recorded_free(&r);
}

TEST(impossible_cpus)
{
	uint64_t cpus = 4;
	char text[120];

	recorded_init(&r);
	r.cpus = &cpus;
	add_at(in_ring(PERF_RECORD_SAMPLE, 32639, 40), 1);
	add_at(in_ring(PERF_RECORD_SAMPLE, 3, 40), DAY);
	assert_int_equal(recorded_finish(&r), 0);
	assert_string_equal(recorded_left_out(&r, text, sizeof(text)),
			    "1 record with an impossible CPU or time was not "
			    "counted in rings and times");
	assert_int_equal(r.nr_rings, 1);
	assert_int_equal(r.first, DAY);
	assert_int_equal(r.types[0].records, 2);
	recorded_free(&r);

	/* by the number of them, or what a kernel can have */
	recorded_init(&r);
	r.cpus = &cpus;
	cpus = UNKNOWN;
	add_sample(RECORDED_CPUS_MAX - 1, 40);
	add_sample(RECORDED_CPUS_MAX, 40);
	cpus = 4;
	add_sample(4, 40);
	assert_int_equal(recorded_finish(&r), 0);
	assert_string_equal(recorded_left_out(&r, text, sizeof(text)),
			    "2 records with an impossible CPU or time were "
			    "not counted in rings and times");
	assert_int_equal(r.nr_rings, 1);
	recorded_free(&r);
}

static void add_many(uint64_t nr, uint64_t time)
{
	for (uint64_t i = 0; i < nr; i++)
		add_at(in_ring(PERF_RECORD_SAMPLE, 1, 40), time + i * SECOND);
}

TEST(impossible_times)
{
	/* the first ones are not believed because they are the first */
	recorded_init(&r);
	add_at(in_ring(PERF_RECORD_SAMPLE, 0, 40), 0xfffffff000000000);
	add_at(in_ring(PERF_RECORD_SAMPLE, 0, 40), 12345);
	add_many(300, 60 * DAY);
	add_at(in_ring(PERF_RECORD_SAMPLE, 1, 40), 90 * DAY);
	/* rare events */
	add_at(in_ring(PERF_RECORD_SAMPLE, 1, 40), 61 * DAY);
	add_at(in_ring(PERF_RECORD_SAMPLE, 1, 40), 62 * DAY);
	assert_int_equal(recorded_finish(&r), 0);
	assert_int_equal(r.left_out, 3);
	assert_int_equal(r.nr_rings, 1);
	assert_int_equal(r.records, 305);
	assert_int_equal(r.first, 60 * DAY);
	assert_int_equal(r.last, 62 * DAY);
	recorded_free(&r);

	/* few records are held when the file ends */
	recorded_init(&r);
	add_many(3, DAY);
	add_at(in_ring(PERF_RECORD_SAMPLE, 1, 40), UNKNOWN - 1);
	assert_int_equal(recorded_finish(&r), 0);
	assert_int_equal(r.left_out, 1);
	assert_int_equal(r.last, DAY + 2 * SECOND);
	recorded_free(&r);
}

/* Its body is where it belongs: what was lost is no less lost. */
TEST(losses_with_impossible_times)
{
	struct perfdata_record lost = in_ring(PERF_RECORD_LOST, 0, 24);

	recorded_init(&r);
	add_many(300, 60 * DAY);
	lost.lost = 7;
	add_at(lost, 3 * DAY);
	lost.cpu = 1 << 20;
	add_at(lost, 60 * DAY);
	assert_int_equal(recorded_finish(&r), 0);
	assert_int_equal(r.left_out, 2);
	assert_int_equal(recorded_total(&r).lost, 14);
	assert_int_equal(r.some->lost, 14);
	assert_int_equal(r.first, 60 * DAY);
	recorded_free(&r);
}

/* What perf wrote itself does not take the place of records with times. */
TEST(garbage_at_the_start)
{
	struct perfdata_record own = in_ring(PERF_RECORD_MMAP2, 0, 80);

	own.origin = PERFDATA_OF_NO_RING;
	recorded_init(&r);
	for (uint64_t i = 0; i < 12; i++)
		add_at(in_ring(PERF_RECORD_KSYMBOL, 0, 40), UNKNOWN / 2 + i);
	for (int i = 0; i < 1000; i++)
		add(&own);
	add_many(300, DAY);
	assert_int_equal(recorded_finish(&r), 0);
	assert_int_equal(r.left_out, 12);
	assert_int_equal(r.first, DAY);
	recorded_free(&r);
}

static void add_lost_at(uint32_t cpu, uint64_t lost, uint64_t time)
{
	struct perfdata_record record = in_ring(PERF_RECORD_LOST, cpu, 24);

	record.lost = lost;
	add_at(record, time);
}

static void assert_losses(const struct recorded_losses *losses,
			  uint64_t records, uint64_t first, uint64_t worst,
			  uint64_t worst_lost, uint64_t last)
{
	assert_int_equal(losses->records, records);
	assert_true(losses->first == first);
	assert_true(losses->worst == worst);
	assert_int_equal(losses->worst_lost, worst_lost);
	assert_true(losses->last == last);
}

/* Rings are not in order of time; a loss of nothing is none. */
TEST(times_of_losses)
{
	struct recorded_ring total;

	recorded_init(&r);
	add_lost_at(0, 5, 200);
	add_lost_at(0, 9, 300);
	add_lost_at(0, 9, 350);
	add_lost_at(0, 0, 900);
	add_lost_at(1, 9, 100);
	add_lost_at(1, 1, 150);
	add_lost(2, 4);
	add_sample(3, 8);
	assert_int_equal(recorded_settle(&r), 0);
	assert_losses(&ring(0)->losses, 3, 200, 300, 9, 350);
	assert_losses(&ring(1)->losses, 2, 100, 100, 9, 150);
	assert_losses(&ring(2)->losses, 1, UNKNOWN, UNKNOWN, 0, UNKNOWN);
	assert_losses(&ring(3)->losses, 0, UNKNOWN, UNKNOWN, 0, UNKNOWN);
	total = recorded_total(&r);
	assert_losses(&total.losses, 6, 100, 100, 9, 350);
	recorded_free(&r);
}

static void assert_size(const struct recorded_size *size, double lost,
			uint64_t rounds, size_t rings)
{
	assert_true(size->lost > lost - 0.001 && size->lost < lost + 0.001);
	assert_int_equal(size->rounds, rounds);
	assert_int_equal(size->rings, rings);
}

/* What exceeds a size in a round is lost. */
TEST(what_if_nothing_was_lost)
{
	struct recorded_size sizes[RECORDED_SIZES];

	recorded_init(&r);
	add_sample(0, 5096);
	add_sample(0, 5096);
	end_round();
	end_round();
	add_sample(0, 5096);
	add_sample(1, 4096);
	end_round();
	add_sample(0, 5096);
	recorded_finish(&r);
	assert_int_equal(recorded_what_if(&r, sizes), 3);
	assert_size(&sizes[0], (6096 + 1000 + 1000) / 5096.0, 3, 1);
	assert_size(&sizes[1], 2000 / 5096.0, 1, 1);
	assert_size(&sizes[2], 0, 0, 0);
	recorded_free(&r);

	/* a page is enough */
	recorded_init(&r);
	add_sample(0, 4096);
	end_round();
	recorded_finish(&r);
	assert_int_equal(recorded_what_if(&r, sizes), 1);
	assert_size(&sizes[0], 0, 0, 0);
	recorded_free(&r);
}

/* LOST stands in the round after the one in which the ring was full. */
TEST(what_if_it_lost)
{
	struct perfdata_record lost = in_ring(PERF_RECORD_LOST, 0, 4000);
	struct recorded_size sizes[RECORDED_SIZES];
	uint64_t at_once;

	recorded_init(&r);
	add_at(in_ring(PERF_RECORD_SAMPLE, 0, 4000), 1);
	end_round();
	add_at(in_ring(PERF_RECORD_SAMPLE, 1, 40), 2);
	end_round();
	lost.lost = 3;
	add_at(lost, 1000000000);
	end_round();
	recorded_finish(&r);
	assert_int_equal(recorded_what_if(&r, sizes), 3);
	assert_size(&sizes[0], (16000 - 4096) / 4000.0, 1, 1);
	assert_size(&sizes[1], (16000 - 8192) / 4000.0, 1, 1);
	assert_size(&sizes[2], 0, 0, 0);
	assert_true(recorded_pages(&r, &at_once) >= 4);
	recorded_free(&r);

	/* many small losses in one round: the advice holds them all */
	recorded_init(&r);
	add_at(in_ring(PERF_RECORD_SAMPLE, 0, 4000), 1);
	end_round();
	for (uint64_t i = 1; i <= 100; i++)
		add_at(lost, i * 1000000000);
	end_round();
	recorded_finish(&r);
	assert_int_equal(recorded_what_if(&r, sizes), 10);
	assert_int_equal(recorded_pages(&r, &at_once), 512);
	recorded_free(&r);

	/* more than any size holds; and what no kernel writes */
	recorded_init(&r);
	add_sample(0, 4000);
	end_round();
	add_lost(0, UINT64_MAX);
	add_lost(0, UINT64_MAX);
	end_round();
	recorded_finish(&r);
	assert_int_equal(recorded_what_if(&r, sizes), RECORDED_SIZES);
	assert_int_equal(sizes[RECORDED_SIZES - 1].rings, 1);
	recorded_free(&r);
}

TEST(no_what_if)
{
	struct perfdata_record lost = in_ring(PERF_RECORD_LOST, 0, 24);
	struct recorded_size sizes[RECORDED_SIZES];

	recorded_init(&r);
	add_sample(0, 100);
	recorded_finish(&r);
	assert_int_equal(recorded_what_if(&r, sizes), 0);
	recorded_free(&r);

	recorded_init(&r);
	add_sample(0, 100);
	end_round();
	lost.origin = PERFDATA_OF_SOME_RING;
	lost.lost = 8;
	add(&lost);
	recorded_finish(&r);
	assert_int_equal(recorded_what_if(&r, sizes), 0);
	recorded_free(&r);
}

TEST(no_rounds)
{
	struct perfdata_record other = in_ring(PERF_RECORD_SAMPLE, 1, 30);

	recorded_init(&r);
	add_sample(0, 100);
	recorded_finish(&r);
	assert_true(ring(0)->max_round == UNKNOWN);
	assert_true(r.first == UNKNOWN && r.last == UNKNOWN);
	recorded_free(&r);

	/* rounds of "data" are not those of "data.0" */
	recorded_init(&r);
	add_sample(0, 100);
	end_round();
	other.part = 1;
	add(&other);
	recorded_finish(&r);
	assert_int_equal(ring(0)->max_round, 100);
	assert_true(ring(1)->max_round == UNKNOWN);
	recorded_free(&r);
}

TEST(worst_first)
{
	recorded_init(&r);
	add_sample(0, 1000);
	add_lost(1, 5);
	add_lost(2, 6);
	add_lost(2, 1);
	recorded_finish(&r);
	assert_int_equal(r.rings[0].nr, 2);
	assert_int_equal(recorded_lost(&r, &r.rings[0]), 7);
	assert_int_equal(r.rings[1].nr, 1);
	assert_int_equal(r.rings[2].nr, 0);
	assert_int_equal(recorded_total(&r).lost, 12);
	assert_int_equal(r.types[0].type, PERF_RECORD_LOST);
	assert_int_equal(r.types[0].records, 3);
	recorded_free(&r);
}

/* Of losses in rings that are not told apart, no ring's share is known. */
TEST(losses_of_some_ring)
{
	struct perfdata_record lost = in_ring(PERF_RECORD_LOST, 0, 24);

	recorded_init(&r);
	add_sample(3, 10);
	lost.origin = PERFDATA_OF_SOME_RING;
	lost.lost = 8;
	add(&lost);
	end_round();
	recorded_finish(&r);
	assert_true(recorded_lost(&r, ring(3)) == UNKNOWN);
	assert_int_equal(recorded_lost_samples(&r, ring(3)), 0);
	assert_int_equal(r.rings[0].origin, PERFDATA_OF_SOME_RING);
	assert_int_equal(recorded_lost(&r, &r.rings[0]), 8);
	assert_true(r.rings[0].max_round == UNKNOWN);
	recorded_free(&r);
}

TEST(lost_and_filtered_samples)
{
	struct perfdata_record lost = in_ring(PERF_RECORD_LOST_SAMPLES, 0, 24);

	recorded_init(&r);
	lost.lost = 8;
	add(&lost);
	lost.lost = 9;
	lost.misc = 1 << 15;
	add(&lost);
	recorded_finish(&r);
	assert_int_equal(ring(0)->lost_samples, 8);
	assert_int_equal(ring(0)->filtered, 9);
	recorded_free(&r);
}

TEST(aux)
{
	struct perfdata_record record = in_ring(PERF_RECORD_AUX, 4, 64);

	recorded_init(&r);
	record.trace = 4096;
	record.aux_flags = 1 | 8;
	record.time = 50;
	add(&record);
	record.aux_flags = 4;
	record.time = 30;
	add(&record);
	record.type = PERFDATA_RECORD_AUXTRACE;
	record.trace = 8000;
	record.time = UNKNOWN;
	add(&record);
	recorded_finish(&r);
	assert_int_equal(ring(4)->records, 2);
	assert_int_equal(ring(4)->bytes, 128);
	assert_int_equal(ring(4)->aux.records, 2);
	assert_int_equal(ring(4)->aux.bytes, 8192);
	assert_int_equal(ring(4)->aux.trace, 8000);
	assert_int_equal(ring(4)->aux.truncated, 1);
	assert_int_equal(ring(4)->aux.overwrite, 0);
	assert_int_equal(ring(4)->aux.partial, 1);
	assert_int_equal(ring(4)->aux.collision, 1);
	assert_int_equal(r.first, 30);
	assert_int_equal(r.last, 50);
	recorded_free(&r);
}

/* What untrusted files could make endless. */
TEST(limits)
{
	struct perfdata_record record = in_ring(0, 0, 8);

	recorded_init(&r);
	for (uint32_t i = 0; i < RECORDED_RINGS_MAX + 10; i++) {
		record.type = 1000 + i;
		record.origin = PERFDATA_OF_TASK;
		record.ring = i;
		add(&record);
	}
	recorded_finish(&r);
	assert_int_equal(r.nr_types, RECORDED_TYPES_MAX);
	assert_int_equal(r.other_types,
			 RECORDED_RINGS_MAX + 10 - RECORDED_TYPES_MAX);
	assert_int_equal(r.nr_rings, RECORDED_RINGS_MAX + 1);
	assert_int_equal(recorded_total(&r).records, RECORDED_RINGS_MAX + 10);
	recorded_free(&r);
}

/* A COMM or FORK: of process @pid and thread, or parent, @other. */
static void name_pid(struct recorded_pids *p, uint32_t type, uint32_t pid,
		     uint32_t other, const char *comm)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, other;
		char comm[24];
	} record = { .header.type = type, .pid = pid, .other = other };

	strcpy(record.comm, comm);
	recorded_pids_name(p, &record, offsetof(__typeof__(record), comm) +
			   strlen(comm));
}

TEST(test_samples_by_process)
{
	struct recorded_pids p = { 0 };
	struct top_pid top[TOP_PIDS];

	name_pid(&p, PERF_RECORD_COMM, 7, 7, "perf");
	name_pid(&p, PERF_RECORD_COMM, 7, 8, "a thread");
	name_pid(&p, PERF_RECORD_FORK, 9, 7, "");
	for (int i = 0; i < 30; i++)
		recorded_pids_add(&p, i < 10 ? 0 : i % 3 ? 9 : 7);
	assert_int_equal(recorded_pids_sorted(&p, top), 3);
	assert_int_equal(top[0].pid, 9);
	assert_int_equal(top[0].samples, 14);
	assert_int_equal(top[1].pid, 0);
	assert_int_equal(top[1].samples, 10);
	assert_int_equal(top[2].samples, 6);
	assert_int_equal(p.samples, 30);
	assert_string_equal(recorded_pids_comm(&p, 7), "perf");
	/* as its parent, until it executes another program */
	assert_string_equal(recorded_pids_comm(&p, 9), "perf");
	name_pid(&p, PERF_RECORD_COMM, 9, 9, "longer than fifteen");
	assert_string_equal(recorded_pids_comm(&p, 9), "longer than fif");
	assert_string_equal(recorded_pids_comm(&p, 10), "");
	/* too short to have what it must */
	recorded_pids_name(&p, top, 15);
	recorded_pids_free(&p);
}

TEST_GROUP(recorded);
