# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/file_cache.c %D%/file_cache.h \
	%D%/jit_maps.c \
	%D%/load_worker.c %D%/load_worker.h \
	%D%/resolver.c %D%/resolver.h \
	%D%/symbol_loader.c %D%/symbol_loader.h
