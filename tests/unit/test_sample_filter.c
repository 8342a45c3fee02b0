/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <linux/perf_event.h>
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "samples/feed.h"
#include "samples/sample_filter.h"

static const struct feed_frame frames[] = {
	{ 0xffffffff81000010,
	  { "__x64_sys_poll", "[kernel.kallsyms]", SYMBOL_KERNEL, false,
	    0x10 } },
	{ 0x401000,
	  { "operator()(int)", "/usr/lib/libfoo.so.1", SYMBOL_USER, false,
	    0 } },
};

/* A sample of the kernel, and one of a library. */
static const struct feed_sample samples[] = {
	{
		.time = 12500000001, .cpu = 2, .pid = 100, .tid = 101,
		.comm = "dd", .event = "sched:sched_switch", .weight = 8,
		.fields = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD,
		.period = 1, .ip = 0xffffffff81000010,
		.frames = frames, .nr_frames = 1,
		.text = "prev_comm=dd [120] ==> bash:7",
		.values = "prev_comm=my prog prev_pid=7 ret=-11 flags=0x10 "
			  "name=",
	},
	{
		.time = 3, .cpu = -1, .pid = -1, .tid = -1, .comm = "Xorg",
		.event = "cycles", .weight = 1,
		.fields = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR,
		.ip = 0x401000, .addr = 0x7f00,
		.frames = frames + 1, .nr_frames = 1, .text = "", .values = "",
	},
};

/* Check which of both match, as digits: "01", "0", "1", "". */
static void expect(const char *text, const char *matched)
{
	struct err err = { .kind = ERR_NONE };
	struct sample_filter *filter = sample_filter_new(text, &err);
	char got[3] = "";

	if (!filter)
		fail_msg("%s: %s", text, err.text);
	for (size_t i = 0; i < 2; i++) {
		if (sample_filter_match(filter, &samples[i]))
			strcat(got, i ? "1" : "0");
	}
	sample_filter_free(filter);
	if (strcmp(got, matched) != 0)
		fail_msg("%s: matched \"%s\", not \"%s\"", text, got, matched);
}

TEST(texts)
{
	expect("comm==dd", "0");
	expect("comm == dd", "0");
	expect("comm==DD", "");		/* case-sensitive */
	expect("comm!=dd", "1");
	expect("comm~D", "0");		/* not case-sensitive */
	expect("comm~xorg", "1");
	expect("comm!~xorg", "0");
	expect("comm~*g", "1");		/* a glob matches the whole text */
	expect("comm~*r", "");
	expect("comm~x??g", "1");
	expect("comm~?d", "0");
	expect("event~sys", "");
	expect("event~SCHED", "0");
	expect("sym~sys", "0");
	expect("sym~__x64_sys_*", "0");
	expect("sym~*sys*l*", "0");
	expect("sym~*poll*x", "");
	expect("sym==operator()(int)", "1");
	expect("dso==[kernel.kallsyms]", "0");
	expect("dso==libfoo.so.1", "1");
	expect("dso==/usr/lib/libfoo.so.1", "1");
	expect("dso!=libfoo.so.1", "0");
	expect("dso~/lib/", "1");
	expect("dso!~foo", "0");
	expect("text~bash", "0");
	expect("text==\"prev_comm=dd [120] ==> bash:7\"", "0");
	expect("comm==\"\"", "");
	expect("comm!=\"\"", "01");
}

TEST(numbers)
{
	expect("cpu==2", "0");
	expect("cpu!=2", "");		/* the other one has no CPU */
	expect("cpu<3", "0");
	expect("cpu<=2", "0");
	expect("cpu>2", "");
	expect("cpu>=2", "0");
	expect("cpu>-1", "0");
	expect("pid==100", "0");
	expect("tid==0x65", "0");
	expect("ip==0xffffffff81000010", "0");
	expect("ip<0xffffffff81000010", "1");
	expect("addr>0", "1");
	expect("addr==32512", "1");
	expect("period==1", "0");
	expect("weight>1", "0");
	expect("time==12.500000001", "0");
	expect("time==12.5", "");
	expect("time>12.5", "0");
	expect("time<12.5", "1");
	expect("time<1", "1");
}

TEST(tracepoint_fields)
{
	expect("prev_pid==7", "0");
	expect("prev_pid<8", "0");
	expect("prev_pid>=8", "");
	expect("prev_comm==\"my prog\"", "0");
	expect("prev_comm~PROG", "0");
	expect("ret==-11", "0");
	expect("ret<-10", "0");
	expect("ret<-11", "");
	expect("ret<0", "0");
	expect("flags==16", "0");
	expect("flags!=16", "");
	expect("name==\"\"", "0");
	/* a missing value matches nothing, but can be negated */
	expect("next_pid!=1", "");
	expect("next_comm!~x", "");
	expect("!(next_pid==1)", "01");
	expect("pid_==7", "");
	expect("prev==7", "");
	/* text is not ordered */
	expect("prev_comm<7", "");
}

TEST(words)
{
	expect("dd", "0");
	expect("XORG", "1");
	expect("sys_poll", "0");
	expect("libfoo", "1");
	expect("bash", "0");
	expect("cycles", "1");
	expect("*switch", "0");
	expect("nothing", "");
	expect("\"] ==> bash\"", "0");
	expect("!dd", "1");
	expect("  dd  ", "0");
}

TEST(operators)
{
	expect("comm==dd && event~sched", "0");
	expect("comm==dd&&event~cycles", "");
	expect("comm==dd||event~cycles", "01");
	expect("(cpu<2 || pid==100) && !sym~poll", "");
	expect("(cpu<2 || pid==100) && sym~poll", "0");
	/* && binds before || */
	expect("comm==Xorg || comm==dd && cpu==5", "1");
	expect("(comm==Xorg || comm==dd) && cpu==5", "");
	expect("cpu==5 && comm==dd || comm==Xorg", "1");
	expect("!!comm==dd", "0");
	expect("!(comm==dd || comm==Xorg)", "");
	expect("!comm==dd && !comm==Xorg", "");
	expect("((((dd))))", "0");
}

TEST(null_matches_everything)
{
	assert_true(sample_filter_match(NULL, &samples[0]));
	sample_filter_free(NULL);
}

/*
 * Before the text is made: only samples are rejected that no text could make
 * match.
 */
TEST(rejected_early)
{
	static const struct {
		const char *text;
		bool rejected;
	} cases[] = {
		{ "comm==dd", false },
		{ "comm==Xorg", true },
		{ "cpu==3", true },
		{ "text~nothing", false },
		{ "prev_pid==9", false },
		{ "nothing", false },
		{ "!dd", true },
		{ "!nothing", false },
		{ "!text~bash", false },
		{ "comm==Xorg && prev_pid==9", true },
		{ "prev_pid==9 && comm==Xorg", true },
		{ "comm==dd && prev_pid==9", false },
		{ "comm==Xorg || prev_pid==9", false },
		{ "comm==Xorg || cpu==3", true },
		{ "comm==dd || prev_pid==9", false },
		{ "!(comm==dd || prev_pid==9)", true },
		{ "!(comm==dd && prev_pid==9)", false },
	};

	assert_false(sample_filter_rejects(NULL, &samples[0]));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sample_filter *filter =
			sample_filter_new(cases[i].text, NULL);
		struct feed_sample unwritten = samples[0];

		unwritten.text = unwritten.values = "";
		assert_non_null(filter);
		if (sample_filter_rejects(filter, &unwritten) !=
		    cases[i].rejected)
			fail_msg("%s", cases[i].text);
		sample_filter_free(filter);
	}
}

/* A sample without frames, as from a source without addresses. */
TEST(no_frames)
{
	struct feed_sample bare = samples[0];
	struct err err = { .kind = ERR_NONE };
	struct sample_filter *filter = sample_filter_new("sym!=x || dso!=x ||"
							 " poll", &err);

	bare.frames = NULL;
	bare.nr_frames = 0;
	assert_non_null(filter);
	assert_false(sample_filter_match(filter, &bare));
	sample_filter_free(filter);
}

TEST(syntax_errors)
{
	static const struct {
		const char *text, *names;
	} cases[] = {
		{ "", "column 1: a name" },
		{ "   ", "column 4: a name" },
		{ "comm==", "column 7: a value" },
		{ "comm== && dd", "column 8: a value" },
		{ "(comm==)", "column 8: a value" },
		{ "comm=dd", "column 5: '=' is no operator; use ==" },
		{ "==dd", "column 1: a name" },
		{ "comm==dd &&", "column 12: a name" },
		{ "&& comm==dd", "column 1: a name" },
		{ "comm==dd || || x", "column 13: a name" },
		{ "(comm==dd", "column 10: ')'" },
		{ "comm==dd)", "column 9: && or ||" },
		{ "()", "column 2: a name" },
		{ "comm==dd event~sys", "column 10: && or ||" },
		{ "comm==\"dd", "column 7: no closing quote" },
		{ "\"dd", "column 1: no closing quote" },
		{ "!", "column 2: a name" },
		{ "cpu==two", "column 1: can only be compared with a number" },
		{ "cpu~2", "column 1: ~ is for text" },
		{ "x || cpu==2x", "column 6: can only be compared" },
		{ "cpu==99999999999999999999",
		  "column 1: can only be compared" },
		{ "comm<dd", "column 1: text cannot be compared" },
		{ "ret<dd", "column 1: < and > need a number" },
		{ "time==1.2.3", "column 1: can only be compared" },
		{ "time==.5", "column 1: can only be compared" },
		{ "time==99999999999999999999",
		  "column 1: can only be compared" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { .kind = ERR_NONE };

		if (sample_filter_new(cases[i].text, &err))
			fail_msg("%s: taken", cases[i].text);
		assert_int_equal(err_exit_status(&err), 2);
		if (!strstr(err.text, cases[i].names))
			fail_msg("%s: %s", cases[i].text, err.text);
		assert_null(sample_filter_new(cases[i].text, NULL));
	}
}

static int check(const char *text, struct err *err)
{
	static const char *const fields[] = {
		"kmem:kmalloc.bytes_req", "sched:sched_switch.prev_comm",
	};
	struct sample_filter *filter = sample_filter_new(text, err);
	int ret;

	assert_non_null(filter);
	ret = sample_filter_check(filter, fields, 2, err);
	sample_filter_free(filter);
	return ret;
}

/* Names are the filter's own, case ignored, or fields of the events. */
TEST(names)
{
	struct err err = { .kind = ERR_NONE };

	assert_int_equal(check("CPU==0 && !(Comm~x || word)", &err), 0);
	assert_int_equal(check("bytes_req>10 || prev_comm==x", &err), 0);
	assert_int_equal(check("cpu==0 && !(comm~x || bytes_rq>10)", &err),
			 -EINVAL);
	assert_int_equal(err_exit_status(&err), 2);
	assert_string_equal(err.text,
			    "filter: no event here has a field 'bytes_rq'");
}

/* Depth and length are limited. */
TEST(bounded)
{
	char text[4000];
	struct err err = { .kind = ERR_NONE };
	struct sample_filter *filter;

	memset(text, '(', sizeof(text));
	strcpy(text + 1000, "x");
	assert_null(sample_filter_new(text, &err));
	assert_non_null(strstr(err.text, "too many parentheses"));
	memset(text, '!', 1000);
	assert_null(sample_filter_new(text, &err));
	assert_non_null(strstr(err.text, "too many parentheses"));
	memset(text, 'x', sizeof(text));
	text[1025] = '\0';
	assert_null(sample_filter_new(text, &err));
	assert_non_null(strstr(err.text, "too long"));
	for (size_t i = 0; i < 1000; i += 4)
		memcpy(text + i, "d&& ", 4);
	strcpy(text + 1000, "d");
	filter = sample_filter_new(text, &err);
	assert_non_null(filter);
	assert_true(sample_filter_match(filter, &samples[0]));
	sample_filter_free(filter);
}

/* Stars that match nearly everything are still fast. */
TEST(stars)
{
	static char name[100001];
	struct feed_sample s = samples[0];
	struct feed_frame frame = frames[0];
	struct sample_filter *filter;

	memset(name, 'a', sizeof(name) - 1);
	frame.symbol.name = name;
	s.frames = &frame;
	filter = sample_filter_new("sym~a*a*a*a*a*a*a*a*a*b", NULL);
	assert_non_null(filter);
	assert_false(sample_filter_match(filter, &s));
	sample_filter_free(filter);
}

TEST_GROUP(sample_filter);
