/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>

#include "tests/unit/export_rig.h"
#include "tests/unit/export_host_rig.h"

/* A ring of the JSON object. */
static json_t *ring(const json_t *json, size_t i)
{
	return json_array_get(json_object_get(json, "rings"), i);
}

TEST(test_json_ring)
{
	static const struct field expected[] = {
		{ "ring", "1" }, { "kind", "\"perf\"" }, { "cpu", "3" },
		{ "tid", "null" },
		{ "owner", "{\"pid\":4242,\"comm\":\"pe?rf\"}" },
		{ "uid", "1000" }, { "user", "\"ann\"" }, { "self", "false" },
		{ "cmdline", "\"perf record -m \\\"16\\\"\"" },
		{ "holders",
		  "[{\"pid\":4242,\"comm\":\"perf\",\"maps\":true},"
		  "{\"pid\":4243,\"comm\":\"sh\",\"maps\":false}]" },
		{ "nr_holders", "2" }, { "programs", "[]" },
		{ "event", "\"sched:sched_switch +1\"" },
		{ "events",
		  "[{\"name\":\"sched:sched_switch\",\"id\":71,\"cpu\":3,"
		  "\"tid\":null,\"state\":\"active\",\"throttled\":false,"
		  "\"maps\":true,\"freq\":null,\"period\":1,\"count\":1000,"
		  "\"samples\":null,\"lost\":12,\"lost_per_s\":1.5},"
		  "{\"name\":\"cycles\\\"\\\\?\",\"id\":72,\"cpu\":null,"
		  "\"tid\":99,\"state\":\"off\",\"throttled\":true,"
		  "\"maps\":false,\"freq\":4000,\"period\":null,\"count\":5,"
		  "\"samples\":null,\"lost\":null,\"lost_per_s\":0.0}]" },
		{ "map", "\"events\"" }, { "map_id", "9" },
		{ "mapped", "true" }, { "known", "true" }, { "gone", "false" },
		{ "at_least", "false" },
		{ "overwrite", "false" }, { "paused", "true" },
		{ "woken", "true" }, { "stopped", "false" },
		{ "warnings", "[\"pending\",\"paused\",\"mlock\"]" },
		{ "size", "65536" }, { "watermark", "32768" },
		{ "wakeup_events", "null" }, { "head", "70000" },
		{ "tail", "68000" }, { "used", "2000" }, { "fill", "0.03" },
		{ "peak", "0.75" }, { "next_crossing", "98304" },
		{ "bytes", "60000" }, { "bytes_per_s", "123.5" },
		{ "crossings", "2" }, { "wakeups", "4" },
		{ "wakeups_per_s", "0.25" }, { "drains", "3" },
		{ "drains_per_s", "0.5" }, { "undrained", "7.5" }, { "run_wait", "0.75" },
		{ "run_share", "0.125" },
		{ "output_wait", "0.625" },
		{ "worst_gap", "8.25" }, { "lost", "12" },
		{ "lost_reported", "10" }, { "lost_pending", "2" },
		{ "lost_per_s", "1.5" }, { "remapped", "1" },
		{ "locked", "77824" }, { "records", "null" },
		{ "records_per_s", "null" }, { "samples", "null" },
		{ "timer_drains", "null" }, { "wakeup_latency_p50", "null" },
		{ "wakeup_latency_p99", "null" }, { "throttled", "null" },
		{ "types", "null" },
		{ "aux", "{\"size\":4096,\"position\":808,"
			 "\"overwrite\":false,\"stopped\":null,"
			 "\"head\":9000,\"tail\":8500,"
			 "\"head_age\":null,\"read_cost\":null,"
			 "\"used\":500,\"fill\":0.12,\"peak\":null,"
			 "\"bytes\":null,\"bytes_per_s\":10.0,"
			 "\"wraps\":2,"
			 "\"truncated\":null,\"overwritten\":null,"
			 "\"partial\":null,\"collision\":null,"
			 "\"itrace_starts\":null,\"hw_ids\":null,"
			 "\"reenabled\":null,\"records\":null,"
			 "\"watermark\":2048}" },
		{ "advice", "{\"text\":\"grow to 512 pages\",\"pages\":512,"
		  "\"setting\":\"-m 512\",\"command\":null,"
		  "\"burst_bytes_per_s\":2.5,\"worst_gap\":0.21}" },
	};
	struct host_rig *rig = *state;
	json_t *json = written_json(&rig->frame);

	assert_int_equal(json_array_size(json_object_get(json, "rings")), 4);
	CHECK_FIGURES(ring(json, 0), false, expected);
	json_decref(json);
}

/* Rings have the same fields as those of a session. */
TEST(test_json_same_fields_as_session)
{
	struct host_rig *rig = *state;
	struct ring_reads reads = { .nr_pids = 0 };
	struct ring_row own = {
		.label = "CPU 0", .cpu = 0, .tid = -1, .pid = -1,
		.size = 4096, .aux = { .size = 4096 }, .reads = &reads,
	};
	struct frame session = {
		.source = "session", .title = "", .notice = "",
		.rings = &own, .nr_rings = 1,
		.total = { .row = { .pid = -1, .reads = &reads } },
	};
	json_t *host = written_json(&rig->frame);
	json_t *json = written_json(&session);
	const char *key;
	json_t *value;

	json_object_foreach(ring(json, 0), key, value)
		if (!json_object_get(ring(host, 0), key))
			fail_msg("no \"%s\"", key);
	json_object_foreach(json_object_get(ring(json, 0), "aux"), key, value)
		if (!json_object_get(json_object_get(ring(host, 0), "aux"),
				     key))
			fail_msg("no aux \"%s\"", key);
	assert_int_equal(json_object_size(ring(json, 0)),
			 json_object_size(ring(host, 0)));
	json_object_foreach(json_object_get(json, "total"), key, value)
		if (!json_object_get(json_object_get(host, "total"), key))
			fail_msg("no total \"%s\"", key);
	json_object_foreach(json, key, value)
		if (!json_object_get(host, key))
			fail_msg("no \"%s\"", key);
	json_decref(host);
	json_decref(json);
}

TEST(test_json_ringbuf)
{
	static const struct field expected[] = {
		{ "kind", "\"bpf\"" }, { "map", "\"rb\"" }, { "map_id", "12" },
		{ "nr_holders", "9" }, { "events", "[]" }, { "uid", "0" },
		{ "programs", "[{\"id\":5,\"name\":\"feed\","
			      "\"runs\":30,\"run_ns\":4000},"
			      "{\"id\":6,\"name\":\"feed_?\","
			      "\"runs\":null,\"run_ns\":null}]" },
		{ "lost", "null" }, { "lost_pending", "null" },
		{ "lost_reported", "null" }, { "lost_per_s", "null" },
		{ "wakeups", "null" }, { "aux", "null" }, { "advice", "null" },
		{ "warnings", "[]" },
	};
	struct host_rig *rig = *state;
	json_t *json = written_json(&rig->frame);

	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		check_json(ring(json, 1), expected[i].key, expected[i].value);
	/* more than can be named */
	assert_int_equal(json_array_size(json_object_get(ring(json, 1),
							 "holders")),
			 RING_HOLDERS);
	check_json(ring(json, 2), "gone", "true");
	check_json(ring(json, 2), "at_least", "true");
	json_decref(json);
}

/* --ringbuf-drops */
TEST(test_ringbuf_drops)
{
	struct host_rig *rig = *state;
	struct ring_row *row = &rig->rows[1];
	json_t *json;
	char *text;

	row->lost = 30;
	row->lost_bytes = 1440;
	row->lost_per_s = 2.5;
	row->last_seen = 108;
	row->lost_from = 100;
	json = written_json(&rig->frame);
	check_json(ring(json, 1), "lost", "30");
	check_json(ring(json, 1), "lost_bytes", "1440");
	check_json(ring(json, 1), "lost_per_s", "2.5");
	check_json(ring(json, 1), "lost_counted", "8.0");
	check_json(ring(json, 1), "lost_reported", "null");
	check_json(ring(json, 0), "lost_counted", "null");
	json_decref(json);
	text = written(&export_openmetrics, &rig->frame);
	assert_non_null(strstr(text, "\nrbtop_host_ring_lost_bytes_total{ring=\"2\""));
	assert_non_null(strstr(text, "} 1440\n"));
	assert_non_null(strstr(text, "\nrbtop_host_ring_lost_counted_seconds{"));
	free(text);
	text = written(&export_csv, &rig->frame);
	assert_non_null(strstr(text, ",lost_bytes,lost_counted,"));
	assert_non_null(strstr(text, ",1440,8,"));
	free(text);
}

TEST(test_json_unknown_is_null)
{
	static const char *const nulls[] = {
		"owner", "uid", "user", "map", "map_id", "overwrite", "paused",
		"woken", "watermark", "head", "tail", "used", "fill", "peak",
		"bytes", "bytes_per_s", "crossings", "wakeups", "drains",
		"undrained", "worst_gap", "lost", "lost_pending",
		"lost_reported", "lost_per_s", "remapped", "lost_bytes",
		"lost_counted", "cmdline",
	};
	struct host_rig *rig = *state;
	json_t *json = written_json(&rig->frame);
	const json_t *unknown = ring(json, 3);

	for (size_t i = 0; i < sizeof(nulls) / sizeof(*nulls); i++)
		check_json(unknown, nulls[i], "null");
	check_json(unknown, "known", "false");
	check_json(unknown, "size", "16384");
	check_json(unknown, "locked", "20480");
	check_json(json_object_get(unknown, "aux"), "size", "4096");
	check_json(json_object_get(unknown, "aux"), "head", "null");
	check_json(json_object_get(unknown, "aux"), "fill", "null");
	json_decref(json);
}

TEST(test_json_frame)
{
	static const struct field total[] = {
		{ "rings", "2" }, { "ringbufs", "1" },
		{ "ftrace_buffers", "0" }, { "packet_rings", "0" },
		{ "io_urings", "0" },
		{ "uncounted", "1" }, { "owners", "2" },
		{ "size", "100000" }, { "locked", "98304" },
		{ "used", "2000" }, { "lost", "12" }, { "lost_pending", "2" },
		{ "bytes", "64000" }, { "wakeups", "4" }, { "drains", "3" },
		{ "at_least", "true" },
		{ "lost_reported", "10" }, { "fill", "0.02" },
		{ "crossings", "null" }, { "drains_per_s", "0.5" },
		{ "aux", "null" }, { "advice", "null" },
		{ "bytes_per_s", "123.5" }, { "wakeups_per_s", "0.25" },
		{ "lost_per_s", "1.5" }, { "peak", "0.75" }, { "warned", "1" },
		{ "warnings", "[\"pending\",\"paused\"]" },
		{ "records", "null" }, { "records_per_s", "null" },
		{ "samples", "null" }, { "timer_drains", "null" },
		{ "wakeup_latency_p50", "null" },
		{ "wakeup_latency_p99", "null" }, { "throttled", "null" },
		{ "types", "null" },
	};
	struct host_rig *rig = *state;
	json_t *json = written_json(&rig->frame);

	check_json(json, "version", "2");
	check_json(json, "source", "\"host\"");
	CHECK_FIGURES(json_object_get(json, "total"), true, total);
	check_json(json, "users",
		   "[{\"uid\":1000,\"name\":\"ann\",\"rings\":3,"
		   "\"locked\":2113536,\"limit\":2113536,\"pinned\":4096,"
		   "\"memlock\":null,\"exempt\":false,\"at_limit\":true}]");
	check_json(json, "host",
		   "{\"ready\":true,\"bpf\":true,\"reason\":null,"
		   "\"error\":null,\"uncounted\":null,\"passes\":17,\"interval\":0.1,"
		   "\"cost\":0.0005,\"whole_age\":0.5,\"files\":40,"
		   "\"ringless\":38,\"processes\":3,\"hidden\":0,"
		   "\"self\":31}");
	json_decref(json);
}

/* If no ring counts losses, the total is unknown, not 0. */
TEST(test_ringbufs_only)
{
	static const char *const nulls[] = {
		"lost", "lost_pending", "lost_reported", "lost_per_s",
		"wakeups", "wakeups_per_s",
	};
	struct host_rig *rig = *state;
	struct ring_total *total = &rig->host.total;
	struct ring_row *sum = &total->row;
	json_t *json;
	char *text;

	sum->lost = sum->lost_reported = sum->lost_pending = 0;
	text = written(&export_text, &rig->frame);
	assert_non_null(strstr(text, "\nlost 0+?, "));
	free(text);
	total->nr[RING_PERF] = 0;
	sum->lost = sum->lost_reported = sum->lost_pending = UNKNOWN;
	sum->wakeups = UNKNOWN;
	sum->lost_per_s = sum->wakeups_per_s = NAN;
	json = written_json(&rig->frame);
	for (size_t i = 0; i < sizeof(nulls) / sizeof(*nulls); i++)
		check_json(json_object_get(json, "total"), nulls[i], "null");
	json_decref(json);
	text = written(&export_text, &rig->frame);
	assert_non_null(strstr(text, "\nlost -, "));
	free(text);
}

TEST(test_json_without_bpf)
{
	static const char *const nulls[] = {
		"used", "fill", "lost", "lost_pending", "lost_reported",
		"bytes_per_s", "wakeups_per_s", "lost_per_s",
	};
	struct host_rig *rig = *state;
	json_t *json;

	rig->host.status.bpf = false;
	host_limit_total(&rig->host);
	strcpy(rig->host.status.reason, "no BTF");
	json = written_json(&rig->frame);
	for (size_t i = 0; i < sizeof(nulls) / sizeof(*nulls); i++)
		check_json(json_object_get(json, "total"), nulls[i], "null");
	check_json(json_object_get(json, "total"), "size", "100000");
	check_json(json_object_get(json, "host"), "reason", "\"no BTF\"");
	json_decref(json);
}

/* Linux before 6.0: pending losses are known, their total is not. */
TEST(test_json_uncounted_losses)
{
	struct host_rig *rig = *state;
	json_t *json, *total;

	rig->host.total.row.lost = UNKNOWN;
	rig->host.total.row.lost_reported = UNKNOWN;
	rig->host.total.row.lost_pending = 10;
	rig->host.total.row.lost_per_s = NAN;
	json = written_json(&rig->frame);
	total = json_object_get(json, "total");
	check_json(total, "lost", "null");
	check_json(total, "lost_reported", "null");
	check_json(total, "lost_per_s", "null");
	check_json(total, "lost_pending", "10");
	check_json(total, "used", "2000");
	json_decref(json);
}

static void no_ring_seen(struct host_rig *rig)
{
	rig->host.nr_rows = rig->host.nr_users = 0;
	rig->host.total = (struct ring_total){ 0 };
}

/* If no process may be read, "no ring" is not reported as 0. */
TEST(test_json_hidden)
{
	static const char *const nulls[] = {
		"rings", "ringbufs", "ftrace_buffers", "owners", "size",
		"locked", "warned",
		"used", "lost", "lost_pending", "lost_reported",
	};
	struct host_rig *rig = *state;
	json_t *json, *status;

	no_ring_seen(rig);
	rig->host.status.hidden = 39;
	rig->host.status.bpf = false;
	host_limit_total(&rig->host);
	json = written_json(&rig->frame);
	for (size_t i = 0; i < sizeof(nulls) / sizeof(*nulls); i++)
		check_json(json_object_get(json, "total"), nulls[i], "null");
	status = json_object_get(json, "host");
	check_json(status, "hidden", "39");
	check_json(status, "files", "null");
	check_json(status, "processes", "null");
	check_json(status, "ringless", "null");
	json_decref(json);
}

/* If some rings are seen, these are counted. */
TEST(test_json_partly_hidden)
{
	struct host_rig *rig = *state;
	json_t *json;

	rig->host.status.hidden = 39;
	json = written_json(&rig->frame);
	check_json(json_object_get(json, "total"), "rings", "2");
	check_json(json_object_get(json, "total"), "size", "100000");
	check_json(json_object_get(json, "host"), "files", "40");
	json_decref(json);
}

/* All processes could be read, and there is no ring. */
TEST(test_json_no_ring)
{
	struct host_rig *rig = *state;
	json_t *json;

	no_ring_seen(rig);
	json = written_json(&rig->frame);
	check_json(json_object_get(json, "total"), "rings", "0");
	check_json(json_object_get(json, "total"), "lost_reported", "0");
	json_decref(json);
	/* or the pass failed */
	strcpy(rig->host.status.error, "out of memory");
	host_limit_total(&rig->host);
	json = written_json(&rig->frame);
	check_json(json_object_get(json, "total"), "rings", "null");
	check_json(json_object_get(json, "total"), "lost_reported", "null");
	json_decref(json);
}

/* The screen of a session shows Host too, but exports are of its own rings. */
TEST(test_own_rings_first)
{
	struct host_rig *rig = *state;
	struct ring_reads reads = { .nr_pids = 0 };
	struct ring_row own = {
		.label = "CPU 0", .cpu = 0, .tid = -1, .pid = -1,
		.reads = &reads,
	};
	json_t *json;

	rig->frame.rings = &own;
	rig->frame.total.row.reads = &reads;
	rig->frame.nr_rings = 1;
	json = written_json(&rig->frame);
	assert_int_equal(json_array_size(json_object_get(json, "rings")), 1);
	check_json(json, "host", "null");
	json_decref(json);
}

TEST(test_csv)
{
	struct host_rig *rig = *state;
	char *text = written(&export_csv, &rig->frame);

	assert_string_equal(csv_field(text, 1, "ring"), "1");
	assert_string_equal(csv_field(text, 1, "worst_gap"), "8.25");
	assert_string_equal(csv_field(text, 1, "samples"), "");
	assert_string_equal(csv_field(text, 2, "kind"), "bpf");
	assert_string_equal(csv_field(text, 2, "lost"), "");
	assert_string_equal(csv_field(text, 3, "gone"), "1");
	assert_string_equal(csv_field(text, 4, "used"), "");
	assert_string_equal(csv_field(text, 4, "size"), "16384");
	free(text);
}

TEST(test_text)
{
	struct host_rig *rig = *state;
	char *text = written(&export_text, &rig->frame);

	assert_string_equal(text,
"2023-11-14 22:13:20  tick 500ms  rbtop 0.3% CPU 9M\n"
"all rings of the machine\n"
"lost >12+?, perf rings 2, BPF ring buffers 1, owners 2, size 97.7K, pinned "
"96K\n"
"polled every 100ms (500us of CPU)\n"
"  OWNER            PID RING      EVENT        SIZE FILL%  PEAK   B/S  LOST  PEND\n"
"! pe?rf           4242 CPU 3     sched:sche+   64K  3.0%  >75%  124B    12     2\n"
"  agent             50 -         rb             4K    0%    0%     0     -     -\n"
"x gone              60 tid 7     dummy          8K  100%  100%     0    >5     0\n"
"  -                  - -         -             16K     -     -     -     -     -\n"
"  ! CPU 3 sched:sched_switch +1 of pe?rf (4242): 2 records lost, not yet "
"reported to the owner\n"
"  ! CPU 3 sched:sched_switch +1 of pe?rf (4242): output is paused "
"(PERF_EVENT_IOC_PAUSE_OUTPUT): new records are lost\n"
"  ! user ann is at the mlock limit: 2M pinned of 2M\n"
"  CPU 3 of pe?rf (4242): grow to 512 pages\n");
	free(text);
}

TEST(test_text_no_bpf_reason)
{
	struct host_rig *rig = *state;
	char *text;

	rig->host.status.bpf = false;
	host_limit_total(&rig->host);
	strcpy(rig->host.status.reason, "CAP_BPF is missing\x1b[m");
	strcpy(rig->host.status.error, "3 processes hidden");
	text = written(&export_text, &rig->frame);
	assert_non_null(strstr(text, "\nonly sizes and owners: CAP_BPF is "
				     "missing?[m\n3 processes hidden\n"));
	free(text);
	rig->host.status.ready = false;
	text = written(&export_text, &rig->frame);
	assert_non_null(strstr(text, "\nnot polled yet\n"));
	free(text);
}

TEST(test_text_hidden)
{
	struct host_rig *rig = *state;
	char *text;

	no_ring_seen(rig);
	rig->host.status.hidden = 39;
	rig->host.status.bpf = false;
	host_limit_total(&rig->host);
	strcpy(rig->host.status.reason, "no BTF");
	strcpy(rig->host.status.error, "of 39 processes");
	text = written(&export_text, &rig->frame);
	assert_non_null(strstr(text, "\nno rings in the processes that rbtop "
				     "may inspect\nonly sizes and owners: "
				     "no BTF\nof 39 processes\n"));
	assert_null(strstr(text, "perf rings"));
	free(text);
}

/* Only some warnings are listed; the others are counted. */
/* As on the screen, and as the totals count. */
TEST(test_text_dummies)
{
	struct host_rig *rig = *state;
	char *text;

	rig->rows[1].dummies = rig->rows[0].dummies = true;
	text = written(&export_text, &rig->frame);
	assert_null(strstr(text, "\n  agent "));
	assert_non_null(strstr(text, "\n! pe?rf "));
	assert_non_null(strstr(text, "\n  and 1 with only dummy events, "
				     "counted only as pinned\n"));
	free(text);
}

TEST(test_text_warnings_bounded)
{
	struct host_rig *rig = *state;
	struct ring_row rows[10];
	char *text;

	for (size_t i = 0; i < 10; i++) {
		rows[i] = rig->rows[0];
		rows[i].pid += (pid_t)i;
		rows[i].warnings = 1u << RING_WARN_PENDING |
				   1u << RING_WARN_PAUSED;
	}
	rig->host.rows = rows;
	rig->host.nr_rows = 10;
	text = written(&export_text, &rig->frame);
	assert_non_null(strstr(text, "\n  ! and 4 more\n"));
	assert_non_null(strstr(text, ": grow to 512 pages\n"
			       "  and advice on 2 more rings\n"));
	free(text);
}

/* Rings with the same advice have one line; the command is one for copying. */
TEST(test_text_advice_once)
{
	const struct export_opts wrapped = { .wrapped = true };
	struct host_rig *rig = *state;
	struct export_state progress = { 0 };
	struct ring_row rows[3];
	char *text = NULL, command[120] = "perf record -m 512 ";
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	memset(command + strlen(command), 'x', 90);
	for (size_t i = 0; i < 3; i++)
		rows[i] = rig->rows[0];
	rows[0].advice.command = command;
	strcpy(rows[2].advice.text, "grow to 1024 pages");
	rows[2].advice.pages = 1024;
	rig->host.rows = rows;
	rig->host.nr_rows = 3;
	assert_int_equal(export_text.frame(&rig->frame, &wrapped, &progress,
					   out), 0);
	fclose(out);
	assert_non_null(strstr(text, " and 1 other ring of "));
	assert_non_null(strstr(text, ": grow to 512 pages\n  run: "));
	assert_non_null(strstr(text, command));
	assert_non_null(strstr(text, ": grow to 1024 pages\n"));
	assert_null(strstr(strstr(text, "grow to 512") + 1, "grow to 512"));
	free(text);
}

/* Whatever the width of names; and a new file begins at its first line. */
TEST(test_text_80_columns)
{
	const struct export_opts alone = { .alone = true, .wrapped = true };
	struct export_state progress = { 0 };
	struct host_rig *rig = *state;
	char *text = NULL, *line;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	rig->frame.tick = 2;
	rig->rows[0].pid = 4194304;
	memset(rig->rows[0].comm, 'w', sizeof(rig->rows[0].comm) - 1);
	memset(rig->rows[0].label, 'l', sizeof(rig->rows[0].label) - 1);
	memset(rig->rows[0].event, 'e', sizeof(rig->rows[0].event) - 1);
	assert_int_equal(export_text.frame(&rig->frame, &alone, &progress,
					   out), 0);
	fclose(out);
	assert_int_equal(text[0], '2');
	line = text;
	for (char *p = text; *p; p++) {
		if (*p != '\n')
			continue;
		assert_true(p - line <= 80);
		line = p + 1;
	}
	free(text);
}

TEST(test_full_device)
{
	const struct export_opts opts = { 0 };
	struct export_state progress = { 0 };
	struct host_rig *rig = *state;
	FILE *out = fopen("/dev/full", "w");

	assert_non_null(out);
	assert_int_equal(export_text.frame(&rig->frame, &opts, &progress, out),
			 -ENOSPC);
	fclose(out);
}

TEST_GROUP(export_host, .each_setup = set_up_host);
