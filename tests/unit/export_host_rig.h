/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A frame of --host to export: a ring with all figures known, a BPF ring
 * buffer, a ring that is gone, and one known from /proc only.  Include after
 * export_rig.h.
 */
#ifndef RBTOP_TESTS_EXPORT_HOST_RIG_H
#define RBTOP_TESTS_EXPORT_HOST_RIG_H

#include "host/table/host.h"

struct host_rig {
	struct frame frame;
	struct host host;
	struct ring_row rows[4];
	struct ring_event events[2];
	struct host_user users[1];
};

static inline void set_up_host_ring(struct host_rig *rig)
{
	rig->events[0] = (struct ring_event){
		.id = 71, .name = "sched:sched_switch", .cpu = 3, .tid = -1,
		.state = RING_EVENT_ACTIVE, .maps = true, .period = 1,
		.count = 1000, .samples = UNKNOWN, .lost = 12,
		.lost_per_s = 1.5,
	};
	rig->events[1] = (struct ring_event){
		.id = 72, .name = "cycles\"\\\n", .cpu = -1, .tid = 99,
		.state = RING_EVENT_OFF, .throttled = true, .freq = true,
		.period = 4000, .count = 5, .samples = UNKNOWN, .lost = UNKNOWN,
	};
	rig->rows[0] = (struct ring_row){
		.id = 1, .kind = RING_PERF, .label = "CPU 3", .cpu = 3,
		.tid = -1, .pid = 4242, .comm = "pe\x1brf", .uid = 1000,
		.cmdline = "perf record -m \"16\"",
		.user = "ann",
		.holders = { { 4242, "perf", true }, { 4243, "sh", false } },
		.nr_holders = 2, .programs_known = true,
		.event = "sched:sched_switch +1",
		.events = rig->events, .nr_events = 2, .map_id = 9,
		.map = "events", .mapped = true, .known = true,
		.size = 65536, .watermark = 32768, .paused = true,
		.woken = true, .head = 70000, .tail = 68000, .used = 2000,
		.fill = 0.03, .peak = 0.75, .peak_tick = 0.5,
		.next_crossing = 98304, .bytes = 60000, .bytes_per_s = 123.5,
		.crossings = 2, .wakeups = 4, .wakeups_per_s = 0.25,
		.drains = 3, .drains_per_s = 0.5, .undrained = 7.5, .run_wait = 0.75,
		.run_share = 0.125, .output_wait = 0.625,
		.worst_gap = 8.25, .lost = 12, .lost_reported = 10,
		.lost_pending = 2, .lost_per_s = 1.5, .remapped = 1,
		.lost_bytes = UNKNOWN, .lost_from = NAN,
		.aux = { .size = 4096, .watermark = 2048, .head = 9000,
			 .position = 808, .tail = 8500, .used = 500,
			 .fill = 0.12, .bytes_per_s = 10, .wraps = 2 },
		.locked = 77824,
		.warnings = 1u << RING_WARN_PENDING | 1u << RING_WARN_PAUSED |
			    1u << RING_WARN_MLOCK,
		.advice = { .valid = true, .pages = 512,
			    .setting = "-m 512",
			    .burst_bytes_per_s = 2.5, .worst_gap = 0.21,
			    .text = "grow to 512 pages" },
	};
}

static inline void set_up_host_others(struct host_rig *rig)
{
	rig->rows[1] = (struct ring_row){
		.id = 2, .kind = RING_BPF, .cpu = -1, .tid = -1,
		.pid = 50, .comm = "agent", .uid = 0, .user = "root",
		.nr_holders = 9, .event = "rb", .map_id = 12, .map = "rb",
		.programs = { { 5, "feed", 30, 4000 },
			      { .id = 6, .name = "feed_\n" } },
		.nr_programs = 2, .programs_known = true,
		.known = true, .size = 4096, .fill = 0, .peak = 0,
		.wakeups = UNKNOWN, .wakeups_per_s = NAN,
		.crossings = UNKNOWN, .lost = UNKNOWN,
		.lost_reported = UNKNOWN, .lost_pending = UNKNOWN,
		.lost_per_s = NAN, .lost_bytes = UNKNOWN, .lost_from = NAN,
	};
	rig->rows[2] = (struct ring_row){
		.id = 3, .label = "tid 7", .cpu = -1, .tid = 7, .pid = 60,
		.comm = "gone", .uid = 0, .user = "root", .event = "dummy",
		.known = true, .size = 8192, .fill = 1, .peak = 1, .used = 8192,
		.bytes = 777, .lost = 5, .lost_reported = 5, .gone = true,
		.lost_bytes = UNKNOWN, .lost_from = NAN,
		.warnings = 1u << RING_WARN_UNDRAINED,
	};
	rig->rows[3] = (struct ring_row){
		.id = 4, .label = "", .cpu = -1, .tid = -1, .pid = -1,
		.uid = (uid_t)-1, .size = 16384, .locked = 20480,
		.watermark = UNKNOWN, .head = UNKNOWN,
		.tail = UNKNOWN, .used = UNKNOWN, .fill = NAN,
		.peak = NAN, .peak_tick = NAN, .bytes = UNKNOWN,
		.bytes_per_s = NAN, .crossings = UNKNOWN,
		.wakeups = UNKNOWN, .wakeups_per_s = NAN,
		.drains = UNKNOWN, .drains_per_s = NAN, .undrained = NAN, .run_wait = NAN,
		.run_share = NAN, .output_wait = NAN,
		.worst_gap = NAN, .lost = UNKNOWN,
		.lost_reported = UNKNOWN, .lost_pending = UNKNOWN,
		.lost_per_s = NAN, .remapped = UNKNOWN,
		.lost_bytes = UNKNOWN, .lost_from = NAN,
		.aux = { .size = 4096 },
	};
}

static inline void set_up_host_status(struct host_rig *rig)
{
	rig->users[0] = (struct host_user){
		.uid = 1000, .name = "ann", .locked = 2113536,
		.limit = 2113536, .pinned = 4096, .memlock = UNKNOWN,
		.at_limit = true, .rings = 3,
	};
	rig->host = (struct host){
		.rows = rig->rows, .nr_rows = 4,
		.users = rig->users, .nr_users = 1,
		.status = { .ready = true, .bpf = true, .passes = 17,
			    .interval = 0.1, .cost = 0.0005, .whole_age = 0.5,
			    .files = 40, .ringless = 38, .processes = 3 },
		.total = { .nr = { [RING_PERF] = 2, [RING_BPF] = 1 }, .owners = 2,
			   .uncounted = 1, .at_least = true, .warned = 1,
			   .row = {
				   .size = 100000, .used = 2000,
				   .locked = 98304, .fill = 0.02,
				   .bytes_per_s = 123.5,
				   .wakeups_per_s = 0.25, .drains_per_s = 0.5,
				   .lost_per_s = 1.5, .lost = 12,
				   .lost_reported = 10, .lost_pending = 2,
				   .bytes = 64000, .crossings = UNKNOWN,
				   .wakeups = 4, .drains = 3,
				   .warnings = 1u << RING_WARN_PENDING |
					       1u << RING_WARN_PAUSED,
				   .peak = 0.75, .peak_tick = 0.5 } },
		.self = 31, .time = 1700000000.25, .interval = 0.5,
	};
	rig->frame = (struct frame){
		.source = "host", .title = "all rings of the machine",
		.notice = "", .tick = 1, .time = 1700000000.25,
		.interval = 0.5, .host = &rig->host,
		.self = { .cpu = 0.003, .rss = 9 << 20 },
	};
}

static inline int set_up_host(void **state)
{
	static struct host_rig rig;

	setenv("TZ", "UTC", 1);
	memset(&rig, 0, sizeof(rig));
	set_up_host_ring(&rig);
	set_up_host_others(&rig);
	set_up_host_status(&rig);
	*state = &rig;
	return 0;
}

#endif
