/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/cpulist.h"
#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"
#include "host/host_watch.h"

struct host_source {
	struct source source;
	struct host_watch_opts opts;
	double patience;
};

/* No event is opened, so few privileges are needed. */
static int host_start(struct source *source, struct err *err)
{
	struct host_source *hs = (struct host_source *)source;
	int ret = caps_limit(CAPS_FILES | host_watch_caps(), err);

	if (ret == 0)
		ret = source_watch_host(source, &hs->opts, err);
	if (ret == 0)
		ret = caps_limit(CAPS_FILES, err);
	if (ret == 0)
		host_watch_wait(source->host, hs->patience);
	return ret;
}

static int host_read(struct source *source, struct reading *r, struct err *err)
{
	(void)source;
	(void)err;
	source_clock_read(r, NULL);
	r->cpu = sys_process_cpu();
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
	free(source);
}

static const struct source_ops host_ops = {
	.name = "host",
	.start = host_start,
	.read = host_read,
	.request = host_request,
	.close = host_close,
};

/* "every ring of the machine", "rings of process 12, CPU 0-3" */
static void set_title_of_owners(struct host_source *hs)
{
	const struct host_filter *filter = &hs->opts.filter;
	char *title = hs->source.title, *cpus;
	const size_t size = sizeof(hs->source.title);
	char list[64];
	int len;

	if (!filter->pids && !filter->cpus) {
		text_copy(title, size, "every ring of the machine");
		return;
	}
	len = snprintf(title, size, "rings of");
	for (size_t i = 0; filter->pids && i < filter->nr_pids &&
			   (size_t)len < size; i++)
		len += snprintf(title + len, size - (size_t)len, "%s %d",
				i ? "," : filter->nr_pids > 1 ? " processes" :
				" process", (int)filter->pids[i]);
	if (!filter->cpus || (size_t)len >= size)
		return;
	cpus = cpulist_format(filter->cpus, list, sizeof(list));
	snprintf(title + len, size - (size_t)len, "%s CPU %s",
		 filter->pids ? "," : "", cpus);
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
			    before, ring_row_kind_name(kind));
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
				double patience, struct err *err)
{
	struct host_source *hs = calloc(1, sizeof(*hs));

	if (!hs || source_init(&hs->source, &host_ops) != 0) {
		free(hs);
		err_set(err, -ENOMEM, "the host view: out of memory");
		return NULL;
	}
	hs->opts = *opts;
	hs->patience = patience;
	set_title(hs);
	if (find_processes(hs, err) == 0)
		return &hs->source;
	source_close(&hs->source);
	return NULL;
}
