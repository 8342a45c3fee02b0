/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/call/call_event.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/hw_breakpoint.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/call/call_place.h"
#include "trace/call/call_probe.h"
#include "base/caps.h"
#include "base/err.h"
#include "base/sys.h"
#include "perf/event/call_spec.h"
#include "perf/event/pmu.h"
#include "perf/tracepoint/tracefs.h"

struct call_event {
	struct event_list list;		/* what the specs before the last one
					 * own is borrowed */
	struct call_place place;	/* attr.uprobe_path points to its path,
					 * until the events are opened */
	struct call_probe *probe;	/* NULL: no tracefs probe is used */
	int keeper;			/* see call_event_keep(); -1 */
};

void call_event_env_here(struct call_event_env *env)
{
	*env = (struct call_event_env){
		.pmus = "/sys/bus/event_source/devices",
		.proc = "/proc",
		.kallsyms = "/proc/kallsyms",
		.tracefs = tracefs_mounted(),
		.privileged = caps_held(CAP_PERFMON) ||
			      caps_held(CAP_SYS_ADMIN),
	};
}

static bool inherits(const struct target *target)
{
	return target->mode == TARGET_TASKS && target->inherit;
}

static struct event_spec *own_spec(struct call_event *c)
{
	return &c->list.specs[c->list.nr - 1];
}

static void init_spec(struct call_event *c, const char *name)
{
	struct event_spec *own = own_spec(c);

	*own = (struct event_spec){ .attr.size = sizeof(own->attr) };
	snprintf(own->name, sizeof(own->name), "call:%.100s", name);
}

static void use_breakpoint(struct call_event *c, uint64_t address)
{
	struct perf_event_attr *attr = &own_spec(c)->attr;

	attr->type = PERF_TYPE_BREAKPOINT;
	attr->bp_type = HW_BREAKPOINT_X;
	attr->bp_addr = address;
	attr->bp_len = sizeof(long);
	/* a breakpoint of a task then needs no permission for the kernel */
	attr->exclude_kernel = !c->place.kernel;
	attr->exclude_hv = !c->place.kernel;
}

static int use_uprobe_pmu(struct call_event *c,
			  const struct call_event_env *env, struct err *err)
{
	struct perf_event_attr *attr = &own_spec(c)->attr;
	int ret;

	if (!env->privileged)
		return err_set(err, -EACCES,
			       "uprobes need root or CAP_PERFMON");
	ret = pmu_type(env->pmus, "uprobe", &attr->type, NULL);
	if (ret)
		return err_set(err, ret,
			       "this kernel has no uprobe PMU (CONFIG_UPROBE_EVENTS)");
	attr->uprobe_path = (uint64_t)(uintptr_t)c->place.file;
	attr->probe_offset = c->place.start;
	return 0;
}

static int use_probe(struct call_event *c, const struct call_event_env *env,
		     const char *name, struct err *err)
{
	struct event_env events = { .pmus = env->pmus,
				    .tracefs = env->tracefs };
	struct event_list one = { 0 };
	int ret;

	c->probe = call_probe_add(env->tracefs, name, c->place.file,
				  c->place.start, err);
	if (!c->probe)
		return err->code;
	ret = event_list_parse(&one, call_probe_event(c->probe), &events, err);
	if (ret) {
		call_probe_remove(c->probe);
		c->probe = NULL;
		return ret;
	}
	*own_spec(c) = one.specs[0];
	free(one.specs);
	return 0;
}

/* Use a breakpoint instead of a uprobe, which failed with @err. */
static int use_address(struct call_event *c, const struct call_event_env *env,
		       const struct target *target, const char *program,
		       struct err *err)
{
	struct err why = { 0 };
	uint64_t address = 0;
	char text[sizeof(err->text)];

	if (call_place_address(env, &c->place, target, program, &address,
			       &why)) {
		strcpy(text, err->text);
		return err_set(err, err->code,
			       "%.200s; a breakpoint is not possible either: %.250s",
			       text, why.text);
	}
	use_breakpoint(c, address);
	return 0;
}

static int choose(struct call_event *c, const struct call_event_env *env,
		  const char *name, const struct target *target,
		  const char *program, struct err *err)
{
	int ret;

	if (c->place.kernel) {
		use_breakpoint(c, c->place.start);
		return 0;
	}
	if (inherits(target))
		ret = use_probe(c, env, name, err);
	else
		ret = use_uprobe_pmu(c, env, err);
	if (ret && target_by_task(target))
		ret = use_address(c, env, target, program, err);
	return ret;
}

static struct call_event *copy_list(const struct event_list *events,
				    struct err *err)
{
	struct call_event *c = calloc(1, sizeof(*c));
	size_t nr = events->nr;

	if (c)
		c->list.specs = calloc(nr + 1, sizeof(*c->list.specs));
	if (!c || !c->list.specs) {
		free(c);
		err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	if (nr)
		memcpy(c->list.specs, events->specs,
		       nr * sizeof(*c->list.specs));
	c->list.nr = nr + 1;
	c->keeper = -1;
	return c;
}

struct call_event *call_event_open(const struct call_event_env *env,
				   const struct call_spec *spec,
				   const struct event_list *events,
				   const struct target *target,
				   const char *program, struct err *err)
{
	struct call_event *c = copy_list(events, err);
	char offset[32];
	const char *name = spec->function;
	int ret = c ? 0 : -ENOMEM;

	if (!*name) {
		snprintf(offset, sizeof(offset), "at_0x%llx",
			 (unsigned long long)spec->offset);
		name = offset;
	}
	if (c)
		init_spec(c, name);
	if (!ret)
		ret = call_place_find(env, spec, target, program, &c->place,
				      err);
	if (!ret)
		ret = choose(c, env, name, target, program, err);
	if (ret) {
		err_prefix(err, "--snapshot-on call:%.60s", name);
		call_event_close(c);
		return NULL;
	}
	own_spec(c)->leader = events->nr;
	own_spec(c)->period = 1;
	own_spec(c)->call = true;
	return c;
}

int call_event_keep(struct call_event *c, struct err *err)
{
	const struct event_spec *own = own_spec(c);
	int cpu = sched_getcpu();
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = own->attr.type,
		.config = own->attr.config,
		.disabled = 1,
	};

	if (!c->probe)
		return 0;
	c->keeper = sys_perf_event_open(&attr, -1, cpu < 0 ? 0 : cpu, -1, 0);
	if (c->keeper >= 0)
		return 0;
	return err_set(err, c->keeper,
		       "--snapshot-on: opening %s on CPU %d: %s: %s", own->name,
		       cpu, strerror(-c->keeper),
		       c->keeper == -EINVAL ?
			       "there is no instruction at that offset" :
			       "it needs root, and a security policy that allows uprobes");
}

void call_event_close(struct call_event *c)
{
	if (!c)
		return;
	sys_close(c->keeper);
	call_probe_remove(c->probe);
	free(c->list.specs);
	free(c);
}

struct event_list call_event_list(const struct call_event *c)
{
	return c->list;
}

size_t call_event_index(const struct call_event *c)
{
	return c->list.nr - 1;
}
