/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is asked of the kernel: attributes, rates, watermarks, ring sizes. */
#include "perf/session_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/units.h"
#include "perf/record.h"

enum { DEFAULT_FREQ = 4000, DEFAULT_MLOCK_KB = 516 };

/* kernel.perf_event_max_sample_rate: a higher sample_freq is EINVAL. */
static uint64_t max_sample_rate(void)
{
	long long rate;

	if (sys_read_number("/proc/sys/kernel/perf_event_max_sample_rate",
			    &rate) ||
	    rate <= 0)
		return UINT64_MAX;
	return (uint64_t)rate;
}

static int set_freq(struct session *s, struct session_spec *spec, uint64_t freq,
		    struct err *err)
{
	uint64_t max = max_sample_rate();

	if (freq == 0) {
		freq = DEFAULT_FREQ;
		if (freq > max) {
			freq = max;
			if (!strstr(s->notice, "-F lowered"))
				session_notice_add(
					s,
					"-F lowered to %llu: kernel.perf_event_max_sample_rate",
					(unsigned long long)max);
		}
	} else if (freq > max) {
		return err_set(
			err, -EINVAL,
			"%s at %llu Hz: over kernel.perf_event_max_sample_rate: use -F %llu, or sysctl kernel.perf_event_max_sample_rate=%llu",
			spec->name, (unsigned long long)freq,
			(unsigned long long)max, (unsigned long long)freq);
	}
	spec->attr.freq = 1;
	spec->attr.sample_freq = freq;
	return 0;
}

/*
 * A term of the event before -c and -F, and these before the default, which
 * is each hit of a tracepoint or breakpoint, as in perf record.
 */
static int set_rate(struct session *s, const struct event_spec *from,
		    struct session_spec *spec, struct err *err)
{
	spec->attr.freq = 0;
	if (from->period)
		spec->attr.sample_period = from->period;
	else if (from->freq)
		return set_freq(s, spec, from->freq, err);
	else if (s->opts.period)
		spec->attr.sample_period = s->opts.period;
	else if (s->opts.freq)
		return set_freq(s, spec, s->opts.freq, err);
	else if (from->tracepoint || spec->attr.type == PERF_TYPE_BREAKPOINT)
		spec->attr.sample_period = 1;
	else
		return set_freq(s, spec, 0, err);
	return 0;
}

/* What all events of a ring must agree in, the owner included. */
static void set_common(const struct session *s, struct perf_event_attr *attr)
{
	attr->size = sizeof(*attr);
	attr->sample_type = RECORD_SAMPLE_TYPE;
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	attr->write_backward = s->opts.overwrite;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			    PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;
	attr->disabled = 1;
}

static bool inherits(const struct session *s)
{
	return s->opts.target.mode == TARGET_TASKS && s->opts.target.inherit;
}

static int make_spec(struct session *s, size_t i, struct err *err)
{
	const struct event_spec *from = &s->opts.events.specs[i];
	struct session_spec *spec = &s->specs[i];
	struct perf_event_attr *attr = &spec->attr;

	snprintf(spec->name, sizeof(spec->name), "%s", from->name);
	*attr = from->attr;
	set_common(s, attr);
	if (from->tracepoint)
		attr->sample_type |= PERF_SAMPLE_RAW;
	attr->disabled = from->leader == i;
	attr->enable_on_exec = attr->disabled && s->opts.enable_on_exec;
	attr->inherit = inherits(s);
	attr->watermark = 0;
	attr->wakeup_events = s->opts.wakeup_events;
	spec->clock_ns = attr->type == PERF_TYPE_SOFTWARE &&
			 (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
			  attr->config == PERF_COUNT_SW_TASK_CLOCK);
	if (from->cgroup && target_by_task(&s->opts.target))
		return err_usage(
			err,
			"-G %s: a cgroup is watched on CPUs: add -a or -C LIST",
			from->cgroup);
	if (from->cgroup && from->cgroup[0]) {
		spec->cgroup = target_open_cgroup(from->cgroup, err);
		if (spec->cgroup < 0)
			return spec->cgroup;
	}
	return set_rate(s, from, spec, err);
}

int session_specs_make(struct session *s, struct err *err)
{
	size_t nr = s->opts.events.nr;
	int ret = 0;

	if (nr == 0)
		return err_usage(err, "no event to open");
	s->specs = calloc(nr, sizeof(*s->specs));
	if (!s->specs)
		return err_set(err, -ENOMEM, "%zu events: out of memory", nr);
	for (size_t i = 0; i < nr; i++)
		s->specs[i].cgroup = -1;
	for (size_t i = 0; !ret && i < nr; i++) {
		const struct event_spec *from = &s->opts.events.specs[i];
		/* RAW is a u32 size and the data, padded to 8 bytes. */
		uint64_t raw = from->tracepoint ?
				       (4 + (uint64_t)from->raw_bytes + 7) &
					       ~7ULL :
				       0;

		if (RECORD_SAMPLE_FIXED + raw > s->max_record)
			s->max_record = RECORD_SAMPLE_FIXED + raw;
		ret = make_spec(s, i, err);
	}
	return ret;
}

void session_specs_free(struct session *s)
{
	for (size_t i = 0; s->specs && i < s->opts.events.nr; i++)
		sys_close(s->specs[i].cgroup);
	free(s->specs);
}

int session_specs_watermark(const struct session *s, uint64_t bytes,
			    uint64_t *watermark, struct err *err)
{
	uint64_t mark = s->opts.watermark;
	char size[16];

	if (s->opts.watermark_ratio > 0)
		mark = (uint64_t)(s->opts.watermark_ratio * (double)bytes);
	if (mark == 0 && s->opts.watermark_ratio <= 0) {
		*watermark = bytes / 2; /* rb_alloc's own choice */
		return 0;
	}
	/*
	 * The kernel wakes when head - wakeup > watermark, and the head never
	 * gets further than a ring ahead of the tail: so near the end it
	 * would lose without ever waking.
	 */
	if (mark > UINT32_MAX || mark + s->max_record >= bytes)
		return err_usage(
			err,
			"--watermark %llu in a ring of %s: within a record (%llu bytes) of its size it never wakes anybody: use at most %llu",
			(unsigned long long)mark,
			units_bytes(size, sizeof(size), (double)bytes),
			(unsigned long long)s->max_record,
			(unsigned long long)(bytes - s->max_record - 1));
	*watermark = mark ? mark : 1;
	return 0;
}

void session_specs_side_band(const struct session *s, uint64_t bytes,
			     struct perf_event_attr *attr)
{
	uint64_t mark;

	memset(attr, 0, sizeof(*attr));
	set_common(s, attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	/* It counts nothing; without this it needs the right to the kernel. */
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->task = 1;
	attr->inherit = s->side_band_on_task && inherits(s);
	if (s->count_lost)
		attr->read_format |= PERF_FORMAT_LOST;
	if ((s->opts.watermark || s->opts.watermark_ratio > 0) &&
	    session_specs_watermark(s, bytes, &mark, NULL) == 0) {
		attr->watermark = 1;
		attr->wakeup_watermark = (uint32_t)mark;
	}
}

/* perf's default: as many pages as perf_event_mlock_kb lets anybody have. */
static uint64_t default_ring_bytes(void)
{
	uint64_t page = sys_page_size(), bytes;
	long long kb;

	if (sys_read_number("/proc/sys/kernel/perf_event_mlock_kb", &kb) ||
	    kb <= 0 || kb > 1 << 24)
		kb = DEFAULT_MLOCK_KB;
	bytes = (uint64_t)kb * 1024;
	bytes = bytes > 2 * page ? bytes - page : page;
	while (bytes & (bytes - 1))
		bytes &= bytes - 1;
	return bytes;
}

int session_specs_ring_bytes(struct session *s, struct err *err)
{
	uint64_t bytes = s->opts.ring_bytes, mark;

	if (bytes && bytes < sys_page_size())
		bytes = sys_page_size();
	bytes = bytes ? units_round_pow2(bytes) : default_ring_bytes();
	if (bytes == 0 || bytes > SIZE_MAX / 4)
		return err_set(
			err, -ENOMEM,
			"-m %llu bytes: no machine has that much memory: use a smaller -m",
			(unsigned long long)s->opts.ring_bytes);
	s->ring_bytes = bytes;
	return session_specs_watermark(s, bytes, &mark, err);
}
