/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/text.h"
#include "symbols/elf/elf_symbols.h"

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
