/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of Host and their widths. */
#include "ui/views/host/host.h"

#include "base/text.h"
#include "ui/draw/widgets.h"

enum {
	LEAST_BAR = 8,		/* normal width of the bar */
	NARROW = 60,		/* below that, names are cut to make room */
	NARROW_NAME = 10,
	ROOMY = 100,		/* below that, events are narrowed further */
	LEAST_EVENT = 18,	/* "sched:sched_switch" */
	SHORT_EVENT = 12,
	FOR_COMMAND = 160,	/* below that, it is shown if it was chosen */
	MOST_EVENT = 25,	/* "syscalls:sys_enter_openat" */
};

static bool is_name(enum figure figure)
{
	return figure_info(figure)->kind == FIGURE_IS_TEXT &&
	       figure != FIGURE_WARN && figure != FIGURE_COMMAND;
}

/* Width of the longest text of a column and its header, at most @most. */
static int content_width(const struct listing *l, enum figure figure, int most)
{
	int width = text_width(figure_header(figure, IN_HOST)) + 1;
	char text[LISTING_CELL];

	for (size_t i = 0; i < l->list.nr && width < most; i++) {
		int cell = text_width(figure_text(figure, l->order[i], text,
						  sizeof(text)));

		if (cell > width)
			width = cell;
	}
	return width < most ? width : most;
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

static int least(int a, int b)
{
	return a < b ? a : b;
}

/*
 * As wide as the content has been, so that columns do not come and go with the
 * rings listed; on a narrow screen cut.  Events are narrowed rather
 * than columns left out, and share the room that is left.
 */
static void fit_name(struct host_view *v, int cols, struct list_column *c)
{
	enum figure figure = (enum figure)c->id;
	bool event = figure == FIGURE_EVENT;
	int width = cols < NARROW ? NARROW_NAME : event ? MOST_EVENT : c->width;
	int *widest = &v->widths[figure];
	int now = content_width(&v->list, figure,
				event ? LISTING_CELL : c->width);

	if (now > *widest)
		*widest = now;
	c->fair = *widest;
	c->width = least(width, c->fair);
	if (!event)
		return;
	c->least = least(c->width, cols < ROOMY ? SHORT_EVENT : LEAST_EVENT);
	c->ends = true;
	c->rest = true;
	c->most = c->fair;
}

static struct list_column column_of(struct host_view *v,
				       enum figure figure, int cols)
{
	struct list_column c = ring_cells_column(figure, IN_HOST);

	if (figure == FIGURE_FILL) {
		c.width = c.fair = LEAST_BAR;
	} else if (figure == FIGURE_COMMAND) {
		c.most = content_width(&v->list, figure, LISTING_CELL);
		c.spare = c.rest = true;
	}
	else if (is_name(figure) || figure == FIGURE_PID)
		fit_name(v, cols, &c);
	return c;
}

/* Scrolling leaves the owner, and what tells its rings apart, as long as they
 * take a third of the width at most. */
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
