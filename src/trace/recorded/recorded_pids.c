/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/recorded/recorded.h"

#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/array.h"

void recorded_pids_free(struct recorded_pids *p)
{
	table_free(&p->by_pid);
	free(p->comms);
}

void recorded_pids_end(struct recorded_pids *p, struct recorded_run *run)
{
	top_pids_add(&p->top, (pid_t)run->pid, run->samples);
	run->samples = 0;
}

static void set_comm(struct recorded_pids *p, uint32_t pid, const char *comm,
		     size_t size)
{
	const struct table_entry *entry = table_find(&p->by_pid, pid);
	char *to;

	if (entry) {
		to = p->comms[entry->index];
	} else {
		if (array_fit_max(p->comms, p->room, p->nr_comms + 1,
				  RECORDED_COMMS_MAX) ||
		    table_add_index(&p->by_pid, pid, p->nr_comms))
			return;
		to = p->comms[p->nr_comms++];
	}
	memset(to, 0, RECORDED_COMM);
	memcpy(to, comm, strnlen(comm, size < RECORDED_COMM ? size :
					       RECORDED_COMM - 1));
}

const char *recorded_pids_comm(const struct recorded_pids *p, pid_t pid)
{
	const struct table_entry *entry = table_find(&p->by_pid, (uint32_t)pid);

	return entry ? p->comms[entry->index] : "";
}

/* perf_event_comm_output(), perf_event_task_output() (kernel/events/core.c) */
void recorded_pids_name(struct recorded_pids *p, const void *record,
			size_t size)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, other;	/* the thread, or the parent */
	} head;
	char comm[RECORDED_COMM] = "";

	if (size < sizeof(head))
		return;
	memcpy(&head, record, sizeof(head));
	if (head.header.type == PERF_RECORD_COMM && head.pid == head.other) {
		set_comm(p, head.pid, (const char *)record + sizeof(head),
			 size - sizeof(head));
	} else if (head.header.type == PERF_RECORD_FORK &&
		   head.pid != head.other) {
		strcpy(comm, recorded_pids_comm(p, (pid_t)head.other));
		set_comm(p, head.pid, comm, sizeof(comm));
	}
}

unsigned int recorded_pids_sorted(struct recorded_pids *p,
				  struct top_pid out[TOP_PIDS])
{
	for (size_t i = 0; i < RECORDED_RUNS; i++)
		recorded_pids_end(p, &p->runs[i]);
	return top_pids_sorted(&p->top, out);
}
