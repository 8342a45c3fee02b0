/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <linux/perf_event.h>

#include "samples/hot_query.h"
#include "tests/unit/export_rig.h"

TEST(test_json_ring)
{
	static const struct field expected[] = {
		{ "ring", "0" }, { "cpu", "3" }, { "tid", "null" },
		{ "owner", "{\"pid\":77,\"comm\":\"dd\"}" },
		{ "holders", "null" }, { "nr_holders", "null" },
		{ "programs", "null" },
		{ "kind", "\"perf\"" }, { "event", "null" },
		{ "uid", "null" }, { "user", "null" }, { "map", "null" },
		{ "map_id", "null" }, { "self", "null" },
		{ "mapped", "null" }, { "known", "null" },
		{ "woken", "null" }, { "stopped", "null" },
		{ "at_least", "null" }, { "warnings", "null" },
		{ "undrained", "null" }, { "worst_gap", "null" },
		{ "remapped", "null" }, { "locked", "null" },
		{ "events",
		  "[{\"name\":\"cpu-clock?\",\"id\":null,\"cpu\":3,"
		  "\"tid\":null,\"state\":null,\"throttled\":null,"
		  "\"maps\":null,\"freq\":null,\"period\":null,"
		  "\"count\":25,\"samples\":10,\"lost\":null,"
		  "\"lost_per_s\":null},"
		  "{\"name\":\"dummy\",\"id\":null,\"cpu\":3,"
		  "\"tid\":null,\"state\":null,\"throttled\":null,"
		  "\"maps\":null,\"freq\":null,\"period\":null,"
		  "\"count\":0,\"samples\":0,\"lost\":1,"
		  "\"lost_per_s\":0.5}]" },
		{ "size", "524288" }, { "watermark", "262144" },
		{ "wakeup_events", "null" }, { "overwrite", "false" },
		{ "paused", "false" }, { "gone", "false" },
		{ "head", "1000" }, { "tail", "360" },
		{ "next_crossing", "262144" },
		{ "used", "640" }, { "fill", "0.41" }, { "peak", "0.63" },
		{ "bytes", "360" }, { "bytes_per_s", "36.5" },
		{ "records", "13" }, { "records_per_s", "1.5" },
		{ "samples", "10" }, { "crossings", "2" }, { "wakeups", "3" },
		{ "wakeups_per_s", "0.5" }, { "drains", "5" },
		{ "drains_per_s", "2.5" },
		{ "timer_drains", "4" }, { "wakeup_latency_p50", "1.2e-5" },
		{ "wakeup_latency_p99", "0.25" }, { "lost", "15" },
		{ "lost_reported", "7" }, { "lost_pending", "8" },
		{ "lost_per_s", "9.0" }, { "throttled", "1" },
		{ "types", "{\"LOST\":2,\"THROTTLE\":1,\"SAMPLE\":10}" },
		{ "aux", "null" },
		{ "advice", "{\"text\":\"grow to -m 512\",\"pages\":512,"
			    "\"setting\":null,\"command\":null,"
			    "\"burst_bytes_per_s\":2.5,\"worst_gap\":0.21}" },
	};
	struct rig *rig = *state;
	json_t *json = written_json(&rig->frame);

	CHECK_FIGURES(json_array_get(json_object_get(json, "rings"), 0), false,
		      expected);
	json_decref(json);
}

TEST(test_json_unknown_is_null)
{
	static const struct field expected[] = {
		{ "cpu", "null" }, { "tid", "42" }, { "owner", "null" },
		{ "watermark", "null" }, { "overwrite", "true" },
		{ "paused", "true" }, { "records", "null" },
		{ "samples", "null" }, { "records_per_s", "null" },
		{ "wakeup_latency_p50", "null" },
		{ "wakeup_latency_p99", "null" }, { "lost", "0" },
		{ "lost_pending", "null" }, { "types", "{}" },
		{ "events", "[]" }, { "advice", "null" },
	};
	struct rig *rig = *state;
	json_t *json = written_json(&rig->frame);
	const json_t *ring =
		json_array_get(json_object_get(json, "rings"), 1);

	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		check_json(ring, expected[i].key, expected[i].value);
	json_decref(json);
}

TEST(test_json_frame)
{
	static const struct field expected[] = {
		{ "rings", "2" }, { "ringbufs", "0" },
		{ "ftrace_buffers", "0" }, { "packet_rings", "0" },
		{ "io_urings", "0" },
		{ "uncounted", "0" },
		{ "owners", "null" }, { "warned", "null" },
		{ "at_least", "false" }, { "warnings", "null" },
		{ "used", "640" }, { "size", "528384" }, { "locked", "null" },
		{ "fill", "0.001" }, { "peak", "0.63" }, { "bytes", "360" },
		{ "bytes_per_s", "0.0" }, { "records", "12" },
		{ "records_per_s", "0.0" }, { "samples", "0" },
		{ "crossings", "0" }, { "wakeups", "0" },
		{ "wakeups_per_s", "0.0" }, { "drains", "0" },
		{ "drains_per_s", "0.0" },
		{ "timer_drains", "0" }, { "wakeup_latency_p50", "1.2e-5" },
		{ "wakeup_latency_p99", "null" }, { "lost", "15" },
		{ "lost_reported", "7" }, { "lost_pending", "8" },
		{ "lost_per_s", "0.0" },
		{ "throttled", "0" }, { "types", "{}" }, { "aux", "null" },
		{ "advice", "null" },
	};
	struct rig *rig = *state;
	json_t *json = written_json(&rig->frame);

	assert_int_equal(json_object_size(json), 11);
	check_json(json, "users", "null");
	check_json(json, "host", "null");
	check_json(json, "snapshots", "null");
	check_json(json, "version", "2");
	check_json(json, "source", "\"sim\"");
	check_json(json, "time", "1700000000.25");
	check_json(json, "interval", "0.5");
	check_json(json, "hot", "null");
	check_json(json, "self", "{\"cpu\":0.003,\"rss\":9437184,"
				 "\"decode_every\":null,\"own_records\":6,"
				 "\"samples\":null}");
	CHECK_FIGURES(json_object_get(json, "total"), true, expected);
	assert_int_equal(json_array_size(json_object_get(json, "rings")), 2);
	json_decref(json);
}

TEST(test_json_numbers_beyond_63_bits)
{
	struct rig *rig = *state;
	json_t *json;

	rig->rings[0].head = UINT64_MAX - 1;
	json = written_json(&rig->frame);
	check_json(json_array_get(json_object_get(json, "rings"), 0), "head",
		   "1.844674407370955e19");
	json_decref(json);
}

static unsigned int count(const char *text, char c)
{
	unsigned int nr = 0;

	for (; *text; text++)
		nr += *text == c;
	return nr;
}

/*
 * One line of names, then one line per ring and tick; unknown values are empty.
 */
TEST(test_csv)
{
	struct export_state progress = { 0 };
	struct rig *rig = *state;
	char *text, *line;

	rig->rings[0].aux.size = 8192;
	strcpy(rig->rings[1].comm, "a\"\x1b");
	text = written_on(&export_csv, &rig->frame, 0, &progress);
	assert_int_equal(count(text, '\n'), 3);
	line = strchr(text, '\n') + 1;
	assert_int_equal(count(text, ','), 3 * (count(line, ',') / 2));
	assert_string_equal(csv_field(text, 1, "time"), "1700000000.250");
	assert_string_equal(csv_field(text, 1, "ring"), "0");
	assert_string_equal(csv_field(text, 1, "pid"), "77");
	assert_string_equal(csv_field(text, 1, "fill"), "0.41");
	assert_string_equal(csv_field(text, 1, "lost"), "15");
	assert_string_equal(csv_field(text, 1, "aux_size"), "8192");
	assert_string_equal(csv_field(text, 1, "undrained"), "");
	assert_string_equal(csv_field(text, 2, "comm"), "\"a\"\"?\"");
	assert_string_equal(csv_field(text, 2, "overwrite"), "1");
	assert_string_equal(csv_field(text, 2, "records"), "");
	assert_string_equal(csv_field(text, 2, "aux_size"), "");
	free(text);
	/* no line of names at the next tick */
	text = written_on(&export_csv, &rig->frame, 0, &progress);
	assert_int_equal(count(text, '\n'), 2);
	free(text);
}

/* A spreadsheet must not take a program's name for a formula. */
TEST(test_csv_formulas)
{
	static const struct {
		const char *comm, *cell;
	} cases[] = {
		{ "=1+1", "'=1+1" },
		{ "+1", "'+1" },
		{ "-bash", "'-bash" },
		{ "@a", "'@a" },
		{ "\t=1", "'?=1" },
		{ "\r=1", "'?=1" },
		{ "=\"a\"", "\"'=\"\"a\"\"\"" },
		{ "a=1", "a=1" },
		{ "'a", "'a" },
		{ "", "" },
	};
	struct rig *rig = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct export_state progress = { 0 };
		char *text;

		strcpy(rig->rings[0].comm, cases[i].comm);
		text = written_on(&export_csv, &rig->frame, 0, &progress);
		assert_string_equal(csv_field(text, 1, "comm"), cases[i].cell);
		assert_string_equal(csv_field(text, 1, "pid"), "77");
		free(text);
	}
}

/* But a negative number stays one. */
TEST(test_csv_negative)
{
	struct export_state progress = { 0 };
	struct rig *rig = *state;
	char *text;

	rig->frame.time = -1.5;
	text = written_on(&export_csv, &rig->frame, 0, &progress);
	assert_string_equal(csv_field(text, 1, "time"), "-1.500");
	free(text);
}

TEST(test_text_table)
{
	struct rig *rig = *state;
	char *text;

	log_add(rig->log, 0, LOG_INFO, "of an earlier tick");
	log_add(rig->log, 1700000000, LOG_LOST, "CPU 3 lost 7 records");
	rig->frame.log_first = 1;
	text = written(&export_text, &rig->frame);
	assert_string_equal(text,
"2023-11-14 22:13:20  tick 500ms  rbtop 0.3% CPU 9M\n"
"system-wide: cpu-clock\n"
"RING         SIZE FILL% PEAK   B/S REC/S WAKE/S   P99  LOST LOST/S  PEND\n"
"CPU 3        512K   41%  63%   36B   1.5    0.5 250ms    15      9     8\n"
"tid 42         4K    0%   0%     0     -      0     -     0      0     -\n"
"total        516K  0.1%  63%     0     0      0     -    15      0     8\n"
"  CPU 3: grow to -m 512\n"
"22:13:20 lost     CPU 3 lost 7 records\n");
	free(text);
	rig->frame.tick = 2;
	rig->frame.log_first = 2;
	text = written(&export_text, &rig->frame);
	assert_int_equal(text[0], '\n');
	assert_null(strstr(text, "22:13:20 lost"));
	free(text);
}

/* As on a terminal. */
static char *wrapped(const struct frame *frame)
{
	const struct export_opts opts = { .wrapped = true };
	struct export_state progress = { 0 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(export_text.frame(frame, &opts, &progress, out), 0);
	fclose(out);
	return text;
}

TEST(test_text_wraps_at_blanks)
{
	struct rig *rig = *state;
	char *text;

	rig->frame.title = "a title of some words, of which one stands where "
			   "the line would end-here-in-the-midst of it";
	text = wrapped(&rig->frame);
	assert_non_null(strstr(text,
"\na title of some words, of which one stands where the line would\n"
"    end-here-in-the-midst of it\n"));
	free(text);
	rig->frame.title = "this one has a blank just where it has to be, in "
			   "the place of column eighty-one of it";
	text = wrapped(&rig->frame);
	assert_non_null(strstr(text, " of column eighty-one\n    of it\n"));
	free(text);
	/* to a file: a line */
	text = written(&export_text, &rig->frame);
	assert_non_null(strstr(text, " of column eighty-one of it\n"));
	free(text);
}

/* Whatever the length and bytes of untrusted texts. */
TEST(test_text_80_columns_sanitized)
{
	struct rig *rig = *state;
	char longest[400], *text, *line;

	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	longest[7] = '\x1b';
	rig->frame.title = longest;
	log_add(rig->log, 1700000000, LOG_OUTPUT, "%s", longest);
	text = wrapped(&rig->frame);
	line = text;
	for (char *p = text; *p; p++) {
		assert_true(*p == '\n' || (*p >= ' ' && *p < '\x7f'));
		if (*p != '\n')
			continue;
		assert_true(p - line <= 80);
		line = p + 1;
	}
	assert_non_null(strstr(text, "22:13:20 output"));
	assert_non_null(strstr(text, "xxxxxxx?xxx"));
	assert_non_null(strstr(text, "x\n    xxx"));
	free(text);
}

TEST(test_json_hot)
{
	struct rig *rig = *state;
	json_t *json;

	rig->frame.samples = &rig->samples;
	json = written_json(&rig->frame);
	check_json(json, "hot",
		   "[{\"symbol\":\"read\",\"dso\":\"/usr/lib/libc.so.6\","
		   "\"comm\":\"dd\",\"field\":null,\"share\":0.6,\"error\":0.0,"
		   "\"samples\":60},"
		   "{\"symbol\":\"std::vector<int>::push_back\","
		   "\"dso\":\"/tmp/a.out\",\"comm\":\"dd\",\"field\":null,"
		   "\"share\":0.3,\"error\":0.0,\"samples\":30},"
		   "{\"symbol\":\"read\",\"dso\":\"/usr/lib/libc.so.6\","
		   "\"comm\":\"cat\",\"field\":null,\"share\":0.1,\"error\":0.0,"
		   "\"samples\":10}]");
	json_decref(json);
}

/* What was decoded, and all reasons why some was not. */
/* Of one tracepoint its symbol is always the same: its field is shown. */
TEST(test_hot_by_field)
{
	struct rig *rig = *state;
	struct hot_cell cells[3] = { hot_cells[0], hot_cells[1],
				     hot_cells[2] };
	struct hot fields = *rig->samples.hot;
	char *text;

	cells[0].field = "read";
	cells[1].field = "write";
	cells[2].field = "read";
	fields.cells = cells;
	snprintf(fields.field, sizeof(fields.field),
		 "raw_syscalls:sys_enter.syscall");
	rig->samples.hot = &fields;
	rig->samples.group = 1u << HOT_FIELD;
	rig->frame.samples = &rig->samples;
	text = written_on(&export_text, &rig->frame, 20, &rig->state);
	assert_non_null(strstr(text, "SAMPLES COMM            SYSCALL\n"));
	assert_non_null(strstr(text, "     60 dd              read\n"));
	assert_non_null(strstr(text, "     30 dd              write\n"));
	assert_null(strstr(text, "SYMBOL"));
	free(text);
	text = written(&export_json, &rig->frame);
	assert_non_null(strstr(text, "\"comm\":\"dd\",\"field\":\"write\","));
	free(text);
	rig->samples.group = 0;
}

TEST(test_json_samples)
{
	struct rig *rig = *state;
	json_t *json;

	rig->samples.status = (struct samples_status){
		.decode_every = 8, .seen = 1000, .decoded = 100,
		.dropped = 30, .undecodable = 2, .side_band_lost = 5,
		.lag = 0.75,
	};
	rig->frame.samples = &rig->samples;
	json = written_json(&rig->frame);
	check_json(json, "self", "{\"cpu\":0.003,\"rss\":9437184,"
				 "\"decode_every\":8,\"own_records\":6,"
				 "\"samples\":{\"seen\":1000,\"decoded\":100,"
				 "\"dropped\":30,\"undecodable\":2,"
				 "\"side_band_lost\":5,\"lag\":0.75}}");
	json_decref(json);
}

TEST(test_text_samples)
{
	struct rig *rig = *state;
	char *text;

	rig->frame.samples = &rig->samples;
	rig->samples.status.seen = 12345;
	rig->samples.status.decoded = 9876;
	rig->samples.status.lag = 0.25;
	text = written(&export_text, &rig->frame);
	assert_non_null(strstr(text,
"total        516K  0.1%  63%     0     0      0     -    15      0     8\n"
"  CPU 3: grow to -m 512\n"
"samples: 12.3k seen, 9.88k decoded, 250ms behind\n"));
	free(text);
	/* problems are shown only if there were any */
	rig->samples.status.dropped = 1234;
	rig->samples.status.undecodable = 1;
	rig->samples.status.side_band_lost = 20;
	text = written(&export_text, &rig->frame);
	assert_non_null(strstr(text,
"\nsamples: 12.3k seen, 9.88k decoded, 1.23k dropped, 1 undecodable, "
"20 side-band lost, 250ms behind\n"));
	free(text);
}

/* Check the first @nr rows of all. */
static void check_hot_rows(struct rig *rig, size_t nr, size_t expected)
{
	char *text = written_on(&export_json, &rig->frame, nr, &rig->state);
	json_t *json = json_loads(text, 0, NULL);

	assert_non_null(json);
	assert_int_equal(json_array_size(json_object_get(json, "hot")),
			 expected);
	json_decref(json);
	free(text);
}

TEST(test_json_hot_rows)
{
	struct rig *rig = *state;

	rig->frame.samples = &rig->samples;
	check_hot_rows(rig, 0, 0);
	check_hot_rows(rig, 2, 2);
	check_hot_rows(rig, 20, 3);
}

TEST(test_text_hot)
{
	struct hot thinned = hot;
	struct rig *rig = *state;
	char *text;

	/* only if requested */
	rig->frame.samples = &rig->samples;
	text = written(&export_text, &rig->frame);
	assert_null(strstr(text, "read"));
	free(text);
	text = written_on(&export_text, &rig->frame, 2, &rig->state);
	assert_non_null(strstr(text,
"SELF% SAMPLES COMM            SYMBOL (FILE)\n"
"  60%      60 dd              read (libc.so.6)\n"
"  30%      30 dd              std::vector<int>::push_back (a.out)\n"));
	assert_null(strstr(text, "cat"));
	free(text);
	thinned.thinned = true;
	rig->samples.hot = &thinned;
	text = written_on(&export_text, &rig->frame, 1, &rig->state);
	/* 60 of 100, by Wilson: 1.8875 * sqrt(.6 * .4 / 100 + .98^2 / 1e4) */
	assert_non_null(strstr(text,
"SELF%    +- SAMPLES COMM            SYMBOL (FILE)\n"
"  60%  9.4%      60 dd              read (libc.so.6)\n"));
	free(text);
	rig->frame.samples = NULL;
	text = written_on(&export_text, &rig->frame, 1, &rig->state);
	assert_non_null(strstr(text, "\nno samples are decoded\n"));
	free(text);
	rig->rings[0].overwrite = true;
	text = written_on(&export_text, &rig->frame, 1, &rig->state);
	assert_non_null(strstr(text, "\nno samples are decoded: overwrite "
				     "rings are read on demand\n"));
	free(text);
}

/* C++ symbols may be very long, and comms may have wide characters. */
TEST(test_text_hot_80_columns)
{
	struct hot_symbol symbols[2] = { hot_symbols[0], hot_symbols[1] };
	struct hot_cell cells[3] = { hot_cells[0], hot_cells[1],
				     hot_cells[2] };
	char longest[3000];
	struct hot wide = hot;
	struct rig *rig = *state;
	char *text;

	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	symbols[0].name = longest;
	cells[0].comm = longest;
	wide.symbols = symbols;
	wide.cells = cells;
	wide.thinned = true;
	rig->samples.hot = &wide;
	rig->frame.samples = &rig->samples;
	text = written_on(&export_text, &rig->frame, 3, &rig->state);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		assert_true(strlen(line) <= 80);
	free(text);
}

static const struct feed_frame read_frames[] = {
	{ 0x7f00deadbeef,
	  { "read", "/usr/lib/libc.so.6", SYMBOL_USER, false, 0xf } },
	{ 0x401234, { "[unknown]", "/tmp/a.out", SYMBOL_USER, false, 0x1234 } },
	{ 0x401250, { "fn@0x1240", "/tmp/a.out", SYMBOL_USER, true, 0x10 } },
};

static const struct feed_sample read_sample = {
	.time = 12345678901999, .cpu = 3, .pid = 70, .tid = 77, .comm = "dd",
	.event = "cpu-clock", .weight = 1, .period = 250000,
	.fields = PERF_SAMPLE_IP, .frames = read_frames, .nr_frames = 1,
	.text = "", .values = "",
};

static void add_sample(struct rig *rig, const struct feed_sample *sample)
{
	assert_int_equal(feed_add(rig->feed, sample), 0);
}

static void check_script(struct rig *rig, const char *expected)
{
	char *text;

	rig->frame.samples = &rig->samples;
	text = written_on(&export_script, &rig->frame, 0, &rig->state);
	assert_string_equal(text, expected);
	free(text);
}

TEST(test_script_line)
{
	struct rig *rig = *state;
	struct feed_sample s = read_sample;

	rig->samples.name_width = strlen("cpu-clock");
	add_sample(rig, &s);
	s.time = 1000;
	s.cpu = 1234;
	s.tid = 1234567;
	s.event = "cs";
	s.comm = "a comm of its own";
	s.frames = &read_frames[1];
	add_sample(rig, &s);
	check_script(rig,
"              dd      77 [003] 12345.678901:     250000 cpu-clock: "
"     7f00deadbeef read+0xf (/usr/lib/libc.so.6)\n"
"a comm of its own 1234567 [1234]     0.000001:     250000        cs: "
"           401234 [unknown] (/tmp/a.out)\n");
	/* each but once */
	check_script(rig, "");
}

TEST(test_script_callchain)
{
	struct rig *rig = *state;
	struct feed_sample s = read_sample;

	rig->samples.name_width = strlen("cpu-clock");
	s.chain = true;
	s.nr_frames = 3;
	add_sample(rig, &s);
	/* what has no symbol has no name in perf either */
	check_script(rig,
"dd      77 [003] 12345.678901:     250000 cpu-clock: \n"
"\t    7f00deadbeef read+0xf (/usr/lib/libc.so.6)\n"
"\t          401234 [unknown] (/tmp/a.out)\n"
"\t          401250 [unknown] (/tmp/a.out)\n"
"\n");
}

TEST(test_script_tracepoint)
{
	struct rig *rig = *state;
	struct feed_sample s = read_sample;

	rig->samples.name_width = strlen("raw_syscalls:sys_enter");
	s.event = "raw_syscalls:sys_enter";
	s.fields |= PERF_SAMPLE_RAW;
	s.text = "NR 0 (3, 7f, 1, 0, 0, 0)";
	add_sample(rig, &s);
	s.text = "";
	add_sample(rig, &s);
	check_script(rig,
"              dd      77 [003] 12345.678901: raw_syscalls:sys_enter: "
"NR 0 (3, 7f, 1, 0, 0, 0)\n"
"              dd      77 [003] 12345.678901: raw_syscalls:sys_enter: \n");
}

TEST(test_script_long_names)
{
	static char event[6000], expected[7000];
	struct rig *rig = *state;
	struct feed_sample s = read_sample;

	memset(event, 'e', sizeof(event) - 1);
	s.event = event;
	rig->samples.name_width = sizeof(event) - 1;
	s.fields |= PERF_SAMPLE_RAW;
	s.text = "text";
	s.tid = -1;
	add_sample(rig, &s);
	snprintf(expected, sizeof(expected), "              dd      -1 [003] "
		 "12345.678901: %s: text\n", event);
	check_script(rig, expected);
}

/* Lines across the boundary of a write. */
TEST(test_script_many_lines)
{
	struct rig *rig = *state;
	struct feed_sample s = read_sample;
	char text[1100];

	s.fields |= PERF_SAMPLE_RAW;
	s.event = "sys:event";
	rig->samples.name_width = strlen(s.event);
	for (size_t len = 900; len < sizeof(text); len++) {
		char *lines, *line, *end;

		memset(text, 'x', len);
		text[len] = '\0';
		s.text = text;
		for (int i = 0; i < 4; i++)
			add_sample(rig, &s);
		rig->frame.samples = &rig->samples;
		lines = written_on(&export_script, &rig->frame, 0,
				   &rig->state);
		end = lines;
		for (int i = 0; i < 4; i++) {
			line = strsep(&end, "\n");
			assert_non_null(strstr(line, "dd      77 [003] "));
			assert_string_equal(strstr(line, ": xxx") + 2, text);
		}
		assert_string_equal(end, "");
		free(lines);
	}
}

/* The feed holds 4 samples, fewer than came. */
TEST(test_script_missing_samples)
{
	struct rig *rig = *state;
	struct feed_sample s = read_sample;
	char *text;

	for (int i = 0; i < 6; i++)
		add_sample(rig, &s);
	rig->frame.samples = &rig->samples;
	text = written_on(&export_script, &rig->frame, 0, &rig->state);
	assert_non_null(strstr(text, "(/usr/lib/libc.so.6)\n"
				     "# 2 samples not shown\n"));
	free(text);
	check_script(rig, "");
	feed_skip(rig->feed);
	check_script(rig, "# 1 samples not shown\n");
	rig->samples.status.dropped = 40;
	check_script(rig, "# 40 samples not shown\n");
	s.weight = 8;
	add_sample(rig, &s);
	text = written_on(&export_script, &rig->frame, 0, &rig->state);
	assert_non_null(strstr(text, "\n# 7 samples not shown\n"));
	free(text);
	assert_int_equal(rig->state.lacking[LACK_LAPPED], 2);
	assert_int_equal(rig->state.lacking[LACK_THINNED], 1 + 7);
	assert_int_equal(rig->state.lacking[LACK_SLOW], 40);
	assert_int_equal(rig->state.lacking[LACK_LATE], 0);
}

/* While the queue does not keep up, fewer samples are picked. */
TEST(test_script_missing_reasons)
{
	struct rig *rig = *state;
	struct feed_sample s = read_sample;

	rig->frame.samples = &rig->samples;
	rig->samples.status.late = 3;
	check_script(rig, "# 3 samples not shown\n");
	check_script(rig, "");
	rig->samples.status.crowded = 7;
	rig->samples.status.dropped = 40;
	s.weight = 8;
	add_sample(rig, &s);
	free(written_on(&export_script, &rig->frame, 0, &rig->state));
	assert_int_equal(rig->state.lacking[LACK_LATE], 3);
	assert_int_equal(rig->state.lacking[LACK_SLOW], 47);
	assert_int_equal(rig->state.lacking[LACK_THINNED], 0);
	assert_int_equal(rig->state.lacking[LACK_LAPPED], 0);
}

TEST(test_script_without_samples)
{
	struct rig *rig = *state;
	char *text;

	rig->frame.tick = 1;
	text = written(&export_script, &rig->frame);
	assert_string_equal(text, "# no samples are decoded\n");
	free(text);
	rig->rings[0].overwrite = true;
	text = written(&export_script, &rig->frame);
	assert_string_equal(text, "# no samples are decoded: overwrite "
				  "rings are read on demand\n");
	free(text);
	rig->frame.tick = 2;
	text = written(&export_script, &rig->frame);
	assert_string_equal(text, "");
	free(text);
}

TEST(test_full_disk)
{
	struct rig *rig = *state;
	FILE *full = fopen("/dev/full", "w");
	const struct export_format *format[] = {
		&export_text, &export_json, &export_script,
	};
	const struct export_opts opts = { .hot = 3 };

	if (!full)
		skip();
	rig->frame.samples = &rig->samples;
	add_sample(rig, &read_sample);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(format[i]->frame(&rig->frame, &opts,
						  &rig->state, full), -ENOSPC);
	fclose(full);
}

TEST_WITH(test_find, NULL, NULL)
{
	char names[256], *save = NULL;

	assert_ptr_equal(export_find("json"), &export_json);
	assert_ptr_equal(export_find("text"), &export_text);
	assert_ptr_equal(export_find("script"), &export_script);
	assert_null(export_find("xml"));
	assert_null(export_find(""));
	snprintf(names, sizeof(names), "%s", export_names());
	for (char *name = strtok_r(names, ", ", &save); name;
	     name = strtok_r(NULL, ", ", &save))
		assert_non_null(export_find(name));
}

TEST_GROUP(export, .each_setup = set_up, .each_teardown = tear_down);
