/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explains errors of the kernel, and what to do about them. */
#include "perf/session/session_state.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/caps.h"
#include "base/err.h"
#include "base/sys.h"
#include "base/units.h"

#define PARANOID "kernel.perf_event_paranoid"

struct session_paranoid session_paranoid(void)
{
	long long level;
	int fd = 0;

	if (sys_read_number("/proc/sys/kernel/perf_event_paranoid", &level))
		level = 2;
	if (level > 2) {
		fd = session_open_trial();
		sys_close(fd);
	}
	return (struct session_paranoid){
		.level = (int)level,
		.refuses_all = fd == -EACCES || fd == -EPERM,
	};
}

/* "CPU 3", "thread 12", "thread 12 on CPU 3" */
static const char *scope_text(struct session_scope scope, char *buf,
			      size_t size)
{
	if (scope.tid < 0)
		snprintf(buf, size, "CPU %d", scope.cpu);
	else if (scope.cpu < 0)
		snprintf(buf, size, "thread %d", scope.tid);
	else
		snprintf(buf, size, "thread %d on CPU %d", scope.tid,
			 scope.cpu);
	return buf;
}

bool session_privileged(void)
{
	return caps_held(CAP_PERFMON) || caps_held(CAP_SYS_ADMIN);
}

bool session_error_mode(struct session_scope scope,
			struct session_paranoid paranoid, char *buf,
			size_t size)
{
	int level = paranoid.level;

	if (paranoid.refuses_all)
		snprintf(buf, size,
			 "perf events need root or CAP_PERFMON (" PARANOID
			 " is %d): try sudo rbtop, or sysctl " PARANOID
			 "=2, which allows user-space events of your own processes",
			 level);
	else if (scope.tid < 0 && level > 0)
		snprintf(buf, size,
			 "system-wide monitoring needs root or CAP_PERFMON: try sudo rbtop, or: rbtop -- COMMAND");
	else
		return false;
	return true;
}

/* Whether the event is a breakpoint on kernel code. */
static bool in_kernel(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_BREAKPOINT &&
	       attr->bp_type == HW_BREAKPOINT_X && !attr->exclude_kernel;
}

/* EACCES and EPERM, if session_error_mode() does not explain them. */
static void explain_access(int code, const struct perf_event_attr *attr,
			   struct session_scope scope, int level, char *buf,
			   size_t size)
{
	/* perf_trace_event_perm() in kernel/trace/trace_event_perf.c */
	if (attr->type == PERF_TYPE_TRACEPOINT && code == -EPERM &&
	    (level <= -1 || session_privileged()))
		snprintf(buf, size,
			 "the kernel does not allow sampling this tracepoint, since each sample could trigger the next one: drop it, or count it with perf stat");
	else if (attr->type == PERF_TYPE_TRACEPOINT && level > -1)
		snprintf(buf, size,
			 "tracepoint data needs root, CAP_PERFMON or " PARANOID
			 " -1 (it is %d)",
			 level);
	else if (in_kernel(attr))
		snprintf(buf, size,
			 "a breakpoint in the kernel needs CAP_SYS_ADMIN: try sudo rbtop");
	else if (attr->namespaces)
		snprintf(buf, size,
			 "records of namespaces need root or CAP_PERFMON: drop --namespaces");
	else if (attr->sample_type & PERF_SAMPLE_PHYS_ADDR && level > 1)
		snprintf(buf, size,
			 "physical addresses need root, CAP_PERFMON or " PARANOID
			 " 1 (it is %d): drop --phys-data",
			 level);
	else if (!attr->exclude_kernel && level > 1)
		snprintf(buf, size,
			 "kernel samples need root, CAP_PERFMON or " PARANOID
			 " 1 (it is %d); add :u to count user space only",
			 level);
	else if (scope.tid >= 0 && kill(scope.tid, 0) < 0 && errno == EPERM)
		snprintf(buf, size,
			 "another user's process needs root, CAP_PERFMON or CAP_SYS_PTRACE: try sudo rbtop");
	else
		snprintf(buf, size,
			 "denied by a security policy: see SELinux, lockdown (cat /sys/kernel/security/lockdown), or the container's seccomp filter; or the process is not dumpable (ptrace(2))");
}

static const char *explain_invalid(const struct perf_event_attr *attr)
{
	const uint64_t young = PERF_SAMPLE_CODE_PAGE_SIZE |
			       PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CGROUP |
			       PERF_SAMPLE_PHYS_ADDR;

	if (in_kernel(attr))
		return "the kernel refuses a breakpoint in this function: it has no kprobes (CONFIG_KPROBES), or the function must not be probed (/sys/kernel/debug/kprobes/blacklist)";
	if (attr->aux_output)
		return "aux-output needs Linux 5.4, and a CPU that can put this event into the trace (PEBS via PT): drop aux-output";
	if (attr->sample_type & young)
		return "the PMU refuses this event, or the kernel is too old for what its samples are to hold: --code-page-size and --data-page-size need Linux 5.11, --all-cgroups 5.7, --phys-data 4.14";
	if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
		return "the PMU refuses this event together with --branch-any";
	if (attr->precise_ip)
		return "the PMU has no such precision, or this combination is not allowed: drop the :p modifier";
	if (attr->freq)
		return "the PMU refuses this event and frequency: check its terms, lower -F, or give a period with -c";
	return "the PMU refuses this combination of event, modifiers and mode: check its terms and modifiers";
}

/* get_callchain_buffers() in kernel/events/callchain.c */
static void explain_depth(const struct perf_event_attr *attr, char *buf,
			  size_t size)
{
	long long max;

	if (sys_read_number("/proc/sys/kernel/perf_event_max_stack", &max))
		max = 127;
	snprintf(buf, size,
		 "--max-stack %u is over kernel.perf_event_max_stack, which is %lld: lower it, or raise that with sysctl",
		 attr->sample_max_stack, max);
}

/* For an event that traces; NULL if the error means the same as for others. */
static const char *explain_tracing(int code)
{
	switch (-code) {
	case EBUSY:
		return "its PMU traces for one program at a time, and either tasks or CPUs: end the other one first (perf record, or another rbtop)";
	case EINVAL:
		return "the PMU refuses this combination of terms, modifiers and mode: drop terms one by one";
	case EOPNOTSUPP:
		return "the PMU does not support one of the terms or modifiers: drop them one by one";
	case ENOENT:
		return "the PMU does not trace on that CPU, or not in this mode: see its cpumask in /sys/bus/event_source/devices";
	}
	return NULL;
}

static bool traces(const struct session *s, const struct perf_event_attr *attr)
{
	for (size_t i = 0; s->specs && i < s->opts.events.nr; i++)
		if (attr == &s->specs[i].attr)
			return s->opts.events.specs[i].aux;
	return false;
}

static const char *explain_fixed(int code, const struct perf_event_attr *attr)
{
	switch (-code) {
	case ENOENT:
		return "this kernel or CPU has no such event: 'perf list' names those it has; cpu-clock works everywhere";
	case ENODEV:
	case ENXIO:
		return "the CPU went offline or the PMU does not exist: see /sys/devices/system/cpu/online";
	case ESRCH:
		return "the process has ended";
	case EBADF:
		return "the directory given with -G is not a cgroup of a hierarchy that perf events use: give one of cgroup2 or of perf_event";
	case ENOMEM:
		if (attr->sample_type & PERF_SAMPLE_CALLCHAIN)
			return "not enough memory for callchains of kernel.perf_event_max_stack frames on every CPU: lower it with sysctl, or drop -g";
		return "the kernel is out of memory for perf events: watch fewer CPUs, threads or events";
	case EBUSY:
		return "another tracer holds the PMU or its counters (the NMI watchdog takes one: sysctl kernel.nmi_watchdog=0)";
	case EOPNOTSUPP:
		if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
			return "this event or CPU does not record branches: use -e cycles on a CPU that does, or drop --branch-any";
		return "the PMU cannot sample this event or does not support a modifier: use -e cpu-clock, or drop :p";
	case E2BIG:
		return "the kernel is too old for one of the event's terms";
	case EINVAL:
		return explain_invalid(attr);
	case ENODATA:
		return "it must be in a group led by its auxiliary event: {cpu/mem-loads-aux/,...}";
	case ENOSYS:
		return "the kernel was built without CONFIG_PERF_EVENTS";
	case ENOSPC:
		return "too many breakpoints: the CPU has only a few registers for them; use fewer";
	case EINTR:
	case EAGAIN:
		return "the kernel was interrupted: try again";
	}
	return "see perf_event_open(2), and dmesg for the kernel's reason";
}

int session_error_open(const struct session *s, int code, const char *event,
		       const struct perf_event_attr *attr,
		       struct session_scope scope, struct err *err)
{
	const char *tracing = traces(s, attr) ? explain_tracing(code) : NULL;
	const char *colon = strchr(event, ':');
	bool access = code == -EACCES || code == -EPERM;
	struct session_paranoid paranoid = { 0 };
	char where[64], why[320];

	if (access)
		paranoid = session_paranoid();
	if (access && !session_privileged() &&
	    session_error_mode(scope, paranoid, why, sizeof(why)))
		return err_doctor(err, err_set(err, code, "%s", why),
				  "paranoid");
	if (access)
		explain_access(code, attr, scope, paranoid.level, why,
			       sizeof(why));
	else if (code == -EOVERFLOW)
		explain_depth(attr, why, sizeof(why));
	else if (code == -EINTR && attr->type == PERF_TYPE_TRACEPOINT && colon)
		/* probe_event_enable() in kernel/trace/trace_uprobe.c */
		snprintf(why, sizeof(why),
			 "a uprobe cannot be used by ftrace and perf at once, and it is enabled in tracefs: echo 0 >/sys/kernel/tracing/events/%.*s/%s/enable, or in an instance",
			 (int)(colon - event), event, colon + 1);
	else if (code == -EMFILE || code == -ENFILE)
		snprintf(why, sizeof(why),
			 "it takes %llu file descriptors and %llu are allowed: raise 'ulimit -n' (its hard limit needs root), or watch fewer CPUs, threads or events",
			 (unsigned long long)s->want_files,
			 (unsigned long long)s->have_files);
	else if (session_specs_aux_action(attr) &&
		 (code == -EINVAL || code == -EOPNOTSUPP || code == -E2BIG))
		snprintf(why, sizeof(why),
			 "aux-action needs Linux 6.13 and a PMU that can pause its trace: drop it from all events");
	else
		snprintf(why, sizeof(why), "%s",
			 tracing ? tracing : explain_fixed(code, attr));
	code = err_set(err, code, "opening %s on %s: %s: %s", event,
		       scope_text(scope, where, sizeof(where)), strerror(-code),
		       why);
	if (access)
		return err_doctor(err, code, "paranoid");
	if (code == -ENOSYS)
		return err_doctor(err, code, "config");
	return code == -EBUSY ? err_doctor(err, code, "watchdog") : code;
}

/* Errors that mean the same for data and AUX rings. */
static const char *explain_mapping(int code)
{
	return code == -EMFILE || code == -ENFILE ? "raise 'ulimit -n'" :
						    "see perf_event_open(2)";
}

static int map_failed(int code, const char *what, uint64_t bytes,
		      struct session_scope scope, const char *why,
		      struct err *err)
{
	char where[64], size[16];

	code = err_set(err, code, "mapping %s of %s on %s: %s: %s", what,
		       units_bytes(size, sizeof(size), (double)bytes),
		       scope_text(scope, where, sizeof(where)), strerror(-code),
		       why);
	return code == -EPERM ? err_doctor(err, code, "mlock") : code;
}

int session_error_map(const struct session *s, int code, uint64_t bytes,
		      struct session_scope scope, struct err *err)
{
	char why[256];

	switch (-code) {
	case EPERM:
		snprintf(why, sizeof(why),
			 "over kernel.perf_event_mlock_kb: %sraise it with sysctl, raise 'ulimit -l', or run with CAP_IPC_LOCK",
			 s->opts.ring_bytes == bytes ?
				 "leave out -m to take the size that fits, " :
				 "");
		break;
	case ENOMEM:
		snprintf(why, sizeof(why),
			 "not enough memory for %zu rings: use a smaller -m",
			 s->nr_slots);
		break;
	case EINVAL:
		snprintf(why, sizeof(why),
			 "the size must be a power of two of pages and below the kernel's largest allocation: use a smaller -m");
		break;
	default:
		snprintf(why, sizeof(why), "%s", explain_mapping(code));
	}
	return map_failed(code, "a ring", bytes, scope, why, err);
}

int session_error_map_aux(const struct session *s, int code,
			  struct session_scope scope, struct err *err)
{
	char half[16], why[256];
	uint64_t bytes = s->opts.aux_bytes;

	units_option_bytes(half, sizeof(half), (double)bytes / 2);
	switch (-code) {
	case EPERM:
		snprintf(why, sizeof(why),
			 "over kernel.perf_event_mlock_kb: use -m ,%s, raise it with sysctl, raise 'ulimit -l', or run with CAP_IPC_LOCK",
			 half);
		break;
	case ENOMEM:
		snprintf(why, sizeof(why),
			 "not enough memory, or not in one piece, which some PMUs need for snapshots: use a smaller one, -m ,%s",
			 half);
		break;
	case EOPNOTSUPP:
		snprintf(why, sizeof(why),
			 "this PMU does not trace into AUX rings: use it without -S, --full-trace and -m ,SIZE");
		break;
	case EINVAL:
		snprintf(why, sizeof(why),
			 "the kernel or the PMU refuses that size: use another -m ,SIZE, a power of two of pages");
		break;
	default:
		snprintf(why, sizeof(why), "%s", explain_mapping(code));
	}
	return map_failed(code, "an AUX ring", bytes, scope, why, err);
}

int session_error_address_filter(const struct session *s, int code,
				 const struct event_spec *spec,
				 struct err *err)
{
	const char *why = "see perf-record(1), --filter";

	switch (-code) {
	case EINVAL:
		why = "the PMU has no filters, or does not support this form or combination";
		break;
	case EOPNOTSUPP:
		why = target_by_task(&s->opts.target) ?
			      "the PMU has fewer filters than that, or none of this form" :
			      "addresses in a file are those of a task's mappings: watch tasks (-p, -t, -- CMD), or filter kernel addresses";
		break;
	case ENOENT:
	case EACCES:
		why = "the file must exist and be readable by the traced task";
		break;
	}
	return err_set(err, code, "--aux-filter '%.100s' on %s: %s: %s",
		       spec->aux_filter ? spec->aux_filter :
					  spec->address_filter,
		       spec->name, strerror(-code), why);
}

int session_error_redirect(const struct session *s, int code,
			   struct session_scope scope, struct err *err)
{
	const char *why = s->has_aux ?
				  "they must trace with the same PMU, and the ring must still exist" :
				  "they must use the same clock, and the ring must still exist";
	char where[64];

	return err_set(err, code,
		       "directing the events of %s to one ring: %s: %s",
		       scope_text(scope, where, sizeof(where)), strerror(-code),
		       why);
}
