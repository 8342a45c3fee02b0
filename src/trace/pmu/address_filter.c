/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/pmu/address_symbol.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/units.h"

enum { NAME_MAX_LEN = 1024 };

/* The start or end of a range, or the only address of a filter. */
struct point {
	bool there;
	char name[NAME_MAX_LEN];	/* symbol; "": use number */
	int which;			/* ADDRESS_SYMBOL_* */
	uint64_t number;
};

struct filter {
	const char *action;	/* as the kernel names it */
	bool range;		/* the filter has a size */
	struct point from, to;
	char file[PATH_MAX];	/* "": in the kernel */
};

/* The filters in the kernel's syntax. */
struct output {
	char *text;
	size_t nr;
};

static int syntax(struct err *err, const char *what, const char *at)
{
	char rest[64];

	text_copy(rest, sizeof(rest), at);
	return err_usage(err,
			 "%s at '%s': filter|start|stop|tracestop START [/ END or SIZE] [@ FILE], START a symbol or an address",
			 what, rest);
}

static void skip(const char **s, const char *what)
{
	*s += strspn(*s, what);
}

#define SPACE " \t\n"
#define SEPARATORS " \t\n,"

/* Copy what precedes one of @ends to @word.  False if it is "" or too long. */
static bool take_word(const char **s, const char *ends, char *word, size_t size)
{
	size_t len = strcspn(*s, ends);

	if (!len || len >= size)
		return false;
	memcpy(word, *s, len);
	word[len] = '\0';
	*s += len;
	return true;
}

static int take_action(const char **s, struct filter *f, struct err *err)
{
	static const struct {
		const char *name, *action;
		bool range;
	} actions[] = {
		{ "filter", "filter", true },
		{ "start", "start", false },
		{ "stop", "stop", false },
		/* in the kernel's syntax a stop filter with a size */
		{ "tracestop", "stop", true },
	};
	const char *begin = *s;
	char word[16];

	if (!take_word(s, SEPARATORS, word, sizeof(word)))
		return syntax(err, "no filter", begin);
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (strcmp(word, actions[i].name))
			continue;
		f->action = actions[i].action;
		f->range = actions[i].range;
		return 0;
	}
	return syntax(err, "no such filter", begin);
}

/* "#2", "#g" after a symbol. */
static int take_which(const char **s, struct point *p, struct err *err)
{
	const char *begin;
	char word[16];
	uint64_t n;

	p->which = ADDRESS_SYMBOL_ONLY;
	skip(s, SPACE);
	if (**s != '#')
		return 0;
	begin = (*s)++;
	if (!take_word(s, SEPARATORS "/@", word, sizeof(word)))
		return syntax(err, "no number", begin);
	if (!strcmp(word, "g") || !strcmp(word, "G")) {
		p->which = ADDRESS_SYMBOL_GLOBAL;
		return 0;
	}
	if (!units_scan_number(word, &n) || n > INT_MAX)
		return syntax(err, "no number", begin);
	p->which = (int)n;
	return 0;
}

static int take_point(const char **s, struct point *p, struct err *err)
{
	const char *begin;

	skip(s, SPACE);
	begin = *s;
	if (!take_word(s, SEPARATORS "/@#", p->name, sizeof(p->name)))
		return syntax(err, "no symbol or address", begin);
	p->there = true;
	if (!isdigit((unsigned char)p->name[0]))
		return take_which(s, p, err);
	if (!units_scan_number(p->name, &p->number))
		return syntax(err, "no number", begin);
	p->name[0] = '\0';
	return 0;
}

/* Parse the next filter.  0 or -EINVAL. */
static int take_filter(const char **s, struct filter *f, struct err *err)
{
	const char *begin = *s;
	int ret;

	memset(f, 0, sizeof(*f));
	ret = take_action(s, f, err);
	if (!ret)
		ret = take_point(s, &f->from, err);
	if (ret)
		return ret;
	skip(s, SPACE);
	if (**s == '/') {
		(*s)++;
		f->range = true;
		ret = take_point(s, &f->to, err);
		if (ret)
			return ret;
		skip(s, SPACE);
	}
	if (**s == '@') {
		(*s)++;
		skip(s, SPACE);
		if (!take_word(s, SEPARATORS, f->file, sizeof(f->file)))
			return syntax(err, "no file", begin);
	}
	if (f->range && !f->from.name[0] && !f->to.there)
		return syntax(err, "no size", begin);
	return 0;
}

/* The range from the start of one symbol to the end of the other. */
static int resolve_end(struct address_symbol_place *place,
		       const struct filter *f, struct address_range *range,
		       struct err *err)
{
	struct address_range end;
	int ret;

	if (!f->to.name[0]) {
		range->size = f->to.number;
		return 0;
	}
	ret = address_symbol_find(place, f->to.name, f->to.which, &end, err);
	if (ret)
		return ret;
	if (end.start + end.size < range->start)
		return err_usage(err,
				 "'%.60s' (0x%llx) comes before the start (0x%llx)",
				 f->to.name, (unsigned long long)end.start,
				 (unsigned long long)range->start);
	range->size = end.size ? end.start + end.size - range->start : 0;
	return 0;
}

static int no_size(const struct filter *f, struct err *err)
{
	const struct point *last = f->to.there ? &f->to : &f->from;

	if (!last->name[0])
		return err_usage(err, "the range is empty");
	return err_usage(err,
			 "the size of '%.60s' is not known: give it, as in '%s %.60s / 0x40'",
			 last->name, f->action, f->from.name);
}

static int resolve(struct address_symbol_place *place, const struct filter *f,
		   struct address_range *range, struct err *err)
{
	int ret = 0;

	*range = (struct address_range){ f->from.number, 0 };
	if (!strcmp(f->from.name, "*"))
		return f->range && !f->to.there ?
			       address_symbol_all(place, range, err) :
			       syntax(err, "'*' is a range of its own",
				      f->from.name);
	if (f->from.name[0])
		ret = address_symbol_find(place, f->from.name, f->from.which,
					  range, err);
	if (!ret && f->to.there)
		ret = resolve_end(place, f, range, err);
	if (!ret && f->range && !range->size)
		return no_size(f, err);
	return ret;
}

/* The kernel resolves the path itself, and splits it at its separators. */
static int real_path(const char *file, char path[PATH_MAX], struct err *err)
{
	char name[128];

	text_copy(name, sizeof(name), file);
	if (!realpath(file, path))
		return err_errno(err, -errno, "%s", name);
	if (path[strcspn(path, SEPARATORS)])
		return err_usage(err,
				 "%s: the kernel accepts no path with a space or a comma",
				 name);
	return 0;
}

static int append(struct output *out, const struct filter *f,
		  const struct address_range *range, const char *path,
		  struct err *err)
{
	char size[24] = "", *text;

	if (f->range)
		snprintf(size, sizeof(size), "/0x%llx",
			 (unsigned long long)range->size);
	if (asprintf(&text, "%s%s%s 0x%llx%s%s%s", out->text ? out->text : "",
		     out->text ? "," : "", f->action,
		     (unsigned long long)range->start, size, *path ? "@" : "",
		     path) < 0)
		return err_set(err, -ENOMEM, "out of memory");
	free(out->text);
	out->text = text;
	out->nr++;
	return 0;
}

static int add_filter(struct output *out, const struct filter *f,
		      struct address_symbol_place *place, struct err *err)
{
	struct address_range range;
	char path[PATH_MAX] = "";
	int ret = 0;

	if (f->file[0])
		ret = real_path(f->file, path, err);
	place->file = path[0] ? path : NULL;
	if (!ret)
		ret = resolve(place, f, &range, err);
	if (!ret)
		ret = append(out, f, &range, path, err);
	place->file = NULL;
	return ret;
}

int address_filter_resolve(const char *text, const char *kallsyms, char **out,
			   size_t *nr, struct err *err)
{
	struct address_symbol_place place = { .kallsyms = kallsyms };
	struct output output = { 0 };
	const char *s = text;
	struct filter f;
	int ret = 0;

	*out = NULL;
	*nr = 0;
	skip(&s, SEPARATORS);
	if (!*s)
		return syntax(err, "no filter", text);
	while (!ret && *s) {
		ret = take_filter(&s, &f, err);
		if (!ret)
			ret = add_filter(&output, &f, &place, err);
		skip(&s, SEPARATORS);
	}
	/* limit of the kernel: strndup_user() in perf_event_set_filter() */
	if (!ret && strlen(output.text) >= sys_page_size())
		ret = err_usage(err,
				"the filter is longer than a page, the limit of the kernel");
	if (ret) {
		free(output.text);
		err_prefix(err, "--aux-filter");
		return ret;
	}
	*out = output.text;
	*nr = output.nr;
	return 0;
}
