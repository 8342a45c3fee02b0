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
