/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests for snapshots.  Snapshots are taken one at a time.  A request that
 * arrives during one is queued; later ones are merged into the queued request,
 * whose snapshot then covers the rings of all of them.
 */
#include "trace/snapshot/snapshot_thread_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"

void snapshot_wanted_free(struct snapshot_wanted *w)
{
	free(w->rings);
	*w = (struct snapshot_wanted){ 0 };
}

static bool has_ring(const struct snapshot_wanted *w, size_t ring)
{
	for (size_t i = 0; i < w->nr; i++)
		if (w->rings[i] == ring)
			return true;
	return false;
}

/* Add @rings to those of @w; @nr 0 means all rings. */
static int merge_rings(struct snapshot_wanted *w, const size_t *rings,
		       size_t nr)
{
	size_t *both;

	if (w->requests && !w->nr)
		return 0;
	if (!nr) {
		free(w->rings);
		w->rings = NULL;
		w->nr = 0;
		return 0;
	}
	both = reallocarray(w->rings, w->nr + nr, sizeof(*both));
	if (!both)
		return -ENOMEM;
	w->rings = both;
	for (size_t i = 0; i < nr; i++)
		if (!has_ring(w, rings[i]))
			w->rings[w->nr++] = rings[i];
	return 0;
}

/* "SIGUSR2, key": each name once, until the buffer is full. */
static void merge_trigger(struct snapshot_wanted *w, const char *trigger)
{
	size_t len = strlen(w->trigger);

	if (!len)
		text_copy(w->trigger, sizeof(w->trigger), trigger);
	else if (!strstr(w->trigger, trigger) &&
		 len + strlen(trigger) + 3 <= sizeof(w->trigger)) {
		memcpy(w->trigger + len, ", ", 2);
		text_copy(w->trigger + len + 2,
			  sizeof(w->trigger) - len - 2, trigger);
	}
}

int snapshot_thread_want(struct snapshot_thread *t,
			 const struct snapshot_wanted *one,
			 struct request_snapshot *got, struct err *err)
{
	struct snapshot_wanted *w = &t->asked.next;
	bool first = !w->requests;

	if (merge_rings(w, one->rings, one->nr))
		return err_set(err, -ENOMEM, "a snapshot: out of memory");
	merge_trigger(w, one->trigger);
	if (first) {
		w->at = one->at;
		w->number = ++t->numbers;
	}
	w->requests += one->requests;
	t->status.requests += one->requests;
	t->status.merged += one->requests - first;
	t->status.queued = t->taking ? w->requests : 0;
	if (got)
		*got = (struct request_snapshot){
			.number = w->number, .requests = w->requests,
			.queued = t->taking,
		};
	return 0;
}

struct snapshot_wanted snapshot_thread_next(struct snapshot_thread *t)
{
	struct snapshot_wanted next;

	pthread_mutex_lock(&t->lock);
	next = t->asked.next;
	t->asked.next = (struct snapshot_wanted){ 0 };
	t->taking = next.requests > 0;
	t->status.queued = 0;
	pthread_mutex_unlock(&t->lock);
	return next;
}

int snapshot_thread_take(struct snapshot_thread *t, const size_t *rings,
			 size_t nr, const char *trigger,
			 struct request_snapshot *got, struct err *err)
{
	struct snapshot_wanted one = {
		.rings = (size_t *)rings, .nr = nr, .requests = 1,
		.at = sys_now(),
	};
	int ret;

	if (!snapshot_thread_can_take(t, err))
		return -EOPNOTSUPP;
	text_copy(one.trigger, sizeof(one.trigger), trigger);
	pthread_mutex_lock(&t->lock);
	if (t->asked.stop || t->over)
		ret = err_set(err, -ESHUTDOWN,
			      "the events have ended: no more snapshots");
	else
		ret = snapshot_thread_want(t, &one, got, err);
	pthread_mutex_unlock(&t->lock);
	eventfd_write(t->wake, 1);
	return ret;
}

int snapshot_thread_cancel(struct snapshot_thread *t,
			   struct request_snapshot *got, struct err *err)
{
	const struct snapshot_wanted *next = &t->asked.next;
	bool any;

	pthread_mutex_lock(&t->lock);
	any = t->taking || next->requests;
	if (any)
		atomic_store(&t->cancel, true);
	if (got)
		*got = (struct request_snapshot){ 0 };
	if (got && t->taking && next->requests)
		*got = (struct request_snapshot){
			.number = next->number, .requests = next->requests,
			.queued = true,
		};
	pthread_mutex_unlock(&t->lock);
	return any ? 0 : err_set(err, -ENOENT, "no snapshot is being taken");
}
