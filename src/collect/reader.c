/* SPDX-License-Identifier: GPL-2.0-or-later */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/param.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/array.h"
#include "base/err.h"
#include "base/sys.h"
#include "collect/thread/ring_thread.h"
#include "collect/drain/sample_queue.h"
#include "collect/slot.h"
#include "collect/triggers/trigger.h"
#include "perf/abi/perf_clock.h"

enum { READER_BATCH = 64 };

/* How long a head may not move before the events are reenabled. */
#define STILL_NS UINT64_C(1000000000)

struct job {
	void (*fn)(void *arg);
	void *arg;
	bool done;
	struct job *next;
};

struct reader {
	struct reader_opts opts;
	int epoll, timer, wake;
	struct sample_queue *queue;
	struct slot **slots;
	size_t nr_slots, slots_cap;
	struct stop_watch stops;	/* of its thread */
	struct ring_thread thread;
	pthread_mutex_t lock;	/* of what follows */
	pthread_cond_t changed;
	struct job *jobs;
	bool stop;
};

/* Count this drain and publish the slot for other threads. */
static void publish(struct slot *slot, const struct slot_ring *ring,
		    const struct drain_tally *tally, enum drain_cause cause,
		    uint64_t now_ns)
{
	uint64_t peak = atomic_load_explicit(&slot->recent_peak,
					     memory_order_relaxed);
	uint64_t taken = atomic_load(&slot->taken);

	if (taken == slot->passes)
		ring_stats_begin(&slot->stats);
	slot->passes++;
	drain_apply(&ring->ring, &slot->drain, tally, cause, now_ns,
		    &slot->stats);
	slot->stats.aux_peak = MAX(slot->stats.aux_peak, ring->aux.peak);
	slot_publish(slot);
	while (tally->used > peak &&
	       !atomic_compare_exchange_weak(&slot->recent_peak, &peak,
					     tally->used))
		;
}

/*
 * Whether the count of a call event (the first word of read(2)) rose since it
 * was last read.  One that cannot be read now is compared the next time.
 */
static bool count_calls(struct slot_ring *ring)
{
	uint64_t values[8];
	bool more = false;

	for (size_t i = 0; i < ring->nr_call_fds; i++) {
		if (sys_read_count(ring->call_fds[i], values, sizeof(values)) <
		    (ssize_t)sizeof(values[0]))
			continue;
		more |= values[0] > ring->calls[i];
		ring->calls[i] = values[0];
	}
	return more;
}

/* Calls while the trigger is disarmed are counted, but do not fire it. */
static void check_calls(struct slot_ring *ring)
{
	struct trigger *trigger = ring->slot->drain.trigger;

	if (count_calls(ring) && trigger)
		trigger_call(trigger, (uint32_t)ring->slot->index);
}

void reader_begin(const struct reader *reader, struct slot_ring *ring)
{
	ring->stopped_ns = reader->stops.total_ns;
	count_calls(ring);
}

/*
 * A stop during a walk belongs to this interval and to the next one, which
 * begins with the walk.
 */
static void note_stop(struct slot_ring *ring, uint64_t stopped_ns,
		      struct drain_tally *tally)
{
	struct stop_watch *stops = &ring->slot->reader->stops;

	stop_watch_check(stops);
	tally->stopped = stops->total_ns != ring->stopped_ns;
	tally->stopped_ns = stops->total_ns;
	ring->stopped_ns = stopped_ns;
}

/* AUX rings in full trace: space for the kernel, events that it stopped. */

/* In snapshot mode the kernel overwrites and does not read the tail. */
static bool has_tail(const struct slot_aux *aux)
{
	return aux->ring.data && !aux->ring.overwrite;
}

/* A lane may have found more waiting, and have consumed it since. */
static void note_waiting(const struct slot *slot, struct slot_aux *aux,
			 uint64_t head)
{
	uint64_t used = head - aux_ring_tail(&aux->ring);

	used = MAX(used, atomic_load(&slot->lane.peak));
	aux->peak = MAX(aux->peak, MIN(used, aux->ring.size));
}

/* Reenable its events.  False if the user has them disabled. */
static bool let_go_on(struct slot *slot, struct slot_aux *aux)
{
	if (atomic_load(slot->aux_disabled))
		return false;
	for (size_t i = 0; i < aux->nr_fds; i++)
		aux->read_finish(aux->fds[i]);
	return true;
}

static bool is_stuck(const struct slot *slot, const struct slot_aux *aux)
{
	return slot->drain.aux.truncated != aux->truncated;
}

/*
 * The kernel disables an event that finds no space, and writes an AUX record
 * with TRUNCATED (perf_aux_output_end(), kernel/events/ring_buffer.c).
 */
static void answer_truncated(struct slot *slot, struct slot_aux *aux)
{
	if (!is_stuck(slot, aux))
		return;
	aux->truncated = slot->drain.aux.truncated;
	slot->drain.aux.reenabled += let_go_on(slot, aux);
}

/* That record may be lost: if no more trace arrives, reenable the events. */
static void answer_silence(struct slot *slot, struct slot_aux *aux,
			   uint64_t head, uint64_t now_ns)
{
	if (head != aux->head || !head) {
		aux->head = head;
		aux->moved_ns = now_ns;
	} else if (now_ns - aux->moved_ns >= STILL_NS) {
		aux->moved_ns = now_ns;
		let_go_on(slot, aux);
	}
}

/* Wake the lane as often as the kernel would: at each watermark. */
static bool crossed(struct slot_aux *aux, uint64_t head)
{
	uint64_t mark = aux->ring.watermark, crossings;

	crossings = head / (mark ? mark : MAX(aux->ring.size / 2, 1));
	if (crossings == aux->woken)
		return false;
	aux->woken = crossings;
	return true;
}

static void leave_to_lane(struct slot *slot, struct slot_aux *aux,
			  uint64_t head, uint64_t now_ns)
{
	bool stuck = is_stuck(slot, aux);

	if (stuck)
		atomic_store(&slot->lane.stuck, true);
	if (crossed(aux, head) || stuck)
		aux_lane_ring_wake(&slot->lane);
	else if (aux_ring_tail(&aux->ring) == head)
		answer_silence(slot, aux, head, now_ns);
}

/*
 * After the data ring was drained: note how much trace waits, and discard it;
 * or, if lanes write it, wake the lane.
 */
static void drain_aux(struct slot_ring *ring, uint64_t now_ns)
{
	struct slot_aux *aux = &ring->aux;
	struct slot *slot = ring->slot;
	uint64_t head;

	if (!has_tail(aux))
		return;
	head = aux_ring_head(&aux->ring);
	note_waiting(slot, aux, head);
	if (atomic_load(slot->aux_held)) {
		leave_to_lane(slot, aux, head, now_ns);
		return;
	}
	aux_ring_consume(&aux->ring, head);
	answer_truncated(slot, aux);
	answer_silence(slot, aux, head, now_ns);
}

void reader_given_space(struct slot_ring *ring)
{
	struct slot_aux *aux = &ring->aux;
	struct slot *slot = ring->slot;

	if (!has_tail(aux))
		return;
	note_waiting(slot, aux, aux_ring_head(&aux->ring));
	answer_truncated(slot, aux);
	slot->stats.aux = slot->drain.aux;
	slot->stats.aux_peak = MAX(slot->stats.aux_peak, aux->peak);
	slot_publish(slot);
}

void reader_drain(struct slot_ring *ring, enum drain_cause cause)
{
	struct slot *slot = ring->slot;
	uint64_t stopped_ns = slot->reader->stops.total_ns;
	uint64_t now_ns = record_clock_now(slot->clock);
	struct drain_tally tally;

	if (ring->ring.overwrite) {
		if (ring->nr_call_fds)
			check_calls(ring);
		slot_publish(slot);
		return;
	}
	slot->drain.feed.sampler.rate =
		atomic_load_explicit(&slot->level, memory_order_relaxed);
	drain_walk(&ring->ring, &slot->drain, now_ns, &tally);
	note_stop(ring, stopped_ns, &tally);
	ring->lost += tally.lost;
	ring->drained_ns = now_ns;
	drain_aux(ring, now_ns);
	if (slot->clock->clock.unknown) {
		record_clock_seen(slot->clock, tally.last_time);
		tally.crossing_time = 0;	/* no latency can be measured */
	}
	publish(slot, ring, &tally, cause, now_ns);
	if (slot->drain.feed.queue) {
		slot_note_feed(slot);
		slot_mark_drained(slot);
	}
}

/*
 * Edge-triggered: perf_poll() clears the ring's wakeup flag (an exchange with
 * 0), so polling again without a new wakeup would only take a mutex; and the
 * EPOLLHUP of an event whose task exited is reported once, not continuously.
 */
static int poll_one(struct reader *reader, struct slot_ring *ring, int fd)
{
	struct epoll_event event = {
		.events = EPOLLIN | EPOLLET,
		.data.ptr = ring,
	};

	if (epoll_ctl(reader->epoll, EPOLL_CTL_ADD, fd, &event) == 0)
		return 0;
	if (errno == EEXIST &&
	    epoll_ctl(reader->epoll, EPOLL_CTL_MOD, fd, &event) == 0)
		return 0;
	return -errno;
}

int reader_poll(struct reader *reader, struct slot_ring *ring)
{
	int ret = -ENOENT;

	for (; ring->polled < ring->nr_fds; ring->polled++) {
		ret = poll_one(reader, ring, ring->fds[ring->polled]);
		if (ret == 0)
			return 0;
	}
	return ret;
}

void reader_unpoll(struct reader *reader, struct slot_ring *ring)
{
	const struct slot_ring *current = ring->slot->current;
	int fd;

	if (ring->polled >= ring->nr_fds)
		return;
	fd = ring->fds[ring->polled];
	/* it may be polled for the ring that replaced this one */
	if (current && current != ring && current->polled < current->nr_fds &&
	    current->fds[current->polled] == fd)
		return;
	epoll_ctl(reader->epoll, EPOLL_CTL_DEL, fd, NULL);
	ring->polled = ring->nr_fds;
}

/*
 * The task of the polled event has exited; its siblings may still write, to the
 * current ring.  So a former ring does not poll a sibling: the timer drains it.
 */
static void handle_hangup(struct reader *reader, struct slot_ring *ring)
{
	if (ring->polled >= ring->nr_fds)
		return;
	if (ring == ring->slot->former) {
		reader_unpoll(reader, ring);
		return;
	}
	epoll_ctl(reader->epoll, EPOLL_CTL_DEL, ring->fds[ring->polled], NULL);
	ring->polled++;
	if (reader_poll(reader, ring) == 0)
		return;
	reader_drain(ring, DRAIN_FINAL);
	if (reader->opts.hangup)
		reader->opts.hangup(reader->opts.ctx, ring->slot->index);
}

static void handle_ring(struct reader *reader, struct slot_ring *ring,
			uint32_t events)
{
	if (events & EPOLLIN) {
		ring->slot->stats.wakeups++;
		reader_drain(ring, DRAIN_WAKEUP);
		ring->slot->drained = true;
	}
	if (events & (EPOLLHUP | EPOLLERR))
		handle_hangup(reader, ring);
}

/* Drain what has not reached a watermark. */
static void handle_timer(struct reader *reader)
{
	uint64_t expirations;

	if (read(reader->timer, &expirations, sizeof(expirations)) < 0)
		return;
	stop_watch_tick(&reader->stops);
	if (reader->opts.tick)
		reader->opts.tick(reader->opts.tick_ctx);
	for (size_t i = 0; i < reader->nr_slots; i++) {
		struct slot *slot = reader->slots[i];

		if (slot->former)
			reader_drain(slot->former, DRAIN_TIMER);
		if (slot->current && !slot->drained)
			reader_drain(slot->current, DRAIN_TIMER);
		slot->drained = false;
	}
}

static struct job *take_jobs(struct reader *reader)
{
	struct job *jobs;

	pthread_mutex_lock(&reader->lock);
	jobs = reader->jobs;
	reader->jobs = NULL;
	pthread_mutex_unlock(&reader->lock);
	return jobs;
}

static void run_jobs(struct reader *reader)
{
	struct job *job = take_jobs(reader), *next;

	for (; job; job = next) {
		next = job->next;	/* the waiter owns it once done */
		job->fn(job->arg);
		pthread_mutex_lock(&reader->lock);
		job->done = true;
		pthread_cond_broadcast(&reader->changed);
		pthread_mutex_unlock(&reader->lock);
	}
}

static void handle_wake(struct reader *reader)
{
	uint64_t value;

	if (read(reader->wake, &value, sizeof(value)) < 0)
		return;
	run_jobs(reader);
}

static bool stopped(struct reader *reader)
{
	bool stop;

	pthread_mutex_lock(&reader->lock);
	stop = reader->stop;
	pthread_mutex_unlock(&reader->lock);
	return stop;
}

/* Jobs may free a ring, so they run after the rest of the batch. */
static void serve_batch(struct reader *reader,
			const struct epoll_event *events, int nr)
{
	bool woken = false;

	stop_watch_check(&reader->stops);
	for (int i = 0; i < nr; i++) {
		void *ptr = events[i].data.ptr;

		if (ptr == &reader->wake)
			woken = true;
		else if (ptr == &reader->timer)
			handle_timer(reader);
		else
			handle_ring(reader, ptr, events[i].events);
	}
	if (woken)
		handle_wake(reader);
}

static void *reader_main(void *arg)
{
	struct epoll_event events[READER_BATCH];
	struct reader *reader = arg;

	ring_thread_begin(&reader->thread, "rbtop-reader");
	stop_watch_begin(&reader->stops, reader->opts.interval);
	while (!stopped(reader)) {
		int nr = epoll_wait(reader->epoll, events, READER_BATCH, -1);

		if (nr < 0 && errno != EINTR)
			break;
		serve_batch(reader, events, nr);
		ring_thread_keep_budget(&reader->thread);
	}
	stop_watch_end(&reader->stops);
	return NULL;
}

static int watch_own_fd(struct reader *reader, int *fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = fd };

	if (*fd < 0)
		return -errno;
	return epoll_ctl(reader->epoll, EPOLL_CTL_ADD, *fd, &event) ? -errno
								    : 0;
}

static int open_fds(struct reader *reader)
{
	int ret;

	reader->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (reader->epoll < 0)
		return -errno;
	reader->timer = timerfd_create(CLOCK_MONOTONIC,
				       TFD_NONBLOCK | TFD_CLOEXEC);
	ret = watch_own_fd(reader, &reader->timer);
	if (ret)
		return ret;
	sys_timer_set(reader->timer, reader->opts.interval);
	reader->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	return watch_own_fd(reader, &reader->wake);
}

struct reader *reader_new(const struct reader_opts *opts, struct err *err)
{
	struct reader *reader = calloc(1, sizeof(*reader));
	int ret;

	if (!reader)
		goto no_memory;
	*reader = (struct reader){
		.opts = *opts, .thread.roam = opts->roam,
		.epoll = -1, .timer = -1, .wake = -1,
		.stops.fd = -1,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
	};
	if (opts->queue_bytes) {
		reader->queue = sample_queue_new(opts->queue_bytes);
		if (!reader->queue)
			goto no_memory;
	}
	ret = open_fds(reader);
	if (ret) {
		err_set(err, ret, "epoll set of a reader: %s; see ulimit -n",
			strerror(-ret));
		reader_free(reader);
		return NULL;
	}
	return reader;

no_memory:
	reader_free(reader);
	err_set(err, -ENOMEM, "starting a reader: out of memory");
	return NULL;
}

struct sample_queue *reader_queue(const struct reader *reader)
{
	return reader->queue;
}

int reader_start(struct reader *reader, struct err *err)
{
	int ret = ring_thread_start(&reader->thread, reader_main, reader);

	if (ret)
		return err_set(err, -ret, "starting a reader thread: %s; "
			       "see ulimit -u", strerror(ret));
	return 0;
}

void reader_pin(struct reader *reader, const int *cpus, size_t nr)
{
	ring_thread_pin(&reader->thread, cpus, nr);
}

bool reader_fell_back(const struct reader *reader)
{
	return atomic_load(&reader->thread.fell_back);
}

static void wake(struct reader *reader)
{
	eventfd_write(reader->wake, 1);
}

void reader_run(struct reader *reader, void (*fn)(void *arg), void *arg)
{
	struct job job = { .fn = fn, .arg = arg }, **last;

	if (!reader->thread.started ||
	    pthread_equal(reader->thread.id, pthread_self())) {
		fn(arg);
		return;
	}
	pthread_mutex_lock(&reader->lock);
	for (last = &reader->jobs; *last; last = &(*last)->next)
		;
	*last = &job;
	wake(reader);
	while (!job.done)
		pthread_cond_wait(&reader->changed, &reader->lock);
	pthread_mutex_unlock(&reader->lock);
}

int reader_adopt(struct reader *reader, struct slot *slot)
{
	struct slot **place = array_add(reader->slots, reader->nr_slots,
					reader->slots_cap);

	if (!place)
		return -ENOMEM;
	*place = slot;
	slot->reader = reader;
	return 0;
}

void reader_free(struct reader *reader)
{
	if (!reader)
		return;
	if (reader->thread.started) {
		pthread_mutex_lock(&reader->lock);
		reader->stop = true;
		pthread_mutex_unlock(&reader->lock);
		wake(reader);
		ring_thread_join(&reader->thread);
	}
	sys_close(reader->wake);
	sys_close(reader->timer);
	sys_close(reader->epoll);
	pthread_cond_destroy(&reader->changed);
	pthread_mutex_destroy(&reader->lock);
	sample_queue_free(reader->queue);
	free(reader->slots);
	free(reader);
}
