/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/source_samples.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "perf/tracepoint/tracepoint.h"
#include "resolve/resolver_thread.h"
#include "ring/request.h"
#include "samples/hot_query.h"
#include "symbols/resolver.h"

const struct samples *source_samples_read(struct resolver_thread *resolver,
					  const struct reading *r)
{
	uint64_t seen = 0;

	for (size_t i = 0; i < r->nr_rings; i++)
		seen += r->rings[i].stats.types[RECORD_SAMPLE];
	return resolver_thread_read(resolver, seen, r->mono);
}

int source_samples_request(struct source *s, bool overwrite,
			   const struct request *rq, struct err *err)
{
	if (!s->resolver || !s->decodes)
		return err_set(err, -EOPNOTSUPP, "no samples are decoded (%s)",
			       overwrite ?
			       "overwrite rings are read on demand" :
			       "--decode 0");
	if (rq->kind == REQUEST_FILTER)
		return resolver_thread_filter(s->resolver, rq->text, err);
	return resolver_thread_field(s->resolver, rq->text, err);
}

static void on_record(void *ctx, const struct side_band *record)
{
	resolver_record(ctx, record);
}

static void on_resync(void *ctx)
{
	resolver_resync(ctx);
}

static void on_restart(void *ctx)
{
	resolver_restart(ctx);
}

static void on_stop(void *ctx)
{
	resolver_stop(ctx);
}

static void on_symbol(void *ctx, pid_t pid, uint16_t cpumode, uint64_t ip,
		      struct symbol *out)
{
	resolver_symbol(ctx, pid, cpumode, ip, out);
}

static const char *on_comm(void *ctx, pid_t pid, pid_t tid)
{
	return resolver_comm(ctx, pid, tid);
}

static const char *on_cgroup(void *ctx, uint64_t id)
{
	return resolver_cgroup(ctx, id);
}

static bool on_idle(void *ctx, uint64_t now_ns)
{
	return resolver_idle(ctx, now_ns);
}

static bool on_is_native(void *ctx, pid_t pid)
{
	return resolver_is_native(ctx, pid);
}

static void on_stats(const void *ctx, struct resolver_stats *stats)
{
	resolver_read_stats(ctx, stats);
}

static void on_free(void *ctx)
{
	resolver_free(ctx);
}

const struct symbolizer_ops source_symbolizer = {
	.record = on_record,
	.resync = on_resync,
	.restart = on_restart,
	.stop = on_stop,
	.symbol = on_symbol,
	.comm = on_comm,
	.cgroup = on_cgroup,
	.is_native = on_is_native,
	.idle = on_idle,
	.stats = on_stats,
	.free = on_free,
};

const char *source_function(void *ctx, uint64_t addr, uint64_t *start)
{
	return resolver_function(ctx, addr, start);
}

bool source_fields_split(const char *event, char sys[128], char name[128])
{
	return sscanf(event, "%127[^:]:%127[^:]", sys, name) == 2;
}

static int add_name(struct source_fields *f, const char *name)
{
	char *copy = strdup(name), **added = NULL;

	if (copy)
		added = array_add(f->list, f->nr, f->cap);
	if (!added) {
		free(copy);
		return -ENOMEM;
	}
	*added = copy;
	return 0;
}

/* An event's fields are being added. */
struct adding {
	struct source_fields *fields;
	const char *event;
};

static int add_field(void *ctx, const char *field)
{
	const struct adding *a = ctx;
	char name[REQUEST_TEXT];

	snprintf(name, sizeof(name), "%s.%s", a->event, field);
	return add_name(a->fields, name);
}

static int learn_event(struct source_fields *f, struct tracepoints *t,
		       struct resolver_event *event)
{
	struct adding adding = { f, event->name };
	char sys[128], name[128];
	int ret = 0;

	if (!event->tracepoint ||
	    !source_fields_split(event->tracepoint, sys, name))
		return 0;
	event->field = tracepoints_telling(t, sys, name);
	if (strcmp(sys, "raw_syscalls") == 0)
		ret = add_field(&adding, SYSCALLS_FIELD);
	return ret ? ret : tracepoints_each_field(t, sys, name, add_field,
						  &adding);
}

/*
 * Tracepoints without callchains have one symbol each, which is always the
 * same: group them by their most informative field, or by task.
 */
static int choose_group(struct source_fields *f,
			const struct resolver_event *events,
			struct resolver_thread_opts *opts, char *field)
{
	const struct resolver_event *only = NULL;
	unsigned int task = 1u << HOT_COMM;
	bool informative = false;
	size_t nr = 0;

	field[0] = '\0';
	for (size_t i = 0; i < opts->nr_events; i++) {
		if (events[i].silent)
			continue;
		if (opts->chains || !events[i].tracepoint)
			return 0;
		informative |= events[i].field != NULL;
		only = &events[i];
		nr++;
	}
	if (!nr)
		return 0;
	opts->group = informative ? 1u << HOT_FIELD : task;
	if (informative && nr == 1)
		snprintf(field, REQUEST_TEXT, "%s.%s", only->name, only->field);
	if (nr < 2)
		return 0;
	opts->group |= 1u << HOT_EVENT;
	if (!informative)
		return 0;
	snprintf(field, REQUEST_TEXT, "%s", SAMPLES_OWN_FIELD);
	return add_name(f, SAMPLES_OWN_FIELD);
}

int source_fields_learn(struct source_fields *f, struct resolver_event *events,
			struct resolver_thread_opts *opts, char *field)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < opts->nr_events; i++)
		ret = learn_event(f, opts->tracepoints, &events[i]);
	if (!ret)
		ret = choose_group(f, events, opts, field);
	opts->events = events;
	opts->field = field;
	opts->trace_fields = (const char *const *)f->list;
	opts->nr_trace_fields = f->nr;
	return ret;
}

void source_fields_free(struct source_fields *f)
{
	for (size_t i = 0; i < f->nr; i++)
		free(f->list[i]);
	free(f->list);
}
