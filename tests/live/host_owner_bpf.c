/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An owner of a libbpf perf buffer and of two BPF ring buffers, that writes
 * and drains as it is told, one line of standard input at a time.
 *
 *	host_owner_bpf PAGES	of the perf buffer's rings
 *
 *	perf CPU N SIZE		N records into the perf buffer's ring of CPU
 *	ring N SIZE		into owner_ring, of 64 KiB
 *	big N SIZE		into owner_big_ring, of 512 KiB
 *	drain perf|ring|big	ok RECORDS LOST
 *	consumer ring|big BYTES	the consumer's position, so far beyond the
 *				producer's
 *	read perf N		ok HEAD TAIL, of the ring of the Nth CPU that is
 *				online, from 0, by this process's own mapping
 *	read ring|big		ok PRODUCER CONSUMER, the same way
 *	refused			ok RECORDS, by BPF ring buffers that were full
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* bpftool's code, not ours to keep free of warnings. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wconversion"
#include "tests/live/host_owner.skel.h"
#pragma GCC diagnostic pop

enum { WORDS = 4 };

/* A BPF ring buffer, and the positions of its two user pages. */
struct ring {
	const char *name;
	struct ring_buffer *reader;
	uint64_t *consumer;
	const uint64_t *producer;
	struct bpf_program *emit;
};

static struct {
	struct host_owner *skel;
	struct perf_buffer *perf;
	struct ring rings[2];
	uint64_t records, lost;		/* of the drain that goes on */
} owner;

static int failed(const char *what)
{
	printf("error %s: %s\n", what, strerror(errno));
	return -1;
}

static int ring_sample(void *ctx, void *data, size_t size)
{
	(void)ctx;
	(void)data;
	(void)size;
	owner.records++;
	return 0;
}

static void perf_sample(void *ctx, int cpu, void *data, __u32 size)
{
	(void)ctx;
	(void)cpu;
	(void)data;
	(void)size;
	owner.records++;
}

static void perf_lost(void *ctx, int cpu, __u64 count)
{
	(void)ctx;
	(void)cpu;
	owner.lost += count;
}

static int ring_open(struct ring *ring, const char *name,
		     const struct bpf_map *map, struct bpf_program *emit)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = bpf_map__fd(map);

	ring->name = name;
	ring->emit = emit;
	ring->reader = ring_buffer__new(fd, ring_sample, NULL, NULL);
	ring->consumer = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED,
			      fd, 0);
	ring->producer = mmap(NULL, page, PROT_READ, MAP_SHARED, fd,
			      (off_t)page);
	return ring->reader && ring->consumer != MAP_FAILED &&
	       ring->producer != MAP_FAILED ? 0 : -1;
}

static int owner_open(size_t pages)
{
	struct host_owner *skel = host_owner__open_and_load();

	if (!skel)
		return -1;
	owner.skel = skel;
	owner.perf = perf_buffer__new(bpf_map__fd(skel->maps.owner_perf),
				      pages, perf_sample, perf_lost, NULL,
				      NULL);
	if (!owner.perf)
		return -1;
	if (ring_open(&owner.rings[0], "ring", skel->maps.owner_ring,
		      skel->progs.owner_ring_emit))
		return -1;
	return ring_open(&owner.rings[1], "big", skel->maps.owner_big_ring,
			 skel->progs.owner_big_ring_emit);
}

/* @cpu < 0: on whichever it is. */
static int emit(const struct bpf_program *program, int cpu, uint64_t n,
		uint64_t size)
{
	__u64 args[2] = { 0 };
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args,
		    .ctx_size_in = sizeof(args));

	if (cpu >= 0) {
		opts.flags = BPF_F_TEST_RUN_ON_CPU;
		opts.cpu = (__u32)cpu;
	}
	owner.skel->data->record_size = size;
	for (uint64_t i = 0; i < n; i++)
		if (bpf_prog_test_run_opts(bpf_program__fd(program), &opts))
			return failed("BPF_PROG_TEST_RUN");
	return 0;
}

static struct ring *ring_named(const char *name)
{
	for (size_t i = 0; i < 2; i++)
		if (strcmp(owner.rings[i].name, name) == 0)
			return &owner.rings[i];
	return NULL;
}

static int say_drained(const char *name)
{
	struct ring *ring = ring_named(name);

	owner.records = owner.lost = 0;
	if (ring)
		ring_buffer__consume(ring->reader);
	else
		perf_buffer__consume(owner.perf);
	return printf("ok %lu %lu\n", owner.records, owner.lost);
}

static int say_perf(const char *nth)
{
	const struct perf_event_mmap_page *page;
	size_t size;
	void *base;

	if (perf_buffer__buffer(owner.perf, atoi(nth), &base, &size))
		return failed("perf_buffer__buffer");
	page = base;
	return printf("ok %llu %llu\n",
		      __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE),
		      page->data_tail);
}

static int say_positions(char *const *words)
{
	const struct ring *ring = ring_named(words[1]);

	if (!ring)
		return say_perf(words[2] ? words[2] : "0");
	return printf("ok %lu %lu\n",
		      __atomic_load_n(ring->producer, __ATOMIC_ACQUIRE),
		      __atomic_load_n(ring->consumer, __ATOMIC_ACQUIRE));
}

static int set_consumer(const char *name, const char *beyond)
{
	const struct ring *ring = ring_named(name);

	if (!ring || !beyond)
		return printf("error no such ring\n");
	__atomic_store_n(ring->consumer, *ring->producer +
			 (uint64_t)strtoll(beyond, NULL, 0), __ATOMIC_RELEASE);
	return 0;
}

static uint64_t number(const char *word)
{
	return word ? strtoull(word, NULL, 0) : 0;
}

/* 0: done, and "ok" is yet to be said. */
static int tell(char *const *words)
{
	const struct ring *ring = ring_named(words[0]);

	if (ring)
		return emit(ring->emit, -1, number(words[1]), number(words[2]));
	if (strcmp(words[0], "perf") == 0)
		return emit(owner.skel->progs.owner_perf_emit,
			    (int)number(words[1]), number(words[2]),
			    number(words[3]));
	if (strcmp(words[0], "refused") == 0)
		return printf("ok %llu\n", owner.skel->bss->refused);
	if (strcmp(words[0], "drain") == 0 && words[1])
		return say_drained(words[1]);
	if (strcmp(words[0], "consumer") == 0 && words[1])
		return set_consumer(words[1], words[2]);
	if (strcmp(words[0], "read") == 0 && words[1])
		return say_positions(words);
	return printf("error no such word: %s\n", words[0]);
}

static bool split(char *line, char *words[WORDS + 1])
{
	char *state = NULL, *word = strtok_r(line, " \n", &state);
	size_t n = 0;

	for (; word && n < WORDS; word = strtok_r(NULL, " \n", &state))
		words[n++] = word;
	for (size_t i = n; i <= WORDS; i++)
		words[i] = NULL;
	return n > 0;
}

int main(int argc, char **argv)
{
	char line[256], *words[WORDS + 1];

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (owner_open(argc > 1 ? number(argv[1]) : 8)) {
		failed("libbpf");
		return 1;
	}
	while (fgets(line, sizeof(line), stdin))
		if (split(line, words) && tell(words) == 0)
			puts("ok");
	return 0;
}
