/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The detail of a sample: its fields, the callchain, and the tracepoint's text.
 * The entry is held while it is shown, also after the feed has dropped it.
 */
#include "ui/views/samples/samples.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "base/units.h"
#include "ui/draw/widgets.h"
#include "ui/kit/page.h"

enum {
	LABEL = 13,		/* columns */
	ADDRESS = 18,		/* "0xffffffff81000000" */
	DECIMALS = 9,		/* of times: nanoseconds */
	WIDE = 60,		/* columns from which frames have addresses */
};

struct sample_detail {
	struct detail detail;	/* its id is the sample's serial */
	const struct feed_entry *entry;	/* held; NULL: none */
};

static struct sample_detail *sample(struct view *view)
{
	return (struct sample_detail *)(void *)view;
}

/* Find an entry in the feed that Samples lists: the one it holds, else the
 * frame's. */
static const struct feed_entry *find(const struct detail *d,
				     const struct frame *frame,
				     uint64_t serial)
{
	const struct feed *feed = d->view.shell->feed;

	if (!feed && frame->samples)
		feed = frame->samples->feed;
	return feed ? feed_find(feed, serial) : NULL;
}

static bool exists(const struct detail *d, const struct frame *frame,
		   uint64_t serial)
{
	return find(d, frame, serial);
}

static void sample_init(struct view *view)
{
	sample(view)->detail.exists = exists;
}

static void sample_release(struct view *view)
{
	feed_entry_release(sample(view)->entry);
	detail_release(view);
}

/* Hold the entry of the sample to show; NULL if the feed has dropped it. */
static void take_entry(struct sample_detail *v, const struct frame *frame)
{
	uint64_t serial = v->detail.id;
	const struct feed_entry *entry;

	if (v->entry && feed_entry_serial(v->entry) == serial)
		return;
	entry = find(&v->detail, frame, serial);
	if (entry)
		feed_entry_hold(entry);
	feed_entry_release(v->entry);
	v->entry = entry;
}

static const char *kind_name(enum symbol_kind kind)
{
	static const char *const names[] = {
		[SYMBOL_UNKNOWN] = "in no known mapping",
		[SYMBOL_KERNEL] = "kernel",
		[SYMBOL_USER] = "user",
		[SYMBOL_JIT] = "JIT",
		[SYMBOL_GUEST] = "guest of a virtual machine",
		[SYMBOL_HYPERVISOR] = "hypervisor",
	};

	return names[kind];
}

static int line(struct area a, int row, enum role role, const char *label,
		const char *text)
{
	return page_field(a, row, LABEL, label, role, *text ? text : "-");
}

static int linef(struct area a, int row, const char *label, const char *fmt,
		 ...) __attribute__((format(printf, 4, 5)));

static int linef(struct area a, int row, const char *label, const char *fmt,
		 ...)
{
	char text[LISTING_CELL];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return line(a, row, ROLE_DEFAULT, label, text);
}

/* By both clocks. */
static int draw_time(struct area a, int row, const struct frame *frame,
		     const struct feed_sample *s)
{
	char text[40];

	times_text(&frame->times, TIMES_WALL, s->time, DECIMALS, text,
		   sizeof(text));
	row = line(a, row, ROLE_DEFAULT, "time", text);
	times_text(&frame->times, TIMES_KERNEL, s->time, DECIMALS, text,
		   sizeof(text));
	return linef(a, row, "kernel clock", "%s s", text);
}

static int draw_task(struct area a, int row, const struct frame *frame,
		     const struct feed_sample *s)
{
	row = line(a, row, ROLE_VALUE, "event", s->event);
	row = draw_time(a, row, frame, s);
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
	char text[LISTING_CELL];

	if (!s->nr_frames)
		return row;
	symbol = &s->frames[0].symbol;
	row = line(a, row, widget_kind(symbol->kind)->role, "symbol",
		   sample_column_symbol(symbol, false, text, sizeof(text)));
	row = linef(a, row, "file", "%s (%s)", symbol->dso,
		    kind_name(symbol->kind));
	return linef(a, row, "address", "0x%" PRIx64, s->frames[0].ip);
}

/* A page size, "4K", "2M"; 0 is "not mapped". */
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
	char text[LISTING_CELL];

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

/* Columns for the names: as many as they need, at most half of the row. */
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
	char name[LISTING_CELL], text[LISTING_CELL];

	snprintf(name, sizeof(name), "%.*s", (int)field->name_len,
		 field->name);
	snprintf(text, sizeof(text), "%.*s", (int)field->value_len,
		 field->value);
	return page_field(a, row, width + 1, name, ROLE_DEFAULT,
			  *text ? text : "-");
}

/* The text of the tracepoint's print format, and its fields. */
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
	char text[LISTING_CELL];

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
				  "no callchain: start rbtop with -g");
		return row + !*s->text;
	}
	widget_heading(a, ++row, "Callchain, innermost first");
	row++;
	for (uint32_t i = 0; i < s->nr_frames; i++)
		row = draw_frame(a, row, &s->frames[i]);
	return row;
}

static void draw_title(const struct sample_detail *v,
		       const struct frame *frame, struct area a)
{
	uint64_t serial = feed_entry_serial(v->entry);
	bool gone = !find(&v->detail, frame, serial);
	char text[80] = "Sample";

	if (!frame->playback)	/* after a jump, numbers go on */
		snprintf(text, sizeof(text), "Sample %" PRIu64, serial + 1);
	text_append(text, sizeof(text), "%s",
		    gone ? " (no longer listed)" : "");
	widget_heading(a, 0, text);
}

/* Draw the whole sample from @row on; rows may be above or below @a.  Returns
 * the row after it. */
static int draw_all(struct area a, int row, const struct frame *frame,
		    const struct feed_sample *s)
{
	row = draw_task(a, row, frame, s);
	row = draw_symbol(a, row, s);
	row = draw_weight(a, row, s);
	row = draw_data(a, row, s);
	row = draw_tracepoint(a, row, s);
	return draw_chain(a, row, s);
}

/* Not on a page: a callchain may take more than PAGE_ROWS. */
static void draw_body(struct list *list, struct area a,
		      const struct frame *frame, const struct feed_sample *s)
{
	struct area text = area_sub(a, 0, 0, a.rows, a.cols - 1);
	/* an area without rows draws nothing: only count the lines */
	int lines = draw_all(area_sub(text, 0, 0, 0, text.cols), 0, frame, s);

	list_fit(list, (size_t)lines, a.rows);
	draw_all(text, -(int)list->top, frame, s);
	list_scrollbar(list, a);
}

static void sample_draw(struct view *view, const struct frame *frame,
			struct area area)
{
	struct sample_detail *v = sample(view);

	take_entry(v, frame);
	if (!v->entry) {
		area_text(area, 0, 0, 0, ROLE_DIM,
			  "the sample is no longer listed");
		return;
	}
	draw_title(v, frame, area);
	draw_body(&v->detail.page.list,
		  area_sub(area, 1, 0, area.rows - 1, area.cols), frame,
		  feed_entry_sample(v->entry));
}

const struct view_ops view_sample_detail = {
	.id = VIEW_SAMPLE_DETAIL,
	.own_rings = true,
	.size = sizeof(struct sample_detail),
	.init = sample_init,
	.release = sample_release,
	.draw = sample_draw,
	.action = detail_action,
	.wheel = detail_wheel,
	.focus = detail_focus,
	.label = detail_label,
};
