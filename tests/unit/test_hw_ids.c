/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hardware IDs by themselves, and in task_history. */
#include "tests/group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "task/task_history.h"

/* The kernel's layout, from linux/perf_event.h. */
struct record {
	struct perf_event_header header;
	uint64_t hw_id;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, res;
	uint64_t id;
};
_Static_assert(sizeof(struct record) == HW_ID_RECORD, "layout of the record");

static struct record record_of(uint64_t id, uint32_t cpu, uint64_t hw_id,
			       uint64_t time)
{
	return (struct record){
		.header = { PERF_RECORD_AUX_OUTPUT_HW_ID, 0,
			    sizeof(struct record) },
		.hw_id = hw_id,
		.time = time,
		.cpu = cpu,
		.id = id,
	};
}

static int put_record(struct hw_ids *ids, const struct record *record)
{
	struct side_band r;

	assert_int_equal(side_band_parse(record, record->header.size,
					 &side_band_own, &r), 0);
	return hw_ids_put(ids, &r, record);
}

static int put(struct hw_ids *ids, uint64_t id, uint32_t cpu, uint64_t hw_id,
	       uint64_t time)
{
	const struct record record = record_of(id, cpu, hw_id, time);

	return put_record(ids, &record);
}

TEST(latest_kept)
{
	struct hw_ids ids = { 0 };

	assert_int_equal(put(&ids, 7, 1, 0x12, 100), 0);
	assert_int_equal(put(&ids, 7, 0, 0x10, 101), 0);
	assert_int_equal(put(&ids, 3, 1, 0x14, 102), 0);
	assert_int_equal(put(&ids, 7, 1, 0x16, 103), 0);
	/* rings are drained one after another, so times are not in order */
	assert_int_equal(put(&ids, 7, 0, 0x18, 99), 0);
	assert_int_equal(ids.nr, 3);
	assert_int_equal(ids.ids[0].id, 3);
	assert_int_equal(ids.ids[0].hw_id, 0x14);
	assert_int_equal(ids.ids[1].id, 7);
	assert_int_equal(ids.ids[1].cpu, 0);
	assert_int_equal(ids.ids[1].hw_id, 0x10);
	assert_int_equal(ids.ids[1].time, 101);
	assert_int_equal(ids.ids[2].cpu, 1);
	assert_int_equal(ids.ids[2].hw_id, 0x16);
	hw_ids_free(&ids);
	assert_int_equal(ids.nr, 0);
}

TEST(other_sizes_rejected)
{
	struct record record[2] = { record_of(1, 0, 1, 1) };
	struct hw_ids ids = { 0 };
	struct side_band r;

	record->header.size -= 8;
	assert_int_equal(side_band_parse(record, record->header.size,
					 &side_band_own, &r), -EBADMSG);
	record->header.size += 16;
	assert_int_equal(put_record(&ids, record), -EINVAL);
	assert_int_equal(ids.nr, 0);
}

TEST(bounded)
{
	struct hw_ids ids = { 0 };

	for (uint32_t cpu = 0; cpu < 1 << 16; cpu++)
		assert_int_equal(put(&ids, 1, cpu, cpu, 1), 0);
	assert_int_equal(put(&ids, 2, 0, 0, 1), -ENOMEM);
	assert_int_equal(put(&ids, 1, 5, 99, 2), 0);
	assert_int_equal(ids.ids[5].hw_id, 99);
	assert_int_equal(ids.nr, 1 << 16);
	hw_ids_free(&ids);
}

/* The hardware IDs passed to it, and the number of other records. */
struct given {
	struct record records[4];
	size_t nr, others;
};

static int take(void *ctx, void *bytes, size_t size)
{
	struct given *given = ctx;
	struct record record = { 0 };

	memcpy(&record, bytes, size < sizeof(record) ? size : sizeof(record));
	if (record.header.type != PERF_RECORD_AUX_OUTPUT_HW_ID) {
		given->others++;
		return 0;
	}
	assert_int_equal(size, sizeof(record));
	assert_true(given->nr < 4);
	given->records[given->nr++] = record;
	return 0;
}

/* Pass a record decoded, as callers do, unless it cannot be. */
static void record_id(struct task_history *h, const void *record, size_t size)
{
	struct side_band r;

	if (!side_band_parse(record, size, &side_band_own, &r))
		task_history_record(h, &r, record);
}

static void comm(struct task_history *h, uint64_t time)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char comm[8];
		uint32_t of_pid, of_tid;
		uint64_t time, cpu, id;
	} record = {
		.header = { PERF_RECORD_COMM, 0, sizeof(record) },
		.pid = 7777, .tid = 7777, .comm = "app", .time = time,
	};

	record_id(h, &record, sizeof(record));
}

/* They are kept with many records, and when /proc is read again. */
TEST(task_history_keeps_all)
{
	const pid_t self = getpid();
	struct task_history *h = task_history_new(1);
	struct record record = record_of(7, 1, 0x12, 1);
	struct given given = { 0 };
	struct hw_id *ids;
	size_t nr;

	assert_non_null(h);
	assert_int_equal(task_history_hw_ids(h, &ids, &nr), 0);
	assert_int_equal(nr, 0);
	free(ids);
	record_id(h, &record, sizeof(record));
	record = record_of(7, 0, 0x10, 2);
	record_id(h, &record, sizeof(record));
	/* a truncated record */
	record.header.size -= 8;
	record_id(h, &record, sizeof(record) - 8);
	record.header.size += 8;
	for (uint64_t i = 0; i < 100000; i++)
		comm(h, 3 + i);
	assert_int_equal(task_history_read_proc(h, &self, 1), 0);
	assert_int_equal(task_history_each(h, take, &given), 0);
	assert_int_equal(given.nr, 2);
	assert_true(given.others > 0);
	assert_memory_equal(&given.records[0], &record, sizeof(record));
	assert_int_equal(given.records[1].cpu, 1);
	assert_int_equal(given.records[1].hw_id, 0x12);
	assert_int_equal(task_history_hw_ids(h, &ids, &nr), 0);
	assert_int_equal(nr, 2);
	assert_int_equal(ids[1].hw_id, 0x12);
	free(ids);
	task_history_free(h);
}

TEST_GROUP(hw_ids);
