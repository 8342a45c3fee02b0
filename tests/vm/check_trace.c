/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the trace in perf.data files, packet by packet.
 *
 *	check_trace [--gaps] [--across] [--stops FILE] FILE...
 *
 *	--gaps		packets may be missing inside a span
 *	--across	no packet twice in all files together
 *	--stops FILE	each span ends at a stop in FILE, a copy of
 *			/proc/mimic: the newest packet is there
 *
 * Prints lines of key=value: a "span" for each AUXTRACE record, an "aux" for
 * each event's AUX records, and a "sum" at the end; its holes are the packets
 * from the streams' first to the last one seen that are in no file.  Exit
 * status 1 on any other error, 2 if a file cannot be read.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "module/packet.h"
#include "trace_file.h"

/* Missing in linux/perf_event.h of older systems. */
enum {
	AUX_TRUNCATED = 1,
	AUX_OVERWRITE = 2,
	AUX_PARTIAL = 4,
	AUX_COLLISION = 8,
};

struct packet {
	uint64_t seq;
	uint16_t stream;
	uint8_t cpu;
};

/* The length of the packet at @at, or 0 if there is no complete one. */
typedef size_t (*parse_fn)(const uint8_t *at, size_t left,
			   struct packet *packet);

/* What was found in one AUXTRACE record. */
struct found {
	uint16_t stream;
	uint64_t packets;
	uint64_t first;
	uint64_t last;
	uint64_t missing; /* inside a span */
	uint64_t lead; /* bytes before the first packet */
	uint64_t bad; /* positions without a packet, or with a wrong one */
};

struct interval {
	uint32_t file;
	uint16_t stream;
	uint64_t first;
	uint64_t last;
};

struct aux_sum {
	uint64_t id, cpu, tid;
	uint64_t records, bytes, end;
	uint64_t truncated, overwrite, partial, collision;
};

struct stop {
	uint16_t stream;
	uint64_t seq;
};

static struct {
	bool gaps;
	bool across;
	struct stop *stops;
	size_t nr_stops;
} options;

static parse_fn parse;
static uint32_t file_nr;
static struct interval *intervals;
static size_t nr_intervals;
static struct aux_sum *aux_sums;
static size_t nr_aux_sums;
static struct {
	uint64_t spans, empty, packets, bad, twice, missing, stale;
} sum;

/* Make room for one more item in an array that doubles. */
static void *one_more(void *array, size_t nr, size_t size)
{
	if (nr & (nr - 1))
		return array;
	array = reallocarray(array, nr ? 2 * nr : 1, size);
	if (!array) {
		fputs("check_trace: out of memory\n", stderr);
		exit(2);
	}
	return array;
}

static uint64_t u64_at(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/*
 * Whether the seal matches the other fields; it also contains stream and CPU.
 */
static bool sealed(struct packet *packet, uint64_t seal, uint64_t tsc,
		   uint64_t extra)
{
	packet->cpu = (uint8_t)seal;
	packet->stream = (uint16_t)(seal >> 8);
	return seal ==
	       mimic_seal(packet->seq, tsc, extra, packet->stream, packet->cpu);
}

static size_t parse_pt(const uint8_t *at, size_t left, struct packet *packet)
{
	static const uint8_t template[MIMIC_PT72_UNIT] = MIMIC_PT_TEMPLATE;
	size_t len = MIMIC_PT_LEN;

	if (left < len || memcmp(at, template, MIMIC_PT_TSC) != 0 ||
	    memcmp(at + MIMIC_PT_TSC + 7, template + MIMIC_PT_TSC + 7,
		   MIMIC_PT_SEQ - MIMIC_PT_TSC - 7) != 0 ||
	    memcmp(at + MIMIC_PT_SEQ + 8, template + MIMIC_PT_SEQ + 8, 2) != 0)
		return 0;
	packet->seq = u64_at(at + MIMIC_PT_SEQ);
	if (!sealed(packet, u64_at(at + MIMIC_PT_SEAL),
		    u64_at(at + MIMIC_PT_TSC), 0))
		return 0;
	while (len < left && !at[len])
		len++;
	return len;
}

static size_t parse_bts(const uint8_t *at, size_t left, struct packet *packet)
{
	struct mimic_bts record;

	if (left < sizeof(record))
		return 0;
	memcpy(&record, at, sizeof(record));
	packet->seq = record.seq;
	return sealed(packet, record.seal, record.tsc, 0) ? sizeof(record) : 0;
}

static size_t parse_raw(const uint8_t *at, size_t left, struct packet *packet)
{
	struct mimic_raw record;

	if (left < sizeof(record))
		return 0;
	memcpy(&record, at, sizeof(record));
	packet->seq = record.seq;
	if (record.magic != MIMIC_RAW_MAGIC ||
	    !sealed(packet, record.seal, record.tsc, record.dropped))
		return 0;
	return sizeof(record);
}

/* Set the packet form of a PMU of that AUXTRACE_INFO type. */
static void take_info(void *data, uint32_t type)
{
	(void)data;
	parse = type == 1 ? parse_pt : type == 2 ? parse_bts : parse_raw;
}

/* The number of zeros at @at. */
static size_t zeros(const uint8_t *at, size_t left)
{
	size_t n = 0;

	while (n < left && !at[n])
		n++;
	return n;
}

/* Bytes up to the next packet. */
static size_t to_next(const uint8_t *at, size_t left)
{
	struct packet packet;
	size_t n = 0;

	while (n < left && !parse(at + n, left - n, &packet))
		n++;
	return n;
}

static void take_packet(struct found *found, const struct trace_span *span,
			const struct packet *packet)
{
	bool first = !found->packets++;

	if (first) {
		found->stream = packet->stream;
		found->first = packet->seq;
	} else if (packet->stream != found->stream) {
		found->bad++;
	} else if (packet->seq <= found->last) {
		sum.twice++;
	} else {
		found->missing += packet->seq - found->last - 1;
	}
	if (span->cpu != UINT32_MAX && packet->cpu != span->cpu)
		found->bad++;
	found->last = packet->seq;
}

/*
 * Not a packet: padding at the buffer's end, if the form has it, and at the end
 * of the span; anything else is bad.  Returns the bytes to skip.
 */
static size_t take_other(struct found *found, const uint8_t *at, size_t left)
{
	size_t next = to_next(at, left);
	size_t pad_max = next == left || parse != parse_bts ? 7 : 16;

	if (next > pad_max || zeros(at, next) < next)
		found->bad++;
	return next;
}

/*
 * The beginning of the oldest packet may be overwritten; before it there may be
 * zeros.
 */
static size_t take_lead(struct found *found, const uint8_t *at, size_t left)
{
	size_t blank = zeros(at, left);
	size_t lead = to_next(at, left);

	found->lead = lead;
	if (lead > blank && lead - blank >= MIMIC_PT72_UNIT)
		found->bad++;
	return lead;
}

static void search(struct found *found, const struct trace_span *span)
{
	struct packet packet;
	size_t at = take_lead(found, span->payload, span->size);

	while (at < span->size) {
		const uint8_t *here = span->payload + at;
		size_t left = span->size - at;
		size_t len = parse(here, left, &packet);

		if (len) {
			take_packet(found, span, &packet);
			at += len;
		} else {
			at += take_other(found, here, left);
		}
	}
}

/* Count packets that an earlier span of the stream had already. */
static uint64_t count_twice(const struct found *found)
{
	uint64_t twice = 0;
	size_t i;

	for (i = 0; i < nr_intervals; i++) {
		const struct interval *old = &intervals[i];
		uint64_t first, last;

		if (old->stream != found->stream ||
		    (old->file != file_nr && !options.across))
			continue;
		first = old->first > found->first ? old->first : found->first;
		last = old->last < found->last ? old->last : found->last;
		if (first <= last)
			twice += last - first + 1;
	}
	return twice;
}

static void remember(const struct found *found)
{
	intervals = one_more(intervals, nr_intervals, sizeof(*intervals));
	intervals[nr_intervals++] = (struct interval){
		.file = file_nr,
		.stream = found->stream,
		.first = found->first,
		.last = found->last,
	};
}

/* Whether this is the end of the trace at a stop. */
static bool at_stop(const struct found *found)
{
	size_t i;

	for (i = 0; i < options.nr_stops; i++)
		if (options.stops[i].stream == found->stream &&
		    options.stops[i].seq == found->last + 1)
			return true;
	return !options.stops;
}

static void take_span(void *data, const struct trace_span *span)
{
	struct found found = { 0 };
	uint64_t twice = 0;
	bool stale = false;

	(void)data;
	search(&found, span);
	if (found.packets) {
		twice = count_twice(&found);
		stale = !at_stop(&found);
		remember(&found);
	}
	sum.spans++;
	sum.empty += !found.packets;
	sum.packets += found.packets;
	sum.bad += found.bad;
	sum.twice += twice;
	sum.missing += found.missing;
	sum.stale += stale;
	printf("span idx=%u cpu=%d tid=%d offset=%" PRIu64 " size=%" PRIu64
	       " stream=%u packets=%" PRIu64 " first=%" PRIu64 " last=%" PRIu64
	       " lead=%" PRIu64 " missing=%" PRIu64 " bad=%" PRIu64
	       " twice=%" PRIu64 " stale=%d\n",
	       span->idx, (int)span->cpu, (int)span->tid, span->offset,
	       span->size, found.stream, found.packets, found.first, found.last,
	       found.lead, found.missing, found.bad, twice, stale);
}

static int by_first(const void *a, const void *b)
{
	const struct interval *one = a, *two = b;

	if (one->stream != two->stream)
		return one->stream < two->stream ? -1 : 1;
	return one->first < two->first ? -1 : one->first > two->first;
}

/* Count the packets between the spans of the streams, from the start on. */
static uint64_t count_holes(void)
{
	uint64_t holes = 0, next = 0;
	size_t i;

	if (!nr_intervals)
		return 0;
	qsort(intervals, nr_intervals, sizeof(*intervals), by_first);
	for (i = 0; i < nr_intervals; i++) {
		if (!i || intervals[i].stream != intervals[i - 1].stream)
			next = 0;
		if (intervals[i].first > next)
			holes += intervals[i].first - next;
		if (intervals[i].last >= next)
			next = intervals[i].last + 1;
	}
	return holes;
}

static struct aux_sum *aux_sum_of(const struct trace_aux *aux)
{
	size_t i;

	for (i = 0; i < nr_aux_sums; i++)
		if (aux_sums[i].id == aux->id)
			return &aux_sums[i];
	aux_sums = one_more(aux_sums, nr_aux_sums, sizeof(*aux_sums));
	aux_sums[nr_aux_sums] = (struct aux_sum){
		.id = aux->id,
		.cpu = aux->cpu,
		.tid = aux->tid,
	};
	return &aux_sums[nr_aux_sums++];
}

static void take_aux(void *data, const struct trace_aux *aux)
{
	struct aux_sum *as = aux_sum_of(aux);

	(void)data;
	as->records++;
	as->bytes += aux->size;
	as->end = aux->offset + aux->size;
	as->truncated += !!(aux->flags & AUX_TRUNCATED);
	as->overwrite += !!(aux->flags & AUX_OVERWRITE);
	as->partial += !!(aux->flags & AUX_PARTIAL);
	as->collision += !!(aux->flags & AUX_COLLISION);
}

static void print_aux_sums(void)
{
	size_t i;

	for (i = 0; i < nr_aux_sums; i++) {
		const struct aux_sum *as = &aux_sums[i];

		printf("aux id=%" PRIu64 " cpu=%" PRId64 " tid=%" PRId64
		       " records=%" PRIu64 " bytes=%" PRIu64 " end=%" PRIu64
		       " truncated=%" PRIu64 " overwrite=%" PRIu64
		       " partial=%" PRIu64 " collision=%" PRIu64 "\n",
		       as->id, (int64_t)as->cpu, (int64_t)as->tid, as->records,
		       as->bytes, as->end, as->truncated, as->overwrite,
		       as->partial, as->collision);
	}
	free(aux_sums);
	aux_sums = NULL;
	nr_aux_sums = 0;
}

static bool read_stops(const char *path)
{
	FILE *file = fopen(path, "re");
	char line[512];

	if (!file)
		return false;
	while (fgets(line, sizeof(line), file)) {
		struct stop stop;

		if (sscanf(line, "stop %" SCNu16 " %" SCNu64, &stop.stream,
			   &stop.seq) != 2)
			continue;
		options.stops = one_more(options.stops, options.nr_stops,
					 sizeof(*options.stops));
		options.stops[options.nr_stops++] = stop;
	}
	fclose(file);
	return options.nr_stops > 0;
}

static int usage(void)
{
	fputs("usage: check_trace [--gaps] [--across] [--stops FILE] FILE...\n",
	      stderr);
	return 2;
}

/* Returns the index of the first file, or 0 for an unknown option. */
static int read_options(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "--gaps"))
			options.gaps = true;
		else if (!strcmp(argv[i], "--across"))
			options.across = true;
		else if (strcmp(argv[i], "--stops") != 0 || ++i == argc ||
			 !read_stops(argv[i]))
			return 0;
	}
	return i < argc ? i : 0;
}

static bool check_file(const char *path)
{
	static const struct trace_visitor visitor = {
		.info = take_info,
		.span = take_span,
		.aux = take_aux,
	};
	const char *wrong;

	parse = parse_raw;
	wrong = trace_file_walk(path, &visitor);
	file_nr++;
	print_aux_sums();
	if (wrong)
		fprintf(stderr, "check_trace: %s: %s\n", path, wrong);
	return !wrong;
}

int main(int argc, char **argv)
{
	int i = read_options(argc, argv);
	bool readable = true;

	if (!i)
		return usage();
	for (; i < argc; i++)
		readable = check_file(argv[i]) && readable;
	printf("sum files=%u spans=%" PRIu64 " empty=%" PRIu64
	       " packets=%" PRIu64 " bad=%" PRIu64 " twice=%" PRIu64
	       " missing=%" PRIu64 " stale=%" PRIu64 " holes=%" PRIu64 "\n",
	       file_nr, sum.spans, sum.empty, sum.packets, sum.bad, sum.twice,
	       sum.missing, sum.stale, count_holes());
	free(intervals);
	free(options.stops);
	if (!readable)
		return 2;
	return sum.bad || sum.twice || sum.stale ||
	       (sum.missing && !options.gaps);
}
