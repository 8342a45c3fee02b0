/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The attributes of events: rates, watermarks, ring sizes. */
#include "perf/session/session_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/units.h"
#include "perf/abi/record.h"

enum {
	DEFAULT_FREQ = 4000,
	DEFAULT_MLOCK_KB = 516,
	DEFAULT_AUX_BYTES = 4 << 20,	/* perf's for root */
	/* kernel/events/callchain.c */
	DEFAULT_MAX_STACK = 127,
	DEFAULT_MAX_CONTEXTS = 8,
	/* More than any PMU has: 32 on x86 and POWER, 64 on arm64. */
	MAX_BRANCHES = 64,
};

static uint64_t max_rate(void)
{
	long long max;

	if (sys_read_number("/proc/sys/kernel/perf_event_max_sample_rate",
			    &max) ||
	    max <= 0)
		return 0;
	return (uint64_t)max;
}

uint64_t session_limit_freq(uint64_t freq)
{
	uint64_t max = max_rate();

	return max && freq > max ? max : freq;
}

/* 0 and 100 turn the limit off: see perf_cpu_time_max_percent_handler() in
 * kernel/events/core.c. */
static unsigned int max_percent(void)
{
	long long max;

	if (sys_read_number("/proc/sys/kernel/perf_cpu_time_max_percent",
			    &max) || max <= 0 || max >= 100)
		return 0;
	return (unsigned int)max;
}

void session_rates(const struct session *s, struct event_rates *rates)
{
	*rates = (struct event_rates){ .max = max_rate(),
				       .cpu_percent = max_percent() };
	for (size_t i = 0; i < s->opts.events.nr; i++) {
		const struct perf_event_attr *attr = &s->specs[i].attr;

		rates->clock |= s->specs[i].clock_ns;
		if (s->opts.events.specs[i].aux || rates->freq ||
		    rates->period)
			continue;
		if (attr->freq)
			rates->freq = attr->sample_freq;
		else
			rates->period = attr->sample_period;
	}
}

uint64_t session_max_samples(const struct session *s)
{
	for (size_t i = 0; i < s->opts.events.nr; i++) {
		if (s->specs[i].clock_ns)
			return max_rate();
	}
	return 0;
}

/*
 * The period is used as requested.  The kernel takes a sample of a clock at
 * most every 10 us, and if such an interrupt is expensive, as in a virtual
 * machine, that uses nearly all of a CPU, whether the ring is read or not.
 */
bool session_period_notice(const struct session *s, uint64_t period, char *text,
			   size_t size)
{
	uint64_t max = session_max_samples(s);

	if (!max || !period || period >= 1000000000 / max)
		return false;
	snprintf(text, size,
		 SESSION_PERIOD_OVER
		 " %llu ns exceeds %llu/s: interrupts may fill "
		 "the CPUs; use a larger period (-c, key f)",
		 (unsigned long long)period, (unsigned long long)max);
	return true;
}

/* -F or its default, for every event without a rate of its own. */
static void set_common_freq(struct session *s, struct session_spec *spec)
{
	uint64_t asked = s->opts.freq ? s->opts.freq : DEFAULT_FREQ;
	uint64_t freq = session_limit_freq(asked);
	bool said = strstr(s->notice, "-F ");

	spec->attr.freq = 1;
	spec->attr.sample_freq = freq;
	if (freq < asked && !said)
		session_notice_add(s, SESSION_FREQ_LOWERED,
				   (unsigned long long)asked,
				   (unsigned long long)freq);
	if (freq > CLOCK_FREQ_SAFE && spec->clock_ns && !said)
		session_notice_add(s, "sampling at %llu Hz may take most of "
				   "each CPU's time: use a lower rate (-F "
				   "4000, key f)", (unsigned long long)freq);
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
 * A term of the event, else -c or -F, else the default: each hit of a
 * tracepoint or breakpoint, as in perf record.  An event that traces has the
 * period that its PMU needs (auxtrace.h).
 */
static int set_rate(struct session *s, const struct event_spec *from,
		    struct session_spec *spec, struct err *err)
{
	spec->attr.freq = 0;
	if (from->aux)
		spec->attr.sample_period = from->period ? from->period : 1;
	else if (from->period)
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

/* Attributes that must be the same in all events of a ring. */
static void set_common(const struct session *s, struct perf_event_attr *attr)
{
	attr->size = sizeof(*attr);
	attr->sample_type = RECORD_SAMPLE_TYPE;
	attr->sample_id_all = 1;
	attr->use_clockid = !s->has_aux;
	attr->clockid = s->has_aux ? 0 : CLOCK_MONOTONIC;
	attr->write_backward = s->opts.overwrite;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			    PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;
	attr->disabled = 1;
}

static bool inherits(const struct session *s)
{
	return s->opts.target.mode == TARGET_TASKS && s->opts.target.inherit;
}

/* The fields of its samples in addition to RECORD_SAMPLE_TYPE. */
static void set_contents(const struct session *s, const struct event_spec *from,
			 struct perf_event_attr *attr)
{
	if (from->aux) {
		/*
		 * It writes a trace and takes no samples, so PERIOD is not
		 * needed; its kind of trace adds fields.
		 */
		attr->sample_type &= ~(uint64_t)PERF_SAMPLE_PERIOD;
		attr->sample_type |= from->attr.sample_type;
		return;
	}
	attr->sample_type |= s->opts.sample_type;
	if (from->tracepoint)
		attr->sample_type |= PERF_SAMPLE_RAW;
	if (s->opts.callchain) {
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
		attr->sample_max_stack = s->opts.max_stack;
	}
	if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
		attr->branch_sample_type = s->opts.branch_sample_type;
}

static uint64_t limit_of(const char *path, uint64_t usual)
{
	long long limit;

	if (sys_read_number(path, &limit) || limit < 0 || limit > UINT16_MAX)
		return usual;
	return (uint64_t)limit;
}

/* A count, the frames, and the markers among them. */
static uint64_t longest_chain(const struct session *s)
{
	uint64_t frames = s->opts.max_stack;

	if (frames == 0)
		frames = limit_of("/proc/sys/kernel/perf_event_max_stack",
				  DEFAULT_MAX_STACK);
	return 1 + frames +
	       limit_of("/proc/sys/kernel/perf_event_max_contexts_per_stack",
			DEFAULT_MAX_CONTEXTS);
}

/* The largest size in bytes of a sample of @attr. */
static uint64_t longest_sample(const struct session *s,
			       const struct event_spec *from,
			       const struct perf_event_attr *attr)
{
	const uint64_t of_a_word =
		PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT_TYPE |
		PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |
		PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
		PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE;
	uint64_t type = attr->sample_type, words, raw = 0;

	if (from->aux)
		return RECORD_SAMPLE_FIXED; /* it has no samples */
	words = (uint64_t)__builtin_popcountll(type & of_a_word);
	if (type & PERF_SAMPLE_CALLCHAIN)
		words += longest_chain(s);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		words += 2 + MAX_BRANCHES * sizeof(struct perf_branch_entry) /
				     sizeof(uint64_t);
	/* RAW is a u32 size and the data, padded to 8 bytes. */
	if (type & PERF_SAMPLE_RAW)
		raw = (4 + (uint64_t)from->raw_bytes + 7) & ~7ULL;
	return RECORD_SAMPLE_FIXED + words * sizeof(uint64_t) + raw;
}

static int make_spec(struct session *s, size_t i, struct err *err)
{
	const struct event_spec *from = &s->opts.events.specs[i];
	struct session_spec *spec = &s->specs[i];
	struct perf_event_attr *attr = &spec->attr;
	char text[sizeof(s->notice)];
	int ret;

	snprintf(spec->name, sizeof(spec->name), "%s", from->name);
	*attr = from->attr;
	set_common(s, attr);
	/* they replace the modifiers, as in perf */
	if (!from->call && (s->opts.all_user || s->opts.all_kernel)) {
		attr->exclude_kernel = s->opts.all_user;
		attr->exclude_user = s->opts.all_kernel;
	}
	set_contents(s, from, attr);
	attr->disabled = from->leader == i;
	attr->enable_on_exec = attr->disabled && s->opts.enable_on_exec;
	attr->inherit = inherits(s);
	attr->watermark = 0;
	attr->wakeup_events = from->call ? 1 : s->opts.wakeup_events;
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
	ret = set_rate(s, from, spec, err);
	if (!ret && spec->clock_ns && !attr->freq &&
	    !strstr(s->notice, SESSION_PERIOD_OVER) &&
	    session_period_notice(s, attr->sample_period, text, sizeof(text)))
		session_notice_add(s, "%s", text);
	return ret;
}

uint32_t session_specs_aux_action(const struct perf_event_attr *attr)
{
	uint32_t action;

	memcpy(&action, (const char *)attr + EVENT_AUX_ACTION_OFFSET,
	       sizeof(action));
	return action;
}

/* The kernel's rules: the event that traces leads, and members control it. */
static int check_tracing(const struct session *s, size_t i, struct err *err)
{
	const struct event_spec *spec = &s->opts.events.specs[i];
	bool led = s->opts.events.specs[spec->leader].aux && !spec->aux;
	uint32_t action = session_specs_aux_action(&spec->attr);

	if (spec->aux && spec->leader != i)
		return err_usage(err,
				 "%s: an event that traces must be the first of its group: {%s,...}",
				 spec->name, spec->name);
	if (action & EVENT_AUX_START_PAUSED && !spec->aux)
		return err_usage(err,
				 "%s: aux-action=start-paused is for an event that traces",
				 spec->name);
	if (action & (EVENT_AUX_PAUSE | EVENT_AUX_RESUME) && !led)
		return err_usage(err,
				 "%s: aux-action=pause and =resume are for members of a group that starts with an event that traces: {intel_pt/aux-action=start-paused/,EVENT/aux-action=resume/}",
				 spec->name);
	if (spec->attr.aux_output && !led)
		return err_usage(err,
				 "%s: aux-output is for members of a group that starts with an event that traces: {intel_pt//,EVENT/aux-output/}",
				 spec->name);
	return 0;
}

int session_specs_make(struct session *s, struct err *err)
{
	size_t nr = s->opts.events.nr;
	int ret = 0;

	if (nr == 0)
		return err_usage(err, "no event to open");
	if (s->has_aux && s->opts.overwrite && !s->opts.aux_overwrite)
		return err_usage(err,
				 "--full-trace and --overwrite: full trace needs data rings that are drained; drop one of them");
	s->specs = calloc(nr, sizeof(*s->specs));
	if (!s->specs)
		return err_set(err, -ENOMEM, "%zu events: out of memory", nr);
	for (size_t i = 0; i < nr; i++)
		s->specs[i].cgroup = -1;
	for (size_t i = 0; !ret && i < nr; i++) {
		uint64_t longest;

		ret = check_tracing(s, i, err);
		if (!ret)
			ret = make_spec(s, i, err);
		longest = longest_sample(s, &s->opts.events.specs[i],
					 &s->specs[i].attr);
		if (longest > s->max_record)
			s->max_record = longest;
	}
	return ret;
}

void session_specs_free(struct session *s)
{
	for (size_t i = 0; s->specs && i < s->opts.events.nr; i++)
		sys_close(s->specs[i].cgroup);
	free(s->specs);
}

bool session_specs_count_on(const struct event_spec *spec, int cpu)
{
	return spec->cpus.nr == 0 || cpu < 0 || cpulist_has(&spec->cpus, cpu);
}

size_t session_specs_tracing(const struct session *s, int cpu)
{
	for (size_t i = 0; i < s->opts.events.nr; i++) {
		const struct event_spec *spec = &s->opts.events.specs[i];

		if (spec->aux && session_specs_count_on(spec, cpu))
			return i;
	}
	return SESSION_SIDE_BAND;
}

int session_specs_watermark(const struct session *s, uint64_t bytes,
			    uint64_t *watermark, struct err *err)
{
	uint64_t mark = s->opts.watermark;
	uint64_t max = bytes > s->max_record + 1 ? bytes - s->max_record - 1 :
						   0;
	char size[16];

	if (s->opts.watermark_ratio > 0)
		mark = (uint64_t)(s->opts.watermark_ratio * (double)bytes);
	if (mark == 0 && s->opts.watermark_ratio <= 0) {
		*watermark = bytes / 2; /* rb_alloc's own choice */
		return 0;
	}
	/*
	 * The kernel wakes when head - wakeup > watermark, and the head is
	 * never more than a ring ahead of the tail: with a watermark near the
	 * end, records would be lost without a wakeup.
	 */
	if (mark > UINT32_MAX || mark + s->max_record >= bytes)
		return err_usage(err,
				 "--watermark %llu in a ring of %s: closer than one record (%llu bytes) to its size, it never wakes the reader: use at most %llu",
				 (unsigned long long)mark,
				 units_bytes(size, sizeof(size), (double)bytes),
				 (unsigned long long)s->max_record,
				 (unsigned long long)max);
	*watermark = mark ? mark : 1;
	return 0;
}

/*
 * Report tasks and their mappings; @attr is that of a dummy.  Build-ids are not
 * requested: while any event does, the kernel marks MMAP2 records of all events
 * as having one (see struct side_band_layout), and a perf that runs meanwhile
 * crashes.
 */
static void report_tasks(const struct session *s, struct perf_event_attr *attr)
{
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->task = 1;
	attr->context_switch = s->opts.switch_events;
	attr->namespaces = s->opts.namespaces;
	attr->cgroup = (s->opts.namespaces ||
			s->opts.sample_type & PERF_SAMPLE_CGROUP) &&
		       !(s->missing & SESSION_NEWER_CGROUP);
}

static void report_kernel(const struct session *s, struct perf_event_attr *attr)
{
	attr->ksymbol = !(s->missing & SESSION_NEWER_KSYMBOL);
	attr->bpf_event = !(s->missing & SESSION_NEWER_KSYMBOL);
	attr->text_poke = !(s->missing & SESSION_NEWER_TEXT_POKE);
}

void session_specs_owner(const struct session *s, uint64_t bytes,
			 struct perf_event_attr *attr)
{
	uint64_t mark;

	if ((s->opts.watermark || s->opts.watermark_ratio > 0) &&
	    session_specs_watermark(s, bytes, &mark, NULL) == 0) {
		attr->watermark = 1;
		attr->wakeup_watermark = (uint32_t)mark;
	}
}

void session_specs_side_band(const struct session *s,
			     struct session_scope scope, uint64_t bytes,
			     struct perf_event_attr *attr)
{
	/* on a CPU it would report every process: see session.h */
	bool bare = scope.tid < 0 && target_by_task(&s->opts.target);

	memset(attr, 0, sizeof(*attr));
	set_common(s, attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	/* without this, it needs the right to sample the kernel */
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
	if (!bare)
		report_tasks(s, attr);
	/* it is the same for all tasks: so from CPU-wide events, if possible */
	if (scope.tid < 0 || s->owner_on_task)
		report_kernel(s, attr);
	attr->inherit = scope.tid >= 0 && inherits(s);
	if (!(s->missing & SESSION_NEWER_LOST))
		attr->read_format |= PERF_FORMAT_LOST;
	session_specs_owner(s, bytes, attr);
}

void session_side_band_attr(const struct session *s,
			    struct perf_event_attr *attr)
{
	struct session_scope scope = { .tid = -1, .cpu = -1 };

	if (target_by_task(&s->opts.target) && s->map.nr_tids)
		scope.tid = s->map.tids[0];
	session_specs_side_band(s, scope, s->ring_bytes, attr);
	report_kernel(s, attr);
}

/* perf's default: as many pages as perf_event_mlock_kb allows every user. */
uint64_t session_default_bytes(long long mlock_kb)
{
	uint64_t page = sys_page_size(), bytes;

	if (mlock_kb <= 0 || mlock_kb > 1 << 24)
		mlock_kb = DEFAULT_MLOCK_KB;
	bytes = (uint64_t)mlock_kb * 1024;
	bytes = bytes > 2 * page ? bytes - page : page;
	while (bytes & (bytes - 1))
		bytes &= bytes - 1;
	return bytes;
}

static int round_size(uint64_t asked, const char *option, uint64_t *bytes,
		      struct err *err)
{
	*bytes = asked < sys_page_size() ? sys_page_size() : asked;
	*bytes = units_round_pow2(*bytes);
	if (*bytes == 0 || *bytes > SIZE_MAX / 4)
		return err_set(err, -ENOMEM,
			       "%s%llu bytes: no machine has that much memory: use a smaller -m",
			       option, (unsigned long long)asked);
	return 0;
}

int session_specs_ring_bytes(struct session *s, struct err *err)
{
	uint64_t aux = s->opts.aux_bytes ? s->opts.aux_bytes :
					   DEFAULT_AUX_BYTES;
	uint64_t bytes = s->opts.ring_bytes, mark;
	long long kb;
	int ret;

	if (sys_read_number("/proc/sys/kernel/perf_event_mlock_kb", &kb))
		kb = 0;
	ret = round_size(bytes ? bytes : session_default_bytes(kb), "-m ",
			 &s->ring_bytes, err);
	if (!ret && s->has_aux)
		ret = round_size(aux, "-m ,", &s->opts.aux_bytes, err);
	return ret ? ret :
		     session_specs_watermark(s, s->ring_bytes, &mark, err);
}
