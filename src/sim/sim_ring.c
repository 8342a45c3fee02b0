/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/sim_ring.h"

#include <string.h>
#include <sys/param.h>

#include "base/sys.h"
#include "perf/abi/record.h"
#include "perf/abi/ring.h"

/*
 * Packets and their sizes: Intel SDM, volume 3, "Intel Processor Trace",
 * "Packet Definitions".
 */
enum {
	PSB_BYTES = 16,
	TSC_OPCODE = 0x19,
	TSC_BYTES = 8,		/* opcode, and seven bytes of the counter */
	PTWRITE_BYTES = 10,	/* two bytes of opcode, eight of value */
};

void sim_ring_init(struct sim_ring *ring, void *base, uint64_t size,
		   uint64_t watermark, bool overwrite)
{
	struct perf_event_mmap_page *page = base;

	*ring = (struct sim_ring){
		.page = page,
		.data = (unsigned char *)base + sys_page_size(),
		.size = size,
		.watermark = watermark < size ? watermark : size,
		.overwrite = overwrite,
	};
	if (watermark == 0)
		ring->watermark = size / 2;
	page->size = offsetof(struct perf_event_mmap_page, __reserved);
	page->data_offset = sys_page_size();
	page->data_size = size;
}

/*
 * Free space of a ring that is drained: one byte always stays free, so that
 * head == tail means empty (linux/circ_buf.h, CIRC_SPACE).
 */
static uint64_t space(uint64_t head, uint64_t tail, uint64_t size)
{
	return (tail - (head + 1)) & (size - 1);
}

static bool has_room(const struct sim_ring *ring, uint64_t need)
{
	uint64_t tail;

	if (ring->overwrite)
		return need <= ring->size;
	/* acquire: data is overwritten only after the reader has read it */
	tail = __atomic_load_n(&ring->page->data_tail, __ATOMIC_ACQUIRE);
	return space(ring->head, tail, ring->size) >= need;
}

/* Copy to *@at, with wrap, and advance *@at. */
static void put(struct sim_ring *ring, uint64_t *at, const void *src,
		size_t len)
{
	wrap_write(ring->data, ring->size, *at, src, len);
	*at += len;
}

/* Set the sample_id fields, in the order of RECORD_TRAILER_*. */
static void fill_trailer(const struct sim_ring *ring,
			 const struct sim_event *event,
			 const struct sim_context *by, unsigned char *trailer)
{
	struct {
		uint32_t pid, tid;
		uint64_t time;
		uint32_t cpu, zero;
		uint64_t id;
	} fields = {
		.pid = (uint32_t)by->pid,
		.tid = (uint32_t)by->tid,
		.time = by->time,
		.cpu = (uint32_t)ring->cpu,
		.id = event->id,
	};

	_Static_assert(sizeof(fields) == RECORD_TRAILER, "no padding");
	memcpy(trailer, &fields, sizeof(fields));
}

static void put_header(unsigned char *record, uint32_t type, uint16_t misc,
		       size_t size)
{
	struct perf_event_header header = {
		.type = type,
		.misc = misc,
		.size = (uint16_t)size,
	};

	memcpy(record, &header, sizeof(header));
}

/* Write a LOST record, with the id of the next writer, as the kernel does. */
static void put_lost(struct sim_ring *ring, uint64_t *at,
		     const struct sim_event *event,
		     const struct sim_context *by)
{
	unsigned char record[SIM_RING_LOST_RECORD];
	uint64_t body[2] = { event->id, ring->lost };

	put_header(record, PERF_RECORD_LOST, 0, sizeof(record));
	memcpy(record + sizeof(struct perf_event_header), body, sizeof(body));
	fill_trailer(ring, event, by,
		     record + sizeof(record) - RECORD_TRAILER);
	put(ring, at, record, sizeof(record));
	ring->lost = 0;
}

/* Whether the head, advanced to @head, crosses the watermark again. */
static bool crosses(struct sim_ring *ring, uint64_t head)
{
	if (ring->overwrite)
		head = -head;
	if (head - ring->wakeup <= ring->watermark)
		return false;
	ring->wakeup += ring->watermark;
	return true;
}

/* Like __perf_output_begin() to perf_output_end(). */
static enum sim_ring_result output(struct sim_ring *ring,
				   struct sim_event *event,
				   const struct sim_context *by,
				   const void *record, size_t size)
{
	uint64_t need = size + (ring->lost ? SIM_RING_LOST_RECORD : 0);
	uint64_t at;
	bool woke;

	if (ring->paused || !has_room(ring, need)) {
		ring->lost++;
		event->lost++;
		return SIM_RING_LOST;
	}
	at = ring->overwrite ? ring->head - need : ring->head;
	ring->head = ring->overwrite ? at : at + need;
	woke = crosses(ring, ring->head);
	if (ring->lost)
		put_lost(ring, &at, event, by);
	put(ring, &at, record, size);
	__atomic_store_n(&ring->page->data_head, ring->head, __ATOMIC_RELEASE);
	return woke ? SIM_RING_WOKE : SIM_RING_WRITTEN;
}

/* The number of addresses, then the addresses. */
static size_t chain_bytes(const struct sim_sample *sample)
{
	return sample->chain ? (1 + sample->nr_chain) * sizeof(uint64_t) : 0;
}

static size_t sample_size(const struct sim_sample *sample)
{
	size_t size = (sample->size + 7) & ~(size_t)7;
	size_t chain = chain_bytes(sample);

	size = chain + MAX(size, RECORD_SAMPLE_FIXED);
	return MIN(size, SIM_RING_MAX_RECORD);
}

static void put_chain(unsigned char *at, const struct sim_sample *sample)
{
	uint64_t nr = sample->nr_chain;

	memcpy(at, &nr, sizeof(nr));
	memcpy(at + sizeof(nr), sample->chain, nr * sizeof(*sample->chain));
}

/* PERF_SAMPLE_RAW: a length, then as many bytes. */
static void put_raw(unsigned char *at, size_t size)
{
	uint32_t raw = (uint32_t)(size - sizeof(raw));

	memcpy(at, &raw, sizeof(raw));
	memset(at + sizeof(raw), 0, raw);
}

enum sim_ring_result sim_ring_sample(struct sim_ring *ring,
				     struct sim_event *event,
				     const struct sim_context *by,
				     const struct sim_sample *sample)
{
	unsigned char record[SIM_RING_MAX_RECORD];
	size_t size = sample_size(sample);
	size_t raw = RECORD_SAMPLE_FIXED + chain_bytes(sample);
	struct {
		uint64_t id, ip;
		uint32_t pid, tid;
		uint64_t time;
		uint32_t cpu, zero;
		uint64_t period;
	} fields = {
		event->id, sample->ip, (uint32_t)by->pid, (uint32_t)by->tid,
		by->time, (uint32_t)ring->cpu, 0, sample->period,
	};

	event->count += sample->period;
	put_header(record, PERF_RECORD_SAMPLE, sample->misc, size);
	memcpy(record + RECORD_SAMPLE_ID, &fields, sizeof(fields));
	if (sample->chain)
		put_chain(record + RECORD_SAMPLE_FIXED, sample);
	if (size > raw)
		put_raw(record + raw, size - raw);
	return output(ring, event, by, record, size);
}

enum sim_ring_result sim_ring_record(struct sim_ring *ring,
				     struct sim_event *event,
				     const struct sim_context *by,
				     uint32_t type, uint16_t misc,
				     const void *body, size_t len)
{
	unsigned char record[SIM_RING_MAX_RECORD] = { 0 };
	const size_t header = sizeof(struct perf_event_header);
	size_t padded = (len + 7) & ~(size_t)7;
	size_t size = header + padded + RECORD_TRAILER;

	put_header(record, type, misc, size);
	if (len)
		memcpy(record + header, body, len);
	fill_trailer(ring, event, by, record + header + padded);
	return output(ring, event, by, record, size);
}

void sim_trace_init(struct sim_trace *trace, uint64_t seed, int cpu,
		    unsigned char *data, uint64_t size)
{
	*trace = (struct sim_trace){
		.data = data,
		.size = size,
		.base = seed ^ (uint64_t)cpu << 48,
	};
}

static unsigned char *put_psb(unsigned char *to)
{
	static const unsigned char pair[2] = { 0x02, 0x82 };

	for (int i = 0; i < PSB_BYTES; i += 2)
		memcpy(to + i, pair, sizeof(pair));
	return to + PSB_BYTES;
}

/* The counter counts ns. */
static unsigned char *put_tsc(unsigned char *to, uint64_t time)
{
	*to = TSC_OPCODE;
	for (int i = 1; i < TSC_BYTES; i++, time >>= 8)
		to[i] = (unsigned char)time;
	return to + TSC_BYTES;
}

static unsigned char *put_psbend(unsigned char *to)
{
	static const unsigned char psbend[2] = { 0x02, 0x23 };

	memcpy(to, psbend, sizeof(psbend));
	return to + sizeof(psbend);
}

static unsigned char *put_ptwrite(unsigned char *to, uint64_t value)
{
	static const unsigned char ptwrite[2] = { 0x02, 0x32 };

	memcpy(to, ptwrite, sizeof(ptwrite));
	memcpy(to + sizeof(ptwrite), &value, sizeof(value));
	return to + PTWRITE_BYTES;
}

/* The rest of a block is PAD packets, which are 0. */
static void make_block(struct sim_trace *trace, uint64_t position,
		       uint64_t time)
{
	unsigned char *at = trace->block;

	_Static_assert(PSB_BYTES + TSC_BYTES + 2 +
		       SIM_TRACE_PTWRITES * PTWRITE_BYTES <= SIM_TRACE_BLOCK,
		       "they fit");
	at = put_psbend(put_tsc(put_psb(at), time));
	for (int i = 0; i < SIM_TRACE_PTWRITES; i++)
		at = put_ptwrite(at, trace->base + position +
				 (uint64_t)(at - trace->block));
}

void sim_trace_write(struct sim_trace *trace, uint64_t from, uint64_t to,
		     uint64_t time)
{
	uint64_t begin = trace->time ? trace->time : time;
	double pace = (double)(time - begin) / (double)MAX(to - from, 1);

	for (uint64_t at = from, len; at < to; at += len) {
		uint64_t offset = at % SIM_TRACE_BLOCK;

		if (!offset)
			make_block(trace, at, begin +
				   (uint64_t)((double)(at - from) * pace));
		len = MIN(SIM_TRACE_BLOCK - offset, to - at);
		/* the size of the area is a multiple of a block */
		memcpy(trace->data + (at & (trace->size - 1)),
		       trace->block + offset, len);
	}
	trace->time = time;
}

void sim_ring_set_aux(struct sim_ring *ring, uint64_t size,
		      uint64_t watermark, bool overwrite)
{
	ring->aux_size = size;
	ring->aux_overwrite = overwrite;
	ring->aux_watermark = watermark ? watermark : size / 2;
	ring->page->aux_offset = sys_page_size() + ring->size;
	ring->page->aux_size = size;
}

/* Like rb_need_aux_wakeup(). */
static bool aux_wakes(struct sim_ring *ring)
{
	if (ring->aux_head - ring->aux_wakeup < ring->aux_watermark)
		return false;
	ring->aux_wakeup = ring->aux_head -
			   ring->aux_head % ring->aux_watermark;
	return true;
}

/* The record before the head: perf_aux_output_end(). */
static enum sim_ring_result publish_aux(struct sim_ring *ring,
					struct sim_event *event,
					const struct sim_context *by,
					uint64_t offset, uint64_t bytes,
					uint64_t flags)
{
	uint64_t body[3] = { offset, bytes, flags };
	enum sim_ring_result result;

	result = sim_ring_record(ring, event, by, PERF_RECORD_AUX, 0, body,
				 sizeof(body));
	__atomic_store_n(&ring->page->aux_head, ring->aux_head,
			 __ATOMIC_RELEASE);
	return result;
}

static void write_trace(struct sim_ring *ring, uint64_t bytes, uint64_t time)
{
	if (ring->aux_trace)
		sim_trace_write(ring->aux_trace, ring->aux_head,
				ring->aux_head + bytes, time);
	ring->aux_head += bytes;
}

enum sim_ring_result sim_ring_aux(struct sim_ring *ring,
				  struct sim_event *event,
				  const struct sim_context *by, uint64_t bytes)
{
	uint64_t tail = __atomic_load_n(&ring->page->aux_tail,
					__ATOMIC_ACQUIRE);
	uint64_t room = space(ring->aux_head, tail, ring->aux_size);
	uint64_t start = ring->aux_head, flags = 0;
	enum sim_ring_result result;

	if (!ring->aux_size || ring->aux_stopped || !bytes)
		return SIM_RING_WRITTEN;
	if (ring->aux_overwrite) {
		write_trace(ring, bytes, by->time);
		return SIM_RING_WRITTEN;
	}
	if (bytes > room) {
		bytes = room;
		flags = PERF_AUX_FLAG_TRUNCATED;
		ring->aux_stopped = true;
	}
	write_trace(ring, bytes, by->time);
	result = publish_aux(ring, event, by, start, bytes, flags);
	return aux_wakes(ring) ? SIM_RING_WOKE : result;
}

enum sim_ring_result sim_ring_aux_stop(struct sim_ring *ring,
				       struct sim_event *event,
				       const struct sim_context *by)
{
	uint64_t bytes = MIN(ring->aux_head, ring->aux_size);

	return publish_aux(ring, event, by, ring->aux_head, bytes,
			   PERF_AUX_FLAG_OVERWRITE);
}
