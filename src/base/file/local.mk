# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/file_place.c %D%/file_place.h \
	%D%/new_file.c %D%/new_file.h
