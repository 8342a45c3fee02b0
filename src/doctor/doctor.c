/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor/doctor.h"

#include <string.h>

#include "doctor/doctor_judge.h"

static const struct {
	const char *name;
	doctor_judge_fn *judge;
} judges[DOCTOR_ITEMS] = {
#define DOCTOR(id, name) { #name, doctor_judge_##name },
#include "doctor/doctor.def"
#undef DOCTOR
};

const char *doctor_name(enum doctor_id id)
{
	return judges[id].name;
}

const char *doctor_state_name(enum doctor_state state)
{
	static const char *const names[DOCTOR_STATES] = {
		[DOCTOR_OK] = "ok",
		[DOCTOR_LIMITED] = "limited",
		[DOCTOR_MISSING] = "missing",
		[DOCTOR_UNKNOWN] = "unknown",
	};

	return names[state];
}

void doctor_judge(const struct doctor_facts *facts,
		  struct doctor_item items[DOCTOR_ITEMS])
{
	memset(items, 0, DOCTOR_ITEMS * sizeof(*items));
	for (size_t i = 0; i < DOCTOR_ITEMS; i++) {
		judges[i].judge(facts, &items[i]);
		if (items[i].state == DOCTOR_OK)
			items[i].remedy[0] = '\0';
	}
}

/* A terminal that is not there (a pipe) cannot be judged, and is unknown. */
bool doctor_starts(const struct doctor_item items[DOCTOR_ITEMS])
{
	return items[DOCTOR_START].state != DOCTOR_MISSING &&
	       items[DOCTOR_TERMINAL].state != DOCTOR_MISSING;
}
