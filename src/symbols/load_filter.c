/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/load_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/*
 * Other architectures go without a filter.  On those of 32 bits, calls have
 * other names (mmap2, _llseek, fstat64, clock_gettime64, ...), which depend on
 * how the C library was built, and i386 sends and receives by socketcall(2),
 * whose arguments are in memory, where a filter cannot look.
 */
#if defined(__x86_64__) && defined(__LP64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__LP64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#endif

/*
 * The sanitizers make calls of their own, and end the process if these fail:
 * sigaltstack(2) at the exit, and what a report takes.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#undef OWN_ARCH
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#undef OWN_ARCH
#endif
#endif

#ifdef OWN_ARCH

#define LOAD(field) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/* The lower half of an argument: both architectures are little-endian. */
#define LOAD_ARG(nr)	LOAD(args[nr])
/* Jump over so many statements if the value loaded is @value, or is not. */
#define IF(value, equal, other) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), equal, other)
#define PASS	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

#define ALLOW(call)	IF(__NR_##call, 0, 1), PASS
/* Allow it if its argument @nr, an int, has none of @bits. */
#define ALLOW_WITHOUT(call, nr, bits) \
	IF(__NR_##call, 0, 4), LOAD_ARG(nr), \
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (uint32_t)(bits), 1, 0), \
	PASS, REFUSE

/* O_RDONLY | O_TRUNC truncates. */
#define OPENS_TO_WRITE \
	(O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY))

int load_filter_install(void)
{
	/*
	 * Not openat2(2), whose flags are in memory: without it,
	 * sys_open_in_root() finds files by openat(2).
	 */
	struct sock_filter filter[] = {
		LOAD(arch),
		IF(OWN_ARCH, 1, 0),
		REFUSE,
		LOAD(nr),	/* those of x32 are in no line below */

		ALLOW(pread64),
		ALLOW(read),
		ALLOW(lseek),
		ALLOW(close),
		/* F_DUPFD, F_GETFD, F_SETFD, F_GETFL: 0 to 3 */
		ALLOW_WITHOUT(fcntl, 1, ~3),
		/* no more sockets and files to write to can be opened */
		ALLOW(dup),
		ALLOW(write),
		ALLOW(writev),		/* musl's FILE */
		ALLOW(ftruncate),
		ALLOW(sendto),
		ALLOW(recvfrom),

		ALLOW_WITHOUT(openat, 2, OPENS_TO_WRITE),
		ALLOW(fstat),
		ALLOW(newfstatat),
		ALLOW(fstatfs),
		ALLOW(readlinkat),
		ALLOW(faccessat),
#ifdef __NR_faccessat2		/* Linux 5.8 */
		ALLOW(faccessat2),
#endif
#ifdef __NR_statx		/* stat() of some C libraries */
		ALLOW(statx),
#endif
#ifdef __NR_open		/* arm64 has none of these */
		ALLOW_WITHOUT(open, 1, OPENS_TO_WRITE),
		ALLOW(stat),
		ALLOW(lstat),
		ALLOW(readlink),
		ALLOW(access),
#endif

		/* memory, but none to run code in */
		ALLOW_WITHOUT(mmap, 2, PROT_EXEC),
		ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
		ALLOW(munmap),
		ALLOW(mremap),
		ALLOW(madvise),
		ALLOW(brk),
		ALLOW(futex),
		ALLOW(getrandom),	/* malloc(3) */
		ALLOW(sysinfo),		/* qsort(3) */

		ALLOW(clock_gettime),
		ALLOW(clock_nanosleep),	/* sys_stall_at() */
		ALLOW(restart_syscall),	/* after SIGSTOP and SIGCONT */
		ALLOW(getuid),
		ALLOW(geteuid),		/* faccessat(3) before Linux 5.8 */
		ALLOW(getgid),
		ALLOW(getegid),
		ALLOW(exit),
		ALLOW(exit_group),
		REFUSE,
	};
	const struct sock_fprog program = {
		.len = sizeof(filter) / sizeof(filter[0]),
		.filter = filter,
	};

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) ?
		       -errno : 0;
}

#else

int load_filter_install(void)
{
	return -ENOSYS;
}

#endif
