/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a file contains about the machine, read once while rbtop has all its
 * privileges: addresses of kernel text, formats of tracepoints, names, sizes.
 */
#ifndef RBTOP_TRACE_PERFDATA_MACHINE_H
#define RBTOP_TRACE_PERFDATA_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/elf/elf_symbols.h"

struct err;

struct perfdata_module {
	char name[64];		/* "[ext4]" */
	char *path;		/* of its .ko file; NULL: not found */
	uint64_t start, len;
	struct elf_build_id build_id;
};

struct perfdata_pmu {
	char name[64];
	uint32_t type;
};

/* Plain data, with owned memory: free with perfdata_machine_free(). */
struct perfdata_machine {
	char hostname[65], release[65], arch[65];
	char cpu_desc[128], cpu_id[128];	/* "" if unknown */
	uint32_t cpus_available, cpus_online;
	uint64_t memory_kb;
	char **argv;		/* of this process */
	size_t argc, argv_cap;
	/* 0 if hidden by kernel.kptr_restrict */
	uint64_t kernel_start, kernel_end, kernel_ref;	/* ref: _text */
	struct elf_build_id kernel_build_id;
	struct perfdata_module *modules;
	size_t nr_modules, modules_cap;
	struct perfdata_pmu *pmus;
	size_t nr_pmus, pmus_cap;
	void *tracing_data;	/* feature TRACING_DATA; NULL: no tracepoints */
	size_t tracing_size;
};

/*
 * Read it.  @tracepoints are names "sys:name", with or without modifiers, whose
 * formats are put into tracing_data.  What cannot be read is left out.  0 or
 * -ENOMEM with @err.
 */
int perfdata_machine_read(struct perfdata_machine *machine,
			  const char *const *tracepoints, size_t nr,
			  struct err *err);
void perfdata_machine_free(struct perfdata_machine *machine);

/*
 * The same with the machine's files below @root ("": this machine), and with
 * tracefs mounted at @tracefs (NULL: not mounted).
 */
int perfdata_machine_read_at(struct perfdata_machine *machine,
			     const char *root, const char *tracefs,
			     const char *const *tracepoints, size_t nr,
			     struct err *err);

/*
 * Make the feature TRACING_DATA in a new allocation, see tracing_data.c; NULL
 * without @tracepoints.  @tracefs is where it is mounted.  0 or -ENOMEM.
 */
int perfdata_tracing_data(const char *tracefs, const char *const *tracepoints,
			  size_t nr, void **data, size_t *size);

#endif
