/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/host_parse.h"

#include <errno.h>
#include <linux/if_packet.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/syscall.h>

#include "base/table.h"
#include "base/text.h"
#include "host/host_records.h"
#include "perf/abi/sample.h"
#include "perf/event/event_spec.h"

/* linux/io_uring.h: entries of twice the size. */
#define URING_SQE128 (1U << 10)
#define URING_CQE32 (1U << 11)
enum { SQE = 64, CQE = 16 };

/* Of BPF_MAP_CREATE, linux/bpf.h of Linux 6.19: writers overwrite records. */
#define RINGBUF_OVERWRITE (1U << 19)

/* Index of one of the pass's arrays. */
struct index {
	struct table table;
	size_t nr;		/* array elements already indexed */
};

struct host_parse {
	uint64_t page_size;
	host_name_fn *name;
	void *ctx;
	struct host_pass *pass;
	/* By id; by key; by key and pid. */
	struct index events, rings, holders;
};

struct host_parse *host_parse_new(uint64_t page_size, host_name_fn *name,
				  void *ctx)
{
	struct host_parse *parse = calloc(1, sizeof(*parse));

	if (!parse)
		return NULL;
	parse->page_size = page_size;
	parse->name = name;
	parse->ctx = ctx;
	return parse;
}

void host_parse_free(struct host_parse *parse)
{
	if (!parse)
		return;
	table_free(&parse->events.table);
	table_free(&parse->rings.table);
	table_free(&parse->holders.table);
	free(parse);
}

static struct host_pass_event *find_event(const struct host_parse *parse,
					  uint64_t id)
{
	const struct table_entry *at = table_find(&parse->events.table, id);

	return at ? &parse->pass->events[at->index] : NULL;
}

static struct host_pass_ring *find_ring(const struct host_parse *parse,
					uint64_t key)
{
	const struct table_entry *at = table_find(&parse->rings.table, key);

	return at ? &parse->pass->rings[at->index] : NULL;
}

/* 64 bits, so that collisions are improbable. */
static uint64_t holder_key(uint64_t ring, pid_t pid)
{
	return (ring ^ ring >> 29) * UINT64_C(0xbf58476d1ce4e5b9) +
	       (uint64_t)pid;
}

static struct host_pass_holder *find_holder(const struct host_parse *parse,
					    uint64_t ring, pid_t pid)
{
	const struct table_entry *at = table_find(&parse->holders.table,
						  holder_key(ring, pid));

	return at ? &parse->pass->holders[at->index] : NULL;
}

static uint64_t event_key(const struct host_pass *pass, size_t i)
{
	return pass->events[i].event.id;
}

static uint64_t ring_key(const struct host_pass *pass, size_t i)
{
	return pass->rings[i].key;
}

static uint64_t holders_key(const struct host_pass *pass, size_t i)
{
	return holder_key(pass->holders[i].ring, pass->holders[i].pid);
}

/* Add new array elements to @index, up to @nr. */
static int index_add(struct index *index, const struct host_pass *pass,
		     size_t nr,
		     uint64_t (*key)(const struct host_pass *pass, size_t i))
{
	int r = 0;

	while (r == 0 && index->nr < nr) {
		uint64_t at = key(pass, index->nr);

		if (!table_find(&index->table, at))
			r = table_add_index(&index->table, at, index->nr);
		index->nr += r == 0;
	}
	return r;
}

static int index_all(struct host_parse *parse)
{
	const struct host_pass *pass = parse->pass;
	int r = index_add(&parse->events, pass, pass->nr_events, event_key);

	if (r == 0)
		r = index_add(&parse->rings, pass, pass->nr_rings, ring_key);
	if (r == 0)
		r = index_add(&parse->holders, pass, pass->nr_holders,
			      holders_key);
	return r;
}

static enum host_output output_of(int sleeps_in)
{
	switch (sleeps_in) {
	case HOST_SLEEP_UNKNOWN:
		return HOST_OUTPUT_UNKNOWN;
	case SYS_write:
	case SYS_writev:
	case SYS_pwrite64:
	case SYS_pwritev:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_fsync:
	case SYS_fdatasync:
		return HOST_OUTPUT_WAITS;
	default:
		return HOST_OUTPUT_OTHER;
	}
}

static void index_begin(struct index *index)
{
	table_clear(&index->table);
	index->nr = 0;
}

/* Whether it is the previous pass with unchanged contents. */
static bool goes_on(const struct host_parse *parse,
		    const struct host_pass *pass)
{
	return parse->pass == pass && parse->events.nr == pass->nr_events &&
	       parse->rings.nr == pass->nr_rings &&
	       parse->holders.nr == pass->nr_holders;
}

int host_parse_begin(struct host_parse *parse, struct host_pass *pass)
{
	if (goes_on(parse, pass))
		return 0;
	parse->pass = pass;
	index_begin(&parse->events);
	index_begin(&parse->rings);
	index_begin(&parse->holders);
	return index_all(parse);
}

static int take_holder(struct host_parse *parse, uint64_t ring,
		       const struct host_record_owner *owner)
{
	struct host_pass_holder *holder;

	if (owner->pid <= 0)
		return 0;
	holder = find_holder(parse, ring, owner->pid);
	if (!holder) {
		holder = host_pass_add_holder(parse->pass);
		if (!holder)
			return -ENOMEM;
		holder->ring = ring;
		holder->pid = owner->pid;
		holder->uid = owner->uid;
		text_copy_field(holder->comm, sizeof(holder->comm), owner->comm,
			  sizeof(owner->comm));
	}
	holder->maps |= owner->maps != 0;
	holder->stopped = owner->stopped != 0;
	holder->priority = owner->priority;
	holder->run_delay = owner->run_delay;
	holder->run_time = owner->run_time;
	holder->output = output_of(owner->sleeps_in);
	return index_all(parse);
}

static enum ring_event_state event_state(int state)
{
	switch (state) {
	case 1:
		return RING_EVENT_ACTIVE;
	case 0:
		return RING_EVENT_INACTIVE;
	case -1:
		return RING_EVENT_OFF;
	case -2:
		return RING_EVENT_ERROR;
	default:
		/* Lower values are EXIT, REVOKED (PMU removed) and DEAD. */
		return state < 0 ? RING_EVENT_GONE : RING_EVENT_UNKNOWN;
	}
}

static void read_attr(const struct host_record_event *record,
		      struct perf_event_attr *attr)
{
	size_t size = sizeof(record->attr);

	memset(attr, 0, sizeof(*attr));
	if (size > sizeof(*attr))
		size = sizeof(*attr);
	memcpy(attr, record->attr, size);
}

/* "sched:sched_switch"; NULL: not a tracepoint, or unknown. */
static const char *tracepoint_of(const struct host_record_event *record,
				 char *to, size_t size)
{
	if (!record->system[0] || !record->tracepoint[0])
		return NULL;
	snprintf(to, size, "%.*s:%.*s", HOST_TRACEPOINT_LEN, record->system,
		 HOST_TRACEPOINT_LEN, record->tracepoint);
	return to;
}

/*
 * The kernel counts samples by ticks of its timer, which an idle CPU stops, but
 * a clock event goes on sampling: if its rate is below the limit, it is only
 * throttled on idle CPUs.  The kernel converts the frequency of a clock event
 * to a period in ns: see perf_swevent_init_hrtimer() in kernel/events/core.c.
 */
static bool is_slow_clock(const struct perf_event_attr *attr, uint64_t max_rate)
{
	uint64_t rate;

	if (attr->type != PERF_TYPE_SOFTWARE ||
	    (attr->config != PERF_COUNT_SW_CPU_CLOCK &&
	     attr->config != PERF_COUNT_SW_TASK_CLOCK))
		return false;
	rate = attr->freq ? attr->sample_freq : !attr->sample_period ?
		       UINT64_MAX : 1000000000 / attr->sample_period;
	return rate <= CLOCK_FREQ_SAFE && (!max_rate || rate <= max_rate);
}

static void fill_event(const struct host_parse *parse,
		       const struct host_record_event *record,
		       const struct perf_event_attr *attr,
		       struct host_pass_event *to)
{
	struct ring_event *event = &to->event;
	char tracepoint[2 * HOST_TRACEPOINT_LEN + 2];

	to->ring = record->ring.key;
	to->wakeup_events = attr->watermark ? 0 : attr->wakeup_events;
	to->largest = attr->sample_period ? sample_largest(attr) : 0;
	to->usual = attr->sample_period ? sample_usual(attr) : 0;
	event->id = record->id;
	event->name = parse->name(parse->ctx, attr,
				  tracepoint_of(record, tracepoint,
						sizeof(tracepoint)));
	event->cpu = record->cpu < 0 ? -1 : record->cpu;
	event->tid = record->tid <= 0 ? -1 : record->tid;
	event->state = event_state(record->state);
	event->throttled = record->interrupts == UINT64_MAX &&
			   !is_slow_clock(attr, parse->pass->max_rate);
	event->maps = record->maps != 0;
	event->freq = attr->freq;
	event->period = attr->sample_period;
	event->count = record->count;
	event->samples = UNKNOWN;
	event->samples_per_s = NAN;
	event->lost = record->lost; /* UNKNOWN on older kernels */
}

/* A number of pages; negative values of a broken record become 0. */
static uint64_t pages(int64_t nr)
{
	return nr > 0 ? (uint64_t)nr : 0;
}

static uint64_t data_pages(const struct host_record_ring *record)
{
	if (record->page_order < 0 || record->page_order > 31)
		return 0;
	return pages(record->nr_pages) << record->page_order;
}

static void fill_ring(const struct host_parse *parse,
		      const struct host_record_ring *record,
		      const struct perf_event_attr *attr,
		      struct host_pass_ring *ring)
{
	uint64_t data = data_pages(record), aux = pages(record->aux_nr_pages);

	ring->key = record->key;
	ring->kind = RING_PERF;
	ring->known = true;
	ring->size = data * parse->page_size;
	ring->locked = (1 + data + aux) * parse->page_size;
	ring->watermark = pages(record->watermark);
	ring->overwrite = record->overwrite != 0;
	ring->backward = attr->write_backward;
	ring->paused = record->paused != 0;
	ring->woken = record->poll != 0;
	ring->head = record->data_head;
	ring->tail = record->data_tail;
	ring->wakeup = record->wakeup;
	ring->lost = record->lost;
	ring->sizes.nr = record->sizes;
	ring->sizes.bytes = record->size_sum;
	ring->sizes.max = record->size_max;
	ring->lost_in_record = record->lost_in_record;
	ring->aux.size = aux * parse->page_size;
	ring->aux.watermark = pages(record->aux_watermark);
	ring->aux.head = record->aux_head;
	ring->aux.tail = record->aux_tail;
	ring->aux.overwrite = record->aux_overwrite != 0;
	ring->uid = record->uid;
	ring->user_locked = record->uid == UINT32_MAX ?
		UNKNOWN : record->user_locked * parse->page_size;
}

static int take_ring(struct host_parse *parse,
		     const struct host_record_event *record,
		     const struct perf_event_attr *attr)
{
	struct host_pass_ring *ring = find_ring(parse, record->ring.key);

	if (!ring) {
		ring = host_pass_add_ring(parse->pass);
		if (!ring)
			return -ENOMEM;
		fill_ring(parse, &record->ring, attr, ring);
		ring->by_watermark = attr->watermark;
	}
	/*
	 * The latest value.  The events' lost counts were read before it, so
	 * those minus what is pending never exceed what was reported to the
	 * owner.
	 */
	ring->lost = record->ring.lost;
	/* The ring was created for the event that maps it. */
	if (record->maps)
		ring->by_watermark = attr->watermark;
	return index_all(parse);
}

/* An event without a ring, of any type. */
static int take_counter(struct host_parse *parse, uint64_t id)
{
	struct host_pass_event *event = find_event(parse, id);

	if (event)
		return 0;
	event = host_pass_add_event(parse->pass);
	if (!event)
		return -ENOMEM;
	event->event = (struct ring_event){
		.id = id, .name = "", .cpu = -1, .tid = -1,
		.lost = UNKNOWN,
	};
	return index_all(parse);
}

static int take_event(struct host_parse *parse, const void *bytes)
{
	const struct host_record_event *record = bytes;
	struct host_pass_event *event = find_event(parse, record->id);
	struct perf_event_attr attr;
	int r;

	if (data_pages(&record->ring) == 0)
		return take_counter(parse, record->id);
	read_attr(record, &attr);
	/* It may have got its ring after it was seen without one. */
	if (!event || event->ring == 0) {
		if (!event)
			event = host_pass_add_event(parse->pass);
		if (!event)
			return -ENOMEM;
		fill_event(parse, record, &attr, event);
	}
	r = take_ring(parse, record, &attr);
	return r ? r : take_holder(parse, record->ring.key, &record->owner);
}

static int take_counter_record(struct host_parse *parse, const void *bytes)
{
	const struct host_record_counter *record = bytes;

	return take_counter(parse, record->id);
}

static int take_map_holder(struct host_parse *parse, const void *bytes)
{
	const struct host_record_map_holder *record = bytes;

	return take_holder(parse, record->id, &record->owner);
}

static int take_ringbuf(struct host_parse *parse, const void *bytes)
{
	const struct host_record_ringbuf *record = bytes;
	struct host_pass_ring *ring;

	if (find_ring(parse, record->id))
		return 0;
	ring = host_pass_add_ring(parse->pass);
	if (!ring)
		return -ENOMEM;
	ring->key = ring->map_id = record->id;
	ring->kind = RING_BPF;
	ring->known = true;
	ring->rb = record->rb;
	ring->to_kernel = record->by_user;
	ring->size = record->mask + 1;
	ring->locked = record->nr_pages * parse->page_size;
	ring->overwrite = record->flags & RINGBUF_OVERWRITE;
	ring->head = record->producer;
	/* In overwrite mode the producer does not wait for the consumer. */
	ring->tail = ring->overwrite && record->overwrite > record->consumer ?
		record->overwrite : record->consumer;
	ring->uid = (uid_t)-1;
	ring->user_locked = UNKNOWN;
	text_copy_field(ring->map, sizeof(ring->map), record->name,
		  sizeof(record->name));
	return index_all(parse);
}

/*
 * Positions are 32-bit numbers of entries, which wrap around; the process can
 * set one of them to any value.
 */
static int take_uring_ring(struct host_parse *parse, uint64_t key,
			   const struct host_uring *from, uint32_t entry,
			   const struct host_record_owner *owner)
{
	uint32_t used = from->tail - from->head;
	struct host_pass_ring *ring = find_ring(parse, key);
	int r;

	if (ring)
		return take_holder(parse, key, owner);
	ring = host_pass_add_ring(parse->pass);
	if (!ring)
		return -ENOMEM;
	if (used > from->entries)
		used = from->entries;
	ring->key = key;
	ring->kind = RING_URING;
	ring->known = true;
	ring->size = (uint64_t)from->entries * entry;
	ring->locked = UNKNOWN;
	ring->entry = entry;
	ring->to_kernel = !(key & 1);
	ring->head = ((uint64_t)from->tail +
		      (used > from->tail ? 1ULL << 32 : 0)) * entry;
	ring->tail = ring->head - (uint64_t)used * entry;
	ring->lost = UNKNOWN;
	ring->lost_in_all = from->lost;
	ring->uid = (uid_t)-1;
	ring->user_locked = UNKNOWN;
	r = index_all(parse);	/* also if its holder is not in here */
	return r ? r : take_holder(parse, key, owner);
}

static int take_uring(struct host_parse *parse, const void *bytes)
{
	const struct host_record_uring *record = bytes;
	int r = take_uring_ring(parse, record->key, &record->sq,
				record->setup & URING_SQE128 ? 2 * SQE : SQE,
				&record->owner);

	return r ? r : take_uring_ring(parse, record->key + 1, &record->cq,
				       record->setup & URING_CQE32 ? 2 * CQE :
								     CQE,
				       &record->owner);
}

/*
 * Of TPACKET_V3, sizes are those of the packets in a block, headers included.
 * The owner can write to that header.
 */
static void fill_packet(const struct host_parse *parse,
			const struct host_record_packet *record,
			struct host_pass_ring *ring)
{
	bool blocks = record->version >= TPACKET_V3;
	uint64_t used = (uint64_t)record->waiting * record->slot +
			record->open;

	ring->key = record->key;
	ring->kind = RING_PACKET;
	ring->known = true;
	ring->size = (uint64_t)record->slots * record->slot;
	ring->locked = record->pages * parse->page_size;
	/* of frames, modulo the size, but never less than what waits */
	ring->head = (blocks ? record->blocks :
			       (uint64_t)record->at + record->slots) *
		     record->slot + record->open;
	/* statuses of blocks are in memory that the owner can write to */
	ring->tail = ring->head - MIN(used, MIN(ring->size, ring->head));
	ring->lost = UNKNOWN;
	ring->lost_in_all = record->drops;
	ring->uid = (uid_t)-1;
	ring->user_locked = UNKNOWN;
	ring->entry = blocks ? 0 : record->slot;
	ring->packet.packets = record->packets;
	ring->packet.inode = record->inode;
	ring->packet.blocks = record->blocks;
	ring->packet.frame = (uint32_t)((ring->size - 1) / record->frames + 1);
	if (blocks && record->block_bytes <= record->slot &&
	    record->block_packets <= record->block_bytes) {
		ring->sizes.nr = record->block_packets;
		ring->sizes.bytes = record->block_bytes;
	}
	if (record->dev[0])
		text_copy_field(ring->packet.dev, sizeof(ring->packet.dev),
				record->dev, sizeof(record->dev));
	else
		text_copy(ring->packet.dev, sizeof(ring->packet.dev),
			  record->ifindex ? "" : "any");
}

static int take_packet(struct host_parse *parse, const void *bytes)
{
	const struct host_record_packet *record = bytes;
	struct host_pass_ring *ring = find_ring(parse, record->key);
	int r;

	if (!record->slot || !record->slots || !record->frames)
		return 0;	/* it is being made, or removed */
	if (!ring) {
		ring = host_pass_add_ring(parse->pass);
		if (!ring)
			return -ENOMEM;
		fill_packet(parse, record, ring);
		r = index_all(parse);
		if (r)
			return r;
	}
	return take_holder(parse, record->key, &record->owner);
}

static int take_slots(struct host_parse *parse, const void *bytes)
{
	const struct host_record_slots *record = bytes;
	size_t header = offsetof(struct host_record_slots, rings);
	size_t i, nr = (record->head.size - header) / sizeof(uint64_t);
	struct host_pass_ring *ring;

	for (i = 0; i < nr; i++) {
		ring = record->rings[i] ? find_ring(parse, record->rings[i]) :
					  NULL;
		if (!ring)
			continue;
		ring->map_id = record->id;
		text_copy_field(ring->map, sizeof(ring->map), record->name,
			  sizeof(record->name));
	}
	return 0;
}

static void add_program(struct host_pass_ring *ring,
			const struct host_record_program *record)
{
	struct ring_program *program;

	if (ring->nr_programs++ >= RING_PROGRAMS)
		return;
	program = &ring->programs[ring->nr_programs - 1];
	program->id = record->id;
	text_copy_field(program->name, sizeof(program->name), record->name,
			sizeof(record->name));
}

/* Of a ring buffer, or of all rings whose events are in a perf event array. */
static int take_program(struct host_parse *parse, const void *bytes)
{
	const struct host_record_program *record = bytes;
	struct host_pass *pass = parse->pass;

	for (size_t i = 0; record->map_id && i < pass->nr_rings; i++)
		if (pass->rings[i].map_id == record->map_id)
			add_program(&pass->rings[i], record);
	return 0;
}

static const struct {
	int (*take)(struct host_parse *parse, const void *bytes);
	size_t min, max;	/* bytes */
} kinds[] = {
#define WHOLE(type) sizeof(type), sizeof(type)
	[HOST_RECORD_EVENT] = { take_event, WHOLE(struct host_record_event) },
	[HOST_RECORD_COUNTER] = { take_counter_record,
				  WHOLE(struct host_record_counter) },
	[HOST_RECORD_MAP_HOLDER] = { take_map_holder,
				     WHOLE(struct host_record_map_holder) },
	[HOST_RECORD_RINGBUF] = { take_ringbuf,
				  WHOLE(struct host_record_ringbuf) },
	[HOST_RECORD_SLOTS] = { take_slots,
				offsetof(struct host_record_slots, rings),
				sizeof(struct host_record_slots) },
	[HOST_RECORD_PROGRAM] = { take_program,
				  WHOLE(struct host_record_program) },
	[HOST_RECORD_URING] = { take_uring, WHOLE(struct host_record_uring) },
	[HOST_RECORD_PACKET] = { take_packet,
				 WHOLE(struct host_record_packet) },
#undef WHOLE
};

static bool makes_sense(const struct host_record *head)
{
	if (head->type >= sizeof(kinds) / sizeof(kinds[0]) ||
	    !kinds[head->type].take)
		return false;
	return head->size >= kinds[head->type].min &&
	       head->size <= kinds[head->type].max && head->size % 8 == 0;
}

ssize_t host_parse_records(struct host_parse *parse, const void *bytes,
			   size_t size)
{
	const struct host_record *head;
	size_t done = 0;
	int r;

	while (size - done >= sizeof(*head)) {
		head = (const void *)((const char *)bytes + done);
		if (!makes_sense(head))
			return -EBADMSG;
		if (head->size > size - done)
			break;
		r = kinds[head->type].take(parse, head);
		if (r)
			return r;
		done += head->size;
	}
	return (ssize_t)done;
}
