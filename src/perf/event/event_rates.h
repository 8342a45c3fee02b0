/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rate at which events sample, and the kernel's limits on it. */
#ifndef RBTOP_PERF_EVENT_EVENT_RATES_H
#define RBTOP_PERF_EVENT_EVENT_RATES_H

#include <stdbool.h>
#include <stdint.h>

/* Zeroed: no event samples, nothing is known of the limits. */
struct event_rates {
	uint64_t freq;		/* of the first event that samples, Hz; 0: it
				 * has a period */
	uint64_t period;	/* its period; 0: it has a frequency */
	bool clock;		/* an event is a clock, whose period is in ns;
				 * else it is in events */
	uint64_t max;		/* kernel.perf_event_max_sample_rate, samples
				 * per second and CPU; 0: not known */
	unsigned int cpu_percent;	/* kernel.perf_cpu_time_max_percent:
					 * where sampling takes more of a CPU,
					 * the kernel lowers .most; 0: it does
					 * not */
};

/*
 * A clock above this frequency, Hz, may leave a CPU little time for anything
 * else: each sample is an interrupt, up to 50 us in a virtual machine, and the
 * kernel does not limit their time as it does for hardware events.
 */
enum { CLOCK_FREQ_SAFE = 20000 };

#endif
