/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/verdict.h"

#include <stdbool.h>

#include "base/text.h"
#include "ring/ring_row.h"
#include "ring/ring_warning.h"

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[VERDICTS] = {
		[VERDICT_UNKNOWN] = "",
		[VERDICT_OVERWRITE] = "overwrite",
		[VERDICT_OK] = "ok",
		[VERDICT_PARKED] = "parked",
		[VERDICT_THROTTLED] = "throttled",
		[VERDICT_TIGHT] = "tight",
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
	if (of_size > VERDICT_THROTTLED)
		return of_size;
	if (row->warnings & 1u << RING_WARN_THROTTLED)
		return VERDICT_THROTTLED;
	return is_parked(row) ? VERDICT_PARKED : of_size;
}

void verdicts_add(struct verdicts *all, const struct ring_row *row)
{
	enum verdict verdict = verdict_of(row);
	const struct ring_row **most = &all->most[verdict];

	if (row->gone || row->self)
		return;
	all->nr[verdict]++;
	if (!*most ||
	    unknown_as_zero(row->lost) > unknown_as_zero((*most)->lost))
		*most = row;
}

enum verdict verdicts_worst(const struct verdicts *all)
{
	enum verdict worst = VERDICTS - 1;

	while (worst > VERDICT_UNKNOWN && !all->nr[worst])
		worst--;
	return worst;
}

char *verdicts_text(const struct verdicts *all, char *buf, size_t size)
{
	enum verdict worst = verdicts_worst(all);

	buf[0] = '\0';
	for (enum verdict v = worst; v > VERDICT_UNKNOWN; v--) {
		const struct ring_row *row = all->most[v];

		if (!row)
			continue;
		text_append(buf, size, "%s%s %u", *buf ? "; " : "",
		       verdict_name(v), all->nr[v]);
		if (v != worst || v < VERDICT_CONCERN || row->pid < 0)
			continue;
		text_append(buf, size, ", %s (%d)", row->comm, (int)row->pid);
		if (v == VERDICT_TOO_SLOW)
			text_append(buf, size, ": no size helps");
		else if (v == VERDICT_UNSCHEDULED || row->advice.setting[0])
			text_append(buf, size, " needs %s%s%s%s",
			       row->advice.setting[0] && row->advice.early ?
			       "at least " : "", row->advice.setting,
			       v == VERDICT_UNSCHEDULED &&
			       row->advice.setting[0] ? " or " : "",
			       v == VERDICT_UNSCHEDULED ? "more CPU time" : "");
	}
	return buf;
}
