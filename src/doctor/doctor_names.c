/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of functions: kallsyms, JIT maps, debug files. */
#include "doctor/doctor_judge.h"

#include <errno.h>
#include <string.h>

#include "base/caps.h"
#include "base/text.h"

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

/* A package with debug files, of the C library. */
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
