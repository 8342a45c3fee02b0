/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles requests of a front end to the simulated kernel. */
#include <errno.h>

#include "base/err.h"
#include "base/sys.h"
#include "collect/drain/drain.h"
#include "sim/sim_state.h"
#include "source/source_samples.h"

/*
 * As a session swaps a ring: drain the new one as well as the old, then write
 * to the new one, then drain the old one to its end.
 */
static int swap_ring(struct sim *sim, size_t i, struct sim_memory *new,
		     struct err *err)
{
	struct sim_cpu *cpu = &sim->cpus[i];
	struct collector_ring ring = sim_cpu_reader_ring(cpu, new, sim->ids);
	struct sim_memory old;
	int ret = collector_replace(sim->collector, i, &ring, err);

	if (ret) {
		sim_memory_close(new);
		return ret;
	}
	pthread_mutex_lock(&sim->lock);
	old = cpu->memory;
	new->ring.paused = old.ring.paused;
	cpu->memory = *new;
	pthread_mutex_unlock(&sim->lock);
	sim_snapshots_replace(sim, i);
	collector_retire(sim->collector, i);
	sim_memory_close(&old);
	return 0;
}

static int request_resize(struct sim *sim, size_t i, bool grow,
			  struct err *err)
{
	uint64_t now = sim->cpus[i].memory.view.size;
	uint64_t size = grow ? now * 2 : now / 2;
	struct sim_memory new;
	int ret;

	if (sim->spec.aux)
		return err_set(err, -EOPNOTSUPP,
			       "a ring with an AUX ring beside it cannot be replaced by one of another size");
	if (size < sys_page_size())
		return err_set(err, -EINVAL,
			       "a ring has at least one page: it cannot be halved");
	if (size > 1 << 30)
		return err_set(err, -EINVAL,
			       "a simulated ring has at most 1G: it cannot be doubled");
	ret = sim_spec_check_watermark(&sim->spec, size, err);
	if (ret == 0)
		ret = sim_memory_open(&new, &sim->cpus[i], &sim->spec, size,
				      err);
	return ret ? ret : swap_ring(sim, i, &new, err);
}

static uint64_t total_lost(const struct sim_cpu *cpu)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < cpu->nr_events; i++)
		lost += cpu->events[i].lost;
	return lost;
}

static void read_overwrite(struct sim *sim, size_t i)
{
	struct ring_overwrite *read = &sim->reads[i];
	struct sim_cpu *cpu = &sim->cpus[i];
	uint64_t start, lost;

	pthread_mutex_lock(&sim->lock);
	lost = total_lost(cpu);
	sim_cpu_copy(cpu, true);
	pthread_mutex_unlock(&sim->lock);

	start = sys_now_ns();
	overwrite_walk(&cpu->memory.view, start, read);
	read->paused = (double)(sys_now_ns() - start) / 1e9;

	pthread_mutex_lock(&sim->lock);
	sim_cpu_copy(cpu, false);
	read->lost += total_lost(cpu) - lost;
	pthread_mutex_unlock(&sim->lock);
}

static int request_read(struct sim *sim, size_t i, struct err *err)
{
	bool head = sim->spec.aux && sim->spec.snapshot;

	if (!sim->spec.overwrite && !head)
		return err_set(err, -EINVAL, "ring %zu is drained "
			       "continuously: only overwrite rings, and AUX "
			       "rings in snapshot mode, are read on demand", i);
	if (head) {
		pthread_mutex_lock(&sim->lock);
		sim_cpu_read_aux(&sim->cpus[i], &sim->spec);
		pthread_mutex_unlock(&sim->lock);
	}
	if (sim->spec.overwrite)
		read_overwrite(sim, i);
	return 0;
}

static void set_pace(struct sim *sim, struct sim_pace pace)
{
	pthread_mutex_lock(&sim->lock);
	sim->pace = pace;
	pthread_mutex_unlock(&sim->lock);
}

/*
 * -F or -c for all events: with period P the same events make 1/P of the
 * records; a frequency is the rate itself.
 */
static int request_rate(struct sim *sim, const struct request *rq,
			struct err *err)
{
	struct sim_pace pace = sim->pace;

	if (rq->value == 0 || rq->value > 100000000)
		return err_set(err, -EINVAL, "%llu: must be from 1 to "
			       "100000000", (unsigned long long)rq->value);
	pace.period = rq->kind == REQUEST_PERIOD ? rq->value : 1;
	pace.rate = rq->kind == REQUEST_PERIOD ?
		    (double)sim->spec.rate / (double)rq->value :
		    (double)rq->value;
	set_pace(sim, pace);
	return 0;
}

int sim_request(struct source *source, const struct request *rq,
		struct err *err)
{
	struct sim *sim = (struct sim *)source;
	struct sim_pace pace = sim->pace;

	if (rq->ring >= sim->nr_cpus)
		return err_set(err, -EINVAL, "there is no ring %zu", rq->ring);
	switch (rq->kind) {
	case REQUEST_RESIZE:
		return request_resize(sim, rq->ring, rq->on, err);
	case REQUEST_PAUSE:
		pthread_mutex_lock(&sim->lock);
		sim_cpu_pause(&sim->cpus[rq->ring], rq->on);
		pthread_mutex_unlock(&sim->lock);
		return 0;
	case REQUEST_ENABLE:
		pace.enabled = rq->on;
		set_pace(sim, pace);
		return 0;
	case REQUEST_FREQ:
	case REQUEST_PERIOD:
		return request_rate(sim, rq, err);
	case REQUEST_READ:
		return request_read(sim, rq->ring, err);
	case REQUEST_FILTER:
	case REQUEST_FIELD:
		return source_samples_request(source, sim->spec.overwrite, rq,
					      err);
	case REQUEST_SNAPSHOT:
	case REQUEST_SNAPSHOT_CANCEL:
		return sim_snapshots_request(sim, rq, err);
	case REQUEST_RECORD:
		return err_set(err, -EOPNOTSUPP, "simulated rings cannot be "
			       "recorded: press s for a snapshot of AUX rings "
			       "in snapshot mode or overwrite rings");
	case REQUEST_DROPS:
	case REQUEST_HOST:
	case REQUEST_PLAY:
	case REQUEST_SPEED:
	case REQUEST_MARK:
	case REQUEST_SEEK:
		break;
	}
	return err_set(err, -EOPNOTSUPP, "not supported in a simulation");
}
