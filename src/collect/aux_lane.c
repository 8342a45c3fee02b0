/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/aux_lane.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/param.h>

#include "base/err.h"
#include "base/sys.h"
#include "collect/thread/ring_thread.h"
#include "collect/slot.h"

enum {
	/*
	 * Bytes written at a time: so space in a large ring is freed in parts,
	 * and the reader on the same CPU, whose priority is the same, can run
	 * in between.
	 */
	PIECE = 1 << 20,
	/*
	 * ms between two passes without a wakeup.  If rings fill fast, the
	 * wakeup at the watermark would be late: it takes two threads, each of
	 * which may have to wait for a CPU.
	 */
	SHORTEST = 1,
	LONGEST = 100,
	/* A pass is late if a ring is more than 1/4 full, early below 1/16. */
	LATE = 4,
	EARLY = 16,
};

struct aux_lane {
	struct ring_thread thread;
	int wake;		/* eventfd */
	_Atomic bool stop;
	struct slot *_Atomic first;	/* slots are never removed */
	int wait;		/* ms; used by the thread only */
};

/* The end of the piece that starts at @from, with trace up to @head. */
static uint64_t cut(const struct aux_ring *aux, const struct aux_sink *sink,
		    uint64_t from, uint64_t head)
{
	uint64_t to = from + PIECE;

	if (head - from <= PIECE || !sink->alignment)
		return head;
	/* records are aligned relative to the start of the ring */
	return to - (to & (aux->size - 1)) % sink->alignment;
}

/* The state of one ring in a pass. */
struct found {
	bool sink;		/* there is a sink */
	uint64_t size;		/* of the ring */
	uint64_t used;		/* bytes that waited */
	uint64_t left;		/* bytes that still wait */
	bool much;		/* the rest is enough to wake a reader */
};

/* Write a piece, if there is any; the ring's lock must be held. */
static void take_piece(struct slot *slot, const struct aux_sink *sink,
		       struct found *found)
{
	struct aux_ring *aux = &slot->lane.ring;
	uint64_t from, head, to;

	if (!aux->size || aux->overwrite)
		return;
	from = aux_ring_tail(aux);
	head = aux_ring_head(aux);
	found->size = aux->size;
	found->used = head - from;
	if (!found->used)
		return;
	if (found->used > atomic_load(&slot->lane.peak))
		atomic_store(&slot->lane.peak, found->used);
	to = cut(aux, sink, from, head);
	sink->take(sink->ctx, slot->index, aux, from, to);
	aux_ring_consume(aux, to);
	found->left = aux_ring_head(aux) - to;
	found->much = found->left && found->left >= MIN(aux->watermark, PIECE);
}

static void answer_job(void *arg)
{
	struct slot *slot = arg;

	if (slot->current)
		reader_given_space(slot->current);
}

static struct found take_from(struct slot *slot)
{
	const struct aux_sink *sink;
	struct found found = { 0 };

	pthread_mutex_lock(&slot->lane.lock);
	sink = atomic_load(slot->lane.sink);
	found.sink = sink;
	if (sink)
		take_piece(slot, sink, &found);
	pthread_mutex_unlock(&slot->lane.lock);
	if (sink && atomic_exchange(&slot->lane.stuck, false))
		reader_run(slot->reader, answer_job, slot);
	return found;
}

void aux_lane_flush(struct slot *slot)
{
	const struct aux_ring *aux = &slot->lane.ring;
	uint64_t pieces = 0;

	/* limited, so that it does not wait for trace that arrives meanwhile */
	pthread_mutex_lock(&slot->lane.lock);
	if (aux->size)
		pieces = aux->size / PIECE + 1;
	pthread_mutex_unlock(&slot->lane.lock);
	while (pieces-- > 0 && take_from(slot).left)
		;
}

/* Shorter if any ring was late, longer if all were early. */
static int next_wait(int wait, bool late, bool early)
{
	if (late)
		wait /= 2;
	else if (early)
		wait *= 2;
	return MIN(MAX(wait, SHORTEST), LONGEST);
}

/*
 * Write a piece of each ring.  Returns how many ms to wait before the next
 * pass: 0 if a ring still has as much as would wake its reader; -1: until the
 * lane is woken.
 */
static int pass(struct aux_lane *lane)
{
	struct slot *slot = atomic_load(&lane->first);
	bool late = false, early = true, much = false, sink = false;

	for (; slot; slot = slot->lane.next) {
		struct found found = take_from(slot);

		sink |= found.sink;
		much |= found.much;
		late |= found.used > found.size / LATE;
		early &= found.used <= found.size / EARLY;
		if (found.used)
			ring_thread_rest(&lane->thread);
	}
	lane->wait = next_wait(lane->wait, late, early);
	return much ? 0 : sink ? lane->wait : -1;
}

static void *lane_main(void *arg)
{
	struct aux_lane *lane = arg;
	struct pollfd fd = { .fd = lane->wake, .events = POLLIN };
	eventfd_t value;
	int wait = -1;

	ring_thread_begin(&lane->thread, "rbtop-aux");
	while (!atomic_load(&lane->stop)) {
		if (poll(&fd, 1, wait) > 0)
			eventfd_read(lane->wake, &value);
		wait = pass(lane);
		if (!wait)
			sched_yield();
		ring_thread_keep_budget(&lane->thread);
	}
	return NULL;
}

struct aux_lane *aux_lane_new(bool roam, struct err *err)
{
	struct aux_lane *lane = calloc(1, sizeof(*lane));

	if (!lane) {
		err_set(err, -ENOMEM, "starting the collector: out of memory");
		return NULL;
	}
	lane->thread.roam = roam;
	lane->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (lane->wake >= 0)
		return lane;
	err_set(err, -errno, "creating an eventfd: %s; see ulimit -n",
		strerror(errno));
	aux_lane_free(lane);
	return NULL;
}

void aux_lane_free(struct aux_lane *lane)
{
	if (!lane)
		return;
	atomic_store(&lane->stop, true);
	if (lane->wake >= 0)
		eventfd_write(lane->wake, 1);
	ring_thread_join(&lane->thread);
	sys_close(lane->wake);
	free(lane);
}

int aux_lane_start(struct aux_lane *lane, struct err *err)
{
	int ret = ring_thread_start(&lane->thread, lane_main, lane);

	if (!ret)
		return 0;
	return err_set(err, -ret, "starting a thread for AUX rings: %s; see "
		       "ulimit -u", strerror(ret));
}

void aux_lane_pin(struct aux_lane *lane, const int *cpus, size_t nr)
{
	ring_thread_pin(&lane->thread, cpus, nr);
}

void aux_lane_assign(struct aux_lane *lane, struct slot *slot)
{
	slot->lane.of = lane;
	slot->lane.wake = lane->wake;
}

void aux_lane_adopt(struct aux_lane *lane, struct slot *slot)
{
	slot->lane.next = atomic_load(&lane->first);
	atomic_store(&lane->first, slot);
}

void aux_lane_ring_init(struct aux_lane_ring *ring, const aux_sink_now *sink)
{
	ring->sink = sink;
	ring->wake = -1;
	pthread_mutex_init(&ring->lock, NULL);
}

void aux_lane_ring_destroy(struct aux_lane_ring *ring)
{
	pthread_mutex_destroy(&ring->lock);
}

void aux_lane_ring_set(struct aux_lane_ring *ring, const struct aux_ring *aux)
{
	pthread_mutex_lock(&ring->lock);
	ring->ring = *aux;
	atomic_store(&ring->peak, 0);
	atomic_store(&ring->stuck, false);
	pthread_mutex_unlock(&ring->lock);
}

void aux_lane_ring_wait(struct aux_lane_ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	pthread_mutex_unlock(&ring->lock);
}

void aux_lane_ring_wake(const struct aux_lane_ring *ring)
{
	if (ring->wake >= 0)
		eventfd_write(ring->wake, 1);
}
