/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that can fail: perf_event_open and its ioctls, mmap, files below
 * /proc and /sys, clocks.  Each function is a thin wrapper that returns a
 * negative errno.  None prints or fills a struct err, since only the caller
 * knows the remedy.
 *
 * Tests can make them fail: see sys_fail_at().
 */
#ifndef RBTOP_BASE_SYS_H
#define RBTOP_BASE_SYS_H

#include <dirent.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

enum sys_call {
	SYS_OPEN_EVENT,		/* perf_event_open(2) */
	SYS_IOCTL,		/* a perf ioctl */
	SYS_MMAP,		/* mmap(2) of a ring */
	SYS_READ_COUNT,		/* read(2) of an event */
	SYS_OPEN_FILE,		/* open(2) of a file below /proc, /sys */
	SYS_OPENAT2,		/* openat2(2) below another root */
	SYS_SCANDIR,		/* scandir(3) */
	SYS_ACCESS,		/* access(2) */
	SYS_STATFS,		/* statfs(2) */
	SYS_MOUNT,		/* mount(2) */
	SYS_OPEN_UNNAMED,	/* open(2) with O_TMPFILE */
	SYS_LINK,		/* linkat(2) of a file without a name */
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

/*
 * Open a file for reading whose name somebody else chose: @path below @dirfd
 * (AT_FDCWD), @flags O_NOFOLLOW or 0.  The type is checked before the file is
 * opened, since opening a device or reading a file of the kernel may have side
 * effects.  Returns a fd with *@st; -ELOOP for a link with O_NOFOLLOW; -EINVAL
 * for anything else that is not a regular file, and for files of pseudo file
 * systems; or -errno.
 */
int sys_open_plain(int dirfd, const char *path, int flags, struct stat *st);

/*
 * The same of @path as a process with the root directory @root
 * ("/proc/PID/root") sees it: links, absolute ones too, and ".." do not lead
 * out of that root, which may belong to a container that plants them to reach
 * files of the host.  With O_NOFOLLOW, -ELOOP for a link anywhere in
 * @path.  @root "" is rbtop's own root: sys_open_plain().
 */
int sys_open_in_root(const char *root, const char *path, int flags,
		     struct stat *st);

/* Close all descriptors from @first on. */
void sys_close_from(int first);

/*
 * Create a file without a name (O_TMPFILE) on the file system of the directory
 * @dir (O_PATH is enough), mode 0600, open for reading and writing.  It
 * disappears when closed, unless it was linked.  A fd or -errno: -EOPNOTSUPP if
 * the file system does not support it (NFS, FAT, 9p, most of FUSE); -ENOENT if
 * /proc is not mounted, since it could not be linked later.
 */
int sys_open_unnamed(int dir);
/*
 * Link such a file as @name in @dir, through /proc/self/fd: AT_EMPTY_PATH needs
 * CAP_DAC_READ_SEARCH before Linux 6.10.  0 or -errno: -EEXIST if the name
 * exists.
 */
int sys_link_unnamed(int fd, int dir, const char *name);
/*
 * Open a FIFO for reading and writing, so that opening does not wait and
 * reading never finds an end.  A fd (O_NONBLOCK), -EINVAL if it is not a FIFO,
 * or -errno.
 */
int sys_open_fifo(const char *path);

/*
 * Open a file of tracefs to append commands: with O_TRUNC the kernel would
 * remove all entries, including those of other programs.  A fd or -errno.
 */
int sys_open_append(const char *path);
/*
 * Open a file to read: what it shows of the thread that opens it, as in
 * /proc/thread-self, any thread may then read.  A fd or -errno.
 */
int sys_open_read(const char *path);

#define SYS_OWN_USER_NS "/proc/self/ns/user"
#define SYS_OWN_PID_NS "/proc/self/ns/pid"

/*
 * Whether the privileges of the process whose ns/user @path is are those of the
 * machine, not of a user namespace below (a rootless container), in which
 * capabilities lift no limit; true if that cannot be found out.
 */
bool sys_initial_user_ns(const char *path);

/* The same of its ns/pid: whether its pids are those of the machine. */
bool sys_initial_pid_ns(const char *path);

/*
 * Read the kernel's log (dmesg) as text into an allocation that the caller
 * frees.  The length or -errno: -EPERM without CAP_SYSLOG where
 * kernel.dmesg_restrict is set.
 */
ssize_t sys_read_kernel_log(char **out);

/* close(2); does nothing if @fd is negative. */
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

/* The same of an open file. */
ssize_t sys_read_fd_alloc(int fd, size_t max, char **out);

/* Read a number (decimal, or hex with 0x) from a file.  0 or -errno. */
int sys_read_number(const char *path, long long *value);

/*
 * scandir(3), sorted by strcmp, whatever the locale.  Returns the number of
 * *@entries, to be freed with sys_free_entries, or -errno.
 */
int sys_scandir(const char *path, int (*filter)(const struct dirent *entry),
		struct dirent ***entries);
void sys_free_entries(struct dirent **entries, int nr);

/* access(2), by the effective ids and capabilities.  0 or -errno. */
int sys_access(const char *path, int mode);

/* The type of the file system at @path, linux/magic.h.  0 or -errno. */
int sys_fs_type(const char *path, long *magic);

/* mount(2) of a file system without a device, such as tracefs.  0 or -errno. */
int sys_mount(const char *type, const char *path);

/* Let the timer @fd (timerfd_create(2)) expire every @seconds; 0 stops it. */
void sys_timer_set(int fd, double seconds);

/* Seconds on CLOCK_MONOTONIC, CLOCK_REALTIME; nanoseconds on the former. */
double sys_now(void);
double sys_wall_clock(void);
uint64_t sys_now_ns(void);
/* @seconds from now on CLOCK_MONOTONIC. */
struct timespec sys_deadline(double seconds);
/* A condition whose pthread_cond_timedwait(3) takes such a time. */
void sys_condition_init(pthread_cond_t *condition);

/* CPU seconds used so far by this process, and by the calling thread. */
double sys_process_cpu(void);
double sys_thread_cpu(void);
/* The same of another thread of this process, which has not been joined. */
double sys_cpu_of(pthread_t thread);

/*
 * A descriptor for sys_thread_waits() of the calling thread, or -errno.  Close
 * it with sys_close().
 */
int sys_open_thread_state(void);
/*
 * True if the thread of @fd is blocked, or if its state cannot be read.  A
 * runnable thread that gets no CPU is not blocked.
 */
bool sys_thread_waits(int fd);

/*
 * The times of a thread at now_ns (CLOCK_MONOTONIC), in ns: running on a CPU,
 * and waiting on a run queue; and how many times it ran.
 */
struct sys_thread_times {
	uint64_t now_ns, ran_ns, waited_ns, runs;
};

/*
 * A fd for sys_thread_times() of the calling thread, or -errno.  Any thread may
 * read it.  Close it with sys_close().
 */
int sys_open_thread_times(void);
/* 0, or -errno with @times untouched. */
int sys_thread_times(int fd, struct sys_thread_times *times);

/* Resident set size of this process in bytes, 0 where /proc is missing. */
uint64_t sys_rss(void);

/* The calling thread's id, and the size of a page in bytes. */
pid_t sys_gettid(void);
size_t sys_page_size(void);

/*
 * Block all signals in this thread and those that it starts, except those of
 * faults: a blocked SIGSEGV kills the process before the handler can restore
 * the terminal.  *@before is the previous mask.
 */
void sys_block_signals(sigset_t *before);

/*
 * Raise the soft limit of RLIMIT_NOFILE towards @want, as far as its hard limit
 * (or CAP_SYS_RESOURCE) allows.  Returns the soft limit now in effect; 0 if it
 * cannot be read.
 */
uint64_t sys_raise_nofile(uint64_t want);

/*
 * Move the calling thread to @cpu; sys_leave_cpu() restores *@home, the CPUs
 * that it may run on.  0 or -errno.
 */
int sys_visit_cpu(int cpu, cpu_set_t *home);
void sys_leave_cpu(const cpu_set_t *home);

/*
 * Wait until no CPU is in a section of kernel code that it entered before this
 * call: MEMBARRIER_CMD_GLOBAL of membarrier(2) waits for an RCU grace period
 * (kernel/sched/membarrier.c), some 10 ms.  If the kernel refuses it, sleep for
 * 50 ms, which is long enough in practice.
 */
void sys_grace_period(void);

/*
 * For tests: make the @nth call of @call from now (1 = the next) fail once with
 * @error (a positive errno); @nth 0 undoes that.
 */
void sys_fail_at(enum sys_call call, unsigned int nth, int error);
/*
 * For tests: make sys_open_plain() of paths that contain @part take @ms
 * milliseconds from now on, here and in processes forked later, as if their
 * file system did not answer; NULL undoes that.
 */
void sys_stall_at(const char *part, unsigned int ms);

#endif
