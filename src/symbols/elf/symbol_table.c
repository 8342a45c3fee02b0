/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/elf/symbol_table.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "samples/names.h"

#define NONE UINT32_MAX

enum {
	/*
	 * Names demangled only for comparison, per table: sorting a file full
	 * of aliases must not take forever.
	 */
	DEMANGLE_TO_COMPARE = 65536,
	/* Nested symbols checked for an address, from the innermost on. */
	NESTED_MAX = 256,
	/* Approximate overhead of tsearch(3) and malloc(3) per symbol. */
	CHANGE_OVERHEAD = 48,
	PERF_PAGE = 4096,
};

struct sym {
	uint64_t start;
	uint32_t size;
	uint32_t name;		/* offset in the pool; index of kept[] if
				 * kept */
	uint32_t outer;		/* next enclosing symbol, or NONE */
	uint8_t rank;
	bool kept, dead;
};

/* A symbol added while the table was in use; they never overlap. */
struct change {
	uint64_t start, last;	/* both inclusive, to avoid overflow */
	const char *kept;
	size_t bytes;
	char name[];
};

struct symbol_table {
	struct sym *syms;
	size_t nr, room;
	char *pool;
	size_t pool_len, pool_cap;
	const char **kept;
	size_t nr_kept, kept_cap;
	void *changes;		/* tree of tsearch(3) */
	size_t nr_changes, change_bytes;
	unsigned int demangled;
	bool sorted;
};

struct symbol_table *symbol_table_new(void)
{
	return calloc(1, sizeof(struct symbol_table));
}

void symbol_table_free(struct symbol_table *t)
{
	if (!t)
		return;
	tdestroy(t->changes, free);
	free(t->syms);
	free(t->pool);
	free(t->kept);
	free(t);
}

int symbol_table_add(struct symbol_table *t, uint64_t start, uint64_t size,
		     const char *name, enum symbol_rank rank)
{
	size_t len = strlen(name) + 1;

	if (t->pool_len + len > UINT32_MAX || t->nr + 1 >= NONE)
		return -ENOMEM;
	if (array_fit(t->pool, t->pool_cap, t->pool_len + len) ||
	    array_fit(t->syms, t->room, t->nr + 1))
		return -ENOMEM;
	memcpy(t->pool + t->pool_len, name, len);
	t->syms[t->nr++] = (struct sym){
		.start = start,
		.size = (uint32_t)(size < UINT32_MAX ? size : UINT32_MAX),
		.name = (uint32_t)t->pool_len,
		.rank = (uint8_t)rank,
	};
	t->pool_len += len;
	t->sorted = false;
	return 0;
}

static const char *raw_name(const struct symbol_table *t,
			    const struct sym *e)
{
	return e->kept ? t->kept[e->name] : t->pool + e->name;
}

/* By start; with the same start, in order of adding. */
static int compare_syms(const void *one, const void *other)
{
	const struct sym *a = one, *b = other;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->kept != b->kept)
		return a->kept ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static bool is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

/* The number of leading underscores, and the length, of @name as displayed. */
static void measure(struct symbol_table *t, const char *name,
		    size_t *underscores, size_t *len)
{
	char *nice = NULL;

	if (is_mangled(name) && t->demangled < DEMANGLE_TO_COMPARE) {
		t->demangled++;
		nice = demangle(name);
	}
	if (nice)
		name = nice;
	*underscores = strspn(name, "_");
	*len = strlen(name);
	free(nice);
}

/*
 * Whether @b is a better name than @a, which was added before it:
 * choose_best_symbol() of tools/perf/util/symbol.c, for the same result as
 * perf.
 */
static bool is_better(struct symbol_table *t, const struct sym *a,
		      const struct sym *b)
{
	size_t a_underscores, b_underscores, a_len, b_len;

	if (!a->size != !b->size)
		return b->size;
	if (a->rank != b->rank)
		return b->rank > a->rank;
	measure(t, raw_name(t, a), &a_underscores, &a_len);
	measure(t, raw_name(t, b), &b_underscores, &b_len);
	if (a_underscores != b_underscores)
		return b_underscores < a_underscores;
	if (a_len != b_len)
		return b_len > a_len;
	/* Aliases of system calls before Linux 4.17. */
	return text_begins(raw_name(t, a), "SyS") ||
	       text_begins(raw_name(t, a), "compat_SyS");
}

/*
 * Extend symbols without a size to the next one, and the last to the end of the
 * page after its own: symbols__fixup_end() of tools/perf/util/symbol.c, which
 * perf too calls before choosing among aliases, so that it affects the choice
 * if none has a size.
 */
static void end_unsized(struct symbol_table *t)
{
	struct sym *last;

	for (size_t i = 0; i + 1 < t->nr; i++) {
		struct sym *e = &t->syms[i];
		uint64_t gap = e[1].start - e->start;

		if (!e->size)
			e->size = (uint32_t)(gap < UINT32_MAX ? gap :
								UINT32_MAX);
	}
	if (!t->nr)
		return;
	last = &t->syms[t->nr - 1];
	if (!last->size)
		last->size = (uint32_t)(-last->start % PERF_PAGE + PERF_PAGE);
}

/* Keep one symbol per address. */
static void drop_aliases(struct symbol_table *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->nr; i++) {
		struct sym *best = kept ? &t->syms[kept - 1] : NULL;

		if (t->syms[i].dead)
			continue;
		if (!best || best->start != t->syms[i].start)
			t->syms[kept++] = t->syms[i];
		else if (is_better(t, best, &t->syms[i]))
			*best = t->syms[i];
	}
	t->nr = kept;
}

static bool holds(const struct sym *e, uint64_t addr)
{
	return addr - e->start < e->size;
}

/*
 * Link each symbol to the nearest one before it that extends beyond its start.
 * All symbols that contain an address are then found from the last that starts
 * at or before it.
 */
static void link_nested(struct symbol_table *t)
{
	for (size_t i = 0; i < t->nr; i++) {
		uint32_t outer = i ? (uint32_t)(i - 1) : NONE;

		while (outer != NONE &&
		       !holds(&t->syms[outer], t->syms[i].start))
			outer = t->syms[outer].outer;
		t->syms[i].outer = outer;
	}
}

int symbol_table_sort(struct symbol_table *t)
{
	if (t->nr)
		qsort(t->syms, t->nr, sizeof(*t->syms), compare_syms);
	end_unsized(t);
	drop_aliases(t);
	link_nested(t);
	array_trim(t->syms, t->room, t->nr);
	array_trim(t->pool, t->pool_cap, t->pool_len);
	t->sorted = true;
	return 0;
}

/* The index of the last symbol that starts at or before @addr; or NONE. */
static uint32_t sym_before(const struct symbol_table *t, uint64_t addr)
{
	size_t low = 0, high = t->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->syms[middle].start <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? (uint32_t)(low - 1) : NONE;
}

/* The innermost symbol that contains @addr. */
static struct sym *sym_at(const struct symbol_table *t, uint64_t addr)
{
	uint32_t i = sym_before(t, addr);

	for (int hops = 0; i != NONE && hops < NESTED_MAX; hops++) {
		struct sym *e = &t->syms[i];

		if (!e->dead && holds(e, addr))
			return e;
		i = e->outer;
	}
	return NULL;
}

/* Changes that overlap compare equal, so that the tree finds them. */
static int compare_changes(const void *one, const void *other)
{
	const struct change *a = one, *b = other;

	if (a->last < b->start)
		return -1;
	return a->start > b->last;
}

static struct change *change_at(const struct symbol_table *t, uint64_t start,
				uint64_t last)
{
	struct change key = { .start = start, .last = last };
	void *node = tfind(&key, &t->changes, compare_changes);

	return node ? *(struct change **)node : NULL;
}

static void drop_change(struct symbol_table *t, struct change *change)
{
	tdelete(change, &t->changes, compare_changes);
	t->change_bytes -= change->bytes;
	t->nr_changes--;
	free(change);
}

/* Remove all symbols that overlap @start to @last. */
static void clear_range(struct symbol_table *t, uint64_t start, uint64_t last)
{
	struct change *change;
	struct sym *e;

	while ((change = change_at(t, start, last)))
		drop_change(t, change);
	if (!t->sorted)
		symbol_table_sort(t);
	while ((e = sym_at(t, start)))
		e->dead = true;
	for (uint32_t i = sym_before(t, last); i != NONE; i--) {
		if (t->syms[i].start < start)
			break;
		t->syms[i].dead = true;
	}
}

int symbol_table_replace(struct symbol_table *t, uint64_t start,
			 uint64_t size, const char *name)
{
	size_t len = strlen(name) + 1;
	struct change *change = malloc(sizeof(*change) + len);

	if (!change)
		return -ENOMEM;
	change->start = start;
	change->last = start + (size ? size - 1 : 0);
	if (change->last < start)
		change->last = UINT64_MAX;
	change->kept = NULL;
	change->bytes = sizeof(*change) + len + CHANGE_OVERHEAD;
	memcpy(change->name, name, len);
	clear_range(t, start, change->last);
	if (!tsearch(change, &t->changes, compare_changes)) {
		free(change);
		return -ENOMEM;
	}
	t->change_bytes += change->bytes;
	t->nr_changes++;
	return 0;
}

void symbol_table_remove(struct symbol_table *t, uint64_t start)
{
	struct change *change = change_at(t, start, start);
	uint32_t i;

	if (change) {
		if (change->start == start)
			drop_change(t, change);
		return;
	}
	if (!t->sorted)
		symbol_table_sort(t);
	i = sym_before(t, start);
	if (i != NONE && t->syms[i].start == start)
		t->syms[i].dead = true;
}

static const char *keep_name(const char *raw, struct names *names)
{
	char *nice = demangle(raw);
	const char *kept = names_add(names, nice ? nice : raw);

	free(nice);
	return kept;
}

/* The name of @e, which is demangled only once. */
static const char *sym_name(struct symbol_table *t, struct sym *e,
			      struct names *names)
{
	const char *name, **kept;

	if (e->kept)
		return t->kept[e->name];
	name = keep_name(t->pool + e->name, names);
	kept = array_add(t->kept, t->nr_kept, t->kept_cap);
	if (kept) {
		*kept = name;
		e->name = (uint32_t)t->nr_kept - 1;
		e->kept = true;
	}
	return name;
}

const char *symbol_table_find(struct symbol_table *t, uint64_t addr,
			      struct names *names, uint64_t *start)
{
	struct change *change = change_at(t, addr, addr);
	struct sym *e;

	if (change) {
		if (!change->kept)
			change->kept = keep_name(change->name, names);
		*start = change->start;
		return change->kept;
	}
	if (!t->sorted)
		symbol_table_sort(t);
	e = sym_at(t, addr);
	if (!e)
		return NULL;
	*start = e->start;
	return sym_name(t, e, names);
}

bool symbol_table_covers(const struct symbol_table *t, uint64_t start,
			 uint64_t size)
{
	const struct sym *e = sym_at(t, start);

	return e && size <= e->size - (start - e->start);
}

int symbol_table_save(const struct symbol_table *t, FILE *out)
{
	const size_t lens[2] = { t->nr, t->pool_len };

	return fwrite(lens, sizeof(lens), 1, out) == 1 &&
	       fwrite(t->syms, sizeof(*t->syms), t->nr, out) == t->nr &&
	       fwrite(t->pool, 1, t->pool_len, out) == t->pool_len ? 0 : -EIO;
}

/* Check all indices, and mark all names as not yet used. */
static bool check_restored(struct symbol_table *t)
{
	if (t->pool_len && t->pool[t->pool_len - 1])
		return false;
	for (size_t i = 0; i < t->nr; i++) {
		struct sym *e = &t->syms[i];

		if (e->name >= t->pool_len ||
		    (e->outer != NONE && e->outer >= i))
			return false;
		e->kept = e->dead = false;
	}
	return true;
}

static int read_restored(struct symbol_table *t, FILE *in, size_t size)
{
	size_t lens[2];

	if (fread(lens, sizeof(lens), 1, in) != 1 ||
	    lens[0] > size / sizeof(*t->syms) || lens[0] >= NONE ||
	    lens[1] > size || lens[1] > UINT32_MAX)
		return -EINVAL;
	t->syms = calloc(lens[0] + 1, sizeof(*t->syms));
	t->pool = malloc(lens[1] + 1);
	if (!t->syms || !t->pool)
		return -ENOMEM;
	t->nr = t->room = lens[0];
	t->pool_len = t->pool_cap = lens[1];
	t->sorted = true;
	if (fread(t->syms, sizeof(*t->syms), t->nr, in) != t->nr ||
	    fread(t->pool, 1, t->pool_len, in) != t->pool_len ||
	    !check_restored(t))
		return -EINVAL;
	return 0;
}

int symbol_table_restore(FILE *in, size_t size, struct symbol_table **table)
{
	struct symbol_table *t = symbol_table_new();
	int ret = t ? read_restored(t, in, size) : -ENOMEM;

	if (ret)
		symbol_table_free(t);
	else
		*table = t;
	return ret;
}

size_t symbol_table_len(const struct symbol_table *t)
{
	return t->nr + t->nr_changes;
}

size_t symbol_table_bytes(const struct symbol_table *t)
{
	return sizeof(*t) + t->room * sizeof(*t->syms) + t->pool_cap +
	       t->kept_cap * sizeof(*t->kept) + t->change_bytes;
}

size_t symbol_table_used(const struct symbol_table *t)
{
	return sizeof(*t) + t->nr * sizeof(*t->syms) + t->pool_len +
	       t->nr_kept * sizeof(*t->kept) + t->change_bytes;
}
