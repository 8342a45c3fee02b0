/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the function of --snapshot-on call:FUNC, in a file or in the kernel. */
#ifndef RBTOP_TRACE_CALL_CALL_PLACE_H
#define RBTOP_TRACE_CALL_CALL_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct call_event_env;
struct call_spec;
struct err;
struct target;

struct call_place {
	bool kernel;
	char file[PATH_MAX];	/* the path to open; "" for the kernel */
	bool is_program;	/* @file is the command to be started */
	uint64_t start;		/* a file offset, or an address in the kernel */
};

/*
 * Fill in @place.  @program: see call_event_open().  0, or -errno with @err as
 * there.
 */
int call_place_find(const struct call_event_env *env,
		    const struct call_spec *spec, const struct target *target,
		    const char *program, struct call_place *place,
		    struct err *err);

/*
 * The address of @place, which must be the same in all tasks of @target: from
 * the mappings of running tasks, or from the file of a command that is not a
 * PIE.  0; or -errno with @err if it is not mapped, has several addresses, or
 * is not known before the command runs.
 */
int call_place_address(const struct call_event_env *env,
		       const struct call_place *place,
		       const struct target *target, const char *program,
		       uint64_t *address, struct err *err);

#endif
