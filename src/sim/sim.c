/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/sim.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <time.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/units.h"
#include "collect/collector.h"
#include "host/host_watch.h"
#include "perf/abi/record.h"
#include "resolve/resolver_thread.h"
#include "samples/names.h"
#include "sim/sim_state.h"
#include "sim/sim_traffic.h"
#include "source/source.h"
#include "source/source_snapshots.h"
#include "symbols/resolver.h"

/* Samples are decoded with the names of simulated addresses and tasks. */

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

/*
 * The thread that decodes samples, with the names of addresses and tasks; not
 * yet started.  It borrows @sim's code, collector and names.  NULL with @err.
 */
static struct resolver_thread *new_resolver(struct sim *sim, struct err *err)
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

#define SLICE_NS	2000000		/* period of the writer's slices */
#define SLICE_MAX_NS	20000000	/* limit of one slice */
#define STUCK_INTERVAL	(365 * 86400.0)	/* a timer that does not fire */
#define DECODE_INTERVAL	0.25		/* a sample is resolved after all rings
					 * were drained */

/*
 * Write the records that are due on all CPUs.  If the rate is more than one
 * thread can write, a slice ends early and the next starts with the next CPU,
 * so that all CPUs get the same share and the lock is released in between.
 */
static void write_slice(struct sim *sim, size_t *turn)
{
	uint64_t start = sys_now_ns(), now = start;

	for (size_t i = 0; i < sim->nr_cpus; i++) {
		sim_cpu_write(&sim->cpus[*turn], &sim->spec, &sim->pace, now);
		*turn = (*turn + 1) % sim->nr_cpus;
		now = sys_now_ns();
		if (now - start > SLICE_MAX_NS)
			break;
	}
}

static void *writer_main(void *arg)
{
	const struct timespec pause = { .tv_nsec = SLICE_NS };
	struct sim *sim = arg;
	size_t turn = 0;

	caps_limit(0, NULL);
	while (!atomic_load(&sim->stop)) {
		pthread_mutex_lock(&sim->lock);
		write_slice(sim, &turn);
		sim->writer_cpu = sys_thread_cpu();
		pthread_mutex_unlock(&sim->lock);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

static int start_writer(struct sim *sim)
{
	int ret = pthread_create(&sim->writer, NULL, writer_main, sim);

	if (ret)
		return -ret;
	pthread_setname_np(sim->writer, "rbtop-sim");
	sim->writer_runs = true;
	return 0;
}

static void stop_writer(struct sim *sim)
{
	if (!sim->writer_runs)
		return;
	atomic_store(&sim->stop, true);
	pthread_join(sim->writer, NULL);
	sim->writer_runs = false;
}

static int start_threads(struct sim *sim, struct err *err)
{
	int ret = collector_start(sim->collector, err);

	if (!ret && sim->source.resolver)
		ret = resolver_thread_start(sim->source.resolver, err);
	if (!ret)
		ret = sim_snapshots_start(sim, err);
	if (ret)
		return ret;
	ret = start_writer(sim);
	return ret ? err_errno(err, ret, "--sim: starting the writer") : 0;
}

/* Signals are the front end's: no thread of this source may take one. */
static int sim_start(struct source *source, struct err *err)
{
	struct sim *sim = (struct sim *)source;
	int ret = caps_limit(CAPS_FILES | host_watch_caps(), err);
	sigset_t old;

	if (ret)
		return ret;
	sys_block_signals(&old);
	ret = start_threads(sim, err);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (ret)
		return ret;
	sim_snapshots_enabled(sim);
	sim->started = true;
	return 0;
}

static void read_comms(struct reading_ring *r)
{
	r->nr_comms = 0;
	for (int i = 0; i < TOP_PIDS; i++) {
		const struct top_pid *top = &r->stats.pids.slots[i];
		const char *comm = sim_traffic_comm(top->pid);
		struct reading_comm *out = &r->comms[r->nr_comms];

		if (!top->samples || !comm)
			continue;
		out->pid = top->pid;
		text_copy(out->comm, sizeof(out->comm), comm);
		r->nr_comms++;
	}
}

static int read_events(struct sim *sim, const struct sim_cpu *cpu,
		       struct reading_ring *r)
{
	if (reading_reserve_events(r, cpu->nr_events))
		return -ENOMEM;
	for (size_t i = 0; i < cpu->nr_events; i++)
		r->row.events[i] = (struct ring_event){
			.name = sim->names[i],
			.side_band = i == 0,
			.count = cpu->events[i].count,
			.samples = sim->samples[i],
			.lost = cpu->events[i].lost,
		};
	return 0;
}

static void read_aux(const struct sim_cpu *cpu, struct reading_ring *r)
{
	const struct aux_ring *view = &cpu->memory.aux;
	struct reading_aux *aux = &r->aux;
	struct ring_aux *row = &r->row.aux;

	*aux = (struct reading_aux){ .head_age = NAN, .read_cost = NAN };
	*row = (struct ring_aux){ 0 };
	if (!view->size)
		return;
	row->size = view->size;
	row->watermark = view->watermark;
	row->overwrite = view->overwrite;
	aux->stopped = !r->row.enabled || cpu->memory.ring.aux_stopped;
	row->tail = aux_ring_tail(view);
	row->head = aux_ring_head(view);
	if (!cpu->aux_read_at)
		return;
	aux->free_running = true;
	aux->full = row->head >= row->size;
	aux->head_age = (double)(sys_now_ns() - cpu->aux_read_at) / 1e9;
	aux->read_cost = cpu->aux_read_cost;
}

static int read_ring(struct sim *sim, size_t i, struct reading_ring *r)
{
	const struct sim_cpu *cpu = &sim->cpus[i];
	const struct ring *view = &cpu->memory.view;

	r->row.cpu = cpu->cpu;
	r->row.overwrite = cpu->memory.ring.overwrite;
	r->row.paused = cpu->paused;
	r->row.enabled = sim->pace.enabled;
	r->row.size = view->size;
	r->row.watermark = view->watermark;
	r->row.wakeup_events = UNKNOWN;
	r->read = sim->reads[i];
	r->counts_age = 0;	/* the writer counts them: always up to date */
	collector_read(sim->collector, i, &r->stats, sim->samples,
		       cpu->nr_events, &r->recent_peak);
	/*
	 * tail before head, so that it is never ahead; the writer waits for the
	 * lock, so they differ by at most the ring's size
	 */
	r->row.tail = ring_tail(view);
	r->row.head = ring_head(view);
	read_aux(cpu, r);
	read_comms(r);
	return read_events(sim, cpu, r);
}

static int sim_read(struct source *source, struct reading *r, struct err *err)
{
	struct sim *sim = (struct sim *)source;
	int ret;

	ret = reading_reserve(r, sim->nr_cpus);
	pthread_mutex_lock(&sim->lock);
	for (size_t i = 0; i < sim->nr_cpus && ret == 0; i++)
		ret = read_ring(sim, i, &r->rings[i]);
	r->cpu = sys_process_cpu() - sim->writer_cpu;
	r->rates = (struct event_rates){ 0 };
	if (sim->pace.period > 1)
		r->rates.period = sim->pace.period;
	else
		r->rates.freq = (uint64_t)sim->pace.rate;
	pthread_mutex_unlock(&sim->lock);
	if (ret)
		return err_set(err, ret, "reading the rings: out of memory");
	source_clock_read(r, sim->collector);
	source_notes_move(&sim->notes, r);
	return 0;
}

static void sim_finish(struct source *source)
{
	struct sim *sim = (struct sim *)source;

	stop_writer(sim);
	pthread_mutex_lock(&sim->lock);
	sim->pace.enabled = false;
	pthread_mutex_unlock(&sim->lock);
	collector_drain_all(sim->collector);
	if (sim->source.resolver)
		resolver_thread_finish(sim->source.resolver);
	source_snapshots_settle(sim->source.snapshots);
}

static void sim_close(struct source *source)
{
	struct sim *sim = (struct sim *)source;

	/* a snapshot contains all that was written so far */
	if (sim->started)
		sim_finish(source);
	source_snapshots_close(sim->source.snapshots, sim->started);
	/* else rbtop exits soon; until then all it may use is kept */
	if (!resolver_thread_free(sim->source.resolver))
		return;
	collector_free(sim->collector);
	sim_snapshots_free(sim);
	for (size_t i = 0; i < sim->nr_cpus; i++)
		sim_cpu_free(&sim->cpus[i]);
	pthread_mutex_destroy(&sim->lock);
	source_notes_free(&sim->notes);
	free(sim->cpus);
	free(sim->reads);
	sim_code_free(sim->code);
	free(sim->names);
	free(sim->samples);
	free(sim->ids);
	free(sim);
}

static const struct source_ops sim_ops = {
	.name = "sim",
	.start = sim_start,
	.read = sim_read,
	.request = sim_request,
	.finish = sim_finish,
	.close = sim_close,
};

static int make_arrays(struct sim *sim)
{
	size_t events = 1 + sim->spec.events;

	sim->cpus = calloc(sim->spec.cpus, sizeof(*sim->cpus));
	sim->reads = calloc(sim->spec.cpus, sizeof(*sim->reads));
	sim->names = calloc(events, sizeof(*sim->names));
	sim->samples = calloc(events, sizeof(*sim->samples));
	sim->ids = calloc(events, sizeof(*sim->ids));
	sim->code = sim_code_new((unsigned int)sim->spec.code);
	if (!sim->cpus || !sim->reads || !sim->names || !sim->samples ||
	    !sim->ids || !sim->code)
		return -ENOMEM;
	snprintf(sim->names[0], SIM_EVENT_NAME, "side-band");
	for (size_t i = 1; i < events; i++)
		snprintf(sim->names[i], SIM_EVENT_NAME, "sim:event%zu", i);
	return 0;
}

static int make_collector(struct sim *sim, double interval, struct err *err)
{
	struct collector_opts opts = {
		.rings = sim->spec.cpus,
		.interval = interval,
		.decode_rate = sim->decode_rate,
		.switches = sim->decode_rate > 0,
		.trigger = sim->source.snapshots ?
				   sim->source.snapshots->trigger : NULL,
	};

	if (sim->decode_rate > 0)
		opts.interval = MIN(interval, DECODE_INTERVAL);
	/* a late reader's timer is late, too */
	if (sim->spec.reader == SIM_READER_SLOW && opts.interval < 1)
		opts.interval = 1;
	if (sim->spec.reader == SIM_READER_STUCK)
		opts.interval = STUCK_INTERVAL;
	sim->collector = collector_new(&opts, err);
	return sim->collector ? 0 : -EIO;
}

static int add_cpu(struct sim *sim, struct err *err)
{
	struct sim_cpu *cpu = &sim->cpus[sim->nr_cpus];
	int nr = (int)sim->nr_cpus++;
	struct collector_ring ring;
	size_t slot;
	int ret = sim_cpu_init(cpu, nr, &sim->spec, sim->code, err);

	if (ret)
		return ret;
	ring = sim_cpu_reader_ring(cpu, &cpu->memory, sim->ids);
	return collector_add(sim->collector, &ring, &slot, err);
}

/* Rings beyond the memory's size would end in SIGBUS. */
static int check_memory(const struct sim_spec *spec, struct err *err)
{
	uint64_t have = (uint64_t)sysconf(_SC_PHYS_PAGES) * sys_page_size();
	uint64_t each = spec->size + spec->aux;
	char size[16];

	if (spec->cpus * each <= have / 2)
		return 0;
	units_bytes(size, sizeof(size), (double)each);
	return err_set(err, -ENOMEM, "--sim: %llu rings of %s: more than half "
		       "of the memory; use fewer CPUs or smaller rings",
		       (unsigned long long)spec->cpus, size);
}

static void describe(struct sim *sim)
{
	const struct sim_spec *spec = &sim->spec;
	char rate[16], size[16];

	snprintf(sim->source.title, sizeof(sim->source.title),
		 "simulated: %llu CPU%s, %s records/s each, %s rings",
		 (unsigned long long)spec->cpus, spec->cpus == 1 ? "" : "s",
		 units_count(rate, sizeof(rate), (double)spec->rate),
		 units_bytes(size, sizeof(size), (double)spec->size));
	if (spec->reader == SIM_READER_SLOW)
		snprintf(sim->source.notice, sizeof(sim->source.notice),
			 "the reader is woken %llu ms late",
			 (unsigned long long)spec->late);
	if (spec->reader == SIM_READER_STUCK)
		snprintf(sim->source.notice, sizeof(sim->source.notice),
			 "the reader is never woken");
}

static int open_readers(struct sim *sim, double interval, struct err *err)
{
	int ret = make_collector(sim, interval, err);

	if (ret == 0 && sim->decode_rate > 0) {
		sim->source.resolver = new_resolver(sim, err);
		ret = sim->source.resolver ? 0 : -ENOMEM;
	}
	while (ret == 0 && sim->nr_cpus < sim->spec.cpus)
		ret = add_cpu(sim, err);
	return ret;
}

static int sim_setup(struct sim *sim, const struct sim_opts *opts,
		     struct err *err)
{
	static const struct source_snapshots none;
	int ret = check_memory(&sim->spec, err);

	if (ret)
		return ret;
	if (make_arrays(sim))
		return err_set(err, -ENOMEM, "--sim: out of memory");
	sim->pace = (struct sim_pace){
		.enabled = true,
		.rate = (double)sim->spec.rate,
		.period = 1,
	};
	describe(sim);
	sys_raise_nofile(sim->spec.cpus + 256);
	ret = sim_snapshots_new(sim, opts->snapshots ? opts->snapshots : &none,
				err);
	if (ret == 0)
		ret = open_readers(sim, opts->interval, err);
	return ret ? ret : sim_snapshots_open(sim, err);
}

struct source *sim_open(const struct sim_opts *opts, struct err *err)
{
	struct sim_spec spec;
	struct sim *sim;

	if (sim_spec_parse(&spec, opts->spec, err))
		return NULL;
	sim = calloc(1, sizeof(*sim));
	if (!sim || source_init(&sim->source, &sim_ops)) {
		free(sim);
		err_set(err, -ENOMEM, "--sim: out of memory");
		return NULL;
	}
	sim->spec = spec;
	/* overwrite rings are not drained */
	sim->decode_rate = spec.overwrite ? 0 : opts->decode_rate;
	sim->source.decodes = sim->decode_rate > 0;
	pthread_mutex_init(&sim->lock, NULL);
	source_notes_init(&sim->notes);
	if (sim_setup(sim, opts, err)) {
		source_close(&sim->source);
		return NULL;
	}
	return &sim->source;
}
