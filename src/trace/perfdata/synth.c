/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/perfdata_writer.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "perf/abi/side_band.h"
#include "trace/perfdata/machine.h"
#include "trace/perfdata/perfdata_format.h"

enum {
	RECORD_MAX = UINT16_MAX - UINT16_MAX % 8,
	ALL_IDS = (RECORD_MAX - sizeof(struct perfdata_record_id_index)) /
		  sizeof(struct perfdata_id),
	ALL_WORDS = (RECORD_MAX -
		     sizeof(struct perfdata_record_auxtrace_info)) /
		    sizeof(uint64_t),
};

static int put_kernel_map(struct perfdata_writer *w, uint64_t start,
			  uint64_t len, uint64_t pgoff, const char *name)
{
	_Alignas(uint64_t) uint8_t record[SIDE_BAND_MADE];

	return perfdata_write(w, record, side_band_make_kernel(record, start,
							       len, pgoff,
							       name));
}

/*
 * perf takes the kernel's relocation from the symbol's name and offset, so it
 * can use the kallsyms of another boot: machine__process_kernel_mmap_event().
 */
int synth_kernel(struct perfdata_writer *w,
		 const struct perfdata_machine *machine)
{
	int ret = 0;

	if (machine->kernel_start && machine->kernel_end)
		ret = put_kernel_map(w, machine->kernel_start,
				     machine->kernel_end -
					     machine->kernel_start,
				     machine->kernel_ref,
				     "[kernel.kallsyms]_text");
	for (size_t i = 0; i < machine->nr_modules && !ret; i++) {
		const struct perfdata_module *m = &machine->modules[i];

		ret = put_kernel_map(w, m->start, m->len, 0,
				     m->path ? m->path : m->name);
	}
	return ret;
}

int synth_time_conv(struct perfdata_writer *w,
		    const struct perf_time_conv *conv)
{
	const struct perfdata_record_time_conv record = {
		.header = {
			.type = PERFDATA_RECORD_TIME_CONV,
			.size = sizeof(record),
		},
		.time_shift = conv->time_shift,
		.time_mult = conv->time_mult,
		.time_zero = conv->time_zero,
		.time_cycles = conv->time_cycles,
		.time_mask = conv->time_mask,
		.cap_user_time_zero = conv->cap_user_time_zero,
		.cap_user_time_short = conv->cap_user_time_short,
	};

	return perfdata_write(w, &record, sizeof(record));
}

/* Write one record of ids. */
static int put_ids(struct perfdata_writer *w, const struct synth_id *ids,
		   size_t nr)
{
	struct perfdata_record_id_index head = {
		.header = {
			.type = PERFDATA_RECORD_ID_INDEX,
			.size = (uint16_t)(sizeof(head) +
					   nr * sizeof(struct perfdata_id)),
		},
		.nr = nr,
	};
	int ret = perfdata_write_bytes(w, &head, sizeof(head));

	for (size_t i = 0; i < nr && !ret; i++) {
		const struct perfdata_id id = {
			.id = ids[i].id,
			.idx = ids[i].idx,
			.cpu = (uint64_t)(int64_t)ids[i].cpu,
			.tid = (uint64_t)(int64_t)ids[i].tid,
		};

		ret = perfdata_write_bytes(w, &id, sizeof(id));
	}
	return ret;
}

int synth_id_index(struct perfdata_writer *w, const struct synth_id *ids,
		   size_t nr)
{
	int ret = 0;

	while (nr && !ret) {
		size_t some = nr < ALL_IDS ? nr : ALL_IDS;

		ret = put_ids(w, ids, some);
		ids += some;
		nr -= some;
	}
	return ret;
}

int synth_auxtrace_info(struct perfdata_writer *w, uint32_t type,
			const uint64_t *priv, size_t words)
{
	struct perfdata_record_auxtrace_info head = {
		.header.type = PERFDATA_RECORD_AUXTRACE_INFO,
		.type = type,
	};
	int ret;

	if (words > ALL_WORDS)
		return -E2BIG;
	head.header.size = (uint16_t)(sizeof(head) + words * sizeof(*priv));
	ret = perfdata_write_bytes(w, &head, sizeof(head));
	return ret ? ret : perfdata_write_bytes(w, priv,
						words * sizeof(*priv));
}

int synth_finished_round(struct perfdata_writer *w)
{
	const struct perf_event_header record = {
		.type = PERFDATA_RECORD_FINISHED_ROUND,
		.size = sizeof(record),
	};

	return perfdata_write(w, &record, sizeof(record));
}
