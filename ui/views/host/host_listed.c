/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which rings Host lists (keys hide some, or all but those of one user), and
 * the columns. */
#include "ui/views/host/host.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "ui/draw/widgets.h"
#include "ui/kit/keys.h"

enum {
	PICK_WIDTH = 40,
	MIN_BAR = 8,		/* normal width of the bar */
	NARROW = 60,		/* below that, names are cut to make room */
	NARROW_NAME = 10,
	ROOMY = 100,		/* below that, events are narrowed further */
	MIN_EVENT = 18,		/* "sched:sched_switch" */
	SHORT_EVENT = 10,
	SHORT_VERDICT = 9,	/* "too small" */
	MINOR = 5,		/* rank from which columns are left out first */
	FOR_COMMAND = 160,	/* below that, it is shown if it was chosen */
	MAX_EVENT = 25,		/* "syscalls:sys_enter_openat" */
};

/* Rings that a key hides, or that are over; each is counted once. */
enum cause { LISTED, OTHER_USER, OTHER_KIND, OVER, GONE, DUMMIES, CAUSES };

static enum cause cause_of(const struct host_view *v, const struct ring_row *r)
{
	if (v->by_user && r->uid != v->uid)
		return OTHER_USER;
	if (v->kind && r->kind != v->kind - 1)
		return OTHER_KIND;
	/* under the user's cursor it stays */
	if (r->over && !(v->list.placed && v->list.current == r->id))
		return OVER;
	if (v->hides_gone && r->gone)
		return GONE;
	/* a loss of side-band records is one, too */
	return r->dummies && !unknown_as_zero(ring_row_lost_since(r)) &&
	       !v->list.view.shell->config->dummies ? DUMMIES : LISTED;
}

bool host_listed(const struct host_view *v, const struct ring_row *r)
{
	return cause_of(v, r) == LISTED;
}

/* The user's first ring; NULL if there is none. */
static const struct ring_row *ring_of(const struct host *host, uid_t uid)
{
	for (size_t i = 0; i < host->nr_rows; i++) {
		if (host->rows[i].uid == uid)
			return &host->rows[i];
	}
	return NULL;
}

static const char *user_name(const struct host *host, uid_t uid, char *buf,
			     size_t size)
{
	const struct ring_row *r = ring_of(host, uid);

	if (r && *r->user)
		return r->user;
	if (uid == (uid_t)-1)
		return "unknown users";
	snprintf(buf, size, "%u", (unsigned int)uid);
	return buf;
}

int host_listed_notes(const struct host_view *v, const struct host *host,
		      struct area a)
{
	const struct keys *keys = v->list.view.shell->keys;
	unsigned int nr[CAUSES] = { 0 };
	char key[16], uid[16];
	int col = 1;

	for (size_t i = 0; i < host->nr_rows; i++)
		nr[cause_of(v, &host->rows[i])]++;
	if (v->by_user)
		col = widget_note(a, col, ROLE_NOTICE, "only rings of %s (%s): "
				  "%u hidden",
				  user_name(host, v->uid, uid, sizeof(uid)),
				  keys_text(keys, ACTION_USER, true, key,
					    sizeof(key)), nr[OTHER_USER]);
	if (v->kind)
		col = widget_note(a, col, ROLE_NOTICE, "only %s rings (%s): %u "
				  "hidden", ring_kind_info(v->kind - 1)->name,
				  keys_text(keys, ACTION_KIND, true, key,
					    sizeof(key)), nr[OTHER_KIND]);
	if (v->hides_gone)
		col = widget_note(a, col, ROLE_NOTICE, "%u gone hidden (%s)",
				  nr[GONE],
				  keys_text(keys, ACTION_HIDE_GONE, true, key,
					    sizeof(key)));
	if (nr[DUMMIES])
		col = widget_note(a, col, ROLE_NOTICE,
				  "%u dummy-only hidden (%s)", nr[DUMMIES],
				  keys_text(keys, ACTION_HIDE_DUMMIES, true,
					    key, sizeof(key)));
	if (host->status.drops)
		col = widget_note(a, col, ROLE_NOTICE, "drops of BPF ring "
				  "buffers are counted (%s)",
				  keys_text(keys, ACTION_DROPS, true, key,
					    sizeof(key)));
	return col > 1;
}

static int by_uid(const void *a, const void *b)
{
	const uid_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Set v->uids to the users of rings.  Returns how many. */
static size_t find_users(struct host_view *v, const struct host *host)
{
	size_t nr = 0, at;

	for (size_t i = 0; i < host->nr_rows && nr < HOST_USERS; i++) {
		for (at = 0; at < nr; at++) {
			if (v->uids[at] == host->rows[i].uid)
				break;
		}
		if (at == nr)
			v->uids[nr++] = host->rows[i].uid;
	}
	qsort(v->uids, nr, sizeof(*v->uids), by_uid);
	return nr;
}

/* The popup: "all users", then each user who has rings. */
static void open_users(struct host_view *v, const struct host *host)
{
	size_t nr = find_users(v, host), now = 0;

	for (size_t i = 0; i < nr; i++) {
		if (v->by_user && v->uids[i] == v->uid)
			now = i + 1;
	}
	pick_open(&v->users, nr + 1, now);
}

/* The context of draw_user(). */
struct drawing {
	const struct host_view *v;
	const struct host *host;
};

static void draw_user(const void *ctx, struct area line, size_t row)
{
	const struct drawing *d = ctx;
	const struct host *host = d->host;
	unsigned int rings = 0;
	char uid[16];

	if (!row) {
		area_text(line, 0, 1, 0, ROLE_VALUE, "all users");
		return;
	}
	for (size_t i = 0; i < host->nr_rows; i++)
		rings += host->rows[i].uid == d->v->uids[row - 1];
	area_text(line, 0, 1, 20, ROLE_VALUE,
		  user_name(host, d->v->uids[row - 1], uid, sizeof(uid)));
	area_printf(line, 0, 22, ROLE_DIM, "%u ring%s", rings,
		    rings == 1 ? "" : "s");
}

void host_listed_pick(struct host_view *v, const struct frame *frame,
		      struct area a)
{
	const struct drawing drawing = { v, frame->host };

	if (v->users.open && frame->host)
		pick_draw(&v->users, a, PICK_WIDTH, "Rings of", draw_user,
			  &drawing);
}

static void take_user(struct host_view *v, enum pick_result result)
{
	size_t at = v->users.list.cursor;

	if (result != PICK_CHOSEN)
		return;
	v->by_user = at > 0;
	if (at)
		v->uid = v->uids[at - 1];
}

void host_listed_click(struct host_view *v, int row, int col)
{
	take_user(v, pick_click(&v->users, row, col));
}

bool host_listed_action(struct host_view *v, const struct frame *frame,
			enum action action)
{
	bool *dummies = &v->list.view.shell->config->dummies;
	enum pick_result result;

	if (!frame->host)
		return false;
	if (v->users.open) {
		result = pick_action(&v->users, action, ACTION_USER);
		take_user(v, result);
		return result != PICK_OTHER;
	}
	switch ((int)action) {
	case ACTION_HIDE_GONE:
		v->hides_gone = !v->hides_gone;
		return true;
	case ACTION_HIDE_DUMMIES:
		*dummies = !*dummies;
		return true;
	case ACTION_KIND:
		/* rare ones only if there are any */
		do {
			v->kind = (v->kind + 1) % (RING_KINDS + 1);
		} while (v->kind > RING_FTRACE + 1 &&
			 !frame->host->total.nr[v->kind - 1]);
		return true;
	case ACTION_USER:
		open_users(v, frame->host);
		return true;
	default:
		return false;
	}
}

static bool is_name(enum figure figure)
{
	return figure_info(figure)->kind == FIGURE_IS_TEXT &&
	       figure != FIGURE_WARN && figure != FIGURE_COMMAND;
}

/* Width of the longest text of a column and its header, at most @max. */
static int content_width(const struct listing *l, enum figure figure, int max)
{
	int width = text_width(figure_header(figure, IN_HOST)) + 1;
	char text[LISTING_CELL];

	for (size_t i = 0; i < l->list.nr && width < max; i++) {
		int cell = text_width(figure_text(figure, l->order[i], text,
						  sizeof(text)));

		if (cell > width)
			width = cell;
	}
	return width < max ? width : max;
}

static bool any_aux(const struct host *host)
{
	for (size_t i = 0; i < host->nr_rows; i++) {
		if (host->rows[i].aux.size)
			return true;
	}
	return false;
}

static bool any_cmdline(const struct host *host)
{
	for (size_t i = 0; i < host->nr_rows; i++) {
		if (host->rows[i].cmdline)
			return true;
	}
	return false;
}

/* Whether the column has something to show now. */
static bool says_something(const struct host *host, enum figure figure)
{
	switch ((int)figure) {
	case FIGURE_WARN:
		return host->total.warned;
	case FIGURE_PENDING:
		return unknown_as_zero(host->total.row.lost_pending);
	case FIGURE_COMMAND:
		return any_cmdline(host);
	case FIGURE_AUXHEAD:
	case FIGURE_AUX:
		return any_aux(host);
	default:
		return true;
	}
}

/* False for columns that need BPF if there is none, and for those that have had
 * nothing to show so far. */
static bool is_wanted(struct host_view *v, const struct host *host,
		      enum figure figure)
{
	if (!host->status.bpf && !figure_info(figure)->proc)
		return false;
	v->wanted[figure] |= says_something(host, figure);
	return v->wanted[figure];
}

static int min(int a, int b)
{
	return a < b ? a : b;
}

/* The widest that its content has been, each measured up to @width. */
static int widest(struct host_view *v, enum figure figure, int width)
{
	int now = content_width(&v->list, figure, width);

	if (now > v->widths[figure])
		v->widths[figure] = now;
	return v->widths[figure];
}

/* What verdicts take from events on a narrow screen, so that no column has to be
 * left out for them. */
static int verdict_needs(struct host_view *v)
{
	int more = widest(v, FIGURE_VERDICT, LISTING_CELL) - SHORT_VERDICT;

	return more < 0 ? 0 : min(more, MAX_EVENT - SHORT_EVENT);
}

/*
 * As wide as the content has been, so that columns do not come and go with the
 * rings listed; on a narrow screen cut.  Events are narrowed rather
 * than columns left out, and verdicts only then; they get back what is left.
 */
static void fit_name(struct host_view *v, int cols, struct list_column *c)
{
	enum figure figure = (enum figure)c->id;
	bool event = figure == FIGURE_EVENT;
	int width = cols < NARROW ? NARROW_NAME : event ? MAX_EVENT : c->width;

	c->fair = widest(v, figure, event ? LISTING_CELL : c->width);
	c->width = min(width, c->fair);
	if (figure == FIGURE_VERDICT && cols < ROOMY)
		c->min = min(c->width, SHORT_VERDICT);
	if (!event)
		return;
	if (cols < ROOMY)
		c->width = min(c->width, MAX_EVENT - verdict_needs(v));
	c->min = min(c->width, cols < ROOMY ? SHORT_EVENT : MIN_EVENT);
	c->ends = true;
	c->rest = true;
	c->max = c->fair;
}

static struct list_column column_of(struct host_view *v,
				       enum figure figure, int cols)
{
	struct list_column c = ring_cells_column(figure, IN_HOST);

	if (figure == FIGURE_FILL) {
		c.width = c.fair = MIN_BAR;
	} else if (figure == FIGURE_COMMAND) {
		c.max = content_width(&v->list, figure, LISTING_CELL);
		c.spare = c.rest = true;
	}
	else if (is_name(figure) || figure == FIGURE_PID)
		fit_name(v, cols, &c);
	/* the names of events come first */
	c.spare |= cols < ROOMY && c.rank >= MINOR;
	return c;
}

/* Scrolling leaves the owner, ring and pid in place, as long as they take a
 * third of the width at most. */
static void keep_names(struct list_column *columns, size_t nr, int cols)
{
	static const enum figure names[] = {
		FIGURE_OWNER, FIGURE_RING, FIGURE_PID,
	};
	int left = cols / 3;

	for (size_t name = 0; name < 3; name++) {
		for (size_t i = 0; i < nr; i++) {
			struct list_column *c = &columns[i];

			if (c->hidden || c->id != (int)names[name])
				continue;
			left -= c->width + 1;
			c->fixed = left >= 0 || !name;
		}
	}
}

/* The chosen columns, then the others, hidden, which can be sorted by; all of
 * them if none is chosen, or none of the chosen ones is wanted. */
size_t host_columns(struct listing *l, int cols, struct list_column *columns)
{
	struct host_view *v = (struct host_view *)(void *)l;
	const struct config_columns *chosen =
		&l->view.shell->config->columns[CONFIG_HOST];
	bool wanted[CONFIG_COLUMNS], any = false;
	unsigned int order[CONFIG_COLUMNS];
	size_t nr = config_columns_order(CONFIG_HOST, chosen, order);

	for (size_t i = 0; i < nr; i++) {
		enum figure figure = (enum figure)order[i];

		columns[i] = column_of(v, figure, cols);
		wanted[i] = is_wanted(v, l->frame->host, figure) &&
			    (figure != FIGURE_COMMAND || chosen->nr ||
			     cols >= FOR_COMMAND);
		any |= wanted[i] && i < chosen->nr;
	}
	for (size_t i = 0; i < nr; i++)
		columns[i].hidden = !wanted[i] || (any && i >= chosen->nr);
	keep_names(columns, nr, cols);
	return nr;
}
