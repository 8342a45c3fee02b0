/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/thread/ring_thread.h"

#include "base/caps.h"
#include "base/sys.h"

#define STEP_NS (CPU_BUDGET_WINDOW_NS / (CPU_BUDGET_MARKS / 2))

bool cpu_budget_due(const struct cpu_budget *b, uint64_t now_ns)
{
	unsigned int last = (b->nr - 1) % CPU_BUDGET_MARKS;

	return !b->nr || now_ns - b->marks[last].now_ns >= STEP_NS;
}

bool cpu_budget_note(struct cpu_budget *b, uint64_t now_ns, uint64_t ran_ns)
{
	unsigned int kept = b->nr < CPU_BUDGET_MARKS ? b->nr : CPU_BUDGET_MARKS;
	bool over = false;

	for (unsigned int i = 1; i <= kept; i++) {
		unsigned int at = (b->nr - i) % CPU_BUDGET_MARKS;
		uint64_t passed = now_ns - b->marks[at].now_ns;

		if (passed < CPU_BUDGET_WINDOW_NS)
			continue;
		over = (double)(ran_ns - b->marks[at].ran_ns) >
		       (double)passed * CPU_BUDGET_SHARE;
		break;
	}
	b->marks[b->nr % CPU_BUDGET_MARKS].now_ns = now_ns;
	b->marks[b->nr % CPU_BUDGET_MARKS].ran_ns = ran_ns;
	b->nr++;
	return over;
}

int ring_thread_start(struct ring_thread *t, void *(*main)(void *), void *arg)
{
	int ret;

	pthread_getaffinity_np(pthread_self(), sizeof(t->home), &t->home);
	ret = pthread_create(&t->id, NULL, main, arg);
	t->started = ret == 0;
	return ret;
}

void ring_thread_join(struct ring_thread *t)
{
	if (t->started)
		pthread_join(t->id, NULL);
	t->started = false;
}

void ring_thread_pin(struct ring_thread *t, const int *cpus, size_t nr)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (size_t i = 0; i < nr; i++)
		if (cpus[i] >= 0 && cpus[i] < CPU_SETSIZE)
			CPU_SET((size_t)cpus[i], &set);
	if (t->roam && atomic_load(&t->fell_back))
		return;
	if (CPU_COUNT(&set) && t->started)
		pthread_setaffinity_np(t->id, sizeof(set), &set);
}

void ring_thread_begin(struct ring_thread *t, const char *name)
{
	struct sched_param param;
	int policy;

	pthread_setname_np(pthread_self(), name);
	t->realtime =
		!pthread_getschedparam(pthread_self(), &policy, &param) &&
		(policy == SCHED_FIFO || policy == SCHED_RR);
	caps_limit(0, NULL);
}

/*
 * Change to SCHED_OTHER, for good: the thread has dropped the capability that
 * is needed to become realtime again.
 */
static void fall_back(struct ring_thread *t)
{
	const struct sched_param param = { .sched_priority = 0 };

	if (pthread_setschedparam(pthread_self(), SCHED_OTHER, &param))
		return;
	t->realtime = false;
	atomic_store(&t->fell_back, true);
	if (t->roam)
		pthread_setaffinity_np(pthread_self(), sizeof(t->home),
				       &t->home);
}

void ring_thread_keep_budget(struct ring_thread *t)
{
	uint64_t now_ns;

	if (!t->realtime)
		return;
	now_ns = sys_now_ns();
	if (cpu_budget_due(&t->budget, now_ns) &&
	    cpu_budget_note(&t->budget, now_ns,
			    (uint64_t)(sys_thread_cpu() * 1e9)))
		fall_back(t);
}

void ring_thread_rest(struct ring_thread *t)
{
	if (t->realtime)
		sched_yield();
	ring_thread_keep_budget(t);
}

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
