/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/membarrier.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#ifdef SYS_openat2		/* headers of Linux 5.6 */
#include <linux/openat2.h>
#endif

#include "base/array.h"
#include "base/text.h"

enum { FIRST_READ = 4096 };	/* bytes of a file of unknown size */

/*
 * Per call: calls until one fails (1: the next; 0 or less: none), and its
 * errno.
 */
static atomic_int fail_in[SYS_CALLS];
static atomic_int fail_errno[SYS_CALLS];

void sys_fail_at(enum sys_call call, unsigned int nth, int error)
{
	atomic_store(&fail_errno[call], error);
	atomic_store(&fail_in[call], (int)nth);
}

/* Set by sys_stall_at(): a part of a path, and how long opening it takes. */
static char stalled[64];
static unsigned int stall_ms;

void sys_stall_at(const char *part, unsigned int ms)
{
	snprintf(stalled, sizeof(stalled), "%s", part ? part : "");
	stall_ms = ms;
}

static void stall(const char *path)
{
	const struct timespec ts = {
		.tv_sec = stall_ms / 1000,
		.tv_nsec = stall_ms % 1000 * 1000000l,
	};

	if (stalled[0] && strstr(path, stalled))
		nanosleep(&ts, NULL);
}

/* 0, or the -errno that sys_fail_at() has set for this call. */
static int injected(enum sys_call call)
{
	if (atomic_load_explicit(&fail_in[call], memory_order_relaxed) <= 0)
		return 0;
	if (atomic_fetch_sub(&fail_in[call], 1) != 1)
		return 0;
	return -atomic_load(&fail_errno[call]);
}

int sys_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu,
			int group_fd, unsigned long flags)
{
	int ret = injected(SYS_OPEN_EVENT);
	long fd;

	if (ret)
		return ret;
	fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd,
		     flags | PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

int sys_perf_ioctl(int fd, unsigned long request, unsigned long arg)
{
	int ret = injected(SYS_IOCTL);

	if (ret)
		return ret;
	return ioctl(fd, request, arg) < 0 ? -errno : 0;
}

int sys_mmap(int fd, size_t size, int prot, off_t offset, void **map)
{
	int ret = injected(SYS_MMAP);
	void *p;

	if (ret)
		return ret;
	p = mmap(NULL, size, prot, MAP_SHARED, fd, offset);
	if (p == MAP_FAILED)
		return -errno;
	*map = p;
	return 0;
}

void sys_munmap(void *map, size_t size)
{
	munmap(map, size);
}

static ssize_t read_once(int fd, void *buf, size_t size)
{
	ssize_t n;

	do
		n = read(fd, buf, size);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

ssize_t sys_read_count(int fd, void *buf, size_t size)
{
	int ret = injected(SYS_READ_COUNT);

	return ret ? ret : read_once(fd, buf, size);
}

void sys_close(int fd)
{
	if (fd >= 0)
		close(fd);
}

/*
 * Pseudo file systems: reading may have side effects (trace_pipe is consumed).
 * True also if the type cannot be read.
 */
static bool is_made_up(int fd)
{
	static const unsigned int types[] = {
		PROC_SUPER_MAGIC, SYSFS_MAGIC, TRACEFS_MAGIC, DEBUGFS_MAGIC,
		SECURITYFS_MAGIC, CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
	};
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return true;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if ((unsigned long)fs.f_type == types[i])
			return true;
	}
	return false;
}

static void path_of_fd(char *path, size_t size, int fd)
{
	snprintf(path, size, "/proc/self/fd/%d", fd);
}

/*
 * Open the file that the O_PATH descriptor @found refers to.  A fd or -errno.
 */
static int reopen(int found, int flags)
{
	char self[32];
	int fd;

	path_of_fd(self, sizeof(self), found);
	fd = open(self, flags | O_CLOEXEC | O_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

/*
 * Open the file that the O_PATH descriptor @found refers to, which is closed.
 * O_PATH opens a device or FIFO without side effects.
 */
static int open_found(int found, struct stat *st)
{
	int ret = 0;

	if (fstat(found, st) < 0)
		ret = -errno;
	else if (S_ISLNK(st->st_mode))
		ret = -ELOOP;
	else if (!S_ISREG(st->st_mode) || is_made_up(found))
		ret = -EINVAL;
	if (!ret)
		ret = reopen(found, O_RDONLY);
	close(found);
	return ret;
}

int sys_open_plain(int dirfd, const char *path, int flags, struct stat *st)
{
	int ret = injected(SYS_OPEN_FILE), found;

	if (ret)
		return ret;
	stall(path);
	found = openat(dirfd, path, O_PATH | O_CLOEXEC | flags);
	return found < 0 ? -errno : open_found(found, st);
}

/* openat2(2).  A descriptor or -errno; -ENOSYS where it is not available. */
static int find_in_root(int root, const char *path, int flags)
{
	int ret = injected(SYS_OPENAT2);
#ifdef SYS_openat2
	const unsigned int links = flags & O_NOFOLLOW ? RESOLVE_NO_SYMLINKS : 0;
	const struct open_how how = {
		.flags = (unsigned int)(O_PATH | O_CLOEXEC | flags),
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS | links,
	};
	long found;

	if (ret)
		return ret;
	found = syscall(SYS_openat2, root, path, &how, sizeof(how));
	return found < 0 ? -errno : (int)found;
#else
	(void)root;
	(void)path;
	(void)flags;
	return ret ? ret : -ENOSYS;
#endif
}

enum {
	LINKS_MAX = 40,		/* as the kernel's own limit */
	DEPTH_MAX = 64,
	AGAIN_MAX = 8,		/* calls that concurrent renames may disturb */
};

/*
 * A path that is resolved here.  The directories on the way stay open, to go
 * back to for "..": opening that would lead out of the root if the directory
 * was moved out of it meanwhile.
 */
struct walk {
	int dirs[DEPTH_MAX];	/* the first: the root, not closed here */
	unsigned int depth, links;
	int found;		/* what the path leads to; -1: not yet */
	char rest[PATH_MAX];	/* still to resolve */
};

static void leave_dirs(struct walk *w, unsigned int depth)
{
	while (w->depth > depth)
		close(w->dirs[w->depth--]);
}

/* Put the target of the link @fd before the rest.  0 or -errno. */
static int take_link(struct walk *w, int fd, int flags)
{
	char target[PATH_MAX], rest[PATH_MAX];
	ssize_t len;

	/* those of processes in procfs lead anywhere */
	if (flags & O_NOFOLLOW || w->links++ == LINKS_MAX || is_made_up(fd))
		return -ELOOP;
	len = readlinkat(fd, "", target, sizeof(target) - 1);
	if (len <= 0)
		return len < 0 ? -errno : -ENOENT;
	target[len] = '\0';
	if (target[0] == '/')
		leave_dirs(w, 0);
	strcpy(rest, w->rest);
	if ((size_t)snprintf(w->rest, sizeof(w->rest), "%s%s", target, rest) >=
	    sizeof(w->rest))
		return -ENAMETOOLONG;
	return 0;
}

/* Go on with @fd, which has been found.  0 or -errno; if kept, it is in @w. */
static int enter(struct walk *w, int fd, int flags)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (S_ISLNK(st.st_mode))
		return take_link(w, fd, flags);
	if (!w->rest[0]) {
		w->found = fd;
		return 0;
	}
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	if (w->depth + 1 == DEPTH_MAX)
		return -ENAMETOOLONG;
	w->dirs[++w->depth] = fd;
	return 0;
}

/* Take the next name, which is in the innermost directory.  0 or -errno. */
static int walk_on(struct walk *w, int flags)
{
	const char *next = w->rest + strspn(w->rest, "/");
	size_t len = strcspn(next, "/");
	char name[NAME_MAX + 1];
	int fd, ret;

	if (len >= sizeof(name))
		return -ENAMETOOLONG;
	if (!len)
		return -EINVAL;		/* a directory */
	memcpy(name, next, len);
	name[len] = '\0';
	memmove(w->rest, next + len, strlen(next + len) + 1);
	if (!strcmp(name, "."))
		return 0;
	if (!strcmp(name, "..")) {
		leave_dirs(w, w->depth ? w->depth - 1 : 0);
		return 0;
	}
	fd = openat(w->dirs[w->depth], name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = enter(w, fd, flags);
	if (ret || (fd != w->found && fd != w->dirs[w->depth]))
		close(fd);
	return ret;
}

/* The same as find_in_root(), without openat2(2). */
static int walk_in_root(int root, const char *path, int flags)
{
	struct walk w = { .dirs = { root }, .found = -1 };
	int ret = 0;

	if (strlen(path) >= sizeof(w.rest))
		return -ENAMETOOLONG;
	strcpy(w.rest, path);
	while (!ret && w.found < 0)
		ret = walk_on(&w, flags);
	leave_dirs(&w, 0);
	return ret ? ret : w.found;
}

int sys_open_in_root(const char *root, const char *path, int flags,
		     struct stat *st)
{
	int ret, dir, found = -EAGAIN;

	if (!*root)
		return sys_open_plain(AT_FDCWD, path, flags, st);
	ret = injected(SYS_OPEN_FILE);
	if (ret)
		return ret;
	stall(path);
	/* open meanwhile, as the process may end or change its root */
	dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -errno;
	for (int i = 0; i < AGAIN_MAX && found == -EAGAIN; i++)
		found = find_in_root(dir, path, flags);
	/* seccomp filters older than the call answer -EPERM */
	if (found == -ENOSYS || found == -EPERM || found == -EAGAIN)
		found = walk_in_root(dir, path, flags);
	close(dir);
	return found < 0 ? found : open_found(found, st);
}

void sys_close_from(int first)
{
	long max = sysconf(_SC_OPEN_MAX);

	if (!syscall(SYS_close_range, first, ~0u, 0))
		return;
	for (int fd = first; fd < max; fd++)	/* before Linux 5.9 */
		close(fd);
}

int sys_open_unnamed(int dir)
{
	int fd, ret = injected(SYS_OPEN_UNNAMED);
	char self[32];

	if (ret)
		return ret;
	fd = openat(dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	path_of_fd(self, sizeof(self), fd);
	if (access(self, F_OK) == 0)
		return fd;
	close(fd);
	return -ENOENT;
}

int sys_link_unnamed(int fd, int dir, const char *name)
{
	int ret = injected(SYS_LINK);
	char self[32];

	if (ret)
		return ret;
	path_of_fd(self, sizeof(self), fd);
	return linkat(AT_FDCWD, self, dir, name, AT_SYMLINK_FOLLOW) < 0 ?
		       -errno : 0;
}

int sys_open_fifo(const char *path)
{
	int ret = injected(SYS_OPEN_FILE), found;
	struct stat st;

	if (ret)
		return ret;
	found = open(path, O_PATH | O_CLOEXEC);
	if (found < 0)
		return -errno;
	if (fstat(found, &st) < 0)
		ret = -errno;
	else
		ret = S_ISFIFO(st.st_mode) ? reopen(found, O_RDWR) : -EINVAL;
	close(found);
	return ret;
}

static int open_as(const char *path, int flags)
{
	int ret = injected(SYS_OPEN_FILE), fd;

	if (ret)
		return ret;
	fd = open(path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int sys_open_append(const char *path)
{
	return open_as(path, O_WRONLY | O_APPEND);
}

int sys_open_read(const char *path)
{
	return open_as(path, O_RDONLY | O_NOCTTY);
}

/* Read until the end of the file or @size bytes. */
static ssize_t read_full(int fd, char *buf, size_t size)
{
	size_t used = 0;
	ssize_t n;

	while (used < size) {
		n = read_once(fd, buf + used, size - used);
		if (n < 0)
			return n;
		if (n == 0)
			break;
		used += (size_t)n;
	}
	return (ssize_t)used;
}

ssize_t sys_read_file(const char *path, char *buf, size_t size)
{
	int fd = sys_open_read(path);
	ssize_t len;

	if (fd < 0)
		return fd;
	len = read_full(fd, buf, size - 1);
	if (len >= 0)
		buf[len] = '\0';
	sys_close(fd);
	return len;
}

/*
 * Files below /proc and /sys report no size, so the buffer grows as it fills.
 * On failure the caller frees *@out.
 */
static ssize_t read_growing(int fd, size_t max, char **out)
{
	size_t room = 0, used = 0;
	ssize_t n;

	do {
		if (array_fit(*out, room, room ? room + 1 : FIRST_READ))
			return -ENOMEM;
		n = read_full(fd, *out + used, room - 1 - used);
		if (n < 0)
			return n;
		used += (size_t)n;
		if (used > max)
			return -EFBIG;
	} while (used == room - 1);
	(*out)[used] = '\0';
	return (ssize_t)used;
}

ssize_t sys_read_fd_alloc(int fd, size_t max, char **out)
{
	ssize_t len;

	*out = NULL;
	len = read_growing(fd, max, out);
	if (len < 0) {
		free(*out);
		*out = NULL;
	}
	return len;
}

ssize_t sys_read_file_alloc(const char *path, size_t max, char **out)
{
	int fd = sys_open_read(path);
	ssize_t len;

	*out = NULL;
	if (fd < 0)
		return fd;
	len = sys_read_fd_alloc(fd, max, out);
	sys_close(fd);
	return len;
}

int sys_read_number(const char *path, long long *value)
{
	char text[64];
	ssize_t len = sys_read_file(path, text, sizeof(text));
	bool hex;
	char *end;

	if (len < 0)
		return (int)len;
	hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	errno = 0;
	*value = strtoll(text, &end, hex ? 16 : 10);
	if (errno)
		return -errno;
	return end == text || end[strspn(end, " \t\n")] ? -EINVAL : 0;
}

/* Not alphasort(3), which follows the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

int sys_scandir(const char *path, int (*filter)(const struct dirent *entry),
		struct dirent ***entries)
{
	int ret = injected(SYS_SCANDIR);

	if (ret)
		return ret;
	ret = scandir(path, entries, filter, by_name);
	return ret < 0 ? -errno : ret;
}

void sys_free_entries(struct dirent **entries, int nr)
{
	for (int i = 0; i < nr; i++)
		free(entries[i]);
	free(entries);
}

int sys_access(const char *path, int mode)
{
	int ret = injected(SYS_ACCESS);

	if (ret)
		return ret;
	return faccessat(AT_FDCWD, path, mode, AT_EACCESS) < 0 ? -errno : 0;
}

struct timespec sys_deadline(double seconds)
{
	uint64_t ns = sys_now_ns() + (uint64_t)(seconds * 1e9);

	return (struct timespec){ .tv_sec = (time_t)(ns / 1000000000),
				  .tv_nsec = (long)(ns % 1000000000) };
}

void sys_condition_init(pthread_cond_t *condition)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &attr);
	pthread_condattr_destroy(&attr);
}

/* Whether @path is a link to @initial; true where it cannot be read. */
static bool is_initial_ns(const char *path, const char *initial)
{
	char target[64];
	ssize_t n = readlink(path, target, sizeof(target) - 1);

	if (n < 0)
		return true;
	target[n] = '\0';
	return !strcmp(target, initial);
}

/* PROC_USER_INIT_INO and PROC_PID_INIT_INO of the kernel */
bool sys_initial_user_ns(const char *path)
{
	return is_initial_ns(path, "user:[4026531837]");
}

bool sys_initial_pid_ns(const char *path)
{
	return is_initial_ns(path, "pid:[4026531836]");
}

ssize_t sys_read_kernel_log(char **out)
{
	enum { READ_ALL = 3, SIZE_BUFFER = 10, MAX_SIZE = 16 << 20 };
	int size = klogctl(SIZE_BUFFER, NULL, 0), n;

	*out = NULL;
	if (size < 0)
		return -errno;
	if (size > MAX_SIZE)
		return -EFBIG;
	*out = malloc((size_t)size + 1);
	if (!*out)
		return -ENOMEM;
	n = klogctl(READ_ALL, *out, size);
	if (n < 0) {
		n = -errno;
		free(*out);
		*out = NULL;
		return n;
	}
	(*out)[n] = '\0';
	return n;
}

int sys_fs_type(const char *path, long *magic)
{
	int ret = injected(SYS_STATFS);
	struct statfs fs;

	if (ret)
		return ret;
	if (statfs(path, &fs) < 0)
		return -errno;
	*magic = (long)fs.f_type;
	return 0;
}

int sys_mount(const char *type, const char *path)
{
	int ret = injected(SYS_MOUNT);

	if (ret)
		return ret;
	return mount("nodev", path, type, 0, NULL) < 0 ? -errno : 0;
}

void sys_timer_set(int fd, double seconds)
{
	struct itimerspec spec = { 0 };
	struct timespec *period = &spec.it_interval;

	if (seconds > 0) {
		period->tv_sec = (time_t)seconds;
		period->tv_nsec = (long)((seconds - (double)period->tv_sec) *
					 1e9);
		/* 0 would disarm it */
		if (period->tv_sec == 0 && period->tv_nsec == 0)
			period->tv_nsec = 1;
	}
	spec.it_value = spec.it_interval;
	timerfd_settime(fd, 0, &spec, NULL);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

double sys_now(void)
{
	return (double)clock_ns(CLOCK_MONOTONIC) / 1e9;
}

double sys_wall_clock(void)
{
	return (double)clock_ns(CLOCK_REALTIME) / 1e9;
}

uint64_t sys_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

double sys_process_cpu(void)
{
	return (double)clock_ns(CLOCK_PROCESS_CPUTIME_ID) / 1e9;
}

double sys_thread_cpu(void)
{
	return (double)clock_ns(CLOCK_THREAD_CPUTIME_ID) / 1e9;
}

/* Documentation/scheduler/sched-stats.rst */
int sys_open_thread_times(void)
{
	return sys_open_read("/proc/thread-self/schedstat");
}

int sys_thread_times(int fd, struct sys_thread_times *times)
{
	unsigned long long ran, waited, runs;
	char text[80];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	if (n < 0)
		return -errno;
	text[n] = '\0';
	if (sscanf(text, "%llu %llu %llu", &ran, &waited, &runs) != 3)
		return -EINVAL;
	*times = (struct sys_thread_times){ sys_now_ns(), ran, waited, runs };
	return 0;
}

double sys_cpu_of(pthread_t thread)
{
	clockid_t clock;

	if (pthread_getcpuclockid(thread, &clock))
		return 0;
	return (double)clock_ns(clock) / 1e9;
}

int sys_open_thread_state(void)
{
	return sys_open_read("/proc/thread-self/stat");
}

/* proc(5): "pid (comm) state ..."; comm may contain any byte, also ')'. */
bool sys_thread_waits(int fd)
{
	char text[80];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	const char *state;

	if (n < 0)
		return true;
	text[n] = '\0';
	state = strrchr(text, ')');
	return !state || !text_begins(state, ") R");
}

uint64_t sys_rss(void)
{
	unsigned long long size, resident;
	char text[128];

	if (sys_read_file("/proc/self/statm", text, sizeof(text)) < 0)
		return 0;
	if (sscanf(text, "%llu %llu", &size, &resident) != 2)
		return 0;
	return resident * sys_page_size();
}

pid_t sys_gettid(void)
{
	return gettid();
}

size_t sys_page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

void sys_block_signals(sigset_t *before)
{
	static const int faults[] = {
		SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS,
	};
	sigset_t set;

	sigfillset(&set);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(&set, faults[i]);
	pthread_sigmask(SIG_SETMASK, &set, before);
}

uint64_t sys_raise_nofile(uint64_t want)
{
	struct rlimit old, new;

	if (prlimit(0, RLIMIT_NOFILE, NULL, &old) < 0)
		return 0;
	if (old.rlim_cur >= want)
		return old.rlim_cur;
	new.rlim_cur = want;
	new.rlim_max = old.rlim_max > want ? old.rlim_max : want;
	if (prlimit(0, RLIMIT_NOFILE, &new, NULL) == 0)
		return want;
	/* the hard limit stands, without CAP_SYS_RESOURCE or over fs.nr_open */
	new.rlim_cur = old.rlim_max;
	new.rlim_max = old.rlim_max;
	if (prlimit(0, RLIMIT_NOFILE, &new, NULL) == 0)
		return new.rlim_cur;
	return old.rlim_cur;
}

void sys_grace_period(void)
{
	struct timespec pause = { .tv_nsec = 50 * 1000 * 1000 };

	if (syscall(__NR_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) < 0)
		nanosleep(&pause, NULL);
}

int sys_visit_cpu(int cpu, cpu_set_t *home)
{
	cpu_set_t there;

	if (cpu < 0 || cpu >= CPU_SETSIZE)
		return -EINVAL;
	if (sched_getaffinity(0, sizeof(*home), home) < 0)
		return -errno;
	CPU_ZERO(&there);
	CPU_SET((size_t)cpu, &there);
	return sched_setaffinity(0, sizeof(there), &there) < 0 ? -errno : 0;
}

void sys_leave_cpu(const cpu_set_t *home)
{
	sched_setaffinity(0, sizeof(*home), home);
}
