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

uint64_t session_limit_freq(uint64_t freq)
{
	long long max;

	if (sys_read_number("/proc/sys/kernel/perf_event_max_sample_rate",
			    &max) ||
	    max <= 0 || freq <= (uint64_t)max)
		return freq;
	return (uint64_t)max;
}

/* -F or its default, for every event that has no rate of its own. */
static void set_common_freq(struct session *s, struct session_spec *spec)
{
	uint64_t asked = s->opts.freq ? s->opts.freq : DEFAULT_FREQ;
	uint64_t freq = session_limit_freq(asked);

	spec->attr.freq = 1;
	spec->attr.sample_freq = freq;
	if (freq < asked && !strstr(s->notice, "-F "))
		session_notice_add(s, SESSION_FREQ_LOWERED,
				   (unsigned long long)asked,
				   (unsigned long long)freq);
}

static int set_own_freq(struct session_spec *spec, uint64_t freq,
			struct err *err)
{
	uint64_t max = session_limit_freq(freq);

	if (freq > max)
		return err_set(err, -EINVAL,
			       "%s at %llu Hz: over kernel.perf_event_max_sample_rate, which is %llu: lower it, or raise that with sysctl",
			       spec->name, (unsigned long long)freq,
			       (unsigned long long)max);
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
		return set_own_freq(spec, from->freq, err);
	else if (s->opts.period)
		spec->attr.sample_period = s->opts.period;
	else if (!s->opts.freq &&
		 (from->tracepoint || spec->attr.type == PERF_TYPE_BREAKPOINT))
		spec->attr.sample_period = 1;
	else
		set_common_freq(s, spec);
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
		return err_usage(err,
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
		uint64_t raw = 0;

		/* RAW is a u32 size and the data, padded to 8 bytes. */
		if (from->tracepoint)
			raw = (4 + (uint64_t)from->raw_bytes + 7) & ~7ULL;
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
	uint64_t most = bytes > s->max_record + 1 ?
			bytes - s->max_record - 1 : 0;
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
		return err_usage(err,
				 "--watermark %llu in a ring of %s: within a record (%llu bytes) of its size it never wakes anybody: use at most %llu",
				 (unsigned long long)mark,
				 units_bytes(size, sizeof(size), (double)bytes),
				 (unsigned long long)s->max_record,
				 (unsigned long long)most);
	*watermark = mark ? mark : 1;
	return 0;
}

void session_specs_side_band(const struct session *s,
			     struct session_place place, uint64_t bytes,
			     struct perf_event_attr *attr)
{
	/* On a CPU it would tell of every process: see session.h. */
	bool bare = place.tid < 0 && target_by_task(&s->opts.target);
	uint64_t mark;

	memset(attr, 0, sizeof(*attr));
	set_common(s, attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	/* It counts nothing; without this it needs the right to the kernel. */
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
	attr->mmap = !bare;
	attr->mmap2 = !bare;
	attr->comm = !bare;
	attr->comm_exec = !bare;
	attr->task = !bare;
	attr->inherit = place.tid >= 0 && inherits(s);
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
		return err_set(err, -ENOMEM,
			       "-m %llu bytes: no machine has that much memory: use a smaller -m",
			       (unsigned long long)s->opts.ring_bytes);
	s->ring_bytes = bytes;
	return session_specs_watermark(s, bytes, &mark, err);
}
