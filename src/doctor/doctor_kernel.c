/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel: its release, configuration, BTF, BPF, lockdown. */
#include "doctor/doctor_judge.h"

#include <errno.h>
#include <string.h>

#include "base/caps.h"
#include "base/text.h"
#include "base/units.h"

#define BTF "/sys/kernel/btf/vmlinux"

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
		if (doctor_kernel_before(f, newer[i].major, newer[i].minor))
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
	const struct doctor_config *config = &f->config;
	char have[200] = "", lack[320] = "";

	if (!config->from[0]) {
		doctor_say(item, DOCTOR_UNKNOWN,
			   "the kernel's configuration cannot be read: %s",
			   config->why);
		return;
	}
	for (unsigned int i = 0; i < DOCTOR_CONFIG_OPTIONS; i++) {
		enum doctor_config_option option =
			(enum doctor_config_option)i;

		if (config->set[i]) {
			text_list(have, sizeof(have),
				  doctor_config_name(option) +
					  strlen("CONFIG_"));
			continue;
		}
		text_append(lack, sizeof(lack), "%s%s (%s)",
			    lack[0] ? ", " : "", doctor_config_name(option),
			    doctor_config_use(option));
	}
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
		if (f->no_ends)
			doctor_add(item, "; what a ring loses between the last poll and its end is not counted: that needs Linux 6.0 or later, and fentry");
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
