/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/sim_cpu.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"

#define BURST_EVERY	2.0	/* seconds */
#define BURST_FOR	0.2

static int map_memory(struct sim_memory *memory)
{
	int memfd = memfd_create("rbtop-sim", MFD_CLOEXEC);
	int ret = 0;

	if (memfd < 0)
		return -errno;
	if (ftruncate(memfd, (off_t)memory->bytes) < 0)
		ret = -errno;
	else
		ret = sys_mmap(memfd, memory->bytes, PROT_READ | PROT_WRITE, 0,
			       &memory->base);
	sys_close(memfd);
	return ret;
}

static int open_memory(struct sim_memory *memory)
{
	int ret = map_memory(memory);

	if (ret)
		return ret;
	memory->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return memory->wake < 0 ? -errno : 0;
}

static void open_aux(struct sim_memory *memory, const struct sim_spec *spec)
{
	struct sim_ring *ring = &memory->ring;

	if (!spec->aux)
		return;
	sim_ring_set_aux(ring, spec->aux, 0, spec->snapshot);
	aux_ring_attach(&memory->aux, ring->page,
			(unsigned char *)memory->base + ring->page->aux_offset,
			spec->aux, spec->snapshot);
	if (!spec->snapshot)
		memory->aux.watermark = ring->aux_watermark;
}

int sim_memory_open(struct sim_memory *memory, const struct sim_cpu *cpu,
		    const struct sim_spec *spec, uint64_t size,
		    struct err *err)
{
	int ret;

	*memory = (struct sim_memory){
		.bytes = sys_page_size() + size + spec->aux,
		.wake = -1,
	};
	ret = open_memory(memory);
	if (ret) {
		sim_memory_close(memory);
		return err_set(err, ret, "a simulated ring of %llu bytes: %s; "
			       "use fewer CPUs or smaller rings",
			       (unsigned long long)size, strerror(-ret));
	}
	sim_ring_init(&memory->ring, memory->base, size, spec->watermark,
		      spec->overwrite);
	memory->ring.cpu = cpu->cpu;
	open_aux(memory, spec);
	ring_attach(&memory->view, memory->base, size, spec->overwrite);
	memory->view.fd = memory->wake;
	memory->view.watermark = memory->ring.watermark;
	return 0;
}

void sim_memory_close(struct sim_memory *memory)
{
	if (memory->base)
		sys_munmap(memory->base, memory->bytes);
	sys_close(memory->wake);
	*memory = (struct sim_memory){ .wake = -1 };
}

static int init_events(struct sim_cpu *cpu, const struct sim_spec *spec)
{
	cpu->nr_events = 1 + spec->events;
	cpu->events = calloc(cpu->nr_events, sizeof(*cpu->events));
	if (!cpu->events)
		return -ENOMEM;
	for (size_t i = 0; i < cpu->nr_events; i++)
		cpu->events[i].id = (size_t)cpu->cpu * cpu->nr_events + i + 1;
	return 0;
}

static int open_rings(struct sim_cpu *cpu, const struct sim_spec *spec,
		      struct err *err)
{
	struct sim_memory *memory = &cpu->memory;
	int ret = sim_memory_open(memory, cpu, spec, spec->size, err);

	if (ret || !spec->aux)
		return ret;
	sim_trace_init(&cpu->trace, spec->seed, cpu->cpu, memory->aux.data,
		       spec->aux);
	memory->ring.aux_trace = &cpu->trace;
	return 0;
}

int sim_cpu_init(struct sim_cpu *cpu, int nr, const struct sim_spec *spec,
		 const struct sim_code *code, struct err *err)
{
	const struct sim_traffic_opts traffic = {
		.seed = spec->seed,
		.mix = (unsigned int)spec->mix,
		.record = spec->record,
		.chain = (unsigned int)spec->chain,
		.code = code,
	};
	double u;

	*cpu = (struct sim_cpu){ .cpu = nr, .memory.wake = -1 };
	sim_traffic_init(&cpu->traffic, nr, &traffic);
	/* fourth power: most CPUs are near the usual rate, few far above */
	u = sim_traffic_random(&cpu->traffic);
	cpu->share = 1 + (double)(spec->skew - 1) * u * u * u * u;
	cpu->phase = sim_traffic_random(&cpu->traffic) * BURST_EVERY;
	if (init_events(cpu, spec))
		return err_set(err, -ENOMEM, "--sim: out of memory");
	return open_rings(cpu, spec, err);
}

void sim_cpu_free(struct sim_cpu *cpu)
{
	sim_memory_close(&cpu->memory);
	free(cpu->events);
	cpu->events = NULL;
}

static void wake(struct sim_cpu *cpu, const struct sim_spec *spec,
		 uint64_t now)
{
	if (spec->reader == SIM_READER_STUCK)
		return;
	if (spec->reader == SIM_READER_NORMAL)
		eventfd_write(cpu->memory.wake, 1);
	else if (!cpu->wake_at)
		cpu->wake_at = now + spec->late * 1000000;
}

static void wake_late(struct sim_cpu *cpu, uint64_t now)
{
	if (!cpu->wake_at || now < cpu->wake_at)
		return;
	cpu->wake_at = 0;
	eventfd_write(cpu->memory.wake, 1);
}

static double rate_now(const struct sim_cpu *cpu, const struct sim_spec *spec,
		       double rate, uint64_t now)
{
	double at = fmod((double)now / 1e9 + cpu->phase, BURST_EVERY);

	return rate * cpu->share * (at < BURST_FOR ? (double)spec->burst : 1);
}

static void write_records(struct sim_cpu *cpu, const struct sim_spec *spec,
			  uint64_t period, uint64_t now)
{
	unsigned int written;

	for (written = 1; cpu->due >= 1; cpu->due--, written++) {
		if (sim_traffic_next(&cpu->traffic, &cpu->memory.ring,
				     cpu->events, cpu->nr_events, period,
				     now) == SIM_RING_WOKE)
			wake(cpu, spec, now);
		/*
		 * at high rates a slice takes long; update the time, or all
		 * wakeup latencies would be the same
		 */
		if (written % 128 == 0)
			now = sys_now_ns();
	}
}

/* Do what the reader's enabling of the event does, once there is room. */
static void resume_aux(struct sim_cpu *cpu)
{
	struct sim_ring *ring = &cpu->memory.ring;
	uint64_t tail = __atomic_load_n(&ring->page->aux_tail,
					__ATOMIC_ACQUIRE);

	if (ring->aux_head - tail < ring->aux_size / 2)
		ring->aux_stopped = false;
}

static void write_aux(struct sim_cpu *cpu, const struct sim_spec *spec,
		      uint64_t now)
{
	const struct sim_context by = { .time = now };
	struct sim_ring *ring = &cpu->memory.ring;
	uint64_t bytes = (uint64_t)cpu->aux_due;

	resume_aux(cpu);
	/* a PMU writes neither a record per byte, nor part of a packet */
	bytes -= bytes % SIM_TRACE_BLOCK;
	if (!bytes || bytes < ring->aux_size / 16)
		return;
	cpu->aux_due -= (double)bytes;
	if (sim_ring_aux(ring, cpu->events, &by, bytes) == SIM_RING_WOKE)
		wake(cpu, spec, now);
}

void sim_cpu_trace(struct sim_cpu *cpu, const struct sim_spec *spec, bool on)
{
	if (!on)
		sim_cpu_read_aux(cpu, spec);
	cpu->aux_held = !on;
}

void sim_cpu_read_aux(struct sim_cpu *cpu, const struct sim_spec *spec)
{
	uint64_t start = sys_now_ns();
	const struct sim_context by = { .time = start };

	if (sim_ring_aux_stop(&cpu->memory.ring, cpu->events, &by) ==
	    SIM_RING_WOKE)
		wake(cpu, spec, start);
	cpu->aux_read_at = start;
	cpu->aux_read_cost = (double)(sys_now_ns() - start) / 1e9;
}

static void set_paused(struct sim_cpu *cpu)
{
	cpu->memory.ring.paused = cpu->paused || cpu->copiers;
}

void sim_cpu_pause(struct sim_cpu *cpu, bool on)
{
	cpu->paused = on;
	set_paused(cpu);
}

void sim_cpu_copy(struct sim_cpu *cpu, bool on)
{
	if (on)
		cpu->copiers++;
	else
		cpu->copiers--;
	set_paused(cpu);
}

static double seconds_since(struct sim_cpu *cpu, uint64_t now)
{
	uint64_t ns = cpu->written_at ? now - cpu->written_at : 0;

	cpu->written_at = now;
	return (double)(ns < SIM_CPU_CATCH_UP_NS ? ns : SIM_CPU_CATCH_UP_NS) /
	       1e9;
}

void sim_cpu_write(struct sim_cpu *cpu, const struct sim_spec *spec,
		   const struct sim_pace *pace, uint64_t now)
{
	double seconds = seconds_since(cpu, now);

	if (pace->enabled) {
		cpu->due += seconds * rate_now(cpu, spec, pace->rate, now);
		write_records(cpu, spec, pace->period, now);
	}
	if (pace->enabled && spec->aux && !cpu->aux_held) {
		cpu->aux_due += seconds * (double)spec->auxrate;
		write_aux(cpu, spec, now);
	}
	wake_late(cpu, now);
}

struct collector_ring sim_cpu_reader_ring(const struct sim_cpu *cpu,
					  const struct sim_memory *memory,
					  uint64_t *ids)
{
	for (size_t i = 0; i < cpu->nr_events; i++)
		ids[i] = cpu->events[i].id;
	return (struct collector_ring){
		.ring = memory->view,
		.cpu = cpu->cpu,
		.fds = &memory->wake,
		/* overwrite rings are not drained: no wakeups */
		.nr_fds = memory->view.overwrite ? 0 : 1,
		.ids = ids,
		.nr_ids = (uint32_t)cpu->nr_events,
		.aux = memory->aux,
	};
}
