/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/file/trace_records.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/sysmacros.h>

#include "base/array.h"
#include "base/sys.h"
#include "base/table.h"
#include "perf/abi/side_band.h"
#include "symbols/symbol_loader.h"
#include "task/process_maps.h"
#include "task/task_history.h"
#include "perf/abi/record.h"
#include "trace/file/ring_view.h"
#include "trace/perfdata/perfdata_writer.h"

enum { LAST_KNOWN = PERF_RECORD_AUX_OUTPUT_HW_ID };	/* to perf 6.1 */

int trace_records_ids(struct trace_records *r)
{
	int ret = 0;

	while (!ret && r->nr_ids < r->ids->nr) {
		const struct event_id *id = &r->ids->ids[r->nr_ids++];
		size_t event = id->spec == SESSION_SIDE_BAND ? r->side_band :
							       id->spec;

		ret = perfdata_writer_add_id(r->writer, event, id->id);
	}
	return ret;
}

/*
 * Whether the file has an attribute for @id.  It may be that of a new ring: the
 * session is asked once for each batch of records.
 */
static bool known(struct trace_records *r, uint64_t id)
{
	if (event_ids_find(r->ids, id))
		return true;
	if (!r->stale)
		return false;
	r->stale = false;
	return event_ids_refresh(r->ids, r->session, NULL) == 0 &&
	       trace_records_ids(r) == 0 && event_ids_find(r->ids, id);
}

/*
 * In snapshot mode the offset of an AUX record is the end of its trace, and its
 * size may exceed the ring's; perf uses what the file has, if that is less
 * (cs_etm__queue_aux_fragment(), tools/perf/util/cs-etm.c).
 */
static bool wants_aux(const unsigned char *record,
		      struct perf_event_header header,
		      const struct trace_rule *rule)
{
	uint64_t end, size;

	if (!rule->cut_aux || header.size < RECORD_AUX_FIXED ||
	    !(record_word(record, RECORD_AUX_FLAGS) & PERF_AUX_FLAG_OVERWRITE))
		return true;
	end = record_word(record, RECORD_AUX_OFFSET);
	size = MIN(record_word(record, RECORD_AUX_SIZE),
		   rule->aux_to - rule->aux_from);
	return end > rule->aux_from && end <= rule->aux_to &&
	       end - rule->aux_from >= size;
}

/* Whether the file is to contain the record. */
static bool wanted(const struct trace_records *r, const unsigned char *record,
		   struct perf_event_header header, bool tasks_only,
		   const struct trace_rule *rule)
{
	/*
	 * Those that task_history kept were written already, but the newest may
	 * not be among them. perf accepts duplicates.
	 */
	if (header.type == PERF_RECORD_AUX_OUTPUT_HW_ID)
		return true;
	/* at the same time: better twice than missing */
	if (task_history_keeps(header.type))
		return !r->tracked || record_time(record, header.size) >= r->tasks_until;
	if (tasks_only || header.type == 0 || header.type > LAST_KNOWN)
		return false;
	return header.type != PERF_RECORD_AUX ||
	       wants_aux(record, header, rule);
}

/* A sample with an id that perf could not resolve is left out. */
static bool fix_sample(struct trace_records *r, const unsigned char *record,
		       struct perf_event_header header, uint64_t time)
{
	if (header.size < RECORD_SAMPLE_FIXED ||
	    !known(r, record_word(record, RECORD_SAMPLE_ID))) {
		r->unknown++;
		return false;
	}
	if (!r->last || time < r->first)
		r->first = time;
	r->last = MAX(r->last, time);
	return true;
}

/*
 * If any event asked for build-ids, the kernel sets the mark in MMAP2 records
 * for all events, also for those that did not ask and get no build-id
 * (kernel/events/core.c, perf_event_mmap_output()).
 */
static void fix_map(struct trace_records *r, unsigned char *record,
		    struct perf_event_header *header)
{
	if (header->type == PERF_RECORD_MMAP2 &&
	    header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		header->misc &= (uint16_t)~PERF_RECORD_MISC_MMAP_BUILD_ID;
		memcpy(record, header, sizeof(*header));
	}
	if (r->build_ids)
		build_ids_record(r->build_ids, record, header->size);
}

/* A record of an unknown event is kept, but its id is cleared. */
static bool fix_other(struct trace_records *r, unsigned char *record,
		      struct perf_event_header *header)
{
	unsigned char *id;

	if (header->size < sizeof(*header) + RECORD_TRAILER)
		return false;
	/* what follows the trailer is left out */
	header->size = (uint16_t)record_end(record, *header);
	memcpy(record, header, sizeof(*header));
	id = record + header->size - RECORD_TRAILER_ID;
	if (record_word(id, 0) && !known(r, record_word(id, 0)))
		memset(id, 0, RECORD_TRAILER_ID);
	if (header->type == PERF_RECORD_MMAP ||
	    header->type == PERF_RECORD_MMAP2)
		fix_map(r, record, header);
	else if (header->type == PERF_RECORD_AUX && r->no_cpu)
		memset(record + header->size - RECORD_TRAILER_CPU, 0xff,
		       sizeof(uint32_t));
	return true;
}

static bool fix(struct trace_records *r, unsigned char *record,
		struct perf_event_header *header)
{
	uint64_t time = record_time(record, header->size);

	r->newest = MAX(r->newest, time);
	if (header->type == PERF_RECORD_SAMPLE)
		return fix_sample(r, record, *header, time);
	return fix_other(r, record, header);
}

int trace_records_put(struct trace_records *r, unsigned char *buf, size_t size,
		      const struct trace_rule *rule)
{
	size_t at = 0, run = 0;	/* start of what is not written yet */
	int ret = 0;

	r->stale = true;
	while (!ret && size - at >= sizeof(struct perf_event_header)) {
		bool tasks_only = rule->tasks_only || at < rule->from;
		struct perf_event_header header;
		size_t end, kept = 0;

		memcpy(&header, buf + at, sizeof(header));
		if (!record_sane(header, size - at))
			break;
		end = at + header.size;
		if (wanted(r, buf + at, header, tasks_only, rule) &&
		    fix(r, buf + at, &header))
			kept = header.size;
		if (at + kept < end) {
			ret = perfdata_write_bytes(r->writer, buf + run,
						   at + kept - run);
			run = end;
		}
		at = end;
	}
	return ret ? ret :
		     perfdata_write_bytes(r->writer, buf + run, at - run);
}

int trace_records_task(struct trace_records *r, unsigned char *record,
		       size_t size)
{
	struct perf_event_header header;

	if (size < sizeof(header))
		return 0;
	memcpy(&header, record, sizeof(header));
	if (header.size != size || !record_sane(header, size) ||
	    !fix(r, record, &header))
		return 0;
	r->tasks_until = MAX(r->tasks_until, record_time(record, size));
	return perfdata_write_bytes(r->writer, record, header.size);
}

/* Build-ids. */

enum {
	FILES_MAX = 1 << 16,
	REFUSED_MAX = 1 << 10,	/* files that have to wait */
};

enum file_state {
	WAITING,
	ASKED,
	DONE,
};

struct file {
	struct build_ids *of;
	enum file_state state;
	struct elf_build_id id;		/* len 0: not read */
	pid_t pid;			/* a process that mapped it */
	struct process_map map;
	char path[];
};

struct build_ids {
	struct symbol_loader *loader;
	struct file **files;
	size_t nr, room;
	size_t first, left;	/* files not done: the first, their number */
	struct table by_path;	/* files by the hash of the path */
};

static bool on_found(void *ctx, void *want, const struct stat *st,
		     const struct elf_build_id *id)
{
	struct file *file = want;

	(void)ctx;
	(void)st;
	file->id = *id;
	return false;
}

static void on_done(void *ctx, void *want, int error, struct elf_symbols *elf)
{
	struct file *file = want;

	(void)ctx;
	(void)error;
	(void)elf;
	file->state = DONE;
	file->of->left--;
}

struct symbol_loader *build_ids_loader(const char *proc, unsigned int workers)
{
	static const struct symbol_loader_ops ops = {
		.found = on_found,
		.done = on_done,
	};
	const struct symbol_loader_opts opts = {
		.files = { .proc = proc, .build_ids = true },
		.workers = workers,
		.ops = &ops,
	};

	return symbol_loader_new(&opts);
}

struct build_ids *build_ids_new(struct symbol_loader *loader)
{
	struct build_ids *b = calloc(1, sizeof(*b));

	if (b)
		b->loader = loader;
	return b;
}

void build_ids_free(struct build_ids *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->nr; i++) {
		if (b->files[i]->state == ASKED)
			symbol_loader_forget(b->loader, b->files[i]);
		free(b->files[i]);
	}
	free(b->files);
	table_free(&b->by_path);
	free(b);
}

static bool has_file(const struct build_ids *b, const char *path,
		     uint64_t hash)
{
	const struct table_entry *entry = table_find(&b->by_path, hash);

	for (; entry; entry = table_again(&b->by_path, entry)) {
		const struct file *file = entry->item;

		if (!strcmp(file->path, path))
			return true;
	}
	return false;
}

static int add_file(struct build_ids *b, const struct side_band_map *map)
{
	size_t size = strlen(map->name) + 1;
	uint64_t hash = table_hash(map->name, size);
	struct file *file;
	bool deleted;

	if (b->nr == FILES_MAX || has_file(b, map->name, hash))
		return 0;
	file = calloc(1, sizeof(*file) + size);
	if (!file)
		return -ENOMEM;
	memcpy(file->path, map->name, size);
	file->of = b;
	file->pid = map->pid;
	file->map = (struct process_map){
		.start = map->start,
		.end = map->start + map->len,
		.pgoff = map->pgoff,
		.path = file->path,
		.kind = process_maps_kind(file->path, &deleted),
	};
	file->map.deleted = deleted;
	if (map->has_inode) {
		file->map.dev = makedev(map->major, map->minor);
		file->map.inode = map->inode;
	}
	if (array_fit(b->files, b->room, b->nr + 1) ||
	    table_add(&b->by_path, hash, file)) {
		free(file);
		return -ENOMEM;
	}
	b->files[b->nr++] = file;
	b->left++;
	return 0;
}

int build_ids_record(struct build_ids *b, const void *record, size_t size)
{
	struct perf_event_header header;
	struct side_band band;

	if (size < sizeof(header))
		return 0;
	memcpy(&header, record, sizeof(header));
	if (header.type != PERF_RECORD_MMAP && header.type != PERF_RECORD_MMAP2)
		return 0;
	if (side_band_parse(record, size, &side_band_own, &band) ||
	    band.map.kernel || !band.map.executable ||
	    band.map.name[0] != '/' ||
	    strnlen(band.map.name, PATH_MAX) == PATH_MAX)
		return 0;
	return add_file(b, &band.map);
}

/*
 * Ask for files that wait, also for some of those after one that has to wait
 * longer: the loader does not let files of one device occupy it.
 */
static void ask(struct build_ids *b)
{
	unsigned int refused = 0;

	while (b->first < b->nr && b->files[b->first]->state == DONE)
		b->first++;
	for (size_t i = b->first; i < b->nr && refused < REFUSED_MAX; i++) {
		struct file *file = b->files[i];

		if (file->state != WAITING)
			continue;
		/* it may call on_done() */
		file->state = ASKED;
		if (symbol_loader_ask(b->loader, file->pid, &file->map, file)) {
			file->state = WAITING;
			refused++;
		}
	}
}

size_t build_ids_read(struct build_ids *b, double seconds)
{
	double now = sys_now(), until = now + seconds;

	if (!b->left)
		return 0;
	ask(b);
	do {
		symbol_loader_poll(b->loader, (int)ceil((until - now) * 1000));
		ask(b);
		now = sys_now();
	} while (b->left && now < until);
	return b->left;
}

int build_ids_write(const struct build_ids *b, struct perfdata_writer *w)
{
	int ret = 0;

	for (size_t i = 0; i < b->nr && !ret; i++)
		if (b->files[i]->id.len)
			ret = perfdata_writer_dso(w, b->files[i]->path,
						  &b->files[i]->id);
	return ret;
}
