/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "ring/reading.h"
#include "ring/request.h"
#include "trace/snapshot/snapshot_thread.h"
#include "task/task_history.h"
#include "collect/triggers/trigger.h"
#include "tests/unit/snapshot/snapshot_rig.h"

#define PATIENCE 120.0 /* seconds */

static struct rig *rig;
static struct task_history *tasks;
static struct trigger *trigger;
static struct snapshot_thread *thread;
static struct snapshots now;
static pthread_mutex_t notes_lock = PTHREAD_MUTEX_INITIALIZER;
static char notes[4096];
static bool mounted;
static enum log_kind last_kind;

/* Called on the thread after it made a note; NULL: nothing. */
static void (*on_note)(const char *text);

static void take_note(void *ctx, enum log_kind kind, const char *text)
{
	size_t len;

	assert_ptr_equal(ctx, rig);
	pthread_mutex_lock(&notes_lock);
	len = strlen(notes);
	snprintf(notes + len, sizeof(notes) - len, "%s\n", text);
	last_kind = kind;
	pthread_mutex_unlock(&notes_lock);
	if (on_note)
		on_note(text);
}

static bool noted(const char *text)
{
	bool found;

	pthread_mutex_lock(&notes_lock);
	found = strstr(notes, text);
	pthread_mutex_unlock(&notes_lock);
	return found;
}

static int end(void **state)
{
	(void)state;
	snapshot_thread_free(thread);
	thread = NULL;
	on_note = NULL;
	trigger_free(trigger);
	trigger = NULL;
	task_history_free(tasks);
	if (mounted)
		umount2(rig->dir, MNT_DETACH);
	mounted = false;
	rig_free(rig);
	notes[0] = '\0';
	return 0;
}

static struct snapshot_opts make(enum rig_kind kind)
{
	static pid_t self;

	rig = rig_new(kind, 1);
	tasks = task_history_new(1 << 20);
	/* so that only tasks of this process are read */
	self = getpid();
	rig->session.map = (struct target_map){ .tids = &self, .nr_tids = 1 };
	return (struct snapshot_opts){
		.session = &rig->session, .session_opts = &rig->opts,
		.collector = rig->collector,
		.trace = rig->session.has_aux ? &rig->trace : NULL,
		.env = &rig_env, .tasks = tasks, .machine = &rig->machine,
		.dir = rig->dir, .cooldown = 10, .history_bytes = 1 << 20,
		.note = take_note, .ctx = rig,
	};
}

static void start(const struct snapshot_opts *opts)
{
	thread = snapshot_thread_new(opts, &rig->err);
	if (!thread || snapshot_thread_start(thread, &rig->err))
		fail_msg("%s", rig->err.text);
	snapshot_thread_enabled(thread);
}

static bool ended(const struct snapshot_info *info)
{
	return info->state >= SNAPSHOT_DONE;
}

/* Wait until @nr snapshots have ended. */
static void wait_for(size_t nr)
{
	double until = sys_now() + PATIENCE;

	do {
		snapshot_thread_status(thread, &now);
		if (now.nr >= nr && ended(&now.list[nr - 1]))
			return;
		usleep(1000);
	} while (sys_now() < until);
	fail_msg("%zu of %zu snapshots", now.nr, nr);
}

static void wait_note(const char *text)
{
	double until = sys_now() + PATIENCE;

	while (!noted(text)) {
		if (sys_now() > until)
			fail_msg("not noted: %s; but\n%s", text, notes);
		usleep(1000);
	}
}

/* Take a snapshot when the previous one has ended; returns its number. */
static uint64_t take(const char *why)
{
	double until = sys_now() + PATIENCE;
	struct request_snapshot got;

	do
		snapshot_thread_status(thread, &now);
	while (now.requests - now.merged !=
	       now.taken + now.failed + now.cancelled && sys_now() < until);
	assert_int_equal(snapshot_thread_take(thread, NULL, 0, why, &got,
					      &rig->err), 0);
	assert_false(got.queued);
	return got.number;
}

static void load(struct rig_file *f, const struct snapshot_info *info)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", rig->dir, info->file);
	*f = (struct rig_file){ 0 };
	rig_load(f, path);
	assert_int_equal(f->size, info->file_bytes);
}

TEST(test_take)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);
	const struct snapshot_info *info = &now.list[0];
	struct rig_file f;
	struct stat st;
	char path[PATH_MAX];

	start(&opts);
	rig_sample(rig, 0, 10);
	rig_trace(rig, 0, 0, 1000, true);
	rig_trace(rig, 2, 0, RIG_AUX + 8, true);
	assert_int_equal(snapshot_thread_take(thread, NULL, 0, "key\033[m",
					      NULL, &rig->err), 0);
	wait_for(1);
	assert_int_equal(info->state, SNAPSHOT_DONE);
	assert_int_equal(info->number, 1);
	assert_string_equal(info->trigger, "key?[m");
	assert_int_equal(info->rings, RIG_RINGS);
	assert_int_equal(info->bytes, 1000 + RIG_AUX);
	assert_int_equal(info->file_total, info->file_bytes);
	assert_true(info->spread == 0.25);
	assert_memory_equal(info->file, "rbtop-", 6);
	assert_string_equal(info->file + strlen(info->file) - 9, "-001.data");
	assert_int_equal(now.taken, 1);
	load(&f, info);
	assert_int_equal(rig_count(&f, PERF_RECORD_SAMPLE), 1);
	assert_true(rig_count(&f, PERF_RECORD_COMM) > 0);
	assert_true(rig_count(&f, PERF_RECORD_MMAP2) > 0);
	rig_expect_trace(&f, 0, 0, 1000);
	rig_expect_trace(&f, 2, 8, RIG_AUX + 8);
	rig_close(&f);
	assert_int_equal(rig_files(rig, path, sizeof(path)), 1);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	wait_note("snapshot 1 (key");
	assert_true(noted("of 3 rings, stopped for"));
}

/* Snapshots are independent: earlier data is in the next one too. */
TEST(test_again)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);
	const size_t ring = 0;
	struct rig_file f;

	start(&opts);
	rig_sample(rig, 0, 10);
	rig_sample(rig, 1, 11);
	rig_trace(rig, 0, 0, 1000, true);
	take("one");
	wait_for(1);
	rig_sample(rig, 0, 20);
	rig_trace(rig, 0, 1000, 1500, true);
	assert_int_equal(snapshot_thread_take(thread, &ring, 1, "two",
					      NULL, &rig->err), 0);
	wait_for(2);
	assert_int_equal(now.list[1].rings, 1);
	load(&f, &now.list[1]);
	/* and none of a ring that was not requested */
	assert_int_equal(rig_count(&f, PERF_RECORD_SAMPLE), 2);
	rig_expect_trace(&f, 0, 0, 1500);
	rig_close(&f);
	assert_int_equal(rig_files(rig, NULL, 0), 2);
}

static sem_t stopped, go_on;

static void wait_held(struct session *s)
{
	(void)s;
	sem_post(&stopped);
	sem_wait(&go_on);
}

/* Request a snapshot of @nr rings (0: all); expect that it is @number. */
static struct request_snapshot ask(const size_t *rings, size_t nr,
				   const char *why, uint64_t number)
{
	struct request_snapshot got;

	assert_int_equal(snapshot_thread_take(thread, rings, nr, why, &got,
					      &rig->err), 0);
	assert_int_equal(got.number, number);
	return got;
}

/* Start a snapshot that is blocked until let_go(). */
static void start_held(const struct snapshot_opts *opts)
{
	sem_init(&stopped, 0, 0);
	sem_init(&go_on, 0, 0);
	rig->session.on_hold = wait_held;
	start(opts);
	assert_int_equal(take("one"), 1);
	sem_wait(&stopped);
}

static void let_go(void)
{
	rig->session.on_hold = NULL;
	sem_post(&go_on);
}

/* Each request is counted exactly once. */
static void expect_counted(uint64_t requests)
{
	snapshot_thread_status(thread, &now);
	assert_int_equal(now.requests, requests);
	assert_int_equal(now.queued, 0);
	assert_int_equal(now.taken + now.failed + now.cancelled + now.merged,
			 requests);
}

/* During a snapshot one is queued, with the rings of all requests. */
TEST(test_queue)
{
	const size_t first = 0, others[2] = { 2, 0 };
	struct snapshot_opts opts = make(RIG_SNAPSHOT);
	struct request_snapshot got;

	start_held(&opts);
	got = ask(&first, 1, "key", 2);
	assert_true(got.queued);
	assert_int_equal(got.requests, 1);
	got = ask(others, 2, "SIGUSR2", 2);
	assert_int_equal(got.requests, 2);
	got = ask(&first, 1, "key", 2);
	assert_int_equal(got.requests, 3);
	snapshot_thread_status(thread, &now);
	assert_int_equal(now.nr, 1);
	assert_int_equal(now.queued, 3);
	assert_int_equal(now.merged, 2);
	let_go();
	wait_for(2);
	assert_int_equal(now.list[0].requests, 1);
	assert_int_equal(now.list[1].number, 2);
	assert_int_equal(now.list[1].requests, 3);
	assert_int_equal(now.list[1].rings, 2);
	assert_string_equal(now.list[1].which, "CPU 0 2");
	assert_string_equal(now.list[1].trigger, "key, SIGUSR2");
	assert_int_equal(now.taken, 2);
	wait_note("snapshot 2 (key, SIGUSR2, 3 requests): rbtop-");
	expect_counted(4);
}

/* If one of the requests is for all rings, the snapshot has all. */
TEST(test_queue_all)
{
	const size_t ring = 1;
	struct snapshot_opts opts = make(RIG_SNAPSHOT);

	start_held(&opts);
	ask(&ring, 1, "key", 2);
	ask(NULL, 0, "key", 2);
	ask(&ring, 1, "key", 2);
	let_go();
	wait_for(2);
	assert_int_equal(now.list[1].rings, RIG_RINGS);
	assert_string_equal(now.list[1].trigger, "key");
	expect_counted(4);
}

/* Times are counted from the first request. */
TEST(test_queue_times)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);
	double before, first, last;

	start_held(&opts);
	before = sys_now();
	ask(NULL, 0, "key", 2);
	first = sys_now();
	usleep(50000);
	ask(NULL, 0, "key", 2);
	last = sys_now();
	let_go();
	wait_for(2);
	assert_true(now.list[1].wait >= last - first);
	assert_true(now.list[1].took >= now.list[1].wait);
	assert_true(now.list[1].took <= sys_now() - before);
	wait_note("snapshot 2 (key, 2 requests)");
	assert_true(noted(" after the request"));
}

/* Many requests are merged into one snapshot, and counted. */
TEST(test_busy)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);
	struct request_snapshot got;

	start_held(&opts);
	for (int i = 0; i < 1000; i++)
		ask(NULL, 0, "storm", 2);
	snapshot_thread_status(thread, &now);
	assert_true(isnan(now.list[0].wait) && isnan(now.list[0].took));
	assert_int_equal(now.merged, 999);
	assert_int_equal(now.list[0].state, SNAPSHOT_COPYING);
	assert_int_equal(snapshot_thread_ended(thread), 0);
	/* the queued one is not cancelled with the other */
	assert_int_equal(snapshot_thread_cancel(thread, &got, &rig->err), 0);
	assert_int_equal(got.number, 2);
	assert_int_equal(got.requests, 1000);
	let_go();
	wait_for(2);
	assert_int_equal(now.list[0].state, SNAPSHOT_CANCELLED);
	assert_string_equal(now.list[0].file, "");
	assert_true(noted("snapshot 1 (one): cancelled; the queued snapshot 2 is taken next"));
	assert_int_equal(now.list[1].state, SNAPSHOT_DONE);
	assert_int_equal(rig_files(rig, NULL, 0), 1);
	assert_int_equal(snapshot_thread_ended(thread), 2);
	assert_int_equal(now.cancelled, 1);
	expect_counted(1001);
}

/* A cancelled snapshot leaves nothing. */
TEST(test_cancel)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);
	struct request_snapshot got;

	start_held(&opts);
	assert_int_equal(snapshot_thread_cancel(thread, &got, &rig->err), 0);
	assert_int_equal(got.number, 0);
	let_go();
	wait_for(1);
	assert_int_equal(now.list[0].state, SNAPSHOT_CANCELLED);
	assert_int_equal(rig_files(rig, NULL, 0), 0);
	wait_note("snapshot 1 (one): cancelled\n");
	assert_int_equal(snapshot_thread_cancel(thread, &got, &rig->err),
			 -ENOENT);
	assert_int_equal(take("two"), 2);
	wait_for(2);
	assert_int_equal(now.list[1].state, SNAPSHOT_DONE);
	expect_counted(2);
}

/* The last snapshot is merged with the queued one, and is taken. */
TEST(test_settle_queued)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);

	start_held(&opts);
	ask(&(size_t){ 1 }, 1, "key", 2);
	let_go();
	snapshot_thread_settle(thread, "exit");
	snapshot_thread_stop(thread);
	expect_counted(3);
	assert_true(now.taken >= 2);
	assert_non_null(strstr(now.list[now.nr - 1].trigger, "exit"));
	assert_int_equal(now.list[now.nr - 1].rings, RIG_RINGS);
}

/* Each period that passes during a snapshot counts as a request. */
TEST(test_every_late)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);

	sem_init(&stopped, 0, 0);
	sem_init(&go_on, 0, 0);
	rig->session.on_hold = wait_held;
	opts.every = 0.01;
	start(&opts);
	sem_wait(&stopped);
	usleep(55000);
	sem_post(&go_on);
	/* and no other starts before it was checked */
	sem_wait(&stopped);
	snapshot_thread_status(thread, &now);
	assert_int_equal(now.nr, 2);
	assert_true(now.list[1].requests >= 5);
	let_go();
	wait_for(2);
	snapshot_thread_stop(thread);
	snapshot_thread_status(thread, &now);
	expect_counted(now.requests);
}

TEST(test_nothing)
{
	struct snapshot_opts opts = make(RIG_PLAIN);

	start(&opts);
	assert_int_equal(snapshot_thread_take(thread, NULL, 0, "key",
					      NULL, &rig->err), -EOPNOTSUPP);
	assert_non_null(strstr(rig->err.text, "--overwrite"));
	snapshot_thread_free(thread);
	opts.every = 1;
	thread = snapshot_thread_new(&opts, &rig->err);
	assert_null(thread);
	assert_int_equal(rig->err.code, -EOPNOTSUPP);
	assert_memory_equal(rig->err.text, "--snapshot-every: ", 18);
}

/* The condition could never be detected. */
TEST(test_trigger_overwrite)
{
	const struct trigger_events events = { 0 };
	struct snapshot_opts opts = make(RIG_OVERWRITE);

	trigger = trigger_new("lost", &events, &rig->err);
	opts.trigger = trigger;
	assert_null(snapshot_thread_new(&opts, &rig->err));
	assert_int_equal(rig->err.code, -EOPNOTSUPP);
	assert_memory_equal(rig->err.text, "--snapshot-on checks", 20);
}

TEST(test_full_trace)
{
	struct snapshot_opts opts = make(RIG_FULL);

	start(&opts);
	assert_int_equal(snapshot_thread_take(thread, NULL, 0, "key",
					      NULL, &rig->err), -EOPNOTSUPP);
	assert_memory_equal(rig->err.text, "--full-trace", 12);
}

TEST(test_overwrite)
{
	struct snapshot_opts opts = make(RIG_OVERWRITE);
	struct ring *ring = &rig->session.rings[1].ring;
	struct rig_file f;

	fake_ring_word(&rig->fakes[1], (uint64_t)-64,
		       PERF_RECORD_SAMPLE | (uint64_t)64 << 48);
	fake_ring_word(&rig->fakes[1], (uint64_t)-56, RIG_IDS + 1);
	ring->page->data_head = (uint64_t)-64;
	start(&opts);
	take("key");
	wait_for(1);
	assert_int_equal(now.list[0].state, SNAPSHOT_DONE);
	load(&f, &now.list[0]);
	assert_int_equal(rig_count(&f, PERF_RECORD_SAMPLE), 1);
	rig_close(&f);
	assert_int_equal(snapshot_thread_record(thread, NULL, &rig->err),
			 -EOPNOTSUPP);
}

TEST(test_every)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);

	opts.every = 0.02;
	opts.keep = 2;
	start(&opts);
	wait_for(5);
	assert_string_equal(now.list[0].trigger, "every 0.02s");
	snapshot_thread_stop(thread);
	snapshot_thread_status(thread, &now);
	assert_int_equal(rig_files(rig, NULL, 0), 2);
	assert_int_equal(now.removed, now.taken - 2);
	assert_int_equal(now.keep, 2);
	/* the list has dropped some if there were many */
	for (size_t i = 1; i < now.nr; i++)
		assert_int_equal(now.list[i].number,
				 now.list[i - 1].number + 1);
	assert_int_equal(now.list[now.nr - 1].number,
			 now.taken + now.failed + now.cancelled);
}

/* The list drops the oldest, the count does not. */
TEST(test_long_list)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);

	opts.keep = 1;
	start(&opts);
	for (int i = 0; i < SNAPSHOTS_LISTED + 3; i++)
		take("again");
	snapshot_thread_stop(thread);
	snapshot_thread_status(thread, &now);
	assert_int_equal(now.nr, SNAPSHOTS_LISTED);
	assert_int_equal(now.taken, SNAPSHOTS_LISTED + 3);
	assert_int_equal(now.list[0].number, 4);
	assert_int_equal(now.list[now.nr - 1].number, SNAPSHOTS_LISTED + 3);
	assert_int_equal(rig_files(rig, NULL, 0), 1);
}

/*
 * Write records until it fires and its snapshot is blocked; counts how often
 * the condition is met.
 */
static void meet_until_held(void)
{
	double until = sys_now() + PATIENCE;

	while (sem_trywait(&stopped)) {
		assert_true(sys_now() < until);
		trigger_record(trigger, 1, &rig->session.rings[1].ring, 0);
		usleep(1000);
	}
}

/* Once, and not again before the cool-down is over. */
TEST(test_trigger)
{
	const struct trigger_events events = { 0 };
	const uint64_t lost[2] = { 1, 12 };
	struct snapshot_opts opts = make(RIG_SNAPSHOT);
	double began;

	trigger = trigger_new("lost", &events, &rig->err);
	assert_non_null(trigger);
	opts.trigger = trigger;
	opts.cooldown = 0.2;
	start(&opts);
	take("once enabled");
	wait_for(1);
	assert_string_equal(now.armed, "lost");
	rig_record(rig, 1, PERF_RECORD_LOST, lost, 2, RIG_IDS, 9);
	sem_init(&stopped, 0, 0);
	sem_init(&go_on, 0, 0);
	rig->session.on_hold = wait_held;
	began = sys_now();
	trigger_record(trigger, 1, &rig->session.rings[1].ring, 0);
	sem_wait(&stopped);
	snapshot_thread_status(thread, &now);
	assert_memory_equal(now.list[1].trigger, "lost", 4);
	assert_int_equal(now.fired, 1);
	assert_true(now.cooldown_left > 0 && now.cooldown_left <= 0.2);
	sem_post(&go_on);
	meet_until_held();
	assert_true(sys_now() - began >= 0.2);
	snapshot_thread_status(thread, &now);
	assert_int_equal(now.fired, 2);
	let_go();
	wait_for(3);
}

static void lose(void)
{
	const uint64_t lost[2] = { 1, 12 };
	uint64_t at = rig_record(rig, 1, PERF_RECORD_LOST, lost, 2, RIG_IDS,
				 9);

	trigger_record(trigger, 1, &rig->session.rings[1].ring, at);
}

/* The first records are there before the thread knows about the rings. */
TEST(test_trigger_at_once)
{
	const struct trigger_events events = { 0 };
	struct snapshot_opts opts = make(RIG_SNAPSHOT);
	struct rig_file f;

	trigger = trigger_new("lost", &events, &rig->err);
	opts.trigger = trigger;
	thread = snapshot_thread_new(&opts, &rig->err);
	assert_non_null(thread);
	assert_int_equal(snapshot_thread_start(thread, &rig->err), 0);
	rig_trace(rig, 0, 0, 1000, true);
	lose();
	wait_for(1);
	assert_memory_equal(now.list[0].trigger, "lost", 4);
	assert_int_equal(now.fired, 1);
	snapshot_thread_enabled(thread);
	load(&f, &now.list[0]);
	/* of the tasks known by then */
	assert_true(rig_count(&f, PERF_RECORD_COMM) > 0);
	rig_close(&f);
}

/* The cooldown is counted from the firing, and is shown. */
TEST(test_cooldown)
{
	const struct trigger_events events = { 0 };
	struct snapshot_opts opts = make(RIG_SNAPSHOT);
	double until;

	sem_init(&stopped, 0, 0);
	sem_init(&go_on, 0, 0);
	rig->session.on_hold = wait_held;
	trigger = trigger_new("lost", &events, &rig->err);
	opts.trigger = trigger;
	opts.cooldown = 0.5;
	start(&opts);
	lose();
	sem_wait(&stopped);
	usleep(510000);
	/* it is over, but it is armed only once the snapshot is written */
	snapshot_thread_status(thread, &now);
	assert_int_equal(now.nr, 1);
	assert_int_equal(now.taken, 0);
	assert_true(now.cooldown_left > 0);
	let_go();
	wait_for(1);
	until = sys_now() + PATIENCE;
	while (now.cooldown_left > 0) {
		/* only shows that it is not armed yet */
		assert_true(now.cooldown_left < 0.01);
		assert_true(sys_now() < until);
		snapshot_thread_status(thread, &now);
	}
	lose();
	wait_for(2);
	assert_int_equal(now.fired, 2);
}

/*
 * A decoder that splits the trace by AUX records gets those of the trace that
 * is there.
 */
TEST(test_cut)
{
	const uint64_t flags = PERF_AUX_FLAG_OVERWRITE;
	struct snapshot_opts opts = make(RIG_SNAPSHOT);
	struct rig_file f;

	rig->ops.cuts_by_aux = true;
	start(&opts);
	rig_trace(rig, 0, 0, 2 * RIG_AUX, false);
	rig_record(rig, 0, PERF_RECORD_AUX, (uint64_t[]){ 500, 500, flags }, 3,
		   RIG_IDS, 10);
	rig_record(rig, 0, PERF_RECORD_AUX,
		   (uint64_t[]){ 2 * RIG_AUX, 500, flags }, 3, RIG_IDS, 11);
	take("key");
	wait_for(1);
	load(&f, &now.list[0]);
	assert_int_equal(rig_count(&f, PERF_RECORD_AUX), 1);
	rig_close(&f);
}

static uint64_t trace_time;

static uint64_t say_time(const struct perf_time_conv *conv, uint64_t now_at,
			 const unsigned char *trace, size_t len)
{
	(void)conv;
	(void)now_at;
	assert_non_null(trace);
	assert_int_equal(len, 1000);
	return trace_time;
}

/* Context switches since the start, and only a little trace. */
static void put_switches(uint64_t until, size_t nr)
{
	for (uint64_t time = until - nr * 1000000; time < until;
	     time += 1000000)
		rig_record(rig, 0, PERF_RECORD_SWITCH_CPU_WIDE,
			   (uint64_t[]){ 5 }, 1, RIG_SIDE_BAND, time);
	collector_drain_all(rig->collector);
}

static size_t count_switches(const struct snapshot_info *info)
{
	struct rig_file f;
	size_t nr;

	load(&f, info);
	nr = rig_count(&f, PERF_RECORD_SWITCH_CPU_WIDE);
	rig_close(&f);
	return nr;
}

/* Switches as old as the trace are kept; with --switch-events, all. */
static void cut_switches(bool keep, size_t left)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);
	uint64_t start_time;

	opts.keep_switches = keep;
	rig->ops.oldest = say_time;
	start(&opts);
	rig_trace(rig, 0, 0, 1000, true);
	start_time = sys_now_ns();
	trace_time = start_time - 50000000;
	put_switches(start_time, 1000);
	take("key");
	wait_for(1);
	assert_int_equal(count_switches(&now.list[0]), left);
	assert_true(now.list[0].reach >= 0.05);
	assert_true(now.list[0].reach <= 0.05 +
		    (double)(sys_now_ns() - start_time) / 1e9);
	assert_int_equal(now.list[0].short_rings, 0);
}

TEST(test_switches)
{
	/* one switch is before the margin, and one in it */
	cut_switches(false, 52);
}

TEST(test_switches_kept)
{
	cut_switches(true, 1000);
}

/* The history is too small for the records since the trace began. */
TEST(test_short_history)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);

	opts.history_bytes = 1;
	rig->ops.oldest = say_time;
	start(&opts);
	rig_trace(rig, 0, 0, 1000, true);
	trace_time = sys_now_ns() - UINT64_C(50000000000);
	for (int i = 0; i < 3; i++)
		put_switches(sys_now_ns(), 1000);
	take("key");
	wait_for(1);
	assert_int_equal(now.list[0].short_rings, 1);
	wait_note("on 1 ring: use a larger --history");
	/* seconds: at most 10 of 60 may have passed */
	assert_true(noted("-001.data: the trace covers 5"));
}

TEST(test_no_directory)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);

	opts.dir = "/nowhere";
	assert_null(snapshot_thread_new(&opts, &rig->err));
	assert_string_equal(rig->err.text, "--output /nowhere: "
			    "No such file or directory: name a directory that files can be created in");
}

/* The directory is removed, and made again. */
TEST(test_vanished)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);

	start(&opts);
	assert_int_equal(rmdir(rig->dir), 0);
	take("key");
	wait_for(1);
	assert_int_equal(now.list[0].state, SNAPSHOT_FAILED);
	assert_non_null(strstr(now.list[0].error, "No such file"));
	assert_int_equal(now.failed, 1);
	wait_note("snapshot 1 (key) failed: writing");
	assert_int_equal(mkdir(rig->dir, 0700), 0);
	take("key");
	wait_for(2);
	assert_int_equal(now.list[1].state, SNAPSHOT_DONE);
}

/* Earlier files stay; nothing of the new one does. */
TEST(test_disk_full)
{
	const struct rlimit small = { 4096, RLIM_INFINITY };
	struct snapshot_opts opts = make(RIG_SNAPSHOT);
	struct rlimit before;
	struct rig_file f;

	getrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, SIG_IGN);
	opts.keep = 1;
	start(&opts);
	rig_trace(rig, 0, 0, RIG_AUX, true);
	take("key");
	wait_for(1);
	setrlimit(RLIMIT_FSIZE, &small);
	take("key");
	wait_for(2);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(now.list[1].state, SNAPSHOT_FAILED);
	assert_non_null(strstr(now.list[1].error, "File too large"));
	assert_int_equal(rig_files(rig, NULL, 0), 1);
	load(&f, &now.list[0]);
	rig_close(&f);
}

/* Errors of the system are reported, and the next one works. */
TEST(test_refused)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);

	rig->session.refuse = -ENODEV;
	start(&opts);
	take("key");
	wait_for(1);
	assert_int_equal(now.list[0].state, SNAPSHOT_FAILED);
	assert_string_equal(now.list[0].error, "stopping the trace: refused");
	rig->session.refuse = 0;
	take("key");
	wait_for(2);
	assert_int_equal(now.list[1].state, SNAPSHOT_DONE);
}

/* Requests before the end are served, later ones are not. */
TEST(test_stop)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);

	start(&opts);
	take("last");
	snapshot_thread_stop(thread);
	snapshot_thread_status(thread, &now);
	assert_int_equal(now.taken, 1);
	assert_int_equal(snapshot_thread_take(thread, NULL, 0, "late",
					      NULL, &rig->err), -ESHUTDOWN);
	assert_int_equal(snapshot_thread_record(thread, NULL, &rig->err),
			 -ESHUTDOWN);
	snapshot_thread_stop(thread);
}

/* AUX rings in snapshot mode are not recorded: the message says so. */
TEST(test_record_without_trace)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);

	start(&opts);
	assert_int_equal(snapshot_thread_record(thread, NULL, &rig->err), 0);
	wait_note("recording into");
	assert_true(noted("without AUX trace"));
}

TEST(test_record)
{
	struct snapshot_opts opts = make(RIG_PLAIN);
	struct rig_file f = { 0 };
	char path[PATH_MAX];

	start(&opts);
	snprintf(path, sizeof(path), "%s/my.data", rig->dir);
	assert_int_equal(snapshot_thread_record_end(thread, &rig->err),
			 -ENOENT);
	assert_int_equal(snapshot_thread_record(thread, path, &rig->err), 0);
	assert_int_equal(snapshot_thread_record(thread, NULL, &rig->err),
			 -EBUSY);
	wait_note("recording into");
	snapshot_thread_status(thread, &now);
	assert_true(now.recording);
	assert_string_equal(now.record_file, path);
	rig_sample(rig, 0, 10);
	rig_sample(rig, 1, 20);
	/* of an event that is not in the session */
	fake_ring_sample(&rig->fakes[1], 7777, 1, 30, 64);
	collector_drain_all(rig->collector);
	assert_int_equal(snapshot_thread_record_end(thread, &rig->err), 0);
	wait_note("recorded ");
	assert_true(noted("; 1 sample of unknown events left out"));
	snapshot_thread_status(thread, &now);
	assert_false(now.recording);
	assert_true(now.record_bytes > 128);
	rig_load(&f, path);
	assert_int_equal(rig_count(&f, PERF_RECORD_SAMPLE), 2);
	rig_close(&f);
	assert_int_equal(snapshot_thread_record(thread, path, &rig->err),
			 -EEXIST);
	/* a generated name; the end of the thread ends it */
	assert_int_equal(snapshot_thread_record(thread, NULL, &rig->err), 0);
	snapshot_thread_stop(thread);
	assert_int_equal(rig_files(rig, NULL, 0), 2);
}

/*
 * A recording requested before the start begins before the events are enabled:
 * no trace is read or discarded without it.
 */
TEST(test_record_from_start)
{
	struct snapshot_opts opts = make(RIG_FULL);
	struct rig_file f = { 0 };
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/my.data", rig->dir);
	thread = snapshot_thread_new(&opts, &rig->err);
	assert_non_null(thread);
	assert_int_equal(snapshot_thread_record(thread, path, &rig->err), 0);
	assert_int_equal(snapshot_thread_start(thread, &rig->err), 0);
	snapshot_thread_begin(thread);
	assert_true(noted("recording into"));
	rig_sample(rig, 0, 10);
	rig_trace(rig, 1, 0, 5000, false);
	collector_drain_all(rig->collector);
	assert_int_equal(aux_ring_tail(&rig->session.rings[1].aux), 0);
	snapshot_thread_enabled(thread);
	snapshot_thread_stop(thread);
	assert_int_equal(aux_ring_tail(&rig->session.rings[1].aux), 5000);
	rig_load(&f, path);
	assert_int_equal(rig_count(&f, PERF_RECORD_SAMPLE), 1);
	rig_expect_trace(&f, 1, 0, 5000);
	rig_close(&f);
}

/* A failed start leaves nothing, before or after the enabling. */
static void drop(bool begun, bool enabled)
{
	struct snapshot_opts opts = make(RIG_FULL);
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/my.data", rig->dir);
	thread = snapshot_thread_new(&opts, &rig->err);
	assert_non_null(thread);
	assert_int_equal(snapshot_thread_record(thread, path, &rig->err), 0);
	assert_int_equal(snapshot_thread_start(thread, &rig->err), 0);
	if (begun)
		snapshot_thread_begin(thread);
	if (enabled) {
		snapshot_thread_enabled(thread);
		wait_note("recording into");
	}
	rig_sample(rig, 0, 10);
	collector_drain_all(rig->collector);
	snapshot_thread_free(thread);
	thread = NULL;
	assert_int_equal(rig_files(rig, NULL, 0), 0);
	assert_false(noted("recorded"));
}

TEST(test_drop)
{
	drop(false, false);
}

TEST(test_drop_enabled)
{
	drop(false, true);
}

TEST(test_drop_begun)
{
	drop(true, false);
}

static void *free_it(void *arg)
{
	snapshot_thread_free(arg);
	return NULL;
}

/*
 * Nor does the trigger start a snapshot that is not wanted any more: its
 * condition is met while another snapshot is taken, and the end comes before
 * that has ended.
 */
TEST(test_drop_trigger)
{
	const struct trigger_events events = { 0 };
	struct snapshot_opts opts = make(RIG_SNAPSHOT);
	pthread_t freer;

	trigger = trigger_new("fill>80%", &events, &rig->err);
	opts.trigger = trigger;
	start_held(&opts);
	trigger_fill(trigger, 0, 0.9);
	assert_int_equal(pthread_create(&freer, NULL, free_it, thread), 0);
	while (snapshot_thread_take(thread, NULL, 0, "late", NULL,
				    &rig->err) != -ESHUTDOWN)
		usleep(1000);
	let_go();
	pthread_join(freer, NULL);
	thread = NULL;
	assert_int_equal(rig_files(rig, NULL, 0), 0);
}

/* The thread needs descriptors: without any, its start fails. */
TEST(test_no_descriptors)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);
	struct rlimit before, few;
	int ret, next;

	thread = snapshot_thread_new(&opts, &rig->err);
	assert_non_null(thread);
	next = dup(STDERR_FILENO);
	close(next);
	getrlimit(RLIMIT_NOFILE, &before);
	few = (struct rlimit){ (rlim_t)next, before.rlim_max };
	setrlimit(RLIMIT_NOFILE, &few);
	ret = snapshot_thread_start(thread, &rig->err);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(ret, -EMFILE);
	assert_string_equal(rig->err.text,
			    "snapshots: Too many open files");
}

static atomic_int back;

static void *stop(void *arg)
{
	(void)arg;
	snapshot_thread_stop(thread);
	atomic_fetch_add(&back, 1);
	return NULL;
}

/* Two stops return when the thread has ended, not before. */
TEST(test_stop_twice)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);
	pthread_t threads[2];
	int early;

	sem_init(&stopped, 0, 0);
	sem_init(&go_on, 0, 0);
	atomic_store(&back, 0);
	rig->session.on_hold = wait_held;
	start(&opts);
	take("one");
	sem_wait(&stopped);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, stop, NULL);
	usleep(100000);
	early = atomic_load(&back);
	sem_post(&go_on);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(early, 0);
	assert_int_equal(atomic_load(&back), 2);
	snapshot_thread_status(thread, &now);
	assert_int_equal(now.taken, 1);
}

/* A disk filled by another program, at the end. */
TEST(test_record_disk_full)
{
	static const char zeros[540 << 10];
	struct snapshot_opts opts = make(RIG_PLAIN);
	char path[PATH_MAX], other[PATH_MAX];
	FILE *out;

	mounted = mount("tmpfs", rig->dir, "tmpfs", 0, "size=640k") == 0;
	if (!mounted)
		skip();
	start(&opts);
	snprintf(path, sizeof(path), "%s/my.data", rig->dir);
	snprintf(other, sizeof(other), "%s/other", rig->dir);
	assert_int_equal(snapshot_thread_record(thread, path, &rig->err), 0);
	wait_note("recording into");
	usleep(20000);
	out = fopen(other, "w");
	assert_non_null(out);
	assert_int_equal(fwrite(zeros, sizeof(zeros), 1, out), 1);
	assert_int_equal(fclose(out), 0);
	for (uint64_t i = 0; i < 1000; i++)
		rig_sample(rig, 0, 10 + i);
	collector_drain_all(rig->collector);
	snapshot_thread_stop(thread);
	snapshot_thread_status(thread, &now);
	assert_false(now.recording);
	assert_string_equal(now.record_error, "the disk is nearly full");
	assert_true(noted("recorded "));
}

static struct rlimit file_size;

/* A recording is ended, fails itself, and the next one is requested. */
static void end_and_begin(const char *text)
{
	const struct rlimit small = { 16 << 10, RLIM_INFINITY };

	if (!strncmp(text, "recording into", 14)) {
		getrlimit(RLIMIT_FSIZE, &file_size);
		setrlimit(RLIMIT_FSIZE, &small);
		for (uint64_t i = 0; i < 1000; i++)
			rig_sample(rig, 0, 10 + i);
		collector_drain_all(rig->collector);
		snapshot_thread_record_end(thread, NULL);
	} else if (!strncmp(text, "recording abandoned", 18)) {
		on_note = NULL;
		setrlimit(RLIMIT_FSIZE, &file_size);
		snapshot_thread_record(thread, NULL, NULL);
	}
}

TEST(test_record_again)
{
	struct snapshot_opts opts = make(RIG_PLAIN);
	double until = sys_now() + PATIENCE;

	signal(SIGXFSZ, SIG_IGN);
	on_note = end_and_begin;
	start(&opts);
	assert_int_equal(snapshot_thread_record(thread, NULL, &rig->err), 0);
	wait_note("recording abandoned");
	do
		snapshot_thread_status(thread, &now);
	while (!now.recording && sys_now() < until);
	usleep(50000);
	snapshot_thread_status(thread, &now);
	assert_true(now.recording);
	assert_false(noted("recorded "));
	assert_int_equal(snapshot_thread_record_end(thread, &rig->err), 0);
	wait_note("recorded ");
}

TEST(test_record_refused)
{
	struct snapshot_opts opts = make(RIG_PLAIN);

	start(&opts);
	assert_int_equal(snapshot_thread_record(thread, "-", &rig->err),
			 -EINVAL);
	assert_int_equal(snapshot_thread_record(thread, "/nowhere/x.data",
						&rig->err), -ENOENT);
	assert_string_equal(rig->err.text,
			    "writing /nowhere/x.data: No such file or directory");
}

/* A snapshot is taken while a recording goes on, which misses nothing. */
TEST(test_both)
{
	struct snapshot_opts opts = make(RIG_SNAPSHOT);
	struct rig_file f = { 0 };
	char path[PATH_MAX];

	start(&opts);
	snprintf(path, sizeof(path), "%s/my.data", rig->dir);
	assert_int_equal(snapshot_thread_record(thread, path, &rig->err), 0);
	wait_note("recording into");
	for (uint64_t i = 0; i < 20; i++) {
		rig_sample(rig, 0, 10 + i);
		take("key");
	}
	wait_for(20);
	collector_drain_all(rig->collector);
	snapshot_thread_stop(thread);
	rig_load(&f, path);
	assert_int_equal(rig_count(&f, PERF_RECORD_SAMPLE), 20);
	rig_close(&f);
	load(&f, &now.list[19]);
	assert_int_equal(rig_count(&f, PERF_RECORD_SAMPLE), 20);
	rig_close(&f);
}

TEST_WITH(test_state_names, NULL, NULL)
{
	assert_string_equal(snapshot_state_name(SNAPSHOT_COPYING), "copying");
	assert_string_equal(snapshot_state_name(SNAPSHOT_WRITING), "writing");
	assert_string_equal(snapshot_state_name(SNAPSHOT_DONE), "done");
	assert_string_equal(snapshot_state_name(SNAPSHOT_FAILED), "failed");
	assert_string_equal(snapshot_state_name(SNAPSHOT_CANCELLED),
			    "cancelled");
	assert_string_equal(snapshot_state_name((enum snapshot_state)99), "?");
}

TEST_GROUP(snapshot_thread, .each_teardown = end);
