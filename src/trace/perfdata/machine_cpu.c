/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/machine_cpu.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "base/sys.h"
#include "base/text.h"
#include "trace/perfdata/machine.h"

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

void machine_cpu_read(struct perfdata_machine *machine, const char *root)
{
	read_desc(machine, root);
	if (!read_midr(machine, root))
		read_cpuid(machine);
}
