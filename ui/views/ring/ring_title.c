/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/ring/ring_detail.h"

#include <stdio.h>

static int draw_word(struct area a, int col, enum role role, const char *word)
{
	return *word ? col + area_text(a, 0, col, 0, role, word) + 2 : col;
}

/* For another program's ring the owner comes first. */
static int draw_names(struct area a, const struct ring_row *r)
{
	char owner[32] = "owner unknown";
	int col;

	if (r->reads) {
		col = draw_word(a, 0, ROLE_TITLE, r->label);
		return draw_word(a, col, ROLE_VALUE, r->comm);
	}
	if (r->pid >= 0)
		snprintf(owner, sizeof(owner), "%s[%d]", r->comm, (int)r->pid);
	col = draw_word(a, 0, ROLE_TITLE, owner);
	if (r->self)
		col = draw_word(a, col, ROLE_DIM, "rbtop's own");
	col = draw_word(a, col, ROLE_VALUE, r->label);
	if (r->kind == RING_BPF)
		col = draw_word(a, col, ROLE_DEFAULT, r->to_kernel ?
				"BPF user ring buffer" : "BPF ring buffer");
	if (r->kind == RING_FTRACE)
		col = draw_word(a, col, ROLE_DEFAULT, "ftrace buffer");
	return draw_word(a, col, ROLE_LABEL, r->event);
}

int ring_title_draw(struct area a, const struct ring_row *r,
		    struct detail *d)
{
	int col = draw_names(a, r);

	if (r->gone)
		col = draw_word(a, col, ROLE_WARN, "gone: last figures");
	if (r->overwrite)
		col = draw_word(a, col, ROLE_NOTICE, "overwrite");
	if (r->paused && !r->gone)
		col = draw_word(a, col, ROLE_WARN, "paused");
	if (r->reads && !r->enabled && !r->gone)
		col = draw_word(a, col, ROLE_WARN, "disabled");
	if (r->stopped && !r->gone)
		col = draw_word(a, col, ROLE_WARN, "stopped");
	detail_draw_place(d, a, col);
	return 1;
}
