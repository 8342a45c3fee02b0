/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cost of a program on a terminal: runs CMD on a pseudo-terminal that is
 * read as fast as it writes, and prints one JSON object:
 *
 *	ptycost [-k KEYS] ROWS COLUMNS SECONDS MARKER CMD [ARG...]
 *
 * KEYS are typed as soon as the program has its first picture.
 * first_frame_ms: from before the fork until MARKER was written;
 * main_share, sim_share, resolver_share, other_share: CPU of the main thread,
 * of threads named rbtop-sim*, of the one named rbtop-resolver, and of all
 * others, as shares of one core, from the first frame on
 * (/proc/PID/task/TID/schedstat, nanoseconds).
 */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct cost {
	double main, sim, resolver, other;
};

static void die(const char *what)
{
	fprintf(stderr, "ptycost: %s: %s\n", what, strerror(errno));
	exit(1);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool read_line(pid_t pid, const char *tid, const char *file,
		      char *text, int size)
{
	char path[320];
	FILE *f;
	bool got;

	snprintf(path, sizeof(path), "/proc/%d/task/%s/%s", pid, tid, file);
	f = fopen(path, "re");
	if (!f)
		return false;
	got = fgets(text, size, f);
	fclose(f);
	return got;
}

static struct cost read_cost(pid_t pid)
{
	struct cost cost = { 0 };
	struct dirent *entry;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		die(path);
	while ((entry = readdir(dir))) {
		char name[64], stat[128];
		double cpu;

		if (entry->d_name[0] == '.' ||
		    !read_line(pid, entry->d_name, "comm", name,
			       sizeof(name)) ||
		    !read_line(pid, entry->d_name, "schedstat", stat,
			       sizeof(stat)))
			continue;
		cpu = strtod(stat, NULL) / 1e9;
		if (!strncmp(name, "rbtop-sim", 9))
			cost.sim += cpu;
		else if (!strncmp(name, "rbtop-resolver", 14))
			cost.resolver += cpu;
		else if (atoi(entry->d_name) == pid)
			cost.main += cpu;
		else
			cost.other += cpu;
	}
	closedir(dir);
	return cost;
}

/* Read what the program writes until @until; true once @marker was there. */
static bool read_until(int fd, double until, const char *marker)
{
	static char text[1 << 20];
	size_t len = 0;

	while (now() < until) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		ssize_t got;

		if (poll(&p, 1, (int)((until - now()) * 1000) + 1) <= 0)
			continue;
		if (len > sizeof(text) / 2)
			len = 0;
		got = read(fd, text + len, sizeof(text) - len - 1);
		if (got <= 0)
			return false;	/* the program ended */
		len += (size_t)got;
		text[len] = '\0';
		if (marker && memmem(text, len, marker, strlen(marker)))
			return true;
	}
	return false;
}

/*
 * Type the keys once the program writes anything: then it has set up the
 * terminal.
 */
static void type(int fd, double until, const char *keys)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	if (poll(&p, 1, (int)((until - now()) * 1000) + 1) <= 0 ||
	    write(fd, keys, strlen(keys)) < 0)
		die("typing");
}

int main(int argc, char **argv)
{
	struct winsize size = { 0 };
	const char *keys = "";
	struct cost a, b;
	double start, first, seconds;
	pid_t pid;
	int fd;

	if (argc > 2 && !strcmp(argv[1], "-k")) {
		keys = argv[2];
		argv += 2;
		argc -= 2;
	}
	if (argc < 6) {
		fprintf(stderr, "usage: ptycost [-k KEYS] ROWS COLUMNS SECONDS "
			"MARKER CMD [ARG...]\n");
		return 2;
	}
	size.ws_row = (unsigned short)atoi(argv[1]);
	size.ws_col = (unsigned short)atoi(argv[2]);
	seconds = atof(argv[3]);
	start = now();
	pid = forkpty(&fd, NULL, NULL, &size);
	if (pid < 0)
		die("forkpty");
	if (pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		execvp(argv[5], argv + 5);
		_exit(127);
	}
	type(fd, start + 10, keys);
	if (!read_until(fd, start + 10, argv[4])) {
		errno = ETIMEDOUT;
		die("waiting for the marker");
	}
	first = now();
	a = read_cost(pid);
	if (seconds > 0)
		read_until(fd, first + seconds, NULL);
	b = read_cost(pid);
	printf("{\"first_frame_ms\":%.1f", (first - start) * 1000);
	if (seconds > 0)
		printf(",\"main_share\":%.4f,\"other_share\":%.4f,"
		       "\"sim_share\":%.4f,\"resolver_share\":%.4f",
		       (b.main - a.main) / seconds,
		       (b.other - a.other) / seconds,
		       (b.sim - a.sim) / seconds,
		       (b.resolver - a.resolver) / seconds);
	printf("}\n");
	kill(pid, SIGTERM);
	read_until(fd, now() + 0.3, NULL);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return 0;
}
