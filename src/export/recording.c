/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/recording.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/text.h"
#include "base/units.h"
#include "export/export.h"
#include "export/json_put.h"
#include "perf/event/event_names.h"
#include "ring/advice.h"
#include "trace/perfdata/perfdata_format.h"
#include "trace/perfdata/perfdata_reader.h"
#include "trace/recorded/recorded.h"

#define NSEC 1e9
#define OWN_SHARE 0.2 /* of perf's own samples, from which they are worth saying */

enum { LINE = 4096, NAME = 128, CELL = 32 };

/* perf's name, or the number. */
static const char *type_name(uint32_t type, char *buf, size_t size)
{
	const char *name = perfdata_record_name(type);

	if (name)
		return name;
	snprintf(buf, size, "%" PRIu32, type);
	return buf;
}

/* As in the file; else perf's name for the number, or that number. */
static const char *event_name(const struct perfdata_event_info *event,
			      char *buf, size_t size)
{
	if (event->name[0])
		return event->name;
	if (event_names_of(event->type, event->config, buf, size))
		return buf;
	if (event->type == PERF_TYPE_TRACEPOINT)
		snprintf(buf, size, "tracepoint:%" PRIu64, event->config);
	else
		snprintf(buf, size, "type %" PRIu32 ", config 0x%" PRIx64,
			 event->type, event->config);
	return buf;
}

const char *recording_ring_name(const struct recorded_ring *ring, char *buf,
				size_t size)
{
	if (ring->origin == PERFDATA_OF_CPU)
		snprintf(buf, size, "CPU %" PRIu32, ring->nr);
	else if (ring->origin == PERFDATA_OF_TASK)
		snprintf(buf, size, "tid %" PRIu32, ring->nr);
	else
		snprintf(buf, size, "unknown ring");
	return buf;
}

/* In seconds; NAN: no record has a time. */
static double duration_of(const struct recorded *r)
{
	return r->first == UNKNOWN ? (double)NAN :
				     (double)(r->last - r->first) / NSEC;
}

static double seconds_of(uint64_t time)
{
	return time == UNKNOWN ? (double)NAN : (double)time / NSEC;
}

/* Seconds since the start. */
static double since(const struct recorded *r, uint64_t time)
{
	return time == UNKNOWN ? (double)NAN : (double)(time - r->first) / NSEC;
}

static uint64_t worst_lost(const struct recorded_losses *losses)
{
	return losses->worst == UNKNOWN ? UNKNOWN : losses->worst_lost;
}

/* Whether AUX rings were recorded. */
static bool has_aux(const struct recorded_aux *aux)
{
	return aux->records || aux->trace;
}

/* If compressed records could not be read, no count of what they hold. */
static bool is_counted(const struct recording *r)
{
	return !perfdata_reader_info(r->reader)->compressed_unread;
}

static uint64_t if_counted(const struct recording *r, uint64_t count)
{
	return is_counted(r) ? count : UNKNOWN;
}

struct text {
	FILE *out;
	bool wrapped;
};

__attribute__((format(printf, 2, 3)))
static void put_line(const struct text *t, const char *fmt, ...)
{
	char line[LINE];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line) - 1, fmt, ap);
	va_end(ap);
	text_sanitize(line);
	strcat(line, "\n");
	if (t->wrapped)
		text_put_wrapped(line, t->out);
	else
		fputs(line, t->out);
}

/* "12.3 s", "-". */
static const char *duration_text(double seconds, char *buf, size_t size)
{
	if (isfinite(seconds))
		snprintf(buf, size, "%.3f s", seconds);
	else
		snprintf(buf, size, "duration unknown");
	return buf;
}

static uint64_t ring_size_of(const struct recording *r)
{
	return recorded_ring_size(r->recorded,
				  perfdata_reader_info(r->reader)->ring_size);
}

/* "only from 5123.2 s to 5124.7 s of its clock is counted (--time)" */
static void put_span(const struct recorded_span *span, const struct text *t)
{
	char from[CELL] = "the start", to[CELL] = "the end";

	if (span->from)
		snprintf(from, sizeof(from), "%.6f s", seconds_of(span->from));
	if (span->to != UNKNOWN)
		snprintf(to, sizeof(to), "%.6f s", seconds_of(span->to));
	if (span->given)
		put_line(t, "only from %s to %s of its clock is counted "
			 "(--time)", from, to);
}

/* Who recorded what and where, as far as the file has it. */
static void put_heading(const struct recording *r, const struct text *t)
{
	const struct perfdata_info *info = perfdata_reader_info(r->reader);
	char line[LINE] = "", duration[CELL];

	if (info->version[0])
		/* others than perf begin with their name */
		text_append(line, sizeof(line), ", %s%s",
			    info->version[0] >= '0' && info->version[0] <= '9' ?
				    "perf " : "", info->version);
	if (info->hostname[0])
		text_append(line, sizeof(line), " on %s", info->hostname);
	if (info->arch[0])
		text_append(line, sizeof(line), " (%s)", info->arch);
	if (info->cmdline[0])
		text_append(line, sizeof(line), ": %s", info->cmdline);
	put_line(t, "%s: %s%s", r->path,
		 duration_text(duration_of(r->recorded), duration,
			       sizeof(duration)), line);
	put_span(&r->recorded->span, t);
	if (info->unfinished)
		put_line(t, "the file is unfinished: its writer was killed, "
			 "and the last records may be missing");
	if (info->compressed_unread)
		put_line(t, "%" PRIu64 " compressed records not decompressed: "
			 "this rbtop was built without libzstd",
			 info->compressed_unread);
	if (ring_size_of(r) != UNKNOWN)
		put_line(t, "each ring had %s: -m in the recording's command line",
			 units_bytes(line, CELL, (double)ring_size_of(r)));
	if (r->recorded->left_out)
		put_line(t, "%s", recorded_left_out(r->recorded, line,
						    sizeof(line)));
}

static void put_types(const struct recorded *r, const struct text *t)
{
	char name[CELL];

	put_line(t, "%10" PRIu64 " records", r->records);
	for (size_t i = 0; i < r->nr_types; i++)
		put_line(t, "%10" PRIu64 " %s", r->types[i].records,
			 type_name(r->types[i].type, name, sizeof(name)));
	if (r->other_types)
		put_line(t, "%10" PRIu64 " of other types", r->other_types);
}

static void put_events(const struct recording *r, const struct text *t)
{
	const struct perfdata_event_info *event;
	char name[NAME];

	for (size_t i = 0; i < r->recorded->nr_samples; i++) {
		event = perfdata_reader_event(r->reader, i);
		if (event && r->recorded->samples[i])
			put_line(t, "%10" PRIu64 " samples of %s",
				 r->recorded->samples[i],
				 event_name(event, name, sizeof(name)));
	}
	if (r->recorded->eventless)
		put_line(t, "%10" PRIu64 " samples of unknown events",
			 r->recorded->eventless);
}

static void put_part(char *line, size_t size, const char *part)
{
	text_append(line, size, "%s%s", *line ? "; " : "", part);
}

/* "perf (123) 64%; dd (124) 35%; others 1%" */
static void put_pids(const struct recording *r, const struct text *t)
{
	enum { LISTED = 4 };
	struct top_pid top[TOP_PIDS];
	unsigned int nr = recorded_pids_sorted(r->pids, top);
	double all = (double)r->pids->samples, left = all;
	char line[LINE] = "", part[NAME];

	for (unsigned int i = 0; i < nr && i < LISTED &&
				 top[i].samples > top[i].error; i++) {
		const char *comm = recorded_pids_comm(r->pids, top[i].pid);

		snprintf(part, sizeof(part), "%s (%d) %.3g%%", *comm ? comm :
			 top[i].pid ? "unknown" : "idle", top[i].pid,
			 100 * (double)top[i].samples / all);
		put_part(line, sizeof(line), part);
		left -= (double)top[i].samples;
	}
	if (!*line)
		return;
	if (left >= all / 1000) {
		snprintf(part, sizeof(part), "others %.3g%%", 100 * left / all);
		put_part(line, sizeof(line), part);
	}
	put_line(t, "samples by process: %s", line);
}

static const char *count_text(uint64_t count, char *buf, size_t size)
{
	if (count == UNKNOWN)
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%" PRIu64, count);
	return buf;
}

static const char *bytes_text(uint64_t bytes, char *buf, size_t size)
{
	return units_bytes(buf, size, unknown_as_nan(bytes));
}

/* " ", and right-aligned @text; "" if it is NULL. */
static const char *optional_cell(const char *text, char *buf, size_t size)
{
	*buf = '\0';
	if (text)
		snprintf(buf, size, " %11s", text);
	return buf;
}

/* @lost_samples: NULL if no ring has any. */
static void put_ring(const struct recorded_ring *ring, const char *name,
		     uint64_t lost, const uint64_t *lost_samples,
		     const struct text *t)
{
	char cells[3][CELL], count[CELL], cell[CELL + 16];

	put_line(t, "%-14s %10" PRIu64 " %6s %10" PRIu64 " %9s%s %9" PRIu64
		 " %6s", name, ring->records,
		 bytes_text(ring->bytes, cells[0], CELL), ring->samples,
		 count_text(lost, cells[1], CELL),
		 optional_cell(lost_samples ?
				       count_text(*lost_samples, count, CELL) :
				       NULL, cell, sizeof(cell)),
		 ring->throttled,
		 bytes_text(ring->max_round, cells[2], CELL));
}

static void put_rings(const struct recorded *r, const struct text *t)
{
	struct recorded_ring total = recorded_total(r);
	bool samples = total.lost_samples;
	uint64_t lost_samples;
	char name[CELL], cell[CELL];

	if (!r->nr_rings)
		return;
	put_line(t, "%-14s %10s %6s %10s %9s%s %9s %6s", "RING", "RECORDS",
		 "BYTES", "SAMPLES", "LOST",
		 optional_cell(samples ? "LOSTSAMPLES" : NULL, cell, CELL),
		 "THROTTLED", "ROUND");
	for (size_t i = 0; i < r->nr_rings; i++) {
		lost_samples = recorded_lost_samples(r, &r->rings[i]);
		put_ring(&r->rings[i],
			 recording_ring_name(&r->rings[i], name, sizeof(name)),
			 recorded_lost(r, &r->rings[i]),
			 samples ? &lost_samples : NULL, t);
	}
	put_ring(&total, "total", total.lost,
		 samples ? &total.lost_samples : NULL, t);
}

static const char *since_text(const struct recorded *r, uint64_t time,
			      char *buf, size_t size)
{
	if (time == UNKNOWN)
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%.3fs", since(r, time));
	return buf;
}

/* When each ring lost records, since the start, and its largest loss. */
static void put_losses(const struct recorded *r, const struct text *t)
{
	enum { LISTED = 10 };
	char name[CELL], first[CELL], worst[CELL], last[CELL], lost[CELL];
	size_t nr = 0;

	for (size_t i = 0; i < r->nr_rings; i++) {
		const struct recorded_ring *ring = &r->rings[i];
		const struct recorded_losses *of = &ring->losses;

		if (!of->records || nr++ >= LISTED)
			continue;
		if (nr == 1)
			put_line(t, "%-14s %10s %10s %10s %10s %10s", "LOSSES",
				 "CHUNKS", "FIRST AT", "LAST AT", "LARGEST AT",
				 "LARGEST");
		put_line(t, "%-14s %10" PRIu64 " %10s %10s %10s %10s",
			 recording_ring_name(ring, name, sizeof(name)),
			 of->records, since_text(r, of->first, first, CELL),
			 since_text(r, of->last, last, CELL),
			 since_text(r, of->worst, worst, CELL),
			 count_text(worst_lost(of), lost, CELL));
	}
	if (nr > LISTED)
		put_line(t, "and %zu more rings", nr - LISTED);
}

/*
 * The losses that each size would have had, up to the first that is enough.  If
 * nothing was lost it is left out: at a low rate it would be misleading, since
 * perf is woken earlier for a smaller ring.
 */
static void put_what_if(const struct recorded *r, const struct text *t)
{
	const struct recorded_ring total = recorded_total(r);
	struct recorded_size sizes[RECORDED_SIZES];
	size_t nr = recorded_loss(&total) ? recorded_what_if(r, sizes) : 0;
	char size[CELL], setting[CELL];

	if (nr)
		put_line(t, "%-17s %11s %12s %13s", "IF EACH RING HAD",
			 "WOULD LOSE*", "RINGS LOSING", "DRAINS LOSING");
	for (size_t i = 0; i < nr; i++) {
		snprintf(setting, sizeof(setting), "-m %u (%s)", 1u << i,
			 bytes_text((uint64_t)RECORDED_PAGE << i, size, CELL));
		put_line(t, "%-17s %11.0f %12zu %13" PRIu64, setting,
			 ceil(sizes[i].lost), sizes[i].rings, sizes[i].rounds);
	}
	if (nr)
		put_line(t, "* with the same drain times; perf wakes at half of a ring, smaller ones sooner");
	else if (recorded_loss(&total) && total.max_round == UNKNOWN)
		put_line(t, "no table of other sizes: without FINISHED_ROUND records, drains are unknown");
}

static void put_aux(const struct recorded *r, const struct text *t)
{
	char name[CELL], bytes[2][CELL];

	for (size_t i = 0; i < r->nr_rings; i++) {
		const struct recorded_aux *aux = &r->rings[i].aux;

		if (!has_aux(aux))
			continue;
		put_line(t, "AUX of %s: %s reported in %" PRIu64 " records, "
			 "%s in the file; %" PRIu64 " truncated, %" PRIu64
			 " overwrite, %" PRIu64 " partial, %" PRIu64
			 " collision",
			 recording_ring_name(&r->rings[i], name, sizeof(name)),
			 bytes_text(aux->bytes, bytes[0], CELL), aux->records,
			 bytes_text(aux->trace, bytes[1], CELL),
			 aux->truncated, aux->overwrite, aux->partial,
			 aux->collision);
	}
}

/* "CPU 3 (1234), CPU 0 (12)": those with the largest losses. */
static void list_worst(const struct recorded *r, char *line, size_t size)
{
	enum { LISTED = 3 };
	char name[CELL];
	size_t nr = 0;

	for (size_t i = 0; i < r->nr_rings; i++) {
		const struct recorded_ring *ring = &r->rings[i];

		if (!ring->lost)
			continue;
		if (nr++ < LISTED)
			text_append(line, size, "%s%s (%" PRIu64 ")",
				    nr == 1 ? "" : ", ",
				    recording_ring_name(ring, name, sizeof(name)),
				    ring->lost);
	}
	if (nr > LISTED)
		text_append(line, size, " and %zu more", nr - LISTED);
}

/* "-m 128 would have lost nothing here; -m 512 also holds ", or "". */
static const char *enough_text(const struct recording *r, uint64_t pages,
			       char *buf, size_t size)
{
	struct recorded_size sizes[RECORDED_SIZES];
	size_t nr = recorded_what_if(r->recorded, sizes);
	uint64_t enough = nr ? UINT64_C(1) << (nr - 1) : pages;

	*buf = '\0';
	/* of the size that did lose, the estimate is wrong */
	if (enough < pages && (ring_size_of(r) == UNKNOWN ||
			       enough * RECORDED_PAGE > ring_size_of(r)))
		snprintf(buf, size, "-m %" PRIu64 " would have lost nothing "
			 "here; -m %" PRIu64 " also holds ", enough, pages);
	return buf;
}

static void put_advice(const struct recording *r, const struct text *t)
{
	struct recorded_ring total = recorded_total(r->recorded);
	uint64_t lost, pages = is_counted(r) ?
				       recorded_pages(r->recorded, &lost) : 0;
	char bytes[CELL], size[CELL], enough[NAME];

	if (is_counted(r) && total.lost && total.burst != UNKNOWN && !pages)
		put_line(t, "next time: no size of the rings is enough, as "
			 "more than %s was lost at once: perf was stopped or "
			 "got no CPU", bytes_text((uint64_t)RECORDED_PAGES_MAX *
						  RECORDED_PAGE, size, CELL));
	if (!pages)
		return;
	bytes_text(pages * RECORDED_PAGE, size, CELL);
	enough_text(r, pages, enough, sizeof(enough));
	if (lost && pages == RECORDED_PAGES_MAX)
		put_line(t, "next time: perf record -m %" PRIu64 " (%s per "
			 "ring), the largest size worth trying: %s was lost at "
			 "once, so perf got no CPU for long", pages, size,
			 bytes_text(lost, bytes, CELL));
	else if (lost)
		put_line(t, "next time: perf record -m %" PRIu64 " (%s per "
			 "ring): %stwice the %s that was lost at once, and the "
			 "largest round; then check again: it may need more",
			 pages, size, enough, bytes_text(lost, bytes, CELL));
	else
		put_line(t, "next time: perf record -m %" PRIu64 " (%s per "
			 "ring): %stwice the %s that arrived within the 10 ms "
			 "that its reader may wait for a CPU; then check "
			 "again: it may need more", pages, size, enough,
			 bytes_text(total.burst, bytes, CELL));
}

/* A summary of the losses. */
/* "nothing ...; CPU 1 came closest to it: 335K of 512K was unread" */
static const char *nothing_lost(const struct recording *r, char *buf,
				size_t size)
{
	const struct recorded *of = r->recorded;
	const struct recorded_ring *most = NULL;
	char name[CELL], waited[CELL], all[CELL];

	for (size_t i = 0; i < of->nr_rings; i++)
		if (of->rings[i].max_round != UNKNOWN &&
		    (!most || of->rings[i].max_round > most->max_round))
			most = &of->rings[i];
	snprintf(buf, size, "nothing, according to the recording's own counts");
	if (most && ring_size_of(r) != UNKNOWN)
		text_append(buf, size, "; %s came closest: %s of %s was unread",
			    recording_ring_name(most, name, sizeof(name)),
			    bytes_text(MIN(most->max_round, ring_size_of(r)),
				       waited, CELL),
			    bytes_text(ring_size_of(r), all, CELL));
	return buf;
}

static void put_verdict(const struct recording *r, const struct text *t)
{
	const struct recorded *of = r->recorded;
	struct recorded_ring total = recorded_total(of);
	const struct advice_aux_input aux = {
		.size = perfdata_reader_info(r->reader)->aux_size,
		.page_size = RECORDED_PAGE,
		.truncated = total.aux.truncated,
	};
	char line[LINE] = "", part[LINE];

	if (total.lost) {
		snprintf(part, sizeof(part), "%" PRIu64 " records (%.1f%% of "
			 "all records of the rings) because rings were full: ",
			 total.lost, 100 * (double)total.lost /
			 ((double)total.lost + (double)total.records));
		list_worst(of, part, sizeof(part));
		put_part(line, sizeof(line), part);
	}
	if (total.lost_samples) {
		if (total.lost == total.lost_samples)
			snprintf(part, sizeof(part), "the counts of their "
				 "events confirm it");
		else
			snprintf(part, sizeof(part), "%" PRIu64 " samples by "
				 "LOST_SAMPLES%s", total.lost_samples,
				 total.lost ? ", probably the same losses" : "");
		put_part(line, sizeof(line), part);
	}
	if (total.aux.truncated) {
		snprintf(part, sizeof(part), "AUX trace: truncated %" PRIu64 " "
			 "times", total.aux.truncated);
		put_part(line, sizeof(line), part);
		if (aux.size != UNKNOWN && !total.aux.overwrite) {
			advice_make_aux(&aux, part, sizeof(part));
			put_part(line, sizeof(line), part);
		}
	}
	if (total.aux.partial) {
		snprintf(part, sizeof(part), "AUX trace: gaps in %" PRIu64
			 " records", total.aux.partial);
		put_part(line, sizeof(line), part);
	}
	if (total.aux.collision) {
		snprintf(part, sizeof(part), "AUX trace: %" PRIu64 " records "
			 "with collisions of samples", total.aux.collision);
		put_part(line, sizeof(line), part);
	}
	if (!is_counted(r))
		put_part(line, sizeof(line), "unknown: compressed records were "
			 "not read");
	else if (!*line)
		put_part(line, sizeof(line), nothing_lost(r, part,
							  sizeof(part)));
	if (r->damage)
		put_part(line, sizeof(line), "everything after the damage");
	put_line(t, "lost: %s", line);
	put_advice(r, t);
}

/* perf's own system calls, as an example, are traced, too. */
static void put_own(const struct recording *r, const struct text *t)
{
	const struct perfdata_event_info *event;
	struct top_pid top[TOP_PIDS];
	unsigned int nr = recorded_pids_sorted(r->pids, top);
	double share;
	bool tracepoints = false;

	for (size_t i = 0; (event = perfdata_reader_event(r->reader, i)); i++)
		tracepoints |= event->type == PERF_TYPE_TRACEPOINT;
	if (!nr || !tracepoints || !recorded_total(r->recorded).lost ||
	    strcmp(recorded_pids_comm(r->pids, top[0].pid), "perf") != 0)
		return;
	share = (double)(top[0].samples - top[0].error) /
		(double)r->pids->samples;
	if (share > OWN_SHARE)
		put_line(t, "%.0f%% of the samples are from perf itself: its "
			 "option --exclude-perf, after -e, leaves them out",
			 100 * share);
}

void recording_put_text(const struct recording *r, bool wrapped, FILE *out)
{
	const struct text t = { out, wrapped };
	const struct text table = { out, false };
	struct recorded_ring total = recorded_total(r->recorded);

	put_heading(r, &t);
	put_types(r->recorded, &t);
	put_events(r, &t);
	put_pids(r, &t);
	if (is_counted(r)) {
		put_rings(r->recorded, &table);
		put_losses(r->recorded, &table);
		put_what_if(r->recorded, &table);
	}
	put_aux(r->recorded, &t);
	put_verdict(r, &t);
	put_own(r, &t);
	if (is_counted(r) && total.losses.first != UNKNOWN)
		put_line(&t, "rbtop -i FILE plays it: } goes to the next loss, "
			     "{ to the previous, ! to the worst");
}

static const char *form_name(enum perfdata_form form)
{
	switch (form) {
	case PERFDATA_FORM_FILE:
		return "file";
	case PERFDATA_FORM_V1:
		return "file version 1";
	case PERFDATA_FORM_PIPE:
		return "pipe";
	case PERFDATA_FORM_DIRECTORY:
		return "directory";
	}
	return "";
}

static void json_heading(const struct recording *r, struct json_put *o)
{
	const struct perfdata_info *info = perfdata_reader_info(r->reader);
	const struct recorded *of = r->recorded;

	json_put_count(o, "version", 1);
	json_put_text(o, "source", "recording");
	json_put_text(o, "file", r->path);
	json_put_text(o, "form", form_name(info->form));
	json_put_text(o, "byte_order", info->big_endian ? "big" : "little");
	json_put_bool(o, "finished", !info->unfinished);
	json_put_text_set(o, "damage", r->damage ? r->damage : "");
	json_put_text_set(o, "perf", info->version);
	json_put_text_set(o, "host", info->hostname);
	json_put_text_set(o, "os_release", info->os_release);
	json_put_text_set(o, "arch", info->arch);
	json_put_count(o, "cpus", info->cpus);
	json_put_text_set(o, "cmdline", info->cmdline);
	json_put_count(o, "ring_size", ring_size_of(r));
	json_put_count(o, "aux_ring_size",
		       perfdata_reader_info(r->reader)->aux_size);
	json_put_number(o, "first", seconds_of(of->first));
	json_put_number(o, "last", seconds_of(of->last));
	json_put_number(o, "duration", duration_of(of));
	json_put_count(o, "records", of->records);
	json_put_count(o, "bytes", of->bytes);
	json_put_count(o, "left_out", of->left_out);
	json_put_count(o, "compressed_unread", info->compressed_unread);
	json_put_count(o, "rounds", of->rounds ? of->rounds : UNKNOWN);
}

static void json_types(const struct recorded *r, struct json_put *o)
{
	struct json_put types = json_put_object(o, "types");
	char name[CELL];

	for (size_t i = 0; i < r->nr_types; i++)
		json_put_count(&types,
			       type_name(r->types[i].type, name, sizeof(name)),
			       r->types[i].records);
	if (r->other_types)
		json_put_count(&types, "other", r->other_types);
	json_put_end(&types);
}

static void json_events(const struct recording *r, struct json_put *o)
{
	struct json_put events = json_put_array(o, "events"), one;
	const struct perfdata_event_info *event;
	char name[NAME];

	for (size_t i = 0; (event = perfdata_reader_event(r->reader, i)); i++) {
		one = json_put_object(&events, NULL);
		json_put_text(&one, "name",
			      event_name(event, name, sizeof(name)));
		json_put_count(&one, "type", event->type);
		json_put_count(&one, "config", event->config);
		json_put_count(&one, "samples",
			       if_counted(r, i < r->recorded->nr_samples ?
						     r->recorded->samples[i] :
						     0));
		json_put_end(&one);
	}
	json_put_end(&events);
}

static void json_pids(const struct recording *r, struct json_put *o)
{
	struct json_put pids = json_put_array(o, "processes"), one;
	struct top_pid top[TOP_PIDS];
	unsigned int nr = recorded_pids_sorted(r->pids, top);

	for (unsigned int i = 0; i < nr; i++) {
		const char *comm = recorded_pids_comm(r->pids, top[i].pid);

		one = json_put_object(&pids, NULL);
		json_put_number(&one, "pid", top[i].pid);
		json_put_text_set(&one, "comm", comm);
		json_put_count(&one, "samples", top[i].samples);
		json_put_count(&one, "error", top[i].error);
		json_put_end(&one);
	}
	json_put_end(&pids);
}

static void json_aux(const struct recorded_aux *aux, struct json_put *o)
{
	struct json_put of;

	if (!has_aux(aux)) {
		json_put_null(o, "aux");
		return;
	}
	of = json_put_object(o, "aux");
	json_put_count(&of, "records", aux->records);
	json_put_count(&of, "bytes", aux->bytes);
	json_put_count(&of, "truncated", aux->truncated);
	json_put_count(&of, "overwrite", aux->overwrite);
	json_put_count(&of, "partial", aux->partial);
	json_put_count(&of, "collision", aux->collision);
	json_put_count(&of, "trace_bytes", aux->trace);
	json_put_end(&of);
}

static void json_losses(const struct recording *r,
			const struct recorded_losses *losses,
			struct json_put *o)
{
	const struct recorded_losses of = is_counted(r) ? *losses :
		(struct recorded_losses){ UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN,
					  UNKNOWN };

	json_put_count(o, "lost_chunks", of.records);
	json_put_number(o, "lost_first", since(r->recorded, of.first));
	json_put_number(o, "lost_worst", since(r->recorded, of.worst));
	json_put_count(o, "lost_worst_records", worst_lost(&of));
	json_put_number(o, "lost_last", since(r->recorded, of.last));
}

static void json_ring(const struct recording *r,
		      const struct recorded_ring *ring, uint64_t lost,
		      uint64_t lost_samples, struct json_put *o)
{
	json_put_count(o, "records", if_counted(r, ring->records));
	json_put_count(o, "bytes", if_counted(r, ring->bytes));
	json_put_count(o, "samples", if_counted(r, ring->samples));
	json_put_count(o, "lost", if_counted(r, lost));
	json_put_count(o, "lost_samples", if_counted(r, lost_samples));
	json_losses(r, &ring->losses, o);
	json_put_count(o, "filtered", if_counted(r, ring->filtered));
	json_put_count(o, "throttled", if_counted(r, ring->throttled));
	json_put_count(o, "unthrottled", if_counted(r, ring->unthrottled));
	json_put_count(o, "max_round", if_counted(r, ring->max_round));
	json_put_count(o, "burst", if_counted(r, ring->burst));
	json_aux(&ring->aux, o);
}

static void json_advice(const struct recording *r, struct json_put *o)
{
	uint64_t lost, pages = is_counted(r) ?
				       recorded_pages(r->recorded, &lost) : 0;
	struct json_put advice;
	char setting[40];

	if (!pages) {
		json_put_null(o, "advice");
		return;
	}
	snprintf(setting, sizeof(setting), "perf record -m %" PRIu64, pages);
	advice = json_put_object(o, "advice");
	json_put_count(&advice, "pages", pages);
	json_put_text(&advice, "setting", setting);
	json_put_end(&advice);
}

static void json_what_if(const struct recording *r, struct json_put *o)
{
	struct recorded_size sizes[RECORDED_SIZES];
	size_t nr = is_counted(r) ? recorded_what_if(r->recorded, sizes) : 0;
	struct json_put all, one;

	if (!nr) {
		json_put_null(o, "what_if");
		return;
	}
	all = json_put_array(o, "what_if");
	for (size_t i = 0; i < nr; i++) {
		one = json_put_object(&all, NULL);
		json_put_count(&one, "pages", UINT64_C(1) << i);
		json_put_number(&one, "records_lost", ceil(sizes[i].lost));
		json_put_count(&one, "rings", sizes[i].rings);
		json_put_count(&one, "rounds", sizes[i].rounds);
		json_put_end(&one);
	}
	json_put_end(&all);
}

static void json_id(struct json_put *o, const char *key, bool has, uint32_t nr)
{
	json_put_count(o, key, has ? nr : UNKNOWN);
}

static void json_rings(const struct recording *r, struct json_put *o)
{
	struct recorded_ring total = recorded_total(r->recorded);
	struct json_put rings = json_put_array(o, "rings"), one;

	for (size_t i = 0; i < r->recorded->nr_rings; i++) {
		const struct recorded_ring *ring = &r->recorded->rings[i];

		one = json_put_object(&rings, NULL);
		json_id(&one, "cpu", ring->origin == PERFDATA_OF_CPU, ring->nr);
		json_id(&one, "tid", ring->origin == PERFDATA_OF_TASK,
			ring->nr);
		json_ring(r, ring, recorded_lost(r->recorded, ring),
			  recorded_lost_samples(r->recorded, ring), &one);
		json_put_end(&one);
	}
	json_put_end(&rings);
	one = json_put_object(o, "total");
	json_ring(r, &total, total.lost, total.lost_samples, &one);
	json_advice(r, &one);
	json_put_end(&one);
}

int recording_put_json(const struct recording *r, FILE *out)
{
	struct json_text text = { 0 };
	struct json_put o = json_put_begin(&text);

	json_heading(r, &o);
	json_types(r->recorded, &o);
	json_events(r, &o);
	json_pids(r, &o);
	json_rings(r, &o);
	json_what_if(r, &o);
	json_put_end(&o);
	if (!text.failed) {
		fwrite(text.text, 1, text.len, out);
		fputc('\n', out);
	}
	free(text.text);
	return text.failed ? -ENOMEM : 0;
}
