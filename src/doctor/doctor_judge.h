/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The judgement of each item, from facts alone, and what the judges share.
 * Files of doctor_judge_NAME(): doctor_access.c and doctor_system.c.
 */
#ifndef RBTOP_DOCTOR_DOCTOR_JUDGE_H
#define RBTOP_DOCTOR_DOCTOR_JUDGE_H

#include "doctor/doctor.h"

typedef void doctor_judge_fn(const struct doctor_facts *f,
			     struct doctor_item *item);
#define DOCTOR(id, name) doctor_judge_fn doctor_judge_##name;
#include "doctor/doctor.def"
#undef DOCTOR

/* Set the state and the fact; or add to the fact. */
void doctor_say(struct doctor_item *item, enum doctor_state state,
		const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void doctor_add(struct doctor_item *item, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Add a command to the remedy: all of them are needed. */
void doctor_fix(struct doctor_item *item, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/*
 * Add the command that gives rbtop the capabilities for all that it can
 * do; none if file capabilities would not help this user.
 */
void doctor_fix_by_setcap(const struct doctor_facts *f,
			  struct doctor_item *item);

/* Whether the user has the capability, where the kernel asks for it. */
bool doctor_has_cap(const struct doctor_facts *f, unsigned int capability);
/* Whether perf_event_paranoid does not apply: CAP_PERFMON, CAP_SYS_ADMIN. */
bool doctor_is_privileged(const struct doctor_facts *f);
/* kernel.perf_event_paranoid; 2, the kernel's default, if unknown. */
long long doctor_paranoid(const struct doctor_facts *f);

#endif
