/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/caps.h"
#include "base/unknown.h"
#include "doctor/doctor.h"

#define CAP(name) (UINT64_C(1) << CAP_##name)
#define ALL_CAPS \
	"cap_perfmon,cap_bpf,cap_ipc_lock,cap_sys_ptrace,cap_syslog,cap_sys_nice"
#define SETCAP "sudo setcap " ALL_CAPS "=ep /usr/bin/rbtop"

/* A machine where a user with all capabilities is missing nothing. */
static void make_whole(struct doctor_facts *f)
{
	*f = (struct doctor_facts){
		.user = {
			.uid = 1000, .gid = 1000,
			.caps = CAP(PERFMON) | CAP(BPF) | CAP(SYS_PTRACE) |
				CAP(IPC_LOCK) | CAP(SYSLOG) | CAP(SYS_NICE),
			.initial_user_ns = true, .initial_pid_ns = true,
			.program = "/usr/bin/rbtop",
		},
		.terminal = {
			.is_terminal = true, .type = "xterm-256color",
			.known = true, .colours = 256, .mouse = true,
			.utf8 = true, .rows = 24, .cols = 80,
		},
		.release = "6.18.1", .machine = "x86_64",
		.config.from = "/boot/config-6.18.1",
		.paranoid.value = 2, .mlock_kb.value = 516,
		.max_rate.value = 100000, .cpu_percent.value = 25,
		.last_cap.value = 40, .btf.value = 6 << 20,
		.lockdown = "none", .distribution = "debian",
		.debug_files = true, .cpus = 4, .page_size = 4096,
		.memlock = 8 << 20, .used = 0, .used_by_bpf = true,
		.pmus = {
			{ "cpu", "", "" },
			{ "intel_pt", "Intel PT", "psb_cyc=1 mtc=1" },
		},
		.nr_pmus = 2, .core = "cpu",
		.rings = 4, .ring_bytes = 512 << 10, .event = "cycles",
		.tracefs = "/sys/kernel/tracing", .tracefs_dir = true,
		.bpf_rings = 12, .bpf_built_in = true, .zlib_built_in = true,
		.kallsyms.value = 120000, .processes = 90, .readable = 90,
	};
	memset(f->config.set, true, sizeof(f->config.set));
}

/* The same for a user without capabilities. */
static void make_plain(struct doctor_facts *f)
{
	make_whole(f);
	f->user.caps = 0;
}

static struct doctor_item judged(const struct doctor_facts *f,
				 enum doctor_id id)
{
	struct doctor_item items[DOCTOR_ITEMS];

	doctor_judge(f, items);
	return items[id];
}

/* @remedy: all of it; @fact: a part. */
static void expect(const struct doctor_facts *f, enum doctor_id id,
		   enum doctor_state state, const char *fact,
		   const char *remedy)
{
	struct doctor_item item = judged(f, id);

	if (item.state != state || !strstr(item.fact, fact))
		fail_msg("%s is %s: %s", doctor_name(id),
			 doctor_state_name(item.state), item.fact);
	assert_string_equal(item.remedy, remedy);
}

TEST(test_whole)
{
	struct doctor_item items[DOCTOR_ITEMS];
	struct doctor_facts f;

	make_whole(&f);
	doctor_judge(&f, items);
	for (unsigned int i = 0; i < DOCTOR_ITEMS; i++) {
		if (items[i].state != DOCTOR_OK || items[i].remedy[0])
			fail_msg("%s: %s", doctor_name((enum doctor_id)i),
				 items[i].fact);
		assert_true(items[i].fact[0]);
	}
	assert_true(doctor_starts(items));
}

TEST(test_start)
{
	struct doctor_facts f;

	make_plain(&f);
	expect(&f, DOCTOR_START, DOCTOR_OK,
	       "opened cycles and mapped 4 rings of 512K", "");
	f.ring_bytes = 256 << 10;
	f.used = 4 * 516 * 1024;
	strcpy(f.start.said, "rings of 256K instead of 512K");
	expect(&f, DOCTOR_START, DOCTOR_LIMITED, "instead of 512K",
	       "sudo sysctl kernel.perf_event_mlock_kb=1544");

	f.start.error = -EACCES;
	strcpy(f.start.said, "system-wide monitoring needs root");
	expect(&f, DOCTOR_START, DOCTOR_MISSING, "monitoring needs root",
	       SETCAP);
	f.user.nosuid = true;
	expect(&f, DOCTOR_START, DOCTOR_MISSING, "needs root",
	       "sudo /usr/bin/rbtop");
	f.user.no_new_privs = true;
	expect(&f, DOCTOR_START, DOCTOR_MISSING, "needs root",
	       "sudo sysctl kernel.perf_event_paranoid=0");
	/* Debian's level 3, at which CAP_PERFMON is not enough */
	f.user.no_new_privs = f.user.nosuid = false;
	f.paranoid.value = 3;
	f.own.error = -EACCES;
	expect(&f, DOCTOR_START, DOCTOR_MISSING, "needs root",
	       "sudo sysctl kernel.perf_event_paranoid=0");
	/* a seccomp filter; root of a container */
	f.paranoid.value = 2;
	expect(&f, DOCTOR_START, DOCTOR_MISSING, "needs root", "");
	f.own.error = 0;
	f.user.uid = 0;
	expect(&f, DOCTOR_START, DOCTOR_MISSING, "needs root", "");
	/* with privilege only memory is refused */
	f.user.uid = 1000;
	f.user.caps = 1ULL << CAP_PERFMON;
	expect(&f, DOCTOR_START, DOCTOR_MISSING, "needs root",
	       "sudo sysctl kernel.perf_event_mlock_kb=1544");
	f.start.error = -ENOSYS;
	expect(&f, DOCTOR_START, DOCTOR_MISSING, "does not start", "");
}

TEST(test_kernel)
{
	struct doctor_facts f;

	make_whole(&f);
	expect(&f, DOCTOR_KERNEL, DOCTOR_OK, "Linux 6.18.1 (x86_64)", "");
	strcpy(f.release, "5.15.0-generic");
	expect(&f, DOCTOR_KERNEL, DOCTOR_LIMITED,
	       "too old for: losses of each event; boot", "");
	strcpy(f.release, "5.4.1");
	expect(&f, DOCTOR_KERNEL, DOCTOR_LIMITED, "and CAP_PERFMON", "");
	f.release[0] = '\0';
	expect(&f, DOCTOR_KERNEL, DOCTOR_UNKNOWN, "no release", "");
}

TEST(test_config)
{
	struct doctor_facts f;

	make_whole(&f);
	f.config.set[DOCTOR_CONFIG_CGROUP_PERF] = false;
	expect(&f, DOCTOR_CONFIG, DOCTOR_LIMITED,
	       "does not have CONFIG_CGROUP_PERF (events of a cgroup (-G))",
	       "");
	f.config.set[DOCTOR_CONFIG_PERF_EVENTS] = false;
	expect(&f, DOCTOR_CONFIG, DOCTOR_MISSING, "CONFIG_PERF_EVENTS", "");
	f.config.from[0] = '\0';
	strcpy(f.config.why, "there is no file");
	expect(&f, DOCTOR_CONFIG, DOCTOR_UNKNOWN, "there is no file", "");
}

TEST(test_config_text)
{
	static const char text[] = "# CONFIG_KALLSYMS is not set\n"
				   "CONFIG_PERF_EVENTS=y\n"
				   "CONFIG_BPF_SYSCALL_X=y\n"
				   "CONFIG_UPROBE_EVENTS=m\n"
				   "CONFIG_CGROUP_PERF=";
	struct doctor_config config = { 0 };

	doctor_config_parse(text, &config);
	assert_true(config.set[DOCTOR_CONFIG_PERF_EVENTS]);
	assert_true(config.set[DOCTOR_CONFIG_UPROBE_EVENTS]);
	assert_false(config.set[DOCTOR_CONFIG_KALLSYMS]);
	assert_false(config.set[DOCTOR_CONFIG_BPF_SYSCALL]);
	assert_false(config.set[DOCTOR_CONFIG_CGROUP_PERF]);
}

TEST(test_paranoid)
{
	static const struct {
		long long level;
		const char *fact;
	} levels[] = {
		{ -1, "the whole system and its tracepoints" },
		{ 0, "no data of tracepoints" },
		{ 1, "with the kernel, but not the whole system" },
		{ 2, "user space of their own" },
		{ 3, "user space of their own" },
	};
	struct doctor_facts f;

	make_whole(&f);
	expect(&f, DOCTOR_PARANOID, DOCTOR_OK, "does not apply", "");
	make_plain(&f);
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		bool fine = levels[i].level <= 0;

		f.paranoid.value = levels[i].level;
		expect(&f, DOCTOR_PARANOID, fine ? DOCTOR_OK : DOCTOR_LIMITED,
		       levels[i].fact,
		       fine ? "" : "sudo sysctl kernel.perf_event_paranoid=0");
	}
	f.own.error = -EACCES;
	expect(&f, DOCTOR_PARANOID, DOCTOR_MISSING, "no event at all",
	       "sudo sysctl kernel.perf_event_paranoid=0");
	f.paranoid.value = 2;
	f.user.seccomp = 2;
	expect(&f, DOCTOR_PARANOID, DOCTOR_MISSING, "seccomp", "");
	f.paranoid.error = -EACCES;
	expect(&f, DOCTOR_PARANOID, DOCTOR_UNKNOWN, "Permission denied", "");
	f.own.error = -ENOSYS;
	expect(&f, DOCTOR_PARANOID, DOCTOR_MISSING, "CONFIG_PERF_EVENTS", "");
}

TEST(test_capabilities)
{
	struct doctor_facts f;

	make_whole(&f);
	f.user.caps = CAP(SYS_ADMIN) | CAP(SYS_PTRACE) | CAP(IPC_LOCK) |
		      CAP(SYSLOG) | CAP(SYS_NICE);
	expect(&f, DOCTOR_CAPABILITIES, DOCTOR_OK, "CAP_SYS_ADMIN", "");
	f.user.caps = CAP(PERFMON);
	expect(&f, DOCTOR_CAPABILITIES, DOCTOR_LIMITED,
	       "held: CAP_PERFMON; not held: CAP_BPF (fill", SETCAP);
	f.user.caps = 0;
	expect(&f, DOCTOR_CAPABILITIES, DOCTOR_MISSING,
	       "not held: CAP_PERFMON (the whole system)", SETCAP);
	f.last_cap.value = 37;
	expect(&f, DOCTOR_CAPABILITIES, DOCTOR_MISSING, "not held",
	       "sudo setcap cap_sys_admin,cap_ipc_lock,cap_sys_ptrace,"
	       "cap_syslog,cap_sys_nice=ep /usr/bin/rbtop");
	f.user.initial_user_ns = false;
	expect(&f, DOCTOR_CAPABILITIES, DOCTOR_MISSING, "do not count", "");
	/* a container's root */
	f.user.initial_user_ns = true;
	f.user.uid = 0;
	expect(&f, DOCTOR_CAPABILITIES, DOCTOR_MISSING, "not held", "");
}

TEST(test_mlock)
{
	struct doctor_facts f;

	make_whole(&f);
	f.used = 1 << 20;
	expect(&f, DOCTOR_MLOCK, DOCTOR_OK,
	       "516: 2M for this user's rings on 4 CPUs, 1M in use; no limit "
	       "with CAP_IPC_LOCK", "");
	make_plain(&f);
	expect(&f, DOCTOR_MLOCK, DOCTOR_OK, "beyond that 8M of RLIMIT_MEMLOCK",
	       "");
	f.memlock = 0;
	expect(&f, DOCTOR_MLOCK, DOCTOR_OK, "0 in use", "");
	f.used = 4096;
	expect(&f, DOCTOR_MLOCK, DOCTOR_LIMITED, "rings of 512K",
	       "sudo sysctl kernel.perf_event_mlock_kb=520");
	f.used = 4 * 516 * 1024;
	f.used_by_bpf = false;
	expect(&f, DOCTOR_MLOCK, DOCTOR_LIMITED, "at least 2M in use",
	       "sudo sysctl kernel.perf_event_mlock_kb=1544");
	f.memlock = 4 * 516 * 1024;
	expect(&f, DOCTOR_MLOCK, DOCTOR_OK, "in use", "");
	f.memlock -= 1;
	expect(&f, DOCTOR_MLOCK, DOCTOR_LIMITED, "so they get smaller",
	       "sudo sysctl kernel.perf_event_mlock_kb=1544");
	f.paranoid.value = -1;
	expect(&f, DOCTOR_MLOCK, DOCTOR_OK, "paranoid below 0", "");
	f.used = f.memlock = UNKNOWN;
	f.paranoid.value = 2;
	expect(&f, DOCTOR_MLOCK, DOCTOR_OK,
	       "in use is unknown; beyond that RLIMIT_MEMLOCK is unlimited",
	       "");
	f.mlock_kb.error = -ENOENT;
	expect(&f, DOCTOR_MLOCK, DOCTOR_UNKNOWN, "cannot be read", "");
}

/* Each remedy for mlock makes its line ok, whatever is in use. */
TEST(test_mlock_remedy_is_enough)
{
	static const char command[] =
		"sudo sysctl kernel.perf_event_mlock_kb=";
	struct doctor_facts f;
	struct doctor_item item;

	make_plain(&f);
	f.memlock = 0;
	for (uint64_t used = 4096; used < 1ull << 32; used = used * 3 + 4096) {
		f.mlock_kb.value = 516;
		f.used = used;
		item = judged(&f, DOCTOR_MLOCK);
		assert_int_equal(item.state, DOCTOR_LIMITED);
		assert_memory_equal(item.remedy, command, strlen(command));
		f.mlock_kb.value = atoll(item.remedy + strlen(command));
		expect(&f, DOCTOR_MLOCK, DOCTOR_OK, "in use", "");
	}
	/* more than the sysctl can hold */
	f.mlock_kb.value = 516;
	f.used = 1ull << 40;
	expect(&f, DOCTOR_MLOCK, DOCTOR_LIMITED, "too little", "");
}

TEST(test_rate)
{
	struct doctor_facts f;

	make_whole(&f);
	/* set by somebody, and more than the default of -F */
	f.max_rate.value = 25000;
	expect(&f, DOCTOR_RATE, DOCTOR_OK, "25000 samples", "");
	f.lowered_to = 25000;
	expect(&f, DOCTOR_RATE, DOCTOR_LIMITED, "has lowered it",
	       "sudo sysctl kernel.perf_event_max_sample_rate=100000");
	/* as after that command, though the log still has the line */
	f.max_rate.value = 100000;
	expect(&f, DOCTOR_RATE, DOCTOR_OK, "at most 100000", "");
	f.max_rate.value = 1000;
	f.lowered_to = 0;
	f.cpu_percent.value = 0;
	expect(&f, DOCTOR_RATE, DOCTOR_LIMITED, "less than the default",
	       "sudo sysctl kernel.perf_cpu_time_max_percent=25 && "
	       "sudo sysctl kernel.perf_event_max_sample_rate=100000");
	f.max_rate.error = -EACCES;
	expect(&f, DOCTOR_RATE, DOCTOR_UNKNOWN, "cannot be read", "");
}

TEST(test_realtime)
{
	struct doctor_facts f;

	make_plain(&f);
	expect(&f, DOCTOR_REALTIME, DOCTOR_OK, "granted", "");
	f.realtime.error = -EPERM;
	expect(&f, DOCTOR_REALTIME, DOCTOR_LIMITED, "SCHED_FIFO was refused",
	       SETCAP);
	make_whole(&f);
	f.realtime.error = -EPERM;
	expect(&f, DOCTOR_REALTIME, DOCTOR_LIMITED, "not permitted", "");
}

TEST(test_pmus)
{
	struct doctor_facts f;

	make_whole(&f);
	expect(&f, DOCTOR_PMUS, DOCTOR_OK, "2 PMUs: cpu, intel_pt", "");
	expect(&f, DOCTOR_AUX, DOCTOR_OK,
	       "intel_pt (Intel PT: psb_cyc=1 mtc=1)", "");
	f.nmi_watchdog.value = 1;
	expect(&f, DOCTOR_WATCHDOG, DOCTOR_LIMITED, "uses a counter",
	       "sudo sysctl kernel.nmi_watchdog=0");
	f.core[0] = '\0';
	f.nr_pmus = 1;
	expect(&f, DOCTOR_PMUS, DOCTOR_LIMITED, "none counts cycles", "");
	expect(&f, DOCTOR_AUX, DOCTOR_MISSING, "no AUX rings", "");
	expect(&f, DOCTOR_WATCHDOG, DOCTOR_OK, "has no counter for it", "");
	f.nmi_watchdog.error = -EACCES;
	expect(&f, DOCTOR_WATCHDOG, DOCTOR_UNKNOWN, "Permission denied", "");
	f.nmi_watchdog.error = -ENOENT;
	expect(&f, DOCTOR_WATCHDOG, DOCTOR_OK, "has no NMI watchdog", "");
	f.more_pmus = 70;
	expect(&f, DOCTOR_PMUS, DOCTOR_LIMITED, "71 PMUs: ", "");
	f.pmus_error = -ENOENT;
	expect(&f, DOCTOR_PMUS, DOCTOR_UNKNOWN, "cannot be read", "");
	expect(&f, DOCTOR_AUX, DOCTOR_UNKNOWN, "cannot be read", "");
}

TEST(test_tracefs)
{
	struct doctor_facts f;

	make_whole(&f);
	f.tracepoint_error = -EACCES;
	expect(&f, DOCTOR_TRACEFS, DOCTOR_LIMITED, "Permission denied; the "
	       "command lets group 1000 read tracefs",
	       "sudo mount -o remount,mode=750,gid=1000 /sys/kernel/tracing");
	f.tracefs[0] = '\0';
	expect(&f, DOCTOR_TRACEFS, DOCTOR_MISSING, "no tracepoints",
	       "sudo mount -t tracefs -o mode=750,gid=1000 tracefs "
	       "/sys/kernel/tracing");
	f.user.caps |= CAP(SYS_ADMIN) | CAP(DAC_READ_SEARCH);
	expect(&f, DOCTOR_TRACEFS, DOCTOR_MISSING, "rbtop mounts it",
	       "sudo mount -t tracefs tracefs /sys/kernel/tracing");
	f.tracefs_dir = false;
	expect(&f, DOCTOR_TRACEFS, DOCTOR_MISSING, "CONFIG_EVENT_TRACING", "");

	make_plain(&f);
	expect(&f, DOCTOR_TRACEFS, DOCTOR_LIMITED, "samples need root",
	       SETCAP);
	f.tracepoint_error = -EACCES;
	expect(&f, DOCTOR_TRACEFS, DOCTOR_LIMITED, "samples need root",
	       "sudo mount -o remount,mode=750,gid=1000 /sys/kernel/tracing && "
	       SETCAP);
	f.tracepoint_error = 0;
	f.paranoid.value = -1;
	expect(&f, DOCTOR_TRACEFS, DOCTOR_OK, "readable", "");
}

TEST(test_bpf)
{
	struct doctor_facts f;

	make_plain(&f);
	expect(&f, DOCTOR_BTF, DOCTOR_OK, "6M of types", "");
	f.btf.error = -ENOENT;
	expect(&f, DOCTOR_BTF, DOCTOR_MISSING, "CONFIG_DEBUG_INFO_BTF", "");
	f.btf.error = -EACCES;
	expect(&f, DOCTOR_BTF, DOCTOR_UNKNOWN, "Permission denied", "");

	expect(&f, DOCTOR_BPF, DOCTOR_OK, "found 12 rings", "");
	expect(&f, DOCTOR_DROPS, DOCTOR_OK, "--host --ringbuf-drops can be "
	       "loaded", "");
	f.drops.error = -EPERM;
	strcpy(f.drops.said, "the kernel refuses the BPF program");
	expect(&f, DOCTOR_DROPS, DOCTOR_LIMITED, "refuses the BPF program", "");
	f.no_ends = true;
	expect(&f, DOCTOR_BPF, DOCTOR_LIMITED, "end of a ring are not counted: the "
	       "kernel runs no fentry programs", "");
	strcpy(f.bpf.said, "mappings are not shown");
	expect(&f, DOCTOR_BPF, DOCTOR_LIMITED, "mappings are not shown", "");
	f.bpf.error = -EPERM;
	strcpy(f.bpf.said, "BPF needs CAP_BPF");
	expect(&f, DOCTOR_BPF, DOCTOR_LIMITED,
	       "owners and sizes only, from /proc: BPF needs CAP_BPF", SETCAP);
	f.bpf_built_in = false;
	expect(&f, DOCTOR_BPF, DOCTOR_LIMITED, "from /proc", "");
	expect(&f, DOCTOR_DROPS, DOCTOR_LIMITED, "without BPF", "");
	f.bpf_built_in = true;
	f.user.caps = CAP(BPF) | CAP(PERFMON);
	expect(&f, DOCTOR_BPF, DOCTOR_LIMITED, "from /proc", "");
}

TEST(test_lockdown)
{
	struct doctor_facts f;

	make_whole(&f);
	strcpy(f.lockdown, "integrity");
	expect(&f, DOCTOR_LOCKDOWN, DOCTOR_OK, "integrity", "");
	strcpy(f.lockdown, "confidentiality");
	expect(&f, DOCTOR_LOCKDOWN, DOCTOR_LIMITED, "lockdown=integrity", "");
	f.lockdown[0] = '\0';
	expect(&f, DOCTOR_LOCKDOWN, DOCTOR_UNKNOWN, "not mounted",
	       "sudo mount -t securityfs securityfs /sys/kernel/security");
	f.securityfs = true;
	expect(&f, DOCTOR_LOCKDOWN, DOCTOR_OK, "has no lockdown", "");
}

TEST(test_names)
{
	struct doctor_facts f;

	make_whole(&f);
	expect(&f, DOCTOR_KALLSYMS, DOCTOR_OK, "120000 kernel functions", "");
	f.kallsyms.error = -EACCES;
	f.kptr_restrict.value = 2;
	expect(&f, DOCTOR_KALLSYMS, DOCTOR_LIMITED, "kptr_restrict is 2",
	       "sudo sysctl kernel.kptr_restrict=1");
	f.user.caps = 0;
	expect(&f, DOCTOR_KALLSYMS, DOCTOR_LIMITED, "so they have no names: "
	       "kernel.kptr_restrict is 2, kernel.perf_event_paranoid is 2, "
	       "CAP_SYSLOG is not held",
	       "sudo sysctl kernel.kptr_restrict=0 && "
	       "sudo sysctl kernel.perf_event_paranoid=0");
	f.kptr_restrict.value = 0;
	expect(&f, DOCTOR_KALLSYMS, DOCTOR_LIMITED, "hides",
	       "sudo sysctl kernel.perf_event_paranoid=0");
	f.kallsyms.error = -ENOENT;
	expect(&f, DOCTOR_KALLSYMS, DOCTOR_MISSING, "CONFIG_KALLSYMS", "");

	expect(&f, DOCTOR_JIT, DOCTOR_OK, "no /tmp/perf-PID.map", "");
	f.jit_maps = 3;
	expect(&f, DOCTOR_JIT, DOCTOR_OK, "symbols: 3", "");

	strcpy(f.debug_cache, "/home/me/cache");
	expect(&f, DOCTOR_DEBUGINFO, DOCTOR_OK,
	       "/usr/lib/debug, /home/me/cache", "");
	f.debug_files = false;
	expect(&f, DOCTOR_DEBUGINFO, DOCTOR_OK, "in /home/me/cache", "");
	f.debug_cache[0] = '\0';
	expect(&f, DOCTOR_DEBUGINFO, DOCTOR_LIMITED, "stripped programs",
	       "sudo apt-get install libc6-dbg");
	strcpy(f.distribution, "plan9");
	expect(&f, DOCTOR_DEBUGINFO, DOCTOR_LIMITED, "stripped programs", "");
}

TEST(test_surroundings)
{
	struct doctor_facts f;

	make_whole(&f);
	f.user.initial_pid_ns = false;
	f.user.seccomp = 2;
	f.user.no_new_privs = true;
	expect(&f, DOCTOR_NAMESPACES, DOCTOR_LIMITED,
	       "in a container: the pids of processes outside are unknown; "
	       "run rbtop outside of it; a seccomp filter", "");

	f.readable = 89;
	expect(&f, DOCTOR_PROCESSES, DOCTOR_OK, "a security policy", "");
	f.user.caps = 0;
	f.user.no_new_privs = false;
	expect(&f, DOCTOR_PROCESSES, DOCTOR_LIMITED, "89 of 90", SETCAP);
	f.readable = 90;
	f.user.no_new_privs = true;
	strcpy(f.hidepid, "invisible");
	expect(&f, DOCTOR_PROCESSES, DOCTOR_LIMITED, "hidepid=invisible",
	       "sudo mount -o remount,hidepid=0 /proc");
	f.processes = 0;
	expect(&f, DOCTOR_PROCESSES, DOCTOR_MISSING, "not mounted",
	       "sudo mount -t proc proc /proc");

	f.bpf_built_in = false;
	expect(&f, DOCTOR_LIBRARIES, DOCTOR_LIMITED, "without libbpf", "");
	f.zlib_built_in = false;
	expect(&f, DOCTOR_LIBRARIES, DOCTOR_LIMITED, "; zlib", "");
}

TEST(test_terminal)
{
	struct doctor_item items[DOCTOR_ITEMS];
	struct doctor_facts f;

	make_whole(&f);
	expect(&f, DOCTOR_TERMINAL, DOCTOR_OK,
	       "xterm-256color: 256 colours, UTF-8, mouse, 80 columns", "");
	f.terminal.utf8 = false;
	expect(&f, DOCTOR_TERMINAL, DOCTOR_LIMITED, "drawn in ASCII",
	       "export LC_ALL=C.UTF-8");
	f.terminal.colours = 0;
	expect(&f, DOCTOR_TERMINAL, DOCTOR_LIMITED,
	       "in ASCII and without colours",
	       "export LC_ALL=C.UTF-8 && export TERM=xterm-256color");
	f.terminal.known = false;
	expect(&f, DOCTOR_TERMINAL, DOCTOR_MISSING, "TERM is xterm",
	       "export TERM=xterm-256color");
	doctor_judge(&f, items);
	assert_false(doctor_starts(items));
	f.terminal.is_terminal = false;
	expect(&f, DOCTOR_TERMINAL, DOCTOR_UNKNOWN, "not a terminal", "");
	doctor_judge(&f, items);
	assert_true(doctor_starts(items));
	f.start.error = -EACCES;
	doctor_judge(&f, items);
	assert_false(doctor_starts(items));
}

/* Names of files may be anything; so may be TERM. */
TEST(test_untrusted)
{
	struct doctor_facts f;
	struct doctor_item item;

	make_whole(&f);
	strcpy(f.terminal.type, "\033[2J\"\n");
	f.terminal.known = false;
	memset(f.pmus[1].caps, 'x', sizeof(f.pmus[1].caps) - 1);
	for (size_t i = 2; i < DOCTOR_PMUS_MAX; i++)
		f.pmus[i] = f.pmus[1];
	f.nr_pmus = DOCTOR_PMUS_MAX;
	item = judged(&f, DOCTOR_TERMINAL);
	assert_null(strpbrk(item.fact, "\033\n"));
	item = judged(&f, DOCTOR_AUX);
	assert_int_equal(strlen(item.fact), sizeof(item.fact) - 1);
	/* a command that is cut is none */
	memset(f.user.program, 'p', sizeof(f.user.program) - 1);
	f.user.caps = 0;
	f.tracepoint_error = -EACCES;
	item = judged(&f, DOCTOR_TRACEFS);
	assert_string_equal(item.remedy, "");
}

static char *printed(const struct doctor_facts *f, int columns, bool json)
{
	struct doctor_item items[DOCTOR_ITEMS];
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	doctor_judge(f, items);
	if (json)
		assert_int_equal(doctor_print_json(items, out), 0);
	else
		doctor_print_text(items, columns, out);
	fclose(out);
	return text;
}

TEST(test_text)
{
	struct doctor_facts f;
	char *text;

	make_plain(&f);
	text = printed(&f, 0, false);
	assert_non_null(strstr(text, "kernel        ok       Linux 6.18.1 "
				     "(x86_64)\n"));
	assert_non_null(strstr(text,
		"paranoid      limited  kernel.perf_event_paranoid is 2: users "
		"may watch user space of their own processes (cpu-clock:u), "
		"but neither the kernel nor the whole system\n"
		"                       "
		"sudo sysctl kernel.perf_event_paranoid=0\n"));
	/* the same command does not stand there twice */
	assert_non_null(strstr(text, "\n                       as for "));
	assert_non_null(strstr(text, SETCAP));
	assert_null(strstr(strstr(text, SETCAP) + 1, "    " SETCAP));
	free(text);
	text = printed(&f, 60, false);
	assert_non_null(strstr(text,
		"paranoid      limited  kernel.perf_event_paranoid is 2:\n"
		"                       users may watch user space of their\n"));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		assert_true(strlen(line) <= 60 || strstr(line, "sudo "));
	free(text);
}

TEST(test_json)
{
	struct doctor_facts f;
	json_t *root, *items, *item;
	char *text;

	make_plain(&f);
	strcpy(f.terminal.type, "a\"b");
	text = printed(&f, 0, true);
	root = json_loads(text, 0, NULL);
	free(text);
	assert_non_null(root);
	assert_int_equal(json_integer_value(json_object_get(root, "version")),
			 1);
	assert_true(json_is_true(json_object_get(root, "starts")));
	items = json_object_get(root, "items");
	assert_int_equal(json_array_size(items), DOCTOR_ITEMS);
	item = json_array_get(items, DOCTOR_KERNEL);
	assert_string_equal(json_string_value(json_object_get(item, "name")),
			    "kernel");
	assert_string_equal(json_string_value(json_object_get(item, "state")),
			    "ok");
	assert_true(json_is_null(json_object_get(item, "remedy")));
	item = json_array_get(items, DOCTOR_PARANOID);
	assert_string_equal(json_string_value(json_object_get(item, "remedy")),
			    "sudo sysctl kernel.perf_event_paranoid=0");
	json_decref(root);
}

TEST_GROUP(doctor);
