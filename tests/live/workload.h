/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Three functions that run about 50, 30 and 20 parts of the same loop in turn,
 * a few ms each, for symbols.sh.  The time of a part depends on the CPU and on
 * where the compiler puts the loop, so the program measures it: the CPU time of
 * each function, in ns, is in the file named by WORKLOAD_TIMES, as three 64-bit
 * numbers.  The number of parts changes with each call.  Calls of equal length
 * would be a multiple of the sampling period, and would begin at the same point
 * between two samples for a long time.
 */
#ifndef RBTOP_TESTS_WORKLOAD_H
#define RBTOP_TESTS_WORKLOAD_H

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { PART = 40000 };	/* rounds: about 50 us */

static inline __attribute__((always_inline)) unsigned long
workload_spin(unsigned long parts)
{
	unsigned long x = 1;

	for (unsigned long i = 0; i < parts * PART; i++) {
		x *= 0x5851f42d4c957f2dul;
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

enum workload_part { WORKLOAD_HALF, WORKLOAD_THIRD, WORKLOAD_FIFTH };

/* NULL if WORKLOAD_TIMES is not set. */
static inline uint64_t *workload_map_times(void)
{
	const size_t size = 3 * sizeof(uint64_t);
	const char *path = getenv("WORKLOAD_TIMES");
	void *times = MAP_FAILED;
	int fd;

	fd = path ? open(path, O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;
	if (fd < 0)
		return NULL;
	if (!ftruncate(fd, (off_t)size))
		times = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
			     fd, 0);
	close(fd);
	return times == MAP_FAILED ? NULL : (uint64_t *)times;
}

static inline uint64_t workload_cpu_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* @parts +- up to 9, by MMIX's linear congruential generator. */
static inline unsigned long workload_about(unsigned long parts)
{
	static uint64_t random = 1;

	random = random * 6364136223846793005u + 1442695040888963407u;
	return parts - 9 + (random >> 33) % 19;
}

/*
 * Add a call of @parts that took @ns; @times may be NULL.  Time stolen from a
 * virtual CPU counts as CPU time but has no samples: so a call counts for at
 * most 1.5 times the recent average of its parts.
 */
static inline void workload_took(uint64_t *times, enum workload_part part,
				 unsigned long parts, uint64_t ns)
{
	static double usual;	/* ns per part */
	double each = (double)ns / (double)parts;

	if (usual > 0 && each > 1.5 * usual)
		each = 1.5 * usual;
	usual += (each - usual) / (usual > 0 ? 16 : 1);
	if (times)
		times[part] += (uint64_t)(each * (double)parts);
}

/* Evaluates CALL of about NR parts, in which they are called parts. */
#define WORKLOAD_TIMED(times, part, nr, call)                              \
	do {                                                               \
		unsigned long parts = workload_about(nr);                  \
		uint64_t workload_from = workload_cpu_time();              \
                                                                           \
		call;                                                      \
		workload_took(times, part, parts,                          \
			      workload_cpu_time() - workload_from);        \
	} while (0)

/* Neither inlined nor cloned under another name. */
#ifdef __clang__
#define WORKLOAD __attribute__((noinline))
#else
#define WORKLOAD __attribute__((noinline, noclone))
#endif

#endif
