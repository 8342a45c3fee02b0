/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPU seconds and peak memory of a command, without the commands that it starts
 * itself:
 *
 *	cpuof FILE CMD [ARG...]
 *
 * A tracer reaps the workload that it runs, so getrusage(2) would add both;
 * /proc/PID/stat of the zombie has them separately (proc(5): utime and stime,
 * cutime and cstime).  One JSON object is written to FILE.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void die(const char *what)
{
	fprintf(stderr, "cpuof: %s: %s\n", what, strerror(errno));
	exit(125);
}

static double own_cpu(pid_t pid)
{
	unsigned long user = 0, system = 0;
	char path[64], text[1024], *at;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (!f || !fgets(text, sizeof(text), f))
		die(path);
	fclose(f);
	at = strrchr(text, ')');	/* the name may hold anything */
	if (!at || sscanf(at, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u "
			  "%lu %lu", &user, &system) != 2)
		die("parsing /proc/PID/stat");
	return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

int main(int argc, char **argv)
{
	struct rusage usage;
	siginfo_t info;
	double cpu;
	int status;
	pid_t pid;
	FILE *out;

	if (argc < 3) {
		fprintf(stderr, "usage: cpuof FILE CMD [ARG...]\n");
		return 125;
	}
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		die(argv[2]);
	}
	signal(SIGINT, SIG_IGN);	/* meant for the command */
	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0)
		if (errno != EINTR)
			die("waitid");
	cpu = own_cpu(pid);
	if (wait4(pid, &status, 0, &usage) != pid)
		die("wait4");
	out = fopen(argv[1], "we");
	if (!out)
		die(argv[1]);
	fprintf(out, "{\"cpu\":%.2f,\"maxrss_kib\":%ld}\n", cpu,
		usage.ru_maxrss);
	fclose(out);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
