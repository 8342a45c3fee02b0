/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/session/session_elsewhere.h"

#include <errno.h>
#include <sys/param.h>

#include "base/cpulist.h"
#include "base/err.h"
#include "base/sys.h"
#include "perf/session/session_slot.h"
#include "perf/session/session_slot_open.h"

/* About 600 records of tasks and mappings; the reader is woken after 300. */
enum { ELSEWHERE_BYTES = 64 << 10 };

/*
 * The size and watermark of the options are for the watched rings only.  This
 * ring is drained even if those are overwrite rings.
 */
int session_elsewhere_open_slot(struct session *s, struct session_slot *slot,
				struct err *err)
{
	const struct session_opts asked = s->opts;
	uint64_t bytes = s->ring_bytes;
	int ret;

	s->ring_bytes = MAX(ELSEWHERE_BYTES, sys_page_size());
	s->opts.watermark = 0;
	s->opts.watermark_ratio = 0;
	s->opts.switch_events = false;
	s->opts.overwrite = false;
	ret = session_slot_open(s, slot, err);
	s->opts = asked;
	s->ring_bytes = bytes;
	return ret;
}

static int open_cpu(struct session *s, int cpu, struct err *err)
{
	struct session_slot *slot = session_slot_add(s, cpu, -1);
	int ret;

	if (!slot)
		return err_set(err, -ENOMEM, "CPU %d: out of memory", cpu);
	ret = session_elsewhere_open_slot(s, slot, err);
	if (ret)
		session_slot_free(s->slots[--s->nr_slots]);
	return ret;
}

void session_elsewhere_open(struct session *s)
{
	struct cpulist online = { 0 };
	struct err err = { 0 };
	int ret = 0;

	if (!s->opts.side_band_elsewhere ||
	    s->opts.target.mode != TARGET_CPUS || cpulist_online(&online, &err))
		return;
	sys_raise_nofile(s->want_files + online.nr);
	for (size_t i = 0; !ret && i < online.nr; i++) {
		if (!session_slot_is_elsewhere(s, online.cpus[i]))
			continue;
		ret = open_cpu(s, online.cpus[i], &err);
		/* the CPU went offline meanwhile */
		if (ret == -ENODEV)
			ret = 0;
	}
	if (ret)
		session_notice_add(s, "tasks from other CPUs may have no "
				   "name: %s", err.text);
	cpulist_free(&online);
}
