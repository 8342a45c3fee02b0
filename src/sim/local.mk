# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/sim.c %D%/sim.h \
	%D%/sim_code.def \
	%D%/sim_cpu.c %D%/sim_cpu.h \
	%D%/sim_keys.def \
	%D%/sim_request.c \
	%D%/sim_ring.c %D%/sim_ring.h \
	%D%/sim_snapshots.c \
	%D%/sim_spec.c \
	%D%/sim_state.h \
	%D%/sim_traffic.c %D%/sim_traffic.h
