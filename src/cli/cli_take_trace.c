/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options for AUX rings, snapshots and recordings. */
#include "cli/cli_take.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/units.h"
#include "collect/triggers/trigger.h"
#include "perf/event/event_spec.h"

static struct source_snapshots *snapshots(struct cli_parsing *p)
{
	return &p->cli.session.snapshots;
}

/* Parse a size of at least 1 byte. */
static int take_size(const char *arg, const char *what, uint64_t *bytes,
		     struct err *err)
{
	int ret = units_parse_size(arg, what, bytes, NULL, err);

	if (ret == 0 && *bytes == 0)
		ret = err_usage(err, "%s 0: at least 1 byte", what);
	return ret;
}

/* -S, -S64K, -Se, -Se64K, --snapshot, --snapshot=64K, as in perf-record(1). */
int cli_take_trace_snapshot(struct cli_parsing *p, const char *arg,
			    struct err *err)
{
	struct auxtrace_opts *aux = &p->cli.session.aux;

	p->snapshot = true;
	aux->asked = true;
	aux->snapshot_bytes = 0;
	p->after_snapshot = arg ? NULL : p->next;
	if (arg && *arg == 'e') {
		snapshots(p)->at_exit = true;
		arg = arg[1] ? arg + 1 : NULL;
	}
	return arg ? take_size(arg, "-S", &aux->snapshot_bytes, err) : 0;
}

int cli_take_trace_full(struct cli_parsing *p, const char *arg,
			struct err *err)
{
	(void)arg;
	(void)err;
	p->cli.session.aux.full_trace = true;
	p->cli.session.aux.asked = true;
	return 0;
}

int cli_take_trace_filter(struct cli_parsing *p, const char *arg,
			  struct err *err)
{
	if (!p->event_given)
		return err_usage(err, "--aux-filter: give it after the -e "
				 "whose trace it applies to");
	return event_list_aux_filter(&p->cli.session.session.events,
				     p->before_event, arg, err);
}

int cli_take_trace_every(struct cli_parsing *p, const char *arg,
			 struct err *err)
{
	return units_parse_seconds(arg, "--snapshot-every",
				   &snapshots(p)->every, err);
}

/* On an error, add the valid conditions to its text. */
static int check_condition(const char *text, struct err *err)
{
	struct err why = { 0 };

	if (trigger_check(text, &why) == 0)
		return 0;
	return err_usage(err, "%s; use one of lost, throttle, truncated, "
			 "fill>N%%, call:FUNC and exit, or an expression on "
			 "event, cpu, pid, tid and comm of samples",
			 why.text);
}

int cli_take_trace_on(struct cli_parsing *p, const char *arg, struct err *err)
{
	if (strcmp(arg, "exit") == 0) {
		snapshots(p)->at_exit = true;
		return 0;
	}
	if (snapshots(p)->on)
		return err_usage(err, "--snapshot-on '%s' and '%s': give only "
				 "one condition; conditions on samples can be "
				 "joined with ||", snapshots(p)->on, arg);
	snapshots(p)->on = arg;
	return check_condition(arg, err);
}

int cli_take_trace_cooldown(struct cli_parsing *p, const char *arg,
			    struct err *err)
{
	return units_parse_seconds(arg, "--snapshot-cooldown",
				   &snapshots(p)->cooldown, err);
}

int cli_take_trace_output(struct cli_parsing *p, const char *arg,
			  struct err *err)
{
	if (!*arg)
		return err_usage(err, "--output '': not the name of a "
				 "directory");
	snapshots(p)->dir = arg;
	return 0;
}

int cli_take_trace_keep(struct cli_parsing *p, const char *arg,
			struct err *err)
{
	uint64_t n;
	int ret = units_parse_number(arg, INT_MAX, "--keep", &n, err);

	if (ret == 0)
		snapshots(p)->keep = (unsigned int)n;
	return ret;
}

int cli_take_trace_history(struct cli_parsing *p, const char *arg,
			   struct err *err)
{
	uint64_t bytes;
	int ret = take_size(arg, "--history", &bytes, err);

	if (ret == 0 && bytes > CLI_MAX_HISTORY)
		ret = err_usage(err, "--history %s: at most 64G", arg);
	if (ret == 0)
		snapshots(p)->history = (size_t)bytes;
	return ret;
}

int cli_take_trace_record(struct cli_parsing *p, const char *arg,
			  struct err *err)
{
	if (!*arg || strcmp(arg, "-") == 0)
		return err_usage(err, "-o '%s': must be the name of a file; a "
				 "recording cannot go to a pipe, because its "
				 "header is rewritten as it grows", arg);
	if (snapshots(p)->record)
		return err_usage(err, "-o %s and -o %s: give only one; there "
				 "is one recording at a time",
				 snapshots(p)->record, arg);
	snapshots(p)->record = arg;
	return 0;
}

int cli_take_trace_max_size(struct cli_parsing *p, const char *arg,
			    struct err *err)
{
	return take_size(arg, "--max-size", &snapshots(p)->max_record, err);
}

/* "6.14", or as perf --version prints it: 6.14.3, 6.14-rc2, 6.14.g0123abc */
static bool read_version(const char *text, unsigned int *version)
{
	unsigned long major, minor;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	major = strtoul(text, &end, 10);
	if (*end != '.' || !isdigit((unsigned char)end[1]))
		return false;
	minor = strtoul(end + 1, &end, 10);
	if (isalnum((unsigned char)*end) || major > UCHAR_MAX ||
	    minor > UCHAR_MAX)
		return false;
	*version = AUXTRACE_PERF((unsigned int)major, (unsigned int)minor);
	return true;
}

int cli_take_trace_perf_version(struct cli_parsing *p, const char *arg,
				struct err *err)
{
	unsigned int *perf = &p->cli.session.aux.perf;

	if (!read_version(arg, perf))
		return err_usage(err, "--perf-version '%s': not a version of "
				 "perf such as 6.14", arg);
	if (*perf < AUXTRACE_PERF_MIN)
		return err_usage(err, "--perf-version %s: the oldest that can "
				 "read the files is 6.1", arg);
	return 0;
}
