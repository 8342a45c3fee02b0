/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>

#include "trace/file/ring_view.h"
#include "trace/file/trace_file.h"
#include "trace/file/trace_records.h"
#include "perf/abi/side_band.h"
#include "task/task_history.h"
#include "tests/unit/snapshot/snapshot_rig.h"

static struct rig *rig;
static struct event_ids ids;
static struct task_history *tasks;
static struct trace_file *file;
static char path[PATH_MAX], beside[PATH_MAX];
static struct rig_file got;
static const struct trace_rule all;

static int end(void **state)
{
	(void)state;
	trace_file_cancel(file);
	file = NULL;
	rig_close(&got);
	got = (struct rig_file){ 0 };
	event_ids_free(&ids);
	task_history_free(tasks);
	rig_free(rig);
	return 0;
}

static void open_file(enum rig_kind kind, uint32_t type)
{
	struct trace_file_from from;

	rig = rig_new(kind, type);
	tasks = task_history_new(1 << 20);
	from = (struct trace_file_from){
		.session = &rig->session, .session_opts = &rig->opts,
		.trace = rig->session.has_aux ? &rig->trace : NULL,
		.env = &rig_env, .tasks = tasks, .machine = &rig->machine,
		.ids = &ids,
	};
	snprintf(path, sizeof(path), "%s/out.data", rig->dir);
	file = trace_file_open(&from, path, &rig->err);
	assert_non_null(file);
}

static void begin(enum rig_kind kind, uint32_t type)
{
	open_file(kind, type);
	assert_int_equal(trace_file_begin(file, &rig->err), 0);
}

/* Write the content of ring 0, as passed by a drain. */
static void put_ring(const struct trace_rule *rule)
{
	const struct fake_ring *f = &rig->fakes[0];
	uint64_t *buf = malloc(RIG_DATA);

	memcpy(buf, f->ring.data, f->head);
	assert_int_equal(trace_file_records(file, (unsigned char *)buf,
					    f->head, rule), 0);
	free(buf);
}

static void commit(void)
{
	struct trace_file *f = file;

	file = NULL;
	if (trace_file_commit(f, path, beside, sizeof(path), &rig->err))
		fail_msg("%s", rig->err.text);
	rig_load(&got, path);
}

/* Ids of all events and their events come first. */
TEST(test_prologue)
{
	uint64_t word;

	begin(RIG_SNAPSHOT, 1);
	commit();
	assert_true(rig_next(&got));
	assert_int_equal(got.header.type, PERFDATA_RECORD_ID_INDEX);
	assert_int_equal(rig_word(got.record + 8), 2 * RIG_RINGS);
	for (size_t i = 0; i < 2 * RIG_RINGS; i++) {
		const unsigned char *id = got.record + 16 + 32 * i;

		assert_int_equal(rig_word(id), i / 2 + (i % 2 ?
				 RIG_SIDE_BAND : RIG_IDS));
		assert_int_equal(rig_word(id + 8), i / 2);
		assert_int_equal(rig_word(id + 16), i / 2);
		assert_int_equal(rig_word(id + 24), UINT64_MAX);
	}
	assert_true(rig_next(&got));
	assert_int_equal(got.header.type, PERFDATA_RECORD_AUXTRACE_INFO);
	assert_int_equal(rig_half(got.record + 8), 1);
	assert_int_equal(rig_word(got.record + 16), 42);
	assert_int_equal(rig_word(got.record + 24), 0x1234);
	assert_false(rig_next(&got));
	/* the session's event, and the side-band with its three ids */
	memcpy(&word, got.bytes + 32, sizeof(word));
	assert_int_equal(word, 2 * (128 + 16));
	assert_string_equal(beside, "");
	assert_int_equal(rig_files(rig, NULL, 0), 1);
}

/* What the kernel wrote behind a trailer is not in the file. */
TEST(test_too_long)
{
	const uint64_t bpf[] = { UINT64_C(7) << 32 | 1, 5, 0, 12, 0, RIG_IDS },
		ksymbol[] = { 1, 2, 0, 0, 13, 0, RIG_IDS };
	const uint64_t lost[2] = { 1, 5 };

	begin(RIG_PLAIN, 0);
	rig_sample(rig, 0, 10);
	rig_record(rig, 0, PERF_RECORD_BPF_EVENT, bpf, 6, 4243, 99);
	rig_record(rig, 0, PERF_RECORD_KSYMBOL, ksymbol, 7, 4243, 99);
	rig_record(rig, 0, PERF_RECORD_LOST, lost, 2, RIG_IDS, 14);
	put_ring(&all);
	commit();
	assert_true(rig_find(&got, PERF_RECORD_BPF_EVENT));
	assert_int_equal(got.header.size, 56);
	assert_int_equal(record_time(got.record, 56), 12);
	assert_int_equal(rig_word(got.record + 48), RIG_IDS);
	assert_true(rig_find(&got, PERF_RECORD_KSYMBOL));
	assert_int_equal(got.header.size, 64);
	assert_int_equal(record_time(got.record, 64), 13);
	assert_true(rig_next(&got));
	assert_int_equal(got.header.type, PERF_RECORD_LOST);
}

TEST(test_samples)
{
	const uint64_t lost[2] = { 1, 5 };

	begin(RIG_PLAIN, 0);
	rig_sample(rig, 0, 10);
	rig_record(rig, 0, PERF_RECORD_LOST, lost, 2, RIG_IDS, 11);
	/* of an unknown event: perf would stop there */
	fake_ring_sample(&rig->fakes[0], 4242, 1, 12, 64);
	/* of a replaced owner: it may stay, but without that id */
	rig_record(rig, 0, PERF_RECORD_LOST, lost, 2, 4243, 13);
	/* too new for perf 6.1 */
	rig_record(rig, 0, 22, lost, 2, RIG_IDS, 14);
	rig_sample(rig, 0, 15);
	put_ring(&all);
	assert_int_equal(trace_file_unknown(file), 1);
	commit();
	assert_int_equal(rig_count(&got, PERF_RECORD_SAMPLE), 2);
	assert_int_equal(rig_count(&got, PERF_RECORD_LOST), 2);
	assert_int_equal(rig_count(&got, 22), 0);
	assert_true(rig_find(&got, PERF_RECORD_SAMPLE));
	assert_int_equal(rig_word(got.record + RECORD_SAMPLE_TIME), 10);
	assert_true(rig_find(&got, PERF_RECORD_LOST));
	assert_int_equal(rig_word(got.record + got.header.size - 8), RIG_IDS);
	assert_true(rig_find(&got, PERF_RECORD_LOST));
	assert_int_equal(rig_word(got.record + got.header.size - 8), 0);
	assert_true(rig_find(&got, PERF_RECORD_SAMPLE));
	assert_int_equal(rig_word(got.record + RECORD_SAMPLE_TIME), 15);
}

/* An id that is known only when it is written: the session is asked. */
TEST(test_late_id)
{
	begin(RIG_PLAIN, 0);
	rig->session.events[2][0].id = 777;
	fake_ring_sample(&rig->fakes[0], 777, 1, 12, 64);
	put_ring(&all);
	assert_int_equal(trace_file_unknown(file), 0);
	commit();
	assert_int_equal(rig_count(&got, PERF_RECORD_SAMPLE), 1);
}

/*
 * The build-id mark, which the kernel also sets for events of others, see
 * fix_map().
 */
TEST(test_build_id_mark)
{
	/* pid, tid; addr, len, pgoff; maj, min; inode; generation; prot,
	 * flags; "/x" */
	const uint64_t map[] = { 1, 4096, 4096, 0, 0, 7, 0, 0, 0x782f };
	uint64_t at;

	begin(RIG_PLAIN, 0);
	at = rig_record(rig, 0, PERF_RECORD_MMAP2, map, 9, RIG_SIDE_BAND, 5);
	fake_ring_word(&rig->fakes[0], at,
		       PERF_RECORD_MMAP2 | (uint64_t)0x4002 << 32 |
		       (uint64_t)(8 + 72 + 32) << 48);
	put_ring(&all);
	commit();
	assert_true(rig_find(&got, PERF_RECORD_MMAP2));
	assert_int_equal(got.header.misc, 2);
}

static void tell_tasks(const char *comm, uint64_t time)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char comm[8];
		uint64_t trailer[4];
	} r = {
		.header = { PERF_RECORD_COMM, 0, sizeof(r) },
		.pid = 5, .tid = 5,
		.trailer = { 0, time, 0, RIG_SIDE_BAND },
	};
	struct side_band parsed;

	memcpy(r.comm, comm, strnlen(comm, 7));
	assert_int_equal(side_band_parse(&r, sizeof(r), &side_band_own,
					 &parsed), 0);
	task_history_record(tasks, &parsed, &r);
}

/*
 * Tasks known to task_history are written from there; what it does not know
 * yet, from the ring.
 */
TEST(test_tasks)
{
	const uint64_t comm[2] = { 5 | 5ULL << 32, 'x' };

	open_file(RIG_PLAIN, 0);
	tell_tasks("one", 100);
	tell_tasks("two", 200);
	assert_int_equal(trace_file_begin(file, &rig->err), 0);
	for (uint64_t time = 100; time <= 400; time += 100)
		rig_record(rig, 0, PERF_RECORD_COMM, comm, 2, RIG_SIDE_BAND,
			   time);
	put_ring(&all);
	commit();
	/* the two known, and those of 200 (rather twice), 300 and 400 */
	assert_int_equal(rig_count(&got, PERF_RECORD_COMM), 5);
	assert_true(rig_find(&got, PERF_RECORD_COMM));
	assert_string_equal((const char *)got.record + 16, "one");
}

/*
 * The records of a process and its threads, in one of its threads; and of an
 * exited process.
 */
static void *list_pids(void *arg)
{
	pid_t tids[] = { getpid(), gettid(), 1 << 30 }, *pids;
	size_t nr;

	(void)arg;
	rig->session.map = (struct target_map){ .tids = tids, .nr_tids = 3 };
	assert_int_equal(trace_file_pids(&rig->session, &pids, &nr), 0);
	assert_int_equal(nr, 2);
	assert_int_equal(pids[0], getpid());
	assert_int_equal(pids[1], 1 << 30);
	free(pids);
	return NULL;
}

TEST(test_pids)
{
	pthread_t thread;

	open_file(RIG_PLAIN, 0);
	assert_int_equal(pthread_create(&thread, NULL, list_pids, NULL), 0);
	pthread_join(thread, NULL);
}

/* Records older than the reading of /proc would undo its state. */
TEST(test_tasks_read)
{
	const uint64_t comm[2] = { 5 | 5ULL << 32, 'x' };
	const uint64_t late = sys_now_ns() + 3600 * UINT64_C(1000000000);
	const pid_t self = getpid();

	open_file(RIG_PLAIN, 0);
	assert_int_equal(task_history_read_proc(tasks, &self, 1), 0);
	assert_int_equal(trace_file_begin(file, &rig->err), 0);
	rig_record(rig, 0, PERF_RECORD_COMM, comm, 2, RIG_SIDE_BAND, 100);
	rig_record(rig, 0, PERF_RECORD_COMM, comm, 2, RIG_SIDE_BAND, late);
	put_ring(&all);
	commit();
	while (rig_find(&got, PERF_RECORD_COMM) &&
	       rig_half(got.record + 8) != 5)
		;
	assert_int_equal(rig_word(got.record + 32), late);
	assert_false(rig_find(&got, PERF_RECORD_COMM));
}

TEST(test_rules)
{
	const struct trace_rule tasks_only = { .tasks_only = true };
	const struct trace_rule later = { .from = 64 + 56 };
	const uint64_t comm[2] = { 5 | 5ULL << 32, 'x' }, hw_id = 0x12;

	begin(RIG_PLAIN, 0);
	rig_sample(rig, 0, 10);
	rig_record(rig, 0, PERF_RECORD_COMM, comm, 2, RIG_SIDE_BAND, 300);
	rig_sample(rig, 0, 20);
	/* trace cannot be decoded without it */
	rig_record(rig, 0, PERF_RECORD_AUX_OUTPUT_HW_ID, &hw_id, 1, RIG_IDS,
		   5);
	put_ring(&tasks_only);
	put_ring(&later);
	commit();
	assert_int_equal(rig_count(&got, PERF_RECORD_AUX_OUTPUT_HW_ID), 2);
	assert_int_equal(rig_count(&got, PERF_RECORD_COMM), 2);
	assert_int_equal(rig_count(&got, PERF_RECORD_SAMPLE), 1);
	assert_true(rig_find(&got, PERF_RECORD_SAMPLE));
	assert_int_equal(rig_word(got.record + RECORD_SAMPLE_TIME), 20);
}

/* Of earlier stops, only those whose trace is in the file. */
TEST(test_aux_records)
{
	const struct trace_rule cut = {
		.cut_aux = true, .aux_from = 1000, .aux_to = 3000,
	};
	const uint64_t flags = PERF_AUX_FLAG_OVERWRITE;
	/*
	 * some begin before it; of the last but one perf uses the part that is
	 * there
	 */
	const struct {
		uint64_t end, size;
	} stops[] = {
		{ 1000, 500 }, { 1001, 1 }, { 1499, 500 }, { 1500, 500 },
		{ 3000, 1 << 20 }, { 3001, 500 },
	};

	begin(RIG_SNAPSHOT, 1);
	for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++) {
		const uint64_t aux[3] = { stops[i].end, stops[i].size, flags };

		rig_record(rig, 0, PERF_RECORD_AUX, aux, 3, RIG_IDS, 10 + i);
	}
	rig_record(rig, 0, PERF_RECORD_AUX, (uint64_t[]){ 9000, 1, 1 }, 3,
		   RIG_IDS, 20);
	put_ring(&cut);
	commit();
	assert_int_equal(rig_count(&got, PERF_RECORD_AUX), 4);
	assert_true(rig_find(&got, PERF_RECORD_AUX));
	assert_int_equal(rig_word(got.record + 8), 1001);
	assert_true(rig_find(&got, PERF_RECORD_AUX));
	assert_int_equal(rig_word(got.record + 8), 1500);
	assert_true(rig_find(&got, PERF_RECORD_AUX));
	assert_int_equal(rig_word(got.record + 8), 3000);
	assert_true(rig_find(&got, PERF_RECORD_AUX));
	assert_int_equal(rig_word(got.record + 8), 9000);
}

/* Check the CPU in the trailer of an AUX record, and of a LOST after it. */
static void expect_cpus(bool per_cpu, bool cuts, uint32_t aux, uint32_t lost)
{
	uint64_t at;

	open_file(RIG_FULL, 1);
	rig->ops.cuts_by_aux = cuts;
	rig->trace.per_cpu = per_cpu;
	assert_int_equal(trace_file_begin(file, &rig->err), 0);
	at = rig_record(rig, 0, PERF_RECORD_AUX, (uint64_t[]){ 0, 8, 0 }, 3,
			RIG_IDS, 10);
	fake_ring_word(&rig->fakes[0], at + 48, 5);
	at = rig_record(rig, 0, PERF_RECORD_LOST, (uint64_t[]){ 1, 1 }, 2,
			RIG_IDS, 11);
	fake_ring_word(&rig->fakes[0], at + 40, 5);
	put_ring(&all);
	commit();
	assert_true(rig_find(&got, PERF_RECORD_AUX));
	assert_int_equal(rig_half(got.record + 48), aux);
	assert_int_equal(rig_word(got.record + 56), RIG_IDS);
	assert_true(rig_find(&got, PERF_RECORD_LOST));
	assert_int_equal(rig_half(got.record + 40), lost);
	end(NULL);
}

/*
 * perf finds the trace by the CPU, which the trace of a thread does not have.
 */
TEST_WITH(test_aux_cpu, NULL, NULL)
{
	expect_cpus(false, true, UINT32_MAX, 5);
	expect_cpus(true, true, 5, 5);
	expect_cpus(false, false, 5, 5);
}

/* Write a record before the others, as the kernel does. */
static void put_before(struct ring *ring, uint64_t time)
{
	struct fake_ring *f = &rig->fakes[0];
	uint64_t at = ring->page->data_head - 64;

	fake_ring_word(f, at, PERF_RECORD_SAMPLE | (uint64_t)64 << 48);
	fake_ring_word(f, at + 8, RIG_IDS);
	fake_ring_word(f, at + RECORD_SAMPLE_TIME, time);
	ring->page->data_head = at;
}

static void expect_times(uint64_t from, uint64_t to)
{
	for (uint64_t time = from; time < to; time++) {
		assert_true(rig_find(&got, PERF_RECORD_SAMPLE));
		assert_int_equal(rig_word(got.record + RECORD_SAMPLE_TIME),
				 time);
	}
	assert_false(rig_find(&got, PERF_RECORD_SAMPLE));
}

TEST(test_overwrite)
{
	enum { HELD = RIG_DATA / 64 };
	struct ring *ring;

	begin(RIG_OVERWRITE, 0);
	ring = &rig->session.rings[0].ring;
	for (uint64_t time = 1; time < 10; time++)
		put_before(ring, time);
	assert_int_equal(trace_file_overwrite(file, ring, ring_head(ring)), 0);
	commit();
	expect_times(1, 10);
}

/*
 * A full ring; two records were written while it was copied, over the oldest.
 */
TEST(test_overwrite_full)
{
	enum { HELD = RIG_DATA / 64, ALL = 3 * HELD };
	struct ring *ring;

	begin(RIG_OVERWRITE, 0);
	ring = &rig->session.rings[0].ring;
	for (uint64_t time = 1; time < ALL; time++)
		put_before(ring, time);
	assert_int_equal(trace_file_overwrite(file, ring,
					      ring_head(ring) + 128), 0);
	assert_int_equal(trace_file_overwrite(file, ring, ring_head(ring) +
					      RIG_DATA), 0);
	commit();
	expect_times(ALL - HELD + 2, ALL);
}

TEST(test_trace)
{
	const struct trace_file_ring of = { .ring = 2, .cpu = 2, .tid = -1 };
	unsigned char *aux;

	begin(RIG_SNAPSHOT, 1);
	rig_trace(rig, 2, 0, 1003, true);
	aux = rig->session.rings[2].aux.data;
	assert_int_equal(trace_file_trace(file, &of, 100, aux + 100, 903), 0);
	commit();
	rig_expect_trace(&got, 2, 100, 1003);
	assert_int_equal(rig_half(got.record + 36), UINT32_MAX);
	assert_int_equal(got.record[48 + 903], 0);
}

/* perf has no decoder: the trace is in a file of its own. */
TEST(test_beside)
{
	const struct trace_file_ring of = { .ring = 1, .cpu = 1, .tid = -1 };
	struct rig_file trace = { 0 };
	FILE *in;

	begin(RIG_SNAPSHOT, 0);
	rig_trace(rig, 1, 0, 1003, true);
	assert_int_equal(trace_file_trace(file, &of, 0,
					  rig->session.rings[1].aux.data,
					  1003), 0);
	commit();
	assert_int_equal(rig_count(&got, PERFDATA_RECORD_AUXTRACE_INFO), 0);
	assert_int_equal(rig_count(&got, PERFDATA_RECORD_AUXTRACE), 0);
	assert_non_null(strstr(beside, "/out.aux"));
	assert_int_equal(rig_files(rig, NULL, 0), 2);
	trace.bytes = malloc(2048);
	in = fopen(beside, "r");
	trace.end = fread(trace.bytes, 1, 2048, in);
	fclose(in);
	assert_int_equal(trace.end, 48 + 1008);
	rig_expect_trace(&trace, 1, 0, 1003);
	assert_false(rig_next(&trace));
	rig_close(&trace);
}

TEST(test_rounds)
{
	begin(RIG_PLAIN, 0);
	rig_sample(rig, 0, 1000);
	put_ring(&all);
	/* all records up to here are written: none is pending before it */
	assert_int_equal(trace_file_round(file, 500), 0);
	/* another ring may still bring what is older than 1000 */
	assert_int_equal(trace_file_round(file, 999), 0);
	assert_int_equal(trace_file_round(file, 1000), 0);
	commit();
	assert_int_equal(rig_count(&got, PERFDATA_RECORD_FINISHED_ROUND), 2);
}

/* Both files can be read at each checkpoint, also if nothing follows. */
TEST(test_checkpoint)
{
	const struct trace_file_ring of = { .ring = 1, .cpu = 1, .tid = -1 };
	struct rig_file early = { 0 };

	open_file(RIG_SNAPSHOT, 0);
	trace_file_allow_checkpoints(file);
	assert_int_equal(trace_file_begin(file, &rig->err), 0);
	rig_sample(rig, 0, 1000);
	put_ring(&all);
	rig_trace(rig, 1, 0, 1003, true);
	assert_int_equal(trace_file_trace(file, &of, 0,
					  rig->session.rings[1].aux.data,
					  1003), 0);
	assert_null(trace_file_named(file));
	assert_int_equal(trace_file_checkpoint(file, &rig->err), 0);
	assert_string_equal(trace_file_named(file), path);
	assert_int_equal(rig_files(rig, NULL, 0), 2);
	rig_load(&early, path);
	assert_int_equal(rig_count(&early, PERF_RECORD_SAMPLE), 1);
	rig_close(&early);
	put_ring(&all);
	trace_file_leave(file);
	file = NULL;
	assert_int_equal(rig_files(rig, NULL, 0), 2);
	rig_load(&got, path);
	assert_int_equal(rig_count(&got, PERF_RECORD_SAMPLE), 1);
}

TEST(test_cancel)
{
	/* without O_TMPFILE it has a temporary name */
	sys_fail_at(SYS_OPEN_UNNAMED, 1, EOPNOTSUPP);
	begin(RIG_SNAPSHOT, 0);
	assert_true(rig_files(rig, NULL, 0) > 0);
	trace_file_cancel(file);
	file = NULL;
	assert_int_equal(rig_files(rig, NULL, 0), 0);
}

static int write_much(void)
{
	static unsigned char zeros[1 << 20];
	const struct trace_file_ring of = { 0 };
	int ret = 0;

	for (int i = 0; !ret && i < 4; i++)
		ret = trace_file_trace(file, &of, 0, zeros, sizeof(zeros));
	return ret;
}

static int give_up(void *ctx)
{
	unsigned int *pieces = ctx;

	return ++*pieces > 2 ? -ECANCELED : 0;
}

/* In the middle of writing. */
TEST(test_given_up)
{
	struct trace_file *f;
	unsigned int pieces = 0;
	int ret;

	begin(RIG_SNAPSHOT, 1);
	trace_file_between(file, give_up, &pieces);
	ret = write_much();
	assert_true(ret < 0);
	assert_int_equal(trace_file_error(file, ret, &rig->err), -ECANCELED);
	f = file;
	file = NULL;
	trace_file_cancel(f);
	assert_int_equal(rig_files(rig, NULL, 0), 0);
}

/* A disk that fills up, made by the limit of a file's size. */
TEST(test_disk_full)
{
	const struct rlimit small = { 1 << 20, RLIM_INFINITY };
	struct rlimit before;
	struct trace_file *f;
	int ret;

	getrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, SIG_IGN);
	begin(RIG_SNAPSHOT, 1);
	setrlimit(RLIMIT_FSIZE, &small);
	ret = write_much();
	f = file;
	file = NULL;
	if (ret) {
		assert_int_equal(trace_file_error(f, ret, &rig->err), -EFBIG);
		trace_file_cancel(f);
	} else {
		assert_int_equal(trace_file_commit(f, path, beside,
						   sizeof(path), &rig->err),
				 -EFBIG);
	}
	setrlimit(RLIMIT_FSIZE, &before);
	assert_non_null(strstr(rig->err.text, "/out.data: File too large"));
	assert_int_equal(rig_files(rig, NULL, 0), 0);
}

/* A file that has the name keeps it. */
TEST(test_name_taken)
{
	FILE *out;

	begin(RIG_PLAIN, 0);
	out = fopen(path, "w");
	fputs("precious", out);
	fclose(out);
	commit();
	assert_non_null(strstr(path, "/out-1.data"));
	assert_int_equal(rig_files(rig, NULL, 0), 2);
}

static int forget(void **state)
{
	tasks = NULL;
	return end(state);
}

TEST_WITH(test_no_directory, NULL, forget)
{
	struct trace_file_from from = { 0 };
	struct err err = { 0 };

	rig = rig_new(RIG_PLAIN, 0);
	assert_null(trace_file_open(&from, "/nowhere/x.data", &err));
	assert_int_equal(err.code, -ENOENT);
	assert_string_equal(err.text, "writing /nowhere/x.data: "
			    "No such file or directory");
}

TEST_GROUP(trace_file, .each_teardown = end);
