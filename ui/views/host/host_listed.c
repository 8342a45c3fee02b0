/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which rings Host lists: keys hide some, or all but those of one user. */
#include "ui/views/host/host.h"

#include <stdio.h>
#include <stdlib.h>

#include "ui/kit/keys.h"
#include "ui/draw/widgets.h"

enum { PICK_WIDTH = 40 };

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
				  "hidden", ring_row_kind_name(v->kind - 1),
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
		v->kind = (v->kind + 1) % (RING_KINDS + 1);
		if (v->kind == RING_URING + 1 && !frame->host->total.urings)
			v->kind = 0;
		return true;
	case ACTION_USER:
		open_users(v, frame->host);
		return true;
	default:
		return false;
	}
}
