/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/load_worker.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/proc.h"
#include "base/sys.h"
#include "base/text.h"
#include "symbols/elf/elf_symbols.h"

/* The worker's only files; it has no standard ones. */
enum { SOCK, MEMORY, FIRST_OTHER };

/* Seconds that the search for a file's separate debug file may take. */
#define DEBUG_SECONDS 2

static bool build_id_fits(int fd, const struct elf_build_id *want)
{
	struct elf_build_id id;

	return !elf_symbols_build_id(fd, &id) && id.len == want->len &&
	       !memcmp(id.bytes, want->bytes, id.len);
}

/*
 * The numbers that the kernel has for @fd in mappings.  On file systems with
 * layers or subvolumes (overlayfs, btrfs) they are not those of fstat(2).
 * Records have the same numbers, except on overlayfs on some kernels from 6.8
 * on; there no file is found.
 */
static bool numbers_when_mapped(int fd, dev_t *dev, uint64_t *inode)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned int major_nr, minor_nr;
	uint64_t start;
	char line[512];
	bool found = false;
	FILE *maps;
	void *map;

	if (sys_mmap(fd, page, PROT_READ, 0, &map))
		return false;
	maps = fopen("/proc/self/maps", "re");
	while (maps && !found && fgets(line, sizeof(line), maps))
		found = sscanf(line, "%" SCNx64 "-%*x %*s %*x %x:%x %" SCNu64,
			       &start, &major_nr, &minor_nr, inode) == 4 &&
			start == (uintptr_t)map;
	if (maps)
		fclose(maps);
	sys_munmap(map, page);
	if (found)
		*dev = makedev(major_nr, minor_nr);
	return found;
}

/*
 * Whether the file that was found by path below @root is that of the record, by
 * inode and device.  Where fstat(2) gives other numbers than the record, without
 * a major, path and inode suffice in the process' own root.  In rbtop's root,
 * they do not: a user can mount a tmpfs, and has any path and inode there, so
 * that rbtop would name functions of a file that the process has never mapped
 * and its user cannot read; so the kernel is asked.
 */
static bool same_file(const char *root, const struct process_map *map, int fd,
		      const struct stat *st)
{
	uint64_t inode;
	dev_t dev;

	if (st->st_dev == map->dev)
		return st->st_ino == map->inode;
	if (major(st->st_dev) && major(map->dev))
		return false;
	if (*root && st->st_ino == map->inode)
		return true;
	return numbers_when_mapped(fd, &dev, &inode) && dev == map->dev &&
	       inode == map->inode;
}

/* Whether @path, an entry of map_files, links to the path of @map. */
static bool same_name(const char *path, const struct process_map *map)
{
	static const char deleted[] = " (deleted)";
	char target[PATH_MAX], name[PATH_MAX];
	ssize_t len = readlink(path, target, sizeof(target) - 1);
	size_t known = strlen(map->path);

	if (len < 0)
		return false;
	target[len] = '\0';
	text_copy(name, sizeof(name), target);
	return !strncmp(name, map->path, known) &&
	       (!name[known] || !strcmp(name + known, deleted));
}

/*
 * Open the mapping itself, wherever its path leads now.  If another mapping has
 * replaced it, it may be of another file, so check the build-id; or the inode,
 * if devices are comparable; else the name.
 */
static int open_mapping(const char *proc, pid_t pid,
			const struct process_map *map, struct stat *st)
{
	char path[PATH_MAX];
	bool same;
	int fd;

	snprintf(path, sizeof(path), "%s/%d/map_files/%" PRIx64 "-%" PRIx64,
		 proc, pid, map->start, map->end);
	fd = sys_open_plain(AT_FDCWD, path, 0, st);
	if (fd < 0)
		return fd;
	if (map->build_id.len)
		same = build_id_fits(fd, &map->build_id);
	else if (map->inode && st->st_dev == map->dev)
		same = st->st_ino == map->inode;
	else
		same = same_name(path, map);
	if (same)
		return fd;
	sys_close(fd);
	return -ESTALE;
}

/*
 * Open the path below @root, if it is the mapped file.  Without a build-id or
 * inode to compare, only the process' own root is trusted ("": rbtop's).
 */
static int open_path(const char *root, const struct process_map *map,
		     struct stat *st)
{
	bool same;
	int fd;

	/* names of anonymous memory are not paths */
	if (map->kind != MAP_KIND_FILE)
		return -EINVAL;
	fd = sys_open_in_root(root, map->path, O_NOFOLLOW, st);
	if (fd < 0)
		return fd;
	if (map->build_id.len)
		same = build_id_fits(fd, &map->build_id);
	else if (map->inode)
		same = same_file(root, map, fd, st);
	else
		same = *root && !map->deleted;
	if (same)
		return fd;
	sys_close(fd);
	return -ESTALE;
}

int mapped_file_open(const char *proc, pid_t pid,
		     const struct process_map *map, char *root, size_t size,
		     struct stat *st)
{
	int fd;

	root[0] = '\0';
	if (!*proc)
		return open_path("", map, st);
	snprintf(root, size, "%s/%d/root", proc, pid);
	fd = open_mapping(proc, pid, map, st);
	if (fd < 0)
		fd = open_path(root, map, st);
	if (fd < 0)
		fd = open_path("", map, st);
	/* the process has ended, or its root is not accessible */
	if (sys_access(root, X_OK))
		root[0] = '\0';
	return fd;
}

int load_worker_read(int fd, pid_t pid, const char *path, const char *root,
		     const struct load_worker_opts *opts,
		     struct elf_symbols **elf)
{
	struct elf_symbols_opts elf_opts = {
		.debug_root = opts->debug_root,
		.prefix = root,
		.max_bytes = opts->max_bytes,
		.debug_seconds = DEBUG_SECONDS,
		.budget = opts->budget,
	};
	uid_t effective;

	if (!*opts->proc ||
	    proc_uids(opts->proc, pid, &elf_opts.owner, &effective))
		elf_opts.owner = ELF_OWNER_UNKNOWN;
	return elf_symbols_read(fd, path, &elf_opts, elf);
}

/* Write its symbols to the memory shared with rbtop.  0 or -errno. */
static int read_file(int fd, const struct load_request *rq, const char *root,
		     const struct load_worker_opts *opts)
{
	struct elf_symbols *elf = NULL;
	int ret = load_worker_read(fd, rq->pid, rq->path, root, opts,
				   &elf);

	if (!ret && (ftruncate(MEMORY, 0) || lseek(MEMORY, 0, SEEK_SET)))
		ret = -errno;
	if (!ret)
		ret = elf_symbols_save(elf, MEMORY);
	elf_symbols_free(elf);
	malloc_trim(0);
	return ret;
}

static void send_reply(const struct load_reply *reply)
{
	if (send(SOCK, reply, sizeof(*reply), MSG_NOSIGNAL) < 0)
		_exit(0);
}

static bool is_wanted(void)
{
	char wanted = 0;

	if (recv(SOCK, &wanted, 1, 0) != 1)
		_exit(0);
	return wanted;
}

static void answer(struct load_request *rq,
		   const struct load_worker_opts *opts)
{
	struct load_reply reply = { 0 };
	char root[PATH_MAX];
	int fd;

	rq->map.path = rq->path;
	fd = mapped_file_open(opts->proc, rq->pid, &rq->map, root,
			      sizeof(root), &reply.st);
	reply.error = fd < 0 ? fd : 0;
	if (fd >= 0 && opts->build_ids)
		elf_symbols_build_id(fd, &reply.id);
	send_reply(&reply);
	if (fd < 0)
		return;
	if (!opts->build_ids && is_wanted()) {
		reply.error = read_file(fd, rq, root, opts);
		reply.cpu = sys_process_cpu();
		send_reply(&reply);
	}
	close(fd);
}

/*
 * Other architectures go without a filter.  On those of 32 bits, calls have
 * other names (mmap2, _llseek, fstat64, clock_gettime64, ...), which depend on
 * how the C library was built, and i386 sends and receives by socketcall(2),
 * whose arguments are in memory, which a filter cannot read.
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

/* Close rbtop's files, so that they do not stay open while a worker hangs. */
static bool keep_only(int sock, int memory)
{
	if (dup2(sock, SOCK) < 0 || dup2(memory, MEMORY) < 0)
		return false;
	sys_close_from(FIRST_OTHER);
	return true;
}

static _Noreturn void run(int sock, int memory,
			  const struct load_worker_opts *opts, pid_t parent)
{
	static struct load_request rq;
	sigset_t before;

	sys_block_signals(&before);
	prctl(PR_SET_NAME, "rbtop-symbols");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || !keep_only(sock, memory) ||
	    caps_limit(*opts->proc ? CAPS_SYMBOLS : 0, NULL))
		_exit(1);
	load_filter_install();	/* where the kernel has it */
	while (recv(SOCK, &rq, sizeof(rq), 0) == sizeof(rq))
		answer(&rq, opts);
	_exit(0);
}

/* Numbers must be above those that the worker uses. */
static int open_pair(int sock[2], int *memory)
{
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sock))
		return -errno;
	*memory = memfd_create("rbtop-symbols", MFD_CLOEXEC);
	if (*memory >= FIRST_OTHER && sock[0] >= FIRST_OTHER &&
	    sock[1] >= FIRST_OTHER)
		return 0;
	close(sock[0]);
	close(sock[1]);
	sys_close(*memory);
	return *memory < 0 ? -ENOMEM : -EMFILE;
}

int load_worker_start(struct load_worker *w,
		      const struct load_worker_opts *opts)
{
	int sock[2], ret = open_pair(sock, &w->memory);
	pid_t parent = getpid();

	w->pid = 0;
	if (ret)
		return ret;
	w->pid = fork();
	if (w->pid == 0)
		run(sock[1], w->memory, opts, parent);
	ret = w->pid < 0 ? -errno : 0;
	close(sock[1]);
	w->sock = sock[0];
	if (ret) {
		close(w->sock);
		close(w->memory);
		w->pid = 0;
	}
	return ret;
}

void load_worker_kill(struct load_worker *w)
{
	if (!w->pid)
		return;
	close(w->sock);
	close(w->memory);
	kill(w->pid, SIGKILL);
}

void load_worker_reap(struct load_worker *w, uint64_t until)
{
	const struct timespec ms = { .tv_nsec = 1000000 };

	if (!w->pid)
		return;
	while (!waitpid(w->pid, NULL, WNOHANG) && sys_now_ns() < until)
		nanosleep(&ms, NULL);
	w->pid = 0;
}
