/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the events that trace, and sets what they and the session need. */
#include "trace/pmu/auxtrace.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/pmu/address_symbol.h"
#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/units.h"
#include "perf/event/pmu.h"

/* perf's defaults, with and without the privilege to exceed the mlock limit. */
enum {
	AUX_PRIVILEGED = 4 << 20,
	AUX_DEFAULT = 128 << 10,
	DATA_DEFAULT = 256 << 10,
};

/* One entry per kind; the last is used for all other PMUs. */
static const struct auxtrace_ops *const kinds[] = {
	&auxtrace_intel_pt, &auxtrace_intel_bts, &auxtrace_cs_etm,
	&auxtrace_arm_spe,  &auxtrace_generic,
};
enum { NR_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

void auxtrace_env_here(struct auxtrace_env *env)
{
	*env = (struct auxtrace_env){
		.pmus = PMU_DEVICES,
		.cpus = "/sys/devices/system/cpu",
		.modules = "/sys/module",
		.privileged = session_privileged() ||
			      session_paranoid().level <= -1,
	};
}

static const struct auxtrace_ops *kind_by_name(const char *pmu)
{
	for (size_t i = 0; i < NR_KINDS; i++)
		if (kinds[i]->pmu && !fnmatch(kinds[i]->pmu, pmu, 0))
			return kinds[i];
	return NULL;
}

const char *auxtrace_kind_name(const char *pmu)
{
	const struct auxtrace_ops *kind = kind_by_name(pmu);

	return kind ? kind->name : NULL;
}

/*
 * The kind that knows the PMU by name; else the generic kind for a PMU whose
 * type is not one of the kernel's own and that accepts an AUX mapping.  NULL:
 * not a tracing event.
 */
static const struct auxtrace_ops *kind_of(const struct auxtrace_env *env,
					  const struct event_spec *spec)
{
	const struct auxtrace_ops *kind;

	if (!spec->pmu[0] || spec->tracepoint)
		return NULL;
	kind = kind_by_name(spec->pmu);
	if (kind)
		return kind;
	if (spec->attr.type < PERF_TYPE_MAX ||
	    pmu_is_core(env->pmus, spec->pmu) || !auxtrace_generic_maps(spec))
		return NULL;
	return &auxtrace_generic;
}

/* The names of the PMUs that trace on this machine, for an error line. */
struct found {
	char text[200];
};

static int add_found(void *ctx, const char *pmu)
{
	struct found *f = ctx;
	char name[64], item[sizeof(name) + 2];

	text_copy(name, sizeof(name), pmu);
	snprintf(item, sizeof(item), "%s//", name);
	return kind_by_name(pmu) && !text_list(f->text, sizeof(f->text), item);
}

static int nothing_traces(const struct auxtrace_env *env, struct err *err)
{
	struct found f = { "" };

	pmu_each(env->pmus, add_found, &f);
	if (!f.text[0])
		return err_set(err, -ENODEV,
			       "-S, --full-trace and -m ,SIZE need an event that traces, and this machine has no PMU that does (intel_pt, intel_bts, cs_etm, arm_spe_N)");
	return err_usage(err,
			 "-S, --full-trace and -m ,SIZE need an event that traces: add -e with one of %s",
			 f.text);
}

/* As in perf: one event of one PMU, or one of each PMU of the same kind. */
static int check_beside(const struct event_list *events,
			const struct auxtrace *trace, size_t i,
			const struct auxtrace_ops *ops, struct err *err)
{
	const struct event_spec *spec = &events->specs[i];

	if (ops != trace->ops)
		return err_usage(err,
				 "%s and %s: only one of them can trace at a time",
				 trace->pmu, spec->pmu);
	for (size_t j = trace->spec; j < i; j++) {
		if (!strcmp(events->specs[j].pmu, spec->pmu))
			return err_usage(err,
					 "%s twice: a PMU that traces takes only one event",
					 spec->pmu);
	}
	if (!ops->several)
		return err_usage(err,
				 "%s and %s: only one PMU can trace at a time",
				 trace->pmu, spec->pmu);
	return 0;
}

/* Mark the events that trace.  1 if there are any, 0, or -errno with @err. */
static int find_events(const struct auxtrace_env *env,
		       struct session_opts *session, struct auxtrace *trace,
		       struct err *err)
{
	for (size_t i = 0; i < session->events.nr; i++) {
		struct event_spec *spec = &session->events.specs[i];
		const struct auxtrace_ops *ops = kind_of(env, spec);
		int ret = 0;

		spec->aux = ops != NULL;
		if (!ops && spec->aux_filter)
			return err_usage(err,
					 "--aux-filter: '%.60s' does not trace",
					 spec->name);
		if (!ops)
			continue;
		if (trace->ops)
			ret = check_beside(&session->events, trace, i, ops,
					   err);
		if (ret)
			return ret;
		if (trace->ops)
			continue;
		trace->ops = ops;
		trace->spec = i;
		snprintf(trace->pmu, sizeof(trace->pmu), "%s", spec->pmu);
	}
	return trace->ops != NULL;
}

/*
 * Default sizes.  The data rings get a smaller default too, since both together
 * would exceed kernel.perf_event_mlock_kb.
 */
static void default_sizes(const struct auxtrace_env *env,
			  struct session_opts *session,
			  const struct auxtrace *trace)
{
	if (session->aux_bytes)
		return;
	if (trace->overwrite && trace->snapshot_bytes)
		session->aux_bytes = trace->snapshot_bytes;
	else
		session->aux_bytes = env->privileged ? AUX_PRIVILEGED :
						       AUX_DEFAULT;
	if (!env->privileged && !session->ring_bytes)
		session->ring_bytes = DATA_DEFAULT;
}

static int set_sizes(const struct auxtrace_env *env,
		     const struct auxtrace_opts *opts,
		     struct session_opts *session, struct auxtrace *trace,
		     struct err *err)
{
	uint64_t page = sys_page_size(), min;
	char size[16], max[16];

	session->aux_bytes = opts->aux_bytes;
	session->aux_overwrite = trace->overwrite;
	trace->snapshot_bytes = opts->snapshot_bytes;
	default_sizes(env, session, trace);
	if (session->aux_bytes < page)
		session->aux_bytes = page;
	session->aux_bytes = units_round_pow2(session->aux_bytes);
	if (session->aux_bytes == 0 || session->aux_bytes > SIZE_MAX / 4)
		return err_set(err, -ENOMEM,
			       "an AUX ring of %llu bytes: no machine has that much memory: use a smaller -m ,SIZE",
			       (unsigned long long)(opts->aux_bytes ?
							    opts->aux_bytes :
							    opts->snapshot_bytes));
	units_option_bytes(size, sizeof(size), (double)session->aux_bytes);
	min = trace->overwrite ? trace->ops->min_snapshot_bytes :
				   trace->ops->min_bytes;
	if (session->aux_bytes < min)
		return err_usage(err,
				 "-m ,%s: %s needs an AUX ring of at least %s",
				 size, trace->ops->name,
				 units_bytes(max, sizeof(max),
					     (double)min));
	if (trace->snapshot_bytes > session->aux_bytes)
		return err_usage(err,
				 "-S %s: more than an AUX ring of %s holds: use a larger -m ,SIZE",
				 units_bytes(max, sizeof(max),
					     (double)trace->snapshot_bytes),
				 size);
	return 0;
}

/* Check whether the PMU accepts these filters, and that many. */
static int check_filter(const struct auxtrace_env *env,
			const struct auxtrace *trace,
			const struct event_spec *spec, size_t nr,
			struct err *err)
{
	uint64_t max;

	if (pmu_number(env->pmus, spec->pmu, "nr_addr_filters", false, &max))
		max = 0;
	if (max == 0)
		return err_set(err, -EOPNOTSUPP,
			       "--aux-filter: %s takes no address filters here",
			       spec->pmu);
	if (nr > max)
		return err_set(err, -EINVAL,
			       "--aux-filter: %zu address filters, and %s takes at most %llu",
			       nr, spec->pmu, (unsigned long long)max);
	/* a file has a different address in each process */
	if (strchr(spec->address_filter, '@') && !trace->by_task)
		return err_set(err, -EOPNOTSUPP,
			       "--aux-filter: a filter on a file needs tasks (-p, -t or a command); on CPUs only kernel addresses can be filtered");
	return 0;
}

static int set_filter(const struct auxtrace_env *env,
		      const struct auxtrace *trace, struct event_spec *spec,
		      struct err *err)
{
	size_t nr;
	int ret;

	free(spec->address_filter);
	spec->address_filter = NULL;
	if (!spec->aux_filter)
		return 0;
	ret = address_filter_resolve(spec->aux_filter, "/proc/kallsyms",
				     &spec->address_filter, &nr, err);
	return ret ? ret : check_filter(env, trace, spec, nr, err);
}

/*
 * A snapshot may begin anywhere in the trace.  If it is not longer than the
 * distance between the points at which a decoder can start, it may contain none
 * of them.
 */
static void check_sync(const struct auxtrace_env *env,
		       const struct auxtrace_opts *opts,
		       const struct session_opts *session,
		       const struct event_spec *spec, struct auxtrace *trace)
{
	uint64_t bytes = trace->snapshot_bytes ? trace->snapshot_bytes :
						 session->aux_bytes;
	char size[16], apart[16], enough[16];
	uint64_t every;

	if (!trace->overwrite || !trace->ops->sync_bytes)
		return;
	every = trace->ops->sync_bytes(env, spec);
	if (bytes > every)
		return;
	units_option_bytes(size, sizeof(size), (double)bytes);
	units_option_bytes(apart, sizeof(apart), (double)every);
	units_option_bytes(enough, sizeof(enough), (double)(4 * every));
	snprintf(trace->warning, sizeof(trace->warning),
		 "snapshots of %s may not be decodable: decoders of %s can start only every %s: use %s%s",
		 size, spec->pmu, apart,
		 opts->aux_bytes && opts->aux_bytes < 4 * every ? "-m ," : "-S",
		 enough);
}

int auxtrace_open(const struct auxtrace_env *env,
		  const struct auxtrace_opts *opts,
		  struct session_opts *session, struct auxtrace *trace,
		  struct err *err)
{
	enum target_mode mode = session->target.mode;
	int ret;

	*trace = (struct auxtrace){
		.overwrite = !opts->full_trace,
		.per_cpu = mode != TARGET_THREADS,
		.by_task = target_by_task(&session->target),
		.perf = opts->perf ? opts->perf : AUXTRACE_PERF_MIN,
	};
	ret = find_events(env, session, trace, err);
	if (ret == 0 && opts->asked)
		return nothing_traces(env, err);
	if (ret <= 0)
		return ret;
	ret = set_sizes(env, opts, session, trace, err);
	for (size_t i = trace->spec; !ret && i < session->events.nr; i++) {
		struct event_spec *spec = &session->events.specs[i];

		if (!spec->aux)
			continue;
		ret = trace->ops->configure(env, trace, session, spec, err);
		if (!ret)
			ret = set_filter(env, trace, spec, err);
		if (!ret)
			check_sync(env, opts, session, spec, trace);
	}
	return ret ? ret : 1;
}
