/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <ctype.h>
#include <errno.h>

#include "tests/unit/export_rig.h"
#include "tests/unit/export_host_rig.h"

/*
 * A strict parser of gauges, counters and infos as in the OpenMetrics
 * specification (1.0, "Text format"), and as in the text format 0.0.4 of
 * Prometheus, where a family has the name of its samples.
 */
struct reader {
	const char *p;
	bool prometheus;
	char family[128], type[16], unit[32];
	bool type_seen, unit_seen, help_seen, samples;
	char families[128][128];	/* none may be repeated */
	size_t nr_families;
	char series[4096][400];		/* no sample may be repeated */
	size_t nr_series;
};

static struct reader reader;

static bool name_char(char c, bool first)
{
	return isalpha((unsigned char)c) || c == '_' ||
	       (!first && isdigit((unsigned char)c));
}

static void read_name(struct reader *r, char *buf, size_t size)
{
	size_t n = 0;

	while (name_char(r->p[n], n == 0))
		n++;
	if (n == 0 || n >= size)
		fail_msg("no name at '%.40s'", r->p);
	snprintf(buf, size, "%.*s", (int)n, r->p);
	r->p += n;
}

static void expect(struct reader *r, const char *text)
{
	if (strncmp(r->p, text, strlen(text)) != 0)
		fail_msg("no '%s' at '%.40s'", text, r->p);
	r->p += strlen(text);
}

static void begin_family(struct reader *r, const char *name)
{
	/* no family without samples */
	assert_true(r->samples || !r->nr_families);
	for (size_t i = 0; i < r->nr_families; i++)
		assert_string_not_equal(r->families[i], name);
	assert_in_range(r->nr_families, 0, 127);
	strcpy(r->families[r->nr_families++], name);
	strcpy(r->family, name);
	r->type_seen = r->unit_seen = r->help_seen = r->samples = false;
	r->unit[0] = '\0';
}

/* A family's name ends with its unit, and not with a suffix of samples. */
static void check_family_name(const struct reader *r)
{
	size_t len = strlen(r->family), unit = strlen(r->unit);

	if (unit) {
		assert_true(len > unit + 1);
		assert_string_equal(r->family + len - unit, r->unit);
		assert_int_equal(r->family[len - unit - 1], '_');
	}
	if (r->prometheus)
		return;
	assert_null(strstr(r->family, "_total"));
	assert_null(strstr(r->family, "_info"));
}

static void check_type(const struct reader *r)
{
	size_t len = strlen(r->family);

	assert_true(!strcmp(r->type, "gauge") || !strcmp(r->type, "counter") ||
		    (!strcmp(r->type, "info") && !r->prometheus));
	if (r->prometheus)
		assert_int_equal(!strcmp(r->type, "counter"),
				 len > 6 && !strcmp(r->family + len - 6,
						    "_total"));
}

static void read_metadata(struct reader *r)
{
	char what[16], name[128];

	read_name(r, what, sizeof(what));
	expect(r, " ");
	read_name(r, name, sizeof(name));
	expect(r, " ");
	if (strcmp(r->family, name) != 0)
		begin_family(r, name);
	assert_false(r->samples);
	if (strcmp(what, "TYPE") == 0) {
		assert_false(r->type_seen);
		read_name(r, r->type, sizeof(r->type));
		check_type(r);
		r->type_seen = true;
	} else if (strcmp(what, "UNIT") == 0) {
		assert_false(r->unit_seen || r->prometheus);
		read_name(r, r->unit, sizeof(r->unit));
		r->unit_seen = true;
	} else {
		assert_string_equal(what, "HELP");
		assert_false(r->help_seen);
		r->p += strcspn(r->p, "\n");
		r->help_seen = true;
	}
	expect(r, "\n");
}

static void read_label(struct reader *r)
{
	char name[64];

	read_name(r, name, sizeof(name));
	expect(r, "=\"");
	assert_int_not_equal(*r->p, '"');	/* empty is as good as none */
	while (*r->p != '"') {
		assert_true((unsigned char)*r->p >= ' ');
		if (*r->p == '\\') {
			r->p++;
			assert_non_null(strchr("\\n\"", *r->p));
		}
		r->p++;
	}
	r->p++;
}

static void read_labels(struct reader *r)
{
	if (*r->p != '{')
		return;
	do {
		r->p++;
		read_label(r);
	} while (*r->p == ',');
	expect(r, "}");
}

static void remember_series(struct reader *r, const char *start)
{
	int len = (int)(r->p - start);
	char *series = r->series[r->nr_series];

	assert_in_range(len, 1, sizeof(r->series[0]) - 1);
	assert_in_range(r->nr_series, 0, 4095);
	snprintf(series, sizeof(r->series[0]), "%.*s", len, start);
	for (size_t i = 0; i < r->nr_series; i++)
		assert_string_not_equal(r->series[i], series);
	r->nr_series++;
}

/* The suffix of a sample's name after the family's. */
static const char *suffix(const struct reader *r)
{
	if (r->prometheus || strcmp(r->type, "gauge") == 0)
		return "";
	return strcmp(r->type, "counter") == 0 ? "_total" : "_info";
}

static void read_sample(struct reader *r)
{
	char name[128], wanted[160], *end;
	const char *start = r->p;
	double value;

	assert_true(r->type_seen && r->help_seen);
	read_name(r, name, sizeof(name));
	snprintf(wanted, sizeof(wanted), "%s%s", r->family, suffix(r));
	assert_string_equal(name, wanted);
	check_family_name(r);
	read_labels(r);
	remember_series(r, start);
	expect(r, " ");
	value = strtod(r->p, &end);
	assert_ptr_not_equal(end, r->p);
	assert_true(isfinite(value) && value >= 0);
	assert_true(strcmp(r->type, "info") != 0 || value == 1);
	r->p = end;
	r->samples = true;
	expect(r, "\n");	/* no timestamp */
}

/* Complete families and the end, and nothing else. */
static void check_text(const char *text, bool prometheus)
{
	const char *end = prometheus ? "" : "# EOF\n";

	memset(&reader, 0, sizeof(reader));
	reader.p = text;
	reader.prometheus = prometheus;
	while (strcmp(reader.p, end) != 0) {
		if (strncmp(reader.p, "# ", 2) == 0) {
			reader.p += 2;
			read_metadata(&reader);
		} else {
			read_sample(&reader);
		}
	}
	assert_true(reader.samples);
}

/* The output, checked; to be freed. */
static char *checked(const struct frame *frame)
{
	char *text = written(&export_openmetrics, frame);
	char *older = written(&export_prometheus, frame);

	check_text(older, true);
	free(older);
	check_text(text, false);
	return text;
}

/* The lines of samples; to be freed. */
static char *samples_of(const char *text)
{
	char *samples = strdup(text), *to = samples;

	assert_non_null(samples);
	for (const char *p = text; *p; p = strchr(p, '\n') + 1)
		if (*p != '#')
			to = mempcpy(to, p, strcspn(p, "\n") + 1);
	*to = '\0';
	return samples;
}

static void expect_line(const char *text, const char *line)
{
	size_t len = strlen(line);

	for (const char *p = text; (p = strstr(p, line)); p++)
		if ((p == text || p[-1] == '\n') && p[len] == '\n')
			return;
	fail_msg("no line\n%s\nin\n%s", line, text);
}

#define RING1 "{ring=\"1\",kind=\"perf\",pid=\"4242\",cpu=\"3\"} "

#define EVENT71 "{ring=\"1\",id=\"71\",pid=\"4242\","                       \
	"event=\"sched:sched_switch\"} "

TEST(test_host_ring)
{
	static const char *const lines[] = {
		"# TYPE rbtop_host_ring_written_bytes counter",
		"# UNIT rbtop_host_ring_written_bytes bytes",
		"rbtop_host_ring_gone" RING1 "0",
		"rbtop_host_ring_known" RING1 "1",
		"rbtop_host_ring_size_bytes" RING1 "65536",
		"rbtop_host_ring_locked_bytes" RING1 "77824",
		"rbtop_host_ring_watermark_bytes" RING1 "32768",
		"rbtop_host_ring_used_bytes" RING1 "2000",
		"rbtop_host_ring_fill_ratio" RING1 "0.03",
		"rbtop_host_ring_peak_ratio" RING1 "0.75",
		"rbtop_host_ring_overwrite" RING1 "0",
		"rbtop_host_ring_paused" RING1 "1",
		"rbtop_host_ring_woken" RING1 "1",
		"rbtop_host_ring_written_bytes_total" RING1 "60000",
		"rbtop_host_ring_crossings_total" RING1 "2",
		"rbtop_host_ring_wakeups_total" RING1 "4",
		"rbtop_host_ring_drains_total" RING1 "3",
		"rbtop_host_ring_undrained_seconds" RING1 "7.5",
		"rbtop_host_ring_owner_run_wait_ratio" RING1 "0.75",
		"rbtop_host_ring_owner_run_ratio" RING1 "0.125",
		"rbtop_host_ring_worst_gap_seconds" RING1 "8.25",
		"rbtop_host_ring_lost_records_total" RING1 "12",
		"rbtop_host_ring_lost_reported_records_total" RING1 "10",
		"rbtop_host_ring_lost_pending_records" RING1 "2",
		"rbtop_host_ring_remaps_total" RING1 "1",
		"rbtop_host_aux_size_bytes" RING1 "4096",
		"rbtop_host_aux_used_bytes" RING1 "500",
		"rbtop_host_event_lost_records_total" EVENT71 "12",
	};
	struct host_rig *rig = *state;
	char *text = checked(&rig->frame);

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		expect_line(text, lines[i]);
	/* pending, paused, mlock: only the warnings present, each once */
	expect_line(text, "rbtop_host_ring_warning{ring=\"1\",kind=\"perf\","
			  "pid=\"4242\",cpu=\"3\",warning=\"paused\"} 1");
	assert_null(strstr(text, "warning=\"losing\""));
	free(text);
}

/*
 * Labels that may change are only in the info series of a ring; any other
 * series with them would end at each change.
 */
TEST(test_info)
{
	struct host_rig *rig = *state;
	char *text = checked(&rig->frame);

	expect_line(text, "# TYPE rbtop_host_ring info");
	expect_line(text, "rbtop_host_ring_info{ring=\"1\",kind=\"perf\","
			  "pid=\"4242\",cpu=\"3\",comm=\"pe?rf\","
			  "user=\"ann\",event=\"sched:sched_switch +1\","
			  "map=\"events\"} 1");
	/* counters of rings that are gone have an info, too */
	expect_line(text, "rbtop_host_ring_info{ring=\"3\",kind=\"perf\","
			  "pid=\"60\",tid=\"7\",comm=\"gone\","
			  "user=\"root\",event=\"dummy\"} 1");
	free(text);
}

/*
 * The series stay the same if the owner runs another program, gets another
 * event or changes its user.
 */
TEST(test_series_stable)
{
	static const char info[] = "rbtop_host_ring_info{ring=\"1\",";
	struct host_rig *rig = *state;
	char *before = checked(&rig->frame), *after;
	size_t differ = 0;

	strcpy(rig->rows[0].comm, "other");
	strcpy(rig->rows[0].user, "bob");
	strcpy(rig->rows[0].event, "cycles");
	strcpy(rig->rows[0].map, "other");
	after = checked(&rig->frame);
	for (const char *b = before, *a = after; *b && *a;
	     b = strchr(b, '\n') + 1, a = strchr(a, '\n') + 1) {
		size_t len = strcspn(b, "\n") + 1;

		if (strncmp(a, b, len) == 0)
			continue;
		differ++;
		assert_memory_equal(a, info, strlen(info));
	}
	assert_int_equal(differ, 1);
	free(before);
	free(after);
}

/* Readers of the older format only find the types of all families. */
TEST(test_prometheus)
{
	static const char *const lines[] = {
		"# TYPE rbtop_host_ring_drains_total counter",
		"# HELP rbtop_host_ring_drains_total Drains that found data, "
			"since first seen (lower bound: what happens between "
			"two polls is not seen).",
		"# TYPE rbtop_host_ring_info gauge",
		"# TYPE rbtop_host_ring_fill_ratio gauge",
		"rbtop_host_ring_drains_total" RING1 "3",
		"rbtop_tick_time_seconds 1700000000.250",
	};
	struct host_rig *rig = *state;
	char *text = written(&export_prometheus, &rig->frame);
	char *other = written(&export_openmetrics, &rig->frame);
	char *samples = samples_of(text), *same = samples_of(other);

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		expect_line(text, lines[i]);
	assert_null(strstr(text, "# UNIT"));
	assert_null(strstr(text, "# EOF"));
	assert_string_equal(samples, same);
	free(text);
	free(other);
	free(samples);
	free(same);
}

TEST(test_help_names_bounds)
{
	static const char *const bounds[] = {
		"peak_ratio", "drains", "undrained_seconds",
		"worst_gap_seconds",
	};
	struct host_rig *rig = *state;
	char *text = checked(&rig->frame), head[80], *help;

	for (size_t i = 0; i < sizeof(bounds) / sizeof(*bounds); i++) {
		snprintf(head, sizeof(head), "# HELP rbtop_host_ring_%s ",
			 bounds[i]);
		help = strstr(text, head);
		assert_non_null(help);
		*strchr(help, '\n') = '\0';
		assert_non_null(strstr(help, "lower bound"));
		help[strlen(help)] = '\n';
	}
	free(text);
}

/*
 * A ring that is gone keeps its counters, so that its last losses are visible.
 */
TEST(test_gone_ring_counters_only)
{
	struct host_rig *rig = *state;
	char *text = checked(&rig->frame);

#define RING3 "{ring=\"3\",kind=\"perf\",pid=\"60\",tid=\"7\"} "
	expect_line(text, "rbtop_host_ring_gone" RING3 "1");
	expect_line(text, "rbtop_host_ring_lost_records_total" RING3 "5");
	expect_line(text, "rbtop_host_ring_written_bytes_total" RING3 "777");
	assert_null(strstr(text, "rbtop_host_ring_fill_ratio{ring=\"3\""));
	assert_null(strstr(text, "rbtop_host_ring_size_bytes{ring=\"3\""));
	assert_null(strstr(text, "rbtop_host_ring_warning{ring=\"3\""));
	free(text);
}

TEST(test_unknown_omitted)
{
	struct host_rig *rig = *state;
	char *text = checked(&rig->frame);

	expect_line(text, "rbtop_host_ring_known{ring=\"4\",kind=\"perf\"} 0");
	expect_line(text, "rbtop_host_ring_size_bytes{ring=\"4\","
			  "kind=\"perf\"} 16384");
	expect_line(text, "rbtop_host_aux_size_bytes{ring=\"4\","
			  "kind=\"perf\"} 4096");
	assert_null(strstr(text, "rbtop_host_ring_paused{ring=\"4\""));
	assert_null(strstr(text, "rbtop_host_ring_used_bytes{ring=\"4\""));
	assert_null(strstr(text, "rbtop_host_aux_head_bytes{ring=\"4\""));
	assert_null(strstr(text, "rbtop_host_ring_lost_records_total"
				 "{ring=\"2\""));
	assert_null(strstr(text, "id=\"72\""));
	assert_null(strstr(text, "rbtop_host_user_memlock_bytes"));
	assert_null(strstr(text, "18446744073709551615"));
	free(text);
}

TEST(test_host_status)
{
	static const char *const lines[] = {
		"rbtop_host_bpf 1", "rbtop_host_passes_total 17",
		"rbtop_host_pass_interval_seconds 0.1",
		"rbtop_host_pass_cpu_seconds 0.0005",
		"rbtop_host_perf_rings 2", "rbtop_host_bpf_ringbufs 1",
		"rbtop_host_uncounted_rings 1",
		"rbtop_host_owners 2", "rbtop_host_warned_rings 1",
		"rbtop_host_files 40", "rbtop_host_ringless_events 38",
		"rbtop_host_hidden_processes 0",
		"# TYPE rbtop_host_written_bytes counter",
		"# UNIT rbtop_host_written_bytes bytes",
		"rbtop_host_written_bytes_total 64000",
		"# HELP rbtop_host_lost_records Records lost, reported and "
		"pending, all rings ever seen together (lower bound: what "
		"comes between the last poll and the exit of an owner is not "
		"seen).",
		"rbtop_host_lost_records_total 12",
		"# UNIT rbtop_tick_time_seconds seconds",
		"rbtop_tick_time_seconds 1700000000.250",
		"rbtop_host_user_rings{uid=\"1000\",user=\"ann\"} 3",
		"rbtop_host_user_at_limit{uid=\"1000\",user=\"ann\"} 1",
		"rbtop_self_cpu_ratio 0.003",
		"rbtop_self_resident_bytes 9437184",
	};
	struct host_rig *rig = *state;
	char *text = checked(&rig->frame);

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		expect_line(text, lines[i]);
	assert_null(strstr(text, "rbtop_host_fallback"));
	free(text);
}

TEST(test_reason)
{
	struct host_rig *rig = *state;
	char *text;

	rig->host.status.bpf = false;
	host_limit_total(&rig->host);
	strcpy(rig->host.status.reason, "no \"BTF\"\\\n");
	text = checked(&rig->frame);
	expect_line(text, "rbtop_host_bpf 0");
	/* a line feed is a control byte, so it was sanitized before */
	expect_line(text, "rbtop_host_fallback{reason="
			  "\"no \\\"BTF\\\"\\\\?\"} 1");
	free(text);
}

TEST(test_not_ready)
{
	struct host_rig *rig = *state;
	char *text;

	rig->host.status.ready = false;
	text = checked(&rig->frame);
	assert_null(strstr(text, "rbtop_host_"));
	free(text);
}

TEST(test_no_ring)
{
	struct host_rig *rig = *state;
	char *text;

	rig->host.nr_rows = rig->host.nr_users = 0;
	rig->host.total = (struct ring_total){ 0 };
	text = checked(&rig->frame);
	expect_line(text, "rbtop_host_perf_rings 0");
	assert_null(strstr(text, "rbtop_host_ring_"));
	free(text);
}

/* If no process may be read, there is no number of rings. */
TEST(test_nothing_readable)
{
	static const char *const absent[] = {
		"perf_rings", "bpf_ringbufs", "ftrace_buffers",
		"uncounted_rings", "owners",
		"warned_rings",
		"files", "ringless_events",
	};
	struct host_rig *rig = *state;
	char *text, name[64];

	rig->host.nr_rows = rig->host.nr_users = 0;
	rig->host.total = (struct ring_total){ 0 };
	rig->host.status.bpf = false;
	rig->host.status.hidden = 39;
	host_limit_total(&rig->host);
	text = checked(&rig->frame);
	expect_line(text, "rbtop_host_hidden_processes 39");
	for (size_t i = 0; i < sizeof(absent) / sizeof(*absent); i++) {
		snprintf(name, sizeof(name), "rbtop_host_%s", absent[i]);
		assert_null(strstr(text, name));
	}
	free(text);
}

#define CPU3 "{ring=\"0\",cpu=\"3\"} "
#define TID42 "{ring=\"1\",tid=\"42\"} "

TEST_WITH(test_session, set_up, tear_down)
{
	static const char *const lines[] = {
		"rbtop_ring_gone" CPU3 "0",
		"rbtop_ring_size_bytes" CPU3 "524288",
		"rbtop_ring_fill_ratio" CPU3 "0.41",
		"rbtop_ring_peak_ratio" CPU3 "0.63",
		"rbtop_ring_written_bytes_total" CPU3 "360",
		"rbtop_ring_read_records_total" CPU3 "13",
		"rbtop_ring_read_samples_total" CPU3 "10",
		"rbtop_ring_crossings_total" CPU3 "2",
		"rbtop_ring_wakeups_total" CPU3 "3",
		"rbtop_ring_drains_total" CPU3 "5",
		"rbtop_ring_timer_drains_total" CPU3 "4",
		"rbtop_ring_wakeup_latency_p50_seconds" CPU3 "1.2e-05",
		"rbtop_ring_wakeup_latency_p99_seconds" CPU3 "0.25",
		"rbtop_ring_lost_records_total" CPU3 "15",
		"rbtop_ring_lost_reported_records_total" CPU3 "7",
		"rbtop_ring_lost_pending_records" CPU3 "8",
		"rbtop_ring_throttled_total" CPU3 "1",
		"rbtop_ring_paused" TID42 "1",
		"rbtop_ring_size_bytes" TID42 "4096",
		"rbtop_self_resident_bytes 9437184",
	};
	struct rig *rig = *state;
	char *text = checked(&rig->frame);

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		expect_line(text, lines[i]);
	expect_line(text, "rbtop_ring_event_lost_records_total{ring=\"0\","
			  "cpu=\"3\",event=\"dummy\"} 1");
	expect_line(text, "rbtop_ring_info{ring=\"0\",cpu=\"3\","
			  "pid=\"77\",comm=\"dd\"} 1");
	expect_line(text, "rbtop_ring_info" TID42 "1");
	expect_line(text, "rbtop_tick_time_seconds 1700000000.250");
	/* records of an overwrite ring are not counted when written */
	assert_null(strstr(text, "rbtop_ring_read_records_total{ring=\"1\""));
	assert_null(strstr(text, "rbtop_ring_lost_pending_records"
				 "{ring=\"1\""));
	assert_null(strstr(text, "rbtop_aux_"));
	free(text);
}

/* -e cpu-clock -e cpu-clock: a series may occur only once. */
TEST_WITH(test_events_same_name, set_up, tear_down)
{
	struct rig *rig = *state;
	char *text;

	rig->events[0].name = rig->events[1].name = "cpu-clock";
	rig->events[0].lost = 3;
	rig->events[1].lost = 4;
	text = checked(&rig->frame);
	expect_line(text, "rbtop_ring_event_lost_records_total{ring=\"0\","
			  "cpu=\"3\",event=\"cpu-clock\"} 7");
	free(text);
	rig->events[1].lost = UNKNOWN;
	text = checked(&rig->frame);
	assert_null(strstr(text, "rbtop_ring_event_lost"));
	free(text);
}

TEST_WITH(test_session_aux, set_up, tear_down)
{
	struct rig *rig = *state;
	char *text;

	rig->rings[0].aux = (struct ring_aux){
		.size = 8192, .fill = 0.5,
	};
	rig->reads[0].aux.peak = NAN;
	rig->reads[0].stats.aux = (struct aux_stats){
		.records = 9, .truncated = 3,
	};
	text = checked(&rig->frame);
	expect_line(text, "rbtop_aux_size_bytes" CPU3 "8192");
	expect_line(text, "rbtop_aux_fill_ratio" CPU3 "0.5");
	expect_line(text, "rbtop_aux_truncated_total" CPU3 "3");
	assert_null(strstr(text, "rbtop_aux_peak_ratio"));
	assert_null(strstr(text, "rbtop_aux_size_bytes{ring=\"1\""));
	free(text);
}

TEST(test_full_device)
{
	const struct export_opts opts = { 0 };
	struct export_state progress = { 0 };
	struct host_rig *rig = *state;
	FILE *out = fopen("/dev/full", "w");

	assert_non_null(out);
	assert_int_equal(export_openmetrics.frame(&rig->frame, &opts,
						  &progress, out), -ENOSPC);
	fclose(out);
}

TEST_GROUP(openmetrics, .each_setup = set_up_host);
