/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif

#include "base/err.h"
#include "perf/abi/sample.h"
#include "perf/abi/side_band.h"
#include "trace/perfdata/perfdata_file.h"
#include "trace/perfdata/perfdata_format.h"
#include "trace/perfdata/perfdata_reader.h"

/* Recordings made by hand, in any byte order. */

enum {
	SAMPLE_TYPE = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
		      PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
	HEADER_SIZE = 104,
	RECORDS_MAX = 512,
};

static uint8_t file[1 << 20];
static size_t len;
static bool big;
static char dir[] = "/tmp/rbtop-reader.XXXXXX";
static char path[64];

static void put(uint64_t value, unsigned int bytes)
{
	assert_true(len + bytes <= sizeof(file));
	for (unsigned int i = 0; i < bytes; i++)
		file[len + (big ? bytes - 1 - i : i)] =
			(uint8_t)(value >> 8 * i);
	len += bytes;
}

static void put_bytes(const void *bytes, size_t size)
{
	assert_true(len + size <= sizeof(file));
	memcpy(file + len, bytes, size);
	len += size;
}

/* A string in @size bytes. */
static void put_string(const char *text, size_t size)
{
	size_t end = len + size;

	put_bytes(text, strlen(text));
	while (len < end)
		put(0, 1);
}

static void put_at(size_t at, uint64_t value, unsigned int bytes)
{
	size_t end = len;

	len = at;
	put(value, bytes);
	len = end;
}

static void put_header(uint32_t type, uint16_t misc, uint16_t size)
{
	put(type, 4);
	put(misc, 2);
	put(size, 2);
}

/* An attr of @size bytes, with sample_id_all. */
static void put_attr(uint32_t size)
{
	size_t at = len;

	put(PERF_TYPE_SOFTWARE, 4);
	put(size, 4);
	put(PERF_COUNT_SW_CPU_CLOCK, 8);
	put(0, 8);
	put(SAMPLE_TYPE, 8);
	put(0, 8);
	/* bit 18 of a bit-field */
	put_bytes(big ? "\0\0\x20\0\0\0\0\0" : "\0\0\x04\0\0\0\0\0", 8);
	while (len < at + size)
		put(0, 1);
}

static void put_trailer(uint32_t tid, uint64_t time, uint32_t cpu, uint64_t id)
{
	put(tid, 4);
	put(tid, 4);
	put(time, 8);
	put(cpu, 4);
	put(0, 4);
	put(id, 8);
}

static void put_sample(uint64_t id, uint64_t time, uint32_t cpu)
{
	put_header(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 48);
	put(id, 8);
	put(0x1234, 8);
	put(7, 4);
	put(8, 4);
	put(time, 8);
	put(cpu, 4);
	put(0, 4);
}

static void put_lost(uint64_t lost, uint64_t time, uint32_t cpu)
{
	put_header(PERF_RECORD_LOST, 0, 56);
	put(11, 8);
	put(lost, 8);
	put_trailer(8, time, cpu, 11);
}

/* COMM of perf's own: a trailer of zeros. */
static void put_comm(void)
{
	put_header(PERF_RECORD_COMM, 0, 56);
	put(7, 4);
	put(8, 4);
	put_bytes("true\0\0\0\0", 8);
	put_trailer(0, 0, 0, 0);
}

static void put_round(void)
{
	put_header(PERFDATA_RECORD_FINISHED_ROUND, 0, 8);
}

/* Header, attr and two ids; the records follow. */
static void begin_sized(const char *magic, uint32_t attr_size)
{
	len = 0;
	put_bytes(magic, 8);
	put(HEADER_SIZE, 8);
	put(attr_size + 16, 8);
	put(HEADER_SIZE + 16, 8);		/* attrs */
	put(attr_size + 16, 8);
	put(HEADER_SIZE + 16 + attr_size + 16, 8);	/* data, */
	put(0, 8);				/* see end() */
	for (int i = 0; i < 6; i++)
		put(0, 8);
	put(11, 8);
	put(12, 8);
	put_attr(attr_size);
	put(HEADER_SIZE, 8);
	put(16, 8);
}

static void begin(void)
{
	begin_sized(big ? "2ELIFREP" : "PERFILE2", PERF_ATTR_SIZE_VER5);
}

/* The size of the data, and the features HOSTNAME and EVENT_DESC. */
static void end(void)
{
	size_t start = HEADER_SIZE + 16 + PERF_ATTR_SIZE_VER5 + 16;
	size_t at = len + 2 * 16;

	put_at(48, len - start, 8);
	put_at(72, 1 << PERFDATA_HOSTNAME | 1 << PERFDATA_EVENT_DESC, 8);
	put(at, 8);
	put(4 + 64, 8);
	put(at + 68, 8);
	put(8 + PERF_ATTR_SIZE_VER5 + 8 + 64 + 16, 8);
	put(64, 4);
	put_string("there\x1b[31m", 64);
	put(1, 4);
	put(PERF_ATTR_SIZE_VER5, 4);
	put_attr(PERF_ATTR_SIZE_VER5);
	put(2, 4);
	put(64, 4);
	put_string("my-clock", 64);
	put(11, 8);
	put(12, 8);
}

static void write_as(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, file, len), len);
	close(fd);
}

/* What reading found. */
static struct perfdata_record got[RECORDS_MAX];
static size_t nr_got;
static struct perfdata_info info;
static char event_name[PERFDATA_NAME_SIZE];
static struct err err;

/* What was copied of a pipe has the same records. */
static void read_copy(const struct perfdata_reader *from)
{
	struct perfdata_reader *r = perfdata_reader_again(from, UNKNOWN, &err);
	struct perfdata_record record;
	size_t nr = 0;

	assert_non_null(r);
	for (; perfdata_reader_next(r, &record, &err) > 0; nr++)
		if (nr < RECORDS_MAX)
			assert_int_equal(record.offset, got[nr].offset);
	assert_int_equal(err.code, 0);
	assert_int_equal(nr < RECORDS_MAX ? nr : RECORDS_MAX, nr_got);
	perfdata_reader_free(r);
}

static int read_path(const char *name)
{
	struct perfdata_reader *r;
	struct perfdata_record record;
	int ret;

	nr_got = 0;
	memset(&err, 0, sizeof(err));
	r = perfdata_reader_open(name, true, &err);
	if (!r)
		return err.code;
	while ((ret = perfdata_reader_next(r, &record, &err)) > 0)
		if (nr_got < RECORDS_MAX)
			got[nr_got++] = record;
	if (ret == 0 && !strcmp(name, "-"))
		read_copy(r);
	info = *perfdata_reader_info(r);
	event_name[0] = '\0';
	if (perfdata_reader_event(r, 0))
		snprintf(event_name, sizeof(event_name), "%s",
			 perfdata_reader_event(r, 0)->name);
	perfdata_reader_free(r);
	assert_true(ret == 0 || (ret == err.code && *err.text));
	return ret;
}

static int read_file(void)
{
	write_as(path);
	return read_path(path);
}

static void expect_damage(const char *text)
{
	int ret = read_file();

	if (ret != -EBADMSG || !strstr(err.text, text))
		fail_msg("%d, '%s', not '%s'", ret, err.text, text);
}

/* From a pipe on standard input. */
static int read_stdin(void)
{
	int ends[2], saved = dup(STDIN_FILENO), ret;

	assert_true(len < 1 << 16); /* the pipe takes it at once */
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], file, len), len);
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	ret = read_path("-");
	dup2(saved, STDIN_FILENO);
	close(saved);
	return ret;
}

static void put_usual(void)
{
	put_comm();
	put_sample(11, 1000, 3);
	put_lost(77, 2000, 3);
	put_round();
	put_sample(12, 3000, 1);
}

static void expect_usual(void)
{
	assert_int_equal(nr_got, 5);
	assert_int_equal(got[0].type, PERF_RECORD_COMM);
	assert_int_equal(got[0].origin, PERFDATA_OF_NO_RING);
	assert_true(got[0].time == UNKNOWN);
	assert_int_equal(got[1].type, PERF_RECORD_SAMPLE);
	assert_int_equal(got[1].misc, PERF_RECORD_MISC_USER);
	assert_int_equal(got[1].size, 48);
	assert_int_equal(got[1].event, 0);
	assert_int_equal(got[1].origin, PERFDATA_OF_CPU);
	assert_int_equal(got[1].ring, 3);
	assert_int_equal(got[1].time, 1000);
	assert_int_equal(got[2].lost, 77);
	assert_int_equal(got[2].origin, PERFDATA_OF_CPU);
	assert_int_equal(got[2].ring, 3);
	assert_int_equal(got[3].type, PERFDATA_RECORD_FINISHED_ROUND);
	assert_int_equal(got[3].origin, PERFDATA_OF_NO_RING);
	assert_int_equal(got[4].ring, 1);
}

TEST(both_byte_orders)
{
	for (int i = 0; i < 2; i++) {
		big = i;
		begin();
		put_usual();
		end();
		assert_int_equal(read_file(), 0);
		expect_usual();
		assert_int_equal(info.form, PERFDATA_FORM_FILE);
		assert_int_equal(info.big_endian, big);
		assert_false(info.unfinished);
		assert_string_equal(info.hostname, "there?[31m");
		assert_string_equal(event_name, "my-clock");
		/* the features come after the records there */
		assert_int_equal(read_stdin(), 0);
		expect_usual();
		assert_string_equal(info.hostname, "there?[31m");
		assert_string_equal(event_name, "my-clock");
	}
	big = false;
}

/* Records with each kind of field. */
static void put_to_copy(void)
{
	put_at(HEADER_SIZE + 16 + 24, SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN |
	       PERF_SAMPLE_RAW, 8);
	put_header(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 80);
	put(11, 8);
	put(0x1234, 8);
	put(7, 4);
	put(8, 4);
	put(1000, 8);
	put(3, 4);
	put(0, 4);
	put(2, 8);
	put(0x1234, 8);
	put(0x5678, 8);
	put(4, 4);
	put_bytes("\1\2\3\4", 4);
	put_comm();
	put_header(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 112);
	put(7, 4);
	put(8, 4);
	put(0x10000, 8);
	put(0x2000, 8);
	put(0x3000, 8);
	put(0xfe, 4);
	put(1, 4);
	put(77, 8);
	put(2, 8);
	put(5, 4);
	put(2, 4);
	put_string("/lib/so", 8);
	put_trailer(8, 1001, 3, 12);
	put_header(PERF_RECORD_FORK, 0, 64);
	for (uint32_t i = 7; i < 11; i++)
		put(i, 4);
	put(1002, 8);
	put_trailer(8, 1002, 3, 11);
}

static const struct sample_layout layout_to_copy = {
	.sample_type = SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW,
};

static void expect_sample(const uint64_t *copy, size_t size)
{
	struct sample s;

	assert_int_equal(sample_parse(&layout_to_copy, copy, size, &s), 0);
	assert_int_equal(s.misc, PERF_RECORD_MISC_USER);
	assert_int_equal(s.ip, 0x1234);
	assert_int_equal(s.pid, 7);
	assert_int_equal(s.tid, 8);
	assert_int_equal(s.time, 1000);
	assert_int_equal(s.cpu, 3);
	assert_int_equal(s.nr_chain, 2);
	assert_int_equal(s.chain[1], 0x5678);
	assert_int_equal(s.raw_size, 4);
	assert_memory_equal(s.raw, "\1\2\3\4", 4);
}

static void expect_side_band(uint32_t type, const uint64_t *copy, size_t size)
{
	struct side_band r;

	assert_int_equal(side_band_parse(copy, size, &side_band_own, &r), 0);
	assert_int_equal(r.type, type);
	switch (type) {
	case PERF_RECORD_COMM:
		assert_int_equal(r.time, 0);
		assert_int_equal(r.comm.tid, 8);
		assert_string_equal(r.comm.comm, "true");
		break;
	case PERF_RECORD_MMAP2:
		assert_int_equal(r.time, 1001);
		assert_int_equal(r.cpu, 3);
		assert_int_equal(r.tid, 8);
		assert_int_equal(r.map.pid, 7);
		assert_int_equal(r.map.len, 0x2000);
		assert_int_equal(r.map.major, 0xfe);
		assert_int_equal(r.map.inode, 77);
		assert_true(r.map.executable);
		assert_string_equal(r.map.name, "/lib/so");
		break;
	case PERF_RECORD_FORK:
		assert_int_equal(r.time, 1002);
		assert_int_equal(r.task.ptid, 10);
		break;
	}
}

TEST(copies_are_of_this_machine)
{
	static uint64_t copy[PERFDATA_COPY_MAX / sizeof(uint64_t)];
	struct perfdata_record record;
	struct perfdata_reader *r;
	size_t size, nr;

	for (int i = 0; i < 2; i++) {
		big = i;
		begin();
		put_to_copy();
		end();
		write_as(path);
		r = perfdata_reader_open(path, false, &err);
		assert_non_null(r);
		for (nr = 0; perfdata_reader_next(r, &record, &err) > 0; nr++) {
			size = perfdata_reader_copy(r, &record, copy);
			if (record.type == PERF_RECORD_SAMPLE)
				expect_sample(copy, size);
			else
				expect_side_band(record.type, copy, size);
		}
		assert_int_equal(nr, 4);
		perfdata_reader_free(r);
	}
	big = false;
}

/* Bits of features in longs of 32 bits. */
TEST(big_endian_of_32_bits)
{
	uint64_t bits;

	big = true;
	begin();
	put_usual();
	end();
	bits = 1 << PERFDATA_HOSTNAME | 1 << PERFDATA_EVENT_DESC;
	put_at(72, bits << 32, 8);
	assert_int_equal(read_file(), 0);
	expect_usual();
	assert_string_equal(info.hostname, "there?[31m");
	assert_string_equal(event_name, "my-clock");
	big = false;
}

TEST(first_version)
{
	for (int i = 0; i < 2; i++) {
		big = i;
		begin_sized("PERFFILE", PERF_ATTR_SIZE_VER5);
		put_usual();
		end();
		assert_int_equal(read_file(), 0);
		expect_usual();
		assert_int_equal(info.form, PERFDATA_FORM_V1);
		assert_int_equal(info.big_endian, big);
	}
	big = false;
}

TEST(attr_sizes)
{
	static const uint32_t sizes[] = { 64, 72, 128, 136, 400 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		begin_sized("PERFILE2", sizes[i]);
		put_usual();
		assert_int_equal(read_file(), 0);
		expect_usual();
		assert_true(info.unfinished);
	}
}

static void put_pipe(void)
{
	len = 0;
	put_bytes(big ? "2ELIFREP" : "PERFILE2", 8);
	put(16, 8);
	put_header(PERFDATA_RECORD_ATTR, 0, 8 + PERF_ATTR_SIZE_VER5 + 16);
	put_attr(PERF_ATTR_SIZE_VER5);
	put(11, 8);
	put(12, 8);
	put_header(PERFDATA_RECORD_EVENT_UPDATE, 0, 8 + 16 + 16);
	put(2, 8);
	put(12, 8);
	put_string("its-name", 16);
	put_header(PERFDATA_RECORD_TRACING_DATA, 0, 12);
	put(13, 4);
	put_bytes("0123456789abcdef", 16);	/* 13 bytes and padding */
	put_header(PERFDATA_RECORD_FEATURE, 0, 8 + 8 + 4 + 64);
	put(PERFDATA_VERSION, 8);
	put(64, 4);
	put_string("9.9", 64);
	put_sample(12, 5, 0);
	put_header(PERFDATA_RECORD_AUXTRACE, 0, 48);
	put(100, 8);
	put(0, 8);
	put(0, 8);
	put(0, 4);
	put(UINT32_MAX, 4);
	put(2, 4);
	put(0, 4);
	for (int i = 0; i < 100; i++)
		put(0xff, 1);
	put_sample(11, 6, 2);
	put_header(33000, 0, 16);	/* simpleperf's own */
	put(0, 8);
}

TEST(pipe_mode)
{
	for (int i = 0; i < 4; i++) {
		big = i / 2;
		put_pipe();
		assert_int_equal(i % 2 ? read_stdin() : read_file(), 0);
		assert_int_equal(info.form, PERFDATA_FORM_PIPE);
		assert_string_equal(info.version, "9.9");
		assert_string_equal(event_name, "its-name");
		assert_int_equal(nr_got, 8);
		assert_int_equal(got[4].time, 5);
		assert_int_equal(got[5].trace, 100);
		assert_int_equal(got[5].origin, PERFDATA_OF_CPU);
		assert_int_equal(got[5].ring, 2);
		assert_int_equal(got[6].ring, 2);
		assert_int_equal(got[7].type, 33000);
	}
	big = false;
}

TEST(tracing_data_within_its_record)
{
	begin();
	put_header(PERFDATA_RECORD_TRACING_DATA, 0, 12 + 64);
	put(20, 4);
	for (int i = 0; i < 64; i++)
		put(0xff, 1);
	put_sample(11, 1, 0);
	end();
	assert_int_equal(read_file(), 0);
	assert_int_equal(nr_got, 2);
}

static void put_index(uint64_t id, uint64_t cpu, uint64_t tid)
{
	put_header(PERFDATA_RECORD_ID_INDEX, 0, 48);
	put(1, 8);
	put(id, 8);
	put(0, 8);
	put(cpu, 8);
	put(tid, 8);
}

TEST(rings_by_id)
{
	begin();
	put_index(11, 5, 99);
	put_index(12, UINT64_MAX, 99);
	put_sample(11, 1, 0);
	put_sample(12, 2, 0);
	/* perf's count at the end: without a time */
	put_header(PERF_RECORD_LOST_SAMPLES, 0, 48);
	put(44, 8);
	put_trailer(0, 0, 0, 11);
	/* of unknown events: by their CPU, or not at all */
	put_sample(13, 3, 1);
	put_header(PERF_RECORD_LOST_SAMPLES, 0, 48);
	put(45, 8);
	put_trailer(0, 0, 0, 0);
	end();
	assert_int_equal(read_file(), 0);
	assert_int_equal(nr_got, 7);
	assert_int_equal(got[2].origin, PERFDATA_OF_CPU);
	assert_int_equal(got[2].ring, 5);
	assert_int_equal(got[3].origin, PERFDATA_OF_TASK);
	assert_int_equal(got[3].ring, 99);
	assert_int_equal(got[4].lost, 44);
	assert_int_equal(got[4].ring, 5);
	assert_int_equal(got[5].origin, PERFDATA_OF_CPU);
	assert_int_equal(got[5].ring, 1);
	assert_int_equal(got[6].lost, 45);
	assert_int_equal(got[6].origin, PERFDATA_OF_SOME_RING);
}

/* What is known of an id may change between two of its samples. */
TEST(rings_by_id_later)
{
	begin();
	put_sample(11, 1, 3);
	put_index(11, 5, 99);
	put_sample(11, 2, 3);
	put_index(11, UINT64_MAX, 99);
	put_sample(11, 0, 3);
	/* the same places of any table of few ids */
	for (uint64_t id = 11; id <= 11 + 4096; id += 4096) {
		put_sample(id, 4, 3);
		put_sample(12, 5, 3);
	}
	/* it ends before its CPU */
	put_header(PERF_RECORD_SAMPLE, 0, 40);
	put(12, 8);
	put(0x1234, 8);
	put(7, 4);
	put(8, 4);
	put(6, 8);
	end();
	assert_int_equal(read_file(), 0);
	assert_int_equal(nr_got, 10);
	assert_int_equal(got[0].origin, PERFDATA_OF_CPU);
	assert_int_equal(got[0].ring, 3);
	assert_int_equal(got[2].origin, PERFDATA_OF_CPU);
	assert_int_equal(got[2].ring, 5);
	assert_int_equal(got[2].cpu, 3);
	assert_int_equal(got[2].pid, 7);
	assert_int_equal(got[4].origin, PERFDATA_OF_TASK);
	assert_int_equal(got[4].ring, 99);
	assert_true(got[4].time == UNKNOWN);
	assert_int_equal(got[5].ring, 99);
	assert_int_equal(got[6].ring, 3);
	assert_int_equal(got[7].origin, PERFDATA_OF_CPU);
	assert_int_equal(got[7].ring, 3);
	assert_int_equal(got[8].event, 0);
	assert_int_equal(got[9].origin, PERFDATA_OF_TASK);
	assert_int_equal(got[9].ring, 8);
	assert_int_equal(got[9].time, 6);
	assert_true(got[9].cpu == UINT32_MAX);
}

TEST(samples_without_cpu)
{
	begin();
	put_at(HEADER_SIZE + 16 + 24, SAMPLE_TYPE & ~PERF_SAMPLE_CPU, 8);
	put_sample(11, 1, 3);
	put_index(11, 5, 99);
	put_sample(11, 2, 3);
	end();
	assert_int_equal(read_file(), 0);
	assert_int_equal(got[0].origin, PERFDATA_OF_TASK);
	assert_int_equal(got[0].ring, 8);
	assert_int_equal(got[2].origin, PERFDATA_OF_CPU);
	assert_int_equal(got[2].ring, 5);
	assert_true(got[2].cpu == UINT32_MAX);
}

/* Of a task, wherever it runs, if records have no ids and no CPU has a ring. */
TEST(rings_of_tasks_without_ids)
{
	begin();
	put_at(HEADER_SIZE + 16 + 24, SAMPLE_TYPE & ~PERF_SAMPLE_IDENTIFIER, 8);
	put_at(HEADER_SIZE + 16 + 40, 1 << 1, 8);
	put_index(11, UINT64_MAX, 8);
	put_header(PERF_RECORD_SAMPLE, 0, 40);
	put(0x1234, 8);
	put(7, 4);
	put(8, 4);
	put(6, 8);
	put(3, 8);
	end();
	assert_int_equal(read_file(), 0);
	assert_int_equal(got[1].cpu, 3);
	assert_int_equal(got[1].origin, PERFDATA_OF_TASK);
	assert_int_equal(got[1].ring, 8);
}

/* Truncated anywhere, a file is an error, except after its last record. */
TEST(truncated_anywhere)
{
	size_t whole, nr = 5;

	begin();
	put_usual();
	whole = len;
	end();
	for (size_t size = len; size-- > 0;) {
		len = size;
		assert_int_equal(read_file(), -EBADMSG);
		assert_true(nr_got <= nr);
		nr = nr_got;
		if (size >= whole)
			assert_int_equal(nr_got, 5);
	}
	assert_int_equal(nr_got, 0);
	put_pipe();
	for (size_t size = len; size-- > 16;) {
		len = size;
		if (read_file())
			assert_int_equal(err.code, -EBADMSG);
	}
}

/* Bytes changed at random: any result, but no crash and no large memory. */
TEST(damaged_anywhere)
{
	unsigned int seed = 1;
	uint8_t saved[4096];
	size_t size;

	for (int form = 0; form < 2; form++) {
		if (form) {
			put_pipe();
		} else {
			begin();
			put_index(11, 5, 99);
			put_usual();
			end();
		}
		size = len;
		assert_true(size < sizeof(saved));
		memcpy(saved, file, size);
		for (int i = 0; i < 3000; i++) {
			for (int j = 0; j < 3; j++)
				file[(unsigned int)rand_r(&seed) % size] =
					(uint8_t)rand_r(&seed);
			read_file();
			memcpy(file, saved, size);
		}
	}
}

TEST(impossible_sizes)
{
	static const struct {
		size_t at;
		uint64_t value;
		const char *says;
	} cases[] = {
		{ 8, 40, "header takes 40 bytes" },
		{ 16, 0, "takes 0 bytes" },
		{ 16, UINT64_MAX, "an event takes" },
		{ 24, UINT64_MAX - 4, "not in the file" },
		{ 32, UINT64_C(1) << 32, "not in the file" },
		{ 40, 8, "within the header" },
		{ 40, UINT64_MAX, "after its end" },
		/* the features are taken for records */
		{ 48, UINT64_MAX - 1, "damaged at offset" },
		{ 48, UINT64_C(1) << 32, "damaged at offset" },
		/* the ids of the attr */
		{ HEADER_SIZE + 16 + PERF_ATTR_SIZE_VER5 + 8,
		  UINT64_C(1) << 32, "not in the file" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		begin();
		put_usual();
		end();
		put_at(cases[i].at, cases[i].value, 8);
		expect_damage(cases[i].says);
	}
	begin();
	put_usual();
	put_at(48, UINT64_C(1) << 32, 8);
	expect_damage("before the end of its records");
	assert_int_equal(nr_got, 5);
	for (uint16_t size = 0; size < 8; size++) {
		begin();
		put_usual();
		put_header(PERF_RECORD_SAMPLE, 0, size);
		end();
		expect_damage("fewer than its own header");
		assert_int_equal(nr_got, 5);
	}
	begin();
	put_usual();
	put_header(PERF_RECORD_SAMPLE, 0, 4096);
	end();
	expect_damage("has 4096 bytes, but only 8 are left");
}

/* What follows a record, and what a feature claims. */
TEST(impossible_payloads)
{
	static const uint64_t sizes[] = {
		101, UINT64_C(1) << 32, INT64_MAX, UINT64_MAX
	};
	size_t at;

	for (size_t i = 0; i < 2 * sizeof(sizes) / sizeof(*sizes); i++) {
		put_pipe();
		len -= 48 + 16;		/* to the end of AUXTRACE's bytes */
		put_at(len - 100 - 40, sizes[i / 2], 8);
		assert_int_equal(i % 2 ? read_stdin() : read_file(), -EBADMSG);
		assert_non_null(strstr(err.text, "should follow this record"));
		assert_int_equal(nr_got, 6);
	}
	begin();
	put_usual();
	end();
	at = len - (8 + PERF_ATTR_SIZE_VER5 + 8 + 64 + 16);
	put_at(at - 68, UINT32_MAX, 4);		/* length of the host name */
	put_at(at, UINT32_MAX, 4);		/* number of events */
	assert_int_equal(read_file(), 0);
	assert_string_equal(info.hostname, "");
	assert_string_equal(event_name, "my-clock");
}

TEST(writer_that_died)
{
	begin();
	put_usual();
	assert_int_equal(read_file(), 0);
	expect_usual();
	assert_true(info.unfinished);
	len -= 4;
	expect_damage("within the record at offset");
	assert_int_equal(nr_got, 4);
	/* finished, without records */
	begin();
	end();
	assert_int_equal(read_file(), 0);
	assert_int_equal(nr_got, 0);
	assert_false(info.unfinished);
	assert_string_equal(info.hostname, "there?[31m");
	/* without a bitmap of features */
	begin();
	put_at(8, 72, 8);
	put_usual();
	end();
	assert_int_equal(read_file(), 0);
	expect_usual();
	assert_string_equal(info.hostname, "");
}

TEST(not_recordings)
{
	len = 0;
	expect_damage("empty");
	put_bytes("\177ELF\1\1\1\0\0\0\0\0\0\0\0\0", 16);
	expect_damage("not a recording");
	len = 0;
	put_bytes("PERFILE2", 8);
	expect_damage("not a recording");
	assert_int_equal(read_path("/nonexistent/file"), -ENOENT);
	assert_non_null(strstr(err.text, "/nonexistent/file"));
}

/* A record, of bytes that were compressed elsewhere or are no such. */
static void put_compressed(const uint8_t *bytes, size_t size)
{
	put_header(PERFDATA_RECORD_COMPRESSED, 0, (uint16_t)(8 + size));
	put_bytes(bytes, size);
}

#ifdef HAVE_LIBZSTD
static uint8_t packed[1 << 19];

/* Compress what was put from @at on; it is taken away again. */
static size_t pack(size_t at)
{
	size_t size = ZSTD_compress(packed, sizeof(packed), file + at,
				    len - at, 1);

	assert_false(ZSTD_isError(size));
	len = at;
	return size;
}

TEST(compressed)
{
	size_t at, size;

	for (int i = 0; i < 2; i++) {
		big = i;
		begin();
		at = len;
		put_usual();
		size = pack(at);
		/* in three, which do not end where records do */
		put_compressed(packed, 10);
		put_compressed(packed + 10, 21);
		put_round();
		put_compressed(packed + 31, size - 31);
		put_sample(11, 9, 9);
		end();
		assert_int_equal(read_file(), 0);
		assert_int_equal(nr_got, 5 + 5);
		assert_int_equal(got[0].type, PERFDATA_RECORD_COMPRESSED);
		assert_int_equal(got[9].ring, 9);
		assert_int_equal(info.compressed_unread, 0);
		assert_int_equal(read_stdin(), 0);
		assert_int_equal(nr_got, 5 + 5);
	}
	big = false;
}

static void put_random_comms(size_t nr)
{
	unsigned int seed = 1;

	for (size_t i = 0; i < nr; i++) {
		put_comm();
		for (size_t j = 0; j < 16; j++)
			file[len - 48 + j] = (uint8_t)rand_r(&seed);
	}
}

/* More than the 16 bits of a header can say: perf's pieces, each with one. */
TEST(compressed_pieces)
{
	enum { PIECE = 65519, NR = 4400 };
	size_t at, size, total;

	begin();
	at = len;
	put_random_comms(NR);
	size = pack(at);
	assert_in_range(size, PIECE + 100, 2 * PIECE);
	total = size + 2 * 16;
	put_header(PERFDATA_RECORD_COMPRESSED2, 0,
		   (uint16_t)perfdata_align(total, 8));
	put(total - 16, 8);
	put_bytes(packed, PIECE);
	put_header(PERFDATA_RECORD_COMPRESSED2, 0,
		   (uint16_t)(16 + size - PIECE));
	put(0, 8);
	put_bytes(packed + PIECE, size - PIECE);
	while ((len - at) % 8)
		put(0, 1);
	put_sample(11, 9, 9);
	end();
	if (read_file())
		fail_msg("%s", err.text);
	assert_int_equal(nr_got, RECORDS_MAX);
	assert_int_equal(got[0].type, PERFDATA_RECORD_COMPRESSED2);
	assert_int_equal(got[0].size, perfdata_align(total, 8));
	assert_int_equal(got[RECORDS_MAX - 1].type, PERF_RECORD_COMM);
}

TEST(compressed_damage)
{
	size_t at, size;

	begin();
	put_sample(11, 9, 9);
	put_compressed((const uint8_t *)"garbage garbage garbage", 24);
	put_sample(11, 9, 9);
	end();
	expect_damage("cannot be decompressed");
	assert_int_equal(nr_got, 2);
	/* its end is missing */
	begin();
	at = len;
	put_usual();
	len -= 8;
	size = pack(at);
	put_compressed(packed, size);
	end();
	expect_damage("ends within a record");
	/* a record that cannot be in it */
	begin();
	at = len;
	put_header(PERFDATA_RECORD_AUXTRACE, 0, 48);
	put_usual();
	size = pack(at);
	put_compressed(packed, size);
	end();
	expect_damage("data has a record of type 71");
	begin();
	put_header(PERFDATA_RECORD_COMPRESSED2, 0, 16);
	put(INT64_MAX, 8);
	end();
	expect_damage("more than are left");
	begin();
	put_header(PERFDATA_RECORD_COMPRESSED2, 0, 16);
	put(UINT64_C(1) << 40, 8);
	expect_damage("ends within a compressed record");
}
#else
TEST(compressed_unread)
{
	begin();
	put_compressed((const uint8_t *)"anything", 8);
	put_sample(11, 9, 9);
	put_compressed((const uint8_t *)"anything", 8);
	end();
	assert_int_equal(read_file(), 0);
	assert_int_equal(nr_got, 3);
	assert_int_equal(got[1].type, PERF_RECORD_SAMPLE);
	assert_int_equal(info.compressed_unread, 2);
}
#endif

TEST(directories)
{
	char name[96];

	snprintf(name, sizeof(name), "%s/data.0", dir);
	len = 0;
	put_sample(12, 5, 1);
	put_sample(12, 6, 1);
	write_as(name);
	begin();
	put_usual();
	end();
	snprintf(name, sizeof(name), "%s/data", dir);
	write_as(name);
	assert_int_equal(read_path(dir), 0);
	assert_int_equal(err.code, 0);
	assert_int_equal(info.form, PERFDATA_FORM_DIRECTORY);
	assert_int_equal(nr_got, 7);
	assert_int_equal(got[4].part, 0);
	assert_int_equal(got[6].part, 1);
	assert_int_equal(got[6].time, 6);
	assert_int_equal(unlink(name), 0);
	assert_int_equal(read_path(dir), -ENOENT);
	assert_non_null(strstr(err.text, "without a file \"data\""));
	snprintf(name, sizeof(name), "%s/data.0", dir);
	unlink(name);
}

/*
 * A few ms of each file at a time, even if the directory has another name by
 * now; and what precedes damage of one.
 */
TEST(directory_by_time)
{
	/* the time that cannot be does not delay what follows in its file */
	static const uint64_t times[] = { 5, UINT64_C(1) << 62, 9000000, 6,
					  16000000, 30000000 };
	static const unsigned int parts[] = { 1, 1, 1, 2, 2, 1 };
	struct perfdata_reader *first, *by_time;
	struct perfdata_record record;
	char name[96], moved[96];
	size_t nr = 0;

	for (unsigned int part = 1; part <= 2; part++) {
		len = 0;
		for (size_t i = 0; i < 6; i++)
			if (parts[i] == part)
				put_sample(12, times[i], 1);
		if (part == 2)
			put(0, 4);
		for (unsigned int i = 0; part == 1 && i < 100; i++)
			put_index(100 + i, 1, 99);	/* too late for these */
		snprintf(name, sizeof(name), "%s/data.%u", dir, part - 1);
		write_as(name);
	}
	begin();
	put_usual();
	end();
	snprintf(name, sizeof(name), "%s/data", dir);
	write_as(name);
	first = perfdata_reader_open(dir, false, &err);
	assert_non_null(first);
	while (perfdata_reader_next(first, &record, &err) > 0)
		;
	snprintf(moved, sizeof(moved), "%s.old", dir);
	assert_int_equal(rename(dir, moved), 0);
	for (int again = 0; again < 2; again++) {
		by_time = perfdata_reader_again(first, 30000000, &err);
		assert_non_null(by_time);
		perfdata_reader_free(first);
		first = by_time;
	}
	memset(&err, 0, sizeof(err));
	while (perfdata_reader_next(by_time, &record, &err) > 0) {
		if (!record.part || record.type != PERF_RECORD_SAMPLE)
			continue;
		assert_true(nr < 6);
		assert_int_equal(record.part, parts[nr]);
		assert_int_equal(record.time, times[nr]);
		assert_int_equal(record.event, 0);
		nr++;
		assert_int_equal(perfdata_reader_reached(by_time),
				 nr < 6 ? 0 : 9000000);
	}
	assert_int_equal(nr, 6);
	assert_non_null(strstr(err.text, "data.1: truncated: it ends at"));
	perfdata_reader_free(by_time);
	assert_int_equal(rename(moved, dir), 0);
	unlink(name);
	for (unsigned int part = 0; part < 2; part++) {
		snprintf(name, sizeof(name), "%s/data.%u", dir, part);
		unlink(name);
	}
}

static int make_dir(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/file", dir);
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

/* By the words of @line; in *@aux that of an AUX ring. */
static uint64_t ring_sizes_of(const char *line, const char *arch, uint64_t *aux)
{
	struct perf_cmdline c = { 0 };
	char words[128], *rest = words, *word;

	snprintf(words, sizeof(words), "%s", line);
	while ((word = strsep(&rest, " ")))
		perf_cmdline_add(&c, word);
	*aux = perf_cmdline_ring_size(&c.aux, arch);
	return perf_cmdline_ring_size(&c.data, arch);
}

static uint64_t ring_size_of(const char *line, const char *arch)
{
	uint64_t aux;

	return ring_sizes_of(line, arch, &aux);
}

TEST(ring_sizes)
{
	static const struct {
		const char *line;
		uint64_t size;
	} cases[] = {
		{ "/usr/bin/perf record -a -m 8 -- sleep 1", 32768 },
		{ "perf_6.1 record -am8 sleep 1", 32768 },
		{ "perf record -ago x -m 9,64 true", 65536 },
		{ "perf record --mmap-pages=64K,1M true", 65536 },
		{ "perf record --mmap-p 1M -e a -e b true", 1 << 20 },
		{ "perf record -m 100B true", 4096 },
		{ "perf record -m 4 -m ,8 true", 16384 },
		{ "perf record -F 99 -m 4 -m 2 -p 1", 8192 },
		{ "perf record -z -Sm -m 2", 8192 },
		{ "perf record -a", UNKNOWN },
		{ "perf record -m ,8", UNKNOWN },
		{ "perf record -m", UNKNOWN },
		{ "perf record -m 0", UNKNOWN },
		{ "perf record -m -4", UNKNOWN },
		{ "perf record -m 4x", UNKNOWN },
		{ "perf record -m 99999999999999999999", UNKNOWN },
		/* of the command, or of an option */
		{ "perf record python3 -m 4", UNKNOWN },
		{ "perf record -a -- tar -m 4", UNKNOWN },
		{ "perf record -o -m 4", UNKNOWN },
		{ "perf record --filter -m 4", UNKNOWN },
		{ "perf record --of-later x -m 4", UNKNOWN },
		{ "perf sched record -m 4", UNKNOWN },
		{ "simpleperf record -m 4", UNKNOWN },
		{ "perf", UNKNOWN },
		{ "", UNKNOWN },
	}, with_aux[] = {
		{ "perf record -m 9,64 true", 256 << 10 },
		{ "perf record -m ,8 -m 4 true", 32768 },
		{ "perf record --mmap-pages=64K,1M true", 1 << 20 },
		{ "perf record -m 9 true", UNKNOWN },
		{ "perf record -m 9, true", UNKNOWN },
		{ "perf record -m 9,x true", UNKNOWN },
	};
	uint64_t aux;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (ring_size_of(cases[i].line, "x86_64") != cases[i].size)
			fail_msg("%s", cases[i].line);
	for (size_t i = 0; i < sizeof(with_aux) / sizeof(with_aux[0]); i++) {
		ring_sizes_of(with_aux[i].line, "x86_64", &aux);
		if (aux != with_aux[i].size)
			fail_msg("%s", with_aux[i].line);
	}
	/* 4, 16 or 64 KiB */
	assert_true(ring_size_of("perf record -m 8", "aarch64") == UNKNOWN);
	assert_true(ring_size_of("perf record -m 8", "") == UNKNOWN);
}

TEST_GROUP(perfdata_reader, .setup = make_dir, .teardown = remove_dir);
