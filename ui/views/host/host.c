/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of Host, and the lines above it or the text in its place. */
#include "ui/views/host/host.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "ui/draw/widgets.h"
#include "ui/views/ring_history.h"

enum {
	USERS_MAX = 2,		/* users at their limit that are shown */
	TEXT = 256,
	ROOMY_ROWS = 12,	/* from which more than errors is shown above
				 * the table */
	ROOMY_COLS = 100,	/* from which the poll interval is shown after
				 * the verdicts */
	NEEDED = 8,		/* rows of the screen besides those of rings */
};

static struct host_view *rows(const void *view)
{
	return (struct host_view *)(uintptr_t)view;
}

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
			  t->nr[RING_PERF], more, plural(t->nr[RING_PERF]),
			  t->owners, more, plural(t->owners));
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
	for (enum ring_kind kind = RING_PERF + 1; kind < RING_KINDS; kind++)
		if (t->nr[kind])
			col = widget_note(a, col, ROLE_DEFAULT, "%u %s%s",
					  t->nr[kind],
					  ring_kind_info(kind)->noun,
					  plural(t->nr[kind]));
	widget_note(a, col, ROLE_DEFAULT, "pinned %s",
		    units_bytes(bytes, sizeof(bytes),
				unknown_as_nan(sum->locked)));
}

/*
 * The verdicts if any is bad, on two lines if there are rows; interval and cost
 * of polling, and the age of the last scan of all processes.  Returns the row
 * below.
 */
static int draw_polling(struct area a, int row, const struct host *host)
{
	const struct host_status *s = &host->status;
	enum verdict worst = host->total.row.advice.verdict;
	enum role role = worst >= VERDICT_LOSS ? ROLE_BAD : ROLE_WARN;
	int max = host->nr_rows + NEEDED < (size_t)a.rows ||
		  a.rows > ROOMY_ROWS ? 2 : 1;
	struct area text = area_sub(a, row, 1, max, a.cols - 1);
	char every[8], cost[8], age[8];
	int col = 1;

	a = area_sub(a, row, 0, 1, a.cols);
	if (host->concern &&
	    col + text_width(host->verdicts) > a.cols) {
		if (max > 1)
			return row + widget_text(text, 0, max, role,
						 host->verdicts);
		widget_words(text, 0, role, host->verdicts);
		return row + 1;
	}
	if (host->concern)
		col = widget_note(a, col, role, "%s", host->verdicts);
	/* they come first where there is no room for both */
	if (col > 1 && a.cols < ROOMY_COLS)
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

	for (size_t i = 0; i < host->nr_users && shown < USERS_MAX; i++) {
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

/*
 * Draw the lines above the list: totals (if the line of totals is about
 * rbtop's own rings), interval and cost of polling, which rings are not listed,
 * what limits it, errors, and users at their mlock limit.  Returns how many
 * lines that took.
 */
static int draw_status(const struct host_view *v,
			    const struct frame *frame, struct area a)
{
	const struct host *host = frame->host;
	int row = 0;

	if (!host || !host->status.ready)
		return 0;
	if (frame->nr_rings)
		draw_sums(area_sub(a, row++, 0, 1, a.cols), host);
	if (a.rows >= ROOMY_ROWS)
		row = draw_polling(a, row, host);
	row += host_listed_notes(v, host, area_sub(a, row, 0, 1, a.cols));
	row = draw_text(a, row, ROLE_NOTICE, host->status.reason);
	row = draw_text(a, row, ROLE_NOTICE, host->status.uncounted);
	row = draw_text(a, row, ROLE_BAD, host->status.error);
	if (a.rows >= ROOMY_ROWS)
		row = draw_users(a, row, host);
	return row;
}

/* Not all processes could be read, so there may be rings all the same. */
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

/* With --host the title names the processes whose rings are listed. */
static void why_none(const struct frame *frame, char *buf, size_t size)
{
	if (frame->nr_rings)
		snprintf(buf, size, "No process has a perf ring or a BPF ring "
			 "buffer." LISTED_THEN);
	else if (frame->ended)
		snprintf(buf, size, "Watched: %s. No ring was seen (perf "
			 "stat, for one, uses none).", frame->title);
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
		snprintf(buf, size, "no ring matches the filter; it searches "
			 "owner, pid, event, ring, user and map");
	else if (has_rings(host))
		snprintf(buf, size, "all rings are hidden");
	else if (*host->status.error || host->status.hidden ||
		 !host->status.bpf)
		why_unseen(&host->status, buf, size);
	else
		why_none(l->frame, buf, size);
}

/* Draw why there are no rows; frame->host may be NULL. */
static void draw_empty(const struct listing *l, struct area a)
{
	char text[TEXT];
	int row = a.rows / 3;

	why_empty(l, text, sizeof(text));
	area_wrapped(area_sub(a, row, 2, a.rows - row, a.cols - 4), 0,
		     ROLE_DIM, text);
}

static size_t nr_rows(const struct listing *l)
{
	return l->frame->host ? l->frame->host->nr_rows : 0;
}

static const void *row_at(const struct listing *l, size_t i)
{
	const struct ring_row *r = &l->frame->host->rows[i];

	return host_listed(rows(l), r) ? r : NULL;
}

/* Matches owner, event, ring, user, map or pid. */
static bool match(const struct listing *l, const void *row, const char *needle)
{
	const struct ring_row *r = row;
	char pid[16];

	(void)l;
	snprintf(pid, sizeof(pid), "%d", (int)r->pid);
	return list_match(r->comm, needle) || list_match(r->event, needle) ||
	       list_match(r->label, needle) || list_match(r->user, needle) ||
	       list_match(r->map, needle) ||
	       (r->pid >= 0 && list_match(pid, needle));
}

/* Rows that are gone are at the bottom in any order. */
static int group(const void *a, const void *b)
{
	const struct ring_row *x = a, *y = b;

	return x->gone - y->gone;
}

static enum role draw_cell(struct listing *l, const void *row,
			   const struct list_column *column, struct area cell,
			   char *text)
{
	(void)l;
	return ring_cells_draw((enum figure)column->id, row, cell, text);
}

/* Where there is no room for charts, which show it as well. */
static int add_advice(const struct listing *l, struct area a, int col)
{
	const struct ring_row *row = listing_current(l);

	if (l->below || !row || !row->advice.valid ||
	    verdict_of(row) < VERDICT_CONCERN)
		return col;
	return widget_note(a, col, ROLE_WARN, "%s", row->advice.text);
}

static void draw_legend(const struct listing *l, struct area line)
{
	static const struct ring_mark marks[] = {
		{ ">", "at least" }, { "r", "rbtop's own" }, { "B", "BPF" },
		{ "T", "ftrace" },
		{ "F", "not mapped" }, { NULL, NULL },
	};

	ring_cells_legend(l, line, marks);
}

static const struct listing_key sort_keys[] = {
	{ ACTION_SORT_RATE, FIGURE_RATE },
	{ ACTION_SORT_SIZE, FIGURE_SIZE },
	{ ACTION_SORT_TOTAL, FIGURE_BYTES },
	{ ACTION_SORT_NUMBER, FIGURE_PID },
	{ ACTION_NONE, LISTING_UNSORTED },
};

static const struct listing_ops host_listing = {
	.nr = nr_rows,
	.at = row_at,
	.id = ring_cells_id,
	.match = match,
	.group = group,
	.compare = ring_cells_compare,
	.is_known = ring_cells_is_known,
	.worst = ring_cells_worst,
	.columns = host_columns,
	.cell = draw_cell,
	.gutter = ring_cells_gutter,
	.legend = draw_legend,
	.empty = draw_empty,
	.notes = add_advice,
	.detail = VIEW_HOST_DETAIL,
	.gutter_cols = RING_CELLS_GUTTER,
	.natural = LISTING_UNSORTED,
	.keys = sort_keys,
	.filter_label = "filter by text: ",
};

static void host_init(struct view *view)
{
	listing_init(&rows(view)->list, view, &host_listing);
	rows(view)->list.worst = true;
}

/* Opening the screen starts reading the host's rings; it may be repeated. */
static void host_focus(struct view *view, size_t id)
{
	struct request rq = { .kind = REQUEST_HOST };

	(void)id;
	rows(view)->refused = !view->shell->request(view->shell, &rq);
}

static void host_draw(struct view *view, const struct frame *frame,
		      struct area area)
{
	struct listing *l = &rows(view)->list;

	l->frame = frame;
	l->above = draw_status(rows(view), frame, area);
	listing_update(l, frame);
	l->below = ring_history_lines(l, area, l->above);
	if (l->below)
		ring_history_panel(l, area_sub(area, area.rows - l->below, 0,
					       l->below, area.cols));
	if (nr_rows(l))
		listing_draw(view, frame, area);
	else
		draw_empty(l, area_sub(area, l->above, 0,
					      area.rows - l->above,
					      area.cols));
	host_listed_pick(rows(view), frame, area);
}

static bool host_action(struct view *view, const struct frame *frame,
			enum action action)
{
	struct shell *shell = view->shell;

	/* one popup at a time */
	if (!rows(view)->list.pick.open &&
	    host_listed_action(rows(view), frame, action))
		return true;
	if (rows(view)->users.open)
		return false;
	if (ring_history_action(&rows(view)->list, action) ||
	    listing_action(view, frame, action))
		return true;
	if (rows(view)->list.pick.open)
		return false;
	if (action == ACTION_RESET) {	/* the app resets the rest */
		memset(rows(view)->wanted, 0, sizeof(rows(view)->wanted));
		memset(rows(view)->widths, 0, sizeof(rows(view)->widths));
	}
	if (action == ACTION_COPY) {
		ring_cells_copy(view, listing_current(&rows(view)->list));
		return true;
	}
	if (action == ACTION_DROPS) {
		host_count_drops(view, frame);
		return true;
	}
	if (action != ACTION_MAP)
		return false;
	shell->message(shell, ROLE_NOTICE, "Host has no heat map; sort by "
		      "FILL% to see the fullest rings");
	return true;
}

static bool host_click(struct view *view, const struct frame *frame, int row,
		       int col, bool twice)
{
	struct host_view *v = rows(view);

	if (!v->users.open)
		return listing_click(view, frame, row, col, twice);
	host_listed_click(v, row, col);
	return true;
}

static bool host_wheel(struct view *view, const struct frame *frame, int lines)
{
	struct host_view *v = rows(view);

	if (!v->users.open)
		return listing_wheel(view, frame, lines);
	list_scroll(&v->users.list, lines);
	return true;
}

static const char *host_label(const struct view *view, enum action action)
{
	const struct host_view *v = rows(view);

	if (v->users.open || v->list.pick.open)
		return pick_label(action);
	if (action == ACTION_HIDE_GONE && v->hides_gone)
		return "Show gone";
	if (action == ACTION_HIDE_DUMMIES)
		return view->shell->config->dummies ? "Hide dummies" :
						      "Show dummies";
	if (action == ACTION_COPY)
		return ring_cells_command(listing_current(&v->list)) ?
			       "Copy" : NULL;
	return listing_label(view, action);
}

const struct view_ops view_host_rings = {
	.id = VIEW_HOST,
	.size = sizeof(struct host_view),
	.init = host_init,
	.release = listing_release,
	.draw = host_draw,
	.action = host_action,
	.click = host_click,
	.wheel = host_wheel,
	.focus = host_focus,
	.label = host_label,
};
