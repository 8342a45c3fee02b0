/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Permissions and limits: perf events, capabilities, tracepoints, memory of
 * rings, rate of samples, realtime priority. */
#include "doctor/doctor.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/caps.h"
#include "base/text.h"
#include "base/units.h"
#include "base/unknown.h"
#include "perf/session/session.h"

#define PARANOID "kernel.perf_event_paranoid"
#define MLOCK "kernel.perf_event_mlock_kb"
#define RATE "kernel.perf_event_max_sample_rate"
#define SHARE "kernel.perf_cpu_time_max_percent"

enum {
	USUAL_RATE = 100000,	/* the kernel's default */
	USUAL_SHARE = 25,
	DEFAULT_FREQ = 4000,	/* rbtop's and perf's */
};

/* Bytes pinned by rings of @bytes, one per CPU, each with its user page. */
static uint64_t pinned_by(const struct doctor_facts *f, uint64_t bytes)
{
	return (bytes + f->page_size) * f->cpus;
}

static uint64_t user_limit(const struct doctor_facts *f)
{
	uint64_t page_kb = f->page_size / 1024;

	return (uint64_t)f->mlock_kb.value / page_kb * f->page_size * f->cpus;
}

/*
 * The smallest perf_event_mlock_kb with which the default rings fit in addition
 * to those in use; 0: none.  The default size follows the limit, so each size
 * is tried.
 */
static uint64_t enough_kb(const struct doctor_facts *f)
{
	uint64_t used = unknown_as_zero(f->used), page = f->page_size;
	uint64_t bytes = session_default_bytes(f->mlock_kb.value), each;

	for (;; bytes *= 2) {
		each = (used + pinned_by(f, bytes) + f->cpus - 1) / f->cpus;
		each = (each + page - 1) / page * page;
		/* beyond, the default is no longer derived from it */
		if (each / 1024 > 1 << 24)
			return 0;
		if (session_default_bytes((long long)(each / 1024)) <=
		    bytes)
			return each / 1024;
	}
}

/*
 * Add the command that lets this user's rings of the default size fit into what
 * perf_event_mlock_kb allows.
 */
static void fix_by_mlock(const struct doctor_facts *f,
			 struct doctor_item *item)
{
	uint64_t kb;

	if (f->mlock_kb.error || !f->cpus)
		return;
	kb = enough_kb(f);
	if (kb > (uint64_t)f->mlock_kb.value)
		doctor_fix(item, "sudo sysctl " MLOCK "=%llu",
			   (unsigned long long)kb);
}

static bool is_denied(const struct doctor_trial *trial)
{
	return trial->error == -EACCES || trial->error == -EPERM;
}

/*
 * Capabilities affect no other program, so they are preferred; above level 2
 * they may not be enough (see session_paranoid()).  At level 2 and below, a user
 * who may open no event at all is refused by something else, such as a seccomp
 * filter; so is root without capabilities, in a container.  With privilege, only
 * the memory of the rings can be refused.
 */
static void fix_access(const struct doctor_facts *f, struct doctor_item *item)
{
	bool none = is_denied(&f->own);

	if (doctor_is_privileged(f)) {
		if (!none)
			fix_by_mlock(f, item);
		return;
	}
	if (!f->user.initial_user_ns || f->user.uid == 0)
		return;
	if (!none)
		doctor_fix_by_setcap(f, item);
	if (!item->remedy[0] && doctor_paranoid(f) > (none ? 2 : 0))
		doctor_fix(item, "sudo sysctl " PARANOID "=0");
}

void doctor_judge_start(const struct doctor_facts *f, struct doctor_item *item)
{
	char size[16];

	if (f->start.error) {
		doctor_say(item, DOCTOR_MISSING,
			   "rbtop without options does not start: %s",
			   f->start.said);
		if (is_denied(&f->start))
			fix_access(f, item);
		return;
	}
	units_bytes(size, sizeof(size), (double)f->ring_bytes);
	doctor_say(item, DOCTOR_OK,
		   "rbtop without options starts: opened %s and mapped %zu rings of %s, one per CPU",
		   f->event, f->rings, size);
	if (!f->mlock_kb.error &&
	    f->ring_bytes < session_default_bytes(f->mlock_kb.value)) {
		item->state = DOCTOR_LIMITED;
		fix_by_mlock(f, item);
	}
	if (f->start.said[0])
		doctor_add(item, "; %s", f->start.said);
}

static void say_level(const struct doctor_facts *f, struct doctor_item *item)
{
	static const char *const allowed[] = {
		"the whole system and its tracepoints: rings are not limited by mlock",
		"the whole system, but no data of tracepoints",
		"their own processes with the kernel, but not the whole system",
		"user space of their own processes (cpu-clock:u), but neither the kernel nor the whole system",
	};
	long long level = f->paranoid.value;
	size_t i = level < 0 ? 0 : level < 2 ? (size_t)level + 1 : 3;

	doctor_say(item, level > 0 ? DOCTOR_LIMITED : DOCTOR_OK,
		   PARANOID " is %lld: users may watch %s", level, allowed[i]);
	if (level > 0)
		doctor_fix(item, "sudo sysctl " PARANOID "=0");
}

void doctor_judge_paranoid(const struct doctor_facts *f,
			   struct doctor_item *item)
{
	if (f->own.error == -ENOSYS) {
		doctor_say(item, DOCTOR_MISSING,
			   "the kernel has no perf events: boot one that was built with CONFIG_PERF_EVENTS");
	} else if (f->paranoid.error) {
		doctor_say(item, DOCTOR_UNKNOWN,
			   PARANOID " cannot be read: %s",
			   strerror(-f->paranoid.error));
	} else if (is_denied(&f->own)) {
		doctor_say(item, DOCTOR_MISSING,
			   PARANOID " is %lld: this user may open no event at all%s",
			   f->paranoid.value,
			   f->user.seccomp ? ", or a seccomp filter refuses it" :
					     "");
		if (f->paranoid.value > 2)
			doctor_fix(item, "sudo sysctl " PARANOID "=0");
	} else if (doctor_is_privileged(f)) {
		doctor_say(item, DOCTOR_OK,
			   PARANOID " is %lld and does not apply: this user has %s",
			   f->paranoid.value,
			   doctor_has_cap(f, CAP_PERFMON) ? "CAP_PERFMON" :
							    "CAP_SYS_ADMIN");
	} else {
		say_level(f, item);
	}
}

/* What rbtop uses, and for what; @instead: a bit that includes it. */
static const struct {
	unsigned int capability, instead;
	const char *name, *use;
} wanted[] = {
	{ CAP_PERFMON, CAP_SYS_ADMIN, "CAP_PERFMON", "the whole system" },
	{ CAP_BPF, CAP_SYS_ADMIN, "CAP_BPF", "fill of other programs' rings" },
	{ CAP_SYS_PTRACE, CAP_SYS_PTRACE, "CAP_SYS_PTRACE",
	  "other users' processes" },
	{ CAP_IPC_LOCK, CAP_IPC_LOCK, "CAP_IPC_LOCK", "rings over the limit" },
	{ CAP_SYSLOG, CAP_SYSLOG, "CAP_SYSLOG", "kernel functions" },
	{ CAP_SYS_NICE, CAP_SYS_NICE, "CAP_SYS_NICE", "realtime readers" },
};
enum { NR_WANTED = sizeof(wanted) / sizeof(wanted[0]) };

void doctor_judge_capabilities(const struct doctor_facts *f,
			       struct doctor_item *item)
{
	char have[160] = "", lack[320] = "", one[80];
	size_t held = 0;

	for (size_t i = 0; i < NR_WANTED; i++) {
		if (doctor_has_cap(f, wanted[i].capability) ||
		    doctor_has_cap(f, wanted[i].instead)) {
			held++;
			text_list(have, sizeof(have),
				  doctor_has_cap(f, wanted[i].capability) ?
					  wanted[i].name : "CAP_SYS_ADMIN");
			continue;
		}
		snprintf(one, sizeof(one), "%s (%s)", wanted[i].name,
			 wanted[i].use);
		text_list(lack, sizeof(lack), one);
	}
	if (held == NR_WANTED) {
		doctor_say(item, DOCTOR_OK, "held: %s", have);
		return;
	}
	doctor_say(item, held ? DOCTOR_LIMITED : DOCTOR_MISSING,
		   "%s%s%snot held: %s", held ? "held: " : "", have,
		   held ? "; " : "", lack);
	if (!f->user.initial_user_ns)
		doctor_add(item, "; those of a user namespace do not count");
	doctor_fix_by_setcap(f, item);
}

/*
 * gid= and mode= of a mount: only root can read tracefs without.  Lockdown and
 * kernels without that tracepoint refuse it whatever the mount is like.
 */
static void fix_mount(const struct doctor_facts *f, struct doctor_item *item)
{
	unsigned int gid = (unsigned int)f->user.gid;

	if (f->tracefs[0] && (f->tracepoint_error != -EACCES ||
			      doctor_has_cap(f, CAP_DAC_READ_SEARCH) ||
			      !strcmp(f->lockdown, "confidentiality")))
		return;
	if (!doctor_has_cap(f, CAP_DAC_READ_SEARCH))
		doctor_add(item, "; the command lets group %u read tracefs",
			   gid);
	if (f->tracefs[0])
		doctor_fix(item, "sudo mount -o remount,mode=750,gid=%u %s",
			   gid, f->tracefs);
	else if (doctor_has_cap(f, CAP_DAC_READ_SEARCH))
		doctor_fix(item, "sudo mount -t tracefs tracefs /sys/kernel/tracing");
	else
		doctor_fix(item, "sudo mount -t tracefs -o mode=750,gid=%u tracefs /sys/kernel/tracing",
			   gid);
}

void doctor_judge_tracefs(const struct doctor_facts *f,
			  struct doctor_item *item)
{
	if (!f->tracefs[0] && !f->tracefs_dir) {
		doctor_say(item, DOCTOR_MISSING,
			   "the kernel has no tracepoints: boot one that was built with CONFIG_EVENT_TRACING");
		return;
	}
	if (!f->tracefs[0])
		doctor_say(item, DOCTOR_MISSING,
			   "tracefs is not mounted: no tracepoints%s",
			   doctor_has_cap(f, CAP_SYS_ADMIN) ?
				   " until -e names one, and rbtop mounts it" :
				   "");
	else if (f->tracepoint_error)
		doctor_say(item, DOCTOR_LIMITED,
			   "tracefs is mounted at %s, but a tracepoint's id cannot be read: %s",
			   f->tracefs, strerror(-f->tracepoint_error));
	else
		doctor_say(item, DOCTOR_OK,
			   "tracefs is mounted at %s, and tracepoints are readable",
			   f->tracefs);
	if (item->state != DOCTOR_OK)
		fix_mount(f, item);
	if (doctor_is_privileged(f) || doctor_paranoid(f) < 0)
		return;
	if (item->state == DOCTOR_OK)
		item->state = DOCTOR_LIMITED;
	doctor_add(item, "; their samples need root, CAP_PERFMON or " PARANOID " -1");
	doctor_fix_by_setcap(f, item);
}

/* Pages over the user's limit count against RLIMIT_MEMLOCK: perf_mmap(). */
static bool fits(const struct doctor_facts *f, uint64_t bytes)
{
	uint64_t all = unknown_as_zero(f->used) + bytes;
	uint64_t limit = user_limit(f);

	return all <= limit || f->memlock == UNKNOWN ||
	       all - limit <= f->memlock;
}

static void say_use(const struct doctor_facts *f, struct doctor_item *item)
{
	char used[16];

	if (f->used == UNKNOWN)
		doctor_add(item, ", of which the part in use is unknown");
	else if (f->used || f->used_by_bpf)
		doctor_add(item, ", %s%s in use",
			   f->used_by_bpf ? "" : "at least ",
			   units_bytes(used, sizeof(used), (double)f->used));
}

void doctor_judge_mlock(const struct doctor_facts *f, struct doctor_item *item)
{
	char limit[16], locked[16], bytes[16];
	const char *exempt = doctor_has_cap(f, CAP_IPC_LOCK) ? "CAP_IPC_LOCK" :
			     doctor_paranoid(f) < 0 ?
				     "kernel.perf_event_paranoid below 0" : NULL;
	uint64_t size;

	if (f->mlock_kb.error) {
		doctor_say(item, DOCTOR_UNKNOWN, MLOCK " cannot be read: %s",
			   strerror(-f->mlock_kb.error));
		return;
	}
	if (f->mlock_kb.value < 0 || !f->cpus) {
		doctor_say(item, DOCTOR_UNKNOWN,
			   MLOCK " is %lld, and the number of CPUs %s",
			   f->mlock_kb.value, f->cpus ? "known" : "unknown");
		return;
	}
	size = session_default_bytes(f->mlock_kb.value);
	doctor_say(item, DOCTOR_OK, MLOCK " is %lld: %s for this user's rings on %zu CPUs",
		   f->mlock_kb.value,
		   units_bytes(limit, sizeof(limit), (double)user_limit(f)),
		   f->cpus);
	say_use(f, item);
	if (exempt) {
		doctor_add(item, "; no limit with %s", exempt);
		return;
	}
	if (f->memlock == UNKNOWN)
		doctor_add(item, "; beyond that RLIMIT_MEMLOCK is unlimited");
	else
		doctor_add(item, "; beyond that %s of RLIMIT_MEMLOCK",
			   units_bytes(locked, sizeof(locked),
				       (double)f->memlock));
	if (fits(f, pinned_by(f, size)))
		return;
	item->state = DOCTOR_LIMITED;
	doctor_add(item, ": too little for rings of %s, so they get smaller",
		   units_bytes(bytes, sizeof(bytes), (double)size));
	fix_by_mlock(f, item);
}

/* The kernel takes no rate while the share is 0 or 100: no limit. */
static void fix_rate(const struct doctor_facts *f, struct doctor_item *item)
{
	long long share = f->cpu_percent.value;

	if (!f->cpu_percent.error && (share <= 0 || share >= 100))
		doctor_fix(item, "sudo sysctl " SHARE "=%d", USUAL_SHARE);
	doctor_fix(item, "sudo sysctl " RATE "=%d", USUAL_RATE);
}

void doctor_judge_rate(const struct doctor_facts *f, struct doctor_item *item)
{
	long long rate = f->max_rate.value, share = f->cpu_percent.value;
	bool lowered = f->lowered_to && rate <= f->lowered_to;

	if (f->max_rate.error) {
		doctor_say(item, DOCTOR_UNKNOWN, RATE " cannot be read: %s",
			   strerror(-f->max_rate.error));
		return;
	}
	doctor_say(item, DOCTOR_OK,
		   "at most %lld samples per second and CPU (" RATE ")", rate);
	if (!f->cpu_percent.error && (share <= 0 || share >= 100))
		doctor_add(item, ", which the kernel does not lower");
	else if (!f->cpu_percent.error)
		doctor_add(item, ", lowered if they take more than %lld%% of the CPU (" SHARE ")",
			   share);
	if (lowered && rate < USUAL_RATE)
		doctor_add(item, "; the kernel has lowered it: interrupts took too long");
	if (rate < DEFAULT_FREQ)
		doctor_add(item, "; less than the default of -F %d",
			   DEFAULT_FREQ);
	if (rate < DEFAULT_FREQ || (lowered && rate < USUAL_RATE)) {
		item->state = DOCTOR_LIMITED;
		fix_rate(f, item);
	}
}

void doctor_judge_realtime(const struct doctor_facts *f,
			   struct doctor_item *item)
{
	if (!f->realtime.error) {
		doctor_say(item, DOCTOR_OK,
			   "SCHED_FIFO was granted: a realtime reader on each CPU");
		return;
	}
	doctor_say(item, DOCTOR_LIMITED,
		   "no realtime readers: SCHED_FIFO was refused (%s), so rings need to be larger under load",
		   strerror(-f->realtime.error));
	if (!doctor_has_cap(f, CAP_SYS_NICE))
		doctor_fix_by_setcap(f, item);
}
