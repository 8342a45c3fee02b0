/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/cli_take.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/sys.h"
#include "base/units.h"
#include "perf/event/event_spec.h"
#include "perf/tracepoint/tracefs.h"

enum {
	MAX_HOT = 100000,
	MAX_DECODE = 100000000,	/* more than any ring carries */
};

const struct event_env cli_event_env = {
	.pmus = "/sys/bus/event_source/devices",
	.find_tracefs = tracefs_path,
};

/* A number of at least 1. */
static int take_number(const char *arg, uint64_t max, const char *what,
		       uint64_t *out, struct err *err)
{
	int ret = units_parse_number(arg, max, what, out, err);

	if (ret == 0 && *out == 0)
		ret = err_usage(err, "%s 0: at least 1", what);
	return ret;
}

static struct session_opts *session_opts(struct cli_parsing *p)
{
	return &p->cli.session.session;
}

static int cli_take_event(struct cli_parsing *p, const char *arg,
			  struct err *err)
{
	struct event_list *events = &session_opts(p)->events;

	p->event_given = true;
	p->before_event = events->nr;
	return event_list_parse(events, arg, &cli_event_env, err);
}

static int cli_take_freq(struct cli_parsing *p, const char *arg,
			 struct err *err)
{
	static const char limit[] =
		"/proc/sys/kernel/perf_event_max_sample_rate";
	long long max;
	int ret;

	if (strcmp(arg, "max") != 0)
		return take_number(arg, INT_MAX, "-F", &session_opts(p)->freq,
				   err);
	ret = sys_read_number(limit, &max);
	if (ret < 0)
		return err_set(err, ret, "-F max: cannot read %s: %s", limit,
			       strerror(-ret));
	session_opts(p)->freq = max > 0 ? (uint64_t)max : 1;
	return 0;
}

static int cli_take_count(struct cli_parsing *p, const char *arg,
			  struct err *err)
{
	/* The kernel refuses periods with the sign bit set. */
	return take_number(arg, INT64_MAX, "-c", &session_opts(p)->period, err);
}

static int cli_take_filter(struct cli_parsing *p, const char *arg,
			   struct err *err)
{
	if (!p->event_given)
		return err_usage(err, "--filter goes after the -e whose "
				 "tracepoints it is for");
	return event_list_filter(&session_opts(p)->events, p->before_event,
				 arg, err);
}

static int cli_take_cgroup(struct cli_parsing *p, const char *arg,
			   struct err *err)
{
	if (p->event_given)
		return event_list_cgroups(&session_opts(p)->events, arg, err);
	p->cgroups = arg;
	return 0;
}

static const char *const call_graph_modes[] = { "fp", "dwarf", "lbr" };

/* Only frame pointers are walked by the kernel itself, on any machine. */
static int cli_take_call_graph(struct cli_parsing *p, const char *arg,
			       struct err *err)
{
	/* perf's modes may carry the size of a dump: "dwarf,8192" */
	size_t len = strcspn(arg, ",");

	if (strcmp(arg, "fp") == 0) {
		session_opts(p)->callchain = true;
		return 0;
	}
	if (len == strlen("dwarf") && strncmp(arg, "dwarf", len) == 0)
		return err_usage(err, "-g dwarf: it takes a copy of the user "
				 "stack, up to 64 KiB with each sample, which "
				 "crowds the rings and needs an unwinder that "
				 "rbtop has not got: use -g fp, on programs "
				 "built with -fno-omit-frame-pointer");
	if (strcmp(arg, "lbr") == 0)
		return err_usage(err, "-g lbr: it takes a call stack that some "
				 "Intel CPUs record, which rbtop does not "
				 "join to callchains: use -g fp");
	return err_usage(err, "--call-graph '%s': not fp, which is the one "
			 "mode there is", arg);
}

/*
 * "-g fp" as well as "-g CMD": the next word is taken only if it cannot be
 * meant otherwise.
 */
static int cli_take_callchains(struct cli_parsing *p, const char *arg,
			       struct err *err)
{
	const size_t nr = sizeof(call_graph_modes) / sizeof(*call_graph_modes);

	(void)arg;
	for (size_t i = 0; p->next && i < nr; i++)
		if (strcmp(p->next, call_graph_modes[i]) == 0)
			p->next_taken = true;
	return cli_take_call_graph(p, p->next_taken ? p->next : "fp", err);
}

static int cli_take_max_stack(struct cli_parsing *p, const char *arg,
			      struct err *err)
{
	uint64_t n;
	int ret = take_number(arg, UINT16_MAX, "--max-stack", &n, err);

	if (ret == 0)
		session_opts(p)->max_stack = (uint16_t)n;
	return ret;
}

/* The privilege levels are those of the event, perf_event_open(2). */
static int cli_take_branch_any(struct cli_parsing *p, const char *arg,
			       struct err *err)
{
	(void)arg;
	(void)err;
	session_opts(p)->sample_type |= PERF_SAMPLE_BRANCH_STACK;
	session_opts(p)->branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
	return 0;
}

static int cli_take_cpu(struct cli_parsing *p, const char *arg,
			struct err *err)
{
	struct cpulist *cpus = &session_opts(p)->target.cpus;
	int ret;

	cpulist_free(cpus);
	ret = cpulist_parse(arg, cpus, err);
	if (ret < 0)
		return err_prefix(err, "-C");
	if (cpus->nr == 0)
		return err_usage(err, "-C: no CPU in the list; try 0-3");
	return 0;
}

/* Append the ids of @list, "1,2,3". */
static int take_ids(const char *list, const char *what, pid_t **ids,
		    size_t *nr, struct err *err)
{
	char *copy = strdup(list), *rest = copy, *word;
	int ret = copy ? 0 : err_set(err, -ENOMEM, "%s: out of memory", what);
	size_t room = *nr;
	pid_t *place;
	uint64_t id;

	while (ret == 0 && (word = strsep(&rest, ","))) {
		ret = take_number(word, INT_MAX, what, &id, err);
		if (ret < 0)
			break;
		place = array_add(*ids, *nr, room);
		if (place)
			*place = (pid_t)id;
		else
			ret = err_set(err, -ENOMEM, "%s: out of memory", what);
	}
	free(copy);
	return ret;
}

static int cli_take_pid(struct cli_parsing *p, const char *arg,
			struct err *err)
{
	struct target *target = &session_opts(p)->target;

	return take_ids(arg, "-p", &target->pids, &target->nr_pids, err);
}

static int cli_take_tid(struct cli_parsing *p, const char *arg,
			struct err *err)
{
	struct target *target = &session_opts(p)->target;

	return take_ids(arg, "-t", &target->tids, &target->nr_tids, err);
}

static int cli_take_start_delay(struct cli_parsing *p, const char *arg,
				struct err *err)
{
	uint64_t ms;
	int ret;

	p->cli.session.start_delay = -1;
	if (strcmp(arg, "-1") == 0)
		return 0;
	if (strchr(arg, '-'))
		return err_usage(err, "-D '%s': time ranges are not accepted: "
				 "use --control to enable and disable "
				 "events", arg);
	ret = units_parse_number(arg, INT_MAX, "-D", &ms, err);
	p->cli.session.start_delay = ret < 0 ? 0 : (double)ms / 1000;
	return ret;
}

static int cli_take_control(struct cli_parsing *p, const char *arg,
			    struct err *err)
{
	p->cli.session.control = arg;
	return session_source_control_check(arg, err);
}

/* A name first: there are users whose name is a number. */
static int cli_take_uid(struct cli_parsing *p, const char *arg,
			struct err *err)
{
	struct target *target = &session_opts(p)->target;
	const struct passwd *user = getpwnam(arg);
	uint64_t uid;
	int ret = 0;

	if (user)
		uid = user->pw_uid;
	else
		ret = units_parse_number(arg, UINT32_MAX - 1, "-u", &uid, NULL);
	if (ret < 0)
		return err_usage(err, "-u '%s': no such user", arg);
	target->by_uid = true;
	target->uid = (uid_t)uid;
	return 0;
}

void cli_warn(struct cli_parsing *p, const char *fmt, ...)
{
	size_t len = strlen(p->cli.warning);
	size_t size = sizeof(p->cli.warning);
	va_list ap;

	if (len && len + 2 < size)
		len = (size_t)(stpcpy(p->cli.warning + len, "; ") -
			       p->cli.warning);
	va_start(ap, fmt);
	vsnprintf(p->cli.warning + len, size - len, fmt, ap);
	va_end(ap);
}

/* As perf-record(1) says it. */
static void say_rounded(struct cli_parsing *p, const char *what,
			uint64_t bytes)
{
	char text[16];

	units_bytes(text, sizeof(text), (double)bytes);
	cli_warn(p, "%s: rounding mmap pages size to %s (%llu pages)", what,
		 text, (unsigned long long)(bytes / sys_page_size()));
}

/* Pages, or bytes where there is a suffix; a power of two of pages then. */
static int take_ring_size(struct cli_parsing *p, const char *arg,
			  const char *what, uint64_t *ring, struct err *err)
{
	uint64_t page = sys_page_size(), bytes, limit = CLI_MAX_RING;
	bool suffix;
	int ret;

	ret = units_parse_size(arg, what, &bytes, &suffix, err);
	if (ret < 0)
		return ret;
	if (bytes == 0)
		return err_usage(err, "%s 0: a ring has at least one page",
				 what);
	if (!suffix)
		limit /= page;
	if (bytes > limit)
		return err_usage(err, "%s %s: a ring has at most 1G (%llu "
				 "pages)", what, arg,
				 (unsigned long long)(CLI_MAX_RING / page));
	if (!suffix)
		bytes *= page;
	*ring = units_round_pow2(bytes);
	if (*ring < page)
		*ring = page;
	if (*ring != bytes)
		say_rounded(p, what, *ring);
	return 0;
}

/* "DATA", "DATA,AUX" or ",AUX", as perf-record(1) has it. */
static int cli_take_mmap_pages(struct cli_parsing *p, const char *arg,
			       struct err *err)
{
	struct auxtrace_opts *aux = &p->cli.session.aux;
	const char *comma = strchrnul(arg, ',');
	char *data;
	int ret = 0;

	if (comma > arg || !*comma) {
		data = strndup(arg, (size_t)(comma - arg));
		ret = data ? take_ring_size(p, data, "-m",
					    &session_opts(p)->ring_bytes, err) :
			     err_set(err, -ENOMEM, "-m: out of memory");
		free(data);
	}
	if (ret < 0 || !*comma)
		return ret;
	aux->asked = true;
	return take_ring_size(p, comma + 1, "-m ,AUX", &aux->aux_bytes, err);
}

static int take_percent(const char *arg, double *ratio, struct err *err)
{
	char *end;
	double percent = strtod(arg, &end);

	if (end == arg || strcmp(end, "%") != 0)
		return err_usage(err, "--watermark '%s': neither bytes nor a "
				 "percentage, such as 64K or 25%%", arg);
	if (!(percent > 0 && percent < 100))
		return err_usage(err, "--watermark %s: must lie between 0%% "
				 "and 100%% of the ring", arg);
	*ratio = percent / 100;
	return 0;
}

static int cli_take_watermark(struct cli_parsing *p, const char *arg,
			      struct err *err)
{
	struct session_opts *opts = session_opts(p);
	uint64_t bytes;
	int ret;

	opts->watermark = 0;
	opts->watermark_ratio = 0;
	if (strchr(arg, '%'))
		return take_percent(arg, &opts->watermark_ratio, err);
	ret = units_parse_size(arg, "--watermark", &bytes, NULL, err);
	if (ret < 0)
		return ret;
	if (bytes == 0 || bytes >= CLI_MAX_RING)
		return err_usage(err, "--watermark %s: must be more than 0 "
				 "and less than the ring", arg);
	opts->watermark = bytes;
	return 0;
}

static int cli_take_wakeup_events(struct cli_parsing *p, const char *arg,
				  struct err *err)
{
	uint64_t n;
	int ret = take_number(arg, UINT32_MAX, "--wakeup-events", &n, err);

	if (ret == 0)
		session_opts(p)->wakeup_events = (uint32_t)n;
	return ret;
}

static int cli_take_readers(struct cli_parsing *p, const char *arg,
			    struct err *err)
{
	uint64_t n;
	int ret = take_number(arg, 100, "--readers", &n, err);

	if (ret == 0)
		p->cli.session.readers = (unsigned int)n;
	return ret;
}

/* "--affinity cpu", "--affinity=cpu", or without it. */
static int cli_take_affinity(struct cli_parsing *p, const char *arg,
			     struct err *err)
{
	if (!arg && p->next &&
	    (!strcmp(p->next, "cpu") || !strcmp(p->next, "node"))) {
		p->next_taken = true;
		arg = p->next;
	}
	if (arg && strcmp(arg, "cpu") != 0)
		return err_usage(err, "--affinity %s: use --affinity cpu, which "
				 "pins readers to the CPUs of their rings",
				 arg);
	p->cli.session.affinity = true;
	return 0;
}

static int cli_take_realtime(struct cli_parsing *p, const char *arg,
			     struct err *err)
{
	uint64_t n;
	int ret = units_parse_number(arg, 99, "-r", &n, err);

	if (ret == 0)
		p->cli.session.realtime = (int)n;
	return ret;
}

static int cli_take_iterations(struct cli_parsing *p, const char *arg,
			       struct err *err)
{
	uint64_t n;
	int ret = take_number(arg, UINT32_MAX, "-n", &n, err);

	if (ret == 0)
		p->cli.ticks = (size_t)n;
	return ret;
}

static int cli_take_delay(struct cli_parsing *p, const char *arg,
			  struct err *err)
{
	p->cli.delay_given = true;
	return units_parse_seconds(arg, "-d", &p->cli.delay, err);
}

static int cli_take_format(struct cli_parsing *p, const char *arg,
			   struct err *err)
{
	p->cli.batch = true;
	p->cli.format = export_find(arg);
	if (!p->cli.format)
		return err_usage(err, "--format '%s': not one of %s", arg,
				 export_names());
	return 0;
}

static int cli_take_textfile(struct cli_parsing *p, const char *arg,
			     struct err *err)
{
	if (!*arg || strcmp(arg, "-") == 0)
		return err_usage(err, "--textfile '%s': the name of a file; "
				 "without it ticks go to standard output",
				 arg);
	p->cli.batch = true;
	p->cli.textfile = arg;
	return 0;
}

static int cli_take_hot(struct cli_parsing *p, const char *arg,
			struct err *err)
{
	uint64_t n;
	int ret = units_parse_number(arg, MAX_HOT, "--hot", &n, err);

	if (ret)
		return ret;
	p->cli.hot = (size_t)n;
	p->cli.hot_given = true;
	return 0;
}

static int cli_take_decode(struct cli_parsing *p, const char *arg,
			   struct err *err)
{
	uint64_t n;
	int ret = units_parse_number(arg, MAX_DECODE, "--decode", &n, err);

	if (ret == 0)
		p->cli.session.decode_rate = (double)n;
	return ret;
}

static int cli_take_config(struct cli_parsing *p, const char *arg,
			   struct err *err)
{
	(void)err;
	p->cli.config_path = arg;
	return 0;
}

static int cli_take_sim(struct cli_parsing *p, const char *arg,
			struct err *err)
{
	(void)err;
	p->cli.sim = arg;
	return 0;
}

static int cli_take_help(struct cli_parsing *p, const char *arg,
			 struct err *err)
{
	(void)arg;
	(void)err;
	p->cli.command = CLI_HELP;
	return 0;
}

static int cli_take_version(struct cli_parsing *p, const char *arg,
			    struct err *err)
{
	(void)arg;
	(void)err;
	p->cli.command = CLI_VERSION;
	return 0;
}

#define OPTION(section, letter, name, arg, id, help)                         \
	{ CLI_SECTION_##section, letter, name, arg, cli_take_##id,           \
	  0, 0, help },
#define FLAG(section, letter, name, member, help)                            \
	{ CLI_SECTION_##section, letter, name, NULL, NULL,                   \
	  offsetof(struct cli_parsing, member), 0, help },
#define FIELD(section, letter, name, bits, help)                             \
	{ CLI_SECTION_##section, letter, name, NULL, NULL, 0, bits, help },
const struct cli_option cli_options[CLI_NR_OPTIONS] = {
#include "cli/cli_options.def"
};
#undef OPTION
#undef FLAG
#undef FIELD
