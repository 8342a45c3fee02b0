/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/cli_take.h"

#include <ctype.h>
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
#include "perf/event/pmu.h"
#include "perf/tracepoint/tracefs.h"

enum {
	MAX_HOT = 100000,
	MAX_DECODE = 100000000,	/* more than rings can carry */
};

const struct event_env cli_event_env = {
	.pmus = PMU_DEVICES,
	.find_tracefs = tracefs_path,
};

/* Parse a number from 1 to @max. */
static int take_number(const char *arg, uint64_t max, const char *what,
		       uint64_t *out, struct err *err)
{
	int ret = units_parse_number(arg, max, what, out, err);

	if (ret == 0 && *out == 0)
		ret = err_usage(err, "%s 0: at least 1", what);
	return ret;
}

/* Handlers that store a number in a member of struct cli_parsing. */
#define NUMBER(id, take, max, what, member)                                  \
static int cli_take_##id(struct cli_parsing *p, const char *arg,             \
			 struct err *err)                                    \
{                                                                            \
	uint64_t n;                                                          \
	int ret = take(arg, max, what, &n, err);                             \
									     \
	if (ret == 0)                                                        \
		p->member = (__typeof__(p->member))n;                        \
	return ret;                                                          \
}
/* The kernel refuses periods with the sign bit set. */
NUMBER(count, take_number, INT64_MAX, "-c", cli.session.session.period)
NUMBER(max_stack, take_number, UINT16_MAX, "--max-stack",
       cli.session.session.max_stack)
NUMBER(wakeup_events, take_number, UINT32_MAX, "--wakeup-events",
       cli.session.session.wakeup_events)
NUMBER(readers, take_number, 100, "--readers", cli.session.readers)
NUMBER(realtime, units_parse_number, 99, "-r", cli.session.realtime)
NUMBER(iterations, take_number, UINT32_MAX, "-n", cli.ticks)
NUMBER(decode, units_parse_number, MAX_DECODE, "--decode",
       cli.session.decode_rate)
#undef NUMBER

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
		return err_errno(err, ret, "-F max: cannot read %s", limit);
	session_opts(p)->freq = max > 0 ? (uint64_t)max : 1;
	return 0;
}

static int cli_take_filter(struct cli_parsing *p, const char *arg,
			   struct err *err)
{
	if (!p->event_given)
		return err_usage(err, "--filter: give it after the -e whose "
				 "tracepoints it applies to");
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

/* Only fp: the kernel itself follows frame pointers, on any machine. */
static int cli_take_call_graph(struct cli_parsing *p, const char *arg,
			       struct err *err)
{
	/* perf's modes may have a dump size: "dwarf,8192" */
	size_t len = strcspn(arg, ",");

	if (strcmp(arg, "fp") == 0) {
		session_opts(p)->callchain = true;
		return 0;
	}
	if (len == strlen("dwarf") && strncmp(arg, "dwarf", len) == 0)
		return err_usage(err, "-g dwarf: it copies up to 64 KiB of "
				 "user stack into each sample, which fills "
				 "the rings and needs an unwinder, which "
				 "rbtop does not have: use -g fp, with "
				 "programs built with -fno-omit-frame-pointer");
	if (strcmp(arg, "lbr") == 0)
		return err_usage(err, "-g lbr: rbtop does not read the call "
				 "stacks that some Intel CPUs record: use -g "
				 "fp");
	return err_usage(err, "--call-graph '%s': the only mode is fp", arg);
}

/*
 * "-g fp" as well as "-g CMD": the next word is the argument only if it is the
 * name of a mode.
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

/* Without privilege bits, those of the event apply: perf_event_open(2). */
static int cli_take_branch_any(struct cli_parsing *p, const char *arg,
			       struct err *err)
{
	(void)arg;
	(void)err;
	session_opts(p)->sample_type |= PERF_SAMPLE_BRANCH_STACK;
	session_opts(p)->branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
	return 0;
}

static int cli_take_kind(struct cli_parsing *p, const char *arg,
			 struct err *err)
{
	enum ring_kind kind;
	size_t len;

	for (p->cli.kinds = 0;; arg += len + 1) {
		len = strcspn(arg, ",");
		for (kind = 0; kind < RING_KINDS; kind++) {
			const char *name = ring_kind_info(kind)->name;

			if (strlen(name) == len && !strncmp(arg, name, len))
				break;
		}
		if (kind == RING_KINDS)
			return err_usage(err, "--kind '%.*s': the kinds are perf, bpf, ftrace, packet and io_uring",
					 (int)len, arg);
		p->cli.kinds |= 1u << kind;
		if (!arg[len])
			return 0;
	}
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

/* Look up a name first, since the name of a user may be a number. */
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

/* The same message as perf-record(1) has. */
static void say_rounded(struct cli_parsing *p, const char *what,
			uint64_t bytes)
{
	char text[16];

	units_bytes(text, sizeof(text), (double)bytes);
	cli_warn(p, "%s: rounding mmap pages size to %s (%llu pages)", what,
		 text, (unsigned long long)(bytes / sys_page_size()));
}

/* In pages, or bytes with a suffix; rounded up to a power of two of pages. */
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

/* "DATA", "DATA,AUX" or ",AUX", as in perf-record(1). */
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
		return err_usage(err, "--watermark '%s': must be a size or a "
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

/* "--affinity cpu", "--affinity=cpu" or "--affinity". */
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

static int cli_take_delay(struct cli_parsing *p, const char *arg,
			  struct err *err)
{
	p->cli.delay_given = true;
	return units_parse_seconds(arg, "-d", &p->cli.delay, err);
}

static int cli_take_scheme(struct cli_parsing *p, const char *arg,
			   struct err *err)
{
	p->cli.scheme_given = true;
	return config_scheme_find(arg, &p->cli.scheme, err);
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

static int cli_take_fail_on(struct cli_parsing *p, const char *arg,
			    struct err *err)
{
	p->cli.batch = true;
	return gate_add(&p->cli.gate, arg, err);
}

static int cli_take_textfile(struct cli_parsing *p, const char *arg,
			     struct err *err)
{
	if (!*arg || strcmp(arg, "-") == 0)
		return err_usage(err, "--textfile '%s': must be the name of a "
				 "file; leave it out to write to standard "
				 "output",
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

static int cli_take_flame(struct cli_parsing *p, const char *arg,
			  struct err *err)
{
	if (!*arg)
		return err_usage(err, "--flame '': must be the name of a file, "
				 "or - for standard output");
	p->cli.flame = arg;
	return 0;
}

static int cli_take_config(struct cli_parsing *p, const char *arg,
			   struct err *err)
{
	(void)err;
	p->cli.config_path = arg;
	return 0;
}

static int cli_take_input(struct cli_parsing *p, const char *arg,
			  struct err *err)
{
	if (!*arg)
		return err_usage(err, "-i '': must be the name of a file, or "
				 "- for standard input");
	p->cli.input = arg;
	return 0;
}

/* "5123.25", or "+0.25" which sets @since, in ns; moves past it. */
static bool take_time(const char **text, uint64_t *ns, bool *since)
{
	uint64_t part = UINT64_C(1000000000), digits = 0;
	const char *at = *text + (**text == '+');

	*since = **text == '+';
	for (*ns = 0; isdigit((unsigned char)*at) && digits++ < 10; at++)
		*ns = *ns * 10 + (uint64_t)(*at - '0') * part;
	if (*at == '.')
		for (at++; isdigit((unsigned char)*at) && part > 1; at++,
		     digits++)
			*ns += (uint64_t)(*at - '0') * (part /= 10);
	if (digits)
		*text = at;
	return digits;
}

/* "10%-20%", or "10%/2", the second tenth, as in perf script. */
static bool take_share(const char *at, struct recorded_span *span)
{
	bool since;
	uint64_t nr;

	if (!take_time(&at, &span->from, &since) || since || *at++ != '%' ||
	    (*at != '-' && *at != '/') || span->from > RECORDED_WHOLE)
		return false;
	span->share = true;
	if (*at++ == '-')
		return take_time(&at, &span->to, &since) && !since &&
		       strcmp(at, "%") == 0 && span->from <= span->to &&
		       span->to <= RECORDED_WHOLE;
	nr = isdigit((unsigned char)*at) && strlen(at) < 12 ?
			strtoull(at, NULL, 10) : 0;
	while (isdigit((unsigned char)*at))
		at++;
	if (*at || !nr || !span->from || nr > RECORDED_WHOLE / span->from)
		return false;
	span->to = span->from * nr;
	span->from *= nr - 1;
	return true;
}

static int cli_take_time(struct cli_parsing *p, const char *arg,
			 struct err *err)
{
	struct recorded_span span = { .given = true, .to = UNKNOWN };
	const char *at = arg;
	bool given;

	p->cli.span = span;
	if (take_share(arg, &p->cli.span))
		return 0;
	given = take_time(&at, &span.from, &span.from_since);
	if (*at == ',' && *++at)
		given = take_time(&at, &span.to, &span.to_since);
	else
		given &= at > arg && at[-1] == ',';
	if (!given || *at ||
	    (span.from > span.to && span.from_since == span.to_since))
		return err_usage(err, "--time '%s': not START,STOP in seconds, "
				 "as perf script prints times: 5123.2,5124.75; "
				 "or since the start: +0.2,+1.75; either may "
				 "be left out; or a part of the recording: "
				 "10%%-20%%, or 10%%/2 for the second tenth",
				 arg);
	p->cli.span = span;
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
