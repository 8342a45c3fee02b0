/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result has to be what libtraceevent prints. */
#include "tests/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "base/sys.h"
#include "base/text.h"
#include "perf/tracepoint/tracefs.h"
#include "perf/tracepoint/tracepoint.h"
#include "perf/tracepoint/tracepoint_plain.h"

enum { TEXT = 512, DATA = 4096 };

#define PLACES \
	"name: event\nID: 7\nformat:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n" \
	"\tfield:long l;\toffset:8;\tsize:8;\tsigned:1;\n" \
	"\tfield:unsigned long a[2];\toffset:16;\tsize:16;\tsigned:0;\n" \
	"\tfield:s16 h;\toffset:32;\tsize:2;\tsigned:1;\n" \
	"\tfield:u8 b;\toffset:34;\tsize:1;\tsigned:0;\n" \
	"\tfield:char s[5];\toffset:35;\tsize:5;\tsigned:0;\n" \
	"\tfield:int i;\toffset:40;\tsize:4;\tsigned:1;\n"
#define DYNAMIC \
	"\tfield:__data_loc char[] d;\toffset:44;\tsize:4;\tsigned:0;\n"
#define PRINT "\nprint fmt: "
#define FIXED_FIELDS PLACES PRINT
enum { NEED = 44 };

struct data {
	uint16_t type, pad;
	int32_t pid;
	int64_t l;
	uint64_t a[2];
	int16_t h;
	uint8_t b;
	char s[5];
	int32_t i;
	uint32_t d;
};

static const struct data samples[] = {
	{ .type = 7, .s = "name" },
	{ .type = 7, .pid = 9, .l = -1, .a = { 1, UINT64_MAX }, .h = -2,
	  .b = 255, .s = "abcde", .i = -7 },
	{ .type = 7, .l = INT64_MIN, .a = { 10, 1ull << 63 }, .h = INT16_MIN,
	  .b = 16, .s = "\033[2J", .i = INT32_MIN },
	{ .type = 7, .l = 1ll << 32 | 5, .a = { 0xabcdef, 0x7fff00001234 },
	  .h = 99, .b = 7, .s = "\303\244\303", .i = 123456789 },
};

static struct tep_handle *new_tep(void)
{
	struct tep_handle *tep = tep_alloc();

	assert_non_null(tep);
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, sizeof(long));
	return tep;
}

static struct tep_event *parse(struct tep_handle *tep, const char *format)
{
	assert_int_equal(tep_parse_event(tep, format, strlen(format), "test"),
			 0);
	return tep_find_event(tep, 7);
}

static void by_library(struct tep_event *event, const void *data,
		       size_t size, char *buf, size_t len)
{
	struct tep_record record = {
		.data = (void *)(uintptr_t)data, .size = (int)size,
	};
	struct trace_seq seq;

	trace_seq_init(&seq);
	tep_print_event(event->tep, &seq, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&seq);
	text_copy(buf, len, seq.buffer);
	trace_seq_destroy(&seq);
}

static void check_same(const struct tracepoint_plain *plain,
		       struct tep_event *event, const void *data, size_t size)
{
	char expected[TEXT], text[TEXT];

	by_library(event, data, size, expected, sizeof(expected));
	assert_true(tracepoint_plain_print(plain, data, size, text,
					   sizeof(text)));
	assert_string_equal(text, expected);
}

TEST(the_text_is_the_librarys)
{
	static const char *const formats[] = {
		"\"no value, 100%% text\"",
		"\"%ld %lu %lx %lX %#lx\", REC->l, REC->l, REC->l, REC->l, "
		"REC->l",
		"\"%d %u %x %i\", REC->i, REC->i, REC->i, REC->i",
		"\"%08lx|%3d|%03d|%#010x|%12u\", REC->a[1], REC->i, REC->i, "
		"REC->i, REC->b",
		"\"%d %u %hd %hu %hx %hhd\", REC->h, REC->h, REC->h, REC->h, "
		"REC->h, REC->b",
		"\"%d %x %llu %lld %zu\", REC->l, REC->l, REC->a[0], "
		"REC->a[1], REC->l",
		"\"a=%s i=%d\", REC->s, REC->i",
		"\"0x%08lx, %llx\", ((unsigned long)(REC->b)), "
		"(unsigned long long)REC->h",
		"\"%lx (%lx, %lx)\", REC->l, REC->a[0], REC->a[1]",
		"\"%d\", REC->common_pid",
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		struct tep_handle *tep = new_tep();
		struct tracepoint_plain *plain;
		struct tep_event *event;
		char format[2048];

		snprintf(format, sizeof(format), "%s%s\n", FIXED_FIELDS,
			 formats[i]);
		event = parse(tep, format);
		plain = tracepoint_plain_new(event);
		assert_non_null(plain);
		for (size_t j = 0; j < sizeof(samples) / sizeof(*samples); j++)
			check_same(plain, event, &samples[j],
				   sizeof(samples[j]));
		tracepoint_plain_free(plain);
		tep_free(tep);
	}
}

TEST(what_is_not_plain_is_the_librarys_to_print)
{
	static const char *const formats[] = {
		PLACES DYNAMIC PRINT "\"%d\", REC->i\n",
		FIXED_FIELDS "\"%d\", REC->i + 1\n",
		FIXED_FIELDS "\"%d\", (u8)REC->i\n",
		FIXED_FIELDS "\"%s\", REC->i ? \"yes\" : \"no\"\n",
		FIXED_FIELDS "\"%lx\", REC->a[REC->i]\n",
		FIXED_FIELDS "\"%lx\", REC->a[2]\n",
		FIXED_FIELDS "\"%-5d\", REC->i\n",
		FIXED_FIELDS "\"%99999999d\", REC->i\n",
		FIXED_FIELDS "\"%.3s\", REC->s\n",
		FIXED_FIELDS "\"%*d\", REC->i, REC->i\n",
		FIXED_FIELDS "\"%p\", REC->l\n",
		FIXED_FIELDS "\"%pS\", REC->l\n",
		FIXED_FIELDS "\"%s\", REC->l\n",
		FIXED_FIELDS "\"%c\", REC->b\n",
		FIXED_FIELDS "\"%d\", REC->a\n",
		FIXED_FIELDS "\"a\\tb\"\n",
		FIXED_FIELDS "\"\303\244\"\n",
		FIXED_FIELDS "\"%d %d\", REC->i\n",
		FIXED_FIELDS "\"%d\", REC->i, REC->i\n",
		FIXED_FIELDS "\"%d%\", REC->i\n",
		FIXED_FIELDS "\"%s\", __print_symbolic(REC->i, { 1, \"a\" })\n",
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		struct tep_handle *tep = new_tep();
		struct tep_event *event;

		tep_parse_event(tep, formats[i], strlen(formats[i]), "test");
		event = tep_find_event(tep, 7);
		if (event && tracepoint_plain_new(event))
			fail_msg("plain: %s", strstr(formats[i], "print fmt"));
		tep_free(tep);
	}
}

static const char all_format[] = FIXED_FIELDS
	"\"s=%s i=%08d l=%#lx\", REC->s, REC->i, REC->l\n";

/*
 * In an allocation of exactly that size, so that a sanitizer detects reads
 * beyond it.
 */
TEST(short_data_is_refused)
{
	struct tep_handle *tep = new_tep();
	struct tracepoint_plain *plain =
		tracepoint_plain_new(parse(tep, all_format));

	assert_non_null(plain);
	for (size_t size = 0; size <= NEED; size++) {
		char text[TEXT] = "untouched", *data = malloc(size + !size);

		assert_non_null(data);
		memcpy(data, &samples[1], size);
		assert_int_equal(tracepoint_plain_print(plain, data, size,
							text, sizeof(text)),
				 size == NEED);
		assert_string_equal(text, size < NEED ? "" :
			"s=abcde i=-0000007 l=0xffffffffffffffff");
		free(data);
	}
	tracepoint_plain_free(plain);
	tep_free(tep);
}

TEST(the_text_is_cut_as_the_librarys)
{
	struct tep_handle *tep = new_tep();
	struct tep_event *event = parse(tep, all_format);
	struct tracepoint_plain *plain = tracepoint_plain_new(event);

	assert_non_null(plain);
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		for (size_t len = 1; len < 48; len++) {
			char expected[TEXT], *text = malloc(len);

			assert_non_null(text);
			by_library(event, &samples[i], NEED, expected, len);
			assert_true(tracepoint_plain_print(plain, &samples[i],
							   NEED, text, len));
			assert_string_equal(text, expected);
			free(text);
		}
	}
	tracepoint_plain_free(plain);
	tep_free(tep);
}

struct kernel {
	const char *tracefs;
	size_t events, plain;
};

static void compare(struct kernel *k, struct tep_event *event)
{
	struct tracepoint_plain *plain = tracepoint_plain_new(event);
	unsigned char data[DATA];
	unsigned int seed = 3;

	k->events++;
	if (!plain)
		return;
	k->plain++;
	for (int round = 0; round < 8; round++) {
		for (size_t i = 0; i < sizeof(data); i++)
			data[i] = (unsigned char)(rand_r(&seed) >> 4);
		memcpy(data, &(uint16_t){ (uint16_t)event->id }, 2);
		check_same(plain, event, data, sizeof(data));
	}
	tracepoint_plain_free(plain);
}

static int compare_event(void *ctx, const char *sys, const char *name)
{
	struct kernel *k = ctx;
	struct tep_handle *tep;
	char *text;
	ssize_t len = tracefs_read_format(k->tracefs, sys, name, &text);

	if (len < 0)
		return 0;
	tep = new_tep();
	if (!tep_parse_event(tep, text, (size_t)len, sys) &&
	    tep_find_event_by_name(tep, sys, name))
		compare(k, tep_find_event_by_name(tep, sys, name));
	tep_free(tep);
	free(text);
	return 0;
}

TEST(the_text_of_this_kernels_events)
{
	struct kernel k = { .tracefs = tracefs_mounted() };

	if (!k.tracefs || sys_access(k.tracefs, 4 /* R_OK */))
		skip();
	tracefs_each_event(k.tracefs, "*", "*", compare_event, &k, NULL);
	print_message("%zu of %zu events are plain\n", k.plain, k.events);
	assert_true(k.plain > 100);
}

TEST_GROUP(tracepoint_plain);
