# SPDX-License-Identifier: GPL-2.0-or-later

# Measurements, which are run only on request.
bench_programs = \
	%D%/bare \
	%D%/cpuof \
	%D%/drain \
	%D%/host_pass \
	%D%/ptycost \
	%D%/rings
EXTRA_PROGRAMS += $(bench_programs)
%C%_bare_LDADD =
%C%_cpuof_LDADD =
%C%_ptycost_LDADD =
%C%_rings_LDADD =

.PHONY: bench
bench: all $(bench_programs)

CLEANFILES += $(bench_programs)
EXTRA_DIST += \
	%D%/busy.sh \
	%D%/host_advice.sh \
	%D%/host_cost.sh \
	%D%/host_pairs.sh \
	%D%/idle.sh \
	%D%/perf_size.sh \
	%D%/scale.sh \
	%D%/script_cost.sh \
	%D%/storm.sh
