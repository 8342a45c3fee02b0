/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries into the kernel at known places of user code, for callers.sh:
 *
 *	entries --fault N	N calls of fault_here(), each of which faults on
 *				its first instruction
 *	entries --exec N	N children, one after another, each of which
 *				executes "entries --done"
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* A function at the start of a page, for any page size. */
#define ALONE __attribute__((noinline, section("alone"), aligned(65536)))

static volatile unsigned long sink;

static ALONE void fault_before(void)
{
	sink += 1;
}

static ALONE void fault_here(void)
{
	sink += 2;
}

static int run_faults(long n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	fault_before();
	while (n-- > 0) {
		if (madvise((void *)fault_here, page, MADV_DONTNEED)) {
			perror("entries: madvise");
			return 1;
		}
		fault_here();
	}
	return 0;
}

static int run_execs(long n)
{
	char *const args[] = { "entries", "--done", NULL };

	while (n-- > 0) {
		pid_t pid = fork();
		int status;

		if (pid == 0) {
			execve("/proc/self/exe", args, NULL);
			_exit(1);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status) {
			fprintf(stderr, "entries: a child failed\n");
			return 1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--fault"))
		return run_faults(atol(argv[2]));
	if (argc == 3 && !strcmp(argv[1], "--exec"))
		return run_execs(atol(argv[2]));
	return argc != 2 || strcmp(argv[1], "--done") != 0;
}
