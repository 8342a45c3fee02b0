/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "fake_tree.h"
#include "perf/tracepoint/tracefs.h"
#include "perf/tracepoint/tracepoint.h"

#define COMMON \
	"format:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;" \
	"\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

#define FIELD(type_name, offset, size, is_signed) \
	"\tfield:" type_name ";\toffset:" #offset ";\tsize:" #size \
	";\tsigned:" #is_signed ";\n"

static const char switch_format[] =
	"name: sched_switch\nID: 316\n" COMMON
	FIELD("char prev_comm[16]", 8, 16, 0)
	FIELD("pid_t prev_pid", 24, 4, 1)
	FIELD("long prev_state", 32, 8, 1)
	FIELD("unsigned long args[2]", 40, 16, 0)
	"\nprint fmt: \"prev_comm=%s prev_pid=%d prev_state=%s%s\", "
	"REC->prev_comm, REC->prev_pid, "
	"(REC->prev_state & 3) ? __print_flags(REC->prev_state & 3, \"|\", "
	"{ 0x1, \"S\" }, { 0x2, \"D\" }) : \"R\", "
	"REC->prev_state & 4 ? \"+\" : \"\"\n";

struct switch_data {
	uint16_t type;
	uint8_t flags, preempt_count;
	int32_t common_pid;
	char prev_comm[16];
	int32_t prev_pid, pad;
	int64_t prev_state;
	uint64_t args[2];
};

static const struct switch_data switched = {
	.type = 316, .common_pid = 7, .prev_comm = "kworker/0:1",
	.prev_pid = -7, .prev_state = 6, .args = { 3, 0xffff888100000000 },
};

/* Two strings, one of them given relative to its field. */
static const char strings_format[] =
	"name: strings\nID: 317\n" COMMON
	FIELD("__data_loc char[] one", 8, 4, 0)
	FIELD("__rel_loc char[] two", 12, 4, 0)
	FIELD("u32 last", 16, 4, 0)
	"\nprint fmt: \"%s %s %u\", __get_str(one), __get_rel_str(two), "
	"REC->last\n";

struct strings_data {
	uint16_t type, pad;
	int32_t common_pid;
	uint32_t one, two, last;
	char text[12];
};

/* Offset 20, 4 bytes; and 24, which is 8 after the field's end, 8 bytes. */
static const struct strings_data strings = {
	.type = 317, .one = 4 << 16 | 20, .two = 8 << 16 | 8, .last = 9,
	.text = "abc\0defghij",
};

/* Print formats that compute values. */
static const char hex_format[] =
	"name: hex\nID: 318\n" COMMON
	FIELD("u8 len", 8, 1, 0)
	FIELD("u8 addr[4]", 9, 4, 0)
	"\nprint fmt: \"addr=%s\", __print_hex_str(REC->addr, REC->len)\n";

static const char divide_format[] =
	"name: divide\nID: 319\n" COMMON
	FIELD("u32 sum", 8, 4, 0)
	FIELD("u32 nr", 12, 4, 0)
	"\nprint fmt: \"%u %u\", REC->sum / REC->nr, "
	"REC->nr ? REC->sum % REC->nr : 0\n";

static const char index_format[] =
	"name: index\nID: 320\n" COMMON
	FIELD("u32 which", 8, 4, 0)
	FIELD("u32 values[2]", 12, 8, 0)
	"\nprint fmt: \"%u\", REC->values[REC->which]\n";

static const char width_format[] =
	"name: width\nID: 321\n" COMMON
	FIELD("int len", 8, 4, 1)
	FIELD("char name[8]", 12, 8, 0)
	"\nprint fmt: \"%.*s|\", REC->len, REC->name\n";

static const char array_format[] =
	"name: array\nID: 322\n" COMMON
	FIELD("__data_loc u32[] values", 8, 4, 0)
	"\nprint fmt: \"%s\", __print_array(__get_dynamic_array(values), "
	"__get_dynamic_array_len(values) / 4, 4)\n";

static const char function_format[] =
	"name: function\nID: 323\n" COMMON
	FIELD("void * function", 8, 8, 0)
	FIELD("const char * reason", 16, 8, 0)
	"\nprint fmt: \"%ps %pS because=%s\", REC->function, REC->function, "
	"REC->reason\n";

static const char cpumask_format[] =
	"name: cpumask\nID: 324\n" COMMON
	FIELD("__data_loc cpumask_t cpus", 8, 4, 0)
	"\nprint fmt: \"cpus=%s\", __get_cpumask(cpus)\n";

/* A print format that libtraceevent does not understand. */
static const char statement_format[] =
	"name: statement\nID: 325\n" COMMON
	FIELD("u32 role", 8, 4, 0)
	FIELD("u16 sums[2]", 12, 4, 0)
	"\nprint fmt: \"%s %u\", ({ int i = REC->role; i; }), "
	"REC->sums[0] / REC->sums[1]\n";

/* As formats of uprobe_events are. */
static const char probe_format[] =
	"name: probe\nID: 326\n" COMMON
	FIELD("unsigned long __probe_ip", 8, 8, 0)
	FIELD("u16 h[]", 16, 4, 0)
	FIELD("s8 b[]", 20, 2, 1)
	FIELD("u8 c[]", 22, 2, 0)
	FIELD("__data_loc char[][2] s", 24, 8, 1)
	FIELD("__data_loc char[] t", 32, 4, 1)
	FIELD("s32 d", 36, 4, 1)
	"\nprint fmt: \"(%lx) h={0x%x,0x%x} b={%d,%d} c={'%c','%c'} "
	"s={\\\"%s\\\",\\\"%s\\\"} t=\\\"%s\\\" d=%d\", REC->__probe_ip, "
	"REC->h[0], REC->h[1], REC->b[0], REC->b[1], REC->c[0], REC->c[1], "
	"__get_str(s[0]), __get_str(s[1]), __get_str(t), REC->d\n";

struct probe_data {
	uint16_t type, pad;
	int32_t pid;
	uint64_t ip;
	uint16_t h[2];
	int8_t b[2];
	char c[2];
	uint32_t s[2], t;
	int32_t d;
	char text[8];
};

static const struct probe_data probed = {
	.type = 326, .ip = 0x401106, .h = { 1, 0xfffe }, .b = { 2, -1 },
	.c = "ok", .s = { 2 << 16 | 40, 40 }, .t = 4 << 16 | 42, .d = -7,
	.text = "a\0two",
};

/* Not as those are: the argument is no field. */
static const char strange_format[] =
	"name: strange\nID: 327\n" COMMON
	FIELD("unsigned long __probe_func", 8, 8, 0)
	FIELD("u16 h[]", 16, 4, 0)
	"\nprint fmt: \"(%lx) h=%u\", REC->__probe_func, REC->h[0] + 1\n";

/* A probe without dynamic fields. */
static const char symbol_format[] =
	"name: symbol\nID: 329\n" COMMON
	FIELD("unsigned long __probe_ip", 8, 8, 0)
	FIELD("u64 to", 16, 8, 0)
	FIELD("s16 n", 24, 2, 1)
	FIELD("u16 m", 26, 2, 0)
	"\nprint fmt: \"(%lx) to=%pS n=%d m=%d x=0x%Lx\", REC->__probe_ip, "
	"REC->to, REC->n, REC->m, REC->n\n";

/* See tracepoint_plain.h. */
static const char plain_format[] =
	"name: plain\nID: 328\n" COMMON
	FIELD("u32 nr", 8, 4, 0)
	FIELD("char name[4]", 12, 4, 0)
	"\nprint fmt: \"nr=%u name=%s\", REC->nr, REC->name\n";

struct plain_data {
	uint16_t type, pad;
	int32_t pid;
	uint32_t nr;
	char name[4];
};

static const struct plain_data plain = {
	.type = 328, .nr = 5, .name = "\033abc",
};

static const char *const formats[] = {
	switch_format, strings_format, hex_format, divide_format,
	index_format, width_format, array_format, function_format,
	cpumask_format, statement_format, probe_format, strange_format,
	plain_format, symbol_format,
};
enum { NR_FORMATS = sizeof(formats) / sizeof(*formats), FIRST_ID = 316 };

static const char *function(void *ctx, uint64_t addr, uint64_t *start)
{
	(void)ctx;
	if (addr < 0x1000 || addr >= 0x2000)
		return NULL;
	*start = 0x1000;
	return "schedule";
}

static int set_up(void **state)
{
	const struct tracepoint_names names = {
		.function = function,
	};
	struct tracepoints *t;

	t = tracepoints_new(&names);
	assert_non_null(t);
	for (size_t i = 0; i < NR_FORMATS; i++)
		assert_int_equal(tracepoints_parse(t, "test", formats[i],
						   strlen(formats[i])), 0);
	*state = t;
	return 0;
}

static int tear_down(void **state)
{
	tracepoints_free(*state);
	return 0;
}

static void check_text(struct tracepoints *t, const void *data, size_t size,
		       const char *expected)
{
	char buf[256] = "untouched";

	assert_int_equal(tracepoints_text(t, data, size, 1, 1000, buf,
					  sizeof(buf)), 0);
	assert_string_equal(buf, expected);
}

static void check_refused(struct tracepoints *t, const void *data,
			  size_t size, int error)
{
	char buf[64] = "untouched";

	assert_false(tracepoints_valid(t, data, size));
	assert_int_equal(tracepoints_text(t, data, size, 1, 1000, buf,
					  sizeof(buf)), error);
	assert_string_equal(buf, "");
	strcpy(buf, "untouched");
	assert_int_equal(tracepoints_fields(t, data, size, buf, sizeof(buf)),
			 error);
	assert_string_equal(buf, "");
	strcpy(buf, "untouched");
	assert_int_equal(tracepoints_field(t, data, size, "common_pid", buf,
					   sizeof(buf)), error);
	assert_string_equal(buf, "");
}

TEST(text_is_the_print_format)
{
	struct switch_data data = switched;

	check_text(*state, &data, sizeof(data),
		   "prev_comm=kworker/0:1 prev_pid=-7 prev_state=D+");
	data.prev_state = 0;
	check_text(*state, &data, sizeof(data),
		   "prev_comm=kworker/0:1 prev_pid=-7 prev_state=R");
	check_text(*state, &strings, sizeof(strings), "abc defghij 9");
	check_text(*state, &plain, sizeof(plain), "nr=5 name=?abc");
}

TEST(fields_are_named)
{
	char buf[256];

	assert_int_equal(tracepoints_fields(*state, &switched,
					    sizeof(switched), buf,
					    sizeof(buf)), 0);
	assert_string_equal(buf, "prev_comm=kworker/0:1 prev_pid=-7 "
				 "prev_state=6 args=0x3,0xffff888100000000");
	assert_int_equal(tracepoints_fields(*state, &strings, sizeof(strings),
					    buf, sizeof(buf)), 0);
	assert_string_equal(buf, "one=abc two=defghij last=9");
}

TEST(one_field)
{
	static const struct {
		const char *name, *value;
	} fields[] = {
		{ "prev_comm", "kworker/0:1" }, { "prev_pid", "-7" },
		{ "common_pid", "7" }, { "args", "0x3,0xffff888100000000" },
	};
	char buf[64];

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		assert_int_equal(tracepoints_field(*state, &switched,
						   sizeof(switched),
						   fields[i].name, buf,
						   sizeof(buf)), 0);
		assert_string_equal(buf, fields[i].value);
	}
	assert_int_equal(tracepoints_field(*state, &switched, sizeof(switched),
					   "nosuch", buf, sizeof(buf)),
			 -ENOENT);
	assert_string_equal(buf, "");
}

static void parse(struct tracepoints *t, const char *sys, const char *name,
		  const char *fields)
{
	char format[1024];

	snprintf(format, sizeof(format),
		 "name: %s\nID: %d\nformat:\n"
		 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;"
		 "\tsigned:0;\n\n%s\nprint fmt: \"x\"\n",
		 name, 900 + (int)strlen(name), fields);
	assert_int_equal(tracepoints_parse(t, sys, format, strlen(format)), 0);
}

#define INT(name)	"\tfield:int " name ";\toffset:8;\tsize:4;\tsigned:1;\n"
#define CHARS(name)	"\tfield:char " name "[16];\toffset:8;\tsize:16;" \
			"\tsigned:0;\n"

TEST(the_most_telling_field)
{
	struct tracepoints *t = *state;

	parse(t, "a", "switched", CHARS("prev_comm") INT("state")
	      CHARS("next_comm"));
	assert_string_equal(tracepoints_telling(t, "a", "switched"),
			    "next_comm");
	parse(t, "a", "rq", INT("dev") CHARS("rwbs") CHARS("comm"));
	assert_string_equal(tracepoints_telling(t, "a", "rq"), "rwbs");
	parse(t, "a", "power", INT("cpu_id") INT("state"));
	assert_string_equal(tracepoints_telling(t, "a", "power"), "state");
	parse(t, "raw_syscalls", "sys_enter", INT("id"));
	assert_string_equal(tracepoints_telling(t, "raw_syscalls",
						"sys_enter"), "syscall");
	parse(t, "a", "plain_one", INT("bytes") CHARS("prev_comm"));
	assert_null(tracepoints_telling(t, "a", "plain_one"));
	/* an address of a string is none */
	parse(t, "a", "opened", "\tfield:const char * filename;\toffset:8;"
	      "\tsize:8;\tsigned:0;\n");
	assert_null(tracepoints_telling(t, "a", "opened"));
	assert_null(tracepoints_telling(t, "a", "nosuch"));
}

TEST(functions_have_names)
{
	struct {
		uint16_t type, pad;
		int32_t pid;
		uint64_t function, reason;
	} data = { .type = 323, .function = 0x1234, .reason = 0xabc };

	check_text(*state, &data, sizeof(data),
		   "schedule schedule+0x234 because=abc");
	data.function = 0x2000;
	check_text(*state, &data, sizeof(data), "0x2000 0x2000 because=abc");
}

TEST(cut_at_every_byte)
{
	/* the padding at the end of a record may be missing, but no field */
	for (size_t size = 2; size < sizeof(switched); size++)
		check_refused(*state, &switched, size, -EBADMSG);
	for (size_t size = 2; size < sizeof(strings); size++)
		check_refused(*state, &strings, size, -EBADMSG);
	for (size_t size = 2; size < sizeof(plain); size++)
		check_refused(*state, &plain, size, -EBADMSG);
	check_refused(*state, &switched, 0, -EBADMSG);
	check_refused(*state, &switched, 1, -EBADMSG);
}

TEST(unknown_event)
{
	struct switch_data data = switched;

	data.type = 1;
	check_refused(*state, &data, sizeof(data), -ENOENT);
}

TEST(dynamic_fields_that_lie)
{
	static const uint32_t ones[] = {
		13 << 16 | 20,		/* a byte too long */
		1 << 16 | 32,		/* begins at the end */
		4 << 16 | 29, 0xffffffff, 0xffff0000, 0xffff,
	};
	static const uint32_t twos[] = {
		9 << 16 | 8, 1 << 16 | 16, 0xffffffff, 0xffff,
	};
	struct strings_data data;

	for (size_t i = 0; i < sizeof(ones) / sizeof(*ones); i++) {
		data = strings;
		data.one = ones[i];
		check_refused(*state, &data, sizeof(data), -EBADMSG);
	}
	for (size_t i = 0; i < sizeof(twos) / sizeof(*twos); i++) {
		data = strings;
		data.two = twos[i];
		check_refused(*state, &data, sizeof(data), -EBADMSG);
	}
	/* an empty one may be at the end */
	data = strings;
	data.one = 32;
	check_text(*state, &data, sizeof(data), " defghij 9");
}

/* A string without an end is cut at the data's end. */
TEST(strings_without_an_end)
{
	struct strings_data data = strings;

	memset(data.text, 'x', sizeof(data.text));
	check_text(*state, &data, sizeof(data), "xxxxxxxxxxxx xxxxxxxx 9");
	/* remains of an earlier, longer record are not visible */
	check_text(*state, &switched, sizeof(switched),
		   "prev_comm=kworker/0:1 prev_pid=-7 prev_state=D+");
	check_text(*state, &data, sizeof(data), "xxxxxxxxxxxx xxxxxxxx 9");
}

TEST(lengths_that_lie)
{
	struct {
		uint16_t type, pad;
		int32_t pid;
		uint8_t len, addr[4], end[3];
	} data = { .type = 318, .len = 4, .addr = { 1, 2, 0xfe, 0 } };

	check_text(*state, &data, sizeof(data), "addr=0102fe00");
	data.len = 7;
	check_text(*state, &data, sizeof(data), "addr=0102fe00000000");
	data.len = 8;
	check_refused(*state, &data, sizeof(data), -EBADMSG);
	data.len = 255;
	check_refused(*state, &data, sizeof(data), -EBADMSG);
}

TEST(division_by_zero)
{
	struct {
		uint16_t type, pad;
		int32_t pid;
		uint32_t sum, nr;
	} data = { .type = 319, .sum = 17, .nr = 5 };

	/* libtraceevent evaluates only the condition and the left side */
	check_text(*state, &data, sizeof(data), "3 2");
	data.nr = 0;
	check_refused(*state, &data, sizeof(data), -EBADMSG);
}

TEST(index_beyond_the_data)
{
	struct {
		uint16_t type, pad;
		int32_t pid;
		uint32_t which, values[2];
	} data = { .type = 320, .which = 1, .values = { 5, 6 } };

	check_text(*state, &data, sizeof(data), "6");
	data.which = 2;
	check_refused(*state, &data, sizeof(data), -EBADMSG);
	data.which = UINT32_MAX;
	check_refused(*state, &data, sizeof(data), -EBADMSG);
}

TEST(absurd_width)
{
	struct {
		uint16_t type, pad;
		int32_t pid;
		int32_t len;
		char name[8];
	} data = { .type = 321, .len = 3, .name = "abcdefg" };

	check_text(*state, &data, sizeof(data), "abc|");
	data.len = INT32_MAX;
	check_refused(*state, &data, sizeof(data), -EBADMSG);
	data.len = -1;
	check_refused(*state, &data, sizeof(data), -EBADMSG);
}

TEST(arrays)
{
	struct {
		uint16_t type, pad;
		int32_t pid;
		uint32_t values, data[3];
	} data = { .type = 322, .values = 12 << 16 | 12, .data = { 1, 2, 3 } };
	char buf[64];

	check_text(*state, &data, sizeof(data), "1 2 3");
	assert_int_equal(tracepoints_fields(*state, &data, sizeof(data), buf,
					    sizeof(buf)), 0);
	assert_string_equal(buf, "values=0x1,0x2,0x3");
	data.values = 16 << 16 | 12;
	check_refused(*state, &data, sizeof(data), -EBADMSG);
}

/* A cpumask of 0 bytes, of which libtraceevent would make 3 GB of text. */
TEST(cpumask_of_no_bytes)
{
	struct {
		uint16_t type, pad;
		int32_t pid;
		uint32_t cpus;
		uint8_t mask[4];
	} data = { .type = 324, .cpus = 4 << 16 | 12, .mask = { 0x31 } };

	check_text(*state, &data, sizeof(data), "cpus=0,4-5");
	data.mask[0] = 0;
	check_text(*state, &data, sizeof(data), "cpus=");
	data.cpus = 12;
	check_refused(*state, &data, sizeof(data), -EBADMSG);
}

TEST(fields_where_the_print_format_is_not_understood)
{
	struct {
		uint16_t type, pad;
		int32_t pid;
		uint32_t role;
		uint16_t sums[2];
	} data = { .type = 325, .role = 7, .sums = { 1, 0 } };

	check_text(*state, &data, sizeof(data), "role=7 sums=0x1,0x0");
}

/*
 * As the kernel prints it, except for the "0x" of the address, which perf
 * leaves out.
 */
TEST(probes)
{
	struct probe_data data = probed;
	char buf[128];

	check_text(*state, &data, sizeof(data),
		   "(401106) h={0x1,0xfffe} b={2,-1} c={'o','k'} "
		   "s={\"a\",(fault)} t=\"two\" d=-7");
	assert_int_equal(tracepoints_fields(*state, &data, sizeof(data), buf,
					    sizeof(buf)), 0);
	assert_string_equal(buf, "__probe_ip=0x401106 h=0x1,0xfffe "
				 "b=0x2,0xff c=0x6f,0x6b s_0=a s_1= t=two "
				 "d=-7");
	assert_int_equal(tracepoints_field(*state, &data, sizeof(data), "s_0",
					   buf, sizeof(buf)), 0);
	assert_string_equal(buf, "a");
	data.s[1] = 9 << 16 | 40;
	check_refused(*state, &data, sizeof(data), -EBADMSG);
	for (size_t size = 2; size < sizeof(data) - 2; size++)
		check_refused(*state, &probed, size, -EBADMSG);
}

TEST(probe_of_another_form)
{
	struct {
		uint16_t type, pad;
		int32_t pid;
		uint64_t ip;
		uint16_t h[2];
	} data = { .type = 327, .ip = 0x1000, .h = { 1, 2 } };

	check_text(*state, &data, 20, "__probe_func=0x1000 h=0x1,0x2");
}

TEST(numbers_and_symbols_of_probes)
{
	struct {
		uint16_t type, pad;
		int32_t pid;
		uint64_t ip, to;
		int16_t n;
		uint16_t m;
	} data = { .type = 329, .to = 0x1234, .n = -2, .m = 0xfffe };

	check_text(*state, &data, 28, "(0) to=schedule+0x234 n=-2 m=65534 "
		   "x=0xfffffffffffffffe");
	data.to = 0x2000;
	check_text(*state, &data, 28, "(0) to=0x2000 n=-2 m=65534 "
		   "x=0xfffffffffffffffe");
	check_refused(*state, &data, 27, -EBADMSG);
}

TEST(control_bytes_are_taken_out)
{
	struct switch_data data = switched;
	char buf[256];

	memcpy(data.prev_comm, "\033[2J\n\xff\xc2\x9b", 9);
	check_text(*state, &data, sizeof(data),
		   "prev_comm=?[2J???? prev_pid=-7 prev_state=D+");
	assert_int_equal(tracepoints_field(*state, &data, sizeof(data),
					   "prev_comm", buf, sizeof(buf)), 0);
	assert_string_equal(buf, "?[2J????");
	/* and the name of the next task is valid again */
	assert_int_equal(tracepoints_field(*state, &switched, sizeof(switched),
					   "prev_comm", buf, sizeof(buf)), 0);
	assert_string_equal(buf, "kworker/0:1");
}

TEST(text_is_cut_to_fit)
{
	struct switch_data data = switched;
	char buf[16];

	assert_int_equal(tracepoints_text(*state, &data, sizeof(data), 0, 0,
					  buf, sizeof(buf)), 0);
	assert_string_equal(buf, "prev_comm=kwork");
	memcpy(data.prev_comm, "abcd\xc3\xa4", 7);
	assert_int_equal(tracepoints_text(*state, &data, sizeof(data), 0, 0,
					  buf, sizeof(buf)), 0);
	assert_string_equal(buf, "prev_comm=abcd");
	assert_int_equal(tracepoints_text(*state, &data, sizeof(data), 0, 0,
					  buf, 1), 0);
	assert_string_equal(buf, "");
}

TEST(formats_that_are_none)
{
	static const char *const texts[] = {
		"", "name: x", "\033[2J", "name: x\nID: 9\nformat:\n\tfield:",
		"name: x\nID: y\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_int_equal(tracepoints_parse(*state, "test", texts[i],
						   strlen(texts[i])),
				 -EBADMSG);
	/* a known format is not parsed again */
	assert_int_equal(tracepoints_parse(*state, "test", switch_format,
					   strlen(switch_format)), 0);
	check_text(*state, &switched, sizeof(switched),
		   "prev_comm=kworker/0:1 prev_pid=-7 prev_state=D+");
}

TEST(formats_cut_at_every_byte)
{
	char buf[256];

	for (size_t len = 0; len < strlen(strings_format); len++) {
		struct tracepoints *t = tracepoints_new(NULL);
		char *cut = malloc(len + 1);
		int ret;

		assert_non_null(t);
		assert_non_null(cut);
		memcpy(cut, strings_format, len);
		ret = tracepoints_parse(t, "test", cut, len);
		assert_true(ret == 0 || ret == -EBADMSG);
		tracepoints_text(t, &strings, sizeof(strings), 0, 0, buf,
				 sizeof(buf));
		tracepoints_fields(t, &strings, sizeof(strings), buf,
				   sizeof(buf));
		/* others are not affected */
		assert_int_equal(tracepoints_parse(t, "test", switch_format,
						   strlen(switch_format)), 0);
		check_text(t, &switched, sizeof(switched),
			   "prev_comm=kworker/0:1 prev_pid=-7 prev_state=D+");
		free(cut);
		tracepoints_free(t);
	}
}

/* Random bytes: no crash, and the text is always sanitized. */
static void noise_of(struct tracepoints *t, uint16_t id, uint32_t *seed,
		     int records)
{
	char data[256], buf[512];

	for (int i = 0; i < records; i++) {
		size_t size = (size_t)(i % (int)(sizeof(data) / 8)) * 8 + 8;

		for (size_t j = 0; j < size; j++) {
			*seed = *seed * 1664525 + 1013904223;
			/* small numbers, as invalid sizes and offsets are */
			data[j] = (char)(*seed >> (*seed & 1 << 30 ? 24 : 29));
		}
		memcpy(data, &id, sizeof(id));
		if (!tracepoints_valid(t, data, size))
			continue;
		assert_int_equal(tracepoints_text(t, data, size, 0, 0, buf,
						  sizeof(buf)), 0);
		for (const char *s = buf; *s; s++)
			assert_true((unsigned char)*s >= ' ' && *s != '\x7f');
		assert_int_equal(tracepoints_fields(t, data, size, buf,
						    sizeof(buf)), 0);
	}
}

TEST(noise)
{
	uint32_t seed = 1;

	for (unsigned int i = 0; i < NR_FORMATS; i++)
		noise_of(*state, (uint16_t)(FIRST_ID + i), &seed, 4000);
}

struct kernel {
	struct tracepoints *t;
	const char *tracefs;
	uint32_t seed;
	unsigned int events;
};

static int noise_of_event(void *ctx, const char *sys, const char *name)
{
	struct kernel *k = ctx;
	uint64_t id;

	/* those of ftrace itself have no ids of perf events */
	if (tracefs_event_id(k->tracefs, sys, name, &id, NULL) ||
	    !strcmp(sys, "ftrace"))
		return 0;
	assert_int_equal(tracepoints_add(k->t, k->tracefs, sys, name), 0);
	noise_of(k->t, (uint16_t)id, &k->seed, 24);
	k->events++;
	return 0;
}

TEST(noise_of_this_kernels_events)
{
	struct kernel k = {
		.t = tracepoints_new(NULL),
		.tracefs = tracefs_mounted(),
		.seed = 2,
	};

	assert_non_null(k.t);
	if (!k.tracefs || sys_access(k.tracefs, 4 /* R_OK */)) {
		tracepoints_free(k.t);
		skip();
	}
	tracefs_each_event(k.tracefs, "*", "*", noise_of_event, &k, NULL);
	assert_true(k.events > 100);
	tracepoints_free(k.t);
}

TEST_WITH(formats_are_read_below_tracefs, NULL, NULL)
{
	struct tracepoints *t = tracepoints_new(NULL);
	struct fake_tree tree;
	struct {
		uint16_t type, pad;
		int32_t pid;
		uint64_t function, reason;
	} data = { .type = 323, .function = 0x1234,
		   .reason = 0xffffffff828195af };

	assert_non_null(t);
	fake_tree_init(&tree);
	fake_tree_write(&tree, "events/test/function/format", function_format);
	fake_tree_write(&tree, "printk_formats",
			"0xffffffff828195af : \"thaw_processes\"\n");
	assert_int_equal(tracepoints_add(t, tree.root, "test", "function"), 0);
	check_text(t, &data, sizeof(data), "0x1234 0x1234 "
					   "because=thaw_processes");
	assert_int_equal(tracepoints_add(t, tree.root, "test", "function"), 0);
	assert_int_equal(tracepoints_add(t, tree.root, "test", "nosuch"),
			 -ENOENT);
	assert_int_equal(tracepoints_add(t, tree.root, "..", "test"), -ENOENT);
	sys_fail_at(SYS_OPEN_FILE, 1, EACCES);
	assert_int_equal(tracepoints_add(t, tree.root, "test", "other"),
			 -EACCES);
	tracepoints_free(t);
	fake_tree_free(&tree);
}

TEST_GROUP(tracepoint, .each_setup = set_up, .each_teardown = tear_down);
