/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hang_fs DIR FILE: a FUSE file system on DIR in which prog0 .. prog9 have the
 * content of FILE.  From SIGUSR1 on it reads requests and does not answer, as a
 * server that has lost its network: a task that waits for an answer cannot even
 * be killed.  From SIGUSR2 on it answers, the waiting requests first.  Ends
 * when it is unmounted.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
	BUFFER = 256 << 10,
	FIRST_NODE = 2,
	FILES = 10,
	HELD_MAX = 256,
};

static int device, backing;
static struct stat backing_stat;
static char *held[HELD_MAX];
static size_t nr_held;

static void reply(const struct fuse_in_header *in, int error, const void *data,
		  size_t size)
{
	struct fuse_out_header out = {
		.len = (uint32_t)(sizeof(out) + size),
		.error = error,
		.unique = in->unique,
	};
	struct iovec parts[2] = {
		{ &out, sizeof(out) }, { (void *)data, size },
	};

	/* the requester may have been killed meanwhile */
	if (writev(device, parts, size ? 2 : 1) < 0 && errno != ENOENT)
		perror("hang_fs: reply");
}

static struct fuse_attr attr_of(uint64_t node)
{
	struct fuse_attr attr = { .ino = node, .nlink = 1, .blksize = 4096 };

	attr.mode = S_IFDIR | 0755;
	if (node == FUSE_ROOT_ID)
		return attr;
	attr.mode = S_IFREG | 0755;
	attr.size = (uint64_t)backing_stat.st_size;
	attr.blocks = (uint64_t)backing_stat.st_blocks;
	return attr;
}

static void look_up(const struct fuse_in_header *in, const char *name)
{
	struct fuse_entry_out entry = { 0 };

	if (strncmp(name, "prog", 4) || name[4] < '0' || name[4] > '9' ||
	    name[5]) {
		reply(in, -ENOENT, NULL, 0);
		return;
	}
	entry.nodeid = FIRST_NODE + (uint64_t)(name[4] - '0');
	entry.attr = attr_of(entry.nodeid);
	reply(in, 0, &entry, sizeof(entry));
}

static void read_some(const struct fuse_in_header *in,
		      const struct fuse_read_in *rq)
{
	static char buf[BUFFER];
	size_t size = rq->size < sizeof(buf) ? rq->size : sizeof(buf);
	ssize_t got = pread(backing, buf, size, (off_t)rq->offset);

	reply(in, got < 0 ? -EIO : 0, buf, got < 0 ? 0 : (size_t)got);
}

static void answer(const struct fuse_in_header *in)
{
	const struct fuse_init_in *init = (const void *)(in + 1);
	struct fuse_init_out init_out = {
		.major = FUSE_KERNEL_VERSION,
		.minor = FUSE_KERNEL_MINOR_VERSION,
		.max_write = 128 << 10,
		.max_background = 16,
	};
	struct fuse_attr_out attr_out = { .attr = attr_of(in->nodeid) };
	const struct fuse_statfs_out statfs_out = { .st.bsize = 4096 };
	struct fuse_open_out open_out = { .open_flags = FOPEN_KEEP_CACHE };

	switch (in->opcode) {
	case FUSE_INIT:
		init_out.max_readahead = init->max_readahead;
		reply(in, 0, &init_out, sizeof(init_out));
		break;
	case FUSE_LOOKUP:
		look_up(in, (const char *)(in + 1));
		break;
	case FUSE_GETATTR:
		reply(in, 0, &attr_out, sizeof(attr_out));
		break;
	case FUSE_OPEN:
		reply(in, 0, &open_out, sizeof(open_out));
		break;
	case FUSE_STATFS:
		reply(in, 0, &statfs_out, sizeof(statfs_out));
		break;
	case FUSE_READ:
		read_some(in, (const void *)(in + 1));
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break;
	case FUSE_FLUSH:
	case FUSE_RELEASE:
		reply(in, 0, NULL, 0);
		break;
	default:
		reply(in, -ENOSYS, NULL, 0);
		break;
	}
}

static void hold(const char *request, size_t size)
{
	if (nr_held == HELD_MAX)
		return;
	held[nr_held] = malloc(size);
	if (!held[nr_held])
		exit(1);
	memcpy(held[nr_held++], request, size);
}

static void answer_held(void)
{
	for (size_t i = 0; i < nr_held; i++) {
		answer((const void *)held[i]);
		free(held[i]);
	}
	nr_held = 0;
}

static void mount_on(const char *dir)
{
	char opts[128];

	device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	snprintf(opts, sizeof(opts),
		 "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other",
		 device);
	if (device < 0 || mount("hang_fs", dir, "fuse", 0, opts)) {
		perror("hang_fs: mount");
		exit(77);
	}
}

static int signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

int main(int argc, char **argv)
{
	static char buf[BUFFER + 4096];
	struct signalfd_siginfo info;
	struct pollfd fds[2];
	int hangs = 0;

	backing = argc == 3 ? open(argv[2], O_RDONLY | O_CLOEXEC) : -1;
	if (backing < 0 || fstat(backing, &backing_stat))
		return 2;
	fds[0] = (struct pollfd){ .fd = signals(), .events = POLLIN };
	mount_on(argv[1]);
	fds[1] = (struct pollfd){ .fd = device, .events = POLLIN };
	for (;;) {
		ssize_t got;

		if (poll(fds, 2, -1) < 0)
			return 1;
		if (fds[0].revents &&
		    read(fds[0].fd, &info, sizeof(info)) == sizeof(info)) {
			hangs = info.ssi_signo == SIGUSR1;
			if (!hangs)
				answer_held();
			continue;
		}
		got = read(device, buf, sizeof(buf));
		if (got < 0 && errno == ENODEV)
			return 0;
		if (got < (ssize_t)sizeof(struct fuse_in_header))
			continue;
		if (hangs)
			hold(buf, (size_t)got);
		else
			answer((const void *)buf);
	}
}
