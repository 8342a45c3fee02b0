/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel, PMUs, names of functions, namespaces, the terminal. */
#include "doctor/doctor.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/caps.h"
#include "base/text.h"
#include "base/units.h"
#include "perf/event/pmu.h"

#define BTF "/sys/kernel/btf/vmlinux"

/* Whether the running kernel is older. */
static bool is_before(const struct doctor_facts *f, unsigned int major,
		      unsigned int minor)
{
	unsigned int is_major, is_minor;

	if (sscanf(f->release, "%u.%u", &is_major, &is_minor) != 2)
		return false;
	return is_major < major || (is_major == major && is_minor < minor);
}

void doctor_judge_kernel(const struct doctor_facts *f, struct doctor_item *item)
{
	static const struct {
		unsigned int major, minor;
		const char *without;
	} newer[] = {
		{ 6, 0, "losses of each event" },
		{ 5, 12, "rings whose descriptors were closed in the host view" },
		{ 5, 8, "BPF in the host view, and CAP_PERFMON" },
	};
	char lack[200] = "";

	for (size_t i = 0; i < sizeof(newer) / sizeof(newer[0]); i++)
		if (is_before(f, newer[i].major, newer[i].minor))
			text_list(lack, sizeof(lack), newer[i].without);
	if (!f->release[0])
		doctor_say(item, DOCTOR_UNKNOWN,
			   "uname(2) names no release");
	else if (lack[0])
		doctor_say(item, DOCTOR_LIMITED,
			   "Linux %s (%s) is too old for: %s; boot Linux 6.0 or later",
			   f->release, f->machine, lack);
	else
		doctor_say(item, DOCTOR_OK, "Linux %s (%s)", f->release,
			   f->machine);
}

void doctor_judge_config(const struct doctor_facts *f, struct doctor_item *item)
{
	static const struct {
		const char *name, *use;
	} options[DOCTOR_CONFIG_OPTIONS] = {
#define CONFIG(id, use) { #id, use },
		DOCTOR_CONFIGS(CONFIG)
#undef CONFIG
	};
	const struct doctor_config *config = &f->config;
	char have[200] = "", lack[320] = "";

	if (!config->from[0]) {
		doctor_say(item, DOCTOR_UNKNOWN,
			   "the kernel's configuration cannot be read: %s",
			   config->why);
		return;
	}
	for (unsigned int i = 0; i < DOCTOR_CONFIG_OPTIONS; i++)
		if (config->set[i])
			text_list(have, sizeof(have), options[i].name);
		else
			text_append(lack, sizeof(lack), "%sCONFIG_%s (%s)",
				    lack[0] ? ", " : "", options[i].name,
				    options[i].use);
	if (!lack[0])
		doctor_say(item, DOCTOR_OK, "%s has all that rbtop uses: %s",
			   config->from, have);
	else
		doctor_say(item,
			   config->set[DOCTOR_CONFIG_PERF_EVENTS] ?
				   DOCTOR_LIMITED : DOCTOR_MISSING,
			   "%s does not have %s; boot a kernel built with it",
			   config->from, lack);
}

void doctor_judge_btf(const struct doctor_facts *f, struct doctor_item *item)
{
	char size[16];

	if (!f->btf.error)
		doctor_say(item, DOCTOR_OK, BTF " has %s of types",
			   units_bytes(size, sizeof(size),
				       (double)f->btf.value));
	else if (f->btf.error == -ENOENT)
		doctor_say(item, DOCTOR_MISSING,
			   "there is no " BTF ", which the host view by BPF needs; boot a kernel built with CONFIG_DEBUG_INFO_BTF");
	else
		doctor_say(item, DOCTOR_UNKNOWN, BTF " cannot be read: %s",
			   strerror(-f->btf.error));
}

void doctor_judge_bpf(const struct doctor_facts *f, struct doctor_item *item)
{
	if (!f->bpf.error) {
		doctor_say(item, DOCTOR_OK,
			   "the host view's programs were loaded and found %zu rings",
			   f->bpf_rings);
		if (f->no_ends) {
			item->state = DOCTOR_LIMITED;
			doctor_add(item, "; losses between the last poll and the end of a ring are not counted: %s",
				   is_before(f, 6, 0) ?
				   "that needs Linux 6.0 or later" :
				   "the kernel runs no fentry programs");
		}
		if (f->bpf.said[0]) {
			item->state = DOCTOR_LIMITED;
			doctor_add(item, "; %s", f->bpf.said);
		}
		return;
	}
	doctor_say(item, DOCTOR_LIMITED,
		   "the host view knows owners and sizes only, from /proc: %s",
		   f->bpf.said);
	if (f->bpf_built_in && !doctor_has_cap(f, CAP_SYS_ADMIN) &&
	    !(doctor_has_cap(f, CAP_BPF) && doctor_has_cap(f, CAP_PERFMON)))
		doctor_fix_by_setcap(f, item);
}

void doctor_judge_drops(const struct doctor_facts *f, struct doctor_item *item)
{
	if (f->bpf.error)
		doctor_say(item, DOCTOR_LIMITED,
			   "what BPF ring buffers drop cannot be counted without BPF");
	else if (f->drops.error)
		doctor_say(item, DOCTOR_LIMITED, "%s", f->drops.said);
	else
		doctor_say(item, DOCTOR_OK,
			   "the BPF program for --host --ringbuf-drops can be loaded; whether the kernel lets it attach is known only when counting begins");
}

void doctor_judge_lockdown(const struct doctor_facts *f,
			   struct doctor_item *item)
{
	if (!strcmp(f->lockdown, "confidentiality"))
		doctor_say(item, DOCTOR_LIMITED,
			   "kernel lockdown is confidentiality: neither tracefs nor BPF may be used; boot with lockdown=integrity");
	else if (f->lockdown[0])
		doctor_say(item, DOCTOR_OK,
			   "kernel lockdown is %s, which forbids nothing that rbtop uses",
			   f->lockdown);
	else if (f->securityfs)
		doctor_say(item, DOCTOR_OK, "the kernel has no lockdown");
	else
		doctor_say(item, DOCTOR_UNKNOWN,
			   "cannot be determined: securityfs is not mounted");
	if (item->state == DOCTOR_UNKNOWN)
		doctor_fix(item, "sudo mount -t securityfs securityfs /sys/kernel/security");
}

void doctor_judge_pmus(const struct doctor_facts *f, struct doctor_item *item)
{
	size_t all = f->nr_pmus + f->more_pmus;
	char list[300] = "";

	if (f->pmus_error) {
		doctor_say(item, DOCTOR_UNKNOWN,
			   PMU_DEVICES " cannot be read: %s",
			   strerror(-f->pmus_error));
		return;
	}
	for (size_t i = 0; i < f->nr_pmus; i++)
		if (!text_list(list, sizeof(list), f->pmus[i].name))
			break;
	if (f->core[0])
		doctor_say(item, DOCTOR_OK, "%zu PMUs: %s", all, list);
	else
		doctor_say(item, DOCTOR_LIMITED,
			   "%zu PMUs: %s; none counts cycles, so the default event is cpu-clock (a virtual machine has only the PMU that its host gives it)",
			   all, list);
}

void doctor_judge_aux(const struct doctor_facts *f, struct doctor_item *item)
{
	bool any = false;

	for (size_t i = 0; i < f->nr_pmus; i++) {
		const struct doctor_pmu *pmu = &f->pmus[i];

		if (!pmu->kind[0])
			continue;
		if (!any)
			doctor_say(item, DOCTOR_OK, "traces into AUX rings: ");
		doctor_add(item, "%s%s (%s%s%s)", any ? "; " : "", pmu->name,
			   pmu->kind, pmu->caps[0] ? ": " : "", pmu->caps);
		any = true;
	}
	if (f->pmus_error)
		doctor_say(item, DOCTOR_UNKNOWN,
			   PMU_DEVICES " cannot be read: %s",
			   strerror(-f->pmus_error));
	else if (!any)
		doctor_say(item, DOCTOR_MISSING,
			   "no PMU that traces (intel_pt, intel_bts, cs_etm, arm_spe_N): no AUX rings");
}

void doctor_judge_watchdog(const struct doctor_facts *f,
			   struct doctor_item *item)
{
	if (f->nmi_watchdog.error == -ENOENT)
		doctor_say(item, DOCTOR_OK,
			   "the kernel has no NMI watchdog, which would use a counter");
	else if (f->nmi_watchdog.error)
		doctor_say(item, DOCTOR_UNKNOWN,
			   "kernel.nmi_watchdog cannot be read: %s",
			   strerror(-f->nmi_watchdog.error));
	else if (!f->nmi_watchdog.value)
		doctor_say(item, DOCTOR_OK,
			   "kernel.nmi_watchdog is 0: it uses no counter");
	else if (!f->core[0])
		doctor_say(item, DOCTOR_OK,
			   "kernel.nmi_watchdog is %lld, but this machine has no counter for it",
			   f->nmi_watchdog.value);
	else
		doctor_say(item, DOCTOR_LIMITED,
			   "kernel.nmi_watchdog is %lld: it uses a counter on every CPU",
			   f->nmi_watchdog.value);
	if (item->state == DOCTOR_LIMITED)
		doctor_fix(item, "sudo sysctl kernel.nmi_watchdog=0");
}

/* kallsyms_show_value() in kernel/ksyms_common.c, for which level 1 is enough;
 * other items need 0. */
static void fix_kallsyms(const struct doctor_facts *f,
			 struct doctor_item *item)
{
	long long restricted = f->kptr_restrict.value;
	bool syslog = doctor_has_cap(f, CAP_SYSLOG);

	if (restricted >= 2)
		doctor_fix(item, "sudo sysctl kernel.kptr_restrict=%d",
			   syslog ? 1 : 0);
	else if (restricted == 1 && !syslog)
		doctor_fix(item, "sudo sysctl kernel.kptr_restrict=0");
	if (!syslog && doctor_paranoid(f) > 1)
		doctor_fix(item, "sudo sysctl kernel.perf_event_paranoid=0");
}

void doctor_judge_kallsyms(const struct doctor_facts *f,
			   struct doctor_item *item)
{
	const struct doctor_number *symbols = &f->kallsyms;

	if (!symbols->error) {
		doctor_say(item, DOCTOR_OK,
			   "%lld kernel functions have names", symbols->value);
	} else if (symbols->error == -EACCES) {
		doctor_say(item, DOCTOR_LIMITED,
			   "the kernel hides the addresses of its functions, so they have no names: kernel.kptr_restrict is %lld",
			   f->kptr_restrict.value);
		if (!doctor_has_cap(f, CAP_SYSLOG))
			doctor_add(item, ", kernel.perf_event_paranoid is %lld, CAP_SYSLOG is not held",
				   doctor_paranoid(f));
		fix_kallsyms(f, item);
	} else {
		doctor_say(item, DOCTOR_MISSING,
			   "/proc/kallsyms cannot be read: %s; boot a kernel built with CONFIG_KALLSYMS",
			   strerror(-symbols->error));
	}
}

void doctor_judge_jit(const struct doctor_facts *f, struct doctor_item *item)
{
	if (f->jit_maps)
		doctor_say(item, DOCTOR_OK,
			   "/tmp/perf-PID.map files with JIT symbols: %zu",
			   f->jit_maps);
	else
		doctor_say(item, DOCTOR_OK,
			   "no /tmp/perf-PID.map now: JIT compilers write one on request (node --perf-basic-prof, python3 -X perf)");
}

/* The command that installs the debug files of the C library. */
static void fix_debuginfo(const struct doctor_facts *f,
			  struct doctor_item *item)
{
	static const struct {
		const char *distribution, *command;
	} packages[] = {
		{ "debian", "sudo apt-get install libc6-dbg" },
		{ "ubuntu", "sudo apt-get install libc6-dbg" },
		{ "fedora", "sudo dnf debuginfo-install glibc" },
	};

	for (size_t i = 0; i < sizeof(packages) / sizeof(packages[0]); i++)
		if (!strcmp(f->distribution, packages[i].distribution))
			doctor_fix(item, "%s", packages[i].command);
}

void doctor_judge_debuginfo(const struct doctor_facts *f,
			    struct doctor_item *item)
{
	char list[400] = "";

	if (f->debug_files)
		text_list(list, sizeof(list), "/usr/lib/debug");
	if (f->perf_cache)
		text_list(list, sizeof(list), "~/.debug");
	if (f->debug_cache[0])
		text_list(list, sizeof(list), f->debug_cache);
	if (list[0]) {
		doctor_say(item, DOCTOR_OK, "debug files are looked up in %s",
			   list);
		return;
	}
	doctor_say(item, DOCTOR_LIMITED,
		   "no debug files in /usr/lib/debug or the caches of perf and debuginfod: stripped programs have names only for functions that they export");
	fix_debuginfo(f, item);
}

void doctor_judge_namespaces(const struct doctor_facts *f,
			     struct doctor_item *item)
{
	const struct doctor_user *user = &f->user;

	if (user->initial_user_ns && user->initial_pid_ns)
		doctor_say(item, DOCTOR_OK,
			   "not in a container: the machine's own users and processes");
	else
		doctor_say(item, DOCTOR_LIMITED,
			   "in a container:%s%s run rbtop outside of it",
			   user->initial_user_ns ? "" :
				" root's capabilities do not count;",
			   user->initial_pid_ns ? "" :
				" the pids of processes outside are unknown;");
	if (user->seccomp)
		doctor_add(item, "; a seccomp filter may refuse system calls");
	if (user->no_new_privs)
		doctor_add(item, "; no_new_privs is set: sudo has no effect");
}

void doctor_judge_processes(const struct doctor_facts *f,
			    struct doctor_item *item)
{
	bool hidden = f->hidepid[0] && !doctor_has_cap(f, CAP_SYS_PTRACE);

	if (!f->processes) {
		doctor_say(item, DOCTOR_MISSING,
			   "there are no processes in /proc: it is not mounted");
		doctor_fix(item, "sudo mount -t proc proc /proc");
		return;
	}
	doctor_say(item, DOCTOR_OK,
		   "mappings of %zu of %zu processes are readable",
		   f->readable, f->processes);
	if (f->readable < f->processes && doctor_has_cap(f, CAP_SYS_PTRACE)) {
		doctor_add(item, "; a security policy protects the others");
	} else if (f->readable < f->processes || hidden) {
		item->state = DOCTOR_LIMITED;
		doctor_add(item, "; functions in files of the others have no names");
		doctor_fix_by_setcap(f, item);
	}
	if (f->hidepid[0])
		doctor_add(item, "; /proc is mounted with hidepid=%s%s",
			   f->hidepid, hidden ? ", which hides others' processes" :
				       "");
	if (hidden && !item->remedy[0])
		doctor_fix(item, "sudo mount -o remount,hidepid=0 /proc");
}

void doctor_judge_terminal(const struct doctor_facts *f,
			   struct doctor_item *item)
{
	const struct doctor_terminal *t = &f->terminal;
	const char *xterm = "export TERM=xterm-256color";

	if (!t->is_terminal) {
		doctor_say(item, DOCTOR_UNKNOWN,
			   "standard output is not a terminal");
		return;
	}
	if (!t->known) {
		doctor_say(item, DOCTOR_MISSING,
			   "TERM is %s%s: terminfo has no screen of that type",
			   t->type[0] ? "" : "not set", t->type);
		doctor_fix(item, "%s", xterm);
		return;
	}
	doctor_say(item, DOCTOR_OK, "TERM is %s: %d colours%s, %s, %s", t->type,
		   t->colours, t->no_color ? " (off by NO_COLOR)" : "",
		   t->utf8 ? "UTF-8" : "no UTF-8",
		   t->mouse ? "mouse" : "no mouse");
	if (t->rows && t->cols)
		doctor_add(item, ", %d columns, %d rows", t->cols, t->rows);
	if (t->utf8 && t->colours >= 8)
		return;
	item->state = DOCTOR_LIMITED;
	doctor_add(item, "; drawn %s%s%s", t->utf8 ? "" : "in ASCII",
		   t->utf8 || t->colours >= 8 ? "" : " and ",
		   t->colours >= 8 ? "" : "without colours");
	if (!t->utf8)
		doctor_fix(item, "export LC_ALL=C.UTF-8");
	if (t->colours < 8)
		doctor_fix(item, "%s", xterm);
}

void doctor_judge_libraries(const struct doctor_facts *f,
			    struct doctor_item *item)
{
	bool zlib = f->zlib_built_in;

	if (f->bpf_built_in && zlib)
		doctor_say(item, DOCTOR_OK,
			   "built with all optional libraries: libbpf (the host view), zlib (/proc/config.gz)");
	else
		doctor_say(item, DOCTOR_LIMITED,
			   "built without%s%s%s",
			   f->bpf_built_in ? "" :
				" libbpf: the host view knows owners and sizes only",
			   f->bpf_built_in || zlib ? "" : ";",
			   zlib ? "" : " zlib: /proc/config.gz cannot be read");
}
