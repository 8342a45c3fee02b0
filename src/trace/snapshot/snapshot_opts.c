/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/snapshot/snapshot_opts.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/err.h"
#include "base/file/new_file.h"
#include "collect/triggers/trigger.h"
#include "perf/event/call_spec.h"

enum { LEAST_HISTORY = 64 << 10 };	/* per ring, bytes */

bool snapshot_opts_can_take(const struct snapshot_opts *opts, struct err *err)
{
	if (opts->session_opts->overwrite)
		return true;
	if (opts->trace && opts->trace->overwrite)
		return true;
	if (opts->trace)
		err_set(err, -EOPNOTSUPP,
			"--full-trace drains the AUX rings continuously: leave it out for snapshots, or record with w or -o FILE");
	else
		err_set(err, -EOPNOTSUPP,
			"no ring keeps anything for a snapshot: trace (-e intel_pt// ...), or open rings with --overwrite; w records drained rings");
	return false;
}

/* Creates a file in it, the only reliable check. */
static int check_dir(const char *dir, struct err *err)
{
	char path[PATH_MAX];
	struct new_file *file = NULL;
	struct err why = { 0 };

	if (snprintf(path, sizeof(path), "%s/.rbtop", dir) <
	    (int)sizeof(path))
		file = new_file_open(path, 0, &why);
	else
		err_set(&why, -ENAMETOOLONG, "name too long");
	new_file_cancel(file);
	if (file)
		return 0;
	return err_set(err, why.code,
		       "--output %s: %s: name a directory that files can be created in",
		       dir, strerror(-why.code));
}

static int check_trigger(const struct snapshot_opts *opts, struct err *err)
{
	const char *text = trigger_text(opts->trigger);

	/* its event is watched even if the rings are not drained */
	if (call_spec_is(text))
		return 0;
	if (opts->session_opts->overwrite)
		return err_set(err, -EOPNOTSUPP,
			       "--snapshot-on checks records as they are drained, and overwrite rings are not drained: use --snapshot-every, or an event that traces (-e intel_pt//)");
	if (!opts->trace || !opts->trace->overwrite)
		return err_set(err, -EOPNOTSUPP,
			       "--snapshot-on needs an event that traces, such as -e intel_pt//, in snapshot mode: for overwrite rings use --snapshot-every, s or SIGUSR2");
	if (trigger_is_about_samples(opts->trigger) &&
	    !event_list_has_samples(&opts->session_opts->events))
		return err_set(err, -EINVAL,
			       "--snapshot-on '%.60s': no event takes samples that could meet it: add one, such as -e sched:sched_switch -c 1",
			       text);
	return 0;
}

int snapshot_opts_check(const struct snapshot_opts *opts, struct err *err)
{
	bool wanted = opts->every > 0 || opts->trigger;
	int ret = opts->trigger ? check_trigger(opts, err) : 0;

	if (ret)
		return ret;
	if (wanted && !snapshot_opts_can_take(opts, err))
		return err_prefix(err, opts->trigger ? "--snapshot-on" :
						       "--snapshot-every");
	/* else the current directory is checked when something is saved */
	if (wanted || strcmp(opts->dir, ".") != 0)
		return check_dir(opts->dir, err);
	return 0;
}

size_t snapshot_opts_history(const struct snapshot_opts *opts)
{
	size_t nr = opts->session_opts->overwrite ?
			    session_nr_rings(opts->session) :
			    session_nr_watched(opts->session);
	size_t share = opts->history_bytes / MAX(nr, 1);
	size_t bytes = LEAST_HISTORY;

	while (bytes <= share / 2)
		bytes *= 2;
	return bytes;
}

struct trace_file_from snapshot_opts_from(const struct snapshot_opts *opts,
					  struct event_ids *ids)
{
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
		.ids = ids,
		.loader = opts->loader,
	};
}
