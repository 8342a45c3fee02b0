/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a session, and what the files of this folder call of each other.
 * Fallible functions return 0 or -errno with @err.
 */
#ifndef RBTOP_PERF_SESSION_SESSION_STATE_H
#define RBTOP_PERF_SESSION_SESSION_STATE_H

#include <pthread.h>

#include "perf/session/session.h"

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
	size_t base_cap;
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
	size_t nr_slots, slots_cap;
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

/* The task and the CPU that an event monitors. */
struct session_scope {
	pid_t tid;		/* -1: every task */
	int cpu;		/* -1: every CPU */
};

/* Add a text to session_notice(). */
void session_notice_add(struct session *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* session_slot.c: a ring and the events that write to it. */

/* Whether @cpu is outside the CPU list, and only its side-band is read. */
bool session_slot_is_side_band_only(const struct session *s, int cpu);
/* A new slot, the last one of @s, without ring and events; or NULL. */
struct session_slot *session_slot_add(struct session *s, int cpu, pid_t tid);
/* Open the owner and map its ring, and the AUX ring if it traces. */
int session_slot_open(struct session *s, struct session_slot *slot,
		      struct err *err);
/* Open the other events. */
int session_slot_fill(struct session *s, struct session_slot *slot,
		      struct err *err);
/* Open a dummy that can own a ring of @bytes; map the ring of an owner. */
int session_slot_open_side_band(struct session *s, struct session_scope scope,
				uint64_t bytes, struct session_event *event,
				struct err *err);
int session_slot_map(struct session *s, const struct session_event *owner,
		     int cpu, uint64_t bytes, struct ring *ring,
		     struct err *err);
/* Whether that one of opts.events is open in any of the slots. */
bool session_slot_is_open(const struct session *s, size_t spec);
/* Unmap and close all, but keep the slot and its base. */
void session_slot_close(struct session_slot *slot);
/* The same, and free it. */
void session_slot_free(struct session_slot *slot);

/* session_control.c: the events of an open slot. */

/* Set the session's filters on them. */
int session_control_filter(struct session *s, const struct session_slot *slot,
			   struct err *err);
/* Enable them, and the side-band, if those of the session are.  0 or -errno. */
int session_control_start(const struct session *s,
			  const struct session_slot *slot);
/* The result of read(2); fields are UNKNOWN if it fails. */
struct session_count session_control_count(const struct session *s, int fd);
/* Add the fields of @more that are known. */
void session_control_add(struct session_count *sum, struct session_count more);

/* session_specs.c: the attributes of events, made from the options. */

int session_specs_make(struct session *s, struct err *err);
void session_specs_free(struct session *s);
/* The attributes of a dummy of @scope, which may own a ring of @bytes. */
void session_specs_side_band(const struct session *s,
			     struct session_scope scope, uint64_t bytes,
			     struct perf_event_attr *attr);
/* Set the same watermark in @attr of an event that owns a ring. */
void session_specs_owner(const struct session *s, uint64_t bytes,
			 struct perf_event_attr *attr);
/* EVENT_AUX_* of @attr. */
uint32_t session_specs_aux_action(const struct perf_event_attr *attr);
/* Whether it is opened on @cpu (-1: for a thread, on any CPU). */
bool session_specs_count_on(const struct event_spec *spec, int cpu);
/*
 * The event that traces there and so owns the ring; SESSION_SIDE_BAND if there
 * is none.
 */
size_t session_specs_tracing(const struct session *s, int cpu);
/* The watermark in bytes that a ring of @bytes gets.  0 or -EINVAL, @err. */
int session_specs_watermark(const struct session *s, uint64_t bytes,
			    uint64_t *watermark, struct err *err);
/* The initial ring sizes: -m, or perf's default. */
int session_specs_ring_bytes(struct session *s, struct err *err);

/*
 * session_error.c: errors of the kernel and what to do about them, as in
 * perf_event_open(2), ERRORS, and kernel/events/core.c.  These return @code.
 */
int session_error_open(const struct session *s, int code, const char *event,
		       const struct perf_event_attr *attr,
		       struct session_scope scope, struct err *err);
int session_error_map(const struct session *s, int code, uint64_t bytes,
		      struct session_scope scope, struct err *err);
int session_error_map_aux(const struct session *s, int code,
			  struct session_scope scope, struct err *err);
int session_error_redirect(const struct session *s, int code,
			   struct session_scope scope, struct err *err);
int session_error_address_filter(const struct session *s, int code,
				 const struct event_spec *spec,
				 struct err *err);
/*
 * Explain in @buf what perf_event_paranoid does not allow users, whatever the
 * event, and what it allows.  False if it is not the reason.
 */
bool session_error_mode(struct session_scope scope,
			struct session_paranoid paranoid, char *buf,
			size_t size);

#endif
