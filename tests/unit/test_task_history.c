/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records in, records out, as lines: "map 10 1000+1000@0 /bin/a", ... */
#include "tests/group.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sys.h"
#include "task/task_history.h"
#include "perf/abi/record.h"
#include "perf/abi/side_band.h"

enum {
	BYTES = 128 << 10,
	FILLER = 7777,		/* a process that is not checked */
	NOBODY = 4100001,	/* above all ids here */
	WORDS = 600,
};

struct fixture {
	struct task_history *history;
	uint64_t words[WORDS];
	size_t nr;
	uint64_t time;
	char out[16384];	/* lines of those that were given, the first
				 * where they are too many */
	pid_t only;		/* only this process; 0: all but FILLER */
	atomic_int reading;	/* 1: running, 2: done */
	pid_t child;
	size_t given;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->history = task_history_new(BYTES);
	assert_non_null(f->history);
	f->time = 1000;
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	task_history_free(f->history);
	free(f);
	return 0;
}

/* Records: words, a string, and the trailer. */

static void begin(struct fixture *f)
{
	memset(f->words, 0, sizeof(f->words));
	f->nr = 1;
}

static void word(struct fixture *f, uint64_t word)
{
	f->words[f->nr++] = word;
}

static void pair(struct fixture *f, pid_t a, pid_t b)
{
	word(f, (uint32_t)a | (uint64_t)(uint32_t)b << 32);
}

static void text(struct fixture *f, const char *text)
{
	memcpy(&f->words[f->nr], text, strlen(text));
	f->nr += strlen(text) / 8 + 1;
}

/* Pass a record decoded, as callers do, unless it cannot be. */
static void give(struct fixture *f, const void *record, size_t size)
{
	struct side_band r;

	if (!side_band_parse(record, size, &side_band_own, &r))
		task_history_record(f->history, &r, record);
}

static void end(struct fixture *f, uint32_t type, uint32_t misc)
{
	word(f, 0);
	word(f, f->time++);
	word(f, 0);
	word(f, 0);
	f->words[0] = type | (uint64_t)misc << 32 | (uint64_t)f->nr * 8 << 48;
	give(f, f->words, f->nr * 8);
}

static void comm(struct fixture *f, pid_t pid, pid_t tid, const char *name,
		 bool exec)
{
	begin(f);
	pair(f, pid, tid);
	text(f, name);
	end(f, PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
}

static void map(struct fixture *f, pid_t pid, uint64_t start, uint64_t len,
		uint64_t pgoff, const char *file)
{
	begin(f);
	pair(f, pid, pid);
	word(f, start);
	word(f, len);
	word(f, pgoff);
	pair(f, 8, 1);		/* major, minor */
	word(f, 42);		/* inode */
	word(f, 0);
	pair(f, 5, 2);		/* r-x, private */
	text(f, file);
	/* a bit without a meaning here, see side_band.h */
	end(f, PERF_RECORD_MMAP2,
	    PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID);
}

static void task(struct fixture *f, uint32_t type, pid_t pid, pid_t ppid,
		 pid_t tid, pid_t ptid)
{
	begin(f);
	pair(f, pid, ppid);
	pair(f, tid, ptid);
	word(f, f->time);
	end(f, type, 0);
}

static void fork_record(struct fixture *f, pid_t pid, pid_t ppid, pid_t tid,
			pid_t ptid)
{
	task(f, PERF_RECORD_FORK, pid, ppid, tid, ptid);
}

static void exit_record(struct fixture *f, pid_t pid, pid_t tid)
{
	task(f, PERF_RECORD_EXIT, pid, pid, tid, tid);
}

/* Add so many records that earlier ones become part of the state. */
static void fold(struct fixture *f)
{
	for (size_t bytes = 0; bytes < BYTES; bytes += 56)
		comm(f, FILLER, FILLER, "filler", false);
}

/* The output */

static void describe(const struct side_band *r, char *line, size_t size)
{
	switch (r->type) {
	case PERF_RECORD_COMM:
		snprintf(line, size, "comm %d/%d %s%s\n", r->comm.pid,
			 r->comm.tid, r->comm.comm,
			 r->comm.exec ? " exec" : "");
		break;
	case PERF_RECORD_MMAP2:
		snprintf(line, size, "map %d %llx+%llx@%llx %s\n", r->map.pid,
			 (unsigned long long)r->map.start,
			 (unsigned long long)r->map.len,
			 (unsigned long long)r->map.pgoff, r->map.name);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		snprintf(line, size, "%s %d/%d of %d/%d\n",
			 r->type == PERF_RECORD_FORK ? "fork" : "exit",
			 r->task.pid, r->task.tid, r->task.ppid,
			 r->task.ptid);
		break;
	default:
		snprintf(line, size, "%s\n", record_name(r->type));
		break;
	}
}

static pid_t pid_of(const struct side_band *r)
{
	if (r->type == PERF_RECORD_COMM)
		return r->comm.pid;
	if (r->type == PERF_RECORD_MMAP2)
		return r->map.pid;
	return r->task.pid;
}

static void add_line(struct fixture *f, bool later, const char *line)
{
	size_t used = strlen(f->out), room = sizeof(f->out) - used;
	const char *when = later ? "later: " : "";

	if (strlen(when) + strlen(line) < room)
		snprintf(f->out + used, room, "%s%s", when, line);
}

static int take(void *ctx, void *record, size_t size)
{
	static const struct side_band_layout layout = {
		.sample_type = RECORD_SAMPLE_TYPE,
		.build_ids = true,	/* the bit is valid */
	};
	struct fixture *f = ctx;
	struct side_band r;
	char line[256];

	f->given++;
	assert_int_equal((uintptr_t)record % 8, 0);
	assert_int_equal(side_band_parse(record, size, &layout, &r), 0);
	if (pid_of(&r) == FILLER || (f->only && pid_of(&r) != f->only))
		return 0;
	describe(&r, line, sizeof(line));
	add_line(f, r.time != 0, line);
	if (r.type == PERF_RECORD_MMAP2) {
		assert_true(r.map.has_inode);
		assert_true(r.map.executable);
	}
	return 0;
}

static const char *given(struct fixture *f, pid_t only)
{
	f->out[0] = '\0';
	f->only = only;
	assert_int_equal(task_history_each(f->history, take, f), 0);
	return f->out;
}

TEST(records_kept_in_order)
{
	struct fixture *f = *state;

	fork_record(f, 10, 1, 10, 1);
	comm(f, 10, 10, "app", true);
	map(f, 10, 0x1000, 0x2000, 0, "/bin/app");
	exit_record(f, 10, 10);
	assert_string_equal(given(f, 0), "later: fork 10/10 of 1/1\n"
			    "later: comm 10/10 app exec\n"
			    "later: map 10 1000+2000@0 /bin/app\n"
			    "later: exit 10/10 of 10/10\n");
}

TEST(fold_keeps_state)
{
	struct fixture *f = *state;

	comm(f, 10, 10, "app", true);
	map(f, 10, 0x1000, 0x2000, 0, "/bin/app");
	map(f, 10, 0x8000, 0x1000, 0x3000, "/lib/a.so");
	fold(f);
	assert_string_equal(given(f, 0), "comm 10/10 app\n"
			    "map 10 1000+2000@0 /bin/app\n"
			    "map 10 8000+1000@3000 /lib/a.so\n");
}

TEST(exec_clears_mappings)
{
	struct fixture *f = *state;

	map(f, 10, 0x1000, 0x2000, 0, "/bin/sh");
	comm(f, 10, 11, "thread", false);
	comm(f, 10, 10, "app", true);
	map(f, 10, 0x5000, 0x1000, 0, "/bin/app");
	/* a new name alone clears nothing */
	comm(f, 10, 10, "worker", false);
	fold(f);
	assert_string_equal(given(f, 0), "comm 10/10 worker\n"
			    "map 10 5000+1000@0 /bin/app\n");
}

TEST(mapping_replaces_overlap)
{
	struct fixture *f = *state;

	comm(f, 10, 10, "app", true);
	map(f, 10, 0x1000, 0x4000, 0, "/lib/a.so");
	map(f, 10, 0x2000, 0x1000, 0x7000, "/lib/b.so");
	fold(f);
	assert_string_equal(given(f, 0), "comm 10/10 app\n"
			    "map 10 1000+1000@0 /lib/a.so\n"
			    "map 10 2000+1000@7000 /lib/b.so\n"
			    "map 10 3000+2000@2000 /lib/a.so\n");
}

TEST(fork_inherits)
{
	struct fixture *f = *state;

	comm(f, 10, 10, "sh", true);
	map(f, 10, 0x1000, 0x1000, 0, "/bin/sh");
	fork_record(f, 20, 10, 20, 10);
	/* from here on they do not share mappings */
	map(f, 20, 0x9000, 0x1000, 0, "/lib/c.so");
	map(f, 10, 0x5000, 0x1000, 0, "/lib/p.so");
	fold(f);
	assert_string_equal(given(f, 20), "comm 20/20 sh\n"
			    "map 20 1000+1000@0 /bin/sh\n"
			    "map 20 9000+1000@0 /lib/c.so\n");
	assert_string_equal(given(f, 10), "comm 10/10 sh\n"
			    "map 10 1000+1000@0 /bin/sh\n"
			    "map 10 5000+1000@0 /lib/p.so\n");
}

TEST(threads_of_process)
{
	struct fixture *f = *state;

	comm(f, 10, 10, "app", true);
	map(f, 10, 0x1000, 0x1000, 0, "/bin/app");
	fork_record(f, 10, 10, 11, 10);
	comm(f, 10, 11, "worker", false);
	fold(f);
	assert_string_equal(given(f, 0), "comm 10/10 app\n"
			    "map 10 1000+1000@0 /bin/app\n"
			    "fork 10/11 of 10/10\n"
			    "comm 10/11 worker\n");
}

TEST(process_kept_until_last_thread)
{
	struct fixture *f = *state;

	comm(f, 10, 10, "app", true);
	map(f, 10, 0x1000, 0x1000, 0, "/bin/app");
	fork_record(f, 10, 10, 11, 10);
	exit_record(f, 10, 10);
	fold(f);
	assert_string_equal(given(f, 0), "comm 10/10 app\n"
			    "map 10 1000+1000@0 /bin/app\n"
			    "fork 10/11 of 10/10\n"
			    "comm 10/11 app\n");
	exit_record(f, 10, 11);
	fold(f);
	assert_string_equal(given(f, 0), "");
}

TEST(pid_reused)
{
	struct fixture *f = *state;

	comm(f, 10, 10, "old", true);
	map(f, 10, 0x1000, 0x1000, 0, "/bin/old");
	fork_record(f, 10, 10, 11, 10);
	comm(f, 30, 30, "sh", true);
	/* its EXIT was lost */
	fork_record(f, 10, 30, 10, 30);
	/* and so was that of a thread whose id is in another process now */
	fork_record(f, 30, 30, 11, 30);
	fold(f);
	assert_string_equal(given(f, 10), "comm 10/10 sh\n");
	assert_string_equal(given(f, 30), "comm 30/30 sh\n"
			    "fork 30/11 of 30/30\n"
			    "comm 30/11 sh\n");
}

TEST(folded_records_first)
{
	struct fixture *f = *state;

	comm(f, 10, 10, "app", true);
	fold(f);
	map(f, 10, 0x1000, 0x1000, 0, "/bin/app");
	exit_record(f, 10, 10);
	assert_string_equal(given(f, 0), "comm 10/10 app\n"
			    "later: map 10 1000+1000@0 /bin/app\n"
			    "later: exit 10/10 of 10/10\n");
}

TEST(deleted_files_marked)
{
	struct fixture *f = *state;

	comm(f, 10, 10, "app", true);
	map(f, 10, 0x1000, 0x1000, 0, "/tmp/x (deleted)");
	map(f, 10, 0x3000, 0x1000, 0, "//anon");
	map(f, 10, 0x5000, 0x1000, 0, "[vdso]");
	fold(f);
	assert_string_equal(given(f, 0), "comm 10/10 app\n"
			    "map 10 1000+1000@0 /tmp/x (deleted)\n"
			    "map 10 3000+1000@0 //anon\n"
			    "map 10 5000+1000@0 [vdso]\n");
}

TEST(other_records_ignored)
{
	struct fixture *f = *state;

	begin(f);
	end(f, PERF_RECORD_SWITCH, 0);
	begin(f);
	word(f, 1);
	end(f, PERF_RECORD_SAMPLE, 0);
	assert_string_equal(given(f, 0), "");
	assert_true(task_history_keeps(PERF_RECORD_MMAP2));
	assert_true(task_history_keeps(PERF_RECORD_KSYMBOL));
	assert_false(task_history_keeps(PERF_RECORD_SWITCH));
	assert_false(task_history_keeps(PERF_RECORD_AUX));
	assert_false(task_history_keeps(PERF_RECORD_SAMPLE));
}

TEST(invalid_records_ignored)
{
	struct fixture *f = *state;
	uint64_t words[8] = { 0 };

	/* truncated, of an odd size, without the NUL of its name */
	words[0] = PERF_RECORD_COMM | UINT64_C(64) << 48;
	give(f, words, 16);
	words[0] = PERF_RECORD_COMM | UINT64_C(63) << 48;
	give(f, words, 64);
	give(f, words, 4);
	memset(words + 2, 'x', 16);
	words[0] = PERF_RECORD_COMM | UINT64_C(64) << 48;
	give(f, words, 64);
	assert_string_equal(given(f, 0), "");
}

static int refuse(void *ctx, void *record, size_t size)
{
	int *calls = ctx;

	(void)record;
	(void)size;
	return ++*calls == 2 ? -ENOSPC : 0;
}

TEST(each_stopped_by_callback)
{
	struct fixture *f = *state;
	int calls = 0;

	for (int i = 0; i < 5; i++)
		comm(f, 10, 10, "app", false);
	assert_int_equal(task_history_each(f->history, refuse, &calls),
			 -ENOSPC);
	assert_int_equal(calls, 2);
}

/* Old names of files make room for new ones. */
TEST(names_renewed)
{
	struct fixture *f = *state;
	struct task_history_stats stats;
	char file[64];

	for (int i = 0; i < 20000; i++) {
		comm(f, 10, 10, "app", true);
		snprintf(file, sizeof(file), "/tmp/build/object-%032d.so", i);
		map(f, 10, 0x1000, 0x1000, 0, file);
	}
	fold(f);
	assert_string_equal(given(f, 0), "comm 10/10 app\n"
			    "map 10 1000+1000@0 /tmp/build/object-"
			    "00000000000000000000000000019999.so\n");
	task_history_stats(f->history, &stats);
	assert_int_equal(stats.dropped, 0);
}

TEST(state_bounded)
{
	struct fixture *f = *state;
	struct task_history_stats stats;

	for (pid_t pid = 10000; pid < 20000; pid++)
		comm(f, pid, pid, "many", false);
	fold(f);
	task_history_stats(f->history, &stats);
	assert_in_range(stats.processes, 100, 5000);
	assert_true(stats.dropped >= 10000 - stats.processes);
	assert_int_equal(stats.limit, 2 * BYTES);
	/* exited processes make room */
	for (pid_t pid = 10000; pid < 20000; pid++)
		exit_record(f, pid, pid);
	comm(f, 10, 10, "app", false);
	fold(f);
	assert_string_equal(given(f, 0), "comm 10/10 app\n");
}

/* With /proc of this machine: this process, with a named thread. */

struct named {
	pthread_t thread;
	pid_t tid;
	int go[2];
};

static void *wait_named(void *arg)
{
	struct named *n = arg;
	char byte;

	prctl(PR_SET_NAME, "a-thread");
	n->tid = sys_gettid();
	assert_int_equal(write(n->go[1], "", 1), 1);
	while (read(n->go[0], &byte, 1) == 1 && byte != 'x')
		;
	return NULL;
}

static void start_named(struct named *n)
{
	int ready[2], go[2];
	char byte;

	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(go), 0);
	n->go[0] = go[0];
	n->go[1] = ready[1];
	assert_int_equal(pthread_create(&n->thread, NULL, wait_named, n), 0);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	n->go[1] = go[1];
}

static void stop_named(struct named *n)
{
	assert_int_equal(write(n->go[1], "x", 1), 1);
	pthread_join(n->thread, NULL);
	close(n->go[0]);
	close(n->go[1]);
}

TEST(proc_read_at_start)
{
	struct fixture *f = *state;
	pid_t self = getpid();
	char line[128], exe[512];
	struct named n;
	ssize_t len;

	start_named(&n);
	comm(f, self, self, "stale", true);
	assert_int_equal(task_history_read_proc(f->history, &self, 1), 0);
	stop_named(&n);
	given(f, 0);
	/* earlier state is replaced */
	assert_null(strstr(f->out, "stale"));
	snprintf(line, sizeof(line), "comm %d/%d a-thread\n", self, n.tid);
	assert_non_null(strstr(f->out, line));
	snprintf(line, sizeof(line), "fork %d/%d of %d/%d\n", self, n.tid,
		 self, self);
	assert_non_null(strstr(f->out, line));
	len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	assert_true(len > 0);
	exe[len] = '\0';
	assert_non_null(strstr(f->out, exe));
	assert_non_null(strstr(f->out, " [vdso]\n"));
}

TEST(proc_read_all_without_pids)
{
	struct fixture *f = *state;
	struct task_history_stats stats;
	pid_t child = fork();

	if (!child) {
		pause();
		_exit(0);
	}
	task_history_free(f->history);
	f->history = task_history_new(64 << 20);
	assert_int_equal(task_history_read_proc(f->history, NULL, 0), 0);
	task_history_stats(f->history, &stats);
	assert_true(stats.processes >= 2);
	assert_non_null(strstr(given(f, child), "comm"));
	assert_non_null(strstr(given(f, getpid()), "comm"));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* The target processes have children by then. */
TEST(reread_follows_children)
{
	struct fixture *f = *state;
	pid_t self = getpid(), child;

	assert_int_equal(task_history_read_proc(f->history, &self, 1), 0);
	child = fork();
	if (!child) {
		prctl(PR_SET_NAME, "a-child");
		pause();
		_exit(0);
	}
	fork_record(f, child, self, child, self);
	while (!strstr(given(f, child), "a-child")) {
		fork_record(f, child, self, child, self);
		assert_int_equal(task_history_reread(f->history), 0);
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert_int_equal(task_history_reread(f->history), 0);
	assert_string_equal(given(f, child), "");
	assert_non_null(strstr(given(f, self), "comm"));
}

/* Read the child, and then this process, so often that it takes a while. */
static void *read_long(void *arg)
{
	enum { TIMES = 3000 };
	struct fixture *f = arg;
	pid_t pids[TIMES];

	pids[0] = f->child;
	for (int i = 1; i < TIMES; i++)
		pids[i] = getpid();
	atomic_store(&f->reading, 1);
	assert_int_equal(task_history_read_proc(f->history, pids, TIMES), 0);
	atomic_store(&f->reading, 2);
	return NULL;
}

/*
 * A child of this process; its records say that it is of another, unknown
 * process.
 */
static pid_t start_child(struct fixture *f)
{
	pid_t child = fork();

	if (!child) {
		pause();
		_exit(0);
	}
	assert_true(child > 0);
	f->time = sys_now_ns();
	fork_record(f, child, NOBODY, child, NOBODY);
	return child;
}

static void end_child(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/*
 * Map in @child while /proc is read; returns how many mappings came meanwhile.
 */
static size_t change_while_read(struct fixture *f, pid_t child)
{
	pid_t self = getpid();
	pthread_t thread;
	size_t nr = 0;

	atomic_store(&f->reading, 0);
	assert_int_equal(pthread_create(&thread, NULL, read_long, f), 0);
	while (!atomic_load(&f->reading))
		;
	while (atomic_load(&f->reading) == 1) {
		f->time = 1000;
		fork_record(f, self, NOBODY, self, NOBODY);
		f->time = sys_now_ns();
		map(f, child, (nr++ + 1) % 100 << 16, 0x1000, 0, "/x");
		usleep(500);
	}
	pthread_join(thread, NULL);
	return nr;
}

/*
 * Changes while /proc is read may be of a process that was read before them:
 * they are kept, but not changes from before its reading.
 */
TEST(records_during_read_kept)
{
	struct fixture *f = *state;
	pid_t self = getpid(), child;
	size_t kept = 0;

	child = f->child = start_child(f);
	/* this thread may get no CPU while the other reads */
	for (int tries = 0; change_while_read(f, child) < 20; tries++)
		assert_true(tries < 60);
	given(f, child);
	for (const char *at = f->out; (at = strstr(at, "later: map")); at++)
		kept++;
	end_child(child);
	assert_true(kept > 3);
	assert_null(strstr(given(f, self), "later: fork"));
}

/*
 * Through a queue, records come after /proc was read, which already has their
 * changes.
 */
TEST(late_records_ignored)
{
	struct fixture *f = *state;
	pid_t child = start_child(f);
	uint64_t before = sys_now_ns();

	assert_int_equal(task_history_read_proc(f->history, &child, 1), 0);
	f->time = before;
	fork_record(f, child, NOBODY, child, NOBODY);
	f->time = before;
	comm(f, child, child, "older", true);
	fold(f);
	assert_non_null(strstr(given(f, child), "map"));
	assert_null(strstr(f->out, "older"));
	/* the id is used by another process now */
	f->time = sys_now_ns();
	fork_record(f, child, NOBODY, child, NOBODY);
	comm(f, child, child, "newer", false);
	assert_non_null(strstr(given(f, child), "later: fork"));
	f->time = sys_now_ns();
	fold(f);
	given(f, child);
	assert_null(strstr(f->out, "map"));
	assert_non_null(strstr(f->out, "newer"));
	end_child(child);
}

/* The target has a child by the time it is read. */
TEST(reread_known_processes)
{
	struct fixture *f = *state;
	pid_t self = getpid(), child = start_child(f);

	assert_int_equal(task_history_read_proc(f->history, &self, 1), 0);
	assert_non_null(strstr(given(f, child), "map"));
	assert_null(strstr(f->out, "later"));
	end_child(child);
}

TEST(stats_read_ns)
{
	const struct perf_clock unknown = { .unknown = true };
	struct fixture *f = *state;
	struct task_history_stats stats;
	uint64_t before = sys_now_ns();
	pid_t self = getpid();

	task_history_stats(f->history, &stats);
	assert_int_equal(stats.read_ns, 0);
	assert_int_equal(task_history_read_proc(f->history, &self, 1), 0);
	task_history_stats(f->history, &stats);
	assert_in_range(stats.read_ns, before, sys_now_ns());
	/* with an unknown clock, times of records cannot be compared */
	task_history_clock(f->history, unknown);
	assert_int_equal(task_history_reread(f->history), 0);
	task_history_stats(f->history, &stats);
	assert_int_equal(stats.read_ns, 0);
	comm(f, self, self, "older", false);
	assert_non_null(strstr(given(f, self), "later: comm"));
}

TEST(limit_raised_for_many_processes)
{
	enum { MANY = 100 };
	struct fixture *f = *state;
	struct task_history_stats stats;
	pid_t pids[MANY];

	for (int i = 0; i < MANY; i++)
		pids[i] = getpid();
	assert_int_equal(task_history_read_proc(f->history, pids, MANY), 0);
	task_history_stats(f->history, &stats);
	assert_true(stats.limit >= BYTES + MANY * 32 * 1024);
	assert_int_equal(stats.dropped, 0);
}

TEST(read_failure_keeps_state)
{
	struct fixture *f = *state;
	pid_t missing = 1 << 30;

	comm(f, NOBODY, NOBODY, "app", false);
	assert_int_equal(task_history_read_proc(f->history, &missing, 1),
			 -ENOENT);
	sys_fail_at(SYS_SCANDIR, 1, EACCES);
	assert_int_equal(task_history_read_proc(f->history, NULL, 0), -ENOENT);
	assert_string_equal(given(f, 0), "comm 4100001/4100001 app\n");
}

TEST_GROUP(task_history, .each_setup = setup, .each_teardown = teardown);
