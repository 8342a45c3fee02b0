// SPDX-License-Identifier: GPL-2.0-or-later
// The work of workload.c in functions whose names are mangled.
#include "workload.h"

static volatile unsigned long sink;

namespace work {

class Half {
public:
	WORKLOAD unsigned long operator()(unsigned long parts) const
	{
		return workload_spin(parts);
	}
};

template <typename T> class Third {
public:
	WORKLOAD T spin(T parts, const char *)
	{
		return workload_spin(parts);
	}
};

namespace {

WORKLOAD unsigned long fifth(unsigned long parts, Third<unsigned long> *)
{
	return workload_spin(parts);
}

}  // namespace
}  // namespace work

int main()
{
	work::Half half;
	work::Third<unsigned long> third;
	uint64_t *times = workload_map_times();

	for (;;) {
		WORKLOAD_TIMED(times, WORKLOAD_HALF, 50,
			       sink = sink + half(parts));
		WORKLOAD_TIMED(times, WORKLOAD_THIRD, 30,
			       sink = sink + third.spin(parts, ""));
		WORKLOAD_TIMED(times, WORKLOAD_FIFTH, 20,
			       sink = sink + work::fifth(parts, &third));
	}
}
