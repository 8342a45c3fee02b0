/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/tracepoint/tracepoint_telling.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "perf/tracepoint/syscalls.h"

/* Names of the task that hits the tracepoint, which every sample has. */
static const char *const own_names[] = { "prev_comm", "parent_comm" };

/*
 * Numbers that have few values in the kernel's tracepoints, the more telling
 * first.
 */
static const char *const kinds[] = {
	"id", "vec", "vector", "irq", "action", "function", "call_site",
	"state", "newstate", "exit_reason", "reason", "error_code", "opcode",
	"cmd", "type", "event", "order", "nr",
};

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

static bool is_one_of(const char *name, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* Not the address of a string, which is all that a pointer's value is. */
static bool is_name(const struct tep_format_field *f)
{
	return (f->flags & TEP_FIELD_IS_STRING) && strstr(f->type, "char") &&
	       !is_one_of(f->name, own_names, LEN(own_names));
}

static const char *first_name(const struct tep_event *event)
{
	struct tep_format_field *f = event->format.fields;

	while (f && !is_name(f))
		f = f->next;
	return f ? f->name : NULL;
}

static bool has_number(const struct tep_event *event, const char *name)
{
	struct tep_format_field *f = event->format.fields;

	while (f && strcmp(f->name, name) != 0)
		f = f->next;
	return f && !(f->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_STRING));
}

const char *tracepoint_telling(const struct tep_event *event)
{
	const char *name;

	if (!strcmp(event->system, "raw_syscalls"))
		return SYSCALLS_FIELD;
	name = first_name(event);
	for (size_t i = 0; !name && i < LEN(kinds); i++)
		name = has_number(event, kinds[i]) ? kinds[i] : NULL;
	return name;
}
