/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/perfdata_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/err.h"
#include "perf/abi/record.h"
#include "trace/perfdata/perfdata_state.h"

static void write_out(struct perfdata_writer *w, const void *bytes, size_t size)
{
	errno = 0;
	if (fwrite(bytes, 1, size, w->out) != size)
		w->error = errno ? -errno : -EIO;
}

/* Move the stream, but not the writer's position. */
static void go_to(struct perfdata_writer *w, uint64_t offset)
{
	errno = 0;
	if (!w->error && fseeko(w->out, (off_t)offset, SEEK_SET))
		w->error = errno ? -errno : -EIO;
}

void perfdata_put(struct perfdata_writer *w, const void *bytes, size_t size)
{
	if (w->error || !size)
		return;
	write_out(w, bytes, size);
	w->pos += size;
}

void perfdata_put_at(struct perfdata_writer *w, uint64_t offset,
		     const void *bytes, size_t size)
{
	go_to(w, offset);
	if (!w->error && size)
		write_out(w, bytes, size);
}

void perfdata_put_u32(struct perfdata_writer *w, uint32_t value)
{
	perfdata_put(w, &value, sizeof(value));
}

void perfdata_put_u64(struct perfdata_writer *w, uint64_t value)
{
	perfdata_put(w, &value, sizeof(value));
}

void perfdata_put_pad(struct perfdata_writer *w, size_t size)
{
	static const uint8_t zeros[PERFDATA_STRING_ALIGN];

	perfdata_put(w, zeros, size);
}

void perfdata_put_string(struct perfdata_writer *w, const char *text)
{
	size_t len = strnlen(text, PERFDATA_PATH_MAX - 1);
	size_t padded = perfdata_align(len + 1, PERFDATA_STRING_ALIGN);

	perfdata_put_u32(w, (uint32_t)padded);
	perfdata_put(w, text, len);
	perfdata_put_pad(w, padded - len);
}

void perfdata_seek(struct perfdata_writer *w, uint64_t offset)
{
	go_to(w, offset);
	w->pos = offset;
}

/*
 * A longer attribute is cut: the members behind are of kernels newer than perf
 * 6.1, and 0 unless someone set them.
 */
void perfdata_fill_attr(uint8_t bytes[PERFDATA_ATTR_SIZE],
			const struct perf_event_attr *attr)
{
	const uint32_t size = PERFDATA_ATTR_SIZE;

	memset(bytes, 0, PERFDATA_ATTR_SIZE);
	memcpy(bytes, attr,
	       sizeof(*attr) < PERFDATA_ATTR_SIZE ? sizeof(*attr) :
						    PERFDATA_ATTR_SIZE);
	memcpy(bytes + offsetof(struct perf_event_attr, size), &size,
	       sizeof(size));
}

int perfdata_writer_add_id(struct perfdata_writer *w, size_t event,
			   uint64_t id)
{
	struct writer_event *e;
	uint64_t *place;

	if (event >= w->nr_events)
		return -EINVAL;
	e = &w->events[event];
	place = array_add(e->ids, e->nr_ids, e->ids_cap);
	if (place)
		*place = id;
	else
		w->error = w->error ? w->error : -ENOMEM;
	return w->error;
}

static int take_events(struct perfdata_writer *w,
		       const struct perfdata_event *events, size_t nr)
{
	w->events = calloc(nr ? nr : 1, sizeof(*w->events));
	if (!w->events)
		return -ENOMEM;
	w->nr_events = nr;
	for (size_t i = 0; i < nr; i++) {
		w->events[i].name = events[i].name;
		w->events[i].attr = events[i].attr;
		w->events[i].leader = events[i].leader;
		for (size_t j = 0; j < events[i].nr_ids; j++)
			perfdata_writer_add_id(w, i, events[i].ids[j]);
	}
	return w->error;
}

static uint64_t attrs_size(const struct perfdata_writer *w)
{
	return w->nr_events * sizeof(struct perfdata_attr);
}

/* Leave room for what is written later. */
static void reserve(struct perfdata_writer *w, uint64_t size)
{
	uint64_t end = w->pos + size;

	while (!w->error && w->pos < end) {
		uint64_t left = end - w->pos;

		perfdata_put_pad(w, left < PERFDATA_STRING_ALIGN ?
					    (size_t)left :
					    PERFDATA_STRING_ALIGN);
	}
}

/*
 * With priority inheritance: threads that write trace may be realtime, and must
 * not wait for a thread of lower priority that is preempted.
 */
static void init_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(lock, &attr);
	pthread_mutexattr_destroy(&attr);
}

struct perfdata_writer *perfdata_writer_new(FILE *out,
					    const struct perfdata_event *events,
					    size_t nr, struct err *err)
{
	struct perfdata_writer *w = calloc(1, sizeof(*w));
	int ret = -ENOMEM;

	if (w) {
		w->out = out;
		init_lock(&w->lock);
		ret = take_events(w, events, nr);
	}
	if (!ret) {
		perfdata_seek(w, 0);
		reserve(w, sizeof(struct perfdata_header) + attrs_size(w));
		w->data = w->pos;
		ret = w->error;
	}
	if (!ret)
		return w;
	err_errno(err, ret, "beginning a perf.data file");
	perfdata_writer_free(w);
	return NULL;
}

/*
 * Write records or trace.  The first bytes after a checkpoint are held back:
 * the table of features is in their place until the next one.
 */
static void put_data(struct perfdata_writer *w, const void *bytes, size_t size)
{
	struct writer_checkpoint *c = &w->checkpoint;
	size_t held = MIN(size, c->to_hold - c->nr_held);

	if (held) {
		memcpy(c->held + c->nr_held, bytes, held);
		c->nr_held += held;
		w->pos += held;
	}
	perfdata_put(w, (const unsigned char *)bytes + held, size - held);
}

int perfdata_write(struct perfdata_writer *w, const void *record, size_t size)
{
	struct perf_event_header header;

	if (size < sizeof(header))
		return -EINVAL;
	memcpy(&header, record, sizeof(header));
	if (!record_sane(header, size) || header.size != size)
		return -EINVAL;
	return perfdata_write_bytes(w, record, size);
}

int perfdata_write_bytes(struct perfdata_writer *w, const void *bytes,
			 size_t size)
{
	pthread_mutex_lock(&w->lock);
	put_data(w, bytes, size);
	pthread_mutex_unlock(&w->lock);
	return w->error;
}

/*
 * The size in the index is that of the record without its trace: perf 6.1
 * accepts no other (auxtrace_queues__process_index()).
 */
static int enter_trace(struct perfdata_writer *w)
{
	struct perfdata_section *trace;

	trace = array_add(w->traces, w->nr_traces, w->traces_cap);
	if (!trace) {
		w->error = w->error ? w->error : -ENOMEM;
		return w->error;
	}
	trace->offset = w->pos;
	trace->size = sizeof(struct perfdata_record_auxtrace);
	return w->error;
}

struct perfdata_record_auxtrace
perfdata_auxtrace_record(const struct perfdata_auxtrace *head, uint64_t size)
{
	return (struct perfdata_record_auxtrace){
		.header = {
			.type = PERFDATA_RECORD_AUXTRACE,
			.size = sizeof(struct perfdata_record_auxtrace),
		},
		.size = size,
		.offset = head->offset,
		.reference = head->reference,
		.idx = head->idx,
		.tid = (uint32_t)head->tid,
		.cpu = (uint32_t)head->cpu,
	};
}

int perfdata_write_auxtrace(struct perfdata_writer *w,
			    const struct perfdata_auxtrace *head,
			    const void *const data[2], const size_t len[2])
{
	static const uint8_t zeros[sizeof(uint64_t)];
	size_t size = len[0] + len[1];
	size_t padded = perfdata_align(size, sizeof(uint64_t));
	const struct perfdata_record_auxtrace record =
		perfdata_auxtrace_record(head, padded);

	pthread_mutex_lock(&w->lock);
	if (!enter_trace(w)) {
		put_data(w, &record, sizeof(record));
		put_data(w, data[0], len[0]);
		put_data(w, data[1], len[1]);
		put_data(w, zeros, padded - size);
	}
	pthread_mutex_unlock(&w->lock);
	return w->error;
}

uint64_t perfdata_writer_bytes(const struct perfdata_writer *w)
{
	return w->pos;
}

void perfdata_writer_times(struct perfdata_writer *w, uint64_t first,
			   uint64_t last)
{
	w->first = first;
	w->last = last;
	w->has_times = true;
}

int perfdata_writer_dso(struct perfdata_writer *w, const char *path,
			const struct elf_build_id *id)
{
	struct writer_dso *dso;

	if (!id->len || id->len > ELF_BUILD_ID_MAX || !path[0] ||
	    strnlen(path, PERFDATA_PATH_MAX) == PERFDATA_PATH_MAX)
		return -EINVAL;
	dso = array_add(w->dsos, w->nr_dsos, w->dsos_cap);
	if (dso)
		*dso = (struct writer_dso){ .path = strdup(path), .id = *id };
	if (!dso || !dso->path)
		w->error = w->error ? w->error : -ENOMEM;
	return w->error;
}

static bool has_room(const struct perfdata_writer *w)
{
	for (size_t i = 0; i < w->nr_events; i++)
		if (w->events[i].nr_ids > w->checkpoint.room)
			return false;
	return true;
}

/* Bytes of the ids that have no room before the records. */
static size_t ids_behind(const struct perfdata_writer *w)
{
	size_t nr = 0;

	for (size_t i = 0; !has_room(w) && i < w->nr_events; i++)
		nr += w->events[i].nr_ids;
	return nr * sizeof(w->events[0].ids[0]);
}

/* Write the ids, if they have no room before the records at @behind. */
static void put_ids(struct perfdata_writer *w, struct perfdata_attr *attrs,
		    uint64_t behind)
{
	bool room = has_room(w);

	for (size_t i = 0; i < w->nr_events; i++) {
		const struct writer_event *e = &w->events[i];
		struct perfdata_section *ids = &attrs[i].ids;

		perfdata_fill_attr(attrs[i].attr, e->attr);
		ids->size = e->nr_ids * sizeof(e->ids[0]);
		ids->offset = behind;
		if (room)
			ids->offset = w->checkpoint.ids +
				      i * w->checkpoint.room *
					      sizeof(e->ids[0]);
		perfdata_put_at(w, ids->offset, e->ids, ids->size);
		behind += room ? 0 : ids->size;
	}
}

static void flush(struct perfdata_writer *w)
{
	errno = 0;
	if (!w->error && fflush(w->out))
		w->error = errno ? -errno : -EIO;
}

/*
 * The records end at @end, and @features are described there.  Up to the flush
 * the previous checkpoint is valid, whatever happens.  The header comes last:
 * without it nothing is.
 */
static void put_head(struct perfdata_writer *w, const uint64_t features[4],
		     uint64_t end, const struct perfdata_attr *attrs)
{
	struct writer_checkpoint *c = &w->checkpoint;
	struct perfdata_header header = {
		.magic = PERFDATA_MAGIC,
		.size = sizeof(header),
		.attr_size = sizeof(*attrs),
		.attrs = { sizeof(header), attrs_size(w) },
		.data = { w->data, end - w->data },
	};

	memcpy(header.features, features, sizeof(header.features));
	perfdata_put_at(w, sizeof(header), attrs, (size_t)header.attrs.size);
	flush(w);
	perfdata_put_at(w, c->tail, c->held, c->nr_held);
	perfdata_put_at(w, 0, &header, sizeof(header));
	c->nr_held = c->to_hold = 0;
}

static struct perfdata_attr *new_attrs(struct perfdata_writer *w)
{
	struct perfdata_attr *attrs =
		calloc(w->nr_events ? w->nr_events : 1, sizeof(*attrs));

	if (!attrs && !w->error)
		w->error = -ENOMEM;
	return attrs;
}

size_t perfdata_writer_max_ids(const struct perfdata_writer *w)
{
	size_t max = 0;

	for (size_t i = 0; i < w->nr_events; i++)
		max = MAX(max, w->events[i].nr_ids);
	return max;
}

int perfdata_writer_begin_checkpoints(struct perfdata_writer *w,
				      const struct perfdata_machine *machine,
				      size_t ids)
{
	w->checkpoint.on = true;
	w->checkpoint.ids = w->pos;
	w->checkpoint.room = ids;
	reserve(w, w->nr_events * ids * sizeof(w->events[0].ids[0]));
	perfdata_features_put_ahead(w, machine);
	reserve(w, -w->pos % sizeof(uint64_t));
	w->data = w->pos;
	return w->error;
}

static void set_checkpoint(struct perfdata_writer *w,
			   struct perfdata_attr *attrs)
{
	struct writer_checkpoint *c = &w->checkpoint;
	const uint64_t features[4] = { w->ahead.bits };
	struct perfdata_section table[PERFDATA_FEATURES];
	size_t size = perfdata_features_table(w, table);
	size_t tail = size + ids_behind(w);
	unsigned char *held = malloc(tail);
	uint64_t end = w->pos;

	if (!held) {
		w->error = -ENOMEM;
		return;
	}
	perfdata_put_at(w, end, table, size);
	put_ids(w, attrs, end + size);
	put_head(w, features, end, attrs);
	free(c->held);
	c->held = held;
	c->tail = end;
	c->to_hold = tail;
	go_to(w, end + tail);
	flush(w);
}

int perfdata_writer_checkpoint(struct perfdata_writer *w)
{
	struct writer_checkpoint *c = &w->checkpoint;
	struct perfdata_attr *attrs;

	pthread_mutex_lock(&w->lock);
	if (c->on && !w->error && c->nr_held == c->to_hold) {
		attrs = new_attrs(w);
		if (attrs)
			set_checkpoint(w, attrs);
		free(attrs);
	}
	pthread_mutex_unlock(&w->lock);
	return w->error;
}

/*
 * Put records that say nothing in the place of the last checkpoint's table, so
 * that what the end writes does not overwrite it.
 */
static void fill_held(struct perfdata_writer *w)
{
	const struct perf_event_header nothing = {
		.type = PERFDATA_RECORD_FINISHED_ROUND,
		.size = sizeof(nothing),
	};

	while (!w->error && w->checkpoint.nr_held < w->checkpoint.to_hold)
		put_data(w, &nothing, sizeof(nothing));
}

static void finish(struct perfdata_writer *w,
		   const struct perfdata_machine *machine,
		   struct perfdata_attr *attrs)
{
	uint64_t features[4] = { 0 };
	uint64_t end;

	fill_held(w);
	end = w->pos;
	perfdata_features_put(w, machine, features);
	put_ids(w, attrs, w->pos);
	w->pos += ids_behind(w);
	put_head(w, features, end, attrs);
	go_to(w, w->pos);
	flush(w);
}

int perfdata_writer_finish(struct perfdata_writer *w,
			   const struct perfdata_machine *machine,
			   struct err *err)
{
	struct perfdata_attr *attrs = new_attrs(w);

	if (!w->error)
		finish(w, machine, attrs);
	free(attrs);
	if (w->error)
		err_errno(err, w->error, "writing a perf.data file");
	return w->error;
}

void perfdata_writer_free(struct perfdata_writer *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->nr_events; i++)
		free(w->events[i].ids);
	free(w->events);
	for (size_t i = 0; i < w->nr_dsos; i++)
		free(w->dsos[i].path);
	free(w->dsos);
	free(w->traces);
	free(w->checkpoint.held);
	pthread_mutex_destroy(&w->lock);
	free(w);
}
