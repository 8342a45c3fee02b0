/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor/doctor_judge.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/caps.h"
#include "base/text.h"

/* All that rbtop can use; the man page says what for. */
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
	/* a part of a command is none */
	if (n < 0 || (size_t)n >= left)
		item->remedy[0] = '\0';
}

/*
 * File capabilities have no effect on a file system mounted nosuid, and neither
 * have they, nor sudo, once a process cannot gain privileges.
 */
void doctor_fix_by_setcap(const struct doctor_facts *f,
			  struct doctor_item *item)
{
	const struct doctor_user *user = &f->user;
	const char *program = user->program[0] ? user->program : "rbtop";

	/* root without them was deprived of them: in a container, for one */
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

bool doctor_kernel_before(const struct doctor_facts *f, unsigned int major,
			  unsigned int minor)
{
	unsigned int is_major, is_minor;

	if (sscanf(f->release, "%u.%u", &is_major, &is_minor) != 2)
		return false;
	return is_major < major || (is_major == major && is_minor < minor);
}
