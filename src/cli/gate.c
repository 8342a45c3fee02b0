/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/gate.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/err.h"
#include "base/text.h"
#include "export/recording.h"
#include "host/table/host.h"
#include "ring/frame/frame.h"
#include "trace/recorded/recorded.h"

/* Warnings that records show, too: those that rbtop's own rings can have. */
static const unsigned int own_warnings = 1u << RING_WARN_THROTTLED |
					 1u << RING_WARN_TRUNCATED;

static int refuse(const char *text, struct err *err)
{
	return err_usage(err, "--fail-on '%s': use lost, lost>N, lost>P%%, "
			 "truncated, throttled, or with --host the name of a "
			 "warning", text);
}

/* "N" or "P%" of "lost>N". */
static int add_limit(struct gate *gate, const char *text, struct err *err)
{
	const char *number = text + strlen("lost>");
	double share;
	char *end;

	size_t digits = strspn(number, "0123456789");
	uint64_t limit;

	errno = 0;
	if (digits && !number[digits]) {
		limit = strtoull(number, NULL, 10);
		gate->on_lost = true;
		gate->lost_limit = MIN(gate->lost_limit, limit);
		return errno ? refuse(text, err) : 0;
	}
	share = strtod(number, &end) / 100;
	if (!digits || strspn(number, "0123456789.") != strlen(number) - 1 ||
	    strcmp(end, "%") != 0 || share >= 1)
		return refuse(text, err);
	gate->share_limit = gate->share_limit < 0 ?
				    share : fmin(gate->share_limit, share);
	return 0;
}

int gate_add(struct gate *gate, const char *text, struct err *err)
{
	if (!gate->given) {
		gate->lost_limit = UINT64_MAX;
		gate->share_limit = -1;
	}
	gate->given = true;
	if (!strcmp(text, "lost")) {
		gate->on_lost = true;
		gate->lost_limit = 0;
		return 0;
	}
	if (!strncmp(text, "lost>", 5))
		return add_limit(gate, text, err);
	for (int i = 0; i < RING_WARNINGS; i++) {
		if (!strcmp(text, ring_warning_name((enum ring_warning)i))) {
			gate->on |= 1u << i;
			return 0;
		}
	}
	return refuse(text, err);
}

int gate_check(const struct gate *gate, bool host, struct err *err)
{
	unsigned int others = gate->on & ~own_warnings;
	int first = 0;

	if (host && gate->given && gate->share_limit >= 0)
		return err_usage(err, "--fail-on lost>%g%% and --host: how "
				 "many records other programs read is unknown; "
				 "give a number", gate->share_limit * 100);
	if (host || !others)
		return 0;
	while (!(others & 1u << first))
		first++;
	return err_usage(err, "--fail-on %s: only other programs' rings have "
			 "this warning; add --host",
			 ring_warning_name((enum ring_warning)first));
}

/* "CPU 1 of perf (4242)"; "CPU 1" of an own ring. */
static void name_ring(const struct ring_row *row, char *buf, size_t size)
{
	char text[64];

	if (row->reads || row->pid < 0)
		snprintf(text, sizeof(text), "%s", row->label);
	else
		snprintf(text, sizeof(text), "%s of %s (%d)", row->label,
			 row->comm, (int)row->pid);
	text_copy(buf, size, text);
}

/*
 * The one that lost most so far, of other programs' that lost most in a tick: it
 * may have lost more before; and its latest advice.
 */
static void see_losses(struct gate *gate, const struct ring_row *row,
		       const struct advice *advice)
{
	double loss = row->reads ? (double)row->lost : row->lost_per_s;
	char where[sizeof(gate->where)];

	if (row->self || !unknown_as_zero(row->lost))
		return;
	name_ring(row, where, sizeof(where));
	if (loss > 0 && loss >= gate->worst) {
		gate->worst = loss;
		if (strcmp(where, gate->where) != 0)
			gate->remedy[0] = '\0';
		memcpy(gate->where, where, sizeof(where));
	}
	if (advice->valid && !strcmp(where, gate->where))
		text_copy(gate->remedy, sizeof(gate->remedy), advice->text);
}

static bool has_warning(const struct ring_row *row, enum ring_warning warning)
{
	const struct ring_stats *stats = row->reads ? &row->reads->stats : NULL;

	if (!stats)
		return row->warnings & 1u << warning;
	return warning == RING_WARN_THROTTLED ?
		       stats->types[RECORD_THROTTLE] > 0 :
		       !row->aux.overwrite && stats->aux.truncated > 0;
}

static void see_warnings(struct gate *gate, const struct ring_row *row)
{
	char where[64], what[200];

	/* of a ring that is not known, only its owner's are */
	gate->judged |= row->reads ? own_warnings :
			row->known ? ~0u :
				     1u << RING_WARN_STOPPED |
					     1u << RING_WARN_MLOCK;
	for (int i = 0; i < RING_WARNINGS; i++) {
		enum ring_warning warning = (enum ring_warning)i;

		if (!(gate->on & ~gate->seen & 1u << i) ||
		    !has_warning(row, warning))
			continue;
		gate->seen |= 1u << i;
		name_ring(row, where, sizeof(where));
		if (!row->reads)
			ring_warning_text(warning, row, what, sizeof(what));
		else if (warning == RING_WARN_TRUNCATED &&
			 row->reads->aux.advice[0])
			snprintf(what, sizeof(what), "AUX ring: %s",
				 row->reads->aux.advice);
		else
			snprintf(what, sizeof(what), "%" PRIu64 " times",
				 warning == RING_WARN_THROTTLED ?
				 row->reads->stats.types[RECORD_THROTTLE] :
				 row->reads->stats.aux.truncated);
		snprintf(gate->first[i], sizeof(gate->first[i]), "%s: %s",
			 where, what);
		text_copy(gate->first[i], sizeof(gate->first[i]),
			  gate->first[i]);
	}
}

/* Losses of other programs count from the first tick that sees them. */
static void see_total(struct gate *gate, const struct ring_row *total)
{
	if (!gate->based && total->lost != UNKNOWN) {
		gate->based = true;
		gate->lost_before = total->reads ? 0 : total->lost;
	}
	gate->lost = total->lost == UNKNOWN ? UNKNOWN :
		     total->lost > gate->lost_before ?
		     total->lost - gate->lost_before : 0;
	gate->records = total->reads ? total->reads->stats.records : UNKNOWN;
}

void gate_see(struct gate *gate, const struct frame *frame)
{
	const struct host *host = frame->nr_rings ? NULL : frame->host;
	const struct ring_row *rows = host ? host->rows : frame->rings;
	size_t nr = host ? host->nr_rows : frame->nr_rings;

	if (host && !host->status.ready)
		return;
	see_total(gate, host ? &host->total.row : &frame->total.row);
	for (size_t i = 0; i < nr; i++) {
		/* all own rings have the same -m */
		see_losses(gate, &rows[i], host ? &rows[i].advice :
			   &frame->total.row.advice);
		see_warnings(gate, &rows[i]);
	}
}

static void see_recorded_ring(struct gate *gate,
			      const struct recorded_ring *ring)
{
	const struct {
		enum ring_warning warning;
		uint64_t nr;
	} seen[] = {
		{ RING_WARN_THROTTLED, ring->throttled },
		{ RING_WARN_TRUNCATED, ring->aux.truncated },
	};
	char name[64];

	recording_ring_name(ring, name, sizeof(name));
	for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
		unsigned int bit = 1u << seen[i].warning;

		if (!seen[i].nr || !(gate->on & ~gate->seen & bit))
			continue;
		gate->seen |= bit;
		snprintf(gate->first[seen[i].warning],
			 sizeof(gate->first[0]), "%s: %" PRIu64 " times", name,
			 seen[i].nr);
	}
	if ((double)recorded_loss(ring) > gate->worst) {
		gate->worst = (double)recorded_loss(ring);
		text_copy(gate->where, sizeof(gate->where), name);
	}
}

int gate_see_recorded(struct gate *gate, const char *path,
		      const struct recorded *recorded, bool counted,
		      struct err *err)
{
	struct recorded_ring total = recorded_total(recorded);
	uint64_t lost, pages = recorded_pages(recorded, &lost);

	if (gate->given && !counted)
		return err_set(err, -ENOTSUP, "%s: --fail-on: compressed "
			       "records were not read: rbtop was built without "
			       "libzstd", path);
	gate->based = true;
	gate->judged = own_warnings;
	gate->lost = recorded_loss(&total);
	gate->records = total.records;
	for (size_t i = 0; i < recorded->nr_rings; i++)
		see_recorded_ring(gate, &recorded->rings[i]);
	if (pages)
		snprintf(gate->remedy, sizeof(gate->remedy),
			 "perf record -m %" PRIu64, pages);
	return 0;
}

/*
 * Write the limit that was exceeded, "lost", "lost>100", "lost>0.5%"; false if
 * none was.
 */
static bool exceeded(const struct gate *gate, char *buf, size_t size)
{
	double all = (double)gate->lost + (double)gate->records;

	if (gate->on_lost && gate->lost > gate->lost_limit) {
		if (gate->lost_limit)
			snprintf(buf, size, "lost>%" PRIu64, gate->lost_limit);
		else
			snprintf(buf, size, "lost");
		return true;
	}
	if (gate->share_limit < 0 || !gate->lost ||
	    (double)gate->lost <= gate->share_limit * all)
		return false;
	snprintf(buf, size, "lost>%g%%", gate->share_limit * 100);
	return true;
}

static int fail_on_losses(const struct gate *gate, const char *limit,
			  struct err *err)
{
	char of[40] = "";

	if (gate->records != UNKNOWN)
		snprintf(of, sizeof(of), " of %" PRIu64,
			 gate->lost + gate->records);
	err_set(err, -EIO, "failed on %s: %" PRIu64 "%s record%s lost%s%s%s%s",
		limit, gate->lost, of, gate->lost == 1 && !of[0] ? "" : "s",
		gate->where[0] ? "; worst ring: " : "",
		gate->where, gate->remedy[0] ? "; " : "", gate->remedy);
	return 1;
}

/* Unknown losses must not pass as none. */
static int refuse_unknown(const struct gate *gate, bool lost, struct err *err)
{
	unsigned int unknown = gate->on & ~gate->judged & ~gate->seen;
	int first = 0;

	if (lost && (!gate->based || gate->lost == UNKNOWN || !gate->judged))
		return err_set(err, -ENODATA, "--fail-on lost: losses are "
			       "unknown: no ring that counts them could be "
			       "read");
	if (!unknown)
		return 0;
	while (!(unknown & 1u << first))
		first++;
	return err_set(err, -ENODATA, "--fail-on %s: unknown: no ring that "
		       "shows it could be read",
		       ring_warning_name((enum ring_warning)first));
}

int gate_judge(const struct gate *gate, struct err *err)
{
	bool lost = gate->on_lost || (gate->given && gate->share_limit >= 0);
	char limit[40];

	if (!gate->given)
		return 0;
	if (lost && gate->based && gate->lost != UNKNOWN &&
	    exceeded(gate, limit, sizeof(limit)))
		return fail_on_losses(gate, limit, err);
	for (int i = 0; i < RING_WARNINGS; i++) {
		if (!(gate->seen & 1u << i))
			continue;
		err_set(err, -EIO, "failed on %s: %s",
			ring_warning_name((enum ring_warning)i),
			gate->first[i]);
		return 1;
	}
	return refuse_unknown(gate, lost, err);
}
