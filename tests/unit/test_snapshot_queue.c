/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "ring/reading.h"
#include "ring/request.h"
#include "trace/snapshot/snapshot_shared.h"

static struct snapshot_queue queue;
static struct snapshot_job job;
static struct request_snapshot got;
static struct snapshots figures;
static struct err err;

static int set_up(void **state)
{
	(void)state;
	queue = (struct snapshot_queue){ 0 };
	job = (struct snapshot_job){ 0 };
	err = (struct err){ 0 };
	snapshot_queue_init(&queue);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	snapshot_job_free(&job);
	snapshot_queue_free(&queue);
	return 0;
}

static struct snapshot_job request(const char *trigger, const size_t *rings,
				   size_t nr, double at)
{
	struct snapshot_job one = {
		.rings = (size_t *)rings, .nr = nr, .requests = 1, .at = at,
	};

	strcpy(one.trigger, trigger);
	return one;
}

static void ask(const char *trigger, double at)
{
	const struct snapshot_job one = request(trigger, NULL, 0, at);

	assert_int_equal(snapshot_queue_ask(&queue, &one, &got, &err), 0);
}

static void take(void)
{
	snapshot_job_free(&job);
	job = snapshot_queue_next(&queue);
}

TEST(one_at_a_time)
{
	take();
	assert_int_equal(job.requests, 0);
	ask("key", 1);
	assert_int_equal(got.number, 1);
	assert_int_equal(got.requests, 1);
	assert_false(got.queued);
	take();
	assert_int_equal(job.number, 1);
	assert_int_equal(job.requests, 1);
	assert_true(job.at == 1);
	assert_string_equal(job.trigger, "key");

	/* while it is taken, requests are queued, for one snapshot */
	ask("key", 2);
	assert_true(got.queued);
	ask("SIGUSR2", 3);
	ask("key", 4);
	assert_int_equal(got.number, 2);
	assert_int_equal(got.requests, 3);
	snapshot_queue_figures(&queue, &figures);
	assert_int_equal(figures.requests, 4);
	assert_int_equal(figures.merged, 2);
	assert_int_equal(figures.queued, 3);
	assert_int_equal(snapshot_queue_waiting(&queue), 2);

	snapshot_queue_done(&queue);
	take();
	assert_int_equal(job.number, 2);
	assert_int_equal(job.requests, 3);
	assert_true(job.at == 2);
	assert_string_equal(job.trigger, "key, SIGUSR2");
	snapshot_queue_figures(&queue, &figures);
	assert_int_equal(figures.queued, 0);
	assert_int_equal(snapshot_queue_waiting(&queue), 0);
	snapshot_queue_done(&queue);
	take();
	assert_int_equal(job.requests, 0);
}

/* Merged requests have the rings of all of them, each once. */
TEST(rings_are_merged)
{
	static const size_t some[] = { 3, 1 }, others[] = { 1, 5 };
	struct snapshot_job one = request("key", some, 2, 1);

	assert_int_equal(snapshot_queue_ask(&queue, &one, NULL, &err), 0);
	one = request("key", others, 2, 1);
	assert_int_equal(snapshot_queue_ask(&queue, &one, NULL, &err), 0);
	take();
	assert_int_equal(job.nr, 3);
	assert_int_equal(job.rings[0], 3);
	assert_int_equal(job.rings[1], 1);
	assert_int_equal(job.rings[2], 5);

	/* all rings: in the first request, then in the last */
	ask("key", 1);
	assert_int_equal(snapshot_queue_ask(&queue, &one, NULL, &err), 0);
	take();
	assert_int_equal(job.requests, 2);
	assert_int_equal(job.nr, 0);
	assert_int_equal(snapshot_queue_ask(&queue, &one, NULL, &err), 0);
	ask("key", 1);
	take();
	assert_int_equal(job.requests, 2);
	assert_int_equal(job.nr, 0);
}

TEST(triggers_are_cut)
{
	char name[32];

	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "condition %02d", i);
		ask(name, 1);
	}
	take();
	assert_int_equal(job.requests, 20);
	/* whole names only */
	assert_string_equal(job.trigger + strlen(job.trigger) - 14,
			    ", condition 05");
}

TEST(is_cancelled)
{
	assert_false(snapshot_queue_cancel(&queue, &got));
	assert_false(snapshot_queue_is_cancelled(&queue));
	ask("key", 1);
	take();
	assert_true(snapshot_queue_cancel(&queue, &got));
	assert_int_equal(got.number, 0);
	assert_true(snapshot_queue_is_cancelled(&queue));
	ask("key", 1);
	assert_true(snapshot_queue_cancel(&queue, &got));
	assert_int_equal(got.number, 2);
	assert_true(got.queued);
	/* the queued one is not */
	snapshot_queue_done(&queue);
	assert_false(snapshot_queue_is_cancelled(&queue));
	/* ... unless it is the next one, not begun yet */
	assert_true(snapshot_queue_cancel(&queue, &got));
	assert_int_equal(got.number, 0);
	take();
	assert_true(snapshot_queue_is_cancelled(&queue));
}

TEST(is_closed)
{
	const struct snapshot_job one = request("every 1s", NULL, 0, 1);

	ask("key", 1);
	snapshot_queue_close(&queue, false);
	assert_int_equal(snapshot_queue_ask(&queue, &one, &got, &err),
			 -ESHUTDOWN);
	assert_string_equal(err.text,
			    "the events have ended: no more snapshots");
	/* the owner's own requests, and those queued, are still served */
	assert_int_equal(snapshot_queue_add(&queue, &one, &err), 0);
	assert_int_equal(snapshot_queue_waiting(&queue), 1);
	take();
	assert_int_equal(job.requests, 2);
	assert_false(snapshot_queue_is_cancelled(&queue));
}

TEST(is_dropped)
{
	const struct snapshot_job one = request("every 1s", NULL, 0, 1);

	ask("key", 1);
	take();
	ask("key", 1);
	snapshot_queue_close(&queue, true);
	assert_true(snapshot_queue_is_cancelled(&queue));
	assert_int_equal(snapshot_queue_waiting(&queue), 0);
	assert_int_equal(snapshot_queue_ask(&queue, &one, &got, &err),
			 -ESHUTDOWN);
	assert_int_equal(snapshot_queue_add(&queue, &one, &err), 0);
	take();
	assert_int_equal(job.requests, 0);
}

TEST_GROUP(snapshot_queue, .each_setup = set_up, .each_teardown = tear_down);
