/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes that a test fills, the table that they are added to, and the pictures
 * and notes made of it.
 */
#ifndef TESTS_UNIT_HOST_RIG_H
#define TESTS_UNIT_HOST_RIG_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "host/table/host.h"
#include "host/table/host_table.h"

enum {
	SIZE = 65536, WATERMARK = 32768, PAGE = 4096, SELF = 4242,
	OWNER = 100, UID = 1000, MAX_NOTES = 16,
};

/* The address and the event's id of the first ring. */
enum { KEY = 0xf100, ID = 11 };

struct rig {
	struct host_table_opts opts;
	struct host_table *table;
	struct host_pass pass;
	double mono;
	struct host_status status;
	char notes[MAX_NOTES][240];
	uint64_t folds[MAX_NOTES];
	unsigned int nr_notes;
};

static inline int set_up(void **state)
{
	static struct rig rig;

	rig = (struct rig){
		.opts = { .self = SELF, .page_size = PAGE,
			  .linger = HOST_TABLE_LINGER },
		.mono = 1000,
		.status = { .ready = true, .bpf = true },
	};
	rig.table = host_table_new(&rig.opts);
	assert_non_null(rig.table);
	*state = &rig;
	return 0;
}

static inline int tear_down(void **state)
{
	struct rig *rig = *state;

	host_table_free(rig->table);
	host_pass_free(&rig->pass);
	return 0;
}

/* Make the table again, after the options changed. */
static inline void renew(struct rig *rig)
{
	host_table_free(rig->table);
	rig->table = host_table_new(&rig->opts);
	assert_non_null(rig->table);
}

/* Begin a pass over all processes, @seconds after the previous one. */
static inline void begin(struct rig *rig, double seconds, unsigned int parts)
{
	rig->mono += seconds;
	host_pass_clear(&rig->pass);
	rig->pass.mono = rig->mono;
	rig->pass.parts = parts;
	rig->pass.whole = true;
	rig->pass.user_limit = 1 << 20;
	rig->pass.paranoid = true;
}

static inline struct host_pass_ring *ring(struct rig *rig, uint64_t key)
{
	struct host_pass_ring *r = host_pass_add_ring(&rig->pass);

	assert_non_null(r);
	r->key = key;
	r->known = true;
	r->size = SIZE;
	r->locked = SIZE + PAGE;
	r->watermark = WATERMARK;
	r->by_watermark = true;
	r->uid = UID;
	r->user_locked = SIZE + PAGE;
	return r;
}

static inline struct host_pass_event *event(struct rig *rig, uint64_t id,
					    uint64_t key, bool maps)
{
	struct host_pass_event *e = host_pass_add_event(&rig->pass);

	assert_non_null(e);
	e->ring = key;
	e->event = (struct ring_event){
		.id = id, .name = "cpu-clock", .cpu = 3, .tid = -1,
		.state = RING_EVENT_ACTIVE, .maps = maps, .period = 1000,
	};
	return e;
}

static inline struct host_pass_holder *holder(struct rig *rig, uint64_t key,
					      pid_t pid, bool maps)
{
	struct host_pass_holder *h = host_pass_add_holder(&rig->pass);

	assert_non_null(h);
	h->ring = key;
	h->pid = pid;
	h->uid = UID;
	h->maps = maps;
	snprintf(h->comm, sizeof(h->comm), "perf");
	return h;
}

static inline struct host_pass_limit *limit(struct rig *rig, pid_t pid)
{
	struct host_pass_limit *l = host_pass_add_limit(&rig->pass);

	assert_non_null(l);
	l->pid = pid;
	l->memlock = 65536;
	return l;
}

static inline void add(struct rig *rig)
{
	assert_int_equal(host_table_add(rig->table, &rig->pass), 0);
}

/* Add the first ring with its usual event and owner to the pass. */
static inline struct host_pass_ring *usual(struct rig *rig)
{
	event(rig, ID, KEY, true);
	holder(rig, KEY, OWNER, true);
	return ring(rig, KEY);
}

/*
 * Begin a pass a second later with only that ring; the pass is not added yet.
 */
static inline struct host_pass_ring *look(struct rig *rig)
{
	begin(rig, 1, HOST_ALL);
	return usual(rig);
}

static inline void take_note(void *ctx, enum log_kind kind, uint64_t fold,
			     const char *text)
{
	struct rig *rig = ctx;

	assert_int_equal(kind, LOG_HOST);
	assert_true(rig->nr_notes < MAX_NOTES);
	rig->folds[rig->nr_notes] = fold;
	snprintf(rig->notes[rig->nr_notes++], sizeof(rig->notes[0]), "%s",
		 text);
}

static inline const struct host *frame(struct rig *rig)
{
	const struct host *host;

	rig->nr_notes = 0;
	host = host_table_frame(rig->table, rig->mono, 1.7e9, &rig->status,
				take_note, rig);
	assert_non_null(host);
	return host;
}

/* The only row of a new picture. */
static inline const struct ring_row *only(struct rig *rig)
{
	const struct host *host = frame(rig);

	assert_int_equal(host->nr_rows, 1);
	return &host->rows[0];
}

/* Add the pass; the only row of a new picture. */
static inline const struct ring_row *seen(struct rig *rig)
{
	add(rig);
	return only(rig);
}

static inline void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-9 * fmax(1, fabs(expected))))
		fail_msg("%.12g is not %.12g", value, expected);
}

#endif
