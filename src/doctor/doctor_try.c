/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <linux/magic.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/proc.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/unknown.h"
#include "doctor/doctor.h"
#include "host/host_bpf.h"
#include "host/host_proc.h"
#include "perf/event/event_label.h"
#include "perf/event/pmu.h"
#include "perf/session/session.h"
#include "perf/tracepoint/tracefs.h"
#include "symbols/elf/kallsyms.h"


static const struct event_env env = {
	.pmus = PMU_DEVICES,
	.find_tracefs = tracefs_path,
};

static void note(struct doctor_trial *trial, int error, const char *said)
{
	trial->error = error;
	text_copy(trial->said, sizeof(trial->said), said);
}

/* Open what rbtop opens without options; the events stay disabled. */
static void try_start(struct doctor_facts *f)
{
	struct session_opts opts = { .target.mode = TARGET_SYSTEM };
	struct session *s = NULL;
	struct err err = { 0 };
	int ret = event_list_default(&opts.events, &env, &err);

	if (!ret)
		ret = session_open(&opts, &s, &err);
	if (ret) {
		note(&f->start, ret, err.text);
	} else {
		note(&f->start, 0, session_notice(s));
		f->rings = session_nr_watched(s);
		f->ring_bytes = session_ring(s, 0)->ring.size;
		text_copy(f->event, sizeof(f->event), session_event_name(s, 0));
		session_close(s);
	}
	event_list_free(&opts.events);
}

static void try_own_event(struct doctor_facts *f)
{
	int fd = session_open_trial();

	if (fd < 0)
		note(&f->own, fd, strerror(-fd));
	sys_close(fd);
}

static void try_realtime(struct doctor_facts *f)
{
	struct sched_param was, param = { .sched_priority = 1 };
	int policy, ret = pthread_getschedparam(pthread_self(), &policy, &was);

	if (!ret)
		ret = pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
	if (ret)
		note(&f->realtime, -ret, strerror(ret));
	else
		pthread_setschedparam(pthread_self(), policy, &was);
}

/* Without mounting it.  The ids of tracepoints are all readable, or none is. */
static void try_tracefs(struct doctor_facts *f)
{
	const char *path = tracefs_mounted();
	uint64_t id;

	f->tracefs_dir = !sys_access("/sys/kernel/tracing", F_OK);
	if (!path)
		return;
	text_copy(f->tracefs, sizeof(f->tracefs), path);
	f->tracepoint_error = tracefs_event_id(path, "sched", "sched_switch",
					       &id, NULL);
}

/* The user's pinned memory, by the rings of a scan. */
static void add_use(struct doctor_facts *f, const struct host_pass *pass,
		    bool bpf)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < pass->nr_rings; i++) {
		const struct host_pass_ring *ring = &pass->rings[i];

		if (ring->kind != RING_PERF || ring->uid != f->user.uid)
			continue;
		sum += ring->locked;
		/* the kernel's count of the user, the same in each ring */
		if (bpf && ring->user_locked != UNKNOWN) {
			sum = ring->user_locked;
			break;
		}
	}
	f->used = sum;
	f->used_by_bpf = bpf;
}

static void try_proc(struct doctor_facts *f)
{
	struct host_pass pass = { 0 };
	unsigned int hidden;

	if (!host_proc_read(NULL, NULL, 0, &pass, &hidden, NULL))
		add_use(f, &pass, false);
	host_pass_free(&pass);
}

static void try_bpf(struct doctor_facts *f)
{
	struct event_labels *labels = event_labels_new(NULL, NULL);
	struct host_pass pass = { 0 };
	struct host_bpf *bpf = NULL;
	struct err err = { 0 }, drops = { 0 };
	const char *misses;
	int ret;

	if (labels)
		bpf = host_bpf_open(labels, &err);
	else
		err_set(&err, -ENOMEM, "out of memory");
	ret = bpf ? host_bpf_read(bpf, HOST_ALL, 0, &pass, &err) : err.code;
	if (ret) {
		note(&f->bpf, ret, err.text);
		try_proc(f);
	} else {
		misses = host_bpf_misses(bpf);
		note(&f->bpf, 0, misses ? misses : "");
		f->bpf_rings = pass.nr_rings;
		f->no_ends = !host_bpf_sees_ends(bpf);
		add_use(f, &pass, true);
		note(&f->drops, host_drops_try(&drops), drops.text);
	}
	host_pass_free(&pass);
	host_bpf_free(bpf);
	event_labels_free(labels);
}

static void try_kallsyms(struct doctor_facts *f)
{
	struct kallsyms *kallsyms = NULL;
	int fd = sys_open_read("/proc/kallsyms");
	int ret = fd < 0 ? fd : kallsyms_read(fd, &kallsyms);

	sys_close(fd);
	f->kallsyms.error = ret < 0 ? ret : 0;
	if (ret >= 0)
		f->kallsyms.value = (long long)kallsyms_len(kallsyms);
	kallsyms_free(kallsyms);
}

/* The kernel checks access when maps is opened, so it is not read. */
static void try_processes(struct doctor_facts *f)
{
	char path[64];
	pid_t *pids;
	size_t nr;

	if (proc_processes("/proc", &pids, &nr))
		return;
	for (size_t i = 0; i < nr; i++) {
		int fd;

		snprintf(path, sizeof(path), "/proc/%d/maps", pids[i]);
		fd = sys_open_read(path);
		/* others are kernel threads, or have ended */
		f->processes += fd >= 0 || fd == -EACCES || fd == -EPERM;
		f->readable += fd >= 0;
		sys_close(fd);
	}
	free(pids);
}

void doctor_try(struct doctor_facts *facts)
{
	long magic;

	try_start(facts);
	try_own_event(facts);
	try_realtime(facts);
	try_tracefs(facts);
	try_bpf(facts);
	try_kallsyms(facts);
	try_processes(facts);
	facts->securityfs = !sys_fs_type("/sys/kernel/security", &magic) &&
			    magic == SECURITYFS_MAGIC;
}
