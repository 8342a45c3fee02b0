/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/machine.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "base/array.h"
#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"
#include "perf/event/pmu.h"
#include "perf/tracepoint/tracefs.h"
#include "symbols/elf/elf_file.h"
#include "symbols/elf/kallsyms.h"

enum {
	CMDLINE_BYTES = 64 << 10,
	ARGS_MAX = 1024,
	PMUS_MAX = 4096,
};

static void read_names(struct perfdata_machine *machine)
{
	struct utsname name;

	if (uname(&name))
		return;
	text_copy(machine->hostname, sizeof(machine->hostname), name.nodename);
	text_copy(machine->release, sizeof(machine->release), name.release);
	text_copy(machine->arch, sizeof(machine->arch), name.machine);
}

static void read_sizes(struct perfdata_machine *machine, const char *root)
{
	long available = sysconf(_SC_NPROCESSORS_CONF);
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned long long kb;
	char path[PATH_MAX], text[4096];
	const char *at;

	if (online > 0 && available >= online) {
		machine->cpus_available = (uint32_t)available;
		machine->cpus_online = (uint32_t)online;
	}
	snprintf(path, sizeof(path), "%s/proc/meminfo", root);
	if (sys_read_file(path, text, sizeof(text)) < 0)
		return;
	at = strstr(text, "MemTotal:");
	if (at && sscanf(at, "MemTotal: %llu kB", &kb) == 1)
		machine->memory_kb = kb;
}

static int add_arg(struct perfdata_machine *machine, const char *arg)
{
	char **place = array_add(machine->argv, machine->argc,
				 machine->argv_cap);

	if (!place)
		return -ENOMEM;
	*place = strdup(arg);
	if (!*place)
		return -ENOMEM;
	text_sanitize(*place);
	return 0;
}

static int read_cmdline(struct perfdata_machine *machine, const char *root)
{
	char path[PATH_MAX], *text;
	ssize_t len;
	int ret = 0;

	snprintf(path, sizeof(path), "%s/proc/self/cmdline", root);
	len = sys_read_file_alloc(path, CMDLINE_BYTES, &text);
	for (ssize_t at = 0; at < len && !ret;) {
		if (machine->argc == ARGS_MAX)
			break;
		ret = add_arg(machine, text + at);
		at += (ssize_t)strlen(text + at) + 1;
	}
	free(text);
	return ret;
}

struct read_pmus {
	struct perfdata_machine *machine;
	const char *pmus;
};

static int add_pmu(void *ctx, const char *name)
{
	const struct read_pmus *from = ctx;
	struct perfdata_machine *machine = from->machine;
	struct perfdata_pmu *pmu;
	uint32_t type;

	if (machine->nr_pmus == PMUS_MAX ||
	    strlen(name) >= sizeof(pmu->name) ||
	    pmu_type(from->pmus, name, &type, NULL))
		return 0;
	pmu = array_add(machine->pmus, machine->nr_pmus, machine->pmus_cap);
	if (!pmu)
		return -ENOMEM;
	text_copy(pmu->name, sizeof(pmu->name), name);
	pmu->type = type;
	return 0;
}

static int read_pmus(struct perfdata_machine *machine, const char *root)
{
	char path[PATH_MAX];
	struct read_pmus from = { machine, path };

	snprintf(path, sizeof(path), "%s/sys/bus/event_source/devices", root);
	return pmu_each(path, add_pmu, &from) == -ENOMEM ? -ENOMEM : 0;
}

enum {
	NOTES_BYTES = 64 << 10,
	MODULES_MAX = 16384,
	LIST_BYTES = 16 << 20,		/* of a list of modules */
};

static void read_build_id(const char *path, struct elf_build_id *id)
{
	char *notes;
	ssize_t len = sys_read_file_alloc(path, NOTES_BYTES, &notes);

	if (len > 0)
		elf_file_find_build_id((unsigned char *)notes, (size_t)len, 4,
				       false, id);
	free(notes);
}

/*
 * From _text to _etext.  Symbols come by address, so that what comes
 * after _etext is not read: a kernel has some 200,000 of them.
 */
static int take_address(void *ctx, const struct kallsyms_line *line)
{
	struct perfdata_machine *machine = ctx;

	if (line->module[0])
		return 0;
	if (!strcmp(line->name, "_text"))
		machine->kernel_start = line->addr;
	if (strcmp(line->name, "_etext"))
		return 0;
	machine->kernel_end = line->addr;
	return 1;
}

/* They are all 0 where they are hidden. */
static void read_addresses(struct perfdata_machine *machine, const char *root)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/proc/kallsyms", root);
	fd = sys_open_read(path);
	if (fd < 0)
		return;
	kallsyms_lines_each(fd, take_address, machine);
	sys_close(fd);
	if (machine->kernel_end <= machine->kernel_start)
		machine->kernel_start = machine->kernel_end = 0;
	machine->kernel_ref = machine->kernel_start;
}

static int add_module(struct perfdata_machine *machine, const char *name,
		      uint64_t start, uint64_t len, const char *root)
{
	struct perfdata_module *m;
	char path[PATH_MAX];

	m = array_add(machine->modules, machine->nr_modules,
		      machine->modules_cap);
	if (!m)
		return -ENOMEM;
	m->start = start;
	m->len = len;
	snprintf(m->name, sizeof(m->name), "[%.60s]", name);
	text_sanitize(m->name);
	snprintf(path, sizeof(path),
		 "%s/sys/module/%s/notes/.note.gnu.build-id", root, name);
	read_build_id(path, &m->build_id);
	return 0;
}

/* "ext4 831488 1 - Live 0xffffffffc0400000" */
static int read_modules(struct perfdata_machine *machine, const char *root)
{
	char path[PATH_MAX], *text, *rest, *line;
	int ret = 0;

	snprintf(path, sizeof(path), "%s/proc/modules", root);
	if (sys_read_file_alloc(path, LIST_BYTES, &text) < 0)
		return 0;
	rest = text;
	while (!ret && (line = strsep(&rest, "\n"))) {
		unsigned long long len, start;
		char name[57];

		if (sscanf(line, "%56s %llu %*s %*s %*s 0x%llx", name, &len,
			   &start) != 3 ||
		    !start || !len || start + len < start ||
		    !text_is_file_name(name) ||
		    machine->nr_modules == MODULES_MAX)
			continue;
		ret = add_module(machine, name, start, len, root);
	}
	free(text);
	return ret;
}

static int by_name(const void *a, const void *b)
{
	const struct perfdata_module *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* "[snd_pcm]" for "kernel/sound/core/snd-pcm.ko.xz"; false for no module. */
static bool module_name(const char *path, size_t len, char *name, size_t size)
{
	const char *slash = memrchr(path, '/', len);
	const char *base = slash ? slash + 1 : path;
	const char *end = memmem(base, len - (size_t)(base - path), ".ko", 3);
	size_t n = end ? (size_t)(end - base) : 0;

	if (!n || n + 3 > size)
		return false;
	snprintf(name, size, "[%.*s]", (int)n, base);
	for (char *c = name; *c; c++) {
		if (*c == '-')
			*c = '_';
	}
	return true;
}

static int set_path(struct perfdata_machine *machine, const char *dir,
		    const char *path, size_t len)
{
	struct perfdata_module key, *m;

	if (!module_name(path, len, key.name, sizeof(key.name)))
		return 0;
	m = bsearch(&key, machine->modules, machine->nr_modules,
		    sizeof(*machine->modules), by_name);
	if (!m || m->path)
		return 0;
	if (asprintf(&m->path, "%s/%.*s", dir, (int)len, path) < 0) {
		m->path = NULL;
		return -ENOMEM;
	}
	return 0;
}

/* modules.dep: "kernel/fs/ext4/ext4.ko.xz: kernel/fs/jbd2/jbd2.ko.xz" */
static int find_modules(struct perfdata_machine *machine, const char *root)
{
	char dir[128], path[PATH_MAX], *text, *rest, *line;
	int ret = 0;

	if (!machine->nr_modules)
		return 0;
	snprintf(dir, sizeof(dir), "/lib/modules/%s", machine->release);
	snprintf(path, sizeof(path), "%s%s/modules.dep", root, dir);
	if (sys_read_file_alloc(path, LIST_BYTES, &text) < 0)
		return 0;
	qsort(machine->modules, machine->nr_modules, sizeof(*machine->modules),
	      by_name);
	rest = text;
	while (!ret && (line = strsep(&rest, "\n"))) {
		size_t len = strcspn(line, ":");

		if (line[len] && len < PATH_MAX / 2)
			ret = set_path(machine, dir, line, len);
	}
	free(text);
	return ret;
}

/*
 * Read addresses and build-ids of the kernel and its modules; machine->release
 * must be set.  Files are read below @root, "" for this machine; members that
 * cannot be read are not changed.  0 or -ENOMEM.
 */
static int read_kernel(struct perfdata_machine *machine, const char *root)
{
	char path[PATH_MAX];
	int ret;

	snprintf(path, sizeof(path), "%s/sys/kernel/notes", root);
	read_build_id(path, &machine->kernel_build_id);
	read_addresses(machine, root);
	ret = read_modules(machine, root);
	return ret ? ret : find_modules(machine, root);
}

/* CPU 0 may be offline: the first CPU with such a file is used. */
enum { CPUS_TRIED = 64 };

#define MIDR_PATH \
	"/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1"

/*
 * perf clears these fields, since decoders ignore the revision
 * (arm64/util/header.c).
 */
#define MIDR_VARIANT 0xf00000ull
#define MIDR_REVISION 0xfull

static bool read_midr(struct perfdata_machine *machine, const char *root)
{
	for (int cpu = 0; cpu < CPUS_TRIED; cpu++) {
		char path[PATH_MAX];
		long long midr;

		snprintf(path, sizeof(path), "%s" MIDR_PATH, root, cpu);
		if (sys_read_number(path, &midr))
			continue;
		snprintf(machine->cpu_id, sizeof(machine->cpu_id), "0x%016llx",
			 (unsigned long long)midr &
				 ~(MIDR_VARIANT | MIDR_REVISION));
		return true;
	}
	return false;
}

#if defined(__x86_64__) || defined(__i386__)
/* Intel SDM and AMD APM, CPUID leaf 1: "Version Information". */
static void read_cpuid(struct perfdata_machine *machine)
{
	unsigned int eax, ebx, ecx, edx, family, model;
	char vendor[13] = "";

	if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx))
		return;
	memcpy(vendor, &ebx, 4);
	memcpy(vendor + 4, &edx, 4);
	memcpy(vendor + 8, &ecx, 4);
	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return;
	family = eax >> 8 & 0xf;
	model = eax >> 4 & 0xf;
	if (family == 6 || family == 15)
		model |= eax >> 12 & 0xf0;
	if (family == 15)
		family += eax >> 20 & 0xff;
	text_sanitize(vendor);
	snprintf(machine->cpu_id, sizeof(machine->cpu_id), "%s,%u,%u,%u",
		 vendor, family, model, eax & 0xf);
}
#else
static void read_cpuid(struct perfdata_machine *machine)
{
	(void)machine;
}
#endif

/* Copy @from; runs of white space become one space, at the start none. */
static void squeeze(char *to, size_t size, const char *from, size_t len)
{
	size_t used = 0;

	for (size_t i = 0; i < len && used < size - 1; i++) {
		bool space = isspace((unsigned char)from[i]);

		if (!space || (used && to[used - 1] != ' '))
			to[used++] = space ? ' ' : from[i];
	}
	to[used] = '\0';
	text_sanitize(to);
}

static void read_desc(struct perfdata_machine *machine, const char *root)
{
	char path[PATH_MAX], text[8192];
	const char *line = text;

	snprintf(path, sizeof(path), "%s/proc/cpuinfo", root);
	if (sys_read_file(path, text, sizeof(text)) < 0)
		return;
	while (line && !text_begins(line, "model name")) {
		line = strchr(line, '\n');
		line += !!line;
	}
	line = line ? strchr(line, ':') : NULL;
	if (line)
		squeeze(machine->cpu_desc, sizeof(machine->cpu_desc), line + 1,
			strcspn(line + 1, "\n"));
}

int perfdata_machine_read_at(struct perfdata_machine *machine,
			     const char *root, const char *tracefs,
			     const char *const *tracepoints, size_t nr,
			     struct err *err)
{
	int ret;

	memset(machine, 0, sizeof(*machine));
	read_names(machine);
	read_sizes(machine, root);
	read_desc(machine, root);
	if (!read_midr(machine, root))
		read_cpuid(machine);
	ret = read_cmdline(machine, root);
	if (!ret)
		ret = read_pmus(machine, root);
	if (!ret)
		ret = read_kernel(machine, root);
	if (!ret)
		ret = perfdata_tracing_data(tracefs, tracepoints, nr,
					    &machine->tracing_data,
					    &machine->tracing_size);
	if (!ret)
		return 0;
	perfdata_machine_free(machine);
	return err_errno(err, ret, "reading the description of this machine");
}

int perfdata_machine_read(struct perfdata_machine *machine,
			  const char *const *tracepoints, size_t nr,
			  struct err *err)
{
	return perfdata_machine_read_at(machine, "", tracefs_mounted(),
					tracepoints, nr, err);
}

void perfdata_machine_free(struct perfdata_machine *machine)
{
	for (size_t i = 0; i < machine->argc; i++)
		free(machine->argv[i]);
	free(machine->argv);
	for (size_t i = 0; i < machine->nr_modules; i++)
		free(machine->modules[i].path);
	free(machine->modules);
	free(machine->pmus);
	free(machine->tracing_data);
	memset(machine, 0, sizeof(*machine));
}
