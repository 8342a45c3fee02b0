/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>

#include "ring/reading.h"
#include "tests/unit/export_rig.h"

/* AUX rings and snapshots. */

static void set_up_aux(struct rig *rig, int i, bool overwrite)
{
	struct ring_reads *reads = &rig->reads[i];

	rig->rings[i].aux = (struct ring_aux){
		.size = 4 << 20, .watermark = overwrite ? 0 : 1 << 20,
		.overwrite = overwrite,
		.head = (9 << 20) + 5, .tail = 9 << 20,
		.position = (1 << 20) + 5, .used = 5,
		.fill = overwrite ? NAN : 0.25,
		.bytes_per_s = 8192, .wraps = 2,
	};
	reads->aux = (struct ring_aux_reads){
		.stopped = overwrite,
		.peak = overwrite ? NAN : 0.5,
		.head_age = overwrite ? 1.5 : NAN,
		.read_cost = overwrite ? 3e-5 : NAN,
	};
	reads->stats.aux = (struct aux_stats){
		.records = 10, .bytes = 9 << 20, .truncated = 1,
		.overwrite = 2, .partial = 3, .collision = 4,
		.itrace_starts = 5, .hw_ids = 6, .reenabled = 7,
	};
}

static void check_aux(struct rig *rig, const struct field *fields, size_t nr)
{
	json_t *json = written_json(&rig->frame);
	const json_t *ring =
		json_array_get(json_object_get(json, "rings"), 0);

	check_fields(json_object_get(ring, "aux"), fields, nr);
	json_decref(json);
}

TEST(test_json_aux_full_trace)
{
	static const struct field expected[] = {
		{ "size", "4194304" }, { "watermark", "1048576" },
		{ "overwrite", "false" }, { "stopped", "false" },
		{ "head", "9437189" }, { "position", "1048581" },
		{ "head_age", "null" }, { "read_cost", "null" },
		{ "tail", "9437184" }, { "used", "5" }, { "fill", "0.25" },
		{ "peak", "0.5" }, { "bytes", "9437184" },
		{ "bytes_per_s", "8192.0" }, { "wraps", "2" },
		{ "records", "10" }, { "truncated", "1" },
		{ "overwritten", "2" }, { "partial", "3" },
		{ "collision", "4" }, { "itrace_starts", "5" },
		{ "hw_ids", "6" }, { "reenabled", "7" },
	};
	struct rig *rig = *state;

	set_up_aux(rig, 0, false);
	check_aux(rig, expected, sizeof(expected) / sizeof(*expected));
}

TEST(test_json_aux_snapshot_mode)
{
	static const struct field expected[] = {
		{ "size", "4194304" }, { "watermark", "null" },
		{ "overwrite", "true" }, { "stopped", "true" },
		{ "head", "9437189" }, { "position", "1048581" },
		{ "head_age", "1.5" }, { "read_cost", "3e-5" },
		{ "tail", "null" }, { "used", "null" }, { "fill", "null" },
		{ "peak", "null" }, { "bytes", "null" },
		{ "bytes_per_s", "8192.0" }, { "wraps", "null" },
		{ "records", "10" }, { "truncated", "1" },
		{ "overwritten", "2" }, { "partial", "3" },
		{ "collision", "4" }, { "itrace_starts", "5" },
		{ "hw_ids", "6" }, { "reenabled", "7" },
	};
	struct rig *rig = *state;
	json_t *json;

	set_up_aux(rig, 0, true);
	check_aux(rig, expected, sizeof(expected) / sizeof(*expected));
	/* tracing never stopped: the head is unknown */
	rig->reads[0].aux.head_age = NAN;
	json = written_json(&rig->frame);
	check_json(json_object_get(json_array_get(json_object_get(json,
								  "rings"),
						  0), "aux"),
		   "head", "null");
	json_decref(json);
}

TEST(test_json_aux_total)
{
	static const struct field expected[] = {
		{ "rings", "2" }, { "size", "8388608" },
		{ "bytes_per_s", "null" }, { "wraps", "3" },
		{ "records", "10" }, { "truncated", "1" },
		{ "overwritten", "2" }, { "partial", "3" },
		{ "collision", "4" }, { "itrace_starts", "5" },
		{ "hw_ids", "6" }, { "reenabled", "7" },
	};
	struct rig *rig = *state;
	json_t *json;

	set_up_aux(rig, 0, true);
	rig->frame.total.aux_rings = 2;
	rig->frame.total.row.aux = (struct ring_aux){
		.size = 8 << 20, .bytes_per_s = NAN, .wraps = 3,
	};
	rig->reads[2].stats.aux = rig->reads[0].stats.aux;
	json = written_json(&rig->frame);
	CHECK_FIELDS(json_object_get(json_object_get(json, "total"), "aux"),
		     expected);
	json_decref(json);
}

/* Details are those of the last snapshot. */
TEST(test_json_snapshots)
{
	static struct snapshots s = {
		.nr = 2, .taken = 5, .failed = 1, .removed = 2,
		.cancelled = 3, .requests = 16, .merged = 4, .queued = 2,
		.dir = "/var/tmp", .keep = 3, .every = 10, .armed = "lost",
		.fired = 4, .cooldown_left = 2.5, .history_used = 1000,
		.history_limit = 16777216, .history_seconds = 1.5,
		.history_processes = 77,
		.list = {
			{ .number = 4 },
			{ .number = 5, .time = 1700000000.5, .rings = 4,
			  .aux_rings = 3, .which = "CPU 0-3",
			  .trigger = "lost: 12 records on ring 3",
			  .bytes = 16777216, .file_bytes = 16800000,
			  .file = "rbtop-20231114-221320-005.data",
			  .stopped = 0.002, .spread = 1e-5,
			  .requests = 3, .wait = 0.25, .took = 0.5,
			  .reach = NAN, .short_rings = 2,
			  .state = SNAPSHOT_DONE },
		},
	};
	static const struct field expected[] = {
		{ "taken", "5" }, { "failed", "1" }, { "cancelled", "3" },
		{ "removed", "2" }, { "requests", "16" }, { "merged", "4" },
		{ "queued", "2" },
		{ "dir", "\"/var/tmp\"" }, { "keep", "3" },
		{ "every", "10.0" }, { "armed", "\"lost\"" },
		{ "fired", "4" }, { "cooldown_left", "2.5" },
		{ "history", "{\"used\":1000,\"limit\":16777216,"
			     "\"seconds\":1.5,\"processes\":77,"
			     "\"tasks_used\":0,\"tasks_limit\":0}" },
		{ "recording", "null" },
		{ "last", "{\"number\":5,\"requests\":3,"
			  "\"time\":1700000000.5,"
			  "\"trigger\":\"lost: 12 records on ring 3\","
			  "\"state\":\"done\",\"rings\":4,"
			  "\"aux_rings\":3,\"which\":\"CPU 0-3\","
			  "\"bytes\":16777216,"
			  "\"file\":\"rbtop-20231114-221320-005.data\","
			  "\"file_bytes\":16800000,\"stopped\":0.002,"
			  "\"spread\":1e-5,\"wait\":0.25,"
			  "\"took\":0.5,\"reach\":null,"
			  "\"short_rings\":2,\"error\":null}" },
	};
	struct rig *rig = *state;
	json_t *json;

	rig->frame.snapshots = &s;
	json = written_json(&rig->frame);
	CHECK_FIELDS(json_object_get(json, "snapshots"), expected);
	json_decref(json);
}

TEST(test_json_no_snapshot_yet)
{
	static struct snapshots s = {
		.recording = true, .record_file = "a.data",
		.record_since = 1700000000, .record_bytes = 4096,
		.record_missed = 8, .record_error = "disk full",
	};
	static const struct field expected[] = {
		{ "taken", "0" }, { "failed", "0" }, { "cancelled", "0" },
		{ "removed", "0" }, { "requests", "0" }, { "merged", "0" },
		{ "queued", "0" },
		{ "dir", "\"\"" }, { "keep", "null" }, { "every", "null" },
		{ "armed", "null" }, { "fired", "0" },
		{ "cooldown_left", "0.0" },
		{ "history", "{\"used\":0,\"limit\":0,\"seconds\":0.0,"
			     "\"processes\":0,"
			     "\"tasks_used\":0,\"tasks_limit\":0}" },
		{ "recording", "{\"running\":true,\"file\":\"a.data\","
			       "\"since\":1700000000.0,\"bytes\":4096,"
			       "\"missed\":8,\"error\":\"disk full\"}" },
		{ "last", "null" },
	};
	struct rig *rig = *state;
	json_t *json;

	rig->frame.snapshots = &s;
	json = written_json(&rig->frame);
	CHECK_FIELDS(json_object_get(json, "snapshots"), expected);
	json_decref(json);
}

TEST(test_text_aux)
{
	struct rig *rig = *state;
	char *text;

	set_up_aux(rig, 0, false);
	set_up_aux(rig, 1, true);
	rig->frame.total.aux_rings = 2;
	text = written(&export_text, &rig->frame);
	assert_non_null(strstr(text,
"\nRING          AUX AUXHEAD AUXAGE  AUX% AUXPEAK AUX/S WRAPS TRUNC PARTIAL  COLL\n"
"CPU 3          4M      1M      -   25%     50%    8K     2     1       3     4\n"
"tid 42         4M      1M   1.5s     -       -    8K    2+     1       3     4\n"));
	free(text);
}

TEST_GROUP(export_trace, .each_setup = set_up, .each_teardown = tear_down);
