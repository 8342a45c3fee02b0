/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_notes.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "host/table/host_picture.h"

enum {
	MAX_GROUPS = 8,		/* owners that get a line of their own */
	RING = 80,		/* the name of one */
	LINE = 320,
};

/* Seconds: what goes on or comes and goes is told no more often. */
static const double again_after = 10;

/* What happened to rings of one owner; of one more group, to all others'. */
struct group {
	pid_t pid;
	const struct ring_row *first;	/* the row where most happened */
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

/* "perf (1234)", "other owners" into @buf. */
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

/* "CPU 3 cpu-clock" into @buf: an owner may have several rings of a CPU. */
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

/* "CPU 3 cpu-clock", "4 rings" into @buf. */
static const char *which(const struct group *group, char *buf, size_t size)
{
	if (group->rings <= 1)
		return ring_name(group->first, buf, size);
	snprintf(buf, size, "%u rings", group->rings);
	return buf;
}

/* How many are told of a row, 0: nothing is; then it is told. */
typedef uint64_t count_fn(const struct host_notes_to *to,
			  struct host_row_state *state,
			  const struct ring_row *row);
/* What follows the owner and the rings, into @buf. */
typedef void say_fn(const struct group *group, char *buf, size_t size);

/*
 * What is there when the view opens has not come; of what came and went
 * between two pictures nobody needs to hear.
 */
static uint64_t count_came(const struct host_notes_to *to,
			   struct host_row_state *state,
			   const struct ring_row *row)
{
	if (state->told.came)
		return 0;
	state->told.came = true;
	state->told.gone = row->gone;
	return !to->first && !row->gone ? row->size : 0;
}

static void say_came(const struct group *group, char *buf, size_t size)
{
	char bytes[16];

	units_bytes(bytes, sizeof(bytes), (double)group->sum);
	snprintf(buf, size, "came, %s", bytes);
}

static uint64_t count_gone(const struct host_notes_to *to,
			   struct host_row_state *state,
			   const struct ring_row *row)
{
	bool went = row->gone && !state->told.gone;

	(void)to;
	state->told.gone = row->gone;
	return went;
}

static void say_gone(const struct group *group, char *buf, size_t size)
{
	(void)group;
	snprintf(buf, size, "went");
}

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
	snprintf(buf, size, "mapped anew, now %s%s",
		 bytes, group->rings > 1 ? " each" : "");
}

/* A loss that goes on is told at once, then now and then. */
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
	char name[RING];

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
	{ count_came, say_came },
	{ count_remapped, say_remapped },
	{ count_lost, say_lost },
	{ count_gone, say_gone },
};

static void tell_incident(const struct host_picture *picture,
			  const struct host_notes_to *to,
			  const struct incident *incident)
{
	struct groups all = { .nr = 0 };
	char owner[40], rings[RING], what[160], line[LINE];

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
		to->note(to->ctx, LOG_HOST, line);
	}
}

/* Whether the warning came, and was not told of just before. */
static bool is_news(double mono, struct host_told *told,
		    unsigned int warnings, enum ring_warning warning)
{
	const unsigned int bit = 1U << warning;
	double *at = &told->warned_at[warning];
	bool came = (warnings & bit) && !(told->warnings & bit);

	/* While it lasts it is not over. */
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
	char owner[40], rings[RING], what[160], line[LINE];

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
		to->note(to->ctx, LOG_HOST, line);
	}
}

void host_notes_tell(const struct host_picture *picture,
		     const struct host_notes_to *to)
{
	for (size_t i = 0; i < sizeof(incidents) / sizeof(*incidents); i++)
		tell_incident(picture, to, &incidents[i]);
	for (int i = 0; i < RING_WARNINGS; i++) {
		/* Told as the number that was lost. */
		if (i != RING_WARN_LOSING)
			tell_warning(picture, to, (enum ring_warning)i);
	}
	for (size_t i = 0; i < picture->host.nr_rows; i++)
		picture->states[i]->told.warnings =
			picture->host.rows[i].warnings;
}
