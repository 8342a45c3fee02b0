/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/elf/kallsyms.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/sys.h"
#include "base/text.h"
#include "samples/names.h"
#include "symbols/elf/symbol_table.h"

enum {
	TEXT_MAX = 256 << 20,		/* bytes read, whatever the file */
	DYNAMIC_MAX = 1 << 16,
	OWNERS_MAX = 1 << 15,
	OWNER_NAME = 64,		/* MODULE_NAME_LEN, with brackets */
	PAGE = 4096,
};

struct reader {
	kallsyms_line_fn *fn;
	void *ctx;
};

static int read_line(const struct reader *r, char *text)
{
	struct kallsyms_line line;
	char *end, *module;

	line.addr = strtoull(text, &end, 16);
	if (end == text || end[0] != ' ' || !end[1] || end[2] != ' ')
		return 0;
	line.type = end[1];
	line.name = end + 3;
	module = end + 3 + strcspn(line.name, "\t ");
	if (*module)
		*module++ = '\0';
	line.module = module + strspn(module, "\t ");
	return r->fn(r->ctx, &line);
}

/*
 * The whole lines of the *@len bytes at @text; what is behind the last of them
 * moves to the front, and *@len becomes its length.
 */
static int read_lines(const struct reader *r, char *text, size_t *len)
{
	char *line = text, *end;
	int ret;

	while ((end = memchr(line, '\n', *len - (size_t)(line - text)))) {
		*end = '\0';
		ret = read_line(r, line);
		if (ret)
			return ret;
		line = end + 1;
	}
	*len -= (size_t)(line - text);
	memmove(text, line, *len);
	return 0;
}

int kallsyms_lines_each(int fd, kallsyms_line_fn *fn, void *ctx)
{
	const struct reader r = { fn, ctx };
	size_t used = 0, total = 0;
	char text[16384];
	ssize_t n;
	int ret;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return -errno;
	while (total < TEXT_MAX) {
		n = read(fd, text + used, sizeof(text) - 1 - used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		total += (size_t)n;
		used += (size_t)n;
		ret = read_lines(&r, text, &used);
		if (ret)
			return ret;
		/* a line longer than any there can be is none */
		used = used < sizeof(text) - 1 ? used : 0;
	}
	text[used] = '\0';
	return read_line(&r, text);
}

bool kallsyms_lines_is_function(const struct kallsyms_line *line)
{
	return line->type == 't' || line->type == 'T' || line->type == 'w' ||
	       line->type == 'W';
}

/* A larger distance between symbols is a gap: it contains something else. */
#define RUN_GAP (64ull << 20)

/* The owner of code: the kernel or a module. */
struct owner {
	char name[OWNER_NAME];
	const char *kept;		/* the same, stored in names */
};

/* A contiguous range of addresses of one owner. */
struct run {
	uint64_t start, end;
	size_t owner;
};

struct kallsyms {
	struct symbol_table *symbols;
	struct owner *owners;		/* [0] is the kernel */
	size_t nr_owners, owners_cap;
	struct run *runs;
	size_t nr_runs, runs_cap;
	struct run *dynamic;		/* from KSYMBOL records, by address */
	size_t nr_dynamic, dynamic_cap;
	bool hidden;			/* an address was 0 */
};

static int add_owner(struct kallsyms *k, const char *name, size_t len)
{
	struct owner *owner = array_add_max(k->owners, k->nr_owners,
					    k->owners_cap, OWNERS_MAX);

	if (!owner)
		return -ENOMEM;
	memcpy(owner->name, name, len);
	return 0;
}

/* The owner @name, from the last on: a module's symbols are adjacent. */
static int find_owner(struct kallsyms *k, const char *name, size_t *owner)
{
	size_t len = strnlen(name, OWNER_NAME - 1);

	for (size_t i = k->nr_owners; i-- > 0;) {
		if (strncmp(k->owners[i].name, name, len) ||
		    k->owners[i].name[len])
			continue;
		*owner = i;
		return 0;
	}
	*owner = k->nr_owners;
	return add_owner(k, name, len);
}

static struct kallsyms *new_kallsyms(void)
{
	struct kallsyms *k = calloc(1, sizeof(*k));
	size_t kernel;

	if (!k)
		return NULL;
	k->symbols = symbol_table_new();
	if (!k->symbols || find_owner(k, "[kernel.kallsyms]", &kernel)) {
		kallsyms_free(k);
		return NULL;
	}
	return k;
}

void kallsyms_free(struct kallsyms *k)
{
	if (!k)
		return;
	symbol_table_free(k->symbols);
	free(k->owners);
	free(k->runs);
	free(k->dynamic);
	free(k);
}

/*
 * The kernel's own symbols are sorted and form one run, apart from gaps.
 * Modules have several areas each (linux/module.h, mod_mem_type), interleaved
 * with those of other modules: each symbol gets a run at first; join_runs()
 * combines them.
 */
static int add_run(struct kallsyms *k, uint64_t addr, size_t owner)
{
	struct run *last = k->nr_runs ? &k->runs[k->nr_runs - 1] : NULL;
	struct run *run;

	if (last && !owner && !last->owner && addr >= last->end &&
	    addr - last->end < RUN_GAP) {
		last->end = addr;
		return 0;
	}
	run = array_add(k->runs, k->nr_runs, k->runs_cap);
	if (!run)
		return -ENOMEM;
	*run = (struct run){ addr, addr, owner };
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static uint64_t next_page(uint64_t addr)
{
	uint64_t page = (addr | (PAGE - 1)) + 1;

	return page > addr ? page : UINT64_MAX;
}

/*
 * A symbol extends to the next one, but not across a gap: the last of a run
 * extends to the end of its page.
 */
static void join_runs(struct kallsyms *k)
{
	size_t n = 0;

	qsort(k->runs, k->nr_runs, sizeof(k->runs[0]), by_start);
	for (size_t i = 0; i < k->nr_runs; i++) {
		struct run run = k->runs[i];
		struct run *last = n ? &k->runs[n - 1] : NULL;

		if (last && last->owner == run.owner &&
		    run.start < last->end + RUN_GAP) {
			if (run.end > last->end)
				last->end = run.end;
			continue;
		}
		k->runs[n++] = run;
	}
	k->nr_runs = n;
	for (size_t i = 0; i < n; i++) {
		struct run *run = &k->runs[i];

		run->end = next_page(run->end);
		if (i + 1 < n && run->end > k->runs[i + 1].start)
			run->end = k->runs[i + 1].start;
	}
}

/* The index of the first of @nr runs that ends beyond @addr; @nr: none. */
static size_t run_beyond(const struct run *runs, size_t nr, uint64_t addr)
{
	size_t lo = 0, hi = nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (runs[mid].end > addr)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* As in perf (kallsyms2elf_binding()). */
static enum symbol_rank rank_of(char type)
{
	if (type == 'W')
		return SYMBOL_RANK_WEAK;
	return isupper((unsigned char)type) ? SYMBOL_RANK_GLOBAL :
					      SYMBOL_RANK_LOCAL;
}

/*
 * Data symbols end the functions that lie before them, so they are kept.
 */
static int take_line(void *ctx, const struct kallsyms_line *line)
{
	struct kallsyms *k = ctx;
	size_t owner = 0;
	int ret = 0;

	/* $a, $d, $x are mapping symbols on ARM */
	if (!strchr("tTwWdDbB", line->type) || !line->name[0] ||
	    line->name[0] == '$')
		return 0;
	if (!line->addr) {
		k->hidden = true;
		return 0;
	}
	if (line->module[0] == '[')
		ret = find_owner(k, line->module, &owner);
	if (!ret)
		ret = symbol_table_add(k->symbols, line->addr, 0, line->name,
				       rank_of(line->type));
	return ret ? ret : add_run(k, line->addr, owner);
}

int kallsyms_read(int fd, struct kallsyms **out)
{
	struct kallsyms *k = new_kallsyms();
	int ret;

	*out = NULL;
	if (!k)
		return -ENOMEM;
	ret = kallsyms_lines_each(fd, take_line, k);
	if (!ret && !k->nr_runs)
		ret = k->hidden ? -EACCES : -ENODATA;
	if (!ret)
		ret = symbol_table_sort(k->symbols);
	if (ret) {
		kallsyms_free(k);
		return ret;
	}
	join_runs(k);
	*out = k;
	return 0;
}

static int put_dynamic(struct kallsyms *k, const struct run *run)
{
	size_t first = run_beyond(k->dynamic, k->nr_dynamic, run->start);
	size_t last = first;
	struct run *place;

	while (last < k->nr_dynamic && k->dynamic[last].start < run->end)
		last++;
	array_remove(k->dynamic, k->nr_dynamic, first, last - first);
	place = array_insert_max(k->dynamic, k->nr_dynamic, k->dynamic_cap,
				 first, DYNAMIC_MAX);
	if (!place)
		return -ENOMEM;
	*place = *run;
	return 0;
}

/* Names as in /proc/kallsyms: bpf_get_kallsym(), ftrace_..., kprobe_... */
static const char *owner_of(const char *name)
{
	static const char *const owners[][2] = {
		{ "bpf_", "[bpf]" },
		{ "ftrace_", "[__builtin__ftrace]" },
		{ "kprobe_", "[__builtin__kprobes]" },
	};

	for (size_t i = 0; i < sizeof(owners) / sizeof(owners[0]); i++) {
		if (text_begins(name, owners[i][0]))
			return owners[i][1];
	}
	return "[kernel.kallsyms]";
}

int kallsyms_add(struct kallsyms *k, uint64_t addr, uint64_t len,
		 const char *name)
{
	struct run run = { .start = addr, .end = addr + len };
	int ret;

	if (!len || run.end < addr || !name[0])
		return 0;
	ret = find_owner(k, owner_of(name), &run.owner);
	if (!ret)
		ret = put_dynamic(k, &run);
	return ret ? ret : symbol_table_replace(k->symbols, addr, len, name);
}

void kallsyms_remove(struct kallsyms *k, uint64_t addr)
{
	size_t i = run_beyond(k->dynamic, k->nr_dynamic, addr);

	if (i < k->nr_dynamic && k->dynamic[i].start == addr)
		array_remove(k->dynamic, k->nr_dynamic, i, 1);
	symbol_table_remove(k->symbols, addr);
}

/* The run that holds @addr; NULL for none. */
static const struct run *run_at(const struct run *runs, size_t nr,
				uint64_t addr)
{
	size_t i = run_beyond(runs, nr, addr);

	return i < nr && runs[i].start <= addr ? &runs[i] : NULL;
}

const char *kallsyms_find(struct kallsyms *k, uint64_t addr,
			  struct names *names, uint64_t *start,
			  const char **dso)
{
	const struct run *run = run_at(k->dynamic, k->nr_dynamic, addr);
	struct owner *owner;
	const char *name;

	if (!run)
		run = run_at(k->runs, k->nr_runs, addr);
	if (!run)
		return NULL;
	owner = &k->owners[run->owner];
	name = symbol_table_find(k->symbols, addr, names, start);
	if (!name)
		return NULL;
	if (!owner->kept)
		owner->kept = names_add(names, owner->name);
	*dso = owner->kept;
	return name;
}

size_t kallsyms_len(const struct kallsyms *k)
{
	return symbol_table_len(k->symbols);
}

size_t kallsyms_bytes(const struct kallsyms *k)
{
	return sizeof(*k) + symbol_table_bytes(k->symbols) +
	       k->owners_cap * sizeof(k->owners[0]) +
	       k->runs_cap * sizeof(k->runs[0]) +
	       k->dynamic_cap * sizeof(k->dynamic[0]);
}

#define FIRST_INTERVAL_NS 10000000000ull
#define LAST_INTERVAL_NS 600000000000ull

struct kernel_symbols {
	int fd;				/* -errno: failed to open */
	char path[PATH_MAX], proc[PATH_MAX / 2];
	struct kallsyms *kallsyms;	/* NULL: not read, or hidden */
	bool tried;
	bool changed;			/* by records, since it was read */
	uint64_t generation;
	uint64_t missed;		/* unknown addresses since it was
					 * read */
	uint64_t read_at, interval;	/* ns */
	char hidden[256];
};

struct kernel_symbols *kernel_symbols_new(const char *path, const char *proc)
{
	struct kernel_symbols *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	snprintf(k->path, sizeof(k->path), "%s", path);
	snprintf(k->proc, sizeof(k->proc), "%s", proc);
	k->fd = *path ? sys_open_read(path) : -ENOENT;
	k->generation = 1ull << 63;
	k->interval = FIRST_INTERVAL_NS;
	return k;
}

void kernel_symbols_free(struct kernel_symbols *k)
{
	if (!k)
		return;
	kallsyms_free(k->kallsyms);
	sys_close(k->fd);
	free(k);
}

/*
 * Whether addresses are visible: kallsyms_show_value() in
 * kernel/ksyms_common.c.
 */
static void say_zeroed(struct kernel_symbols *k)
{
	char path[PATH_MAX];
	long long restricted = 0;

	snprintf(path, sizeof(path), "%s/sys/kernel/kptr_restrict",
		 *k->proc ? k->proc : "/proc");
	sys_read_number(path, &restricted);
	if (restricted >= 2)
		snprintf(k->hidden, sizeof(k->hidden),
			 "kernel.kptr_restrict is %lld, which hides kernel "
			 "addresses from everyone; as root: sysctl "
			 "kernel.kptr_restrict=1",
			 restricted);
	else if (restricted == 1)
		snprintf(k->hidden, sizeof(k->hidden),
			 "kernel.kptr_restrict is 1: kernel addresses need "
			 "CAP_SYSLOG; run as root");
	else
		snprintf(k->hidden, sizeof(k->hidden),
			 "kernel addresses need CAP_SYSLOG while "
			 "kernel.perf_event_paranoid is above 1; run as root");
}

static void say_why(struct kernel_symbols *k, int error)
{
	if (!*k->path)
		snprintf(k->hidden, sizeof(k->hidden),
			 "the recording is of another kernel or boot: build-id "
			 "or addresses differ");
	else if (error == -EACCES && k->fd >= 0)
		say_zeroed(k);
	else if (error == -ENOENT)
		snprintf(k->hidden, sizeof(k->hidden),
			 "there is no %.100s: the kernel was built without "
			 "CONFIG_KALLSYMS, or /proc is not mounted",
			 k->path);
	else
		snprintf(k->hidden, sizeof(k->hidden),
			 "cannot read %.100s: %s", k->path, strerror(-error));
}

static void read_kallsyms(struct kernel_symbols *k)
{
	struct kallsyms *fresh = NULL;
	int ret = k->fd;

	k->tried = true;
	k->missed = 0;
	if (k->fd >= 0)
		ret = kallsyms_read(k->fd, &fresh);
	if (ret < 0) {
		/* keep the present symbols, if any */
		if (!k->kallsyms)
			say_why(k, ret);
		return;
	}
	kallsyms_free(k->kallsyms);
	k->kallsyms = fresh;
	k->changed = false;
	k->hidden[0] = '\0';
	k->generation++;
}

/*
 * Records before the first reading are included in the text; but after those of
 * a recording, another BPF program may have been loaded at the same address.
 */
void kernel_symbols_record(struct kernel_symbols *k,
			   const struct side_band_ksymbol *record)
{
	if (!*k->proc && !k->tried)
		read_kallsyms(k);
	if (!k->kallsyms)
		return;
	if (record->unregister)
		kallsyms_remove(k->kallsyms, record->addr);
	else
		kallsyms_add(k->kallsyms, record->addr, record->len,
			     record->name);
	k->changed = true;
	k->generation++;
}

void kernel_symbols_restart(struct kernel_symbols *k)
{
	k->tried &= !k->changed;
}

const char *kernel_symbols_find(struct kernel_symbols *k, uint64_t addr,
				struct names *names, uint64_t *start,
				const char **dso)
{
	const char *name;

	if (!k->tried)
		read_kallsyms(k);
	if (!k->kallsyms)
		return NULL;
	name = kallsyms_find(k->kallsyms, addr, names, start, dso);
	if (!name)
		k->missed++;
	return name;
}

/* Waits longer if there was nothing new: some addresses have no symbol. */
void kernel_symbols_refresh(struct kernel_symbols *k, uint64_t now_ns)
{
	size_t before = kernel_symbols_len(k);

	if (!k->read_at)
		k->read_at = now_ns;
	if (!*k->proc || !k->kallsyms || !k->missed ||
	    now_ns < k->read_at + k->interval)
		return;
	read_kallsyms(k);
	k->read_at = now_ns;
	if (kernel_symbols_len(k) != before)
		k->interval = FIRST_INTERVAL_NS;
	else if (k->interval < LAST_INTERVAL_NS)
		k->interval *= 2;
}

uint64_t kernel_symbols_generation(const struct kernel_symbols *k)
{
	return k->generation;
}

const char *kernel_symbols_hidden(const struct kernel_symbols *k)
{
	return k->hidden[0] ? k->hidden : NULL;
}

size_t kernel_symbols_len(const struct kernel_symbols *k)
{
	return k->kallsyms ? kallsyms_len(k->kallsyms) : 0;
}

size_t kernel_symbols_bytes(const struct kernel_symbols *k)
{
	return k->kallsyms ? kallsyms_bytes(k->kallsyms) : 0;
}
