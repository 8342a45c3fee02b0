/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a process that parses untrusted files can do, and what it cannot. */
#include "tests/group.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sys.h"
#include "symbols/load_worker.h"

#define NOWHERE "/nonexistent/rbtop"

enum { MOST = 100, BIG = 64 << 20, NO_FD = 99, NO_FILTER = 77 };

/* What the child tells of its calls, in memory shared with it. */
static struct results {
	struct {
		char call[100];
		int error;
	} of[MOST];
	size_t nr;
	bool ended;
} *results;

/* The child's reply and its request; a file that it reads, one it does not. */
static int memory, sock, file, other;
static int peer;		/* of the socket */
static char program[PATH_MAX];	/* the file's path */

static void note(const char *call, bool failed)
{
	int error = failed ? errno : 0;

	if (results->nr == MOST)
		_exit(2);
	results->of[results->nr].error = error;
	snprintf(results->of[results->nr++].call, sizeof(results->of[0].call),
		 "%s", call);
}

#define TRY(call) note(#call, (call) < 0)

/* Map memory with @before and change that to @after. */
static int map(int before, int after)
{
	void *p = mmap(NULL, 1, before, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? -1 : mprotect(p, 1, after);
}

static pid_t ended_fork(pid_t pid)
{
	if (pid == 0)
		_exit(0);
	return pid;
}

static void try_processes(void)
{
	char *const args[] = { (char *)"true", NULL };
	char byte, there = 0;
	struct iovec to = { &byte, 1 }, from = { &there, 1 };

	TRY(ended_fork(fork()));
#ifdef SYS_clone3	/* Linux 5.3 */
	TRY(ended_fork((pid_t)syscall(SYS_clone3, NULL, 0)));
#endif
	TRY(unshare(CLONE_FS));
	TRY(setns(other, 0));
	TRY(ptrace(PTRACE_SEIZE, getppid(), NULL, NULL));
	TRY(process_vm_readv(getppid(), &to, 1, &from, 1, 0));
	TRY(process_vm_writev(getppid(), &to, 1, &from, 1, 0));
	TRY(kill(getppid(), 0));
	TRY(syscall(SYS_tgkill, getppid(), getppid(), 0));
	TRY(syscall(SYS_pidfd_open, getppid(), 0));
	TRY(prctl(PR_SET_NAME, "other"));
	TRY(syscall(SYS_prlimit64, getppid(), 0, NULL, NULL));
	TRY(setuid(0));
	TRY(setgid(0));
	TRY(syscall(SYS_capset, NULL, NULL));
	TRY(syscall(SYS_bpf, 0, NULL, 0));
	TRY(syscall(SYS_perf_event_open, NULL, 0, 0, 0, 0));
#ifdef SYS_io_uring_setup
	TRY(syscall(SYS_io_uring_setup, 0, NULL));
#endif
	TRY(syscall(SYS_keyctl, 0, 0, 0, 0, 0));
	TRY(syscall(SYS_init_module, NULL, 0, ""));
	TRY(syscall(SYS_reboot, 0, 0, 0, NULL));
	TRY(map(PROT_READ | PROT_EXEC, PROT_READ));
	TRY(map(PROT_READ, PROT_READ | PROT_EXEC));
	TRY(execveat(other, "", args, args, AT_EMPTY_PATH));
	TRY(execve("/bin/true", args, args));
}

static void try_files(void)
{
	/* struct open_how, with O_PATH */
	__attribute__((unused)) const uint64_t how[3] = { 010000000 };
	int pair[2];

	TRY(open("/dev/null", O_RDWR));
	TRY(open("/dev/null", O_WRONLY));
	TRY(open("/dev/null", O_RDONLY | O_TRUNC));
	TRY(open(NOWHERE, O_CREAT, 0600));
	TRY(open("/tmp", O_TMPFILE | O_RDWR, 0600));
#ifdef SYS_open		/* open(3) is openat(2) */
	TRY(syscall(SYS_open, "/dev/null", O_RDWR));
	TRY(syscall(SYS_open, "/dev/null", O_TRUNC));
#endif
#ifdef SYS_openat2	/* Linux 5.6 */
	TRY(syscall(SYS_openat2, AT_FDCWD, "/", how, sizeof(how)));
#endif
	TRY(creat(NOWHERE, 0600));
	TRY(pwrite(other, "", 0, 0));
	TRY(truncate(NOWHERE, 0));
	TRY(unlink(NOWHERE));
	TRY(unlinkat(AT_FDCWD, NOWHERE, 0));
	TRY(rename(NOWHERE, NOWHERE));
	TRY(link(NOWHERE, NOWHERE));
	TRY(symlink(NOWHERE, NOWHERE));
	TRY(mknod(NOWHERE, S_IFIFO, 0));
	TRY(mkdir(NOWHERE, 0700));
	TRY(rmdir(NOWHERE));
	TRY(chmod(NOWHERE, 0700));
	TRY(fchmod(other, 0600));
	TRY(chown(NOWHERE, 0, 0));
	TRY(mount("none", NOWHERE, "tmpfs", 0, NULL));
	TRY(umount2(NOWHERE, 0));
	TRY(chroot(NOWHERE));
	TRY(fcntl(other, F_SETFL, O_ASYNC));
	TRY(syscall(SYS_ioctl, other, 0, NULL));
	TRY(socket(AF_UNIX, SOCK_STREAM, 0));
	TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	TRY(connect(other, NULL, 0));
	TRY(sendmsg(sock, &(struct msghdr){ 0 }, MSG_NOSIGNAL));
}

static int fill_memory(void)
{
	volatile char *p = malloc(BIG);

	if (!p)
		return -1;
	for (size_t i = 0; i < BIG; i += 4096)
		p[i] = 1;
	free((void *)p);
	return 0;
}

/* As elf_symbols_save() does. */
static int write_stream(void)
{
	FILE *stream = fdopen(dup(memory), "w");

	return stream && fputs("reply", stream) >= 0 ? fclose(stream) : -1;
}

static void try_needed(void)
{
	const struct timespec ns = { 0, 1 };
	struct statfs fs;
	struct stat st;
	char bytes[64];

	TRY(open("/dev/null", O_RDONLY | O_CLOEXEC | O_NONBLOCK));
	TRY(sys_open_in_root("/proc/self/root", program, O_NOFOLLOW, &st));
	TRY(sys_read_file("/proc/self/status", bytes, sizeof(bytes)));
	TRY(sys_access("/proc/self/root", X_OK));
	TRY(fstat(file, &st));
	TRY(stat("/", &st));
	TRY(lstat("/", &st));
	TRY(fstatfs(file, &fs));
	TRY(pread(file, bytes, sizeof(bytes), 0));
	TRY(read(file, bytes, sizeof(bytes)));
	TRY(lseek(file, 0, SEEK_SET));
	TRY(readlink("/proc/self/exe", bytes, sizeof(bytes)));
	TRY(map(PROT_NONE, PROT_READ | PROT_WRITE));
	TRY(fill_memory());
	TRY(sys_process_cpu() > 0 ? 0 : -1);
	TRY(nanosleep(&ns, NULL));
	TRY(ftruncate(memory, 0));
	TRY(write_stream());
	TRY(send(sock, "", 1, MSG_NOSIGNAL));
	TRY(recv(sock, bytes, 1, MSG_DONTWAIT));
	TRY(close(file));
}

static _Noreturn void child(void (*tries)(void))
{
	int ret;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		_exit(1);
	ret = load_filter_install();
	if (ret)
		_exit(ret == -EINVAL || ret == -ENOSYS ? NO_FILTER : 1);
	tries();
	results->ended = true;
	_exit(0);
}

/* Run @tries in a child, and compare the errors. */
static void expect(void (*tries)(void), int error)
{
	unsigned int wrong = 0;
	int status;
	pid_t pid;

	*results = (struct results){ 0 };
	pid = fork();
	if (pid == 0)
		child(tries);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_FILTER)
		skip();
	for (size_t i = 0; i < results->nr; i++) {
		if (results->of[i].error == error)
			continue;
		print_error("%s: %s\n", results->of[i].call,
			    strerror(results->of[i].error));
		wrong++;
	}
	assert_int_equal(wrong, 0);
	assert_true(results->ended);
	assert_int_equal(status, 0);
}

TEST(test_refused)
{
	expect(try_processes, EPERM);
	expect(try_files, EPERM);
}

TEST(test_needed)
{
	expect(try_needed, 0);
}

#ifdef __x86_64__
static void try_x32(void)
{
	TRY(syscall(0x40000000 | SYS_getuid));
}

/* As programs of 32 bits, where the number of close(2) is that of read(2). */
static void try_32_bits(void)
{
	long ret = SYS_close;

	__asm__ volatile("int $0x80" : "+a"(ret) : "b"(NO_FD) : "memory");
	errno = (int)-ret;
	TRY(ret);
}

TEST(test_x32)
{
	expect(try_x32, EPERM);
}

TEST(test_32_bits)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		signal(SIGSEGV, SIG_DFL);	/* not cmocka's */
		try_32_bits();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (status)
		skip();		/* a kernel without programs of 32 bits */
	expect(try_32_bits, EPERM);
}
#endif

static int setup(void **state)
{
	int pair[2];

	(void)state;
	results = mmap(NULL, sizeof(*results), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (results == MAP_FAILED ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) ||
	    send(pair[1], "", 1, 0) != 1 ||
	    readlink("/proc/self/exe", program, sizeof(program) - 1) < 0)
		return -1;
	sock = pair[0];
	peer = pair[1];
	memory = memfd_create("memory", 0);
	other = memfd_create("other", 0);
	file = open(program, O_RDONLY);
	return memory < 0 || other < 0 || file < 0 ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	close(sock);
	close(peer);
	close(memory);
	close(other);
	close(file);
	return munmap(results, sizeof(*results));
}

TEST_GROUP(load_filter, .setup = setup, .teardown = teardown);
