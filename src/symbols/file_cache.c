/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/file_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/text.h"
#include "symbols/elf_symbols.h"
#include "symbols/key_table.h"
#include "symbols/process_table.h"

#define RETRY_NS 1000000000ull

/* A file as it was when it was opened. */
struct file {
	struct key_node node;		/* first; by inode */
	dev_t dev;
	ino_t inode;
	off_t size;
	struct timespec mtime;
	struct elf_symbols *elf;	/* NULL: let go, or none */
	size_t bytes;			/* of them */
	bool damaged;			/* no use trying again */
	uint64_t used;			/* when, by cache->clock */
	size_t refs;			/* of mapped ones */
};

/* What a mapping says that it is of; process_map.file points here. */
struct mapped {
	struct key_node node;		/* first; by a hash of the others */
	uint64_t dev, inode;
	struct elf_build_id build_id;
	const char *path;
	bool deleted;
	bool in_use;			/* while sweeping */
	struct file *file;		/* NULL: not found */
	uint64_t retry_at;		/* ns */
};

struct file_cache {
	char proc[PATH_MAX / 2];
	char debug_root[PATH_MAX];
	size_t max_bytes;
	struct key_table mapped, files;
	size_t loaded, cut, bytes;
	uint64_t clock, evicted;
};

struct file_cache *file_cache_new(const struct file_cache_opts *opts)
{
	struct file_cache *cache = calloc(1, sizeof(*cache));

	if (!cache)
		return NULL;
	snprintf(cache->proc, sizeof(cache->proc), "%s", opts->proc);
	snprintf(cache->debug_root, sizeof(cache->debug_root), "%s",
		 opts->debug_root ? opts->debug_root : "/usr/lib/debug");
	cache->max_bytes = opts->max_bytes;
	if (key_table_init(&cache->mapped) || key_table_init(&cache->files)) {
		file_cache_free(cache);
		return NULL;
	}
	return cache;
}

void file_cache_free(struct file_cache *cache)
{
	struct key_walk mapped = { 0 }, files = { 0 };
	struct key_node *node;

	if (!cache)
		return;
	while ((node = key_table_walk(&cache->mapped, &mapped)))
		free(node);
	while ((node = key_table_walk(&cache->files, &files))) {
		elf_symbols_free(((struct file *)node)->elf);
		free(node);
	}
	key_table_free(&cache->mapped);
	key_table_free(&cache->files);
	free(cache);
}

/* Paths are kept names: equal ones are the same pointer. */
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
	uint64_t id = 0;

	memcpy(&id, map->build_id.bytes, sizeof(id));
	return (uintptr_t)map->path ^ map->dev ^ map->inode << 16 ^ id;
}

static struct mapped *get_mapped(struct file_cache *cache,
				 struct process_map *map)
{
	uint64_t key = key_of(map);
	struct key_node *node = key_table_find(&cache->mapped, key);
	struct mapped *m;

	while (node && !is_of((struct mapped *)node, map))
		node = key_table_again(node);
	if (node)
		return (struct mapped *)node;
	m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->node.key = key;
	m->dev = map->dev;
	m->inode = map->inode;
	m->build_id = map->build_id;
	m->path = map->path;
	m->deleted = map->deleted;
	key_table_add(&cache->mapped, &m->node);
	return m;
}

static bool build_id_fits(int fd, const struct elf_build_id *want)
{
	struct elf_build_id id;

	return !elf_symbols_build_id(fd, &id) && id.len == want->len &&
	       !memcmp(id.bytes, want->bytes, id.len);
}

/*
 * Whether fstat(2) and the record may speak of the same device: with layers
 * and subvolumes each gives a number of its own, which are without a major.
 */
static bool same_device(const struct process_map *map, const struct stat *st)
{
	return st->st_dev == map->dev || !major(st->st_dev) ||
	       !major(map->dev);
}

/* What @path, an entry of map_files, leads to, as @map would call it. */
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
 * The very mapping, whatever its path leads to now; or the one that has taken
 * its place since, which another file may be of.  So by build-id; by inode,
 * where both number alike; else by name.
 */
static int open_mapping(const struct file_cache *cache, pid_t pid,
			const struct process_map *map, struct stat *st)
{
	char path[PATH_MAX];
	bool same;
	int fd;

	snprintf(path, sizeof(path), "%s/%d/map_files/%" PRIx64 "-%" PRIx64,
		 cache->proc, pid, map->start, map->end);
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
 * What lies at the path below @root, if it is what is mapped.  Where nothing
 * tells, only the process' own root ("" is ours) is believed.
 */
static int open_path(const char *root, const struct process_map *map,
		     struct stat *st)
{
	char path[2 * PATH_MAX];
	bool same;
	int fd;

	/* anonymous memory's names are no paths */
	if (map->kind != MAP_KIND_FILE)
		return -EINVAL;
	snprintf(path, sizeof(path), "%s%s", root, map->path);
	fd = sys_open_plain(AT_FDCWD, path, O_NOFOLLOW, st);
	if (fd < 0)
		return fd;
	if (map->build_id.len)
		same = build_id_fits(fd, &map->build_id);
	else if (map->inode)
		same = st->st_ino == map->inode && same_device(map, st);
	else
		same = *root && !map->deleted;
	if (same)
		return fd;
	sys_close(fd);
	return -ESTALE;
}

/* @root is set to where the process' own files are. */
static int open_mapped(const struct file_cache *cache, pid_t pid,
		       const struct process_map *map, char *root, size_t size,
		       struct stat *st)
{
	int fd;

	snprintf(root, size, "%s/%d/root", cache->proc, pid);
	fd = open_mapping(cache, pid, map, st);
	if (fd < 0)
		fd = open_path(root, map, st);
	if (fd < 0)
		fd = open_path("", map, st);
	/* its process is gone, or not for us to look into */
	if (sys_access(root, X_OK))
		root[0] = '\0';
	return fd;
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
	struct key_node *node = key_table_find(&cache->files, st->st_ino);
	struct file *file;

	while (node && !same_file((struct file *)node, st))
		node = key_table_again(node);
	if (node)
		return (struct file *)node;
	file = calloc(1, sizeof(*file));
	if (!file)
		return NULL;
	file->node.key = st->st_ino;
	file->dev = st->st_dev;
	file->inode = st->st_ino;
	file->size = st->st_size;
	file->mtime = st->st_mtim;
	key_table_add(&cache->files, &file->node);
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
	key_table_remove(&cache->files, &file->node);
	free(file);
}

static void read_symbols(struct file_cache *cache, struct file *file, int fd,
			 const char *path, const char *root)
{
	const struct elf_symbols_opts opts = {
		.debug_root = cache->debug_root,
		.prefix = root,
		.max_bytes = cache->max_bytes,
	};
	int ret;

	if (file->elf || file->damaged)
		return;
	ret = elf_symbols_read(fd, path, &opts, &file->elf);
	if (ret) {
		file->elf = NULL;
		file->damaged = ret != -ENOMEM;
		return;
	}
	cache->loaded++;
	cache->cut += elf_symbols_cut(file->elf);
	file->bytes = elf_symbols_bytes(file->elf);
	cache->bytes += file->bytes;
}

static void load(struct file_cache *cache, struct mapped *m, pid_t pid,
		 const struct process_map *map)
{
	char root[PATH_MAX];
	struct file *file;
	struct stat st;
	int fd = open_mapped(cache, pid, map, root, sizeof(root), &st);

	if (fd < 0)
		return;
	file = get_file(cache, &st);
	if (file && file != m->file) {
		file->refs++;
		put_file(cache, m->file);
		m->file = file;
	}
	if (file)
		read_symbols(cache, file, fd, map->path, root);
	sys_close(fd);
}

const char *file_cache_find(struct file_cache *cache, pid_t pid,
			    struct process_map *map, uint64_t offset,
			    uint64_t now_ns, struct names *names,
			    uint64_t *start)
{
	struct mapped *m = map->file ? map->file : get_mapped(cache, map);

	map->file = m;
	if (!m)
		return NULL;
	if (!m->file || (!m->file->elf && !m->file->damaged)) {
		if (now_ns < m->retry_at)
			return NULL;
		m->retry_at = now_ns + RETRY_NS;
		load(cache, m, pid, map);
	}
	if (!m->file || !m->file->elf)
		return NULL;
	m->file->used = ++cache->clock;
	return elf_symbols_find(m->file->elf, offset, names, start);
}

bool file_cache_evict(struct file_cache *cache)
{
	struct key_walk walk = { 0 };
	struct file *oldest = NULL;
	struct key_node *node;

	if (cache->loaded < 2)
		return false;
	while ((node = key_table_walk(&cache->files, &walk))) {
		struct file *file = (struct file *)node;

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
	struct key_walk walk = { 0 };
	struct process *p;

	while ((p = process_table_walk(table, &walk))) {
		mark_files(p->maps);
		if (p->former)
			mark_files(p->former);
	}
}

void file_cache_sweep(struct file_cache *cache, struct process_table *table)
{
	struct key_walk walk = { 0 };
	struct key_node *node;

	mark_in_use(table);
	while ((node = key_table_walk(&cache->mapped, &walk))) {
		struct mapped *m = (struct mapped *)node;

		if (m->in_use) {
			m->in_use = false;
			continue;
		}
		put_file(cache, m->file);
		key_table_remove(&cache->mapped, node);
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
