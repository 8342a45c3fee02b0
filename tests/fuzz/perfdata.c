/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What -i and --summary do with a file that may have any bytes, as a target of
 * libFuzzer: "make fuzz" builds it.  The tests replay its corpus (replay.c).
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "export/recording.h"
#include "perf/abi/sample.h"
#include "perf/abi/side_band.h"
#include "ring/ring_stats.h"
#include "tests/fuzz/fuzz.h"
#include "trace/perfdata/perfdata_reader.h"
#include "trace/recorded/recorded.h"
#include "trace/recorded/timeline.h"

/* Bytes that a pipe holds, so that one thread can fill and read it. */
enum { PIPE_SIZE = 1 << 16 };

static void print(const struct recording *r)
{
	static FILE *null;

	if (!null)
		null = fopen("/dev/null", "w");
	if (!null)
		abort();
	recording_put_text(r, false, null);
	recording_put_text(r, true, null);
	recording_put_json(r, null);
}

/* Be at some times, and look for losses. */
static void walk(struct timeline *t, size_t nr)
{
	struct ring_stats *stats = calloc(nr + 1, sizeof(*stats));
	uint64_t slot = 0;
	size_t cell = 0;

	timeline_finish(t, NULL);
	for (int i = 0; stats && i < 100 && slot != UNKNOWN; i++) {
		cell = timeline_walk(t, cell, slot + 1, stats);
		slot = timeline_next_loss(t, slot + 1);
	}
	timeline_last_loss(t, UNKNOWN);
	free(stats);
}

/* As the samples of a recording are. */
static void decode(const struct perfdata_reader *reader,
		   const struct perfdata_record *record,
		   struct recorded_pids *pids)
{
	static uint64_t copy[PERFDATA_COPY_MAX / sizeof(uint64_t)];
	const struct perfdata_event_info *event;
	struct sample_frame frames[64];
	struct side_band side_band;
	struct sample sample;
	size_t size = perfdata_reader_copy(reader, record, copy);

	if (!size)
		return;
	if (record->type != PERF_RECORD_SAMPLE) {
		recorded_pids_name(pids, copy, size);
		side_band_parse(copy, size, &side_band_own, &side_band);
		return;
	}
	event = perfdata_reader_event(reader, record->event);
	if (!sample_parse(&event->layout, copy, size, &sample))
		sample_frames(&sample, frames, 64);
}

static int add_length(void *ctx, const char *sys, const char *format, size_t len)
{
	size_t *sum = ctx;

	*sum += strlen(sys) + strnlen(format, len);
	return 0;
}

/* What else the file has. */
static void look_up(const struct perfdata_reader *reader)
{
	const struct perfdata_build_id *ids;
	size_t nr, sum = 0;

	ids = perfdata_reader_build_ids(reader, &nr);
	for (size_t i = 0; i < nr; i++)
		sum += strlen(ids[i].path) + ids[i].id.len;
	perfdata_reader_formats(reader, add_length, &sum);
}

static void read_all(const char *path)
{
	struct err err = { 0 };
	struct perfdata_reader *reader = perfdata_reader_open(path, false, &err);
	struct perfdata_record record;
	struct recorded recorded;
	struct timeline timeline;
	struct recorded_pids pids = { 0 };
	struct recording r = { .path = path, .reader = reader,
			       .recorded = &recorded, .pids = &pids };

	if (!reader)
		return;
	recorded_init(&recorded);
	timeline_init(&timeline);
	recorded.timeline = &timeline;
	recorded.cpus = &perfdata_reader_info(reader)->cpus_available;
	while (perfdata_reader_next(reader, &record, &err) > 0) {
		if (recorded_add(&recorded, &record) < 0)
			abort();
		if (record.pid != UINT32_MAX)
			recorded_pids_add(&pids, record.pid);
		decode(reader, &record, &pids);
	}
	if (recorded_finish(&recorded) < 0)
		abort();
	look_up(reader);
	r.damage = err.code ? err.text : NULL;
	print(&r);
	/* a row of the screen takes much memory */
	if (recorded.nr_rings <= 256)
		walk(&timeline, recorded.nr_rings);
	perfdata_reader_free(reader);
	recorded_pids_free(&pids);
	recorded_free(&recorded);
	timeline_free(&timeline);
}

/* From a pipe, where nothing can be read twice. */
static void read_pipe(const uint8_t *data, size_t size)
{
	int fd[2], standard = dup(STDIN_FILENO);

	if (pipe2(fd, O_CLOEXEC) || write(fd[1], data, size) != (ssize_t)size)
		abort();
	close(fd[1]);
	if (dup2(fd[0], STDIN_FILENO) < 0)
		abort();
	close(fd[0]);
	read_all("-");
	close(STDIN_FILENO);
	if (standard >= 0) {
		dup2(standard, STDIN_FILENO);
		close(standard);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int file = -1;
	char path[32];

	if (file < 0)
		file = memfd_create("recording", MFD_CLOEXEC);
	if (ftruncate(file, 0) || pwrite(file, data, size, 0) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/dev/fd/%d", file);
	read_all(path);
	if (size < PIPE_SIZE)
		read_pipe(data, size);
	return 0;
}
