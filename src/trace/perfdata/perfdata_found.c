/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/perfdata_file.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/text.h"
#include "base/units.h"
#include "base/unknown.h"
#include "trace/perfdata/perfdata_format.h"

enum {
	BUILD_IDS_MAX = 1 << 16,
	BUILD_ID_PATHS_MAX = 16 << 20,
	BUILD_ID_FIXED = sizeof(struct perfdata_record_build_id),
	BUILD_ID_FULL = 20,	/* where the size of it is not given */
	PAGE = 4096,
};

/* A position in a feature.  Once @bad, what is read is 0 or empty. */
struct cursor {
	struct perfdata_order order;
	const uint8_t *at;
	size_t left;
	bool bad;
};

static const uint8_t *take(struct cursor *c, uint64_t size)
{
	const uint8_t *at = c->at;

	if (c->bad || size > c->left) {
		c->bad = true;
		return NULL;
	}
	c->at += size;
	c->left -= (size_t)size;
	return at;
}

static uint32_t take32(struct cursor *c)
{
	const uint8_t *at = take(c, sizeof(uint32_t));

	return at ? perfdata_get32(c->order, at) : 0;
}

static uint64_t take64(struct cursor *c)
{
	const uint8_t *at = take(c, sizeof(uint64_t));

	return at ? perfdata_get64(c->order, at) : 0;
}

/* A string up to its NUL; NULL if that is missing. */
static const char *take_name(struct cursor *c)
{
	return (const char *)take(c, strnlen((const char *)c->at, c->left) + 1);
}

/* A string with its length before it; at most @size bytes of it into @text. */
static void take_string(struct cursor *c, char *text, size_t size)
{
	size_t len = take32(c);
	const char *at = (const char *)take(c, len);
	char raw[PERFDATA_PATH_MAX];

	*text = '\0';
	if (!at)
		return;
	len = strnlen(at, MIN(len, sizeof(raw) - 1));
	memcpy(raw, at, len);
	raw[len] = '\0';
	text_copy(text, size, raw);
}

/* Bytes of 1G pages, more than any ring has. */
#define MAX_SIZE (UINT64_C(1) << 42)

/* Options of perf record with an argument that may be the next word. */
static const char letters[] = "eptrCcoFmGDujk";
static const char *const names[] = {
	"affinity", "branch-filter", "call-graph", "cgroup", "clang-opt",
	"clang-path", "clockid", "control", "count", "cpu", "delay", "event",
	"filter", "freq", "max-size", "mmap-flush", "num-thread-synthesize",
	"off-cpu-thresh", "output", "pid", "proc-map-timeout", "realtime",
	"switch-max-files", "switch-output-event", "synth", "tid", "uid",
	"vmlinux",
};

/* Pages, or bytes with a suffix, up to a comma. */
static void take_part(struct perf_cmdline_size *part, const char *arg)
{
	char *end;
	uint64_t size = strtoull(arg, &end, 10);
	int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;

	part->nr = 0;
	part->pages = !shift && *end != 'B';
	end += !part->pages;
	if (end == arg || (*end && *end != ',') || size > MAX_SIZE >> shift)
		return;
	part->nr = size << shift;
}

/* "DATA", "DATA,AUX", ",AUX" */
static void take_size(struct perf_cmdline *c, const char *arg)
{
	const char *comma = strchr(arg, ',');

	c->is_size = false;
	if (*arg != ',')
		take_part(&c->data, arg);
	if (comma)
		take_part(&c->aux, comma + 1);
}

/* perf takes the start of a name for it, too. */
static void take_option(struct perf_cmdline *c, const char *name)
{
	const char *value = strchr(name, '=');
	size_t len = value ? (size_t)(value - name) : strlen(name);

	c->ended = !len;	/* "--" */
	if (len >= strlen("mmap-p") && !strncmp(name, "mmap-pages", len)) {
		c->is_size = !value;
		if (value)
			take_size(c, value + 1);
		return;
	}
	for (size_t i = 0; !value && i < sizeof(names) / sizeof(*names); i++)
		c->is_other |= !strcmp(name, names[i]);
}

/* Letters; an argument may follow in the same word. */
static void take_letters(struct perf_cmdline *c, const char *at)
{
	/* what follows these is theirs, but never the next word */
	while (*at && !strchr("ISz", *at) && !strchr(letters, *at))
		at++;
	if (!*at || strchr("ISz", *at))
		return;
	if (*at == 'm' && at[1])
		take_size(c, at + 1);
	else if (*at == 'm')
		c->is_size = true;
	else
		c->is_other = !at[1];
}

void perf_cmdline_add(struct perf_cmdline *c, const char *word)
{
	unsigned int nr = c->nr++;

	if (c->ended)
		return;
	if (nr == 0)
		c->ended = strncmp(text_base_name(word), "perf", 4) != 0;
	else if (nr == 1)
		c->ended = strcmp(word, "record") != 0;
	else if (c->is_size)
		take_size(c, word);
	else if (c->is_other)
		c->is_other = false;
	else if (word[0] != '-' || !word[1])
		c->ended = true;
	else if (word[1] == '-')
		take_option(c, word + 2);
	else
		take_letters(c, word + 1);
}

uint64_t perf_cmdline_ring_size(const struct perf_cmdline_size *size,
				const char *arch)
{
	static const char *const of_4k[] = {
		"x86_64", "i386", "i486", "i586", "i686", "s390x", "riscv64",
		"riscv32", "armv7l", "armv6l",
	};
	uint64_t bytes = size->pages ? size->nr * PAGE : size->nr;

	for (size_t i = 0; i < sizeof(of_4k) / sizeof(*of_4k); i++)
		if (bytes && !strcmp(arch, of_4k[i]))
			return bytes <= PAGE ? PAGE : units_round_pow2(bytes);
	return UNKNOWN;
}

/* The words of the command line with blanks between them, and what -m says. */
static void take_cmdline(struct perfdata_found *f, struct cursor *c)
{
	uint32_t nr = take32(c);
	char word[sizeof(f->info.cmdline)];
	struct perf_cmdline perf = { 0 };

	f->info.cmdline[0] = '\0';
	for (uint32_t i = 0; i < nr && !c->bad; i++) {
		take_string(c, word, sizeof(word));
		text_append(f->info.cmdline, sizeof(f->info.cmdline), "%s%s",
			    i ? " " : "", word);
		perf_cmdline_add(&perf, word);
	}
	f->info.ring_size = perf_cmdline_ring_size(&perf.data, f->info.arch);
	f->info.aux_size = perf_cmdline_ring_size(&perf.aux, f->info.arch);
}

/*
 * The names of events, in the order of the attrs.  The attr of each has the
 * size that is given once.
 */
static void take_event_names(struct perfdata_events *events, struct cursor *c)
{
	uint32_t nr = take32(c), attr_size = take32(c), nr_ids;
	char name[PERFDATA_NAME_SIZE];

	for (uint32_t i = 0; i < nr && !c->bad; i++) {
		take(c, attr_size);
		nr_ids = take32(c);
		take_string(c, name, sizeof(name));
		if (c->bad)
			return;
		perfdata_events_name(events, i, (uint8_t *)name,
				     strlen(name));
		for (uint32_t j = 0; j < nr_ids && !c->bad; j++)
			take(c, sizeof(uint64_t));
	}
}

void perfdata_found_build_id(struct perfdata_found *f,
			     struct perfdata_order order, const uint8_t *at,
			     size_t size)
{
	uint16_t misc = perfdata_get16(order, at + 4);
	const uint8_t *id = at + offsetof(struct perfdata_record_build_id, id);
	const char *name = (const char *)at + BUILD_ID_FIXED;
	struct perfdata_build_id build_id = {
		.id.len = BUILD_ID_FULL,
		.kernel = (misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
			  PERF_RECORD_MISC_KERNEL,
	}, *place;

	if (size <= BUILD_ID_FIXED || f->nr_build_ids == BUILD_IDS_MAX ||
	    size - BUILD_ID_FIXED > BUILD_ID_PATHS_MAX - f->build_id_bytes)
		return;
	if (misc & PERFDATA_MISC_BUILD_ID_SIZE)
		build_id.id.len = (uint8_t)MIN(id[PERFDATA_BUILD_ID],
					       ELF_BUILD_ID_MAX);
	memcpy(build_id.id.bytes, id, build_id.id.len);
	build_id.path = strndup(name, size - BUILD_ID_FIXED);
	place = build_id.path ? array_add(f->build_ids, f->nr_build_ids,
					  f->build_ids_cap) : NULL;
	if (!place) {
		free(build_id.path);
		return;
	}
	*place = build_id;
	f->build_id_bytes += size - BUILD_ID_FIXED;
}

static void take_build_ids(struct perfdata_found *f, struct cursor c)
{
	const uint8_t *at;
	size_t size;

	while (c.left >= BUILD_ID_FIXED) {
		size = perfdata_get16(c.order, c.at + 6);
		at = take(&c, size);
		if (!at || size < BUILD_ID_FIXED)
			return;
		perfdata_found_build_id(f, c.order, at, size);
	}
}

void perfdata_found_feature(struct perfdata_found *f,
			    struct perfdata_events *events, uint64_t bit,
			    const uint8_t *at, size_t size)
{
	struct perfdata_info *info = &f->info;
	struct cursor c = { events->order, at, size, false };

	switch (bit) {
	case PERFDATA_BUILD_IDS:
		take_build_ids(f, c);
		break;
	case PERFDATA_HOSTNAME:
		take_string(&c, info->hostname, sizeof(info->hostname));
		break;
	case PERFDATA_OSRELEASE:
		take_string(&c, info->os_release, sizeof(info->os_release));
		break;
	case PERFDATA_VERSION:
		take_string(&c, info->version, sizeof(info->version));
		break;
	case PERFDATA_ARCH:
		take_string(&c, info->arch, sizeof(info->arch));
		break;
	case PERFDATA_NRCPUS:
		info->cpus_available = take32(&c);
		info->cpus = take32(&c);
		if (c.bad)
			info->cpus_available = info->cpus = UNKNOWN;
		break;
	case PERFDATA_CMDLINE:
		take_cmdline(f, &c);
		break;
	case PERFDATA_EVENT_DESC:
		take_event_names(events, &c);
		break;
	}
}

/* A number of format files. */
static int take_formats(struct cursor *c, const char *sys,
			perfdata_format_fn *fn, void *ctx)
{
	uint32_t nr = take32(c);
	int ret = 0;

	while (!ret && !c->bad && nr--) {
		uint64_t len = take64(c);
		const char *format = (const char *)take(c, len);

		if (format)
			ret = fn(ctx, sys, format, (size_t)len);
	}
	return ret;
}

int perfdata_found_formats(const void *data, size_t size,
			   perfdata_format_fn *fn, void *ctx)
{
	static const char magic[] = "\027\010\104tracing";
	struct cursor c = { .at = data, .left = size };
	const uint8_t *start = take(&c, strlen(magic)), *kind;
	uint32_t nr;
	int ret;

	if (!start || memcmp(start, magic, strlen(magic)))
		return 0;
	take_name(&c);	/* the version */
	kind = take(&c, 2);
	if (!kind || kind[0] != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ||
	    kind[1] != sizeof(long))
		return 0;
	take32(&c);	/* the size of a page */
	for (int i = 0; i < 2; i++) {	/* header_page, header_event */
		take_name(&c);
		take(&c, take64(&c));
	}
	ret = take_formats(&c, "ftrace", fn, ctx);
	nr = take32(&c);
	while (!ret && !c.bad && nr--) {
		const char *sys = take_name(&c);

		ret = sys ? take_formats(&c, sys, fn, ctx) : 0;
	}
	return ret;
}

bool perfdata_found_wants(unsigned int bit)
{
	const uint64_t wanted =
		UINT64_C(1) << PERFDATA_TRACING_DATA |
		1 << PERFDATA_BUILD_IDS | 1 << PERFDATA_HOSTNAME |
		1 << PERFDATA_OSRELEASE | 1 << PERFDATA_VERSION |
		1 << PERFDATA_ARCH | 1 << PERFDATA_NRCPUS |
		1 << PERFDATA_CMDLINE | 1 << PERFDATA_EVENT_DESC;

	return wanted >> bit & 1;
}

void perfdata_found_free(struct perfdata_found *f)
{
	for (size_t i = 0; i < f->nr_build_ids; i++)
		free(f->build_ids[i].path);
	free(f->build_ids);
}
