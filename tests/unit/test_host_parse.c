/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <linux/if_packet.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "host/host_parse.h"
#include "host/host_records.h"

#define KERNEL UINT64_C(0xffff888100000000)
#define RING_A (KERNEL + 0x400)
#define RING_B (KERNEL + 0x800)

static struct host_pass pass;
static struct host_parse *parse;
static unsigned int named;	/* how often a name was asked for */
static char tracepoint[256];	/* with this tracepoint */

/* Only the pointers of names are needed. */
static const char *name(void *ctx, const struct perf_event_attr *attr,
			const char *known)
{
	named++;
	snprintf(tracepoint, sizeof(tracepoint), "%s", known ? known : "-");
	return attr->type == PERF_TYPE_SOFTWARE ? ctx : "other";
}

static int setup(void **state)
{
	(void)state;
	named = 0;
	pass = (struct host_pass){ 0 };
	parse = host_parse_new(4096, name, "software");
	assert_non_null(parse);
	assert_int_equal(host_parse_begin(parse, &pass), 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	host_parse_free(parse);
	host_pass_free(&pass);
	return 0;
}

static void set_attr(struct host_record_event *record,
		     const struct perf_event_attr *attr)
{
	memcpy(record->attr, attr, sizeof(*attr) < HOST_ATTR_SIZE ?
				   sizeof(*attr) : HOST_ATTR_SIZE);
}

/* Event @id of process 7 "perf", which maps its ring: 8 pages, half full. */
static struct host_record_event event_of(uint64_t id, uint64_t ring)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.sample_period = 1000,
		.wakeup_events = 3,
	};
	struct host_record_event record = {
		.head = { HOST_RECORD_EVENT, sizeof(record) },
		.owner = { .pid = 7, .uid = 1000, .comm = "perf" },
		.id = id, .count = 99, .lost = 5, .interrupts = 2,
		.state = 1, .cpu = 3, .tid = -1, .maps = 1,
		.ring = {
			.key = ring, .data_tail = 4096, .data_head = 20480,
			.wakeup = 17, .lost = 2, .watermark = 16384,
			.nr_pages = 8, .uid = 1001, .user_locked = 20,
		},
	};

	set_attr(&record, &attr);
	return record;
}

static void take(const void *record)
{
	const struct host_record *head = record;

	assert_int_equal(host_parse_records(parse, record, head->size),
			 head->size);
}

TEST(test_event)
{
	struct host_record_event record = event_of(11, RING_A);
	const struct host_pass_event *event;

	take(&record);
	assert_int_equal(pass.nr_events, 1);
	event = &pass.events[0];
	assert_int_equal(event->ring, RING_A);
	assert_int_equal(event->wakeup_events, 3);
	assert_int_equal(event->event.id, 11);
	assert_string_equal(event->event.name, "software");
	assert_int_equal(event->event.cpu, 3);
	assert_int_equal(event->event.tid, -1);
	assert_int_equal(event->event.state, RING_EVENT_ACTIVE);
	assert_false(event->event.throttled);
	assert_true(event->event.maps);
	assert_false(event->event.freq);
	assert_int_equal(event->event.period, 1000);
	assert_int_equal(event->event.count, 99);
	assert_int_equal(event->event.lost, 5);
}

TEST(test_ring)
{
	struct host_record_event record = event_of(11, RING_A);
	const struct host_pass_ring *ring;

	record.ring.poll = 1;
	take(&record);
	assert_int_equal(pass.nr_rings, 1);
	ring = &pass.rings[0];
	assert_int_equal(ring->key, RING_A);
	assert_int_equal(ring->kind, RING_PERF);
	assert_true(ring->known);
	assert_int_equal(ring->size, 8 * 4096);
	assert_int_equal(ring->locked, 9 * 4096);
	assert_int_equal(ring->watermark, 16384);
	assert_false(ring->overwrite || ring->backward || ring->paused);
	assert_true(ring->woken);
	assert_int_equal(ring->head, 20480);
	assert_int_equal(ring->tail, 4096);
	assert_int_equal(ring->wakeup, 17);
	assert_false(ring->by_watermark);
	assert_int_equal(ring->lost, 2);
	assert_int_equal(ring->aux.size, 0);
	assert_int_equal(ring->uid, 1001);
	assert_int_equal(ring->user_locked, 20 * 4096);
	assert_int_equal(ring->map_id, 0);
	assert_string_equal(ring->map, "");
}

TEST(test_tracepoint)
{
	struct host_record_event record = event_of(11, RING_A);

	take(&record);
	assert_string_equal(tracepoint, "-");
	record.id = 12;
	strcpy(record.system, "sched");
	take(&record);
	assert_string_equal(tracepoint, "-");
	record.id = 13;
	strcpy(record.tracepoint, "sched_switch");
	take(&record);
	assert_string_equal(tracepoint, "sched:sched_switch");
}

/* A field that is full has no NUL. */
TEST(test_tracepoint_of_any_bytes)
{
	struct host_record_event record = event_of(11, RING_A);

	memset(record.system, 's', sizeof(record.system));
	memset(record.tracepoint, 't', sizeof(record.tracepoint));
	take(&record);
	assert_int_equal(strlen(tracepoint), 2 * HOST_TRACEPOINT_LEN + 1);
	assert_int_equal(strspn(tracepoint, "s"), HOST_TRACEPOINT_LEN);
	assert_int_equal(strspn(tracepoint + HOST_TRACEPOINT_LEN + 1, "t"),
			 HOST_TRACEPOINT_LEN);
}

TEST(test_backward_and_paused)
{
	struct host_record_event record = event_of(11, RING_A);
	struct perf_event_attr attr = {
		.write_backward = 1, .freq = 1, .sample_freq = 99,
		.watermark = 1, .wakeup_watermark = 5000,
	};

	set_attr(&record, &attr);
	record.ring.overwrite = 1;
	record.ring.paused = 1;
	record.ring.uid = UINT32_MAX;
	take(&record);
	assert_true(pass.rings[0].overwrite);
	assert_true(pass.rings[0].backward);
	assert_true(pass.rings[0].paused);
	assert_true(pass.rings[0].by_watermark);
	assert_int_equal(pass.rings[0].user_locked, UNKNOWN);
	assert_true(pass.events[0].event.freq);
	assert_int_equal(pass.events[0].event.period, 99);
	/* wakeup_watermark is in the same union */
	assert_int_equal(pass.events[0].wakeup_events, 0);
}

TEST(test_aux)
{
	struct host_record_event record = event_of(11, RING_A);

	record.ring.aux_nr_pages = 16;
	record.ring.aux_watermark = 32768;
	record.ring.aux_head = 70000;
	record.ring.aux_tail = 60000;
	record.ring.aux_overwrite = 1;
	take(&record);
	assert_int_equal(pass.rings[0].aux.size, 16 * 4096);
	assert_int_equal(pass.rings[0].aux.watermark, 32768);
	assert_int_equal(pass.rings[0].aux.head, 70000);
	assert_int_equal(pass.rings[0].aux.tail, 60000);
	assert_true(pass.rings[0].aux.overwrite);
	assert_int_equal(pass.rings[0].locked, (1 + 8 + 16) * 4096);
}

/* If the data is vmalloc()ed, it is one "page" of a higher order. */
TEST(test_page_order)
{
	struct host_record_event record = event_of(11, RING_A);

	record.ring.nr_pages = 1;
	record.ring.page_order = 4;
	take(&record);
	assert_int_equal(pass.rings[0].size, 16 * 4096);
}

TEST(test_states)
{
	static const struct {
		int kernel;
		enum ring_event_state is;
	} states[] = {
		{ 1, RING_EVENT_ACTIVE }, { 0, RING_EVENT_INACTIVE },
		{ -1, RING_EVENT_OFF }, { -2, RING_EVENT_ERROR },
		{ -3, RING_EVENT_GONE }, { -5, RING_EVENT_GONE },
		{ 2, RING_EVENT_UNKNOWN },
	};
	struct host_record_event record;

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		record = event_of(i + 1, RING_A);
		record.state = states[i].kernel;
		take(&record);
		assert_int_equal(pass.events[i].event.state, states[i].is);
	}
}

TEST(test_what_is_not_known)
{
	struct host_record_event record = event_of(11, RING_A);

	record.lost = UINT64_MAX;
	record.interrupts = UINT64_MAX;
	record.cpu = -1;
	record.tid = 4321;
	record.maps = 0;
	take(&record);
	assert_int_equal(pass.events[0].event.lost, UNKNOWN);
	assert_true(pass.events[0].event.throttled);
	assert_int_equal(pass.events[0].event.cpu, -1);
	assert_int_equal(pass.events[0].event.tid, 4321);
	assert_false(pass.events[0].event.maps);
}

/* The kernel throttles clocks on idle CPUs, whatever their frequency is. */
TEST(test_throttled_clocks)
{
	static const struct {
		bool freq;
		uint64_t rate;	/* or period */
		uint64_t max_rate;
		bool throttled;
	} cases[] = {
		{ true, 4000, 0, false },
		{ true, 50000, 0, true },
		/* as the kernel stores 999 Hz and 50000 Hz */
		{ false, 1001001, 0, false },
		{ false, 20000, 0, true },
		/* the limit may be lower, and is lowered by the kernel, too */
		{ false, 1001001, 998, true },
		{ false, 1001001, 1000, false },
		{ false, 0, 0, true },
	};
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
	};
	struct host_record_event record = event_of(11, RING_A);

	record.interrupts = UINT64_MAX;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		attr.freq = cases[i].freq;
		attr.sample_freq = cases[i].rate;
		pass.max_rate = cases[i].max_rate;
		record.id = 11 + i;
		set_attr(&record, &attr);
		take(&record);
		if (pass.events[i].event.throttled != cases[i].throttled)
			fail_msg("case %zu", i);
	}
}

/* Many descriptors in two processes, and a mapping in one of them. */
TEST(test_once_each)
{
	struct host_record_event record = event_of(11, RING_A);

	take(&record);
	take(&record);
	record.owner.pid = 8;
	strcpy(record.owner.comm, "child");
	take(&record);
	record.owner.maps = 1;
	take(&record);
	assert_int_equal(pass.nr_events, 1);
	assert_int_equal(pass.nr_rings, 1);
	assert_int_equal(pass.nr_holders, 2);
	assert_int_equal(pass.holders[0].ring, RING_A);
	assert_int_equal(pass.holders[0].pid, 7);
	assert_int_equal(pass.holders[0].uid, 1000);
	assert_string_equal(pass.holders[0].comm, "perf");
	assert_false(pass.holders[0].maps);
	assert_int_equal(pass.holders[1].pid, 8);
	assert_string_equal(pass.holders[1].comm, "child");
	assert_true(pass.holders[1].maps);
	assert_int_equal(named, 1);
}

/* The ring's mode is that of its own event, which comes second here. */
TEST(test_redirected_first)
{
	struct host_record_event other = event_of(12, RING_A);
	struct host_record_event maker = event_of(11, RING_A);
	struct perf_event_attr attr = { .watermark = 1 };

	other.maps = 0;
	take(&other);
	assert_false(pass.rings[0].by_watermark);
	set_attr(&maker, &attr);
	take(&maker);
	assert_true(pass.rings[0].by_watermark);
	take(&other);
	assert_true(pass.rings[0].by_watermark);
	assert_int_equal(pass.nr_events, 2);
	assert_int_equal(pass.nr_rings, 1);
	assert_int_equal(pass.nr_holders, 1);
}

/*
 * Three events of a ring that keeps losing.  The pending count is the one read
 * last: the events' losses are at least the reported ones.
 */
TEST(test_pending_is_the_latest)
{
	struct host_record_event record;
	uint64_t lost = 0;

	for (unsigned int i = 0; i < 3; i++) {
		record = event_of(11 + i, RING_A);
		record.lost = 10 + i;
		record.ring.lost = 12 + 11 * i;
		record.ring.data_head += 64 * i;
		take(&record);
		lost += pass.events[i].event.lost;
	}
	assert_int_equal(pass.nr_rings, 1);
	assert_int_equal(lost, 33);
	assert_int_equal(pass.rings[0].lost, 34);
	/* Other fields are those of the first event. */
	assert_int_equal(pass.rings[0].head, 20480);
	/* All have been reported meanwhile. */
	record.ring.lost = 0;
	take(&record);
	assert_int_equal(pass.rings[0].lost, 0);
}

TEST(test_stopped_owner)
{
	struct host_record_event record = event_of(11, RING_A);

	take(&record);
	assert_false(pass.holders[0].stopped);
	record.owner.stopped = 4;
	take(&record);
	assert_true(pass.holders[0].stopped);
	record.owner.stopped = 0;
	take(&record);
	assert_false(pass.holders[0].stopped);
	assert_int_equal(pass.nr_holders, 1);
}

TEST(test_owner_that_writes)
{
	const struct {
		int sleeps_in;
		enum host_output output;
	} cases[] = {
		{ HOST_SLEEP_UNKNOWN, HOST_OUTPUT_UNKNOWN },
		{ HOST_SLEEP_NONE, HOST_OUTPUT_OTHER },
		{ SYS_ppoll, HOST_OUTPUT_OTHER },
		{ SYS_write, HOST_OUTPUT_WAITS },
		{ SYS_sendmsg, HOST_OUTPUT_WAITS },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct host_record_event record = event_of(11, RING_A);

		record.owner.sleeps_in = cases[i].sleeps_in;
		take(&record);
		assert_int_equal(pass.holders[0].output, cases[i].output);
	}
}

TEST(test_counter)
{
	struct host_record_counter counter = {
		.head = { HOST_RECORD_COUNTER, sizeof(counter) }, .id = 11,
	};
	struct host_record_event record = event_of(11, RING_A);

	take(&counter);
	take(&counter);
	assert_int_equal(pass.nr_events, 1);
	assert_int_equal(pass.events[0].ring, 0);
	assert_string_equal(pass.events[0].event.name, "");
	assert_int_equal(pass.nr_holders, 0);
	/* Its ring was made in between. */
	take(&record);
	assert_int_equal(pass.nr_events, 1);
	assert_int_equal(pass.events[0].ring, RING_A);
	assert_string_equal(pass.events[0].event.name, "software");
	assert_int_equal(pass.nr_rings, 1);
	/* It had a ring when it was seen first. */
	take(&counter);
	assert_int_equal(pass.events[0].ring, RING_A);
}

/* For rdpmc: no data pages, and so no ring. */
TEST(test_user_page_alone)
{
	struct host_record_event record = event_of(11, RING_A);

	record.ring.nr_pages = 0;
	record.ring.paused = 1;
	take(&record);
	assert_int_equal(pass.nr_events, 1);
	assert_int_equal(pass.events[0].ring, 0);
	assert_int_equal(pass.nr_rings, 0);
	assert_int_equal(pass.nr_holders, 0);
}

TEST(test_nonsense_sizes)
{
	struct host_record_event record = event_of(11, RING_A);

	record.ring.nr_pages = -1;
	take(&record);
	record.ring.nr_pages = 1;
	record.ring.page_order = 200;
	take(&record);
	assert_int_equal(pass.nr_rings, 0);
	record.ring.page_order = 0;
	record.ring.aux_nr_pages = -5;
	record.ring.watermark = -1;
	take(&record);
	assert_int_equal(pass.rings[0].aux.size, 0);
	assert_int_equal(pass.rings[0].watermark, 0);
}

TEST(test_names_are_cleaned)
{
	struct host_record_event record = event_of(11, RING_A);

	memcpy(record.owner.comm, "\033[31mred567890123", 16);
	take(&record);
	assert_string_equal(pass.holders[0].comm, "?[31mred5678901");
}

/* A process of another pid namespace has no pid here. */
TEST(test_foreign_owner)
{
	struct host_record_event record = event_of(11, RING_A);

	record.owner.pid = -1;
	take(&record);
	assert_int_equal(pass.nr_rings, 1);
	assert_int_equal(pass.nr_holders, 0);
}

/* Sizes of waiting records that were read. */
TEST(test_sizes)
{
	struct host_record_event record = event_of(11, RING_A);
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
	};

	record.ring.sizes = 3;
	record.ring.size_sum = 120;
	record.ring.size_max = 64;
	record.ring.lost_in_record = 7;
	set_attr(&record, &attr);
	take(&record);
	assert_int_equal(pass.rings[0].sizes.nr, 3);
	assert_int_equal(pass.rings[0].sizes.bytes, 120);
	assert_int_equal(pass.rings[0].sizes.max, 64);
	assert_int_equal(pass.rings[0].lost_in_record, 7);
	assert_int_equal(pass.events[0].largest, 24);
	/* A counting event, which writes no samples. */
	attr.sample_period = 0;
	set_attr(&record, &attr);
	record.id = 12;
	take(&record);
	assert_int_equal(pass.events[1].largest, 0);
}

TEST(test_ringbuf)
{
	struct host_record_map_holder holder = {
		.head = { HOST_RECORD_MAP_HOLDER, sizeof(holder) },
		.owner = { .pid = 9, .uid = 0, .comm = "agent", .maps = 1 },
		.id = 42,
	};
	struct host_record_ringbuf record = {
		.head = { HOST_RECORD_RINGBUF, sizeof(record) },
		.id = 42, .name = "events", .mask = 65535,
		.consumer = 1000, .producer = 5000, .nr_pages = 19,
		.rb = 0xb000,
	};
	const struct host_pass_ring *ring;

	take(&holder);
	take(&record);
	take(&record);
	assert_int_equal(pass.nr_rings, 1);
	ring = &pass.rings[0];
	assert_int_equal(ring->key, 42);
	assert_int_equal(ring->kind, RING_BPF);
	assert_true(ring->known);
	assert_int_equal(ring->size, 65536);
	assert_int_equal(ring->locked, 19 * 4096);
	assert_int_equal(ring->head, 5000);
	assert_int_equal(ring->tail, 1000);
	assert_false(ring->overwrite);
	assert_int_equal(ring->uid, (uid_t)-1);
	assert_int_equal(ring->user_locked, UNKNOWN);
	assert_int_equal(ring->map_id, 42);
	assert_int_equal(ring->rb, 0xb000);
	assert_true(ring->drops.from == 0);
	assert_string_equal(ring->map, "events");
	assert_int_equal(pass.nr_holders, 1);
	assert_int_equal(pass.holders[0].ring, 42);
	assert_true(pass.holders[0].maps);
	record.id = 43;
	record.flags = 1U << 19;	/* BPF_F_RB_OVERWRITE */
	take(&record);
	assert_true(pass.rings[1].overwrite);
	assert_int_equal(pass.rings[1].tail, 1000);
	/* Overwritten data cannot be read any more. */
	record.id = 44;
	record.producer = 500000;
	record.overwrite = 440000;
	take(&record);
	assert_int_equal(pass.rings[2].head, 500000);
	assert_int_equal(pass.rings[2].tail, 440000);
	/* Read since then. */
	record.id = 45;
	record.consumer = 450000;
	take(&record);
	assert_int_equal(pass.rings[3].tail, 450000);
}

TEST(test_user_ringbuf)
{
	struct host_record_ringbuf record = {
		.head = { HOST_RECORD_RINGBUF, sizeof(record) },
		.id = 42, .by_user = 1, .mask = 4095,
	};

	take(&record);
	assert_int_equal(pass.rings[0].kind, RING_BPF);
	assert_true(pass.rings[0].to_kernel);
}

/* Two rings; positions that have wrapped around; entries of twice the size. */
TEST(test_uring)
{
	struct host_record_uring record = {
		.head = { HOST_RECORD_URING, sizeof(record) },
		.owner = { .pid = 71, .comm = "db", .maps = 1 },
		.key = 0x4000,
		.sq = { .head = 40, .tail = 43, .entries = 32, .lost = 2 },
		.cq = { .head = UINT32_MAX - 9, .tail = 54, .entries = 64,
			.lost = 7 },
	};

	take(&record);
	assert_int_equal(pass.nr_rings, 2);
	assert_int_equal(pass.rings[0].key, 0x4000);
	assert_int_equal(pass.rings[0].kind, RING_URING);
	assert_true(pass.rings[0].known);
	assert_int_equal(pass.rings[0].size, 32 * 64);
	assert_int_equal(pass.rings[0].head, 43 * 64);
	assert_int_equal(pass.rings[0].tail, 40 * 64);
	assert_int_equal(pass.rings[0].lost_in_all, 2);
	assert_int_equal(pass.rings[1].key, 0x4001);
	assert_int_equal(pass.rings[1].size, 64 * 16);
	assert_int_equal(pass.rings[1].head - pass.rings[1].tail, 64 * 16);
	assert_int_equal(pass.rings[1].lost_in_all, 7);
	assert_int_equal(pass.rings[1].entry, 16);
	assert_true(pass.rings[0].to_kernel && !pass.rings[1].to_kernel);
	/* the position of the start is before the wrap */
	assert_int_equal(pass.rings[1].head, ((1ULL << 32) + 54) * 16);
	assert_int_equal(pass.nr_holders, 2);
	/* again, of another process */
	record.owner.pid = 72;
	take(&record);
	assert_int_equal(pass.nr_rings, 2);
	assert_int_equal(pass.nr_holders, 4);
	record.key = 0x5000;
	record.setup = 1 << 10 | 1 << 11;
	take(&record);
	assert_int_equal(pass.rings[2].size, 32 * 128);
	assert_int_equal(pass.rings[3].size, 64 * 32);
	/* of a process that cannot be seen, by its file and by its mapping */
	record.key = 0x6000;
	record.owner.pid = -1;
	take(&record);
	take(&record);
	assert_int_equal(pass.nr_rings, 6);
	/* a position that the process has made up */
	record.key = 0x7000;
	record.cq.head = 1000;
	take(&record);
	assert_int_equal(pass.rings[7].head - pass.rings[7].tail,
			 pass.rings[7].size);
}

/* Blocks: two wait, and one is being filled. */
TEST(test_packet)
{
	struct host_record_packet record = {
		.head = { HOST_RECORD_PACKET, sizeof(record) },
		.owner = { .pid = 71, .comm = "tcpdump", .maps = 1 },
		.key = 0x4000, .version = TPACKET_V3, .slot = 65536,
		.slots = 4, .frames = 128, .pages = 64, .blocks = 9,
		.waiting = 2, .open = 1000, .at = 1, .packets = 50,
		.drops = 7, .block_packets = 40, .block_bytes = 60000,
		.ifindex = 2, .dev = "e\033h0",
	};
	const struct host_pass_ring *ring;

	take(&record);
	assert_int_equal(pass.nr_rings, 1);
	ring = &pass.rings[0];
	assert_int_equal(ring->kind, RING_PACKET);
	assert_int_equal(ring->key, 0x4000);
	assert_int_equal(ring->size, 262144);
	assert_int_equal(ring->locked, 64 * 4096);
	assert_int_equal(ring->head, 9 * 65536 + 1000);
	assert_int_equal(ring->tail, 7 * 65536);
	assert_int_equal(ring->lost_in_all, 7);
	assert_int_equal(ring->lost, UNKNOWN);
	assert_int_equal(ring->entry, 0);
	assert_int_equal(ring->packet.packets, 50);
	assert_int_equal(ring->packet.frame, 2048);
	assert_int_equal(ring->sizes.nr, 40);
	assert_int_equal(ring->sizes.bytes, 60000);
	assert_null(strchr(ring->packet.dev, '\033'));
	assert_int_equal(pass.holders[0].pid, 71);
	/* another process that holds it */
	record.owner.pid = 72;
	take(&record);
	assert_int_equal(pass.nr_rings, 1);
	assert_int_equal(pass.nr_holders, 2);
	/* a header that its owner has made up; a ring that is being made */
	record.key = 0x5000;
	record.block_bytes = 70000;
	record.ifindex = -1;
	record.dev[0] = '\0';
	take(&record);
	assert_int_equal(pass.rings[1].sizes.nr, 0);
	assert_string_equal(pass.rings[1].packet.dev, "");
	record.key = 0x6000;
	record.slots = 0;
	take(&record);
	assert_int_equal(pass.nr_rings, 2);
}

/* Frames: the position is known modulo the size. */
TEST(test_packet_frames)
{
	struct host_record_packet record = {
		.head = { HOST_RECORD_PACKET, sizeof(record) },
		.key = 0x4000, .version = TPACKET_V2, .slot = 2048,
		.slots = 32, .frames = 32, .at = 3, .waiting = 5,
	};

	take(&record);
	assert_int_equal(pass.rings[0].size, 65536);
	assert_int_equal(pass.rings[0].entry, 2048);
	assert_int_equal(pass.rings[0].head, (32 + 3) * 2048);
	assert_int_equal(pass.rings[0].tail, (32 - 2) * 2048);
	assert_string_equal(pass.rings[0].packet.dev, "any");
	/* more than there are */
	record.key = 0x5000;
	record.waiting = 40;
	take(&record);
	assert_int_equal(pass.rings[1].head - pass.rings[1].tail, 65536);
}

TEST(test_slots)
{
	struct host_record_slots slots = {
		.head = { HOST_RECORD_SLOTS,
			  offsetof(struct host_record_slots, rings) + 24 },
		.id = 77, .name = "perf_buffer", .rings = { RING_B, 0, 0x1234 },
	};
	struct host_record_event record = event_of(11, RING_A);

	take(&record);
	record = event_of(12, RING_B);
	take(&record);
	take(&slots);
	assert_int_equal(pass.nr_rings, 2);
	assert_int_equal(pass.rings[0].map_id, 0);
	assert_int_equal(pass.rings[1].map_id, 77);
	assert_string_equal(pass.rings[1].map, "perf_buffer");
	/* Not more than the record has. */
	slots.rings[1] = RING_A;
	slots.head.size -= 16;
	take(&slots);
	assert_int_equal(pass.rings[0].map_id, 0);
}

/* Of a ring buffer, and of the ring of an event in an array. */
TEST(test_programs)
{
	struct host_record_slots slots = {
		.head = { HOST_RECORD_SLOTS,
			  offsetof(struct host_record_slots, rings) + 8 },
		.id = 77, .rings = { RING_A },
	};
	struct host_record_ringbuf ringbuf = {
		.head = { HOST_RECORD_RINGBUF, sizeof(ringbuf) }, .id = 42,
	};
	struct host_record_program program = {
		.head = { HOST_RECORD_PROGRAM, sizeof(program) },
		.map_id = 77, .id = 5, .name = "feed",
	};
	struct host_record_event record = event_of(11, RING_A);

	take(&record);
	take(&slots);
	take(&ringbuf);
	take(&program);
	program.map_id = 42;
	for (program.id = 6; program.id < 6 + RING_PROGRAMS + 2; program.id++)
		take(&program);
	program.map_id = 43;
	take(&program);
	assert_int_equal(pass.rings[0].nr_programs, 1);
	assert_int_equal(pass.rings[0].programs[0].id, 5);
	assert_string_equal(pass.rings[0].programs[0].name, "feed");
	assert_int_equal(pass.rings[1].nr_programs, RING_PROGRAMS + 2);
	assert_int_equal(pass.rings[1].programs[RING_PROGRAMS - 1].id,
			 5 + RING_PROGRAMS);
}

/* A read(2) may end within a record. */
TEST(test_cut_record)
{
	struct host_record_event records[2] = {
		event_of(11, RING_A), event_of(12, RING_B),
	};
	const size_t whole = sizeof(records[0]);

	assert_int_equal(host_parse_records(parse, records, 0), 0);
	assert_int_equal(host_parse_records(parse, records, 4), 0);
	assert_int_equal(host_parse_records(parse, records, whole - 8), 0);
	assert_int_equal(pass.nr_events, 0);
	assert_int_equal(host_parse_records(parse, records, 2 * whole - 1),
			 whole);
	assert_int_equal(pass.nr_events, 1);
	assert_int_equal(host_parse_records(parse, &records[1], whole), whole);
	assert_int_equal(pass.nr_events, 2);
}

static void refuse(uint32_t type, uint32_t size)
{
	struct host_record_slots record = { .head = { type, size } };

	assert_int_equal(host_parse_records(parse, &record, sizeof(record)),
			 -EBADMSG);
}

TEST(test_damage)
{
	refuse(0, 16);
	refuse(99, 16);
	refuse(HOST_RECORD_COUNTER, 0);
	refuse(HOST_RECORD_COUNTER, sizeof(struct host_record_counter) + 8);
	refuse(HOST_RECORD_EVENT, sizeof(struct host_record_event) - 8);
	refuse(HOST_RECORD_SLOTS, 16);
	refuse(HOST_RECORD_SLOTS, sizeof(struct host_record_slots) - 4);
	refuse(HOST_RECORD_SLOTS, sizeof(struct host_record_slots) + 8);
	assert_int_equal(pass.nr_events + pass.nr_rings + pass.nr_holders, 0);
}

/* Processes are read one by one into the same pass. */
TEST(test_pass_goes_on)
{
	struct host_record_event record;

	for (uint64_t i = 0; i < 5000; i++) {
		record = event_of(i + 1, KERNEL + i * 64);
		record.owner.pid = (int)(100 + i % 3);
		take(&record);
	}
	assert_int_equal(host_parse_begin(parse, &pass), 0);
	for (uint64_t i = 0; i < 6000; i++) {
		record = event_of(i + 1, KERNEL + i * 64);
		record.owner.pid = (int)(100 + i % 3);
		take(&record);
	}
	assert_int_equal(pass.nr_events, 6000);
	assert_int_equal(pass.nr_rings, 6000);
	assert_int_equal(pass.nr_holders, 6000);
	for (uint64_t i = 0; i < 6000; i++) {
		assert_int_equal(pass.events[i].event.id, i + 1);
		assert_int_equal(pass.rings[i].key, KERNEL + i * 64);
		assert_int_equal(pass.holders[i].pid, 100 + i % 3);
	}
}

/* Entries that others added to the pass are found, too. */
TEST(test_pass_of_others)
{
	struct host_record_event record = event_of(11, RING_A);
	struct host_pass other = { 0 };

	host_pass_add_event(&other)->event.id = 11;
	host_pass_add_ring(&other)->key = RING_B;
	assert_int_equal(host_parse_begin(parse, &other), 0);
	take(&record);
	assert_int_equal(other.nr_events, 1);
	assert_int_equal(other.events[0].ring, RING_A);
	assert_int_equal(other.nr_rings, 2);
	assert_int_equal(other.nr_holders, 1);
	assert_int_equal(pass.nr_rings, 0);
	host_pass_free(&other);
}

TEST(test_empty_pass_again)
{
	struct host_record_event record = event_of(11, RING_A);

	take(&record);
	host_pass_clear(&pass);
	assert_int_equal(host_parse_begin(parse, &pass), 0);
	take(&record);
	assert_int_equal(pass.nr_events, 1);
	assert_int_equal(pass.nr_rings, 1);
	assert_int_equal(pass.nr_holders, 1);
}

TEST_GROUP(host_parse, .each_setup = setup, .each_teardown = teardown);
