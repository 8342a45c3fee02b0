/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/symbol_loader.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/sys.h"
#include "symbols/elf/debug_file.h"
#include "symbols/elf/elf_symbols.h"

enum {
	WORKERS_MAX = 8,
	RESTARTS_MAX = 16,	/* restarts of processes that a file has
				 * crashed, or blocks */
	DEVICE_MAX = 2,		/* most processes for files of one device */
	/*
	 * What each process may read of debug files for a user: one of the
	 * largest that are checked, and per minute little enough that all of
	 * them together use a few percent of a CPU.
	 */
	DEBUG_BYTES = 256 << 20,
	DEBUG_MINUTE = 64 << 20,
};

#define END_NS 100000000ull	/* time allowed for processes to end */

enum slot_state {
	SLOT_FREE,
	SLOT_OPENING,
	SLOT_READING,
};

/* A process and its request. */
struct slot {
	struct load_worker worker;
	enum slot_state state;
	void *want;		/* NULL: forgotten */
	const char *path;	/* in names; NULL: forgotten */
	uint64_t dev, since;
	double cpu;
};

struct symbol_loader {
	struct load_worker_opts worker_opts;
	const struct symbol_loader_ops *ops;
	void *ctx;
	struct slot slots[WORKERS_MAX];
	size_t nr_slots;	/* 0: the caller loads files */
	unsigned int restarts;
	double cpu;		/* of processes that have ended */
	struct load_request rq;	/* scratch */
};

struct symbol_loader *symbol_loader_new(const struct symbol_loader_opts *opts)
{
	struct symbol_loader *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->worker_opts = opts->files;
	l->worker_opts.budget = debug_file_budget_new(DEBUG_BYTES,
						      DEBUG_MINUTE);
	if (!l->worker_opts.budget) {
		free(l);
		return NULL;
	}
	l->ops = opts->ops;
	l->ctx = opts->ctx;
	while (l->nr_slots < opts->workers && l->nr_slots < WORKERS_MAX &&
	       !load_worker_start(&l->slots[l->nr_slots].worker,
				  &l->worker_opts))
		l->nr_slots++;
	return l;
}

void symbol_loader_free(struct symbol_loader *l)
{
	uint64_t until = sys_now_ns() + END_NS;

	if (!l)
		return;
	for (size_t i = 0; i < l->nr_slots; i++)
		load_worker_kill(&l->slots[i].worker);
	for (size_t i = 0; i < l->nr_slots; i++)
		load_worker_reap(&l->slots[i].worker, until);
	debug_file_budget_free(l->worker_opts.budget);
	free(l);
}

/* Report which file it is.  Returns whether its symbols are wanted. */
static bool report_found(struct symbol_loader *l, void *want,
			 const struct stat *st, const struct elf_build_id *id)
{
	bool only_id = l->worker_opts.build_ids;

	return want && l->ops->found(l->ctx, want, st, only_id ? id : NULL) &&
	       !only_id;
}

static void load_here(struct symbol_loader *l, pid_t pid,
		      const struct process_map *map, void *want)
{
	struct elf_symbols *elf = NULL;
	struct elf_build_id id = { 0 };
	char root[PATH_MAX];
	struct stat st;
	int fd = mapped_file_open(l->worker_opts.proc, pid, map, root,
				  sizeof(root), &st);
	int ret = fd < 0 ? fd : 0;

	if (!ret && l->worker_opts.build_ids)
		elf_symbols_build_id(fd, &id);
	if (!ret && report_found(l, want, &st, &id))
		ret = load_worker_read(fd, pid, map->path, root,
				       &l->worker_opts, &elf);
	sys_close(fd);
	l->ops->done(l->ctx, want, ret, ret ? NULL : elf);
}

static void end_request(struct symbol_loader *l, struct slot *s, int error,
			struct elf_symbols *elf)
{
	s->state = SLOT_FREE;
	if (s->want)
		l->ops->done(l->ctx, s->want, error, elf);
	else
		elf_symbols_free(elf);
}

/* The process has ended, perhaps because of its file: start another one. */
static void lose(struct symbol_loader *l, struct slot *s, int error)
{
	load_worker_kill(&s->worker);
	load_worker_reap(&s->worker, sys_now_ns() + END_NS);
	l->cpu += s->cpu;
	s->cpu = 0;
	if (l->restarts++ < RESTARTS_MAX)
		load_worker_start(&s->worker, &l->worker_opts);
	if (s->state != SLOT_FREE)
		end_request(l, s, error, NULL);
}

static bool has_worker(const struct symbol_loader *l)
{
	for (size_t i = 0; i < l->nr_slots; i++)
		if (l->slots[i].worker.pid)
			return true;
	return false;
}

/*
 * A slot for a file of @dev.  The last free one is reserved for another device,
 * so that a device that hangs does not block the others.
 */
static struct slot *choose_slot(struct symbol_loader *l, uint64_t dev)
{
	size_t unused = 0, same = 0;
	struct slot *found = NULL;

	for (size_t i = 0; i < l->nr_slots; i++) {
		struct slot *s = &l->slots[i];

		if (!s->worker.pid)
			continue;
		if (s->state == SLOT_FREE) {
			unused++;
			found = s;
		} else {
			same += s->dev == dev;
		}
	}
	if (same && (same >= DEVICE_MAX || unused < 2))
		return NULL;
	return found;
}

static int send_request(struct symbol_loader *l, struct slot *s, pid_t pid,
			const struct process_map *map)
{
	struct load_request *rq = &l->rq;

	memset(rq, 0, sizeof(*rq));
	rq->pid = pid;
	rq->map = *map;
	if (strlen(map->path) >= sizeof(rq->path))
		return -ENAMETOOLONG;
	strcpy(rq->path, map->path);
	return send(s->worker.sock, rq, sizeof(*rq), MSG_NOSIGNAL) < 0 ?
		       -errno : 0;
}

int symbol_loader_ask(struct symbol_loader *l, pid_t pid,
		      const struct process_map *map, void *want)
{
	struct slot *s;
	int ret;

	if (!l->nr_slots) {
		load_here(l, pid, map, want);
		return 0;
	}
	s = choose_slot(l, map->dev);
	if (!s && !has_worker(l))
		l->ops->done(l->ctx, want, -EIO, NULL);
	if (!s)
		return has_worker(l) ? -EBUSY : 0;
	ret = send_request(l, s, pid, map);
	if (ret == -ENAMETOOLONG) {
		l->ops->done(l->ctx, want, ret, NULL);
		return 0;
	}
	if (ret) {
		lose(l, s, -EIO);
		return -EBUSY;
	}
	s->state = SLOT_OPENING;
	s->want = want;
	s->path = map->path;
	s->dev = map->dev;
	s->since = sys_now_ns();
	return 0;
}

/* Take the symbols from the shared memory, which is freed. */
static void take_symbols(struct symbol_loader *l, struct slot *s)
{
	struct elf_symbols *elf = NULL;
	int ret = elf_symbols_restore(s->worker.memory,
				      l->worker_opts.max_bytes, &elf);

	if (ftruncate(s->worker.memory, 0) && !ret)
		ret = -errno;
	end_request(l, s, ret, elf);
}

static void take_reply(struct symbol_loader *l, struct slot *s)
{
	struct load_reply reply;
	char wanted;

	if (recv(s->worker.sock, &reply, sizeof(reply), MSG_DONTWAIT) !=
		    sizeof(reply) ||
	    s->state == SLOT_FREE) {
		lose(l, s, -EIO);
		return;
	}
	if (s->state == SLOT_READING)
		s->cpu = reply.cpu;
	if (reply.error > 0)
		reply.error = -EIO;
	if (reply.error) {
		end_request(l, s, reply.error, NULL);
	} else if (s->state == SLOT_READING) {
		take_symbols(l, s);
	} else {
		if (reply.id.len > ELF_BUILD_ID_MAX)
			reply.id.len = 0;
		wanted = report_found(l, s->want, &reply.st, &reply.id);
		if (l->worker_opts.build_ids)
			end_request(l, s, 0, NULL);
		else if (send(s->worker.sock, &wanted, 1, MSG_NOSIGNAL) < 0)
			lose(l, s, -EIO);
		else if (wanted)
			s->state = SLOT_READING;
		else
			end_request(l, s, 0, NULL);
	}
}

void symbol_loader_forget(struct symbol_loader *l, const void *want)
{
	for (size_t i = 0; i < l->nr_slots; i++) {
		struct slot *s = &l->slots[i];

		if (s->state == SLOT_FREE || s->want != want)
			continue;
		s->want = NULL;
		s->path = NULL;
	}
}

void symbol_loader_give_up(struct symbol_loader *l, const void *want)
{
	for (size_t i = 0; i < l->nr_slots; i++)
		if (l->slots[i].state != SLOT_FREE && l->slots[i].want == want)
			lose(l, &l->slots[i], -ETIMEDOUT);
}

void symbol_loader_poll(struct symbol_loader *l, int ms)
{
	struct pollfd fds[WORKERS_MAX];
	bool busy = false;

	for (size_t i = 0; i < l->nr_slots; i++) {
		bool out = l->slots[i].worker.pid &&
			   l->slots[i].state != SLOT_FREE;

		fds[i] = (struct pollfd){
			.fd = out ? l->slots[i].worker.sock : -1,
			.events = POLLIN,
		};
		busy |= out;
	}
	if (!busy || poll(fds, l->nr_slots, ms) <= 0)
		return;
	for (size_t i = 0; i < l->nr_slots; i++)
		if (fds[i].revents)
			take_reply(l, &l->slots[i]);
}

void symbol_loader_read_stats(const struct symbol_loader *l,
			      struct symbol_loader_stats *stats)
{
	*stats = (struct symbol_loader_stats){ .cpu = l->cpu };
	for (size_t i = 0; i < l->nr_slots; i++) {
		const struct slot *s = &l->slots[i];

		stats->cpu += s->cpu;
		if (s->state == SLOT_FREE)
			continue;
		stats->loading++;
		if (stats->oldest && stats->since <= s->since)
			continue;
		stats->oldest = s->path;
		stats->since = s->since;
	}
}

size_t symbol_loader_pids(const struct symbol_loader *l, pid_t *pids,
			  size_t max)
{
	size_t nr = 0;

	for (size_t i = 0; i < l->nr_slots && nr < max; i++)
		if (l->slots[i].worker.pid)
			pids[nr++] = l->slots[i].worker.pid;
	return nr;
}
