# SPDX-License-Identifier: GPL-2.0-or-later
ui_libui_a_SOURCES += \
	%D%/aux.c %D%/aux.h \
	%D%/aux_rings.c \
	%D%/aux_snapshots.c
