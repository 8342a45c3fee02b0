/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/slot_histories.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <sys/param.h>

#include "base/err.h"
#include "base/sys.h"
#include "collect/reader.h"
#include "collect/drain/record_history.h"

void slot_histories_init(struct slot_histories *h, struct slot_list *slots,
			 bool apart_alone)
{
	*h = (struct slot_histories){
		.slots = slots, .apart_alone = apart_alone,
		.fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC),
	};
}

void slot_histories_destroy(struct slot_histories *h)
{
	sys_close(h->fd);
}

/* Overwrite rings are read on request only, so they need no history. */
static bool is_drained(const struct slot *slot)
{
	return slot->current && !slot->current->ring.overwrite;
}

/*
 * At least the size of the ring, since a drain may read a full one.  A ring
 * apart gets no more: it carries little, and the memory is for the others,
 * unless these are not drained.
 */
static size_t least_history(const struct slot_histories *h,
			    const struct slot *slot, size_t bytes)
{
	size_t least = slot->current->ring.size;

	if (slot->apart && !h->apart_alone)
		return least;
	return MAX(bytes, least);
}

int slot_histories_give(struct slot_histories *h, struct slot *slot)
{
	size_t bytes;

	pthread_mutex_lock(&h->slots->lock);
	bytes = h->bytes;
	pthread_mutex_unlock(&h->slots->lock);
	if (!bytes || !is_drained(slot))
		return 0;
	slot->history = record_history_new(least_history(h, slot, bytes));
	slot->drain.history = slot->history;
	return slot->history ? 0 : -ENOMEM;
}

struct record_history *slot_histories_get(struct slot_histories *h,
					  size_t index)
{
	struct slot_list *slots = h->slots;
	struct record_history *history;

	pthread_mutex_lock(&slots->lock);
	history = index < slots->nr ? slots->slots[index]->history : NULL;
	pthread_mutex_unlock(&slots->lock);
	return history;
}

void slot_histories_watch(struct slot_histories *h, size_t index, uint64_t at)
{
	struct record_history *history = slot_histories_get(h, index);

	if (history)
		record_history_watch(history, h->fd, at);
}

struct keep_job {
	struct slot_histories *h;
	struct slot *slot;
	size_t bytes;			/* of its history; 0: needs none */
	struct record_history *history;	/* NULL once the slot has it */
};

static void size_history_job(void *arg)
{
	struct keep_job *job = arg;
	const struct slot *slot = job->slot;

	if (slot->history || !is_drained(slot))
		job->bytes = 0;
	else
		job->bytes = least_history(job->h, slot, job->bytes);
}

static void keep_history_job(void *arg)
{
	struct keep_job *job = arg;
	struct slot *slot = job->slot;

	if (slot->history || !is_drained(slot))
		return;
	pthread_mutex_lock(&job->h->slots->lock);
	slot->history = job->history;
	pthread_mutex_unlock(&job->h->slots->lock);
	slot->drain.history = job->history;
	job->history = NULL;
}

static void set_bytes(struct slot_histories *h, size_t bytes)
{
	pthread_mutex_lock(&h->slots->lock);
	h->bytes = bytes;
	pthread_mutex_unlock(&h->slots->lock);
}

int slot_histories_keep(struct slot_histories *h, size_t bytes, struct err *err)
{
	struct keep_job job = { .h = h };
	struct reader *reader;

	set_bytes(h, bytes);
	for (size_t i = 0; (job.slot = slot_list_get(h->slots, i)); i++) {
		reader = job.slot->reader;
		job.bytes = bytes;
		reader_run(reader, size_history_job, &job);
		if (!job.bytes)
			continue;
		/* here, since a reader must not wait for memory */
		job.history = record_history_new(job.bytes);
		if (!job.history) {
			set_bytes(h, 0);
			return err_set(err, -ENOMEM,
				       "a history of %zu KiB of each ring: out of memory; use a smaller --history, or smaller rings (-m)",
				       job.bytes >> 10);
		}
		reader_run(reader, keep_history_job, &job);
		record_history_free(job.history);
	}
	return 0;
}
