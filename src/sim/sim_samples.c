/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes simulated samples: names of addresses and tasks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "resolve/resolver_thread.h"
#include "samples/names.h"
#include "perf/abi/record.h"
#include "sim/sim_state.h"
#include "symbols/resolver.h"

enum { NAMES_BYTES = 1 << 20 };

/* The symbolizer's ctx.  Both are borrowed. */
struct sim_symbols {
	const struct sim_code *code;
	struct names *names;
};

/* Programs do not change, so records need not be followed. */
static void on_record(void *ctx, const struct side_band *record)
{
	(void)ctx;
	(void)record;
}

static void on_resync(void *ctx)
{
	(void)ctx;
}

static void on_symbol(void *ctx, pid_t pid, uint16_t cpumode, uint64_t ip,
		      struct symbol *out)
{
	const struct sim_symbols *s = ctx;
	const struct sim_function *f = sim_code_find(s->code, ip);

	(void)pid;
	(void)cpumode;
	*out = (struct symbol){
		.name = names_add(s->names, f ? f->name : "[unknown]"),
		.dso = names_add(s->names, f ? f->dso : "[unknown]"),
		.kind = f ? f->kind : SYMBOL_UNKNOWN,
		.offset = f ? ip - f->addr : ip,
	};
}

static const char *on_comm(void *ctx, pid_t pid, pid_t tid)
{
	const struct sim_symbols *s = ctx;
	const char *comm = sim_traffic_comm(pid);

	(void)tid;
	return names_add(s->names, comm ? comm : "?");
}

static bool on_idle(void *ctx, uint64_t now_ns)
{
	(void)ctx;
	(void)now_ns;
	return false;
}

static void on_stats(const void *ctx, struct resolver_stats *stats)
{
	const struct sim_symbols *s = ctx;
	size_t nr;
	const struct sim_function *f = sim_code_functions(s->code, &nr);

	*stats = (struct resolver_stats){
		.processes = SIM_TRAFFIC_TASKS,
		.bytes = nr * sizeof(*f),
		.limit = nr * sizeof(*f),
	};
	for (size_t i = 0; i < nr; i++) {
		stats->kernel_symbols += f[i].kind == SYMBOL_KERNEL;
		/* functions of a file are adjacent */
		stats->files += i == 0 ||
				strcmp(f[i].dso, f[i - 1].dso) != 0;
	}
}

static const struct symbolizer_ops symbolizer = {
	.record = on_record,
	.resync = on_resync,
	.symbol = on_symbol,
	.comm = on_comm,
	.idle = on_idle,
	.stats = on_stats,
	.free = free,
};

uint64_t sim_samples_type(const struct sim_spec *spec)
{
	uint64_t type = RECORD_SAMPLE_TYPE;

	if (spec->chain)
		type |= PERF_SAMPLE_CALLCHAIN;
	if (spec->record > RECORD_SAMPLE_FIXED)
		type |= PERF_SAMPLE_RAW;
	return type;
}

static struct resolver_event *list_events(const struct sim *sim)
{
	size_t nr = 1 + sim->spec.events;
	struct resolver_event *events = calloc(nr, sizeof(*events));

	for (size_t i = 0; events && i < nr; i++)
		events[i] = (struct resolver_event){
			.name = sim->names[i],
			.layout.sample_type = sim_samples_type(&sim->spec),
		};
	return events;
}

struct resolver_thread *sim_samples_new(struct sim *sim, struct err *err)
{
	struct names *names = names_new(NAMES_BYTES);
	struct sim_symbols *symbols = calloc(1, sizeof(*symbols));
	struct resolver_event *events = list_events(sim);
	struct resolver_thread_opts thread = {
		.collector = sim->collector,
		.symbolizer = &symbolizer,
		.symbolizer_ctx = symbols,
		.names = names,
		.events = events,
		.nr_events = 1 + sim->spec.events,
		.side_band.sample_type = RECORD_SAMPLE_TYPE,
		.chains = sim->spec.chain > 0,
	};
	struct resolver_thread *t = NULL;

	if (names && symbols && events) {
		*symbols = (struct sim_symbols){ sim->code, names };
		t = resolver_thread_new(&thread, err);
	} else {
		err_set(err, -ENOMEM, "--sim: out of memory");
		free(symbols);
		names_free(names);
	}
	free(events);
	return t;
}
