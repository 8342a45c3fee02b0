/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_setting.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/units.h"

enum { PERF = 1, RINGBUF = 2, ANY = PERF | RINGBUF };

/* What a program counts in. */
enum unit {
	PAGES,
	SMALL_PAGES,	/* of 4 KiB, whatever the machine's page size */
	BYTES,
	SUFFIXED,	/* bytes with a suffix: 2M */
	PRESET,		/* 1 to 10: 1 MiB to 512 MiB */
};

/* The first that matches counts.  Names are cut to 15 characters, as comm is. */
static const struct setting {
	const char *comm;	/* a pattern of fnmatch(3) */
	int kinds;
	enum unit unit;
	const char *before, *after;
} settings[] = {
	/* tools/perf/Documentation/perf-record.txt, and the same in perf trace,
	 * top and kvm */
	{ "perf", PERF, PAGES, "perf's option -m ", "" },
	{ "rbtop*", PERF, PAGES, "rbtop's option -m ", "" },
	/* docs/reference_guide.md; the size of the whole buffer since it is a
	 * BPF ring buffer */
	{ "bpftrace", PERF, PAGES, "BPFTRACE_PERF_RB_PAGES=", "" },
	{ "bpftrace", RINGBUF, SMALL_PAGES, "BPFTRACE_PERF_RB_PAGES=", "" },
	/* tools/opensnoop.py and libbpf-tools of bcc; src/python/bcc/table.py */
	{ "opensnoop*", PERF, PAGES, "option -b ", "" },
	{ "*-bpfcc", PERF, PAGES, "page_cnt=",
	  " of open_perf_buffer() in the tool" },
	{ "*-bpfcc", RINGBUF, PAGES, "BPF_RINGBUF_OUTPUT(..., ",
	  ") in the tool" },
	/* pkg/option of tetragon */
	{ "tetragon", PERF, SUFFIXED, "tetragon's --rb-size ", "" },
	{ "tetragon", RINGBUF, SUFFIXED, "tetragon's --rb-size-total ", "" },
	/* falco.yaml */
	{ "falco", RINGBUF, PRESET, "engine.modern_ebpf.buf_size_preset: ",
	  " in falco.yaml" },
	{ "falco", PERF, PRESET, "engine.ebpf.buf_size_preset: ",
	  " in falco.yaml" },
	/* docs/flags/buffers of tracee; before that --perf-buffer-size */
	{ "tracee*", PERF, PAGES, "tracee's --buffers kernel.events=",
	  " (formerly --perf-buffer-size)" },
	{ "parca-agent", PERF, PAGES,
	  "parca-agent's --bpf-events-buffer-size=", "" },
	{ "pwru", PERF, BYTES, "pwru's --per-cpu-buffer ", "" },
	{ "lo2s", PERF, PAGES, "lo2s' option -m ", "" },
	{ "simpleperf", PERF, PAGES, "simpleperf's option -m ", "" },
	/* plugin scheduler: tuned/plugins/plugin_scheduler.py */
	{ "tuned", PERF, PAGES, "perf_mmap_pages = ",
	  " in [scheduler] of its profile" },
	/* pages of 4 KiB since the end of 2025 */
	{ "deepflow-agent*", PERF, SMALL_PAGES,
	  "inputs.ebpf.tunning.perf_pages_count: ", "" },
	/* pkg/config of datadog-agent */
	{ "system-probe", RINGBUF, BYTES,
	  "event_monitoring_config.event_stream.buffer_size: ",
	  " in system-probe.yaml" },
	/* what all of them set in the end: bpf_map__set_max_entries() */
	{ "*", RINGBUF, BYTES, "max_entries of the map, ", " bytes" },
};

/* The value of @bytes, in a power of two of pages. */
static void put_value(enum unit unit, uint64_t pages, uint64_t bytes,
		      char *buf, size_t size)
{
	uint64_t value = unit == PAGES	     ? pages :
			 unit == SMALL_PAGES ? bytes >> 12 :
					       bytes;

	if (unit == SUFFIXED) {
		units_bytes(buf, size, (double)bytes);
		return;
	}
	if (unit == PRESET) {
		for (value = 1; value < 10 && bytes > 1ull << (19 + value);)
			value++;
	}
	snprintf(buf, size, "%" PRIu64, value);
}

void host_setting(const char *comm, bool ringbuf, uint64_t pages,
		  uint64_t page_size, char *buf, size_t size)
{
	int kind = ringbuf ? RINGBUF : PERF;
	char value[32];

	buf[0] = '\0';
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		const struct setting *s = &settings[i];

		if (!(s->kinds & kind) || fnmatch(s->comm, comm, 0))
			continue;
		put_value(s->unit, pages, pages * page_size, value,
			  sizeof(value));
		snprintf(buf, size, "%s%s%s", s->before, value, s->after);
		return;
	}
}
