/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plugin that workload.c opens while it runs. */
#include "workload.h"

static volatile unsigned long sink;

void plugin_run(void);
WORKLOAD void plugin_half(unsigned long parts);
WORKLOAD void plugin_third(unsigned long parts);

WORKLOAD void plugin_half(unsigned long parts)
{
	sink += workload_spin(parts);
}

WORKLOAD void plugin_third(unsigned long parts)
{
	sink -= workload_spin(parts);
}

static WORKLOAD void plugin_local(unsigned long parts)
{
	sink ^= workload_spin(parts);
}

void plugin_run(void)
{
	static uint64_t *times;

	if (!times)
		times = workload_map_times();
	WORKLOAD_TIMED(times, WORKLOAD_HALF, 50, plugin_half(parts));
	WORKLOAD_TIMED(times, WORKLOAD_THIRD, 30, plugin_third(parts));
	WORKLOAD_TIMED(times, WORKLOAD_FIFTH, 20, plugin_local(parts));
}
