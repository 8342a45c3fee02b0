/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_remedy.h"

#include <ctype.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

/* Bytes that a shell takes as they are. */
static const char literal[] = "abcdefghijklmnopqrstuvwxyz"
			      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			      "0123456789_./:=,@%+-";

enum { ARGS = 512, VALUE = 32 };
enum { PERF = 1 << RING_PERF, RINGBUF = 1 << RING_BPF,
       PACKET = 1 << RING_PACKET };

/* Unit of a program's size setting. */
enum unit {
	PAGES,
	SMALL_PAGES,	/* of 4 KiB, whatever the machine's page size */
	BYTES,
	KIB, MIB,
	FRAMES,
	SUFFIXED,	/* bytes with a suffix: 2M */
	PRESET,		/* 1 to 10: 1 MiB to 512 MiB */
};

static const struct owner {
	const char *comm;
	int rings;
	enum unit unit;
	const char *option, *before, *after;
} owners[] = {
#define OWNER(comm, rings, unit, option, before, after) \
	{ comm, rings, unit, option, before, after },
#define LESS(comm, text)
#include "host/table/host_remedies.def"
#undef OWNER
#undef LESS
};

static const struct {
	const char *comm, *text;
} less[] = {
#define OWNER(comm, rings, unit, option, before, after)
#define LESS(comm, text) { comm, text },
#include "host/table/host_remedies.def"
#undef OWNER
#undef LESS
};

const char *host_remedy_less(const char *comm)
{
	size_t i = 0;

	while (fnmatch(less[i].comm, comm ? comm : "", 0))
		i++;	/* the last one matches all */
	return less[i].text;
}

/* NULL: it is not known how it sets the size. */
static const struct owner *owner_of(const char *comm, enum ring_kind kind)
{
	for (size_t i = 0; i < sizeof(owners) / sizeof(owners[0]); i++)
		if (owners[i].rings & 1 << kind &&
		    !fnmatch(owners[i].comm, comm, 0))
			return &owners[i];
	return NULL;
}

bool host_remedy_is_option(const char *comm, enum ring_kind kind)
{
	const struct owner *owner = comm ? owner_of(comm, kind) : NULL;

	return owner && owner->option[0];
}

/* The value of @bytes, in a power of two of pages; @frame: of FRAMES. */
static void put_value(enum unit unit, uint64_t pages, uint64_t bytes,
		      uint32_t frame, char *buf, size_t size)
{
	uint64_t one = unit == SMALL_PAGES ? 1 << 12 :
		       unit == KIB	   ? 1 << 10 :
		       unit == MIB	   ? 1 << 20 :
		       unit == FRAMES	   ? frame :
					     1;
	uint64_t value = unit == PAGES ? pages : (bytes + one - 1) / one;

	if (unit == SUFFIXED) {
		units_option_bytes(buf, size, (double)bytes);
		return;
	}
	if (unit == PRESET)
		for (value = 1; value < 10 && bytes > 1ull << (19 + value);)
			value++;
	snprintf(buf, size, "%" PRIu64, value);
}

void host_remedy_setting(const char *comm, enum ring_kind kind, uint64_t pages,
			 uint64_t page_size, uint32_t frame, char *buf,
			 size_t size)
{
	const struct owner *owner = owner_of(comm, kind);
	char value[VALUE];

	buf[0] = '\0';
	if (!owner)
		return;
	put_value(owner->unit, pages, pages * page_size, frame, value,
		  sizeof(value));
	snprintf(buf, size, "%s%s%s", owner->before, value, owner->after);
}

void host_remedy_ftrace(const char *event, uint64_t pages, uint64_t page_size,
			char *buf, size_t size)
{
	const char *name = strchr(event, ':');
	int n;

	name = name ? name + 1 : "";
	n = snprintf(buf, size,
		     "echo %" PRIu64 " > /sys/kernel/tracing%s%s/buffer_size_kb",
		     pages * page_size >> 10, *name ? "/instances/" : "", name);
	if (n < 0 || (size_t)n >= size || name[strspn(name, literal)])
		buf[0] = '\0';
}

/* A command line that is being changed. */
struct words {
	const char *arg[ARGS];
	size_t nr;
};

/* False if there are too many words, or none. */
static bool split(const char *argv, size_t len, struct words *words)
{
	words->nr = 0;
	if (!len || len > HOST_REMEDY_ARGV || argv[len - 1] != '\0')
		return false;
	for (const char *arg = argv; arg < argv + len; arg += strlen(arg) + 1) {
		if (words->nr == ARGS)
			return false;
		words->arg[words->nr++] = arg;
	}
	return true;
}

static bool is_one_of(const char *word, const char *const list[])
{
	for (size_t i = 0; list[i]; i++)
		if (!strcmp(word, list[i]))
			return true;
	return false;
}

/*
 * Index at which an option can be inserted: after the program, or the script
 * and its interpreter, and after perf's or simpleperf's command.  0: unknown.
 */
static size_t place_of_options(const struct words *words, const char *comm)
{
	/* the others may stand before these: "sched record", "kvm stat live" */
	static const char *const last[] = { "record", "top", "trace", "live",
					    NULL };
	static const char *const first[] = { "sched", "lock", "kvm", "mem",
					     "c2c", "kwork", "stat", NULL };
	size_t at = 1;

	if (text_begins(text_base_name(words->arg[0]), "python"))
		return words->nr > 1 && words->arg[1][0] != '-' ? 2 : 0;
	if (strcmp(comm, "perf") && strcmp(comm, "simpleperf"))
		return 1;
	while (at < words->nr && is_one_of(words->arg[at], first))
		at++;
	if (at == words->nr || !is_one_of(words->arg[at], last))
		return 0;
	/* "trace record" takes record's options after it, and sets -m before */
	at += !strcmp(words->arg[at], "trace") && at + 1 < words->nr &&
	      !strcmp(words->arg[at + 1], "record");
	return at + 1;
}

/*
 * Whether @arg may set the size in a way that is not understood: an
 * abbreviation, or several short options in one.  The last one would count.
 */
static bool may_set_size(const char *arg, const char *option)
{
	if (arg[0] != '-')
		return false;
	if (arg[1] == '-')
		return text_begins(arg, "--mm") || text_begins(arg, "--bu");
	return option[1] != '-' && strchr(arg + 1, option[1]);
}

/* Whether @value is the size of the ring now; in "128,16M" the latter is AUX. */
static bool is_present(const char *value, const struct ring_row *row,
		       uint64_t page_size)
{
	static const char suffixes[] = "BKMG";
	const char *suffix = NULL;
	char *end;
	uint64_t number = strtoull(value, &end, 10);

	if (end == value || number > row->size)
		return false;
	if (*end && *end != ',')
		suffix = strchr(suffixes, toupper((unsigned char)*end));
	if (suffix) {
		number <<= 10 * (suffix - suffixes);
		number = (number + page_size - 1) / page_size;
		end++;
	}
	return (!*end || *end == ',') &&
	       units_round_pow2(number) * page_size == row->size;
}

/*
 * The value of word *@i, if it is the option that the first @len bytes of @name
 * are; it may be the following word, to which *@i is moved then.  NULL: it is
 * not.
 */
static const char *value_of(const struct words *words, size_t *i,
			    const char *name, size_t len)
{
	const char *arg = words->arg[*i];

	if (strncmp(arg, name, len))
		return NULL;
	if (!arg[len])
		return *i + 1 < words->nr ? words->arg[++*i] : NULL;
	if (name[1] == '-')
		return arg[len] == '=' ? arg + len + 1 : NULL;
	return arg + len;
}

/* The same for each of the names in @option. */
static const char *value_of_any(const struct words *words, size_t *i,
				const char *option)
{
	const char *value = NULL;

	for (const char *name = option; *name && !value;) {
		size_t len = strcspn(name, " ");

		value = value_of(words, i, name, len);
		name += len + strspn(name + len, " ");
	}
	return value;
}

/* Insert the first name of @option and @value before word @at. */
static bool insert_option(struct words *words, size_t at, const char *option,
			  const char *value, char name[HOST_REMEDY_ARGV])
{
	if (!at || words->nr + 2 > ARGS)
		return false;
	memmove(words->arg + at + 2, words->arg + at,
		(words->nr - at) * sizeof(words->arg[0]));
	snprintf(name, HOST_REMEDY_ARGV, "%.*s", (int)strcspn(option, " "),
		 option);
	words->arg[at] = name;
	words->arg[at + 1] = value;
	words->nr += 2;
	return true;
}

/*
 * Put @value where the command line has the present size, else insert the
 * option.  A number that is not the present size is of another program: "perf
 * record gcc -m 32".  The new word is made in @word.
 */
static bool change_option(struct words *words, const struct owner *owner,
			  const struct ring_row *row, uint64_t page_size,
			  const char *value, char word[HOST_REMEDY_ARGV])
{
	size_t place = place_of_options(words, row->comm);
	bool own = true;	/* not yet the command that perf starts */

	for (size_t i = place; place && i < words->nr &&
			       strcmp(words->arg[i], "--"); i++) {
		size_t at = i;
		const char *old = value_of_any(words, &at, owner->option);
		const char *arg = words->arg[at];

		own &= words->arg[i][0] == '-' ||
		       (i > place && words->arg[i - 1][0] == '-');
		if (!old || (owner->unit == PAGES &&
			     !is_present(old, row, page_size))) {
			if (own && may_set_size(words->arg[i], owner->option))
				return false;
			continue;
		}
		snprintf(word, HOST_REMEDY_ARGV, "%.*s%s%s", (int)(old - arg),
			 arg, value,
			 owner->unit == PAGES ? old + strcspn(old, ",") : "");
		words->arg[at] = word;
		return true;
	}
	return insert_option(words, place, owner->option, value, word);
}

/* Printable ASCII only: a shell must get what is shown. */
static bool is_plain(const char *arg)
{
	for (; *arg; arg++)
		if (*arg < ' ' || *arg > '~')
			return false;
	return true;
}

/* Append @arg as one word of a shell. */
static void append_quoted(char *buf, size_t size, const char *arg)
{
	if (*arg && *arg != '=' && !arg[strspn(arg, literal)] &&
	    (*buf || !strchr(arg, '='))) {
		text_append(buf, size, "%s", arg);
		return;
	}
	text_append(buf, size, "'");
	for (; *arg; arg++)
		text_append(buf, size, *arg == '\'' ? "'\\''" : "%c", *arg);
	text_append(buf, size, "'");
}

/* False if they are too long, or not plain. */
static bool join(const struct words *words, char buf[HOST_REMEDY_COMMAND])
{
	for (size_t i = 0; i < words->nr; i++) {
		if (!is_plain(words->arg[i]))
			return false;
		text_append(buf, HOST_REMEDY_COMMAND, "%s", i ? " " : "");
		append_quoted(buf, HOST_REMEDY_COMMAND, words->arg[i]);
	}
	return strlen(buf) < HOST_REMEDY_COMMAND - 1;	/* else cut */
}

void host_remedy_command(const struct ring_row *row, const char *argv,
			 size_t len, uint64_t pages, uint64_t page_size,
			 char buf[HOST_REMEDY_COMMAND])
{
	const struct owner *owner = owner_of(row->comm, row->kind);
	char word[HOST_REMEDY_ARGV], value[VALUE];
	struct words words;
	bool made = true;

	buf[0] = '\0';
	if (!owner || !*owner->option || !split(argv, len, &words))
		return;
	/* no option counts frames */
	put_value(owner->unit, pages, pages * page_size, 1, value,
		  sizeof(value));
	if (owner->option[0] == '-')
		made = change_option(&words, owner, row, page_size, value,
				     word);
	else
		snprintf(buf, HOST_REMEDY_COMMAND, "%s%s ", owner->option,
			 value);
	if (!made || !join(&words, buf))
		buf[0] = '\0';
}

bool host_remedies_wants(const struct host_remedies *all, pid_t *pid)
{
	for (size_t i = 0; i < HOST_REMEDIES; i++) {
		if (!all->list[i].pid || all->list[i].known)
			continue;
		*pid = all->list[i].pid;
		return true;
	}
	return false;
}

void host_remedies_set_cmdline(struct host_remedies *all, pid_t pid,
			       const char *argv, size_t len)
{
	for (size_t i = 0; i < HOST_REMEDIES; i++) {
		struct host_remedy *remedy = &all->list[i];

		if (remedy->pid != pid)
			continue;
		remedy->known = true;
		remedy->len = len <= sizeof(remedy->argv) ? len : 0;
		memcpy(remedy->argv, argv, remedy->len);
	}
}

/*
 * The owner of @row, or else an unused one, if more than @spare are.  NULL:
 * there is none, or @row is of an earlier process with that pid.
 */
static struct host_remedy *find(struct host_remedies *all,
				const struct ring_row *row, size_t spare)
{
	struct host_remedy *unused = NULL;
	size_t nr_unused = 0;

	for (size_t i = 0; i < HOST_REMEDIES; i++) {
		struct host_remedy *remedy = &all->list[i];

		if (remedy->pid && remedy->pid == row->pid)
			return row->gone && remedy->reused ? NULL : remedy;
		if (!remedy->pid) {
			unused = remedy;
			nr_unused++;
		}
	}
	return nr_unused > spare ? unused : NULL;
}

/*
 * The advised size is set on the command line, and that may be shown: the owner
 * and who pays for the ring, which may be another user, are ours.
 */
static bool is_by_command(const struct host_remedies *all,
			  const struct ring_row *row)
{
	const struct owner *owner;

	if (!row->advice.setting[0] || row->advice.undecided ||
	    row->kind == RING_FTRACE ||
	    row->pid <= 0 || row->self ||
	    row->owner_uid != all->uid || row->uid != all->uid)
		return false;
	owner = owner_of(row->comm, row->kind);
	return owner && *owner->option;
}

/*
 * Take the owner of @row: with advice, or else if there is room after those
 * with advice.  NULL: not taken.
 */
static struct host_remedy *take(struct host_remedies *all,
				const struct ring_row *row, bool advised)
{
	struct host_remedy *remedy =
		find(all, row, advised ? 0 : HOST_REMEDIES_ADVISED);

	/* one that has ended has no command line that could be read */
	if (!remedy || (!remedy->pid && (row->gone || row->pid <= 0 ||
					 row->owner_uid != all->uid)))
		return NULL;
	if (!remedy->pid)
		*remedy = (struct host_remedy){ .pid = row->pid };
	remedy->present = true;
	remedy->ended &= row->gone;
	return remedy;
}

/* The ring of an owner that needs most decides. */
static void need(struct host_remedies *all, const struct ring_row *row,
		 uint64_t page_size)
{
	struct host_remedy *remedy = take(all, row, true);
	uint64_t pages = row->advice.pages;

	if (!remedy || remedy->pages >= pages)
		return;
	remedy->pages = pages;
	remedy->command[0] = '\0';
	if (remedy->len)
		host_remedy_command(row, remedy->argv, remedy->len, pages,
				    page_size, remedy->command);
}

/* Arguments are separated by a blank, as ps(1) does. */
static void make_line(struct host_remedy *remedy)
{
	char text[HOST_REMEDY_ARGV + 1];
	size_t len = remedy->len;

	while (len && !remedy->argv[len - 1])
		len--;
	for (size_t i = 0; i < len; i++)
		text[i] = remedy->argv[i] ? remedy->argv[i] : ' ';
	text[len] = '\0';
	text_copy(remedy->line, sizeof(remedy->line), text);
}

/* Begin: no ring was seen yet.  A ring of an owner that had ended is one of a
 * later process. */
static void begin(struct host_remedies *all, const struct ring_row *rows,
		  size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct host_remedy *remedy = find(all, &rows[i], 0);

		if (!rows[i].gone && remedy && remedy->pid && remedy->ended)
			*remedy = (struct host_remedy){ .pid = rows[i].pid,
							.reused = true };
	}
	for (size_t i = 0; i < HOST_REMEDIES; i++) {
		struct host_remedy *remedy = &all->list[i];

		if (!remedy->pid)
			continue;
		remedy->present = false;
		remedy->ended = true;
		remedy->pages = 0;
		if (remedy->len && !remedy->line[0])
			make_line(remedy);
	}
}

void host_remedies_set(struct host_remedies *all, struct ring_row *rows,
		       size_t nr, uint64_t page_size)
{
	begin(all, rows, nr);
	for (size_t i = 0; i < nr; i++)
		if (is_by_command(all, &rows[i]))
			need(all, &rows[i], page_size);
		else	/* need not be read again: the advice may come back */
			take(all, &rows[i], false);
	for (size_t i = 0; i < HOST_REMEDIES; i++)
		if (all->list[i].pid && !all->list[i].present)
			all->list[i] = (struct host_remedy){ 0 };
	for (size_t i = 0; i < nr; i++) {
		const struct host_remedy *remedy = find(all, &rows[i], 0);

		if (!remedy || !remedy->pid)
			continue;
		rows[i].cmdline = remedy->line[0] ? remedy->line : NULL;
		if (is_by_command(all, &rows[i]) && remedy->command[0] &&
		    remedy->pages == rows[i].advice.pages)
			rows[i].advice.command = remedy->command;
	}
}
