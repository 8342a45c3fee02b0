/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A PMU that imitates trace hardware, so that the kernel's AUX code runs on
 * CPUs that cannot trace.  A timer on each CPU writes packets to the AUX
 * buffer.
 */
#ifndef MIMIC_H
#define MIMIC_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/perf_event.h>
#include <linux/seq_file.h>
#include <linux/types.h>

#include "packet.h"

/* The number of a stream's last stops that are kept. */
#define MIMIC_STOPS 1024

/*
 * One AUX buffer, with the stream of packets in it.  It is kept after the
 * buffer is freed: tests compare its figures with those of files.
 */
struct mimic_stream {
	struct list_head node;
	void **pages; /* of the buffer; NULL once it is freed */
	u64 size;
	bool overwrite;
	u16 id;
	int cpu; /* of the buffer's event */
	u64 seq; /* of the next packet */
	u64 packets;
	u64 dropped;
	u64 bytes; /* written, including padding */
	u64 head; /* last passed to perf */
	u64 truncated;
	u64 turns; /* outputs ended and begun at the watermark */
	u64 stopped_at; /* ns; 0: running, or never started */
	u64 off_ns; /* sum of the times from stop to start */
	u64 off_max_ns;
	u64 off_min_ns; /* 0: none yet */
	u64 nr_stops;
	u64 stops[MIMIC_STOPS]; /* seq at the stop */
};

/* A form of packet. */
struct mimic_form {
	const char *name;
	u32 unit;
	bool whole; /* never wraps at the buffer's end, as BTS */
	void (*pack)(void *to, const struct mimic_stream *stream, u64 tsc,
		     u8 cpu);
};

struct mimic_cpu {
	struct perf_output_handle handle;
	struct hrtimer timer;
	struct mimic_stream *stream; /* while the handle is open */
	u64 rate;
	u64 position; /* in the buffer */
	u64 written; /* since the handle was opened */
	u64 wake; /* value of written at which to wake the reader */
	u64 clock; /* of the last packet, ns */
	u64 owed; /* bytes x ns below one packet */
	u64 starts;
	u64 stops;
	u64 ticks;
	u64 late_ns; /* without packets, since ticks were too late */
};

extern struct pmu mimic_pmu;

/* packet.c */
const struct mimic_form *mimic_form_find(const char *name);
void mimic_form_write(const struct mimic_form *form,
		      struct mimic_stream *stream, u64 *position, u64 tsc,
		      u8 cpu);

/* figures.c: /proc/mimic */
int mimic_figures_init(void);
void mimic_figures_exit(void);
struct mimic_stream *mimic_stream_new(void **pages, int nr_pages,
				      bool overwrite, int cpu);
void mimic_filters_set(struct perf_event *event);

/* pmu.c */
struct mimic_cpu *mimic_cpu_of(int cpu);

/* sysfs.c: what the PMU's directory holds */
int mimic_sysfs_init(struct pmu *pmu, const char *name);
int mimic_sysfs_add(struct pmu *pmu, const char *name);
void mimic_sysfs_remove(void);
void mimic_sysfs_exit(void);

#endif
