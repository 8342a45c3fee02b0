/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_tools.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

static bool is_over(const struct host_tool *tool, double mono)
{
	return !tool->fold || mono - tool->last > HOST_TOOLS_AGAIN;
}

/* The place for a program: its own, a free one, or that for all others. */
static struct host_tool *place_of(struct host_tools *tools, const char *comm,
				  double mono)
{
	struct host_tool *unused = &tools->list[HOST_TOOLS];

	for (size_t i = HOST_TOOLS; i-- > 0;) {
		struct host_tool *tool = &tools->list[i];

		if (!is_over(tool, mono) && !strcmp(tool->comm, comm))
			return tool;
		if (is_over(tool, mono))
			unused = tool;
	}
	return unused;
}

/*
 * A ring that is closed is of a process that was counted when it opened it:
 * its pid may be forgotten by now.
 */
static void take_pid(struct host_tool *tool, pid_t pid, bool closed)
{
	for (unsigned int i = 0; i < tool->processes && i < HOST_TOOLS_PIDS;
	     i++) {
		if (tool->pids[i] == pid)
			return;
	}
	if (closed && tool->processes > HOST_TOOLS_PIDS)
		return;
	tool->pids[tool->processes++ % HOST_TOOLS_PIDS] = pid;
}

void host_tools_take(struct host_tools *tools, const struct ring_row *row,
		     double mono, const char *ring)
{
	struct host_tool *tool = place_of(tools, row->comm, mono);

	if (is_over(tool, mono)) {
		*tool = (struct host_tool){ .fold = ++tools->folds,
					    .first = mono };
		memcpy(tool->comm, row->comm, sizeof(tool->comm));
	}
	take_pid(tool, row->pid, row->gone);
	tool->opened += !row->gone;
	tool->closed += row->gone;
	tool->bytes += row->gone ? 0 : row->size;
	text_copy(tool->ring, sizeof(tool->ring), ring);
	tool->last = mono;
	tool->changed = true;
}

/* "perf (100)", "perf (12 processes, last PID 130)" */
static void who(const struct host_tools *tools, const struct host_tool *tool,
		char *buf, size_t size)
{
	unsigned int last = (tool->processes - 1) % HOST_TOOLS_PIDS;

	if (tool == &tools->list[HOST_TOOLS])
		snprintf(buf, size, "other programs (%u processes)",
			 tool->processes);
	else if (tool->processes > 1)
		snprintf(buf, size, "%s (%u processes, last PID %d)",
			 tool->comm, tool->processes, tool->pids[last]);
	else if (tool->pids[last] < 0)
		snprintf(buf, size, "no process");
	else
		snprintf(buf, size, "%s (%d)", tool->comm, tool->pids[last]);
}

/* A ring by its name, "CPU 3 cpu-clock"; else "4 rings". */
static void which(const struct host_tool *tool, unsigned int nr, char *buf,
		  size_t size)
{
	if (nr == 1 && tool->opened <= 1 && tool->closed <= 1)
		snprintf(buf, size, "%s", tool->ring);
	else
		snprintf(buf, size, "%u ring%s", nr, nr == 1 ? "" : "s");
}

static void what(const struct host_tool *tool, char *buf, size_t size)
{
	char rings[HOST_TOOLS_RING], bytes[16];

	which(tool, tool->opened ? tool->opened : tool->closed, rings,
	      sizeof(rings));
	units_bytes(bytes, sizeof(bytes), (double)tool->bytes);
	if (!tool->opened)
		snprintf(buf, size, "%s closed", rings);
	else if (!tool->closed)
		snprintf(buf, size, "%s opened, %s", rings, bytes);
	else
		snprintf(buf, size, "%s opened, %s, and %u closed", rings,
			 bytes, tool->closed);
}

uint64_t host_tools_next(struct host_tools *tools, char *buf, size_t size)
{
	char owner[64], rings[160], within[32] = "", seconds[16];

	for (size_t i = 0; i <= HOST_TOOLS; i++) {
		struct host_tool *tool = &tools->list[i];

		if (!tool->changed)
			continue;
		tool->changed = false;
		who(tools, tool, owner, sizeof(owner));
		what(tool, rings, sizeof(rings));
		if (tool->last > tool->first)
			snprintf(within, sizeof(within), " within %s",
				 units_duration(seconds, sizeof(seconds),
						tool->last - tool->first));
		snprintf(buf, size, "%s: %s%s", owner, rings, within);
		return tool->fold;
	}
	return 0;
}
