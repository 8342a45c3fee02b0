/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/perf_cmdline.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "base/unknown.h"

enum { PAGE = 4096 };

/* Of 1G pages, more than any ring has. */
#define MOST (UINT64_C(1) << 42)

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

/* "DATA", "DATA,AUX", ",AUX": pages, or bytes with a suffix. */
static void take_size(struct perf_cmdline *c, const char *arg)
{
	char *end;
	uint64_t size = strtoull(arg, &end, 10);
	int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;

	c->is_size = false;
	if (*arg == ',')
		return;
	c->ring_bytes = 0;
	c->pages = !shift && *end != 'B';
	end += !c->pages;
	if (end == arg || (*end && *end != ',') || size > MOST >> shift)
		return;
	c->ring_bytes = size << shift;
}

/* perf takes the start of a name for it, too. */
static void take_name(struct perf_cmdline *c, const char *name)
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
		take_name(c, word + 2);
	else
		take_letters(c, word + 1);
}

uint64_t perf_cmdline_ring_size(const struct perf_cmdline *c, const char *arch)
{
	static const char *const of_4k[] = {
		"x86_64", "i386", "i486", "i586", "i686", "s390x", "riscv64",
		"riscv32", "armv7l", "armv6l",
	};
	uint64_t bytes = c->pages ? c->ring_bytes * PAGE : c->ring_bytes;

	for (size_t i = 0; i < sizeof(of_4k) / sizeof(*of_4k); i++)
		if (bytes && !strcmp(arch, of_4k[i]))
			return bytes <= PAGE ? PAGE : units_round_pow2(bytes);
	return UNKNOWN;
}
