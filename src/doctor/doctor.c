/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor/doctor.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/caps.h"
#include "base/text.h"
#include "export/json_put.h"

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

/* Without a terminal (a pipe) its state is unknown, not missing. */
bool doctor_starts(const struct doctor_item items[DOCTOR_ITEMS])
{
	return items[DOCTOR_START].state != DOCTOR_MISSING &&
	       items[DOCTOR_TERMINAL].state != DOCTOR_MISSING;
}

/* All that rbtop can use; see the man page for their use. */
#define CAPABILITIES \
	"cap_perfmon,cap_bpf,cap_ipc_lock,cap_sys_ptrace,cap_syslog,cap_sys_nice"
/* The same before Linux 5.8. */
#define OLD_CAPABILITIES \
	"cap_sys_admin,cap_ipc_lock,cap_sys_ptrace,cap_syslog,cap_sys_nice"

void doctor_say(struct doctor_item *item, enum doctor_state state,
		const char *fmt, ...)
{
	va_list ap;

	item->state = state;
	va_start(ap, fmt);
	vsnprintf(item->fact, sizeof(item->fact), fmt, ap);
	va_end(ap);
	text_sanitize(item->fact);
}

void doctor_add(struct doctor_item *item, const char *fmt, ...)
{
	size_t len = strlen(item->fact);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(item->fact + len, sizeof(item->fact) - len, fmt, ap);
	va_end(ap);
	text_sanitize(item->fact);
}

void doctor_fix(struct doctor_item *item, const char *fmt, ...)
{
	size_t len = strlen(item->remedy), left;
	va_list ap;
	int n;

	if (len)
		text_append(item->remedy, sizeof(item->remedy), " && ");
	len = strlen(item->remedy);
	left = sizeof(item->remedy) - len;
	va_start(ap, fmt);
	n = vsnprintf(item->remedy + len, left, fmt, ap);
	va_end(ap);
	/* a cut command must not be run */
	if (n < 0 || (size_t)n >= left)
		item->remedy[0] = '\0';
}

/*
 * File capabilities have no effect on a file system mounted nosuid; under
 * no_new_privs neither they nor sudo have.
 */
void doctor_fix_by_setcap(const struct doctor_facts *f,
			  struct doctor_item *item)
{
	const struct doctor_user *user = &f->user;
	const char *program = user->program[0] ? user->program : "rbtop";

	/* root without capabilities, as in a container, cannot gain them */
	if (!user->initial_user_ns || user->no_new_privs || user->uid == 0)
		return;
	if (user->nosuid || !user->program[0])
		doctor_fix(item, "sudo %s", program);
	else if (!f->last_cap.error && f->last_cap.value < CAP_BPF)
		doctor_fix(item, "sudo setcap " OLD_CAPABILITIES "=ep %s",
			   program);
	else
		doctor_fix(item, "sudo setcap " CAPABILITIES "=ep %s",
			   program);
}

bool doctor_has_cap(const struct doctor_facts *f, unsigned int capability)
{
	return f->user.caps >> capability & 1;
}

bool doctor_is_privileged(const struct doctor_facts *f)
{
	return doctor_has_cap(f, CAP_PERFMON) ||
	       doctor_has_cap(f, CAP_SYS_ADMIN);
}

long long doctor_paranoid(const struct doctor_facts *f)
{
	return f->paranoid.error ? 2 : f->paranoid.value;
}

/* Columns of the name and of the state, and where facts begin. */
enum { NAME = 12, STATE = 7, FACT = NAME + 2 + STATE + 2, MIN_WIDTH = 12 };

/* Bytes of @text for a line of @width: up to a blank, if there is one. */
static size_t line_bytes(const char *text, int width)
{
	size_t max = text_prefix(text, width), at = max;

	if (!text[max] || !max)
		return strlen(text);
	while (at && text[at] != ' ')
		at--;
	return at ? at : max;
}

static void print_folded(const char *text, int columns, FILE *out)
{
	size_t len = strlen(text);
	int width = columns - FACT;

	if (width >= MIN_WIDTH)
		len = line_bytes(text, width);
	fprintf(out, "%.*s\n", (int)len, text);
	for (text += len; *text; text += len) {
		text += *text == ' ';
		len = line_bytes(text, width);
		fprintf(out, "%*s%.*s\n", FACT, "", (int)len, text);
	}
}

/* The remedy, whole, to be copied; one that stands above is only named. */
static void print_remedy(const struct doctor_item items[DOCTOR_ITEMS],
			 unsigned int nr, FILE *out)
{
	unsigned int first = 0;

	while (strcmp(items[first].remedy, items[nr].remedy) != 0)
		first++;
	if (first < nr)
		fprintf(out, "%*sas for %s\n", FACT, "",
			doctor_name((enum doctor_id)first));
	else
		fprintf(out, "%*s%s\n", FACT, "", items[nr].remedy);
}

void doctor_print_text(const struct doctor_item items[DOCTOR_ITEMS],
		       int columns, FILE *out)
{
	for (unsigned int i = 0; i < DOCTOR_ITEMS; i++) {
		fprintf(out, "%-*s  %-*s  ", NAME,
			doctor_name((enum doctor_id)i), STATE,
			doctor_state_name(items[i].state));
		print_folded(items[i].fact, columns, out);
		if (items[i].remedy[0])
			print_remedy(items, i, out);
	}
}

int doctor_print_json(const struct doctor_item items[DOCTOR_ITEMS], FILE *out)
{
	struct json_text text = { 0 };
	struct json_put top = json_put_begin(&text), list, item;

	json_put_count(&top, "version", 1);
	json_put_bool(&top, "starts", doctor_starts(items));
	list = json_put_array(&top, "items");
	for (unsigned int i = 0; i < DOCTOR_ITEMS; i++) {
		item = json_put_object(&list, NULL);
		json_put_text(&item, "name", doctor_name((enum doctor_id)i));
		json_put_text(&item, "state",
			      doctor_state_name(items[i].state));
		json_put_text(&item, "fact", items[i].fact);
		json_put_text_set(&item, "remedy", items[i].remedy);
		json_put_end(&item);
	}
	json_put_end(&list);
	json_put_end(&top);
	if (!text.failed)
		fprintf(out, "%.*s\n", (int)text.len, text.text);
	free(text.text);
	return text.failed ? -ENOMEM : 0;
}
