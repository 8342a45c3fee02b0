/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/advice.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "ring/ring_row.h"

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[VERDICTS] = {
		[VERDICT_UNKNOWN] = "",
		[VERDICT_OVERWRITE] = "overwrite",
		[VERDICT_OK] = "ok",
		[VERDICT_PARKED] = "parked",
		[VERDICT_OFTEN] = "woken too often",
		[VERDICT_THROTTLED] = "throttled",
		[VERDICT_TIGHT] = "tight",
		[VERDICT_LATE] = "reader late",
		[VERDICT_PAUSED] = "paused",
		[VERDICT_TRUNCATED] = "AUX truncated",
		[VERDICT_TOO_SMALL] = "too small",
		[VERDICT_CANNOT_FIT] = "cannot fit",
		[VERDICT_UNSCHEDULED] = "reader not scheduled",
		[VERDICT_TOO_SLOW] = "reader too slow",
		[VERDICT_STUCK] = "reader stuck",
	};

	return names[verdict];
}

static bool is_truncated(const struct ring_row *row)
{
	if (!row->reads)
		return row->warnings & 1u << RING_WARN_TRUNCATED;
	return !row->aux.overwrite && row->reads->stats.aux.truncated;
}

/* rbtop drains its own rings every tick. */
static bool is_parked(const struct ring_row *row)
{
	return !row->reads && row->known && !row->overwrite && !row->gone &&
	       row->kind == RING_PERF && row->used && !row->woken &&
	       row->undrained >= RING_UNDRAINED;
}

static bool is_late(const struct ring_row *row)
{
	return !row->reads && !row->gone &&
	       row->warnings & 1u << RING_WARN_UNDRAINED;
}

/*
 * Wakeups a second that cost some percent of a CPU, at several us each for waker
 * and reader, and the part of the ring for which one is worth while.
 */
static const double often = 5000, worth = 1.0 / 64;

bool verdict_is_often(const struct ring_row *row, bool was)
{
	double times = was ? 2 : 1;

	return row->known && !row->overwrite && !row->gone &&
	       row->wakeups_per_s >= often / times &&
	       row->bytes_per_s < row->wakeups_per_s * worth * times *
					  (double)row->size;
}

static bool is_woken_often(const struct ring_row *row)
{
	return row->reads ? verdict_is_often(row, false) :
			    !row->gone && row->often >= RING_UNDRAINED;
}

enum verdict verdict_of(const struct ring_row *row)
{
	enum verdict of_size = row->advice.verdict;

	if (row->sum)
		return of_size;
	if (row->paused)
		return VERDICT_PAUSED;
	if (of_size > VERDICT_TRUNCATED)
		return of_size;
	if (is_truncated(row))
		return VERDICT_TRUNCATED;
	if (is_late(row) && of_size < VERDICT_LOSS)
		return VERDICT_LATE;
	if (of_size > VERDICT_THROTTLED)
		return of_size;
	if (row->warnings & 1u << RING_WARN_THROTTLED)
		return VERDICT_THROTTLED;
	if (is_woken_often(row))
		return VERDICT_OFTEN;
	return is_parked(row) ? VERDICT_PARKED : of_size;
}

/*
 * "its reader has drained nothing for 12s: 120K of 256K used; full in 8s at this
 * rate"
 */
static void write_late(const struct ring_row *row, char *buf, size_t size)
{
	double left = (double)ring_delta(row->size, row->used);
	char used[8], all[8], time[8];

	snprintf(buf, size, "its reader has drained nothing for %s: %s of %s used",
		 units_duration(time, sizeof(time), row->undrained),
		 units_bytes(used, sizeof(used), (double)row->used),
		 units_bytes(all, sizeof(all), (double)row->size));
	if (row->bytes_per_s > 0)
		text_append(buf, size, "; full in %s at this rate",
			    units_duration(time, sizeof(time),
					   left / row->bytes_per_s));
}

char *verdict_note(const struct ring_row *row, char *buf, size_t size)
{
	enum verdict verdict = verdict_of(row);
	char bytes[8], time[8], nr[8], at[24] = "its watermark";

	buf[0] = '\0';
	units_bytes(bytes, sizeof(bytes), (double)row->used);
	if (row->wakeup_events)
		snprintf(at, sizeof(at), "%s record%s",
			 units_count(nr, sizeof(nr),
				     (double)row->wakeup_events),
			 row->wakeup_events == 1 ? "" : "s");
	else if (row->watermark)
		units_bytes(at, sizeof(at), (double)row->watermark);
	if (verdict == VERDICT_PARKED)
		snprintf(buf, size, "%s has been waiting for %s: the ring's reader is woken only at %s, and has not polled in that time",
			 bytes, units_duration(time, sizeof(time),
					       row->undrained), at);
	else if (verdict == VERDICT_LATE)
		write_late(row, buf, size);
	else if (verdict == VERDICT_OFTEN)
		snprintf(buf, size, "reader woken %s times/s, for %s each time: a higher wakeup_events or watermark would save CPU time",
			 units_count(nr, sizeof(nr), row->wakeups_per_s),
			 units_bytes(bytes, sizeof(bytes),
				     row->bytes_per_s / row->wakeups_per_s));
	return buf;
}

static bool loses_more(const struct ring_row *row, const struct ring_row *than)
{
	return !than ||
	       unknown_as_zero(row->lost) > unknown_as_zero(than->lost);
}

/* Whether its owner, which is gone, lost records and could change something. */
static bool is_told(const struct ring_row *row)
{
	enum verdict verdict = verdict_of(row);

	return row->pid >= 0 && verdict >= VERDICT_LOSS &&
	       (row->advice.bytes || verdict == VERDICT_TOO_SLOW);
}

static bool is_later(const struct ring_row *row, const struct ring_row *than)
{
	return !than || row->last_seen > than->last_seen ||
	       (row->last_seen >= than->last_seen && loses_more(row, than));
}

static void add_gone(struct verdicts *all, const struct ring_row *row)
{
	bool same = all->gone && all->gone->pid == row->pid;

	if (is_later(row, all->gone)) {
		if (!same)
			all->other_gone = all->gone;
		all->gone = row;
	} else if (!same && is_later(row, all->other_gone)) {
		all->other_gone = row;
	}
}

void verdicts_add(struct verdicts *all, const struct ring_row *row)
{
	enum verdict verdict = verdict_of(row);
	const struct ring_row **most, **other;

	if (row->self || row->dummies)
		return;
	if (row->gone) {
		if (is_told(row))
			add_gone(all, row);
		return;
	}
	/* as intended by its owner, mostly */
	if (verdict == VERDICT_PARKED || verdict == VERDICT_OFTEN)
		verdict = VERDICT_OK;
	most = &all->most[verdict];
	other = &all->other[verdict];
	all->nr[verdict]++;
	if (loses_more(row, *most)) {
		if (*most && (*most)->pid != row->pid)
			*other = *most;
		*most = row;
	} else if (row->pid != (*most)->pid && loses_more(row, *other)) {
		*other = row;
	}
}

enum verdict verdicts_worst(const struct verdicts *all)
{
	enum verdict worst = VERDICTS - 1;

	while (worst > VERDICT_UNKNOWN && !all->nr[worst])
		worst--;
	return worst;
}

/* Whether the setting is a shell command, as ftrace's. */
static bool is_command(const struct advice *advice)
{
	return !strncmp(advice->setting, "echo ", 5);
}

/*
 * Add "-m 256"; of a setting that is a shell command, as ftrace's, the size
 * comes before it; of an owner whose setting is not known, it is the size.
 */
static void name_setting(const struct ring_row *row, char *buf, size_t size)
{
	const struct advice *advice = &row->advice;
	char bytes[8];

	if (advice->early)
		text_append(buf, size, "at least ");
	if (is_command(advice))
		text_append(buf, size, "%llu KB",
			    (unsigned long long)advice->bytes >> 10);
	else
		text_append(buf, size, "%s", advice->setting[0] ?
			    advice->setting :
			    units_bytes(bytes, sizeof(bytes),
					(double)advice->bytes));
}

/*
 * Add ", perf (4242) needs -m 256", or " needs more CPU time and -m 256".
 */
static void name_owner(const struct ring_row *row, char *buf, size_t size)
{
	const struct advice *advice = &row->advice;
	enum verdict verdict = verdict_of(row);

	if (row->pid < 0)
		return;
	text_append(buf, size, ", %s (%d)", row->comm, (int)row->pid);
	if (verdict == VERDICT_TOO_SLOW) {
		text_append(buf, size, ": no size helps");
		return;
	}
	if (verdict == VERDICT_UNSCHEDULED)
		text_append(buf, size, " needs more CPU time");
	if (!advice->bytes)
		return;
	text_append(buf, size, verdict == VERDICT_UNSCHEDULED ? " and " :
								" needs ");
	name_setting(row, buf, size);
	text_append(buf, size, "%s", advice->undecided ?
		    ", if any size helps" : advice->early ? " so far" : "");
	if (is_command(advice))
		text_append(buf, size, ": %s", advice->setting);
}

static void name_gone(const struct ring_row *row, char *buf, size_t size)
{
	text_append(buf, size, "%s%s (%d, gone)", *buf ? "; " : "", row->comm,
		    (int)row->pid);
	if (verdict_of(row) == VERDICT_TOO_SLOW) {
		text_append(buf, size, ": no size helps");
		return;
	}
	text_append(buf, size, " needed ");
	name_setting(row, buf, size);
	if (row->advice.undecided)
		text_append(buf, size, ", if any size helps");
}

char *verdicts_text(const struct verdicts *all, char *buf, size_t size)
{
	enum verdict worst = verdicts_worst(all);

	buf[0] = '\0';
	if (all->gone && worst < VERDICT_CONCERN)
		name_gone(all->gone, buf, size);
	if (all->other_gone && worst < VERDICT_CONCERN)
		name_gone(all->other_gone, buf, size);
	for (enum verdict v = worst; v > VERDICT_UNKNOWN; v--) {
		const struct ring_row *row = all->most[v];

		if (!row)
			continue;
		text_append(buf, size, "%s%s %u", *buf ? "; " : "",
		       verdict_name(v), all->nr[v]);
		if (v >= VERDICT_CONCERN &&
		    (v == worst || row->pid != all->most[worst]->pid))
			name_owner(row, buf, size);
		if (v == worst && v >= VERDICT_CONCERN && all->other[v])
			name_owner(all->other[v], buf, size);
	}
	if (*buf && all->nr[VERDICT_UNKNOWN])
		text_append(buf, size, "; unknown %u", all->nr[VERDICT_UNKNOWN]);
	return buf;
}
