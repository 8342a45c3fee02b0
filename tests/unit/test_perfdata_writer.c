/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "perf/abi/record.h"
#include "trace/perfdata/machine.h"
#include "tests/unit/perfdata_rig.h"

static const struct perf_event_attr attrs[2] = {
	{
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(struct perf_event_attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_type = RECORD_SAMPLE_TYPE,
		.sample_id_all = 1,
	},
	{
		.type = PERF_TYPE_SOFTWARE,
		.size = PERF_ATTR_SIZE_VER0,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = RECORD_SAMPLE_TYPE,
		.sample_id_all = 1,
	},
};
static const uint64_t ids[] = { 11, 12, 21 };
static const struct perfdata_event two[2] = {
	{ "cpu-clock", &attrs[0], ids, 2, 0 },
	{ "dummy", &attrs[1], ids + 2, 1, 1 },
};

/* COMM without a trailer. */
struct comm {
	struct perf_event_header header;
	uint32_t pid, tid;
	char comm[8];
};
static const struct comm comm = { { PERF_RECORD_COMM, 0, 24 }, 7, 8, "true" };

TEST(header_and_records)
{
	const uint32_t attr_size = 128;
	struct perfdata_rig rig;
	const uint8_t *at;

	rig_begin(&rig, two, 2);
	assert_int_equal(perfdata_writer_bytes(rig.w), 104 + 2 * 144);
	assert_int_equal(perfdata_write(rig.w, &comm, sizeof(comm)), 0);
	assert_int_equal(perfdata_write_bytes(rig.w, &comm, 10), 0);
	assert_int_equal(perfdata_write_bytes(rig.w, (char *)&comm + 10, 14),
			 0);
	rig_finish(&rig, NULL);
	assert_memory_equal(rig.bytes, "PERFILE2", 8);
	assert_int_equal(rig.header.size, 104);
	assert_int_equal(rig.header.attr_size, 144);
	assert_int_equal(rig.header.attrs.offset, 104);
	assert_int_equal(rig.header.attrs.size, 2 * 144);
	assert_int_equal(rig.header.data.offset, 104 + 2 * 144);
	assert_int_equal(rig.header.data.size, 48);
	assert_int_equal(rig.header.event_types.size, 0);
	assert_memory_equal(rig_data(&rig), &comm, 24);
	assert_memory_equal(rig_data(&rig) + 24, &comm, 24);

	at = rig_at(&rig, 104, 2 * 144);
	assert_memory_equal(at + 4, &attr_size, 4);
	assert_memory_equal(at + 8, &attrs[0].config, 64 - 8);
	assert_memory_equal(at + 144 + 4, &attr_size, 4);
	assert_int_equal(rig_u64(at + 144 + 8), PERF_COUNT_SW_DUMMY);
	assert_int_equal(rig_u64(at + 128 + 8), 16);
	assert_memory_equal(rig_at(&rig, rig_u64(at + 128), 16), ids, 16);
	assert_int_equal(rig_u64(at + 144 + 128 + 8), 8);
	assert_memory_equal(rig_at(&rig, rig_u64(at + 144 + 128), 8), ids + 2,
			    8);
	rig_free(&rig);
}

TEST(later_ids)
{
	static const uint64_t all[] = { 11, 12, 13, 14 };
	struct perfdata_rig rig;
	const uint8_t *at;
	size_t size;

	rig_begin(&rig, two, 2);
	assert_int_equal(perfdata_write(rig.w, &comm, sizeof(comm)), 0);
	assert_int_equal(perfdata_writer_add_id(rig.w, 0, 13), 0);
	assert_int_equal(perfdata_writer_add_id(rig.w, 0, 14), 0);
	assert_int_equal(perfdata_writer_add_id(rig.w, 2, 1), -EINVAL);
	rig_finish(&rig, NULL);
	at = rig_at(&rig, 104, 144);
	assert_int_equal(rig_u64(at + 136), sizeof(all));
	assert_memory_equal(rig_at(&rig, rig_u64(at + 128), sizeof(all)), all,
			    sizeof(all));
	/* u32 events, u32 attr_size, attr, u32 ids, name, ids */
	at = rig_feature(&rig, PERFDATA_EVENT_DESC, &size);
	assert_non_null(at);
	assert_int_equal(size, 8 + 2 * (128 + 4 + 4 + 64) + 5 * 8);
	assert_int_equal(rig_u32(at), 2);
	assert_int_equal(rig_u32(at + 4), 128);
	assert_int_equal(rig_u32(at + 8 + 128), 4);
	assert_int_equal(rig_u32(at + 8 + 132), 64);
	assert_string_equal((const char *)at + 8 + 136, "cpu-clock");
	assert_memory_equal(at + 8 + 200, all, sizeof(all));
	rig_free(&rig);
}

static void expect_ids(const struct perfdata_rig *rig, size_t event,
		       const uint64_t *want, size_t nr)
{
	const uint8_t *at = rig_at(rig, 104 + event * 144, 144);

	assert_int_equal(rig_u64(at + 136), nr * sizeof(*want));
	assert_memory_equal(rig_at(rig, rig_u64(at + 128),
				   nr * sizeof(*want)),
			    want, nr * sizeof(*want));
}

/*
 * What the file is at this moment, as if the program were killed now: what is
 * still in the stream's buffer is lost.
 */
static void look(const struct perfdata_rig *from, struct perfdata_rig *now)
{
	char path[64];
	FILE *in;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(from->out));
	in = fopen(path, "r");
	assert_non_null(in);
	*now = *from;
	fseek(in, 0, SEEK_END);
	now->size = (size_t)ftell(in);
	now->bytes = malloc(now->size);
	rewind(in);
	assert_int_equal(fread(now->bytes, 1, now->size, in), now->size);
	fclose(in);
	memcpy(&now->header, rig_at(now, 0, sizeof(now->header)),
	       sizeof(now->header));
}

/* @nr records, each of them with its number; and what every file has. */
static void expect_numbered(const struct perfdata_rig *rig, uint32_t nr)
{
	const uint8_t *name;
	size_t size;

	assert_memory_equal(rig->bytes, "PERFILE2", 8);
	assert_true(rig->header.data.size >= nr * sizeof(comm));
	for (uint32_t i = 0; i < nr; i++) {
		const uint8_t *at = rig_data(rig) + i * sizeof(comm);

		assert_memory_equal(at, &comm.header, sizeof(comm.header));
		assert_int_equal(rig_u32(at + 8), i);
	}
	for (size_t at = nr * sizeof(comm); at < rig->header.data.size;
	     at += 8) {
		assert_int_equal(rig_u32(rig_data(rig) + at),
				 PERFDATA_RECORD_FINISHED_ROUND);
		assert_int_equal(rig_u32(rig_data(rig) + at + 4), 8u << 16);
	}
	name = rig_feature(rig, PERFDATA_HOSTNAME, &size);
	assert_non_null(name);
	assert_string_equal((const char *)name + 4, "here");
	assert_non_null(rig_feature(rig, PERFDATA_EVENT_DESC, &size));
}

static void put_numbered(struct perfdata_rig *rig, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		struct comm record = comm;

		record.pid = i;
		assert_int_equal(perfdata_write(rig->w, &record,
						sizeof(record)), 0);
	}
}

/* Records that say nothing may follow at the end. */
static void look_at_numbered(struct perfdata_rig *rig, uint32_t nr)
{
	struct perfdata_rig now;

	look(rig, &now);
	expect_numbered(&now, nr);
	free(now.bytes);
}

TEST(checkpoints)
{
	static const struct perfdata_machine machine = { .hostname = "here" };
	static const uint64_t more[] = { 11, 12, 13 };
	struct perfdata_rig rig;
	/* bytes of the table: hostname, version and description of events */
	const uint32_t table = 3 * 16;
	uint32_t nr = 0, valid = 0;
	size_t size;

	rig_begin(&rig, two, 2);
	assert_int_equal(perfdata_writer_begin_checkpoints(rig.w, &machine, 3),
			 0);
	/* with none, few and many bytes in the place of the table */
	for (uint32_t step = 0; step < 40; step++) {
		put_numbered(&rig, nr, nr + step);
		nr += step;
		/* what comes later does no harm to the previous one */
		if (step)
			look_at_numbered(&rig, valid);
		assert_int_equal(perfdata_writer_checkpoint(rig.w), 0);
		if (!step || (nr - valid) * sizeof(comm) >= table)
			valid = nr;
		look_at_numbered(&rig, valid);
	}
	assert_int_equal(perfdata_writer_add_id(rig.w, 0, 13), 0);
	put_numbered(&rig, nr, nr + 1);
	rig_finish(&rig, &machine);
	expect_numbered(&rig, nr + 1);
	expect_ids(&rig, 0, more, 3);
	expect_ids(&rig, 1, ids + 2, 1);
	assert_non_null(rig_feature(&rig, PERFDATA_VERSION, &size));
	rig_free(&rig);
}

/* If the end cannot be written, the last checkpoint is still valid. */
TEST(end_on_a_full_disk)
{
	static const struct perfdata_machine machine = { .hostname = "here" };
	struct rlimit before, small;
	struct perfdata_rig rig, now;
	struct err err = { 0 };

	rig_begin(&rig, two, 2);
	assert_int_equal(perfdata_writer_begin_checkpoints(rig.w, &machine, 3),
			 0);
	put_numbered(&rig, 0, 20);
	assert_int_equal(perfdata_writer_checkpoint(rig.w), 0);
	put_numbered(&rig, 20, 21);
	look(&rig, &now);
	free(now.bytes);
	getrlimit(RLIMIT_FSIZE, &before);
	small = (struct rlimit){ now.size + 100, before.rlim_max };
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &small);
	assert_int_equal(perfdata_writer_finish(rig.w, &machine, &err),
			 -EFBIG);
	setrlimit(RLIMIT_FSIZE, &before);
	look_at_numbered(&rig, 20);
	rig.bytes = NULL;
	rig_free(&rig);
}

/* These ids have no room before the records. */
TEST(more_ids_than_room)
{
	static const struct perfdata_machine machine = { .hostname = "here" };
	static const uint64_t all[] = { 11, 12, 13 };
	struct perfdata_rig rig;

	rig_begin(&rig, two, 2);
	assert_int_equal(perfdata_writer_begin_checkpoints(rig.w, &machine, 2),
			 0);
	put_numbered(&rig, 0, 20);
	assert_int_equal(perfdata_writer_checkpoint(rig.w), 0);
	assert_int_equal(perfdata_writer_add_id(rig.w, 0, 13), 0);
	for (uint32_t nr = 20; nr < 100; nr += 20) {
		struct perfdata_rig now;

		put_numbered(&rig, nr, nr + 20);
		assert_int_equal(perfdata_writer_checkpoint(rig.w), 0);
		look(&rig, &now);
		expect_numbered(&now, nr + 20);
		expect_ids(&now, 0, all, 3);
		expect_ids(&now, 1, ids + 2, 1);
		free(now.bytes);
	}
	rig_finish(&rig, &machine);
	expect_numbered(&rig, 100);
	expect_ids(&rig, 0, all, 3);
	expect_ids(&rig, 1, ids + 2, 1);
	rig_free(&rig);
}

TEST(no_record)
{
	struct perf_event_header header = { PERF_RECORD_COMM, 0, 16 };
	struct perfdata_rig rig;

	rig_begin(&rig, two, 2);
	assert_int_equal(perfdata_write(rig.w, &comm, 7), -EINVAL);
	assert_int_equal(perfdata_write(rig.w, &comm, 16), -EINVAL);
	assert_int_equal(perfdata_write(rig.w, &header, 8), -EINVAL);
	header.size = 0;
	assert_int_equal(perfdata_write(rig.w, &header, 8), -EINVAL);
	assert_int_equal(perfdata_writer_bytes(rig.w), 104 + 2 * 144);
	header.size = 8;
	assert_int_equal(perfdata_write(rig.w, &header, 8), 0);
	rig_finish(&rig, NULL);
	assert_int_equal(rig.header.data.size, 8);
	rig_free(&rig);
}

TEST(auxtrace)
{
	const struct perfdata_auxtrace first = { 0x1000, 0x55, 3, -1, 2 };
	const struct perfdata_auxtrace second = { 0, 0x66, 4, 99, -1 };
	const void *data[2] = { "abcdefgh", "ijklm" };
	static const uint32_t cpus[2][4] = { { 3, UINT32_MAX, 2, 0 },
					     { 4, 99, UINT32_MAX, 0 } };
	struct perfdata_rig rig;
	const uint8_t *at;
	size_t size;

	rig_begin(&rig, two, 2);
	assert_int_equal(perfdata_write_auxtrace(rig.w, &first, data,
						 (size_t[]){ 8, 5 }),
			 0);
	assert_int_equal(perfdata_write_auxtrace(rig.w, &second, data,
						 (size_t[]){ 0, 0 }),
			 0);
	rig_finish(&rig, NULL);
	at = rig_data(&rig);
	assert_int_equal(rig.header.data.size, 48 + 16 + 48);
	assert_int_equal(rig_u32(at), 71);
	assert_int_equal(rig_u32(at + 4) >> 16, 48);
	assert_int_equal(rig_u64(at + 8), 16);
	assert_int_equal(rig_u64(at + 16), 0x1000);
	assert_int_equal(rig_u64(at + 24), 0x55);
	assert_memory_equal(at + 32, cpus[0], 16);
	assert_memory_equal(at + 48, "abcdefghijklm\0\0", 16);
	assert_int_equal(rig_u64(at + 64 + 8), 0);
	assert_memory_equal(at + 64 + 32, cpus[1], 16);

	at = rig_feature(&rig, PERFDATA_AUXTRACE, &size);
	assert_int_equal(size, 8 + 2 * 16);
	assert_int_equal(rig_u64(at), 2);
	assert_int_equal(rig_u64(at + 8), rig.header.data.offset);
	assert_int_equal(rig_u64(at + 16), 48);
	assert_int_equal(rig_u64(at + 24), rig.header.data.offset + 64);
	assert_int_equal(rig_u64(at + 32), 48);
	rig_free(&rig);
}

static const uint8_t *string_feature(const struct perfdata_rig *rig,
				     unsigned int bit, const char *text)
{
	size_t size;
	const uint8_t *at = rig_feature(rig, bit, &size);

	assert_non_null(at);
	assert_int_equal(size, 4 + 64);
	assert_int_equal(rig_u32(at), 64);
	assert_string_equal((const char *)at + 4, text);
	return at;
}

TEST(machine_features)
{
	char *argv[] = { "rbtop", "-S" };
	struct perfdata_pmu pmus[] = { { "software", 1 }, { "intel_pt", 8 } };
	const struct perfdata_machine machine = {
		.hostname = "host", .release = "6.1.0", .arch = "x86_64",
		.cpu_desc = "a CPU", .cpu_id = "GenuineIntel,6,85,4",
		.cpus_available = 8, .cpus_online = 4,
		.memory_kb = 1024,
		.argv = argv, .argc = 2,
		.pmus = pmus, .nr_pmus = 2,
		.tracing_data = "abc", .tracing_size = 3,
	};
	struct perfdata_rig rig;
	const uint8_t *at;
	size_t size;

	rig_begin(&rig, two, 2);
	perfdata_writer_times(rig.w, 100, 200);
	rig_finish(&rig, &machine);
	assert_int_equal(rig.header.features[0],
			 1 << 1 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 |
				 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11 | 1 << 12 |
				 1 << 16 | 1 << 21);
	assert_int_equal(rig.header.features[1], 0);
	string_feature(&rig, PERFDATA_HOSTNAME, "host");
	string_feature(&rig, PERFDATA_OSRELEASE, "6.1.0");
	string_feature(&rig, PERFDATA_ARCH, "x86_64");
	string_feature(&rig, PERFDATA_CPUDESC, "a CPU");
	string_feature(&rig, PERFDATA_CPUID, "GenuineIntel,6,85,4");
	at = rig_feature(&rig, PERFDATA_TRACING_DATA, &size);
	assert_int_equal(size, 3);
	assert_memory_equal(at, "abc", 3);
	at = rig_feature(&rig, PERFDATA_NRCPUS, &size);
	assert_int_equal(rig_u32(at), 8);
	assert_int_equal(rig_u32(at + 4), 4);
	at = rig_feature(&rig, PERFDATA_TOTAL_MEM, &size);
	assert_int_equal(rig_u64(at), 1024);
	at = rig_feature(&rig, PERFDATA_CMDLINE, &size);
	assert_int_equal(size, 4 + 2 * 68);
	assert_int_equal(rig_u32(at), 2);
	assert_string_equal((const char *)at + 4 + 68 + 4, "-S");
	at = rig_feature(&rig, PERFDATA_PMU_MAPPINGS, &size);
	assert_int_equal(rig_u32(at), 2);
	assert_int_equal(rig_u32(at + 4 + 4 + 68), 8);
	assert_string_equal((const char *)at + 4 + 4 + 68 + 8, "intel_pt");
	at = rig_feature(&rig, PERFDATA_SAMPLE_TIME, &size);
	assert_int_equal(rig_u64(at), 100);
	assert_int_equal(rig_u64(at + 8), 200);
	rig_free(&rig);
}

TEST(without_a_machine)
{
	struct perfdata_rig rig;

	rig_begin(&rig, NULL, 0);
	rig_finish(&rig, NULL);
	assert_int_equal(rig.header.features[0], 1 << 5);
	assert_int_equal(rig.header.attrs.size, 0);
	rig_free(&rig);
}

static const uint8_t *one_build_id(const uint8_t *at, uint16_t misc,
				   const char *id, uint8_t len,
				   const char *path)
{
	struct perf_event_header header;

	memcpy(&header, at, sizeof(header));
	assert_int_equal(header.type, 0);
	assert_int_equal(header.misc, misc | 0x8000);
	assert_int_equal(header.size, 36 + 64);
	assert_int_equal(rig_u32(at + 8), UINT32_MAX);
	assert_memory_equal(at + 12, id, len);
	assert_int_equal(at[32], len);
	assert_string_equal((const char *)at + 36, path);
	return at + header.size;
}

TEST(dsos)
{
	struct perfdata_module modules[] = {
		{ .name = "[ext4]",
		  .build_id = { "modulemodulemodulem", 20 } },
		{ .name = "[nvme]" },
	};
	const struct perfdata_machine machine = {
		.kernel_build_id = { "kernelkernelkernelk", 20 },
		.modules = modules, .nr_modules = 2,
	};
	const struct elf_build_id id = { "0123456789012345678", 20 };
	const struct elf_build_id small = { "0123456789012345678", 8 };
	const struct elf_build_id none = { .len = 0 }, large = { .len = 21 };
	struct perfdata_rig rig;
	const uint8_t *at, *begin;
	char path[5000];
	size_t size;

	rig_begin(&rig, two, 2);
	assert_int_equal(perfdata_writer_dso(rig.w, "/b", &id), 0);
	assert_int_equal(perfdata_writer_dso(rig.w, "/a", &small), 0);
	assert_int_equal(perfdata_writer_dso(rig.w, "/c", &large), -EINVAL);
	assert_int_equal(perfdata_writer_dso(rig.w, "/c", &none), -EINVAL);
	assert_int_equal(perfdata_writer_dso(rig.w, "", &id), -EINVAL);
	memset(path, 'a', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(perfdata_writer_dso(rig.w, path, &id), -EINVAL);
	rig_finish(&rig, &machine);
	begin = at = rig_feature(&rig, PERFDATA_BUILD_IDS, &size);
	assert_non_null(at);
	at = one_build_id(at, 1, "kernelkernelkernelk", 20,
			  "[kernel.kallsyms]");
	at = one_build_id(at, 1, "modulemodulemodulem", 20, "[ext4]");
	at = one_build_id(at, 2, "0123456789012345678", 20, "/b");
	at = one_build_id(at, 2, "01234567", 8, "/a");
	assert_int_equal(at - begin, size);
	rig_free(&rig);
}

TEST(groups)
{
	/*
	 * a single event, a group of 3, an event whose leader is not next to it
	 */
	const size_t leaders[] = { 0, 1, 1, 1, 4, 0 };
	struct perfdata_event events[6];
	struct perfdata_rig rig;
	const uint8_t *at;
	size_t size;

	for (size_t i = 0; i < 6; i++) {
		events[i] = two[0];
		events[i].leader = leaders[i];
	}
	rig_begin(&rig, events, 6);
	rig_finish(&rig, NULL);
	at = rig_feature(&rig, PERFDATA_GROUP_DESC, &size);
	assert_non_null(at);
	assert_int_equal(size, 4 + 68 + 8);
	assert_int_equal(rig_u32(at), 1);
	assert_string_equal((const char *)at + 8, "{anon_group}");
	assert_int_equal(rig_u32(at + 4 + 68), 1);
	assert_int_equal(rig_u32(at + 4 + 68 + 4), 3);
	rig_free(&rig);
	rig_begin(&rig, two, 2);
	rig_finish(&rig, NULL);
	assert_null(rig_feature(&rig, PERFDATA_GROUP_DESC, &size));
	rig_free(&rig);
}

/* Errors of buffered writes are reported at the end, the first one. */
TEST(full_disk)
{
	FILE *full = fopen("/dev/full", "w");
	struct perfdata_writer *w;
	struct err err = { 0 };
	static char buf[65536];
	int ret = 0;

	assert_non_null(full);
	setvbuf(full, buf, _IOFBF, sizeof(buf));
	w = perfdata_writer_new(full, two, 2, NULL);
	assert_non_null(w);
	for (int i = 0; i < 10000; i++)
		ret = perfdata_write(w, &comm, sizeof(comm));
	assert_int_equal(ret, -ENOSPC);
	assert_int_equal(perfdata_writer_finish(w, NULL, &err), -ENOSPC);
	assert_int_equal(err.kind, ERR_MACHINE);
	assert_non_null(strstr(err.text, "No space left on device"));
	perfdata_writer_free(w);

	w = perfdata_writer_new(full, two, 2, NULL);
	if (w) {
		assert_int_equal(perfdata_write(w, &comm, sizeof(comm)), 0);
		assert_int_equal(perfdata_writer_finish(w, NULL, &err),
				 -ENOSPC);
		perfdata_writer_free(w);
	}
	fclose(full);
}

TEST(pipes_are_refused)
{
	struct err err = { 0 };
	int fds[2];
	FILE *out;

	assert_int_equal(pipe(fds), 0);
	out = fdopen(fds[1], "w");
	assert_null(perfdata_writer_new(out, two, 2, &err));
	assert_int_equal(err.code, -ESPIPE);
	fclose(out);
	close(fds[0]);
}

TEST_GROUP(perfdata_writer);
