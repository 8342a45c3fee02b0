/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/snapshot/snapshot_shared.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/err.h"
#include "base/text.h"

bool snapshot_shared_can_take(const struct snapshot_shared *s, struct err *err)
{
	const struct auxtrace *trace = s->opts.trace;

	if (s->opts.session_opts->overwrite || (trace && trace->overwrite))
		return true;
	if (trace)
		err_set(err, -EOPNOTSUPP,
			"--full-trace drains the AUX rings continuously: leave it out for snapshots, or record with w or -o FILE");
	else
		err_set(err, -EOPNOTSUPP,
			"no ring keeps data for a snapshot: trace (-e intel_pt//), use --overwrite, or press w to record instead");
	return false;
}

struct trace_file_from snapshot_shared_from(struct snapshot_shared *s)
{
	const struct snapshot_opts *opts = &s->opts;
	/* Overwrite rings have no side-band: tasks are read from /proc. */
	bool tasks = !opts->session_opts->overwrite || opts->tasks_made_up;

	return (struct trace_file_from){
		.session = opts->session,
		.session_opts = opts->session_opts,
		.trace = opts->trace,
		.env = opts->env,
		.tasks = tasks ? opts->tasks : NULL,
		.tasks_made_up = opts->tasks_made_up,
		.machine = opts->machine,
		.ids = &s->ids,
		.loader = opts->loader,
	};
}

struct snapshots *snapshot_shared_lock(struct snapshot_shared *s)
{
	pthread_mutex_lock(&s->lock);
	return &s->now;
}

void snapshot_shared_unlock(struct snapshot_shared *s)
{
	pthread_mutex_unlock(&s->lock);
}

void snapshot_shared_note(const struct snapshot_shared *s, enum log_kind kind,
			  const char *fmt, ...)
{
	char text[240];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (s->opts.note)
		s->opts.note(s->opts.ctx, kind, text);
}

void snapshot_shared_note_unread(const struct snapshot_shared *s,
				 const char *path, size_t nr)
{
	if (nr)
		snapshot_shared_note(s, LOG_ERROR,
				     "%s has no build-ids for %zu file%s that could not be read in time",
				     text_base_name(path), nr,
				     nr == 1 ? "" : "s");
}
