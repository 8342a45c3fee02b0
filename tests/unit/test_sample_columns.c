/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "samples/sample_columns.h"

static const struct feed_frame frame = {
	0x7f10a2cf81dc,
	{ "read", "/usr/lib/libc.so.6", SYMBOL_USER, false, 0x1c },
};

/* A sample with every field that a column shows. */
static struct feed_sample full(void)
{
	return (struct feed_sample){
		.time = 5123000123999, .cpu = 3, .pid = 4242, .tid = 4243,
		.comm = "app", .event = "mem-loads", .weight = 8,
		.fields = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR |
			  PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT |
			  PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_PHYS_ADDR,
		.period = 250000, .ip = 0x7f10a2cf81dc,
		.addr = 0x7ffe00001000, .sample_weight = 312,
		.data_src = PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, HIT) |
			    PERF_MEM_S(LVLNUM, L3),
		.phys_addr = 0x1234000,
		.frames = &frame, .nr_frames = 1, .text = "", .values = "",
	};
}

/* A sample with only the fields that every sample has. */
static struct feed_sample bare(void)
{
	return (struct feed_sample){
		.cpu = -1, .pid = -1, .tid = -1, .comm = "", .event = "x",
		.weight = 1, .text = "", .values = "",
	};
}

static void expect(const struct feed_sample *s, const char *id, bool values,
		   const char *expected)
{
	char buf[256];
	enum sample_column column = sample_column_find(id);
	const struct times times = { .nr = 0 };
	const struct sample_style style = {
		.times = &times, .clock = TIMES_KERNEL, .values = values,
	};

	assert_true(column < SAMPLE_COLUMNS);
	sample_column_text(column, s, &style, buf, sizeof(buf));
	if (strcmp(buf, expected) != 0)
		fail_msg("%s: \"%s\", not \"%s\"", id, buf, expected);
}

TEST(every_column)
{
	struct feed_sample s = full();

	expect(&s, "time", false, "5123.000123");
	expect(&s, "cpu", false, "3");
	expect(&s, "pid", false, "4242");
	expect(&s, "tid", false, "4243");
	expect(&s, "comm", false, "app");
	expect(&s, "event", false, "mem-loads");
	expect(&s, "period", false, "250000");
	expect(&s, "stands", false, "8");
	expect(&s, "ip", false, "0x7f10a2cf81dc");
	expect(&s, "what", false, "read+0x1c (libc.so.6)");
	expect(&s, "symbol", false, "read+0x1c");
	expect(&s, "dso", false, "libc.so.6");
	expect(&s, "addr", false, "0x7ffe00001000");
	expect(&s, "cost", false, "312");
	expect(&s, "src", false, "L3 hit");
	expect(&s, "phys", false, "0x1234000");
}

TEST(time_of_day)
{
	struct feed_sample s = full();
	struct times times = { .nr = 0 };
	const struct sample_style style = { .times = &times };
	char buf[32];

	setenv("TZ", "UTC0", 1);
	tzset();
	times_read(&times, 5000000000000, 1700000000000000000);
	sample_column_text(SAMPLE_COLUMN_TIME, &s, &style, buf, sizeof(buf));
	assert_string_equal(buf, "22:15:23.000123");
}

TEST(missing_values)
{
	static const char *const ids[] = {
		"cpu", "pid", "tid", "period", "ip", "what", "symbol", "dso",
		"addr", "cost", "src", "phys",
	};
	struct feed_sample s = bare();

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		expect(&s, ids[i], false, "-");
	expect(&s, "time", false, "0.000000");
	expect(&s, "stands", false, "1");
	/* a field that is present and 0 is not "-" */
	s.fields = PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD;
	expect(&s, "addr", false, "0x0");
	expect(&s, "period", false, "0");
}

TEST(tracepoints)
{
	struct feed_sample s = full();

	s.text = "prev_comm=a ==> next_comm=b";
	expect(&s, "what", false, "prev_comm=a ==> next_comm=b");
	/* no fields: the text is used instead */
	expect(&s, "what", true, "prev_comm=a ==> next_comm=b");
	s.values = "prev_comm=a next_comm=b";
	expect(&s, "what", true, "prev_comm=a next_comm=b");
	expect(&s, "what", false, "prev_comm=a ==> next_comm=b");
	expect(&s, "symbol", false, "read+0x1c");
}

TEST(symbols)
{
	static const struct {
		struct symbol symbol;
		bool dso;
		const char *text;
	} cases[] = {
		{ { "read", "/lib/libc.so.6", SYMBOL_USER, false, 0 }, false,
		  "read" },
		{ { "read", "/lib/libc.so.6", SYMBOL_USER, false, 0x1c }, false,
		  "read+0x1c" },
		{ { "read", "/lib/libc.so.6", SYMBOL_USER, false, 0x1c }, true,
		  "read+0x1c (/lib/libc.so.6)" },
		/* an offset in a file is not one from a symbol */
		{ { "[unknown]", "/lib/libc.so.6", SYMBOL_UNKNOWN, false,
		    0x1c }, true, "[unknown] (/lib/libc.so.6)" },
		{ { "fn@0x1a40", "/lib/libc.so.6", SYMBOL_USER, true, 0x1c },
		  false, "fn@0x1a40+0x1c" },
		{ { "[unknown]", "[unknown]", SYMBOL_UNKNOWN, false, 0 }, false,
		  "[unknown]" },
	};
	char buf[64], small[8];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(sample_column_symbol(&cases[i].symbol,
							 cases[i].dso, buf,
							 sizeof(buf)),
				    cases[i].text);
	sample_column_symbol(&cases[2].symbol, true, small, sizeof(small));
	assert_string_equal(small, "read+0x");
}

TEST(files)
{
	static const char *const cases[][2] = {
		{ "/usr/lib/libc.so.6", "libc.so.6" },
		{ "[kernel.kallsyms]", "[kernel.kallsyms]" },
		{ "[vdso]", "[vdso]" },
		{ "//anon", "anon" },
		{ "/memfd:x (deleted)", "memfd:x (deleted)" },
		{ "/", "/" },
		{ "[guest/x]", "[guest/x]" },
	};
	struct feed_sample s = full();
	struct feed_frame f = frame;

	s.frames = &f;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		f.symbol.dso = cases[i][0];
		expect(&s, "dso", false, cases[i][1]);
	}
}

/* A cell that would end within a multibyte character. */
TEST(truncated_text_valid)
{
	struct feed_sample s = full();
	struct feed_frame f = frame;
	const struct sample_style style = { .values = false };
	char buf[4];

	f.symbol.name = "ab\u00e9";
	f.symbol.offset = 0;
	s.frames = &f;
	sample_column_text(SAMPLE_COLUMN_SYMBOL, &s, &style, buf, sizeof(buf));
	assert_string_equal(buf, "ab?");
	s.text = "ab\u00e9";
	sample_column_text(SAMPLE_COLUMN_WHAT, &s, &style, buf, sizeof(buf));
	assert_string_equal(buf, "ab");
}

TEST(data_sources)
{
	static const struct {
		uint64_t src;
		const char *text;
	} cases[] = {
		{ 0, "-" },
		{ PERF_MEM_S(LVLNUM, L1) | PERF_MEM_S(LVL, HIT), "L1 hit" },
		{ PERF_MEM_S(LVLNUM, L2) | PERF_MEM_S(LVL, MISS), "L2 miss" },
		{ PERF_MEM_S(LVLNUM, RAM) | PERF_MEM_S(LVL, HIT), "RAM" },
		{ PERF_MEM_S(LVLNUM, RAM) | PERF_MEM_S(REMOTE, REMOTE),
		  "remote RAM" },
		{ PERF_MEM_S(LVLNUM, LFB) | PERF_MEM_S(LVL, HIT), "LFB hit" },
		/* of older kernels and hardware, without LVLNUM */
		{ PERF_MEM_S(LVL, L3) | PERF_MEM_S(LVL, HIT), "L3 hit" },
		{ PERF_MEM_S(LVL, REM_RAM1) | PERF_MEM_S(LVL, HIT),
		  "remote RAM 1 hop hit" },
		{ PERF_MEM_S(LVLNUM, NA) | PERF_MEM_S(LVL, NA), "-" },
		/* values that no kernel uses yet */
		{ (uint64_t)7 << PERF_MEM_LVLNUM_SHIFT, "-" },
	};
	char buf[64];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(sample_column_data_src(cases[i].src, buf,
							   sizeof(buf)),
				    cases[i].text);
}

TEST(accesses)
{
	uint64_t src = PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, HIT) |
		       PERF_MEM_S(LVLNUM, L3);
	char buf[128], small[8];

	assert_string_equal(sample_column_access(src, buf, sizeof(buf)),
			    "load, L3 hit");
	src |= PERF_MEM_S(SNOOP, NONE) | PERF_MEM_S(TLB, L1) |
	       PERF_MEM_S(TLB, HIT) | PERF_MEM_S(LOCK, LOCKED);
	assert_string_equal(sample_column_access(src, buf, sizeof(buf)),
			    "load, L3 hit, snoop none, TLB L1 hit, locked");
	src = PERF_MEM_S(OP, STORE) | PERF_MEM_S(SNOOP, NA) |
	      PERF_MEM_S(TLB, NA);
	assert_string_equal(sample_column_access(src, buf, sizeof(buf)),
			    "store, -");
	/* all bits set: no byte beyond the end */
	sample_column_access(UINT64_MAX, small, sizeof(small));
	assert_int_equal(strlen(small), 7);
}

TEST(by_id)
{
	assert_int_equal(sample_column_find("STANDS"), SAMPLE_COLUMN_WEIGHT);
	assert_int_equal(sample_column_find("fill"), SAMPLE_COLUMNS);
	assert_int_equal(sample_column_find(""), SAMPLE_COLUMNS);
	for (unsigned int i = 0; i < SAMPLE_COLUMNS; i++) {
		const struct sample_column_info *info =
			sample_column_info((enum sample_column)i);

		assert_int_equal(sample_column_find(info->id), i);
		assert_true(strlen(info->help) > 2);
		assert_true(!info->width ||
			    strlen(info->header) <= (size_t)info->width);
	}
}

TEST_GROUP(sample_columns);
