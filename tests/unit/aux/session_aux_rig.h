/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sessions with events that trace.  Few machines have a PMU that does, so a
 * clock takes its place, with an AUX ring in plain memory: see fake_aux_ring.h.
 * Other events are real, and tests are skipped if the kernel restricts perf
 * events to root.
 */
#ifndef RBTOP_TESTS_SESSION_AUX_RIG_H
#define RBTOP_TESTS_SESSION_AUX_RIG_H

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "perf/session/session_state.h"
#include "tests/unit/aux/fake_aux_ring.h"

enum { PAGE = 4096, FIRST_CPU = 0 };

static inline int forget_maps(void **state)
{
	(void)state;
	memset(&aux_map, 0, sizeof(aux_map));
	return 0;
}

/* Check that all that was mapped is unmapped. */
static inline int check_maps(void **state)
{
	(void)state;
	return aux_map.mapped != 0;
}

static inline struct event_spec clock_spec(const char *name, size_t leader,
					   bool aux)
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

static inline struct session_opts thread_opts(struct event_spec *specs,
					      size_t nr)
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

static inline struct session_opts cpu_opts(struct event_spec *specs, size_t nr)
{
	struct session_opts opts = thread_opts(specs, nr);

	opts.target = (struct target){
		.mode = TARGET_CPUS,
		.cpus = { .cpus = one_cpu, .nr = 1 },
	};
	return opts;
}

static inline struct session_opts task_opts(struct event_spec *specs, size_t nr,
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

static inline struct session *open_or_skip(const struct session_opts *opts)
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

static inline void expect_refused(const struct session_opts *opts, int code,
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

static inline void expect_event(const struct session_ring *ring, size_t i,
				size_t spec, pid_t tid)
{
	assert_true(i < ring->nr_events);
	assert_true(ring->events[i].spec == spec);
	assert_int_equal(ring->events[i].tid, tid);
}

static inline pid_t start_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		pause();
		_exit(0);
	}
	return child;
}

static inline void end_child(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

#endif
