/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The samples of frames. */
#include "tests/screen/frames.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "samples/feed.h"
#include "samples/hot_table.h"
#include "samples/samples.h"

/* Names are compared by address, as those of a struct names. */
static const char kernel[] = "[kernel.kallsyms]";
static const char app_file[] = "/usr/bin/app";
static const char libc[] = "/usr/lib/x86_64-linux-gnu/libc.so.6";
static const char jit_map[] = "/tmp/perf-977.map";
static const char unknown[] = "[unknown]";
static const char app_comm[] = "app", node_comm[] = "node";
static const char python_comm[] = "python3", kworker_comm[] = "kworker/3:1";
static const char cpu_clock[] = "cpu-clock", sched_switch[] =
	"sched:sched_switch";

enum {
	MAIN, WORK, CRUNCH, READ, ENTRY, DO_SYSCALL, VFS_READ, REP_MOVS, START,
	RENDER, UNRESOLVED, WORKER, SYMBOLS
};

static const struct hot_symbol hot_symbols[SYMBOLS] = {
	[MAIN] = { "main", app_file, SYMBOL_USER },
	[WORK] = { "work_loop(std::vector<int> const&)", app_file,
		   SYMBOL_USER },
	[CRUNCH] = { "crunch", app_file, SYMBOL_USER },
	[READ] = { "read", libc, SYMBOL_USER },
	[ENTRY] = { "entry_SYSCALL_64_after_hwframe", kernel, SYMBOL_KERNEL },
	[DO_SYSCALL] = { "do_syscall_64", kernel, SYMBOL_KERNEL },
	[VFS_READ] = { "vfs_read", kernel, SYMBOL_KERNEL },
	[REP_MOVS] = { "rep_movs_alternative", kernel, SYMBOL_KERNEL },
	[START] = { "start_thread", libc, SYMBOL_USER },
	[RENDER] = { "LazyCompile:*render app.js:12", jit_map, SYMBOL_JIT },
	[UNRESOLVED] = { unknown, unknown, SYMBOL_UNKNOWN },
	[WORKER] = { "worker_thread", kernel, SYMBOL_KERNEL },
};

/* main > work > crunch > crunch, and > read > ... > rep_movs */
static const struct hot_node hot_nodes[] = {
	/* 0 */ { HOT_NONE, MAIN, false }, { 0, WORK, false },
	/* 2 */ { 1, CRUNCH, false }, { 1, READ, false },
	/* 4 */ { 3, ENTRY, false }, { 4, DO_SYSCALL, false },
	/* 6 */ { 5, VFS_READ, false }, { 6, REP_MOVS, false },
	/* 8 */ { HOT_NONE, START, false }, { 8, RENDER, false },
	/* 10 */ { 2, CRUNCH, true }, { HOT_NONE, UNRESOLVED, false },
	/* 12 */ { HOT_NONE, WORKER, false },
};

/* Samples with a period each, and samples of one event each. */
#define CLOCK(n) { n, n, n * 25e4, n * 25e4 * 25e4 }
#define ONES(n) { n, n, n, n }

/* 1000 samples in total, 100 of them recent. */
static const struct hot_cell hot_cells[] = {
	{ 2, 0, 0, 4242, app_comm, "", CLOCK(300), CLOCK(10) },
	{ 10, 0, 0, 4242, app_comm, "", CLOCK(100), CLOCK(10) },
	{ 1, 0, 0, 4242, app_comm, "", CLOCK(100), CLOCK(10) },
	{ 7, 0, 1, 4242, app_comm, "", CLOCK(200), CLOCK(40) },
	{ 6, 0, 1, 4242, app_comm, "", CLOCK(50), CLOCK(5) },
	{ 9, 0, 2, 977, node_comm, "", CLOCK(150), CLOCK(15) },
	{ 8, 0, 2, 977, node_comm, "", CLOCK(10), CLOCK(0) },
	{ 11, 0, 3, 4300, python_comm, "", CLOCK(40), CLOCK(5) },
	{ 12, 1, 3, 13, kworker_comm, "", ONES(50), ONES(5) },
};

static const char *const trace_fields[] = {
	"sched:sched_switch.prev_comm", "sched:sched_switch.prev_state",
	"sched:sched_switch.next_comm",
};

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

/*
 * A struct hot owns its arrays, so they are not const; nothing writes to them.
 */
#define OWNED(array) ((void *)(uintptr_t)(array))

static const struct hot *hot_new(void)
{
	static const char *events[] = { cpu_clock, sched_switch };
	static const struct hot hot = {
		.symbols = OWNED(hot_symbols),
		.nr_symbols = LEN(hot_symbols),
		.nodes = OWNED(hot_nodes),
		.nr_nodes = LEN(hot_nodes),
		.cells = OWNED(hot_cells),
		.nr_cells = LEN(hot_cells),
		.events = events,
		.nr_events = LEN(events),
		.chains = true,
		.total = { .sum = 1000, .squares = 1000 },
		.recent = { .sum = 100, .squares = 100 },
		.max_cells = 32768,
		.max_nodes = 65536,
		.bytes = 3 << 20,
	};

	return &hot;
}

static struct feed_frame at(int symbol, uint64_t ip, uint64_t offset)
{
	const struct hot_symbol *s = &hot_symbols[symbol];

	return (struct feed_frame){
		.ip = ip,
		.symbol = { s->name, s->dso, s->kind, false, offset },
	};
}

#define EVERY_FIELDS (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
		      PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | \
		      PERF_SAMPLE_IDENTIFIER)

/* Add sample @i: a tenth of a millisecond later, on CPU @i % 4. */
static void add(struct feed *feed, const char *comm, pid_t pid, pid_t tid,
		const struct feed_frame *frames, uint32_t nr)
{
	uint64_t i = feed_len(feed);
	struct feed_sample s = {
		.time = 5123000000000 + i * 100000,
		.cpu = (int)(i % 4),
		.pid = pid, .tid = tid, .comm = comm, .event = cpu_clock,
		.weight = 1,
		.fields = EVERY_FIELDS | (nr > 1 ? PERF_SAMPLE_CALLCHAIN : 0),
		.period = 250000,
		.ip = frames[0].ip,
		.frames = frames,
		.nr_frames = nr,
		.chain = nr > 1,
		.text = "", .values = "",
	};

	feed_add(feed, &s);
}

static void add_switch(struct feed *feed, const char *text,
		       const char *values)
{
	struct feed_frame frame = at(WORKER, 0xffffffff810a5c30, 0x90);
	uint64_t i = feed_len(feed);
	struct feed_sample s = {
		.time = 5123000000000 + i * 100000,
		.cpu = 3,
		.pid = 13, .tid = 13,
		.comm = kworker_comm, .event = sched_switch,
		.weight = 1,
		.fields = EVERY_FIELDS | PERF_SAMPLE_RAW,
		.period = 1,
		.ip = frame.ip,
		.frames = &frame,
		.nr_frames = 1,
		.text = text, .values = values,
	};

	feed_add(feed, &s);
}

static void fill_app(struct feed *feed)
{
	const struct feed_frame chain[] = {
		at(REP_MOVS, 0xffffffff81d2b0a4, 0x4),
		at(VFS_READ, 0xffffffff81339b31, 0x121),
		at(DO_SYSCALL, 0xffffffff81d1c7d5, 0x55),
		at(ENTRY, 0xffffffff81e000ea, 0x72),
		at(READ, 0x7f10a2cf81dc, 0xc),
		at(WORK, 0x5581f1d0a231, 0x41),
		at(MAIN, 0x5581f1d0a0b0, 0x30),
	};
	const struct feed_frame crunch[] = {
		at(CRUNCH, 0x5581f1d0a1c2, 0x12),
		at(WORK, 0x5581f1d0a220, 0x30),
		at(MAIN, 0x5581f1d0a0b0, 0x30),
	};

	add(feed, app_comm, 4242, 4242, chain, LEN(chain));
	add(feed, app_comm, 4242, 4243, crunch, LEN(crunch));
	add(feed, app_comm, 4242, 4242, chain + 1, LEN(chain) - 1);
	add(feed, app_comm, 4242, 4243, crunch, LEN(crunch));
	add(feed, app_comm, 4242, 4242, crunch + 1, LEN(crunch) - 1);
}

static struct feed *feed_filled(void)
{
	const struct feed_frame jit = at(RENDER, 0x3a0f12c0e4, 0xe4);
	const struct feed_frame lost = at(UNRESOLVED, 0x7f0011223344, 0);
	struct feed *feed = feed_new(64, 1 << 20);

	fill_app(feed);
	add(feed, node_comm, 977, 978, &jit, 1);
	add(feed, python_comm, 4300, 4300, &lost, 1);
	add_switch(feed, "prev_comm=kworker/3:1 prev_pid=13 prev_prio=120 "
		   "prev_state=I ==> next_comm=swapper/3 next_pid=0 "
		   "next_prio=120",
		   "prev_comm=kworker/3:1 prev_pid=13 prev_prio=120 "
		   "prev_state=0x80 next_comm=swapper/3 next_pid=0 "
		   "next_prio=120");
	fill_app(feed);
	return feed;
}

const struct samples *frames_samples(void)
{
	static struct samples samples;

	if (samples.feed)
		return &samples;
	samples = (struct samples){
		.feed = feed_filled(),
		.hot = hot_new(),
		.status = {
			.decode_every = 1,
			.seen = 1000, .decoded = 1000, .unresolved = 40,
			.kernel_symbols = 140000,
			.files = 5,
			.symbol_bytes = 12 << 20, .symbol_limit = 40 << 20,
			.name_bytes = 1 << 20, .name_limit = 8 << 20,
			.processes = 120,
		},
		.trace_fields = trace_fields,
		.nr_trace_fields = LEN(trace_fields),
		.filter = "",
	};
	return &samples;
}
