/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/summary.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "base/err.h"
#include "cli/gate.h"
#include "cli/streams.h"
#include "export/recording.h"
#include "trace/perfdata/perfdata_reader.h"
#include "trace/recorded/recorded.h"

/* Count all records.  0; or -errno with @err, and those before are counted. */
static int count(struct perfdata_reader *reader, struct recorded *recorded,
		 struct recorded_pids *pids, struct err *err)
{
	static uint64_t copy[PERFDATA_COPY_MAX / sizeof(uint64_t)];
	struct perfdata_record record;
	int ret = perfdata_reader_next(reader, &record, err);

	while (ret > 0) {
		ret = recorded_add(recorded, &record);
		if (ret < 0)
			return err_errno(err, ret, "counting records");
		if (record.pid != UINT32_MAX &&
		    !recorded_outside(recorded, &record))
			recorded_pids_add(pids, record.pid);
		if (record.type == PERF_RECORD_COMM ||
		    record.type == PERF_RECORD_FORK)
			recorded_pids_name(pids, copy, perfdata_reader_copy(
				reader, &record, copy));
		ret = perfdata_reader_next(reader, &record, err);
	}
	return ret;
}

static int print(const struct recording *r, bool json, struct err *err)
{
	int ret = 0;

	if (json)
		ret = recording_put_json(r, stdout);
	else
		recording_put_text(r, isatty(STDOUT_FILENO), stdout);
	return ret < 0 ? err_errno(err, ret, "printing the summary") :
			 streams_flush(err);
}

/* Damage is reported by who reads it next. */
int summary_place_span(const char *path, struct recorded_span *span,
		       struct err *err)
{
	struct perfdata_reader *reader;
	struct perfdata_record record;
	struct recorded recorded;
	struct err damage = { 0 };
	struct stat st;
	int ret = 0;

	if (!span->from_since && !span->to_since && !span->share)
		return 0;
	if (!strcmp(path, "-") || (!stat(path, &st) && !S_ISREG(st.st_mode) &&
				   !S_ISDIR(st.st_mode)))
		return err_usage(err, "--time with + or %%: -i %s cannot be "
				 "read twice, as this needs; use -i FILE",
				 path);
	reader = perfdata_reader_open(path, false, err);
	if (!reader)
		return err->code;
	recorded_init(&recorded);
	recorded.cpus = &perfdata_reader_info(reader)->cpus_available;
	while (ret == 0 && perfdata_reader_next(reader, &record, &damage) > 0)
		ret = recorded_add(&recorded, &record);
	if (ret == 0)
		ret = recorded_finish(&recorded);
	if (ret < 0)
		err_errno(err, ret, "counting records");
	else
		recorded_place_span(&recorded, span);
	recorded_free(&recorded);
	perfdata_reader_free(reader);
	return ret < 0 ? ret : 0;
}

int summary_print(const char *path, const struct recorded_span *span, bool json,
		  struct gate *gate, struct err *err)
{
	struct perfdata_reader *reader = perfdata_reader_open(path, false, err);
	struct recorded_pids pids = { 0 };
	struct recorded recorded;
	struct err failed = { 0 };
	struct recording r = {
		.path = strcmp(path, "-") ? path : "standard input",
		.reader = reader,
		.recorded = &recorded,
		.pids = &pids,
	};
	int ret, finished, seen;

	if (!reader)
		return err->code;
	recorded_init(&recorded);
	recorded.span = *span;
	recorded.cpus = &perfdata_reader_info(reader)->cpus_available;
	ret = count(reader, &recorded, &pids, err);
	finished = recorded_finish(&recorded);
	if (ret == 0 && finished < 0)
		ret = err_errno(err, finished, "counting records");
	if (ret < 0 && ret != -ENOMEM)
		r.damage = err->text;
	if (recorded_check_span(&recorded, &failed) < 0 ||
	    print(&r, json, &failed) < 0) {
		*err = failed;
		ret = failed.code;
	}
	seen = gate_see_recorded(
		gate, path, &recorded,
		!perfdata_reader_info(reader)->compressed_unread, &failed);
	if (ret == 0 && seen < 0) {
		*err = failed;
		ret = seen;
	}
	recorded_pids_free(&pids);
	recorded_free(&recorded);
	perfdata_reader_free(reader);
	return ret;
}
