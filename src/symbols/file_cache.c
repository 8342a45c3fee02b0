/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/file_cache.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/stat.h>

#include "base/proc.h"
#include "base/sys.h"
#include "base/table.h"
#include "symbols/elf/elf_symbols.h"
#include "symbols/symbol_loader.h"
#include "task/process_table.h"

#define RETRY_NS 1000000000ull
#define MS_NS 1000000ull
/*
 * Loading a file is waited for, as it mostly takes a few ms and the first
 * samples should be named too; but only for a limited time per file, and for a
 * limited part of all time.
 */
#define WAIT_NS (200 * MS_NS)		/* for one file */
#define PATIENCE_NS (500 * MS_NS)	/* limit at any time ... */
#define PATIENCE_PART 3			/* ... and as a part of all time: 1/3 */
#define LOOK_NS (1 * MS_NS)		/* between polls for results */
/* Without live processes nothing is late; but a file may never be read. */
#define WAIT_LONG_NS (5000 * MS_NS)	/* for one file */
#define WAIT_STEP_MS 50			/* until the end is noticed */

/* A file as found when it was opened. */
struct file {
	dev_t dev;
	ino_t inode;
	off_t size;
	struct timespec mtime;
	struct elf_symbols *elf;	/* NULL: evicted, or none */
	size_t bytes;			/* size of its symbols */
	bool damaged;			/* parsing failed; not tried again */
	uint64_t used;			/* value of cache->clock at the last
					 * use */
	size_t refs;			/* from struct mapped */
};

/* A file as described by mappings; process_map.file points here. */
struct mapped {
	uint64_t key;			/* hash of the following members */
	uint64_t dev, inode;
	struct elf_build_id build_id;
	const char *path;
	bool deleted;
	bool in_use;			/* used by sweeps */
	bool loading;			/* requested from the loader */
	bool found;			/* ... which has found file */
	bool waiting;			/* the loader was busy */
	bool hangs;			/* not tried again */
	uint64_t wait_until;		/* ns, CLOCK_MONOTONIC */
	struct file *file;		/* NULL: not found */
	uint64_t retry_at;		/* ns; the next attempt */
};

struct file_cache {
	char proc[PATH_MAX / 2];
	char debug_root[PATH_MAX];
	size_t max_bytes;
	struct table mapped, files;	/* mapped by key, files by inode */
	size_t loaded, cut, bytes;
	uint64_t clock, evicted;
	struct symbol_loader *loader;
	uint64_t patience;		/* ns left to wait */
	uint64_t patient_at;		/* time of the last update of
					 * patience */
	atomic_bool stopped;
};

static const struct symbol_loader_ops loader_ops;

static bool start_loader(struct file_cache *cache, unsigned int workers)
{
	const struct symbol_loader_opts opts = {
		.files = {
			.proc = cache->proc,
			.debug_root = cache->debug_root,
			.max_bytes = cache->max_bytes,
		},
		.workers = workers,
		.ops = &loader_ops,
		.ctx = cache,
	};

	cache->patience = PATIENCE_NS;
	cache->loader = symbol_loader_new(&opts);
	return cache->loader;
}

struct file_cache *file_cache_new(const struct file_cache_opts *opts)
{
	struct file_cache *cache = calloc(1, sizeof(*cache));

	if (!cache)
		return NULL;
	snprintf(cache->proc, sizeof(cache->proc), "%s", opts->proc);
	snprintf(cache->debug_root, sizeof(cache->debug_root), "%s",
		 opts->debug_root ? opts->debug_root : "/usr/lib/debug");
	cache->max_bytes = opts->max_bytes;
	if (!start_loader(cache, opts->workers)) {
		file_cache_free(cache);
		return NULL;
	}
	return cache;
}

void file_cache_free(struct file_cache *cache)
{
	if (!cache)
		return;
	symbol_loader_free(cache->loader);
	for (size_t i = 0; i < cache->mapped.len; i++)
		free(cache->mapped.entries[i].item);
	for (size_t i = 0; i < cache->files.len; i++) {
		struct file *file = cache->files.entries[i].item;

		elf_symbols_free(file->elf);
		free(file);
	}
	table_free(&cache->mapped);
	table_free(&cache->files);
	free(cache);
}

/* Paths are in names: equal ones have the same address. */
static bool is_of(const struct mapped *m, const struct process_map *map)
{
	return m->path == map->path && m->dev == map->dev &&
	       m->inode == map->inode && m->deleted == map->deleted &&
	       m->build_id.len == map->build_id.len &&
	       !memcmp(m->build_id.bytes, map->build_id.bytes,
		       m->build_id.len);
}

static uint64_t key_of(const struct process_map *map)
{
	const uint64_t words[] = {
		(uintptr_t)map->path, map->dev, map->inode, map->deleted,
		table_hash(map->build_id.bytes, map->build_id.len),
	};

	return table_hash(words, sizeof(words));
}

static struct mapped *get_mapped(struct file_cache *cache,
				 struct process_map *map)
{
	uint64_t key = key_of(map);
	struct table_entry *entry = table_find(&cache->mapped, key);
	struct mapped *m;

	while (entry && !is_of(entry->item, map))
		entry = table_again(&cache->mapped, entry);
	if (entry)
		return entry->item;
	m = calloc(1, sizeof(*m));
	if (!m || table_add(&cache->mapped, key, m)) {
		free(m);
		return NULL;
	}
	m->key = key;
	m->dev = map->dev;
	m->inode = map->inode;
	m->build_id = map->build_id;
	m->path = map->path;
	m->deleted = map->deleted;
	return m;
}

static bool same_file(const struct file *file, const struct stat *st)
{
	return file->dev == st->st_dev && file->inode == st->st_ino &&
	       file->size == st->st_size &&
	       file->mtime.tv_sec == st->st_mtim.tv_sec &&
	       file->mtime.tv_nsec == st->st_mtim.tv_nsec;
}

static struct file *get_file(struct file_cache *cache, const struct stat *st)
{
	struct table_entry *entry = table_find(&cache->files, st->st_ino);
	struct file *file;

	while (entry && !same_file(entry->item, st))
		entry = table_again(&cache->files, entry);
	if (entry)
		return entry->item;
	file = calloc(1, sizeof(*file));
	if (!file || table_add(&cache->files, st->st_ino, file)) {
		free(file);
		return NULL;
	}
	file->dev = st->st_dev;
	file->inode = st->st_ino;
	file->size = st->st_size;
	file->mtime = st->st_mtim;
	return file;
}

static void let_go(struct file_cache *cache, struct file *file)
{
	if (!file->elf)
		return;
	cache->bytes -= file->bytes;
	cache->cut -= elf_symbols_cut(file->elf);
	cache->loaded--;
	elf_symbols_free(file->elf);
	file->elf = NULL;
}

static void put_file(struct file_cache *cache, struct file *file)
{
	if (!file || --file->refs)
		return;
	let_go(cache, file);
	table_remove(&cache->files, file->inode, file);
	free(file);
}

/* The loader has opened the file of @want.  Whether its symbols are needed. */
static bool on_found(void *ctx, void *want, const struct stat *st,
		     const struct elf_build_id *id)
{
	struct file_cache *cache = ctx;
	struct mapped *m = want;
	struct file *file = get_file(cache, st);

	(void)id;
	m->found = true;
	if (file && file != m->file) {
		file->refs++;
		put_file(cache, m->file);
		m->file = file;
	}
	return file && !file->elf && !file->damaged;
}

static void on_done(void *ctx, void *want, int error, struct elf_symbols *elf)
{
	struct file_cache *cache = ctx;
	struct mapped *m = want;
	struct file *file = m->file;

	m->loading = false;
	m->hangs = error == -ETIMEDOUT;
	/* two mappings of the file may have requested it */
	if (!file || file->elf) {
		elf_symbols_free(elf);
		return;
	}
	if (!elf) {
		file->damaged = m->found && error && error != -ENOMEM;
		return;
	}
	file->elf = elf;
	cache->loaded++;
	cache->cut += elf_symbols_cut(elf);
	file->bytes = elf_symbols_bytes(elf);
	cache->bytes += file->bytes;
}

static const struct symbol_loader_ops loader_ops = {
	.found = on_found,
	.done = on_done,
};

/* Add what may be spent on waiting until @now. */
static void regain_patience(struct file_cache *cache, uint64_t now)
{
	cache->patience += (now - cache->patient_at) / PATIENCE_PART;
	cache->patience = MIN(cache->patience, PATIENCE_NS);
	cache->patient_at = now;
}

/* Wait until @m is loaded, has taken too long, or rbtop is to end. */
static void wait_long(struct file_cache *cache, struct mapped *m)
{
	while (m->loading && sys_now_ns() < m->wait_until) {
		if (atomic_load(&cache->stopped) || proc_is_ended())
			return;
		symbol_loader_poll(cache->loader, WAIT_STEP_MS);
	}
	if (m->loading)
		symbol_loader_give_up(cache->loader, m);
}

/* Wait for @m within the limits; otherwise only poll, at intervals. */
static void wait_for(struct file_cache *cache, struct mapped *m)
{
	uint64_t now = sys_now_ns(), began, left;

	if (!*cache->proc) {
		wait_long(cache, m);
		return;
	}
	if (now < cache->patient_at + LOOK_NS && now >= m->wait_until)
		return;
	regain_patience(cache, now);
	symbol_loader_poll(cache->loader, 0);
	while (m->loading && now < m->wait_until && cache->patience > MS_NS) {
		began = now;
		left = MIN(m->wait_until - now, cache->patience);
		symbol_loader_poll(cache->loader, (int)(left / MS_NS) + 1);
		now = sys_now_ns();
		cache->patience -= MIN(cache->patience, now - began);
		cache->patient_at = now;
	}
}

static void ask(struct file_cache *cache, struct mapped *m, pid_t pid,
		const struct process_map *map, uint64_t now_ns)
{
	m->loading = true;
	m->found = false;
	m->waiting = symbol_loader_ask(cache->loader, pid, map, m) != 0;
	if (m->waiting) {
		m->loading = false;
		return;
	}
	m->retry_at = now_ns + RETRY_NS;
	if (m->loading)
		m->wait_until = sys_now_ns() +
				(*cache->proc ? WAIT_NS : WAIT_LONG_NS);
}

static bool is_wanted(const struct mapped *m)
{
	return !m->hangs &&
	       (!m->file || (!m->file->elf && !m->file->damaged));
}

/* Request @m, unless that failed recently. */
static void load(struct file_cache *cache, struct mapped *m, pid_t pid,
		 const struct process_map *map, uint64_t now_ns)
{
	if (!m->loading) {
		if (now_ns < m->retry_at)
			return;
		ask(cache, m, pid, map, now_ns);
	}
	if (m->loading || m->waiting)
		wait_for(cache, m);
}

struct elf_symbols *file_cache_symbols(struct file_cache *cache, pid_t pid,
				       struct process_map *map,
				       uint64_t now_ns)
{
	struct mapped *m = map->file ? map->file : get_mapped(cache, map);

	map->file = m;
	if (!m)
		return NULL;
	if (is_wanted(m))
		load(cache, m, pid, map, now_ns);
	if (!m->file || !m->file->elf)
		return NULL;
	m->file->used = ++cache->clock;
	return m->file->elf;
}

bool file_cache_is_loading(const struct process_map *map)
{
	const struct mapped *m = map->file;

	return m && is_wanted(m) && (m->loading || m->waiting);
}

void file_cache_stop(struct file_cache *cache)
{
	atomic_store(&cache->stopped, true);
}

struct symbol_loader *file_cache_loader(const struct file_cache *cache)
{
	return cache->loader;
}

bool file_cache_evict(struct file_cache *cache)
{
	struct file *oldest = NULL;

	if (cache->loaded < 2)
		return false;
	for (size_t i = 0; i < cache->files.len; i++) {
		struct file *file = cache->files.entries[i].item;

		if (file->elf && (!oldest || file->used < oldest->used))
			oldest = file;
	}
	if (!oldest)
		return false;
	let_go(cache, oldest);
	cache->evicted++;
	return true;
}

static void mark_files(struct process_maps *maps)
{
	for (size_t i = 0; i < process_maps_len(maps); i++) {
		struct mapped *m = process_maps_at(maps, i)->file;

		if (m)
			m->in_use = true;
	}
}

static void mark_in_use(struct process_table *table)
{
	for (size_t i = 0; i < process_table_len(table); i++) {
		struct process *p = process_table_at(table, i);

		mark_files(p->maps);
		if (p->former)
			mark_files(p->former);
	}
}

void file_cache_sweep(struct file_cache *cache, struct process_table *table)
{
	mark_in_use(table);
	for (size_t i = cache->mapped.len; i-- > 0;) {
		struct mapped *m = cache->mapped.entries[i].item;

		if (m->in_use || m->loading) {
			m->in_use = false;
			continue;
		}
		put_file(cache, m->file);
		table_remove(&cache->mapped, m->key, m);
		free(m);
	}
}

size_t file_cache_len(const struct file_cache *cache)
{
	return cache->loaded;
}

size_t file_cache_bytes(const struct file_cache *cache)
{
	return cache->bytes + cache->mapped.len * sizeof(struct mapped) +
	       cache->files.len * sizeof(struct file);
}

size_t file_cache_cut(const struct file_cache *cache)
{
	return cache->cut;
}

uint64_t file_cache_evicted(const struct file_cache *cache)
{
	return cache->evicted;
}

size_t file_cache_known(const struct file_cache *cache)
{
	return cache->mapped.len;
}
