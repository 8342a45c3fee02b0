/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/pmu/address_symbol.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/caps.h"
#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"
#include "symbols/elf/demangle.h"
#include "symbols/elf/elf_functions.h"

enum {
	KALLSYMS_MAX = 256 << 20,
	MATCHES_MAX = 4096,
	LISTED_MAX = 6,		/* of several, in an error line */
	PERF_PAGE = 4096,
};

struct match {
	uint64_t start, size;
	char bind;		/* as nm(1) has it: capital or 'g': global */
	bool global;
};

/* Functions of one name, and then what follows one of them. */
struct search {
	const char *name;
	struct match *matches;
	size_t nr, room;
	uint64_t after, next;	/* the nearest start above @after */
};

void address_symbol_done(struct address_symbol_place *place)
{
	free(place->text);
	place->text = NULL;
}

static int add_match(struct search *s, const struct match *match)
{
	struct match *place;

	/* versions of a symbol, of one address */
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
 * As it stands in the file, there with the default version of a .symtab's
 * ("malloc@@GLIBC_2.2.5"); or as it stood in the source, up to the arguments.
 * Few names are taken apart: those that hold the last part of the wanted one.
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

static int each_of_file(const char *path, elf_function_fn *fn,
			struct search *s, struct err *err)
{
	struct stat st;
	int fd = caps_open_own(path, &st), ret;

	if (fd < 0)
		return err_set(err, fd, "%.200s: %s", path,
			       fd == -EINVAL ? "not a plain file" :
					       strerror(-fd));
	ret = elf_functions_each(fd, path, fn, s);
	sys_close(fd);
	if (ret == -ENOEXEC)
		return err_set(err, ret,
			       "%.200s is not an ELF file: use a file offset instead of a name",
			       path);
	return ret ? err_set(err, ret, "%.200s: %s", path,
			     strerror(-ret)) :
		     0;
}

/* A line of kallsyms, "address type name\t[module]". */
struct line {
	uint64_t addr;
	char type;
	const char *name;
	size_t len;
};

/* Take one at *@text apart; *@text moves behind it.  False at the end. */
static bool next_line(const char **text, struct line *line)
{
	while (**text) {
		const char *s = *text, *end = strchrnul(s, '\n');
		char *after;

		*text = *end ? end + 1 : end;
		line->addr = strtoull(s, &after, 16);
		if (after == s || after[0] != ' ' || !after[1] ||
		    after[2] != ' ')
			continue;
		line->type = after[1];
		line->name = after + 3;
		line->len = strcspn(line->name, "\t \n");
		return true;
	}
	return false;
}

static bool is_function(const struct line *line)
{
	return strchr("tTwW", line->type) != NULL;
}

/* Read it, once.  What hides its addresses shows all of them as 0. */
static int load_kallsyms(struct address_symbol_place *place, struct err *err)
{
	const char *text;
	struct line line;
	ssize_t len;

	if (place->text)
		return 0;
	len = sys_read_file_alloc(place->kallsyms, KALLSYMS_MAX, &place->text);
	if (len < 0)
		return err_set(err, (int)len, "%s: %s",
			       place->kallsyms, strerror((int)-len));
	text = place->text;
	while (next_line(&text, &line)) {
		if (line.addr)
			return 0;
	}
	address_symbol_done(place);
	return err_set(err, -EACCES,
		       "the kernel's addresses are hidden: run as root, or set kernel.kptr_restrict to 0");
}

static int match_kernel(struct address_symbol_place *place, struct search *s)
{
	const char *text = place->text;
	size_t len = strlen(s->name);
	struct line line;
	int ret = 0;

	while (!ret && next_line(&text, &line)) {
		struct match match = {
			.start = line.addr,
			.bind = line.type,
			.global = isupper((unsigned char)line.type),
		};

		if (is_function(&line) && line.len == len &&
		    !memcmp(line.name, s->name, len))
			ret = add_match(s, &match);
	}
	return ret;
}

static void next_of_kernel(struct address_symbol_place *place,
			   struct search *s)
{
	const char *text = place->text;
	struct line line;

	while (next_line(&text, &line))
		note_next(s, line.addr);
}

static int find_matches(struct address_symbol_place *place, struct search *s,
			struct err *err)
{
	int ret;

	if (place->file)
		return each_of_file(place->file, visit_match, s, err);
	ret = load_kallsyms(place, err);
	if (ret)
		return ret;
	ret = match_kernel(place, s);
	return ret ? err_set(err, ret, "out of memory") : 0;
}

static int by_start(const void *a, const void *b)
{
	const struct match *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static int ambiguous(const struct search *s, struct err *err)
{
	char name[128], list[256] = "";
	size_t len = 0;

	text_copy(name, sizeof(name), s->name);
	for (size_t i = 0; i < s->nr && i < LISTED_MAX; i++)
		len += (size_t)snprintf(list + len, sizeof(list) - len,
					"%s#%zu 0x%llx %c", i ? ", " : "",
					i + 1,
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

/* The one that is meant, by its place among the matches. */
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

/* Up to what comes next, where nothing else tells. */
static int measure(struct address_symbol_place *place, struct search *s,
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
	if (place->file)
		ret = each_of_file(place->file, visit_next, s, err);
	else
		next_of_kernel(place, s);
	if (!ret && s->next != UINT64_MAX)
		range->size = s->next - range->start;
	return ret;
}

int address_symbol_find(struct address_symbol_place *place, const char *name,
			int which, struct address_range *range,
			struct err *err)
{
	struct search s = { .name = name };
	size_t chosen = 0;
	int ret;

	ret = find_matches(place, &s, err);
	if (!ret)
		ret = choose(place, &s, which, &chosen, err);
	if (!ret)
		ret = measure(place, &s, &s.matches[chosen], range, err);
	free(s.matches);
	return ret;
}

/* From the first function to a page beyond the last: nothing tells its end. */
static int all_of_kernel(struct address_symbol_place *place,
			 struct address_range *range, struct err *err)
{
	uint64_t first = UINT64_MAX, last = 0;
	const char *text;
	struct line line;
	int ret = load_kallsyms(place, err);

	if (ret)
		return ret;
	text = place->text;
	while (next_line(&text, &line)) {
		if (!is_function(&line) || !line.addr)
			continue;
		first = line.addr < first ? line.addr : first;
		last = line.addr > last ? line.addr : last;
	}
	if (!last)
		return err_set(err, -ENODATA,
			       "%s lists no function",
			       place->kallsyms);
	last |= PERF_PAGE - 1;
	*range = (struct address_range){
		.start = first,
		.size = last + 1 + PERF_PAGE - first,
	};
	return 0;
}

int address_symbol_all(struct address_symbol_place *place,
		       struct address_range *range, struct err *err)
{
	struct stat st;
	int fd;

	if (!place->file)
		return all_of_kernel(place, range, err);
	fd = caps_open_own(place->file, &st);
	if (fd < 0)
		return err_set(err, fd, "%.200s: %s",
			       place->file,
			       fd == -EINVAL ? "not a plain file" :
					       strerror(-fd));
	sys_close(fd);
	*range = (struct address_range){ 0, (uint64_t)st.st_size };
	return 0;
}
