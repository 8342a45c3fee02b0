/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An owner of many rings, to be watched:
 *
 *	rings [-b] [-m PAGES] [-e EVENTS] [-f FDS | -d FDS] COUNT
 *
 * Maps COUNT rings of PAGES (4), each of an event of its own that takes ten
 * samples per second of CPU time of the program, with EVENTS more redirected to
 * it, and starts children that hold FDS more descriptors of events, as many
 * each as allowed: -f of one event, -d of different ones.  With -b rings are
 * busy: each event samples every switch away from the program, so that each
 * drain finds records.  Prints "ready" on standard output and drains the rings
 * ten times per second until it is killed.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SPARE_FDS = 64 };

struct options {
	size_t pages;
	long events;		/* redirected into each ring */
	long fds;
	bool different;		/* of different events */
	bool busy;
	long count;		/* of rings; -1: bad usage */
};

static void die(const char *what)
{
	fprintf(stderr, "rings: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int open_event(bool disabled, bool busy)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = busy ? PERF_COUNT_SW_CONTEXT_SWITCHES :
				 PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = busy ? 1 : 100000000,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.exclude_kernel = !busy,
		.disabled = disabled,
	};
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1,
			  PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		die("perf_event_open");
	return (int)fd;
}

static struct perf_event_mmap_page *map_ring(const struct options *options)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = open_event(false, options->busy);
	void *ring = mmap(NULL, (options->pages + 1) * page,
			  PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (ring == MAP_FAILED)
		die("mmap of a ring");
	for (long i = 0; i < options->events; i++)
		if (ioctl(open_event(false, options->busy),
			  PERF_EVENT_IOC_SET_OUTPUT, fd) < 0)
			die("PERF_EVENT_IOC_SET_OUTPUT");
	return ring;
}

static void drain(struct perf_event_mmap_page *ring)
{
	uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);

	__atomic_store_n(&ring->data_tail, head, __ATOMIC_RELEASE);
}

/* The number of descriptors that one process may have. */
static long fd_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		die("getrlimit");
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		die("setrlimit");
	return (long)limit.rlim_max;
}

static void hold(long fds, bool different)
{
	int fd = open_event(true, false);

	while (--fds > 0)
		if ((different ? open_event(true, false) : dup(fd)) < 0)
			die("dup");
}

/* Start a child that holds that many, and reports it through @ready. */
static void fork_holder(long fds, bool different, int ready)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid > 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	hold(fds, different);
	if (write(ready, "", 1) != 1)
		die("write");
	for (;;)
		pause();
}

static void fork_holders(const struct options *options, long max)
{
	long fds = options->fds;
	int pipe_fds[2], children = 0;
	char byte;

	if (pipe(pipe_fds) < 0)
		die("pipe");
	for (; fds > 0; fds -= max, children++)
		fork_holder(fds < max ? fds : max, options->different,
			    pipe_fds[1]);
	close(pipe_fds[1]);
	while (children-- > 0)
		if (read(pipe_fds[0], &byte, 1) != 1)
			die("a child did not get its descriptors");
}

static struct options parse(int argc, char **argv)
{
	struct options options = { .pages = 4, .count = -1 };
	int option;

	while ((option = getopt(argc, argv, "bm:e:f:d:")) != -1) {
		if (option == 'm')
			options.pages = strtoul(optarg, NULL, 10);
		else if (option == 'e')
			options.events = atol(optarg);
		else if (option == 'b')
			options.busy = true;
		else if (option == 'f' || option == 'd')
			options.fds = atol(optarg);
		else
			return options;
		options.different |= option == 'd';
	}
	if (optind + 1 == argc)
		options.count = atol(argv[optind]);
	return options;
}

int main(int argc, char **argv)
{
	struct options options = parse(argc, argv);
	struct perf_event_mmap_page **rings;

	if (options.count < 0) {
		fputs("usage: rings [-b] [-m PAGES] [-e EVENTS] "
		      "[-f FDS | -d FDS] COUNT\n", stderr);
		return 2;
	}
	fork_holders(&options, fd_limit() - SPARE_FDS);
	rings = calloc((size_t)options.count + 1, sizeof(*rings));
	if (!rings)
		die("calloc");
	for (long i = 0; i < options.count; i++)
		rings[i] = map_ring(&options);
	puts("ready");
	fflush(stdout);
	for (;;) {
		for (long i = 0; i < options.count; i++)
			drain(rings[i]);
		poll(NULL, 0, 100);
	}
}
