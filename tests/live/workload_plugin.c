/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What workload.c opens while it runs. */
#include "workload.h"

static volatile unsigned long sink;

void plugin_run(void);
WORKLOAD void plugin_half(void);
WORKLOAD void plugin_third(void);

WORKLOAD void plugin_half(void)
{
	sink += workload_spin(50);
}

WORKLOAD void plugin_third(void)
{
	sink += workload_spin(30);
}

static WORKLOAD void plugin_local(void)
{
	sink += workload_spin(20);
}

void plugin_run(void)
{
	static uint64_t *times;

	if (!times)
		times = workload_map_times();
	WORKLOAD_TIMED(times, WORKLOAD_HALF, plugin_half());
	WORKLOAD_TIMED(times, WORKLOAD_THIRD, plugin_third());
	WORKLOAD_TIMED(times, WORKLOAD_FIFTH, plugin_local());
}
