# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/debug_file.c %D%/debug_file.h \
	%D%/demangle.c \
	%D%/elf_code.c %D%/elf_code.h \
	%D%/elf_file.c %D%/elf_file.h \
	%D%/elf_symbols.c %D%/elf_symbols.h \
	%D%/elf_walk.c %D%/elf_walk.h \
	%D%/jit_map.c %D%/jit_map.h \
	%D%/kallsyms.c %D%/kallsyms.h \
	%D%/symbol_table.c %D%/symbol_table.h
