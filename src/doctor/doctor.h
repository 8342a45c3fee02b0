/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rbtop --doctor: what this machine allows this user, what is missing, and the
 * commands that fix it.
 *
 * The facts are read (doctor_read) and tried (doctor_try), then judged without
 * looking at the machine again, and printed.  What is tried changes nothing:
 * events stay disabled, and all is closed again.
 */
#ifndef RBTOP_DOCTOR_DOCTOR_H
#define RBTOP_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stdio.h>

struct doctor_facts;

enum doctor_id {
#define DOCTOR(id, name) DOCTOR_##id,
#include "doctor/doctor.def"
#undef DOCTOR
	DOCTOR_ITEMS
};

enum doctor_state {
	DOCTOR_OK,
	DOCTOR_LIMITED,		/* rbtop works, and something does not */
	DOCTOR_MISSING,
	DOCTOR_UNKNOWN,		/* it cannot be found out; the fact says why */
	DOCTOR_STATES
};

struct doctor_item {
	enum doctor_state state;
	char fact[480];		/* a sentence with the figure */
	char remedy[320];	/* a command for a shell; "": ok, or none
				 * helps */
};

/* "mlock"; "limited". */
const char *doctor_name(enum doctor_id id);
const char *doctor_state_name(enum doctor_state state);

/*
 * Read the facts from files below @root ("": those of this machine), except
 * facts->terminal, which is left as it is.
 */
void doctor_read(const char *root, struct doctor_facts *facts);
/*
 * Add what can only be found out by trying, on this machine: opens the events
 * and rings that rbtop opens by default, a moment of SCHED_FIFO, the BPF
 * programs, and the files of other processes.
 */
void doctor_try(struct doctor_facts *facts);

/* Write all items. */
void doctor_judge(const struct doctor_facts *facts,
		  struct doctor_item items[DOCTOR_ITEMS]);
/* Whether rbtop without options would start, by these items. */
bool doctor_starts(const struct doctor_item items[DOCTOR_ITEMS]);

/*
 * Print a line per item, and one for its remedy; facts are folded to @columns,
 * 0: not at all.
 */
void doctor_print_text(const struct doctor_item items[DOCTOR_ITEMS],
		       int columns, FILE *out);
/* The same as a JSON object.  0 or -ENOMEM. */
int doctor_print_json(const struct doctor_item items[DOCTOR_ITEMS], FILE *out);

#endif
