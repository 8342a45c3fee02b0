/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/resolver.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/proc.h"
#include "base/sys.h"
#include "base/table.h"
#include "samples/names.h"
#include "symbols/elf/elf_symbols.h"
#include "symbols/elf/kallsyms.h"
#include "symbols/file_cache.h"
#include "task/process_maps.h"
#include "task/process_table.h"
#include "symbols/symbol_loader.h"

enum {
	CACHE_ENTRIES = 4096,		/* a power of two */
	SWEEP_MIN = 1024,		/* known files, minimum for a sweep */
	GROUPS_MAX = 1024,		/* known cgroups */
	OWN_MAPS_MAX = 32 << 20,	/* limit of rbtop's own maps file,
					 * bytes */
};

#define DEFAULT_LIMIT ((size_t)48 << 20)
#define IDLE_BUDGET 0.004		/* seconds of one idle call */
#define TIDY_NS 1000000000ull
#define STUCK_NS 1000000000ull		/* a file loading for longer is stuck */
/* Samples older than the records processed are few, and at most this old. */
#define EXITED_NS 2000000000ull

/* Most cgroups are never looked up: only those that are get into names. */
struct group {
	uint64_t id;
	const char *kept;		/* in names; NULL: not looked up yet */
	size_t len;
	char path[];
};

/* The paths of cgroups by id, from CGROUP records. */
struct cgroups {
	struct table groups;		/* by id */
	struct group *order[GROUPS_MAX];	/* in order of arrival,
						 * circular */
	size_t next;				/* index of the oldest, if
						 * full */
	size_t bytes;
};

static void free_cgroups(struct cgroups *t)
{
	for (size_t i = 0; i < GROUPS_MAX; i++)
		free(t->order[i]);
	table_free(&t->groups);
}

static void forget_group(struct cgroups *t, struct group *group)
{
	table_remove(&t->groups, group->id, group);
	t->bytes -= sizeof(*group) + group->len;
	free(group);
}

/* Add a record.  At the limit the oldest is dropped. */
static void record_cgroup(struct cgroups *t, uint64_t id, const char *path)
{
	struct group *old = table_get(&t->groups, id), *group;
	size_t len = strlen(path) + 1;

	if (old && !strcmp(old->path, path))
		return;
	group = malloc(sizeof(*group) + len);
	if (!group)
		return;
	group->id = id;
	group->kept = NULL;
	group->len = len;
	memcpy(group->path, path, len);
	for (size_t i = 0; old && i < GROUPS_MAX; i++) {
		if (t->order[i] == old)
			t->order[i] = NULL;
	}
	if (old)
		forget_group(t, old);
	if (t->order[t->next])
		forget_group(t, t->order[t->next]);
	t->order[t->next] = group;
	t->next = (t->next + 1) % GROUPS_MAX;
	t->bytes += sizeof(*group) + len;
	table_add(&t->groups, id, group);	/* the table has room */
}

/* A cached result; valid while the generation is unchanged. */
struct found {
	uint64_t ip, generation;
	struct symbol symbol;
};

struct resolver {
	char proc[PATH_MAX / 2];
	int64_t written;
	struct names *names;
	size_t limit;
	struct kernel_symbols *kernel;
	struct process_table *table;
	struct file_cache *files;
	struct jit_maps *jits;
	struct cgroups cgroups;
	struct elf_symbols *vdso;
	uint64_t vdso_start, vdso_len;	/* of rbtop's own */
	uint64_t now, tidied;		/* ns, of the records' clock */
	size_t swept;			/* files known after the last sweep */
	const char *unknown, *loading;
	struct table build_ids;		/* struct elf_build_id, by the address
					 * of the path among the names */
	struct found cache[CACHE_ENTRIES];
};

/*
 * The vdso is the same in all processes, except 32-bit ones; so rbtop's own is
 * used for all of the same size.
 */
static void find_vdso(struct resolver *r)
{
	struct process_maps *maps = process_maps_new();

	if (!maps)
		return;
	process_maps_read(maps, "/proc", proc_self("/proc"), OWN_MAPS_MAX,
			  r->names);
	for (size_t i = 0; i < process_maps_len(maps); i++) {
		const struct process_map *map = process_maps_at(maps, i);

		if (map->kind != MAP_KIND_VDSO)
			continue;
		r->vdso_start = map->start;
		r->vdso_len = map->end - map->start;
	}
	process_maps_free(maps);
	if (r->vdso_len &&
	    elf_symbols_image((const void *)(uintptr_t)r->vdso_start,
			      r->vdso_len, &r->vdso))
		r->vdso = NULL;
}

/* What records of tasks say, replaced by nothing; without memory it stays. */
static bool make_tables(struct resolver *r)
{
	struct process_table *table = process_table_new(r->proc, r->names);
	struct jit_maps *jits = NULL;

	if (table)
		jits = jit_maps_new(r->proc, r->written, table, r->names,
				    r->limit / 2);
	if (!jits) {
		process_table_free(table);
		return false;
	}
	jit_maps_free(r->jits);
	process_table_free(r->table);
	r->jits = jits;
	r->table = table;
	return true;
}

static bool make_parts(struct resolver *r, const struct resolver_opts *opts)
{
	const struct file_cache_opts files = {
		.proc = r->proc,
		.debug_root = opts->debug_root,
		.max_bytes = r->limit / 3 * 2,
		.workers = opts->loaders,
	};

	r->kernel = kernel_symbols_new(
		opts->kallsyms ? opts->kallsyms : "/proc/kallsyms", r->proc);
	r->files = file_cache_new(&files);
	return r->kernel && r->files &&
	       !table_reserve(&r->cgroups.groups, GROUPS_MAX) &&
	       make_tables(r);
}

struct resolver *resolver_new(const struct resolver_opts *opts,
			      struct err *err)
{
	struct resolver *r = calloc(1, sizeof(*r));

	if (r) {
		snprintf(r->proc, sizeof(r->proc), "%s",
			 opts->proc ? opts->proc : "/proc");
		r->written = opts->written;
		r->names = opts->names;
		r->limit = opts->limit ? opts->limit : DEFAULT_LIMIT;
	}
	if (!r || !make_parts(r, opts)) {
		resolver_free(r);
		err_set(err, -ENOMEM, "no memory for symbols");
		return NULL;
	}
	r->unknown = names_add(r->names, "[unknown]");
	r->loading = names_add(r->names, "[loading]");
	if (!opts->kallsyms || *opts->kallsyms)
		find_vdso(r);
	process_table_scan_begin(r->table, opts->pids, opts->nr_pids);
	return r;
}

void resolver_free(struct resolver *r)
{
	if (!r)
		return;
	kernel_symbols_free(r->kernel);
	jit_maps_free(r->jits);
	process_table_free(r->table);
	free_cgroups(&r->cgroups);
	file_cache_free(r->files);
	for (size_t i = 0; i < r->build_ids.len; i++)
		free(r->build_ids.entries[i].item);
	table_free(&r->build_ids);
	elf_symbols_free(r->vdso);
	free(r);
}

size_t resolver_loaders(const struct resolver *r, pid_t *pids, size_t max)
{
	return symbol_loader_pids(file_cache_loader(r->files), pids, max);
}

int resolver_know_build_id(struct resolver *r, const char *path,
			   const struct elf_build_id *id)
{
	uintptr_t key = (uintptr_t)names_add(r->names, path);
	struct elf_build_id *known = malloc(sizeof(*known));

	if (!known || table_add(&r->build_ids, key, known)) {
		free(known);
		return -ENOMEM;
	}
	*known = *id;
	return 0;
}

void resolver_restart(struct resolver *r)
{
	if (!make_tables(r))
		return;
	kernel_symbols_restart(r->kernel);
	memset(r->cache, 0, sizeof(r->cache));
	r->now = r->tidied = 0;
}

void resolver_stop(struct resolver *r)
{
	file_cache_stop(r->files);
}

static void map_record(struct resolver *r, const struct side_band *record)
{
	struct side_band full = *record;
	const struct elf_build_id *id = NULL;

	if (r->build_ids.len && !record->map.build_id_len)
		id = table_get(&r->build_ids, (uintptr_t)names_add(r->names,
							record->map.name));
	if (id) {
		memcpy(full.map.build_id, id->bytes, id->len);
		full.map.build_id_len = id->len;
	}
	process_table_record(r->table, &full);
}

void resolver_record(struct resolver *r, const struct side_band *record)
{
	if (record->time > r->now)
		r->now = record->time;
	if (record->type == PERF_RECORD_KSYMBOL)
		kernel_symbols_record(r->kernel, &record->ksymbol);
	else if (record->type == PERF_RECORD_CGROUP)
		record_cgroup(&r->cgroups, record->cgroup.id,
			      record->cgroup.path);
	else if (record->type == PERF_RECORD_MMAP ||
		 record->type == PERF_RECORD_MMAP2)
		map_record(r, record);
	else
		process_table_record(r->table, record);
}

void resolver_resync(struct resolver *r)
{
	process_table_resync(r->table);
}

static size_t bytes_used(const struct resolver *r)
{
	return kernel_symbols_bytes(r->kernel) + file_cache_bytes(r->files) +
	       process_table_bytes(r->table) + jit_maps_bytes(r->jits) +
	       sizeof(r->cgroups) + table_bytes(&r->cgroups.groups) +
	       r->cgroups.bytes +
	       (r->vdso ? elf_symbols_bytes(r->vdso) : 0);
}

static void make_room(struct resolver *r)
{
	while (bytes_used(r) > r->limit && file_cache_evict(r->files))
		;
}

static struct found *cached(struct resolver *r, uint64_t generation,
			    uint64_t ip)
{
	uint64_t hash = (ip ^ generation << 20) * 0x9e3779b97f4a7c15ull;

	return &r->cache[(hash >> 32) & (CACHE_ENTRIES - 1)];
}

/* Only names are cached: an unknown address may be known any time. */
static void keep(struct resolver *r, uint64_t generation, uint64_t ip,
		 const struct symbol *symbol)
{
	if (symbol->name == r->unknown || symbol->name == r->loading)
		return;
	*cached(r, generation, ip) = (struct found){
		.ip = ip,
		.generation = generation,
		.symbol = *symbol,
	};
}

static bool recall(struct resolver *r, uint64_t generation, uint64_t ip,
		   struct symbol *out)
{
	const struct found *found = cached(r, generation, ip);

	if (!found->generation || found->generation != generation ||
	    found->ip != ip)
		return false;
	*out = found->symbol;
	return true;
}

static void kernel_symbol(struct resolver *r, uint64_t ip, struct symbol *out)
{
	uint64_t generation = kernel_symbols_generation(r->kernel), start;
	const char *name, *dso;

	if (recall(r, generation, ip, out))
		return;
	out->kind = SYMBOL_KERNEL;
	name = kernel_symbols_find(r->kernel, ip, r->names, &start, &dso);
	if (!name) {
		out->dso = names_add(r->names, "[kernel.kallsyms]");
		return;
	}
	out->name = name;
	out->dso = dso;
	out->offset = ip - start;
	/* which the search may have changed */
	keep(r, kernel_symbols_generation(r->kernel), ip, out);
}

/* True if @ip has a name. */
static bool jit_symbol(struct resolver *r, struct process *p,
		       const struct process_map *map, uint64_t ip,
		       struct symbol *out)
{
	uint64_t start;
	const char *dso, *name = jit_maps_find(r->jits, p, map, ip, r->now,
					       &start, &dso);

	if (!name)
		return false;
	out->kind = SYMBOL_JIT;
	out->name = name;
	out->dso = dso;
	out->offset = ip - start;
	return true;
}

static struct elf_symbols *vdso_symbols(const struct resolver *r,
					const struct process_map *map)
{
	bool wide = map->start >> 32, ours_wide = r->vdso_start >> 32;

	return wide == ours_wide && map->end - map->start == r->vdso_len ?
		       r->vdso : NULL;
}

static struct elf_symbols *map_symbols(struct resolver *r, struct process *p,
				       struct process_map *map)
{
	if (map->kind == MAP_KIND_VDSO)
		return vdso_symbols(r, map);
	if (map->kind == MAP_KIND_VSYSCALL)
		return NULL;
	return file_cache_symbols(r->files, p->pid, map, r->now);
}

static const char *map_dso(struct resolver *r, struct process_map *map)
{
	char path[PATH_MAX + 16];

	if (!map->deleted)
		return map->path;
	if (!map->shown) {
		snprintf(path, sizeof(path), "%s (deleted)", map->path);
		map->shown = names_add(r->names, path);
	}
	return map->shown;
}

static void map_symbol(struct resolver *r, struct process *p,
		       struct process_map *map, uint64_t ip,
		       struct symbol *out)
{
	uint64_t offset = ip - map->start + map->pgoff, start;
	struct elf_symbols *elf;
	const char *name = NULL;

	if (map->kind == MAP_KIND_ANONYMOUS && (*r->proc || r->written) &&
	    jit_symbol(r, p, map, ip, out))
		return;
	if (map->kind == MAP_KIND_VDSO)
		offset = ip - map->start;
	elf = map_symbols(r, p, map);
	if (elf)
		name = elf_symbols_find(elf, offset, r->names, &start);
	if (elf && !name) {
		name = elf_symbols_place(elf, offset, r->names, &start);
		out->placed = name != NULL;
	}
	out->kind = map->kind == MAP_KIND_ANONYMOUS && !name ? SYMBOL_JIT :
							  SYMBOL_USER;
	out->dso = map_dso(r, map);
	out->offset = offset;
	if (!name && file_cache_is_loading(map))
		out->name = r->loading;
	if (!name)
		return;
	out->name = name;
	out->offset = offset - start;
	make_room(r);
}

static void user_symbol(struct resolver *r, pid_t pid, uint64_t ip,
			struct symbol *out)
{
	struct process *p;
	struct process_map *map;

	out->kind = SYMBOL_USER;
	if (pid <= 0)
		return;
	p = process_table_get(r->table, pid);
	if (!p || recall(r, p->generation, ip, out))
		return;
	map = process_table_map(r->table, p, ip);
	if (!map && process_table_heal(r->table, p, r->now)) {
		map = process_maps_find(p->maps, ip);
		if (map)
			p->heals = 0;
	}
	if (!map) {
		out->kind = SYMBOL_UNKNOWN;
		return;
	}
	map_symbol(r, p, map, ip, out);
	/* A change of the parent's JIT map does not change the generation. */
	if (out->kind != SYMBOL_JIT || !map->mapper || map->mapper == pid)
		keep(r, p->generation, ip, out);
}

void resolver_symbol(struct resolver *r, pid_t pid, uint16_t cpumode,
		     uint64_t ip, struct symbol *out)
{
	*out = (struct symbol){
		.name = r->unknown,
		.dso = r->unknown,
		.kind = SYMBOL_UNKNOWN,
		.offset = ip,
	};
	/* if the kernel does not report it: its addresses are the upper half */
	if (cpumode == PERF_RECORD_MISC_CPUMODE_UNKNOWN)
		cpumode = ip >> 63 ? PERF_RECORD_MISC_KERNEL :
				     PERF_RECORD_MISC_USER;
	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		kernel_symbol(r, ip, out);
		break;
	case PERF_RECORD_MISC_USER:
		user_symbol(r, pid, ip, out);
		break;
	case PERF_RECORD_MISC_HYPERVISOR:
		out->kind = SYMBOL_HYPERVISOR;
		out->dso = names_add(r->names, "[hypervisor]");
		break;
	case PERF_RECORD_MISC_GUEST_KERNEL:
		out->kind = SYMBOL_GUEST;
		out->dso = names_add(r->names, "[guest.kernel]");
		break;
	case PERF_RECORD_MISC_GUEST_USER:
		out->kind = SYMBOL_GUEST;
		out->dso = names_add(r->names, "[guest]");
		break;
	default:
		break;
	}
}

const char *resolver_comm(struct resolver *r, pid_t pid, pid_t tid)
{
	return process_table_comm(r->table, pid, tid);
}

const char *resolver_cgroup(struct resolver *r, uint64_t id)
{
	struct group *group = table_get(&r->cgroups.groups, id);

	if (!group)
		return NULL;
	if (!group->kept)
		group->kept = names_add(r->names, group->path);
	return group->kept;
}

/*
 * Anonymous memory says nothing: exec(2) first maps the stack of a 32-bit
 * program, too, at the top of the 64-bit address space, and moves it later.  A
 * 32-bit rbtop wants a program that has mappings, but none there.
 */
bool resolver_is_native(struct resolver *r, pid_t pid)
{
	struct process *p = pid > 0 ? process_table_get(r->table, pid) : NULL;
	size_t i = p && p->maps ? process_maps_len(p->maps) : 0;
	bool wide;

	/* they are sorted by address: of most programs the last one decides */
	while (i-- > 0) {
		const struct process_map *map = process_maps_at(p->maps, i);

		if (map->kind != MAP_KIND_FILE && map->kind != MAP_KIND_VDSO)
			continue;
		wide = map->end >> 32;
		return wide == (sizeof(long) == sizeof(uint64_t));
	}
	return false;
}

const char *resolver_function(struct resolver *r, uint64_t addr,
			      uint64_t *start)
{
	const char *dso;

	return kernel_symbols_find(r->kernel, addr, r->names, start, &dso);
}

static void tidy(struct resolver *r)
{
	if (r->now > EXITED_NS)
		process_table_expire(r->table, r->now - EXITED_NS);
	jit_maps_round(r->jits);
	make_room(r);
	kernel_symbols_refresh(r->kernel, r->now);
	if (file_cache_known(r->files) < 2 * r->swept + SWEEP_MIN)
		return;
	file_cache_sweep(r->files, r->table);
	r->swept = file_cache_known(r->files);
}

bool resolver_idle(struct resolver *r, uint64_t now_ns)
{
	double until = sys_now() + IDLE_BUDGET;
	bool more;

	if (now_ns > r->now)
		r->now = now_ns;
	if (r->now >= r->tidied + TIDY_NS) {
		r->tidied = r->now;
		tidy(r);
	}
	symbol_loader_poll(file_cache_loader(r->files), 0);
	more = jit_maps_go_on(r->jits, r->now, until);
	return process_table_scan(r->table, until - sys_now()) || more;
}

void resolver_read_stats(const struct resolver *r,
			 struct resolver_stats *stats)
{
	struct symbol_loader_stats loader;

	symbol_loader_read_stats(file_cache_loader(r->files), &loader);
	*stats = (struct resolver_stats){
		.kernel_symbols = kernel_symbols_len(r->kernel),
		.kernel_hidden = kernel_symbols_hidden(r->kernel),
		.files = file_cache_len(r->files),
		.cut = file_cache_cut(r->files) + jit_maps_cut(r->jits),
		.processes = process_table_len(r->table),
		.bytes = bytes_used(r),
		.limit = r->limit,
		.evicted = file_cache_evicted(r->files),
		.loading = loader.loading,
		.loader_cpu = loader.cpu,
	};
	if (loader.oldest && sys_now_ns() - loader.since > STUCK_NS)
		stats->stuck = loader.oldest;
}
