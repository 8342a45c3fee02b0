/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/abi/side_band_make.h"

#include <linux/perf_event.h>
#include <string.h>

#include "perf/abi/record.h"

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

/* Bytes that a string of length @len takes in a record, with its NUL. */
static size_t padded(size_t len)
{
	return (len / sizeof(uint64_t) + 1) * sizeof(uint64_t);
}

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
	size_t room = name ? padded(len) : 0;
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
