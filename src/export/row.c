/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/row.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "samples/samples.h"

void row_total(const struct frame_total *total, struct frame_ring *row)
{
	*row = (struct frame_ring){
		.label = "total",
		.cpu = -1,
		.tid = -1,
		.owner = -1,
		.size = total->size,
		.used = total->used,
		.fill = total->fill,
		.peak = total->peak,
		.peak_tick = total->peak_tick,
		.bytes = total->bytes,
		.records = total->records,
		.samples = total->samples,
		.bytes_per_s = total->bytes_per_s,
		.records_per_s = total->records_per_s,
		.crossings = total->crossings,
		.wakeups = total->wakeups,
		.drains = total->drains,
		.timer_drains = total->timer_drains,
		.wakeups_per_s = total->wakeups_per_s,
		.latency_p50 = total->latency_p50,
		.latency_p99 = total->latency_p99,
		.lost = total->lost,
		.lost_pending = total->lost_pending,
		.lost_per_s = total->lost_per_s,
		.throttled = total->throttled,
	};
	memcpy(row->stats.types, total->types, sizeof(row->stats.types));
}

const char *row_no_samples(const struct frame *frame)
{
	return frame->nr_rings && frame->rings[0].overwrite ?
	       "no samples are looked at: overwrite rings are read on demand" :
	       "no samples are looked at";
}

int row_hot(const struct frame *frame, struct hot_rows *rows)
{
	static const struct hot_query query = {
		.keys = 1u << HOT_SYMBOL | 1u << HOT_DSO | 1u << HOT_COMM,
	};

	int ret;

	if (!frame->samples || !frame->samples->hot)
		return -ENOENT;
	ret = hot_rows_query(frame->samples->hot, &query, rows);
	/* What only calls what was sampled has no share of its own. */
	while (!ret && rows->nr && rows->rows[rows->nr - 1].samples <= 0)
		rows->nr--;
	return ret;
}

const struct host *row_host(const struct frame *frame)
{
	return frame->nr_rings ? NULL : frame->host;
}

double row_host_peak(const struct host *host)
{
	double peak = NAN;

	for (size_t i = 0; i < host->nr_rows; i++)
		if (!host->rows[i].gone)
			peak = fmax(peak, host->rows[i].peak);
	return peak;
}

bool row_host_counted(const struct host *host)
{
	const struct host_status *status = &host->status;

	if (host->total.rings || host->total.ringbufs)
		return true;
	return status->ready && !status->hidden && !status->error[0];
}

uint64_t row_host_reported(const struct host_total *total)
{
	if (total->lost == UNKNOWN || total->lost_pending > total->lost)
		return UNKNOWN;
	return total->lost - total->lost_pending;
}

int row_flush(FILE *out)
{
	errno = 0;
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	return errno ? -errno : -EIO;
}
