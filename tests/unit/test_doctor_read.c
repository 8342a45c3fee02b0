/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/caps.h"
#include "base/unknown.h"
#include "doctor/doctor.h"
#include "tests/unit/fake_tree.h"

#define PMUS "sys/bus/event_source/devices"

static struct fake_tree tree;

static int make_tree(void **state)
{
	(void)state;
	fake_tree_init(&tree);
	unsetenv("DEBUGINFOD_CACHE_PATH");
	unsetenv("XDG_CACHE_HOME");
	setenv("HOME", tree.root, 1);
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	fake_tree_free(&tree);
	return 0;
}

/* Nothing of what is read exists: nothing is ok by that. */
TEST(test_empty_root)
{
	struct doctor_facts f = { .terminal.cols = 17 };

	doctor_read(tree.root, &f);
	assert_int_equal(f.terminal.cols, 17);
	assert_int_equal(f.user.caps, 0);
	assert_string_equal(f.config.from, "");
	assert_true(f.config.why[0]);
	assert_int_equal(f.paranoid.error, -ENOENT);
	assert_int_equal(f.mlock_kb.error, -ENOENT);
	assert_int_equal(f.btf.error, -ENOENT);
	assert_int_equal(f.pmus_error, -ENOENT);
	assert_int_equal(f.cpus, 0);
	assert_int_equal(f.used, UNKNOWN);
	assert_string_equal(f.lockdown, "");
	assert_string_equal(f.hidepid, "");
	assert_string_equal(f.debug_cache, "");
	assert_false(f.debug_files);
}

static void write_config(void)
{
	struct utsname name;
	char path[128];

	assert_int_equal(uname(&name), 0);
	snprintf(path, sizeof(path), "boot/config-%.80s", name.release);
	fake_tree_write(&tree, path, "CONFIG_PERF_EVENTS=y\n");
	/* not a gzip file */
	fake_tree_write(&tree, "proc/config.gz", "");
}

TEST(test_files)
{
	struct doctor_facts f = { 0 };

	write_config();
	fake_tree_write(&tree, "proc/sys/kernel/perf_event_paranoid", "-1\n");
	fake_tree_write(&tree, "proc/sys/kernel/perf_event_mlock_kb", "x\n");
	fake_tree_write(&tree, "proc/sys/kernel/nmi_watchdog", "1\n");
	fake_tree_write(&tree, "proc/self/status",
			"Name:\trbtop\nCapEff:\t0000004000000000\n"
			"NoNewPrivs:\t1\nSeccomp:\t2\n");
	fake_tree_link(&tree, "proc/self/ns/pid", "pid:[4026532177]");
	fake_tree_write(&tree, "proc/self/mounts",
			"proc /proc proc rw,nosuid 0 0\n"
			"proc /proc proc rw,hidepid=invisible,gid=7 0 0\n"
			"x /mnt ext4 rw,hidepid=zork 0 0\n");
	fake_tree_write(&tree, "sys/devices/system/cpu/online", "0-5\n");
	fake_tree_write(&tree, "sys/kernel/btf/vmlinux", "1234567");
	fake_tree_write(&tree, "sys/kernel/security/lockdown",
			"none [integrity] confidentiality\n");
	fake_tree_write(&tree, "etc/os-release",
			"NAME=\"x\"\nID=fedora\nVERSION_ID=44\n");
	fake_tree_write(&tree, "usr/lib/debug/.build-id/ab/cd.debug", "");
	fake_tree_write(&tree, "tmp/perf-12.map", "");
	fake_tree_write(&tree, "tmp/perf-x.map", "");
	fake_tree_write(&tree, "tmp/perf-12.maps", "");
	fake_tree_write(&tree, ".cache/debuginfod_client/x", "");
	doctor_read(tree.root, &f);
	assert_true(f.config.set[DOCTOR_CONFIG_PERF_EVENTS]);
	assert_false(f.config.set[DOCTOR_CONFIG_KALLSYMS]);
	assert_memory_equal(f.config.from, "/boot/config-", 13);
	assert_int_equal(f.paranoid.error, 0);
	assert_int_equal(f.paranoid.value, -1);
	assert_int_equal(f.mlock_kb.error, -EINVAL);
	assert_int_equal(f.nmi_watchdog.value, 1);
	assert_int_equal(f.user.caps, 1ull << CAP_PERFMON);
	assert_true(f.user.no_new_privs && f.user.initial_user_ns);
	assert_false(f.user.initial_pid_ns);
	assert_int_equal(f.user.seccomp, 2);
	assert_string_equal(f.hidepid, "invisible");
	assert_int_equal(f.cpus, 6);
	assert_int_equal(f.btf.value, 7);
	assert_string_equal(f.lockdown, "integrity");
	assert_string_equal(f.distribution, "fedora");
	assert_true(f.debug_files);
	assert_int_equal(f.jit_maps, 1);
	assert_non_null(strstr(f.debug_cache, "/.cache/debuginfod_client"));
}

/* Another user namespace: what the process has there does not count. */
TEST(test_user_namespace)
{
	struct doctor_facts f = { 0 };

	fake_tree_write(&tree, "proc/self/status",
			"Name:\trbtop\nCapEff:\t000001ffffffffff\n");
	fake_tree_link(&tree, "proc/self/ns/user", "user:[4026532177]");
	doctor_read(tree.root, &f);
	assert_false(f.user.initial_user_ns);
	assert_int_equal(f.user.caps, 0);
}

TEST(test_pmus)
{
	struct doctor_facts f = { 0 };
	char path[128];

	fake_tree_write(&tree, PMUS "/cpu/type", "4\n");
	fake_tree_write(&tree, PMUS "/cpu/caps/max_precise", "3\n");
	fake_tree_write(&tree, PMUS "/cpu/events/cpu-cycles", "event=0x3c\n");
	fake_tree_write(&tree, PMUS "/intel_pt/type", "8\n");
	fake_tree_write(&tree, PMUS "/intel_pt/caps/mtc", "1\n");
	fake_tree_write(&tree, PMUS "/intel_pt/caps/psb_cyc", "1\033\n");
	fake_tree_write(&tree, PMUS "/intel_pt/caps/empty", "");
	doctor_read(tree.root, &f);
	assert_int_equal(f.nr_pmus, 2);
	assert_string_equal(f.core, "cpu");
	assert_string_equal(f.pmus[0].kind, "");
	assert_string_equal(f.pmus[1].name, "intel_pt");
	assert_string_equal(f.pmus[1].kind, "Intel PT");
	assert_string_equal(f.pmus[1].caps, "empty= mtc=1 psb_cyc=1?");
	/* those that trace are found after any number of others */
	for (int i = 0; i < 2 * DOCTOR_PMUS_MAX; i++) {
		snprintf(path, sizeof(path), PMUS "/a_uncore_%d/type", i);
		fake_tree_write(&tree, path, "9\n");
	}
	doctor_read(tree.root, &f);
	assert_int_equal(f.nr_pmus + f.more_pmus, 2 * DOCTOR_PMUS_MAX + 2);
	assert_int_equal(f.nr_pmus, DOCTOR_PMUS_NAMED + 1);
	assert_string_equal(f.pmus[DOCTOR_PMUS_NAMED].kind, "Intel PT");
}

TEST_GROUP(doctor_read, .each_setup = make_tree, .each_teardown = remove_tree);
