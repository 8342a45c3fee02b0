/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A frame to export, and checks of the output.  Include after cmocka.h. */
#ifndef RBTOP_TESTS_EXPORT_RIG_H
#define RBTOP_TESTS_EXPORT_RIG_H

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/export.h"
#include "ring/figures.h"
#include "samples/feed.h"
#include "samples/hot_table.h"
#include "samples/samples.h"

/* A frame of two rings; of one of them, all that can be unknown is. */
struct rig {
	struct frame frame;
	struct ring_row rings[2];
	struct ring_reads reads[3];	/* of the rings and of the total */
	struct ring_event events[2];
	struct log *log;
	struct samples samples;
	struct feed *feed;
	struct export_state state;
};

/* 100 samples: 60 and 10 in read() by two tasks, 30 in a C++ function. */
static struct hot_symbol hot_symbols[] = {
	{ "read", "/usr/lib/libc.so.6", SYMBOL_USER },
	{ "std::vector<int>::push_back", "/tmp/a.out", SYMBOL_USER },
};

static struct hot_node hot_nodes[] = {
	{ .parent = HOT_NONE, .symbol = 0 },
	{ .parent = HOT_NONE, .symbol = 1 },
};

static const char *hot_events[] = { "cpu-clock" };

static char dd[] = "dd", cat[] = "cat";

static struct hot_cell hot_cells[] = {
	{ .node = 0, .comm = dd, .field = "",
	  .total = { .sum = 60, .squares = 60 } },
	{ .node = 1, .comm = dd, .field = "",
	  .total = { .sum = 30, .squares = 30 } },
	{ .node = 0, .comm = cat, .field = "",
	  .total = { .sum = 10, .squares = 10 } },
};

static struct hot hot = {
	.symbols = hot_symbols, .nr_symbols = 2,
	.nodes = hot_nodes, .nr_nodes = 2,
	.cells = hot_cells, .nr_cells = 3,
	.events = hot_events, .nr_events = 1,
	.total = { .sum = 100, .squares = 100 },
};

static inline void set_up_known(struct rig *rig)
{
	struct ring_row *r = &rig->rings[0];

	*r = (struct ring_row){
		.label = "CPU 3", .cpu = 3, .tid = -1, .pid = 77,
		.comm = "dd", .size = 524288, .watermark = 262144,
		.head = 1000, .tail = 360, .used = 640, .fill = 0.41,
		.peak = 0.63, .next_crossing = 262144, .bytes = 360,
		.bytes_per_s = 36.5, .crossings = 2, .wakeups = 3,
		.wakeups_per_s = 0.5, .drains = 5, .drains_per_s = 2.5,
		.lost = 15, .lost_reported = 7, .lost_pending = 8,
		.lost_per_s = 9, .events = rig->events, .nr_events = 2,
		.reads = &rig->reads[0],
	};
	ring_row_own(r);
	rig->reads[0] = (struct ring_reads){
		.stats = { .records = 13, .timer_drains = 4 },
		.records_per_s = 1.5, .latency_p50 = 12e-6,
		.latency_p99 = 0.25,
	};
	rig->reads[0].stats.types[RECORD_SAMPLE] = 10;
	rig->reads[0].stats.types[RECORD_LOST] = 2;
	rig->reads[0].stats.types[RECORD_THROTTLE] = 1;
	rig->events[0] = (struct ring_event){
		.name = "dummy", .side_band = true, .count = 0, .lost = 1,
		.lost_per_s = 0.5, .cpu = 3, .tid = -1,
	};
	rig->events[1] = (struct ring_event){
		.name = "cpu-clock\xff", .count = 25, .samples = 10,
		.lost = UNKNOWN, .lost_per_s = NAN, .cpu = 3, .tid = -1,
	};
	r->advice = (struct advice){
		.valid = true, .pages = 512, .burst_bytes_per_s = 2.5,
		.worst_gap = 0.21, .text = "grow to -m 512",
	};
}

static inline void set_up_unknown(struct rig *rig)
{
	rig->rings[1] = (struct ring_row){
		.id = 1, .label = "tid 42", .cpu = -1, .tid = 42,
		.pid = -1, .size = 4096, .overwrite = true, .paused = true,
		.lost_pending = UNKNOWN, .reads = &rig->reads[1],
	};
	ring_row_own(&rig->rings[1]);
	rig->reads[1] = (struct ring_reads){
		.records_per_s = NAN, .latency_p50 = NAN, .latency_p99 = NAN,
	};
}

static inline void set_up_total(struct rig *rig)
{
	struct ring_row *row = &rig->frame.total.row;

	rig->frame.total.nr[RING_PERF] = 2;
	*row = (struct ring_row){
		.label = "total", .cpu = -1, .tid = -1, .pid = -1,
		.size = 528384, .used = 640, .fill = 0.001, .peak = 0.63,
		.bytes = 360, .lost = 15, .lost_reported = 7,
		.lost_pending = 8, .reads = &rig->reads[2],
	};
	ring_row_own(row);
	rig->reads[2] = (struct ring_reads){
		.stats = { .records = 12 },
		.latency_p50 = 12e-6, .latency_p99 = NAN,
	};
}

static inline int set_up(void **state)
{
	static struct rig rig;

	setenv("TZ", "UTC", 1);
	memset(&rig, 0, sizeof(rig));
	set_up_known(&rig);
	set_up_unknown(&rig);
	rig.log = log_new(10);
	assert_non_null(rig.log);
	rig.frame = (struct frame){
		.source = "sim", .title = "system-wide: cpu-clock",
		.notice = "", .time = 1700000000.25, .interval = 0.5,
		.rings = rig.rings, .nr_rings = 2, .log = rig.log,
		.self = { .cpu = 0.003, .rss = 9 << 20, .decode_every = 1,
			  .own_records = 6 },
	};
	set_up_total(&rig);
	rig.feed = feed_new(4, 1 << 16);
	assert_non_null(rig.feed);
	rig.samples = (struct samples){
		.feed = rig.feed, .hot = &hot,
		.status = { .decode_every = 8 },
	};
	*state = &rig;
	return 0;
}

static inline int tear_down(void **state)
{
	struct rig *rig = *state;

	log_free(rig->log);
	feed_free(rig->feed);
	return 0;
}

/*
 * The output of the format; to be freed. noinline, since inlined it looks to
 * gcc 12 as if the text were in a local variable.
 */
static __attribute__((noinline)) char *
written_on(const struct export_format *format, const struct frame *frame,
	   size_t nr_hot, struct export_state *state)
{
	const struct export_opts opts = { .hot = nr_hot };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(format->frame(frame, &opts, state, out), 0);
	fclose(out);
	return text;
}

static inline char *written(const struct export_format *format,
			    const struct frame *frame)
{
	struct export_state state = { 0 };

	return written_on(format, frame, format->hot, &state);
}

static inline json_t *written_json(const struct frame *frame)
{
	char *text = written(&export_json, frame);
	json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

	assert_non_null(json);
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	free(text);
	return json;
}

/*
 * The field of that name in line @line of @csv, whose first line has the names;
 * in a static buffer.  No field has a comma.
 */
static inline const char *csv_field(const char *csv, int line,
				    const char *name)
{
	static char field[128];
	size_t len = strlen(name), at = 0;
	const char *p = csv;

	while (strncmp(p, name, len) || !strchr(",\n", p[len])) {
		p += strcspn(p, ",\n");
		if (*p++ != ',')
			fail_msg("no column %s", name);
		at++;
	}
	for (p = csv; line > 0; line--)
		p = strchr(p, '\n') + 1;
	while (at-- > 0)
		p = strchr(p, ',') + 1;
	snprintf(field, sizeof(field), "%.*s", (int)strcspn(p, ",\n"), p);
	return field;
}

static inline void check_json(const json_t *object, const char *key,
			      const char *expected)
{
	json_t *value = json_object_get(object, key);
	char *text;

	if (!value)
		fail_msg("no field \"%s\"", key);
	text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY |
				 JSON_REAL_PRECISION(16));
	assert_string_equal(text, expected);
	free(text);
}

struct field {
	const char *key, *value;
};

/* Check that the object has these fields, in any order, and no others. */
static inline void check_fields(const json_t *object,
				const struct field *fields, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		check_json(object, fields[i].key, fields[i].value);
	assert_int_equal(json_object_size(object), nr);
}

#define CHECK_FIELDS(object, fields) \
	check_fields(object, fields, sizeof(fields) / sizeof(*(fields)))

static inline bool is_among(const char *key, const struct field *fields,
			    size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(fields[i].key, key))
			return true;
	return false;
}

/*
 * Check that a ring, or a total, has these fields, all its figures, and no
 * others.
 */
static inline void check_figures(const json_t *ring, bool total,
				 const struct field *fields, size_t nr)
{
	size_t all = nr;

	for (size_t i = 0; i < nr; i++)
		check_json(ring, fields[i].key, fields[i].value);
	for (int i = 0; i < FIGURES; i++) {
		const struct figure_info *info = figure_info((enum figure)i);

		if (!info->key || info->aux || (total && !info->summed))
			continue;
		if (!json_object_get(ring, info->key))
			fail_msg("no field \"%s\"", info->key);
		all += !is_among(info->key, fields, nr);
	}
	assert_int_equal(json_object_size(ring), all);
}

#define CHECK_FIGURES(ring, total, fields) \
	check_figures(ring, total, fields, sizeof(fields) / sizeof(*(fields)))

#endif
