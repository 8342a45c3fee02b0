/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of -h and -V, and advice for unknown options. */
#include "cli/cli.h"

#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/cli_take.h"
#include "cli/version.h"
#include "host/host_bpf.h"
#include "perf/event/event_kinds.h"
#include "perf/event/event_label.h"
#include "sim/sim.h"
#include "trace/perfdata/perfdata_reader.h"

enum {
	HELP_COLUMN = 30,
	WRONG_SHARE = 3,	/* one letter in three may differ */
};

static const char *const section_titles[CLI_SECTIONS] = {
	[CLI_SECTION_EVENTS] = "Events",
	[CLI_SECTION_SAMPLES] = "What samples hold",
	[CLI_SECTION_TARGET] = "What is watched",
	[CLI_SECTION_RINGS] = "Rings",
	[CLI_SECTION_TRACE] = "Trace and snapshots",
	[CLI_SECTION_RECORDED] = "Recordings",
	[CLI_SECTION_OUTPUT] = "Output",
	[CLI_SECTION_PERF] = "Accepted as in perf record, without effect",
	[CLI_SECTION_OTHER] = "Other",
};

/* After a name " SIZE", or "[=SIZE]" if optional; after a letter "SIZE". */
static void print_argument(char *buf, size_t size, const struct cli_option *o)
{
	if (!o->arg)
		buf[0] = '\0';
	else if (cli_optional(o) && o->name)
		snprintf(buf, size, "[=%s", o->arg + 1);
	else
		snprintf(buf, size, "%s%s", o->name ? " " : "", o->arg);
}

static void print_option(FILE *out, const struct cli_option *o)
{
	char letter[8] = "", arg[32], left[64];

	if (o->letter)
		snprintf(letter, sizeof(letter), "-%c%s", o->letter,
			 o->name ? "," : " ");
	print_argument(arg, sizeof(arg), o);
	snprintf(left, sizeof(left), "  %3s %s%s%s", letter,
		 o->name ? "--" : "", o->name ? o->name : "", arg);
	fprintf(out, "%-*s %s\n", HELP_COLUMN, left, o->help);
}

/* sim_help() has a line per key: "key=", a tab, its description. */
static void print_sim_keys(FILE *out)
{
	const char *line = sim_help(), *tab, *end;

	for (; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		tab = memchr(line, '\t', (size_t)(end - line));
		if (!tab)
			continue;
		fprintf(out, "      %-*.*s %.*s\n", HELP_COLUMN - 6,
			(int)(tab - line), line, (int)(end - tab - 1), tab + 1);
	}
}

void cli_print_help(FILE *out)
{
	enum cli_section section = CLI_SECTIONS;
	size_t i;

	fputs("Usage: rbtop [OPTIONS] [--] [COMMAND ARGS...]\n"
	      "Show live how perf ring buffers fill and drain, and what they lose.\n"
	      "Without a target: every CPU of the system. With COMMAND alone: "
	      "only it.\n"
	      "With --host: the rings of all programs, or those of COMMAND.\n",
	      out);
	for (i = 0; i < CLI_NR_OPTIONS; i++) {
		if (cli_options[i].section != section)
			fprintf(out, "\n%s:\n",
				section_titles[cli_options[i].section]);
		section = cli_options[i].section;
		print_option(out, &cli_options[i]);
	}
	fputs("\nSPEC of --sim, as key=value,...:\n", out);
	print_sim_keys(out);
	fputs("\nExamples:\n"
	      "  rbtop -- make                 a command, in rbtop's own rings\n"
	      "  rbtop --host                  perf lost chunks, or bpftrace"
	      " \"Lost N events\":\n"
	      "                                which ring, and what to"
	      " change\n"
	      "  rbtop --host -- COMMAND       run perf record or another tracer"
	      " and watch it\n"
	      "  rbtop --host -p PID           an agent's ring buffer drops"
	      " events: why\n"
	      "  rbtop -i perf.data --summary  what a recording lost; the -m for"
	      " next time\n", out);
	fputs("\nSee rbtop(1) for more examples, rbtop-screens(7) for keys and "
	      "screens.\n", out);
}

/* If it does not work, with the same reason as the view shows. */
static void print_host_view(FILE *out)
{
	struct err err = { 0 };
	struct event_labels *labels = event_labels_new(NULL, NULL);
	struct host_bpf *bpf = labels ? host_bpf_open(labels, &err) : NULL;

	fprintf(out, "Host view by BPF: %s%s\n", bpf ? "yes" : "no: ",
		bpf ? "" : labels ? err.text : "out of memory");
	host_bpf_free(bpf);
	event_labels_free(labels);
}

/* The libraries, and what they are used for. */
static const struct {
	const char *name;
	const char *file;	/* start of the shared object's name */
	const char *feature;
} libraries[] = {
	{ "ncursesw", "libncursesw.so", "the screen" },
	{ "libelf", "libelf.so", "symbols" },
	{ "liblzma", "liblzma.so", "symbols in .gnu_debugdata" },
	{ "libiberty", "libiberty", "C++, Rust and D names demangled" },
	{ "libtraceevent", "libtraceevent.so", "tracepoint fields" },
	{ "libzstd", "libzstd.so", "compressed recordings" },
	{ "libbpf", "libbpf.so", "the host view" },
	{ "jansson", "libjansson.so", "--format json" },
	{ "inih", "libinih.so", "the rc file" },
	{ "libcap-ng", "libcap-ng.so", "capabilities dropped once open" },
};

struct library_search {
	const char *file;
	char found[64];
};

static int match_library(struct dl_phdr_info *info, size_t size, void *ctx)
{
	struct library_search *search = ctx;
	const char *base = text_base_name(info->dlpi_name);

	(void)size;
	if (!text_begins(base, search->file))
		return 0;
	snprintf(search->found, sizeof(search->found), "%s", base);
	return 1;
}

/* The version in this process, not the one that rbtop was built with. */
static void print_library(FILE *out, size_t i)
{
	struct library_search search = { .file = libraries[i].file };

	if (!dl_iterate_phdr(match_library, &search))
		snprintf(search.found, sizeof(search.found), "built in");
	fprintf(out, "  %-16s %-20s %s\n", libraries[i].name, search.found,
		libraries[i].feature);
}

/* Two of them are optional. */
static bool is_built_in(const char *name)
{
	if (!strcmp(name, "libbpf"))
		return host_bpf_built_in();
	return strcmp(name, "libzstd") || perfdata_reader_decompresses();
}

void cli_print_version(FILE *out)
{
	size_t i;

	fputs("rbtop " RBTOP_VERSION "\n\nLibraries:\n", out);
	for (i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++)
		if (is_built_in(libraries[i].name))
			print_library(out, i);
	fprintf(out, "\nSources: live events, simulated kernel, the rings of "
		"all processes, recordings\n"
		"Compressed recordings: %s\n"
		"Formats: %s\n",
		perfdata_reader_decompresses() ? "yes" :
		"no: built without libzstd", export_names());
	print_host_view(out);
	fputs("\nLicense: GPL-2.0-or-later; there is no warranty.\n", out);
}

static const struct perf_option {
	int letter;
	const char *name, *advice;
} perf_options[] = {
#define PERF(letter, name, advice) { letter, name, advice },
#include "cli/cli_perf.def"
#undef PERF
};

const char *cli_perf_advice(int letter, const char *name)
{
	for (size_t i = 0; i < sizeof(perf_options) / sizeof(*perf_options);
	     i++) {
		const struct perf_option *o = &perf_options[i];

		if (name ? o->name && !strcmp(o->name, name) :
			   o->letter == letter)
			return o->advice;
	}
	return NULL;
}

const char *cli_perf_nearest(const char *name)
{
	int min = (int)(strlen(name) / WRONG_SHARE) + 1;
	const char *nearest = NULL;

	for (size_t i = 0; i < CLI_NR_OPTIONS; i++) {
		const char *known = cli_options[i].name;
		int distance = known ? event_suggest_distance(name, known) : -1;

		if (distance < 0 || distance >= min)
			continue;
		min = distance;
		nearest = known;
	}
	return nearest;
}

const char *cli_perf_begun(const char *name, char *buf, size_t size)
{
	size_t used = 0, len = strlen(name);

	for (size_t i = 0; i < CLI_NR_OPTIONS; i++) {
		const char *known = cli_options[i].name;

		if (!len || !known || strncmp(known, name, len) != 0 ||
		    used + strlen(known) + 5 > size)
			continue;
		used += (size_t)snprintf(buf + used, size - used, "%s--%s",
					 used ? ", " : "", known);
	}
	return used ? buf : NULL;
}
