/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The host's rings, as literals. */
#include "tests/screen/frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIB = 1024, MIB = 1024 * KIB, ROWS = 7, USERS = 2 };

static void set_event(struct ring_row *r, size_t i, const char *name)
{
	r->events[i] = (struct ring_event){
		.id = r->id * 100 + i, .name = name, .cpu = r->cpu,
		.tid = r->tid, .state = RING_EVENT_ACTIVE, .maps = i == 0,
		.freq = true, .period = i ? 4000 : 0, .count = 1000 * i,
	};
}

/* A calm ring of 512 KiB, an eighth full. */
static void set_row(struct ring_row *r, uint64_t id, const char *comm,
		    pid_t pid, int cpu)
{
	*r = (struct ring_row){
		.id = id, .cpu = cpu, .tid = -1, .pid = pid,
		.nr_holders = 1, .nr_events = 2, .mapped = true,
		.known = true, .size = 512 * KIB, .watermark = 256 * KIB,
		.head = 1114112, .tail = 1048576, .used = 64 * KIB,
		.fill = .125, .peak = .63, .peak_tick = .5,
		.next_crossing = 1310720, .bytes = 1048576,
		.bytes_per_s = 100 * KIB, .crossings = 4, .wakeups = 4,
		.wakeups_per_s = .4, .drains = 66, .drains_per_s = 1.5,
		.undrained = .2, .worst_gap = .8, .locked = 516 * KIB,
		.first_seen = 100, .last_seen = 166,
		.lost_bytes = UNKNOWN, .lost_from = (double)NAN,
	};
	snprintf(r->comm, sizeof(r->comm), "%s", comm);
	snprintf(r->label, sizeof(r->label), cpu < 0 ? "all CPUs" : "CPU %d",
		 cpu);
	snprintf(r->user, sizeof(r->user), "root");
	snprintf(r->event, sizeof(r->event), "cpu-clock");
	r->holders[0] = (struct ring_holder){ .pid = pid, .maps = true };
	snprintf(r->holders[0].comm, sizeof(r->holders[0].comm), "%s", comm);
	r->events = calloc(2, sizeof(*r->events));
	set_event(r, 0, "dummy:HG");
	set_event(r, 1, "cpu-clock");
	r->advice = (struct advice){
		.valid = true, .pages = 128,
		.text = "fits: peak seen 63% of 512K",
		.reason = "nothing lost while it is watched",
	};
	r->histories = frames_histories();
}

static void set_losing(struct ring_row *r)
{
	r->fill = r->peak = r->peak_tick = 1;
	r->used = r->size;
	r->head = r->tail + r->size;
	r->lost = 12345;
	r->lost_reported = 12000;
	r->lost_pending = 345;
	r->lost_per_s = 321;
	r->events[1].lost = 12345;
	r->events[1].lost_per_s = 321;
	r->woken = true;
	r->warnings = 1u << RING_WARN_LOSING | 1u << RING_WARN_PENDING;
}

static void set_undrained(struct ring_row *r)
{
	snprintf(r->event, sizeof(r->event), "bpf-output");
	r->events[1].name = "bpf-output";
	r->events[1].freq = false;
	r->events[1].period = 1;
	r->map_id = 21;
	snprintf(r->map, sizeof(r->map), "printf");
	r->undrained = r->worst_gap = 12;
	r->woken = true;
	r->warnings = 1u << RING_WARN_UNDRAINED;
}

static void set_ringbuf(struct ring_row *r)
{
	r->kind = RING_BPF;
	r->size = 4 * MIB;
	r->watermark = r->next_crossing = 0;
	r->fill = .015;
	r->nr_events = 0;
	r->lost = r->lost_reported = r->lost_pending = UNKNOWN;
	r->lost_per_s = (double)NAN;
	r->crossings = r->wakeups = UNKNOWN;
	r->wakeups_per_s = (double)NAN;
	r->map_id = 33;
	snprintf(r->map, sizeof(r->map), "events");
	snprintf(r->event, sizeof(r->event), "events");
	r->locked = 0;
}

static void set_gone(struct ring_row *r)
{
	r->gone = true;
	r->cpu = -1;
	r->tid = 560;
	snprintf(r->label, sizeof(r->label), "tid 560");
	snprintf(r->user, sizeof(r->user), "alice");
	r->uid = 1000;
	r->lost = r->lost_reported = 7;
}

static void set_aux(struct ring_row *r)
{
	snprintf(r->event, sizeof(r->event), "intel_pt/tsc,mtc/ +1");
	r->events[0].name = "intel_pt/tsc,mtc/";
	r->events[0].state = RING_EVENT_OFF;
	r->aux = (struct ring_aux){
		.size = 4 * MIB, .watermark = 2 * MIB,
		.head = 8 * MIB, .tail = 4 * MIB, .used = 4 * MIB,
		.wraps = 2, .fill = 1, .bytes_per_s = 12.5 * MIB,
	};
	r->locked += 4 * MIB;
	r->warnings = 1u << RING_WARN_TRUNCATED;
}

struct host *frames_host_new(void)
{
	struct host *h = calloc(1, sizeof(*h));
	struct ring_row *r = calloc(ROWS, sizeof(*r));

	set_row(&r[0], 1, "perf", 1234, 0);
	set_row(&r[1], 2, "perf", 1234, 1);
	set_losing(&r[1]);
	set_row(&r[2], 3, "bpftrace", 777, 0);
	set_undrained(&r[2]);
	set_row(&r[3], 4, "parca-agent", 900, -1);
	set_ringbuf(&r[3]);
	set_row(&r[4], 5, "rbtop", 4000, 0);
	r[4].self = true;
	set_row(&r[5], 6, "java", 555, -1);
	set_gone(&r[5]);
	set_row(&r[6], 7, "perf", 2000, 2);
	set_aux(&r[6]);
	h->rows = r;
	h->nr_rows = ROWS;
	h->users = calloc(USERS, sizeof(*h->users));
	h->nr_users = USERS;
	h->users[0] = (struct host_user){
		.name = "root", .locked = 2 * MIB, .limit = 1032 * KIB,
		.memlock = UNKNOWN, .exempt = true, .rings = 5,
	};
	h->users[1] = (struct host_user){
		.uid = 1000, .name = "alice", .locked = 1032 * KIB,
		.limit = 1032 * KIB, .pinned = 64 * KIB, .memlock = 64 * KIB,
		.rings = 1,
	};
	h->status = (struct host_status){
		.ready = true, .bpf = true, .passes = 100, .interval = .1,
		.cost = .0002, .files = 40, .ringless = 12, .processes = 5,
	};
	h->self = 4000;
	h->time = 1700000066;
	h->interval = 1;
	frames_host_sum(h);
	return h;
}

void frames_host_sum(struct host *h)
{
	struct ring_total *t = &h->total;
	struct ring_row *sum = &t->row;

	ring_total_begin(t);
	t->owners = 5;
	sum->locked = 0;
	for (size_t i = 0; i < h->nr_rows; i++) {
		const struct ring_row *r = &h->rows[i];

		t->at_least |= r->gone;
		if (r->gone)
			continue;
		ring_total_add(t, r);
		sum->lost += unknown_as_zero(r->lost);
		sum->lost_pending += unknown_as_zero(r->lost_pending);
	}
	sum->fill = (double)sum->used / (double)sum->size;
	host_limit_total(h);
}

static void set_unknown(struct ring_row *r)
{
	r->known = false;
	r->nr_events = 0;
	r->warnings = 0;
	r->watermark = r->head = r->tail = r->used = UNKNOWN;
	r->next_crossing = 0;
	r->fill = r->peak = r->peak_tick = (double)NAN;
	r->bytes = r->crossings = r->wakeups = r->drains = UNKNOWN;
	r->bytes_per_s = r->wakeups_per_s = r->drains_per_s = (double)NAN;
	r->lost = r->lost_reported = r->lost_pending = UNKNOWN;
	r->lost_per_s = (double)NAN;
	r->undrained = r->worst_gap = (double)NAN;
	r->wakeup_events = UNKNOWN;
	r->aux.head = r->aux.tail = r->aux.used = UNKNOWN;
	snprintf(r->event, sizeof(r->event), "-");
}

void frames_host_proc(struct host *h)
{
	for (size_t i = 0; i < h->nr_rows; i++)
		set_unknown(&h->rows[i]);
	h->status.bpf = false;
	snprintf(h->status.reason, sizeof(h->status.reason),
		 "no BPF: CAP_BPF and CAP_PERFMON are missing; sizes and "
		 "owners only. Mend it: setcap cap_bpf,cap_perfmon=ep rbtop");
	frames_host_sum(h);
}

void frames_host_free(struct host *h)
{
	for (size_t i = 0; i < h->nr_rows; i++) {
		struct ring_row *r = &h->rows[i];

		free(r->events);
		free((void *)(uintptr_t)r->histories);
	}
	free(h->rows);
	free(h->users);
	free(h);
}
