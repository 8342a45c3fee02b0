/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_texts PERF.DATA: rbtop's texts of the tracepoint samples in a file of
 * perf, one per line: "seconds event: text".  For trace_text.sh, which compares
 * them with perf's.  Layout of the file:
 * tools/perf/Documentation/perf.data-file-format.txt.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "samples/names.h"
#include "perf/abi/sample.h"
#include "perf/tracepoint/tracefs.h"
#include "perf/tracepoint/tracepoint.h"
#include "symbols/elf/kallsyms.h"

enum { NAMES_LIMIT = 16 << 20, TEXT = 1 << 16, EVENTS = 4096 };

struct section {
	uint64_t offset, size;
};

struct header {
	char magic[8];
	uint64_t size, attr_size;
	struct section attrs, data;
};

struct event {
	uint64_t config;
	struct sample_layout layout;
	const uint64_t *ids;
	size_t nr_ids;
	char name[128];
};

struct texts {
	char *file;
	size_t size;
	struct event events[EVENTS];
	size_t nr;
	const char *tracefs;
	struct tracepoints *tracepoints;
	struct kallsyms *kallsyms;
	struct names *names;
};

static void die(const char *what)
{
	fprintf(stderr, "perf_texts: %s\n", what);
	exit(1);
}

static const void *at(const struct texts *t, uint64_t offset, uint64_t size)
{
	if (offset > t->size || size > t->size - offset)
		die("the file is cut short");
	return t->file + offset;
}

static void read_file(struct texts *t, const char *path)
{
	FILE *f = fopen(path, "r");

	if (!f || fseek(f, 0, SEEK_END))
		die(path);
	t->size = (size_t)ftell(f);
	rewind(f);
	t->file = malloc(t->size + 1);
	if (!t->file || fread(t->file, 1, t->size, f) != t->size)
		die(path);
	fclose(f);
}

static void read_attrs(struct texts *t)
{
	const struct header *h = at(t, 0, sizeof(*h));
	uint64_t offset = h->attrs.offset;

	if (memcmp(h->magic, "PERFILE2", 8) || !h->data.size)
		die("this is no complete perf.data");
	while (offset < h->attrs.offset + h->attrs.size) {
		const struct perf_event_attr *attr =
			at(t, offset, PERF_ATTR_SIZE_VER0);
		const struct section *ids = at(t, offset + attr->size,
					       sizeof(*ids));
		struct perf_event_attr whole = { 0 };
		struct event *e = &t->events[t->nr];

		offset += attr->size + sizeof(*ids);
		if (attr->type != PERF_TYPE_TRACEPOINT)
			continue;
		memcpy(&whole, attr, attr->size < sizeof(whole) ?
					     attr->size : sizeof(whole));
		if (++t->nr == EVENTS)
			die("too many events");
		e->config = whole.config;
		e->layout = sample_layout_of(&whole);
		e->ids = at(t, ids->offset, ids->size);
		e->nr_ids = ids->size / sizeof(*e->ids);
	}
}

/* Called for every tracepoint: parse those that were recorded. */
static int learn(void *ctx, const char *sys, const char *name)
{
	struct texts *t = ctx;
	uint64_t id;

	if (tracefs_event_id(t->tracefs, sys, name, &id, NULL))
		return 0;
	for (size_t i = 0; i < t->nr; i++) {
		struct event *e = &t->events[i];

		if (e->config != id)
			continue;
		snprintf(e->name, sizeof(e->name), "%s:%s", sys, name);
		if (tracepoints_add(t->tracepoints, t->tracefs, sys, name))
			fprintf(stderr, "perf_texts: %s: no text\n", e->name);
	}
	return 0;
}

static const char *function(void *ctx, uint64_t addr, uint64_t *start)
{
	struct texts *t = ctx;
	const char *dso;

	return kallsyms_find(t->kallsyms, addr, t->names, start, &dso);
}

static void set_up(struct texts *t)
{
	const struct tracepoint_names names = {
		.function = function,
		.ctx = t,
	};
	int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || kallsyms_read(fd, &t->kallsyms))
		die("/proc/kallsyms shows no addresses");
	close(fd);
	t->names = names_new(NAMES_LIMIT);
	t->tracepoints = tracepoints_new(&names);
	t->tracefs = tracefs_path(NULL);
	if (!t->names || !t->tracepoints || !t->tracefs)
		die("no tracefs, or no memory");
	tracefs_each_event(t->tracefs, "*", "*", learn, t, NULL);
}

static const struct event *event_of(const struct texts *t, uint64_t id)
{
	for (size_t i = 0; i < t->nr; i++)
		for (size_t j = 0; j < t->events[i].nr_ids; j++)
			if (t->events[i].ids[j] == id)
				return &t->events[i];
	return &t->events[0];
}

/*
 * If the layouts of the events differ, perf puts the id first; otherwise any
 * event has its position, and a single event needs none.
 */
static const struct event *decode(const struct texts *t,
				  const struct perf_event_header *h,
				  struct sample *s)
{
	const struct event *e = &t->events[0];

	if (e->layout.sample_type & PERF_SAMPLE_IDENTIFIER)
		e = event_of(t, *(const uint64_t *)(h + 1));
	if (sample_parse(&e->layout, h, h->size, s))
		die("a sample cannot be decoded");
	return event_of(t, s->id);
}

static void print_sample(struct texts *t, const struct perf_event_header *h)
{
	static char text[TEXT];
	const struct event *e;
	struct sample s;

	if (h->size < sizeof(*h) + sizeof(uint64_t))
		die("a sample is too short");
	e = decode(t, h, &s);
	if (tracepoints_text(t->tracepoints, s.raw, s.raw_size, (int)s.cpu,
			     s.time, text, sizeof(text)))
		snprintf(text, sizeof(text), "(no text)");
	printf("%llu.%09llu %s: %s\n",
	       (unsigned long long)s.time / 1000000000,
	       (unsigned long long)s.time % 1000000000, e->name, text);
}

static void print_samples(struct texts *t)
{
	const struct header *header = at(t, 0, sizeof(*header));
	uint64_t offset = header->data.offset;
	uint64_t end = offset + header->data.size;

	while (offset < end) {
		const struct perf_event_header *h = at(t, offset, sizeof(*h));

		if (h->size < sizeof(*h))
			die("a record has no size");
		at(t, offset, h->size);
		if (h->type == PERF_RECORD_SAMPLE)
			print_sample(t, h);
		offset += h->size;
	}
}

int main(int argc, char **argv)
{
	static struct texts t;

	if (argc != 2)
		die("usage: perf_texts PERF.DATA");
	read_file(&t, argv[1]);
	read_attrs(&t);
	if (!t.nr)
		die("no tracepoints in there");
	set_up(&t);
	print_samples(&t);
	tracepoints_free(t.tracepoints);
	kallsyms_free(t.kallsyms);
	names_free(t.names);
	free(t.file);
	return fflush(stdout) ? 1 : 0;
}
