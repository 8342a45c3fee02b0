/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/perfdata_events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/text.h"
#include "perf/abi/record.h"
#include "perf/abi/side_band.h"
#include "trace/perfdata/perfdata_format.h"

enum {
	/* in a perf_event_attr */
	ATTR_CONFIG = 8,
	ATTR_PERIOD = 16,
	ATTR_SAMPLE_TYPE = 24,
	ATTR_READ_FORMAT = 32,
	ATTR_FLAGS = 40,
	ATTR_BRANCHES = 72,
	ATTR_REGS_USER = 80,
	ATTR_REGS_INTR = 96,
	FLAG_INHERIT = 1,	/* bits of these */
	FLAG_FREQ = 10,
	FLAG_SAMPLE_ID_ALL = 18,
	FLAG_BUILD_ID = 34,
	/* in THROTTLE and UNTHROTTLE */
	THROTTLE_ID = 16,
	/* in LOST; and the count in LOST_SAMPLES */
	LOST_ID = 8,
	LOST_SAMPLES_COUNT = 8,
	/* in AUXTRACE */
	AUXTRACE_SIZE = 8,
	AUXTRACE_TID = 36,
	AUXTRACE_CPU = 40,
	AUXTRACE_FIXED = 48,
	/* in ID_INDEX */
	INDEX_NR = 8,
	INDEX_ENTRIES = 16,
	INDEX_ENTRY = 32,
};

const char *perfdata_record_name(uint32_t type)
{
	switch (type) {
#define RECORD(nr, name)                                                       \
	case nr:                                                               \
		return #name;
		PERFDATA_RECORDS(RECORD)
#undef RECORD
	}
	return type && record_index(type) && strcmp(record_name(type), "OTHER") ?
		       record_name(type) : NULL;
}

void perfdata_events_free(struct perfdata_events *e)
{
	free(e->list);
	free(e->ids);
	table_free(&e->by_id);
}

/* Bit @nr of the bit-field: a big-endian compiler starts at the top bit. */
static bool attr_flag(struct perfdata_order order, const uint8_t *attr,
		      unsigned int nr)
{
	unsigned int byte = attr[ATTR_FLAGS + nr / 8];

	return byte >> (order.big ? 7 - nr % 8 : nr % 8) & 1;
}

/* As perf_output_sample() writes them (kernel/events/core.c). */
static struct perfdata_fields sample_fields(uint64_t type)
{
	struct perfdata_fields f = { .size = sizeof(struct perf_event_header) };
	struct {
		uint64_t bit;
		uint16_t *at;
	} order[] = {
		{ PERF_SAMPLE_IDENTIFIER, &f.id },
		{ PERF_SAMPLE_IP, NULL },
		{ PERF_SAMPLE_TID, &f.tid },
		{ PERF_SAMPLE_TIME, &f.time },
		{ PERF_SAMPLE_ADDR, NULL },
		{ PERF_SAMPLE_ID, &f.id },
		{ PERF_SAMPLE_STREAM_ID, NULL },
		{ PERF_SAMPLE_CPU, &f.cpu },
	};

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		if (!(type & order[i].bit))
			continue;
		if (order[i].at)
			*order[i].at = f.size;
		f.size = (uint16_t)(f.size + sizeof(uint64_t));
	}
	f.whole = f.id && f.tid && f.time;
	return f;
}

/* As __perf_event__output_id_sample() does; from the end, in reverse. */
static struct perfdata_fields trailer_fields(uint64_t type)
{
	struct perfdata_fields f = { 0 };
	struct {
		uint64_t bit;
		uint16_t *at;
	} order[] = {
		{ PERF_SAMPLE_IDENTIFIER, &f.id },
		{ PERF_SAMPLE_CPU, &f.cpu },
		{ PERF_SAMPLE_STREAM_ID, NULL },
		{ PERF_SAMPLE_ID, &f.id },
		{ PERF_SAMPLE_TIME, &f.time },
		{ PERF_SAMPLE_TID, &f.tid },
	};

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		if (!(type & order[i].bit))
			continue;
		f.size = (uint16_t)(f.size + sizeof(uint64_t));
		if (order[i].at)
			*order[i].at = f.size;
	}
	return f;
}

/* What is known of an id; NULL: nothing. */
static struct perfdata_id_info *find_id(const struct perfdata_events *e,
					uint64_t id)
{
	const struct table_entry *entry = table_find(&e->by_id, id);

	return entry ? &e->ids[entry->index] : NULL;
}

/* The same; an unknown one is added.  0 with *@out, or -errno. */
static int need_id(struct perfdata_events *e, uint64_t id,
		   struct perfdata_id_info **out)
{
	int ret;

	e->recent[id % PERFDATA_RECENT_IDS].sample.whole = false;
	*out = find_id(e, id);
	if (*out)
		return 0;
	if (e->nr_ids == PERFDATA_IDS_MAX)
		return -EFBIG;
	ret = array_fit(e->ids, e->ids_cap, e->nr_ids + 1);
	if (ret == 0)
		ret = table_add_index(&e->by_id, id, e->nr_ids);
	if (ret)
		return ret;
	*out = &e->ids[e->nr_ids++];
	**out = (struct perfdata_id_info){ PERFDATA_NO_EVENT, -1, -1 };
	return 0;
}

/* A u64 of an attr; 0 in one that is too old to have it. */
static uint64_t attr_word(struct perfdata_order order, const uint8_t *attr,
			  size_t size, size_t at)
{
	return at + sizeof(uint64_t) <= size ? perfdata_get64(order, attr + at) :
					       0;
}

int perfdata_events_add(struct perfdata_events *e, const uint8_t *attr,
			size_t size, const uint8_t *ids, size_t nr)
{
	struct perfdata_event_info *event;
	struct perfdata_id_info *id;
	int ret;

	if (e->nr == PERFDATA_EVENTS_MAX)
		return -EFBIG;
	event = array_add(e->list, e->nr, e->room);
	if (!event)
		return -ENOMEM;
	event->type = perfdata_get32(e->order, attr);
	event->config = perfdata_get64(e->order, attr + ATTR_CONFIG);
#define WORD(at) attr_word(e->order, attr, size, at)
	event->layout = (struct sample_layout){
		.sample_type = WORD(ATTR_SAMPLE_TYPE),
		.read_format = WORD(ATTR_READ_FORMAT),
		.branch_sample_type = WORD(ATTR_BRANCHES),
		.regs_user = WORD(ATTR_REGS_USER),
		.regs_intr = WORD(ATTR_REGS_INTR),
	};
	if (!attr_flag(e->order, attr, FLAG_FREQ))
		event->period = WORD(ATTR_PERIOD);
#undef WORD
	event->build_ids = attr_flag(e->order, attr, FLAG_BUILD_ID);
	event->inherit = attr_flag(e->order, attr, FLAG_INHERIT);
	event->sample_id_all = attr_flag(e->order, attr, FLAG_SAMPLE_ID_ALL);
	event->sample = sample_fields(event->layout.sample_type);
	event->trailer = trailer_fields(event->layout.sample_type);
	for (size_t i = 0; i < nr; i++) {
		ret = need_id(e, perfdata_get64(e->order, ids + 8 * i), &id);
		if (ret)
			return ret;
		id->event = e->nr - 1;
	}
	return 0;
}

void perfdata_events_name(struct perfdata_events *e, size_t i,
			  const uint8_t *name, size_t size)
{
	char raw[PERFDATA_NAME_SIZE];
	size_t len = strnlen((const char *)name, MIN(size, sizeof(raw) - 1));

	if (i >= e->nr)
		return;
	memcpy(raw, name, len);
	raw[len] = '\0';
	text_copy(e->list[i].name, sizeof(e->list[i].name), raw);
}

void perfdata_events_name_id(struct perfdata_events *e, uint64_t id,
			     const uint8_t *name, size_t size)
{
	const struct perfdata_id_info *info = find_id(e, id);

	if (info)
		perfdata_events_name(e, info->event, name, size);
}

int perfdata_events_index(struct perfdata_events *e, const uint8_t *record,
			  size_t size)
{
	struct perfdata_id_info *id;
	const uint8_t *at = record + INDEX_ENTRIES;
	uint64_t nr;
	int ret;

	if (size < INDEX_ENTRIES)
		return 0;
	nr = MIN(perfdata_get64(e->order, record + INDEX_NR),
		 (size - INDEX_ENTRIES) / INDEX_ENTRY);
	for (; nr; nr--, at += INDEX_ENTRY) {
		ret = need_id(e, perfdata_get64(e->order, at), &id);
		if (ret)
			return ret;
		id->cpu = (int32_t)perfdata_get64(e->order, at + 16);
		id->tid = (int32_t)perfdata_get64(e->order, at + 24);
		e->of_cpus += id->cpu >= 0;
		e->of_tasks += id->cpu < 0 && id->tid >= 0;
	}
	return 0;
}

/* A word of a record; @at 0: none.  False if it is not there. */
static bool get_word(const struct perfdata_events *e,
		     const struct perfdata_record *r, size_t at,
		     uint64_t *value)
{
	if (!at || at > r->size || r->size - at < sizeof(*value))
		return false;
	*value = perfdata_get64(e->order, r->bytes + at);
	return true;
}

/* The same of a u32. */
static bool get_half(const struct perfdata_events *e,
		     const struct perfdata_record *r, size_t at,
		     uint32_t *value)
{
	if (!at || at > r->size || r->size - at < sizeof(*value))
		return false;
	*value = perfdata_get32(e->order, r->bytes + at);
	return true;
}

/* Where the trailer of @r, of @size bytes, ends. */
static size_t trailer_end(const struct perfdata_record *r, size_t size)
{
	return record_end_in(r->type, r->size, r->bytes, UINT64_MAX, 0, size);
}

/*
 * Where the fields of @r are, from its start; .size 0: nowhere.  Of a sample,
 * they may be beyond its end; of others, they are written to @trailer.
 */
static const struct perfdata_fields *
fields_of(const struct perfdata_event_info *event,
	  const struct perfdata_record *r, struct perfdata_fields *trailer)
{
	const struct perfdata_fields *f = &event->trailer;
	size_t end;

	if (r->type == PERF_RECORD_SAMPLE)
		return &event->sample;
	*trailer = (struct perfdata_fields){ 0 };
	if (!event->sample_id_all || !f->size ||
	    f->size + sizeof(struct perf_event_header) > r->size)
		return trailer;
	end = trailer_end(r, f->size);
#define FROM_END(field) (f->field ? (uint16_t)(end - f->field) : 0)
	*trailer = (struct perfdata_fields){
		.id = FROM_END(id),
		.tid = FROM_END(tid),
		.time = FROM_END(time),
		.cpu = FROM_END(cpu),
		.size = f->size,
	};
#undef FROM_END
	return trailer;
}

/* The id that the body of some records has in addition. */
static size_t body_id(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_LOST:
		return LOST_ID;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		return THROTTLE_ID;
	}
	return 0;
}

/*
 * perf writes records of tasks and mappings that existed before, with a trailer
 * of zeros; they were in no ring.
 */
static bool is_synthesized(const struct perfdata_record *r,
			   const struct perfdata_fields *f)
{
	const uint8_t *end;

	switch (r->type) {
	case PERF_RECORD_SAMPLE:
	case PERF_RECORD_LOST:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
	case PERF_RECORD_AUX:
	case PERF_RECORD_ITRACE_START:
		return false;	/* perf makes none of these */
	}
	if (!f->size)
		return false;
	if (f->time)
		return r->time == 0;
	end = r->bytes + trailer_end(r, f->size);
	for (const uint8_t *at = end - f->size; at < end; at++)
		if (*at)
			return false;
	return true;
}

/*
 * The ring that a record was in: by its id, if ID_INDEX has it; without ids in
 * records by its task, if ID_INDEX has only rings of tasks; else by its CPU.  A
 * thread has a ring of its own only if there is none for each CPU, and what it
 * starts is not in the same one.
 */
static void find_origin(const struct perfdata_events *e,
			const struct perfdata_event_info *event,
			const struct perfdata_id_info *id,
			const struct perfdata_fields *f,
			struct perfdata_record *r)
{
	bool counted = !id && r->type == PERF_RECORD_LOST_SAMPLES;
	bool of_task = !f->id && e->of_tasks && !e->of_cpus;

	r->origin = PERFDATA_OF_SOME_RING;
	/* there is only one ring that it can be of */
	if (counted && e->nr_ids == 1 && is_synthesized(r, f))
		id = e->ids;
	if (id && (id->cpu >= 0 || id->tid >= 0)) {
		r->origin = id->cpu >= 0 ? PERFDATA_OF_CPU : PERFDATA_OF_TASK;
		r->ring = (uint32_t)(id->cpu >= 0 ? id->cpu : id->tid);
	} else if (is_synthesized(r, f)) {
		/* at the end, perf reads what was lost and writes that */
		if (r->type != PERF_RECORD_LOST_SAMPLES)
			r->origin = PERFDATA_OF_NO_RING;
	} else if (!of_task && get_half(e, r, f->cpu, &r->ring)) {
		r->origin = PERFDATA_OF_CPU;
	} else if (f->tid && (of_task || !event->inherit) &&
		   get_half(e, r, f->tid + 4u, &r->ring)) {
		r->origin = PERFDATA_OF_TASK;
	}
}

/* Whether decode_sample() can decode samples of @id, then kept in @recent. */
__attribute__((noinline))
static bool take_recent(struct perfdata_events *e, uint64_t id,
			struct perfdata_recent_id *recent)
{
	const struct perfdata_id_info *info = find_id(e, id);

	if (!info || info->event >= e->nr ||
	    (info->cpu < 0 && info->tid < 0 && !e->list[info->event].sample.cpu))
		return false;
	*recent = (struct perfdata_recent_id){
		.id = id,
		.event = info->event,
		.origin = info->cpu < 0 && info->tid >= 0 ? PERFDATA_OF_TASK :
							    PERFDATA_OF_CPU,
		.ring = info->cpu >= 0 ? info->cpu : MAX(info->tid, -1),
		.sample = e->list[info->event].sample,
	};
	return recent->sample.whole;
}

/*
 * What decode_any() does with samples that have all of their fields, and an id
 * by which, or by their CPU, the ring is known: with most.  False: it is none.
 */
static inline bool decode_sample(struct perfdata_events *e,
				 struct perfdata_record *r)
{
	const struct perfdata_fields *f = &e->list->sample;
	struct perfdata_recent_id *recent;
	uint64_t id;

	if (!f->id || r->size < f->size)
		return false;
	id = perfdata_get64(e->order, r->bytes + f->id);
	recent = &e->recent[id % PERFDATA_RECENT_IDS];
	if ((recent->id != id || !recent->sample.whole) &&
	    !take_recent(e, id, recent))
		return false;
	f = &recent->sample;
	if (r->size < f->size)
		return false;
	r->cpu = f->cpu ? perfdata_get32(e->order, r->bytes + f->cpu) :
			  UINT32_MAX;
	r->origin = recent->origin;
	r->ring = recent->ring < 0 ? r->cpu : (uint32_t)recent->ring;
	r->pid = perfdata_get32(e->order, r->bytes + f->tid);
	r->event = recent->event;
	r->time = perfdata_get64(e->order, r->bytes + f->time);
	if (r->time == 0)
		r->time = UNKNOWN;
	r->lost = r->trace = r->aux_flags = 0;
	return true;
}

/* The events of a file have their ids at the same place, if they have any. */
static void decode_origin(struct perfdata_events *e, struct perfdata_record *r)
{
	const struct perfdata_event_info *event = e->list;
	const struct perfdata_id_info *id = NULL;
	const struct perfdata_fields *f;
	struct perfdata_fields trailer;
	uint64_t word;

	r->origin = PERFDATA_OF_SOME_RING;
	if (!e->nr)
		return;
	f = fields_of(event, r, &trailer);
	if (get_word(e, r, f->id, &word))
		id = find_id(e, word);
	if (id && id->event != PERFDATA_NO_EVENT && id->event) {
		event = &e->list[id->event];
		f = fields_of(event, r, &trailer);
	}
	if (r->type == PERF_RECORD_SAMPLE && (id || e->nr == 1))
		r->event = id ? id->event : 0;
	if (!id && get_word(e, r, body_id(r->type), &word))
		id = find_id(e, word);
	if (get_word(e, r, f->time, &word))
		r->time = word;
	get_half(e, r, f->cpu, &r->cpu);
	if (r->type == PERF_RECORD_SAMPLE)
		get_half(e, r, f->tid, &r->pid);
	find_origin(e, event, id, f, r);
	if (f->time && r->time == 0)
		r->time = UNKNOWN;
}

static void decode_auxtrace(const struct perfdata_events *e,
			    struct perfdata_record *r)
{
	uint32_t cpu, tid;

	if (r->size < AUXTRACE_FIXED)
		return;
	r->trace = perfdata_get64(e->order, r->bytes + AUXTRACE_SIZE);
	cpu = perfdata_get32(e->order, r->bytes + AUXTRACE_CPU);
	tid = perfdata_get32(e->order, r->bytes + AUXTRACE_TID);
	r->origin = PERFDATA_OF_SOME_RING;
	if (cpu != UINT32_MAX || tid != UINT32_MAX) {
		r->origin = cpu != UINT32_MAX ? PERFDATA_OF_CPU :
						PERFDATA_OF_TASK;
		r->ring = cpu != UINT32_MAX ? cpu : tid;
	}
}

__attribute__((noinline))
static void decode_any(struct perfdata_events *e, struct perfdata_record *r)
{
	r->origin = PERFDATA_OF_NO_RING;
	r->ring = 0;
	r->cpu = r->pid = UINT32_MAX;
	r->event = PERFDATA_NO_EVENT;
	r->time = UNKNOWN;
	r->lost = r->trace = r->aux_flags = 0;
	if (r->bytes && r->type && r->type < PERFDATA_RECORD_FIRST)
		decode_origin(e, r);
	switch (r->type) {
	case PERF_RECORD_LOST:
		get_word(e, r, RECORD_LOST_COUNT, &r->lost);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		get_word(e, r, LOST_SAMPLES_COUNT, &r->lost);
		break;
	case PERF_RECORD_AUX:
		get_word(e, r, RECORD_AUX_SIZE, &r->trace);
		get_word(e, r, RECORD_AUX_FLAGS, &r->aux_flags);
		break;
	case PERFDATA_RECORD_AUXTRACE:
		decode_auxtrace(e, r);
		break;
	}
}

void perfdata_events_decode(struct perfdata_events *e,
			    struct perfdata_record *r)
{
	if (r->type != PERF_RECORD_SAMPLE || !e->nr || !decode_sample(e, r))
		decode_any(e, r);
}

/*
 * Sizes in bytes of the fields at the start of a record's body that are not in
 * a word of their own; '.': a byte.  What follows is text, or not needed.
 */
static const char *body_of(uint32_t type, bool build_id)
{
	switch (type) {
	case PERF_RECORD_MMAP:
		return "44888";
	case PERF_RECORD_MMAP2:
		return build_id ? "44888........................44" :
				  "44888448844";
	case PERF_RECORD_COMM:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return "44";
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return "44448";
	case PERF_RECORD_KSYMBOL:
		return "8422";
	case PERF_RECORD_CGROUP:
		return "8";
	}
	return "";
}

static void swap_fields(uint8_t *at, const uint8_t *end, const char *fields)
{
	for (; *fields; fields++) {
		size_t size = *fields == '.' ? 1 : (size_t)(*fields - '0');

		if (size > (size_t)(end - at))
			return;
		for (size_t i = 0; i < size / 2; i++) {
			uint8_t byte = at[i];

			at[i] = at[size - 1 - i];
			at[size - 1 - i] = byte;
		}
		at += size;
	}
}

/* Exchange the halves of a word that is a pair of u32. */
static void fix_pair(uint64_t *words, size_t nr, size_t at)
{
	if (at && at / 8 < nr)
		words[at / 8] = words[at / 8] >> 32 | words[at / 8] << 32;
}

/*
 * Swap the words of a sample, except for pairs of u32 and the bytes of
 * PERF_SAMPLE_RAW.
 */
static void swap_sample(const struct perfdata_event_info *event,
			uint64_t *words, size_t nr)
{
	uint64_t type = event->layout.sample_type, frames;
	size_t at = event->sample.size / sizeof(*words);

	for (size_t i = 1; i < nr; i++)
		words[i] = bswap_64(words[i]);
	fix_pair(words, nr, event->sample.tid);
	fix_pair(words, nr, event->sample.cpu);
	if (!(type & PERF_SAMPLE_RAW) || type & PERF_SAMPLE_READ)
		return;
	at += (type & PERF_SAMPLE_PERIOD) != 0;
	frames = type & PERF_SAMPLE_CALLCHAIN && at < nr ? words[at++] : 0;
	if (at >= nr || frames >= nr - at)
		return;
	at += (size_t)frames;
	fix_pair(words, nr, 8 * at);
	for (size_t i = at + 1; i < nr; i++)
		words[i] = bswap_64(words[i]);
	/* the size is in the first half, the data begins in the second */
	((uint32_t *)&words[at])[1] = bswap_32(((uint32_t *)&words[at])[1]);
}

/* The event of the ids in the trailer, as decode_origin() finds it. */
static const struct perfdata_event_info *
writer_of(const struct perfdata_events *e, const struct perfdata_record *r)
{
	struct perfdata_fields trailer;
	const struct perfdata_fields *f = fields_of(e->list, r, &trailer);
	const struct table_entry *entry = NULL;
	uint64_t id;

	if (get_word(e, r, f->id, &id))
		entry = table_find(&e->by_id, id);
	if (!entry || e->ids[entry->index].event == PERFDATA_NO_EVENT)
		return e->list;
	return &e->list[e->ids[entry->index].event];
}

static size_t copy_side_band(const struct perfdata_events *e,
			     const struct perfdata_record *r, uint64_t *copy)
{
	const struct perfdata_event_info *event = writer_of(e, r);
	struct perfdata_fields room;
	const struct perfdata_fields *f = fields_of(event, r, &room);
	size_t body = trailer_end(r, f->size) - f->size;
	struct perf_event_header *header = (void *)copy;
	uint32_t trailer[RECORD_TRAILER / sizeof(uint32_t)] = { 0 };
	uint8_t *bytes = (uint8_t *)copy;

	memcpy(copy, r->bytes, body);
	*header = (struct perf_event_header){ .type = r->type, .misc = r->misc };
	if (r->type == PERF_RECORD_MMAP2 && !event->build_ids)
		header->misc &= (uint16_t)~PERF_RECORD_MISC_MMAP_BUILD_ID;
	if (e->order.swapped)
		swap_fields(bytes + sizeof(*header), bytes + body,
			    body_of(r->type, header->misc &
				    PERF_RECORD_MISC_MMAP_BUILD_ID));
	/* pid, tid, time, cpu */
	get_half(e, r, f->tid, &trailer[0]);
	get_half(e, r, f->tid ? f->tid + 4u : 0, &trailer[1]);
	if (r->time != UNKNOWN)
		memcpy(&trailer[2], &r->time, sizeof(r->time));
	trailer[4] = r->cpu;
	memcpy(bytes + body, trailer, sizeof(trailer));
	header->size = (uint16_t)(body + sizeof(trailer));
	return body + sizeof(trailer) > UINT16_MAX ? 0 : header->size;
}

size_t perfdata_events_copy(const struct perfdata_events *e,
			    const struct perfdata_record *r, uint64_t *copy)
{
	struct perf_event_header *header = (void *)copy;

	if (!r->bytes || r->size % sizeof(*copy) || r->size > UINT16_MAX)
		return 0;
	if (r->type != PERF_RECORD_SAMPLE)
		return e->nr && side_band_known(r->type) ?
			       copy_side_band(e, r, copy) : 0;
	if (r->event >= e->nr)
		return 0;
	memcpy(copy, r->bytes, r->size);
	*header = (struct perf_event_header){
		.type = r->type, .misc = r->misc, .size = (uint16_t)r->size,
	};
	if (e->order.swapped)
		swap_sample(&e->list[r->event], copy,
			    r->size / sizeof(*copy));
	return r->size;
}
