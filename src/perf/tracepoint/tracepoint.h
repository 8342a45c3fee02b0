/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of a tracepoint's raw data: by the event's own print format, and
 * field by field.  libtraceevent makes it, which does not check offsets and
 * lengths: so data is checked against the event's fields first, and incomplete
 * or inconsistent data is not passed to it.
 *
 * For one thread at a time.
 */
#ifndef RBTOP_PERF_TRACEPOINT_TRACEPOINT_H
#define RBTOP_PERF_TRACEPOINT_TRACEPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tracepoints;

/* Resolves addresses for print formats: %ps, %pS. */
struct tracepoint_names {
	/*
	 * The kernel function at @addr, and its start; NULL if unknown.  The
	 * text is valid until the next call.  May be NULL.
	 */
	const char *(*function)(void *ctx, uint64_t addr, uint64_t *start);
	void *ctx;
};

/* An empty table.  NULL when out of memory. */
struct tracepoints *tracepoints_new(const struct tracepoint_names *names);
void tracepoints_free(struct tracepoints *t);

/*
 * Read the format file of the event @sys:@name below @tracefs.  0, or -errno if
 * it cannot be read or parsed: its samples then have no text.
 */
int tracepoints_add(struct tracepoints *t, const char *tracefs,
		    const char *sys, const char *name);
/* The same from the text of a format file of @len bytes. */
int tracepoints_parse(struct tracepoints *t, const char *sys,
		      const char *format, size_t len);

/*
 * Whether @data, @size bytes of PERF_SAMPLE_RAW, contains all fields of its
 * event (the first u16 is the id): fixed ones, and dynamic ones within @size.
 */
bool tracepoints_valid(struct tracepoints *t, const void *data, size_t size);

/*
 * The text after the event's name in a trace, sanitized, cut to @len - 1 bytes;
 * that of tracepoints_fields() if libtraceevent cannot parse the print format.
 * 0, or with "" in @buf: -ENOENT for an event that was not added, -EBADMSG if
 * tracepoints_valid() is false, or -ENOMEM.
 */
int tracepoints_text(struct tracepoints *t, const void *data, size_t size,
		     int cpu, uint64_t time, char *buf, size_t len);
/* "name=value name=value", without the common_ fields.  As above. */
int tracepoints_fields(struct tracepoints *t, const void *data, size_t size,
		       char *buf, size_t len);
/* The value of one field.  As above; -ENOENT for an unknown field too. */
int tracepoints_field(struct tracepoints *t, const void *data, size_t size,
		      const char *field, char *buf, size_t len);
/*
 * The number of the system call that @data of raw_syscalls:sys_enter or
 * sys_exit is about.  False for other events, and where tracepoints_valid() is
 * false.
 */
bool tracepoints_syscall(struct tracepoints *t, const void *data, size_t size,
			 int64_t *nr);

/* The field of raw_syscalls that rbtop adds: the call's name. */
#define SYSCALLS_FIELD "syscall"

/*
 * "read", the name of a system call, by its number in the ABI that rbtop is
 * built for: the build takes them from the C library's <asm/unistd.h>.  NULL
 * for a number that this ABI does not have, or that is newer.  Other ABIs of
 * the machine, as of 32-bit programs on a 64-bit kernel, have other numbers.
 */
const char *syscalls_name(int64_t nr);

/*
 * Replace the number in a text of raw_syscalls:sys_enter or sys_exit, unless
 * @name is NULL, and mark hexadecimal arguments: "NR 0 (3, 7f00, 10)" by
 * "read(3, 0x7f00, 0x10)", "NR 0 = 1" by "read = 1".  Other texts stay.
 */
void syscalls_name_text(char *text, size_t size, const char *name);

/*
 * Call @fn with the name of each field of an event that was added, without the
 * common_ ones, until it returns non-zero, which is returned.
 */
int tracepoints_each_field(struct tracepoints *t, const char *sys,
			   const char *name,
			   int (*fn)(void *ctx, const char *field), void *ctx);
/*
 * The field of an event that tells most about its samples, by which Hot groups
 * them at first: the system call of raw_syscalls; else the first name that is
 * not that of the task itself (next_comm of sched:sched_switch, rwbs of
 * block:block_rq_issue); else a number with few values, such as a state or a
 * vector.  NULL: none, so that the task tells most, or the event was not added.
 * Valid as long as @t.
 */
const char *tracepoints_telling(struct tracepoints *t, const char *sys,
				const char *name);

#endif
