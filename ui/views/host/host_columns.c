/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of Host and their widths. */
#include "ui/views/host/host.h"

#include "base/text.h"
#include "ui/draw/widgets.h"

enum {
	LEAST_BAR = 8,		/* normal width of the bar */
	NARROW = 60,		/* below that, names are cut to make room */
	NARROW_NAME = 10,
	LEAST_EVENT = 18,	/* "sched:sched_switch" */
	MOST_EVENT = 25,	/* "syscalls:sys_enter_openat" */
};

static bool is_name(enum figure figure)
{
	return figure_info(figure)->kind == FIGURE_IS_TEXT &&
	       figure != FIGURE_WARN;
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

/* Whether the column has something to show now. */
static bool says_something(const struct host *host, enum figure figure)
{
	switch ((int)figure) {
	case FIGURE_WARN:
		return host->total.warned;
	case FIGURE_PENDING:
		return unknown_as_zero(host->total.row.lost_pending);
	case FIGURE_AUXHEAD:
	case FIGURE_AUX:
		return any_aux(host);
	default:
		return true;
	}
}

/* Without BPF, columns that need it have nothing to show. */
static bool is_possible(const struct host *host, enum figure figure)
{
	return host->status.bpf || figure_info(figure)->proc;
}

/* Also false for columns that have had nothing to show so far. */
static bool is_wanted(struct host_view *v, const struct host *host,
		      enum figure figure)
{
	if (!is_possible(host, figure))
		return false;
	v->wanted[figure] |= says_something(host, figure);
	return v->wanted[figure];
}

/* Of chosen columns only those of AUX rings wait for something to show, as in
 * Rings. */
static bool is_chosen(struct host_view *v, const struct host *host,
		      enum figure figure)
{
	return figure_info(figure)->aux ? is_wanted(v, host, figure) :
					  is_possible(host, figure);
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/*
 * As wide as the content, on a narrow screen cut.  Events are narrowed rather
 * than columns left out, and share the room that is left.
 */
static void fit_name(const struct listing *l, int cols, struct list_column *c)
{
	enum figure figure = (enum figure)c->id;
	bool event = figure == FIGURE_EVENT;
	int width = cols < NARROW ? NARROW_NAME : event ? MOST_EVENT : c->width;

	c->fair = content_width(l, figure, event ? LISTING_CELL : c->width);
	c->width = least(width, c->fair);
	if (!event)
		return;
	c->least = least(c->width, LEAST_EVENT);
	c->rest = true;
	c->most = c->fair;
}

static struct list_column column_of(const struct host_view *v,
				       enum figure figure, int cols)
{
	struct list_column c = ring_cells_column(figure, IN_HOST);

	c.fixed = figure == FIGURE_OWNER;
	if (figure == FIGURE_FILL)
		c.width = c.fair = LEAST_BAR;
	else if (is_name(figure) || figure == FIGURE_PID)
		fit_name(&v->list, cols, &c);
	return c;
}

/* How many of the first columns are shown: those chosen, unless none of them
 * has anything to show without BPF or AUX rings; then all. */
static size_t nr_chosen(struct host_view *v, const struct host *host,
			const struct config_columns *chosen)
{
	for (size_t i = 0; i < chosen->nr; i++) {
		if (is_chosen(v, host, (enum figure)chosen->shown[i]))
			return chosen->nr;
	}
	return 0;
}

size_t host_columns(struct listing *l, int cols, struct list_column *columns)
{
	struct host_view *v = (struct host_view *)(void *)l;
	const struct config_columns *chosen =
		&l->view.shell->config->columns[CONFIG_HOST];
	const struct host *host = l->frame->host;
	size_t nr_shown = nr_chosen(v, host, chosen), nr;
	unsigned int order[CONFIG_COLUMNS];

	nr = config_columns_order(CONFIG_HOST, chosen, order);
	for (size_t i = 0; i < nr; i++) {
		enum figure figure = (enum figure)order[i];
		/* asked each time: it remembers what has been shown */
		bool wanted = is_wanted(v, host, figure);

		columns[i] = column_of(v, figure, cols);
		columns[i].hidden = !nr_shown ? !wanted : i >= nr_shown ||
				    !is_chosen(v, host, figure);
	}
	return nr;
}
