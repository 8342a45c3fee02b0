/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/call/call_event.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "perf/event/event_spec.h"
#include "trace/pmu/address_symbol.h"
#include "base/caps.h"
#include "base/err.h"
#include "base/proc.h"
#include "base/sys.h"
#include "samples/names.h"
#include "symbols/elf/elf_file.h"
#include "task/process_maps.h"

_Static_assert(ADDRESS_SYMBOL_ONLY == -1 && ADDRESS_SYMBOL_GLOBAL == 0,
	       "call_spec.which is one of ADDRESS_SYMBOL_*");

#define PATIENCE 30.0	/* seconds in which a file has to be read */

enum {
	NAMES_BYTES = 16 << 20,
	MAPS_MAX = 64 << 20,	/* bytes of the target's mappings */
};

static bool is_executable(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) &&
	       !sys_access(path, X_OK);
}

/* Look up @name like execvp(3) does, into @path.  False if not found. */
static bool search_program(const char *name, char path[PATH_MAX])
{
	const char *dirs = getenv("PATH");

	if (strchr(name, '/'))
		return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX;
	dirs = dirs ? dirs : "/bin:/usr/bin";
	while (*dirs) {
		size_t len = strcspn(dirs, ":");
		int n = snprintf(path, PATH_MAX, "%.*s%s%s", (int)len, dirs,
				 len ? "/" : "./", name);

		if (n < PATH_MAX && is_executable(path))
			return true;
		dirs += len + (dirs[len] == ':');
	}
	return false;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The @i-th of the tasks given with -p and -t; -1: there are no more. */
static pid_t task_at(const struct target *target, size_t i)
{
	if (i < target->nr_pids)
		return target->pids[i];
	i -= target->nr_pids;
	return i < target->nr_tids ? target->tids[i] : -1;
}

/*
 * The program that a task runs: its path if that still names the same file,
 * else the link in /proc, which also works for files in other mount namespaces
 * and for deleted ones.
 */
static int program_of(const struct call_event_env *env, pid_t task,
		      char file[PATH_MAX], struct stat *st, struct err *err)
{
	char link[64], name[PATH_MAX];
	struct stat named;
	ssize_t len;

	snprintf(link, sizeof(link), "%.40s/%d/exe", env->proc, task);
	if (stat(link, st))
		return err_errno(err, -errno, "the program of process %d",
				 task);
	len = readlink(link, name, sizeof(name) - 1);
	name[len > 0 ? len : 0] = '\0';
	if (!stat(name, &named) && same_file(&named, st))
		strcpy(file, name);
	else
		strcpy(file, link);
	return 0;
}

/* The program that all tasks of @target run. */
static int program_of_all(const struct call_event_env *env,
			  const struct target *target, char file[PATH_MAX],
			  struct err *err)
{
	struct stat first, st;
	char other[PATH_MAX];
	int ret;

	if (task_at(target, 0) < 0)
		return err_usage(err,
				 "no program or process is given: use call:PATH:FUNC");
	ret = program_of(env, task_at(target, 0), file, &first, err);
	for (size_t i = 1; !ret && task_at(target, i) >= 0; i++) {
		ret = program_of(env, task_at(target, i), other, &st, err);
		if (!ret && !same_file(&st, &first))
			ret = err_usage(err,
					"the processes run different programs, %s and %s: use call:PATH:FUNC",
					file, other);
	}
	return ret;
}

static int find_file(const struct call_event_env *env,
		     const struct call_spec *spec, const struct target *target,
		     const char *program, struct call_place *place,
		     struct err *err)
{
	char path[PATH_MAX];

	place->is_program = program && !spec->path[0];
	if (!program && !spec->path[0])
		return program_of_all(env, target, place->file, err);
	if (spec->path[0])
		strcpy(path, spec->path);
	else if (!search_program(program, path))
		return err_set(err, -ENOENT, "%s: no such command", program);
	if (!realpath(path, place->file))
		return err_errno(err, -errno, "%s", path);
	return 0;
}

static int find_start(const struct call_event_env *env,
		      const struct call_spec *spec, struct call_place *place,
		      struct err *err)
{
	const struct address_symbol_place where = {
		.file = place->kernel ? NULL : place->file,
		.kallsyms = env->kallsyms,
	};
	char text[sizeof(err->text)];
	struct address_range range;
	int ret;

	if (!spec->function[0]) {
		place->start = spec->offset;
		return 0;
	}
	ret = address_symbol_find(&where, spec->function, spec->which, &range,
				  err);
	if (ret && !spec->path[0] && err->kind == ERR_USAGE) {
		strcpy(text, err->text);
		return err_usage(err, "%.400s; %s", text, place->kernel ?
				 "to search a program or library, use call:PATH:FUNC" :
				 "to search another file, use call:PATH:FUNC; to search the kernel, add -a or -C");
	}
	place->start = ret ? 0 : range.start;
	return ret;
}

/* What is searched for, and what was found, in another process: see ask(). */
struct question {
	const struct call_event_env *env;
	const struct call_spec *spec;
	const struct target *target;
	const char *program;
	const struct call_place *place;
};

struct answer {
	int ret;
	struct err err;
	struct call_place place;
	uint64_t address;
};

/*
 * The file may be on a file system that does not answer: have it opened by
 * another process, so that rbtop can be ended.
 */
static int ask(void (*fn)(void *ctx, void *result), struct question *q,
	       const char *file, struct answer *a, struct err *err)
{
	int ret = proc_aside(fn, q, a, sizeof(*a), PATIENCE);

	if (ret == -ETIMEDOUT)
		return err_set(err, ret,
			       "%s could not be read within 30 seconds: is its file system responding?",
			       file);
	if (ret == -EINTR)
		return err_set(err, ret, "interrupted while reading %s", file);
	if (ret)
		return err_errno(err, ret, "reading %s", file);
	if (a->ret && err)
		*err = a->err;
	return a->ret;
}

/* As the kernel will for a uprobe, but in rbtop: then it is cached. */
static void read_instruction(const struct call_place *place)
{
	char code[16];
	struct stat st;
	int fd = caps_open_own(place->file, &st);

	if (fd >= 0 && pread(fd, code, sizeof(code), (off_t)place->start) < 0)
		errno = 0;	/* the kernel will say why */
	sys_close(fd);
}

static void find_place(void *ctx, void *result)
{
	const struct question *q = ctx;
	struct answer *a = result;

	if (!a->place.kernel)
		a->ret = find_file(q->env, q->spec, q->target, q->program,
				   &a->place, &a->err);
	if (!a->ret)
		a->ret = find_start(q->env, q->spec, &a->place, &a->err);
	if (!a->ret && !a->place.kernel)
		read_instruction(&a->place);
}

int call_place_find(const struct call_event_env *env,
		    const struct call_spec *spec, const struct target *target,
		    const char *program, struct call_place *place,
		    struct err *err)
{
	struct question q = {
		.env = env, .spec = spec, .target = target, .program = program,
	};
	struct answer a = {
		.place.kernel = !spec->path[0] && !target_by_task(target),
	};
	int ret = ask(find_place, &q,
		      a.place.kernel ? "the kernel's symbols" :
		      spec->path[0] ? spec->path : "the program", &a, err);

	*place = a.place;
	return ret;
}

/* The address in an executable that is loaded at fixed addresses (ET_EXEC). */
static int address_in_file(const struct call_place *place, uint64_t *address,
			   struct err *err)
{
	struct elf_load *loads = NULL;
	struct elf_file elf;
	struct stat st;
	int fd = caps_open_own(place->file, &st), nr = 0, ret = -ENOENT;

	if (fd >= 0 && !elf_file_open(&elf, fd)) {
		if (elf.ehdr.e_type == ET_EXEC)
			nr = elf_file_loads(&elf, &loads);
		elf_file_close(&elf);
	}
	sys_close(fd);
	for (int i = 0; i < nr && ret; i++) {
		if (place->start - loads[i].offset >= loads[i].size)
			continue;
		*address = loads[i].vaddr + place->start - loads[i].offset;
		ret = 0;
	}
	free(loads);
	return ret ? err_set(err, ret,
			     "the load address of %s, which is a PIE, is not known before it runs: attach with -p",
			     place->file) :
		     0;
}

/* The mapping of the file @st that contains place->start, or NULL. */
static const struct process_map *map_of(struct process_maps *maps,
					const struct call_place *place,
					const struct stat *st)
{
	for (size_t i = 0; i < process_maps_len(maps); i++) {
		const struct process_map *map = process_maps_at(maps, i);

		/* on some file systems stat(2) shows another device */
		if (map->kind == MAP_KIND_FILE && map->inode == st->st_ino &&
		    (map->dev == st->st_dev || !strcmp(map->path,
						       place->file)) &&
		    place->start - map->pgoff < map->end - map->start)
			return map;
	}
	return NULL;
}

static int address_in_task(const struct call_event_env *env,
			   const struct call_place *place, pid_t task,
			   uint64_t *address, struct err *err)
{
	struct names *names = names_new(NAMES_BYTES);
	struct process_maps *maps = process_maps_new();
	const struct process_map *map = NULL;
	struct stat st;
	int ret = names && maps ? 0 : -ENOMEM;

	if (!ret && stat(place->file, &st))
		ret = -errno;
	if (!ret)
		ret = process_maps_read(maps, env->proc, task, MAPS_MAX,
					names);
	if (!ret)
		map = map_of(maps, place, &st);
	if (map)
		*address = map->start + place->start - map->pgoff;
	process_maps_free(maps);
	names_free(names);
	if (ret)
		return err_errno(err, ret, "the mappings of process %d", task);
	return map ? 0 :
		     err_set(err, -ENOENT,
			     "process %d has not mapped that part of %s", task,
			     place->file);
}

static int address_of(const struct call_event_env *env,
		      const struct call_place *place,
		      const struct target *target, const char *program,
		      uint64_t *address, struct err *err)
{
	uint64_t other = 0;
	int ret = 0;

	if (place->is_program)
		return address_in_file(place, address, err);
	if (program || task_at(target, 0) < 0)
		return err_set(err, -ENOENT,
			       "the load address of %s is not known before it is loaded: attach with -p",
			       place->file);
	for (size_t i = 0; !ret && task_at(target, i) >= 0; i++) {
		ret = address_in_task(env, place, task_at(target, i), &other,
				      err);
		if (!ret && i > 0 && other != *address)
			ret = err_set(err, -EINVAL,
				      "processes %d and %d have the function at different addresses: watch only one of them",
				      task_at(target, 0), task_at(target, i));
		*address = other;
	}
	return ret;
}

static void find_address(void *ctx, void *result)
{
	const struct question *q = ctx;
	struct answer *a = result;

	a->ret = address_of(q->env, q->place, q->target, q->program,
			    &a->address, &a->err);
}

int call_place_address(const struct call_event_env *env,
		       const struct call_place *place,
		       const struct target *target, const char *program,
		       uint64_t *address, struct err *err)
{
	struct question q = {
		.env = env, .target = target, .program = program,
		.place = place,
	};
	struct answer a = { 0 };
	int ret = ask(find_address, &q, place->file, &a, err);

	*address = a.address;
	return ret;
}
