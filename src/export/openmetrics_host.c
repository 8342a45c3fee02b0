/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/openmetrics_host.h"

#include <stddef.h>

#include "export/openmetrics_put.h"
#include "export/row.h"
#include "host/table/host.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

#define RING(type, field, name, unit, member, help)                          \
	{ "rbtop_host_ring_" name, unit, OPENMETRICS_##type,                 \
	  OPENMETRICS_##field, offsetof(struct host_row, member), help },
static const struct openmetrics_family ring_families[] = {
RING(GAUGE, FLAG, "gone", "", gone,
     "Whether its owner is gone; its counters stay for a minute and are lower "
     "bounds: what came after the last look is missed.")
RING(GAUGE, FLAG, "known", "", known,
     "Whether the kernel was asked by BPF; else only the size is known.")
RING(GAUGE, COUNT, "size_bytes", "bytes", size, "Size of the ring.")
RING(GAUGE, COUNT, "locked_bytes", "bytes", locked,
     "Memory that it pins, its AUX ring included.")
RING(GAUGE, COUNT, "watermark_bytes", "bytes", watermark,
     "Bytes between two wakeups of the owner; 0: none.")
RING(GAUGE, COUNT, "used_bytes", "bytes", used,
     "Bytes that wait for the owner.")
RING(GAUGE, NUMBER, "fill_ratio", "ratio", fill,
     "Bytes that wait, as a share of the size.")
RING(GAUGE, NUMBER, "peak_ratio", "ratio", peak,
     "Highest fill that was seen: at least; one between two looks is missed.")
RING(GAUGE, FLAG, "overwrite", "", overwrite,
     "Whether the newest records replace the oldest.")
RING(GAUGE, FLAG, "paused", "", paused, "Whether its output is paused.")
RING(GAUGE, FLAG, "owner_stopped", "", stopped,
     "Whether its owner is stopped by a signal or a debugger.")
RING(GAUGE, FLAG, "woken", "", woken,
     "Whether its owner was woken and has not polled since.")
RING(COUNTER, COUNT, "written_bytes", "bytes", bytes,
     "Bytes written into it since it is watched.")
RING(COUNTER, COUNT, "crossings", "", crossings,
     "Watermarks that the head has crossed, of the ring mapped now.")
RING(COUNTER, COUNT, "wakeups", "", wakeups,
     "Wakeups of the owner since it is watched.")
RING(COUNTER, COUNT, "drains", "", drains,
     "Drains by the owner that were seen: at least so many.")
RING(GAUGE, NUMBER, "undrained_seconds", "seconds", undrained,
     "How long data has waited since the tail last moved: at least.")
RING(GAUGE, NUMBER, "worst_gap_seconds", "seconds", worst_gap,
     "Longest time without a drain while data waited: at least.")
RING(COUNTER, COUNT, "lost_records", "records", lost,
     "Records lost by its events since they were opened, reported and "
     "pending.")
RING(COUNTER, COUNT, "lost_reported_records", "records", lost_reported,
     "Of those, what LOST records have told the owner.")
RING(GAUGE, COUNT, "lost_pending_records", "records", lost_pending,
     "Of those, what no LOST record has told of yet.")
RING(COUNTER, COUNT, "remaps", "", remapped,
     "Times that another ring took its place.")
};
#undef RING

#define AUX(type, field, name, unit, member, help)                           \
	{ "rbtop_host_aux_" name, unit, OPENMETRICS_##type,                  \
	  OPENMETRICS_##field, offsetof(struct host_row, aux.member), help },
static const struct openmetrics_family aux_families[] = {
AUX(GAUGE, COUNT, "size_bytes", "bytes", size, "Size of the AUX ring.")
AUX(GAUGE, FLAG, "overwrite", "", overwrite,
    "Whether it is in snapshot mode, where the head is that of the last stop.")
AUX(GAUGE, COUNT, "head_bytes", "bytes", head,
    "Its head as the kernel published it last.")
AUX(GAUGE, COUNT, "used_bytes", "bytes", used,
    "Bytes of trace that wait for the owner.")
AUX(GAUGE, NUMBER, "fill_ratio", "ratio", fill,
    "Bytes that wait, as a share of the size.")
};
#undef AUX

#define USER(field, name, unit, member, help)                                \
	{ "rbtop_host_user_" name, unit, OPENMETRICS_GAUGE,                  \
	  OPENMETRICS_##field, offsetof(struct host_user, member), help },
static const struct openmetrics_family user_families[] = {
USER(UNSIGNED, "rings", "", rings, "Rings of the user.")
USER(COUNT, "locked_bytes", "bytes", locked,
     "Memory that the user has pinned for rings.")
USER(COUNT, "limit_bytes", "bytes", limit,
     "What perf_event_mlock_kb lets a user pin.")
USER(COUNT, "pinned_bytes", "bytes", pinned,
     "Pinned beyond that by the owner that pins most.")
USER(COUNT, "memlock_bytes", "bytes", memlock,
     "What RLIMIT_MEMLOCK lets that owner pin.")
USER(FLAG, "exempt", "", exempt, "Whether no limit counts.")
USER(FLAG, "at_limit", "", at_limit,
     "Whether no other ring of the user would fit.")
};
#undef USER

#define HOST(type, field, name, unit, member, help)                          \
	{ "rbtop_host_" name, unit, OPENMETRICS_##type,                      \
	  OPENMETRICS_##field, offsetof(struct host, member), help },
static const struct openmetrics_family host_families[] = {
HOST(GAUGE, FLAG, "bpf", "", status.bpf,
     "Whether the kernel is asked by BPF; else /proc tells sizes alone.")
HOST(COUNTER, COUNT, "passes", "", status.passes,
     "Times that the machine's rings were looked at.")
HOST(GAUGE, NUMBER, "pass_interval_seconds", "seconds", status.interval,
     "Time between two looks: what comes and goes between them is missed.")
HOST(GAUGE, NUMBER, "pass_cpu_seconds", "seconds", status.cost,
     "CPU time that a look takes.")
HOST(GAUGE, NUMBER, "whole_age_seconds", "seconds", status.whole_age,
     "Time since all processes were looked at.")
HOST(GAUGE, UNSIGNED, "hidden_processes", "", status.hidden,
     "Processes that may not be looked into: no ring of theirs is counted.")
HOST(GAUGE, UNSIGNED, "perf_rings", "", total.rings,
     "Rings of perf events, of what -p and -C choose and of the processes that "
     "may be looked into.")
HOST(GAUGE, UNSIGNED, "bpf_ringbufs", "", total.ringbufs,
     "BPF ring buffers, of the same.")
HOST(COUNTER, COUNT, "written_bytes", "bytes", total.bytes,
     "Bytes written into all rings ever seen, a lower bound: what came between "
     "the last look and the exit of an owner is missed.")
HOST(COUNTER, COUNT, "lost_records", "records", total.lost,
     "Records lost by the events of all rings ever seen, a lower bound as "
     "well.")
HOST(GAUGE, UNSIGNED, "uncounted_rings", "", total.uncounted,
     "BPF ring buffers: their losses are not counted and not in any total.")
HOST(GAUGE, UNSIGNED, "owners", "", total.owners,
     "Processes that own them.")
HOST(GAUGE, COUNT, "files", "", status.files,
     "File descriptors that are perf events, of all processes that may be "
     "looked into.")
HOST(GAUGE, COUNT, "ringless_events", "", status.ringless,
     "Perf events that have no ring.")
HOST(GAUGE, UNSIGNED, "warned_rings", "", total.warned,
     "Rings with a warning.")
};
#undef HOST

static const struct openmetrics_family info_family = {
	.name = "rbtop_host_ring", .unit = "",
	.type = OPENMETRICS_INFO, .field = OPENMETRICS_ONE,
	.help = "Whose the ring is and what writes to it, to be joined by "
		"the label ring.",
};

/*
 * What tells rings apart, and stays while the owner goes on as it may: another
 * label would be another series, of which a collector knows no past.
 */
static void ring_labels(struct openmetrics_labels *labels, const void *item)
{
	const struct host_row *row = item;

	openmetrics_label_number(labels, "ring", (int64_t)row->id);
	openmetrics_label(labels, "kind", host_kind_name(row->kind));
	openmetrics_label_number(labels, "pid", row->pid);
	openmetrics_label_number(labels, "cpu", row->cpu);
	openmetrics_label_number(labels, "tid", row->tid);
}

/* Processes change their names, and events are redirected and closed. */
static void info_labels(struct openmetrics_labels *labels, const void *item)
{
	const struct host_row *row = item;

	ring_labels(labels, item);
	openmetrics_label(labels, "comm", row->comm);
	openmetrics_label(labels, "user", row->user);
	openmetrics_label(labels, "event", row->event);
	openmetrics_label(labels, "map", row->map);
}

/* See row_host_counted(); without BPF events are not known. */
static bool host_has(const struct openmetrics_family *family, const void *item)
{
	const struct host *host = item;

	switch (family->offset) {
	case offsetof(struct host, total.rings):
	case offsetof(struct host, total.ringbufs):
	case offsetof(struct host, total.uncounted):
	case offsetof(struct host, total.owners):
	case offsetof(struct host, total.warned):
	case offsetof(struct host, status.files):
		return row_host_counted(host);
	case offsetof(struct host, total.bytes):
	case offsetof(struct host, total.lost):
	case offsetof(struct host, status.ringless):
		return host->status.bpf;
	}
	return true;
}

/* What is gone has its last counters, but is in no state any more. */
static bool ring_has(const struct openmetrics_family *family, const void *item)
{
	const struct host_row *row = item;

	if (family->offset == offsetof(struct host_row, gone))
		return true;
	if (row->gone)
		return family->type == OPENMETRICS_COUNTER && row->known;
	return row->known ||
	       family->offset == offsetof(struct host_row, known) ||
	       family->offset == offsetof(struct host_row, size) ||
	       family->offset == offsetof(struct host_row, locked);
}

static bool aux_has(const struct openmetrics_family *family, const void *item)
{
	const struct host_row *row = item;

	return row->aux.size && !row->gone &&
	       (row->known ||
		family->offset == offsetof(struct host_row, aux.size));
}

static void user_labels(struct openmetrics_labels *labels, const void *item)
{
	const struct host_user *user = item;

	openmetrics_label_number(labels, "uid", user->uid);
	openmetrics_label(labels, "user", user->name);
}

static void put_warning(const struct openmetrics_family *family,
			const struct host_row *row, enum host_warning warning,
			const struct openmetrics_out *out)
{
	struct openmetrics_labels labels = openmetrics_begin(family, out);

	ring_labels(&labels, row);
	openmetrics_label(&labels, "warning", host_warning_name(warning));
	openmetrics_end(&labels, 1);
}

/* Those that are, not those that might be. */
static void put_warnings(const struct host *host,
			 const struct openmetrics_out *out)
{
	static const struct openmetrics_family family = {
		.name = "rbtop_host_ring_warning", .unit = "",
		.help = "1 for each thing that is wrong with the ring.",
	};

	if (host->total.warned)
		openmetrics_head(&family, out);
	for (size_t i = 0; i < host->nr_rows; i++) {
		const struct host_row *row = &host->rows[i];

		for (enum host_warning w = 0; w < HOST_WARNINGS; w++)
			if (!row->gone && (row->warnings & 1u << w))
				put_warning(&family, row, w, out);
	}
}

static void put_event(const struct openmetrics_family *family,
		      const struct host_row *row,
		      const struct host_event *event,
		      const struct openmetrics_out *out)
{
	struct openmetrics_labels labels = openmetrics_begin(family, out);

	openmetrics_label_number(&labels, "ring", (int64_t)row->id);
	openmetrics_label_number(&labels, "id", (int64_t)event->id);
	openmetrics_label_number(&labels, "pid", row->pid);
	openmetrics_label(&labels, "event", event->name);
	openmetrics_end(&labels, event->lost);
}

static void put_events(const struct host *host,
		       const struct openmetrics_out *out)
{
	static const struct openmetrics_family family = {
		.name = "rbtop_host_event_lost_records", .unit = "records",
		.type = OPENMETRICS_COUNTER,
		.help = "Records that the event has lost since it was opened.",
	};
	bool first = true;

	for (size_t i = 0; i < host->nr_rows; i++) {
		const struct host_row *row = &host->rows[i];

		for (size_t j = 0; j < row->nr_events; j++) {
			if (row->events[j].lost == UNKNOWN)
				continue;
			if (first)
				openmetrics_head(&family, out);
			first = false;
			put_event(&family, row, &row->events[j], out);
		}
	}
}

static void put_reason(const struct host_status *status,
		       const struct openmetrics_out *out)
{
	static const struct openmetrics_family family = {
		.name = "rbtop_host_fallback", .unit = "",
		.help = "Why BPF cannot be had.",
	};
	struct openmetrics_labels labels;

	if (!status->reason[0])
		return;
	openmetrics_head(&family, out);
	labels = openmetrics_begin(&family, out);
	openmetrics_label(&labels, "reason", status->reason);
	openmetrics_end(&labels, 1);
}

int openmetrics_host_put(const struct host *host,
			 const struct openmetrics_out *out)
{
	const struct openmetrics_items infos = {
		host->rows, host->nr_rows, sizeof(host->rows[0]), info_labels,
		NULL,
	}, rings = {
		host->rows, host->nr_rows, sizeof(host->rows[0]), ring_labels,
		ring_has,
	}, aux = {
		host->rows, host->nr_rows, sizeof(host->rows[0]), ring_labels,
		aux_has,
	}, users = {
		host->users, host->nr_users, sizeof(host->users[0]),
		user_labels, NULL,
	}, all = { host, 1, sizeof(*host), NULL, host_has };

	const struct {
		const struct openmetrics_family *families;
		size_t nr;
		const struct openmetrics_items *items;
	} tables[] = {
		{ host_families, NR(host_families), &all },
		{ &info_family, 1, &infos },
		{ ring_families, NR(ring_families), &rings },
		{ aux_families, NR(aux_families), &aux },
		{ user_families, NR(user_families), &users },
	};
	int ret = 0;

	if (!host->status.ready)
		return 0;
	put_reason(&host->status, out);
	put_warnings(host, out);
	put_events(host, out);
	for (size_t i = 0; i < NR(tables) && ret == 0; i++)
		ret = openmetrics_put(tables[i].families, tables[i].nr,
				      tables[i].items, out);
	return ret;
}
