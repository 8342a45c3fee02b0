/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recording says of the machine, read once, while all privileges are
 * there: addresses of kernel text, formats of tracepoints, names, sizes.
 */
#ifndef RBTOP_TRACE_PERFDATA_MACHINE_H
#define RBTOP_TRACE_PERFDATA_MACHINE_H

#include <stddef.h>
#include <stdint.h>

struct err;

struct perfdata_module {
	char name[64];		/* "[ext4]" */
	char *path;		/* of its .ko; NULL: not found */
	uint64_t start, len;
	uint8_t build_id[20];
	size_t build_id_len;
};

struct perfdata_pmu {
	char name[64];
	uint32_t type;
};

/* Plain data but for what it owns; free with perfdata_machine_free(). */
struct perfdata_machine {
	char hostname[65], release[65], arch[65];
	char cpu_desc[128], cpu_id[128];	/* "" where unknown */
	uint32_t cpus_available, cpus_online;
	uint64_t memory_kb;
	char **argv;		/* of this process */
	size_t argc, room_argv;
	/* 0 where kernel.kptr_restrict hides it */
	uint64_t kernel_start, kernel_end, kernel_ref;	/* ref: _text */
	uint8_t kernel_build_id[20];
	size_t kernel_build_id_len;
	struct perfdata_module *modules;
	size_t nr_modules, room_modules;
	struct perfdata_pmu *pmus;
	size_t nr_pmus, room_pmus;
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
 * The same where the machine's files are below @root ("": its own), and those
 * of tracing in @tracefs (NULL: nowhere).
 */
int perfdata_machine_read_at(struct perfdata_machine *machine,
			     const char *root, const char *tracefs,
			     const char *const *tracepoints, size_t nr,
			     struct err *err);

/*
 * The feature TRACING_DATA into an allocation, see tracing_data.c; NULL for no
 * @tracepoints.  @tracefs is where it is mounted.  0 or -ENOMEM.
 */
int perfdata_tracing_data(const char *tracefs, const char *const *tracepoints,
			  size_t nr, void **data, size_t *size);

#endif
