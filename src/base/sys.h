/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything that the kernel can refuse: perf_event_open and its ioctls,
 * mmap, files under /proc and /sys, the clock.  Each function is a thin
 * wrapper that returns a negative errno; none prints, none fills a struct err,
 * for only the caller knows the remedy.
 *
 * Tests make any of them fail: see sys_fail_at().
 */
#ifndef RBTOP_BASE_SYS_H
#define RBTOP_BASE_SYS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum sys_call {
	SYS_OPEN_EVENT,		/* perf_event_open(2) */
	SYS_IOCTL,		/* a perf ioctl */
	SYS_MMAP,		/* mmap(2) of a ring */
	SYS_READ_COUNT,		/* read(2) of an event */
	SYS_OPEN_FILE,		/* open(2) of a file below /proc, /sys */
	SYS_CALLS
};

/* perf_event_open(2), always with PERF_FLAG_FD_CLOEXEC.  A fd or -errno. */
int sys_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu,
			int group_fd, unsigned long flags);

/* ioctl(2) on a perf event fd.  0 or -errno. */
int sys_perf_ioctl(int fd, unsigned long request, unsigned long arg);

/*
 * mmap(2) MAP_SHARED of @size bytes at @offset.  @prot as for mmap.  Returns
 * 0 with *@map set, or -errno.  Undo with sys_munmap.
 */
int sys_mmap(int fd, size_t size, int prot, off_t offset, void **map);
void sys_munmap(void *map, size_t size);

/* read(2) of an event's values into @buf.  Bytes read or -errno. */
ssize_t sys_read_count(int fd, void *buf, size_t size);

void sys_close(int fd);

/*
 * Read the whole of a small file below /proc or /sys into @buf, NUL
 * terminated, at most @size - 1 bytes.  Returns the length or -errno.
 */
ssize_t sys_read_file(const char *path, char *buf, size_t size);

/*
 * The same for a file of any length up to @max bytes, into an allocation
 * that the caller frees.  Returns the length, -EFBIG over @max, or -errno.
 */
ssize_t sys_read_file_alloc(const char *path, size_t max, char **out);

/* Read a number (decimal, or hex with 0x) from a file.  0 or -errno. */
int sys_read_number(const char *path, long long *value);

/* Seconds on CLOCK_MONOTONIC, CLOCK_REALTIME; nanoseconds on the former. */
double sys_now(void);
double sys_wall_clock(void);
uint64_t sys_now_ns(void);

/* CPU seconds used so far by this process, and by the calling thread. */
double sys_process_cpu(void);
double sys_thread_cpu(void);

/* Resident set size of this process in bytes, 0 where /proc is missing. */
uint64_t sys_rss(void);

pid_t sys_gettid(void);
size_t sys_page_size(void);

/* Highest possible CPU number + 1 (/sys/devices/system/cpu/possible). */
int sys_possible_cpus(void);

/*
 * Raise RLIMIT_NOFILE's soft limit towards @want, as far as its hard limit
 * (or CAP_SYS_RESOURCE) allows.  Returns the soft limit that now holds.
 */
uint64_t sys_raise_nofile(uint64_t want);

/*
 * Wait until no CPU is in a code section of the kernel that it entered before
 * this call: membarrier(2)'s MEMBARRIER_CMD_GLOBAL waits for an RCU grace
 * period (kernel/sched/membarrier.c); some 10 ms.  Where the kernel refuses
 * it, a sleep long enough in practice.
 */
void sys_grace_period(void);

/*
 * For tests: let the @nth call from now of @call (1 = the next) fail with
 * @error (a positive errno), once, or, with @nth 0, undo that.
 */
void sys_fail_at(enum sys_call call, unsigned int nth, int error);

#endif
