/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of tasks and kernel text, written by hand as in linux/perf_event.h.
 * Each is parsed in an allocation of exactly its size, so that the address
 * sanitizer detects reads beyond it.
 */
#include "tests/group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "perf/abi/record.h"
#include "perf/abi/side_band.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

enum { MAX_RECORD = 512 };

/* What rbtop's dummies request, but with build-ids; and nothing at all. */
static const struct side_band_layout usual = {
	.sample_type = RECORD_SAMPLE_TYPE,
	.build_ids = true,
};
static const struct side_band_layout none = { 0 };

/* A record being written; fields are not aligned to their sizes. */
struct writer {
	unsigned char bytes[MAX_RECORD];
	size_t len;
};

static void put(struct writer *w, const void *data, size_t len)
{
	assert_true(w->len + len <= sizeof(w->bytes));
	memcpy(w->bytes + w->len, data, len);
	w->len += len;
}

static void put16(struct writer *w, uint16_t value)
{
	put(w, &value, sizeof(value));
}

static void put32(struct writer *w, uint32_t value)
{
	put(w, &value, sizeof(value));
}

static void put64(struct writer *w, uint64_t value)
{
	put(w, &value, sizeof(value));
}

/* With its NUL, padded to 8 bytes as the kernel does. */
static void put_string(struct writer *w, const char *string)
{
	put(w, string, strlen(string) + 1);
	while (w->len % 8)
		put(w, "", 1);
}

static void begin(struct writer *w, uint32_t type, uint16_t misc)
{
	w->len = 0;
	put32(w, type);
	put16(w, misc);
	put16(w, 0);
}

static void set_size(unsigned char *record, size_t size)
{
	uint16_t told = (uint16_t)size;

	memcpy(record + offsetof(struct perf_event_header, size), &told,
	       sizeof(told));
}

/* Add the trailer of rbtop's events, and set the header's size. */
static void end(struct writer *w)
{
	put32(w, 40);	/* TID */
	put32(w, 41);
	put64(w, 9000);	/* TIME */
	put32(w, 2);	/* CPU */
	put32(w, 0);
	put64(w, 66);	/* IDENTIFIER */
	set_size(w->bytes, w->len);
}

/* The record, parsed into @out; to be freed. */
static void *parsed(const struct writer *w, struct side_band *out)
{
	void *record = malloc(w->len);

	assert_non_null(record);
	memcpy(record, w->bytes, w->len);
	assert_int_equal(side_band_parse(record, w->len, &usual,
					 out), 0);
	assert_int_equal(out->pid, 40);
	assert_int_equal(out->tid, 41);
	assert_int_equal(out->time, 9000);
	assert_int_equal(out->cpu, 2);
	assert_int_equal(out->id, 66);
	return record;
}

static void write_mmap(struct writer *w, uint16_t misc)
{
	begin(w, PERF_RECORD_MMAP, misc);
	put32(w, 10);
	put32(w, 11);
	put64(w, 0x400000);
	put64(w, 0x2000);
	put64(w, 0x1000);
	put_string(w, "/bin/true");
	end(w);
}

TEST(test_mmap)
{
	struct side_band out;
	struct writer w;
	void *record;

	write_mmap(&w, PERF_RECORD_MISC_KERNEL);
	record = parsed(&w, &out);
	assert_int_equal(out.type, PERF_RECORD_MMAP);
	assert_int_equal(out.map.pid, 10);
	assert_int_equal(out.map.tid, 11);
	assert_int_equal(out.map.start, 0x400000);
	assert_int_equal(out.map.len, 0x2000);
	assert_int_equal(out.map.pgoff, 0x1000);
	assert_true(out.map.executable);
	assert_true(out.map.kernel);
	assert_false(out.map.has_inode);
	assert_int_equal(out.map.build_id_len, 0);
	assert_string_equal(out.map.name, "/bin/true");
	free(record);
	write_mmap(&w, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA);
	record = parsed(&w, &out);
	assert_false(out.map.executable);
	assert_false(out.map.kernel);
	free(record);
}

static void write_mmap2(struct writer *w, uint16_t misc, uint8_t build_id_len,
			uint32_t prot)
{
	begin(w, PERF_RECORD_MMAP2, misc);
	put32(w, 10);
	put32(w, 11);
	put64(w, 0x7f0000000000);
	put64(w, 0x1000);
	put64(w, 0);
	if (misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		put(w, &build_id_len, 1);
		put(w, "\0\0\0", 3);
		put(w, "0123456789abcdefghij", 20);
	} else {
		put32(w, 8);
		put32(w, 1);
		put64(w, 4711);
		put64(w, 12);
	}
	put32(w, prot);
	put32(w, MAP_PRIVATE);
	put_string(w, "/lib/libc.so.6");
	end(w);
}

TEST(test_mmap2)
{
	struct side_band out;
	struct writer w;
	void *record;

	write_mmap2(&w, PERF_RECORD_MISC_USER, 0, PROT_READ | PROT_EXEC);
	record = parsed(&w, &out);
	assert_true(out.map.has_inode);
	assert_int_equal(out.map.major, 8);
	assert_int_equal(out.map.minor, 1);
	assert_int_equal(out.map.inode, 4711);
	assert_int_equal(out.map.generation, 12);
	assert_true(out.map.executable);
	assert_int_equal(out.map.build_id_len, 0);
	assert_string_equal(out.map.name, "/lib/libc.so.6");
	free(record);
	write_mmap2(&w, PERF_RECORD_MISC_USER, 0, PROT_READ);
	record = parsed(&w, &out);
	assert_false(out.map.executable);
	free(record);
}

TEST(test_build_id)
{
	const uint16_t misc = PERF_RECORD_MISC_USER |
			      PERF_RECORD_MISC_MMAP_BUILD_ID;
	struct side_band out;
	struct writer w;
	void *record;

	write_mmap2(&w, misc, 16, PROT_EXEC);
	record = parsed(&w, &out);
	assert_false(out.map.has_inode);
	assert_int_equal(out.map.inode, 0);
	assert_int_equal(out.map.build_id_len, 16);
	assert_memory_equal(out.map.build_id, "0123456789abcdef", 16);
	assert_true(out.map.executable);
	assert_string_equal(out.map.name, "/lib/libc.so.6");
	free(record);
	/* longer than its field */
	write_mmap2(&w, misc, 21, PROT_EXEC);
	assert_int_equal(side_band_parse(w.bytes, w.len, &usual,
					 &out), -EBADMSG);
}

/* The kernel also marks records of events that did not request build-ids. */
TEST(test_build_id_not_asked_for)
{
	static const struct side_band_layout plain = {
		.sample_type = RECORD_SAMPLE_TYPE,
	};
	struct side_band out;
	struct writer w;

	write_mmap2(&w, PERF_RECORD_MISC_USER, 0, PROT_EXEC);
	w.bytes[5] |= PERF_RECORD_MISC_MMAP_BUILD_ID >> 8;
	assert_int_equal(side_band_parse(w.bytes, w.len, &plain, &out), 0);
	assert_true(out.map.has_inode);
	assert_int_equal(out.map.build_id_len, 0);
	assert_int_equal(out.map.inode, 4711);
	assert_int_equal(out.misc, PERF_RECORD_MISC_USER);
}

static void write_comm(struct writer *w, uint16_t misc, const char *comm)
{
	begin(w, PERF_RECORD_COMM, misc);
	put32(w, 10);
	put32(w, 11);
	put_string(w, comm);
	end(w);
}

TEST(test_comm)
{
	struct side_band out;
	struct writer w;
	void *record;

	write_comm(&w, 0, "a\033[2J");
	record = parsed(&w, &out);
	assert_int_equal(out.comm.pid, 10);
	assert_int_equal(out.comm.tid, 11);
	assert_false(out.comm.exec);
	assert_string_equal(out.comm.comm, "a\033[2J"); /* raw */
	free(record);
	write_comm(&w, PERF_RECORD_MISC_COMM_EXEC, "");
	record = parsed(&w, &out);
	assert_true(out.comm.exec);
	assert_string_equal(out.comm.comm, "");
	free(record);
}

static void write_task(struct writer *w, uint32_t type)
{
	begin(w, type, 0);
	put32(w, 10);
	put32(w, 1);
	put32(w, 11);
	put32(w, 2);
	put64(w, 8999);
	end(w);
}

TEST(test_tasks)
{
	struct side_band out;
	struct writer w;

	for (size_t i = 0; i < 2; i++) {
		const uint32_t type = i ? PERF_RECORD_EXIT : PERF_RECORD_FORK;
		void *record;

		write_task(&w, type);
		record = parsed(&w, &out);
		assert_int_equal(out.type, type);
		assert_int_equal(out.task.pid, 10);
		assert_int_equal(out.task.ppid, 1);
		assert_int_equal(out.task.tid, 11);
		assert_int_equal(out.task.ptid, 2);
		free(record);
	}
	/* without a trailer they still have a time */
	set_size(w.bytes, w.len - RECORD_TRAILER);
	assert_int_equal(side_band_parse(w.bytes, w.len - RECORD_TRAILER, &none,
					 &out), 0);
	assert_int_equal(out.time, 8999);
	assert_int_equal(out.pid, 0);
}

TEST(test_switches)
{
	struct side_band out;
	struct writer w;
	void *record;

	begin(&w, PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT |
	      PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
	end(&w);
	record = parsed(&w, &out);
	assert_true(out.sched.out);
	assert_true(out.sched.preempted);
	assert_int_equal(out.sched.other_pid, -1);
	assert_int_equal(out.sched.other_tid, -1);
	free(record);
	begin(&w, PERF_RECORD_SWITCH_CPU_WIDE, 0);
	put32(&w, 70);
	put32(&w, 71);
	end(&w);
	record = parsed(&w, &out);
	assert_false(out.sched.out);
	assert_false(out.sched.preempted);
	assert_int_equal(out.sched.other_pid, 70);
	assert_int_equal(out.sched.other_tid, 71);
	free(record);
}

static void write_namespaces(struct writer *w, uint64_t nr, uint64_t written)
{
	begin(w, PERF_RECORD_NAMESPACES, 0);
	put32(w, 10);
	put32(w, 11);
	put64(w, nr);
	for (uint64_t i = 0; i < written; i++) {
		put64(w, 4);
		put64(w, 4026531840 + i);
	}
	end(w);
}

TEST(test_namespaces)
{
	static const uint64_t lies[] = { 3, 1000, UINT64_MAX / 16 + 1,
					 UINT64_MAX };
	struct side_band out;
	struct writer w;
	void *record;

	write_namespaces(&w, 7, 7);
	record = parsed(&w, &out);
	assert_int_equal(out.namespaces.pid, 10);
	assert_int_equal(out.namespaces.nr, 7);
	assert_int_equal(out.namespaces.links[6].dev, 4);
	assert_int_equal(out.namespaces.links[6].inode, 4026531846);
	free(record);
	/* more than fit: the first ones are kept */
	write_namespaces(&w, 20, 20);
	record = parsed(&w, &out);
	assert_int_equal(out.namespaces.nr, SIDE_BAND_NAMESPACES);
	assert_int_equal(out.namespaces.links[15].inode, 4026531855);
	free(record);
	for (size_t i = 0; i < NR(lies); i++) {
		write_namespaces(&w, lies[i], 2);
		assert_int_equal(side_band_parse(w.bytes, w.len,
						 &usual, &out),
				 -EBADMSG);
	}
}

static void write_ksymbol(struct writer *w, uint16_t flags)
{
	begin(w, PERF_RECORD_KSYMBOL, 0);
	put64(w, 0xffffffffc0000000);
	put32(w, 300);
	put16(w, PERF_RECORD_KSYMBOL_TYPE_BPF);
	put16(w, flags);
	put_string(w, "bpf_prog_6deef7357e7b4530");
	end(w);
}

TEST(test_ksymbol)
{
	struct side_band out;
	struct writer w;
	void *record;

	write_ksymbol(&w, 0);
	record = parsed(&w, &out);
	assert_true(out.ksymbol.addr == 0xffffffffc0000000);
	assert_int_equal(out.ksymbol.len, 300);
	assert_int_equal(out.ksymbol.type, PERF_RECORD_KSYMBOL_TYPE_BPF);
	assert_false(out.ksymbol.unregister);
	assert_string_equal(out.ksymbol.name, "bpf_prog_6deef7357e7b4530");
	free(record);
	write_ksymbol(&w, PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER);
	record = parsed(&w, &out);
	assert_true(out.ksymbol.unregister);
	free(record);
}

static void write_text_poke(struct writer *w, uint16_t old_len,
			    uint16_t new_len)
{
	begin(w, PERF_RECORD_TEXT_POKE, 0);
	put64(w, 0xffffffff81000000);
	put16(w, old_len);
	put16(w, new_len);
	put(w, "OOOOONNNNN\0\0", 12); /* padded to 8 bytes with the lengths */
	end(w);
}

TEST(test_text_poke)
{
	struct side_band out;
	struct writer w;
	void *record;

	write_text_poke(&w, 5, 5);
	record = parsed(&w, &out);
	assert_true(out.text_poke.addr == 0xffffffff81000000);
	assert_int_equal(out.text_poke.old_len, 5);
	assert_int_equal(out.text_poke.new_len, 5);
	assert_memory_equal(out.text_poke.bytes, "OOOOONNNNN", 10);
	free(record);
	write_text_poke(&w, UINT16_MAX, UINT16_MAX);
	assert_int_equal(side_band_parse(w.bytes, w.len, &usual,
					 &out), -EBADMSG);
}

static void write_bpf(struct writer *w)
{
	begin(w, PERF_RECORD_BPF_EVENT, 0);
	put16(w, PERF_BPF_EVENT_PROG_UNLOAD);
	put16(w, 0);
	put32(w, 99);
	put(w, "\1\2\3\4\5\6\7\10", 8);
	end(w);
}

static void write_cgroup(struct writer *w)
{
	begin(w, PERF_RECORD_CGROUP, 0);
	put64(w, 12345);
	put_string(w, "/system.slice");
	end(w);
}

TEST(test_bpf_and_cgroup)
{
	struct side_band out;
	struct writer w;
	void *record;

	write_bpf(&w);
	record = parsed(&w, &out);
	assert_int_equal(out.bpf.type, PERF_BPF_EVENT_PROG_UNLOAD);
	assert_int_equal(out.bpf.id, 99);
	assert_memory_equal(out.bpf.tag, "\1\2\3\4\5\6\7\10", 8);
	free(record);
	write_cgroup(&w);
	record = parsed(&w, &out);
	assert_int_equal(out.cgroup.id, 12345);
	assert_string_equal(out.cgroup.path, "/system.slice");
	free(record);
}

/* The kernel counts trailers of other events to the size as well. */
TEST(test_too_long)
{
	struct side_band out;
	struct writer w;

	for (int i = 0; i < 3; i++) {
		if (i == 0)
			write_ksymbol(&w, 0);
		else if (i == 1)
			write_text_poke(&w, 5, 5);
		else
			write_bpf(&w);
		for (int more = 0; more < 8; more++)
			put64(&w, UINT64_MAX);
		set_size(w.bytes, w.len);
		assert_int_equal(side_band_parse(w.bytes, w.len, &usual, &out),
				 0);
		assert_true(out.time == 9000 && out.id == 66);
	}
}

/* TID TIME ID STREAM_ID CPU IDENTIFIER, each only if asked for. */
TEST(test_trailers)
{
	static const struct side_band_layout other = {
		.sample_type = PERF_SAMPLE_ID | PERF_SAMPLE_IP |
			       PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_RAW,
	};
	struct side_band out;
	struct writer w;

	begin(&w, PERF_RECORD_SWITCH, 0);
	put64(&w, 5);	/* ID */
	put64(&w, 6);	/* STREAM_ID */
	put32(&w, 7);	/* CPU */
	put32(&w, 0);
	set_size(w.bytes, w.len);
	assert_int_equal(side_band_parse(w.bytes, w.len,
					 &other, &out), 0);
	assert_int_equal(out.id, 5);
	assert_int_equal(out.cpu, 7);
	assert_int_equal(out.time, 0);
	/* a trailer longer than the record */
	assert_int_equal(side_band_parse(w.bytes, w.len, &usual,
					 &out), -EBADMSG);
}

/* The string ends at the first zero of the trailer, which is not part of it. */
TEST(test_string_without_end)
{
	struct side_band out;
	struct writer w;

	begin(&w, PERF_RECORD_COMM, 0);
	put32(&w, 10);
	put32(&w, 11);
	put(&w, "AAAAAAAA", 8);
	end(&w);
	assert_int_equal(side_band_parse(w.bytes, w.len, &usual,
					 &out), -EBADMSG);
}

TEST(test_types)
{
	static const uint32_t known[] = { 1, 3, 4, 7, 10, 14, 15, 16, 17, 18,
					  19, 20, 21 };
	struct perf_event_header header = { .size = sizeof(header) };
	struct side_band out;

	for (uint32_t type = 0, i = 0; type < 40; type++) {
		bool want = i < NR(known) && known[i] == type;

		assert_int_equal(side_band_known(type), want);
		header.type = type;
		assert_int_equal(side_band_parse(&header, sizeof(header),
						 &usual, &out),
				 want ? -EBADMSG : -ENOENT);
		i += want;
	}
	assert_false(side_band_known(UINT32_MAX));
}

static size_t all_strings(const struct side_band *out)
{
	switch (out->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return strlen(out->map.name);
	case PERF_RECORD_COMM:
		return strlen(out->comm.comm);
	case PERF_RECORD_KSYMBOL:
		return strlen(out->ksymbol.name);
	case PERF_RECORD_CGROUP:
		return strlen(out->cgroup.path);
	}
	return 0;
}

/*
 * Parse the first @cut bytes in an allocation of their own; the header has the
 * old size, or with @honest the new one.
 */
static void parse_cut(const struct writer *w, size_t cut, bool honest,
		      const struct side_band_layout *layout)
{
	unsigned char *record = malloc(cut ? cut : 1);
	struct side_band out;
	int ret;

	assert_non_null(record);
	memcpy(record, w->bytes, cut);
	if (honest && cut >= sizeof(struct perf_event_header))
		set_size(record, cut);
	ret = side_band_parse(record, cut, layout, &out);
	/* Cut in its padding, with the new size, a record may be complete. */
	if (!honest || ret)
		assert_int_equal(ret, -EBADMSG);
	else
		assert_true(all_strings(&out) < cut);
	free(record);
}

static void cut_everywhere(const struct writer *w)
{
	for (size_t cut = 0; cut < w->len; cut++) {
		parse_cut(w, cut, false, &usual);
		parse_cut(w, cut, true, &usual);
		parse_cut(w, cut, false, &none);
		parse_cut(w, cut, true, &none);
	}
}

/* Write one record of each type with a body. */
static size_t write_all(struct writer *w)
{
	size_t nr = 0;

	write_mmap(&w[nr++], PERF_RECORD_MISC_USER);
	write_mmap2(&w[nr++], PERF_RECORD_MISC_USER, 0, PROT_EXEC);
	write_mmap2(&w[nr++], PERF_RECORD_MISC_MMAP_BUILD_ID, 20, PROT_EXEC);
	write_comm(&w[nr++], PERF_RECORD_MISC_COMM_EXEC, "bash");
	write_task(&w[nr++], PERF_RECORD_FORK);
	write_task(&w[nr++], PERF_RECORD_EXIT);
	write_namespaces(&w[nr++], 7, 7);
	write_ksymbol(&w[nr++], 0);
	write_text_poke(&w[nr++], 5, 5);
	write_bpf(&w[nr++]);
	write_cgroup(&w[nr++]);
	return nr;
}

enum { KINDS = 11 };

TEST(test_cut_at_every_byte)
{
	struct writer w[KINDS];
	size_t nr = write_all(w);

	assert_int_equal(nr, KINDS);
	for (size_t i = 0; i < nr; i++)
		cut_everywhere(&w[i]);
}

/* A record that cannot be complete is refused, whatever its size says. */
TEST(test_cut_within_fields)
{
	struct writer w[KINDS];
	struct side_band out;
	size_t nr = write_all(w);

	for (size_t i = 0; i < nr; i++) {
		/*
		 * the trailer, and one byte less than a header and 8 bytes of
		 * fields
		 */
		const size_t cut = RECORD_TRAILER + sizeof(uint64_t) * 2 - 1;

		set_size(w[i].bytes, cut);
		assert_int_equal(side_band_parse(w[i].bytes, cut,
						 &usual, &out),
				 -EBADMSG);
	}
}

TEST(test_every_byte_changed)
{
	static const unsigned char values[] = { 0, 1, 20, 0x7f, 0x80, 0xff };
	struct writer w[KINDS];
	size_t nr = write_all(w), taken = 0;

	for (size_t i = 0; i < nr; i++) {
		unsigned char *record = malloc(w[i].len);
		struct side_band out;

		assert_non_null(record);
		for (size_t at = 0; at < w[i].len * NR(values); at++) {
			memcpy(record, w[i].bytes, w[i].len);
			record[at / NR(values)] = values[at % NR(values)];
			if (side_band_parse(record, w[i].len,
					    &usual, &out))
				continue;
			assert_true(all_strings(&out) < w[i].len);
			taken++;
		}
		free(record);
	}
	assert_true(taken > 1000);
}

TEST_GROUP(side_band);
