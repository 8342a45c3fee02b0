/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/host_proc.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cpulist.h"
#include "base/err.h"
#include "base/proc.h"
#include "base/sys.h"
#include "base/table.h"
#include "host/proc_status.h"

/*
 * Pages of a BPF ring buffer besides its data: RINGBUF_NR_META_PAGES of
 * kernel/bpf/ringbuf.c.
 */
enum {
	RINGBUF_META_PAGES = 3,
	MAPS_MAX = 128 << 20,	/* bytes of a process' maps file, a million
				 * lines; larger files are not read */
};

/* State of the walk over processes. */
struct walk {
	const char *proc;
	struct host_pass *pass;
	uint64_t page_size;
	unsigned int hidden;
	struct proc_mappings maps;
	/* of the present process */
	pid_t pid;
	struct proc_status status;
	bool has_status;
};

/* Read the status of a process with rings.  0, -ENOMEM, or it has ended. */
static int need_status(struct walk *w)
{
	int ret = w->has_status ? 0 :
				  proc_status_read(w->proc, w->pid, &w->status);

	w->has_status = ret == 0;
	return ret;
}

static int add_holder(struct walk *w, uint64_t key, bool maps)
{
	struct host_pass_holder *holder = host_pass_add_holder(w->pass);

	if (!holder)
		return -ENOMEM;
	holder->ring = key;
	holder->pid = w->pid;
	holder->uid = w->status.uid;
	holder->maps = maps;
	holder->stopped = w->status.stopped;
	holder->run_delay = holder->run_time = UNKNOWN;
	memcpy(holder->comm, w->status.comm, sizeof(holder->comm));
	return 0;
}

/* Add a ring with all figures unknown; the caller sets those it knows. */
static struct host_pass_ring *add_ring(struct walk *w, uint64_t key,
				       enum ring_kind kind, uint64_t size)
{
	struct host_pass_ring *ring = host_pass_add_ring(w->pass);

	if (!ring)
		return NULL;
	ring->key = key;
	ring->kind = kind;
	ring->size = size;
	ring->watermark = UNKNOWN;
	ring->head = ring->tail = ring->wakeup = ring->lost = UNKNOWN;
	ring->aux.watermark = ring->aux.head = ring->aux.tail = UNKNOWN;
	ring->uid = (uid_t)-1;
	ring->user_locked = UNKNOWN;
	return ring;
}

/*
 * The address of the kernel's ring is unknown; that of the mapping also stays
 * the same between passes.  A pid has at most 22 bits, a user page number 42.
 */
static uint64_t perf_key(const struct walk *w, const struct proc_ring *ring)
{
	return (uint64_t)w->pid << 42 ^ ring->start / w->page_size;
}

static int add_perf_ring(struct walk *w, const struct proc_ring *mapped)
{
	uint64_t key = perf_key(w, mapped);
	struct host_pass_ring *ring;
	int ret = need_status(w);

	if (ret)
		return ret;
	ring = add_ring(w, key, RING_PERF, mapped->size);
	if (!ring)
		return -ENOMEM;
	ring->aux.size = mapped->aux_size;
	ring->locked = mapped->size + w->page_size + mapped->aux_size;
	ring->uid = w->status.uid;
	return add_holder(w, key, true);
}

static int add_perf_rings(struct walk *w)
{
	struct proc_ring *rings = calloc(w->maps.nr + 1, sizeof(*rings));
	size_t nr;
	int ret = 0;

	if (!rings)
		return -ENOMEM;
	nr = proc_mappings_rings(&w->maps, w->page_size, rings);
	for (size_t i = 0; i < nr && !ret; i++)
		ret = add_perf_ring(w, &rings[i]);
	free(rings);
	return ret;
}

/* The number after "NAME:\t" in @text; false if there is none. */
static bool info_number(const char *text, const char *name, uint64_t *value)
{
	const char *line = strstr(text, name);

	return line && sscanf(line + strlen(name), " %" SCNu64, value) == 1;
}

/*
 * Add a BPF map if it is a ring buffer, according to its fdinfo:
 * bpf_map_show_fdinfo() in kernel/bpf/syscall.c.
 */
static int add_bpf_map(struct walk *w, const char *fd)
{
	char path[PATH_MAX], text[2048];
	uint64_t type, size, id;
	struct host_pass_ring *ring;
	int ret;

	snprintf(path, sizeof(path), "%s/%d/fdinfo/%s", w->proc, w->pid, fd);
	if (sys_read_file(path, text, sizeof(text)) <= 0 ||
	    !info_number(text, "map_type:", &type) ||
	    type != BPF_MAP_TYPE_RINGBUF ||
	    !info_number(text, "max_entries:", &size) || size > UINT32_MAX ||
	    !info_number(text, "map_id:", &id) || !id || id > UINT32_MAX)
		return 0;
	ret = need_status(w);
	if (ret)
		return ret;
	ring = add_ring(w, id, RING_BPF, size);
	if (!ring)
		return -ENOMEM;
	ring->map_id = (uint32_t)id;
	ring->watermark = 0;
	ring->locked = size + RINGBUF_META_PAGES * w->page_size;
	return add_holder(w, id,
			  proc_mappings_have_ringbuf(&w->maps, w->page_size,
						     size));
}

static int add_fd(void *ctx, pid_t pid, const char *fd, const char *target)
{
	struct walk *w = ctx;

	(void)pid;
	if (!strcmp(target, "anon_inode:[perf_event]"))
		w->pass->files++;
	else if (!strcmp(target, "anon_inode:bpf-map"))
		return add_bpf_map(w, fd);
	return 0;
}

/* Set the runs of a program: bpf_prog_show_fdinfo() in kernel/bpf/syscall.c. */
static int add_runs(void *ctx, pid_t pid, const char *fd,
		    const char *target)
{
	struct walk *w = ctx;
	char path[PATH_MAX], text[2048];
	uint64_t id, runs, ns;

	snprintf(path, sizeof(path), "%s/%d/fdinfo/%s", w->proc, pid, fd);
	if (strcmp(target, "anon_inode:bpf-prog") != 0 ||
	    sys_read_file(path, text, sizeof(text)) <= 0 ||
	    !info_number(text, "prog_id:", &id) ||
	    !info_number(text, "run_cnt:", &runs) ||
	    !info_number(text, "run_time_ns:", &ns))
		return 0;
	for (size_t i = 0; i < w->pass->nr_rings; i++) {
		struct host_pass_ring *ring = &w->pass->rings[i];

		for (size_t k = 0; k < ring->nr_programs && k < RING_PROGRAMS;
		     k++) {
			if (ring->programs[k].id != id)
				continue;
			ring->programs[k].runs = runs;
			ring->programs[k].run_ns = ns;
		}
	}
	return 0;
}

/* Kernel threads have neither mappings nor files. */
static int read_process(struct walk *w, pid_t pid)
{
	char *text;
	ssize_t n;
	int ret;

	w->pid = pid;
	w->has_status = false;
	n = proc_maps(w->proc, pid, MAPS_MAX, &text);
	if (n < 0)
		return (int)n;
	ret = proc_mappings_parse(&w->maps, text);
	free(text);
	if (!ret)
		ret = add_perf_rings(w);
	return ret || n == 0 ? ret : proc_fds(w->proc, pid, add_fd, w);
}

/* Processes may end while they are visited: not an error. */
static int read_processes(struct walk *w, const pid_t *pids, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		int ret = read_process(w, pids[i]);

		if (ret == -ENOMEM)
			return ret;
		if (ret == -EACCES || ret == -EPERM || ret == -EFBIG)
			w->hidden++;
	}
	return 0;
}

static int by_key(const void *a, const void *b)
{
	const struct host_pass_ring *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

/* Holders that map the ring first. */
static int by_ring(const void *a, const void *b)
{
	const struct host_pass_holder *x = a, *y = b;

	if (x->ring != y->ring)
		return x->ring < y->ring ? -1 : 1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return y->maps - x->maps;
}

/*
 * A BPF map may have many descriptors in many processes: keep each ring once,
 * and each process that holds it once.
 */
static void drop_doubles(struct host_pass *pass)
{
	size_t n = 0;

	if (pass->nr_rings)
		qsort(pass->rings, pass->nr_rings, sizeof(*pass->rings),
		      by_key);
	for (size_t i = 0; i < pass->nr_rings; i++) {
		if (!n || by_key(&pass->rings[n - 1], &pass->rings[i]))
			pass->rings[n++] = pass->rings[i];
	}
	pass->nr_rings = n;
	if (pass->nr_holders)
		qsort(pass->holders, pass->nr_holders, sizeof(*pass->holders),
		      by_ring);
	n = 0;
	for (size_t i = 0; i < pass->nr_holders; i++) {
		const struct host_pass_holder *h = &pass->holders[i];

		if (!n || pass->holders[n - 1].ring != h->ring ||
		    pass->holders[n - 1].pid != h->pid)
			pass->holders[n++] = *h;
	}
	pass->nr_holders = n;
}

static int no_processes(const char *proc, struct err *err)
{
	int ret = sys_access(proc, R_OK | X_OK);

	return err_set(err, ret ? ret : -ENOENT,
		       "no processes in %s: %s; is it mounted? as root: "
		       "mount -t proc proc %s",
		       proc, strerror(ret ? -ret : ENOENT), proc);
}

/* Whether @pid is one of @pids, or descends from the first. */
static bool belongs(const char *proc, pid_t pid, const pid_t *pids, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (pids[i] == pid)
			return true;
	return proc_descends(proc, pid, pids[0]);
}

int host_proc_read(const char *proc, const pid_t *pids, size_t nr,
		   struct host_pass *pass, unsigned int *hidden,
		   struct err *err)
{
	struct walk w = {
		.proc = proc ? proc : "/proc",
		.pass = pass,
		.page_size = sys_page_size(),
	};
	size_t nr_all, kept = 0;
	pid_t *all;
	int ret;

	*hidden = 0;
	proc_processes(w.proc, &all, &nr_all);
	if (!nr_all) {
		free(all);
		return no_processes(w.proc, err);
	}
	for (size_t i = 0; i < nr_all; i++)
		if (!nr || belongs(w.proc, all[i], pids, nr))
			all[kept++] = all[i];
	ret = read_processes(&w, all, kept);
	free(all);
	proc_mappings_free(&w.maps);
	if (ret)
		return err_errno(err, ret, "reading the processes in %s",
				 w.proc);
	drop_doubles(pass);
	pass->parts = HOST_ALL;
	pass->whole = true;
	*hidden = w.hidden;
	return 0;
}

void host_proc_runs(const char *proc, struct host_pass *pass)
{
	struct walk w = { .proc = proc ? proc : "/proc", .pass = pass };
	struct table with_programs = { 0 };
	char path[PATH_MAX], on[8];
	size_t nr = 0;
	pid_t *pids;

	snprintf(path, sizeof(path), "%s/sys/kernel/bpf_stats_enabled", w.proc);
	if (sys_read_file(path, on, sizeof(on)) <= 0 || on[0] != '1')
		return;
	pids = calloc(pass->nr_holders + 1, sizeof(*pids));
	for (size_t i = 0; pids && i < pass->nr_rings; i++)
		if (pass->rings[i].nr_programs)
			table_add_index(&with_programs, pass->rings[i].key, i);
	for (size_t i = 0; pids && i < pass->nr_holders; i++)
		if (table_find(&with_programs, pass->holders[i].ring))
			pids[nr++] = pass->holders[i].pid;
	table_free(&with_programs);
	nr = pids ? array_unique(pids, nr) : 0;
	for (size_t i = 0; i < nr; i++)
		proc_fds(w.proc, pids[i], add_runs, &w);
	free(pids);
}

/* The kernel counts in whole pages: perf_mmap(), kernel/events/core.c. */
static uint64_t whole_pages(uint64_t kb)
{
	uint64_t page_kb = sys_page_size() / 1024;

	return kb / page_kb * page_kb;
}

static uint64_t user_limit(const char *proc)
{
	struct cpulist online = { 0 };
	char path[PATH_MAX];
	uint64_t limit = UNKNOWN;
	long long kb;

	snprintf(path, sizeof(path), "%s/sys/kernel/perf_event_mlock_kb", proc);
	if (!sys_read_number(path, &kb) && kb >= 0 && kb <= INT_MAX &&
	    !cpulist_online(&online, NULL))
		limit = whole_pages((uint64_t)kb) * 1024 * online.nr;
	cpulist_free(&online);
	return limit;
}

static bool limits_count(const char *proc)
{
	char path[PATH_MAX];
	long long paranoid;

	snprintf(path, sizeof(path), "%s/sys/kernel/perf_event_paranoid", proc);
	return sys_read_number(path, &paranoid) || paranoid >= 0;
}

/* The soft limit of "Max locked memory  8388608  8388608  bytes". */
static uint64_t memlock_limit(const char *proc, pid_t pid)
{
	static const char name[] = "Max locked memory";
	uint64_t limit = UNKNOWN;
	char path[PATH_MAX], text[4096], *line;

	snprintf(path, sizeof(path), "%s/%d/limits", proc, pid);
	if (sys_read_file(path, text, sizeof(text)) <= 0)
		return UNKNOWN;
	line = strstr(text, name);
	if (!line || sscanf(line + strlen(name), " %" SCNu64, &limit) != 1)
		return UNKNOWN;
	return limit;
}

static int add_limit(const char *proc, pid_t pid, struct host_pass *pass)
{
	struct host_pass_limit *limit;
	struct proc_status status;
	char path[PATH_MAX];

	if (proc_status_read(proc, pid, &status))
		return 0; /* it has ended */
	limit = host_pass_add_limit(pass);
	if (!limit)
		return -ENOMEM;
	limit->pid = pid;
	limit->pinned = status.pinned;
	limit->memlock = memlock_limit(proc, pid);
	snprintf(path, sizeof(path), "%s/%d/ns/user", proc, pid);
	limit->ipc_lock = status.caps >> CAP_IPC_LOCK & 1 &&
			  sys_initial_user_ns(path);
	return 0;
}

/* The pids of those who map a ring, each once, to be freed. */
static pid_t *mappers(const struct host_pass *pass, size_t *nr)
{
	pid_t *pids = calloc(pass->nr_holders + 1, sizeof(*pids));

	*nr = 0;
	if (!pids)
		return NULL;
	for (size_t i = 0; i < pass->nr_holders; i++) {
		if (pass->holders[i].maps)
			pids[(*nr)++] = pass->holders[i].pid;
	}
	*nr = array_unique(pids, *nr);
	return pids;
}

int host_limits_read(const char *proc, struct host_pass *pass)
{
	pid_t *pids;
	size_t nr;
	int ret = 0;

	if (!proc)
		proc = "/proc";
	pass->user_limit = user_limit(proc);
	pass->paranoid = limits_count(proc);
	pids = mappers(pass, &nr);
	if (!pids)
		return -ENOMEM;
	for (size_t i = 0; i < nr && !ret; i++)
		ret = add_limit(proc, pids[i], pass);
	free(pids);
	return ret;
}
