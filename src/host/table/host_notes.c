/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_notes.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "host/table/host_picture.h"
#include "host/table/host_tools.h"

enum {
	MAX_GROUPS = 8,		/* owners with a line of their own */
	LINE = 320,
};

/* Seconds between lines about a continuing or recurring incident. */
static const double again_after = 10;

/* An incident of one owner's rings; one more group is for other owners. */
struct group {
	pid_t pid;
	const struct ring_row *first;	/* row with the highest count */
	unsigned int rings;
	uint64_t sum, most;
};

struct groups {
	struct group groups[MAX_GROUPS + 1];
	unsigned int nr;
};

static void add(struct groups *all, const struct ring_row *row, uint64_t n)
{
	struct group *group;
	unsigned int i = 0;

	while (i < all->nr && i < MAX_GROUPS &&
	       all->groups[i].pid != row->pid)
		i++;
	group = &all->groups[i];
	if (i == all->nr) {
		*group = (struct group){ .pid = row->pid, .first = row };
		all->nr++;
	}
	group->rings++;
	group->sum += n;
	if (n > group->most) {
		group->most = n;
		group->first = row;
	}
}

/* Write "perf (1234)", "other owners" to @buf. */
static const char *who(const struct groups *all, unsigned int i, char *buf,
		       size_t size)
{
	const struct ring_row *row = all->groups[i].first;

	if (i == MAX_GROUPS)
		snprintf(buf, size, "other owners");
	else if (row->pid < 0)
		snprintf(buf, size, "no process");
	else
		snprintf(buf, size, "%s (%d)", row->comm, row->pid);
	return buf;
}

/* Write "CPU 3 cpu-clock" to @buf: an owner may have several rings of a CPU. */
static const char *ring_name(const struct ring_row *row, char *buf,
			     size_t size)
{
	char event[48];

	text_copy(event, sizeof(event), row->event);
	if (row->kind == RING_BPF)
		snprintf(buf, size, "ring buffer %.32s", row->map);
	else
		snprintf(buf, size, "%.24s%s%s",
			 row->label[0] ? row->label : "a ring",
			 !event[0] ? "" : row->label[0] ? " " : " of ", event);
	return buf;
}

/* Write "CPU 3 cpu-clock", "4 rings" to @buf. */
static const char *which(const struct group *group, char *buf, size_t size)
{
	if (group->rings <= 1)
		return ring_name(group->first, buf, size);
	snprintf(buf, size, "%u rings", group->rings);
	return buf;
}

/* The number to log for a row, which then counts as logged; 0: none. */
typedef uint64_t count_fn(const struct host_notes_to *to,
			  struct host_row_state *state,
			  const struct ring_row *row);
/* Write what follows the owner and the rings to @buf. */
typedef void say_fn(const struct group *group, char *buf, size_t size);

static uint64_t count_remapped(const struct host_notes_to *to,
			       struct host_row_state *state,
			       const struct ring_row *row)
{
	uint64_t times = row->remapped - state->told.remapped;

	(void)to;
	state->told.remapped = row->remapped;
	return times;
}

static void say_remapped(const struct group *group, char *buf, size_t size)
{
	char bytes[16];

	units_bytes(bytes, sizeof(bytes), (double)group->first->size);
	snprintf(buf, size, "mapped again, now %s%s",
		 bytes, group->rings > 1 ? " each" : "");
}

/* A loss is logged at once, and if it continues, at intervals. */
static uint64_t count_lost(const struct host_notes_to *to,
			   struct host_row_state *state,
			   const struct ring_row *row)
{
	uint64_t lost = state->lost_seen - state->told.lost;

	if (!lost || (!row->gone && state->told.lost &&
		      to->mono - state->told.lost_at < again_after))
		return 0;
	state->told.lost = state->lost_seen;
	state->told.lost_at = to->mono;
	return lost;
}

static void say_lost(const struct group *group, char *buf, size_t size)
{
	unsigned long long sum = group->sum, most = group->most;
	char name[HOST_TOOLS_RING];

	if (group->rings > 1)
		snprintf(buf, size, "lost %llu records, %s the most (%llu)",
			 sum, ring_name(group->first, name, sizeof(name)),
			 most);
	else
		snprintf(buf, size, "lost %llu record%s", sum,
			 sum == 1 ? "" : "s");
}

static const struct incident {
	count_fn *count;
	say_fn *say;
} incidents[] = {
	{ count_remapped, say_remapped },
	{ count_lost, say_lost },
};

static void tell_incident(const struct host_picture *picture,
			  const struct host_notes_to *to,
			  const struct incident *incident)
{
	struct groups all = { .nr = 0 };
	char owner[40], rings[HOST_TOOLS_RING], what[160], line[LINE];

	for (size_t i = 0; i < picture->host.nr_rows; i++) {
		const struct ring_row *row = &picture->host.rows[i];
		uint64_t n = incident->count(to, picture->states[i], row);

		if (n && !row->self)
			add(&all, row, n);
	}
	for (unsigned int i = 0; i < all.nr && to->note; i++) {
		const struct group *group = &all.groups[i];

		incident->say(group, what, sizeof(what));
		snprintf(line, sizeof(line), "%s: %s %s",
			 who(&all, i, owner, sizeof(owner)),
			 which(group, rings, sizeof(rings)), what);
		to->note(to->ctx, LOG_HOST, 0, line);
	}
}

/*
 * Rings that exist when the view opens are not new.  Rings opened and closed
 * between two pictures are not logged.
 */
static bool has_come(const struct host_notes_to *to,
		     struct host_row_state *state, const struct ring_row *row)
{
	if (state->told.came)
		return false;
	state->told.came = true;
	state->told.gone = row->gone;
	return !to->first && !row->gone;
}

static bool has_gone(struct host_row_state *state, const struct ring_row *row)
{
	bool went = row->gone && !state->told.gone;

	state->told.gone = row->gone;
	return went;
}

static void tell_tools(const struct host_picture *picture,
		       const struct host_notes_to *to)
{
	char name[HOST_TOOLS_RING], line[LINE];
	uint64_t fold;

	for (size_t i = 0; i < picture->host.nr_rows; i++) {
		const struct ring_row *row = &picture->host.rows[i];
		struct host_row_state *state = picture->states[i];
		bool came = has_come(to, state, row);
		bool gone = has_gone(state, row);

		if (!row->self && (came || gone))
			host_tools_take(to->tools, row, to->mono,
					ring_name(row, name, sizeof(name)));
	}
	while ((fold = host_tools_next(to->tools, line, sizeof(line))) != 0) {
		if (to->note)
			to->note(to->ctx, LOG_HOST, fold, line);
	}
}

/* Whether the warning is new, and was not logged recently. */
static bool is_news(double mono, struct host_told *told,
		    unsigned int warnings, enum ring_warning warning)
{
	const unsigned int bit = 1U << warning;
	double *at = &told->warned_at[warning];
	bool came = (warnings & bit) && !(told->warnings & bit);

	/* A lasting warning is not new again. */
	if (!came || (*at > 0 && mono - *at < again_after)) {
		if (warnings & bit)
			*at = mono;
		return false;
	}
	*at = mono;
	return true;
}

static void tell_warning(const struct host_picture *picture,
			 const struct host_notes_to *to,
			 enum ring_warning warning)
{
	struct groups all = { .nr = 0 };
	char owner[40], rings[HOST_TOOLS_RING], what[160], line[LINE];

	for (size_t i = 0; i < picture->host.nr_rows; i++) {
		const struct ring_row *row = &picture->host.rows[i];

		if (is_news(to->mono, &picture->states[i]->told, row->warnings,
			    warning) && !row->self)
			add(&all, row, 1);
	}
	for (unsigned int i = 0; i < all.nr && to->note; i++) {
		const struct group *group = &all.groups[i];

		ring_warning_text(warning, group->first, what, sizeof(what));
		snprintf(line, sizeof(line), "%s: %s: %s",
			 who(&all, i, owner, sizeof(owner)),
			 which(group, rings, sizeof(rings)), what);
		to->note(to->ctx, LOG_HOST, 0, line);
	}
}

void host_notes_tell(const struct host_picture *picture,
		     const struct host_notes_to *to)
{
	for (size_t i = 0; i < sizeof(incidents) / sizeof(*incidents); i++)
		tell_incident(picture, to, &incidents[i]);
	tell_tools(picture, to);
	for (int i = 0; i < RING_WARNINGS; i++) {
		/* Logged as the number of lost records. */
		if (i != RING_WARN_LOSING)
			tell_warning(picture, to, (enum ring_warning)i);
	}
	for (size_t i = 0; i < picture->host.nr_rows; i++)
		picture->states[i]->told.warnings =
			picture->host.rows[i].warnings;
}
