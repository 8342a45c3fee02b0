/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that measure their shares of CPU time, for symbols.sh; runs until
 * it is killed:
 *
 *	workload		three functions, one of them local
 *	workload PLUGIN.so	those of an object opened at run time
 *	workload --jit		generated code, named in /tmp/perf-PID.map
 *	workload --jit-fork	the same, but a child runs it
 *	workload --kernel	system calls, the vdso and the C library
 */
#include "workload.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * Each function computes another value: the compiler would merge equal
 * functions.
 */
static volatile unsigned long sink;

WORKLOAD void warm_half(unsigned long parts);
WORKLOAD void warm_third(unsigned long parts);

WORKLOAD void warm_half(unsigned long parts)
{
	sink += workload_spin(parts);
}

WORKLOAD void warm_third(unsigned long parts)
{
	sink -= workload_spin(parts);
}

static WORKLOAD void warm_local(unsigned long parts)
{
	sink ^= workload_spin(parts);
}

static void run_plain(void)
{
	uint64_t *times = workload_map_times();

	for (;;) {
		WORKLOAD_TIMED(times, WORKLOAD_HALF, 50, warm_half(parts));
		WORKLOAD_TIMED(times, WORKLOAD_THIRD, 30, warm_third(parts));
		WORKLOAD_TIMED(times, WORKLOAD_FIFTH, 20, warm_local(parts));
	}
}

/*
 * Run without the plugin first, so that an rbtop that watches from the start
 * learns of it by the record of its mapping.
 */
static int run_plugin(const char *path)
{
	void *plugin;
	void (*run)(void);

	for (int i = 0; i < 100; i++)
		warm_half(50);
	plugin = dlopen(path, RTLD_NOW);
	run = plugin ? (void (*)(void))dlsym(plugin, "plugin_run") : NULL;
	if (!run) {
		fprintf(stderr, "workload: %s\n", dlerror());
		return 1;
	}
	for (;;)
		run();
}

/* The code that is copied: it refers to nothing outside of itself. */
static __attribute__((section("spin_code"))) WORKLOAD unsigned long
spin(unsigned long parts)
{
	return workload_spin(parts);
}

extern const char __start_spin_code[], __stop_spin_code[];

typedef unsigned long spin_fn(unsigned long parts);

/* Copy spin() to @code, and name it @name in @map. */
static spin_fn *make_code(char *code, const char *name, FILE *map)
{
	size_t size = (size_t)(__stop_spin_code - __start_spin_code);

	memcpy(code, __start_spin_code, size);
	__builtin___clear_cache(code, code + size);
	fprintf(map, "%lx %zx %s\n", (unsigned long)code, size, name);
	return (spin_fn *)(code +
			   ((const char *)spin - __start_spin_code));
}

static int run_jit(bool in_child)
{
	enum { APART = 4096 };
	spin_fn *half, *third, *fifth;
	uint64_t *times;
	char path[64], *code;
	FILE *map;
	int fd;

	code = mmap(NULL, 3 * APART, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
	map = fd < 0 ? NULL : fdopen(fd, "w");
	if (code == MAP_FAILED || !map) {
		perror("workload");
		return 1;
	}
	half = make_code(code, "jit::half", map);
	third = make_code(code + APART, "jit third, with blanks", map);
	fifth = make_code(code + 2 * APART, "jit_fifth", map);
	fclose(map);
	if (in_child && fork() > 0)
		return wait(NULL) < 0;
	if (in_child)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	times = workload_map_times();
	for (;;) {
		WORKLOAD_TIMED(times, WORKLOAD_HALF, 50, half(parts));
		WORKLOAD_TIMED(times, WORKLOAD_THIRD, 30, third(parts));
		WORKLOAD_TIMED(times, WORKLOAD_FIFTH, 20, fifth(parts));
	}
}

static int run_kernel(void)
{
	char text[4096];
	struct timespec now;
	int fd = open("/proc/self/stat", O_RDONLY);

	for (;;) {
		for (int i = 0; i < 200; i++)
			clock_gettime(CLOCK_MONOTONIC, &now);
		for (int i = 0; i < 20; i++) {
			if (pread(fd, text, sizeof(text), 0) <= 0)
				return 1;
		}
		snprintf(text, sizeof(text), "%.17g %s %ld", drand48(),
			 ctime(&now.tv_sec), now.tv_nsec);
		free(malloc((size_t)now.tv_nsec % 100000));
	}
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "--jit"))
		return run_jit(false);
	if (argc > 1 && !strcmp(argv[1], "--jit-fork"))
		return run_jit(true);
	if (argc > 1 && !strcmp(argv[1], "--kernel"))
		return run_kernel();
	if (argc > 1)
		return run_plugin(argv[1]);
	run_plain();
}
