/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/source_snapshots.h"

#include <stdlib.h>

#include "base/err.h"
#include "collect/triggers/trigger.h"
#include "ring/request.h"
#include "source/source.h"
#include "symbols/symbol_loader.h"
#include "task/task_history.h"
#include "trace/file/trace_records.h"
#include "trace/snapshot/snapshot_thread.h"

int source_snapshots_open(struct source_snapshots_parts *p,
			  struct snapshot_opts *opts,
			  struct source_notes *notes, struct err *err)
{
	const struct source_snapshots *from = p->opts;

	opts->env = &p->env;
	opts->tasks = p->tasks;
	opts->machine = &p->machine;
	opts->trigger = p->trigger;
	opts->note = source_notes_text;
	opts->ctx = notes;
	opts->dir = from->dir ? from->dir : ".";
	opts->keep = from->keep;
	opts->every = from->every;
	opts->cooldown = from->cooldown > 0 ? from->cooldown :
					      SOURCE_SNAPSHOTS_COOLDOWN;
	opts->max_record = from->max_record;
	opts->history_bytes = from->history ? from->history :
					      SOURCE_SNAPSHOTS_HISTORY;
	/* before the events are enabled: a fork may delay the readers */
	if (!opts->tasks_made_up)
		p->loader = build_ids_loader("/proc", SOURCE_SNAPSHOTS_LOADERS);
	opts->loader = p->loader;
	p->thread = snapshot_thread_new(opts, err);
	return p->thread ? 0 : err->code;
}

int source_snapshots_request(struct source_snapshots_parts *p,
			     const struct request *rq, struct err *err)
{
	struct snapshot_thread *thread = p->thread;

	switch (rq->kind) {
	case REQUEST_SNAPSHOT:
		return snapshot_thread_take(thread, rq->rings, rq->nr_rings,
					    rq->text, rq->snapshot, err);
	case REQUEST_SNAPSHOT_CANCEL:
		return snapshot_thread_cancel(thread, rq->snapshot, err);
	default:
		break;
	}
	if (!rq->on)
		return snapshot_thread_record_end(thread, err);
	return snapshot_thread_record(thread, rq->text[0] ? rq->text : NULL,
				      err);
}

const struct snapshots *source_snapshots_read(struct source_snapshots_parts *p)
{
	snapshot_thread_status(p->thread, &p->now);
	return &p->now;
}

void source_snapshots_settle(struct source_snapshots_parts *p)
{
	bool last = p && p->opts->at_exit &&
		    !atomic_exchange(&p->exit_taken, true);

	if (!p)
		return;
	snapshot_thread_settle(p->thread, last ? "exit" : NULL);
}

void source_snapshots_close(struct source_snapshots_parts *p, bool complete)
{
	if (!p)
		return;
	if (complete)
		snapshot_thread_stop(p->thread);
	snapshot_thread_free(p->thread);
	p->thread = NULL;
}

void source_snapshots_free(struct source_snapshots_parts *p)
{
	symbol_loader_free(p->loader);
	perfdata_machine_free(&p->machine);
	trigger_free(p->trigger);
	task_history_free(p->tasks);
	free(p->event_names);
}
