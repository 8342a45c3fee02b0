/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/host/host.h"

#include <stdio.h>

#include "base/text.h"
#include "base/units.h"
#include "ui/kit/widgets.h"

enum {
	MOST_USERS = 2,		/* at their limit that are named */
	TEXT = 256,
};

static const char *plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

static void draw_sums(struct area a, const struct host *host)
{
	const struct ring_total *t = &host->total;
	const struct ring_row *sum = &t->row;
	/* in processes that hide what they hold */
	const char *more = host->status.hidden ? "+" : "";
	const char *unknown = t->uncounted ? "+?" : "";
	char bytes[8], lost[8];
	int col = 1;

	col = widget_note(a, col, ROLE_VALUE, "%u%s ring%s of %u%s owner%s",
			  t->rings, more, plural(t->rings), t->owners, more,
			  plural(t->owners));
	if (t->warned)
		col = widget_note(a, col, host_alarm_role(sum->warnings),
				  "!%u warned", t->warned);
	if (host->status.bpf && sum->lost == UNKNOWN)
		col = widget_note(a, col, ROLE_DEFAULT, "lost unknown");
	else if (host->status.bpf)
		col = widget_note(a, col, sum->lost ? ROLE_BAD : ROLE_DEFAULT,
				  "%slost %s%s%s", sum->lost ? "!" : "",
				  sum->lost && t->at_least ? ">" : "",
				  units_count(lost, sizeof(lost),
					      (double)sum->lost), unknown);
	if (t->ringbufs)
		col = widget_note(a, col, ROLE_DEFAULT, "%u BPF ringbuf%s",
				  t->ringbufs, plural(t->ringbufs));
	widget_note(a, col, ROLE_DEFAULT, "pinned %s",
		    units_bytes(bytes, sizeof(bytes),
				unknown_as_nan(sum->locked)));
}

/* What looking costs, and how old what is seen may be. */
static void draw_looks(struct area a, const struct host_status *s)
{
	char every[8], cost[8], age[8];
	int col = 1;

	col = widget_note(a, col, ROLE_DIM, "%s every %s, %s each",
			  s->bpf ? "BPF: a look" : "/proc alone: a look",
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
}

static char *known_bytes(char *buf, size_t size, uint64_t bytes)
{
	if (bytes != UNKNOWN)
		return units_bytes(buf, size, (double)bytes);
	snprintf(buf, size, "?");
	return buf;
}

/* "root" may pin no more: the next ring would be refused. */
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

/* In full where there is room: it says what mends it. */
static int draw_text(struct area a, int row, enum role role, const char *text)
{
	struct area none = { .canvas = a.canvas, .cols = a.cols - 2 };
	int lines = area_wrapped(none, 0, role, text);
	int most = a.rows / 3 > 1 ? a.rows / 3 : 1;
	int shown = lines < most ? lines : most;

	if (!*text)
		return row;
	area_text(a, row, 0, 0, role, "!");
	area_wrapped(area_sub(a, row, 2, shown, a.cols - 2), 0, role, text);
	if (shown < lines)
		widget_more(a, row + shown - 1);
	return row + shown;
}

int host_status_draw(const struct frame *frame, struct area a)
{
	const struct host *host = frame->host;
	int row = 0;

	if (!host || !host->status.ready)
		return 0;
	if (frame->nr_rings)
		draw_sums(area_sub(a, row++, 0, 1, a.cols), host);
	if (a.rows >= HOST_ROOMY)
		draw_looks(area_sub(a, row++, 0, 1, a.cols), &host->status);
	row = draw_text(a, row, ROLE_NOTICE, host->status.reason);
	row = draw_text(a, row, ROLE_BAD, host->status.error);
	if (a.rows >= HOST_ROOMY)
		row = draw_users(a, row, host);
	return row;
}

/* Not "there is none": nobody has seen that. */
static void why_unseen(const struct host_status *s, char *buf, size_t size)
{
	static const char seen[] = "No ring is seen of the processes that may "
				   "be looked into.";

	if (s->hidden)
		snprintf(buf, size, "%s What %u other%s hold%s is not known.",
			 seen, s->hidden, plural(s->hidden),
			 s->hidden == 1 ? "s" : "");
	else
		snprintf(buf, size, "%s", seen);
}

#define LISTED_THEN " One is listed as soon as it is mapped: by perf record, " \
		    "perf top, bpftrace, a profiler or an eBPF agent."

/* With --host the title says whose rings are wanted. */
static void why_none(const struct frame *frame, char *buf, size_t size)
{
	if (frame->nr_rings)
		snprintf(buf, size, "No process has a perf ring or a BPF ring "
			 "buffer." LISTED_THEN);
	else
		snprintf(buf, size, "Watched: %s. There is none now." LISTED_THEN,
			 frame->title);
}

static void why_empty(const struct host_view *v, const struct frame *frame,
		      char *buf, size_t size)
{
	const struct host *host = frame->host;

	if (!host && v->refused)
		snprintf(buf, size, "the rings of other processes are not "
			 "looked at here");
	else if (!host || !host->status.ready)
		snprintf(buf, size, "looking at all processes");
	else if (host->nr_rows)
		snprintf(buf, size, "no ring matches the filter: it is looked "
			 "for in owner, pid, event, ring, user and map");
	else if (*host->status.error || host->status.hidden ||
		 !host->status.bpf)
		why_unseen(&host->status, buf, size);
	else
		why_none(frame, buf, size);
}

void host_status_empty(const struct host_view *v, const struct frame *frame,
		       struct area a)
{
	char text[TEXT];
	int row = a.rows / 3;

	why_empty(v, frame, text, sizeof(text));
	area_wrapped(area_sub(a, row, 2, a.rows - row, a.cols - 4), 0,
		     ROLE_DIM, text);
}
