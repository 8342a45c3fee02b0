/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/thread/stop_watch.h"

/* The minimum: page faults, mutexes and hypervisors delay a thread, too. */
#define MIN_NS UINT64_C(250000000)

uint64_t stop_watch_between(const struct sys_thread_times *from,
			    const struct sys_thread_times *to,
			    uint64_t sleep_ns)
{
	uint64_t passed = to->now_ns - from->now_ns;
	uint64_t known = to->ran_ns - from->ran_ns +
			 (to->waited_ns - from->waited_ns) + sleep_ns;

	return passed > known && passed - known >= MIN_NS ? passed - known :
							      0;
}

void stop_watch_begin(struct stop_watch *watch, double interval)
{
	*watch = (struct stop_watch){
		.fd = sys_open_thread_times(),
		.sleep_ns = (uint64_t)(interval * 1e9),
	};
	if (interval <= 0 || sys_thread_times(watch->fd, &watch->base))
		stop_watch_end(watch);
}

void stop_watch_end(struct stop_watch *watch)
{
	sys_close(watch->fd);
	watch->fd = -1;
}

void stop_watch_tick(struct stop_watch *watch)
{
	struct sys_thread_times now;

	if (watch->fd < 0 || sys_thread_times(watch->fd, &now))
		return;
	watch->total_ns +=
		stop_watch_between(&watch->base, &now, watch->sleep_ns);
	watch->base = now;
}

void stop_watch_check(struct stop_watch *watch)
{
	if (watch->fd >= 0 &&
	    sys_now_ns() - watch->base.now_ns > watch->sleep_ns + MIN_NS)
		stop_watch_tick(watch);
}
