/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a session: plain data, for the files of this folder. */
#ifndef RBTOP_PERF_SESSION_SESSION_STATE_H
#define RBTOP_PERF_SESSION_SESSION_STATE_H

#include <pthread.h>

#include "perf/session/session.h"
#include "perf/session/session_memory.h"

/*
 * Features of the side-band that older kernels do not have.  The newest is
 * first, since a kernel without one has none of the newer ones.
 */
enum session_newer {
	SESSION_NEWER_LOST = 1,		/* 6.0: PERF_FORMAT_LOST */
	SESSION_NEWER_TEXT_POKE = 2,	/* 5.9; or not allowed */
	SESSION_NEWER_CGROUP = 4,	/* 5.7 */
	SESSION_NEWER_KSYMBOL = 8,	/* 5.1: BPF_EVENT too */
	SESSION_NEWER_ALL = 15
};

/* An event of opts.events with the attributes for the kernel. */
struct session_spec {
	struct perf_event_attr attr;
	char name[136];		/* with ":u" if the kernel was excluded */
	bool clock_ns;		/* its period is in ns, see session_set_rate() */
	int cgroup;		/* fd, -1: none */
	bool left_out;		/* one of a glob that the kernel refuses */
};

struct session_slot {
	struct session_ring pub;
	/*
	 * Counts of closed events, by the index of the event that replaced
	 * them.
	 */
	struct session_count *base;
	size_t room_base;
	bool paused;
	bool held;		/* between session_aux_hold and _release */
};

struct session {
	pthread_mutex_t lock;
	struct session_opts opts;
	struct target_map map;
	bool *tid_gone;		/* by index into map.tids */
	struct session_spec *specs;	/* opts.events.nr of them */
	struct session_slot **slots;	/* never moved, only added */
	size_t nr_slots, room_slots;
	uint64_t ring_bytes;
	uint64_t max_record;	/* longest sample, bytes */
	bool owner_on_task;	/* no CPU-wide dummies: unprivileged, or events
				 * that trace own the rings */
	bool has_aux;		/* some opts.events trace */
	struct ring clock_page;	/* only a user page, for the clock */
	struct perf_clock clock;
	unsigned int missing;	/* SESSION_NEWER_* not in this kernel */
	bool side_band_enabled;
	bool enabled;
	bool exec_pending;	/* the next session_enable is the workload's */
	bool filtered;
	size_t nr_left_out;
	int left_out_for;	/* -errno of the first of them */
	pid_t *filter_tids;	/* excluded from tracepoints */
	size_t nr_filter_tids;
	uint64_t want_files;	/* file descriptors needed */
	uint64_t have_files;
	char notice[240];
	const struct session_memory_ops *memory;	/* NULL: the kernel
							 * writes the rings */
	void *memory_ctx;
};

/*
 * A session of @opts without rings, which session_close() frees; NULL when out
 * of memory.  Its lock is recursive: a thread that holds the session may call
 * into it.
 */
struct session *session_new(const struct session_opts *opts);

/* Add a text to session_notice(). */
void session_notice_add(struct session *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The task and the CPU of an event. */
struct session_place {
	pid_t tid;		/* -1: every task */
	int cpu;		/* -1: every CPU */
};

#endif
