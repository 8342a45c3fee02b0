# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/flame_files.c %D%/flame_files.h \
	%D%/flame_svg.js.inc
