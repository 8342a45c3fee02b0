/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "collect/triggers/trigger.h"
#include "fake_ring.h"

static const char *const names[] = { "cpu-clock", "sched:sched_switch",
				     "syscalls:sys_enter_read" };
enum { CLOCK, SWITCH, READ };	/* tags */

static const struct trigger_events events = {
	.names = names, .nr = 3, .call = READ,
};

struct fixture {
	struct fake_ring fake;
	struct trigger *trigger;
	struct trigger_hit hit;
	uint64_t scan_us;	/* that arming took */
	struct err err;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	fake_ring_init(&f->fake, 8192);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	trigger_free(f->trigger);
	fake_ring_free(&f->fake);
	free(f);
	return 0;
}

static void arm(struct fixture *f, const char *text)
{
	uint64_t began;

	trigger_free(f->trigger);
	f->trigger = trigger_new(text, &events, &f->err);
	if (!f->trigger)
		fail_msg("%s", f->err.text);
	began = sys_now_ns();
	trigger_arm(f->trigger);
	f->scan_us = (sys_now_ns() - began) / 1000;
}

static bool readable(const struct fixture *f)
{
	struct pollfd fd = { trigger_fd(f->trigger), POLLIN, 0 };

	return poll(&fd, 1, 0) == 1;
}

/* Whether it fired, by its eventfd; the reason is in @f->hit. */
static bool fired(struct fixture *f)
{
	bool is = readable(f);

	assert_int_equal(trigger_take(f->trigger, &f->hit), is);
	assert_false(readable(f));
	return is;
}

static void record(struct fixture *f, uint64_t at)
{
	trigger_record(f->trigger, 3, &f->fake.ring, at);
}

static uint64_t put(struct fixture *f, uint32_t type, uint16_t size)
{
	return fake_ring_put(&f->fake, type, size);
}

/* Set the time in the trailer. */
static void set_time(struct fixture *f, uint64_t time)
{
	fake_ring_word(&f->fake, f->fake.head - RECORD_TRAILER_TIME, time);
}

static void lost(struct fixture *f, uint64_t count)
{
	uint64_t at = put(f, PERF_RECORD_LOST, 56);

	fake_ring_word(&f->fake, at + 16, count);
	set_time(f, 777);
	record(f, at);
}

static void aux(struct fixture *f, uint64_t flags)
{
	uint64_t at = put(f, PERF_RECORD_AUX, 64);

	fake_ring_word(&f->fake, at + 24, flags);
	record(f, at);
}

static void comm(struct fixture *f, uint32_t tid, const char *name,
		 uint64_t time)
{
	uint64_t at = put(f, PERF_RECORD_COMM, 64), words[2] = { 0 };

	memcpy(words, name, strlen(name));
	fake_ring_word(&f->fake, at + 8, tid | (uint64_t)tid << 32);
	fake_ring_word(&f->fake, at + 16, words[0]);
	fake_ring_word(&f->fake, at + 24, words[1]);
	set_time(f, time);
	record(f, at);
}

static void fork_record(struct fixture *f, uint32_t tid, uint32_t ptid,
			uint64_t time)
{
	uint64_t at = put(f, PERF_RECORD_FORK, 64);

	fake_ring_word(&f->fake, at + 8, tid | (uint64_t)ptid << 32);
	fake_ring_word(&f->fake, at + 16, tid | (uint64_t)ptid << 32);
	set_time(f, time);
	record(f, at);
}

static bool sample(struct fixture *f, uint32_t tag, uint32_t cpu, pid_t pid,
		   pid_t tid)
{
	bool is;

	trigger_sample(f->trigger, 3, tag, cpu, pid, tid, 55);
	is = fired(f);
	if (is)
		trigger_arm(f->trigger);
	return is;
}

TEST_WITH(what_can_be_asked_for, NULL, NULL)
{
	static const char *const good[] = {
		"lost", "throttle", "truncated", "fill>80%", "fill > 99.5",
		"fill>1", "comm==dd", "event~sys_enter && cpu<2",
		"(pid==1 || tid!=7) && !comm~kworker*", " lost",
	};
	static const struct {
		const char *text, *says;
	} bad[] = {
		{ "", "name or a word is expected" },
		{ "loss", "not a condition" },
		{ "fill", "fill>N%" },
		{ "fill>0%", "fill>N%" },
		{ "fill>100%", "fill>N%" },
		{ "fill>80%x", "fill>N%" },
		{ "sym==main", "'sym' cannot be checked" },
		{ "cpu==1 && prev_comm==sh", "'prev_comm' cannot be checked" },
		{ "comm=dd", "use ==" },
		{ "call:", "call:PATH:FUNC" },
		{ "call:/bin/app", "call:PATH:FUNC" },
		{ "pid~1", "this is a number" },
	};
	struct err err = { 0 };

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_int_equal(trigger_check(good[i], &err), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(trigger_check(bad[i].text, &err), -EINVAL);
		assert_int_equal(err.kind, ERR_USAGE);
		assert_ptr_equal(strstr(err.text, "--snapshot-on: "),
				 err.text);
		assert_non_null(strstr(err.text, bad[i].says));
		assert_null(trigger_new(bad[i].text, &events, &err));
	}
	assert_int_equal(trigger_check("loss", NULL), -EINVAL);
}

TEST_WITH(names_have_to_be_those_of_events, NULL, NULL)
{
	struct err err = { 0 };

	assert_null(trigger_new("event==cpu-clok", &events, &err));
	assert_string_equal(err.text, "--snapshot-on: none of the events is "
			    "called 'cpu-clok'");
	assert_null(trigger_new("comm==a||comm==b||comm==c||comm==d||comm==e||"
				"comm==f||comm==g||comm==h||comm==i",
				&events, &err));
	assert_string_equal(err.text,
			    "--snapshot-on: at most 8 comparisons with comm");
}

/* Each sample of its own event fires it, of other events none. */
TEST(a_call_fires)
{
	struct fixture *f = *state;

	arm(f, "call:/bin/app:main");
	assert_true(trigger_on_samples(f->trigger));
	trigger_sample(f->trigger, 2, SWITCH, 1, 12, 13, 777);
	assert_false(fired(f));
	trigger_sample(f->trigger, 2, READ, 1, 12, 13, 778);
	trigger_sample(f->trigger, 3, READ, 0, 12, 14, 779);
	assert_true(fired(f));
	assert_string_equal(f->hit.text,
			    "call:/bin/app:main by tid 13 on CPU 1");
	assert_int_equal(f->hit.slot, 2);
	assert_int_equal(f->hit.time, 778);
	/* by the event's count, if samples are not read */
	trigger_call(f->trigger, 4);
	assert_false(fired(f));
	trigger_arm(f->trigger);
	trigger_call(f->trigger, 4);
	assert_true(fired(f));
	assert_string_equal(f->hit.text, "call:/bin/app:main");
	assert_int_equal(f->hit.slot, 4);
	arm(f, "lost");
	trigger_call(f->trigger, 4);
	assert_false(fired(f));
}

TEST(a_loss_fires_once)
{
	struct fixture *f = *state;

	arm(f, "lost");
	assert_string_equal(trigger_text(f->trigger), "lost");
	assert_false(trigger_on_samples(f->trigger));
	assert_false(fired(f));
	lost(f, 0);
	aux(f, PERF_AUX_FLAG_TRUNCATED);
	assert_false(fired(f));
	lost(f, 12);
	lost(f, 13);
	assert_true(fired(f));
	assert_string_equal(f->hit.text, "lost: 12 records on ring 3");
	assert_int_equal(f->hit.slot, 3);
	assert_int_equal(f->hit.time, 777);
	/* not armed again yet */
	lost(f, 14);
	assert_false(fired(f));
	trigger_arm(f->trigger);
	lost(f, 15);
	assert_true(fired(f));
	assert_string_equal(f->hit.text, "lost: 15 records on ring 3");
}

TEST(samples_lost_by_hardware_are_lost)
{
	struct fixture *f = *state;
	uint64_t at = put(f, PERF_RECORD_LOST_SAMPLES, 48);

	arm(f, "lost");
	fake_ring_word(&f->fake, at + 8, 9);
	record(f, at);
	assert_true(fired(f));
	assert_string_equal(f->hit.text, "lost: 9 records on ring 3");
}

TEST(short_records_say_nothing)
{
	struct fixture *f = *state;
	uint64_t at = put(f, PERF_RECORD_LOST, 16);

	fake_ring_word(&f->fake, f->fake.head, 99);
	arm(f, "lost");
	record(f, at);
	assert_false(fired(f));
	at = put(f, PERF_RECORD_AUX, 24);
	fake_ring_word(&f->fake, f->fake.head, PERF_AUX_FLAG_TRUNCATED);
	arm(f, "truncated");
	record(f, at);
	assert_false(fired(f));
}

TEST(other_conditions_fire_for_theirs)
{
	struct fixture *f = *state;

	arm(f, "truncated");
	lost(f, 1);
	aux(f, PERF_AUX_FLAG_OVERWRITE | PERF_AUX_FLAG_PARTIAL);
	assert_false(fired(f));
	aux(f, PERF_AUX_FLAG_TRUNCATED);
	assert_true(fired(f));
	assert_string_equal(f->hit.text,
			    "truncated: the AUX ring of ring 3 ran full");
	arm(f, "throttle");
	record(f, put(f, PERF_RECORD_UNTHROTTLE, 64));
	assert_false(fired(f));
	record(f, put(f, PERF_RECORD_THROTTLE, 64));
	assert_true(fired(f));
	assert_string_equal(f->hit.text, "throttle: an event of ring 3");
}

TEST(a_fill_fires_above_its_limit)
{
	struct fixture *f = *state;

	arm(f, "fill>80%");
	trigger_fill(f->trigger, 5, 0.8);
	assert_false(fired(f));
	trigger_fill(f->trigger, 5, 0.93);
	assert_true(fired(f));
	assert_string_equal(f->hit.text, "fill>80%: 93 % of ring 5");
	arm(f, "lost");
	trigger_fill(f->trigger, 5, 1);
	assert_false(fired(f));
}

TEST(a_pending_firing_is_forgotten)
{
	struct fixture *f = *state;

	arm(f, "lost");
	lost(f, 13);
	trigger_arm(f->trigger);
	assert_false(fired(f));
}

TEST(samples_match_by_what_they_say)
{
	struct fixture *f = *state;

	arm(f, "event~sys_enter && cpu<2 && pid==40");
	assert_true(trigger_on_samples(f->trigger));
	assert_true(sample(f, READ, 1, 40, 41));
	assert_string_equal(f->hit.text, "event~sys_enter && cpu<2 && pid==40: "
			    "syscalls:sys_enter_read of tid 41 on CPU 1");
	assert_int_equal(f->hit.time, 55);
	assert_false(sample(f, SWITCH, 1, 40, 41));
	assert_false(sample(f, READ, 2, 40, 41));
	assert_false(sample(f, READ, 1, 41, 41));
	arm(f, "tid==7 || !cpu>=1");
	assert_true(sample(f, CLOCK, 5, 1, 7));
	assert_true(sample(f, CLOCK, 0, 1, 8));
	assert_false(sample(f, CLOCK, 1, 1, 8));
	arm(f, "event!=cpu-clock");
	assert_false(sample(f, CLOCK, 0, 1, 1));
	assert_true(sample(f, READ, 0, 1, 1));
	/* of none of the events */
	assert_false(sample(f, 99, 0, 1, 1));
	trigger_sample(f->trigger, 3, READ, 0, 1, 1, 55);
	assert_true(fired(f));
	assert_false(trigger_on_samples(f->trigger));
}

/* Ids that no task of this machine has. */
enum { SH = 4100001, DD, CHILD };

TEST(names_come_with_their_records)
{
	struct fixture *f = *state;

	arm(f, "comm==dd");
	assert_false(sample(f, CLOCK, 0, DD, DD));
	comm(f, DD, "dd", 1000000);
	assert_true(sample(f, CLOCK, 0, DD, DD));
	assert_false(sample(f, CLOCK, 0, SH, SH));
	/* a child has the name until it gets another */
	fork_record(f, CHILD, DD, 2000000);
	assert_true(sample(f, CLOCK, 0, CHILD, CHILD));
	comm(f, CHILD, "a-name-of-15-by", 3000000);
	assert_false(sample(f, CLOCK, 0, CHILD, CHILD));
	assert_true(sample(f, CLOCK, 0, DD, DD));
}

/* The child runs on another CPU, whose ring may be drained first. */
TEST(the_latest_record_of_a_task_counts)
{
	struct fixture *f = *state;

	arm(f, "comm==dd");
	comm(f, SH, "sh", 1000000);
	comm(f, DD, "dd", 3000000);
	fork_record(f, DD, SH, 2000000);
	assert_true(sample(f, CLOCK, 0, DD, DD));
	comm(f, CHILD, "ls", 5000000);
	fork_record(f, CHILD, DD, 4000000);
	assert_false(sample(f, CLOCK, 0, CHILD, CHILD));
}

TEST(several_names_are_told_apart)
{
	struct fixture *f = *state;

	arm(f, "comm~d* && comm!=dd || comm==sh");
	comm(f, DD, "dd", 1000000);
	comm(f, SH, "sh", 1000000);
	comm(f, CHILD, "date", 1000000);
	assert_false(sample(f, CLOCK, 0, DD, DD));
	assert_true(sample(f, CLOCK, 0, SH, SH));
	assert_true(sample(f, CLOCK, 0, CHILD, CHILD));
	/* a task of unknown name does not match, nor does an invalid id */
	assert_false(sample(f, CLOCK, 0, 4100100, 4100100));
	assert_false(sample(f, CLOCK, 0, -1, -1));
	comm(f, UINT32_MAX, "sh", 2000000);
	assert_false(sample(f, CLOCK, 0, 5, -1));
}

/* Names are also followed while it is not armed. */
TEST(names_are_followed_all_the_time)
{
	struct fixture *f = *state;

	arm(f, "comm==dd || comm==sh");
	comm(f, SH, "sh", 1000000);
	trigger_sample(f->trigger, 3, CLOCK, 0, SH, SH, 55);
	assert_true(fired(f));
	comm(f, DD, "dd", 1000000);
	trigger_arm(f->trigger);
	assert_true(sample(f, CLOCK, 0, DD, DD));
}

/*
 * The parent gets the name by a record in the ring of another CPU, which is
 * drained after the child's.
 */
TEST(who_inherited_a_name_too_early_is_looked_up)
{
	struct fixture *f = *state;
	uint32_t self = (uint32_t)gettid();
	char before[16];

	prctl(PR_GET_NAME, before);
	prctl(PR_SET_NAME, "nobody-yet");
	arm(f, "comm==trigger-child");
	prctl(PR_SET_NAME, "trigger-child");
	fork_record(f, self, SH, sys_now_ns());
	comm(f, SH, "trigger-child", sys_now_ns() - 1000000);
	assert_false(sample(f, CLOCK, 0, getpid(), gettid()));
	/* not before the delay is over */
	trigger_tick(f->trigger);
	usleep(20 * 1000 + 25 * (unsigned int)f->scan_us);
	trigger_tick(f->trigger);
	prctl(PR_SET_NAME, before);
	assert_true(sample(f, CLOCK, 0, getpid(), gettid()));
}

TEST(who_runs_already_is_looked_up)
{
	struct fixture *f = *state;
	char before[16];

	prctl(PR_GET_NAME, before);
	prctl(PR_SET_NAME, "trigger-self");
	arm(f, "comm==trigger-self");
	assert_true(sample(f, CLOCK, 0, sys_gettid(), sys_gettid()));
	prctl(PR_SET_NAME, before);
	trigger_arm(f->trigger);
	assert_false(sample(f, CLOCK, 0, sys_gettid(), sys_gettid()));
}

/*
 * Tasks of a simulated kernel are not in /proc, which may have others with
 * their ids.
 */
TEST(made_up_tasks_are_not_looked_up)
{
	struct trigger_events made_up = events;
	struct fixture *f = *state;
	char before[16];

	prctl(PR_GET_NAME, before);
	prctl(PR_SET_NAME, "trigger-self");
	made_up.made_up = true;
	f->trigger = trigger_new("comm==trigger-self", &made_up, &f->err);
	assert_non_null(f->trigger);
	trigger_arm(f->trigger);
	trigger_tick(f->trigger);
	assert_false(sample(f, CLOCK, 0, sys_gettid(), sys_gettid()));
	prctl(PR_SET_NAME, before);
	comm(f, DD, "trigger-self", 1000000);
	assert_true(sample(f, CLOCK, 0, DD, DD));
}

/* Readers that fire at the same time, and a thread that arms it again. */

enum { READERS = 3, HITS = 300 };
static atomic_bool stop;

static void *fire_all_the_time(void *arg)
{
	struct fixture *f = arg;

	while (!atomic_load(&stop))
		trigger_sample(f->trigger, 1, CLOCK, 2, 3, 4, 5);
	return NULL;
}

TEST(readers_fire_one_at_a_time)
{
	struct fixture *f = *state;
	pthread_t threads[READERS];

	atomic_store(&stop, false);
	arm(f, "cpu==2");
	for (int i = 0; i < READERS; i++)
		pthread_create(&threads[i], NULL, fire_all_the_time, f);
	for (int hits = 0; hits < HITS;) {
		struct pollfd fd = { trigger_fd(f->trigger), POLLIN, 0 };

		assert_int_equal(poll(&fd, 1, 120000), 1);
		if (!trigger_take(f->trigger, &f->hit))
			continue;
		assert_string_equal(f->hit.text,
				    "cpu==2: cpu-clock of tid 4 on CPU 2");
		hits++;
		trigger_arm(f->trigger);
	}
	atomic_store(&stop, true);
	for (int i = 0; i < READERS; i++)
		pthread_join(threads[i], NULL);
}

TEST_GROUP(trigger, .each_setup = setup, .each_teardown = teardown);
