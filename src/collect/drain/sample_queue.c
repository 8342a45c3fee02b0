/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/drain/sample_queue.h"

#include <math.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/units.h"
#include "perf/abi/ring.h"

enum { CACHE_LINE = 64, MIN_BYTES = 4096 };

/* In place of a struct queued: the next one is at the start of the memory. */
#define WRAPPED UINT32_MAX

/*
 * Positions grow without bound and are reduced only to index the data.  Each
 * side writes only its own cache lines, and caches the other side's position:
 * it reads that again only when the cached one is not enough.
 */
struct sample_queue {
	unsigned char *data;
	uint64_t size;		/* a power of two */

	alignas(CACHE_LINE) _Atomic uint64_t head;	/* the writer's */
	uint64_t tail_seen;
	_Atomic uint64_t dropped, side_band_lost;
	_Atomic uint64_t crowded;

	alignas(CACHE_LINE) _Atomic uint64_t tail;	/* the reader's */
	uint64_t head_seen;
	uint64_t next;		/* behind the record returned last */
};

struct sample_queue *sample_queue_new(size_t bytes)
{
	struct sample_queue *q = aligned_alloc(CACHE_LINE, sizeof(*q));

	if (!q)
		return NULL;
	memset(q, 0, sizeof(*q));
	q->size = units_round_pow2(bytes < MIN_BYTES ? MIN_BYTES : bytes);
	q->data = malloc(q->size);
	if (!q->data) {
		free(q);
		return NULL;
	}
	return q;
}

void sample_queue_free(struct sample_queue *q)
{
	if (!q)
		return;
	free(q->data);
	free(q);
}

/* Add to a counter that one thread writes and any thread reads. */
static void grow(_Atomic uint64_t *counter, uint64_t by)
{
	atomic_store_explicit(counter, by +
			      atomic_load_explicit(counter,
						   memory_order_relaxed),
			      memory_order_relaxed);
}

static bool has_room(struct sample_queue *q, uint64_t head, uint64_t need,
		     uint64_t limit)
{
	if (head + need - q->tail_seen <= limit)
		return true;
	/* acquire: the reader has finished with the bytes to overwrite */
	q->tail_seen = atomic_load_explicit(&q->tail, memory_order_acquire);
	return head + need - q->tail_seen <= limit;
}

static bool refuse(struct sample_queue *q, const struct queued *head)
{
	if (head->weight)
		grow(&q->dropped, head->weight);
	else
		grow(&q->side_band_lost, 1);
	return false;
}

/*
 * Room for a record behind its header, which is written; NULL if there is none.
 * *@end: the head once the record is there, too.
 */
static unsigned char *begin_record(struct sample_queue *q,
				   const struct queued *queued, uint64_t limit,
				   uint64_t *end)
{
	uint64_t head = atomic_load_explicit(&q->head, memory_order_relaxed);
	uint64_t need = sizeof(*queued) + queued->size;
	uint64_t to_end = q->size - (head & (q->size - 1));
	unsigned char *to;

	if (to_end < need)
		need += to_end;	/* records are not split */
	if (!has_room(q, head, need, limit))
		return NULL;
	to = q->data + (head & (q->size - 1));
	if (to_end < sizeof(*queued) + queued->size) {
		memcpy(to, &(uint32_t){ WRAPPED }, sizeof(uint32_t));
		to = q->data;
	}
	memcpy(to, queued, sizeof(*queued));
	*end = head + need;
	return to + sizeof(*queued);
}

bool sample_queue_push(struct sample_queue *q, const struct queued *queued,
		       const struct ring *ring, uint64_t position)
{
	/* the last quarter is for the side-band */
	uint64_t end, limit = queued->weight ? q->size - q->size / 4 : q->size;
	unsigned char *to = begin_record(q, queued, limit, &end);

	if (!to)
		return refuse(q, queued);
	ring_copy(ring, position, to, queued->size);
	atomic_store_explicit(&q->head, end, memory_order_release);
	return true;
}

void sample_queue_mark(struct sample_queue *q, uint32_t slot, uint64_t time)
{
	const struct queued queued = {
		.size = sizeof(time), .tag = SAMPLE_QUEUE_MARK, .slot = slot,
	};
	/* the last mark of a ring is not repeated */
	uint64_t end, limit = time == UINT64_MAX ? q->size :
						   q->size - q->size / 4;
	unsigned char *to = begin_record(q, &queued, limit, &end);

	if (!to)
		return;
	memcpy(to, &time, sizeof(time));
	atomic_store_explicit(&q->head, end, memory_order_release);
}

bool sample_queue_crowded(struct sample_queue *q)
{
	uint64_t head = atomic_load_explicit(&q->head, memory_order_relaxed);

	if (has_room(q, head, 0, q->size / 2))
		return false;
	atomic_fetch_add_explicit(&q->crowded, 1, memory_order_relaxed);
	return true;
}

bool sample_queue_waits(struct sample_queue *q)
{
	if (q->next != q->head_seen)
		return true;
	q->head_seen = atomic_load_explicit(&q->head, memory_order_acquire);
	return q->next != q->head_seen;
}

const void *sample_queue_pop(struct sample_queue *q, struct queued *head)
{
	const unsigned char *at;

	/* release: the record returned last may be overwritten now */
	atomic_store_explicit(&q->tail, q->next, memory_order_release);
	if (!sample_queue_waits(q))
		return NULL;
	at = q->data + (q->next & (q->size - 1));
	memcpy(&head->size, at, sizeof(head->size));
	if (head->size == WRAPPED) {
		q->next = (q->next + q->size) & ~(q->size - 1);
		at = q->data;
	}
	memcpy(head, at, sizeof(*head));
	q->next += sizeof(*head) + head->size;
	return at + sizeof(*head);
}

uint64_t sample_queue_dropped(const struct sample_queue *q)
{
	return atomic_load_explicit(&q->dropped, memory_order_relaxed);
}

uint64_t sample_queue_side_band_lost(const struct sample_queue *q)
{
	return atomic_load_explicit(&q->side_band_lost, memory_order_relaxed);
}

uint64_t sample_queue_times_crowded(const struct sample_queue *q)
{
	return atomic_load_explicit(&q->crowded, memory_order_relaxed);
}

/*
 * Seconds over which arrivals are averaged: short, so that a burst after a
 * silence is thinned at once and forgotten a second later.
 */
#define WINDOW		0.25
#define MIN_SHARE	(1.0 / 64)
#define HALVE_EVERY	100000000	/* ns: a change takes effect so late */

void sampler_init(struct sampler *s, uint64_t seed, double rate)
{
	*s = (struct sampler){
		.random = seed,
		.rate = rate,
		.share = 1,
		.window = WINDOW,
		.k = 1,
		.next_k = 1,
	};
}

/* Halve the share while the queue is full, else double it per second. */
static void adjust_share(struct sampler *s, uint64_t now_ns, double seconds)
{
	if (!s->throttled) {
		s->share = fmin(s->share * (1 + seconds), 1);
	} else if (now_ns - s->halved_ns >= HALVE_EVERY) {
		s->share = fmax(s->share / 2, MIN_SHARE);
		s->halved_ns = now_ns;
	}
	s->throttled = false;
}

static uint32_t choose_k(const struct sampler *s)
{
	double k;

	if (s->rate <= 0)
		return 1;
	k = ceil(sampler_arrivals(s) / (s->rate * s->share));
	return k < 1 ? 1 : k > SAMPLER_MAX_K ? SAMPLER_MAX_K : (uint32_t)k;
}

void sampler_pass(struct sampler *s, uint64_t now_ns, double expected)
{
	double seconds, since, keep;

	if (!s->last_ns || now_ns < s->last_ns)
		s->last_ns = now_ns;
	since = (double)(now_ns - s->last_ns) / 1e9;
	s->last_ns = now_ns;
	/* limited: a long silence does not allow for a longer burst */
	seconds = fmin(since, WINDOW);
	keep = WINDOW / (WINDOW + seconds);
	s->arrived = s->arrived * keep + expected;
	s->window = s->window * keep + seconds;
	adjust_share(s, now_ns, since);
	s->next_k = choose_k(s);
	if (s->next_k < s->k / 2)
		s->left = 0;
}

void sampler_block(struct sampler *s)
{
	s->k = s->next_k;
	s->left = s->k;
	/* uniform in 0..k-1, as far as 32 random bits allow */
	s->pick = (uint32_t)((random_next(&s->random) >> 32) * s->k >> 32);
	if (s->rate <= 0)
		s->left = s->pick = UINT32_MAX;	/* ends before the pick */
}

void sampler_throttle(struct sampler *s)
{
	s->throttled = true;
}

double sampler_level(double budget, const double *arrivals, size_t nr)
{
	double level = nr ? budget / (double)nr : budget, before = -1;

	/* it only rises, until no more rings are below it: at most nr rounds */
	while (level > before) {
		double left = budget;
		size_t over = 0;

		for (size_t i = 0; i < nr; i++) {
			if (arrivals[i] > level)
				over++;
			else
				left -= arrivals[i];
		}
		if (!over)
			return budget;
		before = level;
		level = left / (double)over;
	}
	return level;
}
