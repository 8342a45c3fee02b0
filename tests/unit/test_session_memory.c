/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "perf/session/session.h"

enum { RINGS = 3, DATA = 4096, AUX = 8192 };

/* Requests to the writer of the rings. */
struct writer {
	bool traces[RINGS], paused[RINGS];
	unsigned int calls;
};

struct fixture {
	struct writer writer;
	struct event_spec specs[2];
	struct session_opts opts;
	struct session_event events[RINGS][2];
	unsigned char *memory[RINGS], *aux[RINGS];
	struct session *session;
};

static void on_trace(void *ctx, size_t ring, bool on)
{
	struct writer *w = ctx;

	w->calls++;
	w->traces[ring] = on;
}

static void on_pause(void *ctx, size_t ring, bool on)
{
	struct writer *w = ctx;

	w->calls++;
	w->paused[ring] = on;
}

static const struct session_memory_ops ops = { on_trace, on_pause };

static unsigned char *memory_of(size_t size)
{
	unsigned char *memory = aligned_alloc(sys_page_size(), size);

	assert_non_null(memory);
	memset(memory, 0x5a, size);
	return memory;
}

/* Add ring @i; the last one has no AUX ring. */
static void add_ring(struct fixture *f, size_t i)
{
	struct session_event events[2] = {
		{ SESSION_SIDE_BAND, -1, 10 + i, -1 }, { 0, -1, 20 + i, -1 },
	};
	struct session_ring ring = {
		.cpu = (int)i, .tid = -1, .events = events, .nr_events = 2,
	};

	f->memory[i] = memory_of(sys_page_size() + DATA);
	f->aux[i] = memory_of(AUX);
	ring_attach(&ring.ring, f->memory[i], DATA, false);
	ring.ring.fd = -1;
	if (i + 1 < RINGS)
		aux_ring_attach(&ring.aux, ring.ring.page, f->aux[i], AUX,
				true);
	assert_int_equal(session_memory_add(f->session, &ring), 0);
	f->writer.traces[i] = true;
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct err err = { 0 };

	strcpy(f->specs[0].name, "one");
	f->specs[0].attr.config = 7;
	strcpy(f->specs[1].name, "trace//");
	f->specs[1].aux = true;
	f->opts.events = (struct event_list){ .specs = f->specs, .nr = 2 };
	f->opts.target.mode = TARGET_CPUS;
	assert_int_equal(session_memory_open(&f->opts, &ops, &f->writer,
					     &f->session, &err), 0);
	for (size_t i = 0; i < RINGS; i++)
		add_ring(f, i);
	*state = f;
	return 0;
}

/* Closing leaves the memory to its owner. */
static int teardown(void **state)
{
	struct fixture *f = *state;

	session_close(f->session);
	for (size_t i = 0; i < RINGS; i++) {
		assert_int_equal(f->memory[i][sys_page_size()], 0x5a);
		assert_int_equal(f->aux[i][AUX - 1], 0x5a);
		free(f->memory[i]);
		free(f->aux[i]);
	}
	free(f);
	return 0;
}

TEST(ring_added)
{
	struct fixture *f = *state;
	struct session *s = f->session;
	const struct session_ring *ring = session_ring(s, 1);
	struct perf_event_attr attr;

	assert_int_equal(session_nr_rings(s), RINGS);
	assert_int_equal(session_nr_watched(s), RINGS);
	assert_null(session_ring(s, RINGS));
	assert_int_equal(ring->cpu, 1);
	assert_int_equal(ring->nr_events, 2);
	assert_int_equal(ring->events[1].id, 21);
	assert_ptr_equal(ring->aux.data, f->aux[1]);
	assert_string_equal(session_event_name(s, 0), "one");
	assert_int_equal(session_event_attr(s, 0)->config, 7);
	assert_true(session_has_aux(s));
	assert_int_equal(session_target(s)->nr_tids, 0);
	assert_null(session_clock(s).page);
	assert_false(session_clock(s).unknown);
	session_side_band_attr(s, &attr);
	assert_int_equal(attr.config, PERF_COUNT_SW_DUMMY);
}

TEST(trace_callback)
{
	struct fixture *f = *state;
	const bool skip[RINGS] = { true };
	double spread = -1;

	assert_int_equal(session_aux_hold(f->session, skip, &spread, NULL), 0);
	assert_true(spread >= 0);
	assert_true(f->writer.traces[0]);
	assert_false(f->writer.traces[1]);
	assert_true(f->writer.traces[2]);
	assert_int_equal(f->writer.calls, 1);
	/* the thread that holds may call it */
	session_aux_resume(f->session, 1);
	assert_true(f->writer.traces[1]);
	assert_int_equal(f->writer.calls, 2);
	session_aux_release(f->session);
	assert_int_equal(f->writer.calls, 2);
	assert_int_equal(session_aux_hold(f->session, NULL, &spread, NULL), 0);
	assert_false(f->writer.traces[0]);
	session_aux_release(f->session);
	assert_true(f->writer.traces[0]);
	assert_true(f->writer.traces[1]);
}

TEST(pause_callback)
{
	struct fixture *f = *state;
	const bool skip[RINGS] = { true, true, true };
	double spread;

	assert_int_equal(session_pause(f->session, 2, true, NULL), 0);
	assert_true(f->writer.paused[2]);
	assert_true(session_paused(f->session, 2));
	assert_false(session_paused(f->session, 1));
	assert_int_equal(session_pause(f->session, 2, false, NULL), 0);
	assert_false(f->writer.paused[2]);
	assert_false(session_paused(f->session, 2));
	/* for a moment, by the holder */
	assert_int_equal(session_aux_hold(f->session, skip, &spread, NULL), 0);
	session_held_pause(f->session, 1, true);
	assert_true(f->writer.paused[1]);
	session_held_pause(f->session, 1, false);
	session_aux_release(f->session);
	assert_false(session_paused(f->session, 1));
	assert_false(f->writer.paused[1]);
}

TEST(ring_replaced)
{
	struct fixture *f = *state;
	unsigned char *memory = memory_of(sys_page_size() + 2 * DATA);
	struct ring ring;

	ring_attach(&ring, memory, 2 * DATA, false);
	session_memory_replace(f->session, 2, &ring);
	assert_int_equal(session_ring(f->session, 2)->ring.size, 2 * DATA);
	assert_int_equal(session_ring(f->session, 2)->cpu, 2);
	session_memory_replace(f->session, 2,
			       &session_ring(f->session, 1)->ring);
	free(memory);
}

TEST_GROUP(session_memory, .each_setup = setup, .each_teardown = teardown);
