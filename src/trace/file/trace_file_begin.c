/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of a file that precedes the records of its rings. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "trace/file/trace_file_state.h"
#include "base/err.h"
#include "base/proc.h"
#include "base/sys.h"
#include "task/hw_ids.h"
#include "task/task_history.h"
#include "perf/abi/record.h"
#include "trace/perfdata/machine.h"
#include "trace/perfdata/synth.h"

enum {
	/* for ids: 8 times those of the event with most, at least 64 */
	ROOM_TIMES = 8,
	ROOM_IDS = 64,
	PROC_TASKS = 64 << 20,	/* bytes; limit of the tasks read from /proc */
};

/* Whether perf has a decoder for the trace. */
static bool has_decoder(const struct trace_file *f)
{
	return f->from.trace && f->from.trace->ops->type;
}

/* Ids are added later: see trace_records_ids(). */
static int list_events(struct trace_file *f)
{
	const struct event_list *list = &f->from.session_opts->events;

	f->events = calloc(list->nr + 1, sizeof(*f->events));
	if (!f->events)
		return -ENOMEM;
	for (size_t i = 0; i < list->nr; i++)
		f->events[i] = (struct perfdata_event){
			.name = session_event_name(f->from.session, i),
			.attr = session_event_attr(f->from.session, i),
			.leader = list->specs[i].leader,
		};
	session_side_band_attr(f->from.session, &f->side_band);
	f->events[list->nr] = (struct perfdata_event){
		.name = "dummy:u",
		.attr = &f->side_band,
		.leader = list->nr,
	};
	f->nr_events = list->nr + 1;
	return 0;
}

static struct perf_time_conv conv_of(const struct trace_file *f)
{
	struct perf_clock clock = session_clock(f->from.session);

	if (!clock.page)
		return (struct perf_time_conv){ .time_mask = UINT64_MAX };
	return perf_clock_conv(clock.page);
}

/* Only useful if records use the clock of the CPU's counter. */
static int put_time_conv(struct trace_file *f)
{
	struct perf_time_conv conv = conv_of(f);

	if (!session_has_aux(f->from.session) || !conv.cap_user_time_zero)
		return 0;
	return synth_time_conv(f->writer, &conv);
}

static int put_ids(struct trace_file *f)
{
	const struct event_ids *ids = f->from.ids;
	struct synth_id *out = calloc(ids->nr + 1, sizeof(*out));
	int ret;

	if (!out)
		return -ENOMEM;
	for (size_t i = 0; i < ids->nr; i++)
		out[i] = (struct synth_id){
			.id = ids->ids[i].id,
			.idx = ids->ids[i].ring,
			.cpu = ids->ids[i].cpu,
			.tid = ids->ids[i].tid,
		};
	ret = synth_id_index(f->writer, out, ids->nr);
	free(out);
	return ret;
}

/* The CPUs of the rings; all, if rings follow threads. */
static int list_cpus(const struct trace_file *f, struct cpulist *cpus,
		     struct err *err)
{
	struct ring_view view;
	int ret = ring_view_open(&view, f->from.session, err);

	if (ret)
		return ret;
	for (size_t i = 0; !ret && i < view.nr; i++)
		if (view.rings[i]->cpu >= 0)
			ret = cpulist_add(cpus, view.rings[i]->cpu);
	ring_view_close(&view);
	if (ret)
		return err_set(err, ret, "listing CPUs: out of memory");
	return cpus->nr ? 0 : cpulist_online(cpus, err);
}

static int put_info_words(struct trace_file *f,
			  const struct auxtrace_info *info, struct err *err)
{
	const struct auxtrace_ops *ops = f->from.trace->ops;
	size_t words = ops->info_size(info);
	uint64_t *priv = calloc(words + 1, sizeof(*priv));
	int ret;

	if (!priv)
		return err_set(err, -ENOMEM, "describing %s: out of memory",
			       ops->name);
	ret = ops->info_fill(info, priv, words, err);
	if (!ret)
		ret = trace_file_error(f, synth_auxtrace_info(f->writer,
							      ops->type, priv,
							      words), err);
	free(priv);
	return ret;
}

static int put_info(struct trace_file *f, struct err *err)
{
	const struct trace_file_from *from = &f->from;
	struct cpulist cpus = { 0 };
	struct hw_id *hw_ids = NULL;
	struct auxtrace_info info = {
		.env = from->env,
		.trace = from->trace,
		.cpus = &cpus,
		.switch_events = from->session_opts->switch_events,
	};
	int ret;

	if (!has_decoder(f))
		return 0;
	info.spec = &from->session_opts->events.specs[from->trace->spec];
	info.attr = session_event_attr(from->session, from->trace->spec);
	info.conv = conv_of(f);
	ret = list_cpus(f, &cpus, err);
	if (!ret && from->tasks)
		ret = trace_file_error(f, task_history_hw_ids(from->tasks,
							      &hw_ids,
							      &info.nr_hw_ids),
				       err);
	info.hw_ids = hw_ids;
	if (!ret)
		ret = put_info_words(f, &info, err);
	free(hw_ids);
	cpulist_free(&cpus);
	return ret;
}

int trace_file_pids(struct session *session, pid_t **pids, size_t *nr)
{
	const struct target_map *map = session_target(session);
	pid_t last = 0;

	*nr = 0;
	*pids = NULL;
	if (!map->nr_tids)
		return 0;
	*pids = calloc(map->nr_tids, sizeof(**pids));
	if (!*pids)
		return -ENOMEM;
	for (size_t i = 0; i < map->nr_tids; i++) {
		pid_t pid = proc_process_of("/proc", map->tids[i]);

		/* threads of a process are adjacent */
		if (pid != last)
			(*pids)[(*nr)++] = pid;
		last = pid;
	}
	return 0;
}

static int put_task(void *ctx, void *record, size_t size)
{
	return trace_records_task(ctx, record, size);
}

/* Tasks are complete up to the time they were read, or to the newest record. */
static int put_tasks(struct trace_file *f, struct task_history *tasks)
{
	struct task_history_stats stats;

	task_history_stats(tasks, &stats);
	f->records.tasks_until = stats.read_ns;
	return task_history_each(tasks, put_task, &f->records);
}

/* No task history is kept: read the present tasks from /proc. */
static int put_proc_tasks(struct trace_file *f)
{
	struct task_history *tasks = task_history_new(PROC_TASKS);
	pid_t *pids = NULL;
	size_t nr = 0;
	int ret;

	if (!tasks)
		return -ENOMEM;
	ret = trace_file_pids(f->from.session, &pids, &nr);
	if (!ret)
		ret = task_history_read_proc(tasks, pids, nr);
	/* tasks may have ended: only records of the rings are left then */
	if (!ret || ret == -ENOENT)
		ret = put_tasks(f, tasks);
	free(pids);
	task_history_free(tasks);
	return ret;
}

/*
 * Room for the ids of later rings: a ring that is replaced by one of another
 * size has new ids.
 */
static int allow_checkpoints(struct trace_file *f)
{
	size_t most = perfdata_writer_most_ids(f->writer);

	return perfdata_writer_begin_checkpoints(f->writer, f->from.machine,
						 MAX(ROOM_IDS,
						     ROOM_TIMES * most));
}

static int put_before_trace(struct trace_file *f, struct err *err)
{
	int ret = trace_records_ids(&f->records);

	if (!ret && f->checkpoints)
		ret = allow_checkpoints(f);
	if (!ret)
		ret = put_time_conv(f);
	if (!ret)
		ret = put_ids(f);
	return ret ? trace_file_error(f, ret, err) : put_info(f, err);
}

int trace_file_begin_records(struct trace_file *f, struct err *err)
{
	int ret = synth_kernel(f->writer, f->from.machine);

	if (!ret)
		ret = f->from.tasks ? put_tasks(f, f->from.tasks) :
				      put_proc_tasks(f);
	f->records.tracked = f->from.tasks;
	return trace_file_error(f, ret, err);
}

/*
 * perf finds the trace of an AUX record by its CPU, which must be -1 if the
 * trace is that of a thread (cs_etm__queue_aux_fragment(), util/cs-etm.c).
 */
static bool cuts_threads(const struct auxtrace *trace)
{
	return trace && trace->ops->cuts_by_aux && !trace->per_cpu;
}

int trace_file_begin_trace(struct trace_file *f, struct err *err)
{
	int ret = event_ids_refresh(f->from.ids, f->from.session, err);

	if (ret)
		return ret;
	ret = list_events(f);
	if (ret)
		return trace_file_error(f, ret, err);
	f->writer = perfdata_writer_new(new_file_stream(f->file), f->events,
					f->nr_events, err);
	if (!f->writer)
		return trace_file_error(f, err ? err->code : -EIO, err);
	f->records = (struct trace_records){
		.writer = f->writer,
		.session = f->from.session,
		.ids = f->from.ids,
		.side_band = f->nr_events - 1,
		.build_ids = f->from.loader ? f->build_ids : NULL,
		.no_cpu = cuts_threads(f->from.trace),
	};
	return put_before_trace(f, err);
}

int trace_file_begin(struct trace_file *f, struct err *err)
{
	int ret = trace_file_begin_trace(f, err);

	return ret ? ret : trace_file_begin_records(f, err);
}
