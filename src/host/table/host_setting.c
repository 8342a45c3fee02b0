/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_setting.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/units.h"

enum { PERF = 1, RINGBUF = 2 };

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
	/* tools/perf: perf-top.txt, builtin-trace.c and builtin-kvm.c have the
	 * same option as record */
	{ "perf", PERF, PAGES, "-m ", "" },
	{ "rbtop*", PERF, PAGES, "-m ", "" },
	/* CHANGELOG.md (0.11.0), src/config.cpp; docs/language.md: the size of
	 * the whole buffer since it is a BPF ring buffer */
	{ "bpftrace", PERF, PAGES, "BPFTRACE_PERF_RB_PAGES=", "" },
	{ "bpftrace", RINGBUF, SMALL_PAGES, "BPFTRACE_PERF_RB_PAGES=", "" },
	/* bcc: tools/opensnoop.py, src/python/bcc/table.py,
	 * docs/reference_guide.md */
	{ "opensnoop-bpfcc", PERF, PAGES, "-b ", "" },
	{ "*-bpfcc", PERF, PAGES, "page_cnt=",
	  " of open_perf_buffer() in the tool" },
	{ "*-bpfcc", RINGBUF, PAGES, "BPF_RINGBUF_OUTPUT(..., ",
	  ") in the tool" },
	/* cilium/tetragon pkg/option/flags.go, pull request 4075 */
	{ "tetragon", PERF, SUFFIXED, "tetragon's --rb-size ", "" },
	{ "tetragon", RINGBUF, SUFFIXED, "tetragon's --rb-size-total ", "" },
	/* falco.yaml, falcosecurity/falco pull request 2214 */
	{ "falco", RINGBUF, PRESET, "engine.modern_ebpf.buf_size_preset: ",
	  " in falco.yaml" },
	{ "falco", PERF, PRESET, "engine.ebpf.buf_size_preset: ",
	  " in falco.yaml" },
	/* aquasecurity/tracee docs/flags/buffers.1.md */
	{ "tracee*", PERF, PAGES, "tracee's --buffers kernel.events=",
	  " (formerly --perf-buffer-size)" },
	/* parca-agent README; cilium/pwru internal/pwru/types.go; lo2s
	 * src/config.cpp; simpleperf cmd_record.cpp */
	{ "parca-agent", PERF, PAGES,
	  "parca-agent's --bpf-events-buffer-size=", "" },
	{ "pwru", PERF, BYTES, "pwru's --per-cpu-buffer ", "" },
	{ "lo2s", PERF, PAGES, "-m ", "" },
	{ "simpleperf", PERF, PAGES, "-m ", "" },
	/* redhat-performance/tuned pull request 310 */
	{ "tuned", PERF, PAGES, "perf_mmap_pages = ",
	  " in [scheduler] of its profile" },
	/* deepflowio/deepflow pull request 11067: pages of 4 KiB since 2025 */
	{ "deepflow-agent*", PERF, SMALL_PAGES,
	  "inputs.ebpf.tunning.perf_pages_count: ", "" },
	/* DataDog/datadog-agent, runtime security's configuration */
	{ "system-probe", RINGBUF, BYTES,
	  "event_monitoring_config.event_stream.buffer_size: ",
	  " in system-probe.yaml" },
	/* what all of them set in the end: bpf_map__set_max_entries() */
	{ "*", RINGBUF, BYTES, "max_entries=", "" },
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
