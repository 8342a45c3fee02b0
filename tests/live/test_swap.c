/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The live swap under a storm of system calls: rings doubled and halved 20
 * times lose nothing of the equation.  For each ring:
 *
 *	samples of the event + its lost ones = its own count
 *	lost, reported + pending = lost ones of all its events
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "perf/event/event_spec.h"
#include "perf/tracepoint/tracefs.h"
#include "tests/live/live.h"

enum { SWAPS = 20, STORMS = 2, SAMPLES = 10000 };
/* Seconds to wait for events whose speed depends on the machine. */
static const double patience = 120;

static struct event_list events;
static pid_t storms;	/* their process group, 0: none */

static void blow(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		if (getppid() == 1)
			_exit(0);
}

/* A child that does nothing but system calls. */
static pid_t start_storm(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		setpgid(0, storms);
		blow();
	}
	setpgid(pid, storms);
	storms = storms ? storms : pid;
	return pid;
}

/*
 * Whether process @pid, a name in /proc, is one of the storms, and not stopped.
 */
static bool blows(const char *pid)
{
	char path[300], text[512], *rest, state;
	ssize_t n;
	int group;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	n = sys_read_file(path, text, sizeof(text));
	rest = n > 0 ? strrchr(text, ')') : NULL;
	return rest && sscanf(rest, ") %c %*d %d", &state, &group) == 2 &&
	       group == storms && state != 'T';
}

static bool any_blows(void)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	bool any = false;

	assert_non_null(dir);
	while (!any && (entry = readdir(dir)) != NULL)
		any = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
		      blows(entry->d_name);
	closedir(dir);
	return any;
}

/*
 * Stop the storms before counts are compared: disabling an event while it fires
 * can count it once more than it was sampled or lost, whichever reader there
 * is.
 */
static void calm_storms(void)
{
	double end = sys_now() + patience;

	kill(-storms, SIGSTOP);
	while (any_blows()) {
		assert_true(sys_now() < end);
		usleep(1000);
	}
}

static void end_storms(void)
{
	kill(-storms, SIGKILL);
	while (waitpid(-storms, NULL, 0) > 0)
		;
	storms = 0;
}

static int open_events(void **state)
{
	struct event_env env = {
		.pmus = "/sys/bus/event_source/devices",
		.tracefs = tracefs_path(NULL),
	};

	(void)state;
	if (env.tracefs)
		event_list_parse(&events, "raw_syscalls:sys_enter", &env, NULL);
	return 0;
}

static int close_events(void **state)
{
	(void)state;
	event_list_free(&events);
	return 0;
}

static struct source *open_source(struct session_source_opts *opts)
{
	if (events.nr == 0) {
		print_message("tracepoints cannot be read here\n");
		skip();
	}
	opts->session.events = events;
	opts->session.period = 1;
	opts->session.ring_bytes = 8 * sys_page_size();
	opts->interval = 0.1;
	return live_start(opts);
}

/*
 * Check the equation of a ring.  @disabled: how often other processes may have
 * fired the event while it was disabled.
 */
static void check_ring(const struct ring_row *ring, uint64_t disabled)
{
	const struct ring_event *real = NULL;
	uint64_t lost = 0;

	for (size_t i = 0; i < ring->nr_events; i++) {
		if (!ring->events[i].side_band)
			real = &ring->events[i];
		if (ring->events[i].lost != UNKNOWN)
			lost += ring->events[i].lost;
	}
	assert_non_null(real);
	if (real->lost == UNKNOWN)
		return;
	print_message("%s: %llu = %llu + %llu; lost %llu = %llu + %llu\n",
		      ring->label, (unsigned long long)real->count,
		      (unsigned long long)real->samples,
		      (unsigned long long)real->lost,
		      (unsigned long long)lost,
		      (unsigned long long)ring->lost_reported,
		      (unsigned long long)ring->lost_pending);
	assert_in_range(real->count - real->samples - real->lost, 0, disabled);
	assert_int_equal(lost, ring->lost);
	assert_int_equal(lost, ring->lost_reported + ring->lost_pending);
	assert_int_equal(ring->reads->stats.unknown_ids, 0);
	assert_int_equal(ring->reads->stats.broken, 0);
}

/* Wait until the storms have run for long enough. */
static void await_samples(struct source *source)
{
	double end = sys_now() + patience;

	while (source_frame(source, NULL)
		       ->total.row.reads->stats.types[RECORD_SAMPLE] < SAMPLES) {
		assert_true(sys_now() < end);
		usleep(10000);
	}
}

/* @others: the whole system is watched, where other processes keep running. */
static void check_frame(struct source *source, bool others)
{
	struct err err = { 0 };
	const struct frame *frame;

	await_samples(source);
	calm_storms();
	source_finish(source);
	frame = source_frame(source, &err);
	assert_non_null(frame);
	for (size_t i = 0; i < frame->nr_rings; i++)
		check_ring(&frame->rings[i], others);
	assert_true(frame->total.row.reads->stats.types[RECORD_SAMPLE] >=
		    SAMPLES);
}

static void swap_all(struct source *source, size_t rings, bool grow)
{
	for (size_t i = 0; i < rings; i++) {
		struct request rq = { .kind = REQUEST_RESIZE, .ring = i,
				      .on = grow };
		struct err err = { 0 };
		double before = sys_now();

		if (source_request(source, &rq, &err))
			fail_msg("%s", err.text);
		assert_true(sys_now() - before < patience);
	}
}

/* @gate: written to once there are events; -1: none. */
static void swap_under_storm(struct session_source_opts *opts, int gate)
{
	uint64_t small = 8 * sys_page_size();
	struct source *source = open_source(opts);
	const struct frame *frame = source_frame(source, NULL);
	size_t rings;
	int i;

	assert_non_null(frame);
	rings = frame->nr_rings;
	if (gate >= 0)
		assert_int_equal(write(gate, "", 1), 1);
	for (i = 0; i < SWAPS; i++) {
		usleep(20000);
		swap_all(source, rings, i % 2 == 0);
		frame = source_frame(source, NULL);
		assert_int_equal(frame->rings[0].size,
				 i % 2 ? small : 2 * small);
	}
	check_frame(source, opts->session.target.mode == TARGET_SYSTEM);
	source_close(source);
}

static void test_system_wide(void **state)
{
	struct session_source_opts opts = {
		.session.target.mode = TARGET_SYSTEM,
	};

	(void)state;
	for (int i = 0; i < STORMS; i++)
		start_storm();
	swap_under_storm(&opts, -1);
	end_storms();
}

/* The tasks' events and those that children inherited keep writing. */
static void test_inherited(void **state)
{
	struct session_source_opts opts = {
		.session.target = { .mode = TARGET_TASKS, .inherit = true },
	};
	int gate[2];
	char byte;
	pid_t parent;

	(void)state;
	assert_int_equal(pipe(gate), 0);
	parent = fork();
	if (parent == 0) {
		setpgid(0, 0);
		close(gate[1]);
		if (read(gate[0], &byte, 1) < 0 || fork() < 0)
			_exit(1);
		blow();
	}
	setpgid(parent, parent);
	storms = parent;
	close(gate[0]);
	opts.session.target.pids = &parent;
	opts.session.target.nr_pids = 1;
	swap_under_storm(&opts, gate[1]);
	close(gate[1]);
	end_storms();
}

static void test_thread(void **state)
{
	struct session_source_opts opts = {
		.session.target = { .mode = TARGET_THREADS },
	};
	pid_t storm = start_storm();

	(void)state;
	opts.session.target.tids = &storm;
	opts.session.target.nr_tids = 1;
	swap_under_storm(&opts, -1);
	end_storms();
}

/* The kernel refuses in the middle: the old ring is kept, nothing is lost. */
static void test_refused(void **state)
{
	struct session_source_opts opts = {
		.session.target.mode = TARGET_SYSTEM,
	};
	struct request rq = { .kind = REQUEST_RESIZE, .on = true };
	struct err err = { 0 };
	struct source *source;

	(void)state;
	start_storm();
	source = open_source(&opts);
	usleep(20000);
	sys_fail_at(SYS_MMAP, 1, EPERM);
	assert_int_equal(source_request(source, &rq, &err), -EPERM);
	assert_non_null(strstr(err.text, "perf_event_mlock_kb"));
	/* PERF_EVENT_IOC_ID of the new dummy, then SET_OUTPUT */
	sys_fail_at(SYS_IOCTL, 2, EINVAL);
	assert_int_equal(source_request(source, &rq, &err), -EINVAL);
	assert_int_equal(source_frame(source, NULL)->rings[0].size,
			 8 * sys_page_size());
	usleep(20000);
	check_frame(source, true);
	source_close(source);
	end_storms();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_system_wide),
		cmocka_unit_test(test_inherited),
		cmocka_unit_test(test_thread),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests_name("swap", tests, open_events,
					   close_events);
}
