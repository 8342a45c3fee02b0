/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format of a perf.data file, in the byte order of this machine: see
 * tools/perf/Documentation/perf.data-file-format.txt and, where that is out of
 * date, tools/perf/util/header.h and tools/lib/perf/include/perf/event.h.
 */
#ifndef RBTOP_TRACE_PERFDATA_PERFDATA_FORMAT_H
#define RBTOP_TRACE_PERFDATA_PERFDATA_FORMAT_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

enum {
	/* of an attribute: PERF_ATTR_SIZE_VER7, the limit of perf 6.1 */
	PERFDATA_ATTR_SIZE = 128,
	PERFDATA_BUILD_ID = 20,
	/* strings are padded to multiples of this */
	PERFDATA_STRING_ALIGN = 64,
	PERFDATA_PATH_MAX = 4096,	/* including the NUL */
};

/* "PERFILE2" on a little-endian machine. */
#define PERFDATA_MAGIC 0x32454c4946524550ull

struct perfdata_section {
	uint64_t offset, size;
};

struct perfdata_header {
	uint64_t magic;
	uint64_t size;			/* of this struct */
	uint64_t attr_size;		/* of struct perfdata_attr */
	struct perfdata_section attrs;
	struct perfdata_section data;
	struct perfdata_section event_types;	/* no longer used */
	uint64_t features[4];		/* one bit per feature */
};

struct perfdata_attr {
	uint8_t attr[PERFDATA_ATTR_SIZE];
	struct perfdata_section ids;
};

enum perfdata_feature {
	PERFDATA_TRACING_DATA = 1,
	PERFDATA_BUILD_IDS = 2,
	PERFDATA_HOSTNAME = 3,
	PERFDATA_OSRELEASE = 4,
	PERFDATA_VERSION = 5,
	PERFDATA_ARCH = 6,
	PERFDATA_NRCPUS = 7,
	PERFDATA_CPUDESC = 8,
	PERFDATA_CPUID = 9,
	PERFDATA_TOTAL_MEM = 10,
	PERFDATA_CMDLINE = 11,
	PERFDATA_EVENT_DESC = 12,
	PERFDATA_PMU_MAPPINGS = 16,
	PERFDATA_GROUP_DESC = 17,
	PERFDATA_AUXTRACE = 18,
	PERFDATA_SAMPLE_TIME = 21,
	PERFDATA_FEATURES = 32,		/* more than any of these */
};

/*
 * The records that perf itself writes, named as perf report --stats does:
 * tools/lib/perf/include/perf/event.h, enum perf_user_event_type.
 */
#define PERFDATA_RECORDS(RECORD) \
	RECORD(64, ATTR) RECORD(65, EVENT_TYPE) \
	RECORD(66, TRACING_DATA) RECORD(67, BUILD_ID) \
	RECORD(68, FINISHED_ROUND) RECORD(69, ID_INDEX) \
	RECORD(70, AUXTRACE_INFO) RECORD(71, AUXTRACE) \
	RECORD(72, AUXTRACE_ERROR) RECORD(73, THREAD_MAP) \
	RECORD(74, CPU_MAP) RECORD(75, STAT_CONFIG) RECORD(76, STAT) \
	RECORD(77, STAT_ROUND) RECORD(78, EVENT_UPDATE) \
	RECORD(79, TIME_CONV) RECORD(80, FEATURE) \
	RECORD(81, COMPRESSED) RECORD(82, FINISHED_INIT) \
	RECORD(83, COMPRESSED2) RECORD(84, BPF_METADATA) \
	RECORD(85, SCHEDSTAT_CPU) RECORD(86, SCHEDSTAT_DOMAIN)

enum {
	PERFDATA_RECORD_FIRST = 64,
#define RECORD(nr, name) PERFDATA_RECORD_##name = nr,
	PERFDATA_RECORDS(RECORD)
#undef RECORD
};

/* Followed by @size bytes, which are not included in header.size. */
struct perfdata_record_auxtrace {
	struct perf_event_header header;
	uint64_t size, offset, reference;
	uint32_t idx, tid, cpu, reserved;
};

/* Followed by u64 words. */
struct perfdata_record_auxtrace_info {
	struct perf_event_header header;
	uint32_t type, reserved;
};

struct perfdata_id {
	uint64_t id, idx, cpu, tid;	/* -1: all bits set */
};

/* Followed by @nr ids. */
struct perfdata_record_id_index {
	struct perf_event_header header;
	uint64_t nr;
};

struct perfdata_record_time_conv {
	struct perf_event_header header;
	uint64_t time_shift, time_mult, time_zero, time_cycles, time_mask;
	uint8_t cap_user_time_zero, cap_user_time_short, reserved[6];
};

/* An entry of the feature BUILD_IDS, followed by the padded name. */
struct perfdata_record_build_id {
	struct perf_event_header header;	/* type 0 */
	int32_t pid;				/* -1: the host */
	uint8_t id[PERFDATA_BUILD_ID];
	uint8_t id_size, reserved[3];
};
/* Flag in misc: @id_size is valid. */
enum { PERFDATA_MISC_BUILD_ID_SIZE = 1 << 15 };

static inline size_t perfdata_align(size_t size, size_t to)
{
	return (size + to - 1) / to * to;
}

#endif
