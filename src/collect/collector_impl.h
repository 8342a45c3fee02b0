/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the collector only. */
#ifndef RBTOP_COLLECT_COLLECTOR_IMPL_H
#define RBTOP_COLLECT_COLLECTOR_IMPL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "collect/aux_lane.h"
#include "collect/collector.h"
#include "collect/reader.h"
#include "perf/session/record_clock.h"

struct collector {
	struct collector_opts opts;
	struct record_clock clock;
	struct reader **readers;
	size_t nr_readers;
	struct aux_lane **lanes;
	size_t nr_lanes;	/* 0: there is no full trace */
	pthread_mutex_t lock;	/* of what follows; slots never move */
	struct slot **slots;
	double *arrivals;	/* a place for each, see share_budget() */
	size_t nr_slots;
	size_t history_bytes;	/* of each; 0: none is kept */
	int history_fd;		/* eventfd: see record_history_watch() */
	_Atomic bool aux_held, aux_disabled;	/* see reader_aux.h */
	aux_sink_now sink;

	/* of the thread that pops alone */
	size_t popping;		/* reader whose turn it is */
	unsigned int turn;	/* records that it has had */
	uint64_t *popped;	/* time of each reader's last record, ns */
};

/* NULL where there is none. */
struct slot *collector_slot(struct collector *c, size_t index);
/* Give a slot that no reader serves yet what is kept.  0 or -ENOMEM. */
int collector_keep(struct collector *c, struct slot *slot);

/* collector_threads.c */
/* Create the threads that c->opts asks for.  0 or -errno with @err. */
int collector_make_threads(struct collector *c, struct err *err);
/* Stop and join them; harmless if not all were created or started. */
void collector_end_threads(struct collector *c);
/* Choose the reader and the lane of @slot, which has none yet. */
void collector_give_thread(struct collector *c, struct slot *slot);
/* Add @slot to its lane, and pin both threads; its reader has it already. */
void collector_serve(struct collector *c, struct slot *slot);
/* Pin the threads of @slot to the CPUs of their rings, if c->opts says so. */
void collector_pin(struct collector *c, const struct slot *slot);

#endif
