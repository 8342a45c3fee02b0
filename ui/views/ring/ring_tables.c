/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/ring/ring_detail.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "base/units.h"
#include "ui/kit/widgets.h"

enum {
	COUNT = 12,		/* columns of a count in full */
	SHORT = 6,		/* of one with a suffix */
	SHARE = 6,
	ROOMY = 58,		/* from here on counts stand in full */
	MAX_EVENTS = 200,	/* rows; more are summed up in a line */
};

static bool is_roomy(struct area a)
{
	return a.cols >= ROOMY;
}

static int count_width(bool full)
{
	return full ? COUNT : SHORT;
}

/* A count that ends at column @end, in @full or with a suffix; "-" for what is
 * unknown. */
static void draw_count(struct area a, int row, int end, bool full,
		       enum role role, uint64_t count)
{
	char text[24];

	if (count == UNKNOWN)
		snprintf(text, sizeof(text), "-");
	else if (full)
		snprintf(text, sizeof(text), "%" PRIu64, count);
	else
		units_count(text, sizeof(text), (double)count);
	if (!count || count == UNKNOWN)
		role = ROLE_DIM;
	area_text_right(a, row, end, role, text);
}

/* With a decimal, cut as units_share() does: 100.0% is all, 0.0% nothing. */
static void draw_share(struct area a, int row, int end, double share)
{
	char text[16];
	double tenths = floor(share * 1000 + 1e-6);

	if (share > 0 && tenths < 1)
		snprintf(text, sizeof(text), "<0.1%%");
	else
		snprintf(text, sizeof(text), "%.1f%%", tenths / 10);
	area_text_right(a, row, end, ROLE_DEFAULT, text);
}

/* The bar gets what is left of the row from @col on. */
static void draw_share_bar(struct area a, int row, int col, double share)
{
	int width = a.cols - col;

	widget_hbar(a, row, col, width > 40 ? 40 : width, share, 1,
		    ROLE_SPARK);
}

static const uint64_t *types_of(const struct ring_row *r)
{
	const struct ring_reads *reads = r->reads;

	return r->overwrite && reads->overwrite.valid ?
		       reads->overwrite.types : reads->stats.types;
}

static int draw_type(struct area a, int row, const char *name, uint64_t count,
		     uint64_t all, bool bad)
{
	bool full = is_roomy(a);
	int width = full ? 19 : 14, end = width + 1 + count_width(full);
	double share = (double)count / (double)all;

	area_text(a, row, 0, width, bad ? ROLE_BAD : ROLE_LABEL, name);
	draw_count(a, row, end, full, ROLE_VALUE, count);
	draw_share(a, row, end + 1 + SHARE, share);
	draw_share_bar(a, row, end + SHARE + 3, share);
	return row + 1;
}

int ring_tables_types(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	uint64_t all = 0, least = UINT64_MAX;
	const uint64_t *types;

	if (!r->reads)
		return row;
	types = types_of(r);
	widget_heading(a, row++, types == r->reads->overwrite.types ?
					 "Records in it when last read" :
					 "Records by type");
	for (unsigned int i = 0; i < RECORD_TYPES; i++)
		all += types[i];
	if (!all) {
		area_text(a, row, 0, 0, ROLE_DIM, "none yet");
		return row + 1;
	}
	for (;;) { /* most first; those of equal count in the kernel's order */
		uint64_t most = 0;

		for (unsigned int i = 0; i < RECORD_TYPES; i++) {
			if (types[i] < least && types[i] > most)
				most = types[i];
		}
		if (!most)
			return row;
		for (unsigned int i = 0; i < RECORD_TYPES; i++) {
			if (types[i] == most)
				row = draw_type(a, row, record_name(i), most,
						all, i == RECORD_LOST);
		}
		least = most;
	}
}

/* What the events' table tells beside names, samples and losses. */
struct event_form {
	bool full;		/* counts in full */
	bool count, rate;
};

/* Where its columns end; 0: not there.  The name has what is left. */
struct event_columns {
	bool full;
	int name, count, samples, lost, rate;
};

static struct event_columns lay_out_events(struct area a,
					   const struct event_form *form)
{
	int width = count_width(form->full);
	struct event_columns c = { .full = form->full, .lost = a.cols };

	if (form->rate) {
		c.rate = a.cols;
		c.lost = c.rate - SHORT - 2;
	}
	c.samples = c.lost - width - 2;
	if (form->count)
		c.count = c.samples - width - 2;
	c.name = (form->count ? c.count : c.samples) - width - 1;
	return c;
}

/* The most telling form that leaves every name whole, else the narrowest. */
static struct event_columns event_columns(struct area a,
					  const struct ring_row *r,
					  size_t shown)
{
	static const struct event_form forms[] = {
		{ true, true, true },   { true, false, true },
		{ false, true, true },  { false, false, true },
		{ false, false, false },
	};
	struct event_columns c;
	int need = 0, name;

	for (size_t i = 0; i < shown; i++) {
		name = text_width(r->events[i].name);
		need = name > need ? name : need;
	}
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		c = lay_out_events(a, &forms[i]);
		if (need <= c.name)
			break;
	}
	return c;
}

static void draw_event(struct area a, int row, const struct event_columns *c,
		       const struct ring_event *e)
{
	char rate[8];

	area_text(a, row, 0, c->name, e->side_band ? ROLE_DIM : ROLE_LABEL,
		  e->name);
	if (c->count)
		draw_count(a, row, c->count, c->full, ROLE_DEFAULT, e->count);
	draw_count(a, row, c->samples, c->full, ROLE_VALUE, e->samples);
	draw_count(a, row, c->lost, c->full, ROLE_BAD, e->lost);
	if (!c->rate)
		return;
	units_count(rate, sizeof(rate), e->samples_per_s);
	area_text_right(a, row, c->rate,
			e->samples_per_s > 0 ? ROLE_DEFAULT : ROLE_DIM, rate);
}

static void draw_events_heading(struct area a, int row,
				const struct ring_row *r)
{
	char title[64] = "Events", age[8];

	if (r->reads->counts_age > 0)
		snprintf(title, sizeof(title),
			 "Events (kernel counts read %s ago)",
			 units_duration(age, sizeof(age),
					r->reads->counts_age));
	widget_heading(a, row, title);
}

static void draw_events_header(struct area a, int row,
			       const struct event_columns *c)
{
	area_fill(a, row, 0, a.cols, ROLE_HEADER, ' ');
	area_text(a, row, 0, 0, ROLE_HEADER, "EVENT");
	if (c->count)
		area_text_right(a, row, c->count, ROLE_HEADER, "COUNT");
	area_text_right(a, row, c->samples, ROLE_HEADER, "SAMPLES");
	area_text_right(a, row, c->lost, ROLE_HEADER, "LOST");
	if (c->rate)
		area_text_right(a, row, c->rate, ROLE_HEADER, "/S");
}

int ring_tables_events(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	size_t shown = r->nr_events < MAX_EVENTS ? r->nr_events : MAX_EVENTS;
	struct event_columns c = event_columns(a, r, shown);

	draw_events_heading(a, row++, r);
	draw_events_header(a, row++, &c);
	for (size_t i = 0; i < shown; i++)
		draw_event(a, row++, &c, &r->events[i]);
	if (shown < r->nr_events)
		area_printf(a, row++, 0, ROLE_DIM, "and %zu more",
			    r->nr_events - shown);
	return row;
}

/* Where the columns of the processes' table begin or end. */
struct pid_columns {
	int comm, comm_width, samples, error, share;
};

static struct pid_columns pid_columns(struct area a)
{
	struct pid_columns c = { .comm = 9 };

	c.comm_width = is_roomy(a) ? 15 : 10;
	c.samples = c.comm + c.comm_width + 1 + count_width(is_roomy(a));
	c.error = is_roomy(a) ? c.samples + 2 + SHORT : c.samples;
	c.share = c.error + 1 + SHARE;
	return c;
}

static void draw_pid(struct area a, int row, const struct ring_pid *p)
{
	struct pid_columns c = pid_columns(a);
	char error[24] = "<=";

	area_printf(a, row, 0, ROLE_DEFAULT, "%7d", (int)p->pid);
	area_text(a, row, c.comm, c.comm_width, ROLE_LABEL, p->comm);
	draw_count(a, row, c.samples, is_roomy(a), ROLE_VALUE, p->samples);
	if (is_roomy(a)) { /* counted too high by that at most, never too low */
		units_count(error + 2, sizeof(error) - 2, (double)p->error);
		area_text_right(a, row, c.error, ROLE_DIM,
				p->error ? error : "0");
	}
	draw_share(a, row, c.share, p->share);
	draw_share_bar(a, row, c.share + 2, p->share);
}

static void draw_pids_header(struct area a, int row)
{
	struct pid_columns c = pid_columns(a);

	area_fill(a, row, 0, a.cols, ROLE_HEADER, ' ');
	area_text_right(a, row, 7, ROLE_HEADER, "PID");
	area_text(a, row, c.comm, 0, ROLE_HEADER, "COMM");
	area_text_right(a, row, c.samples, ROLE_HEADER,
			is_roomy(a) ? "SAMPLES" : "SAMPL");
	if (is_roomy(a))
		area_text_right(a, row, c.error, ROLE_HEADER, "ERROR");
	area_text_right(a, row, c.share, ROLE_HEADER, "SHARE");
}

int ring_tables_pids(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	const struct ring_reads *reads = r->reads;
	bool exact = true;

	if (!reads)
		return row;
	widget_heading(a, row++, "Samples by process");
	if (!reads->nr_pids) {
		area_text(a, row, 0, 0, ROLE_DIM, "none yet");
		return row + 1;
	}
	draw_pids_header(a, row++);
	for (unsigned int i = 0; i < reads->nr_pids; i++) {
		draw_pid(a, row++, &reads->pids[i]);
		exact &= !reads->pids[i].error;
	}
	if (!exact && is_roomy(a))
		area_text(a, row++, 0, 0, ROLE_DIM,
			  "ERROR: samples that may be of other processes");
	return row;
}
