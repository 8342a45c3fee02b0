/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parse the function in the text of --snapshot-on: "call:FUNC",
 * "call:PATH:FUNC" like uprobes in bpftrace, or "call:PATH:0xOFFSET"; "FUNC#N"
 * selects one of several functions of the same name.  No file is opened.
 */
#ifndef RBTOP_PERF_EVENT_CALL_SPEC_H
#define RBTOP_PERF_EVENT_CALL_SPEC_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct err;

struct call_spec {
	char path[PATH_MAX];	/* "": the target's own program; the kernel if
				 * all tasks are watched */
	char function[256];	/* "": @offset is given */
	int which;		/* N of "#N", 0 for "#g", -1: not given */
	uint64_t offset;	/* of an instruction, bytes in the file */
};

/* Whether @text starts with "call:"; the rest may still be invalid. */
bool call_spec_is(const char *text);

/*
 * Parse @text, which starts with "call:", into @spec.  PATH must contain a '/',
 * and ends at the first ':' after the first '/'; so the name of a function may
 * contain "::".  0, or -EINVAL with @err (ERR_USAGE).
 */
int call_spec_read(const char *text, struct call_spec *spec, struct err *err);

#endif
