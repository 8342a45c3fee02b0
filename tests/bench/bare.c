/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lower bound that rbtop is compared with: one thread that polls the rings,
 * walks headers and stores the tail once per drain.  It counts only records and
 * losses, and has no screen and no timer.
 *
 *	bare PAGES CMD [ARG...]
 *
 * Counts raw_syscalls:sys_enter of the whole system with period 1 while CMD
 * runs, its own thread left out, and prints one JSON object.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_CPUS = 64 };

struct bare {
	int fd;
	struct perf_event_mmap_page *page;
	unsigned char *data;
	uint64_t size;
	uint64_t samples, lost;
};

static void die(const char *what)
{
	fprintf(stderr, "bare: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t tracepoint_id(void)
{
	const char *path =
		"/sys/kernel/tracing/events/raw_syscalls/sys_enter/id";
	FILE *f = fopen(path, "re");
	uint64_t id = 0;

	if (!f || fscanf(f, "%lu", &id) != 1)
		die(path);
	fclose(f);
	return id;
}

static void bare_open(struct bare *b, int cpu, uint64_t id, size_t pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = id,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
			       PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
			       PERF_SAMPLE_RAW,
		.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST,
		.disabled = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	char filter[64];
	void *map;

	b->fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1,
			     PERF_FLAG_FD_CLOEXEC);
	if (b->fd < 0)
		die("perf_event_open");
	snprintf(filter, sizeof(filter), "common_pid!=%d", getpid());
	if (ioctl(b->fd, PERF_EVENT_IOC_SET_FILTER, filter))
		die("filter");
	b->size = pages * page;
	map = mmap(NULL, page + b->size, PROT_READ | PROT_WRITE, MAP_SHARED,
		   b->fd, 0);
	if (map == MAP_FAILED)
		die("mmap");
	b->page = map;
	b->data = (unsigned char *)map + page;
}

static void bare_drain(struct bare *b)
{
	uint64_t head = __atomic_load_n(&b->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t at = b->page->data_tail;

	while (at < head) {
		const struct perf_event_header *header =
			(const void *)(b->data + (at & (b->size - 1)));

		if (header->type == PERF_RECORD_SAMPLE)
			b->samples++;
		else if (header->type == PERF_RECORD_LOST)
			b->lost += *(const uint64_t *)(b->data +
				((at + 16) & (b->size - 1)));
		at += header->size;
	}
	__atomic_store_n(&b->page->data_tail, at, __ATOMIC_RELEASE);
}

static pid_t start(char **argv, int *go)
{
	int fds[2];
	pid_t pid;
	char c;

	if (pipe(fds))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0) {
		close(fds[1]);
		if (read(fds[0], &c, 1) < 0)
			_exit(126);
		close(fds[0]);
		execvp(argv[0], argv);
		_exit(127);
	}
	close(fds[0]);
	*go = fds[1];
	return pid;
}

static double cpu_used(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void report(struct bare *b, int cpus, double cpu)
{
	uint64_t count = 0, samples = 0, lost = 0, reported = 0;

	for (int i = 0; i < cpus; i++) {
		uint64_t values[3];

		if (read(b[i].fd, values, sizeof(values)) != sizeof(values))
			die("read");
		count += values[0];
		lost += values[2];
		samples += b[i].samples;
		reported += b[i].lost;
	}
	printf("{\"count\":%lu,\"samples\":%lu,\"lost\":%lu,\"reported\":%lu,"
	       "\"loss\":%.6f,\"cpu\":%.4f,\"cpu_per_million\":%.4f}\n",
	       count, samples, lost, reported,
	       count ? (double)lost / (double)count : 0, cpu,
	       samples ? cpu / ((double)samples / 1e6) : 0);
}

int main(int argc, char **argv)
{
	int cpus = (int)sysconf(_SC_NPROCESSORS_ONLN), go, status, left = 1;
	struct pollfd polls[MAX_CPUS];
	struct bare rings[MAX_CPUS];
	uint64_t id = tracepoint_id();
	double cpu;
	pid_t pid;

	if (argc < 3 || cpus > MAX_CPUS) {
		fprintf(stderr, "usage: bare PAGES CMD [ARG...]\n");
		return 2;
	}
	memset(rings, 0, sizeof(rings));
	for (int i = 0; i < cpus; i++) {
		bare_open(&rings[i], i, id, strtoul(argv[1], NULL, 10));
		polls[i] = (struct pollfd){ .fd = rings[i].fd,
					    .events = POLLIN };
	}
	pid = start(argv + 2, &go);
	for (int i = 0; i < cpus; i++)
		ioctl(rings[i].fd, PERF_EVENT_IOC_ENABLE, 0);
	cpu = cpu_used();
	close(go);
	while (left) {
		poll(polls, (nfds_t)cpus, 100);
		for (int i = 0; i < cpus; i++)
			if (polls[i].revents & POLLIN)
				bare_drain(&rings[i]);
		left = waitpid(pid, &status, WNOHANG) == 0;
	}
	for (int i = 0; i < cpus; i++) {
		ioctl(rings[i].fd, PERF_EVENT_IOC_DISABLE, 0);
		bare_drain(&rings[i]);
	}
	report(rings, cpus, cpu_used() - cpu);
	return 0;
}
