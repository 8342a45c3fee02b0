/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands in a recording before the records of its rings. */
#include "auxtrace/trace_file_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "collect/task_history.h"
#include "perf/record.h"
#include "perfdata/machine.h"
#include "perfdata/synth.h"

enum {
	READER_MINOR = 1,	/* perf 6.1, and newer */
	PROC_TASKS = 64 << 20,	/* bytes at most, of tasks read from /proc */
};

bool trace_file_decodes(const struct trace_file *f)
{
	return f->from.trace && f->from.trace->ops->type;
}

/*
 * As the session asks the kernel for it (session_specs.c): what matters to a
 * reader is the layout of the trailer, and which records it tells of.
 */
static void fill_side_band(const struct trace_file *f,
			   struct perf_event_attr *attr)
{
	const struct session_opts *opts = f->from.session_opts;
	const struct perf_event_attr *first =
		session_event_attr(f->from.session, 0);

	*attr = (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(*attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = RECORD_SAMPLE_TYPE,
		.read_format = first->read_format,
		.disabled = 1,
		.inherit = first->inherit,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.context_switch = opts->switch_events,
		.namespaces = opts->namespaces,
		.ksymbol = 1,
		.bpf_event = 1,
		.sample_id_all = 1,
		.use_clockid = first->use_clockid,
		.clockid = first->clockid,
		.write_backward = first->write_backward,
	};
}

/* Their ids follow: see trace_records_ids(). */
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
	fill_side_band(f, &f->side_band);
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

/* Of no use where records have another clock than the counter's. */
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
	int ret = trace_records_ids(&f->records);

	if (!out)
		return -ENOMEM;
	for (size_t i = 0; i < ids->nr; i++)
		out[i] = (struct synth_id){
			.id = ids->ids[i].id,
			.idx = ids->ids[i].ring,
			.cpu = ids->ids[i].cpu,
			.tid = ids->ids[i].tid,
		};
	if (!ret)
		ret = synth_id_index(f->writer, out, ids->nr);
	free(out);
	return ret;
}

/* Those of the rings, or where these follow threads, all. */
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
		return err_set(err, -ENOMEM, "what %s is: out of memory",
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
	struct auxtrace_info info = {
		.env = from->env,
		.trace = from->trace,
		.cpus = &cpus,
		.switch_events = from->session_opts->switch_events,
		.reader_minor = READER_MINOR,
	};
	int ret;

	if (!trace_file_decodes(f))
		return 0;
	info.spec = &from->session_opts->events.specs[from->trace->spec];
	info.attr = session_event_attr(from->session, from->trace->spec);
	info.conv = conv_of(f);
	ret = list_cpus(f, &cpus, err);
	if (!ret)
		ret = put_info_words(f, &info, err);
	cpulist_free(&cpus);
	return ret;
}

static pid_t process_of(pid_t tid)
{
	char path[64], status[1024], *line;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	if (sys_read_file(path, status, sizeof(status)) <= 0)
		return tid;
	line = strstr(status, "\nTgid:");
	return line ? (pid_t)atoi(line + 6) : tid;
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
		pid_t pid = process_of(map->tids[i]);

		/* a process' threads stand together */
		if (pid != last)
			(*pids)[(*nr)++] = pid;
		last = pid;
	}
	return 0;
}

/* What task_history_each() tells, for nobody may wait for a disk in there. */
struct told {
	unsigned char *bytes;
	size_t size, room;
};

static int take_told(void *ctx, const void *record, size_t size)
{
	struct told *told = ctx;
	size_t room = told->room ? told->room : 1 << 16;
	unsigned char *bytes;

	while (room - told->size < size)
		room *= 2;
	if (room != told->room) {
		bytes = realloc(told->bytes, room);
		if (!bytes)
			return -ENOMEM;
		told->bytes = bytes;
		told->room = room;
	}
	memcpy(told->bytes + told->size, record, size);
	told->size += size;
	return 0;
}

static int put_told(struct trace_file *f, struct told *told)
{
	struct perf_event_header header;
	size_t at = 0;
	int ret = 0;

	while (!ret && told->size - at >= sizeof(header)) {
		memcpy(&header, told->bytes + at, sizeof(header));
		if (!record_sane(header, told->size - at))
			break;
		ret = trace_records_task(&f->records, told->bytes + at,
					 header.size);
		at += header.size;
	}
	return ret;
}

static int put_tasks(struct trace_file *f, struct task_history *tasks)
{
	struct told told = { 0 };
	int ret = task_history_each(tasks, take_told, &told);

	if (!ret)
		ret = put_told(f, &told);
	free(told.bytes);
	return ret;
}

/* Nobody keeps them: as /proc has them now. */
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
	if (!ret)
		ret = put_tasks(f, tasks);
	free(pids);
	task_history_free(tasks);
	return ret;
}

static int put_prologue(struct trace_file *f, struct err *err)
{
	int ret = put_time_conv(f);

	if (!ret)
		ret = put_ids(f);
	if (ret)
		return trace_file_error(f, ret, err);
	ret = put_info(f, err);
	if (ret)
		return ret;
	ret = synth_kernel(f->writer, f->from.machine);
	if (!ret)
		ret = f->from.tasks ? put_tasks(f, f->from.tasks) :
				      put_proc_tasks(f);
	f->records.tracked = f->from.tasks;
	return trace_file_error(f, ret, err);
}

int trace_file_begin(struct trace_file *f, struct err *err)
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
		.build_ids = f->build_ids,
	};
	return put_prologue(f, err);
}
