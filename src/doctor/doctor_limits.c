/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits: memory of rings, rate of samples, realtime priority. */
#include "doctor/doctor_judge.h"

#include <string.h>

#include "base/caps.h"
#include "base/units.h"
#include "base/unknown.h"
#include "perf/session/session.h"

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
 * The least kilobytes per CPU for the default rings beside those in use.  The
 * default size follows the limit, so each size is tried.
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

void doctor_fix_by_mlock(const struct doctor_facts *f,
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

/* Pages over the user's limit count against RLIMIT_MEMLOCK: perf_mmap(). */
static bool fits(const struct doctor_facts *f, uint64_t wanted)
{
	uint64_t all = unknown_as_zero(f->used) + wanted;
	uint64_t limit = user_limit(f);

	return all <= limit || f->memlock == UNKNOWN ||
	       all - limit <= f->memlock;
}

static void say_use(const struct doctor_facts *f, struct doctor_item *item)
{
	char used[16];

	if (f->used == UNKNOWN)
		doctor_add(item, ", of which the part in use is unknown");
	else
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
	doctor_fix_by_mlock(f, item);
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
