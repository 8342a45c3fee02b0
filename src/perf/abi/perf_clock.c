/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/abi/perf_clock.h"

#include "base/sys.h"

/* More tries than ever needed to read between the kernel's updates. */
enum { MAX_TRIES = 10000 };

/*
 * The counter that the user page's factors are for; false if rbtop has no code
 * for it.
 */
static bool read_counter(uint64_t *cycles)
{
#if defined(__x86_64__) || defined(__i386__)
	*cycles = __builtin_ia32_rdtsc();
	return true;
#elif defined(__aarch64__)
	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(*cycles)::"memory");
	return true;
#else
	*cycles = 0;
	return false;
#endif
}

static struct perf_time_conv
copy_conv(const volatile struct perf_event_mmap_page *page)
{
	struct perf_time_conv conv = {
		.time_shift = page->time_shift,
		.time_mult = page->time_mult,
		.time_zero = page->time_zero,
		.cap_user_time_zero = page->cap_user_time_zero,
		.cap_user_time_short = page->cap_user_time_short,
		.time_mask = UINT64_MAX,
	};

	if (conv.cap_user_time_short) {
		conv.time_cycles = page->time_cycles;
		conv.time_mask = page->time_mask;
	}
	return conv;
}

struct perf_time_conv perf_clock_conv(const struct perf_event_mmap_page *page)
{
	for (int i = 0; i < MAX_TRIES; i++) {
		uint32_t before = __atomic_load_n(&page->lock,
						  __ATOMIC_ACQUIRE);
		struct perf_time_conv conv = copy_conv(page);

		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (!(before & 1) &&
		    __atomic_load_n(&page->lock, __ATOMIC_RELAXED) == before)
			return conv;
	}
	return (struct perf_time_conv){ .time_mask = UINT64_MAX };
}

struct perf_clock perf_clock_of(const struct perf_event_mmap_page *page)
{
	uint64_t cycles;

	return (struct perf_clock){
		.page = page,
		.unknown = !perf_clock_conv(page).cap_user_time_zero ||
			   !read_counter(&cycles),
	};
}

/* As described in linux/perf_event.h at time_zero and time_cycles. */
uint64_t perf_clock_at(const struct perf_time_conv *conv, uint64_t cycles)
{
	uint64_t quot, rem;

	if (conv->cap_user_time_short)
		cycles = conv->time_cycles +
			 ((cycles - conv->time_cycles) & conv->time_mask);
	quot = cycles >> conv->time_shift;
	rem = cycles & ((1ULL << conv->time_shift) - 1);
	return conv->time_zero + quot * conv->time_mult +
	       ((rem * conv->time_mult) >> conv->time_shift);
}

uint64_t perf_clock_now(const struct perf_clock *clock)
{
	struct perf_time_conv conv;
	uint64_t cycles;

	if (!clock->page || clock->unknown)
		return sys_now_ns();
	conv = perf_clock_conv(clock->page);
	if (!conv.cap_user_time_zero || !read_counter(&cycles))
		return sys_now_ns();
	return perf_clock_at(&conv, cycles);
}

/*
 * Two clocks that are not adjusted alike drift apart by some 100 ppm: the
 * estimate may be lowered by this much, once a second.
 */
#define DRIFT_PER_S	200000	/* ns */
#define SECOND		UINT64_C(1000000000)

void record_clock_init(struct record_clock *c, const struct perf_clock *clock)
{
	c->clock = *clock;
	atomic_init(&c->ahead, 0);
	atomic_init(&c->learnt, 0);
}

uint64_t record_clock_now(const struct record_clock *c)
{
	uint64_t now = perf_clock_now(&c->clock);

	if (!c->clock.unknown)
		return now;
	/* modulo 2^64: ahead may be negative */
	return now + (uint64_t)atomic_load_explicit(&c->ahead,
						    memory_order_relaxed);
}

/*
 * A record is never seen before it was written, so its clock is ahead by at
 * least the maximum found.  If another thread stores a value at the same time,
 * this record is ignored.
 */
void record_clock_seen(struct record_clock *c, uint64_t time)
{
	int64_t ahead, seen;
	uint64_t now, learnt;

	if (!c->clock.unknown || !time)
		return;
	now = perf_clock_now(&c->clock);
	seen = (int64_t)(time - now);
	ahead = atomic_load_explicit(&c->ahead, memory_order_relaxed);
	learnt = atomic_load_explicit(&c->learnt, memory_order_relaxed);
	if (learnt && seen < ahead) {
		if (now - learnt < SECOND)
			return;
		if (seen < ahead - DRIFT_PER_S)
			seen = ahead - DRIFT_PER_S;
	}
	if (atomic_compare_exchange_strong(&c->ahead, &ahead, seen))
		atomic_store_explicit(&c->learnt, now, memory_order_relaxed);
}
