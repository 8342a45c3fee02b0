/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * write_perfdata FILE EVENT...: samples of all CPUs while it uses 0.1 s of CPU
 * time, in a perf.data file written by rbtop's code; each EVENT as for -e.
 * Prints the number of samples, one line per event: "samples N NAME".  And
 * "late N": records that came later than perf waits for them, since their CPU
 * was taken away while the kernel wrote them.
 *
 * write_perfdata --trace FILE: a file with AUX trace, of an Intel PT that this
 * machine need not have: 3 rings of padding, the last one in two pieces.
 *
 * For perfdata.sh, which checks what perf reads.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "perf/abi/side_band.h"
#include "perf/event/event_spec.h"
#include "perf/abi/record.h"
#include "perf/session/session.h"
#include "perf/tracepoint/tracefs.h"
#include "symbols/symbol_loader.h"
#include "trace/file/trace_records.h"
#include "trace/perfdata/machine.h"
#include "trace/perfdata/perfdata_writer.h"

enum { RECORD_MAX = 1 << 16, SPIN_MS = 100 };

struct recording {
	FILE *out;
	struct event_list events;
	struct perfdata_machine machine;
	struct session *session;
	struct perfdata_event *in_file;	/* the last one is the side-band's */
	struct perf_event_attr side_band;
	size_t nr;
	struct perfdata_writer *w;
	struct symbol_loader *loader;
	struct build_ids *build_ids;
	uint64_t first, last;		/* times of samples */
	/* times of any records: now, a round ago, two rounds ago */
	uint64_t newest, round, flushed;
	size_t late;			/* earlier than @flushed */
	size_t *samples;		/* by event */
};

static void die(const struct err *err, const char *what)
{
	fprintf(stderr, "write_perfdata: %s\n", err ? err->text : what);
	exit(1);
}

/* Exit with a message if @ret is -errno; 0 is fine. */
static void check(int ret, const char *what)
{
	if (!ret)
		return;
	fprintf(stderr, "write_perfdata: %s: %s\n", what, strerror(-ret));
	exit(1);
}

/* The function that is sampled, whose name perf has to find. */
__attribute__((noinline)) uint64_t spin_here(uint64_t n);
uint64_t spin_here(uint64_t n)
{
	for (uint64_t i = 0; i < 1000000; i++)
		n = n * 6364136223846793005ull + i;
	return n;
}

static void parse_events(struct recording *r, char **names)
{
	struct event_env env = {
		.pmus = "/sys/bus/event_source/devices",
		.find_tracefs = tracefs_path,
	};
	const char **tracepoints;
	struct err err;
	size_t nr = 0;

	for (; *names; names++) {
		if (event_list_parse(&r->events, *names, &env, &err))
			die(&err, NULL);
	}
	tracepoints = calloc(r->events.nr, sizeof(*tracepoints));
	for (size_t i = 0; i < r->events.nr; i++) {
		if (r->events.specs[i].tracepoint)
			tracepoints[nr++] = r->events.specs[i].name;
	}
	if (perfdata_machine_read(&r->machine, tracepoints, nr, &err))
		die(&err, NULL);
	free(tracepoints);
}

static void open_session(struct recording *r)
{
	struct session_opts opts = {
		.events = r->events,
		.target = { .mode = TARGET_SYSTEM },
	};
	struct err err;

	if (session_open(&opts, &r->session, &err) ||
	    session_filter(r->session, NULL, 0, &err))
		die(&err, NULL);
}

static void add_id(struct perfdata_event *event, uint64_t id)
{
	uint64_t *ids = reallocarray((uint64_t *)(uintptr_t)event->ids,
				     event->nr_ids + 1, sizeof(*ids));

	if (!ids)
		die(NULL, "out of memory");
	ids[event->nr_ids++] = id;
	event->ids = ids;
}

static void describe_events(struct recording *r)
{
	struct session *s = r->session;

	r->nr = r->events.nr + 1;
	r->in_file = calloc(r->nr, sizeof(*r->in_file));
	r->samples = calloc(r->nr, sizeof(*r->samples));
	for (size_t i = 0; i < r->events.nr; i++) {
		r->in_file[i].name = session_event_name(s, i);
		r->in_file[i].attr = session_event_attr(s, i);
		r->in_file[i].leader = r->events.specs[i].leader;
	}
	r->side_band = (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.size = sizeof(r->side_band),
		.sample_type = RECORD_SAMPLE_TYPE,
		.read_format = r->in_file[0].attr->read_format,
		.sample_id_all = 1,
		.mmap = 1,
		.comm = 1,
		.task = 1,
	};
	r->in_file[r->nr - 1] = (struct perfdata_event){
		.name = "side-band",
		.attr = &r->side_band,
		.leader = r->nr - 1,
	};
	for (size_t i = 0; i < session_nr_rings(s); i++) {
		const struct session_ring *ring = session_ring(s, i);

		for (size_t j = 0; j < ring->nr_events; j++) {
			size_t spec = ring->events[j].spec;

			add_id(&r->in_file[spec == SESSION_SIDE_BAND ?
						   r->nr - 1 :
						   spec],
			       ring->events[j].id);
		}
	}
}

static void write_record(struct recording *r, const void *record, size_t size)
{
	uint64_t time = record_time(record, size);

	r->late += time && time < r->flushed;
	if (time > r->newest)
		r->newest = time;
	check(perfdata_write(r->w, record, size), "a record is refused");
	check(build_ids_record(r->build_ids, record, size), "out of memory");
}

/*
 * Write a round: perf then handles records that are not newer than the newest
 * of the previous round.
 */
static void write_round(struct recording *r)
{
	check(synth_finished_round(r->w), "a round is refused");
	r->flushed = r->round;
	r->round = r->newest;
}

/* Write our own task, so that perf knows the task of the samples. */
static void write_task(struct recording *r)
{
	_Alignas(8) uint8_t record[SIDE_BAND_MADE];
	char *text, *rest, *line;

	write_record(r, record,
		     side_band_make_comm(record, getpid(), getpid(), "writer"));
	if (sys_read_file_alloc("/proc/self/maps", 1 << 20, &text) <= 0)
		die(NULL, "cannot read /proc/self/maps");
	rest = text;
	while ((line = strsep(&rest, "\n"))) {
		unsigned long start, end, pgoff, inode;
		unsigned int major, minor;
		char name[4096];
		struct side_band_map map = {
			.pid = getpid(),
			.tid = getpid(),
			.executable = true,
			.has_inode = true,
			.name = name,
		};

		if (sscanf(line, "%lx-%lx r-xp %lx %x:%x %lu %4095s", &start,
			   &end, &pgoff, &major, &minor, &inode, name) != 7)
			continue;
		map.start = start;
		map.len = end - start;
		map.pgoff = pgoff;
		map.major = major;
		map.minor = minor;
		map.inode = inode;
		write_record(r, record,
			     side_band_make_mmap2(record, &map, 5, 2));
	}
	free(text);
}

static void write_ids(struct recording *r)
{
	for (size_t i = 0; i < session_nr_rings(r->session); i++) {
		const struct session_ring *ring = session_ring(r->session, i);

		for (size_t j = 0; j < ring->nr_events; j++) {
			struct synth_id id = {
				.id = ring->events[j].id,
				.idx = i,
				.cpu = ring->cpu,
				.tid = ring->tid,
			};

			check(synth_id_index(r->w, &id, 1), "an id is refused");
		}
	}
}

static void begin(struct recording *r)
{
	struct err err;

	r->loader = build_ids_loader("/proc", 0);
	r->build_ids = build_ids_new(r->loader);
	r->w = perfdata_writer_new(r->out, r->in_file, r->nr, &err);
	if (!r->w || !r->loader || !r->build_ids)
		die(&err, NULL);
	write_ids(r);
	check(synth_kernel(r->w, &r->machine), "the kernel's map is refused");
	write_task(r);
	write_round(r);
}

static void count_sample(struct recording *r, const uint64_t *record)
{
	uint64_t id = record[RECORD_SAMPLE_ID / 8];
	uint64_t time = record[RECORD_SAMPLE_TIME / 8];

	if (!r->first || time < r->first)
		r->first = time;
	if (time > r->last)
		r->last = time;
	for (size_t i = 0; i < r->nr; i++) {
		for (size_t j = 0; j < r->in_file[i].nr_ids; j++)
			r->samples[i] += r->in_file[i].ids[j] == id;
	}
}

static void write_ring(struct recording *r, struct ring ring)
{
	static _Alignas(8) uint64_t record[RECORD_MAX / 8];
	uint64_t at = ring_tail(&ring), head = ring_head(&ring);

	while (at < head) {
		struct perf_event_header header = ring_header(&ring, at);

		if (!record_sane(header, head - at))
			die(NULL, "a record of no sane size");
		for (unsigned int i = 0; i < header.size; i += 8)
			record[i / 8] = ring_word(&ring, at + i);
		write_record(r, record, header.size);
		if (header.type == PERF_RECORD_SAMPLE)
			count_sample(r, record);
		at += header.size;
	}
	ring_consume(&ring, head);
}

static void write_rings(struct recording *r)
{
	for (size_t i = 0; i < session_nr_rings(r->session); i++)
		write_ring(r, session_ring(r->session, i)->ring);
	write_round(r);
}

static void spin(struct recording *r)
{
	static volatile uint64_t sum;
	double end;
	struct err err;

	if (session_enable(r->session, true, &err))
		die(&err, NULL);
	end = sys_process_cpu() + SPIN_MS / 1000.0;
	while (sys_process_cpu() < end) {
		sum = spin_here(sum);
		usleep(1000);
		write_rings(r);
	}
	session_end(r->session);
}

static void end(struct recording *r)
{
	struct err err;

	write_rings(r);
	check((int)build_ids_read(r->build_ids, 1), "build-ids are missing");
	check(build_ids_write(r->build_ids, r->w), "build-ids are refused");
	perfdata_writer_times(r->w, r->first, r->last);
	if (perfdata_writer_finish(r->w, &r->machine, &err))
		die(&err, NULL);
	for (size_t i = 0; i < r->nr; i++)
		printf("samples %zu %s\n", r->samples[i], r->in_file[i].name);
	printf("late %zu\n", r->late);
	perfdata_writer_free(r->w);
	build_ids_free(r->build_ids);
	symbol_loader_free(r->loader);
}

static void record(const char *path, char **names)
{
	struct recording r = { .out = fopen(path, "w") };

	if (!r.out)
		die(NULL, path);
	parse_events(&r, names);
	open_session(&r);
	describe_events(&r);
	begin(&r);
	spin(&r);
	end(&r);
	for (size_t i = 0; i < r.nr; i++)
		free((uint64_t *)(uintptr_t)r.in_file[i].ids);
	free(r.in_file);
	free(r.samples);
	session_close(r.session);
	perfdata_machine_free(&r.machine);
	event_list_free(&r.events);
	fclose(r.out);
}

/* Write padding, which perf decodes as trace without content. */
static void write_traces(struct perfdata_writer *w)
{
	static const uint8_t trace[4096];
	const void *data[2] = { trace, trace };
	const size_t len[3][2] = { { 4096, 0 }, { 0, 0 }, { 1000, 21 } };

	for (unsigned int i = 0; i < 3; i++) {
		struct perfdata_auxtrace head = {
			.offset = i * 0x1000,
			.reference = 0x1234 + i,
			.idx = i,
			.tid = i == 2 ? getpid() : -1,
			.cpu = i == 2 ? -1 : (int)i,
		};

		check(perfdata_write_auxtrace(w, &head, data, len[i]),
		      "a trace is refused");
	}
}

static void write_trace(const char *path)
{
	/* type 8; config bits as Linux has them; 17 words, see intel_pt */
	const uint64_t priv[17] = { 8, 31, 0x7fffffff, 77, 1, 1 << 10,
				    1 << 11, 3, 1, 1 };
	const struct perf_time_conv conv = {
		.time_shift = 31,
		.time_mult = 0x7fffffff,
		.time_zero = 77,
		.cap_user_time_zero = true,
		.time_mask = UINT64_MAX,
	};
	const struct perf_event_attr attr = {
		.type = 8,
		.size = sizeof(attr),
		.config = 0x300e601,
		.sample_period = 1,
		.sample_type = RECORD_SAMPLE_TYPE,
		.sample_id_all = 1,
	};
	const uint64_t ids[] = { 101, 102, 103 };
	const struct perfdata_event event = {
		.name = "intel_pt//",
		.attr = &attr,
		.ids = ids,
		.nr_ids = 3,
	};
	FILE *out = fopen(path, "w");
	struct perfdata_writer *w;
	struct err err;

	if (!out)
		die(NULL, path);
	w = perfdata_writer_new(out, &event, 1, &err);
	if (!w)
		die(&err, NULL);
	check(synth_time_conv(w, &conv), "TIME_CONV is refused");
	check(synth_auxtrace_info(w, 1, priv, 17), "AUXTRACE_INFO is refused");
	write_traces(w);
	if (perfdata_writer_finish(w, NULL, &err))
		die(&err, NULL);
	perfdata_writer_free(w);
	fclose(out);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--trace"))
		write_trace(argv[2]);
	else if (argc > 2)
		record(argv[1], argv + 2);
	else
		die(NULL, "usage: write_perfdata FILE EVENT...");
	return 0;
}
