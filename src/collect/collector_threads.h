/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The threads of a collector: readers and, in full trace, lanes, which serve
 * the same slots on the same CPUs with the same priority.
 *
 * Many readers share a lane: all lanes write to one file, and the kernel lets
 * only one thread at a time write to it.  Measured in an emulator with four
 * CPUs on one core and 16 MB/s of trace on each: one lane lost less than four.
 */
#ifndef RBTOP_COLLECT_COLLECTOR_THREADS_H
#define RBTOP_COLLECT_COLLECTOR_THREADS_H

#include <stddef.h>

#include "collect/collector.h"
#include "collect/slot_list.h"

struct aux_lane;
struct reader;

struct collector_threads {
	/* set by the owner; borrowed */
	const struct collector_opts *opts;
	struct slot_list *slots;

	struct reader **readers;
	size_t nr_readers;
	struct aux_lane **lanes;
	size_t nr_lanes;	/* 0: there is no full trace */
};

/* Create the threads that .opts asks for.  0 or -errno with @err. */
int collector_threads_create(struct collector_threads *t, struct err *err);
/* Start them.  0 or -errno with @err. */
int collector_threads_start(struct collector_threads *t, struct err *err);
/* Stop and join them; harmless if not all were created or started. */
void collector_threads_end(struct collector_threads *t);

/* Assign a reader and a lane to @slot, which has none yet. */
void collector_threads_give(const struct collector_threads *t,
			    struct slot *slot);
/* Add @slot to its lane, and pin both threads; its reader has it already. */
void collector_threads_serve(const struct collector_threads *t,
			     struct slot *slot);
/* Pin the threads of @slot to the CPUs of their rings, if .opts says so. */
void collector_threads_pin(const struct collector_threads *t,
			   const struct slot *slot);

/* On return, every reader has seen the values stored before the call. */
void collector_threads_pass(const struct collector_threads *t);
/* See collector_fell_back(). */
size_t collector_threads_fell_back(const struct collector_threads *t);

#endif
