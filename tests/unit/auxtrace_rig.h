/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PMUs that trace, as files of a fake sysfs below TMPDIR, and their events; for
 * the tests of src/trace/.
 */
#ifndef RBTOP_TESTS_AUXTRACE_RIG_H
#define RBTOP_TESTS_AUXTRACE_RIG_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/pmu/auxtrace.h"
#include "base/cpulist.h"
#include "base/err.h"
#include "fake_tree.h"

static struct fake_tree tree;
static struct auxtrace_env env;

static inline int rig_set_up(void **state)
{
	static char cpus[300], modules[300];

	(void)state;
	fake_tree_init(&tree);
	snprintf(cpus, sizeof(cpus), "%s/cpu", tree.root);
	snprintf(modules, sizeof(modules), "%s/module", tree.root);
	env = (struct auxtrace_env){
		.pmus = tree.root,
		.cpus = cpus,
		.modules = modules,
		.privileged = true,
	};
	fake_tree_write(&tree, "cpu/online", "0-3\n");
	return 0;
}

static inline int rig_tear_down(void **state)
{
	(void)state;
	fake_tree_free(&tree);
	return 0;
}

/* Write the files of a PMU: "path", "text", ..., NULL. */
static inline void rig_files(const char *pmu, const char *const *files)
{
	char path[256];

	for (size_t i = 0; files[i]; i += 2) {
		snprintf(path, sizeof(path), "%s/%s", pmu, files[i]);
		fake_tree_write(&tree, path, files[i + 1]);
	}
}

/* An event with these terms in its name, from which they are parsed. */
static inline struct event_spec rig_event(const char *pmu, const char *terms,
					  uint32_t type, uint64_t config)
{
	struct event_spec spec = {
		.attr = { .type = type, .config = config },
	};

	snprintf(spec.pmu, sizeof(spec.pmu), "%s", pmu);
	snprintf(spec.name, sizeof(spec.name), "%s/%s/u", pmu, terms);
	return spec;
}

static inline struct session_opts rig_session(enum target_mode mode,
					      struct event_spec *specs,
					      size_t nr)
{
	struct session_opts session = {
		.events = { .specs = specs, .nr = nr },
		.target = { .mode = mode },
	};

	return session;
}

/* Call auxtrace_open(), which has to succeed. */
static inline struct auxtrace rig_open(const struct auxtrace_opts *opts,
				       struct session_opts *session)
{
	struct auxtrace trace;
	struct err err = { 0 };
	int ret = auxtrace_open(&env, opts, session, &trace, &err);

	if (ret != 1)
		print_message("%d, %s\n", ret, err.text);
	assert_int_equal(ret, 1);
	return trace;
}

/* Call auxtrace_open(), which has to fail with @part in the message. */
static inline void rig_refused(const struct auxtrace_opts *opts,
			       struct session_opts *session, const char *part)
{
	struct auxtrace trace;
	struct err err = { 0 };
	int ret = auxtrace_open(&env, opts, session, &trace, &err);

	if (ret >= 0 || !strstr(err.text, part))
		print_message("%d, %s\n", ret, err.text);
	assert_true(ret < 0);
	assert_non_null(strstr(err.text, part));
}

/* The words of AUXTRACE_INFO; to be freed. */
static inline uint64_t *rig_info(const struct auxtrace_info *from, size_t *nr)
{
	const struct auxtrace_ops *ops = from->trace->ops;
	struct err err = { 0 };
	uint64_t *words;

	*nr = ops->info_size(from);
	words = malloc((*nr + 1) * sizeof(*words));
	assert_non_null(words);
	memset(words, 0xaa, (*nr + 1) * sizeof(*words));
	assert_int_equal(ops->info_fill(from, words, *nr, &err), 0);
	/* not a word more than info_size() said */
	assert_int_equal(words[*nr], 0xaaaaaaaaaaaaaaaa);
	assert_true(ops->info_fill(from, words, *nr - 1, &err) < 0);
	return words;
}

#endif
