/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the session's own files share; nobody else includes this. */
#ifndef RBTOP_PERF_SESSION_SESSION_IMPL_H
#define RBTOP_PERF_SESSION_SESSION_IMPL_H

#include <pthread.h>

#include "perf/session/session.h"
#include "perf/session/session_memory.h"

/*
 * What the side-band asks for although some kernels lack it.  The newest
 * first, since a kernel that lacks one lacks all that are newer.
 */
enum session_newer {
	SESSION_NEWER_LOST = 1,		/* 6.0: PERF_FORMAT_LOST */
	SESSION_NEWER_TEXT_POKE = 2,	/* 5.9; or not for this user */
	SESSION_NEWER_CGROUP = 4,	/* 5.7 */
	SESSION_NEWER_KSYMBOL = 8,	/* 5.1: BPF_EVENT too */
	SESSION_NEWER_ALL = 15
};

/* An event of opts.events as the kernel is asked for it. */
struct session_spec {
	struct perf_event_attr attr;
	char name[136];		/* with ":u" where the kernel was left out */
	bool clock_ns;		/* its period is in ns, see session_set_rate() */
	int cgroup;		/* fd, -1: none */
	bool left_out;		/* the kernel refuses this one of a glob */
};

struct session_slot {
	struct session_ring pub;
	/* What closed events had, by the index of the event that follows. */
	struct session_count *base;
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
	size_t nr_slots;
	uint64_t ring_bytes;
	uint64_t max_record;	/* the longest sample, bytes */
	bool owner_on_task;	/* no CPU-wide dummies: unprivileged, or the
				 * events that trace own the rings */
	bool has_aux;		/* some of opts.events trace */
	struct ring clock_page;	/* a user page alone, for the clock */
	struct perf_clock clock;
	unsigned int missing;	/* SESSION_NEWER_* that the kernel lacks */
	bool side_band_enabled;
	bool enabled;
	bool exec_pending;	/* the next session_enable is the workload's */
	bool filtered;
	size_t nr_left_out;
	int left_out_for;	/* -errno of the first of them */
	pid_t *filter_tids;	/* kept out of tracepoints */
	size_t nr_filter_tids;
	uint64_t want_files;	/* file descriptors it takes */
	uint64_t have_files;
	char notice[240];
	const struct session_memory_ops *memory;	/* NULL: the kernel
							 * writes the rings */
	void *memory_ctx;
};

/* Who an event is opened for. */
struct session_place {
	pid_t tid;		/* -1: every task */
	int cpu;		/* -1: every CPU */
};

/* session_errors.c: errno -> sentence with the remedy.  They return @code. */
int session_error_open(const struct session *s, int code, const char *event,
		       const struct perf_event_attr *attr,
		       struct session_place place, struct err *err);
/*
 * kernel.perf_event_paranoid; 2 if it cannot be read.  Levels above 2 mean the
 * same as 2, except in patched kernels: Debian's refuses all events of users
 * then.
 */
struct session_paranoid {
	int level;
	bool refuses_all;	/* tested by opening an event */
};
struct session_paranoid session_paranoid(void);
/*
 * Explain in @buf what perf_event_paranoid refuses to users whatever the event,
 * and what it permits.  False if it is not the reason.
 */
bool session_error_mode(struct session_place place,
			struct session_paranoid paranoid, char *buf,
			size_t size);
int session_error_map(const struct session *s, int code, uint64_t bytes,
		      struct session_place place, struct err *err);
int session_error_map_aux(const struct session *s, int code,
			  struct session_place place, struct err *err);
int session_error_redirect(const struct session *s, int code,
			   struct session_place place, struct err *err);
int session_error_address_filter(const struct session *s, int code,
				 const struct event_spec *spec,
				 struct err *err);
/* A notice of the events that were left out, if any were. */
void session_error_left_out(struct session *s);
void session_notice_add(struct session *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* session_specs.c: what is asked of the kernel, from what was asked of us. */
int session_specs_make(struct session *s, struct err *err);
void session_specs_free(struct session *s);
/* A dummy of @place, which may own a ring of @bytes. */
void session_specs_side_band(const struct session *s,
			     struct session_place place, uint64_t bytes,
			     struct perf_event_attr *attr);
/* The same watermark for @attr of an event that owns one. */
void session_specs_owner(const struct session *s, uint64_t bytes,
			 struct perf_event_attr *attr);
/* EVENT_AUX_* of @attr. */
uint32_t session_specs_aux_action(const struct perf_event_attr *attr);
/* Whether it is opened on @cpu (-1: on a thread, wherever that runs). */
bool session_counts_on(const struct event_spec *spec, int cpu);
/* The watermark in bytes that a ring of @bytes gets.  0 or -EINVAL, @err. */
int session_specs_watermark(const struct session *s, uint64_t bytes,
			    uint64_t *watermark, struct err *err);
/* The ring sizes to start with: -m, or what perf takes. */
int session_specs_ring_bytes(struct session *s, struct err *err);

/* session_open.c: the owner and its ring first, then the events. */
int session_open_slot(struct session *s, struct session_slot *slot,
		      struct err *err);
int session_fill_slot(struct session *s, struct session_slot *slot,
		      struct err *err);
/* A dummy, fit to own a ring of @bytes; and the ring itself. */
int session_open_side_band(struct session *s, struct session_place place,
			   uint64_t bytes, struct session_event *event,
			   struct err *err);
int session_map_ring(struct session *s, const struct session_event *owner,
		     int cpu, uint64_t bytes, struct ring *ring,
		     struct err *err);
struct session_slot *session_slot_add(struct session *s, int cpu, pid_t tid);
/* Unmap and close, leaving the slot itself and its base. */
void session_slot_close(struct session_slot *slot);
/* The same, and free it. */
void session_slot_free(struct session_slot *slot);

/* session_aux.c */
/*
 * Which event traces on @cpu (-1: on the CPUs that a thread comes to) and so
 * owns the ring there; SESSION_SIDE_BAND where none does.
 */
size_t session_aux_spec(const struct session *s, int cpu);
/* Map the AUX ring beside the slot's ring, where such an event owns it. */
int session_aux_map(const struct session *s, struct session_slot *slot,
		    struct err *err);
/* Find out how the clock is read that records have without a clockid. */
void session_aux_open_clock(struct session *s);

/* session_elsewhere.c */
/* Whether it is no CPU of the list, but one whose side-band is wanted. */
bool session_is_elsewhere(const struct session *s, int cpu);
/* Open and map @slot, which is.  0, or -errno with @err. */
int session_open_slot_elsewhere(struct session *s, struct session_slot *slot,
				struct err *err);
/* All of them, as far as they can be had; a notice tells of the others. */
void session_open_elsewhere(struct session *s);

/* session_control.c */
/* PERF_EVENT_IOC_ENABLE or _DISABLE.  0 or -errno. */
int session_switch(int fd, bool on);
/* Enable its side-band and events as far as the session is enabled. */
int session_slot_start(const struct session *s,
		       const struct session_slot *slot);
int session_slot_filter(struct session *s, struct session_slot *slot,
			struct err *err);

/* session_memory.c: rings that are somebody else's are not unmapped. */
void session_memory_forget(struct session *s);

/* session.c */
/* Recursive: the thread that holds the session may call into it. */
void session_init_lock(pthread_mutex_t *lock);
/* What read(2) says; its fields SESSION_UNKNOWN where it fails. */
struct session_count session_read_event(const struct session *s, int fd);
/* PERF_EVENT_IOC_ID, 0 where it fails. */
uint64_t session_event_id(int fd);
/* Add what is known; the unknown stays unknown. */
void session_count_add(struct session_count *sum, struct session_count more);

#endif
