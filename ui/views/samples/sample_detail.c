/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sample with all that is known of it: its fields, the callchain, and what
 * a tracepoint says.  It is kept while it is shown, also when it falls off the
 * feed.
 */
#include "ui/views/samples/samples.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "samples/sample_filter.h"
#include "ui/kit/widgets.h"

enum {
	LABEL = 13,		/* columns */
	ADDRESS = 18,		/* "0xffffffff81000000" */
	WIDE = 60,		/* columns from which frames have addresses */
};

struct sample_detail {
	struct view view;
	const struct feed_entry *entry;	/* held; NULL: none */
	struct list list;	/* a row is a line */
};

static struct sample_detail *detail(struct view *view)
{
	return (struct sample_detail *)(void *)view;
}

static struct view *detail_create(struct shell *shell)
{
	struct sample_detail *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->view = (struct view){ .ops = &view_sample_detail, .shell = shell };
	return &v->view;
}

static void detail_destroy(struct view *view)
{
	feed_entry_release(detail(view)->entry);
	free(view);
}

/* What Samples lists, and so what the samples beside this one are of. */
static const struct feed *listed(const struct sample_detail *v,
				 const struct samples *samples)
{
	if (v->view.shell->feed)
		return v->view.shell->feed;
	return samples ? samples->feed : NULL;
}

static const struct feed_entry *find(const struct sample_detail *v,
				     const struct samples *samples,
				     uint64_t serial)
{
	const struct feed *feed = listed(v, samples);

	return feed ? feed_find(feed, serial) : NULL;
}

/* Hold what the host points to, if it is still there. */
static void take_entry(struct sample_detail *v, const struct samples *samples)
{
	uint64_t serial = v->view.shell->sample;
	const struct feed_entry *entry;

	if (v->entry && feed_entry_serial(v->entry) == serial)
		return;
	entry = find(v, samples, serial);
	if (entry)
		feed_entry_hold(entry);
	feed_entry_release(v->entry);
	v->entry = entry;
	v->list = (struct list){ .nr = 0 };
}

static const char *kind_name(enum symbol_kind kind)
{
	static const char *const names[] = {
		[SYMBOL_UNKNOWN] = "in no mapping that is known",
		[SYMBOL_KERNEL] = "kernel",
		[SYMBOL_USER] = "user",
		[SYMBOL_JIT] = "JIT",
		[SYMBOL_GUEST] = "guest of a virtual machine",
		[SYMBOL_HYPERVISOR] = "hypervisor",
	};

	return names[kind];
}

/* A label and its text, over as many rows as that takes.  The next row. */
static int line(struct area a, int row, enum role role, const char *label,
		const char *text)
{
	struct area rest = area_sub(a, 0, LABEL, a.rows, a.cols - LABEL);

	area_text(a, row, 0, LABEL - 1, ROLE_LABEL, label);
	return area_wrapped(rest, row, role, *text ? text : "-");
}

static int linef(struct area a, int row, const char *label, const char *fmt,
		 ...) __attribute__((format(printf, 4, 5)));

static int linef(struct area a, int row, const char *label, const char *fmt,
		 ...)
{
	char text[SAMPLES_CELL];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return line(a, row, ROLE_DEFAULT, label, text);
}

static int draw_task(struct area a, int row, const struct feed_sample *s)
{
	row = line(a, row, ROLE_VALUE, "event", s->event);
	row = linef(a, row, "time", "%" PRIu64 ".%09" PRIu64 " s",
		    s->time / 1000000000, s->time % 1000000000);
	if (s->pid >= 0)
		row = linef(a, row, "task", "%s, process %d, thread %d",
			    s->comm, s->pid, s->tid);
	else
		row = line(a, row, ROLE_DEFAULT, "task", s->comm);
	if (s->cpu >= 0)
		row = linef(a, row, "CPU", "%d", s->cpu);
	return row;
}

static int draw_symbol(struct area a, int row, const struct feed_sample *s)
{
	const struct symbol *symbol;
	char text[SAMPLES_CELL];

	if (!s->nr_frames)
		return row;
	symbol = &s->frames[0].symbol;
	row = line(a, row, widget_kind(symbol->kind)->role, "symbol",
		   sample_column_symbol(symbol, false, text, sizeof(text)));
	row = linef(a, row, "file", "%s (%s)", symbol->dso,
		    kind_name(symbol->kind));
	return linef(a, row, "address", "0x%" PRIx64, s->frames[0].ip);
}

/* "4K", "2M"; what a page of that size is. */
static int draw_page_size(struct area a, int row, const char *label,
			  uint64_t bytes)
{
	char text[16];

	return line(a, row, ROLE_DEFAULT, label,
		    bytes ? units_bytes(text, sizeof(text), (double)bytes) :
			    "not mapped");
}

static int draw_weight(struct area a, int row, const struct feed_sample *s)
{
	if (s->fields & PERF_SAMPLE_PERIOD || s->period)
		row = linef(a, row, "period", "%" PRIu64 " event%s", s->period,
			    s->period == 1 ? "" : "s");
	if (s->weight > 1)
		row = linef(a, row, "stands for", "%u samples, from which it "
			    "was picked at random", s->weight);
	if (s->fields & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		row = linef(a, row, "cost", "%" PRIu64, s->sample_weight);
	if (s->fields & PERF_SAMPLE_TRANSACTION)
		row = linef(a, row, "transaction", "0x%" PRIx64,
			    s->transaction);
	if (s->fields & PERF_SAMPLE_BRANCH_STACK)
		row = linef(a, row, "branches", "%u", s->nr_branches);
	return row;
}

static int draw_data(struct area a, int row, const struct feed_sample *s)
{
	char text[SAMPLES_CELL];

	if (s->fields & PERF_SAMPLE_ADDR)
		row = linef(a, row, "data address", "0x%" PRIx64, s->addr);
	if (s->fields & PERF_SAMPLE_PHYS_ADDR)
		row = linef(a, row, "physical", "0x%" PRIx64, s->phys_addr);
	if (s->fields & PERF_SAMPLE_DATA_SRC)
		row = line(a, row, ROLE_DEFAULT, "data source",
			   sample_column_access(s->data_src, text,
						sizeof(text)));
	if (s->fields & PERF_SAMPLE_DATA_PAGE_SIZE)
		row = draw_page_size(a, row, "data page", s->data_page_size);
	if (s->fields & PERF_SAMPLE_CODE_PAGE_SIZE)
		row = draw_page_size(a, row, "code page", s->code_page_size);
	if (s->fields & PERF_SAMPLE_CGROUP)
		row = linef(a, row, "cgroup", "%" PRIu64 "  %s", s->cgroup,
			    s->cgroup_path ? s->cgroup_path : "");
	return row;
}

/* Columns of the names: as many as they need, at most half of the row. */
static int names_width(struct area a, const char *values)
{
	struct feed_value field;
	int width = LABEL - 1;

	while (feed_next_value(&values, &field)) {
		if (field.name_len > (size_t)width)
			width = (int)field.name_len;
		if (width > a.cols / 2)
			return a.cols / 2;
	}
	return width;
}

static int draw_value(struct area a, int row, int width,
		      const struct feed_value *field)
{
	struct area rest = area_sub(a, 0, width + 1, a.rows,
				    a.cols - width - 1);
	char text[SAMPLES_CELL];

	snprintf(text, sizeof(text), "%.*s", (int)field->name_len,
		 field->name);
	area_text(a, row, 0, width, ROLE_LABEL, text);
	snprintf(text, sizeof(text), "%.*s", (int)field->value_len,
		 field->value);
	return area_wrapped(rest, row, ROLE_DEFAULT, *text ? text : "-");
}

/* What the tracepoint printed, and its fields. */
static int draw_tracepoint(struct area a, int row, const struct feed_sample *s)
{
	const char *values = s->values;
	int width = names_width(a, values);
	struct feed_value field;

	if (!*s->text && !*s->values)
		return row;
	widget_heading(a, ++row, "Tracepoint");
	row++;
	if (*s->text)
		row = area_wrapped(a, row, ROLE_VALUE, s->text);
	while (feed_next_value(&values, &field))
		row = draw_value(a, row, width, &field);
	return row;
}

static int draw_frame(struct area a, int row, const struct feed_frame *frame)
{
	int indent = a.cols < WIDE ? 1 : ADDRESS + 2;
	char text[SAMPLES_CELL];

	if (a.cols >= WIDE) {
		snprintf(text, sizeof(text), "0x%" PRIx64, frame->ip);
		area_text_right(a, row, ADDRESS + 1, ROLE_DIM, text);
	}
	sample_column_symbol(&frame->symbol, true, text, sizeof(text));
	return area_wrapped(area_sub(a, 0, indent, a.rows, a.cols - indent),
			    row, widget_kind(frame->symbol.kind)->role, text);
}

static int draw_chain(struct area a, int row, const struct feed_sample *s)
{
	if (!s->chain) {
		if (!*s->text)
			area_text(a, ++row, 0, 0, ROLE_DIM,
				  "no callchain: -g takes them");
		return row + !*s->text;
	}
	widget_heading(a, ++row, "Callchain, the innermost first");
	row++;
	for (uint32_t i = 0; i < s->nr_frames; i++)
		row = draw_frame(a, row, &s->frames[i]);
	return row;
}

/* All of it, from @row on, above or below what @a shows.  The row behind. */
static int draw_all(struct area a, int row, const struct feed_sample *s)
{
	row = draw_task(a, row, s);
	row = draw_symbol(a, row, s);
	row = draw_weight(a, row, s);
	row = draw_data(a, row, s);
	row = draw_tracepoint(a, row, s);
	return draw_chain(a, row, s);
}

static void draw_title(const struct sample_detail *v,
		       const struct samples *samples, struct area a)
{
	uint64_t serial = feed_entry_serial(v->entry);
	bool gone = !find(v, samples, serial);
	char text[80];

	snprintf(text, sizeof(text), "Sample %" PRIu64 "%s", serial + 1,
		 gone ? " (no longer listed)" : "");
	widget_heading(a, 0, text);
}

static void detail_draw(struct view *view, const struct frame *frame,
			struct area area)
{
	struct sample_detail *v = detail(view);
	struct area body = area_sub(area, 1, 0, area.rows - 1, area.cols);
	struct area text = area_sub(body, 0, 0, body.rows, body.cols - 1);
	const struct feed_sample *s;
	int lines;

	take_entry(v, frame->samples);
	if (!v->entry) {
		area_text(area, 0, 0, 0, ROLE_DIM,
			  "the sample is no longer listed");
		return;
	}
	s = feed_entry_sample(v->entry);
	draw_title(v, frame->samples, area);
	/* where there is no room nothing is drawn: how much is it? */
	lines = draw_all(area_sub(text, 0, 0, 0, text.cols), 0, s);
	list_fit(&v->list, (size_t)lines, body.rows);
	draw_all(text, -(int)v->list.top, s);
	widget_scrollbar(body, &v->list);
}

/* The next one that Samples lists, @by 1 or -1 away. */
static void step(struct sample_detail *v, const struct samples *samples,
		 int by)
{
	struct shell *shell = v->view.shell;
	const struct feed_entry *entry = NULL;
	uint64_t serial = shell->sample;

	do {
		serial += (uint64_t)by;	/* 0 - 1 is no serial either */
		entry = find(v, samples, serial);
	} while (entry && !sample_filter_match(shell->filter,
					       feed_entry_sample(entry)));
	if (entry)
		shell->sample = serial;
	else
		shell->message(shell, ROLE_NOTICE, by < 0 ?
			      "no older sample is listed" :
			      "no newer sample is listed");
}

static bool detail_action(struct view *view, const struct frame *frame,
			  enum action action)
{
	struct sample_detail *v = detail(view);

	if (list_scroll_action(&v->list, action))
		return true;
	switch ((int)action) {
	case ACTION_LEFT:
	case ACTION_RIGHT:
		step(v, frame->samples, action == ACTION_RIGHT ? 1 : -1);
		return true;
	default:
		return false;
	}
}

static bool detail_wheel(struct view *view, const struct frame *frame,
			 int lines)
{
	(void)frame;
	list_scroll(&detail(view)->list, lines);
	return true;
}

static const enum action footer[] = {
	ACTION_HELP, ACTION_CANCEL, ACTION_LEFT, ACTION_RIGHT, ACTION_FREEZE,
	ACTION_QUIT, ACTION_NONE,
};

const struct view_ops view_sample_detail = {
	.id = VIEW_SAMPLE_DETAIL,
	.name = "Sample",
	.own_rings = true,
	.create = detail_create,
	.destroy = detail_destroy,
	.draw = detail_draw,
	.action = detail_action,
	.wheel = detail_wheel,
	.footer = footer,
};
