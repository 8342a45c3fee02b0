/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/source.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/cpulist.h"
#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"
#include "host/host_watch.h"
#include "perf/target/workload.h"
#include "source/source_command.h"

/* Seconds that the last figures may take. */
static const double MAX_WAIT = 2;

struct host_source {
	struct source source;
	struct host_watch_opts opts;
	double patience;
	struct source_command command;
	struct source_notes notes;
	pthread_mutex_t lock;	/* of the command, while its output is read */
	pthread_t reader;	/* of that */
	int stop;		/* eventfd that ends it; -1: it does not run */
};

/* The thread that logs the command's output: its pipe must not fill up. */
static void *read_output(void *arg)
{
	struct host_source *hs = arg;
	struct pollfd fds[] = {
		{ .fd = workload_output_fd(hs->command.workload),
		  .events = POLLIN },
		{ .fd = hs->stop, .events = POLLIN },
	};

	bool more = true;

	while (more) {
		if (poll(fds, 2, -1) < 0)
			continue;
		pthread_mutex_lock(&hs->lock);
		more = !fds[1].revents && source_command_read(&hs->command);
		pthread_mutex_unlock(&hs->lock);
	}
	return NULL;
}

static int start_command(struct host_source *hs, struct err *err)
{
	struct workload *workload = hs->command.workload;
	int ret;

	if (!workload)
		return 0;
	if (workload_output_fd(workload) >= 0) {
		hs->stop = eventfd(0, EFD_CLOEXEC);
		if (hs->stop < 0)
			return err_errno(err, -errno, "eventfd");
		ret = -pthread_create(&hs->reader, NULL, read_output, hs);
		if (ret) {
			sys_close(hs->stop);
			hs->stop = -1;
			return err_errno(err, ret, "starting the output thread");
		}
	}
	return workload_start(workload, err);
}

/* The command has ended: no more output is read. */
static void end_output(struct host_source *hs)
{
	if (hs->stop < 0)
		return;
	eventfd_write(hs->stop, 1);
	pthread_join(hs->reader, NULL);
	sys_close(hs->stop);
	hs->stop = -1;
}

/* No event is opened, so few privileges are needed. */
static int host_start(struct source *source, struct err *err)
{
	struct host_source *hs = (struct host_source *)source;
	int ret = caps_limit(CAPS_FILES | host_watch_caps(), err);

	if (ret == 0)
		ret = source_watch_host(source, &hs->opts, err);
	if (ret == 0)
		ret = caps_limit(CAPS_FILES, err);
	if (ret == 0) {
		host_watch_wait(source->host, hs->patience);
		ret = start_command(hs, err);
	}
	return ret;
}

static int host_read(struct source *source, struct reading *r, struct err *err)
{
	struct host_source *hs = (struct host_source *)source;
	struct source_command *c = &hs->command;

	bool ended;

	(void)err;
	pthread_mutex_lock(&hs->lock);
	ended = source_command_check(c);
	pthread_mutex_unlock(&hs->lock);
	if (ended) {
		end_output(hs);
		/* what was lost since the last poll, where it is known */
		host_watch_again(source->host, MAX_WAIT);
	}
	source_clock_read(r, NULL);
	r->cpu = sys_process_cpu();
	r->ended = source->has_status = c->ended;
	source->exit_status = c->status;
	source->exit_signal = c->signal;
	source_notes_move(&hs->notes, r);
	return 0;
}

static int host_request(struct source *source, const struct request *rq,
			struct err *err)
{
	(void)source;
	(void)rq;
	return err_set(err, -EOPNOTSUPP, "--host cannot change the rings of "
		       "other processes");
}

static void host_close(struct source *source)
{
	struct host_source *hs = (struct host_source *)source;

	end_output(hs);
	workload_free(hs->command.workload);
	source_notes_free(&hs->notes);
	pthread_mutex_destroy(&hs->lock);
	free(hs);
}

static const struct source_ops host_ops = {
	.name = "host",
	.start = host_start,
	.read = host_read,
	.request = host_request,
	.close = host_close,
};

/*
 * "every ring of the machine", "rings of process 12, not its children, CPU 0-3"
 */
static void set_title_of_owners(struct host_source *hs)
{
	const struct host_filter *filter = &hs->opts.filter;
	const size_t size = sizeof(hs->source.title);
	char *title = hs->source.title, list[64];
	bool several = filter->nr_pids > 1;

	if (!hs->opts.root && !filter->pids && !filter->cpus) {
		text_copy(title, size, "every ring of the machine");
		return;
	}
	text_copy(title, size, "rings of");
	if (hs->opts.root)
		text_append(title, size, " %s",
			    workload_name(hs->command.workload));
	for (size_t i = 0; i < filter->nr_pids; i++)
		text_append(title, size, "%s %d", i ? "," : several ?
			    " processes" : " process", (int)filter->pids[i]);
	if (filter->nr_pids)
		text_append(title, size, ", not %s children",
			    several ? "their" : "its");
	if (filter->cpus)
		text_append(title, size, "%s CPU %s",
			    filter->pids || hs->opts.root ? "," : "",
			    cpulist_format(filter->cpus, list, sizeof(list)));
}

/* The same, followed by ", only perf, bpf". */
static void set_title(struct host_source *hs)
{
	const struct host_filter *filter = &hs->opts.filter;
	const char *before = ", only ";

	set_title_of_owners(hs);
	for (enum ring_kind kind = 0; kind < RING_KINDS && filter->kinds;
	     kind++) {
		if (!host_filter_has(filter, kind))
			continue;
		text_append(hs->source.title, sizeof(hs->source.title), "%s%s",
			    before, ring_kind_info(kind)->name);
		before = ", ";
	}
}

/* If some of the processes are missing, note the first; if all are, fail. */
static int find_processes(struct host_source *hs, struct err *err)
{
	const struct host_filter *filter = &hs->opts.filter;
	size_t nr = filter->pids ? filter->nr_pids : 0, missing = 0;
	char path[32];

	for (size_t i = 0; i < nr; i++) {
		snprintf(path, sizeof(path), "/proc/%d",
			 (int)filter->pids[i]);
		if (sys_access(path, F_OK) != 0 && missing++ == 0)
			snprintf(hs->source.notice, sizeof(hs->source.notice),
				 "-p %d: there is no such process",
				 (int)filter->pids[i]);
	}
	return nr && missing == nr ?
		       err_set(err, -ESRCH, "%s", hs->source.notice) : 0;
}

struct source *host_source_open(const struct host_watch_opts *opts,
				struct workload *workload, double patience,
				struct err *err)
{
	struct host_source *hs = calloc(1, sizeof(*hs));

	if (!hs || source_init(&hs->source, &host_ops) != 0) {
		free(hs);
		err_set(err, -ENOMEM, "the host view: out of memory");
		return NULL;
	}
	hs->opts = *opts;
	hs->patience = patience;
	hs->stop = -1;
	pthread_mutex_init(&hs->lock, NULL);
	source_notes_init(&hs->notes);
	hs->command.workload = workload;
	hs->command.notes = &hs->notes;
	if (workload)
		hs->source.event_fd = workload_pidfd(workload);
	set_title(hs);
	if (find_processes(hs, err) == 0)
		return &hs->source;
	hs->command.workload = NULL;	/* the caller owns it */
	source_close(&hs->source);
	return NULL;
}
