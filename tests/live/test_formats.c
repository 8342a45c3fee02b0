/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format files of this kernel: a record of zeros has a text for each event,
 * and none is libtraceevent's "[FAILED TO PARSE]".
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "perf/tracepoint/tracefs.h"
#include "perf/tracepoint/tracepoint.h"

enum { RECORD = 1 << 13, DYNAMIC = 16 };

struct walk {
	const char *tracefs;
	struct tracepoints *tracepoints;
	char *record;
	size_t events, refused, failed;
};

/* The size of all fields, after which there is a NUL in the record. */
static size_t end_of_fields(const char *format)
{
	const char *line = format;
	unsigned int offset, size;
	size_t end = 0;

	while ((line = strstr(line, ";\toffset:")) != NULL) {
		line++;
		if (sscanf(line, "\toffset:%u;\tsize:%u;", &offset,
			   &size) == 2 &&
		    offset + size > end)
			end = offset + size;
	}
	return end;
}

/* Dynamic fields refer to a few zeros after the others. */
static void place_dynamic(char *record, const char *format, size_t end)
{
	const char *line = format, *field;
	unsigned int offset;

	while ((line = strstr(line, "\tfield:")) != NULL) {
		uint32_t word = DYNAMIC << 16;

		field = line + strlen("\tfield:");
		line = strstr(field, ";\toffset:");
		assert_non_null(line);
		assert_int_equal(sscanf(line, ";\toffset:%u;", &offset), 1);
		if (!strncmp(field, "__data_loc", strlen("__data_loc")))
			word |= (uint32_t)end;
		else if (!strncmp(field, "__rel_loc", strlen("__rel_loc")))
			word |= (uint32_t)(end - offset - sizeof(word));
		else
			continue;
		memcpy(record + offset, &word, sizeof(word));
	}
}

static void check_event(struct walk *w, const char *sys, const char *name,
			const char *format, uint16_t type)
{
	static char text[1 << 16];
	size_t end = end_of_fields(format);

	assert_in_range(end, 8, RECORD - DYNAMIC);
	memset(w->record, 0, RECORD);
	memcpy(w->record, &type, sizeof(type));
	place_dynamic(w->record, format, end);
	if (tracepoints_text(w->tracepoints, w->record, end + DYNAMIC, 0, 1000,
			     text, sizeof(text))) {
		print_message("%s:%s: refused\n", sys, name);
		w->refused++;
	} else if (strstr(text, "FAILED TO PARSE")) {
		print_message("%s:%s: %.100s\n", sys, name, text);
		w->failed++;
	}
}

/* An event removed meanwhile, by another test, is not a failure. */
static int check_format(void *ctx, const char *sys, const char *name)
{
	struct walk *w = ctx;
	char *format, *again;
	uint64_t id;

	if (!strcmp(sys, "ftrace") ||
	    tracefs_read_format(w->tracefs, sys, name, &format) < 0)
		return 0;
	if (tracepoints_add(w->tracepoints, w->tracefs, sys, name) == 0 &&
	    tracefs_event_id(w->tracefs, sys, name, &id, NULL) == 0) {
		w->events++;
		check_event(w, sys, name, format, (uint16_t)id);
	} else if (tracefs_read_format(w->tracefs, sys, name, &again) >= 0) {
		fail_msg("%s:%s cannot be read", sys, name);
	}
	free(format);
	return 0;
}

static void every_event_has_a_text(void **state)
{
	struct err err = { 0 };
	struct walk w = {
		.tracefs = tracefs_path(&err),
		.tracepoints = tracepoints_new(NULL),
		.record = malloc(RECORD),
	};

	(void)state;
	if (!w.tracefs) {
		print_message("%s\n", err.text);
		skip();
	}
	assert_non_null(w.tracepoints);
	assert_non_null(w.record);
	tracefs_each_event(w.tracefs, "*", "*", check_format, &w, NULL);
	print_message("%zu events, %zu refused, %zu without a text\n",
		      w.events, w.refused, w.failed);
	assert_int_not_equal(w.events, 0);
	assert_int_equal(w.refused, 0);
	assert_int_equal(w.failed, 0);
	tracepoints_free(w.tracepoints);
	free(w.record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_event_has_a_text),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
