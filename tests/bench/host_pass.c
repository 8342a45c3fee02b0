/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time of a pass over all rings of the host:
 *
 *	host_pass [PASSES]	50 whole passes, and 50 of each part of one
 *
 * Prints a line of JSON for each: milliseconds elapsed and of CPU time, the
 * median and the maximum, and the numbers of what was found.  "pid": a pass
 * over one process, the parent of this one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "host/host_bpf.h"
#include "perf/event/event_label.h"

enum { MAX_PASSES = 10000 };

struct watch {
	struct host_bpf *bpf;
	struct host_pass pass;
	size_t passes;
	double wall[MAX_PASSES], cpu[MAX_PASSES];	/* milliseconds */
};

static double clock_ms(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void fail(const struct err *err)
{
	fprintf(stderr, "host_pass: %s\n", err->text);
	exit(1);
}

static void look(struct watch *w, unsigned int parts, pid_t pid, size_t n)
{
	double wall = clock_ms(CLOCK_MONOTONIC);
	double cpu = clock_ms(CLOCK_THREAD_CPUTIME_ID);
	struct err err = { 0 };

	host_pass_clear(&w->pass);
	if (host_bpf_read(w->bpf, parts, pid, &w->pass, &err) < 0)
		fail(&err);
	w->wall[n] = clock_ms(CLOCK_MONOTONIC) - wall;
	w->cpu[n] = clock_ms(CLOCK_THREAD_CPUTIME_ID) - cpu;
}

static void measure(struct watch *w, const char *name, unsigned int parts,
		    pid_t pid)
{
	size_t n = w->passes;

	look(w, parts, pid, 0);		/* the first grows what the rest use */
	for (size_t i = 0; i < n; i++)
		look(w, parts, pid, i);
	qsort(w->wall, n, sizeof(w->wall[0]), by_size);
	qsort(w->cpu, n, sizeof(w->cpu[0]), by_size);
	printf("{\"of\":\"%s\",\"ms\":%.3f,\"max_ms\":%.3f,\"cpu_ms\":%.3f,"
	       "\"max_cpu_ms\":%.3f,\"files\":%llu,\"events\":%zu,"
	       "\"rings\":%zu,\"holders\":%zu}\n",
	       name, w->wall[n / 2], w->wall[n - 1], w->cpu[n / 2],
	       w->cpu[n - 1], (unsigned long long)w->pass.files,
	       w->pass.nr_events, w->pass.nr_rings, w->pass.nr_holders);
}

int main(int argc, char **argv)
{
	struct event_labels *labels = event_labels_new(NULL, NULL);
	static struct watch w = { .passes = 50 };
	struct err err = { 0 };

	if (argc > 1)
		w.passes = strtoul(argv[1], NULL, 10);
	if (!labels || w.passes < 1 || w.passes > MAX_PASSES)
		return 2;
	w.bpf = host_bpf_open(labels, &err);
	if (!w.bpf)
		fail(&err);
	measure(&w, "all", HOST_ALL, 0);
	measure(&w, "files", HOST_FILES, 0);
	measure(&w, "mappings", HOST_MAPPINGS, 0);
	measure(&w, "maps", HOST_MAPS, 0);
	if (host_bpf_can_pick(w.bpf))
		measure(&w, "pid", HOST_FILES, getppid());
	host_bpf_free(w.bpf);
	host_pass_free(&w.pass);
	event_labels_free(labels);
	return 0;
}
