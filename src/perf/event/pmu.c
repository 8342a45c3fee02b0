/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/event/pmu.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/units.h"

/* A sysfs file has at most a page; an event's terms are far shorter. */
enum { FILE_MAX = 4096 };

/* "PMUS/NAME/SUB[/FILE]" into @path.  False for a bad name or one too long. */
static bool pmu_path(char path[PATH_MAX], const char *pmus, const char *name,
		     const char *sub, const char *file)
{
	int n;

	if (!text_is_file_name(name) || (file && !text_is_file_name(file)))
		return false;
	n = snprintf(path, PATH_MAX, "%s/%s/%s%s%s", pmus, name, sub,
		     file ? "/" : "", file ? file : "");
	return n > 0 && n < PATH_MAX;
}

/* Read a file of the PMU, without its last newline.  Its length or -errno. */
static ssize_t pmu_read(const char *pmus, const char *name, const char *sub,
			const char *file, char *buf, size_t size)
{
	char path[PATH_MAX];
	ssize_t n;

	if (!pmu_path(path, pmus, name, sub, file))
		return -ENOENT;
	n = sys_read_file(path, buf, size);
	while (n > 0 && isspace((unsigned char)buf[n - 1]))
		buf[--n] = '\0';
	return n;
}

int pmu_number(const char *pmus, const char *name, const char *file, bool hex,
	       uint64_t *value)
{
	uint64_t scanned;
	char text[64];
	ssize_t n = pmu_read(pmus, name, file, NULL, text, sizeof(text));

	if (n < 0)
		return (int)n;
	if (hex ? !units_scan_hex(text, &scanned) :
		  !units_scan_number(text, &scanned))
		return -EINVAL;
	*value = scanned;
	return 0;
}

bool pmu_exists(const char *pmus, const char *name)
{
	char buf[32];

	return pmu_read(pmus, name, "type", NULL, buf, sizeof(buf)) > 0;
}

/* False for hidden files and for the attributes of an event, such as .scale. */
static bool is_plain(const char *file)
{
	static const char *const about[] = {
		".scale",
		".unit",
		".snapshot",
		".per-pkg",
	};
	const char *dot = strrchr(file, '.');

	if (file[0] == '.')
		return false;
	for (size_t i = 0; dot && i < sizeof(about) / sizeof(about[0]); i++) {
		if (!strcmp(dot, about[i]))
			return false;
	}
	return true;
}

static int visible(const struct dirent *d)
{
	return is_plain(d->d_name);
}

static int each_name(const char *dir, pmu_fn *fn, void *ctx)
{
	struct dirent **names;
	int ret = 0, nr;

	nr = sys_scandir(dir, visible, &names);
	if (nr < 0)
		return 0;
	for (int i = 0; i < nr && !ret; i++)
		ret = fn(ctx, names[i]->d_name);
	sys_free_entries(names, nr);
	return ret;
}

int pmu_each(const char *pmus, pmu_fn *fn, void *ctx)
{
	return each_name(pmus, fn, ctx);
}

static int each_in(const char *pmus, const char *name, const char *sub,
		   pmu_fn *fn, void *ctx)
{
	char path[PATH_MAX];

	return pmu_path(path, pmus, name, sub, NULL) ?
		       each_name(path, fn, ctx) : 0;
}

int pmu_each_event(const char *pmus, const char *name, pmu_fn *fn, void *ctx)
{
	return each_in(pmus, name, "events", fn, ctx);
}

int pmu_each_field(const char *pmus, const char *name, pmu_fn *fn, void *ctx)
{
	return each_in(pmus, name, "format", fn, ctx);
}

/* The names found, for an error line. */
struct names {
	char text[200];
};

static int names_add(void *ctx, const char *name)
{
	struct names *n = ctx;

	return !text_list(n->text, sizeof(n->text), name);
}

static const char *names_text(const struct names *n)
{
	return n->text[0] ? n->text : "none";
}

int pmu_type(const char *pmus, const char *name, uint32_t *type,
	     struct err *err)
{
	struct names names = { "" };
	uint64_t value = 0;
	int ret = pmu_number(pmus, name, "type", false, &value);

	if (ret == -ENOENT || ret == -ENOTDIR) {
		pmu_each(pmus, names_add, &names);
		return err_set(err, -ENOENT,
			       "no PMU '%.60s' on this machine; "
			       "it has: %s",
			       name, names_text(&names));
	}
	if (ret && ret != -EINVAL)
		return err_errno(err, ret, "type of PMU '%.60s'", name);
	if (ret || value > UINT32_MAX)
		return err_set(err, -EIO, "type of PMU '%.60s' is not a number",
			       name);
	*type = (uint32_t)value;
	return 0;
}

/* One field of format/: the bits of a config word, low bit first. */
struct field {
	uint64_t *word;
	uint64_t mask;
};

static uint64_t *config_word(const char *name, struct perf_event_attr *attr)
{
	if (!strcmp(name, "config"))
		return (uint64_t *)&attr->config;
	if (!strcmp(name, "config1"))
		return (uint64_t *)&attr->config1;
	if (!strcmp(name, "config2"))
		return (uint64_t *)&attr->config2;
	return NULL;
}

/* Add "3" or "0-7" at *@s to @mask; *@s moves past it. */
static bool parse_bits(const char **s, uint64_t *mask)
{
	unsigned long low, high;
	char *end;

	if (!isdigit((unsigned char)**s))
		return false;
	low = high = strtoul(*s, &end, 10);
	if (*end == '-') {
		if (!isdigit((unsigned char)end[1]))
			return false;
		high = strtoul(end + 1, &end, 10);
	}
	if (low > high || high > 63)
		return false;
	for (unsigned long bit = low; bit <= high; bit++)
		*mask |= 1ULL << bit;
	*s = end;
	return true;
}

/* "config1:0-7,32-35".  False for a form that rbtop does not know. */
static bool parse_field(char *text, struct perf_event_attr *attr,
			struct field *field)
{
	char *colon = strchr(text, ':');
	const char *s;

	if (!colon)
		return false;
	*colon = '\0';
	field->word = config_word(text, attr);
	field->mask = 0;
	if (!field->word)
		return false;
	s = colon + 1;
	while (parse_bits(&s, &field->mask)) {
		if (*s == '\0')
			return true;
		if (*s++ != ',')
			return false;
	}
	return false;
}

struct pmu_bits pmu_bits_of(const struct perf_event_attr *attr)
{
	return (struct pmu_bits){ {
		attr->config,
		attr->config1,
		attr->config2,
	} };
}

int pmu_field_bits(const char *pmus, const char *name, const char *field,
		   struct pmu_bits *bits)
{
	struct perf_event_attr attr = { 0 };
	struct field found;
	char text[FILE_MAX];
	ssize_t n = pmu_read(pmus, name, "format", field, text, sizeof(text));

	if (n < 0)
		return (int)n;
	if (!parse_field(text, &attr, &found))
		return -ENOTSUP;
	*found.word = found.mask;
	*bits = pmu_bits_of(&attr);
	return 0;
}

uint64_t pmu_gather(uint64_t word, uint64_t mask)
{
	uint64_t value = 0;
	int n = 0;

	for (int bit = 0; bit < 64; bit++) {
		if (mask >> bit & 1)
			value |= (word >> bit & 1) << n++;
	}
	return value;
}

uint64_t pmu_scatter(uint64_t value, uint64_t mask)
{
	uint64_t word = 0;

	for (int bit = 0; bit < 64; bit++) {
		if (!(mask >> bit & 1))
			continue;
		word |= (value & 1) << bit;
		value >>= 1;
	}
	return word;
}

static int apply_field(const struct field *field, const char *term,
		       const char *value, struct err *err)
{
	int width = __builtin_popcountll(field->mask);
	uint64_t n = 1;

	if (!value && width > 1)
		return err_usage(err, "term '%.60s' needs a value", term);
	if (value && !units_scan_number(value, &n))
		return err_usage(err, "term '%.60s=%.60s': not a number", term,
				 value);
	if (width < 64 && n >> width)
		return err_usage(err,
				 "term '%.60s=%.60s': over the field's "
				 "%d bit%s, at most %#llx",
				 term, value, width, width == 1 ? "" : "s",
				 ~0ULL >> (64 - width));
	*field->word = (*field->word & ~field->mask) |
		       pmu_scatter(n, field->mask);
	return 0;
}

static int unknown_term(const char *pmus, const char *name, const char *term,
			struct err *err)
{
	struct names names = { "" };

	if (!pmu_each_field(pmus, name, names_add, &names))
		pmu_each_event(pmus, name, names_add, &names);
	return err_usage(err, "PMU '%.60s' has no term '%.60s'; it has: %s",
			 name, term, names_text(&names));
}

/* A field or a whole config word; -ENOENT without @err if @term is neither. */
static int apply_format(const char *pmus, const char *name, const char *term,
			const char *value, struct perf_event_attr *attr,
			struct err *err)
{
	struct field field = { config_word(term, attr), UINT64_MAX };
	char text[FILE_MAX];
	ssize_t n;

	if (field.word)
		return apply_field(&field, term, value, err);
	n = pmu_read(pmus, name, "format", term, text, sizeof(text));
	if (n == -ENOENT)
		return -ENOENT;
	if (n < 0)
		return err_errno(err, (int)n, "format of term '%.60s' of PMU "
				 "'%.60s'", term, name);
	if (!parse_field(text, attr, &field))
		return err_set(err, -ENOTSUP,
			       "term '%.60s' of PMU '%.60s' has a field "
			       "format that rbtop does not know",
			       term, name);
	return apply_field(&field, term, value, err);
}

/* Apply the terms of an event, "event=0x3c,umask=0x01". */
static int apply_event(const char *pmus, const char *name, const char *event,
		       char *terms, struct perf_event_attr *attr,
		       struct err *err)
{
	char *save, *term;
	int ret = 0;

	for (term = strtok_r(terms, ",", &save); term && !ret;
	     term = strtok_r(NULL, ",", &save)) {
		char *value = strchr(term, '=');

		if (value)
			*value++ = '\0';
		if (value && !strcmp(value, "?"))
			return err_usage(err,
					 "event '%.60s' of PMU '%.60s' "
					 "needs '%.60s'; give its terms "
					 "one by one: %s/%.60s=.../",
					 event, name, term, name, term);
		ret = apply_format(pmus, name, term, value, attr, err);
		if (ret == -ENOENT)
			return unknown_term(pmus, name, term, err);
	}
	return ret;
}

/* Read the terms of an event into @buf.  Their length or -errno. */
static ssize_t read_event(const char *pmus, const char *name, const char *event,
			  char *buf, size_t size)
{
	if (!is_plain(event))
		return -ENOENT;
	return pmu_read(pmus, name, "events", event, buf, size);
}

bool pmu_has_event(const char *pmus, const char *name, const char *event)
{
	char text[FILE_MAX];

	return read_event(pmus, name, event, text, sizeof(text)) >= 0;
}

int pmu_apply_term(const char *pmus, const char *name, const char *term,
		   const char *value, struct perf_event_attr *attr,
		   struct err *err)
{
	char text[FILE_MAX];
	bool is_event;
	int ret;

	is_event = read_event(pmus, name, term, text, sizeof(text)) >= 0;
	if (is_event && !value)
		return apply_event(pmus, name, term, text, attr, err);
	ret = apply_format(pmus, name, term, value, attr, err);
	if (ret != -ENOENT)
		return ret;
	if (is_event)
		return err_usage(err,
				 "'%.60s' is an event of PMU '%.60s': it "
				 "takes no value",
				 term, name);
	return unknown_term(pmus, name, term, err);
}

static int unknown_sink(const char *pmus, const char *name, const char *sink,
			struct err *err)
{
	struct names names = { "" };

	each_in(pmus, name, "sinks", names_add, &names);
	return err_usage(err, "PMU '%.60s' has no sink '%.60s'; it has: %s",
			 name, sink, names_text(&names));
}

int pmu_apply_sink(const char *pmus, const char *name, const char *sink,
		   struct perf_event_attr *attr, struct err *err)
{
	char text[32], number[32];
	uint64_t id;
	ssize_t n = pmu_read(pmus, name, "sinks", sink, text, sizeof(text));
	int ret;

	if (n == -ENOENT || n == -ENOTDIR)
		return unknown_sink(pmus, name, sink, err);
	if (n < 0)
		return err_errno(err, (int)n, "sink '%.60s' of PMU '%.60s'",
				 sink, name);
	if (!units_scan_hex(text, &id))
		return err_set(err, -EIO,
			       "sink '%.60s' of PMU '%.60s' is not a number",
			       sink, name);
	snprintf(number, sizeof(number), "%#llx", (unsigned long long)id);
	ret = apply_format(pmus, name, "sinkid", number, attr, err);
	if (ret == -ENOENT)
		ret = apply_format(pmus, name, "config2", number, attr, err);
	return ret;
}

int pmu_cpus(const char *pmus, const char *name, struct cpulist *cpus,
	     struct err *err)
{
	static const char *const files[] = { "cpumask", "cpus" };
	char text[FILE_MAX];
	int ret;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		ssize_t n = pmu_read(pmus, name, files[i], NULL, text,
				     sizeof(text));

		if (n == -ENOENT)
			continue;
		if (n < 0)
			return err_errno(err, (int)n, "%s of PMU '%.60s'",
					 files[i], name);
		ret = cpulist_parse(text, cpus, err);
		/* an invalid file of the kernel is not a usage error */
		if (ret == -EINVAL)
			return err_set(err, -EIO,
				       "%s of PMU '%.60s' is not a CPU list",
				       files[i], name);
		return ret;
	}
	*cpus = (struct cpulist){ 0 };
	return 0;
}

/*
 * PMUs of CPU cores have the type PERF_TYPE_RAW, or, where there is more than
 * one kind of core, a "cpus" file (Documentation/ABI/testing/
 * sysfs-bus-event_source-devices); s390 calls its own cpum_cf.
 */
bool pmu_is_core(const char *pmus, const char *name)
{
	char text[FILE_MAX];
	uint32_t type;

	if (pmu_type(pmus, name, &type, NULL))
		return false;
	return type == PERF_TYPE_RAW || !strcmp(name, "cpum_cf") ||
	       pmu_read(pmus, name, "cpus", NULL, text, sizeof(text)) >= 0;
}

struct find_core {
	const char *pmus;
	char *name;
	size_t size;
};

static int find_core(void *ctx, const char *name)
{
	struct find_core *f = ctx;

	if (!pmu_is_core(f->pmus, name))
		return 0;
	snprintf(f->name, f->size, "%s", name);
	return 1;
}

int pmu_find_core(const char *pmus, char *name, size_t size)
{
	struct find_core f = { pmus, name, size };

	return pmu_each(pmus, find_core, &f) ? 0 : -ENOENT;
}

unsigned int pmu_max_precise(const char *pmus, const char *name)
{
	uint64_t value = 0;

	if (pmu_number(pmus, name, "caps/max_precise", false, &value) ||
	    value > 3)
		return 0;
	return (unsigned int)value;
}
