/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records as from the queue, with a symbolizer that invents names. */
#include "tests/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/err.h"
#include "resolve/digest.h"
#include "task/comm_cache.h"
#include "task/task_history.h"
#include "samples/feed.h"
#include "samples/hot_table.h"
#include "samples/names.h"
#include "samples/sample_filter.h"
#include "perf/abi/record.h"
#include "perf/tracepoint/tracepoint.h"
#include "symbols/resolver.h"

enum {
	CLOCK, ONE, TWO, CALL, EVENTS,	/* tags */
	TEXTS = 3,			/* per second */
	DEEPEST = 127 + 8,		/* frames kept */
	MAX_WORDS = 400,
};

#define COMMON_FIELDS \
	"format:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;" \
	"\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

/* Two events with a field of the same name. */
static const char one_format[] =
	"name: one\nID: 11\n" COMMON_FIELDS
	"\tfield:u32 a;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\nprint fmt: \"one of %u\", REC->a\n";
static const char two_format[] =
	"name: two\nID: 12\n" COMMON_FIELDS
	"\tfield:u32 a;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\nprint fmt: \"two of %u\", REC->a\n";

static const char call_format[] =
	"name: sys_enter\nID: 13\n" COMMON_FIELDS
	"\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\nprint fmt: \"NR %ld (0)\", REC->id\n";

struct fixture {
	bool foreign;			/* programs have another ABI */
	struct names *names;
	struct digest *digest;
	struct samples samples;
	int records;			/* side-band records */
	struct task_history *tasks;
	struct comm_cache *comms;
};

static void take_record(void *ctx, const struct side_band *record)
{
	struct fixture *f = ctx;

	(void)record;
	f->records++;
}

static void take_resync(void *ctx)
{
	(void)ctx;
}

/* The name contains the address that was looked up. */
static void name_symbol(void *ctx, pid_t pid, uint16_t cpumode, uint64_t ip,
			struct symbol *out)
{
	struct fixture *f = ctx;
	char name[32];

	(void)pid;
	snprintf(name, sizeof(name), "%c%llx",
		 cpumode == PERF_RECORD_MISC_KERNEL ? 'k' : 'u',
		 (unsigned long long)ip);
	*out = (struct symbol){
		.name = names_add(f->names, name),
		.dso = names_add(f->names, "file"),
		.kind = SYMBOL_USER,
		.offset = 16,
	};
}

static const char *name_comm(void *ctx, pid_t pid, pid_t tid)
{
	struct fixture *f = ctx;
	char name[32];

	(void)pid;
	snprintf(name, sizeof(name), "task%d", (int)tid);
	return names_add(f->names, name);
}

static bool is_native(void *ctx, pid_t pid)
{
	const struct fixture *f = ctx;

	return pid == 7 && !f->foreign;
}

static bool be_idle(void *ctx, uint64_t now_ns)
{
	(void)ctx;
	(void)now_ns;
	return false;
}

static void fill_stats(const void *ctx, struct resolver_stats *stats)
{
	(void)ctx;
	(void)stats;
}

static void be_freed(void *ctx)
{
	(void)ctx;
}

static const struct symbolizer_ops naming_ops = {
	.record = take_record, .resync = take_resync, .symbol = name_symbol,
	.comm = name_comm, .is_native = is_native, .idle = be_idle, .stats = fill_stats,
	.free = be_freed,
};

static struct tracepoints *learned(void)
{
	const struct tracepoint_names names = { .ctx = NULL };
	struct tracepoints *t = tracepoints_new(&names);

	assert_non_null(t);
	assert_int_equal(tracepoints_parse(t, "sys", one_format,
					   strlen(one_format)), 0);
	assert_int_equal(tracepoints_parse(t, "sys", two_format,
					   strlen(two_format)), 0);
	assert_int_equal(tracepoints_parse(t, "raw_syscalls", call_format,
					   strlen(call_format)), 0);
	return t;
}

static int open_with(void **state, bool list_only)
{
	static const struct resolver_event events[EVENTS] = {
		[CLOCK] = { .name = "clock",
			    .layout.sample_type = RECORD_SAMPLE_TYPE |
						  PERF_SAMPLE_CALLCHAIN },
		[ONE] = { .name = "sys:one", .field = "a",
			  .layout.sample_type = RECORD_SAMPLE_TYPE |
						PERF_SAMPLE_RAW },
		[TWO] = { .name = "sys:two",
			  .layout.sample_type = RECORD_SAMPLE_TYPE |
						PERF_SAMPLE_RAW },
		[CALL] = { .name = "raw_syscalls:sys_enter",
			   .field = "syscall",
			   .layout.sample_type = RECORD_SAMPLE_TYPE |
						 PERF_SAMPLE_RAW },
	};
	struct fixture *f = calloc(1, sizeof(*f));
	struct resolver_thread_opts opts = {
		.symbolizer = &naming_ops, .symbolizer_ctx = f,
		.tracepoints = learned(),
		.events = events, .nr_events = EVENTS,
		.side_band.sample_type = RECORD_SAMPLE_TYPE,
		.chains = true,
		.text_rate = TEXTS,
		.list_only = list_only,
	};

	opts.names = f->names = names_new(1 << 20);
	opts.tasks = f->tasks = task_history_new(1 << 20);
	opts.comms = f->comms = comm_cache_new("/nonexistent");
	f->digest = digest_new(&opts);
	assert_non_null(f->digest);
	*state = f;
	return 0;
}

static int open_digest(void **state)
{
	return open_with(state, false);
}

/* As for batch formats that list each sample. */
static int open_list_only(void **state)
{
	return open_with(state, true);
}

static int close_digest(void **state)
{
	struct fixture *f = *state;

	digest_free(f->digest);
	task_history_free(f->tasks);
	comm_cache_free(f->comms);
	free(f);
	return 0;
}

/* A record being built. */
struct building {
	uint64_t words[MAX_WORDS];
	size_t nr;
};

static void push(struct building *b, uint64_t word)
{
	assert_in_range(b->nr, 0, MAX_WORDS - 1);
	b->words[b->nr++] = word;
}

static void give(struct fixture *f, struct building *b, uint32_t type,
		 uint16_t misc, uint32_t tag, uint32_t weight)
{
	const struct queued head = {
		.size = (uint32_t)(b->nr * 8), .tag = tag, .weight = weight,
	};

	b->words[0] = type | (uint64_t)misc << 32 | (uint64_t)head.size << 48;
	digest_record(f->digest, &head, b->words);
}

/* A sample of pid 7, thread 8, at 1000 ns on CPU 3, with a period of 5. */
static struct building sample_begun(uint64_t ip)
{
	struct building b = { .nr = 1 };

	push(&b, 99);
	push(&b, ip);
	push(&b, 7 | UINT64_C(8) << 32);
	push(&b, 1000);
	push(&b, 3);
	push(&b, 5);
	return b;
}

static void give_chain(struct fixture *f, const uint64_t *chain, size_t nr)
{
	struct building b = sample_begun(0x100);

	push(&b, nr);
	for (size_t i = 0; i < nr; i++)
		push(&b, chain[i]);
	give(f, &b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, CLOCK, 1);
}

/* Add a hit of event ONE or TWO, with the field a. */
static void give_hit(struct fixture *f, uint32_t tag, uint32_t a)
{
	const uint32_t raw[4] = { 12, 10 + tag, 0, a };
	struct building b = sample_begun(0x100);
	uint64_t words[2];

	memcpy(words, raw, sizeof(words));
	push(&b, words[0]);
	push(&b, words[1]);
	give(f, &b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, tag, 4);
}

/* Add a hit of raw_syscalls:sys_enter. */
static void give_call(struct fixture *f, int64_t nr)
{
	const uint16_t id = 13;
	struct building b = sample_begun(0x100);
	char raw[24] = { 20 };

	memcpy(raw + 4, &id, sizeof(id));
	memcpy(raw + 12, &nr, sizeof(nr));
	for (size_t i = 0; i < sizeof(raw); i += 8) {
		uint64_t word;

		memcpy(&word, raw + i, sizeof(word));
		push(&b, word);
	}
	give(f, &b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, CALL, 1);
}

/*
 * A context switch of thread 8 of process 7; with @other >= 0 the CPU-wide
 * record.
 */
static void give_switch(struct fixture *f, uint16_t misc, int other)
{
	struct building b = { .nr = 1 };

	if (other >= 0)
		push(&b, (uint64_t)other | (uint64_t)(other + 1) << 32);
	push(&b, 7 | UINT64_C(8) << 32);
	push(&b, 2000);
	push(&b, 3);
	push(&b, 99);
	give(f, &b, other >= 0 ? PERF_RECORD_SWITCH_CPU_WIDE
			       : PERF_RECORD_SWITCH, misc, 0, 0);
}

static const struct feed *listed(struct fixture *f)
{
	digest_read(f->digest, 0, &f->samples);
	return f->samples.feed;
}

static const struct feed_sample *entry(struct fixture *f, size_t i)
{
	const struct feed *feed = listed(f);

	assert_in_range(i, 0, feed_len(feed) - 1);
	return feed_entry_sample(feed_at(feed, i));
}

/* A return address is after the call: the address of the call is looked up. */
TEST(callers_are_named_by_their_calls)
{
	static const uint64_t chain[] = {
		PERF_CONTEXT_KERNEL, 0x100, 0x200,
		PERF_CONTEXT_USER, 0x300, 0x400, 0,
	};
	const struct feed_sample *s;

	give_chain(*state, chain, 7);
	s = entry(*state, 0);
	assert_true(s->chain);
	assert_int_equal(s->nr_frames, 5);
	assert_string_equal(s->frames[0].symbol.name, "k100");
	assert_int_equal(s->frames[0].symbol.offset, 16);
	assert_string_equal(s->frames[1].symbol.name, "k1ff");
	assert_int_equal(s->frames[1].symbol.offset, 17);
	assert_int_equal(s->frames[1].ip, 0x200);
	/* the instruction that faulted, or the one after the system call */
	assert_string_equal(s->frames[2].symbol.name, "u300");
	assert_int_equal(s->frames[2].symbol.offset, 16);
	assert_int_equal(s->frames[2].ip, 0x300);
	assert_string_equal(s->frames[3].symbol.name, "u3ff");
	assert_int_equal(s->frames[3].symbol.offset, 17);
	/* 0 is not decremented */
	assert_string_equal(s->frames[4].symbol.name, "u0");
	assert_int_equal(s->frames[4].symbol.offset, 16);
}

TEST(long_chains_lose_their_outermost_frames)
{
	enum { NR = 300 };
	uint64_t chain[NR] = { PERF_CONTEXT_USER };
	struct fixture *f = *state;
	const struct feed_sample *s;

	for (uint64_t i = 1; i < NR; i++)
		chain[i] = 0x1000 + i;
	give_chain(f, chain, NR);
	s = entry(f, 0);
	assert_int_equal(s->nr_frames, DEEPEST);
	assert_int_equal(s->frames[0].ip, 0x1001);
	assert_int_equal(s->frames[DEEPEST - 1].ip, 0x1000 + DEEPEST);
	assert_true(f->samples.hot->total.sum == 1);
}

TEST(a_hit_has_its_text_and_values)
{
	const struct feed_sample *s;

	give_hit(*state, TWO, 40);
	s = entry(*state, 0);
	assert_string_equal(s->event, "sys:two");
	assert_string_equal(s->comm, "task8");
	assert_string_equal(s->text, "two of 40");
	assert_string_equal(s->values, "a=40");
	assert_int_equal(s->weight, 4);
	assert_int_equal(s->period, 5);
}

/*
 * A limited number of texts per second; samples without a text are counted, but
 * not listed.
 */
TEST(texts_are_limited)
{
	struct fixture *f = *state;

	for (uint32_t i = 0; i < 5; i++)
		give_hit(f, ONE, i);
	assert_int_equal(feed_len(listed(f)), TEXTS);
	assert_int_equal(feed_skipped(listed(f)), 5 - TEXTS);
	assert_int_equal(f->samples.status.decoded, 5);
	assert_true(f->samples.hot->total.sum == 5 * 4);
	assert_true(f->samples.hot->total.events == 5 * 4 * 5);
	/*
	 * after 2/3 of a second, then more than a second, which does not
	 * accumulate
	 */
	digest_pause(f->digest, 0, 0.7);
	for (uint32_t i = 0; i < 5; i++)
		give_hit(f, ONE, i);
	assert_int_equal(feed_len(listed(f)), TEXTS + 2);
	digest_pause(f->digest, 0, 100);
	for (uint32_t i = 0; i < 5; i++)
		give_hit(f, ONE, i);
	assert_int_equal(feed_len(listed(f)), TEXTS + 2 + TEXTS);
}

/* Samples that need no text are always listed. */
TEST(only_texts_are_limited)
{
	static const uint64_t chain[] = { PERF_CONTEXT_USER, 0x100 };

	for (int i = 0; i < 2 * TEXTS; i++)
		give_chain(*state, chain, 2);
	assert_int_equal(feed_len(listed(*state)), 2 * TEXTS);
	assert_int_equal(feed_skipped(listed(*state)), 0);
}

static void set_filter(struct fixture *f, const char *text)
{
	struct err err;
	struct sample_filter *filter = sample_filter_new(text, &err);

	assert_non_null(filter);
	digest_set_filter(f->digest, filter, text);
	digest_pause(f->digest, 0, 0);
}

/* No text is made for what the filter rejects without it. */
TEST(the_filter_saves_texts)
{
	struct fixture *f = *state;

	set_filter(f, "event==sys:two && text~40");
	for (uint32_t i = 0; i < 5; i++)
		give_hit(f, ONE, 40);
	give_hit(f, TWO, 4);
	give_hit(f, TWO, 40);
	assert_int_equal(feed_len(listed(f)), 1);
	assert_string_equal(entry(f, 0)->text, "two of 40");
	assert_int_equal(feed_skipped(listed(f)), 0);
	assert_string_equal(f->samples.filter, "event==sys:two && text~40");
}

/* The weight of the cells with this value of the field. */
static double weight_of(struct fixture *f, const char *value)
{
	double sum = 0;

	listed(f);
	for (uint32_t i = 0; i < f->samples.hot->nr_cells; i++)
		if (!strcmp(f->samples.hot->cells[i].field, value))
			sum += f->samples.hot->cells[i].total.sum;
	return sum;
}

static void group_by(struct fixture *f, const char *field)
{
	digest_set_field(f->digest, field);
	digest_pause(f->digest, 0, 0);
}

static void give_fields(struct fixture *f)
{
	give_hit(f, ONE, 40);
	give_hit(f, ONE, 41);
	give_hit(f, TWO, 41);
}

TEST(values_of_a_field_are_counted)
{
	struct fixture *f = *state;

	give_fields(f);
	assert_true(weight_of(f, "") == 3 * 4);
	group_by(f, "a");
	give_fields(f);
	assert_true(weight_of(f, "40") == 4);
	assert_true(weight_of(f, "41") == 2 * 4);
	assert_string_equal(f->samples.hot->field, "a");
	group_by(f, "sys:two.a");
	give_fields(f);
	assert_true(weight_of(f, "40") == 0);
	assert_true(weight_of(f, "41") == 4);
	group_by(f, "nosuch");
	give_fields(f);
	assert_true(weight_of(f, "41") == 0);
	/* counted before, or for another field: without a value */
	group_by(f, "");
	give_fields(f);
	assert_true(weight_of(f, "") == 5 * 3 * 4);
}

TEST(system_calls_have_names)
{
	struct fixture *f = *state;

	group_by(f, "raw_syscalls:sys_enter.syscall");
	give_call(f, SYS_write);
	give_call(f, 999999);
	f->foreign = true;
	give_call(f, 1);
	assert_string_equal(entry(f, 0)->text, "write(0)");
	assert_true(!strncmp(entry(f, 0)->values, "syscall=write id=", 17));
	assert_string_equal(entry(f, 1)->text, "NR 999999 (0)");
	assert_string_equal(entry(f, 1)->values, "syscall=999999 id=999999");
	/* the numbers of another ABI are not this one's */
	assert_string_equal(entry(f, 2)->text, "NR 1 (0)");
	assert_string_equal(entry(f, 2)->values, "syscall=1 id=1");
	assert_true(weight_of(f, "write") == 1);
	assert_true(weight_of(f, "999999") == 1);
	assert_true(weight_of(f, "1") == 1);
	/* other events have no such field */
	give_hit(f, ONE, 40);
	assert_true(weight_of(f, "") == 4);
}

/* Of each event its own field; without one the task.  All samples count. */
TEST(each_event_has_its_own_field)
{
	struct fixture *f = *state;

	group_by(f, SAMPLES_OWN_FIELD);
	give_hit(f, ONE, 40);
	give_hit(f, TWO, 40);
	give_call(f, SYS_write);
	assert_true(weight_of(f, "a=40") == 4);
	assert_true(weight_of(f, "comm=task8") == 4);
	assert_true(weight_of(f, "syscall=write") == 1);
	assert_true(weight_of(f, "") == 0);
	assert_string_equal(f->samples.hot->field, SAMPLES_OWN_FIELD);
}

TEST_WITH(system_calls_of_a_script_have_numbers, open_list_only, close_digest)
{
	char text[32];

	give_call(*state, SYS_write);
	snprintf(text, sizeof(text), "NR %d (0)", SYS_write);
	assert_string_equal(entry(*state, 0)->text, text);
}

/* The name of a process in frames; there is no such process in /proc. */
static const char *called(struct fixture *f, pid_t pid)
{
	static char comm[PROC_COMM];

	comm_cache_get(f->comms, pid, 1, comm);
	return comm;
}

TEST_WITH(what_the_list_does_not_show_is_not_made, open_list_only, close_digest)
{
	static const uint64_t chain[] = { PERF_CONTEXT_USER, 0x100 };
	struct fixture *f = *state;

	give_hit(f, TWO, 40);
	assert_string_equal(entry(f, 0)->text, "two of 40");
	assert_string_equal(entry(f, 0)->comm, "task8");
	assert_string_equal(entry(f, 0)->values, "");
	assert_int_equal(entry(f, 0)->nr_frames, 0);
	give_chain(f, chain, 2);
	assert_int_equal(entry(f, 1)->nr_frames, 1);
	assert_string_equal(entry(f, 1)->frames[0].symbol.name, "u100");
	assert_int_equal(f->samples.hot->nr_cells, 0);
	assert_int_equal(f->samples.status.decoded, 2);
	assert_string_equal(called(f, 7), "task8");
}

/* A text that a filter needs is made, though it is not shown. */
TEST_WITH(what_a_filter_needs_is_made, open_list_only, close_digest)
{
	struct fixture *f = *state;

	set_filter(f, "a==41");
	give_fields(f);
	assert_int_equal(feed_len(listed(f)), 2);
	assert_string_equal(entry(f, 0)->text, "one of 41");
	assert_string_equal(entry(f, 1)->text, "two of 41");
	assert_string_equal(entry(f, 1)->values, "a=41");
	digest_pause(f->digest, 0, 1);
	set_filter(f, "sym==u100 && a==40");
	give_fields(f);
	assert_int_equal(feed_len(listed(f)), 3);
	assert_string_equal(entry(f, 2)->text, "one of 40");
	digest_pause(f->digest, 0, 1);
	set_filter(f, "sym==other");
	give_fields(f);
	assert_int_equal(feed_len(listed(f)), 3);
}

TEST(switches_are_listed_and_not_counted)
{
	enum { OUT = PERF_RECORD_MISC_SWITCH_OUT,
	       PREEMPTED = OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT };
	static const struct {
		uint16_t misc;
		int other;
		const char *text;
	} rows[] = {
		{ 0, -1, "in" },
		{ OUT, -1, "out" },
		{ PREEMPTED, -1, "out, preempted" },
		{ 0, 20, "in from task21/21" },
		{ OUT, 20, "out to task21/21" },
		{ PREEMPTED, 0, "out, preempted by task1/1" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		digest_pause(f->digest, 0, 1);
		give_switch(f, rows[i].misc, rows[i].other);
		assert_string_equal(entry(f, i)->text, rows[i].text);
		assert_string_equal(entry(f, i)->event, "switch");
		assert_string_equal(entry(f, i)->comm, "task8");
		assert_int_equal(entry(f, i)->pid, 7);
		assert_int_equal(entry(f, i)->tid, 8);
		assert_int_equal(entry(f, i)->cpu, 3);
		assert_int_equal(entry(f, i)->time, 2000);
	}
	assert_int_equal(f->records, 6);
	assert_int_equal(f->samples.status.decoded, 0);
	assert_int_equal(f->samples.hot->nr_cells, 0);
	assert_int_equal(feed_skipped(f->samples.feed), 0);
}

/* Context switches do not keep samples from being listed. */
TEST(switches_are_filtered)
{
	struct fixture *f = *state;

	set_filter(f, "event!=switch");
	for (int i = 0; i < 2 * TEXTS; i++)
		give_switch(f, 0, -1);
	assert_int_equal(feed_len(listed(f)), 0);
	give_hit(f, ONE, 1);
	assert_int_equal(feed_len(listed(f)), 1);
}

TEST(what_makes_no_sense_is_counted)
{
	struct fixture *f = *state;
	struct building sample = sample_begun(1), comm = { .nr = 2 };

	give(f, &sample, PERF_RECORD_SAMPLE, 0, ONE, 1); /* without its RAW */
	give(f, &sample, PERF_RECORD_SAMPLE, 0, EVENTS, 1);
	give(f, &sample, PERF_RECORD_SAMPLE, 0, UINT32_MAX, 1);
	give(f, &comm, PERF_RECORD_COMM, 0, 0, 0);
	listed(f);
	assert_int_equal(f->samples.status.undecodable, 4);
	assert_int_equal(f->samples.status.decoded, 0);
	assert_int_equal(f->records, 0);
}

/* A process that exits before it is looked up has its name from its samples. */
TEST(samples_tell_what_processes_are_called)
{
	struct fixture *f = *state;

	assert_string_equal(called(f, 7), "");
	give_hit(f, ONE, 1);
	/* the name of thread 8, until the leader's is known */
	assert_string_equal(called(f, 7), "task8");
}

/* Count the records of the type in *@ctx. */
static int count_type(void *ctx, void *record, size_t size)
{
	const struct perf_event_header *header = record;
	unsigned int *counts = ctx;

	(void)size;
	counts[1] += header->type == counts[0];
	return 0;
}

static unsigned int kept(struct fixture *f, unsigned int type)
{
	unsigned int counts[] = { type, 0 };

	assert_int_equal(task_history_each(f->tasks, count_type, counts), 0);
	return counts[1];
}

TEST(tasks_are_kept_and_read_again_after_a_loss)
{
	struct building comm = { .nr = 1 };
	struct fixture *f = *state;
	pid_t self = getpid();

	assert_int_equal(task_history_read_proc(f->tasks, &self, 1), 0);
	push(&comm, 7 | UINT64_C(7) << 32);
	push(&comm, 'c');
	for (int i = 0; i < RECORD_TRAILER / 8; i++)
		push(&comm, 0);
	give(f, &comm, PERF_RECORD_COMM, 0, 0, 0);
	give_switch(f, 0, -1);
	/* our own, from /proc, and that one */
	assert_int_equal(kept(f, PERF_RECORD_COMM), 2);
	assert_int_equal(kept(f, PERF_RECORD_SWITCH), 0);
	assert_int_equal(f->records, 2);
	/* /proc has no process 7 of that name */
	digest_resync(f->digest);
	assert_true(kept(f, PERF_RECORD_MMAP2) > 1);
}

/* They are kept regardless of age; nothing else uses them. */
TEST(hardware_ids_are_kept)
{
	struct building hw_id = { .nr = 1 };
	struct fixture *f = *state;
	pid_t self = getpid();

	push(&hw_id, 0x12);
	for (int i = 0; i < RECORD_TRAILER / 8; i++)
		push(&hw_id, 0);
	give(f, &hw_id, PERF_RECORD_AUX_OUTPUT_HW_ID, 0, 0, 0);
	assert_int_equal(task_history_read_proc(f->tasks, &self, 1), 0);
	digest_resync(f->digest);
	assert_int_equal(kept(f, PERF_RECORD_AUX_OUTPUT_HW_ID), 1);
	listed(f);
	assert_int_equal(f->samples.status.undecodable, 0);
	assert_int_equal(f->records, 0);
}

static void give_at(struct fixture *f, uint64_t time, uint32_t weight)
{
	struct building b = sample_begun(0x100);

	b.words[RECORD_SAMPLE_TIME / 8] = time;
	push(&b, 0);
	give(f, &b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, CLOCK, weight);
}

/* In a list of all samples those that come too late are counted instead. */
TEST_WITH(a_list_of_all_is_in_order, open_list_only, close_digest)
{
	struct fixture *f = *state;

	give_at(f, 1000, 1);
	give_at(f, 999, 5);
	give_at(f, 1000, 1);
	give_at(f, 1001, 1);
	assert_int_equal(feed_len(listed(f)), 3);
	assert_int_equal(entry(f, 1)->time, 1000);
	assert_int_equal(entry(f, 2)->time, 1001);
	assert_int_equal(f->samples.status.late, 5);
	assert_int_equal(f->samples.status.decoded, 4);
}

/* On the screen all are listed. */
TEST(a_late_one_is_listed)
{
	struct fixture *f = *state;

	give_at(f, 1000, 1);
	give_at(f, 999, 5);
	assert_int_equal(feed_len(listed(f)), 2);
	assert_int_equal(f->samples.status.late, 0);
}

TEST_GROUP(digest, .each_setup = open_digest, .each_teardown = close_digest);
