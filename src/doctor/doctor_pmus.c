/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PMUs and the counters that are free. */
#include "doctor/doctor_judge.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

void doctor_judge_pmus(const struct doctor_facts *f, struct doctor_item *item)
{
	size_t all = f->nr_pmus + f->more_pmus;
	char list[300] = "";

	if (f->pmus_error) {
		doctor_say(item, DOCTOR_UNKNOWN,
			   "/sys/bus/event_source/devices cannot be read: %s",
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
			   "/sys/bus/event_source/devices cannot be read: %s",
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
