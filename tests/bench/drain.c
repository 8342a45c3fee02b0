/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a record costs in the drain: nanoseconds, the least of some rounds, for
 * a ring of samples in memory that is walked: of one event, of several in turn,
 * with a history, and with triggers that do not fire.  And what a whole drain costs that finds one
 * record, or 64, its figures published for other threads.
 *
 *	tests/bench/drain [ROUNDS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/sys.h"
#include "collect/collector.h"
#include "collect/drain/drain.h"
#include "collect/drain/record_history.h"
#include "collect/triggers/trigger.h"
#include "perf/abi/record.h"

enum {
	RING = 1 << 20,
	HISTORY = 16 << 20,
	ID = 700,
	EVENTS = 64,
	SAMPLE = 104,		/* bytes, as for a system call tracepoint */
	PASSES = 64,		/* over a full ring, per round */
};

static const char *const names[] = { "raw_syscalls:sys_enter" };

/* Samples of @events in turn. */
static uint64_t fill(struct ring *ring, uint64_t events)
{
	unsigned char *data = (unsigned char *)ring->page + sys_page_size();
	uint64_t words[SAMPLE / 8] = { 0 }, nr = RING / SAMPLE;

	words[0] = PERF_RECORD_SAMPLE | (uint64_t)SAMPLE << 48;
	words[3] = 4242 | UINT64_C(4242) << 32;
	for (uint64_t i = 0; i < nr; i++) {
		words[1] = ID + i % events;
		words[4] = 1000000 + i;
		memcpy(data + i * SAMPLE, words, sizeof(words));
	}
	return nr;
}

/* Nanoseconds per record. */
static double measure(struct ring *ring, struct drain *drain, uint64_t nr,
		      int rounds)
{
	struct drain_tally tally;
	double min = 0;

	for (int round = 0; round < rounds; round++) {
		double begun = sys_now(), each;

		for (int pass = 0; pass < PASSES; pass++) {
			ring->page->data_tail = 0;
			ring->page->data_head = nr * SAMPLE;
			drain_walk(ring, drain, 0, &tally);
		}
		each = (sys_now() - begun) * 1e9 / PASSES / (double)nr;
		if (!round || each < min)
			min = each;
	}
	return min;
}

static double with_trigger(struct ring *ring, struct drain *drain,
			   uint64_t nr, int rounds, const char *text)
{
	const struct trigger_events events = { .names = names, .nr = 1 };
	double each;

	drain->trigger = trigger_new(text, &events, NULL);
	if (!drain->trigger)
		return 0;
	trigger_arm(drain->trigger);
	each = measure(ring, drain, nr, rounds);
	trigger_free(drain->trigger);
	drain->trigger = NULL;
	return each;
}

/* Nanoseconds per drain of @nr records, by a collector on this thread. */
static double whole_drain(const struct ring *ring, uint64_t nr, int rounds)
{
	enum { DRAINS = 100000 };
	static const uint64_t ids[] = { ID };
	struct collector_opts opts = { .rings = 1, .interval = 3600 };
	struct collector *c = collector_new(&opts, NULL);
	struct collector_ring from = {
		.ring = *ring, .cpu = 0, .ids = ids, .nr_ids = 1,
	};
	double min = 0;
	size_t slot;

	if (!c || collector_add(c, &from, &slot, NULL)) {
		collector_free(c);
		return 0;
	}
	for (int round = 0; round < rounds; round++) {
		double begun = sys_now(), each;

		for (int i = 0; i < DRAINS; i++) {
			ring->page->data_tail = 0;
			ring->page->data_head = nr * SAMPLE;
			collector_drain(c, slot);
		}
		each = (sys_now() - begun) * 1e9 / DRAINS;
		if (!round || each < min)
			min = each;
	}
	collector_free(c);
	return min;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 20;
	uint64_t ids[EVENTS];
	void *base = calloc(1, sys_page_size() + RING);
	struct record_history *history = record_history_new(HISTORY);
	struct drain drain;
	struct ring ring;
	uint64_t nr;

	for (int i = 0; i < EVENTS; i++)
		ids[i] = ID + (uint64_t)i;
	if (!base || !history ||
	    drain_init(&drain, ids, NULL, EVENTS, getpid()))
		return 1;
	ring_attach(&ring, base, RING, false);
	nr = fill(&ring, EVENTS);
	printf("of 64 events       %6.2f ns a record\n",
	       measure(&ring, &drain, nr, rounds));
	nr = fill(&ring, 1);
	printf("of one event       %6.2f\n",
	       measure(&ring, &drain, nr, rounds));
	drain.history = history;
	printf("with a history     %6.2f\n",
	       measure(&ring, &drain, nr, rounds));
	drain.history = NULL;
	printf("trigger 'lost'     %6.2f\n",
	       with_trigger(&ring, &drain, nr, rounds, "lost"));
	printf("trigger on events  %6.2f\n",
	       with_trigger(&ring, &drain, nr, rounds,
			    "event~sys_enter && pid==1"));
	printf("trigger on comm    %6.2f\n",
	       with_trigger(&ring, &drain, nr, rounds, "comm==nobody"));
	printf("drain of 1 record  %6.0f ns\n", whole_drain(&ring, 1, rounds));
	printf("drain of 64        %6.0f ns\n", whole_drain(&ring, 64, rounds));
	record_history_free(history);
	drain_free(&drain);
	free(base);
	return 0;
}
