/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/synth.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "perf/abi/record.h"
#include "trace/perfdata/machine.h"
#include "trace/perfdata/perfdata_format.h"
#include "trace/perfdata/perfdata_writer.h"

enum {
	NAME_MAX_BYTES = 4095,	/* of a path, without its NUL */
	RECORD_MAX = UINT16_MAX - UINT16_MAX % 8,
	ALL_IDS = (RECORD_MAX - sizeof(struct perfdata_record_id_index)) /
		  sizeof(struct perfdata_id),
	ALL_WORDS = (RECORD_MAX -
		     sizeof(struct perfdata_record_auxtrace_info)) /
		    sizeof(uint64_t),
};

/* PERF_RECORD_MMAP, _MMAP2, _COMM, _FORK as linux/perf_event.h tells of them;
 * the first three are followed by a name. */
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

_Static_assert(sizeof(struct record_mmap2) + NAME_MAX_BYTES + 1 +
			       RECORD_TRAILER <= SYNTH_RECORD,
	       "SYNTH_RECORD is too short");

/*
 * The name behind @fixed bytes, and the trailer: zeros, but for the task.
 * Fills in the header's size, and returns it.
 */
static size_t end_record(void *record, size_t fixed, const char *name,
			 pid_t pid, pid_t tid)
{
	struct perf_event_header *header = record;
	const uint32_t task[2] = { (uint32_t)pid, (uint32_t)tid };
	size_t len = name ? strnlen(name, NAME_MAX_BYTES) : 0;
	size_t padded = name ? perfdata_align(len + 1, sizeof(uint64_t)) : 0;
	uint8_t *end = (uint8_t *)record + fixed;

	memset(end, 0, padded + RECORD_TRAILER);
	if (name)
		memcpy(end, name, len);
	memcpy(end + padded, task, sizeof(task));
	header->size = (uint16_t)(fixed + padded + RECORD_TRAILER);
	return header->size;
}

size_t synth_comm(void *record, pid_t pid, pid_t tid, const char *comm)
{
	struct record_comm *r = record;

	*r = (struct record_comm){
		.header.type = PERF_RECORD_COMM,
		.pid = (uint32_t)pid,
		.tid = (uint32_t)tid,
	};
	return end_record(r, sizeof(*r), comm, pid, tid);
}

size_t synth_mmap2(void *record, const struct side_band_map *map,
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

size_t synth_fork(void *record, pid_t pid, pid_t ppid, pid_t tid, pid_t ptid)
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

/* Of the kernel: no task's, which is pid -1, tid 0. */
static int put_kernel_map(struct perfdata_writer *w, uint64_t start,
			  uint64_t len, uint64_t pgoff, const char *name)
{
	union {
		struct record_mmap map;
		uint8_t bytes[SYNTH_RECORD];
	} r = {
		.map = {
			.header.type = PERF_RECORD_MMAP,
			.header.misc = PERF_RECORD_MISC_KERNEL,
			.pid = (uint32_t)-1,
			.addr = start,
			.len = len,
			.pgoff = pgoff,
		},
	};

	return perfdata_write(w, &r,
			      end_record(&r, sizeof(r.map), name, 0, 0));
}

/*
 * The kernel's name and offset tell which symbol has which address, so that
 * another boot's kallsyms can be used: machine__process_kernel_mmap_event().
 */
int synth_kernel(struct perfdata_writer *w,
		 const struct perfdata_machine *machine)
{
	int ret = 0;

	if (machine->kernel_start && machine->kernel_end)
		ret = put_kernel_map(w, machine->kernel_start,
				     machine->kernel_end -
					     machine->kernel_start,
				     machine->kernel_ref,
				     "[kernel.kallsyms]_text");
	for (size_t i = 0; i < machine->nr_modules && !ret; i++) {
		const struct perfdata_module *m = &machine->modules[i];

		ret = put_kernel_map(w, m->start, m->len, 0,
				     m->path ? m->path : m->name);
	}
	return ret;
}

int synth_time_conv(struct perfdata_writer *w,
		    const struct perf_time_conv *conv)
{
	const struct perfdata_record_time_conv record = {
		.header = {
			.type = PERFDATA_RECORD_TIME_CONV,
			.size = sizeof(record),
		},
		.time_shift = conv->time_shift,
		.time_mult = conv->time_mult,
		.time_zero = conv->time_zero,
		.time_cycles = conv->time_cycles,
		.time_mask = conv->time_mask,
		.cap_user_time_zero = conv->cap_user_time_zero,
		.cap_user_time_short = conv->cap_user_time_short,
	};

	return perfdata_write(w, &record, sizeof(record));
}

/* As many as a record holds. */
static int put_ids(struct perfdata_writer *w, const struct synth_id *ids,
		   size_t nr)
{
	struct perfdata_record_id_index head = {
		.header = {
			.type = PERFDATA_RECORD_ID_INDEX,
			.size = (uint16_t)(sizeof(head) +
					   nr * sizeof(struct perfdata_id)),
		},
		.nr = nr,
	};
	int ret = perfdata_write_bytes(w, &head, sizeof(head));

	for (size_t i = 0; i < nr && !ret; i++) {
		const struct perfdata_id id = {
			.id = ids[i].id,
			.idx = ids[i].idx,
			.cpu = (uint64_t)(int64_t)ids[i].cpu,
			.tid = (uint64_t)(int64_t)ids[i].tid,
		};

		ret = perfdata_write_bytes(w, &id, sizeof(id));
	}
	return ret;
}

int synth_id_index(struct perfdata_writer *w, const struct synth_id *ids,
		   size_t nr)
{
	int ret = 0;

	while (nr && !ret) {
		size_t some = nr < ALL_IDS ? nr : ALL_IDS;

		ret = put_ids(w, ids, some);
		ids += some;
		nr -= some;
	}
	return ret;
}

int synth_auxtrace_info(struct perfdata_writer *w, uint32_t type,
			const uint64_t *priv, size_t words)
{
	struct perfdata_record_auxtrace_info head = {
		.header.type = PERFDATA_RECORD_AUXTRACE_INFO,
		.type = type,
	};
	int ret;

	if (words > ALL_WORDS)
		return -E2BIG;
	head.header.size = (uint16_t)(sizeof(head) + words * sizeof(*priv));
	ret = perfdata_write_bytes(w, &head, sizeof(head));
	return ret ? ret : perfdata_write_bytes(w, priv,
						words * sizeof(*priv));
}

int synth_finished_round(struct perfdata_writer *w)
{
	const struct perf_event_header record = {
		.type = PERFDATA_RECORD_FINISHED_ROUND,
		.size = sizeof(record),
	};

	return perfdata_write(w, &record, sizeof(record));
}
