# SPDX-License-Identifier: GPL-2.0-or-later

# Targets of libFuzzer, which clang has.  For example:
#
#	make fuzz
#	tests/fuzz/perfdata -max_total_time=300 NEW ../tests/data/perfdata
#
# NEW is a folder for what it adds to the corpus.  A file that ends the process
# goes into tests/data/perfdata, which the tests replay.

fuzz_perfdata_sources = \
	$(srcdir)/%D%/perfdata.c \
	$(srcdir)/src/base/*.c \
	$(srcdir)/src/export/json_put.c \
	$(srcdir)/src/export/recording.c \
	$(srcdir)/src/export/text_put.c \
	$(srcdir)/src/perf/abi/*.c \
	$(srcdir)/src/perf/event/event_names.c \
	$(srcdir)/src/ring/*.c \
	$(srcdir)/src/trace/perfdata/perfdata_events.c \
	$(srcdir)/src/trace/perfdata/perfdata_file.c \
	$(srcdir)/src/trace/perfdata/perfdata_found.c \
	$(srcdir)/src/trace/perfdata/perfdata_input.c \
	$(srcdir)/src/trace/perfdata/perfdata_reader.c \
	$(srcdir)/src/trace/recorded/*.c
fuzz_flags = -g -O1 -std=gnu11 -fsanitize=fuzzer,address,undefined \
	-fno-sanitize-recover=undefined

.PHONY: fuzz
fuzz:
	@test -n '$(CLANG)' || { echo 'no clang' >&2; false; }
	$(MKDIR_P) %D%
	$(CLANG) $(fuzz_flags) $(DEFS) $(AM_CPPFLAGS) -U_FORTIFY_SOURCE \
		-o %D%/perfdata $(fuzz_perfdata_sources) \
		$(JANSSON_LIBS) $(CAPNG_LIBS) $(LIBZSTD_LIBS) -lm -pthread

EXTRA_DIST += tests/data/perfdata
CLEANFILES += %D%/perfdata
