/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/sys.h"
#include "fake_tree.h"

/* A file with @text in it; the caller unlinks and frees the path. */
static char *make_file(const char *text, size_t len)
{
	char *path = strdup("/tmp/rbtop-test-sys-XXXXXX");
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), len);
	close(fd);
	return path;
}

static void remove_file(char *path)
{
	unlink(path);
	free(path);
}

TEST(test_read_file)
{
	char *path = make_file("hello\n", 6);
	char buf[16];

	assert_int_equal(sys_read_file(path, buf, sizeof(buf)), 6);
	assert_string_equal(buf, "hello\n");
	assert_int_equal(sys_read_file(path, buf, 4), 3);
	assert_string_equal(buf, "hel");
	assert_int_equal(sys_read_file("/proc/none", buf, sizeof(buf)),
			 -ENOENT);
	assert_int_equal(sys_read_file("/proc", buf, sizeof(buf)), -EISDIR);
	remove_file(path);
}

TEST(test_read_file_alloc)
{
	static char text[9000];
	char *path, *out;

	memset(text, 'x', sizeof(text));
	path = make_file(text, sizeof(text));
	assert_int_equal(sys_read_file_alloc(path, 9000, &out), 9000);
	assert_memory_equal(out, text, sizeof(text));
	assert_int_equal(out[9000], '\0');
	free(out);
	assert_int_equal(sys_read_file_alloc(path, 8999, &out), -EFBIG);
	assert_null(out);
	assert_int_equal(sys_read_file_alloc("/proc/none", 10, &out), -ENOENT);
	assert_null(out);
	remove_file(path);
	/* a file without a size in stat(2) */
	assert_true(sys_read_file_alloc("/proc/self/status", 1 << 20,
					&out) > 100);
	free(out);
}

/* The buffer must grow at the size of the first read, less one. */
TEST(test_read_file_alloc_edges)
{
	static char text[4097];

	memset(text, 'y', sizeof(text));
	for (size_t len = 4094; len <= 4097; len++) {
		char *path = make_file(text, len);
		char *out;

		assert_int_equal(sys_read_file_alloc(path, len, &out), len);
		assert_int_equal(strlen(out), len);
		free(out);
		remove_file(path);
	}
}

static int try_plain(const char *path, int flags)
{
	struct stat st;
	int fd = sys_open_plain(AT_FDCWD, path, flags, &st);

	sys_close(fd);
	return fd < 0 ? fd : 0;
}

/* Devices, FIFOs and the kernel's own files are not opened. */
TEST(test_open_plain)
{
	char *path = make_file("hello", 5), *link = strdup(path), buf[8];
	struct stat st;
	int fd;

	fd = sys_open_plain(AT_FDCWD, path, O_NOFOLLOW, &st);
	assert_true(fd >= 0);
	assert_int_equal(st.st_size, 5);
	assert_int_equal(read(fd, buf, sizeof(buf)), 5);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
	memcpy(link + strlen(link) - 3, "lnk", 3);
	unlink(link);
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(try_plain(link, 0), 0);
	assert_int_equal(try_plain(link, O_NOFOLLOW), -ELOOP);
	unlink(link);
	assert_int_equal(symlink("/dev/urandom", link), 0);
	assert_int_equal(try_plain(link, 0), -EINVAL);
	unlink(link);
	assert_int_equal(mkfifo(link, 0600), 0);
	assert_int_equal(try_plain(link, 0), -EINVAL);
	unlink(link);
	assert_int_equal(try_plain("/dev/null", 0), -EINVAL);
	assert_int_equal(try_plain("/tmp", 0), -EINVAL);
	assert_int_equal(try_plain("/proc/version", 0), -EINVAL);
	assert_int_equal(try_plain("/proc/none", 0), -ENOENT);
	sys_fail_at(SYS_OPEN_FILE, 1, EIO);
	assert_int_equal(try_plain(path, 0), -EIO);
	free(link);
	remove_file(path);
}

static struct fake_tree tree;
static char root[300];

/*
 * Open @path below the root, by openat2(2) if @without is 0, else without it,
 * which fails with that error.  Returns the first byte of the file, or -errno.
 */
static int first_in_root(const char *path, int flags, int without)
{
	int next = open("/", O_PATH | O_CLOEXEC), fd;
	char byte = 0;
	struct stat st;

	sys_fail_at(SYS_OPENAT2, without ? 1 : 0, without);
	fd = sys_open_in_root(root, path, flags, &st);
	if (fd >= 0) {
		assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
		assert_true(S_ISREG(st.st_mode));
		assert_int_equal(read(fd, &byte, 1), 1);
		close(fd);
	}
	/* nothing else stays open */
	close(next);
	assert_int_equal(open("/", O_PATH | O_CLOEXEC), next);
	close(next);
	return fd < 0 ? fd : byte;
}

/*
 * A root directory, "root", with links in and out of it; outside of it, "file"
 * starts with "o", inside with "i".
 */
static void make_root(void)
{
	char name[32], target[32];

	fake_tree_init(&tree);
	snprintf(root, sizeof(root), "%s/root", tree.root);
	fake_tree_write(&tree, "file", "outside");
	fake_tree_write(&tree, "root/file", "inside");
	fake_tree_write(&tree, "root/usr/lib/file", "inside");
	fake_tree_link(&tree, "root/usr/abs", "/usr/lib");
	fake_tree_link(&tree, "root/usr/rel", ".././usr//lib/");
	fake_tree_link(&tree, "root/up", "../../../../file");
	fake_tree_link(&tree, "root/usr/up", "../../file");
	fake_tree_link(&tree, "root/loop", "usr/../loop");
	fake_tree_link(&tree, "root/to", "/usr/up");
	fake_tree_link(&tree, "root/gone", "/usr/gone");
	snprintf(target, sizeof(target), "/file");
	for (int i = 40; i >= 0; i--) {
		snprintf(name, sizeof(name), "root/chain%d", i);
		fake_tree_link(&tree, name, target);
		snprintf(target, sizeof(target), "chain%d", i);
	}
}

/* No link below the root of a process leads out of it. */
TEST(test_open_in_root)
{
	static const struct {
		const char *path;
		int flags, want;
	} tries[] = {
		{ "/file", 0, 'i' },
		{ "file", O_NOFOLLOW, 'i' },
		{ "/../../file", 0, 'i' },
		{ "//usr/./lib/../../usr/lib/file", O_NOFOLLOW, 'i' },
		{ "/usr/abs/file", 0, 'i' },
		{ "/usr/rel/file", 0, 'i' },
		{ "/up", 0, 'i' },
		{ "/usr/up", 0, 'i' },
		{ "/to", 0, 'i' },
		{ "/chain1", 0, 'i' },
		{ "/chain0", 0, -ELOOP },
		{ "/loop", 0, -ELOOP },
		{ "/up", O_NOFOLLOW, -ELOOP },
		{ "/usr/abs/file", O_NOFOLLOW, -ELOOP },
		{ "/gone", 0, -ENOENT },
		{ "/none/file", 0, -ENOENT },
		{ "/file/", 0, -ENOTDIR },
		{ "/file/..", 0, -ENOTDIR },
		{ "/usr/rel", 0, -EINVAL },
		{ "/usr/..", 0, -EINVAL },
		{ "/fifo", 0, -EINVAL },
		{ "/out", 0, -ENOENT },
	};
	static const int ways[] = { 0, ENOSYS, EPERM, EAGAIN };
	char path[512];

	make_root();
	snprintf(path, sizeof(path), "%s/file", tree.root);
	fake_tree_link(&tree, "root/out", path);
	snprintf(path, sizeof(path), "%s/fifo", root);
	assert_int_equal(mkfifo(path, 0600), 0);
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++)
		for (size_t way = 0; way < sizeof(ways) / sizeof(int); way++)
			if (first_in_root(tries[i].path, tries[i].flags,
					  ways[way]) != tries[i].want)
				fail_msg("%s with %s", tries[i].path,
					 strerror(ways[way]));
	/* rbtop's own root */
	snprintf(path, sizeof(path), "%s/out", root);
	root[0] = '\0';
	assert_int_equal(first_in_root(path, 0, 0), 'o');
	assert_int_equal(first_in_root(path, O_NOFOLLOW, 0), -ELOOP);
	/* links of procfs, which have no path */
	strcpy(root, "/");
	for (size_t way = 0; way < 2; way++) {
		snprintf(path, sizeof(path), "/proc/%d/exe", getpid());
		assert_int_equal(first_in_root(path, 0, ways[way]), -ELOOP);
		snprintf(path, sizeof(path), "/proc/%d/root%s/file", getpid(),
			 tree.root);
		assert_int_equal(first_in_root(path, 0, ways[way]), -ELOOP);
	}
	strcpy(root, "/none");
	assert_int_equal(first_in_root("/file", 0, 0), -ENOENT);
	sys_fail_at(SYS_OPEN_FILE, 1, EIO);
	assert_int_equal(first_in_root("/file", 0, 0), -EIO);
	fake_tree_free(&tree);
}

static _Atomic bool moving;

/* Move a directory out of the root and back. */
static void *move_about(void *arg)
{
	char in[600], out[600];

	(void)arg;
	snprintf(in, sizeof(in), "%s/a/b", root);
	snprintf(out, sizeof(out), "%s/a/b", tree.root);
	while (atomic_load(&moving)) {
		rename(in, out);
		rename(out, in);
	}
	return NULL;
}

/* ".." of a directory that is moved meanwhile stays in the root. */
TEST(test_moved_in_root)
{
	double until = sys_now() + 0.3;
	pthread_t thread;
	int opened = 0;

	make_root();
	fake_tree_write(&tree, "root/a/b/c/x", "");
	fake_tree_write(&tree, "a/x", "");
	atomic_store(&moving, true);
	assert_int_equal(pthread_create(&thread, NULL, move_about, NULL), 0);
	while (sys_now() < until) {
		int got = first_in_root("/a/b/c/../../../file", 0,
					opened % 2 ? ENOSYS : 0);

		if (got == 'o')
			break;
		opened += got == 'i';
	}
	atomic_store(&moving, false);
	pthread_join(thread, NULL);
	fake_tree_free(&tree);
	assert_true(sys_now() >= until);
	assert_true(opened > 0);
}

static int read_number(const char *text, long long *value)
{
	char *path = make_file(text, strlen(text));
	int ret = sys_read_number(path, value);

	remove_file(path);
	return ret;
}

TEST(test_read_number)
{
	long long n;

	assert_int_equal(read_number("42\n", &n), 0);
	assert_int_equal(n, 42);
	assert_int_equal(read_number("-1\n", &n), 0);
	assert_int_equal(n, -1);
	assert_int_equal(read_number("0x1f", &n), 0);
	assert_int_equal(n, 0x1f);
	/* not octal */
	assert_int_equal(read_number("010", &n), 0);
	assert_int_equal(n, 10);
	assert_int_equal(read_number("", &n), -EINVAL);
	assert_int_equal(read_number("abc", &n), -EINVAL);
	assert_int_equal(read_number("12 x", &n), -EINVAL);
	assert_int_equal(read_number("99999999999999999999", &n), -ERANGE);
	assert_int_equal(sys_read_number("/proc/none", &n), -ENOENT);
}

TEST(test_clocks)
{
	double now = sys_now(), cpu = sys_process_cpu();
	uint64_t ns = sys_now_ns();

	assert_true((double)ns / 1e9 >= now);
	assert_true(sys_now() >= (double)ns / 1e9);
	assert_true(sys_wall_clock() > 1.6e9);
	assert_true(cpu > 0);
	assert_true(sys_thread_cpu() <= sys_process_cpu());
	assert_true(sys_process_cpu() >= cpu);
}

struct waiter {
	int fd;
	_Atomic bool open;
	pthread_mutex_t gate;
};

static void *wait_at_gate(void *arg)
{
	struct waiter *w = arg;

	w->fd = sys_open_thread_state();
	atomic_store(&w->open, true);
	pthread_mutex_lock(&w->gate);
	pthread_mutex_unlock(&w->gate);
	return NULL;
}

TEST(test_thread_waits)
{
	struct waiter w = { .gate = PTHREAD_MUTEX_INITIALIZER };
	int fd = sys_open_thread_state();
	pthread_t thread;

	assert_true(fd >= 0);
	/* The calling thread runs. */
	assert_false(sys_thread_waits(fd));
	pthread_mutex_lock(&w.gate);
	assert_int_equal(pthread_create(&thread, NULL, wait_at_gate, &w), 0);
	while (!atomic_load(&w.open))
		usleep(1000);
	assert_true(w.fd >= 0);
	/* It runs up to the gate, and waits there. */
	for (int i = 0; i < 100000 && !sys_thread_waits(w.fd); i++)
		usleep(1000);
	assert_true(sys_thread_waits(w.fd));
	pthread_mutex_unlock(&w.gate);
	pthread_join(thread, NULL);
	/* Nothing can be read of a thread that has left the kernel. */
	for (int i = 0; i < 100000 && !sys_thread_waits(w.fd); i++)
		usleep(1000);
	assert_true(sys_thread_waits(w.fd));
	sys_close(w.fd);
	sys_close(fd);
	sys_fail_at(SYS_OPEN_FILE, 1, EMFILE);
	assert_int_equal(sys_open_thread_state(), -EMFILE);
}

TEST(test_thread_times)
{
	struct sys_thread_times first, second;
	double cpu = sys_thread_cpu();
	int fd = sys_open_thread_times();

	assert_true(fd >= 0);
	assert_int_equal(sys_thread_times(fd, &first), 0);
	while (sys_thread_cpu() < cpu + 0.02)
		;
	assert_int_equal(sys_thread_times(fd, &second), 0);
	assert_true(second.now_ns - first.now_ns >= 10000000);
	assert_true(second.ran_ns - first.ran_ns >= 10000000);
	assert_true(second.waited_ns >= first.waited_ns);
	sys_close(fd);
	assert_int_equal(sys_thread_times(-1, &second), -EBADF);
	sys_fail_at(SYS_OPEN_FILE, 1, EMFILE);
	assert_int_equal(sys_open_thread_times(), -EMFILE);
}

TEST(test_facts)
{
	assert_int_equal(sys_page_size(), sysconf(_SC_PAGESIZE));
	assert_int_equal(sys_gettid(), getpid());
	assert_true(sys_rss() > 100 * 1024);
	assert_true(sys_rss() < 1ULL << 40);
}

TEST(test_mmap)
{
	int fd = memfd_create("test", MFD_CLOEXEC);
	size_t size = sys_page_size();
	void *map = NULL;

	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	assert_int_equal(sys_mmap(fd, size, PROT_READ | PROT_WRITE, 0, &map),
			 0);
	*(char *)map = 'x';
	assert_int_equal(sys_mmap(fd, size, PROT_READ, 1, &map), -EINVAL);
	sys_munmap(map, size);
	sys_close(fd);
	assert_int_equal(sys_mmap(fd, size, PROT_READ, 0, &map), -EBADF);
	sys_close(-1);
}

TEST(test_read_count)
{
	uint64_t values[2] = { 0 };
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "12345678", 8), 8);
	assert_int_equal(sys_read_count(fds[0], values, sizeof(values)), 8);
	assert_memory_equal(values, "12345678", 8);
	close(fds[1]);
	assert_int_equal(sys_read_count(fds[0], values, sizeof(values)), 0);
	close(fds[0]);
	assert_int_equal(sys_read_count(fds[0], values, sizeof(values)),
			 -EBADF);
}

TEST(test_perf_refusals)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = ~0u };

	assert_true(sys_perf_event_open(&attr, 0, -1, -1, 0) < 0);
	assert_int_equal(sys_perf_ioctl(-1, PERF_EVENT_IOC_ENABLE, 0), -EBADF);
}

/* The chosen call fails, once; the calls around it do not. */
TEST(test_fail_at)
{
	char buf[4096];

	sys_fail_at(SYS_OPEN_FILE, 2, EMFILE);
	assert_true(sys_read_file("/proc/stat", buf, sizeof(buf)) > 0);
	assert_int_equal(sys_read_file("/proc/stat", buf, sizeof(buf)),
			 -EMFILE);
	assert_true(sys_read_file("/proc/stat", buf, sizeof(buf)) > 0);
	sys_fail_at(SYS_OPEN_FILE, 1, EMFILE);
	sys_fail_at(SYS_OPEN_FILE, 0, 0);
	assert_true(sys_read_file("/proc/stat", buf, sizeof(buf)) > 0);
}

TEST(test_fail_each)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	uint64_t count;
	void *map;

	sys_fail_at(SYS_OPEN_EVENT, 1, EACCES);
	assert_int_equal(sys_perf_event_open(&attr, 0, -1, -1, 0), -EACCES);
	sys_fail_at(SYS_IOCTL, 1, EBUSY);
	assert_int_equal(sys_perf_ioctl(-1, PERF_EVENT_IOC_ENABLE, 0), -EBUSY);
	sys_fail_at(SYS_MMAP, 1, EPERM);
	assert_int_equal(sys_mmap(-1, 4096, PROT_READ, 0, &map), -EPERM);
	sys_fail_at(SYS_READ_COUNT, 1, ENODEV);
	assert_int_equal(sys_read_count(-1, &count, sizeof(count)), -ENODEV);
}

static int is_wanted(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
	       strcmp(entry->d_name, "B");
}

TEST(test_scandir)
{
	static const char *const files[] = { "b", "a", "C", "B" };
	char dir[] = "/tmp/rbtop-sys-XXXXXX", path[64];
	struct dirent **entries;

	assert_non_null(mkdtemp(dir));
	for (size_t i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
		close(open(path, O_CREAT | O_WRONLY, 0600));
	}
	assert_int_equal(sys_scandir(dir, is_wanted, &entries), 3);
	assert_string_equal(entries[0]->d_name, "C");
	assert_string_equal(entries[1]->d_name, "a");
	assert_string_equal(entries[2]->d_name, "b");
	sys_free_entries(entries, 3);
	for (size_t i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
		unlink(path);
	}
	rmdir(dir);
	assert_int_equal(sys_scandir(dir, NULL, &entries), -ENOENT);
	sys_fail_at(SYS_SCANDIR, 1, EACCES);
	assert_int_equal(sys_scandir("/", NULL, &entries), -EACCES);
}

TEST(test_file_systems)
{
	long magic = 0;

	assert_int_equal(sys_fs_type("/proc", &magic), 0);
	assert_int_equal(magic, PROC_SUPER_MAGIC);
	assert_int_equal(sys_fs_type("/nonexistent", &magic), -ENOENT);
	sys_fail_at(SYS_STATFS, 1, EIO);
	assert_int_equal(sys_fs_type("/proc", &magic), -EIO);
	assert_int_equal(sys_access("/proc/self/stat", R_OK), 0);
	assert_int_equal(sys_access("/nonexistent", F_OK), -ENOENT);
	sys_fail_at(SYS_ACCESS, 1, EACCES);
	assert_int_equal(sys_access("/proc/self/stat", R_OK), -EACCES);
	sys_fail_at(SYS_MOUNT, 1, EPERM);
	assert_int_equal(sys_mount("tracefs", "/nonexistent"), -EPERM);
	assert_true(sys_mount("tracefs", "/nonexistent") < 0);
}

TEST(test_timer)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	struct itimerspec now;

	sys_timer_set(fd, 1.5);
	timerfd_gettime(fd, &now);
	assert_int_equal(now.it_interval.tv_sec, 1);
	assert_int_equal(now.it_interval.tv_nsec, 500000000);
	assert_true(now.it_value.tv_sec == 1);
	/* shorter than a nanosecond, which would mean "stop" */
	sys_timer_set(fd, 1e-12);
	timerfd_gettime(fd, &now);
	assert_int_equal(now.it_interval.tv_nsec, 1);
	sys_timer_set(fd, 0);
	timerfd_gettime(fd, &now);
	assert_int_equal(now.it_interval.tv_nsec, 0);
	assert_int_equal(now.it_value.tv_nsec, 0);
	close(fd);
}

static atomic_int failures;

static void *call_often(void *arg)
{
	char buf[8];

	for (int i = 0; i < 500; i++)
		if (sys_read_file("/proc/self/comm", buf,
				  sizeof(buf)) == -ENOLINK)
			atomic_fetch_add(&failures, 1);
	return arg;
}

TEST(test_fail_once_among_threads)
{
	pthread_t threads[4];

	sys_fail_at(SYS_OPEN_FILE, 700, ENOLINK);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, call_often,
						NULL), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(atomic_load(&failures), 1);
}

/* A thread's own faults must still reach its handler. */
TEST(test_block_signals)
{
	sigset_t before, during;

	sys_block_signals(&before);
	pthread_sigmask(SIG_SETMASK, &before, &during);
	assert_false(sigismember(&before, SIGTERM));
	assert_true(sigismember(&during, SIGTERM));
	assert_true(sigismember(&during, SIGTTOU));
	assert_false(sigismember(&during, SIGSEGV));
	assert_false(sigismember(&during, SIGBUS));
}

TEST(test_nofile)
{
	struct rlimit old, low, now;

	getrlimit(RLIMIT_NOFILE, &old);
	low = (struct rlimit){ 64, old.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	assert_int_equal(sys_raise_nofile(32), 64);
	assert_int_equal(sys_raise_nofile(100), 100);
	getrlimit(RLIMIT_NOFILE, &now);
	assert_int_equal(now.rlim_cur, 100);
	assert_true(now.rlim_max >= old.rlim_max);
	/* more than fs.nr_open: up to the hard limit */
	assert_true(sys_raise_nofile(1ULL << 40) == now.rlim_max);
	setrlimit(RLIMIT_NOFILE, &old);
}

TEST_GROUP(sys);
