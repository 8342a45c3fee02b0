/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/host_watch.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/caps.h"
#include "base/err.h"
#include "base/proc.h"
#include "base/sys.h"
#include "base/text.h"
#include "host/host_bpf.h"
#include "host/host_ftrace.h"
#include "host/host_names.h"
#include "host/host_proc.h"
#include "host/host_pace.h"
#include "host/table/host_remedy.h"
#include "perf/event/event_label.h"

struct host_watch {
	struct host_watch_opts opts;
	pthread_t thread;
	/* used by the thread only */
	struct event_labels *labels;
	struct host_bpf *bpf;		/* NULL: /proc is used */
	struct host_drops *drops;	/* NULL: not asked for, or refused */
	struct host_ftrace *ftrace;	/* NULL: not to be shown */
	char unread[160];		/* why ftrace buffers cannot be read */
	struct host_names *names;
	struct host_pass pass;
	struct host_pace pace;
	pid_t *pids;			/* of processes that hold rings */
	size_t pids_cap;
	pid_t *others;			/* not descendants of opts.root */
	size_t nr_others, others_cap;
	unsigned int hidden;		/* processes whose mappings are not
					 * readable */

	pthread_mutex_t lock;		/* of the following */
	pthread_cond_t changed;		/* signals stop, and the first pass */
	bool stop;
	bool again;			/* a whole pass is waited for */
	struct host_table *table;
	uint64_t max_rate;		/* see struct host_pass */
	pid_t *shown;			/* opts.root and its descendants that
					 * hold rings, or did */
	size_t nr_shown, shown_cap;
	struct host_status status;
	double last_whole;		/* time of the last pass over all
					 * processes, CLOCK_MONOTONIC */
};

/* Load the programs, or publish why they are not used. */
static void open_bpf(struct host_watch *w)
{
	struct err err = { 0 };

	if (w->opts.no_bpf)
		err_set(&err, -EOPNOTSUPP, "BPF was not asked for");
	else
		w->bpf = host_bpf_open(w->labels, &err);
	if (w->bpf && host_filter_has(&w->opts.filter, RING_URING))
		host_bpf_read_urings(w->bpf);
	if (w->bpf && host_filter_has(&w->opts.filter, RING_PACKET))
		host_bpf_read_packets(w->bpf);
	pthread_mutex_lock(&w->lock);
	w->status.bpf = w->bpf != NULL;
	if (!w->bpf)
		text_copy(w->status.reason, sizeof(w->status.reason),
			  err.text);
	pthread_mutex_unlock(&w->lock);
}

/* Begin or end counting drops, where that was asked for since the last pass. */
static void switch_drops(struct host_watch *w)
{
	struct err err = { 0 };
	bool on;

	pthread_mutex_lock(&w->lock);
	on = w->opts.drops;
	pthread_mutex_unlock(&w->lock);
	if (on == (w->drops != NULL) || !w->bpf)
		return;
	host_drops_free(w->drops);
	w->drops = on ? host_drops_open(&err) : NULL;
	pthread_mutex_lock(&w->lock);
	w->status.drops = w->drops != NULL;
	if (on && !w->drops)
		w->opts.drops = false;
	text_copy(w->status.uncounted, sizeof(w->status.uncounted), err.text);
	pthread_mutex_unlock(&w->lock);
}

/* Store the pids that hold rings in w->pids.  Their number; 0: no memory. */
static size_t known_pids(struct host_watch *w)
{
	size_t nr;

	pthread_mutex_lock(&w->lock);
	nr = host_table_pids(w->table, w->pids, w->pids_cap);
	if (nr > w->pids_cap) {
		nr = array_fit(w->pids, w->pids_cap, nr) ?
			     0 : host_table_pids(w->table, w->pids, nr);
	}
	pthread_mutex_unlock(&w->lock);
	return nr;
}

static bool has(const pid_t *pids, size_t nr, pid_t pid)
{
	for (size_t i = 0; i < nr; i++)
		if (pids[i] == pid)
			return true;
	return false;
}

/* Under the lock: show rings of @pid, too.  Without memory, they are not. */
static void show(struct host_watch *w, pid_t pid)
{
	pid_t *to = array_add(w->shown, w->nr_shown, w->shown_cap);

	if (to)
		*to = pid;
	host_table_show_only(w->table, w->shown, w->nr_shown);
}

/* Which owners descend from opts.root; it is found out once for each. */
static void find_descendants(struct host_watch *w)
{
	size_t nr = w->opts.root ? known_pids(w) : 0, nr_others = 0;

	if (array_fit(w->others, w->others_cap, nr))
		return;
	for (size_t i = 0; i < nr; i++) {
		pid_t pid = w->pids[i];

		if (has(w->shown, w->nr_shown, pid) ||
		    has(w->others, w->nr_others, pid) ||
		    !proc_descends("/proc", pid, w->opts.root))
			continue;
		pthread_mutex_lock(&w->lock);
		show(w, pid);
		pthread_mutex_unlock(&w->lock);
	}
	/* those that are gone may have their pids used again */
	for (size_t i = 0; i < nr; i++)
		if (!has(w->shown, w->nr_shown, w->pids[i]))
			w->others[nr_others++] = w->pids[i];
	w->nr_others = nr_others;
}

static int read_known(struct host_watch *w, unsigned int parts,
		      struct err *err)
{
	const unsigned int of_tasks = HOST_FILES | HOST_MAPPINGS;
	size_t nr = known_pids(w);
	int ret = 0;

	for (size_t i = 0; i < nr && ret == 0; i++)
		ret = host_bpf_read(w->bpf, parts & of_tasks, w->pids[i],
				    &w->pass, err);
	if (ret == 0)
		ret = host_bpf_read(w->bpf, parts & ~of_tasks, 0, &w->pass,
				    err);
	return ret;
}

static uint64_t max_rate(void)
{
	long long max;

	return sys_read_number("/proc/sys/kernel/perf_event_max_sample_rate",
			       &max) || max < 0 ? 0 : (uint64_t)max;
}

/* Read what is due.  0 or -errno with @err. */
static int read_due(struct host_watch *w, struct host_due *due, struct err *err)
{
	struct host_pass *pass = &w->pass;
	double before;
	int ret;

	host_pass_clear(pass);
	pass->mono = sys_now();
	pass->parts = due->parts;
	pass->whole = due->whole;
	if (due->parts & HOST_MAPPINGS)	/* now and then */
		w->max_rate = max_rate();
	pass->max_rate = w->max_rate;
	if (!w->bpf)
		ret = host_proc_read(NULL, w->shown, w->nr_shown, &w->pass,
				     &w->hidden, err);
	else if (due->whole)
		ret = host_bpf_read(w->bpf, due->parts, 0, pass, err);
	else
		ret = read_known(w, due->parts, err);
	if (ret == 0 && pass->parts & HOST_PROGRAMS)
		host_proc_runs(NULL, pass);
	if (ret == 0 && w->bpf)
		ret = host_bpf_read_ends(w->bpf, pass, err);
	if (ret == 0 && w->drops)
		ret = host_drops_read(w->drops, pass, err);
	before = sys_thread_cpu();
	if (ret == 0 && due->limits)
		ret = host_limits_read(NULL, pass);
	due->limits_cpu = sys_thread_cpu() - before;
	return ret;
}

/* Add ftrace buffers, which have a pace of their own.  Returns the CPU time. */
static double read_ftrace(struct host_watch *w)
{
	double before = sys_thread_cpu();
	struct err err = { 0 };

	if (w->ftrace && host_ftrace_read(w->ftrace, &w->pass, &err) != 0 &&
	    w->opts.filter.kinds)
		text_copy(w->unread, sizeof(w->unread), err.text);
	else if (w->pass.parts & HOST_FTRACE)
		w->unread[0] = '\0';
	return sys_thread_cpu() - before;
}

/* Under the lock: publish that some drops are in no row. */
static void publish_uncounted(struct host_watch *w)
{
	uint64_t nr = w->drops ? host_drops_unplaced(w->drops) : 0;

	if (nr)
		snprintf(w->status.uncounted, sizeof(w->status.uncounted),
			 "drops: %llu more record%s lost, by BPF ring buffers that could not be identified",
			 (unsigned long long)nr, nr == 1 ? "" : "s");
}

/* Under the lock: publish problems of the pass. */
static void publish_error(struct host_watch *w, int ret, const struct err *err)
{
	char *text = w->status.error;
	size_t size = sizeof(w->status.error);

	if (ret == -ENOMEM)
		text_copy(text, size, "out of memory");
	else if (ret < 0)
		text_copy(text, size, err->text);
	else if (w->unread[0])
		text_copy(text, size, w->unread);
	else if (w->hidden)
		snprintf(text, size, "the mappings of %u process%s cannot be "
			 "read: run rbtop with CAP_SYS_PTRACE", w->hidden,
			 w->hidden == 1 ? "" : "es");
	else if (w->bpf && host_bpf_misses(w->bpf))
		text_copy(text, size, host_bpf_misses(w->bpf));
	else
		text[0] = '\0';
}

/* Add the pass to the table.  @ret and @err are the result of reading. */
static void add_pass(struct host_watch *w, const struct host_due *due, int ret,
		     const struct err *err)
{
	struct host_status *status = &w->status;

	pthread_mutex_lock(&w->lock);
	if (ret == 0)
		ret = host_table_add(w->table, &w->pass);
	if (ret == 0 && due->whole) {
		status->files = w->pass.files;
		w->last_whole = w->pass.mono;
	}
	status->hidden = w->hidden;
	publish_error(w, ret, err);
	publish_uncounted(w);
	pthread_mutex_unlock(&w->lock);
}

/* End the pass; wakes threads that wait for the first one. */
static void settle(struct host_watch *w, double interval, double cost,
		   bool again)
{
	pthread_mutex_lock(&w->lock);
	w->again &= !again;
	w->status.interval = interval;
	w->status.cost = cost;
	w->status.passes++;
	w->status.ready = true;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->lock);
}

/* Request names of new users, and store those available without waiting. */
static void name_users(struct host_watch *w)
{
	char name[HOST_NAMES_SIZE];
	uid_t uid;
	bool more;

	do {
		more = host_names_get(w->names, &uid, name);
		pthread_mutex_lock(&w->lock);
		if (more)
			host_table_name_user(w->table, uid, name);
		more = host_table_unnamed(w->table, &uid) && !w->stop;
		pthread_mutex_unlock(&w->lock);
	} while (more && host_names_ask(w->names, uid));
}

/* Timeout for reading a command line, in seconds. */
#define PATIENCE 0.2

struct command_line {
	ssize_t len;
	char argv[HOST_REMEDY_ARGV + 1];
};

static void read_command_line(void *pid, void *result)
{
	struct command_line *line = result;

	line->len = proc_cmdline("/proc", *(pid_t *)pid, line->argv,
				 sizeof(line->argv));
}

/* Read one command line that is needed, if any: others wait for their turn. */
static void read_commands(struct host_watch *w)
{
	struct command_line line;
	pid_t pid;
	bool any;

	pthread_mutex_lock(&w->lock);
	any = host_table_uncommanded(w->table, &pid);
	pthread_mutex_unlock(&w->lock);
	if (!any)
		return;
	if (proc_aside(read_command_line, &pid, &line, sizeof(line),
		       PATIENCE) != 0 || line.len < 0)
		line.len = 0;
	pthread_mutex_lock(&w->lock);
	host_table_command(w->table, pid, line.argv, (size_t)line.len);
	pthread_mutex_unlock(&w->lock);
}

/* Make a pass; returns the seconds until the next. */
static double make_pass(struct host_watch *w)
{
	struct err err = { 0 };
	struct host_due due;
	unsigned int wants;
	double before, wait, cpu;
	size_t rings;
	bool again;
	int ret;

	switch_drops(w);
	before = sys_thread_cpu();
	pthread_mutex_lock(&w->lock);
	wants = host_table_wants(w->table);
	again = w->again;
	pthread_mutex_unlock(&w->lock);
	host_pace_due(&w->pace, sys_now(), wants, &due);
	if (again) {
		due.parts |= HOST_ALL;
		due.whole = true;
	}
	ret = read_due(w, &due, &err);
	rings = w->pass.nr_rings;
	cpu = ret == 0 ? read_ftrace(w) : 0;
	add_pass(w, &due, ret, &err);
	find_descendants(w);
	cpu = sys_thread_cpu() - before - cpu;
	wait = host_pace_done(&w->pace, &due, rings, cpu);
	settle(w, wait, w->pace.cost > 0 ? w->pace.cost : cpu, again);
	name_users(w);
	read_commands(w);
	return wait;
}

/* Sleep.  False if the watch must end. */
static bool rest(struct host_watch *w, double seconds)
{
	struct timespec until = sys_deadline(seconds);
	bool stop;

	pthread_mutex_lock(&w->lock);
	while (!w->stop && !w->again &&
	       pthread_cond_timedwait(&w->changed, &w->lock, &until) == 0)
		;
	stop = w->stop;
	pthread_mutex_unlock(&w->lock);
	return !stop;
}

void host_watch_again(struct host_watch *w, double seconds)
{
	struct timespec until = sys_deadline(seconds);

	pthread_mutex_lock(&w->lock);
	w->again = true;
	pthread_cond_broadcast(&w->changed);
	while (w->again &&
	       pthread_cond_timedwait(&w->changed, &w->lock, &until) == 0)
		;
	pthread_mutex_unlock(&w->lock);
}

void host_watch_wait(struct host_watch *w, double seconds)
{
	struct timespec until = sys_deadline(seconds);

	pthread_mutex_lock(&w->lock);
	while (!w->status.ready &&
	       pthread_cond_timedwait(&w->changed, &w->lock, &until) == 0)
		;
	pthread_mutex_unlock(&w->lock);
}

static void *watch_main(void *arg)
{
	struct host_watch *w = arg;

	pthread_setname_np(pthread_self(), "rbtop-host");
	caps_limit(host_watch_caps(), NULL);
	open_bpf(w);
	host_pace_init(&w->pace, w->opts.interval, w->bpf != NULL,
		       w->bpf && host_bpf_can_pick(w->bpf));
	if (w->opts.closely)
		w->pace.budget = 10;
	while (rest(w, make_pass(w)))
		;
	return NULL;
}

static void free_all(struct host_watch *w)
{
	host_names_free(w->names);
	host_drops_free(w->drops);
	host_ftrace_free(w->ftrace);
	host_bpf_free(w->bpf);
	event_labels_free(w->labels);
	host_pass_free(&w->pass);
	host_table_free(w->table);
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
	free(w->pids);
	free(w->others);
	free(w->shown);
	free(w);
}

static int start_thread(struct host_watch *w, struct err *err)
{
	sigset_t old;
	int ret;

	/* Signals are handled by the front end. */
	sys_block_signals(&old);
	ret = pthread_create(&w->thread, NULL, watch_main, w);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ret ? err_set(err, -ret, "starting the thread that polls the "
			     "rings: %s; see ulimit -u", strerror(ret)) : 0;
}

unsigned int host_watch_caps(void)
{
	/* /proc needs the same capabilities as reading symbols */
	return host_bpf_built_in() ? CAPS_HOST : CAPS_SYMBOLS;
}

struct host_watch *host_watch_start(const struct host_watch_opts *opts,
				    struct err *err)
{
	struct host_watch *w = calloc(1, sizeof(*w));
	const struct host_table_opts table = {
		.self = getpid(),
		.uid = geteuid(),
		.page_size = sys_page_size(),
		/* what a command lost is told at its end */
		.linger = opts->root ? (double)INFINITY : HOST_TABLE_LINGER,
		.keeps_lost = opts->keeps_lost,
		.filter = opts->filter,
	};

	if (!w) {
		err_set(err, -ENOMEM, "the host view: out of memory");
		return NULL;
	}
	w->opts = *opts;
	pthread_mutex_init(&w->lock, NULL);
	sys_condition_init(&w->changed);
	w->labels = event_labels_new(NULL, NULL);
	w->table = host_table_new(&table);
	w->names = host_names_new(host_names_user);
	if (host_filter_has(&opts->filter, RING_FTRACE))
		w->ftrace = host_ftrace_new(NULL, NULL);
	if (!w->labels || !w->table || !w->names) {
		err_set(err, -ENOMEM, "the host view: out of memory");
		free_all(w);
		return NULL;
	}
	if (opts->root)
		show(w, opts->root);
	if (start_thread(w, err) == 0)
		return w;
	free_all(w);
	return NULL;
}

void host_watch_free(struct host_watch *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	free_all(w);
}

const struct host *host_watch_frame(struct host_watch *w, host_note_fn *note,
				    void *ctx)
{
	const struct host *host;
	struct host_status status;
	double wall, now;

	pthread_mutex_lock(&w->lock);
	/*
	 * Read in this order: no data is newer than @wall, and none is older
	 * than whole_age before it.
	 */
	wall = sys_wall_clock();
	now = sys_now();
	status = w->status;
	status.whole_age = w->last_whole > 0 ? fmax(now - w->last_whole, 0) :
					       NAN;
	host = host_table_frame(w->table, now, wall, &status, note, ctx);
	pthread_mutex_unlock(&w->lock);
	return host;
}

void host_watch_drops(struct host_watch *w, bool on)
{
	pthread_mutex_lock(&w->lock);
	w->opts.drops = on;
	pthread_mutex_unlock(&w->lock);
}

void host_watch_reset(struct host_watch *w)
{
	pthread_mutex_lock(&w->lock);
	host_table_reset(w->table);
	pthread_mutex_unlock(&w->lock);
}
