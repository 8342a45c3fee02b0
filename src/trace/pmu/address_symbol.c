/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/pmu/address_symbol.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/caps.h"
#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"
#include "symbols/elf/elf_walk.h"
#include "symbols/elf/kallsyms.h"
#include "symbols/elf/symbol_table.h"

enum {
	MATCHES_MAX = 4096,
	LISTED_MAX = 6,		/* functions listed in an error line */
	PERF_PAGE = 4096,
};

struct match {
	uint64_t start, size;
	char bind;		/* type as in nm(1); a capital, or 'g':
				 * global */
	bool global;
};

/* Finds functions by name, and then the next start after one of them. */
struct search {
	const char *name;
	struct match *matches;
	size_t nr, room;
	uint64_t after, next;	/* lowest start above @after */
	uint64_t first, last;	/* starts of all functions of the kernel */
	bool shown;		/* addresses of the kernel */
};

static int add_match(struct search *s, const struct match *match)
{
	struct match *place;

	/* versions of a symbol share an address */
	for (size_t i = 0; i < s->nr; i++) {
		if (s->matches[i].start != match->start)
			continue;
		s->matches[i].global |= match->global;
		return 0;
	}
	if (s->nr == MATCHES_MAX)
		return 0;
	place = array_add(s->matches, s->nr, s->room);
	if (!place)
		return -ENOMEM;
	*place = *match;
	return 0;
}

/*
 * Whether @raw is @name as in the file, where .symtab may append the default
 * version ("malloc@@GLIBC_2.2.5"), or as in the source, without arguments.
 * Only names that contain the last component of @name are demangled.
 */
static bool is_named(const char *raw, const char *name)
{
	const char *last = strstr(name, "::");
	size_t len = strlen(name);
	char *plain;
	bool same;

	if (!strncmp(raw, name, len) &&
	    (!raw[len] || !strncmp(raw + len, "@@", 2)))
		return true;
	if (!last)
		return false;
	for (const char *more = last; more; more = strstr(last, "::"))
		last = more + 2;
	if (!strstr(raw, last))
		return false;
	plain = demangle(raw);
	same = plain && !strncmp(plain, name, len) &&
	       (!plain[len] || plain[len] == '(');
	free(plain);
	return same;
}

static int visit_match(void *ctx, const struct elf_function *function)
{
	struct search *s = ctx;
	struct match match = {
		.start = function->offset,
		.size = function->size,
		.bind = function->bind,
		.global = function->bind == 'g',
	};

	return is_named(function->name, s->name) ? add_match(s, &match) : 0;
}

static void note_next(struct search *s, uint64_t start)
{
	if (start > s->after && start < s->next)
		s->next = start;
}

static int visit_next(void *ctx, const struct elf_function *function)
{
	note_next(ctx, function->offset);
	return 0;
}

static int open_file(const char *path, struct stat *st, struct err *err)
{
	int fd = caps_open_own(path, st);

	if (fd == -EINVAL)
		return err_set(err, fd, "%.200s: not a plain file", path);
	return fd < 0 ? err_errno(err, fd, "%.200s", path) : fd;
}

static int each_of_file(const char *path, elf_function_fn *fn,
			struct search *s, struct err *err)
{
	struct stat st;
	int fd = open_file(path, &st, err), ret;

	if (fd < 0)
		return fd;
	ret = elf_functions_each(fd, path, fn, s);
	sys_close(fd);
	if (ret == -ENOEXEC)
		return err_set(err, ret,
			       "%.200s is not an ELF file: use a file offset instead of a name",
			       path);
	return ret ? err_errno(err, ret, "%.200s", path) : 0;
}

/* What hides the kernel's addresses shows all of them as 0. */
static int each_of_kernel(const char *path, kallsyms_line_fn *fn,
			  struct search *s, struct err *err)
{
	int fd = sys_open_read(path), ret = fd;

	if (fd >= 0) {
		ret = kallsyms_lines_each(fd, fn, s);
		sys_close(fd);
	}
	if (ret == -ENOMEM)
		return err_set(err, ret, "out of memory");
	if (ret)
		return err_errno(err, ret, "%s", path);
	if (s->shown)
		return 0;
	return err_set(err, -EACCES,
		       "the kernel's addresses are hidden: run as root, or set kernel.kptr_restrict to 0");
}

static int each_of(const struct address_symbol_place *place,
		   elf_function_fn *of_file, kallsyms_line_fn *of_kernel,
		   struct search *s, struct err *err)
{
	return place->file ? each_of_file(place->file, of_file, s, err) :
			     each_of_kernel(place->kallsyms, of_kernel, s, err);
}

static int match_kernel(void *ctx, const struct kallsyms_line *line)
{
	struct search *s = ctx;
	struct match match = {
		.start = line->addr,
		.bind = line->type,
		.global = isupper((unsigned char)line->type),
	};

	s->shown |= line->addr != 0;
	return kallsyms_lines_is_function(line) &&
			       !strcmp(line->name, s->name) ?
		       add_match(s, &match) : 0;
}

static int next_of_kernel(void *ctx, const struct kallsyms_line *line)
{
	note_next(ctx, line->addr);
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct match *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static int ambiguous(const struct search *s, struct err *err)
{
	char name[128], list[256] = "";

	text_copy(name, sizeof(name), s->name);
	for (size_t i = 0; i < s->nr && i < LISTED_MAX; i++)
		text_append(list, sizeof(list), "%s#%zu 0x%llx %c",
			    i ? ", " : "", i + 1,
			    (unsigned long long)s->matches[i].start,
			    s->matches[i].bind);
	return err_usage(err,
			 "'%s' is the name of %zu functions: %s%s; use '%s #N', or #g for the global one",
			 name, s->nr, list, s->nr > LISTED_MAX ? ", .." : "",
			 name);
}

static int not_found(const struct address_symbol_place *place,
		     const struct search *s, int which, struct err *err)
{
	const char *where = place->file ? place->file : "the kernel";
	char name[128];

	text_copy(name, sizeof(name), s->name);
	if (which > 0)
		return err_usage(err,
				 "no function '%s #%d' in %.200s, which has %zu of that name",
				 name, which, where, s->nr);
	return err_usage(err, "no %sfunction '%s' in %.200s%s",
			 which == ADDRESS_SYMBOL_GLOBAL ? "global " : "", name,
			 where,
			 place->file ? ": if it is stripped, use a file offset instead of the name" :
				       "");
}

static void keep_global(struct search *s)
{
	size_t nr = 0;

	for (size_t i = 0; i < s->nr; i++) {
		if (s->matches[i].global)
			s->matches[nr++] = s->matches[i];
	}
	s->nr = nr;
}

/* Select a match by @which. */
static int choose(const struct address_symbol_place *place, struct search *s,
		  int which, size_t *chosen, struct err *err)
{
	if (s->nr)
		qsort(s->matches, s->nr, sizeof(*s->matches), by_start);
	if (which == ADDRESS_SYMBOL_GLOBAL)
		keep_global(s);
	if (s->nr == 0 || which > (int)s->nr)
		return not_found(place, s, which, err);
	if (which <= 0 && s->nr > 1)
		return ambiguous(s, err);
	*chosen = which > 0 ? (size_t)which - 1 : 0;
	return 0;
}

/* If the size is unknown, it extends to the next symbol. */
static int measure(const struct address_symbol_place *place, struct search *s,
		   const struct match *match, struct address_range *range,
		   struct err *err)
{
	int ret = 0;

	range->start = match->start;
	range->size = match->size;
	if (range->size)
		return 0;
	s->after = match->start;
	s->next = UINT64_MAX;
	ret = each_of(place, visit_next, next_of_kernel, s, err);
	if (!ret && s->next != UINT64_MAX)
		range->size = s->next - range->start;
	return ret;
}

int address_symbol_find(const struct address_symbol_place *place,
			const char *name, int which,
			struct address_range *range, struct err *err)
{
	struct search s = { .name = name };
	size_t chosen = 0;
	int ret;

	ret = each_of(place, visit_match, match_kernel, &s, err);
	if (!ret)
		ret = choose(place, &s, which, &chosen, err);
	if (!ret)
		ret = measure(place, &s, &s.matches[chosen], range, err);
	free(s.matches);
	return ret;
}

static int extend(void *ctx, const struct kallsyms_line *line)
{
	struct search *s = ctx;

	s->shown |= line->addr != 0;
	if (kallsyms_lines_is_function(line) && line->addr) {
		s->first = line->addr < s->first ? line->addr : s->first;
		s->last = line->addr > s->last ? line->addr : s->last;
	}
	return 0;
}

/* From the first function to a page after the last, whose size is unknown. */
static int all_of_kernel(const struct address_symbol_place *place,
			 struct address_range *range, struct err *err)
{
	struct search s = { .first = UINT64_MAX };
	int ret = each_of_kernel(place->kallsyms, extend, &s, err);

	if (ret)
		return ret;
	if (!s.last)
		return err_set(err, -ENODATA,
			       "%s lists no function",
			       place->kallsyms);
	s.last |= PERF_PAGE - 1;
	*range = (struct address_range){
		.start = s.first,
		.size = s.last + 1 + PERF_PAGE - s.first,
	};
	return 0;
}

int address_symbol_all(const struct address_symbol_place *place,
		       struct address_range *range, struct err *err)
{
	struct stat st;
	int fd;

	if (!place->file)
		return all_of_kernel(place, range, err);
	fd = open_file(place->file, &st, err);
	if (fd < 0)
		return fd;
	sys_close(fd);
	*range = (struct address_range){ 0, (uint64_t)st.st_size };
	return 0;
}
