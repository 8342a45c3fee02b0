/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The place that --snapshot-on call:FUNC means: in a file, in the kernel. */
#ifndef RBTOP_AUXTRACE_CALL_PLACE_H
#define RBTOP_AUXTRACE_CALL_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct call_event_env;
struct call_spec;
struct err;
struct target;

struct call_place {
	bool kernel;
	char file[PATH_MAX];	/* as rbtop opens it; "" in the kernel */
	bool is_program;	/* the command that is to be started */
	uint64_t start;		/* a file offset, or an address in the kernel */
};

/*
 * Find it.  @program: as of call_event_open().  0, or -errno with @err as
 * there.
 */
int call_place_find(const struct call_event_env *env,
		    const struct call_spec *spec, const struct target *target,
		    const char *program, struct call_place *place,
		    struct err *err);

/*
 * Its address in the tasks of @target, which is one: of those that run by
 * their mappings, of a command that is no PIE by its file.  0, or -errno with
 * @err: not mapped, at several addresses, not known beforehand.
 */
int call_place_address(const struct call_event_env *env,
		       const struct call_place *place,
		       const struct target *target, const char *program,
		       uint64_t *address, struct err *err);

#endif
