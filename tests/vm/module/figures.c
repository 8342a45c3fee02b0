// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * /proc/mimic: the module's own figures, one object per line:
 *
 *	cpu N starts N stops N ticks N late_ns N
 *	stream ID cpu N size N overwrite 0|1 seq N packets N dropped N
 *		bytes N head N truncated N turns N stops N off_ns N
 *		off_max_ns N off_min_ns N	(one line)
 *	stop ID SEQ		stopped after SEQ packets
 *	filter ACTION START SIZE INODE
 */
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>

#include "mimic.h"

#define MAX_FILTERS 16

struct filter_seen {
	const char *action;
	ulong start;
	ulong size;
	ulong inode;
};

static LIST_HEAD(streams);
static DEFINE_MUTEX(streams_lock);
static u16 last_id;

static struct filter_seen filters[MAX_FILTERS];
static uint nr_filters;
static DEFINE_RAW_SPINLOCK(filters_lock);

struct mimic_stream *mimic_stream_new(void **pages, int nr_pages,
				      bool overwrite, int cpu)
{
	struct mimic_stream *stream = vzalloc(sizeof(*stream));

	if (!stream)
		return NULL;
	stream->pages = pages;
	stream->size = (u64)nr_pages << PAGE_SHIFT;
	stream->overwrite = overwrite;
	stream->cpu = cpu;
	mutex_lock(&streams_lock);
	stream->id = ++last_id;
	list_add_tail(&stream->node, &streams);
	mutex_unlock(&streams_lock);
	return stream;
}

static const char *action_name(enum perf_addr_filter_action_t action)
{
	switch (action) {
	case PERF_ADDR_FILTER_ACTION_START:
		return "start";
	case PERF_ADDR_FILTER_ACTION_FILTER:
		return "filter";
	default:
		return "stop";
	}
}

/* perf calls this with the lock of the event's list held. */
void mimic_filters_set(struct perf_event *event)
{
	struct perf_addr_filters_head *head = perf_event_addr_filters(event);
	struct perf_addr_filter *filter;
	unsigned long flags;
	uint n = 0;

	raw_spin_lock_irqsave(&filters_lock, flags);
	list_for_each_entry(filter, &head->list, entry) {
		struct filter_seen *seen = &filters[n];

		if (n == MAX_FILTERS)
			break;
		seen->action = action_name(filter->action);
		seen->start = event->addr_filter_ranges[n].start;
		seen->size = event->addr_filter_ranges[n].size;
		seen->inode = filter->path.dentry ?
			d_inode(filter->path.dentry)->i_ino : 0;
		n++;
	}
	nr_filters = n;
	raw_spin_unlock_irqrestore(&filters_lock, flags);
}

static void show_cpus(struct seq_file *m)
{
	int cpu;

	for_each_online_cpu(cpu) {
		const struct mimic_cpu *mc = mimic_cpu_of(cpu);

		seq_printf(m, "cpu %d starts %llu stops %llu ticks %llu late_ns %llu\n",
			   cpu, mc->starts, mc->stops, mc->ticks, mc->late_ns);
	}
}

static void show_stream(struct seq_file *m, const struct mimic_stream *stream)
{
	u64 first = stream->nr_stops > MIMIC_STOPS ?
		stream->nr_stops - MIMIC_STOPS : 0;

	seq_printf(m, "stream %u cpu %d size %llu overwrite %d seq %llu packets %llu dropped %llu ",
		   stream->id, stream->cpu, stream->size, stream->overwrite,
		   stream->seq, stream->packets, stream->dropped);
	seq_printf(m, "bytes %llu head %llu truncated %llu turns %llu stops %llu off_ns %llu off_max_ns %llu off_min_ns %llu\n",
		   stream->bytes, stream->head, stream->truncated,
		   stream->turns, stream->nr_stops, stream->off_ns,
		   stream->off_max_ns, stream->off_min_ns);
	for (; first < stream->nr_stops; first++)
		seq_printf(m, "stop %u %llu\n", stream->id,
			   stream->stops[first % MIMIC_STOPS]);
}

static void show_filters(struct seq_file *m)
{
	struct filter_seen seen[MAX_FILTERS];
	unsigned long flags;
	uint n, i;

	raw_spin_lock_irqsave(&filters_lock, flags);
	n = nr_filters;
	memcpy(seen, filters, sizeof(seen));
	raw_spin_unlock_irqrestore(&filters_lock, flags);
	for (i = 0; i < n; i++)
		seq_printf(m, "filter %s %#lx %#lx %lu\n", seen[i].action,
			   seen[i].start, seen[i].size, seen[i].inode);
}

static int show(struct seq_file *m, void *v)
{
	struct mimic_stream *stream;

	show_cpus(m);
	mutex_lock(&streams_lock);
	list_for_each_entry(stream, &streams, node)
		show_stream(m, stream);
	mutex_unlock(&streams_lock);
	show_filters(m);
	return 0;
}

int mimic_figures_init(void)
{
	return proc_create_single("mimic", 0444, NULL, show) ? 0 : -ENOMEM;
}

void mimic_figures_exit(void)
{
	struct mimic_stream *stream, *next;

	remove_proc_entry("mimic", NULL);
	list_for_each_entry_safe(stream, next, &streams, node)
		vfree(stream);
}
