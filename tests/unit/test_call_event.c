/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which event samples the calls of a function, in which file and at which
 * address.  Programs are compiled here; /proc and tracefs are made of plain
 * files.
 */
#include "tests/group.h"

#include <linux/hw_breakpoint.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "perf/event/event_spec.h"
#include "trace/call/call_event.h"
#include "base/err.h"
#include "elf_rig.h"

enum { PID = 42, OTHER = 43 };

#define LOADED 0x7f1200000000ULL
#define LOADED_ELSEWHERE 0x7f5600000000ULL

static struct event_spec first = { .name = "cpu-clock" };
static const struct event_list events = { .specs = &first, .nr = 1 };
static pid_t pids[] = { PID, OTHER };
static const struct target machine = { .mode = TARGET_SYSTEM };
static const struct target task = { .mode = TARGET_TASKS, .inherit = true,
				    .pids = pids, .nr_pids = 1 };
static const struct target tasks = { .mode = TARGET_TASKS, .inherit = true,
				     .pids = pids, .nr_pids = 2 };
static const struct target alone = { .mode = TARGET_TASKS,
				     .pids = pids, .nr_pids = 1 };
static const struct target threads = { .mode = TARGET_THREADS,
				       .pids = pids, .nr_pids = 1 };
static const struct target of_user = { .mode = TARGET_TASKS, .by_uid = true };

static struct err err;

/* Add process @pid, which has all of @program mapped at @start. */
static void add_process(int pid, const char *program, uint64_t start)
{
	char path[64], text[700];
	struct stat st;

	assert_int_equal(stat(at(program), &st), 0);
	snprintf(path, sizeof(path), "proc/%d/exe", pid);
	fake_tree_link(&tree, path, at(program));
	snprintf(path, sizeof(path), "proc/%d/maps", pid);
	snprintf(text, sizeof(text), "%llx-%llx r-xp 00000000 %x:%x %llu %s\n",
		 (unsigned long long)start,
		 (unsigned long long)start + 0x100000, major(st.st_dev),
		 minor(st.st_dev), (unsigned long long)st.st_ino, at(program));
	fake_tree_write(&tree, path, text);
}

/* Add the tracepoint that the kernel would make for a probe of that name. */
static void add_tracepoint(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "tracing/events/rbtop_%d/%s/id", getpid(),
		 name);
	fake_tree_write(&tree, path, "777\n");
}

static int make(void **state)
{
	int ret = set_up(state);

	fake_tree_write(&tree, "kallsyms",
			"ffffffff81000000 T do_exit\n"
			"ffffffff81000100 t twice\n"
			"ffffffff81000200 t twice\n");
	fake_tree_write(&tree, "pmus/uprobe/type", "8\n");
	fake_tree_write(&tree, "tracing/uprobe_events", "");
	add_tracepoint("alpha");
	add_tracepoint("app__beta");
	if (no_compiler)
		return ret;
	no_compiler = !run("gcc -O2 -no-pie -o fixed a.c && "
			   "mkdir bin && cp full bin/command");
	add_process(PID, "full", LOADED);
	add_process(OTHER, "full", LOADED_ELSEWHERE);
	return ret;
}

static struct call_event_env env_here(bool privileged)
{
	return (struct call_event_env){
		.pmus = at("pmus"),
		.proc = at("proc"),
		.kallsyms = at("kallsyms"),
		.tracefs = privileged ? at("tracing") : NULL,
		.privileged = privileged,
	};
}

static struct call_event *open_call(bool privileged, const char *text,
				    const struct target *target,
				    const char *program)
{
	struct call_event_env env = env_here(privileged);
	struct call_spec spec;

	err = (struct err){ 0 };
	assert_int_equal(call_spec_read(text, &spec, &err), 0);
	return call_event_open(&env, &spec, &events, target, program, &err);
}

/* The event that is opened; it is the second of two. */
static struct event_spec opened(bool privileged, const char *text,
				const struct target *target,
				const char *program)
{
	struct call_event *c = open_call(privileged, text, target, program);
	struct event_spec spec;

	if (!c)
		fail_msg("%s: %s", text, err.text);
	assert_int_equal(call_event_index(c), 1);
	assert_int_equal(call_event_list(c).nr, 2);
	assert_string_equal(call_event_list(c).specs[0].name, "cpu-clock");
	spec = call_event_list(c).specs[1];
	if (spec.attr.type == 8) {	/* the path is freed by the close */
		const char *path = (const char *)spec.attr.uprobe_path;

		assert_string_equal(path, at("full"));
	}
	assert_true(spec.call);
	assert_int_equal(spec.period, 1);
	assert_int_equal(spec.leader, 1);
	call_event_close(c);
	return spec;
}

static void refused(bool privileged, const char *text,
		    const struct target *target, const char *program,
		    enum err_kind kind, const char *says)
{
	struct call_event *c = open_call(privileged, text, target, program);

	assert_null(c);
	if (err.kind != kind || !strstr(err.text, says))
		fail_msg("%s: %s", text, err.text);
	assert_ptr_equal(strstr(err.text, "--snapshot-on call:"), err.text);
}

static void breaks_at(const struct event_spec *spec, uint64_t address)
{
	assert_int_equal(spec->attr.type, PERF_TYPE_BREAKPOINT);
	assert_int_equal(spec->attr.bp_type, HW_BREAKPOINT_X);
	assert_int_equal(spec->attr.bp_len, sizeof(long));
	assert_int_equal(spec->attr.bp_addr, address);
}

TEST(function_of_the_kernel)
{
	struct event_spec spec = opened(true, "call:do_exit", &machine, NULL);

	breaks_at(&spec, 0xffffffff81000000);
	assert_int_equal(spec.attr.exclude_kernel, 0);
	assert_string_equal(spec.name, "call:do_exit");
	spec = opened(true, "call:twice#2", &machine, NULL);
	breaks_at(&spec, 0xffffffff81000200);
	refused(true, "call:twice", &machine, NULL, ERR_USAGE,
		"is the name of 2 functions");
	refused(true, "call:main", &machine, NULL, ERR_USAGE,
		"no function 'main' in the kernel; to search a program or library, use call:PATH:FUNC");
}

/* Without inheritance: the uprobe PMU, which leaves no probe behind. */
TEST(uprobe_pmu)
{
	char text[600];
	const struct target *const targets[] = { &machine, &alone, &threads };
	struct event_spec spec;

	if (no_compiler)
		skip();
	snprintf(text, sizeof(text), "call:%s:alpha", at("full"));
	for (size_t i = 0; i < 3; i++) {
		spec = opened(true, text, targets[i], NULL);
		assert_int_equal(spec.attr.type, 8);
		assert_int_equal(spec.attr.probe_offset,
				 offset_of("full", "<ALPHA"));
		assert_false(spec.tracepoint);
		assert_string_equal(spec.name, "call:alpha");
	}
	snprintf(text, sizeof(text), "call:%s:0x123", at("full"));
	spec = opened(true, text, &machine, NULL);
	assert_int_equal(spec.attr.probe_offset, 0x123);
	assert_string_equal(spec.name, "call:at_0x123");
	refused(false, text, &machine, NULL, ERR_MACHINE,
		"need root or CAP_PERFMON");
}

/* All that was written to uprobe_events; to be freed. */
static char *probes(void)
{
	struct image image = image_of("tracing/uprobe_events");
	char *text = strndup((char *)image.bytes, image.size);

	free(image.bytes);
	assert_non_null(text);
	return text;
}

/* Children are followed with a tracepoint, which is removed at the end. */
TEST(probe_in_tracefs)
{
	char added[700], name[64], *text;
	struct event_spec spec;

	if (no_compiler)
		skip();
	spec = opened(true, "call:app::beta", &task, NULL);
	assert_true(spec.tracepoint);
	assert_int_equal(spec.attr.type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(spec.attr.config, 777);
	snprintf(name, sizeof(name), "rbtop_%d:app__beta", getpid());
	assert_string_equal(spec.name, name);
	*strchr(name, ':') = '/';
	snprintf(added, sizeof(added), "p:%s %s:0x%llx\n-:%s\n", name,
		 at("full"),
		 (unsigned long long)offset_of("full", "<BETA"), name);
	text = probes();
	assert_string_equal(strstr(text, "p:"), added);
	free(text);
}

/* The uprobe PMU accepts them, tracefs does not. */
TEST(odd_paths)
{
	static const char *const odd[] = { "a b", "a#b", "a(b", "a\vb" };
	char command[64], text[600];

	if (no_compiler)
		skip();
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		snprintf(command, sizeof(command), "cp full '%s'", odd[i]);
		assert_true(run(command));
		snprintf(text, sizeof(text), "call:%s:alpha", at(odd[i]));
		refused(true, text, &task, NULL, ERR_MACHINE,
			"tracefs accepts no path with a space, '#' or '('");
		call_event_close(open_call(true, text, &machine, NULL));
		assert_int_equal(err.kind, 0);
		assert_string_equal(err.text, "");
	}
}

/* Probes of dead processes are removed; a process id may be used again. */
TEST(probes_left_by_the_killed)
{
	char left[200], removed[64], *text;
	pid_t dead = fork();

	if (dead == 0)
		_exit(0);
	assert_int_equal(waitpid(dead, NULL, 0), dead);
	if (no_compiler)
		skip();
	snprintf(left, sizeof(left),
		 "p:rbtop_%d/main /bin/a:0x10\np:rbtop_1/main /bin/a:0x10\n"
		 "p:probe_a/main /bin/a:0x10\n", dead);
	fake_tree_write(&tree, "tracing/uprobe_events", left);
	opened(true, "call:alpha", &task, NULL);
	text = probes();
	snprintf(removed, sizeof(removed), "-:rbtop_%d/main\n", dead);
	assert_non_null(strstr(text, removed));
	assert_null(strstr(text, "-:rbtop_1/"));
	assert_null(strstr(text, "-:probe_a/"));
	free(text);
	fake_tree_write(&tree, "tracing/uprobe_events", "");
}

/* Without privilege: the address of the function in the running process. */
TEST(breakpoint_in_a_process)
{
	struct event_spec spec;

	if (no_compiler)
		skip();
	spec = opened(false, "call:alpha", &task, NULL);
	breaks_at(&spec, LOADED + offset_of("full", "<ALPHA"));
	assert_int_equal(spec.attr.exclude_kernel, 1);
	assert_string_equal(spec.name, "call:alpha");
	refused(false, "call:alpha", &tasks, NULL, ERR_MACHINE,
		"at different addresses");
	refused(false, "call:/bin/sh:0x10", &task, NULL, ERR_MACHINE,
		"process 42 has not mapped that part of");
}

/*
 * Also if a probe was added whose tracepoint cannot be used: the probe is
 * removed.
 */
TEST(breakpoint_instead_of_a_probe)
{
	struct call_event *c;
	char *text;

	if (no_compiler)
		skip();
	fake_tree_write(&tree, "tracing/uprobe_events", "");
	c = open_call(true, "call:hidden_one", &task, NULL);
	if (!c)
		fail_msg("%s", err.text);
	text = probes();
	assert_non_null(strstr(text, "/hidden_one "));
	assert_non_null(strstr(text, "\n-:"));
	free(text);
	breaks_at(&call_event_list(c).specs[1],
		  LOADED + offset_of("full", "<HIDDEN"));
	assert_int_equal(call_event_keep(c, &err), 0);
	call_event_close(c);
}

TEST(breakpoint_in_a_command)
{
	struct event_spec spec;
	struct image text;
	uint64_t address;

	if (no_compiler)
		skip();
	assert_true(run("nm fixed | awk '$3 == \"alpha\" { print $1 }' >addr"));
	text = image_of("addr");
	address = strtoull((char *)text.bytes, NULL, 16);
	free(text.bytes);
	spec = opened(false, "call:alpha", &task, at("fixed"));
	breaks_at(&spec, address);
	refused(false, "call:alpha", &task, at("full"), ERR_MACHINE,
		"not known before it runs: attach with -p");
}

/* A command is looked up as execvp(3) does. */
TEST(programs)
{
	char *path = getenv("PATH"), text[700];

	path = path ? strdup(path) : NULL;
	refused(true, "call:main", &task, "no-such-command", ERR_MACHINE,
		"no-such-command: no such command");
	refused(true, "call:main", &of_user, NULL, ERR_USAGE,
		"use call:PATH:FUNC");
	refused(true, "call:/nowhere/at/all:main", &task, NULL, ERR_MACHINE,
		"No such file");
	if (!no_compiler) {
		snprintf(text, sizeof(text), "/nowhere:%s", at("bin"));
		setenv("PATH", text, 1);
		refused(true, "call:gamma", &task, "command", ERR_USAGE,
			"bin/command: if it is stripped, use a file offset");
		opened(true, "call:alpha", &task, "command");
	}
	if (path)
		setenv("PATH", path, 1);
	free(path);
}

TEST_GROUP(call_event, .setup = make, .teardown = tear_down);
