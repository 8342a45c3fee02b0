/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_notes.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "host/table/host_state.h"

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
	uint64_t sum, max;
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
	if (n > group->max) {
		group->max = n;
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

/* Log "perf (1234): 4 rings", @sep and @what. */
static void note_group(const struct host_notes_to *to, const struct groups *all,
		       unsigned int i, const char *sep, const char *what)
{
	char owner[40], rings[HOST_NOTES_RING], line[LINE];

	snprintf(line, sizeof(line), "%s: %s%s%s",
		 who(all, i, owner, sizeof(owner)),
		 which(&all->groups[i], rings, sizeof(rings)), sep, what);
	to->note(to->ctx, LOG_HOST, 0, line);
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
	uint64_t times = row->remapped - state->logged.remapped;

	(void)to;
	state->logged.remapped = row->remapped;
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
	uint64_t lost = state->lost_seen - state->logged.lost;

	if (!lost || (!row->gone && state->logged.lost &&
		      to->mono - state->logged.lost_at < again_after))
		return 0;
	state->logged.lost = state->lost_seen;
	state->logged.lost_at = to->mono;
	return lost;
}

static void say_lost(const struct group *group, char *buf, size_t size)
{
	char name[HOST_NOTES_RING], sum[UNITS_RECORDS], max[UNITS_EXACT];

	if (group->rings > 1)
		snprintf(buf, size, "lost %s, %s the most (%s)",
			 units_records(sum, group->sum),
			 ring_name(group->first, name, sizeof(name)),
			 units_exact(max, group->max));
	else
		snprintf(buf, size, "lost %s",
			 units_records(sum, group->sum));
}

static const struct incident {
	count_fn *count;
	say_fn *say;
} incidents[] = {
	{ count_remapped, say_remapped },
	{ count_lost, say_lost },
};

static void log_incident(const struct host *host,
			 struct host_row_state *const *states,
			 const struct host_notes_to *to,
			 const struct incident *incident)
{
	struct groups all = { .nr = 0 };
	char what[160];

	for (size_t i = 0; i < host->nr_rows; i++) {
		const struct ring_row *row = &host->rows[i];
		uint64_t n = incident->count(to, states[i], row);

		if (n && !row->self)
			add(&all, row, n);
	}
	for (unsigned int i = 0; i < all.nr && to->note; i++) {
		incident->say(&all.groups[i], what, sizeof(what));
		note_group(to, &all, i, " ", what);
	}
}

/* Rings that were opened and closed. */

static bool is_over(const struct host_tool *tool, double mono)
{
	return !tool->fold || mono - tool->last > HOST_NOTES_AGAIN;
}

/* The place for a program: its own, a free one, or that for all others. */
static struct host_tool *place_of(struct host_notes *notes, const char *comm,
				  double mono)
{
	struct host_tool *unused = &notes->tools[HOST_NOTES_TOOLS];

	for (size_t i = HOST_NOTES_TOOLS; i-- > 0;) {
		struct host_tool *tool = &notes->tools[i];

		if (!is_over(tool, mono) && !strcmp(tool->comm, comm))
			return tool;
		if (is_over(tool, mono))
			unused = tool;
	}
	return unused;
}

/*
 * A ring that is closed is of a process that was counted when it opened it:
 * its pid may be forgotten by now.
 */
static void take_pid(struct host_tool *tool, pid_t pid, bool closed)
{
	for (unsigned int i = 0; i < tool->processes && i < HOST_NOTES_PIDS;
	     i++) {
		if (tool->pids[i] == pid)
			return;
	}
	if (closed && tool->processes > HOST_NOTES_PIDS)
		return;
	tool->pids[tool->processes++ % HOST_NOTES_PIDS] = pid;
}

/* Count a ring that was opened or, if it is gone, closed. */
static void take_ring(struct host_notes *notes, const struct ring_row *row,
		      double mono)
{
	struct host_tool *tool = place_of(notes, row->comm, mono);

	if (is_over(tool, mono)) {
		*tool = (struct host_tool){ .fold = ++notes->folds,
					    .first = mono };
		memcpy(tool->comm, row->comm, sizeof(tool->comm));
	}
	take_pid(tool, row->pid, row->gone);
	tool->opened += !row->gone;
	tool->closed += row->gone;
	tool->bytes += row->gone ? 0 : row->size;
	ring_name(row, tool->ring, sizeof(tool->ring));
	tool->last = mono;
	tool->changed = true;
}

/* "perf (100)", "perf (12 processes, last PID 130)" */
static void tool_name(const struct host_notes *notes,
		      const struct host_tool *tool, char *buf, size_t size)
{
	unsigned int last = (tool->processes - 1) % HOST_NOTES_PIDS;

	if (tool == &notes->tools[HOST_NOTES_TOOLS])
		snprintf(buf, size, "other programs (%u processes)",
			 tool->processes);
	else if (tool->processes > 1)
		snprintf(buf, size, "%s (%u processes, last PID %d)",
			 tool->comm, tool->processes, tool->pids[last]);
	else if (tool->pids[last] < 0)
		snprintf(buf, size, "no process");
	else
		snprintf(buf, size, "%s (%d)", tool->comm, tool->pids[last]);
}

/* A ring by its name, "CPU 3 cpu-clock"; else "4 rings". */
static void tool_rings(const struct host_tool *tool, unsigned int nr,
		       char *buf, size_t size)
{
	if (nr == 1 && tool->opened <= 1 && tool->closed <= 1)
		snprintf(buf, size, "%s", tool->ring);
	else
		snprintf(buf, size, "%u ring%s", nr, nr == 1 ? "" : "s");
}

static void tool_changes(const struct host_tool *tool, char *buf, size_t size)
{
	char rings[HOST_NOTES_RING], bytes[16];

	tool_rings(tool, tool->opened ? tool->opened : tool->closed, rings,
		   sizeof(rings));
	units_bytes(bytes, sizeof(bytes), (double)tool->bytes);
	if (!tool->opened)
		snprintf(buf, size, "%s closed", rings);
	else if (!tool->closed)
		snprintf(buf, size, "%s opened, %s", rings, bytes);
	else
		snprintf(buf, size, "%s opened, %s, and %u closed", rings,
			 bytes, tool->closed);
}

/*
 * Rings that exist when the view opens are not new.  Rings opened and closed
 * between two frames are not logged.
 */
static bool was_opened(const struct host_notes_to *to,
		       struct host_row_state *state, const struct ring_row *row)
{
	if (state->logged.opened)
		return false;
	state->logged.opened = true;
	state->logged.gone = row->gone;
	return !to->first && !row->gone;
}

static bool was_closed(struct host_row_state *state, const struct ring_row *row)
{
	bool went = row->gone && !state->logged.gone;

	state->logged.gone = row->gone;
	return went;
}

static void log_tool(const struct host_notes *notes,
		     const struct host_tool *tool,
		     const struct host_notes_to *to)
{
	char owner[64], rings[160], within[32] = "", seconds[16], line[LINE];

	tool_name(notes, tool, owner, sizeof(owner));
	tool_changes(tool, rings, sizeof(rings));
	if (tool->last > tool->first)
		snprintf(within, sizeof(within), " within %s",
			 units_duration(seconds, sizeof(seconds),
					tool->last - tool->first));
	snprintf(line, sizeof(line), "%s: %s%s", owner, rings, within);
	if (to->note)
		to->note(to->ctx, LOG_HOST, tool->fold, line);
}

static void log_tools(struct host_notes *notes, const struct host *host,
		      struct host_row_state *const *states,
		      const struct host_notes_to *to)
{
	for (size_t i = 0; i < host->nr_rows; i++) {
		const struct ring_row *row = &host->rows[i];
		bool opened = was_opened(to, states[i], row);
		bool closed = was_closed(states[i], row);

		if (!row->self && (opened || closed))
			take_ring(notes, row, to->mono);
	}
	for (size_t i = 0; i <= HOST_NOTES_TOOLS; i++) {
		if (notes->tools[i].changed)
			log_tool(notes, &notes->tools[i], to);
		notes->tools[i].changed = false;
	}
}

/* Whether the warning is new, and was not logged recently. */
static bool is_news(double mono, struct host_logged *logged,
		    unsigned int warnings, enum ring_warning warning)
{
	const unsigned int bit = 1U << warning;
	double *at = &logged->warned_at[warning];
	bool news = (warnings & bit) && !(logged->warnings & bit);

	/* A lasting warning is not new again. */
	if (!news || (*at > 0 && mono - *at < again_after)) {
		if (warnings & bit)
			*at = mono;
		return false;
	}
	*at = mono;
	return true;
}

static void log_warning(const struct host *host,
			struct host_row_state *const *states,
			const struct host_notes_to *to,
			enum ring_warning warning)
{
	struct groups all = { .nr = 0 };
	char what[160];

	for (size_t i = 0; i < host->nr_rows; i++) {
		const struct ring_row *row = &host->rows[i];

		if (is_news(to->mono, &states[i]->logged, row->warnings,
			    warning) && !row->self)
			add(&all, row, 1);
	}
	for (unsigned int i = 0; i < all.nr && to->note; i++) {
		ring_warning_text(warning, all.groups[i].first, what,
				  sizeof(what));
		note_group(to, &all, i, ": ", what);
	}
}

void host_notes_log(struct host_notes *notes, const struct host *host,
		    struct host_row_state *const *states,
		    const struct host_notes_to *to)
{
	for (size_t i = 0; i < sizeof(incidents) / sizeof(*incidents); i++)
		log_incident(host, states, to, &incidents[i]);
	log_tools(notes, host, states, to);
	for (int i = 0; i < RING_WARNINGS; i++) {
		/* Logged as the number of lost records. */
		if (i != RING_WARN_LOSING)
			log_warning(host, states, to, (enum ring_warning)i);
	}
	for (size_t i = 0; i < host->nr_rows; i++)
		states[i]->logged.warnings = host->rows[i].warnings;
}
