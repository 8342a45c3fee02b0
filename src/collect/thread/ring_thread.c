/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/thread/ring_thread.h"

#include "base/caps.h"
#include "base/sys.h"

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
