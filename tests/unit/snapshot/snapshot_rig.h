/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A collector with a fake session, whose trace is written to files. */
#ifndef RBTOP_TESTS_SNAPSHOT_RIG_H
#define RBTOP_TESTS_SNAPSHOT_RIG_H

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "collect/collector.h"
#include "perf/abi/record.h"
#include "trace/perfdata/machine.h"
#include "trace/perfdata/perfdata_format.h"
#include "trace/pmu/auxtrace.h"
#include "tests/unit/fake_ring.h"
#include "tests/unit/rig_file.h"
#include "tests/unit/snapshot/fake_session.h"

enum {
	RIG_DATA = 64 << 10,	/* bytes of a data ring */
	RIG_AUX = 16 << 10,	/* of an AUX ring */
	RIG_IDS = 100,		/* id of the event of ring 0 is 100, of ring 1
				 * 101, ...; of the side-bands 200, 201, ... */
	RIG_SIDE_BAND = 200,
};

/* As large as a page, at least, and zero. */
static inline void *rig_memory(size_t size)
{
	void *memory = aligned_alloc(sys_page_size(), size);

	assert_non_null(memory);
	memset(memory, 0, size);
	return memory;
}

struct rig {
	struct session session;
	struct session_opts opts;
	struct event_spec spec;
	struct auxtrace trace;
	struct auxtrace_ops ops;
	struct perfdata_machine machine;
	struct fake_ring fakes[RIG_RINGS];
	struct collector *collector;
	int fds[RIG_RINGS];
	char dir[64];
	struct err err;
};

static inline size_t rig_info_size(const struct auxtrace_info *info)
{
	assert_non_null(info->env);
	assert_int_equal(info->cpus->nr, RIG_RINGS);
	return 2;
}

static inline int rig_info_fill(const struct auxtrace_info *info,
				uint64_t *priv, size_t words, struct err *err)
{
	(void)err;
	assert_int_equal(words, 2);
	priv[0] = info->attr->type;
	priv[1] = 0x1234;
	return 0;
}

static inline uint64_t rig_reference(void)
{
	return 77;
}

static const struct auxtrace_env rig_env = {
	.pmus = "/nowhere", .cpus = "/nowhere",
};

static inline void rig_add_ring(struct rig *r, size_t i, bool aux,
				bool overwrite)
{
	struct session_ring *ring = &r->session.rings[i];
	struct session_event *events = r->session.events[i];

	fake_ring_init(&r->fakes[i], RIG_DATA);
	ring->cpu = (int)i;
	ring->tid = -1;
	ring->ring = r->fakes[i].ring;
	ring->ring.overwrite = overwrite;
	events[0] = (struct session_event){
		.spec = 0, .tid = -1, .id = RIG_IDS + i, .fd = -1,
	};
	events[1] = (struct session_event){
		.spec = SESSION_SIDE_BAND, .tid = -1, .id = RIG_SIDE_BAND + i,
		.fd = -1,
	};
	ring->events = events;
	ring->nr_events = 2;
	if (aux)
		aux_ring_attach(&ring->aux, ring->ring.page,
				rig_memory(RIG_AUX), RIG_AUX,
				r->trace.overwrite);
}

static inline void rig_add_slot(struct rig *r, size_t i)
{
	const struct session_ring *ring = &r->session.rings[i];
	const uint64_t ids[2] = { RIG_IDS + i, RIG_SIDE_BAND + i };
	struct collector_ring cr = {
		.ring = ring->ring, .cpu = ring->cpu, .fds = &r->fds[i],
		.nr_fds = 1, .ids = ids, .nr_ids = 2, .aux = ring->aux,
	};
	size_t slot;

	r->fds[i] = eventfd(0, EFD_CLOEXEC);
	assert_int_equal(collector_add(r->collector, &cr, &slot, &r->err), 0);
	assert_int_equal(slot, i);
}

enum rig_kind { RIG_PLAIN, RIG_SNAPSHOT, RIG_FULL, RIG_OVERWRITE };

static inline struct rig *rig_new(enum rig_kind kind, uint32_t type)
{
	const struct collector_opts opts = {
		.rings = RIG_RINGS, .interval = 3600,
	};
	struct rig *r = calloc(1, sizeof(*r));
	bool aux = kind == RIG_SNAPSHOT || kind == RIG_FULL;

	assert_non_null(r);
	r->ops = auxtrace_generic;
	r->ops.type = type;
	r->ops.info_size = rig_info_size;
	r->ops.info_fill = rig_info_fill;
	r->ops.reference = rig_reference;
	r->trace = (struct auxtrace){
		.ops = &r->ops, .pmu = "fake", .per_cpu = true,
		.overwrite = kind == RIG_SNAPSHOT,
	};
	r->session.attr = (struct perf_event_attr){
		.type = 42, .size = sizeof(r->session.attr),
		.sample_type = RECORD_SAMPLE_TYPE, .sample_id_all = 1,
	};
	r->spec.aux = aux;
	r->opts.events = (struct event_list){ .specs = &r->spec, .nr = 1 };
	r->opts.overwrite = kind == RIG_OVERWRITE;
	r->session.has_aux = aux;
	r->session.nr = RIG_RINGS;
	r->collector = collector_new(&opts, &r->err);
	assert_non_null(r->collector);
	for (size_t i = 0; i < RIG_RINGS; i++) {
		rig_add_ring(r, i, aux, kind == RIG_OVERWRITE);
		rig_add_slot(r, i);
	}
	strcpy(r->dir, "/tmp/rbtop-test-snapshot.XXXXXX");
	assert_non_null(mkdtemp(r->dir));
	return r;
}

static inline void rig_remove_files(const struct rig *r)
{
	DIR *dir = opendir(r->dir);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
}

static inline void rig_free(struct rig *r)
{
	collector_free(r->collector);
	for (size_t i = 0; i < RIG_RINGS; i++) {
		fake_ring_free(&r->fakes[i]);
		free(r->session.rings[i].aux.data);
		close(r->fds[i]);
	}
	rig_remove_files(r);
	rmdir(r->dir);
	free(r);
}

/* How many files there are, temporary ones too; the last one's path. */
static inline size_t rig_files(const struct rig *r, char *path, size_t size)
{
	DIR *dir = opendir(r->dir);
	struct dirent *entry;
	size_t nr = 0;

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		nr++;
		if (path)
			snprintf(path, size, "%s/%s", r->dir, entry->d_name);
	}
	if (dir)
		closedir(dir);
	return nr;
}

/* A sample of ring @i, 64 bytes. */
static inline void rig_sample(struct rig *r, size_t i, uint64_t time)
{
	fake_ring_sample(&r->fakes[i], RIG_IDS + i, 1, time, 64);
}

/* Another record, with @words after its header and a trailer. */
static inline uint64_t rig_record(struct rig *r, size_t i, uint32_t type,
				  const uint64_t *words, size_t nr,
				  uint64_t id, uint64_t time)
{
	size_t size = 8 + nr * 8 + RECORD_TRAILER;
	uint64_t at = fake_ring_put(&r->fakes[i], type, (uint16_t)size);

	for (size_t k = 0; k < nr; k++)
		fake_ring_word(&r->fakes[i], at + 8 + 8 * k, words[k]);
	fake_ring_word(&r->fakes[i], at + size - RECORD_TRAILER_TIME, time);
	fake_ring_word(&r->fakes[i], at + size - RECORD_TRAILER_ID, id);
	return at;
}

/* The trace of ring @i: byte k of what was ever written is of k and i. */
static inline unsigned char rig_byte(size_t i, uint64_t position)
{
	return (unsigned char)(1 + (position * 7 + position / 251 + i) % 255);
}

/* Write trace up to @head, which is published as it is, or as an offset. */
static inline void rig_trace(struct rig *r, size_t i, uint64_t from,
			     uint64_t head, bool offset)
{
	struct aux_ring *aux = &r->session.rings[i].aux;

	for (uint64_t at = from; at < head; at++)
		aux->data[at & (aux->size - 1)] = rig_byte(i, at);
	aux->page->aux_head = offset ? head & (aux->size - 1) : head;
}

/* The next AUXTRACE is that of ring @i, and holds positions @from to @to. */
static inline void rig_expect_trace(struct rig_file *f, size_t i,
				    uint64_t from, uint64_t to)
{
	assert_true(rig_find(f, PERFDATA_RECORD_AUXTRACE));
	assert_int_equal(rig_word(f->record + 8), (to - from + 7) / 8 * 8);
	assert_int_equal(rig_word(f->record + 24), 77);
	assert_int_equal(rig_half(f->record + 32), i);
	assert_int_equal(rig_half(f->record + 40), i);
	for (uint64_t at = from; at < to; at++)
		assert_int_equal(f->record[48 + at - from], rig_byte(i, at));
}

#endif
