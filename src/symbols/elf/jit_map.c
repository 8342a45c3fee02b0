/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/elf/jit_map.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/proc.h"
#include "base/sys.h"
#include "symbols/elf/symbol_table.h"

enum {
	LINE_BYTES = 8192,	/* limit of a line, newline included */
	CHUNK = 65536,		/* bytes read at a time */
	NOISE_LINES = 4096,	/* this many bad lines, ... */
	NOISE_RATIO = 4,	/* ... and fewer good ones than 1/4 of it */
	STATUS_MAX = 8192,
	SLICES = 1024,		/* that are read at once of a recorded one */
};

/* Largest size of a function. */
#define SIZE_LIMIT ((uint64_t)1 << 30)

struct jit_map {
	struct symbol_table *table;
	int fd;
	uid_t owner;
	size_t max_bytes;
	off_t at;		/* position up to which the file was read */
	size_t bad, good;
	bool closed;		/* noise, or out of memory: do not read more */
	bool skipping;		/* skipping a line that is too long */
	bool cut;		/* names were dropped at the limit */
	size_t nr_held;
	char held[LINE_BYTES];	/* start of an incomplete line */
	char *root;		/* for opening it again */
	char name[sizeof("perf-.map") + 3 * sizeof(long)];
};

/* Whether it is a regular file of @owner or root.  0 or -EPERM. */
static int check_file(const struct stat *st, uid_t owner)
{
	if (!S_ISREG(st->st_mode))
		return -EPERM;
	return st->st_uid == owner || !st->st_uid ? 0 : -EPERM;
}

/*
 * Open @name in the directory tmp of @root, neither of which may be a link.  A
 * descriptor, or -errno: -EPERM if it does not belong to @owner.
 */
static int open_map(const char *root, const char *name, uid_t owner)
{
	char path[sizeof(((struct jit_map *)0)->name) + sizeof("/tmp/")];
	struct stat st;
	int fd, err;

	snprintf(path, sizeof(path), "/tmp/%s", name);
	fd = sys_open_in_root(root, path, O_NOFOLLOW, &st);
	if (fd < 0)
		return fd == -ELOOP || fd == -EINVAL ? -EPERM : fd;
	err = check_file(&st, owner);
	if (err)
		close(fd);
	return err ? err : fd;
}

/* Parse hex digits at *@text; false if there are none, or too many. */
static bool take_hex(const char **text, uint64_t *value)
{
	const char *c = *text;

	*value = 0;
	for (; isxdigit((unsigned char)*c); c++) {
		unsigned int digit = (unsigned char)*c;

		if (*value >> 60)
			return false;
		digit = isdigit((int)digit) ? digit - '0' :
					      (digit | 0x20) - 'a' + 10;
		*value = *value << 4 | digit;
	}
	if (c == *text)
		return false;
	*text = c;
	return true;
}

/* Parse "START SIZE name", with hex numbers.  False for anything else. */
static bool take_line(struct jit_map *map, const char *line)
{
	uint64_t start, size;

	if (!take_hex(&line, &start) || *line++ != ' ' ||
	    !take_hex(&line, &size) || *line++ != ' ' || !*line)
		return false;
	if (size > SIZE_LIMIT || start + size < start)
		return false;
	if (symbol_table_replace(map->table, start, size, line))
		map->closed = true;
	return true;
}

/* Drop all names.  0 or -ENOMEM. */
static int forget_names(struct jit_map *map)
{
	struct symbol_table *table = symbol_table_new();

	if (!table)
		return -ENOMEM;
	symbol_table_free(map->table);
	map->table = table;
	return 0;
}

/*
 * At the limit all names are dropped, and following lines use the space: if old
 * names were kept, new code at their addresses would get them.
 */
static void end_line(struct jit_map *map)
{
	char *line = map->held;
	size_t len = map->nr_held;

	map->nr_held = 0;
	if (map->skipping) {
		map->skipping = false;
		return;
	}
	if (len && line[len - 1] == '\r')
		len--;
	line[len] = '\0';
	if (strlen(line) == len && take_line(map, line))
		map->good++;
	else
		map->bad++;
	if (symbol_table_bytes(map->table) < map->max_bytes)
		return;
	map->cut = true;
	if (forget_names(map))
		map->closed = true;
}

/* Keep an incomplete line until the rest is read. */
static void hold(struct jit_map *map, const char *piece, size_t len)
{
	if (map->nr_held + len >= sizeof(map->held)) {
		map->nr_held = 0;
		map->skipping = true;
		map->bad++;
	} else if (!map->skipping) {
		memcpy(map->held + map->nr_held, piece, len);
		map->nr_held += len;
	}
}

static void take_text(struct jit_map *map, const char *text, size_t len)
{
	while (len && !map->closed) {
		const char *end = memchr(text, '\n', len);
		size_t piece = end ? (size_t)(end - text) : len;

		hold(map, text, piece);
		if (!end)
			break;
		end_line(map);
		text += piece + 1;
		len -= piece + 1;
	}
	if (map->bad > NOISE_LINES && map->bad / NOISE_RATIO > map->good)
		map->closed = true;
}

/* Reset to the start of the file.  0 or -ENOMEM. */
static int start_over(struct jit_map *map)
{
	int err = forget_names(map);

	if (err)
		return err;
	map->at = 0;
	map->bad = map->good = map->nr_held = 0;
	map->closed = map->skipping = map->cut = false;
	return 0;
}

/* Read up to JIT_MAP_SLICE; the next call continues. */
static ssize_t read_on(struct jit_map *map)
{
	off_t from = map->at;
	ssize_t got = 1;
	char *chunk = malloc(CHUNK);

	if (!chunk)
		return -ENOMEM;
	while (!map->closed && map->at - from < JIT_MAP_SLICE && got > 0) {
		got = pread(map->fd, chunk, CHUNK, map->at);
		if (got > 0) {
			map->at += got;
			take_text(map, chunk, (size_t)got);
		}
	}
	if (got < 0)
		got = -errno;
	free(chunk);
	return got < 0 ? got : map->at - from;
}

/* If the file was unlinked, open a newer one with its name. */
static int follow_name(struct jit_map *map)
{
	int fd = open_map(map->root, map->name, map->owner), err;

	if (fd < 0)
		return fd;
	err = start_over(map);
	if (err) {
		close(fd);
		return err;
	}
	close(map->fd);
	map->fd = fd;
	return 0;
}

ssize_t jit_map_refresh(struct jit_map *map)
{
	struct stat st;
	int err = 0;

	if (fstat(map->fd, &st))
		return -errno;
	if (!st.st_nlink)
		err = follow_name(map);
	else if (st.st_size < map->at)
		err = start_over(map);
	if (err || map->closed)
		return err;
	return read_on(map);
}

/* Owns @fd and @root, also on failure. */
static int read_opened(int fd, char *root, const char *name, uid_t owner,
		       size_t max_bytes, struct jit_map **out)
{
	struct jit_map *map = calloc(1, sizeof(*map));
	ssize_t err;

	if (!map) {
		free(root);
		close(fd);
		return -ENOMEM;
	}
	map->fd = fd;
	map->root = root;
	map->owner = owner;
	map->max_bytes = max_bytes;
	snprintf(map->name, sizeof(map->name), "%s", name);
	err = start_over(map);
	if (!err)
		err = read_on(map);
	if (err < 0) {
		jit_map_free(map);
		return (int)err;
	}
	*out = map;
	return 0;
}

/*
 * The pid of @pid in its own namespace, the last number of NStgid:
 * proc_pid_status(5).  0 or -errno.
 */
static int read_inner(const char *proc, pid_t pid, long *inner)
{
	char path[256], text[STATUS_MAX];
	const char *line;
	ssize_t len;
	int end;

	snprintf(path, sizeof(path), "%s/%d/status", proc, (int)pid);
	len = sys_read_file(path, text, sizeof(text));
	if (len < 0)
		return (int)len;
	*inner = pid;
	line = strstr(text, "\nNStgid:");
	if (!line)
		return 0;
	line += sizeof("\nNStgid:") - 1;
	while (*line == '\t' && sscanf(line, "\t%ld%n", inner, &end) == 1)
		line += end;
	return *inner > 0 ? 0 : -EINVAL;
}

int jit_map_open(const char *proc, pid_t pid, pid_t via, size_t max_bytes,
		 struct jit_map **out)
{
	char name[sizeof(((struct jit_map *)0)->name)], *root;
	uid_t real, owner;
	long inner = pid;
	int fd, err = proc_uids(proc, via, &real, &owner);

	if (err)
		return err;
	err = read_inner(proc, pid, &inner);
	if (err && via == pid)
		return err;
	if (err)
		inner = pid;
	snprintf(name, sizeof(name), "perf-%ld.map", inner);
	if (asprintf(&root, "%s/%d/root", proc, (int)via) < 0)
		return -ENOMEM;
	fd = open_map(root, name, owner);
	if (fd < 0) {
		free(root);
		return fd;
	}
	return read_opened(fd, root, name, owner, max_bytes, out);
}

/* Whether it was created by then; or, where that is not known, changed. */
static bool was_there(int fd, int64_t written)
{
	struct statx st;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_BTIME | STATX_MTIME, &st))
		return false;
	return (st.stx_mask & STATX_BTIME ? st.stx_btime.tv_sec :
					    st.stx_mtime.tv_sec) <= written;
}

int jit_map_open_recorded(pid_t pid, int64_t written, size_t max_bytes,
			  struct jit_map **out)
{
	char name[sizeof(((struct jit_map *)0)->name)];
	struct caps_own own;
	int fd, err = 0;

	snprintf(name, sizeof(name), "perf-%d.map", (int)pid);
	caps_own_begin(&own);
	fd = open_map("", name, caps_own_uid());
	caps_own_end(&own);
	if (fd < 0)
		return fd;
	if (!was_there(fd, written)) {
		close(fd);
		return -EPERM;
	}
	err = read_opened(fd, NULL, name, 0, max_bytes, out);
	for (int i = 0; !err && i < SLICES; i++)
		if (read_on(*out) < JIT_MAP_SLICE)
			break;
	return err;
}

void jit_map_free(struct jit_map *map)
{
	if (!map)
		return;
	close(map->fd);
	symbol_table_free(map->table);
	free(map->root);
	free(map);
}

const char *jit_map_find(struct jit_map *map, uint64_t addr,
			 struct names *names, uint64_t *start)
{
	return symbol_table_find(map->table, addr, names, start);
}

size_t jit_map_bytes(const struct jit_map *map)
{
	return sizeof(*map) + symbol_table_bytes(map->table);
}

bool jit_map_cut(const struct jit_map *map)
{
	return map->cut;
}
