/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Namespaces, processes, the terminal, libraries. */
#include "doctor/doctor_judge.h"

#include "base/caps.h"

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
