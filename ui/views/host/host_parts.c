/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/host/host_detail.h"

#include <stdio.h>

#include "base/units.h"
#include "ui/draw/widgets.h"
#include "ui/views/host/host.h"

enum { UNIT_BUF = 16 };

static int draw_holder(struct area a, int row, const struct ring_holder *h,
		       enum ring_kind kind)
{
	int col;

	area_printf(a, row, 0, ROLE_DEFAULT, "%7d", (int)h->pid);
	col = 9 + area_text(a, row, 9, 15, ROLE_LABEL, h->comm);
	area_text(a, row, col + 2, 0, ROLE_DIM,
		  kind == RING_FTRACE ? "reads it" :
		  h->maps ? "has it mapped" : "holds a file descriptor");
	return row + 1;
}

int host_parts_holders(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	unsigned int named = r->nr_holders < RING_HOLDERS ? r->nr_holders :
							    RING_HOLDERS;

	widget_heading(a, row++, "Held by");
	for (unsigned int i = 0; i < named; i++)
		row = draw_holder(a, row, &r->holders[i], r->kind);
	if (named < r->nr_holders)
		area_printf(a, row++, 0, ROLE_DIM, "and %u more",
			    r->nr_holders - named);
	if (!r->nr_holders)
		area_text(a, row++, 0, 0, ROLE_DIM, "no process seen");
	if (!r->mapped && !r->gone && r->kind != RING_FTRACE)
		row = area_wrapped(a, row, ROLE_DIM, r->kind == RING_PERF ?
				   "no process has it mapped: it is not "
				   "drained" :
				   "no mapping of it was seen");
	return row;
}

static void draw_runs(struct area a, int row, int col,
		      const struct ring_program *p)
{
	char runs[UNIT_BUF], mean[UNIT_BUF];

	if (p->runs)
		area_printf(a, row, col, ROLE_DIM, "%s runs, mean %s",
			    units_count(runs, sizeof(runs), (double)p->runs),
			    units_duration(mean, sizeof(mean),
					   (double)p->run_ns /
						   (double)p->runs / 1e9));
}

int host_parts_programs(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;

	if (!r->nr_programs)
		return row;
	widget_heading(a, row++, "Used by BPF programs");
	for (unsigned int i = 0; i < r->nr_programs && i < RING_PROGRAMS; i++) {
		area_printf(a, row, 0, ROLE_DEFAULT, "%7u", r->programs[i].id);
		draw_runs(a, row, 11 + area_text(a, row, 9, 15, ROLE_LABEL,
						 r->programs[i].name),
			  &r->programs[i]);
		row++;
	}
	if (r->nr_programs > RING_PROGRAMS)
		area_printf(a, row++, 0, ROLE_DIM, "and %u more",
			    r->nr_programs - RING_PROGRAMS);
	return row;
}

static const struct host_user *user_of(const struct host_detail_page *page)
{
	for (size_t i = 0; i < page->host->nr_users; i++) {
		if (page->host->users[i].uid == page->row->uid)
			return &page->host->users[i];
	}
	return NULL;
}

static const char *known_bytes(uint64_t bytes, char *buf, size_t size)
{
	if (bytes == UNKNOWN)
		return "an unknown amount";
	return units_bytes(buf, size, (double)bytes);
}

/* The limits that perf_mmap() applies, in kernel/events/core.c. */
static int draw_limits(struct area a, int row, const struct host_user *u)
{
	char locked[8], limit[8], pinned[8], memlock[8], text[256];
	enum role role = u->at_limit ? ROLE_WARN : ROLE_DEFAULT;

	known_bytes(u->locked, locked, sizeof(locked));
	if (u->exempt) {
		snprintf(text, sizeof(text), "rings of %s pin %s, with no "
			 "limit: the owner has CAP_IPC_LOCK, or "
			 "perf_event_paranoid is below 0", u->name, locked);
		return area_wrapped(a, row, ROLE_DIM, text);
	}
	snprintf(text, sizeof(text), "rings of %s pin %s of the %s that "
		 "perf_event_mlock_kb allows on the online CPUs", u->name, locked,
		 known_bytes(u->limit, limit, sizeof(limit)));
	row = area_wrapped(a, row, role, text);
	if (u->memlock == UNKNOWN)
		return area_wrapped(a, row, ROLE_DIM, "beyond that, there is "
				    "no limit: RLIMIT_MEMLOCK is unlimited");
	snprintf(text, sizeof(text), "beyond that, one process pins %s of its "
		 "RLIMIT_MEMLOCK of %s%s",
		 known_bytes(u->pinned, pinned, sizeof(pinned)),
		 known_bytes(u->memlock, memlock, sizeof(memlock)),
		 u->at_limit ? "; raise one of the two limits" : "");
	return area_wrapped(a, row, role, text);
}

int host_parts_user(struct area a, int row, const void *detail)
{
	const struct host_detail_page *page = detail;
	const struct host_user *u = user_of(page);
	char pins[8], text[128];

	if (page->row->locked == UNKNOWN)
		return row;
	widget_heading(a, row++, "Pinned memory");
	snprintf(text, sizeof(text), "this ring pins %s%s%s",
		 known_bytes(page->row->locked, pins, sizeof(pins)),
		 *page->row->user ? ", charged to " : "", page->row->user);
	row = area_wrapped(a, row, ROLE_DEFAULT, text);
	return u ? draw_limits(a, row, u) : row;
}

int host_parts_warnings(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	struct area text = area_sub(a, 0, 2, a.rows, a.cols - 2);
	char buf[256];

	for (int i = 0; i < RING_WARNINGS; i++) {
		unsigned int bit = 1u << i;
		enum role role = ring_cells_alarm(bit);

		if (!(r->warnings & bit))
			continue;
		area_put(a, row, 0, role, '!');
		row = area_wrapped(text, row, role,
				   ring_warning_text((enum ring_warning)i,
						     r, buf,
						     sizeof(buf)));
	}
	return row;
}
