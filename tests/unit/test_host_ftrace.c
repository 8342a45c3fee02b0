/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "fake_tree.h"
#include "host/host_ftrace.h"
#include "host/table/host.h"

/* Of Linux 6.18: a buffer of 67K after dd, and one with another clock. */
static const char full[] =
	"entries: 1373\n"
	"overrun: 78877\n"
	"commit overrun: 3\n"
	"bytes: 66692\n"
	"oldest event ts: 15845.139883\n"
	"now ts: 15845.143030\n"
	"dropped events: 0\n"
	"read events: 12\n";
static const char counter[] =
	"entries: 1430\n"
	"overrun: 0\n"
	"commit overrun: 0\n"
	"bytes: 69360\n"
	"oldest event ts: 2\n"
	"now ts: 81453\n"
	"dropped events: 79395\n"
	"read events: 0\n";
static const char empty[] =
	"entries: 0\noverrun: 0\ncommit overrun: 0\nbytes: 0\n"
	"oldest event ts:     0.000000\nnow ts: 15420.953369\n"
	"dropped events: 0\nread events: 0\n";

TEST(stats_are_parsed)
{
	struct host_ftrace_stats stats;

	assert_true(host_ftrace_parse(full, &stats));
	assert_int_equal(stats.entries, 1373);
	assert_int_equal(stats.overrun, 78877);
	assert_int_equal(stats.commit_overrun, 3);
	assert_int_equal(stats.bytes, 66692);
	assert_int_equal(stats.dropped, 0);
	assert_int_equal(stats.read, 12);
	assert_true(host_ftrace_parse(counter, &stats));
	assert_int_equal(stats.overrun, 0);
	assert_int_equal(stats.dropped, 79395);
}

TEST(other_texts_are_refused)
{
	static const char *const texts[] = {
		"", "\n", "entries: 1\n", "entries:\noverrun: 0\n",
		"entries: x\noverrun: 0\ncommit overrun: 0\nbytes: 0\n"
		"dropped events: 0\nread events: 0\n",
		/* too large */
		"entries: 99999999999999999999\noverrun: 0\ncommit overrun: 0\n"
		"bytes: 0\ndropped events: 0\nread events: 0\n",
		/* "commit overrun" is another line */
		"entries: 1\ncommit overrun: 0\nbytes: 0\ndropped events: 0\n"
		"read events: 0\n",
		"entries: 1 \033[2J\noverrun: 0\ncommit overrun: 0\nbytes: 0\n"
		"dropped events: 0\nread events: 0\n",
	};
	struct host_ftrace_stats stats;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_false(host_ftrace_parse(texts[i], &stats));
}

/* Before Linux 6.6 the bytes that were read are not all subtracted. */
TEST(negative_numbers_are_none)
{
	struct host_ftrace_stats stats;

	assert_true(host_ftrace_parse("entries: -3\noverrun: 1\n"
				      "commit overrun: 0\nbytes: -4080\n"
				      "dropped events: 0\nread events: 7",
				      &stats));
	assert_int_equal(stats.entries, 0);
	assert_int_equal(stats.bytes, 0);
	assert_int_equal(stats.read, 7);
}

TEST(files_that_take_events)
{
	static const struct {
		const char *link, *instance;
		int cpu;
	} links[] = {
		{ "/t/trace_pipe", "", -1 },
		{ "/t/per_cpu/cpu3/trace_pipe_raw", "", 3 },
		{ "/t/instances/a b/trace_pipe", "a b", -1 },
		{ "/t/instances/x/per_cpu/cpu511/trace_pipe", "x", 511 },
	};
	static const char *const others[] = {
		"/t/trace", "/t/trace_pipe (deleted)", "/x/trace_pipe", "/t",
		"/t/instances/trace_pipe", "/t/instances//trace_pipe",
		"/t/per_cpu/cpu/trace_pipe", "/t/per_cpu/cpu-1/trace_pipe",
		"/t/per_cpu/cpu1x/trace_pipe", "/ttrace_pipe", "",
		"/t/instances/x/y/trace_pipe", "/t/per_cpu/cpu0/snapshot_raw",
	};
	char instance[256], link[600] = "/t/instances/";
	int cpu;

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		assert_true(host_ftrace_link(links[i].link, "/t", instance,
					     &cpu));
		assert_string_equal(instance, links[i].instance);
		assert_int_equal(cpu, links[i].cpu);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(host_ftrace_link(others[i], "/t", instance,
					      &cpu));
	memset(link + strlen(link), 'n', 256);
	strcat(link, "/trace_pipe");
	assert_false(host_ftrace_link(link, "/t", instance, &cpu));
}

/* A tracefs and a proc. */

struct rig {
	struct fake_tree tracefs, proc;
	struct host_ftrace *ftrace;
	struct host_pass pass;
	struct err err;
	double now;
};

static int make(void **state)
{
	static struct rig rig;

	rig = (struct rig){ .now = 100 };
	fake_tree_init(&rig.tracefs);
	fake_tree_init(&rig.proc);
	fake_tree_write(&rig.proc, "self-is-no-process/maps", "");
	rig.ftrace = host_ftrace_new(rig.tracefs.root, rig.proc.root);
	assert_non_null(rig.ftrace);
	*state = &rig;
	return 0;
}

static int unmake(void **state)
{
	struct rig *rig = *state;

	host_ftrace_free(rig->ftrace);
	host_pass_free(&rig->pass);
	fake_tree_free(&rig->tracefs);
	fake_tree_free(&rig->proc);
	return 0;
}

/* @dir: "" or "instances/NAME/" */
static void put(struct rig *rig, const char *dir, const char *file,
		const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s%s", dir, file);
	fake_tree_write(&rig->tracefs, path, text);
}

static void put_instance(struct rig *rig, const char *dir, const char *on,
			 const char *stats)
{
	put(rig, dir, "tracing_on", on);
	put(rig, dir, "buffer_size_kb", "67\n");
	put(rig, dir, "options/overwrite", "1\n");
	put(rig, dir, "events/enable", "X\n");
	put(rig, dir, "per_cpu/cpu1/buffer_size_kb", "67\n");
	put(rig, dir, "per_cpu/cpu1/stats", stats);
}

static void put_reader(struct rig *rig, int pid, const char *link)
{
	char path[64], target[512];

	snprintf(path, sizeof(path), "%d/status", pid);
	fake_tree_write(&rig->proc, path, "Name:\tcat\nUid:\t7\t0\t0\t0\n"
			"CapEff:\t0000000000000000\n");
	snprintf(path, sizeof(path), "%d/fd/5", pid);
	snprintf(target, sizeof(target), "%s/%s", rig->tracefs.root, link);
	fake_tree_link(&rig->proc, path, target);
}

/* After @seconds, the only buffer; NULL: none. */
static const struct host_pass_ring *look(struct rig *rig, double seconds)
{
	host_pass_clear(&rig->pass);
	rig->pass.mono = rig->now += seconds;
	if (host_ftrace_read(rig->ftrace, &rig->pass, &rig->err))
		fail_msg("%s", rig->err.text);
	assert_true(rig->pass.nr_rings <= 1);
	return rig->pass.nr_rings ? rig->pass.rings : NULL;
}

TEST(buffers_in_use)
{
	struct rig *rig = *state;
	const struct host_pass_ring *ring;

	put_instance(rig, "", "1\n", empty);
	assert_null(look(rig, 0));
	assert_true(rig->pass.parts & HOST_FTRACE);
	/* not again within a second */
	assert_null(look(rig, 0.5));
	assert_false(rig->pass.parts & HOST_FTRACE);
	put_instance(rig, "instances/x\033y/", "1\n", full);
	ring = look(rig, 1);
	assert_non_null(ring);
	assert_int_equal(ring->kind, RING_FTRACE);
	assert_string_equal(ring->ftrace.instance, "x?y");
	assert_int_equal(ring->ftrace.cpu, 1);
	assert_int_equal(ring->size, 67 * 1024);
	assert_int_equal(ring->head - ring->tail, 66692);
	/* nobody reads it now: only that is lost */
	assert_true(ring->overwrite);
	assert_int_equal(ring->lost_in_all, 3);
	put_instance(rig, "instances/x\033y/", "0\n", full);
	assert_null(look(rig, 1));
}

/* What an earlier trace has left is listed once something comes, or is read. */
TEST(buffers_left)
{
	struct rig *rig = *state;

	put_instance(rig, "", "1\n", full);
	put(rig, "", "events/enable", "0\n");
	put(rig, "", "current_tracer", "nop\n");
	assert_null(look(rig, 0));
	assert_null(look(rig, 1));
	put(rig, "", "current_tracer", "function\n");
	assert_non_null(look(rig, 1));
	put(rig, "", "current_tracer", "nop\n");
	assert_non_null(look(rig, 1));
	put(rig, "", "per_cpu/cpu1/stats", empty);
	assert_null(look(rig, 1));
	put(rig, "", "per_cpu/cpu1/stats", full);
	assert_non_null(look(rig, 1));
	put(rig, "", "per_cpu/cpu1/stats", empty);
	assert_null(look(rig, 1));
	put_reader(rig, 42, "trace_pipe");
	assert_non_null(look(rig, 10));
}

TEST(buffers_never_used)
{
	struct rig *rig = *state;

	put_instance(rig, "", "1\n", full);
	put(rig, "", "buffer_size_kb", "7 (expanded: 1408)\n");
	assert_null(look(rig, 0));
	put(rig, "", "buffer_size_kb", "67\n");
	assert_non_null(look(rig, 1));
	put(rig, "", "per_cpu/cpu1/buffer_size_kb", "-67\n");
	assert_null(look(rig, 1));
}

/* With a reader, what was overwritten is lost. */
TEST(a_reader)
{
	struct rig *rig = *state;
	const struct host_pass_ring *ring;
	char path[300];

	put(rig, "", "tracing_on", "0\n");
	put_instance(rig, "instances/a/", "1\n", full);
	put_reader(rig, 42, "instances/a/trace_pipe");
	put_reader(rig, 43, "instances/b/trace_pipe");
	put_reader(rig, 44, "instances/a/per_cpu/cpu0/trace_pipe_raw");
	put_reader(rig, 45, "instances/a/trace");
	ring = look(rig, 0);
	assert_non_null(ring);
	assert_false(ring->overwrite);
	assert_int_equal(ring->lost_in_all, 78880);
	assert_int_equal(rig->pass.nr_holders, 1);
	assert_int_equal(rig->pass.holders[0].pid, 42);
	assert_int_equal(rig->pass.holders[0].uid, 7);
	assert_string_equal(rig->pass.holders[0].comm, "cat");
	assert_true(rig->pass.holders[0].ring == ring->key);
	/* it ends: noticed at the next look, whatever it read before */
	put(rig, "instances/a/", "per_cpu/cpu1/stats",
	    "entries: 1373\noverrun: 78877\ncommit overrun: 3\n"
	    "bytes: 66692\ndropped events: 0\nread events: 20\n");
	snprintf(path, sizeof(path), "%s/42/fd/5", rig->proc.root);
	assert_int_equal(unlink(path), 0);
	ring = look(rig, 1);
	assert_true(ring->overwrite);
	assert_int_equal(ring->lost_in_all, 78880);
	assert_int_equal(rig->pass.nr_holders, 0);
}

static void write_stats(struct rig *rig, unsigned int entries,
			unsigned int overrun, unsigned int dropped,
			unsigned int read)
{
	char text[256];

	snprintf(text, sizeof(text), "entries: %u\noverrun: %u\n"
		 "commit overrun: 0\nbytes: %u\ndropped events: %u\n"
		 "read events: %u\n", entries, overrun, entries * 48, dropped,
		 read);
	put(rig, "", "per_cpu/cpu1/stats", text);
}

/* A reader that cannot be seen, as it is in another pid namespace. */
TEST(an_unseen_reader)
{
	struct rig *rig = *state;
	const struct host_pass_ring *ring;
	uint64_t head, reads;

	put_instance(rig, "", "1\n", empty);
	write_stats(rig, 1000, 50, 0, 10);
	ring = look(rig, 0);
	assert_true(ring->overwrite);
	assert_int_equal(ring->lost_in_all, 0);
	head = ring->head;
	reads = ring->ftrace.reads;
	write_stats(rig, 1000, 60, 0, 30);
	ring = look(rig, 1);
	assert_false(ring->overwrite);
	assert_int_equal(ring->lost_in_all, 60);
	assert_int_equal(ring->head - head, 20 * 48);
	assert_int_equal(ring->ftrace.reads - reads, 20);
	/* for 10 seconds */
	write_stats(rig, 1000, 70, 0, 30);
	ring = look(rig, 9);
	assert_false(ring->overwrite);
	assert_int_equal(ring->lost_in_all, 70);
	head = ring->head;
	write_stats(rig, 1000, 80, 0, 30);
	ring = look(rig, 9);
	assert_true(ring->overwrite);
	assert_int_equal(ring->lost_in_all, 70);
	/* then all that comes counts as written */
	write_stats(rig, 1000, 90, 0, 30);
	head = ring->head;
	ring = look(rig, 1);
	assert_int_equal(ring->head - head, 10 * 48);
}

/* Without overwriting, what does not fit is dropped; and a buffer cleared. */
TEST(dropped_events)
{
	struct rig *rig = *state;
	const struct host_pass_ring *ring;
	uint64_t head;

	put_instance(rig, "", "1\n", counter);
	put(rig, "", "options/overwrite", "0\n");
	ring = look(rig, 0);
	assert_false(ring->overwrite);
	assert_int_equal(ring->lost_in_all, 79395);
	assert_int_equal(ring->head - ring->tail, 67 * 1024);
	head = ring->head;
	write_stats(rig, 10, 0, 7, 0);
	ring = look(rig, 1);
	assert_int_equal(ring->lost_in_all, 79395 + 7);
	assert_true(ring->head >= head);
	assert_int_equal(ring->head - ring->tail, 480);
}

/* What was dropped for an earlier reader is nobody's loss, nor a later one's. */
TEST(dropped_before)
{
	struct rig *rig = *state;
	const struct host_pass_ring *ring;

	put_instance(rig, "", "1\n", counter);
	ring = look(rig, 0);
	assert_true(ring->overwrite);
	assert_int_equal(ring->lost_in_all, 0);
	assert_int_equal(ring->head - ring->tail, 67 * 1024);
	put_reader(rig, 42, "trace_pipe");
	ring = look(rig, 10);
	assert_false(ring->overwrite);
	assert_int_equal(ring->lost_in_all, 0);
	put(rig, "", "options/overwrite", "0\n");
	write_stats(rig, 10, 0, 79395 + 7, 0);
	ring = look(rig, 1);
	assert_int_equal(ring->lost_in_all, 7);
}

TEST(without_access)
{
	struct rig *rig = *state;

	rig->pass.mono = 1;
	assert_int_equal(host_ftrace_read(rig->ftrace, &rig->pass, &rig->err),
			 -ENOENT);
	assert_non_null(strstr(rig->err.text, "try sudo rbtop"));
	assert_false(rig->pass.parts & HOST_FTRACE);
	assert_int_equal(rig->pass.nr_rings, 0);
}

TEST_GROUP(host_ftrace, .each_setup = make, .each_teardown = unmake);
