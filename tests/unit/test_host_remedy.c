/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command that an owner is to be started by, from its command line. */
#include "tests/group.h"

#include <string.h>

#include "host/table/host_remedy.h"

enum { PAGE = 4096 };

/* A ring of @pages pages of the program @comm. */
static struct ring_row ring_of(const char *comm, uint64_t pages)
{
	struct ring_row row = { .pid = 100, .uid = 7, .owner_uid = 7,
				.size = pages * PAGE };

	strcpy(row.comm, comm);
	return row;
}

static void check_ftrace(const char *event, const char *want)
{
	char got[96];

	host_remedy_ftrace(event, 512, PAGE, got, sizeof(got));
	assert_string_equal(got, want);
}

TEST(ftrace_buffers)
{
	char event[96] = "ftrace:";

	check_ftrace("ftrace",
		     "echo 2048 > /sys/kernel/tracing/buffer_size_kb");
	check_ftrace("ftrace:a-b.c", "echo 2048 > /sys/kernel/tracing/"
		     "instances/a-b.c/buffer_size_kb");
	/* not literal in a shell, or too long */
	check_ftrace("ftrace:a b", "");
	check_ftrace("ftrace:$(x)", "");
	check_ftrace("ftrace:a?", "");
	memset(event + 7, 'n', 80);
	check_ftrace(event, "");
}

/* @line has '|' after each argument. */
static size_t arguments(const char *line, char argv[HOST_REMEDY_ARGV])
{
	size_t len = strlen(line);

	assert_true(len <= HOST_REMEDY_ARGV);
	for (size_t i = 0; i < len; i++)
		argv[i] = line[i] == '|' ? '\0' : line[i];
	return len;
}

static void check_row(const struct ring_row *row, const char *line,
		      const char *want)
{
	char argv[HOST_REMEDY_ARGV], got[HOST_REMEDY_COMMAND];
	size_t len = arguments(line, argv);

	host_remedy_command(row, argv, len, 256, PAGE, got);
	assert_string_equal(got, want);
}

/* The ring of @pages pages is to have 256. */
static void check(const char *comm, uint64_t pages, const char *line,
		  const char *want)
{
	const struct ring_row row = ring_of(comm, pages);

	check_row(&row, line, want);
}

/* Whatever form it has, and rounded up as perf rounds it. */
TEST(test_changes_the_size)
{
	check("perf", 1, "perf|record|-m|1|-a|", "perf record -m 256 -a");
	check("perf", 8, "perf|record|-a|-m8|", "perf record -a -m256");
	check("perf", 8, "/usr/bin/perf|record|--mmap-pages=8|-a|",
	      "/usr/bin/perf record --mmap-pages=256 -a");
	check("perf", 8, "perf|trace|--mmap-pages|5|-a|",
	      "perf trace --mmap-pages 256 -a");
	check("perf", 16, "perf|record|-m|64k|-a|", "perf record -m 256 -a");
	check("perf", 8, "perf|record|-m|8,16M|-e|intel_pt//|",
	      "perf record -m 256,16M -e intel_pt//");
	check("opensnoop-bpfcc", 64,
	      "/usr/bin/python3|/usr/sbin/opensnoop-bpfcc|-b|64|-T|",
	      "/usr/bin/python3 /usr/sbin/opensnoop-bpfcc -b 256 -T");
	check("tetragon", 16, "tetragon|--rb-size=64K|--quiet|",
	      "tetragon --rb-size=1M --quiet");
}

TEST(test_adds_the_size)
{
	check("perf", 128, "perf|record|-a|", "perf record -m 256 -a");
	check("perf", 128, "perf|sched|record|", "perf sched record -m 256");
	check("perf", 128, "perf|trace|record|-a|",
	      "perf trace record -m 256 -a");
	check("perf", 128, "perf|kvm|stat|live|-p|1|",
	      "perf kvm stat live -m 256 -p 1");
	check("lo2s", 16, "lo2s|-A|", "lo2s -m 256 -A");
	check("opensnoop-bpfcc", 64, "python3|/usr/sbin/opensnoop-bpfcc|",
	      "python3 /usr/sbin/opensnoop-bpfcc -b 256");
	check("bpftrace", 64, "bpftrace|-e|BEGIN {}|",
	      "BPFTRACE_PERF_RB_PAGES=256 bpftrace -e 'BEGIN {}'");
}

/* Numbers of the command that perf starts are not its ring's. */
TEST(test_leaves_other_programs_alone)
{
	check("perf", 128, "perf|record|gcc|-m|32|a.c|",
	      "perf record -m 256 gcc -m 32 a.c");
	check("perf", 32, "perf|record|--|gcc|-m|32|",
	      "perf record -m 256 -- gcc -m 32");
	check("perf", 8, "perf|record|-m|8|--|sort|-m|8|",
	      "perf record -m 256 -- sort -m 8");
}

/* Of tcpdump, in KiB; another spelling may come later and count. */
TEST(test_packet)
{
	struct ring_row row = ring_of("tcpdump", 16);

	row.kind = RING_PACKET;
	check_row(&row, "tcpdump|-i|lo|", "tcpdump -B 1024 -i lo");
	check_row(&row, "tcpdump|-i|lo|-B|64|", "tcpdump -i lo -B 1024");
	check_row(&row, "tcpdump|-B64|", "tcpdump -B1024");
	check_row(&row, "tcpdump|--buffer-size=64|",
		  "tcpdump --buffer-size=1024");
	check_row(&row, "tcpdump|--buf|64|", "");
	check_row(&row, "tcpdump|-nB|64|", "");
}

/* What the shell makes of it is what is shown. */
TEST(test_quotes)
{
	check("perf", 8, "perf|record|-m|8|-e|{a,b}:S|--|sh|-c|a; $b|it's||",
	      "perf record -m 256 -e '{a,b}:S' -- sh -c 'a; $b' "
	      "'it'\\''s' ''");
	/* a program, no variable */
	check("perf", 128, "A=b|record|", "'A=b' record -m 256");
	check("lo2s", 16, "lo2s|=x|", "lo2s -m 256 '=x'");
}

/* No command, rather than one that may be wrong or not what it seems. */
TEST(test_refuses)
{
	struct ring_row bpf = ring_of("perf", 8);
	char argv[HOST_REMEDY_ARGV], got[HOST_REMEDY_COMMAND];
	char line[HOST_REMEDY_ARGV + 1] = "perf|record|";

	check("perf", 8, "perf|--debug|x|record|", "");
	check("perf", 8, "perf|timechart|record|", "");	/* has no -m */
	/* the last one counts */
	check("perf", 8, "perf|record|-am|8|", "");
	check("perf", 8, "perf|record|-a|-m|16|", "");
	check("perf", 8, "perf|record|--mmap|8|", "");
	check("perf", 8, "perf|record|\033]0;x\a|", "");
	check("perf", 8, "perf|record|a\nb|", "");
	check("perf", 8, "perf|record|\xe2\x80\xae|", "");
	check("python3", 8, "python3|a.py|", "");
	check("falco", 8, "falco|", "");
	check("perf", 8, "", "");
	/* the last argument has no end: it was changed while it was read */
	check("perf", 8, "perf|record|-a", "");
	bpf.kind = RING_BPF;	/* max_entries= is in the source */
	check_row(&bpf, "perf|record|", "");
	/* longer than what is shown */
	memset(line + strlen(line), 'x', 1100);
	strcpy(line + strlen(line), "|");
	check("perf", 8, line, "");
	/* too many arguments */
	memset(argv, 'a', sizeof(argv));
	for (size_t i = 1; i < sizeof(argv); i += 2)
		argv[i] = '\0';
	bpf = ring_of("perf", 8);
	host_remedy_command(&bpf, argv, sizeof(argv), 256, PAGE, got);
	assert_string_equal(got, "");
}

static void advise(struct ring_row *row, uint64_t pages)
{
	row->advice = (struct advice){ .valid = true, .pages = pages };
	strcpy(row->advice.setting, "-m");
}

static void tell(struct host_remedies *all, pid_t pid, const char *line)
{
	char argv[HOST_REMEDY_ARGV];
	size_t len = arguments(line, argv);

	host_remedies_set_cmdline(all, pid, argv, len);
}

/* An owner's rings have one command, for the ring that needs most. */
TEST(test_one_per_owner)
{
	struct host_remedies all = { .uid = 7 };
	struct ring_row rows[3] = {
		ring_of("perf", 8), ring_of("perf", 8), ring_of("perf", 8),
	};
	pid_t pid = 0;

	rows[2].pid = 101;
	rows[2].owner_uid = 9;
	assert_false(host_remedies_wants(&all, &pid));
	advise(&rows[0], 16);
	advise(&rows[1], 64);
	host_remedies_set(&all, rows, 3, PAGE);
	assert_true(host_remedies_wants(&all, &pid));
	assert_int_equal(pid, 100);
	assert_null(rows[1].advice.command);
	tell(&all, 100, "perf|record|-m|8|");
	assert_false(host_remedies_wants(&all, &pid));
	host_remedies_set(&all, rows, 3, PAGE);
	assert_string_equal(rows[1].advice.command, "perf record -m 64");
	assert_null(rows[0].advice.command);
	/* it is not asked again while it has rings */
	advise(&rows[0], 8);
	rows[0].advice.setting[0] = rows[1].advice.setting[0] = '\0';
	rows[1].advice.command = NULL;
	host_remedies_set(&all, rows, 3, PAGE);
	assert_null(rows[1].advice.command);
	advise(&rows[1], 32);
	host_remedies_set(&all, rows, 3, PAGE);
	assert_string_equal(rows[1].advice.command, "perf record -m 32");
	assert_false(host_remedies_wants(&all, &pid));
	/* nor when it has ended: then the command is wanted most */
	rows[0].gone = rows[1].gone = true;
	rows[1].advice.command = NULL;
	host_remedies_set(&all, rows, 3, PAGE);
	assert_string_equal(rows[1].advice.command, "perf record -m 32");
	/* a later process may get the pid */
	host_remedies_set(&all, rows + 2, 1, PAGE);
	rows[0].gone = rows[1].gone = false;
	rows[1].advice.command = NULL;
	host_remedies_set(&all, rows, 3, PAGE);
	assert_null(rows[1].advice.command);
	assert_true(host_remedies_wants(&all, &pid));
}

/* @line: what is shown of it, if it was read; NULL: it is not read. */
static void test_no_command_for(struct ring_row *row, const char *line)
{
	struct host_remedies all = { .uid = 7 };
	pid_t pid;

	host_remedies_set(&all, row, 1, PAGE);
	assert_int_equal(host_remedies_wants(&all, &pid), line != NULL);
	tell(&all, 100, "perf|record|-m|8|");
	host_remedies_set(&all, row, 1, PAGE);
	assert_null(row->advice.command);
	if (line)
		assert_string_equal(row->cmdline, line);
	else
		assert_null(row->cmdline);
	row->cmdline = NULL;
}

TEST(test_not_for_all)
{
	struct ring_row row = ring_of("perf", 8);

	advise(&row, 16);
	row.uid = 8;	/* what other users type is not run */
	test_no_command_for(&row, "perf record -m 8");
	row.uid = 7;
	row.owner_uid = 8;	/* also if ours paid for the ring */
	test_no_command_for(&row, NULL);
	row.owner_uid = 7;
	row.self = true;
	test_no_command_for(&row, "perf record -m 8");
	row.self = false;
	row.gone = true;
	test_no_command_for(&row, NULL);
	row.gone = false;
	strcpy(row.comm, "falco");
	test_no_command_for(&row, "perf record -m 8");
}

/* In one line, without bytes that a terminal interprets. */
TEST(test_line)
{
	static const char argv[] = "a\033[2J\0b c\0\xff\n\0\0\0";
	struct host_remedies all = { .uid = 7 };
	struct ring_row rows[2] = { ring_of("x", 8), ring_of("x", 8) };

	host_remedies_set(&all, rows, 1, PAGE);
	assert_null(rows[0].cmdline);
	host_remedies_set_cmdline(&all, 100, argv, sizeof(argv));
	host_remedies_set(&all, rows, 1, PAGE);
	assert_string_equal(rows[0].cmdline, "a?[2J b c ??");
	/* the ring of a later process with that pid */
	rows[0].gone = true;
	host_remedies_set(&all, rows, 1, PAGE);
	assert_string_equal(rows[0].cmdline, "a?[2J b c ??");
	rows[0].cmdline = NULL;
	host_remedies_set(&all, rows, 2, PAGE);
	host_remedies_set_cmdline(&all, 100, "later", 6);
	host_remedies_set(&all, rows, 2, PAGE);
	assert_null(rows[0].cmdline);
	assert_string_equal(rows[1].cmdline, "later");
}

/* Those with advice have room. */
TEST(test_room_for_advised)
{
	struct host_remedies all = { .uid = 7 };
	struct ring_row rows[HOST_REMEDIES + 1];
	pid_t pid;

	for (int i = 0; i <= HOST_REMEDIES; i++) {
		rows[i] = ring_of("perf", 8);
		rows[i].pid = 100 + i;
	}
	advise(&rows[HOST_REMEDIES], 16);
	host_remedies_set(&all, rows, HOST_REMEDIES + 1, PAGE);
	for (int i = 0; host_remedies_wants(&all, &pid); i++) {
		assert_true(i <= HOST_REMEDIES - HOST_REMEDIES_ADVISED);
		tell(&all, pid, "perf|record|");
	}
	host_remedies_set(&all, rows, HOST_REMEDIES + 1, PAGE);
	assert_string_equal(rows[HOST_REMEDIES].advice.command,
			    "perf record -m 16");
	assert_non_null(rows[0].cmdline);
	assert_null(rows[HOST_REMEDIES - 1].cmdline);
}

/* Further owners wait until there is room. */
TEST(test_many_owners)
{
	struct host_remedies all = { .uid = 7 };
	struct ring_row rows[HOST_REMEDIES + 1];
	pid_t pid;

	for (int i = 0; i <= HOST_REMEDIES; i++) {
		rows[i] = ring_of("perf", 8);
		rows[i].pid = 100 + i;
		advise(&rows[i], 16);
	}
	host_remedies_set(&all, rows, HOST_REMEDIES + 1, PAGE);
	for (int i = 0; i < HOST_REMEDIES; i++) {
		assert_true(host_remedies_wants(&all, &pid));
		tell(&all, pid, "perf|record|-m|8|");
	}
	assert_false(host_remedies_wants(&all, &pid));
	host_remedies_set(&all, rows, HOST_REMEDIES + 1, PAGE);
	assert_string_equal(rows[0].advice.command, "perf record -m 16");
	assert_null(rows[HOST_REMEDIES].advice.command);
	/* the first is no longer listed */
	host_remedies_set(&all, rows + 1, HOST_REMEDIES, PAGE);
	host_remedies_set(&all, rows + 1, HOST_REMEDIES, PAGE);
	assert_true(host_remedies_wants(&all, &pid));
	assert_int_equal(pid, 100 + HOST_REMEDIES);
}

TEST_GROUP(host_remedy);
