/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of --snapshot-on that names a function: "call:FUNC",
 * "call:PATH:FUNC" as bpftrace has it for uprobes, "call:PATH:0xOFFSET", and
 * "FUNC#N" for one of several of a name.  Parsed only: nothing is opened.
 */
#ifndef RBTOP_PERF_CALL_SPEC_H
#define RBTOP_PERF_CALL_SPEC_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct err;

struct call_spec {
	char path[PATH_MAX];	/* "": the target's own program; on CPUs with
				 * all their tasks the kernel */
	char function[256];	/* "": @offset is given */
	int which;		/* N of "#N", 0 for "#g", -1: not given */
	uint64_t offset;	/* of an instruction in the file, bytes */
};

/* Whether it begins as one does; call_spec_read() says if it is one. */
bool call_spec_is(const char *text);

/*
 * A PATH has a '/' in it, and ends at the first ':' behind that: so a
 * function's name may have "::".  0, or -EINVAL with @err (ERR_USAGE).
 */
int call_spec_read(const char *text, struct call_spec *spec, struct err *err);

#endif
