/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session with an event of this thread, which every user may open unless the
 * kernel restricts perf events to root; then the tests that open one are
 * skipped.
 */
#include "tests/group.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/err.h"
#include "base/sys.h"
#include "perf/abi/record.h"
#include "perf/abi/sample.h"
#include "perf/session/session_state.h"
#include "perf/abi/side_band.h"

static pid_t self;

static struct event_spec clock_spec(size_t leader)
{
	struct event_spec spec = {
		.name = "cpu-clock:u",
		.attr = {
			.type = PERF_TYPE_SOFTWARE,
			.config = PERF_COUNT_SW_CPU_CLOCK,
			.exclude_kernel = 1,
			.exclude_hv = 1,
		},
		.leader = leader,
	};

	return spec;
}

static struct session_opts thread_opts(struct event_spec *specs, size_t nr)
{
	self = sys_gettid();
	return (struct session_opts){
		.events = { .specs = specs, .nr = nr },
		.target = { .mode = TARGET_THREADS, .tids = &self,
			    .nr_tids = 1 },
		.ring_bytes = sys_page_size(),
	};
}

static struct session *open_or_skip(const struct session_opts *opts)
{
	struct session *s = NULL;
	struct err err = { 0 };
	int ret = session_open(opts, &s, &err);

	if (ret == -EACCES || ret == -EPERM || ret == -ENOSYS) {
		print_message("%s\n", err.text);
		skip();
	}
	if (ret)
		fail_msg("%s", err.text);
	return s;
}

/*
 * Open with the @nth call of @call failing; the message must contain @what and
 * @remedy.
 */
static void expect_failure(enum sys_call call, unsigned int nth, int error,
			   const char *what, const char *remedy)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = NULL;
	struct err err = { 0 };
	int ret;

	sys_fail_at(call, nth, error);
	ret = session_open(&opts, &s, &err);
	sys_fail_at(call, 0, 0);
	assert_null(s);
	assert_int_equal(ret, -error);
	assert_int_equal(err_exit_status(&err), 1);
	if (!strstr(err.text, what) || !strstr(err.text, remedy) ||
	    !strstr(err.text, strerror(error)))
		fail_msg("'%s' lacks '%s', '%s' or '%s'", err.text, what,
			 strerror(error), remedy);
}

TEST(test_open_errors)
{
	static const struct {
		int error;
		const char *remedy;
	} rows[] = {
		{ ENOENT, "perf list" },
		{ ENODEV, "offline" },
		{ ESRCH, "has ended" },
		{ EBADF, "not a cgroup" },
		{ EMFILE, "ulimit -n" },
		{ ENFILE, "ulimit -n" },
		{ ENOMEM, "watch fewer" },
		{ EBUSY, "nmi_watchdog" },
		{ EOPNOTSUPP, "cpu-clock" },
		{ E2BIG, "too old" },
		{ ENODATA, "group led by" },
		{ ENOSYS, "CONFIG_PERF_EVENTS" },
		{ ENOSPC, "breakpoints" },
		{ EIO, "perf_event_open(2)" },
	};
	char place[32];

	snprintf(place, sizeof(place), "thread %d", sys_gettid());
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect_failure(SYS_OPEN_EVENT, 1, rows[i].error, place,
			       rows[i].remedy);
}

/* The first event opened is the dummy. */
TEST(test_error_names_event)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);

	session_close(open_or_skip(&opts));
	expect_failure(SYS_OPEN_EVENT, 2, EBUSY, "opening cpu-clock:u",
		       "another tracer");
	expect_failure(SYS_OPEN_EVENT, 2, EINVAL, "opening cpu-clock:u",
		       "lower -F");
}

TEST(test_map_errors)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);

	session_close(open_or_skip(&opts));
	expect_failure(SYS_MMAP, 1, EPERM, "mapping a ring of 4K",
		       "kernel.perf_event_mlock_kb");
	expect_failure(SYS_MMAP, 1, ENOMEM, "mapping a ring of 4K",
		       "smaller -m");
	expect_failure(SYS_MMAP, 1, EINVAL, "mapping a ring of 4K",
		       "power of two");
	expect_failure(SYS_MMAP, 1, EMFILE, "mapping a ring of 4K",
		       "ulimit -n");
}

/* The ids of the dummy and of the event are read before. */
TEST(test_redirect_error)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);

	session_close(open_or_skip(&opts));
	expect_failure(SYS_IOCTL, 3, EINVAL, "to one ring", "clock");
}

/*
 * Explain @code under perf_event_paranoid 2, which is assumed if it cannot be
 * read.
 */
static void explain_code(int code, struct perf_event_attr attr, pid_t tid,
			 int cpu, const char *want)
{
	struct session s = { 0 };
	struct err err = { 0 };

	sys_fail_at(SYS_OPEN_FILE, 1, EACCES);
	session_error_open(&s, code, "x", &attr,
			   (struct session_scope){ tid, cpu }, &err);
	if (!strstr(err.text, want))
		fail_msg("'%s' lacks '%s'", err.text, want);
}

static void explain(struct perf_event_attr attr, pid_t tid, int cpu,
		    const char *want)
{
	explain_code(-EACCES, attr, tid, cpu, want);
}

/* Which check of the kernel failed depends on the event. */
TEST(test_access_errors)
{
	struct perf_event_attr user = { .exclude_kernel = 1 };
	struct perf_event_attr kernel = { 0 };
	struct perf_event_attr tracepoint = {
		.type = PERF_TYPE_TRACEPOINT,
	};

	explain(tracepoint, 1, -1, "tracepoint data needs");
	/*
	 * with the permission, it is refused because of the event:
	 * irq_work_exit
	 */
	explain_code(-EPERM, tracepoint, 1, -1,
		     caps_held(CAP_PERFMON) ? "does not allow sampling" :
					      "tracepoint data needs");
	/* with the permission, there is another reason */
	explain(user, -1, 0,
		caps_held(CAP_PERFMON) ? "a security policy" :
		"system-wide monitoring needs root or CAP_PERFMON");
	explain(kernel, 1, -1, "add :u");
	/* our own task, so permission is not the reason */
	explain(user, getpid(), -1, "a security policy");
}

/* perf_event_paranoid is read in between: 2 if it cannot be read. */
TEST(test_user_space_fallback)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s;

	strcpy(spec.name, "cpu-clock");
	spec.attr.exclude_kernel = 0;
	if (session_paranoid().level != 2)
		skip();
	s = open_or_skip(&opts);
	session_close(s);
	sys_fail_at(SYS_OPEN_EVENT, 2, EACCES);
	s = open_or_skip(&opts);
	assert_string_equal(session_event_name(s, 0), "cpu-clock:u");
	assert_int_equal(session_event_attr(s, 0)->exclude_kernel, 1);
	assert_non_null(strstr(session_notice(s), "user space only"));
	session_close(s);
}

TEST(test_no_lost_before_6_0)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session_count counts[2];
	struct session *s;

	session_close(open_or_skip(&opts));
	sys_fail_at(SYS_OPEN_EVENT, 1, EINVAL);
	s = open_or_skip(&opts);
	assert_int_equal(session_read(s, 0, counts, 2), 2);
	assert_int_equal(counts[1].count, 0);
	assert_true(counts[1].lost == UNKNOWN);
	session_close(s);
}

/* Linux 6.1 allows it only to users who may sample the kernel. */
TEST(test_no_text_poke)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	struct perf_event_attr attr;
	struct session *s;

	session_close(open_or_skip(&opts));
	sys_fail_at(SYS_OPEN_EVENT, 1, EACCES);
	s = open_or_skip(&opts);
	session_side_band_attr(s, &attr);
	assert_int_equal(attr.text_poke, 0);
	assert_int_equal(attr.ksymbol, 1);
	assert_true(attr.read_format & PERF_FORMAT_LOST);
	session_close(s);
}

/* Over the mlock limit: the size is halved as often as necessary. */
TEST(test_halved)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s;
	uint64_t usual;

	opts.ring_bytes = 0;
	s = open_or_skip(&opts);
	usual = session_ring(s, 0)->ring.size;
	assert_string_equal(session_notice(s), "");
	session_close(s);

	sys_fail_at(SYS_MMAP, 1, EPERM);
	s = open_or_skip(&opts);
	assert_int_equal(session_ring(s, 0)->ring.size, usual / 2);
	assert_int_equal(session_ring(s, 0)->ring.watermark, usual / 4);
	assert_non_null(strstr(session_notice(s), "instead of"));
	assert_non_null(strstr(session_notice(s), "perf_event_mlock_kb"));
	session_close(s);
}

TEST(test_ring_of_thread)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	const struct session_ring *ring;
	struct session *s = open_or_skip(&opts);

	assert_int_equal(session_nr_rings(s), 1);
	ring = session_ring(s, 0);
	assert_null(session_ring(s, 1));
	assert_int_equal(ring->cpu, -1);
	assert_int_equal(ring->tid, sys_gettid());
	assert_int_equal(ring->ring.size, sys_page_size());
	assert_int_equal(ring->ring.watermark, sys_page_size() / 2);
	assert_int_equal(ring->nr_events, 2);
	assert_true(ring->events[0].spec == SESSION_SIDE_BAND);
	assert_int_equal(ring->events[1].spec, 0);
	assert_int_not_equal(ring->events[0].id, ring->events[1].id);
	assert_int_equal(ring->ring.fd, ring->events[0].fd);
	session_close(s);
}

/* Run for 20 ms, mostly in user space. */
static void spin(struct session *s)
{
	struct session_count counts[2] = { 0 };
	double end = sys_now() + 120;
	uint64_t want;

	session_read(s, 0, counts, 2);
	want = counts[1].count + 20000000;
	while (counts[1].count < want && sys_now() < end) {
		for (volatile int i = 0; i < 100000; i++)
			;
		session_read(s, 0, counts, 2);
	}
	assert_true(counts[1].count >= want);
}

TEST(test_counts_while_enabled)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session_count before[2], after[2];
	struct session *s = open_or_skip(&opts);
	struct err err;

	assert_int_equal(session_enable(s, true, &err), 0);
	spin(s);
	assert_true(ring_head(&session_ring(s, 0)->ring) > 0);
	assert_int_equal(session_enable(s, false, &err), 0);
	session_read(s, 0, before, 2);
	session_read(s, 0, after, 2);
	assert_int_equal(before[1].count, after[1].count);
	session_close(s);
}

/* Enabling and disabling does not affect the side-band; the end disables it. */
TEST(test_end)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	const struct ring *ring = &session_ring(s, 0)->ring;
	struct err err;
	uint64_t head;
	char name[16];

	prctl(PR_GET_NAME, name);
	assert_int_equal(session_enable(s, true, &err), 0);
	assert_int_equal(session_enable(s, false, &err), 0);
	head = ring_head(ring);
	prctl(PR_SET_NAME, "test");
	assert_true(ring_head(ring) > head);
	session_end(s);
	head = ring_head(ring);
	prctl(PR_SET_NAME, name);
	for (volatile int i = 0; i < 10000000; i++)
		;
	assert_int_equal(ring_head(ring), head);
	session_close(s);
}

/* Only side-band records are written; afterwards it is as usual. */
TEST(test_side_band_first)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session_count counts[2];
	struct session *s = open_or_skip(&opts);
	const struct ring *ring = &session_ring(s, 0)->ring;
	struct err err;
	char name[16];

	prctl(PR_GET_NAME, name);
	assert_int_equal(session_enable_side_band(s, &err), 0);
	prctl(PR_SET_NAME, "test");
	assert_true(ring_head(ring) > 0);
	prctl(PR_SET_NAME, name);
	for (volatile int i = 0; i < 10000000; i++)
		;
	session_read(s, 0, counts, 2);
	assert_int_equal(counts[1].count, 0);
	assert_int_equal(session_enable(s, true, &err), 0);
	spin(s);
	session_close(s);
}

/* enable_on_exec: the first call leaves the events alone. */
TEST(test_enable_on_exec)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session_count counts[2];
	struct session *s;
	struct err err;

	opts.enable_on_exec = true;
	s = open_or_skip(&opts);
	assert_int_equal(session_enable(s, true, &err), 0);
	for (volatile int i = 0; i < 10000000; i++)
		;
	session_read(s, 0, counts, 2);
	assert_int_equal(counts[1].count, 0);
	assert_int_equal(session_enable(s, true, &err), 0);
	spin(s);
	session_close(s);
}

/* CPU-wide on the first CPU, with the side-band of the others. */
static struct session_opts first_cpu(struct event_spec *spec, int *cpu)
{
	struct session_opts opts = thread_opts(spec, 1);
	struct cpulist online = { 0 };

	if (cpulist_online(&online, NULL) || online.nr < 2)
		skip();
	*cpu = online.cpus[0];
	cpulist_free(&online);
	opts.target = (struct target){
		.mode = TARGET_CPUS,
		.cpus = { .cpus = cpu, .nr = 1 },
	};
	opts.side_band_all_cpus = true;
	return opts;
}

/* The ring has its own size, independent of the others. */
TEST(test_side_band_unselected_cpus)
{
	struct event_spec spec = clock_spec(0);
	const struct session_ring *ring;
	int cpu, other;
	struct session_opts opts = first_cpu(&spec, &cpu);
	struct session *s;
	size_t index;

	opts.ring_bytes = 1 << 20;
	opts.watermark = 512 << 10;
	opts.overwrite = true;
	s = open_or_skip(&opts);
	assert_int_equal(session_nr_watched(s), 1);
	assert_true(session_nr_rings(s) > 1);
	assert_false(session_ring(s, 0)->side_band_only);
	assert_int_equal(session_ring(s, 0)->ring.size, 1 << 20);
	ring = session_ring(s, 1);
	other = ring->cpu;
	assert_int_not_equal(other, cpu);
	assert_true(ring->side_band_only);
	assert_int_equal(ring->nr_events, 1);
	assert_true(ring->events[0].spec == SESSION_SIDE_BAND);
	assert_int_equal(ring->ring.size, 64 << 10);
	assert_int_equal(ring->ring.watermark, 32 << 10);
	assert_false(ring->ring.overwrite);
	/* after it was offline */
	assert_int_equal(session_reopen_cpu(s, other, &index, NULL), 0);
	assert_int_equal(index, 1);
	assert_int_equal(session_ring(s, 1)->ring.size, 64 << 10);
	assert_int_equal(session_nr_events(s, 1), 1);
	session_close(s);
}

/* The session continues without it. */
TEST(test_side_band_unselected_cpus_refused)
{
	struct event_spec spec = clock_spec(0);
	int cpu;
	struct session_opts opts = first_cpu(&spec, &cpu);
	struct session *s;

	session_close(open_or_skip(&opts));
	/* the third event, after two on the first CPU */
	sys_fail_at(SYS_OPEN_EVENT, 3, EMFILE);
	s = open_or_skip(&opts);
	assert_int_equal(session_nr_rings(s), 1);
	assert_non_null(strstr(session_notice(s), "may have no name"));
	session_close(s);
}

TEST(test_read_failure_is_unknown)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session_count counts[2];
	struct session *s = open_or_skip(&opts);

	sys_fail_at(SYS_READ_COUNT, 2, EIO);
	assert_int_equal(session_read(s, 0, counts, 2), 2);
	assert_int_equal(counts[0].count, 0);
	assert_true(counts[1].count == UNKNOWN);
	assert_true(counts[1].lost == UNKNOWN);
	assert_int_equal(session_read(s, 0, counts, 1), 1);
	session_close(s);
}

TEST(test_group)
{
	struct event_spec specs[] = { clock_spec(0), clock_spec(0) };
	struct session_opts opts = thread_opts(specs, 2);
	struct session *s = open_or_skip(&opts);
	struct session_count counts[3];
	struct err err;

	assert_int_equal(session_event_attr(s, 0)->disabled, 1);
	assert_int_equal(session_event_attr(s, 1)->disabled, 0);
	assert_int_equal(session_ring(s, 0)->nr_events, 3);
	assert_int_equal(session_enable(s, true, &err), 0);
	spin(s);
	session_read(s, 0, counts, 3);
	assert_true(counts[2].count > 0);
	session_close(s);
}

TEST(test_rates)
{
	struct event_spec specs[] = { clock_spec(0), clock_spec(1) };
	struct session_opts opts = thread_opts(specs, 2);
	struct session *s;
	struct err err = { 0 };

	specs[1].attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	specs[1].period = 100;
	s = open_or_skip(&opts);
	assert_int_equal(session_event_attr(s, 0)->freq, 1);
	assert_int_equal(session_event_attr(s, 0)->sample_freq, 4000);
	assert_int_equal(session_event_attr(s, 1)->freq, 0);
	assert_int_equal(session_event_attr(s, 1)->sample_period, 100);

	/*
	 * A clock accepts both, a counted event only what it was opened with.
	 */
	assert_int_equal(session_set_rate(s, 1000, 0, &err), 0);
	assert_int_equal(session_event_attr(s, 0)->sample_freq, 1000);
	assert_int_equal(session_event_attr(s, 1)->sample_period, 100);
	assert_int_equal(session_set_rate(s, 0, 5000000, &err), 0);
	assert_int_equal(session_event_attr(s, 0)->freq, 0);
	assert_int_equal(session_event_attr(s, 1)->sample_period, 5000000);
	assert_int_equal(session_set_rate(s, 0, 0, &err), -EINVAL);
	session_close(s);

	opts.events.specs = &specs[1];
	opts.events.nr = 1;
	specs[1].leader = 0;
	s = open_or_skip(&opts);
	assert_int_equal(session_set_rate(s, 1000, 0, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "restart with -F"));
	session_close(s);
}

/* -F is lowered to the limit; the frequency of an event itself is not. */
TEST(test_rate_too_high)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	uint64_t high = 1ULL << 40, max = session_limit_freq(high);
	struct session *s = NULL;
	struct err err = { 0 };

	if (max == high)
		skip();
	assert_int_equal(session_limit_freq(max), max);
	assert_int_equal(session_limit_freq(max + 1), max);
	opts.freq = high;
	s = open_or_skip(&opts);
	assert_int_equal(session_event_attr(s, 0)->sample_freq, max);
	assert_non_null(strstr(session_notice(s), "-F 1099511627776 lowered"));
	assert_int_equal(session_set_rate(s, 100, 0, &err), 0);
	assert_int_equal(session_set_rate(s, high, 0, &err), 0);
	assert_int_equal(session_event_attr(s, 0)->sample_freq, max);
	session_close(s);

	spec.freq = high;
	assert_int_equal(session_open(&opts, &s, &err), -EINVAL);
	assert_int_equal(err_exit_status(&err), 1);
	assert_non_null(strstr(err.text, "perf_event_max_sample_rate"));
}

/* It is opened as requested; only a clock's period is a time. */
TEST(test_period_over_the_limit)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	uint64_t max = session_limit_freq(UINT64_MAX);
	struct session *s;
	char text[160];

	if (max == UINT64_MAX)
		skip();
	spec.period = 10;
	s = open_or_skip(&opts);
	assert_int_equal(session_max_samples(s), max);
	assert_int_equal(session_event_attr(s, 0)->sample_period, 10);
	assert_non_null(strstr(session_notice(s),
			       "a sample every 10 ns exceeds"));
	assert_true(session_period_notice(s, 20, text, sizeof(text)));
	assert_non_null(strstr(text, "a sample every 20 ns exceeds"));
	assert_false(session_period_notice(s, 1000000000 / max, text,
					   sizeof(text)));
	assert_false(session_period_notice(s, 0, text, sizeof(text)));
	session_close(s);
	spec.period = 1000000000 / max;
	s = open_or_skip(&opts);
	assert_string_equal(session_notice(s), "");
	session_close(s);
	spec.attr.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	spec.period = 1;
	s = open_or_skip(&opts);
	assert_int_equal(session_max_samples(s), 0);
	assert_string_equal(session_notice(s), "");
	session_close(s);
}

/*
 * Copy the record at @*at of a thread's ring; returns its size, 0 if there is
 * none.
 */
static size_t next_record(struct session *s, uint64_t *at, uint64_t *copy)
{
	const struct ring *ring = &session_ring(s, 0)->ring;
	uint64_t left = ring_head(ring) - *at;
	struct perf_event_header header;

	if (left == 0)
		return 0;
	header = ring_header(ring, *at);
	assert_true(record_sane(header, left));
	for (size_t i = 0; i < header.size / sizeof(*copy); i++)
		copy[i] = ring_word(ring, *at + i * sizeof(*copy));
	*at += header.size;
	return header.size;
}

static uint32_t type_of(const uint64_t *record)
{
	return ((const struct perf_event_header *)record)->type;
}

/* The number of samples of @layout; other records are not decoded. */
static size_t decode_samples(struct session *s,
			     const struct sample_layout *layout,
			     struct sample *last, uint64_t *copy)
{
	uint64_t at = 0;
	size_t size, nr = 0;

	while ((size = next_record(s, &at, copy))) {
		if (type_of(copy) != PERF_RECORD_SAMPLE)
			continue;
		assert_true(size <= s->max_record);
		assert_int_equal(sample_parse(layout, copy, size, last), 0);
		nr++;
	}
	return nr;
}

/* The kernel writes exactly what the attr requests. */
TEST(test_sample_type)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	uint64_t *copy = malloc(UINT16_MAX);
	struct sample sample = { 0 };
	struct sample_layout layout;
	struct session *s;
	struct err err;

	opts.ring_bytes = 1 << 18;
	opts.callchain = true;
	opts.max_stack = 10;
	opts.sample_type = PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT |
			   PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION;
	s = open_or_skip(&opts);
	layout = sample_layout_of(session_event_attr(s, 0));
	assert_int_equal(layout.sample_type,
			 RECORD_SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN |
			 opts.sample_type);
	assert_int_equal(session_enable(s, true, &err), 0);
	spin(s);
	assert_int_equal(session_enable(s, false, &err), 0);
	assert_true(decode_samples(s, &layout, &sample, copy) > 0);
	assert_int_equal(sample.tid, sys_gettid());
	assert_int_equal(sample.id, session_ring(s, 0)->events[1].id);
	assert_true(sample.nr_chain >= 2 && sample.nr_chain <= 10 + 8);
	assert_true(sample.chain[0] == (uint64_t)PERF_CONTEXT_USER);
	session_close(s);
	free(copy);
}

TEST(test_max_stack_error)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = NULL;
	struct err err = { 0 };
	long long most;

	session_close(open_or_skip(&opts));
	if (sys_read_number("/proc/sys/kernel/perf_event_max_stack", &most) ||
	    most >= UINT16_MAX)
		skip();
	opts.callchain = true;
	opts.max_stack = (uint16_t)(most + 1);
	assert_int_equal(session_open(&opts, &s, &err), -EOVERFLOW);
	assert_non_null(strstr(err.text, "kernel.perf_event_max_stack"));
	assert_int_equal(err_exit_status(&err), 1);
	opts.max_stack = (uint16_t)most;
	session_close(open_or_skip(&opts));
}

/*
 * Not every event supports branches: the kernel's error is explained with the
 * event.
 */
TEST(test_no_branch_records)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = NULL;
	struct err err = { 0 };

	session_close(open_or_skip(&opts));
	opts.sample_type = PERF_SAMPLE_BRANCH_STACK;
	opts.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
	assert_int_equal(session_open(&opts, &s, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "drop --branch-any"));
}

/* Map and unmap an executable page; returns its address. */
static uint64_t map_and_unmap(size_t page)
{
	void *map = mmap(NULL, page, PROT_READ | PROT_EXEC,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(map, MAP_FAILED);
	munmap(map, page);
	return (uint64_t)(uintptr_t)map;
}

TEST(test_side_band_reports_mappings)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	static const struct side_band_layout layout = {
		.sample_type = RECORD_SAMPLE_TYPE,
	};
	uint64_t copy[1024], at = 0, start;
	struct side_band out;
	struct session *s;
	size_t size, found = 0;
	struct err err;

	opts.ring_bytes = 1 << 18;
	s = open_or_skip(&opts);
	assert_int_equal(session_enable(s, true, &err), 0);
	start = map_and_unmap(sys_page_size());
	assert_int_equal(session_enable(s, false, &err), 0);
	while ((size = next_record(s, &at, copy))) {
		if (!side_band_known(type_of(copy)))
			continue;
		assert_int_equal(side_band_parse(copy, size, &layout,
						 &out), 0);
		assert_int_equal(out.tid, sys_gettid());
		found += out.type == PERF_RECORD_MMAP2 &&
			 out.map.start == start &&
			 out.map.len == sys_page_size() &&
			 out.map.executable && !strcmp(out.map.name, "//anon");
	}
	assert_int_equal(found, 1);
	session_close(s);
}

TEST(test_swap)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	const struct session_ring *ring = session_ring(s, 0);
	struct session_count before[2], after[2];
	uint64_t id = ring->events[1].id;
	struct session_swap w;
	struct err err;

	assert_int_equal(session_enable(s, true, &err), 0);
	spin(s);
	session_read(s, 0, before, 2);
	assert_int_equal(session_swap_prepare(s, 0, 3 * sys_page_size(), &w,
					      &err), 0);
	assert_int_equal(w.ring.size, 4 * sys_page_size());
	assert_int_equal(ring->ring.size, sys_page_size());
	assert_int_equal(session_swap_redirect(s, &w, &err), 0);
	session_swap_finish(s, &w);
	assert_int_equal(ring->ring.size, 4 * sys_page_size());
	assert_int_equal(ring->events[0].id, w.owner.id);
	assert_int_equal(ring->events[1].id, id);
	spin(s);
	assert_true(ring_head(&ring->ring) > 0);
	session_read(s, 0, after, 2);
	assert_true(after[1].count > before[1].count);
	assert_true(after[0].lost >= before[0].lost);
	session_close(s);
}

TEST(test_swap_refused)
{
	struct event_spec spec = clock_spec(0);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	const struct session_ring *ring = session_ring(s, 0);
	struct session_swap w;
	struct err err = { 0 };
	int owner = ring->events[0].fd;

	sys_fail_at(SYS_MMAP, 1, EPERM);
	assert_int_equal(session_swap_prepare(s, 0, 1 << 20, &w, &err),
			 -EPERM);
	assert_non_null(strstr(err.text, "mapping a ring of 1M"));
	assert_int_equal(session_swap_prepare(s, 0, 2 * sys_page_size(), &w,
					      &err), 0);
	sys_fail_at(SYS_IOCTL, 1, EINVAL);
	assert_int_equal(session_swap_redirect(s, &w, &err), -EINVAL);
	session_swap_cancel(s, &w);
	assert_int_equal(ring->events[0].fd, owner);
	assert_int_equal(ring->ring.size, sys_page_size());
	session_close(s);
}

static void expect_refused_event(const struct session_opts *opts,
				 unsigned int nth, int error)
{
	struct session *s = NULL;
	struct err err = { 0 };

	sys_fail_at(SYS_OPEN_EVENT, nth, error);
	assert_int_equal(session_open(opts, &s, &err), -error);
	sys_fail_at(SYS_OPEN_EVENT, 0, 0);
	assert_null(s);
}

/* The thread's ring: its owner, then the events in order. */
TEST(test_left_out)
{
	struct event_spec specs[] = { clock_spec(0), clock_spec(1),
				      clock_spec(2) };
	struct session_opts opts = thread_opts(specs, 3);
	struct session *s;

	session_close(open_or_skip(&opts));
	specs[1].wild = specs[2].wild = true;
	strcpy(specs[1].name, "sys:forbidden");
	sys_fail_at(SYS_OPEN_EVENT, 3, EPERM);
	s = open_or_skip(&opts);
	assert_int_equal(session_nr_events(s, 0), 3);
	assert_int_equal(session_ring(s, 0)->events[2].spec, 2);
	assert_true(session_event_left_out(s, 1));
	assert_false(session_event_left_out(s, 2));
	assert_non_null(strstr(session_notice(s), "left out: sys:forbidden: "
						  "Operation not permitted"));
	session_close(s);
	/* out of memory is not an error of the event */
	expect_refused_event(&opts, 3, ENOMEM);
	/* an event requested by its name is required */
	specs[1].wild = false;
	expect_refused_event(&opts, 3, EPERM);
	/* and so is at least one event of a glob */
	specs[0].wild = true;
	opts.events.nr = 1;
	expect_refused_event(&opts, 2, EPERM);
}

TEST_GROUP(session);
