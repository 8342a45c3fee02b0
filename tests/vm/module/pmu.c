// SPDX-License-Identifier: GPL-2.0-or-later
/* The PMU: events, the timers that write, and calls to perf. */
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <asm/msr.h>

#include "mimic.h"

static char *name = "intel_pt";
module_param(name, charp, 0444);
MODULE_PARM_DESC(name, "of the PMU");

static char *form_name = "pt";
module_param_named(form, form_name, charp, 0444);
MODULE_PARM_DESC(form, "of the packets: pt, pt72, bts, raw");

static ulong rate = 1000000;
module_param(rate, ulong, 0644);
MODULE_PARM_DESC(rate, "bytes per second on each CPU, unless config1 says");

static uint tick_us = 1000;
module_param(tick_us, uint, 0444);
MODULE_PARM_DESC(tick_us, "time between two bursts of packets");

static bool free_running;
module_param(free_running, bool, 0444);
MODULE_PARM_DESC(free_running,
		 "in overwrite mode the head counts on, as CoreSight's does");

static bool contiguous;
module_param(contiguous, bool, 0444);
MODULE_PARM_DESC(contiguous, "buffers must be, as without ToPA");

static uint addr_filters;
module_param(addr_filters, uint, 0444);
MODULE_PARM_DESC(addr_filters, "how many address filters there are");

/* A tick that is later than this does not write more for it. */
#define LATE_MAX_NS (20 * NSEC_PER_MSEC)

static const struct mimic_form *form;
static DEFINE_PER_CPU(struct mimic_cpu, mimic_cpus);

struct mimic_cpu *mimic_cpu_of(int cpu)
{
	return per_cpu_ptr(&mimic_cpus, cpu);
}

/*
 * Wake the reader at its watermark, but at least one page before the end of the
 * room: otherwise the byte that perf keeps free would truncate the trace even
 * of the fastest reader.
 */
static u64 wake_point(const struct perf_output_handle *handle)
{
	u64 room = handle->size;

	if (room > PAGE_SIZE)
		room -= PAGE_SIZE;
	return min_t(u64, handle->wakeup - handle->head, room);
}

static bool refuse_output(struct mimic_cpu *mc, struct perf_event *event)
{
	mc->stream = NULL;
	event->hw.state = PERF_HES_STOPPED;
	return false;
}

/*
 * perf refuses if there is no room; here also if there is less than a packet.
 */
static bool open_output(struct mimic_cpu *mc, struct perf_event *event)
{
	mc->stream = perf_aux_output_begin(&mc->handle, event);
	if (!mc->stream)
		return refuse_output(mc, event);
	if (!mc->stream->overwrite && mc->handle.size < form->unit) {
		mc->stream->truncated++;
		perf_aux_output_flag(&mc->handle, PERF_AUX_FLAG_TRUNCATED);
		perf_aux_output_end(&mc->handle, 0);
		return refuse_output(mc, event);
	}
	mc->position = mc->handle.head & (mc->stream->size - 1);
	mc->written = 0;
	mc->wake = wake_point(&mc->handle);
	return true;
}

/*
 * In overwrite mode the driver sets the head: an offset in the buffer, and the
 * whole buffer as the size, as intel_pt does; or a count of all bytes.
 */
static void close_output(struct mimic_cpu *mc, u64 flags)
{
	struct mimic_stream *stream = mc->stream;
	u64 size = mc->written;

	/* Packets are visible before the head that covers them. */
	smp_wmb();
	if (stream->overwrite && free_running) {
		mc->handle.head += size;
	} else if (stream->overwrite) {
		mc->handle.head = mc->position;
		size = stream->size;
	}
	stream->head = mc->handle.head + (stream->overwrite ? 0 : size);
	mc->stream = NULL;
	if (flags)
		perf_aux_output_flag(&mc->handle, flags);
	perf_aux_output_end(&mc->handle, size);
}

static bool turn(struct mimic_cpu *mc, u64 flags)
{
	struct perf_event *event = mc->handle.event;

	if (flags & PERF_AUX_FLAG_TRUNCATED)
		mc->stream->truncated++;
	else
		mc->stream->turns++;
	close_output(mc, flags);
	return open_output(mc, event);
}

/* Write zeros to the end of the buffer, if a packet must not wrap. */
static void pad_end(struct mimic_cpu *mc)
{
	struct mimic_stream *stream = mc->stream;
	u64 left = stream->size - mc->position;
	u64 offset = offset_in_page(mc->position);

	if (!form->whole || left >= form->unit)
		return;
	memset(stream->pages[mc->position >> PAGE_SHIFT] + offset, 0, left);
	mc->position = 0;
	mc->written += left;
	stream->bytes += left;
}

/* The number of packets that may be written now. */
static u64 batch_size(const struct mimic_cpu *mc, u64 wanted)
{
	u64 room, till_wake;

	if (mc->stream->overwrite)
		return wanted;
	if (mc->written >= mc->handle.size)
		return 0;
	room = (mc->handle.size - mc->written) / form->unit;
	if (mc->written >= mc->wake)
		return min_t(u64, room, 1);
	till_wake = DIV_ROUND_UP(mc->wake - mc->written, form->unit);
	return min3(wanted, room, till_wake);
}

static void write_batch(struct mimic_cpu *mc, u64 count, u64 *tsc, u64 step)
{
	u8 cpu = smp_processor_id();

	while (count--) {
		pad_end(mc);
		*tsc += step;
		mimic_form_write(form, mc->stream, &mc->position, *tsc, cpu);
		mc->written += form->unit;
	}
}

/* No room: count the packets, without writing them. */
static void drop(struct mimic_stream *stream, u64 count)
{
	stream->dropped += count;
	stream->seq += count;
}

static void write_packets(struct mimic_cpu *mc, u64 count, u64 tsc, u64 step)
{
	while (count) {
		struct mimic_stream *stream = mc->stream;
		u64 batch = batch_size(mc, count);
		u64 flags = batch ? 0 : PERF_AUX_FLAG_TRUNCATED;

		write_batch(mc, batch, &tsc, step);
		count -= batch;
		if (batch && (stream->overwrite || mc->written < mc->wake))
			continue;
		if (!turn(mc, flags)) {
			drop(stream, count);
			return;
		}
	}
}

/* Write all packets that are due since the last time. */
static void produce(struct mimic_cpu *mc)
{
	u64 now = local_clock();
	u64 passed = now - mc->clock;
	u64 packet_cost = (u64)form->unit * NSEC_PER_SEC;
	u64 count, first;

	mc->clock = now;
	if (passed > LATE_MAX_NS) {
		mc->late_ns += passed - LATE_MAX_NS;
		passed = LATE_MAX_NS;
	}
	mc->owed += passed * mc->rate;
	count = mc->owed / packet_cost;
	if (!count)
		return;
	mc->owed -= count * packet_cost;
	/* Times between the last burst and now, increasing by at least one. */
	first = rdtsc() - count;
	write_packets(mc, count, first, 1);
}

/*
 * On a machine too slow for the rate, half of each CPU is left for programs:
 * the pause is as long as the burst was, and packets that are too late then are
 * not written.
 */
static enum hrtimer_restart tick(struct hrtimer *timer)
{
	struct mimic_cpu *mc = container_of(timer, struct mimic_cpu, timer);
	u64 begin, pause;

	if (!mc->stream)
		return HRTIMER_NORESTART;
	mc->ticks++;
	begin = local_clock();
	produce(mc);
	if (!mc->stream)
		return HRTIMER_NORESTART;
	pause = max_t(u64, tick_us * NSEC_PER_USEC, local_clock() - begin);
	hrtimer_forward_now(timer, ns_to_ktime(pause));
	return HRTIMER_RESTART;
}

/* The end of a time during which a reader had tracing stopped. */
static void note_start(struct mimic_stream *stream)
{
	u64 off;

	if (!stream->stopped_at)
		return;
	off = ktime_get_ns() - stream->stopped_at;
	stream->stopped_at = 0;
	stream->off_ns += off;
	stream->off_max_ns = max(stream->off_max_ns, off);
	stream->off_min_ns = min_not_zero(stream->off_min_ns, off);
}

static void note_stop(struct mimic_stream *stream)
{
	stream->stops[stream->nr_stops++ % MIMIC_STOPS] = stream->seq;
	stream->stopped_at = ktime_get_ns();
}

static void mimic_start(struct perf_event *event, int flags)
{
	struct mimic_cpu *mc = this_cpu_ptr(&mimic_cpus);

	if (addr_filters)
		perf_event_addr_filters_sync(event);
	event->hw.state = 0;
	if (!open_output(mc, event))
		return;
	note_start(mc->stream);
	mc->starts++;
	mc->rate = event->attr.config1 ?: rate;
	mc->clock = local_clock();
	hrtimer_start(&mc->timer, ns_to_ktime(tick_us * NSEC_PER_USEC),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

/*
 * Flush up to the last packet, as hardware does.  The timer may be running on
 * this CPU, below us: never wait for it.
 */
static void mimic_stop(struct perf_event *event, int flags)
{
	struct mimic_cpu *mc = this_cpu_ptr(&mimic_cpus);
	struct mimic_stream *stream = mc->stream;

	if (event->hw.state & PERF_HES_STOPPED)
		return;
	hrtimer_try_to_cancel(&mc->timer);
	mc->stops++;
	if (!stream || mc->handle.event != event) {
		event->hw.state = PERF_HES_STOPPED;
		return;
	}
	produce(mc);
	event->hw.state = PERF_HES_STOPPED;
	note_stop(stream);
	if (mc->stream)
		close_output(mc, 0);
}

static int mimic_add(struct perf_event *event, int flags)
{
	struct mimic_cpu *mc = this_cpu_ptr(&mimic_cpus);

	if (mc->handle.event)
		return -EBUSY;
	event->hw.state = PERF_HES_STOPPED;
	if (flags & PERF_EF_START)
		mimic_start(event, 0);
	return 0;
}

static void mimic_del(struct perf_event *event, int flags)
{
	mimic_stop(event, PERF_EF_UPDATE);
}

static void mimic_read(struct perf_event *event)
{
}

static int mimic_event_init(struct perf_event *event)
{
	return event->attr.type == mimic_pmu.type ? 0 : -ENOENT;
}

/* On failure this returns NULL, not an error pointer. */
static void *mimic_setup_aux(struct perf_event *event, void **pages,
			     int nr_pages, bool overwrite)
{
	return mimic_stream_new(pages, nr_pages, overwrite, event->cpu);
}

static void mimic_free_aux(void *aux)
{
	struct mimic_stream *stream = aux;

	stream->pages = NULL;
}

static int mimic_filters_validate(struct list_head *filters)
{
	return 0;
}

struct pmu mimic_pmu = {
	.module = THIS_MODULE,
	.capabilities = PERF_PMU_CAP_EXCLUSIVE | PERF_PMU_CAP_ITRACE,
	.task_ctx_nr = perf_sw_context,
	.event_init = mimic_event_init,
	.add = mimic_add,
	.del = mimic_del,
	.start = mimic_start,
	.stop = mimic_stop,
	.read = mimic_read,
	.setup_aux = mimic_setup_aux,
	.free_aux = mimic_free_aux,
	.addr_filters_validate = mimic_filters_validate,
	.addr_filters_sync = mimic_filters_set,
};

static void prepare_timers(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct hrtimer *timer = &mimic_cpu_of(cpu)->timer;

		hrtimer_init(timer, CLOCK_MONOTONIC,
			     HRTIMER_MODE_REL_PINNED_HARD);
		timer->function = tick;
	}
}

static int register_pmu(void)
{
	int ret = mimic_sysfs_init(&mimic_pmu, name);

	if (ret)
		return ret;
	if (contiguous)
		mimic_pmu.capabilities |= PERF_PMU_CAP_AUX_NO_SG;
	mimic_pmu.nr_addr_filters = addr_filters;
	ret = perf_pmu_register(&mimic_pmu, name, -1);
	if (ret)
		goto no_pmu;
	ret = mimic_sysfs_add(&mimic_pmu, name);
	if (ret)
		goto no_dirs;
	return 0;
no_dirs:
	mimic_sysfs_remove();
	perf_pmu_unregister(&mimic_pmu);
no_pmu:
	mimic_sysfs_exit();
	return ret;
}

static int __init mimic_init(void)
{
	int ret;

	form = mimic_form_find(form_name);
	if (!form)
		return -EINVAL;
	prepare_timers();
	ret = mimic_figures_init();
	if (ret)
		return ret;
	ret = register_pmu();
	if (ret)
		mimic_figures_exit();
	return ret;
}

static void __exit mimic_exit(void)
{
	mimic_sysfs_remove();
	perf_pmu_unregister(&mimic_pmu);
	mimic_sysfs_exit();
	mimic_figures_exit();
}

module_init(mimic_init);
module_exit(mimic_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A PMU that plays trace hardware");
