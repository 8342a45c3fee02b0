/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any other PMU that accepts an AUX mapping. perf has no decoder for it, so
 * there is no AUXTRACE_INFO; positions, snapshots and flags are the kernel's,
 * and the same for all PMUs.
 */
#include "trace/pmu/auxtrace.h"

#include "base/sys.h"
#include "perf/abi/ring.h"

static int generic_configure(const struct auxtrace_env *env,
			     const struct auxtrace *trace,
			     struct session_opts *session,
			     struct event_spec *spec, struct err *err)
{
	(void)env;
	(void)trace;
	(void)session;
	(void)err;
	auxtrace_period_one(spec);
	return 0;
}

/* Map the smallest rings.  Arm's PMUs require an even number of pages. */
static bool maps(int fd)
{
	uint64_t page = sys_page_size();
	struct aux_ring aux;
	struct ring ring;
	int ret;

	if (ring_map(&ring, fd, page, false))
		return false;
	ret = aux_ring_map(&aux, &ring, page, true);
	if (ret)
		ret = aux_ring_map(&aux, &ring, 2 * page, true);
	if (!ret)
		aux_ring_unmap(&aux);
	ring_unmap(&ring);
	return ret == 0;
}

/*
 * Open the event on this process or, if the PMU does not follow tasks, on its
 * first CPU.
 */
static int open_trial(const struct event_spec *spec)
{
	struct perf_event_attr attr = spec->attr;
	int cpu = spec->cpus.nr ? spec->cpus.cpus[0] : 0;
	int fd;

	attr.size = sizeof(attr);
	attr.disabled = 1;
	attr.sample_period = 1;
	fd = sys_perf_event_open(&attr, 0, -1, -1, 0);
	return fd < 0 ? sys_perf_event_open(&attr, -1, cpu, -1, 0) : fd;
}

bool auxtrace_generic_maps(const struct event_spec *spec)
{
	int fd = open_trial(spec);
	bool does;

	/* if it cannot be opened, session_open() reports why */
	if (fd < 0)
		return false;
	does = maps(fd);
	sys_close(fd);
	return does;
}

const struct auxtrace_ops auxtrace_generic = {
	.name = "AUX",
	.alignment = 1,
	.configure = generic_configure,
	AUXTRACE_COMMON_OPS,
};
