/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sessions with events that trace.  Few machines have one, so a clock plays
 * it, and its AUX ring is memory: aux_ring_map is this file's own.  The rest
 * is the kernel's, and tests skip where it keeps perf events to root.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "perf/record.h"
#include "perf/session_impl.h"

enum { PAGE = 4096, FIRST_CPU = 0 };

/* What the kernel was asked for, and what it is to answer. */
static struct {
	int error;		/* of the next call, once */
	unsigned int calls, mapped;
	uint64_t size;
	bool overwrite;
	int fd;			/* of the last one's data ring */
} aux_map;

int aux_ring_map(struct aux_ring *aux, const struct ring *ring, uint64_t size,
		 bool overwrite)
{
	int error = aux_map.error;

	aux_map.error = 0;
	aux_map.calls++;
	aux_map.size = size;
	aux_map.overwrite = overwrite;
	aux_map.fd = ring->fd;
	if (error)
		return -error;
	*aux = (struct aux_ring){
		.page = ring->page,
		.data = calloc(1, size),
		.size = size,
		.watermark = overwrite ? 0 : size / 2,
		.overwrite = overwrite,
	};
	aux_map.mapped++;
	return 0;
}

void aux_ring_unmap(struct aux_ring *aux)
{
	aux_map.mapped -= aux->data != NULL;
	free(aux->data);
	*aux = (struct aux_ring){ 0 };
}

static int forget_maps(void **state)
{
	(void)state;
	memset(&aux_map, 0, sizeof(aux_map));
	return 0;
}

/* All that was mapped is unmapped. */
static int check_maps(void **state)
{
	(void)state;
	return aux_map.mapped != 0;
}

static struct event_spec clock_spec(const char *name, size_t leader, bool aux)
{
	struct event_spec spec = {
		.attr = {
			.type = PERF_TYPE_SOFTWARE,
			.config = PERF_COUNT_SW_CPU_CLOCK,
			.exclude_kernel = 1,
			.exclude_hv = 1,
		},
		.leader = leader,
		.aux = aux,
	};

	snprintf(spec.name, sizeof(spec.name), "%s", name);
	return spec;
}

static pid_t self;

static struct session_opts thread_opts(struct event_spec *specs, size_t nr)
{
	self = sys_gettid();
	return (struct session_opts){
		.events = { .specs = specs, .nr = nr },
		.target = { .mode = TARGET_THREADS, .tids = &self,
			    .nr_tids = 1 },
		.ring_bytes = 4 * PAGE,
		.aux_bytes = 8 * PAGE,
		.aux_overwrite = true,
	};
}

static int one_cpu[] = { FIRST_CPU };

static struct session_opts cpu_opts(struct event_spec *specs, size_t nr)
{
	struct session_opts opts = thread_opts(specs, nr);

	opts.target = (struct target){
		.mode = TARGET_CPUS,
		.cpus = { .cpus = one_cpu, .nr = 1 },
	};
	return opts;
}

static struct session_opts task_opts(struct event_spec *specs, size_t nr,
				     pid_t *tids, size_t nr_tids)
{
	struct session_opts opts = thread_opts(specs, nr);

	opts.target = (struct target){
		.mode = TARGET_TASKS,
		.cpus = { .cpus = one_cpu, .nr = 1 },
		.tids = tids,
		.nr_tids = nr_tids,
		.inherit = true,
	};
	return opts;
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

static void expect_refused(const struct session_opts *opts, int code,
			   const char *what, const char *remedy)
{
	struct session *s = NULL;
	struct err err = { 0 };
	int ret = session_open(opts, &s, &err);

	assert_null(s);
	if (ret != code || !strstr(err.text, what) || !strstr(err.text, remedy))
		fail_msg("%d, '%s' lacks '%s' or '%s'", ret, err.text, what,
			 remedy);
}

static void expect_event(const struct session_ring *ring, size_t i,
			 size_t spec, pid_t tid)
{
	assert_true(i < ring->nr_events);
	assert_true(ring->events[i].spec == spec);
	assert_int_equal(ring->events[i].tid, tid);
}

/* It owns the ring, though it is named last; the others follow. */
static void test_owner(void **state)
{
	struct event_spec specs[] = { clock_spec("clock", 0, false),
				      clock_spec("trace", 1, true) };
	struct session_opts opts = thread_opts(specs, 2);
	struct session *s = open_or_skip(&opts);
	const struct session_ring *ring = session_ring(s, 0);

	(void)state;
	assert_true(session_has_aux(s));
	assert_true(session_owner_on_task(s));
	assert_int_equal(ring->nr_events, 3);
	expect_event(ring, 0, 1, self);
	expect_event(ring, 1, SESSION_SIDE_BAND, self);
	expect_event(ring, 2, 0, self);
	assert_int_equal(ring->ring.fd, ring->events[0].fd);
	assert_int_equal(aux_map.fd, ring->events[0].fd);
	assert_int_equal(aux_map.calls, 1);
	assert_int_equal(aux_map.size, 8 * PAGE);
	assert_true(aux_map.overwrite);
	assert_int_equal(ring->aux.size, 8 * PAGE);
	assert_int_equal(ring->aux.watermark, 0);
	session_close(s);
}

/* Nothing that traces: nothing that was not there before. */
static void test_none(void **state)
{
	struct event_spec spec = clock_spec("clock", 0, false);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);

	(void)state;
	assert_false(session_has_aux(s));
	assert_int_equal(aux_map.calls, 0);
	assert_null(session_ring(s, 0)->aux.data);
	expect_event(session_ring(s, 0), 0, SESSION_SIDE_BAND, self);
	assert_null(session_clock(s).page);
	assert_false(session_clock(s).unknown);
	assert_int_equal(session_event_attr(s, 0)->use_clockid, 1);
	session_close(s);
}

/* CPU-wide: the side-band of every task comes from the second event. */
static void test_on_a_cpu(void **state)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = cpu_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	const struct session_ring *ring = session_ring(s, 0);

	(void)state;
	assert_false(session_owner_on_task(s));
	assert_int_equal(ring->nr_events, 2);
	expect_event(ring, 0, 0, -1);
	expect_event(ring, 1, SESSION_SIDE_BAND, -1);
	session_close(s);
}

static pid_t start_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		pause();
		_exit(0);
	}
	return child;
}

static void end_child(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* Two tasks on a CPU have one AUX ring, that of the first. */
static void test_tasks_share(void **state)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	pid_t tids[] = { sys_gettid(), start_child() };
	struct session_opts opts = task_opts(&spec, 1, tids, 2);
	struct session *s = open_or_skip(&opts);
	const struct session_ring *ring = session_ring(s, 0);

	(void)state;
	assert_int_equal(session_nr_rings(s), 1);
	assert_int_equal(ring->nr_events, 4);
	expect_event(ring, 0, 0, tids[0]);
	expect_event(ring, 1, SESSION_SIDE_BAND, tids[0]);
	expect_event(ring, 2, SESSION_SIDE_BAND, tids[1]);
	expect_event(ring, 3, 0, tids[1]);
	assert_int_equal(aux_map.calls, 1);
	assert_true(session_owner_on_task(s));
	assert_int_equal(session_event_attr(s, 0)->inherit, 1);
	session_close(s);
	end_child(tids[1]);
}

/* The first task has ended: the next one's event owns the ring. */
static void test_owner_has_ended(void **state)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	pid_t tids[] = { sys_gettid(), start_child() };
	struct session_opts opts = task_opts(&spec, 1, tids, 2);
	const struct session_ring *ring;
	struct session *s;

	(void)state;
	sys_fail_at(SYS_OPEN_EVENT, 1, ESRCH);
	s = open_or_skip(&opts);
	ring = session_ring(s, 0);
	assert_int_equal(ring->nr_events, 2);
	expect_event(ring, 0, 0, tids[1]);
	expect_event(ring, 1, SESSION_SIDE_BAND, tids[1]);
	session_close(s);
	end_child(tids[1]);
}

/* PMUs of a few CPUs each: on the others a dummy owns the ring. */
static void test_pmu_of_other_cpus(void **state)
{
	static int elsewhere[] = { 4000 };
	struct event_spec specs[] = { clock_spec("trace_0", 0, true),
				      clock_spec("trace_1", 1, true) };
	struct session s = {
		.opts.events = { .specs = specs, .nr = 2 },
	};

	(void)state;
	specs[0].cpus = (struct cpulist){ .cpus = elsewhere, .nr = 1 };
	specs[1].cpus = (struct cpulist){ .cpus = one_cpu, .nr = 1 };
	assert_int_equal(session_aux_spec(&s, FIRST_CPU), 1);
	assert_int_equal(session_aux_spec(&s, 4000), 0);
	assert_true(session_aux_spec(&s, 7) == SESSION_SIDE_BAND);
	/* a thread may come to any of them */
	assert_int_equal(session_aux_spec(&s, -1), 0);
}

/* perf's own clock for all that share a ring, the dummies too. */
static void test_clock_of_events(void **state)
{
	struct event_spec specs[] = { clock_spec("trace", 0, true),
				      clock_spec("clock", 1, false) };
	struct session_opts opts = thread_opts(specs, 2);
	struct session_place place = { .tid = 1 };
	struct session *s = open_or_skip(&opts);
	struct perf_event_attr attr;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(session_event_attr(s, i)->use_clockid, 0);
		assert_int_equal(session_event_attr(s, i)->clockid, 0);
	}
	session_specs_side_band(s, place, PAGE, &attr);
	assert_int_equal(attr.use_clockid, 0);
	assert_int_equal(attr.clockid, 0);
	session_close(s);
}

/* Where the kernel does not say, as in many guests, it is unknown. */
static void test_clock(void **state)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	struct perf_clock clock = session_clock(s);

	(void)state;
	assert_non_null(clock.page);
	/* a page of its own: rings come and go */
	assert_ptr_not_equal(clock.page, session_ring(s, 0)->ring.page);
	assert_int_equal(clock.unknown,
			 !perf_clock_conv(clock.page).cap_user_time_zero);
	session_close(s);
	/* the owner, then the clock's */
	sys_fail_at(SYS_OPEN_EVENT, 2, EMFILE);
	s = open_or_skip(&opts);
	assert_true(session_clock(s).unknown);
	session_close(s);
	sys_fail_at(SYS_MMAP, 2, EPERM);
	s = open_or_skip(&opts);
	assert_true(session_clock(s).unknown);
	session_close(s);
}

/* Its period is the PMU's business, what samples hold is not its. */
static void test_attr(void **state)
{
	struct event_spec specs[] = { clock_spec("trace", 0, true),
				      clock_spec("clock", 1, false) };
	struct session_opts opts = thread_opts(specs, 2);
	const struct perf_event_attr *attr;
	struct session *s;

	(void)state;
	opts.freq = 100;
	opts.sample_type = PERF_SAMPLE_ADDR;
	s = open_or_skip(&opts);
	attr = session_event_attr(s, 0);
	assert_int_equal(attr->freq, 0);
	assert_int_equal(attr->sample_period, 1);
	assert_int_equal(attr->sample_type,
			 RECORD_SAMPLE_TYPE & ~(uint64_t)PERF_SAMPLE_PERIOD);
	assert_int_equal(session_event_attr(s, 1)->freq, 1);
	assert_int_equal(session_event_attr(s, 1)->sample_type,
			 RECORD_SAMPLE_TYPE | PERF_SAMPLE_ADDR);
	session_close(s);
	specs[0].period = 4096;
	s = open_or_skip(&opts);
	assert_int_equal(session_event_attr(s, 0)->sample_period, 4096);
	assert_int_equal(session_set_rate(s, 200, 0, NULL), 0);
	assert_int_equal(session_event_attr(s, 0)->sample_period, 4096);
	assert_int_equal(session_event_attr(s, 1)->sample_freq, 200);
	session_close(s);
}

static void expect_watermark(uint32_t attr, bool overwrite, uint64_t expected)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s;

	spec.attr.aux_watermark = attr;
	opts.aux_overwrite = overwrite;
	s = open_or_skip(&opts);
	assert_int_equal(session_ring(s, 0)->aux.watermark, expected);
	assert_int_equal(aux_map.overwrite, overwrite);
	/* of the data ring it is what it always was */
	assert_int_equal(session_ring(s, 0)->ring.watermark, 2 * PAGE);
	session_close(s);
}

static void test_aux_watermark(void **state)
{
	(void)state;
	expect_watermark(0, false, 4 * PAGE);
	expect_watermark(2 * PAGE, false, 2 * PAGE);
	expect_watermark(2 * PAGE, true, 0);
}

/* --watermark is that of the data ring, so its owner has to carry it. */
static void test_data_watermark(void **state)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s;

	(void)state;
	opts.watermark = 1000;
	s = open_or_skip(&opts);
	assert_int_equal(session_event_attr(s, 0)->watermark, 1);
	assert_int_equal(session_event_attr(s, 0)->wakeup_watermark, 1000);
	assert_int_equal(session_ring(s, 0)->ring.watermark, 1000);
	session_close(s);
}

static void test_size_is_rounded(void **state)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);

	(void)state;
	opts.aux_bytes = 5 * PAGE + 1;
	session_close(open_or_skip(&opts));
	assert_int_equal(aux_map.size, 8 * PAGE);
	opts.aux_bytes = 1;
	session_close(open_or_skip(&opts));
	assert_int_equal(aux_map.size, sys_page_size());
	opts.aux_bytes = UINT64_MAX / 2 + 2;
	expect_refused(&opts, -ENOMEM, "-m ,9223372036854775809",
		       "smaller -m");
}

static void test_map_errors(void **state)
{
	static const struct {
		int error;
		const char *remedy;
	} rows[] = {
		{ EPERM, "use -m ,16K, raise" },
		{ ENOMEM, "-m ,16K" },
		{ EINVAL, "power of two" },
		{ EOPNOTSUPP, "does not trace" },
		{ EMFILE, "ulimit -n" },
		{ EIO, "perf_event_open(2)" },
	};
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	char what[80];

	(void)state;
	session_close(open_or_skip(&opts));
	snprintf(what, sizeof(what), "mapping an AUX ring of 32K on thread %d",
		 self);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		aux_map.error = rows[i].error;
		expect_refused(&opts, -rows[i].error, what, rows[i].remedy);
	}
}

/* Smaller data rings would not help: nothing is tried again. */
static void test_data_rings_stay(void **state)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);

	(void)state;
	session_close(open_or_skip(&opts));
	opts.ring_bytes = 0;
	aux_map.calls = 0;
	aux_map.error = EPERM;
	expect_refused(&opts, -EPERM, "AUX ring", "mlock");
	assert_int_equal(aux_map.calls, 1);
}

static void test_open_errors(void **state)
{
	static const struct {
		int error;
		const char *remedy;
	} rows[] = {
		{ EBUSY, "one tracer at a time" },
		{ EINVAL, "drop terms" },
		{ EOPNOTSUPP, "the PMU lacks" },
		{ ENOENT, "cpumask" },
		{ ENOMEM, "watch fewer" },
	};
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		sys_fail_at(SYS_OPEN_EVENT, 1, rows[i].error);
		expect_refused(&opts, -rows[i].error, "opening trace",
			       rows[i].remedy);
	}
}

static void set_action(struct event_spec *spec, uint32_t action)
{
	memcpy((char *)&spec->attr + EVENT_AUX_ACTION_OFFSET, &action,
	       sizeof(action));
}

/* Linux 6.13 has it; before, and for a PMU that cannot pause, a sentence. */
static void test_aux_action_unknown(void **state)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	const int errors[] = { EINVAL, EOPNOTSUPP, E2BIG };

	(void)state;
	set_action(&spec, EVENT_AUX_START_PAUSED);
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		sys_fail_at(SYS_OPEN_EVENT, 1, errors[i]);
		expect_refused(&opts, -errors[i], "aux-action", "6.13");
	}
}

static void test_groups(void **state)
{
	struct event_spec specs[] = { clock_spec("clock", 0, false),
				      clock_spec("trace", 0, true) };
	struct session_opts opts = thread_opts(specs, 2);

	(void)state;
	expect_refused(&opts, -EINVAL, "trace", "first of its group");
	specs[1].leader = 1;
	set_action(&specs[0], EVENT_AUX_START_PAUSED);
	expect_refused(&opts, -EINVAL, "clock", "for an event that traces");
	set_action(&specs[0], EVENT_AUX_PAUSE);
	expect_refused(&opts, -EINVAL, "clock", "members of a group");
	set_action(&specs[0], EVENT_AUX_RESUME);
	expect_refused(&opts, -EINVAL, "clock", "members of a group");
	set_action(&specs[0], 0);
	specs[0].attr.aux_output = 1;
	expect_refused(&opts, -EINVAL, "clock", "members of a group");
}

/* The tracing leader owns the ring, and its members find it. */
static void test_group_of_tracer(void **state)
{
	struct event_spec specs[] = { clock_spec("trace", 0, true),
				      clock_spec("clock", 0, false) };
	struct session_opts opts = thread_opts(specs, 2);
	struct session_count counts[3];
	struct session *s = open_or_skip(&opts);

	(void)state;
	expect_event(session_ring(s, 0), 2, 1, self);
	/* enabled with its leader alone */
	assert_int_equal(session_enable(s, true, NULL), 0);
	for (volatile int i = 0; i < 10000000; i++)
		;
	assert_int_equal(session_read(s, 0, counts, 3), 3);
	assert_true(counts[0].count > 0);
	assert_true(counts[2].count > 0);
	session_close(s);
}

static void test_overwrite(void **state)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s;

	(void)state;
	opts.overwrite = true;
	s = open_or_skip(&opts);
	assert_true(session_ring(s, 0)->ring.overwrite);
	assert_true(session_ring(s, 0)->aux.overwrite);
	session_close(s);
	opts.aux_overwrite = false;
	expect_refused(&opts, -EINVAL, "--full-trace", "--overwrite");
}

static void burn(void)
{
	for (volatile int i = 0; i < 5000000; i++)
		;
}

/* The tracer stands still, the others do not. */
static void test_hold(void **state)
{
	struct event_spec specs[] = { clock_spec("trace", 0, true),
				      clock_spec("clock", 1, false) };
	struct session_opts opts = thread_opts(specs, 2);
	struct session *s = open_or_skip(&opts);
	struct session_count a[3], b[3], c[3];
	struct err err = { 0 };
	double spread = -1;

	(void)state;
	assert_int_equal(session_enable(s, true, &err), 0);
	burn();
	assert_int_equal(session_aux_hold(s, NULL, &spread, &err), 0);
	assert_true(spread >= 0 && spread < 1);
	/* whoever holds it may go on to use it */
	assert_int_equal(session_read(s, 0, a, 3), 3);
	burn();
	assert_int_equal(session_read(s, 0, b, 3), 3);
	session_aux_release(s);
	burn();
	assert_int_equal(session_read(s, 0, c, 3), 3);
	assert_true(a[0].count > 0);
	assert_int_equal(b[0].count, a[0].count);
	assert_true(b[2].count > a[2].count);
	assert_true(c[0].count > b[0].count);
	session_close(s);
}

static void test_hold_skips(void **state)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	struct session_count a[2], b[2];
	const bool skip_it = true;
	double spread;

	(void)state;
	assert_int_equal(session_enable(s, true, NULL), 0);
	assert_int_equal(session_aux_hold(s, &skip_it, &spread, NULL), 0);
	session_read(s, 0, a, 2);
	burn();
	session_read(s, 0, b, 2);
	session_aux_release(s);
	assert_true(b[0].count > a[0].count);
	session_close(s);
}

/* What was not enabled is not enabled by it. */
static void test_hold_while_disabled(void **state)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	struct session_count count[2];
	double spread;

	(void)state;
	assert_int_equal(session_aux_hold(s, NULL, &spread, NULL), 0);
	session_aux_release(s);
	burn();
	session_read(s, 0, count, 2);
	assert_int_equal(count[0].count, 0);
	session_close(s);
}

static void test_hold_fails(void **state)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	struct session_count a[2], b[2];
	struct err err = { 0 };
	double spread;

	(void)state;
	assert_int_equal(session_enable(s, true, &err), 0);
	sys_fail_at(SYS_IOCTL, 1, EIO);
	assert_int_equal(session_aux_hold(s, NULL, &spread, &err), -EIO);
	assert_non_null(strstr(err.text, "ring 0"));
	/* nothing is held: it counts, and others get in */
	session_read(s, 0, a, 2);
	burn();
	session_read(s, 0, b, 2);
	assert_true(b[0].count > a[0].count);
	session_close(s);
}

/* How many times an event is disabled: inherited ones once more. */
static void expect_disabled(const struct session_opts *opts, unsigned int times)
{
	struct session *s = open_or_skip(opts);
	double spread;

	sys_fail_at(SYS_IOCTL, times, EIO);
	assert_int_equal(session_aux_hold(s, NULL, &spread, NULL), -EIO);
	sys_fail_at(SYS_IOCTL, times + 1, EIO);
	assert_int_equal(session_aux_hold(s, NULL, &spread, NULL), 0);
	sys_fail_at(SYS_IOCTL, 0, 0);
	session_aux_release(s);
	session_close(s);
}

static void test_hold_of_inherited(void **state)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts threads = thread_opts(&spec, 1);
	struct session_opts tasks = task_opts(&spec, 1, &self, 1);

	(void)state;
	expect_disabled(&threads, 1);
	expect_disabled(&tasks, 2);
}

struct waiter {
	struct session *s;
	int started, done;
};

static void *read_counts(void *arg)
{
	struct waiter *w = arg;
	struct session_count counts[2];

	__atomic_store_n(&w->started, 1, __ATOMIC_RELEASE);
	session_read(w->s, 0, counts, 2);
	__atomic_store_n(&w->done, 1, __ATOMIC_RELEASE);
	return NULL;
}

static void test_hold_keeps_others_waiting(void **state)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct waiter w = { .s = open_or_skip(&opts) };
	pthread_t thread;
	double spread;

	(void)state;
	assert_int_equal(session_aux_hold(w.s, NULL, &spread, NULL), 0);
	/* what the holder does in between does not let them in */
	assert_int_equal(session_nr_rings(w.s), 1);
	assert_int_equal(pthread_create(&thread, NULL, read_counts, &w), 0);
	while (!__atomic_load_n(&w.started, __ATOMIC_ACQUIRE))
		usleep(1000);
	usleep(50000);
	assert_int_equal(__atomic_load_n(&w.done, __ATOMIC_ACQUIRE), 0);
	session_aux_release(w.s);
	pthread_join(thread, NULL);
	assert_int_equal(w.done, 1);
	session_close(w.s);
}

/* Events of a task that is no more: nothing to stop, nothing wrong. */
static void test_hold_after_exit(void **state)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	pid_t tids[] = { sys_gettid(), start_child() };
	struct session_opts opts = task_opts(&spec, 1, tids, 2);
	struct session *s = open_or_skip(&opts);
	struct err err = { 0 };
	double spread;

	(void)state;
	assert_int_equal(session_enable(s, true, &err), 0);
	end_child(tids[1]);
	assert_int_equal(session_aux_hold(s, NULL, &spread, &err), 0);
	session_aux_release(s);
	session_close(s);
}

static void test_swap_refused(void **state)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	struct session_swap w;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(session_swap_prepare(s, 0, 8 * PAGE, &w, &err),
			 -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "restart with -m"));
	session_close(s);
}

/* A CPU came back: both rings anew, and traced again. */
static void test_reopen(void **state)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = cpu_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	struct session_count counts[2];
	struct err err = { 0 };
	size_t ring = 7;

	(void)state;
	assert_int_equal(session_enable(s, true, &err), 0);
	session_ring_gone(s, 0);
	assert_int_equal(session_reopen_cpu(s, FIRST_CPU, &ring, &err), 0);
	assert_int_equal(ring, 0);
	assert_int_equal(aux_map.calls, 2);
	assert_int_equal(aux_map.mapped, 1);
	assert_non_null(session_ring(s, 0)->aux.data);
	assert_int_equal(session_ring(s, 0)->aux.size, 8 * PAGE);
	assert_ptr_equal(session_ring(s, 0)->aux.page,
			 session_ring(s, 0)->ring.page);
	assert_int_equal(session_read(s, 0, counts, 2), 2);
	assert_true(counts[0].count > 0);
	/* it fails: the slot stays as it was */
	aux_map.error = ENOMEM;
	assert_int_equal(session_reopen_cpu(s, FIRST_CPU, &ring, &err),
			 -ENOMEM);
	assert_non_null(session_ring(s, 0)->aux.data);
	assert_int_equal(aux_map.mapped, 1);
	session_close(s);
}

/* A ring that is gone is neither stopped nor started. */
static void test_hold_leaves_gone(void **state)
{
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts opts = thread_opts(&spec, 1);
	struct session *s = open_or_skip(&opts);
	struct session_count a[2], b[2];
	double spread;

	(void)state;
	assert_int_equal(session_enable(s, true, NULL), 0);
	session_ring_gone(s, 0);
	session_read(s, 0, a, 2);
	assert_int_equal(session_aux_hold(s, NULL, &spread, NULL), 0);
	session_aux_release(s);
	burn();
	session_read(s, 0, b, 2);
	assert_int_equal(a[0].count, b[0].count);
	session_ring_back(s, 0);
	burn();
	session_read(s, 0, b, 2);
	assert_true(b[0].count > a[0].count);
	session_close(s);
}

static void expect_filter_error(const struct session_opts *opts, int error,
				const char *remedy)
{
	struct session *s = open_or_skip(opts);
	struct err err = { 0 };

	sys_fail_at(SYS_IOCTL, 1, error);
	assert_int_equal(session_filter(s, NULL, 0, &err), -error);
	if (!strstr(err.text, "--aux-filter 'filter main' on trace") ||
	    !strstr(err.text, remedy))
		fail_msg("'%s' lacks '%s'", err.text, remedy);
	session_close(s);
}

static void test_address_filter(void **state)
{
	char asked[] = "filter main", given[] = "filter 0x1000/0x10";
	struct event_spec spec = clock_spec("trace", 0, true);
	struct session_opts threads = thread_opts(&spec, 1);
	struct session_opts cpus = cpu_opts(&spec, 1);
	struct err err = { 0 };
	struct session *s = open_or_skip(&threads);

	(void)state;
	/* none: the kernel is not asked */
	assert_int_equal(session_filter(s, NULL, 0, &err), 0);
	session_close(s);
	spec.aux_filter = asked;
	spec.address_filter = given;
	/* a clock has no addresses to filter, which the kernel says */
	s = open_or_skip(&threads);
	assert_int_equal(session_filter(s, NULL, 0, &err), -EINVAL);
	assert_non_null(strstr(err.text, "does not take this form"));
	session_close(s);
	expect_filter_error(&threads, EOPNOTSUPP, "fewer filters");
	expect_filter_error(&threads, ENOENT, "has to be there");
	expect_filter_error(&cpus, EOPNOTSUPP, "watch tasks");
}

#define AUX_TEST(f) cmocka_unit_test_setup_teardown(f, forget_maps, check_maps)

int main(void)
{
	const struct CMUnitTest tests[] = {
		AUX_TEST(test_owner),
		AUX_TEST(test_none),
		AUX_TEST(test_on_a_cpu),
		AUX_TEST(test_tasks_share),
		AUX_TEST(test_owner_has_ended),
		AUX_TEST(test_pmu_of_other_cpus),
		AUX_TEST(test_clock_of_events),
		AUX_TEST(test_clock),
		AUX_TEST(test_attr),
		AUX_TEST(test_aux_watermark),
		AUX_TEST(test_data_watermark),
		AUX_TEST(test_size_is_rounded),
		AUX_TEST(test_map_errors),
		AUX_TEST(test_data_rings_stay),
		AUX_TEST(test_open_errors),
		AUX_TEST(test_aux_action_unknown),
		AUX_TEST(test_groups),
		AUX_TEST(test_group_of_tracer),
		AUX_TEST(test_overwrite),
		AUX_TEST(test_hold),
		AUX_TEST(test_hold_skips),
		AUX_TEST(test_hold_while_disabled),
		AUX_TEST(test_hold_fails),
		AUX_TEST(test_hold_of_inherited),
		AUX_TEST(test_hold_keeps_others_waiting),
		AUX_TEST(test_hold_after_exit),
		AUX_TEST(test_swap_refused),
		AUX_TEST(test_reopen),
		AUX_TEST(test_hold_leaves_gone),
		AUX_TEST(test_address_filter),
	};

	return cmocka_run_group_tests_name("session_aux", tests, NULL, NULL);
}
