/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a source knows at one moment, before any rate is made of it.  Filled by
 * a source, used up by frame_build.  UNKNOWN stands for what a source
 * cannot know.
 */
#ifndef RBTOP_RING_READING_H
#define RBTOP_RING_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "ring/log.h"
#include "ring/ring_row.h"

struct host;
struct samples;
struct snapshots;


/* A name for a pid among the ring's top ones. */
struct reading_comm {
	pid_t pid;
	char comm[16];
};

/* An AUX ring. */
struct reading_aux {
	uint64_t size;		/* bytes; 0: there is none */
	uint64_t watermark;	/* bytes between wakeups; 0: never */
	bool overwrite;		/* snapshot mode */
	bool stopped;		/* disabled, by a person or the kernel */
	bool free_running;	/* snapshot mode: the head counts all bytes ever
				 * written; else it may be (intel_pt, arm_spe)
				 * an offset inside the ring, and no rate can be
				 * made of it */
	bool full;		/* all of it holds trace: it was written around
				 * at least once, as far as heads and readings
				 * of it showed */
	uint64_t head, tail;	/* as published */
	double head_age;	/* snapshot mode: seconds since tracing last
				 * stopped, which published it; NAN: never */
	double read_cost;	/* seconds that the last reading of it stopped
				 * tracing; NAN: none yet */
};

struct reading_ring {
	int cpu;		/* -1: follows a thread */
	pid_t tid;		/* -1: every task */
	pid_t owner;		/* pid of the watched process, -1: none */
	char comm[16];		/* of owner or thread; "" */
	bool overwrite, paused, enabled, gone;
	uint64_t size, watermark, wakeup_events; /* bytes, bytes, samples */
	uint64_t head, tail;	/* of the ring mapped now; free running */
	uint64_t recent_peak;	/* most bytes waiting since the last reading */
	struct ring_stats stats;
	struct ring_event *events;	/* rates are left 0 */
	size_t nr_events, room_events;
	double counts_age;	/* seconds since counts and losses were read */
	struct reading_comm comms[TOP_PIDS];
	unsigned int nr_comms;
	struct ring_overwrite read;
	struct reading_aux aux;
};

/* Something that happened since the last reading, for the log. */
struct reading_note {
	double time;		/* unix seconds */
	enum log_kind kind;
	char text[240];
};

struct reading {
	double mono;		/* CLOCK_MONOTONIC, seconds */
	double wall;		/* unix time, seconds */
	uint64_t most_samples;	/* a second, that the kernel's limit leaves a
				 * clock; 0: no clock, or no limit */
	uint64_t page_size;	/* what -m counts in; 0: 4096 */
	struct reading_ring *rings;
	size_t nr_rings;
	struct reading_note *notes;
	size_t nr_notes, room_notes;
	double cpu;		/* CPU seconds used by rbtop so far */
	uint64_t rss;		/* bytes */
	bool ended;		/* the target is gone; figures are final */
	const struct samples *samples;	/* NULL: none are looked at */
	const struct snapshots *snapshots; /* NULL: none can be taken */
	const struct host *host; /* NULL: the machine is not looked at */
};

/*
 * Make room for @nr rings, keeping what is there (new ones zeroed, cpu and
 * tids -1), and for @nr events in a ring.  0 or -ENOMEM.
 */
int reading_reserve(struct reading *r, size_t nr_rings);
int reading_reserve_events(struct reading_ring *ring, size_t nr);
/* Append a note; dropped when out of memory.  @text is sanitized. */
void reading_note(struct reading *r, double time, enum log_kind kind,
		  const char *text);
void reading_free(struct reading *r);

#endif
