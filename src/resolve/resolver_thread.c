/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "resolve/resolver_thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <time.h>

#include "base/caps.h"
#include "base/err.h"
#include "base/proc.h"
#include "base/sys.h"
#include "collect/collector.h"
#include "resolve/digest.h"
#include "samples/names.h"
#include "samples/sample_filter.h"
#include "perf/abi/record.h"
#include "perf/tracepoint/tracepoint.h"

enum {
	BATCH = 1024,		/* records before other work is checked */
	/*
	 * bytes of records held for sorting; beyond that, only those that the
	 * held ones wait for are taken from the queues
	 */
	ENOUGH_HELD = 16 << 20,
	/* ... up to this: those of a reader's other rings come in between */
	MAX_HELD = 64 << 20,
};

/* Limit of the time for reading tasks before the start. */
#define START_SECONDS	0.1
#define MS_NS		UINT64_C(1000000)
#define PAUSE_NS	(20 * MS_NS)	/* between two turns */
#define IDLE_PAUSE_NS	(40 * MS_NS)	/* if the queues were empty */
#define PLAY_PAUSE_NS	(1000 * MS_NS)	/* unless it is woken */
/* A ring that is not drained delays the others by at most this. */
#define PATIENCE_NS	(2000 * MS_NS)
/* The kernel takes a record's time before the record is visible in the ring. */
#define MARGIN_NS	(1 * MS_NS)
/*
 * Reading /proc again takes time, and makes up for all losses so far at once.
 * With continuous losses the result is soon out of date: the interval then
 * doubles each time, and is at least RESYNC_PART times as long as the reading
 * took.
 */
#define RESYNC_NS	(1000 * MS_NS)
#define RESYNC_MAX_NS	(32 * RESYNC_NS)
#define RESYNC_PART	20
/*
 * The thread hangs in the kernel, on a file that does not respond, if it has
 * work, was found blocked this many times in a row and used no CPU meanwhile.
 * A runnable thread that gets no CPU is not blocked; a stop of rbtop (SIGSTOP)
 * counts once, however long it lasts.
 */
#define HANG_LOOKS	20
#define HANG_LOOK	0.05	/* seconds */
#define HANG_CPU	1e-5	/* seconds: a wakeup uses some too */

struct resolver_thread {
	struct collector *collector;	/* NULL: there is a player */
	struct resolver_player player;
	bool played_all;	/* in the last turn */
	struct digest *digest;
	struct record_order order;
	bool waiting;		/* what is held waits for other records */
	uint64_t moved_ns;	/* CLOCK_MONOTONIC: when it last did not wait
				 * with its memory full */
	uint64_t ring_lost;	/* records lost by the rings */
	uint64_t side_band_lost;	/* all, as told to the digest */
	/* CLOCK_MONOTONIC: of the last resync, and of the last pause */
	uint64_t resync_ns, paused_ns;
	uint64_t resync_after;	/* ns, minimum between resyncs */
	/* lost for lack of memory, counted as the queues do */
	_Atomic uint64_t dropped, side_band_dropped;
	_Atomic uint64_t taken_ns;	/* records before this, on the session's
					 * clock, were processed */

	pthread_t thread;
	bool started;
	pthread_mutex_t lock;	/* of the following */
	pthread_cond_t changed;
	bool begun, stop, ended;
	bool stuck;		/* when last waited for */
	bool woken;		/* since the last turn began */
	uint64_t asked, played;	/* number of wakeups, and of those after which
				 * all that the player wants was processed */
	int state_fd;		/* see sys_thread_waits(); negative: not open */
	uint64_t finish, finished;	/* number of requests, and of those
					 * done */

	/* used by the reading thread */
	struct samples samples;
	double last_read;
};

void resolver_thread_free_opts(const struct resolver_thread_opts *opts)
{
	if (opts->symbolizer_ctx)
		opts->symbolizer->free(opts->symbolizer_ctx);
	tracepoints_free(opts->tracepoints);
	names_free(opts->names);
}

struct resolver_thread *
resolver_thread_new(const struct resolver_thread_opts *opts, struct err *err)
{
	struct digest *digest = digest_new(opts);
	struct resolver_thread *t = calloc(1, sizeof(*t));

	if (!digest)
		resolver_thread_free_opts(opts);
	if (!digest || !t) {
		digest_free(digest);
		free(t);
		err_set(err, -ENOMEM, "decoding of samples: out of memory");
		return NULL;
	}
	t->collector = opts->collector;
	if (opts->player)
		t->player = *opts->player;
	t->digest = digest;
	t->resync_after = RESYNC_NS;
	t->state_fd = -1;
	t->samples.trace_fields = opts->trace_fields;
	t->samples.nr_trace_fields = opts->nr_trace_fields;
	t->samples.group = opts->group;
	for (size_t i = 0; i < opts->nr_events; i++)
		t->samples.name_width = MAX(t->samples.name_width,
					    strlen(opts->events[i].name));
	pthread_mutex_init(&t->lock, NULL);
	sys_condition_init(&t->changed);
	return t;
}

static void drop(struct resolver_thread *t, const struct queued *head)
{
	if (head->weight)
		atomic_fetch_add(&t->dropped, head->weight);
	else
		atomic_fetch_add(&t->side_band_dropped, 1);
}

static bool crowded(const struct resolver_thread *t)
{
	return t->order.bytes >= ENOUGH_HELD;
}

static bool is_loss(const struct queued *head, const void *record)
{
	struct perf_event_header header;

	memcpy(&header, record, sizeof(header));
	return !head->weight && header.type == PERF_RECORD_LOST;
}

static const void *pop(struct resolver_thread *t, struct queued *head)
{
	return crowded(t) ? collector_pop_behind(t->collector, head)
			  : collector_pop(t->collector, head);
}

/*
 * Move up to BATCH queued records to the order.  True if there are no more that
 * it has room for or waits for; *@nr is the number moved.
 */
static bool collect_records(struct resolver_thread *t, size_t *nr)
{
	struct queued head;
	const void *record;

	for (*nr = 0; *nr < BATCH && (!crowded(t) || t->waiting) &&
		      t->order.bytes < MAX_HELD; ++*nr) {
		record = pop(t, &head);
		if (!record)
			return true;
		if (is_loss(&head, record))
			/* it has the size of its type, see drain.c */
			t->ring_lost += record_word(record, RECORD_LOST_COUNT);
		else if (record_order_add(&t->order, &head, record))
			drop(t, &head);
	}
	return false;
}

/*
 * Process up to BATCH records before @ripe, or the earliest where waiting has
 * no end: the memory has been full for long, since times are wrong, or there is
 * no more.  Returns their number.
 */
static size_t digest_records(struct resolver_thread *t, uint64_t ripe)
{
	uint64_t now = sys_now_ns();
	bool stalled = t->order.bytes >= MAX_HELD ||
		       (crowded(t) && now - t->moved_ns >= PATIENCE_NS);
	const struct held_record *held;
	size_t nr = 0;

	while (nr < BATCH &&
	       (held = record_order_take(&t->order, stalled && crowded(t) ?
						    UINT64_MAX : ripe))) {
		digest_record(t->digest, &held->head, held->record);
		nr++;
	}
	t->waiting = nr < BATCH;
	if ((nr && !stalled) || !crowded(t))
		t->moved_ns = now;
	return nr;
}

/* The time before which no ring can have further records. */
static uint64_t ripe_time(struct resolver_thread *t)
{
	uint64_t now = collector_now(t->collector);
	uint64_t popped = collector_popped_to(t->collector,
					      now - MIN(now, PATIENCE_NS));

	return popped - MIN(popped, MARGIN_NS);
}

static uint64_t side_band_lost(struct resolver_thread *t,
			       const struct collector_queue_stats *stats)
{
	return stats->side_band_lost + atomic_load(&t->side_band_dropped);
}

/* Tell the digest that side-band before @now was lost. */
static void resync(struct resolver_thread *t, uint64_t now)
{
	uint64_t since = now - t->resync_ns, after = t->resync_after;
	uint64_t took;

	/* no loss for as long as the last interval: start again */
	after = since < 2 * after ? MIN(2 * after, RESYNC_MAX_NS) : RESYNC_NS;
	digest_resync(t->digest);
	took = sys_now_ns() - now;
	t->resync_after = MAX(after, took * RESYNC_PART);
	t->resync_ns = now;
}

static void check_side_band(struct resolver_thread *t)
{
	struct collector_queue_stats stats;
	uint64_t lost, now = sys_now_ns();

	collector_queue_stats(t->collector, &stats);
	lost = side_band_lost(t, &stats) + t->ring_lost;
	if (lost == t->side_band_lost || now - t->resync_ns < t->resync_after)
		return;
	t->side_band_lost = lost;
	resync(t, now);
}

/* Records before @taken_ns were processed. */
static void note_taken(struct resolver_thread *t, uint64_t taken_ns)
{
	if (taken_ns > atomic_load(&t->taken_ns))
		atomic_store(&t->taken_ns, taken_ns);
}

static bool pause_digest(struct resolver_thread *t)
{
	uint64_t now = sys_now_ns();
	double seconds = (double)(now - t->paused_ns) / 1e9;

	t->paused_ns = now;
	return digest_pause(t->digest, atomic_load(&t->taken_ns), seconds);
}

/* A turn of the player.  True if there is more to do. */
static bool play(struct resolver_thread *t)
{
	uint64_t seen = 0;

	t->played_all = !t->player.play(t->player.ctx, t->digest, &seen);
	atomic_store(&t->taken_ns, seen);
	return pause_digest(t) || !t->played_all;
}

/* One turn.  Returns the ns to wait before the next one. */
static uint64_t take_turn(struct resolver_thread *t)
{
	size_t collected, digested;
	bool emptied, done;
	uint64_t ripe;

	if (!t->collector)
		return play(t) ? 0 : PLAY_PAUSE_NS;
	emptied = collect_records(t, &collected);
	ripe = ripe_time(t);
	check_side_band(t);
	digested = digest_records(t, ripe);
	done = emptied && digested < BATCH;
	if (done)
		note_taken(t, ripe);
	if (pause_digest(t) || !done)
		return 0;
	return collected || digested ? PAUSE_NS : IDLE_PAUSE_NS;
}

static bool is_stopped(struct resolver_thread *t)
{
	bool stop;

	pthread_mutex_lock(&t->lock);
	stop = t->stop;
	pthread_mutex_unlock(&t->lock);
	return stop;
}

/*
 * Process what is queued now.  Records that arrive meanwhile are left to the
 * turns, as there may be no end to them.
 */
static void digest_queued(struct resolver_thread *t)
{
	uint64_t now;
	size_t nr;
	bool emptied = false;

	if (!t->collector) {
		while (play(t) && !is_stopped(t) && !proc_is_ended())
			;
		return;
	}
	now = collector_now(t->collector);
	do {
		/*
		 * once only: later records do not count.  With its memory full,
		 * others than that of the reader behind may hold more
		 */
		if (!emptied)
			emptied = collect_records(t, &nr) && !crowded(t);
		check_side_band(t);
		nr = digest_records(t, emptied ? now : ripe_time(t));
	} while ((!emptied || nr == BATCH) && !is_stopped(t));
	note_taken(t, now);
	pause_digest(t);
}

/* Wait @ns; false if the thread must end. */
static bool wait_turn(struct resolver_thread *t, uint64_t ns)
{
	const struct timespec ts = sys_deadline((double)ns / 1e9);
	int ret = 0;

	while (ns && !t->stop && t->finish == t->finished && !t->woken &&
	       ret == 0)
		ret = pthread_cond_timedwait(&t->changed, &t->lock, &ts);
	return !t->stop;
}

static void *resolver_main(void *arg)
{
	struct resolver_thread *t = arg;
	uint64_t pause = 0, finish, asked;

	pthread_setname_np(pthread_self(), "rbtop-resolver");
	caps_limit(CAPS_SYMBOLS, NULL);
	pthread_mutex_lock(&t->lock);
	t->state_fd = sys_open_thread_state();
	t->begun = true;
	while (wait_turn(t, pause)) {
		finish = t->finish;
		asked = t->asked;
		t->woken = false;
		pthread_mutex_unlock(&t->lock);
		if (finish != t->finished)
			digest_queued(t);
		pause = take_turn(t);
		pthread_mutex_lock(&t->lock);
		t->finished = finish;
		if (t->played_all)
			t->played = asked;
		t->stuck = false;
		pthread_cond_broadcast(&t->changed);
	}
	t->ended = true;
	pthread_cond_broadcast(&t->changed);
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

/*
 * Read the names of existing tasks before samples arrive: under load many tasks
 * will have ended by the time their samples are processed.
 */
static void read_names(struct resolver_thread *t)
{
	double until = sys_now() + START_SECONDS;

	t->paused_ns = sys_now_ns();
	while (pause_digest(t) && sys_now() < until)
		;
}

/*
 * Wait for a change, at most HANG_LOOK.  True if there was none and the thread
 * is blocked.
 */
static bool seems_to_hang(struct resolver_thread *t)
{
	const struct timespec ts = sys_deadline(HANG_LOOK);

	return pthread_cond_timedwait(&t->changed, &t->lock, &ts) &&
	       t->begun && sys_thread_waits(t->state_fd);
}

/*
 * Wait until the thread has finished @finish times, or ended.  Under the lock.
 * False if it hangs.
 */
static bool wait_thread(struct resolver_thread *t, uint64_t finish)
{
	double used = sys_cpu_of(t->thread), now;
	unsigned int idle = 0;

	while (t->finished < finish && !t->ended) {
		if (t->stuck || idle >= HANG_LOOKS) {
			t->stuck = true;
			return false;
		}
		idle += seems_to_hang(t);
		now = sys_cpu_of(t->thread);
		if (now - used < HANG_CPU)
			continue;
		used = now;
		idle = 0;
	}
	return true;
}

int resolver_thread_start(struct resolver_thread *t, struct err *err)
{
	int ret;

	read_names(t);
	ret = pthread_create(&t->thread, NULL, resolver_main, t);
	if (ret)
		return err_set(err, -ret, "starting the resolver thread: %s; "
			       "see ulimit -u", strerror(ret));
	t->started = true;
	return 0;
}

void resolver_thread_finish(struct resolver_thread *t)
{
	uint64_t finish;

	if (!t->started) {
		digest_queued(t);
		return;
	}
	pthread_mutex_lock(&t->lock);
	finish = ++t->finish;
	pthread_cond_broadcast(&t->changed);
	wait_thread(t, finish);
	pthread_mutex_unlock(&t->lock);
}

/* False if it hangs instead of ending. */
static bool stop_thread(struct resolver_thread *t)
{
	bool ended;

	digest_stop(t->digest);
	pthread_mutex_lock(&t->lock);
	t->stop = true;
	pthread_cond_broadcast(&t->changed);
	ended = wait_thread(t, UINT64_MAX);
	pthread_mutex_unlock(&t->lock);
	if (ended)
		pthread_join(t->thread, NULL);
	return ended;
}

bool resolver_thread_free(struct resolver_thread *t)
{
	if (!t)
		return true;
	if (t->started && !stop_thread(t))
		return false;
	if (t->state_fd >= 0)
		sys_close(t->state_fd);
	record_order_free(&t->order);
	digest_free(t->digest);
	pthread_cond_destroy(&t->changed);
	pthread_mutex_destroy(&t->lock);
	free(t);
	return true;
}

void resolver_thread_wake(struct resolver_thread *t)
{
	pthread_mutex_lock(&t->lock);
	t->woken = true;
	t->asked++;
	pthread_cond_broadcast(&t->changed);
	pthread_mutex_unlock(&t->lock);
}

static void read_state(struct resolver_thread *t, struct samples_status *status)
{
	pthread_mutex_lock(&t->lock);
	status->stuck = t->stuck;
	status->stale = t->started && t->played != t->asked;
	pthread_mutex_unlock(&t->lock);
}

static void read_queues(struct resolver_thread *t,
			struct samples_status *status)
{
	struct collector_queue_stats stats;
	uint64_t now, taken = atomic_load(&t->taken_ns);

	now = t->collector ? collector_now(t->collector) :
			     t->player.now(t->player.ctx);
	status->lag = taken && taken < now ? (double)(now - taken) / 1e9 : 0;
	status->decode_every = 1;
	if (!t->collector)
		return;
	collector_queue_stats(t->collector, &stats);
	status->decode_every = stats.decode_every;
	status->dropped = stats.dropped + atomic_load(&t->dropped);
	status->crowded = stats.crowded;
	status->side_band_lost = side_band_lost(t, &stats);
}

const struct samples *resolver_thread_read(struct resolver_thread *t,
					   uint64_t seen, double now)
{
	double seconds = t->last_read > 0 ? now - t->last_read : 0;

	t->last_read = now;
	/* before the samples: if it is not stale, nor are they */
	read_state(t, &t->samples.status);
	digest_read(t->digest, seconds > 0 ? seconds : 0, &t->samples);
	read_queues(t, &t->samples.status);
	t->samples.status.seen = seen;
	return &t->samples;
}

void resolver_thread_reset(struct resolver_thread *t)
{
	digest_reset(t->digest);
}

int resolver_thread_filter(struct resolver_thread *t, const char *text,
			   struct err *err)
{
	struct sample_filter *filter = NULL;

	if (text[0]) {
		filter = sample_filter_new(text, err);
		if (!filter)
			return err ? err->code : -EINVAL;
	}
	digest_set_filter(t->digest, filter, text);
	return 0;
}

static bool ends_with_field(const char *known, const char *field)
{
	const char *dot = strrchr(known, '.');

	return strcmp(known, field) == 0 || (dot && !strcmp(dot + 1, field));
}

int resolver_thread_field(struct resolver_thread *t, const char *field,
			  struct err *err)
{
	bool known = !field[0];

	for (size_t i = 0; i < t->samples.nr_trace_fields && !known; i++)
		known = ends_with_field(t->samples.trace_fields[i], field);
	if (!known)
		return err_usage(err, "no tracepoint of this session has a "
				 "field '%.60s'", field);
	digest_set_field(t->digest, field);
	return 0;
}
