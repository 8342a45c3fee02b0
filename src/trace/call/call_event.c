/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/call/call_event.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/hw_breakpoint.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/caps.h"
#include "base/err.h"
#include "base/sys.h"
#include "perf/event/event_spec.h"
#include "perf/event/pmu.h"
#include "perf/tracepoint/tracefs.h"

enum {
	NAME_SIZE = 56,		/* MAX_EVENT_NAME_LEN of the kernel is 64 */
	LIST_MAX = 16 << 20,
};

/*
 * A uprobe that rbtop adds in tracefs (Documentation/trace/uprobetracer.rst),
 * named "rbtop_PID:FUNC".  Its tracepoint event can be inherited, unlike an
 * event of the uprobe PMU.
 */
struct call_probe {
	int fd;			/* of uprobe_events */
	char group[32];
	char name[NAME_SIZE];
	char event[32 + NAME_SIZE];	/* as -e accepts it */
};

/* One command of uprobe_events.  0 or -errno. */
static int command(int fd, const char *text)
{
	return write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

static int remove_named(int fd, const char *group, const char *name)
{
	char text[128];

	snprintf(text, sizeof(text), "-:%s/%s\n", group, name);
	return command(fd, text);
}

/*
 * Remove the probes of instances of rbtop that were killed.  A probe that is in
 * use stays: the kernel refuses with EBUSY.
 */
static void remove_stale(int fd, const char *path)
{
	char *text = NULL, *rest, *line;
	ssize_t len = sys_read_file_alloc(path, LIST_MAX, &text);

	rest = len > 0 ? text : NULL;
	while ((line = strsep(&rest, "\n"))) {
		char group[32], name[NAME_SIZE + 8];
		int pid;

		if (sscanf(line, "p:rbtop_%d/%63s", &pid, name) != 2 ||
		    pid <= 0 || !kill(pid, 0) || errno != ESRCH)
			continue;
		snprintf(group, sizeof(group), "rbtop_%d", pid);
		remove_named(fd, group, name);
	}
	free(text);
}

/* The kernel allows only letters, digits and '_' (is_good_name()). */
static void make_names(struct call_probe *p, const char *name)
{
	snprintf(p->group, sizeof(p->group), "rbtop_%d", getpid());
	text_copy(p->name, sizeof(p->name), name);
	for (char *c = p->name; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	snprintf(p->event, sizeof(p->event), "%s:%s", p->group, p->name);
}

static int refused(int code, const char *file, struct err *err)
{
	if (code == -EACCES || code == -EPERM)
		return err_set(err, code,
			       "following children needs a uprobe in tracefs, which only root can add: try sudo rbtop");
	if (code == -EINVAL || code == -ERANGE)
		return err_errno(err, code,
				 "the kernel refuses a uprobe at that offset of %.200s",
				 file);
	return err_errno(err, code, "adding a uprobe in %.200s", file);
}

static int add_named(struct call_probe *p, const char *file, uint64_t offset,
		     struct err *err)
{
	char text[PATH_MAX + 160];
	int ret;

	/* argv_split(), comments, a reference counter's offset */
	if (file[strcspn(file, " \t\n\v\f\r#(")])
		return err_set(err, -EINVAL,
			       "%.200s: tracefs accepts no path with a space, '#' or '('",
			       file);
	/* a killed instance may have had the same process id */
	remove_named(p->fd, p->group, p->name);
	snprintf(text, sizeof(text), "p:%s/%s %s:0x%llx\n", p->group, p->name,
		 file, (unsigned long long)offset);
	ret = command(p->fd, text);
	return ret ? refused(ret, file, err) : 0;
}

/*
 * Add a probe at @offset of @file, named after the function @name; characters
 * that tracefs does not allow in names are replaced.  Probes left behind by
 * killed instances of rbtop are removed first.  @tracefs: where it is mounted,
 * or NULL.  NULL with @err on failure.
 */
static struct call_probe *add_probe(const char *tracefs, const char *name,
				    const char *file, uint64_t offset,
				    struct err *err)
{
	struct call_probe *p = calloc(1, sizeof(*p));
	char path[PATH_MAX];
	int ret;

	if (!p) {
		err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	make_names(p, name);
	snprintf(path, sizeof(path), "%s/uprobe_events",
		 tracefs ? tracefs : "/sys/kernel/tracing");
	p->fd = sys_open_append(path);
	if (p->fd < 0) {
		ret = refused(p->fd, file, err);
	} else {
		remove_stale(p->fd, path);
		ret = add_named(p, file, offset, err);
	}
	if (!ret)
		return p;
	sys_close(p->fd);
	free(p);
	return NULL;
}

/*
 * To be called when no event uses the probe any more: the kernel does not
 * remove it before.  NULL is fine.
 */
static void remove_probe(struct call_probe *p)
{
	if (!p)
		return;
	remove_named(p->fd, p->group, p->name);
	sys_close(p->fd);
	free(p);
}

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
		.pmus = PMU_DEVICES,
		.proc = "/proc",
		.kallsyms = "/proc/kallsyms",
		.tracefs = tracefs_mounted(),
		.privileged = caps_held(CAP_PERFMON) ||
			      caps_held(CAP_SYS_ADMIN),
	};
}

static struct event_spec *own_spec(struct call_event *c)
{
	return &c->list.specs[c->list.nr - 1];
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

	c->probe = add_probe(env->tracefs, name, c->place.file,
				  c->place.start, err);
	if (!c->probe)
		return err->code;
	ret = event_list_parse(&one, c->probe->event, &events, err);
	if (ret) {
		remove_probe(c->probe);
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
	if (target->mode == TARGET_TASKS && target->inherit)
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
	struct event_spec *own;
	char offset[32];
	const char *name = spec->function;
	int ret = c ? 0 : -ENOMEM;

	if (!*name) {
		snprintf(offset, sizeof(offset), "at_0x%llx",
			 (unsigned long long)spec->offset);
		name = offset;
	}
	if (c) {
		own = own_spec(c);
		own->attr.size = sizeof(own->attr);
		snprintf(own->name, sizeof(own->name), "call:%.100s", name);
		ret = call_place_find(env, spec, target, program, &c->place,
				      err);
	}
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
	remove_probe(c->probe);
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
