/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/abi/side_band.h"

#include <errno.h>
#include <linux/mman.h>
#include <linux/perf_event.h>
#include <string.h>

#include "perf/abi/record.h"

const struct side_band_layout side_band_own = {
	.sample_type = RECORD_SAMPLE_TYPE,
};

/*
 * The rest of a record's body.  Once @bad, everything read is 0 and every
 * string is empty.
 */
struct cursor {
	const unsigned char *at, *end;
	bool bad;
};

/* The next @size bytes; NULL if there are fewer. */
static const void *take(struct cursor *c, size_t size)
{
	const unsigned char *at = c->at;

	if (c->bad || size > (size_t)(c->end - c->at)) {
		c->bad = true;
		return NULL;
	}
	c->at += size;
	return at;
}

static void take_into(struct cursor *c, void *out, size_t size)
{
	const void *from = take(c, size);

	if (from)
		memcpy(out, from, size);
	else
		memset(out, 0, size);
}

static uint16_t take_u16(struct cursor *c)
{
	uint16_t value;

	take_into(c, &value, sizeof(value));
	return value;
}

static uint32_t take_u32(struct cursor *c)
{
	uint32_t value;

	take_into(c, &value, sizeof(value));
	return value;
}

static uint64_t take_u64(struct cursor *c)
{
	uint64_t value;

	take_into(c, &value, sizeof(value));
	return value;
}

static pid_t take_pid(struct cursor *c)
{
	return (pid_t)take_u32(c);
}

/* The rest of the body as a string, which must be terminated. */
static const char *take_string(struct cursor *c)
{
	size_t left = (size_t)(c->end - c->at);
	const char *string = take(c, left);

	if (!string || !memchr(string, '\0', left)) {
		c->bad = true;
		return "";
	}
	return string;
}

static void take_map(struct cursor *c, uint16_t misc, struct side_band_map *map)
{
	map->pid = take_pid(c);
	map->tid = take_pid(c);
	map->start = take_u64(c);
	map->len = take_u64(c);
	map->pgoff = take_u64(c);
	map->executable = !(misc & PERF_RECORD_MISC_MMAP_DATA);
	map->kernel = (misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
		      PERF_RECORD_MISC_KERNEL;
}

/* A device and inode, or in the same 24 bytes a build-id. */
static void take_identity(struct cursor *c, uint16_t misc,
			  struct side_band_map *map)
{
	map->has_inode = !(misc & PERF_RECORD_MISC_MMAP_BUILD_ID);
	if (map->has_inode) {
		map->major = take_u32(c);
		map->minor = take_u32(c);
		map->inode = take_u64(c);
		map->generation = take_u64(c);
		return;
	}
	/* a byte of length and three reserved ones */
	take_into(c, &map->build_id_len, sizeof(map->build_id_len));
	take(c, 3);
	take_into(c, map->build_id, sizeof(map->build_id));
	if (map->build_id_len > sizeof(map->build_id))
		c->bad = true;
}

static void take_mmap2(struct cursor *c, uint16_t misc,
		       struct side_band_map *map)
{
	take_map(c, misc, map);
	take_identity(c, misc, map);
	map->executable = take_u32(c) & PROT_EXEC;
	take_u32(c); /* MAP_SHARED and the like */
	map->name = take_string(c);
}

static void take_comm(struct cursor *c, uint16_t misc,
		      struct side_band_comm *comm)
{
	comm->pid = take_pid(c);
	comm->tid = take_pid(c);
	comm->exec = misc & PERF_RECORD_MISC_COMM_EXEC;
	comm->comm = take_string(c);
}

static void take_task(struct cursor *c, struct side_band *out)
{
	out->task.pid = take_pid(c);
	out->task.ppid = take_pid(c);
	out->task.tid = take_pid(c);
	out->task.ptid = take_pid(c);
	/* The trailer's time replaces it, if there is one: the same. */
	out->time = take_u64(c);
}

static void take_switch(struct cursor *c, uint32_t type, uint16_t misc,
			struct side_band_switch *sched)
{
	bool wide = type == PERF_RECORD_SWITCH_CPU_WIDE;

	sched->out = misc & PERF_RECORD_MISC_SWITCH_OUT;
	sched->preempted = misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	sched->other_pid = wide ? take_pid(c) : -1;
	sched->other_tid = wide ? take_pid(c) : -1;
}

static void take_namespaces(struct cursor *c,
			    struct side_band_namespaces *namespaces)
{
	uint64_t nr;

	namespaces->pid = take_pid(c);
	namespaces->tid = take_pid(c);
	nr = take_u64(c);
	for (uint64_t i = 0; i < nr && !c->bad; i++) {
		uint64_t dev = take_u64(c), inode = take_u64(c);

		if (i >= SIDE_BAND_NAMESPACES)
			continue;
		namespaces->links[i].dev = dev;
		namespaces->links[i].inode = inode;
		namespaces->nr = i + 1;
	}
}

static void take_ksymbol(struct cursor *c, struct side_band_ksymbol *ksymbol)
{
	ksymbol->addr = take_u64(c);
	ksymbol->len = take_u32(c);
	ksymbol->type = take_u16(c);
	ksymbol->unregister = take_u16(c) &
			      PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER;
	ksymbol->name = take_string(c);
}

static void take_text_poke(struct cursor *c, struct side_band_text_poke *poke)
{
	poke->addr = take_u64(c);
	poke->old_len = take_u16(c);
	poke->new_len = take_u16(c);
	poke->bytes = take(c, (size_t)poke->old_len + poke->new_len);
}

static void take_bpf(struct cursor *c, struct side_band_bpf *bpf)
{
	bpf->type = take_u16(c);
	bpf->flags = take_u16(c);
	bpf->id = take_u32(c);
	take_into(c, bpf->tag, sizeof(bpf->tag));
}

static void take_body(struct cursor *c, struct side_band *out)
{
	switch (out->type) {
	case PERF_RECORD_MMAP:
		take_map(c, out->misc, &out->map);
		out->map.name = take_string(c);
		break;
	case PERF_RECORD_MMAP2:
		take_mmap2(c, out->misc, &out->map);
		break;
	case PERF_RECORD_COMM:
		take_comm(c, out->misc, &out->comm);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		take_task(c, out);
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		take_switch(c, out->type, out->misc, &out->sched);
		break;
	case PERF_RECORD_NAMESPACES:
		take_namespaces(c, &out->namespaces);
		break;
	case PERF_RECORD_KSYMBOL:
		take_ksymbol(c, &out->ksymbol);
		break;
	case PERF_RECORD_TEXT_POKE:
		take_text_poke(c, &out->text_poke);
		break;
	case PERF_RECORD_BPF_EVENT:
		take_bpf(c, &out->bpf);
		break;
	case PERF_RECORD_CGROUP:
		out->cgroup.id = take_u64(c);
		out->cgroup.path = take_string(c);
		break;
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
		out->hw_id.hw_id = take_u64(c);
		break;
	}
}

bool side_band_known(unsigned int type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
	case PERF_RECORD_NAMESPACES:
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_TEXT_POKE:
	case PERF_RECORD_BPF_EVENT:
	case PERF_RECORD_CGROUP:
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
		return true;
	}
	return false;
}

/* The sample_id trailer: perf_event_open(2), sample_id_all. */
#define TRAILER_FIELDS                                                 \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |         \
	 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |                     \
	 PERF_SAMPLE_IDENTIFIER)

static size_t trailer_size(uint64_t sample_type)
{
	return sizeof(uint64_t) *
	       (size_t)__builtin_popcountll(sample_type & TRAILER_FIELDS);
}

static void take_trailer(struct cursor *c, uint64_t sample_type,
			 struct side_band *out)
{
	if (sample_type & PERF_SAMPLE_TID) {
		out->pid = take_pid(c);
		out->tid = take_pid(c);
	}
	if (sample_type & PERF_SAMPLE_TIME)
		out->time = take_u64(c);
	if (sample_type & PERF_SAMPLE_ID)
		out->id = take_u64(c);
	if (sample_type & PERF_SAMPLE_STREAM_ID)
		take_u64(c);
	if (sample_type & PERF_SAMPLE_CPU) {
		out->cpu = take_u32(c);
		take_u32(c); /* reserved */
	}
	if (sample_type & PERF_SAMPLE_IDENTIFIER)
		out->id = take_u64(c);
}

int side_band_parse(const void *record, size_t size,
		    const struct side_band_layout *layout,
		    struct side_band *out)
{
	const struct perf_event_header *header = record;
	size_t trailer = trailer_size(layout->sample_type);
	struct cursor body, end;

	/* A truncated record would have its trailer in the wrong place. */
	if (size < sizeof(*header) || header->size != size)
		return -EBADMSG;
	if (!side_band_known(header->type))
		return -ENOENT;
	if (size - sizeof(*header) < trailer)
		return -EBADMSG;
	*out = (struct side_band){ .type = header->type, .misc = header->misc };
	if (header->type == PERF_RECORD_MMAP2 && !layout->build_ids)
		out->misc &= (uint16_t)~PERF_RECORD_MISC_MMAP_BUILD_ID;
	body.at = (const unsigned char *)record + sizeof(*header);
	body.end = (const unsigned char *)record +
		   (record_end_in(header->type, size, record, UINT64_MAX, 0,
				  trailer) - trailer);
	body.bad = false;
	end = (struct cursor){ body.end, body.end + trailer, false };
	take_body(&body, out);
	take_trailer(&end, layout->sample_type, out);
	return body.bad ? -EBADMSG : 0;
}

enum { MAX_NAME = 4095 };	/* bytes of a path, without its NUL */

/*
 * PERF_RECORD_MMAP, _MMAP2, _COMM, _FORK as in linux/perf_event.h; the first
 * three are followed by a name.
 */
struct record_mmap {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
};

struct record_mmap2 {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	uint32_t maj, min;
	uint64_t ino, generation;
	uint32_t prot, flags;
};

struct record_comm {
	struct perf_event_header header;
	uint32_t pid, tid;
};

struct record_fork {
	struct perf_event_header header;
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
};

_Static_assert(sizeof(struct record_mmap2) + MAX_NAME + 1 + RECORD_TRAILER <=
		       SIDE_BAND_MADE, "SIDE_BAND_MADE is too short");

/*
 * Append the name (NULL: none) after @fixed bytes, and the trailer: zeros,
 * except for the task.  Sets the size in the header, and returns it.
 */
static size_t end_record(void *record, size_t fixed, const char *name,
			 pid_t pid, pid_t tid)
{
	struct perf_event_header *header = record;
	const uint32_t task[2] = { (uint32_t)pid, (uint32_t)tid };
	size_t len = name ? strnlen(name, MAX_NAME) : 0;
	/* with its NUL */
	size_t room = name ? (len / sizeof(uint64_t) + 1) * sizeof(uint64_t) : 0;
	uint8_t *end = (uint8_t *)record + fixed;

	memset(end, 0, room + RECORD_TRAILER);
	if (name)
		memcpy(end, name, len);
	memcpy(end + room, task, sizeof(task));
	header->size = (uint16_t)(fixed + room + RECORD_TRAILER);
	return header->size;
}

size_t side_band_make_comm(void *record, pid_t pid, pid_t tid,
			   const char *comm)
{
	struct record_comm *r = record;

	*r = (struct record_comm){
		.header.type = PERF_RECORD_COMM,
		.pid = (uint32_t)pid,
		.tid = (uint32_t)tid,
	};
	return end_record(r, sizeof(*r), comm, pid, tid);
}

size_t side_band_make_fork(void *record, pid_t pid, pid_t ppid, pid_t tid,
			   pid_t ptid)
{
	struct record_fork *r = record;

	*r = (struct record_fork){
		.header.type = PERF_RECORD_FORK,
		.pid = (uint32_t)pid,
		.ppid = (uint32_t)ppid,
		.tid = (uint32_t)tid,
		.ptid = (uint32_t)ptid,
	};
	return end_record(r, sizeof(*r), NULL, pid, tid);
}

size_t side_band_make_mmap2(void *record, const struct side_band_map *map,
			    uint32_t prot, uint32_t flags)
{
	struct record_mmap2 *r = record;

	*r = (struct record_mmap2){
		.header.type = PERF_RECORD_MMAP2,
		.header.misc = map->kernel ? PERF_RECORD_MISC_KERNEL :
					     PERF_RECORD_MISC_USER,
		.pid = (uint32_t)map->pid,
		.tid = (uint32_t)map->tid,
		.addr = map->start,
		.len = map->len,
		.pgoff = map->pgoff,
		.prot = prot,
		.flags = flags,
	};
	if (!map->executable)
		r->header.misc |= PERF_RECORD_MISC_MMAP_DATA;
	if (map->has_inode) {
		r->maj = map->major;
		r->min = map->minor;
		r->ino = map->inode;
		r->generation = map->generation;
	}
	return end_record(r, sizeof(*r), map->name, map->pid, map->tid);
}

size_t side_band_make_kernel(void *record, uint64_t start, uint64_t len,
			     uint64_t pgoff, const char *name)
{
	struct record_mmap *r = record;

	*r = (struct record_mmap){
		.header.type = PERF_RECORD_MMAP,
		.header.misc = PERF_RECORD_MISC_KERNEL,
		.pid = (uint32_t)-1,
		.addr = start,
		.len = len,
		.pgoff = pgoff,
	};
	return end_record(r, sizeof(*r), name, 0, 0);
}
