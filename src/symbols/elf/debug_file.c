/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/elf/debug_file.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sys.h"
#include "symbols/elf/elf_file.h"

enum {
	CHECKED_MAX = 256 << 20,	/* bytes; larger ones are not summed */
	SMALL = 1 << 20,		/* files up to this size are not checked
					 * for being sparse */
	SPARSE = 64,			/* size relative to stored bytes: larger
					 * than any compressed debug file's */
	HEX_MAX = 2 * ELF_BUILD_ID_MAX + 1,
	SUMS = 64,			/* checksums kept */
	USERS = 16,			/* accounts; users may share one, so
					 * that many ids give a user no more */
};

/* The checksum of a file as it was then. */
struct sum {
	bool in_use;
	dev_t dev;
	ino_t inode;
	off_t size;
	struct timespec mtime, ctime;
	bool computed;			/* false: it took too long */
	uint32_t crc;
};

struct account {
	double left;			/* bytes, negative if overdrawn */
	double at;			/* sys_now() of that */
};

struct debug_budget {
	double max, per_second;
	uint64_t read;
	struct account users[USERS];	/* the first: root's alone */
	struct sum sums[SUMS];
	size_t next;			/* to be replaced */
};

struct debug_budget *debug_file_budget_new(uint64_t max, uint64_t minute)
{
	struct debug_budget *budget = calloc(1, sizeof(*budget));

	if (!budget)
		return NULL;
	budget->max = (double)max;
	budget->per_second = (double)minute / 60;
	for (size_t i = 0; i < USERS; i++)
		budget->users[i].left = budget->max;
	return budget;
}

void debug_file_budget_free(struct debug_budget *budget)
{
	free(budget);
}

uint64_t debug_file_budget_read(const struct debug_budget *budget)
{
	return budget->read;
}

static struct account *account_of(const struct debug_file *want)
{
	return &want->budget->users[want->owner ?
					    1 + want->owner % (USERS - 1) : 0];
}

static bool affords(const struct debug_file *want, off_t bytes)
{
	double now = sys_now();
	struct account *user;

	if (!want->budget)
		return true;
	user = account_of(want);
	user->left = fmin(want->budget->max,
			  user->left + (now - user->at) *
					       want->budget->per_second);
	user->at = now;
	return user->left > 0 && user->left >= (double)bytes;
}

/* A file may say that its symbol table is of any size. */
void debug_file_charge(const struct debug_file *want, uint64_t bytes)
{
	if (want->budget)
		account_of(want)->left -= fmin((double)bytes,
					       want->budget->max);
}

/* Locations, most trusted first. */
enum place {
	IN_PERF_CACHE,		/* ~/.debug/.build-id/xx/yy/debug ... */
	IN_PERF_CACHE_WHOLE,	/* ... and elf, with symbols or without */
	BY_BUILD_ID,		/* ROOT/.build-id/xx/yy.debug */
	BY_PATH,		/* ROOT/DIR/FILE.debug */
	BY_LINK_BESIDE,		/* DIR/LINK */
	BY_LINK_BELOW,		/* DIR/.debug/LINK */
	BY_LINK_IN_ROOT,	/* ROOT/DIR/LINK */
	BY_BUILD_ID_HERE,	/* on this machine, for a process in a
				 * container */
	IN_DEBUGINFOD_CACHE,	/* debuginfod_find_debuginfo(3)'s */
	END
};

void debug_file_read_link(struct debug_file *want, struct elf_file *f)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = elf_file_section(f, SHT_PROGBITS, ".gnu_debuglink",
					&shdr);
	Elf_Data *data = scn ? elf_file_data(f, scn) : NULL;
	const char *name = data ? elf_file_string(data, 0) : NULL;
	size_t at;

	want->link = NULL;
	if (!name || !*name || strchr(name, '/') || !strcmp(name, ".."))
		return;
	at = (strlen(name) + 4) & ~(size_t)3;
	if (at + 4 > data->d_size)
		return;
	memcpy(&want->crc, (const char *)data->d_buf + at, 4);
	if (f->swapped)
		want->crc = __builtin_bswap32(want->crc);
	want->link = name;
}

/* False if there is none. */
static bool build_id_hex(const struct debug_file *want, char hex[HEX_MAX])
{
	if (want->id.len < 2)
		return false;
	for (size_t i = 0; i < want->id.len; i++)
		snprintf(hex + 2 * i, 3, "%02x", want->id.bytes[i]);
	return true;
}

static int build_id_path(const struct debug_file *want, const char *prefix,
			 char *path, size_t size)
{
	char hex[HEX_MAX];

	if (!build_id_hex(want, hex))
		return -1;
	return snprintf(path, size, "%s%s/.build-id/%.2s/%s.debug", prefix,
			want->root, hex, hex + 2);
}

/*
 * A directory from the environment.  NULL if not set, or if rbtop has more
 * privileges (file capabilities) than its user.
 */
static const char *directory(const char *variable)
{
	const char *dir = secure_getenv(variable);

	return dir && dir[0] == '/' ? dir : NULL;
}

static int perf_cache_path(const struct debug_file *want, const char *file,
			   char *path, size_t size)
{
	const char *home = directory("HOME");
	char hex[HEX_MAX];

	if (!home || !build_id_hex(want, hex))
		return -1;
	return snprintf(path, size, "%s/.debug/.build-id/%.2s/%s/%s", home,
			hex, hex + 2, file);
}

/* debuginfod_find_debuginfo(3), "CACHE". */
static int debuginfod_path(const struct debug_file *want, char *path,
			   size_t size)
{
	const char *below = "", *dir = directory("DEBUGINFOD_CACHE_PATH");
	char hex[HEX_MAX];

	if (!dir) {
		below = "/debuginfod_client";
		dir = directory("XDG_CACHE_HOME");
	}
	if (!dir) {
		below = "/.cache/debuginfod_client";
		dir = directory("HOME");
	}
	if (!dir || !build_id_hex(want, hex))
		return -1;
	return snprintf(path, size, "%s%s/%s/debuginfo", dir, below, hex);
}

static bool is_cache(enum place place)
{
	return place == IN_PERF_CACHE || place == IN_PERF_CACHE_WHOLE ||
	       place == IN_DEBUGINFOD_CACHE;
}

/* Whether @user, or root, has made it, and no other user can write to it. */
static bool is_from(uid_t user, const struct stat *st)
{
	return (st->st_uid == user || st->st_uid == 0) &&
	       !(st->st_mode & S_IWOTH);
}

/*
 * Whether only the path connects the file with the program.  In a mount
 * namespace of their own, users can put anything at that path.
 */
static bool is_by_path_alone(const struct debug_file *want, enum place place)
{
	return place == BY_PATH && !want->id.len;
}

/*
 * Whether such a file may be used: it belongs to the user who runs the program,
 * or to root, and then everybody may read it, as rbtop may be able to read
 * more; and others cannot write to it.
 */
static bool is_trusted(const struct debug_file *want, const struct stat *st)
{
	return is_from(want->owner, st) &&
	       (st->st_uid == want->owner || st->st_mode & S_IROTH);
}

/* Returns the length as snprintf(3); negative if there is no such location. */
static int place_path(const struct debug_file *want, enum place place,
		      char *path, size_t size)
{
	const char *slash = strrchr(want->path, '/');
	int dir = slash ? (int)(slash - want->path) : 0;

	if (place == IN_DEBUGINFOD_CACHE)
		return debuginfod_path(want, path, size);
	if (place == IN_PERF_CACHE)
		return perf_cache_path(want, "debug", path, size);
	if (place == IN_PERF_CACHE_WHOLE)
		return perf_cache_path(want, "elf", path, size);
	if (place == BY_BUILD_ID)
		return build_id_path(want, want->prefix, path, size);
	if (place == BY_BUILD_ID_HERE)
		return *want->prefix ? build_id_path(want, "", path, size) : -1;
	if (want->path[0] != '/')
		return -1;
	if (place == BY_PATH)
		return snprintf(path, size, "%s%s%s.debug", want->prefix,
				want->root, want->path);
	if (!want->link)
		return -1;
	if (place == BY_LINK_IN_ROOT)
		return snprintf(path, size, "%s%s%.*s/%s", want->prefix,
				want->root, dir, want->path, want->link);
	return snprintf(path, size, "%s%.*s%s/%s", want->prefix, dir,
			want->path, place == BY_LINK_BELOW ? "/.debug" : "",
			want->link);
}

/* A large file with few stored bytes, made to be slow to checksum. */
static bool is_sparse(const struct stat *st)
{
	return st->st_size > SMALL &&
	       st->st_blocks < st->st_size / (512 * SPARSE);
}

static bool is_late(const struct debug_file *want)
{
	return want->until > 0 && sys_now() > want->until;
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* The checksum of a file, if it was tried before and has not changed. */
static const struct sum *find_sum(const struct debug_budget *budget,
				  const struct stat *st)
{
	for (size_t i = 0; budget && i < SUMS; i++) {
		const struct sum *sum = &budget->sums[i];

		if (sum->in_use && sum->inode == st->st_ino &&
		    sum->dev == st->st_dev && sum->size == st->st_size &&
		    same_time(&sum->mtime, &st->st_mtim) &&
		    same_time(&sum->ctime, &st->st_ctim))
			return sum;
	}
	return NULL;
}

/* Sets sum->computed and sum->crc. */
static void compute_sum(const struct debug_file *want, int fd, struct sum *sum)
{
	uint8_t buf[65536];
	ssize_t got;
	off_t at = 0;

	while ((got = pread(fd, buf, sizeof(buf), at)) > 0) {
		sum->crc = lzma_crc32(buf, (size_t)got, sum->crc);
		at += got;
		if (at > CHECKED_MAX || is_late(want))
			break;
	}
	sum->in_use = got >= 0;
	sum->computed = !got;
	debug_file_charge(want, (uint64_t)at);
	if (want->budget)
		want->budget->read += (uint64_t)at;
}

/*
 * Whether the checksum of .gnu_debuglink matches; false also if computing it
 * takes too long, or more than the budget.
 */
static bool crc_matches(const struct debug_file *want, int fd,
			const struct stat *st)
{
	struct sum sum = {
		.in_use = true,
		.dev = st->st_dev,
		.inode = st->st_ino,
		.size = st->st_size,
		.mtime = st->st_mtim,
		.ctime = st->st_ctim,
	};
	const struct sum *known = find_sum(want->budget, st);

	if (known)
		return known->computed && known->crc == want->crc;
	if (is_sparse(st) || st->st_size > CHECKED_MAX ||
	    !affords(want, st->st_size))
		return false;
	compute_sum(want, fd, &sum);
	if (want->budget) {
		want->budget->sums[want->budget->next] = sum;
		want->budget->next = (want->budget->next + 1) % SUMS;
	}
	return sum.computed && sum.crc == want->crc;
}

/* Whether the file at @fd was split from the one searched for. */
static bool belongs(const struct debug_file *want, enum place place, int fd,
		    const struct stat *st)
{
	struct elf_build_id id;
	struct elf_file f;
	bool has_id;

	if (elf_file_open(&f, fd))
		return false;
	has_id = !elf_file_build_id(&f, &id);
	elf_file_close(&f);
	if (want->id.len || has_id)
		return want->id.len == id.len &&
		       !memcmp(want->id.bytes, id.bytes, id.len);
	return place == BY_PATH ? is_trusted(want, st) :
				  crc_matches(want, fd, st);
}

int debug_file_open(const struct debug_file *want, unsigned int n, char *path,
		    size_t size)
{
	enum place place = n;
	const char *root;
	struct stat st;
	int len, fd;

	if (n >= END || is_late(want))
		return -ERANGE;
	len = place_path(want, place, path, size);
	if (len < 0 || (size_t)len >= size)
		return -ENOENT;
	/*
	 * Distributions have links below .build-id, so they are followed: the
	 * build-id of the file is checked.  Links below a cache belong to it;
	 * what counts is the owner of the file they lead to.  Where nothing is
	 * checked, they could lead into directories closed to their maker.
	 */
	root = is_cache(place) || place == BY_BUILD_ID_HERE ? "" :
							      want->prefix;
	fd = sys_open_in_root(root, path + strlen(root),
			      is_by_path_alone(want, place) ? O_NOFOLLOW : 0,
			      &st);
	if (fd < 0)
		return -ENOENT;
	if (affords(want, 0) && (!is_cache(place) || is_from(geteuid(), &st)) &&
	    belongs(want, place, fd, &st))
		return fd;
	close(fd);
	return -ENOENT;
}
