/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/host/host.h"

#include <stdio.h>

#include "base/text.h"
#include "base/units.h"
#include "ui/draw/widgets.h"

enum {
	MOST_USERS = 2,		/* users at their limit that are shown */
	TEXT = 256,
	ROOMY = 100,
	NEEDED = 8,		/* rows of the screen besides those of rings */
};

static const char *plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

static void draw_sums(struct area a, const struct host *host)
{
	const struct ring_total *t = &host->total;
	const struct ring_row *sum = &t->row;
	/* processes that cannot be read may hold more */
	const char *more = host->status.hidden ? "+" : "";
	const char *unknown = t->uncounted ? "+?" : "";
	uint64_t since = ring_row_lost_since(sum);
	bool losing = sum->lost_per_s > 0;
	char bytes[8], lost[8];
	int col = 1;

	col = widget_note(a, col, ROLE_VALUE, "%u%s ring%s of %u%s owner%s",
			  t->rings, more, plural(t->rings), t->owners, more,
			  plural(t->owners));
	if (t->warned)
		col = widget_note(a, col, ring_cells_alarm(sum->warnings),
				  "!%u warned", t->warned);
	if (host->status.bpf && sum->lost == UNKNOWN)
		col = widget_note(a, col, ROLE_DEFAULT, "losses unknown");
	else if (host->status.bpf)
		col = widget_note(a, col, losing ? ROLE_BAD :
				  since ? ROLE_DIM : ROLE_DEFAULT,
				  "lost %s%s%s%s", losing ? "!" : "",
				  since && t->at_least ? ">" : "",
				  units_count(lost, sizeof(lost),
					      (double)since), unknown);
	if (t->ringbufs)
		col = widget_note(a, col, ROLE_DEFAULT, "%u BPF ringbuf%s",
				  t->ringbufs, plural(t->ringbufs));
	if (t->ftrace_buffers)
		col = widget_note(a, col, ROLE_DEFAULT, "%u ftrace buffer%s",
				  t->ftrace_buffers,
				  plural(t->ftrace_buffers));
	if (t->urings)
		col = widget_note(a, col, ROLE_DEFAULT, "%u io_uring ring%s",
				  t->urings, plural(t->urings));
	widget_note(a, col, ROLE_DEFAULT, "pinned %s",
		    units_bytes(bytes, sizeof(bytes),
				unknown_as_nan(sum->locked)));
}

/*
 * The verdicts if any is bad, on two lines if rows are free; interval and cost
 * of polling, and the age of the last pass over all.  Returns the row below.
 */
static int draw_looks(struct area a, int row, const struct host *host)
{
	const struct host_status *s = &host->status;
	enum verdict worst = host->total.row.advice.verdict;
	enum role role = worst >= VERDICT_LOSS ? ROLE_BAD : ROLE_WARN;
	int most = host->nr_rows + NEEDED < (size_t)a.rows ? 2 : 1;
	struct area text = area_sub(a, row, 1, most, a.cols - 1);
	char every[8], cost[8], age[8];
	int col = 1;

	a = area_sub(a, row, 0, 1, a.cols);
	if (host->concern &&
	    col + text_width(host->verdicts) > a.cols) {
		if (most > 1)
			return row + widget_text(text, 0, most, role,
						 host->verdicts);
		widget_words(text, 0, role, host->verdicts);
		return row + 1;
	}
	if (host->concern)
		col = widget_note(a, col, role, "%s", host->verdicts);
	/* they come first where there is no room for both */
	if (col > 1 && a.cols < ROOMY)
		return row + 1;
	col = widget_note(a, col, ROLE_DIM, "%spolled every %s (%s of CPU)",
			  s->bpf ? "" : "/proc only: ",
			  units_duration(every, sizeof(every), s->interval),
			  units_duration(cost, sizeof(cost), s->cost));
	if (s->whole_age >= 1)
		col = widget_note(a, col, ROLE_DIM, "all processes %s ago",
				  units_duration(age, sizeof(age),
						 s->whole_age));
	if (s->ringless)
		widget_note(a, col, ROLE_DIM, "%llu event%s without a ring",
			    (unsigned long long)s->ringless,
			    plural(s->ringless));
	return row + 1;
}

static char *known_bytes(char *buf, size_t size, uint64_t bytes)
{
	if (bytes != UNKNOWN)
		return units_bytes(buf, size, (double)bytes);
	snprintf(buf, size, "?");
	return buf;
}

/* A user at the mlock limit: the next ring would be refused. */
static void draw_user(struct area a, const struct host_user *u)
{
	char locked[8], limit[8], pinned[8], memlock[8];

	widget_note(a, 1, ROLE_WARN, "!%s is at its mlock limit: %s of %s, and "
		    "beyond that %s of %s", u->name,
		    known_bytes(locked, sizeof(locked), u->locked),
		    known_bytes(limit, sizeof(limit), u->limit),
		    known_bytes(pinned, sizeof(pinned), u->pinned),
		    known_bytes(memlock, sizeof(memlock), u->memlock));
}

static int draw_users(struct area a, int row, const struct host *host)
{
	int shown = 0;

	for (size_t i = 0; i < host->nr_users && shown < MOST_USERS; i++) {
		if (!host->users[i].at_limit)
			continue;
		draw_user(area_sub(a, row + shown, 0, 1, a.cols),
			  &host->users[i]);
		shown++;
	}
	return row + shown;
}

/* Draw a text with what to do, in at most a third of the rows. */
static int draw_text(struct area a, int row, enum role role, const char *text)
{
	struct area right = area_sub(a, 0, 2, a.rows, a.cols - 2);

	if (!*text)
		return row;
	area_text(a, row, 0, 0, role, "!");
	return widget_text(right, row, a.rows / 3 > 1 ? a.rows / 3 : 1, role,
			   text);
}

int host_status_draw(const struct host_view *v, const struct frame *frame,
		     struct area a)
{
	const struct host *host = frame->host;
	int row = 0;

	if (!host || !host->status.ready)
		return 0;
	if (frame->nr_rings)
		draw_sums(area_sub(a, row++, 0, 1, a.cols), host);
	if (a.rows >= HOST_ROOMY)
		row = draw_looks(a, row, host);
	row += host_listed_notes(v, host, area_sub(a, row, 0, 1, a.cols));
	row = draw_text(a, row, ROLE_NOTICE, host->status.reason);
	row = draw_text(a, row, ROLE_NOTICE, host->status.uncounted);
	row = draw_text(a, row, ROLE_BAD, host->status.error);
	if (a.rows >= HOST_ROOMY)
		row = draw_users(a, row, host);
	return row;
}

/* Not all processes could be read, so it must not say that there is no ring. */
static void why_unseen(const struct host_status *s, char *buf, size_t size)
{
	static const char seen[] = "There are no rings in the processes that "
				   "rbtop may inspect.";

	if (s->hidden)
		snprintf(buf, size, "%s What %u other%s hold%s is unknown.",
			 seen, s->hidden, plural(s->hidden),
			 s->hidden == 1 ? "s" : "");
	else
		snprintf(buf, size, "%s", seen);
}

#define LISTED_THEN " One is listed as soon as it is mapped: by perf record, " \
		    "perf top, bpftrace, a profiler or an eBPF agent."

/* With --host the title says whose rings are listed. */
static void why_none(const struct frame *frame, char *buf, size_t size)
{
	if (frame->nr_rings)
		snprintf(buf, size, "No process has a perf ring or a BPF ring "
			 "buffer." LISTED_THEN);
	else
		snprintf(buf, size, "Watched: %s. There are none now."
			 LISTED_THEN, frame->title);
}

static bool has_rings(const struct host *host)
{
	for (size_t i = 0; i < host->nr_rows; i++) {
		if (!host->rows[i].over)
			return true;
	}
	return false;
}

static void why_empty(const struct listing *l, char *buf, size_t size)
{
	const struct host_view *v = (const void *)l;
	const struct host *host = l->frame->host;

	if (!host && v->refused)
		snprintf(buf, size, "the rings of other processes are not "
			 "shown here");
	else if (!host || !host->status.ready)
		snprintf(buf, size, "reading all processes");
	else if (l->all)
		snprintf(buf, size, "no ring matches the filter, which looks "
			 "in owner, pid, event, ring, user and map");
	else if (has_rings(host))
		snprintf(buf, size, "all rings are hidden");
	else if (*host->status.error || host->status.hidden ||
		 !host->status.bpf)
		why_unseen(&host->status, buf, size);
	else
		why_none(l->frame, buf, size);
}

void host_status_empty(const struct listing *l, struct area a)
{
	char text[TEXT];
	int row = a.rows / 3;

	why_empty(l, text, sizeof(text));
	area_wrapped(area_sub(a, row, 2, a.rows - row, a.cols - 4), 0,
		     ROLE_DIM, text);
}
