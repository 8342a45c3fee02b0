/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The configuration of the running kernel. */
#ifndef RBTOP_DOCTOR_DOCTOR_CONFIG_H
#define RBTOP_DOCTOR_DOCTOR_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

/* The options that rbtop needs, and what is missing without each. */
#define DOCTOR_CONFIGS(config)                                          \
	config(PERF_EVENTS, "perf events")                              \
	config(EVENT_TRACING, "tracepoints")                            \
	config(KALLSYMS, "names of kernel functions")                   \
	config(BPF_SYSCALL, "the host view by BPF")                     \
	config(DEBUG_INFO_BTF, "the host view by BPF")                  \
	config(UPROBE_EVENTS, "snapshots on calls of functions")        \
	config(CGROUP_PERF, "events of a cgroup (-G)")

enum doctor_config_option {
#define CONFIG(id, use) DOCTOR_CONFIG_##id,
	DOCTOR_CONFIGS(CONFIG)
#undef CONFIG
	DOCTOR_CONFIG_OPTIONS
};

struct doctor_config {
	char from[96];		/* the file; "": none could be read */
	char why[96];		/* why none could be read; else "" */
	bool set[DOCTOR_CONFIG_OPTIONS];	/* =y or =m */
};

/* "CONFIG_PERF_EVENTS"; "perf events". */
const char *doctor_config_name(enum doctor_config_option option);
const char *doctor_config_use(enum doctor_config_option option);

/* Set @config->set from the lines of @text. */
void doctor_config_parse(const char *text, struct doctor_config *config);

/*
 * Read ROOT/proc/config.gz, else ROOT/boot/config-RELEASE.  A configuration
 * that cannot be read is no failure: @config->why says so.
 */
void doctor_config_read(const char *root, const char *release,
			struct doctor_config *config);

/* Whether config.gz can be read: rbtop was built with zlib. */
bool doctor_config_has_zlib(void);

#endif
